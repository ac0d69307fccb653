// belief.c: what programmers seem to believe of an object: which lock protects it, and how surely.
// In: the samples of an object. Out: counts and z-statistics (slides: "If X often protected, flag when not").
// Places are counted, once for each protection; a place whose lock the unlockset correction dropped is unknown.
#include "racerx/races.h"

bool sample_is_alone(const Analysis *self, const Sample *sample) {
    u32 contexts = self->roots.items[sample->root].contexts;
    if (!(contexts & ~(1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE)))
        return true;
    const ProgramFunction *function = &self->program->functions.items[self->accesses.items[sample->access].function];
    return function->marks & (MARK_INIT | MARK_EXIT | MARK_SINGLE_THREADED);
}

bool sample_writes(const Analysis *self, const Sample *sample) { return self->accesses.items[sample->access].flags & ACCESSED_WRITE; }

// The same lock, or the same member of the same type, reached from outside and from inside.
static bool is_same_lock(const Analysis *self, ClassId a, ClassId b) {
    const LockClass *x = &self->classes.items[a], *y = &self->classes.items[b];
    if (a == b)
        return true;
    return x->inner != NO_ID && x->inner == y->inner && x->inner_member == y->inner_member && !x->global && !y->global &&
           (x->record == x->inner) != (y->record == y->inner);
}

bool sample_holds(const Analysis *self, const Sample *sample, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (is_same_lock(self, held[i].class, lock) && held[i].path != RELATION_OTHER && !((held[i].flags & HELD_SHARED) && sample_writes(self, sample)))
            return true; // a reader's lock is none for a write
    return false;
}

static bool fits(const Analysis *self, const Held *a, const Held *b, bool write) {
    if (!is_same_lock(self, a->class, b->class) || a->class == CLASS_SOFTIRQS)
        return false;
    if ((a->flags & HELD_SHARED) && (b->flags & HELD_SHARED) && write)
        return false; // readers do not keep each other out
    return a->path != RELATION_OTHER && b->path != RELATION_OTHER;
}

// Is one made by a handler, and the other while no handler runs?
static bool keeps_out(const Analysis *self, const Sample *a, const Sample *handler) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    u32 count, contexts = self->roots.items[handler->root].contexts;
    const Held *held = lockset_held(&self->protections, a->protection, &count);
    for (u32 i = 0; i < count && contexts & handlers && !(contexts & ~handlers); i++)
        if (held[i].flags & HELD_EVERYWHERE)
            return true;
    return false;
}

bool have_common_lock(const Analysis *self, const Sample *a, const Sample *b) {
    u32 count, others;
    if (keeps_out(self, a, b) || keeps_out(self, b, a))
        return true;
    const Held *left = lockset_held(&self->protections, a->protection, &count);
    const Held *right = lockset_held(&self->protections, b->protection, &others);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < others; k++)
            if (fits(self, &left[i], &right[k], true))
                return true;
    return false;
}

bool conflict(const Analysis *self, const Sample *a, const Sample *b) {
    u16 x = self->accesses.items[a->access].flags, y = self->accesses.items[b->access].flags;
    if (!((x | y) & ACCESSED_WRITE))
        return false;
    const u16 whole = ACCESSED_ATOMIC | ACCESSED_ONCE;
    return !((x & whole) && (y & whole));
}

// lock statistics -----------------------------------------------------------------

#define LOCKS_MOST 64
typedef struct {
    ClassId lock;
    u32 count;
} LockCount;

static bool is_real(const Analysis *self, ClassId class) { return class >= CLASS_FIRST && !self->classes.items[class].parameter; }

static void count_lock(LockCount *locks, u32 *count, ClassId lock) {
    for (u32 i = 0; i < *count; i++)
        if (locks[i].lock == lock) {
            locks[i].count++;
            return;
        }
    if (*count < LOCKS_MOST)
        locks[(*count)++] = (LockCount){lock, 1};
}

