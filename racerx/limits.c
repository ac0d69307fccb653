// limits.c: how often each limit was hit in this run.
#include "racerx/limits.h"

#include <stdatomic.h>

static atomic_ullong hits[LIMIT_COUNT];

void limit_reached(LimitId limit) { atomic_fetch_add_explicit(&hits[limit], 1, memory_order_relaxed); }

u64 limit_hits(LimitId limit) { return atomic_load_explicit(&hits[limit], memory_order_relaxed); }

void limits_clear(void) {
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        atomic_store_explicit(&hits[i], 0, memory_order_relaxed);
}

const char *limit_meaning(LimitId limit) {
#define LIMIT(name, number, hostile, meaning) meaning,
    static const char *const meanings[] = {
#include "racerx/limits.def"
    };
#undef LIMIT
    return meanings[limit];
}

u32 limit_number(LimitId limit) {
#define LIMIT(name, number, hostile, meaning) name,
    static const u32 numbers[] = {
#include "racerx/limits.def"
    };
#undef LIMIT
    return numbers[limit];
}
