// lock_class.c: what the expressions of a body name: paths in terms of the function, and the class of a lock.
// In: an expression. Out: its PathId (build_place, build_value), or the ClassId of the lock that a pointer points to:
// by its global, by the member of the type it is in, by the parameter it came through, by where the pointer is kept.
// Invariant: two locks that cannot be told apart have one class; a class is its name.
#include "racerx/facts/skeleton.h"

// paths -------------------------------------------------------------------------

static PathId opaque(Build *self, ExprId id) { return path_root(&self->analysis->paths, ROOT_LOCAL, ROOT_OPAQUE + id); }

// A static local is one object, like a global.
static PathId var_root(Build *self, u32 var) {
    self->rooted[var] = 1;
    GlobalId one = self->body->vars.items[var].flags & DECL_STATIC
                       ? static_local(self->analysis->program, self->function, var)
                       : NO_ID;
    if (one != NO_ID)
        return path_root(&self->analysis->paths, ROOT_GLOBAL, one);
    bool param = self->body->vars.items[var].flags & DECL_PARAM;
    return path_root(&self->analysis->paths, param ? ROOT_PARAM : ROOT_LOCAL, var);
}

NameId build_name(const Build *self, StrId id) {
    return self->analysis->program->files.items[self->info->file].names[id];
}

static PathId global_root(Build *self, StrId name) {
    GlobalId global = program_global(self->analysis->program, self->info->file, build_name(self, name));
    return global == NO_ID ? 0 : path_root(&self->analysis->paths, ROOT_GLOBAL, global);
}

PathId build_behind(Build *self, PathValue pointer) { // *pointer
    return pointer.address ? pointer.path : path_step(&self->analysis->paths, pointer.path, 0, true);
}

// Is this number kept in a variable of which every thread has its own, or what a thread was given at its start?
static bool is_own_number(Build *self, ExprId id, u32 depth) {
    PathValue value = build_value(self, id, depth + 1);
    const Path *path = &self->analysis->paths.paths.items[value.path];
    if (!value.path || value.address || path->depth)
        return false;
    bool thread = (self->info->contexts & 1u << CONTEXT_THREAD) && self->analysis->binds_data;
    return (path->root == ROOT_GLOBAL && global_is_own(self->analysis, path->step)) ||
           (path->root == ROOT_PARAM && thread && build_is_given_another(self));
}

bool build_is_own_number(Build *self, ExprId id) { return is_own_number(self, id, 0); }

// A name that is neither data nor code: a constant, known by it.
static bool is_enumerator(const Build *self, const Expr *expr) {
    if (expr->kind != EXPR_NAME)
        return false;
    const Program *program = self->analysis->program;
    NameId name = build_name(self, expr->a);
    return program_global(program, self->scope.file, name) == NO_ID &&
           program_function(program, self->scope.file, name) == NO_ID;
}

static u32 term_of(const Build *self, ExprId id, u32 offset) { // those of another function are others
    return STEP_TERM | offset << 24 | ((id + self->function * 0x9e3779b1u) & STEP_TERM_REST);
}

// The only variable that an expression depends on, but for what does not change; 0: several, or not known.
static ExprId depends_on(const Build *self, ExprId id, u32 depth) {
    const Expr *expr = build_expr(self, id);
    ExprId left, right;
    switch (depth > 8 ? EXPR_UNKNOWN : expr->kind) {
    case EXPR_VAR: return id;
    case EXPR_CAST:
    case EXPR_UNARY: return depends_on(self, expr->a, depth + 1);
    case EXPR_BINARY:
        left = depends_on(self, expr->a, depth + 1), right = depends_on(self, expr->b, depth + 1);
        return right == NO_ID || left == right ? left : left == NO_ID ? right : 0;
    case EXPR_INT:
    case EXPR_NAME:
    case EXPR_SIZEOF: return NO_ID; // on none
    default: return 0;
    }
}

// What a local is set to, once.
static ExprId only_set(const Build *self, u32 var) {
    ExprId set = 0;
    if (self->written[var] != 1 || (self->body->vars.items[var].flags & (DECL_PARAM | DECL_ADDRESSED | DECL_STATIC)))
        return 0;
    for (u32 e = 0; e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        if (event->kind == EVENT_WRITE && build_expr(self, event->expr)->kind == EXPR_VAR &&
            build_expr(self, event->expr)->a == var)
            set = event->value;
    }
    return set;
}

