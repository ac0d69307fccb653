// belief.c: what programmers seem to believe of an object: which lock protects it, and how surely.
// The lock believed in is not the commonest, but the one whose presence here says most: functions vote, those that take
// it themselves for the same object more, and a lock that everything in the file holds explains little. In: the samples
// of an object. Out: counts and z-statistics (slides: "If X often protected, flag when not"). Places are counted, once
// for each protection; a place whose lock the unlockset correction dropped is unknown.
#include "racerx/check/races.h"

// Can it be of the object that a function makes ready, or what that has?
static bool is_made(const SharedObject *object) { return object->kind == OBJECT_FIELD || object->kind == OBJECT_CALL; }

bool sample_is_alone(const Analysis *self, const Sample *sample) {
    u32 contexts = self->roots.items[sample->root].contexts;
    if (!(contexts & ~(1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE)))
        return true;
    const ProgramFunction *function = &self->program->functions.items[self->accesses.items[sample->access].function];
    bool attaches = function->marks & MARK_ATTACH || self->way_contexts.items[sample->way].attaches;
    return (attaches && is_made(&self->objects.items[sample->object])) ||
           function->marks & (MARK_INIT | MARK_EXIT | MARK_SINGLE_THREADED);
}

bool sample_writes(const Analysis *self, const Sample *sample) {
    return self->accesses.items[sample->access].flags & ACCESSED_WRITE;
}

// The same lock, or the same member of the same type, reached from outside and from inside.
bool is_same_lock(const Analysis *self, ClassId a, ClassId b) {
    const LockClass *x = &self->classes.items[a], *y = &self->classes.items[b];
    if (a == b || class_covers(self, a, b) || class_covers(self, b, a))
        return true;
    return x->inner != NO_ID && x->inner == y->inner && x->inner_member == y->inner_member && !x->global &&
           !y->global && (x->record == x->inner) != (y->record == y->inner);
}

bool sample_holds(const Analysis *self, const Sample *sample, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (is_same_lock(self, held[i].class, lock) && held[i].path != RELATION_OTHER &&
            !((held[i].flags & HELD_SHARED) && sample_writes(self, sample)))
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

static bool has_signals_blocked(const Analysis *self, LocksetId set) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == CLASS_SIGNALS)
            return true;
    return false;
}

// Does the thread begin with signals blocked, or block them for good?
static bool is_deaf(const Analysis *self, const Root *thread) {
    bool deaf = has_signals_blocked(self, thread->begun_under);
    for (u32 i = 0; thread->begins != NO_ID && i < self->leaves[thread->begins].count && !deaf; i++)
        deaf = self->leaves[thread->begins].items[i] == CLASS_SIGNALS;
    return deaf;
}

// Is one made by a signal handler, and the other while no thread can be told to run it? A mask is of one thread: each
// other that runs then must have one, too.
static bool is_signal_blocked(const Analysis *self, const Sample *a, const Sample *handler) {
    const Root *root = &self->roots.items[a->root];
    if (self->roots.items[handler->root].contexts != 1u << CONTEXT_SIGNAL || !(a->state & MADE_MASKED) ||
        (root->spawned && !is_deaf(self, root)))
        return false;
    for (u32 i = 0; i < self->roots.count; i++)
        if (self->roots.items[i].spawned && is_alive(self, a->alive, i) && !is_deaf(self, &self->roots.items[i]))
            return false;
    return true;
}

bool have_common_lock(const Analysis *self, const Sample *a, const Sample *b) {
    u32 count, others;
    if (keeps_out(self, a, b) || keeps_out(self, b, a) || is_signal_blocked(self, a, b) ||
        is_signal_blocked(self, b, a))
        return true;
    const Held *left = lockset_held(&self->protections, a->protection, &count);
    const Held *right = lockset_held(&self->protections, b->protection, &others);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < others; k++)
            if (fits(self, &left[i], &right[k], true))
                return true;
    return false;
}

// Bit-fields of one word: who writes one of them writes the word, but who reads one does not care for the others.
static bool are_two_bits(const Access *a, const Access *b) { return a->bit && b->bit && a->bit != b->bit; }

bool conflict(const Analysis *self, const Sample *a, const Sample *b) {
    u16 x = self->accesses.items[a->access].flags, y = self->accesses.items[b->access].flags;
    if (!((x | y) & ACCESSED_WRITE))
        return false;
    const u16 whole = ACCESSED_ATOMIC | ACCESSED_ONCE;
    if (!(x & y & ACCESSED_WRITE) && are_two_bits(&self->accesses.items[a->access], &self->accesses.items[b->access]))
        return false;
    return !((x & whole) && (y & whole));
}

