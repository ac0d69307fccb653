// wrappers.c: a function that does nothing but one lock operation is that operation, wherever it is called.
// In: the linked program, bodies. Out: Facts.wrappers, asked for one function at a time: the effects of its one lock
// call in terms of its own parameters, so that a call of it is read as a call of a declared lock function would be.
// The idea: what a program calls its locks by is its own business; findings belong to where the wrapper is called.
// A function counts only if the operation happens on every way through it, nothing else is written or called that
// could matter, and the lock is a parameter, a member of what one points to, or a global. Wrappers of wrappers count.
// The functions of a lock of the program's own (lock_records.c) are what they are called for, whatever they ask, count
// and tell besides.
#include "racerx/facts/skeleton.h"

#define WRAPPER_CALLS 6
#define WRAPPER_BLOCKS 24
#define WRAPPER_NESTING 64 // answers are kept, so nobody may be cut off on the way to one: only circles are that deep
enum { WRAPPER_ASKED = 1, WRAPPER_FOUND = 2 }; // in wrapper_of: asked, none; asked: index + 2

// The wrapper being looked at, and its one lock call.
typedef struct {
    Build *build;
    ExprId call;               // the lock call; 0: none yet
    u32 block;                 // it is in
    const LockEffect *effects; // of it
    u32 count;
    const LockWrapper *inner; // it is a wrapper itself; NULL: a declared function
    u32 own;                  // 1 + the parameter whose own lock it is, of a record that is nothing but a lock; 0: none
    bool other;               // something else happens
} Look;

static const LockWrapper *ask(Analysis *self, FunctionId function, u32 depth);

static const CallSite *site_of(const Build *build, ExprId call) {
    const Program *program = build->analysis->program;
    for (u32 c = build->info->call; c < build->info->call + build->info->call_count; c++)
        if (program->calls.items[c].expr == call)
            return &program->calls.items[c];
    return NULL;
}

// What is said of the function a call names, and what its effects are.
static u32 declared(const Build *build, ExprId call, const LockEffect **effects, u32 *count) {
    const Expr *callee = build_expr(build, build_expr(build, call)->a);
    const Analysis *analysis = build->analysis;
    *count = 0;
    if (callee->kind != EXPR_NAME)
        return 0;
    const char *name = program_text(analysis->program, build_name(build, callee->a));
    *count = declarations_effects(analysis->declarations, name, (u32)strlen(name), effects);
    return declarations_look(analysis->declarations, name, (u32)strlen(name)).said;
}

static bool comes_not_back(const Build *build, ExprId call) {
    const LockEffect *effects;
    u32 count;
    const CallSite *site = site_of(build, call);
    if (declared(build, call, &effects, &count) & SAID_NORETURN)
        return true;
    const Program *program = build->analysis->program;
    return site && site->target_count == 1 &&
           program->functions.items[program->targets.items[site->target]].marks & MARK_NORETURN;
}

// Two reasons to think that a word is claimed are one claim.
static bool is_claimed_twice(const LockEffect *effects, u32 count, const LockEffect *one) {
    for (u32 i = 0; i < count; i++)
        if (!effects[i].choice.argument && effects[i].kind == one->kind && effects[i].argument == one->argument &&
            effects[i].lock == one->lock && lock_has(one->lock, TRAIT_CLAIMS))
            return true;
    return false;
}

// Effects that this call has, by the constants it is given; one that callers would have to decide stays as it is.
static const LockEffect *chosen(Build *build, ExprId id, const LockEffect *effects, u32 *count) {
    LockEffect *kept = NULL;
    u32 all = *count;
    for (u32 i = 0; i < all; i++) {
        bool decided;
        bool fits = build_choice(build, &effects[i].choice, build_expr(build, id), &decided);
        if (!kept && (!decided || !effects[i].choice.argument))
            continue;
        if (!kept) {
            kept = arena_alloc(&build->analysis->arena, sizeof(LockEffect) * all);
            memcpy(kept, effects, sizeof(LockEffect) * i);
            *count = i;
        }
        if ((!fits && decided) || is_claimed_twice(kept, *count, &effects[i]))
            continue;
        kept[*count] = effects[i];
        if (decided)
            kept[*count].choice.argument = 0;
        ++*count;
    }
    return kept ? kept : effects;
}

