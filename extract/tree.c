// tree.c: a tree's memory, its interned types, and its bytes.
// In: a Tree or a Body. Out: the encoding of docs/trees.md, and back.
// The idea: what C keeps as (index, count) is written in line where it is used, so that the only
// numbers that can point somewhere are ids of strings, types, expressions, vars and blocks.
// Invariant: a read that returns true leaves every such id in bounds, or (in a body: strings and
// types, which belong to the tree) below Body.string_limit and type_limit.
#include "extract/tree.h"

// memory ----------------------------------------------------------------------

void body_reset(Body *self) {
    self->vars.count = self->exprs.count = self->lists.count = self->inits.count = self->steps.count = 0;
    self->events.count = self->blocks.count = self->successors.count = 0;
    self->string_limit = self->type_limit = 0;
    array_push(&self->exprs, (Expr){0});
}

void body_free(Body *self) {
    array_free(&self->vars);
    array_free(&self->exprs);
    array_free(&self->lists);
    array_free(&self->inits);
    array_free(&self->steps);
    array_free(&self->events);
    array_free(&self->blocks);
    array_free(&self->successors);
}

void tree_reset(Tree *self) {
    intern_reset(&self->strings);
    intern_add(&self->strings, "", 0);
    self->types.count = self->lists.count = self->fields.count = self->enumerators.count = 0;
    self->records.count = self->typedefs.count = self->globals.count = self->calls.count = 0;
    self->functions.count = self->remarks.count = self->exprs.count = self->inits.count = self->steps.count = 0;
    self->lost_items = self->lost_bytes = 0;
    self->bodies.size = 0;
    map_clear(&self->type_index);
    map_clear(&self->typedef_names);
    map_clear(&self->constant_names);
    array_push(&self->types, (Type){0});
    array_push(&self->exprs, (Expr){0});
}

void tree_free(Tree *self) {
    intern_free(&self->strings);
    array_free(&self->types);
    array_free(&self->lists);
    array_free(&self->fields);
    array_free(&self->enumerators);
    array_free(&self->records);
    array_free(&self->typedefs);
    array_free(&self->globals);
    array_free(&self->calls);
    array_free(&self->functions);
    array_free(&self->remarks);
    array_free(&self->exprs);
    array_free(&self->inits);
    array_free(&self->steps);
    buffer_free(&self->bodies);
    map_free(&self->type_index);
    map_free(&self->typedef_names);
    map_free(&self->constant_names);
}

// types -----------------------------------------------------------------------

static u32 type_list_count(const Type *type) {
    return type->kind == TYPE_FUNCTION ? type->count : type->kind == TYPE_TYPEOF ? 1 : 0;
}

static bool type_equal(const Tree *self, const Type *have, const Type *want, const u32 *list) {
    return have->kind == want->kind && have->quals == want->quals && have->bits == want->bits &&
           have->name == want->name && have->inner == want->inner && have->count == want->count &&
           !memcmp(self->lists.items + have->list, list, sizeof(u32) * type_list_count(want));
}

TypeId tree_type(Tree *self, Type type, const u32 *list) {
    static const u32 nothing[1];
    u32 count = type_list_count(&type);
    if (type.kind == TYPE_UNKNOWN || !count)
        list = nothing;
    u64 hash = hash_mix((u64)type.kind | (u64)type.quals << 8 | (u64)type.bits << 16 | (u64)type.name << 32,
                        (u64)type.inner | (u64)type.count << 32);
    hash = hash_bytes(list, sizeof(u32) * count, hash);
    if (type.kind == TYPE_UNKNOWN)
        return 0;
    if (!self->lists.capacity)
        array_reserve(&self->lists, 16);
    for (;; hash++) {
        bool is_new;
        u32 *slot = map_put(&self->type_index, hash, &is_new);
        if (!is_new) {
            if (type_equal(self, &self->types.items[*slot], &type, list))
                return *slot;
            continue;
        }
        *slot = self->types.count;
        type.list = self->lists.count;
        for (u32 i = 0; i < count; i++)
            array_push(&self->lists, list[i]);
        array_push(&self->types, type);
        return self->types.count - 1;
    }
}

// writing ---------------------------------------------------------------------

