// leaks.c: locks that a function keeps on some exits and lets go on others.
// In: the outcomes of every node. Out: findings of kind lock-leak, one for each function and lock, with what speaks for
// and against a mistake: how the exits agree, whether the exit is come to without passing by anything that lets the
// lock go, whether the function tells its caller by what it returns, whether others let go what it took.
#include "racerx/check/races.h"

static bool holds(const Analysis *self, LocksetId set, ClassId class, u32 *site) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class && !(held[i].flags & (HELD_OUTER | HELD_ASSERTED))) {
            *site = held[i].site;
            return true;
        }
    return false;
}

// How many of the class are held, whoever took them: what came with the call, or was said to, counts as well.
static u32 times_held(const Analysis *self, LocksetId set, ClassId class) {
    u32 count, times = 0;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        times += held[i].class == class ? held[i].count : 0;
    return times;
}

// Does the function's own text let it go somewhere?
static bool releases_itself(const Analysis *self, FunctionId function, ClassId class) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockOperation *operation = &self->operations.items[skeleton->steps[s].effect + i];
            if (operation->class == class && operation->effect->kind == EFFECT_RELEASE)
                return true;
        }
    return false;
}

// How a function's exits agree about a lock.
typedef struct {
    u32 held, released; // exits with it, and without
    bool inside;        // the function lets it go somewhere, itself or by a wrapper
} Exits;

static Exits count_exits(const Analysis *self, u32 node, ClassId class) {
    const Node *info = &self->nodes.items[node];
    Exits out = {.inside = releases_inside(self, info->function, class)};
    u32 unused;
    for (u32 i = 0; i < info->outcome_count; i++) {
        const Outcome *outcome = &self->outcomes.items[info->outcome + i];
        *(holds(self, outcome->raw, class, &unused) ? &out.held : &out.released) += outcome->exits;
    }
    return out;
}

// Functions of the tree that hand a lock over: come back with it, or let go what they did not take; and those that do
// both.
typedef struct {
    U32Array over, whole; // by class
    u32 *first, *next;    // by function its first node; by node the next one of the same function
    Map *told;            // (function, class): does it tell? 1 no, 2 yes; many ask of the same wrapper
} LeakTables;

static void count_up(U32Array *counts, ClassId class) {
    while (counts->count <= class)
        array_push(counts, 0);
    counts->items[class]++;
}

static bool has_class(const U32Array *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i] == class)
            return true;
    return false;
}

// By whatever word for it.
static bool has_word(const Analysis *self, const U32Array *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (class_covers(self, set->items[i], class))
            return true;
    return false;
}

static void fill_nodes(const Analysis *self, LeakTables *out) {
    u32 functions = self->program->functions.count, nodes = self->nodes.count;
    out->first = must_alloc(sizeof(u32) * (functions + 1u));
    out->next = must_alloc(sizeof(u32) * (nodes + 1u));
    memset(out->first, 0xff, sizeof(u32) * (functions + 1u));
    for (u32 n = 0; n < nodes; n++) {
        out->next[n] = out->first[self->nodes.items[n].function];
        out->first[self->nodes.items[n].function] = n;
    }
}

static void tables_begin(const Analysis *self, LeakTables *out) {
    Map seen = {0};
    fill_nodes(self, out);
    for (u32 f = 0; f < self->program->functions.count; f++) {
        const Skeleton *skeleton = &self->skeletons[f];
        for (u32 s = 0; s < skeleton->step_count; s++)
            for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
                ClassId class = self->operations.items[skeleton->steps[s].effect + i].class;
                bool fresh, over = has_class(&self->leaves[f], class) || has_class(&self->releases[f], class);
                map_put(&seen, (u64)f << 32 | class, &fresh);
                if (fresh)
                    count_up(over ? &out->over : &out->whole, class);
            }
    }
    map_free(&seen);
}

typedef struct {
    u32 node;
    const Outcome *outcome;
    ClassId class;
    u32 site; // where it was taken
    Exits exits;
    bool always; // no exit lets it go
} Leak;

// the way to the exit ---------------------------------------------------------------

static bool is_noticed(const SkeletonStep *step) {
    return step->kind == STEP_LOCK || step->kind == STEP_CALL || step->kind == STEP_BLOCK || step->kind == STEP_JOIN;
}

