/* Trylocks that return 0 when they succeed, in the words of another world. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER, disk = PTHREAD_MUTEX_INITIALIZER;
static int blocks, dirty;

static int cache_clean(void)
{
	if (pthread_mutex_trylock(&cache) == EBUSY)
		return 0; /* NOLEAK */
	blocks = 0;
	pthread_mutex_unlock(&cache);
	if (!pthread_mutex_trylock(&disk)) {
		dirty = 0;
		pthread_mutex_unlock(&disk); /* NOUNHELD */
	}
	return 1; /* NOLEAK */
}

static void *writer(void *argument)
{
	int error;
	for (;;) {
		pthread_mutex_lock(&disk);
		dirty = 0;
		error = pthread_mutex_trylock(&cache); /* NODEADLOCK */
		if (error != 0) {
			pthread_mutex_unlock(&disk);
			continue;
		}
		blocks--;
		pthread_mutex_unlock(&cache);
		pthread_mutex_unlock(&disk);
	}
	return argument;
}

static void *reader(void *argument)
{
	for (;;) {
		cache_clean();
		pthread_mutex_lock(&cache);
		pthread_mutex_lock(&disk); /* NODEADLOCK */
		blocks++;
		pthread_mutex_unlock(&disk);
		pthread_mutex_unlock(&cache);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, writer, NULL);
	pthread_create(&threads[1], NULL, reader, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
