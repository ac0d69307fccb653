// call.c: what a call does to the locks held, by walking the callees with them.
// In: a state, the call's targets. Out: the states that go on, nodes for the targets and calls between nodes. rename.c
// puts locks into the callee's words and back, bind.c what the arguments say.
#include "racerx/walk/walk.h"

// A call of one function costs 1; each doubling of the targets makes it as unsure as one more call.
u8 call_cost(const CallSite *site) {
    u8 cost = 1;
    for (u32 targets = site->indirect ? site->target_count : 1; targets > 1; targets = (targets + 1) / 2)
        cost++;
    return (u8)(cost + 2 * site->guessed);
}

// The one function that a call through a pointer means in this node, plus 1: its caller said so; 0: nobody did.
static u32 bound_target(const Analysis *analysis, u32 node, const CallSite *site) {
    const Node *one = &analysis->nodes.items[node];
    if (!site->indirect || site->parameter)
        return site->parameter ? node_binding(analysis, one, BIND_CODE, site->parameter - 1) : 0;
    u32 runs = node_binding(analysis, one, BIND_RUNS, 0);
    for (u32 t = 0; runs && t < site->target_count; t++)
        if (analysis->program->targets.items[site->target + t] == runs - 1)
            return runs;
    return 0;
}

void put_call_edge(Analysis *analysis, u32 caller, u32 callee, const SkeletonStep *step, LocksetId ambient) {
    bool fresh;
    map_put(&analysis->node_edges, hash_mix((u64)caller << 32 | callee, ambient), &fresh);
    if (fresh) {
        array_push(&analysis->edge_steps, step);
        array_push(&analysis->edge_pairs, caller);
        array_push(&analysis->edge_pairs, callee);
        array_push(&analysis->edge_places, step->place);
        const CallSite *site = &analysis->program->calls.items[step->call];
        array_push(&analysis->edge_costs, bound_target(analysis, caller, site) ? 1 : call_cost(site));
        array_push(&analysis->edge_ambient, ambient);
    }
}

// Locks that did not go along are ordered before what is taken below; returns them as a set of classes.
static LocksetId put_ambient(Frame *self, const SkeletonStep *step, u32 callee, const Renaming *renaming) {
    Analysis *analysis = self->walk->analysis;
    FunctionId below = analysis->nodes.items[callee].function;
    HeldSet classes, held;
    held_begin(&classes);
    held_begin(&held);
    for (u32 i = 0; i < renaming->ambient.count; i++) {
        Held lock = renaming->ambient.items[i];
        held_push(&classes, (Held){lock.class, path_into_callee(analysis, self->skeleton, step, below, lock.path),
                                   lock.flags & HELD_SHARED, 1, NO_ID});
        lock.site = lock_site(analysis, self->node, &lock);
        held_push(&held, lock);
    }
    LocksetId all = held_intern(&held, &analysis->locksets);
    bool relevant = analysis->skeletons[below].relevant;
    u8 cost = call_cost(&analysis->program->calls.items[step->call]);
    for (u32 i = 0; i < renaming->ambient.count && relevant; i++) {
        Held lock = renaming->ambient.items[i];
        lock.site = lock_site(analysis, self->node, &lock);
        if (step->mask == CALL_DECLARED) // whether it may be called so is declared
            lock.flags = (u16)((lock.flags & ~HELD_SPINS) | HELD_VAGUE);
        if (!analysis->classes.items[lock.class].thread && !(lock.flags & HELD_LOOKS))
            ambient_put(analysis, &lock, self->node, callee, all, step->place, cost);
    }
    return held_intern(&classes, &analysis->locksets);
}

