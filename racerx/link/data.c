// data.c: pointers to data: what bodies and initialisers say of them.
// In: expressions of a body or a file. Out: flows between cells (link.h), which points.c solves.
// The idea is Andersen's, with members told apart by the last name on the way: a cell is a variable or a member of an
// object; `p = &x`, `p = q`, `p = q->m`, `q->m = p`, `p = &q->m` and container_of are a flow each. In whole systems a
// member behind a pointer is one cell for all objects of its type.
// Invariant: what cannot be followed flows in as the unknown, the cell without a base.
#include "racerx/link/link.h"

#define DATA_DEPTH 16 // nesting of an expression

static const Expr *expr_at(const DataScan *self, ExprId id) {
    return self->scope.body ? &self->scope.body->exprs.items[id]
                            : &self->program->files.items[self->scope.file].tree.exprs.items[id];
}

static TypeRef typed(const DataScan *self, ExprId id) { return scope_strip(&self->scope, expr_type(&self->scope, id)); }

static u8 kind_of(const DataScan *self, ExprId id) {
    TypeRef type = typed(self, id);
    return type_known(type) ? type_kind(self->program, type) : TYPE_UNKNOWN;
}

bool data_is_whole(const Program *self) { return self->functions.count <= FOLLOWED_MOST; }

// types -----------------------------------------------------------------------

static bool is_named_lock(const Program *program, TypeRef type) {
    const ProgramFile *file = &program->files.items[type.file];
    const Type *one = &file->tree.types.items[type.type];
    char text[128];
    if (one->kind != TYPE_NAMED && one->kind != TYPE_STRUCT)
        return false;
    snprintf(text, sizeof text, "%s%s", one->kind == TYPE_STRUCT ? "struct " : "",
             program_text(program, file->names[one->name]));
    return declarations_look(program->declarations, text, (u32)strlen(text)).said & SAID_LOCK_TYPE;
}

bool type_stands_for_lock(const Program *program, TypeRef type) {
    for (u32 hops = 0; hops < 8 && type_known(type) && !type.pointers; hops++) {
        TypeRef next = type_unname(program, type);
        if (is_named_lock(program, type))
            return true;
        if (next.file == type.file && next.type == type.type)
            return false;
        type = next;
    }
    return false;
}

// A record with a pointer to a function in it.
static bool is_table(const Program *program, TypeRef type) {
    RecordId record = type_known(type) ? type_record(program, type) : NO_ID;
    if (record == NO_ID || program->records.items[record].index == NO_ID)
        return false;
    const ProgramRecord *one = &program->records.items[record];
    u32 members = program->files.items[one->file].tree.records.items[one->index].member_count;
    for (u32 i = 0; i < members; i++)
        if (type_is_code(program, record_field_type(program, record, i)))
            return true;
    return false;
}

// What a pointer points to: 1: neither a lock nor a table of functions, 2: a table, 3: a lock. Each type is asked once.
static u32 sort_of_target(DataScan *self, TypeRef pointer) {
    const Program *program = self->program;
    TypeRef target = type_target(program, pointer);
    if (!type_known(target) || target.pointers)
        return 1;
    u64 key = (u64)target.file << 32 | target.type;
    u32 *known = map_put(self->followed, key, NULL);
    if (!*known) {
        u32 sort = type_stands_for_lock(program, target)                  ? 3
                   : is_table(program, scope_strip(&self->scope, target)) ? 2
                                                                          : 1;
        return *map_get(self->followed, key) = sort;
    }
    return *known;
}

bool data_type_followed(DataScan *self, TypeRef type) {
    TypeRef plain = scope_strip(&self->scope, type);
    u8 kind = type_known(plain) ? type_kind(self->program, plain) : TYPE_UNKNOWN;
    if (data_is_whole(self->program))
        return kind == TYPE_POINTER || kind == TYPE_ARRAY || kind == TYPE_UNKNOWN;
    return kind == TYPE_POINTER && sort_of_target(self, plain) > 1;
}

