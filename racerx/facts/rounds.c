// rounds.c: what a loop prepares for the thread that it starts next.
// In: the steps of a body. Out: Analysis.prepared: accesses of `slots[i]` that come before the start of the thread
// which is given `&slots[i]`, or i, in the same round. The idea: until i is written again it is the same element, and
// its thread is not there yet; those that are have others. Invariant: on no way is such an access made after the start
// with i as it was.
#include "racerx/facts/skeleton.h"

typedef struct {
    Build *build;
    u32 var;       // that counts the rounds
    Bitset seen;   // by block: its beginning
    U32Array work; // blocks to be gone on with
} Rounds;

// From a step of a block on: is the other one come to, the variable being what it was?
static bool goes_on(Rounds *self, u32 block, u32 from, u32 wanted) {
    const Build *build = self->build;
    const SkeletonBlock *one = &build->blocks.items[block];
    for (u32 s = from; s < one->step + one->step_count; s++) {
        const SkeletonStep *step = &build->steps.items[s];
        if (s == wanted)
            return true;
        if (step->kind == STEP_SET && step->result == self->var)
            return false;
    }
    for (u32 i = 0; i < one->successor_count; i++) {
        u32 next = build->successors.items[one->successor + i];
        if (!bitset_has(&self->seen, next))
            array_push(&self->work, next);
        bitset_set(&self->seen, next);
    }
    return false;
}

static u32 block_of(const Build *build, u32 step) {
    u32 block = 0;
    while (step >= build->blocks.items[block].step + build->blocks.items[block].step_count)
        block++;
    return block;
}

static bool comes_to(Rounds *self, u32 from, u32 wanted) {
    bitset_resize(&self->seen, self->build->blocks.count);
    bool found = goes_on(self, block_of(self->build, from), from + 1, wanted);
    while (!found && self->work.count) {
        u32 block = self->work.items[--self->work.count];
        found = goes_on(self, block, self->build->blocks.items[block].step, wanted);
    }
    array_free(&self->work);
    bitset_free(&self->seen);
    return found;
}

// The variable that is an index of a place, and where; NO_ID: none is.
static u32 index_var(const Build *build, u32 step) {
    u32 term = step_name(step);
    if (!step_is_term(step) || step_is_owned(term) || (term & ~STEP_TERM_REST) != STEP_TERM)
        return NO_ID;
    u32 id = (term - build->function * 0x9e3779b1u) & STEP_TERM_REST;
    const Expr *index = id < build->body->exprs.count ? build_expr(build, id) : NULL;
    bool plain = index && index->kind == EXPR_VAR && !(build->body->vars.items[index->a].flags & DECL_ADDRESSED);
    return plain ? index->a : NO_ID;
}

// Is the place the element that the thread is given, or in it?
static bool is_in_element(const Rounds *self, PathId path, PathId given) {
    const PathTable *paths = &self->build->analysis->paths;
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent)
        if (given ? path == given : index_var(self->build, paths->paths.items[path].step) == self->var)
            return true;
    return false;
}

static void put_before(Rounds *self, u32 start, PathId given) {
    Build *build = self->build;
    Analysis *analysis = build->analysis;
    for (u32 s = 0; s < build->steps.count; s++) {
        const SkeletonStep *step = &build->steps.items[s];
        bool any = false;
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count && !any; i++)
            any = is_in_element(self, analysis->accesses.items[step->effect + i].path, given);
        if (!any || !comes_to(self, s, start) || comes_to(self, start, s))
            continue;
        for (u32 i = step->effect; i < step->effect + step->effect_count; i++)
            if (is_in_element(self, analysis->accesses.items[i].path, given))
                map_put(&analysis->prepared, (u64)i << 32 | build->steps.items[start].effect, NULL);
    }
}

// requires: all steps and accesses of the function. fills: Analysis.prepared.
void build_prepared(Build *build) {
    const Analysis *analysis = build->analysis;
    for (u32 s = 0; s < build->steps.count; s++) {
        const SkeletonStep *step = &build->steps.items[s];
        i32 data = step->kind == STEP_SPAWN ? analysis->spawns.items[step->effect].fact->data : 0;
        if (data < 1 || (u32)data > step->arg_count)
            continue;
        const ArgumentValue *given = &build->args.items[step->arg + (u32)data - 1];
        const Path *path = &analysis->paths.paths.items[given->path];
        Rounds rounds = {.build = build, .var = NO_ID};
        if (given->address)
            rounds.var = path->depth ? index_var(build, path->step) : NO_ID;
        else if (given->path && path->root == ROOT_LOCAL && !path->depth && path->step < build->body->vars.count)
            rounds.var = path->step;
        if (rounds.var != NO_ID)
            put_before(&rounds, s, given->address ? given->path : 0);
    }
}
