/* Who flushes says so before the lock is let go. */
#include <pthread.h>
#include <stdlib.h>

struct block { int size; char *data; };
static struct { pthread_mutex_t lock; struct block *dirty; int flushing; } cache = { PTHREAD_MUTEX_INITIALIZER, NULL, 0 };
extern int block_write(int size);

static void flush(void)
{
	pthread_mutex_lock(&cache.lock);
	if (cache.flushing || cache.dirty == NULL) {
		pthread_mutex_unlock(&cache.lock);
		return;
	}
	cache.flushing = 1;
	pthread_mutex_unlock(&cache.lock);
	block_write(4096);
	pthread_mutex_lock(&cache.lock);
	cache.dirty->size = 0; /* NOSTALE-CHECK */
	cache.dirty = NULL;
	cache.flushing = 0;
	pthread_mutex_unlock(&cache.lock);
}

static void *flusher(void *unused)
{
	for (;;)
		flush();
	return unused;
}

static void *maker(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&cache.lock);
		if (cache.dirty == NULL)
			cache.dirty = calloc(1, sizeof *cache.dirty);
		pthread_mutex_unlock(&cache.lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, flusher, NULL);
	pthread_create(&threads[1], NULL, flusher, NULL);
	pthread_create(&threads[2], NULL, maker, NULL);
	pthread_join(threads[0], NULL);
	return 0;
}
