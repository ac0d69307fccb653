// lower_call.c: calls, and what is only spelled like one.
// In: call nodes. Out: EXPR_CALL and EVENT_CALL after the events of callee and arguments; or what the
// callee's name stands for: likely()-like and container_of()-like names as declared, and the reserved
// names of item.h.
#include "extract/lower.h"

ExprId call_make(Lowering *self, ExprId callee, const u32 *arguments, u32 count) {
    u32 base = self->stack.count;
    for (u32 i = 0; i < count; i++)
        array_push(&self->stack, arguments[i]);
    return expr_list(self, (Expr){.kind = EXPR_CALL, .a = callee}, base);
}

// What was declared of a name, as far as it matters here; asked once per name.
static u32 said_of(Lowering *self, u32 node) {
    if (!self->declarations)
        return 0;
    const char *text = node_text(self, node);
    u32 length = node_length(self, node);
    bool is_new;
    u32 *slot = map_put(&self->said, hash_bytes(text, length, 0), &is_new);
    if (is_new)
        *slot = declarations_look(self->declarations, text, length).said & (SAID_LIKELY | SAID_CONTAINER | SAID_GUARD);
    return *slot;
}

static u32 callee_name(const Lowering *self, u32 node) { // the plain name that is called, or 0
    if (node_kind(self, node) != NODE_CALL)
        return 0;
    u32 callee = node_strip(self, ast_at(self, node)->first);
    return node_kind(self, callee) == NODE_NAME ? callee : 0;
}

static u32 call_arguments(const Lowering *self, u32 node) { return node_child(self, node, 1); }

u32 call_named(Lowering *self, u32 node, const char *name) {
    u32 callee = callee_name(self, node);
    return callee && node_is(self, callee, name) ? call_arguments(self, node) : 0;
}

u32 call_likely(Lowering *self, u32 node) {
    u32 callee = callee_name(self, node);
    if (!callee || !(said_of(self, callee) & SAID_LIKELY))
        return 0;
    return node_child(self, call_arguments(self, node), 0);
}

// container_of(pointer, sizeof(T), member.path)
static ExprId lower_container(Lowering *self, u32 arguments) {
    u32 pointer = node_child(self, arguments, 0), type_node = node_child(self, arguments, 1);
    u32 member = node_child(self, arguments, 2);
    TypeId type = 0;
    if (node_kind(self, type_node) == NODE_NAME) {
        type = tree_type(self->tree, (Type){.kind = TYPE_NAMED, .name = node_string(self, type_node)}, NULL);
    } else {
        ExprId size = lower_muted(self, type_node);
        const Expr *expr = &self->exprs->items[size];
        if (expr->kind == EXPR_SIZEOF && expr->b)
            type = expr->b;
        else if (expr->kind == EXPR_SIZEOF && self->exprs->items[expr->a].kind == EXPR_NAME)
            type = tree_type(self->tree, (Type){.kind = TYPE_NAMED, .name = self->exprs->items[expr->a].a}, NULL);
    }
    ExprId value = lower_value(self, pointer);
    self->text.size = 0;
    for (u32 i = 0; i < node_length(self, member); i++)
        if ((u8)node_text(self, member)[i] > ' ')
            buffer_byte(&self->text, (u8)node_text(self, member)[i]);
    StrId path = intern_add(&self->tree->strings, (const char *)self->text.bytes, (u32)self->text.size);
    return expr_add(self, (Expr){.kind = EXPR_CONTAINER, .a = value, .b = type, .c = path});
}

static ExprId lower_label_address(Lowering *self, u32 arguments) {
    StrId name = node_string(self, node_child(self, arguments, 0));
    if (self->in_function) {
        u32 label = label_add(self, name);
        self->labels.items[label].addressed = true;
    }
    return expr_add(self, (Expr){.kind = EXPR_LABEL, .a = name});
}

