// walk.c: the top-down walk: every root, every path, with the locks held on it.
// In: skeletons and roots. Out: nodes (a function entered with a lockset), order edges, notes.
// Ways that come to a block with the same locks are one from there on, and know what all of them know (as
// ESP does: conditions are told apart only where the locks differ); a function entered before with the same
// locks answers from its outcomes; a function is entered with at most `lockset_limit` different ones.
// Invariant: one thread, roots in the order of their ids, so that what is first is always the same.
#include "racerx/walk/walk.h"

#include <pthread.h>

u32 site_get(Analysis *self, FunctionId function, Place place, ClassId class) {
    bool fresh;
    u32 *index =
        map_put(&self->site_index, hash_mix((u64)function << 32 | place.line, (u64)place.column << 32 | class), &fresh);
    if (fresh) {
        while (self->class_site.count <= class)
            array_push(&self->class_site, UINT32_MAX);
        array_push(&self->sites, ((LockSite){.function = function,
                                             .place = place,
                                             .class = class,
                                             .try_only = 1,
                                             .next = self->class_site.items[class]}));
        self->class_site.items[class] = self->sites.count - 1;
        *index = self->sites.count;
    }
    return *index - 1;
}

u32 node_get(Analysis *self, FunctionId function, LocksetId entry, u32 binding, bool *limited) {
    u64 key = hash_mix((u64)function << 32 | entry, binding + 1u);
    u32 *known = map_get(&self->node_index, key);
    *limited = false;
    if (known)
        return *known - 1;
    u32 limit = self->options.lockset_limit ? self->options.lockset_limit : LOCKSET_ENTRIES;
    if (self->entries[function] >= limit) {
        limit_reached(LIMIT_LOCKSET_ENTRIES);
        *limited = true;
        return NO_ID;
    }
    self->stats.functions_walked += !self->entries[function];
    self->entries[function]++;
    array_push(&self->nodes, ((Node){.function = function, .entry = entry, .binding = binding, .parent = NO_ID}));
    *map_put(&self->node_index, key, NULL) = self->nodes.count;
    return self->nodes.count - 1;
}

// states ------------------------------------------------------------------------

static void frame_push(Frame *self, u32 block, State state, u32 conditionals) {
    Walk *walk = self->walk;
    for (u32 i = 0; i < self->skeleton->exit_count; i++) // a loop that joins is left
        if (self->skeleton->exits[i].from == self->block && self->skeleton->exits[i].to == block)
            apply_ended(self, &self->skeleton->steps[self->skeleton->exits[i].step], &state);
    u32 count = 0, same = 0;
    for (u32 i = self->first.items[block]; i; i = self->states.items[i - 1].next, count++)
        same += self->states.items[i - 1].state.set == state.set;
    if (same >= SPLITS_MOST && self->skeleton->split[0])
        limit_reached(LIMIT_SPLITS_MOST);
    for (u32 i = self->first.items[block]; i; i = self->states.items[i - 1].next) {
        BlockState *known = &self->states.items[i - 1];
        if (known->state.set != state.set || (same < SPLITS_MOST && stay_apart(self, known->state, state)))
            continue;
        known->conditionals = conditionals < known->conditionals ? conditionals : known->conditionals;
        FactsId joined = facts_join(walk, known->state.facts, state.facts);
        if (joined == known->state.facts)
            return;
        known->state.facts = joined;
        known->dirty = true;
        goto mark;
    }
    if (count >= LOCKSETS_MOST) {
        limit_reached(LIMIT_LOCKSETS_MOST);
        return;
    }
    array_push(&self->states, ((BlockState){state, conditionals, self->first.items[block], true}));
    self->first.items[block] = self->states.count;
mark:
    self->dirty.items[block / 64] |= 1ull << (block % 64);
    self->lowest = block / 64 < self->lowest ? block / 64 : self->lowest;
}

// The lowest block with something to do, or NO_ID: blocks are in source order, so most are run once.
static u32 frame_next(Frame *self) {
    for (; self->lowest < self->dirty.count; self->lowest++)
        if (self->dirty.items[self->lowest]) {
            u32 bit = (u32)__builtin_ctzll(self->dirty.items[self->lowest]);
            self->dirty.items[self->lowest] &= ~(1ull << bit);
            return self->lowest * 64 + bit;
        }
    return NO_ID;
}