// Effects that a call by name has whatever it is given, all of them taking or all letting go.
static bool is_plain(const LockEffect *effects, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (effects[i].choice.argument || effects[i].kind != effects[0].kind || effects[i].flags & LOCK_SCOPED ||
            (effects[i].kind != EFFECT_ACQUIRE && effects[i].kind != EFFECT_RELEASE) ||
            effects[i].argument == ARGUMENT_RESULT || effects[i].flags_argument)
            return false;
    return count > 0;
}

// Only says what callers hold, or do not.
static bool is_assertion(const LockEffect *effects, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (effects[i].kind != EFFECT_ASSERT && effects[i].kind != EFFECT_ASSERT_FREE)
            return false;
    return count > 0;
}

// A call that is neither the lock operation nor worth a thought: outside the tree, and nothing is said of it.
static bool is_idle(const Build *build, ExprId call, u32 said) {
    const CallSite *site = site_of(build, call);
    const u32 matters = SAID_BLOCKS | SAID_JOINS | SAID_REGISTERS | SAID_SIGNALS | SAID_AWAITS | SAID_MEETS |
                        SAID_QUEUES | SAID_ATOMIC | SAID_ACCESSES;
    return site && !site->indirect && !(said & matters) &&
           (!site->target_count || (site->target_count == 1 && call_only_looks(build->analysis, site)));
}

// The parameter whose own lock a call is about, plus 1; 0: it is about no such lock.
static u32 own_lock(const Build *build, ExprId id, const LockEffect *effects, u32 count) {
    const Expr *call = build_expr(build, id);
    if (count != 1 || effects[0].argument < 1 || (u32)effects[0].argument > call->c)
        return 0;
    ExprId argument = build->body->lists.items[call->b + (u32)effects[0].argument - 1];
    ExprId handle = build_handle(build, argument);
    const Expr *expr = build_expr(build, handle);
    bool is = handle != argument && expr->kind == EXPR_VAR && build->body->vars.items[expr->a].flags & DECL_PARAM;
    return is ? expr->a + 1 : 0;
}

// Is it tried first, and then waited for?
static bool tries_first(const Look *self, const LockEffect *effects, u32 count, u32 own) {
    return own && own == self->own && count == 1 && self->count == 1 && self->effects[0].kind == EFFECT_ACQUIRE &&
           effects[0].kind == EFFECT_ACQUIRE && self->effects[0].flags & LOCK_TRY && !(effects[0].flags & LOCK_TRY);
}

// The one lock call; a second one is something else.
static void look_for_lock(Look *self, ExprId call, u32 block, u32 depth) {
    const LockEffect *effects = NULL;
    u32 count;
    Analysis *analysis = self->build->analysis;
    declared(self->build, call, &effects, &count);
    if (is_assertion(effects, count))
        return;
    bool says = count > 0;
    effects = build_spun(self->build, call, effects, &count);
    effects = chosen(self->build, call, effects, &count);
    const CallSite *site = site_of(self->build, call);
    bool direct = site && site->target_count == 1 && !site->indirect;
    const LockWrapper *inner = !says && direct && depth < WRAPPER_NESTING
                                   ? ask(analysis, analysis->program->targets.items[site->target], depth + 1)
                                   : NULL;
    if (!says && !inner)
        return;
    u32 own = inner ? 0 : own_lock(self->build, call, effects, count);
    self->other |=
        (self->call != 0 && !tries_first(self, effects, count, own)) || (!inner && !is_plain(effects, count));
    self->own = own;
    self->call = call;
    self->block = block;
    self->effects = inner ? inner->effects : effects;
    self->count = inner ? inner->count : count;
    self->inner = inner;
}

// Something that belongs to the lock that the function is given.
static bool is_inside(const Look *self, ExprId lvalue) {
    Build *build = self->build;
    PathId root = path_first(&build->analysis->paths, build_place(build, lvalue, 0));
    const Path *first = &build->analysis->paths.paths.items[root];
    return root && first->root == ROOT_PARAM && first->step + 1 == self->own;
}

// A call that counts, or tells, or looks for mistakes: nothing that concerns other locks.
static bool is_beside(const Look *self, ExprId call) {
    const CallSite *site = site_of(self->build, call);
    return self->own && site && !site->indirect && site->target_count == 1 &&
           is_quiet(self->build->analysis->program, self->build->analysis->program->targets.items[site->target]);
}