bool data_is_lock_pointer(DataScan *self, TypeRef type) {
    TypeRef plain = scope_strip(&self->scope, type);
    return type_known(plain) && type_kind(self->program, plain) == TYPE_POINTER && sort_of_target(self, plain) == 3;
}

// places ----------------------------------------------------------------------

// What an lvalue is: a cell, or a member of what a cell points to.
typedef struct {
    DataCell cell;
    bool pointer;
    NameId member;   // behind the pointer; | DATA_ELEMENT
    RecordId record; // that has the last member; NO_ID: none, or not known
} DataPlace;

static void put(DataScan *self, DataKind kind, DataCell to, DataCell from, NameId member, RecordId record) {
    array_push(self->out, ((DataFlow){to, from, member, record, kind}));
}

static void put_unknown(DataScan *self, DataCell to) { put(self, DATA_ADDRESS, to, (DataCell){0}, 0, NO_ID); }

static void value_into(DataScan *self, ExprId id, DataCell to, u32 depth);

static DataCell pointer_cell(DataScan *self, ExprId id, u32 depth) {
    const Expr *expr = expr_at(self, id);
    while (expr->kind == EXPR_CAST || (expr->kind == EXPR_BLOCK && expr->a))
        expr = expr_at(self, id = expr->a);
    if (expr->kind == EXPR_VAR && kind_of(self, id) != TYPE_ARRAY)
        return (DataCell){slot_key(SLOT_VAR, self->scope.function, expr->a), 0};
    if (!self->scope.body)
        return (DataCell){0};
    DataCell cell = {slot_key(SLOT_TEMP, self->scope.function, id), 0};
    value_into(self, id, cell, depth + 1);
    return cell;
}

static RecordId owner_of(const DataScan *self, ExprId base, NameId name) {
    TypeRef plain = typed(self, base), type;
    RecordId record = type_known(plain) ? type_record(self->program, plain) : NO_ID, owner;
    const Field *field;
    if (record != NO_ID && record_member(self->program, record, name, &owner, &field, &type))
        return owner;
    return record;
}

static bool place_named(const DataScan *self, const Expr *expr, DataPlace *out) {
    NameId name = file_name(self->program, self->scope.file, expr->a);
    GlobalId global = program_global(self->program, self->scope.file, name);
    if (global == NO_ID || self->program->globals.items[global].is_function)
        return false;
    out->cell = (DataCell){slot_key(SLOT_GLOBAL, global, 0), 0};
    return true;
}

static void place_behind(DataScan *self, ExprId pointer, NameId member, DataPlace *out, u32 depth) {
    if (!data_is_whole(self->program))
        return; // by its type, when it is a member
    out->pointer = true;
    out->member = member;
    out->cell = pointer_cell(self, pointer, depth + 1);
}

static bool place_of(DataScan *self, ExprId id, DataPlace *out, u32 depth);

static bool place_member(DataScan *self, const Expr *expr, DataPlace *out, u32 depth) {
    NameId name = file_name(self->program, self->scope.file, expr->b);
    const Expr *base = expr_at(self, expr->a);
    out->record = owner_of(self, expr->a, name);
    if (base->kind == EXPR_DEREF && !data_is_whole(self->program)) {
        out->cell = (DataCell){slot_key(SLOT_TYPE, out->record, 0), name};
        return out->record != NO_ID;
    }
    DataPlace whole = {.record = NO_ID};
    if (!place_of(self, expr->a, &whole, depth + 1))
        return false;
    u32 element = (whole.pointer ? whole.member : whole.cell.member) & DATA_ELEMENT;
    out->pointer = whole.pointer;
    out->cell = whole.cell;
    if (whole.pointer)
        out->member = name | element;
    else
        out->cell.member = name | element;
    return true;
}

