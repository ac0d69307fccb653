// seen.c: what a function has seen in a shared object before it comes to a place.
// In: branches that test shared data, or a copy of it, against zero. Out: whether it is the last user of an object that
// it takes down; whether a thread that it waits for has said that it is done. The idea: who counts itself in and out
// under a lock is counted; whoever sees the count at zero under it and goes on to free the object is alone with it. A
// thread that raises its flag under a lock, and never takes that lock again, can be waited for with the lock held, once
// the flag was seen.
#include "racerx/check/history.h"

enum { SEEN_ZERO, SEEN_RAISED };
enum { ASKED_NO = 1, ASKED_YES = 2 }; // in SampleTable.asked_…

// Which object a branch is about; 0: none.
typedef bool (*ObjectFn)(void *context, ObjectId object);

// Is this edge taken only when such an object was seen so?
static bool shows(const SkeletonBlock *block, u32 successor, u32 seen, ObjectFn wanted, void *context) {
    if (block->term != TERM_BRANCH || !block->counted || !wanted(context, block->counted))
        return false;
    return (successor + 1 == (block->raised & RAISED_SUCCESSOR)) == (seen == SEEN_RAISED);
}

// Does every way from these blocks to the spot take such an edge?
static bool always_shown(const Skeleton *skeleton, U32Array *work, u32 target, u32 seen, ObjectFn wanted,
                         void *context) {
    u8 *met = must_zero(skeleton->block_count + 1u);
    bool around = false;
    for (u32 i = 0; i < work->count; i++)
        met[work->items[i]] = 1;
    while (work->count && !around) {
        u32 b = work->items[--work->count];
        const SkeletonBlock *block = &skeleton->blocks[b];
        around = b == target;
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (shows(block, i, seen, wanted, context))
                continue;
            if (!met[next])
                array_push(work, next);
            met[next] = 1;
        }
    }
    work->count = 0;
    free(met);
    return !around;
}

// Has the function seen such an object so, every time it comes to the spot?
static bool has_seen(const Skeleton *skeleton, Spot spot, u32 seen, ObjectFn wanted, void *context) {
    U32Array work = {0};
    array_push(&work, 0);
    bool first = always_shown(skeleton, &work, spot.block, seen, wanted, context);
    const SkeletonBlock *block = &skeleton->blocks[spot.block];
    for (u32 i = 0; first && i < block->successor_count; i++)
        if (!shows(block, i, seen, wanted, context))
            array_push(&work, skeleton->successors[block->successor + i]);
    bool again = first && work.count ? always_shown(skeleton, &work, spot.block, seen, wanted, context) : first;
    array_free(&work);
    return again;
}

// the last user -----------------------------------------------------------------------

typedef struct {
    const Analysis *analysis;
    FunctionId function;
    RecordId record;
    ObjectId object; // what is accessed
} LastUser;

static bool frees_something(const Analysis *self, FunctionId function) {
    const Program *program = self->program;
    const ProgramFunction *info = &program->functions.items[function];
    for (u32 c = 0; c < info->call_count; c++) {
        NameId name = program->calls.items[info->call + c].name;
        if (name && (program_said(program, name) & SAID_FREES))
            return true;
    }
    return false;
}

// Is it counted up somewhere, and looked at here only under a lock, or in one piece?
static bool is_count(const Analysis *self, ObjectId object, FunctionId function) {
    u32 low = 0, high = self->samples.count;
    bool counted = false, here = false;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->samples.items[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < self->samples.count && self->samples.items[low].object == object; low++) {
        const Sample *sample = &self->samples.items[low];
        const Access *access = &self->accesses.items[sample->access];
        bool whole = sample->protection || (access->flags & ACCESSED_ATOMIC);
        counted |= (access->flags & ACCESSED_UPDATE) && whole;
        here |= access->function == function;
        if (access->function == function && !whole)
            return false;
    }
    return counted && here;
}

static bool counts_users(void *context, ObjectId object) {
    const LastUser *self = context;
    const SharedObject *one = &self->analysis->objects.items[object];
    if (one->kind != OBJECT_FIELD || one->id != self->record || object == self->object)
        return false;
    u32 *known = map_put(self->analysis->asked_counts, (u64)self->function << 32 | object, NULL);
    if (!*known)
        *known = is_count(self->analysis, object, self->function) ? ASKED_YES : ASKED_NO;
    return *known == ASKED_YES;
}

