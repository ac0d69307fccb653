// values.c: where pointers to functions come from and where they go.
// In: expressions of a body or a file. Out: slots (link.h): functions, fields of types, globals, variables.
// The idea: a field is one slot for all objects of its type, an array one slot for all elements. A value is only
// followed where it is a function's name or where its type says that it is a pointer to a function.
#include "racerx/link/link.h"

const Expr *scanner_expr(const Scanner *self, ExprId id) {
    const BodyScope *scope = &self->scope;
    return scope->body ? &scope->body->exprs.items[id] : &scope->program->files.items[scope->file].tree.exprs.items[id];
}

FunctionId scanner_function(Scanner *self, StrId name) {
    FunctionId *memo = &self->memo[name];
    if (!*memo) {
        FunctionId found =
            program_function(self->program, self->scope.file, file_name(self->program, self->scope.file, name));
        *memo = found == NO_ID ? 1 : found + 2;
    }
    return *memo == 1 ? NO_ID : *memo - 2;
}

static void push_source(PointerSources *out, SlotKey key) {
    for (u32 i = 0; i < out->count; i++)
        if (out->keys[i] == key)
            return;
    if (out->count < SOURCES_MOST)
        out->keys[out->count++] = key;
    else
        limit_reached(LIMIT_SOURCES_MOST);
}

// slots -----------------------------------------------------------------------

static TypeRef typed(const Scanner *self, ExprId id) { return scope_strip(&self->scope, expr_type(&self->scope, id)); }

// A place of another type (void *, unsigned long) is a slot for every type of function that is stored there, and one
// for all of them where it is not known as what it is used (or where its type was misread).
static SlotKey place_slot(const Scanner *self, SlotKey plain, TypeRef type, u64 signature) {
    if (signature <= WANT_ANY || plain == SLOT_NONE || !type_known(type) || type_is_code(self->program, type))
        return plain;
    return (u64)SLOT_MIXED << 60 | hash_mix(plain, signature) >> 4;
}

static SlotKey member_slot(Scanner *self, const Expr *expr) {
    NameId name = file_name(self->program, self->scope.file, expr->b);
    RecordId record = type_record(self->program, typed(self, expr->a)), owner;
    const Field *field;
    TypeRef type;
    if (record == NO_ID)
        return slot_key(SLOT_FIELD, SLOT_NO_RECORD, name);
    if (!record_member(self->program, record, name, &owner, &field, &type))
        owner = record;
    return slot_key(SLOT_FIELD, owner, name);
}

// `ops.open`, `table[i].open`: the member of one global, when no pointer is on the way.
static SlotKey global_member_slot(Scanner *self, const Expr *expr) {
    NameId name = file_name(self->program, self->scope.file, expr->b);
    const Expr *base = scanner_expr(self, expr->a);
    for (u32 depth = 0; base->kind == EXPR_INDEX || base->kind == EXPR_MEMBER; depth++) {
        if (limit_cuts(LIMIT_VALUE_DEPTH, depth >= VALUE_DEPTH))
            return SLOT_NONE;
        if (base->kind == EXPR_INDEX && type_kind(self->program, typed(self, base->a)) != TYPE_ARRAY)
            return SLOT_NONE;
        base = scanner_expr(self, base->a);
    }
    if (base->kind != EXPR_NAME)
        return SLOT_NONE;
    NameId global_name = file_name(self->program, self->scope.file, base->a);
    GlobalId global = program_global(self->program, self->scope.file, global_name);
    return global == NO_ID ? SLOT_NONE : slot_key(SLOT_GLOBAL, global, name);
}

static SlotKey name_slot(Scanner *self, const Expr *expr) { // of a variable
    NameId name = file_name(self->program, self->scope.file, expr->a);
    GlobalId global = program_global(self->program, self->scope.file, name);
    if (global == NO_ID || self->program->globals.items[global].is_function)
        return SLOT_NONE;
    return slot_key(SLOT_GLOBAL, global, 0);
}

void lvalue_slots(Scanner *self, ExprId id, u64 signature, PointerSources *out) {
    const Expr *expr = scanner_expr(self, id);
    TypeRef type = expr->kind == EXPR_VAR ? NO_TYPE : typed(self, id);
    SlotKey key = SLOT_NONE;
    out->count = 0;
    for (u32 depth = 0; expr->kind == EXPR_CAST || expr->kind == EXPR_INDEX; depth++) {
        if (limit_cuts(LIMIT_VALUE_DEPTH, depth >= VALUE_DEPTH))
            break;
        expr = scanner_expr(self, expr->a);
    }
    switch (expr->kind) {
    case EXPR_VAR: key = slot_key(SLOT_VAR, self->scope.function, expr->a); break;
    case EXPR_NAME: key = name_slot(self, expr); break;
    case EXPR_MEMBER:
        push_source(out, member_slot(self, expr));
        key = global_member_slot(self, expr);
        break;
    default: break;
    }
    if (key != SLOT_NONE)
        push_source(out, key);
    for (u32 i = 0, plain = out->count; i < plain; i++)
        push_source(out, place_slot(self, out->keys[i], type, signature));
}

