// settled.c: globals that are settled before there are threads, and decide whether locks are taken.
// In: skeletons with what is wanted (deciding.c), spawns, accesses. Out: Analysis.settled. The idea: what no thread
// writes, and nobody writes any more once a thread may have been started, is for the thread what it was at its start. A
// store of one constant does no harm later, to those who began with it: `threads_on = 1` before each start.
// Invariant: a store that may come later, and is no such constant, makes the global unsettled.
#include "racerx/facts/analysis.h"

#define SETTLED_LATE (1ull << 32) // the key of the constant that may be stored later

typedef struct {
    Analysis *analysis;
    u8 *starting;  // by function: it, or what it calls, starts threads
    u8 *threads;   // by function: threads come to it
    U32Array *own; // by function: accesses that write a wanted global
    Map wanted;    // ObjectId -> 1
    U32Array list; // those
    Map writing;   // (function, object) -> it or what it calls writes it
    U32Array work;
} Settling;

static void mark_closure(Settling *self, u8 *marks, bool up) {
    const Program *program = self->analysis->program;
    while (self->work.count) {
        FunctionId at = self->work.items[--self->work.count];
        const ProgramFunction *one = &program->functions.items[at];
        if (marks[at])
            continue;
        marks[at] = 1;
        for (u32 c = 0; up && c < one->caller_count; c++)
            array_push(&self->work, program->callers.items[one->caller + c]);
        for (u32 c = 0; !up && c < one->call_count; c++) {
            const CallSite *site = &program->calls.items[one->call + c];
            for (u32 t = 0; t < site->target_count; t++)
                array_push(&self->work, program->targets.items[site->target + t]);
        }
    }
}

static void fill_marks(Settling *self) {
    const Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    for (u32 i = 0; i < analysis->spawns.count; i++)
        if (analysis->spawns.items[i].class)
            array_push(&self->work, analysis->spawns.items[i].function);
    mark_closure(self, self->starting, true);
    for (u32 r = 0; r < program->registrations.count; r++)
        if (program->registrations.items[r].handler != NO_ID)
            array_push(&self->work, program->registrations.items[r].handler);
    for (u32 f = 0; f < program->functions.count; f++) // also those that helpers are told to start
        if (analysis->started_as[f])
            array_push(&self->work, f);
    for (u32 v = 0; v < analysis->variants.count; v++)
        array_push(&self->work, analysis->variants.items[v].runs);
    mark_closure(self, self->threads, false);
}

static void put_wanted(Settling *self, ObjectId object) {
    bool fresh;
    *map_put(&self->wanted, object, &fresh) = 1;
    if (fresh)
        array_push(&self->list, object);
}

// Globals that some thread's function wants to know.
static void fill_wanted(Settling *self) {
    const Analysis *analysis = self->analysis;
    for (u32 f = 0; f < analysis->program->functions.count; f++) {
        const Skeleton *skeleton = &analysis->skeletons[f];
        for (u32 i = 0; (analysis->started_as[f] || self->threads[f]) && i < skeleton->place_count; i++) {
            const TestedPlace *place = &skeleton->places[i];
            const SharedObject *object = &analysis->objects.items[place->object];
            if ((place->flags & PLACE_WANTED) && place->object && object->kind == OBJECT_GLOBAL &&
                !(object->flags & (SHARED_ELEMENT | SHARED_OWN)))
                put_wanted(self, place->object);
        }
    }
}

static void fill_writing(Settling *self) {
    const Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    for (u32 f = 0; f < program->functions.count; f++) {
        const Skeleton *skeleton = &analysis->skeletons[f];
        for (u32 s = 0; s < skeleton->step_count; s++)
            for (u32 i = 0; skeleton->steps[s].kind == STEP_ACCESS && i < skeleton->steps[s].effect_count; i++) {
                u32 access = skeleton->steps[s].effect + i;
                const Access *one = &analysis->accesses.items[access];
                if ((one->flags & ACCESSED_WRITE) && map_get(&self->wanted, one->object)) {
                    array_push(&self->own[f], access);
                    array_push(&self->work, f);
                    array_push(&self->work, one->object);
                }
            }
    }
    while (self->work.count) {
        ObjectId object = self->work.items[--self->work.count];
        FunctionId at = self->work.items[--self->work.count];
        bool fresh;
        map_put(&self->writing, (u64)at << 32 | object, &fresh);
        const ProgramFunction *one = &program->functions.items[at];
        for (u32 c = 0; fresh && c < one->caller_count; c++) {
            array_push(&self->work, program->callers.items[one->caller + c]);
            array_push(&self->work, object);
        }
    }
}

static void unsettle(Settling *self, ObjectId object) { *map_put(&self->analysis->settled, object, NULL) = 0; }

// A store when there may be threads.
static void store_late(Settling *self, u32 access) {
    Analysis *analysis = self->analysis;
    const u32 *constant = map_get(&analysis->constants_stored, access);
    ObjectId object = analysis->accesses.items[access].object;
    bool fresh;
    if (!constant) {
        unsettle(self, object);
        return;
    }
    u32 *late = map_put(&analysis->settled, SETTLED_LATE | object, &fresh);
    if (!fresh && *late != *constant)
        unsettle(self, object);
    *map_put(&analysis->settled, SETTLED_LATE | object, NULL) = *constant;
}

