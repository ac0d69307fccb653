#include <pthread.h>
#include <stdlib.h>

/* The thread of a worker needs the lock that is held while it is waited for. */
struct worker { pthread_t thread; pthread_mutex_t lock; int stop, done; };
static struct worker workers[3];

static void *work(void *arg)
{
    struct worker *w = arg;
    for (;;) {
        pthread_mutex_lock(&w->lock);
        int stop = w->stop;
        w->done++;
        pthread_mutex_unlock(&w->lock);
        if (stop)
            return NULL;
    }
}

static void worker_stop(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->stop = 1;
    pthread_join(w->thread, NULL); /* DEADLOCK */
    w->done = 0;
    pthread_mutex_unlock(&w->lock);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&workers[i].lock, NULL);
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < 3; i++)
        worker_stop(&workers[i]);
    return 0;
}
