// A helper is handed the lock itself and calls others under it: what they do is done under whichever lock that is. One
// thread hands over another lock, and one lets it go before the call.
#include <pthread.h>

static pthread_mutex_t till_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t door_lock = PTHREAD_MUTEX_INITIALIZER;
static int coins, notes, guests;

struct clerk {
    int number;
    pthread_mutex_t *lock;
};

static void count_coins(void) { coins++; } // RACE!
static void count_notes(void) { notes++; } // RACE!
static void count_guests(void) {
    guests++; // NORACE
}

static void counted(pthread_mutex_t *lock, int which) {
    pthread_mutex_lock(lock);
    if (which)
        count_coins();
    pthread_mutex_unlock(lock);
    if (!which)
        count_notes();
}

static void admitted(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    count_guests();
    pthread_mutex_unlock(lock);
}

static void *sell(void *argument) {
    struct clerk *clerk = argument;
    counted(&till_lock, 1);
    counted(&till_lock, 0);
    admitted(clerk->lock);
    return NULL;
}

static void *open_door(void *argument) {
    (void)argument;
    counted(&door_lock, 1);
    admitted(&door_lock);
    return NULL;
}

int main(void) {
    struct clerk clerk = {1, &door_lock};
    pthread_t a, b, c;
    pthread_create(&a, NULL, sell, &clerk);
    pthread_create(&b, NULL, sell, &clerk);
    pthread_create(&c, NULL, open_door, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