static bool reaches(const Look *self, u32 from, u32 to) {
    const Body *body = self->build->body;
    u8 seen[WRAPPER_BLOCKS] = {0}, work[WRAPPER_BLOCKS];
    u32 count = 0;
    work[count++] = (u8)from;
    seen[from] = 1;
    while (count) {
        const Block *block = &body->blocks.items[work[--count]];
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = body->successors.items[block->successor + s].block;
            if (next == to)
                return true;
            if (!seen[next])
                work[count++] = (u8)next;
            seen[next] = 1;
        }
    }
    return false;
}

// Does a way that never takes the lock say so, in words, and go home? Then somebody was given what has no lock, which
// is a mistake and not a choice. Whoever returns something tells the caller by that.
static bool is_complaint(const Look *self, u32 block) {
    const Body *body = self->build->body;
    const Block *at = &body->blocks.items[block];
    bool says = false;
    for (u32 e = 0; e < at->event_count && !says; e++) {
        const Event *event = &body->events.items[at->event + e];
        const Expr *call = event->kind == EVENT_CALL ? build_expr(self->build, event->expr) : NULL;
        for (u32 i = 0; call && i < call->c; i++)
            says |= build_expr(self->build, body->lists.items[call->b + i])->kind == EXPR_STRING;
    }
    for (u32 b = 0; says && b < body->blocks.count; b++)
        says = body->blocks.items[b].term != TERM_RETURN || !body->blocks.items[b].value;
    return says && block != self->block && !reaches(self, block, self->block) && !reaches(self, self->block, block);
}

// The call that only tried it first.
static bool is_tried(const Look *self, ExprId call) {
    const LockEffect *effects;
    u32 count;
    declared(self->build, call, &effects, &count);
    return self->own && own_lock(self->build, call, effects, count) == self->own;
}

// Is the lock a word that is claimed again and again?
static bool is_spun(const Look *self) { return self->count && lock_has(self->effects[0].lock, TRAIT_STORED); }

// Who waits for such a word may look at it, and may let others run meanwhile.
static bool is_waiting(const Look *self, ExprId call, u32 said) {
    const u32 matters =
        SAID_JOINS | SAID_REGISTERS | SAID_SIGNALS | SAID_AWAITS | SAID_MEETS | SAID_QUEUES | SAID_ACCESSES;
    const Expr *callee = build_expr(self->build, build_expr(self->build, call)->a);
    const CallFact *facts;
    if (!is_spun(self) || callee->kind != EXPR_NAME || said & matters)
        return false;
    const char *name = program_text(self->build->analysis->program, build_name(self->build, callee->a));
    u32 count = declarations_facts(self->build->analysis->declarations, name, (u32)strlen(name), SAID_ATOMIC, &facts);
    for (u32 i = 0; i < count; i++)
        if (facts[i].access != ACCESS_READ)
            return false;
    return said & (SAID_ATOMIC | SAID_BLOCKS);
}

// fills: the one lock call; other.
static void look_at_events(Look *self, u32 depth) {
    const Body *body = self->build->body;
    bool assembly = false;
    for (u32 b = 0; b < body->blocks.count && !self->other; b++)
        for (u32 e = 0; e < body->blocks.items[b].event_count && !self->other; e++) {
            const Event *event = &body->events.items[body->blocks.items[b].event + e];
            if (event->kind == EVENT_CALL)
                look_for_lock(self, event->expr, b, depth);
            else
                self->other |= event->kind == EVENT_LOST || event->flags & EVENT_CLEANUP;
            assembly |= event->kind == EVENT_ASM; // a pause, when it waits
        }
    self->other |= assembly && !is_spun(self);
    for (u32 e = 0; self->call && e < body->events.count && !self->other; e++) {
        const Event *event = &body->events.items[e];
        self->other = event->kind == EVENT_WRITE && build_expr(self->build, event->expr)->kind != EXPR_VAR &&
                      !is_lock_member(self->build, event->expr) && !(self->own && is_inside(self, event->expr));
    }
    for (u32 b = 0; self->call && b < body->blocks.count && !self->other; b++)
        for (u32 e = 0; e < body->blocks.items[b].event_count && !is_complaint(self, b); e++) {
            const Event *event = &body->events.items[body->blocks.items[b].event + e];
            const LockEffect *effects;
            u32 count;
            if (event->kind == EVENT_CALL && event->expr != self->call)
                self->other |=
                    !is_idle(self->build, event->expr, declared(self->build, event->expr, &effects, &count)) &&
                    !is_waiting(self, event->expr, declared(self->build, event->expr, &effects, &count)) &&
                    !comes_not_back(self->build, event->expr) && !is_tried(self, event->expr) &&
                    !is_beside(self, event->expr);
        }
}

