// flow.c: what is known at every point of one function: forwards over its blocks, up to the fixed point.
// In: a body, its skeleton. Out: calls of Flow.relied for every use of something that a fact is about, in the order of
// the text. Facts are what every way to a point says (a must analysis); that a lock was let go since is a mark on the
// fact.
#include "racerx/stale/stale.h"

static const Expr *expr_at(const Flow *self, ExprId id) { return &self->body.exprs.items[id]; }

bool is_own_place(const Flow *self, PathId place) {
    const Path *path = &self->analysis->paths.paths.items[place];
    if (!place || path->depth || (path->root != ROOT_LOCAL && path->root != ROOT_PARAM))
        return false;
    return path->step < self->body.vars.count &&
           !(self->body.vars.items[path->step].flags & (DECL_ADDRESSED | DECL_STATIC));
}

ObjectId fact_object(const Flow *self, const KnownFact *fact) {
    return fact->access ? self->analysis->accesses.items[fact->access - 1].object : 0;
}

static KnownFact fact_now(const Flow *self, u8 kind, u8 source, PathId place, u32 var, Place at) {
    return (KnownFact){
        .kind = kind, .source = source, .place = place, .var = var, .held = self->now.held & self->keeping, .at = at};
}

void flow_rely(Flow *self, Reliance reliance) {
    reliance.held = self->now.held;
    if (self->relied && !self->now.cut)
        self->relied(self->context, self, &reliance);
}

// Is a place inside another, or reached through it?
static bool is_below(const Flow *self, PathId place, PathId above) {
    const PathTable *paths = &self->analysis->paths;
    while (place && place != above && paths->paths.items[place].depth > paths->paths.items[above].depth)
        place = paths->paths.items[place].parent;
    return place == above;
}

// uses --------------------------------------------------------------------------

static void use_pointer(Flow *self, ExprId pointer, const Event *event) {
    PathId place = flow_place(self, pointer);
    u32 var = flow_var(self, pointer), access = self->accesses[pointer];
    KnownFact *known = place ? fact_find(&self->now, FACT_NONNULL, place, NO_ID) : NULL;
    if (!place)
        return;
    flow_rely(
        self,
        (Reliance){.kind = RELY_DEREFERENCE, .fact = known, .pointer = place, .place = event->place, .access = access});
    for (u32 i = 0; var != NO_ID && i < self->now.facts.count; i++)
        if (self->now.facts.items[i].kind == FACT_COPY && self->now.facts.items[i].var == var &&
            !(self->now.facts.items[i].flags & FACT_DERIVED))
            flow_rely(self, (Reliance){.kind = RELY_OBJECT,
                                       .fact = &self->now.facts.items[i],
                                       .place = event->place,
                                       .access = self->accesses[event->expr]});
    flow_use_found(self, var, event);
    if (known && !known->broken)
        return;
    KnownFact fact = fact_now(self, FACT_NONNULL, BY_USE, place, NO_ID, event->place);
    fact.access = access;
    fact.flags = FACT_PROVEN;
    fact_put(&self->now, &fact);
}

static bool is_leaf(const Flow *self, const Leaves *leaves, u32 var) {
    for (u32 l = 0; l < leaves->count; l++)
        if (flow_var(self, leaves->items[l]) == var)
            return true;
    return false;
}

static void use_index(Flow *self, ExprId lvalue, const Event *event) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 depth = 0; lvalue && depth < 16; depth++) {
        const Expr *expr = expr_at(self, lvalue);
        if (expr->kind != EXPR_INDEX && expr->kind != EXPR_MEMBER && expr->kind != EXPR_CAST)
            return;
        lvalue = expr->a;
        if (expr->kind != EXPR_INDEX)
            continue;
        PathId index = flow_place(self, expr->b), array = flow_place(self, expr->a);
        Leaves leaves;
        flow_leaves(self, expr->b, &leaves);
        const KnownFact *tested = index ? fact_find(&self->now, FACT_TESTED, index, NO_ID) : NULL;
        if (tested)
            flow_rely(self, (Reliance){.kind = RELY_INDEX,
                                       .fact = tested,
                                       .place = event->place,
                                       .access = self->accesses[flow_strip(self, expr->b)]});
        for (u32 i = 0; array && i < self->now.facts.count; i++) {
            const KnownFact *fact = &self->now.facts.items[i];
            if (fact->kind == FACT_COPY && is_leaf(self, &leaves, fact->var) && paths->paths.items[fact->place].depth &&
                paths->paths.items[fact->place].parent == paths->paths.items[array].parent)
                flow_rely(self, (Reliance){.kind = RELY_ELEMENT,
                                           .fact = fact,
                                           .place = event->place,
                                           .access = self->accesses[event->expr]});
        }
    }
}

