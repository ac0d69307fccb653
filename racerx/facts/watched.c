// watched.c: does the code look for its own mistakes?
// In: lock operations. Out: Facts.watched. A system that asserts which locks are held is run, and read, with checks of
// them: orders and locks that are left behind were mostly found. In one that never asserts anything such findings are
// mostly true.
#include "racerx/facts/analysis.h"

#define ACQUIRES_LEAST 200 // in fewer it cannot be seen what the whole is like

void fill_watched(Analysis *self) {
    u64 asserts = 0, acquires = 0;
    for (u32 i = 0; i < self->operations.count; i++) {
        u8 kind = self->operations.items[i].effect->kind;
        asserts += kind == EFFECT_ASSERT || kind == EFFECT_ASSERT_FREE;
        acquires += kind == EFFECT_ACQUIRE;
    }
    self->watched = acquires >= ACQUIRES_LEAST ? (u32)(asserts * 1000 / acquires) : 0;
}
