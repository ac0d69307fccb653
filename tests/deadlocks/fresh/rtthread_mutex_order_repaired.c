#include <rtthread.h>

static rt_mutex_t can_mutex;
static struct rt_mutex store_mutex;
static int frames, stored;

static void store_frame(int f)
{
    rt_mutex_take(&store_mutex, RT_WAITING_FOREVER);
    stored += f;
    rt_mutex_release(&store_mutex);
}

static void can_entry(void *parameter)
{
    while (1)
    {
        rt_mutex_take(can_mutex, RT_WAITING_FOREVER);
        frames++;
        store_frame(frames);
        rt_mutex_release(can_mutex);
        rt_thread_mdelay(5);
    }
}

static void replay_entry(void *parameter)
{
    while (1)
    {
        rt_mutex_take(can_mutex, RT_WAITING_FOREVER);
        rt_mutex_take(&store_mutex, RT_WAITING_FOREVER);
        if (stored > 0)
        {
            frames--;
        }
        rt_mutex_release(&store_mutex);
        rt_mutex_release(can_mutex);
        rt_thread_delay(RT_TICK_PER_SECOND);
    }
}

int can_app_init(void)
{
    rt_thread_t t;

    can_mutex = rt_mutex_create("can", RT_IPC_FLAG_PRIO);
    rt_mutex_init(&store_mutex, "store", RT_IPC_FLAG_PRIO);
    t = rt_thread_create("can", can_entry, RT_NULL, 1024, 10, 10);
    if (t != RT_NULL)
        rt_thread_startup(t);
    t = rt_thread_create("replay", replay_entry, RT_NULL, 1024, 12, 10);
    if (t != RT_NULL)
        rt_thread_startup(t);
    return 0;
}
INIT_APP_EXPORT(can_app_init);
