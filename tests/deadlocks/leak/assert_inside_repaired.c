/* An assertion inside of an expression: what ends there, and what is locked there. */
#include <assert.h>
#include <pthread.h>

#define UNREACHABLE() (assert(!"unreachable"), __builtin_unreachable())
#define CHECKED(p) (assert(p), (p))

struct shelf {
    pthread_mutex_t lock;
    int count;
    void *items[8];
};

void shelf_free(struct shelf *shelf, void *item) {
    pthread_mutex_lock(&shelf->lock);
    for (int i = 0; i < shelf->count; i++)
        if (shelf->items[i] == item) {
            shelf->items[i] = NULL;
            pthread_mutex_unlock(&shelf->lock);
            return; /* NOLEAK */
        }
    UNREACHABLE(); /* NOLEAK */
}

int shelf_count(struct shelf *shelf) {
    pthread_mutex_lock(&CHECKED(shelf)->lock);
    int count = shelf->count;
    pthread_mutex_unlock(&CHECKED(shelf)->lock); /* NOUNHELD */
    if (count < 0)
        return -1; /* NOLEAK */
    return count;
}

void *shelf_first(struct shelf *shelf) {
    pthread_mutex_lock(&shelf->lock);
    void *first = CHECKED(shelf->count > 0) ? shelf->items[0] : NULL;
    pthread_mutex_unlock(&CHECKED(shelf)->lock); /* NOUNHELD */
    return first;                                /* NOLEAK */
}
