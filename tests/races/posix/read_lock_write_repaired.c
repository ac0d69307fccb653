/* read_lock_write.c with a lock of its own for the counter, and a writer that excludes readers. */
#include <pthread.h>

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t hits_lock = PTHREAD_MUTEX_INITIALIZER;
static int cache_value;
static unsigned long hits;

static void *lookup(void *argument)
{
	int found;
	pthread_rwlock_rdlock(&cache_lock);
	found = cache_value; /* NORACE */
	pthread_mutex_lock(&hits_lock);
	hits++; /* NORACE */
	pthread_mutex_unlock(&hits_lock);
	pthread_rwlock_unlock(&cache_lock);
	return found ? argument : NULL;
}

static void *refresh(void *argument)
{
	pthread_rwlock_wrlock(&cache_lock);
	cache_value++; /* NORACE */
	pthread_rwlock_unlock(&cache_lock);
	return argument;
}

int main(void)
{
	pthread_t readers[4], writer;
	for (int i = 0; i < 4; i++)
		pthread_create(&readers[i], NULL, lookup, NULL);
	pthread_create(&writer, NULL, refresh, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(readers[i], NULL);
	pthread_join(writer, NULL);
	return 0;
}
