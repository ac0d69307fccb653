// racerx-verdict: shown
/* Reading one bit of a word while another bit of it is written: the reader sees its own bit right. */
#include <linux/slab.h>
#include <linux/spinlock.h>

#define LINK_UP 1
#define LINK_TEST 2
struct link { spinlock_t lock; unsigned int flags; };

void link_test(struct link *l) { spin_lock(&l->lock); l->flags |= LINK_TEST; /* NORACE */ spin_unlock(&l->lock); }
void link_untest(struct link *l) { spin_lock(&l->lock); l->flags &= ~LINK_TEST; /* NORACE */ spin_unlock(&l->lock); }

int link_is_up(struct link *l)
{
	int up = l->flags & LINK_UP; /* NORACE */
	spin_lock(&l->lock);
	up += !!(l->flags & LINK_TEST); /* NORACE */
	spin_unlock(&l->lock);
	return up;
}
