// agree.c: do the summaries say of a race what the walk says?
// In: two samples of the walk, summaries. Out: yes, no, or not known.
// The idea: the walk came down to an access with the locks of its callers. The summaries are put together upwards along
// the same calls: what the function itself took since its entry, then what each caller had taken at the call, less what
// was let go below. Both engines read the same text by other rules; what one gets wrong the other seldom does, too.
// Invariant: a limit, recursion, or a lock on a condition makes it not known.
#include "racerx/check/races.h"
#include "racerx/summary/summary.h"

// A call, as the summaries see it.
typedef struct {
    const SkeletonStep *step; // NULL: no way comes to it
    u32 first;                // in Agreement.locks: L+, then L−
    u8 plus, minus;
    u8 flags; // GUARDED_…
    bool any; // L− is everything
} Link;

struct Agreement {
    Analysis *analysis;
    Relative relative;
    Array(Link) links;
    Array(SummaryLock) locks;
    Map index; // (function, place) -> 1 + link
};

Agreement *agreement_begin(Analysis *analysis) {
    if (!analysis->summaries || analysis->options.engine == ENGINE_WALK)
        return NULL;
    Agreement *self = must_zero(sizeof *self);
    self->analysis = analysis;
    self->relative.analysis = analysis;
    self->relative.summaries = analysis->summaries;
    return self;
}

void agreement_end(Agreement *self) {
    if (!self)
        return;
    relative_free(&self->relative);
    array_free(&self->links);
    array_free(&self->locks);
    map_free(&self->index);
    free(self);
}

// links -----------------------------------------------------------------------------

static bool holds_perhaps(const RelativeState *state) {
    for (u32 i = 0; i < state->count[RUN_MAYBE]; i++)
        if (state->locks[RUN_MAYBE][i].class >= CLASS_FIRST)
            return true;
    return false;
}

static void fill_link(Agreement *self, Link *link, const RelativeState *state) {
    link->first = self->locks.count;
    link->plus = state->count[RUN_PLUS];
    link->minus = state->count[RUN_MINUS];
    link->flags =
        (u8)((state->flags & STATE_UNSURE ? GUARDED_UNSURE : 0) | (holds_perhaps(state) ? GUARDED_CONDITIONAL : 0));
    link->any = state->flags & STATE_ANY;
    for (u32 i = 0; i < link->plus; i++)
        array_push(&self->locks, state->locks[RUN_PLUS][i]);
    for (u32 i = 0; i < link->minus; i++)
        array_push(&self->locks, state->locks[RUN_MINUS][i]);
}

static Link link_at(Agreement *self, FunctionId function, Place call) {
    u64 key = hash_mix(function, (u64)call.line << 32 | call.column);
    u32 *known = map_put(&self->index, key, NULL);
    if (*known)
        return self->links.items[*known - 1];
    RelativeState state;
    Link link = {.step = relative_at(&self->relative, function, call, &state)};
    if (link.step)
        fill_link(self, &link, &state);
    array_push(&self->links, link);
    *map_get(&self->index, key) = self->links.count;
    return link;
}

// ways ------------------------------------------------------------------------------

// What is held at an access on its way, as far as it was put together.
typedef struct {
    HeldSet held;                     // paths are RELATION_…
    SummaryLock minus[SUMMARY_LOCKS]; // let go since the entry of the function it is at
    u32 minus_count;
    bool any;  // anything may have been let go since
    bool lost; // something is not known
} Climb;

static void let_go(Climb *self, const SummaryLock *lock) {
    for (u32 i = 0; i < self->minus_count; i++)
        if (self->minus[i].class == lock->class)
            return;
    if (limit_cuts(LIMIT_SUMMARY_LOCKS, self->minus_count == SUMMARY_LOCKS))
        self->lost = true;
    else
        self->minus[self->minus_count++] = *lock;
}

static bool is_let_go(const Analysis *analysis, const Climb *self, ClassId class) {
    for (u32 i = 0; i < self->minus_count; i++)
        if (class_covers(analysis, self->minus[i].class, class) || class_covers(analysis, class, self->minus[i].class))
            return true;
    return false;
}

static void hold(Agreement *self, Climb *climb, ClassId class, u32 relation, u32 flags) {
    const Analysis *analysis = self->analysis;
    if (relation == RELATION_UNKNOWN && (class < CLASS_FIRST || analysis->classes.items[class].global))
        relation = RELATION_ONE;
    held_push(&climb->held, (Held){class, relation, (u16)(flags & HELD_SHARED), 1, 0});
}

// One call up: words of the callee become the caller's, and what the caller holds is added.
static void climb_link(Agreement *self, Climb *climb, FunctionId caller, Place call) {
    const Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[caller];
    Link link = link_at(self, caller, call);
    climb->lost |= !link.step || link.flags || (climb->any && link.plus);
    if (!link.step)
        return;
    for (u32 i = 0; i < climb->held.count; i++)
        climb->held.items[i].class = caller_class(analysis, skeleton, link.step, climb->held.items[i].class);
    for (u32 i = 0; i < climb->minus_count; i++)
        climb->minus[i].class = caller_class(analysis, skeleton, link.step, climb->minus[i].class);
    for (u32 i = 0; i < link.plus; i++) {
        const SummaryLock *lock = &self->locks.items[link.first + i];
        if (!is_let_go(analysis, climb, lock->class))
            hold(self, climb, lock->class, RELATION_UNKNOWN, lock->flags);
    }
    climb->any |= link.any;
    for (u32 i = 0; i < link.minus; i++)
        let_go(climb, &self->locks.items[link.first + link.plus + i]);
}

