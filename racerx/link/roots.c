// roots.c: where control starts, and in which context.
// In: the call graph, what was registered, what the slots hold. Out: contexts and marks of functions,
// registrations, which threads exist once.
// The idea: what declarations say starts a function starts it; a function that nobody in sight calls may be called
// by anybody. Where functions only call each other in a circle, the first of them stands for all.
// Invariant: every function is a root, or can be reached from one, or is dead.
#include "racerx/link/link.h"

static void start(Program *self, FunctionId id, Context context) {
    self->functions.items[id].contexts |= 1u << context;
    self->functions.items[id].marks |= MARK_ROOT;
}

// registrations ---------------------------------------------------------------

static bool runs_inside(const CallFact *fact) { // by the call itself: no new thread of control
    return fact->context == CONTEXT_CALL || fact->context == CONTEXT_ONCE;
}

static void add_registration(Program *self, Registration one) {
    start(self, one.handler, (Context)one.fact->context);
    array_push(&self->registrations, one);
}

static void register_call(Program *self, const SlotTable *slots, const RegisterCall *call) {
    u32 count = 1, single = slot_high(call->handler);
    bool cut;
    const u32 *functions = &single;
    if (runs_inside(call->fact))
        return;
    if (slot_kind(call->handler) != SLOT_FUNCTION)
        functions = slot_functions(slots, call->handler, &count, &cut);
    for (u32 i = 0; i < count; i++)
        add_registration(self, (Registration){call->from, call->file, call->expr, functions[i], call->fact});
}

const CallFact *field_fact(const Program *self, SlotKey key) {
    Buffer type = {0};
    record_name(self, slot_high(key), &type);
    buffer_byte(&type, 0);
    const CallFact *fact =
        declarations_field(self->declarations, (char *)type.bytes, program_text(self, slot_low(key)));
    buffer_free(&type);
    return fact && !runs_inside(fact) ? fact : NULL;
}

// A function stored in a field that says how such functions run. Flows are asked besides what the slots hold, because
// those are cut.
static void register_fields(Program *self, const SlotTable *slots, const FlowArray *flows) {
    const CallFact **facts = must_zero(sizeof *facts * ((size_t)slots->keys.count + 1));
    for (u32 i = 0; i < slots->keys.count && self->declarations; i++) {
        SlotKey key = slots->keys.items[i];
        bool cut;
        u32 count;
        if (slot_kind(key) != SLOT_FIELD || slot_high(key) == SLOT_NO_RECORD || !(facts[i] = field_fact(self, key)))
            continue;
        const u32 *functions = slot_functions(slots, key, &count, &cut);
        for (u32 f = 0; f < count; f++)
            add_registration(self, (Registration){NO_ID, NO_ID, 0, functions[f], facts[i]});
    }
    for (u32 i = 0; i < flows->count; i++) {
        const PointerFlow *flow = &flows->items[i];
        u32 *slot = slot_kind(flow->from) == SLOT_FUNCTION ? map_get(&slots->index, flow->to) : NULL;
        if (!slot || slot_kind(flow->to) == SLOT_VAR)
            continue;
        self->functions.items[slot_high(flow->from)].marks |= MARK_STORED;
        if (facts[*slot])
            add_registration(self, (Registration){NO_ID, NO_ID, 0, slot_high(flow->from), facts[*slot]});
    }
    free(facts);
}

