// unheld.c: what is let go that is not held, and why it is not.
// In: the walk's notes of releases that some way comes to without the lock. Out: findings of kind unlock-unheld, each
// with its cause. The walk says that a way exists; a search over the function alone, blind to conditions, says what
// such a way did with the lock before: let it go already, had a callee do so, failed to take it, came here before
// taking it, or never takes it. Of a function that never takes it the same is asked at each call that comes to it
// without the lock: there the call is what lets go. When nobody takes it, those exits that do not touch it tell whether
// that is meant.
#include "racerx/check/asked.h"

// What a way did with the lock so far.
enum {
    AT_ENTRY = 1,   // nothing yet
    AT_HELD = 2,    // took it
    AT_GONE = 4,    // let it go here, by another step
    AT_BELOW = 8,   // a callee let it go
    AT_FAILED = 16, // failed to take it
    AT_DOUBT = 32,  // cannot be told
};

// A step that lets go of a lock, itself or by a callee.
typedef struct {
    u32 node;
    const SkeletonStep *step;
    ClassId class; // in the function's words
    PathId path;   // likewise; 0: not known
} Release;

// Calls by the node they enter, and by the node that makes them.
typedef struct {
    Analysis *analysis;
    FindingList *list;
    u32 *into, *next_into; // by node its first call, plus 1; by call the next one
    u32 *from, *next_from;
    Map left;  // by class: functions that are left with it, and whose callers do not let it go
    Map asked; // releases, by node, step and class
    Map seen;  // places that were reported, with the class
} Finder;

static void finder_begin(Finder *self, Analysis *analysis, FindingList *list) {
    u32 edges = analysis->edge_costs.count, nodes = analysis->nodes.count;
    *self = (Finder){.analysis = analysis, .list = list};
    self->into = must_zero(sizeof(u32) * 2 * (nodes + edges + 2u));
    self->next_into = self->into + nodes + 1;
    self->from = self->next_into + edges + 1;
    self->next_from = self->from + nodes + 1;
    for (u32 e = edges; e-- > 0;) {
        u32 caller = analysis->edge_pairs.items[2 * e], callee = analysis->edge_pairs.items[2 * e + 1];
        self->next_into[e] = self->into[callee];
        self->into[callee] = e + 1;
        self->next_from[e] = self->from[caller];
        self->from[caller] = e + 1;
    }
}

// Somebody is left with it for good, for whoever lets it go later: begin and end are two calls.
static void fill_left(Finder *self) {
    Analysis *analysis = self->analysis;
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        for (u32 i = 0; i < analysis->leaves[f].count; i++) {
            ClassId class = analysis->leaves[f].items[i];
            if (class >= CLASS_FIRST && !analysis->classes.items[class].parameter &&
                !releases_in_callers(analysis, f, class))
                ++*map_put(&self->left, class, NULL);
        }
}

static void finder_end(Finder *self) {
    free(self->into);
    map_free(&self->left);
    map_free(&self->asked);
    map_free(&self->seen);
}

typedef struct {
    const Analysis *analysis;
    const Finder *finder;
    const Skeleton *skeleton;
    ClassId class; // of the lock, by its name
    Release at;
    u8 *met;                            // by block: AT_… it is come to with
    u8 arrivals;                        // AT_… that come to the step
    u8 exits;                           // AT_… that leave the function
    bool takes_first;                   // some way takes it before anything else
    const SkeletonStep *below, *before; // the call, or step, that let it go before
} UnheldSearch;

static bool is_in(const UnheldSearch *self, const SkeletonStep *call, const U32Array *set) {
    for (u32 i = 0; i < set->count; i++)
        if (class_covers(self->analysis, caller_class(self->analysis, self->skeleton, call, set->items[i]),
                         self->at.class))
            return true;
    return false;
}

static bool holds(const Analysis *self, LocksetId set, ClassId class) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (class_covers(self, class, held[i].class) && !(held[i].flags & HELD_ASSERTED))
            return true;
    return false;
}

