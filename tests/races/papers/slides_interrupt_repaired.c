/* slides_interrupt.c with the lock and interrupts off; on one CPU cli alone would do. */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(rtc_lock);
static unsigned long rtc_irq_data;

static irqreturn_t rtc_interrupt(int irq, void *dev_id)
{
	spin_lock(&rtc_lock);
	rtc_irq_data += 0x100; /* NORACE */
	spin_unlock(&rtc_lock);
	return IRQ_HANDLED;
}

static long rtc_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long flags;
	spin_lock_irqsave(&rtc_lock, flags);
	rtc_irq_data = 0; /* NORACE */
	spin_unlock_irqrestore(&rtc_lock, flags);
	return 0;
}

static const struct file_operations rtc_fops = { .unlocked_ioctl = rtc_ioctl };

int rtc_setup(void)
{
	return request_irq(8, rtc_interrupt, 0, "rtc", NULL);
}
