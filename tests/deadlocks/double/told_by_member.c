/* A queue notes in itself that its lock is held; here the note is taken back too early, before the helper asks. */
#include <pthread.h>

struct queue { pthread_mutex_t mutex; int owned; int length; };
static struct queue jobs = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static void queue_add(struct queue *queue)
{
	if (!queue->owned)
		pthread_mutex_lock(&queue->mutex); /* DOUBLE-LOCK */
	queue->length++;
	if (!queue->owned)
		pthread_mutex_unlock(&queue->mutex);
}

static void queue_fill(struct queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	queue->owned = 1;
	queue->length = 0;
	queue->owned = 0;
	queue_add(queue);
	pthread_mutex_unlock(&queue->mutex);
}

int main(void)
{
	queue_add(&jobs);
	queue_fill(&jobs);
	return jobs.length;
}