static void use_lvalue(Flow *self, const Event *event) {
    ExprId pointer = flow_pointer(self, event->expr);
    if (expr_at(self, event->expr)->kind == EXPR_VAR)
        return;
    use_index(self, event->expr, event);
    if (pointer)
        use_pointer(self, pointer, event);
}

// reads ---------------------------------------------------------------------------

static bool is_update(const Flow *self, const Event *event) {
    const Block *block = &self->body.blocks.items[self->block];
    const Event *end = &self->body.events.items[block->event + block->event_count], *next = event + 1;
    return next < end && next->kind == EVENT_WRITE && (next->flags & EVENT_RMW) && next->expr == event->expr;
}

static bool is_made_of(const Flow *self, ExprId value, ExprId expr) {
    Leaves leaves = {0};
    if (value)
        flow_leaves(self, value, &leaves);
    for (u32 l = 0; l < leaves.count; l++)
        if (leaves.items[l] == expr)
            return true;
    return false;
}

// Does a local get it, or whoever called? Then it may be looked at again.
static bool is_kept(const Flow *self, const Event *event) {
    const Block *block = &self->body.blocks.items[self->block];
    const Event *end = &self->body.events.items[block->event + block->event_count];
    for (const Event *next = event + 1; next < end; next++)
        if (next->kind == EVENT_WRITE && expr_at(self, next->expr)->kind == EXPR_VAR &&
            is_made_of(self, next->value, event->expr))
            return true;
    return block->term == TERM_RETURN && is_made_of(self, block->value, event->expr);
}

static void flow_read(Flow *self, const Event *event) {
    if (event->flags & EVENT_ADDRESS)
        return;
    use_lvalue(self, event);
    PathId place = !is_kept(self, event) || is_update(self, event) || expr_at(self, event->expr)->kind == EXPR_VAR
                       ? 0
                       : flow_place(self, event->expr);
    for (u32 i = 0; place && i < self->now.facts.count; i++) {
        KnownFact *fact = &self->now.facts.items[i];
        if (fact->place == place && (fact->broken || fact->entered))
            fact->flags |= FACT_SEEN;
    }
}

// writes ----------------------------------------------------------------------------

static void forget_var(Flow *self, u32 var) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 i = self->now.facts.count; i-- > 0;) {
        const KnownFact *fact = &self->now.facts.items[i];
        const Path *root = &paths->paths.items[path_first(paths, fact->place)];
        bool rooted = (root->root == ROOT_LOCAL || root->root == ROOT_PARAM) && root->step == var;
        if (fact->var == var || rooted)
            fact_drop(&self->now, i);
    }
}

// What was stored at a place, or below it, is something else now.
static void forget_place(Flow *self, PathId place, ObjectId object) {
    for (u32 i = self->now.facts.count; i-- > 0;) {
        KnownFact *fact = &self->now.facts.items[i];
        bool below = is_below(self, fact->place, place);
        if (!below && !(object && fact_object(self, fact) == object))
            continue;
        if (fact->kind == FACT_COPY)
            fact->flags |= FACT_CLAIMED | FACT_PINNED;
        else
            fact_drop(&self->now, i);
    }
}

// A copy that was handed to somebody, or written through, while the lock was still held.
static void pin(Flow *self, u32 var) {
    for (u32 i = 0; var != NO_ID && i < self->now.facts.count; i++)
        if (self->now.facts.items[i].var == var && !self->now.facts.items[i].broken)
            self->now.facts.items[i].flags |= FACT_PINNED;
}

