// spun.c: a word that is claimed again and again until it is had is a lock, whoever made it.
// In: a call that claims a word (kind `claim`), the body that it is in. Out: its effects as those of a lock that is
// waited for. The idea: who goes on only with the word has waited for it, as for a lock; who does something else
// meanwhile, or gives up, has only tried.
// Invariant: where it failed nothing happens but waiting: no way leads on, nothing is called that the tree has, nothing
// is written but locals.
#include "racerx/facts/skeleton.h"

#define SPUN_BLOCKS 12 // a round of waiting has no more
#define SPUN_FUNCTION 4096

static u32 block_of(const Body *body, ExprId call) {
    for (u32 b = 0; b < body->blocks.count; b++)
        for (u32 e = 0; e < body->blocks.items[b].event_count; e++) {
            const Event *event = &body->events.items[body->blocks.items[b].event + e];
            if (event->kind == EVENT_CALL && event->expr == call)
                return b;
        }
    return NO_ID;
}

static bool is_result(const Build *self, ExprId id, ExprId call) {
    for (u32 depth = 0; id && depth < 8; depth++) {
        const Expr *expr = build_expr(self, id);
        if (id == call)
            return true;
        id = expr->kind == EXPR_CAST                          ? expr->a
             : expr->kind == EXPR_ASSIGN                      ? expr->b
             : expr->kind == EXPR_VAR && self->alias[expr->a] ? self->alias[expr->a]
                                                              : 0;
    }
    return false;
}

// The successor that a branch on the call's result takes when the word was not had, from 0; NO_ID: it is none.
static u32 failed_successor(Build *self, const Block *block, ExprId call, bool zero_succeeds) {
    Test test = block->term == TERM_BRANCH ? build_test(self, block) : (Test){.relation = REL_OPAQUE};
    if ((test.relation != REL_EQ && test.relation != REL_NE) || !is_result(self, test.subject, call))
        return NO_ID;
    bool first_is_zero = (test.relation == REL_EQ) == (test.constant == 0);
    return first_is_zero == zero_succeeds ? 1 : 0;
}

static bool only_waits(Build *self, const Event *event) {
    const Analysis *analysis = self->analysis;
    const Expr *expr = build_expr(self, event->expr);
    if (event->kind == EVENT_WRITE)
        return expr->kind == EXPR_VAR;
    if (event->kind == EVENT_LOST)
        return false;
    if (event->kind != EVENT_CALL)
        return true;
    const Expr *callee = build_expr(self, expr->a);
    if (callee->kind != EXPR_NAME)
        return false;
    NameId name = build_name(self, callee->a);
    const u32 more = SAID_LOCK | SAID_JOINS | SAID_REGISTERS | SAID_SIGNALS | SAID_QUEUES;
    FunctionId target = program_function(analysis->program, self->info->file, name);
    return target == NO_ID ? !(program_said(analysis->program, name) & more)
                           : !analysis->program->functions.items[target].call_count;
}

// Does every way from here come back to the block, with nothing done but waiting?
bool build_comes_back(Build *self, u32 from, u32 to) {
    const Body *body = self->body;
    u32 seen[SPUN_BLOCKS], count = 0;
    seen[count++] = from;
    for (u32 i = 0; i < count; i++) {
        const Block *block = &body->blocks.items[seen[i]];
        if (seen[i] == to)
            continue;
        if (block->term != TERM_JUMP && block->term != TERM_BRANCH)
            return false;
        for (u32 e = 0; e < block->event_count; e++)
            if (!only_waits(self, &body->events.items[block->event + e]))
                return false;
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = body->successors.items[block->successor + s].block, k = 0;
            while (k < count && seen[k] != next)
                k++;
            if (k == count && count == SPUN_BLOCKS)
                return false;
            if (k == count)
                seen[count++] = next;
        }
    }
    for (u32 i = 0; i < count; i++)
        if (seen[i] == to)
            return true;
    return false;
}

static bool is_claim(const LockEffect *effect) {
    return effect->kind == EFFECT_ACQUIRE && lock_has(effect->lock, TRAIT_CLAIMS) && effect->flags & LOCK_TRY &&
           (effect->returns == RETURNS_ZERO || effect->returns == RETURNS_NONZERO);
}

// The block that the result is asked in: the call's own, or the one that it only leads to.
static bool waits_for(Build *self, ExprId call, bool zero_succeeds) {
    const Body *body = self->body;
    u32 at = body->blocks.count <= SPUN_FUNCTION ? block_of(body, call) : NO_ID, asked = at;
    for (u32 hops = 0; asked != NO_ID && hops < 3; hops++) {
        const Block *block = &body->blocks.items[asked];
        u32 failed = failed_successor(self, block, call, zero_succeeds);
        if (failed != NO_ID)
            return build_comes_back(self, body->successors.items[block->successor + failed].block, at);
        if (block->term != TERM_JUMP)
            return false;
        asked = body->successors.items[block->successor].block;
    }
    return false;
}

u8 build_spun_kind(void) {
    u8 kind = 0;
    while (!lock_has(kind, TRAIT_STORED))
        kind++;
    return kind;
}

// `nobody = 0; while (!compare_exchange(&desk->owner, &nobody, me)) nobody = 0;`: a word that is claimed with a number,
// whatever it is, is claimed as with 1, when only constants are ever expected there: each time anew.
static bool is_claimed_by_number(const Build *self, ExprId id, const LockEffect *effect) {
    const Expr *call = build_expr(self, id);
    i64 constant;
    if (call->c < 3 || effect->choice.argument != 3)
        return false;
    ExprId desired = self->body->lists.items[call->b + 2];
    const Expr *given = build_expr(self, self->body->lists.items[call->b + 1]);
    const Expr *expected = given->kind == EXPR_ADDRESS ? build_expr(self, given->a) : NULL;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, desired));
    if (!expected || expected->kind != EXPR_VAR || build_constant(self, desired, &constant, 0) || !type_known(type) ||
        type_kind(self->analysis->program, type) != TYPE_INT)
        return false;
    bool anew = false;
    u32 at = block_of(self->body, id);
    for (u32 b = 0; b < self->body->blocks.count; b++)
        for (u32 e = 0; e < self->body->blocks.items[b].event_count; e++) {
            const Event *event = &self->body->events.items[self->body->blocks.items[b].event + e];
            if (event->kind != EVENT_WRITE || build_expr(self, event->expr) != expected)
                continue;
            if (!event->value || !build_constant(self, event->value, &constant, 0))
                return false;
            anew |= b >= at;
        }
    return anew;
}

const LockEffect *build_spun(Build *self, ExprId call, const LockEffect *effects, u32 *count) {
    bool waits = false;
    for (u32 i = 0; i < *count && !waits; i++)
        waits = is_claim(&effects[i]) && waits_for(self, call, effects[i].returns == RETURNS_ZERO);
    if (!waits)
        return effects;
    LockEffect *spun = arena_alloc(&self->analysis->arena, sizeof(LockEffect) * *count);
    memcpy(spun, effects, sizeof(LockEffect) * *count);
    for (u32 i = 0; i < *count; i++) {
        if (!is_claim(&spun[i]))
            continue;
        spun[i].lock = build_spun_kind();
        spun[i].flags &= ~(u32)LOCK_TRY;
        if (is_claimed_by_number(self, call, &spun[i])) { // whichever number: it is the only effect
            spun[i].choice = (Choice){0};
            *count = 1;
            return &spun[i];
        }
    }
    return spun;
}
