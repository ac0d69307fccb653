// counter.c: workers count what they did; one of the places that count forgot the lock.
// Build it with: cc -pthread counter.c
#include <pthread.h>
#include <stdio.h>

#define WORKERS 4
#define ROUNDS 100000

struct counter {
    pthread_mutex_t mutex;
    long done;   // under mutex
    long failed; // under mutex
};

static struct counter total = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void counter_add(struct counter *self, long amount) {
    pthread_mutex_lock(&self->mutex);
    self->done += amount;
    pthread_mutex_unlock(&self->mutex);
}

static void counter_fail(struct counter *self) {
    pthread_mutex_lock(&self->mutex);
    self->failed++;
    self->done++;
    pthread_mutex_unlock(&self->mutex);
}

static long counter_read(struct counter *self) {
    pthread_mutex_lock(&self->mutex);
    long done = self->done;
    pthread_mutex_unlock(&self->mutex);
    return done;
}

static void *work(void *argument) {
    long number = (long)argument;
    for (long i = 1; i < ROUNDS; i++)
        if (i % 1000 == number)
            counter_fail(&total);
        else
            counter_add(&total, 1);
    total.done++; // the race: everybody else holds total.mutex to do this
    return NULL;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    printf("%ld of %d\n", counter_read(&total), WORKERS * ROUNDS);
    return 0;
}
