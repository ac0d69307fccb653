// A service that has its library, which is not in sight, run what its main thread should do. What a test has in its place
// does so at once, and is no part of the service.
#include <pthread.h>
#include <loop.h> // the library's: it declares struct task and task_register()
static int settings, applied;

static void apply(void *data) {
    (void)data;
    settings = applied + 1; // NORACE
}

static struct task applying = {apply, 0};

static void *watch(void *argument) {
    task_register(&applying);
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
