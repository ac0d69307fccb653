#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task {
    struct task *next;
    void (*fn)(void *);
    void *arg;
};

struct pool {
    pthread_mutex_t mu;
    pthread_cond_t work, idle;
    struct task *tasks;
    int active, quit;
    pthread_t thread;
};

static struct pool pool;

static void *pool_thread(void *arg)
{
    struct pool *p = arg;

    pthread_mutex_lock(&p->mu);
    while (!p->quit) {
        struct task *t = p->tasks;
        if (!t) {
            pthread_cond_wait(&p->work, &p->mu);
            continue;
        }
        p->tasks = t->next;
        p->active = 1;
        pthread_mutex_unlock(&p->mu);
        t->fn(t->arg);
        free(t);
        pthread_mutex_lock(&p->mu);
        p->active = 0;
        pthread_cond_broadcast(&p->idle);
    }
    pthread_mutex_unlock(&p->mu);
    return NULL;
}

static void pool_submit(struct pool *p, void (*fn)(void *), void *arg)
{
    struct task *t = malloc(sizeof *t);

    t->fn = fn;
    t->arg = arg;
    pthread_mutex_lock(&p->mu);
    t->next = p->tasks;
    p->tasks = t;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->mu);
}

static void pool_flush(struct pool *p)
{
    pthread_mutex_lock(&p->mu);
    while (p->tasks || p->active)
        pthread_cond_wait(&p->idle, &p->mu);
    pthread_mutex_unlock(&p->mu);
}

static pthread_mutex_t doc_lock = PTHREAD_MUTEX_INITIALIZER;
static int doc_version;

static void save_task(void *arg)
{
    pthread_mutex_lock(&doc_lock);
    *(int *)arg = doc_version;
    pthread_mutex_unlock(&doc_lock);
}

int main(void)
{
    static int saved;

    pthread_mutex_init(&pool.mu, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.idle, NULL);
    pthread_create(&pool.thread, NULL, pool_thread, &pool);
    pthread_mutex_lock(&doc_lock);
    doc_version++;
    pthread_mutex_unlock(&doc_lock);
    pool_submit(&pool, save_task, &saved);
    pool_flush(&pool);
    pthread_mutex_lock(&pool.mu);
    pool.quit = 1;
    pthread_cond_signal(&pool.work);
    pthread_mutex_unlock(&pool.mu);
    pthread_join(pool.thread, NULL);
    return saved;
}
