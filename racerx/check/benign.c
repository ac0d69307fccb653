// benign.c: races that hardly matter: counters for statistics, flags that only rise, hints that are checked again,
// what is set up before it is started.
// In: the samples of an object, the suspect. Out: features for the ranking.
#include "racerx/check/races.h"

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

static bool is_tested(const Analysis *self, FunctionId function, ObjectId object) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 b = 0; b < skeleton->block_count; b++)
        if (skeleton->blocks[b].flag == object)
            return true;
    return false;
}

// Only ever counted up and down, mostly without a lock, and nothing is decided by it: somebody prints it.
bool is_counter(const Analysis *self, const Belief *belief) {
    u32 updates = 0;
    if (belief->protected_lock > belief->others)
        return false;
    for (u32 i = 0; i < belief->count; i++) {
        const Access *access = access_of(self, &belief->samples[i]);
        if (sample_is_alone(self, &belief->samples[i]) || (access->flags & ACCESSED_LOWERS))
            continue;
        if ((access->flags & ACCESSED_WRITE) && !(access->flags & ACCESSED_UPDATE))
            return false;
        updates += (access->flags & ACCESSED_UPDATE) != 0;
        if (is_tested(self, access->function, access->object))
            return false;
    }
    return updates > 0;
}

// Is it made by a main before it has started a thread, or after the last has ended?
static bool is_before_threads(const Analysis *self, const Sample *sample) {
    const Root *root = &self->roots.items[sample->root];
    return root->once && !root->spawned && root->starts && !sample->alive;
}

// Only 0 is stored, or only 1: whoever looks sees the old or the new one. What a main sets before there are threads
// does not count.
bool is_monotonic(const Analysis *self, const Belief *belief) {
    u32 raises = 0, lowers = 0;
    for (u32 i = 0; i < belief->count; i++) {
        u32 flags = access_of(self, &belief->samples[i])->flags;
        if (!(flags & ACCESSED_WRITE) || sample_is_alone(self, &belief->samples[i]) ||
            is_before_threads(self, &belief->samples[i]))
            continue;
        if (!(flags & (ACCESSED_RAISES | ACCESSED_LOWERS)) || (flags & ACCESSED_UPDATE))
            return false;
        if ((flags & ACCESSED_RAISES) && !(flags & ACCESSED_ONE))
            return false; // a state, of several
        raises += (flags & ACCESSED_RAISES) != 0;
        lowers += (flags & ACCESSED_LOWERS) != 0;
    }
    const u32 torn =
        SHARED_WIDE | SHARED_BITFIELD | SHARED_AGGREGATE | SHARED_POINTER; // who follows a pointer needs more
    return !(self->objects.items[belief->object].flags & torn) && (!raises) != (!lowers);
}

// A read without the lock, and later in the same function one with it: only a hint. What was decided by a condition
// must be asked by a condition again.
bool is_rechecked(const Analysis *self, const Belief *belief, const Sample *suspect) {
    const Access *first = access_of(self, suspect);
    if (sample_writes(self, suspect) || !belief->lock)
        return false;
    for (u32 i = 0; i < belief->count; i++) {
        const Access *again = access_of(self, &belief->samples[i]);
        if (again->function == first->function && again->place.line > first->place.line && again->path == first->path &&
            (again->flags & ACCESSED_READ) && (again->flags & ACCESSED_TESTED || !(first->flags & ACCESSED_TESTED)) &&
            sample_holds(self, &belief->samples[i], belief->lock))
            return true;
    }
    return false;
}

// Does the suspect only store, having read nothing of it, what a handler uses? So an operation, or a device, is set up
// before it is started, when no handler can come yet.
bool prepares(const Analysis *self, const Belief *belief, const Sample *suspect, const Sample *other) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    const Access *access = access_of(self, suspect);
    if ((access->flags & (ACCESSED_WRITE | ACCESSED_UPDATE | ACCESSED_READ | ACCESSED_CALL)) != ACCESSED_WRITE ||
        (self->objects.items[access->object].flags & SHARED_BITFIELD) ||
        (self->roots.items[suspect->root].contexts & handlers) || !(self->roots.items[other->root].contexts & handlers))
        return false;
    for (u32 i = 0; i < belief->count && belief->samples[i].access < suspect->access; i++) {
        const Access *before = access_of(self, &belief->samples[i]);
        if (before->function == access->function && (before->flags & ACCESSED_READ))
            return false;
    }
    return true;
}