// fills: Analysis.follows: `h % 8` is known when h is, and `h % 64`.
static void put_follows(Build *self, ExprId id) {
    for (u32 depth = 0; id && depth < 4; depth++) {
        const Expr *expr = build_expr(self, id);
        u32 term = term_of(self, id, 0);
        i64 by = expr->kind == EXPR_BINARY && expr->op == OP_MOD && build_expr(self, expr->b)->kind == EXPR_INT
                     ? expr_int(build_expr(self, expr->b))
                     : 0;
        ExprId next = expr->kind == EXPR_VAR ? only_set(self, expr->a) : depends_on(self, id, 0);
        if (!next || next == NO_ID || next == id)
            return;
        *map_put(&self->analysis->follows, term, NULL) = term_of(self, next, 0);
        if (by > 0 && by < 0x10000 && next == expr->a)
            *map_put(&self->analysis->remainders, term, NULL) = (u32)by;
        id = next;
    }
}

static void put_either(Build *self, u32 term, ExprId id, u32 depth) {
    const Expr *expr = build_expr(self, id);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, id = expr->a);
    if (expr->kind == EXPR_VAR) {
        map_put(&self->analysis->either, (u64)term << 32 | term_of(self, id, 0), NULL);
    } else if (expr->kind == EXPR_CHOICE && depth < 4) {
        put_either(self, term, expr->b ? expr->b : expr->a, depth + 1);
        put_either(self, term, expr->c, depth + 1);
    }
}

// fills: Analysis.either: an index that is one of several, chosen where it stands, or kept in a local.
static void put_choices(Build *self, ExprId id) {
    const Expr *index = build_expr(self, id);
    while (index->kind == EXPR_CAST)
        index = build_expr(self, id = index->a);
    u32 term = term_of(self, id, 0);
    if (index->kind == EXPR_CHOICE)
        put_either(self, term, id, 0);
    if (index->kind != EXPR_VAR || self->body->vars.items[index->a].flags & (DECL_ADDRESSED | DECL_STATIC))
        return;
    for (u32 e = 0; e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        const Expr *target = build_expr(self, event->expr);
        if (event->kind == EVENT_WRITE && target->kind == EXPR_VAR && target->a == index->a && event->value)
            put_either(self, term, event->value, 0);
    }
}

u32 build_index_term(const Build *self, ExprId id) {
    while (build_expr(self, id)->kind == EXPR_CAST)
        id = build_expr(self, id)->a;
    if (build_expr(self, id)->kind != EXPR_VAR)
        return 0;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, id));
    u8 kind = type_known(type) ? type_kind(self->analysis->program, type) : TYPE_POINTER;
    return type.pointers || (kind != TYPE_INT && kind != TYPE_ENUM) ? 0 : term_of(self, id, 0);
}

static bool mentions(const Build *self, ExprId id, ExprId place, u32 depth) {
    const Expr *expr = build_expr(self, id);
    if (!id || id == place || depth > 8)
        return id == place;
    if (expr->kind == EXPR_CAST || expr->kind == EXPR_UNARY)
        return mentions(self, expr->a, place, depth + 1);
    return expr->kind == EXPR_BINARY &&
           (mentions(self, expr->a, place, depth + 1) || mentions(self, expr->b, place, depth + 1));
}

// Is it `i`, or `i % size`, of a place that goes on from what it was: `i = (i + 1) % size`?
static bool goes_on(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    while (expr->kind == EXPR_CAST || (expr->kind == EXPR_BINARY && (expr->op == OP_MOD || expr->op == OP_AND)))
        expr = build_expr(self, id = expr->a);
    if (expr->kind == EXPR_STEP)
        return true;
    for (u32 e = 0; e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        if (event->kind == EVENT_WRITE && event->expr == id && event->value &&
            build_expr(self, event->value)->kind == EXPR_BINARY && mentions(self, event->value, id, 0))
            return true;
    }
    return false;
}

