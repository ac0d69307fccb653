#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define SLOTS 64

struct spsc {
	_Atomic uint32_t head;
	_Atomic uint32_t tail;
	uint64_t slot[SLOTS];
};

static struct spsc q;

static int spsc_push(struct spsc *s, uint64_t v)
{
	uint32_t h = atomic_load_explicit(&s->head, memory_order_relaxed);
	uint32_t t = atomic_load_explicit(&s->tail, memory_order_acquire);

	if (h - t == SLOTS)
		return 0;
	s->slot[h % SLOTS] = v; // TODO NORACE: two atomic indices that keep reader and writer apart
	atomic_store_explicit(&s->head, h + 1, memory_order_release);
	return 1;
}

static int spsc_pop(struct spsc *s, uint64_t *v)
{
	uint32_t t = atomic_load_explicit(&s->tail, memory_order_relaxed);
	uint32_t h = atomic_load_explicit(&s->head, memory_order_acquire);

	if (h == t)
		return 0;
	*v = s->slot[t % SLOTS];
	atomic_store_explicit(&s->tail, t + 1, memory_order_release);
	return 1;
}

static void *produce(void *a)
{
	uint64_t i;
	for (i = 1; i <= 1000; i++)
		while (!spsc_push(&q, i))
			sched_yield();
	return a;
}

static void *consume(void *a)
{
	uint64_t v, sum = 0;
	int n = 0;
	while (n < 1000) {
		if (spsc_pop(&q, &v)) {
			sum += v;
			n++;
		} else
			sched_yield();
	}
	printf("%llu\n", (unsigned long long)sum);
	return a;
}

int main(void)
{
	pthread_t p, c;
	pthread_create(&p, NULL, produce, NULL);
	pthread_create(&c, NULL, consume, NULL);
	pthread_join(p, NULL);
	pthread_join(c, NULL);
	return 0;
}
