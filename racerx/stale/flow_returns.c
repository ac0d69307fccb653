// flow_returns.c: what getters and lookups give: a value that was loaded under a lock which was let go before they
// return, or a pointer to what they found.
// In: bodies of functions that others, which let locks go, call. Out: Getters, in the callee's words; at a call, facts
// in the caller's words about what the call returned, as old as the callee made them.
#include "racerx/stale/stale.h"

static bool is_told(const Getters *self, const ReturnedFact *one) {
    for (u32 i = self->items.count; i-- > 0 && self->items.items[i].function == one->function;) {
        const ReturnedFact *known = &self->items.items[i];
        if (known->kind == one->kind && known->place == one->place && known->lock == one->lock)
            return true;
    }
    return false;
}

// A caller can name what starts at a parameter or at a global.
static bool is_outside(const Flow *self, PathId place) {
    const PathTable *paths = &self->analysis->paths;
    u8 root = paths->paths.items[path_first(paths, place)].root;
    return place && paths->paths.items[place].depth + (root == ROOT_GLOBAL) &&
           (root == ROOT_PARAM || root == ROOT_GLOBAL);
}

static void put_return(Flow *self, const KnownFact *fact) {
    ReturnedFact one = {.function = self->function,
                        .kind = fact->kind,
                        .flags = fact->flags & FACT_DERIVED,
                        .after = fact->broken != 0,
                        .place = fact->place,
                        .access = fact->access,
                        .released = fact->released};
    for (u32 i = 0; i < self->locks.count && fact->broken; i++)
        if (fact->broken & 1u << i) {
            one.lock = self->locks.items[i].class;
            one.lock_path = self->locks.items[i].path;
            break;
        }
    if (is_told(self->returned, &one))
        return;
    array_push(&self->returned->items, one);
    u32 *first = map_put(&self->returned->first, self->function, NULL);
    *first = *first ? *first : self->returned->items.count;
}

void flow_return(Flow *self, const Block *block) {
    Leaves leaves;
    flow_leaves(self, block->value, &leaves);
    for (u32 l = 0; l < leaves.count; l++) {
        u32 var = flow_var(self, leaves.items[l]);
        for (u32 i = 0; var < CALL_VAR && i < self->now.facts.count; i++) {
            const KnownFact *fact = &self->now.facts.items[i];
            bool copy = fact->kind == FACT_COPY && fact->source == BY_LOAD && fact->broken &&
                        !(fact->flags & (FACT_CLAIMED | FACT_BELOW)) && is_outside(self, fact->place);
            bool found = fact->kind == FACT_FOUND && !(fact->flags & (FACT_EMPTY | FACT_PINNED | FACT_BELOW)) &&
                         flow_strip(self, block->value) == leaves.items[l];
            if (fact->var == var && (copy || found))
                put_return(self, fact);
        }
    }
}

// calls -----------------------------------------------------------------------------

// The callee's place in the caller's words; 0: not known there.
static PathId path_out(Flow *self, const SkeletonStep *step, PathId path) {
    PathTable *paths = &self->analysis->paths;
    Path root = paths->paths.items[path_first(paths, path)];
    if (!path || root.root == ROOT_GLOBAL)
        return path;
    if (root.root != ROOT_PARAM || root.step >= step->arg_count)
        return 0;
    const ArgumentValue *argument = &self->skeleton->args[step->arg + root.step];
    return argument->path
               ? path_rebase(paths, path, path_root(paths, ROOT_PARAM, root.step), argument->path, argument->address)
               : 0;
}

static void put_returned(Flow *self, const SkeletonStep *step, ExprId call, const ReturnedFact *one) {
    KnownFact fact = {.kind = one->kind,
                      .source = BY_LOAD,
                      .flags = one->flags,
                      .var = CALL_VAR | call,
                      .access = one->access,
                      .at = step->place,
                      .held = self->now.held & self->keeping};
    fact.place = one->kind == FACT_COPY ? path_out(self, step, one->place) : 0;
    if (one->kind == FACT_COPY && !fact.place)
        return;
    if (one->after) {
        ClassId class = caller_class(self->analysis, self->skeleton, step, one->lock);
        PathId path = path_out(self, step, one->lock_path);
        u32 mask = class ? flow_lock(self, class, path) : 0;
        if (!mask || (fact.held & mask))
            return; // it was held around the call, as well
        fact.held |= mask;
        fact.broken = mask;
        fact.released = step->place;
        fact.flags |= FACT_BELOW;
    }
    fact_put(&self->now, &fact);
}

void flow_returned(Flow *self, const SkeletonStep *step, ExprId call) {
    const Program *program = self->analysis->program;
    const CallSite *site = step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
    if (!self->getters || !site || site->target_count != 1)
        return;
    FunctionId callee = program->targets.items[site->target];
    u32 *first = map_get((Map *)&self->getters->first, callee);
    for (u32 i = first ? *first - 1 : NO_ID; i < self->getters->items.count; i++) {
        if (self->getters->items.items[i].function != callee)
            break;
        put_returned(self, step, call, &self->getters->items.items[i]);
    }
}

// all callees -----------------------------------------------------------------------

static void mark_callees(const Analysis *analysis, FunctionId function, u8 *wanted) {
    const Program *program = analysis->program;
    const ProgramFunction *info = &program->functions.items[function];
    for (u32 c = 0; c < info->call_count; c++) {
        const CallSite *site = &program->calls.items[info->call + c];
        if (site->target_count == 1)
            wanted[program->targets.items[site->target]] = 1;
    }
}

static bool is_small(const Analysis *analysis, FunctionId function) {
    const Skeleton *skeleton = &analysis->skeletons[function];
    return !limit_cuts(LIMIT_STALE_GETTER_BLOCKS, skeleton->block_count > STALE_GETTER_BLOCKS);
}

void getters_fill(Getters *out, Effects *effects) {
    Analysis *analysis = effects->analysis;
    u32 functions = analysis->program->functions.count;
    u8 *wanted = must_zero(functions + 1u);
    *out = (Getters){0};
    for (u32 f = 0; f < functions; f++)
        if (flow_lets_go(analysis, f))
            mark_callees(analysis, f, wanted);
    Flow flow = {.analysis = analysis, .effects = effects, .returned = out};
    for (u32 f = 0; f < functions; f++)
        if (wanted[f] && is_small(analysis, f))
            flow_run(&flow, f, NULL, NULL);
    flow_free(&flow);
    free(wanted);
}

void getters_free(Getters *self) {
    array_free(&self->items);
    map_free(&self->first);
}