// How many elements an array has; UINT32_MAX: not known.
static u32 elements_of(const Build *self, ExprId array) {
    const Program *program = self->analysis->program;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, array));
    if (!type_known(type) || type.pointers || type_kind(program, type) != TYPE_ARRAY)
        return UINT32_MAX;
    u64 length = program->files.items[type.file].tree.types.items[type.type].count;
    return length && length < UINT32_MAX ? (u32)length : UINT32_MAX;
}

// The step for `[id]`: `i` and `i + 1` are terms with one rest, and known to be two.
static u32 index_step(Build *self, ExprId id, u32 depth) {
    const Expr *index = build_expr(self, id);
    if (index->kind == EXPR_INT)
        return STEP_INDEXED | (index->a & STEP_VALUE);
    if (is_enumerator(self, index))
        return STEP_NAMED | (build_name(self, index->a) & STEP_VALUE);
    if (is_own_number(self, id, depth))
        return STEP_OWN;
    u32 owned = build_number(self, id);
    if (owned)
        return owned;
    bool sum = index->kind == EXPR_BINARY && (index->op == OP_ADD || index->op == OP_SUB) &&
               build_expr(self, index->b)->kind == EXPR_INT;
    i64 added = sum ? expr_int(build_expr(self, index->b)) : 0;
    bool small = sum && added >= 0 && added <= 7;
    u32 offset = !small ? 0 : index->op == OP_ADD || !added ? (u32)added : (u32)(7 + added);
    if (!offset && self->memo) {
        put_follows(self, id);
        put_choices(self, id);
    }
    const Expr *base = build_expr(self, small ? index->a : id);
    if (self->memo && base->kind == EXPR_VAR && (self->body->vars.items[base->a].flags & DECL_PARAM))
        *map_put(&self->analysis->index_terms, (u64)self->function << 32 | base->a, NULL) =
            term_of(self, small ? index->a : id, 0);
    return term_of(self, small ? index->a : id, offset);
}

PathId build_place(Build *self, ExprId id, u32 depth) {
    PathTable *paths = &self->analysis->paths;
    const Expr *expr = build_expr(self, id);
    if (depth > 16)
        return 0;
    switch (expr->kind) {
    case EXPR_VAR: return var_root(self, expr->a);
    case EXPR_NAME: return global_root(self, expr->a);
    case EXPR_CAST: return build_place(self, expr->a, depth + 1);
    case EXPR_DEREF: return build_behind(self, build_value(self, expr->a, depth + 1));
    case EXPR_MEMBER: {
        NameId member = build_name(self, expr->b);
        const Expr *base = build_expr(self, expr->a);
        if (base->kind != EXPR_DEREF)
            return path_step(paths, build_place(self, expr->a, depth + 1), member, false);
        PathValue pointer = build_value(self, base->a, depth + 1);
        return path_step(paths, pointer.path, member, !pointer.address);
    }
    case EXPR_INDEX: {
        PathValue base = build_value(self, expr->a, depth + 1);
        u32 step = index_step(self, expr->b, depth);
        if (self->memo && self->analysis->binds_data && (step & ~STEP_TERM_REST) == STEP_TERM && goes_on(self, expr->b))
            *map_put(&self->analysis->in_turn, step, NULL) = elements_of(self, expr->a);
        return path_step(paths, base.path, step, false);
    }
    default: return opaque(self, id);
    }
}

// container_of: from the place of a member up to what it is in.
static PathValue container_value(Build *self, ExprId id, const Expr *expr, u32 depth) {
    const Program *program = self->analysis->program;
    PathId at = build_behind(self, build_value(self, expr->a, depth + 1));
    const char *members = program_text(program, build_name(self, expr->c));
    for (size_t end = strlen(members); at && end;) {
        size_t start = end;
        while (start && members[start - 1] != '.')
            start--;
        NameId name = program_intern(program, members + start, (u32)(end - start));
        at = path_step(&self->analysis->paths, at, STEP_UP | name, false);
        end = start ? start - 1 : 0;
    }
    return at ? (PathValue){at, true} : (PathValue){opaque(self, id), false};
}

