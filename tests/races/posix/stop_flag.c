// racerx-verdict: shown
// A flag that stops the threads is set once, after it was cleared before they were started; a state has several values.
#include <pthread.h>

static int stop, state;

static void *worker(void *unused) {
    while (!stop) // NORACE
        if (state == 2) // RACE!
            return unused;
    return 0;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    (void)argv;
    stop = 0;
    state = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    state = argc > 1 ? 2 : 3; // RACE!
    stop = 1; // NORACE
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