// What a call returns with the lock taken, and without: VALUE_…
typedef struct {
    u8 with, without;
} Answers;

// Did the walk see the call come back with the lock? One that tries tells by what it returns.
static Answers answers_of(const UnheldSearch *self, const SkeletonStep *step) {
    const Analysis *analysis = self->analysis;
    Answers out = {0, 0};
    for (u32 e = self->finder->from[self->at.node]; e; e = self->finder->next_from[e - 1]) {
        const Node *callee = &analysis->nodes.items[analysis->edge_pairs.items[2 * e - 1]];
        if (analysis->edge_steps.items[e - 1] != step || holds(analysis, callee->entry, self->class))
            continue;
        for (u32 i = 0; i < callee->outcome_count; i++) {
            const Outcome *outcome = &analysis->outcomes.items[callee->outcome + i];
            *(holds(analysis, outcome->out, self->class) ? &out.with : &out.without) |= outcome->mask;
        }
    }
    return out;
}

// Can the walk tell by what it returned? What is kept in memory and asked there is not followed.
static bool is_tested(const Analysis *self, const Skeleton *skeleton, ExprId expr, Answers answers) {
    bool found = false;
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *block = &skeleton->blocks[b];
        u8 yes = value_signs(&self->values, block->yes), no = value_signs(&self->values, block->no);
        if (block->subject != expr)
            continue;
        if ((yes & answers.with && yes & answers.without) || (no & answers.with && no & answers.without))
            return false; // it does not tell the two apart
        found = true;
    }
    return found;
}

static bool is_looked_at(const UnheldSearch *self, const SkeletonStep *step, Answers answers) {
    const Skeleton *skeleton = self->skeleton;
    bool found = is_tested(self->analysis, skeleton, step->expr, answers);
    for (u32 s = 0; s < skeleton->step_count && !found; s++)
        found = skeleton->steps[s].kind == STEP_SET && skeleton->steps[s].source == step->expr &&
                is_tested(self->analysis, skeleton, skeleton->steps[s].expr, answers);
    return found && !step->discard;
}

// Is the lock of what the call returned? When it failed there is nothing to let go.
static bool is_of_result(const UnheldSearch *self, const SkeletonStep *step) {
    const Path *paths = self->analysis->paths.paths.items;
    PathId root = path_first(&self->analysis->paths, self->at.path);
    if (root && paths[root].root == ROOT_RESULT)
        return paths[root].step == step->expr;
    for (u32 s = 0; root && paths[root].root == ROOT_LOCAL && s < self->skeleton->step_count; s++)
        if (self->skeleton->steps[s].kind == STEP_SET && self->skeleton->steps[s].source == step->expr &&
            self->skeleton->steps[s].result == paths[root].step)
            return true;
    return false;
}

// Does a function only ever wait with locks, and has them again when it comes back?
static bool only_waits(const Analysis *self, FunctionId function) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site =
            step->kind == STEP_CALL && step->call != NO_ID ? &self->program->calls.items[step->call] : NULL;
        for (u32 t = 0; site && t < site->target_count; t++)
            if (self->releases[self->program->targets.items[site->target + t]].count)
                return false;
        for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
            const LockEffect *effect = self->operations.items[step->effect + i].effect;
            if (effect->kind == EFFECT_RELEASE || (effect->kind == EFFECT_WAIT && !(effect->flags & LOCK_RETAKES)))
                return false;
        }
    }
    return true;
}

