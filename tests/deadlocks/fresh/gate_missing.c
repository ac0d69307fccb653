#include <pthread.h>
#include <stdlib.h>

/* Whoever takes two takes the gate first; one forgot. */
struct box { pthread_mutex_t m; int n; };
static struct box boxes[10];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void shift(struct box *from, struct box *to)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&from->m);
    pthread_mutex_lock(&to->m);
    to->n += from->n;
    pthread_mutex_unlock(&to->m);
    pthread_mutex_unlock(&from->m);
    pthread_mutex_unlock(&gate);
}

static void level(struct box *x, struct box *y)
{
    pthread_mutex_lock(&x->m);
    pthread_mutex_lock(&y->m); /* DEADLOCK */
    x->n = y->n = (x->n + y->n) / 2;
    pthread_mutex_unlock(&y->m);
    pthread_mutex_unlock(&x->m);
}

static void *mover(void *arg)
{
    unsigned seed = 1;
    for (int i = 0; i < 100; i++)
        shift(&boxes[rand_r(&seed) % 10], &boxes[rand_r(&seed) % 10]);
    return arg;
}

static void *leveller(void *arg)
{
    unsigned seed = 2;
    for (int i = 0; i < 100; i++)
        level(&boxes[rand_r(&seed) % 10], &boxes[rand_r(&seed) % 10]);
    return arg;
}

static void setup(void)
{
    for (int i = 0; i < 10; i++)
        pthread_mutex_init(&boxes[i].m, NULL);
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, mover, NULL);
    pthread_create(&b, NULL, leveller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
