// keepers.c: places that keep only what was made for them, and what a thread owns by way of them.
// In: bodies as skeletons are built, then what fresh.c found at every store. Out: for each place that pointers are kept
// in (a member of a type, a global, an array) whether all it ever keeps was fresh when it was stored: then two objects
// never share what they keep there. For each access and argument the keepers on the way to it from its root.
// The idea: what a thread was given alone is its own, and so is what is reached from it through such keepers, and what
// only its thread-local storage leads to. Whoever comes to the same object by another way has no part in this: his
// accesses are compared as ever. Invariant: a keeper is innocent until a store says otherwise, and never again.
#include "racerx/facts/skeleton.h"

enum { KEEPER_MEMBER = 1, KEEPER_GLOBAL, KEEPER_LOCAL, KEEPER_RECORD, KEEPER_LOOSE };

// recording -----------------------------------------------------------------------

static u32 keeper_put(Analysis *analysis, u32 kind, u32 id, u32 member, u32 elements) {
    bool fresh;
    u32 *index = map_put(&analysis->keeper_index, hash_mix((u64)id << 32 | member, (u64)elements << 8 | kind), &fresh);
    if (fresh) {
        array_push(&analysis->keepers, ((Keeper){.record = NO_ID, .holds = NO_ID, .many = elements != 0}));
        *index = analysis->keepers.count;
    }
    return *index;
}

static void keeper_spoil(Analysis *analysis, u32 keeper) {
    if (keeper)
        analysis->keepers.items[keeper - 1].flags |= KEEPS_OTHERS | KEEPS_ANY | KEEPS_MIXED;
}

// All members of a record: it is copied as a whole, or initialised with addresses.
static void record_spoil(Analysis *analysis, RecordId record) {
    if (record != NO_ID)
        keeper_spoil(analysis, keeper_put(analysis, KEEPER_RECORD, record, 0, 0));
}

static RecordId record_behind(const Build *self, ExprId pointer) {
    const Program *program = self->analysis->program;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, pointer));
    while (type_known(type) && (type_kind(program, type) == TYPE_POINTER || type_kind(program, type) == TYPE_ARRAY))
        type = scope_strip(&self->scope, type_target(program, type));
    return type_known(type) ? type_record(program, type) : NO_ID;
}

static u8 kind_of(const Build *self, ExprId id) {
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, id));
    return type_known(type) ? type_kind(self->analysis->program, type) : TYPE_UNKNOWN;
}

// A value without the casts and the locals written once around it.
static ExprId plain_value(const Build *self, ExprId id) {
    for (u32 depth = 0; depth < 16; depth++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_CAST || expr->kind == EXPR_BLOCK)
            id = expr->a;
        else if (expr->kind == EXPR_ASSIGN)
            id = expr->b;
        else if (expr->kind == EXPR_VAR && self->alias[expr->a])
            id = self->alias[expr->a];
        else
            break;
    }
    return id;
}

