/* The length is read under the lock, and what is left of it written back later. */
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/interrupt.h>
#include <linux/fs.h>

struct fifo { spinlock_t lock; unsigned length; char data[256]; };
static struct fifo fifo;

static irqreturn_t fifo_interrupt(int irq, void *unused)
{
	spin_lock(&fifo.lock);
	if (fifo.length < sizeof fifo.data)
		fifo.data[fifo.length++] = 1;
	spin_unlock(&fifo.lock);
	return IRQ_HANDLED;
}

static ssize_t fifo_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	unsigned long flags;
	unsigned length;

	spin_lock_irqsave(&fifo.lock, flags);
	length = fifo.length;
	spin_unlock_irqrestore(&fifo.lock, flags);
	if (size > length)
		size = length;
	if (copy_to_user(to, fifo.data, size))
		return -EFAULT;
	spin_lock_irqsave(&fifo.lock, flags);
	fifo.length = length - size; /* STALE-COPY */
	spin_unlock_irqrestore(&fifo.lock, flags);
	return size;
}

static const struct file_operations fifo_operations = { .read = fifo_read };

int fifo_init(void)
{
	spin_lock_init(&fifo.lock);
	register_chrdev(240, "fifo", &fifo_operations);
	return request_irq(9, fifo_interrupt, 0, "fifo", &fifo);
}
