// lower_cond.c: conditions: && || ! ?: as branches, and how each branch reads.
// In: expression nodes and the blocks to go to. Out: the current block ended by a branch (or a jump
// when the condition is a literal), with the condition reduced to `subject relation constant`.
#include "extract/lower.h"

static bool op_is_logical(u8 op) { return op == OP_LOGAND || op == OP_LOGOR; }

// how a branch reads ------------------------------------------------------------

static u8 relation_of(u8 op) {
    switch (op) {
    case OP_EQ: return REL_EQ;
    case OP_NE: return REL_NE;
    case OP_LT: return REL_LT;
    case OP_LE: return REL_LE;
    case OP_GT: return REL_GT;
    case OP_GE: return REL_GE;
    default: return REL_OPAQUE;
    }
}

static u8 relation_negate(u8 relation) {
    static const u8 negated[] = {[REL_OPAQUE] = REL_OPAQUE, [REL_EQ] = REL_NE, [REL_NE] = REL_EQ, [REL_LT] = REL_GE,
                                 [REL_LE] = REL_GT,         [REL_GT] = REL_LE, [REL_GE] = REL_LT};
    return negated[relation];
}

static u8 relation_mirror(u8 relation) { // with the sides exchanged
    static const u8 mirrored[] = {[REL_OPAQUE] = REL_OPAQUE, [REL_EQ] = REL_EQ, [REL_NE] = REL_NE, [REL_LT] = REL_GT,
                                  [REL_LE] = REL_GE,         [REL_GT] = REL_LT, [REL_GE] = REL_LE};
    return mirrored[relation];
}

static bool literal_value(const Lowering *self, ExprId id, i64 *out) { // through casts: `(T *)0`
    const Expr *expr = &self->exprs->items[id];
    while (expr->kind == EXPR_CAST)
        expr = &self->exprs->items[expr->a];
    *out = expr_int(expr);
    return expr->kind == EXPR_INT;
}

// Takes one layer off `subject relation 0`; false when there is none to take.
static bool read_through(const Lowering *self, RawBlock *block) {
    const Expr *expr = &self->exprs->items[block->subject];
    bool truth = block->constant == 0 && (block->relation == REL_NE || block->relation == REL_EQ);
    if (!truth)
        return false;
    if (expr->kind == EXPR_BLOCK && expr->a) {
        block->subject = expr->a;
        return true;
    }
    if (expr->kind == EXPR_CAST && self->tree->types.items[expr->b].kind == TYPE_BOOL) {
        block->subject = expr->a;
        return true;
    }
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) {
        block->subject = expr->a;
        block->relation = relation_negate(block->relation);
        return true;
    }
    u8 relation = expr->kind == EXPR_BINARY ? relation_of(expr->op) : REL_OPAQUE;
    i64 constant;
    if (relation == REL_OPAQUE)
        return false;
    bool right = literal_value(self, expr->b, &constant);
    if (!right && !literal_value(self, expr->a, &constant))
        return false;
    relation = right ? relation : relation_mirror(relation);
    block->relation = block->relation == REL_NE ? relation : relation_negate(relation);
    block->subject = right ? expr->a : expr->b;
    block->constant = constant;
    return true;
}

static bool is_comparison(const Expr *expr) { return expr->kind == EXPR_BINARY && relation_of(expr->op) != REL_OPAQUE; }

static bool holds(u8 relation, i64 value, i64 constant) {
    switch (relation) {
    case REL_EQ: return value == constant;
    case REL_NE: return value != constant;
    case REL_LT: return value < constant;
    case REL_LE: return value <= constant;
    case REL_GT: return value > constant;
    default: return value >= constant;
    }
}

void block_branch(Lowering *self, ExprId value, u32 yes, u32 no, Place place) {
    RawBlock reading = {.relation = REL_NE, .subject = value};
    while (read_through(self, &reading)) {
    }
    i64 literal;
    if (literal_value(self, reading.subject, &literal)) {
        block_jump(self, holds(reading.relation, literal, reading.constant) ? yes : no, place);
        return;
    }
    const Expr *subject = &self->exprs->items[reading.subject];
    bool opaque = is_comparison(subject) || subject->kind == EXPR_UNKNOWN || subject->kind == EXPR_ASM;
    if (opaque && reading.constant == 0) {
        reading.relation = REL_OPAQUE;
        reading.subject = value;
    }
    RawBlock *block = block_end(self, TERM_BRANCH, place);
    if (!block)
        return;
    block->value = value;
    block->subject = reading.subject;
    block->relation = reading.relation;
    block->constant = reading.constant;
    block->to[0] = yes;
    block->to[1] = no;
}

// conditions --------------------------------------------------------------------

