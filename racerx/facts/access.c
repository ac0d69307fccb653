// access.c: which data a function touches: reads, writes and declared operations to accesses of shared objects.
// In: the events of a body. Out: Analysis.accesses, Analysis.objects, and STEP_ACCESS steps of the skeleton, each for
// the accesses between two other steps.
// The idea is RacerX's: what is behind a pointer is named by its type and member, a global by its name; the path
// that was taken is kept beside it, so that locks of the same object can be told from those of another.
// Locals count only when their address is taken; what a scalar pointer parameter points to is bound by the callers.
#include "racerx/facts/skeleton.h"

// objects -----------------------------------------------------------------------

ObjectId object_intern(Analysis *self, SharedObject object) {
    if (!self->objects.count)
        array_push(&self->objects, (SharedObject){0});
    bool fresh;
    u64 place = hash_mix((u64)object.id << 32 | object.member, (u64)object.var << 8 | object.kind);
    if (object.kind == OBJECT_LOCAL) { // whoever sees it from afar does not know what it is called
        u32 *name = map_put(&self->local_names, (u64)object.id << 32 | object.var, NULL);
        *name = object.local ? object.local : *name;
        object.local = *name;
    }
    u32 *id = map_put(&self->object_index, place, &fresh);
    if (fresh) {
        array_push(&self->objects, object);
        *id = self->objects.count - 1;
    }
    const SharedObject *known = &self->objects.items[*id];
    promised(known->kind == object.kind && known->id == object.id && known->member == object.member &&
             known->var == object.var); // one id, one object
    return *id;
}

void shared_object_name(const Analysis *self, ObjectId id, Buffer *out) {
    const SharedObject *shared = &self->objects.items[id];
    const Program *program = self->program;
    Object object = {.kind = shared->kind, .global = shared->id, .record = shared->id, .member = shared->member};
    if (shared->kind == OBJECT_CALL) {
        buffer_format(out, "%s(", program_text(program, shared->id));
        record_name(program, shared->var - 1, out);
        buffer_text(out, ")");
        return;
    }
    if (shared->kind == OBJECT_STATE) {
        buffer_text(out, program_text(program, shared->id));
        return;
    }
    if (shared->kind == OBJECT_BEHIND) {
        points_region_name(program, shared->id, out);
        return;
    }
    if (shared->kind == OBJECT_LOCAL) {
        buffer_format(out, "%s.", program_text(program, program->functions.items[shared->id].name));
        object.local = shared->local;
    }
    object_name(program, &object, out);
}

static u32 type_flags(Analysis *analysis, const BodyScope *scope, ExprId id) {
    const Program *program = analysis->program;
    TypeRef type = expr_type(scope, id);
    u32 flags = 0;
    if (!type_known(type))
        return 0;
    if (type_is_lock(analysis, type))
        flags |= SHARED_LOCK;
    const Type *written = &program->files.items[type.file].tree.types.items[type.type];
    u8 quals = written->quals;
    if (written->kind == TYPE_NAMED &&
        (program_said(program, program->files.items[type.file].names[written->name]) & SAID_ATOMIC))
        flags |= SHARED_ATOMIC;
    TypeRef plain = scope_strip(scope, type);
    if (!type_known(plain))
        return flags;
    if (type_is_lock(analysis, plain))
        flags |= SHARED_LOCK;
    const Type *real = &program->files.items[plain.file].tree.types.items[plain.type];
    quals |= plain.pointers ? 0 : real->quals;
    if (quals & QUAL_ATOMIC)
        flags |= SHARED_ATOMIC;
    if (quals & QUAL_CONST)
        flags |= SHARED_CONST;
    u8 kind = type_kind(program, plain);
    if ((kind == TYPE_INT || kind == TYPE_FLOAT) && real->bits > analysis->options.wide)
        flags |= SHARED_WIDE;
    if (kind == TYPE_STRUCT || kind == TYPE_UNION)
        flags |= SHARED_WIDE | SHARED_AGGREGATE;
    if (kind == TYPE_ARRAY)
        flags |= SHARED_AGGREGATE;
    if (kind == TYPE_POINTER)
        flags |= SHARED_POINTER;
    return flags;
}

static u32 member_flags(const Analysis *analysis, const BodyScope *scope, const Expr *expr) {
    RecordId owner, record;
    const Field *field;
    TypeRef type;
    if (expr->kind != EXPR_MEMBER)
        return 0;
    record = type_record(analysis->program, scope_strip(scope, expr_type(scope, expr->a)));
    NameId name = analysis->program->files.items[scope->file].names[expr->b];
    if (record == NO_ID || !record_member(analysis->program, record, name, &owner, &field, &type))
        return 0;
    return field->bits ? SHARED_BITFIELD : 0;
}

