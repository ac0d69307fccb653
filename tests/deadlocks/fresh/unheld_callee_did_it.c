#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct handle {
    pthread_mutex_t lock;
    int refs;
    int dead;
};

/* Drops the reference and lets go of the handle; frees it with the last. */
static void handle_put_locked(struct handle *h)
{
    int last = --h->refs == 0;

    pthread_mutex_unlock(&h->lock);
    if (last)
        free(h);
}

static int handle_kill(struct handle *h)
{
    pthread_mutex_lock(&h->lock);
    if (h->dead) {
        pthread_mutex_unlock(&h->lock);
        handle_put_locked(h); /* UNHELD */
        return 0;
    }
    h->dead = 1;
    h->refs++;
    pthread_mutex_unlock(&h->lock);
    return 1;
}

static struct handle *handle_new(void)
{
    struct handle *h = malloc(sizeof *h);

    pthread_mutex_init(&h->lock, NULL);
    h->refs = 4;
    h->dead = 0;
    return h;
}

static void *killer(void *arg)
{
    handle_kill(arg);
    return NULL;
}

int main(void)
{
    struct handle *h = handle_new();
    pthread_t a, b;

    pthread_create(&a, NULL, killer, h);
    pthread_create(&b, NULL, killer, h);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