// The keeper that an lvalue is, plus 1; 0: none that could be told. `elements`: levels of arrays that are not its own.
static u32 keeper_of(Build *self, ExprId lvalue, u32 elements) {
    Analysis *analysis = self->analysis;
    const Expr *expr = build_expr(self, lvalue);
    u32 keeper = 0;
    bool many = elements != 0;
    while (expr->kind == EXPR_CAST || (expr->kind == EXPR_INDEX && kind_of(self, expr->a) == TYPE_ARRAY)) {
        many |= expr->kind == EXPR_INDEX;
        expr = build_expr(self, lvalue = expr->a);
    }
    if ((expr->kind == EXPR_INDEX || expr->kind == EXPR_DEREF) && elements < 2)
        return keeper_of(self, plain_value(self, expr->a), elements + 1);
    if (expr->kind == EXPR_MEMBER) {
        RecordId record = type_record(analysis->program, scope_strip(&self->scope, expr_type(&self->scope, expr->a)));
        keeper = record == NO_ID ? 0 : keeper_put(analysis, KEEPER_MEMBER, record, build_name(self, expr->b), elements);
        if (keeper && !elements)
            analysis->keepers.items[keeper - 1].record = record;
    } else if (expr->kind == EXPR_NAME) {
        GlobalId global = program_global(analysis->program, self->info->file, build_name(self, expr->a));
        keeper = global == NO_ID ? 0 : keeper_put(analysis, KEEPER_GLOBAL, global, 0, elements);
        if (keeper)
            analysis->keepers.items[keeper - 1].global = global + 1;
    } else if (expr->kind == EXPR_VAR && (many || (self->body->vars.items[expr->a].flags & DECL_STATIC)) &&
               !(elements && (self->body->vars.items[expr->a].flags & DECL_PARAM))) {
        keeper = keeper_put(analysis, KEEPER_LOCAL, self->function, expr->a, elements);
    }
    if (keeper) {
        analysis->keepers.items[keeper - 1].many |= many;
        RecordId holds = record_behind(self, lvalue);
        if (holds != NO_ID)
            analysis->keepers.items[keeper - 1].holds = holds;
    }
    return keeper;
}

static u32 hop_put(Analysis *analysis, u32 keeper, u32 next) {
    bool fresh;
    if (!keeper || next == NO_ID)
        return NO_ID;
    if (!analysis->hops.count)
        array_push(&analysis->hops, (Hop){0});
    u32 *index = map_put(&analysis->hop_index, (u64)keeper << 32 | next, &fresh);
    if (fresh) {
        *index = analysis->hops.count;
        array_push(&analysis->hops, ((Hop){keeper, next}));
    }
    return *index;
}

// Keepers on the way from the root to the object that an lvalue is in; NO_ID: not known.
u32 build_object_hops(Build *self, ExprId lvalue, u32 depth) {
    const Expr *expr = build_expr(self, lvalue);
    if (depth > 16)
        return NO_ID;
    switch (expr->kind) {
    case EXPR_VAR:
    case EXPR_NAME: return 0;
    case EXPR_CAST:
    case EXPR_MEMBER: return build_object_hops(self, expr->a, depth + 1);
    case EXPR_INDEX:
        return kind_of(self, expr->a) == TYPE_ARRAY ? build_object_hops(self, expr->a, depth + 1)
                                                    : build_hops(self, expr->a, depth + 1);
    case EXPR_DEREF: return build_hops(self, expr->a, depth + 1);
    default: return NO_ID;
    }
}

// Likewise to what a pointer points to.
u32 build_hops(Build *self, ExprId value, u32 depth) {
    ExprId id = plain_value(self, value);
    const Expr *expr = build_expr(self, id);
    if (!self->analysis->binds_data || depth > 16)
        return NO_ID;
    switch (expr->kind) {
    case EXPR_VAR: {
        u32 flags = self->body->vars.items[expr->a].flags;
        if (flags & DECL_PARAM)
            return self->written[expr->a] || (flags & DECL_ADDRESSED) ? NO_ID : 0;
        return 0;
    }
    case EXPR_ADDRESS: return build_object_hops(self, expr->a, depth + 1);
    case EXPR_CALL: return 0;
    case EXPR_NAME:
    case EXPR_MEMBER:
    case EXPR_INDEX:
    case EXPR_DEREF:
        if (kind_of(self, id) == TYPE_ARRAY)
            return build_object_hops(self, id, depth + 1);
        return hop_put(self->analysis, keeper_of(self, id, 0), build_object_hops(self, id, depth + 1));
    default: return NO_ID;
    }
}

// A list of numbers only?
static bool is_plain_list(const Build *self, ExprId value) {
    const Expr *expr = value ? build_expr(self, plain_value(self, value)) : NULL;
    if (!expr || expr->kind != EXPR_LIST)
        return false;
    for (u32 i = 0; i < expr->c; i++) {
        u8 kind = build_expr(self, plain_value(self, self->body->inits.items[expr->b + i].value))->kind;
        if (kind != EXPR_INT && kind != EXPR_FLOAT && kind != EXPR_LIST)
            return false;
    }
    return true;
}

