/* Made by whoever needs it first: without a lock, with the lock around all of it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t zone_lock = PTHREAD_MUTEX_INITIALIZER;
static char *zone, *locale;

static char *locale_get(void)
{
	if (!locale) /* RACE */
		locale = calloc(1, 16); /* RACE */
	return locale; /* RACE */
}

static char *zone_get(void)
{
	char *result;
	pthread_mutex_lock(&zone_lock);
	if (!zone) /* NORACE */
		zone = calloc(1, 16); /* NORACE */
	result = zone; /* NORACE */
	pthread_mutex_unlock(&zone_lock);
	return result;
}

static void *worker(void *argument)
{
	return locale_get() && zone_get() ? argument : NULL;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	free(zone); /* NORACE */
	return 0;
}