// Neighbouring bit-fields, and members of a union, are one place in memory: the first stands for all.
static NameId place_leader(const Analysis *analysis, const BodyScope *scope, const Expr *expr, NameId member) {
    const Program *program = analysis->program;
    RecordId owner, record = type_record(program, scope_strip(scope, expr_type(scope, expr->a)));
    const Field *field;
    TypeRef type;
    NameId name = program->files.items[scope->file].names[expr->b];
    if (record == NO_ID || !record_member(program, record, name, &owner, &field, &type))
        return member;
    const ProgramRecord *one = &program->records.items[owner];
    const Tree *tree = &program->files.items[one->file].tree;
    u32 index = (u32)(field - tree->fields.items), first = tree->records.items[one->index].member;
    bool shares =
        one->kind == TYPE_UNION && analysis->binds_data; // a whole system's unions mostly are of different times
    if (!shares && !field->bits)
        return member;
    while (index > first &&
           (shares || (tree->fields.items[index - 1].bits && !(tree->fields.items[index].bits & BITS_ANEW))) &&
           tree->fields.items[index - 1].name)
        index--;
    NameId leader = program->files.items[one->file].names[tree->fields.items[index].name];
    const char *whole = program_text(program, member), *dot = strrchr(whole, '.');
    NameId parent = dot ? program_intern(program, whole, (u32)(dot - whole)) : 0;
    return program_join(program, parent, leader);
}

u32 global_flags(const Analysis *analysis, GlobalId id) {
    const Program *program = analysis->program;
    const ProgramGlobal *global = &program->globals.items[id];
    u32 flags = SHARED_GLOBAL;
    if (global->flags & DECL_THREAD_LOCAL)
        flags |= SHARED_OWN;
    if (global->function == NO_ID) {
        const ProgramFile *file = &program->files.items[global->file];
        if (global->index < file->tree.globals.count) {
            const char *mark = program_text(program, file->names[file->tree.globals.items[global->index].mark]);
            flags |= strstr(mark, "percpu") ? SHARED_OWN : 0;
        }
    }
    if (program_said(program, global->name) & SAID_PERCPU)
        flags |= SHARED_OWN;
    return flags;
}

bool global_is_own(const Analysis *analysis, GlobalId id) { return global_flags(analysis, id) & SHARED_OWN; }

// The allocation a path without a type starts from: what it gave is known by it.
static bool is_heap(const Build *self, PathId path) {
    const PathTable *paths = &self->analysis->paths;
    const Path *root = &paths->paths.items[path_first(paths, path)];
    return path && root->root == ROOT_RESULT && root->step != UINT32_MAX && self->allocation &&
           self->allocation[root->step];
}

// The global that a path without pointers is in: `*p` where p is only ever &g. False: there is none.
static bool name_global(Build *self, PathId path, SharedObject *out) {
    Analysis *analysis = self->analysis;
    const PathTable *paths = &analysis->paths;
    NameId names[8];
    u32 count = 0;
    PathId at = path;
    if (!path || paths->paths.items[path].root != ROOT_GLOBAL)
        return false;
    for (; paths->paths.items[at].depth; at = paths->paths.items[at].parent) {
        u32 step = paths->paths.items[at].step;
        if (step_is_pointer(step) || step_is_index_or_up(step) || count == 8)
            return false;
        if (step_name(step))
            names[count++] = step_name(step);
    }
    *out = (SharedObject){.kind = OBJECT_GLOBAL, .id = paths->paths.items[at].step};
    out->flags = global_flags(analysis, out->id);
    while (count)
        out->member = program_join(analysis->program, out->member, names[--count]);
    return true;
}

static ObjectId make_object(Build *self, ExprId lvalue, PathId path, u8 *param) {
    Analysis *analysis = self->analysis;
    const Path *first = &analysis->paths.paths.items[path_first(&analysis->paths, path)];
    Object named = expr_object(&self->scope, lvalue), object = object_only(analysis->program, named);
    SharedObject shared = {.kind = object.kind, .member = object.member};
    if (named.kind == OBJECT_FIELD && path && first->root == ROOT_PARAM && first->step < 32)
        *param = (u8)(first->step + 1);
    switch (object.kind) {
    case OBJECT_GLOBAL:
        shared.id = object.global;
        shared.flags = global_flags(analysis, object.global);
        break;
    case OBJECT_FIELD:
        if (object.record == NO_ID || (!object.member && !*param)) {
            if (name_global(self, path, &shared))
                break;
            if (!is_heap(self, path))
                return 0;
            shared = (SharedObject){.kind = OBJECT_LOCAL,
                                    .id = self->function,
                                    .var = HEAP_VAR | first->step,
                                    .local = build_name(self, build_expr(self, build_expr(self, first->step)->a)->a)};
            break;
        }
        shared.id = object.record;
        break;
    case OBJECT_LOCAL:
        shared.id = self->function;
        shared.var = build_expr(self, object.base)->a;
        shared.local = object.local;
        if (!(self->body->vars.items[shared.var].flags & DECL_ADDRESSED))
            return 0;
        break;
    default: return 0;
    }
    shared.flags |=
        type_flags(analysis, &self->scope, lvalue) | member_flags(analysis, &self->scope, build_expr(self, lvalue));
    if (object.element)
        shared.flags |= SHARED_ELEMENT;
    const Expr *whole = build_expr(self, lvalue); // the member that an element is of
    while (whole->kind == EXPR_INDEX)
        whole = build_expr(self, whole->a);
    if (whole->kind == EXPR_MEMBER && ((shared.flags & SHARED_BITFIELD) || analysis->binds_data))
        shared.member = place_leader(analysis, &self->scope, whole, shared.member);
    ObjectId id = object_intern(analysis, shared);
    analysis->objects.items[id].flags |= shared.flags & SHARED_ELEMENT;
    return id;
}

