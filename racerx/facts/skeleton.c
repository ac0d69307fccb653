// skeleton.c: a function's body to what concerns locks: recognising lock calls, and nothing else.
// In: a decoded body, the declared effects. Out: steps and blocks that the walk runs over many
// times; places are paths, conditions are masks of signs.
// A local that is written once stands for what was written (`t = p->f` makes t->mtx p->f->mtx).
#include "racerx/facts/skeleton.h"

// steps -------------------------------------------------------------------------

static bool points_to_lock(Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    if (expr->kind != EXPR_ADDRESS && expr->kind != EXPR_VAR && expr->kind != EXPR_MEMBER && expr->kind != EXPR_NAME)
        return false;
    return type_is_lock(self->analysis, type_target(self->analysis->program, expr_type(&self->scope, id)));
}

// Is the argument a lock, by its type or by what the callee does with it?
static bool is_lock(Build *self, const SkeletonStep *step, u32 argument, ExprId id) {
    if (step->kind != STEP_CALL && step->kind != STEP_SPAWN)
        return false;
    return points_to_lock(self, id) ||
           (step->kind == STEP_CALL && step->call != NO_ID &&
            is_lock_argument(self->analysis, &self->analysis->program->calls.items[step->call], argument));
}

static void put_arguments(Build *self, SkeletonStep *step, const Expr *call) {
    step->arg = self->args.count;
    step->arg_count = call->c;
    for (u32 i = 0; i < call->c; i++) {
        ExprId argument = self->body->lists.items[call->b + i];
        PathValue value = build_value(self, argument, 0);
        ClassId class = is_lock(self, step, i, argument) ? class_of(self, argument, NULL) : 0;
        ExprId source = 0;
        ValueId known = step->kind == STEP_CALL ? build_known(self, argument, &source) : VALUE_ANY;
        array_push(&self->args,
                   ((ArgumentValue){value.path, value.address, FRESH_NO,
                                    step->kind == STEP_CALL ? build_scalar(self, argument) : 0, class, known, source,
                                    build_hops(self, argument, 0), build_index_term(self, argument)}));
    }
}

static void put_lock(Build *self, SkeletonStep *step, const LockEffect *effects, u32 count, const LockWrapper *wrapper,
                     const Expr *call) {
    build_operations(self, step, effects, count, wrapper, call);
    if (!step->effect_count)
        return;
    self->masks = true;
    for (u32 i = 0; i < step->effect_count; i++) { // what only concerns this thread says nothing of others
        ClassId class = self->analysis->operations.items[step->effect + i].class;
        self->direct |= class != CLASS_SIGNALS && class != CLASS_CHILD;
    }
    put_arguments(self, step, call);
    array_push(&self->steps, *step);
}

// The first fact of a kind that holds for this call, or NULL.
static const CallFact *fact_of(Build *self, const char *name, u32 said, const Expr *call) {
    const CallFact *facts;
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name), said, &facts);
    for (u32 i = 0; i < count; i++)
        if (choice_fits(self, &facts[i].choice, call))
            return &facts[i];
    return NULL;
}

static u32 site_of_call(Build *self, ExprId expr) {
    const Program *program = self->analysis->program;
    for (u32 i = 0; i < self->info->call_count; i++) {
        u32 at = self->call + i < self->info->call_count ? self->call + i : self->call + i - self->info->call_count;
        if (program->calls.items[self->info->call + at].expr == expr) {
            self->call = at + 1 < self->info->call_count ? at + 1 : 0;
            return self->info->call + at;
        }
    }
    return NO_ID;
}

// A call that gives fresh memory, by its result.
static void put_allocation(Build *self, const SkeletonStep *call_step, const char *name, const Expr *call) {
    const CallFact *fact = fact_of(self, name, SAID_ALLOCATES, call), *own = fact_of(self, name, SAID_PERCPU, call);
    self->analysis->shares_memory |= fact && fact->other;
    if ((!fact || fact->argument > 0) && (!own || own->other))
        return;
    SkeletonStep step = *call_step;
    step.kind = STEP_ALLOC;
    self->allocation[step.expr] = 1;
    array_push(&self->steps, step);
}

