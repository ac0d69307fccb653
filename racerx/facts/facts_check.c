// facts_check.c: what is promised of words and of reduced bodies, verified between passes in test builds.
#include "racerx/facts/analysis.h"

static void check_paths(const PathTable *self) {
    for (u32 p = 1; p < self->paths.count; p++) {
        const Path *path = &self->paths.items[p], *parent = &self->paths.items[path->parent];
        check(path->parent < p); // a place is interned after what it is in
        check(path->parent ? path->depth == parent->depth + 1 : path->depth == 0);
        check(!path->parent || path->root == parent->root);
    }
}

static void check_classes(const Words *self) {
    for (u32 c = 1; c < self->classes.count; c++) {
        const LockClass *class = &self->classes.items[c];
        check(class->base < self->classes.count && class->base != c);
        check(class->left_by < self->classes.count && class->leaves < self->classes.count);
        check(class->kind <= LOCK_KINDS);
    }
}

static void check_locksets(const Words *self) {
    const LocksetTable *table = &self->locksets;
    for (u32 s = 0; s < table->sets.count; s++) { // of a second table: its own
        u32 count = table->sets.items[s].count;
        const Held *held = table->held.items + table->sets.items[s].first;
        check(table->sets.items[s].first + (u64)count <= table->held.count);
        check((count == 0) == (s + table->base_count == 0)); // the empty set is 0
        for (u32 i = 0; i < count; i++) {
            check(held[i].class && held[i].class < self->classes.count && held[i].count);
            check(held[i].path < self->paths.paths.count);
            check(!i || held[i - 1].class <= held[i].class);
        }
    }
}

void words_check(const Words *self) {
    check_paths(&self->paths);
    check_classes(self);
    check_locksets(self);
}

// Where a step's effect is a run of some table, it lies in that table.
static void check_effect(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step) {
    u64 end = (u64)step->effect + step->effect_count;
    switch ((SkeletonStepKind)step->kind) {
    case STEP_LOCK:
        check(end <= self->operations.count);
        for (u32 i = 0; i < step->effect_count; i++)
            check(self->operations.items[step->effect + i].effect &&
                  self->operations.items[step->effect + i].class < self->classes.count);
        break;
    case STEP_CALL: check(step->call == NO_ID || step->call < self->program->calls.count); break;
    case STEP_ACCESS: check(end <= self->accesses.count); break;
    case STEP_SPAWN: check(step->effect < self->spawns.count); break;
    case STEP_ENDED: check(!step->effect_count || end <= self->ended.count); break;
    case STEP_PUBLISH: check(step->effect <= self->keepers.count); break;
    case STEP_SET: check(step->discard != COMPARES_CHOICE || skeleton->choices); break;
    default: break;
    }
}

static void check_block(const Analysis *self, const Skeleton *skeleton, const SkeletonBlock *block) {
    check(block->step + (u64)block->step_count <= skeleton->step_count);
    for (u32 i = 0; i < block->successor_count; i++)
        check(skeleton->successors[block->successor + i] < skeleton->block_count);
    check(block->term != TERM_RETURN || !block->successor_count);
    check(block->flag < self->objects.count + 1u && block->counted < self->objects.count + 1u);
    for (u32 s = 0; s < block->step_count; s++)
        check_effect(self, skeleton, &skeleton->steps[block->step + s]);
}

static void check_skeleton(const Analysis *self, const Skeleton *skeleton) {
    check(skeleton->relevant || !skeleton->direct);
    for (u32 b = 0; b < skeleton->block_count; b++)
        check_block(self, skeleton, &skeleton->blocks[b]);
    for (u32 i = 0; i < skeleton->exit_count; i++) {
        check(skeleton->exits[i].from < skeleton->block_count && skeleton->exits[i].to < skeleton->block_count);
        check(skeleton->exits[i].step < skeleton->step_count);
    }
}

static void check_sorted(const U32Array *set) {
    for (u32 i = 1; i < set->count; i++)
        check(set->items[i - 1] < set->items[i]);
}

// After every pass: of what later ones fill nothing is there yet.
void facts_check(const Analysis *self) {
    for (u32 f = 0; f < self->program->functions.count; f++) {
        check_skeleton(self, &self->skeletons[f]);
        if (self->touched)
            check_sorted(&self->touched[f]);
    }
    for (u32 i = 0; i < self->accesses.count; i++) {
        check(self->accesses.items[i].function < self->program->functions.count);
        check(self->accesses.items[i].object || self->accesses.items[i].param);
        check(self->accesses.items[i].path < self->paths.paths.count);
    }
    for (u32 i = 0; i < self->spawns.count; i++)
        check(self->spawns.items[i].class < self->classes.count);
    words_check(&self->words);
}
