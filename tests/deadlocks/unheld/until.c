/* What a wait waits for is true when it comes back: the lock was taken then, and not before. */
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/wait.h>

struct pool { struct rw_semaphore sem; struct mutex lock; wait_queue_head_t queue; int busy, size; };

static bool pool_idle(struct pool *pool)
{
	mutex_lock(&pool->lock);
	if (pool->busy) {
		mutex_unlock(&pool->lock);
		return false;
	}
	return true;
}

int pool_size(struct pool *pool)
{
	int size;
	wait_event(pool->queue, down_read_trylock(&pool->sem));
	size = pool->size;
	up_read(&pool->sem); /* NOUNHELD */
	return size; /* NOLEAK */
}

int pool_resize(struct pool *pool, int size)
{
	rcuwait_wait_event(&pool->queue, pool_idle(pool), TASK_UNINTERRUPTIBLE);
	if (size < 0)
		return -EINVAL; /* LEAK */
	pool->size = size;
	mutex_unlock(&pool->lock); /* NOUNHELD */
	return 0;
}
