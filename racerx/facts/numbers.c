// numbers.c: numbers that only one thread has.
// In: an index as an expression. Out: the step of a path that stands for it, if no other thread has the same number at
// the same time; else 0. Such numbers are what a thread was given at its start, what is kept where only it was given
// something, what was drawn from a counter, and what lies between two of them: `for (i = n * size; i < (n + 1) * size;
// i++)`.
// The idea: an expression is worked out twice, for a thread and for the next one, with numbers drawn by lot in place of
// what is not known. Sums and products are those of rings of 2^64, all else is a hash of its operands: two that come to
// the same are the same polynomial. So one part ends where the next begins if its end, for this thread, is the other's
// beginning, for the next.
// Invariant: what is written more than once, or not understood, makes no number.
#include "racerx/facts/skeleton.h"

#define NUMBER_DEPTH 12
#define NUMBER_SHIFTS 3               // this one, the next, the one after it: to see that they go on evenly
#define OWN_LOT 0x9e3779b97f4a7c15ull // stands for the number that a thread was given
#define NO_KEY 0
#define HELPERS_DEEP 1 // how often what helpers are handed is handed on

typedef struct {
    Build *build;
    u32 shift;       // so many threads, or rounds, later
    bool rounds;     // variables that count rounds go on: where threads are started
    bool own;        // it depends on what only this thread has
    bool counted;    // on a variable that counts rounds
    bool bad;        // not understood
    ObjectId ticket; // on a number drawn from this counter; 0: on none
    u32 depth;
} NumberReading;

static u64 read_expr(NumberReading *self, ExprId id);

static ExprId uncast(const Build *self, ExprId id) {
    while (build_expr(self, id)->kind == EXPR_CAST)
        id = build_expr(self, id)->a;
    return id;
}

static u64 fail(NumberReading *self) {
    self->bad = true;
    return 0;
}

// variables -----------------------------------------------------------------------

// Everything that a local is set to: once, or at the heads of loops, and by how much it goes on.
typedef struct {
    u32 sets, steps;
    ExprId set;  // the last one
    ExprId step; // what is added each time; 0: not known, or not always the same
} Written;

static Written writes_of(const Build *self, u32 var) {
    Written out = {0};
    for (u32 e = 0; e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        if (event->kind != EVENT_WRITE || build_expr(self, event->expr)->kind != EXPR_VAR ||
            build_expr(self, event->expr)->a != var)
            continue;
        const Expr *value = event->value ? build_expr(self, event->value) : NULL;
        if (!(event->flags & EVENT_RMW)) {
            out.sets++;
            out.set = event->value;
        } else {
            ExprId step = value && value->kind == EXPR_BINARY && value->op == OP_ADD ? value->b : 0;
            out.step = !out.steps++ || out.step == step ? step : 0;
        }
    }
    return out;
}

static bool is_plain_local(const Build *self, u32 var) {
    return !(self->body->vars.items[var].flags & (DECL_ADDRESSED | DECL_STATIC));
}

// numbers that are drawn ----------------------------------------------------------

// Is a call an operation that gives each caller another number of its first argument? By how much they differ.
static ExprId drawn_by_call(const Build *self, const Expr *call, ExprId *amount) {
    const Expr *callee = build_expr(self, call->a);
    const CallFact *facts;
    if (callee->kind != EXPR_NAME || call->c < 2 ||
        !(program_said(self->analysis->program, build_name(self, callee->a)) & SAID_ATOMIC))
        return 0;
    const char *name = program_text(self->analysis->program, build_name(self, callee->a));
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name), SAID_ATOMIC, &facts);
    for (u32 i = 0; i < count; i++)
        if (facts[i].counts == COUNTS_UP || facts[i].counts == COUNTS_UP_TO) {
            *amount = self->body->lists.items[call->b + 1];
            const Expr *place = build_expr(self, uncast(self, self->body->lists.items[call->b]));
            return place->kind == EXPR_ADDRESS ? place->a : 0;
        }
    return 0;
}