u64 source_signature(Scanner *self, SlotKey source, ExprId value) {
    if (slot_kind(source) == SLOT_FUNCTION)
        return type_signature(self->program, function_type(self->program, slot_high(source)));
    return type_signature(self->program, typed(self, value));
}

// values ----------------------------------------------------------------------

static void call_sources(Scanner *self, const Expr *expr, u64 wanted, PointerSources *out, u32 depth);

static void name_sources(Scanner *self, ExprId id, const Expr *expr, u64 wanted, PointerSources *out) {
    FunctionId function = scanner_function(self, expr->a);
    if (function != NO_ID) {
        push_source(out, slot_key(SLOT_FUNCTION, function, 0));
        return;
    }
    SlotKey key = name_slot(self, expr);
    TypeRef type = key == SLOT_NONE ? NO_TYPE : typed(self, id);
    if (key != SLOT_NONE && (wanted || type_is_code(self->program, type)))
        push_source(out, place_slot(self, key, type, wanted));
}

static void member_sources(Scanner *self, ExprId id, const Expr *expr, u64 wanted, PointerSources *out) {
    NameId name = file_name(self->program, self->scope.file, expr->b);
    if (!wanted && !bitset_has(&self->program->tables->code_fields, name))
        return;
    TypeRef type = typed(self, id);
    if (wanted || type_is_code(self->program, type))
        push_source(out, place_slot(self, member_slot(self, expr), type, wanted));
}

static u64 wanted_as(const Scanner *self, TypeRef type) { // 0: no pointer to a function
    u64 signature = type_is_code(self->program, type) ? type_signature(self->program, type) : 0;
    return signature ? signature : type_is_code(self->program, type) ? WANT_ANY : 0;
}

static void sources(Scanner *self, ExprId id, u64 wanted, PointerSources *out, u32 depth) {
    for (; id; depth++, out->budget--) {
        if (limit_cuts(LIMIT_VALUE_DEPTH, depth >= VALUE_DEPTH) || limit_cuts(LIMIT_SOURCES_BUDGET, !out->budget))
            return;
        const Expr *expr = scanner_expr(self, id);
        u64 cast;
        switch (expr->kind) {
        case EXPR_NAME: name_sources(self, id, expr, wanted, out); return;
        case EXPR_VAR:
            if (wanted || bitset_has(&self->code_vars, expr->a))
                push_source(out, slot_key(SLOT_VAR, self->scope.function, expr->a));
            return;
        case EXPR_MEMBER: member_sources(self, id, expr, wanted, out); return;
        case EXPR_CAST:
            cast = wanted_as(self, typed(self, id));
            wanted = cast ? cast : wanted;
            id = expr->a;
            break;
        case EXPR_INDEX:
        case EXPR_ADDRESS:
        case EXPR_BLOCK: id = expr->a; break;
        case EXPR_ASSIGN: id = expr->b; break;
        case EXPR_CHOICE:
            sources(self, expr->b ? expr->b : expr->a, wanted, out, depth + 1);
            id = expr->c;
            break;
        case EXPR_CALL: call_sources(self, expr, wanted, out, depth); return;
        default: return;
        }
    }
}

// A call's value: what the function returns, or what an accessor is given.
static void call_sources(Scanner *self, const Expr *expr, u64 wanted, PointerSources *out, u32 depth) {
    const Expr *callee = scanner_expr(self, expr->a);
    if (callee->kind != EXPR_NAME)
        return;
    u32 said = program_said(self->program, file_name(self->program, self->scope.file, callee->a));
    const u32 *lists = self->scope.body ? self->scope.body->lists.items
                                        : self->program->files.items[self->scope.file].tree.lists.items;
    if (said & SAID_ACCESSOR && expr->c) {
        sources(self, lists[expr->b], wanted, out, depth + 1);
        return;
    }
    FunctionId function = scanner_function(self, callee->a);
    if (function != NO_ID && wanted)
        push_source(out, slot_key(SLOT_RESULT, function, 0));
}

void value_sources(Scanner *self, ExprId value, u64 wanted, PointerSources *out) {
    out->count = 0;
    out->budget = SOURCES_BUDGET;
    sources(self, value, wanted, out, 0);
}

