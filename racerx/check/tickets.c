// tickets.c: counters that give everybody another number.
// In: samples of counters that some index was drawn from (facts/numbers.c). Out: Analysis.tickets: those of which no
// number is given twice while threads are about. The idea: a counter that only ever goes up, each time in one piece or
// under one lock, gives each number once; it may be set to something where nobody else runs.
#include "racerx/check/races.h"

typedef Array(const Sample *) SampleRefs;

// Samples by which the counter may be touched, by whatever word: its own, or its type's.
static void find_samples(const Analysis *self, ObjectId counter, SampleRefs *out) {
    out->count = 0;
    for (u32 i = 0; i < self->samples.count; i++) {
        const Sample *sample = &self->samples.items[i];
        if (sample->object == counter || self->accesses.items[sample->access].object == counter)
            array_push(out, sample);
    }
}

static bool counts_up(const Analysis *self, const Sample *sample) {
    const u32 *counts = map_get(&self->counted, sample->access);
    return counts && *counts == COUNTS_UP;
}

static bool is_drawn_once(const Analysis *self, ObjectId counter, const SampleRefs *samples) {
    bool whole = self->objects.items[counter].flags & SHARED_ATOMIC, up = false, proven;
    u32 count = limit_cuts(LIMIT_FLAG_SAMPLES, samples->count > FLAG_SAMPLES) ? FLAG_SAMPLES : samples->count;
    for (u32 i = 0; i < samples->count; i++)
        up |= counts_up(self, samples->items[i]);
    for (u32 i = 0; i < count; i++) { // of the rest nothing is known: no finding is made of that
        const Sample *a = samples->items[i];
        bool writes = self->accesses.items[a->access].flags & ACCESSED_WRITE, counts = counts_up(self, a);
        for (u32 k = 0; k < count; k++) {
            const Sample *b = samples->items[k];
            bool matters = writes && !counts ? true : k >= i && !whole && conflict(self, a, b);
            if (matters && may_run_together(self, a, b, &proven) &&
                ((writes && !counts) || !have_common_lock(self, a, b)))
                return false;
        }
    }
    return up;
}

void fill_tickets(Analysis *self) {
    SampleRefs samples = {0};
    Map asked = {0};
    for (u32 i = 1; i < self->paths.paths.count; i++) {
        const Path *path = &self->paths.paths.items[i];
        u32 name = path->depth ? path->step >> 1 : 0;
        ObjectId counter = name & (STEP_TICKET - 1);
        bool fresh;
        if (!step_is_owned(name) || name == STEP_OWN || !(name & STEP_TICKET))
            continue;
        map_put(&asked, counter, &fresh);
        if (!fresh)
            continue;
        find_samples(self, counter, &samples);
        if (is_drawn_once(self, counter, &samples))
            *map_put(&self->tickets, counter, NULL) = 1;
    }
    array_free(&samples);
    map_free(&asked);
}
