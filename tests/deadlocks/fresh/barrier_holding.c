#include <pthread.h>
#include <stdio.h>

#define WORKERS 3

static pthread_barrier_t phase;
static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static long crunch(long seed)
{
    for (int i = 0; i < 1000; i++)
        seed = seed * 31 + 7;
    return seed & 0xff;
}

static void *worker(void *arg)
{
    long part = crunch((long)arg);

    pthread_mutex_lock(&sum_lock);
    sum += part;
    pthread_barrier_wait(&phase); /* DEADLOCK */
    pthread_mutex_unlock(&sum_lock);
    part = crunch(sum);
    pthread_mutex_lock(&sum_lock);
    sum ^= part;
    pthread_mutex_unlock(&sum_lock);
    return NULL;
}

int main(void)
{
    pthread_t t[WORKERS];

    pthread_barrier_init(&phase, NULL, WORKERS);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    printf("%ld\n", sum);
    return 0;
}
