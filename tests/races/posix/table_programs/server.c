#include "plug.h"
#include <pthread.h>

static const struct plug *const plugs[] = {&adder};

static void *serve(void *argument) {
    for (unsigned i = 0; i < sizeof plugs / sizeof *plugs; i++)
        plugs[i]->work(2);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, serve, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
