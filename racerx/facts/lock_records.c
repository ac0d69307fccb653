// lock_records.c: records that are nothing but a lock: a program's own type of lock, as portable programs have.
// In: the linked program, bodies. Out: Facts.lock_records. The idea: `h_lock(q->lock)` takes the lock that q->lock is a
// handle of, so it is known by where the handle is kept, and not by the type that all handles have; whether the real
// lock is in the handle or behind an opaque pointer in it. A record is a lock when some functions take what a parameter
// of that type has, others let it go, and nobody else knows what is in it: who calls them touches no member of it, who
// writes one is about the lock himself, and nobody who knows what is in it both takes and lets go of it. Invariant:
// filled once, before any class is made; a record that has a life of its own is none. Trees too large to bind data by
// caller are not looked at: kernels have their locks declared.
#include "racerx/facts/skeleton.h"

enum { KNOWS_TAKES = 1, KNOWS_LETS_GO = 2 };

typedef struct {
    Analysis *analysis;
    Array(LockRecord) records; // may be
    U32Array takes, lets_go;   // by record: functions that do
    Map by_record;             // RecordId of the handle -> records
    Map at;                    // likewise, or of what is behind it -> records, + 1
    Map names;                 // NameId of members of these
    Map operates;              // (function, record) -> KNOWS_TAKES | KNOWS_LETS_GO
} RecordTable;

static RecordId pointed_record(const Build *build, ExprId pointer) {
    const Program *program = build->analysis->program;
    TypeRef type = scope_strip(&build->scope, expr_type(&build->scope, pointer));
    if (!type_known(type) || type_kind(program, type) != TYPE_POINTER)
        return NO_ID;
    TypeRef target = scope_strip(&build->scope, type_target(program, type));
    return type_known(target) ? type_record(program, target) : NO_ID;
}

// Through casts, and locals that only ever have one value.
static ExprId plain_value(const Build *build, ExprId id) {
    for (u32 hops = 0; hops < 8; hops++) {
        const Expr *expr = build_expr(build, id);
        if (expr->kind == EXPR_CAST || expr->kind == EXPR_BLOCK)
            id = expr->a;
        else if (expr->kind == EXPR_VAR && build->alias[expr->a])
            id = build->alias[expr->a];
        else
            break;
    }
    return id;
}

// `pointer->member`: the pointer; 0: it is something else.
static ExprId base_pointer(const Build *build, ExprId id, NameId *member) {
    const Expr *expr = build_expr(build, id);
    const Expr *base = expr->kind == EXPR_MEMBER ? build_expr(build, expr->a) : NULL;
    if (!base || base->kind != EXPR_DEREF)
        return 0;
    *member = build_name(build, expr->b);
    return base->a;
}

// `&handle->lock`, or `&((struct inner *)handle->inside)->lock`, where `inside` says nothing of what is behind it: the
// handle, and what it would have to be; 0: it is neither.
static ExprId lock_handle(const Build *build, ExprId argument, LockRecord *out) {
    const Expr *expr = build_expr(build, plain_value(build, argument));
    *out = (LockRecord){.record = NO_ID, .inner = NO_ID};
    ExprId pointer = expr->kind == EXPR_ADDRESS ? base_pointer(build, expr->a, &out->lock) : 0;
    if (!pointer)
        return 0;
    RecordId holder = pointed_record(build, pointer);
    ExprId value = plain_value(build, pointer), outer = base_pointer(build, value, &out->inside);
    bool opaque = outer && pointed_record(build, value) == NO_ID;
    out->record = opaque ? pointed_record(build, outer) : holder;
    out->inner = opaque ? holder : NO_ID;
    out->inside = opaque ? out->inside : 0;
    ExprId handle = opaque ? plain_value(build, outer) : value;
    return holder == NO_ID || out->record == NO_ID || pointed_record(build, handle) != out->record ? 0 : handle;
}

static bool is_parameter(const Build *build, ExprId id) {
    const Expr *expr = build_expr(build, id);
    return expr->kind == EXPR_VAR && build->body->vars.items[expr->a].flags & DECL_PARAM && !build->written[expr->a];
}

// candidates ----------------------------------------------------------------------

