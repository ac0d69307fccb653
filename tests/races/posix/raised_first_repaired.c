/* raised_first_repaired.c: the state is set first and the answer after it, before the lock is let go. */
#include <pthread.h>
#include <stdio.h>

enum { WAITING, COOKING, SERVED };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int state;
	int plates;
	const char *dish;
} table = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER };

static void serve(void)
{
	table.state = SERVED; /* NORACE */
	pthread_cond_broadcast(&table.changed);
}

static void *cook(void *arg)
{
	pthread_mutex_lock(&table.lock);
	table.state = COOKING; /* NORACE */
	pthread_mutex_unlock(&table.lock);
	pthread_mutex_lock(&table.lock);
	serve();
	table.dish = "soup"; /* NORACE */
	table.plates = 2; /* NORACE */
	pthread_mutex_unlock(&table.lock);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, cook, NULL);
	pthread_mutex_lock(&table.lock);
	while (table.state != SERVED) /* NORACE */
		pthread_cond_wait(&table.changed, &table.lock);
	pthread_mutex_unlock(&table.lock);
	printf("%d %s\n", table.plates, table.dish); /* NORACE */
	pthread_join(thread, NULL);
	return 0;
}
