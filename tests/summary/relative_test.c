// Places and relative locksets on inputs made by hand: rebinding formals, taking and letting go, where ways meet.
#include "racerx/summary/guarded.h"

#define must(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("not ok %s:%d: %s\n", __FILE__, __LINE__, #condition);                                              \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)
static int failures;

enum { COUNT = 100, NEXT = 101, LOCK = 102, PENDING = 103 }; // names of members

static u32 by_pointer(u32 member) { return member << 1 | 1; }
static u32 plain(u32 member) { return member << 1; }

static void test_places(void) {
    PathTable paths = {0};
    PathId q = path_root(&paths, ROOT_PARAM, 1), g = path_root(&paths, ROOT_GLOBAL, 7);
    PathId pending = path_step(&paths, q, PENDING, true);
    SummaryPlace next = {.root = PLACE_FORMAL, .id = 0, .count = 1, .steps = {by_pointer(NEXT)}};
    // head->next, head being &q->pending: q->pending.next
    ArgumentValue address = {.path = pending, .address = true};
    SummaryPlace place = place_rebind(&paths, &next, &address);
    must(place.root == PLACE_FORMAL && place.id == 1 && place.count == 2);
    must(place.steps[0] == by_pointer(PENDING) && place.steps[1] == plain(NEXT));
    // n->next, n being q->pending: q->pending->next
    ArgumentValue value = {.path = pending};
    place = place_rebind(&paths, &next, &value);
    must(place.count == 2 && place.steps[1] == by_pointer(NEXT));
    // *p, p being &g: g
    SummaryPlace behind = {.root = PLACE_FORMAL, .count = 1, .steps = {1}};
    ArgumentValue global = {.path = g, .address = true};
    place = place_rebind(&paths, &behind, &global);
    must(place.root == PLACE_GLOBAL && place.id == 7 && !place.count);
    // what is too long is not known, and not shorter
    SummaryPlace far = {
        .root = PLACE_FORMAL, .count = 3, .steps = {by_pointer(NEXT), by_pointer(NEXT), by_pointer(NEXT)}};
    must(place_rebind(&paths, &far, &value).root == PLACE_NONE);
    must(place_rebind(&paths, &far, NULL).root == PLACE_NONE);
    path_free(&paths);
}

static SummaryLock lock_at(u32 formal) {
    SummaryLock lock = {.class = CLASS_FIRST, .times = 1};
    lock.place = (SummaryPlace){.root = PLACE_FORMAL, .id = formal, .count = 1, .steps = {by_pointer(LOCK)}};
    return lock;
}

static void test_states(void) {
    Analysis analysis = {0};
    for (u32 i = 0; i <= CLASS_FIRST; i++)
        array_push(&analysis.classes, ((LockClass){.record = 3}));
    SummaryLock first = lock_at(0), second = lock_at(1);
    RelativeState a = {0}, b = {0}, never = {.flags = STATE_NEVER};
    state_acquire(&analysis, &a, first);
    state_release(&analysis, &a, &second);
    must(a.count[RUN_PLUS] == 1 && a.count[RUN_MINUS] == 1);
    state_acquire(&analysis, &a, second); // taken back
    must(a.count[RUN_PLUS] == 2 && !a.count[RUN_MINUS]);
    must(!state_join(&a, &never));
    must(state_join(&never, &a) && never.count[RUN_PLUS] == 2);
    state_acquire(&analysis, &b, first);
    must(state_join(&a, &b)); // only what both have is sure, the other perhaps
    must(a.count[RUN_PLUS] == 1 && a.count[RUN_MAYBE] == 1);
    must(!state_join(&a, &b));
    state_release(&analysis, &a, &second); // let go on the condition that it was taken on
    must(!a.count[RUN_MAYBE] && !a.count[RUN_MINUS]);
    state_release(&analysis, &a, &first);
    state_release(&analysis, &a, &first);
    must(!a.count[RUN_PLUS] && a.count[RUN_MINUS] == 1);
    state_thread(&a, RUN_ALIVE, &first);
    state_thread(&a, RUN_ENDED, &first);
    must(!a.count[RUN_ALIVE] && a.count[RUN_ENDED] == 1);
    array_free(&analysis.classes);
}