// Is the value a pointer somebody could reach through the place it is stored in?
void build_publish(Build *self, ExprId lvalue, ExprId stored, Place place) {
    const PathTable *paths = &self->analysis->paths;
    if (!stored || build_expr(self, lvalue)->kind == EXPR_VAR) {
        build_keep(self, lvalue, stored, false);
        return;
    }
    PathValue value = build_value(self, stored, 0);
    const Path *path = &paths->paths.items[value.path];
    bool own = value.path && (path->root == ROOT_LOCAL || path->root == ROOT_PARAM || path->root == ROOT_RESULT) &&
               (value.address || !path->depth); // else something it points to: not the object itself
    u32 keeper = build_keep(self, lvalue, stored, own && !value.address);
    if (!own && !(self->analysis->binds_data && value.path && !value.address && path->depth)) // may have been taken off
        return;
    PathId into = build_place(self, lvalue, 0), mine = path_first(paths, into);
    const Path *where = &paths->paths.items[mine];
    bool inside = into && path_is_variable(where) && build_expr(self, lvalue)->kind == EXPR_MEMBER &&
                  !path_goes_through_pointer(paths, into);
    if (inside && !keeper)
        return; // a member of a local
    SkeletonStep step = {.kind = STEP_PUBLISH,
                         .mask = inside,
                         .expr = lvalue,
                         .place = place,
                         .call = NO_ID,
                         .result = NO_ID,
                         .effect = keeper,
                         .source = keeper && self->stored.count && self->stored.items[self->stored.count - 1].from};
    step.arg = self->args.count;
    step.arg_count = 2;
    array_push(&self->args, ((ArgumentValue){.path = value.path, .address = value.address}));
    array_push(&self->args, ((ArgumentValue){.path = mine}));
    array_push(&self->steps, step);
}

// The type that the first argument points to, plus 1; 0: it points to no record.
static u32 argument_record(Build *self, const Expr *call) {
    if (!call->c || build_expr(self, call->a)->kind != EXPR_NAME)
        return 0;
    ExprId argument = self->body->lists.items[call->b];
    u8 kind = build_expr(self, argument)->kind;
    if (kind != EXPR_VAR && kind != EXPR_MEMBER && kind != EXPR_NAME && kind != EXPR_ADDRESS)
        return 0;
    const Program *program = self->analysis->program;
    RecordId record = type_record(
        program,
        scope_strip(&self->scope, type_target(program, scope_strip(&self->scope, expr_type(&self->scope, argument)))));
    return record == NO_ID ? 0 : record + 1;
}

// A call outside the tree. One that is given a pointer and a place others can see may store the one in the other.
static void put_unknown(Build *self, SkeletonStep *step, const Expr *call) {
    const PathTable *paths = &self->analysis->paths;
    put_arguments(self, step, call);
    for (u32 i = 0; i < step->arg_count; i++) {
        ArgumentValue into = self->args.items[step->arg + i];
        const Path *root = &paths->paths.items[path_first(paths, into.path)];
        if (!into.path || !(into.address || root->root == ROOT_PARAM) ||
            (root->root != ROOT_GLOBAL && root->root != ROOT_PARAM))
            continue;
        for (u32 k = 0; k < step->arg_count; k++) {
            ArgumentValue value = self->args.items[step->arg + k];
            if (k == i || !value.path || path_first(paths, value.path) == path_first(paths, into.path))
                continue;
            SkeletonStep publish = {
                .kind = STEP_PUBLISH, .expr = step->expr, .place = step->place, .call = NO_ID, .result = NO_ID};
            publish.arg = self->args.count;
            publish.arg_count = 2;
            array_push(&self->args, ((ArgumentValue){.path = value.path, .address = value.address}));
            array_push(&self->args, ((ArgumentValue){.path = path_first(paths, into.path)}));
            array_push(&self->steps, publish);
        }
    }
}

// `threads + i` is among `threads`.
static PathId handle_place(Build *self, ExprId handle) {
    const Expr *expr = build_expr(self, handle);
    while (expr->kind == EXPR_CAST || (expr->kind == EXPR_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB)))
        expr = build_expr(self, handle = expr->a);
    return build_value(self, handle, 0).path;
}

static void put_threads(Build *self, const SkeletonStep *call_step, const char *name, u32 said, const Expr *call) {
    Analysis *analysis = self->analysis;
    SkeletonStep step = *call_step;
    const CallFact *starts = said & SAID_REGISTERS ? fact_of(self, name, SAID_REGISTERS, call) : NULL;
    const CallFact *ends = said & SAID_JOINS ? fact_of(self, name, SAID_JOINS, call) : NULL;
    Spawn spawn = {.function = self->function, .call = step.expr, .fact = starts ? starts : ends};
    i32 argument = starts ? starts->object : ends ? ends->argument : 0;
    if (argument == ARGUMENT_RESULT)
        spawn.place = path_root(&analysis->paths, ROOT_RESULT, step.expr);
    else if (argument > 0 && (u32)argument <= call->c)
        spawn.place = handle_place(self, self->body->lists.items[call->b + (u32)argument - 1]);
    spawn.handle = thread_handle(&analysis->paths, self->function, spawn.place, &spawn.member);
    if ((!starts && !ends) || (starts && (starts->context == CONTEXT_CALL || starts->context == CONTEXT_ONCE)))
        return;
    if (!starts && ends && ends->context != CONTEXT_THREAD && ends->context != CONTEXT_NONE)
        return;
    step.kind = starts ? STEP_SPAWN : STEP_ENDED;
    step.effect = analysis->spawns.count;
    step.effect_count = 0;
    put_arguments(self, &step, call);
    self->direct |= spawn.fact->context == CONTEXT_THREAD || !starts;
    array_push(&analysis->spawns, spawn);
    array_push(&self->steps, step);
}

