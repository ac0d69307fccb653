// operations.c: what a call does to which lock.
// In: the effects that are declared of its function, or worked out of a wrapper's body, and its arguments. Out: one
// LockOperation for each effect that holds for these arguments: the lock's class, and its place where that is known.
// An operation without a class is none: whoever does not know which lock it is says nothing of it.
#include "racerx/facts/skeleton.h"

// What a local is whenever somebody is given its address, when only one constant is ever stored there.
static bool only_constant(const Build *self, ExprId local, i64 *out) {
    const Body *body = self->body;
    u32 var = build_expr(self, local)->a, count = 0;
    *out = 0;
    for (u32 e = 0; e < body->events.count; e++) {
        const Event *event = &body->events.items[e];
        const Expr *written = event->kind == EVENT_WRITE ? build_expr(self, event->expr) : NULL;
        i64 constant;
        if (!written || written->kind != EXPR_VAR || written->a != var)
            continue;
        if (!event->value || !build_constant(self, event->value, &constant, 0) || (count++ && constant != *out))
            return false;
        *out = constant;
    }
    return count > 0;
}

static const char *number_text(Arena *arena, i64 number) {
    char text[32];
    int length = snprintf(text, sizeof text, "%lld", (long long)number);
    return arena_copy(arena, text, (size_t)length);
}

// The terms of a constant argument: `A | B` gives two, `&name` the name; `&local` the constant that it always is.
static u32 argument_terms(Build *self, ExprId id, const char **terms, u32 most, Arena *arena, bool *constant) {
    u32 count = 0;
    ExprId stack[32];
    u32 depth = 1;
    stack[0] = id;
    *constant = true;
    while (depth) {
        const Expr *expr = build_expr(self, stack[--depth]);
        if (expr->kind == EXPR_BINARY && expr->op == OP_OR && depth + 2 < 32) {
            stack[depth++] = expr->b;
            stack[depth++] = expr->a;
        } else if (expr->kind == EXPR_CAST && depth < 32) {
            stack[depth++] = expr->a;
        } else if (expr->kind == EXPR_ADDRESS && build_expr(self, expr->a)->kind == EXPR_NAME && depth < 32) {
            stack[depth++] = expr->a;
        } else if (expr->kind == EXPR_ADDRESS && build_expr(self, expr->a)->kind == EXPR_VAR && count < most) {
            i64 number;
            terms[count++] = only_constant(self, expr->a, &number) ? number_text(arena, number) : "&";
        } else if (expr->kind == EXPR_NAME && count < most) {
            NameId name = build_name(self, expr->a);
            i64 value;
            terms[count++] = program_text(self->analysis->program, name);
            if (count < most && constant_named(self->analysis, self->info->file, name, &value)) // an enumerator
                terms[count++] = number_text(arena, value);
        } else if (expr->kind == EXPR_INT && count < most) {
            terms[count++] = number_text(arena, expr_int(expr));
        } else {
            *constant = false;
        }
    }
    return count;
}

bool build_choice(Build *self, const Choice *choice, const Expr *call, bool *decided) {
    *decided = true;
    if (!choice->argument)
        return true;
    bool also = true;
    if (choice->also && !build_choice(self, choice->also, call, &also))
        return false;
    *decided = also;
    if (choice->argument > call->c)
        return choice_holds(choice, NULL, 0);
    const char *terms[16];
    bool constant;
    u32 count = argument_terms(self, self->body->lists.items[call->b + choice->argument - 1], terms, 16,
                               &self->analysis->arena, &constant);
    *decided &= constant;
    return choice_holds(choice, terms, constant ? count : 0);
}

bool choice_fits(Build *self, const Choice *choice, const Expr *call) {
    bool decided;
    return build_choice(self, choice, call, &decided);
}

static ClassId class_of_cpu(const LockEffect *effect) {
    ClassId class = CLASS_NONE + 1;
    while (class < CLASS_FIRST && cpu_bit(class) != lock_kinds[effect->lock].disables)
        class ++;
    return class < CLASS_FIRST ? class : CLASS_NONE;
}

// The place of a member, "a" or "a.b", of what a pointer points to.
static PathId member_place(Build *self, PathValue pointer, const char *member) {
    PathTable *paths = &self->analysis->paths;
    PathId path = pointer.path;
    for (bool first = true; *member; first = false) {
        size_t length = strcspn(member, ".");
        NameId name = program_intern(self->analysis->program, member, (u32)length);
        path = path_step(paths, path, name, first && !pointer.address);
        member += length + (member[length] == '.');
    }
    return path;
}

// Is it known what a pointer points to?
static bool is_of_record(const Build *self, ExprId pointer) {
    const Program *program = self->analysis->program;
    TypeRef target = type_target(program, scope_strip(&self->scope, expr_type(&self->scope, pointer)));
    return type_record(program, scope_strip(&self->scope, target)) != NO_ID;
}

