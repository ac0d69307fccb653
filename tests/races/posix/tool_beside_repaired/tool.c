// A tool of a tree whose server has threads: it has none, so what nobody calls is called by nobody else than main.
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
int main(void) {
    signal(SIGINT, stop);
    for (int i = 0; i < 16 && !stopped; i++) {
        top = &all[i]; // NORACE
        top->place = i; // NORACE
    }
    return cursor_sum(top);
}
