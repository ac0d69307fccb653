/* One copy per thread, in three spellings, beside one that all share. */
#include <pthread.h>
#include <threads.h>

static _Thread_local int depth;
static __thread int attempts;
thread_local int retries;
static int failures;

static void *worker(void *argument)
{
	depth++; /* NORACE */
	attempts = depth; /* NORACE */
	retries += attempts; /* NORACE */
	failures++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	depth = 1; /* NORACE */
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return depth; /* NORACE */
}
