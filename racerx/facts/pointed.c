// pointed.c: what accesses through pointers are to, when linking knows what the pointers point to.
// In: a pointer of a body. Out: shared objects: globals, locals, and regions: allocated memory that is kept in a global
// (`*histogram`). Members of types need none of this: they are known by their type.
// Invariant: nothing is said of a pointer that may also point elsewhere, for all the text says.
#include "racerx/facts/skeleton.h"

// The static local that is a variable of a function; NO_ID: it is none.
GlobalId static_local(const Program *program, FunctionId function, u32 var) {
    const ProgramFunction *one = &program->functions.items[function];
    for (u32 i = one->local; i < one->local + one->local_count; i++)
        if (program->globals.items[i].index == var)
            return i;
    return NO_ID;
}

static ObjectId global_object(Analysis *analysis, GlobalId id, NameId member, u32 flags) {
    const Program *program = analysis->program;
    TypeRef type = type_strip(program, global_type(program, id)), unused;
    while (type_known(type) && type_kind(program, type) == TYPE_ARRAY)
        type = type_strip(program, type_target(program, type));
    RecordId record = type_known(type) ? type_record(program, type) : NO_ID, owner;
    const Field *field;
    flags |= global_flags(analysis, id);
    if ((flags & (SHARED_OWN | SHARED_CONST)) ||
        (member && (record == NO_ID || !record_member(program, record, member, &owner, &field, &unused))))
        return 0; // deeper inside: its last name is not enough
    return object_intern(analysis, (SharedObject){.kind = OBJECT_GLOBAL, .id = id, .member = member, .flags = flags});
}

static ObjectId object_of(Analysis *analysis, const PointsTarget *target, u32 flags) {
    const Program *program = analysis->program;
    flags |= target->element ? SHARED_ELEMENT : 0;
    GlobalId local = target->kind == POINTS_LOCAL ? static_local(program, target->id, target->var) : NO_ID;
    if (target->kind == POINTS_GLOBAL || local != NO_ID)
        return global_object(analysis, local == NO_ID ? target->id : local, target->member, flags);
    if (target->kind == POINTS_LOCAL && !target->member)
        return object_intern(
            analysis, (SharedObject){.kind = OBJECT_LOCAL, .id = target->id, .var = target->var, .flags = flags});
    u32 region = target->member ? 0 : points_region(program, target);
    return region ? object_intern(analysis,
                                  (SharedObject){.kind = OBJECT_BEHIND, .id = region, .flags = flags | SHARED_GLOBAL})
                  : 0;
}

u32 build_pointed(Build *self, ExprId pointer, u32 flags, bool one, ObjectId *out) {
    PointsSet set;
    u32 count = 0;
    expr_points(&self->scope, pointer, &set);
    if (!set.complete || (one && set.count > 1))
        return 0;
    for (u32 i = 0; i < set.count; i++) {
        ObjectId object = object_of(self->analysis, &set.items[i], flags);
        bool known = false;
        for (u32 k = 0; k < count; k++)
            known |= out[k] == object;
        if (!object)
            return 0;
        if (known)
            continue;
        if (limit_cuts(LIMIT_POINTED_MOST, count == POINTED_MOST))
            return 0;
        out[count++] = object;
    }
    for (u32 i = 0; i < count; i++)
        self->analysis->objects.items[out[i]].flags |= flags & SHARED_ELEMENT;
    return count;
}

// lives -----------------------------------------------------------------------

// The one region that a pointer points to, or into; 0: not known, or several.
static u32 region_of(Build *self, ExprId pointer) {
    const Program *program = self->analysis->program;
    PointsSet set;
    u32 region = 0;
    if (!self->analysis->binds_data || !program->points)
        return 0;
    expr_points(&self->scope, pointer, &set);
    for (u32 i = 0; set.complete && i < set.count; i++) {
        u32 one = points_region(program, &set.items[i]);
        if (!one || (region && region != one))
            return 0;
        region = one;
    }
    return region;
}

// `pointer`: says by its type what it is.
static ObjectId region_object(Build *self, u32 region, ExprId pointer) {
    Analysis *analysis = self->analysis;
    ObjectId id = object_intern(
        analysis, (SharedObject){.kind = OBJECT_BEHIND, .id = region, .flags = SHARED_GLOBAL | SHARED_AGGREGATE});
    RecordId record = expr_pointee(&self->scope, pointer).record;
    if (record != NO_ID && !analysis->objects.items[id].local)
        analysis->objects.items[id].local = record + 1;
    return id;
}

ObjectId build_life(Build *self, ExprId pointer) {
    u32 region = region_of(self, pointer);
    return region && points_region_freed(self->analysis->program, region) ? region_object(self, region, pointer) : 0;
}

bool build_region_access(Build *self, ExprId pointer, PathId path, Place place, u32 flags) {
    u32 region = region_of(self, pointer);
    const PathTable *paths = &self->analysis->paths;
    const Path *root = &paths->paths.items[path_first(paths, path)];
    u8 param = path && root->root == ROOT_PARAM && root->step < 32 ? (u8)(root->step + 1) : 0;
    if (!region)
        return false;
    put_access(self,
               (Access){self->function, place, region_object(self, region, pointer), path, flags, param, 0, NO_ID, 0});
    return true;
}

void build_freed(Build *self, const Event *event, const char *name) {
    const CallFact *facts;
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name), SAID_FREES, &facts);
    for (u32 i = 0; i < count; i++) {
        ExprId freed = call_argument(&self->scope, event->expr, facts[i].argument > 0 ? facts[i].argument : 1);
        if (freed && call_choice(&self->scope, event->expr, &facts[i].choice))
            build_region_access(self, freed, build_behind(self, build_value(self, freed, 0)), event->place,
                                ACCESSED_WRITE | ACCESSED_FREED);
    }
}

bool build_grows(const Build *self, ExprId value) {
    const Expr *expr = build_expr(self, value);
    for (u32 depth = 0; depth < 8; depth++) {
        if (expr->kind == EXPR_CAST)
            expr = build_expr(self, expr->a);
        else if (expr->kind == EXPR_VAR && self->alias[expr->a])
            expr = build_expr(self, self->alias[expr->a]);
    }
    if (expr->kind != EXPR_CALL || build_expr(self, expr->a)->kind != EXPR_NAME)
        return false;
    u32 said = program_said(self->analysis->program, build_name(self, build_expr(self, expr->a)->a));
    return (said & SAID_ALLOCATES) && (said & SAID_ACCESSES); // what it is given, it gives back, with more
}
