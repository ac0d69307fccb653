// racerx-verdict: shown
/* A library: only its own test calls it here. The count is set back without the lock. */
#include <pthread.h>
#include "store.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long kept, dropped;

void store_put(long value)
{
	pthread_mutex_lock(&lock);
	kept += value;
	dropped++;
	pthread_mutex_unlock(&lock);
}

long store_take(void)
{
	long value;

	pthread_mutex_lock(&lock);
	value = kept;
	kept = 0;
	dropped--;
	pthread_mutex_unlock(&lock);
	return value;
}

long store_get(void)
{
	long value;

	pthread_mutex_lock(&lock);
	value = kept + dropped;
	pthread_mutex_unlock(&lock);
	return value;
}

void store_reset(void)
{
	kept = 0; /* RACE */
	dropped = 0; /* RACE */
}