// Is the value surely not zero? Or believed to be: a pointer that is stored on purpose.
static bool is_nonzero(Flow *self, ExprId value, bool *proven) {
    u8 mask = value ? build_signs(&self->build, value) : VALUE_ANY;
    PathId place = value ? flow_place(self, value) : 0;
    KnownFact *known = place ? fact_find(&self->now, FACT_NONNULL, place, NO_ID) : NULL;
    *proven = !(mask & VALUE_ZERO) || (known && !known->broken && (known->flags & FACT_PROVEN));
    return *proven ||
           (value && mask == VALUE_ANY && (place || expr_at(self, flow_strip(self, value))->kind == EXPR_CALL));
}

void flow_put_copies(Flow *self, u32 var, u32 from, u8 flags) {
    u32 count = self->now.facts.count;
    for (u32 i = 0; i < count; i++) {
        KnownFact fact = self->now.facts.items[i];
        if (fact.var != from || (fact.kind != FACT_COPY && (fact.kind != FACT_FOUND || flags)))
            continue;
        fact.var = var;
        fact.flags |= flags;
        fact_put(&self->now, &fact);
        count = self->now.facts.count;
    }
}

static void copy_value(Flow *self, u32 var, const Event *event) {
    ExprId value = flow_strip(self, event->value);
    PathId place = flow_place(self, value);
    const Path *root = &self->analysis->paths.paths.items[path_first(&self->analysis->paths, place)];
    bool mine = (root->root == ROOT_LOCAL || root->root == ROOT_PARAM) && root->step == var;
    if (!place && expr_at(self, value)->kind == EXPR_CALL && flow_is_pointer(self, event->expr)) {
        KnownFact fact = fact_now(self, FACT_COPY, BY_CALL, path_root(&self->analysis->paths, ROOT_RESULT, value), var,
                                  event->place);
        fact_put(&self->now, &fact);
    }
    if (!place || mine || !self->accesses[value])
        return;
    KnownFact fact = fact_now(self, FACT_COPY, BY_LOAD, place, var, event->place);
    fact.access = self->accesses[value];
    fact_put(&self->now, &fact);
}

// Numbers that are made of a copy are as old as it is.
static void derive(Flow *self, u32 var, const Event *event) {
    Leaves leaves = {0};
    FactSet old = {0};
    if (event->value && !flow_is_pointer(self, event->expr) && flow_var(self, event->value) >= CALL_VAR)
        flow_leaves(self, event->value, &leaves);
    if (leaves.count)
        fact_set_copy(&old, &self->now);
    forget_var(self, var);
    for (u32 i = 0; i < old.facts.count; i++) {
        KnownFact fact = old.facts.items[i];
        if (fact.kind != FACT_COPY || !is_leaf(self, &leaves, fact.var))
            continue;
        fact.flags |= FACT_DERIVED | (fact.var == var ? FACT_CHOSEN : 0);
        fact.var = var;
        fact_put(&self->now, &fact);
    }
    fact_set_free(&old);
}

// `v = place`, of a place that was seen not to be null before a lock was let go: what v is believed to be is as old.
static void inherit_nonnull(Flow *self, const Event *event) {
    PathId place = event->value ? flow_place(self, event->value) : 0;
    const KnownFact *known = place ? fact_find(&self->now, FACT_NONNULL, place, NO_ID) : NULL;
    if (!known || !known->broken || !known->access || known->source == BY_USE)
        return;
    KnownFact fact = *known;
    fact.place = build_place(&self->build, event->expr, 0);
    fact.flags |= FACT_DERIVED;
    fact_put(&self->now, &fact);
}

static void write_var(Flow *self, u32 var, const Event *event) {
    bool proven = false, nonzero = event->value && is_nonzero(self, event->value, &proven);
    u32 from = event->value ? flow_var(self, event->value) : NO_ID;
    if (from == var)
        return; // x = x + …: a pointer that is counted up
    derive(self, var, event);
    if (self->body.vars.items[var].flags & (DECL_ADDRESSED | DECL_STATIC))
        return;
    if (from != NO_ID)
        flow_put_copies(self, var, from, 0);
    if (event->value && (from == NO_ID || from & CALL_VAR))
        copy_value(self, var, event);
    flow_found(self, var, event);
    inherit_nonnull(self, event);
    if (!nonzero || !proven)
        return;
    KnownFact fact =
        fact_now(self, FACT_NONNULL, BY_STORE, build_place(&self->build, event->expr, 0), NO_ID, event->place);
    fact.flags = FACT_PROVEN;
    fact_put(&self->now, &fact);
}

