#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>

typedef struct timerq {
    pthread_t tid;
    pthread_mutex_t mtx;
    pthread_cond_t cv;
    int stop, fired;
} timerq;

static void *timerq_loop(void *arg)
{
    timerq *q = arg;

    pthread_mutex_lock(&q->mtx);
    while (!q->stop) {
        q->fired++;
        pthread_cond_wait(&q->cv, &q->mtx);
    }
    pthread_mutex_unlock(&q->mtx);
    return NULL;
}

static timerq *timerq_new(void)
{
    timerq *q = calloc(1, sizeof *q);

    pthread_mutex_init(&q->mtx, NULL);
    pthread_cond_init(&q->cv, NULL);
    if (pthread_create(&q->tid, NULL, timerq_loop, q)) {
        free(q);
        return NULL;
    }
    return q;
}

static void timerq_delete(timerq *q)
{
    if (!q)
        return;
    pthread_mutex_lock(&q->mtx);
    q->stop = 1;
    pthread_cond_signal(&q->cv);
    pthread_mutex_unlock(&q->mtx);
    pthread_join(q->tid, NULL);
    pthread_mutex_destroy(&q->mtx);
    free(q);
}

int main(void)
{
    timerq *q = timerq_new();

    timerq_delete(q);
    return 0;
}
