// Two records of one type, each with a thread: who waits for the one holds what only the other needs. A third is started
// by a helper that has a pointer, and waited for by its name.
#include <pthread.h>

struct crew { pthread_t thread; int done; };
static struct crew loaders, sweepers, guards;
static pthread_mutex_t ramp = PTHREAD_MUTEX_INITIALIZER, yard = PTHREAD_MUTEX_INITIALIZER;

static void *load(void *arg)
{
	pthread_mutex_lock(&ramp);
	loaders.done++;
	pthread_mutex_unlock(&ramp);
	return arg;
}

static void *sweep(void *arg)
{
	sweepers.done++;
	return arg;
}

static void *guard(void *arg)
{
	struct crew *crew = arg;
	pthread_mutex_lock(&yard);
	crew->done++;
	pthread_mutex_unlock(&yard);
	return arg;
}

static void crew_start(struct crew *crew) { pthread_create(&crew->thread, NULL, guard, crew); }

int main(void)
{
	pthread_create(&loaders.thread, NULL, load, NULL);
	pthread_create(&sweepers.thread, NULL, sweep, NULL);
	crew_start(&guards);
	pthread_mutex_lock(&ramp);
	pthread_join(sweepers.thread, NULL); /* NODEADLOCK */
	pthread_mutex_unlock(&ramp);
	pthread_join(loaders.thread, NULL); /* NODEADLOCK */
	pthread_mutex_lock(&yard);
	pthread_join(guards.thread, NULL); /* DEADLOCK */
	pthread_mutex_unlock(&yard);
	return 0;
}