// A member that is also written through some pointer to its type: whose it was then is not known.
static void unsettle_pointed(Settling *self) {
    const Analysis *analysis = self->analysis;
    Map members = {0};
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        const Access *one = &analysis->accesses.items[i];
        const SharedObject *object = &analysis->objects.items[one->object];
        if ((one->flags & ACCESSED_WRITE) && one->object && object->kind == OBJECT_FIELD && object->member)
            *map_put(&members, object->member, NULL) = 1;
    }
    for (u32 i = 0; i < self->list.count; i++) {
        NameId member = analysis->objects.items[self->list.items[i]].member;
        if (member && map_get(&members, member))
            unsettle(self, self->list.items[i]);
    }
    map_free(&members);
}

static bool starts(const Settling *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    const CallSite *site = step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && t < site->target_count; t++)
        if (self->starting[program->targets.items[site->target + t]])
            return true;
    return step->kind == STEP_SPAWN && self->analysis->spawns.items[step->effect].class;
}

// All that the call may store comes late: what the callee does itself, and below.
static void store_late_below(Settling *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    const CallSite *site = &program->calls.items[step->call];
    u8 *below = must_zero(program->functions.count + 1u);
    for (u32 t = 0; t < site->target_count; t++)
        array_push(&self->work, program->targets.items[site->target + t]);
    mark_closure(self, below, false);
    for (u32 f = 0; f < program->functions.count; f++)
        for (u32 i = 0; below[f] && i < self->own[f].count; i++)
            store_late(self, self->own[f].items[i]);
    free(below);
}

static bool writes_any(const Settling *self, FunctionId function) {
    for (u32 i = 0; i < self->list.count; i++)
        if (map_get(&self->writing, (u64)function << 32 | self->list.items[i]))
            return true;
    return false;
}

static void pass_step(Settling *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
        const Access *one = &self->analysis->accesses.items[step->effect + i];
        if ((one->flags & ACCESSED_WRITE) && map_get(&self->wanted, one->object))
            store_late(self, step->effect + i);
    }
    const CallSite *site = step->kind == STEP_CALL && step->call != NO_ID ? &program->calls.items[step->call] : NULL;
    bool writes = false;
    for (u32 t = 0; site && t < site->target_count && !writes; t++)
        writes = writes_any(self, program->targets.items[site->target + t]);
    if (writes)
        store_late_below(self, step);
}

// Forward from each start: what is stored then is stored late.
static void settle_function(Settling *self, FunctionId function) {
    const Skeleton *skeleton = &self->analysis->skeletons[function];
    u8 *late = must_zero(skeleton->block_count + 1u);
    U32Array blocks = {0};
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++)
            if (starts(self, &skeleton->steps[skeleton->blocks[b].step + s])) {
                for (u32 k = s + 1; k < skeleton->blocks[b].step_count && !late[b]; k++)
                    pass_step(self, &skeleton->steps[skeleton->blocks[b].step + k]);
                array_push(&blocks, b);
                break;
            }
    while (blocks.count) {
        const SkeletonBlock *block = &skeleton->blocks[blocks.items[--blocks.count]];
        for (u32 i = 0; i < block->successor_count; i++) {
            u32 next = skeleton->successors[block->successor + i];
            if (late[next])
                continue;
            late[next] = 1;
            for (u32 k = 0; k < skeleton->blocks[next].step_count; k++)
                pass_step(self, &skeleton->steps[skeleton->blocks[next].step + k]);
            array_push(&blocks, next);
        }
    }
    array_free(&blocks);
    free(late);
}

bool is_settled(const Analysis *self, ObjectId object) {
    const u32 *state = object ? map_get(&self->settled, object) : NULL;
    return state && *state;
}

ValueId settled_value(Analysis *self, ObjectId object, ValueId known) {
    const u32 *late = is_settled(self, object) ? map_get(&self->settled, SETTLED_LATE | object) : NULL;
    if (!is_settled(self, object) || !known || known == VALUE_ANY)
        return 0;
    return !late || known == value_constant(&self->values, (i32)*late) ? known : 0;
}

void fill_settled(Analysis *analysis) {
    u32 count = analysis->program->functions.count;
    Settling self = {.analysis = analysis};
    if (!analysis->follows_threads || !analysis->spawns.count)
        return;
    self.starting = must_zero(count + 1u);
    self.threads = must_zero(count + 1u);
    self.own = must_zero(sizeof(U32Array) * (count + 1u));
    fill_marks(&self);
    fill_wanted(&self);
    if (self.wanted.count)
        fill_writing(&self);
    for (u32 i = 0; i < self.list.count; i++)
        *map_put(&analysis->settled, self.list.items[i], NULL) = 1;
    unsettle_pointed(&self);
    for (u32 f = 0; f < count && self.wanted.count; f++) {
        for (u32 i = 0; self.threads[f] && i < self.own[f].count; i++)
            store_late(&self, self.own[f].items[i]);
        if (self.starting[f])
            settle_function(&self, f);
    }
    for (u32 f = 0; f < count; f++)
        array_free(&self.own[f]);
    free(self.own);
    free(self.starting);
    free(self.threads);
    array_free(&self.work);
    array_free(&self.list);
    map_free(&self.wanted);
    map_free(&self.writing);
}
