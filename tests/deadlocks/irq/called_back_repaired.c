/* Interrupts stay off while the lock is let go for a callback: that targets turn them on says nothing. */
#include <linux/interrupt.h>
#include <linux/spinlock.h>

struct ring;
struct ring_ops { void (*push)(struct ring *ring); };
struct ring { spinlock_t lock, other; const struct ring_ops *ops; int irq, count, sent; };

static void push_a(struct ring *ring) { ring->sent = 1; }
static void push_b(struct ring *ring)
{
	spin_lock_irq(&ring->other);
	ring->sent = 2;
	spin_unlock_irq(&ring->other);
}
static void push_c(struct ring *ring)
{
	spin_lock_irq(&ring->other);
	ring->sent = 3;
	spin_unlock_irq(&ring->other);
}
static void push_d(struct ring *ring)
{
	spin_lock_irq(&ring->other);
	ring->sent = 4;
	spin_unlock_irq(&ring->other);
}
static void push_e(struct ring *ring)
{
	spin_lock_irq(&ring->other);
	ring->sent = 5;
	spin_unlock_irq(&ring->other);
}
static const struct ring_ops all_ops[] = {{push_a}, {push_b}, {push_c}, {push_d}, {push_e}};

static void ring_serve(struct ring *ring)
{
	while (ring->count) {
		ring->count--;
		spin_unlock(&ring->lock);
		ring->ops->push(ring);
		spin_lock(&ring->lock); /* NOIRQ-DEADLOCK */
	}
}

static void ring_tasklet(struct tasklet_struct *tasklet)
{
	struct ring *ring = from_tasklet(ring, tasklet, tasklet);
	unsigned long flags;
	spin_lock_irqsave(&ring->lock, flags);
	ring_serve(ring);
	ring_serve(ring);
	spin_unlock_irqrestore(&ring->lock, flags);
}

static irqreturn_t ring_interrupt(int irq, void *data)
{
	struct ring *ring = data;
	spin_lock(&ring->lock); /* NOIRQ-DEADLOCK */
	ring->count++;
	spin_unlock(&ring->lock);
	tasklet_schedule(&ring->tasklet);
	return IRQ_HANDLED;
}

int ring_count(struct ring *ring)
{
	int count;
	spin_lock_irq(&ring->lock); /* NOIRQ-DEADLOCK */
	count = ring->count;
	spin_unlock_irq(&ring->lock);
	return count;
}

int ring_open(struct ring *ring, int which)
{
	ring->ops = &all_ops[which];
	tasklet_setup(&ring->tasklet, ring_tasklet);
	return request_irq(ring->irq, ring_interrupt, IRQF_SHARED, "ring", ring);
}