// The assembly is done: outputs are written, and control may go to the labels it was given.
static ExprId finish_asm(Lowering *self, u32 base, Place place) {
    ExprId expr = expr_list(self, (Expr){.kind = EXPR_ASM}, base);
    event_add(self, EVENT_ASM, 0, expr, 0, place);
    Expr made = self->exprs->items[expr];
    for (u32 i = 0; i < made.c; i++) {
        Expr operand = self->exprs->items[self->lists->items[made.b + i]];
        if (operand.kind == EXPR_ADDRESS)
            lower_store(self, operand.a, 0, 0, place);
    }
    for (u32 i = 0; i < made.c && !self->mute; i++) {
        Expr operand = self->exprs->items[self->lists->items[made.b + i]];
        if (operand.kind != EXPR_LABEL)
            continue;
        u32 next = block_new(self), label = label_add(self, operand.a);
        block_branch(self, expr, self->labels.items[label].block, next, place);
        block_start(self, next);
    }
    return expr;
}

static void push_output(Lowering *self, u32 node) {
    ExprId lvalue = lower_lvalue(self, node);
    ExprId address = expr_add(self, (Expr){.kind = EXPR_ADDRESS, .a = lvalue});
    array_push(&self->stack, address);
}

static void push_input(Lowering *self, u32 node) {
    ExprId value = lower_value(self, node);
    if (self->exprs->items[value].kind == EXPR_ADDRESS) // not to be taken for an output
        value = expr_add(self, (Expr){.kind = EXPR_CAST, .a = value});
    array_push(&self->stack, value);
}

static ExprId lower_rx_asm(Lowering *self, u32 arguments, Place place) {
    u32 base = self->stack.count;
    for (u32 at = ast_at(self, arguments)->first; at; at = ast_at(self, at)->next) {
        if (node_kind(self, at) == NODE_POINTER && ast_at(self, at)->op == OP_AND)
            push_output(self, ast_at(self, at)->first);
        else
            push_input(self, at);
    }
    return finish_asm(self, base, place);
}

ExprId lower_asm(Lowering *self, u32 node) {
    u32 base = self->stack.count;
    for (u32 part = ast_at(self, node)->first; part; part = ast_at(self, part)->next) {
        u8 kind = node_kind(self, part);
        for (u32 at = ast_at(self, part)->first; at; at = ast_at(self, at)->next) {
            u32 operand = ast_at(self, at)->first;
            while (operand && ast_at(self, operand)->next) // the value comes last
                operand = ast_at(self, operand)->next;
            if (kind == NODE_ASM_OUTPUTS && operand)
                push_output(self, operand);
            else if (kind == NODE_ASM_INPUTS && operand)
                push_input(self, operand);
        }
    }
    return finish_asm(self, base, node_place(self, node));
}

static ExprId lower_computed_goto(Lowering *self, u32 arguments, Place place) {
    ExprId value = lower_value(self, node_child(self, arguments, 0));
    RawBlock *block = self->mute ? NULL : block_end(self, TERM_COMPUTED, place);
    if (block)
        block->value = value;
    return expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
}

// The reserved names of item.h; 0 when it is none of them.
static ExprId lower_reserved(Lowering *self, u32 callee, u32 arguments) {
    if (node_length(self, callee) < 8 || memcmp(node_text(self, callee), "__rx_", 5))
        return 0;
    Place place = node_place(self, callee);
    if (node_is(self, callee, "__rx_asm"))
        return lower_rx_asm(self, arguments, place);
    if (!node_child(self, arguments, 0))
        return 0;
    if (node_is(self, callee, "__rx_label"))
        return lower_label_address(self, arguments);
    if (node_is(self, callee, "__rx_goto"))
        return lower_computed_goto(self, arguments, place);
    if (node_is(self, callee, "__rx_lost")) {
        i64 bytes;
        bool known = lower_constant(self, node_child(self, arguments, 0), &bytes);
        lower_lost_bytes(self, known ? (u32)bytes : 0, place);
        return expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
    }
    return 0;
}

