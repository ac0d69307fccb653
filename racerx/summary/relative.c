// relative.c: the locks of one function relative to its entry, at each of its steps and at its exit.
// In: a skeleton, the summaries of what it calls. Out: Relative.in by block, Relative.exit.
// The idea (RELAY §3.2): a dataflow over blocks. L+ must: where ways meet, only what both have is left. L− may: what
// either has. What only one way has in L+ is remembered as held perhaps: an access there is conditional. Threads go the
// other way round. Invariant: L+ never has a lock that is not surely held; when there is no room the state is unsure.
#include "racerx/facts/skeleton.h"
#include "racerx/summary/summary.h"

// sets ------------------------------------------------------------------------------

static bool lock_equal(const SummaryLock *a, const SummaryLock *b) {
    return a->class == b->class && place_equal(&a->place, &b->place);
}

static u32 run_find(const RelativeState *self, StateRun run, const SummaryLock *lock) {
    for (u32 i = 0; i < self->count[run]; i++)
        if (lock_equal(&self->locks[run][i], lock))
            return i;
    return NO_ID;
}

// The lock that is meant: the very one, else one whose place is not known, or that has the class by another word.
static u32 run_meant(const Analysis *analysis, const RelativeState *self, StateRun run, const SummaryLock *lock) {
    u32 found = run_find(self, run, lock);
    for (u32 i = self->count[run]; found == NO_ID && i-- > 0;) {
        const SummaryLock *one = &self->locks[run][i];
        bool same = class_covers(analysis, lock->class, one->class) || class_covers(analysis, one->class, lock->class);
        bool known = one->place.root != PLACE_NONE && lock->place.root != PLACE_NONE;
        if (same && (!known || one->class != lock->class || analysis->classes.items[lock->class].global))
            found = i;
    }
    return found;
}

static void run_remove(RelativeState *self, StateRun run, u32 index) {
    memmove(&self->locks[run][index], &self->locks[run][index + 1],
            sizeof(SummaryLock) * (self->count[run] - index - 1u));
    self->count[run]--;
}

static bool run_add(RelativeState *self, StateRun run, const SummaryLock *lock) {
    if (run_find(self, run, lock) != NO_ID)
        return false;
    if (limit_cuts(LIMIT_SUMMARY_LOCKS, self->count[run] == SUMMARY_LOCKS)) {
        u8 before = self->flags; // of what may be, one less loses something, and makes nothing
        self->flags |= run == RUN_PLUS || run == RUN_ENDED ? STATE_UNSURE : run == RUN_MINUS ? STATE_ANY : 0;
        return self->flags != before;
    }
    self->locks[run][self->count[run]++] = *lock;
    return true;
}

static bool run_drop_meant(const Analysis *analysis, RelativeState *self, StateRun run, const SummaryLock *lock) {
    u32 found = run_meant(analysis, self, run, lock);
    if (found != NO_ID)
        run_remove(self, run, found);
    return found != NO_ID;
}

void state_acquire(const Analysis *analysis, RelativeState *self, SummaryLock lock) {
    u32 known = run_find(self, RUN_PLUS, &lock);
    run_drop_meant(analysis, self, RUN_MINUS, &lock);
    run_drop_meant(analysis, self, RUN_MAYBE, &lock);
    if (known == NO_ID)
        run_add(self, RUN_PLUS, &lock);
    else if (self->locks[RUN_PLUS][known].times < TIMES_MOST)
        self->locks[RUN_PLUS][known].times++;
}

void state_release(const Analysis *analysis, RelativeState *self, const SummaryLock *lock) {
    u32 found = run_meant(analysis, self, RUN_PLUS, lock);
    bool perhaps = run_drop_meant(analysis, self, RUN_MAYBE, lock);
    if (found == NO_ID) {
        if (!perhaps) // else it is let go on the condition that it was taken on
            run_add(self, RUN_MINUS, lock);
        return;
    }
    SummaryLock *held = &self->locks[RUN_PLUS][found];
    if (held->times > 1 && (held->class < CLASS_FIRST || analysis->classes.items[held->class].recursive))
        held->times--;
    else
        run_remove(self, RUN_PLUS, found);
}

