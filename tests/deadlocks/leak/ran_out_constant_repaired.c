/* A loop to a constant that is left with the lock, or runs out without it, asked in other words afterwards. */
#include <pthread.h>

#define MOST 16
struct slot {
    pthread_mutex_t *lock;
    int used, tries;
};
static struct slot slots[MOST];
static pthread_mutex_t wake = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void *serve(void *unused) {
    struct slot *slot = slots;
    int i;
    for (;;) {
        pthread_mutex_lock(&wake); /* NODEADLOCK */
        rounds++;
        pthread_mutex_unlock(&wake);
        for (i = 0; i < MOST; i++) {
            for (; i < MOST; i++) {
                slot = slots + i;
                pthread_mutex_lock(slot->lock);
                if (slot->used)
                    break;
                pthread_mutex_unlock(slot->lock);
            }
            if (i == MOST)
                break;
            slot->tries--;
            pthread_mutex_unlock(slot->lock); /* NOUNHELD */
        }
    }
    return unused;
}

static void *fill(void *unused) {
    pthread_mutex_lock(&wake); /* NODEADLOCK */
    for (int i = 0; i < (int)(sizeof slots / sizeof slots[0]); i++) {
        pthread_mutex_lock(slots[i].lock);
        slots[i].used = 1;
        pthread_mutex_unlock(slots[i].lock);
    }
    pthread_mutex_unlock(&wake);
    return unused;
}

static int find(void) {
    size_t i;
    for (i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        pthread_mutex_lock(slots[0].lock);
        if (slots[0].used == (int)i)
            break;
        pthread_mutex_unlock(slots[0].lock);
    }
    if (!(i < sizeof slots / sizeof slots[0]))
        return -1; /* NOLEAK */
    slots[0].used = 0;
    pthread_mutex_unlock(slots[0].lock); /* NOUNHELD */
    return 0;
}

int find_down(void) {
    int i;
    for (i = MOST; i > 2; i--) {
        pthread_mutex_lock(slots[0].lock);
        if (slots[0].used == i)
            break;
        pthread_mutex_unlock(slots[0].lock);
    }
    if (i != 2)
        pthread_mutex_unlock(slots[0].lock); /* NOUNHELD */
    return 0; /* NOLEAK */
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, serve, NULL);
    pthread_create(&b, NULL, fill, NULL);
    rounds = find();
    pthread_join(b, NULL);
    return 0;
}
