// bind.c: what a call says of the callee's parameters (docs/locksets.md, "A binding"), interned.
#include "racerx/walk/walk.h"

void binder_put(Binder *self, u32 kind, u32 param, u32 value) {
    if (!value)
        return;
    if (self->count == BINDINGS_MOST) {
        limit_reached(LIMIT_BINDINGS_MOST);
        return;
    }
    self->run[1 + 2 * self->count] = kind << 8 | param;
    self->run[2 + 2 * self->count++] = value;
}

u32 binder_intern(Analysis *analysis, Binder *self) {
    if (!self->count)
        return 0;
    self->run[0] = self->count;
    bool fresh;
    u32 *index =
        map_put(&analysis->binding_index, hash_bytes(self->run, sizeof(u32) * (1 + 2 * self->count), 3), &fresh);
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
    case ROOT_GLOBAL:
    case ROOT_STACK: return argument->address && !path_goes_through_pointer(paths, argument->path) ? argument->path : 0;
    case ROOT_LOCAL:
        if (!argument->address || (argument->fresh && !spawn) || !path_is_variable(&first) ||
            path_goes_through_pointer(paths, argument->path))
            return 0;
        return path_rebase(paths, argument->path, root,
                           path_root(paths, ROOT_STACK, stack_object(analysis, self->function, first.step)), false);
    case ROOT_RESULT:
        if (argument->address == whole || first.step == UINT32_MAX ||
            (argument->address && path_goes_through_pointer(paths, argument->path)))
            return 0;
        if (!(spawn && argument->fresh == FRESH_YES) && // given to a thread before: the same again
            (argument->fresh || !map_get(&analysis->stack_index, (u64)self->function << 32 | (HEAP_VAR | first.step))))
            return 0;
        first.step = stack_object(analysis, self->function, HEAP_VAR | first.step);
        PathId object = path_root(paths, ROOT_STACK, first.step);
        return whole ? object : path_rebase_data(paths, argument->path, root, object);
    case ROOT_PARAM: {
        PathId bound = node_binding(analysis, &analysis->nodes.items[self->node], BIND_DATA, first.step);
        if (!bound || (!argument->address && !whole))
            return 0;
        return argument->address ? path_rebase_data(paths, argument->path, root, bound) : bound;
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

// FRESH_YES, FRESH_TAKEN; FRESH_NO: others may find it.
static u32 freshness_of(Frame *self, const ArgumentValue *argument) {
    const Analysis *analysis = self->walk->analysis;
    if (argument->fresh < FRESH_PARAM)
        return argument->fresh;
    return node_binding(analysis, &analysis->nodes.items[self->node], BIND_FRESH, argument->fresh - FRESH_PARAM);
}

// What is known here of something that the callee asks for.
static ValueId known_of(Frame *self, const SkeletonStep *step, const TestedPlace *wanted, FactsId facts) {
    Analysis *analysis = self->walk->analysis;
    const Path *path = &analysis->paths.paths.items[wanted->path];
    if (wanted->flags & PLACE_VALUE) {
        const ArgumentValue *argument =
            path->step < step->arg_count ? &self->skeleton->args[step->arg + path->step] : NULL;
        return !argument ? VALUE_ANY : argument->source ? value_of(self, facts, argument->source) : argument->value;
    }
    const TestedPlace *place =
        place_by_path(self->skeleton, path_of_caller(analysis, self->skeleton, step, wanted->path));
    return place ? facts_get(self->walk, facts, place->expr) : VALUE_ANY;
}

// Constants: their signs, whatever they are tested for; and all that is known of what decides about locks.
static void bind_values(Frame *self, const SkeletonStep *step, const Skeleton *below, FactsId facts, Binder *binder) {
    const ValueTable *values = &self->walk->analysis->values;
    for (u32 i = 0; i + 1 < below->tested_count; i += 2) {
        u32 p = below->tested[i];
        u8 signs = p < step->arg_count ? value_signs(values, self->skeleton->args[step->arg + p].value) : VALUE_ANY;
        if (signs != VALUE_ANY && signs)
            binder_put(binder, BIND_VALUE, p, signs);
    }
    for (u32 i = 0; i < below->place_count && i < 256; i++) {
        if (!(below->places[i].flags & PLACE_WANTED))
            continue;
        ValueId value = known_of(self, step, &below->places[i], facts);
        if (value != VALUE_ANY && value && (value == VALUE_ZERO || !(below->places[i].flags & PLACE_POINTER)))
            binder_put(binder, BIND_PLACE, i, value);
    }
}

// Is it another object each time that the call is made?
static bool is_each(Frame *self, const SkeletonStep *step, const ArgumentValue *argument) {
    const Analysis *analysis = self->walk->analysis;
    const Path *path = &analysis->paths.paths.items[argument->path];
    if (argument->path && !argument->address && path->root == ROOT_PARAM && !path->depth && path->step < 32)
        return node_binding(analysis, &analysis->nodes.items[self->node], BIND_EACH, path->step);
    return argument_is_each(analysis, self->function, step->call, argument);
}

// Does only this thread have what the argument points to? 0: not known.
static u32 own_of(Frame *self, const ArgumentValue *argument) {
    const Analysis *analysis = self->walk->analysis;
    PathId root = path_first(&analysis->paths, argument->path);
    const Path *first = &analysis->paths.paths.items[root];
    if (!root || argument->hops == NO_ID)
        return 0;
    if (first->root == ROOT_PARAM && first->step < 32) {
        u32 own = node_binding(analysis, &analysis->nodes.items[self->node], BIND_OWN, first->step);
        return own && hops_are_clean(analysis, argument->hops) ? own : 0;
    }
    return hops_from_own(analysis, root, argument->hops);
}

// Does the function give what it is given to a thread?
static bool gives_to_thread(const Analysis *self, FunctionId function, u32 param) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_SPAWN && i < skeleton->steps[s].arg_count; i++) {
            const ArgumentValue *argument = &skeleton->args[skeleton->steps[s].arg + i];
            const Path *path = &self->paths.paths.items[argument->path];
            if (argument->path && path->root == ROOT_PARAM && !path->depth && path->step == param)
                return true;
        }
    return false;
}

