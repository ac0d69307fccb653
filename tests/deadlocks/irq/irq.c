/* The handler takes the lock that process context takes with interrupts on: on one CPU that is the end. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct nic { spinlock_t lock; int irq, packets, errors; };

static irqreturn_t nic_interrupt(int irq, void *data)
{
	struct nic *nic = data;
	spin_lock(&nic->lock); /* IRQ-DEADLOCK@a */
	nic->packets++;
	spin_unlock(&nic->lock);
	return IRQ_HANDLED;
}

int nic_stats(struct nic *nic)
{
	int packets;
	spin_lock(&nic->lock); /* IRQ-DEADLOCK@a */
	packets = nic->packets;
	spin_unlock(&nic->lock);
	return packets;
}

int nic_open(struct nic *nic)
{
	spin_lock_init(&nic->lock);
	return request_irq(nic->irq, nic_interrupt, IRQF_SHARED, "nic", nic);
}
