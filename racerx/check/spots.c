// spots.c: what comes before a place in a function.
// In: a skeleton, a place, steps that are looked for. Out: whether some way, or every way, from the beginning passes
// one.
#include "racerx/check/history.h"

bool spot_of_access(const Analysis *self, u32 access, Spot *spot) {
    const Skeleton *skeleton = &self->skeletons[self->accesses.items[access].function];
    for (spot->block = 0; spot->block < skeleton->block_count; spot->block++)
        for (spot->step = 0; spot->step < skeleton->blocks[spot->block].step_count; spot->step++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[spot->block].step + spot->step];
            if (step->kind == STEP_ACCESS && access - step->effect < step->effect_count)
                return true;
        }
    return false;
}

bool spot_of_call(const Analysis *self, FunctionId function, Place place, Spot *spot) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (spot->block = 0; spot->block < skeleton->block_count; spot->block++)
        for (spot->step = 0; spot->step < skeleton->blocks[spot->block].step_count; spot->step++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[spot->block].step + spot->step];
            if (step->kind == STEP_CALL && step->place.line == place.line && step->place.column == place.column)
                return true;
        }
    return false;
}

bool spot_of_way(const Analysis *self, const Sample *sample, u32 way, u32 below, Spot *spot) {
    const WayContext *one = &self->way_contexts.items[way];
    if (below == NO_ID)
        return spot_of_access(self, sample->access, spot);
    return spot_of_call(self, self->nodes.items[one->node].function, self->way_contexts.items[below].call, spot);
}

static bool has_step(const Skeleton *skeleton, u32 block, u32 end, StepFn wanted, void *context) {
    for (u32 s = 0; s < end; s++)
        if (wanted(context, &skeleton->steps[skeleton->blocks[block].step + s]))
            return true;
    return false;
}

bool always_after(const Skeleton *skeleton, Spot spot, StepFn wanted, void *context) {
    u8 *seen = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    bool around = false;
    array_push(&work, 0);
    seen[0] = 1;
    while (work.count && !around) {
        u32 b = work.items[--work.count];
        const SkeletonBlock *block = &skeleton->blocks[b];
        around = b == spot.block && !has_step(skeleton, b, spot.step, wanted, context);
        for (u32 i = 0; i < block->successor_count && !has_step(skeleton, b, block->step_count, wanted, context); i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (!seen[next])
                array_push(&work, next);
            seen[next] = 1;
        }
    }
    array_free(&work);
    free(seen);
    return !around;
}

bool ever_after(const Skeleton *skeleton, Spot spot, StepFn wanted, void *context) {
    u8 *seen = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    bool after = has_step(skeleton, spot.block, spot.step, wanted, context);
    for (u32 b = 0; b < skeleton->block_count && !after; b++) {
        if (!has_step(skeleton, b, skeleton->blocks[b].step_count, wanted, context))
            continue;
        array_push(&work, b);
        while (work.count) {
            const SkeletonBlock *block = &skeleton->blocks[work.items[--work.count]];
            for (u32 i = 0; i < block->successor_count; i++) {
                u32 next = skeleton->successors[block->successor + i];
                if (!seen[next])
                    array_push(&work, next);
                seen[next] = 1;
            }
        }
        after = seen[spot.block];
    }
    array_free(&work);
    free(seen);
    return after;
}
