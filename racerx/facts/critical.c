// critical.c: which objects are first, last, or alone in critical sections.
// In: skeletons. Out: counts by object. Programmers do not lock for nothing: what is alone under a lock is what
// the lock is for (slides, "Infer if coder believes X needs locking").
// A section is followed inside its function, from where a lock is taken to where it is let go. Calls count, too: a
// function that is called first or last in sections again and again is believed to need the lock (`serial_out` with
// `info`).
#include "racerx/facts/analysis.h"

#define OBJECTS_MOST 4

typedef struct {
    Analysis *analysis;
    const Skeleton *skeleton;
    ClassId class; // whose section
    u8 *seen;      // by block
    U32Array work; // blocks to follow
    ObjectId objects[OBJECTS_MOST];
    u32 object_count; // OBJECTS_MOST: many
    bool calls;       // something is called in it
    ObjectId last[OBJECTS_MOST];
    u32 last_count;
    u64 last_call;                           // the call before the section's end; 0: none
    Map calls_first, calls_last, calls_only; // (function, type of the argument) -> sections
    Map talks;                               // by function: Talk
    Map looked, blind;                       // likewise: calls that write a register, having looked at one or not
} Section;

static u64 call_key(const Analysis *self, const SkeletonStep *step) {
    const CallSite *site = &self->program->calls.items[step->call];
    return step->effect && site->name ? (u64)site->name << 32 | step->effect : 0;
}

static bool counts(const Analysis *self, const Access *access) {
    return access->object && access->fresh == FRESH_NO && (access->flags & (ACCESSED_READ | ACCESSED_WRITE)) &&
           self->objects.items[access->object].kind != OBJECT_LOCAL;
}

static void add_object(ObjectId *objects, u32 *count, ObjectId object) {
    for (u32 i = 0; i < *count && i < OBJECTS_MOST; i++)
        if (objects[i] == object)
            return;
    if (*count < OBJECTS_MOST)
        objects[(*count)++] = object;
}

// Pointers that are only followed are the way to something, not the thing.
static bool is_way(const Analysis *self, const Access *access) {
    return (self->objects.items[access->object].flags & SHARED_POINTER) && !(access->flags & ACCESSED_WRITE);
}

static bool lets_go(const Section *self, const SkeletonStep *step) {
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &self->analysis->operations.items[step->effect + i];
        if (operation->class == self->class &&
            (operation->effect->kind == EFFECT_RELEASE || operation->effect->kind == EFFECT_WAIT))
            return true;
    }
    return false;
}

static ObjectId step_object(const Analysis *self, const SkeletonStep *step, bool last) {
    for (u32 i = 0; i < step->effect_count; i++) {
        const Access *access = &self->accesses.items[step->effect + (last ? step->effect_count - 1 - i : i)];
        if (counts(self, access) && !is_way(self, access))
            return access->object;
    }
    return 0;
}

// Is a call nothing but what its helper does to what it was handed?
static bool is_helper(const Section *self, const SkeletonBlock *block, u32 s) {
    const SkeletonStep *call = &self->skeleton->steps[block->step + s], *before = s ? call - 1 : NULL;
    if (call->kind != STEP_CALL || !before || before->kind != STEP_ACCESS)
        return false;
    const Access *access = &self->analysis->accesses.items[before->effect + before->effect_count - 1];
    return (access->flags & ACCESSED_HANDED) && (access->flags & (ACCESSED_READ | ACCESSED_WRITE)) &&
           access->place.line == call->place.line && access->place.column == call->place.column;
}

// Follows one block from a step on; true: the section ends in it.
static bool follow(Section *self, u32 block, u32 from) {
    ObjectId last = 0;
    u64 call = 0;
    for (u32 s = from; s < self->skeleton->blocks[block].step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[self->skeleton->blocks[block].step + s];
        if (lets_go(self, step)) {
            if (last)
                add_object(self->last, &self->last_count, last);
            self->last_call = call ? call : self->last_call;
            return true;
        }
        bool called = step->kind == STEP_CALL && !is_helper(self, &self->skeleton->blocks[block], s);
        self->calls |= called;
        if (called) {
            last = 0;
            call = call_key(self->analysis, step);
        }
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
            const Access *access = &self->analysis->accesses.items[step->effect + i];
            if (counts(self->analysis, access) && !is_way(self->analysis, access))
                add_object(self->objects, &self->object_count, access->object);
        }
        ObjectId here = step->kind == STEP_ACCESS ? step_object(self->analysis, step, true) : 0;
        last = here ? here : last;
        call = here ? 0 : call;
    }
    return false;
}

