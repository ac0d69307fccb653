// What a generator of bindings reads, and nobody else: it leaves out what is for C alone.
#define FOR_BINDINGS
#include "lock.h"
