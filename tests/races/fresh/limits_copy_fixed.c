#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct limits {
    int soft, hard;
    long long burst;
};

static struct limits current = { 10, 20, 1000 };
static pthread_mutex_t current_mtx = PTHREAD_MUTEX_INITIALIZER;

static struct limits get_limits(void)
{
    struct limits copy;
    pthread_mutex_lock(&current_mtx);
    copy = current; // NORACE
    pthread_mutex_unlock(&current_mtx);
    return copy;
}

static void set_limits(const struct limits *l)
{
    pthread_mutex_lock(&current_mtx);
    current = *l; // NORACE
    pthread_mutex_unlock(&current_mtx);
}

static void *tuner(void *arg)
{
    for (int i = 1; i < 100; i++) {
        struct limits l = { i, 2 * i, 100LL * i };
        set_limits(&l);
        usleep(10);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, tuner, NULL);
    for (int i = 0; i < 100; i++) {
        struct limits l = get_limits();
        if (l.hard < l.soft)
            printf("torn: %d %d %lld\n", l.soft, l.hard, l.burst);
    }
    pthread_join(t, NULL);
    return 0;
}
