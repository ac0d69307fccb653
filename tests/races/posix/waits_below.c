// What is known of a flag when a function is entered does not decide a loop that waits for it to change, nor whatever
// comes after it: somebody else changes it.
#include <pthread.h>
#include <stdio.h>

static volatile int busy; // deliberately bare
static int beats;

static void *worker(void *argument) {
    (void)argument;
    for (int i = 0; i < 1000000; i++) {
        beats++; // RACE!
        busy = 0; // RACE!
    }
    return NULL;
}

static void wait_idle(void) {
    while (busy)
        ;
}

static void poll_idle(void) {
    for (;;) {
        if (!busy)
            break;
        printf("still busy\n");
    }
    beats = 0; // RACE!
}

static void start_over(void) {
    busy = 1;
    wait_idle();
    beats = 0; // RACE!
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    for (int i = 0; i < 10; i++) {
        start_over();
        busy = 1;
        poll_idle();
    }
    pthread_join(thread, NULL);
    return beats;
}
