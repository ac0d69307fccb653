#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define WORKERS 3

static atomic_int remaining = WORKERS;
static long product[WORKERS];

static void report(void)
{
	long all = 0;
	for (int i = 0; i < WORKERS; i++)
		all += product[i];
	printf("all: %ld\n", all);
}

static void *worker(void *arg)
{
	long id = (long)arg;
	long p = 1;
	for (int i = 2; i < 15; i++)
		p = (p * (i + id)) % 99991;
	product[id] = p; // NORACE
	if (atomic_fetch_sub(&remaining, 1) == 1)
		report();
	return NULL;
}

int main(void)
{
	pthread_t t[WORKERS];
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