// How the fields a, b, c of each kind of expression are written, in order:
// r child, s string, t type, v var, n number, i both halves of a literal, A list of children,
// E list of init entries; o is the operator.
static const char *const expr_shapes[] = {
    [EXPR_NONE] = "",   [EXPR_INT] = "i",      [EXPR_FLOAT] = "",     [EXPR_STRING] = "s",   [EXPR_VAR] = "v",
    [EXPR_NAME] = "s",  [EXPR_MEMBER] = "rs",  [EXPR_DEREF] = "r",    [EXPR_INDEX] = "rr",   [EXPR_ADDRESS] = "r",
    [EXPR_CALL] = "rA", [EXPR_UNARY] = "or",   [EXPR_BINARY] = "orr", [EXPR_ASSIGN] = "orr", [EXPR_STEP] = "orn",
    [EXPR_CAST] = "rt", [EXPR_CHOICE] = "rrr", [EXPR_BLOCK] = "r",    [EXPR_SIZEOF] = "rt",  [EXPR_CONTAINER] = "rts",
    [EXPR_LIST] = "tE", [EXPR_LABEL] = "s",    [EXPR_ASM] = "nA",     [EXPR_UNKNOWN] = "",
};

typedef struct {
    Buffer *out;
    u32 line; // of the last place written
    const ExprArray *exprs;
    const U32Array *lists;
    const InitArray *inits;
    const StepArray *steps;
} TreeWriter;

static void place_write(TreeWriter *self, Place place) {
    buffer_i64(self->out, (i64)place.line - self->line);
    buffer_u64(self->out, place.column);
    self->line = place.line;
}

static void entries_write(TreeWriter *self, u32 first, u32 count) {
    buffer_u64(self->out, count);
    for (u32 i = first; i < first + count; i++) {
        const InitEntry *entry = &self->inits->items[i];
        buffer_u64(self->out, entry->step_count);
        for (u32 s = 0; s < entry->step_count; s++) {
            buffer_u64(self->out, self->steps->items[entry->step + s].kind);
            buffer_u64(self->out, self->steps->items[entry->step + s].value);
        }
        buffer_u64(self->out, entry->value);
        place_write(self, entry->place);
    }
}

static void expr_write(TreeWriter *self, u32 id) {
    const Expr *expr = &self->exprs->items[id];
    const u32 *field = &expr->a;
    buffer_byte(self->out, expr->kind);
    for (const char *shape = expr_shapes[expr->kind]; *shape; shape++) {
        switch (*shape) {
        case 'o': buffer_byte(self->out, expr->op); continue;
        case 'i': buffer_i64(self->out, expr_int(expr)); break;
        case 'r': buffer_u64(self->out, *field ? id - *field : 0); break;
        case 'A':
            buffer_u64(self->out, expr->c);
            for (u32 i = 0; i < expr->c; i++)
                buffer_u64(self->out, id - self->lists->items[expr->b + i]);
            break;
        case 'E': entries_write(self, expr->b, expr->c); break;
        default: buffer_u64(self->out, *field);
        }
        field++;
    }
}

static void exprs_write(TreeWriter *self) {
    buffer_u64(self->out, self->exprs->count - 1);
    for (u32 id = 1; id < self->exprs->count; id++)
        expr_write(self, id);
}

static void events_write(TreeWriter *self, const Body *body) {
    u32 last = 0;
    buffer_u64(self->out, body->events.count);
    for (u32 i = 0; i < body->events.count; i++) {
        const Event *event = &body->events.items[i];
        buffer_byte(self->out, (u8)(event->kind | event->flags << 3));
        buffer_i64(self->out, (i64)event->expr - last);
        last = event->expr;
        if (event->kind == EVENT_WRITE || event->kind == EVENT_LOST)
            buffer_u64(self->out, event->value);
        place_write(self, event->place);
    }
}

static void successors_write(TreeWriter *self, const Body *body, const Block *block) {
    bool counted = block->term == TERM_SWITCH || block->term == TERM_COMPUTED;
    if (counted)
        buffer_u64(self->out, block->successor_count);
    for (u32 i = 0; i < block->successor_count; i++) {
        const Successor *successor = &body->successors.items[block->successor + i];
        buffer_u64(self->out, successor->block);
        if (block->term != TERM_SWITCH)
            continue;
        buffer_byte(self->out, (u8)(successor->is_default | successor->known << 1));
        buffer_u64(self->out, successor->value);
        buffer_i64(self->out, successor->lo);
        buffer_i64(self->out, successor->hi);
    }
}