static bool is_null(const Build *self, ExprId value) {
    const Expr *expr = build_expr(self, plain_value(self, value));
    return expr->kind == EXPR_INT && expr_int(expr) == 0;
}

// `*parameter` that is never written itself: which one; NO_ID: none.
static u32 out_parameter(const Build *self, ExprId lvalue) {
    const Expr *expr = build_expr(self, lvalue);
    ExprId pointer = expr->kind == EXPR_DEREF ? plain_value(self, expr->a) : 0;
    const Expr *var = pointer ? build_expr(self, pointer) : NULL;
    if (!var || var->kind != EXPR_VAR || self->written[var->a] || var->a >= 32)
        return NO_ID;
    return self->body->vars.items[var->a].flags & DECL_PARAM ? var->a : NO_ID;
}

// A pointer is stored: by which keeper it is kept from now on, plus 1; 0: none, or not one to be asked about. What can
// not be fresh is known at once.
u32 build_keep(Build *self, ExprId lvalue, ExprId stored, bool may_be_fresh) {
    Analysis *analysis = self->analysis;
    if (!analysis->binds_data)
        return 0;
    u8 kind = kind_of(self, lvalue);
    if (kind == TYPE_STRUCT || kind == TYPE_UNION) {
        if (!is_plain_list(self, stored))
            record_spoil(analysis, record_behind(self, lvalue));
        return 0;
    }
    if (kind == TYPE_INT || kind == TYPE_FLOAT || kind == TYPE_BOOL || kind == TYPE_ENUM ||
        (stored && is_null(self, stored)))
        return 0;
    u32 keeper = keeper_of(self, lvalue, 0);
    if (!keeper && build_expr(self, lvalue)->kind != EXPR_VAR) {
        RecordId holds = record_behind(self, lvalue);
        u32 loose = holds == NO_ID ? 0 : keeper_put(analysis, KEEPER_LOOSE, holds, 0, 0),
            param = out_parameter(self, lvalue);
        if (loose && param != NO_ID)
            array_push(&analysis->out_parameters, ((KeptParameter){loose, self->function, param}));
        else // through a pointer to pointers that could be any
            keeper_spoil(analysis, loose);
        return 0;
    }
    if (keeper)
        analysis->keepers.items[keeper - 1].flags |= (u8)(KEEPS_ANY | (may_be_fresh ? 0 : KEEPS_OTHERS));
    if (keeper && stored)
        build_stored(self, lvalue, stored, keeper);
    return keeper;
}

// Whoever has the address of a keeper may store in it what he likes.
void build_keepers_addressed(Build *self) {
    for (u32 id = 1; self->analysis->binds_data && id < self->body->exprs.count; id++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_ADDRESS && kind_of(self, expr->a) == TYPE_POINTER)
            keeper_spoil(self->analysis, keeper_of(self, expr->a, 0));
    }
}

// asking --------------------------------------------------------------------------

static bool is_spoilt(const Analysis *self, u32 kind, RecordId record) {
    const u32 *known = record == NO_ID ? NULL : map_get(&self->keeper_index, hash_mix((u64)record << 32, kind));
    return known && (self->keepers.items[*known - 1].flags & KEEPS_OTHERS);
}

static bool keeper_is_clean(const Analysis *self, u32 keeper) {
    const Keeper *one = &self->keepers.items[keeper - 1];
    return !(one->flags & KEEPS_OTHERS) && !is_spoilt(self, KEEPER_RECORD, one->record) &&
           !(one->many && is_spoilt(self, KEEPER_LOOSE, one->holds));
}

