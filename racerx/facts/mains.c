// mains.c: which programs of a tree a function belongs to: those whose main can reach it.
// In: the linked program. Out: Facts.mains, for every function a bit for each main; none: no main reaches it.
// The idea: a tree may hold many programs (a server, its tools, its tests) that share code, but no memory. Two accesses
// meet only in a program that does both. From main on, calls and what they start are followed. Two files with a main
// are never linked together: a call through a pointer does not lead from the one's program into the other, nor into a
// file that a linker would not have added to the program: who is in it names it, by a call or a global.
#include "racerx/facts/analysis.h"

typedef struct {
    const Program *program;
    u32 words;    // of a set of programs
    u64 *reached; // by function, so many words each
    u64 *own;     // by file, likewise: the programs whose main is in it
    u8 *has_main; // by file
    u64 *linked;  // by file: the programs that it is part of
    u32 *in_file; // by file: its first function in `functions`
    U32Array functions;
    u32 *takes_first; // by file: functions whose address it uses, in `takes`
    U32Array takes;
    U32Array files;   // whose sets grew
    U32Array queue;   // functions whose sets grew
    u8 *queued;       // by function: it is waiting there
    u32 *first;       // by function: its registrations in `started`
    U32Array started; // handlers
} MainReach;

// The programs of `from` reach a function; with `within`, only those of them that are there, too.
static void reach(MainReach *self, FunctionId function, const u64 *from, const u64 *within) {
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
static void gather_started(MainReach *self) {
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
            self->started.items[self->first[program->registrations.items[i].from + 1]++] =
                program->registrations.items[i].handler;
}

// files -------------------------------------------------------------------------

static void link_file(MainReach *self, u32 file, const u64 *from) {
    u64 *set = self->linked + (size_t)file * self->words, grown = 0;
    if (self->has_main[file] || self->program->files.items[file].kind == FILE_HEADER)
        return; // with a main of its own it is another program
    for (u32 i = 0; i < self->words; i++) {
        grown |= from[i] & ~set[i];
        set[i] |= from[i];
    }
    if (grown)
        array_push(&self->files, file);
}

// A global that is named there: what is only come to by a pointer is somebody else's word.
static void link_place(MainReach *self, const Analysis *analysis, PathId path, const u64 *set) {
    const Path *first = &analysis->paths.paths.items[path_first(&analysis->paths, path)];
    if (path && first->root == ROOT_GLOBAL)
        link_file(self, self->program->globals.items[first->step].file, set);
}

// Globals that the file's own initialisers name.
static void link_initialisers(MainReach *self, u32 file, const u64 *set) {
    const ProgramFile *source = &self->program->files.items[file];
    const Tree *tree = &source->tree;
    for (u32 e = 1; e < tree->exprs.count; e++) {
        if (tree->exprs.items[e].kind != EXPR_NAME)
            continue;
        GlobalId global = program_global(self->program, file, source->names[tree->exprs.items[e].a]);
        if (global != NO_ID)
            link_file(self, self->program->globals.items[global].file, set);
    }
}

// What a function names is part of the programs that it is part of; what it is handed to register, others named.
static void link_named(MainReach *self, const Analysis *analysis, FunctionId at, const u64 *set, u32 depth) {
    const Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[at];
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        for (u32 t = 0; !program->calls.items[c].indirect && t < program->calls.items[c].target_count; t++) {
            FunctionId target = program->targets.items[program->calls.items[c].target + t];
            u32 file = program->functions.items[target].file;
            link_file(self, file, set);
            if (program->files.items[file].kind == FILE_HEADER &&
                !limit_cuts(LIMIT_INLINES_DEEPEST, depth >= INLINES_DEEPEST))
                link_named(self, analysis, target, set, depth + 1);
        }
    const Skeleton *skeleton = &analysis->skeletons[at];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++)
            link_place(self, analysis, analysis->accesses.items[step->effect + i].path, set);
        for (u32 i = 0; i < step->arg_count; i++)
            link_place(self, analysis, skeleton->args[step->arg + i].path, set);
    }
}

