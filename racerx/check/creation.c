// creation.c: locks that a thread is started under.
// In: threads with the locks their starters surely hold. Out: which accesses these keep apart.
// The idea: a lock that the starter holds from the start of a thread to its join is as good as held by the thread,
// against all but the starter and what he starts (creation locksets). And as long as the starter has not let go of the
// lock since, a thread that has taken it once comes later than the starter (it had to wait for him).
#include "racerx/check/history.h"

// a lock until the end ----------------------------------------------------------------

typedef struct {
    Analysis *analysis;
    const SpawnRoot *started;
    ClassId lock;
} LockKeeping;

static bool lets_go(const Analysis *self, const SkeletonStep *step, ClassId lock) {
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &self->operations.items[step->effect + i];
        bool ends = operation->effect->kind == EFFECT_RELEASE || operation->effect->kind == EFFECT_WAIT;
        if (ends && (operation->class == lock || self->classes.items[operation->class].parameter))
            return true;
    }
    const CallSite *site = step->kind == STEP_CALL ? &self->program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++)
        if (releases_inside(self, self->program->targets.items[site->target + t], lock))
            return true;
    return false;
}

static bool has_ended(const Analysis *self, const SkeletonStep *step, ClassId thread) {
    for (u32 i = 0; step->kind == STEP_ENDED && i < step->effect_count; i++)
        if (self->ended.items[step->effect + i] == thread)
            return true;
    return false;
}

enum { GOES_ON, ENDS_WELL, ENDS_BADLY };

static u32 keep_through(const LockKeeping *self, const Skeleton *skeleton, u32 block, u32 from) {
    for (u32 s = from; s < skeleton->blocks[block].step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[skeleton->blocks[block].step + s];
        if (has_ended(self->analysis, step, self->started->class))
            return ENDS_WELL;
        if (lets_go(self->analysis, step, self->lock))
            return ENDS_BADLY;
    }
    return skeleton->blocks[block].term == TERM_RETURN ? ENDS_BADLY : GOES_ON;
}

// Does this edge leave a loop that has joined the thread?
static bool leaves_joined(const LockKeeping *self, const Skeleton *skeleton, u32 from, u32 to) {
    for (u32 i = 0; i < skeleton->exit_count; i++)
        if (skeleton->exits[i].from == from && skeleton->exits[i].to == to &&
            has_ended(self->analysis, &skeleton->steps[skeleton->exits[i].step], self->started->class))
            return true;
    return false;
}

static bool spot_of_spawn(const Skeleton *skeleton, u32 spawn, Spot *spot) {
    for (spot->block = 0; spot->block < skeleton->block_count; spot->block++)
        for (spot->step = 0; spot->step < skeleton->blocks[spot->block].step_count; spot->step++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[spot->block].step + spot->step];
            if (step->kind == STEP_SPAWN && step->effect == spawn)
                return true;
        }
    return false;
}

// Is the lock held on all ways from the start of the thread to its join, both in one function?
static bool is_kept(LockKeeping *self) {
    const Skeleton *skeleton = &self->analysis->skeletons[self->analysis->spawns.items[self->started->spawn].function];
    u8 *seen = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    Spot spot;
    bool kept = spot_of_spawn(skeleton, self->started->spawn, &spot);
    u32 from = kept ? spot.step + 1 : 0;
    if (kept)
        array_push(&work, spot.block);
    while (work.count && kept) {
        u32 b = work.items[--work.count], how = keep_through(self, skeleton, b, from);
        const SkeletonBlock *block = &skeleton->blocks[b];
        from = 0;
        kept = how != ENDS_BADLY;
        for (u32 i = 0; how == GOES_ON && i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (leaves_joined(self, skeleton, b, next))
                continue;
            if (!seen[next])
                array_push(&work, next);
            seen[next] = 1;
        }
    }
    array_free(&work);
    free(seen);
    return kept;
}

// Those locks of a thread's start that are held until its end.
static LocksetId kept_of(Analysis *self, const SpawnRoot *started) {
    HeldSet held;
    held_load(&held, &self->locksets, started->held);
    u32 kept = 0;
    for (u32 i = 0; i < held.count; i++) {
        LockKeeping keeping = {self, started, held.items[i].class};
        if (is_kept(&keeping))
            held.items[kept++] = held.items[i];
    }
    held.count = kept;
    return held_intern(&held, &self->locksets);
}

void fill_created(Analysis *self) {
    u8 *seen = must_zero(self->roots.count + 1u);
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        Root *root = &self->roots.items[started->root];
        LocksetId kept = started->held ? kept_of(self, started) : 0;
        bool first = !seen[started->root];
        root->begun_under = first ? started->held : lockset_join(self, root->begun_under, started->held);
        root->kept_under = first ? kept : lockset_join(self, root->kept_under, kept);
        seen[started->root] = 1;
    }
    free(seen);
}

static bool holds_one(const Analysis *self, const Sample *sample, ClassId lock) {
    u32 count;
    if (lock < CLASS_FIRST)
        return false; // signals that are blocked: whoever begins so blocks his own
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == lock && !(held[i].flags & HELD_SHARED))
            return true;
    return false;
}

