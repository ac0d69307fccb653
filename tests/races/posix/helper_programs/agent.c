// The other program, of which one thread does everything.
#include "line.h"
#include "agent.h"
#include <unistd.h>

static const struct line collecting = {agent_collect, 0};

static void *collect(void *argument) {
    for (;;)
        dispatch(&collecting);
    return argument;
}

int main(void) {
    agent_begin();
    spawn(collect);
    agent_collect(0); // beside the thread
    return pause();
}
