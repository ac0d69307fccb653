/* A lock that looks at its word before it claims it, pauses meanwhile, and remembers its owner; a callee takes it again. */
#include <pthread.h>
#include <stdatomic.h>

struct guard { atomic_int state; unsigned long owner; };
struct cache { struct guard guard; int hits, misses, slots[16]; };
static struct cache cache;

static void guard_enter(struct guard *guard)
{
	for (;;) {
		while (atomic_load_explicit(&guard->state, memory_order_relaxed))
			__asm__ volatile("pause");
		if (!atomic_exchange_explicit(&guard->state, 1, memory_order_acquire))
			return;
	}
}

static void guard_leave(struct guard *guard)
{
	atomic_store_explicit(&guard->state, 0, memory_order_release);
}

static void cache_reset(struct cache *c)
{
	guard_enter(&c->guard); /* DOUBLE-LOCK */
	for (int i = 0; i < 16; i++)
		c->slots[i] = 0;
	guard_leave(&c->guard);
}

static int cache_find(struct cache *c, int key)
{
	guard_enter(&c->guard);
	int found = c->slots[key & 15] == key;
	c->hits += found;
	c->misses += !found;
	if (c->misses > 1000)
		cache_reset(c);
	guard_leave(&c->guard);
	return found;
}

static void *reader(void *argument)
{
	for (int i = 0; i < 100; i++)
		cache_find(&cache, i);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, reader, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
