#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define SLOTS 4

struct ring {
    sem_t empty, full;
    pthread_mutex_t mtx;
    int buf[SLOTS];
    int in, out;
};

static struct ring ring;
static pthread_mutex_t acct = PTHREAD_MUTEX_INITIALIZER;
static int outstanding;

static void ring_put(struct ring *r, int v)
{
    sem_wait(&r->empty); /* DEADLOCK */
    pthread_mutex_lock(&r->mtx);
    r->buf[r->in++ % SLOTS] = v;
    pthread_mutex_unlock(&r->mtx);
    sem_post(&r->full);
}

static int ring_get(struct ring *r)
{
    int v;

    sem_wait(&r->full);
    pthread_mutex_lock(&r->mtx);
    v = r->buf[r->out++ % SLOTS];
    pthread_mutex_unlock(&r->mtx);
    return v;
}

static void *producer(void *arg)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&acct);
        outstanding++;
        ring_put(&ring, i);
        pthread_mutex_unlock(&acct);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 0; i < 100; i++) {
        ring_get(&ring);
        pthread_mutex_lock(&acct);
        outstanding--;
        pthread_mutex_unlock(&acct);
        sem_post(&ring.empty);
    }
    return arg;
}

int main(void)
{
    pthread_t p, c;

    sem_init(&ring.empty, 0, SLOTS);
    sem_init(&ring.full, 0, 0);
    pthread_mutex_init(&ring.mtx, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return outstanding;
}
