// semaphore.c: is a semaphore a lock or a signal? By how it behaves, against how spin locks behave.
// In: the lock sites of the walk. Out: LockClass.z and `scheduling`, and the rows of the findings' semaphores.
//
// A lock is let go by whoever took it: many pairs, few spurious ups. For each semaphore two shares are compared
// with those of the spin locks of the same program, by a z-test: pairs to downs, and spurious ups to downs. If either
// is very improbable for a lock, the semaphore schedules, and makes no dependency. Counted are places in the text, not
// visits; a place that lets it go held on any path is paired. One that is only ever made with nothing in it waits for
// somebody else's up, however it is used then; unless it is used as a lock by many, and the ups that go with no down
// are no more than it is made: then it is a lock that is made held, and let go when its object is ready.
// Where there are no semaphores, a mutex does: its taker takes it again, and would wait for ever if nobody else let it
// go. It signals when no holder ever lets it go, but somebody who never took it, or who was given a local.
#include "racerx/facts/analysis.h"

#include <math.h>

#define BASELINE_LEAST 20   // places that take spin locks; with fewer their shares say nothing
#define PAIRED_MOST 0.95    // no share of pairs counts for more: the walk misses some of a lock's, too
#define PAIRED_LEAST 0.5    // a program whose spin locks look worse than this was not understood
#define SPURIOUS_LEAST 0.05 // and the same for spurious ups
#define SPURIOUS_MOST 0.3

static void count_sites(Analysis *self) {
    for (u32 s = 0; s < self->sites.count; s++) {
        const LockSite *site = &self->sites.items[s];
        LockClass *class = &self->classes.items[site->class];
        class->downs += (site->uses & SITE_TAKES) != 0;
        class->paired += (site->uses & SITE_PAIRED) != 0;
        class->spurious += (site->uses & SITE_SPURIOUS) && !(site->uses & SITE_PAIRED);
    }
}

// z of seeing `good` of `all` when the share of locks is `share`.
double z_test(double good, double all, double share) {
    if (all <= 0)
        return 0;
    if (share > 0.999)
        share = 0.999;
    if (share < 0.001)
        share = 0.001;
    return (good / all - share) / sqrt(share * (1 - share) / all);
}

static double between(double value, double least, double most) {
    return value < least ? least : value > most ? most : value;
}

SemaphoreBaseline semaphore_baseline(u64 downs, u64 paired, u64 spurious) {
    SemaphoreBaseline baseline = {(u32)(downs > UINT32_MAX ? UINT32_MAX : downs), PAIRED_MOST, SPURIOUS_LEAST};
    if (downs >= BASELINE_LEAST) {
        baseline.paired = between((double)paired / (double)downs, PAIRED_LEAST, PAIRED_MOST);
        baseline.spurious = between((double)spurious / (double)downs, SPURIOUS_LEAST, SPURIOUS_MOST);
    }
    return baseline;
}

double semaphore_z(u32 downs, u32 paired, u32 spurious, const SemaphoreBaseline *baseline) {
    u32 pairs = paired < downs ? paired : downs; // one down may have an up on each way out
    double trials = downs ? downs : spurious;    // let go and never taken: as if each had a down elsewhere
    double by_pairs = z_test(pairs, trials, baseline->paired);
    double by_spurious = -z_test(spurious, trials, baseline->spurious);
    return by_pairs < by_spurious ? by_pairs : by_spurious;
}

static SemaphoreBaseline spin_baseline(const Analysis *self) {
    u64 downs = 0, paired = 0, spurious = 0;
    for (ClassId c = CLASS_FIRST; c < self->classes.count; c++) {
        const LockClass *class = &self->classes.items[c];
        if (!lock_has(class->kind, TRAIT_AWAKE) || class->parameter)
            continue;
        downs += class->downs;
        paired += class->paired < class->downs ? class->paired : class->downs;
        spurious += class->spurious;
    }
    return semaphore_baseline(downs, paired, spurious);
}

// How a semaphore is made: with nothing in it; for several at a time; otherwise.
enum { MADE_EMPTY = 1, MADE_WIDE = 2, MADE_ELSE = 4 };
// fills: by class: MADE_…, of all places.
static u8 *made_how(const Analysis *self) {
    u8 *how = must_zero(self->classes.count + 1u);
    for (u32 i = 0; i < self->inits.count; i++) {
        const LockInit *init = &self->inits.items[i];
        bool wide = init->tokens != NO_TOKENS && init->tokens > 1;
        how[init->class] |= init->count == VALUE_ZERO ? MADE_EMPTY : wide ? MADE_WIDE : MADE_ELSE;
    }
    return how;
}

// fills: by class, how often it is made.
static u32 *makings(const Analysis *self) {
    u32 *made = must_zero(sizeof(u32) * (self->classes.count + 1u));
    for (u32 i = 0; i < self->inits.count; i++)
        made[self->inits.items[i].class]++;
    return made;
}

#define HELD_DOWNS_LEAST 4 // places that take it, to say that it is a lock though it is made with nothing in it

static bool is_made_held(const LockClass *class, u32 made) {
    return class->downs >= HELD_DOWNS_LEAST && class->paired >= class->downs && class->spurious <= made;
}

// requires: count_sites. Of locks that sleepers wait for: those whose holder waits for somebody else to let them go.
static void find_signals(Analysis *self) {
    for (u32 i = 0; i < self->notes.count; i++) {
        const Note *note = &self->notes.items[i];
        LockClass *class = &self->classes.items[note->class];
        if (note->kind == NOTE_DOUBLE && note->flags && !lock_has(class->kind, TRAIT_AWAKE) && !class->parameter &&
            !class->paired && (class->local || class->spurious))
            class->scheduling = true;
    }
}

static int compare_rows(const void *left, const void *right) {
    const SemaphoreRow *a = left, *b = right;
    return a->z < b->z ? -1 : a->z > b->z ? 1 : strcmp(a->name, b->name);
}

void classify_semaphores(Analysis *self, FindingList *out) {
    count_sites(self);
    out->baseline = spin_baseline(self);
    u8 *made = made_how(self);
    u32 *times = makings(self);
    for (ClassId c = CLASS_FIRST; c < self->classes.count; c++) {
        LockClass *class = &self->classes.items[c];
        if (!lock_has(class->kind, TRAIT_SIGNALS) || class->parameter ||
            !(class->downs + class->paired + class->spurious))
            continue;
        class->z = semaphore_z(class->downs, class->paired, class->spurious, &out->baseline);
        class->scheduling = class->z < SEMAPHORE_IMPROBABLE || made[c] == MADE_WIDE ||
                            (made[c] == MADE_EMPTY && !is_made_held(class, times[c]));
        SemaphoreRow row = {class_text(self, c), class->downs, class->paired,
                            class->spurious,     class->z,     class->scheduling};
        findings_add_semaphore(out, &row);
    }
    free(made);
    free(times);
    find_signals(self);
    if (out->semaphores.count)
        qsort(out->semaphores.items, out->semaphores.count, sizeof(SemaphoreRow), compare_rows);
}
