#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t gc_lock = PTHREAD_MUTEX_INITIALIZER;
static int garbage, collected;

static void collect_some(void)
{
    int n = garbage < 10 ? garbage : 10;

    garbage -= n;
    collected += n;
}

static int maybe_gc(void)
{
    int busy = 0;

    if (pthread_mutex_trylock(&gc_lock) == 0)
        collect_some();
    else
        busy = 1;
    pthread_mutex_unlock(&gc_lock); /* UNHELD */
    return busy;
}

static void litter(int n)
{
    pthread_mutex_lock(&gc_lock);
    garbage += n;
    pthread_mutex_unlock(&gc_lock);
}

static void *mutator(void *arg)
{
    for (int i = 0; i < 200; i++) {
        litter(i);
        maybe_gc();
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, mutator, NULL);
    pthread_create(&b, NULL, mutator, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", collected);
    return 0;
}
