/* belief_field.c with the tenth inside. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct card { spinlock_t lock; int pending; int mode; };

void card_queue(struct card *card) { spin_lock(&card->lock); card->pending++; /* NORACE */ spin_unlock(&card->lock); }
void card_done(struct card *card) { spin_lock(&card->lock); card->pending--; /* NORACE */ spin_unlock(&card->lock); }
void card_clear(struct card *card) { spin_lock(&card->lock); card->pending = 0; /* NORACE */ spin_unlock(&card->lock); }
int card_busy(struct card *card) { int busy; spin_lock(&card->lock); busy = card->pending > 0; /* NORACE */ spin_unlock(&card->lock); return busy; }

int card_flush(struct card *card)
{
	spin_lock(&card->lock);
	card->mode = 2; /* NORACE */
	card->pending = 0; /* NORACE */
	spin_unlock(&card->lock);
	return 0;
}
