// evidence.c: where no lock is believed in: what else says that two accesses should not meet?
// In: two samples of an object. Out: the word for it, or nothing.
#include "racerx/check/history.h"

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

// Is the block `to` come to from `from` without passing by the branch again?
static bool leads_to(const Skeleton *skeleton, u32 branch, u32 from, u32 to) {
    u8 *seen = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    seen[from] = seen[branch] = 1;
    array_push(&work, from);
    while (work.count && !seen[to]) {
        const SkeletonBlock *block = &skeleton->blocks[work.items[--work.count]];
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (!seen[next])
                array_push(&work, next);
            seen[next] = 1;
        }
    }
    array_free(&work);
    bool found = seen[to] && to != branch;
    free(seen);
    return found;
}

// Is the block come to only when the object was seen to be zero, in a branch of the same function?
static bool is_seen_free(const Skeleton *skeleton, u32 block, ObjectId object) {
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *branch = &skeleton->blocks[b];
        if (branch->flag != object || branch->successor_count != 2 || !(branch->raised & RAISED_OR_ZERO))
            continue;
        u32 side = (branch->raised & RAISED_SUCCESSOR) - 1u;
        u32 raised = skeleton->successors[branch->successor + side],
            free_one = skeleton->successors[branch->successor + 1u - side];
        if (leads_to(skeleton, b, free_one, block) && !leads_to(skeleton, b, raised, block))
            return true;
    }
    return false;
}

// Is it set right where it was found to be free, without a lock? Two who look at the same time both find it so: a slot
// that is searched for and taken, what is made when it is first asked for.
bool claims(const Analysis *self, const Belief *belief, const Sample *sample) {
    const Access *write = access_of(self, sample);
    const u32 other = ACCESSED_LOWERS | ACCESSED_ATOMIC | ACCESSED_ONCE | ACCESSED_HANDED | ACCESSED_UPDATE;
    Spot spot;
    bool tested = false;
    if (!(write->flags & ACCESSED_WRITE) || (write->flags & other) || !write->path || !is_bare(self, sample))
        return false;
    for (u32 i = 0; i < belief->count && belief->samples[i].access < sample->access && !tested; i++) {
        const Access *test = access_of(self, &belief->samples[i]);
        tested = test->function == write->function && test->path == write->path && (test->flags & ACCESSED_TESTED) &&
                 !(test->flags & (ACCESSED_ATOMIC | ACCESSED_ONCE)) && is_bare(self, &belief->samples[i]);
    }
    return tested && spot_of_access(self, sample->access, &spot) &&
           is_seen_free(&self->skeletons[write->function], spot.block, sample->object);
}

// Is it a global, or a member of a type that has a lock of its own? Objects of such a type are there to be shared.
static bool is_made_to_share(const Analysis *self, ObjectId id) {
    const SharedObject *object = &self->objects.items[id];
    const Program *program = self->program;
    const ProgramRecord *record = object->kind == OBJECT_FIELD ? &program->records.items[object->id] : NULL;
    if (!record || record->index == NO_ID)
        return object->flags & SHARED_GLOBAL;
    u32 members = program->files.items[record->file].tree.records.items[record->index].member_count;
    for (u32 i = 0; i < members; i++)
        if (type_stands_for_lock(program, record_field_type(program, object->id, i)))
            return true;
    return false;
}

// How are interrupts off: 0: not, 1: on this processor, 2: on all of them.
static u32 interrupts_off(const Analysis *self, const Sample *sample) {
    u32 count, off = 0;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == CLASS_INTERRUPTS)
            off = held[i].flags & HELD_EVERYWHERE ? 2 : off ? off : 1;
    return off;
}

// Does no handler run? Off on this processor alone keeps it out where two functions and more rely on that: there is
// one.
static bool is_kept_out(const Analysis *self, const Belief *belief, const Sample *sample) {
    u32 off = interrupts_off(self, sample);
    if (off != 1)
        return off;
    for (u32 i = 0; i < belief->count; i++)
        if (access_of(self, &belief->samples[i])->function != access_of(self, sample)->function &&
            interrupts_off(self, &belief->samples[i]) && !belief->samples[i].unsure)
            return true;
    return false;
}

// Without a belief: what else says that two accesses should not meet?
const char *evidence_of(const Analysis *self, const Belief *belief, const Sample *a, const Sample *b) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER | 1u << CONTEXT_SIGNAL;
    const u32 thread = 1u << CONTEXT_THREAD;
    u32 x = self->roots.items[a->root].contexts, y = self->roots.items[b->root].contexts;
    u16 f = access_of(self, a)->flags, g = access_of(self, b)->flags;
    u32 object = self->objects.items[a->object].flags;
    bool one = (object & SHARED_GLOBAL) && !(object & SHARED_ELEMENT);
    if (((f | g) & ACCESSED_HANDED) && !one) // mostly somebody's own node
        return NULL;
    bool both_write = f & g & ACCESSED_WRITE, update = (f | g) & ACCESSED_UPDATE;
    if (both_write && update && ((x & handlers) != 0) != ((y & handlers) != 0))
        return is_kept_out(self, belief, x & handlers ? b : a) ? NULL : "handler";
    if (both_write && ((f ^ g) & ACCESSED_ATOMIC) && has_locked(self, a->way) && has_locked(self, b->way))
        return "atomic";
    if (x == thread && y == thread && way_root(self, a->way) != way_root(self, b->way))
        return "threads";
    if (both_write && update && (x == thread) != (y == thread) && ((x | y) & 1u << CONTEXT_SYSCALL) &&
        is_made_to_share(self, a->object) && are_kin(self, a, b))
        return "thread";
    if (both_write && is_nonatomic(self, a) && (self->objects.items[a->object].flags & SHARED_BITFIELD) &&
        !is_bare(self, a) && !is_bare(self, b))
        return "bit-fields";
    return NULL;
}

// One object, updated under locks of which every instance of some type has its own, by a call that any thread may make.
bool is_instance_only(const Analysis *self, const Sample *sample) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    const SharedObject *object = &self->objects.items[sample->object];
    if (!count || !(object->flags & SHARED_GLOBAL) || (object->flags & SHARED_ELEMENT) ||
        !(access_of(self, sample)->flags & ACCESSED_UPDATE))
        return false;
    for (u32 i = 0; i < count; i++)
        if (held[i].class < CLASS_FIRST || self->classes.items[held[i].class].global ||
            self->classes.items[held[i].class].record == NO_ID)
            return false;
    return self->roots.items[sample->root].contexts & 1u << CONTEXT_SYSCALL;
}
