#include <pthread.h>
#include <stdlib.h>

struct knot { struct knot *up, *lower, *higher; pthread_mutex_t own; int key, height; };
static struct knot *top;

static void attach(struct knot *under, struct knot *fresh)
{
    if (fresh->key < under->key)
        under->lower = fresh;
    else
        under->higher = fresh;
    fresh->up = under;
}

static void measure(struct knot *k)
{
    pthread_mutex_lock(&k->own);
    if (k->lower) {
        pthread_mutex_lock(&k->lower->own);
        k->height = k->lower->height + 1;
        pthread_mutex_unlock(&k->lower->own);
    }
    pthread_mutex_unlock(&k->own);
}

static void grown(struct knot *k)
{
    struct knot *up = k->up;
    if (up)
        pthread_mutex_lock(&up->own);
    pthread_mutex_lock(&k->own);
    k->height++;
    if (up && up->height <= k->height)
        up->height = k->height + 1;
    pthread_mutex_unlock(&k->own);
    if (up)
        pthread_mutex_unlock(&up->own);
}

static void *gardener(void *arg)
{
    for (int i = 0; i < 10; i++)
        measure(top);
    return arg;
}

static void *rain(void *arg)
{
    for (int i = 0; i < 10; i++)
        grown(top->lower);
    return arg;
}

static void setup(void)
{
    struct knot *leaf = calloc(1, sizeof *leaf);
    top = calloc(1, sizeof *top);
    top->key = 5;
    pthread_mutex_init(&top->own, NULL);
    pthread_mutex_init(&leaf->own, NULL);
    attach(top, leaf);
}

int main(void)
{
    pthread_t a, b;
    setup();
    pthread_create(&a, NULL, gardener, NULL);
    pthread_create(&b, NULL, rain, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
