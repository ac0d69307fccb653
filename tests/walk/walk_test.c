// walk_test.c: the walk on bodies made by hand: what is met with which locks, how functions end.
//   f: b0 takes a, calls g; b0 -> b1, b2;  b1 lets a go, returns;  b2 returns          g: lets b go, returns
#include "racerx/facts/analysis.h"

static int fails;

static void expect(const char *what, bool right) {
    printf("%s %s\n", right ? "ok" : "not ok", what);
    fails += !right;
}

enum { A = CLASS_FIRST, B, CLASSES };
enum { F, G, FUNCTIONS };
static const LockEffect takes = {.kind = EFFECT_ACQUIRE}, lets_go = {.kind = EFFECT_RELEASE};

typedef struct {
    Program program;
    Analysis analysis;
    SkeletonStep steps[4], inner[2];
    SkeletonBlock blocks[3], only[1];
    u32 successors[3];
    Skeleton skeletons[FUNCTIONS];
    u8 started_as[FUNCTIONS];
} Case;

static SkeletonStep lock_step(Analysis *self, const LockEffect *effect, ClassId class, u32 line) {
    array_push(&self->operations, ((LockOperation){.effect = effect, .class = class}));
    return (SkeletonStep){.kind = STEP_LOCK,
                          .call = NO_ID,
                          .discard = true,
                          .effect = self->operations.count - 1,
                          .effect_count = 1,
                          .place = {.line = line}};
}

static void begin(Case *self, u32 rounds) {
    *self = (Case){.successors = {1, 2, 0}};
    Analysis *analysis = &self->analysis;
    analysis->program = &self->program;
    analysis->follows_threads = true;
    analysis->started_as = self->started_as;
    for (u32 c = 0; c < CLASSES; c++)
        array_push(&analysis->classes, ((LockClass){.kind = LOCK_MUTEX, .global = true}));
    path_root(&analysis->paths, ROOT_PARAM, 0);
    lockset_intern(&analysis->locksets, NULL, 0);
    array_push(&analysis->bindings, 0);
    array_push(&self->program.functions, ((ProgramFunction){.call_count = 1, .component = 1, .marks = MARK_ROOT}));
    array_push(&self->program.functions, ((ProgramFunction){.caller_count = 1}));
    array_push(&self->program.callers, F);
    array_push(&self->program.targets, G);
    array_push(&self->program.calls, ((CallSite){.target_count = 1}));
    array_push(&analysis->accesses, ((Access){.function = F, .object = 1}));
    self->steps[0] = lock_step(analysis, &takes, A, 1);
    self->steps[1] = (SkeletonStep){.kind = STEP_CALL, .place = {.line = 2}, .result = NO_ID};
    self->steps[2] = lock_step(analysis, &lets_go, A, 3);
    self->steps[3] = (SkeletonStep){.kind = STEP_ACCESS, .call = NO_ID, .effect_count = 1, .place = {.line = 4}};
    self->inner[0] = lock_step(analysis, &lets_go, B, 10);
    // with a round to make, the way that let go comes back to the beginning
    self->blocks[0] = (SkeletonBlock){.step_count = 2, .term = TERM_BRANCH, .successor_count = 2};
    self->blocks[1] = (SkeletonBlock){.step = 2, .step_count = 1, .term = TERM_RETURN};
    self->blocks[2] = (SkeletonBlock){.step = 3, .step_count = 1, .term = TERM_RETURN};
    if (rounds) {
        self->blocks[1].term = TERM_JUMP;
        self->blocks[1].successor_count = 1;
        self->blocks[1].successor = 2;
    }
    self->only[0] = (SkeletonBlock){.step_count = 1, .term = TERM_RETURN};
    self->skeletons[F] = (Skeleton){.direct = true,
                                    .relevant = true,
                                    .block_count = 3,
                                    .step_count = 4,
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
    fill_touched(analysis);
    walk(analysis);
    read_met(analysis);
    events_check(analysis);
    words_check(&analysis->words);
}

static void end(Case *self) {
    Analysis *analysis = &self->analysis;
    for (u32 f = 0; f < FUNCTIONS; f++) {
        array_free(&analysis->releases[f]);
        array_free(&analysis->given_back[f]);
        array_free(&analysis->leaves[f]);
        array_free(&analysis->touched[f]);
    }
    free(analysis->releases);
    free(analysis->given_back);
    free(analysis->leaves);
    free(analysis->touched);
    readings_free(&analysis->read);
    array_free(&analysis->operations);
    array_free(&analysis->accesses);
    array_free(&analysis->release_bits);
    map_free(&analysis->release_blocks);
    map_free(&analysis->held_blocks);
    map_free(&analysis->caller_releases);
    arena_free(&analysis->arena);
    words_free(&analysis->words);
    node_table_free(&analysis->graph);
    events_free(&analysis->events);
    array_free(&self->program.functions);
    array_free(&self->program.callers);
    array_free(&self->program.targets);
    array_free(&self->program.calls);
}

static u32 met(const Analysis *self, MetKind kind, u32 line) {
    u32 count = 0;
    for (u32 i = 0; i < self->met.count; i++)
        count += self->met.items[i].kind == kind && self->sites.items[self->met.items[i].site].place.line == line;
    return count;
}

static bool holds(const Analysis *self, LocksetId set, ClassId class) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    return count == 1 && held[0].class == class;
}

int main(void) {
    Case one;
    begin(&one, 0);
    Analysis *self = &one.analysis;
    expect("two functions are entered, each once, with nothing held",
           self->nodes.count == 2 && !self->nodes.items[0].entry && !self->nodes.items[1].entry);
    expect("f is where control starts, g is called from there",
           self->nodes.items[0].is_root && self->nodes.items[1].parent == 0 && self->nodes.items[1].call.line == 2);
    expect("a does not go along, it is known beside the call",
           self->edge_ambient.count == 1 && holds(self, self->edge_ambient.items[0], A));
    expect("a is taken, and let go", met(self, MET_TAKE, 1) == 1 && met(self, MET_LET_GO, 3) == 1);
    expect("g lets go what nobody took", met(self, MET_UNHELD, 10) == 1);
    const Outcome *outcomes = self->outcomes.items + self->nodes.items[0].outcome;
    expect("f ends with a held, or not", self->nodes.items[0].outcome_count == 2 &&
                                             holds(self, outcomes[0].raw, A) != holds(self, outcomes[1].raw, A));
    expect("a thread may end with its lock: every way to the access took it",
           self->node_accesses.count == 1 && holds(self, self->node_accesses.items[0].held, A));
    end(&one);
    begin(&one, 1);
    expect("a loop is walked to its end, and nothing is met twice",
           met(self, MET_TAKE, 1) == 1 && met(self, MET_LET_GO, 3) == 1 && self->node_accesses.count == 1);
    end(&one);
    return fails != 0;
}
