// lists.c: which list a node is in: regions by where their nodes are reached from (Goblint's regions, by head).
// In: stores of pointers as skeletons are built, keepers. Out: keepers that nodes of two lists may get into
// (KEEPS_MIXED); for any pointer the head that it was reached from.
// The idea: a list is the place that its head is in (a global, a queue with head and tail). Where everything that is
// stored is fresh, was taken off, or comes from the very list that it is stored in, a node is in one list at a time,
// and two lists under two locks have no node in common.
#include "racerx/facts/skeleton.h"

// The place that the last pointer on the way was read from; 0: none is on the way.
static PathId pointer_at(const PathTable *paths, PathId path) {
    while (path && paths->paths.items[path].depth && !step_is_pointer(paths->paths.items[path].step))
        path = paths->paths.items[path].parent;
    return path && paths->paths.items[path].depth ? paths->paths.items[path].parent : 0;
}

static RecordId hop_holds(const Analysis *self, u32 hops) {
    return hops && hops != NO_ID ? self->keepers.items[self->hops.items[hops].keeper - 1].holds : NO_ID;
}

// The head that a pointer kept at `place` was reached from, through links of one type; 0: not known.
PathId head_of(const Analysis *self, FunctionId function, PathId place, u32 hops, RecordId record) {
    for (u32 depth = 0; depth < 16 && place && hops != NO_ID; depth++) {
        const Path *path = &self->paths.paths.items[place];
        if (!hops) { // a variable: where did it begin?
            const u32 *begin = path->root == ROOT_LOCAL && !path->depth
                                   ? map_get(&self->beginnings, (u64)function << 32 | path->step)
                                   : NULL;
            if (!begin)
                return 0;
            place = self->begun.items[*begin].path;
            hops = self->begun.items[*begin].hops;
            if (!hops)
                return 0;
            continue;
        }
        if (hop_holds(self, hops) != record)
            return 0;
        u32 next = self->hops.items[hops].next;
        PathId before = pointer_at(&self->paths, place);
        bool variable = !next && before && self->paths.paths.items[before].root == ROOT_LOCAL &&
                        !self->paths.paths.items[before].depth;
        if (!variable && (!next || hop_holds(self, next) != record))
            return place;
        place = before;
        hops = next;
    }
    return 0;
}

// The list whose head, or tail, is at a place: what it is a member of, or itself. 0: some element's.
PathId list_at(const PathTable *paths, PathId head) {
    const Path *path = &paths->paths.items[head];
    if (!head || !path->depth)
        return head;
    return step_is_index_or_up(path->step) || !step_name(path->step) ? 0 : path->parent;
}

// Likewise of the node that is stored into, or of the head itself; 0: a node that is in no list yet, or not known.
static PathId list_into(Build *self, ExprId lvalue, PathId into, u32 keeper) {
    const Keeper *one = &self->analysis->keepers.items[keeper - 1];
    if (one->record != one->holds)
        return list_at(&self->analysis->paths, into);
    u32 hops = build_object_hops(self, lvalue, 0);
    PathId node = pointer_at(&self->analysis->paths, into);
    return list_at(&self->analysis->paths, head_of(self->analysis, self->function, node, hops, one->holds));
}

// A pointer is stored that is not fresh: does it stay in its list? A node that is not in one yet may point into the
// list that it is put in: that is seen at the end (settle_stores).
void build_stored(Build *self, ExprId lvalue, ExprId stored, u32 keeper) {
    Analysis *analysis = self->analysis;
    Keeper *one = &analysis->keepers.items[keeper - 1];
    PathValue value = build_value(self, stored, 0);
    PathId into = build_place(self, lvalue, 0), list = list_into(self, lvalue, into, keeper);
    const Path *path = &analysis->paths.paths.items[value.path];
    bool whole = value.path && !value.address && !path->depth;
    StoredNode node = {.keeper = keeper, .list = list};
    if (value.address || !value.path)
        node.stray = true;
    if (whole && path->root != ROOT_GLOBAL)
        node.node = value.path;
    PathId from = value.address ? 0
                                : list_at(&analysis->paths, head_of(analysis, self->function, value.path,
                                                                    build_hops(self, stored, 0), one->holds));
    node.from = from;
    node.into = list ? 0 : path_first(&analysis->paths, into);
    array_push(&self->stored, node);
}

// requires: all stores of the function. fills: KEEPS_MIXED.
void settle_stores(Build *self) {
    for (u32 i = 0; i < self->stored.count; i++) {
        const StoredNode *one = &self->stored.items[i];
        if (one->node && !one->from)
            continue; // as fresh as it is: fresh.c says
        bool stays = one->from && one->from == one->list && !one->stray;
        for (u32 k = 0; one->from && one->into && !stays && k < self->stored.count; k++)
            stays = self->stored.items[k].node == one->into && self->stored.items[k].list == one->from;
        if (!stays)
            self->analysis->keepers.items[one->keeper - 1].flags |= KEEPS_MIXED;
    }
}
