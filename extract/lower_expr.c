// lower_expr.c: expressions to Expr nodes, and the events of evaluating them, in order.
// In: expression nodes without errors. Out: an ExprId, and events in the current block.
// The idea: an lvalue is lowered to a path whose pointers have been read; only then its use decides
// whether the path itself is read, written, or only its address taken.
// Invariant: children have smaller ids than parents; expressions without side effects are shared.
#include "extract/lower.h"

// the table -------------------------------------------------------------------

static bool kind_is_shared(u8 kind) {
    switch (kind) {
    case EXPR_CALL:
    case EXPR_ASSIGN:
    case EXPR_STEP:
    case EXPR_BLOCK:
    case EXPR_LIST:
    case EXPR_ASM:
    case EXPR_UNKNOWN: return false;
    default: return true;
    }
}

static u32 expr_hash(const Expr *expr) {
    return (u32)hash_mix((u64)expr->kind | (u64)expr->op << 8 | (u64)expr->a << 32, (u64)expr->b | (u64)expr->c << 32);
}

static void shared_grow(Lowering *self) {
    SharedSlot *old = self->shared;
    u32 old_size = self->shared_size;
    self->shared_size = old_size ? old_size * 2 : 1024;
    self->shared = must_zero(sizeof(SharedSlot) * self->shared_size);
    u32 mask = self->shared_size - 1;
    for (u32 i = 0; i < old_size; i++) {
        if (old[i].stamp != self->stamp)
            continue;
        u32 at = old[i].hash & mask;
        while (self->shared[at].stamp)
            at = (at + 1) & mask;
        self->shared[at] = old[i];
    }
    free(old);
}

static ExprId expr_share(Lowering *self, const Expr *expr) {
    if ((self->shared_count + 1) * 2 > self->shared_size)
        shared_grow(self);
    u32 mask = self->shared_size - 1, hash = expr_hash(expr), at = hash & mask;
    for (; self->shared[at].stamp == self->stamp; at = (at + 1) & mask) {
        if (self->shared[at].hash != hash)
            continue;
        ExprId id = self->shared[at].id;
        if (id < self->exprs->count && !memcmp(&self->exprs->items[id], expr, sizeof *expr))
            return id;
        self->shared_count--; // it was rewound: the slot is taken over
        break;
    }
    self->shared[at] = (SharedSlot){self->exprs->count, self->stamp, hash};
    self->shared_count++;
    array_push(self->exprs, *expr);
    return self->exprs->count - 1;
}

ExprId expr_int_add(Lowering *self, i64 value) {
    return expr_add(self, (Expr){.kind = EXPR_INT, .a = (u32)(u64)value, .b = (u32)((u64)value >> 32)});
}

static bool fold(const Lowering *self, const Expr *expr, i64 *out) {
    const Expr *a = &self->exprs->items[expr->a], *b = &self->exprs->items[expr->b];
    if (a->kind != EXPR_INT || (expr->kind == EXPR_BINARY && b->kind != EXPR_INT))
        return false;
    i64 value = expr_int(a);
    if (expr->kind == EXPR_BINARY)
        return expr_fold(expr->op, value, expr_int(b), out);
    *out = expr->op == OP_NEG     ? (i64)(0 - (u64)value)
           : expr->op == OP_COMPL ? ~value
           : expr->op == OP_NOT   ? !value
                                  : value;
    return true;
}

ExprId expr_add(Lowering *self, Expr expr) {
    i64 value;
    if ((expr.kind == EXPR_BINARY || expr.kind == EXPR_UNARY) && fold(self, &expr, &value))
        return expr_int_add(self, value);
    if (kind_is_shared(expr.kind))
        return expr_share(self, &expr);
    array_push(self->exprs, expr);
    return self->exprs->count - 1;
}

