// summary_text.c: one function's summary as lines of text, for `racerx summary`. Nothing is decided here.
#include "racerx/summary/summary.h"

typedef struct {
    const Summaries *summaries;
    const Analysis *analysis;
    Body body;           // of the function: its first vars are its formals
    FunctionId function; // NO_ID: no names of formals
    bool named;          // the body could be read
    Buffer *out;
} Text;

static void formal_text(const Text *self, u32 formal) {
    const Program *program = self->analysis->program;
    const ProgramFile *file = &program->files.items[program->functions.items[self->function].file];
    bool named =
        self->named && formal < program_header(program, self->function)->param_count && formal < self->body.vars.count;
    const char *name = named ? program_text(program, file->names[self->body.vars.items[formal].name]) : "";
    if (*name)
        buffer_text(self->out, name);
    else
        buffer_format(self->out, "formal %u", formal);
}

static void place_text(const Text *self, const SummaryPlace *place) {
    const Program *program = self->analysis->program;
    switch (place->root) {
    case PLACE_GLOBAL: buffer_text(self->out, program_text(program, program->globals.items[place->id].name)); break;
    case PLACE_FORMAL: formal_text(self, place->id); break;
    default: buffer_text(self->out, "?"); return;
    }
    for (u32 i = 0; i < place->count; i++)
        step_text(self->analysis, place->steps[i], self->out);
}

static void lock_text(const Text *self, const SummaryLock *lock, bool related) {
    static const char *const relations[] = {
        [RELATION_UNKNOWN] = "", [RELATION_ONE] = "", [RELATION_SAME] = " of it", [RELATION_OTHER] = " of another"};
    if (lock->place.root == PLACE_NONE || (lock->place.root == PLACE_GLOBAL && !lock->place.count))
        buffer_text(self->out, class_text(self->analysis, lock->class));
    else
        place_text(self, &lock->place);
    buffer_text(self->out, lock->flags & HELD_SHARED ? " (reader)" : "");
    if (lock->times > 1)
        buffer_format(self->out, " x%u", lock->times);
    if (related)
        buffer_text(self->out, relations[lock->relation]);
}

static const SummaryLock *run_text(const Text *self, const char *name, const SummaryLock *locks, u32 count, bool always,
                                   bool related) {
    if (!count && !always)
        return locks;
    buffer_format(self->out, "  %s {", name);
    for (u32 i = 0; i < count; i++) {
        buffer_text(self->out, i ? ", " : "");
        lock_text(self, &locks[i], related);
    }
    buffer_text(self->out, "}");
    return locks + count;
}

static const char *const run_names[RUNS] = {
    [RUN_PLUS] = "L+", [RUN_MINUS] = "L-", [RUN_MAYBE] = "perhaps", [RUN_ALIVE] = "started", [RUN_ENDED] = "joined"};

static void exit_text(const Text *self, const FunctionSummary *summary) {
    const SummaryLock *next = summary->exit;
    if (summary->flags & STATE_NEVER) {
        buffer_text(self->out, "  exit: it does not come back\n");
        return;
    }
    buffer_text(self->out, "  exit:");
    for (u32 run = 0; run < RUNS; run++)
        next = run_text(self, run_names[run], next, summary->count[run], run <= RUN_MINUS, false);
    buffer_text(self->out, summary->flags & STATE_UNSURE ? "  not known: recursion, or a limit\n" : "\n");
}

static void protection_text(const Text *self, const GuardedSet *set, const Protection *protection) {
    const SummaryLock *next = set->locks + protection->first;
    for (u32 run = 0; run < RUNS; run++)
        if (run != RUN_MAYBE)
            next = run_text(self, run_names[run], next, protection->count[run], run <= RUN_MINUS, run == RUN_PLUS);
}

static void guarded_text(const Text *self, const GuardedSet *set, u32 index) {
    static const struct {
        u8 flag;
        const char *word;
    } words[] = {{GUARDED_FRESH, "fresh"},
                 {GUARDED_TAKEN, "taken off"},
                 {GUARDED_CONDITIONAL, "conditional"},
                 {GUARDED_UNSURE, "unsure"}};
    const Program *program = self->analysis->program;
    const GuardedAccess *access = &set->accesses[index];
    const Access *origin = &self->analysis->accesses.items[access->origin];
    const char *kind = access->flags & GUARDED_WRITE ? access->flags & GUARDED_READ ? "update" : "write" : "read";
    buffer_format(self->out, "    %-6s ", kind);
    if (set->places)
        place_text(self, &set->places[index]);
    else
        shared_object_name(self->analysis, access->object, self->out);
    protection_text(self, set, &set->protections[access->protection]);
    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        if (access->flags & words[i].flag)
            buffer_format(self->out, " %s", words[i].word);
    buffer_format(self->out, "  %s:%u", function_path(program, origin->function), origin->place.line);
    if (access->via != NO_ID)
        buffer_format(self->out, " through %s", program_text(program, program->functions.items[access->via].name));
    buffer_text(self->out, "\n");
}

static void set_text(const Text *self, const char *title, const GuardedSet *set) {
    buffer_format(self->out, "  %s: %u\n", title, set->access_count);
    for (u32 i = 0; i < set->access_count; i++)
        guarded_text(self, set, i);
}

void summary_text(const Summaries *summaries, const Analysis *analysis, FunctionId function, Buffer *out) {
    Text self = {.summaries = summaries, .analysis = analysis, .function = function, .out = out};
    const Program *program = analysis->program;
    const SummaryOrder *order = &summaries->order;
    const FunctionSummary *summary = &summaries->functions[function];
    u32 component = order->component[function];
    self.named = program_body(program, function, &self.body);
    buffer_format(out, "%s (%s:%u)", program_text(program, program->functions.items[function].name),
                  function_path(program, function), program->functions.items[function].place.line);
    u32 members = order->first[component + 1] - order->first[component];
    if (order->circle[component])
        buffer_format(out, ", one of %u that call each other", members);
    buffer_text(out, "\n");
    exit_text(&self, summary);
    set_text(&self, "accesses by its formals", &summary->formal);
    set_text(&self, members > 1 ? "other accesses, of all of them" : "other accesses", &summaries->free[component]);
    body_free(&self.body);
}
