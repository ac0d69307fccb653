// lock_alias.c: members and globals that hold a pointer to one and the same lock: `port->lock = &host->lock`.
// In: the stores of such pointers, what pointers may point to. Out: Facts.aliases, and for a pointer in a body the
// class of what it points to, and by which path. The idea: when everything that is ever stored in a member is one lock
// of a type, the member is another word for it. Where the function that stores it also stores the lock's owner
// (`port->host = host`), the lock is known by that path: port->lock is port->host->lock. A function that is handed the
// owner beside the object is handed the object's own. Invariant: several locks, or one of which the text does not say
// which it is, are no alias.
#include "racerx/facts/skeleton.h"

RecordId build_member_owner(const Build *self, const Expr *member) {
    const Program *program = self->analysis->program;
    TypeRef type = scope_strip(&self->scope, expr_type(&self->scope, member->a)), unused;
    RecordId record = type_known(type) ? type_record(program, type) : NO_ID, owner;
    const Field *field;
    bool found =
        record != NO_ID && record_member(program, record, build_name(self, member->b), &owner, &field, &unused);
    return found ? owner : NO_ID;
}

// stores ----------------------------------------------------------------------

// The steps from `from` to `path`, outermost first; false: it does not lead there, or too far.
static bool steps_between(const PathTable *paths, PathId path, PathId from, LockAlias *out) {
    u32 steps[ALIAS_STEPS], count = 0;
    for (; path && path != from && paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        if (count == ALIAS_STEPS || step_is_index_or_up(paths->paths.items[path].step))
            return false;
        steps[count++] = paths->paths.items[path].step;
    }
    if (path != from || !path || out->count + count > ALIAS_STEPS)
        return false;
    while (count)
        out->steps[out->count++] = steps[--count];
    return true;
}

// The member of `base` that this function stores `owner` in, as a step; 0: none.
static u32 step_to(Build *self, PathId base, PathId owner) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 e = 0; e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        if (event->kind != EVENT_WRITE || !event->value || build_expr(self, event->expr)->kind != EXPR_MEMBER)
            continue;
        PathId into = build_place(self, event->expr, 0);
        PathValue value = build_value(self, event->value, 0);
        if (into && paths->paths.items[into].parent == base && value.path == owner && !value.address)
            return paths->paths.items[into].step;
    }
    return 0;
}

// fills: the steps of the way from what has the pointer to the lock, if this store tells it.
static void find_way(Build *self, const LockStore *store, LockAlias *out) {
    const PathTable *paths = &self->analysis->paths;
    PathId into = build_place(self, store->lvalue, 0), base = into ? paths->paths.items[into].parent : 0;
    PathValue value = build_value(self, store->value, 0);
    if (!base || !value.path || !value.address)
        return;
    PathId root = path_first(paths, value.path);
    if (steps_between(paths, value.path, base, out))
        return;
    out->count = 0;
    u32 step = step_to(self, base, root);
    if (!step)
        return;
    out->steps[out->count++] = step;
    if (!steps_between(paths, value.path, root, out))
        out->count = 0;
}

// The class of a member of a type.
static ClassId class_of_target(Build *self, const PointsTarget *target) {
    Analysis *analysis = self->analysis;
    Buffer text = {0};
    Object object = {.kind = OBJECT_FIELD, .record = target->id, .member = target->member};
    object_name(analysis->program, &object, &text);
    ClassId class = class_named(self, (char *)text.bytes, (u32)text.size, false);
    buffer_free(&text);
    analysis->classes.items[class].record = target->id;
    return class;
}

static bool has_same_way(const LockAlias *a, const LockAlias *b) {
    return a->count == b->count && !memcmp(a->steps, b->steps, sizeof(u32) * a->count);
}

static void put_alias(Build *self, const LockStore *store) {
    Analysis *analysis = self->analysis;
    const Expr *lvalue = build_expr(self, store->lvalue);
    RecordId owner = build_member_owner(self, lvalue);
    NameId member = build_name(self, lvalue->b);
    PointsSet set;
    if (owner == NO_ID)
        return;
    record_points(analysis->program, owner, member, &set);
    if (!set.complete || set.count != 1 || set.items[0].kind != POINTS_TYPE || !set.items[0].member)
        return;
    LockAlias alias = {.class = 0};
    const Expr *value = build_expr(self, store->value);
    alias.class =
        value->kind == EXPR_ADDRESS ? class_of(self, store->value, NULL) : class_of_target(self, &set.items[0]);
    find_way(self, store, &alias);
    array_push(&analysis->alias_makers, self->function);
    array_push(&analysis->alias_makers, alias.class);
    u32 *known = map_put(&analysis->alias_index, (u64)owner << 32 | member, NULL);
    if (!*known) {
        array_push(&analysis->aliases, alias);
        *known = analysis->aliases.count;
        return;
    }
    LockAlias *first = &analysis->aliases.items[*known - 1];
    first->several |= !has_same_way(first, &alias);
    first->class = first->class == alias.class ? alias.class : 0;
}

