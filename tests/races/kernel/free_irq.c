/* When the handler is gone and the device unregistered, the last function may touch everything. */
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct dock { spinlock_t lock; int irq; int docked; int events; };

static irqreturn_t dock_interrupt(int irq, void *dev_id)
{
	struct dock *dock = dev_id;
	spin_lock(&dock->lock);
	dock->events++; /* TODO NORACE: that free_irq waits for the handler is an order in time */
	spin_unlock(&dock->lock);
	return IRQ_HANDLED;
}

struct dock *dock_create(int irq)
{
	struct dock *dock = kzalloc(sizeof(*dock), GFP_KERNEL);
	if (!dock)
		return NULL;
	spin_lock_init(&dock->lock);
	dock->irq = irq; /* NORACE */
	dock->events = 0; /* NORACE */
	if (request_irq(irq, dock_interrupt, 0, "dock", dock)) {
		kfree(dock);
		return NULL;
	}
	return dock;
}

void dock_destroy(struct dock *dock)
{
	free_irq(dock->irq, dock); /* NORACE */
	dock->events = 0; /* TODO NORACE: that free_irq waits for the handler is an order in time */
	kfree(dock);
}