// Parentheses, !, likely() and casts to bool off, as far as && || , ?: may be below them.
static u32 strip_condition(Lowering *self, u32 node, bool *negated) {
    for (;;) {
        node = node_strip(self, node);
        const AstNode *ast = ast_at(self, node);
        if (ast->kind == NODE_UNARY && ast->op == OP_NOT) {
            *negated = !*negated;
            node = ast->first;
        } else if (ast->kind == NODE_CALL && call_likely(self, node)) {
            node = call_likely(self, node);
        } else if (ast->kind == NODE_CAST &&
                   (node_is(self, ast->first, "bool") || node_is(self, ast->first, "_Bool"))) {
            node = node_child(self, node, 1);
        } else {
            return node;
        }
    }
}

// Pushes the operands of a chain of one logical operator, last first.
static void push_operands(Lowering *self, u32 node) {
    u8 op = ast_at(self, node)->op;
    while (node_kind(self, node) == NODE_BINARY && ast_at(self, node)->op == op) {
        array_push(&self->stack, node_child(self, node, 1));
        node = ast_at(self, node)->first;
    }
    array_push(&self->stack, node);
}

static ExprId logical_add(Lowering *self, u8 op, ExprId left, ExprId right) {
    return left ? expr_add(self, (Expr){.kind = EXPR_BINARY, .op = op, .a = left, .b = right}) : right;
}

// All operands but the last decide between `next operand` and `decided`; the last one is left on the stack.
static ExprId lower_operands(Lowering *self, u8 op, u32 base, u32 decided) {
    ExprId value = 0;
    while (self->stack.count > base + 1) {
        u32 operand = self->stack.items[--self->stack.count], next = block_new(self);
        ExprId one = lower_condition(self, operand, op == OP_LOGAND ? next : decided, op == OP_LOGAND ? decided : next);
        value = logical_add(self, op, value, one);
        block_start(self, next);
    }
    return value;
}

static ExprId condition_logical(Lowering *self, u32 node, u32 yes, u32 no) {
    u8 op = ast_at(self, node)->op;
    u32 base = self->stack.count;
    push_operands(self, node);
    ExprId value = lower_operands(self, op, base, op == OP_LOGAND ? no : yes);
    u32 last = self->stack.items[--self->stack.count];
    return logical_add(self, op, value, lower_condition(self, last, yes, no));
}

static ExprId choice_add(Lowering *self, ExprId condition, ExprId yes, ExprId no) {
    return expr_add(self, (Expr){.kind = EXPR_CHOICE, .a = condition, .b = yes, .c = no});
}

static ExprId condition_choice(Lowering *self, u32 node, u32 yes, u32 no) {
    u32 condition = node_child(self, node, 0), second = node_child(self, node, 1), third = node_child(self, node, 2);
    u32 first_block = third ? block_new(self) : yes, second_block = block_new(self);
    ExprId a = lower_condition(self, condition, first_block, second_block), b = 0;
    if (third) {
        block_start(self, first_block);
        b = lower_condition(self, second, yes, no);
    }
    block_start(self, second_block);
    return choice_add(self, a, b, lower_condition(self, third ? third : second, yes, no));
}

// `c ? f() : 0`: whether f was called, and what it said, are asked together.
bool choice_asks(Lowering *self, u32 node) {
    node = node_strip(self, node);
    return node_kind(self, node) == NODE_CHOICE && node_child(self, node, 2) &&
           (node_kind(self, node_strip(self, node_child(self, node, 1))) == NODE_CALL ||
            node_kind(self, node_strip(self, node_child(self, node, 2))) == NODE_CALL);
}

static bool compares_choice(Lowering *self, u32 node) {
    const AstNode *ast = ast_at(self, node);
    if (ast->kind != NODE_BINARY || relation_of(ast->op) == REL_OPAQUE || self->mute)
        return false;
    u8 right = node_kind(self, node_strip(self, node_child(self, node, 1)));
    return choice_asks(self, ast->first) && (right == NODE_NUMBER || right == NODE_NAME);
}

static ExprId compare_arm(Lowering *self, u32 node, u32 arm, u32 block, u32 yes, u32 no) {
    block_start(self, block);
    ExprId left = lower_value(self, arm), right = lower_value(self, node_child(self, node, 1));
    ExprId value = expr_add(self, (Expr){.kind = EXPR_BINARY, .op = ast_at(self, node)->op, .a = left, .b = right});
    block_branch(self, value, yes, no, node_place(self, node));
    return value;
}

// `(c ? f() : 0) != 0`: each arm is compared where it was chosen.
static ExprId condition_compared(Lowering *self, u32 node, u32 yes, u32 no) {
    u32 choice = node_strip(self, ast_at(self, node)->first), first = block_new(self), second = block_new(self);
    ExprId a = lower_condition(self, node_child(self, choice, 0), first, second);
    ExprId b = compare_arm(self, node, node_child(self, choice, 1), first, yes, no);
    return choice_add(self, a, b, compare_arm(self, node, node_child(self, choice, 2), second, yes, no));
}