static void put_signal(Build *self, const SkeletonStep *call_step, const char *name, u32 said, const Expr *call) {
    static const u32 kinds[] = {SAID_SIGNALS, SAID_AWAITS, SAID_MEETS, SAID_WAKES};
    for (u32 kind = 0; kind < 4; kind++) {
        const CallFact *fact = said & kinds[kind] ? fact_of(self, name, kinds[kind], call) : NULL;
        if (!fact || fact->argument < 1 || (u32)fact->argument > call->c)
            continue;
        SkeletonStep step = *call_step;
        step.kind = STEP_SIGNAL;
        step.mask = (u8)(kind == SIGNAL_WAKE && fact->is_false ? SIGNAL_SLEEP : kind);
        step.effect = class_of(self, self->body->lists.items[call->b + (u32)fact->argument - 1], NULL);
        step.discard = returns_values(fact->returns);
        self->direct |= kind != SIGNAL_POST && kind != SIGNAL_WAKE;
        array_push(&self->steps, step);
    }
}

// False: the call does not come back.
static void put_join(Build *self, SkeletonStep step, const char *name, u32 said, const Expr *call) {
    const CallFact *join = fact_of(self, name, SAID_JOINS, call);
    if (!join)
        return;
    put_threads(self, &step, name, said, call);
    step.kind = STEP_JOIN;
    step.effect = handle_of(self->analysis, &self->scope, self->alias, step.expr, join->argument);
    self->direct = true;
    put_arguments(self, &step, call);
    array_push(&self->steps, step);
}

// Queues that are made, items that are handed to them.
static void put_queues(Build *self, const char *name, u32 said, ExprId id, const Expr *call) {
    Analysis *analysis = self->analysis;
    const CallFact *made = said & SAID_ORDERED ? fact_of(self, name, SAID_ORDERED, call) : NULL,
                   *queues = said & SAID_QUEUES ? fact_of(self, name, SAID_QUEUES, call) : NULL;
    if (made) {
        u32 queue = handle_of(analysis, &self->scope, self->alias, id, made->argument);
        array_push(&analysis->queues, ((QueueMade){queue, !made->is_false}));
    }
    if (queues) {
        u32 item = handle_of(analysis, &self->scope, self->alias, id, queues->argument),
            queue = queues->object ? handle_of(analysis, &self->scope, self->alias, id, queues->object) : 0;
        array_push(&analysis->queued, ((Queued){item, queue}));
    }
}

// What ends a guard lets go of what it took when it was made.
static bool put_guard_end(Build *self, SkeletonStep *step, const Expr *call, NameId name) {
    ExprId guard = build_guard(self, call, name);
    u32 site = guard ? site_of_call(self, guard) : NO_ID;
    const LockWrapper *wrapper =
        site == NO_ID ? NULL : lock_wrapper(self->analysis, &self->analysis->program->calls.items[site]);
    if (!wrapper || wrapper->effects[0].kind != EFFECT_ACQUIRE || wrapper->effects[0].flags & LOCK_TRY)
        return false;
    LockEffect *ends = arena_alloc(&self->analysis->arena, sizeof(LockEffect) * wrapper->count);
    for (u32 i = 0; i < wrapper->count; i++) {
        ends[i] = *effect_at_end(self, &wrapper->effects[i]);
        ends[i].flags |= LOCK_SCOPED;
    }
    step->cleanup = false;
    put_lock(self, step, ends, wrapper->count, wrapper, build_expr(self, guard));
    return true;
}

// What a declared function writes is no longer what it was: `n = 0; memcpy(&n, from, size); if (n)`.
static void put_filled(Build *self, SkeletonStep step, const char *name, u32 said, const Expr *call) {
    const CallFact *facts;
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name),
                                   said & SAID_ATOMIC ? SAID_ATOMIC : SAID_ACCESSES, &facts);
    bool writes = false;
    for (u32 i = 0; i < count; i++)
        writes |= (facts[i].access & ACCESS_WRITE) != 0;
    if (!writes)
        return;
    step.kind = STEP_FILL;
    put_arguments(self, &step, call);
    array_push(&self->steps, step);
}

