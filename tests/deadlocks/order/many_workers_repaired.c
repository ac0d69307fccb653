/* Both orders are in one thread's function, and there is one such thread. */
#include <pthread.h>

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER, index_lock = PTHREAD_MUTEX_INITIALIZER;
static int heap_size, index_size;

static void *worker(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&heap);
		pthread_mutex_lock(&index_lock); /* NODEADLOCK */
		index_size = ++heap_size;
		pthread_mutex_unlock(&index_lock);
		pthread_mutex_unlock(&heap);
		pthread_mutex_lock(&index_lock);
		pthread_mutex_lock(&heap); /* NODEADLOCK */
		heap_size = index_size;
		pthread_mutex_unlock(&heap);
		pthread_mutex_unlock(&index_lock);
	}
	return argument;
}

static void *reader(void *argument)
{
	pthread_mutex_lock(&heap);
	heap_size++;
	pthread_mutex_unlock(&heap);
	return argument;
}

int main(void)
{
	pthread_t first, second;
	pthread_create(&first, NULL, worker, NULL);
	pthread_create(&second, NULL, reader, NULL);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	return 0;
}
