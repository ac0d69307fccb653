#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SHARDS 8
struct shard { pthread_mutex_t mtx; int keys[100], values[100], count; };
static struct shard shards[SHARDS];

static struct shard *shard_of(int key) { return &shards[(unsigned)key % SHARDS]; }

static void rename_key(int old, int new)
{
    struct shard *src = shard_of(old);
    struct shard *dst = shard_of(new);

    pthread_mutex_lock(&src->mtx);
    if (dst != src)
        pthread_mutex_lock(&dst->mtx); /* DEADLOCK */
    if (src->count > 0) {
        dst->values[dst->count++ % 100] = src->values[--src->count];
    }
    if (dst != src)
        pthread_mutex_unlock(&dst->mtx);
    pthread_mutex_unlock(&src->mtx);
}

static void *worker(void *arg)
{
    unsigned seed = (unsigned)(unsigned long)arg;
    for (int i = 0; i < 1000; i++)
        rename_key(rand_r(&seed), rand_r(&seed));
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&shards[i].mtx, NULL);
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
