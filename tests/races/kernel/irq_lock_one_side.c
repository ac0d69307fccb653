// racerx-verdict: shown
/* The handler takes the lock; the reader of the ring does not. */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(ring_lock);
static unsigned int ring_head, ring_tail, ring_overruns;

static irqreturn_t ring_interrupt(int irq, void *dev_id)
{
	spin_lock(&ring_lock);
	if (ring_head - ring_tail < 64) /* NORACE */
		ring_head++; /* NORACE */
	else
		ring_overruns++; /* RACE */
	spin_unlock(&ring_lock);
	return IRQ_HANDLED;
}

static ssize_t ring_read(struct file *file, char __user *buffer, size_t size, loff_t *offset)
{
	unsigned long flags;
	spin_lock_irqsave(&ring_lock, flags);
	if (ring_tail != ring_head) /* NORACE */
		ring_tail++; /* NORACE */
	spin_unlock_irqrestore(&ring_lock, flags);
	ring_overruns = 0; /* RACE */
	return 0;
}

static const struct file_operations ring_fops = { .read = ring_read };

int ring_setup(void)
{
	return request_irq(5, ring_interrupt, 0, "ring", NULL);
}