void state_thread(RelativeState *self, StateRun run, const SummaryLock *thread) {
    StateRun other = run == RUN_ALIVE ? RUN_ENDED : RUN_ALIVE;
    u32 there = run_find(self, other, thread);
    if (there != NO_ID)
        run_remove(self, other, there);
    run_add(self, run, thread);
}

// What only one of two ways has may be held.
static bool meet_plus(RelativeState *self, const RelativeState *other) {
    bool changed = false;
    for (u32 i = self->count[RUN_PLUS]; i-- > 0;) {
        SummaryLock lock = self->locks[RUN_PLUS][i];
        u32 there = run_find(other, RUN_PLUS, &lock);
        if (there != NO_ID) {
            SummaryLock *mine = &self->locks[RUN_PLUS][i];
            const SummaryLock *its = &other->locks[RUN_PLUS][there];
            changed |= its->times < mine->times || (its->flags & ~mine->flags);
            mine->times = its->times < mine->times ? its->times : mine->times;
            mine->flags |= its->flags;
            continue;
        }
        run_remove(self, RUN_PLUS, i);
        run_add(self, RUN_MAYBE, &lock);
        changed = true;
    }
    for (u32 i = 0; i < other->count[RUN_PLUS]; i++)
        if (run_find(self, RUN_PLUS, &other->locks[RUN_PLUS][i]) == NO_ID)
            changed |= run_add(self, RUN_MAYBE, &other->locks[RUN_PLUS][i]);
    return changed;
}

bool state_join(RelativeState *self, const RelativeState *other) {
    static const StateRun may[] = {RUN_MINUS, RUN_MAYBE, RUN_ALIVE};
    if (other->flags & STATE_NEVER)
        return false;
    if (self->flags & STATE_NEVER) {
        *self = *other;
        return true;
    }
    bool changed = meet_plus(self, other) || (other->flags & ~self->flags);
    self->flags |= other->flags;
    for (u32 r = 0; r < sizeof may / sizeof *may; r++)
        for (u32 i = 0; i < other->count[may[r]]; i++)
            changed |= run_add(self, may[r], &other->locks[may[r]][i]);
    for (u32 i = self->count[RUN_ENDED]; i-- > 0;)
        if (run_find(other, RUN_ENDED, &self->locks[RUN_ENDED][i]) == NO_ID) {
            run_remove(self, RUN_ENDED, i);
            changed = true;
        }
    return changed;
}

// steps -----------------------------------------------------------------------------

// Locks that were got if their call succeeded, until the block's branch says so.
typedef struct {
    ExprId expr; // the call
    ExprId copy; // what its result was stored in; 0: nothing
    u8 success;  // VALUE_… of the result
    const LockOperation *operation;
} Pending;
#define PENDING_MOST 4 // in one block; more are held perhaps
typedef struct {
    Pending items[PENDING_MOST];
    u32 count;
} PendingSet;

static SummaryLock lock_of(const Relative *self, const LockOperation *operation) {
    bool shared = operation->effect->mode == MODE_SHARED || lock_has(operation->effect->lock, TRAIT_READS);
    return (SummaryLock){.class = operation->class,
                         .flags = shared ? HELD_SHARED : 0,
                         .times = 1,
                         .place = place_of_path(&self->analysis->paths, operation->path)};
}

static void apply_disables(Relative *self, const LockEffect *effect, bool off) {
    for (ClassId class = CLASS_NONE + 1; class < CLASS_FIRST; class ++) {
        SummaryLock state = {.class = class, .times = 1};
        if (!(effect->disables & cpu_bit(class)))
            continue;
        if (off)
            state_acquire(self->analysis, &self->now, state);
        else
            state_release(self->analysis, &self->now, &state);
    }
}

