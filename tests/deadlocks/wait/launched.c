// A helper starts the thread, which begins in a function of the library that calls what it was told: who joins it with a
// lock that the told function takes waits for ever.
#include <pthread.h>
#include <stdlib.h>

struct task { void *(*start)(void *); void *argument; };
static void *begin(void *given) {
    struct task task = *(struct task *)given;
    free(given);
    return task.start(task.argument);
}

static pthread_t thread_create(void *(*start)(void *), void *argument) {
    pthread_t thread;
    struct task *task = malloc(sizeof *task);
    task->start = start;
    task->argument = argument;
    pthread_create(&thread, NULL, begin, task);
    return thread;
}

struct cleaner { pthread_mutex_t lock; pthread_t thread; int stop, rounds; };
struct reader { pthread_mutex_t lock; pthread_t reading; int stop, rounds; };
static struct cleaner cleaner = {PTHREAD_MUTEX_INITIALIZER};
static struct reader reader = {PTHREAD_MUTEX_INITIALIZER};

static void *clean(void *given) {
    struct cleaner *self = given;
    for (;;) {
        pthread_mutex_lock(&self->lock);
        self->rounds++;
        pthread_mutex_unlock(&self->lock);
    }
    return NULL;
}

static void *read_all(void *given) {
    struct reader *self = given;
    for (;;) {
        pthread_mutex_lock(&self->lock);
        self->rounds++;
        pthread_mutex_unlock(&self->lock);
    }
    return NULL;
}

static void destroy(struct cleaner *self) {
    pthread_mutex_lock(&self->lock);
    pthread_join(self->thread, NULL); // DEADLOCK
    self->stop = 1;
    pthread_mutex_unlock(&self->lock);
}

static void close_reader(struct reader *self) {
    pthread_join(self->reading, NULL);
    pthread_mutex_lock(&self->lock);
    self->stop = 1;
    pthread_mutex_unlock(&self->lock);
}

int main(void) {
    cleaner.thread = thread_create(clean, &cleaner);
    reader.reading = thread_create(read_all, &reader);
    destroy(&cleaner);
    close_reader(&reader);
    return 0;
}
