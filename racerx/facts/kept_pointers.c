// kept_pointers.c: pointers that outlive the lock they were read under.
// In: skeletons, what functions let go. Out: ACCESSED_KEPT of accesses to allocated memory.
// The idea: forward over the blocks of a function, a bit for every place that such a pointer was read from: set where a
// lock is let go, cleared where the place is read again. What is accessed with the bit set goes by a pointer that
// somebody may have freed meanwhile. Ways that meet: set if it is set on one.
#include "racerx/facts/analysis.h"

#define KEPT_MOST 64 // places of one function: bits of a word

typedef struct {
    Analysis *analysis;
    const Skeleton *skeleton;
    PathId places[KEPT_MOST];
    u32 count;
    Array(u64) in; // by block
    bool marks;    // fill the accesses, too
} KeptFlow;

// The place that the last pointer on the way to an access was read from; 0: none.
static PathId read_from(const PathTable *paths, PathId path) {
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent)
        if (step_is_pointer(paths->paths.items[path].step) || step_is_index_or_up(paths->paths.items[path].step))
            return paths->paths.items[path].parent;
    return 0;
}

static u32 place_index(const KeptFlow *self, PathId place) {
    for (u32 i = 0; place && i < self->count; i++)
        if (self->places[i] == place)
            return i;
    return NO_ID;
}

static bool is_allocated(const Analysis *self, const Access *access) {
    return access->object && self->objects.items[access->object].kind == OBJECT_BEHIND &&
           !(access->flags & ACCESSED_FREED);
}

static void find_places(KeptFlow *self) {
    const Analysis *analysis = self->analysis;
    self->count = 0;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
            const Access *access = &analysis->accesses.items[step->effect + i];
            PathId place = is_allocated(analysis, access) ? read_from(&analysis->paths, access->path) : 0;
            if (place && place_index(self, place) == NO_ID && self->count < KEPT_MOST)
                self->places[self->count++] = place;
        }
    }
}

static bool lets_go(const Analysis *self, const SkeletonStep *step) {
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        u8 kind = self->operations.items[step->effect + i].effect->kind;
        if ((kind == EFFECT_RELEASE || kind == EFFECT_WAIT) &&
            self->operations.items[step->effect + i].class >= CLASS_FIRST)
            return true;
    }
    const CallSite *site = step->kind == STEP_CALL ? &self->program->calls.items[step->call] : NULL;
    for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count; t++)
        if (self->releases[self->program->targets.items[site->target + t]].count)
            return true;
    return false;
}

static u64 run_accesses(KeptFlow *self, const SkeletonStep *step, u64 state) {
    Analysis *analysis = self->analysis;
    for (u32 i = 0; i < step->effect_count; i++) {
        Access *access = &analysis->accesses.items[step->effect + i];
        u32 read = (access->flags & ACCESSED_READ) ? place_index(self, access->path) : NO_ID;
        u32 behind = self->marks && is_allocated(analysis, access)
                         ? place_index(self, read_from(&analysis->paths, access->path))
                         : NO_ID;
        if (behind != NO_ID && (state >> behind & 1))
            access->flags |= ACCESSED_KEPT;
        state &= read == NO_ID ? UINT64_MAX : ~(1ull << read);
    }
    return state;
}

static u64 run_block(KeptFlow *self, const SkeletonBlock *block, u64 state) {
    for (u32 s = 0; s < block->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[block->step + s];
        if (step->kind == STEP_ACCESS)
            state = run_accesses(self, step, state);
        else if (lets_go(self->analysis, step))
            state = UINT64_MAX;
    }
    return state;
}

static void run_function(KeptFlow *self) {
    const Skeleton *skeleton = self->skeleton;
    self->in.count = 0;
    for (u32 b = 0; b < skeleton->block_count; b++)
        array_push(&self->in, 0);
    self->marks = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = 0; b < skeleton->block_count; b++) {
            u64 out = run_block(self, &skeleton->blocks[b], self->in.items[b]);
            for (u32 s = 0; s < skeleton->blocks[b].successor_count; s++) {
                u64 *next = &self->in.items[skeleton->successors[skeleton->blocks[b].successor + s]];
                changed |= (*next | out) != *next;
                *next |= out;
            }
        }
    }
    self->marks = true;
    for (u32 b = 0; b < skeleton->block_count; b++)
        run_block(self, &skeleton->blocks[b], self->in.items[b]);
}

void fill_kept(Analysis *analysis) {
    KeptFlow self = {.analysis = analysis};
    for (u32 f = 0; analysis->binds_data && f < analysis->program->functions.count; f++) {
        self.skeleton = &analysis->skeletons[f];
        if (!self.skeleton->direct && !self.skeleton->relevant)
            continue; // no lock is let go
        find_places(&self);
        if (self.count)
            run_function(&self);
    }
    array_free(&self.in);
}
