// effects.c: what a lock call does to the locks held, and what was met there.
// In: a state, the call's declared effects. Out: the state after it (two, when it may fail), and events that the checks
// read afterwards (check/met.c). A locking error ends the path as a false one.
#include "racerx/walk/walk.h"

typedef struct {
    Frame *frame;
    Analysis *analysis;
    const SkeletonStep *step;
    HeldSet held;
    bool ended; // a locking error: this path cannot be
} Set;

static void set_begin(Set *self, Frame *frame, const SkeletonStep *step, LocksetId set) {
    self->frame = frame;
    self->analysis = frame->walk->analysis;
    self->step = step;
    self->ended = false;
    held_load(&self->held, &self->analysis->locksets, set);
}

static void set_end(Set *self) { held_end(&self->held); }

static bool is_cpu(ClassId class) { return class && class < CLASS_FIRST; }

static Node *frame_node(const Frame *self) { return &self->walk->analysis->nodes.items[self->node]; }

// What is met with these locks held, in whatever order.
static void meet(Set *self, LockEvent event) {
    HeldSet held;
    held_begin(&held);
    for (u32 i = 0; i < self->held.count; i++)
        held_push(&held, self->held.items[i]);
    event.held = held_intern(&held, &self->analysis->locksets);
    event_put(self->frame, event);
}

// Somebody else must come by before this goes on.
static void meet_await(Set *self, ClassId class) {
    Analysis *analysis = self->analysis;
    class = bound_class(analysis, frame_node(self->frame), class);
    if (class < CLASS_FIRST || analysis->classes.items[class].parameter || analysis->classes.items[class].local)
        return;
    u32 site = site_get(analysis, self->frame->function, self->step->place, class);
    meet(self, (LockEvent){.kind = MET_AWAIT, .site = site, .class = class});
}

// The condition variable that is slept on stands right before the mutex that is let go of meanwhile.
static void meet_sleeping_on(Set *self) {
    const SkeletonStep *before = self->step - 1;
    if (self->step > self->frame->skeleton->steps && before->kind == STEP_SIGNAL && before->mask == SIGNAL_SLEEP &&
        before->expr == self->step->expr)
        meet_await(self, before->effect);
}

// effects -----------------------------------------------------------------------

static u32 find_held(const Set *self, ClassId class, PathId path) {
    for (u32 i = self->held.count; i-- > 0;)
        if (self->held.items[i].class == class && self->held.items[i].path == path)
            return i;
    return NO_ID;
}

// Does the place have an element of an array on the way? Which one is not sure.
static bool has_element(const PathTable *paths, PathId path) {
    for (; paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        u32 member = step_name(paths->paths.items[path].step);
        if (!step_is_up(paths->paths.items[path].step) && (member >= STEP_INDEXED || member <= STEP_ELEMENT))
            return true;
    }
    return false;
}

// A lock of a global that is one object, whatever leads to it.
static bool is_one_global(const PathTable *paths, PathId path) {
    const Path *place = &paths->paths.items[path];
    return path && place->root == ROOT_GLOBAL && !path_goes_through_pointer(paths, path) && !has_element(paths, path);
}

// The very lock that is taken, if it is held: by its place, or a global's by its name where one side reached it through
// a pointer that it was given.
static u32 find_same(const Set *self, const LockOperation *operation, ClassId class) {
    const PathTable *paths = &self->analysis->paths;
    bool global = self->analysis->classes.items[class].global;
    if (!operation->path && !global)
        return NO_ID;
    u32 found = find_held(self, class, operation->path);
    bool given = operation->path && paths->paths.items[operation->path].root == ROOT_PARAM;
    for (u32 i = self->held.count; found == NO_ID && global && i-- > 0;) {
        PathId path = self->held.items[i].path;
        bool was_given = path && paths->paths.items[path].root == ROOT_PARAM;
        if (self->held.items[i].class == class &&
            ((given && is_one_global(paths, path)) || (was_given && is_one_global(paths, operation->path))))
            found = i;
    }
    return found;
}

static void drop_held(Set *self, u32 index) {
    if (self->held.items[index].count > 1) {
        self->held.items[index].count--;
        return;
    }
    held_remove(&self->held, index);
}

static void count_again(Held *held) {
    if (held->count < TIMES_MOST)
        held->count++;
    else
        limit_reached(LIMIT_TIMES_MOST);
}

