/* An inner spin_unlock_irq turns interrupts on while the outer lock, which the handler takes, is still held. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct nic { spinlock_t lock; spinlock_t ring_lock; int irq, packets, head; };

static irqreturn_t nic_interrupt(int irq, void *data)
{
	struct nic *nic = data;
	spin_lock(&nic->lock);
	nic->packets++;
	spin_unlock(&nic->lock);
	return IRQ_HANDLED;
}

void nic_flush(struct nic *nic)
{
	unsigned long flags;
	spin_lock_irqsave(&nic->lock, flags);
	spin_lock_irq(&nic->ring_lock);
	nic->head = 0;
	spin_unlock_irq(&nic->ring_lock); /* TODO IRQ-DEADLOCK: interrupts are looked at where a lock is taken only */
	nic->packets = 0;
	spin_unlock_irqrestore(&nic->lock, flags);
}

int nic_open(struct nic *nic)
{
	return request_irq(nic->irq, nic_interrupt, 0, "nic", nic);
}