// It is, when its like are kept nowhere else: but in their own links, all of which the function goes by, and in other
// members of the same record (the head and the tail of one queue).
bool keeper_lets_go(const Analysis *self, u32 keeper, u32 links) {
    const Keeper *from = &self->keepers.items[keeper - 1];
    u32 own = 0;
    if (from->holds == NO_ID || from->record == from->holds || is_spoilt(self, KEEPER_LOOSE, from->holds))
        return false;
    for (u32 i = 0; i < self->keepers.count; i++) {
        const Keeper *one = &self->keepers.items[i];
        if (one == from || one->holds != from->holds || !(one->flags & KEEPS_ANY))
            continue;
        bool link = one->record == from->holds, local = one->record == NO_ID && !one->global;
        own += link;
        if (!link && !local && (one->record == NO_ID || one->record != from->record))
            return false;
    }
    return own <= links;
}

bool hops_are_clean(const Analysis *self, u32 hops) {
    if (hops == NO_ID)
        return false;
    for (; hops; hops = self->hops.items[hops].next)
        if (!keeper_is_clean(self, self->hops.items[hops].keeper))
            return false;
    return true;
}

bool is_in_one_list(const Analysis *self, RecordId record) {
    if (is_spoilt(self, KEEPER_LOOSE, record) || is_spoilt(self, KEEPER_RECORD, record))
        return false;
    for (u32 i = 0; i < self->keepers.count; i++)
        if (self->keepers.items[i].holds == record && (self->keepers.items[i].flags & KEEPS_MIXED))
            return false;
    return true;
}

// Does a place that starts from thread-local storage lead on, by pointers, to what only this thread has? 0: no.
u32 hops_from_own(const Analysis *self, PathId root, u32 hops) {
    const Path *first = &self->paths.paths.items[root];
    bool given = false;
    if (!root || first->root != ROOT_GLOBAL || !hops || !hops_are_clean(self, hops) ||
        !global_is_own(self, first->step))
        return 0;
    for (; hops; hops = self->hops.items[hops].next)
        given |= (self->keepers.items[self->hops.items[hops].keeper - 1].flags & KEEPS_GIVEN) != 0;
    return given ? OWN_GIVEN : OWN_LOCAL;
}

// Is there an index on the way that is no constant? `near`: behind the last pointer.
static bool has_variable_index(const PathTable *paths, PathId path, bool near) {
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        if (step_is_term(paths->paths.items[path].step))
            return true;
        if (near && step_is_pointer(paths->paths.items[path].step))
            return false;
    }
    return false;
}

// Is the argument of this call another object each time? Just made, or another element, in every round of a loop.
// Is it given to more than one thread that the function starts?
static bool is_given_twice(const Analysis *self, FunctionId function, PathId path) {
    const Skeleton *skeleton = &self->skeletons[function];
    u32 times = 0;
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_SPAWN && i < skeleton->steps[s].arg_count; i++)
            times += skeleton->args[skeleton->steps[s].arg + i].path == path;
    return times > 1;
}

bool argument_is_each(const Analysis *self, FunctionId function, u32 call, const ArgumentValue *argument) {
    const Program *program = self->program;
    const Path *path = &self->paths.paths.items[argument->path];
    const CallSite *site = call == NO_ID ? NULL : &program->calls.items[call];
    if (!argument->path || !site || is_given_twice(self, function, argument->path))
        return false;
    if (!argument->address && (argument->fresh == FRESH_YES || argument->fresh == FRESH_TAKEN))
        return true;
    if (!argument->address && path->root == ROOT_RESULT && !path->depth && path->step != UINT32_MAX) {
        const CallSite *made = program_call(program, function, path->step);
        bool fresh =
            made && (map_get(&self->made, (u64)function << 32 | (HEAP_VAR | path->step)) ||
                     (made->target_count == 1 && self->skeletons[program->targets.items[made->target]].returns_fresh));
        return fresh && !(site->repeats && !made->repeats);
    }
    if (!site->repeats || !has_variable_index(&self->paths, argument->path, false))
        return false;
    if (!has_variable_index(&self->paths, argument->path, true))
        return hops_are_clean(self, argument->hops);
    if (argument->address)
        return true;
    return argument->hops && argument->hops != NO_ID && keeper_is_clean(self, self->hops.items[argument->hops].keeper);
}