// initialisers ----------------------------------------------------------------

typedef struct {
    TypeRef type;   // of the place reached so far
    RecordId owner; // of the last member on the way; NO_ID: none yet
    u32 index;      // of that member in its owner; NO_ID: not known
    NameId name;    // of that member
} InitPlace;

static void enter_member(Scanner *self, InitPlace *place, RecordId record, u32 index) {
    const ProgramRecord *one = record == NO_ID ? NULL : &self->program->records.items[record];
    place->type = record_field_type(self->program, record, index);
    place->owner = record;
    place->index = index;
    place->name = 0;
    if (!type_known(place->type) || one->index == NO_ID)
        return;
    const Tree *tree = &self->program->files.items[one->file].tree;
    place->name =
        file_name(self->program, one->file, tree->fields.items[tree->records.items[one->index].member + index].name);
}

static void enter_field(Scanner *self, InitPlace *place, NameId name) {
    RecordId record = type_record(self->program, place->type), owner;
    const Field *field;
    TypeRef type;
    if (record != NO_ID && record_member(self->program, record, name, &owner, &field, &type)) {
        const ProgramRecord *one = &self->program->records.items[owner];
        const Tree *tree = &self->program->files.items[one->file].tree;
        u32 index = (u32)(field - tree->fields.items) - tree->records.items[one->index].member;
        *place = (InitPlace){type, owner, index, name};
    } else {
        *place = (InitPlace){NO_TYPE, record, NO_ID, name};
    }
}

static void enter_step(Scanner *self, InitPlace *place, const Step *step) {
    RecordId record;
    switch (step->kind) {
    case STEP_FIELD: enter_field(self, place, file_name(self->program, self->scope.file, step->value)); return;
    case STEP_AFTER:
        if (place->index != NO_ID && step->value < UINT32_MAX - place->index)
            enter_member(self, place, place->owner, place->index + step->value);
        return;
    case STEP_POSITION:
        record = type_record(self->program, place->type);
        if (record != NO_ID) {
            enter_member(self, place, record, step->value);
            return;
        }
        place->type = type_target(self->program, place->type);
        return;
    case STEP_RANGE_END: return;
    default: place->type = type_target(self->program, place->type);
    }
}

// `{ f }` for a member that is a record itself: braces were left out, f is its first scalar.
static void enter_first(Scanner *self, InitPlace *place) {
    for (u32 depth = 0; depth < LIST_DEPTH; depth++) {
        RecordId record = type_record(self->program, place->type);
        if (record == NO_ID || !type_known(record_field_type(self->program, record, 0)))
            return;
        enter_member(self, place, record, 0);
    }
}

static void flow_to(Scanner *self, const PointerSources *from, ExprId value, SlotKey to, TypeRef type) {
    for (u32 i = 0; i < from->count; i++) {
        SlotKey mixed = place_slot(self, to, type, source_signature(self, from->keys[i], value));
        array_push(&self->chunk->flows, ((PointerFlow){from->keys[i], to}));
        if (mixed != to)
            array_push(&self->chunk->flows, ((PointerFlow){from->keys[i], mixed}));
    }
}

static void take_sources(Scanner *self, const PointerSources *from) {
    for (u32 i = 0; i < from->count; i++)
        if (slot_kind(from->keys[i]) == SLOT_FUNCTION) {
            array_push(&self->chunk->taken, self->scope.file);
            array_push(&self->chunk->taken, slot_high(from->keys[i]));
        }
}

bool scan_list(Scanner *self, ExprId id, SlotKey whole, SlotKey object, u32 depth) {
    const Expr *expr = scanner_expr(self, id);
    for (u32 i = 0; i < 4 && (expr->kind == EXPR_ADDRESS || expr->kind == EXPR_CAST); i++) {
        object = expr->kind == EXPR_ADDRESS ? SLOT_NONE : object; // an object without a name
        expr = scanner_expr(self, expr->a);
    }
    if (expr->kind != EXPR_LIST)
        return false;
    TypeRef type = {self->scope.file, expr->a, self->scope.body ? self->scope.function + 1 : 0, 0};
    scan_entries(self, scope_strip(&self->scope, type), NO_ID, whole, object, expr->b, expr->c, depth + 1);
    return true;
}

// Is an initialiser the address of something?
static bool is_address(const Scanner *self, ExprId id) {
    const Expr *expr = scanner_expr(self, id);
    for (u32 i = 0; i < 4 && expr->kind == EXPR_CAST; i++)
        expr = scanner_expr(self, expr->a);
    return expr->kind == EXPR_ADDRESS || expr->kind == EXPR_NAME || expr->kind == EXPR_VAR || expr->kind == EXPR_CALL;
}

