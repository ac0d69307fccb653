// lock_parameters.c: which parameters of a short function are locks, whatever their type is called; and which types
// are. In: the linked program. Out: Analysis.lock_parameters, asked for one function at a time. The idea: the wrappers
// of portable programs take a type of their own, which some other configuration defines; but what is handed to a
// declared lock function is a lock, and so is what is handed to somebody who does that. Invariant: a function's answer
// is worked out once.
#include "racerx/facts/analysis.h"
#include "racerx/facts/skeleton.h"

#define WRAPPER_CALLS 12  // a function with more calls is no wrapper
#define WRAPPER_NESTING 4 // wrappers of wrappers
#define ANSWERED 0x80000000u

static u32 answer(Analysis *self, FunctionId function, u32 depth);

// The parameter that an argument is, without casts, or whose own lock it is; NO_ID: none.
static u32 parameter_of(const Build *build, ExprId id) {
    const Expr *expr = build_expr(build, build_handle(build, id));
    while (expr->kind == EXPR_CAST)
        expr = build_expr(build, expr->a);
    u32 params = program_header(build->analysis->program, build->function)->param_count;
    return expr->kind == EXPR_VAR && expr->a < params && expr->a < 31 ? expr->a : NO_ID;
}

// Arguments of a call that are locks, as bits.
static u32 locked_arguments(Analysis *self, const CallSite *site, u32 depth) {
    const Program *program = self->program;
    const LockEffect *effects;
    const char *name = site->name ? program_text(program, site->name) : "";
    u32 count = site->name && program_said(program, site->name) & SAID_LOCK
                    ? declarations_effects(self->declarations, name, (u32)strlen(name), &effects)
                    : 0,
        locked = 0;
    for (u32 i = 0; i < count; i++)
        if ((effects[i].kind == EFFECT_ACQUIRE || effects[i].kind == EFFECT_RELEASE ||
             effects[i].kind == EFFECT_WAIT) &&
            effects[i].argument > 0 && effects[i].argument < 31 && !effects[i].member)
            locked |= 1u << (effects[i].argument - 1);
    if (!count && site->target_count == 1 && !site->indirect && depth < WRAPPER_NESTING)
        locked = answer(self, program->targets.items[site->target], depth + 1);
    return locked;
}

static u32 work_out(Analysis *self, FunctionId function, u32 depth) {
    const ProgramFunction *info = &self->program->functions.items[function];
    Body body = {0};
    Build build;
    u32 locks = 0;
    bool decoded = false;
    if (!info->call_count || info->call_count > WRAPPER_CALLS || !program_header(self->program, function)->param_count)
        return 0;
    for (u32 c = info->call; c < info->call + info->call_count; c++) {
        const CallSite *site = &self->program->calls.items[c];
        u32 locked = locked_arguments(self, site, depth);
        if (!locked)
            continue;
        if (!decoded && !program_body(self->program, function, &body))
            break;
        if (!decoded)
            build_begin(&build, self, function, &body);
        decoded = true;
        const Expr *call = &body.exprs.items[site->expr];
        for (u32 i = 0; i < call->c && i < 31; i++) {
            u32 parameter = locked >> i & 1 ? parameter_of(&build, body.lists.items[call->b + i]) : NO_ID;
            locks |= parameter == NO_ID ? 0 : 1u << parameter;
        }
    }
    if (decoded)
        build_end(&build);
    body_free(&body);
    return locks;
}

static u32 answer(Analysis *self, FunctionId function, u32 depth) {
    if (!(self->lock_parameters[function] & ANSWERED)) {
        self->lock_parameters[function] = ANSWERED; // a circle answers: none
        self->lock_parameters[function] = work_out(self, function, depth) | ANSWERED;
    }
    return self->lock_parameters[function] & ~ANSWERED;
}

bool has_lock_parameters(Analysis *self, FunctionId function) { return answer(self, function, 0) != 0; }

bool is_lock_argument(Analysis *self, const CallSite *site, u32 argument) {
    if (argument >= 31 || site->indirect || site->target_count != 1)
        return false;
    return answer(self, self->program->targets.items[site->target], 0) >> argument & 1;
}

// types -----------------------------------------------------------------------------

// Was this type declared to be a lock, by this name or by one that it stands for? Asked often: each type is looked at
// once.
bool type_is_lock(Analysis *analysis, TypeRef target) {
    if (!type_known(target) || target.pointers)
        return false;
    u32 *known = map_put(&analysis->lock_types, (u64)target.file << 32 | target.type, NULL);
    if (!*known) {
        bool is = type_stands_for_lock(analysis->program, target) ||
                  is_lock_record(analysis, type_record(analysis->program, type_strip(analysis->program, target)));
        known = map_get(&analysis->lock_types, (u64)target.file << 32 | target.type);
        *known = is ? 2 : 1;
    }
    return *known == 2;
}
