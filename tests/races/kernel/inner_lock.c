// racerx-verdict: shown
/* One lock with two names: reached through the record it is in, and through the one around that. */
#include <linux/spinlock.h>
#include <linux/interrupt.h>

struct queue { spinlock_t lock; int depth; };
struct port { int number; struct queue tx; };

static irqreturn_t port_interrupt(int irq, void *dev_id)
{
	struct port *port = dev_id;
	spin_lock(&port->tx.lock);
	port->tx.depth--; /* NORACE */
	spin_unlock(&port->tx.lock);
	return IRQ_HANDLED;
}

static void queue_add(struct queue *queue)
{
	unsigned long flags;
	spin_lock_irqsave(&queue->lock, flags);
	queue->depth++; /* NORACE */
	spin_unlock_irqrestore(&queue->lock, flags);
}

static long port_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct port *port = file->private_data;
	queue_add(&port->tx);
	return 0;
}

static const struct file_operations port_fops = { .unlocked_ioctl = port_ioctl };

int port_setup(struct port *port)
{
	return request_irq(port->number, port_interrupt, 0, "port", port);
}