static bool lets_go(const Build *self, const Event *event) {
    const Expr *call = build_expr(self, event->expr), *callee = build_expr(self, call->a);
    if (callee->kind != EXPR_NAME)
        return true;
    const LockEffect *effects;
    const char *name = program_text(self->analysis->program, build_name(self, callee->a));
    u32 count = declarations_effects(self->analysis->declarations, name, (u32)strlen(name), &effects);
    for (u32 i = 0; i < count; i++)
        if (effects[i].kind == EFFECT_RELEASE)
            return true;
    const CallSite *site = program_call(self->analysis->program, self->function, event->expr);
    return !site || site->target_count;
}

// From an event of a block on: is the counter counted up before a lock is let go?
static bool is_counted_after(const Build *self, u32 block, u32 from, ExprId counter, Bitset *seen, u32 depth) {
    const Block *one = &self->body->blocks.items[block];
    for (u32 e = from; e < one->event + one->event_count; e++) {
        const Event *event = &self->body->events.items[e];
        const Expr *value = event->kind == EVENT_WRITE && event->value ? build_expr(self, event->value) : NULL;
        if (event->kind == EVENT_WRITE && event->expr == counter)
            return value && value->kind == EXPR_BINARY && value->op == OP_ADD;
        if (event->kind == EVENT_CALL && lets_go(self, event))
            return false;
    }
    for (u32 i = 0; i < one->successor_count && depth < 6; i++) {
        u32 next = self->body->successors.items[one->successor + i].block;
        if (bitset_has(seen, next))
            continue;
        bitset_set(seen, next);
        if (is_counted_after(self, next, self->body->blocks.items[next].event, counter, seen, depth + 1))
            return true;
    }
    return false;
}

// `n = counter; counter++;` with no lock let go in between: the copy is a number that was drawn.
static bool is_drawn_copy(const Build *self, u32 var, ExprId counter) {
    for (u32 b = 0; b < self->body->blocks.count; b++) {
        const Block *block = &self->body->blocks.items[b];
        for (u32 e = block->event; e < block->event + block->event_count; e++) {
            const Event *event = &self->body->events.items[e];
            if (event->kind != EVENT_WRITE || event->value != counter ||
                build_expr(self, event->expr)->kind != EXPR_VAR || build_expr(self, event->expr)->a != var)
                continue;
            Bitset seen = {0};
            bitset_resize(&seen, self->body->blocks.count);
            bool counted = is_counted_after(self, b, e + 1, counter, &seen, 0);
            bitset_free(&seen);
            return counted;
        }
    }
    return false;
}

static u64 draw(NumberReading *self, ExprId counter, u64 amount) {
    ObjectId object = build_object(self->build, counter);
    if (!object || object >= STEP_TICKET - 1 || (self->ticket && self->ticket != object))
        return fail(self);
    self->ticket = object;
    return hash_mix(object, OWN_LOT) + self->shift * amount;
}

// What a function gives that draws numbers for others.
static bool read_drawn_below(NumberReading *self, ExprId call, u64 *out) {
    const Program *program = self->build->analysis->program;
    const CallSite *site = program_call(program, self->build->function, call);
    const u32 *counter = site && site->target_count == 1
                             ? map_get(&self->build->analysis->drawing, program->targets.items[site->target])
                             : NULL;
    if (!counter || (self->ticket && self->ticket != *counter))
        return false;
    self->ticket = *counter;
    *out = hash_mix(*counter, OWN_LOT) + self->shift;
    return true;
}

// What a call gives, or `counter++`, or a copy of it that was counted on; false: none of these.
static bool read_drawn(NumberReading *self, u32 var, ExprId id, u64 *out) {
    const Build *build = self->build;
    const Expr *expr = build_expr(build, id = uncast(build, id));
    ExprId amount = 0, place = expr->kind == EXPR_CALL ? drawn_by_call(build, expr, &amount) : 0;
    if (place) {
        *out = draw(self, place, read_expr(self, amount));
        return true;
    }
    if (expr->kind == EXPR_CALL)
        return read_drawn_below(self, id, out);
    if (expr->kind == EXPR_STEP && expr->op == OP_ADD && build_expr(build, uncast(build, expr->a))->kind != EXPR_VAR) {
        *out = draw(self, uncast(build, expr->a), 1);
        return true;
    }
    bool shared = expr->kind == EXPR_NAME || expr->kind == EXPR_MEMBER;
    if (!shared || !is_drawn_copy(build, var, id))
        return false;
    *out = draw(self, id, 1);
    self->bad |= (build->analysis->objects.items[self->ticket].flags & SHARED_ATOMIC) != 0;
    return true;
}

