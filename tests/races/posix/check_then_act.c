/* Looked at under the lock, decided, and changed under the lock again: not atomic, and no data race: stale. */
#include <pthread.h>

static pthread_mutex_t seat_lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 10;

static void *book(void *argument)
{
	int left;
	pthread_mutex_lock(&seat_lock);
	left = seats; /* NORACE */
	pthread_mutex_unlock(&seat_lock);
	if (left > 0) {
		pthread_mutex_lock(&seat_lock);
		seats--; /* NORACE */ /* STALE-CHECK */
		pthread_mutex_unlock(&seat_lock);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[12];
	for (int i = 0; i < 12; i++)
		pthread_create(&threads[i], NULL, book, NULL);
	for (int i = 0; i < 12; i++)
		pthread_join(threads[i], NULL);
	return seats; /* NORACE */
}
