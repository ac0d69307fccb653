// unlockset.c: which locks can still be let go from here.
// In: skeletons. Out: for every function the classes held on entry that it may release (bottom up over the
// call graph), and on demand for a class the blocks from which a release of it can be reached.
// The idea is the slides': a lock that nobody will release was never really held.
#include "racerx/facts/skeleton.h"

static bool set_has(const U32Array *set, u32 value) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i] == value)
            return true;
    return false;
}

static void set_add(U32Array *set, u32 value) {
    if (!set_has(set, value))
        array_push(set, value);
}

// A callee's own words for a lock, in the caller's: what a parameter points to is what was passed.
ClassId caller_class(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class) {
    const LockClass *info = &self->classes.items[class];
    if (!info->parameter)
        return class;
    return info->param < step->arg_count ? skeleton->args[step->arg + info->param].class : 0;
}

// Whose words count: what names the lock by its type, or also what names it by more, as callers do.
typedef enum { WORDS_BY_TYPE, WORDS_OF_CALLERS } WhoseWords;

static bool is_word_for(const Analysis *self, ClassId word, ClassId class, WhoseWords words) {
    return class_covers(self, word, class) || (words == WORDS_OF_CALLERS && class_covers(self, class, word));
}

static bool callee_has(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, const U32Array *set,
                       ClassId class, WhoseWords words) {
    for (u32 i = 0; i < set->count; i++)
        if (is_word_for(self, caller_class(self, skeleton, step, set->items[i]), class, words))
            return true;
    return false;
}

// Is the operation about this class? Of the CPU's state: also a lock's that changes it on the way.
static bool is_about(const Analysis *self, const LockOperation *operation, ClassId class, WhoseWords words) {
    return class < CLASS_FIRST ? operation->class == class || (operation->effect->disables & cpu_bit(class)) != 0
                               : is_word_for(self, operation->class, class, words);
}

static u32 effect_of(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class,
                     WhoseWords words) {
    const Program *program = self->program;
    u32 result = 0;
    if (step->kind == STEP_LOCK) {
        for (u32 i = 0; i < step->effect_count; i++) {
            const LockOperation *operation = &self->operations.items[step->effect + i];
            if (!is_about(self, operation, class, words))
                continue;
            u8 kind = operation->effect->kind;
            if (kind == EFFECT_RELEASE || kind == EFFECT_WAIT || kind == EFFECT_DOWNGRADE || kind == EFFECT_UPGRADE)
                return 1;
            if (kind == EFFECT_ACQUIRE &&
                (operation->effect->returns == RETURNS_ANY || !(operation->effect->flags & LOCK_TRY)))
                result = 2;
        }
        return result;
    }
    if (step->kind != STEP_CALL)
        return 0;
    const CallSite *site = &program->calls.items[step->call];
    if (!call_is_narrow(site))
        return 0;
    for (u32 t = 0; t < site->target_count; t++)
        if (callee_has(self, skeleton, step, &self->releases[program->targets.items[site->target + t]], class, words))
            return 1;
    for (u32 t = 0; t < site->target_count; t++)
        if (callee_has(self, skeleton, step, &self->leaves[program->targets.items[site->target + t]], class, words))
            return 2;
    return 0;
}

u32 step_effect(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class) {
    return effect_of(self, skeleton, step, class, WORDS_BY_TYPE);
}

// Does the step try to take it, so that what it returns says whether it has? The values of success; 0: it does not.
static u8 tries_for(const Analysis *self, const SkeletonStep *step, ClassId class) {
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &self->operations.items[step->effect + i];
        u8 success = returns_values(operation->effect->returns);
        if (operation->effect->kind == EFFECT_ACQUIRE && operation->effect->flags & LOCK_TRY && success != VALUE_ANY &&
            is_about(self, operation, class, WORDS_BY_TYPE))
            return success;
    }
    return 0;
}

