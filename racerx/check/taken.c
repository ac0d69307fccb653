// taken.c: where the locks that an access was made under had been taken.
// In: a sample, its way. Out: a place in one of the functions on the way.
// Samples keep no such places: that would tell apart what is alike, half a million functions over. For the few that are
// reported, the text of the functions on the way is searched: the access's own up to the access, then each
// caller up to its call. The nearest call that takes such a lock and is not followed by one that lets it go is meant;
// where every one is (an early way out lets go, too), the nearest that takes it.
#include "racerx/check/races.h"

#define TAKEN_FAR 2 // so many calls above an access a lock is hardly taken for it

typedef enum {
    MATCH_EXACT,
    MATCH_CLASS,
    MATCH_MEMBER,
    MATCH_PARAMETER,
    MATCH_COUNT
} Match; // how sure it is the same lock

static const char *last_name(const char *name) {
    const char *last = name;
    for (const char *at = name; *at; at++)
        if (*at == '.' || *at == ':' || *at == '>')
            last = at + 1;
    return last;
}

static bool matches(const Analysis *self, ClassId seen, ClassId class, Match match) {
    const LockClass *info = &self->classes.items[seen];
    if (!seen)
        return false;
    if (match == MATCH_EXACT)
        return seen == class;
    if (match == MATCH_CLASS)
        return class_covers(self, seen, class);
    if (match == MATCH_PARAMETER)
        return info->parameter || info->vague;
    return !info->parameter && seen >= CLASS_FIRST &&
           class >= CLASS_FIRST && // of a global, reached through a pointer to its type
           !strcmp(last_name(class_text(self, seen)), last_name(class_text(self, class)));
}

static bool disables(const LockEffect *effect, ClassId class) { return (effect->disables & cpu_bit(class)) != 0; }

// What a step does to the lock: 1 takes it, -1 lets it go, 0 neither.
static int lock_step(const Analysis *self, const SkeletonStep *step, ClassId class, Match match) {
    for (u32 i = 0; i < step->effect_count; i++) {
        const LockOperation *operation = &self->operations.items[step->effect + i];
        u8 kind = operation->effect->kind;
        if (!matches(self, operation->class, class, match) && !disables(operation->effect, class))
            continue;
        if (kind == EFFECT_ACQUIRE || kind == EFFECT_RELEASE)
            return kind == EFFECT_ACQUIRE ? 1 : -1;
    }
    return 0;
}

static bool set_matches(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, const U32Array *set,
                        ClassId class, Match match) {
    for (u32 i = 0; i < set->count; i++) {
        const LockClass *info = &self->classes.items[set->items[i]];
        ClassId seen = !info->parameter                ? set->items[i]
                       : info->param < step->arg_count ? skeleton->args[step->arg + info->param].class
                                                       : 0;
        if (matches(self, seen, class, match))
            return true;
    }
    return false;
}

// Does a function do nothing to the lock but take it? Then it tries to for its caller.
static bool only_takes(const Analysis *self, FunctionId function, ClassId class, Match match) {
    const Skeleton *skeleton = &self->skeletons[function];
    bool takes = false;
    for (u32 s = 0; s < skeleton->step_count; s++) {
        int does = skeleton->steps[s].kind == STEP_LOCK ? lock_step(self, &skeleton->steps[s], class, match) : 0;
        if (does < 0)
            return false;
        takes |= does > 0;
    }
    return takes;
}

static int call_step(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class,
                     Match match) {
    const CallSite *site = &self->program->calls.items[step->call];
    for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
        FunctionId target = self->program->targets.items[site->target + t];
        if (set_matches(self, skeleton, step, &self->leaves[target], class, match))
            return 1;
        if (set_matches(self, skeleton, step, &self->releases[target], class, match))
            return -1;
        if (class >= CLASS_FIRST && self->skeletons[target].direct && only_takes(self, target, class, match))
            return 1;
    }
    return 0;
}

static bool is_before(Place a, Place b) { return a.line < b.line || (a.line == b.line && a.column < b.column); }