// accesses ----------------------------------------------------------------------

// Is it reached through a call that gives this processor's or thread's own copy?
static bool is_own(Build *self, PathId path) {
    const PathTable *paths = &self->analysis->paths;
    const Path *root = &paths->paths.items[path_first(paths, path)];
    if (!path || root->root != ROOT_RESULT || root->step == UINT32_MAX)
        return false;
    const Expr *callee = build_expr(self, build_expr(self, root->step)->a);
    return callee->kind == EXPR_NAME &&
           (program_said(self->analysis->program, build_name(self, callee->a)) & SAID_PERCPU);
}

static bool is_data(Build *self, ExprId id) {
    const Expr *expr = build_expr(self, id);
    switch (expr->kind) {
    case EXPR_VAR: return self->body->vars.items[expr->a].flags & (DECL_ADDRESSED | DECL_STATIC);
    case EXPR_NAME:
    case EXPR_MEMBER:
    case EXPR_DEREF:
    case EXPR_INDEX:
    case EXPR_CAST: return true;
    default: return false;
    }
}

// Is it an element that the function's caller chose: a[argument]?
static bool is_chosen(Build *self, ExprId id) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 depth = 0; depth < 8; depth++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind == EXPR_INDEX) {
            PathValue index = build_value(self, expr->b, 0);
            const Path *root = &paths->paths.items[index.path];
            if (index.path && !index.address && root->root == ROOT_PARAM && !root->depth)
                return build_is_given_another(self);
        } else if (expr->kind != EXPR_MEMBER) {
            return false;
        }
        id = expr->a;
    }
    return false;
}

void put_access(Build *self, Access access) {
    array_push(&self->analysis->accesses, access);
    SkeletonStep *last = self->steps.count > self->block_step ? &self->steps.items[self->steps.count - 1] : NULL;
    if (last && last->kind == STEP_ACCESS) {
        last->effect_count++;
        return;
    }
    SkeletonStep step = {.kind = STEP_ACCESS,
                         .call = NO_ID,
                         .result = NO_ID,
                         .place = access.place,
                         .effect = self->analysis->accesses.count - 1,
                         .effect_count = 1};
    array_push(&self->steps, step);
}

// A scalar or an array behind a pointer has no name of its own: it is what the pointer points to. Of a parameter only
// when that is one object, whoever calls.
static void fill_pointed(Build *self, ExprId lvalue, AccessMemo *memo) {
    Object object = expr_object(&self->scope, lvalue);
    ObjectId found[POINTED_MOST];
    if (!self->analysis->binds_data || object.kind != OBJECT_FIELD || object.record != NO_ID || object.member)
        return;
    u32 flags = type_flags(self->analysis, &self->scope, lvalue) | (object.element ? SHARED_ELEMENT : 0);
    if (flags & SHARED_LOCK)
        return;
    memo->pointed = self->pointed.count;
    memo->pointed_count = build_pointed(self, object.base, flags, memo->param != 0, found);
    for (u32 i = 0; i < memo->pointed_count; i++)
        array_push(&self->pointed, found[i]);
}

// What a lock of the program's own keeps for itself.
static bool is_inside_lock(const Analysis *analysis, ObjectId object) {
    const SharedObject *shared = &analysis->objects.items[object];
    return shared->kind == OBJECT_FIELD && shared->member && is_lock_record(analysis, shared->id);
}

