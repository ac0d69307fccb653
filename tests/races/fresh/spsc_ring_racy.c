#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define SLOTS 64

struct spsc {
	volatile uint32_t head;
	volatile uint32_t tail;
	uint64_t slot[SLOTS];
};

static struct spsc q;

static int spsc_push(struct spsc *s, uint64_t v)
{
	uint32_t h = s->head;
	uint32_t t = s->tail; // RACE!

	if (h - t == SLOTS)
		return 0;
	s->slot[h % SLOTS] = v; // RACE!
	s->head = h + 1; // RACE!
	return 1;
}

static int spsc_pop(struct spsc *s, uint64_t *v)
{
	uint32_t t = s->tail;
	uint32_t h = s->head;

	if (h == t)
		return 0;
	*v = s->slot[t % SLOTS];
	s->tail = t + 1;
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
