// history.c: what a thread has waited for, and what it has signalled, before it comes to a place.
// In: skeletons with the operations that order threads: semaphores and completions that are posted and waited for,
// flags that are raised and tested, barriers. Out: for a sample its History.
// The idea: forward over the blocks of a function, and down the chain of calls. Waits count when every way has them,
// posts when any has. Functions that neither do nor call any of it have an empty history, and are not looked into.
// Invariant: what is not known is not waited for, and posted.
#include "racerx/check/history.h"

enum { KEY_GOOD = 1, KEY_BAD = 2 }; // in Histories.states, …counts
enum { SIGNAL_BEGIN = 16 };         // beside SIGNAL_POST and its like: a count is set
#define MEETS_COUNTED 6             // barriers passed; more are any number

// signals -------------------------------------------------------------------------

static u32 signal_intern(Histories *self, u8 kind, u32 key) {
    bool fresh;
    u32 *id = map_put(&self->index, (u64)kind << 32 | key, &fresh);
    if (fresh) {
        array_push(&self->signals, ((Signal){.kind = kind, .key = key}));
        *id = self->signals.count - 1;
    }
    return *id;
}

// A flag by its member's name: one object may be reached by several words.
u32 flag_key(const Analysis *analysis, ObjectId object) {
    const SharedObject *one = &analysis->objects.items[object];
    return one->kind == OBJECT_GLOBAL && !one->member ? one->id : FLAG_MEMBER | one->member;
}

static bool is_signal_class(const Analysis *analysis, ClassId class) {
    return class >= CLASS_FIRST && !analysis->classes.items[class].parameter && !analysis->classes.items[class].local &&
           !analysis->classes.items[class].vague;
}

// By the type it is in, where some place knows no more of it than that.
static ClassId signal_class(const Analysis *analysis, ClassId class) {
    ClassId base = analysis->classes.items[class].base;
    bool used = base && is_signal_class(analysis, base) &&
                (analysis->classes.items[base].acquires || analysis->classes.items[base].releases);
    return used ? base : class;
}

static u32 flag_signal(const Histories *self, ObjectId object) {
    const u32 *id = object ? map_get(&self->index, (u64)SIGNAL_FLAG << 32 | flag_key(self->analysis, object)) : NULL;
    return id ? *id : NO_ID;
}

static bool is_good(const Map *keys, u32 key) {
    const u32 *state = map_get(keys, key);
    return state && *state == KEY_GOOD;
}

// A flag has this value, or at least this one; NO_ID: what is stored there is not known.
static u32 state_signal(Histories *self, ObjectId object, i32 value, bool least) {
    u32 flag = object ? flag_key(self->analysis, object) : 0;
    if (!object || !is_good(&self->states, flag))
        return NO_ID;
    u64 all = hash_mix((u64)flag << 32 | (u32)value, least);
    u32 known = self->signals.count, id = signal_intern(self, SIGNAL_STATE, (u32)(all ^ all >> 32));
    Signal *signal = &self->signals.items[id];
    if (self->signals.count > known) {
        signal->flag = flag, signal->value = value, signal->least = least;
        u32 *first = map_put(&self->state_first, flag, NULL);
        signal->next = *first;
        *first = id + 1;
    }
    return signal->flag == flag && signal->value == value && signal->least == least ? id : NO_ID;
}

static u32 count_signal(Histories *self, ObjectId object) {
    u32 key = object ? flag_key(self->analysis, object) : 0;
    return object && is_good(&self->counts, key) ? signal_intern(self, SIGNAL_COUNT, key) : NO_ID;
}

// Every operation of a step, in order: `visit` is told the signal and SIGNAL_POST, …_WAIT, …_MEET.
typedef void (*SignalFn)(void *context, u32 signal, u8 does);

