#include <pthread.h>
#include <stdlib.h>

struct cache { pthread_rwlock_t rw; long sum; };
static struct cache *caches[2];

static int sync_caches(struct cache *mine, struct cache *theirs)
{
    int changed = 0;
    pthread_rwlock_rdlock(&mine->rw);
    if (pthread_rwlock_trywrlock(&theirs->rw)) {
        pthread_rwlock_unlock(&mine->rw);
        return 0;
    }
    if (theirs->sum != mine->sum) {
        theirs->sum = mine->sum;
        changed = 1;
    }
    pthread_rwlock_unlock(&theirs->rw);
    pthread_rwlock_unlock(&mine->rw);
    return changed;
}

static void *left(void *arg)
{
    for (int i = 0; i < 10; i++)
        sync_caches(caches[0], caches[1]);
    return arg;
}

static void *right(void *arg)
{
    for (int i = 0; i < 10; i++)
        sync_caches(caches[1], caches[0]);
    return arg;
}

static void setup(void)
{
    for (int i = 0; i < 2; i++) {
        caches[i] = calloc(1, sizeof(struct cache));
        pthread_rwlock_init(&caches[i]->rw, NULL);
    }
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
