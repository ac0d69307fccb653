#include <pthread.h>
#include <stdio.h>

static __thread unsigned rng_state;

static void rng_seed(unsigned s)
{
	rng_state = s ? s : 1; // NORACE
}

static unsigned rng_next(void)
{
	unsigned x = rng_state;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	rng_state = x;
	return x;
}

struct sim {
	unsigned seed;
	int walks;
	long result;
};

static void *walk(void *p)
{
	struct sim *s = p;
	long pos = 0;
	int i;

	rng_seed(s->seed);
	for (i = 0; i < s->walks; i++)
		pos += (rng_next() & 1) ? 1 : -1;
	s->result = pos;
	return s;
}

int main(void)
{
	struct sim sims[5] = {
		{ 11, 100, 0 }, { 22, 200, 0 }, { 33, 300, 0 }, { 44, 400, 0 }, { 55, 500, 0 },
	};
	pthread_t tid[5];
	unsigned n = sizeof sims / sizeof sims[0], i;

	for (i = 0; i < n; i++)
		if (pthread_create(&tid[i], NULL, walk, &sims[i]))
			return 1;
	for (i = 0; i < n; i++) {
		void *r;
		pthread_join(tid[i], &r);
		printf("%ld\n", ((struct sim *)r)->result);
	}
	return 0;
}
