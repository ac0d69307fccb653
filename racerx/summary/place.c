// place.c: places of a bounded number of members, by value: nothing is interned, so that threads need no lock.
// In: paths of the skeletons. Out: SummaryPlace; the callee's in the words of its caller.
// The idea (RELAY, "rebind"): a formal is replaced by what is given for it. Invariant: a place that is not told in full
// is PLACE_NONE, never a shorter one.
#include "racerx/summary/summary.h"

static const SummaryPlace nowhere = {.root = PLACE_NONE};

// One more step; false: there are too many. As path_step(): (*p).m is p->m, and container_of undoes a member.
static bool place_step(SummaryPlace *self, u32 step) {
    u32 last = self->count ? self->steps[self->count - 1] : 0;
    if (self->count && step_is_up(step) && !step_is_up(last) && step_name(last) == (step_name(step) & ~STEP_UP)) {
        self->count--;
        return !step_is_pointer(last) || place_step(self, 1);
    }
    if (self->count && last == 1 && step_name(step) && !step_is_pointer(step) && step_name(step) < STEP_INDEXED) {
        self->steps[self->count - 1] = step | 1;
        return true;
    }
    if (self->count == SUMMARY_STEPS)
        return false;
    self->steps[self->count++] = step;
    return true;
}

SummaryPlace place_of_path(const PathTable *paths, PathId path) {
    const Path *one = &paths->paths.items[path];
    if (!path || one->depth > SUMMARY_STEPS)
        return nowhere;
    SummaryPlace place = {.count = one->depth};
    for (u32 i = one->depth; i-- > 0; path = paths->paths.items[path].parent)
        place.steps[i] = paths->paths.items[path].step;
    one = &paths->paths.items[path];
    switch (one->root) {
    case ROOT_GLOBAL: place.root = PLACE_GLOBAL; break;
    case ROOT_PARAM: place.root = one->step < PARAMETERS_MOST ? PLACE_FORMAL : PLACE_NONE; break;
    case ROOT_LOCAL:
    case ROOT_RESULT: place.root = PLACE_LOCAL; break;
    default: return nowhere;
    }
    place.id = place.root == PLACE_LOCAL ? path : one->step;
    return place.root == PLACE_NONE ? nowhere : place;
}

SummaryPlace place_rebind(const PathTable *paths, const SummaryPlace *place, const ArgumentValue *argument) {
    if (place->root == PLACE_GLOBAL)
        return *place;
    SummaryPlace to = place->root == PLACE_FORMAL && argument ? place_of_path(paths, argument->path) : nowhere;
    if (to.root == PLACE_NONE || !place->count)
        return nowhere; // the formal itself is no place of the caller's
    for (u32 i = 0; i < place->count; i++) {
        u32 step = place->steps[i];
        if (argument->address && !i) { // the address of a place: the first step goes through that pointer, and away
            if (!step_is_pointer(step) || step_is_up(step))
                return nowhere;
            if (step_name(step) && !place_step(&to, step & ~1u))
                return nowhere;
        } else if (!place_step(&to, step)) {
            return nowhere;
        }
    }
    return to;
}

bool place_equal(const SummaryPlace *a, const SummaryPlace *b) {
    return a->root == b->root && a->count == b->count && a->id == b->id &&
           !memcmp(a->steps, b->steps, sizeof(u32) * a->count);
}

// The object that a member is in: the steps up to the last pointer. False: an index tells objects apart as well.
static bool owner_steps(const SummaryPlace *place, u32 *count) {
    *count = 0;
    for (u32 i = 0; i < place->count; i++) {
        if (step_is_up(place->steps[i]) || step_is_index_or_up(place->steps[i]) ||
            step_name(place->steps[i]) == STEP_ELEMENT)
            return false;
        if (place->steps[i] & 1)
            *count = i;
    }
    return true;
}

static bool goes_through_pointer(const SummaryPlace *place) {
    for (u32 i = 0; i < place->count; i++)
        if (place->steps[i] & 1)
            return true;
    return false;
}

u32 place_relation(const Analysis *analysis, ClassId class, const SummaryPlace *lock, ObjectId object,
                   const SummaryPlace *place) {
    const LockClass *info = &analysis->classes.items[class];
    u32 owner, around;
    if (class < CLASS_FIRST || info->global)
        return RELATION_ONE;
    if (lock->root == PLACE_NONE || place->root == PLACE_NONE || !owner_steps(lock, &owner) ||
        !owner_steps(place, &around))
        return RELATION_UNKNOWN;
    bool pointed = goes_through_pointer(lock);
    if (lock->root == place->root && lock->id == place->id && owner == around &&
        pointed == goes_through_pointer(place) && !memcmp(lock->steps, place->steps, sizeof(u32) * owner))
        return RELATION_SAME;
    const SharedObject *data = &analysis->objects.items[object];
    bool of_type = data->kind == OBJECT_FIELD && info->record == data->id;
    bool results = lock->root == PLACE_LOCAL || place->root == PLACE_LOCAL; // may be the same by another name
    return of_type && !results ? RELATION_OTHER : RELATION_UNKNOWN;
}