static void fill_memo(Build *self, ExprId lvalue, AccessMemo *memo, u32 flags) {
    Analysis *analysis = self->analysis;
    memo->known = true;
    memo->path = build_place(self, lvalue, 0);
    memo->object = make_object(self, lvalue, memo->path, &memo->param);
    memo->hops = analysis->binds_data ? build_object_hops(self, lvalue, 0) : NO_ID;
    if (memo->object && is_inside_lock(analysis, memo->object)) {
        memo->object = 0, memo->param = 0;
        return;
    }
    if (memo->object && (flags & ACCESSED_WRITE) && (analysis->objects.items[memo->object].flags & SHARED_LOCK))
        array_push(&self->made, memo->path);
    if (memo->object &&
        ((analysis->objects.items[memo->object].flags & (SHARED_LOCK | SHARED_OWN)) || is_own(self, memo->path)))
        memo->object = 0, memo->param = 0;
    else if (!memo->object || analysis->objects.items[memo->object].var & HEAP_VAR)
        fill_pointed(self, lvalue, memo);
    else if (analysis->objects.items[memo->object].kind == OBJECT_FIELD)
        memo->life = build_life(self, expr_object(&self->scope, lvalue).base);
}

// Neighbours in one word of bit-fields are one object: which of them?
static NameId bit_of(Build *self, ExprId lvalue, ObjectId object) {
    const Expr *expr = build_expr(self, lvalue);
    bool bits = object && expr->kind == EXPR_MEMBER && (self->analysis->objects.items[object].flags & SHARED_BITFIELD);
    return bits ? build_name(self, expr->b) : 0;
}

static void push_access(Build *self, ExprId lvalue, Place place, u32 flags) {
    Analysis *analysis = self->analysis;
    if (!is_data(self, lvalue))
        return;
    AccessMemo *memo = &self->memo[lvalue];
    if (!memo->known)
        fill_memo(self, lvalue, memo, flags);
    for (u32 i = 0; i < memo->pointed_count; i++) {
        ObjectId object = self->pointed.items[memo->pointed + i];
        bool element =
            analysis->objects.items[object].kind == OBJECT_GLOBAL &&
            (analysis->objects.items[object].flags & SHARED_ELEMENT); // which one was said elsewhere, by the caller
        put_access(self, (Access){self->function, place, object, element && !memo->param ? 0 : memo->path,
                                  (u32)(flags | (is_chosen(self, lvalue) ? ACCESSED_CHOSEN : 0)), memo->param, 0,
                                  memo->hops, 0});
    }
    if ((!memo->object && !memo->param) || memo->pointed_count)
        return;
    if (memo->life) // whoever uses a part of it needs all of it to be there
        put_access(self, (Access){self->function, place, memo->life, memo->path, ACCESSED_READ, memo->param, 0,
                                  memo->hops, 0});
    if (memo->object && (analysis->objects.items[memo->object].flags & SHARED_ELEMENT) && is_chosen(self, lvalue))
        flags |= ACCESSED_CHOSEN;
    put_access(self, (Access){self->function, place, memo->object, memo->path, flags, memo->param, 0, memo->hops,
                              bit_of(self, lvalue, memo->object)});
}

// `p[i]` and `s->p[i]` of pointers read the pointer, too: linking knows that they are none of arrays.
static void push_bases(Build *self, ExprId id, Place place) {
    for (u32 depth = 0; depth < 8; depth++) {
        const Expr *expr = build_expr(self, id);
        if (expr->kind != EXPR_INDEX && expr->kind != EXPR_MEMBER)
            return;
        const Expr *base = build_expr(self, expr->a);
        if (expr->kind == EXPR_INDEX && (base->kind == EXPR_NAME || base->kind == EXPR_MEMBER) &&
            type_kind(self->analysis->program, scope_strip(&self->scope, expr_type(&self->scope, expr->a))) ==
                TYPE_POINTER)
            push_access(self, expr->a, place, ACCESSED_READ);
        id = expr->a;
    }
}

ObjectId build_object(Build *self, ExprId lvalue) {
    u8 param = 0;
    return make_object(self, lvalue, build_place(self, lvalue, 0), &param);
}

ObjectId build_scalar(Build *self, ExprId argument) {
    if (!self->analysis->binds_data)
        return 0;
    const Expr *expr = build_expr(self, argument);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, expr->a);
    if (expr->kind != EXPR_ADDRESS)
        return 0;
    const Expr *place = build_expr(self, expr->a);
    if (place->kind == EXPR_VAR && !(self->body->vars.items[place->a].flags & DECL_STATIC))
        return 0; // a local of each call
    u8 kind = type_kind(self->analysis->program, scope_strip(&self->scope, expr_type(&self->scope, expr->a))),
       param = 0;
    if (kind != TYPE_INT && kind != TYPE_POINTER && kind != TYPE_FLOAT && kind != TYPE_BOOL && kind != TYPE_ENUM)
        return 0;
    return make_object(self, expr->a, build_place(self, expr->a, 0), &param);
}

static u32 stored_constant(Build *self, ExprId value) {
    u8 mask = value ? build_signs(self, value) : VALUE_ANY;
    const Expr *stored = build_expr(self, value);
    if (mask == VALUE_ANY || mask == VALUE_ZERO)
        return mask == VALUE_ZERO ? ACCESSED_LOWERS : 0;
    return ACCESSED_RAISES | (stored->kind == EXPR_INT && expr_int(stored) == 1 ? ACCESSED_ONE : 0);
}

