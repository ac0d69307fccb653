// A name that says no is off, also where it is asked for to be there: the barrier is one.
#include <pthread.h>

#if defined(POOL_NO_BARRIERS)
static int arrived;

static int meet(void)
{
	while (arrived < 2)
		;
	return ++arrived;
}
#else
static pthread_barrier_t barrier;

static int meet(void) { return pthread_barrier_wait(&barrier); }
#endif

static int level;

static void *fill(void *unused)
{
	level = 7; // NORACE
	meet();
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fill, NULL);
	meet();
	return level; // NORACE
}
