// turns.c: locks with numbers: who wants one draws a number, and waits until it is the one that is served.
// In: bodies of programs. Out: which calls draw such a number, and which words say whose turn it is. `my = next++ in
// one piece; while (serving != my) wait;` takes the lock that `serving` is; who counts it up, or stores another number,
// lets it go. Between the number and the turn nothing happens but waiting, so the call that draws stands for both.
// Invariant: the word that is waited for is known by a class of its own; one behind a bare parameter is not followed.
#include "racerx/facts/skeleton.h"

#define TURNS_BLOCKS 4096 // of a function

// What a local that is written once stands for, and what a cast is of.
static ExprId origin(const Build *self, ExprId id) {
    for (u32 depth = 0; id && depth < 8; depth++) {
        const Expr *expr = build_expr(self, id);
        ExprId next = expr->kind == EXPR_CAST                          ? expr->a
                      : expr->kind == EXPR_ASSIGN                      ? expr->b
                      : expr->kind == EXPR_VAR && self->alias[expr->a] ? self->alias[expr->a]
                                                                       : 0;
        if (!next)
            return id;
        id = next;
    }
    return id;
}

// An atomic operation, and how it counts.
static bool atomic_call(const Build *self, ExprId id, u8 *counts, bool *writes) {
    const Expr *call = build_expr(self, id);
    const CallFact *facts;
    *counts = COUNTS_NOT;
    *writes = false;
    if (call->kind != EXPR_CALL || !call->c || build_expr(self, call->a)->kind != EXPR_NAME)
        return false;
    const char *name = program_text(self->analysis->program, build_name(self, build_expr(self, call->a)->a));
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name), SAID_ATOMIC, &facts);
    for (u32 i = 0; i < count; i++) {
        *counts = facts[i].counts ? facts[i].counts : *counts;
        *writes |= (facts[i].access & ACCESS_WRITE) != 0;
    }
    return count != 0;
}

// The class of a word, given its address or itself; 0: it has none of its own.
static ClassId word_class(Build *self, ExprId id, bool address, PathId *path) {
    const Expr *expr = build_expr(self, id);
    while (address && expr->kind == EXPR_CAST)
        expr = build_expr(self, id = expr->a);
    ClassId class = 0;
    *path = 0;
    if (address) {
        class = class_of(self, id, NULL);
        *path = build_lock(self, id);
    } else if (expr->kind == EXPR_MEMBER && build_expr(self, expr->a)->kind == EXPR_DEREF) {
        const char *member = program_text(self->analysis->program, build_name(self, expr->b));
        class = class_of_member(self, build_expr(self, expr->a)->a, member, NO_ID);
        *path = build_place(self, id, 0);
    }
    const LockClass *info = &self->analysis->classes.items[class];
    return class < CLASS_FIRST || info->parameter || info->local ? 0 : class;
}

// Who waits in this block for its turn? The call that drew the number, and the word that is looked at.
static bool find_turn(Build *self, u32 at, ExprId *drawn, ExprId *word, bool *address) {
    const Block *block = &self->body->blocks.items[at];
    const Expr *test = block->term == TERM_BRANCH && block->value ? build_expr(self, block->value) : NULL;
    if (!test || test->kind != EXPR_BINARY || (test->op != OP_EQ && test->op != OP_NE) || block->successor_count != 2)
        return false;
    for (u32 way = 0; way < 2; way++) {
        ExprId mine = origin(self, way ? test->b : test->a), seen = origin(self, way ? test->a : test->b);
        u8 counts;
        bool writes;
        if (!atomic_call(self, mine, &counts, &writes) || counts != COUNTS_UP)
            continue;
        *drawn = mine;
        *address = atomic_call(self, seen, &counts, &writes);
        if (*address && (writes || counts))
            continue;
        *word = *address ? self->body->lists.items[build_expr(self, seen)->b] : seen;
        u32 other = self->body->successors.items[block->successor + (test->op == OP_EQ)].block;
        return build_comes_back(self, other, at);
    }
    return false;
}

static void find_in(Analysis *analysis, FunctionId function, Body *body) {
    if (!program_body(analysis->program, function, body) || body->blocks.count > TURNS_BLOCKS)
        return;
    Build self;
    ExprId drawn, word;
    bool address;
    build_begin(&self, analysis, function, body);
    for (u32 b = 0; b < body->blocks.count; b++) {
        PathId path;
        if (!find_turn(&self, b, &drawn, &word, &address))
            continue;
        ClassId class = word_class(&self, word, address, &path);
        if (!class)
            continue;
        *map_put(&analysis->turns, (u64)function << 32 | drawn, NULL) = word << 1 | address;
        map_put(&analysis->served, class, NULL);
    }
    build_end(&self);
}

// requires: fill_lock_records. fills: turns, served.
void fill_turns(Analysis *analysis) {
    Body body = {0};
    for (FunctionId f = 0; analysis->binds_data && f < analysis->program->functions.count; f++)
        find_in(analysis, f, &body);
    body_free(&body);
}

static bool is_served(const Analysis *self, ClassId class) {
    for (; class; class = self->classes.items[class].base)
        if (map_get((Map *)&self->served, class))
            return true;
    return false;
}

static void put_operation(Build *self, SkeletonStep *step, u8 kind, ClassId class, PathId path) {
    LockEffect *effect = arena_zero(&self->analysis->arena, sizeof(LockEffect));
    effect->kind = kind;
    effect->lock = build_spun_kind();
    effect->mode = MODE_EXCLUSIVE;
    LockClass *info = &self->analysis->classes.items[class];
    info->kind = info->kind == LOCK_KINDS ? effect->lock : info->kind;
    info->acquires += kind == EFFECT_ACQUIRE;
    info->releases += kind == EFFECT_RELEASE;
    step->kind = STEP_LOCK;
    step->effect = self->analysis->operations.count;
    step->effect_count = 1;
    array_push(&self->analysis->operations, ((LockOperation){.effect = effect, .class = class, .path = path}));
}

bool build_turn(Build *self, SkeletonStep *step, ExprId id) {
    Analysis *analysis = self->analysis;
    if (!analysis->served.count)
        return false;
    const u32 *drawn = map_get(&analysis->turns, (u64)self->function << 32 | id);
    PathId path;
    u8 counts;
    bool writes;
    if (drawn) {
        ClassId class = word_class(self, *drawn >> 1, *drawn & 1, &path);
        if (class)
            put_operation(self, step, EFFECT_ACQUIRE, class, path);
        return class != 0;
    }
    const Expr *call = build_expr(self, id);
    i64 constant;
    if (!atomic_call(self, id, &counts, &writes) || !(writes || counts) ||
        (!counts && (call->c < 2 || build_constant(self, self->body->lists.items[call->b + 1], &constant, 0))))
        return false; // a constant sets it up
    ClassId class = word_class(self, self->body->lists.items[call->b], true, &path);
    if (!class || !is_served(analysis, class))
        return false;
    put_operation(self, step, EFFECT_RELEASE, class, path);
    return true;
}

bool build_turn_ends(Build *self, SkeletonStep *step, const Event *event) {
    i64 constant;
    PathId path;
    if (!self->analysis->served.count || !event->value || build_constant(self, event->value, &constant, 0))
        return false;
    ClassId class = word_class(self, event->expr, false, &path);
    if (!class || !is_served(self->analysis, class))
        return false;
    put_operation(self, step, EFFECT_RELEASE, class, path);
    return true;
}
