// racerx-verdict: shown
/* A helper is one place, but each of its callers decides whether to hold the lock. All do but one: the mistake is its
 * call. */
#include <linux/spinlock.h>

struct gauge { spinlock_t lock; int level; int peak; };

static void gauge_put(struct gauge *gauge, int level)
{
	gauge->level = level; /* RACE@a */
}

void gauge_raise(struct gauge *gauge)
{
	spin_lock(&gauge->lock);
	gauge_put(gauge, 9);
	spin_unlock(&gauge->lock);
}

void gauge_lower(struct gauge *gauge)
{
	spin_lock(&gauge->lock);
	gauge_put(gauge, 1);
	spin_unlock(&gauge->lock);
}

void gauge_halve(struct gauge *gauge, int level)
{
	spin_lock(&gauge->lock);
	gauge_put(gauge, level / 2);
	spin_unlock(&gauge->lock);
}

void gauge_double(struct gauge *gauge, int level)
{
	spin_lock(&gauge->lock);
	gauge_put(gauge, level * 2);
	spin_unlock(&gauge->lock);
}

void gauge_reset(struct gauge *gauge)
{
	gauge_put(gauge, 0); /* RACE@a */
}