static void blocks_write(TreeWriter *self, const Body *body) {
    buffer_u64(self->out, body->blocks.count);
    for (u32 i = 0; i < body->blocks.count; i++) {
        const Block *block = &body->blocks.items[i];
        buffer_u64(self->out, block->event_count);
        buffer_byte(self->out, (u8)(block->term | block->relation << 3));
        buffer_u64(self->out, block->value);
        if (block->term == TERM_BRANCH) {
            buffer_u64(self->out, block->subject);
            buffer_i64(self->out, block->constant);
        }
        place_write(self, block->place);
        successors_write(self, body, block);
    }
}

void body_write(const Body *self, Buffer *out) {
    TreeWriter writer = {out, 0, &self->exprs, &self->lists, &self->inits, &self->steps};
    buffer_u64(out, self->vars.count);
    for (u32 i = 0; i < self->vars.count; i++) {
        const Var *var = &self->vars.items[i];
        buffer_u64(out, var->name);
        buffer_u64(out, var->type);
        buffer_u64(out, var->cleanup);
        buffer_u64(out, var->flags);
        place_write(&writer, var->place);
    }
    exprs_write(&writer);
    for (u32 i = 0; i < self->vars.count; i++)
        if (self->vars.items[i].flags & DECL_STATIC)
            entries_write(&writer, self->vars.items[i].init, self->vars.items[i].init_count);
    events_write(&writer, self);
    blocks_write(&writer, self);
}

static void types_write(TreeWriter *self, const Tree *tree) {
    buffer_u64(self->out, tree->types.count - 1);
    for (u32 id = 1; id < tree->types.count; id++) {
        const Type *type = &tree->types.items[id];
        buffer_byte(self->out, type->kind);
        buffer_byte(self->out, type->quals);
        buffer_u64(self->out, type->bits);
        buffer_u64(self->out, type->name);
        buffer_u64(self->out, type->inner ? id - type->inner : 0);
        buffer_u64(self->out, type->count);
        for (u32 i = 0; i < type_list_count(type); i++)
            buffer_u64(self->out, tree->lists.items[type->list + i]);
    }
}

static void record_write(TreeWriter *self, const Tree *tree, const Record *record) {
    buffer_byte(self->out, record->kind);
    buffer_u64(self->out, record->flags);
    buffer_u64(self->out, record->tag);
    buffer_u64(self->out, record->file);
    place_write(self, record->place);
    buffer_u64(self->out, record->member_count);
    for (u32 i = record->member; i < record->member + record->member_count; i++) {
        if (record->kind == TYPE_ENUM) {
            const Enumerator *one = &tree->enumerators.items[i];
            buffer_u64(self->out, one->name);
            buffer_byte(self->out, one->known);
            buffer_i64(self->out, one->value);
            place_write(self, one->place);
        } else {
            const Field *field = &tree->fields.items[i];
            buffer_u64(self->out, field->name);
            buffer_u64(self->out, field->type);
            buffer_u64(self->out, field->bits);
            place_write(self, field->place);
        }
    }
}

static void global_write(TreeWriter *self, const Global *global) {
    buffer_u64(self->out, global->name);
    buffer_u64(self->out, global->file);
    buffer_u64(self->out, global->mark);
    buffer_u64(self->out, global->alias);
    buffer_u64(self->out, global->type);
    buffer_u64(self->out, global->flags);
    place_write(self, global->place);
    entries_write(self, global->init, global->init_count);
}

static void function_write(TreeWriter *self, const Function *function) {
    buffer_u64(self->out, function->name);
    buffer_u64(self->out, function->file);
    buffer_u64(self->out, function->mark);
    buffer_u64(self->out, function->type);
    buffer_u64(self->out, function->flags);
    buffer_u64(self->out, function->param_count);
    place_write(self, function->place);
    buffer_i64(self->out, (i64)function->end_line - function->place.line);
    buffer_u64(self->out, function->lost_count);
    buffer_u64(self->out, function->lost_bytes);
    buffer_u64(self->out, function->body_offset);
    buffer_u64(self->out, function->body_size);
}

