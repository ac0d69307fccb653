// conditions.c: what branches test: signs of values, conditions met more than once, calls that are made again.
// In: a decoded body. Out: which expressions the walk keeps facts about (Build.tracked, tested_often, same_call,
// mentions). A condition tested twice with nothing written in between goes the same way twice (assumption 16).
#include "racerx/facts/skeleton.h"

// A number that is written there, or an enumerator.
bool build_constant(const Build *self, ExprId id, i64 *out, u32 depth) {
    const Expr *expr = build_expr(self, id);
    i64 left, right;
    if (!id || depth > 8)
        return false;
    switch (expr->kind) {
    case EXPR_INT: *out = expr_int(expr); return true;
    case EXPR_CAST: return build_constant(self, expr->a, out, depth + 1);
    case EXPR_NAME: return constant_named(self->analysis, self->scope.file, build_name(self, expr->a), out);
    case EXPR_UNARY:
        if (!build_constant(self, expr->a, &left, depth + 1))
            return false;
        *out = expr->op == OP_NEG     ? (i64)(0 - (u64)left)
               : expr->op == OP_COMPL ? ~left
               : expr->op == OP_NOT   ? !left
                                      : left;
        return true;
    case EXPR_BINARY:
        if ((expr->op != OP_OR && expr->op != OP_AND) || !build_constant(self, expr->a, &left, depth + 1) ||
            !build_constant(self, expr->b, &right, depth + 1))
            return false;
        *out = expr->op == OP_OR ? left | right : left & right;
        return true;
    default: return false;
    }
}

// `x & CONSTANT`: what is masked, and by which bits.
ExprId build_masked(const Build *self, ExprId id, i64 *bits) {
    const Expr *expr = build_expr(self, id);
    if (expr->kind != EXPR_BINARY || expr->op != OP_AND)
        return 0;
    ExprId of = build_constant(self, expr->b, bits, 0) ? expr->a : build_constant(self, expr->a, bits, 0) ? expr->b : 0;
    while (of && build_expr(self, of)->kind == EXPR_CAST)
        of = build_expr(self, of)->a;
    return of && build_expr(self, of)->kind != EXPR_INT ? of : 0;
}

bool expr_is_place(const Expr *expr) {
    return expr->kind == EXPR_NAME || expr->kind == EXPR_MEMBER || expr->kind == EXPR_DEREF || expr->kind == EXPR_INDEX;
}

// What an expression's value can be, or the tracked expression it has the value of.
ValueId build_known(Build *self, ExprId id, ExprId *source) {
    ValueTable *values = &self->analysis->values;
    i64 constant;
    *source = 0;
    for (u32 depth = 0; id && depth < 8; depth++) {
        const Expr *expr = build_expr(self, id);
        if (build_constant(self, id, &constant, 0))
            return value_constant(values, constant);
        switch (expr->kind) {
        case EXPR_ADDRESS:
        case EXPR_STRING:
        case EXPR_LABEL: return VALUE_POSITIVE;
        case EXPR_UNARY:
            if (expr->op == OP_NEG && build_expr(self, expr->a)->kind == EXPR_NAME)
                return VALUE_NEGATIVE; // -EINTR, when EINTR is no macro
            return VALUE_ANY;
        case EXPR_CAST:
        case EXPR_BLOCK: id = expr->a; continue;
        case EXPR_ASSIGN: id = expr->b; continue;
        case EXPR_BINARY: *source = build_masked(self, id, &constant) ? id : 0; return VALUE_ANY;
        case EXPR_VAR:
        case EXPR_CALL: *source = id; return VALUE_ANY;
        default: *source = expr_is_place(expr) ? id : 0; return VALUE_ANY;
        }
    }
    return VALUE_ANY;
}

