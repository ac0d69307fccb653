// An allocator that a hook may replace gives fresh memory all the same.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct { void *(*take)(void *opaque, size_t size); void *opaque; } Hooks;
struct job { pthread_mutex_t mutex; int done, size; };

static void *hooked_calloc(size_t size, Hooks hooks) {
    if (hooks.take) {
        void *memory = hooks.take(hooks.opaque, size);
        memset(memory, 0, size);
        return memory;
    }
    return calloc(1, size);
}

static void *work(void *given) {
    struct job *job = given;
    pthread_mutex_lock(&job->mutex);
    job->done++; // NORACE
    pthread_mutex_unlock(&job->mutex);
    return 0;
}

static struct job *job_make(Hooks hooks) {
    struct job *job = hooked_calloc(sizeof *job, hooks);
    job->done = 0; // NORACE
    job->size = 1; // NORACE
    pthread_mutex_init(&job->mutex, 0);
    return job;
}

int main(void) {
    Hooks none = {0, 0};
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        struct job *job = job_make(none);
        pthread_create(&thread, 0, work, job);
        pthread_mutex_lock(&job->mutex);
        job->done++; // NORACE
        pthread_mutex_unlock(&job->mutex);
    }
    return 0;
}
