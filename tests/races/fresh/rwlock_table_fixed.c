#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define N_ROUTES 20

typedef struct route {
	unsigned prefix, mask, gateway;
	unsigned long uses;
} route_t;

static route_t routes[N_ROUTES];
static int n_routes;
static pthread_rwlock_t rt_lock = PTHREAD_RWLOCK_INITIALIZER;

int rt_add(unsigned prefix, unsigned mask, unsigned gw)
{
	int rc = -1;

	pthread_rwlock_wrlock(&rt_lock);
	if (n_routes < N_ROUTES) {
		routes[n_routes].prefix = prefix;
		routes[n_routes].mask = mask;
		routes[n_routes].gateway = gw;
		n_routes++;
		rc = 0;
	}
	pthread_rwlock_unlock(&rt_lock);
	return rc;
}

unsigned rt_lookup(unsigned addr)
{
	unsigned gw = 0;
	int i;

	pthread_rwlock_rdlock(&rt_lock);
	for (i = 0; i < n_routes; i++) {
		if ((addr & routes[i].mask) == routes[i].prefix) {
			__atomic_fetch_add(&routes[i].uses, 1, __ATOMIC_RELAXED); // NORACE
			gw = routes[i].gateway;
			break;
		}
	}
	pthread_rwlock_unlock(&rt_lock);
	return gw;
}

static void *forwarder(void *arg)
{
	unsigned a = 0x0a000000u;
	int i, found = 0;
	for (i = 0; i < 500; i++)
		if (rt_lookup(a + i))
			found++;
	printf("%d\n", found);
	return arg;
}

static void *manager(void *arg)
{
	unsigned i;
	for (i = 1; i < N_ROUTES; i++)
		rt_add(0x0a000000u + (i << 8), 0xffffff00u, i);
	return arg;
}

int main(void)
{
	pthread_t f1, f2, m;
	rt_add(0x0a000000u, 0xffffff00u, 99);
	pthread_create(&m, NULL, manager, NULL);
	pthread_create(&f1, NULL, forwarder, NULL);
	pthread_create(&f2, NULL, forwarder, NULL);
	pthread_join(m, NULL);
	pthread_join(f1, NULL);
	pthread_join(f2, NULL);
	return 0;
}