static bool put_call(Build *self, const Event *event) {
    Program *program = self->analysis->program;
    const Expr *call = build_expr(self, event->expr);
    SkeletonStep step = {.kind = STEP_CALL,
                         .expr = event->expr,
                         .place = event->place,
                         .result = NO_ID,
                         .discard = (event->flags & EVENT_DISCARD) != 0,
                         .cleanup = (event->flags & EVENT_CLEANUP) != 0};
    step.call = site_of_call(self, event->expr);
    const Expr *callee = build_expr(self, call->a);
    bool opaque = false;
    if (callee->kind == EXPR_NAME) {
        const char *name = program_text(program, build_name(self, callee->a));
        const LockEffect *effects;
        u32 count = declarations_effects(self->analysis->declarations, name, (u32)strlen(name), &effects);
        u32 said = declarations_look(self->analysis->declarations, name, (u32)strlen(name)).said;
        u8 fit = effects_fit(self, effects, count, call);
        if ((said & SAID_ATOMIC) && build_turn(self, &step, event->expr)) {
            build_declared_access(self, event, name, said);
            self->direct = true;
            put_arguments(self, &step, call);
            array_push(&self->steps, step);
            return true;
        }
        if (count && lock_has(effects->lock, TRAIT_CLAIMS)) { // of a word, which is data to whom it is no lock
            build_declared_access(self, event, name, said);
            effects = build_spun(self, event->expr, effects, &count);
            put_lock(self, &step, effects, count, NULL, call);
            return true;
        }
        if (fit || (count && !(said & (SAID_BLOCKS | SAID_JOINS)))) {
            if (fit == FITS && (said & SAID_JOINS)) // a handle may be a lock or a thread
                put_join(self, step, name, said, call);
            if (said & SAID_WAKES)
                put_signal(self, &step, name, said, call);
            put_lock(self, &step, effects, count, NULL, call);
            return true;
        }
        if (!count && put_guard_end(self, &step, call, build_name(self, callee->a)))
            return true;
        const LockWrapper *wrapper =
            count || said || step.call == NO_ID ? NULL : lock_wrapper(self->analysis, &program->calls.items[step.call]);
        if (wrapper && build_wrapper_fits(self, wrapper, call)) {
            put_lock(self, &step, wrapper->effects, wrapper->count, wrapper, call);
            return true;
        }
        opaque = said & SAID_OPAQUE;
        if (said & (SAID_SIGNALS | SAID_AWAITS | SAID_MEETS | SAID_WAKES))
            put_signal(self, &step, name, said, call);
        if (said & (SAID_QUEUES | SAID_ORDERED))
            put_queues(self, name, said, event->expr, call);
        step.mask = said & (SAID_BLOCKS | SAID_ALLOCATES) ? CALL_DECLARED : CALL_PLAIN;
        if ((said & SAID_NORETURN) && fact_of(self, name, SAID_NORETURN, call))
            return false;
        const u32 more = SAID_BLOCKS | SAID_JOINS | SAID_REGISTERS | SAID_ALLOCATES | SAID_PERCPU;
        if ((said & (SAID_ATOMIC | SAID_ACCESSES)) && build_declared_access(self, event, name, said)) {
            put_filled(self, step, name, said, call);
            if (!(said & more))
                return true;
        }
        if (said & SAID_FREES)
            build_freed(self, event, name);
        if (said & (SAID_ALLOCATES | SAID_PERCPU))
            put_allocation(self, &step, name, call);
        if (said & (SAID_REGISTERS | SAID_JOINS))
            put_threads(self, &step, name, said, call);
        const CallFact *starts = said & SAID_REGISTERS ? fact_of(self, name, SAID_REGISTERS, call) : NULL;
        u32 started = starts ? handle_of(self->analysis, &self->scope, self->alias, event->expr, starts->object) : 0;
        if (started)
            array_push(&self->analysis->started, ((Started){self->function, event->expr, started}));
        if (said & (SAID_BLOCKS | SAID_JOINS)) {
            const CallFact *join = fact_of(self, name, SAID_JOINS, call),
                           *block = join ? NULL : fact_of(self, name, SAID_BLOCKS, call);
            if (join || block) {
                step.kind = join ? STEP_JOIN : STEP_BLOCK;
                step.effect =
                    join ? handle_of(self->analysis, &self->scope, self->alias, event->expr, join->argument) : 0;
                self->direct = true;
                put_arguments(self, &step, call);
                array_push(&self->steps, step);
                if (join && fact_of(self, name, SAID_BLOCKS, call)) {
                    step.kind = STEP_BLOCK;
                    array_push(&self->steps, step);
                }
                return true;
            }
        }
    }
    if (step.call == NO_ID || opaque)
        return true;
    step.effect = argument_record(self, call);
    build_made(self, &program->calls.items[step.call], call);
    if (!program->calls.items[step.call].target_count) {
        build_walked(self, event, step.call);
        put_unknown(self, &step, call);
        array_push(&self->steps, step);
        return true;
    }
    const CallSite *site = &program->calls.items[step.call];
    if (site->target_count == 1 &&
        (program->functions.items[program->targets.items[site->target]].marks & MARK_NORETURN))
        return false;
    if (call_is_narrow(site))
        build_handed(self, event, step.call);
    put_arguments(self, &step, call);
    array_push(&self->steps, step);
    return true;
}

