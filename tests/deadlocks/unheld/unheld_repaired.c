/* unheld.c repaired; and an unlock in a function whose callers, not in sight, hold the lock. */
#include <linux/spinlock.h>

struct cell { spinlock_t lock; int value; };

int cell_set(struct cell *cell, int value)
{
	int error = -EINVAL;
	spin_lock(&cell->lock);
	if (value < 0)
		goto bad;
	cell->value = value;
	error = 0;
bad:
	spin_unlock(&cell->lock); /* NOUNHELD */
	return error;
}

void cell_put(struct cell *cell)
{
	lockdep_assert_held(&cell->lock);
	cell->value--;
	spin_unlock(&cell->lock); /* NOUNHELD */
}

/* Called with the lock held; lets it go for a while. */
void cell_pause(struct cell *cell)
{
	spin_unlock(&cell->lock); /* NOUNHELD */
	cpu_relax();
	spin_lock(&cell->lock);
} /* NOLEAK */