// Does the block end in a call that does not come back?
static bool is_dead_end(const Look *self, const Block *block) {
    for (u32 e = 0; e < block->event_count; e++) {
        const Event *event = &self->build->body->events.items[block->event + e];
        if (event->kind == EVENT_CALL && comes_not_back(self->build, event->expr))
            return true;
    }
    return block->term == TERM_UNREACHABLE;
}

// Is what a branch tests a pointer that the wrapper was given? Then the successor that it takes without one; 0: it is
// not.
static u32 taken_without(const Look *self, const Block *block) {
    Build *build = self->build;
    Test test = block->term == TERM_BRANCH ? build_test(build, block) : (Test){.relation = REL_OPAQUE};
    if (!test.subject || test.constant || (test.relation != REL_EQ && test.relation != REL_NE))
        return 0;
    PathValue value = build_value(build, test.subject, 0);
    const Path *path = &build->analysis->paths.paths.items[value.path];
    TypeRef type = scope_strip(&build->scope, expr_type(&build->scope, test.subject));
    bool pointer = type_known(type) && type_kind(build->analysis->program, type) == TYPE_POINTER;
    bool given = value.path && path->root == ROOT_PARAM && (!path->depth || (path->depth == 1 && path->step == 1));
    if (!given || value.address || !pointer) // the pointer, or the one that is kept where it points to
        return 0;
    return test.relation == REL_EQ ? 1 : 2;
}

enum { GIVES_NOTHING = 1, GIVES_RESULT = 2, GIVES_OPPOSITE = 4, GIVES_OTHER = 8 };
static u8 gives(const Look *self, ExprId value);

// Is what a branch tests the lock call's own result, which is 0 when it has the lock? Then the successor that it takes
// when it failed; 0: it is not.
static u32 taken_failed(const Look *self, const Block *block) {
    Test test = block->term == TERM_BRANCH ? build_test(self->build, block) : (Test){.relation = REL_OPAQUE};
    bool equal = test.relation == REL_EQ;
    bool spun = is_spun(self);
    for (u32 i = 0; i < self->count && !spun; i++)
        if (self->effects[i].returns != RETURNS_ANY && self->effects[i].returns != RETURNS_ZERO)
            return 0;
    if (spun && self->effects[0].returns == RETURNS_NONZERO)
        equal = !equal;
    if (!test.subject || (test.relation != REL_EQ && test.relation != REL_NE) ||
        gives(self, test.subject) != GIVES_RESULT)
        return 0;
    return equal == (test.constant != 0) ? 1 : 2;
}

// Can the lock call happen again after it has happened? What tries again because it failed has not done it yet.
static bool happens_again(const Look *self) {
    const Body *body = self->build->body;
    u8 seen[WRAPPER_BLOCKS] = {0}, work[WRAPPER_BLOCKS * 2];
    u32 count = 0;
    work[count++] = (u8)self->block;
    while (count) {
        u32 at = work[--count];
        const Block *block = &body->blocks.items[at];
        if (block->successor_count > 2)
            return true;
        u32 failed = seen[at] ? 0 : taken_failed(self, block);
        for (u32 s = 0; s < block->successor_count && !seen[at]; s++) {
            u32 next = body->successors.items[block->successor + s].block;
            if (s + 1 == failed)
                continue;
            if (next == self->block)
                return true;
            work[count++] = (u8)next;
        }
        seen[at] = 1;
    }
    return false;
}

// Is there a way through the function that goes around the lock call, though it was given something?
static bool goes_around(const Look *self) {
    const Body *body = self->build->body;
    u8 seen[WRAPPER_BLOCKS] = {0}, work[WRAPPER_BLOCKS * 2];
    u32 count = 0;
    work[count++] = 0;
    while (count) {
        u32 at = work[--count];
        const Block *block = &body->blocks.items[at];
        if (seen[at] || at == self->block || is_dead_end(self, block) || is_complaint(self, at))
            continue;
        seen[at] = 1;
        if (block->term == TERM_RETURN || block->term == TERM_COMPUTED || block->successor_count > 2)
            return true;
        u32 without = taken_without(self, block);
        for (u32 s = 0; s < block->successor_count; s++)
            if (s + 1 != without)
                work[count++] = (u8)body->successors.items[block->successor + s].block;
    }
    return false;
}

