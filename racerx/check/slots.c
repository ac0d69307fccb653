// slots.c: what calls through a slot surely hold, and from which contexts they come.
// In: slot entries, calls between nodes. Out: SlotEntry.set and .contexts.
// The idea: a greatest fixpoint. What every way to a node holds is what all its calls bring, in the node's own words; a
// slot entry stands between its calls and its node, and brings what all its calls have in common. What only some calls
// hold is neither for nor against.
// Invariant: sets only shrink, contexts only grow, nodes are taken in one order: the result does not depend on it.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    u32 *first;      // by node: its calls in `calls`
    u32 *calls;      // indices of edge_…
    LocksetId *must; // by node: what every way holds besides its entry; NO_ID: no way yet
    u32 *contexts;   // by node: categories of the roots that reach it
    U32Array work;
    u8 *waits; // by node: is in `work`
} SlotSets;

static void fill_calls(SlotSets *self) {
    const Analysis *analysis = self->analysis;
    u32 nodes = analysis->nodes.count, edges = analysis->edge_steps.count;
    self->first = must_zero(sizeof(u32) * (nodes + 2u));
    self->calls = must_alloc(sizeof(u32) * (edges + 1u));
    for (u32 e = 0; e < edges; e++)
        self->first[analysis->edge_pairs.items[2 * e] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (u32 e = 0; e < edges; e++)
        self->calls[self->first[analysis->edge_pairs.items[2 * e] + 1]++] = e;
}

static const Held *held_of(const LocksetTable *locksets, LocksetId set, ClassId class, PathId path) {
    u32 count;
    const Held *held = lockset_held(locksets, set, &count), *found = NULL;
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class && (!found || held[i].path == path))
            found = &held[i];
    return found;
}

static bool has_class(const HeldSet *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i].class == class)
            return true;
    return false;
}

// What both hold, by class; where they differ in whose it is, that is not known.
static LocksetId meet(Analysis *self, LocksetId a, LocksetId b) {
    if (a == NO_ID || a == b)
        return b;
    HeldSet kept;
    u32 count;
    held_begin(&kept);
    const Held *left = lockset_held(&self->locksets, a, &count);
    for (u32 i = 0; i < count; i++) {
        const Held *right = held_of(&self->locksets, b, left[i].class, left[i].path);
        if (right && !has_class(&kept, left[i].class))
            held_push(&kept, (Held){left[i].class, left[i].path == right->path ? left[i].path : 0,
                                    (left[i].flags | right->flags) & HELD_SHARED, 1, NO_ID});
    }
    return held_intern(&kept, &self->locksets);
}

static LocksetId join(Analysis *self, LocksetId a, LocksetId b) {
    HeldSet held;
    u32 more;
    held_load(&held, &self->locksets, a);
    const Held *from = lockset_held(&self->locksets, b, &more);
    for (u32 i = 0; i < more; i++)
        if (!has_class(&held, from[i].class))
            held_push(&held, from[i]);
    return held_intern(&held, &self->locksets);
}

// A set without the classes of another.
static LocksetId without(Analysis *self, LocksetId set, LocksetId other) {
    HeldSet kept;
    u32 count;
    held_begin(&kept);
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (!held_of(&self->locksets, other, held[i].class, 0))
            held_push(&kept, held[i]);
    return held_intern(&kept, &self->locksets);
}

static u32 size_of(const Analysis *self, LocksetId set) {
    u32 count;
    lockset_held(&self->locksets, set, &count);
    return count;
}

static void reach(SlotSets *self, u32 node, LocksetId set, u32 contexts) {
    const Analysis *analysis = self->analysis;
    LocksetId met = meet(self->analysis, self->must[node], set);
    bool fixed = analysis->nodes.items[node].is_root;
    u32 more = self->contexts[node] | contexts;
    if ((met == self->must[node] || fixed) && more == self->contexts[node])
        return;
    promised((more & self->contexts[node]) == self->contexts[node]); // contexts only grow, and sets only shrink
    promised(self->must[node] == NO_ID || size_of(analysis, met) <= size_of(analysis, self->must[node]));
    self->must[node] = fixed ? self->must[node] : met;
    self->contexts[node] = more;
    if (!self->waits[node])
        array_push(&self->work, node);
    self->waits[node] = 1;
}

static void reach_slot(SlotSets *self, u32 edge, LocksetId set, u32 contexts) {
    Analysis *analysis = self->analysis;
    const Node *callee = &analysis->nodes.items[analysis->edge_pairs.items[2 * edge + 1]];
    SlotEntry *slot = &analysis->slots.items[analysis->slot_of.items[callee->function] - 1];
    if (slot->node == NO_ID)
        return;
    slot->set = meet(analysis, slot->set, join(analysis, set, callee->entry));
    slot->contexts |= contexts;
    reach(self, slot->node, without(analysis, slot->set, slot->entry), slot->contexts);
}

static void follow(SlotSets *self, u32 edge) {
    Analysis *analysis = self->analysis;
    const SkeletonStep *step = analysis->edge_steps.items[edge];
    u32 caller = analysis->edge_pairs.items[2 * edge], callee = analysis->edge_pairs.items[2 * edge + 1];
    if (step && step->call != NO_ID && analysis->program->calls.items[step->call].guessed)
        return;
    bool slot = is_slot_call(analysis, edge), asked = slot || self->must[callee]; // nothing becomes less than nothing
    LocksetId set = asked ? way_into(analysis, edge, self->must[caller]) : 0;
    reach(self, callee, set, self->contexts[caller]);
    if (slot)
        reach_slot(self, edge, set, self->contexts[caller]);
}

static void start_roots(SlotSets *self) {
    Analysis *analysis = self->analysis;
    for (u32 n = 0; n < analysis->nodes.count; n++) {
        self->must[n] = NO_ID;
        if (!analysis->nodes.items[n].is_root && analysis->nodes.items[n].parent != NO_ID)
            continue;
        self->must[n] = 0;
        self->contexts[n] = 1u << root_category(analysis, analysis->nodes.items[n].function);
        self->waits[n] = 1;
        array_push(&self->work, n);
    }
}

// requires: the walk. fills: SlotEntry.set, contexts.
void fill_slots(Analysis *analysis) {
    SlotSets self = {.analysis = analysis};
    u32 nodes = analysis->nodes.count;
    if (!analysis->slots.count)
        return;
    for (u32 i = 0; i < analysis->slots.count; i++)
        analysis->slots.items[i].set = NO_ID;
    fill_calls(&self);
    self.must = must_alloc(sizeof(LocksetId) * (nodes + 1u));
    self.contexts = must_zero(sizeof(u32) * (nodes + 1u));
    self.waits = must_zero(nodes + 1u);
    start_roots(&self);
    for (u32 at = 0; at < self.work.count; at++) {
        u32 node = self.work.items[at];
        self.waits[node] = 0;
        for (u32 i = self.first[node]; i < self.first[node + 1]; i++)
            follow(&self, self.calls[i]);
        if (at > 1u << 20 && at * 2 > self.work.count) { // what is done is forgotten
            memmove(self.work.items, self.work.items + at + 1, sizeof(u32) * (self.work.count - at - 1));
            self.work.count -= at + 1;
            at = UINT32_MAX;
        }
    }
    for (u32 i = 0; i < analysis->slots.count; i++)
        if (analysis->slots.items[i].set != NO_ID)
            analysis->slots.items[i].set =
                without(analysis, analysis->slots.items[i].set, analysis->slots.items[i].entry);
    free(self.first);
    free(self.calls);
    free(self.must);
    free(self.contexts);
    free(self.waits);
    array_free(&self.work);
}
