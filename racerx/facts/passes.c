// passes.c: a function that gives back what it was given, or nothing: a cast that checks, a reference that is counted.
// In: the linked program, bodies. Out: Facts.passes, asked for one function at a time: which parameter it is. The idea:
// `obj = checked(any)` makes no other object of it, so what is done to `obj` is done to `any`, by whatever name the
// caller has for it. Invariant: a function's answer is worked out once; all that it ever returns is that parameter,
// which nobody writes, or a constant.
#include "racerx/facts/skeleton.h"

#define PASSES_NESTING 3                   // casts that call casts
#define GETTER_BLOCKS 8                    // a function with more is none
#define LOOKS_NESTING 2                    // questions that ask questions
#define LOOKS_CALLS 6                      // a function with more is none
enum { PASSES_NOTHING = 1, PASSES_FIRST }; // in Facts.passes; 0: not asked yet
enum { GIVEN_OTHER = -2, GIVEN_CONSTANT = -1 };

static u32 ask(Analysis *self, FunctionId function, u32 depth);

// The function that a call names; NO_ID: it goes through a pointer, or out of the tree.
static FunctionId callee_of(const Build *build, const Expr *call) {
    const Expr *callee = build_expr(build, call->a);
    return callee->kind == EXPR_NAME
               ? program_function(build->analysis->program, build->info->file, build_name(build, callee->a))
               : NO_ID;
}

// The parameter that a value is.
static i32 given(const Build *build, ExprId id, u32 depth) {
    for (u32 hops = 0; id && hops < 16; hops++) {
        const Expr *expr = build_expr(build, id);
        if (expr->kind == EXPR_CAST || expr->kind == EXPR_BLOCK)
            id = expr->a;
        else if (expr->kind == EXPR_VAR && build->alias[expr->a])
            id = build->alias[expr->a];
        else if (expr->kind == EXPR_CALL) {
            FunctionId callee = depth < PASSES_NESTING ? callee_of(build, expr) : NO_ID;
            u32 passes = callee == NO_ID ? 0 : ask(build->analysis, callee, depth + 1);
            if (!passes || passes > expr->c)
                return GIVEN_OTHER;
            id = build->body->lists.items[expr->b + passes - 1];
        } else if (expr->kind == EXPR_VAR && build->body->vars.items[expr->a].flags & DECL_PARAM) {
            bool kept = !build->written[expr->a] && !(build->body->vars.items[expr->a].flags & DECL_ADDRESSED);
            return kept && expr->a < 31 ? (i32)expr->a : GIVEN_OTHER;
        } else
            return expr->kind == EXPR_INT ? GIVEN_CONSTANT : GIVEN_OTHER;
    }
    return GIVEN_OTHER;
}

static bool returns_pointer(const Program *program, FunctionId function) {
    FileId file = program->functions.items[function].file;
    const Type *type = &program->files.items[file].tree.types.items[program_header(program, function)->type];
    TypeRef result = type_strip(program, (TypeRef){file, type->inner, 0, 0});
    return type->kind == TYPE_FUNCTION && type_known(result) && type_kind(program, result) == TYPE_POINTER;
}

// getters -----------------------------------------------------------------------------

static bool only_looks(Analysis *self, FunctionId function, u32 depth);

// Is the place a member, or what a member leads to, of what a parameter points to that is never written?
static bool is_in_given(const Build *build, PathId path) {
    const PathTable *paths = &build->analysis->paths;
    PathId at = path;
    for (; at && paths->paths.items[at].depth; at = paths->paths.items[at].parent)
        if (!step_is_named_member(paths->paths.items[at].step))
            return false;
    const Path *root = &paths->paths.items[at];
    return at && at != path && root->root == ROOT_PARAM && !build->written[root->step] &&
           !(build->body->vars.items[root->step].flags & DECL_ADDRESSED);
}

// fills: getters, where all that the function returns is the address of one lock in what it is given, or nothing.
static void keep_getter(Build *build) {
    Analysis *self = build->analysis;
    Getter getter = {0};
    for (u32 b = 0; b < build->body->blocks.count; b++) {
        const Block *block = &build->body->blocks.items[b];
        if (block->term != TERM_RETURN || !block->value || build_expr(build, block->value)->kind == EXPR_INT)
            continue;
        PathId got;
        bool again = build_got(build, block->value, &got) != 0;
        PathValue value = again ? (PathValue){got, true} : build_value(build, block->value, 0);
        TypeRef type = scope_strip(&build->scope, expr_type(&build->scope, block->value));
        if (!value.address || !type_is_lock(self, type_target(self->program, type)) ||
            !is_in_given(build, value.path) || (getter.path && getter.path != value.path))
            return;
        getter.path = value.path;
        getter.class = class_of(build, block->value, NULL);
    }
    if (!getter.path || !only_looks(self, build->function, 0))
        return;
    array_push(&self->getters, getter);
    *map_put(&self->getter_at, build->function, NULL) = self->getters.count;
}

