// call.c: what a call does to the locks held, by walking the callees with them.
// Held locks are renamed into the callee's words (what a parameter reaches, what it cannot) on the way
// in and back into the caller's on the way out, so that one walk of the callee serves every caller that
// holds the same.
#include "racerx/walk.h"

#define DEEPEST 120        // calls within calls
#define FAN_OUT_WALKED 16  // what calls with more targets do to the locks held is not asked

typedef struct {
    PathId outer[LOCKSET_MOST]; // caller's places that no parameter reaches, in order
    u32 outer_count;
    u32 left;    // bit n: the caller's nth lock did not go along
    u32 ambient; // bit n: since nothing near below touches it; else since nobody will let it go
    Held entered[LOCKSET_MOST + 4]; // what went along, in the callee's words, with its site
    u32 entered_count;
} Renaming;

// A lock of a global that a wrapper took by a pointer: the global's own, not just one of its type.
static void name_by_path(Analysis *self, Held *held) {
    const PathTable *paths = &self->paths;
    if (!held->path || held->class < CLASS_FIRST || paths->paths.items[held->path].root != ROOT_GLOBAL || paths->paths.items[held->path].depth == 0)
        return;
    LockClass type = self->classes.items[held->class];
    if (type.global || type.parameter || type.thread || type.record == NO_ID || path_goes_through_pointer(paths, held->path))
        return;
    u32 *known = map_put(&self->class_by_path, held->path, NULL);
    if (!*known) {
        NameId names[12], member = 0;
        u32 count = 0;
        bool element = false;
        PathId at = held->path;
        for (; paths->paths.items[at].depth; at = paths->paths.items[at].parent) {
            u32 step = paths->paths.items[at].step;
            element |= (step >> 30) != 0;
            if (!(step >> 30) && step >> 1 && count < 12)
                names[count++] = step >> 1;
        }
        while (count)
            member = program_join(self->program, member, names[--count]);
        Buffer text = {0};
        Object object = {.kind = OBJECT_GLOBAL, .global = paths->paths.items[at].step, .member = member};
        object_name(self->program, &object, &text);
        ClassId class = class_intern(self, program_intern(self->program, (char *)text.bytes, (u32)text.size), !element);
        buffer_free(&text);
        LockClass *one = &self->classes.items[class];
        one->kind = one->kind == 255 ? type.kind : one->kind;
        one->recursive |= type.recursive;
        one->lets_go |= type.lets_go;
        one->sleepless |= type.sleepless;
        one->base = class == held->class ? 0 : held->class;
        *map_get(&self->class_by_path, held->path) = class;
        known = map_get(&self->class_by_path, held->path);
    }
    held->class = *known;
}

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

PathId path_into_callee(Analysis *self, const Skeleton *caller, const SkeletonStep *call, PathId path) {
    PathTable *paths = &self->paths;
    PathId best = 0;
    u32 best_depth = 0;
    if (!path || paths->paths.items[path].root == ROOT_GLOBAL || paths->paths.items[path].root == ROOT_STACK)
        return path;
    for (u32 i = 0; i < call->arg_count; i++) {
        const ArgumentValue *argument = &caller->args[call->arg + i];
        u32 depth = paths->paths.items[argument->path].depth + 1u;
        PathId renamed = argument->path ? path_unbase(paths, path, argument->path, argument->address, path_root(paths, ROOT_PARAM, i)) : 0;
        if (renamed && depth > best_depth)
            best = renamed, best_depth = depth;
    }
    return best;
}

// The same for a place of a global, too: as a parameter reaches it; 0: none does.
static PathId path_into_arguments(Frame *self, const SkeletonStep *step, PathId path) {
    PathTable *paths = &self->walk->analysis->paths;
    for (u32 i = 0; i < step->arg_count; i++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        PathId renamed = argument->path ? path_unbase(paths, path, argument->path, argument->address, path_root(paths, ROOT_PARAM, i)) : 0;
        if (renamed)
            return renamed;
    }
    return 0;
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
    if (releases_later(analysis, self->function, self->block, self->step, held->class)) // by the callee, too
        return true;
    return !(held->flags & HELD_OUTER) && releases_in_callers(analysis, self->function, held->class);
}

