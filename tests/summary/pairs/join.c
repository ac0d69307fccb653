// racerx: --engine summaries
/* Threads that may run are in the summaries, too: what main does before they start, and after they ended, is alone. */
#include <pthread.h>

static int total, limit, rounds;

static void count(int *counter) { ++*counter; } /* RACE */
static void *worker(void *argument)
{
	if (total < limit)
		count(&total);
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
	total = 0; /* RACE */
	pthread_join(thread, NULL);
	rounds = 0; /* NORACE */
	return total;
}
