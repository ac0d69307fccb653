// met_test.c: what follows from events of the walk, on events made by hand: one function whose locks are all let go by
// callers, so everything held is surely held.
#include "racerx/facts/analysis.h"

static int fails;

static void expect(const char *what, bool right) {
    printf("%s %s\n", right ? "ok" : "not ok", what);
    fails += !right;
}

enum { A = CLASS_FIRST, B, READING, CLASSES };

typedef struct {
    Program program;
    Analysis analysis;
    SkeletonStep steps[1];
    SkeletonBlock blocks[1];
    Skeleton skeletons[1];
} Case;

static void begin(Case *self) {
    *self = (Case){.blocks = {{.step_count = 1, .term = TERM_RETURN}}};
    self->skeletons[0] = (Skeleton){.block_count = 1, .step_count = 1, .blocks = self->blocks, .steps = self->steps};
    self->steps[0] = (SkeletonStep){.kind = STEP_FOLLOWED};
    Analysis *analysis = &self->analysis;
    analysis->program = &self->program;
    analysis->skeletons = self->skeletons;
    array_push(&self->program.functions, (ProgramFunction){0});
    for (u32 c = 0; c < CLASSES; c++)
        array_push(&analysis->classes, ((LockClass){.kind = LOCK_MUTEX, .global = true}));
    path_root(&analysis->paths, ROOT_PARAM, 0);
    lockset_intern(&analysis->locksets, NULL, 0);
    array_push(&analysis->nodes, ((Node){.parent = NO_ID, .is_root = true, .state = 2}));
    for (u32 line = 1; line <= 4; line++)
        array_push(&analysis->sites, ((LockSite){.place = {.line = line}, .try_only = 1, .next = NO_ID}));
}

static void end(Case *self) {
    array_free(&self->program.functions);
    words_free(&self->analysis.words);
    node_table_free(&self->analysis.graph);
    events_free(&self->analysis.events);
    readings_free(&self->analysis.read);
}

static LocksetId holding(Case *self, ClassId class, u16 flags, u32 site) {
    Held held = {class, 0, (u16)(flags | HELD_ASSURED), 1, site};
    return lockset_intern(&self->analysis.locksets, &held, class ? 1 : 0);
}

static void meet(Case *self, MetKind kind, ClassId class, u32 site, LocksetId held, u16 flags) {
    array_push(&self->analysis.met, ((LockEvent){.kind = (u8)kind,
                                                 .class = class,
                                                 .site = site,
                                                 .held = held,
                                                 .flags = flags,
                                                 .sleeps = kind == MET_BLOCK,
                                                 .other = 0,
                                                 .first = 5,
                                                 .fewest = 2}));
}

static const Note *note_of(const Case *self, NoteKind kind) {
    for (u32 i = 0; i < self->analysis.notes.count; i++)
        if (self->analysis.notes.items[i].kind == kind)
            return &self->analysis.notes.items[i];
    return NULL;
}

static void test_order(void) {
    Case one;
    begin(&one);
    Analysis *self = &one.analysis;
    meet(&one, MET_TAKE, A, 0, 0, 0);
    meet(&one, MET_TAKE, B, 1, holding(&one, A, 0, 0), 0);
    meet(&one, MET_TAKE, B, 1, holding(&one, A, HELD_TRY, 0), 0);   // another set at the same place
    meet(&one, MET_TAKE, A, 2, holding(&one, B, 0, 1), HELD_TRY);   // waits for nobody
    meet(&one, MET_TAKE, A, 2, holding(&one, B, HELD_LOOKS, 1), 0); // keeps nobody waiting
    read_met(self);
    expect("one order, seen once", self->edges.count == 1 && self->edges.items[0].from == A &&
                                       self->edges.items[0].to == B && self->edges.items[0].count == 1);
    const Witness *witness = &self->witnesses.items[self->edges.items[0].witness];
    expect("its example says where", witness->held_site == 0 && witness->site == 1 && witness->next == NO_ID);
    expect("an acquisition for each place, not for who only tries", self->acquisitions.count == 3);
    expect("the shortest way counts", self->sites.items[1].conditionals == 2);
    expect("who sometimes waits does not only try", (self->sites.items[1].uses & SITE_TAKES) &&
                                                        !self->sites.items[1].try_only &&
                                                        !self->sites.items[2].try_only);
    expect("nothing to note", self->notes.count == 0);
    end(&one);
}

static void test_notes(void) {
    Case one;
    begin(&one);
    Analysis *self = &one.analysis;
    LocksetId a = holding(&one, A, 0, 0), spins = holding(&one, A, HELD_SPINS, 0);
    meet(&one, MET_TAKE, A, 1, 0, 0);
    meet(&one, MET_AGAIN, A, 1, a, 0);
    meet(&one, MET_UNHELD, A, 2, 0, 0);
    meet(&one, MET_LET_GO, A, 2, a, 0);
    meet(&one, MET_BLOCK, 0, 3, a, 0);
    read_met(self);
    const Note *again = note_of(&one, NOTE_DOUBLE), *unheld = note_of(&one, NOTE_UNHELD);
    expect("taken twice, and another way comes without it",
           again && again->good && again->held == a && again->place.line == 2);
    expect("let go unheld, and held on another way", unheld && unheld->good && unheld->fact == 5);
    expect("the place is known as both", self->sites.items[2].uses == (SITE_PAIRED | SITE_SPURIOUS));
    expect("a mutex lets its holder sleep", !note_of(&one, NOTE_SLEEP));
    self->met.count = 0;
    meet(&one, MET_BLOCK, 0, 3, spins, 0);
    meet(&one, MET_JOIN, 77, 3, a, 0);
    read_met(self);
    const Note *sleep = note_of(&one, NOTE_SLEEP), *join = note_of(&one, NOTE_JOIN);
    expect("a spinning lock does not", sleep && sleep->class == A && sleep->other_site == 0);
    expect("a wait is kept with what was held", join && join->class == 77 && join->held == a);
    end(&one);
}

// What nobody lets go was not really held.
static void test_correction(void) {
    Case one;
    begin(&one);
    Analysis *self = &one.analysis;
    Held held = {A, 0, 0, 1, 0};
    meet(&one, MET_TAKE, B, 1, lockset_intern(&self->locksets, &held, 1), 0);
    read_met(self);
    expect("no order after what nobody lets go", self->edges.count == 0);
    expect("and it is taken with nothing held", self->acquisitions.count == 1 && self->acquisitions.items[0].held == 0);
    self->options.no_unlockset = true;
    read_met(self);
    expect("unless that is not asked", self->edges.count == 1);
    array_free(&self->release_bits);
    map_free(&self->release_blocks);
    map_free(&self->caller_releases);
    arena_free(&self->arena);
    end(&one);
}

int main(void) {
    test_order();
    test_notes();
    test_correction();
    return fails != 0;
}
