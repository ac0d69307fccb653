#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct counter {
    pthread_mutex_t lock;
    bool threaded;
    long n;
    long limit;
};

static long counter_add(struct counter *c, long by)
{
    bool locked = false;
    long now;

    if (c->threaded) {
        pthread_mutex_lock(&c->lock); /* DOUBLE-LOCK */
        locked = true;
    }
    if (c->n + by > c->limit) {
        return -1;
    }
    now = c->n += by;
    if (locked)
        pthread_mutex_unlock(&c->lock);
    return now;
}

static void counter_reset(struct counter *c)
{
    if (c->threaded)
        pthread_mutex_lock(&c->lock);
    c->n = 0;
    if (c->threaded)
        pthread_mutex_unlock(&c->lock);
}

static struct counter counter = { PTHREAD_MUTEX_INITIALIZER, true, 0, 100 };

static void *adder(void *arg)
{
    for (int i = 0; i < 80; i++)
        counter_add(&counter, 1); /* TODO LEAK: the next round is taken for the one that lets it go */
    return arg;
}

int main(void)
{
    pthread_t a, b;

    counter_reset(&counter);
    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld\n", counter.n);
    return 0;
}
