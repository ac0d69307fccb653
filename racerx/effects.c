// effects.c: what a lock call does to the locks held, and what is worth noting about it.
// In: a state, the call's declared effects. Out: the state after it (two, when it may fail), order
// edges, and notes that the checks judge afterwards. A locking error ends the path as a false one.
#include "racerx/walk.h"

typedef struct {
    Frame *frame;
    Analysis *analysis;
    const SkeletonStep *step;
    Held held[LOCKSET_MOST + 4];
    u32 count;
    bool ended; // a locking error: this path cannot be
} Set;

static bool is_cpu(ClassId class) { return class && class < CLASS_FIRST; }

static Node *frame_node(const Frame *self) { return &self->walk->analysis->nodes.items[self->node]; }

static bool has_cpu(const Set *self, ClassId class) {
    for (u32 i = 0; i < self->count; i++)
        if (self->held[i].class == class)
            return true;
    return false;
}

// Is this lock really held: will somebody let it go?
static bool is_sure(Set *self, const Held *held) {
    Analysis *analysis = self->analysis;
    if (analysis->options.no_unlockset || (held->flags & HELD_ASSURED))
        return true;
    if (releases_later(analysis, self->frame->function, self->frame->block, self->frame->step + 1, held->class))
        return true;
    const Node *node = frame_node(self->frame); // in the function's own words it may be a parameter's
    for (u32 p = 0; node->binding && p < 32; p++)
        if (analysis->parameter_class[p] && node_binding(analysis, node, BIND_CLASS, p) == held->class &&
            releases_later(analysis, self->frame->function, self->frame->block, self->frame->step + 1, analysis->parameter_class[p]))
            return true;
    return !(held->flags & HELD_OUTER) && releases_in_callers(analysis, self->frame->function, held->class);
}

bool is_surely_held(Frame *self, const Held *held) {
    Set set = {.frame = self, .analysis = self->walk->analysis};
    return is_cpu(held->class) || is_sure(&set, held);
}

// CPU state that was changed on taking a lock goes with it.
static bool goes_with(const Analysis *analysis, const Held *state, ClassId lock) {
    return is_cpu(state->class) && state->site != NO_ID && state->count == 1 && analysis->sites.items[state->site].class == lock;
}

static LocksetId sure_locks(Set *self) {
    Held kept[LOCKSET_MOST + 4];
    bool unsure[LOCKSET_MOST + 4] = {0};
    u32 count = 0;
    for (u32 i = 0; i < self->count; i++) {
        bool dropped = !is_cpu(self->held[i].class) && !is_sure(self, &self->held[i]);
        unsure[i] |= dropped;
        for (u32 k = 0; dropped && k < self->count; k++)
            unsure[k] |= goes_with(self->analysis, &self->held[k], self->held[i].class);
    }
    for (u32 i = 0; i < self->count; i++)
        if (!unsure[i])
            kept[count++] = self->held[i];
    return lockset_intern(&self->analysis->locksets, kept, count);
}

