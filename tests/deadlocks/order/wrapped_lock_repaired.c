/* wrapped_lock.c, mended. A lock in other clothes: a record that has a lock and nothing else, with functions of its own. The locks of two objects are two
 * locks, not one, although one line takes both. */
#include <pthread.h>

struct mutex_box { pthread_mutex_t lock; };

void box_lock(struct mutex_box *box) { pthread_mutex_lock(&box->lock); }
void box_unlock(struct mutex_box *box) { pthread_mutex_unlock(&box->lock); }

struct queue { struct mutex_box lock; int length; };
struct server { struct mutex_box lock; struct queue *queue; int open; };

void *server_close(void *argument)
{
	struct server *server = argument;
	box_lock(&server->lock); /* NODEADLOCK */
	box_lock(&server->queue->lock); /* NODEADLOCK */
	server->queue->length = 0;
	box_unlock(&server->queue->lock);
	box_unlock(&server->lock);
	return 0;
}

void *queue_drain(void *argument)
{
	struct server *server = argument;
	int length;
	box_lock(&server->queue->lock); /* NODEADLOCK */
	length = server->queue->length;
	box_unlock(&server->queue->lock);
	if (length) {
		box_lock(&server->lock); /* NODEADLOCK */
		server->open = 0;
		box_unlock(&server->lock);
	}
	return 0;
}

int queue_put(struct queue *queue, int most)
{
	box_lock(&queue->lock);
	if (queue->length == most) {
		box_unlock(&queue->lock);
		return -1; /* NOLEAK */
	}
	queue->length++;
	box_unlock(&queue->lock);
	return 0;
}

int main(void)
{
	static struct queue queue;
	static struct server server = { .queue = &queue };
	pthread_t a, b;
	pthread_create(&a, 0, server_close, &server);
	pthread_create(&b, 0, queue_drain, &server);
	queue_put(&queue, 3);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