// what a thread was given ------------------------------------------------------------

static const GivenNumber *given_to(const Build *self) {
    const u32 *known = map_get(&self->analysis->given_index, self->function);
    return known ? &self->analysis->given.items[*known] : NULL;
}

bool build_is_given_another(const Build *self) {
    const GivenNumber *given = given_to(self);
    return !given || given->number != NUMBER_SAME;
}

static u64 member_key(const Build *self, const Expr *member) {
    const Program *program = self->analysis->program;
    RecordId record = type_record(program, scope_strip(&self->scope, expr_type(&self->scope, member->a)));
    return record == NO_ID ? NO_KEY : hash_mix((u64)record << 32 | build_name(self, member->b), 1);
}

// A variable, an element of an array: what is stored in it, by what it is.
static u64 place_key(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    while (expr->kind == EXPR_INDEX || expr->kind == EXPR_CAST)
        expr = build_expr(self, expr->a);
    if (expr->kind == EXPR_VAR)
        return hash_mix((u64)self->function << 32 | expr->a, 2);
    if (expr->kind == EXPR_NAME) {
        GlobalId global = program_global(self->analysis->program, self->info->file, build_name(self, expr->a));
        return global == NO_ID ? NO_KEY : hash_mix(global, 3);
    }
    return expr->kind == EXPR_MEMBER ? member_key(self, expr) : NO_KEY;
}

// The pointer that a thread was given, and nothing else?
static bool is_start_argument(Build *self, ExprId pointer) {
    PathValue value = build_value(self, pointer, 0);
    const Path *path = &self->analysis->paths.paths.items[value.path];
    return value.path && !value.address && path->root == ROOT_PARAM && !path->depth;
}

static const StoredNumber *stored_number(const Analysis *self, u64 key) {
    const u32 *known = key != NO_KEY ? map_get(&self->stored_index, key) : NULL;
    return known ? &self->stored_numbers.items[*known] : NULL;
}

// `*number`, `me->number`, `copy.number` where only this thread was given what is pointed to; false: it is none.
static bool read_told(NumberReading *self, ExprId id, u64 *out) {
    Build *build = self->build;
    const GivenNumber *given = self->rounds ? NULL : given_to(build);
    const Expr *expr = build_expr(build, id), *base = build_expr(build, expr->a);
    u64 key = NO_KEY;
    if (!given || !given->each)
        return false;
    if (expr->kind == EXPR_MEMBER && base->kind == EXPR_VAR) { // of a copy
        Written written = writes_of(build, base->a);
        base = written.sets == 1 && !written.steps && written.set ? build_expr(build, written.set) : base;
    }
    if (expr->kind == EXPR_MEMBER && base->kind == EXPR_DEREF && is_start_argument(build, base->a))
        key = member_key(build, expr);
    else if (expr->kind == EXPR_DEREF && is_start_argument(build, expr->a))
        key = given->key;
    const StoredNumber *stored = stored_number(build->analysis, key);
    if (key == NO_KEY)
        return false;
    if (!stored || stored->vague) {
        *out = fail(self);
        return true;
    }
    self->own |= stored->at[0] != stored->at[1];
    *out = stored->at[self->shift];
    return true;
}

// what helpers are handed -------------------------------------------------------------

// What a parameter is at every call in sight; NULL: not known, or not always the same.
static const PassedNumber *passed_to(const Build *self, u32 param) {
    const u32 *known = map_get(&self->analysis->passed_index, (u64)self->function << 32 | param);
    const PassedNumber *passed = known ? &self->analysis->passed.items[*known] : NULL;
    return passed && !passed->vague ? passed : NULL;
}

// expressions ------------------------------------------------------------------------

static u64 lot(u32 kind, u64 what) { return hash_mix(hash_mix(kind + 1, what), OWN_LOT); }

// What is not understood, and is set once, is some number.
static u64 read_set(NumberReading *self, u32 var, ExprId value) {
    NumberReading of_value = {.build = self->build, .shift = self->shift, .rounds = self->rounds, .depth = self->depth};
    u64 out = read_expr(&of_value, value);
    if (of_value.bad && !of_value.own && !of_value.ticket && !of_value.counted)
        return lot(EXPR_VAR, (u64)self->build->function << 32 | var);
    if (of_value.bad || (self->ticket && of_value.ticket && self->ticket != of_value.ticket))
        return fail(self);
    self->own |= of_value.own;
    self->counted |= of_value.counted;
    self->ticket = of_value.ticket ? of_value.ticket : self->ticket;
    return out;
}