// A name that is neither data nor code.
static bool is_enumerator(const Flow *self, const Expr *expr) {
    const Program *program = self->analysis->program;
    FileId file = self->build.scope.file;
    if (!expr || expr->kind != EXPR_NAME)
        return false;
    NameId name = build_name(&self->build, expr->a);
    return program_global(program, file, name) == NO_ID && program_function(program, file, name) == NO_ID;
}

// A flag that was tested under the lock is set under it: whatever else was looked at there is kept by that.
static void claim(Flow *self, const KnownFact *tested) {
    u32 held = tested->held;
    for (u32 i = 0; i < self->now.facts.count && held && !tested->broken; i++) {
        KnownFact *fact = &self->now.facts.items[i];
        if (fact->kind != FACT_COPY && fact->kind != FACT_FOUND && fact->held & held && !fact->broken)
            fact->flags |= FACT_CLAIMED;
    }
}

// Was it written because of what a branch found there, or with what was made of an earlier copy?
static void rely_on_write(Flow *self, PathId place, const Event *event) {
    Leaves leaves = {0};
    u8 mask = event->value ? build_signs(&self->build, event->value) : VALUE_ANY;
    const Expr *value = event->value ? expr_at(self, flow_strip(self, event->value)) : NULL;
    bool again = (event->flags & EVENT_RMW) && value && value->kind == EXPR_BINARY;
    Reliance reliance = {.kind = RELY_WRITE,
                         .place = event->place,
                         .access = self->accesses[event->expr],
                         .constant = mask != VALUE_ANY || is_enumerator(self, value),
                         .lowers = mask == VALUE_ZERO};
    reliance.bits = again && (value->op == OP_OR || value->op == OP_AND || value->op == OP_XOR);
    reliance.update = again && !reliance.bits;
    reliance.fact = fact_find(&self->now, FACT_TESTED, place, NO_ID);
    ExprId bits = reliance.bits ? flow_mask(self, event->value, flow_strip(self, event->expr)) : 0;
    if (bits && reliance.fact && reliance.fact->mask)
        reliance.bits = !flow_is_in(self, reliance.fact->mask, bits) && !flow_is_in(self, bits, reliance.fact->mask);
    reliance.constant |= bits && !reliance.bits;
    if (reliance.fact)
        flow_rely(self, reliance);
    if (reliance.fact && !reliance.update)
        claim(self, reliance.fact);
    if (event->value)
        flow_leaves(self, event->value, &leaves);
    for (u32 l = 0; l < leaves.count; l++) {
        u32 var = flow_var(self, leaves.items[l]);
        reliance.kind = RELY_UPDATE;
        reliance.fact = var == NO_ID ? NULL : fact_find(&self->now, FACT_COPY, place, var);
        if (reliance.fact)
            flow_rely(self, reliance);
    }
}

static void flow_write(Flow *self, const Event *event) {
    u32 var = expr_at(self, event->expr)->kind == EXPR_VAR ? expr_at(self, event->expr)->a : NO_ID;
    if (var != NO_ID) {
        write_var(self, var, event);
        return;
    }
    PathId place = flow_place(self, event->expr);
    u32 access = self->accesses[event->expr];
    bool proven, nonzero = is_nonzero(self, event->value, &proven);
    use_lvalue(self, event);
    rely_on_write(self, place, event);
    pin(self, flow_base(self, event->expr));
    forget_place(self, place, access ? self->analysis->accesses.items[access - 1].object : 0);
    if (!place || !nonzero || !flow_is_pointer(self, event->expr))
        return;
    KnownFact fact = fact_now(self, FACT_NONNULL, BY_STORE, place, NO_ID, event->place);
    fact.access = access;
    fact.flags = proven ? FACT_PROVEN : 0;
    fact_put(&self->now, &fact);
    fact.kind = FACT_COPY; // who stored it has it, and from now on others can find it
    fact.var = flow_var(self, event->value);
    if (fact.var != NO_ID)
        fact_put(&self->now, &fact);
}

