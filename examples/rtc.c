/*
 * rtc.c: a real-time clock driver in the manner of an old kernel, with a deadlock waiting.
 *
 * rtc_register takes rtc_lock, then rtc_task_lock; rtc_unregister takes them the other way
 * round, through rtc_task_clear. Two threads, one in each, can wait for each other for ever.
 * rtc_control does it right: the order of rtc_register, and both locks let go on every way out.
 */
#include <linux/errno.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/spinlock.h>

#define RTC_IS_OPEN 0x01
#define RTC_TIMER_ON 0x02

struct rtc_task {
	void (*func)(void *private_data);
	void *private_data;
};

static DEFINE_SPINLOCK(rtc_lock);
static DEFINE_SPINLOCK(rtc_task_lock);

static unsigned long rtc_status;   /* under rtc_lock */
static unsigned long rtc_irq_data; /* under rtc_lock */
static struct rtc_task *rtc_callback; /* under rtc_task_lock */

static irqreturn_t rtc_interrupt(int irq, void *dev_id)
{
	spin_lock(&rtc_lock);
	rtc_irq_data += 0x100;
	spin_unlock(&rtc_lock);

	spin_lock(&rtc_task_lock);
	if (rtc_callback)
		rtc_callback->func(rtc_callback->private_data);
	spin_unlock(&rtc_task_lock);
	return IRQ_HANDLED;
}

int rtc_register(struct rtc_task *task)
{
	if (task == NULL || task->func == NULL)
		return -EINVAL;
	spin_lock_irq(&rtc_lock);
	if (rtc_status & RTC_IS_OPEN) {
		spin_unlock_irq(&rtc_lock);
		return -EBUSY;
	}
	spin_lock(&rtc_task_lock);
	if (rtc_callback) {
		spin_unlock(&rtc_task_lock);
		spin_unlock_irq(&rtc_lock);
		return -EBUSY;
	}
	rtc_status |= RTC_IS_OPEN;
	rtc_callback = task;
	spin_unlock(&rtc_task_lock);
	spin_unlock_irq(&rtc_lock);
	return 0;
}

/* called with rtc_task_lock held */
static void rtc_task_clear(void)
{
	rtc_callback = NULL;
	spin_lock(&rtc_lock);
	rtc_status &= ~(RTC_IS_OPEN | RTC_TIMER_ON);
	spin_unlock(&rtc_lock);
}

int rtc_unregister(struct rtc_task *task)
{
	spin_lock_irq(&rtc_task_lock);
	if (rtc_callback != task) {
		spin_unlock_irq(&rtc_task_lock);
		return -ENXIO;
	}
	rtc_task_clear();
	spin_unlock_irq(&rtc_task_lock);
	return 0;
}

int rtc_control(struct rtc_task *task, unsigned int on)
{
	int error = 0;

	spin_lock_irq(&rtc_lock);
	spin_lock(&rtc_task_lock);
	if (rtc_callback != task)
		error = -ENXIO;
	else if (on)
		rtc_status |= RTC_TIMER_ON;
	else
		rtc_status &= ~RTC_TIMER_ON;
	spin_unlock(&rtc_task_lock);
	spin_unlock_irq(&rtc_lock);
	return error;
}

static int __init rtc_init(void)
{
	return request_irq(8, rtc_interrupt, 0, "rtc", NULL);
}

static void __exit rtc_exit(void)
{
	free_irq(8, NULL);
}

EXPORT_SYMBOL(rtc_register);
EXPORT_SYMBOL(rtc_unregister);
EXPORT_SYMBOL(rtc_control);
module_init(rtc_init);
module_exit(rtc_exit);
