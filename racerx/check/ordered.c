// ordered.c: are two accesses made one after the other in every schedule, because one thread waits for the other?
// In: two samples, their histories. Out: yes or no.
// The idea: a thread that exists once is the only one to post a signal, and has not posted it yet; whoever has waited
// for it comes later (semaphores, completions, flags). Two that answer each other take turns. Before a barrier is
// before what is after it.
#include "racerx/check/history.h"

// Has b waited for something that only the thread of a posts, and only after a?
static bool comes_before(const Histories *self, const Sample *a, const History *mine, const History *its) {
    const Root *root = &self->analysis->roots.items[a->root];
    for (u32 i = 0; root->once && i < its->count; i++) {
        const Past *past = &its->items[i];
        const Signal *signal = &self->signals.items[past->signal];
        Past so_far = history_get(mine, past->signal);
        if (!past->waited || !signal->zero || !signal->posts || signal->poster != a->root)
            continue;
        if (!so_far.posted || (past->fresh && !so_far.outstanding && !signal->repeated))
            return true;
    }
    return false;
}

static bool meets(const Histories *self, u32 signal, u32 root) {
    return map_get(&self->meeters, (u64)signal << 32 | root) != NULL;
}

// Is there a barrier that both come to, and more of it behind one than before the other?
static bool are_phases(const Histories *self, const Sample *a, const History *mine, const Sample *b,
                       const History *its) {
    for (u32 i = 0; i < its->count; i++) {
        u32 signal = its->items[i].signal;
        Past past = history_get(mine, signal);
        if (self->signals.items[signal].kind == SIGNAL_BARRIER && past.most < its->items[i].least &&
            meets(self, signal, a->root) && meets(self, signal, b->root))
            return true;
    }
    return false;
}

bool are_ordered(Histories *self, const Sample *a, const Sample *b) {
    if (!self->signals.count || !self->analysis->follows_threads)
        return false;
    History mine = *history_of(self, a), its = *history_of(self, b);
    if (are_phases(self, a, &mine, b, &its) || are_phases(self, b, &its, a, &mine))
        return true;
    return a->root != b->root && (comes_before(self, a, &mine, &its) || comes_before(self, b, &its, &mine));
}