ExprId expr_list(Lowering *self, Expr expr, u32 base) {
    expr.b = self->lists->count;
    promised(base <= self->stack.count);
    expr.c = self->stack.count - base;
    for (u32 i = base; i < self->stack.count; i++)
        array_push(self->lists, self->stack.items[i]);
    self->stack.count = base;
    return expr_add(self, expr);
}

bool expr_is_lvalue(const Lowering *self, ExprId expr) {
    u8 kind = self->exprs->items[expr].kind;
    return kind == EXPR_VAR || kind == EXPR_NAME || kind == EXPR_MEMBER || kind == EXPR_DEREF || kind == EXPR_INDEX;
}

TypeId lowered_type(Lowering *self, ExprId id) {
    u32 derefs = 0;
    Expr expr = self->exprs->items[id];
    for (; expr.kind == EXPR_DEREF || expr.kind == EXPR_INDEX; derefs++)
        expr = self->exprs->items[expr.a];
    TypeId type = 0;
    if (expr.kind == EXPR_VAR && self->in_function)
        type = self->body.vars.items[expr.a].type;
    else if (expr.kind == EXPR_CAST)
        type = expr.b;
    else if (expr.kind == EXPR_CONTAINER)
        type = type_pointer(self, expr.b, 0);
    else if (expr.kind == EXPR_LIST)
        type = expr.a;
    else if (expr.kind == EXPR_ADDRESS)
        type = (type = lowered_type(self, expr.a)) ? type_pointer(self, type, 0) : 0;
    for (; derefs && type; derefs--) {
        const Type *known = &self->tree->types.items[type];
        type = known->kind == TYPE_POINTER || known->kind == TYPE_ARRAY ? known->inner : 0;
    }
    return type;
}

static u8 expr_type_kind(Lowering *self, ExprId expr) {
    TypeId type = lowered_type(self, expr);
    return self->tree->types.items[type].kind;
}

ExprId expr_name(Lowering *self, u32 node) {
    StrId name = node_string(self, node);
    u32 bound = scope_lookup(self, name);
    if (bound >= BOUND_VAR)
        return expr_add(self, (Expr){.kind = EXPR_VAR, .a = bound - BOUND_VAR});
    const u32 *constant = self->constants ? map_get(&self->tree->constant_names, name) : NULL;
    if (constant && self->tree->enumerators.items[*constant - 1].known)
        return expr_int_add(self, self->tree->enumerators.items[*constant - 1].value);
    return expr_add(self, (Expr){.kind = EXPR_NAME, .a = name});
}

ExprId expr_deref(Lowering *self, ExprId pointer) {
    const Expr *expr = &self->exprs->items[pointer];
    if (expr->kind == EXPR_ADDRESS)
        return expr->a;
    return expr_add(self, (Expr){.kind = EXPR_DEREF, .a = pointer});
}

// events ----------------------------------------------------------------------

void event_add(Lowering *self, EventKind kind, u8 flags, ExprId expr, u32 value, Place place) {
    if (self->mute || self->current == BLOCK_NONE)
        return;
    Event event = {.kind = (u8)kind, .flags = flags, .expr = expr, .value = value, .place = place};
    array_push(&self->events, event);
}

void expr_mark_addressed(Lowering *self, ExprId lvalue) {
    const Expr *expr = &self->exprs->items[lvalue];
    while (expr->kind == EXPR_MEMBER || (expr->kind == EXPR_INDEX && expr_type_kind(self, expr->a) != TYPE_POINTER))
        expr = &self->exprs->items[expr->a];
    if (expr->kind == EXPR_VAR && !self->mute)
        self->body.vars.items[expr->a].flags |= DECL_ADDRESSED;
}

static void take_address(Lowering *self, ExprId lvalue, Place place) {
    expr_mark_addressed(self, lvalue);
    event_add(self, EVENT_READ, EVENT_ADDRESS, lvalue, 0, place);
}

