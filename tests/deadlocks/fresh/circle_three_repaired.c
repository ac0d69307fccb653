#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t sched_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;

static int runnable, queued, total;

static void stats_add(int n)
{
    pthread_mutex_lock(&stats_lock);
    total += n;
    pthread_mutex_unlock(&stats_lock);
}

static int queue_push(int n)
{
    pthread_mutex_lock(&queue_lock);
    queued += n;
    n = queued;
    pthread_mutex_unlock(&queue_lock);
    return n;
}

static void *scheduler(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&sched_lock);
        runnable++;
        queue_push(runnable);
        pthread_mutex_unlock(&sched_lock);
    }
    return NULL;
}

static void *drainer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&queue_lock);
        int n = queued;
        queued = 0;
        stats_add(n);
        pthread_mutex_unlock(&queue_lock);
    }
    return NULL;
}

static void *reporter(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++) {
        int r;
        pthread_mutex_lock(&sched_lock);
        r = runnable;
        pthread_mutex_unlock(&sched_lock);
        pthread_mutex_lock(&stats_lock);
        if (total > 1000 && r)
            total = 0;
        pthread_mutex_unlock(&stats_lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, scheduler, NULL);
    pthread_create(&t[1], NULL, drainer, NULL);
    pthread_create(&t[2], NULL, reporter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%d\n", total);
    return 0;
}
