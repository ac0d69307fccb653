// objects.c: what an lvalue names, as users read it.
// In: an expression of a body. Out: an Object: a global or static, a member of a type behind a pointer, or a
// local; and its name ("rtc_lock", "esp.c:IRQ_ports", "struct node.mtx").
// The idea: members by value are walked off from the right until a pointer or a variable is met; what is behind
// a pointer is named by its type, and the pointer is kept beside it as the base.
#include "racerx/link/link.h"

typedef struct {
    const BodyScope *scope;
    NameId members[MEMBERS_MOST]; // innermost last
    u32 count;
    bool element;
    u32 depth;
} ObjectWalk;

static const Expr *expr_at(const BodyScope *scope, ExprId id) {
    return scope->body ? &scope->body->exprs.items[id] : &scope->program->files.items[scope->file].tree.exprs.items[id];
}

// `name` stands before what was met so far, which was further in.
static void push_member(ObjectWalk *self, NameId name) {
    u32 kept = self->count < MEMBERS_MOST ? self->count : MEMBERS_MOST - 1;
    if (self->count == MEMBERS_MOST)
        limit_reached(LIMIT_MEMBERS_MOST);
    memmove(self->members + 1, self->members, sizeof(NameId) * kept);
    self->members[0] = name;
    self->count = kept + 1;
}

static NameId path_of(const ObjectWalk *self) {
    NameId path = 0;
    for (u32 i = 0; i < self->count; i++)
        path = program_join(self->scope->program, path, self->members[i]);
    return path;
}

static Object object_start(const ObjectWalk *self, ObjectKind kind) {
    return (Object){.kind = (u8)kind,
                    .element = self->element,
                    .global = NO_ID,
                    .record = NO_ID,
                    .member = path_of(self),
                    .function = self->scope->function};
}

// The static local that is var `var` of a function, or NO_ID.
static GlobalId static_local(const BodyScope *scope, u32 var) {
    const ProgramFunction *function = &scope->program->functions.items[scope->function];
    u32 low = function->local, high = function->local + function->local_count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (scope->program->globals.items[middle].index < var)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < function->local + function->local_count && scope->program->globals.items[low].index == var;
    return found ? low : NO_ID;
}

static Object object_var(const ObjectWalk *self, ExprId id, u32 var) {
    const BodyScope *scope = self->scope;
    GlobalId global = scope->body->vars.items[var].flags & DECL_STATIC ? static_local(scope, var) : NO_ID;
    Object object = object_start(self, global == NO_ID ? OBJECT_LOCAL : OBJECT_GLOBAL);
    object.global = global;
    object.base = id;
    object.local = global == NO_ID ? file_name(scope->program, scope->file, scope->body->vars.items[var].name) : 0;
    return object;
}

static Object object_named(const ObjectWalk *self, StrId id) {
    const BodyScope *scope = self->scope;
    NameId name = file_name(scope->program, scope->file, id);
    GlobalId global = program_global(scope->program, scope->file, name);
    bool data = global != NO_ID && !scope->program->globals.items[global].is_function;
    Object object = object_start(self, data ? OBJECT_GLOBAL : OBJECT_UNKNOWN);
    object.global = data ? global : NO_ID;
    return object;
}

static Object object_behind(ObjectWalk *self, ExprId pointer);

static bool is_kind(const BodyScope *scope, ExprId id, u8 kind) {
    return type_kind(scope->program, scope_strip(scope, expr_type(scope, id))) == kind;
}

static Object object_lvalue(ObjectWalk *self, ExprId id) {
    const BodyScope *scope = self->scope;
    for (; id && !limit_cuts(LIMIT_LVALUE_DEPTH, self->depth >= LVALUE_DEPTH); self->depth++) {
        const Expr *expr = expr_at(scope, id);
        switch (expr->kind) {
        case EXPR_MEMBER:
            push_member(self, file_name(scope->program, scope->file, expr->b));
            id = expr->a;
            break;
        case EXPR_INDEX:
            self->element = true;
            if (is_kind(scope, expr->a, TYPE_POINTER))
                return object_behind(self, expr->a);
            id = expr->a;
            break;
        case EXPR_DEREF: return object_behind(self, expr->a);
        case EXPR_VAR: return scope->body ? object_var(self, id, expr->a) : object_start(self, OBJECT_UNKNOWN);
        case EXPR_NAME: return object_named(self, expr->a);
        case EXPR_CAST:
        case EXPR_BLOCK:
        case EXPR_ASSIGN:
        case EXPR_STEP: id = expr->a; break;
        default: return object_start(self, OBJECT_UNKNOWN);
        }
    }
    return object_start(self, OBJECT_UNKNOWN);
}

