// lockset_test.c: sets of held locks and places, on inputs made by hand: what is equal has one id, nothing is dropped,
// a fork goes on alone.
#include "racerx/facts/lockset.h"

static int fails;

static void expect(const char *what, bool right) {
    printf("%s %s\n", right ? "ok" : "not ok", what);
    fails += !right;
}

static LocksetId set_of(LocksetTable *table, const ClassId *classes, u32 count) {
    HeldSet set;
    held_begin(&set);
    for (u32 i = 0; i < count; i++)
        held_push(&set, (Held){.class = classes[i], .count = 1});
    return held_intern(&set, table);
}

static void test_locksets(void) {
    LocksetTable table = {0};
    u32 count;
    lockset_intern(&table, NULL, 0);
    LocksetId up = set_of(&table, (ClassId[]){4, 5, 6}, 3), down = set_of(&table, (ClassId[]){6, 5, 4}, 3);
    expect("the order of locks does not matter", up == down);
    expect("other locks are another set", set_of(&table, (ClassId[]){4, 5}, 2) != up);
    expect("no locks are set 0", set_of(&table, NULL, 0) == 0);
    ClassId many[100];
    for (u32 i = 0; i < 100; i++)
        many[i] = 1000 - i;
    const Held *held = lockset_held(&table, set_of(&table, many, 100), &count);
    expect("a hundred locks are all kept, sorted", count == 100 && held[0].class == 901 && held[99].class == 1000);
    LocksetTable fork = table;
    lockset_fork(&fork);
    LocksetId added = set_of(&fork, (ClassId[]){7}, 1);
    expect("a fork knows what was there", set_of(&fork, (ClassId[]){5, 4, 6}, 3) == up);
    expect("and goes on alone", added == fork.sets.count - 1 && table.sets.count + 1 == fork.sets.count);
    lockset_free(&fork);
    lockset_free(&table);
}

static void test_removing(void) {
    LocksetTable table = {0};
    lockset_intern(&table, NULL, 0);
    HeldSet set;
    held_begin(&set);
    for (u32 i = 0; i < 40; i++)
        held_push(&set, (Held){.class = 10 + i, .count = 1});
    for (u32 i = 0; i < 39; i++)
        held_remove(&set, 0);
    expect("one is left", set.count == 1);
    ClassId left = set.items[0].class;
    expect("and is the set of it alone", held_intern(&set, &table) == set_of(&table, &left, 1));
    lockset_free(&table);
}

static void test_paths(void) {
    PathTable paths = {0};
    path_root(&paths, ROOT_PARAM, 0); // makes 0, "not known", too
    PathId p = path_root(&paths, ROOT_PARAM, 1), global = path_root(&paths, ROOT_GLOBAL, 7);
    PathId lock = path_step(&paths, p, 30, true), same = path_step(&paths, p, 30, true);
    expect("equal places have one id", lock == same && lock != path_step(&paths, p, 31, true));
    expect("a place knows its root", path_first(&paths, lock) == p);
    PathId seen = path_rebase(&paths, lock, p, global, true);
    expect("what a parameter reaches, the caller knows by its argument", seen == path_step(&paths, global, 30, false));
    expect("and back", path_unbase(&paths, seen, global, true, p) == lock);
    expect("but not from elsewhere", !path_rebase(&paths, lock, global, p, true));
    PathId deep = p;
    for (u32 i = 0; i < DEEPEST_PATH && deep; i++)
        deep = path_step(&paths, deep, 40 + i, true);
    u64 before = limit_hits(LIMIT_DEEPEST_PATH);
    expect("a place that is too deep is not known, and counted",
           deep && !path_step(&paths, deep, 99, true) && limit_hits(LIMIT_DEEPEST_PATH) == before + 1);
    path_free(&paths);
}

int main(void) {
    test_locksets();
    test_removing();
    test_paths();
    return fails != 0;
}
