#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct xlock { atomic_int v; };

static void x_lock(struct xlock *l)
{
    while (atomic_exchange(&l->v, 1))
        ;
}

static void x_unlock(struct xlock *l)
{
    atomic_store(&l->v, 0);
}

struct heap {
    struct xlock lk;
    int used, limit, gcs;
    int marks[32];
};

static struct heap heap = { .limit = 16 };

static void heap_sweep(struct heap *h)
{
    x_lock(&h->lk); /* DOUBLE-LOCK */
    memset(h->marks, 0, sizeof h->marks);
    h->used /= 2;
    x_unlock(&h->lk);
}

static void collect(struct heap *h)
{
    h->gcs++;
    heap_sweep(h);
}

static int make_room(struct heap *h, int n)
{
    if (h->used + n <= h->limit)
        return 0;
    collect(h);
    return h->used + n <= h->limit ? 0 : -1;
}

static int heap_alloc(struct heap *h, int n)
{
    int at = -1;

    x_lock(&h->lk);
    if (make_room(h, n) == 0) {
        at = h->used;
        h->used += n;
    }
    x_unlock(&h->lk);
    return at;
}

static void *mutator(void *arg)
{
    for (int i = 0; i < 10; i++)
        heap_alloc(arg, 3);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, mutator, &heap);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