// The value of an lvalue: an array is only an address.
static ExprId load(Lowering *self, ExprId lvalue, u32 node) {
    if (self->mute || !expr_is_lvalue(self, lvalue))
        return lvalue;
    if (expr_type_kind(self, lvalue) == TYPE_ARRAY)
        take_address(self, lvalue, node_place(self, node));
    else
        event_add(self, EVENT_READ, 0, lvalue, 0, node_place(self, node));
    return lvalue;
}

void lower_store(Lowering *self, ExprId target, ExprId value, u8 flags, Place place) {
    event_add(self, EVENT_WRITE, flags, target, value, place);
}

// lvalues ---------------------------------------------------------------------

// What a pointer expression points to; `*&x` is x, `*array` is array[0].
static ExprId lower_target(Lowering *self, u32 node) {
    u32 inner = node_strip(self, node);
    const AstNode *ast = ast_at(self, inner);
    if (ast->kind == NODE_POINTER && ast->op == OP_AND)
        return lower_lvalue(self, ast->first);
    if (ast->kind == NODE_NAME) {
        ExprId name = expr_name(self, inner);
        if (expr_type_kind(self, name) == TYPE_ARRAY)
            return expr_add(self, (Expr){.kind = EXPR_INDEX, .a = name, .b = expr_int_add(self, 0)});
    }
    return expr_deref(self, lower_value(self, inner));
}

// Whether an array or a pointer is indexed is known for locals only: a member or global is left to linking.
static ExprId lower_index(Lowering *self, u32 node) {
    u32 base_node = node_strip(self, node_child(self, node, 0));
    ExprId base = lower_lvalue(self, base_node);
    u8 type = expr_type_kind(self, base), kind = self->exprs->items[base].kind;
    bool unsure = type != TYPE_ARRAY && type != TYPE_POINTER;
    if (type == TYPE_POINTER || (unsure && (kind == EXPR_VAR || kind == EXPR_DEREF)))
        if (expr_is_lvalue(self, base))
            event_add(self, EVENT_READ, 0, base, 0, node_place(self, base_node));
    ExprId index = lower_value(self, node_child(self, node, 1));
    return expr_add(self, (Expr){.kind = EXPR_INDEX, .a = base, .b = index});
}

ExprId lower_lvalue(Lowering *self, u32 node) {
    node = node_strip(self, node);
    const AstNode *ast = ast_at(self, node);
    switch (ast->kind) {
    case NODE_NAME: return expr_name(self, node);
    case NODE_MEMBER: {
        u32 object = ast->first, field = node_child(self, node, 1);
        ExprId base = ast->op == OP_ARROW ? lower_target(self, object) : lower_lvalue(self, object);
        return expr_add(self, (Expr){.kind = EXPR_MEMBER, .a = base, .b = node_string(self, field)});
    }
    case NODE_POINTER:
        if (ast->op == OP_MUL)
            return lower_target(self, ast->first);
        return lower_value(self, node);
    case NODE_SUBSCRIPT: return lower_index(self, node);
    case NODE_EXTENSION: return lower_lvalue(self, ast->first);
    default: return lower_value(self, node);
    }
}

// values ----------------------------------------------------------------------

static ExprId address_of(Lowering *self, u32 node) {
    u32 inner = node_strip(self, node);
    ExprId lvalue = lower_lvalue(self, inner);
    if (self->exprs->items[lvalue].kind == EXPR_DEREF)
        return self->exprs->items[lvalue].a;
    if (expr_is_lvalue(self, lvalue))
        take_address(self, lvalue, node_place(self, inner));
    return expr_add(self, (Expr){.kind = EXPR_ADDRESS, .a = lvalue});
}

