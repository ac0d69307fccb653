#include "lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int safe, bare;

static void *worker(void *unused) {
    (void)unused;
    TAKE(lock);
    safe++; // NORACE
    GIVE(lock);
    bare++; // RACE!
    return 0;
}

int main(void) {
    pthread_t threads[WORKERS];
#ifndef SINGLE_STEP
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
#endif
    return safe + bare;
}
