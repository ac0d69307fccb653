// wait_names.c: what something that runs by itself (a timer, a work item, a thread) is known by, where it is started
// and where it is waited for. In: the expression that names it. Out: a set of names, interned as classes: the place its
// object or its handle is kept in (`struct pump.thread`, a global, a local), through locals that are written once, to
// where a local is copied, and from a parameter to the arguments of the callers. Two sets with a name in common speak
// of the same thing. An array is one place.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    const BodyScope *scope;
    const ExprId *alias; // by var: the one value it ever has, or 0
    u32 names[NAMES_MOST];
    u32 count;
} Handle;

static const Expr *expr_at(const Handle *self, ExprId id) { return &self->scope->body->exprs.items[id]; }

static void name_expr(Handle *self, ExprId id, u32 depth);

static void add_name(Handle *self, ClassId class) {
    for (u32 i = 0; i < self->count; i++)
        if (self->names[i] == class)
            return;
    if (self->count < NAMES_MOST)
        self->names[self->count++] = class;
    else
        limit_reached(LIMIT_NAMES_MOST);
}

static ClassId named(Handle *self, const Buffer *text) {
    const Program *program = self->analysis->program;
    return class_intern(self->analysis, program_intern(program, (char *)text->bytes, (u32)text->size), false);
}

static void add_local(Handle *self, u32 var, bool parameter) {
    Buffer text = {0};
    bool fresh;
    buffer_format(&text, parameter ? "what parameter %u of function %u is given" : "variable %u of function %u", var,
                  self->scope->function);
    ClassId class = named(self, &text);
    buffer_free(&text);
    add_name(self, class);
    u32 *index = parameter ? map_put(&self->analysis->handle_index, class, &fresh) : NULL;
    if (index && fresh) {
        array_push(&self->analysis->handle_parameters, ((HandleParameter){self->scope->function, var, NO_ID}));
        *index = self->analysis->handle_parameters.count;
    }
}

static ExprId bare(const Handle *self, ExprId id) { // without casts, and the value of an assignment
    const Expr *expr = expr_at(self, id);
    for (u32 depth = 0; depth < NAME_DEPTH; depth++, expr = expr_at(self, id)) {
        if (expr->kind == EXPR_CAST || expr->kind == EXPR_BLOCK)
            id = expr->a;
        else if (expr->kind == EXPR_ASSIGN && expr->op == OP_NONE)
            id = expr->b;
        else
            break;
    }
    return id;
}

// Where a local, or a call's result, is copied to.
static void name_copies(Handle *self, ExprId from, u32 depth) {
    const Body *body = self->scope->body;
    Expr wanted = *expr_at(self, from);
    for (u32 e = 0; e < body->events.count && self->count < NAMES_MOST; e++) {
        const Event *event = &body->events.items[e];
        if (event->kind != EVENT_WRITE || !event->value)
            continue;
        ExprId value = bare(self, event->value);
        const Expr *expr = expr_at(self, value);
        if (value == from || (wanted.kind == EXPR_VAR && expr->kind == EXPR_VAR && expr->a == wanted.a))
            name_expr(self, event->expr, depth + 1);
    }
}

static void name_var(Handle *self, ExprId id, u32 depth) {
    u32 var = expr_at(self, id)->a;
    u32 flags = self->scope->body->vars.items[var].flags;
    if (flags & DECL_STATIC) {
        Object object = expr_object(self->scope, id);
        Buffer text = {0};
        object_name(self->analysis->program, &object, &text);
        add_name(self, named(self, &text));
        buffer_free(&text);
        return;
    }
    u32 before = self->count;
    add_local(self, var, flags & DECL_PARAM);
    if (self->count == before)
        return; // been here
    if (!(flags & DECL_PARAM) && self->alias[var])
        name_expr(self, self->alias[var], depth + 1);
    name_copies(self, id, depth);
}

// A member of a global, or of its elements: what whoever has only a pointer to such a record calls it.
static void add_type(Handle *self, ExprId lvalue, const Object *object, ClassId global) {
    const Program *program = self->analysis->program;
    while (expr_at(self, lvalue)->kind == EXPR_MEMBER)
        lvalue = expr_at(self, lvalue)->a;
    RecordId record = type_record(program, scope_strip(self->scope, expr_type(self->scope, lvalue)));
    if (record == NO_ID)
        return;
    Object field = {.kind = OBJECT_FIELD, .record = record, .member = object->member};
    Buffer text = {0};
    object_name(program, &field, &text);
    *map_put(&self->analysis->handle_types, global, NULL) = named(self, &text);
    buffer_free(&text);
}