static void remark_write(TreeWriter *self, const Remark *remark) {
    buffer_u64(self->out, remark->text);
    buffer_u64(self->out, remark->file);
    buffer_u64(self->out, remark->function);
    buffer_u64(self->out, remark->line);
    buffer_u64(self->out, remark->next);
}

static void strings_write(const Tree *self, Buffer *out) {
    buffer_u64(out, self->strings.entries.count - 1);
    for (u32 id = 1; id < self->strings.entries.count; id++) {
        buffer_u64(out, self->strings.entries.items[id].length);
        buffer_put(out, self->strings.entries.items[id].text, self->strings.entries.items[id].length);
    }
}

void tree_write_head(const Tree *self, Buffer *out) {
    TreeWriter writer = {out, 0, &self->exprs, &self->lists, &self->inits, &self->steps};
    buffer_put(out, "RXT", 3);
    buffer_byte(out, TREE_VERSION);
    strings_write(self, out);
    types_write(&writer, self);
    exprs_write(&writer);
    buffer_u64(out, self->records.count);
    for (u32 i = 0; i < self->records.count; i++)
        record_write(&writer, self, &self->records.items[i]);
    buffer_u64(out, self->typedefs.count);
    for (u32 i = 0; i < self->typedefs.count; i++) {
        buffer_u64(out, self->typedefs.items[i].name);
        buffer_u64(out, self->typedefs.items[i].file);
        buffer_u64(out, self->typedefs.items[i].type);
        place_write(&writer, self->typedefs.items[i].place);
    }
    buffer_u64(out, self->globals.count);
    for (u32 i = 0; i < self->globals.count; i++)
        global_write(&writer, &self->globals.items[i]);
    buffer_u64(out, self->calls.count);
    for (u32 i = 0; i < self->calls.count; i++) {
        buffer_u64(out, self->calls.items[i].name);
        buffer_u64(out, self->calls.items[i].file);
        buffer_u64(out, self->calls.items[i].call);
        place_write(&writer, self->calls.items[i].place);
    }
    buffer_u64(out, self->functions.count);
    for (u32 i = 0; i < self->functions.count; i++)
        function_write(&writer, &self->functions.items[i]);
    buffer_u64(out, self->remarks.count);
    for (u32 i = 0; i < self->remarks.count; i++)
        remark_write(&writer, &self->remarks.items[i]);
    buffer_u64(out, self->lost_items);
    buffer_u64(out, self->lost_bytes);
}

// reading ---------------------------------------------------------------------

typedef struct {
    Reader in;
    u32 line;                     // of the last place read
    u32 string_limit, type_limit; // one more than the largest met
    u32 vars;                     // how many there are, for EXPR_VAR
    ExprArray *exprs;
    U32Array *lists;
    InitArray *inits;
    StepArray *steps;
} TreeReader;

static u32 fail(TreeReader *self) {
    self->in.bad = true;
    self->in.at = self->in.end;
    return 0;
}

static u32 number_read(TreeReader *self, u64 limit) { // below `limit`, or the blob is refused
    u64 value = reader_u64(&self->in);
    return value < limit ? (u32)value : fail(self);
}

// A count of things that take at least one byte each: no blob can ask for more memory than its size allows.
static u32 count_read(TreeReader *self) { return number_read(self, (u64)(self->in.end - self->in.at) + 1); }

static u8 byte_read(TreeReader *self, u32 limit) {
    const u8 *byte = reader_bytes(&self->in, 1);
    return byte && *byte < limit ? *byte : (u8)fail(self);
}

static StrId string_read(TreeReader *self) {
    u32 id = number_read(self, UINT32_MAX);
    if (id >= self->string_limit)
        self->string_limit = id + 1;
    return id;
}

static TypeId type_read(TreeReader *self) {
    u32 id = number_read(self, UINT32_MAX);
    if (id >= self->type_limit)
        self->type_limit = id + 1;
    return id;
}

static Place place_read(TreeReader *self) {
    Place place;
    place.line = (u32)((u64)self->line + (u64)reader_i64(&self->in));
    place.column = number_read(self, (u64)UINT32_MAX + 1);
    self->line = place.line;
    return place;
}

