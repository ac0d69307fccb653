#include <pthread.h>
void step(void);
static void *work(void *unused) {
    (void)unused;
    step();
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return 0;
}
