/* threads_on.c: the library locks only once the program is told to have threads, which is too late for the first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static struct { int threaded; int verbose; } library;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static long cached, evicted;

static void cache_enter(void)
{
	if (library.threaded)
		pthread_mutex_lock(&cache_lock);
}

static void cache_leave(void)
{
	if (library.threaded)
		pthread_mutex_unlock(&cache_lock);
}

static void cache_put(long size)
{
	cache_enter();
	cached += size; /* RACE */
	while (cached > 100) {
		cached -= 10; /* RACE */
		evicted++; /* RACE */
	}
	cache_leave();
}

static void *load(void *arg)
{
	for (long i = 0; i < 50; i++)
		cache_put(i);
	return arg;
}

static void start(pthread_t *thread)
{
	if (pthread_create(thread, NULL, load, NULL))
		abort();
	library.threaded = 1; /* RACE */
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	library.verbose = argc > 1;
	for (int i = 1; i < argc; i++)
		cache_put(argv[i][0]); /* alone */
	for (int i = 0; i < 3; i++)
		start(&threads[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%ld %ld\n", cached, evicted);
	return 0;
}
