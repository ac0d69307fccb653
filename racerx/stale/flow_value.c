// flow_value.c: what the expressions of a body mean for facts: which place is loaded, through which pointer.
// A local that was loaded from memory stands for itself: what was copied and what is loaded again are two things. One
// that was given an address stands for that.
#include "racerx/stale/stale.h"

static const Expr *expr_at(const Flow *self, ExprId id) { return &self->body.exprs.items[id]; }

ExprId flow_strip(const Flow *self, ExprId id) {
    for (u32 depth = 0; id && depth < 16; depth++) {
        const Expr *expr = expr_at(self, id);
        if (expr->kind == EXPR_CAST || expr->kind == EXPR_BLOCK || expr->kind == EXPR_STEP)
            id = expr->a;
        else if (expr->kind == EXPR_ASSIGN)
            id = expr->a;
        else
            break;
    }
    return id;
}

bool flow_is_pointer(const Flow *self, ExprId id) {
    const BodyScope *scope = &self->build.scope;
    return type_kind(scope->program, scope_strip(scope, expr_type(scope, id))) == TYPE_POINTER;
}

ExprId flow_pointer(const Flow *self, ExprId id) {
    for (u32 depth = 0; id && depth < 16; depth++) {
        const Expr *expr = expr_at(self, id);
        if (expr->kind == EXPR_DEREF || (expr->kind == EXPR_INDEX && flow_is_pointer(self, expr->a)))
            return flow_strip(self, expr->a);
        if (expr->kind != EXPR_MEMBER && expr->kind != EXPR_INDEX && expr->kind != EXPR_CAST)
            return 0;
        id = expr->a;
    }
    return 0;
}

PathId flow_place(Flow *self, ExprId id) {
    id = flow_strip(self, id);
    u8 kind = id ? expr_at(self, id)->kind : EXPR_NONE;
    bool lvalue =
        kind == EXPR_VAR || kind == EXPR_NAME || kind == EXPR_MEMBER || kind == EXPR_DEREF || kind == EXPR_INDEX;
    return lvalue ? build_place(&self->build, id, 0) : 0;
}

u32 flow_var(const Flow *self, ExprId id) {
    id = flow_strip(self, id);
    if (id && expr_at(self, id)->kind == EXPR_CALL)
        return CALL_VAR | id;
    return id && expr_at(self, id)->kind == EXPR_VAR ? expr_at(self, id)->a : NO_ID;
}

RecordId flow_pointee(const Flow *self, u32 var) {
    const BodyScope *scope = &self->build.scope;
    if (var >= self->body.vars.count)
        return NO_ID;
    TypeRef type = {scope->file, self->body.vars.items[var].type, self->function + 1, 0};
    TypeRef target = type_target(scope->program, scope_strip(scope, type));
    return type_known(target) ? type_record(scope->program, scope_strip(scope, target)) : NO_ID;
}

u32 flow_base(const Flow *self, ExprId id) {
    for (u32 depth = 0; id && depth < 16; depth++) {
        const Expr *expr = expr_at(self, id);
        if (expr->kind == EXPR_VAR)
            return expr->a;
        if (expr->kind != EXPR_MEMBER && expr->kind != EXPR_INDEX && expr->kind != EXPR_CAST &&
            expr->kind != EXPR_DEREF && expr->kind != EXPR_ADDRESS && expr->kind != EXPR_CONTAINER)
            return NO_ID;
        id = expr->a;
    }
    return NO_ID;
}

bool flow_is_in(const Flow *self, ExprId part, ExprId whole) {
    ExprId stack[8];
    u32 depth = 0;
    for (stack[depth++] = whole; depth;) {
        ExprId id = flow_strip(self, stack[--depth]);
        const Expr *expr = expr_at(self, id);
        if (id == part)
            return true;
        if (expr->kind == EXPR_BINARY && expr->op == OP_OR && depth + 2 < 8) {
            stack[depth++] = expr->a;
            stack[depth++] = expr->b;
        }
    }
    return false;
}

ExprId flow_mask(const Flow *self, ExprId value, ExprId of) {
    ExprId stack[16];
    u32 depth = 0;
    for (stack[depth++] = value; depth;) {
        const Expr *expr = expr_at(self, flow_strip(self, stack[--depth]));
        ExprId bit = expr->kind == EXPR_CALL ? flow_bit(self, expr, of) : 0;
        if (bit)
            return bit;
        if (expr->kind != EXPR_UNARY && expr->kind != EXPR_BINARY)
            continue;
        ExprId a = flow_strip(self, expr->a), b = expr->kind == EXPR_BINARY ? flow_strip(self, expr->b) : 0;
        if (expr->kind == EXPR_BINARY && (expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_XOR) &&
            (a == of || b == of)) {
            ExprId mask = a == of ? b : a;
            return expr_at(self, mask)->kind == EXPR_UNARY ? flow_strip(self, expr_at(self, mask)->a) : mask;
        }
        if (depth + 2 > 16)
            break;
        stack[depth++] = a;
        if (expr->kind == EXPR_BINARY)
            stack[depth++] = b;
    }
    return 0;
}