void fill_lock_aliases(Analysis *analysis) {
    const LockStoreArray *stores = &analysis->program->lock_stores;
    Body body = {0};
    for (u32 i = 0; i < stores->count; i++) {
        Build build;
        if (!program_body(analysis->program, stores->items[i].function, &body))
            continue;
        build_begin(&build, analysis, stores->items[i].function, &body);
        put_alias(&build, &stores->items[i]);
        build_end(&build);
    }
    body_free(&body);
}

// questions -------------------------------------------------------------------

// The record that a pointer's type points to; NO_ID: none.
static RecordId pointed_record(const Build *self, TypeRef type) {
    const Program *program = self->analysis->program;
    TypeRef plain = scope_strip(&self->scope, type);
    if (!type_known(plain) || type_kind(program, plain) != TYPE_POINTER)
        return NO_ID;
    TypeRef target = scope_strip(&self->scope, type_target(program, plain));
    return type_known(target) ? type_record(program, target) : NO_ID;
}

// The parameter that is the owner of another one's object: handed over beside it, the only one of its type. NO_ID:
// none.
static u32 owner_beside(Build *self, PathId owner, RecordId record) {
    u32 params = program_header(self->analysis->program, self->function)->param_count, found = NO_ID;
    for (u32 p = 0; p < params; p++) {
        TypeRef type = {self->scope.file, self->body->vars.items[p].type, self->function + 1, 0};
        if (pointed_record(self, type) != record)
            continue;
        if (found != NO_ID)
            return NO_ID;
        found = p;
    }
    for (u32 e = 0; found != NO_ID && e < self->body->events.count; e++) {
        const Event *event = &self->body->events.items[e];
        bool moves = event->kind == EVENT_WRITE && build_expr(self, event->expr)->kind == EXPR_MEMBER &&
                     build_place(self, event->expr, 0) == owner;
        found = moves ? NO_ID : found; // it gets another owner
    }
    return found;
}

// `owner` in the words of a parameter that is the same.
static PathId by_parameter(Build *self, PathId owner, RecordId has, RecordId lock_record) {
    PathTable *paths = &self->analysis->paths;
    const Path *path = &paths->paths.items[owner];
    if (path->root != ROOT_PARAM || path->depth != 1 || has == lock_record)
        return owner;
    u32 param = owner_beside(self, owner, lock_record);
    return param == NO_ID ? owner : path_root(paths, ROOT_PARAM, param);
}

static PathId alias_path(Build *self, ExprId pointer, const LockAlias *alias, RecordId has) {
    PathTable *paths = &self->analysis->paths;
    PathId place = build_value(self, pointer, 0).path;
    PathId at = place ? paths->paths.items[place].parent : 0;
    if (!at || !alias->count || alias->several)
        return 0;
    at = path_step(paths, at, alias->steps[0] >> 1, alias->steps[0] & 1);
    if (alias->count == 2 && at)
        at = by_parameter(self, at, has, self->analysis->classes.items[alias->class].record);
    for (u32 i = 1; i < alias->count; i++)
        at = path_step(paths, at, alias->steps[i] >> 1, alias->steps[i] & 1);
    return at;
}

// A lock that is a global, or a member of one: it is one object.
static ClassId alias_global(Build *self, const PointsTarget *target, PathId *path) {
    Analysis *analysis = self->analysis;
    PathTable *paths = &analysis->paths;
    TypeRef type = type_strip(analysis->program, global_type(analysis->program, target->id)), unused;
    RecordId record = type_known(type) ? type_record(analysis->program, type) : NO_ID, owner;
    const Field *field;
    bool direct = record != NO_ID && record_member(analysis->program, record, target->member, &owner, &field, &unused);
    if (target->element || (target->member && (!direct || owner != record)))
        return 0;
    PathId at = path_root(paths, ROOT_GLOBAL, target->id);
    if (path)
        *path = target->member ? path_step(paths, at, target->member, false) : at;
    return class_of_global(analysis, target->id, target->member);
}

ClassId alias_class(Build *self, ExprId pointer, PathId *path) {
    Analysis *analysis = self->analysis;
    PointsSet set;
    if (!pointer_place(self, &pointer))
        return 0;
    expr_points(&self->scope, pointer, &set);
    if (!set.complete || set.count != 1)
        return 0;
    if (set.items[0].kind == POINTS_GLOBAL)
        return alias_global(self, &set.items[0], path);
    const Expr *member = build_expr(self, pointer);
    RecordId owner = member->kind == EXPR_MEMBER ? build_member_owner(self, member) : NO_ID;
    if (set.items[0].kind != POINTS_TYPE || owner == NO_ID)
        return 0;
    const u32 *known = map_get(&analysis->alias_index, (u64)owner << 32 | build_name(self, member->b));
    if (!known)
        return 0;
    LockAlias alias = analysis->aliases.items[*known - 1];
    if (alias.class && path)
        *path = alias_path(self, pointer, &alias, owner);
    return alias.class;
}
