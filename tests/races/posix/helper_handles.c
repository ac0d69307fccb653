/* A helper is given the address of each handle: a join of another handle does not end it. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct shop { pthread_t clerk, guard; long sold; };
static long seen;
static int thread_start(pthread_t *thread, void *(*run)(void *), void *given) {
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    return pthread_create(thread, &attr, run, given);
}
static void *sell(void *shop) {
    pthread_mutex_lock(&lock);
    ((struct shop *)shop)->sold++; /* NORACE */
    pthread_mutex_unlock(&lock);
    return NULL;
}
static void *watch(void *unused) {
    pthread_mutex_lock(&lock);
    seen++; /* RACE */
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    struct shop *shop = calloc(1, sizeof *shop);
    thread_start(&shop->clerk, sell, shop);
    thread_start(&shop->guard, watch, NULL);
    pthread_join(shop->clerk, NULL);
    shop->sold += 2; /* NORACE */
    seen += 2; /* RACE */
    pthread_join(shop->guard, NULL);
    return 0;
}
