/* The wait lets go of `queue` and takes it back, with `stats` held: the other way round. */
#include <pthread.h>

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, stats = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int length, waits;

static void *consumer(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&queue);
		pthread_mutex_lock(&stats); /* DEADLOCK@a */
		while (!length) {
			waits++;
			pthread_cond_wait(&filled, &queue); /* DEADLOCK@a */
		}
		length--;
		pthread_mutex_unlock(&stats);
		pthread_mutex_unlock(&queue);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, consumer, NULL);
	pthread_create(&threads[1], NULL, consumer, NULL);
	for (;;) {
		pthread_mutex_lock(&queue);
		length++;
		pthread_cond_signal(&filled);
		pthread_mutex_unlock(&queue);
	}
}