ExprId lower_condition(Lowering *self, u32 node, u32 yes, u32 no) {
    if (node_holds_bad(self, node)) {
        lower_lost(self, node);
        ExprId unknown = expr_add(self, (Expr){.kind = EXPR_UNKNOWN});
        block_branch(self, unknown, yes, no, node_place(self, node));
        return unknown;
    }
    bool negated = false;
    u32 inner = strip_condition(self, node, &negated);
    const AstNode *ast = ast_at(self, inner);
    u32 on_true = negated ? no : yes, on_false = negated ? yes : no;
    ExprId value;
    if (ast->kind == NODE_BINARY && op_is_logical(ast->op)) {
        value = condition_logical(self, inner, on_true, on_false);
    } else if (ast->kind == NODE_CHOICE) {
        value = condition_choice(self, inner, on_true, on_false);
    } else if (compares_choice(self, inner)) {
        value = condition_compared(self, inner, on_true, on_false);
    } else if (ast->kind == NODE_COMMA) {
        for (; node_kind(self, inner) == NODE_COMMA; inner = node_child(self, inner, 1))
            lower_discard(self, ast_at(self, inner)->first);
        value = lower_condition(self, inner, on_true, on_false);
    } else {
        value = lower_value(self, node);
        block_branch(self, value, yes, no, node_place(self, node_strip(self, node)));
        return value;
    }
    return negated ? expr_add(self, (Expr){.kind = EXPR_UNARY, .op = OP_NOT, .a = value}) : value;
}

// as values -----------------------------------------------------------------------

static ExprId muted_logical(Lowering *self, u32 node) {
    u8 op = ast_at(self, node)->op;
    u32 base = self->stack.count;
    ExprId value = 0;
    push_operands(self, node);
    while (self->stack.count > base) {
        ExprId one = lower_value(self, self->stack.items[--self->stack.count]);
        value = logical_add(self, op, value, one);
    }
    return value;
}

static ExprId lower_arm(Lowering *self, u32 node, bool discard) {
    if (!discard)
        return lower_value(self, node);
    lower_discard(self, node);
    return 0;
}

ExprId lower_logical(Lowering *self, u32 node, bool discard) {
    if (self->mute)
        return muted_logical(self, node);
    u8 op = ast_at(self, node)->op;
    u32 base = self->stack.count, join = block_new(self);
    Place place = node_place(self, node);
    push_operands(self, node);
    ExprId value = lower_operands(self, op, base, join);
    ExprId last = lower_arm(self, self->stack.items[--self->stack.count], discard);
    block_jump(self, join, place);
    block_start(self, join);
    return last ? logical_add(self, op, value, last) : value;
}

static ExprId muted_choice(Lowering *self, u32 node) {
    u32 third = node_child(self, node, 2);
    ExprId a = lower_value(self, node_child(self, node, 0));
    ExprId b = third ? lower_value(self, node_child(self, node, 1)) : 0;
    ExprId c = lower_value(self, third ? third : node_child(self, node, 1));
    i64 literal;
    if (literal_value(self, a, &literal))
        return literal ? (b ? b : a) : c;
    return choice_add(self, a, b, c);
}

// `a ?: c` evaluates a once and goes on with it or with c.
static ExprId lower_elvis(Lowering *self, u32 node, bool discard) {
    u32 other = block_new(self), join = block_new(self);
    Place place = node_place(self, node);
    ExprId a = lower_value(self, node_child(self, node, 0));
    block_branch(self, a, join, other, place);
    block_start(self, other);
    ExprId c = lower_arm(self, node_child(self, node, 1), discard);
    block_jump(self, join, place);
    block_start(self, join);
    return choice_add(self, a, 0, c);
}

ExprId lower_choice(Lowering *self, u32 node, bool discard) {
    if (self->mute)
        return muted_choice(self, node);
    if (!node_child(self, node, 2))
        return lower_elvis(self, node, discard);
    u32 first = block_new(self), second = block_new(self), join = block_new(self);
    Place place = node_place(self, node);
    ExprId a = lower_condition(self, node_child(self, node, 0), first, second);
    i64 literal;
    bool known = literal_value(self, a, &literal);
    block_start(self, first);
    ExprId b = lower_arm(self, node_child(self, node, 1), discard);
    block_jump(self, join, place);
    block_start(self, second);
    ExprId c = lower_arm(self, node_child(self, node, 2), discard);
    block_jump(self, join, place);
    block_start(self, join);
    return known ? (literal ? b : c) : choice_add(self, a, b, c);
}

// `target = c ? f() : 0`: stored where it was chosen.
ExprId lower_choice_to(Lowering *self, u32 node, ExprId target, Place place) {
    node = node_strip(self, node);
    u32 arms[2] = {block_new(self), block_new(self)}, join = block_new(self);
    ExprId a = lower_condition(self, node_child(self, node, 0), arms[0], arms[1]), values[2];
    for (u32 i = 0; i < 2; i++) {
        block_start(self, arms[i]);
        values[i] = lower_value(self, node_child(self, node, 1 + i));
        lower_store(self, target, values[i], 0, place);
        block_jump(self, join, node_place(self, node));
    }
    block_start(self, join);
    return choice_add(self, a, values[0], values[1]);
}