static void cpu_off(Set *self, ClassId class, u32 site, u32 effect_flags) {
    u16 everywhere = effect_flags & LOCK_EVERYWHERE ? HELD_EVERYWHERE : 0;
    for (u32 i = 0; i < self->held.count; i++)
        if (self->held.items[i].class == class && (self->held.items[i].flags & HELD_VAGUE)) {
            held_remove(&self->held, i); // now it is sure
            break;
        } else if (self->held.items[i].class == class) {
            count_again(&self->held.items[i]);
            self->held.items[i].flags |= everywhere;
            return;
        }
    held_push(&self->held,
              (Held){class, 0, everywhere | (effect_flags & LOCK_RELEASE_ON_BLOCK ? HELD_YIELDS : 0), 1, site});
}

// A child has none of the threads of its parent; and what is done to memory that both have is not told apart.
static void enter_child(Set *self, u32 site) {
    if (self->analysis->shares_memory)
        return;
    for (u32 i = self->held.count; i-- > 0;)
        if (self->analysis->classes.items[self->held.items[i].class].thread)
            held_remove(&self->held, i);
    cpu_off(self, CLASS_CHILD, site, 0);
}

static void cpu_on(Set *self, ClassId class) {
    for (u32 i = 0; i < self->held.count; i++)
        if (self->held.items[i].class == class) {
            drop_held(self, i);
            return;
        }
}

static void apply_disables(Set *self, const LockEffect *effect, bool off, u32 site) {
    static const struct {
        u32 bit;
        ClassId class;
    } table[] = {{DISABLES_INTERRUPTS, CLASS_INTERRUPTS},
                 {DISABLES_SOFTIRQS, CLASS_SOFTIRQS},
                 {DISABLES_PREEMPTION, CLASS_PREEMPTION},
                 {DISABLES_SIGNALS, CLASS_SIGNALS}};
    for (u32 i = 0; i < sizeof table / sizeof *table; i++) {
        if (!(effect->disables & table[i].bit))
            continue;
        if (off)
            cpu_off(self, table[i].class, site, effect->flags);
        else
            cpu_on(self, table[i].class);
    }
}

// Was another of its class taken right here, in an earlier round of a loop? All of them are one.
static bool is_another_round(const Set *self, ClassId class, PathId path, u32 site) {
    for (u32 i = 0; i < self->held.count; i++) {
        const Held *held = &self->held.items[i];
        if (held->class == class && held->site == site && !held->path && path)
            return true;
    }
    return false;
}

static bool has_class(const U32Array *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i] == class)
            return true;
    return false;
}

// Does the function take the lock that it was given, which its caller holds, and come back with it? Then it had let go
// of it, in a way that is not seen: it waits. Who names the lock himself locks for his caller.
static bool waits_by_hand(const Set *self, const Held *old, ClassId class) {
    const Analysis *analysis = self->analysis;
    FunctionId function = self->frame->function;
    return analysis->classes.items[class].parameter && old->flags & HELD_OUTER &&
           has_class(&analysis->leaves[function], class) && !has_class(&analysis->releases[function], class);
}

// Does a reader who comes again wait for a writer that came in between, who waits for him?
static bool waits_for_writers(const LockEffect *effect, const LockClass *info, const Held *old, u16 flags) {
    return (flags & HELD_SHARED) && (old->flags & HELD_SHARED) && !(flags & HELD_TRY) && !info->recursive &&
           !(effect->flags & LOCK_RECURSIVE) && lock_has(effect->lock, TRAIT_SLEEPS) &&
           !lock_has(effect->lock, TRAIT_READS | TRAIT_RETRIES | TRAIT_SIGNALS);
}

// Is it the very lock that was taken right here, however often the way comes round? A global's, or one in what a
// parameter points to that is never written.
static bool is_same_each_round(const Set *self, PathId path) {
    const Analysis *analysis = self->analysis;
    const PathTable *paths = &analysis->paths;
    const Path *root = &paths->paths.items[path_first(paths, path)];
    u32 pointers = 0;
    for (PathId at = path; at && paths->paths.items[at].depth; at = paths->paths.items[at].parent)
        pointers += step_is_pointer(paths->paths.items[at].step);
    if (!path || has_element(paths, path))
        return false;
    return root->root == ROOT_GLOBAL ? !pointers
                                     : root->root == ROOT_PARAM && root->step < 32 && pointers <= 1 &&
                                           analysis->skeletons[self->frame->function].fixed >> root->step & 1;
}

