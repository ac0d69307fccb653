// programs.c: which programs of a tree a function belongs to: those whose main can reach it.
// In: the linked program. Out: Analysis.programs, for every function a bit for each main; none: no main reaches it.
// The idea: a tree may hold many programs (a server, its tools, its tests) that share code, but no memory. Two accesses
// meet only in a program that does both. From main on, calls and what they start are followed. Two files with a main are
// never linked together: a call through a pointer does not lead from the one's program into the other.
#include "racerx/analysis.h"

#define WORDS_MOST 16 // of 64 programs each; programs after the last share a bit

typedef struct {
    const Program *program;
    u32 words;         // of a set of programs
    u64 *reached;      // by function, so many words each
    u64 *own;          // by file, likewise: the programs whose main is in it
    u8 *has_main;      // by file
    U32Array queue;    // functions whose sets grew
    u8 *queued;        // by function: it is waiting there
    u32 *first;        // by function: its registrations in `started`
    U32Array started;  // handlers
} Reach;

// The programs of `from` reach a function; with `within`, only those of them that are there, too.
static void reach(Reach *self, FunctionId function, const u64 *from, const u64 *within) {
    u64 *set = self->reached + (size_t)function * self->words, grown = 0;
    for (u32 i = 0; i < self->words; i++) {
        u64 bits = within ? from[i] & within[i] : from[i];
        grown |= bits & ~set[i];
        set[i] |= bits;
    }
    if (grown && !self->queued[function]) {
        array_push(&self->queue, function);
        self->queued[function] = 1;
    }
}

// requires: registrations. fills: first, started.
static void gather_started(Reach *self) {
    const Program *program = self->program;
    u32 count = program->functions.count;
    self->first = must_zero(sizeof(u32) * (count + 2u));
    for (u32 i = 0; i < program->registrations.count; i++)
        if (program->registrations.items[i].from != NO_ID)
            self->first[program->registrations.items[i].from + 2]++;
    for (u32 f = 2; f < count + 2; f++)
        self->first[f] += self->first[f - 1];
    array_reserve(&self->started, program->registrations.count + 1);
    for (u32 i = 0; i < program->registrations.count; i++)
        if (program->registrations.items[i].from != NO_ID)
            self->started.items[self->first[program->registrations.items[i].from + 1]++] = program->registrations.items[i].handler;
}

static void go_on(Reach *self, FunctionId at) {
    const Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[at];
    const u64 *set = self->reached + (size_t)at * self->words;
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        for (u32 t = 0; t < program->calls.items[c].target_count; t++) {
            FunctionId target = program->targets.items[program->calls.items[c].target + t];
            u32 file = program->functions.items[target].file;
            bool foreign = program->calls.items[c].indirect && self->has_main[file];
            reach(self, target, set, foreign ? self->own + (size_t)file * self->words : NULL);
        }
    for (u32 i = self->first[at]; i < self->first[at + 1]; i++)
        reach(self, self->started.items[i], set, NULL);
}

static void start_mains(Reach *self, u32 name) {
    FunctionId id;
    for (u32 n = 0; (id = program_named(self->program, name, n)) != NO_ID; n++) {
        u64 set[WORDS_MOST] = {0};
        u32 bit = n < 64 * self->words ? n : 64 * self->words - 1, file = self->program->functions.items[id].file;
        set[bit >> 6] = 1ull << (bit & 63);
        self->own[(size_t)file * self->words + (bit >> 6)] |= set[bit >> 6];
        self->has_main[file] = 1;
        reach(self, id, set, NULL);
    }
}

// What calls that are sure reach from a function: they get `mark`, and are put in the queue once.
static void follow_sure(const Program *program, FunctionId from, u32 *seen, u32 mark, U32Array *queue) {
    u32 at = queue->count;
    if (seen[from] == mark)
        return;
    seen[from] = mark;
    array_push(queue, from);
    for (; at < queue->count; at++) {
        const ProgramFunction *function = &program->functions.items[queue->items[at]];
        for (u32 c = function->call; c < function->call + function->call_count; c++)
            for (u32 t = 0; !program->calls.items[c].indirect && t < program->calls.items[c].target_count; t++) {
                FunctionId target = program->targets.items[program->calls.items[c].target + t];
                if (seen[target] != mark)
                    array_push(queue, target);
                seen[target] = mark;
            }
    }
}