// Interrupts that this function turned off, or that are off since its thread of control began: who sleeps below?
static void put_interrupts_off(Frame *self, const SkeletonStep *step, LocksetId set, u32 callee) {
    Analysis *analysis = self->walk->analysis;
    u32 count;
    lockset_held(&analysis->locksets, set, &count);
    for (u32 i = 0; i < count && step->mask != CALL_DECLARED; i++) {
        Held held = lockset_held(&analysis->locksets, set, &count)[i];
        bool own = held.site != NO_ID || analysis->nodes.items[self->node].parent == NO_ID;
        if (held.class == CLASS_INTERRUPTS && own && !(held.flags & HELD_VAGUE))
            ambient_put(analysis, &held, self->node, callee, set, step->place,
                        call_cost(&analysis->program->calls.items[step->call]));
    }
}

// A way the call may end, and how many exits of the callees agree on it.
typedef struct {
    State state;
    u32 exits;
} Way;
typedef struct {
    Way items[WAYS_MOST];
    u32 count;
} Ways;

static void add_way(Frame *frame, Ways *ways, State state, u32 exits) {
    Walk *walk = frame->walk;
    for (u32 i = 0; i < ways->count; i++)
        if (ways->items[i].state.set == state.set &&
            !(ways->count < SPLITS_MOST && stay_apart(frame, ways->items[i].state, state))) {
            ways->items[i].state.facts = facts_join(walk, ways->items[i].state.facts, state.facts);
            ways->items[i].exits += exits;
            return;
        }
    if (ways->count < WAYS_MOST)
        ways->items[ways->count++] = (Way){state, exits};
    else
        limit_reached(LIMIT_WAYS_MOST);
}

// The first call of a node says how it is reached.
static void node_reached(Frame *self, const SkeletonStep *step, u32 node, const Renaming *renaming, bool later) {
    Analysis *analysis = self->walk->analysis;
    Node *fresh = &analysis->nodes.items[node], *mine = &analysis->nodes.items[self->node];
    if (fresh->state || fresh->parent != NO_ID || node == self->node)
        return;
    fresh->parent = self->node;
    fresh->entry_site = put_entry_sites(analysis, fresh->entry, renaming);
    fresh->call = step->place;
    fresh->call_cost = call_cost(&analysis->program->calls.items[step->call]);
    fresh->depth = (u16)(mine->depth < 60000 ? mine->depth + 1 : 60000);
    fresh->conditionals = mine->conditionals + self->conditionals;
    if (later)
        array_push(&self->walk->pending, node);
}

// One of many targets, or one without locks: it is walked without the caller's locks, which are ambient to it.
static void reach_without(Frame *self, const SkeletonStep *step, FunctionId target, LocksetId set) {
    Analysis *analysis = self->walk->analysis;
    bool relevant = analysis->skeletons[target].relevant;
    if (!analysis->skeletons[target].block_count)
        return;
    Renaming renaming;
    renaming_begin(&renaming);
    LocksetId entry = enter_without(self, set, relevant, &renaming);
    bool limited;
    u32 node = node_get(analysis, target, entry, binding_of(self, step, target, 0), &limited);
    if (limited) {
        renaming_end(&renaming);
        return;
    }
    bool later = relevant || self->walk->depth >= DEEPEST;
    node_reached(self, step, node, &renaming, later);
    if (!later && !analysis->nodes.items[node].state)
        walk_flat(self->walk, node);
    put_call_edge(analysis, self->node, node, step, put_ambient(self, step, node, &renaming));
    renaming_end(&renaming);
}

static u32 set_size(const Analysis *self, LocksetId set) {
    u32 count;
    lockset_held(&self->locksets, set, &count);
    return count;
}

// The caller's expression that a place of the callee is the value of, or 0.
static ExprId named_here(Frame *self, const SkeletonStep *step, const TestedPlace *place) {
    Analysis *analysis = self->walk->analysis;
    const Path *path = &analysis->paths.paths.items[place->path];
    if (place->flags & PLACE_VALUE)
        return path->step < step->arg_count ? self->skeleton->args[step->arg + path->step].source : 0;
    const TestedPlace *mine =
        place_by_path(self->skeleton, path_of_caller(analysis, self->skeleton, step, place->path));
    return mine ? mine->expr : 0;
}