static ObjectId first_object(const Section *self, u32 block, u32 from, u64 *call) {
    for (u32 hops = 0; hops < 4; hops++) {
        const SkeletonBlock *one = &self->skeleton->blocks[block];
        for (u32 s = from; s < one->step_count; s++) {
            const SkeletonStep *step = &self->skeleton->steps[one->step + s];
            if (step->kind == STEP_CALL)
                *call = call_key(self->analysis, step);
            if (step->kind == STEP_CALL || step->kind == STEP_LOCK)
                return 0;
            ObjectId object = step->kind == STEP_ACCESS ? step_object(self->analysis, step, false) : 0;
            if (object)
                return object;
        }
        if (one->successor_count != 1)
            return 0;
        block = self->skeleton->successors[one->successor];
        from = 0;
    }
    return 0;
}

static void section(Section *self, u32 block, u32 step) {
    Analysis *analysis = self->analysis;
    memset(self->seen, 0, self->skeleton->block_count);
    self->work.count = self->object_count = self->last_count = 0;
    self->calls = false;
    self->last_call = 0;
    bool ends = follow(self, block, step);
    u32 blocks = 0;
    if (!ends)
        array_push(&self->work, block);
    while (self->work.count && blocks++ < CRITICAL_BLOCKS) {
        const SkeletonBlock *from = &self->skeleton->blocks[self->work.items[--self->work.count]];
        for (u32 s = 0; s < from->successor_count; s++) {
            u32 next = self->skeleton->successors[from->successor + s];
            if (self->seen[next])
                continue;
            self->seen[next] = 1;
            if (follow(self, next, 0))
                ends = true;
            else
                array_push(&self->work, next);
        }
    }
    if (blocks > CRITICAL_BLOCKS)
        limit_reached(LIMIT_CRITICAL_BLOCKS);
    if (!ends || blocks > CRITICAL_BLOCKS)
        return;
    u64 called = 0;
    ObjectId first = first_object(self, block, step, &called);
    if (called)
        ++*map_put(&self->calls_first, called, NULL);
    if (self->last_call)
        ++*map_put(&self->calls_last, self->last_call, NULL);
    if (self->last_call && self->last_call == called && !self->object_count)
        ++*map_put(&self->calls_only, called, NULL);
    if (self->object_count == 1 && !self->calls)
        analysis->critical_only.items[self->objects[0]]++;
    if (first)
        analysis->critical_first.items[first]++;
    for (u32 i = 0; i < self->last_count; i++)
        analysis->critical_last.items[self->last[i]]++;
}

static void zeroed(U32Array *array, u32 count) {
    array_reserve(array, count);
    memset(array->items, 0, sizeof(u32) * count);
    array->count = count;
}

static void sections_of(Section *self) {
    for (u32 b = 0; b < self->skeleton->block_count; b++)
        for (u32 s = 0; s < self->skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &self->skeleton->steps[self->skeleton->blocks[b].step + s];
            for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
                const LockOperation *operation = &self->analysis->operations.items[step->effect + i];
                if (operation->effect->kind != EFFECT_ACQUIRE || lock_has(operation->effect->lock, TRAIT_PINS))
                    continue;
                self->class = operation->class;
                section(self, b, s + 1);
                break; // spin_lock_irqsave is one section
            }
        }
}

#define CALLS_LEAST 4 // sections that a call is first or last in, to count as data

static void add_count(U32Array *counts, ObjectId object, u32 count) {
    while (counts->count <= object)
        array_push(counts, 0);
    counts->items[object] = count;
}

// Does the function look at the same object by a call, or at some register, so that what it writes may depend on it?
static bool looks_too(Section *self, const Skeleton *skeleton, u32 record) {
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind == STEP_CALL && (step->effect == record || !step->effect) && !step->discard &&
            talk_of_call(self->analysis, step, &self->talks) == TALK_LOOKS)
            return true;
    }
    return false;
}

