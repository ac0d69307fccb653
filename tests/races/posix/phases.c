/* What main does before the thread exists, while it runs, and after it was joined. */
#include <pthread.h>
#include <stdio.h>

static int seed, sum, rounds;

static void *summer(void *argument)
{
	for (int i = 0; i < seed; i++) { /* NORACE */
		sum += i; /* RACE@a */
		rounds++; /* NORACE */
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	seed = 100; /* NORACE */
	sum = 0; /* NORACE */
	rounds = 0; /* NORACE */
	pthread_create(&thread, NULL, summer, NULL);
	printf("so far %d\n", sum); /* RACE@a */
	pthread_join(thread, NULL);
	printf("in the end %d after %d\n", sum, rounds); /* NORACE */
	sum = 0; /* NORACE */
	return seed; /* NORACE */
}