// A pointer to data in an initialiser.
static void data_entry(Scanner *self, const InitPlace *place, SlotKey object, TypeRef type, ExprId value) {
    DataScan data = {self->program, self->scope, &self->followed, &self->chunk->data};
    bool element = type_known(type) && type_kind(self->program, type) == TYPE_ARRAY;
    if (data_type_followed(&data, place->type))
        data_member(&data, place->name ? place->owner : NO_ID,
                    (DataCell){object, place->name | (element ? DATA_ELEMENT : 0)}, value);
}

static void scan_entry(Scanner *self, TypeRef type, GlobalId global, SlotKey whole, SlotKey object,
                       const InitEntry *entry, u32 depth) {
    const Step *steps = self->scope.body ? self->scope.body->steps.items
                                         : self->program->files.items[self->scope.file].tree.steps.items;
    InitPlace place = {type, NO_ID, NO_ID, 0};
    PointerSources found;
    if (scan_list(self, entry->value, SLOT_NONE, SLOT_NONE, depth))
        return;
    value_sources(self, entry->value, 0, &found);
    if (!found.count && !is_address(self, entry->value))
        return;
    take_sources(self, &found);
    for (u32 i = 0; i < entry->step_count; i++)
        enter_step(self, &place, &steps[entry->step + i]);
    enter_first(self, &place);
    if (!found.count) {
        data_entry(self, &place, object, type, entry->value);
        return;
    }
    if (place.name) {
        flow_to(self, &found, entry->value, slot_key(SLOT_FIELD, place.owner, place.name), place.type);
        if (global != NO_ID)
            flow_to(self, &found, entry->value, slot_key(SLOT_GLOBAL, global, place.name), place.type);
    } else if (whole != SLOT_NONE) {
        flow_to(self, &found, entry->value, whole, place.type);
    }
}

void scan_entries(Scanner *self, TypeRef type, GlobalId global, SlotKey whole, SlotKey object, u32 first, u32 count,
                  u32 depth) {
    if (depth > LIST_DEPTH) {
        limit_reached(LIMIT_LIST_DEPTH);
        return;
    }
    for (u32 i = first; i < first + count; i++) {
        const InitEntry *entry = self->scope.body ? &self->scope.body->inits.items[i]
                                                  : &self->program->files.items[self->scope.file].tree.inits.items[i];
        scan_entry(self, type, global, whole, object, entry, depth);
    }
}

// signatures ------------------------------------------------------------------

// A part of a signature: what two declarations of one function agree on. 0: not known.
static u64 part_signature(const Program *self, TypeRef type) {
    u64 pointers = 1;
    type = type_strip(self, type);
    while ((type_kind(self, type) == TYPE_POINTER || type_kind(self, type) == TYPE_ARRAY) && pointers < 4) {
        type = type_strip(self, type_target(self, type));
        pointers++;
    }
    u8 kind = type_kind(self, type);
    if (kind == TYPE_UNKNOWN)
        return pointers > 1 ? pointers << 8 : 0;
    const ProgramFile *file = &self->files.items[type.file];
    const Type *one = &file->tree.types.items[type.type];
    if (kind == TYPE_ENUM)
        return pointers << 8 | TYPE_INT | 32 << 16;
    u64 detail = kind == TYPE_INT || kind == TYPE_FLOAT                            ? one->bits
                 : kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_NAMED ? file->names[one->name]
                                                                                   : 0;
    return detail << 16 | pointers << 8 | kind;
}

u64 type_signature(const Program *self, TypeRef type) {
    type = type_strip(self, type);
    if (type_kind(self, type) == TYPE_POINTER)
        type = type_strip(self, type_target(self, type));
    if (type_kind(self, type) != TYPE_FUNCTION)
        return 0;
    const Tree *tree = &self->files.items[type.file].tree;
    const Type *one = &tree->types.items[type.type];
    if (one->quals & QUAL_NO_PROTOTYPE)
        return 0;
    u64 hash = part_signature(self, (TypeRef){type.file, one->inner, type.owner, 0});
    for (u32 i = 0; i < one->count && hash; i++) {
        u64 part = part_signature(self, (TypeRef){type.file, tree->lists.items[one->list + i], type.owner, 0});
        hash = part ? hash_mix(hash, part) : 0;
    }
    return hash ? hash_mix(hash, (u64)one->count << 1 | (one->quals & QUAL_VARIADIC ? 1 : 0)) | 1 : 0;
}
