// programs.c: which programs of a tree a function belongs to: those whose main can reach it.
// In: the linked program. Out: Analysis.programs, a bit for each main; 0: no main reaches it.
// The idea: a tree may hold many programs (a server, its tools, its tests) that share code, but no memory. Two accesses
// meet only in a program that does both. From main on, calls and what they start are followed. Two files with a main are
// never linked together: a call through a pointer does not lead from the one's program into the other.
#include "racerx/analysis.h"

#define PROGRAMS_MOST 64 // bits; programs after the last share it

typedef struct {
    const Program *program;
    u64 *reached;      // by function
    u64 *own;          // by file: the programs whose main is in it
    U32Array queue;    // functions whose bits grew
    u8 *queued;        // by function: it is waiting there
    u32 *first;        // by function: its registrations in `started`
    U32Array started;  // handlers
} Reach;

static void reach(Reach *self, FunctionId function, u64 bits) {
    if (!(bits & ~self->reached[function]))
        return;
    self->reached[function] |= bits;
    if (!self->queued[function])
        array_push(&self->queue, function);
    self->queued[function] = 1;
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
    u64 bits = self->reached[at];
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        for (u32 t = 0; t < program->calls.items[c].target_count; t++) {
            FunctionId target = program->targets.items[program->calls.items[c].target + t];
            u64 own = program->calls.items[c].indirect ? self->own[program->functions.items[target].file] : 0;
            reach(self, target, own ? bits & own : bits);
        }
    for (u32 i = self->first[at]; i < self->first[at + 1]; i++)
        reach(self, self->started.items[i], bits);
}

// requires: the linked program. fills: programs.
void fill_programs(Analysis *analysis) {
    const Program *program = analysis->program;
    Reach self = {.program = program, .reached = must_zero(sizeof(u64) * (program->functions.count + 1u))};
    u32 name = intern_find(&program->names, "main", 4), mains = 0;
    FunctionId id;
    self.queued = must_zero(program->functions.count + 1u);
    gather_started(&self);
    self.own = must_zero(sizeof(u64) * (program->files.count + 1u));
    for (u32 n = 0; name != UINT32_MAX && (id = program_named(program, name, n)) != NO_ID; n++, mains++) {
        u64 bit = 1ull << (mains < PROGRAMS_MOST ? mains : PROGRAMS_MOST - 1);
        self.own[program->functions.items[id].file] |= bit;
        reach(&self, id, bit);
    }
    for (u32 i = 0; i < self.queue.count; i++) {
        FunctionId at = self.queue.items[i];
        self.queued[at] = 0;
        go_on(&self, at);
    }
    analysis->programs = self.reached;
    array_free(&self.queue);
    array_free(&self.started);
    free(self.queued);
    free(self.own);
    free(self.first);
}
