// fork calls what pthread_atfork is given, not pthread_atfork itself.
#include <pthread.h>
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, ready;
static void before_fork(void) { pthread_mutex_lock(&log_lock); } // NODOUBLE-LOCK
static void after_fork(void) { pthread_mutex_unlock(&log_lock); }
static void print(void) {
    pthread_mutex_lock(&log_lock);
    if (!ready) {
        pthread_atfork(before_fork, after_fork, after_fork);
        ready = 1;
    }
    lines++; // NORACE
    pthread_mutex_unlock(&log_lock);
}
static void *worker(void *unused) {
    (void)unused;
    print();
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    print();
    pthread_join(thread, 0);
    return lines;
}