// The record that a type is, plus 1; 0: none.
static u32 record_of(const Build *self, TypeRef type) {
    TypeRef plain = scope_strip(&self->scope, type);
    RecordId record = type_known(plain) ? type_record(self->analysis->program, plain) : NO_ID;
    return record == NO_ID ? 0 : record + 1;
}

// What an allocation is made for: the type of the pointer it is stored in.
static void put_made(Build *self, const Event *event) {
    const Expr *value = event->value ? build_expr(self, event->value) : NULL;
    ExprId id = event->value;
    while (value && value->kind == EXPR_CAST)
        value = build_expr(self, id = value->a);
    if (!value || value->kind != EXPR_CALL || !self->allocation[id])
        return;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, event->expr));
    u32 record = record_of(self, type_target(self->analysis->program, type));
    if (record)
        *map_put(&self->analysis->made, (u64)self->function << 32 | (HEAP_VAR | id), NULL) = record;
}

// Locals whose address is taken, if they are records.
static void put_locals(Build *self) {
    for (u32 v = 0; v < self->body->vars.count; v++) {
        const Var *var = &self->body->vars.items[v];
        u32 record = var->flags & DECL_ADDRESSED
                         ? record_of(self, (TypeRef){self->scope.file, var->type, self->function + 1, 0})
                         : 0;
        if (record)
            *map_put(&self->analysis->made, (u64)self->function << 32 | v, NULL) = record;
    }
}

// The member or global that is written; 0: what some pointer points to.
NameId build_stored_name(const Build *self, ExprId id) {
    for (u32 depth = 0; id && depth < 16; depth++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_MEMBER || expr->kind == EXPR_NAME)
            return build_name(self, expr->kind == EXPR_NAME ? expr->a : expr->b);
        if (expr->kind != EXPR_INDEX && expr->kind != EXPR_CAST)
            return 0;
        id = expr->a;
    }
    return 0;
}

// `x = condition ? CONSTANT : CONSTANT`: both are known, and which of them when.
static bool put_choice(Build *self, SkeletonStep *step, ExprId value) {
    const Expr *choice = build_expr(self, value);
    i64 first, second;
    if (choice->kind != EXPR_CHOICE || !choice->b || !build_constant(self, choice->b, &first, 0) ||
        !build_constant(self, choice->c, &second, 0))
        return false;
    Test test = build_comparison_test(self, choice->a);
    if (test.relation == REL_OPAQUE || !test.subject || self->tracked[test.subject] < 2)
        return false;
    ValueTable *values = &self->analysis->values;
    ChoiceValue chosen = {.first = value_constant(values, first), .second = value_constant(values, second)};
    test_values(self, &test, &chosen.yes, &chosen.no);
    step->discard = COMPARES_CHOICE;
    step->source = test.subject;
    step->effect = self->choices.count;
    array_push(&self->choices, chosen);
    return true;
}

// `x = x + CONSTANT`: what was not below zero is above it.
static bool goes_up(const Build *self, ExprId target, ExprId value) {
    const Expr *sum = build_expr(self, value);
    i64 constant;
    return sum->kind == EXPR_BINARY && sum->op == OP_ADD && sum->a == target &&
           build_constant(self, sum->b, &constant, 0) && constant > 0;
}

