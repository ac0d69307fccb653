// ordered.c: are two accesses made one after the other in every schedule, because one thread waits for the other?
// In: two samples, their histories. Out: yes or no.
// The idea: a thread that exists once is the only one to post a signal, and has not posted it yet; whoever has waited
// for it comes later (semaphores, completions, flags). Two that answer each other take turns. Before a barrier is
// before what is after it.
#include "racerx/check/history.h"

// The semaphore that was taken freshly at every place that posts this one: what is posted is what was taken. NO_ID:
// none.
static u32 taken_for(const Histories *self, u32 signal) {
    const History *answers = &self->signals.items[signal].answers;
    for (u32 i = 0; answers->reached && i < answers->count; i++)
        if (answers->items[i].fresh && self->signals.items[answers->items[i].signal].kind == SIGNAL_SEMAPHORE)
            return answers->items[i].signal;
    return NO_ID;
}

// Semaphores of which one is posted by who has taken the next: they share a number of tokens. How many, if the other is
// among them; NO_TOKENS: it is not, or it is not known.
static i32 shared_tokens(const Histories *self, u32 signal, u32 other) {
    i64 tokens = 0;
    bool there = false;
    u32 at = signal;
    for (u32 i = 0; i < SEMAPHORES_ROUND && at != NO_ID; i++) {
        there |= at == other;
        if (self->signals.items[at].tokens == NO_TOKENS || !self->signals.items[at].posts)
            return NO_TOKENS;
        tokens += self->signals.items[at].tokens;
        at = taken_for(self, at);
        if (at == signal)
            return there && tokens < INT32_MAX ? (i32)tokens : NO_TOKENS;
    }
    return NO_TOKENS;
}

// Two semaphores that count what is filled and what is free of so many elements, none of which is filled at first.
static bool is_ring(const Histories *self, u32 first, u32 second, u32 elements) {
    const Signal *a = &self->signals.items[first], *b = &self->signals.items[second];
    i32 room = a->tokens ? a->tokens : b->tokens;
    return first != second && taken_for(self, first) == second && taken_for(self, second) == first && a->posts &&
           b->posts && (!a->tokens || !b->tokens) && (room == NO_TOKENS || (u32)room <= elements);
}

// Elements by an index that goes on each time: of how many; 0: it is none, UINT32_MAX: not known.
static u32 elements_in_turn(const Analysis *self, const Sample *sample) {
    for (PathId at = self->accesses.items[sample->access].path; at && self->paths.paths.items[at].depth;
         at = self->paths.paths.items[at].parent) {
        const u32 *many = map_get(&self->in_turn, self->paths.paths.items[at].step >> 1);
        if (!step_is_up(self->paths.paths.items[at].step) && many)
            return *many;
    }
    return 0;
}

// Has each taken a semaphore, and posted none since, so that they never do at the same time? There is one token for
// both; or as many as there are elements, and each goes on by one.
static bool takes_turns(const Histories *self, const Sample *a, const History *mine, const Sample *b,
                        const History *its) {
    for (u32 i = 0; i < mine->count; i++)
        for (u32 k = 0; mine->items[i].fresh && k < its->count; k++) {
            u32 first = mine->items[i].signal, second = its->items[k].signal;
            if (!its->items[k].fresh || self->signals.items[first].kind != SIGNAL_SEMAPHORE ||
                self->signals.items[second].kind != SIGNAL_SEMAPHORE)
                continue;
            i32 tokens = shared_tokens(self, first, second);
            if (tokens == 1)
                return true;
            u32 x = elements_in_turn(self->analysis, a), y = elements_in_turn(self->analysis, b);
            if (x && y && is_ring(self, first, second, x < y ? x : y))
                return true;
        }
    return false;
}

// May others have seen it posted? What is posted under a lock they see when that is let go.
static bool is_posted(const Histories *self, const Past *past) {
    return past->posted && (past->let_go || !self->signals.items[past->signal].locked);
}

// Has b waited for something that only the thread of a posts, and only after a?
static bool comes_before(const Histories *self, const Sample *a, const History *mine, const History *its) {
    const Root *root = &self->analysis->roots.items[a->root];
    for (u32 i = 0; root->once && i < its->count; i++) {
        const Past *past = &its->items[i];
        const Signal *signal = &self->signals.items[past->signal];
        Past so_far = history_get(mine, past->signal);
        if (!past->waited || !signal->zero || !signal->posts || signal->poster != a->root ||
            signal->kind == SIGNAL_COUNT)
            continue;
        if (!is_posted(self, &so_far) || (past->fresh && !so_far.outstanding && !signal->repeated))
            return true;
    }
    return false;
}

static bool posts(const Histories *self, u32 signal, u32 root) {
    return map_get(&self->posters, (u64)signal << 32 | root) != NULL;
}

// Is b done only when a number was counted down to zero, and a by one who has yet to count?
static bool is_before_zero(const Histories *self, const Sample *a, const History *mine, const History *its) {
    for (u32 i = 0; i < its->count; i++) {
        u32 signal = its->items[i].signal;
        Past so_far = history_get(mine, signal);
        if (self->signals.items[signal].kind == SIGNAL_COUNT && its->items[i].waited && posts(self, signal, a->root) &&
            (!is_posted(self, &so_far) || (its->items[i].last_one && so_far.last_one)))
            return true;
    }
    return false;
}

static bool meets(const Histories *self, u32 signal, u32 root) {
    return map_get(&self->meeters, (u64)signal << 32 | root) != NULL;
}

// All come to a barrier by the same calls, one after the other: is one access behind other calls of it than the other?
// Then they are in two phases, however often the loop around them goes round.
static bool are_behind_others(const Signal *signal, const Sample *a, const Past *mine, const Sample *b,
                              const Past *its) {
    bool alike = a->root == b->root || signal->met_in != NO_ID;
    return alike && !(last_met(mine) & last_met(its));
}

// Is there a barrier that both come to, and more of it behind one than before the other?
static bool are_phases(const Histories *self, const Sample *a, const History *mine, const Sample *b,
                       const History *its) {
    for (u32 i = 0; i < its->count; i++) {
        u32 signal = its->items[i].signal;
        Past past = history_get(mine, signal);
        const Signal *one = &self->signals.items[signal];
        if (one->kind == SIGNAL_BARRIER && meets(self, signal, a->root) && meets(self, signal, b->root) &&
            (past.most < its->items[i].least || are_behind_others(one, a, &past, b, &its->items[i])))
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
    if (takes_turns(self, a, &mine, b, &its))
        return true;
    if (is_before_zero(self, a, &mine, &its) || is_before_zero(self, b, &its, &mine))
        return true;
    return a->root != b->root && (comes_before(self, a, &mine, &its) || comes_before(self, b, &its, &mine));
}
