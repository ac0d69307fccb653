/* A handler takes a lock that somebody hands out, a thread another such: nothing says that they are one. A named lock is one. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct nic { spinlock_t lock; int packets; };
struct page_table;

spinlock_t *queue_lock(void *queue);
spinlock_t *table_lock(struct page_table *table);

static irqreturn_t nic_interrupt(int irq, void *data)
{
	struct nic *nic = data;
	spinlock_t *lock = queue_lock(data);

	spin_lock(lock); /* NOIRQ-DEADLOCK */
	spin_unlock(lock);
	spin_lock(&nic->lock);
	nic->packets++;
	spin_unlock(&nic->lock);
	return IRQ_HANDLED;
}

long sys_map(struct page_table *table, struct nic *nic)
{
	spinlock_t *lock = table_lock(table);

	spin_lock(lock); /* NOIRQ-DEADLOCK */
	spin_unlock(lock);
	spin_lock(&nic->lock); /* IRQ-DEADLOCK */
	nic->packets = 0;
	spin_unlock(&nic->lock);
	return 0;
}

int nic_open(int irq, struct nic *nic)
{
	return request_irq(irq, nic_interrupt, 0, "nic", nic);
}