// A variable changes: what was known of it, and of places that start from it, is known no more.
static State apply_set(Frame *self, const SkeletonStep *step, State state, ValueId value) {
    Walk *walk = self->walk;
    Analysis *analysis = walk->analysis;
    state.facts = forget_var(self, state.facts, step->result);
    state.facts = facts_set(walk, state.facts, step->expr, analysis->options.no_correlation ? VALUE_ANY : value);
    if (!state.set)
        return state;
    HeldSet set;
    held_load(&set, &analysis->locksets, state.set);
    bool changed = false;
    for (u32 i = 0; i < set.count; i++) {
        Held *held = &set.items[i];
        PathId root = path_first(&analysis->paths, held->path);
        if (!root)
            continue;
        Path first = analysis->paths.paths.items[root];
        if ((first.root == ROOT_LOCAL || first.root == ROOT_PARAM) && first.step == step->result) {
            held->path = 0;
            changed = true;
        } else if (first.root == ROOT_RESULT && step->source && !step->discard && !step->mask &&
                   first.step == step->source) {
            held->path = path_rebase(&analysis->paths, held->path, root,
                                     path_root(&analysis->paths, ROOT_LOCAL, step->result), false);
            changed = true;
        }
    }
    if (changed)
        state.set = held_intern(&set, &analysis->locksets);
    else
        held_end(&set);
    return state;
}

// The call comes back with something new: what is named by its result is of an earlier time, and has no name any more.
static LocksetId forget_result(Frame *self, const SkeletonStep *step, LocksetId set) {
    Analysis *analysis = self->walk->analysis;
    const PathTable *paths = &analysis->paths;
    HeldSet held;
    bool changed = false;
    if (!set)
        return set;
    held_load(&held, &analysis->locksets, set);
    for (u32 i = 0; i < held.count; i++) {
        const Path *first = &paths->paths.items[path_first(paths, held.items[i].path)];
        if (!held.items[i].path || first->root != ROOT_RESULT || first->step != step->expr)
            continue;
        held.items[i].path = 0;
        changed = true;
    }
    if (changed)
        return held_intern(&held, &analysis->locksets);
    held_end(&held);
    return set;
}

// What is assigned.
static ValueId assigned(Frame *self, const SkeletonStep *step, FactsId facts) {
    ValueId value = step->source ? value_of(self, facts, step->source) : step->effect;
    return value_compared(value, value_signs(&self->walk->analysis->values, value), step->discard);
}

// One of two constants, by a condition that may be known: returns how many states go on.
static u32 apply_choice(Frame *self, const SkeletonStep *step, State state, State *out) {
    ValueTable *values = &self->walk->analysis->values;
    const ChoiceValue *choice = &self->skeleton->choices[step->effect];
    ValueId known = value_of(self, state.facts, step->source), yes = value_meet(values, known, choice->yes),
            no = value_meet(values, known, choice->no);
    u32 count = 0;
    for (u32 k = 0; k < 2; k++) {
        ValueId subject = k ? no : yes;
        if (!subject && (yes || no))
            continue;
        State one = apply_set(self, step, state, k ? choice->second : choice->first);
        if (subject && step->source != step->expr)
            one.facts = facts_set(self->walk, one.facts, step->source, subject);
        out[count++] = one;
    }
    return count;
}

// A member, a global, what a pointer points to: all that goes by that name is forgotten.
static State apply_store(Frame *self, const SkeletonStep *step, State state) {
    ValueId value = assigned(self, step, state.facts);
    if (step->result)
        state.facts = forget_name(self, state.facts, step->result);
    if (!self->walk->analysis->options.no_correlation)
        state.facts = facts_set(self->walk, state.facts, step->expr, value);
    return state;
}

// exits -------------------------------------------------------------------------