static int compare_registrations(const void *left, const void *right) {
    const Registration *a = left, *b = right;
    const u32 keys[][2] = {{a->handler, b->handler}, {a->file, b->file}, {a->from, b->from}, {a->call, b->call}};
    for (u32 i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    if (a->fact->context != b->fact->context)
        return a->fact->context < b->fact->context ? -1 : 1;
    return a->fact->argument < b->fact->argument ? -1 : a->fact->argument > b->fact->argument;
}

static void sort_registrations(Program *self) {
    u32 kept = 0;
    if (self->registrations.count)
        qsort(self->registrations.items, self->registrations.count, sizeof(Registration), compare_registrations);
    for (u32 i = 0; i < self->registrations.count; i++) {
        const Registration *one = &self->registrations.items[i];
        if (!kept || compare_registrations(&self->registrations.items[kept - 1], one))
            self->registrations.items[kept++] = *one;
    }
    self->registrations.count = kept;
}

// definitions -----------------------------------------------------------------

static void mark_word(Program *self, FunctionId id, const char *word, size_t length) {
    if (length == 8 && !memcmp("acquires", word, length))
        self->functions.items[id].marks |= MARK_ACQUIRES;
    for (u32 context = CONTEXT_THREAD; context <= CONTEXT_CALL; context++) {
        const char *name = context_word((Context)context);
        if (strlen(name) != length || memcmp(name, word, length))
            continue;
        if (context == CONTEXT_INIT || context == CONTEXT_EXIT) // most of these are called by others
            self->functions.items[id].marks |= context == CONTEXT_INIT ? MARK_INIT : MARK_EXIT;
        else if (context < CONTEXT_ONCE)
            start(self, id, (Context)context);
    }
}

// What the definition itself says.
static void mark_definition(Program *self, FunctionId id, NameId main_name) {
    ProgramFunction *function = &self->functions.items[id];
    const char *mark = program_text(self, file_name(self, function->file, program_header(self, id)->mark));
    while (*mark) {
        size_t length = strcspn(mark, ", ");
        mark_word(self, id, mark, length);
        mark += length ? length : 1;
    }
    if (function->flags & DECL_CONSTRUCTOR)
        start(self, id, CONTEXT_INIT);
    if (function->flags & DECL_DESTRUCTOR)
        start(self, id, CONTEXT_EXIT);
    if (function->name == main_name) {
        start(self, id, CONTEXT_THREAD);
        function->marks |= MARK_THREAD_ONCE;
    }
    if (function->flags & DECL_NORETURN || declared_noreturn(self, function->name))
        function->marks |= MARK_NORETURN;
}

static void start_uncalled(Program *self, FunctionId id) {
    ProgramFunction *function = &self->functions.items[id];
    if (!function->contexts && !(function->marks & MARK_DEAD))
        start(self, id,
              function->marks & MARK_INIT   ? CONTEXT_INIT
              : function->marks & MARK_EXIT ? CONTEXT_EXIT
                                            : CONTEXT_NONE);
}

// Components that nobody calls from outside, and that have no root yet.
static void find_uncalled(Program *self) {
    u32 *first = must_alloc(sizeof(u32) * ((size_t)self->stats.components + 1));
    for (u32 i = 0; i < self->stats.components; i++)
        first[i] = NO_ID;
    Bitset reached = {0};
    bitset_resize(&reached, self->stats.components);
    for (u32 f = 0; f < self->functions.count; f++) {
        ProgramFunction *function = &self->functions.items[f];
        if (!function->caller_count)
            function->marks |= MARK_UNCALLED;
        if (first[function->component] == NO_ID)
            first[function->component] = f;
        if (function->marks & MARK_ROOT)
            bitset_set(&reached, function->component);
        for (u32 c = 0; c < function->caller_count; c++) {
            u32 caller = self->callers.items[function->caller + c];
            if (self->functions.items[caller].component != function->component)
                bitset_set(&reached, function->component);
        }
    }
    for (u32 i = 0; i < self->stats.components; i++)
        if (first[i] != NO_ID && !bitset_has(&reached, i))
            start_uncalled(self, first[i]);
    bitset_free(&reached);
    free(first);
}

// once ------------------------------------------------------------------------

enum { ONCE_UNKNOWN, ONCE_ASKED, ONCE_YES, ONCE_NO };
typedef struct {
    const Program *program;
    u8 *state;        // by function: ONCE_…
    u32 *site;        // by function: 1 + the last call site that may reach it
    u32 *site_count;  // by function: how many
    FunctionId *from; // by function: who has that site
} Once;

// fills: site, site_count, from.
static void count_sites(Once *self) {
    const Program *program = self->program;
    for (u32 f = 0; f < program->functions.count; f++) {
        const ProgramFunction *function = &program->functions.items[f];
        for (u32 c = function->call; c < function->call + function->call_count; c++)
            for (u32 t = 0; t < program->calls.items[c].target_count; t++) {
                u32 target = program->targets.items[program->calls.items[c].target + t];
                self->site_count[target]++;
                self->site[target] = c + 1;
                self->from[target] = f;
            }
    }
}

// The first registration of a handler, and how many there are.
static const Registration *registrations_of(const Program *self, FunctionId handler, u32 *count) {
    u32 low = 0, high = self->registrations.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->registrations.items[middle].handler < handler)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < self->registrations.count && *count < 2; ++*count)
        if (self->registrations.items[low + *count].handler != handler)
            break;
    return &self->registrations.items[low];
}

