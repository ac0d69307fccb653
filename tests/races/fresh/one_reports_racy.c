#include <pthread.h>
#include <stdio.h>

/* Workers by number: all but the first one say how far they are, and each keeps the clock. */
#define WORKERS 4

static long reports, last_done, ticks;
static long done[WORKERS];

static void *work(void *given)
{
	long number = (long)given;

	for (long i = 0; i < 100000; i++) {
		done[number] = i; // NORACE
		if (number && i % 1000 == 0) {
			reports++; // RACE!
			last_done = i; // RACE
		}
		if (number == WORKERS)
			continue;
		ticks++; // RACE!
	}
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];

	for (long n = 0; n < WORKERS; n++)
		pthread_create(&workers[n], NULL, work, (void *)n);
	for (int n = 0; n < WORKERS; n++)
		pthread_join(workers[n], NULL);
	printf("%ld reports, last %ld, %ld ticks\n", reports, last_done, ticks);
	return 0;
}
