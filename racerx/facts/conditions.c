// conditions.c: what branches test: signs of values, conditions met more than once, calls that are made again.
// In: a decoded body. Out: which expressions the walk keeps facts about (Build.tracked, tested_often, same_call,
// mentions). A condition tested twice with nothing written in between goes the same way twice (assumption 16).
#include "racerx/facts/skeleton.h"

static u8 sign_mask(i64 value) { return value < 0 ? VALUE_NEGATIVE : value ? VALUE_POSITIVE : VALUE_ZERO; }

// What an expression's value can be, or the tracked expression it has the value of.
u8 build_mask(Build *self, ExprId id, ExprId *source) {
    *source = 0;
    for (u32 depth = 0; id && depth < 8; depth++) {
        const Expr *expr = build_expr(self, id);
        switch (expr->kind) {
        case EXPR_INT: return sign_mask(expr_int(expr));
        case EXPR_ADDRESS:
        case EXPR_STRING:
        case EXPR_LABEL: return VALUE_POSITIVE;
        case EXPR_UNARY:
            if (expr->op == OP_NEG && build_expr(self, expr->a)->kind == EXPR_INT)
                return sign_mask(-expr_int(build_expr(self, expr->a)));
            if (expr->op == OP_NEG && build_expr(self, expr->a)->kind == EXPR_NAME)
                return VALUE_NEGATIVE; // -EINTR, when EINTR is no macro
            return VALUE_ANY;
        case EXPR_CAST: id = expr->a; continue;
        case EXPR_ASSIGN: id = expr->b; continue;
        case EXPR_VAR:
        case EXPR_CALL: *source = id; return VALUE_ANY;
        default: return VALUE_ANY;
        }
    }
    return VALUE_ANY;
}

// `x == 0`, `!x`, `x != 0`: what is compared with zero, and how.
u8 build_comparison(const Build *self, ExprId *value) {
    const Expr *expr = build_expr(self, *value);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, expr->a);
    if (expr->kind == EXPR_UNARY && expr->op == OP_NOT) {
        *value = expr->a;
        return COMPARES_EQUAL;
    }
    if (expr->kind != EXPR_BINARY || (expr->op != OP_EQ && expr->op != OP_NE))
        return COMPARES_NOT;
    const Expr *left = build_expr(self, expr->a), *right = build_expr(self, expr->b);
    bool zero = right->kind == EXPR_INT && !expr_int(right), swapped = left->kind == EXPR_INT && !expr_int(left);
    if (!zero && !swapped)
        return COMPARES_NOT;
    *value = zero ? expr->a : expr->b;
    return expr->op == OP_EQ ? COMPARES_EQUAL : COMPARES_UNEQUAL;
}

u8 relation_mask(u8 relation, i64 constant, u8 *exact) {
    *exact = constant == 0;
    switch (relation) {
    case REL_EQ: return sign_mask(constant);
    case REL_NE: return constant ? VALUE_ANY : VALUE_NEGATIVE | VALUE_POSITIVE;
    case REL_LT:
        *exact |= constant == 1;
        return constant == 1 ? VALUE_NEGATIVE | VALUE_ZERO : constant <= 0 ? VALUE_NEGATIVE : VALUE_ANY;
    case REL_LE:
        *exact |= constant == -1;
        return constant < 0 ? VALUE_NEGATIVE : constant ? VALUE_ANY : VALUE_NEGATIVE | VALUE_ZERO;
    case REL_GT:
        *exact |= constant == -1;
        return constant == -1 ? VALUE_ZERO | VALUE_POSITIVE : constant >= 0 ? VALUE_POSITIVE : VALUE_ANY;
    case REL_GE:
        *exact |= constant == 1;
        return constant > 0 ? VALUE_POSITIVE : constant ? VALUE_ANY : VALUE_ZERO | VALUE_POSITIVE;
    default: *exact = 0; return VALUE_ANY;
    }
}

static u8 opposite(u8 relation) {
    static const u8 pairs[][2] = {{REL_EQ, REL_NE}, {REL_LT, REL_GE}, {REL_LE, REL_GT}};
    for (u32 i = 0; i < 3; i++)
        if (relation == pairs[i][0] || relation == pairs[i][1])
            return relation == pairs[i][0] ? pairs[i][1] : pairs[i][0];
    return relation;
}

