// slots.c: functions behind tables of operations become entries of their own.
// In: the calls between nodes. Out: Analysis.slots: by function that calls through a slot reach, the node it is entered
// in, walked anew where no caller entered it just so.
// The idea: a call through a table is exact about being made and vague only about by whom. So each function behind one
// is entered once, with what every such call brings along: the locks and the bindings that all have in common.
// Invariant: what an entry is made with only shrinks while calls are met, so the walk ends; calls are met in the order
// they were walked. Guessed calls say nothing; nor does start-up.
#include "racerx/walk/walk.h"

#define SLOT_TARGETS 2 // calls with so many targets are followed one by one

bool is_slot_call(const Analysis *self, u32 edge) {
    const SkeletonStep *step = self->edge_steps.items[edge];
    const CallSite *site = step && step->call != NO_ID ? &self->program->calls.items[step->call] : NULL;
    const ProgramFunction *caller =
        &self->program->functions.items[self->nodes.items[self->edge_pairs.items[2 * edge]].function];
    return site && site->indirect && site->target_count > SLOT_TARGETS && !site->guessed &&
           !(caller->marks & (MARK_INIT | MARK_EXIT | MARK_SINGLE_THREADED));
}

static LocksetId common_entry(Analysis *self, LocksetId a, LocksetId b) {
    if (a == b)
        return a;
    HeldSet kept;
    held_begin(&kept);
    u32 count, others;
    const Held *left = lockset_held(&self->locksets, a, &count), *right = lockset_held(&self->locksets, b, &others);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < others; k++)
            if (left[i].class == right[k].class && left[i].path == right[k].path) {
                held_push(&kept, left[i]);
                kept.items[kept.count - 1].flags |= right[k].flags & HELD_SHARED;
                break;
            }
    return held_intern(&kept, &self->locksets);
}

static u32 common_binding(Analysis *self, u32 a, u32 b) {
    Binder binder = {.count = 0};
    if (a == b || !a || !b)
        return a == b ? a : 0;
    const u32 *left = self->bindings.items + a, *right = self->bindings.items + b;
    for (u32 i = 0; i < left[0]; i++)
        for (u32 k = 0; k < right[0]; k++)
            if (left[1 + 2 * i] == right[1 + 2 * k] && left[2 + 2 * i] == right[2 + 2 * k])
                binder_put(&binder, left[1 + 2 * i] >> 8, left[1 + 2 * i] & 255, left[2 + 2 * i]);
    return binder_intern(self, &binder);
}

// The slot entry of a function that one more call reaches. True: it is another node than before.
static bool slot_meet(Analysis *self, u32 edge) {
    Node callee = self->nodes.items[self->edge_pairs.items[2 * edge + 1]];
    u32 *index = &self->slot_of.items[callee.function];
    if (!*index) {
        array_push(&self->slots, ((SlotEntry){.function = callee.function,
                                              .entry = callee.entry,
                                              .binding = callee.binding,
                                              .edge = edge,
                                              .node = NO_ID}));
        *index = self->slots.count;
        return true;
    }
    SlotEntry *slot = &self->slots.items[*index - 1];
    LocksetId entry = common_entry(self, slot->entry, callee.entry);
    u32 binding = common_binding(self, slot->binding, callee.binding);
    bool changed = entry != slot->entry || binding != slot->binding;
    slot->entry = entry;
    slot->binding = binding;
    slot->calls++;
    return changed;
}

static void slot_enter(Walk *self, u32 index) {
    Analysis *analysis = self->analysis;
    SlotEntry slot = analysis->slots.items[index];
    bool limited;
    u32 node = node_get(analysis, slot.function, slot.entry, slot.binding, &limited);
    if (slot.node != NO_ID)
        analysis->nodes.items[slot.node].is_slot = false;
    analysis->slots.items[index].node = limited ? NO_ID : node;
    if (limited)
        return;
    Node *entered = &analysis->nodes.items[node];
    entered->is_slot = true;
    if (entered->state)
        return;
    u32 caller = analysis->edge_pairs.items[2 * slot.edge], like = analysis->edge_pairs.items[2 * slot.edge + 1];
    entered->parent = caller;
    entered->entry_site = analysis->entry_sites.count;
    u32 count;
    lockset_held(&analysis->locksets, slot.entry, &count);
    for (u32 i = 0; i < count; i++)
        array_push(&analysis->entry_sites, NO_ID);
    entered->call = analysis->edge_places.items[slot.edge];
    entered->depth = analysis->nodes.items[like].depth;
    entered->conditionals = analysis->nodes.items[like].conditionals;
    walk_from(self, node);
    put_call_edge(analysis, caller, node, analysis->edge_steps.items[slot.edge],
                  analysis->edge_ambient.items[slot.edge]);
}

// requires: all roots walked. fills: slots, slot_of, Node.is_slot.
void walk_slots(Walk *self) {
    Analysis *analysis = self->analysis;
    U32Array changed = {0};
    array_reserve(&analysis->slot_of, analysis->program->functions.count + 1);
    memset(analysis->slot_of.items, 0, sizeof(u32) * (analysis->program->functions.count + 1));
    for (u32 edge = 0; edge < analysis->edge_steps.count;) {
        changed.count = 0;
        for (; edge < analysis->edge_steps.count; edge++)
            if (is_slot_call(analysis, edge) && slot_meet(analysis, edge))
                array_push(
                    &changed,
                    analysis->slot_of.items[analysis->nodes.items[analysis->edge_pairs.items[2 * edge + 1]].function] -
                        1);
        for (u32 i = 0; i < changed.count; i++)
            slot_enter(self, changed.items[i]);
    }
    array_free(&changed);
}
