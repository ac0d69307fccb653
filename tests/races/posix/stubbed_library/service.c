// A service that has another part of the tree run what its main thread should do. That is kept with the tests, but declared:
// it is the tree's own, and runs it at once.
#include <pthread.h>
#include <loop.h>
#include "tests/task.h"
static int settings, applied;

static void apply(void *data) {
    (void)data;
    settings = applied + 1; // RACE!
}

static struct task applying = {apply, 0};

static void *watch(void *argument) {
    task_run(&applying);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    apply(0);
    loop_run();
    pthread_join(thread, 0);
    return settings; // NORACE
}
