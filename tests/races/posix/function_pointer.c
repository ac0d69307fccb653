/* The accesses are behind function pointers; one of the two handlers has no lock. */
#include <pthread.h>

static pthread_mutex_t meter_lock = PTHREAD_MUTEX_INITIALIZER;
static int ticks, resets;

static void count(void)
{
	pthread_mutex_lock(&meter_lock);
	ticks++; /* RACE@a */
	resets++; /* NORACE */
	pthread_mutex_unlock(&meter_lock);
}

static void reset(void)
{
	ticks = 0; /* RACE@a */
	pthread_mutex_lock(&meter_lock);
	resets = 0; /* NORACE */
	pthread_mutex_unlock(&meter_lock);
}

struct handler { void (*run)(void); };
static struct handler counting = { count }, resetting = { reset };

static void *dispatch_count(void *argument)
{
	counting.run();
	return argument;
}

static void *dispatch_reset(void *argument)
{
	resetting.run();
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, dispatch_count, NULL);
	pthread_create(&b, NULL, dispatch_reset, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
