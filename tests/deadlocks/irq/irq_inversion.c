/*
 * The handler takes `lock`; nic_send takes `lock`, then `queue_lock`, with interrupts off; nic_list holds
 * `queue_lock` with interrupts on. A handler that interrupts nic_list waits for nic_send, which waits for nic_list.
 */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct nic { spinlock_t lock; spinlock_t queue_lock; int irq, packets, queued; };

static irqreturn_t nic_interrupt(int irq, void *data)
{
	struct nic *nic = data;
	spin_lock(&nic->lock);
	nic->packets++;
	spin_unlock(&nic->lock);
	return IRQ_HANDLED;
}

void nic_send(struct nic *nic)
{
	spin_lock_irq(&nic->lock);
	spin_lock(&nic->queue_lock);
	nic->queued++;
	spin_unlock(&nic->queue_lock);
	spin_unlock_irq(&nic->lock);
}

int nic_list(struct nic *nic)
{
	int queued;
	spin_lock(&nic->queue_lock); /* TODO DEADLOCK: a handler that interrupts a holder makes no edge yet */
	queued = nic->queued;
	spin_unlock(&nic->queue_lock);
	return queued;
}

int nic_open(struct nic *nic)
{
	return request_irq(nic->irq, nic_interrupt, 0, "nic", nic);
}
