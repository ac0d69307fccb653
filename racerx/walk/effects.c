// effects.c: what a lock call does to the locks held, and what is worth noting about it.
// In: a state, the call's declared effects. Out: the state after it (two, when it may fail), order
// edges, and notes that the checks judge afterwards. A locking error ends the path as a false one.
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

bool is_held_for_good(Frame *self, const Held *held, u32 step) {
    Analysis *analysis = self->walk->analysis;
    const LockClass *class = &analysis->classes.items[held->class];
    return analysis->follows_threads && frame_node(self)->is_root && !(held->flags & (HELD_OUTER | HELD_TRY)) &&
           !class->parameter && !lock_has(class->kind, TRAIT_SIGNALS) &&
           held_anyway(analysis, self->function, self->block, step, held->class);
}

// Is this lock really held: will somebody let it go?
static bool is_sure(Frame *self, const Held *held) {
    Analysis *analysis = self->walk->analysis;
    if (analysis->options.no_unlockset || (held->flags & HELD_ASSURED))
        return true;
    if (releases_later(analysis, self->function, self->block, self->step + 1, held->class))
        return true;
    const Node *node = frame_node(self); // in the function's own words it may be a parameter's
    for (u32 p = 0; node->binding && p < 32; p++)
        if (analysis->parameter_class[p] && node_binding(analysis, node, BIND_CLASS, p) == held->class &&
            releases_later(analysis, self->function, self->block, self->step + 1, analysis->parameter_class[p]))
            return true;
    if (node->binding && told_releases(self, held->class))
        return true;
    return (!(held->flags & HELD_OUTER) && releases_in_callers(analysis, self->function, held->class)) ||
           is_held_for_good(self, held, self->step);
}

bool is_surely_held(Frame *self, const Held *held) { return is_cpu(held->class) || is_sure(self, held); }

// CPU state that was changed on taking a lock goes with it.
static bool goes_with(const Analysis *analysis, const Held *state, ClassId lock) {
    return is_cpu(state->class) && state->site != NO_ID && state->count == 1 &&
           analysis->sites.items[state->site].class == lock;
}

static LocksetId sure_locks(Set *self) {
    const Held *held = self->held.items;
    HeldSet kept, unsure;
    held_begin(&kept);
    held_begin(&unsure);
    for (u32 i = 0; i < self->held.count; i++) {
        bool sure = is_sure(self->frame, &held[i]);
        held_push(sure || is_cpu(held[i].class) ? &kept : &unsure, held[i]);
        if (!sure && is_cpu(held[i].class))
            kept.items[kept.count - 1].flags |= HELD_VAGUE;
    }
    for (u32 i = 0; i < unsure.count; i++)
        for (u32 k = kept.count; k-- > 0;)
            if (goes_with(self->analysis, &kept.items[k], unsure.items[i].class))
                held_remove(&kept, k);
    held_end(&unsure);
    return held_intern(&kept, &self->analysis->locksets);
}

// notes -------------------------------------------------------------------------

static Note *note_put(Frame *self, u8 kind, u32 site, ClassId class) {
    Analysis *analysis = self->walk->analysis;
    bool fresh;
    u32 *index = map_put(&analysis->note_index, hash_mix((u64)self->node << 8 | kind, (u64)site << 32 | class), &fresh);
    if (fresh) {
        Note note = {.kind = kind,
                     .node = self->node,
                     .holder = self->node,
                     .site = site,
                     .other_site = NO_ID,
                     .class = class,
                     .fact = self->conditionals};
        array_push(&analysis->notes, note);
        *index = analysis->notes.count;
    }
    return &analysis->notes.items[*index - 1];
}

static void note_sleep(Set *self, u32 site) {
    LocksetId sure = sure_locks(self);
    Held held;
    if (!innermost_atomic(self->analysis, self->frame->node, sure, &held))
        return;
    u32 taken = lock_site(self->analysis, self->frame->node, &held);
    Note *note = note_put(self->frame, NOTE_SLEEP, site, held.class);
    note->held = sure;
    note->other_site = taken;
    note->place = self->step->place;
}

