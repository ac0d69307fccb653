/* A mutex of the usual kind, taken again by its holder below a call: it waits for itself. */
#include <pthread.h>

struct cache { pthread_mutex_t lock; int size, hits; };
static struct cache cache;

static void cache_init(struct cache *self)
{
	pthread_mutex_init(&self->lock, NULL);
}

static void cache_hit(struct cache *self)
{
	pthread_mutex_lock(&self->lock); /* DOUBLE-LOCK */
	self->hits++;
	pthread_mutex_unlock(&self->lock);
}

static void *worker(void *argument)
{
	struct cache *self = argument;
	pthread_mutex_lock(&self->lock);
	self->size++;
	cache_hit(self);
	pthread_mutex_unlock(&self->lock);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	cache_init(&cache);
	pthread_create(&thread, NULL, worker, &cache);
	pthread_join(thread, NULL);
	return 0;
}
