// derived.c: what the text of one function says of its variables: what they were made from, which of them it compares.
// In: a body. Out: answers about values, by the variables that stand in them (KeySet). No order of statements is known
// here: a variable was made from all that is ever stored in it. A question that a helper asks of its two parameters
// counts as asked where it is called.
// Invariant: of what is cut by a limit the order is asked for, as far as anybody knows.
#include "racerx/check/couples.h"

bool text_begin(FunctionText *self, Analysis *analysis, FunctionId function) {
    *self = (FunctionText){.analysis = analysis, .function = function};
    if (!program_body(analysis->program, function, &self->body))
        return false;
    for (u32 e = 0; e < self->body.events.count; e++) {
        const Event *event = &self->body.events.items[e];
        const Expr *target = &self->body.exprs.items[event->expr];
        if (event->kind != EVENT_WRITE || target->kind != EXPR_VAR || !event->value)
            continue;
        array_push(&self->written, target->a);
        array_push(&self->written, event->value);
    }
    return true;
}

void text_end(FunctionText *self) {
    body_free(&self->body);
    array_free(&self->written);
}

static const Expr *expr_at(const FunctionText *self, ExprId id) { return &self->body.exprs.items[id]; }

static NameId name_at(const FunctionText *self, StrId id) {
    const Program *program = self->analysis->program;
    return program->files.items[program->functions.items[self->function].file].names[id];
}

// sets ------------------------------------------------------------------------------

static bool has_key(const KeySet *self, u64 key) {
    for (u32 i = 0; i < self->count; i++)
        if (self->items[i] == key)
            return true;
    return false;
}

static void add_key(KeySet *self, u64 key) {
    if (has_key(self, key))
        return;
    if (limit_cuts(LIMIT_KEYS_OF_VALUE, self->count >= KEYS_OF_VALUE))
        self->cut = true;
    else
        self->items[self->count++] = key;
}

static bool have_common(const KeySet *a, const KeySet *b) {
    for (u32 i = 0; i < a->count; i++)
        if (has_key(b, a->items[i]))
            return true;
    return false;
}

static KeySet without(const KeySet *a, const KeySet *b) {
    KeySet out = {0};
    for (u32 i = 0; i < a->count; i++)
        if (!has_key(b, a->items[i]))
            add_key(&out, a->items[i]);
    return out;
}

// values ----------------------------------------------------------------------------

static bool is_comparison(const Expr *expr) {
    return expr->kind == EXPR_BINARY && expr->op >= OP_LT && expr->op <= OP_GE;
}

// The function of the tree that a call names; NO_ID: none.
static FunctionId callee_of(const FunctionText *self, const Expr *call) {
    const Program *program = self->analysis->program;
    const Expr *callee = expr_at(self, call->a);
    return callee->kind == EXPR_NAME
               ? program_function(program, program->functions.items[self->function].file, name_at(self, callee->a))
               : NO_ID;
}

// Is it `x + 1`, or the like?
static bool is_next(const FunctionText *self, ExprId id) {
    const Expr *expr = expr_at(self, id);
    while (expr->kind == EXPR_CAST)
        expr = expr_at(self, expr->a);
    if (expr->kind != EXPR_BINARY || (expr->op != OP_ADD && expr->op != OP_SUB))
        return false;
    bool left = expr_at(self, expr->a)->kind == EXPR_INT, right = expr_at(self, expr->b)->kind == EXPR_INT;
    return left != right || is_next(self, expr->a);
}

// `(x + 1) % n`, `(x + 1) & 7`: the last is followed by the first.
static bool goes_around(const FunctionText *self, const Expr *expr) {
    return expr->kind == EXPR_BINARY && (expr->op == OP_MOD || expr->op == OP_AND) && is_next(self, expr->a);
}

// A helper's own helpers are not asked.
static bool helper_begin(FunctionText *text, const FunctionText *caller, FunctionId function) {
    bool read = !caller->helper && function != NO_ID && function != caller->function &&
                text_begin(text, caller->analysis, function);
    if (!read)
        *text = (FunctionText){0};
    text->helper = true;
    return read;
}

static bool returns_around(const FunctionText *self, FunctionId function) {
    FunctionText text;
    bool found = false;
    if (helper_begin(&text, self, function))
        for (u32 b = 0; b < text.body.blocks.count && !found; b++) {
            const Block *block = &text.body.blocks.items[b];
            found = block->term == TERM_RETURN && goes_around(&text, expr_at(&text, block->value));
        }
    text_end(&text);
    return found;
}

