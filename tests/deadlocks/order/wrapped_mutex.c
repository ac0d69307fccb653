/* A mutex type of the program's own, with functions around the real one: two objects of it are two locks. */
#include <pthread.h>

struct guard { pthread_mutex_t mutex; const char *holder; };
static struct guard journal = { PTHREAD_MUTEX_INITIALIZER, 0 };
static struct guard catalog = { PTHREAD_MUTEX_INITIALIZER, 0 };
static int entries, pages;

static void guard_enter(struct guard *guard, const char *who)
{
	pthread_mutex_lock(&guard->mutex);
	guard->holder = who;
}

static void guard_leave(struct guard *guard)
{
	guard->holder = 0;
	pthread_mutex_unlock(&guard->mutex);
}

static void *writer(void *argument)
{
	guard_enter(&journal, "writer"); /* DEADLOCK@a */
	guard_enter(&catalog, "writer"); /* DEADLOCK@a */
	entries++;
	pages++;
	guard_leave(&catalog);
	guard_leave(&journal);
	return argument;
}

static void *indexer(void *argument)
{
	guard_enter(&catalog, "indexer"); /* DEADLOCK@a */
	guard_enter(&journal, "indexer"); /* DEADLOCK@a */
	pages--;
	entries--;
	guard_leave(&journal);
	guard_leave(&catalog);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, indexer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
