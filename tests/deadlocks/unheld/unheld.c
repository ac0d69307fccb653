/* Unlocks of what is not held on any way that leads there. */
#include <linux/spinlock.h>

struct cell { spinlock_t lock; spinlock_t row_lock; int value; };

int cell_set(struct cell *cell, int value)
{
	spin_lock(&cell->lock);
	if (value < 0) {
		spin_unlock(&cell->lock);
		goto bad;
	}
	cell->value = value;
	spin_unlock(&cell->lock); /* NOUNHELD */
	return 0;
bad:
	spin_unlock(&cell->lock); /* UNHELD */
	return -EINVAL;
}

void cell_clear(struct cell *cell)
{
	spin_lock(&cell->lock);
	cell->value = 0;
	spin_unlock(&cell->lock);
	spin_lock(&cell->row_lock);
	cell->value++;
	spin_unlock(&cell->row_lock);
	spin_unlock(&cell->row_lock); /* UNHELD */
}