static void acquire(Set *self, const LockOperation *operation, ClassId class) {
    Analysis *analysis = self->analysis;
    const LockEffect *effect = operation->effect;
    u32 site = site_get(analysis, self->frame->function, self->step->place, class);
    if (class == CLASS_CHILD) {
        enter_child(self, site);
        return;
    }
    if (is_cpu(class)) {
        cpu_off(self, class, site, effect->flags);
        return;
    }
    bool spins = (lock_has(effect->lock, TRAIT_SPINS) || (effect->flags & LOCK_SLEEPLESS)) &&
                 !(effect->flags & LOCK_RELEASE_ON_BLOCK);
    bool sleeps = lock_has(effect->lock, TRAIT_SLEEPS), shared = effect->mode == MODE_SHARED;
    u16 flags = (u16)((shared ? HELD_SHARED : 0) | (effect->flags & (LOCK_TRY | LOCK_TIMED) ? HELD_TRY : 0) |
                      (spins || lock_has(effect->lock, TRAIT_PINS) ? HELD_SPINS : 0));
    const LockClass *info = &analysis->classes.items[class];
    u32 known = find_same(self, operation, class);
    apply_disables(self, effect, true, site); // before it waits
    if (lock_has(effect->lock, TRAIT_SIGNALS) && !(effect->flags & (LOCK_TRY | LOCK_TIMED)))
        meet_await(self, class);
    if (lock_has(effect->lock, TRAIT_READS))
        flags |= HELD_SHARED;
    if (lock_has(effect->lock, TRAIT_RETRIES) && shared)
        flags |= HELD_LOOKS;
    if (known != NO_ID) {
        Held *old = &self->held.items[known];
        bool again = info->recursive || (effect->flags & LOCK_RECURSIVE) || (shared && (old->flags & HELD_SHARED));
        if (old->flags & (HELD_ASSERTED | HELD_LOOKS)) {
            drop_held(self, known);
        } else if (again || (flags & HELD_TRY)) {
            if (waits_for_writers(effect, info, old, flags) && is_let_go_later(analysis, frame_point(self->frame), old))
                meet(self, (LockEvent){.kind = MET_AGAIN,
                                       .site = site,
                                       .class = class,
                                       .flags = HELD_SHARED,
                                       .other = lock_site(analysis, self->frame->node, old)});
            if (again || old->site != site) // else it is another, in another round of a loop
                count_again(old);
            return;
        } else {
            bool own = old->site != NO_ID && (old->site != site || is_same_each_round(self, operation->path)) &&
                       analysis->sites.items[old->site].function == self->frame->function;
            if (waits_by_hand(self, old, operation->class))
                return;
            if (own || is_let_go_later(analysis, frame_point(self->frame), old))
                meet(self, (LockEvent){.kind = MET_AGAIN,
                                       .site = site,
                                       .class = class,
                                       .other = lock_site(analysis, self->frame->node, old),
                                       .here = own});
            self->ended = !own; // both in one function: the mistake is here, and the way may still leak it
            return;
        }
    }
    meet(self, (LockEvent){.kind = MET_TAKE,
                           .site = site,
                           .class = class,
                           .path = operation->path,
                           .flags = (u16)(flags | (effect->nested_argument ? HELD_NESTED : 0)),
                           .sleeps = sleeps});
    if (is_another_round(self, class, operation->path, site))
        return;
    held_push(&self->held, (Held){class, operation->path, flags, 1, site});
}

// Does the function itself ever take this class?
static bool takes(const Frame *self, ClassId class) {
    const Analysis *analysis = self->walk->analysis;
    const Skeleton *skeleton = self->skeleton;
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
                const LockOperation *operation = &analysis->operations.items[step->effect + i];
                if (operation->effect->kind == EFFECT_ACQUIRE && operation->class == class)
                    return true;
            }
        }
    return false;
}

// A reader of a sequence asks whether somebody wrote meanwhile: nothing was kept, and a writer keeps what he has.
static void stop_looking(Set *self, ClassId class) {
    for (u32 i = self->held.count; i-- > 0;)
        if (self->held.items[i].flags & HELD_LOOKS && class_covers(self->analysis, class, self->held.items[i].class)) {
            drop_held(self, i);
            return;
        }
}

