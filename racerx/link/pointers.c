// pointers.c: what every slot may hold, when everything has flowed.
// In: flows between slots. Out: for each slot the functions that may get there, lowest ids first.
// The idea: slots that flow into each other hold the same; the rest is a graph without cycles, gone through
// once from the sources on. A slot keeps the FAN_OUT_MOST lowest functions: the lowest of a union are
// among the lowest of its parts, so the order of the work does not show.
#include "racerx/link/link.h"

typedef struct {
    SlotTable *table;
    u32 count;             // slots
    u32 *first, *edges;    // the graph, in rows
    U32Array *gathered;    // by component: what has arrived so far
    u32 *member, *members; // slots by component, in rows
} Solver;

static u32 slot_of(SlotTable *self, SlotKey key) {
    bool is_new;
    u32 *slot = map_put(&self->index, key, &is_new);
    if (is_new) {
        *slot = self->keys.count;
        array_push(&self->keys, key);
    }
    return *slot;
}

static int compare_numbers(const void *left, const void *right) {
    u32 a = *(const u32 *)left, b = *(const u32 *)right;
    return a < b ? -1 : a > b;
}

// Sorted, each once, at most the lowest FAN_OUT_MOST; true when that left some out.
static bool normalise(U32Array *list) {
    u32 kept = 0;
    if (list->count > 1)
        qsort(list->items, list->count, sizeof(u32), compare_numbers);
    for (u32 i = 0; i < list->count; i++)
        if (!kept || list->items[kept - 1] != list->items[i])
            list->items[kept++] = list->items[i];
    if (kept > FAN_OUT_MOST)
        limit_reached(LIMIT_FAN_OUT_MOST);
    list->count = kept > FAN_OUT_MOST ? FAN_OUT_MOST : kept;
    return kept > FAN_OUT_MOST;
}

static void gather(Solver *self, u32 component, const u32 *functions, u32 count) {
    U32Array *list = &self->gathered[component];
    for (u32 i = 0; i < count; i++)
        array_push(list, functions[i]);
    if (list->count > GATHER_MOST && limit_cuts(LIMIT_GATHER_MOST, normalise(list)))
        bitset_set(&self->table->cut, component);
}

// fills: the graph. Functions are no slots: they are what is in them.
static void build_graph(Solver *self, const FlowArray *flows) {
    SlotTable *table = self->table;
    for (u32 i = 0; i < flows->count; i++) {
        slot_of(table, flows->items[i].to);
        if (slot_kind(flows->items[i].from) != SLOT_FUNCTION)
            slot_of(table, flows->items[i].from);
    }
    self->count = table->keys.count;
    self->first = must_zero(sizeof(u32) * ((size_t)self->count + 2));
    self->edges = must_alloc(sizeof(u32) * ((size_t)flows->count + 1));
    for (u32 i = 0; i < flows->count; i++)
        if (slot_kind(flows->items[i].from) != SLOT_FUNCTION)
            self->first[slot_of(table, flows->items[i].from) + 2]++;
    for (u32 i = 0; i < self->count; i++)
        self->first[i + 2] += self->first[i + 1];
    for (u32 i = 0; i < flows->count; i++)
        if (slot_kind(flows->items[i].from) != SLOT_FUNCTION)
            self->edges[self->first[slot_of(table, flows->items[i].from) + 1]++] = slot_of(table, flows->items[i].to);
}

// fills: member, members.
static void group_members(Solver *self) {
    SlotTable *table = self->table;
    self->member = must_zero(sizeof(u32) * ((size_t)table->component_count + 2));
    self->members = must_alloc(sizeof(u32) * ((size_t)self->count + 1));
    for (u32 i = 0; i < self->count; i++)
        self->member[table->component[i] + 2]++;
    for (u32 i = 0; i < table->component_count; i++)
        self->member[i + 2] += self->member[i + 1];
    for (u32 i = 0; i < self->count; i++)
        self->members[self->member[table->component[i] + 1]++] = i;
}

static void finish_component(Solver *self, u32 component) {
    SlotTable *table = self->table;
    U32Array *list = &self->gathered[component];
    if (normalise(list))
        bitset_set(&table->cut, component);
    table->first[component] = table->functions.count;
    table->counts[component] = list->count;
    for (u32 i = 0; i < list->count; i++)
        array_push(&table->functions, list->items[i]);
    for (u32 m = self->member[component]; m < self->member[component + 1]; m++) {
        u32 slot = self->members[m];
        for (u32 e = self->first[slot]; e < self->first[slot + 1]; e++) {
            u32 to = table->component[self->edges[e]];
            if (to == component)
                continue;
            gather(self, to, list->items, list->count);
            if (bitset_has(&table->cut, component))
                bitset_set(&table->cut, to);
        }
    }
    array_free(list);
}

// fills: everything in the table.
void slots_solve(SlotTable *self, const FlowArray *flows, LinkStats *stats) {
    Solver solver = {.table = self};
    build_graph(&solver, flows);
    self->component = must_alloc(sizeof(u32) * ((size_t)solver.count + 1));
    self->component_count = fill_components(solver.count, solver.first, solver.edges, self->component);
    self->first = must_zero(sizeof(u32) * ((size_t)self->component_count + 1));
    self->counts = must_zero(sizeof(u32) * ((size_t)self->component_count + 1));
    bitset_resize(&self->cut, self->component_count);
    solver.gathered = must_zero(sizeof(U32Array) * ((size_t)self->component_count + 1));
    group_members(&solver);
    for (u32 i = 0; i < flows->count; i++)
        if (slot_kind(flows->items[i].from) == SLOT_FUNCTION) {
            u32 function = slot_high(flows->items[i].from);
            gather(&solver, self->component[slot_of(self, flows->items[i].to)], &function, 1);
        }
    for (u32 c = self->component_count; c-- > 0;)
        finish_component(&solver, c);
    stats->slots = solver.count;
    stats->flows = flows->count;
    free(solver.first);
    free(solver.edges);
    free(solver.gathered);
    free(solver.member);
    free(solver.members);
}

const u32 *slot_functions(const SlotTable *self, SlotKey key, u32 *count, bool *cut) {
    u32 *slot = map_get(&self->index, key);
    *count = 0;
    *cut = false;
    if (!slot)
        return NULL;
    u32 component = self->component[*slot];
    *count = self->counts[component];
    *cut = bitset_has(&self->cut, component);
    return self->functions.items + self->first[component];
}

void slots_free(SlotTable *self) {
    map_free(&self->index);
    array_free(&self->keys);
    free(self->component);
    free(self->first);
    free(self->counts);
    array_free(&self->functions);
    bitset_free(&self->cut);
    *self = (SlotTable){0};
}
