/* A reader lock protects reads only: the hit counter is written under it. */
#include <pthread.h>

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static int cache_key, cache_value;
static unsigned long hits;

static void *lookup(void *argument)
{
	int found = 0;
	pthread_rwlock_rdlock(&cache_lock);
	if (cache_key == 7) { /* NORACE */
		found = cache_value; /* NORACE */
		hits++; /* RACE */
	}
	pthread_rwlock_unlock(&cache_lock);
	return found ? argument : NULL;
}

static void *refresh(void *argument)
{
	pthread_rwlock_wrlock(&cache_lock);
	cache_key = 7; /* NORACE */
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