// order -------------------------------------------------------------------------

void edge_put(Analysis *analysis, ClassId from, ClassId to, Witness witness) {
    bool fresh;
    u32 *index = map_put(&analysis->edge_index, (u64)from << 32 | to, &fresh);
    if (fresh) {
        array_push(&analysis->edges, ((OrderEdge){from, to, NO_ID, 0}));
        *index = analysis->edges.count;
    }
    OrderEdge *edge = &analysis->edges.items[*index - 1];
    u32 seen = 0;
    for (u32 w = edge->witness; w != NO_ID; w = analysis->witnesses.items[w].next, seen++)
        if (analysis->witnesses.items[w].site == witness.site &&
            analysis->witnesses.items[w].held_site == witness.held_site)
            return;
    edge->count++;
    if (seen >= WITNESSES_MOST) {
        limit_reached(LIMIT_WITNESSES_MOST);
        return;
    }
    witness.next = edge->witness;
    array_push(&analysis->witnesses, witness);
    edge->witness = analysis->witnesses.count - 1;
}

// The class of one lock that the caller told the function of; 0: it is any of its type.
static ClassId class_told(Set *self, ClassId class, PathId path) {
    Analysis *analysis = self->analysis;
    PathId root = path_first(&analysis->paths, path);
    const Path *first = &analysis->paths.paths.items[root];
    PathId bound =
        path && first->root == ROOT_PARAM ? node_binding(analysis, frame_node(self->frame), BIND_DATA, first->step) : 0;
    Held held = {.class = class, .path = bound ? path_rebase(&analysis->paths, path, root, bound, true) : path};
    if (held.path)
        name_by_path(analysis, &held);
    return held.class != class && analysis->classes.items[held.class].global ? held.class : 0;
}

// Two locks of one class, by the objects that the caller gave: left before right.
static void put_edge_within(Set *self, const Held *held, ClassId to, PathId path, Witness witness) {
    ClassId first = class_told(self, held->class, held->path), second = class_told(self, to, path);
    if (!first || !second || first == second || !is_sure(self->frame, held))
        return;
    HeldSet told; // what is held by the same names: the other's lock is no gate
    held_load(&told, &self->analysis->locksets, witness.held);
    for (u32 i = 0; i < told.count; i++) {
        ClassId class = is_cpu(told.items[i].class) ? 0 : class_told(self, told.items[i].class, told.items[i].path);
        told.items[i].class = class ? class : told.items[i].class;
    }
    witness.held = held_intern(&told, &self->analysis->locksets);
    edge_put(self->analysis, first, second, witness);
}

static void put_edges(Set *self, ClassId to, PathId path, u32 site, u16 flags, bool sleeps) {
    const LockClass *classes = self->analysis->classes.items;
    if ((flags & HELD_TRY) || classes[to].parameter || classes[to].local)
        return;
    LocksetId sure = sure_locks(self);
    u32 left;
    lockset_held(&self->analysis->locksets, sure, &left);
    acquisition_put(self->analysis, self->frame->node, site, to, sure, flags, sleeps);
    flags |= left < self->held.count ? HELD_CORRECTED : 0;
    for (u32 i = 0; i < self->held.count; i++) {
        Held held = self->held.items[i];
        const LockClass *class = &classes[held.class];
        if (held.class == to)
            put_edge_within(self, &held, to, path,
                            (Witness){self->frame->node, lock_site(self->analysis, self->frame->node, &held), site,
                                      sure, (u8)held.flags, (u8)flags, NO_ID});
        classes = self->analysis->classes.items;
        class = &classes[held.class];
        if (is_cpu(held.class) || held.class == to || class->parameter || class->local || class->thread)
            continue;
        if (lock_has(class->kind, TRAIT_READS) || (held.flags & HELD_LOOKS))
            continue;
        if (class->lets_go && (sleeps || lock_has(classes[to].kind, TRAIT_PARKS)) &&
            !self->analysis->options.no_release_on_block)
            continue;
        if (!is_sure(self->frame, &held))
            continue;
        edge_put(self->analysis, held.class, to,
                 (Witness){self->frame->node, lock_site(self->analysis, self->frame->node, &held), site, sure,
                           (u8)held.flags, (u8)flags, NO_ID});
    }
}

