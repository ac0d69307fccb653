/* Both results of trylock: the work is only safe when it said 0. */
#include <pthread.h>

static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, skipped, merged;

static void *indexer(void *argument)
{
	if (pthread_mutex_trylock(&index_lock) == 0) {
		entries++; /* NORACE */
		pthread_mutex_unlock(&index_lock);
	} else {
		skipped++; /* RACE */
	}
	if (pthread_mutex_trylock(&index_lock))
		return NULL;
	merged = entries; /* NORACE */
	pthread_mutex_unlock(&index_lock);
	return argument;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, indexer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return merged; /* NORACE */
}