static u8 after_call(UnheldSearch *self, const SkeletonStep *step, u8 at) {
    const Analysis *analysis = self->analysis;
    const CallSite *site = &analysis->program->calls.items[step->call];
    bool releases = false, leaves = false, touched = false;
    for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
        FunctionId target = analysis->program->targets.items[site->target + t];
        releases |= is_in(self, step, &analysis->releases[target]) && !only_waits(analysis, target);
        leaves |= is_in(self, step, &analysis->leaves[target]);
        touched |= touches(analysis, target, self->class);
    }
    Answers answers = touched ? answers_of(self, step) : (Answers){0, 0};
    leaves |= answers.with != 0;
    if (releases && leaves)
        return AT_HELD | AT_DOUBT;
    if (leaves) {
        self->takes_first |= (at & AT_ENTRY) != 0;
        return AT_HELD | (is_looked_at(self, step, answers) && !is_of_result(self, step) ? AT_FAILED : AT_DOUBT);
    }
    if (!releases || !(at & AT_HELD))
        return at;
    if (step == self->at.step)
        return AT_DOUBT;
    self->below = step;
    return (u8)((at & ~AT_HELD) | AT_BELOW);
}

static bool is_same_lock(const UnheldSearch *self, const LockOperation *operation) {
    return self->analysis->classes.items[operation->class].global ||
           (operation->path && operation->path == self->at.path);
}

static bool may_fail(const UnheldSearch *self, const SkeletonStep *step, const LockEffect *effect) {
    u8 success = effect->returns == RETURNS_ZERO || effect->returns == RETURNS_NULL ? VALUE_ZERO
                 : effect->returns == RETURNS_NEGATIVE                              ? VALUE_NEGATIVE
                 : effect->returns == RETURNS_NONNEGATIVE                           ? VALUE_ZERO | VALUE_POSITIVE
                                                                                    : VALUE_NEGATIVE | VALUE_POSITIVE;
    bool sure = (effect->flags & (LOCK_SURE | LOCK_TRY)) == LOCK_SURE;
    return effect->returns != RETURNS_ANY && !sure &&
           is_looked_at(self, step, (Answers){success, VALUE_ANY & ~success});
}

static u8 after_operation(UnheldSearch *self, const SkeletonStep *step, const LockOperation *operation, u8 at) {
    const LockEffect *effect = operation->effect;
    if (!class_covers(self->analysis, operation->class, self->at.class))
        return at;
    switch (effect->kind) {
    case EFFECT_RELEASE:
        if (step == self->at.step || !is_same_lock(self, operation))
            return AT_DOUBT; // what a loop lets go again may be another
        self->before = step;
        return AT_GONE;
    case EFFECT_ACQUIRE:
        self->takes_first |= (at & AT_ENTRY) != 0;
        return AT_HELD | (may_fail(self, step, effect) ? AT_FAILED : 0);
    case EFFECT_WAIT: return effect->flags & LOCK_RETAKES ? AT_HELD : AT_DOUBT;
    default: return AT_HELD;
    }
}

// A local that the lock was reached through is another now.
static bool moves_on(const UnheldSearch *self, const SkeletonStep *step) {
    const PathTable *paths = &self->analysis->paths;
    PathId root = path_first(paths, self->at.path);
    const Path *first = root ? &paths->paths.items[root] : NULL;
    if (!first || first->root != ROOT_LOCAL)
        return false;
    for (u32 i = 0; step->kind == STEP_CALL && i < step->arg_count; i++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        if (argument->address && argument->path == root)
            return true; // the callee may set it
    }
    return step->kind == STEP_SET && first->step == step->result;
}

static u8 after_step(UnheldSearch *self, const SkeletonStep *step, u8 at) {
    if (step == self->at.step)
        self->arrivals |= at;
    if (at & (AT_GONE | AT_BELOW | AT_FAILED) && moves_on(self, step))
        at = (u8)((at & (AT_ENTRY | AT_HELD)) | AT_DOUBT);
    if (step->kind == STEP_CALL && step->call != NO_ID)
        return after_call(self, step, at);
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++)
        at = after_operation(self, step, &self->analysis->operations.items[step->effect + i], at);
    return at;
}

static void search(UnheldSearch *self) {
    const Skeleton *skeleton = self->skeleton;
    U32Array work = {0};
    self->met[0] = AT_ENTRY;
    array_push(&work, 0);
    while (work.count) {
        u32 block_id = work.items[--work.count];
        const SkeletonBlock *block = &skeleton->blocks[block_id];
        u8 at = self->met[block_id];
        for (u32 s = 0; s < block->step_count; s++)
            at = after_step(self, &skeleton->steps[block->step + s], at);
        self->exits |= block->term == TERM_RETURN ? at : 0;
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            if ((self->met[next] | at) == self->met[next])
                continue;
            self->met[next] |= at;
            array_push(&work, next);
        }
    }
    array_free(&work);
}

