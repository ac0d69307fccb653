// touched.c: which locks a function, or what is near below it, operates on.
// In: skeletons, releases. Out: Facts.touched. A function behaves alike under all locks that nothing near below it
// touches: the walk enters it without them, and check/ambient.c orders what is taken below.
#include "racerx/facts/analysis.h"

#define TOUCH_ROUNDS 1 // levels of calls that count as near

static int compare_u32(const void *a, const void *b) {
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return x < y ? -1 : x > y;
}

static void set_tidy(U32Array *set) {
    u32 kept = 0;
    if (set->count > 1)
        qsort(set->items, set->count, sizeof(u32), compare_u32);
    for (u32 i = 0; i < set->count; i++)
        if (!kept || set->items[kept - 1] != set->items[i])
            set->items[kept++] = set->items[i];
    set->count = kept;
    bool any = kept && set->items[kept - 1] == NO_ID;
    if (any || limit_cuts(LIMIT_TOUCHED_MOST, kept > TOUCHED_MOST)) {
        set->items[0] = NO_ID;
        set->count = 1;
    }
}

static bool set_contains(const U32Array *set, u32 value) {
    return set->count && bsearch(&value, set->items, set->count, sizeof(u32), compare_u32);
}

static void touch_disables(U32Array *set, u32 disables) {
    if (disables & DISABLES_SOFTIRQS)
        array_push(set, CLASS_SOFTIRQS);
    if (disables & DISABLES_PREEMPTION)
        array_push(set, CLASS_PREEMPTION);
    if (disables & DISABLES_SIGNALS)
        array_push(set, CLASS_SIGNALS);
    if (disables & DISABLES_PARENT)
        array_push(set, CLASS_CHILD);
}

static u32 step_count(const Skeleton *skeleton) {
    if (!skeleton->block_count)
        return 0;
    const SkeletonBlock *last = &skeleton->blocks[skeleton->block_count - 1];
    return last->step + last->step_count;
}

static void touch_own(Analysis *self, FunctionId function) {
    const Skeleton *skeleton = &self->skeletons[function];
    U32Array *set = &self->touched[function];
    for (u32 s = 0; s < step_count(skeleton); s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
            array_push(set, self->operations.items[step->effect + i].class);
            touch_disables(set, self->operations.items[step->effect + i].effect->disables);
        }
        const Spawn *spawn = step->kind == STEP_SPAWN ? &self->spawns.items[step->effect] : NULL;
        if (spawn && spawn->class)
            array_push(set, spawn->class);
        for (u32 i = 0; spawn && i < spawn->variant_count; i++)
            array_push(set, self->variants.items[spawn->variant + i].class);
        for (u32 i = 0; step->kind == STEP_ENDED && i < step->effect_count; i++)
            array_push(set, self->ended.items[step->effect + i]);
        for (u32 i = 0; step->kind == STEP_CALL && i < step->arg_count; i++)
            if (skeleton->args[step->arg + i].class)
                array_push(set, skeleton->args[step->arg + i].class);
    }
    for (u32 i = 0; i < self->releases[function].count; i++)
        array_push(set, self->releases[function].items[i]);
    set_tidy(set);
}

static void touch_callees(Analysis *self, FunctionId function, U32Array *out) {
    const Program *program = self->program;
    const Skeleton *skeleton = &self->skeletons[function];
    out->count = 0;
    for (u32 s = 0; s < step_count(skeleton) && out->count <= 4 * TOUCHED_MOST; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site = step->kind == STEP_CALL ? &program->calls.items[step->call] : NULL;
        if (!site || !call_is_narrow(site))
            continue;
        for (u32 t = 0; t < site->target_count; t++) {
            const U32Array *below = &self->touched[program->targets.items[site->target + t]];
            for (u32 i = 0; i < below->count; i++)
                array_push(out, below->items[i]);
        }
    }
}

// A join ends a thread however far below it is: all that call it touch the thread.
static void touch_ended(Analysis *self, FunctionId function, const SkeletonStep *step, u8 *seen, U32Array *work) {
    const Program *program = self->program;
    memset(seen, 0, program->functions.count);
    array_push(work, function);
    seen[function] = 1;
    while (work->count) {
        FunctionId at = work->items[--work->count];
        const ProgramFunction *one = &program->functions.items[at];
        for (u32 i = 0; i < step->effect_count; i++)
            array_push(&self->touched[at], self->ended.items[step->effect + i]);
        set_tidy(&self->touched[at]);
        for (u32 c = 0; c < one->caller_count; c++) {
            FunctionId caller = program->callers.items[one->caller + c];
            if (!seen[caller] && self->skeletons[caller].relevant)
                array_push(work, caller);
            seen[caller] = 1;
        }
    }
}

static void touch_all_ended(Analysis *self) {
    u8 *seen = must_zero(self->program->functions.count + 1u);
    U32Array work = {0};
    for (u32 f = 0; f < self->program->functions.count && self->follows_threads; f++)
        for (u32 s = 0; s < step_count(&self->skeletons[f]); s++)
            if (self->skeletons[f].steps[s].kind == STEP_ENDED && self->skeletons[f].steps[s].effect_count)
                touch_ended(self, f, &self->skeletons[f].steps[s], seen, &work);
    array_free(&work);
    free(seen);
}

void fill_touched(Analysis *self) {
    u32 count = self->program->functions.count;
    self->touched = must_zero(sizeof(U32Array) * (count + 1));
    for (u32 f = 0; f < count; f++)
        if (self->skeletons[f].relevant)
            touch_own(self, f);
    U32Array below = {0};
    for (u32 round = 0; round < TOUCH_ROUNDS; round++)
        for (u32 f = 0; f < count; f++) {
            if (!self->skeletons[f].relevant)
                continue;
            touch_callees(self, f, &below);
            if (!below.count)
                continue;
            for (u32 i = 0; i < below.count; i++)
                array_push(&self->touched[f], below.items[i]);
            set_tidy(&self->touched[f]);
        }
    array_free(&below);
    touch_all_ended(self);
}

ClassId touched_as(const Analysis *self, FunctionId function, ClassId class) {
    for (u32 depth = 0; class && depth < CLASS_BASES; depth++, class = self->classes.items[class].base)
        if (set_contains(&self->touched[function], class))
            return class;
    return 0;
}

bool touches(const Analysis *self, FunctionId function, ClassId class) {
    return touched_as(self, function, class) || set_contains(&self->touched[function], NO_ID);
}
