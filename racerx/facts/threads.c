// threads.c: where threads begin and end.
// In: STEP_SPAWN and STEP_ENDED steps with the places of the handles. Out: a class for each place that starts a
// thread, and for each join the classes that it ends. A join is matched by the handle: the same variable, or the same
// member. A loop that joins has joined when it is left, however often it went round.
#include "racerx/facts/analysis.h"

static void name_spawn(Analysis *self, Spawn *spawn, FunctionId handler, const ExprId call) {
    const Program *program = self->program;
    Buffer text = {0};
    buffer_format(&text, "thread %s (%u.%u)", program_text(program, program->functions.items[handler].name),
                  spawn->function, call);
    spawn->class = class_intern(self, program_intern(program, (char *)text.bytes, (u32)text.size), false);
    self->classes.items[spawn->class].thread = true;
    self->classes.items[spawn->class].recursive = true;
    buffer_free(&text);
}

static void fill_spawned(Analysis *self) {
    const Program *program = self->program;
    for (u32 r = program->registrations.count; r-- > 0;) {
        const Registration *one = &program->registrations.items[r];
        if (one->from != NO_ID)
            *map_put(&self->spawned, (u64)one->from << 32 | one->call, NULL) = r + 1;
    }
    for (u32 i = 0; i < self->spawns.count; i++) {
        Spawn *spawn = &self->spawns.items[i];
        const u32 *first = map_get(&self->spawned, (u64)spawn->function << 32 | spawn->call);
        for (u32 r = first ? *first - 1 : NO_ID; r < program->registrations.count; r++)
            if (program->registrations.items[r].from == spawn->function &&
                program->registrations.items[r].call == spawn->call)
                self->started_as[program->registrations.items[r].handler] = 1;
        if (!first || spawn->fact->said != SAID_REGISTERS || spawn->fact->context != CONTEXT_THREAD)
            continue;
        name_spawn(self, spawn, program->registrations.items[*first - 1].handler, spawn->call);
        fill_variants(self, spawn, *first - 1);
    }
    fill_launches(self);
}

// what threads leave ----------------------------------------------------------------

// By function: it, or what it calls, starts threads.
static u8 *find_starting(const Analysis *self) {
    const Program *program = self->program;
    u8 *starting = must_zero(program->functions.count + 1u);
    U32Array work = {0};
    for (u32 i = 0; i < self->spawns.count; i++)
        if (self->spawns.items[i].class)
            array_push(&work, self->spawns.items[i].function);
    while (work.count) {
        FunctionId at = work.items[--work.count];
        const ProgramFunction *one = &program->functions.items[at];
        for (u32 c = 0; !starting[at] && c < one->caller_count; c++)
            array_push(&work, program->callers.items[one->caller + c]);
        starting[at] = 1;
    }
    array_free(&work);
    return starting;
}

static void name_left(Analysis *self, ClassId thread) {
    Buffer text = {0};
    buffer_format(&text, "left by %s", program_text(self->program, self->classes.items[thread].name));
    ClassId left = class_intern(self, program_intern(self->program, (char *)text.bytes, (u32)text.size), false);
    self->classes.items[left].thread = self->classes.items[left].recursive = true;
    self->classes.items[left].left_by = thread;
    self->classes.items[thread].leaves = left;
    buffer_free(&text);
}

// A thread that starts others may leave them behind. requires: classes of threads. fills: LockClass.leaves.
static void fill_left(Analysis *self) {
    const Program *program = self->program;
    u8 *starting = find_starting(self);
    for (u32 i = 0; i < self->spawns.count; i++) {
        const Spawn spawn = self->spawns.items[i];
        const u32 *first = map_get(&self->spawned, (u64)spawn.function << 32 | spawn.call);
        bool any = false;
        for (u32 r = spawn.class && first ? *first - 1 : NO_ID; r < program->registrations.count; r++)
            any |= program->registrations.items[r].from == spawn.function &&
                   program->registrations.items[r].call == spawn.call &&
                   starting[program->registrations.items[r].handler];
        if (any)
            name_left(self, spawn.class);
        for (u32 v = 0; any && v < spawn.variant_count; v++)
            if (starting[self->variants.items[spawn.variant + v].runs])
                name_left(self, self->variants.items[spawn.variant + v].class);
    }
    free(starting);
}

// joins -----------------------------------------------------------------------------

// Does this join wait for what that call started?
static bool ends(const Spawn *join, const Spawn *spawn) {
    if (!spawn->class)
        return false;
    if (join->handle && join->handle == spawn->handle)
        return true;
    return join->member && join->member == spawn->member;
}

static void push_ended(Analysis *self, const Spawn *spawn) {
    array_push(&self->ended, spawn->class);
    for (u32 i = 0; i < spawn->variant_count; i++)
        array_push(&self->ended, self->variants.items[spawn->variant + i].class);
}

