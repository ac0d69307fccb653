// Code of two programs that share no memory: what the tool does, and what the server's threads do, never meet.
#include "shared.h"
int progress;
void advance(void) {
    progress++; // RACE!
}