static bool compares_parameters(const FunctionText *self, FunctionId function);

static void add_value(const FunctionText *self, ExprId id, KeySet *out, u32 depth) {
    const Expr *expr = expr_at(self, id);
    if (limit_cuts(LIMIT_DERIVED_NESTING, depth > DERIVED_NESTING)) {
        out->cut = true;
        return;
    }
    out->around |= goes_around(self, expr);
    switch (expr->kind) {
    case EXPR_VAR: add_key(out, expr->a); return;
    case EXPR_NAME: add_key(out, KEY_GLOBAL | name_at(self, expr->a)); return;
    case EXPR_MEMBER:
    case EXPR_DEREF:
    case EXPR_CAST:
    case EXPR_UNARY:
    case EXPR_STEP:
    case EXPR_ADDRESS:
    case EXPR_CONTAINER:
    case EXPR_BLOCK: add_value(self, expr->a, out, depth + 1); return;
    case EXPR_ASSIGN: add_value(self, expr->b, out, depth + 1); return;
    case EXPR_INDEX:
        add_value(self, expr->a, out, depth + 1);
        add_value(self, expr->b, out, depth + 1);
        return;
    case EXPR_BINARY:
        if (expr->op >= OP_EQ && expr->op <= OP_LOGOR)
            return;
        add_value(self, expr->a, out, depth + 1);
        if (expr->op != OP_MOD && expr->op != OP_AND && expr->op != OP_SHR)
            add_value(self, expr->b, out, depth + 1);
        return;
    case EXPR_CHOICE:
        out->chosen |= is_comparison(expr_at(self, expr->a));
        add_value(self, expr->b ? expr->b : expr->a, out, depth + 1);
        add_value(self, expr->c, out, depth + 1);
        return;
    case EXPR_CALL: {
        FunctionId callee = callee_of(self, expr);
        out->around |= returns_around(self, callee);
        out->chosen |= expr->c >= 2 && compares_parameters(self, callee);
        for (u32 i = 0; i < expr->c; i++)
            add_value(self, self->body.lists.items[expr->b + i], out, depth + 1);
        return;
    }
    default: return;
    }
}

void text_keys(const FunctionText *self, ExprId value, KeySet *out) { add_value(self, value, out, 0); }

void text_origins(const FunctionText *self, KeySet *keys) {
    for (u32 i = 0; i < keys->count; i++)
        for (u32 w = 0; w < self->written.count; w += 2)
            if (self->written.items[w] == keys->items[i])
                add_value(self, self->written.items[w + 1], keys, 0);
}

// ways ------------------------------------------------------------------------------

typedef struct {
    const FunctionText *text;
    const KeySet *from;
    KeySet seen;
    LinkWay *out;
} LinkSearch;

static bool follow(LinkSearch *self, ExprId id, u32 depth);

static bool follow_variable(LinkSearch *self, u32 var, u32 depth) {
    if (has_key(self->from, var))
        return true;
    bool found = false;
    if (has_key(&self->seen, var))
        return false;
    add_key(&self->seen, var);
    for (u32 w = 0; w < self->text->written.count; w += 2)
        if (self->text->written.items[w] == var)
            found |= follow(self, self->text->written.items[w + 1], depth + 1);
    return found;
}

static void add_member(LinkSearch *self, NameId name) {
    LinkWay *out = self->out;
    for (u32 i = 0; i < out->count; i++)
        if (out->members[i] == name)
            return;
    if (!limit_cuts(LIMIT_LINKS_OF_COUPLE, out->count >= LINKS_OF_COUPLE))
        out->members[out->count++] = name;
}

static bool follow_call(LinkSearch *self, const Expr *call, u32 depth) {
    bool found = false;
    for (u32 i = 0; i < call->c; i++)
        found |= follow(self, self->text->body.lists.items[call->b + i], depth + 1);
    self->out->called |= found;
    return found;
}

