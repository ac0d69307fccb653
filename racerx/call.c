// call.c: what a call does to the locks held, by walking the callees with them.
// Held locks are renamed into the callee's words (what a parameter reaches, what it cannot) on the way
// in and back into the caller's on the way out, so that one walk of the callee serves every caller that
// holds the same.
#include "racerx/walk.h"

typedef struct {
    PathId outer[LOCKSET_MOST]; // caller's places that no parameter reaches, in order
    u32 outer_count;
    u32 from[LOCKSET_MOST];     // for every entry lock, its index in the caller's set
} Renaming;

// The place in the callee's words; 0: not known there.
static PathId rename_in(Frame *self, const SkeletonStep *step, PathId path, Renaming *renaming) {
    PathTable *paths = &self->walk->analysis->paths;
    if (!path || paths->paths.items[path].root == ROOT_GLOBAL)
        return path;
    PathId best = 0;
    u32 best_depth = 0;
    for (u32 i = 0; i < step->arg_count; i++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        if (!argument->path)
            continue;
        u32 depth = paths->paths.items[argument->path].depth + 1u;
        PathId renamed = path_unbase(paths, path, argument->path, argument->address, path_root(paths, ROOT_PARAM, i));
        if (renamed && depth > best_depth)
            best = renamed, best_depth = depth;
    }
    if (best)
        return best;
    for (u32 i = 0; i < renaming->outer_count; i++)
        if (renaming->outer[i] == path)
            return path_root(paths, ROOT_OUTER, i);
    if (renaming->outer_count == LOCKSET_MOST)
        return 0;
    renaming->outer[renaming->outer_count++] = path;
    return path_root(paths, ROOT_OUTER, renaming->outer_count - 1);
}

static PathId rename_out(Frame *self, const SkeletonStep *step, PathId path, const Renaming *renaming) {
    PathTable *paths = &self->walk->analysis->paths;
    PathId root = path_first(paths, path);
    const Path *first = &paths->paths.items[root];
    u32 id = first->step;
    switch (path ? first->root : ROOT_UNKNOWN) {
    case ROOT_GLOBAL: return path;
    case ROOT_PARAM: {
        if (id >= step->arg_count)
            return 0;
        const ArgumentValue *argument = &self->skeleton->args[step->arg + id];
        return argument->path ? path_rebase(paths, path, root, argument->path, argument->address) : 0;
    }
    case ROOT_OUTER: return id < renaming->outer_count ? path_rebase(paths, path, root, renaming->outer[id], false) : 0;
    case ROOT_RESULT:
        return id == UINT32_MAX ? path_rebase(paths, path, root, path_root(paths, ROOT_RESULT, step->expr), false) : 0;
    default: return 0;
    }
}

// Does the caller let it go after the call?
static bool is_assured(Frame *self, const Held *held) {
    Analysis *analysis = self->walk->analysis;
    if (analysis->options.no_unlockset || (held->flags & HELD_ASSURED))
        return true;
    if (releases_later(analysis, self->function, self->block, self->step + 1, held->class))
        return true;
    return !(held->flags & HELD_OUTER) && releases_in_callers(analysis, self->function, held->class);
}

static LocksetId enter(Frame *self, const SkeletonStep *step, LocksetId set, Renaming *renaming) {
    Held held[LOCKSET_MOST + 4];
    Analysis *analysis = self->walk->analysis;
    u32 count = set_copy(analysis, set, held);
    for (u32 i = 0; i < count; i++) {
        if (held[i].class >= CLASS_FIRST) {
            bool assured = is_assured(self, &held[i]);
            held[i].path = rename_in(self, step, held[i].path, renaming);
            held[i].flags = (u16)((held[i].flags & ~HELD_ASSURED) | HELD_OUTER | (assured ? HELD_ASSURED : 0));
        } else {
            held[i].count = 1;
        }
    }
    return lockset_intern(&analysis->locksets, held, count);
}

// The caller's set after the call: its own locks keep their flags.
static LocksetId leave(Frame *self, const SkeletonStep *step, LocksetId before, LocksetId entry, LocksetId out, const Renaming *renaming) {
    Analysis *analysis = self->walk->analysis;
    if (out == entry)
        return before;
    Held mine[LOCKSET_MOST + 4], held[LOCKSET_MOST + 4];
    u32 mine_count = set_copy(analysis, before, mine), count = set_copy(analysis, out, held);
    for (u32 i = 0; i < count; i++) {
        Held *lock = &held[i];
        if (lock->class >= CLASS_FIRST)
            lock->path = rename_out(self, step, lock->path, renaming);
        bool was_mine = false;
        for (u32 k = 0; k < mine_count && !was_mine; k++)
            if (mine[k].class == lock->class && (mine[k].path == lock->path || lock->class < CLASS_FIRST) &&
                ((lock->flags & HELD_OUTER) || lock->class < CLASS_FIRST)) {
                u16 shared = lock->flags & HELD_SHARED;
                u16 times = lock->class < CLASS_FIRST ? (u16)(mine[k].count + lock->count - 1) : lock->count;
                *lock = mine[k];
                lock->flags |= shared;
                lock->count = times;
                was_mine = true;
            }
        if (!was_mine)
            lock->flags &= (u16) ~(HELD_OUTER | HELD_ASSURED);
        if (lock->flags & HELD_ASSERTED && !was_mine)
            held[i--] = held[--count]; // an assertion in the callee is the callee's business
    }
    return lockset_intern(&analysis->locksets, held, count);
}