// The successor on which what the block tries to take is had, plus 1; 0: none, or it is not asked there.
static u32 had_on(const Analysis *self, const Skeleton *skeleton, const SkeletonBlock *block, ClassId class) {
    u8 success = 0;
    ExprId told = 0;
    for (u32 s = 0; s < block->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[block->step + s];
        u8 tried = tries_for(self, step, class);
        success = tried ? tried : success;
        if (tried || (told && step->kind == STEP_SET && step->source == told && !step->discard))
            told = step->expr;
    }
    if (!told || block->term != TERM_BRANCH || block->subject != told)
        return 0;
    u8 yes = value_signs(&self->values, block->yes), no = value_signs(&self->values, block->no);
    return !(yes & ~success) ? 1 : !(no & ~success) ? 2 : 0;
}

// Is a release of the class reached from the entry before it is taken here?
static bool releases_from_entry(const Analysis *self, const Skeleton *skeleton, ClassId class, u8 *seen,
                                U32Array *work) {
    memset(seen, 0, skeleton->block_count);
    work->count = 0;
    array_push(work, 0);
    seen[0] = 1;
    while (work->count) {
        const SkeletonBlock *block = &skeleton->blocks[work->items[--work->count]];
        u32 effect = 0;
        for (u32 s = 0; s < block->step_count && !effect; s++)
            effect = step_effect(self, skeleton, &skeleton->steps[block->step + s], class);
        if (effect == 1)
            return true;
        u32 had = effect ? 0 : had_on(self, skeleton, block, class);
        for (u32 s = 0; s < block->successor_count && !effect; s++) {
            u32 next = skeleton->successors[block->successor + s];
            if (!seen[next] && s + 1 != had) {
                seen[next] = 1;
                array_push(work, next);
            }
        }
    }
    return false;
}

// Can the function be left with the class held after one of its steps took it?
static bool leaves_held(const Analysis *self, const Skeleton *skeleton, ClassId class, u8 *seen, U32Array *work) {
    memset(seen, 0, skeleton->block_count);
    work->count = 0;
    for (u32 b = 0; b < skeleton->block_count; b++) {
        const SkeletonBlock *block = &skeleton->blocks[b];
        u32 last = 0;
        for (u32 s = 0; s < block->step_count; s++) {
            u32 effect = step_effect(self, skeleton, &skeleton->steps[block->step + s], class);
            last = effect ? effect : last;
        }
        if (last == 2)
            array_push(work, b); // held at the end of this block
    }
    while (work->count) {
        const SkeletonBlock *block = &skeleton->blocks[work->items[--work->count]];
        if (block->term == TERM_RETURN)
            return true;
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            if (seen[next])
                continue;
            seen[next] = 1;
            const SkeletonBlock *to = &skeleton->blocks[next];
            bool released = false;
            for (u32 k = 0; k < to->step_count && !released; k++)
                released = step_effect(self, skeleton, &skeleton->steps[to->step + k], class) == 1;
            if (!released)
                array_push(work, next);
        }
    }
    return false;
}

// What a step does in the end: who waits for a condition has the lock again, and so has who calls what gives it back.
static u32 final_effect(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class) {
    const Program *program = self->program;
    u32 effect = step_effect(self, skeleton, step, class);
    if (effect != 1)
        return effect;
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &self->operations.items[step->effect + i];
        u8 kind = operation->effect->kind;
        bool back = kind == EFFECT_WAIT ? operation->effect->flags & LOCK_RETAKES : kind != EFFECT_RELEASE;
        if (!back && is_about(self, operation, class, WORDS_BY_TYPE))
            return 1;
    }
    const CallSite *site = step->kind == STEP_CALL ? &program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++) {
        FunctionId target = program->targets.items[site->target + t];
        if (callee_has(self, skeleton, step, &self->releases[target], class, WORDS_BY_TYPE) &&
            !callee_has(self, skeleton, step, &self->given_back[target], class, WORDS_BY_TYPE))
            return 1;
    }
    return 2;
}

