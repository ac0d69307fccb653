/* The worker's order is turned round by main while the worker runs: between create and join. */
#include <pthread.h>

static pthread_mutex_t input = PTHREAD_MUTEX_INITIALIZER, output = PTHREAD_MUTEX_INITIALIZER;
static int in_count, out_count;

static void *worker(void *argument)
{
	pthread_mutex_lock(&input);
	pthread_mutex_lock(&output); /* DEADLOCK@a */
	out_count += in_count;
	pthread_mutex_unlock(&output);
	pthread_mutex_unlock(&input);
	return argument;
}

static void drain(void)
{
	pthread_mutex_lock(&output);
	pthread_mutex_lock(&input); /* DEADLOCK@a */
	in_count -= out_count;
	pthread_mutex_unlock(&input);
	pthread_mutex_unlock(&output);
}

int main(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, worker, NULL))
		return 1;
	drain();
	pthread_join(thread, NULL);
	return 0;
}