// what fresh.c found ---------------------------------------------------------------

void keeper_stores(Analysis *self, u32 keeper, FunctionId function, u32 param, bool fresh, bool listed) {
    if (param != NO_ID)
        array_push(&self->kept_parameters, ((KeptParameter){keeper, function, param}));
    else if (!fresh)
        self->keepers.items[keeper - 1].flags |= (u8)(KEEPS_OTHERS | (listed ? 0 : KEEPS_MIXED));
}

// Initialisers that hold addresses.
static void spoil_initialised(Analysis *self) {
    const Program *program = self->program;
    for (GlobalId g = 0; g < program->globals.count; g++) {
        const ProgramGlobal *global = &program->globals.items[g];
        const Tree *tree = &program->files.items[global->file].tree;
        if (global->function != NO_ID || global->is_function || global->index >= tree->globals.count)
            continue;
        const Global *one = &tree->globals.items[global->index];
        bool addresses = false;
        for (u32 i = 0; i < one->init_count && !addresses; i++) {
            const Expr *value = &tree->exprs.items[tree->inits.items[one->init + i].value];
            while (value->kind == EXPR_CAST)
                value = &tree->exprs.items[value->a];
            addresses = value->kind == EXPR_ADDRESS || value->kind == EXPR_NAME;
        }
        if (!addresses)
            continue;
        const u32 *known = map_get(&self->keeper_index, hash_mix((u64)g << 32, KEEPER_GLOBAL));
        keeper_spoil(self, known ? *known : 0);
        TypeRef type = type_strip(program, global_type(program, g));
        while (type_known(type) && type_kind(program, type) == TYPE_ARRAY)
            type = type_strip(program, type_target(program, type));
        record_spoil(self, type_known(type) ? type_record(program, type) : NO_ID);
    }
}

static u64 parameter_key(FunctionId function, u32 param) { return (u64)function << 8 | param; }

typedef struct {
    Analysis *analysis;
    Map asked; // parameters whose callers count -> 1: fresh or a thread's own as far as is known, 2: not
    bool change;
} Given;

static void given_ask(Given *self, FunctionId function, u32 param) {
    bool fresh;
    u32 *known = map_put(&self->asked, parameter_key(function, param), &fresh);
    if (!fresh)
        return;
    const ProgramFunction *info = &self->analysis->program->functions.items[function];
    *known = info->caller_count || self->analysis->started_as[function] ? 1 : 2;
    self->change = true;
}

static void given_spoil(Given *self, u32 *known) {
    self->change |= *known != 2;
    *known = 2;
}

static void given_by(Given *self, FunctionId caller, const ArgumentValue *argument, u64 key) {
    if (argument->fresh == FRESH_YES || argument->fresh == FRESH_TAKEN || *map_get(&self->asked, key) == 2)
        return;
    if (argument->fresh >= FRESH_PARAM) { // as fresh as what the caller is given itself
        u64 own = parameter_key(caller, argument->fresh - (u32)FRESH_PARAM);
        given_ask(self, caller, argument->fresh - (u32)FRESH_PARAM);
        if (*map_get(&self->asked, own) != 2)
            return;
    }
    given_spoil(self, map_get(&self->asked, key));
}

static void given_in(Given *self, FunctionId caller) {
    const Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    const Skeleton *skeleton = &analysis->skeletons[caller];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        const CallSite *site =
            step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
        for (u32 t = 0; site && t < site->target_count; t++)
            for (u32 p = 0; p < step->arg_count && p < 32; p++) {
                u64 key = parameter_key(program->targets.items[site->target + t], p);
                if (map_get(&self->asked, key))
                    given_by(self, caller, &skeleton->args[step->arg + p], key);
            }
    }
}

