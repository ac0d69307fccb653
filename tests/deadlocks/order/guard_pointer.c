// Guards that are nothing but a pointer to the lock: the function that takes it gives it back, and a loop that goes
// round once is the scope.
#include <pthread.h>

static inline pthread_mutex_t *entered(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    return lock;
}

static inline void left(pthread_mutex_t **lock) {
    if (!*lock)
        return;
    pthread_mutex_unlock(*lock);
    *lock = NULL;
}

#define HERE(lock) pthread_mutex_t *here_##__LINE__ __attribute__((unused, cleanup(left))) = entered(lock)
#define EACH_OF(lock) *within_ __attribute__((unused, cleanup(left))) = entered(lock),
#define WITHIN(lock) for (pthread_mutex_t EACH_OF(lock) *once_ = NULL; once_ == NULL; once_ = (void *)1)
#define INSIDE(lock, done)                                                                                             \
    for (int done = 0, *unused_ __attribute__((cleanup(count_left))) = (pthread_mutex_lock(lock), &entries);           \
         !done && unused_ != NULL; pthread_mutex_unlock(lock), done = 1)

static int entries;
static inline void count_left(int **count) { (void)count; }

struct cargo {
    pthread_mutex_t lock;
    int crates;
};
struct ship {
    pthread_mutex_t lock;
    int crates;
};

int unload(struct ship *ship, struct cargo *cargo) {
    HERE(&ship->lock);
    if (!ship->crates)
        return -1;
    WITHIN(&cargo->lock) { /* DEADLOCK@a */
        if (cargo->crates > 100)
            break;
        cargo->crates++;
    }
    ship->crates--;
    return 0;
}

void load(struct ship *ship, struct cargo *cargo) {
    WITHIN(&cargo->lock) {
        HERE(&ship->lock); /* DEADLOCK@a */
        cargo->crates--;
        ship->crates++;
    }
}

int weigh(struct ship *ship, struct cargo *cargo) {
    int crates = 0;
    INSIDE(&cargo->lock, done) { crates += cargo->crates; }
    WITHIN(&ship->lock)
    crates += ship->crates;
    return crates;
}
