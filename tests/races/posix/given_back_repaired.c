// What a helper gives by `*out` is whatever it stores there: this one gives what it has just made.
#include <pthread.h>
#include <stdlib.h>

struct room {
    pthread_mutex_t lock;
    int guests;
};
static struct room *rooms[8];
static pthread_mutex_t rooms_lock = PTHREAD_MUTEX_INITIALIZER;

static int room_new(struct room **out) {
    struct room *room = calloc(1, sizeof *room);
    if (!room)
        return -1;
    pthread_mutex_init(&room->lock, NULL);
    *out = room;
    return 0;
}

static int room_make(struct room **out) { return room_new(out); }

static void *builder(void *data) {
    struct room *room = NULL;
    room_make(&room);
    if (!room)
        return NULL;
    room->guests = 1; // NORACE
    room->guests++;   // NORACE
    pthread_mutex_lock(&rooms_lock);
    rooms[5] = room;
    pthread_mutex_unlock(&rooms_lock);
    return data;
}

static void *visitor(void *data) {
    pthread_mutex_lock(&rooms_lock);
    struct room *room = rooms[5];
    pthread_mutex_unlock(&rooms_lock);
    if (!room)
        return NULL;
    pthread_mutex_lock(&room->lock);
    room->guests++; // NORACE
    pthread_mutex_unlock(&room->lock);
    return data;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i += 2) {
        pthread_create(&threads[i], NULL, builder, NULL);
        pthread_create(&threads[i + 1], NULL, visitor, NULL);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
