/* rtc.c with one order of the locks everywhere, and the handler that takes them one after the other. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct rtc_task { void (*func)(void *data); void *data; };

static DEFINE_SPINLOCK(rtc_lock);
static DEFINE_SPINLOCK(rtc_task_lock);
static struct rtc_task *rtc_callback;
static unsigned long rtc_status, rtc_irq_data;

static irqreturn_t rtc_interrupt(int irq, void *dev_id)
{
	spin_lock(&rtc_lock);
	rtc_irq_data += 0x100;
	spin_unlock(&rtc_lock);
	spin_lock(&rtc_task_lock);
	if (rtc_callback)
		rtc_callback->func(rtc_callback->data);
	spin_unlock(&rtc_task_lock);
	return IRQ_HANDLED;
}

int rtc_register(struct rtc_task *task)
{
	spin_lock_irq(&rtc_lock);
	spin_lock(&rtc_task_lock); /* NODEADLOCK */
	if (rtc_callback) {
		spin_unlock(&rtc_task_lock);
		spin_unlock_irq(&rtc_lock);
		return -EBUSY;
	}
	rtc_status |= 1;
	rtc_callback = task;
	spin_unlock(&rtc_task_lock);
	spin_unlock_irq(&rtc_lock);
	return 0;
}

int rtc_unregister(struct rtc_task *task)
{
	spin_lock_irq(&rtc_lock);
	spin_lock(&rtc_task_lock); /* NODEADLOCK */
	if (rtc_callback == task) {
		rtc_callback = NULL;
		rtc_status &= ~1ul;
	}
	spin_unlock(&rtc_task_lock);
	spin_unlock_irq(&rtc_lock);
	return 0;
}

static int __init rtc_init(void)
{
	return request_irq(8, rtc_interrupt, 0, "rtc", NULL);
}
module_init(rtc_init);
