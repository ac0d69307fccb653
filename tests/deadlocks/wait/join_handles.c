/* Threads waited for under a lock that they take, by handles in arrays, in members, in copies, and by helpers. */
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 4
struct pool { pthread_mutex_t lock; pthread_t workers[WORKERS]; pthread_t *helper; pthread_t logger; int jobs, done; };
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, lines;

static void *pool_worker(void *data)
{
	struct pool *pool = data;
	pthread_mutex_lock(&pool->lock); /* DEADLOCK@a */
	pool->done++;
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}
static void *table_worker(void *data)
{
	pthread_mutex_lock(&table_lock); /* DEADLOCK@b */
	entries++;
	pthread_mutex_unlock(&table_lock);
	return data;
}
static void *log_worker(void *data)
{
	pthread_mutex_lock(&log_lock); /* DEADLOCK@c */
	lines++;
	pthread_mutex_unlock(&log_lock);
	return data;
}
static void *free_worker(void *data)
{
	pthread_mutex_lock(&table_lock);
	entries--;
	pthread_mutex_unlock(&table_lock);
	return data;
}

static void launch(pthread_t *thread, void *(*function)(void *), void *data)
{
	pthread_create(thread, NULL, function, data);
}
static void await(pthread_t thread)
{
	pthread_join(thread, NULL); /* DEADLOCK@c */
}

void pool_start(struct pool *pool)
{
	pthread_t thread;
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&pool->workers[i], NULL, pool_worker, pool);
	pool->helper = malloc(sizeof *pool->helper);
	pthread_create(pool->helper, NULL, table_worker, pool);
	pthread_create(&thread, NULL, log_worker, pool);
	pool->logger = thread;
}

void pool_stop(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(pool->workers[i], NULL); /* DEADLOCK@a */
	pthread_mutex_unlock(&pool->lock);
	pthread_mutex_lock(&table_lock);
	pthread_join(*pool->helper, NULL); /* DEADLOCK@b */
	pthread_mutex_unlock(&table_lock);
	pthread_mutex_lock(&log_lock);
	await(pool->logger);
	pthread_mutex_unlock(&log_lock);
}

void once(void)
{
	pthread_t mine, other;
	launch(&mine, free_worker, NULL);
	pthread_create(&other, NULL, log_worker, NULL);
	pthread_mutex_lock(&table_lock);
	pthread_join(other, NULL); /* NODEADLOCK */
	pthread_mutex_unlock(&table_lock);
	pthread_join(mine, NULL); /* NODEADLOCK */
}