// `wrapper`: the effect is what calling it does; NULL: it is a declared function's.
static LockOperation operation_of(Build *self, const LockEffect *effect, const LockWrapper *wrapper, const Expr *call,
                                  ExprId call_id) {
    LockOperation operation = {.effect = effect};
    operation.class = class_of_cpu(effect);
    if (operation.class)
        return operation;
    if (effect->argument == ARGUMENT_NONE && wrapper && wrapper->class) {
        operation.class = wrapper->class;
        operation.path = wrapper->path;
    } else if (effect->argument == ARGUMENT_NONE) {
        const char *name = effect->global ? effect->global : "a lock without a name";
        operation.class = class_named(self, name, (u32)strlen(name), true);
    } else {
        ExprId argument = effect->argument == ARGUMENT_RESULT ? call_id
                          : (u32)effect->argument <= call->c
                              ? self->body->lists.items[call->b + (u32)effect->argument - 1]
                              : 0;
        if (argument && wrapper && wrapper->through)
            argument = build_expr(self, argument)->a;
        if (!argument)
            return operation;
        RecordId owner = !wrapper                                                   ? NO_ID
                         : wrapper->owner == NO_ID && !is_of_record(self, argument) ? wrapper->seen
                                                                                    : wrapper->owner;
        if (effect->kind == EFFECT_WAIT)
            operation.class = class_of_named(self, argument, effect->member, &operation.path);
        bool by_name = operation.class != 0;
        if (!by_name) {
            operation.class = effect->member ? class_of_member(self, argument, effect->member, owner)
                                             : class_of(self, argument, NULL);
            operation.path = effect->member ? member_place(self, build_value(self, argument, 0), effect->member)
                                            : build_lock(self, argument);
        }
        PathId alias = 0;
        if (!by_name && !effect->member && alias_class(self, argument, &alias) == operation.class && alias)
            operation.path = alias;
    }
    LockClass *class = &self->analysis->classes.items[operation.class];
    bool better =
        class->kind == LOCK_KINDS || (lock_has(class->kind, TRAIT_CLAIMS) && lock_has(effect->lock, TRAIT_STORED));
    if (better && (effect->kind == EFFECT_ACQUIRE || effect->kind == EFFECT_RELEASE))
        class->kind = effect->lock;
    class->lets_go |= (effect->flags & LOCK_RELEASE_ON_BLOCK) != 0;
    class->sleepless |= (effect->flags & LOCK_SLEEPLESS) != 0;
    class->recursive |= (effect->flags & LOCK_RECURSIVE) && effect->mode != MODE_SHARED;
    class->acquires += effect->kind == EFFECT_ACQUIRE;
    class->by_term |=
        effect->kind == EFFECT_ACQUIRE && step_is_term(path_index(&self->analysis->paths, operation.path));
    class->releases += effect->kind == EFFECT_RELEASE;
    return operation;
}

// At the end of its scope a guard lets go of what it took.
const LockEffect *effect_at_end(Build *self, const LockEffect *effect) {
    LockEffect *end = arena_new(&self->analysis->arena, LockEffect);
    *end = *effect;
    end->kind = EFFECT_RELEASE;
    end->returns = RETURNS_ANY;
    return end;
}

// Is it claimed already by what else is said of this call?
static bool is_claimed_twice(const Analysis *self, const SkeletonStep *step, const LockOperation *operation) {
    for (u32 i = step->effect; i < self->operations.count; i++) {
        const LockOperation *before = &self->operations.items[i];
        if (before->class == operation->class && before->effect->kind == operation->effect->kind &&
            lock_has(operation->effect->lock, TRAIT_CLAIMS | TRAIT_STORED))
            return true;
    }
    return false;
}

// Are some of its effects for this call, and is one of them a wait, which lets go of what it is given?
u8 effects_fit(Build *self, const LockEffect *effects, u32 count, const Expr *call) {
    u8 fits = FITS_NOT;
    for (u32 i = 0; i < count && fits != FITS_WAITING; i++)
        if (choice_fits(self, &effects[i].choice, call))
            fits = effects[i].kind == EFFECT_WAIT ? FITS_WAITING : FITS;
    return fits;
}

void build_operations(Build *self, SkeletonStep *step, const LockEffect *effects, u32 count, const LockWrapper *wrapper,
                      const Expr *call) {
    step->kind = STEP_LOCK;
    step->effect = self->analysis->operations.count;
    for (u32 i = 0; i < count; i++) {
        if (effects[i].kind == EFFECT_DESTROY || !choice_fits(self, &effects[i].choice, call))
            continue;
        if (effects[i].kind == EFFECT_INIT) {
            build_init(self, &effects[i], call);
            continue;
        }
        bool ends = step->cleanup && effects[i].flags & LOCK_SCOPED;
        LockOperation operation =
            operation_of(self, ends ? effect_at_end(self, &effects[i]) : &effects[i], wrapper, call, step->expr);
        if (operation.class && !is_claimed_twice(self->analysis, step, &operation))
            array_push(&self->analysis->operations, operation);
    }
    step->effect_count = self->analysis->operations.count - step->effect;
}
