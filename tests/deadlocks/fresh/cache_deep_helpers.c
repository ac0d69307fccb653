#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A page cache with an index; the index is five calls away from the eviction. */
typedef struct page {
    struct page *next;
    unsigned key;
    char data[32];
} page_t;

typedef struct index {
    pthread_mutex_t mtx;
    unsigned keys[64];
    int used;
} index_t;

typedef struct cache {
    pthread_mutex_t mtx;
    page_t *head;
    index_t *idx;
    int count;
} cache_t;

static void index_forget_locked(index_t *ix, unsigned key)
{
    for (int i = 0; i < ix->used; i++)
        if (ix->keys[i] == key) {
            ix->keys[i] = ix->keys[--ix->used];
            break;
        }
}

static void index_remove(index_t *ix, unsigned key)
{
    pthread_mutex_lock(&ix->mtx); /* DEADLOCK */
    index_forget_locked(ix, key);
    pthread_mutex_unlock(&ix->mtx);
}

static void page_unlink(cache_t *c, page_t *p)
{
    index_remove(c->idx, p->key);
    free(p);
}

static void drop_tail(cache_t *c)
{
    page_t **pp = &c->head;
    while (*pp && (*pp)->next)
        pp = &(*pp)->next;
    if (*pp) {
        page_t *victim = *pp;
        *pp = NULL;
        c->count--;
        page_unlink(c, victim);
    }
}

static void shrink(cache_t *c, int want)
{
    while (c->count > want)
        drop_tail(c);
}

static void balance(cache_t *c)
{
    if (c->count > 8)
        shrink(c, 4);
}

static void cache_insert(cache_t *c, unsigned key)
{
    page_t *p = calloc(1, sizeof *p);
    if (!p)
        return;
    p->key = key;
    pthread_mutex_lock(&c->mtx);
    p->next = c->head;
    c->head = p;
    c->count++;
    balance(c);
    pthread_mutex_unlock(&c->mtx);
}

static int cache_has(cache_t *c, unsigned key)
{
    int found = 0;
    pthread_mutex_lock(&c->mtx); /* DEADLOCK */
    for (page_t *p = c->head; p; p = p->next)
        found |= p->key == key;
    pthread_mutex_unlock(&c->mtx);
    return found;
}

static void index_scrub(cache_t *c)
{
    index_t *ix = c->idx;

    pthread_mutex_lock(&ix->mtx);
    for (int i = 0; i < ix->used; i++)
        if (!cache_has(c, ix->keys[i]))
            index_forget_locked(ix, ix->keys[i]);
    pthread_mutex_unlock(&ix->mtx);
}

static void *filler(void *arg)
{
    for (unsigned i = 0; i < 200; i++)
        cache_insert(arg, i);
    return NULL;
}

static void *scrubber(void *arg)
{
    for (int i = 0; i < 50; i++)
        index_scrub(arg);
    return NULL;
}

int main(void)
{
    index_t *ix = calloc(1, sizeof *ix);
    cache_t *c = calloc(1, sizeof *c);
    pthread_t a, b;

    pthread_mutex_init(&ix->mtx, NULL);
    pthread_mutex_init(&c->mtx, NULL);
    c->idx = ix;
    ix->keys[ix->used++] = 3;
    pthread_create(&a, NULL, filler, c);
    pthread_create(&b, NULL, scrubber, c);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
