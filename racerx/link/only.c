// only.c: types of which there is one object in the whole program.
// In: globals, members, what bodies make. Out: Program.only: by record the global that is the only object of the type.
// The idea: `struct wdog *w = data; w->lock` is the global's own lock if there never is another wdog: a driver for one
// device, a server's one state. It is another matter as soon as anything else may be one: a second global, an element,
// a member, a local, memory of the type's size, memory of other types that is looked at as this one, or what a call
// gives as `void *`.
// Invariant: whoever cannot be seen to be the only one is not.
#include "racerx/link/link.h"

#define LINK_MEMBERS 4 // a record with more is no link

// The record that a type is, or arrays of which are; NO_ID: none.
static RecordId record_within(const Program *program, const BodyScope *scope, TypeRef type) {
    type = scope_strip(scope, type);
    for (u32 depth = 0; depth < 4 && type_known(type) && type_kind(program, type) == TYPE_ARRAY; depth++)
        type = scope_strip(scope, type_target(program, type));
    bool is = type_known(type) && !type.pointers && type_kind(program, type) != TYPE_POINTER;
    return is ? type_record(program, type) : NO_ID;
}

// What a pointer type points to; NO_ID: no record.
static RecordId record_behind(const Program *program, const BodyScope *scope, TypeRef type) {
    type = scope_strip(scope, type);
    if (!type_known(type) || type_kind(program, type) != TYPE_POINTER)
        return NO_ID;
    return record_within(program, scope, type_target(program, type));
}

static bool is_pointer(const Scanner *self, TypeRef type) {
    type = scope_strip(&self->scope, type);
    return type_known(type) && type_kind(self->program, type) == TYPE_POINTER;
}

static bool is_void_pointer(const Scanner *self, TypeRef type) {
    if (!is_pointer(self, type))
        return false;
    TypeRef target = scope_strip(&self->scope, type_target(self->program, scope_strip(&self->scope, type)));
    return type_known(target) && type_kind(self->program, target) == TYPE_VOID;
}

static void make(Scanner *self, RecordId record) {
    if (record == NO_ID)
        return;
    bool fresh;
    map_put(&self->made, record, &fresh);
    if (fresh)
        array_push(&self->chunk->made, record);
}

// `(struct regs *)base` of something that is neither nothing in particular nor one of these.
static void scan_cast(Scanner *self, const Expr *expr) {
    TypeRef to = {self->scope.file, expr->b, self->scope.function + 1, 0};
    RecordId record = record_behind(self->program, &self->scope, to);
    if (record == NO_ID)
        return;
    TypeRef from = expr_type(&self->scope, expr->a);
    const Expr *operand = scanner_expr(self, expr->a);
    bool null = operand->kind == EXPR_INT && !expr_int(operand);
    bool given = operand->kind != EXPR_CALL && is_void_pointer(self, from);
    if (!null && !given && record_behind(self->program, &self->scope, from) != record)
        make(self, record);
}

static void scan_size(Scanner *self, const Expr *expr) {
    TypeRef type = {self->scope.file, expr->b, self->scope.function + 1, 0};
    const Expr *of = expr->a ? scanner_expr(self, expr->a) : NULL;
    if (of && of->kind == EXPR_NAME) // of the global itself
        return;
    make(self, record_within(self->program, &self->scope, of ? expr_type(&self->scope, expr->a) : type));
}

// A pointer that some call gave may lead to another one, unless the call says what it gives.
static void scan_given(Scanner *self, const Event *event) {
    ExprId value = event->value;
    while (value && scanner_expr(self, value)->kind == EXPR_CAST)
        value = scanner_expr(self, value)->a;
    if (!value || scanner_expr(self, value)->kind != EXPR_CALL)
        return;
    TypeRef from = expr_type(&self->scope, value);
    if (!type_known(from) || !is_pointer(self, from) || is_void_pointer(self, from))
        make(self, record_behind(self->program, &self->scope, expr_type(&self->scope, event->expr)));
}

// fills: used: sizes whose value is used. What only says of which type a container is, is not.
static void find_used(Scanner *self) {
    const Body *body = &self->body;
    bitset_resize(&self->used, body->exprs.count);
    for (u32 i = 0; i < body->lists.count; i++)
        if (body->lists.items[i] < body->exprs.count)
            bitset_set(&self->used, body->lists.items[i]);
    for (u32 i = 1; i < body->exprs.count; i++) {
        const Expr *expr = &body->exprs.items[i];
        bool two = expr->kind == EXPR_BINARY || expr->kind == EXPR_ASSIGN || expr->kind == EXPR_CHOICE;
        if (two || expr->kind == EXPR_CAST || expr->kind == EXPR_UNARY || expr->kind == EXPR_BLOCK)
            bitset_set(&self->used, expr->a);
        if (two)
            bitset_set(&self->used, expr->b);
        if (expr->kind == EXPR_CHOICE)
            bitset_set(&self->used, expr->c);
    }
    for (u32 i = 0; i < body->events.count; i++)
        if (body->events.items[i].kind != EVENT_LOST) // what was not understood has bytes there
            bitset_set(&self->used, body->events.items[i].value);
}

