// noreturn.c: functions that never come back, though nothing says so.
// In: the call graph, what is declared or written at definitions (MARK_NORETURN). Out: MARK_NORETURN of those whose
// every way ends in a call that does not come back: `panic()` that prints and calls `abort()`.
// The idea: bottom-up to a fixpoint; a way ends where it comes to such a call. Invariant: what is marked has no way to
// a return in any definition that a call of it may mean (a stub that only complains stands for a function that works),
// and nothing of its text was lost. A definition that others may replace is not marked.
#include "racerx/link/link.h"

typedef struct {
    Program *program;
    Map comes_back; // by group(): definitions that may come back
    u8 *ends;       // by function: no way through it returns
    u32 *calls;     // by function: calls that do not come back, when its body was last looked at
} NoReturn;

bool declared_noreturn(const Program *self, NameId name) {
    const char *text = program_text(self, name);
    const CallFact *facts;
    u32 count = program_said(self, name) & SAID_NORETURN
                    ? declarations_facts(self->declarations, text, (u32)strlen(text), SAID_NORETURN, &facts)
                    : 0;
    for (u32 i = 0; i < count; i++)
        if (!facts[i].choice.argument)
            return true;
    return bitset_has(&self->tables->noreturn, name);
}

// Definitions of which any may be meant: all of a name, but what a source keeps to itself.
static u64 group(const Program *self, const ProgramFunction *function) {
    const char *path = self->files.items[function->file].path, *dot = strrchr(path, '.');
    bool own = function->flags & DECL_STATIC && !(dot && dot[1] == 'h');
    return (u64)function->name << 32 | (own ? function->file + 1 : 0);
}

static bool is_end(const Program *self, const CallSite *site) {
    if (site->indirect || site->guessed || site->target_count > 1)
        return false;
    return site->target_count ? self->functions.items[self->targets.items[site->target]].marks & MARK_NORETURN
                              : site->name && declared_noreturn(self, site->name);
}

static u32 count_ends(const Program *self, const ProgramFunction *function) {
    u32 count = 0;
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        count += is_end(self, &self->calls.items[c]);
    return count;
}

// Does the block come to a call that does not come back? Where text was lost, nobody knows.
static bool block_ends(const Program *self, FunctionId id, const Body *body, const Block *block, bool *lost) {
    for (u32 e = 0; e < block->event_count; e++) {
        const Event *event = &body->events.items[block->event + e];
        const CallSite *site = event->kind == EVENT_CALL ? program_call(self, id, event->expr) : NULL;
        *lost |= event->kind == EVENT_LOST || event->kind == EVENT_ASM;
        if (site && is_end(self, site))
            return true;
    }
    return false;
}

// Is there no way from the beginning to a return?
static bool never_returns(const Program *self, FunctionId id, const Body *body) {
    Bitset seen = {0};
    Array(u32) work = {0};
    bool lost = !body->blocks.count;
    bitset_resize(&seen, body->blocks.count + 1);
    array_push(&work, 0);
    while (work.count && !lost) {
        u32 at = work.items[--work.count];
        const Block *block = &body->blocks.items[at];
        if (bitset_has(&seen, at) || block_ends(self, id, body, block, &lost))
            continue;
        bitset_set(&seen, at);
        lost |= block->term == TERM_RETURN || block->term == TERM_COMPUTED;
        for (u32 s = 0; s < block->successor_count; s++)
            array_push(&work, body->successors.items[block->successor + s].block);
    }
    bitset_free(&seen);
    array_free(&work);
    return !lost;
}

// fills: ends of one function, when there is something new to see.
static void look(NoReturn *self, FunctionId id) {
    Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[id];
    u32 count = self->ends[id] ? 0 : count_ends(program, function);
    Body body = {0};
    if (count <= self->calls[id] || function->flags & DECL_WEAK)
        return;
    self->calls[id] = count;
    if (!program_body(program, id, &body))
        return;
    if (never_returns(program, id, &body)) {
        self->ends[id] = 1;
        --*map_get(&self->comes_back, group(program, function));
    }
    body_free(&body);
}

// fills: MARK_NORETURN where no definition that may be meant comes back. Was there one?
static bool mark_ended(NoReturn *self) {
    Program *program = self->program;
    bool more = false;
    for (u32 f = 0; f < program->functions.count; f++) {
        ProgramFunction *function = &program->functions.items[f];
        if (!self->ends[f] || function->marks & MARK_NORETURN || *map_get(&self->comes_back, group(program, function)))
            continue;
        function->marks |= MARK_NORETURN;
        more = true;
    }
    return more;
}

// requires: the call graph, MARK_NORETURN of what is declared so. fills: MARK_NORETURN.
void find_noreturn(Program *program) {
    size_t count = (size_t)program->functions.count + 1;
    NoReturn self = {program, {0}, must_zero(count), must_zero(sizeof(u32) * count)};
    for (u32 f = 0; f < program->functions.count; f++) {
        const ProgramFunction *function = &program->functions.items[f];
        self.ends[f] = (function->marks & MARK_NORETURN) != 0;
        u32 *back = map_put(&self.comes_back, group(program, function), NULL);
        *back += !self.ends[f];
    }
    do
        for (u32 f = 0; f < program->functions.count; f++)
            look(&self, f);
    while (mark_ended(&self));
    map_free(&self.comes_back);
    free(self.ends);
    free(self.calls);
}
