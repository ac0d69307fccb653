#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t stats_mu = PTHREAD_MUTEX_INITIALIZER;
static unsigned long stat_requests, stat_errors, stat_skipped_local;

static int stats_try_update(int err)
{
	int locked = pthread_mutex_trylock(&stats_mu) == 0;

	stat_requests++; // RACE!
	if (err)
		stat_errors++; // RACE!
	if (locked)
		pthread_mutex_unlock(&stats_mu);
	return 0;
}

static void stats_dump(void)
{
	pthread_mutex_lock(&stats_mu);
	printf("requests=%lu errors=%lu\n", stat_requests, stat_errors);
	pthread_mutex_unlock(&stats_mu);
}

static void *handler(void *arg)
{
	int i, skipped = 0;

	for (i = 0; i < 3000; i++)
		if (stats_try_update(i % 7 == 0) < 0)
			skipped++;
	pthread_mutex_lock(&stats_mu);
	stat_skipped_local += skipped;
	pthread_mutex_unlock(&stats_mu);
	return arg;
}

int main(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, handler, NULL);
	stats_dump();
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	stats_dump();
	return 0;
}
