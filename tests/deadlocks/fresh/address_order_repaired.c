#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct vec {
    pthread_mutex_t m;
    size_t n;
    int v[16];
} vec;

static void lock_two(vec *a, vec *b)
{
    if (a > b) {
        vec *t = a;
        a = b;
        b = t;
    }
    pthread_mutex_lock(&a->m);
    pthread_mutex_lock(&b->m);
}

static void unlock_two(vec *a, vec *b)
{
    pthread_mutex_unlock(&a->m);
    pthread_mutex_unlock(&b->m);
}

static void vec_swap(vec *x, vec *y)
{
    if (x == y)
        return;
    lock_two(x, y);
    for (int i = 0; i < 16; i++) {
        int t = x->v[i];
        x->v[i] = y->v[i];
        y->v[i] = t;
    }
    size_t n = x->n;
    x->n = y->n;
    y->n = n;
    unlock_two(x, y);
}

static vec *vec_new(void)
{
    vec *v = calloc(1, sizeof(vec));
    pthread_mutex_init(&v->m, NULL);
    return v;
}

struct job {
    vec *x, *y;
};

static void *run(void *arg)
{
    struct job *j = arg;
    for (int i = 0; i < 50; i++)
        vec_swap(j->x, j->y);
    return NULL;
}

int main(void)
{
    vec *p = vec_new(), *q = vec_new();
    struct job one = { p, q }, two = { q, p };
    pthread_t a, b;

    pthread_create(&a, NULL, run, &one);
    pthread_create(&b, NULL, run, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
