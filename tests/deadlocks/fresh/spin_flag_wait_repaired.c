#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t conf = PTHREAD_MUTEX_INITIALIZER;
static atomic_int acknowledged;
static int generation;

static void *follower(void *arg)
{
    int seen = 0;

    for (;;) {
        pthread_mutex_lock(&conf);
        int now = generation;
        pthread_mutex_unlock(&conf);
        if (now < 0)
            break;
        if (now != seen) {
            seen = now;
            atomic_store(&acknowledged, seen);
        }
        sched_yield();
    }
    return arg;
}

static void bump(void)
{
    int want;

    pthread_mutex_lock(&conf);
    want = ++generation;
    pthread_mutex_unlock(&conf);
    while (atomic_load(&acknowledged) != want)
        sched_yield();
}

int main(void)
{
    pthread_t f;

    pthread_create(&f, NULL, follower, NULL);
    bump();
    bump();
    pthread_mutex_lock(&conf);
    generation = -1;
    pthread_mutex_unlock(&conf);
    pthread_join(f, NULL);
    return 0;
}