// The last step before `end` that takes the lock; with `strict`, none that lets it go may come after. NULL: none.
static const SkeletonStep *find_step(const Analysis *self, FunctionId function, Place end, ClassId class, Match match,
                                     bool strict) {
    const Skeleton *skeleton = &self->skeletons[function];
    const SkeletonStep *found = NULL;
    Place last = {0, 0}; // of the last step that did anything to it
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        int does = step->kind == STEP_LOCK   ? lock_step(self, step, class, match)
                   : step->kind == STEP_CALL ? call_step(self, skeleton, step, class, match)
                                             : 0;
        if (!does || (does < 0 && !strict) || !is_before(step->place, end) || is_before(step->place, last))
            continue;
        found = does > 0 ? step : NULL;
        last = step->place;
    }
    return found;
}

Taken where_taken(const Analysis *self, const Sample *sample, ClassId class) {
    for (u32 pass = 0; pass < 2 * MATCH_COUNT; pass++) {
        Place end = self->accesses.items[sample->access].place;
        for (u32 w = sample->way + 1, depth = 0; w && depth < 64; depth++) {
            const WayContext *way = &self->way_contexts.items[w - 1];
            FunctionId function = self->nodes.items[way->node].function;
            const SkeletonStep *step = find_step(self, function, end, class, (Match)(pass / 2), pass % 2 == 0);
            if (step)
                return (Taken){function, step->place};
            end = way->call;
            w = way->from;
        }
    }
    return (Taken){NO_ID, {0, 0}};
}

// Is the lock, where the sample was made, taken by the function that makes it, or by its caller?
static bool is_taken_near(const Analysis *self, const Sample *sample, FunctionId by) {
    const WayContext *way = &self->way_contexts.items[sample->way];
    return by == self->nodes.items[way->node].function ||
           (way->from && by == self->nodes.items[self->way_contexts.items[way->from - 1].node].function);
}

bool is_locked_near(const Analysis *self, const Belief *belief) {
    u32 asked = 0;
    for (u32 i = 0; i < belief->count && belief->lock; i++) {
        const Sample *sample = &belief->samples[i];
        if (!sample_holds(self, sample, belief->lock))
            continue;
        if (limit_cuts(LIMIT_NEAR_ASKED, asked++ >= NEAR_ASKED))
            return false;
        if (is_taken_near(self, sample, where_taken(self, sample, belief->lock).function))
            return true;
    }
    return false;
}

static bool set_has(const Analysis *self, LocksetId set, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (is_same_lock(self, held[i].class, lock))
            return true;
    return false;
}

// The function of the sample's way that was entered without the lock, and how many calls above the access it is.
static FunctionId taker_of(const Analysis *self, const Sample *sample, ClassId lock, u32 *above) {
    *above = 0;
    for (u32 w = sample->way + 1; w; (*above)++) {
        const WayContext *way = &self->way_contexts.items[w - 1];
        const Node *node = &self->nodes.items[way->node];
        if (!set_has(self, way->set, lock) && !set_has(self, node->entry, lock))
            return node->function;
        w = way->from;
    }
    return NO_ID;
}

u32 count_takers(Analysis *self, const Belief *belief) {
    FunctionId takers[NEAR_ASKED], function;
    u32 held = 0, count = 0, at = 0, above;
    for (u32 i = 0; i < belief->count && belief->lock; i++)
        held += sample_holds(self, &belief->samples[i], belief->lock);
    u32 step = held / NEAR_ASKED + 1; // of many places some, from all over
    for (u32 i = 0; i < belief->count && belief->lock; i++) {
        const Sample *sample = &belief->samples[i];
        if (!sample_holds(self, sample, belief->lock) || at++ % step)
            continue;
        FunctionId by = taker_of(self, sample, belief->lock, &above);
        function = self->accesses.items[sample->access].function;
        if (above < TAKEN_FAR || by == NO_ID || count_callers(self, function, belief->lock).with > 1)
            return 0;
        u32 k = 0;
        while (k < count && takers[k] != by)
            k++;
        if (k == count)
            takers[count++] = by;
    }
    return count;
}

u32 way_conditionals(const Analysis *self, u32 way) {
    u32 total = 0, depth = 0;
    for (u32 w = way + 1; w && depth < 64; w = self->way_contexts.items[w - 1].from, depth++) {
        const WayContext *context = &self->way_contexts.items[w - 1];
        const Node *node = &self->nodes.items[context->node];
        bool first = context->from &&
                     self->way_contexts.items[context->from - 1].node == node->parent; // the call that was counted
        if (first && node->conditionals > self->nodes.items[node->parent].conditionals)
            total += node->conditionals - self->nodes.items[node->parent].conditionals;
    }
    return total;
}
