// What a library offers is called by its tests alone here: those who want it are elsewhere, and have threads.
#include "shelf.h"

void shelf_put(struct shelf *shelf) {
    pthread_mutex_lock(&shelf->lock);
    shelf->books++;
    shelf->free--;
    pthread_mutex_unlock(&shelf->lock);
}

int shelf_take(struct shelf *shelf) {
    int taken = 0;
    pthread_mutex_lock(&shelf->lock);
    if (shelf->books > 0) {
        shelf->books--;
        shelf->free++;
        taken = 1;
    }
    pthread_mutex_unlock(&shelf->lock);
    return taken;
}

void shelf_grow(struct shelf *shelf, int by) {
    pthread_mutex_lock(&shelf->lock);
    shelf->free += by;
    pthread_mutex_unlock(&shelf->lock);
}

int shelf_room(struct shelf *shelf) {
    if (shelf->free > 10) /* RACE */
        return 10;
    return 0;
}

static void shelf_wipe(struct shelf *shelf) {
    shelf->free += shelf->books; /* RACE */
    shelf->books = 0;
}

void shelf_clear(struct shelf *shelf) { shelf_wipe(shelf); }
