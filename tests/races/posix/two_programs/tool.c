#include "shared.h"
#include <pthread.h>
int rounds;
static void *spin(void *unused) {
    (void)unused;
    return 0;
}
void step(void) {
    rounds++; // NORACE
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, spin, 0);
    step();
    pthread_join(a, 0);
    return 0;
}