static void visit_lock(Histories *self, const SkeletonStep *step, SignalFn visit, void *context) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; i < step->effect_count; i++) {
        const LockOperation *operation = &analysis->operations.items[step->effect + i];
        const LockEffect *effect = operation->effect;
        bool posts = effect->kind == EFFECT_RELEASE, waits = effect->kind == EFFECT_ACQUIRE;
        if (!lock_has(effect->lock, TRAIT_SIGNALS) || !(posts || waits) || !is_signal_class(analysis, operation->class))
            continue;
        if (posts || !(effect->flags & (LOCK_TRY | LOCK_TIMED)))
            visit(context, signal_intern(self, SIGNAL_SEMAPHORE, signal_class(analysis, operation->class)),
                  posts ? SIGNAL_POST : SIGNAL_WAIT);
    }
}

static void visit_access(Histories *self, u32 access, SignalFn visit, void *context) {
    const Access *one = &self->analysis->accesses.items[access];
    u32 signal =
        (one->flags & ACCESSED_WRITE) && !(one->flags & ACCESSED_LOWERS) ? flag_signal(self, one->object) : NO_ID;
    if (signal != NO_ID)
        visit(context, signal, SIGNAL_POST);
    if (!(one->flags & ACCESSED_WRITE) || !one->object)
        return;
    const u32 *constant = map_get(&self->analysis->constants_stored, access);
    const u32 *first = constant ? map_get(&self->state_first, flag_key(self->analysis, one->object)) : NULL;
    for (u32 s = first ? *first : 0; s; s = self->signals.items[s - 1].next) {
        const Signal *state = &self->signals.items[s - 1];
        if (state->least ? (i32)*constant >= state->value : (i32)*constant == state->value)
            visit(context, s - 1, SIGNAL_POST);
    }
    u32 count = self->counts.count ? count_signal(self, one->object) : NO_ID;
    const u32 *counted = count != NO_ID ? map_get(&self->analysis->counted, access) : NULL;
    if (count != NO_ID)
        visit(context, count, counted && *counted == COUNTS_DOWN ? SIGNAL_POST : SIGNAL_BEGIN);
}

static void visit_step(Histories *self, const SkeletonStep *step, SignalFn visit, void *context) {
    if (step->kind == STEP_LOCK)
        visit_lock(self, step, visit, context);
    if (step->kind == STEP_SIGNAL && step->mask <= SIGNAL_MEET && is_signal_class(self->analysis, step->effect) &&
        (step->mask != SIGNAL_WAIT || step->discard == VALUE_ANY))
        visit(context,
              signal_intern(self, step->mask == SIGNAL_MEET ? SIGNAL_BARRIER : SIGNAL_COMPLETION, step->effect),
              step->mask);
    for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++)
        visit_access(self, step->effect + i, visit, context);
}

// histories -----------------------------------------------------------------------

static Past *past_of(History *self, u32 signal) {
    for (u32 i = 0; i < self->count; i++)
        if (self->items[i].signal == signal)
            return &self->items[i];
    if (limit_cuts(LIMIT_HISTORY_MOST, self->count == HISTORY_MOST)) {
        self->full = true;
        return NULL;
    }
    self->items[self->count] = (Past){.signal = signal};
    return &self->items[self->count++];
}

Past history_get(const History *self, u32 signal) {
    for (u32 i = 0; i < self->count; i++)
        if (self->items[i].signal == signal)
            return self->items[i];
    return (Past){.signal = signal,
                  .posted = self->full,
                  .let_go = self->full,
                  .outstanding = self->full,
                  .most = self->full ? UINT8_MAX : 0,
                  .last = self->full ? UINT8_MAX : 0};
}

static u8 add_counts(u32 a, u32 b) { return a + b > MEETS_COUNTED ? UINT8_MAX : (u8)(a + b); }

u8 last_met(const Past *self) { return self->last ? self->last : LAST_NOWHERE; }

