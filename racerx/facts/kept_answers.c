// kept_answers.c: conditions whose answer is kept in a variable: `int locked = threads > 1; … if (locked)`.
// In: a body. Out: which locals stand for a condition (Build.means), and what a branch on one of them asks; conditions
// in other words for one question (`x > 1`, `!(x <= 1)`) as one. The idea: a lock that is taken under a condition and
// let go under a copy of it, or its opposite, is let go where it was taken.
// Invariant: such a local is set once and only tested, and what its condition is about is not written by the function.
#include "racerx/facts/skeleton.h"

static ExprId bare(const Build *self, ExprId id) {
    while (id && build_expr(self, id)->kind == EXPR_CAST)
        id = build_expr(self, id)->a;
    return id;
}

static bool is_member_written(const Build *self, NameId name) {
    for (u32 e = 0; e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        if (event->kind == EVENT_WRITE && build_stored_name(self, event->expr) == name)
            return true;
    }
    return false;
}

// Has the expression the same value wherever it is worked out? As far as the function itself is concerned.
static bool is_lasting(const Build *self, ExprId id, u32 depth) {
    const Expr *expr = build_expr(self, id);
    if (depth > 6)
        return false;
    switch (expr->kind) {
    case EXPR_INT: return true;
    case EXPR_VAR: {
        u32 flags = self->body->vars.items[expr->a].flags;
        return !(flags & (DECL_ADDRESSED | DECL_STATIC)) && self->written[expr->a] < (flags & DECL_PARAM ? 1 : 2);
    }
    case EXPR_NAME: return !is_member_written(self, build_name(self, expr->a));
    case EXPR_MEMBER: {
        const Expr *base = build_expr(self, expr->a);
        return is_lasting(self, base->kind == EXPR_DEREF ? base->a : expr->a, depth + 1) &&
               !is_member_written(self, build_name(self, expr->b));
    }
    case EXPR_CAST:
    case EXPR_UNARY: return is_lasting(self, expr->a, depth + 1);
    case EXPR_BINARY: return is_lasting(self, expr->a, depth + 1) && is_lasting(self, expr->b, depth + 1);
    case EXPR_CHOICE: return expr->b && is_lasting(self, expr->a, depth + 1);
    default: return false;
    }
}

static bool is_question(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    i64 bits;
    switch (expr->kind) {
    case EXPR_BINARY:
        return expr->op == OP_EQ || expr->op == OP_NE || expr->op == OP_LT || expr->op == OP_LE || expr->op == OP_GT ||
               expr->op == OP_GE || build_masked(self, id, &bits);
    case EXPR_UNARY: return expr->op == OP_NOT;
    case EXPR_CHOICE: return build_constant(self, expr->b, &bits, 0) && build_constant(self, expr->c, &bits, 0);
    case EXPR_MEMBER:
    case EXPR_NAME: return true;
    default: return false;
    }
}

static void spoil(Build *self, ExprId id) {
    const Expr *expr = build_expr(self, bare(self, id));
    if (expr->kind == EXPR_VAR)
        self->means[expr->a] = 0;
}

// requires: written. fills: means.
void fill_means(Build *self) {
    const Body *body = self->body;
    bool any = false;
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *to = build_expr(self, event->expr);
        if (event->kind != EVENT_WRITE || to->kind != EXPR_VAR || !event->value || self->written[to->a] != 1 ||
            body->vars.items[to->a].flags & (DECL_PARAM | DECL_ADDRESSED | DECL_STATIC))
            continue;
        ExprId value = bare(self, event->value);
        bool means = is_question(self, value) && is_lasting(self, value, 0);
        self->means[to->a] = means ? value : 0;
        any |= means;
    }
    for (u32 e = 0; any && e < body->events.count; e++) { // what is handed on, others may ask of
        const Event *event = &body->events.items[e];
        const Expr *call = build_expr(self, event->expr);
        if (event->kind == EVENT_WRITE && event->value)
            spoil(self, event->value);
        for (u32 i = 0; event->kind == EVENT_CALL && i < call->c; i++)
            spoil(self, body->lists.items[call->b + i]);
    }
    for (u32 b = 0; any && b < body->blocks.count; b++)
        if (body->blocks.items[b].term != TERM_BRANCH && body->blocks.items[b].value)
            spoil(self, body->blocks.items[b].value);
}

