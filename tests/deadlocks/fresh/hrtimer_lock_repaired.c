#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct pulse {
	struct hrtimer timer;
	raw_spinlock_t lock;
	int level, edges;
};

static enum hrtimer_restart pulse_fn(struct hrtimer *t)
{
	struct pulse *p = container_of(t, struct pulse, timer);

	raw_spin_lock(&p->lock);
	p->level = !p->level;
	p->edges++;
	raw_spin_unlock(&p->lock);
	return HRTIMER_RESTART;
}

int pulse_edges(struct pulse *p)
{
	int e;
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	e = p->edges;
	raw_spin_unlock_irqrestore(&p->lock, flags);
	return e;
}
EXPORT_SYMBOL(pulse_edges);

void pulse_init(struct pulse *p)
{
	raw_spin_lock_init(&p->lock);
	hrtimer_init(&p->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	p->timer.function = pulse_fn;
	hrtimer_start(&p->timer, ms_to_ktime(1), HRTIMER_MODE_REL);
}
EXPORT_SYMBOL(pulse_init);