// what it returns -------------------------------------------------------------------

// What it was given, and may have locked: whoever gave it learns nothing.
static bool is_given(const Build *build, const Expr *expr, TypeRef type) {
    bool pointer = type_known(type) && type_kind(build->analysis->program, type) == TYPE_POINTER;
    return pointer && expr->kind == EXPR_VAR && !build->written[expr->a] &&
           (build->body->vars.items[expr->a].flags & (DECL_PARAM | DECL_ADDRESSED)) == DECL_PARAM;
}

static u8 gives(const Look *self, ExprId value) {
    const Expr *expr = build_expr(self->build, value);
    for (u32 depth = 0; depth < 8; depth++) {
        if (value == self->call)
            return GIVES_RESULT;
        if (expr->kind == EXPR_CAST || expr->kind == EXPR_BLOCK)
            value = expr->a;
        else if (expr->kind == EXPR_VAR && self->build->alias[expr->a])
            value = self->build->alias[expr->a];
        else
            break;
        expr = build_expr(self->build, value);
    }
    TypeRef type = scope_strip(&self->build->scope, expr_type(&self->build->scope, value));
    if (expr->kind == EXPR_INT || is_given(self->build, expr, type) ||
        type_record(self->build->analysis->program, type) != NO_ID) // or what ends it
        return GIVES_NOTHING;
    bool negates = expr->kind == EXPR_UNARY && expr->op == OP_NOT;
    bool compares = expr->kind == EXPR_BINARY && (expr->op == OP_EQ || expr->op == OP_NE) &&
                    build_expr(self->build, expr->b)->kind == EXPR_INT && !expr_int(build_expr(self->build, expr->b));
    if ((!negates && !compares) || gives(self, expr->a) != GIVES_RESULT)
        return GIVES_OTHER;
    return negates || expr->op == OP_EQ ? GIVES_OPPOSITE : GIVES_RESULT;
}

static u8 gives_back(const Look *self) {
    const Body *body = self->build->body;
    u8 all = 0;
    for (u32 b = 0; b < body->blocks.count; b++)
        if (body->blocks.items[b].term == TERM_RETURN)
            all |= body->blocks.items[b].value ? gives(self, body->blocks.items[b].value) : GIVES_NOTHING;
    return all;
}

static u8 opposite(u8 returns) {
    switch (returns) {
    case RETURNS_ZERO:
    case RETURNS_NULL: return RETURNS_NONZERO;
    case RETURNS_NONZERO:
    case RETURNS_NONNULL: return RETURNS_ZERO;
    default: return RETURNS_ANY;
    }
}

// The effect as whoever calls the wrapper sees it; false: he cannot see what he would have to.
static bool effect_outside(const Look *self, LockEffect *effect, u8 given) {
    if (given == GIVES_RESULT)
        return true;
    if (self->own && !(effect->flags & LOCK_TRY)) // what it says then is whether the lock is one
        given = GIVES_NOTHING;
    bool told = given == GIVES_OPPOSITE && effect->returns && opposite(effect->returns);
    if (!told && (given != GIVES_NOTHING || effect->flags & LOCK_TRY))
        return false;
    effect->returns = told ? opposite(effect->returns) : RETURNS_ANY;
    effect->fails = RETURNS_ANY;
    return true;
}

// which lock ------------------------------------------------------------------------

// &parameter->a.b: the parameter plus 1, and its members; 0: something else. Of `*parameter`: through. A void pointer
// says nothing of the owner.
static u32 lock_of_parameter(Look *self, ExprId argument, NameId *members, RecordId *owner, bool *through) {
    Build *build = self->build;
    PathTable *paths = &build->analysis->paths;
    PathValue value = build_value(build, build_handle(build, argument), 0);
    PathId at = value.path;
    Path root = paths->paths.items[path_first(paths, at)];
    *members = 0;
    *owner = NO_ID;
    if (!at || root.root != ROOT_PARAM || root.step >= 31)
        return 0;
    u32 depth = paths->paths.items[at].depth;
    if (!depth)
        return value.address ? 0 : root.step + 1;
    *through = !value.address && paths->paths.items[at].depth == 1 && paths->paths.items[at].step == 1;
    if (*through)
        return root.step + 1;
    if (!value.address)
        return 0;
    for (; paths->paths.items[at].depth; at = paths->paths.items[at].parent) {
        u32 step = paths->paths.items[at].step;
        bool first = paths->paths.items[at].depth == 1;
        if (!step_is_named_member(step) || step_is_pointer(step) != first)
            return 0;
        *members = program_join(build->analysis->program, step_name(step), *members);
    }
    const Program *program = build->analysis->program;
    TypeRef type = {build->info->file, build->body->vars.items[root.step].type, build->function + 1, 0};
    *owner = type_record(program, scope_strip(&build->scope, type_target(program, scope_strip(&build->scope, type))));
    return root.step + 1;
}