// Whose it is, last: it takes no other's place.
static void put_owned(Frame *self, const SkeletonStep *step, FunctionId callee, Binder *binder) {
    const Analysis *analysis = self->walk->analysis;
    const Skeleton *below = &analysis->skeletons[callee];
    for (u32 p = 0; analysis->follows_threads && p < 32 && p < step->arg_count; p++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + p];
        if (!(below->data >> p & 1))
            continue;
        if (!freshness_of(self, argument))
            binder_put(binder, BIND_OWN, p, own_of(self, argument));
        if (gives_to_thread(analysis, callee, p))
            binder_put(binder, BIND_EACH, p, is_each(self, step, argument));
    }
}

// What the callee may know of its parameters, interned.
u32 binding_of(Frame *self, const SkeletonStep *step, FunctionId callee, FactsId facts) {
    Analysis *analysis = self->walk->analysis;
    const Skeleton *below = &analysis->skeletons[callee];
    u32 wanted = below->bound | below->code | below->data | below->tested_count | below->place_count;
    if (!wanted)
        return 0;
    Binder binder = {.count = 0};
    const CallSite *site = &analysis->program->calls.items[step->call];
    for (u32 p = 0; p < 32 && p < step->arg_count; p++) // first: without them it may be any function
        if (below->code >> p & 1)
            binder_put(&binder, BIND_CODE, p, code_of(self, site, p));
    for (u32 p = 0; p < 32 && p < step->arg_count; p++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + p];
        if ((below->bound >> p & 1) && argument->class)
            binder_put(&binder, BIND_CLASS, p,
                       bound_class(analysis, &analysis->nodes.items[self->node], argument->class));
        if (!(below->data >> p & 1))
            continue;
        u32 fresh = freshness_of(self, argument);
        if (fresh)
            binder_put(&binder, BIND_FRESH, p, fresh);
        else if (analysis->follows_threads)
            binder_put(&binder, BIND_DATA, p, data_of(self, argument, false));
        if (!fresh && analysis->binds_data)
            binder_put(&binder, BIND_OBJECT, p, object_of(self, argument));
    }
    if (below->relevant)
        bind_values(self, step, below, facts, &binder);
    put_owned(self, step, callee, &binder);
    return binder_intern(analysis, &binder);
}

