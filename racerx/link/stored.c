// stored.c: the places that functions are stored in, and which ones each holds.
// In: what the slots hold when everything has flowed, and the flows. Out: Program.fields, Program.stored.
// The idea: members of types and globals are what people name; other slots are on the way. Slots that hold the same
// share one run of functions. A slot with more functions than are kept lists those stored in it directly.
// Invariant: fields are sorted by key, functions by id; neither depends on threads.
#include "racerx/link/link.h"

typedef struct {
    SlotKey key;
    u32 slot;
} WantedSlot;

typedef struct {
    SlotKey key;
    FunctionId function;
} DirectStore;

typedef struct {
    Program *program;
    const SlotTable *slots;
    Array(WantedSlot) wanted;
    Array(DirectStore) direct; // into slots that were cut; sorted
    Map shared;                // component to 1 + its first function in Program.stored
} Storing;

static bool is_wanted(SlotKey key) {
    return (slot_kind(key) == SLOT_FIELD && slot_high(key) != SLOT_NO_RECORD) ||
           (slot_kind(key) == SLOT_GLOBAL && !slot_low(key));
}

static int compare_wanted(const void *left, const void *right) {
    const WantedSlot *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

static int compare_direct(const void *left, const void *right) {
    const DirectStore *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

// fills: wanted, direct.
static void gather(Storing *self, const FlowArray *flows) {
    const SlotTable *slots = self->slots;
    for (u32 i = 0; i < slots->keys.count; i++)
        if (is_wanted(slots->keys.items[i]) && slots->counts[slots->component[i]])
            array_push(&self->wanted, ((WantedSlot){slots->keys.items[i], i}));
    for (u32 i = 0; i < flows->count; i++) {
        const PointerFlow *flow = &flows->items[i];
        u32 *slot =
            slot_kind(flow->from) == SLOT_FUNCTION && is_wanted(flow->to) ? map_get(&slots->index, flow->to) : NULL;
        if (slot && bitset_has(&slots->cut, slots->component[*slot]))
            array_push(&self->direct, ((DirectStore){flow->to, slot_high(flow->from)}));
    }
    if (self->wanted.count)
        qsort(self->wanted.items, self->wanted.count, sizeof(WantedSlot), compare_wanted);
    if (self->direct.count)
        qsort(self->direct.items, self->direct.count, sizeof(DirectStore), compare_direct);
}

// The functions stored directly, each once: how many. `at` goes past them.
static u32 push_direct(Storing *self, SlotKey key, u32 *at) {
    u32 first = self->program->stored.count;
    while (*at < self->direct.count && self->direct.items[*at].key < key)
        ++*at;
    for (; *at < self->direct.count && self->direct.items[*at].key == key; ++*at)
        if (self->program->stored.count == first ||
            self->program->stored.items[self->program->stored.count - 1] != self->direct.items[*at].function)
            array_push(&self->program->stored, self->direct.items[*at].function);
    return self->program->stored.count - first;
}

static u32 push_shared(Storing *self, u32 component) {
    const SlotTable *slots = self->slots;
    bool is_new;
    u32 *first = map_put(&self->shared, component, &is_new);
    if (is_new) {
        *first = self->program->stored.count;
        for (u32 i = 0; i < slots->counts[component]; i++)
            array_push(&self->program->stored, slots->functions.items[slots->first[component] + i]);
    }
    return *first;
}

static int compare_holds(const void *left, const void *right) {
    const GlobalHolds *a = left, *b = right;
    if (a->global != b->global)
        return a->global < b->global ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

// What members of globals hold, where it is known.
static void fill_holds(Program *self, const SlotTable *slots) {
    for (u32 i = 0; i < slots->keys.count; i++) {
        SlotKey key = slots->keys.items[i];
        u32 component = slots->component[i];
        if (slot_kind(key) != SLOT_GLOBAL || !slot_low(key) || bitset_has(&slots->cut, component))
            continue;
        for (u32 k = 0; k < slots->counts[component]; k++)
            array_push(&self->global_holds,
                       ((GlobalHolds){slot_high(key), slots->functions.items[slots->first[component] + k]}));
    }
    if (self->global_holds.count)
        qsort(self->global_holds.items, self->global_holds.count, sizeof(GlobalHolds), compare_holds);
}

bool global_may_hold(const Program *self, GlobalId global, FunctionId function) {
    GlobalHolds wanted = {global, function};
    return self->global_holds.count &&
           bsearch(&wanted, self->global_holds.items, self->global_holds.count, sizeof(GlobalHolds), compare_holds);
}

void fill_stored(Program *self, const SlotTable *slots, const FlowArray *flows) {
    Storing storing = {.program = self, .slots = slots};
    u32 at = 0;
    gather(&storing, flows);
    fill_holds(self, slots);
    array_reserve(&self->fields, storing.wanted.count + 1);
    for (u32 i = 0; i < storing.wanted.count; i++) {
        SlotKey key = storing.wanted.items[i].key;
        check(!i || storing.wanted.items[i - 1].key < key);
        bool member = slot_kind(key) == SLOT_FIELD;
        u32 component = slots->component[storing.wanted.items[i].slot];
        StoredField field = {.record = member ? slot_high(key) : NO_ID,
                             .global = member ? NO_ID : slot_high(key),
                             .member = slot_low(key),
                             .first = self->stored.count};
        field.count = push_direct(&storing, key, &at);
        if (!field.count) {
            field.first = push_shared(&storing, component);
            field.count = slots->counts[component];
        }
        array_push(&self->fields, field);
    }
    map_free(&storing.shared);
    array_free(&storing.wanted);
    array_free(&storing.direct);
}

void field_name(const Program *self, const StoredField *field, Buffer *out) {
    Object object = {.kind = field->record == NO_ID ? OBJECT_GLOBAL : OBJECT_FIELD,
                     .global = field->global,
                     .record = field->record,
                     .member = field->member};
    object_name(self, &object, out);
}

const char *function_path(const Program *self, FunctionId id) {
    const ProgramFile *file = &self->files.items[self->functions.items[id].file];
    StrId own = program_header(self, id)->file;
    return own ? program_text(self, file->names[own]) : file->path;
}
