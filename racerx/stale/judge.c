// judge.c: RacyRead of Radar: may another thread write a place where a fact about it is relied on?
// In: a candidate, samples. Out: the writer that fits best. A writer counts when it holds the lock that was let go (so
// that it waited for just this), shares no other lock with the whole stretch from where the fact was established, and
// may run at the same time. Who writes without the lock races; that is another kind of finding.
#include "racerx/stale/stale.h"

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

void judge_begin(Judge *self, Analysis *analysis, const CandidateArray *candidates) {
    Map wanted = {0};
    *self = (Judge){.analysis = analysis};
    for (u32 i = 0; candidates && i < candidates->count; i++)
        if (candidates->items[i].fact.access)
            map_put(&wanted, candidates->items[i].fact.access - 1, NULL);
    for (u32 i = analysis->samples.count; i-- > 0;)
        if (!candidates || map_get(&wanted, analysis->samples.items[i].access))
            *map_put(&self->first_sample, analysis->samples.items[i].access, NULL) = i + 1;
    map_free(&wanted);
}

void judge_end(Judge *self) {
    map_free(&self->first_sample);
    map_free(&self->freers);
    array_free(&self->freer_items);
}

static u32 first_of_object(const Analysis *self, ObjectId object) {
    u32 low = 0, high = self->samples.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->samples.items[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The lock of one object is what the lock of its type is called on a way that knows the object.
static bool is_meant(const Analysis *self, ClassId local, ClassId class) {
    ClassId told = self->classes.items[class].told;
    return is_same_lock(self, local, class) || (told && is_same_lock(self, local, told));
}

static bool is_gone(const Analysis *self, const Candidate *candidate, ClassId class) {
    for (u32 i = 0; i < 4 && candidate->locks[i]; i++)
        if (is_meant(self, candidate->locks[i], class))
            return true;
    return false;
}

// A lock besides those let go that both hold: it keeps the writer out all the time.
bool judge_keeps_apart(const Analysis *self, const Candidate *candidate, const Sample *here, const Sample *writer) {
    u32 count, others;
    const Held *mine = lockset_held(&self->protections, here->protection, &count);
    const Held *theirs = lockset_held(&self->protections, writer->protection, &others);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < others; k++) {
            bool shared = mine[i].flags & theirs[k].flags & HELD_SHARED;
            if (mine[i].class == theirs[k].class && !shared && mine[i].class >= CLASS_FIRST &&
                !(candidate->kind != KIND_CHECK_THEN_ACT && is_gone(self, candidate, mine[i].class)) &&
                mine[i].path != RELATION_OTHER && theirs[k].path != RELATION_OTHER)
                return true;
        }
    return false;
}

static bool holds(const Analysis *self, const Sample *sample, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (is_meant(self, lock, held[i].class) && held[i].path != RELATION_OTHER &&
            !((held[i].flags & HELD_SHARED) && sample_writes(self, sample)))
            return true; // a reader's lock is none for a write
    return false;
}

ClassId judge_lock(const Analysis *self, const Candidate *candidate, const Sample *writer) {
    for (u32 i = 0; i < 4 && candidate->locks[i]; i++)
        if (holds(self, writer, candidate->locks[i]))
            return candidate->locks[i];
    return 0;
}

// Does the function, or one that it calls, free such an object?
static bool frees(const Analysis *self, FunctionId function, RecordId record, u32 depth) {
    const Program *program = self->program;
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site =
            step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
        if (!site || step->effect != record + 1)
            continue;
        if (site->name && (program_said(program, site->name) & SAID_FREES))
            return true;
        for (u32 t = 0; depth && call_is_narrow(site) && t < site->target_count; t++)
            if (frees(self, program->targets.items[site->target + t], record, depth - 1))
                return true;
    }
    return false;
}

// Could what it stores matter to the fact? A pointer that is only ever replaced by another stays set.
static bool matters(const Analysis *self, const Candidate *candidate, const Sample *writer) {
    const Access *access = access_of(self, writer);
    if (!(access->flags & ACCESSED_WRITE) || access->fresh == FRESH_YES || (access->flags & ACCESSED_HANDED))
        return false;
    if (candidate->kind == KIND_ESCAPED_OBJECT)
        return access->function != candidate->function && frees(self, access->function, candidate->record, 2);
    if (candidate->rely == RELY_INDEX && !(candidate->fact.flags & FACT_CHOSEN))
        return access->flags & ACCESSED_UPDATE; // a number that others count; not one of a few names
    if (candidate->fact.kind == FACT_NONNULL)
        return access->flags & ACCESSED_LOWERS;
    return true;
}