// `&parts[i]` in a call that is made again and again: every thread has an element of its own.
static PathId own_element(Frame *self, PathId path, const SkeletonStep *step, bool each) {
    PathTable *paths = &self->walk->analysis->paths;
    u32 steps[16], count = 0;
    bool variable = false;
    PathId at = path;
    const CallSite *site = step->call == NO_ID ? NULL : &self->walk->analysis->program->calls.items[step->call];
    for (; at && paths->paths.items[at].depth && count < 16; at = paths->paths.items[at].parent) {
        variable |= step_is_term(paths->paths.items[at].step);
        steps[count++] = paths->paths.items[at].step;
    }
    if (!variable || !site || !(site->repeats || each) || !at || paths->paths.items[at].depth)
        return path;
    while (count) {
        u32 one = steps[--count];
        at = path_step(paths, at, step_is_term(one) ? STEP_OWN : step_name(one), step_is_pointer(one));
    }
    return at;
}

static const ArgumentValue *given_to_thread(const Frame *self, const Spawn *spawn, const SkeletonStep *step) {
    return spawn->fact->data > 0 && (u32)spawn->fact->data <= step->arg_count
               ? &self->skeleton->args[step->arg + (u32)spawn->fact->data - 1]
               : NULL;
}

// Of what the first function of the thread may call, the only one that the object holds which the thread is given.
static const SpawnVariant *variant_given(Frame *self, const Spawn *spawn, const SkeletonStep *step) {
    const Analysis *analysis = self->walk->analysis;
    const ArgumentValue *given = given_to_thread(self, spawn, step);
    PathId place = given ? place_of(self, given, true) : 0;
    const Path *path = &analysis->paths.paths.items[place];
    const SpawnVariant *found = NULL;
    if (!place || path->depth || path->root != ROOT_GLOBAL)
        return NULL;
    for (u32 i = 0; i < spawn->variant_count; i++) {
        const SpawnVariant *variant = &analysis->variants.items[spawn->variant + i];
        if (!global_may_hold(analysis->program, path->step, variant->runs))
            continue;
        if (found)
            return NULL;
        found = variant;
    }
    return found;
}

// What this node was told that the thread it starts shall run, when it starts threads for others; NULL: not known.
static const SpawnVariant *variant_of(Frame *self, const Spawn *spawn, const SkeletonStep *step) {
    const Analysis *analysis = self->walk->analysis;
    const Node *node = &analysis->nodes.items[self->node];
    for (u32 p = 0; spawn->variant_count && p < 32; p++) {
        u32 bound = spawn->told && spawn->told != p + 1 ? 0 : node_binding(analysis, node, BIND_CODE, p);
        for (u32 i = 0; bound && i < spawn->variant_count; i++)
            if (analysis->variants.items[spawn->variant + i].runs == bound - 1)
                return &analysis->variants.items[spawn->variant + i];
    }
    return spawn->variant_count && !spawn->told ? variant_given(self, spawn, step) : NULL;
}

ClassId spawn_class(Frame *self, const Spawn *spawn, const SkeletonStep *step) {
    const SpawnVariant *variant = variant_of(self, spawn, step);
    return variant ? variant->class : spawn->class;
}

// Locks of which there is one each, held for writing; signals blocked, which the thread has from its starter.
static LocksetId single_locks(Frame *self, LocksetId set) {
    Analysis *analysis = self->walk->analysis;
    HeldSet held;
    held_load(&held, &analysis->locksets, set);
    u32 kept = 0;
    for (u32 i = 0; i < held.count; i++) {
        const LockClass *class = &analysis->classes.items[held.items[i].class];
        bool along = held.items[i].class >= CLASS_FIRST || held.items[i].class == CLASS_SIGNALS;
        if (along && class->global && !class->thread && !class->scheduling && !(held.items[i].flags & HELD_SHARED))
            held.items[kept++] = (Held){held.items[i].class, 0, 0, 1, NO_ID};
    }
    held.count = kept;
    return held_intern(&held, &analysis->locksets);
}