// Places are neighbours: samples are sorted by access. Counts each protection of a place once.
static bool is_repeated(const Belief *belief, u32 at) {
    for (u32 i = at; i-- > 0 && belief->samples[i].access == belief->samples[at].access;)
        if (belief->samples[i].protection == belief->samples[at].protection)
            return true;
    return false;
}

typedef struct {
    u32 with, without;
} PlaceCount;

static bool has_lock(const Analysis *self, const Sample *sample) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].path != RELATION_OTHER)
            return true;
    return false;
}

static ClassId commonest(const Analysis *self, const LockCount *locks, u32 count) {
    u32 best = NO_ID;
    for (u32 i = 0; i < count; i++) {
        if (best == NO_ID) {
            best = i;
            continue;
        }
        bool real = is_real(self, locks[i].lock), best_real = is_real(self, locks[best].lock);
        u32 mine = locks[i].count * (real ? 2 : 1), its = locks[best].count * (best_real ? 2 : 1);
        if (mine > its || (mine == its && strcmp(class_text(self, locks[i].lock), class_text(self, locks[best].lock)) < 0))
            best = i;
    }
    return best == NO_ID ? 0 : locks[best].lock;
}

static void count_writers(const Analysis *self, Belief *belief) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER | 1u << CONTEXT_SIGNAL;
    FunctionId roots[8];
    for (u32 i = 0; i < belief->count; i++) {
        const Sample *sample = &belief->samples[i];
        bool handler = self->roots.items[sample->root].contexts & handlers;
        belief->interrupt |= handler;
        if (!sample_writes(self, sample) || sample_is_alone(self, sample))
            continue;
        belief->writes += !is_repeated(belief, i);
        belief->interrupt_writes |= handler;
        FunctionId root = way_root(self, sample->way);
        bool known = belief->writing_roots >= 8;
        for (u32 k = 0; k < belief->writing_roots && !known; k++)
            known = roots[k] == root;
        if (!known)
            roots[belief->writing_roots++] = root;
    }
}

// Places at which `lock` (0: any) is held, and at which it is not; a place can be both.
static PlaceCount count_places(const Analysis *self, const Belief *belief, ClassId lock) {
    PlaceCount total = {0, 0};
    for (u32 i = 0; i < belief->count;) {
        u32 access = belief->samples[i].access;
        bool with = false, without = false;
        for (; i < belief->count && belief->samples[i].access == access; i++) {
            const Sample *sample = &belief->samples[i];
            if (sample_is_alone(self, sample))
                continue;
            bool some = lock ? sample_holds(self, sample, lock) : has_lock(self, sample);
            with |= some;
            without |= !some && !sample->unsure;
        }
        total.with += with;
        total.without += without;
    }
    return total;
}

void belief_fill(Analysis *self, Belief *belief) {
    LockCount locks[LOCKS_MOST];
    u32 lock_count = 0;
    for (u32 i = 0; i < belief->count; i++) {
        const Sample *sample = &belief->samples[i];
        if (is_repeated(belief, i) || sample_is_alone(self, sample))
            continue;
        u32 count;
        const Held *held = lockset_held(&self->protections, sample->protection, &count);
        for (u32 k = 0; k < count; k++)
            if (held[k].path != RELATION_OTHER && !((held[k].flags & HELD_SHARED) && sample_writes(self, sample)))
                count_lock(locks, &lock_count, held[k].class);
    }
    PlaceCount any = count_places(self, belief, 0);
    belief->lock = commonest(self, locks, lock_count);
    PlaceCount one = belief->lock ? count_places(self, belief, belief->lock) : (PlaceCount){0, any.without};
    belief->protected_any = any.with;
    belief->bare = any.without;
    belief->protected_lock = one.with;
    belief->others = one.without;
    belief->z_any = z_test(any.with, any.with + any.without, self->options.p0);
    belief->z_lock = z_test(one.with, one.with + one.without, self->options.p0);
    count_writers(self, belief);
}
