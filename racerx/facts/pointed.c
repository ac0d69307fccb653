// pointed.c: what accesses through pointers are to, when linking knows what the pointers point to.
// In: a pointer of a body. Out: shared objects: globals, locals, and regions: allocated memory that is kept in a global
// (`*histogram`). Members of types need none of this: they are known by their type.
// Invariant: nothing is said of a pointer that may also point elsewhere, for all the text says.
#include "racerx/facts/skeleton.h"

// The static local that is a variable of a function; NO_ID: it is none.
static GlobalId static_local(const Program *program, FunctionId function, u32 var) {
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
