// racerx-verdict: shown
/* guard() holds until the end of its scope; the access behind the scope is outside. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct pool { struct mutex mutex; int blocks; int waits; };

int pool_take(struct pool *p)
{
	guard(mutex)(&p->mutex);
	if (p->blocks == 0)
		return -EBUSY;
	p->waits++; /* NORACE */
	p->blocks--;
	return 0;
}

void pool_trim(struct pool *p)
{
	{
		guard(mutex)(&p->mutex);
		p->waits = 0; /* NORACE */
	}
	p->blocks = 0; /* RACE */
}

void pool_give(struct pool *p) { guard(mutex)(&p->mutex); p->blocks++; }
void pool_fill(struct pool *p) { guard(mutex)(&p->mutex); p->blocks = 64; }
void pool_half(struct pool *p) { mutex_lock(&p->mutex); p->blocks /= 2; mutex_unlock(&p->mutex); }
int pool_blocks(struct pool *p) { guard(mutex)(&p->mutex); return p->blocks; }
int pool_low(struct pool *p) { guard(mutex)(&p->mutex); return p->blocks < 8; }
void pool_add(struct pool *p, int n) { mutex_lock(&p->mutex); p->blocks += n; mutex_unlock(&p->mutex); }
void pool_set(struct pool *p, int n) { mutex_lock(&p->mutex); p->blocks = n; mutex_unlock(&p->mutex); }