// Without a lock, the CPU state that was changed on taking it is gone, too.
static void left_behind(const Analysis *analysis, HeldSet *set, u32 lock) {
    Held *held = set->items;
    for (u32 i = 0; i < set->count; i++)
        if (held[i].class < CLASS_FIRST && held[i].count && held[i].site != NO_ID &&
            analysis->sites.items[held[i].site].class == held[lock].class)
            held[i].count--;
    held[lock].count = 0;
}

// What is returned is known by that to the caller; were any places renamed, and is a lock of it held?
static bool name_by_result(Analysis *analysis, HeldSet *set, PathValue returned, bool *inside) {
    bool changed = false;
    *inside = false;
    for (u32 i = 0; i < set->count && returned.path && !returned.address; i++) {
        Held *held = &set->items[i];
        u8 root = analysis->paths.paths.items[held->path].root;
        PathId renamed = held->path ? path_rebase(&analysis->paths, held->path, returned.path,
                                                  path_root(&analysis->paths, ROOT_RESULT, UINT32_MAX), false)
                                    : 0;
        *inside |= renamed && !(held->flags & HELD_ASSERTED);
        if (!renamed || (root != ROOT_LOCAL && root != ROOT_RESULT))
            continue;
        held->path = renamed;
        changed = true;
    }
    return changed;
}

// What no caller lets go is left behind: see lock leaks. Was anything?
static bool leave_behind(Frame *self, HeldSet *set) {
    Analysis *analysis = self->walk->analysis;
    Held *held = set->items;
    for (u32 i = set->count; i-- > 0;)
        if (held[i].count && !analysis->classes.items[held[i].class].thread &&
            !(held[i].flags & (HELD_OUTER | HELD_ASSURED)) && !analysis->options.no_unlockset &&
            !releases_in_callers(analysis, self->function, held[i].class))
            left_behind(analysis, set, i);
    u32 kept = 0, count = set->count;
    for (u32 i = 0; i < count; i++)
        if (held[i].count)
            held[kept++] = held[i];
    set->count = kept;
    return kept < count;
}

static void join_outcome(Frame *self, Outcome *known, const Outcome *other) {
    known->exits += other->exits;
    known->mask |= other->mask;
    known->value = value_join(&self->walk->analysis->values, known->value, other->value);
    known->facts = facts_join(self->walk, known->facts, other->facts);
}

// Two with the same locks, of which only what is returned differs, become one.
static bool make_room(Frame *self) {
    Outcome *items = self->outcomes.items;
    for (u32 i = 0; i < self->outcomes.count; i++)
        for (u32 j = i + 1; j < self->outcomes.count; j++)
            if (items[i].raw == items[j].raw) {
                join_outcome(self, &items[i], &items[j]);
                items[j] = items[--self->outcomes.count];
                return true;
            }
    return false;
}

static void put_outcome(Frame *self, Outcome outcome) {
    for (u32 i = 0; i < self->outcomes.count; i++)
        if (self->outcomes.items[i].raw == outcome.raw && self->outcomes.items[i].mask == outcome.mask) {
            join_outcome(self, &self->outcomes.items[i], &outcome);
            return;
        }
    bool full = self->outcomes.count >= OUTCOMES_MOST;
    if (full)
        limit_reached(LIMIT_OUTCOMES_MOST);
    if (!full || make_room(self))
        array_push(&self->outcomes, outcome);
}

static void frame_exit(Frame *self, const SkeletonBlock *block, State state) {
    Analysis *analysis = self->walk->analysis;
    ValueId value = block->return_source ? value_of(self, state.facts, block->return_source) : block->return_value;
    value = value_compared(value, value_signs(&analysis->values, value), block->return_compares);
    if (!value || analysis->options.no_return_classes)
        value = VALUE_ANY;
    HeldSet set;
    held_load(&set, &analysis->locksets, state.set);
    bool inside, changed = name_by_result(analysis, &set, block->returned, &inside);
    if (inside && (value_signs(&analysis->values, value) & VALUE_POSITIVE) && !analysis->options.no_return_classes)
        value = value_meet(&analysis->values, value, VALUE_POSITIVE); // a lock inside of it is held: it is something
    LocksetId raw = changed ? lockset_intern(&analysis->locksets, set.items, set.count) : state.set;
    LocksetId out = leave_behind(self, &set) ? lockset_intern(&analysis->locksets, set.items, set.count) : raw;
    held_end(&set);
    put_outcome(self,
                (Outcome){out, raw, value_signs(&analysis->values, value), value, state.facts, false, 1, self->block});
}