// Can a call end so, with what was known before it? What an outcome says is known from then on.
static bool is_possible(Frame *self, const SkeletonStep *step, FunctionId callee, FactsId outcome, FactsId *facts) {
    Walk *walk = self->walk;
    const Skeleton *below = &walk->analysis->skeletons[callee];
    if (!outcome || walk->analysis->options.no_correlation)
        return true;
    for (u32 i = 0; i < below->place_count; i++) {
        if (!(below->places[i].flags & (PLACE_WANTED | PLACE_TOLD)))
            continue;
        ValueId said = facts_get(walk, outcome, below->places[i].expr);
        ExprId mine = said != VALUE_ANY ? named_here(self, step, &below->places[i]) : 0;
        if (!mine)
            continue;
        ValueId both = value_meet(&walk->analysis->values, value_of(self, *facts, mine), said);
        if (!both)
            return false;
        *facts = facts_set(walk, *facts, mine, both);
    }
    return true;
}

static bool has_state(const HeldSet *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i].class == class)
            return true;
    return false;
}

// The CPU's state is the caller's after a call that it does not surely go along into: what one of many targets, entered
// without it, makes of it says little. It keeps handlers away, and protects no data.
static LocksetId with_state_of(Analysis *self, LocksetId before, LocksetId after) {
    HeldSet held, mine;
    held_load(&held, &self->locksets, after);
    held_load(&mine, &self->locksets, before);
    for (u32 i = 0; i < mine.count; i++) {
        Held state = mine.items[i];
        if (state.class >= CLASS_FIRST || has_state(&held, state.class))
            continue;
        state.flags |= HELD_DOUBTED | HELD_VAGUE;
        held_push(&held, state);
    }
    held_end(&mine);
    return held_intern(&held, &self->locksets);
}

static bool has_class(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, const U32Array *set,
                      ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (class_covers(self, caller_class(self, skeleton, step, set->items[i]), class))
            return true;
    return false;
}

// A call that is not walked (yet) does to locks what can be read in the text of the callee: what it lets go is not held
// any more. Nothing of that is sure, so nothing is said of whoever lets it go afterwards.
static LocksetId after_unwalked(Frame *self, const SkeletonStep *step, FunctionId callee, LocksetId set) {
    Analysis *analysis = self->walk->analysis;
    const U32Array *releases = &analysis->releases[callee], *leaves = &analysis->leaves[callee];
    if (!releases->count && !leaves->count)
        return set;
    for (u32 i = 0; i < leaves->count; i++)
        map_put(&self->walk->doubted,
                (u64)self->node << 32 | caller_class(analysis, self->skeleton, step, leaves->items[i]), NULL);
    HeldSet held;
    held_load(&held, &analysis->locksets, set);
    for (u32 i = held.count; i-- > 0;) {
        ClassId class = held.items[i].class;
        if (class < CLASS_FIRST || analysis->classes.items[class].vague || // it may be another
            !has_class(analysis, self->skeleton, step, releases, class) ||
            has_class(analysis, self->skeleton, step, leaves, class) ||
            has_class(analysis, self->skeleton, step, &analysis->given_back[callee], class))
            continue;
        map_put(&self->walk->doubted, (u64)self->node << 32 | class, NULL);
        held_remove(&held, i);
    }
    return held_intern(&held, &analysis->locksets);
}

// What is not known of a lock in the callee is not known here.
static void doubt_with(Frame *self, u32 callee, const Renaming *renaming) {
    for (u32 i = 0; self->walk->doubted.count && i < renaming->entered.count; i++)
        if (map_get(&self->walk->doubted, (u64)callee << 32 | renaming->entered.items[i].class))
            map_put(&self->walk->doubted, (u64)self->node << 32 | renaming->from.items[i].class, NULL);
}