static bool is_atomic(const Analysis *analysis, u32 node, LocksetId set, ClassId *which, u32 *site) {
    u32 count;
    const Held *held = lockset_held(&analysis->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if ((held[i].flags & HELD_SPINS) || (is_cpu(held[i].class) && !(held[i].flags & HELD_YIELDS))) {
            *which = held[i].class;
            *site = lock_site(analysis, node, &held[i]);
            if (!is_cpu(held[i].class))
                return true;
        }
    return *which != 0;
}

// notes -------------------------------------------------------------------------

static Note *note_put(Frame *self, u8 kind, u32 site, ClassId class) {
    Analysis *analysis = self->walk->analysis;
    bool fresh;
    u32 *index = map_put(&analysis->note_index, hash_mix((u64)self->node << 8 | kind, (u64)site << 32 | class), &fresh);
    if (fresh) {
        Note note = {.kind = kind, .node = self->node, .site = site, .other_site = NO_ID, .class = class, .fact = self->conditionals};
        array_push(&analysis->notes, note);
        *index = analysis->notes.count;
    }
    return &analysis->notes.items[*index - 1];
}

static void note_sleep(Set *self, u32 site, ClassId what) {
    LocksetId sure = sure_locks(self);
    ClassId which = 0;
    u32 held_site = NO_ID;
    if (!is_atomic(self->analysis, self->frame->node, sure, &which, &held_site))
        return;
    Note *note = note_put(self->frame, NOTE_SLEEP, site, which);
    note->held = sure;
    note->other_site = held_site;
    note->place = self->step->place;
    (void)what;
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
        if (analysis->witnesses.items[w].site == witness.site && analysis->witnesses.items[w].held_site == witness.held_site)
            return;
    edge->count++;
    if (seen >= 12)
        return;
    witness.next = edge->witness;
    array_push(&analysis->witnesses, witness);
    edge->witness = analysis->witnesses.count - 1;
}

static void put_edges(Set *self, ClassId to, u32 site, u16 flags, bool sleeps) {
    const LockClass *classes = self->analysis->classes.items;
    if ((flags & HELD_TRY) || classes[to].parameter || classes[to].local)
        return;
    LocksetId sure = sure_locks(self);
    u32 left;
    lockset_held(&self->analysis->locksets, sure, &left);
    acquisition_put(self->analysis, self->frame->node, site, to, sure, flags, sleeps);
    flags |= left < self->count ? HELD_CORRECTED : 0;
    for (u32 i = 0; i < self->count; i++) {
        Held held = self->held[i];
        const LockClass *class = &classes[held.class];
        if (is_cpu(held.class) || held.class == to || class->parameter || class->local || class->thread)
            continue;
        if (class->kind == LOCK_RCU || class->kind == LOCK_SRCU || class->kind == LOCK_SEQUENCE)
            continue;
        if (class->lets_go && (sleeps || classes[to].kind == LOCK_ADAPTIVE) && !self->analysis->options.no_release_on_block)
            continue;
        if (!is_sure(self, &held))
            continue;
        edge_put(self->analysis, held.class, to, (Witness){self->frame->node, lock_site(self->analysis, self->frame->node, &held), site, sure, (u8)held.flags, (u8)flags, NO_ID});
    }
}

// effects -----------------------------------------------------------------------

static u32 find_held(const Set *self, ClassId class, PathId path) {
    for (u32 i = self->count; i-- > 0;)
        if (self->held[i].class == class && self->held[i].path == path)
            return i;
    return NO_ID;
}

static void drop_held(Set *self, u32 index) {
    if (self->held[index].count > 1) {
        self->held[index].count--;
        return;
    }
    self->held[index] = self->held[--self->count];
}

static void push_held(Set *self, Held held) {
    if (self->count < LOCKSET_MOST)
        self->held[self->count++] = held;
}

static void cpu_off(Set *self, ClassId class, u32 site, u32 effect_flags) {
    u16 everywhere = effect_flags & LOCK_EVERYWHERE ? HELD_EVERYWHERE : 0;
    for (u32 i = 0; i < self->count; i++)
        if (self->held[i].class == class) {
            if (self->held[i].count < 8)
                self->held[i].count++;
            self->held[i].flags |= everywhere;
            return;
        }
    push_held(self, (Held){class, 0, everywhere | (effect_flags & LOCK_RELEASE_ON_BLOCK ? HELD_YIELDS : 0), 1, site});
}

static void cpu_on(Set *self, ClassId class) {
    for (u32 i = 0; i < self->count; i++)
        if (self->held[i].class == class) {
            drop_held(self, i);
            return;
        }
}

static void apply_disables(Set *self, const LockEffect *effect, bool off, u32 site) {
    static const struct {
        u32 bit;
        ClassId class;
    } table[] = {{DISABLES_INTERRUPTS, CLASS_INTERRUPTS}, {DISABLES_SOFTIRQS, CLASS_SOFTIRQS}, {DISABLES_PREEMPTION, CLASS_PREEMPTION}};
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
    bool off = has_cpu(self, CLASS_INTERRUPTS);
    if (!off && !(info->irqs & 1))
        info->node_on = self->frame->node;
    bool bh_off = off || has_cpu(self, CLASS_SOFTIRQS);
    if (!bh_off && !(info->irqs & 4))
        info->node_bh = self->frame->node;
    info->irqs |= (u8)((off ? 2 : 1) | (bh_off ? 8 : 4));
    info->uses |= SITE_TAKES;
    info->try_only &= (flags & HELD_TRY) != 0;
}

static void acquire(Set *self, const LockOperation *operation, ClassId class) {
    Analysis *analysis = self->analysis;
    const LockEffect *effect = operation->effect;
    u32 site = site_get(analysis, self->frame->function, self->step->place, class);
    if (is_cpu(class)) {
        cpu_off(self, class, site, effect->flags);
        return;
    }
    bool spins = (effect->lock == LOCK_SPIN || (effect->flags & LOCK_SLEEPLESS)) && !(effect->flags & LOCK_RELEASE_ON_BLOCK);
    bool sleeps = effect->lock == LOCK_MUTEX || effect->lock == LOCK_SEMAPHORE, shared = effect->mode == MODE_SHARED;
    u16 flags = (u16)((shared ? HELD_SHARED : 0) | (effect->flags & (LOCK_TRY | LOCK_TIMED) ? HELD_TRY : 0) | (spins || effect->lock == LOCK_RCU ? HELD_SPINS : 0));
    const LockClass *info = &analysis->classes.items[class];
    bool same = operation->path || info->global;
    u32 known = same ? find_held(self, class, operation->path) : NO_ID;
    apply_disables(self, effect, true, site); // before it waits
    if (effect->lock == LOCK_RCU || effect->lock == LOCK_SRCU || effect->lock == LOCK_SEQUENCE)
        flags |= HELD_SHARED;
    if (known != NO_ID) {
        Held *old = &self->held[known];
        bool again = info->recursive || (effect->flags & LOCK_RECURSIVE) || (shared && (old->flags & HELD_SHARED));
        if (old->flags & HELD_ASSERTED) {
            drop_held(self, known);
        } else if (again || (flags & HELD_TRY)) {
            if (old->count < 8)
                old->count++;
            return;
        } else {
            if (is_sure(self, old)) {
                u64 arrival = hash_mix((u64)self->frame->node << 8 | NOTE_DOUBLE, (u64)site << 32 | class);
                bool good = map_get(&self->frame->walk->bad_index, arrival) != NULL;
                Note *note = note_put(self->frame, NOTE_DOUBLE, site, class);
                note->good |= good;
                note->other_site = lock_site(analysis, self->frame->node, old);
                note->place = self->step->place;
                note->held = lockset_intern(&analysis->locksets, self->held, self->count);
            }
            self->ended = true;
            return;
        }
    }
    u32 *bad = map_get(&analysis->note_index, hash_mix((u64)self->frame->node << 8 | NOTE_DOUBLE, (u64)site << 32 | class));
    if (bad)
        analysis->notes.items[*bad - 1].good = true;
    else if (same) { // an error-free arrival: remembered in case an error comes later
        bool fresh;
        map_put(&self->frame->walk->bad_index, hash_mix((u64)self->frame->node << 8 | NOTE_DOUBLE, (u64)site << 32 | class), &fresh);
    }
    if (sleeps && !(flags & HELD_TRY))
        note_sleep(self, site, class);
    note_acquire(self, site, flags);
    put_edges(self, class, site, flags, sleeps);
    push_held(self, (Held){class, operation->path, flags, 1, site});
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

static void release(Set *self, const LockOperation *operation, ClassId class) {
    Analysis *analysis = self->analysis;
    const LockEffect *effect = operation->effect;
    if (is_cpu(class)) {
        cpu_on(self, class);
        return;
    }
    LockClass *info = &analysis->classes.items[class];
    u32 exact = find_held(self, class, operation->path), found = exact;
    for (u32 i = self->count; found == NO_ID && i-- > 0;)
        if (class_covers(analysis, class, self->held[i].class))
            found = i;
    if (found == NO_ID) {
        u32 site = site_get(analysis, self->frame->function, self->step->place, class);
        Note *note = note_put(self->frame, NOTE_UNHELD, site, class);
        note->place = self->step->place;
        analysis->sites.items[site].uses |= SITE_SPURIOUS;
        if (takes(self->frame, operation->class) && !info->parameter && effect->lock != LOCK_SEMAPHORE)
            self->ended = true;
    } else {
        u32 site = site_get(analysis, self->frame->function, self->step->place, class);
        u32 *bad = map_get(&analysis->note_index, hash_mix((u64)self->frame->node << 8 | NOTE_UNHELD, (u64)site << 32 | class));
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
    for (u32 i = self->count; i-- > 0;)
        if (is_cpu(self->held[i].class) && disables & bits[self->held[i].class] && *count < CLASS_FIRST) {
            lifted[(*count)++] = self->held[i];
            self->held[i] = self->held[--self->count];
        }
}

static void wait(Set *self, const LockOperation *operation, ClassId class) {
    u32 found = find_held(self, class, operation->path);
    for (u32 i = self->count; found == NO_ID && i-- > 0;)
        if (self->held[i].class == class)
            found = i;
    Held old = {0};
    if (found != NO_ID) {
        old = self->held[found];
        self->held[found] = self->held[--self->count];
    }
    Held lifted[CLASS_FIRST];
    u32 lifted_count, site = site_get(self->analysis, self->frame->function, self->step->place, class);
    lift_disables(self, found == NO_ID ? 0 : operation->effect->disables, lifted, &lifted_count);
    note_sleep(self, site, class);
    if (!(operation->effect->flags & LOCK_RETAKES) || found == NO_ID)
        return;
    put_edges(self, class, site, 0, true);
    for (u32 i = 0; i < lifted_count; i++)
        push_held(self, lifted[i]);
    push_held(self, old);
}

static void assert_held(Set *self, const LockOperation *operation, ClassId class) {
    for (u32 i = 0; i < self->count; i++)
        if (self->held[i].class == class)
            return;
    if (is_cpu(class) || self->analysis->classes.items[class].parameter)
        return;
    u32 site = site_get(self->analysis, self->frame->function, self->step->place, class);
    const LockClass *info = &self->analysis->classes.items[class];
    bool spins = (info->kind == LOCK_SPIN || info->sleepless) && !info->lets_go;
    push_held(self, (Held){class, operation->path, (u16)(HELD_ASSERTED | HELD_ASSURED | HELD_OUTER | (spins ? HELD_SPINS : 0)), 1, site});
}

static void apply_one(Set *self, const LockOperation *operation) {
    ClassId class = bound_class(self->analysis, frame_node(self->frame), operation->class);
    switch (operation->effect->kind) {
    case EFFECT_ACQUIRE: acquire(self, operation, class); break;
    case EFFECT_RELEASE: release(self, operation, class); break;
    case EFFECT_WAIT: wait(self, operation, class); break;
    case EFFECT_ASSERT: assert_held(self, operation, class); break;
    case EFFECT_DOWNGRADE: case EFFECT_UPGRADE: {
        u32 found = find_held(self, class, operation->path);
        if (found != NO_ID)
            self->held[found].flags = (u16)((self->held[found].flags & ~HELD_SHARED) | (operation->effect->kind == EFFECT_DOWNGRADE ? HELD_SHARED : 0));
        break;
    }
    default: break;
    }
}

static u8 returns_mask(u8 returns) {
    switch (returns) {
    case RETURNS_ZERO: case RETURNS_NULL: return VALUE_ZERO;
    case RETURNS_NONZERO: case RETURNS_NONNULL: return VALUE_NEGATIVE | VALUE_POSITIVE;
    case RETURNS_NEGATIVE: return VALUE_NEGATIVE;
    case RETURNS_NONNEGATIVE: return VALUE_ZERO | VALUE_POSITIVE;
    default: return VALUE_ANY;
    }
}

// One way the call may go: every effect whose condition fits `mask`.
static bool apply_way(Frame *self, const SkeletonStep *step, State state, u8 mask, bool discard, State *out) {
    Set set = {.frame = self, .analysis = self->walk->analysis, .step = step};
    set.count = set_copy(set.analysis, state.set, set.held);
    for (u32 i = 0; i < step->effect_count && !set.ended; i++) {
        LockOperation operation = set.analysis->operations.items[step->effect + i];
        u8 needs = returns_mask(operation.effect->returns);
        if ((needs & mask) || (discard && !(operation.effect->flags & LOCK_TRY)))
            apply_one(&set, &operation);
    }
    if (set.ended)
        return false;
    out->set = lockset_intern(&set.analysis->locksets, set.held, set.count);
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
    Set set = {.frame = self, .analysis = self->walk->analysis, .step = step};
    set.count = set_copy(set.analysis, state.set, set.held);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    acquisition_put(set.analysis, self->node, site, 0, set.count ? sure_locks(&set) : 0, 0, true);
    if (set.count)
        note_sleep(&set, site, 0);
}

void note_join(Frame *self, const SkeletonStep *step, State state) {
    Set set = {.frame = self, .analysis = self->walk->analysis, .step = step};
    set.count = set_copy(set.analysis, state.set, set.held);
    u32 site = site_get(set.analysis, self->function, step->place, 0);
    Note *note = note_put(self, NOTE_JOIN, site, step->effect);
    note->held = sure_locks(&set);
    note->place = step->place;
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
    Set set = {.frame = self, .analysis = analysis, .step = step};
    set.count = set_copy(analysis, state->set, set.held);
    for (u32 i = 0; i < set.count; i++)
        if (analysis->classes.items[set.held[i].class].thread)
            note_coalive(analysis, set.held[i].class, spawn->class);
    if (find_held(&set, spawn->class, 0) != NO_ID)
        return;
    push_held(&set, (Held){spawn->class, 0, HELD_ASSURED, 1, NO_ID});
    state->set = lockset_intern(&analysis->locksets, set.held, set.count);
}

void apply_ended(Frame *self, const SkeletonStep *step, State *state) {
    Analysis *analysis = self->walk->analysis;
    Held held[LOCKSET_MOST + 4];
    u32 count = set_copy(analysis, state->set, held), kept = 0;
    for (u32 i = 0; i < count; i++) {
        bool ended = false;
        for (u32 k = 0; k < step->effect_count; k++)
            ended |= analysis->ended.items[step->effect + k] == held[i].class;
        if (!ended)
            held[kept++] = held[i];
    }
    if (kept < count)
        state->set = lockset_intern(&analysis->locksets, held, kept);
}