static ExprId lower_assign(Lowering *self, u32 node) {
    u8 op = ast_at(self, node)->op == OP_ASSIGN_PLAIN ? OP_NONE : ast_at(self, node)->op;
    u32 left = node_child(self, node, 0);
    ExprId target = lower_lvalue(self, left);
    Place place = node_place(self, left);
    bool chosen = op == OP_NONE && !self->mute && self->exprs->items[target].kind == EXPR_VAR &&
                  choice_asks(self, node_child(self, node, 1));
    ExprId value = chosen ? lower_choice_to(self, node_child(self, node, 1), target, place)
                          : lower_value(self, node_child(self, node, 1));
    if (op == OP_NONE && !chosen) {
        lower_store(self, target, value, 0, place);
    } else if (op != OP_NONE) {
        event_add(self, EVENT_READ, 0, target, 0, place);
        ExprId result = expr_add(self, (Expr){.kind = EXPR_BINARY, .op = op, .a = target, .b = value});
        lower_store(self, target, result, EVENT_RMW, place);
    }
    return expr_add(self, (Expr){.kind = EXPR_ASSIGN, .op = op, .a = target, .b = value});
}

static ExprId lower_update(Lowering *self, u32 node) {
    const AstNode *ast = ast_at(self, node);
    u8 op = ast->op;
    bool prefix = ast->flags & AST_PREFIX;
    Place place = node_place(self, ast->first);
    ExprId target = lower_lvalue(self, ast->first);
    ExprId one = expr_int_add(self, 1);
    event_add(self, EVENT_READ, 0, target, 0, place);
    ExprId result = expr_add(self, (Expr){.kind = EXPR_BINARY, .op = op, .a = target, .b = one});
    lower_store(self, target, result, EVENT_RMW, place);
    return expr_add(self, (Expr){.kind = EXPR_STEP, .op = op, .a = target, .b = prefix});
}

static ExprId make_cast(Lowering *self, TypeId type, ExprId value) {
    const Type *known = &self->tree->types.items[type];
    bool object = known->kind == TYPE_POINTER && self->tree->types.items[known->inner].kind != TYPE_VOID;
    bool literal = self->exprs->items[value].kind == EXPR_INT;
    if (literal && known->kind == TYPE_BOOL)
        return expr_int_add(self, expr_int(&self->exprs->items[value]) != 0);
    if (literal && !object && known->kind != TYPE_FLOAT)
        return value;
    return expr_add(self, (Expr){.kind = EXPR_CAST, .a = value, .b = type});
}

// `(x) - 1` reads as a cast when x is taken for a type: the operator such a value starts with.
static u8 misread_operator(const Lowering *self, u32 value) {
    const AstNode *ast = ast_at(self, value);
    char first = node_first(self, value);
    if (ast->kind == NODE_POINTER || (ast->kind == NODE_UNARY && (ast->op == OP_SUB || ast->op == OP_ADD)))
        return ast->op;
    if (ast->kind == NODE_NUMBER && (first == '-' || first == '+'))
        return OP_ADD;
    return OP_NONE;
}

static ExprId lower_cast(Lowering *self, u32 node) {
    u32 type = node_child(self, node, 0), value = node_child(self, node, 1);
    u32 name = ast_at(self, type)->first;
    bool plain = name && node_kind(self, name) == NODE_T_NAME && !ast_at(self, name)->next;
    if (plain && scope_lookup(self, node_string(self, name)) >= BOUND_VAR) {
        u8 op = misread_operator(self, value);
        ExprId left = load(self, expr_name(self, name), name);
        bool number = node_kind(self, value) == NODE_NUMBER;
        if (op != OP_NONE) {
            ExprId right = lower_value(self, number ? value : ast_at(self, value)->first);
            return expr_add(self, (Expr){.kind = EXPR_BINARY, .op = op, .a = left, .b = right});
        }
        ExprId argument = lower_value(self, value);
        ExprId call = call_make(self, left, &argument, 1);
        event_add(self, EVENT_CALL, 0, call, 0, node_place(self, node));
        return call;
    }
    TypeId to = lower_type_descriptor(self, type);
    return make_cast(self, to, lower_value(self, value));
}