// Are the two places known to be different ones, of one and the same thing?
static bool is_elsewhere(const Set *self, PathId a, PathId b) {
    const PathTable *paths = &self->analysis->paths;
    return a && b && a != b && path_first(paths, a) == path_first(paths, b) && !has_element(paths, a) &&
           !has_element(paths, b);
}

// The lock that is let go: this very one, else one of its class, else one that has another word for it.
static u32 find_let_go(const Set *self, ClassId class, PathId path) {
    const Analysis *analysis = self->analysis;
    u32 found = find_held(self, class, path);
    for (u32 i = self->held.count; found == NO_ID && i-- > 0;)
        found = self->held.items[i].class == class ? i : NO_ID;
    for (u32 i = self->held.count; found == NO_ID && i-- > 0;) {
        const Held *held = &self->held.items[i];
        bool by_type = class_covers(analysis, class, held->class) && !is_elsewhere(self, held->path, path);
        bool by_place = held->path && held->path == path && class_covers(analysis, held->class, class);
        found = by_type || by_place ? i : NO_ID;
    }
    return found;
}

static void release(Set *self, const LockOperation *operation, ClassId class) {
    Analysis *analysis = self->analysis;
    const LockEffect *effect = operation->effect;
    if (is_cpu(class)) {
        cpu_on(self, class);
        return;
    }
    if (lock_has(effect->lock, TRAIT_RETRIES) && effect->mode == MODE_SHARED) {
        stop_looking(self, class);
        apply_disables(self, effect, false, 0);
        return;
    }
    LockClass *info = &analysis->classes.items[class];
    u32 found = find_let_go(self, class, operation->path);
    if (found == NO_ID && map_get(&self->frame->walk->doubted, (u64)self->frame->node << 32 | class)) {
        ; // it may be held
    } else if (found == NO_ID && effect->flags & LOCK_SCOPED) {
        ; // the guard was told to let go before its scope ended
    } else if (found == NO_ID) {
        u32 site = site_get(analysis, self->frame->function, self->step->place, class);
        meet(self, (LockEvent){.kind = MET_UNHELD, .site = site, .class = class});
        if (takes(self->frame, operation->class) && !info->parameter && !lock_has(effect->lock, TRAIT_SIGNALS))
            self->ended = true;
    } else {
        u32 site = site_get(analysis, self->frame->function, self->step->place, class);
        meet(self, (LockEvent){.kind = MET_LET_GO, .site = site, .class = class});
        drop_held(self, found);
    }
    apply_disables(self, effect, false, 0);
}

// CPU state that goes with a lock goes with it while its holder waits.
static void lift_disables(Set *self, u32 disables, Held *lifted, u32 *count) {
    *count = 0;
    for (u32 i = self->held.count; i-- > 0;)
        if (is_cpu(self->held.items[i].class) && disables & cpu_bit(self->held.items[i].class) &&
            *count < CLASS_FIRST) {
            lifted[(*count)++] = self->held.items[i];
            held_remove(&self->held, i);
        }
}

static void wait(Set *self, const LockOperation *operation, ClassId class) {
    u32 found = find_held(self, class, operation->path);
    for (u32 i = self->held.count; found == NO_ID && i-- > 0;)
        if (class_covers(self->analysis, class, self->held.items[i].class))
            found = i;
    Held old = {0};
    if (found != NO_ID) {
        old = self->held.items[found];
        held_remove(&self->held, found);
    }
    Held lifted[CLASS_FIRST];
    u32 lifted_count, site = site_get(self->analysis, self->frame->function, self->step->place, class);
    lift_disables(self, found == NO_ID ? 0 : operation->effect->disables, lifted, &lifted_count);
    meet(self, (LockEvent){.kind = MET_WAIT, .site = site, .class = class});
    meet_sleeping_on(self);
    if (!(operation->effect->flags & LOCK_RETAKES) || found == NO_ID)
        return;
    u32 first = self->held.count; // it is taken again with the CPU's state as it was, but did not sleep so
    for (u32 i = 0; i < lifted_count; i++) {
        held_push(&self->held, lifted[i]);
        self->held.items[first + i].flags |= HELD_VAGUE;
    }
    meet(self, (LockEvent){.kind = MET_RETAKE, .site = site, .class = class, .path = operation->path, .sleeps = true});
    for (u32 i = 0; i < lifted_count; i++)
        self->held.items[first + i] = lifted[i];
    held_push(&self->held, old);
}