// Another way to the same place. Says whether anything is new.
static bool history_join(History *self, const History *other) {
    History before = *self;
    if (!other->reached)
        return false;
    if (!self->reached) {
        *self = *other;
        return true;
    }
    for (u32 i = 0; i < other->count; i++)
        past_of(self, other->items[i].signal);
    for (u32 i = 0; i < self->count; i++) {
        Past *mine = &self->items[i], its = history_get(other, mine->signal);
        mine->waited &= its.waited;
        mine->fresh &= its.fresh;
        mine->last_one &= its.last_one;
        mine->posted |= its.posted;
        mine->let_go |= its.let_go;
        mine->outstanding |= its.outstanding;
        mine->least = its.least < mine->least ? its.least : mine->least;
        mine->most = its.most > mine->most ? its.most : mine->most;
        mine->last = mine->last == its.last ? mine->last : last_met(mine) | last_met(&its);
    }
    self->full |= other->full;
    self->released |= other->released;
    return memcmp(&before, self, sizeof before) != 0;
}

// Was what is outstanding answered by what is waited for here?
static bool is_reply(const Histories *self, u32 reply, u32 to) {
    const Signal *signal = &self->signals.items[reply];
    for (u32 i = 0; signal->answers.reached && i < signal->answers.count; i++)
        if (signal->answers.items[i].signal == to && signal->answers.items[i].fresh)
            return signal->zero;
    return false;
}

typedef struct {
    Histories *self;
    History *history;
    const SkeletonStep *step; // NULL: of a branch
} Passing;

// The bit of a place that meets at a barrier.
static u8 site_bit(Signal *self, const SkeletonStep *step) {
    u32 site = 0;
    while (site < self->site_count && self->sites[site] != step)
        site++;
    if (site == BARRIER_SITES)
        return UINT8_MAX;
    self->sites[site] = step;
    self->site_count = (u8)(site < self->site_count ? self->site_count : site + 1);
    return (u8)(1u << site);
}

static void pass_signal(void *context, u32 signal, u8 does) {
    Passing *passing = context;
    History *history = passing->history;
    Past *past = past_of(history, signal);
    if (does == SIGNAL_BEGIN) { // another round is counted down
        if (past)
            past->waited = past->fresh = past->last_one = 0;
    } else if (does == SIGNAL_POST) {
        for (u32 i = 0; i < history->count; i++)
            history->items[i].fresh = 0;
        if (past)
            past->posted = past->outstanding = 1;
    } else if (past && does == SIGNAL_WAIT) {
        past->waited = past->fresh = 1;
        for (u32 i = 0; i < history->count; i++)
            history->items[i].outstanding &= !is_reply(passing->self, signal, history->items[i].signal);
    } else if (past && does == SIGNAL_MEET) {
        past->least =
            past->least == UINT8_MAX ? past->least : (u8)(past->least < MEETS_COUNTED ? past->least + 1 : past->least);
        past->most = add_counts(past->most, 1);
        past->last = site_bit(&passing->self->signals.items[signal], passing->step);
    }
}

// A lock is let go: who waits for it sees what was done so far.
static void let_go(History *history) {
    for (u32 i = 0; i < history->count; i++)
        history->items[i].let_go |= history->items[i].posted;
    history->released = true;
}

// What is done after: `self`, then `after`.
static void history_append(const Histories *histories, History *self, const History *after) {
    bool posts = after->full;
    if (after->released)
        let_go(self);
    for (u32 i = 0; i < after->count; i++)
        posts |= after->items[i].posted;
    for (u32 i = 0; i < self->count && posts; i++)
        self->items[i].fresh = 0;
    for (u32 i = 0; i < after->count; i++) {
        const Past *its = &after->items[i];
        Past *mine = past_of(self, its->signal);
        for (u32 k = 0; its->waited && k < self->count; k++)
            self->items[k].outstanding &= !is_reply(histories, its->signal, self->items[k].signal);
        if (!mine)
            continue;
        mine->waited |= its->waited;
        mine->fresh |= its->fresh;
        mine->last_one |= its->last_one;
        mine->posted |= its->posted;
        mine->let_go |= its->let_go;
        mine->outstanding |= its->outstanding;
        mine->least = add_counts(mine->least, its->least);
        mine->most = add_counts(mine->most, its->most);
        if (its->last)
            mine->last = its->last & LAST_NOWHERE ? last_met(mine) | (its->last & ~LAST_NOWHERE) : its->last;
    }
    self->full |= after->full;
}

