#include <pthread.h>
#include <sched.h>
#include <stdio.h>

typedef volatile int spin_t;

static void spin_acquire(spin_t *l)
{
	while (__sync_lock_test_and_set(l, 1))
		while (*l)
			sched_yield();
}

static void spin_release(spin_t *l)
{
	__sync_lock_release(l);
}

struct histogram {
	spin_t lk;
	unsigned bins[10];
	unsigned total;
};

static struct histogram H;

extern int sample(void);

static void hist_add(struct histogram *h, int v)
{
	spin_acquire(&h->lk);
	h->bins[v % 10]++;
	h->total++;
	spin_release(&h->lk);
}

static void hist_halve(struct histogram *h)
{
	int i;
	for (i = 0; i < 10; i++)
		h->bins[i] /= 2; // RACE!
}

static void *sampler(void *x)
{
	int i;
	for (i = 0; i < 400; i++)
		hist_add(&H, sample() & 0x7fff);
	return x;
}

static void *decayer(void *x)
{
	int i;
	for (i = 0; i < 20; i++)
		hist_halve(&H);
	return x;
}

int main(void)
{
	pthread_t s1, s2, d;
	pthread_create(&s1, 0, sampler, 0);
	pthread_create(&s2, 0, sampler, 0);
	pthread_create(&d, 0, decayer, 0);
	pthread_join(s1, 0);
	pthread_join(s2, 0);
	pthread_join(d, 0);
	printf("%u\n", H.total);
	return 0;
}