static void assert_held(Set *self, const LockOperation *operation, ClassId class) {
    for (u32 i = 0; i < self->held.count; i++)
        if (self->held.items[i].class == class)
            return;
    if ((is_cpu(class) && class != CLASS_INTERRUPTS) || self->analysis->classes.items[class].parameter)
        return;
    u32 site = site_get(self->analysis, self->frame->function, self->step->place, class);
    if (is_cpu(class)) { // keeps handlers out; that somebody may sleep here is not what it says
        held_push(&self->held, (Held){class, 0, HELD_ASSERTED | HELD_ASSURED | HELD_OUTER | HELD_VAGUE, 1, site});
        return;
    }
    const LockClass *info = &self->analysis->classes.items[class];
    bool spins = (lock_has(info->kind, TRAIT_SPINS) || info->sleepless) && !info->lets_go;
    held_push(&self->held,
              (Held){class, operation->path,
                     (u16)(HELD_ASSERTED | HELD_ASSURED | HELD_OUTER | (spins ? HELD_SPINS : 0)), 1, site});
}

static void apply_one(Set *self, const LockOperation *given, State before) {
    LockOperation named = *given, *operation = &named;
    ClassId class = bound_class(self->analysis, frame_node(self->frame), operation->class);
    ClassId told = class == operation->class ? told_class(self->analysis, self->frame->node, given, &named.path) : 0;
    class = told ? told : class;
    named.path = copies_name(self->frame, before, class, named.path);
    switch (operation->effect->kind) {
    case EFFECT_ACQUIRE: acquire(self, operation, class); break;
    case EFFECT_RELEASE: release(self, operation, class); break;
    case EFFECT_WAIT: wait(self, operation, class); break;
    case EFFECT_ASSERT: assert_held(self, operation, class); break;
    case EFFECT_DOWNGRADE:
    case EFFECT_UPGRADE: {
        u32 found = find_held(self, class, operation->path);
        if (found != NO_ID)
            self->held.items[found].flags = (u16)((self->held.items[found].flags & ~HELD_SHARED) |
                                                  (operation->effect->kind == EFFECT_DOWNGRADE ? HELD_SHARED : 0));
        break;
    }
    default: break;
    }
}

static u8 returns_mask(u8 returns) {
    switch (returns) {
    case RETURNS_ZERO:
    case RETURNS_NULL: return VALUE_ZERO;
    case RETURNS_NONZERO:
    case RETURNS_NONNULL: return VALUE_NEGATIVE | VALUE_POSITIVE;
    case RETURNS_NEGATIVE: return VALUE_NEGATIVE;
    case RETURNS_NONNEGATIVE: return VALUE_ZERO | VALUE_POSITIVE;
    default: return VALUE_ANY;
    }
}

// The reader's side is gone when nobody could be let write.
static void fail_upgrade(Set *self, const LockOperation *operation) {
    u32 found =
        find_held(self, bound_class(self->analysis, frame_node(self->frame), operation->class), operation->path);
    if (operation->effect->kind == EFFECT_UPGRADE && !(operation->effect->flags & LOCK_RETAKES) && found != NO_ID)
        drop_held(self, found);
}

// One way the call may go: every effect whose condition fits `mask`.
static bool apply_way(Frame *self, const SkeletonStep *step, State state, u8 mask, bool discard, State *out) {
    Set set;
    set_begin(&set, self, step, state.set);
    for (u32 i = 0; i < step->effect_count && !set.ended; i++) {
        LockOperation operation = set.analysis->operations.items[step->effect + i];
        u8 needs = returns_mask(operation.effect->returns);
        if ((needs & mask) || (discard && !(operation.effect->flags & LOCK_TRY)))
            apply_one(&set, &operation, state);
        else
            fail_upgrade(&set, &operation);
    }
    if (set.ended) {
        set_end(&set);
        return false;
    }
    out->set = held_intern(&set.held, &set.analysis->locksets);
    out->facts = mask == VALUE_ANY || discard ? state.facts : facts_set(self->walk, state.facts, step->expr, mask);
    return true;
}