static bool place_of(DataScan *self, ExprId id, DataPlace *out, u32 depth) {
    const Expr *expr = expr_at(self, id);
    *out = (DataPlace){.record = NO_ID};
    if (depth > DATA_DEPTH)
        return false;
    switch (expr->kind) {
    case EXPR_VAR: out->cell = (DataCell){slot_key(SLOT_VAR, self->scope.function, expr->a), 0}; return true;
    case EXPR_NAME: return place_named(self, expr, out);
    case EXPR_MEMBER: return place_member(self, expr, out, depth);
    case EXPR_CAST: return place_of(self, expr->a, out, depth + 1);
    case EXPR_DEREF: place_behind(self, expr->a, 0, out, depth); return out->pointer;
    case EXPR_INDEX:
        if (kind_of(self, expr->a) != TYPE_ARRAY) {
            place_behind(self, expr->a, DATA_ELEMENT, out, depth);
            return out->pointer;
        }
        if (!place_of(self, expr->a, out, depth + 1))
            return false;
        if (out->pointer)
            out->member |= DATA_ELEMENT;
        else
            out->cell.member |= DATA_ELEMENT;
        return true;
    default: return false;
    }
}

// values ----------------------------------------------------------------------

static void address_into(DataScan *self, const DataPlace *place, DataCell to) {
    if (place->pointer && place->member)
        put(self, DATA_PART, to, place->cell, place->member, place->record);
    else if (place->pointer)
        put(self, DATA_COPY, to, place->cell, 0, NO_ID);
    else
        put(self, DATA_ADDRESS, to, place->cell, 0, NO_ID);
}

static DataCell plain(DataCell cell) { return (DataCell){cell.base, cell.member & ~DATA_ELEMENT}; }

// The value of an lvalue; an array's is its address.
static void lvalue_into(DataScan *self, ExprId id, DataCell to, u32 depth) {
    DataPlace place;
    if (!place_of(self, id, &place, depth)) {
        put_unknown(self, to);
        return;
    }
    if (kind_of(self, id) == TYPE_ARRAY) {
        address_into(self, &place, to);
        return;
    }
    bool typed_only = !place.pointer && slot_kind(place.cell.base) == SLOT_TYPE; // in any object of the type
    if (typed_only)
        place.cell.base = slot_key(SLOT_ALL, slot_high(place.cell.base), 0);
    if (place.pointer)
        put(self, DATA_LOAD, to, place.cell, place.member & ~DATA_ELEMENT, place.record);
    else
        put(self, DATA_COPY, to, plain(place.cell), 0, NO_ID);
    if (!place.pointer && place.record != NO_ID && !typed_only) // what was stored by a pointer that nobody knows
        put(self, DATA_COPY, to, (DataCell){slot_key(SLOT_TYPE, place.record, 0), place.cell.member & ~DATA_ELEMENT}, 0,
            NO_ID);
}

// Is fresh memory what the call gives?
static bool is_allocation(const DataScan *self, NameId name, ExprId call) {
    const CallFact *facts;
    const char *text = program_text(self->program, name);
    if (!(program_said(self->program, name) & SAID_ALLOCATES))
        return false;
    u32 count = declarations_facts(self->program->declarations, text, (u32)strlen(text), SAID_ALLOCATES, &facts);
    for (u32 i = 0; i < count; i++)
        if (facts[i].argument <= 0 && call_choice(&self->scope, call, &facts[i].choice))
            return true;
    return false;
}

