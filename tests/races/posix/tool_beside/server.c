#include <pthread.h>

static void *serve(void *argument) { return argument; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, serve, 0);
    pthread_join(a, 0);
    return 0;
}