Block build_seen_through(const Build *self, const Block *block, bool *negated) {
    Block out = *block;
    *negated = false;
    for (u32 depth = 0; depth < 4 && block->term == TERM_BRANCH && out.value; depth++) {
        Test test = {out.relation, build_subject(self, out.subject), out.constant};
        if (out.relation == REL_OPAQUE)
            test = build_comparison_test(self, out.value);
        const Expr *subject = test.subject ? build_expr(self, test.subject) : NULL;
        bool asks = subject && (test.relation == REL_EQ || test.relation == REL_NE);
        ExprId means = asks && subject->kind == EXPR_VAR ? self->means[subject->a] : 0;
        const Expr *expr = means ? build_expr(self, means) : NULL;
        i64 first = 1, second = 0;
        bool chosen = means && expr->kind == EXPR_CHOICE;
        bool answer = chosen || (means && expr->kind == EXPR_UNARY) ||
                      (means && expr->kind == EXPR_BINARY && expr->op != OP_AND); // it is 0 or 1
        if (!means || (test.constant && !(test.constant == 1 && answer)))
            break;
        if (chosen && (!build_constant(self, expr->b, &first, 0) || !build_constant(self, expr->c, &second, 0)))
            break;
        bool yes = first == test.constant, no = second == test.constant; // of which answers it is that constant
        if (!chosen)
            yes = test.constant == 1, no = !yes;
        if (yes == no)
            break;
        *negated ^= (test.relation == REL_EQ) == no;
        out.relation = REL_OPAQUE;
        out.value = out.subject = chosen ? expr->a : means;
        out.constant = 0;
    }
    return out;
}

// conditions that are one ---------------------------------------------------------

typedef struct {
    ExprId subject, value;
    i64 constant; // asked is whether the subject is beyond it
    bool negated; // or whether it is not
} Beyond;

// Of `x > c`, `x >= c + 1` and their opposites.
static bool beyond_of(const Test *test, ExprId value, Beyond *out) {
    bool less = test->relation == REL_GE || test->relation == REL_LT;
    *out = (Beyond){test->subject, value, test->constant - less, test->relation == REL_LT || test->relation == REL_LE};
    return test->subject && (less || test->relation == REL_GT || test->relation == REL_LE) &&
           test->constant > INT32_MIN;
}

#define CONDITIONS_ASKED 400 // branches of a function that are compared with each other

void fill_conditions(Build *self) {
    Body *body = self->body;
    Array(Beyond) all = {0};
    for (u32 b = 0; b < body->blocks.count; b++) {
        bool negated, opposite;
        Block block = build_seen_through(self, &body->blocks.items[b], &negated);
        ExprId condition = build_condition(self, &block, &opposite);
        bool ended = condition && (condition != block.value || self->ended[condition]);
        Beyond one;
        Test test = condition ? build_test(self, &block) : (Test){.relation = REL_OPAQUE};
        if (condition && !ended && beyond_of(&test, condition, &one) && !build_is_versus(self, test.subject)) {
            u32 k = 0;
            while (k < all.count && (all.items[k].subject != one.subject || all.items[k].constant != one.constant))
                k++;
            if (k < all.count) {
                condition = all.items[k].value;
                negated ^= all.items[k].negated != one.negated;
            } else if (all.count < CONDITIONS_ASKED) {
                array_push(&all, one);
            }
        }
        self->condition[b] = condition;
        self->negated[b] = negated != opposite;
        if (condition && self->tested_often[condition] < 2)
            self->tested_often[condition]++;
    }
    array_free(&all);
}