// Where a block goes on, when that is one place.
static u32 goes_on_at(const Skeleton *self, u32 block) {
    const SkeletonBlock *info = &self->blocks[block];
    return info->successor_count == 1 ? self->successors[info->successor] : NO_ID;
}

// `if (taken) unlock(); else drop();`: both sides of the branch go on at the same place, which is more often
// misunderstood than wrong.
static bool is_guarded(const UnheldSearch *self) {
    const Skeleton *skeleton = self->skeleton;
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *block = &skeleton->blocks[b];
        for (u32 i = 0; block->successor_count == 2 && i < 2; i++) {
            u32 to = skeleton->successors[block->successor + i];
            u32 other = skeleton->successors[block->successor + 1 - i];
            const SkeletonStep *first = skeleton->steps + skeleton->blocks[to].step;
            if (self->at.step < first || self->at.step >= first + skeleton->blocks[to].step_count)
                continue;
            u32 on = goes_on_at(skeleton, to);
            if (on != NO_ID && (on == other || on == goes_on_at(skeleton, other)))
                return true;
        }
    }
    return false;
}

// Is it only ever taken where something says that it is not held, and says so from then on? Who goes by has it.
static bool is_booked(const UnheldSearch *self) {
    const Skeleton *skeleton = self->skeleton;
    FunctionId function = self->analysis->nodes.items[self->at.node].function;
    bool found = false;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockOperation *operation = &self->analysis->operations.items[skeleton->steps[s].effect + i];
            if (operation->effect->kind != EFFECT_ACQUIRE ||
                !class_covers(self->analysis, operation->class, self->at.class))
                continue;
            if (!keeps_book(self->analysis, function, skeleton->steps[s].place))
                return false;
            found = true;
        }
    return found;
}

typedef enum {
    UNHELD_DOUBT,
    UNHELD_TWICE,
    UNHELD_BELOW,
    UNHELD_FAILED,
    UNHELD_EARLY,
    UNHELD_NEVER,
    UNHELD_OTHER
} UnheldCause;
static const char *const cause_names[] = {"doubt", "twice", "below", "failed", "early", "never", "other"};

typedef struct {
    u8 cause;       // UnheldCause
    bool guarded;   // whether it is let go hangs on a condition
    bool booked;    // who goes by without taking it seems to have it
    bool keeps;     // some ways leave the function with it
    bool untouched; // some ways leave the function without having touched it
    bool own;       // the lock is of an object that the function made: no caller can hold it
    Place before;   // where it was let go before; line 0: it was not
    u32 call;       // Program.calls: by this call; NO_ID: here
} Unheld;

static u8 cause_of(const UnheldSearch *search) {
    if (search->arrivals & AT_GONE)
        return UNHELD_TWICE;
    if (search->arrivals & AT_BELOW)
        return UNHELD_BELOW;
    if (search->arrivals & AT_FAILED)
        return UNHELD_FAILED;
    if (search->arrivals & AT_ENTRY)
        return search->takes_first ? UNHELD_EARLY : UNHELD_NEVER;
    return UNHELD_DOUBT;
}

