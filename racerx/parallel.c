// parallel.c: can two accesses be made at the same time?
// In: two samples: the roots they come from, the threads that may run then. Out: yes or no, and whether it is proven:
// two threads that the program starts and that run together.
// The idea: a thread is in the lockset of whoever started it from its start to its join; what is done without it there is
// done before or after. Handlers of one context do not interrupt themselves; start-up and shutdown are alone.
#include "racerx/analysis.h"

#define ALONE (1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE)

static bool is_alive(const Analysis *self, LocksetId alive, const Root *thread) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, alive, &count);
    for (u32 i = 0; i < count; i++) {
        if (thread->thread && held[i].class == thread->thread)
            return true;
        if (thread->thread)
            continue;
        for (u32 k = 0; 3 * k < self->spawn_roots.count; k++) // several places start it
            if (self->spawns.items[self->spawn_roots.items[3 * k]].class == held[i].class &&
                self->nodes.items[self->spawn_roots.items[3 * k + 1]].function == thread->function)
                return true;
    }
    return false;
}

static bool started_together(const Analysis *self, const Root *a, const Root *b) {
    return map_get(&self->coalive_index, (u64)a->thread << 32 | b->thread) || map_get(&self->coalive_index, (u64)b->thread << 32 | a->thread);
}

static bool is_definite(const Root *root) {
    return root->spawned || root->once || (root->contexts & (1u << CONTEXT_SIGNAL | 1u << CONTEXT_INTERRUPT));
}

// May what `a` does run while thread `b` runs, a being who starts b, or who started the one who does?
static bool runs_beside(const Analysis *self, const Sample *a, u32 thread, u32 other) {
    const Root *root = &self->roots.items[thread];
    for (u32 depth = 0; depth < 8 && root->spawned; depth++) {
        if (is_alive(self, a->alive, root))
            return true;
        if (root->spawner == NO_ID || root->spawner == thread)
            return true;
        if (root->spawner == other)
            return false;
        root = &self->roots.items[root->spawner];
    }
    return true;
}

static bool is_above(const Analysis *self, u32 above, u32 root) {
    for (u32 depth = 0; depth < 8; depth++) {
        const Root *one = &self->roots.items[root];
        if (!one->spawned || one->spawner == NO_ID)
            return false;
        if (one->spawner == above)
            return true;
        root = one->spawner;
    }
    return false;
}

static bool threads_together(const Analysis *self, const Sample *a, const Sample *b) {
    const Root *x = &self->roots.items[a->root], *y = &self->roots.items[b->root];
    if (a->root == b->root) {
        if (x->contexts & (1u << CONTEXT_SIGNAL | 1u << CONTEXT_INTERRUPT))
            return false;
        return !x->once;
    }
    if (is_above(self, a->root, b->root))
        return runs_beside(self, a, b->root, a->root);
    if (is_above(self, b->root, a->root))
        return runs_beside(self, b, a->root, b->root);
    if (x->spawned && y->spawned && x->thread && y->thread && x->spawner == y->spawner && x->spawner != NO_ID &&
        self->roots.items[x->spawner].once)
        return started_together(self, x, y);
    return true;
}

static bool handlers_together(const Analysis *self, const Sample *a, const Sample *b) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    u32 contexts = self->roots.items[a->root].contexts;
    if (a->root != b->root || !(contexts & handlers))
        return true;
    return node_root(self, a->node) != node_root(self, b->node);
}

bool may_run_together(const Analysis *self, const Sample *a, const Sample *b, bool *proven) {
    const Root *x = &self->roots.items[a->root], *y = &self->roots.items[b->root];
    *proven = false;
    if (!(x->contexts & ~ALONE) || !(y->contexts & ~ALONE))
        return false;
    i32 first, second;
    if (program_never_parallel(self->program, node_root(self, a->node), node_root(self, b->node), &first, &second))
        return false;
    if (!self->follows_threads)
        return handlers_together(self, a, b);
    if (!threads_together(self, a, b))
        return false;
    *proven = is_definite(x) && is_definite(y);
    return true;
}
