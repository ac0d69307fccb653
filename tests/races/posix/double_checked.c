/* Double-checked locking with a plain pointer: the first look races with the store. */
#include <pthread.h>
#include <stdlib.h>

struct settings { int verbosity; };
static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings *settings;

static struct settings *settings_get(void)
{
	if (!settings) { /* RACE@a */
		pthread_mutex_lock(&settings_lock);
		if (!settings)
			settings = calloc(1, sizeof *settings); /* RACE@a */
		pthread_mutex_unlock(&settings_lock);
	}
	return settings; /* RACE */
}

static void *worker(void *argument)
{
	return settings_get() ? argument : NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