// Entered with the class held, does every way out have it again?
static bool gives_back(const Analysis *self, const Skeleton *skeleton, ClassId class, u8 *seen, U32Array *work) {
    enum { HELD_HERE = 1, LOST_HERE = 2 };
    memset(seen, 0, skeleton->block_count);
    work->count = 0;
    array_push(work, 0); // block * 2, and 1 when the lock is lost
    seen[0] = HELD_HERE;
    while (work->count) {
        u32 item = work->items[--work->count];
        const SkeletonBlock *block = &skeleton->blocks[item / 2];
        bool lost = item % 2;
        for (u32 s = 0; s < block->step_count; s++) {
            u32 effect = final_effect(self, skeleton, &skeleton->steps[block->step + s], class);
            lost = effect ? effect == 1 : lost;
        }
        if (lost && block->term == TERM_RETURN)
            return false;
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            u8 bit = lost ? LOST_HERE : HELD_HERE;
            if (seen[next] & bit)
                continue;
            seen[next] |= bit;
            array_push(work, next * 2 + lost);
        }
    }
    return true;
}

// The classes of one operation: the lock's, and the CPU's state that goes with it.
static void add_classes(U32Array *out, const LockOperation *operation) {
    set_add(out, operation->class);
    for (ClassId class = CLASS_NONE + 1; class < CLASS_FIRST; class ++)
        if (operation->effect->disables & cpu_bit(class))
            set_add(out, class);
}

// Classes that the function's own text, or a callee's, takes and may leave held.
static void candidate_leaves(const Analysis *self, const Skeleton *skeleton, U32Array *out) {
    const Program *program = self->program;
    const SkeletonBlock *last = &skeleton->blocks[skeleton->block_count - 1];
    out->count = 0;
    for (u32 s = 0; s < last->step + last->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++)
            if (self->operations.items[step->effect + i].effect->kind == EFFECT_ACQUIRE)
                add_classes(out, &self->operations.items[step->effect + i]);
        const CallSite *site = step->kind == STEP_CALL ? &program->calls.items[step->call] : NULL;
        for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count && out->count < RELEASES_MOST; t++) {
            const U32Array *below = &self->leaves[program->targets.items[site->target + t]];
            for (u32 i = 0; i < below->count; i++) {
                ClassId class = caller_class(self, skeleton, step, below->items[i]);
                if (class)
                    set_add(out, class);
            }
        }
    }
}

// Classes the function's own text, or a callee's, lets go.
static void candidate_releases(const Analysis *self, const Skeleton *skeleton, U32Array *out) {
    const Program *program = self->program;
    u32 last = skeleton->block_count ? skeleton->blocks[skeleton->block_count - 1].step +
                                           skeleton->blocks[skeleton->block_count - 1].step_count
                                     : 0;
    out->count = 0;
    for (u32 s = 0; s < last; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind == STEP_LOCK) {
            for (u32 i = 0; i < step->effect_count; i++) {
                const LockOperation *operation = &self->operations.items[step->effect + i];
                if (operation->effect->kind == EFFECT_RELEASE || operation->effect->kind == EFFECT_WAIT)
                    add_classes(out, operation);
            }
        } else if (step->kind == STEP_CALL) {
            const CallSite *site = &program->calls.items[step->call];
            for (u32 t = 0; call_is_narrow(site) && t < site->target_count && out->count < RELEASES_MOST * 4; t++) {
                const U32Array *below = &self->releases[program->targets.items[site->target + t]];
                for (u32 i = 0; i < below->count; i++) {
                    ClassId class = caller_class(self, skeleton, step, below->items[i]);
                    if (class)
                        set_add(out, class);
                }
            }
        }
    }
}

typedef struct {
    u32 component;
    FunctionId function;
} ByComponent;

