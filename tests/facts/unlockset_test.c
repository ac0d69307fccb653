// unlockset_test.c: what can still be let go, on bodies made by hand.
//   f: b0 takes a; b0 -> b1, b2;  b1 lets a go, returns;  b2 calls g, returns          g: lets b go, returns
#include "racerx/facts/analysis.h"

static int fails;

static void expect(const char *what, bool right) {
    printf("%s %s\n", right ? "ok" : "not ok", what);
    fails += !right;
}

enum { A = CLASS_FIRST, B, BY_TYPE, CLASSES };
enum { F, G, FUNCTIONS };
static const LockEffect takes = {.kind = EFFECT_ACQUIRE}, lets_go = {.kind = EFFECT_RELEASE};

static u32 operation(Analysis *self, const LockEffect *effect, ClassId class) {
    array_push(&self->operations, ((LockOperation){.effect = effect, .class = class}));
    return self->operations.count - 1;
}

static SkeletonStep lock_step(u32 effect) {
    return (SkeletonStep){.kind = STEP_LOCK, .call = NO_ID, .effect = effect, .effect_count = 1};
}

typedef struct {
    Program program;
    Analysis analysis;
    SkeletonStep steps[3], inner[1];
    SkeletonBlock blocks[3], only[1];
    u32 successors[2];
    Skeleton skeletons[FUNCTIONS];
} Case;

static void begin(Case *self) {
    *self = (Case){.successors = {1, 2}};
    Analysis *analysis = &self->analysis;
    analysis->program = &self->program;
    for (u32 c = 0; c < CLASSES; c++)
        array_push(&analysis->classes, ((LockClass){.kind = LOCK_MUTEX}));
    analysis->classes.items[A].base = BY_TYPE;
    array_push(&self->program.functions, ((ProgramFunction){.call = 0, .call_count = 1, .component = 1}));
    array_push(&self->program.functions, ((ProgramFunction){.caller = 0, .caller_count = 1}));
    array_push(&self->program.callers, F);
    array_push(&self->program.targets, G);
    array_push(&self->program.calls, ((CallSite){.target_count = 1}));
    self->steps[0] = lock_step(operation(analysis, &takes, A));
    self->steps[1] = lock_step(operation(analysis, &lets_go, A));
    self->steps[2] = (SkeletonStep){.kind = STEP_CALL};
    self->inner[0] = lock_step(operation(analysis, &lets_go, B));
    self->blocks[0] = (SkeletonBlock){.step_count = 1, .term = TERM_BRANCH, .successor_count = 2};
    self->blocks[1] = (SkeletonBlock){.step = 1, .step_count = 1, .term = TERM_RETURN};
    self->blocks[2] = (SkeletonBlock){.step = 2, .step_count = 1, .term = TERM_RETURN};
    self->only[0] = (SkeletonBlock){.step_count = 1, .term = TERM_RETURN};
    self->skeletons[F] = (Skeleton){.direct = true,
                                    .relevant = true,
                                    .block_count = 3,
                                    .step_count = 3,
                                    .blocks = self->blocks,
                                    .steps = self->steps,
                                    .successors = self->successors};
    self->skeletons[G] = (Skeleton){.direct = true,
                                    .relevant = true,
                                    .block_count = 1,
                                    .step_count = 1,
                                    .blocks = self->only,
                                    .steps = self->inner};
    analysis->skeletons = self->skeletons;
    fill_releases(analysis);
}

static void end(Case *self) {
    Analysis *analysis = &self->analysis;
    for (u32 f = 0; f < FUNCTIONS; f++) {
        array_free(&analysis->releases[f]);
        array_free(&analysis->given_back[f]);
        array_free(&analysis->leaves[f]);
    }
    free(analysis->releases);
    free(analysis->given_back);
    free(analysis->leaves);
    array_free(&analysis->classes);
    array_free(&analysis->operations);
    array_free(&analysis->release_bits);
    map_free(&analysis->release_blocks);
    map_free(&analysis->held_blocks);
    map_free(&analysis->caller_releases);
    arena_free(&analysis->arena);
    array_free(&self->program.functions);
    array_free(&self->program.callers);
    array_free(&self->program.targets);
    array_free(&self->program.calls);
}

static bool has(const U32Array *set, ClassId class) { return set->count == 1 && set->items[0] == class; }

int main(void) {
    Case one;
    begin(&one);
    Analysis *self = &one.analysis;
    expect("g lets b go for its callers", has(&self->releases[G], B) && !self->leaves[G].count);
    expect("and does not give it back", !self->given_back[G].count && !self->given_back[F].count);
    expect("f does by calling g; its own a it took itself", has(&self->releases[F], B));
    expect("one way leaves a held", has(&self->leaves[F], A));
    expect("after it was taken a can still be let go", releases_later(self, F, 0, 1, A));
    expect("not on the other way", !releases_later(self, F, 2, 0, A));
    expect("not after it was", !releases_later(self, F, 1, 1, A));
    expect("a call lets go what its target does", releases_later(self, F, 0, 1, B) && releases_later(self, F, 2, 0, B));
    expect("by type is another word for a, not the other way",
           releases_later(self, F, 0, 0, A) && !releases_later(self, F, 0, 0, BY_TYPE));
    expect("a is held on every way to where it is let go", held_anyway(self, F, 1, 0, A));
    expect("but not behind it, nor before it was taken",
           !held_anyway(self, F, 1, 1, A) && !held_anyway(self, F, 0, 0, A));
    expect("whoever calls g lets go a", releases_in_callers(self, G, A) && !releases_in_callers(self, F, A));
    expect("and the same when asked again", releases_in_callers(self, G, A));
    expect("g lets go somewhere inside, f b too",
           releases_inside(self, G, B) && releases_inside(self, F, B) && !releases_inside(self, G, A));
    end(&one);
    return fails != 0;
}
