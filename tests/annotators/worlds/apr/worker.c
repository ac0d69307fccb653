/* A server's workers: the locks of this library, right and wrong. */
#include "apr_pools.h"
#include "apr_thread_proc.h"
#include "apr_thread_mutex.h"
#include "apr_thread_rwlock.h"
#include "apr_thread_cond.h"
#include "apr_global_mutex.h"
#include "apr_atomic.h"

typedef struct {
    apr_thread_mutex_t *lock;
    apr_thread_cond_t *filled;
    int queued, taken, missed;
} queue_t;

static queue_t *queue;
static apr_thread_mutex_t *first, *second, *nested;
static apr_thread_rwlock_t *map_lock;
static apr_global_mutex_t *stats_lock;
static int total, level, mapped, looked, stats, served, warm;
static apr_uint32_t references;

/* A wait that lets go of its mutex. */
static apr_status_t queue_pop(queue_t *q)
{
    apr_status_t rv = apr_thread_mutex_lock(q->lock);
    if (rv != APR_SUCCESS)
        return rv; /* NOLEAK */
    while (!q->queued)
        apr_thread_cond_wait(q->filled, q->lock);
    q->queued--; /* NORACE */
    return apr_thread_mutex_unlock(q->lock);
}

static apr_status_t queue_push(queue_t *q)
{
    apr_status_t rv;
    if ((rv = apr_thread_mutex_trylock(q->lock)) != APR_SUCCESS) {
        q->missed++; /* RACE */
        return rv;
    }
    q->queued++; /* NORACE */
    apr_thread_cond_signal(q->filled);
    return apr_thread_mutex_unlock(q->lock); /* NOUNHELD */
}

static int map_find(void)
{
    int n;
    apr_thread_rwlock_rdlock(map_lock);
    n = mapped; /* NORACE */
    looked++; /* RACE */
    apr_thread_rwlock_unlock(map_lock);
    return n;
}

static void map_add(void)
{
    apr_thread_rwlock_wrlock(map_lock);
    mapped++; /* NORACE */
    apr_thread_rwlock_unlock(map_lock);
}

static void nest(int n)
{
    apr_thread_mutex_lock(nested);
    level = n; /* NORACE */
    if (n)
        nest(n - 1); /* NODOUBLE-LOCK */
    apr_thread_mutex_unlock(nested);
}

static int stats_take(int most)
{
    apr_global_mutex_lock(stats_lock);
    if (stats > most)
        return -1; /* LEAK */
    stats = 0; /* NORACE */
    apr_global_mutex_unlock(stats_lock);
    return 0;
}

static void *APR_THREAD_FUNC listener(apr_thread_t *thread, void *data)
{
    queue_t *q = data;
    apr_thread_mutex_lock(first);
    apr_thread_mutex_lock(second); /* DEADLOCK@orders */
    total++;
    apr_thread_mutex_unlock(second);
    apr_thread_mutex_unlock(first);
    queue_push(q);
    map_add();
    map_find();
    nest(2);
    apr_atomic_inc32(&references); /* NORACE */
    served++; /* RACE@served */
    return NULL;
}

static void *APR_THREAD_FUNC worker(apr_thread_t *thread, void *data)
{
    queue_t *q = data;
    apr_thread_mutex_lock(second);
    apr_thread_mutex_lock(first); /* DEADLOCK@orders */
    total--;
    apr_thread_mutex_unlock(first);
    apr_thread_mutex_unlock(second);
    queue_pop(q);
    queue_push(q);
    map_find();
    nest(3);
    stats_take(9);
    apr_atomic_dec32(&references); /* NORACE */
    served = 0; /* RACE@served */
    apr_thread_exit(thread, APR_SUCCESS);
    return NULL;
}

int main(void)
{
    apr_pool_t *pool;
    apr_thread_t *a, *b[4];
    apr_status_t status;
    int i;

    apr_pool_create(&pool, NULL);
    queue = apr_pcalloc(pool, sizeof *queue);
    apr_thread_mutex_create(&queue->lock, APR_THREAD_MUTEX_DEFAULT, pool);
    apr_thread_mutex_create(&first, APR_THREAD_MUTEX_DEFAULT, pool);
    apr_thread_mutex_create(&second, APR_THREAD_MUTEX_DEFAULT, pool);
    apr_thread_mutex_create(&nested, APR_THREAD_MUTEX_NESTED, pool);
    warm = mapped = 0; /* NORACE */
    apr_thread_create(&a, NULL, listener, queue, pool);
    for (i = 0; i < 4; i++)
        apr_thread_create(&b[i], NULL, worker, queue, pool);
    apr_thread_join(&status, a);
    for (i = 0; i < 4; i++)
        apr_thread_join(&status, b[i]);
    served = 0; /* NORACE */
    return 0;
}
