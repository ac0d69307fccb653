// racerx: --engine summaries
/* Threads that may run are in the summaries, too: main waits before it goes on. */
#include <pthread.h>

static int total, limit, rounds;

static void count(int *counter) { ++*counter; }
static void *worker(void *argument)
{
	if (total < limit)
		count(&total); /* NORACE */
	rounds++; /* NORACE */
	return argument;
}
static pthread_t begin(void)
{
	pthread_t thread;
	limit = 10; /* NORACE */
	pthread_create(&thread, NULL, worker, NULL);
	return thread;
}
int main(void)
{
	rounds = 0; /* NORACE */
	pthread_t thread = begin();
	pthread_join(thread, NULL);
	total = 0; /* NORACE */
	rounds = 0; /* NORACE */
	return total;
}