static void push_leaf(Leaves *out, ExprId id) {
    if (out->count < sizeof out->items / sizeof *out->items)
        out->items[out->count++] = id;
}

void flow_leaves(const Flow *self, ExprId root, Leaves *out) {
    ExprId stack[32];
    u32 depth = 0;
    out->count = 0;
    stack[depth++] = root;
    while (depth) {
        ExprId id = flow_strip(self, stack[--depth]);
        const Expr *expr = expr_at(self, id);
        switch (expr->kind) {
        case EXPR_VAR:
        case EXPR_NAME:
        case EXPR_MEMBER:
        case EXPR_DEREF:
        case EXPR_INDEX: push_leaf(out, id); break;
        case EXPR_UNARY: stack[depth++] = expr->a; break;
        case EXPR_BINARY:
            if (depth + 2 < 32) {
                stack[depth++] = expr->b;
                stack[depth++] = expr->a;
            }
            break;
        case EXPR_CALL: // an accessor, or a question about its arguments
            push_leaf(out, id);
            for (u32 i = 0; i < expr->c && depth + 1 < 32; i++)
                stack[depth++] = self->body.lists.items[expr->b + i];
            break;
        case EXPR_ADDRESS: stack[depth++] = expr->a; break;
        default: break;
        }
    }
}

// Does the address stay the same, whatever others write?
static bool is_steady(const Flow *self, ExprId id) {
    for (u32 depth = 0; id && depth < 16; depth++) {
        const Expr *expr = expr_at(self, id);
        switch (expr->kind) {
        case EXPR_NAME: return true;
        case EXPR_VAR:
            return self->build.written[expr->a] <= !(self->body.vars.items[expr->a].flags & DECL_PARAM) &&
                   !(self->body.vars.items[expr->a].flags & (DECL_ADDRESSED | DECL_STATIC));
        case EXPR_DEREF:
            id = expr->a;
            if (expr_at(self, id)->kind != EXPR_VAR)
                return false;
            break;
        case EXPR_MEMBER: id = expr->a; break;
        default: return false;
        }
    }
    return false;
}

void flow_words(Flow *self) {
    for (u32 v = 0; v < self->body.vars.count; v++) {
        const Expr *value = self->build.alias[v] ? expr_at(self, self->build.alias[v]) : NULL;
        while (value && value->kind == EXPR_CAST)
            value = expr_at(self, value->a);
        bool steady = value && value->kind == EXPR_ADDRESS && is_steady(self, value->a);
        self->alias[v] = self->build.alias[v];
        self->build.alias[v] = steady ? self->build.alias[v] : 0;
    }
}

// The access of an event, in the order both were made; a write that belongs to a read is one with it.
static u32 find_access(const Flow *self, const Event *event, PathId path, u32 *next) {
    u32 end = self->effects->first_access[self->function + 1], first = self->effects->first_access[self->function];
    u32 from = *next > first ? *next - 1 : first;
    for (u32 a = from; a < end && a < from + 12; a++) {
        const Access *access = &self->analysis->accesses.items[a];
        if (access->path == path && access->place.line == event->place.line &&
            access->place.column == event->place.column) {
            *next = a + 1;
            return a + 1;
        }
    }
    return 0;
}

void flow_accesses(Flow *self) {
    u32 next = self->effects->first_access[self->function];
    ExprId *words = self->build.alias;
    self->build.alias = self->alias;
    for (u32 b = 0; b < self->body.blocks.count; b++)
        for (u32 i = 0; i < self->body.blocks.items[b].event_count; i++) {
            u32 at = self->body.blocks.items[b].event + i;
            const Event *event = &self->body.events.items[at];
            bool data = event->kind == EVENT_READ || event->kind == EVENT_WRITE;
            if (data && !(event->flags & EVENT_ADDRESS) && expr_at(self, event->expr)->kind != EXPR_VAR)
                self->event_accesses[at] = find_access(self, event, build_place(&self->build, event->expr, 0), &next);
        }
    self->build.alias = words;
}