// A thread that keeps what it was given alone: no other keeps the same.
static void given_to_thread(Given *self, const Spawn *spawn, const Registration *one) {
    const Analysis *analysis = self->analysis;
    u32 param = one->fact->parameter > 0 ? (u32)one->fact->parameter - 1 : 0;
    u32 *known = map_get(&self->asked, parameter_key(one->handler, param));
    const Skeleton *skeleton = &analysis->skeletons[spawn->function];
    for (u32 s = 0; known && s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind != STEP_SPAWN || step->expr != spawn->call)
            continue;
        u32 data = spawn->fact->data > 0 ? (u32)spawn->fact->data : 0;
        if (!data || data > step->arg_count ||
            !argument_is_each(analysis, spawn->function, step->call, &skeleton->args[step->arg + data - 1]))
            given_spoil(self, known);
    }
}

// What is stored through a parameter goes to a variable of the caller's, if every caller gives the address of one.
static void spoil_out_parameters(Analysis *self) {
    const Program *program = self->program;
    Map asked = {0};
    for (u32 i = 0; i < self->out_parameters.count; i++) {
        const KeptParameter *one = &self->out_parameters.items[i];
        *map_put(&asked, parameter_key(one->function, one->param), NULL) = one->keeper;
        if (!program->functions.items[one->function].caller_count)
            keeper_spoil(self, one->keeper);
    }
    for (FunctionId f = 0; asked.count && f < program->functions.count; f++)
        for (u32 s = 0; s < self->skeletons[f].step_count; s++) {
            const SkeletonStep *step = &self->skeletons[f].steps[s];
            const CallSite *site = step->kind == STEP_CALL ? &program->calls.items[step->call] : NULL;
            for (u32 t = 0; site && t < site->target_count; t++)
                for (u32 p = 0; p < step->arg_count && p < 32; p++) {
                    const u32 *keeper = map_get(&asked, parameter_key(program->targets.items[site->target + t], p));
                    const ArgumentValue *given = &self->skeletons[f].args[step->arg + p];
                    const Path *path = &self->paths.paths.items[given->path];
                    bool variable = given->path && given->address && path->root == ROOT_LOCAL && !path->depth;
                    if (keeper && !variable && given->path)
                        keeper_spoil(self, *keeper);
                }
        }
    map_free(&asked);
}

// requires: fresh.c. fills: keepers: what is stored through parameters is as fresh as all callers say.
void fill_keepers(Analysis *analysis) {
    if (!analysis->binds_data)
        return;
    spoil_initialised(analysis);
    spoil_out_parameters(analysis);
    Given self = {.analysis = analysis};
    for (u32 i = 0; i < analysis->kept_parameters.count; i++)
        given_ask(&self, analysis->kept_parameters.items[i].function, analysis->kept_parameters.items[i].param);
    for (u32 round = 0; self.change && !limit_cuts(LIMIT_KEEPER_ROUNDS, round >= KEEPER_ROUNDS); round++) {
        self.change = false;
        for (FunctionId f = 0; f < analysis->program->functions.count; f++)
            given_in(&self, f);
        for (u32 i = 0; i < analysis->spawns.count; i++) {
            const Spawn *spawn = &analysis->spawns.items[i];
            const u32 *first = map_get(&analysis->spawned, (u64)spawn->function << 32 | spawn->call);
            for (u32 r = first ? *first - 1 : NO_ID; r < analysis->program->registrations.count; r++) {
                const Registration *one = &analysis->program->registrations.items[r];
                if (one->from == spawn->function && one->call == spawn->call)
                    given_to_thread(&self, spawn, one);
            }
        }
    }
    for (u32 i = 0; i < analysis->kept_parameters.count; i++) {
        const KeptParameter *one = &analysis->kept_parameters.items[i];
        if (*map_get(&self.asked, parameter_key(one->function, one->param)) == 2)
            keeper_spoil(analysis, one->keeper);
        else if (analysis->started_as[one->function])
            analysis->keepers.items[one->keeper - 1].flags |= KEEPS_GIVEN;
    }
    map_free(&self.asked);
}