static bool work_out_last_user(const Analysis *self, const Sample *sample) {
    const SharedObject *object = &self->objects.items[sample->object];
    RecordId record = object->kind == OBJECT_FIELD                     ? object->id
                      : object->kind == OBJECT_BEHIND && object->local ? object->local - 1
                                                                       : NO_ID;
    LastUser last = {self, NO_ID, record, sample->object};
    bool ends = false;
    if (record == NO_ID)
        return false;
    for (u32 way = sample->way, below = NO_ID;; way = self->way_contexts.items[below].from - 1) {
        Spot spot;
        last.function = self->nodes.items[self->way_contexts.items[way].node].function;
        ends |= frees_something(self, last.function);
        if (ends && spot_of_way(self, sample, way, below, &spot) &&
            has_seen(&self->skeletons[last.function], spot, SEEN_ZERO, counts_users, &last))
            return true;
        below = way;
        if (!self->way_contexts.items[way].from)
            return false;
    }
}

// Asked for every pair that a sample is in.
bool is_last_user(const Analysis *self, const Sample *sample) {
    u64 key = hash_mix((u64)sample->object << 32 | sample->access, sample->way);
    u32 *known = map_put(self->asked_last, key, NULL);
    if (!*known) {
        u32 answer = work_out_last_user(self, sample) ? ASKED_YES : ASKED_NO;
        *map_get(self->asked_last, key) = answer;
        return answer == ASKED_YES;
    }
    return *known == ASKED_YES;
}

// who has said that it is done ----------------------------------------------------------

typedef struct {
    const Analysis *analysis;
    FunctionId handler;
    ClassId lock;
} Done;

static bool takes_later(const Done *self, const SkeletonStep *step) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &analysis->operations.items[step->effect + i];
        if (operation->effect->kind == EFFECT_ACQUIRE &&
            (operation->class == self->lock || analysis->classes.items[operation->class].parameter))
            return true;
    }
    const CallSite *site = step->kind == STEP_CALL ? &analysis->program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++)
        if (analysis->skeletons[analysis->program->targets.items[site->target + t]].relevant)
            return true;
    return false;
}

// Can the thread come to take the lock after the spot?
static bool takes_after(const Done *self, const Skeleton *skeleton, Spot spot) {
    u8 *met = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    bool takes = false;
    u32 from = spot.step + 1;
    array_push(&work, spot.block);
    while (work.count && !takes) {
        const SkeletonBlock *block = &skeleton->blocks[work.items[--work.count]];
        for (u32 s = from; s < block->step_count; s++)
            takes |= takes_later(self, &skeleton->steps[block->step + s]);
        from = 0;
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (!met[next])
                array_push(&work, next);
            met[next] = 1;
        }
    }
    array_free(&work);
    free(met);
    return takes;
}

void fill_raises(Analysis *self) {
    for (u32 i = 0; i < self->node_accesses.count; i++) {
        const NodeAccess *record = &self->node_accesses.items[i];
        bool raises = false;
        for (u32 k = 0; k < record->count && !raises; k++)
            raises = self->accesses.items[record->access + k].flags & ACCESSED_RAISES;
        if (raises)
            array_push(&self->node_raises, *record);
    }
}

// requires: it raises something.
static bool is_held_at(const Done *self, u32 access) {
    const Analysis *analysis = self->analysis;
    bool met = false;
    for (u32 i = 0; i < analysis->node_raises.count; i++) {
        const NodeAccess *record = &analysis->node_raises.items[i];
        if (access - record->access >= record->count)
            continue;
        u32 count;
        bool holds = false;
        const Held *held = lockset_held(&analysis->locksets, record->held, &count);
        for (u32 k = 0; k < count; k++)
            holds |= held[k].class == self->lock;
        if (!holds)
            return false;
        met = true;
    }
    return met;
}

// Does the thread raise this flag, always under the lock and for the last time that it has it?
static bool says_done(void *context, ObjectId object) {
    const Done *self = context;
    const Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[self->handler];
    bool says = false;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_ACCESS && i < skeleton->steps[s].effect_count; i++) {
            u32 access = skeleton->steps[s].effect + i;
            Spot spot;
            if (analysis->accesses.items[access].object != object ||
                !(analysis->accesses.items[access].flags & ACCESSED_RAISES))
                continue;
            if (!spot_of_access(analysis, access, &spot) || !is_held_at(self, access) ||
                takes_after(self, skeleton, spot))
                return false;
            says = true;
        }
    return says;
}

bool has_said_done(const Analysis *self, const Note *note, FunctionId handler, ClassId lock) {
    FunctionId function = self->nodes.items[note->node].function;
    const Skeleton *skeleton = &self->skeletons[function];
    Done done = {self, handler, lock};
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            if (step->kind == STEP_JOIN && step->place.line == note->place.line &&
                step->place.column == note->place.column)
                return has_seen(skeleton, (Spot){b, s}, SEEN_RAISED, says_done, &done);
        }
    return false;
}
