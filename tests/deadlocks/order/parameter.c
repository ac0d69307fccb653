/* A lock handed down as a parameter through two calls is still struct card_private.lock. */
#include <linux/spinlock.h>

struct card_private { spinlock_t lock; int volume; };
struct card { struct card_private *priv; int number; };
static DEFINE_SPINLOCK(cards_lock);
static int cards;

static void take(spinlock_t *lock)
{
	spin_lock(lock);
}
static void take_slowly(spinlock_t *lock, int tries)
{
	if (tries > 0)
		take(lock); /* DEADLOCK@a */
	else
		take(lock);
}
static void give(spinlock_t *lock) { spin_unlock(lock); }

void card_add(struct card *d)
{
	take(&cards_lock);
	take_slowly(&d->priv->lock, 3);
	d->number = cards++;
	give(&d->priv->lock);
	give(&cards_lock);
}

void card_remove(struct card *d)
{
	take_slowly(&d->priv->lock, 1);
	d->priv->volume = 0;
	take(&cards_lock); /* DEADLOCK@a */
	cards--;
	give(&cards_lock);
	give(&d->priv->lock);
}