// Does a main start something that runs beside it? Only calls that are sure are followed.
static bool starts_something(Reach *self, FunctionId main, u32 *seen, u32 round) {
    self->queue.count = 0;
    follow_sure(self->program, main, seen, round, &self->queue);
    for (u32 i = 0; i < self->queue.count; i++)
        if (self->first[self->queue.items[i]] < self->first[self->queue.items[i] + 1])
            return true;
    return false;
}

// Of several programs, those that start nothing are alone with themselves: tools, mostly. A single one may be interrupted.
static u8 *find_lone(Reach *self, u32 name) {
    u8 *lone = must_zero(self->program->functions.count + 1u);
    u32 *seen = must_zero(sizeof(u32) * (self->program->functions.count + 1u));
    FunctionId id;
    for (u32 n = 0; program_named(self->program, name, 1) != NO_ID && (id = program_named(self->program, name, n)) != NO_ID; n++)
        lone[id] = !starts_something(self, id, seen, n + 1);
    free(seen);
    return lone;
}

static u32 words_for(const Program *program, u32 name) {
    u32 mains = 0;
    while (program_named(program, name, mains) != NO_ID && mains < 64 * WORDS_MOST)
        mains++;
    return mains ? (mains + 63) / 64 : 1;
}

// requires: the linked program. fills: programs, program_words.
void fill_programs(Analysis *analysis) {
    const Program *program = analysis->program;
    Reach self = {.program = program, .words = 1};
    u32 name = intern_find(&program->names, "main", 4);
    if (name != UINT32_MAX)
        self.words = words_for(program, name);
    self.reached = must_zero(sizeof(u64) * self.words * (program->functions.count + 1u));
    self.own = must_zero(sizeof(u64) * self.words * (program->files.count + 1u));
    self.has_main = must_zero(program->files.count + 1u);
    self.queued = must_zero(program->functions.count + 1u);
    gather_started(&self);
    if (name != UINT32_MAX)
        start_mains(&self, name);
    for (u32 i = 0; i < self.queue.count; i++) {
        FunctionId at = self.queue.items[i];
        self.queued[at] = 0;
        go_on(&self, at);
    }
    if (name != UINT32_MAX)
        analysis->lone = find_lone(&self, name);
    analysis->programs = self.reached;
    analysis->program_words = self.words;
    array_free(&self.queue);
    array_free(&self.started);
    free(self.queued);
    free(self.has_main);
    free(self.own);
    free(self.first);
}

// Is there a program that reaches both? *known: both are reached by some.
bool share_program(const Analysis *self, FunctionId f, FunctionId g, bool *known) {
    const u64 *a = self->programs + (size_t)f * self->program_words, *b = self->programs + (size_t)g * self->program_words;
    u64 any_a = 0, any_b = 0, both = 0;
    for (u32 i = 0; i < self->program_words; i++) {
        any_a |= a[i];
        any_b |= b[i];
        both |= a[i] & b[i];
    }
    *known = any_a && any_b;
    return both != 0;
}

// Functions that calls which are sure reach from any main: 1.
static u32 *reached_surely(const Program *program) {
    u32 *seen = must_zero(sizeof(u32) * (program->functions.count + 1u));
    U32Array queue = {0};
    u32 name = intern_find(&program->names, "main", 4);
    FunctionId id;
    for (u32 n = 0; name != UINT32_MAX && (id = program_named(program, name, n)) != NO_ID; n++)
        follow_sure(program, id, seen, 1, &queue);
    array_free(&queue);
    return seen;
}

// Interrupt handlers that no main registers are a kernel's, and when no main starts a thread either, the programs beside it are
// its tools.
bool is_kernel(const Program *program) {
    u32 *seen = reached_surely(program);
    bool handlers = false, threads = false;
    for (u32 i = 0; i < program->registrations.count; i++) {
        const Registration *one = &program->registrations.items[i];
        bool interrupt = one->fact->context == CONTEXT_INTERRUPT || one->fact->context == CONTEXT_SOFTIRQ;
        handlers |= interrupt && one->from != NO_ID && !seen[one->from];
        threads |= one->fact->context == CONTEXT_THREAD && one->from != NO_ID && seen[one->from];
    }
    free(seen);
    return handlers && !threads;
}

// Does some call register it? Then it belongs to whoever makes that call.
bool is_registered(const Program *program, FunctionId handler) {
    u32 low = 0, high = program->registrations.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (program->registrations.items[middle].handler < handler)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < program->registrations.count && program->registrations.items[low].handler == handler; low++)
        if (program->registrations.items[low].from != NO_ID)
            return true;
    return false;
}