static u64 read_var(NumberReading *self, ExprId id, u32 var) {
    Build *build = self->build;
    Written written = writes_of(build, var);
    u64 drawn;
    if (!is_plain_local(build, var))
        return fail(self);
    if (build->body->vars.items[var].flags & DECL_PARAM && !written.sets && !written.steps) {
        bool own = !self->rounds && build_is_own_number(build, id);
        self->own |= own;
        const PassedNumber *passed = own || self->rounds ? NULL : passed_to(build, var);
        if (passed && passed->good) {
            self->own |= passed->own;
            self->ticket = passed->ticket ? passed->ticket : self->ticket;
            return passed->at[self->shift];
        }
        return own ? OWN_LOT + self->shift : lot(EXPR_VAR, (u64)build->function << 32 | var);
    }
    if (written.sets == 1 && !written.steps && written.set)
        return read_drawn(self, var, written.set, &drawn) ? drawn : read_set(self, var, written.set);
    if (self->rounds && written.sets && written.step) {
        self->counted = true;
        return lot(EXPR_STEP, (u64)build->function << 32 | var) + self->shift * read_expr(self, written.step);
    }
    return fail(self);
}

static u64 read_binary(NumberReading *self, const Expr *expr) {
    u64 left = read_expr(self, expr->a), right = read_expr(self, expr->b);
    switch (expr->op) {
    case OP_ADD: return left + right;
    case OP_SUB: return left - right;
    case OP_MUL: return left * right;
    case OP_SHL:
        if (build_expr(self->build, expr->b)->kind == EXPR_INT && right < 32)
            return left << right;
        break;
    default: break;
    }
    return hash_mix(hash_mix(expr->op, left), right);
}

// `parts[i].from = n; parts[i].to = parts[i].from + size;`: what was stored there just before.
static u64 read_place(NumberReading *self, ExprId id) {
    const Build *build = self->build;
    ExprId stored = 0;
    u32 count = 0;
    for (u32 e = 0; self->rounds && e < build->body->events.count; e++) {
        const Event *event = &build->body->events.items[e];
        if (event->kind == EVENT_WRITE && event->expr == id) {
            stored = event->value;
            count++;
        }
    }
    return count == 1 && stored ? read_expr(self, stored) : lot(EXPR_MEMBER, (u64)build->function << 32 | id);
}

// `left ? counter++ : -1`: there is none, or it was drawn.
static u64 read_choice(NumberReading *self, const Expr *expr) {
    i64 none;
    bool second = build_constant(self->build, expr->c, &none, 0) && none < 0;
    if (!second && (!expr->b || !build_constant(self->build, expr->b, &none, 0) || none >= 0))
        return fail(self);
    u64 out = read_expr(self, second ? expr->b : expr->c);
    return self->ticket ? out : fail(self);
}

static u64 read_expr(NumberReading *self, ExprId id) {
    const Build *build = self->build;
    const Expr *expr = build_expr(build, id = uncast(build, id));
    u64 out = 0;
    if (!id || self->depth >= NUMBER_DEPTH)
        return fail(self);
    self->depth++;
    switch (expr->kind) {
    case EXPR_INT: out = (u64)expr_int(expr); break;
    case EXPR_VAR: out = read_var(self, id, expr->a); break;
    case EXPR_NAME: out = lot(EXPR_NAME, build_name(build, expr->a)); break;
    case EXPR_MEMBER:
    case EXPR_DEREF:
        if (!read_told(self, id, &out))
            out = read_place(self, id);
        break;
    case EXPR_INDEX: out = read_place(self, id); break;
    case EXPR_BINARY: out = read_binary(self, expr); break;
    case EXPR_UNARY: out = expr->op == OP_NEG ? 0 - read_expr(self, expr->a) : fail(self); break;
    case EXPR_CHOICE: out = read_choice(self, expr); break;
    case EXPR_SIZEOF: out = lot(EXPR_SIZEOF, (u64)build->function << 32 | id); break;
    case EXPR_CALL:
    case EXPR_STEP:
        if (!read_drawn(self, 0, id, &out))
            out = expr->kind == EXPR_STEP ? fail(self) : lot(EXPR_CALL, (u64)build->function << 32 | id);
        break;
    default: out = fail(self); break;
    }
    self->depth--;
    return out;
}

