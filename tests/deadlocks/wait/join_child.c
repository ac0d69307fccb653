// A worker that joins the pool's thread, which it is itself. (A sorter that joins the sorters it started: repaired.)
#include <pthread.h>

struct part { int *first; int count; };
static pthread_t pool_thread;

static void finish(void) {
    pthread_join(pool_thread, 0); // DEADLOCK!
}

static void *work(void *given) {
    struct part *part = given;
    if (part->count < 2)
        finish();
    return 0;
}

int main(void) {
    int numbers[64] = {0};
    struct part all = {numbers, 64};
    pthread_create(&pool_thread, 0, work, &all);
    return 0;
}
