#include <pthread.h>
#include <stdio.h>

/* Never waits: but whoever did not get the lock goes on as if he had. */
struct gauge {
	pthread_mutex_t busy;
	long total;
	long peak;
};

static struct gauge depth = { .busy = PTHREAD_MUTEX_INITIALIZER };

static void gauge_note(struct gauge *g, long value)
{
	int failed = pthread_mutex_trylock(&g->busy);

	g->total += value; // RACE!
	if (value > g->peak)
		g->peak = value; // RACE!
	if (!failed)
		pthread_mutex_unlock(&g->busy);
}

static void *feeder(void *given)
{
	long seed = (long)given;

	for (int i = 0; i < 1000; i++) {
		seed = seed * 1103515245 + 12345;
		gauge_note(&depth, seed & 255);
	}
	return NULL;
}

int main(void)
{
	pthread_t feeders[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&feeders[i], NULL, feeder, (void *)i);
	pthread_mutex_lock(&depth.busy);
	printf("%ld so far, at most %ld\n", depth.total, depth.peak);
	pthread_mutex_unlock(&depth.busy);
	for (int i = 0; i < 3; i++)
		pthread_join(feeders[i], NULL);
	return 0;
}
