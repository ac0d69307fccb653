// handed.c: what a helper touches through its parameters belongs to whoever hands it over.
// In: skeletons, the accesses that calls hand over (build_handed), flags still open. Out: their flags; one object for a
// member that is handed over and its parts.
// The idea (RELAY): bottom-up, over calls with few targets: does a function read, or write, what its parameter points
// to, itself or below? Then `list_add(&r->list, &q->pending)` writes `q->pending` in the caller's function, under the
// caller's locks. A helper that takes locks says nothing: it may protect what it touches itself. Invariant: a
// function's masks only grow, so the rounds end; an access that no helper makes keeps no flags, and counts for nothing.
#include "racerx/facts/analysis.h"

typedef struct {
    u32 read, write, once; // bit n: what parameter n points to; once: by accessors like READ_ONCE
    bool locks;            // takes or lets go of locks, itself or below
} Touch;

typedef struct {
    Analysis *analysis;
    Touch *touches;    // by function
    FunctionId *order; // callees first
    Map leaders;       // (kind, id, var, member) -> object that is handed over
} Handing;

// The parameter that a place is directly behind: through its pointer and no other; NO_ID: none.
static u32 parameter_of(const PathTable *paths, PathId path) {
    PathId first = path_first(paths, path);
    if (!path || path == first || paths->paths.items[first].root != ROOT_PARAM || paths->paths.items[first].step >= 32)
        return NO_ID;
    for (PathId at = path; paths->paths.items[at].depth; at = paths->paths.items[at].parent)
        if (step_is_up(paths->paths.items[at].step) ||
            (step_is_pointer(paths->paths.items[at].step) && paths->paths.items[at].depth > 1))
            return NO_ID;
    return paths->paths.items[first].step;
}

static void touch_accesses(Handing *self) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        const Access *access = &analysis->accesses.items[i];
        u32 flags = analysis->objects.items[access->object].flags;
        if (!access->param || (access->flags & (ACCESSED_ATOMIC | ACCESSED_CALL)) ||
            (access->object && (flags & (SHARED_ATOMIC | SHARED_LOCK | SHARED_OWN | SHARED_CONST))))
            continue;
        u32 parameter = parameter_of(&analysis->paths, access->path);
        Touch *touch = &self->touches[access->function];
        if (parameter == NO_ID)
            continue;
        if (access->flags & ACCESSED_ONCE)
            touch->once |= 1u << parameter;
        else if (access->flags & ACCESSED_READ)
            touch->read |= 1u << parameter;
        if (access->flags & ACCESSED_WRITE)
            touch->write |= 1u << parameter;
    }
}

static bool takes_locks(const Analysis *self, const SkeletonStep *step) {
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        u8 kind = self->operations.items[step->effect + i].effect->kind;
        if (kind == EFFECT_ACQUIRE || kind == EFFECT_RELEASE || kind == EFFECT_WAIT)
            return true;
    }
    return false;
}

// The parameter of the caller that the callee's argument is, or points into; NO_ID: none.
static u32 handed_on(const PathTable *paths, const ArgumentValue *argument) {
    const Path *path = &paths->paths.items[argument->path];
    if (!argument->path || path->root != ROOT_PARAM)
        return NO_ID;
    if (!argument->address)
        return path->depth || path->step >= 32 ? NO_ID : path->step;
    return parameter_of(paths, argument->path);
}

static void touch_below(Handing *self, Touch *mine, const Skeleton *skeleton, const SkeletonStep *step,
                        const Touch *callee) {
    mine->locks |= callee->locks;
    if (callee->locks)
        return;
    u32 any = callee->read | callee->write | callee->once;
    for (u32 p = 0; p < 32 && p < step->arg_count && any >> p; p++) {
        u32 to = any >> p & 1 ? handed_on(&self->analysis->paths, &skeleton->args[step->arg + p]) : NO_ID;
        if (to == NO_ID)
            continue;
        mine->read |= (callee->read >> p & 1) << to;
        mine->write |= (callee->write >> p & 1) << to;
        mine->once |= (callee->once >> p & 1) << to;
    }
}

static bool touch_function(Handing *self, FunctionId function) {
    const Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[function];
    Touch *mine = &self->touches[function], before = *mine;
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        mine->locks |= takes_locks(analysis, step);
        const CallSite *site = step->kind == STEP_CALL ? &analysis->program->calls.items[step->call] : NULL;
        for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count; t++)
            touch_below(self, mine, skeleton, step, &self->touches[analysis->program->targets.items[site->target + t]]);
    }
    return memcmp(&before, mine, sizeof before) != 0;
}

