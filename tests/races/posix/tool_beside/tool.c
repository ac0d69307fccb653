// A tool of a tree whose server has threads: it starts one, too, and goes on.
#include "cursor.h"
#include <pthread.h>
#include <signal.h>

struct cursor *top;
static struct cursor all[16];
static volatile sig_atomic_t stopped;

static void stop(int number) {
    (void)number;
    stopped = 1;
}

static void *move(void *argument) {
    for (;;)
        cursor_move();
    return argument;
}

int main(void) {
    signal(SIGINT, stop);
    pthread_t mover;
    pthread_create(&mover, 0, move, 0);
    for (int i = 0; i < 16 && !stopped; i++) {
        top = &all[i]; // RACE!
        top->place = i; // RACE!
    }
    return cursor_sum(top);
}
