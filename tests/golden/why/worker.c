// Every line of a small program is asked about.
#include "queue.h"
#include <stdlib.h>
static struct queue queue;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int entries, started;

static int is_full(struct queue *q) { return q->count > 10; }

static void drop(struct queue *q) {
    q->dropped++;
}

static void *work(void *unused) {
    pthread_mutex_lock(&queue.lock);
    while (!queue.count)
        pthread_cond_wait(&queue.filled, &queue.lock);
    queue.count--;
    pthread_mutex_lock(&table);
    entries++;
    pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&queue.lock);
    return unused;
}

static void put(struct queue *q) {
    if (pthread_mutex_trylock(&table) == 0) {
        entries--;
        pthread_mutex_unlock(&table);
    }
    pthread_mutex_lock(&q->lock);
    if (q->full(q))
        drop(q);
    else
        q->count++;
    pthread_mutex_unlock(&q->lock);
    pthread_cond_signal(&q->filled);
    q->dropped = 0;
}

static void never(void) { entries = 7; }

int main(void) {
    pthread_t thread;
    int mine = 0;
    started = 1;
    queue.full = is_full;
    pthread_create(&thread, NULL, work, NULL);
    for (;;) {
        put(&queue);
        mine++;
        if (mine > 100)
            break;
    }
    pthread_join(thread, NULL);
    pthread_mutex_lock(&table);
    pthread_mutex_lock(&queue.lock);
    entries = started;
    pthread_mutex_unlock(&queue.lock);
    return entries;
}
