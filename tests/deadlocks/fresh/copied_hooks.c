#include <pthread.h>
#include <stdlib.h>

/* Hooks are copied from what the user gave; one is called with the pool's lock held. */
struct hooks { void (*grown)(void *pool); void (*empty)(void *pool); };
struct pool { pthread_mutex_t lock; struct hooks hooks; int free; };

struct pool *pool_make(const struct hooks *hooks)
{
    struct pool *p = calloc(1, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    p->hooks = *hooks;
    return p;
}

int pool_free_count(struct pool *p)
{
    int n;
    pthread_mutex_lock(&p->lock);
    n = p->free;
    pthread_mutex_unlock(&p->lock);
    return n;
}

int pool_get(struct pool *p)
{
    int got = 0;
    pthread_mutex_lock(&p->lock);
    if (p->free) {
        p->free--;
        got = 1;
    } else
        p->hooks.empty(p); /* DEADLOCK */
    pthread_mutex_unlock(&p->lock);
    return got;
}

void pool_grow(struct pool *p, int by)
{
    pthread_mutex_lock(&p->lock);
    p->free += by;
    pthread_mutex_unlock(&p->lock);
    p->hooks.grown(p);
}