// `array + i` is `&array[i]`. Of a pointer only where it is kept in a global, or to what the function allocated: what
// others point to may be anything.
static PathValue counted_value(Build *self, ExprId id, const Expr *expr, u32 depth) {
    bool adds = expr->op == OP_ADD && self->analysis->binds_data;
    TypeRef type = adds ? scope_strip(&self->scope, expr_type(&self->scope, expr->a)) : (TypeRef){NO_ID, 0, 0, 0};
    u8 kind = type_known(type) ? type_kind(self->analysis->program, type) : TYPE_INT;
    PathValue base =
        kind == TYPE_ARRAY || kind == TYPE_POINTER ? build_value(self, expr->a, depth + 1) : (PathValue){0};
    const Path *path = &self->analysis->paths.paths.items[base.path];
    bool made = path->root == ROOT_RESULT && path->step < self->body->exprs.count && self->allocation &&
                self->allocation[path->step];
    bool known =
        base.path && !base.address && (kind == TYPE_ARRAY || ((made || path->root == ROOT_GLOBAL) && !path->depth));
    PathId at = known ? path_step(&self->analysis->paths, base.path, index_step(self, expr->b, depth), false) : 0;
    return at ? (PathValue){at, true} : (PathValue){opaque(self, id), false};
}

PathValue build_value(Build *self, ExprId id, u32 depth) {
    const Expr *expr = build_expr(self, id);
    if (depth > 16)
        return (PathValue){0, false};
    switch (expr->kind) {
    case EXPR_VAR:
        if (self->alias[expr->a])
            return build_value(self, self->alias[expr->a], depth + 1);
        if (self->chosen[expr->a].owner)
            return (PathValue){path_step(&self->analysis->paths, var_root(self, self->chosen[expr->a].owner - 1),
                                         self->chosen[expr->a].member, true),
                               true};
        return (PathValue){var_root(self, expr->a), false};
    case EXPR_NAME:
    case EXPR_MEMBER:
    case EXPR_DEREF:
    case EXPR_INDEX: return (PathValue){build_place(self, id, depth + 1), false};
    case EXPR_ADDRESS: return (PathValue){build_place(self, expr->a, depth + 1), true};
    case EXPR_CAST:
    case EXPR_BLOCK: return build_value(self, expr->a, depth + 1);
    case EXPR_ASSIGN: return build_value(self, expr->b, depth + 1);
    case EXPR_CALL: {
        ExprId passed = build_passed(self, id);
        return passed ? build_value(self, passed, depth + 1)
                      : (PathValue){path_root(&self->analysis->paths, ROOT_RESULT, id), false};
    }
    case EXPR_CONTAINER: return container_value(self, id, expr, depth);
    case EXPR_BINARY: return counted_value(self, id, expr, depth);
    case EXPR_INT: return (PathValue){0, false};
    default: return (PathValue){opaque(self, id), false};
    }
}

// classes -----------------------------------------------------------------------

// The class of a state of the CPU.
static LockClass class_of_state(Analysis *self, ClassId id) {
    u32 kind = 0;
    while (lock_kinds[kind].disables != cpu_bit(id))
        kind++;
    const char *name = lock_kinds[kind].state;
    return (LockClass){.name = program_intern(self->program, name, (u32)strlen(name)),
                       .kind = (u8)kind,
                       .global = true,
                       .recursive = true};
}

ClassId class_intern(Analysis *self, NameId name, bool global) {
    if (!self->classes.count) {
        LockClass none = {
            .name = program_intern(self->program, "", 0), .kind = LOCK_PREEMPTION, .global = true, .recursive = true};
        array_push(&self->classes, none);
        for (ClassId id = CLASS_NONE + 1; id < CLASS_FIRST; id++)
            array_push(&self->classes, class_of_state(self, id));
    }
    bool fresh;
    u32 *id = map_put(&self->class_by_name, name, &fresh);
    if (fresh) {
        array_push(&self->classes,
                   ((LockClass){.name = name, .global = global, .kind = LOCK_KINDS, .record = NO_ID, .inner = NO_ID}));
        *id = self->classes.count - 1;
    }
    return *id;
}

ClassId class_named(Build *self, const char *text, u32 length, bool global) {
    return class_intern(self->analysis, program_intern(self->analysis->program, text, length), global);
}