// Does the join wait for what some helper was told to start? Then for that only.
static void push_launched(Analysis *self, const Spawn *join) {
    for (u32 i = 0; i < self->launches.count; i++) {
        const Launch *launch = &self->launches.items[i];
        const Spawn *spawn = &self->spawns.items[launch->spawn];
        bool same =
            (join->handle && join->handle == launch->handle) || (join->member && join->member == launch->member);
        for (u32 v = 0; same && v < spawn->variant_count; v++)
            if (self->variants.items[spawn->variant + v].runs == launch->runs)
                array_push(&self->ended, self->variants.items[spawn->variant + v].class);
    }
}

static void fill_ended(Analysis *self, SkeletonStep *step) {
    const Spawn join = self->spawns.items[step->effect], *only = NULL;
    u32 first = self->ended.count, classes = 0;
    push_launched(self, &join);
    bool launched = self->ended.count > first;
    for (u32 i = 0; i < self->spawns.count && !launched; i++) {
        const Spawn *spawn = &self->spawns.items[i];
        if (spawn->class && spawn->fact->said == SAID_REGISTERS) {
            classes++;
            only = spawn;
            if (ends(&join, spawn))
                push_ended(self, spawn);
        }
    }
    if (self->ended.count == first && classes == 1) // the handle came another way; there is only this one
        push_ended(self, only);
    step->effect = first;
    step->effect_count = self->ended.count - first;
}

// loops -------------------------------------------------------------------------

static void reach(const Skeleton *skeleton, u32 from, u8 *seen, u8 bit, U32Array *work) {
    array_push(work, from);
    while (work->count) {
        const SkeletonBlock *block = &skeleton->blocks[work->items[--work->count]];
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            if (!(seen[next] & bit)) {
                seen[next] |= bit;
                array_push(work, next);
            }
        }
    }
}

// The blocks of the loop around a block: reached from it, and reaching it.
static void find_loop(const Skeleton *skeleton, u32 block, u8 *seen, U32Array *work) {
    memset(seen, 0, skeleton->block_count);
    reach(skeleton, block, seen, 1, work);
    if (!(seen[block] & 1))
        return;
    seen[block] |= 2;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = skeleton->block_count; b-- > 0;)
            for (u32 s = 0; s < skeleton->blocks[b].successor_count && !(seen[b] & 2); s++)
                if (seen[skeleton->successors[skeleton->blocks[b].successor + s]] & 2) {
                    seen[b] |= 2;
                    changed = true;
                }
    }
}

static void find_exits(Analysis *self, Skeleton *skeleton, u32 step, u8 *seen) {
    Array(LoopExit) exits = {0};
    for (u32 i = 0; i < skeleton->exit_count; i++)
        array_push(&exits, skeleton->exits[i]);
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; (seen[b] & 3) == 3 && s < skeleton->blocks[b].successor_count; s++) {
            u32 next = skeleton->successors[skeleton->blocks[b].successor + s];
            if ((seen[next] & 3) != 3)
                array_push(&exits, ((LoopExit){b, next, step}));
        }
    if (exits.count) {
        skeleton->exits = arena_alloc(&self->arena, sizeof(LoopExit) * exits.count);
        memcpy(skeleton->exits, exits.items, sizeof(LoopExit) * exits.count);
        skeleton->exit_count = exits.count;
    }
    array_free(&exits);
}

static void fill_loops(Analysis *self, Skeleton *skeleton) {
    U32Array work = {0};
    u8 *seen = must_alloc(skeleton->block_count + 1u);
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++)
            if (skeleton->steps[skeleton->blocks[b].step + s].kind == STEP_ENDED) {
                find_loop(skeleton, b, seen, &work);
                if (seen[b] & 1)
                    find_exits(self, skeleton, skeleton->blocks[b].step + s, seen);
            }
    free(seen);
    array_free(&work);
}

// Does all that runs start at a main? Not in a kernel: its main is start-up, and system calls come from threads that
// nobody starts.
static bool has_main(const Program *program) {
    const u32 wanted = MARK_THREAD_ONCE | MARK_ROOT;
    bool once = false, starts = false, called = false;
    for (u32 f = 0; f < program->functions.count; f++) {
        const ProgramFunction *function = &program->functions.items[f];
        once |= (function->marks & wanted) == wanted;
        starts |= (function->marks & (wanted | MARK_INIT | MARK_ADDRESS_TAKEN)) == wanted;
        called |= function->marks & MARK_MULTITHREADED || function->contexts >> CONTEXT_SYSCALL & 1;
    }
    return once && (starts || !called);
}

void fill_threads(Analysis *self) {
    self->started_as = must_zero(self->program->functions.count + 1u);
    self->follows_threads = self->binds_data && has_main(self->program) && !is_kernel(self->program);
    if (self->follows_threads) {
        fill_spawned(self);
        fill_left(self);
    }
    for (u32 f = 0; f < self->program->functions.count; f++) {
        Skeleton *skeleton = &self->skeletons[f];
        bool joins = false;
        for (u32 s = 0; s < skeleton->step_count; s++)
            if (skeleton->steps[s].kind == STEP_ENDED) {
                joins = true;
                skeleton->steps[s].effect_count = 0;
                if (self->follows_threads)
                    fill_ended(self, &skeleton->steps[s]);
            }
        if (joins && self->follows_threads)
            fill_loops(self, skeleton);
    }
}
