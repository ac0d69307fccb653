// scoped.c: locks that a variable holds for as long as it lives.
// In: a call that is given a local's address. Out: the call that made the local, where the local has a cleanup function
// and this is it, or what it calls. The idea: `guard_t g = take(&lock)`, g being ended when its scope is left, says by
// the type of g alone what lock() and unlock() say in two words; what take() did is undone by whatever ends g.
#include "racerx/facts/skeleton.h"

// The one value that a local was made with; 0: it has others, or none.
static ExprId made_with(const Build *self, u32 var) {
    ExprId value = 0;
    for (u32 e = 0; self->written[var] == 1 && e < self->body->events.count && !value; e++) {
        const Event *event = &self->body->events.items[e];
        if (event->kind == EVENT_WRITE && event->flags & EVENT_INIT &&
            build_expr(self, event->expr)->kind == EXPR_VAR && build_expr(self, event->expr)->a == var)
            value = event->value;
    }
    return value;
}

// Is it what ends the variable at the end of its scope, or called by that?
static bool is_end_of(const Build *self, const Var *var, NameId name) {
    const Program *program = self->analysis->program;
    NameId cleanup = build_name(self, var->cleanup);
    FunctionId function = cleanup == name ? NO_ID : program_function(program, self->info->file, cleanup);
    const ProgramFunction *info = function == NO_ID ? NULL : &program->functions.items[function];
    bool calls = false;
    for (u32 c = 0; info && c < info->call_count; c++)
        calls |= program->calls.items[info->call + c].name == name;
    return cleanup == name || calls;
}

// `guard_t g = take(&lock)`, and whatever ends `g` lets go of the lock: the call that made it. 0: it is no such end.
ExprId build_guard(const Build *self, const Expr *call, NameId name) {
    const Expr *address = call->c == 1 ? build_expr(self, self->body->lists.items[call->b]) : NULL;
    const Expr *local = address && address->kind == EXPR_ADDRESS ? build_expr(self, address->a) : NULL;
    if (!local || local->kind != EXPR_VAR)
        return 0;
    const Var *var = &self->body->vars.items[local->a];
    ExprId made = var->cleanup && is_end_of(self, var, name) ? made_with(self, local->a) : 0;
    return made && build_expr(self, made)->kind == EXPR_CALL ? made : 0;
}

// Is a local's address only ever taken for what ends it? Till then it is what it was made with.
bool build_only_ended(const Build *self, u32 var) {
    const Var *info = &self->body->vars.items[var];
    TypeRef type = scope_strip(&self->scope, (TypeRef){self->scope.file, info->type, self->function + 1, 0});
    bool only = info->cleanup && type_known(type) && type_kind(self->analysis->program, type) == TYPE_POINTER;
    for (u32 e = 0; only && e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        const Expr *expr = build_expr(self, event->expr);
        only = event->kind != EVENT_READ || !(event->flags & EVENT_ADDRESS) || expr->kind != EXPR_VAR || expr->a != var;
    }
    return only;
}
