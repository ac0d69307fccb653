#include <rtthread.h>
#include <rthw.h>

struct pwm_dev
{
    struct rt_device parent;
    rt_mutex_t lock;
    rt_uint32_t duty;
    rt_uint32_t applied;
};

static void pwm_commit(struct pwm_dev *p)
{
    rt_mutex_take(p->lock, RT_WAITING_FOREVER);
    p->applied = p->duty;
    rt_mutex_release(p->lock);
}

rt_err_t pwm_set(struct pwm_dev *p, rt_uint32_t duty)
{
    rt_base_t level;

    if (duty > 100)
        return -RT_EINVAL;
    level = rt_hw_interrupt_disable();
    p->duty = duty;
    rt_hw_interrupt_enable(level);
    pwm_commit(p);
    return RT_EOK;
}

rt_err_t pwm_open(struct pwm_dev *p)
{
    p->lock = rt_mutex_create("pwm", RT_IPC_FLAG_PRIO);
    pwm_commit(p);
    return p->lock ? RT_EOK : -RT_ENOMEM;
}
