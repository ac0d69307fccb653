// racerx-verdict: shown
/* A pool: tasks are functions with their argument, taken from a list by several workers. */
#include <pthread.h>
#include <stdlib.h>

struct task { struct task *next; void (*run)(void *); void *data; };
static struct pool { pthread_mutex_t lock; pthread_cond_t filled; struct task *tasks; int stop, executed; } pool = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0
};
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static long total, unlocked_total;

static void add(void *data)
{
	int *number = data;
	pthread_mutex_lock(&total_lock);
	total += *number; /* NORACE */
	pthread_mutex_unlock(&total_lock);
	unlocked_total += *number; /* RACE */
}

static void *pool_worker(void *argument)
{
	struct task *task;
	for (;;) {
		pthread_mutex_lock(&pool.lock);
		while (!pool.tasks && !pool.stop) /* NORACE */
			pthread_cond_wait(&pool.filled, &pool.lock);
		task = pool.tasks; /* NORACE */
		if (!task) {
			pthread_mutex_unlock(&pool.lock);
			return argument;
		}
		pool.tasks = task->next; /* NORACE */
		pool.executed++; /* NORACE */
		pthread_mutex_unlock(&pool.lock);
		task->run(task->data); /* NORACE */
		free(task);
	}
}

static void pool_submit(void (*run)(void *), void *data)
{
	struct task *task = malloc(sizeof *task);
	if (!task)
		return;
	task->run = run; /* NORACE */
	task->data = data; /* NORACE */
	pthread_mutex_lock(&pool.lock);
	task->next = pool.tasks; /* NORACE */
	pool.tasks = task; /* NORACE */
	pthread_cond_signal(&pool.filled);
	pthread_mutex_unlock(&pool.lock);
}

int main(void)
{
	static int one = 1;
	pthread_t workers[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&workers[i], NULL, pool_worker, NULL);
	for (int i = 0; i < 100; i++)
		pool_submit(add, &one);
	pthread_mutex_lock(&pool.lock);
	pool.stop = 1; /* NORACE */
	pthread_cond_broadcast(&pool.filled);
	pthread_mutex_unlock(&pool.lock);
	for (int i = 0; i < 4; i++)
		pthread_join(workers[i], NULL);
	return total != 100; /* NORACE */
}
