#include <pthread.h>

typedef struct tank {
    pthread_mutex_t guard;
    long litres;
} tank;

static tank north = { PTHREAD_MUTEX_INITIALIZER, 1000 };
static tank south = { PTHREAD_MUTEX_INITIALIZER, 1000 };

static void drain(tank *t, long n)
{
    pthread_mutex_lock(&t->guard);
    t->litres -= n; // NORACE
    pthread_mutex_unlock(&t->guard);
}

static void fill(tank *t, tank *from, long n)
{
    pthread_mutex_lock(&t->guard);
    t->litres += n; // NORACE
    pthread_mutex_unlock(&t->guard);
    (void)from;
}

static void *pump_south(void *arg)
{
    for (int i = 0; i < 100; i++) {
        drain(&north, 3);
        fill(&south, &north, 3);
    }
    return arg;
}

static void *pump_north(void *arg)
{
    for (int i = 0; i < 100; i++) {
        drain(&south, 2);
        fill(&north, &south, 2);
    }
    return arg;
}

int main(void)
{
    pthread_t p, q;
    pthread_create(&p, NULL, pump_south, NULL);
    pthread_create(&q, NULL, pump_north, NULL);
    pthread_join(p, NULL);
    pthread_join(q, NULL);
    return (int)(north.litres + south.litres);
}