static void test_relations(void) {
    Analysis analysis = {0};
    for (u32 i = 0; i <= CLASS_FIRST + 1; i++)
        array_push(&analysis.classes, ((LockClass){.record = 3, .global = i == CLASS_FIRST + 1}));
    array_push(&analysis.objects, ((SharedObject){0}));
    array_push(&analysis.objects, ((SharedObject){.kind = OBJECT_FIELD, .id = 3}));
    SummaryLock lock = lock_at(0);
    SummaryPlace mine = {.root = PLACE_FORMAL, .id = 0, .count = 1, .steps = {by_pointer(COUNT)}}, other = mine,
                 none = {0};
    other.id = 1;
    must(place_relation(&analysis, CLASS_FIRST, &lock.place, 1, &mine) == RELATION_SAME);
    must(place_relation(&analysis, CLASS_FIRST, &lock.place, 1, &other) == RELATION_OTHER);
    must(place_relation(&analysis, CLASS_FIRST, &lock.place, 1, &none) == RELATION_UNKNOWN);
    must(place_relation(&analysis, CLASS_FIRST + 1, &none, 1, &mine) == RELATION_ONE);
    array_free(&analysis.classes);
    array_free(&analysis.objects);
}

static void test_merging(void) {
    GuardedList list = {.placed = false};
    Arena arena = {0};
    GuardedSet set;
    RelativeState held = {0};
    held.count[RUN_PLUS] = 1;
    held.locks[RUN_PLUS][0] = lock_at(0);
    guarded_begin(&list);
    for (u32 i = 0; i < 300; i++) {
        GuardedAccess access = {.object = 1 + i % 3, .origin = i, .via = NO_ID, .flags = GUARDED_WRITE};
        access.depth = (u8)(200 - i % 200);
        access.protection = (u16)guarded_protection(&list, i % 2 ? &held : &(RelativeState){0});
        guarded_add(&list, &access, NULL);
    }
    guarded_end(&list, 100, LIMIT_SUMMARY_FREE_MOST, &arena, &set);
    must(set.access_count == 6); // three objects, with and without the lock
    for (u32 i = 1; i < set.access_count; i++)
        must(set.accesses[i - 1].depth <= set.accesses[i].depth);
    must(set.protection_count == 2 && set.lock_count == 1);
    guarded_begin(&list);
    for (u32 i = 0; i < 50; i++)
        guarded_add(&list, &(GuardedAccess){.object = 1 + i, .flags = GUARDED_READ, .depth = (u8)(50 - i)}, NULL);
    guarded_end(&list, 2, LIMIT_SUMMARY_FREE_MOST, &arena, &set);
    must(set.access_count == 2 && set.accesses[0].object == 50 && set.accesses[1].object == 49); // the nearest
    arena_free(&arena);
    guarded_free(&list);
}

// 0 → 1 ⇄ 2, 3 alone: callees at lower levels.
static void test_order(void) {
    Program program = {0};
    static const u32 edges[] = {1, 2, 1};
    for (u32 f = 0; f < 4; f++)
        array_push(&program.functions, ((ProgramFunction){.call = f, .call_count = f < 3}));
    for (u32 c = 0; c < 3; c++) {
        array_push(&program.targets, edges[c]);
        array_push(&program.calls, ((CallSite){.target = c, .target_count = 1}));
    }
    SummaryOrder order;
    GraphRow rows[GRAPHS];
    fill_summary_order(&order, &program);
    must(order.count == 3 && order.component[1] == order.component[2] && order.circle[order.component[1]]);
    must(!order.circle[order.component[0]] && order.level_count == 2);
    must(order.level_first[1] - order.level_first[0] == 2 &&
         order.by_level[order.level_first[1]] == order.component[0]);
    fill_graph_rows(&program, rows);
    must(rows[GRAPH_ALL].components == 3 && rows[GRAPH_ALL].largest == 2 && rows[GRAPH_ALL].circles == 1);
    summary_order_free(&order);
    array_free(&program.functions);
    array_free(&program.targets);
    array_free(&program.calls);
}

int main(void) {
    test_places();
    test_states();
    test_relations();
    test_merging();
    test_order();
    return failures != 0;
}