// A condition that was met before goes the same way: 0, or the one successor that is left plus 1.
static u32 decided(Frame *self, const SkeletonBlock *block, State state) {
    u8 known = block->condition ? facts_get(self->walk, state.facts, block->condition) : VALUE_ANY;
    if (known == VALUE_POSITIVE || known == VALUE_ZERO)
        return (known == VALUE_POSITIVE) != block->opposite ? 1 : 2;
    return 0;
}

static void push_branch(Frame *self, const SkeletonBlock *block, u32 way, State state, u32 conditionals) {
    if (block->condition)
        state.facts = facts_set(self->walk, state.facts, block->condition,
                                (way == 1) != block->opposite ? VALUE_ZERO : VALUE_POSITIVE);
    frame_push(self, self->skeleton->successors[block->successor + way], state, conditionals);
}

// Has a loop that takes locks, or lets them go, not done so yet? The successor that is its body, plus 1; 0: it has.
static u32 first_round(Frame *self, const SkeletonBlock *block, State state) {
    Analysis *analysis = self->walk->analysis;
    ClassId class = bound_class(analysis, &analysis->nodes.items[self->node], block->loop >> 2);
    u32 count;
    const Held *held = lockset_held(&analysis->locksets, state.set, &count);
    bool has = false;
    for (u32 i = 0; i < count && !has; i++)
        has = class_covers(analysis, class, held[i].class);
    return has == ((block->loop & LOOP_TAKES) != 0) ? 0 : block->loop & LOOP_SECOND ? 2 : 1;
}

static void frame_branch(Frame *self, const SkeletonBlock *block, State state, u32 conditionals) {
    const u32 *to = self->skeleton->successors + block->successor;
    ExprId subject = block->idle ? 0 : block->subject;
    u32 round = block->loop && !self->walk->analysis->options.no_correlation ? first_round(self, block, state) : 0;
    if (round) {
        frame_push(self, to[round - 1], state, conditionals);
        return;
    }
    u32 only = self->walk->analysis->options.no_correlation ? 0 : decided(self, block, state);
    if (only) {
        frame_push(self, to[only - 1], state, conditionals);
        return;
    }
    if (block->condition && !subject && !self->walk->analysis->options.no_correlation && block->successor_count == 2) {
        push_branch(self, block, 1, state, conditionals);
        push_branch(self, block, 0, state, conditionals);
        return;
    }
    if (!subject || self->walk->analysis->options.no_correlation) {
        for (u32 i = 0; i < block->successor_count; i++)
            frame_push(self, to[i], state, conditionals);
        return;
    }
    ValueTable *values = &self->walk->analysis->values;
    ValueId known = value_of(self, state.facts, subject);
    if (known == VALUE_ANY && block->same_call)
        known = facts_get(self->walk, state.facts, block->same_call);
    ValueId yes = value_meet(values, known, block->yes), no = value_meet(values, known, block->no);
    bool lost = !yes && !no; // it is misunderstood
    if (no || lost) {
        State after = {state.set, facts_set(self->walk, state.facts, subject, lost ? known : no)};
        push_branch(self, block, 1, after, conditionals);
    }
    if (yes || lost) {
        State after = {state.set, facts_set(self->walk, state.facts, subject, lost ? known : yes)};
        push_branch(self, block, 0, after, conditionals);
    }
}

static void frame_switch(Frame *self, const SkeletonBlock *block, State state, u32 conditionals) {
    const u32 *to = self->skeleton->successors + block->successor;
    bool follows = block->subject && !block->idle && !self->walk->analysis->options.no_correlation;
    ValueId known = follows ? value_of(self, state.facts, block->subject) : VALUE_ANY;
    for (u32 i = 0; i < block->successor_count; i++) {
        State after = state;
        ValueId value =
            follows ? value_meet(&self->walk->analysis->values, known, to[block->successor_count + i]) : VALUE_ANY;
        if (follows && value)
            after.facts = facts_set(self->walk, state.facts, block->subject, value);
        if (value)
            frame_push(self, to[i], after, conditionals);
    }
}

