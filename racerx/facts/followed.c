// followed.c: what a body says of its pointers by following them.
// In: the events of a body. Out: STEP_FOLLOWED, where a tested pointer was followed and so is not null; the beginnings
// of pointers that only go along what they point to, as those that walk a list do.
#include "racerx/facts/skeleton.h"

// The variable itself, after some member of what it points to: `e = e->next`.
static bool goes_along(const Build *self, u32 var, ExprId value) {
    for (u32 depth = 0; depth < 8; depth++) {
        const Expr *expr = build_expr(self, value);
        if (expr->kind == EXPR_VAR && expr->a != var && self->alias[expr->a]) { // kept beside: `e = n`, `n = e->next`
            value = self->alias[expr->a];
            continue;
        }
        if (expr->kind == EXPR_VAR)
            return expr->a == var && depth;
        if (expr->kind != EXPR_CAST && expr->kind != EXPR_MEMBER && expr->kind != EXPR_DEREF)
            return false;
        value = expr->a;
    }
    return false;
}

// requires: aliases. fills: beginnings: pointers that are set once and then only go along what they point to.
void build_beginnings(Build *self) {
    Body *body = self->body;
    ExprId *begins = must_zero(sizeof(ExprId) * (body->vars.count + 1));
    u8 *others = must_zero(body->vars.count + 1);
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        u32 var = event->kind == EVENT_WRITE && build_expr(self, event->expr)->kind == EXPR_VAR
                      ? build_expr(self, event->expr)->a
                      : NO_ID;
        if (var == NO_ID || self->written[var] < 2 || (event->value && goes_along(self, var, event->value)))
            continue;
        others[var] += others[var] < 2;
        begins[var] = event->value;
    }
    for (u32 v = 0; v < body->vars.count; v++) {
        u32 flags = body->vars.items[v].flags;
        PathValue value = others[v] == 1 && begins[v] && !(flags & (DECL_PARAM | DECL_ADDRESSED | DECL_STATIC))
                              ? build_value(self, begins[v], 0)
                              : (PathValue){0, false};
        if (!value.path || value.address)
            continue;
        *map_put(&self->analysis->beginnings, (u64)self->function << 32 | v, NULL) = self->analysis->begun.count;
        array_push(&self->analysis->begun, ((Beginning){value.path, build_hops(self, begins[v], 0)}));
    }
    free(begins);
    free(others);
}

// A pointer that is followed is not null afterwards: told once a block, of variables that branches test.
void build_followed(Build *self, const Event *event) {
    if ((event->kind != EVENT_READ && event->kind != EVENT_WRITE) || (event->flags & EVENT_ADDRESS))
        return;
    ExprId id = event->expr;
    const Expr *expr = build_expr(self, id);
    bool follows = false;
    while (expr->kind == EXPR_MEMBER || expr->kind == EXPR_DEREF || expr->kind == EXPR_CAST) {
        follows = expr->kind == EXPR_DEREF || (follows && expr->kind == EXPR_CAST);
        expr = build_expr(self, id = expr->a);
    }
    if (!follows || expr->kind != EXPR_VAR || self->tracked[id] < 2)
        return;
    for (u32 s = self->steps.count; s-- > self->block_step;) {
        const SkeletonStep *step = &self->steps.items[s];
        if (step->expr != id || (step->kind != STEP_FOLLOWED && step->kind != STEP_SET))
            continue;
        if (step->kind == STEP_FOLLOWED)
            return;
        break; // it was given another value since
    }
    array_push(
        &self->steps,
        ((SkeletonStep){.kind = STEP_FOLLOWED, .expr = id, .place = event->place, .call = NO_ID, .result = NO_ID}));
}