u8 build_signs(Build *self, ExprId id) {
    ExprId source;
    return value_signs(&self->analysis->values, build_known(self, id, &source));
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

// What is compared there, as a place: `++i` is i, which has been counted by then; 0: something else.
static ExprId versus_operand(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    while (expr->kind == EXPR_CAST || (expr->kind == EXPR_STEP && expr->b)) {
        id = expr->a;
        expr = build_expr(self, id);
    }
    return expr->kind == EXPR_VAR || expr->kind == EXPR_NAME || expr->kind == EXPR_MEMBER ? id : 0;
}

// `i < n`, `i == n`, `n <= i`: one and the same question, how i compares with n. It is asked of the first of them.
static Test build_versus(const Build *self, ExprId id, u8 relation, u8 swapped) {
    ExprId all = self->versus ? self->versus[id] : 0;
    if (!all)
        return (Test){REL_OPAQUE, 0, 0};
    bool same = versus_operand(self, build_expr(self, id)->a) == versus_operand(self, build_expr(self, all)->a);
    relation = same ? relation : swapped;
    if (self->counts[all] && relation == REL_EQ) // it is never beyond
        relation = relation_opposite(self->counts[all]);
    else if (self->counts[all] && relation == REL_NE)
        relation = self->counts[all];
    return (Test){relation, all, 0};
}

// `x < CONSTANT` and the like, `!x`, `x`.
Test build_comparison_test(const Build *self, ExprId id) {
    static const u8 relations[][3] = {{OP_EQ, REL_EQ, REL_EQ}, {OP_NE, REL_NE, REL_NE}, {OP_LT, REL_LT, REL_GT},
                                      {OP_LE, REL_LE, REL_GE}, {OP_GT, REL_GT, REL_LT}, {OP_GE, REL_GE, REL_LE}};
    Test out = {REL_OPAQUE, 0, 0};
    const Expr *expr = build_expr(self, id);
    bool not = expr->kind == EXPR_UNARY && expr->op == OP_NOT;
    if (not || expr->kind == EXPR_VAR || expr_is_place(expr) || expr->kind == EXPR_CALL)
        return (Test){not ? REL_EQ : REL_NE, not ? expr->a : id, 0};
    if (build_masked(self, id, &out.constant))
        return (Test){REL_NE, id, 0};
    for (u32 i = 0; expr->kind == EXPR_BINARY && i < 6; i++)
        if (expr->op == relations[i][0]) {
            bool right = build_constant(self, expr->b, &out.constant, 0);
            if (right || build_constant(self, expr->a, &out.constant, 0))
                out = (Test){relations[i][right ? 1 : 2], build_subject(self, right ? expr->a : expr->b), out.constant};
            else
                out = build_versus(self, id, relations[i][1], relations[i][2]);
        }
    return out;
}

// Is it the head of a loop, a macro that was kept as a call? Each round asks anew, and another loop something else.
static bool is_iterator(const Build *self, const Expr *expr) {
    const Program *program = self->analysis->program;
    if (expr->kind != EXPR_NAME)
        return false;
    NameId name = build_name(self, expr->a);
    for (u32 i = 0; i < self->info->call_count; i++)
        if (program->calls.items[self->info->call + i].name == name)
            return true;
    return program_said(program, name) & SAID_ITERATOR;
}

// What a branch compares with which constant, as it stands there; enumerators are constants, too.
static Test plain_test(const Build *self, const Block *block) {
    Test out = {block->relation, build_subject(self, block->subject), block->constant};
    if (block->value && is_iterator(self, build_expr(self, block->value)))
        return (Test){.relation = REL_OPAQUE};
    if (block->relation == REL_OPAQUE)
        out = build_comparison_test(self, block->value);
    if (out.constant == 1 && (out.relation == REL_EQ || out.relation == REL_NE) && is_truth(self, out.subject)) {
        out.relation = relation_opposite(out.relation);
        out.constant = 0;
    }
    return out;
}

Test build_test(const Build *self, const Block *block) {
    bool negated;
    Block seen = build_seen_through(self, block, &negated);
    Test out = plain_test(self, &seen);
    if (negated)
        out.relation = relation_opposite(out.relation);
    return out;
}

// A pointer that nobody compares with error codes is none or something.
static bool is_plain_pointer(const Build *self, ExprId subject) {
    return build_expr(self, subject)->kind == EXPR_VAR && !self->compared[subject] &&
           type_kind(self->analysis->program, scope_strip(&self->scope, expr_type(&self->scope, subject))) ==
               TYPE_POINTER;
}

void test_values(const Build *self, const Test *test, ValueId *yes, ValueId *no) {
    ValueTable *values = &self->analysis->values;
    *yes = value_related(values, test->relation, test->constant);
    *no = value_related(values, relation_opposite(test->relation), test->constant);
    ValueId *some = *yes == VALUE_ZERO ? no : yes;
    if (*some == (VALUE_NEGATIVE | VALUE_POSITIVE) && is_plain_pointer(self, test->subject))
        *some = VALUE_POSITIVE;
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

void build_flag(Build *self, const Block *block, ExprId subject, SkeletonBlock *out) {
    u8 exact, first = relation_mask(block->relation, block->constant, &exact),
              second = relation_mask(relation_opposite(block->relation), block->constant, &exact);
    out->flag = !(first & second & VALUE_ZERO) ? flag_of(self, subject) : 0;
    out->counted = !(first & second & VALUE_ZERO) ? counted_of(self, subject) : 0;
    PathValue asked = !(first & second & VALUE_ZERO) ? build_value(self, subject, 0) : (PathValue){0};
    out->asked = asked.address ? 0 : asked.path;
    out->raised = !(first & VALUE_ZERO) ? 1 : 2;
    if ((out->raised == 1 ? second : first) == VALUE_ZERO)
        out->raised |= RAISED_OR_ZERO;
}

// Which successor says that the subject is a constant, or at least that.
static void fill_state(const Test *test, SkeletonBlock *out) {
    i64 value = test->constant + (test->relation == REL_GT || test->relation == REL_LE);
    bool equal = test->relation == REL_EQ || test->relation == REL_NE;
    out->state_value = (i32)value;
    out->state_on = test->relation == REL_EQ || test->relation == REL_GE || test->relation == REL_GT ? 1 : 2;
    out->state_least = !equal;
    if (value != (i32)value)
        out->state = 0;
}

// How a call counts its first argument, as is declared; COUNTS_NOT: it does not.
static u8 counts_of(const Build *self, const Expr *call) {
    const Expr *callee = build_expr(self, call->a);
    const CallFact *facts;
    if (callee->kind != EXPR_NAME || !call->c)
        return COUNTS_NOT;
    const char *name = program_text(self->analysis->program, build_name(self, callee->a));
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name), SAID_ATOMIC, &facts);
    for (u32 i = 0; i < count; i++)
        if (facts[i].counts)
            return facts[i].counts;
    return COUNTS_NOT;
}