// What the callee is entered with. A lock that nobody will let go was not really held (unlockset
// correction), and stays behind.
static LocksetId enter(Frame *self, const SkeletonStep *step, LocksetId set, FunctionId callee, Renaming *renaming) {
    if (!set)
        return 0;
    Held held[LOCKSET_MOST + 4];
    Analysis *analysis = self->walk->analysis;
    u32 count = set_copy(analysis, set, held), kept = 0;
    for (u32 i = 0; i < count; i++) {
        Held lock = held[i];
        if (lock.class == CLASS_INTERRUPTS) {
            lock.count = 1;
        } else if (lock.class >= CLASS_FIRST && !is_assured(self, &lock)) {
            renaming->left |= 1u << i;
            continue;
        } else if (lock.class < CLASS_FIRST || !touches(analysis, callee, lock.class)) {
            renaming->left |= 1u << i;
            renaming->ambient |= 1u << i;
            continue;
        } else {
            PathId handed = analysis->classes.items[lock.class].base ? path_into_arguments(self, step, lock.path) : 0;
            if (handed) // the callee knows it by its parameter
                lock.class = analysis->classes.items[lock.class].base;
            lock.path = handed ? handed : rename_in(self, step, lock.path, renaming);
            lock.flags = (u16)((lock.flags & (HELD_SHARED | HELD_SPINS | HELD_YIELDS)) | HELD_OUTER | HELD_ASSURED);
        }
        renaming->entered[renaming->entered_count] = lock;
        renaming->entered[renaming->entered_count++].site = lock_site(analysis, self->node, &held[i]);
        lock.site = NO_ID;
        held[kept++] = lock;
    }
    return lockset_intern(&analysis->locksets, held, kept);
}

// A new node remembers where its first caller took the locks it is entered with.
static u32 put_entry_sites(Analysis *analysis, LocksetId entry, const Renaming *renaming) {
    u32 count, first = analysis->entry_sites.count;
    const Held *held = lockset_held(&analysis->locksets, entry, &count);
    for (u32 i = 0; i < count; i++) {
        u32 site = NO_ID;
        for (u32 k = 0; k < renaming->entered_count && site == NO_ID; k++)
            if (renaming->entered[k].class == held[i].class && renaming->entered[k].path == held[i].path)
                site = renaming->entered[k].site;
        array_push(&analysis->entry_sites, site);
    }
    return first;
}

// A wrapper took a lock that only its caller can name: it is ordered here.
static void order_named(Frame *self, const SkeletonStep *step, Held *lock, const Held *mine, u32 count, LocksetId held) {
    Analysis *analysis = self->walk->analysis;
    if ((lock->flags & HELD_TRY) || lock->site == NO_ID)
        return;
    LockSite where = analysis->sites.items[lock->site];
    lock->site = site_get(analysis, self->function, step->place, lock->class); // in the caller, who says which one
    LockSite *site = &analysis->sites.items[lock->site];
    site->uses |= SITE_TAKES;
    site->try_only = 0;
    site->irqs |= where.irqs;
    site->node_on = where.node_on;
    site->node_bh = where.node_bh;
    u8 kind = analysis->classes.items[lock->class].kind;
    acquisition_put(analysis, self->node, lock->site, lock->class, held, lock->flags, kind != LOCK_SPIN && kind != LOCK_ADAPTIVE);
    for (u32 i = 0; i < count; i++) {
        const LockClass *class = &analysis->classes.items[mine[i].class];
        if (mine[i].class < CLASS_FIRST || mine[i].class == lock->class || class->parameter || class->local || class->thread ||
            class->kind == LOCK_RCU || class->kind == LOCK_SRCU || class->kind == LOCK_SEQUENCE || !is_assured(self, &mine[i]))
            continue;
        edge_put(analysis, mine[i].class, lock->class,
                 (Witness){self->node, lock_site(analysis, self->node, &mine[i]), lock->site, held, (u8)mine[i].flags, (u8)lock->flags, NO_ID});
    }
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
        if (lock->class >= CLASS_FIRST) {
            lock->path = rename_out(self, step, lock->path, renaming);
            ClassId before_naming = lock->class;
            name_by_path(analysis, lock);
            if (lock->class != before_naming && !(lock->flags & HELD_OUTER))
                order_named(self, step, lock, mine, mine_count, before);
        }
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
            lock->flags &= (u16) ~(HELD_OUTER | (analysis->classes.items[lock->class].thread ? 0 : HELD_ASSURED));
        bool twice = false; // taken again below what we hold: one is enough to know
        for (u32 k = 0; k < mine_count && !was_mine; k++)
            twice |= (renaming->left >> k & 1) && mine[k].class == lock->class && mine[k].path == lock->path;
        if ((lock->flags & HELD_ASSERTED && !was_mine) || twice)
            held[i--] = held[--count]; // an assertion in the callee is the callee's business
    }
    for (u32 k = 0; k < mine_count && count < LOCKSET_MOST; k++) {
        bool there = false; // CPU state that the callee turned off as well is off once
        for (u32 i = 0; i < count; i++)
            there |= mine[k].class < CLASS_FIRST && held[i].class == mine[k].class;
        if ((renaming->left >> k & 1) && !there)
            held[count++] = mine[k];
    }
    return lockset_intern(&analysis->locksets, held, count);
}