// functions -----------------------------------------------------------------------

static const History *function_history(Histories *self, FunctionId function);

static void pass_call(Histories *self, const SkeletonStep *step, History *history) {
    const Program *program = self->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    History all = {0};
    for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
        FunctionId target = program->targets.items[site->target + t];
        const History *one = self->busy[target] ? function_history(self, target) : NULL;
        static const History nothing = {.reached = true};
        history_join(&all, one ? one : &nothing);
        all.released |= self->analysis->releases[target].count > 0;
    }
    if (all.reached)
        history_append(self, history, &all);
}

static void pass_step(Histories *self, const SkeletonStep *step, History *history) {
    Passing passing = {self, history, step};
    visit_step(self, step, pass_signal, &passing);
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        u8 kind = self->analysis->operations.items[step->effect + i].effect->kind;
        if (kind == EFFECT_RELEASE || kind == EFFECT_WAIT)
            let_go(history);
    }
    if (step->kind == STEP_CALL && step->call != NO_ID)
        pass_call(self, step, history);
}

// On the way to a successor: what the branch says of a flag, or of a wait that may fail.
static void pass_branch(Histories *self, const Skeleton *skeleton, const SkeletonBlock *block, u32 successor,
                        History *history) {
    Passing passing = {self, history, NULL};
    u32 flag =
        block->flag && (block->raised & RAISED_SUCCESSOR) == successor + 1 ? flag_signal(self, block->flag) : NO_ID;
    if (flag != NO_ID)
        pass_signal(&passing, flag, SIGNAL_WAIT);
    u32 state = block->state_on == successor + 1
                    ? state_signal(self, block->state, block->state_value, block->state_least)
                    : NO_ID;
    if (state != NO_ID)
        pass_signal(&passing, state, SIGNAL_WAIT);
    u32 count = block->emptied_on == successor + 1 ? count_signal(self, block->emptied) : NO_ID;
    if (count != NO_ID) {
        pass_signal(&passing, count, SIGNAL_WAIT);
        Past *past = past_of(history, count);
        if (past)
            past->last_one |= block->counts_down;
    }
    u8 values = value_signs(&self->analysis->values, successor ? block->no : block->yes);
    for (u32 s = 0; block->subject && s < block->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[block->step + s];
        if (step->kind == STEP_SIGNAL && step->mask == SIGNAL_WAIT && step->discard != VALUE_ANY &&
            step->expr == block->subject && !(values & ~step->discard & VALUE_ANY) &&
            is_signal_class(self->analysis, step->effect))
            pass_signal(&passing, signal_intern(self, SIGNAL_COMPLETION, step->effect), SIGNAL_WAIT);
    }
}

static bool run_block(Histories *self, const Skeleton *skeleton, History *at, u32 b) {
    const SkeletonBlock *block = &skeleton->blocks[b];
    History history = at[b];
    bool changed = false;
    for (u32 s = 0; s < block->step_count; s++)
        pass_step(self, &skeleton->steps[block->step + s], &history);
    if (block->term == TERM_RETURN)
        changed |= history_join(&at[skeleton->block_count], &history);
    for (u32 i = 0; block->term != TERM_RETURN && i < block->successor_count; i++) {
        History next = history;
        if (block->term == TERM_BRANCH)
            pass_branch(self, skeleton, block, i, &next);
        changed |= history_join(&at[skeleton->successors[block->successor + i]], &next);
    }
    return changed;
}

// At the beginning of each block, and after the last: at the end of the function. What it calls that comes back to it
// is not known meanwhile (asked).
static History *block_histories(Histories *self, FunctionId function) {
    const Skeleton *skeleton = &self->analysis->skeletons[function];
    if (self->blocks[function] || !skeleton->block_count)
        return self->blocks[function];
    History *at = must_zero(sizeof(History) * (skeleton->block_count + 1u));
    self->depth++;
    self->asked[function] = 1;
    at[0].reached = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = 0; b < skeleton->block_count; b++)
            if (at[b].reached)
                changed |= run_block(self, skeleton, at, b);
    }
    self->asked[function] = 0;
    self->depth--;
    return self->blocks[function] = at;
}

