/* Why a lock is not held where it is let go: it was let go before, here or by a callee; it could not be taken; it was not taken
 * yet; it is never taken. A helper that lets go for its callers is right, and the caller that does not have it is wrong. */
#include <pthread.h>
#include <stdlib.h>

struct store { pthread_mutex_t lock; int size, open, used; char *data; };
static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries;
int store_flush(struct store *store);
int store_check(struct store *store);
void store_report(struct store *store, const char *what, int number);

int store_grow(struct store *store, int size)
{
	pthread_mutex_lock(&store->lock);
	if (size < store->size) {
		pthread_mutex_unlock(&store->lock);
		store_report(store, "shrinks", size);
		goto out;
	}
	store->size = size;
out:
	pthread_mutex_unlock(&store->lock); /* UNHELD@twice */
	return store->open;
}

static int store_write(struct store *store, int at)
{
	if (at >= store->size) {
		pthread_mutex_unlock(&store->lock); /* NOUNHELD: the caller has it */
		return -1;
	}
	store->data[at] = 0;
	return 0;
}

int store_clear(struct store *store, int at)
{
	int error;
	pthread_mutex_lock(&store->lock);
	error = store_write(store, at);
	if (error) {
		pthread_mutex_unlock(&store->lock); /* UNHELD@below */
		return error;
	}
	store->used = at;
	pthread_mutex_unlock(&store->lock); /* NOUNHELD */
	return 0;
}

int store_open(struct store *store)
{
	int error = -1;
	if (!store->data)
		goto out;
	if (store_check(store))
		goto out;
	pthread_mutex_lock(&store->lock);
	store->open = 1;
	error = store_flush(store);
out:
	pthread_mutex_unlock(&store->lock); /* UNHELD@early */
	return error;
}

static int store_enter(struct store *store)
{
	if (pthread_mutex_trylock(&store->lock))
		return -1;
	return 0;
}

static void store_leave(struct store *store)
{
	pthread_mutex_unlock(&store->lock); /* UNHELD: the same by a wrapper */
}

int store_peek(struct store *store)
{
	int size;
	if (store_enter(store) < 0) {
		store_leave(store); /* UNHELD */
		return -1;
	}
	size = store->size;
	store_leave(store); /* NOUNHELD */
	return size;
}

int index_add(struct store *store, int number)
{
	if (number < 0) {
		store_report(store, "negative", number);
		return -1;
	}
	if (store_check(store)) {
		store_report(store, "broken", number);
		pthread_mutex_unlock(&index_lock); /* UNHELD */
		return -1;
	}
	store_report(store, "added", number);
	return store_flush(store);
}

int index_size(void)
{
	int size;
	pthread_mutex_lock(&index_lock);
	size = entries;
	pthread_mutex_unlock(&index_lock); /* NOUNHELD */
	return size;
}
