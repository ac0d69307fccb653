/* A helper whose callers all hold the lock, and one that one of them calls without. */
#include <pthread.h>

static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static int used, peak, compactions;

static void account(int amount)
{
	used += amount; /* NORACE */
	if (used > peak) /* NORACE */
		peak = used; /* NORACE */
}

static void compact(void)
{
	compactions++; /* RACE */
}

static void *allocator(void *argument)
{
	pthread_mutex_lock(&heap_lock);
	account(16);
	compact();
	pthread_mutex_unlock(&heap_lock);
	return argument;
}

static void *collector(void *argument)
{
	pthread_mutex_lock(&heap_lock);
	account(-16);
	pthread_mutex_unlock(&heap_lock);
	compact();
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, allocator, NULL);
	pthread_create(&b, NULL, collector, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return peak; /* NORACE */
}
