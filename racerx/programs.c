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
