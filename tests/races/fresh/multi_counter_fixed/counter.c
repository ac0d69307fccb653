#include <pthread.h>
#include "counter.h"

long counter_value;
static pthread_mutex_t counter_lock;

void counter_init(void)
{
	pthread_mutex_init(&counter_lock, NULL);
	counter_value = 0;
}

void counter_add(long n)
{
	pthread_mutex_lock(&counter_lock);
	counter_value += n;
	pthread_mutex_unlock(&counter_lock);
}

long counter_get(void)
{
	long v;

	pthread_mutex_lock(&counter_lock);
	v = counter_value; // NORACE
	pthread_mutex_unlock(&counter_lock);
	return v;
}