static const History *function_history(Histories *self, FunctionId function) {
    if (self->asked[function] || limit_cuts(LIMIT_CALLS_DEEPEST, self->depth >= CALLS_DEEPEST))
        return NULL;
    const History *at = block_histories(self, function);
    return at ? &at[self->analysis->skeletons[function].block_count] : NULL;
}

// At a step (before it), and of its accesses at one: `access` is NO_ID where it is a call.
static bool add_frame(Histories *self, FunctionId function, u32 access, Place call, History *out) {
    const Skeleton *skeleton = &self->analysis->skeletons[function];
    const History *at = self->busy[function] ? block_histories(self, function) : NULL;
    for (u32 b = 0; at && b < skeleton->block_count; b++) {
        History history = at[b];
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            bool here = access == NO_ID ? step->kind == STEP_CALL && step->place.line == call.line &&
                                              step->place.column == call.column
                                        : step->kind == STEP_ACCESS && access - step->effect < step->effect_count;
            if (here) {
                Passing passing = {self, &history, NULL};
                for (u32 i = step->effect; access != NO_ID && i < access; i++)
                    visit_access(self, i, pass_signal, &passing);
                history_append(self, out, &history);
                return history.reached;
            }
            pass_step(self, step, &history);
        }
    }
    return true;
}

const History *history_of(Histories *self, const Sample *sample) {
    const Analysis *analysis = self->analysis;
    bool fresh;
    u32 *known = map_put(&self->samples, (u64)sample->way << 32 | sample->access, &fresh);
    if (!fresh)
        return &self->made.items[*known];
    History history = {.reached = true};
    u32 ways[64], count = 0;
    for (u32 w = sample->way + 1; w && count < 64; w = analysis->way_contexts.items[w - 1].from)
        ways[count++] = w - 1;
    while (count-- > 0) {
        FunctionId function = analysis->nodes.items[analysis->way_contexts.items[ways[count]].node].function;
        Place call = count ? analysis->way_contexts.items[ways[count - 1]].call : (Place){0, 0};
        add_frame(self, function, count ? NO_ID : sample->access, call, &history);
    }
    array_push(&self->made, history);
    *map_get(&self->samples, (u64)sample->way << 32 | sample->access) = self->made.count - 1;
    return &self->made.items[self->made.count - 1];
}

// flags ---------------------------------------------------------------------------

// Are the flag's own accesses in order: all atomic, or under one lock?
static bool is_kept_apart(const Analysis *analysis, const Sample *samples, u32 count) {
    bool proven;
    if (analysis->objects.items[samples->object].flags & SHARED_ATOMIC)
        return true;
    if (limit_cuts(LIMIT_FLAG_SAMPLES, count > FLAG_SAMPLES))
        count = FLAG_SAMPLES; // of the rest nothing is known: no finding is made of that
    for (u32 i = 0; i < count; i++)
        for (u32 k = i + 1; k < count; k++)
            if (conflict(analysis, &samples[i], &samples[k]) && !have_common_lock(analysis, &samples[i], &samples[k]) &&
                may_run_together(analysis, &samples[i], &samples[k], &proven))
                return false;
    return true;
}

// Does only one thread, which exists once, raise it, and does another look?
static bool is_handed_over(const Analysis *analysis, const Sample *samples, u32 count) {
    u32 poster = NO_ID, others = 0;
    for (u32 i = 0; i < count; i++) {
        u32 flags = analysis->accesses.items[samples[i].access].flags;
        if (!(flags & ACCESSED_WRITE) || (flags & ACCESSED_LOWERS))
            continue;
        if ((poster != NO_ID && poster != samples[i].root) || !analysis->roots.items[samples[i].root].once)
            return false;
        poster = samples[i].root;
    }
    for (u32 i = 0; i < count; i++)
        others += samples[i].root != poster;
    return poster != NO_ID && others;
}