// x++ is one access, of each object that it may be to: what was read last is written, too. False: it was not read.
static bool update_last(Build *self, ExprId lvalue) {
    const AccessMemo *memo = &self->memo[lvalue];
    u32 count = memo->pointed_count ? memo->pointed_count : 1, all = self->analysis->accesses.count;
    if (!memo->known || all < count)
        return false;
    Access *last = &self->analysis->accesses.items[all - count];
    bool same = memo->pointed_count ? last->object == self->pointed.items[memo->pointed] : memo->path == last->path;
    if (last->function != self->function || !memo->path || !same || !(last->flags & ACCESSED_READ))
        return false;
    for (u32 i = 0; i < count; i++)
        last[i].flags |= ACCESSED_WRITE | ACCESSED_UPDATE;
    return true;
}

// What is written just after memory was made larger, at a place that is not always the same, is what was added.
static u32 grown_flag(const Build *self, ExprId lvalue) {
    const PathTable *paths = &self->analysis->paths;
    PathId path = self->memo[lvalue].known ? self->memo[lvalue].path : 0;
    if (!path || !step_is_term(paths->paths.items[path].step))
        return 0;
    for (u32 i = 0; i < self->grown.count; i++)
        if (self->grown.items[i] == paths->paths.items[path].parent)
            return ACCESSED_GROWN;
    return 0;
}

// fills: Analysis.constants_stored: what the accesses from `first` on store, if it is a constant.
static void put_constant(Build *self, ExprId value, u32 first) {
    Analysis *analysis = self->analysis;
    i64 constant;
    if (!analysis->binds_data || !value || !build_constant(self, value, &constant, 0) || constant != (i32)constant)
        return;
    for (u32 i = first; i < analysis->accesses.count; i++)
        if (analysis->accesses.items[i].flags & ACCESSED_WRITE)
            *map_put(&analysis->constants_stored, i, NULL) = (u32)(i32)constant;
}

static void push_written(Build *self, const Event *event) {
    u32 first = self->analysis->accesses.count;
    push_access(self, event->expr, event->place, ACCESSED_WRITE | stored_constant(self, event->value));
    put_constant(self, event->value, first);
    u32 grown = self->grown.count ? grown_flag(self, event->expr) : 0;
    for (u32 i = first; grown && i < self->analysis->accesses.count; i++)
        self->analysis->accesses.items[i].flags |= grown;
    if (event->value && build_grows(self, event->value) && self->memo[event->expr].known)
        array_push(&self->grown, self->memo[event->expr].path);
}

// x++, x += n, x = x + n: to be found by the access.
static void put_counted(Build *self, const Event *event, u32 first) {
    const Expr *value = event->value ? build_expr(self, event->value) : NULL;
    Analysis *analysis = self->analysis;
    bool again = event->flags & EVENT_RMW;
    if (!analysis->binds_data || !value || value->kind != EXPR_BINARY || (value->op != OP_ADD && value->op != OP_SUB) ||
        build_expr(self, event->expr)->kind == EXPR_VAR || !self->memo[event->expr].known)
        return;
    const AccessMemo *memo = &self->memo[event->expr];
    if (!again && build_value(self, value->a, 0).path != memo->path)
        return;
    u32 count = analysis->accesses.count, pointed = memo->pointed_count ? memo->pointed_count : 1;
    for (u32 i = first < count ? first : count - (count < pointed ? count : pointed); i < count; i++)
        if (analysis->accesses.items[i].flags & ACCESSED_WRITE)
            *map_put(&analysis->counted, i, NULL) = value->op == OP_ADD ? COUNTS_UP : COUNTS_DOWN;
}

void build_access(Build *self, const Event *event) {
    u32 before = self->analysis->accesses.count;
    if ((event->kind == EVENT_READ || event->kind == EVENT_WRITE) && build_expr(self, event->expr)->kind != EXPR_VAR)
        push_bases(self, event->expr, event->place);
    if (event->kind == EVENT_READ && !(event->flags & EVENT_ADDRESS)) {
        push_access(self, event->expr, event->place, ACCESSED_READ);
    } else if (event->kind == EVENT_WRITE) {
        if (!(event->flags & EVENT_RMW) || !update_last(self, event->expr))
            push_written(self, event);
        put_counted(self, event, before);
    }
}

// READ_ONCE(x) and the like: the argument was read as an event of its own, which this explains.
static void mark_accessor(Build *self, ExprId argument, u8 access) {
    Analysis *analysis = self->analysis;
    const AccessMemo *memo = &self->memo[argument];
    for (u32 i = analysis->accesses.count; memo->known && i-- > 0;) {
        Access *one = &analysis->accesses.items[i];
        if (one->function != self->function || i + 64 < analysis->accesses.count)
            return;
        if (one->path != memo->path || one->object != memo->object)
            continue;
        one->flags |= ACCESSED_ONCE;
        if (access & ACCESS_WRITE)
            one->flags = (u32)((one->flags & ~(access & ACCESS_READ ? 0 : ACCESSED_READ)) | ACCESSED_WRITE);
        return;
    }
}

