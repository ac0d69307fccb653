// dead.c: operations of tables that nobody calls.
// In: what flows into which slots, calls through slots, the call graph. Out: MARK_DEAD.
// The idea: a table of operations whose record is known is called member by member. A member that no call and no copy
// ever reads, while others of its record are called through, starts nothing: neither do functions that are stored
// nowhere else, nor what only they call. One driver's directory alone has no dead slots: nobody calls through its
// records at all. Invariant: what a declaration speaks of, a record that is not defined in the tree, and a function
// that somebody calls or starts are never dead.
#include "racerx/link/link.h"

typedef struct {
    Program *program;
    const SlotTable *slots;
    Bitset used;   // by slot: called through, or read
    Bitset called; // by record: some member is called through
    u8 *state;     // by function: 1: stored in a dead slot, 2: and somewhere that lives
} Dead;

static void use(Dead *self, SlotKey key, bool call) {
    const u32 *slot = map_get(&self->slots->index, key);
    if (slot)
        bitset_set(&self->used, *slot);
    if (call && slot_kind(key) == SLOT_FIELD && slot_high(key) != SLOT_NO_RECORD)
        bitset_set(&self->called, slot_high(key));
}

static void use_all(Dead *self, const BodyScan *scan, const FlowArray *flows) {
    for (u32 c = 0; c < scan->count; c++) {
        const ScanChunk *chunk = &scan->chunks[c];
        for (u32 i = 0; i < chunk->indirect.count; i++) {
            use(self, chunk->indirect.items[i].slot, true);
            use(self, chunk->indirect.items[i].other, true);
        }
        for (u32 i = 0; i < chunk->arguments.count; i++)
            use(self, chunk->arguments.items[i].value, false);
        for (u32 i = 0; i < chunk->registers.count; i++)
            use(self, chunk->registers.items[i].handler, false);
    }
    for (u32 i = 0; i < flows->count; i++)
        if (flows->items[i].from != flows->items[i].to)
            use(self, flows->items[i].from, false);
}

static bool is_own_record(const Program *self, RecordId record, FunctionId function) {
    const char *a = self->files.items[self->records.items[record].file].path,
               *b = self->files.items[self->functions.items[function].file].path;
    const char *p = strrchr(a, '/'), *q = strrchr(b, '/');
    size_t m = p ? (size_t)(p - a) : 0, n = q ? (size_t)(q - b) : 0;
    return m == n && !strncmp(a, b, m);
}

static bool is_dead_slot(const Dead *self, SlotKey key, FunctionId function) {
    const u32 *slot = map_get(&self->slots->index, key);
    if (!slot || bitset_has(&self->used, *slot))
        return false;
    if (slot_kind(key) == SLOT_GLOBAL)
        return slot_low(key) != 0; // a member of one object; its type's slot says the rest
    if (slot_kind(key) != SLOT_FIELD || slot_high(key) == SLOT_NO_RECORD)
        return false;
    return self->program->records.items[slot_high(key)].index != NO_ID &&
           is_own_record(self->program, slot_high(key), function) && bitset_has(&self->called, slot_high(key)) &&
           !field_fact(self->program, key);
}

static bool may_die(const ProgramFunction *function) {
    return !function->contexts && !(function->marks & (MARK_ROOT | MARK_INIT | MARK_EXIT));
}

// Stored in dead slots and nowhere else, and called by nobody.
static void mark_stored(Dead *self, const FlowArray *flows) {
    Program *program = self->program;
    for (u32 i = 0; i < flows->count; i++)
        if (slot_kind(flows->items[i].from) == SLOT_FUNCTION) {
            FunctionId function = slot_high(flows->items[i].from);
            self->state[function] |= is_dead_slot(self, flows->items[i].to, function) ? 1 : 2;
        }
    for (u32 f = 0; f < program->functions.count; f++) {
        ProgramFunction *function = &program->functions.items[f];
        if (self->state[f] == 1 && !function->caller_count && may_die(function))
            function->marks |= MARK_DEAD;
    }
}

static bool only_dead_call(const Program *self, const ProgramFunction *function) {
    for (u32 c = 0; c < function->caller_count; c++)
        if (!(self->functions.items[self->callers.items[function->caller + c]].marks & MARK_DEAD))
            return false;
    return function->caller_count > 0;
}

// requires: call graph, contexts. fills: MARK_DEAD.
void find_dead(Program *self, const BodyScan *scan, const SlotTable *slots, const FlowArray *flows) {
    Dead dead = {.program = self, .slots = slots, .state = must_zero(self->functions.count + 1u)};
    bitset_resize(&dead.used, slots->keys.count);
    bitset_resize(&dead.called, self->records.count);
    use_all(&dead, scan, flows);
    mark_stored(&dead, flows);
    for (bool again = true; again;) {
        again = false;
        for (u32 f = 0; f < self->functions.count; f++) {
            ProgramFunction *function = &self->functions.items[f];
            if ((function->marks & (MARK_DEAD | MARK_ADDRESS_TAKEN)) || !may_die(function) ||
                !only_dead_call(self, function))
                continue;
            function->marks |= MARK_DEAD;
            again = true;
        }
    }
    bitset_free(&dead.used);
    bitset_free(&dead.called);
    free(dead.state);
}