static Unheld explain(const Finder *finder, const Release *release, ClassId class) {
    const Analysis *self = finder->analysis;
    UnheldSearch found = {.analysis = self,
                          .finder = finder,
                          .class = class,
                          .skeleton = &self->skeletons[self->nodes.items[release->node].function],
                          .at = *release};
    Unheld out = {.call = NO_ID};
    found.met = must_zero(found.skeleton->block_count + 1u);
    search(&found);
    out.cause = cause_of(&found);
    out.guarded = is_guarded(&found);
    out.booked = out.cause == UNHELD_EARLY && is_booked(&found);
    out.keeps = (found.exits & AT_HELD) != 0;
    out.untouched = (found.exits & AT_ENTRY) != 0;
    PathId root = path_first(&self->paths, release->path);
    out.own = root && self->paths.paths.items[root].root == ROOT_LOCAL && root != release->path &&
              !path_goes_through_pointer(&self->paths, release->path);
    if (out.cause == UNHELD_BELOW)
        out.call = found.below->call, out.before = found.below->place;
    else if (out.cause == UNHELD_TWICE)
        out.before = found.before->place;
    free(found.met);
    return out;
}

// who else ----------------------------------------------------------------------

// Was it taken twice on the way? Then that is the mistake.
static bool takes_twice(const Analysis *self, const Note *note) {
    for (u32 s = self->class_site.items[note->class]; s != NO_ID; s = self->sites.items[s].next)
        if (map_get((Map *)&self->note_index, hash_mix((u64)note->node << 8 | NOTE_DOUBLE, (u64)s << 32 | note->class)))
            return true;
    return false;
}

// How the lock is used elsewhere.
ClassUses class_uses(const Analysis *self, ClassId class) {
    ClassUses out = {0};
    for (u32 s = self->class_site.items[class]; s != NO_ID; s = self->sites.items[s].next) {
        u8 uses = self->sites.items[s].uses;
        out.takes += (uses & SITE_TAKES) != 0;
        out.paired += (uses & SITE_PAIRED) != 0;
        out.bare += (uses & (SITE_SPURIOUS | SITE_PAIRED)) == SITE_SPURIOUS;
    }
    return out;
}

// Does another way come to the same call with the lock?
static bool holds_elsewhere(const Finder *self, const Release *release, ClassId class) {
    const Analysis *analysis = self->analysis;
    for (u32 e = self->from[release->node]; e; e = self->next_from[e - 1])
        if (analysis->edge_steps.items[e - 1] == release->step &&
            holds(analysis, analysis->nodes.items[analysis->edge_pairs.items[2 * e - 1]].entry, class))
            return true;
    return false;
}

// findings --------------------------------------------------------------------------

static const char *message_of(u8 cause) {
    switch (cause) {
    case UNHELD_TWICE: return "%s is let go here, and was let go already";
    case UNHELD_BELOW: return "%s is let go here, and a function that was called has let it go already";
    case UNHELD_FAILED: return "%s is let go here, also when it could not be taken";
    case UNHELD_EARLY: return "%s is let go here, also on a way that has not taken it";
    case UNHELD_NEVER: return "%s is let go here, but not taken on the way";
    case UNHELD_OTHER: return "%s is let go here, but another lock of the same object was taken, and is kept";
    default: return "%s is let go here, but no path that comes here holds it";
    }
}

// Where the callee that was called lets it go.
static u32 site_below(const Analysis *self, ClassId class, u32 call) {
    const CallSite *site = &self->program->calls.items[call];
    for (u32 s = self->class_site.items[class]; s != NO_ID; s = self->sites.items[s].next)
        for (u32 t = 0; t < site->target_count; t++)
            if (self->sites.items[s].function == self->program->targets.items[site->target + t] &&
                (self->sites.items[s].uses & SITE_PAIRED))
                return s;
    return NO_ID;
}

static void put_before(Analysis *self, FindingList *list, Finding *finding, const Note *note, const Unheld *why) {
    u32 below = why->call == NO_ID ? NO_ID : site_below(self, note->class, why->call);
    FunctionId function = self->nodes.items[note->node].function;
    u32 site = below != NO_ID ? below : site_make(self, function, why->before);
    finding_put_site(self, list, finding, ROLE_RELEASE, NO_ID, site, 0)->side = 0;
}

