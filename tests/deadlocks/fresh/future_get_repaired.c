#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct future {
    pthread_mutex_t mtx;
    pthread_cond_t cv;
    int set;
    int value;
} future;

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static int cache[16];

static future *future_new(void)
{
    future *f = calloc(1, sizeof *f);

    pthread_mutex_init(&f->mtx, NULL);
    pthread_cond_init(&f->cv, NULL);
    return f;
}

static void future_set(future *f, int v)
{
    pthread_mutex_lock(&f->mtx);
    f->value = v;
    f->set = 1;
    pthread_cond_signal(&f->cv);
    pthread_mutex_unlock(&f->mtx);
}

static int future_get(future *f)
{
    int v;

    pthread_mutex_lock(&f->mtx);
    while (!f->set)
        pthread_cond_wait(&f->cv, &f->mtx);
    v = f->value;
    pthread_mutex_unlock(&f->mtx);
    return v;
}

static void *compute(void *arg)
{
    int v = 0;

    pthread_mutex_lock(&cache_lock);
    for (int i = 0; i < 16; i++)
        v += cache[i];
    pthread_mutex_unlock(&cache_lock);
    future_set(arg, v);
    return NULL;
}

static int cached_sum(int slot)
{
    pthread_t t;
    future *f = future_new();
    int v;

    pthread_create(&t, NULL, compute, f);
    v = future_get(f);
    pthread_mutex_lock(&cache_lock);
    cache[slot] = v;
    pthread_mutex_unlock(&cache_lock);
    pthread_join(t, NULL);
    free(f);
    return v;
}

int main(void)
{
    cache[3] = 4;
    printf("%d\n", cached_sum(2));
    return 0;
}
