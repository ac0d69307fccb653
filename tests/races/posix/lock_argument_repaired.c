// A helper is handed the lock itself and calls others under it, and whoever does so hands over the same one. It is let
// go by a helper of the helper in one of them, and handed through another in the other.
#include <pthread.h>

static pthread_mutex_t till_lock = PTHREAD_MUTEX_INITIALIZER;
static int coins, notes;

static void count_coins(void) { coins++; } // NORACE
static void count_notes(void) { notes++; } // NORACE

static void done(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }

static void counted(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    count_coins();
    done(lock);
}

static void noted(pthread_mutex_t *lock, int some) {
    pthread_mutex_lock(lock);
    if (!some) {
        pthread_mutex_unlock(lock);
        return;
    }
    count_notes();
    pthread_mutex_unlock(lock);
}

static void both(pthread_mutex_t *lock) {
    counted(lock);
    noted(lock, 1);
}

static void *sell(void *argument) {
    both(&till_lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sell, NULL);
    pthread_create(&b, NULL, sell, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
