/* All the ways to make a mutex recursive, and some that look like them and do not. */
#include <pthread.h>
#include <threads.h>

struct store { pthread_mutex_t by_helper, by_error_check, plain; mtx_t timed, simple; };
static pthread_mutexattr_t shared_attributes;
static pthread_mutex_t by_shared, by_value = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, normal = PTHREAD_MUTEX_INITIALIZER;
static struct queue { int length; pthread_mutex_t lock; } queues[2] = {
	[0] = { .length = 3, .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP },
};
static int count;

static void make_recursive(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(mutex, &attributes);
}
static void make_twice_removed(pthread_mutex_t *mutex) { make_recursive(mutex); }

void store_make(struct store *store)
{
	pthread_mutexattr_t checked;
	pthread_mutexattr_init(&checked);
	pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
	make_twice_removed(&store->by_helper);
	pthread_mutex_init(&store->by_error_check, &checked);
	pthread_mutex_init(&store->plain, NULL);
	mtx_init(&store->timed, mtx_timed | mtx_recursive);
	mtx_init(&store->simple, mtx_plain);
	pthread_mutex_init(&by_shared, &shared_attributes);
}
void attributes_make(void)
{
	pthread_mutexattr_settype(&shared_attributes, PTHREAD_MUTEX_RECURSIVE);
}

static void again(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	count++;
	pthread_mutex_unlock(mutex);
}
void take_helper(struct store *store)
{
	pthread_mutex_lock(&store->by_helper);
	pthread_mutex_lock(&store->by_helper); /* NODOUBLE-LOCK */
	count++;
	pthread_mutex_unlock(&store->by_helper);
	pthread_mutex_unlock(&store->by_helper); /* NOUNHELD */
}
void take_checked(struct store *store)
{
	pthread_mutex_lock(&store->by_error_check);
	pthread_mutex_lock(&store->by_error_check); /* DOUBLE-LOCK */
	count++;
	pthread_mutex_unlock(&store->by_error_check);
}
void take_plain(struct store *store)
{
	pthread_mutex_lock(&store->plain);
	pthread_mutex_lock(&store->plain); /* DOUBLE-LOCK */
	count++;
	pthread_mutex_unlock(&store->plain);
}
void take_timed(struct store *store)
{
	mtx_lock(&store->timed);
	mtx_lock(&store->timed); /* NODOUBLE-LOCK */
	count++;
	mtx_unlock(&store->timed);
	mtx_unlock(&store->timed); /* NOUNHELD */
}
void take_simple(struct store *store)
{
	mtx_lock(&store->simple);
	mtx_lock(&store->simple); /* DOUBLE-LOCK */
	count++;
	mtx_unlock(&store->simple);
}
void take_globals(struct queue *queue)
{
	pthread_mutex_lock(&by_shared);
	again(&by_shared);
	pthread_mutex_unlock(&by_shared); /* NOUNHELD */
	pthread_mutex_lock(&by_value);
	pthread_mutex_lock(&by_value); /* NODOUBLE-LOCK */
	count++;
	pthread_mutex_unlock(&by_value);
	pthread_mutex_unlock(&by_value);
	pthread_mutex_lock(&queue->lock);
	pthread_mutex_lock(&queue->lock); /* NODOUBLE-LOCK */
	queue->length++;
	pthread_mutex_unlock(&queue->lock);
	pthread_mutex_unlock(&queue->lock);
}
void take_normal(void)
{
	pthread_mutex_lock(&normal);
	pthread_mutex_lock(&normal); /* DOUBLE-LOCK */
	count++;
	pthread_mutex_unlock(&normal);
}
