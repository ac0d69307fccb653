/* Two create calls with one function make two threads; so does a creating function called twice. */
#include <pthread.h>

static int polls, beats, scans;

static void *poller(void *argument)
{
	polls++; /* RACE */
	return argument;
}

static void *heart(void *argument)
{
	beats++; /* RACE */
	return argument;
}

static void *scanner(void *argument)
{
	scans++; /* NORACE */
	return argument;
}

static void start_heart(pthread_t *thread)
{
	pthread_create(thread, NULL, heart, NULL);
}

static void start_scanner(pthread_t *thread)
{
	pthread_create(thread, NULL, scanner, NULL);
}

int main(void)
{
	pthread_t threads[5];
	pthread_create(&threads[0], NULL, poller, NULL);
	pthread_create(&threads[1], NULL, poller, NULL);
	start_heart(&threads[2]);
	start_heart(&threads[3]);
	start_scanner(&threads[4]);
	for (int i = 0; i < 5; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
