/* irq_unlocked.c with a lock that keeps interrupts out. */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct modem { spinlock_t lock; int irq; int line_status; };

static irqreturn_t modem_interrupt(int irq, void *dev_id)
{
	struct modem *modem = dev_id;
	spin_lock(&modem->lock);
	modem->line_status |= 1; /* NORACE */
	spin_unlock(&modem->lock);
	return IRQ_HANDLED;
}

static long modem_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct modem *modem = file->private_data;
	spin_lock_irq(&modem->lock);
	modem->line_status &= ~1; /* NORACE */
	spin_unlock_irq(&modem->lock);
	return 0;
}

static const struct file_operations modem_fops = { .unlocked_ioctl = modem_ioctl };

int modem_probe(int irq)
{
	struct modem *modem = kzalloc(sizeof(*modem), GFP_KERNEL);
	if (!modem)
		return -ENOMEM;
	spin_lock_init(&modem->lock);
	modem->irq = irq; /* NORACE */
	return request_irq(irq, modem_interrupt, 0, "modem", modem);
}