// `--left == 0`, `fetch_sub(&left, 1) == 1`, `left == 0`, and what is left then was looked at before, too.
static void fill_emptied(const Build *self, ExprId subject, const Test *test, SkeletonBlock *out) {
    const Expr *expr = build_expr(self, subject);
    u8 counts = expr->kind == EXPR_CALL ? counts_of(self, expr) : COUNTS_NOT;
    bool before = counts == COUNTS_DOWN || (expr->kind == EXPR_STEP && expr->op == OP_SUB && !expr->b);
    i64 last = before ? 1 : 0;
    if (counts == COUNTS_UP || counts == COUNTS_UP_TO)
        return;
    if ((test->relation == REL_EQ || test->relation == REL_NE) && test->constant == last)
        out->emptied_on = test->relation == REL_EQ ? 1 : 2;
    else if ((test->relation == REL_GT && test->constant == last) ||
             (test->relation == REL_GE && test->constant == last + 1))
        out->emptied_on = 2;
    else if ((test->relation == REL_LE && test->constant == last) ||
             (test->relation == REL_LT && test->constant == last + 1))
        out->emptied_on = 1;
    else
        return;
    if (expr->kind == EXPR_STEP && !expr->b)
        subject = expr->a;
    out->emptied = counted_of(self, subject);
    out->counts_down = counts != COUNTS_NOT || expr->kind == EXPR_STEP;
}

void build_state(const Build *self, const Block *block, SkeletonBlock *out) {
    Test test = build_test(self, block);
    ExprId subject = block->relation == REL_OPAQUE ? test.subject : block->subject;
    if (test.relation == REL_OPAQUE || !subject)
        return;
    while (build_expr(self, subject)->kind == EXPR_CAST)
        subject = build_expr(self, subject)->a;
    out->state = counted_of(self, subject);
    if (out->state)
        fill_state(&test, out);
    fill_emptied(self, subject, &test, out);
}