static void put_spawn_root(Frame *self, u32 spawn, u32 node, ClassId thread, LocksetId set) {
    Analysis *analysis = self->walk->analysis;
    bool fresh;
    u64 key = hash_mix((u64)thread << 32 | node, (u64)spawn << 32 | self->node);
    u32 *known = map_put(&analysis->spawn_root_index, key, &fresh);
    LocksetId held = single_locks(self, set);
    if (!fresh) {
        SpawnRoot *before = &analysis->spawn_roots.items[*known];
        before->held = lockset_join(analysis, before->held, held);
        return;
    }
    *known = analysis->spawn_roots.count;
    analysis->nodes.items[node].is_root = true;
    array_push(&analysis->spawn_roots, ((SpawnRoot){spawn, node, self->node, thread, held, NO_ID}));
    if (!analysis->nodes.items[node].state)
        array_push(&self->walk->pending, node);
}

// A store to such a global that only what is called, or started, asks about.
FactsId store_settled(Frame *self, const SkeletonStep *step, FactsId facts) {
    Analysis *analysis = self->walk->analysis;
    const Skeleton *skeleton = self->skeleton;
    for (u32 i = 0; analysis->settled.count && i < step->effect_count; i++) {
        u32 access = step->effect + i;
        const Access *one = &analysis->accesses.items[access];
        const u32 *constant = map_get(&analysis->constants_stored, access);
        if (!(one->flags & ACCESSED_WRITE) || !is_settled(analysis, one->object))
            continue;
        ValueId value = constant ? value_constant(&analysis->values, (i32)*constant) : 0;
        value = value ? settled_value(analysis, one->object, value) : 0;
        for (u32 p = 0; p < skeleton->place_count; p++)
            if (skeleton->places[p].object == one->object && skeleton->places[p].expr >= VIRTUAL_EXPR)
                facts = facts_set(self->walk, facts, skeleton->places[p].expr, value ? value : VALUE_ANY);
    }
    return facts;
}

// What is known here of globals that are settled before there are threads, and that the thread asks for.
static void put_settled(Frame *self, FunctionId handler, FactsId facts, Binder *binder) {
    Analysis *analysis = self->walk->analysis;
    const Skeleton *below = &analysis->skeletons[handler];
    for (u32 i = 0; below->relevant && i < below->place_count && i < 256; i++) {
        const TestedPlace *wanted = &below->places[i];
        const TestedPlace *here = wanted->flags & PLACE_WANTED ? place_by_path(self->skeleton, wanted->path) : NULL;
        ValueId known = here ? facts_get(self->walk, facts, here->expr) : VALUE_ANY;
        binder_put(binder, BIND_PLACE, i, settled_value(analysis, wanted->object, known));
    }
}

// A thread is walked with what it was given, and what it was told to run; one for each place that it is given.
void spawn_root(Frame *self, const SkeletonStep *step, State state) {
    Analysis *analysis = self->walk->analysis;
    const Spawn *spawn = &analysis->spawns.items[step->effect];
    const u32 *first = map_get(&analysis->spawned, (u64)spawn->function << 32 | spawn->call);
    if (!spawn->class || !first)
        return;
    Binder binder = {.count = 0};
    u32 param = spawn->fact->parameter > 0 ? (u32)spawn->fact->parameter - 1 : 0;
    const ArgumentValue *given = given_to_thread(self, spawn, step);
    const SpawnVariant *variant = variant_of(self, spawn, step);
    if (variant && !spawn->told) // first, as in binding_of()
        binder_put(&binder, BIND_RUNS, 0, variant->runs + 1);
    if (given && given->class)
        binder_put(&binder, BIND_CLASS, param, bound_class(analysis, &analysis->nodes.items[self->node], given->class));
    bool each = given && is_each(self, step, given);
    PathId place = given ? data_of(self, given, true) : 0, own = own_element(self, place, step, each);
    binder_put(&binder, BIND_DATA, param, own);
    if (each || own != place)
        binder_put(&binder, BIND_OWN, param, step->effect + 1);
    const Program *program = analysis->program;
    for (u32 r = *first - 1; r < program->registrations.count; r++) {
        const Registration *one = &program->registrations.items[r];
        if (one->from != spawn->function || one->call != spawn->call || one->fact->context != CONTEXT_THREAD ||
            (variant && spawn->told && one->handler != variant->runs))
            continue;
        bool limited;
        Binder knows = binder;
        put_settled(self, one->handler, state.facts, &knows);
        u32 node = node_get(analysis, one->handler, 0, binder_intern(analysis, &knows), &limited);
        if (!limited)
            put_spawn_root(self, step->effect, node, variant ? variant->class : spawn->class, state.set);
    }
}