static bool follow(LinkSearch *self, ExprId id, u32 depth) {
    const Expr *expr = expr_at(self->text, id);
    bool found = false;
    if (!id || limit_cuts(LIMIT_DERIVED_NESTING, depth > DERIVED_NESTING))
        return false;
    switch (expr->kind) {
    case EXPR_VAR: return follow_variable(self, expr->a, depth);
    case EXPR_NAME: return has_key(self->from, KEY_GLOBAL | name_at(self->text, expr->a));
    case EXPR_MEMBER:
        found = follow(self, expr->a, depth + 1);
        if (found)
            add_member(self, name_at(self->text, expr->b));
        return found;
    case EXPR_DEREF:
    case EXPR_CAST:
    case EXPR_UNARY:
    case EXPR_ADDRESS:
    case EXPR_CONTAINER:
    case EXPR_BLOCK: return follow(self, expr->a, depth + 1);
    case EXPR_ASSIGN: return follow(self, expr->b, depth + 1);
    case EXPR_CHOICE:
        found = follow(self, expr->b ? expr->b : expr->a, depth + 1);
        return follow(self, expr->c, depth + 1) || found;
    case EXPR_BINARY:
    case EXPR_INDEX:
        found = follow(self, expr->a, depth + 1);
        found |= follow(self, expr->b, depth + 1);
        self->out->around |= found && goes_around(self->text, expr);
        return found;
    case EXPR_CALL: return follow_call(self, expr, depth);
    default: return false;
    }
}

bool text_way(const FunctionText *self, const KeySet *to, const KeySet *from, LinkWay *out) {
    LinkSearch search = {.text = self, .from = from, .out = out};
    bool found = false;
    for (u32 i = 0; i < to->count; i++)
        for (u32 w = 0; w < self->written.count; w += 2)
            if (self->written.items[w] == to->items[i])
                found |= follow(&search, self->written.items[w + 1], 0);
    return found;
}

bool text_way_to_value(const FunctionText *self, ExprId value, const KeySet *from, LinkWay *out) {
    LinkSearch search = {.text = self, .from = from, .out = out};
    return follow(&search, value, 0);
}

// which comes first -----------------------------------------------------------------

// The two values of a comparison; or of a difference, or a call, that is compared with a constant.
static u32 compared_values(const FunctionText *self, const Expr *comparison, ExprId *out, u32 most) {
    const Expr *left = expr_at(self, comparison->a), *right = expr_at(self, comparison->b);
    if (right->kind != EXPR_INT && left->kind != EXPR_INT) {
        out[0] = comparison->a, out[1] = comparison->b;
        return 2;
    }
    ExprId id = right->kind == EXPR_INT ? comparison->a : comparison->b;
    for (u32 hops = 0; hops < 4; hops++) {
        const Expr *expr = expr_at(self, id);
        ExprId next = expr->kind == EXPR_CAST ? expr->a : expr->kind == EXPR_ASSIGN ? expr->b : 0;
        for (u32 w = 0; expr->kind == EXPR_VAR && !next && w < self->written.count; w += 2)
            next = self->written.items[w] == expr->a ? self->written.items[w + 1] : 0;
        if (!next)
            break;
        id = next;
    }
    const Expr *expr = expr_at(self, id);
    if (expr->kind == EXPR_BINARY && expr->op == OP_SUB) {
        out[0] = expr->a, out[1] = expr->b;
        return 2;
    }
    u32 count = expr->kind == EXPR_CALL ? expr->c < most ? expr->c : most : 0;
    for (u32 i = 0; i < count; i++)
        out[i] = self->body.lists.items[expr->b + i];
    return count;
}

typedef struct {
    KeySet one, other;           // what stands in the two values
    KeySet only_one, only_other; // what only the one, or only the other, was made from
    KeySet both;                 // what both were made from
} OrderQuestion;

static bool split(const KeySet *left, const KeySet *right, const KeySet *one, const KeySet *other) {
    return (have_common(left, one) && have_common(right, other)) ||
           (have_common(left, other) && have_common(right, one));
}

// Are they, by what stands there or by what that was made from, the two that are asked about?
static bool are_asked(const FunctionText *self, ExprId left, ExprId right, const OrderQuestion *question) {
    KeySet a = {0}, b = {0};
    text_keys(self, left, &a);
    text_keys(self, right, &b);
    if (!have_common(&question->one, &question->other) && split(&a, &b, &question->one, &question->other))
        return true;
    KeySet plain_a = a, plain_b = b;
    text_origins(self, &a);
    text_origins(self, &b);
    if (split(&a, &b, &question->only_one, &question->only_other))
        return true;
    if (!question->only_one.count && !question->only_other.count && left != right && // both of one thing
        have_common(&plain_a, &question->both) && have_common(&plain_b, &question->both))
        return true;
    // either may be either
    KeySet mine = without(&plain_a, &plain_b), others = without(&plain_b, &plain_a);
    return mine.count && others.count && have_common(&mine, &question->both) && have_common(&others, &question->both);
}

#define VALUES_COMPARED 4

