// makers.c: calls that make locks, and what functions that do so are given, in words that mean the same everywhere.
// In: a call. Out: Analysis.inits, Analysis.makers. The idea: a program with a lock type of its own, `struct mutex {
// pthread_mutex_t m; }`, has a function of its own that makes it; whether the lock is recursive is said there, of which
// lock only by callers.
#include "racerx/facts/skeleton.h"

#define MAKER_CALLS 12 // a function with more calls does more than make a lock

// Does the function itself call one that is declared to make locks?
static bool makes_locks(const Analysis *self, FunctionId function) {
    const Program *program = self->program;
    const ProgramFunction *info = &program->functions.items[function];
    bool makes = false;
    for (u32 c = 0; info->call_count <= MAKER_CALLS && c < info->call_count && !makes; c++) {
        NameId name = program->calls.items[info->call + c].name;
        const LockEffect *effects;
        const char *text = name && program_said(program, name) & SAID_LOCK ? program_text(program, name) : NULL;
        u32 count = text ? declarations_effects(self->declarations, text, (u32)strlen(text), &effects) : 0;
        for (u32 i = 0; i < count; i++)
            makes |= effects[i].kind == EFFECT_INIT;
    }
    return makes;
}

void build_made(Build *self, const CallSite *site, const Expr *call) {
    const Program *program = self->analysis->program;
    if (site->indirect || site->target_count != 1 || !makes_locks(self->analysis, program->targets.items[site->target]))
        return;
    for (u32 i = 0; i < call->c && i < 31; i++) {
        Object object = expr_pointee(&self->scope, self->body->lists.items[call->b + i]);
        if (object.kind != OBJECT_GLOBAL && (object.kind != OBJECT_FIELD || object.record == NO_ID))
            continue;
        Buffer text = {0};
        if (object.kind == OBJECT_FIELD && !object.member)
            record_name(program, object.record, &text);
        else
            object_name(program, &object, &text);
        NameId given = program_intern(program, (char *)text.bytes, (u32)text.size);
        array_push(&self->analysis->makers, ((LockMaker){program->targets.items[site->target], i, given}));
        buffer_free(&text);
    }
}

// create(&lock, …) where `lock` is a pointer: the lock is what it points to then.
static ExprId made_through(Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    if (expr->kind != EXPR_ADDRESS)
        return id;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, expr->a));
    return type_kind(self->analysis->program, type) == TYPE_POINTER ? expr->a : id;
}

static u32 local_of(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    const Expr *inner = expr->kind == EXPR_ADDRESS ? build_expr(self, expr->a) : expr;
    return inner->kind == EXPR_VAR ? inner->a : NO_ID;
}

// Is an attribute also given to a function of the tree, which may say anything of it? Then nobody knows what a lock
// made with it is like.
static bool is_said_elsewhere(const Build *self, ExprId attribute) {
    const Program *program = self->analysis->program;
    u32 local = local_of(self, attribute);
    for (u32 c = self->info->call; local != NO_ID && c < self->info->call + self->info->call_count; c++) {
        const CallSite *site = &program->calls.items[c];
        const Expr *call = build_expr(self, site->expr);
        bool declared = site->name && program_said(program, site->name) & SAID_LOCK;
        for (u32 i = 0; site->target_count && !declared && i < call->c; i++)
            if (local_of(self, self->body->lists.items[call->b + i]) == local)
                return true;
    }
    return false;
}

// Is the lock an element of an array, and not always the same one?
static bool is_any_element(const Build *self, PathId path) {
    const PathTable *paths = &self->analysis->paths;
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent)
        if (!step_is_up(paths->paths.items[path].step) && paths->paths.items[path].step >> 29 == 3)
            return true;
    return false;
}

// Does it say 1 of one element, and 0 of all others: `i == 0`, `i == 0 ? 1 : 0`, `!i`?
static bool is_one_of_all(const Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    i64 first, second;
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, expr->a);
    if (expr->kind == EXPR_CHOICE && expr->b && build_constant(self, expr->b, &first, 0) && first == 1 &&
        build_constant(self, expr->c, &second, 0) && !second)
        expr = build_expr(self, expr->a);
    return (expr->kind == EXPR_BINARY && expr->op == OP_EQ) || (expr->kind == EXPR_UNARY && expr->op == OP_NOT);
}

static i32 tokens_of(const Build *self, ExprId count, PathId path) {
    i64 constant;
    bool any = is_any_element(self, path);
    if (any && is_one_of_all(self, count))
        return 1;
    if (!build_constant(self, count, &constant, 0) || constant < 0 || constant > INT32_MAX || (any && constant))
        return NO_TOKENS;
    return (i32)constant;
}

void build_init(Build *self, const LockEffect *effect, const Expr *call) {
    u32 lock = (u32)effect->argument, like = (u32)effect->like_argument;
    bool recursive = effect->flags & LOCK_RECURSIVE;
    if (effect->argument < 1 || lock > call->c)
        return;
    ExprId object = made_through(self, self->body->lists.items[call->b + lock - 1]);
    LockInit init = {
        .function = self->function, .class = class_of(self, object, effect->member), .recursive = recursive};
    bool counted = effect->count_argument > 0 && (u32)effect->count_argument <= call->c;
    init.count =
        counted ? build_signs(self, self->body->lists.items[call->b + (u32)effect->count_argument - 1]) : VALUE_ANY;
    init.path = build_behind(self, build_value(self, object, 0));
    init.tokens = counted
                      ? tokens_of(self, self->body->lists.items[call->b + (u32)effect->count_argument - 1], init.path)
                      : NO_TOKENS;
    ExprId attribute = effect->like_argument > 0 && like <= call->c ? self->body->lists.items[call->b + like - 1] : 0;
    if (attribute && build_expr(self, attribute)->kind != EXPR_INT) {
        init.recursive |= is_said_elsewhere(self, attribute);
        init.like = class_of(self, attribute, NULL);
        init.like_path = build_behind(self, build_value(self, attribute, 0));
    }
    array_push(&self->analysis->inits, init);
}
