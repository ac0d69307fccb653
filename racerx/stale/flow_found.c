// flow_found.c: locals that point to what others can find, too: loaded from a list, a table, a member, or looked up.
// In: writes of locals. Out: FACT_FOUND, of the local and of no place: it lives on when the local goes along a list,
// and when several ways found something, or nothing. Whoever takes such an object off under the lock may free it as
// soon as the lock is let go.
#include "racerx/stale/stale.h"

static const Expr *expr_at(const Flow *self, ExprId id) { return &self->body.exprs.items[id]; }

static void put_found(Flow *self, u32 var, u32 access, u8 source, u8 flags, Place at) {
    fact_put(&self->now, &(KnownFact){.kind = FACT_FOUND,
                                      .source = source,
                                      .flags = flags,
                                      .var = var,
                                      .access = access,
                                      .held = self->now.held & self->keeping,
                                      .at = at});
}

// What is around a member: the load that found the member, or the local whose member it is.
static ExprId inside_container(const Flow *self, ExprId value) {
    for (u32 depth = 0; depth < 4; depth++) {
        value = flow_strip(self, value);
        if (!value || expr_at(self, value)->kind != EXPR_CONTAINER)
            break;
        value = expr_at(self, value)->a;
    }
    return value;
}

static bool is_load(const Flow *self, ExprId value) {
    u8 kind = expr_at(self, value)->kind;
    return kind == EXPR_MEMBER || kind == EXPR_DEREF || kind == EXPR_INDEX || kind == EXPR_NAME;
}

void flow_found(Flow *self, u32 var, const Event *event) {
    if (!event->value || flow_pointee(self, var) == NO_ID)
        return;
    ExprId value = inside_container(self, event->value);
    if (build_signs(&self->build, event->value) == VALUE_ZERO)
        put_found(self, var, 0, BY_STORE, FACT_EMPTY, event->place);
    else if (value && is_load(self, value) && self->accesses[value])
        put_found(self, var, self->accesses[value], BY_LOAD, 0, event->place);
    else if (value && expr_at(self, value)->kind == EXPR_VAR && value != flow_strip(self, event->value))
        flow_put_copies(self, var, expr_at(self, value)->a, 0); // around a node that was found
}

void flow_walked(Flow *self, const Event *event) {
    const Block *block = &self->body.blocks.items[self->block];
    const Expr *call = expr_at(self, event->expr);
    ExprId cursor = call->kind == EXPR_CALL && call->c ? flow_strip(self, self->body.lists.items[call->b]) : 0;
    if (!cursor || block->term != TERM_BRANCH || flow_strip(self, block->subject) != event->expr ||
        expr_at(self, cursor)->kind != EXPR_VAR || flow_pointee(self, expr_at(self, cursor)->a) == NO_ID ||
        expr_at(self, call->a)->kind != EXPR_NAME)
        return;
    NameId name = build_name(&self->build, expr_at(self, call->a)->a);
    if (program_function(self->analysis->program, self->build.scope.file, name) == NO_ID)
        put_found(self, expr_at(self, cursor)->a, 0, BY_LOAD, 0, event->place);
}

// A copy of one known place says more.
static bool is_copy(const Flow *self, u32 var) {
    for (u32 i = 0; i < self->now.facts.count; i++) {
        const KnownFact *fact = &self->now.facts.items[i];
        if (fact->kind == FACT_COPY && fact->var == var && !(fact->flags & FACT_DERIVED) && fact->source != BY_CALL)
            return true;
    }
    return false;
}

void flow_use_found(Flow *self, u32 var, const Event *event) {
    KnownFact *fact = var == NO_ID ? NULL : fact_find(&self->now, FACT_FOUND, 0, var);
    if (fact && !(fact->flags & FACT_EMPTY) && !is_copy(self, var))
        flow_rely(self,
                  (Reliance){
                      .kind = RELY_OBJECT, .fact = fact, .place = event->place, .access = self->accesses[event->expr]});
}