// The callee entered with `entry`: each of its outcomes is a way to go on.
static void walk_entered(Frame *self, const SkeletonStep *step, u32 node, State state, const Renaming *renaming,
                         Ways *ways) {
    Analysis *analysis = self->walk->analysis;
    LocksetId entry = analysis->nodes.items[node].entry;
    bool deep = self->walk->depth >= DEEPEST; // walked later, from the top; till then it changes nothing
    if (deep && !analysis->nodes.items[node].state)
        limit_reached(LIMIT_DEEPEST);
    node_reached(self, step, node, renaming, deep);
    if (!analysis->nodes.items[node].state && !deep)
        walk_node(self->walk, node);
    put_call_edge(analysis, self->node, node, step, put_ambient(self, step, node, renaming));
    put_interrupts_off(self, step, state.set, node);
    if (analysis->nodes.items[node].state != 2) {
        state.set = after_unwalked(self, step, analysis->nodes.items[node].function, state.set);
        add_way(self, ways, state, 1);
        return;
    }
    bool narrow = call_is_narrow(&analysis->program->calls.items[step->call]);
    bool sure = call_cost(&analysis->program->calls.items[step->call]) <= CALL_SURE;
    doubt_with(self, node, renaming);
    for (u32 i = 0; i < analysis->nodes.items[node].outcome_count; i++) {
        Outcome outcome = analysis->outcomes.items[analysis->nodes.items[node].outcome + i];
        FactsId facts = state.facts;
        if (narrow && !is_possible(self, step, analysis->nodes.items[node].function, outcome.facts, &facts))
            continue;
        State after = {leave(self, step, analysis->nodes.items[node].function, state.set, entry, outcome.out, renaming),
                       facts};
        if (!sure)
            after.set = with_state_of(analysis, state.set, after.set);
        if (!narrow && set_size(analysis, after.set) > set_size(analysis, state.set))
            after.set = state.set; // one of many targets keeps a lock: who knows whether it was called
        if (outcome.value != VALUE_ANY && !analysis->options.no_return_classes)
            after.facts = facts_set(self->walk, facts, step->expr, outcome.value);
        add_way(self, ways, after, outcome.exits);
    }
}

static void walk_target(Frame *self, const SkeletonStep *step, FunctionId target, State state, Ways *ways) {
    Analysis *analysis = self->walk->analysis;
    FactsId before = state.facts;
    if (call_is_narrow(&analysis->program->calls.items[step->call]))
        state.facts = forget_writes(self, state.facts, target);
    if (!analysis->skeletons[target].relevant) {
        if (analysis->skeletons[target].block_count)
            reach_without(self, step, target, state.set);
        add_way(self, ways, (State){state.set, forget_arguments(self, state.facts, step)}, 1);
        return;
    }
    state.facts = forget_arguments(self, state.facts, step);
    Renaming renaming;
    renaming_begin(&renaming);
    LocksetId entry = enter(self, step, state.set, target, &renaming);
    bool limited;
    u32 node = node_get(analysis, target, entry, binding_of(self, step, target, before), &limited);
    if (limited)
        add_way(self, ways, (State){after_unwalked(self, step, target, state.set), state.facts}, 1);
    else
        walk_entered(self, step, node, state, &renaming, ways);
    renaming_end(&renaming);
}

// Summary selection: of the ways that return the same, those most exits agree on, and at most two.
static u32 select_ways(Way *ways, u32 count) {
    for (u32 i = 1; i < count; i++) { // most exits first
        Way way = ways[i];
        u32 k = i;
        for (; k > 0 && ways[k - 1].exits < way.exits; k--)
            ways[k] = ways[k - 1];
        ways[k] = way;
    }
    u32 kept = 0;
    for (u32 i = 0; i < count; i++) {
        u32 same = 0, best = 0;
        for (u32 k = 0; k < kept; k++)
            if (ways[k].state.facts == ways[i].state.facts) {
                best = same ? best : ways[k].exits;
                same++;
            }
        if (!same || (same < 2 && ways[i].exits * 2 > best))
            ways[kept++] = ways[i];
    }
    return kept;
}