void scan_made(Scanner *self) {
    const Body *body = &self->body;
    for (u32 i = 0; i < body->vars.count; i++) {
        const Var *var = &body->vars.items[i];
        TypeRef type = {self->scope.file, var->type, self->scope.function + 1, 0};
        if (!(var->flags & (DECL_STATIC | DECL_EXTERN)))
            make(self, record_within(self->program, &self->scope, type));
    }
    bool sized = false;
    for (u32 i = 1; i < body->exprs.count && !sized; i++)
        sized = body->exprs.items[i].kind == EXPR_SIZEOF;
    if (sized)
        find_used(self);
    for (u32 i = 1; i < body->exprs.count; i++) {
        const Expr *expr = &body->exprs.items[i];
        TypeRef type = {self->scope.file, expr->b, self->scope.function + 1, 0};
        if (expr->kind == EXPR_CAST)
            scan_cast(self, expr);
        else if (expr->kind == EXPR_SIZEOF && bitset_has(&self->used, i))
            scan_size(self, expr);
        else if (expr->kind == EXPR_LIST)
            make(self, record_within(self->program, &self->scope, (TypeRef){type.file, expr->a, type.owner, 0}));
    }
    for (u32 i = 0; i < body->events.count; i++)
        if (body->events.items[i].kind == EVENT_WRITE)
            scan_given(self, &body->events.items[i]);
}

Object object_only(const Program *self, Object object) {
    GlobalId only = object.kind == OBJECT_FIELD && object.record != NO_ID ? self->only[object.record] : NO_ID;
    if (only == NO_ID)
        return object;
    object.kind = OBJECT_GLOBAL;
    object.global = only;
    return object;
}

// A record of pointers only, or of one member, is a link: what its helpers do belongs to whoever hands it over.
static bool is_link(const Program *self, RecordId record) {
    u32 count = 0, pointers = 0;
    for (TypeRef type; type_known(type = record_field_type(self, record, count)); count++)
        pointers += type_kind(self, type_strip(self, type)) == TYPE_POINTER;
    return count <= 1 || (count <= LINK_MEMBERS && pointers == count);
}

// Of a type that is a member of another there is one in each of those.
static void fill_inside(const Program *self, Bitset *many) {
    BodyScope scope = {self, NO_ID, 0, NULL};
    for (RecordId r = 0; r < self->records.count; r++)
        for (u32 i = 0;; i++) {
            TypeRef type = record_field_type(self, r, i);
            if (!type_known(type))
                break;
            scope.file = type.file;
            RecordId inside = record_within(self, &scope, type);
            if (inside != NO_ID)
                bitset_set(many, inside);
        }
}

// requires: globals, members, the chunks. fills: Program.only
void find_only(Program *self, const BodyScan *scan) {
    Bitset many = {0};
    bitset_resize(&many, self->records.count);
    self->only = must_zero(sizeof(GlobalId) * (self->records.count + 1));
    memset(self->only, 0xff, sizeof(GlobalId) * (self->records.count + 1));
    fill_inside(self, &many);
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].made.count; i++)
            bitset_set(&many, scan->chunks[c].made.items[i]);
    for (GlobalId id = 0; id < self->globals.count; id++) {
        const ProgramGlobal *global = &self->globals.items[id];
        BodyScope scope = {self, NO_ID, global->file, NULL};
        RecordId record = global->is_function ? NO_ID : record_within(self, &scope, global_type(self, id));
        if (record == NO_ID)
            continue;
        bool array = type_kind(self, type_strip(self, global_type(self, id))) == TYPE_ARRAY;
        if (array || self->only[record] != NO_ID || global->rival || global->flags & DECL_THREAD_LOCAL ||
            self->records.items[record].index == NO_ID)
            bitset_set(&many, record);
        self->only[record] = id;
    }
    for (RecordId r = 0; r < self->records.count; r++)
        if (self->only[r] != NO_ID && (bitset_has(&many, r) || is_link(self, r)))
            self->only[r] = NO_ID;
    bitset_free(&many);
}