static void call_into(DataScan *self, ExprId id, const Expr *expr, DataCell to, u32 depth) {
    const Expr *callee = expr_at(self, expr->a);
    FunctionId from = self->scope.body ? self->scope.function : NO_ID;
    if (callee->kind != EXPR_NAME || from == NO_ID) {
        if (from != NO_ID)
            put(self, DATA_RESULT, to, (DataCell){0}, id, from);
        return;
    }
    NameId name = file_name(self->program, self->scope.file, callee->a);
    u32 said = program_said(self->program, name);
    if ((said & SAID_ACCESSOR) && expr->c) {
        value_into(self, self->scope.body->lists.items[expr->b], to, depth + 1);
        return;
    }
    if (is_allocation(self, name, id)) {
        put(self, DATA_ADDRESS, to, (DataCell){slot_key(SLOT_HEAP, from, id), 0}, 0, NO_ID);
        return;
    }
    FunctionId function = program_function(self->program, self->scope.file, name);
    if (function == NO_ID)
        put_unknown(self, to);
    else
        put(self, DATA_RESULT, to, (DataCell){slot_key(SLOT_RESULT, function, 0), 0}, id, from);
}

static void container_into(DataScan *self, const Expr *expr, DataCell to, u32 depth) {
    const char *members = program_text(self->program, file_name(self->program, self->scope.file, expr->c));
    const char *dot = strrchr(members, '.'), *last = dot ? dot + 1 : members;
    TypeRef type = {self->scope.file, expr->b, self->scope.body ? self->scope.function + 1 : 0, 0};
    TypeRef whole = scope_strip(&self->scope, type);
    RecordId record = type_known(whole) ? type_record(self->program, whole) : NO_ID;
    put(self, DATA_UP, to, pointer_cell(self, expr->a, depth + 1),
        program_intern(self->program, last, (u32)strlen(last)), record);
}

// Pointer arithmetic points into the same object.
static void sum_into(DataScan *self, const Expr *expr, DataCell to, u32 depth) {
    if (expr->op != OP_ADD && expr->op != OP_SUB) {
        put_unknown(self, to);
        return;
    }
    u8 left = kind_of(self, expr->a), right = expr->op == OP_ADD ? kind_of(self, expr->b) : TYPE_INT;
    bool second = (right == TYPE_POINTER || right == TYPE_ARRAY) && left != TYPE_POINTER && left != TYPE_ARRAY;
    put(self, DATA_PART, to, pointer_cell(self, second ? expr->b : expr->a, depth + 1), DATA_ELEMENT, NO_ID);
}

static void value_into(DataScan *self, ExprId id, DataCell to, u32 depth) {
    DataPlace place;
    for (; id; depth++) {
        if (depth > DATA_DEPTH) {
            put_unknown(self, to);
            return;
        }
        const Expr *expr = expr_at(self, id);
        switch (expr->kind) {
        case EXPR_INT:
            if (expr_int(expr))
                put_unknown(self, to);
            return;
        case EXPR_STRING: return; // nobody writes it
        case EXPR_NAME:
            if (program_function(self->program, self->scope.file,
                                 file_name(self->program, self->scope.file, expr->a)) != NO_ID)
                return;
            lvalue_into(self, id, to, depth);
            return;
        case EXPR_VAR:
        case EXPR_MEMBER:
        case EXPR_DEREF:
        case EXPR_INDEX: lvalue_into(self, id, to, depth); return;
        case EXPR_ADDRESS:
            if (place_of(self, expr->a, &place, depth))
                address_into(self, &place, to);
            else if (expr_at(self, expr->a)->kind != EXPR_LIST)
                put_unknown(self, to);
            return;
        case EXPR_CAST:
        case EXPR_BLOCK:
        case EXPR_STEP: id = expr->a; break;
        case EXPR_ASSIGN: id = expr->op == OP_NONE ? expr->b : expr->a; break;
        case EXPR_CHOICE:
            value_into(self, expr->b ? expr->b : expr->a, to, depth + 1);
            id = expr->c;
            break;
        case EXPR_BINARY: sum_into(self, expr, to, depth); return;
        case EXPR_CALL: call_into(self, id, expr, to, depth); return;
        case EXPR_CONTAINER: container_into(self, expr, to, depth); return;
        default: put_unknown(self, to); return;
        }
    }
}

void data_value(DataScan *self, ExprId value, DataCell to) { value_into(self, value, to, 0); }