// What a block does to locks: bit 0: it takes one in a way that can fail; bit 1: it lets one go.
enum { BLOCK_TAKES = 1, BLOCK_LETS_GO = 2 };
static u8 block_does(const Analysis *self, const Skeleton *skeleton, u32 block) {
    u8 does = 0;
    for (u32 s = 0; s < skeleton->blocks[block].step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[skeleton->blocks[block].step + s];
        for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
            const LockEffect *effect = self->operations.items[step->effect + i].effect;
            bool takes =
                effect->kind == EFFECT_ACQUIRE && effect->returns != RETURNS_ANY && !(effect->flags & LOCK_TRY);
            does |= (takes ? BLOCK_TAKES : 0) | (effect->kind == EFFECT_RELEASE ? BLOCK_LETS_GO : 0);
        }
    }
    return does;
}

#define LOCKER_BLOCKS 32 // a function with more is none

// Does the function take a lock in a way that can fail, and lets none go on a way on which it took one? One that does
// the one or the other, as it is told, counts.
static bool is_locker(const Analysis *self, const CallSite *site) {
    if (site->target_count != 1 || site->indirect)
        return false;
    const Skeleton *skeleton = &self->skeletons[self->program->targets.items[site->target]];
    u8 after[LOCKER_BLOCKS] = {0}; // a lock was taken before
    bool takes = false, changed = skeleton->block_count <= LOCKER_BLOCKS;
    while (changed) {
        changed = false;
        for (u32 b = 0; b < skeleton->block_count; b++) {
            u8 does = block_does(self, skeleton, b);
            takes |= (does & BLOCK_TAKES) != 0;
            if ((does & BLOCK_LETS_GO) && (after[b] || (does & BLOCK_TAKES)))
                return false;
            for (u32 i = 0; (after[b] || (does & BLOCK_TAKES)) && i < skeleton->blocks[b].successor_count; i++) {
                u32 next = skeleton->successors[skeleton->blocks[b].successor + i];
                changed |= !after[next];
                after[next] = 1;
            }
        }
    }
    return takes;
}

// How many acquisitions a set is: a recursive lock may be held twice.
static u32 times_held(const Analysis *self, LocksetId set) {
    u32 count, times = 0;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        times += held[i].count;
    return times;
}

static u8 signs_of(const Frame *self, FactsId facts, ExprId expr) {
    return value_signs(&self->walk->analysis->values, facts_get(self->walk, facts, expr));
}

// A result that nobody looks at counts as success, here as for a lock itself: of two ways that are told apart by what
// is returned, the one that took locks is meant, not the one that failed to.
static u32 drop_failures(const Frame *self, const SkeletonStep *step, State before, Way *ways, u32 count) {
    const Analysis *analysis = self->walk->analysis;
    u8 taken = 0; // what is returned with more held than before
    u32 held = times_held(analysis, before.set), kept = 0;
    for (u32 i = 0; i < count; i++) {
        u32 more = times_held(analysis, ways[i].state.set);
        taken |= more > held ? signs_of(self, ways[i].state.facts, step->expr) : 0;
    }
    for (u32 i = 0; i < count; i++) {
        bool failed =
            taken && ways[i].state.set == before.set && !(signs_of(self, ways[i].state.facts, step->expr) & taken);
        if (!failed)
            ways[kept++] = ways[i];
    }
    return kept;
}

enum { ONLY_TAKES = 1, ONLY_LETS_GO = 2 };

