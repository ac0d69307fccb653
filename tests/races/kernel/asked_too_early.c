// racerx-verdict: shown
/* Whether there is room is asked before the lock is taken, and not again: two may find the last place. */
#include <linux/spinlock.h>

struct tray { spinlock_t lock; int used; int size; void *slots[8]; };

int tray_put(struct tray *tray, void *item)
{
	if (tray->used == tray->size) /* RACE */
		return -1;
	spin_lock(&tray->lock);
	tray->slots[tray->used] = item;
	tray->used++;
	spin_unlock(&tray->lock);
	return 0;
}

void *tray_take(struct tray *tray)
{
	void *item = 0;
	spin_lock(&tray->lock);
	if (tray->used > 0)
		item = tray->slots[--tray->used];
	spin_unlock(&tray->lock);
	return item;
}

void tray_empty(struct tray *tray)
{
	spin_lock(&tray->lock);
	tray->used = 0;
	spin_unlock(&tray->lock);
}