static void take(Relative *self, const LockOperation *operation) {
    state_acquire(self->analysis, &self->now, lock_of(self, operation));
    apply_disables(self, operation->effect, true);
}

// Held perhaps: nobody was seen to ask.
static void take_perhaps(Relative *self, const LockOperation *operation) {
    SummaryLock lock = lock_of(self, operation);
    if (run_find(&self->now, RUN_PLUS, &lock) == NO_ID)
        run_add(&self->now, RUN_MAYBE, &lock);
}

static void apply_acquire(Relative *self, const SkeletonStep *step, const LockOperation *operation,
                          PendingSet *pending) {
    const LockEffect *effect = operation->effect;
    bool sure = (effect->flags & (LOCK_SURE | LOCK_TRY)) == LOCK_SURE; // nobody looks whether it worked
    bool asks = effect->returns != RETURNS_ANY && !sure;
    if (!asks || (step->discard && !(effect->flags & LOCK_TRY)))
        take(self, operation);
    else if (step->discard || pending->count == PENDING_MOST)
        take_perhaps(self, operation);
    else
        pending->items[pending->count++] = (Pending){step->expr, 0, returns_values(effect->returns), operation};
}

static void apply_operation(Relative *self, const SkeletonStep *step, const LockOperation *operation,
                            PendingSet *pending) {
    SummaryLock lock = lock_of(self, operation);
    switch (operation->effect->kind) {
    case EFFECT_ACQUIRE: apply_acquire(self, step, operation, pending); break;
    case EFFECT_WAIT:
        if (operation->effect->flags & LOCK_RETAKES)
            break;
        state_release(self->analysis, &self->now, &lock);
        apply_disables(self, operation->effect, false);
        break;
    case EFFECT_RELEASE:
        state_release(self->analysis, &self->now, &lock);
        apply_disables(self, operation->effect, false);
        break;
    case EFFECT_ASSERT:
        if (!self->analysis->classes.items[operation->class].parameter)
            state_acquire(self->analysis, &self->now, lock);
        break;
    case EFFECT_DOWNGRADE:
    case EFFECT_UPGRADE: {
        u32 found = run_find(&self->now, RUN_PLUS, &lock);
        if (found != NO_ID)
            self->now.locks[RUN_PLUS][found].flags = operation->effect->kind == EFFECT_DOWNGRADE ? HELD_SHARED : 0;
        break;
    }
    default: break;
    }
}

// A callee's lock in the caller's words; class 0: nothing the caller can name.
static SummaryLock lock_rebind(const Relative *self, const SkeletonStep *step, const SummaryLock *lock) {
    const Skeleton *skeleton = self->skeleton;
    SummaryLock mine = *lock;
    const ArgumentValue *argument = lock->place.root == PLACE_FORMAL && lock->place.id < step->arg_count
                                        ? &skeleton->args[step->arg + lock->place.id]
                                        : NULL;
    mine.class = caller_class(self->analysis, skeleton, step, lock->class);
    mine.place = place_rebind(&self->analysis->paths, &lock->place, argument);
    return mine;
}

static void apply_exit(Relative *self, const SkeletonStep *step, const FunctionSummary *callee, RelativeState *state) {
    const SummaryLock *next = callee->exit;
    state->flags |= callee->flags;
    if ((callee->flags & STATE_ANY) && state->count[RUN_PLUS]) {
        state->flags |= STATE_UNSURE;
        state->count[RUN_PLUS] = 0;
    }
    for (u32 run = 0; run < RUNS; run++)
        for (u32 i = 0; i < callee->count[run]; i++, next++) {
            SummaryLock lock = lock_rebind(self, step, next);
            if (!lock.class)
                continue;
            switch (run) {
            case RUN_PLUS: state_acquire(self->analysis, state, lock); break;
            case RUN_MINUS: state_release(self->analysis, state, &lock); break;
            case RUN_MAYBE:
                if (run_find(state, RUN_PLUS, &lock) == NO_ID)
                    run_add(state, RUN_MAYBE, &lock);
                break;
            default: state_thread(state, run, &lock); break;
            }
        }
}

