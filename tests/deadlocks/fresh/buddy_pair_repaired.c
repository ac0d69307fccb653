#include <pthread.h>
#include <stdlib.h>

/* Two of a pair know each other. */
struct twin { struct twin *other; pthread_mutex_t m; int beats; };
static struct twin a, b;

static void beat(struct twin *t)
{
    struct twin *o;
    int beats;
    pthread_mutex_lock(&t->m);
    o = t->other;
    beats = ++t->beats;
    pthread_mutex_unlock(&t->m);
    if (o) {
        pthread_mutex_lock(&o->m);
        o->beats = beats;
        pthread_mutex_unlock(&o->m);
    }
}

static void *one(void *arg) { beat(&a); return arg; }
static void *two(void *arg) { beat(&b); return arg; }

static void marry(struct twin *x, struct twin *y)
{
    x->other = y;
    y->other = x;
}

static void setup(void)
{
    pthread_mutex_init(&a.m, NULL);
    pthread_mutex_init(&b.m, NULL);
    marry(&a, &b);
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