#define ASIDE_DEPTH 3 // branches between the one that is asked and the release

static bool reaches(const Skeleton *skeleton, u32 from, u32 to, u8 *seen, U32Array *work) {
    memset(seen, 0, skeleton->block_count);
    work->count = 0;
    array_push(work, from);
    while (work->count) {
        u32 at = work->items[--work->count];
        if (at == to)
            return true;
        const SkeletonBlock *block = &skeleton->blocks[at];
        for (u32 i = 0; !seen[at] && i < block->successor_count; i++)
            array_push(work, skeleton->successors[block->successor + i]);
        seen[at] = 1;
    }
    return false;
}

// Scratch of one question about one function.
typedef struct {
    const Skeleton *skeleton;
    ClassId class;
    u32 exit;       // the block the function is left from
    u8 *seen, *met; // by block: on the plain way; in a search aside
    U32Array work, aside;
} PlainWay;

// Does a way from here let the lock go before it does anything else, and come to the exit after it?
static bool lets_go_at_once(const Analysis *self, PlainWay *way, u32 at, u32 depth) {
    const Skeleton *skeleton = way->skeleton;
    const SkeletonBlock *block = &skeleton->blocks[at];
    for (u32 s = 0; s < block->step_count; s++)
        if (is_noticed(&skeleton->steps[block->step + s]))
            return step_effect(self, skeleton, &skeleton->steps[block->step + s], way->class) == 1 &&
                   reaches(skeleton, at, way->exit, way->met, &way->aside);
    for (u32 i = 0; depth && i < block->successor_count; i++)
        if (lets_go_at_once(self, way, skeleton->successors[block->successor + i], depth - 1))
            return true;
    return false;
}

// A branch whose other side only lets the lock go and comes to the same exit: `if (taken) unlock();`.
static bool passes_release(const Analysis *self, PlainWay *way, const SkeletonBlock *block) {
    for (u32 i = 0; block->successor_count > 1 && i < block->successor_count; i++)
        if (lets_go_at_once(self, way, way->skeleton->successors[block->successor + i], ASIDE_DEPTH))
            return true;
    return false;
}

// The rest of a block from one of its steps, and on from there unless something lets the lock go.
static void go_on(const Analysis *self, PlainWay *way, u32 at, u32 step) {
    const SkeletonBlock *block = &way->skeleton->blocks[at];
    for (u32 s = step; s < block->step_count; s++)
        if (step_effect(self, way->skeleton, &way->skeleton->steps[block->step + s], way->class) == 1)
            return;
    if (at != way->exit && passes_release(self, way, block))
        return;
    way->seen[at] |= 2; // to its end
    for (u32 i = 0; i < block->successor_count; i++) {
        u32 next = way->skeleton->successors[block->successor + i];
        if (!(way->seen[next] & 1))
            array_push(&way->work, next);
        way->seen[next] |= 1;
    }
}

static bool is_same_place(Place a, Place b) { return a.line == b.line && a.column == b.column; }

// Is the step where the lock was taken: itself, or a call that came back with it?
static bool is_taking(const Analysis *self, const Leak *leak, const SkeletonStep *step) {
    const LockSite *site = &self->sites.items[leak->site];
    bool here = site->function == self->nodes.items[leak->node].function;
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[leak->node].function];
    return here ? is_same_place(step->place, site->place)
                : step->kind == STEP_CALL && step_effect(self, skeleton, step, leak->class) == 2;
}

// Can the exit be come to from where the lock was taken without passing by anything that may let it go? If not, whether
// it was let go hangs on a condition, which is more often misunderstood than wrong.
static bool is_plain(const Analysis *self, const Leak *leak) {
    PlainWay way = {.skeleton = &self->skeletons[self->nodes.items[leak->node].function],
                    .class = leak->class,
                    .exit = leak->outcome->block};
    way.seen = must_zero(2 * (way.skeleton->block_count + 1u));
    way.met = way.seen + way.skeleton->block_count + 1;
    for (u32 b = 0; b < way.skeleton->block_count; b++)
        for (u32 s = 0; s < way.skeleton->blocks[b].step_count; s++)
            if (is_taking(self, leak, &way.skeleton->steps[way.skeleton->blocks[b].step + s]))
                go_on(self, &way, b, s + 1);
    while (way.work.count)
        go_on(self, &way, way.work.items[--way.work.count], 0);
    bool plain = way.seen[way.exit] & 2;
    free(way.seen);
    array_free(&way.work);
    array_free(&way.aside);
    return plain;
}