// conditions ------------------------------------------------------------------------

// A place is compared with the copy that was made of it: what is known of its object was looked at again.
static void renew(Flow *self, PathId place) {
    const PathTable *paths = &self->analysis->paths;
    PathId object = paths->paths.items[place].parent;
    for (u32 i = self->now.facts.count; i-- > 0;) {
        KnownFact *fact = &self->now.facts.items[i];
        if (fact->place != place && (!object || paths->paths.items[fact->place].parent != object))
            continue;
        if (fact->broken || fact->entered)
            fact_drop(&self->now, i);
    }
}

// What was found is compared with something.
static void renew_found(Flow *self, u32 var) {
    KnownFact *found = var == NO_ID ? NULL : fact_find(&self->now, FACT_FOUND, 0, var);
    if (found && found->broken)
        fact_drop(&self->now, (u32)(found - self->now.facts.items));
}

static void test_leaf(Flow *self, ExprId leaf, ExprId mask, Place at, u8 flags, u8 side) {
    PathId place = flow_place(self, leaf);
    u32 var = flow_var(self, leaf);
    u32 count = self->now.facts.count;
    for (u32 i = 0; var != NO_ID && i < count; i++) {
        KnownFact fact = self->now.facts.items[i];
        if (fact.kind != FACT_COPY || fact.var != var || fact.source != BY_LOAD || (fact.flags & FACT_CHOSEN))
            continue;
        fact.kind = FACT_TESTED; // as good as a test of the place, when it was copied
        fact.source = BY_TEST;
        fact.var = NO_ID;
        fact.side = side;
        fact.mask = mask;
        fact.flags = (u8)((fact.flags & FACT_BELOW) | flags);
        fact_put(&self->now, &fact);
        break;
    }
    if (!place || is_own_place(self, place) || !self->accesses[leaf])
        return;
    KnownFact fact = fact_now(self, FACT_TESTED, BY_TEST, place, NO_ID, at);
    fact.access = self->accesses[leaf];
    fact.flags = flags;
    fact.side = side;
    fact.mask = mask;
    fact_put(&self->now, &fact);
}

static void test(Flow *self, ExprId condition, Place at, u8 flags, u8 side) {
    Leaves leaves;
    flow_leaves(self, condition, &leaves);
    for (u32 a = 0; a < leaves.count; a++) {
        PathId place = flow_place(self, leaves.items[a]);
        for (u32 b = 0; place && b < leaves.count; b++) {
            u32 var = flow_var(self, leaves.items[b]);
            if (var != NO_ID && fact_find(&self->now, FACT_COPY, place, var))
                renew(self, place);
        }
    }
    if (leaves.count > 1)
        for (u32 i = 0; i < leaves.count; i++)
            renew_found(self, flow_var(self, leaves.items[i]));
    for (u32 i = 0; i < leaves.count; i++)
        test_leaf(self, leaves.items[i], flow_mask(self, condition, leaves.items[i]), at, flags, side);
}

static void put_nonnull(Flow *self, ExprId subject, Place at) {
    PathId place = flow_place(self, subject);
    if (!place)
        return;
    KnownFact fact = fact_now(self, FACT_NONNULL, BY_TEST, place, NO_ID, at);
    fact.access = self->accesses[flow_strip(self, subject)];
    fact.flags = FACT_PROVEN;
    fact_put(&self->now, &fact);
}

// Is it tested for more or less, or against something that may be any number?
static bool is_bound(const Flow *self, const Block *block) {
    if (block->term != TERM_BRANCH || block->relation > REL_NE)
        return block->term == TERM_BRANCH;
    const Expr *value = block->value ? expr_at(self, flow_strip(self, block->value)) : NULL;
    bool equal = value && value->kind == EXPR_BINARY && (value->op == OP_EQ || value->op == OP_NE);
    if (block->relation != REL_OPAQUE || !equal)
        return block->relation == REL_OPAQUE;
    return !is_enumerator(self, expr_at(self, flow_strip(self, value->a))) &&
           !is_enumerator(self, expr_at(self, flow_strip(self, value->b)));
}