// effects -----------------------------------------------------------------------

static u32 find_held(const Set *self, ClassId class, PathId path) {
    for (u32 i = self->held.count; i-- > 0;)
        if (self->held.items[i].class == class && self->held.items[i].path == path)
            return i;
    return NO_ID;
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
                 {DISABLES_PREEMPTION, CLASS_PREEMPTION}};
    for (u32 i = 0; i < 3; i++) {
        if (!(effect->disables & table[i].bit))
            continue;
        if (off)
            cpu_off(self, table[i].class, site, effect->flags);
        else
            cpu_on(self, table[i].class);
    }
}

static void note_acquire(Set *self, u32 site, u16 flags) {
    LockSite *info = &self->analysis->sites.items[site];
    info->conditionals = info->uses & SITE_TAKES && info->conditionals < self->frame->conditionals
                             ? info->conditionals
                             : self->frame->conditionals;
    info->uses |= SITE_TAKES;
    info->try_only &= (flags & HELD_TRY) != 0;
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

static void acquire(Set *self, const LockOperation *operation, ClassId class) {
    Analysis *analysis = self->analysis;
    const LockEffect *effect = operation->effect;
    u32 site = site_get(analysis, self->frame->function, self->step->place, class);
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
    bool same = operation->path || info->global;
    u32 known = same ? find_held(self, class, operation->path) : NO_ID;
    apply_disables(self, effect, true, site); // before it waits
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
            if (again || old->site != site) // else it is another, in another round of a loop
                count_again(old);
            return;
        } else {
            bool own = old->site != NO_ID && old->site != site &&
                       analysis->sites.items[old->site].function == self->frame->function;
            if (own || is_sure(self->frame, old)) {
                u64 arrival = hash_mix((u64)self->frame->node << 8 | NOTE_DOUBLE, (u64)site << 32 | class);
                bool good = map_get(&self->frame->walk->bad_index, arrival) != NULL;
                Note *note = note_put(self->frame, NOTE_DOUBLE, site, class);
                note->good |= good;
                note->flags |= own;
                note->other_site = lock_site(analysis, self->frame->node, old);
                note->place = self->step->place;
                note->held = lockset_intern(&analysis->locksets, self->held.items, self->held.count);
            }
            self->ended = !own; // both in one function: the mistake is here, and the way may still leak it
            return;
        }
    }
    u32 *bad =
        map_get(&analysis->note_index, hash_mix((u64)self->frame->node << 8 | NOTE_DOUBLE, (u64)site << 32 | class));
    if (bad)
        analysis->notes.items[*bad - 1].good = true;
    else if (same) { // an error-free arrival: remembered in case an error comes later
        bool fresh;
        map_put(&self->frame->walk->bad_index,
                hash_mix((u64)self->frame->node << 8 | NOTE_DOUBLE, (u64)site << 32 | class), &fresh);
    }
    if (sleeps && !(flags & HELD_TRY))
        note_sleep(self, site);
    note_acquire(self, site, flags);
    put_edges(self, class, operation->path, site, flags, sleeps);
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

// Does the place have an element of an array on the way? Which one is not sure.
static bool has_element(const PathTable *paths, PathId path) {
    for (; paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        u32 member = paths->paths.items[path].step >> 1;
        if (!step_is_up(paths->paths.items[path].step) && (member >= STEP_INDEXED || member <= STEP_ELEMENT))
            return true;
    }
    return false;
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
        Note *note = note_put(self->frame, NOTE_UNHELD, site, class);
        note->place = self->step->place;
        analysis->sites.items[site].uses |= SITE_SPURIOUS;
        if (takes(self->frame, operation->class) && !info->parameter && !lock_has(effect->lock, TRAIT_SIGNALS))
            self->ended = true;
    } else {
        u32 site = site_get(analysis, self->frame->function, self->step->place, class);
        u32 *bad = map_get(&analysis->note_index,
                           hash_mix((u64)self->frame->node << 8 | NOTE_UNHELD, (u64)site << 32 | class));
        if (bad)
            analysis->notes.items[*bad - 1].good = true;
        analysis->sites.items[site].uses |= SITE_PAIRED;
        drop_held(self, found);
    }
    apply_disables(self, effect, false, 0);
}

