/* Only main takes both locks, in both orders: one thread that exists once cannot wait for itself. */
#include <pthread.h>

static pthread_mutex_t names = PTHREAD_MUTEX_INITIALIZER, values = PTHREAD_MUTEX_INITIALIZER;
static int name_count, value_count;

static void rename_all(void)
{
	pthread_mutex_lock(&values);
	pthread_mutex_lock(&names); /* NODEADLOCK */
	name_count = value_count;
	pthread_mutex_unlock(&names);
	pthread_mutex_unlock(&values);
}

static void recount(void)
{
	pthread_mutex_lock(&names);
	pthread_mutex_lock(&values); /* NODEADLOCK */
	value_count = name_count;
	pthread_mutex_unlock(&values);
	pthread_mutex_unlock(&names);
}

static void *worker(void *argument)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&names);
		name_count++;
		pthread_mutex_unlock(&names);
		pthread_mutex_lock(&values);
		value_count++;
		pthread_mutex_unlock(&values);
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, NULL);
	rename_all();
	recount();
	pthread_join(thread, NULL);
	return 0;
}