// An expression as it is for this thread, for the next, and so on.
typedef struct {
    u64 at[NUMBER_SHIFTS];
    bool good, own, counted;
    ObjectId ticket;
} Series;

static Series read_series(Build *build, ExprId id, bool rounds) {
    Series out = {.good = true};
    for (u32 shift = 0; shift < NUMBER_SHIFTS; shift++) {
        NumberReading reading = {.build = build, .shift = shift, .rounds = rounds};
        out.at[shift] = read_expr(&reading, id);
        out.good &= !reading.bad && !(reading.own && reading.ticket);
        out.own |= reading.own;
        out.counted |= reading.counted;
        out.ticket = reading.ticket;
    }
    return out;
}

static bool is_only_one(const Series *self) { return self->good && (self->own || self->ticket); }

// By how much it goes on from thread to thread; 0: not evenly, or not at all.
static u64 slope_of(const Series *self) {
    u64 first = self->at[1] - self->at[0];
    return self->good && first == self->at[2] - self->at[1] ? first : 0;
}

// loops -------------------------------------------------------------------------------

static u32 step_of_part(u64 domain) {
    u32 rest = (u32)(domain ^ domain >> 32) & (STEP_TICKET - 1);
    return STEP_OWNED | rest;
}

static u32 step_of_ticket(ObjectId counter) { return STEP_OWNED | STEP_TICKET | counter; }

// Does it come to a value: itself, either arm of a choice, what a variable is mostly set to?
static bool comes_to(Build *build, ExprId id, u64 wanted, u32 depth) {
    const Expr *expr = build_expr(build, id = uncast(build, id));
    if (expr->kind == EXPR_CHOICE && depth < 3)
        return (expr->b && comes_to(build, expr->b, wanted, depth + 1)) || comes_to(build, expr->c, wanted, depth + 1);
    Written written = expr->kind == EXPR_VAR ? writes_of(build, expr->a) : (Written){0};
    bool local = expr->kind == EXPR_VAR && is_plain_local(build, expr->a) && !written.steps && written.sets;
    for (u32 e = 0; local && depth < 3 && e < build->body->events.count; e++) {
        const Event *event = &build->body->events.items[e];
        if (event->kind == EVENT_WRITE && build_expr(build, event->expr)->kind == EXPR_VAR &&
            build_expr(build, event->expr)->a == expr->a && event->value &&
            comes_to(build, event->value, wanted, depth + 1))
            return true;
    }
    if (local && written.sets > 1)
        return false;
    Series series = read_series(build, id, false);
    return series.good && series.at[0] == wanted;
}

// Is the loop left when the variable comes to this?
static bool ends_at(Build *build, u32 var, u64 wanted) {
    for (u32 b = 0; b < build->body->blocks.count; b++) {
        const Block *block = &build->body->blocks.items[b];
        const Expr *test = block->term == TERM_BRANCH ? build_expr(build, uncast(build, block->value)) : NULL;
        if (!test || test->kind != EXPR_BINARY)
            continue;
        const Expr *left = build_expr(build, uncast(build, test->a)),
                   *right = build_expr(build, uncast(build, test->b));
        bool first = left->kind == EXPR_VAR && left->a == var, second = right->kind == EXPR_VAR && right->a == var;
        bool before = test->op == OP_NE || (first && (test->op == OP_LT || test->op == OP_GE)) ||
                      (second && (test->op == OP_GT || test->op == OP_LE)),
             at = (first && (test->op == OP_LE || test->op == OP_GT)) ||
                  (second && (test->op == OP_GE || test->op == OP_LT));
        if ((first || second) && (before || at) && comes_to(build, first ? test->b : test->a, wanted - (at ? 1 : 0), 0))
            return true;
    }
    return false;
}

