#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The snapshot is allocated without the lock; the list may have grown by then. */
struct list {
    pthread_mutex_t mtx;
    int *items;
    size_t len, cap;
};

static struct list list = { .mtx = PTHREAD_MUTEX_INITIALIZER };

static void list_push(struct list *l, int v)
{
    pthread_mutex_lock(&l->mtx);
    if (l->len == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 4;
        l->items = realloc(l->items, l->cap * sizeof *l->items);
    }
    l->items[l->len++] = v;
    pthread_mutex_unlock(&l->mtx);
}

static void list_truncate(struct list *l)
{
    pthread_mutex_lock(&l->mtx);
    l->len = 0;
    pthread_mutex_unlock(&l->mtx);
}

static int list_last(struct list *l)
{
    size_t n;
    int v = -1;

    pthread_mutex_lock(&l->mtx);
    n = l->len;
    pthread_mutex_unlock(&l->mtx);
    if (n == 0)
        return -1;
    pthread_mutex_lock(&l->mtx);
    v = l->items[n - 1]; /* STALE-COPY */
    pthread_mutex_unlock(&l->mtx);
    return v;
}

static void *pusher(void *arg)
{
    for (int i = 0; i < 100; i++) {
        list_push(arg, i);
        if (i % 10 == 0)
            list_truncate(arg);
    }
    return NULL;
}

static void *peeker(void *arg)
{
    for (int i = 0; i < 100; i++)
        list_last(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, pusher, &list);
    pthread_create(&b, NULL, peeker, &list);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
