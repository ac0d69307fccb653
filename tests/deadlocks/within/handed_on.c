/* A worker is handed two queues and takes the second one's lock two calls further down; who hands them over decides. */
#include <pthread.h>

struct queue { pthread_mutex_t lock; int length; };
static struct queue *fast, *slow;
static struct queue queues[2];

static void queue_put(struct queue *queue, int count)
{
	pthread_mutex_lock(&queue->lock); /* DEADLOCK */
	queue->length += count;
	pthread_mutex_unlock(&queue->lock);
}

static void drain_into(struct queue *from, struct queue *to)
{
	pthread_mutex_lock(&from->lock);
	queue_put(to, from->length);
	from->length = 0;
	pthread_mutex_unlock(&from->lock);
}

static void *promote(void *argument)
{
	for (;;)
		drain_into(slow, fast);
	return argument;
}

static void *demote(void *argument)
{
	for (;;)
		drain_into(fast, slow);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	fast = &queues[0];
	slow = &queues[1];
	pthread_mutex_init(&fast->lock, 0);
	pthread_mutex_init(&slow->lock, 0);
	pthread_create(&a, 0, promote, 0);
	pthread_create(&b, 0, demote, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