// Where all loops over a variable begin; false: not in one place.
static bool begins_at(Build *build, u32 var, Series *out) {
    u32 count = 0;
    for (u32 e = 0; e < build->body->events.count; e++) {
        const Event *event = &build->body->events.items[e];
        if (event->kind != EVENT_WRITE || build_expr(build, event->expr)->kind != EXPR_VAR ||
            build_expr(build, event->expr)->a != var || (event->flags & EVENT_RMW))
            continue;
        Series one = event->value ? read_series(build, event->value, false) : (Series){0};
        if (!one.good || (count && one.at[0] != out->at[0]))
            return false;
        *out = one;
        count++;
    }
    return count;
}

static u32 number_of_loop(Build *build, u32 var) {
    Written written = writes_of(build, var);
    Series begin;
    if (!is_plain_local(build, var) || !written.sets || !written.step || !begins_at(build, var, &begin) ||
        !is_only_one(&begin))
        return 0;
    Series step = read_series(build, written.step, false);
    if (!step.good || step.own || step.ticket)
        return 0;
    if (begin.own && step.at[0] != 1 && slope_of(&begin) == 1) // every nth
        return step_of_part(hash_mix(hash_mix(begin.at[0], step.at[0]), 1));
    if (!ends_at(build, var, begin.at[1]))
        return 0;
    return begin.ticket ? step_of_ticket(begin.ticket) : step_of_part(hash_mix(begin.at[0], begin.at[1]));
}

// indices -----------------------------------------------------------------------------

// `j` of `row * width + j`: does it stay below the width?
static bool stays_below(Build *build, ExprId id, ExprId width) {
    const Expr *expr = build_expr(build, uncast(build, id));
    Series begin, wide = read_series(build, width, false);
    return expr->kind == EXPR_VAR && writes_of(build, expr->a).step && begins_at(build, expr->a, &begin) &&
           begin.at[0] == 0 && wide.good && ends_at(build, expr->a, wide.at[0]);
}

static u32 number_of(Build *build, ExprId id, u32 depth);

// `i + 1`, `row * width`, `row * width + j` of a number that only one thread has.
static u32 number_of_binary(Build *build, const Expr *expr, u32 depth) {
    const Expr *left = build_expr(build, uncast(build, expr->a)), *right = build_expr(build, uncast(build, expr->b));
    bool adds = expr->op == OP_ADD || expr->op == OP_SUB;
    u32 inner = 0;
    u64 more = 0;
    if (adds && right->kind == EXPR_INT) {
        inner = number_of(build, expr->a, depth + 1);
        more = hash_mix(expr->op, (u64)expr_int(right));
    } else if (expr->op == OP_MUL) {
        Series wide = read_series(build, expr->b, false);
        inner = wide.good && !wide.own && !wide.ticket ? number_of(build, expr->a, depth + 1) : 0;
        more = hash_mix(OP_MUL, wide.at[0]);
    } else if (expr->op == OP_ADD && left->kind == EXPR_BINARY && left->op == OP_MUL &&
               stays_below(build, expr->b, left->b)) {
        return number_of(build, expr->a, depth + 1);
    }
    return !inner || (inner & STEP_TICKET) ? 0 : step_of_part(hash_mix(inner, more));
}

static u32 number_of(Build *build, ExprId id, u32 depth) {
    const Expr *expr = build_expr(build, id = uncast(build, id));
    if (depth > 4)
        return 0;
    Series series = read_series(build, id, false);
    if (is_only_one(&series) && slope_of(&series)) {
        if (series.own)
            return step_of_part(series.at[0]);
        return series.at[0] == hash_mix(series.ticket, OWN_LOT) ? step_of_ticket(series.ticket) : 0;
    }
    if (expr->kind == EXPR_VAR) {
        bool param = (build->body->vars.items[expr->a].flags & DECL_PARAM) && !build->written[expr->a];
        const PassedNumber *passed = param ? passed_to(build, expr->a) : NULL;
        return passed ? passed->step : param ? 0 : number_of_loop(build, expr->a);
    }
    return expr->kind == EXPR_BINARY ? number_of_binary(build, expr, depth) : 0;
}

u32 build_number(Build *self, ExprId index) {
    bool wanted = self->analysis->given.count && self->memo;
    return wanted ? number_of(self, index, 0) : 0;
}

// what threads are given, what is stored ----------------------------------------------

