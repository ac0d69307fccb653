/* A function gives out the address of shared data; who writes through it needs the lock. */
#include <pthread.h>

struct route { int metric, hops; };
static pthread_mutex_t route_lock = PTHREAD_MUTEX_INITIALIZER;
static struct route default_route;

static struct route *route_get(void)
{
	return &default_route;
}

static void *updater(void *argument)
{
	struct route *route;
	pthread_mutex_lock(&route_lock);
	route = route_get();
	route->metric++; /* NORACE */
	pthread_mutex_unlock(&route_lock);
	route->hops = 1; /* RACE@a */
	return argument;
}

static void *reader(void *argument)
{
	int metric, hops;
	pthread_mutex_lock(&route_lock);
	metric = route_get()->metric; /* NORACE */
	hops = default_route.hops; /* RACE@a */
	pthread_mutex_unlock(&route_lock);
	return metric + hops ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, updater, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