// The lvalue a pointer argument points to, when it is written as one: &x, or an array.
static ExprId pointee_of(const Build *self, ExprId argument) {
    const Expr *expr = build_expr(self, argument);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, argument = expr->a);
    return expr->kind == EXPR_ADDRESS ? expr->a : 0;
}

static void access_pointee(Build *self, ExprId argument, Place place, u32 flags) {
    ExprId lvalue = pointee_of(self, argument);
    if (lvalue) {
        push_access(self, lvalue, place, flags);
        return;
    }
    PathValue value = build_value(self, argument, 0);
    PathId path = build_behind(self, value);
    const Path *first = &self->analysis->paths.paths.items[path_first(&self->analysis->paths, path)];
    const Expr *expr = build_expr(self, argument);
    while (expr->kind == EXPR_CAST)
        expr = build_expr(self, argument = expr->a);
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_MEMBER || expr->kind == EXPR_INDEX;
    if ((named || expr->kind == EXPR_VAR) && // an array, which a local, or a static one, may be as well
        type_kind(self->analysis->program, scope_strip(&self->scope, expr_type(&self->scope, argument))) ==
            TYPE_ARRAY) {
        push_access(self, argument, place, flags);
        return;
    }
    if (build_region_access(self, argument, path, place, flags) || named)
        return;
    if (!path || first->root != ROOT_PARAM || first->step >= 32)
        return;
    put_access(self, (Access){self->function, place, 0, path, flags, (u8)(first->step + 1), 0, NO_ID, 0});
}

static u32 access_flags(u8 access) {
    u32 flags = (u32)((access & ACCESS_READ ? ACCESSED_READ : 0) | (access & ACCESS_WRITE ? ACCESSED_WRITE : 0));
    return flags ? flags : ACCESSED_READ | ACCESSED_WRITE;
}

// What a function outside the tree keeps for itself is touched by every call of it.
static void access_state(Build *self, const Event *event, const CallFact *fact) {
    Analysis *analysis = self->analysis;
    const CallSite *site = program_call(analysis->program, self->function, event->expr);
    if (site && site->target_count)
        return;
    NameId name = program_intern(analysis->program, fact->global, (u32)strlen(fact->global));
    ObjectId object =
        object_intern(analysis, (SharedObject){.kind = OBJECT_STATE, .id = name, .flags = SHARED_GLOBAL | SHARED_WIDE});
    put_access(self, (Access){self->function, event->place, object, 0, access_flags(fact->access), 0, 0, NO_ID, 0});
}

// True: the call is nothing but an access (an atomic operation, an accessor, a copy).
bool build_declared_access(Build *self, const Event *event, const char *name, u32 said) {
    const Expr *call = build_expr(self, event->expr);
    const CallFact *facts;
    u32 length = (u32)strlen(name), kind = said & SAID_ATOMIC ? SAID_ATOMIC : SAID_ACCESSES;
    u32 count = declarations_facts(self->analysis->declarations, name, length, kind, &facts);
    for (u32 i = 0; i < count; i++) {
        if (!call_choice(&self->scope, event->expr, &facts[i].choice))
            continue;
        if (facts[i].device)
            return false; // talks.c
        if (facts[i].global) {
            access_state(self, event, &facts[i]);
            continue;
        }
        u32 first = facts[i].argument > 0 ? (u32)facts[i].argument : 1;
        u32 last = facts[i].argument > 0 ? first : call->c;
        for (u32 n = first; n <= last && n <= call->c; n++) {
            ExprId argument = self->body->lists.items[call->b + n - 1];
            u32 before = self->analysis->accesses.count, published = self->steps.count;
            for (u32 k = 1; (facts[i].access & ACCESS_WRITE) && (said & SAID_ATOMIC) && k <= call->c; k++)
                if (k != n) // what is stored can be found from now on
                    build_publish(self, said & SAID_ACCESSOR ? argument : pointee_of(self, argument),
                                  self->body->lists.items[call->b + k - 1], event->place);
            for (u32 s = published; facts[i].returns && s < self->steps.count; s++) // where it says that it stored
                if (self->steps.items[s].kind == STEP_PUBLISH) {
                    self->steps.items[s].discard = returns_values(facts[i].returns);
                    self->steps.items[s].result = event->expr;
                }
            self->concurrent |= (said & SAID_ATOMIC) && !(said & SAID_ACCESSOR);
            if (said & SAID_ACCESSOR)
                mark_accessor(self, argument, facts[i].access);
            else
                access_pointee(self, argument, event->place,
                               (u32)(access_flags(facts[i].access) | (said & SAID_ATOMIC ? ACCESSED_ATOMIC : 0)));
            for (u32 a = before; facts[i].counts && a < self->analysis->accesses.count; a++)
                *map_put(&self->analysis->counted, a, NULL) =
                    facts[i].counts == COUNTS_UP || facts[i].counts == COUNTS_UP_TO ? COUNTS_UP : COUNTS_DOWN;
            ExprId stored = facts[i].data > 0 && (u32)facts[i].data <= call->c
                                ? self->body->lists.items[call->b + (u32)facts[i].data - 1]
                                : 0;
            put_constant(self, stored, before);
            if (said & SAID_ACCESSOR)
                break; // the object is the first argument unless told otherwise
        }
    }
    return count > 0;
}