// By key: 1: some branch tests it; 2: something else than constants is stored, it begins with something, or it races.
static void rule_out(Histories *self, Map *keys, ObjectId object, bool good) {
    u32 *state = object ? map_get(keys, flag_key(self->analysis, object)) : NULL;
    if (state && !good)
        *state = 2;
}

// fills: signals of kind SIGNAL_FLAG: data that one thread raises, in order, and others test.
static void fill_flags(Histories *self) {
    const Analysis *analysis = self->analysis;
    Map keys = {0};
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        for (u32 b = 0; b < analysis->skeletons[f].block_count; b++)
            if (analysis->skeletons[f].blocks[b].flag)
                *map_put(&keys, flag_key(analysis, analysis->skeletons[f].blocks[b].flag), NULL) = 1;
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        const Access *one = &analysis->accesses.items[i];
        const u16 constant = ACCESSED_LOWERS | ACCESSED_RAISES | ACCESSED_ATOMIC;
        rule_out(self, &keys, one->object, !(one->flags & ACCESSED_WRITE) || (one->flags & constant));
    }
    for (u32 i = 0, end; i < analysis->samples.count; i = end) {
        const Sample *first = &analysis->samples.items[i];
        for (end = i + 1; end < analysis->samples.count && analysis->samples.items[end].object == first->object;)
            end++;
        const u32 *state = map_get(&keys, flag_key(analysis, first->object));
        if (!state || *state != 1)
            continue;
        bool good = is_handed_over(analysis, first, end - i) && is_kept_apart(analysis, first, end - i);
        rule_out(self, &keys, first->object, good);
        if (good)
            signal_intern(self, SIGNAL_FLAG, flag_key(analysis, first->object));
    }
    map_free(&keys);
}

// Is the object looked at by two threads, and are all that touch it in order?
static bool is_shared_in_order(const Analysis *analysis, const Sample *samples, u32 count) {
    bool several = false;
    for (u32 i = 0; i < count; i++)
        several |= samples[i].root != samples[0].root || !analysis->roots.items[samples[i].root].once;
    return several && is_kept_apart(analysis, samples, count);
}

static bool counts_down(const Analysis *analysis, u32 access) {
    const u32 *counts = map_get(&analysis->counted, access);
    return counts && *counts == COUNTS_DOWN;
}

// Of every place that touches a count: is it only counted down by those who are waited for, and set by others before?
static bool is_counted_down(const Analysis *analysis, const Sample *samples, u32 count) {
    bool down = false;
    for (u32 i = 0; i < count; i++) {
        bool lowers = counts_down(analysis, samples[i].access);
        down |= lowers;
        if (lowers || !(analysis->accesses.items[samples[i].access].flags & ACCESSED_WRITE))
            continue;
        for (u32 k = 0; k < count; k++) // who counts himself in may come late
            if (samples[k].root == samples[i].root && counts_down(analysis, samples[k].access))
                return false;
    }
    return down;
}

// Marks as bad what some condition does not hold of.
static void mark_keys(Map *keys, u32 key, bool good) {
    u32 *state = map_get(keys, key);
    if (state && !good)
        *state = KEY_BAD;
}

typedef Array(u64) U64Array;
typedef Array(Sample) SampleArray;

