// asked.c: what does a function ask before it waits, or takes a lock?
// In: a body, the place of a call. Out: two answers.
// asks_who_runs: a wait is only come to when a comparison, right before it, of what is waited for with what some call
// or name says (`current_work() != &port->work`, `current != device->thread`, `!pthread_equal(pthread_self(), thread)`)
// has gone one way. Both ways are not told apart: nobody asks in order to wait for himself. keeps_book: a lock is only
// taken when a condition on some place was met, and that place is stored to right after it was taken (`if (owner != me)
// { lock(); owner = me; }`, `if (!locked) { lock(); locked = 1; }`): who comes by without taking it has it.
#include "racerx/check/asked.h"

#define EXPRS_DEEP 16 // operators in an expression that are looked into

static const Expr *strip(const Body *body, ExprId *id) {
    while (body->exprs.items[*id].kind == EXPR_CAST)
        *id = body->exprs.items[*id].a;
    return &body->exprs.items[*id];
}

// Are two expressions the same words?
static bool are_same(const Body *body, ExprId a, ExprId b, u32 deep) {
    const Expr *x = strip(body, &a), *y = strip(body, &b);
    if (x->kind != y->kind || !deep)
        return false;
    switch (x->kind) {
    case EXPR_VAR:
    case EXPR_NAME: return x->a == y->a;
    case EXPR_MEMBER: return x->b == y->b && are_same(body, x->a, y->a, deep - 1);
    case EXPR_DEREF:
    case EXPR_ADDRESS: return are_same(body, x->a, y->a, deep - 1);
    case EXPR_INDEX: return are_same(body, x->a, y->a, deep - 1) && are_same(body, x->b, y->b, deep - 1);
    default: return false;
    }
}

static bool is_argument(const Body *body, const Expr *wait, ExprId id) {
    for (u32 i = 0; i < wait->c; i++)
        if (are_same(body, body->lists.items[wait->b + i], id, EXPRS_DEEP))
            return true;
    return false;
}

// What a call, or a name of no variable, says: who runs.
static bool is_told(const Body *body, ExprId id) {
    const Expr *expr = strip(body, &id);
    return expr->kind == EXPR_CALL || expr->kind == EXPR_NAME;
}

static bool compares(const Body *body, const Expr *wait, ExprId a, ExprId b) {
    return (is_argument(body, wait, a) && is_told(body, b)) || (is_argument(body, wait, b) && is_told(body, a));
}

static bool asks(const Body *body, const Expr *wait, ExprId condition, u32 deep) {
    const Expr *expr = strip(body, &condition);
    if (!deep)
        return false;
    if (expr->kind == EXPR_UNARY)
        return asks(body, wait, expr->a, deep - 1);
    if (expr->kind == EXPR_CALL && expr->c == 2)
        return compares(body, wait, body->lists.items[expr->b], body->lists.items[expr->b + 1]);
    if (expr->kind != EXPR_BINARY)
        return false;
    return ((expr->op == OP_EQ || expr->op == OP_NE) && compares(body, wait, expr->a, expr->b)) ||
           asks(body, wait, expr->a, deep - 1) || asks(body, wait, expr->b, deep - 1);
}

// The only block that leads to this one; NO_ID: there are several, or none.
static u32 only_before(const Body *body, u32 block) {
    u32 found = NO_ID;
    for (u32 b = 0; b < body->blocks.count; b++)
        for (u32 s = 0; s < body->blocks.items[b].successor_count; s++) {
            if (body->successors.items[body->blocks.items[b].successor + s].block != block)
                continue;
            if (found != NO_ID)
                return NO_ID;
            found = b;
        }
    return found;
}

static bool is_asked_before(const Body *body, u32 block, const Expr *wait) {
    for (u32 steps = 0; steps < body->blocks.count; steps++) {
        block = only_before(body, block);
        if (block == NO_ID)
            return false;
        const Block *before = &body->blocks.items[block];
        if (before->term == TERM_BRANCH && asks(body, wait, before->value, EXPRS_DEEP))
            return true;
    }
    return false;
}

// The block and the event of the call at a place.
typedef struct {
    u32 block, event; // NO_ID: there is no such call; Body.events
} CallSpot;

static CallSpot spot_of_call(const Body *body, Place place) {
    for (u32 b = 0; b < body->blocks.count; b++)
        for (u32 e = 0; e < body->blocks.items[b].event_count; e++) {
            u32 at = body->blocks.items[b].event + e;
            const Event *event = &body->events.items[at];
            if (event->kind == EVENT_CALL && event->place.line == place.line && event->place.column == place.column)
                return (CallSpot){b, at};
        }
    return (CallSpot){NO_ID, NO_ID};
}

bool asks_who_runs(const Analysis *self, FunctionId function, Place place) {
    Body body = {0};
    if (!program_body(self->program, function, &body))
        return false;
    CallSpot spot = spot_of_call(&body, place);
    bool found = spot.block != NO_ID &&
                 is_asked_before(&body, spot.block, &body.exprs.items[body.events.items[spot.event].expr]);
    body_free(&body);
    return found;
}

// Does an expression read the place somewhere?
static bool mentions(const Body *body, ExprId id, ExprId place, u32 deep) {
    const Expr *expr = strip(body, &id);
    if (!deep || are_same(body, id, place, EXPRS_DEEP))
        return deep != 0;
    if (expr->kind == EXPR_UNARY)
        return mentions(body, expr->a, place, deep - 1);
    return expr->kind == EXPR_BINARY &&
           (mentions(body, expr->a, place, deep - 1) || mentions(body, expr->b, place, deep - 1));
}

// The condition that decides whether control comes to a block; 0: there is none right before.
static ExprId condition_of(const Body *body, u32 block) {
    u32 before = only_before(body, block);
    return before != NO_ID && body->blocks.items[before].term == TERM_BRANCH ? body->blocks.items[before].value : 0;
}

static bool is_booked(const Body *body, CallSpot spot) {
    const Block *block = &body->blocks.items[spot.block];
    ExprId condition = condition_of(body, spot.block);
    for (u32 e = spot.event + 1; condition && e < block->event + block->event_count; e++)
        if (body->events.items[e].kind == EVENT_WRITE &&
            mentions(body, condition, body->events.items[e].expr, EXPRS_DEEP))
            return true;
    return false;
}

bool keeps_book(const Analysis *self, FunctionId function, Place place) {
    Body body = {0};
    if (!program_body(self->program, function, &body))
        return false;
    CallSpot spot = spot_of_call(&body, place);
    bool found = spot.block != NO_ID && is_booked(&body, spot);
    body_free(&body);
    return found;
}