// A chain of left-associative operators is walked down to its first operand, not recursed into.
static ExprId lower_binary(Lowering *self, u32 node) {
    u32 base = self->stack.count;
    while (node_kind(self, node) == NODE_BINARY && ast_at(self, node)->op != OP_LOGAND &&
           ast_at(self, node)->op != OP_LOGOR) {
        array_push(&self->stack, node);
        node = ast_at(self, node)->first;
    }
    u32 inner = node_kind(self, node) == NODE_PAREN ? ast_at(self, node)->first : 0;
    ExprId left;
    bool is_type = inner && node_kind(self, inner) == NODE_NAME && is_type_name(self, inner);
    if (is_type) { // `(name_t) * x` is a cast
        u32 first = self->stack.items[--self->stack.count];
        u8 op = ast_at(self, first)->op;
        u32 operand = node_child(self, first, 1);
        TypeId type = tree_type(self->tree, (Type){.kind = TYPE_NAMED, .name = node_string(self, inner)}, NULL);
        ExprId value = op == OP_MUL || op == OP_AND ? 0 : lower_value(self, operand);
        if (op == OP_MUL)
            value = load(self, lower_target(self, operand), first);
        else if (op == OP_AND)
            value = address_of(self, operand);
        else if (op == OP_SUB)
            value = expr_add(self, (Expr){.kind = EXPR_UNARY, .op = OP_NEG, .a = value});
        left = make_cast(self, type, value);
    } else {
        left = lower_value(self, node);
    }
    while (self->stack.count > base) {
        u32 at = self->stack.items[--self->stack.count];
        ExprId right = lower_value(self, node_child(self, at, 1));
        left = expr_add(self, (Expr){.kind = EXPR_BINARY, .op = ast_at(self, at)->op, .a = left, .b = right});
    }
    return left;
}

static ExprId lower_unary(Lowering *self, u32 node) {
    u8 op = ast_at(self, node)->op;
    op = op == OP_SUB ? OP_NEG : op == OP_ADD ? OP_PLUS : op;
    return expr_add(self, (Expr){.kind = EXPR_UNARY, .op = op, .a = lower_value(self, ast_at(self, node)->first)});
}

static ExprId lower_sizeof(Lowering *self, u32 node) {
    u32 operand = node_child(self, node, 0);
    if (!operand)
        return expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
    u32 name = node_kind(self, operand) == NODE_TYPE ? ast_at(self, operand)->first : node_strip(self, operand);
    bool plain = name && !ast_at(self, name)->next;
    bool is_var =
        plain && node_kind(self, name) == NODE_T_NAME && scope_lookup(self, node_string(self, name)) >= BOUND_VAR;
    if (node_kind(self, operand) == NODE_TYPE && !is_var)
        return expr_add(self, (Expr){.kind = EXPR_SIZEOF, .b = lower_type_descriptor(self, operand)});
    if (node_kind(self, name) == NODE_NAME && scope_lookup(self, node_string(self, name)) < BOUND_VAR &&
        is_type_name(self, name)) {
        Type type = {.kind = TYPE_NAMED, .name = node_string(self, name)};
        return expr_add(self, (Expr){.kind = EXPR_SIZEOF, .b = tree_type(self->tree, type, NULL)});
    }
    ExprId value = is_var ? expr_name(self, name) : lower_muted(self, operand);
    return expr_add(self, (Expr){.kind = EXPR_SIZEOF, .a = value});
}

static u32 lower_comma_head(Lowering *self, u32 node) { // all but the last operand, which is returned
    for (; node_kind(self, node) == NODE_COMMA; node = node_child(self, node, 1))
        lower_discard(self, ast_at(self, node)->first);
    return node;
}

ExprId lower_muted(Lowering *self, u32 node) {
    self->mute++;
    ExprId value = lower_value(self, node);
    self->mute--;
    return value;
}

