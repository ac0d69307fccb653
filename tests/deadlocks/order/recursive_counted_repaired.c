/* A recursive lock around everything, taken again below the journal's; its wrapper says whether it worked, and nobody asks. */
#include <pthread.h>

static pthread_mutex_t world = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int pages, entries;

static int world_lock(void) { return pthread_mutex_lock(&world); }
static void world_unlock(void) { pthread_mutex_unlock(&world); }

static void page_turn(void)
{
	world_lock();
	pages++;
	world_unlock();
}

static void pages_turn(void)
{
	world_lock();
	for (int i = 0; i < pages; i++)
		page_turn();
	world_unlock();
}

static void *writer(void *argument)
{
	world_lock();
	pthread_mutex_lock(&journal); /* NODEADLOCK */
	pages_turn();
	page_turn();
	pthread_mutex_unlock(&journal);
	world_unlock();
	return argument;
}

static void *keeper(void *argument)
{
	world_lock();
	pthread_mutex_lock(&journal);
	entries++;
	pthread_mutex_unlock(&journal);
	world_unlock();
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, keeper, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return entries;
}
