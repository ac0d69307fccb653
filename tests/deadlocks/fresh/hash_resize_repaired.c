#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct bucket {
    pthread_spinlock_t lock;
    int load;
};

struct map {
    pthread_mutex_t resize_lock;
    struct bucket *buckets;
    int nbuckets;
};

static void map_grow(struct map *m)
{
    pthread_mutex_lock(&m->resize_lock);
    m->nbuckets = m->nbuckets > 4 ? 4 : 8;
    pthread_mutex_unlock(&m->resize_lock);
}

static void map_put(struct map *m, int key)
{
    struct bucket *b = &m->buckets[key & 3];
    int full;

    pthread_spin_lock(&b->lock);
    b->load++;
    full = b->load > 16;
    pthread_spin_unlock(&b->lock);
    if (full)
        map_grow(m);
}

static int map_rehash(struct map *m)
{
    int moved = 0;

    pthread_mutex_lock(&m->resize_lock);
    for (int i = 0; i < 4; i++) {
        pthread_spin_lock(&m->buckets[i].lock);
        moved += m->buckets[i].load;
        m->buckets[i].load = 0;
        pthread_spin_unlock(&m->buckets[i].lock);
    }
    pthread_mutex_unlock(&m->resize_lock);
    return moved;
}

static void *putter(void *arg)
{
    for (int i = 0; i < 1000; i++)
        map_put(arg, i);
    return NULL;
}

static void *rehasher(void *arg)
{
    for (int i = 0; i < 100; i++)
        map_rehash(arg);
    return NULL;
}

int main(void)
{
    struct map *m = calloc(1, sizeof *m);
    pthread_t a, b;

    m->nbuckets = 4;
    m->buckets = calloc(8, sizeof *m->buckets);
    for (int i = 0; i < 8; i++)
        pthread_spin_init(&m->buckets[i].lock, PTHREAD_PROCESS_PRIVATE);
    pthread_mutex_init(&m->resize_lock, NULL);
    pthread_create(&a, NULL, putter, m);
    pthread_create(&b, NULL, rehasher, m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(m->buckets);
    free(m);
    return 0;
}