// lock statistics -----------------------------------------------------------------

#define WEIGHT_NEAR 2.0   // of a function that takes the lock itself; 1 of one that a caller took it for
#define WEIGHT_SAME 1.5   // times, where the lock is known to be of the same object
#define WEIGHT_REAL 2.0   // times, for a lock; CPU state is often off for other reasons
#define WEIGHT_USUAL 0.75 // a lock that every function of its file holds counts so much less
#define FILE_LEAST 4      // functions a file is thought to have besides
typedef struct {
    ClassId lock;
    FunctionId function; // the last one that voted: samples are sorted by place, and places by function
    double vote;         // of that function, so far
    double score;        // of those before
} LockCount;

static bool is_real(const Analysis *self, ClassId class) {
    return class >= CLASS_FIRST && !self->classes.items[class].parameter;
}

// requires: samples. fills: makes; usual: (file, class) -> functions of the file that hold it somewhere, and (file, 0)
// -> all.
void fill_usual(Analysis *self) {
    Map seen = {0};
    fill_makes(self, &self->makes);
    for (u32 i = 0; i < self->alias_makers.count; i += 2) // before it is told which lock it has, it has none
        map_put(&self->makes, (u64)self->alias_makers.items[i] << 32 | self->alias_makers.items[i + 1], NULL);
    for (u32 i = 0; i < self->samples.count; i++) {
        const Sample *sample = &self->samples.items[i];
        FunctionId function = self->accesses.items[sample->access].function;
        FileId file = self->program->functions.items[function].file;
        u32 count;
        bool fresh;
        const Held *held = lockset_held(&self->protections, sample->protection, &count);
        map_put(&seen, (u64)function << 32, &fresh);
        if (fresh)
            ++*map_put(&self->usual, (u64)file << 32, NULL);
        for (u32 k = 0; k < count; k++) {
            map_put(&seen, (u64)function << 32 | held[k].class, &fresh);
            if (fresh)
                ++*map_put(&self->usual, (u64)file << 32 | held[k].class, NULL);
        }
    }
    map_free(&seen);
}

// The share of a file's functions that hold a lock somewhere, whatever they do.
static double base_rate(const Analysis *self, FunctionId function, ClassId lock) {
    FileId file = self->program->functions.items[function].file;
    const u32 *all = map_get(&self->usual, (u64)file << 32), *with = map_get(&self->usual, (u64)file << 32 | lock);
    return all && with ? (double)*with / (double)(*all + FILE_LEAST) : 0;
}

static bool holds_class(const Analysis *self, LocksetId set, ClassId class) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class)
            return true;
    return false;
}

// Did the function take the lock itself?
static bool is_near(const Analysis *self, const Sample *sample, ClassId lock) {
    const WayContext *way = &self->way_contexts.items[sample->way];
    return !holds_class(self, way->set, lock) && !holds_class(self, self->nodes.items[way->node].entry, lock);
}

static double vote_of(const Analysis *self, const Sample *sample, const Held *held) {
    FunctionId function = self->accesses.items[sample->access].function;
    double vote = is_near(self, sample, held->class) ? WEIGHT_NEAR : 1;
    vote *= held->path == RELATION_SAME ? WEIGHT_SAME : 1;
    vote *= is_real(self, held->class) ? WEIGHT_REAL : 1;
    return vote * (1 - WEIGHT_USUAL * base_rate(self, function, held->class));
}