static ExprId lower_other(Lowering *self, u32 node) {
    const AstNode *ast = ast_at(self, node);
    switch (ast->kind) {
    case NODE_TRUE: return expr_int_add(self, 1);
    case NODE_FALSE:
    case NODE_NULL: return expr_int_add(self, 0);
    case NODE_CHAR: return lower_char(self, node);
    case NODE_STRINGS: return lower_string(self, node);
    case NODE_SIZEOF: return lower_sizeof(self, node);
    case NODE_LITERAL: {
        TypeId type = lower_type_descriptor(self, ast->first);
        return lower_list(self, node_child(self, node, 1), type);
    }
    case NODE_LIST: return lower_list(self, node, 0);
    case NODE_GENERIC: {
        u32 first = node_child(self, node, 2);
        return first ? lower_value(self, first) : expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
    }
    case NODE_EXTENSION: return lower_value(self, ast->first);
    case NODE_ASM: return lower_asm(self, node);
    default: return expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
    }
}

// A name that neither this file nor a macro explains, and a declaration does.
static bool name_is_constant(Lowering *self, u32 node, i64 *value) {
    if (!self->declarations ||
        !declarations_constant(self->declarations, node_text(self, node), node_length(self, node), value))
        return false;
    StrId name = node_string(self, node);
    return scope_lookup(self, name) == BOUND_NONE && !map_get(&self->tree->constant_names, name);
}

ExprId lower_value(Lowering *self, u32 node) {
    node = node_strip(self, node);
    const AstNode *ast = ast_at(self, node);
    i64 constant;
    switch (ast->kind) {
    case NODE_NAME:
        if (name_is_constant(self, node, &constant))
            return expr_int_add(self, constant);
        return load(self, lower_lvalue(self, node), node);
    case NODE_MEMBER:
    case NODE_SUBSCRIPT: return load(self, lower_lvalue(self, node), node);
    case NODE_POINTER:
        return ast->op == OP_AND ? address_of(self, ast->first) : load(self, lower_lvalue(self, node), node);
    case NODE_NUMBER: return lower_number(self, node);
    case NODE_STRING: return lower_string(self, node);
    case NODE_CALL: return lower_call(self, node, false);
    case NODE_ASSIGN: return lower_assign(self, node);
    case NODE_UPDATE: return lower_update(self, node);
    case NODE_UNARY: return lower_unary(self, node);
    case NODE_CAST: return lower_cast(self, node);
    case NODE_BINARY:
        return ast->op == OP_LOGAND || ast->op == OP_LOGOR ? lower_logical(self, node, false)
                                                           : lower_binary(self, node);
    case NODE_CHOICE: return lower_choice(self, node, false);
    case NODE_COMMA: return lower_value(self, lower_comma_head(self, node));
    case NODE_S_COMPOUND: return lower_block_value(self, node, false);
    default: return lower_other(self, node);
    }
}

void lower_discard(Lowering *self, u32 node) {
    node = lower_comma_head(self, node_strip(self, node));
    node = node_strip(self, node);
    const AstNode *ast = ast_at(self, node);
    if (ast->kind == NODE_CALL) {
        lower_call(self, node, true);
    } else if (ast->kind == NODE_BINARY && (ast->op == OP_LOGAND || ast->op == OP_LOGOR)) {
        lower_logical(self, node, true);
    } else if (ast->kind == NODE_CHOICE) {
        lower_choice(self, node, true);
    } else if (ast->kind == NODE_S_COMPOUND) {
        lower_block_value(self, node, true);
    } else if (ast->kind == NODE_COMMA) {
        lower_discard(self, node);
    } else if (ast->kind == NODE_CAST && node_is(self, ast->first, "void")) {
        u32 value = node_strip(self, node_child(self, node, 1));
        u8 kind = node_kind(self, value);
        if (kind == NODE_NAME || kind == NODE_MEMBER || kind == NODE_SUBSCRIPT)
            lower_lvalue(self, value); // `(void)x` only keeps compilers quiet
        else
            lower_discard(self, value);
    } else {
        lower_value(self, node);
    }
}
