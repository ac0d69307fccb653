/* The lock of a table is a global. A helper is given it, and takes it once more when it is told to. */
#include <pthread.h>

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void entry_count(pthread_mutex_t *mutex, int alone)
{
	if (alone)
		pthread_mutex_lock(mutex); /* DOUBLE-LOCK */
	entries++;
	if (alone)
		pthread_mutex_unlock(mutex);
}

static void *table_fill(void *argument)
{
	pthread_mutex_lock(&table_mutex); /* DOUBLE-LOCK */
	entry_count(&table_mutex, *(int *)argument);
	pthread_mutex_unlock(&table_mutex);
	return NULL;
}

int main(void)
{
	pthread_t filler;
	int alone = 1;
	pthread_create(&filler, NULL, table_fill, &alone);
	pthread_join(filler, NULL);
	return entries;
}