static u32 work_out(Analysis *self, FunctionId function, u32 depth) {
    Body body = {0};
    i32 found = GIVEN_CONSTANT;
    if (!program_header(self->program, function)->param_count || !returns_pointer(self->program, function) ||
        self->program->functions.items[function].flags & DECL_ALTERNATIVE ||
        !program_body(self->program, function, &body))
        return PASSES_NOTHING;
    Build build;
    build_begin(&build, self, function, &body);
    for (u32 b = 0; b < body.blocks.count && found != GIVEN_OTHER; b++) {
        const Block *block = &body.blocks.items[b];
        i32 value = block->term != TERM_RETURN ? GIVEN_CONSTANT : given(&build, block->value, depth);
        if (value != GIVEN_CONSTANT)
            found = found == GIVEN_CONSTANT || found == value ? value : GIVEN_OTHER;
    }
    if (found == GIVEN_OTHER && depth < PASSES_NESTING && body.blocks.count <= GETTER_BLOCKS)
        keep_getter(&build);
    build_end(&build);
    body_free(&body);
    return found < 0 ? PASSES_NOTHING : PASSES_FIRST + (u32)found;
}

// 1 + the parameter that it gives back; 0: none.
static u32 ask(Analysis *self, FunctionId function, u32 depth) {
    if (!self->passes[function]) {
        self->passes[function] = PASSES_NOTHING; // a circle answers: none
        self->passes[function] = (u8)work_out(self, function, depth);
    }
    return self->passes[function] - PASSES_NOTHING;
}

ExprId build_passed(const Build *self, ExprId id) {
    const Expr *call = build_expr(self, id);
    FunctionId callee = callee_of(self, call);
    u32 passes = callee == NO_ID ? 0 : ask(self->analysis, callee, 0);
    return passes && passes <= call->c ? self->body->lists.items[call->b + passes - 1] : 0;
}

const Getter *build_getter(const Build *self, ExprId id, ExprId *argument) {
    const Expr *call = build_expr(self, id);
    FunctionId callee = callee_of(self, call);
    if (callee == NO_ID)
        return NULL;
    ask(self->analysis, callee, 0);
    const u32 *at = map_get(&self->analysis->getter_at, callee);
    const Getter *getter = at ? &self->analysis->getters.items[*at - 1] : NULL;
    u32 param = getter ? self->analysis->paths.paths.items[path_first(&self->analysis->paths, getter->path)].step : 0;
    if (!getter || param >= call->c)
        return NULL;
    *argument = self->body->lists.items[call->b + param];
    return getter;
}

// Does a function that gives back what it was given do anything to locks itself, or wait? What it says of what it was
// given, and to whom, is not looked into.
bool is_quiet(const Program *program, FunctionId function) {
    const ProgramFunction *info = &program->functions.items[function];
    for (u32 c = info->call; c < info->call + info->call_count; c++) {
        NameId name = program->calls.items[c].name;
        if (name && program_said(program, name) & (SAID_LOCK | SAID_GUARD | SAID_BLOCKS | SAID_JOINS | SAID_AWAITS))
            return false;
    }
    return true;
}

// looking -----------------------------------------------------------------------------

static bool only_looks(Analysis *self, FunctionId function, u32 depth);

// A call that does nothing that others could see: it only looks, or ends everything.
static bool is_idle(Analysis *self, const CallSite *site, u32 depth) {
    const u32 matters = SAID_LOCK | SAID_GUARD | SAID_BLOCKS | SAID_JOINS | SAID_REGISTERS | SAID_SIGNALS |
                        SAID_AWAITS | SAID_MEETS | SAID_QUEUES | SAID_ATOMIC | SAID_ACCESSES;
    u32 said = site->name ? program_said(self->program, site->name) : 0;
    if (site->indirect || site->target_count > 1 || said & matters)
        return false;
    return !site->target_count || only_looks(self, self->program->targets.items[site->target], depth + 1);
}

static bool writes_nothing(Analysis *self, FunctionId function) {
    Body body = {0};
    bool nothing = program_body(self->program, function, &body);
    for (u32 e = 0; nothing && e < body.events.count; e++) {
        const Event *event = &body.events.items[e];
        nothing = event->kind != EVENT_ASM && event->kind != EVENT_LOST &&
                  (event->kind != EVENT_WRITE || body.exprs.items[event->expr].kind == EXPR_VAR);
    }
    body_free(&body);
    return nothing;
}

static bool only_looks(Analysis *self, FunctionId function, u32 depth) {
    const ProgramFunction *info = &self->program->functions.items[function];
    bool looks = depth <= LOOKS_NESTING && info->call_count <= LOOKS_CALLS;
    for (u32 c = 0; looks && c < info->call_count; c++)
        looks = is_idle(self, &self->program->calls.items[info->call + c], depth);
    return looks && writes_nothing(self, function);
}

bool call_only_looks(Analysis *self, const CallSite *site) {
    FunctionId callee = self->program->targets.items[site->target];
    return !site->indirect &&
           (only_looks(self, callee, 0) || (ask(self, callee, 0) && is_quiet(self->program, callee)));
}
