// A name that says nothing of the sort is on: nobody waits.
#include <pthread.h>

#if defined(POOL_SPINS)
static int arrived;

static int meet(void)
{
	if (arrived < 2)
		return 0;
	return arrived;
}
#else
static pthread_barrier_t barrier;

static int meet(void) { return pthread_barrier_wait(&barrier); }
#endif

static int level;

static void *fill(void *unused)
{
	level = 7; // RACE!
	meet();
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fill, NULL);
	meet();
	return level;
}