typedef struct {
    u32 run[1 + 2 * 40];
    u32 count;
} Binder;

static void bind(Binder *self, u32 kind, u32 param, u32 value) {
    if (!value || self->count == 40)
        return;
    self->run[1 + 2 * self->count] = kind << 8 | param;
    self->run[2 + 2 * self->count++] = value;
}

static u32 binder_intern(Analysis *analysis, Binder *self) {
    if (!self->count)
        return 0;
    self->run[0] = self->count;
    bool fresh;
    u32 *index = map_put(&analysis->binding_index, hash_bytes(self->run, sizeof(u32) * (1 + 2 * self->count), 3), &fresh);
    if (fresh) {
        if (!analysis->bindings.count)
            array_push(&analysis->bindings, 0);
        *index = analysis->bindings.count;
        for (u32 i = 0; i < 1 + 2 * self->count; i++)
            array_push(&analysis->bindings, self->run[i]);
    }
    return *index;
}

// The function handed over as an argument at this very call.
static u32 code_of(Frame *self, const CallSite *site, u32 argument) {
    const Analysis *analysis = self->walk->analysis;
    for (u32 i = 0; i < site->binding_count; i++) {
        const Binding *binding = &analysis->program->bindings.items[site->binding + i];
        if (binding->argument != argument)
            continue;
        if (binding->function != NO_ID)
            return binding->function + 1;
        return node_binding(analysis, &analysis->nodes.items[self->node], BIND_CODE, binding->parameter);
    }
    return 0;
}

static u32 stack_object(Analysis *analysis, FunctionId function, u32 var) {
    bool fresh;
    u32 *index = map_put(&analysis->stack_index, (u64)function << 32 | var, &fresh);
    if (fresh) {
        array_push(&analysis->stack, ((StackObject){function, var, false}));
        *index = analysis->stack.count;
    }
    return *index - 1;
}

// The place an argument points to, in words that mean the same everywhere; 0: there are none.
static PathId place_of(Frame *self, const ArgumentValue *argument, bool spawn) {
    Analysis *analysis = self->walk->analysis;
    PathTable *paths = &analysis->paths;
    PathId root = path_first(paths, argument->path);
    if (!root)
        return 0;
    Path first = paths->paths.items[root];
    bool whole = argument->path == root;
    switch (first.root) {
    case ROOT_GLOBAL: case ROOT_STACK: return argument->address && !path_goes_through_pointer(paths, argument->path) ? argument->path : 0;
    case ROOT_LOCAL:
        if (!argument->address || (argument->fresh && !spawn) || first.step >= 0x100000u || path_goes_through_pointer(paths, argument->path))
            return 0;
        return path_rebase(paths, argument->path, root, path_root(paths, ROOT_STACK, stack_object(analysis, self->function, first.step)), false);
    case ROOT_RESULT:
        if (argument->address || !whole || first.step == UINT32_MAX || argument->fresh != FRESH_YES || !spawn)
            return 0;
        return path_root(paths, ROOT_STACK, stack_object(analysis, self->function, HEAP_VAR | first.step));
    case ROOT_PARAM: {
        PathId bound = node_binding(analysis, &analysis->nodes.items[self->node], BIND_DATA, first.step);
        if (!bound || (!argument->address && !whole))
            return 0;
        return argument->address ? path_rebase(paths, argument->path, root, bound, true) : bound;
    }
    default: return 0;
    }
}

