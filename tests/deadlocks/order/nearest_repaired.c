/* The map is locked above the log everywhere, and the log lets go before the map is taken. */
#include <pthread.h>

static pthread_mutex_t map_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, lines;

static void log_line(void)
{
	pthread_mutex_lock(&log_lock); /* NODEADLOCK */
	lines++;
	pthread_mutex_unlock(&log_lock);
}

static void walk_leaf(void) { log_line(); }
static void walk_branch(void) { walk_leaf(); }
static void walk_tree(void) { walk_branch(); }

static void *check(void *argument)
{
	pthread_mutex_lock(&map_lock); /* NODEADLOCK */
	walk_tree();
	pthread_mutex_unlock(&map_lock);
	return argument;
}

static void *insert(void *argument)
{
	pthread_mutex_lock(&map_lock); /* NODEADLOCK */
	entries++;
	log_line();
	pthread_mutex_unlock(&map_lock);
	return argument;
}

static void *rotate(void *argument)
{
	pthread_mutex_lock(&log_lock); /* NODEADLOCK */
	lines = 0;
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_lock(&map_lock); /* NODEADLOCK */
	entries = 0;
	pthread_mutex_unlock(&map_lock);
	return argument;
}

int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, check, NULL);
	pthread_create(&threads[1], NULL, insert, NULL);
	pthread_create(&threads[2], NULL, rotate, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