ClassId class_of_global(Analysis *self, GlobalId global, NameId member) {
    Buffer text = {0};
    Object object = {.kind = OBJECT_GLOBAL, .global = global, .member = member};
    object_name(self->program, &object, &text);
    ClassId class = class_intern(self, program_intern(self->program, (char *)text.bytes, (u32)text.size), true);
    buffer_free(&text);
    return class;
}

// The parameter whose pointee this is, or NO_ID.
static u32 parameter_behind(Build *self, PathValue value) {
    const Path *path = &self->analysis->paths.paths.items[value.path];
    bool itself = value.path && !value.address && path->root == ROOT_PARAM && !path->depth;
    return itself ? path->step : NO_ID;
}

static ClassId class_of_parameter(Build *self, u32 param) {
    char text[32];
    int length = snprintf(text, sizeof text, "*parameter %u", param + 1);
    ClassId class = class_named(self, text, (u32)length, false);
    self->analysis->classes.items[class].parameter = true;
    self->analysis->classes.items[class].param = (u8)(param < 255 ? param : 255);
    if (param < 32) {
        self->bound |= 1u << param;
        self->analysis->parameter_class[param] = class;
    }
    return class;
}

// Is the pointer kept in a member or a global? Through casts and locals written once.
bool pointer_place(const Build *self, ExprId *pointer) {
    for (u32 depth = 0; depth < 8; depth++) {
        const Expr *expr = build_expr(self, *pointer);
        if (expr->kind == EXPR_MEMBER || expr->kind == EXPR_NAME)
            return true;
        if (expr->kind == EXPR_VAR && self->alias[expr->a])
            *pointer = self->alias[expr->a];
        else if (expr->kind == EXPR_CAST)
            *pointer = expr->a;
        else
            return false;
    }
    return false;
}

// A lock inside a record inside another is the same whether it is reached through the one or the other.
static void fill_inner(Build *self, LockClass *class, ExprId pointer) {
    const Expr *expr = build_expr(self, pointer);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, expr->a);
    const Expr *member = expr->kind == EXPR_ADDRESS ? build_expr(self, expr->a) : NULL;
    if (!member || member->kind != EXPR_MEMBER || class->inner != NO_ID)
        return;
    class->inner = type_record(self->analysis->program, scope_strip(&self->scope, expr_type(&self->scope, member->a)));
    class->inner_member = build_name(self, member->b);
}

// Members of what is a member: `struct crate.box.lock` is a `struct box.lock` to whom is handed the box.
void fill_bases(Analysis *self) {
    Buffer text = {0};
    for (ClassId id = CLASS_FIRST; id < self->classes.count; id++) {
        LockClass *class = &self->classes.items[id];
        if (class->inner == NO_ID || class->base || class->parameter || class->local || class->thread)
            continue;
        Object object = {.kind = OBJECT_FIELD, .record = class->inner, .member = class->inner_member};
        text.size = 0;
        object_name(self->program, &object, &text);
        const u32 *known =
            map_get(&self->class_by_name, program_intern(self->program, (char *)text.bytes, (u32)text.size));
        class->base = known && *known != id ? *known : 0;
    }
    buffer_free(&text);
}

// Is the name itself, without &, handed to a call that nobody knows? It may be a macro that declares it.
static bool is_bare_argument(const Build *self, const Expr *name) {
    const Body *body = self->body;
    for (u32 i = 1; i < body->exprs.count; i++) {
        const Expr *call = &body->exprs.items[i];
        for (u32 a = 0; call->kind == EXPR_CALL && a < call->c; a++)
            if (build_expr(self, body->lists.items[call->b + a]) == name)
                return true;
    }
    return false;
}