static int compare_component(const void *left, const void *right) {
    const ByComponent *a = left, *b = right;
    if (a->component != b->component)
        return a->component < b->component ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

static bool is_full(const U32Array *set) {
    if (set->count < RELEASES_MOST)
        return false;
    limit_reached(LIMIT_RELEASES_MOST);
    return true;
}

void fill_releases(Analysis *self) {
    u32 count = self->program->functions.count;
    self->releases = must_zero(sizeof(U32Array) * (count + 1));
    self->leaves = must_zero(sizeof(U32Array) * (count + 1));
    self->given_back = must_zero(sizeof(U32Array) * (count + 1));
    ByComponent *order = must_alloc(sizeof(ByComponent) * (count + 1));
    for (u32 f = 0; f < count; f++)
        order[f] = (ByComponent){self->program->functions.items[f].component, f};
    qsort(order, count, sizeof(ByComponent), compare_component);
    U32Array candidates = {0}, work = {0};
    u8 *seen = NULL;
    u32 room = 0;
    for (u32 i = 0; i < count; i++) {
        FunctionId function = order[i].function;
        const Skeleton *skeleton = &self->skeletons[function];
        // Relevance goes the same way up.
        if (!skeleton->block_count)
            continue;
        candidate_releases(self, skeleton, &candidates);
        if (skeleton->block_count > room) {
            room = skeleton->block_count * 2;
            seen = must_realloc(seen, room);
        }
        for (u32 c = 0; c < candidates.count; c++)
            if (releases_from_entry(self, skeleton, candidates.items[c], seen, &work) &&
                !is_full(&self->releases[function]))
                array_push(&self->releases[function], candidates.items[c]);
        for (u32 c = 0; c < self->releases[function].count; c++)
            if (gives_back(self, skeleton, self->releases[function].items[c], seen, &work))
                array_push(&self->given_back[function], self->releases[function].items[c]);
        candidate_leaves(self, skeleton, &candidates);
        for (u32 c = 0; c < candidates.count; c++)
            if (leaves_held(self, skeleton, candidates.items[c], seen, &work) && !is_full(&self->leaves[function]))
                array_push(&self->leaves[function], candidates.items[c]);
    }
    free(order);
    free(seen);
    array_free(&candidates);
    array_free(&work);
}

// A function matters when it, or something it calls, does anything with locks.
void fill_relevance(Analysis *self) {
    const Program *program = self->program;
    U32Array work = {0};
    for (u32 f = 0; f < program->functions.count; f++)
        if (self->skeletons[f].direct)
            array_push(&work, f);
    while (work.count) {
        const ProgramFunction *function = &program->functions.items[work.items[--work.count]];
        for (u32 i = 0; i < function->caller_count; i++) {
            FunctionId caller = program->callers.items[function->caller + i];
            if (!self->skeletons[caller].relevant && self->skeletons[caller].block_count) {
                self->skeletons[caller].relevant = true;
                array_push(&work, caller);
            }
        }
    }
    array_free(&work);
}

// Blocks from whose start a release can be reached, by repeated passes backwards.
static u64 *fill_release_bits(Analysis *self, const Skeleton *skeleton, ClassId class) {
    u64 *bits = arena_zero(&self->arena, sizeof(u64) * (skeleton->block_count / 64 + 1));
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++)
            if (step_effect(self, skeleton, &skeleton->steps[skeleton->blocks[b].step + s], class) == 1)
                bits[b / 64] |= 1ull << (b % 64);
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = skeleton->block_count; b-- > 0;) {
            if (bits[b / 64] >> (b % 64) & 1)
                continue;
            for (u32 s = 0; s < skeleton->blocks[b].successor_count; s++) {
                u32 next = skeleton->successors[skeleton->blocks[b].successor + s];
                if (bits[next / 64] >> (next % 64) & 1) {
                    bits[b / 64] |= 1ull << (b % 64);
                    changed = true;
                    break;
                }
            }
        }
    }
    return bits;
}

bool releases_later(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class) {
    const Skeleton *skeleton = &self->skeletons[function];
    const SkeletonBlock *here = &skeleton->blocks[block];
    for (u32 s = step; s < here->step_count; s++)
        if (step_effect(self, skeleton, &skeleton->steps[here->step + s], class) == 1)
            return true;
    u32 *known = map_put(&self->release_blocks, (u64)function << 32 | class, NULL);
    if (!*known) {
        u64 *made = fill_release_bits(self, skeleton, class);
        array_push(&self->release_bits, made);
        known = map_get(&self->release_blocks, (u64)function << 32 | class);
        *known = self->release_bits.count;
    }
    const u64 *bits = self->release_bits.items[*known - 1];
    for (u32 s = 0; s < here->successor_count; s++) {
        u32 next = skeleton->successors[here->successor + s];
        if (bits[next / 64] >> (next % 64) & 1)
            return true;
    }
    return false;
}

