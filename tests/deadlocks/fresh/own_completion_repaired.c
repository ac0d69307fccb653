#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct completion {
    pthread_mutex_t m;
    pthread_cond_t c;
    int done;
};

static void completion_init(struct completion *x)
{
    pthread_mutex_init(&x->m, NULL);
    pthread_cond_init(&x->c, NULL);
    x->done = 0;
}

static void complete(struct completion *x)
{
    pthread_mutex_lock(&x->m);
    x->done = 1;
    pthread_cond_broadcast(&x->c);
    pthread_mutex_unlock(&x->m);
}

static void wait_for(struct completion *x)
{
    pthread_mutex_lock(&x->m);
    while (!x->done)
        pthread_cond_wait(&x->c, &x->m);
    pthread_mutex_unlock(&x->m);
}

struct disk {
    pthread_mutex_t lock;
    struct completion io_done;
    int requests;
    int errors;
};

static struct disk disk;

static void *io_thread(void *arg)
{
    struct disk *d = arg;

    pthread_mutex_lock(&d->lock);
    d->requests--;
    pthread_mutex_unlock(&d->lock);
    complete(&d->io_done);
    return NULL;
}

static int disk_sync(struct disk *d)
{
    int errors;

    pthread_mutex_lock(&d->lock);
    d->requests++;
    pthread_mutex_unlock(&d->lock);
    wait_for(&d->io_done);
    pthread_mutex_lock(&d->lock);
    errors = d->errors;
    pthread_mutex_unlock(&d->lock);
    return errors;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_init(&disk.lock, NULL);
    completion_init(&disk.io_done);
    pthread_create(&t, NULL, io_thread, &disk);
    int e = disk_sync(&disk);
    pthread_join(t, NULL);
    return e;
}
