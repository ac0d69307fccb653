// One program: its loop dispatches to what it was told, which is never the other program's.
#include "line.h"
#include <unistd.h>

static char greeting[8];
static int answer(void *data) { return data != 0; }
static const struct line answering = {answer, greeting};

static void *serve(void *argument) {
    name_into(greeting, 8);
    for (;;)
        dispatch(&answering);
    return argument;
}

int main(void) {
    spawn(serve);
    spawn(serve);
    return pause();
}
