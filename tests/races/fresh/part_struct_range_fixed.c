#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct part {
	int begin;
	int end;
	long found;
} part;

static unsigned char *sieve;
static int limit = 100000;

static void *strike(void *p)
{
	part *me = p;
	int i;

	for (i = me->begin; i < me->end; i++) {
		int d, prime = i > 1;
		for (d = 2; d * d <= i; d++)
			if (i % d == 0) {
				prime = 0;
				break;
			}
		sieve[i] = prime; // NORACE
		me->found += prime; // NORACE
	}
	return NULL;
}

int main(void)
{
	enum { PARTS = 5 };
	part parts[PARTS];
	pthread_t tid[PARTS];
	long sum = 0;
	int k, each = limit / PARTS;

	sieve = malloc(limit);
	for (k = 0; k < PARTS; k++) {
		parts[k].begin = k * each;
		parts[k].end = (k + 1) * each;
		parts[k].found = 0;
		pthread_create(&tid[k], NULL, strike, &parts[k]);
	}
	for (k = 0; k < PARTS; k++) {
		pthread_join(tid[k], NULL);
		sum += parts[k].found;
	}
	printf("%ld %d\n", sum, sieve[97]);
	return 0;
}