static void frame_leave_block(Frame *self, const SkeletonBlock *block, State state, u32 conditionals) {
    switch (block->term) {
    case TERM_RETURN: frame_exit(self, block, state); break;
    case TERM_BRANCH: frame_branch(self, block, state, conditionals + 1); break;
    case TERM_UNREACHABLE: break;
    case TERM_SWITCH: frame_switch(self, block, state, conditionals + 1); break;
    default:
        for (u32 i = 0; i < block->successor_count; i++)
            frame_push(self, self->skeleton->successors[block->successor + i], state, conditionals);
    }
}

// One step on one state; returns how many states go on.
static u32 frame_step(Frame *self, const SkeletonStep *step, State state, State *out) {
    out[0] = state;
    switch (step->kind) {
    case STEP_SET:
        if (step->discard == COMPARES_CHOICE)
            return apply_choice(self, step, state, out);
        out[0] = apply_set(self, step, state, assigned(self, step, state.facts));
        return 1;
    case STEP_STORE: out[0] = apply_store(self, step, state); return 1;
    case STEP_FOLLOWED: out[0].facts = facts_follow(self->walk, state.facts, step->expr); return 1;
    case STEP_BLOCK:
    case STEP_JOIN:
        step->kind == STEP_BLOCK ? meet_block(self, step, state) : meet_join(self, step, state);
        out[0].facts = forget_arguments(self, state.facts, step);
        return 1;
    case STEP_SIGNAL: meet_signal(self, step, state); return 1;
    case STEP_LOCK: return apply_lock(self, step, state, out);
    case STEP_CALL:
        if (step->source)
            frame_put_access(self, state.set);
        state.set = forget_result(self, step, state.set);
        return apply_call(self, step, state, out);
    case STEP_ACCESS: frame_put_access(self, state.set); return 1;
    case STEP_SPAWN:
        spawn_root(self, step, state.set);
        apply_spawn(self, step, out);
        return 1;
    case STEP_ENDED: apply_ended(self, step, out); return 1;
    case STEP_FILL: out[0].facts = forget_arguments(self, state.facts, step); return 1;
    }
    return 1;
}

// Ways with the same locks become one.
static u32 merge_way(Frame *self, State *ways, u32 count, State state) {
    for (u32 i = 0; i < count; i++)
        if (ways[i].set == state.set && !(count < SPLITS_MOST && stay_apart(self, ways[i], state))) {
            ways[i].facts = facts_join(self->walk, ways[i].facts, state.facts);
            return count;
        }
    if (count < LOCKSETS_MOST)
        ways[count++] = state;
    else
        limit_reached(LIMIT_LOCKSETS_MOST);
    return count;
}

// Runs a block; calls that may end with several locksets fork.
static void frame_run(Frame *self, u32 block_id, BlockState from) {
    const SkeletonBlock *block = &self->skeleton->blocks[block_id];
    State ways[LOCKSETS_MOST] = {from.state}, next[LOCKSETS_MOST], out[WAYS_MOST];
    u32 count = 1;
    self->walk->analysis->stats.states++;
    self->block = block_id;
    self->conditionals = from.conditionals;
    for (u32 s = 0; s < block->step_count && count; s++) {
        u32 kept = 0;
        self->step = s;
        for (u32 i = 0; i < count; i++) {
            u32 more = frame_step(self, &self->skeleton->steps[block->step + s], ways[i], out);
            for (u32 k = 0; k < more; k++)
                kept = merge_way(self, next, kept, out[k]);
        }
        memcpy(ways, next, sizeof(State) * kept);
        count = kept;
    }
    for (u32 i = 0; i < count; i++)
        frame_leave_block(self, block, ways[i], from.conditionals);
}