// Two that would have one and the same inside, or the one the other, are none.
static void put_names(RecordTable *self, RecordId record, u32 index) {
    Program *program = self->analysis->program;
    const ProgramRecord *one = &program->records.items[record];
    bool fresh;
    u32 *known = map_put(&self->at, record, &fresh);
    if (!fresh)
        self->records.items[*known - 1].dropped = self->records.items[index].dropped = true;
    else
        *known = index + 1;
    if (one->index == NO_ID)
        return;
    const Tree *tree = &program->files.items[one->file].tree;
    const Record *fields = &tree->records.items[one->index];
    for (u32 i = 0; i < fields->member_count; i++)
        map_put(&self->names, program->files.items[one->file].names[tree->fields.items[fields->member + i].name], NULL);
}

static u32 put_record(RecordTable *self, const LockRecord *found) {
    bool fresh;
    u32 *known = map_put(&self->by_record, found->record, &fresh);
    if (!fresh)
        return *known;
    u32 index = *known = self->records.count;
    array_push(&self->records, *found);
    array_push(&self->takes, 0);
    array_push(&self->lets_go, 0);
    put_names(self, found->record, index);
    if (found->inner != NO_ID)
        put_names(self, found->inner, index);
    return index;
}

static void put_operation(RecordTable *self, FunctionId function, const LockRecord *found, u8 knows) {
    u32 index = put_record(self, found);
    LockRecord *one = &self->records.items[index];
    one->dropped |= one->lock != found->lock || one->inner != found->inner || one->inside != found->inside;
    u32 *does = map_put(&self->operates, (u64)function << 32 | index, NULL);
    self->takes.items[index] += (knows & ~*does & KNOWS_TAKES) != 0;
    self->lets_go.items[index] += (knows & ~*does & KNOWS_LETS_GO) != 0;
    *does |= knows;
    one->dropped |= *does == (KNOWS_TAKES | KNOWS_LETS_GO);
}

static void look_at_call(RecordTable *self, const Build *build, const CallSite *site) {
    const LockEffect *effects;
    const char *name = program_text(self->analysis->program, site->name);
    u32 count = declarations_effects(self->analysis->declarations, name, (u32)strlen(name), &effects);
    const Expr *call = build_expr(build, site->expr);
    for (u32 i = 0; i < count; i++) {
        bool takes = effects[i].kind == EFFECT_ACQUIRE, lets_go = effects[i].kind == EFFECT_RELEASE;
        LockRecord found;
        if ((!takes && !lets_go) || effects[i].member || effects[i].argument < 1 || (u32)effects[i].argument > call->c)
            continue;
        ExprId handle = lock_handle(build, build->body->lists.items[call->b + (u32)effects[i].argument - 1], &found);
        if (handle && is_parameter(build, handle))
            put_operation(self, build->function, &found, takes ? KNOWS_TAKES : KNOWS_LETS_GO);
    }
}

static bool is_about_locks(const Program *program, const ProgramFunction *info) {
    for (u32 c = info->call; c < info->call + info->call_count; c++)
        if (program->calls.items[c].name && program_said(program, program->calls.items[c].name) & SAID_LOCK)
            return true;
    return false;
}

static void find_candidates(RecordTable *self, FunctionId function, Body *body) {
    const Program *program = self->analysis->program;
    const ProgramFunction *info = &program->functions.items[function];
    Build build;
    if (!program_header(program, function)->param_count || !is_about_locks(program, info) ||
        !program_body(program, function, body))
        return;
    build_begin(&build, self->analysis, function, body);
    for (u32 c = info->call; c < info->call + info->call_count; c++)
        if (program->calls.items[c].name && program_said(program, program->calls.items[c].name) & SAID_LOCK)
            look_at_call(self, &build, &program->calls.items[c]);
    build_end(&build);
}

// a life of its own -----------------------------------------------------------------

// The record a member expression touches, as RecordTable.records + 1; 0: none of them.
static u32 touched_record(const RecordTable *self, const Build *build, const Expr *expr) {
    if (expr->kind != EXPR_MEMBER || !map_get(&self->names, build_name(build, expr->b)))
        return 0;
    RecordId owner = build_member_owner(build, expr);
    const u32 *index = owner == NO_ID ? NULL : map_get(&self->at, owner);
    return index ? *index : 0;
}

// Does the function call one that takes, or lets go of, such a record?
static bool calls_operation(const RecordTable *self, const ProgramFunction *info, u32 index) {
    const Program *program = self->analysis->program;
    for (u32 c = info->call; c < info->call + info->call_count; c++) {
        const CallSite *site = &program->calls.items[c];
        for (u32 t = 0; t < site->target_count; t++)
            if (map_get(&self->operates, (u64)program->targets.items[site->target + t] << 32 | index))
                return true;
    }
    return false;
}