// A record that is a link and nothing else: one member, or only pointers; nested ones likewise. Members of others are
// touched one by one, and who has a lock of its own keeps its members with it.
static bool is_link(Analysis *analysis, RecordId record, u32 depth) {
    const Program *program = analysis->program;
    const ProgramRecord *one = &program->records.items[record];
    if (one->index == NO_ID || one->kind != TYPE_STRUCT || depth > HANDED_DEPTH)
        return false;
    u32 members = program->files.items[one->file].tree.records.items[one->index].member_count;
    for (u32 i = 0; i < members && members <= HANDED_MEMBERS; i++) {
        TypeRef type = record_field_type(program, record, i), plain = type_strip(program, type);
        RecordId inner = type_known(plain) ? type_record(program, plain) : NO_ID;
        if (!type_known(plain) || type_is_lock(analysis, type))
            return false;
        u8 kind = type_kind(program, plain);
        bool fits = inner != NO_ID ? is_link(analysis, inner, depth + 1) : kind == TYPE_POINTER || members == 1;
        if (!fits)
            return false;
    }
    return members && members <= HANDED_MEMBERS;
}

// A link (a list's head, a tree's root), or, where calls do not say which one they hand over, a scalar.
static bool is_handy(const Build *self, ExprId lvalue) {
    const Program *program = self->analysis->program;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, lvalue));
    RecordId record = type_known(type) ? type_record(program, type) : NO_ID;
    if (!type_known(type))
        return false;
    if (record != NO_ID)
        return is_link(self->analysis, record, 0);
    u8 kind = type_kind(program, type);
    return !self->analysis->binds_data &&
           (kind == TYPE_INT || kind == TYPE_POINTER || kind == TYPE_BOOL || kind == TYPE_ENUM);
}

static void hand_over(Build *self, const Event *event, u32 call, u32 flags) {
    Analysis *analysis = self->analysis;
    const Expr *expr = build_expr(self, event->expr);
    for (u32 n = 0; n < expr->c && n < 32; n++) {
        ExprId lvalue = pointee_of(self, self->body->lists.items[expr->b + n]);
        u8 kind = lvalue ? build_expr(self, lvalue)->kind : EXPR_VAR;
        if ((kind != EXPR_MEMBER && kind != EXPR_NAME && kind != EXPR_INDEX) || !is_handy(self, lvalue))
            continue;
        u32 before = analysis->accesses.count;
        push_access(self, lvalue, event->place, flags);
        ObjectId object = self->memo[lvalue].object;
        bool named = object && analysis->objects.items[object].kind != OBJECT_LOCAL;
        if (analysis->accesses.count > before && named)
            array_push(&analysis->handed, ((Handed){before, call, n}));
    }
}

void build_handed(Build *self, const Event *event, u32 call) { hand_over(self, event, call, ACCESSED_HANDED); }

// Is the call a macro that heads a loop, which was not expanded? Then the loop goes on as long as the macro's name
// says.
static bool heads_loop(const Build *self, const Event *event) {
    const Expr *callee = build_expr(self, build_expr(self, event->expr)->a),
               *condition = self->block->term == TERM_BRANCH ? build_expr(self, self->block->value) : NULL;
    return condition && callee->kind == EXPR_NAME && condition->kind == EXPR_NAME && callee->a == condition->a;
}

// A loop over a list reads what it is given of the list: its head.
void build_walked(Build *self, const Event *event, u32 call) {
    if (heads_loop(self, event))
        hand_over(self, event, call, ACCESSED_HANDED | ACCESSED_WALKED | ACCESSED_READ);
}

// By path, what is done there in the order of the text: what is overwritten without having been looked at was not taken
// off.
enum { LOOKED_AT = 1, TAKEN_OFF };
static void note_taken_off(const Analysis *analysis, u32 first, Map *places) {
    for (u32 i = first; i < analysis->accesses.count; i++) {
        const Access *access = &analysis->accesses.items[i];
        const u32 *met = access->path ? map_get(places, access->path) : NULL;
        if (met && (access->flags & ACCESSED_WRITE))
            *map_put(places, access->path, NULL) = TAKEN_OFF;
        else if (!met && access->path && (access->flags & ACCESSED_READ))
            *map_put(places, access->path, NULL) = LOOKED_AT;
    }
}

