// racerx-verdict: shown
/* A reader of RCU who writes: the read-side lock keeps nobody out. */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct flow { spinlock_t lock; u64 bytes; int mark; };
static struct flow __rcu *flow;

void flow_count(int length)
{
	struct flow *seen;
	rcu_read_lock();
	seen = rcu_dereference(flow); /* NORACE */
	if (seen)
		seen->bytes += length; /* RACE */
	rcu_read_unlock();
}

void flow_add(struct flow *f, int n) { spin_lock(&f->lock); f->bytes += n; spin_unlock(&f->lock); }
void flow_take(struct flow *f, int n) { spin_lock(&f->lock); f->bytes -= n; spin_unlock(&f->lock); }
void flow_zero(struct flow *f) { spin_lock(&f->lock); f->bytes = 0; spin_unlock(&f->lock); }
void flow_half(struct flow *f) { spin_lock(&f->lock); f->bytes /= 2; spin_unlock(&f->lock); }
u64 flow_bytes(struct flow *f) { u64 n; spin_lock(&f->lock); n = f->bytes; spin_unlock(&f->lock); return n; }
int flow_quiet(struct flow *f) { int is; spin_lock(&f->lock); is = !f->bytes; spin_unlock(&f->lock); return is; }
int flow_large(struct flow *f) { int is; spin_lock(&f->lock); is = f->bytes > 4096; spin_unlock(&f->lock); return is; }
void flow_copy(struct flow *f, struct flow *g) { u64 n; spin_lock(&g->lock); n = g->bytes; spin_unlock(&g->lock); spin_lock(&f->lock); f->bytes = n; spin_unlock(&f->lock); }
