#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>

typedef void (*job_fn)(void *);
typedef struct Job { job_fn fn; void *ud; struct Job *next; } Job;

typedef struct Pool {
    pthread_mutex_t m;
    pthread_cond_t  more;
    Job            *first, **last;
    bool            stopping;
    int             nthreads;
    pthread_t       tid[4];
} Pool;

static void *pool_main(void *vp) {
    Pool *p = vp;
    for (;;) {
        pthread_mutex_lock(&p->m);
        while (!p->first && !p->stopping)
            pthread_cond_wait(&p->more, &p->m);
        if (!p->first) {
            pthread_mutex_unlock(&p->m);
            return NULL;
        }
        Job *j = p->first;
        p->first = j->next;
        if (!p->first) p->last = &p->first;
        pthread_mutex_unlock(&p->m);
        j->fn(j->ud);
        free(j);
    }
}

static Pool *pool_new(int n) {
    Pool *p = calloc(1, sizeof *p);
    pthread_mutex_init(&p->m, NULL);
    pthread_cond_init(&p->more, NULL);
    p->last = &p->first;
    p->nthreads = n;
    for (int i = 0; i < n; i++)
        pthread_create(&p->tid[i], NULL, pool_main, p);
    return p;
}

static void pool_add(Pool *p, job_fn fn, void *ud) {
    Job *j = malloc(sizeof *j);
    *j = (Job){ fn, ud, NULL };
    pthread_mutex_lock(&p->m);
    *p->last = j;
    p->last = &j->next;
    pthread_cond_signal(&p->more);
    pthread_mutex_unlock(&p->m);
}

static void pool_free(Pool *p) {
    p->stopping = true; // RACE!
    pthread_mutex_lock(&p->m);
    pthread_cond_broadcast(&p->more);
    pthread_mutex_unlock(&p->m);
    for (int i = 0; i < p->nthreads; i++)
        pthread_join(p->tid[i], NULL);
    pthread_cond_destroy(&p->more);
    pthread_mutex_destroy(&p->m);
    free(p);
}

static void square(void *ud) {
    int *v = ud;
    *v *= *v;
}

int main(void) {
    int v[32];
    Pool *p = pool_new(4);
    for (int i = 0; i < 32; i++) {
        v[i] = i;
        pool_add(p, square, &v[i]);
    }
    pool_free(p);
    printf("%d\n", v[31]);
    return 0;
}
