// What both programs share: a helper that starts threads, one that calls back, one that writes where it is told.
#include "line.h"
#include <pthread.h>

void spawn(void *(*loop)(void *)) {
    pthread_t thread;
    pthread_create(&thread, 0, loop, 0);
}

void dispatch(const struct line *line) { line->ready(line->data); }

void name_into(char *into, int length) {
    for (int i = 0; i < length; i++)
        into[i] = 'a';
}
