/* The other order only before the worker was created and after it was joined. */
#include <pthread.h>

static pthread_mutex_t input = PTHREAD_MUTEX_INITIALIZER, output = PTHREAD_MUTEX_INITIALIZER;
static int in_count, out_count;

static void *worker(void *argument)
{
	pthread_mutex_lock(&input);
	pthread_mutex_lock(&output); /* NODEADLOCK */
	out_count += in_count;
	pthread_mutex_unlock(&output);
	pthread_mutex_unlock(&input);
	return argument;
}

static void fill(int amount)
{
	pthread_mutex_lock(&output);
	pthread_mutex_lock(&input); /* NODEADLOCK */
	in_count = amount;
	pthread_mutex_unlock(&input);
	pthread_mutex_unlock(&output);
}

static void drain(void)
{
	pthread_mutex_lock(&output);
	pthread_mutex_lock(&input); /* NODEADLOCK */
	in_count -= out_count;
	pthread_mutex_unlock(&input);
	pthread_mutex_unlock(&output);
}

int main(void)
{
	pthread_t thread;
	fill(10);
	if (pthread_create(&thread, NULL, worker, NULL))
		return 1;
	pthread_join(thread, NULL);
	drain();
	return 0;
}
