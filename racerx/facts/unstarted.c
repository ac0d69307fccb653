// unstarted.c: a join that is asked for first: `if (pump->running) pthread_join(pump->worker, NULL);`.
// In: STEP_ENDED steps with the classes they end, accesses with what is fresh. Out: the way around such a join has
// ended them, too, as the exit of a loop that joins has.
// The idea: who starts the thread raises a flag (or the handle is one), and only who waits for its end lowers it. Where
// it is down, no thread was started, or it has ended. Lowered by anybody else, or raised only now and then by who
// starts the thread, it says something else. Likewise a pointer that leads to the handle: `if (!pool) return;`.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    const U32Array *joiners;   // functions with joins
    const SkeletonStep *ended; // the join
    ObjectId flag;
} AskedJoin;

static bool ends_class(const AskedJoin *self, ClassId class) {
    for (u32 i = 0; i < self->ended->effect_count; i++)
        if (self->analysis->ended.items[self->ended->effect + i] == class)
            return true;
    return false;
}

static bool is_meant(const AskedJoin *self, const Spawn *spawn) {
    bool meant = spawn->class && ends_class(self, spawn->class);
    for (u32 v = 0; spawn->class && v < spawn->variant_count && !meant; v++)
        meant = ends_class(self, self->analysis->variants.items[spawn->variant + v].class);
    return meant;
}

static bool is_called_by(const Program *program, FunctionId function, FunctionId by) {
    const ProgramFunction *one = &program->functions.items[function];
    for (u32 c = 0; c < one->caller_count; c++)
        if (program->callers.items[one->caller + c] == by)
            return true;
    return false;
}

// Does the function join these, or call one that does?
static bool joins_here(const AskedJoin *self, FunctionId function) {
    for (u32 j = 0; j < self->joiners->count; j++) {
        FunctionId joiner = self->joiners->items[j];
        const Skeleton *skeleton = &self->analysis->skeletons[joiner];
        if (joiner != function && !is_called_by(self->analysis->program, joiner, function))
            continue;
        for (u32 s = 0; s < skeleton->step_count; s++)
            for (u32 i = 0; skeleton->steps[s].kind == STEP_ENDED && i < skeleton->steps[s].effect_count; i++)
                if (ends_class(self, self->analysis->ended.items[skeleton->steps[s].effect + i]))
                    return true;
    }
    return false;
}

static bool starts_here(const AskedJoin *self, FunctionId function) {
    for (u32 i = 0; i < self->analysis->spawns.count; i++) {
        const Spawn *spawn = &self->analysis->spawns.items[i];
        if (is_meant(self, spawn) &&
            (spawn->function == function || is_called_by(self->analysis->program, spawn->function, function)))
            return true;
    }
    return false;
}

// raised with the start ---------------------------------------------------------------

// Does the block raise the flag from a step on? What is stored there after the start (`sure`: not) may be how that
// went.
static bool raises(const AskedJoin *self, const Skeleton *skeleton, u32 block, u32 from, bool sure) {
    for (u32 s = from; s < skeleton->blocks[block].step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[skeleton->blocks[block].step + s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
            const Access *access = &self->analysis->accesses.items[step->effect + i];
            u32 flags = access->flags;
            if (access->object == self->flag && (flags & (ACCESSED_WRITE | ACCESSED_UPDATE)) &&
                !(flags & ACCESSED_LOWERS) && (!sure || (flags & (ACCESSED_RAISES | ACCESSED_UPDATE))))
                return true;
        }
    }
    return false;
}

// Where is the flag come to without being raised, from a block (behind `met`)? Fills: met. Returns whether some way
// raises it, and none comes back to the caller without.
static bool surely_raised(const AskedJoin *self, const Skeleton *skeleton, u32 block, bool sure, u8 *met,
                          U32Array *work) {
    bool some = false, without = false;
    memset(met, 0, skeleton->block_count);
    array_push(work, block);
    met[block] = 1;
    while (work->count) {
        u32 b = work->items[--work->count];
        if (raises(self, skeleton, b, 0, sure)) {
            some = true;
            continue;
        }
        without |= skeleton->blocks[b].term == TERM_RETURN;
        for (u32 i = 0; i < skeleton->blocks[b].successor_count; i++) {
            u32 next = skeleton->successors[skeleton->blocks[b].successor + i];
            if (!met[next])
                array_push(work, next);
            met[next] = 1;
        }
    }
    return some && !without;
}