static void put_stored(Analysis *self, u64 key, const Series *series) {
    bool fresh;
    if (key == NO_KEY)
        return;
    u32 *index = map_put(&self->stored_index, key, &fresh);
    if (fresh) {
        *index = self->stored_numbers.count;
        array_push(&self->stored_numbers, ((StoredNumber){.vague = !series->good}));
        memcpy(self->stored_numbers.items[*index].at, series->at, sizeof series->at);
        return;
    }
    StoredNumber *known = &self->stored_numbers.items[*index];
    known->vague |= !series->good || memcmp(known->at, series->at, sizeof series->at);
}

static void put_stores(Build *build) {
    for (u32 e = 0; e < build->body->events.count; e++) {
        const Event *event = &build->body->events.items[e];
        u8 kind = event->kind == EVENT_WRITE ? build_expr(build, event->expr)->kind : EXPR_NONE;
        if (kind != EXPR_MEMBER && kind != EXPR_INDEX)
            continue;
        Series series =
            event->value && !(event->flags & EVENT_RMW) ? read_series(build, event->value, true) : (Series){0};
        put_stored(build->analysis, place_key(build, event->expr), &series);
    }
}

// Does the function give each of its callers another number, drawn from one counter? Or a negative one: none is left.
static void put_drawing(Build *build) {
    ObjectId counter = 0;
    i64 none;
    for (u32 b = 0; b < build->body->blocks.count; b++) {
        const Block *block = &build->body->blocks.items[b];
        if (block->term != TERM_RETURN || (block->value && build_constant(build, block->value, &none, 0) && none < 0))
            continue;
        Series series = block->value ? read_series(build, block->value, false) : (Series){0};
        if (!series.good || !series.ticket || (counter && counter != series.ticket) || slope_of(&series) != 1)
            return;
        counter = series.ticket;
    }
    if (counter)
        *map_put(&build->analysis->drawing, build->function, NULL) = counter;
}

// What a call gives to the thread that it starts.
static GivenNumber read_given(Build *build, ExprId argument) {
    GivenNumber out = {.key = NO_KEY};
    const Expr *expr = build_expr(build, argument = uncast(build, argument));
    if (expr->kind == EXPR_VAR) { // a pointer that was set to an address
        Written written = writes_of(build, expr->a);
        const Expr *set =
            written.sets == 1 && !written.steps && written.set ? build_expr(build, uncast(build, written.set)) : NULL;
        if (set && (set->kind == EXPR_ADDRESS || set->kind == EXPR_CALL))
            expr = set;
    }
    const Expr *place = expr->kind == EXPR_ADDRESS ? build_expr(build, expr->a) : NULL;
    ExprId index = place && place->kind == EXPR_INDEX ? place->b : 0;
    if (expr->kind == EXPR_BINARY && expr->op == OP_ADD && build_expr(build, expr->a)->kind != EXPR_INT) {
        Series count = read_series(build, expr->b, true); // parts + i
        TypeRef type = scope_strip(&build->scope, expr_type(&build->scope, expr->a));
        u8 kind = type_known(type) ? type_kind(build->analysis->program, type) : TYPE_INT;
        if (kind == TYPE_POINTER || kind == TYPE_ARRAY) {
            out.each = count.counted && slope_of(&count);
            out.key = place_key(build, expr->a);
            return out;
        }
    }
    if (index) {
        Series count = read_series(build, index, true);
        out.each = count.counted && slope_of(&count);
        out.key = place_key(build, expr->a);
        return out;
    }
    if (expr->kind == EXPR_CALL) { // made for it, in this round
        const Expr *callee = build_expr(build, expr->a);
        out.each = callee->kind == EXPR_NAME &&
                   (program_said(build->analysis->program, build_name(build, callee->a)) & SAID_ALLOCATES);
        return out;
    }
    Series series = read_series(build, argument, true);
    bool number = expr->kind == EXPR_INT || expr->kind == EXPR_VAR || expr->kind == EXPR_BINARY;
    if (number && series.good)
        out.number = series.counted           ? (slope_of(&series) ? NUMBER_OTHER : NUMBER_UNKNOWN)
                     : expr->kind == EXPR_INT ? NUMBER_SAME
                                              : NUMBER_UNKNOWN;
    out.constant = series.at[0];
    return out;
}

