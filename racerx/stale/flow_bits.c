// flow_bits.c: bits that are asked for and set by functions, `if (!test_bit(n, &x->map)) … __set_bit(n, &x->map)`.
// In: calls that are declared to read or write what an argument points to. Out: their access, so that a branch on such
// a call tests the place; a write that relies on a test of the same bit. A call whose result is used looks again
// itself.
#include "racerx/stale/stale.h"

static const Expr *expr_at(const Flow *self, ExprId id) { return &self->body.exprs.items[id]; }

static ExprId argument_of(const Flow *self, const Expr *call, u32 n) {
    return n && n <= call->c ? flow_strip(self, self->body.lists.items[call->b + n - 1]) : 0;
}

// What an argument points to, when the text says so: `&x->flags`, or an array.
static ExprId pointee_of(const Flow *self, ExprId argument) {
    u8 kind = argument ? expr_at(self, argument)->kind : EXPR_NONE;
    if (kind == EXPR_ADDRESS)
        return flow_strip(self, expr_at(self, argument)->a);
    bool lvalue = kind == EXPR_MEMBER || kind == EXPR_NAME;
    return lvalue && !flow_is_pointer(self, argument) ? argument : 0;
}

// What is declared of the function that is called; NULL: nothing that tells one argument.
static const CallFact *declared_of(const Flow *self, const Expr *call) {
    const Expr *callee = expr_at(self, call->a);
    const CallFact *facts;
    if (call->kind != EXPR_CALL || callee->kind != EXPR_NAME || !call->c)
        return NULL;
    NameId name = build_name(&self->build, callee->a);
    u32 said = program_said(self->analysis->program, name) & (SAID_ATOMIC | SAID_ACCESSES | SAID_ACCESSOR);
    if (!said || (said & SAID_ACCESSOR))
        return NULL;
    const char *text = program_text(self->analysis->program, name);
    u32 kind = said & SAID_ATOMIC ? SAID_ATOMIC : SAID_ACCESSES;
    u32 count = declarations_facts(self->analysis->declarations, text, (u32)strlen(text), kind, &facts);
    return count && !facts[0].global && !facts[0].device ? &facts[0] : NULL;
}

// Which bit it is about: the number before the map, when that cannot have changed since.
static ExprId bit_before(const Flow *self, const Expr *call, u32 map) {
    ExprId bit = map == 2 ? argument_of(self, call, 1) : 0;
    const Expr *expr = bit ? expr_at(self, bit) : NULL;
    if (expr && expr->kind == EXPR_VAR)
        return self->build.written[expr->a] > !(self->body.vars.items[expr->a].flags & DECL_PARAM) ? 0 : bit;
    return expr && (expr->kind == EXPR_INT || expr->kind == EXPR_NAME) ? bit : 0;
}

ExprId flow_bit(const Flow *self, const Expr *call, ExprId of) {
    const CallFact *fact = declared_of(self, call);
    u32 map = fact && fact->argument > 0 ? (u32)fact->argument : 1;
    return fact && pointee_of(self, argument_of(self, call, map)) == of ? bit_before(self, call, map) : 0;
}

static u32 access_at(const Flow *self, Place at, PathId path) {
    u32 end = self->effects->first_access[self->function + 1];
    for (u32 a = self->effects->first_access[self->function]; a < end; a++) {
        const Access *access = &self->analysis->accesses.items[a];
        if (access->path == path && access->place.line == at.line && access->place.column == at.column)
            return a + 1;
    }
    return 0;
}

PathId flow_declared(Flow *self, const Event *event) {
    const Expr *call = expr_at(self, event->expr);
    const CallFact *declared = declared_of(self, call);
    u32 map = declared && declared->argument > 0 ? (u32)declared->argument : 1;
    ExprId object = declared ? pointee_of(self, argument_of(self, call, map)) : 0;
    PathId place = object ? flow_place(self, object) : 0;
    u32 access = place ? access_at(self, event->place, place) : 0;
    if (!access)
        return 0;
    self->accesses[object] = declared->access & ACCESS_WRITE ? 0 : access; // who asks and sets at once has it
    if (!(declared->access & ACCESS_WRITE))
        return 0;
    ExprId bit = bit_before(self, call, map);
    const KnownFact *tested = fact_find(&self->now, FACT_TESTED, place, NO_ID);
    if (tested && bit && tested->mask == bit && (event->flags & EVENT_DISCARD))
        flow_rely(
            self,
            (Reliance){.kind = RELY_WRITE, .fact = tested, .place = event->place, .access = access, .constant = true});
    return place;
}
