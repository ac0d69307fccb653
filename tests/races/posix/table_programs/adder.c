// Named by the one program in a table only, and by the other in a call: it is part of both.
#include "plug.h"

int added;
static void add(int amount) {
    added += amount; // RACE!
}
const struct plug adder = {add};