// `&name` or `&name.member` of a name that nobody declares, because its header is not there: a global, of this file as
// far as can be told. A name that some call might declare (a macro that was not found) may be a local.
static bool put_undeclared(Build *self, ExprId pointer, Buffer *text) {
    const Program *program = self->analysis->program;
    const Expr *expr = build_expr(self, pointer);
    NameId members = 0;
    if (expr->kind != EXPR_ADDRESS)
        return false;
    for (expr = build_expr(self, expr->a); expr->kind == EXPR_MEMBER; expr = build_expr(self, expr->a))
        members = program_join(program, build_name(self, expr->b), members);
    if (expr->kind != EXPR_NAME || is_bare_argument(self, expr))
        return false;
    const char *path = program->files.items[self->info->file].path, *slash = strrchr(path, '/');
    buffer_format(text, "%s:%s", slash ? slash + 1 : path, program_text(program, build_name(self, expr->a)));
    if (members)
        buffer_format(text, ".%s", program_text(program, members));
    return true;
}

// The class of a member of what `pointer` points to. In something that is itself a member it is called by the whole, as
// it is where it is written out: &x->lock handed to a wrapper that locks its member m is struct x.lock.m. `owner`: the
// type that has the member; NO_ID: that of the pointer.
ClassId class_of_member(Build *self, ExprId pointer, const char *member, RecordId owner) {
    Program *program = self->analysis->program;
    Object object = object_only(program, expr_pointee(&self->scope, pointer));
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, pointer));
    RecordId target = type_record(program, scope_strip(&self->scope, type_target(program, type)));
    RecordId record = owner != NO_ID ? owner : target;
    bool global = object.kind == OBJECT_GLOBAL, inside = object.kind == OBJECT_FIELD && object.member;
    Buffer text = {0};
    if (record != NO_ID && !global && !inside)
        buffer_format(&text, "struct %s.%s", program_text(program, program->records.items[record].tag), member);
    else {
        object_name(program, &object, &text);
        buffer_format(&text, ".%s", member);
    }
    ClassId id = class_named(self, (char *)text.bytes, (u32)text.size, global && !object.element);
    LockClass *class = &self->analysis->classes.items[id];
    class->record = inside ? object.record : record;
    if (class->inner == NO_ID && !global) {
        class->inner = record;
        class->inner_member = program_intern(program, member, (u32)strlen(member));
    }
    buffer_free(&text);
    return id;
}

// Is it the lock itself, not a pointer to it? So write those who state in a function's header which locks it takes.
static bool is_lock_itself(const Build *self, ExprId id) {
    u8 kind = build_expr(self, id)->kind;
    if (kind != EXPR_MEMBER && kind != EXPR_NAME)
        return false;
    TypeRef type = expr_type(&self->scope, id), plain = scope_strip(&self->scope, type);
    return type_known(plain) && type_kind(self->analysis->program, plain) == TYPE_STRUCT &&
           type_is_lock(self->analysis, type);
}

ClassId build_got(Build *self, ExprId pointer, PathId *path) {
    ExprId argument;
    for (u32 depth = 0; depth < 8; depth++) {
        const Expr *expr = build_expr(self, pointer);
        if (expr->kind == EXPR_CALL)
            break;
        if (expr->kind != EXPR_CAST && (expr->kind != EXPR_VAR || !self->alias[expr->a]))
            return 0;
        pointer = expr->kind == EXPR_CAST ? expr->a : self->alias[expr->a];
    }
    const Getter *known = build_expr(self, pointer)->kind == EXPR_CALL ? build_getter(self, pointer, &argument) : NULL;
    if (!known)
        return 0;
    PathTable *paths = &self->analysis->paths;
    Getter getter = *known;
    PathValue given = build_value(self, argument, 0);
    *path = given.path ? path_rebase(paths, getter.path, path_first(paths, getter.path), given.path, given.address) : 0;
    return getter.class;
}

PathId build_lock(Build *self, ExprId pointer) {
    pointer = build_handle(self, pointer);
    PathId got;
    if (build_got(self, pointer, &got))
        return got;
    return is_lock_itself(self, pointer) ? build_place(self, pointer, 0)
                                         : build_behind(self, build_value(self, pointer, 0));
}

