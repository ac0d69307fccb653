// lower_init.c: initialiser lists: which leaf is stored where.
// In: initialiser nodes. Out: InitEntries of the leaves that are not plain numbers or strings, each with
// the steps from the object to it; EXPR_LIST where a list is a value.
// Invariant: the entries of one list lie together: they wait on a stack until the list is complete,
// because a leaf may hold a compound literal with a list of its own.
#include "extract/lower.h"

#define MAX_STEPS 64 // from an object to a leaf: every leaf carries its own

typedef struct {
    u32 position; // of the next element
    bool indexed; // counted on from an [n]
    StrId field;  // counted on from a .field, or 0
    u32 after;    // how many elements since
} InitCursor;

static bool is_plain(const Lowering *self, u32 node) { // costs nothing: tables are made of these
    switch (node_kind(self, node)) {
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_STRINGS:
    case NODE_CHAR:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NULL: return true;
    case NODE_UNARY: return is_plain(self, ast_at(self, node)->first);
    default: return false;
    }
}

static void push_step(Lowering *self, StepKind kind, u32 value) {
    array_push(&self->path, ((Step){.kind = kind, .value = value}));
}

static void push_entry(Lowering *self, ExprId value, Place place) {
    InitEntry entry = {
        .step = self->steps->count, .step_count = self->path.count - self->path_base, .value = value, .place = place};
    for (u32 i = self->path_base; i < self->path.count; i++)
        array_push(self->steps, self->path.items[i]);
    promised(self->path_base <= self->path.count && value < self->exprs->count);
    array_push(&self->entry_stack, entry);
    if (self->in_function && self->exprs->items[value].kind == EXPR_ADDRESS) {
        u32 mute = self->mute; // of a static object: no event, but the address is taken all the same
        self->mute = 0;
        expr_mark_addressed(self, self->exprs->items[value].a);
        self->mute = mute;
    }
}

static void lower_leaf(Lowering *self, u32 node) {
    if (is_plain(self, node))
        return;
    if (node_holds_bad(self, node) || self->path.count - self->path_base > MAX_STEPS) {
        lower_lost(self, node);
        return;
    }
    TableMark mark = table_mark(self);
    ExprId value = lower_value(self, node);
    u8 kind = self->exprs->items[value].kind;
    if (kind != EXPR_INT && kind != EXPR_FLOAT && kind != EXPR_STRING && kind != EXPR_SIZEOF)
        push_entry(self, value, node_place(self, node));
    else if (self->mute)
        table_rewind(self, mark);
}

static u32 constant_step(Lowering *self, u32 node, bool *known) {
    ExprId id = lower_muted(self, node); // once: it may hold lists with designators of their own
    const Expr *expr = &self->exprs->items[id];
    i64 value = expr_int(expr);
    *known = expr->kind == EXPR_INT && value >= 0 && value < UINT32_MAX;
    return *known ? (u32)value : id;
}

static void push_designator(Lowering *self, u32 node, bool first, InitCursor *cursor) {
    bool known, end_known = true;
    InitCursor next = {.indexed = true};
    switch (node_kind(self, node)) {
    case NODE_AT_INDEX: {
        u32 index = constant_step(self, node_child(self, node, 0), &known);
        push_step(self, known ? STEP_INDEX : STEP_UNKNOWN, index);
        next.position = known ? index + 1 : 0;
        break;
    }
    case NODE_AT_RANGE: {
        u32 low = constant_step(self, node_child(self, node, 0), &known);
        u32 high = constant_step(self, node_child(self, node, 1), &end_known);
        push_step(self, known && end_known ? STEP_RANGE : STEP_UNKNOWN, known && !end_known ? 0 : low);
        if (known && end_known)
            push_step(self, STEP_RANGE_END, high);
        next.position = high + 1;
        break;
    }
    default: {
        u32 name = node_kind(self, node) == NODE_AT_FIELD ? node_child(self, node, 0) : node;
        next = (InitCursor){.field = node_string(self, name), .after = 1};
        push_step(self, STEP_FIELD, next.field);
    }
    }
    if (first)
        *cursor = next;
}

static void lower_element(Lowering *self, u32 node);

static void lower_pair(Lowering *self, u32 node, InitCursor *cursor) {
    if (node_holds_bad(self, node)) {
        lower_lost(self, node);
        return;
    }
    bool first = true;
    for (u32 part = ast_at(self, node)->first; part; part = ast_at(self, part)->next) {
        if (!ast_at(self, part)->next) {
            lower_element(self, part);
        } else {
            push_designator(self, part, first, cursor);
            first = false;
        }
    }
}

static void lower_position(Lowering *self, u32 node, InitCursor *cursor) {
    if (is_plain(self, node)) {
        cursor->position++, cursor->after++;
        return;
    }
    if (cursor->field) {
        push_step(self, STEP_FIELD, cursor->field);
        push_step(self, STEP_AFTER, cursor->after++);
    } else {
        push_step(self, cursor->indexed ? STEP_INDEX : STEP_POSITION, cursor->position++);
    }
    lower_element(self, node);
}

static void lower_elements(Lowering *self, u32 node) {
    InitCursor cursor = {0};
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u32 base = self->path.count;
        if (node_kind(self, child) == NODE_ERROR)
            lower_lost(self, child);
        else if (node_kind(self, child) == NODE_PAIR)
            lower_pair(self, child, &cursor);
        else
            lower_position(self, child, &cursor);
        self->path.count = base;
    }
}

static void lower_element(Lowering *self, u32 node) {
    if (node_kind(self, node) == NODE_LIST)
        lower_elements(self, node);
    else
        lower_leaf(self, node);
}

static u32 flush_entries(Lowering *self, u32 base) {
    u32 first = self->inits->count;
    promised(base <= self->entry_stack.count);
    for (u32 i = base; i < self->entry_stack.count; i++)
        array_push(self->inits, self->entry_stack.items[i]);
    self->entry_stack.count = base;
    return first;
}

ExprId lower_list(Lowering *self, u32 node, TypeId type) {
    u32 base = self->entry_stack.count, outer = self->path_base;
    self->path_base = self->path.count; // its steps start from the list, whatever it is part of
    lower_elements(self, node);
    self->path_base = outer;
    u32 count = self->entry_stack.count - base;
    return expr_add(self, (Expr){.kind = EXPR_LIST, .a = type, .b = flush_entries(self, base), .c = count});
}

void lower_initialiser(Lowering *self, u32 node, u32 *first, u32 *count) {
    u32 base = self->entry_stack.count;
    self->mute++;
    lower_element(self, node);
    self->mute--;
    *count = self->entry_stack.count - base;
    *first = flush_entries(self, base);
}
