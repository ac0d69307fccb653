// offered/ with the lock everywhere.
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
    int room;
    pthread_mutex_lock(&shelf->lock);
    room = shelf->free > 10 ? 10 : 0; /* NORACE */
    pthread_mutex_unlock(&shelf->lock);
    return room;
}

static void shelf_wipe(struct shelf *shelf) {
    pthread_mutex_lock(&shelf->lock);
    shelf->free += shelf->books; /* NORACE */
    shelf->books = 0;
    pthread_mutex_unlock(&shelf->lock);
}

void shelf_clear(struct shelf *shelf) { shelf_wipe(shelf); }
