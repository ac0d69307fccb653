// talks.c: which functions only look, or only write one register of a device.
// In: skeletons, what is declared of calls. Out: the Talk of a call, kept by function.
// The idea: a driver's lock keeps reading, changing and writing a register together. To read one (a status, a poll) or
// to write one blindly is a single step on the bus, and needs no lock; most drivers have a function for each. So a call
// that is an object (critical.c) is known by what its function does. What is not understood acts.
#include "racerx/facts/analysis.h"

static Talk talk_of_function(const Analysis *self, FunctionId function, Map *known, u32 depth);

// What is said of a function of this name; 0: nothing.
static Talk talk_declared(const Analysis *self, const CallSite *site) {
    const char *name = site->name ? program_text(self->program, site->name) : "";
    const CallFact *facts;
    u32 count = declarations_facts(self->declarations, name, (u32)strlen(name), SAID_ACCESSES, &facts);
    if (!count || !facts->device)
        return 0;
    return facts->access & ACCESS_WRITE ? TALK_POKES : TALK_LOOKS;
}

static Talk talk_at(const Analysis *self, const SkeletonStep *step, Map *known, u32 depth) {
    const CallSite *site = step->call == NO_ID ? NULL : &self->program->calls.items[step->call];
    Talk talk = site ? talk_declared(self, site) : TALK_ACTS;
    if (talk)
        return talk;
    if (!site->target_count || !call_is_narrow(site))
        return TALK_ACTS;
    for (u32 t = 0; t < site->target_count && talk != TALK_ACTS; t++) {
        Talk one = talk_of_function(self, self->program->targets.items[site->target + t], known, depth);
        talk = one > talk ? one : talk;
    }
    return talk;
}

static bool writes_shared(const Analysis *self, const SkeletonStep *step) {
    for (u32 i = 0; i < step->effect_count; i++) {
        const Access *access = &self->accesses.items[step->effect + i];
        if (access->object && (access->flags & ACCESSED_WRITE) && access->fresh != FRESH_YES &&
            self->objects.items[access->object].kind != OBJECT_LOCAL)
            return true;
    }
    return false;
}

static Talk talk_of_step(const Analysis *self, const SkeletonStep *step, Map *known, u32 depth) {
    switch (step->kind) {
    case STEP_SET:
    case STEP_FOLLOWED:
    case STEP_PUBLISH: return TALK_LOOKS; // of a call that is judged itself
    case STEP_ACCESS: return writes_shared(self, step) ? TALK_ACTS : TALK_LOOKS;
    case STEP_CALL: return talk_at(self, step, known, depth + 1);
    default: return TALK_ACTS;
    }
}

// Is a block with a register written come to from one of them, itself only in a loop?
static bool pokes_again(const Skeleton *skeleton, const u8 *poked, u32 from) {
    U32Array work = {0};
    u8 *seen = must_zero(skeleton->block_count);
    bool again = false;
    array_push(&work, from);
    while (work.count && !again) {
        const SkeletonBlock *block = &skeleton->blocks[work.items[--work.count]];
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            again |= poked[next];
            if (!seen[next])
                array_push(&work, next);
            seen[next] = 1;
        }
    }
    free(seen);
    array_free(&work);
    return again;
}

// poked: by block, is a register written.
static Talk talk_of_body(const Analysis *self, const Skeleton *skeleton, Map *known, u32 depth, u8 *poked) {
    bool looks = false, pokes = false;
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            Talk talk = talk_of_step(self, step, known, depth);
            if (talk == TALK_ACTS || (talk == TALK_POKES && poked[b]))
                return TALK_ACTS;
            poked[b] |= talk == TALK_POKES;
            pokes |= talk == TALK_POKES;
            looks |= talk == TALK_LOOKS && step->kind == STEP_CALL;
        }
    for (u32 b = 0; pokes && b < skeleton->block_count; b++)
        if (poked[b] && pokes_again(skeleton, poked, b))
            return TALK_ACTS; // one register after another
    return !pokes ? TALK_LOOKS : looks ? TALK_ACTS : TALK_POKES;
}

static Talk talk_of_function(const Analysis *self, FunctionId function, Map *known, u32 depth) {
    bool fresh;
    u32 *kept = map_put(known, function, &fresh);
    if (!fresh)
        return (Talk)*kept;
    *kept = TALK_ACTS; // until it is known; so is what calls itself
    if (limit_cuts(LIMIT_TALK_DEPTH, depth > TALK_DEPTH))
        return (Talk)(*kept = TALK_LOOKS);
    const Skeleton *skeleton = &self->skeletons[function];
    u8 *poked = must_zero(skeleton->block_count + 1u);
    Talk talk = skeleton->block_count ? talk_of_body(self, skeleton, known, depth, poked) : TALK_ACTS;
    free(poked);
    *map_put(known, function, NULL) = talk;
    return talk;
}

Talk talk_of_call(const Analysis *self, const SkeletonStep *step, Map *known) { return talk_at(self, step, known, 0); }