static double cost_of(const Analysis *self, const Candidate *candidate, const Sample *writer) {
    u32 depth = self->way_contexts.items[writer->way].depth;
    const Access *access = access_of(self, writer);
    return 4.0 * (access->function == candidate->function) + 2.0 * !(access->flags & ACCESSED_LOWERS) +
           0.1 * (depth > 20 ? 20 : depth);
}

static void count_writer(Candidate *candidate, const Analysis *self, const Sample *writer, u32 *last) {
    if (*last == writer->access)
        return;
    *last = writer->access;
    candidate->writers++;
    candidate->lowering += (access_of(self, writer)->flags & ACCESSED_LOWERS) != 0;
}

static void judge_way(const Judge *judge, Candidate *candidate, const Sample *here, double *best) {
    Analysis *self = judge->analysis;
    u32 last = NO_ID, bare = NO_ID, first = first_of_object(self, here->object);
    candidate->writers = candidate->lowering = candidate->bare = 0;
    for (u32 i = first; i < self->samples.count && self->samples.items[i].object == here->object; i++) {
        const Sample *writer = &self->samples.items[i];
        bool proven;
        if (i - first >= STALE_WRITERS_MOST) {
            limit_reached(LIMIT_STALE_WRITERS_MOST);
            return;
        }
        if (!matters(self, candidate, writer) || sample_is_alone(self, writer) || writer->unsure)
            continue;
        ClassId lock = judge_lock(self, candidate, writer);
        if (!lock) {
            candidate->bare += bare != writer->access && is_bare(self, writer);
            bare = writer->access;
            continue;
        }
        if (judge_keeps_apart(self, candidate, here, writer) || !are_kin(self, here, writer) ||
            !may_run_together(self, here, writer, &proven))
            continue;
        count_writer(candidate, self, writer, &last);
        double cost = cost_of(self, candidate, writer);
        if (cost >= *best)
            continue;
        *best = cost;
        candidate->writer = writer;
        candidate->here = here;
        candidate->lock = lock;
        candidate->proven = proven;
    }
}

bool judge(const Judge *self, Candidate *candidate) {
    const Analysis *analysis = self->analysis;
    u32 *first = candidate->fact.access ? map_get(&self->first_sample, candidate->fact.access - 1) : NULL;
    double best = 1e9;
    for (u32 i = first ? *first - 1 : NO_ID; i < analysis->samples.count; i++) {
        const Sample *here = &analysis->samples.items[i];
        if (here->access != candidate->fact.access - 1)
            break;
        if (sample_is_alone(analysis, here) || here->unsure)
            continue;
        judge_way(self, candidate, here, &best);
        if (candidate->writer)
            return true;
    }
    return candidate->kind == KIND_ESCAPED_OBJECT && judge_found(self, candidate);
}

// Does the writer hold one of the locks that were held since the fact was established?
static bool is_kept_out(const Analysis *self, const Flow *flow, u32 kept, const Sample *writer) {
    for (u32 i = 0; i < flow->locks.count; i++)
        if (kept & 1u << i && holds(self, writer, flow->locks.items[i].class))
            return true;
    return false;
}

static const Sample *writer_beside(const Analysis *self, const Flow *flow, const Sample *here, u32 kept) {
    u32 first = first_of_object(self, here->object);
    for (u32 i = first; i < self->samples.count && self->samples.items[i].object == here->object; i++) {
        const Sample *writer = &self->samples.items[i];
        const Access *access = access_of(self, writer);
        bool proven;
        if (limit_cuts(LIMIT_STALE_WRITERS_MOST, i - first >= STALE_WRITERS_MOST))
            return NULL;
        if (!(access->flags & ACCESSED_WRITE) || access->fresh == FRESH_YES || sample_is_alone(self, writer) ||
            is_kept_out(self, flow, kept, writer) || !are_kin(self, here, writer))
            continue;
        if (may_run_together(self, here, writer, &proven))
            return writer;
    }
    return NULL;
}

const Sample *judge_writer(const Judge *self, const Flow *flow, const KnownFact *fact, bool with_locks) {
    const Analysis *analysis = self->analysis;
    u32 *first = fact->access ? map_get(&self->first_sample, fact->access - 1) : NULL;
    u32 kept = with_locks ? fact->held & ~fact->broken : 0;
    for (u32 i = first ? *first - 1 : NO_ID; i < analysis->samples.count; i++) {
        const Sample *here = &analysis->samples.items[i];
        if (here->access != fact->access - 1)
            break;
        const Sample *writer = sample_is_alone(analysis, here) ? NULL : writer_beside(analysis, flow, here, kept);
        if (writer)
            return writer;
    }
    return NULL;
}
