#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int running = 1;
static int work_done;

static void *worker(void *arg)
{
    int go = 1;

    while (go) {
        pthread_mutex_lock(&lock);
        work_done++;
        go = running;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void stop_worker(pthread_t thread)
{
    pthread_mutex_lock(&lock);
    running = 0;
    pthread_join(thread, NULL); /* DEADLOCK */
    printf("did %d\n", work_done);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, worker, NULL)) {
        fprintf(stderr, "no thread\n");
        return 1;
    }
    stop_worker(thread);
    return 0;
}
