/* Locked only when asked to, and asked the same again before the unlock; who does not ask holds the lock already. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct table { struct mutex mutex; int rows; };

static void table_add(struct table *t, int locked)
{
	if (!locked)
		mutex_lock(&t->mutex); /* NODOUBLE-LOCK */
	t->rows++; /* NORACE */
	if (!locked)
		mutex_unlock(&t->mutex);
}

void table_insert(struct table *t) { table_add(t, 0); }

void table_insert_two(struct table *t)
{
	mutex_lock(&t->mutex);
	table_add(t, 1);
	table_add(t, 1);
	t->rows--; /* NORACE */
	mutex_unlock(&t->mutex);
}

void table_clear(struct table *t) { mutex_lock(&t->mutex); t->rows = 0; /* NORACE */ mutex_unlock(&t->mutex); }
