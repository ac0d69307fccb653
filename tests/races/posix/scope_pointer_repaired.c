// A pointer to a lock that is let go when the pointer's scope ends, on every way out of it: of a global's, and of what
// the function was given. What ends it looks whether there is one; another way lets go early, and says so.
#include <pthread.h>
#include <stdlib.h>

struct tank {
    pthread_rwlock_t lock;
    int level;
};
static pthread_mutex_t pump_lock = PTHREAD_MUTEX_INITIALIZER;
static int turns, opened;
static struct tank *tank;

static void end_of_scope(pthread_mutex_t **held) { pthread_mutex_unlock(*held); }

static inline void end_of_writing(pthread_rwlock_t **held) {
    if (*held)
        pthread_rwlock_unlock(*held);
}

static int pumped(struct tank *into, int by) {
    __attribute__((cleanup(end_of_writing))) pthread_rwlock_t *writing = &into->lock;
    pthread_rwlock_wrlock(writing);
    if (into->level + by < 0) // NORACE
        return -1;
    into->level += by; // NORACE
    return 0;
}

static void drained(struct tank *from) { // the same without an end of its own
    pthread_rwlock_t *lock = &from->lock;
    pthread_rwlock_wrlock(lock);
    from->level = 0; // NORACE
    pthread_rwlock_unlock(lock);
}

static int turned(void) {
    __attribute__((cleanup(end_of_scope))) pthread_mutex_t *held = &pump_lock;
    pthread_mutex_lock(held);
    turns++; // NORACE
    for (int i = 0; i < 3; i++)
        if (turns == i) // NORACE
            return opened; // NORACE
    return opened++; // NORACE
}

static void *run(void *argument) {
    pumped(tank, 2);
    drained(tank);
    turned();
    return argument;
}

int main(void) {
    pthread_t a, b;
    tank = calloc(1, sizeof *tank);
    pthread_rwlock_init(&tank->lock, NULL);
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