// A call that is declared to succeed with anything but 0 has a truth value: compared with 1 it is compared with 0.
static bool is_truth(const Build *self, ExprId id) {
    const Expr *call = build_expr(self, id);
    if (call->kind != EXPR_CALL || build_expr(self, call->a)->kind != EXPR_NAME)
        return false;
    const char *name = program_text(self->analysis->program, build_name(self, build_expr(self, call->a)->a));
    const LockEffect *effects;
    u32 count = declarations_effects(self->analysis->declarations, name, (u32)strlen(name), &effects);
    return count && effects->returns == RETURNS_NONZERO;
}

void build_branch(const Build *self, const Block *block, ExprId subject, SkeletonBlock *out) {
    u8 relation = block->relation, exact;
    i64 constant = block->constant;
    if (constant == 1 && (relation == REL_EQ || relation == REL_NE) && is_truth(self, subject)) {
        relation = opposite(relation);
        constant = 0;
    }
    out->subject = subject;
    out->true_mask = relation_mask(relation, constant, &exact);
    out->false_mask = relation_mask(opposite(relation), constant, &exact);
}

u8 returns_values(u8 returns) {
    switch (returns) {
    case RETURNS_ZERO:
    case RETURNS_NULL: return VALUE_ZERO;
    case RETURNS_NONZERO:
    case RETURNS_NONNULL: return VALUE_NEGATIVE | VALUE_POSITIVE;
    case RETURNS_NEGATIVE: return VALUE_NEGATIVE;
    case RETURNS_NONNEGATIVE: return VALUE_ZERO | VALUE_POSITIVE;
    default: return VALUE_ANY;
    }
}

// The shared data whose value an expression is: itself, or what an atomic operation reads; 0: none.
static ObjectId flag_of(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    if (expr->kind == EXPR_CALL && build_expr(self, expr->a)->kind == EXPR_NAME && expr->c &&
        (program_said(self->analysis->program, build_name(self, build_expr(self, expr->a)->a)) & SAID_ATOMIC)) {
        id = self->body->lists.items[expr->b];
        while (build_expr(self, id)->kind == EXPR_CAST)
            id = build_expr(self, id)->a;
        id = build_expr(self, id)->kind == EXPR_ADDRESS ? build_expr(self, id)->a : id;
        expr = build_expr(self, id);
    }
    bool data = expr->kind == EXPR_NAME || expr->kind == EXPR_MEMBER;
    return data && self->memo[id].known ? self->memo[id].object : 0;
}

// Likewise of a local that is a copy of it, of what counting down leaves.
static ObjectId counted_of(const Build *self, ExprId id) {
    for (u32 depth = 0; id && depth < 4; depth++) {
        const Expr *expr = build_expr(self, id);
        bool down = (expr->kind == EXPR_STEP && expr->op == OP_SUB && expr->b) ||
                    (expr->kind == EXPR_ASSIGN && expr->op == OP_SUB);
        if (expr->kind == EXPR_CAST || down)
            id = expr->a;
        else if (expr->kind == EXPR_VAR && expr->a < self->body->vars.count && self->alias[expr->a])
            id = self->alias[expr->a];
        else
            break;
    }
    return id ? flag_of(self, id) : 0;
}

void build_flag(const Build *self, const Block *block, ExprId subject, SkeletonBlock *out) {
    u8 exact, first = relation_mask(block->relation, block->constant, &exact),
              second = relation_mask(opposite(block->relation), block->constant, &exact);
    out->flag = !(first & second & VALUE_ZERO) ? flag_of(self, subject) : 0;
    out->counted = !(first & second & VALUE_ZERO) ? counted_of(self, subject) : 0;
    out->raised = !(first & VALUE_ZERO) ? 1 : 2;
}

ExprId build_subject(const Build *self, ExprId id) {
    for (u32 depth = 0; id && depth < 4; depth++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_ASSIGN && expr->op == OP_NONE)
            id = build_expr(self, expr->a)->kind == EXPR_VAR ? expr->a : expr->b;
        else if (expr->kind == EXPR_CAST)
            id = expr->a;
        else
            break;
    }
    return id;
}

