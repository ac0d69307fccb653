#include <pthread.h>
#include <stdio.h>

/* Each worker counts primes of its own stretch, two into one number, by a helper that is told where to leave the number. */
#define WORKERS 4

static int tally[WORKERS];

static void count_primes(int from, int to, int *result)
{
	int count = 0;

	for (int n = from; n < to; n++) {
		int d = 2;

		while (d * d <= n && n % d)
			d++;
		count += d * d > n;
	}
	*result = count; // RACE
}

static void *worker(void *given)
{
	int me = (int)(long)given;

	count_primes(me * 1000 + 2, (me + 1) * 1000 + 2, &tally[me / 2]);
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];
	int sum = 0;

	for (long n = 0; n < WORKERS; n++)
		pthread_create(&workers[n], NULL, worker, (void *)n);
	for (int n = 0; n < WORKERS; n++) {
		pthread_join(workers[n], NULL);
	}
	for (int n = 0; n < WORKERS; n++)
		sum += tally[n];
	printf("%d\n", sum);
	return 0;
}
