/* Called with the lock, as its header says, by somebody who knows nothing of it: lets it go for a while and takes it
 * back. What was held when it was called is held at its end, on every way; a second lock is not. */
#include <linux/mutex.h>

struct queue { struct mutex lock; int ready, busy; };
static DEFINE_MUTEX(table_lock);

int each(struct queue **queues, int count, int (*visit)(struct queue *))
{
	int i, status = 0;
	for (i = 0; i < count && !status; i++)
		status = visit(queues[i]);
	return status;
}

static int queue_run(struct queue *queue)
	__must_hold(&table_lock)
{
	int status;
	if (!queue->ready)
		return 0; /* NOLEAK */
	mutex_unlock(&table_lock);
	status = queue_wait(queue);
	mutex_lock(&table_lock);
	return status; /* NOLEAK */
}

static int queue_start(struct queue *queue)
	__must_hold(&table_lock)
{
	mutex_lock(&queue->lock);
	if (queue->busy)
		return -EBUSY; /* LEAK */
	queue->busy = 1;
	mutex_unlock(&queue->lock);
	return 0;
}

int queues_run(struct queue **queues, int count)
{
	int status;
	mutex_lock(&table_lock);
	status = each(queues, count, queue_start);
	mutex_unlock(&table_lock);
	return status;
}

int queues_flush(struct queue **queues, int count)
{
	int status;
	mutex_lock(&table_lock);
	status = each(queues, count, queue_run);
	mutex_unlock(&table_lock);
	return status;
}
