#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct meter {
    pthread_mutex_t mtx;
    long total;
    int readings;
};

static struct meter meter = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static long scale(long v)
{
    return v * 3 / 2;
}

static void meter_compound(struct meter *m)
{
    long t;

    pthread_mutex_lock(&m->mtx);
    t = m->total;
    pthread_mutex_unlock(&m->mtx);
    t = scale(t) + 1;
    pthread_mutex_lock(&m->mtx);
    m->total = t; /* STALE-COPY */
    m->readings++;
    pthread_mutex_unlock(&m->mtx);
}

static void meter_add(struct meter *m, long v)
{
    pthread_mutex_lock(&m->mtx);
    m->total += v;
    pthread_mutex_unlock(&m->mtx);
}

static void *compounder(void *arg)
{
    for (int i = 0; i < 10; i++)
        meter_compound(arg);
    return NULL;
}

static void *adder(void *arg)
{
    for (int i = 0; i < 100; i++)
        meter_add(arg, i);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, compounder, &meter);
    pthread_create(&b, NULL, adder, &meter);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%ld\n", meter.total);
    return 0;
}
