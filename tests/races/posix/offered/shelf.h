#include <pthread.h>
struct shelf {
    pthread_mutex_t lock;
    int books, free;
};
void shelf_put(struct shelf *shelf);
int shelf_take(struct shelf *shelf);
void shelf_grow(struct shelf *shelf, int by);
int shelf_room(struct shelf *shelf);
void shelf_clear(struct shelf *shelf);