// Likewise; a local that is given to a thread is shared from then on.
static PathId data_of(Frame *self, const ArgumentValue *argument, bool spawn) {
    Analysis *analysis = self->walk->analysis;
    PathId place = place_of(self, argument, spawn);
    const Path *root = &analysis->paths.paths.items[path_first(&analysis->paths, place)];
    if (place && spawn && root->root == ROOT_STACK)
        analysis->stack.items[root->step].given = true;
    return place;
}

// The scalar an argument points to, or that the caller was handed itself.
static u32 object_of(Frame *self, const ArgumentValue *argument) {
    const Analysis *analysis = self->walk->analysis;
    const Path *path = &analysis->paths.paths.items[argument->path];
    if (argument->object || !argument->path || argument->address || path->root != ROOT_PARAM || path->depth)
        return argument->object;
    return node_binding(analysis, &analysis->nodes.items[self->node], BIND_OBJECT, path->step);
}

static bool is_fresh(Frame *self, const ArgumentValue *argument) {
    const Analysis *analysis = self->walk->analysis;
    if (argument->fresh < FRESH_PARAM)
        return argument->fresh == FRESH_YES;
    return node_binding(analysis, &analysis->nodes.items[self->node], BIND_FRESH, argument->fresh - FRESH_PARAM);
}

// What the callee may know of its parameters, interned.
static u32 binding_of(Frame *self, const SkeletonStep *step, FunctionId callee) {
    Analysis *analysis = self->walk->analysis;
    const Skeleton *below = &analysis->skeletons[callee];
    u32 wanted = below->bound | below->code | below->data | below->tested_count;
    if (!wanted)
        return 0;
    Binder binder = {.count = 0};
    const CallSite *site = &analysis->program->calls.items[step->call];
    for (u32 p = 0; p < 32 && p < step->arg_count; p++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + p];
        if ((below->bound >> p & 1) && argument->class)
            bind(&binder, BIND_CLASS, p, bound_class(analysis, &analysis->nodes.items[self->node], argument->class));
        if (below->code >> p & 1)
            bind(&binder, BIND_CODE, p, code_of(self, site, p));
        if (!(below->data >> p & 1))
            continue;
        bool fresh = is_fresh(self, argument);
        if (fresh)
            bind(&binder, BIND_FRESH, p, 1);
        else if (analysis->follows_threads)
            bind(&binder, BIND_DATA, p, data_of(self, argument, false));
        if (!fresh && analysis->binds_data)
            bind(&binder, BIND_OBJECT, p, object_of(self, argument));
    }
    for (u32 i = 0; i + 1 < below->tested_count && below->relevant; i += 2) {
        u32 p = below->tested[i], mask = p < step->arg_count ? self->skeleton->args[step->arg + p].mask : VALUE_ANY;
        if (mask != VALUE_ANY && mask)
            bind(&binder, BIND_VALUE, p, mask);
    }
    return binder_intern(analysis, &binder);
}

// `&parts[i]` in a call that is made again and again: every thread has an element of its own.
static PathId own_element(Frame *self, PathId path, const SkeletonStep *step) {
    PathTable *paths = &self->walk->analysis->paths;
    u32 steps[16], count = 0;
    bool variable = false;
    PathId at = path;
    const CallSite *site = step->call == NO_ID ? NULL : &self->walk->analysis->program->calls.items[step->call];
    for (; at && paths->paths.items[at].depth && count < 16; at = paths->paths.items[at].parent) {
        variable |= paths->paths.items[at].step >> 29 == 3;
        steps[count++] = paths->paths.items[at].step;
    }
    if (!variable || !site || !site->repeats || !at || paths->paths.items[at].depth)
        return path;
    while (count) {
        u32 one = steps[--count];
        at = path_step(paths, at, one >> 29 == 3 ? STEP_OWN : one >> 1, one & 1);
    }
    return at;
}

