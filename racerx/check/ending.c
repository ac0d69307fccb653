// ending.c: is an object being taken apart where it is accessed?
// In: a sample, the functions on its way. Out: whether the object is freed afterwards, whatever happens.
// The idea: who frees an object for sure after it touched it must be the last who knows it: whoever else still used it
// would use freed memory, with or without the lock. That may be the mistake: it is only unlikely. The object is
// followed from the access up the way by the pointer that leads to it (or to what it is a part of), at most
// CALLERS_DEEP calls, and not up into a thread's own function: that may free at last what it has worked with all its
// life.
#include "racerx/check/history.h"
#include "racerx/check/races.h"

#define CALLERS_DEEP 3 // calls above the access
#define HELPERS_DEEP 3 // helpers of helpers that free what they are given

typedef struct {
    const Analysis *analysis;
    PathId pointer; // the object, in the function's words
} Ending;

// The pointer that leads to (what is around) the place at a path: the path up to its last `->`; 0: none does.
static PathId pointer_to(const PathTable *paths, PathId path) {
    while (path && paths->paths.items[path].depth && !step_is_pointer(paths->paths.items[path].step))
        path = paths->paths.items[path].parent;
    return path && paths->paths.items[path].depth ? paths->paths.items[path].parent : 0;
}

static bool frees_parameter(const Analysis *self, FunctionId function, u32 param, u32 depth);

static bool frees_argument(const Analysis *self, const SkeletonStep *step, u32 argument, u32 depth) {
    const Program *program = self->program;
    if (step->kind != STEP_CALL || step->call == NO_ID)
        return false;
    const CallSite *site = &program->calls.items[step->call];
    if (site->name && (program_said(program, site->name) & SAID_FREES))
        return true;
    return site->target_count == 1 && depth < HELPERS_DEEP &&
           frees_parameter(self, program->targets.items[site->target], argument, depth + 1);
}

static bool frees(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, PathId pointer, u32 depth) {
    for (u32 i = 0; step->kind == STEP_CALL && i < step->arg_count; i++) {
        const ArgumentValue *argument = &skeleton->args[step->arg + i];
        if (argument->path == pointer && !argument->address && frees_argument(self, step, i, depth))
            return true;
    }
    return false;
}

static bool frees_parameter(const Analysis *self, FunctionId function, u32 param, u32 depth) {
    const Skeleton *skeleton = &self->skeletons[function];
    const PathTable *paths = &self->paths;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_CALL && i < skeleton->steps[s].arg_count; i++) {
            const ArgumentValue *argument = &skeleton->args[skeleton->steps[s].arg + i];
            const Path *path = &paths->paths.items[argument->path];
            if (path->root == ROOT_PARAM && !path->depth && path->step == param && !argument->address &&
                frees_argument(self, &skeleton->steps[s], i, depth))
                return true;
        }
    return false;
}

static bool block_frees(const Ending *self, const Skeleton *skeleton, u32 block, u32 from) {
    for (u32 s = from; s < skeleton->blocks[block].step_count; s++)
        if (frees(self->analysis, skeleton, &skeleton->steps[skeleton->blocks[block].step + s], self->pointer, 0))
            return true;
    return false;
}

bool frees_owner(const Analysis *self, FunctionId function, u32 block, PathId place) {
    Ending ending = {self, pointer_to(&self->paths, place)};
    return ending.pointer && block_frees(&ending, &self->skeletons[function], block, 0);
}

// `if (p) free(p);`: one successor frees it, and comes to the other.
static bool is_guarded(const Ending *self, const Skeleton *skeleton, const SkeletonBlock *block) {
    for (u32 i = 0; block->successor_count == 2 && i < 2; i++) {
        u32 one = skeleton->successors[block->successor + i], other = skeleton->successors[block->successor + 1 - i];
        if (skeleton->blocks[one].successor_count == 1 &&
            skeleton->successors[skeleton->blocks[one].successor] == other && block_frees(self, skeleton, one, 0))
            return true;
    }
    return false;
}

// Does every way on from the spot come by where it is freed?
static bool always_freed(const Ending *self, const Skeleton *skeleton, Spot spot) {
    if (block_frees(self, skeleton, spot.block, spot.step + 1))
        return true;
    u8 *seen = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    bool kept = false, freed = false;
    array_push(&work, spot.block);
    while (work.count && !kept) {
        const SkeletonBlock *block = &skeleton->blocks[work.items[--work.count]];
        kept = block->term == TERM_RETURN;
        if (is_guarded(self, skeleton, block)) {
            freed = true;
            continue;
        }
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            bool ends = !seen[next] && block_frees(self, skeleton, next, 0);
            freed |= ends;
            if (!seen[next] && !ends)
                array_push(&work, next);
            seen[next] = 1;
        }
    }
    array_free(&work);
    free(seen);
    return freed && !kept;
}

// The pointer in the words of the caller; 0: it is none of its arguments.
static PathId pointer_above(const Analysis *self, FunctionId caller, Spot spot, PathId pointer) {
    const Skeleton *skeleton = &self->skeletons[caller];
    const SkeletonStep *step = &skeleton->steps[skeleton->blocks[spot.block].step + spot.step];
    const Path *path = &self->paths.paths.items[pointer];
    if (path->root != ROOT_PARAM || path->depth || path->step >= step->arg_count)
        return 0;
    const ArgumentValue *argument = &skeleton->args[step->arg + path->step];
    return argument->address ? pointer_to(&self->paths, argument->path) : argument->path;
}

// The first function of a thread, or what that calls: a whole life.
static bool is_life(const Analysis *self, u32 way) {
    const WayContext *one = &self->way_contexts.items[way];
    return self->started_as[self->nodes.items[one->node].function] ||
           (one->from && self->started_as[self->nodes.items[self->way_contexts.items[one->from - 1].node].function]);
}

bool is_torn_down(const Analysis *self, const Sample *sample) {
    Ending ending = {self, pointer_to(&self->paths, self->accesses.items[sample->access].path)};
    if (self->objects.items[sample->object].kind != OBJECT_FIELD)
        return false;
    for (u32 way = sample->way, below = NO_ID, depth = 0; ending.pointer && depth <= CALLERS_DEEP; depth++) {
        Spot spot;
        FunctionId function = self->nodes.items[self->way_contexts.items[way].node].function;
        if ((below != NO_ID && is_life(self, way)) || !spot_of_way(self, sample, way, below, &spot))
            return false;
        ending.pointer = below == NO_ID ? ending.pointer : pointer_above(self, function, spot, ending.pointer);
        if (ending.pointer && always_freed(&ending, &self->skeletons[function], spot))
            return true;
        below = way;
        if (!self->way_contexts.items[way].from)
            return false;
        way = self->way_contexts.items[way].from - 1;
    }
    return false;
}
