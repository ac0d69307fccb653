/* All ways to keep the handler out while its lock is held; and a lock that the handler does not take. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct nic { spinlock_t lock; spinlock_t names_lock; int irq, packets, name; };

static irqreturn_t nic_interrupt(int irq, void *data)
{
	struct nic *nic = data;
	spin_lock(&nic->lock); /* NOIRQ-DEADLOCK */
	nic->packets++;
	spin_unlock(&nic->lock);
	return IRQ_HANDLED;
}

static void nic_clear_locked(struct nic *nic)
{
	spin_lock(&nic->lock); /* NOIRQ-DEADLOCK */
	nic->packets = 0;
	spin_unlock(&nic->lock);
}

int nic_stats(struct nic *nic)
{
	unsigned long flags;
	int packets;
	spin_lock_irqsave(&nic->lock, flags);
	packets = nic->packets;
	spin_unlock_irqrestore(&nic->lock, flags);
	return packets;
}

void nic_reset(struct nic *nic)
{
	spin_lock_irq(&nic->lock);
	nic->packets = 0;
	spin_unlock_irq(&nic->lock);
	local_irq_disable();
	nic_clear_locked(nic);
	local_irq_enable();
}

void nic_rename(struct nic *nic, int name)
{
	spin_lock(&nic->names_lock); /* NOIRQ-DEADLOCK */
	nic->name = name;
	spin_unlock(&nic->names_lock);
}

int nic_open(struct nic *nic)
{
	return request_irq(nic->irq, nic_interrupt, IRQF_SHARED, "nic", nic);
}
