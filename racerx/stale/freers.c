// freers.c: who may free what was found under a lock and is used after it?
// In: candidates, skeletons, samples. Out: a function that frees objects of that type, and that under this lock writes
// a pointer, or goes along one: it takes them off where they were found. It waited for just this lock.
#include "racerx/stale/stale.h"

static bool frees_itself(const Program *program, const CallSite *site) {
    return site->name && (program_said(program, site->name) & SAID_FREES);
}

// Is it one that frees such objects, by what is known so far?
static bool gives_to_freer(const Judge *self, const CallSite *site, RecordId record) {
    const Program *program = self->analysis->program;
    u32 *first = map_get((Map *)&self->freers, record);
    for (u32 t = 0; first && call_is_narrow(site) && t < site->target_count; t++)
        for (u32 i = *first - 1; i < self->freer_items.count; i++)
            if (self->freer_items.items[i].record == record &&
                self->freer_items.items[i].function == program->targets.items[site->target + t])
                return true;
    return false;
}

static void put_freer(Judge *self, RecordId record, FunctionId function) {
    u32 *first = map_get(&self->freers, record), count = 0;
    for (u32 i = first && *first ? *first - 1 : NO_ID; i < self->freer_items.count; i++) {
        count += self->freer_items.items[i].record == record;
        if (self->freer_items.items[i].record == record && self->freer_items.items[i].function == function)
            return;
    }
    if (limit_cuts(LIMIT_STALE_FREERS_MOST, count >= STALE_FREERS_MOST))
        return;
    array_push(&self->freer_items, ((Freer){record, function}));
    if (first && !*first)
        *first = self->freer_items.count;
}

static void look_at(Judge *self, FunctionId function, bool direct) {
    const Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind != STEP_CALL || step->call == NO_ID || !step->effect ||
            !map_get(&self->freers, step->effect - 1))
            continue;
        const CallSite *site = &analysis->program->calls.items[step->call];
        if (direct ? frees_itself(analysis->program, site) : gives_to_freer(self, site, step->effect - 1))
            put_freer(self, step->effect - 1, function);
    }
}

void judge_freers(Judge *self, const CandidateArray *candidates) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; i < candidates->count; i++)
        if (candidates->items[i].kind == KIND_ESCAPED_OBJECT && candidates->items[i].record != NO_ID)
            map_put(&self->freers, candidates->items[i].record, NULL);
    for (u32 depth = 0; depth < 3; depth++)
        for (u32 f = 0; f < analysis->program->functions.count && self->freers.count; f++)
            look_at(self, f, !depth);
    Map wanted = {0};
    for (u32 i = 0; i < self->freer_items.count; i++)
        map_put(&wanted, self->freer_items.items[i].function, NULL);
    for (u32 i = 0; i < candidates->count; i++)
        if (candidates->items[i].kind == KIND_ESCAPED_OBJECT)
            map_put(&wanted, candidates->items[i].function, NULL);
    for (u32 i = analysis->samples.count; i-- > 0;)
        if (map_get(&wanted, analysis->accesses.items[analysis->samples.items[i].access].function))
            *map_put(&self->first_sample, analysis->samples.items[i].access, NULL) = i + 1;
    map_free(&wanted);
}

// A sample of the function under one of the locks that were let go; `wanted`: ACCESSED_…, of a pointer.
static const Sample *sample_under(const Judge *self, const Candidate *candidate, FunctionId function, u32 wanted,
                                  u32 *access, u32 *next) {
    const Analysis *analysis = self->analysis;
    for (; *access < self->first_access[function + 1]; (*access)++, *next = NO_ID) {
        u32 *first = map_get((Map *)&self->first_sample, *access);
        u32 i = *next != NO_ID ? *next : first ? *first - 1 : analysis->samples.count;
        for (; i < analysis->samples.count && analysis->samples.items[i].access == *access; i++) {
            const Sample *sample = &analysis->samples.items[i];
            const Access *one = &analysis->accesses.items[*access];
            bool pointer = analysis->objects.items[sample->object].flags & SHARED_POINTER;
            if (sample_is_alone(analysis, sample) || sample->unsure || one->fresh == FRESH_YES ||
                (wanted && (!(one->flags & wanted) || !pointer)) || !judge_lock(analysis, candidate, sample))
                continue;
            *next = i + 1;
            return sample;
        }
    }
    return NULL;
}

static bool is_freed_by(const Judge *self, Candidate *candidate, const Sample *here, FunctionId freer, u32 wanted) {
    const Analysis *analysis = self->analysis;
    u32 access = self->first_access[freer], next = NO_ID;
    const Sample *writer;
    bool proven;
    while ((writer = sample_under(self, candidate, freer, wanted, &access, &next))) {
        if (judge_keeps_apart(analysis, candidate, here, writer) || !are_kin(analysis, here, writer) ||
            !may_run_together(analysis, here, writer, &proven))
            continue;
        candidate->writer = writer;
        candidate->here = here;
        candidate->lock = judge_lock(analysis, candidate, writer);
        candidate->proven = proven;
        candidate->writers++;
        return true;
    }
    return false;
}

bool judge_found(const Judge *self, Candidate *candidate) {
    u32 access = self->first_access[candidate->function], next = NO_ID;
    u32 *first = candidate->record == NO_ID ? NULL : map_get((Map *)&self->freers, candidate->record);
    const Sample *here = first && *first ? sample_under(self, candidate, candidate->function, 0, &access, &next) : NULL;
    for (u32 i = here ? *first - 1 : NO_ID; i < self->freer_items.count; i++) {
        const Freer *one = &self->freer_items.items[i];
        if (one->record == candidate->record && one->function != candidate->function &&
            (is_freed_by(self, candidate, here, one->function, ACCESSED_WRITE) ||
             is_freed_by(self, candidate, here, one->function, ACCESSED_READ)))
            return true;
    }
    return false;
}
