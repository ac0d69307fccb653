// tested.c: what the walk has to know of a body's branches and assignments, and what of them it need not.
// In: a body, which of its expressions are tracked (conditions.c). Out: the values that take each successor of a branch
// or switch; the places that others know, too (deciding.c chooses among them); without assignments that nobody asks
// about.
#include "racerx/facts/skeleton.h"

// branches ------------------------------------------------------------------------

// Is it something to keep facts about: tested more than once, or a place that others may know of?
static bool is_followed(const Build *self, ExprId subject) {
    return self->tracked[subject] >= 2 || (self->tracked[subject] && expr_is_place(build_expr(self, subject)));
}

void build_branch(Build *self, const Block *block, SkeletonBlock *out) {
    Test test = build_test(self, block);
    if (self->analysis->binds_data)
        build_state(self, block, out);
    if (block->relation != REL_OPAQUE) {
        out->same_call = self->same_call[test.subject];
        build_flag(self, block, test.subject, out);
    }
    if (test.relation == REL_OPAQUE || !test.subject || !is_followed(self, test.subject))
        return;
    out->subject = test.subject;
    out->once = self->tracked[test.subject] < 2;
    test_values(self, &test, &out->yes, &out->no);
}

// Behind the successors of a switch: what takes each of them.
void build_cases(Build *self, const Block *block, SkeletonBlock *out) {
    ValueTable *values = &self->analysis->values;
    ExprId subject = block->value ? build_subject(self, block->value) : 0;
    i64 cases[CONSTANTS_MOST];
    u32 count = 0;
    if (!subject || !self->tracked[subject] || !is_followed(self, subject))
        return;
    out->subject = subject;
    out->once = self->tracked[subject] < 2;
    for (u32 s = 0; s < block->successor_count; s++) {
        const Successor *one = &self->body->successors.items[block->successor + s];
        i64 constant = one->lo;
        bool known =
            !one->is_default && (one->known ? one->lo == one->hi : build_constant(self, one->value, &constant, 0));
        if (known && count < CONSTANTS_MOST)
            cases[count++] = constant;
        array_push(&self->successors, known ? value_constant(values, constant) : VALUE_ANY);
    }
    for (u32 s = 0; s < block->successor_count; s++)
        if (self->body->successors.items[block->successor + s].is_default)
            self->successors.items[out->successor + block->successor_count + s] = value_but(values, cases, count);
}

// assignments ---------------------------------------------------------------------

// Does a store tell the caller something: a constant, where a parameter leads?
static bool is_told(Build *self, const SkeletonStep *step) {
    if (step->source || step->effect == VALUE_ANY ||
        (!self->direct && build_expr(self, step->expr)->kind != EXPR_DEREF))
        return false;
    const PathTable *paths = &self->analysis->paths;
    PathId path = build_place(self, step->expr, 0);
    return path && paths->paths.items[path].root == ROOT_PARAM && paths->paths.items[path].depth;
}

// Does nobody ask about what is assigned to?
static bool is_idle(Build *self, const SkeletonStep *step) {
    u32 var = step->kind == STEP_SET ? build_expr(self, step->expr)->a : 0;
    if (step->kind == STEP_STORE ? self->tracked[step->expr] || is_told(self, step)
                                 : self->tracked[step->expr] || (self->rooted[var] && self->written[var] > 1))
        return false;
    for (u32 m = 0; m < self->mentions.count; m++) {
        const Mention *mention = &self->mentions.items[m];
        if (mention->kind == MENTIONS_ANY ||
            (mention->id == step->result && mention->kind == (step->kind == STEP_SET ? MENTIONS_VAR : MENTIONS_NAME)))
            return false;
    }
    return true;
}