// Is a block only come to by this edge of a branch?
static bool only_by(const Skeleton *skeleton, u32 from, u32 edge, u32 target, u8 *met, U32Array *work) {
    memset(met, 0, skeleton->block_count);
    array_push(work, 0);
    met[0] = 1;
    while (work->count) {
        u32 b = work->items[--work->count];
        for (u32 i = 0; i < skeleton->blocks[b].successor_count; i++) {
            u32 next = skeleton->successors[skeleton->blocks[b].successor + i];
            if ((b != from || i != edge) && !met[next]) {
                array_push(work, next);
                met[next] = 1;
            }
        }
    }
    return !met[target];
}

static bool tests_flag(const SkeletonBlock *block, ObjectId flag) {
    return block->term == TERM_BRANCH && block->successor_count == 2 && block->flag && block->flag == flag &&
           (block->raised & RAISED_SUCCESSOR);
}

// Is the flag up when this step has started the thread? It was before, is at once, or is unless the start failed, which
// the block asks.
static bool is_up(const AskedJoin *self, const Skeleton *skeleton, u32 block, u32 step) {
    const SkeletonBlock *at = &skeleton->blocks[block];
    u8 *met = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    bool up = raises(self, skeleton, block, 0, true) || raises(self, skeleton, block, step + 1, false);
    for (u32 i = 0; i < at->successor_count && !up; i++)
        up = surely_raised(self, skeleton, skeleton->successors[at->successor + i], false, met, &work);
    if (!up && block) { // before: no way from the beginning comes here without
        surely_raised(self, skeleton, 0, true, met, &work);
        up = !met[block];
    }
    for (u32 b = 0; b < skeleton->block_count && !up; b++)
        up = tests_flag(&skeleton->blocks[b], self->flag) &&
             only_by(skeleton, b, (skeleton->blocks[b].raised & RAISED_SUCCESSOR) - 1u, block, met, &work);
    array_free(&work);
    free(met);
    return up;
}

static bool calls_function(const Analysis *self, const SkeletonStep *step, FunctionId callee) {
    const CallSite *site =
        step->kind == STEP_CALL && step->call != NO_ID ? &self->program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++)
        if (self->program->targets.items[site->target + t] == callee)
            return true;
    return false;
}

// Is it up after every step of the function that starts this, itself (`callee`: NO_ID) or by a helper?
static bool all_up(const AskedJoin *self, const Spawn *spawn, FunctionId function, FunctionId callee) {
    const Skeleton *skeleton = &self->analysis->skeletons[function];
    bool up = true, any = false;
    for (u32 b = 0; b < skeleton->block_count && up; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count && up; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            bool here = callee == NO_ID ? step->kind == STEP_SPAWN && step->expr == spawn->call
                                        : calls_function(self->analysis, step, callee);
            any |= here;
            up = !here || is_up(self, skeleton, b, s);
        }
    return any && up;
}

// Is the flag what the thread is joined by?
static bool is_handle(const AskedJoin *self, const Spawn *spawn) {
    const PathTable *paths = &self->analysis->paths;
    const SharedObject *object = &self->analysis->objects.items[self->flag];
    const Path *place = &paths->paths.items[spawn->place];
    if (object->kind == OBJECT_FIELD)
        return spawn->member && object->member == spawn->member;
    return object->kind == OBJECT_GLOBAL && spawn->place && !spawn->member && !object->member &&
           place->root == ROOT_GLOBAL && place->step == object->id;
}

static bool raised_with_start(const AskedJoin *self, const Spawn *spawn) {
    const Program *program = self->analysis->program;
    const ProgramFunction *one = &program->functions.items[spawn->function];
    if (is_handle(self, spawn) || all_up(self, spawn, spawn->function, NO_ID))
        return true;
    for (u32 c = 0; c < one->caller_count; c++)
        if (!all_up(self, spawn, program->callers.items[one->caller + c], spawn->function))
            return false;
    return one->caller_count != 0;
}

// the flag ----------------------------------------------------------------------------

static bool is_raised_by_starts(const AskedJoin *self) {
    const Analysis *analysis = self->analysis;
    bool raised = true;
    for (u32 i = 0; i < analysis->spawns.count && raised; i++) {
        const Spawn *spawn = &analysis->spawns.items[i];
        raised = spawn->fact->said != SAID_REGISTERS || !is_meant(self, spawn) || raised_with_start(self, spawn);
    }
    return raised;
}