static void put_write(Build *self, const Event *event) {
    const Expr *target = build_expr(self, event->expr);
    put_made(self, event);
    bool local = target->kind == EXPR_VAR;
    if (!local)
        build_publish(self, event->expr, event->value, event->place);
    else
        build_keep(self, event->expr, event->value, false);
    SkeletonStep step = {.kind = local ? STEP_SET : STEP_STORE,
                         .expr = event->expr,
                         .place = event->place,
                         .call = NO_ID,
                         .mask = local && self->alias[target->a] != 0,
                         .result = local ? target->a : build_stored_name(self, event->expr)};
    ExprId value = event->value;
    if (!local || !value || !put_choice(self, &step, value)) {
        step.discard = value ? build_comparison(self, &value) : COMPARES_NOT;
        step.effect = value ? build_known(self, value, &step.source) : VALUE_ANY;
        if (step.discard && !step.source)
            step.effect = VALUE_ANY, step.discard = COMPARES_NOT;
        if (local && value && goes_up(self, event->expr, value))
            step.effect = VALUE_ANY, step.discard = COMPARES_COUNTED;
    }
    array_push(&self->steps, step);
}

// `serving++`: whoever has the next number has the lock.
static void put_turn(Build *self, const Event *event) {
    SkeletonStep step = {
        .kind = STEP_LOCK, .expr = event->expr, .place = event->place, .call = NO_ID, .result = NO_ID, .discard = true};
    if (!build_turn_ends(self, &step, event))
        return;
    self->direct = true;
    array_push(&self->steps, step);
}

// Does a place that an expression names begin at a variable?
static bool begins_at(const Build *self, ExprId id, u32 var, u32 depth) {
    const Expr *expr = build_expr(self, id);
    if (depth > 8)
        return false;
    switch (expr->kind) {
    case EXPR_VAR:
        return expr->a == var || (self->alias[expr->a] && begins_at(self, self->alias[expr->a], var, depth + 1));
    case EXPR_MEMBER:
    case EXPR_DEREF:
    case EXPR_INDEX:
    case EXPR_ADDRESS:
    case EXPR_CAST: return begins_at(self, expr->a, var, depth + 1);
    default: return false;
    }
}

static bool is_pointer(const Build *self, ExprId id) {
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, id));
    return type_known(type) && type_kind(self->analysis->program, type) == TYPE_POINTER;
}

// Is the address of something in what a variable points to handed to a call? It may be a lock.
static bool hands_over_inside(const Build *self, u32 var) {
    const Body *body = self->body;
    for (u32 e = 0; e < body->events.count; e++) {
        const Expr *call = build_expr(self, body->events.items[e].expr);
        for (u32 i = 0; body->events.items[e].kind == EVENT_CALL && i < call->c; i++) {
            ExprId id = body->lists.items[call->b + i];
            const Expr *given = build_expr(self, id);
            if (given->kind == EXPR_VAR && self->alias[given->a])
                given = build_expr(self, self->alias[given->a]);
            if (given->kind == EXPR_ADDRESS && begins_at(self, id, var, 0))
                return true;
        }
    }
    return false;
}

// `next = at->next; … at = next;`, `done = at; at = next;`: what is named by where it came from would be another one
// then. It has its own name.
static void drop_carried(Build *self) {
    const Body *body = self->body;
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *to = build_expr(self, event->expr), *from = build_expr(self, event->value);
        if (event->kind != EVENT_WRITE || !event->value || to->kind != EXPR_VAR || from->kind != EXPR_VAR)
            continue;
        bool goes_on = self->alias[from->a] && begins_at(self, self->alias[from->a], to->a, 0);
        bool left = self->alias[to->a] && self->written[from->a] > 1;
        u32 var = goes_on ? from->a : to->a;
        if ((!goes_on && !left) || !is_pointer(self, event->expr) || !hands_over_inside(self, var))
            continue;
        self->alias[var] = 0;
        self->written[var] = 2;
    }
}

static void fill_aliases(Build *self) {
    Body *body = self->body;
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        if (event->kind != EVENT_WRITE || build_expr(self, event->expr)->kind != EXPR_VAR)
            continue;
        u32 var = build_expr(self, event->expr)->a;
        if (self->written[var] < 2)
            self->written[var]++;
        self->alias[var] = event->value;
    }
    for (u32 v = 0; v < body->vars.count; v++) {
        bool param = body->vars.items[v].flags & DECL_PARAM;
        const Expr *value = self->alias[v] ? build_expr(self, self->alias[v]) : NULL;
        bool pure = value && value->kind != EXPR_INT && value->kind != EXPR_LIST && value->kind != EXPR_BINARY &&
                    value->kind != EXPR_CHOICE;
        u8 flags = body->vars.items[v].flags & (DECL_ADDRESSED | DECL_STATIC);
        bool apart = flags & DECL_STATIC || (flags && !build_only_ended(self, v));
        if (param || self->written[v] != 1 || !pure || apart)
            self->alias[v] = 0;
    }
    drop_carried(self);
}