static void gather_functions(MainReach *self) {
    const Program *program = self->program;
    self->in_file = must_zero(sizeof(u32) * (program->files.count + 2u));
    for (u32 f = 0; f < program->functions.count; f++)
        self->in_file[program->functions.items[f].file + 2]++;
    for (u32 i = 2; i < program->files.count + 2; i++)
        self->in_file[i] += self->in_file[i - 1];
    array_reserve(&self->functions, program->functions.count + 1);
    for (u32 f = 0; f < program->functions.count; f++)
        self->functions.items[self->in_file[program->functions.items[f].file + 1]++] = f;
    self->takes_first = must_zero(sizeof(u32) * (program->files.count + 2u));
    for (u32 i = 0; i < program->taken.count; i += 2)
        self->takes_first[program->taken.items[i] + 2]++;
    for (u32 i = 2; i < program->files.count + 2; i++)
        self->takes_first[i] += self->takes_first[i - 1];
    array_reserve(&self->takes, program->taken.count + 1);
    for (u32 i = 0; i < program->taken.count; i += 2)
        self->takes.items[self->takes_first[program->taken.items[i] + 1]++] = program->taken.items[i + 1];
}

// requires: own, has_main, first. fills: linked.
static void link_files(MainReach *self, const Analysis *analysis) {
    gather_functions(self);
    for (u32 file = 0; file < self->program->files.count; file++)
        if (self->has_main[file]) {
            memcpy(self->linked + (size_t)file * self->words, self->own + (size_t)file * self->words,
                   sizeof(u64) * self->words);
            array_push(&self->files, file);
        }
    for (u32 i = 0; i < self->files.count; i++) {
        u32 file = self->files.items[i];
        for (u32 f = self->in_file[file]; f < self->in_file[file + 1]; f++)
            link_named(self, analysis, self->functions.items[f], self->linked + (size_t)file * self->words, 0);
        link_initialisers(self, file, self->linked + (size_t)file * self->words);
        for (u32 t = self->takes_first[file]; t < self->takes_first[file + 1]; t++)
            link_file(self, self->program->functions.items[self->takes.items[t]].file,
                      self->linked + (size_t)file * self->words);
    }
}

// The programs that a call through a pointer may lead into a file in; NULL: nothing is known of the file.
static const u64 *linked_into(const MainReach *self, u32 file) {
    const u64 *set = self->linked + (size_t)file * self->words;
    if (self->has_main[file])
        return self->own + (size_t)file * self->words;
    for (u32 i = 0; i < self->words; i++)
        if (set[i])
            return set;
    return NULL;
}

static void go_on(MainReach *self, FunctionId at) {
    const Program *program = self->program;
    const ProgramFunction *function = &program->functions.items[at];
    const u64 *set = self->reached + (size_t)at * self->words;
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        for (u32 t = 0; t < program->calls.items[c].target_count; t++) {
            FunctionId target = program->targets.items[program->calls.items[c].target + t];
            bool indirect = program->calls.items[c].indirect;
            reach(self, target, set, indirect ? linked_into(self, program->functions.items[target].file) : NULL);
        }
    for (u32 i = self->first[at]; i < self->first[at + 1]; i++) { // a helper's, for each of its callers
        FunctionId handler = self->started.items[i];
        reach(self, handler, set, linked_into(self, program->functions.items[handler].file));
    }
}

// Handlers that are only stored somewhere belong to the programs that their file is part of.
static void adopt_stored(MainReach *self) {
    const Program *program = self->program;
    for (u32 f = 0; f < program->functions.count; f++) {
        const u64 *set = self->reached + (size_t)f * self->words, *linked;
        u64 any = 0;
        for (u32 i = 0; i < self->words; i++)
            any |= set[i];
        bool taken = program->functions.items[f].marks & MARK_ADDRESS_TAKEN;
        if (!any && taken && (linked = linked_into(self, program->functions.items[f].file)))
            reach(self, f, linked, NULL);
    }
}

