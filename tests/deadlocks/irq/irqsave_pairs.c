/* Flags that are saved and restored, nested and in callees: nothing stays off, nothing sleeps under them. */
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct ring { spinlock_t lock; int head, tail; };
static DEFINE_SPINLOCK(rings_lock);
static DEFINE_MUTEX(setup_lock);
static int rings;

static int ring_take(struct ring *ring)
{
	unsigned long flags;
	int value;
	spin_lock_irqsave(&ring->lock, flags);
	value = ring->head;
	if (value == ring->tail) {
		spin_unlock_irqrestore(&ring->lock, flags);
		return -1;
	}
	ring->head++;
	spin_unlock_irqrestore(&ring->lock, flags);
	return value;
}

void ring_add(struct ring *ring)
{
	unsigned long flags, inner;
	spin_lock_irqsave(&rings_lock, flags);
	spin_lock_irqsave(&ring->lock, inner); /* NODEADLOCK */
	rings++;
	ring->head = ring->tail = 0;
	spin_unlock_irqrestore(&ring->lock, inner);
	spin_unlock_irqrestore(&rings_lock, flags);
	ring_take(ring);
	mutex_lock(&setup_lock); /* NOSLEEP */
	rings--;
	mutex_unlock(&setup_lock);
}

void ring_setup(struct ring *ring)
{
	unsigned long flags;
	local_irq_save(flags);
	ring_take(ring);
	local_irq_restore(flags);
	mutex_lock(&setup_lock); /* NOSLEEP */
	rings = 0;
	mutex_unlock(&setup_lock);
}
