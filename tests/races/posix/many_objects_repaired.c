// As only_object.c, but there are two of the type: what one lock guards has nothing to do with the other.
#include <pthread.h>
struct valve {
    pthread_mutex_t guard;
    int opened;
};
static struct valve inlet = {.guard = PTHREAD_MUTEX_INITIALIZER}, outlet = {.guard = PTHREAD_MUTEX_INITIALIZER};

static void *watch(void *context) {
    struct valve *self = context;
    for (int i = 0; i < 1000; i++)
        self->opened++; // NORACE
    return 0;
}

int main(void) {
    pthread_t watcher;
    int sum = 0;
    pthread_create(&watcher, 0, watch, &inlet);
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&outlet.guard);
        sum += outlet.opened++;
        pthread_mutex_unlock(&outlet.guard);
    }
    pthread_join(watcher, 0);
    return sum == inlet.opened;
}
