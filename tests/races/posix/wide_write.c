/* A 64-bit clock written in two halves on many machines, and read without the lock. */
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t clock_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t now, safe_now;

static void *ticker(void *argument)
{
	for (int i = 0; i < 1000; i++) {
		now += 10000000; /* RACE@a */
		pthread_mutex_lock(&clock_lock);
		safe_now += 10000000; /* NORACE */
		pthread_mutex_unlock(&clock_lock);
	}
	return argument;
}

static void *logger(void *argument)
{
	uint64_t stamp = now; /* RACE@a */
	pthread_mutex_lock(&clock_lock);
	stamp -= safe_now; /* NORACE */
	pthread_mutex_unlock(&clock_lock);
	return stamp ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, ticker, NULL);
	pthread_create(&b, NULL, logger, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
