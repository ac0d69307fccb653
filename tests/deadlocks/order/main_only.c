/* main turns the order of the worker round while it runs. */
#include <pthread.h>

static pthread_mutex_t names = PTHREAD_MUTEX_INITIALIZER, values = PTHREAD_MUTEX_INITIALIZER;
static int name_count, value_count;

static void rename_all(void)
{
	pthread_mutex_lock(&values);
	pthread_mutex_lock(&names); /* DEADLOCK@a */
	name_count = value_count;
	pthread_mutex_unlock(&names);
	pthread_mutex_unlock(&values);
}

static void *worker(void *argument)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&names);
		pthread_mutex_lock(&values); /* DEADLOCK@a */
		value_count += name_count;
		pthread_mutex_unlock(&values);
		pthread_mutex_unlock(&names);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	rename_all();
	pthread_join(thread, NULL);
	return 0;
}
