#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct queue { pthread_mutex_t *lock; int len; struct queue *overflow; };
struct worker { struct queue *q; struct worker *next; pthread_t tid; };

static struct queue *make_queue(void)
{
    struct queue *q = malloc(sizeof *q);

    q->lock = malloc(sizeof *q->lock);
    pthread_mutex_init(q->lock, NULL);
    q->len = 0;
    q->overflow = NULL;
    return q;
}

static void spill(struct queue *from)
{
    struct queue *to = from->overflow;

    pthread_mutex_lock(from->lock);
    int half = from->len / 2;
    from->len -= half;
    pthread_mutex_unlock(from->lock);
    pthread_mutex_lock(to->lock);
    to->len += half;
    pthread_mutex_unlock(to->lock);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;

    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(w->q->lock);
        w->q->len += 2;
        pthread_mutex_unlock(w->q->lock);
        spill(w->q);
    }
    return NULL;
}

int main(void)
{
    struct worker w[2];

    for (int i = 0; i < 2; i++)
        w[i].q = make_queue();
    w[0].q->overflow = w[1].q;
    w[1].q->overflow = w[0].q;
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i].tid, NULL, worker_main, &w[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i].tid, NULL);
    printf("%d %d\n", w[0].q->len, w[1].q->len);
    return 0;
}