// What a branch says when it goes one way.
static void assume(Flow *self, const Block *block, u32 way) {
    u8 exact, mask;
    bool taken = !way, bound = is_bound(self, block);
    if (block->value)
        test(self, block->value, block->place, bound ? FACT_CHOSEN : 0, (u8)(1 + (way < 254 ? way : 254)));
    static const u8 opposites[] = {REL_OPAQUE, REL_NE, REL_EQ, REL_GE, REL_GT, REL_LE, REL_LT};
    if (block->term != TERM_BRANCH || block->relation == REL_OPAQUE)
        return;
    mask = relation_mask(taken ? block->relation : opposites[block->relation], block->constant, &exact);
    if (!(mask & VALUE_ZERO))
        put_nonnull(self, build_subject(&self->build, block->subject), block->place);
}

// `assert(p)`, `BUG_ON(!p)`: comes back only if it is so.
static void assume_call(Flow *self, const Event *event, bool is_false) {
    const Expr *call = expr_at(self, event->expr);
    ExprId value = call->c ? self->body.lists.items[call->b] : 0;
    if (!value)
        return;
    ExprId compared = value;
    u8 how = build_comparison(&self->build, &compared);
    test(self, value, event->place, 0, 0);
    if ((how == COMPARES_NOT && !is_false) || (how == COMPARES_EQUAL && is_false) ||
        (how == COMPARES_UNEQUAL && !is_false))
        put_nonnull(self, compared, event->place);
}

// calls -----------------------------------------------------------------------------

static void call_asserts(Flow *self, const Event *event, const Expr *call) {
    const Expr *callee = expr_at(self, call->a);
    const CallFact *facts;
    if (callee->kind != EXPR_NAME)
        return;
    NameId name = build_name(&self->build, callee->a);
    if (!(program_said(self->analysis->program, name) & SAID_ASSERTS))
        return;
    const char *text = program_text(self->analysis->program, name);
    u32 count = declarations_facts(self->analysis->declarations, text, (u32)strlen(text), SAID_ASSERTS, &facts);
    if (count)
        assume_call(self, event, facts[0].is_false);
}

static void flow_call(Flow *self, const Event *event) {
    const Expr *call = expr_at(self, event->expr);
    const SkeletonBlock *block = self->has_skeleton ? &self->skeleton->blocks[self->block] : NULL;
    if (call->kind != EXPR_CALL)
        return;
    PathId written = flow_declared(self, event);
    const KnownFact *tested = written ? fact_find(&self->now, FACT_TESTED, written, NO_ID) : NULL;
    if (tested)
        claim(self, tested);
    if (written)
        forget_place(self, written, 0);
    for (u32 i = 0; i < call->c; i++) {
        ExprId argument = flow_strip(self, self->body.lists.items[call->b + i]);
        u8 kind = expr_at(self, argument)->kind;
        if (kind == EXPR_VAR || kind == EXPR_ADDRESS)
            pin(self, flow_base(self, argument));
        PathId place = kind == EXPR_ADDRESS ? flow_place(self, expr_at(self, argument)->a) : 0;
        if (place)
            forget_place(self, place, 0);
    }
    call_asserts(self, event, call);
    for (u32 s = self->step; block && s < block->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[block->step + s];
        if (step->expr != event->expr || (step->kind != STEP_LOCK && step->kind != STEP_CALL))
            continue;
        if (step->kind == STEP_LOCK)
            flow_lock_step(self, step);
        else
            flow_call_step(self, step);
        flow_returned(self, step, event->expr);
        self->step = s + 1;
    }
    flow_walked(self, event);
}

// the fixed point -------------------------------------------------------------------