// `(*p->f)(x)` calls what `p->f(x)` calls, unless p->f is known to be a pointer to a pointer.
static ExprId lower_callee(Lowering *self, u32 node) {
    node = node_strip(self, node);
    const AstNode *ast = ast_at(self, node);
    if (ast->kind == NODE_POINTER && ast->op == OP_AND)
        return lower_callee(self, ast->first);
    if (ast->kind == NODE_POINTER) {
        ExprId inner = lower_callee(self, ast->first);
        TypeId known = lowered_type(self, inner);
        const Type *type = &self->tree->types.items[known];
        if (type->kind != TYPE_POINTER || self->tree->types.items[type->inner].kind != TYPE_POINTER)
            return inner;
        ExprId target = expr_deref(self, inner);
        event_add(self, EVENT_READ, 0, target, 0, node_place(self, node));
        return target;
    }
    if (ast->kind == NODE_NAME && scope_lookup(self, node_string(self, node)) < BOUND_VAR)
        return expr_name(self, node);
    return lower_value(self, node);
}

static void push_arguments(Lowering *self, u32 arguments) {
    for (u32 at = ast_at(self, arguments)->first; at; at = ast_at(self, at)->next) {
        bool statements = node_kind(self, at) == NODE_S_COMPOUND; // given to a macro that is kept
        ExprId value = statements ? lower_block_value(self, at, true) : lower_value(self, at);
        array_push(&self->stack, value);
    }
}

// `(name)(x)` where name must be a type.
static ExprId lower_cast_call(Lowering *self, u32 name, u32 arguments) {
    ExprId value = 0;
    for (u32 at = ast_at(self, arguments)->first; at; at = ast_at(self, at)->next)
        value = lower_value(self, at);
    TypeId type = tree_type(self->tree, (Type){.kind = TYPE_NAMED, .name = node_string(self, name)}, NULL);
    return expr_add(self, (Expr){.kind = EXPR_CAST, .a = value, .b = type});
}

bool call_is_guard(Lowering *self, u32 node) {
    while (node_kind(self, node) == NODE_CALL && node_kind(self, ast_at(self, node)->first) == NODE_CALL)
        node = ast_at(self, node)->first;
    u32 name = callee_name(self, node);
    return name && said_of(self, name) & SAID_GUARD && scope_lookup(self, node_string(self, name)) < BOUND_VAR;
}

static void push_guard_arguments(Lowering *self, u32 node) {
    u32 function = ast_at(self, node)->first;
    if (node_kind(self, function) == NODE_CALL)
        push_guard_arguments(self, function);
    push_arguments(self, call_arguments(self, node));
}

// `guard(kind)(lock)` is guard(kind, lock), now and, as a cleanup, at the end of the scope.
ExprId lower_guard(Lowering *self, u32 node, bool discard) {
    u32 name = node, base = self->stack.count;
    while (node_kind(self, name) == NODE_CALL)
        name = ast_at(self, name)->first;
    Place place = node_place(self, name);
    ExprId callee = lower_callee(self, name);
    push_guard_arguments(self, node);
    ExprId call = expr_list(self, (Expr){.kind = EXPR_CALL, .a = callee}, base);
    event_add(self, EVENT_CALL, discard ? EVENT_DISCARD : 0, call, 0, place);
    guard_add(self, call, place);
    return call;
}

ExprId lower_call(Lowering *self, u32 node, bool discard) {
    if (discard && self->in_function && !self->mute && call_is_guard(self, node))
        return lower_guard(self, node, true);
    u32 function = ast_at(self, node)->first, arguments = call_arguments(self, node);
    u32 name = callee_name(self, node);
    if (name && scope_lookup(self, node_string(self, name)) < BOUND_VAR) {
        ExprId reserved = lower_reserved(self, name, arguments);
        if (reserved)
            return reserved;
        if (node_kind(self, function) == NODE_PAREN && is_type_name(self, name))
            return lower_cast_call(self, name, arguments);
        u32 said = said_of(self, name), first = node_child(self, arguments, 0);
        if (said & SAID_LIKELY && first) {
            if (!discard)
                return lower_value(self, first);
            lower_discard(self, first);
            return 0;
        }
        if (said & SAID_CONTAINER && node_child(self, arguments, 2))
            return lower_container(self, arguments);
    }
    ExprId callee = lower_callee(self, function);
    u32 base = self->stack.count;
    push_arguments(self, arguments);
    ExprId call = expr_list(self, (Expr){.kind = EXPR_CALL, .a = callee}, base);
    event_add(self, EVENT_CALL, discard ? EVENT_DISCARD : 0, call, 0, node_place(self, function));
    return call;
}