static void put_unheld(Finder *finder, const Note *note, const Release *release, const Unheld *why, u32 calls) {
    Analysis *self = finder->analysis;
    FindingList *list = finder->list;
    Finding *finding = findings_add(list, KIND_UNLOCK_UNHELD);
    const char *lock = class_text(self, note->class);
    Note here = *note;
    finding->message = findings_text(list, message_of(why->cause), lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    here.node = here.holder = release->node;
    here.site = calls ? site_make(self, self->nodes.items[release->node].function, release->step->place) : note->site;
    finding_put_site(self, list, finding, ROLE_RELEASE, release->node, here.site, 0);
    if (why->before.line)
        put_before(self, list, finding, &here, why);
    else if (calls)
        finding_put_site(self, list, finding, ROLE_RELEASE, NO_ID, note->site, 0)->side = 0;
    finding_put_distance(self, list, finding, &here);
    finding_add_text(list, finding, "unheld", cause_names[why->cause]);
    ClassUses uses = class_uses(self, note->class);
    bool other = calls ? holds_elsewhere(finder, release, note->class) : note->good;
    finding_add_number(list, finding, "other_way_holds", other);
    finding_add_number(list, finding, "guarded", why->guarded);
    finding_add_number(list, finding, "booked", why->booked);
    finding_add_number(list, finding, "keeps", why->keeps);
    finding_add_number(list, finding, "untouched", why->untouched);
    finding_add_number(list, finding, "own_object", why->own);
    finding_add_number(list, finding, "calls_below", calls);
    const u32 *left = map_get(&finder->left, note->class);
    finding_add_number(list, finding, "left_by", left ? *left : 0);
    finding_add_number(list, finding, "taken_at", uses.takes);
    finding_add_number(list, finding, "released_paired", uses.paired);
    finding_add_number(list, finding, "released_bare", uses.bare);
}

#define CALLS_ABOVE 3 // between what lets go and whom it is asked of

// The function lets it go on a condition that only ways with the lock may meet.
static bool is_correlated(const Note *note, const Unheld *why, u32 calls) {
    return why->guarded && (why->cause == UNHELD_EARLY || why->cause == UNHELD_FAILED) && (calls || note->good);
}

static bool is_meant(const Unheld *why) { return why->cause == UNHELD_NEVER && !why->own; }

// What the callee lets go, in the caller's words.
static Release release_above(Analysis *self, u32 edge, const Release *below) {
    PathTable *paths = &self->paths;
    Release out = {.node = self->edge_pairs.items[2 * edge], .step = self->edge_steps.items[edge]};
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[out.node].function];
    out.class = caller_class(self, skeleton, out.step, below->class);
    PathId root = path_first(paths, below->path);
    const Path *first = root ? &paths->paths.items[root] : NULL;
    if (first && first->root == ROOT_GLOBAL)
        out.path = below->path;
    if (first && first->root == ROOT_PARAM && first->step < out.step->arg_count) {
        ArgumentValue argument = skeleton->args[out.step->arg + first->step];
        out.path = argument.path ? path_rebase(paths, below->path, root, argument.path, argument.address) : 0;
    }
    return out;
}

static void report(Finder *self, const Note *note, const Release *release, const Unheld *why, u32 calls) {
    Place place = release->step->place;
    u64 where = hash_mix((u64)self->analysis->nodes.items[release->node].function << 32 | note->class,
                         (u64)place.line << 32 | place.column);
    u32 *known = map_put(&self->seen, where, NULL);
    if (!*known)
        put_unheld(self, note, release, why, calls);
    *map_get(&self->seen, where) = 1;
}

#define WRAPPER_STEPS 12 // what does less may be a function for letting go

// Does a function that never takes it let it go by mistake? Some of its exits do, others do not touch it, and nobody
// was seen to call it with the lock.
static bool is_mistake(const Analysis *self, const Note *note, const Unheld *why) {
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[note->node].function];
    return why->untouched && !why->keeps && skeleton->step_count > WRAPPER_STEPS &&
           !(self->sites.items[note->site].uses & SITE_PAIRED);
}

static bool is_let_go_in(const Analysis *self, const Skeleton *skeleton, ClassId class) {
    for (u32 s = 0; s < skeleton->step_count; s++)
        if (step_effect(self, skeleton, &skeleton->steps[s], class) == 1)
            return true;
    return false;
}