// Where a function is started, when that is one place: who does it, NO_ID when it is not. It must not be in a loop.
static FunctionId started_by(const Once *self, FunctionId id) {
    const Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[id];
    const CallSite *site = NULL;
    FunctionId from = NO_ID;
    u32 count;
    if (function->contexts == 1u << CONTEXT_THREAD && !function->caller_count && !(function->marks & MARK_STORED)) {
        const Registration *one = registrations_of(program, id, &count);
        from = count == 1 ? one->from : NO_ID;
        site = from == NO_ID ? NULL : program_call(program, from, one->call);
    } else if (!function->contexts && !(function->marks & MARK_ADDRESS_TAKEN) && self->site_count[id] == 1) {
        site = &program->calls.items[self->site[id] - 1];
        from = self->from[id];
    }
    return site && !site->indirect && !site->repeats ? from : NO_ID;
}

// Does it run once in the life of the program? Up the chain of who starts whom, to main, or to what is known.
static bool runs_once(Once *self, FunctionId id) {
    FunctionId at = id;
    while (at != NO_ID && self->state[at] == ONCE_UNKNOWN) {
        const ProgramFunction *function = &self->program->functions.items[at];
        if (function->marks & MARK_THREAD_ONCE) {
            self->state[at] = function->caller_count ? ONCE_NO : ONCE_YES;
            break;
        }
        self->state[at] = ONCE_ASKED;
        at = started_by(self, at);
    }
    u8 answer = at != NO_ID && self->state[at] == ONCE_YES ? ONCE_YES : ONCE_NO; // a circle never starts
    for (at = id; at != NO_ID && self->state[at] == ONCE_ASKED; at = started_by(self, at))
        self->state[at] = answer;
    return self->state[id] == ONCE_YES;
}

// requires: registrations, sorted. fills: MARK_THREAD_ONCE of threads.
static void find_once(Program *self) {
    size_t count = (size_t)self->functions.count + 1;
    Once once = {self, must_zero(count), must_zero(sizeof(u32) * count), must_zero(sizeof(u32) * count),
                 must_zero(sizeof(u32) * count)};
    count_sites(&once);
    for (u32 i = 0; i < self->registrations.count; i++) {
        FunctionId handler = self->registrations.items[i].handler;
        if (self->functions.items[handler].contexts == 1u << CONTEXT_THREAD && runs_once(&once, handler))
            self->functions.items[handler].marks |= MARK_THREAD_ONCE;
    }
    free(once.state);
    free(once.site);
    free(once.site_count);
    free(once.from);
}

// requires: the call graph. fills: contexts, marks, registrations.
void find_roots(Program *self, const BodyScan *scan, const SlotTable *slots, const FlowArray *flows) {
    u32 main_name = intern_find(&self->names, "main", 4);
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].registers.count; i++)
            register_call(self, slots, &scan->chunks[c].registers.items[i]);
    register_fields(self, slots, flows);
    sort_registrations(self);
    for (u32 f = 0; f < self->functions.count; f++)
        mark_definition(self, f, main_name);
    find_noreturn(self);
    find_dead(self, scan, slots, flows);
    find_uncalled(self);
    find_once(self);
    for (u32 f = 0; f < self->functions.count; f++)
        self->stats.roots += (self->functions.items[f].marks & MARK_ROOT) != 0;
}
