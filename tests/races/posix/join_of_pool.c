/* Who ends a pool asks something else first, and leaves its threads alone. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    int count;
    pthread_t threads[8];
};
static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *pool_work(void *pool) {
    (void)pool;
    pthread_mutex_lock(&sum_lock);
    sum++; /* RACE */
    pthread_mutex_unlock(&sum_lock);
    return NULL;
}

static struct pool *pool_make(int count) {
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pool->count = count;
    for (int i = 0; i < count; i++)
        pthread_create(&pool->threads[i], NULL, pool_work, pool);
    return pool;
}

static void pool_end(struct pool *pool, const char *word) {
    if (!word)
        return;
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    free(pool);
}

int main(int count, char **words) {
    struct pool *pool = pool_make(8);
    pool_end(pool, words[count - 1]);
    sum += 2; /* RACE */
    return 0;
}
