// guard_pointer.c with all of it inside the scope.
#include <pthread.h>
#include <stddef.h>

struct pool {
    pthread_mutex_t lock;
    int free, lent;
};

static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .free = 100};

static pthread_mutex_t *held(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    return lock;
}
static void done(pthread_mutex_t **lock) { pthread_mutex_unlock(*lock); }

#define HELD(lock) for (pthread_mutex_t *held_ __attribute__((cleanup(done))) = held(lock), *o_ = NULL; !o_; o_ = (void *)1)

static int borrow(int n) {
    HELD(&pool.lock) {
        if (pool.free < n) /* NORACE */
            return -1;
        pool.free -= n;
        pool.lent += n; /* NORACE */
    }
    return n;
}

static void *worker(void *unused) {
    for (int i = 0; i < 100; i++)
        borrow(i);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    HELD(&pool.lock) { pool.free++; /* NORACE */ }
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return pool.lent;
}