// A function that makes it, or ends it, may fill it in.
static bool is_about_its_life(const Program *program, const ProgramFunction *info) {
    for (u32 c = info->call; c < info->call + info->call_count; c++)
        if (program->calls.items[c].name &&
            program_said(program, program->calls.items[c].name) & (SAID_LOCK | SAID_ALLOCATES | SAID_FREES))
            return true;
    return false;
}

// A member is touched: is it by somebody who is about the lock, and as a whole that somebody points to?
static void judge_touch(RecordTable *self, const Build *build, ExprId id, bool writes) {
    const Expr *expr = build_expr(build, id);
    u32 index = touched_record(self, build, expr);
    NameId member;
    if (!index--)
        return;
    LockRecord *one = &self->records.items[index];
    const u32 *does = map_get(&self->operates, (u64)build->function << 32 | index);
    bool beside = build_name(build, expr->b) != one->lock && build_name(build, expr->b) != one->inside;
    one->dropped |= !base_pointer(build, id, &member) || (!does && calls_operation(self, build->info, index)) ||
                    (writes && beside && !is_about_its_life(self->analysis->program, build->info));
}

static void judge_function(RecordTable *self, FunctionId function, Body *body) {
    Build build;
    if (!program_body(self->analysis->program, function, body))
        return;
    bool near = false;
    const ProgramFile *file =
        &self->analysis->program->files.items[self->analysis->program->functions.items[function].file];
    for (u32 i = 1; i < body->exprs.count && !near; i++)
        near = body->exprs.items[i].kind == EXPR_MEMBER && map_get(&self->names, file->names[body->exprs.items[i].b]);
    if (!near)
        return;
    build_begin(&build, self->analysis, function, body);
    for (u32 i = 1; i < body->exprs.count; i++)
        judge_touch(self, &build, i, false);
    for (u32 e = 0; e < body->events.count; e++)
        if (body->events.items[e].kind == EVENT_WRITE)
            judge_touch(self, &build, body->events.items[e].expr, true);
    build_end(&build);
}

// what is left ------------------------------------------------------------------------

static void keep_records(RecordTable *self) {
    Analysis *analysis = self->analysis;
    for (u32 i = 0; i < self->records.count; i++) {
        const LockRecord *one = &self->records.items[i];
        if (one->dropped || !self->takes.items[i] || !self->lets_go.items[i])
            continue;
        array_push(&analysis->lock_records, *one);
        *map_put(&analysis->lock_record_at, one->record, NULL) = analysis->lock_records.count;
        if (one->inner != NO_ID)
            *map_put(&analysis->lock_record_at, one->inner, NULL) = analysis->lock_records.count;
    }
    map_free(&analysis->lock_types); // asked while nothing was known of these
    analysis->lock_types = (Map){0};
}

void fill_lock_records(Analysis *analysis) {
    RecordTable self = {.analysis = analysis};
    Body body = {0};
    u32 count = analysis->binds_data ? analysis->program->functions.count : 0;
    for (FunctionId f = 0; f < count; f++)
        find_candidates(&self, f, &body);
    for (FunctionId f = 0; f < count && self.records.count; f++)
        judge_function(&self, f, &body);
    keep_records(&self);
    body_free(&body);
    array_free(&self.records);
    array_free(&self.takes);
    array_free(&self.lets_go);
    map_free(&self.by_record);
    map_free(&self.at);
    map_free(&self.names);
    map_free(&self.operates);
}

// questions ---------------------------------------------------------------------------

bool is_lock_member(const Build *build, ExprId id) {
    const Expr *expr = build_expr(build, id);
    return expr->kind == EXPR_MEMBER && build->analysis->lock_records.count &&
           is_lock_record(build->analysis, build_member_owner(build, expr));
}

bool is_lock_record(const Analysis *self, RecordId record) {
    return record != NO_ID && self->lock_records.count && map_get(&self->lock_record_at, record);
}

ExprId build_handle(const Build *self, ExprId pointer) {
    LockRecord found;
    ExprId handle = self->analysis->lock_records.count ? lock_handle(self, pointer, &found) : 0;
    const u32 *known = handle ? map_get(&self->analysis->lock_record_at, found.record) : NULL;
    if (!known)
        return pointer;
    const LockRecord *one = &self->analysis->lock_records.items[*known - 1];
    return one->record == found.record && one->inner == found.inner && one->lock == found.lock ? handle : pointer;
}
