// siblings_test.c: findings filled by hand: how many share a lock, an acquisition, a way; which of them have one cause;
// how near their places are; and that the order in which they were added does not show.
#include "racerx/findings/findings.h"

static u32 failures;

static void expect_at(u32 line, bool good, const char *what) {
    if (good)
        return;
    printf("not ok line %u: %s\n", line, what);
    failures++;
}
#define expect(condition) expect_at(__LINE__, (condition), #condition)

static double feature(const Finding *finding, const char *name) { // -1: it has none of that name
    for (u32 i = 0; i < finding->features.count; i++)
        if (!strcmp(finding->features.items[i].name, name))
            return finding->features.items[i].number;
    return -1;
}

// Taken in `taker`, which calls `middle`, which calls `sleeper`, where it sleeps.
static Finding *add_sleep(FindingList *list, const char *lock, const char *taker, const char *middle,
                          const char *sleeper) {
    Finding *finding = findings_add(list, KIND_SLEEP_IN_ATOMIC);
    finding->lock = findings_text(list, "%s", lock);
    Site *event = finding_add_site(list, finding, ROLE_BLOCK, sleeper, "lib/sleep.c", 90, 1);
    site_add_call(list, event, "root", "a.c", 1);
    site_add_call(list, event, taker, "a.c", 5);
    if (*middle)
        site_add_call(list, event, middle, "a.c", 50);
    site_add_call(list, event, sleeper, "", 0);
    finding_add_site(list, finding, ROLE_ACQUIRE, taker, "a.c", 4, 1)->side = 0;
    return finding;
}

static Finding *add_race(FindingList *list, const char *object, const char *lock, const char *function) {
    Finding *finding = findings_add(list, KIND_RACE);
    finding->lock = findings_text(list, "%s", lock);
    finding->object = findings_text(list, "%s", object);
    finding_add_site(list, finding, ROLE_UNPROTECTED_WRITE, function, "src/r.c", 10, 1);
    finding_add_site(list, finding, ROLE_PROTECTED_READ, "reader", "src/r.c", 40, 1);
    return finding;
}

static void test_counts(void) {
    FindingList list;
    findings_begin(&list);
    Finding *a = add_sleep(&list, "queue", "submit", "flush", "wait_one");
    Finding *b = add_sleep(&list, "queue", "submit", "flush", "wait_two");
    Finding *c = add_sleep(&list, "queue", "submit", "log", "wait_two");
    Finding *d = add_sleep(&list, "other", "close", "", "wait_three");
    relate(&list);
    expect(feature(a, "siblings") == 3 && feature(c, "siblings") == 3 && feature(d, "siblings") == 1);
    expect(feature(a, "siblings_lock") == 3 && feature(a, "siblings_cause") == 2 && feature(c, "siblings_cause") == -1);
    expect(feature(a, "between_calls") == 2 && feature(d, "between_calls") == 1);
    expect(feature(a, "same_function") == 0 && feature(a, "same_directory") == 0);
    expect(*a->group && !strcmp(a->group, b->group) && !*c->group && !*d->group);
    findings_free(&list);
}

static void test_races(void) {
    FindingList list;
    findings_begin(&list);
    Finding *a = add_race(&list, "head", "lock", "push"), *b = add_race(&list, "tail", "lock", "push");
    Finding *c = add_race(&list, "head", "lock", "pop");
    finding_add_number(&list, c, "same_file", 7); // what a check said stays
    relate(&list);
    expect(*a->group && !strcmp(a->group, b->group) && !*c->group);
    expect(feature(a, "siblings") == 3 && feature(a, "siblings_object") == 2 && feature(b, "siblings_object") == -1);
    expect(feature(a, "same_file") == 1 && feature(a, "same_function") == 0 && feature(c, "same_file") == 7);
    expect(feature(a, "between_calls") == -1);
    findings_free(&list);
}

// A leak: the event is where the lock was taken, or it was taken by a call that is not on the way.
static void test_leaks(void) {
    FindingList list;
    findings_begin(&list);
    Finding *here = findings_add(&list, KIND_LOCK_LEAK), *by_call = findings_add(&list, KIND_LOCK_LEAK);
    here->lock = by_call->lock = "lock";
    site_add_call(&list, finding_add_site(&list, here, ROLE_RETURN, "f", "a.c", 9, 1), "f", "", 0);
    finding_add_site(&list, here, ROLE_ACQUIRE, "f", "a.c", 3, 1)->side = 0;
    site_add_call(&list, finding_add_site(&list, by_call, ROLE_RETURN, "g", "b.c", 9, 1), "g", "", 0);
    finding_add_site(&list, by_call, ROLE_ACQUIRE, "take", "a.c", 3, 1)->side = 0;
    relate(&list);
    expect(feature(here, "between_calls") == 0 && feature(here, "same_function") == 1);
    expect(feature(by_call, "between_calls") == -1 && feature(by_call, "same_file") == 0);
    expect(!*here->group && !*by_call->group);
    findings_free(&list);
}

