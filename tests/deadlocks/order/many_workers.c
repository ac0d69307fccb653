/* Both orders are in one thread's function, and a loop makes four of those threads: two of them meet. */
#include <pthread.h>

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER, index_lock = PTHREAD_MUTEX_INITIALIZER;
static int heap_size, index_size;

static void insert(void)
{
	pthread_mutex_lock(&heap);
	pthread_mutex_lock(&index_lock); /* DEADLOCK@a */
	index_size = ++heap_size;
	pthread_mutex_unlock(&index_lock);
	pthread_mutex_unlock(&heap);
}

static void rebuild(void)
{
	pthread_mutex_lock(&index_lock);
	pthread_mutex_lock(&heap); /* DEADLOCK@a */
	heap_size = index_size;
	pthread_mutex_unlock(&heap);
	pthread_mutex_unlock(&index_lock);
}

static void *worker(void *argument)
{
	for (;;) {
		insert();
		rebuild();
	}
	return argument;
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
