// lower_scope.c: which name is which local, and what is due when a scope is left.
// In: names as they are declared and used. Out: var indices, BOUND_… answers, cleanup calls.
// The idea: one array by StrId holds what each name means now; an undo list restores it at the end of a
// scope. Cleanups in force form a chain of parents, so "from here to there" is a walk up the chain.
// Invariant: outside of a function no name is bound.
#include "extract/lower.h"

#define MAX_CLEANUPS 64 // in force at one place: every way out runs them all

Scope scope_open(Lowering *self) { return (Scope){self->undo.count, self->cleanup}; }

void scope_close(Lowering *self, Scope scope, Place place) {
    if (self->cleanup != scope.cleanup)
        cleanups_run(self, self->cleanup, scope.cleanup, place);
    self->cleanup = scope.cleanup;
    promised(scope.undo <= self->undo.count); // scopes end in the reverse order
    while (self->undo.count > scope.undo) {
        Undo undo = self->undo.items[--self->undo.count];
        self->bindings.items[undo.name] = undo.old;
    }
}

void scope_bind(Lowering *self, StrId name, u32 bound) {
    if (!name)
        return;
    if (name >= self->bindings.count) {
        u32 old = self->bindings.count, want = self->tree->strings.entries.count;
        array_reserve(&self->bindings, want);
        memset(self->bindings.items + old, 0, sizeof(u32) * (want - old));
        self->bindings.count = want;
    }
    array_push(&self->undo, ((Undo){name, self->bindings.items[name]}));
    self->bindings.items[name] = bound;
}

u32 scope_lookup(const Lowering *self, StrId name) {
    return name < self->bindings.count ? self->bindings.items[name] : BOUND_NONE;
}

static void cleanup_add(Lowering *self, Cleanup cleanup, Place place) {
    cleanup.parent = self->cleanup;
    cleanup.depth = self->cleanups.items[self->cleanup].depth + 1;
    if (cleanup.depth > MAX_CLEANUPS) {
        lower_lost_bytes(self, 0, place);
        return;
    }
    array_push(&self->cleanups, cleanup);
    self->cleanup = self->cleanups.count - 1;
}

u32 var_add(Lowering *self, Var var) {
    u32 index = self->body.vars.count;
    promised(self->in_function); // outside of one no name is bound
    array_push(&self->body.vars, var);
    scope_bind(self, var.name, BOUND_VAR + index);
    if (var.cleanup)
        cleanup_add(self, (Cleanup){.var = index}, var.place);
    return index;
}

void guard_add(Lowering *self, ExprId call, Place place) { cleanup_add(self, (Cleanup){.guard = call}, place); }

bool is_type_name(const Lowering *self, u32 node) {
    const char *text = node_text(self, node);
    u32 length = node_length(self, node);
    u32 name = intern_find(&self->tree->strings, text, length);
    u32 bound = name == UINT32_MAX ? BOUND_NONE : scope_lookup(self, name);
    if (bound != BOUND_NONE)
        return bound == BOUND_TYPE;
    if (length > 2 && text[length - 2] == '_' && text[length - 1] == 't')
        return true;
    return name != UINT32_MAX && map_get(&self->tree->typedef_names, name);
}

static void guard_run(Lowering *self, ExprId guard, Place place) {
    Expr made = self->exprs->items[guard];
    u32 base = self->stack.count;
    for (u32 i = 0; i < made.c; i++) {
        u32 argument = self->lists->items[made.b + i];
        array_push(&self->stack, argument);
    }
    ExprId call = expr_list(self, (Expr){.kind = EXPR_CALL, .a = made.a}, base);
    event_add(self, EVENT_CALL, EVENT_CLEANUP | EVENT_DISCARD, call, 0, place);
}

static void cleanup_run(Lowering *self, const Cleanup *cleanup, Place place) {
    if (cleanup->guard) {
        guard_run(self, cleanup->guard, place);
        return;
    }
    ExprId var = expr_add(self, (Expr){.kind = EXPR_VAR, .a = cleanup->var});
    ExprId address = expr_add(self, (Expr){.kind = EXPR_ADDRESS, .a = var});
    ExprId callee = expr_add(self, (Expr){.kind = EXPR_NAME, .a = self->body.vars.items[cleanup->var].cleanup});
    ExprId call = call_make(self, callee, &address, 1);
    expr_mark_addressed(self, var);
    event_add(self, EVENT_CALL, EVENT_CLEANUP | EVENT_DISCARD, call, 0, place);
}

void cleanups_run(Lowering *self, u32 from, u32 to, Place place) {
    u32 stop = self->cleanups.items[to].depth;
    for (; self->cleanups.items[from].depth > stop; from = self->cleanups.items[from].parent)
        cleanup_run(self, &self->cleanups.items[from], place);
}

u32 label_add(Lowering *self, StrId name) {
    if (name >= self->label_of.count) {
        u32 old = self->label_of.count, want = self->tree->strings.entries.count;
        array_reserve(&self->label_of, want);
        memset(self->label_of.items + old, 0, sizeof(u32) * (want - old));
        self->label_of.count = want;
    }
    u32 *slot = &self->label_of.items[name];
    if (!*slot) {
        Label label = {.name = name, .block = block_new(self)};
        array_push(&self->labels, label);
        *slot = self->labels.count;
    }
    return *slot - 1;
}