// A thread is walked with what it was given; one for each place that it is given.
void spawn_root(Frame *self, const SkeletonStep *step) {
    Analysis *analysis = self->walk->analysis;
    const Spawn *spawn = &analysis->spawns.items[step->effect];
    const u32 *first = map_get(&analysis->spawned, (u64)spawn->function << 32 | spawn->call);
    if (!spawn->class || !first)
        return;
    Binder binder = {.count = 0};
    u32 param = spawn->fact->parameter > 0 ? (u32)spawn->fact->parameter - 1 : 0;
    if (spawn->fact->data > 0 && (u32)spawn->fact->data <= step->arg_count)
        bind(&binder, BIND_DATA, param, own_element(self, data_of(self, &self->skeleton->args[step->arg + (u32)spawn->fact->data - 1], true), step));
    u32 binding = binder_intern(analysis, &binder);
    const Program *program = analysis->program;
    for (u32 r = *first - 1; r < program->registrations.count; r++) {
        const Registration *one = &program->registrations.items[r];
        if (one->from != spawn->function || one->call != spawn->call || one->fact->context != CONTEXT_THREAD)
            continue;
        bool limited, fresh;
        u32 node = node_get(analysis, one->handler, 0, binding, &limited);
        if (limited)
            continue;
        map_put(&analysis->spawn_root_index, hash_mix((u64)step->effect << 32 | node, self->node), &fresh);
        if (!fresh)
            continue;
        analysis->nodes.items[node].is_root = true;
        array_push(&analysis->spawn_roots, step->effect);
        array_push(&analysis->spawn_roots, node);
        array_push(&analysis->spawn_roots, self->node);
        if (!analysis->nodes.items[node].state)
            array_push(&self->walk->pending, node);
    }
}

// A call of one function costs 1; each doubling of the targets makes it as unsure as one more call.
static u8 call_cost(const CallSite *site) {
    u8 cost = 1;
    for (u32 targets = site->indirect ? site->target_count : 1; targets > 1; targets = (targets + 1) / 2)
        cost++;
    return (u8)(cost + 2 * site->guessed);
}

static void put_call_edge(Analysis *analysis, u32 caller, u32 callee, const SkeletonStep *step, LocksetId ambient) {
    bool fresh;
    map_put(&analysis->node_edges, hash_mix((u64)caller << 32 | callee, ambient), &fresh);
    if (fresh) {
        array_push(&analysis->edge_steps, step);
        array_push(&analysis->edge_pairs, caller);
        array_push(&analysis->edge_pairs, callee);
        array_push(&analysis->edge_places, step->place);
        array_push(&analysis->edge_costs, call_cost(&analysis->program->calls.items[step->call]));
        array_push(&analysis->edge_ambient, ambient);
    }
}

// Locks that did not go along are ordered before what is taken below; returns them as a set of classes.
static LocksetId put_ambient(Frame *self, const SkeletonStep *step, LocksetId set, u32 callee, Renaming *renaming) {
    Analysis *analysis = self->walk->analysis;
    if (!renaming->ambient)
        return 0;
    Held held[LOCKSET_MOST + 4], classes[LOCKSET_MOST + 4];
    u32 count = set_copy(analysis, set, held), kept = 0;
    for (u32 i = 0; i < count; i++) {
        if (!(renaming->ambient >> i & 1))
            continue;
        classes[kept++] = (Held){held[i].class, path_into_callee(analysis, self->skeleton, step, held[i].path), held[i].flags & HELD_SHARED, 1, NO_ID};
        if (!analysis->skeletons[analysis->nodes.items[callee].function].relevant || analysis->classes.items[held[i].class].thread)
            continue;
        held[i].site = lock_site(analysis, self->node, &held[i]);
        ambient_put(analysis, &held[i], self->node, callee, set, step->place, call_cost(&analysis->program->calls.items[step->call]));
    }
    return lockset_intern(&analysis->locksets, classes, kept);
}

typedef struct {
    State state;
    u32 exits;
} Way;