static void frame_run_dirty(Frame *self, u32 block) {
    for (bool again = true; again;) { // a block may lead to itself
        again = false;
        for (u32 i = self->first.items[block]; i; i = self->states.items[i - 1].next) {
            if (!self->states.items[i - 1].dirty)
                continue;
            self->states.items[i - 1].dirty = false;
            frame_run(self, block, self->states.items[i - 1]);
            again = true;
        }
    }
    self->dirty.items[block / 64] &= ~(1ull << (block % 64));
}

static Frame *frame_begin(Walk *self, u32 node) {
    while (self->frames.count <= self->depth)
        array_push(&self->frames, must_zero(sizeof(Frame)));
    Frame *frame = self->frames.items[self->depth++];
    frame->walk = self;
    frame->node = node;
    frame->function = self->analysis->nodes.items[node].function;
    frame->skeleton = &self->analysis->skeletons[frame->function];
    u32 blocks = frame->skeleton->block_count, words = blocks / 64 + 1;
    array_reserve(&frame->first, blocks);
    array_reserve(&frame->dirty, words);
    memset(frame->first.items, 0, sizeof(u32) * blocks);
    memset(frame->dirty.items, 0, sizeof(u64) * words);
    frame->dirty.count = words;
    array_reserve(&frame->event_first, blocks);
    memset(frame->event_first.items, 0, sizeof(u32) * blocks);
    frame->states.count = frame->outcomes.count = frame->accesses.count = frame->events.count = 0;
    frame->block = NO_ID;
    frame->lowest = 0;
    return frame;
}

// Is a lock held that the parameter, a pointer, leads to? Then it is not null.
static bool holds_behind(const Analysis *self, LocksetId entry, u32 param) {
    const PathTable *paths = &self->paths;
    u32 count;
    const Held *held = lockset_held(&self->locksets, entry, &count);
    for (u32 i = 0; i < count; i++) {
        PathId at = held[i].path;
        while (at && paths->paths.items[at].depth > 1)
            at = paths->paths.items[at].parent;
        const Path *first = &paths->paths.items[at];
        if (at && first->root == ROOT_PARAM && first->depth == 1 && first->step & 1 && !(first->step >> 30) &&
            paths->paths.items[first->parent].step == param)
            return true;
    }
    return false;
}

// What the caller's constants say of the parameters.
static FactsId entry_facts(Frame *self) {
    const Analysis *analysis = self->walk->analysis;
    FactsId facts = 0;
    for (u32 i = 0; i + 1 < self->skeleton->tested_count && !analysis->options.no_correlation; i += 2) {
        ValueId value =
            node_binding(analysis, &analysis->nodes.items[self->node], BIND_VALUE, self->skeleton->tested[i]);
        if (value)
            facts = facts_set(self->walk, facts, self->skeleton->tested[i + 1], value);
        else if (holds_behind(analysis, analysis->nodes.items[self->node].entry, self->skeleton->tested[i]))
            facts = facts_follow(self->walk, facts, self->skeleton->tested[i + 1]);
    }
    for (u32 i = 0; i < self->skeleton->place_count && i < 256 && !analysis->options.no_correlation; i++) {
        ValueId value = self->skeleton->places[i].flags & PLACE_WANTED
                            ? node_binding(analysis, &analysis->nodes.items[self->node], BIND_PLACE, i)
                            : 0;
        if (value)
            facts = facts_set(self->walk, facts, self->skeleton->places[i].expr, value);
    }
    return facts;
}

// Can a caller tell two outcomes apart by something that it can name?
static bool told_apart(Frame *self, const Outcome *a, const Outcome *b) {
    ValueTable *values = &self->walk->analysis->values;
    if (!value_meet(values, a->value, b->value))
        return true;
    for (u32 i = 0; a->facts && b->facts && i < self->skeleton->place_count; i++) {
        ExprId expr = self->skeleton->places[i].expr;
        if (!(self->skeleton->places[i].flags & PLACE_TOLD)) // that callers look there is not known of others
            continue;
        if (!value_meet(values, facts_get(self->walk, a->facts, expr), facts_get(self->walk, b->facts, expr)))
            return true;
    }
    return false;
}