// &object->a.b: what `object` points to, as the wrapper sees it.
static RecordId record_seen(Look *self, ExprId argument) {
    Build *build = self->build;
    const Expr *expr = build_expr(build, argument);
    while (expr->kind == EXPR_ADDRESS || expr->kind == EXPR_MEMBER || expr->kind == EXPR_CAST)
        expr = build_expr(build, expr->a);
    if (expr->kind != EXPR_DEREF)
        return NO_ID;
    TypeRef type = scope_strip(&build->scope, expr_type(&build->scope, expr->a));
    return type_record(build->analysis->program,
                       scope_strip(&build->scope, type_target(build->analysis->program, type)));
}

// The effect of the wrapper's one lock call, in terms of the wrapper's parameters, or of a global.
static bool name_lock(Look *self, LockEffect *effect, LockWrapper *out) {
    Build *build = self->build;
    const Expr *call = build_expr(build, self->call);
    NameId members;
    RecordId owner;
    if (effect->argument == ARGUMENT_NONE) {
        out->class = self->inner ? self->inner->class : 0;
        out->path = self->inner ? self->inner->path : 0;
        return true;
    }
    if (effect->argument < 1 || (u32)effect->argument > call->c)
        return false;
    ExprId argument = build->body->lists.items[call->b + (u32)effect->argument - 1];
    bool through = false;
    u32 parameter = lock_of_parameter(self, argument, &members, &owner, &through);
    const char *inside = effect->member;
    if (through && (self->inner || inside)) // one is enough
        return false;
    if (parameter) {
        out->through = through;
        if (members && inside)
            members = program_join(build->analysis->program, members,
                                   program_intern(build->analysis->program, inside, (u32)strlen(inside)));
        effect->argument = (i32)parameter;
        effect->member = members ? program_text(build->analysis->program, members) : inside;
        out->owner = members ? owner : self->inner ? self->inner->owner : NO_ID;
        out->seen = members ? record_seen(self, argument) : self->inner ? self->inner->seen : NO_ID;
        return true;
    }
    PathValue value = build_value(build, argument, 0);
    const PathTable *paths = &build->analysis->paths;
    if (inside || !value.address || !value.path ||
        paths->paths.items[path_first(paths, value.path)].root != ROOT_GLOBAL ||
        path_goes_through_pointer(paths, value.path))
        return false;
    out->class = class_of(build, argument, NULL);
    out->path = value.path;
    effect->argument = ARGUMENT_NONE;
    return build->analysis->classes.items[out->class].global;
}

// Who is asking: what a function tells that is given nothing, `pthread_self()`.
static bool names_caller(const Build *build, ExprId id) {
    const Expr *expr = build_expr(build, id);
    for (u32 depth = 0; depth < 4 && expr->kind != EXPR_CALL; depth++)
        if (expr->kind == EXPR_CAST)
            expr = build_expr(build, expr->a);
        else if (expr->kind == EXPR_VAR && build->alias[expr->a])
            expr = build_expr(build, build->alias[expr->a]);
    return expr->kind == EXPR_CALL && !expr->c;
}

static bool is_owner_asked(const Look *self, ExprId a, ExprId b) {
    return (is_inside(self, a) && names_caller(self->build, b)) || (is_inside(self, b) && names_caller(self->build, a));
}

// The successor that a branch takes when whoever asks has the lock already, by what the lock keeps of its owner; 0: it
// asks for something else.
static u32 taken_by_owner(const Look *self, const Block *block) {
    const Build *build = self->build;
    const Expr *asked = block->term == TERM_BRANCH && block->value ? build_expr(build, block->value) : NULL;
    bool opposite = false;
    for (; asked && asked->kind == EXPR_UNARY && asked->op == OP_NOT; opposite = !opposite)
        asked = build_expr(build, asked->a);
    if (!asked)
        return 0;
    if (asked->kind == EXPR_BINARY && (asked->op == OP_EQ || asked->op == OP_NE))
        return is_owner_asked(self, asked->a, asked->b) ? 1 + ((asked->op == OP_NE) != opposite) : 0;
    const u32 *arguments = &build->body->lists.items[asked->b];
    bool equal = asked->kind == EXPR_CALL && asked->c == 2 && is_owner_asked(self, arguments[0], arguments[1]);
    return equal ? 1 + opposite : 0; // pthread_equal() and its like
}