// who else lets it go ---------------------------------------------------------------

// Sites that let it go and were never seen to hold it: in the function itself, and elsewhere.
typedef struct {
    bool here;
    u32 elsewhere;
} BareReleases;

static bool is_bare_in(const Analysis *self, u32 site, ClassId class, FunctionId function, const LeakTables *tables) {
    for (u32 n = tables->first[function]; n != NO_ID; n = tables->next[n]) {
        const u32 *note =
            map_get((Map *)&self->note_index, hash_mix((u64)n << 8 | NOTE_UNHELD, (u64)site << 32 | class));
        if (note && !self->notes.items[*note - 1].good)
            return true;
    }
    return false;
}

static void add_bare(const Analysis *self, FunctionId function, ClassId class, const LeakTables *tables,
                     BareReleases *out) {
    for (u32 s = class < self->class_site.count ? self->class_site.items[class] : NO_ID; s != NO_ID;
         s = self->sites.items[s].next) {
        const LockSite *site = &self->sites.items[s];
        if (!(site->uses & SITE_SPURIOUS))
            continue;
        if (site->function == function)
            out->here |= is_bare_in(self, s, class, function, tables);
        else
            out->elsewhere += !(site->uses & SITE_PAIRED);
    }
}

// In other words for it only the function itself counts: elsewhere they mean other locks as well.
static BareReleases bare_releases(const Analysis *self, const Leak *leak, const LeakTables *tables) {
    BareReleases out = {false, 0}, others = {false, 0};
    FunctionId function = self->nodes.items[leak->node].function;
    add_bare(self, function, leak->class, tables, &out);
    for (ClassId class = self->classes.items[leak->class].base; class; class = self->classes.items[class].base)
        add_bare(self, function, class, tables, &others);
    out.here |= others.here;
    return out;
}

// Does what it returns tell success, and is success what it keeps the lock with? Then it takes it for its caller.
static bool tells_success(const Analysis *self, u32 node, ClassId class) {
    const Node *info = &self->nodes.items[node];
    u8 with = 0, without = 0;
    u32 unused;
    for (u32 i = 0; i < info->outcome_count; i++) {
        const Outcome *outcome = &self->outcomes.items[info->outcome + i];
        *(holds(self, outcome->raw, class, &unused) ? &with : &without) |= outcome->mask;
    }
    if (with & without)
        return false;
    return with & VALUE_POSITIVE || (with == VALUE_ZERO && without == VALUE_NEGATIVE);
}

// Is it taken there by an operation that is one of these?
static bool is_taken_as(const Analysis *self, u32 at, bool (*fits)(const LockEffect *)) {
    const LockSite *site = &self->sites.items[at];
    const Skeleton *skeleton = &self->skeletons[site->function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++)
            if (is_same_place(skeleton->steps[s].place, site->place) &&
                fits(self->operations.items[skeleton->steps[s].effect + i].effect))
                return true;
    return false;
}

// Is it only a reader that looks again when it was disturbed? It may go away without asking.
static bool only_looks(const LockEffect *effect) {
    return lock_has(effect->lock, TRAIT_RETRIES) && effect->mode == MODE_SHARED;
}

// Something else than the holder may let it go: the end of a scope, or the scheduler, as it does a state of the CPU.
static bool goes_by_itself(const LockEffect *effect) {
    return effect->flags & (LOCK_RELEASE_ON_BLOCK | LOCK_SCOPED) ||
           (effect->global && lock_has(effect->lock, TRAIT_AWAKE));
}

// Is what the lock is in freed right before the exit? It is nobody's any more.
static bool frees_lock(const Analysis *self, const Leak *leak) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, leak->outcome->raw, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == leak->class && held[i].path)
            return frees_owner(self, self->nodes.items[leak->node].function, leak->outcome->block, held[i].path);
    return false;
}