DataCell data_pointer(DataScan *self, ExprId pointer) { return pointer_cell(self, pointer, 0); }

// stores ----------------------------------------------------------------------

// Records that are copied as a whole: what is in any of them may be in any other.
static void copy_record(DataScan *self, RecordId record) {
    const Program *program = self->program;
    const ProgramRecord *one = &program->records.items[record];
    if (one->index == NO_ID)
        return;
    const Tree *tree = &program->files.items[one->file].tree;
    const Record *written = &tree->records.items[one->index];
    for (u32 i = 0; i < written->member_count; i++) {
        TypeRef type = record_field_type(program, record, i);
        NameId name = file_name(program, one->file, tree->fields.items[written->member + i].name);
        if (name && data_type_followed(self, type))
            put(self, DATA_COPY, (DataCell){slot_key(SLOT_TYPE, record, 0), name},
                (DataCell){slot_key(SLOT_ALL, record, 0), name}, 0, NO_ID);
    }
}

void data_member(DataScan *self, RecordId owner, DataCell to, ExprId value) {
    if (slot_kind(to.base) != SLOT_NONE)
        data_value(self, value, to);
    if (owner != NO_ID)
        data_value(self, value, (DataCell){slot_key(SLOT_ALL, owner, 0), to.member & ~DATA_ELEMENT});
    if (owner != NO_ID && slot_kind(to.base) == SLOT_NONE)
        data_value(self, value, (DataCell){slot_key(SLOT_TYPE, owner, 0), to.member & ~DATA_ELEMENT});
}

void data_write(DataScan *self, ExprId lvalue, ExprId value) {
    TypeRef type = expr_type(&self->scope, lvalue), record_type = scope_strip(&self->scope, type);
    RecordId record = type_known(record_type) ? type_record(self->program, record_type) : NO_ID;
    u8 kind = type_known(record_type) ? type_kind(self->program, record_type) : TYPE_UNKNOWN;
    DataPlace place;
    if (record != NO_ID && kind != TYPE_POINTER) {
        if (data_is_whole(self->program))
            copy_record(self, record);
        return;
    }
    if (!data_type_followed(self, type) || !place_of(self, lvalue, &place, 0))
        return;
    if (!place.pointer && place.record == NO_ID) {
        data_value(self, value, place.cell);
        return;
    }
    NameId member = (place.pointer ? place.member : place.cell.member) & ~DATA_ELEMENT;
    bool kept = place.record != NO_ID && member;
    if (!place.pointer) {
        data_value(self, value, place.cell);
        if (kept && slot_kind(place.cell.base) != SLOT_ALL)
            data_value(self, value, (DataCell){slot_key(SLOT_ALL, place.record, 0), member});
        return;
    }
    DataCell from = pointer_cell(self, value, 0);
    put(self, DATA_STORE, place.cell, from, place.member, place.record);
    if (kept)
        put(self, DATA_COPY, (DataCell){slot_key(SLOT_ALL, place.record, 0), member}, from, 0, NO_ID);
}

// The callee `holder.table->member`.
bool data_table(DataScan *self, ExprId callee, TableCall *out) {
    const Expr *member = expr_at(self, callee);
    const Expr *behind = member->kind == EXPR_MEMBER ? expr_at(self, member->a) : NULL;
    DataPlace place;
    if (!behind || behind->kind != EXPR_DEREF || expr_at(self, behind->a)->kind != EXPR_MEMBER ||
        !data_type_followed(self, expr_type(&self->scope, behind->a)) || !place_of(self, behind->a, &place, 0) ||
        (!place.pointer && slot_kind(place.cell.base) == SLOT_TYPE))
        return false;
    *out = (TableCall){.pointer = place.pointer,
                       .holder = plain(place.cell),
                       .kept = (place.pointer ? place.member : place.cell.member) & ~DATA_ELEMENT,
                       .record = place.record,
                       .member = file_name(self->program, self->scope.file, member->b)};
    return true;
}