ExprId build_subject(const Build *self, ExprId id) {
    for (u32 depth = 0; id && depth < 4; depth++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_ASSIGN && expr->op == OP_NONE)
            id = build_expr(self, expr->a)->kind == EXPR_VAR ? expr->a : expr->b;
        else if (((expr->kind == EXPR_STEP && expr->b) || expr->kind == EXPR_ASSIGN) &&
                 build_expr(self, expr->a)->kind == EXPR_VAR)
            id = expr->a; // `--left > 0` asks what is left, as `left` does afterwards
        else if (expr->kind == EXPR_CAST || (expr->kind == EXPR_BLOCK && expr->a))
            id = expr->a;
        else
            break;
    }
    return id;
}

// Variables, members and globals in a tracked expression: writing one makes it forgotten.
static void put_mentions(Build *self, ExprId tracked) {
    ExprId stack[MENTIONS_MOST + 2];
    u32 depth = 0;
    stack[depth++] = tracked;
    while (depth) {
        ExprId id = stack[--depth];
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_VAR)
            array_push(&self->mentions, ((Mention){tracked, MENTIONS_VAR, expr->a, 0}));
        if (expr->kind == EXPR_MEMBER || expr->kind == EXPR_NAME)
            array_push(&self->mentions, ((Mention){tracked, MENTIONS_NAME,
                                                   build_name(self, expr->kind == EXPR_NAME ? expr->a : expr->b), id}));
        if (expr->kind == EXPR_MEMBER || expr->kind == EXPR_DEREF || expr->kind == EXPR_CAST ||
            expr->kind == EXPR_UNARY || expr->kind == EXPR_STEP) {
            stack[depth++] = expr->a;
        } else if (expr->kind == EXPR_BINARY || expr->kind == EXPR_INDEX) {
            if (limit_cuts(LIMIT_MENTIONS_MOST, depth >= MENTIONS_MOST)) {
                array_push(&self->mentions, ((Mention){tracked, MENTIONS_ANY, 0, 0}));
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
    u8 *heads = must_zero(body->blocks.count + 1u); // of loops: what is asked for each round has another answer at last
    for (u32 b = 0; b < body->blocks.count; b++)
        for (u32 s = 0; s < body->blocks.items[b].successor_count; s++) {
            u32 next = body->successors.items[body->blocks.items[b].successor + s].block;
            heads[next] |= next <= b;
        }
    for (u32 b = 0; b < body->blocks.count; b++) {
        ExprId id = body->blocks.items[b].term == TERM_BRANCH ? build_subject(self, body->blocks.items[b].subject) : 0;
        const Expr *call = id && !heads[b] ? build_expr(self, id) : NULL;
        if (!call || call->kind != EXPR_CALL || build_expr(self, call->a)->kind != EXPR_NAME)
            continue;
        for (u32 k = 0; k < b && !self->same_call[id]; k++) {
            ExprId other =
                body->blocks.items[k].term == TERM_BRANCH ? build_subject(self, body->blocks.items[k].subject) : 0;
            const Expr *first = other && other != id && !heads[k] ? build_expr(self, other) : NULL;
            if (!first || first->kind != EXPR_CALL || first->a != call->a || first->c != call->c)
                continue;
            bool same = true;
            for (u32 i = 0; i < call->c && same; i++)
                same = body->lists.items[call->b + i] == body->lists.items[first->b + i];
            if (same)
                self->same_call[id] = self->same_call[other] ? self->same_call[other] : other;
        }
    }
    free(heads);
}

typedef struct {
    ExprId id, left, right;
} Versus;
#define COUNTS_BOTH 255 // in Build.counts, while it is filled

static bool versus_of(const Build *self, const Block *asked, Versus *out) {
    bool negated;
    Block seen = build_seen_through(self, asked, &negated), *block = &seen;
    const Expr *expr = build_expr(self, block->value);
    i64 constant;
    if (block->term != TERM_BRANCH || block->relation != REL_OPAQUE || !block->value || expr->kind != EXPR_BINARY ||
        (expr->op != OP_EQ && expr->op != OP_NE && expr->op != OP_LT && expr->op != OP_LE && expr->op != OP_GT &&
         expr->op != OP_GE) ||
        build_constant(self, expr->a, &constant, 0) || build_constant(self, expr->b, &constant, 0))
        return false;
    *out = (Versus){block->value, versus_operand(self, expr->a), versus_operand(self, expr->b)};
    return out->left && out->right;
}

static bool is_stepped(const Build *self, ExprId operand) {
    for (u32 id = 1; id < self->body->exprs.count; id++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_STEP && expr->a == operand)
            return true;
    }
    return false;
}

// Does one of the two count by ones until it meets the other? Then nobody asks whether it is beyond.
static void fill_counts(Build *self) {
    for (u32 b = 0; b < self->body->blocks.count; b++) {
        Versus one;
        ExprId all = versus_of(self, &self->body->blocks.items[b], &one) ? self->versus[one.id] : 0;
        Test test = all ? build_comparison_test(self, one.id) : (Test){0};
        if (!all || test.relation == REL_EQ || test.relation == REL_NE)
            continue;
        u8 way = test.relation == REL_LT || test.relation == REL_GE ? REL_LT : REL_GT;
        self->counts[all] = !self->counts[all] || self->counts[all] == way ? way : COUNTS_BOTH;
    }
    for (u32 id = 1; id < self->body->exprs.count; id++)
        if (self->versus[id] == id && self->counts[id])
            if (self->counts[id] == COUNTS_BOTH || !(is_stepped(self, versus_operand(self, build_expr(self, id)->a)) ||
                                                     is_stepped(self, versus_operand(self, build_expr(self, id)->b))))
                self->counts[id] = 0;
}

// Whether a loop ran out, asked again after it: `for (…; i < n; …) … if (i == n)`. What is asked in the same words only
// is a condition like others.
static void fill_versus(Build *self) {
    Versus all[VERSUS_MOST];
    u32 count = 0;
    for (u32 b = 0; b < self->body->blocks.count; b++) {
        Versus one;
        if (!versus_of(self, &self->body->blocks.items[b], &one))
            continue;
        for (u32 i = 0; i < count; i++)
            if (all[i].id != one.id && ((all[i].left == one.left && all[i].right == one.right) ||
                                        (all[i].left == one.right && all[i].right == one.left))) {
                self->versus[one.id] = self->versus[all[i].id] = all[i].id;
                break;
            }
        if (limit_cuts(LIMIT_VERSUS_MOST, count >= VERSUS_MOST))
            break;
        all[count++] = one;
    }
}

bool build_is_versus(const Build *self, ExprId subject) { return self->versus && self->versus[subject]; }

typedef struct {
    ExprId id, counter, end; // the comparison, what is compared, and with what
    u8 relation;             // of the counter to the end
} RunOut;

// A constant that is no sign's business: 1, 4, `sizeof table / sizeof table[0]`.
static bool is_end(const Build *self, ExprId id, u32 depth) {
    i64 constant;
    if (!id || depth > 8)
        return false;
    if (build_constant(self, id, &constant, 0))
        return depth || constant;
    const Expr *expr = build_expr(self, id);
    return expr->kind == EXPR_SIZEOF || (expr->kind == EXPR_CAST && is_end(self, expr->a, depth + 1)) ||
           (expr->kind == EXPR_BINARY && is_end(self, expr->a, depth + 1) && is_end(self, expr->b, depth + 1));
}

static bool ending_of(const Build *self, ExprId id, RunOut *out) {
    static const u8 relations[][3] = {{OP_EQ, REL_EQ, REL_EQ}, {OP_NE, REL_NE, REL_NE}, {OP_LT, REL_LT, REL_GT},
                                      {OP_LE, REL_LE, REL_GE}, {OP_GT, REL_GT, REL_LT}, {OP_GE, REL_GE, REL_LE}};
    bool not = false;
    for (; build_expr(self, id)->kind == EXPR_UNARY && build_expr(self, id)->op == OP_NOT; not = !not )
        id = build_expr(self, id)->a;
    const Expr *expr = build_expr(self, id);
    if (!id || expr->kind != EXPR_BINARY)
        return false;
    bool right = is_end(self, expr->b, 0);
    *out = (RunOut){id, versus_operand(self, right ? expr->a : expr->b), right ? expr->b : expr->a, 0};
    for (u32 i = 0; i < 6; i++)
        if (expr->op == relations[i][0])
            out->relation = relations[i][right ? 1 : 2];
    out->relation = not ? relation_opposite(out->relation) : out->relation;
    return out->relation && out->counter && is_end(self, out->end, 0) && is_stepped(self, out->counter);
}

// Does it say that the end was reached?
static bool is_over(u8 relation) { return relation == REL_EQ || relation == REL_GE || relation == REL_LE; }

static bool ended_branch(const Build *self, const Block *block, RunOut *out) {
    return block->term == TERM_BRANCH && block->value && ending_of(self, block->value, out);
}

// Two ways of counting, `i < 4` and `i > 4` or `i <= 4`, ask two things.
static u8 way_counted(u8 relation) {
    return relation == REL_LT || relation == REL_GE ? REL_LT : relation == REL_GT || relation == REL_LE ? REL_GT : 0;
}

// `for (…; i < 4; i++) … if (i == 4)`: what counts by ones to a constant is never beyond it, so that both ask whether
// it is there. One stands for all; counted both ways, none does.
static void fill_ended(Build *self) {
    RunOut all[VERSUS_MOST];
    u8 ways[VERSUS_MOST];
    u32 count = 0;
    for (u32 b = 0; b < self->body->blocks.count; b++) {
        RunOut one;
        u32 i = 0;
        if (!ended_branch(self, &self->body->blocks.items[b], &one))
            continue;
        while (i < count && (all[i].counter != one.counter || all[i].end != one.end))
            i++;
        if (i == count) {
            if (limit_cuts(LIMIT_VERSUS_MOST, count >= VERSUS_MOST))
                break;
            all[count] = one;
            ways[count++] = 0;
        }
        ways[i] |= way_counted(one.relation) == REL_LT ? 1 : way_counted(one.relation) ? 2 : 0;
        self->ended[one.id] = all[i].id;
    }
    for (u32 b = 0; b < self->body->blocks.count; b++) {
        RunOut one;
        if (!ended_branch(self, &self->body->blocks.items[b], &one))
            continue;
        for (u32 i = 0; i < count; i++)
            if (all[i].id == self->ended[one.id] && ways[i] != 1 && ways[i] != 2)
                self->ended[one.id] = 0;
    }
}

// The expression that stands for a branch's condition; 0: it says no more than its subject.
ExprId build_condition(const Build *self, const Block *block, bool *opposite) {
    RunOut one, first;
    *opposite = false;
    if (block->term != TERM_BRANCH || !block->value)
        return 0;
    if (ending_of(self, block->value, &one) && self->ended[one.id] && ending_of(self, self->ended[one.id], &first)) {
        *opposite = is_over(first.relation) != is_over(one.relation);
        return first.id;
    }
    Test test = build_test(self, block);
    if (test.relation != REL_OPAQUE && build_expr(self, test.subject)->kind == EXPR_CALL)
        return 0;
    u8 exact;
    relation_mask(test.relation, test.constant, &exact);
    exact |= test.relation == REL_EQ || test.relation == REL_NE;
    u8 kind = build_expr(self, block->value)->kind;
    if (is_iterator(self, build_expr(self, block->value)))
        return 0;
    bool pure = kind == EXPR_BINARY || kind == EXPR_UNARY || kind == EXPR_MEMBER || kind == EXPR_VAR ||
                kind == EXPR_NAME || kind == EXPR_INDEX;
    return !exact && pure ? block->value : 0;
}

static void track(Build *self, ExprId id, u8 times) {
    i64 bits;
    ExprId of = build_masked(self, id, &bits);
    u32 now = self->tracked[id] + (of ? 2u : times);
    self->tracked[id] = now < 2 ? (u8)now : 2;
    if (of && !self->tracked[of])
        self->tracked[of] = 1;
}

static void track_block(Build *self, const Block *block) {
    if (block->term == TERM_BRANCH) {
        Test test = build_test(self, block);
        if (test.relation != REL_OPAQUE && test.subject) {
            track(self, test.subject, 1);
            self->compared[test.subject] |= test.relation != REL_EQ && test.relation != REL_NE;
        }
    } else if (block->term == TERM_SWITCH && block->value) {
        ExprId subject = build_subject(self, block->value);
        if (build_expr(self, subject)->kind == EXPR_VAR || expr_is_place(build_expr(self, subject)))
            track(self, subject, 1);
    } else if (block->term == TERM_RETURN && block->value) {
        ExprId source, value = block->value;
        build_comparison(self, &value);
        build_known(self, value, &source);
        if (source && !expr_is_place(build_expr(self, source)))
            track(self, source, 2);
    }
}

// Is something stored that decides what a callee does: a constant, or one of two?
static bool is_telling(const Build *self, ExprId value) {
    i64 constant;
    const Expr *expr = build_expr(self, value);
    return value && (build_constant(self, value, &constant, 0) || build_masked(self, value, &constant) ||
                     (expr->kind == EXPR_CHOICE && expr->b && build_constant(self, expr->b, &constant, 0) &&
                      build_constant(self, expr->c, &constant, 0)));
}

// Locals with constants in them that are handed over.
static void track_arguments(Build *self) {
    Body *body = self->body;
    u8 *telling = must_zero(body->vars.count + 1u);
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *to = build_expr(self, event->expr);
        if (event->kind == EVENT_WRITE && to->kind == EXPR_VAR && is_telling(self, event->value))
            telling[to->a] = 1;
    }
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *call = build_expr(self, event->expr);
        for (u32 i = 0; event->kind == EVENT_CALL && i < call->c; i++) {
            ExprId id = body->lists.items[call->b + i];
            i64 bits;
            ExprId of = build_masked(self, id, &bits);
            const Expr *argument = build_expr(self, of ? of : id);
            if (argument->kind == EXPR_VAR && (telling[argument->a] || of) && !self->tracked[of ? of : id])
                self->tracked[of ? of : id] = 1;
            if (of)
                self->tracked[id] = 2;
            const Expr *cleaned = (event->flags & EVENT_CLEANUP) && argument->kind == EXPR_ADDRESS // a guard
                                      ? build_expr(self, argument->a)
                                      : NULL;
            if (cleaned && cleaned->kind == EXPR_VAR && !self->tracked[argument->a])
                self->tracked[argument->a] = 1;
        }
    }
    free(telling);
}

