/* A motor's driver and two threads: the locks of this kernel, right and wrong. */
#include <rtthread.h>
#include <rthw.h>
#include <rtdevice.h>

struct motor
{
    struct rt_mutex lock;
    struct rt_semaphore done;
    struct rt_spinlock spin;
    struct rt_timer timer;
    int speed, target, steps, pulses;
};

static struct motor motor;
static rt_mutex_t first, second;
static int total, edges, faults, beats, slips, mode, turns, logs;

/* The handler and a thread: interrupts off, or a spin lock of the object. */
static void motor_isr(int vector, void *param)
{
    struct motor *m = param;
    rt_base_t level;

    rt_interrupt_enter();
    edges++; /* NORACE */
    faults++; /* RACE@faults */
    level = rt_spin_lock_irqsave(&m->spin); /* NOIRQ-DEADLOCK */
    m->pulses++; /* NORACE */
    rt_spin_unlock_irqrestore(&m->spin, level);
    rt_sem_release(&m->done);
    rt_interrupt_leave();
}

int motor_edges(struct motor *m)
{
    rt_base_t level = rt_hw_interrupt_disable();
    int n = edges;

    edges = 0; /* NORACE */
    rt_hw_interrupt_enable(level);
    faults = faults - n; /* RACE@faults */
    level = rt_spin_lock_irqsave(&m->spin); /* NOIRQ-DEADLOCK */
    m->pulses = 0; /* NORACE */
    rt_spin_unlock_irqrestore(&m->spin, level);
    return n;
}

/* Nothing that waits with interrupts off, nor with the scheduler locked; asking is fine. */
int motor_wait(struct motor *m)
{
    rt_base_t level = rt_hw_interrupt_disable();

    rt_sem_take(&m->done, RT_WAITING_FOREVER); /* SLEEP */
    rt_hw_interrupt_enable(level);
    rt_enter_critical();
    rt_sem_take(&m->done, 0); /* NOSLEEP */
    rt_thread_mdelay(5); /* SLEEP */
    rt_exit_critical();
    rt_sem_take(&m->done, RT_WAITING_FOREVER); /* NOSLEEP */
    return 0;
}

/* RT_EOK is 0; mutexes nest. */
int motor_set(struct motor *m, int speed)
{
    if (rt_mutex_take(&m->lock, RT_WAITING_FOREVER) != RT_EOK)
        return -RT_ERROR; /* NOLEAK */
    rt_mutex_take(&m->lock, RT_WAITING_FOREVER); /* NODOUBLE-LOCK */
    m->speed = speed; /* NORACE */
    rt_mutex_release(&m->lock);
    rt_mutex_release(&m->lock);
    return RT_EOK;
}

int motor_try(struct motor *m, int speed)
{
    if (rt_mutex_take(&m->lock, RT_WAITING_NO) != RT_EOK)
        return -RT_EBUSY;
    m->speed = speed; /* NORACE */
    rt_mutex_release(&m->lock); /* NOUNHELD */
    if (rt_mutex_take(&m->lock, 100) != RT_EOK)
        return -RT_ETIMEOUT;
    if (m->speed > 100)
        return -RT_EINVAL; /* LEAK */
    m->speed++; /* NORACE */
    rt_mutex_release(&m->lock);
    return RT_EOK;
}

/* Two orders. */
void motor_forth(void)
{
    rt_mutex_take(first, RT_WAITING_FOREVER);
    rt_mutex_take(second, RT_WAITING_FOREVER); /* DEADLOCK@orders */
    total++;
    rt_mutex_release(second);
    rt_mutex_release(first);
}

void motor_back(void)
{
    rt_mutex_take(second, RT_WAITING_FOREVER);
    rt_mutex_take(first, RT_WAITING_FOREVER); /* DEADLOCK@orders */
    total--;
    rt_mutex_release(first);
    rt_mutex_release(second);
}

/* The scheduler locked, or interrupts off: no other thread runs. */
void mode_set(int value)
{
    rt_enter_critical();
    mode = value; /* NORACE */
    rt_exit_critical();
}

void mode_next(void)
{
    rt_base_t level = rt_hw_interrupt_disable();

    mode++; /* NORACE */
    rt_hw_interrupt_enable(level);
}

/* Timers end in the clock's handler, those that are soft in a thread. */
static void hard_timeout(void *param)
{
    beats++; /* RACE@beats */
    slips++; /* NORACE */
}

static void soft_timeout(void *param)
{
    struct motor *m = param;

    rt_mutex_take(&m->lock, RT_WAITING_FOREVER); /* NOSLEEP */
    m->target = 0; /* NORACE */
    rt_mutex_release(&m->lock);
}

static void control_entry(void *param)
{
    struct motor *m = param;
    rt_base_t level;

    rt_mutex_take(&m->lock, RT_WAITING_FOREVER);
    m->target++; /* NORACE */
    rt_mutex_release(&m->lock);
    level = rt_hw_interrupt_disable();
    slips = 0; /* NORACE */
    rt_hw_interrupt_enable(level);
    beats -= 2; /* RACE@beats */
    turns++; /* RACE@turns */
}

static void report_entry(void *param)
{
    rt_kprintf("%d\n", logs);
    turns--; /* RACE@turns */
}

static int motor_init(void)
{
    rt_thread_t tid;

    rt_mutex_init(&motor.lock, "motor", RT_IPC_FLAG_PRIO);
    rt_sem_init(&motor.done, "done", 0, RT_IPC_FLAG_FIFO);
    first = rt_mutex_create("first", RT_IPC_FLAG_PRIO);
    second = rt_mutex_create("second", RT_IPC_FLAG_PRIO);
    rt_timer_init(&motor.timer, "beat", hard_timeout, RT_NULL, 10, RT_TIMER_FLAG_PERIODIC);
    rt_timer_create("soft", soft_timeout, &motor, 10, RT_TIMER_FLAG_PERIODIC | RT_TIMER_FLAG_SOFT_TIMER);
    rt_hw_interrupt_install(7, motor_isr, &motor, "motor");
    tid = rt_thread_create("control", control_entry, &motor, 1024, 10, 10);
    rt_thread_startup(tid);
    tid = rt_thread_create("report", report_entry, RT_NULL, 1024, 20, 10);
    rt_thread_startup(tid);
    motor.speed = 0; /* NORACE */
    return 0;
}
INIT_APP_EXPORT(motor_init);
