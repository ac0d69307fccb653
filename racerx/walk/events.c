// events.c: what is put down of calls made under locks, and what becomes of the products of the walk at their end.
#include "racerx/facts/analysis.h"

u32 site_make(Analysis *self, FunctionId function, Place place) {
    array_push(&self->sites, ((LockSite){.function = function, .place = place, .next = NO_ID}));
    return self->sites.count - 1;
}

// Where a lock held in a node was taken: in the node, or where the first caller took it. NO_ID: not known.
u32 lock_site(const Analysis *self, u32 node, const Held *held) {
    for (; held->site == NO_ID && node != NO_ID; node = NO_ID) {
        u32 count;
        const Node *info = &self->nodes.items[node];
        if (info->parent == NO_ID)
            return NO_ID;
        const Held *entry = lockset_held(&self->locksets, info->entry, &count);
        for (u32 i = 0; i < count; i++)
            if (entry[i].class == held->class && entry[i].path == held->path)
                return self->entry_sites.items[info->entry_site + i];
        return NO_ID;
    }
    return held->site;
}

// Of the calls of one node under one lock, the one nearest to where it was taken.
void ambient_put(Analysis *self, const Held *held, u32 caller, u32 callee, LocksetId sure, Place place, u8 cost) {
    bool forbids = (held->flags & HELD_SPINS) || held->class < CLASS_FIRST; // who holds it matters: see sleeps.c
    u64 who = forbids ? hash_mix((u64)place.line << 32 | place.column, held->site) : 0;
    u32 *index = map_put(&self->ambient_index, hash_mix((u64)callee << 32 | held->class, who), NULL);
    Ambient ambient = {held->class, caller, callee, held->site, sure, held->flags, place, cost};
    if (!*index) {
        array_push(&self->ambient, ambient);
        *index = self->ambient.count;
        return;
    }
    Ambient *known = &self->ambient.items[*index - 1];
    bool nearer = (known->flags & HELD_OUTER) && !(held->flags & HELD_OUTER),
         farther = !(known->flags & HELD_OUTER) && (held->flags & HELD_OUTER);
    if (nearer || (!farther && cost < known->cost))
        *known = ambient;
}

// Copies of nodes are put behind those that the reader knows, in room that is kept for them: most tables never move.
void node_table_lend(NodeTable *self, NodeTable *reader) {
    u32 nodes = 4 * self->nodes.count, calls = 2 * self->edge_steps.count;
    array_reserve(&self->nodes, nodes);
    array_reserve(&self->edge_pairs, 2 * calls);
    array_reserve(&self->edge_places, calls);
    array_reserve(&self->edge_costs, calls);
    array_reserve(&self->edge_steps, calls);
    array_reserve(&self->edge_ambient, calls);
    *reader = *self;
    self->lent = true;
}

void node_table_return(NodeTable *self, NodeTable *reader) {
    if (!self->lent)
        node_table_free(reader);
    self->lent = false;
}

// The room is used up: the reader keeps the old tables.
static void part_from_reader(NodeTable *self) {
    array_fork(&self->nodes);
    array_fork(&self->edge_pairs);
    array_fork(&self->edge_places);
    array_fork(&self->edge_costs);
    array_fork(&self->edge_steps);
    array_fork(&self->edge_ambient);
    self->lent = false;
}

void node_table_put(NodeTable *self, Node node) {
    if (self->lent && self->nodes.count == self->nodes.capacity)
        part_from_reader(self);
    array_push(&self->nodes, node);
}

void node_table_put_call(NodeTable *self, u32 caller, Place place, u8 cost, const SkeletonStep *step,
                         LocksetId ambient) {
    u32 calls = self->edge_steps.count;
    bool full = 2 * calls + 2 > self->edge_pairs.capacity || calls == self->edge_places.capacity ||
                calls == self->edge_costs.capacity || calls == self->edge_steps.capacity ||
                calls == self->edge_ambient.capacity;
    if (self->lent && full)
        part_from_reader(self);
    promised(caller < self->nodes.count && cost);
    array_push(&self->edge_pairs, caller);
    array_push(&self->edge_pairs, self->nodes.count - 1);
    array_push(&self->edge_places, place);
    array_push(&self->edge_costs, cost);
    array_push(&self->edge_steps, step);
    array_push(&self->edge_ambient, ambient);
}

static int compare_ambient(const void *left, const void *right) {
    const Ambient *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

// When all was met: in an order of its own, and without what only the walk asks for.
void events_tidy(Events *self) {
    if (self->ambient.count)
        qsort(self->ambient.items, self->ambient.count, sizeof(Ambient), compare_ambient);
    map_free(&self->node_index);
    map_free(&self->binding_index);
    map_free(&self->node_edges);
    map_free(&self->spawn_root_index);
    map_free(&self->ambient_index);
}

void node_table_free(NodeTable *self) {
    array_free(&self->nodes);
    array_free(&self->edge_pairs);
    array_free(&self->edge_places);
    array_free(&self->edge_costs);
    array_free(&self->edge_ambient);
    array_free(&self->edge_steps);
}

void events_free(Events *self) {
    map_free(&self->node_index);
    array_free(&self->bindings);
    map_free(&self->binding_index);
    free(self->entries);
    map_free(&self->node_edges);
    array_free(&self->entry_sites);
    array_free(&self->node_accesses);
    array_free(&self->stack);
    map_free(&self->stack_index);
    map_free(&self->spawn_root_index);
    array_free(&self->ambient);
    map_free(&self->ambient_index);
    array_free(&self->met);
    array_free(&self->outcomes);
    array_free(&self->flat_outcalls);
}