static void count_pokes(Section *self, const Skeleton *skeleton) {
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        u64 key = step->kind == STEP_CALL ? call_key(self->analysis, step) : 0;
        if (!key || (!map_get(&self->calls_first, key) && !map_get(&self->calls_last, key)) ||
            talk_of_call(self->analysis, step, &self->talks) != TALK_POKES)
            continue;
        ++*map_put(looks_too(self, skeleton, step->effect) ? &self->looked : &self->blind, key, NULL);
    }
}

// A call that only looks is read; one register that is written blindly is written in one piece, where most look first:
// where most do not, the lock keeps one command after the other.
static u32 call_flags(Section *self, const Skeleton *skeleton, const SkeletonStep *step, u64 key) {
    Talk talk = talk_of_call(self->analysis, step, &self->talks);
    const u32 *looked = map_get(&self->looked, key), *blind = map_get(&self->blind, key);
    if (talk == TALK_LOOKS)
        return ACCESSED_READ | ACCESSED_CALL;
    bool once = talk == TALK_POKES && looked && *looked >= (blind ? *blind : 0);
    return once && !looks_too(self, skeleton, step->effect) ? ACCESSED_WRITE | ACCESSED_CALL | ACCESSED_ONCE
                                                            : ACCESSED_WRITE | ACCESSED_CALL;
}

// Calls that sections begin or end with become accesses of an object of their own, wherever they are made.
static void name_calls(Section *self, Skeleton *skeleton, FunctionId function) {
    Analysis *analysis = self->analysis;
    for (u32 s = 0; s < skeleton->step_count; s++) {
        SkeletonStep *step = &skeleton->steps[s];
        u64 key = step->kind == STEP_CALL ? call_key(analysis, step) : 0;
        if (!key)
            continue;
        const u32 *first = map_get(&self->calls_first, key), *last = map_get(&self->calls_last, key);
        if ((first ? *first : 0) + (last ? *last : 0) < CALLS_LEAST)
            continue;
        ObjectId object =
            object_intern(analysis, (SharedObject){.kind = OBJECT_CALL, .id = (u32)(key >> 32), .var = (u32)key});
        add_count(&analysis->critical_first, object, first ? *first : 0);
        add_count(&analysis->critical_last, object, last ? *last : 0);
        const u32 *only = map_get(&self->calls_only, key);
        add_count(&analysis->critical_only, object, only ? *only : 0);
        const ArgumentValue *argument = &skeleton->args[step->arg];
        PathId path = argument->address ? argument->path : path_step(&analysis->paths, argument->path, 0, true);
        u32 flags = call_flags(self, skeleton, step, key);
        array_push(&analysis->accesses, ((Access){function, step->place, object, path, flags, 0, FRESH_NO, NO_ID, 0}));
        step->source = analysis->accesses.count;
    }
}

void fill_critical(Analysis *analysis) {
    Section self = {.analysis = analysis};
    u32 room = 0, objects = analysis->objects.count + 1;
    zeroed(&analysis->critical_only, objects);
    zeroed(&analysis->critical_first, objects);
    zeroed(&analysis->critical_last, objects);
    for (u32 f = 0; f < analysis->program->functions.count; f++) {
        self.skeleton = &analysis->skeletons[f];
        if (!self.skeleton->direct)
            continue;
        if (self.skeleton->block_count > room) {
            room = 2 * self.skeleton->block_count;
            self.seen = must_realloc(self.seen, room);
        }
        sections_of(&self);
    }
    for (u32 f = 0; f < analysis->program->functions.count && self.calls_first.count + self.calls_last.count; f++)
        count_pokes(&self, &analysis->skeletons[f]);
    for (u32 f = 0; f < analysis->program->functions.count && self.calls_first.count + self.calls_last.count; f++)
        name_calls(&self, &analysis->skeletons[f], f);
    free(self.seen);
    array_free(&self.work);
    map_free(&self.calls_first);
    map_free(&self.calls_last);
    map_free(&self.calls_only);
    map_free(&self.talks);
    map_free(&self.looked);
    map_free(&self.blind);
}