static void put_block(Build *self, const Block *block) {
    SkeletonBlock out = {
        .step = self->steps.count, .term = block->term, .place = block->place, .return_value = VALUE_ANY};
    bool returns = true;
    u32 first_access = self->analysis->accesses.count;
    self->block = block;
    self->block_step = self->steps.count;
    for (u32 e = 0; e < block->event_count && returns; e++) {
        const Event *event = &self->body->events.items[block->event + e];
        build_access(self, event);
        build_followed(self, event);
        if (event->kind == EVENT_CALL)
            returns = put_call(self, event);
        else if (event->kind == EVENT_WRITE)
            put_write(self, event);
        if (event->kind == EVENT_WRITE)
            put_turn(self, event);
    }
    mark_tested(self, first_access, block);
    out.step_count = self->steps.count - out.step;
    out.successor = self->successors.count;
    if (!returns) {
        out.term = TERM_UNREACHABLE;
        array_push(&self->blocks, out);
        return;
    }
    for (u32 s = 0; s < block->successor_count; s++)
        array_push(&self->successors, self->body->successors.items[block->successor + s].block);
    out.successor_count = block->successor_count;
    if (block->term == TERM_SWITCH)
        build_cases(self, block, &out);
    ExprId condition = self->condition[self->blocks.count];
    if (condition && self->tested_often[condition] == 2)
        out.condition = condition, out.negated = self->negated[self->blocks.count];
    if (block->term == TERM_BRANCH) {
        build_branch(self, block, &out);
    } else if (block->term == TERM_RETURN && block->value) {
        ExprId value = block->value;
        out.return_compares = build_comparison(self, &value);
        out.return_value = build_known(self, value, &out.return_source);
        if (out.return_compares && !out.return_source)
            out.return_value = VALUE_ANY, out.return_compares = COMPARES_NOT;
        out.returned = build_value(self, block->value, 0);
    }
    array_push(&self->blocks, out);
}

static void *keep(Analysis *analysis, const void *items, size_t size) {
    return size ? memcpy(arena_alloc(&analysis->arena, size), items, size) : NULL;
}

static void skeleton_keep(Build *self, Skeleton *out) {
    Analysis *analysis = self->analysis;
    out->block_count = self->blocks.count;
    out->blocks = keep(analysis, self->blocks.items, sizeof(SkeletonBlock) * self->blocks.count);
    out->steps = keep(analysis, self->steps.items, sizeof(SkeletonStep) * self->steps.count);
    out->args = keep(analysis, self->args.items, sizeof(ArgumentValue) * self->args.count);
    out->successors = keep(analysis, self->successors.items, sizeof(u32) * self->successors.count);
    out->mentions = keep(analysis, self->mentions.items, sizeof(Mention) * self->mentions.count);
    out->masked = keep(analysis, self->masked.items, sizeof(Masked) * self->masked.count);
    out->masked_count = self->masked.count;
    out->choices = keep(analysis, self->choices.items, sizeof(ChoiceValue) * self->choices.count);
    out->places = keep(analysis, self->places.items, sizeof(TestedPlace) * self->places.count);
    out->place_count = self->places.count;
    out->mention_count = self->mentions.count;
    out->tested = keep(analysis, self->tested.items, sizeof(u32) * self->tested.count);
    out->tested_count = self->tested.count;
    out->bound = self->bound;
    out->direct = out->relevant = self->direct || self->masks;
    out->concurrent = self->direct || self->concurrent;
    out->step_count = self->steps.count;
}

// fills: code, data.
static void fill_masks(const Build *self, Skeleton *out) {
    const Analysis *analysis = self->analysis;
    for (u32 s = 0; s < out->step_count; s++) {
        const SkeletonStep *step = &out->steps[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
            u8 param = analysis->accesses.items[step->effect + i].param;
            out->data |= param ? 1u << (param - 1) : 0;
        }
        for (u32 i = 0; (step->kind == STEP_CALL || step->kind == STEP_SPAWN) && i < step->arg_count; i++) {
            const Path *root =
                &analysis->paths.paths.items[path_first(&analysis->paths, out->args[step->arg + i].path)];
            out->data |=
                out->args[step->arg + i].path && root->root == ROOT_PARAM && root->step < 32 ? 1u << root->step : 0;
        }
        const CallSite *site = step->kind == STEP_CALL ? &analysis->program->calls.items[step->call] : NULL;
        if (site && site->parameter && site->parameter <= 32)
            out->code |= 1u << (site->parameter - 1);
        for (u32 i = 0; site && i < site->binding_count; i++) {
            const Binding *binding = &analysis->program->bindings.items[site->binding + i];
            out->code |= binding->function == NO_ID && binding->parameter < 32 ? 1u << binding->parameter : 0;
        }
    }
}