// CPU state that goes with a lock goes with it while its holder waits.
static void lift_disables(Set *self, u32 disables, Held *lifted, u32 *count) {
    static const u32 bits[CLASS_FIRST] = {0, DISABLES_INTERRUPTS, DISABLES_SOFTIRQS, DISABLES_PREEMPTION};
    *count = 0;
    for (u32 i = self->held.count; i-- > 0;)
        if (is_cpu(self->held.items[i].class) && disables & bits[self->held.items[i].class] && *count < CLASS_FIRST) {
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
    note_sleep(self, site);
    if (!(operation->effect->flags & LOCK_RETAKES) || found == NO_ID)
        return;
    u32 first = self->held.count; // it is taken again with the CPU's state as it was, but did not sleep so
    for (u32 i = 0; i < lifted_count; i++) {
        held_push(&self->held, lifted[i]);
        self->held.items[first + i].flags |= HELD_VAGUE;
    }
    put_edges(self, class, operation->path, site, 0, true);
    for (u32 i = 0; i < lifted_count; i++)
        self->held.items[first + i] = lifted[i];
    held_push(&self->held, old);
}

static void assert_held(Set *self, const LockOperation *operation, ClassId class) {
    for (u32 i = 0; i < self->held.count; i++)
        if (self->held.items[i].class == class)
            return;
    if (is_cpu(class) || self->analysis->classes.items[class].parameter)
        return;
    u32 site = site_get(self->analysis, self->frame->function, self->step->place, class);
    const LockClass *info = &self->analysis->classes.items[class];
    bool spins = (lock_has(info->kind, TRAIT_SPINS) || info->sleepless) && !info->lets_go;
    held_push(&self->held,
              (Held){class, operation->path,
                     (u16)(HELD_ASSERTED | HELD_ASSURED | HELD_OUTER | (spins ? HELD_SPINS : 0)), 1, site});
}

static void apply_one(Set *self, const LockOperation *given) {
    LockOperation named = *given, *operation = &named;
    ClassId class = bound_class(self->analysis, frame_node(self->frame), operation->class);
    ClassId told = class == operation->class ? told_class(self->frame, given, &named.path) : 0;
    class = told ? told : class;
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

// One way the call may go: every effect whose condition fits `mask`.
static bool apply_way(Frame *self, const SkeletonStep *step, State state, u8 mask, bool discard, State *out) {
    Set set;
    set_begin(&set, self, step, state.set);
    for (u32 i = 0; i < step->effect_count && !set.ended; i++) {
        LockOperation operation = set.analysis->operations.items[step->effect + i];
        u8 needs = returns_mask(operation.effect->returns);
        if ((needs & mask) || (discard && !(operation.effect->flags & LOCK_TRY)))
            apply_one(&set, &operation);
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

void note_block(Frame *self, const SkeletonStep *step, State state) {
    Set set;
    set_begin(&set, self, step, state.set);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    acquisition_put(set.analysis, self->node, site, 0, set.held.count ? sure_locks(&set) : 0, 0, true);
    if (set.held.count)
        note_sleep(&set, site);
    set_end(&set);
}

void note_join(Frame *self, const SkeletonStep *step, State state) {
    Set set;
    set_begin(&set, self, step, state.set);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    Note *note = note_put(self, NOTE_JOIN, site, step->effect);
    note->held = sure_locks(&set);
    note->place = step->place;
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
    ClassId class = spawn_class(self, spawn);
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
