/* Nothing but its own mutex is held in the wait, which is held again after it. */
#include <pthread.h>

static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, stats = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int length, waits;

static void *consumer(void *argument)
{
	for (;;) {
		pthread_mutex_lock(&queue);
		while (!length)
			pthread_cond_wait(&filled, &queue); /* NODEADLOCK */
		length--;
		pthread_mutex_lock(&stats); /* NODEADLOCK */
		waits++;
		pthread_mutex_unlock(&stats);
		pthread_mutex_unlock(&queue); /* NOUNHELD */
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