// Is it down only before a start, and after the end?
static bool is_lowered_by_ends(const AskedJoin *self) {
    const Analysis *analysis = self->analysis;
    for (u32 a = 0; a < analysis->accesses.count; a++) {
        const Access *access = &analysis->accesses.items[a];
        bool own = access->fresh == FRESH_YES || access->fresh == FRESH_TAKEN || (access->flags & ACCESSED_MADE);
        if (access->object != self->flag || !(access->flags & (ACCESSED_WRITE | ACCESSED_UPDATE)) || own ||
            (access->flags & ACCESSED_RAISES))
            continue;
        if (!joins_here(self, access->function) && !starts_here(self, access->function))
            return false;
    }
    return true;
}

// Is what the branch tests a pointer on the way to the handle? Where it is null there is no handle.
static bool leads_to_handle(const AskedJoin *self, const Skeleton *skeleton, const SkeletonBlock *branch) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 i = 0; branch->asked && i < self->ended->arg_count; i++)
        for (PathId path = skeleton->args[self->ended->arg + i].path; path && paths->paths.items[path].depth;) {
            path = paths->paths.items[path].parent;
            if (path == branch->asked)
                return true;
        }
    return false;
}

// Does this branch ask whether there is a thread to wait for?
static bool asks_for_thread(AskedJoin *self, const Skeleton *skeleton, const SkeletonBlock *branch) {
    self->flag = branch->flag;
    if (leads_to_handle(self, skeleton, branch))
        return !self->flag || is_lowered_by_ends(self);
    return self->flag && is_raised_by_starts(self) && is_lowered_by_ends(self);
}

static bool leads_to(const Skeleton *skeleton, u32 from, u32 target, u8 *met, U32Array *work) {
    memset(met, 0, skeleton->block_count);
    array_push(work, from);
    met[from] = 1;
    while (work->count) {
        const SkeletonBlock *block = &skeleton->blocks[work->items[--work->count]];
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (!met[next])
                array_push(work, next);
            met[next] = 1;
        }
    }
    return met[target];
}

static void push_exit(Analysis *self, Skeleton *skeleton, LoopExit one) {
    LoopExit *exits = arena_alloc(&self->arena, sizeof(LoopExit) * (skeleton->exit_count + 1u));
    if (skeleton->exit_count)
        memcpy(exits, skeleton->exits, sizeof(LoopExit) * skeleton->exit_count);
    exits[skeleton->exit_count++] = one;
    skeleton->exits = exits;
}

// The ways around the join in this block.
static void find_ways_around(AskedJoin *self, Skeleton *skeleton, u32 block, u32 step) {
    u8 *met = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *branch = &skeleton->blocks[b];
        if (branch->term != TERM_BRANCH || branch->successor_count != 2 || !(branch->raised & RAISED_SUCCESSOR) ||
            !(branch->flag || branch->asked))
            continue;
        u32 edge = (branch->raised & RAISED_SUCCESSOR) - 1u, around = skeleton->successors[branch->successor + !edge];
        if (only_by(skeleton, b, edge, block, met, &work) && !leads_to(skeleton, around, block, met, &work) &&
            asks_for_thread(self, skeleton, branch))
            push_exit(self->analysis, skeleton, (LoopExit){b, around, step});
    }
    array_free(&work);
    free(met);
}

void fill_unstarted(Analysis *analysis) {
    U32Array joiners = {0};
    for (u32 f = 0; analysis->follows_threads && f < analysis->program->functions.count; f++) {
        const Skeleton *skeleton = &analysis->skeletons[f];
        bool joins = false;
        for (u32 s = 0; s < skeleton->step_count && !joins; s++)
            joins = skeleton->steps[s].kind == STEP_ENDED && skeleton->steps[s].effect_count;
        if (joins)
            array_push(&joiners, f);
    }
    for (u32 j = 0; j < joiners.count; j++) {
        Skeleton *skeleton = &analysis->skeletons[joiners.items[j]];
        for (u32 b = 0; b < skeleton->block_count; b++)
            for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
                u32 step = skeleton->blocks[b].step + s;
                AskedJoin asked = {analysis, &joiners, &skeleton->steps[step], 0};
                if (asked.ended->kind == STEP_ENDED && asked.ended->effect_count)
                    find_ways_around(&asked, skeleton, b, step);
            }
    }
    array_free(&joiners);
}