// Likewise, and who is given the lock may let it go.
static u32 effect_or_handed(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class) {
    u32 effect = step_effect(self, skeleton, step, class);
    for (u32 i = 0; !effect && step->kind != STEP_LOCK && i < step->arg_count; i++)
        if (skeleton->args[step->arg + i].class && class_covers(self, skeleton->args[step->arg + i].class, class))
            effect = 1;
    return effect;
}

// By block: is the class held on every way to its beginning, whatever happens then?
static u64 *fill_held_bits(Analysis *self, const Skeleton *skeleton, ClassId class) {
    u32 words = skeleton->block_count / 64 + 1;
    u64 *held = arena_zero(&self->arena, sizeof(u64) * words);
    u8 *does = must_zero(skeleton->block_count + 1u); // 1 lets it go, 2 takes it
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
            u32 effect = effect_or_handed(self, skeleton, &skeleton->steps[skeleton->blocks[b].step + s], class);
            does[b] = effect ? (u8)effect : does[b];
        }
    memset(held, 0xff, sizeof(u64) * words);
    held[0] &= ~1ull;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = 0; b < skeleton->block_count; b++) {
            if (does[b] == 2 || (!does[b] && (held[b / 64] >> (b % 64) & 1)))
                continue;
            for (u32 s = 0; s < skeleton->blocks[b].successor_count; s++) {
                u32 next = skeleton->successors[skeleton->blocks[b].successor + s];
                changed |= held[next / 64] >> (next % 64) & 1;
                held[next / 64] &= ~(1ull << (next % 64));
            }
        }
    }
    free(does);
    return held;
}

bool held_anyway(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class) {
    const Skeleton *skeleton = &self->skeletons[function];
    u32 *known = map_put(&self->held_blocks, (u64)function << 32 | class, NULL);
    if (!*known) {
        u64 *made = fill_held_bits(self, skeleton, class);
        array_push(&self->release_bits, made);
        known = map_get(&self->held_blocks, (u64)function << 32 | class);
        *known = self->release_bits.count;
    }
    bool held = self->release_bits.items[*known - 1][block / 64] >> (block % 64) & 1;
    for (u32 s = 0; s < step && s < skeleton->blocks[block].step_count; s++) {
        u32 effect = effect_or_handed(self, skeleton, &skeleton->steps[skeleton->blocks[block].step + s], class);
        held = effect ? effect == 2 : held;
    }
    return held;
}

// Does it come back with what a parameter points to? Then only its callers know by name what that is.
static bool leaves_parameter(const Analysis *self, FunctionId function) {
    for (u32 i = 0; i < self->leaves[function].count; i++)
        if (self->classes.items[self->leaves[function].items[i]].parameter)
            return true;
    return false;
}

bool releases_inside(const Analysis *self, FunctionId function, ClassId class) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++)
            if (step_effect(self, skeleton, &skeleton->steps[skeleton->blocks[b].step + s], class) == 1)
                return true;
    return false;
}

static bool step_calls(const Analysis *self, const SkeletonStep *step, FunctionId function) {
    const CallSite *site =
        step->kind == STEP_CALL && step->call != NO_ID ? &self->program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++)
        if (self->program->targets.items[site->target + t] == function)
            return true;
    return false;
}

enum { AT_BARE = 1, AT_OWN = 2, AT_RETURNED = 4 }; // before the call; with the caller's own taken; after the call