static bool asks(const FunctionText *self, const Expr *expr, const OrderQuestion *question) {
    ExprId values[VALUES_COMPARED];
    u32 count = 0;
    if (is_comparison(expr))
        count = compared_values(self, expr, values, VALUES_COMPARED);
    for (; expr->kind == EXPR_CALL && count < expr->c && count < VALUES_COMPARED; count++)
        values[count] = self->body.lists.items[expr->b + count];
    for (u32 i = 0; i < count; i++)
        for (u32 k = i + 1; k < count; k++)
            if (are_asked(self, values[i], values[k], question))
                return is_comparison(expr) || compares_parameters(self, callee_of(self, expr));
    return false;
}

bool text_orders(const FunctionText *self, const KeySet *one, const KeySet *other) {
    OrderQuestion question = {.one = *one, .other = *other};
    KeySet first = *one, second = *other;
    text_origins(self, &first);
    text_origins(self, &second);
    if (first.chosen || second.chosen || first.cut || second.cut) // what was not looked at may say so
        return true;
    question.only_one = without(&first, &second);
    question.only_other = without(&second, &first);
    for (u32 i = 0; i < first.count; i++)
        if (has_key(&second, first.items[i]) && first.items[i] < KEY_GLOBAL)
            add_key(&question.both, first.items[i]);
    u32 end = self->until ? self->until : self->body.exprs.count;
    for (u32 i = 1; i < end; i++)
        if (asks(self, expr_at(self, i), &question))
            return true;
    return false;
}

bool text_tells_apart(const FunctionText *self, const KeySet *one, const KeySet *other) {
    for (u32 i = 1; i < self->body.exprs.count; i++) {
        const Expr *expr = expr_at(self, i);
        if (expr->kind != EXPR_BINARY || (expr->op != OP_EQ && expr->op != OP_NE))
            continue;
        KeySet left = {0}, right = {0};
        text_keys(self, expr->a, &left);
        text_keys(self, expr->b, &right);
        if (split(&left, &right, one, other))
            return true;
    }
    return false;
}

// Does a function compare what one of its parameters leads to with what another does?
static bool compares_parameters(const FunctionText *self, FunctionId function) {
    FunctionText text;
    bool found = false;
    if (helper_begin(&text, self, function))
        for (u32 i = 1; i < text.body.exprs.count && !found; i++) {
            const Expr *expr = expr_at(&text, i);
            KeySet left = {0}, right = {0};
            if (!is_comparison(expr))
                continue;
            text_keys(&text, expr->a, &left);
            text_keys(&text, expr->b, &right);
            found = left.count && right.count && left.items[0] != right.items[0] && left.items[0] < KEY_GLOBAL &&
                    right.items[0] < KEY_GLOBAL &&
                    text.body.vars.items[left.items[0]].flags & text.body.vars.items[right.items[0]].flags & DECL_PARAM;
        }
    text_end(&text);
    return found;
}

// fresh -----------------------------------------------------------------------------

static bool is_fresh_value(const FunctionText *self, ExprId id) {
    const Program *program = self->analysis->program;
    const Expr *expr = expr_at(self, id);
    while (expr->kind == EXPR_CAST || expr->kind == EXPR_ASSIGN)
        expr = expr_at(self, expr->kind == EXPR_CAST ? expr->a : expr->b);
    const Expr *callee = expr->kind == EXPR_CALL ? expr_at(self, expr->a) : NULL;
    if (!callee || callee->kind != EXPR_NAME)
        return false;
    FunctionId target = callee_of(self, expr);
    return program_said(program, name_at(self, callee->a)) & SAID_ALLOCATES ||
           (target != NO_ID && self->analysis->skeletons[target].returns_fresh);
}

bool text_makes(const FunctionText *self, const KeySet *keys) {
    bool made = false;
    for (u32 i = 0; i < keys->count; i++) {
        if (keys->items[i] >= KEY_GLOBAL || self->body.vars.items[keys->items[i]].flags & DECL_PARAM)
            return false;
        for (u32 w = 0; w < self->written.count; w += 2) {
            if (self->written.items[w] != keys->items[i])
                continue;
            const Expr *value = expr_at(self, self->written.items[w + 1]);
            while (value->kind == EXPR_CAST)
                value = expr_at(self, value->a);
            bool fresh = is_fresh_value(self, self->written.items[w + 1]);
            if (!fresh && value->kind != EXPR_INT) // a null pointer until then
                return false;
            made |= fresh;
        }
    }
    return made;
}