// Functions vote, each once for a lock and as strongly as it ever does.
static void count_lock(const Analysis *self, LockCount *locks, u32 *count, const Sample *sample, const Held *held) {
    FunctionId function = self->accesses.items[sample->access].function;
    double vote = vote_of(self, sample, held);
    u32 at = 0;
    while (at < *count && locks[at].lock != held->class)
        at++;
    if (at == LOCKS_MOST) {
        limit_reached(LIMIT_LOCKS_MOST);
        return;
    }
    if (at == *count)
        locks[(*count)++] = (LockCount){held->class, function, 0, 0};
    LockCount *one = &locks[at];
    if (one->function != function)
        one->score += one->vote, one->function = function, one->vote = 0;
    one->vote = vote > one->vote ? vote : one->vote;
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

// The lock most functions vote for, and the one after it.
static ClassId best_lock(const Analysis *self, const LockCount *locks, u32 count, ClassId *second) {
    u32 best = NO_ID, next = NO_ID;
    for (u32 i = 0; i < count; i++) {
        double mine = locks[i].score + locks[i].vote;
        double its = best == NO_ID ? -1 : locks[best].score + locks[best].vote;
        double other = next == NO_ID ? -1 : locks[next].score + locks[next].vote;
        bool better = mine > its ||
                      (mine == its && strcmp(class_text(self, locks[i].lock), class_text(self, locks[best].lock)) < 0);
        bool runner = mine > other || (mine == other &&
                                       strcmp(class_text(self, locks[i].lock), class_text(self, locks[next].lock)) < 0);
        next = better ? best : runner ? i : next;
        best = better ? i : best;
    }
    *second = next == NO_ID ? 0 : locks[next].lock;
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

// Start-up says nothing of what others have to hold, and neither do tests.
static bool is_opinion(const Analysis *self, const Sample *sample) {
    const ProgramFunction *function = &self->program->functions.items[self->accesses.items[sample->access].function];
    return !sample_is_alone(self, sample) && !(function->marks & (MARK_TEST | MARK_IGNORED));
}

bool makes_object(const Analysis *self, const Sample *sample, ClassId lock) {
    const Access *access = &self->accesses.items[sample->access];
    return (access->flags & ACCESSED_MADE) || map_get(&self->makes, (u64)access->function << 32 | lock);
}

// A place that is come to with the lock and without it counts by those who decide which, the calls of its function,
// when most of them agree that it is needed.
static PlaceCount count_both(Analysis *self, FunctionId function, ClassId lock) {
    CallerCount callers = count_callers(self, function, lock);
    return callers.with > callers.without && callers.without ? (PlaceCount){callers.with, callers.without}
                                                             : (PlaceCount){1, 1};
}

// Places at which `lock` (0: any) is held, and at which it is not; a place can be both.
static PlaceCount count_places(Analysis *self, const Belief *belief, ClassId lock, bool writes) {
    PlaceCount total = {0, 0};
    FunctionId counted = NO_ID;
    for (u32 i = 0; i < belief->count;) {
        u32 access = belief->samples[i].access;
        bool with = false, without = false;
        for (; i < belief->count && belief->samples[i].access == access; i++) {
            const Sample *sample = &belief->samples[i];
            if (!is_opinion(self, sample) || (writes && !sample_writes(self, sample)))
                continue;
            bool some = lock ? sample_holds(self, sample, lock) : has_lock(self, sample);
            with |= some;
            without |= !some && !sample->unsure && !makes_object(self, sample, lock);
        }
        PlaceCount here = {with, without};
        FunctionId function = self->accesses.items[access].function;
        if (with && without && lock) { // its function's callers have their say once
            here = function == counted ? (PlaceCount){1, 1} : count_both(self, function, lock);
            counted = function;
        }
        total.with += here.with;
        total.without += here.without;
    }
    return total;
}

void belief_fill(Analysis *self, Belief *belief) {
    LockCount locks[LOCKS_MOST];
    u32 lock_count = 0;
    for (u32 i = 0; i < belief->count; i++) {
        const Sample *sample = &belief->samples[i];
        if (sample_is_alone(self, sample))
            continue;
        u32 count;
        const Held *held = lockset_held(&self->protections, sample->protection, &count);
        for (u32 k = 0; k < count; k++)
            if (held[k].path != RELATION_OTHER && !((held[k].flags & HELD_SHARED) && sample_writes(self, sample)))
                count_lock(self, locks, &lock_count, sample, &held[k]);
    }
    PlaceCount any = count_places(self, belief, 0, false);
    belief->lock = best_lock(self, locks, lock_count, &belief->second);
    PlaceCount one = belief->lock ? count_places(self, belief, belief->lock, false) : (PlaceCount){0, any.without};
    PlaceCount written = belief->lock ? count_places(self, belief, belief->lock, true) : (PlaceCount){0, 0};
    belief->protected_any = any.with;
    belief->bare = any.without;
    belief->protected_lock = one.with;
    belief->others = one.without;
    belief->written_with = written.with;
    belief->written_without = written.without;
    belief->z_write = z_test(written.with, written.with + written.without, self->options.p0);
    belief->z_any = z_test(any.with, any.with + any.without, self->options.p0);
    belief->z_lock = z_test(one.with, one.with + one.without, self->options.p0);
    count_writers(self, belief);
}