// Classes of the callee's lock parameters, interned.
static u32 binding_of(Frame *self, const SkeletonStep *step, FunctionId callee) {
    Analysis *analysis = self->walk->analysis;
    u32 bound = analysis->skeletons[callee].bound, run[1 + 64], count = 0;
    for (u32 p = 0; p < 32 && p < step->arg_count; p++) {
        if (!(bound >> p & 1))
            continue;
        ClassId class = self->skeleton->args[step->arg + p].class;
        if (!class)
            continue;
        run[1 + 2 * count] = p;
        run[2 + 2 * count++] = bound_class(analysis, &analysis->nodes.items[self->node], class);
    }
    if (!count)
        return 0;
    run[0] = count;
    bool fresh;
    u32 *index = map_put(&analysis->binding_index, hash_bytes(run, sizeof(u32) * (1 + 2 * count), 3), &fresh);
    if (fresh) {
        if (!analysis->bindings.count)
            array_push(&analysis->bindings, 0);
        *index = analysis->bindings.count;
        for (u32 i = 0; i < 1 + 2 * count; i++)
            array_push(&analysis->bindings, run[i]);
    }
    return *index;
}

static void put_call_edge(Analysis *analysis, u32 caller, u32 callee) {
    bool fresh;
    map_put(&analysis->node_edges, (u64)caller << 32 | callee, &fresh);
    if (fresh) {
        array_push(&analysis->edge_pairs, caller);
        array_push(&analysis->edge_pairs, callee);
    }
}

typedef struct {
    State state;
    u32 exits;
} Way;

static u32 add_way(Way *ways, u32 count, u32 most, State state, u32 exits) {
    for (u32 i = 0; i < count; i++)
        if (ways[i].state.set == state.set && ways[i].state.facts == state.facts) {
            ways[i].exits += exits;
            return count;
        }
    if (count < most)
        ways[count++] = (Way){state, exits};
    return count;
}

static u32 walk_target(Frame *self, const SkeletonStep *step, FunctionId target, State state, Way *ways, u32 count, u32 most) {
    Analysis *analysis = self->walk->analysis;
    if (!analysis->skeletons[target].relevant)
        return add_way(ways, count, most, state, 1);
    Renaming renaming = {.outer_count = 0};
    LocksetId entry = enter(self, step, state.set, &renaming);
    bool limited;
    u32 node = node_get(analysis, target, entry, binding_of(self, step, target), &limited);
    if (limited)
        return add_way(ways, count, most, state, 1);
    if (!analysis->nodes.items[node].state) {
        Node *fresh = &analysis->nodes.items[node];
        fresh->parent = self->node;
        fresh->call = step->place;
        fresh->depth = (u16)(analysis->nodes.items[self->node].depth + 1);
        fresh->conditionals = analysis->nodes.items[self->node].conditionals + self->conditionals;
        walk_node(self->walk, node);
    }
    put_call_edge(analysis, self->node, node);
    if (analysis->nodes.items[node].state != 2)
        return add_way(ways, count, most, state, 1);
    for (u32 i = 0; i < analysis->nodes.items[node].outcome_count; i++) {
        Outcome outcome = analysis->outcomes.items[analysis->nodes.items[node].outcome + i];
        State after = {leave(self, step, state.set, entry, outcome.out, &renaming), state.facts};
        if (outcome.mask != VALUE_ANY && !analysis->options.no_return_classes)
            after.facts = facts_set(self->walk, state.facts, step->expr, outcome.mask);
        count = add_way(ways, count, most, after, outcome.exits);
    }
    return count;
}

#define WAYS_MOST 24

u32 apply_call(Frame *self, const SkeletonStep *step, State state, State *out, u32 most) {
    const Program *program = self->walk->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    Way ways[WAYS_MOST];
    u32 count = 0;
    for (u32 t = 0; t < site->target_count; t++)
        count = walk_target(self, step, program->targets.items[site->target + t], state, ways, count, WAYS_MOST);
    // Summary selection: where callees leave with several locksets, what most exits agree on comes first.
    for (u32 i = 1; i < count; i++) {
        Way way = ways[i];
        u32 k = i;
        for (; k > 0 && ways[k - 1].exits < way.exits; k--)
            ways[k] = ways[k - 1];
        ways[k] = way;
    }
    if (count > most)
        count = most;
    for (u32 i = 0; i < count; i++)
        out[i] = ways[i].state;
    return count;
}