static void flow_events(Flow *self, u32 b) {
    const Block *block = &self->body.blocks.items[b];
    self->block = b;
    self->step = 0;
    for (u32 i = 0; i < block->event_count; i++) {
        const Event *event = &self->body.events.items[block->event + i];
        if ((event->kind == EVENT_READ || event->kind == EVENT_WRITE) && self->event_accesses[block->event + i])
            self->accesses[event->expr] = self->event_accesses[block->event + i];
        switch (event->kind) {
        case EVENT_READ: flow_read(self, event); break;
        case EVENT_WRITE: flow_write(self, event); break;
        case EVENT_CALL: flow_call(self, event); break;
        case EVENT_DECL: forget_var(self, expr_at(self, event->expr)->a); break;
        default: break;
        }
    }
}

static void flow_on(Flow *self, u32 b, u8 *dirty) {
    const Block *block = &self->body.blocks.items[b];
    bool ends = self->has_skeleton && self->skeleton->blocks[b].term == TERM_UNREACHABLE;
    bool splits = block->term == TERM_BRANCH || block->term == TERM_SWITCH;
    FactSet after = {0};
    for (u32 s = 0; s < block->successor_count && !ends; s++) {
        u32 next = self->body.successors.items[block->successor + s].block;
        if (splits) {
            FactSet kept = self->now;
            fact_set_copy(&after, &self->now);
            self->now = after;
            assume(self, block, s);
            after = self->now;
            self->now = kept;
        }
        if (fact_set_meet(&self->in[next], splits ? &after : &self->now))
            dirty[next] = 1;
    }
    fact_set_free(&after);
}

static void find_facts(Flow *self) {
    u8 *dirty = must_zero(self->body.blocks.count + 1u);
    dirty[0] = 1;
    self->in[0].reached = true;
    flow_entry(self, &self->in[0]);
    for (bool again = true; again;) {
        again = false;
        for (u32 b = 0; b < self->body.blocks.count; b++) {
            if (!dirty[b])
                continue;
            dirty[b] = 0;
            again = true;
            fact_set_copy(&self->now, &self->in[b]);
            flow_events(self, b);
            flow_on(self, b, dirty);
        }
    }
    free(dirty);
    for (u32 b = 0; checks_wanted() && b < self->body.blocks.count; b++)
        fact_set_check(&self->in[b]);
}

static void flow_begin(Flow *self, FunctionId function) {
    self->function = function;
    self->skeleton = &self->analysis->skeletons[function];
    self->has_skeleton = self->skeleton->block_count == self->body.blocks.count;
    build_begin(&self->build, self->analysis, function, &self->body);
    self->alias = must_zero(sizeof(ExprId) * (self->body.vars.count + 1u));
    self->accesses = must_zero(sizeof(u32) * (self->body.exprs.count + 1u));
    self->event_accesses = must_zero(sizeof(u32) * (self->body.events.count + 1u));
    self->in = must_zero(sizeof(FactSet) * (self->body.blocks.count + 1u));
    self->locks.count = 0;
    self->keeping = 0;
    flow_words(self);
    flow_accesses(self);
}

static void flow_end(Flow *self) {
    for (u32 b = 0; b < self->body.blocks.count; b++)
        fact_set_free(&self->in[b]);
    free(self->in);
    free(self->alias);
    free(self->accesses);
    free(self->event_accesses);
    build_end(&self->build);
}

bool flow_run(Flow *self, FunctionId function, RelyFn relied, void *context) {
    if (!program_body(self->analysis->program, function, &self->body) || !self->body.blocks.count)
        return false;
    if (self->body.blocks.count > STALE_BLOCKS_MOST) {
        limit_reached(LIMIT_STALE_BLOCKS_MOST);
        return false;
    }
    flow_begin(self, function);
    self->relied = NULL;
    find_facts(self);
    self->relied = relied;
    self->context = context;
    for (u32 b = 0; b < self->body.blocks.count; b++) {
        if (!self->in[b].reached)
            continue;
        fact_set_copy(&self->now, &self->in[b]);
        self->block = b;
        if (self->told)
            relied(context, self, NULL);
        flow_events(self, b);
        if (self->returned && self->body.blocks.items[b].term == TERM_RETURN && self->body.blocks.items[b].value)
            flow_return(self, &self->body.blocks.items[b]);
    }
    flow_end(self);
    return true;
}

void flow_free(Flow *self) {
    body_free(&self->body);
    fact_set_free(&self->now);
    array_free(&self->locks);
}