static bool starts_it(const Analysis *self, u32 starter, const Root *thread) {
    for (u32 i = 0; i < thread->spawner_count; i++)
        if (self->spawners.items[thread->spawners + i] == starter)
            return true;
    return false;
}

// Does b hold what the starter of a's thread holds all the while? The starter himself does not count.
static bool is_kept_out(const Analysis *self, const Sample *a, const Sample *b) {
    const Root *thread = &self->roots.items[a->root];
    u32 count;
    const Held *held = lockset_held(&self->locksets, thread->kept_under, &count);
    for (u32 i = 0; i < count && a->root != b->root && !starts_it(self, b->root, thread); i++)
        if (holds_one(self, b, held[i].class))
            return true;
    return false;
}

// he has waited for his starter -------------------------------------------------------

typedef struct {
    const Analysis *analysis;
    ClassId lock;
} Taking;

static bool takes(void *context, const SkeletonStep *step) {
    const Taking *self = context;
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &self->analysis->operations.items[step->effect + i];
        if (operation->class == self->lock && operation->effect->kind == EFFECT_ACQUIRE &&
            !(operation->effect->flags & (LOCK_TRY | LOCK_TIMED)))
            return true;
    }
    return false;
}

// Has the thread of the sample surely taken the lock before, in one of the functions on its way?
static bool has_taken(const Analysis *self, const Sample *sample, ClassId lock) {
    Taking taking = {self, lock};
    Spot spot;
    for (u32 way = sample->way, below = NO_ID;;) {
        const WayContext *one = &self->way_contexts.items[way];
        const Skeleton *skeleton = &self->skeletons[self->nodes.items[one->node].function];
        if (spot_of_way(self, sample, way, below, &spot) && always_after(skeleton, spot, takes, &taking))
            return true;
        if (!one->from)
            return false;
        below = way;
        way = one->from - 1;
    }
}

// Can the lock have been let go between the start of the thread and the spot?
static bool was_let_go(const Analysis *self, u32 spawn, Spot spot, ClassId lock) {
    const Skeleton *skeleton = &self->skeletons[self->spawns.items[spawn].function];
    u8 *seen = must_zero(2 * (skeleton->block_count + 1u));
    U32Array work = {0};
    Spot start;
    bool gone = !spot_of_spawn(skeleton, spawn, &start);
    u32 from = start.step + 1;
    if (!gone)
        array_push(&work, 2 * start.block);
    while (work.count && !gone) {
        u32 at = work.items[--work.count], b = at / 2;
        bool is_free = at & 1;
        const SkeletonBlock *block = &skeleton->blocks[b];
        for (u32 s = from; s < block->step_count && !gone; s++) {
            gone = is_free && b == spot.block && s == spot.step;
            is_free |= lets_go(self, &skeleton->steps[block->step + s], lock);
        }
        from = 0;
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = 2 * skeleton->successors[block->successor + i] + is_free;
            if (!seen[next])
                array_push(&work, next);
            seen[next] = 1;
        }
    }
    array_free(&work);
    free(seen);
    return gone;
}

static bool was_alive(const Analysis *self, const WayContext *way, ClassId thread) {
    const LocksetId sets[] = {way->set, self->nodes.items[way->node].entry};
    for (u32 s = 0; s < 2; s++) {
        u32 count;
        const Held *held = lockset_held(&self->locksets, sets[s], &count);
        for (u32 i = 0; i < count; i++)
            if (held[i].class == thread)
                return true;
    }
    return false;
}

// Is a, of the starter, made before he first lets go of the lock since he started the thread?
static bool still_holds(const Analysis *self, const Sample *a, const SpawnRoot *started, ClassId lock) {
    Spot spot;
    for (u32 way = a->way, below = NO_ID;;) {
        const WayContext *one = &self->way_contexts.items[way];
        if (one->node == started->from)
            return !was_alive(self, one, started->class) && spot_of_way(self, a, way, below, &spot) &&
                   !was_let_go(self, started->spawn, spot, lock);
        if (!one->from)
            return false;
        below = way;
        way = one->from - 1;
    }
}

static bool comes_later(const Analysis *self, const Sample *a, const Sample *b) {
    const Root *thread = &self->roots.items[b->root];
    u32 count;
    const Held *held = lockset_held(&self->locksets, thread->begun_under, &count);
    for (u32 i = 0; i < count && thread->single && starts_it(self, a->root, thread); i++) {
        bool before = holds_one(self, a, held[i].class) && has_taken(self, b, held[i].class);
        for (u32 s = 0; before && s < self->spawn_roots.count; s++)
            if (self->spawn_roots.items[s].root == b->root)
                before = still_holds(self, a, &self->spawn_roots.items[s], held[i].class);
        if (before)
            return true;
    }
    return false;
}

bool creation_keeps_apart(const Analysis *self, const Sample *a, const Sample *b) {
    const Root *x = &self->roots.items[a->root], *y = &self->roots.items[b->root];
    if (!x->begun_under && !y->begun_under)
        return false;
    return is_kept_out(self, a, b) || is_kept_out(self, b, a) || comes_later(self, a, b) || comes_later(self, b, a);
}
