// parallel_test.c: may two accesses be made at the same time, on threads made by hand: a main starts two workers, the
// second while the first may run, and joins them; and a thread that exists once for each connection.
#include "racerx/facts/analysis.h"

static int fails;

static void expect(const char *what, bool right) {
    printf("%s %s\n", right ? "ok" : "not ok", what);
    fails += !right;
}

enum { MAIN, FIRST, SECOND, EACH, OTHER_MAIN, ROOTS };                          // roots, and the functions they run
enum { CLASS_OF_FIRST = CLASS_FIRST, CLASS_OF_SECOND, CLASS_OF_EACH, CLASSES }; // of threads, in locksets

typedef struct {
    Program program;
    Analysis analysis;
    u64 mains[ROOTS]; // a bit for each main
    LocksetId nothing, first, both;
} Case;

static void put_root(Case *self, Root root) {
    root.function = root.begins = self->analysis.roots.count;
    root.spawners = self->analysis.spawners.count;
    root.above = self->analysis.above.count;
    if (root.spawned) {
        array_push(&self->analysis.spawners, root.spawner);
        array_push(&self->analysis.above, root.spawner);
        root.spawner_count = root.above_count = 1;
    }
    array_push(&self->analysis.roots, root);
    array_push(&self->program.functions, (ProgramFunction){0});
    // each starts in a node, and a way, of its own
    array_push(&self->analysis.way_contexts, ((WayContext){.root = root.function, .node = root.function}));
}

static LocksetId alive(Case *self, const ClassId *classes, u32 count) {
    HeldSet set;
    held_begin(&set);
    for (u32 i = 0; i < count; i++)
        held_push(&set, (Held){classes[i], 0, HELD_ASSURED, 1, NO_ID});
    return held_intern(&set, &self->analysis.locksets);
}

static void begin(Case *self) {
    const u32 thread = 1u << CONTEXT_THREAD;
    *self = (Case){.mains = {1, 1, 1, 1, 2}};
    Analysis *analysis = &self->analysis;
    analysis->program = &self->program;
    analysis->mains = self->mains;
    analysis->main_words = 1;
    analysis->follows_threads = true;
    for (u32 c = 0; c < CLASSES; c++)
        array_push(&analysis->classes, ((LockClass){.thread = c >= CLASS_FIRST}));
    lockset_intern(&analysis->locksets, NULL, 0);
    put_root(self, (Root){.contexts = thread, .once = true, .starts = true, .spawner = NO_ID});
    put_root(self,
             (Root){.contexts = thread, .single = true, .spawned = true, .spawner = MAIN, .thread = CLASS_OF_FIRST});
    put_root(self,
             (Root){.contexts = thread, .single = true, .spawned = true, .spawner = MAIN, .thread = CLASS_OF_SECOND});
    put_root(self, (Root){.contexts = thread, .spawned = true, .spawner = MAIN, .thread = CLASS_OF_EACH});
    put_root(self, (Root){.contexts = thread, .once = true, .spawner = NO_ID});
    for (u32 r = FIRST; r <= EACH; r++)
        array_push(&analysis->spawn_roots, ((SpawnRoot){.node = r, .class = CLASS_OF_FIRST + r - FIRST, .root = r}));
    array_push(&analysis->coalive, CLASS_OF_FIRST);
    array_push(&analysis->coalive, CLASS_OF_SECOND);
    map_put(&analysis->coalive_index, (u64)CLASS_OF_FIRST << 32 | CLASS_OF_SECOND, NULL);
    self->first = alive(self, (ClassId[]){CLASS_OF_FIRST}, 1);
    self->both = alive(self, (ClassId[]){CLASS_OF_FIRST, CLASS_OF_SECOND}, 2);
}

static void end(Case *self) {
    array_free(&self->program.functions);
    words_free(&self->analysis.words);
    way_table_free(&self->analysis.ways);
    events_free(&self->analysis.events);
    company_free(&self->analysis.company);
}

// Both ways round, and the same.
static bool meet(const Case *self, u32 a, LocksetId alive_a, u32 b, LocksetId alive_b) {
    Sample x = {.root = (u16)a, .way = a, .alive = alive_a}, y = {.root = (u16)b, .way = b, .alive = alive_b};
    bool one = may_threads_meet(&self->analysis, &x, &y), other = may_threads_meet(&self->analysis, &y, &x);
    if (one != other)
        expect("it does not matter who is asked first", false);
    return one;
}

int main(void) {
    Case one;
    begin(&one);
    expect("main before it starts a thread is alone", !meet(&one, MAIN, one.nothing, FIRST, 0));
    expect("main while the thread may run is not", meet(&one, MAIN, one.first, FIRST, 0));
    expect("nor is the other one running then", !meet(&one, MAIN, one.first, SECOND, 0));
    expect("both may run", meet(&one, MAIN, one.both, SECOND, 0));
    expect("the second is started while the first may run", meet(&one, FIRST, 0, SECOND, 0));
    expect("no third is started beside the first", !meet(&one, FIRST, 0, EACH, 0));
    expect("a thread that exists once does not meet itself", !meet(&one, FIRST, 0, FIRST, 0));
    expect("one of many does", meet(&one, EACH, 0, EACH, 0));
    map_put(&one.analysis.single_nodes, EACH, NULL);
    expect("but not the one that was given the same", !meet(&one, EACH, 0, EACH, 0));
    expect("another program's main meets nobody here",
           !meet(&one, OTHER_MAIN, 0, MAIN, one.both) && !meet(&one, OTHER_MAIN, 0, FIRST, 0));
    one.mains[FIRST] = 3;
    expect("not even what both programs have: it was started here", !meet(&one, OTHER_MAIN, 0, FIRST, 0));
    end(&one);
    return fails != 0;
}