// What all who enter there hold.
static void climb_entry(Agreement *self, Climb *climb, u32 way) {
    u32 count;
    const Held *held = lockset_held(&self->analysis->locksets, self->analysis->way_contexts.items[way].set, &count);
    for (u32 i = 0; i < count; i++)
        hold(self, climb, held[i].class, RELATION_UNKNOWN, held[i].flags);
}

// Up to the entry; false: something on the way is not known.
static bool climb_way(Agreement *self, Climb *climb, u32 way) {
    const Analysis *analysis = self->analysis;
    for (; analysis->way_contexts.items[way].from && !climb->lost; way = analysis->way_contexts.items[way].from - 1) {
        const WayContext *one = &analysis->way_contexts.items[way];
        const WayContext *caller = &analysis->way_contexts.items[one->from - 1];
        climb_link(self, climb, analysis->nodes.items[caller->node].function, one->call);
    }
    if (!climb->lost)
        climb_entry(self, climb, way);
    return !climb->lost;
}

// sides -----------------------------------------------------------------------------

// The protections of a sample's access; `all` has locks of which it is not known whose they are, `sure` has not.
typedef struct {
    Sample all[AGREE_MOST], sure[AGREE_MOST];
    bool fresh[AGREE_MOST];
    u32 count;
    bool exact; // they are of the very place, not of its like
} Told;

static LocksetId protection_of(Analysis *analysis, const HeldSet *held, u32 contexts, bool sure, bool *vague) {
    HeldSet kept;
    held_begin(&kept);
    for (u32 i = 0; i < held->count; i++) {
        const Held *one = &held->items[i];
        const LockClass *class = &analysis->classes.items[one->class];
        *vague |= !one->class || class->vague || (class->parameter && one->class >= CLASS_FIRST);
        if (one->class && !protects_nobody(analysis, one->class, contexts) && !(sure && one->path == RELATION_UNKNOWN))
            held_push(&kept, *one);
    }
    return held_intern(&kept, &analysis->protections);
}

static void tell_access(Agreement *self, const GuardedSet *set, const GuardedAccess *access, const Sample *sample,
                        Told *out) {
    const Protection *protection = &set->protections[access->protection];
    const SummaryLock *locks = set->locks + protection->first;
    Climb climb = {.lost = (access->flags & (GUARDED_UNSURE | GUARDED_CONDITIONAL)) != 0};
    held_begin(&climb.held);
    for (u32 i = 0; i < protection->count[RUN_PLUS]; i++)
        hold(self, &climb, locks[i].class, locks[i].relation, locks[i].flags);
    for (u32 i = 0; i < protection->count[RUN_MINUS]; i++)
        let_go(&climb, &locks[protection->count[RUN_PLUS] + i]);
    u32 contexts = self->analysis->roots.items[sample->root].contexts;
    bool vague = false;
    if (climb_way(self, &climb, sample->way)) {
        out->all[out->count] = out->sure[out->count] = *sample;
        out->all[out->count].protection = protection_of(self->analysis, &climb.held, contexts, false, &vague);
        out->sure[out->count].protection = protection_of(self->analysis, &climb.held, contexts, true, &vague);
        out->fresh[out->count] = access->flags & GUARDED_FRESH;
        out->count += !vague;
    }
    held_end(&climb.held);
}

static void tell_set(Agreement *self, const GuardedSet *set, const Sample *sample, Told *out) {
    const Analysis *analysis = self->analysis;
    bool write = sample_writes(analysis, sample);
    FunctionId function = analysis->accesses.items[sample->access].function;
    for (u32 i = 0; i < set->access_count; i++) {
        const GuardedAccess *access = &set->accesses[i];
        bool exact = access->origin == sample->access;
        bool like = access->object == sample->object && write == ((access->flags & GUARDED_WRITE) != 0) &&
                    analysis->accesses.items[access->origin].function == function;
        if (out->exact ? !exact : !exact && !like)
            continue;
        if (exact && !out->exact)
            out->count = 0;
        out->exact |= exact;
        if (limit_cuts(LIMIT_AGREE_MOST, out->count == AGREE_MOST))
            return;
        tell_access(self, set, access, sample, out);
    }
}

static void tell(Agreement *self, const Sample *sample, Told *out) {
    const Summaries *summaries = self->analysis->summaries;
    FunctionId function = self->analysis->nodes.items[self->analysis->way_contexts.items[sample->way].node].function;
    out->count = 0;
    out->exact = false;
    tell_set(self, &summaries->functions[function].formal, sample, out);
    tell_set(self, &summaries->free[summaries->order.component[function]], sample, out);
}

int engines_agree(Agreement *self, const Sample *a, const Sample *b) {
    Told left, right;
    tell(self, a, &left);
    tell(self, b, &right);
    bool differ = left.count && right.count;
    for (u32 i = 0; i < left.count; i++)
        for (u32 k = 0; k < right.count; k++) {
            bool fresh = left.fresh[i] || right.fresh[k];
            if (!fresh && !have_common_lock(self->analysis, &left.all[i], &right.all[k]))
                return 1;
            differ &= fresh || have_common_lock(self->analysis, &left.sure[i], &right.sure[k]);
        }
    return differ ? 0 : -1;
}