// findings --------------------------------------------------------------------------

static void put_leak(Analysis *self, FindingList *list, const Leak *leak, const LeakTables *tables) {
    Finding *finding = findings_add(list, KIND_LOCK_LEAK);
    const char *lock = class_text(self, leak->class);
    FunctionId function = self->nodes.items[leak->node].function;
    Place place = self->skeletons[function].blocks[leak->outcome->block].place;
    const char *message = leak->always ? "%s is still held on this return, as on all others, and nobody lets it go"
                                       : "%s is still held on this return, and not on others";
    finding->message = findings_text(list, message, lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    u32 end = site_make(self, function, place);
    finding_put_site(self, list, finding, ROLE_RETURN, leak->node, end, leak->outcome->raw);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, leak->site, 0)->side = 0;
    Note note = {.node = leak->node, .holder = leak->node, .site = end, .other_site = leak->site, .class = leak->class};
    finding_put_distance(self, list, finding, &note);
    finding_add_number(list, finding, "exits_held", leak->exits.held);
    finding_add_number(list, finding, "exits_released", leak->exits.released);
    finding_add_number(list, finding, "kept_always", leak->always);
    finding_add_number(list, finding, "error_return", leak->outcome->mask == VALUE_NEGATIVE);
    finding_add_number(list, finding, "releases_in_function", leak->exits.inside);
    finding_add_number(list, finding, "released_by_callers", releases_in_callers(self, function, leak->class));
    BareReleases bare = bare_releases(self, leak, tables);
    finding_add_number(list, finding, "plain_way", is_plain(self, leak));
    finding_add_number(list, finding, "tells_success", tells_success(self, leak->node, leak->class));
    finding_add_number(list, finding, "gives_back", bare.here);
    finding_add_number(list, finding, "released_bare", bare.elsewhere);
    u32 over = leak->class < tables->over.count ? tables->over.items[leak->class] : 0;
    u32 whole = leak->class < tables->whole.count ? tables->whole.items[leak->class] : 0;
    finding_add_number(list, finding, "handover_s", over);
    finding_add_number(list, finding, "handover_f", whole);
    finding_add_number(list, finding, "handover_z", over + whole ? z_test(over, over + whole, 0.1) : 0);
}

// Does the function always come back with it, or tell by what it returns or stores?
static bool look_for_told(const Analysis *self, FunctionId function, ClassId class, const LeakTables *tables) {
    bool found = false;
    for (u32 n = tables->first[function]; n != NO_ID; n = tables->next[n]) {
        const Node *info = &self->nodes.items[n];
        u32 unused, with = 0, without = 0;
        bool told = true;
        for (u32 i = 0; i < info->outcome_count; i++) {
            const Outcome *outcome = &self->outcomes.items[info->outcome + i];
            *(holds(self, outcome->raw, class, &unused) ? &with : &without) += 1;
            told &= outcome->told;
        }
        if (with && without && !told)
            return false;
        found |= with != 0;
    }
    return found;
}

static bool tells_kept(const Analysis *self, FunctionId function, ClassId class, const LeakTables *tables) {
    u32 *known = map_put(tables->told, (u64)function << 32 | class, NULL);
    if (!*known)
        *known = look_for_told(self, function, class, tables) ? 2 : 1;
    return *known == 2;
}

// Is the same exit left without it, too? Then a wrapper asked something before it let go.
static bool leaves_both(const Analysis *self, const Leak *leak) {
    const Node *info = &self->nodes.items[leak->node];
    u32 unused;
    for (u32 i = 0; i < info->outcome_count; i++) {
        const Outcome *outcome = &self->outcomes.items[info->outcome + i];
        if (outcome->block == leak->outcome->block && !holds(self, outcome->raw, leak->class, &unused))
            return true;
    }
    return false;
}

// Does it come back with what it was asked for, locked, or with nothing, each time? Then whoever asks it knows.
static bool finds_locked(const Analysis *self, FunctionId function, ClassId class, const LeakTables *tables) {
    for (u32 n = tables->first[function]; n != NO_ID; n = tables->next[n])
        if (!tells_success(self, n, class))
            return false;
    return tells_kept(self, function, class, tables);
}

