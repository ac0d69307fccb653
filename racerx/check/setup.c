// setup.c: does a function make an object ready, rather than use it?
// In: where locks are made, the accesses of a function. Out: features for the ranking.
// The idea: who makes the lock of an object, itself or by a helper, and who stores one member after another without
// having looked at any, is about to give the object to others. It may still be a mistake: it is only unlikely.
#include "racerx/check/races.h"

#define HELPERS_DEEP 2          // helpers of helpers that make locks
#define STORES_LEAST 3          // members stored from which an object is being set up
#define BY_PARAMETER (1u << 31) // in place of a lock: whatever that parameter points to

static u64 maker_key(const Analysis *self, FunctionId function, ClassId class) {
    const LockClass *lock = &self->classes.items[class];
    return (u64)function << 32 | (lock->parameter ? BY_PARAMETER | lock->param : class);
}

// Does the call hand a lock to a function that makes it? Then its caller makes it.
static void make_by_call(const Analysis *self, Map *makes, FunctionId caller, const SkeletonStep *step) {
    const CallSite *site = &self->program->calls.items[step->call];
    if (site->target_count != 1)
        return;
    FunctionId helper = self->program->targets.items[site->target];
    for (u32 a = 0; a < step->arg_count; a++) {
        ClassId class = self->skeletons[caller].args[step->arg + a].class;
        if (class && map_get(makes, (u64)helper << 32 | BY_PARAMETER | a))
            map_put(makes, maker_key(self, caller, class), NULL);
    }
}

void fill_makes(const Analysis *self, Map *makes) {
    for (u32 i = 0; i < self->inits.count; i++)
        map_put(makes, maker_key(self, self->inits.items[i].function, self->inits.items[i].class), NULL);
    for (u32 round = 0; round < HELPERS_DEEP && self->inits.count; round++)
        for (FunctionId f = 0; f < self->program->functions.count; f++)
            for (u32 s = 0; s < self->skeletons[f].step_count; s++)
                if (self->skeletons[f].steps[s].kind == STEP_CALL && self->skeletons[f].steps[s].call != NO_ID)
                    make_by_call(self, makes, f, &self->skeletons[f].steps[s]);
}

// The first of a function's accesses, which stand together.
static u32 first_access(const Analysis *self, u32 access) {
    while (access && self->accesses.items[access - 1].function == self->accesses.items[access].function)
        access--;
    return access;
}

// Was the path stored before by the accesses in [first, end)?
static bool is_stored_before(const Analysis *self, u32 first, u32 end, PathId path) {
    for (u32 i = first; i < end; i++)
        if (self->accesses.items[i].path == path && (self->accesses.items[i].flags & ACCESSED_WRITE))
            return true;
    return false;
}

static bool sets_up(const Analysis *self, const Sample *suspect) {
    const Access *access = &self->accesses.items[suspect->access];
    if (self->objects.items[suspect->object].kind != OBJECT_FIELD || !access->path || !sample_writes(self, suspect) ||
        (access->flags & ACCESSED_UPDATE) || !self->paths.paths.items[access->path].depth)
        return false;
    PathId owner = self->paths.paths.items[access->path].parent;
    u32 first = first_access(self, suspect->access), stores = 0;
    for (u32 i = first; i < self->accesses.count && self->accesses.items[i].function == access->function; i++) {
        const Access *other = &self->accesses.items[i];
        if (!other->path || !self->paths.paths.items[other->path].depth ||
            self->paths.paths.items[other->path].parent != owner || is_stored_before(self, first, i, other->path))
            continue;
        if (!(other->flags & ACCESSED_WRITE) || (other->flags & ACCESSED_UPDATE))
            return false; // it is looked at first
        stores++;
    }
    return stores >= STORES_LEAST;
}

// Asked for each pair of samples, and answered by the access alone.
bool is_set_up(const Analysis *self, const Sample *suspect) {
    u32 *known = map_put(self->asked_set_up, (u64)suspect->access + 1, NULL);
    if (!*known)
        *known = sets_up(self, suspect) ? 2 : 1;
    return *known == 2;
}
