// Every pump has a lane number and a line of text of its own; but one counter goes by a number that all of them share.
#include <pthread.h>
#include <stdint.h>

struct line { char text[80]; int used; };
static _Thread_local struct line line;
static _Thread_local unsigned lane;
static unsigned turn;
static long pumped[8], spilled[8];

static void line_add(struct line *to, char c) {
    to->text[to->used++ % 80] = c; // NORACE
}

static void *pump(void *number) {
    lane = (unsigned)(uintptr_t)number;
    for (int i = 0; i < 1000; i++) {
        line_add(&line, 'x');
        pumped[lane]++;  // NORACE
        spilled[turn]++; // RACE
    }
    return 0;
}

int main(void) {
    pthread_t threads[8];
    for (uintptr_t i = 0; i < 8; i++)
        pthread_create(&threads[i], 0, pump, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], 0);
    return (int)(pumped[0] + spilled[0]); // NORACE
}