// What is behind a pointer of which only its type is known.
static Object object_typed(const ObjectWalk *self, ExprId pointer, ExprId typed) {
    const BodyScope *scope = self->scope;
    TypeRef type = scope_strip(scope, expr_type(scope, typed));
    Object object = object_start(self, OBJECT_FIELD);
    object.record = type_record(scope->program, scope_strip(scope, type_target(scope->program, type)));
    object.base = pointer;
    return object;
}

// Pointer arithmetic: the side that is the pointer.
static ExprId pointer_side(const BodyScope *scope, const Expr *expr) {
    bool right = expr->op == OP_ADD && !is_kind(scope, expr->a, TYPE_POINTER) && !is_kind(scope, expr->a, TYPE_ARRAY) &&
                 (is_kind(scope, expr->b, TYPE_POINTER) || is_kind(scope, expr->b, TYPE_ARRAY));
    return right ? expr->b : expr->a;
}

static Object object_behind(ObjectWalk *self, ExprId pointer) {
    const BodyScope *scope = self->scope;
    ExprId typed = pointer; // the outermost expression says the type
    for (; !limit_cuts(LIMIT_LVALUE_DEPTH, self->depth >= LVALUE_DEPTH); self->depth++) {
        const Expr *expr = expr_at(scope, pointer);
        switch (expr->kind) {
        case EXPR_ADDRESS:
            // Through a cast it is another type's member: only the whole is still the same object.
            if (typed == pointer || !self->count)
                return object_lvalue(self, expr->a);
            return object_typed(self, pointer, typed);
        case EXPR_BINARY:
            if (expr->op != OP_ADD && expr->op != OP_SUB)
                return object_typed(self, pointer, typed);
            self->element = true;
            typed = typed == pointer ? pointer_side(scope, expr) : typed;
            pointer = pointer_side(scope, expr);
            break;
        case EXPR_CAST: pointer = expr->a; break;
        case EXPR_BLOCK:
        case EXPR_ASSIGN:
        case EXPR_STEP:
            typed = typed == pointer ? expr->a : typed;
            pointer = expr->a;
            break;
        case EXPR_NAME:
        case EXPR_VAR:
        case EXPR_MEMBER:
        case EXPR_INDEX:
            if (typed != pointer || !is_kind(scope, pointer, TYPE_ARRAY))
                return object_typed(self, pointer, typed);
            self->element = true; // an array's value is its address
            return object_lvalue(self, pointer);
        default: return object_typed(self, pointer, typed);
        }
    }
    return object_start(self, OBJECT_UNKNOWN);
}

Object expr_object(const BodyScope *scope, ExprId lvalue) {
    ObjectWalk walk = {.scope = scope};
    return object_lvalue(&walk, lvalue);
}

Object expr_pointee(const BodyScope *scope, ExprId pointer) {
    ObjectWalk walk = {.scope = scope};
    return object_behind(&walk, pointer);
}

// names -----------------------------------------------------------------------

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void record_name(const Program *self, RecordId id, Buffer *out) {
    static const char *const words[] = {[TYPE_STRUCT] = "struct ", [TYPE_UNION] = "union ", [TYPE_ENUM] = "enum "};
    if (id == NO_ID) {
        buffer_text(out, "?");
        return;
    }
    const ProgramRecord *record = &self->records.items[id];
    const ProgramFile *file = &self->files.items[record->file];
    const char *tag = program_text(self, record->tag);
    bool anonymous = record->index != NO_ID && file->tree.records.items[record->index].flags & DECL_ANONYMOUS;
    bool is_typedef = record->kind == TYPE_NAMED || (anonymous && tag[0] != '@' && !strstr(tag, "::"));
    buffer_text(out, is_typedef ? "" : words[record->kind]);
    if (tag[0] == '@') // only its place tells it from others
        buffer_format(out, "%s:", base_name(file->path));
    buffer_text(out, tag);
}

static void global_name(const Program *self, GlobalId id, Buffer *out) {
    const ProgramGlobal *global = &self->globals.items[id];
    if (global->rival)
        buffer_format(out, "%s:", self->files.items[global->file].path);
    if (global->is_static)
        buffer_format(out, "%s:", base_name(self->files.items[global->file].path));
    if (global->function != NO_ID)
        buffer_format(out, "%s.", program_text(self, self->functions.items[global->function].name));
    buffer_text(out, program_text(self, global->name));
}

void object_name(const Program *self, const Object *object, Buffer *out) {
    switch (object->kind) {
    case OBJECT_GLOBAL: global_name(self, object->global, out); break;
    case OBJECT_FIELD: record_name(self, object->record, out); break;
    case OBJECT_LOCAL: buffer_text(out, program_text(self, object->local)); break;
    default: buffer_text(out, "?");
    }
    if (object->member)
        buffer_format(out, ".%s", program_text(self, object->member));
}