// Of a lock that is chosen together with the object it is in: by the member. 0: it is not.
static ClassId class_of_chosen(Build *self, ExprId pointer) {
    const Program *program = self->analysis->program;
    const Expr *expr = build_expr(self, pointer);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, expr->a);
    const Chosen *chosen = expr->kind == EXPR_VAR ? &self->chosen[expr->a] : NULL;
    if (!chosen || !chosen->owner)
        return 0;
    const Var *var = &self->body->vars.items[chosen->owner - 1];
    TypeRef type = scope_strip(&self->scope, (TypeRef){self->scope.file, var->type, self->function + 1, 0});
    RecordId record = type_record(program, scope_strip(&self->scope, type_target(program, type)));
    if (record == NO_ID)
        return 0;
    Buffer text = {0};
    record_name(program, record, &text);
    buffer_format(&text, ".%s", program_text(program, chosen->member));
    ClassId class = class_named(self, (char *)text.bytes, (u32)text.size, false);
    buffer_free(&text);
    self->analysis->classes.items[class].record = record;
    map_put(&self->analysis->chosen_locks, (u64)self->function << 32 | (chosen->owner - 1), NULL);
    return class;
}

// `lock = &node->lock; take(lock)`: a local that is only ever the address of one lock is that address.
static ExprId address_behind(const Build *self, ExprId pointer) {
    ExprId at = pointer;
    for (u32 depth = 0; depth < 8; depth++) {
        const Expr *expr = build_expr(self, at);
        if (expr->kind == EXPR_ADDRESS)
            return at;
        if (expr->kind != EXPR_CAST && (expr->kind != EXPR_VAR || !self->alias[expr->a]))
            return pointer;
        at = expr->kind == EXPR_CAST ? expr->a : self->alias[expr->a];
    }
    return pointer;
}

// Of a lock whose address a function gives: as that says, or by the global that it is in. 0: it is none.
static ClassId class_of_got(Build *self, ExprId pointer) {
    Held held = {0};
    held.class = build_got(self, pointer, &held.path);
    if (held.class)
        name_by_path(self->analysis, &held);
    return held.class;
}

// The class of the lock that `pointer` points to; with `member`, of that member of it.
ClassId class_of(Build *self, ExprId pointer, const char *member) {
    Program *program = self->analysis->program;
    pointer = member ? pointer : address_behind(self, build_handle(self, pointer));
    bool itself = !member && is_lock_itself(self, pointer);
    PathValue value = itself ? (PathValue){build_place(self, pointer, 0), true} : build_value(self, pointer, 0);
    Object object = itself ? expr_object(&self->scope, pointer) : expr_pointee(&self->scope, pointer);
    object = object_only(program, object);
    Buffer text = {0};
    if (member)
        return class_of_member(self, pointer, member, NO_ID);
    ClassId class = class_of_chosen(self, pointer);
    class = class ? class : class_of_got(self, pointer);
    if (class)
        return class;
    if (parameter_behind(self, value) != NO_ID && (object.kind != OBJECT_FIELD || !object.member)) {
        class = class_of_parameter(self, parameter_behind(self, value));
    } else if (object.kind == OBJECT_FIELD && !object.member && (class = alias_class(self, pointer, NULL))) {
        ; // the lock that the pointer is only ever stored for
    } else if (object.kind == OBJECT_FIELD && !object.member && pointer_place(self, &pointer)) {
        Object place =
            expr_object(&self->scope, pointer); // `ap->lock` that is a pointer: the lock is known by where it is kept
        buffer_text(&text, "*");
        object_name(program, &place, &text);
        class = class_named(self, (char *)text.bytes, (u32)text.size, place.kind == OBJECT_GLOBAL && !place.element);
        self->analysis->classes.items[class].record = place.kind == OBJECT_FIELD ? place.record : NO_ID;
    } else if (object.kind == OBJECT_GLOBAL || object.kind == OBJECT_FIELD) {
        object_name(program, &object, &text);
        class = class_named(self, (char *)text.bytes, (u32)text.size, object.kind == OBJECT_GLOBAL && !object.element);
        self->analysis->classes.items[class].record = object.kind == OBJECT_FIELD ? object.record : NO_ID;
        self->analysis->classes.items[class].vague = object.kind == OBJECT_FIELD && !object.member;
        fill_inner(self, &self->analysis->classes.items[class], pointer);
    } else if (put_undeclared(self, pointer, &text)) {
        class = class_named(self, (char *)text.bytes, (u32)text.size, true);
    } else {
        const Path *path = &self->analysis->paths.paths.items[path_first(&self->analysis->paths, value.path)];
        const Expr *call = path->root == ROOT_RESULT ? build_expr(self, path->step) : NULL;
        if (call && build_expr(self, call->a)->kind == EXPR_NAME)
            buffer_format(&text, "*%s()", program_text(program, build_name(self, build_expr(self, call->a)->a)));
        else
            buffer_format(&text, "local lock of %s", program_text(program, self->info->name));
        class = class_named(self, (char *)text.bytes, (u32)text.size, false);
        self->analysis->classes.items[class].local = !call;
    }
    buffer_free(&text);
    return class;
}

