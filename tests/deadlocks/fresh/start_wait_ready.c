#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

/* The starter waits until the new thread says that it is up. */
struct engine {
    pthread_mutex_t lock;
    sem_t ready;
    pthread_t thread;
    int speed;
    int up;
};

static struct engine engine = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void engine_init_tables(struct engine *e)
{
    pthread_mutex_lock(&e->lock);
    e->speed = 100;
    pthread_mutex_unlock(&e->lock);
}

static void *engine_main(void *arg)
{
    struct engine *e = arg;

    engine_init_tables(e);
    sem_post(&e->ready);
    return NULL;
}

static int engine_start(struct engine *e)
{
    int err = 0;

    pthread_mutex_lock(&e->lock);
    if (e->up) {
        err = -1;
        goto out;
    }
    err = pthread_create(&e->thread, NULL, engine_main, e);
    if (err)
        goto out;
    e->up = 1;
    sem_wait(&e->ready); /* DEADLOCK */
out:
    pthread_mutex_unlock(&e->lock);
    return err;
}

int main(void)
{
    sem_init(&engine.ready, 0, 0);
    if (engine_start(&engine) == 0)
        pthread_join(engine.thread, NULL);
    printf("%d\n", engine.speed);
    return 0;
}
