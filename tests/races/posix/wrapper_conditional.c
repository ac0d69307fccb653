// Lock functions that do nothing while there is one thread only: what they are for is to lock.
#include <pthread.h>
#include <stdbool.h>

static bool threaded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counted, bare;

static void maybe_lock(pthread_mutex_t *m) {
    if (threaded)
        pthread_mutex_lock(m);
}
static void maybe_unlock(pthread_mutex_t *m) {
    if (threaded)
        pthread_mutex_unlock(m);
}

static void *work(void *unused) {
    (void)unused;
    maybe_lock(&mutex);
    counted++; // NORACE
    maybe_unlock(&mutex);
    bare++; // RACE!
    return 0;
}

int main(void) {
    pthread_t threads[2];
    threaded = true;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