static void drain(MainReach *self) {
    for (u32 i = 0; i < self->queue.count; i++) {
        FunctionId at = self->queue.items[i];
        self->queued[at] = 0;
        go_on(self, at);
    }
    self->queue.count = 0;
}

static void start_mains(MainReach *self, u32 name) {
    FunctionId id;
    for (u32 n = 0; (id = program_named(self->program, name, n)) != NO_ID; n++) {
        u64 set[PROGRAM_WORDS] = {0};
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
static bool starts_something(MainReach *self, FunctionId main, u32 *seen, u32 round) {
    self->queue.count = 0;
    follow_sure(self->program, main, seen, round, &self->queue);
    for (u32 i = 0; i < self->queue.count; i++)
        if (self->first[self->queue.items[i]] < self->first[self->queue.items[i] + 1])
            return true;
    return false;
}

// Of several programs, those that start nothing are alone with themselves: tools, mostly. A single one may be
// interrupted.
static u8 *find_lone(MainReach *self, u32 name) {
    u8 *lone = must_zero(self->program->functions.count + 1u);
    u32 *seen = must_zero(sizeof(u32) * (self->program->functions.count + 1u));
    FunctionId id;
    for (u32 n = 0;
         program_named(self->program, name, 1) != NO_ID && (id = program_named(self->program, name, n)) != NO_ID; n++)
        lone[id] = !starts_something(self, id, seen, n + 1);
    free(seen);
    return lone;
}

static u32 words_for(const Program *program, u32 name) {
    u32 mains = 0;
    while (program_named(program, name, mains) != NO_ID && mains < 64 * PROGRAM_WORDS)
        mains++;
    if (mains == 64 * PROGRAM_WORDS)
        limit_reached(LIMIT_PROGRAM_WORDS);
    return mains ? (mains + 63) / 64 : 1;
}

// requires: the linked program. fills: mains, main_words.
void fill_mains(Analysis *analysis) {
    const Program *program = analysis->program;
    MainReach self = {.program = program, .words = 1};
    u32 name = intern_find(&program->names, "main", 4);
    if (name != UINT32_MAX)
        self.words = words_for(program, name);
    self.reached = must_zero(sizeof(u64) * self.words * (program->functions.count + 1u));
    self.own = must_zero(sizeof(u64) * self.words * (program->files.count + 1u));
    self.has_main = must_zero(program->files.count + 1u);
    self.linked = must_zero(sizeof(u64) * self.words * (program->files.count + 1u));
    self.queued = must_zero(program->functions.count + 1u);
    gather_started(&self);
    if (name != UINT32_MAX)
        start_mains(&self, name);
    link_files(&self, analysis);
    drain(&self);
    adopt_stored(&self);
    drain(&self);
    if (name != UINT32_MAX)
        analysis->lone = find_lone(&self, name);
    analysis->mains = self.reached;
    analysis->main_words = self.words;
    array_free(&self.queue);
    array_free(&self.started);
    free(self.queued);
    free(self.has_main);
    free(self.own);
    free(self.linked);
    free(self.in_file);
    array_free(&self.functions);
    array_free(&self.takes);
    free(self.takes_first);
    array_free(&self.files);
    free(self.first);
}

// Is there a program that reaches both? *known: both are reached by some.
bool share_program(const Analysis *self, FunctionId f, FunctionId g, bool *known) {
    const u64 *a = self->mains + (size_t)f * self->main_words, *b = self->mains + (size_t)g * self->main_words;
    u64 any_a = 0, any_b = 0, both = 0;
    for (u32 i = 0; i < self->main_words; i++) {
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

// Interrupt handlers that no main registers are a kernel's, and when no main starts a thread either, the programs
// beside it are its tools.
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
