// elected.c: what one thread of many does, known by its number.
// In: the steps of a body, numbers that only one thread has. Out: Analysis.elected: accesses that are made only where
// such a number is a certain constant: `if (me == 0) …`.
// The idea: no two threads have the same number, so of those that come to the branch one goes in. Invariant: every way
// to such an access goes by the branch.
#include "racerx/facts/skeleton.h"

// The way of a branch that one thread goes: 0: where the condition holds, 1: where it does not, NO_ID: neither.
static u32 elects(Build *build, ExprId id, u64 *key) {
    const Expr *test = build_expr(build, id);
    ExprId number = id;
    i64 wanted = 0;
    u32 way = 1;
    while (test->kind == EXPR_CAST || (test->kind == EXPR_UNARY && test->op == OP_NOT)) {
        way ^= test->kind == EXPR_UNARY;
        test = build_expr(build, number = test->a);
    }
    if (test->kind == EXPR_BINARY && (test->op == OP_EQ || test->op == OP_NE)) {
        bool second = build_constant(build, test->b, &wanted, 0);
        if (!second && !build_constant(build, test->a, &wanted, 0))
            return NO_ID;
        number = second ? test->a : test->b;
        way ^= test->op == OP_EQ;
    }
    u32 step = build_number(build, number);
    *key = hash_mix(step, (u64)wanted) | 1;
    return step && (step == STEP_OWN || !(step & STEP_TICKET)) ? way : NO_ID;
}

// Blocks that are come to without going from `from` to its successor `way`.
static void fill_without(const Build *build, u32 from, u32 way, Bitset *seen, U32Array *work) {
    bitset_resize(seen, build->blocks.count);
    bitset_set(seen, 0);
    array_push(work, 0);
    while (work->count) {
        u32 block = work->items[--work->count];
        const SkeletonBlock *one = &build->blocks.items[block];
        for (u32 i = 0; i < one->successor_count; i++) {
            u32 next = build->successors.items[one->successor + i];
            if ((block == from && i == way) || bitset_has(seen, next))
                continue;
            bitset_set(seen, next);
            array_push(work, next);
        }
    }
}

static void put_elected(Build *build, u32 block, u64 key) {
    const SkeletonBlock *one = &build->blocks.items[block];
    for (u32 s = one->step; s < one->step + one->step_count; s++) {
        const SkeletonStep *step = &build->steps.items[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++)
            *map_put(&build->analysis->elected, step->effect + i, NULL) = (u32)(key ^ key >> 32) | 1;
    }
}

// requires: all steps and accesses of the function. fills: Analysis.elected.
void build_elected(Build *build) {
    U32Array work = {0};
    for (u32 b = 0; build->analysis->given.count && b < build->blocks.count; b++) {
        const Block *block = &build->body->blocks.items[b];
        u64 key;
        u32 way = block->term == TERM_BRANCH && block->successor_count == 2 && block->value
                      ? elects(build, block->value, &key)
                      : NO_ID;
        if (way == NO_ID || build->blocks.items[b].successor_count != 2)
            continue;
        Bitset seen = {0};
        fill_without(build, b, way, &seen, &work);
        for (u32 k = 0; k < build->blocks.count; k++)
            if (!bitset_has(&seen, k))
                put_elected(build, k, key);
        bitset_free(&seen);
    }
    array_free(&work);
}