static void add_side(FindingList *list, Finding *finding, u32 side, const char *held, const char *taken,
                     const char *function) {
    Site *first = finding_add_site(list, finding, ROLE_ACQUIRE, function, "d.c", 10 + side, 1);
    first->object = findings_text(list, "%s", held);
    first->side = side;
    Site *second = finding_add_site(list, finding, ROLE_ACQUIRE, function, "d.c", 20 + side, 1);
    second->object = findings_text(list, "%s", taken);
    second->side = side;
    site_add_call(list, second, function, "", 0);
    finding_add_object(list, finding, held);
}

static void fill_circles(FindingList *list, bool backwards) {
    static const char *const others[] = {"b", "c", "d"};
    for (u32 n = 0; n < 3; n++) {
        u32 i = backwards ? 2 - n : n;
        Finding *finding = findings_add(list, KIND_DEADLOCK);
        finding->lock = "a";
        add_side(list, finding, 0, "a", i < 2 ? "b" : others[i], i < 2 ? "shared" : others[i]);
        add_side(list, finding, 1, others[i], "a", others[i]);
    }
    relate(list);
    findings_sort(list);
}

static void test_deadlocks(void) {
    FindingList one, two;
    findings_begin(&one);
    findings_begin(&two);
    fill_circles(&one, false);
    fill_circles(&two, true);
    u32 equal = 0;
    for (u32 i = 0; i < 3; i++) {
        expect(!strcmp(one.items.items[i]->group, two.items.items[i]->group));
        expect(feature(one.items.items[i], "siblings") == 3);
        equal += *one.items.items[i]->group != 0;
    }
    expect(equal == 2); // two share an order, at one place
    findings_free(&one);
    findings_free(&two);
}

// An interrupted side: `core` calls it, perhaps by way of `between`; a handler takes the lock, too.
static Finding *add_interrupted(FindingList *list, const char *core, u32 line, const char *called, const char *taker) {
    Finding *finding = findings_add(list, KIND_IRQ_DEADLOCK);
    finding->lock = findings_text(list, "%s.lock", taker);
    Site *plain = finding_add_site(list, finding, ROLE_ACQUIRE, taker, "chip.c", 7, 1);
    site_add_call(list, plain, core, "core.c", line);
    site_add_call(list, plain, called, "chip.c", 70);
    if (strcmp(called, taker))
        site_add_call(list, plain, taker, "", 0);
    finding_add_site(list, finding, ROLE_ACQUIRE, "handler", taker, 9, 1)->side = 1;
    return finding;
}

// One call through a table leads to four of them; another is made to one function, which has four.
static void test_calls(void) {
    static const char *const chips[] = {"first", "second", "third", "fourth"};
    Finding *table[4], *direct[4];
    FindingList list;
    findings_begin(&list);
    for (u32 i = 0; i < 4; i++)
        table[i] = add_interrupted(&list, "core_start", 20, chips[i], chips[i]);
    for (u32 i = 0; i < 4; i++)
        direct[i] = add_interrupted(&list, "ioctl", 30, "set_rate", chips[i]);
    Finding *alone = add_interrupted(&list, "core_start", 25, "fifth", "fifth");
    relate(&list);
    for (u32 i = 0; i < 4; i++) {
        expect(feature(table[i], "siblings_call") == 4 && feature(table[i], "siblings") >= 4);
        expect(feature(direct[i], "siblings_call") == 4); // set_rate calls four, at one place of the text
    }
    expect(feature(alone, "siblings_call") == -1 && feature(alone, "siblings") == 1);
    findings_free(&list);
}

// A call that always leads to the same function is no table, however many findings are on the way.
static void test_direct_calls(void) {
    FindingList list;
    findings_begin(&list);
    Finding *one = add_interrupted(&list, "ioctl", 30, "set_rate", "set_rate"),
            *two = add_interrupted(&list, "ioctl", 30, "set_rate", "set_rate");
    relate(&list);
    expect(feature(one, "siblings_call") == -1 && feature(two, "siblings_call") == -1);
    findings_free(&list);
}

int main(void) {
    test_calls();
    test_direct_calls();
    test_counts();
    test_races();
    test_leaks();
    test_deadlocks();
    return failures > 0;
}
