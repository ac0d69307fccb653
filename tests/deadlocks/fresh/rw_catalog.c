#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct item { char sku[16]; int qty; };

static struct {
	pthread_rwlock_t rw;
	struct item v[16];
	int n;
} catalog = { .rw = PTHREAD_RWLOCK_INITIALIZER };

static struct {
	pthread_rwlock_t rw;
	uint64_t lookups, misses;
	int low_water;
} stats = { .rw = PTHREAD_RWLOCK_INITIALIZER, .low_water = 2 };

static int catalog_qty(const char *sku)
{
	int q = -1;

	pthread_rwlock_rdlock(&catalog.rw);
	for (int i = 0; i < catalog.n; i++)
		if (strcmp(catalog.v[i].sku, sku) == 0)
			q = catalog.v[i].qty;
	pthread_rwlock_wrlock(&stats.rw);
	stats.lookups++;
	if (q < 0)
		stats.misses++;
	pthread_rwlock_unlock(&stats.rw);
	pthread_rwlock_unlock(&catalog.rw);
	return q;
}

static int restock(void)
{
	int touched = 0, low;

	pthread_rwlock_rdlock(&stats.rw);
	low = stats.low_water;
	pthread_rwlock_wrlock(&catalog.rw); // DEADLOCK!
	for (int i = 0; i < catalog.n; i++)
		if (catalog.v[i].qty <= low) {
			catalog.v[i].qty += 10;
			touched++;
		}
	pthread_rwlock_unlock(&catalog.rw);
	pthread_rwlock_unlock(&stats.rw);
	return touched;
}

static void *shopper(void *arg)
{
	for (int i = 0; i < 25; i++) {
		char sku[16];
		snprintf(sku, sizeof sku, "s%d", i % 20);
		catalog_qty(sku);
		usleep(300);
	}
	return arg;
}

int main(void)
{
	alarm(5);
	pthread_t t[2];

	for (; catalog.n < 16; catalog.n++) {
		snprintf(catalog.v[catalog.n].sku, 16, "s%d", catalog.n);
		catalog.v[catalog.n].qty = catalog.n;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, shopper, NULL);
	for (int i = 0; i < 4; i++) {
		usleep(1100);
		printf("restocked %d\n", restock());
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%llu lookups\n", (unsigned long long)stats.lookups);
	return 0;
}
