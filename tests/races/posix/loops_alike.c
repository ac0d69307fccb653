// Two loops by one macro that is not in sight, over the same list: the second is run, too.
#include "queue.h"
#include <pthread.h>

struct job {
    struct link link;
    int kind, result;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct link jobs;
static int done;

static void finish(struct job *job) {
    job->result = 1; // RACE!
    done++; // RACE!
}

static void *worker(void *unused) {
    struct job *job, *next;
    pthread_mutex_lock(&lock);
    for_each_job_safe(job, next, &jobs, link) {
        if (job->kind == 1)
            finish(job);
    }
    pthread_mutex_unlock(&lock);
    for_each_job_safe(job, next, &jobs, link) {
        if (job->kind == 2)
            finish(job);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return done;
}