// Why outcomes differ is worth keeping only when their locks do.
static void keep_reasons(Frame *self) {
    bool differ = false;
    for (u32 i = 1; i < self->outcomes.count; i++)
        differ |= self->outcomes.items[i].out != self->outcomes.items[0].out;
    for (u32 i = 0; i < self->outcomes.count; i++) {
        Outcome *outcome = &self->outcomes.items[i];
        outcome->told = true;
        for (u32 k = 0; differ && k < self->outcomes.count; k++)
            outcome->told &=
                self->outcomes.items[k].out == outcome->out || told_apart(self, outcome, &self->outcomes.items[k]);
    }
    for (u32 i = 0; !differ && i < self->outcomes.count; i++)
        self->outcomes.items[i].facts = 0;
}

u32 walk_node(Walk *self, u32 node) {
    Analysis *analysis = self->analysis;
    Frame *frame = frame_begin(self, node);
    analysis->nodes.items[node].state = 1;
    frame_push(frame, 0, (State){analysis->nodes.items[node].entry, entry_facts(frame)}, 0);
    for (u32 block = frame_next(frame); block != NO_ID; block = frame_next(frame))
        frame_run_dirty(frame, block);
    frame_keep_events(frame);
    frame_keep_accesses(frame);
    self->depth--;
    keep_reasons(frame);
    Node *done = &analysis->nodes.items[node];
    done->outcome = analysis->outcomes.count;
    done->outcome_count = frame->outcomes.count;
    for (u32 i = 0; i < frame->outcomes.count; i++)
        array_push(&analysis->outcomes, frame->outcomes.items[i]);
    done->state = 2;
    return frame->outcomes.count;
}

static void frames_free(Walk *self) {
    for (u32 i = 0; i < self->frames.count; i++) {
        Frame *frame = self->frames.items[i];
        array_free(&frame->first);
        array_free(&frame->states);
        array_free(&frame->dirty);
        array_free(&frame->outcomes);
        array_free(&frame->accesses);
        array_free(&frame->events);
        array_free(&frame->event_first);
        free(frame);
    }
    array_free(&self->frames);
}

// roots -------------------------------------------------------------------------

static LocksetId root_set(Analysis *self, u32 contexts) {
    Held held[2];
    u32 count = 0;
    if (contexts & 1u << CONTEXT_INTERRUPT)
        held[count++] = (Held){CLASS_INTERRUPTS, 0, HELD_OUTER | HELD_ASSURED, 1, NO_ID};
    else if (contexts & (1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER))
        held[count++] = (Held){CLASS_SOFTIRQS, 0, HELD_OUTER | HELD_ASSURED, 1, NO_ID};
    return lockset_intern(&self->locksets, held, count);
}

static void walk_any(Walk *self, u32 node) {
    if (self->analysis->skeletons[self->analysis->nodes.items[node].function].relevant)
        walk_node(self, node);
    else
        walk_flat(self, node);
}

void walk_from(Walk *self, u32 node) {
    const Analysis *analysis = self->analysis;
    if (node != NO_ID && !analysis->nodes.items[node].state)
        walk_any(self, node);
    while (self->pending.count) {
        u32 deep = self->pending.items[--self->pending.count];
        if (!analysis->nodes.items[deep].state)
            walk_any(self, deep);
    }
}

static void walk_root(Walk *self, FunctionId function, bool astray) {
    Analysis *analysis = self->analysis;
    if (!analysis->skeletons[function].block_count)
        return;
    bool limited;
    u32 node = node_get(analysis, function, root_set(analysis, analysis->program->functions.items[function].contexts),
                        0, &limited);
    if (!limited) {
        analysis->nodes.items[node].is_root = true;
        analysis->nodes.items[node].is_astray = astray;
    }
    walk_from(self, limited ? NO_ID : node);
}

// A thread that some call in sight starts is walked from there, with what it is given.
static bool is_started_later(const Analysis *self, FunctionId function) {
    return self->follows_threads && self->started_as[function] &&
           self->program->functions.items[function].contexts == 1u << CONTEXT_THREAD;
}

