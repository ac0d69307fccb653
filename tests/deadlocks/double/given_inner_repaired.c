// A lock type of the program's own; the function that lets it go is given the inner lock, and then rings a bell through a
// pointer: no plain wrapper, but the lock is free after it.
#include <pthread.h>

struct mutex {
    pthread_mutex_t m;
    void (*wake)(void);
};
struct shop {
    struct mutex lock;
    int goods;
};

static void bell(void) {}

void mutex_make(struct mutex *mutex) {
    pthread_mutex_init(&mutex->m, NULL);
    mutex->wake = bell;
}

void mutex_take(struct mutex *mutex) { pthread_mutex_lock(&mutex->m); }

void mutex_give(struct mutex *mutex) {
    void (*wake)(void) = mutex->wake;
    pthread_mutex_unlock(&mutex->m);
    if (wake)
        wake();
}

int sell(struct shop *shop) {
    mutex_take(&shop->lock);
    shop->goods--;
    mutex_give(&shop->lock);
    mutex_take(&shop->lock);
    int left = shop->goods;
    mutex_give(&shop->lock);
    return left;
}

int buy(struct shop *shop, int many) {
    mutex_take(&shop->lock);
    if (many > 10)
        many = 10;
    shop->goods += many;
    mutex_give(&shop->lock);
    return 0;
}

int move(struct shop *shop) {
    mutex_take(&shop->lock);
    if (shop->goods < 0)
        shop->goods = 0;
    shop->goods++;
    mutex_give(&shop->lock);
    return 0;
}