// requires: ProgramFunction.component. fills: order.
static void fill_order(Handing *self) {
    const Program *program = self->analysis->program;
    u32 *first = must_zero(sizeof(u32) * (program->stats.components + 2u));
    self->order = must_alloc(sizeof(FunctionId) * (program->functions.count + 1u));
    for (u32 f = 0; f < program->functions.count; f++)
        first[program->functions.items[f].component + 1]++;
    for (u32 c = 0; c < program->stats.components; c++)
        first[c + 1] += first[c];
    for (u32 f = 0; f < program->functions.count; f++)
        self->order[first[program->functions.items[f].component]++] = f;
    free(first);
}

static u64 object_key(const SharedObject *object, NameId member) {
    return hash_mix((u64)object->id << 32 | member, (u64)object->var << 8 | object->kind);
}

static void settle(Handing *self, const Handed *handed) {
    Analysis *analysis = self->analysis;
    Access *access = &analysis->accesses.items[handed->access];
    const CallSite *site = &analysis->program->calls.items[handed->call];
    for (u32 t = 0; t < site->target_count; t++) {
        const Touch *touch = &self->touches[analysis->program->targets.items[site->target + t]];
        if (touch->locks)
            continue;
        bool reads = touch->read >> handed->argument & 1, writes = touch->write >> handed->argument & 1;
        access->flags |= (u32)((reads ? ACCESSED_READ : 0) | (writes ? ACCESSED_WRITE : 0));
        if (!reads && !writes && (touch->once >> handed->argument & 1))
            access->flags |= ACCESSED_READ | ACCESSED_ONCE;
    }
    if ((access->flags & ACCESSED_READ) && (access->flags & ACCESSED_WRITE))
        access->flags = (u32)((access->flags & ~ACCESSED_ONCE) | ACCESSED_UPDATE);
    const SharedObject *object = &analysis->objects.items[access->object];
    if (access->flags & (ACCESSED_READ | ACCESSED_WRITE))
        *map_put(&self->leaders, object_key(object, object->member), NULL) = access->object;
}

// The object that is handed over and that this one is a part of; 0: none.
static ObjectId leader_of(const Handing *self, ObjectId id) {
    const Analysis *analysis = self->analysis;
    const SharedObject *object = &analysis->objects.items[id];
    const char *text = program_text(analysis->program, object->member);
    if (!object->member || (object->flags & (SHARED_ATOMIC | SHARED_LOCK | SHARED_OWN)))
        return 0;
    const u32 *whole = map_get(&self->leaders, object_key(object, 0));
    for (const char *dot = strchr(text, '.'); dot && !whole; dot = strchr(dot + 1, '.'))
        whole = map_get(&self->leaders, object_key(object, program_intern(analysis->program, text, (u32)(dot - text))));
    return whole && *whole != id ? *whole : 0;
}

// A member that is handed over and its parts are one object.
static void join_parts(Handing *self) {
    Analysis *analysis = self->analysis;
    ObjectId *leader = must_zero(sizeof(ObjectId) * (analysis->objects.count + 1u));
    for (ObjectId i = 1; i < analysis->objects.count; i++)
        leader[i] = leader_of(self, i);
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        Access *access = &analysis->accesses.items[i];
        access->object = leader[access->object] ? leader[access->object] : access->object;
    }
    free(leader);
}

// requires: skeletons, handed. fills: flags of handed accesses; objects of the parts of what is handed over.
void fill_handed(Analysis *analysis) {
    Handing self = {.analysis = analysis};
    if (!analysis->handed.count)
        return;
    self.touches = must_zero(sizeof(Touch) * (analysis->program->functions.count + 1u));
    fill_order(&self);
    touch_accesses(&self);
    for (bool again = true; again;) {
        again = false;
        for (u32 i = 0; i < analysis->program->functions.count; i++)
            again |= touch_function(&self, self.order[i]);
    }
    for (u32 i = 0; i < analysis->handed.count; i++)
        settle(&self, &analysis->handed.items[i]);
    join_parts(&self);
    free(self.touches);
    free(self.order);
    map_free(&self.leaders);
}