// Is it certain, each time, what those that are called here do with it?
static bool callees_are_certain(const Analysis *self, FunctionId function, ClassId class, const LeakTables *tables) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind != STEP_CALL || !step_effect(self, skeleton, step, class))
            continue;
        const CallSite *site = &self->program->calls.items[step->call];
        for (u32 t = 0; t < site->target_count; t++) {
            FunctionId callee = self->program->targets.items[site->target + t];
            if (finds_locked(self, callee, class, tables))
                continue;
            for (u32 n = tables->first[callee]; n != NO_ID; n = tables->next[n]) {
                const Outcome *outcomes = &self->outcomes.items[self->nodes.items[n].outcome];
                for (u32 i = 1; i < self->nodes.items[n].outcome_count; i++)
                    if (outcomes[i].raw != outcomes[0].raw)
                        return false;
            }
        }
    }
    return true;
}

static bool calls_directly(const Analysis *self, FunctionId function, FunctionId callee) {
    const ProgramFunction *info = &self->program->functions.items[callee];
    for (u32 i = 0; i < info->caller_count; i++)
        if (self->program->callers.items[info->caller + i] == function)
            return true;
    return false;
}

// Is it taken by a guard, which lets go at the end of its scope by a function of its own?
static bool is_guarded(const Analysis *self, FunctionId function, ClassId class) {
    const Skeleton *skeleton = &self->skeletons[function];
    bool guards = false, takes = false;
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        guards |= step->kind == STEP_CALL && step->cleanup;
        takes |= step->kind == STEP_LOCK && step_effect(self, skeleton, step, class) == 2;
    }
    return guards && !takes;
}

// Is what the lock is in handed to somebody else than the function that took it? He may let it go.
static bool is_handed_on(const Analysis *self, const Leak *leak, FunctionId taker) {
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[leak->node].function];
    const PathTable *paths = &self->paths;
    u32 count;
    const Held *held = lockset_held(&self->locksets, leak->outcome->raw, &count);
    PathId root = 0;
    for (u32 i = 0; i < count && !root; i++)
        root = held[i].class == leak->class ? path_first(paths, held[i].path) : 0;
    for (u32 s = 0; root && s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site = step->kind == STEP_CALL ? &self->program->calls.items[step->call] : NULL;
        bool takes = site && site->target_count == 1 && self->program->targets.items[site->target] == taker;
        for (u32 i = 0; site && !takes && i < step->arg_count; i++)
            if (path_first(paths, skeleton->args[step->arg + i].path) == root)
                return true;
    }
    return !root;
}

#define WHOLE_LEAST 3   // functions that let go what they took, to say that this is the habit
#define WHOLE_OF_OVER 4 // of these, for each one besides this that leaves it to others

#define CONTEXTS_OF_HANDLERS                                                                                           \
    (1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER | 1u << CONTEXT_WORK)
#define CONTEXTS_ALONE (1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE)

// Do the others that take such a lock let it go themselves? To whom a handler comes back, nobody can leave it anyway.
static bool is_against_habit(const Analysis *self, FunctionId function, ClassId class, const LeakTables *tables) {
    const ProgramFunction *info = &self->program->functions.items[function];
    u32 over = class < tables->over.count ? tables->over.items[class] : 0;
    u32 whole = class < tables->whole.count ? tables->whole.items[class] : 0;
    bool handler = !info->caller_count && info->contexts && !(info->contexts & ~CONTEXTS_OF_HANDLERS);
    return whole >= WHOLE_LEAST && (handler || whole + WHOLE_OF_OVER >= WHOLE_OF_OVER * over);
}

// Does the function always come back with what it took, although no caller ever lets it go, nor anybody who was not
// seen to hold it, and others let go what they took?
static bool is_always_kept(Analysis *self, const Leak *leak, const LeakTables *tables) {
    FunctionId function = self->nodes.items[leak->node].function;
    u32 contexts = self->node_contexts[leak->node];
    if (leak->exits.released || leak->exits.inside || self->sites.items[leak->site].function != function ||
        (contexts && !(contexts & ~CONTEXTS_ALONE)) || !is_against_habit(self, function, leak->class, tables) ||
        is_taken_as(self, leak->site, goes_by_itself) || !tells_kept(self, function, leak->class, tables))
        return false;
    BareReleases bare = bare_releases(self, leak, tables);
    return !bare.here && !bare.elsewhere && !releases_in_callers(self, function, leak->class);
}