// Is it only counted when its owner takes it again?
static bool only_counts_again(const Look *self) {
    const Body *body = self->build->body;
    for (u32 b = 0; self->own && b < body->blocks.count; b++) {
        u32 owner = taken_by_owner(self, &body->blocks.items[b]);
        u32 next = owner ? body->successors.items[body->blocks.items[b].successor + owner - 1].block : 0;
        if (owner && next != self->block && !reaches(self, next, self->block) &&
            !is_dead_end(self, &body->blocks.items[next]) && !is_complaint(self, next))
            return true;
    }
    return false;
}

static bool wrapper_made(Look *self, LockWrapper *out) {
    u8 given = gives_back(self);
    LockEffect *effects = arena_alloc(&self->build->analysis->arena, sizeof(LockEffect) * self->count);
    memcpy(effects, self->effects, sizeof(LockEffect) * self->count);
    *out = (LockWrapper){effects, self->count, NO_ID, NO_ID, 0, 0, false};
    for (u32 i = 0; i < self->count; i++)
        if (!effect_outside(self, &effects[i], given) || !name_lock(self, &effects[i], out))
            return false;
    for (u32 i = 0; i < self->count; i++)
        effects[i].flags |= effects[i].kind == EFFECT_ACQUIRE && only_counts_again(self) ? LOCK_RECURSIVE : 0;
    return true;
}

static bool work_out(Analysis *self, FunctionId function, u32 depth, LockWrapper *out) {
    const ProgramFunction *info = &self->program->functions.items[function];
    const char *name = program_text(self->program, info->name);
    Body body = {0};
    bool is = false;
    if (!info->call_count || info->call_count > WRAPPER_CALLS || info->flags & DECL_ALTERNATIVE ||
        declarations_look(self->declarations, name, (u32)strlen(name)).said ||
        !program_body(self->program, function, &body))
        return false;
    if (body.blocks.count && body.blocks.count <= WRAPPER_BLOCKS) {
        Build build;
        build_begin(&build, self, function, &body);
        Look look = {.build = &build};
        look_at_events(&look, depth);
        bool may = look.call && !look.other;
        bool sure = may && (look.own || (!goes_around(&look) && !happens_again(&look)));
        is = sure && wrapper_made(&look, out);
        build_end(&build);
    }
    body_free(&body);
    return is;
}

static const LockWrapper *ask(Analysis *self, FunctionId function, u32 depth) {
    if (!self->wrapper_of[function]) {
        LockWrapper made;
        self->wrapper_of[function] = WRAPPER_ASKED; // a circle answers: none
        if (work_out(self, function, depth, &made)) {
            LockWrapper *kept = arena_new(&self->arena, LockWrapper);
            *kept = made;
            self->wrapper_of[function] = WRAPPER_FOUND + self->wrappers.count;
            array_push(&self->wrappers, kept);
        }
    }
    u32 index = self->wrapper_of[function];
    return index < WRAPPER_FOUND ? NULL : self->wrappers.items[index - WRAPPER_FOUND];
}

const LockWrapper *lock_wrapper(Analysis *self, const CallSite *site) {
    bool direct = site->target_count == 1 && !site->indirect;
    return direct ? ask(self, self->program->targets.items[site->target], 0) : NULL;
}

bool is_lock_wrapper(const Analysis *self, FunctionId function) { return self->wrapper_of[function] >= WRAPPER_FOUND; }

// A wrapper for the lock that a pointer is kept in: the caller shows which, `&lock`.
bool build_wrapper_fits(const Build *self, const LockWrapper *wrapper, const Expr *call) {
    bool fits = true;
    for (u32 i = 0; i < wrapper->count && wrapper->through; i++) {
        u32 argument = (u32)wrapper->effects[i].argument;
        fits &= argument && argument <= call->c &&
                build_expr(self, self->body->lists.items[call->b + argument - 1])->kind == EXPR_ADDRESS;
    }
    return fits;
}