static void name_place(Handle *self, ExprId lvalue, u32 depth) {
    Object object = expr_object(self->scope, lvalue);
    if (object.kind == OBJECT_LOCAL && !object.member && object.base) {
        name_var(self, object.base, depth);
        return;
    }
    if (object.kind != OBJECT_GLOBAL && (object.kind != OBJECT_FIELD || !object.member))
        return;
    Buffer text = {0};
    object_name(self->analysis->program, &object, &text);
    ClassId class = named(self, &text);
    add_name(self, class);
    if (object.kind == OBJECT_GLOBAL && object.member)
        add_type(self, lvalue, &object, class);
    buffer_free(&text);
}

static void name_expr(Handle *self, ExprId id, u32 depth) {
    id = bare(self, id);
    const Expr *expr = expr_at(self, id);
    if (depth > NAME_DEPTH) {
        limit_reached(LIMIT_NAME_DEPTH);
        return;
    }
    switch (expr->kind) {
    case EXPR_VAR: name_var(self, id, depth); break;
    case EXPR_ADDRESS: name_place(self, expr->a, depth); break;
    case EXPR_DEREF: name_expr(self, expr->a, depth + 1); break;
    case EXPR_NAME:
    case EXPR_MEMBER:
    case EXPR_INDEX: name_place(self, id, depth); break;
    case EXPR_CALL: name_copies(self, id, depth); break;
    default: break;
    }
}

static u32 keep_set(Handle *self) {
    U32Array *sets = &self->analysis->handle_sets;
    if (!self->count)
        return 0;
    if (!sets->count)
        array_push(sets, 0); // set 0 is none
    u32 set = sets->count;
    array_push(sets, self->count);
    for (u32 i = 0; i < self->count; i++)
        array_push(sets, self->names[i]);
    return set;
}

u32 handle_of(Analysis *analysis, const BodyScope *scope, const ExprId *alias, ExprId call, i32 argument) {
    Handle self = {.analysis = analysis, .scope = scope, .alias = alias};
    ExprId id = argument == ARGUMENT_RESULT ? call : argument > 0 ? call_argument(scope, call, argument) : 0;
    if (id)
        name_expr(&self, id, 0);
    return keep_set(&self);
}

// callers -----------------------------------------------------------------------

// By var: the value of the only write to it.
static ExprId *once_written(const Body *body) {
    ExprId *alias = must_zero(sizeof(ExprId) * (body->vars.count + 1));
    u8 *written = must_zero(body->vars.count + 1);
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *target = &body->exprs.items[event->expr];
        if (event->kind != EVENT_WRITE || target->kind != EXPR_VAR)
            continue;
        alias[target->a] = written[target->a] ? 0 : event->value;
        written[target->a] = 1;
    }
    free(written);
    return alias;
}

// What one caller's calls of a function give for a parameter.
static void name_in_caller(Handle *self, FunctionId caller, const HandleParameter *parameter) {
    const Program *program = self->analysis->program;
    const ProgramFunction *function = &program->functions.items[caller];
    Body body = {0};
    if (!program_body(program, caller, &body))
        return;
    BodyScope scope = {program, caller, function->file, &body};
    ExprId *alias = once_written(&body);
    self->scope = &scope;
    self->alias = alias;
    for (u32 c = 0; c < function->call_count; c++) {
        const CallSite *site = &program->calls.items[function->call + c];
        bool calls = false;
        for (u32 t = 0; t < site->target_count; t++)
            calls |= program->targets.items[site->target + t] == parameter->function;
        ExprId argument = calls ? call_argument(&scope, site->expr, (i32)parameter->parameter + 1) : 0;
        if (argument)
            name_expr(self, argument, 0);
    }
    free(alias);
    body_free(&body);
}

// The set of what all callers give for a parameter; looked for once.
static u32 given_by_callers(Analysis *analysis, u32 index) {
    HandleParameter parameter = analysis->handle_parameters.items[index];
    const ProgramFunction *function = &analysis->program->functions.items[parameter.function];
    if (parameter.given == NO_ID) {
        Handle given = {.analysis = analysis};
        for (u32 c = 0; c < function->caller_count && c < NAME_CALLERS; c++)
            name_in_caller(&given, analysis->program->callers.items[function->caller + c], &parameter);
        if (function->caller_count > NAME_CALLERS)
            limit_reached(LIMIT_NAME_CALLERS);
        parameter.given = keep_set(&given);
        analysis->handle_parameters.items[index].given = parameter.given;
    }
    return parameter.given;
}

static void add_set(Handle *self, u32 set) {
    for (u32 i = 0; set && i < self->analysis->handle_sets.items[set]; i++)
        add_name(self, self->analysis->handle_sets.items[set + 1 + i]);
}

u32 handle_names(Analysis *analysis, u32 set, u32 *out, u32 most) {
    Handle self = {.analysis = analysis};
    add_set(&self, set);
    for (u32 i = 0; i < self.count; i++) { // it grows
        u32 *index = map_get(&analysis->handle_index, self.names[i]);
        if (index)
            add_set(&self, given_by_callers(analysis, *index - 1));
    }
    u32 count = self.count < most ? self.count : most;
    memcpy(out, self.names, sizeof(u32) * count);
    return count;
}