// What any of its targets may have done.
static void apply_call(Relative *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    const CallSite *site = step->call == NO_ID ? NULL : &program->calls.items[step->call];
    if (!site || !site->target_count || !call_is_narrow(site))
        return;
    RelativeState all = {.flags = STATE_NEVER};
    for (u32 t = 0; t < site->target_count; t++) {
        RelativeState one = self->now;
        apply_exit(self, step, &self->summaries->functions[program->targets.items[site->target + t]], &one);
        state_join(&all, &one);
    }
    self->now = all;
}

static void start_thread(Relative *self, ClassId class) {
    SummaryLock thread = {.class = class, .times = 1};
    if (class)
        state_thread(&self->now, RUN_ALIVE, &thread);
}

static void apply_spawn(Relative *self, const SkeletonStep *step) {
    const Spawn *spawn = &self->analysis->spawns.items[step->effect];
    start_thread(self, spawn->class);
    for (u32 v = 0; v < spawn->variant_count; v++)
        start_thread(self, self->analysis->variants.items[spawn->variant + v].class);
}

// What it has started lives on.
static void apply_ended(Relative *self, const SkeletonStep *step) {
    for (u32 k = 0; k < step->effect_count; k++) {
        SummaryLock thread = {.class = self->analysis->ended.items[step->effect + k], .times = 1};
        bool alive = run_find(&self->now, RUN_ALIVE, &thread) != NO_ID;
        state_thread(&self->now, RUN_ENDED, &thread);
        if (alive && self->analysis->classes.items[thread.class].leaves)
            start_thread(self, self->analysis->classes.items[thread.class].leaves);
    }
}

static void apply_step(Relative *self, const SkeletonStep *step, PendingSet *pending) {
    switch (step->kind) {
    case STEP_LOCK:
        for (u32 i = 0; i < step->effect_count; i++)
            apply_operation(self, step, &self->analysis->operations.items[step->effect + i], pending);
        break;
    case STEP_CALL: apply_call(self, step); break;
    case STEP_SPAWN: apply_spawn(self, step); break;
    case STEP_ENDED: apply_ended(self, step); break;
    case STEP_SET:
        for (u32 i = 0; i < pending->count; i++)
            if (step->source == pending->items[i].expr)
                pending->items[i].copy = step->expr;
        break;
    default: break;
    }
}

// blocks ----------------------------------------------------------------------------

// What the branch says of calls that may have failed, on the way to one of its successors.
static void settle(Relative *self, const SkeletonBlock *block, const PendingSet *pending, u32 successor) {
    for (u32 i = 0; i < pending->count; i++) {
        const Pending *one = &pending->items[i];
        bool tested = block->term == TERM_BRANCH && block->subject && !block->idle &&
                      (block->subject == one->expr || block->subject == one->copy);
        u8 signs = tested ? value_signs(&self->analysis->values, successor ? block->no : block->yes) : VALUE_ANY;
        if (!(signs & ~one->success))
            take(self, one->operation);
        else if (signs & one->success)
            take_perhaps(self, one->operation);
    }
}

static void flow_to(Relative *self, u32 from, u32 to) {
    const Skeleton *skeleton = self->skeleton;
    for (u32 i = 0; i < skeleton->exit_count; i++)
        if (skeleton->exits[i].from == from && skeleton->exits[i].to == to)
            apply_ended(self, &skeleton->steps[skeleton->exits[i].step]);
    if (!state_join(&self->in[to], &self->now) || self->waiting[to])
        return;
    self->waiting[to] = 1;
    array_push(&self->work, to);
}

