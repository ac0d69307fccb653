#include "shared.h"
#include <pthread.h>
static int only_here;
static void *serve(void *unused) {
    (void)unused;
    advance();
    only_here++; // NORACE
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, serve, 0);
    advance();
    pthread_join(a, 0);
    return 0;
}
