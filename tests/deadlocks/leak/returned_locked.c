// A function that finds an object and returns it locked, or nothing. The object it returns is something: its lock is held.
#include <pthread.h>
#include <stddef.h>

struct slot { pthread_mutex_t lock; int used; };
static struct slot slots[8];

static struct slot *slot_find(int used) {
    struct slot *slot;
    for (slot = slots; slot < &slots[8]; slot++) {
        pthread_mutex_lock(&slot->lock);
        if (slot->used == used)
            goto found;
        pthread_mutex_unlock(&slot->lock);
    }
    return NULL;
found:
    slot->used++;
    return slot; // NOLEAK
}

int slot_take(void) {
    struct slot *slot = slot_find(0);
    if (slot == NULL)
        return -1; // NOLEAK
    slot->used = 1;
    pthread_mutex_unlock(&slot->lock);
    return 0; // NOLEAK
}

int slot_drop(void) {
    struct slot *slot;
    if ((slot = slot_find(1)) == 0)
        return -1; // NOLEAK
    slot->used = 0;
    pthread_mutex_unlock(&slot->lock);
    return 0; // NOLEAK
}