// requires: all accesses of the function. fills: ACCESSED_UNSHARED: what a pointer points to that was read from a
// shared place which the function also overwrites was taken off it.
void mark_unshared(Build *self, u32 first) {
    Analysis *analysis = self->analysis;
    const PathTable *paths = &analysis->paths;
    Map places = {0};
    bool noted = false;
    for (u32 i = first; i < analysis->accesses.count; i++) {
        Access *access = &analysis->accesses.items[i];
        PathId from = 0; // the place that the last pointer on the way was read from
        for (PathId at = access->path; at && paths->paths.items[at].depth && !from; at = paths->paths.items[at].parent)
            from = step_is_pointer(paths->paths.items[at].step) ? paths->paths.items[at].parent : 0;
        if (!from || (paths->paths.items[from].root != ROOT_GLOBAL && !paths->paths.items[from].depth))
            continue;
        if (!noted)
            note_taken_off(analysis, first, &places);
        noted = true;
        const u32 *met = map_get(&places, from);
        if (met && *met == TAKEN_OFF)
            access->flags |= ACCESSED_UNSHARED;
    }
    map_free(&places);
}

// What the last pointer on the way to a place is: that tells which object the place is in; 0: no pointer is on the way.
static PathId object_pointer(const PathTable *paths, PathId path) {
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent)
        if (!step_is_up(paths->paths.items[path].step) && step_is_pointer(paths->paths.items[path].step))
            return paths->paths.items[path].parent;
    return 0;
}

// requires: all accesses of the function. fills: ACCESSED_MADE. Who overwrites an object as a whole, or gives its lock
// a first value, makes it: what he does to it besides says nothing about what others have to hold.
void mark_made(Build *self, u32 first) {
    Analysis *analysis = self->analysis;
    const PathTable *paths = &analysis->paths;
    for (u32 i = first; i < analysis->accesses.count; i++) {
        const Access *access = &analysis->accesses.items[i];
        bool whole =
            access->path && paths->paths.items[access->path].depth && paths->paths.items[access->path].step == 1;
        if (whole && (access->flags & ACCESSED_WRITE) && !(access->flags & (ACCESSED_READ | ACCESSED_HANDED)) &&
            (!access->object || (analysis->objects.items[access->object].flags & SHARED_AGGREGATE)))
            array_push(&self->made, access->path);
    }
    Map pointers = {0}; // to what is made
    for (u32 m = 0; m < self->made.count; m++)
        if (object_pointer(paths, self->made.items[m]))
            map_put(&pointers, object_pointer(paths, self->made.items[m]), NULL);
    for (u32 i = first; self->made.count && i < analysis->accesses.count; i++)
        if (map_get(&pointers, object_pointer(paths, analysis->accesses.items[i].path)))
            analysis->accesses.items[i].flags |= ACCESSED_MADE;
    map_free(&pointers);
}

// requires: all steps and accesses of the function. Who waits for a word to be claimed looks at it meanwhile, in one
// piece, too: `while (test_and_set(&word)) while (word);`
void mark_claimed(Build *self, u32 first) {
    Analysis *analysis = self->analysis;
    Map claimed = {0}; // words, by path
    for (u32 s = 0; s < self->steps.count; s++) {
        const SkeletonStep *step = &self->steps.items[s];
        for (u32 e = 0; step->kind == STEP_LOCK && e < step->effect_count; e++) {
            const LockOperation *operation = &analysis->operations.items[step->effect + e];
            if (operation->path && lock_has(operation->effect->lock, TRAIT_CLAIMS | TRAIT_STORED) &&
                operation->effect->kind == EFFECT_ACQUIRE)
                map_put(&claimed, operation->path, NULL);
        }
    }
    for (u32 i = first; claimed.count && i < analysis->accesses.count; i++) {
        Access *access = &analysis->accesses.items[i];
        if (!(access->flags & ACCESSED_WRITE) && map_get(&claimed, access->path))
            access->flags |= ACCESSED_ATOMIC;
    }
    map_free(&claimed);
}

// requires: the accesses of the block, from `first` on. fills: ACCESSED_TESTED.
void mark_tested(Build *self, u32 first, const Block *block) {
    Analysis *analysis = self->analysis;
    for (u32 i = first; block->term == TERM_BRANCH && i < analysis->accesses.count; i++) {
        Access *access = &analysis->accesses.items[i];
        if (access->place.line > block->place.line ||
            (access->place.line == block->place.line && access->place.column >= block->place.column))
            access->flags |= ACCESSED_TESTED;
    }
}