static void put_given(Analysis *self, FunctionId handler, GivenNumber given, bool repeats) {
    bool fresh;
    u32 *index = map_put(&self->given_index, handler, &fresh);
    bool constant = given.number == NUMBER_SAME;
    if (fresh) {
        *index = self->given.count;
        given.number = constant && !repeats ? NUMBER_UNKNOWN : given.number; // it may be the only one
        array_push(&self->given, given);
        return;
    }
    GivenNumber *known = &self->given.items[*index];
    known->each &= given.each;
    known->key = known->key == given.key ? given.key : NO_KEY;
    bool same = constant && known->constant == given.constant;
    known->number = same ? NUMBER_SAME : known->number == given.number && !constant ? given.number : NUMBER_UNKNOWN;
}

static void put_passed(Build *build, FunctionId callee, u32 param, ExprId argument) {
    Analysis *self = build->analysis;
    bool fresh;
    Series series = read_series(build, argument, false);
    PassedNumber one = {.step = number_of(build, argument, 0),
                        .good = is_only_one(&series),
                        .own = series.own,
                        .ticket = series.ticket};
    memcpy(one.at, series.at, sizeof one.at);
    one.vague = !one.step && !one.good;
    u32 *index = map_put(&self->passed_index, (u64)callee << 32 | param, &fresh);
    if (fresh) {
        *index = self->passed.count;
        array_push(&self->passed, one);
        return;
    }
    PassedNumber *known = &self->passed.items[*index];
    known->good &= one.good && !memcmp(known->at, one.at, sizeof one.at) && known->ticket == one.ticket;
    known->step = known->step == one.step ? one.step : 0;
    known->vague = one.vague || known->vague || (!known->step && !known->good);
}

// Numbers that are handed to helpers of which all calls are in sight.
static void put_calls(Build *build) {
    const Program *program = build->analysis->program;
    const ProgramFunction *info = &program->functions.items[build->function];
    for (u32 c = info->call; c < info->call + info->call_count; c++) {
        const CallSite *site = &program->calls.items[c];
        FunctionId callee = site->target_count == 1 ? program->targets.items[site->target] : NO_ID;
        const Expr *call = build_expr(build, site->expr);
        if (callee == NO_ID || site->indirect || call->kind != EXPR_CALL ||
            program->functions.items[callee].marks & MARK_ADDRESS_TAKEN)
            continue;
        u32 params = program_header(program, callee)->param_count;
        for (u32 p = 0; p < call->c && p < params && p < 8; p++)
            put_passed(build, callee, p, build->body->lists.items[call->b + p]);
    }
}

static void put_started(Analysis *self, const Registration *one, Body *body) {
    if (one->from == NO_ID || one->fact->context != CONTEXT_THREAD || !program_body(self->program, one->from, body))
        return;
    Build build;
    build_begin(&build, self, one->from, body);
    const Expr *call = one->call < body->exprs.count ? build_expr(&build, one->call) : NULL;
    const CallSite *site = program_call(self->program, one->from, one->call);
    GivenNumber given = {0};
    if (call && call->kind == EXPR_CALL && one->fact->data > 0 && (u32)one->fact->data <= call->c)
        given = read_given(&build, body->lists.items[call->b + (u32)one->fact->data - 1]);
    put_given(self, one->handler, given, site && site->repeats);
    build_end(&build);
}

static void each_body(Analysis *self, Body *body, void (*visit)(Build *)) {
    for (u32 f = 0; f < self->program->functions.count; f++) {
        Build build;
        if (!program_body(self->program, f, body))
            continue;
        build_begin(&build, self, f, body);
        visit(&build);
        build_end(&build);
    }
}

void fill_numbers(Analysis *self) {
    Body body = {0};
    bool threads = false;
    for (u32 r = 0; r < self->program->registrations.count; r++)
        threads |= self->program->registrations.items[r].fact->context == CONTEXT_THREAD;
    if (!threads || !self->binds_data)
        return;
    for (u32 r = 0; r < self->program->registrations.count; r++)
        put_started(self, &self->program->registrations.items[r], &body);
    each_body(self, &body, put_stores);
    each_body(self, &body, put_drawing);
    for (u32 round = 0; round < HELPERS_DEEP; round++) { // what helpers hand on is known only now
        array_free(&self->passed);
        Map before = self->passed_index;
        self->passed_index = (Map){0};
        map_free(&before);
        each_body(self, &body, put_calls);
    }
    body_free(&body);
}
