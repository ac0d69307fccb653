/* atomic_t and its relatives need no lock, also where some hold one. */
#include <linux/atomic.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct cache { spinlock_t lock; atomic_t hits; atomic64_t bytes; refcount_t users; int entries; };

void cache_hit(struct cache *c) { atomic_inc(&c->hits); /* NORACE */ atomic64_add(64, &c->bytes); /* NORACE */ }
void cache_get(struct cache *c) { refcount_inc(&c->users); /* NORACE */ }
int cache_hits(struct cache *c) { return atomic_read(&c->hits); /* NORACE */ }

void cache_put(struct cache *c)
{
	if (refcount_dec_and_test(&c->users)) /* NORACE */
		kfree(c);
}

void cache_clear(struct cache *c)
{
	spin_lock(&c->lock);
	atomic_set(&c->hits, 0); /* NORACE */
	atomic64_set(&c->bytes, 0); /* NORACE */
	c->entries = 0; /* NORACE */
	spin_unlock(&c->lock);
}

void cache_add(struct cache *c)
{
	spin_lock(&c->lock);
	c->entries++; /* NORACE */
	atomic_inc(&c->hits); /* NORACE */
	spin_unlock(&c->lock);
}