u32 apply_lock(Frame *self, const SkeletonStep *step, State state, State *out) {
    u8 success = VALUE_ANY, failure = VALUE_ANY;
    const Analysis *analysis = self->walk->analysis;
    for (u32 i = 0; i < step->effect_count; i++) {
        success &= returns_mask(analysis->operations.items[step->effect + i].effect->returns);
        failure &= returns_mask(analysis->operations.items[step->effect + i].effect->fails);
    }
    u32 count = 0;
    bool tries = false, sure = step->effect_count > 0; // nobody looks whether it worked: it may not have
    for (u32 i = 0; i < step->effect_count; i++) {
        u32 flags = analysis->operations.items[step->effect + i].effect->flags;
        tries |= (flags & LOCK_TRY) != 0;
        sure &= (flags & (LOCK_SURE | LOCK_TRY)) == LOCK_SURE;
    }
    if (success == VALUE_ANY || !success || (step->discard && !tries) || analysis->options.no_return_classes) {
        count += apply_way(self, step, state, VALUE_ANY, true, &out[count]);
        return count;
    }
    count += apply_way(self, step, state, success, false, &out[count]);
    if (!sure)
        count += apply_way(self, step, state, (u8)(failure & ~success), false, &out[count]);
    return count;
}

// blocking and waiting -------------------------------------------------------------

void meet_block(Frame *self, const SkeletonStep *step, State state) {
    Set set;
    set_begin(&set, self, step, state.set);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    meet(&set, (LockEvent){.kind = MET_BLOCK, .site = site, .sleeps = true});
    set_end(&set);
}

void meet_out(Frame *self, const SkeletonStep *step, LocksetId held) {
    Set set;
    set_begin(&set, self, step, held);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    meet(&set, (LockEvent){.kind = MET_OUT, .site = site, .class = step->call});
    set_end(&set);
}

void meet_join(Frame *self, const SkeletonStep *step, State state) {
    Set set;
    set_begin(&set, self, step, state.set);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    meet(&set, (LockEvent){.kind = MET_JOIN, .site = site, .class = step->effect});
    set_end(&set);
}

void meet_signal(Frame *self, const SkeletonStep *step, State state) {
    if (step->mask != SIGNAL_MEET && (step->mask != SIGNAL_WAIT || step->discard != VALUE_ANY))
        return;
    Set set;
    set_begin(&set, self, step, state.set);
    meet_await(&set, step->effect);
    set_end(&set);
}

// threads -------------------------------------------------------------------------

static void note_coalive(Analysis *analysis, ClassId running, ClassId started) {
    bool fresh;
    map_put(&analysis->coalive_index, (u64)running << 32 | started, &fresh);
    if (fresh) {
        array_push(&analysis->coalive, running);
        array_push(&analysis->coalive, started);
    }
}

void apply_spawn(Frame *self, const SkeletonStep *step, State *state) {
    Analysis *analysis = self->walk->analysis;
    const Spawn *spawn = &analysis->spawns.items[step->effect];
    if (!spawn->class)
        return;
    ClassId class = spawn_class(self, spawn, step);
    HeldSet set;
    held_load(&set, &analysis->locksets, state->set);
    bool there = false;
    for (u32 i = 0; i < set.count; i++) {
        if (analysis->classes.items[set.items[i].class].thread)
            note_coalive(analysis, set.items[i].class, class);
        there |= set.items[i].class == class && !set.items[i].path;
    }
    if (!there)
        held_push(&set, (Held){class, 0, HELD_ASSURED, 1, NO_ID});
    state->set = held_intern(&set, &analysis->locksets);
}

void apply_ended(Frame *self, const SkeletonStep *step, State *state) {
    Analysis *analysis = self->walk->analysis;
    HeldSet set;
    held_load(&set, &analysis->locksets, state->set);
    u32 kept = 0;
    for (u32 i = 0; i < set.count; i++) {
        bool ended = false;
        for (u32 k = 0; k < step->effect_count; k++)
            ended |= analysis->ended.items[step->effect + k] == set.items[i].class;
        if (ended) // what it has started lives on
            set.items[i].class = analysis->classes.items[set.items[i].class].leaves;
        bool there = false;
        for (u32 k = 0; k < kept; k++)
            there |= ended && set.items[k].class == set.items[i].class;
        if (set.items[i].class && !there)
            set.items[kept++] = set.items[i];
    }
    set.count = kept;
    state->set = held_intern(&set, &analysis->locksets);
}