// fills: what pointers are set to, where places that start from them have to keep their names (walk/copies.c).
static void fill_copied(Build *self) {
    for (u32 s = 0; self->direct && s < self->steps.count; s++) {
        SkeletonStep *step = &self->steps.items[s];
        if (step->kind != STEP_SET || step->discard || step->mask || !step->source || !self->rooted[step->result] ||
            (self->body->vars.items[step->result].flags & (DECL_ADDRESSED | DECL_STATIC)))
            continue;
        const Expr *source = build_expr(self, step->source);
        TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, step->expr));
        if ((source->kind != EXPR_VAR && !expr_is_place(source)) || !type_known(type) ||
            type_kind(self->analysis->program, type) != TYPE_POINTER)
            continue;
        PathValue value = build_value(self, step->source, 0);
        step->arg = value.address ? 0 : value.path;
    }
}

// Assignments to what nobody asks about are dropped, and so are functions without calls.
void drop_idle(Build *self) {
    u32 kept = 0;
    fill_copied(self);
    for (u32 b = 0; b < self->blocks.count; b++) {
        SkeletonBlock *block = &self->blocks.items[b];
        u32 first = kept;
        for (u32 s = 0; s < block->step_count; s++) {
            const SkeletonStep *step = &self->steps.items[block->step + s];
            bool sets = step->kind == STEP_SET || step->kind == STEP_STORE;
            bool idle = step->kind == STEP_FOLLOWED ? !self->direct : sets && is_idle(self, step);
            if (!idle)
                self->steps.items[kept++] = *step;
        }
        block->step = first;
        block->step_count = kept - first;
    }
    self->steps.count = kept;
}

// Parameters that branches test: constants handed over decide them.
static void put_tested(Build *self) {
    for (u32 id = 1; id < self->body->exprs.count; id++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_VAR && self->tracked[id] && expr->a < 32 &&
            (self->body->vars.items[expr->a].flags & DECL_PARAM)) {
            array_push(&self->tested, expr->a);
            array_push(&self->tested, id);
        }
    }
}

static u8 value_flags(const Build *self, ExprId id) {
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, id));
    return PLACE_VALUE | (type_kind(self->analysis->program, type) == TYPE_POINTER ? PLACE_POINTER : 0);
}

static void put_place(Build *self, ExprId id, ObjectId object) {
    const Expr *expr = build_expr(self, id);
    u32 flags = expr->kind == EXPR_VAR ? self->body->vars.items[expr->a].flags : 0;
    if (expr->kind == EXPR_VAR && !(flags & (DECL_PARAM | DECL_ADDRESSED)))
        return;
    bool value = (flags & DECL_PARAM) && !self->written[expr->a] && !(flags & DECL_ADDRESSED);
    PathId path = build_place(self, id, 0);
    if (path && (value || expr->kind != EXPR_VAR || (flags & DECL_ADDRESSED)))
        array_push(&self->places, ((TestedPlace){id, path, object, value ? value_flags(self, id) : 0}));
}

// fills: places, masked, objects of mentions.
void fill_places(Build *self) {
    put_tested(self);
    for (u32 m = 0; m < self->mentions.count; m++) {
        Mention *mention = &self->mentions.items[m];
        if (mention->kind == MENTIONS_NAME)
            mention->object = self->memo[mention->object].known ? self->memo[mention->object].object : 0;
    }
    for (u32 id = 1; id < self->body->exprs.count; id++) {
        const Expr *expr = build_expr(self, id);
        i64 bits;
        ExprId of = self->tracked[id] ? build_masked(self, id, &bits) : 0;
        if (of)
            array_push(&self->masked, ((Masked){id, of, bits}));
        if (self->tracked[id] && (expr->kind == EXPR_VAR || expr_is_place(expr)))
            put_place(self, id, self->memo[id].known ? self->memo[id].object : 0);
    }
    for (u32 s = 0; s < self->steps.count; s++) { // what is told by being stored
        const SkeletonStep *step = &self->steps.items[s];
        if (step->kind == STEP_STORE && !self->tracked[step->expr] && is_told(self, step)) {
            self->tracked[step->expr] = 2;
            put_place(self, step->expr, self->memo[step->expr].known ? self->memo[step->expr].object : 0);
        }
    }
}