static void run_block(Relative *self, u32 index) {
    const SkeletonBlock *block = &self->skeleton->blocks[index];
    PendingSet pending = {.count = 0};
    self->now = self->in[index];
    for (u32 s = 0; s < block->step_count && !(self->now.flags & STATE_NEVER); s++)
        apply_step(self, &self->skeleton->steps[block->step + s], &pending);
    if (self->now.flags & STATE_NEVER)
        return;
    if (block->term == TERM_RETURN) {
        settle(self, block, &pending, 0);
        state_join(&self->exit, &self->now);
        return;
    }
    RelativeState after = self->now;
    for (u32 i = 0; i < block->successor_count; i++) {
        self->now = after;
        settle(self, block, &pending, i);
        flow_to(self, index, self->skeleton->successors[block->successor + i]);
    }
}

// Does nothing about locks or threads happen in it, or below?
static bool is_flat(const Relative *self) {
    const Program *program = self->analysis->program;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        if (step->kind == STEP_LOCK || step->kind == STEP_ENDED || step->kind == STEP_SPAWN)
            return false;
        const CallSite *site =
            step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
        for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count; t++) {
            const FunctionSummary *callee = &self->summaries->functions[program->targets.items[site->target + t]];
            if (callee->flags || callee->exit)
                return false;
        }
    }
    return true;
}

static void make_room(Relative *self, u32 blocks) {
    if (blocks <= self->room)
        return;
    self->room = 2 * blocks;
    self->in = must_realloc(self->in, sizeof(RelativeState) * self->room);
    self->waiting = must_realloc(self->waiting, self->room);
}

void relative_run(Relative *self, FunctionId function) {
    self->function = function;
    self->skeleton = &self->analysis->skeletons[function];
    u32 blocks = self->skeleton->block_count;
    self->flat = is_flat(self);
    memset(&self->exit, 0, sizeof self->exit);
    if (self->flat || !blocks)
        return;
    make_room(self, blocks);
    for (u32 b = 0; b < blocks; b++)
        self->in[b].flags = STATE_NEVER;
    memset(self->waiting, 0, blocks);
    memset(&self->in[0], 0, sizeof self->in[0]);
    self->exit.flags = STATE_NEVER;
    self->work.count = 0;
    array_push(&self->work, 0);
    for (u32 i = 0; i < self->work.count; i++) {
        if (i > 4096 && i > self->work.count / 2) { // what was run makes room
            memmove(self->work.items, self->work.items + i, sizeof(u32) * (self->work.count - i));
            self->work.count -= i;
            i = 0;
        }
        self->waiting[self->work.items[i]] = 0;
        run_block(self, self->work.items[i]);
    }
}

void relative_visit(Relative *self, RelativeFn visit, void *context) {
    const Skeleton *skeleton = self->skeleton;
    if (self->flat)
        memset(&self->now, 0, sizeof self->now);
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *block = &skeleton->blocks[b];
        PendingSet pending = {.count = 0};
        if (!self->flat)
            self->now = self->in[b];
        for (u32 s = 0; s < block->step_count && !(self->now.flags & STATE_NEVER); s++) {
            const SkeletonStep *step = &skeleton->steps[block->step + s];
            visit(context, step, &self->now);
            if (!self->flat)
                apply_step(self, step, &pending);
        }
    }
}

typedef struct {
    Place place;
    const SkeletonStep *found;
    RelativeState *out;
} Wanted;

static void look(void *context, const SkeletonStep *step, const RelativeState *state) {
    Wanted *self = context;
    if (self->found || step->kind != STEP_CALL || step->place.line != self->place.line ||
        step->place.column != self->place.column)
        return;
    self->found = step;
    *self->out = *state;
}

const SkeletonStep *relative_at(Relative *self, FunctionId function, Place call, RelativeState *out) {
    Wanted wanted = {call, NULL, out};
    relative_run(self, function);
    relative_visit(self, look, &wanted);
    return wanted.found;
}

void relative_free(Relative *self) {
    free(self->in);
    free(self->waiting);
    array_free(&self->work);
}
