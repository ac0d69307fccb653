/* Locks in records of their own, taken by wrappers of wrappers: each layer asks for the one below, tries again when it was
 * interrupted, and gives up by a function that prints and never comes back, though nothing says so. The lock is the member it
 * is in, wherever it is taken: here both ways take them in one order. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct base_lock { pthread_mutex_t raw; };
struct queue { struct base_lock lock; int length; };
struct store { struct base_lock lock; int used; };
static int forked;

static void stop_here(void) { abort(); }
static void give_up(const char *why)
{
	fprintf(stderr, "%s\n", why);
	stop_here();
}
static void raw_lock(pthread_mutex_t *raw)
{
	int error;
	do {
		error = pthread_mutex_lock(raw);
	} while (error == EAGAIN);
	if (error != 0)
		give_up("lock");
}
static void raw_unlock(pthread_mutex_t *raw)
{
	int error;
	if ((error = pthread_mutex_unlock(raw)) != 0)
		give_up("unlock");
}
static void base_lock(struct base_lock *lock)
{
	if (forked)
		give_up("forked");
	raw_lock(&lock->raw);
}
static void base_unlock(struct base_lock *lock) { raw_unlock(&lock->raw); }
void core_lock(struct base_lock *lock) { base_lock(lock); }
void core_unlock(struct base_lock *lock) { base_unlock(lock); }
void user_lock(struct base_lock *lock) { core_lock(lock); }
void user_unlock(struct base_lock *lock) { core_unlock(lock); }
void queue_unlock(struct queue *queue) { user_unlock(&queue->lock); }

void store_flush(struct store *store, struct queue *queue)
{
	user_lock(&store->lock);
	user_lock(&queue->lock); /* NODEADLOCK */
	store->used -= queue->length;
	queue_unlock(queue);
	user_unlock(&store->lock);
}

void queue_drain(struct queue *queue, struct store *store)
{
	user_lock(&store->lock);
	user_lock(&queue->lock); /* NODEADLOCK */
	queue->length = store->used;
	queue_unlock(queue);
	user_unlock(&store->lock);
}

void queue_clear(struct queue *queue)
{
	user_lock(&queue->lock);
	queue->length = 0;
	queue_unlock(queue);
	user_lock(&queue->lock); /* NODOUBLE: it was let go */
	queue->length = 1;
	queue_unlock(queue); /* NOUNHELD */
}