static u32 add_way(Walk *walk, Way *ways, u32 count, u32 most, State state, u32 exits) {
    for (u32 i = 0; i < count; i++)
        if (ways[i].state.set == state.set) {
            ways[i].state.facts = facts_join(walk, ways[i].state.facts, state.facts);
            ways[i].exits += exits;
            return count;
        }
    if (count < most)
        ways[count++] = (Way){state, exits};
    return count;
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
    Held held[LOCKSET_MOST + 4];
    Renaming renaming = {.outer_count = 0};
    u32 count = set_copy(analysis, set, held), kept = 0;
    for (u32 i = 0; i < count; i++) {
        renaming.left |= 1u << i;
        if (held[i].class == CLASS_INTERRUPTS && relevant)
            held[kept++] = (Held){CLASS_INTERRUPTS, 0, held[i].flags & (HELD_YIELDS | HELD_EVERYWHERE), 1, NO_ID};
        else if (held[i].class < CLASS_FIRST || is_assured(self, &held[i]))
            renaming.ambient |= 1u << i;
    }
    bool limited;
    u32 node = node_get(analysis, target, lockset_intern(&analysis->locksets, held, kept), binding_of(self, step, target), &limited);
    if (limited)
        return;
    bool later = relevant || self->walk->depth >= DEEPEST;
    node_reached(self, step, node, &renaming, later);
    if (!later && !analysis->nodes.items[node].state)
        walk_flat(self->walk, node);
    put_call_edge(analysis, self->node, node, step, put_ambient(self, step, set, node, &renaming));
}

static u32 walk_target(Frame *self, const SkeletonStep *step, FunctionId target, State state, Way *ways, u32 count, u32 most) {
    Analysis *analysis = self->walk->analysis;
    if (!analysis->skeletons[target].relevant) {
        if (analysis->skeletons[target].block_count)
            reach_without(self, step, target, state.set);
        return add_way(self->walk, ways, count, most, state, 1);
    }
    Renaming renaming;
    renaming.outer_count = renaming.left = renaming.ambient = renaming.entered_count = 0;
    LocksetId entry = enter(self, step, state.set, target, &renaming);
    bool limited;
    u32 node = node_get(analysis, target, entry, binding_of(self, step, target), &limited);
    if (limited)
        return add_way(self->walk, ways, count, most, state, 1);
    bool deep = self->walk->depth >= DEEPEST; // walked later, from the top; till then it changes nothing
    analysis->stats.depth_hits += deep && !analysis->nodes.items[node].state;
    node_reached(self, step, node, &renaming, deep);
    if (!analysis->nodes.items[node].state && !deep)
        walk_node(self->walk, node);
    put_call_edge(analysis, self->node, node, step, put_ambient(self, step, state.set, node, &renaming));
    if (analysis->nodes.items[node].state != 2)
        return add_way(self->walk, ways, count, most, state, 1);
    for (u32 i = 0; i < analysis->nodes.items[node].outcome_count; i++) {
        Outcome outcome = analysis->outcomes.items[analysis->nodes.items[node].outcome + i];
        State after = {leave(self, step, state.set, entry, outcome.out, &renaming), state.facts};
        if (outcome.mask != VALUE_ANY && !analysis->options.no_return_classes)
            after.facts = facts_set(self->walk, state.facts, step->expr, outcome.mask);
        count = add_way(self->walk, ways, count, most, after, outcome.exits);
    }
    return count;
}

// Summary selection: of the ways that return the same, those most exits agree on, and at most two.
static u32 select_ways(const Frame *self, const SkeletonStep *step, Way *ways, u32 count) {
    for (u32 i = 1; i < count; i++) { // most exits first
        Way way = ways[i];
        u32 k = i;
        for (; k > 0 && ways[k - 1].exits < way.exits; k--)
            ways[k] = ways[k - 1];
        ways[k] = way;
    }
    u32 kept = 0;
    for (u32 i = 0; i < count; i++) {
        u8 mask = facts_get(self->walk, ways[i].state.facts, step->expr);
        u32 same = 0, best = 0;
        for (u32 k = 0; k < kept; k++)
            if (facts_get(self->walk, ways[k].state.facts, step->expr) == mask) {
                best = same ? best : ways[k].exits;
                same++;
            }
        if (!same || (same < 2 && ways[i].exits * 2 > best))
            ways[kept++] = ways[i];
    }
    return kept;
}

// Does the function take a lock in a way that can fail, and lets none go itself?
static bool is_locker(const Analysis *self, const CallSite *site) {
    bool takes = false;
    if (site->target_count != 1 || site->indirect)
        return false;
    const Skeleton *skeleton = &self->skeletons[self->program->targets.items[site->target]];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockEffect *effect = self->operations.items[skeleton->steps[s].effect + i].effect;
            if (effect->kind == EFFECT_RELEASE)
                return false;
            takes |= effect->kind == EFFECT_ACQUIRE && effect->returns != RETURNS_ANY && !(effect->flags & LOCK_TRY);
        }
    return takes;
}

