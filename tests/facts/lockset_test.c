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
    LocksetTable fork;
    u32 before = table.sets.count;
    lockset_fork(&table, &fork);
    LocksetId added = set_of(&fork, (ClassId[]){7}, 1);
    expect("a fork knows what was there", set_of(&fork, (ClassId[]){5, 4, 6}, 3) == up);
    expect("and goes on alone", added == before && fork.sets.count == 1 && !table.sets.count);
    expect("the first knows what was there, too", set_of(&table, (ClassId[]){5, 4, 6}, 3) == up);
    expect("and goes on alone as well", set_of(&table, (ClassId[]){8}, 1) == before);
    held = lockset_held(&fork, added, &count);
    expect("what a set of the fork holds", count == 1 && held[0].class == 7);
    lockset_free_second(&fork);
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

// Steps as they are kept: what sort of step is one?
static u32 step_after(PathTable *paths, PathId from, NameId name, bool pointer) {
    PathId after = path_step(paths, from, name, pointer); // which may move the paths
    return paths->paths.items[after].step;
}

static void test_steps(void) {
    PathTable paths = {0};
    PathId p = path_root(&paths, ROOT_PARAM, 1);
    u32 member = step_after(&paths, p, 30, false), behind = step_after(&paths, p, 30, true),
        number = step_after(&paths, p, STEP_INDEXED | 2, false), named = step_after(&paths, p, STEP_NAMED | 30, false),
        term = step_after(&paths, p, STEP_TERM | 5, false), own = step_after(&paths, p, STEP_OWN, false),
        up = step_after(&paths, p, STEP_UP | 30, false), star = step_after(&paths, p, 0, true);
    expect("a member is one, through a pointer or not", step_is_named_member(member) && step_is_named_member(behind) &&
                                                            step_name(member) == 30 && step_name(behind) == 30);
    expect("and says whether it is", !step_is_pointer(member) && step_is_pointer(behind) && step_is_pointer(star));
    expect("numbers and constants are numbers",
           step_is_number(number) && step_is_number(named) && !step_is_number(term));
    expect("a term, and a thread's own one, are terms",
           step_is_term(term) && step_is_term(own) && !step_is_term(number));
    expect("the way up is no index and no member", step_is_up(up) && !step_is_number(up) && !step_is_term(up) &&
                                                       !step_is_named_member(up) && step_is_index_or_up(up));
    expect("what a pointer points to is neither", !step_is_named_member(star) && !step_is_index_or_up(star));
    PathId inside = path_step(&paths, p, 30, false);
    expect("up from a member is what it is in", path_step(&paths, inside, STEP_UP | 30, false) == p);
    expect("a member of *p is p's member",
           path_step(&paths, path_step(&paths, p, 0, true), 30, false) == path_step(&paths, p, 30, true));
    expect("a variable is one, what an expression gave is none",
           path_is_variable(&paths.paths.items[path_root(&paths, ROOT_LOCAL, 3)]) &&
               !path_is_variable(&paths.paths.items[path_root(&paths, ROOT_LOCAL, ROOT_OPAQUE + 3)]));
    path_free(&paths);
}

int main(void) {
    test_locksets();
    test_removing();
    test_paths();
    test_steps();
    return fails != 0;
}