// Variables in a tracked expression: writing one makes it forgotten.
static void put_mentions(Build *self, ExprId tracked) {
    ExprId stack[MENTIONS_MOST + 2];
    u32 depth = 0;
    stack[depth++] = tracked;
    while (depth) {
        const Expr *expr = build_expr(self, stack[--depth]);
        if (expr->kind == EXPR_VAR) {
            array_push(&self->mentions, tracked);
            array_push(&self->mentions, expr->a);
        } else if (expr->kind == EXPR_MEMBER || expr->kind == EXPR_DEREF || expr->kind == EXPR_CAST ||
                   expr->kind == EXPR_UNARY) {
            stack[depth++] = expr->a;
        } else if (expr->kind == EXPR_BINARY || expr->kind == EXPR_INDEX) {
            if (limit_cuts(LIMIT_MENTIONS_MOST, depth >= MENTIONS_MOST)) {
                array_push(&self->mentions, tracked);
                array_push(&self->mentions, NO_ID);
                return;
            }
            stack[depth++] = expr->a;
            stack[depth++] = expr->b;
        }
    }
}

// Calls of one function with the same arguments: `if (is_x(p)) … if (is_x(p))`. Only what branches test.
static void fill_same_calls(Build *self) {
    Body *body = self->body;
    for (u32 b = 0; b < body->blocks.count; b++) {
        ExprId id = body->blocks.items[b].term == TERM_BRANCH ? build_subject(self, body->blocks.items[b].subject) : 0;
        const Expr *call = id ? build_expr(self, id) : NULL;
        if (!call || call->kind != EXPR_CALL || build_expr(self, call->a)->kind != EXPR_NAME)
            continue;
        for (u32 k = 0; k < b && !self->same_call[id]; k++) {
            ExprId other =
                body->blocks.items[k].term == TERM_BRANCH ? build_subject(self, body->blocks.items[k].subject) : 0;
            const Expr *first = other && other != id ? build_expr(self, other) : NULL;
            if (!first || first->kind != EXPR_CALL || first->a != call->a || first->c != call->c)
                continue;
            bool same = true;
            for (u32 i = 0; i < call->c && same; i++)
                same = body->lists.items[call->b + i] == body->lists.items[first->b + i];
            if (same)
                self->same_call[id] = self->same_call[other] ? self->same_call[other] : other;
        }
    }
}

// The expression that stands for a branch's condition; 0: it says no more than its subject.
ExprId build_condition(const Build *self, const Block *block) {
    if (block->term != TERM_BRANCH || !block->value)
        return 0;
    ExprId subject = build_subject(self, block->subject);
    if (block->relation != REL_OPAQUE && build_expr(self, subject)->kind == EXPR_CALL)
        return 0;
    u8 exact;
    relation_mask(block->relation, block->constant, &exact);
    u8 kind = build_expr(self, block->value)->kind;
    bool pure = kind == EXPR_BINARY || kind == EXPR_UNARY || kind == EXPR_MEMBER || kind == EXPR_VAR ||
                kind == EXPR_NAME || kind == EXPR_INDEX;
    return !exact && pure ? block->value : 0;
}

void fill_tracked(Build *self) {
    Body *body = self->body;
    if (body->blocks.count <= SAME_CALLS_BLOCKS)
        fill_same_calls(self);
    else
        limit_reached(LIMIT_SAME_CALLS_BLOCKS);
    for (u32 b = 0; b < body->blocks.count; b++) {
        ExprId condition = build_condition(self, &body->blocks.items[b]);
        if (condition && self->tested_often[condition] < 2)
            self->tested_often[condition]++;
    }
    for (u32 b = 0; b < body->blocks.count; b++) {
        const Block *block = &body->blocks.items[b];
        if (block->term == TERM_BRANCH && block->relation != REL_OPAQUE) {
            ExprId subject = build_subject(self, block->subject);
            if (self->tracked[subject] < 2)
                self->tracked[subject]++;
        } else if (block->term == TERM_RETURN && block->value) {
            ExprId source;
            build_mask(self, block->value, &source);
            if (source)
                self->tracked[source] = 2;
        }
    }
    for (u32 id = 1; id < body->exprs.count; id++) {
        const Expr *expr = build_expr(self, id);
        if (self->tested_often[id] == 2)
            put_mentions(self, id);
        if (!self->tracked[id])
            continue;
        if (expr->kind == EXPR_VAR || expr->kind == EXPR_CALL)
            self->tracked[id] = 2;
        else if (self->tracked[id] == 2)
            put_mentions(self, id);
    }
}