static int compare_u64(const void *a, const void *b) {
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

// fills: states, counts: flags of which every value is known, numbers that are counted down, all in order.
static void fill_states(Histories *self) {
    const Analysis *analysis = self->analysis;
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        for (u32 b = 0; b < analysis->skeletons[f].block_count; b++) {
            const SkeletonBlock *block = &analysis->skeletons[f].blocks[b];
            if (block->state)
                *map_put(&self->states, flag_key(analysis, block->state), NULL) = KEY_GOOD;
            if (block->emptied)
                *map_put(&self->counts, flag_key(analysis, block->emptied), NULL) = KEY_GOOD;
        }
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        const Access *one = &analysis->accesses.items[i];
        if (one->object && (one->flags & ACCESSED_WRITE))
            mark_keys(&self->states, flag_key(analysis, one->object), map_get(&analysis->constants_stored, i));
    }
    U64Array order = {0}; // by key, whatever word a place has for the object
    for (u32 i = 0; i < analysis->samples.count; i++) {
        u32 key = flag_key(analysis, analysis->samples.items[i].object);
        if (is_good(&self->states, key) || is_good(&self->counts, key))
            array_push(&order, (u64)key << 32 | i);
    }
    if (order.count)
        qsort(order.items, order.count, sizeof(u64), compare_u64);
    SampleArray group = {0};
    for (u32 i = 0; i < order.count;) {
        u32 key = (u32)(order.items[i] >> 32);
        for (group.count = 0; i < order.count && order.items[i] >> 32 == key; i++)
            array_push(&group, analysis->samples.items[(u32)order.items[i]]);
        bool good = is_shared_in_order(analysis, group.items, group.count);
        mark_keys(&self->states, key, good);
        mark_keys(&self->counts, key, good && is_counted_down(analysis, group.items, group.count));
    }
    array_free(&order);
    array_free(&group);
    for (u32 f = 0; f < analysis->program->functions.count; f++) // all are known before the first is posted
        for (u32 b = 0; b < analysis->skeletons[f].block_count; b++) {
            const SkeletonBlock *block = &analysis->skeletons[f].blocks[b];
            state_signal(self, block->state, block->state_value, block->state_least);
        }
}

// who does it ---------------------------------------------------------------------

typedef struct {
    Histories *self;
    bool any;
} Counting;

static void note_busy(void *context, u32 signal, u8 does) {
    Counting *counting = context;
    counting->any = true;
    (void)signal;
    (void)does;
}

// Who posts, waits or meets, itself or below.
static void fill_busy(Histories *self) {
    const Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    U32Array work = {0};
    for (u32 f = 0; f < program->functions.count; f++) {
        const Skeleton *skeleton = &analysis->skeletons[f];
        Counting counting = {self, false};
        for (u32 s = 0; s < skeleton->step_count; s++)
            visit_step(self, &skeleton->steps[s], note_busy, &counting);
        for (u32 b = 0; b < skeleton->block_count && analysis->follows_threads; b++) {
            const SkeletonBlock *block = &skeleton->blocks[b];
            counting.any |= flag_signal(self, block->flag) != NO_ID || count_signal(self, block->emptied) != NO_ID;
            counting.any |= state_signal(self, block->state, block->state_value, block->state_least) != NO_ID;
        }
        for (u32 s = 0; s < skeleton->step_count; s++)
            counting.any |= skeleton->steps[s].kind == STEP_SIGNAL;
        self->busy[f] = counting.any;
        if (counting.any)
            array_push(&work, f);
    }
    while (work.count && analysis->follows_threads) {
        const ProgramFunction *function = &program->functions.items[work.items[--work.count]];
        for (u32 c = 0; c < function->caller_count; c++) {
            u32 caller = program->callers.items[function->caller + c];
            if (!self->busy[caller])
                array_push(&work, caller);
            self->busy[caller] = 1;
        }
    }
    array_free(&work);
}

typedef struct {
    Histories *self;
    FunctionId function;
    const History *history; // at the step
} Posting;

// requires: nodes, ways. fills: roots of a signal that a function posts.
static void note_roots(Histories *self, Signal *signal, FunctionId function, u8 does) {
    const Analysis *analysis = self->analysis;
    for (u32 i = self->node_first[function]; i < self->node_first[function + 1]; i++)
        for (u32 w = analysis->context_first.items[self->nodes[i]]; w; w = analysis->way_contexts.items[w - 1].next) {
            u32 root = analysis->way_contexts.items[w - 1].root;
            if (does == SIGNAL_POST) {
                signal->poster = !signal->posts || signal->poster == root ? root : NO_ID;
                signal->posts++;
                map_put(&self->posters, (u64)(signal - self->signals.items) << 32 | root, NULL);
            }
            if (does == SIGNAL_MEET)
                map_put(&self->meeters, (u64)(signal - self->signals.items) << 32 | root, NULL);
        }
}

