// sample_facts.c: what can be said of one access, or of two, beside what is believed of their object.
// In: samples, the ways that lead to them. Out: answers, of which races.c makes features.
#include "racerx/check/races.h"

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

// Concurrency operations in the function, or above it in the chain that led here.
bool has_locked(const Analysis *self, u32 way) {
    for (u32 w = way + 1, depth = 0; w && depth < 64; depth++, w = self->way_contexts.items[w - 1].from)
        if (self->skeletons[self->nodes.items[self->way_contexts.items[w - 1].node].function].concurrent)
            return true;
    return false;
}

// Does the way start at a slot entry: where, plus 1?
u32 slot_of_way(const Analysis *self, u32 way) { return self->way_contexts.items[way_start(self, way)].start; }

// Both sides are operations of tables, in one part of the system, and the other one locks: whoever wrote it knows that
// operations run beside each other.
bool peer_locks(const Analysis *self, const Sample *suspect, const Sample *other) {
    return slot_of_way(self, suspect->way) && slot_of_way(self, other->way) && are_kin(self, suspect, other) &&
           has_locked(self, other->way);
}

// A test that calls what it tests says nothing against that.
u32 marks_of(const Analysis *self, const Sample *sample) {
    return self->program->functions.items[access_of(self, sample)->function].marks |
           (self->program->functions.items[way_root(self, sample->way)].marks & ~(u32)(MARK_TEST | MARK_IGNORED));
}

bool is_from_test(const Analysis *self, const Sample *sample) {
    return self->program->functions.items[way_root(self, sample->way)].marks & (MARK_TEST | MARK_IGNORED);
}

bool is_nonatomic(const Analysis *self, const Sample *sample) {
    return sample_writes(self, sample) &&
           (self->objects.items[sample->object].flags & (SHARED_WIDE | SHARED_BITFIELD)) != 0;
}

bool is_same_object(const Analysis *self, const Sample *sample, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == lock && held[i].path == RELATION_SAME)
            return true;
    return false;
}

bool is_bare(const Analysis *self, const Sample *sample) {
    u32 count;
    lockset_held(&self->protections, sample->protection, &count);
    return !count;
}

// Was the object allocated by this very function? Then it is most likely still being made.
bool is_own_allocation(const Analysis *self, const Access *access) {
    const Path *root = &self->paths.paths.items[path_first(&self->paths, access->path)];
    const Skeleton *skeleton = &self->skeletons[access->function];
    if (!access->path || (root->root != ROOT_RESULT && root->root != ROOT_LOCAL))
        return false;
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site = step->kind == STEP_CALL ? &self->program->calls.items[step->call] : NULL;
        bool fresh =
            step->kind == STEP_ALLOC || (site && site->target_count == 1 &&
                                         self->skeletons[self->program->targets.items[site->target]].returns_fresh);
        if (fresh && root->root == ROOT_RESULT && root->step == step->expr)
            return true;
        if (step->kind != STEP_SET || root->root != ROOT_LOCAL || root->step != step->result || !step->source)
            continue;
        for (u32 k = 0; k < skeleton->step_count; k++)
            if (skeleton->steps[k].kind == STEP_ALLOC && skeleton->steps[k].expr == step->source)
                return true;
    }
    return false;
}

// Does the function take the lock somewhere? Then it knows that others see the object.
bool takes_lock(const Analysis *self, FunctionId function, ClassId lock) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++)
            if (self->operations.items[skeleton->steps[s].effect + i].class == lock)
                return true;
    return false;
}

// Is the lock held at the same place when others call?
bool is_also_held(const Analysis *self, const Belief *belief, const Sample *suspect) {
    for (u32 i = 0; i < belief->count; i++)
        if (belief->samples[i].access == suspect->access && sample_holds(self, &belief->samples[i], belief->lock))
            return true;
    return false;
}

// Is the lock, which may be taken twice, held at the same place when others call, and was it taken and let go on this
// way? Then it may be held from before. Where nothing on the way touches it, it is simply not held; but ways that
// threads come by, and ways from far above, are many, and one is shown: there it is enough that others hold it.
bool is_reentrant(const Analysis *self, const Belief *belief, const Sample *suspect, bool threads) {
    if (belief->lock < CLASS_FIRST || !self->classes.items[belief->lock].recursive ||
        !is_also_held(self, belief, suspect))
        return false;
    if (threads || !is_locked_near(self, belief))
        return true;
    for (u32 w = suspect->way + 1, depth = 0; w && depth < 64; depth++, w = self->way_contexts.items[w - 1].from)
        if (takes_lock(self, self->nodes.items[self->way_contexts.items[w - 1].node].function, belief->lock))
            return true;
    return false;
}

// Does the function only ever try to take the lock? Who failed, and goes on, knows that it has not got it.
static bool only_tries(const Analysis *self, FunctionId function, ClassId lock) {
    const Skeleton *skeleton = &self->skeletons[function];
    bool tries = false;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockOperation *operation = &self->operations.items[skeleton->steps[s].effect + i];
            if (operation->effect->kind != EFFECT_ACQUIRE ||
                (operation->class != lock && operation->class != self->classes.items[lock].told))
                continue;
            if (!(operation->effect->flags & LOCK_TRY))
                return false;
            tries = true;
        }
    return tries;
}

// Is the lock held at the same place on another way through the same call?
bool is_conditional(const Analysis *self, const Belief *belief, const Sample *suspect) {
    u32 node = self->way_contexts.items[suspect->way].node;
    if (belief->lock && only_tries(self, self->nodes.items[node].function, belief->lock))
        return false;
    for (u32 i = 0; belief->lock && !sample_holds(self, suspect, belief->lock) && i < belief->count; i++)
        if (belief->samples[i].access == suspect->access &&
            self->way_contexts.items[belief->samples[i].way].node == node && belief->samples[i].way == suspect->way &&
            sample_holds(self, &belief->samples[i], belief->lock))
            return true;
    return false;
}

// Of the widest call on both ways.
u32 targets_of(const Analysis *self, const Sample *a, const Sample *b) {
    u32 x = self->way_contexts.items[a->way].wide, y = self->way_contexts.items[b->way].wide;
    return x > y ? x : y;
}

bool is_barred(const Analysis *self, const Sample *sample) {
    u32 reach = self->roots.items[sample->root].reach;
    return reach && !bitset_has(&self->reached.items[reach - 1], sample->access);
}

bool is_signal(const Analysis *self, const Sample *sample) {
    return self->roots.items[sample->root].contexts & 1u << CONTEXT_SIGNAL;
}

// Does the path say which object it is: a global, what is reached from one, what a thread was given?
bool is_placed(const Analysis *self, const Sample *sample) {
    const Access *access = access_of(self, sample);
    PathId root = path_first(&self->paths, access->path);
    return sample->bound == BOUND_PLACE || sample->bound == BOUND_ELEMENT ||
           (root && self->paths.paths.items[root].root == ROOT_GLOBAL);
}
