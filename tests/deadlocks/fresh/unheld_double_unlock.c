#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static void *pool[8];
static int npool;

static void *pool_get(size_t size)
{
    void *p = NULL;

    pthread_mutex_lock(&pool_lock);
    if (npool > 0) {
        p = pool[--npool];
        goto done;
    }
    pthread_mutex_unlock(&pool_lock);
    p = malloc(size);
    if (!p)
        fprintf(stderr, "out of memory\n");
    goto done;
done:
    pthread_mutex_unlock(&pool_lock); /* UNHELD */
    return p;
}

static void pool_put(void *p)
{
    pthread_mutex_lock(&pool_lock);
    if (npool < 8) {
        pool[npool++] = p;
        p = NULL;
    }
    pthread_mutex_unlock(&pool_lock);
    free(p);
}

static void *churn(void *arg)
{
    for (int i = 0; i < 100; i++) {
        void *a = pool_get(64), *b = pool_get(64);
        pool_put(a);
        pool_put(b);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, churn, NULL);
    pthread_create(&b, NULL, churn, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
