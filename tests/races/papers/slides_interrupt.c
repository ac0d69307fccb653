// racerx-verdict: shown
/* Data shared with an interrupt handler: the ioctl keeps interrupts on. The count beside it is right. */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(rtc_lock);
static unsigned long rtc_irq_data;
static unsigned long rtc_ticks;

static irqreturn_t rtc_interrupt(int irq, void *dev_id)
{
	spin_lock(&rtc_lock);
	rtc_irq_data += 0x100; /* RACE */
	rtc_ticks++; /* NORACE */
	spin_unlock(&rtc_lock);
	return IRQ_HANDLED;
}

static long rtc_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	rtc_irq_data = 0; /* RACE */
	spin_lock_irq(&rtc_lock);
	rtc_ticks = arg; /* NORACE */
	spin_unlock_irq(&rtc_lock);
	return 0;
}

static const struct file_operations rtc_fops = { .unlocked_ioctl = rtc_ioctl };

int rtc_setup(void)
{
	return request_irq(8, rtc_interrupt, 0, "rtc", NULL);
}