// Does the function take another lock of the same thing, which nobody lets go? Then that one was meant. Not where
// somebody was seen to come here with this one: hand over hand.
static bool is_mistaken(Analysis *self, const Note *note, const Release *release) {
    FunctionId function = self->nodes.items[release->node].function;
    const Skeleton *skeleton = &self->skeletons[function];
    const Path *paths = self->paths.paths.items;
    bool found = false;
    if (!release->path || !paths[release->path].depth || self->sites.items[note->site].uses & SITE_PAIRED)
        return false;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockOperation *taken = &self->operations.items[skeleton->steps[s].effect + i];
            if (taken->effect->kind != EFFECT_ACQUIRE || taken->class < CLASS_FIRST)
                continue;
            if (class_covers(self, taken->class, release->class))
                return false;
            found |= taken->path && paths[taken->path].parent == paths[release->path].parent &&
                     self->classes.items[taken->class].kind == self->classes.items[release->class].kind &&
                     !is_let_go_in(self, skeleton, taken->class) && !releases_in_callers(self, function, taken->class);
        }
    return found;
}

static void ask(Finder *self, const Note *note, Release release, u32 calls) {
    Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[analysis->nodes.items[release.node].function];
    bool fresh;
    map_put(&self->asked, hash_mix((u64)release.node << 32 | release.class, (u64)(release.step - skeleton->steps)),
            &fresh);
    if (!fresh)
        return;
    Unheld why = explain(self, &release, note->class);
    if (lock_has(analysis->classes.items[note->class].kind, TRAIT_SIGNALS) && (why.cause != UNHELD_TWICE || calls))
        return;
    if (!calls && why.cause == UNHELD_NEVER && is_mistaken(analysis, note, &release))
        why.cause = UNHELD_OTHER;
    if (!is_meant(&why)) {
        if (why.cause != UNHELD_DOUBT && !is_correlated(note, &why, calls))
            report(self, note, &release, &why, calls);
        return;
    }
    if (!calls && is_mistake(analysis, note, &why))
        report(self, note, &release, &why, calls);
    for (u32 e = self->into[release.node]; e && calls < CALLS_ABOVE && !why.keeps; e = self->next_into[e - 1]) {
        if (!analysis->edge_steps.items[e - 1] || analysis->edge_costs.items[e - 1] > 1)
            continue;
        Release above = release_above(analysis, e - 1, &release);
        if (above.class)
            ask(self, note, above, calls + 1);
    }
}

static bool find_release(const Analysis *self, const Note *note, Release *out) {
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[note->node].function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
            const LockOperation *operation = &self->operations.items[step->effect + i];
            if (operation->effect->kind != EFFECT_RELEASE || step->place.line != note->place.line ||
                step->place.column != note->place.column || lock_has(operation->effect->lock, TRAIT_RETRIES))
                continue; // a sequence's reader may ask as often as it likes
            *out = (Release){note->node, step, operation->class, operation->path};
            return true;
        }
    }
    return false;
}

// Of a semaphore that is used as a lock only what is let go twice is a mistake: whoever else lets it go may mean that.
static bool is_asked(const Analysis *self, const Note *note) {
    const LockClass *class = &self->classes.items[note->class];
    return note->kind == NOTE_UNHELD && !class->parameter && !class->scheduling &&
           !lock_has(class->kind, TRAIT_CLAIMS | TRAIT_STORED) && class_uses(self, note->class).takes &&
           !takes_twice(self, note);
}

void find_unheld(Analysis *self, FindingList *out) {
    Finder finder;
    finder_begin(&finder, self, out);
    fill_left(&finder);
    for (u32 i = 0; i < self->notes.count; i++) {
        Note note = self->notes.items[i];
        Release release;
        if (is_asked(self, &note) && find_release(self, &note, &release))
            ask(&finder, &note, release, 0);
    }
    finder_end(&finder);
}
