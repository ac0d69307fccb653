// racerx-verdict: shown
/* A field under its lock nine times, and once not: the tenth is the error. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct card { spinlock_t lock; int pending; int mode; };

void card_queue(struct card *card) { spin_lock(&card->lock); card->pending++; spin_unlock(&card->lock); }
void card_done(struct card *card) { spin_lock(&card->lock); card->pending--; spin_unlock(&card->lock); }
void card_clear(struct card *card) { spin_lock(&card->lock); card->pending = 0; spin_unlock(&card->lock); }
int card_busy(struct card *card) { int busy; spin_lock(&card->lock); busy = card->pending > 0; spin_unlock(&card->lock); return busy; }
int card_idle(struct card *card) { int idle; spin_lock(&card->lock); idle = card->pending == 0; spin_unlock(&card->lock); return idle; }
int card_load(struct card *card) { int load; spin_lock(&card->lock); load = card->pending; spin_unlock(&card->lock); return load; }
void card_limit(struct card *card) { spin_lock(&card->lock); if (card->pending > 64) card->pending = 64; spin_unlock(&card->lock); }
void card_double(struct card *card) { spin_lock(&card->lock); card->pending *= 2; spin_unlock(&card->lock); }
void card_reset_all(struct card *card) { spin_lock(&card->lock); card->mode = 0; /* NORACE */ card->pending = 0; spin_unlock(&card->lock); }

int card_flush(struct card *card)
{
	spin_lock(&card->lock);
	card->mode = 2; /* NORACE */
	spin_unlock(&card->lock);
	card->pending = 0; /* RACE */
	return 0;
}
