/* The callee writes through the pointer it is given: with the lock, without it. */
#include <pthread.h>

static pthread_mutex_t gauge_lock = PTHREAD_MUTEX_INITIALIZER;
static int pressure, level;

static void raise_by(int *gauge, int amount)
{
	*gauge += amount; /* NORACE */
}

static void clear(int *gauge)
{
	*gauge = 0; /* RACE */
}

static void *pump(void *argument)
{
	pthread_mutex_lock(&gauge_lock);
	raise_by(&level, 3);
	level++; /* NORACE */
	pressure++; /* RACE */
	pthread_mutex_unlock(&gauge_lock);
	return argument;
}

static void *valve(void *argument)
{
	int own = 5;
	raise_by(&own, 1);
	clear(&pressure);
	pthread_mutex_lock(&gauge_lock);
	raise_by(&level, -1);
	pthread_mutex_unlock(&gauge_lock);
	return own ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, pump, NULL);
	pthread_create(&b, NULL, valve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return level; /* NORACE */
}