// What a caller's release lets go: something that the call came back with, not what the caller took before it.
static bool releases_after(const Analysis *self, FunctionId caller, FunctionId function, ClassId class,
                           U32Array *work) {
    const Skeleton *skeleton = &self->skeletons[caller];
    u8 *seen = must_zero(skeleton->block_count + 1u);
    bool found = false;
    seen[0] = AT_BARE;
    work->count = 0;
    array_push(work, 0);
    while (work->count && !found) {
        const SkeletonBlock *block = &skeleton->blocks[work->items[--work->count]];
        u8 at = seen[work->items[work->count]];
        for (u32 s = 0; s < block->step_count && !found; s++) {
            const SkeletonStep *step = &skeleton->steps[block->step + s];
            bool calls = step_calls(self, step, function);
            u32 effect = calls && !(at & AT_RETURNED && set_has(&self->releases[function], class))
                             ? 0
                             : effect_of(self, skeleton, step, class, WORDS_OF_CALLERS);
            found = effect == 1 && (at & AT_RETURNED);
            at = (u8)(effect ? (effect == 1 ? AT_BARE : AT_OWN) : calls && (at & AT_BARE) ? at | AT_RETURNED : at);
        }
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            if ((seen[next] | at) == seen[next])
                continue;
            seen[next] |= at;
            array_push(work, next);
        }
    }
    free(seen);
    return found;
}

bool released_by_callers(Analysis *self, FunctionId function, ClassId class, bool when_cut) {
    U32Array work = {0}, blocks = {0};
    Map seen = {0};
    bool found = false;
    array_push(&work, function);
    u32 budget = CALLERS_SEARCHED;
    for (; work.count && !found && budget; budget--) {
        FunctionId callee = work.items[--work.count];
        const ProgramFunction *info = &self->program->functions.items[callee];
        for (u32 i = 0; i < info->caller_count && !found; i++) {
            FunctionId caller = self->program->callers.items[info->caller + i];
            bool fresh;
            map_put(&seen, caller, &fresh);
            if (!fresh || !self->skeletons[caller].block_count)
                continue;
            found = releases_after(self, caller, callee, class, &blocks);
            if (set_has(&self->leaves[caller], class) || leaves_parameter(self, caller))
                array_push(&work, caller);
        }
    }
    if (limit_cuts(LIMIT_CALLERS_SEARCHED, work.count && !found))
        found = when_cut;
    array_free(&work);
    array_free(&blocks);
    map_free(&seen);
    return found;
}

// Does some caller of this function let the class go? Or a caller of one that leaves it held, too?
bool releases_in_callers(Analysis *self, FunctionId function, ClassId class) {
    u32 *known = map_put(&self->caller_releases, (u64)function << 32 | class, NULL);
    if (*known)
        return *known == 2;
    *known = 1;
    U32Array work = {0};
    Map seen = {0};
    bool found = false;
    array_push(&work, function);
    u32 budget = CALLERS_SEARCHED;
    for (; work.count && !found && budget; budget--) {
        const ProgramFunction *info = &self->program->functions.items[work.items[--work.count]];
        for (u32 i = 0; i < info->caller_count && !found; i++) {
            FunctionId caller = self->program->callers.items[info->caller + i];
            bool fresh;
            map_put(&seen, caller, &fresh);
            if (!fresh || !self->skeletons[caller].block_count)
                continue;
            const Skeleton *skeleton = &self->skeletons[caller];
            for (u32 b = 0; b < skeleton->block_count && !found; b++)
                for (u32 s = 0; s < skeleton->blocks[b].step_count && !found; s++)
                    found = effect_of(self, skeleton, &skeleton->steps[skeleton->blocks[b].step + s], class,
                                      WORDS_OF_CALLERS) == 1;
            if (set_has(&self->leaves[caller], class) || leaves_parameter(self, caller) ||
                set_has(&self->leaves[caller], self->classes.items[class].base)) // a wrapper that hands it on
                array_push(&work, caller);
        }
    }
    if (work.count && !found)
        limit_reached(LIMIT_CALLERS_SEARCHED);
    array_free(&work);
    map_free(&seen);
    *map_get(&self->caller_releases, (u64)function << 32 | class) = found ? 2 : 1;
    return found;
}