// Init entries whose values are below `limit`; returns how many.
static u32 entries_read(TreeReader *self, u32 limit) {
    u32 count = count_read(self);
    for (u32 i = 0; i < count && !self->in.bad; i++) {
        InitEntry entry = {.step = self->steps->count};
        entry.step_count = count_read(self);
        for (u32 s = 0; s < entry.step_count && !self->in.bad; s++) {
            Step step = {.kind = number_read(self, STEP_AFTER + 1)};
            step.value = step.kind == STEP_FIELD     ? string_read(self)
                         : step.kind == STEP_UNKNOWN ? number_read(self, limit)
                                                     : number_read(self, (u64)UINT32_MAX + 1);
            array_push(self->steps, step);
        }
        entry.value = number_read(self, limit);
        entry.place = place_read(self);
        array_push(self->inits, entry);
    }
    return count;
}

static u32 child_read(TreeReader *self, u32 id) {
    u32 back = number_read(self, id);
    return back ? id - back : 0;
}

static void field_read(TreeReader *self, Expr *expr, u32 *field, char shape, u32 id) {
    switch (shape) {
    case 'i': {
        i64 value = reader_i64(&self->in);
        expr->a = (u32)(u64)value;
        expr->b = (u32)((u64)value >> 32);
        break;
    }
    case 'r': *field = child_read(self, id); break;
    case 's': *field = string_read(self); break;
    case 't': *field = type_read(self); break;
    case 'v': *field = number_read(self, self->vars); break;
    case 'n': *field = number_read(self, 2); break;
    case 'A':
        expr->b = self->lists->count;
        expr->c = count_read(self);
        for (u32 i = 0; i < expr->c && !self->in.bad; i++)
            array_push(self->lists, child_read(self, id));
        break;
    default: expr->b = self->inits->count; expr->c = entries_read(self, id);
    }
}

static void exprs_read(TreeReader *self) {
    u32 count = count_read(self) + 1;
    array_reserve(self->exprs, count);
    for (u32 id = 1; id < count && !self->in.bad; id++) {
        Expr expr = {.kind = byte_read(self, EXPR_UNKNOWN + 1)};
        u32 *field = &expr.a;
        for (const char *shape = expr_shapes[expr.kind]; *shape; shape++) {
            if (*shape == 'o')
                expr.op = byte_read(self, OP_PLUS + 1);
            else
                field_read(self, &expr, field++, *shape, id);
        }
        array_push(self->exprs, expr);
    }
}

static void events_read(TreeReader *self, Body *body) {
    u32 count = count_read(self);
    i64 last = 0;
    array_reserve(&body->events, count);
    for (u32 i = 0; i < count && !self->in.bad; i++) {
        u8 byte = byte_read(self, 256);
        Event event = {.kind = byte & 7, .flags = byte >> 3};
        if (event.kind > EVENT_LOST)
            fail(self);
        last += reader_i64(&self->in) % ((i64)UINT32_MAX + 1);
        if (last < 0 || last >= (i64)self->exprs->count)
            last = fail(self);
        event.expr = (u32)last;
        if (event.kind == EVENT_WRITE)
            event.value = number_read(self, self->exprs->count);
        else if (event.kind == EVENT_LOST)
            event.value = number_read(self, (u64)UINT32_MAX + 1);
        event.place = place_read(self);
        array_push(&body->events, event);
    }
}

static void successors_read(TreeReader *self, Body *body, Block *block, u32 blocks) {
    block->successor = body->successors.count;
    block->successor_count = block->term == TERM_SWITCH || block->term == TERM_COMPUTED ? count_read(self)
                             : block->term == TERM_JUMP                                 ? 1
                             : block->term == TERM_BRANCH                               ? 2
                                                                                        : 0;
    for (u32 i = 0; i < block->successor_count && !self->in.bad; i++) {
        Successor successor = {.block = number_read(self, blocks)};
        if (block->term == TERM_SWITCH) {
            u8 byte = byte_read(self, 4);
            successor.is_default = byte & 1;
            successor.known = byte >> 1;
            successor.value = number_read(self, self->exprs->count);
            successor.lo = reader_i64(&self->in);
            successor.hi = reader_i64(&self->in);
        }
        array_push(&body->successors, successor);
    }
}

