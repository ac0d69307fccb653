#include "agent.h"
#include "line.h"

static char agent_name[8];
static int collected;

void agent_begin(void) { name_into(agent_name, 8); }

int agent_collect(void *data) {
    if (!collected) // RACE!
        collected = agent_name[0]; // RACE!
    return data != 0;
}
