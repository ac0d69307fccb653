/* A helper is given the address of each handle. Waiting for the clerk with the lock that the guard takes. */
#include <pthread.h>

struct shop {
    pthread_mutex_t lock;
    pthread_t clerk, guard;
    long sold, seen;
};

static int thread_start(pthread_t *thread, void *(*run)(void *), void *given) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    return pthread_create(thread, &attr, run, given);
}

static void *sell(void *given) {
    struct shop *shop = given;
    shop->sold++;
    return NULL;
}

static void *watch(void *given) {
    struct shop *shop = given;
    pthread_mutex_lock(&shop->lock);
    shop->seen++;
    pthread_mutex_unlock(&shop->lock);
    return NULL;
}

void shop_open(struct shop *shop) {
    pthread_mutex_init(&shop->lock, NULL);
    thread_start(&shop->clerk, sell, shop);
    thread_start(&shop->guard, watch, shop);
}

void shop_close(struct shop *shop) {
    pthread_mutex_lock(&shop->lock);
    pthread_join(shop->clerk, NULL); /* NODEADLOCK */
    pthread_mutex_unlock(&shop->lock);
    pthread_join(shop->guard, NULL); /* NODEADLOCK */
}

int main(void) {
    static struct shop shop;
    shop_open(&shop);
    shop_close(&shop);
    return 0;
}
