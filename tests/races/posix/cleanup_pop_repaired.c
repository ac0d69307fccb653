// A cleanup handler lets go of the lock where it is popped; what comes before is under it.
#include <pthread.h>

static pthread_mutex_t tally_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static int tally, lines, quiet;

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

static void count(int by) {
    pthread_mutex_lock(&tally_lock);
    pthread_cleanup_push(unlock, &tally_lock);
    tally += by; // NORACE
    pthread_cleanup_pop(1);
}

static void print(void) {
    pthread_mutex_lock(&log_lock);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &log_lock);
    lines++; // NORACE
    pthread_cleanup_pop(quiet);
    if (!quiet)
        pthread_mutex_unlock(&log_lock);
}

static void *worker(void *unused) {
    (void)unused;
    for (int i = 0; i < 100; i++) {
        count(i);
        print();
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return tally;
}
