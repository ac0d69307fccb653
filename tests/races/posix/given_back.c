// What a helper gives by `*out` is whatever it stores there: one gives what others have, too.
#include <pthread.h>
#include <stdlib.h>

struct room {
    pthread_mutex_t lock;
    int guests;
};
static struct room *rooms[8];

static int room_find(int number, struct room **out) {
    if (number > 7 || !rooms[number])
        return -1;
    *out = rooms[number];
    return 0;
}

static int room_get(int number, struct room **out) { return room_find(number & 7, out); }

static void *visitor(void *data) {
    struct room *room = NULL;
    for (;;) {
        if (room_get(3, &room))
            continue;
        pthread_mutex_lock(&room->lock);
        room->guests--;
        pthread_mutex_unlock(&room->lock);
        room->guests++; // RACE!
    }
    return data;
}

int main(void) {
    pthread_t threads[2];
    rooms[3] = calloc(1, sizeof *rooms[3]);
    pthread_mutex_init(&rooms[3]->lock, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, visitor, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