// Does a short function do nothing to locks but take, or but let go of, what its parameters point to? Whatever it asks
// before (are there threads at all?), that is what it is called for.
static u32 is_wrapper(Analysis *self, const CallSite *site) {
    if (site->target_count != 1 || site->indirect)
        return 0;
    FunctionId callee = self->program->targets.items[site->target];
    const Skeleton *skeleton = &self->skeletons[callee];
    u32 does = 0;
    if (skeleton->step_count > 24 || !has_lock_parameters(self, callee))
        return 0;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockOperation *operation = &self->operations.items[skeleton->steps[s].effect + i];
            bool takes = operation->effect->kind == EFFECT_ACQUIRE, lets_go = operation->effect->kind == EFFECT_RELEASE;
            if ((!takes && !lets_go) || !self->classes.items[operation->class].parameter ||
                (operation->effect->flags & LOCK_TRY))
                return 0;
            does |= takes ? ONLY_TAKES : ONLY_LETS_GO;
        }
    return does == (ONLY_TAKES | ONLY_LETS_GO) ? 0 : does;
}

// The ways on which a wrapper did what it is for, when there are any.
static u32 keep_meant(const Frame *self, State before, Way *ways, u32 count, u32 does) {
    const Analysis *analysis = self->walk->analysis;
    u32 held = times_held(analysis, before.set), kept = 0;
    for (u32 i = 0; i < count; i++) {
        u32 now = times_held(analysis, ways[i].state.set);
        if (does == ONLY_TAKES ? now > held : now < held)
            ways[kept++] = ways[i];
    }
    return kept ? kept : count;
}

// Of the ways a call may end, those that are meant.
static void choose_ways(Frame *self, const SkeletonStep *step, const CallSite *site, State state, Ways *ways) {
    Analysis *analysis = self->walk->analysis;
    if (!analysis->options.no_selection)
        ways->count = select_ways(ways->items, ways->count);
    if (step->discard && ways->count > 1 && is_locker(analysis, site))
        ways->count = drop_failures(self, step, state, ways->items, ways->count);
    u32 does = ways->count > 1 && step->discard ? is_wrapper(analysis, site) : 0;
    if (does)
        ways->count = keep_meant(self, state, ways->items, ways->count, does);
}

u32 apply_call(Frame *self, const SkeletonStep *step, State state, State *out) {
    const Program *program = self->walk->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    u32 bound = bound_target(self->walk->analysis, self->node, site);
    out[0] = state;
    if (!bound && site->target_count > FAN_OUT_WALKED) {
        limit_reached(LIMIT_FAN_OUT_WALKED);
        for (u32 t = 0; t < site->target_count; t++)
            reach_without(self, step, program->targets.items[site->target + t], state.set);
        return 1;
    }
    if (!bound && !site->target_count) { // outside the tree
        if (site->indirect && !site->parameter && self->walk->analysis->binds_data)
            meet_out(self, step, state.set);
        out[0].facts = forget_arguments(self, state.facts, step);
        return 1;
    }
    Ways ways;
    ways.count = 0;
    if (bound)
        walk_target(self, step, bound - 1, state, &ways);
    for (u32 t = 0; !bound && t < site->target_count; t++)
        walk_target(self, step, program->targets.items[site->target + t], state, &ways);
    choose_ways(self, step, site, state, &ways);
    for (u32 i = 0; i < ways.count; i++)
        out[i] = ways.items[i].state;
    return ways.count;
}

// A call in a function without locks: who is reached, with nothing held.
void reach_flat_call(Frame *self, const SkeletonStep *step) {
    const Program *program = self->walk->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    u32 bound = bound_target(self->walk->analysis, self->node, site);
    if (!bound && !site->target_count && site->indirect && !site->parameter && self->walk->analysis->binds_data)
        array_push(&self->walk->analysis->flat_outcalls, ((Outcall){self->node, step->call, step->place, 0}));
    if (bound)
        reach_without(self, step, bound - 1, 0);
    for (u32 t = 0; !bound && t < site->target_count; t++)
        reach_without(self, step, program->targets.items[site->target + t], 0);
}