static void note_roots_of(void *context, u32 signal, u8 does) {
    Posting *posting = context;
    Signal *one = &posting->self->signals.items[signal];
    if (does == SIGNAL_MEET)
        one->met_in = !one->met_in || one->met_in == posting->function + 1 ? posting->function + 1 : NO_ID;
    bool told = one->kind == SIGNAL_STATE && one->least && does == SIGNAL_POST &&
                history_get(posting->history, signal).waited; // it was so already
    if (!told)
        note_roots(posting->self, one, posting->function, does);
}

// What was freshly waited for at every place that posts it; is it always answered before it is posted again?
static void note_answers(void *context, u32 signal, u8 does) {
    Posting *posting = context;
    Signal *one = &posting->self->signals.items[signal];
    if (does != SIGNAL_POST)
        return;
    history_join(&one->answers, posting->history);
    one->repeated |= history_get(posting->history, signal).outstanding;
}

static void each_step(Histories *self, SignalFn visit) {
    const Analysis *analysis = self->analysis;
    for (u32 f = 0; f < analysis->program->functions.count; f++) {
        const Skeleton *skeleton = &analysis->skeletons[f];
        const History *at = self->busy[f] ? block_histories(self, f) : NULL;
        for (u32 b = 0; at && b < skeleton->block_count; b++) {
            History history = at[b];
            for (u32 s = 0; history.reached && s < skeleton->blocks[b].step_count; s++) {
                const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
                Posting posting = {self, f, &history};
                visit_step(self, step, visit, &posting);
                pass_step(self, step, &history);
            }
        }
    }
}

static void forget_blocks(Histories *self) {
    for (u32 f = 0; f < self->analysis->program->functions.count; f++) {
        free(self->blocks[f]);
        self->blocks[f] = NULL;
    }
}

static void fill_nodes(Histories *self) {
    const Analysis *analysis = self->analysis;
    u32 functions = analysis->program->functions.count;
    self->node_first = must_zero(sizeof(u32) * (functions + 2u));
    self->nodes = must_zero(sizeof(u32) * (analysis->nodes.count + 1u));
    for (u32 n = 0; n < analysis->nodes.count; n++)
        self->node_first[analysis->nodes.items[n].function + 1]++;
    for (u32 f = 1; f < functions + 2; f++)
        self->node_first[f] += self->node_first[f - 1];
    u32 *next = must_alloc(sizeof(u32) * (functions + 2u));
    memcpy(next, self->node_first, sizeof(u32) * (functions + 2u));
    for (u32 n = 0; n < analysis->nodes.count && n < analysis->context_first.count + analysis->nodes.count; n++)
        self->nodes[next[analysis->nodes.items[n].function]++] = n;
    free(next);
}

void histories_begin(Histories *self, const Analysis *analysis) {
    u32 functions = analysis->program->functions.count + 1u;
    *self = (Histories){.analysis = analysis};
    self->busy = must_zero(functions);
    self->asked = must_zero(functions);
    self->blocks = must_zero(sizeof(History *) * functions);
    if (analysis->follows_threads)
        fill_flags(self), fill_states(self);
    fill_busy(self);
    fill_nodes(self);
    fill_begun(self);
    each_step(self, note_roots_of);
    each_step(self, note_answers); // what is answered is known only now: once more with it
    for (u32 s = 0; s < self->signals.count; s++)
        self->signals.items[s].repeated = false;
    forget_blocks(self);
    each_step(self, note_answers);
}

void histories_end(Histories *self) {
    forget_blocks(self);
    array_free(&self->signals);
    array_free(&self->made);
    map_free(&self->index);
    map_free(&self->samples);
    map_free(&self->meeters);
    map_free(&self->posters);
    map_free(&self->pairs);
    map_free(&self->states);
    map_free(&self->counts);
    map_free(&self->state_first);
    hooks_free(self->hooks);
    free(self->blocks);
    free(self->busy);
    free(self->asked);
    free(self->nodes);
    free(self->node_first);
}