void build_begin(Build *self, Analysis *analysis, FunctionId function, Body *body) {
    *self = (Build){.analysis = analysis,
                    .function = function,
                    .info = &analysis->program->functions.items[function],
                    .body = body};
    self->scope = (BodyScope){analysis->program, function, self->info->file, body};
    self->alias = must_zero(sizeof(ExprId) * (body->vars.count + 1));
    self->written = must_zero(body->vars.count + 1);
    self->means = must_zero(sizeof(ExprId) * (body->vars.count + 1));
    self->rooted = must_zero(body->vars.count + 1);
    self->chosen = must_zero(sizeof(Chosen) * (body->vars.count + 1));
    fill_aliases(self);
    fill_means(self);
    fill_chosen(self);
}

void build_end(Build *self) {
    free(self->alias);
    free(self->written);
    free(self->means);
    free(self->chosen);
    free(self->rooted);
}

void skeleton_build(Analysis *analysis, SkeletonBuilder *scratch, FunctionId function) {
    Skeleton *out = &analysis->skeletons[function];
    if (!program_body(analysis->program, function, &scratch->body) || !scratch->body.blocks.count)
        return;
    limit_cuts(LIMIT_PARAMETERS_MOST, program_header(analysis->program, function)->param_count > PARAMETERS_MOST);
    Body *body = &scratch->body;
    Build self;
    build_begin(&self, analysis, function, body);
    self.tracked = must_zero(body->exprs.count + 1);
    self.compared = must_zero(body->exprs.count + 1);
    self.tested_often = must_zero(body->exprs.count + 1);
    self.same_call = must_zero(sizeof(ExprId) * (body->exprs.count + 1));
    self.versus = must_zero(sizeof(ExprId) * (body->exprs.count + 1));
    self.ended = must_zero(sizeof(ExprId) * (body->exprs.count + 1));
    self.counts = must_zero(body->exprs.count + 1);
    self.condition = must_zero(sizeof(ExprId) * (body->blocks.count + 1));
    self.negated = must_zero(body->blocks.count + 1);
    self.allocation = must_zero(body->exprs.count + 1);
    self.memo = must_zero(sizeof(AccessMemo) * (body->exprs.count + 1));
    u32 first_access = analysis->accesses.count;
    if (analysis->binds_data) {
        put_locals(&self);
        build_beginnings(&self);
    }
    fill_tracked(&self);
    for (u32 b = 0; b < body->blocks.count; b++)
        put_block(&self, &body->blocks.items[b]);
    settle_stores(&self);
    build_keepers_addressed(&self);
    if (analysis->binds_data) {
        build_prepared(&self);
        build_elected(&self);
    }
    drop_idle(&self);
    mark_unshared(&self, first_access);
    mark_made(&self, first_access);
    mark_claimed(&self, first_access);
    bool calls = false;
    for (u32 s = 0; s < self.steps.count; s++)
        calls |= self.steps.items[s].kind != STEP_SET && self.steps.items[s].kind != STEP_STORE &&
                 self.steps.items[s].kind != STEP_FOLLOWED;
    for (u32 b = 0; b < self.blocks.count; b++) // gives out an address
        calls |= self.blocks.items[b].term == TERM_RETURN && self.blocks.items[b].returned.path &&
                 self.blocks.items[b].returned.address;
    if (calls) {
        fill_places(&self);
        skeleton_keep(&self, out);
        fill_masks(&self, out);
        for (u32 v = 0; v < body->vars.count && v < 32; v++)
            out->fixed |= (body->vars.items[v].flags & (DECL_PARAM | DECL_ADDRESSED)) == DECL_PARAM && !self.written[v]
                              ? 1u << v
                              : 0;
    }
    build_end(&self);
    free(self.tracked);
    free(self.compared);
    free(self.tested_often);
    free(self.same_call);
    free(self.versus);
    free(self.ended);
    free(self.counts);
    free(self.condition);
    free(self.negated);
    free(self.allocation);
    free(self.memo);
    array_free(&self.stored);
    array_free(&self.steps);
    array_free(&self.blocks);
    array_free(&self.args);
    array_free(&self.successors);
    array_free(&self.mentions);
    array_free(&self.masked);
    array_free(&self.choices);
    array_free(&self.places);
    array_free(&self.made);
    array_free(&self.tested);
    array_free(&self.pointed);
    array_free(&self.grown);
}