// A result that nobody looks at counts as success, here as for a lock itself: of two ways that are told apart by what is
// returned, the one that took locks is meant, not the one that failed to.
static u32 drop_failures(const Frame *self, const SkeletonStep *step, State before, Way *ways, u32 count) {
    const LocksetTable *sets = &self->walk->analysis->locksets;
    u8 taken = 0; // what is returned with more held than before
    u32 held, more, kept = 0;
    lockset_held(sets, before.set, &held);
    for (u32 i = 0; i < count; i++) {
        lockset_held(sets, ways[i].state.set, &more);
        taken |= more > held ? facts_get(self->walk, ways[i].state.facts, step->expr) : 0;
    }
    for (u32 i = 0; i < count; i++) {
        bool failed = taken && ways[i].state.set == before.set && !(facts_get(self->walk, ways[i].state.facts, step->expr) & taken);
        if (!failed)
            ways[kept++] = ways[i];
    }
    return kept;
}

enum { ONLY_TAKES = 1, ONLY_LETS_GO = 2 };

// Does a short function do nothing to locks but take, or but let go of, what its parameters point to? Whatever it asks before
// (are there threads at all?), that is what it is called for.
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
            if ((!takes && !lets_go) || !self->classes.items[operation->class].parameter || (operation->effect->flags & LOCK_TRY))
                return 0;
            does |= takes ? ONLY_TAKES : ONLY_LETS_GO;
        }
    return does == (ONLY_TAKES | ONLY_LETS_GO) ? 0 : does;
}

// The ways on which a wrapper did what it is for, when there are any.
static u32 keep_meant(const Frame *self, State before, Way *ways, u32 count, u32 does) {
    const LocksetTable *sets = &self->walk->analysis->locksets;
    u32 held, now, kept = 0;
    lockset_held(sets, before.set, &held);
    for (u32 i = 0; i < count; i++) {
        lockset_held(sets, ways[i].state.set, &now);
        if (does == ONLY_TAKES ? now > held : now < held)
            ways[kept++] = ways[i];
    }
    return kept ? kept : count;
}

u32 apply_call(Frame *self, const SkeletonStep *step, State state, State *out, u32 most) {
    const Program *program = self->walk->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    Way ways[WAYS_MOST];
    u32 count = 0;
    const Node *node = &self->walk->analysis->nodes.items[self->node];
    u32 bound = site->parameter ? node_binding(self->walk->analysis, node, BIND_CODE, site->parameter - 1) : 0;
    if (bound) {
        count = walk_target(self, step, bound - 1, state, ways, count, WAYS_MOST);
    } else if (site->target_count > FAN_OUT_WALKED) {
        self->walk->analysis->stats.wide++;
        for (u32 t = 0; t < site->target_count; t++)
            reach_without(self, step, program->targets.items[site->target + t], state.set);
        out[0] = state;
        return 1;
    }
    if (!bound && !site->target_count) { // outside the tree
        out[0] = state;
        return 1;
    }
    for (u32 t = 0; !bound && t < site->target_count; t++)
        count = walk_target(self, step, program->targets.items[site->target + t], state, ways, count, WAYS_MOST);
    if (!self->walk->analysis->options.no_selection)
        count = select_ways(self, step, ways, count);
    if (step->discard && count > 1 && is_locker(self->walk->analysis, site))
        count = drop_failures(self, step, state, ways, count);
    u32 does = count > 1 && step->discard ? is_wrapper(self->walk->analysis, site) : 0;
    if (does)
        count = keep_meant(self, state, ways, count, does);
    if (count > most)
        count = most;
    for (u32 i = 0; i < count; i++)
        out[i] = ways[i].state;
    return count;
}

// A call in a function without locks: who is reached, with nothing held.
void reach_flat_call(Frame *self, const SkeletonStep *step) {
    const Program *program = self->walk->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    const Node *node = &self->walk->analysis->nodes.items[self->node];
    u32 bound = site->parameter ? node_binding(self->walk->analysis, node, BIND_CODE, site->parameter - 1) : 0;
    if (bound)
        reach_without(self, step, bound - 1, 0);
    for (u32 t = 0; !bound && t < site->target_count; t++)
        reach_without(self, step, program->targets.items[site->target + t], 0);
}
