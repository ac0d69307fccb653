// flow_lock.c: what the steps of a skeleton do to locks, and so to facts.
// A fact lives under the locks that were held when it was established. When one of these is let go, here or in a
// callee, others may write from there on: the fact is kept, and marked with what was let go (KnownFact.broken).
#include "racerx/stale/stale.h"

static bool keeps_out(const Analysis *self, ClassId class);

u32 flow_lock(Flow *self, ClassId class, PathId path) {
    for (u32 i = 0; i < self->locks.count; i++)
        if (self->locks.items[i].class == class && self->locks.items[i].path == path)
            return 1u << i;
    if (self->locks.count >= STALE_LOCKS_MOST) {
        limit_reached(LIMIT_STALE_LOCKS_MOST);
        return 0;
    }
    array_push(&self->locks, ((LocalLock){class, path}));
    self->keeping |= keeps_out(self->analysis, class) ? 1u << (self->locks.count - 1) : 0;
    return 1u << (self->locks.count - 1);
}

// Readers of RCU keep nobody out, but what they found alive.
static bool keeps_alive(const Analysis *self, ClassId class) {
    u8 kind = self->classes.items[class].kind;
    return class >= CLASS_FIRST && lock_has(kind, TRAIT_READS) && !lock_has(kind, TRAIT_RETRIES);
}

// Does it keep others out? Not the CPU's state, readers of RCU, counters of sequences, semaphores that signal.
static bool keeps_out(const Analysis *self, ClassId class) {
    if (class < CLASS_FIRST)
        return false;
    const LockClass *info = &self->classes.items[class];
    return !info->thread && !info->scheduling && !lock_has(info->kind, TRAIT_READS);
}

void flow_entry(Flow *self, FactSet *out) {
    const U32Array *releases = &self->analysis->releases[self->function];
    for (u32 i = 0; i < releases->count; i++)
        if (keeps_out(self->analysis, releases->items[i]))
            out->held |= flow_lock(self, releases->items[i], 0);
}

// All words of this function that may mean the lock.
static u32 meant(const Flow *self, ClassId class, PathId path) {
    u32 mask = 0;
    for (u32 i = 0; i < self->locks.count; i++) {
        const LocalLock *lock = &self->locks.items[i];
        if (class_covers(self->analysis, class, lock->class) && (!path || !lock->path || path == lock->path))
            mask |= 1u << i;
    }
    return mask;
}

static void let_go(Flow *self, u32 mask, Place place, bool below) {
    for (u32 i = 0; i < self->now.facts.count; i++) {
        KnownFact *fact = &self->now.facts.items[i];
        if (!(fact->held & mask))
            continue;
        if (!fact->broken)
            fact->released = place;
        fact->broken |= fact->held & mask;
        fact->flags |= below ? FACT_BELOW : 0;
        fact->entered &= ~mask;
    }
    for (u32 i = 0; i < self->now.facts.count; i++)
        self->now.facts.items[i].entered &= ~mask;
}

static void take(Flow *self, u32 mask, Place place) {
    for (u32 i = 0; i < self->now.facts.count; i++) {
        KnownFact *fact = &self->now.facts.items[i];
        if (mask & ~fact->held & self->keeping) {
            fact->taken = fact->entered ? fact->taken : place;
            fact->entered |= mask & ~fact->held & self->keeping;
        }
    }
    self->now.held |= mask;
}

void flow_lock_step(Flow *self, const SkeletonStep *step) {
    for (u32 i = 0; i < step->effect_count; i++) {
        const LockOperation *operation = &self->analysis->operations.items[step->effect + i];
        u8 kind = operation->effect->kind;
        if (!keeps_out(self->analysis, operation->class) && !keeps_alive(self->analysis, operation->class))
            continue;
        if (kind == EFFECT_RELEASE || kind == EFFECT_WAIT || kind == EFFECT_UPGRADE) {
            flow_lock(self, operation->class, operation->path);
            u32 mask = meant(self, operation->class, operation->path);
            bool back = kind != EFFECT_RELEASE && (kind == EFFECT_UPGRADE || operation->effect->flags & LOCK_RETAKES);
            let_go(self, mask, step->place, false);
            self->now.held &= back ? ~0u : ~mask;
        } else if (kind == EFFECT_ACQUIRE) {
            take(self, flow_lock(self, operation->class, operation->path), step->place);
        }
    }
}

static bool has_class(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, const U32Array *set,
                      ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (class_covers(self, caller_class(self, skeleton, step, set->items[i]), class))
            return true;
    return false;
}

static void call_locks(Flow *self, const SkeletonStep *step, FunctionId callee) {
    const Analysis *analysis = self->analysis;
    const U32Array *releases = &analysis->releases[callee], *leaves = &analysis->leaves[callee];
    for (u32 i = 0; i < self->locks.count && releases->count; i++) {
        ClassId class = self->locks.items[i].class;
        if (!(self->now.held & 1u << i) || !has_class(analysis, self->skeleton, step, releases, class))
            continue;
        let_go(self, 1u << i, step->place, true);
        if (!has_class(analysis, self->skeleton, step, leaves, class) &&
            !has_class(analysis, self->skeleton, step, &analysis->given_back[callee], class))
            self->now.held &= ~(1u << i);
    }
    for (u32 i = 0; i < leaves->count; i++) {
        ClassId class = caller_class(analysis, self->skeleton, step, leaves->items[i]);
        if (class && keeps_out(analysis, class) && !(self->now.held & meant(self, class, 0)))
            take(self, flow_lock(self, class, 0), step->place);
    }
}

static void call_writes(Flow *self, FunctionId callee) {
    for (u32 i = self->now.facts.count; i-- > 0;) {
        ObjectId object = fact_object(self, &self->now.facts.items[i]);
        bool copy = self->now.facts.items[i].kind == FACT_COPY;
        if (!object || !effects_write(self->effects, callee, object))
            continue;
        if (copy) // the copy stays what it is; whoever wrote the place may have renewed or taken it
            self->now.facts.items[i].flags |= FACT_CLAIMED | FACT_PINNED;
        else
            fact_drop(&self->now, i);
    }
}

void flow_call_step(Flow *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    const CallSite *site = step->call == NO_ID ? NULL : &program->calls.items[step->call];
    if (!site || !call_is_narrow(site))
        return;
    for (u32 t = 0; t < site->target_count; t++) {
        FunctionId callee = program->targets.items[site->target + t];
        call_locks(self, step, callee);
        call_writes(self, callee);
    }
}

static bool step_lets_go(const Analysis *self, const SkeletonStep *step) {
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &self->operations.items[step->effect + i];
        if (operation->effect->kind != EFFECT_ASSERT && keeps_out(self, operation->class))
            return true;
    }
    const CallSite *site =
        step->kind == STEP_CALL && step->call != NO_ID ? &self->program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count; t++)
        if (self->releases[self->program->targets.items[site->target + t]].count)
            return true;
    return false;
}

bool flow_lets_go(const Analysis *self, FunctionId function) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        if (step_lets_go(self, &skeleton->steps[s]))
            return true;
    return false;
}
