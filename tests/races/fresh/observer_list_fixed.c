#include <pthread.h>
#include <stdio.h>

#define MAXOBS 8
typedef void (*observer)(int value, void *ctx);

static struct { observer fn; void *ctx; } obs[MAXOBS];
static int nobs;
static pthread_mutex_t obs_mx = PTHREAD_MUTEX_INITIALIZER;

static int watch(observer fn, void *ctx)
{
	int rc = -1;
	pthread_mutex_lock(&obs_mx);
	if (nobs < MAXOBS) { // NORACE
		obs[nobs].fn = fn; // NORACE
		obs[nobs].ctx = ctx; // NORACE
		nobs++; // NORACE
		rc = 0;
	}
	pthread_mutex_unlock(&obs_mx);
	return rc;
}

static void notify(int value)
{
	int i;
	pthread_mutex_lock(&obs_mx);
	for (i = 0; i < nobs; i++)
		obs[i].fn(value, obs[i].ctx);
	pthread_mutex_unlock(&obs_mx);
}

static void add_up(int value, void *ctx) { *(long *)ctx += value; }

static long sums[MAXOBS];

static void *publisher(void *u)
{
	int i;
	for (i = 0; i < 200; i++)
		notify(i);
	return u;
}

int main(void)
{
	pthread_t p;
	int i;
	watch(add_up, &sums[0]);
	pthread_create(&p, NULL, publisher, NULL);
	for (i = 1; i < MAXOBS; i++)
		watch(add_up, &sums[i]);
	pthread_join(p, NULL);
	printf("%ld\n", sums[0]);
	return 0;
}