static void blocks_read(TreeReader *self, Body *body) {
    u32 count = count_read(self), event = 0;
    array_reserve(&body->blocks, count);
    for (u32 i = 0; i < count && !self->in.bad; i++) {
        Block block = {.event = event};
        block.event_count = number_read(self, (u64)(body->events.count - event) + 1);
        event += block.event_count;
        u8 byte = byte_read(self, 256);
        block.term = byte & 7;
        block.relation = byte >> 3;
        if (block.term > TERM_UNREACHABLE || block.relation > REL_GE)
            fail(self);
        block.value = number_read(self, self->exprs->count);
        if (block.term == TERM_BRANCH) {
            block.subject = number_read(self, self->exprs->count);
            block.constant = reader_i64(&self->in);
        }
        block.place = place_read(self);
        successors_read(self, body, &block, count);
        array_push(&body->blocks, block);
    }
    if (!count || event != body->events.count)
        fail(self);
}

bool body_read(Body *self, const u8 *bytes, size_t size) {
    body_reset(self);
    TreeReader reader = {.in = {bytes, bytes + size, false},
                         .exprs = &self->exprs,
                         .lists = &self->lists,
                         .inits = &self->inits,
                         .steps = &self->steps};
    u32 count = count_read(&reader);
    for (u32 i = 0; i < count && !reader.in.bad; i++) {
        Var var = {.name = string_read(&reader)};
        var.type = type_read(&reader);
        var.cleanup = string_read(&reader);
        var.flags = number_read(&reader, (u64)UINT32_MAX + 1);
        var.place = place_read(&reader);
        array_push(&self->vars, var);
    }
    reader.vars = self->vars.count;
    exprs_read(&reader);
    for (u32 i = 0; i < self->vars.count && !reader.in.bad; i++)
        if (self->vars.items[i].flags & DECL_STATIC) {
            self->vars.items[i].init = self->inits.count;
            self->vars.items[i].init_count = entries_read(&reader, self->exprs.count);
        }
    events_read(&reader, self);
    blocks_read(&reader, self);
    self->string_limit = reader.string_limit;
    self->type_limit = reader.type_limit;
    return !reader.in.bad && reader.in.at == reader.in.end;
}

static void strings_read(TreeReader *self, Tree *tree) {
    u32 count = count_read(self) + 1;
    for (u32 id = 1; id < count && !self->in.bad; id++) {
        u32 length = count_read(self);
        const u8 *bytes = reader_bytes(&self->in, length);
        if (bytes && intern_add(&tree->strings, (const char *)bytes, length) != id)
            fail(self);
    }
}

static void types_read(TreeReader *self, Tree *tree) {
    u32 count = count_read(self) + 1;
    u32 *list = NULL, capacity = 0;
    for (u32 id = 1; id < count && !self->in.bad; id++) {
        Type type = {.kind = byte_read(self, TYPE_TYPEOF + 1)};
        type.quals = byte_read(self, 64);
        type.bits = (u16)number_read(self, 65536);
        type.name = string_read(self);
        type.inner = child_read(self, id);
        type.count = number_read(self, (u64)UINT32_MAX + 1);
        u32 parts = type_list_count(&type);
        if (parts > (size_t)(self->in.end - self->in.at))
            parts = fail(self);
        if (parts > capacity)
            array_grow((void **)&list, &capacity, parts, sizeof(u32));
        for (u32 i = 0; i < parts; i++)
            list[i] = number_read(self, type.kind == TYPE_FUNCTION ? id : (u64)UINT32_MAX + 1);
        if (!self->in.bad && tree_type(tree, type, list) != id)
            fail(self);
    }
    free(list);
}

static void record_read(TreeReader *self, Tree *tree) {
    Record record = {.kind = byte_read(self, TYPE_ENUM + 1)};
    record.flags = number_read(self, (u64)UINT32_MAX + 1);
    record.tag = string_read(self);
    record.file = string_read(self);
    record.place = place_read(self);
    record.member = record.kind == TYPE_ENUM ? tree->enumerators.count : tree->fields.count;
    record.member_count = count_read(self);
    for (u32 i = 0; i < record.member_count && !self->in.bad; i++) {
        if (record.kind == TYPE_ENUM) {
            Enumerator one = {.name = string_read(self)};
            one.known = byte_read(self, 2);
            one.value = reader_i64(&self->in);
            one.place = place_read(self);
            array_push(&tree->enumerators, one);
        } else {
            Field field = {.name = string_read(self)};
            field.type = type_read(self);
            field.bits = number_read(self, (u64)UINT32_MAX + 1);
            field.place = place_read(self);
            array_push(&tree->fields, field);
        }
    }
    if (record.kind < TYPE_STRUCT)
        fail(self);
    array_push(&tree->records, record);
}