// Is the lock itself the argument, and no pointer to it? Only a macro is called so, which takes its address.
static bool is_by_name(Build *self, ExprId lock) {
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, lock));
    u8 kind = type_known(type) ? type_kind(self->analysis->program, type) : TYPE_POINTER;
    return kind == TYPE_STRUCT || kind == TYPE_UNION;
}

// The lock that a macro which waits is given by its name: `wait_event_lock_irq(queue, condition, box->lock)`.
ClassId class_of_named(Build *self, ExprId lock, const char *member, PathId *path) {
    if (!is_by_name(self, lock))
        return 0;
    const Program *program = self->analysis->program;
    Object object = object_only(program, expr_object(&self->scope, lock));
    if (object.kind != OBJECT_GLOBAL && object.kind != OBJECT_FIELD)
        return 0;
    Buffer text = {0};
    object_name(program, &object, &text);
    if (member)
        buffer_format(&text, ".%s", member);
    ClassId class =
        class_named(self, (char *)text.bytes, (u32)text.size, object.kind == OBJECT_GLOBAL && !object.element);
    buffer_free(&text);
    LockClass *one = &self->analysis->classes.items[class];
    one->record = object.kind == OBJECT_FIELD ? object.record : NO_ID;
    *path = build_place(self, lock, 0);
    if (member)
        *path = path_step(&self->analysis->paths, *path, program_intern(program, member, (u32)strlen(member)), false);
    return class;
}

// A lock of a global that a wrapper took by a pointer: the global's own, not just one of its type. Also one that a
// pointer kept in a global points to.
void name_by_path(Analysis *self, Held *held) {
    const PathTable *paths = &self->paths;
    if (!held->path || held->class < CLASS_FIRST || paths->paths.items[held->path].root != ROOT_GLOBAL ||
        paths->paths.items[held->path].depth == 0)
        return;
    LockClass type = self->classes.items[held->class];
    if (type.global || type.parameter || type.thread || type.record == NO_ID ||
        path_goes_through_pointer(paths, path_kept_in(paths, held->path)))
        return;
    u32 *known = map_put(&self->class_by_path, held->path, NULL);
    if (!*known) {
        NameId names[12], member = 0;
        u32 count = 0;
        bool element = false;
        PathId at = path_kept_in(paths, held->path);
        bool behind = at != held->path;
        for (; paths->paths.items[at].depth; at = paths->paths.items[at].parent) {
            u32 step = paths->paths.items[at].step;
            if (step_is_up(step))
                return;
            element |= step_is_index_or_up(step);
            if (!step_is_index_or_up(step) && step_name(step) && count < 12)
                names[count++] = step_name(step);
        }
        while (count)
            member = program_join(self->program, member, names[--count]);
        Buffer text = {0};
        Object object = {.kind = OBJECT_GLOBAL, .global = paths->paths.items[at].step, .member = member};
        buffer_text(&text, behind ? "*" : "");
        object_name(self->program, &object, &text);
        ClassId class = class_intern(self, program_intern(self->program, (char *)text.bytes, (u32)text.size), !element);
        buffer_free(&text);
        LockClass *one = &self->classes.items[class];
        one->kind = one->kind == LOCK_KINDS ? type.kind : one->kind;
        one->recursive |= type.recursive;
        one->lets_go |= type.lets_go;
        one->sleepless |= type.sleepless;
        one->base = class == held->class ? 0 : held->class;
        *map_get(&self->class_by_path, held->path) = class;
        known = map_get(&self->class_by_path, held->path);
    }
    held->class = *known;
}