void fill_tracked(Build *self) {
    Body *body = self->body;
    if (body->blocks.count <= SAME_CALLS_BLOCKS)
        fill_same_calls(self);
    else
        limit_reached(LIMIT_SAME_CALLS_BLOCKS);
    fill_versus(self);
    fill_counts(self);
    fill_ended(self);
    fill_conditions(self);
    for (u32 b = 0; b < body->blocks.count; b++)
        track_block(self, &body->blocks.items[b]);
    track_arguments(self);
    for (u32 e = 0; e < body->events.count; e++) { // what a tracked local is made of
        const Event *event = &body->events.items[e];
        i64 bits;
        if (event->kind == EVENT_WRITE && event->value && self->tracked[event->expr] &&
            build_masked(self, event->value, &bits))
            track(self, event->value, 2);
    }
    for (u32 id = 1; id < body->exprs.count; id++) { // what a tracked local is a copy of
        const Expr *expr = build_expr(self, id);
        ExprId copied = self->tracked[id] && expr->kind == EXPR_VAR ? self->alias[expr->a] : 0;
        while (copied && build_expr(self, copied)->kind == EXPR_CAST)
            copied = build_expr(self, copied)->a;
        if (copied && expr_is_place(build_expr(self, copied)) && !self->tracked[copied])
            self->tracked[copied] = 1;
    }
    for (u32 id = 1; id < body->exprs.count; id++) {
        const Expr *expr = build_expr(self, id);
        if (self->tested_often[id] == 2)
            put_mentions(self, id);
        if (!self->tracked[id])
            continue;
        if (expr->kind == EXPR_VAR || expr->kind == EXPR_CALL)
            self->tracked[id] = 2;
        else if (self->tracked[id] == 2 || expr_is_place(expr))
            put_mentions(self, id);
    }
}