// What no root reaches.
typedef struct {
    Walk *walk;
    Bitset tried;  // functions that were walked from here
    Bitset seen;   // functions on the way up
    U32Array path; // likewise, to take them off again
    bool threads;  // also what is started by calls in sight, none of which was reached
} Rest;

static bool is_unreached(const Rest *self, FunctionId function) {
    const Analysis *analysis = self->walk->analysis;
    return !analysis->entries[function] && !bitset_has(&self->tried, function) &&
           !(analysis->program->functions.items[function].marks & MARK_DEAD) && !is_lock_wrapper(analysis, function);
}

static FunctionId unreached_caller(const Rest *self, FunctionId function) {
    const Program *program = self->walk->analysis->program;
    const ProgramFunction *callee = &program->functions.items[function];
    for (u32 i = 0; i < callee->caller_count; i++) {
        FunctionId caller = program->callers.items[callee->caller + i];
        if (!bitset_has(&self->seen, caller) && is_unreached(self, caller))
            return caller;
    }
    return NO_ID;
}

// The first on the way up to callers that no root reaches either and that has none of these.
static FunctionId highest_caller(Rest *self, FunctionId function) {
    for (FunctionId above = function; above != NO_ID; above = unreached_caller(self, function)) {
        function = above;
        bitset_set(&self->seen, function);
        array_push(&self->path, function);
    }
    while (self->path.count) {
        u32 f = self->path.items[--self->path.count];
        self->seen.words[f >> 6] &= ~(1ull << (f & 63));
    }
    return function;
}

static bool has_reached_caller(const Analysis *self, FunctionId function) {
    const ProgramFunction *callee = &self->program->functions.items[function];
    for (u32 i = 0; i < callee->caller_count; i++) {
        FunctionId caller = self->program->callers.items[callee->caller + i];
        if (caller != function && self->entries[caller])
            return true;
    }
    return false;
}

// From the top: entered by itself, a function would seem to be called with nothing held.
static void walk_unreached(Rest *self, FunctionId function) {
    while (is_unreached(self, function)) {
        FunctionId top = highest_caller(self, function);
        if (!self->threads && is_started_later(self->walk->analysis, top))
            return;
        bitset_set(&self->tried, top);
        walk_root(self->walk, top, has_reached_caller(self->walk->analysis, top));
    }
}

static void walk_rest(Walk *self) {
    u32 count = self->analysis->program->functions.count;
    Rest rest = {.walk = self};
    bitset_resize(&rest.tried, count + 1);
    bitset_resize(&rest.seen, count + 1);
    for (u32 round = 0; round < 2; round++, rest.threads = true)
        for (u32 f = 0; f < count; f++)
            walk_unreached(&rest, f);
    bitset_free(&rest.tried);
    bitset_free(&rest.seen);
    array_free(&rest.path);
}

static void *walk_all(void *context) {
    Walk *self = context;
    const Program *program = self->analysis->program;
    for (u32 f = 0; f < program->functions.count; f++) {
        if ((program->functions.items[f].marks & MARK_ROOT) && !is_started_later(self->analysis, f))
            walk_root(self, f, false);
        if (!(f & 1023))
            progress_step(1024);
    }
    walk_rest(self);
    if (!self->analysis->follows_threads)
        walk_slots(self);
    return NULL;
}

void walk(Analysis *analysis) {
    Walk self = {.analysis = analysis};
    analysis->entries = must_zero(sizeof(u16) * (analysis->program->functions.count + 1));
    facts_set(&self, 0, 0, VALUE_ANY);
    progress_begin("walk", analysis->program->functions.count);
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 30);
    if (pthread_create(&thread, &attributes, walk_all, &self))
        fatal("no thread with a large stack can be started: out of memory, or too many threads; try again later");
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    progress_end();
    analysis->stats.nodes = analysis->nodes.count;

    frames_free(&self);
    array_free(&self.facts);
    array_free(&self.fact_items);
    array_free(&self.fact_next);
    map_free(&self.fact_index);
    map_free(&self.doubted);
    array_free(&self.pending);
    events_tidy(&analysis->events);
    map_free(&analysis->site_index);
}