// Is this lock, held at this exit, forgotten? Not a semaphore that signals, nor what only callers can name.
static bool is_leak(Analysis *self, const Leak *leak, const LeakTables *tables) {
    const LockClass *class = &self->classes.items[leak->class];
    const Node *info = &self->nodes.items[leak->node];
    bool here = self->sites.items[leak->site].function == info->function;
    FunctionId taker = self->sites.items[leak->site].function;
    if (class->parameter || class->local || class->scheduling || lock_has(class->kind, TRAIT_CLAIMS) ||
        (lock_has(class->kind, TRAIT_STORED) && !class->releases) || is_guarded(self, info->function, leak->class))
        return false;
    if (leak->always)
        return true;
    bool told = !here && tells_kept(self, taker, leak->class, tables);
    bool unaware = !here && !leak->exits.inside; // all others let go what that function says it took
    if (unaware && !(told && calls_directly(self, info->function, taker) && !is_handed_on(self, leak, taker) &&
                     released_by_callers(self, taker, leak->class, false)))
        return false;
    if (!here && !unaware && !releases_itself(self, info->function, leak->class) &&
        (!told || (leaves_both(self, leak) && !callees_are_certain(self, info->function, leak->class, tables))))
        return false;
    bool other = false;
    u32 unused;
    for (u32 j = 0; j < info->outcome_count && !other; j++) {
        const Outcome *second = &self->outcomes.items[info->outcome + j];
        other = (leak->exits.inside || unaware || (second->mask & leak->outcome->mask)) &&
                !holds(self, second->raw, leak->class, &unused) &&
                times_held(self, second->raw, leak->class) < times_held(self, leak->outcome->raw, leak->class);
    }
    bool gives_back = has_word(self, &self->releases[info->function], leak->class); // what it came with, for a while
    return other && !(gives_back ? releases_in_callers(self, info->function, leak->class)
                                 : released_by_callers(self, info->function, leak->class, true));
}

// Exits with and without the lock, in a function that lets it go itself or says the same to its caller on both,
// and no caller that lets it go. What is registered to run at the end, or around a fork, keeps a lock on purpose.
static void leaks_of(Analysis *self, FindingList *list, u32 node, Map *seen, const LeakTables *tables) {
    const Node *info = &self->nodes.items[node];
    const ProgramFunction *function = &self->program->functions.items[info->function];
    if ((function->marks & MARK_ACQUIRES) || function->contexts == 1u << CONTEXT_EXIT)
        return;
    for (u32 i = 0; i < info->outcome_count; i++) {
        Outcome outcome = self->outcomes.items[info->outcome + i];
        u32 count;
        lockset_held(&self->locksets, outcome.raw, &count);
        for (u32 k = 0; k < count; k++) {
            Leak leak = {.node = node, .outcome = &outcome};
            leak.class = lockset_held(&self->locksets, outcome.raw, &count)[k].class;
            bool fresh = false;
            if (leak.class < CLASS_FIRST || self->classes.items[leak.class].thread ||
                !holds(self, outcome.raw, leak.class, &leak.site) || leak.site == NO_ID)
                continue;
            leak.exits = count_exits(self, node, leak.class);
            leak.always = is_always_kept(self, &leak, tables);
            if (is_leak(self, &leak, tables) && !is_taken_as(self, leak.site, only_looks) && !frees_lock(self, &leak))
                map_put(seen, (u64)info->function << 32 | leak.class, &fresh);
            if (fresh)
                put_leak(self, list, &leak, tables);
        }
    }
}

void find_leaks(Analysis *self, FindingList *out) {
    Map seen = {0}, told = {0};
    LeakTables tables = {.told = &told};
    tables_begin(self, &tables);
    for (u32 n = 0; n < self->nodes.count; n++)
        leaks_of(self, out, n, &seen, &tables);
    free(tables.first);
    free(tables.next);
    array_free(&tables.over);
    array_free(&tables.whole);
    map_free(&told);
    map_free(&seen);
}
