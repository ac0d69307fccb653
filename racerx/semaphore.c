// semaphore.c: is a semaphore a lock or a signal? By how it behaves, against how spin locks behave.
// A lock is let go by whoever took it: many pairs, few spurious ups. A semaphore whose share of pairs, or
// of spurious ups, is very improbable for a lock makes no dependency.
#include "racerx/analysis.h"

#include <math.h>

#define IMPROBABLE -2.0

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

void classify_semaphores(Analysis *self) {
    double paired = 0, spurious = 0;
    count_sites(self);
    for (ClassId c = CLASS_FIRST; c < self->classes.count; c++)
        if (self->classes.items[c].kind == LOCK_SPIN) {
            paired += self->classes.items[c].paired;
            spurious += self->classes.items[c].spurious;
        }
    double share = paired + spurious >= 20 ? paired / (paired + spurious) : 0.95;
    if (share > 0.98)
        share = 0.98;
    for (ClassId c = CLASS_FIRST; c < self->classes.count; c++) {
        LockClass *class = &self->classes.items[c];
        if (class->kind != LOCK_SEMAPHORE)
            continue;
        class->z = z_test(class->paired, (double)class->paired + class->spurious, share);
        class->scheduling = class->z < IMPROBABLE || (!class->paired && class->spurious);
    }
}