static void global_read(TreeReader *self, Tree *tree) {
    Global global = {.name = string_read(self)};
    global.file = string_read(self);
    global.mark = string_read(self);
    global.alias = string_read(self);
    global.type = type_read(self);
    global.flags = number_read(self, (u64)UINT32_MAX + 1);
    global.place = place_read(self);
    global.init = tree->inits.count;
    global.init_count = entries_read(self, tree->exprs.count);
    array_push(&tree->globals, global);
}

static void typedef_read(TreeReader *self, Tree *tree) {
    Typedef one = {.name = string_read(self)};
    one.file = string_read(self);
    one.type = type_read(self);
    one.place = place_read(self);
    array_push(&tree->typedefs, one);
}

static void call_read(TreeReader *self, Tree *tree) {
    FileCall call = {.name = string_read(self)};
    call.file = string_read(self);
    call.call = number_read(self, tree->exprs.count);
    call.place = place_read(self);
    array_push(&tree->calls, call);
}

static void function_read(TreeReader *self, Tree *tree) {
    Function function = {.name = string_read(self)};
    function.file = string_read(self);
    function.mark = string_read(self);
    function.type = type_read(self);
    function.flags = number_read(self, (u64)UINT32_MAX + 1);
    function.param_count = number_read(self, (u64)UINT32_MAX + 1);
    function.place = place_read(self);
    function.end_line = (u32)((u64)function.place.line + (u64)reader_i64(&self->in));
    function.lost_count = number_read(self, (u64)UINT32_MAX + 1);
    function.lost_bytes = number_read(self, (u64)UINT32_MAX + 1);
    function.body_offset = reader_u64(&self->in);
    function.body_size = reader_u64(&self->in);
    array_push(&tree->functions, function);
}

static void remark_read(TreeReader *self, Tree *tree) {
    Remark remark = {.text = string_read(self)};
    remark.file = string_read(self);
    remark.function = string_read(self);
    remark.line = number_read(self, (u64)UINT32_MAX + 1);
    remark.next = number_read(self, (u64)UINT32_MAX + 1);
    array_push(&tree->remarks, remark);
}

bool tree_read_head(Tree *self, const u8 *bytes, size_t size) {
    static void (*const sections[])(TreeReader *, Tree *) = {record_read, typedef_read,  global_read,
                                                             call_read,   function_read, remark_read};
    tree_reset(self);
    TreeReader reader = {.in = {bytes, bytes + size, false},
                         .exprs = &self->exprs,
                         .lists = &self->lists,
                         .inits = &self->inits,
                         .steps = &self->steps};
    const u8 *magic = reader_bytes(&reader.in, 4);
    if (!magic || memcmp(magic, "RXT", 3) || magic[3] != TREE_VERSION)
        return false;
    strings_read(&reader, self);
    types_read(&reader, self);
    exprs_read(&reader);
    for (u32 section = 0; section < sizeof sections / sizeof *sections; section++) {
        u32 count = count_read(&reader);
        for (u32 i = 0; i < count && !reader.in.bad; i++)
            sections[section](&reader, self);
    }
    self->lost_items = number_read(&reader, (u64)UINT32_MAX + 1);
    self->lost_bytes = number_read(&reader, (u64)UINT32_MAX + 1);
    return !reader.in.bad && reader.in.at == reader.in.end && reader.string_limit <= self->strings.entries.count &&
           reader.type_limit <= self->types.count;
}

bool tree_body(const Tree *self, u32 function, Body *out) {
    const Function *one = &self->functions.items[function];
    if (one->body_offset > self->bodies.size || one->body_size > self->bodies.size - one->body_offset)
        return false;
    return body_read(out, self->bodies.bytes + one->body_offset, one->body_size) && body_fits(out, self) &&
           one->param_count <= out->vars.count;
}
