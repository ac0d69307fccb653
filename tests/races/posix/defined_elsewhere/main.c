#include "lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int safe, bare;

static int step(int most) {
    TAKE(lock);
    if (safe > most) { // NORACE
        GIVE(lock);
        LEAVE(-1);
    }
    safe++; // NORACE
    GIVE(lock);
    bare++; // RACE!
    LEAVE(0);
}

static void *worker(void *unused) {
    (void)unused;
    while (!step(1000))
        ;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return safe + bare;
}
