// feedback_test.c: what verdicts do to the findings that nobody reviewed: siblings sink and rise, by how close they are
// and how much was said; every move has its reason; false ones go under the line; without verdicts not a byte changes;
// a large list takes no time.
#include "extract/store.h"
#include "rank/rank.h"
#include "reports/reports.h"

#include <math.h>
#include <unistd.h>

static u32 failures;

static void expect_at(u32 line, bool good, const char *what) {
    if (good)
        return;
    printf("not ok line %u: %s\n", line, what);
    failures++;
}
#define expect(condition) expect_at(__LINE__, (condition), #condition)
static bool near(double a, double b) { return fabs(a - b) < 0.051; }

// lists ---------------------------------------------------------------------------

static Finding *add(FindingList *list, FindingKind kind, const char *object, const char *lock, const char *function) {
    Finding *finding = findings_add(list, kind);
    finding->message = findings_text(list, "message of %s", object);
    finding->object = findings_text(list, "%s", object);
    finding->lock = findings_text(list, "%s", lock);
    finding_add_object(list, finding, object);
    if (kind == KIND_DEADLOCK)
        finding_add_object(list, finding, lock);
    Site *site = finding_add_site(list, finding, ROLE_UNPROTECTED_WRITE, function, "a.c", list->items.count, 1);
    site->object = finding->object;
    return finding;
}

static void rank_by(FindingList *list, const char *assignment) {
    RankOptions options = {.assignments = &assignment, .assignment_count = assignment ? 1 : 0};
    Ranking *ranking = rank_load(&options);
    rank_findings(ranking, list);
    rank_free(ranking);
}

// Scores that do not depend on the default script: all 8, the line at 4, three points for a factor e.
static void settle(FindingList *list, const char *assignment) {
    rank_by(list, assignment);
    findings_add_setting(list, "line", 4);
    if (!assignment)
        findings_add_setting(list, "feedback", 3);
    for (u32 i = 0; i < list->items.count; i++) {
        list->items.items[i]->reasons.count = 0;
        list->items.items[i]->score = 8;
        list->items.items[i]->below_line = false;
        finding_add_reason(list, list->items.items[i], 8, "given");
    }
}

static double moved(const Finding *finding) { return finding->score - 8; }
static const char *last_reason(const Finding *finding) {
    return finding->reasons.items[finding->reasons.count - 1].text;
}

static void as_text(const FindingList *list, Buffer *out) {
    ReportOptions options = {.all = true};
    report_jsonl(list, &options, out);
}

// What one verdict does to one sibling.
static double move_of(FindingKind kind, const char *const first[3], Verdict verdict, const char *const second[3],
                      const char **why) {
    static char text[400];
    FindingList list;
    findings_begin(&list);
    Finding *judged = add(&list, kind, first[0], first[1], first[2]),
            *sibling = add(&list, kind, second[0], second[1], second[2]);
    settle(&list, NULL);
    judged->verdict = verdict;
    rank_feedback(&list);
    expect(judged->score == 8);
    expect(!judged->below_line);
    snprintf(text, sizeof text, "%s", last_reason(sibling));
    *why = text;
    double result = moved(sibling);
    expect(near(result, sibling->reasons.count > 1 ? sibling->reasons.items[1].points : 0));
    findings_free(&list);
    return result;
}

// tests ---------------------------------------------------------------------------

static void test_races(void) {
    const char *const same[3] = {"struct node.next", "list_lock", "f"}, *const belief[3] = {"struct node.next",
                                                                                            "list_lock", "g"};
    const char *const record[3] = {"struct node.count", "other_lock", "g"}, *const lock[3] = {"total", "list_lock",
                                                                                              "g"};
    const char *const function[3] = {"total", "total_lock", "f"}, *const stranger[3] = {"struct edge.to", "edge_lock",
                                                                                        "g"};
    const char *const file_1[3] = {"one.c:total", "a", "g"}, *const file_2[3] = {"one.c:count", "b", "h"};
    const char *const nested_1[3] = {"one.c:all.x", "a", "g"}, *const nested_2[3] = {"one.c:all.y", "b", "h"};
    const char *why;
    double sinks = move_of(KIND_RACE, same, VERDICT_FALSE, belief, &why);
    expect(near(sinks, -2.1));
    expect(!strcmp(why, "the reviewed finding on struct node.next under list_lock was false"));
    expect(near(move_of(KIND_RACE, same, VERDICT_CONFIRMED, belief, &why), 2.1));
    expect(!strcmp(why, "the reviewed finding on struct node.next under list_lock is real"));
    expect(near(move_of(KIND_RACE, same, VERDICT_UNCONFIRMED, belief, &why), 1.2));
    expect(move_of(KIND_RACE, same, VERDICT_MINOR, belief, &why) == 0);
    double by_record = move_of(KIND_RACE, same, VERDICT_FALSE, record, &why);
    expect(!strcmp(why, "the reviewed finding on struct node was false"));
    double by_lock = move_of(KIND_RACE, same, VERDICT_FALSE, lock, &why);
    expect(!strcmp(why, "the reviewed finding under list_lock was false"));
    double by_function = move_of(KIND_RACE, same, VERDICT_FALSE, function, &why);
    expect(!strcmp(why, "the reviewed finding in f was false"));
    expect(sinks < by_function && by_function < by_record && by_record < by_lock && by_lock < 0);
    expect(move_of(KIND_RACE, same, VERDICT_FALSE, stranger, &why) == 0);
    expect(move_of(KIND_RACE, file_1, VERDICT_FALSE, file_2, &why) == 0); // of one file, but no members
    expect(move_of(KIND_RACE, nested_1, VERDICT_FALSE, nested_2, &why) < 0);
    expect(!strcmp(why, "the reviewed finding on one.c:all was false"));
}

static void test_other_kinds(void) {
    const char *const circle[3] = {"a", "b", "f"}, *const turned[3] = {"b", "a", "g"},
                      *const wider[3] = {"b", "c", "h"};
    const char *const leak[3] = {"l", "l", "f"}, *const leak_2[3] = {"l", "l", "g"}, *const leak_3[3] = {"k", "k", "g"};
    const char *const sleeps[3] = {"wait_for_it", "l", "f"}, *const sleeps_2[3] = {"wait_for_it", "k", "g"};
    const char *why;
    expect(near(move_of(KIND_DEADLOCK, circle, VERDICT_FALSE, turned, &why), -2.1));
    expect(!strcmp(why, "the reviewed finding of the same locks was false"));
    expect(near(move_of(KIND_DEADLOCK, circle, VERDICT_CONFIRMED, wider, &why), 0.7));
    expect(!strcmp(why, "the reviewed finding with b is real"));
    expect(near(move_of(KIND_LOCK_LEAK, leak, VERDICT_FALSE, leak_2, &why), -2.1));
    expect(!strcmp(why, "the reviewed finding on l was false"));
    expect(move_of(KIND_LOCK_LEAK, leak, VERDICT_FALSE, leak_3, &why) == 0);
    expect(move_of(KIND_SLEEP_IN_ATOMIC, sleeps, VERDICT_FALSE, sleeps_2, &why) < -0.5);
    expect(!strcmp(why, "the reviewed finding on wait_for_it was false"));
}

// The more was said, the further it goes; what is said on both sides stays in the middle.
static void test_numbers(void) {
    static const struct {
        u32 real, mistaken;
        double moves;
        const char *why;
    } cases[] = {{0, 2, -3.3, "both reviewed findings on x.y under l were false"},
                 {0, 3, -4.2, "all 3 reviewed findings on x.y under l were false"},
                 {2, 0, 3.3, "both reviewed findings on x.y under l are real"},
                 {1, 2, -1.2, "1 of 3 reviewed findings on x.y under l is real"},
                 {2, 2, 0, "given"}};
    for (u32 c = 0; c < sizeof cases / sizeof *cases; c++) {
        FindingList list;
        findings_begin(&list);
        Finding *sibling = add(&list, KIND_RACE, "x.y", "l", "f");
        for (u32 i = 0; i < cases[c].real + cases[c].mistaken; i++)
            add(&list, KIND_RACE, "x.y", "l", i ? i > 1 ? "i" : "h" : "g");
        settle(&list, NULL);
        for (u32 i = 0, k = 0; i < list.items.count; i++)
            if (list.items.items[i] != sibling)
                list.items.items[i]->verdict = k++ < cases[c].real ? VERDICT_CONFIRMED : VERDICT_FALSE;
        rank_feedback(&list);
        expect(near(moved(sibling), cases[c].moves));
        expect(!strcmp(last_reason(sibling), cases[c].why));
        expect(sibling->below_line == (cases[c].moves < -4)); // the line is at 4, it was at 8
        findings_free(&list);
    }
}

static void test_vaguer_is_told_too(void) {
    FindingList list;
    findings_begin(&list);
    Finding *sibling = add(&list, KIND_RACE, "x.y", "l", "f");
    add(&list, KIND_RACE, "x.y", "l", "g")->verdict = VERDICT_CONFIRMED;
    add(&list, KIND_RACE, "p", "l", "h")->verdict = VERDICT_FALSE;
    add(&list, KIND_RACE, "q", "l", "i")->verdict = VERDICT_FALSE;
    settle(&list, NULL);
    rank_feedback(&list);
    expect(moved(sibling) > 0 && moved(sibling) < 2);
    expect(!strcmp(last_reason(sibling),
                   "the reviewed finding on x.y under l is real; 1 of 3 reviewed findings under l is real"));
    findings_free(&list);
}

static void test_line(void) {
    FindingList list;
    findings_begin(&list);
    Finding *low = add(&list, KIND_RACE, "x.y", "l", "f"), *held = add(&list, KIND_RACE, "x.y", "l", "g");
    Finding *vetoed = add(&list, KIND_RACE, "x.y", "l", "h"), *judged = add(&list, KIND_RACE, "x.y", "l", "i");
    Finding *mistaken = add(&list, KIND_RACE, "other", "k", "j");
    settle(&list, NULL);
    low->score = held->score = 3.5;
    low->reasons.items[0].points = held->reasons.items[0].points = 3.5;
    finding_add_reason(&list, held, 0, "below() of a script");
    finding_add_reason(&list, vetoed, -18, "veto() of a script");
    vetoed->score = -10;
    low->below_line = held->below_line = vetoed->below_line = true;
    judged->verdict = VERDICT_CONFIRMED;
    mistaken->verdict = VERDICT_FALSE;
    rank_feedback(&list);
    expect(!low->below_line && near(low->score, 5.6));
    expect(held->below_line && vetoed->below_line);
    expect(!mistaken->below_line && mistaken->score == 8); // its verdict is seen, and its place kept
    expect(list.items.items[2] == low && list.items.items[0]->score == 8 && list.items.items[1]->score == 8);
    findings_free(&list);
}

static void fill_many(FindingList *list, u32 count) {
    char object[40], lock[40], function[40];
    for (u32 i = 0; i < count; i++) {
        snprintf(object, sizeof object, "struct s%u.m%u", i % 97, i % 7);
        snprintf(lock, sizeof lock, "lock%u", i % 31);
        snprintf(function, sizeof function, "f%u", i % 501);
        add(list, i % 5 ? KIND_RACE : KIND_DEADLOCK, object, lock, function);
    }
}

static void test_nothing_said(void) {
    FindingList list;
    Buffer before = {0}, after = {0};
    findings_begin(&list);
    fill_many(&list, 300);
    rank_by(&list, NULL);
    as_text(&list, &before);
    rank_feedback(&list);
    as_text(&list, &after);
    expect(before.size == after.size && !memcmp(before.bytes, after.bytes, before.size));
    buffer_free(&before);
    buffer_free(&after);
    findings_free(&list);
}

static void test_switched_off(void) {
    FindingList list;
    findings_begin(&list);
    Finding *judged = add(&list, KIND_RACE, "x.y", "l", "f"), *sibling = add(&list, KIND_RACE, "x.y", "l", "g");
    settle(&list, "feedback=0");
    judged->verdict = VERDICT_FALSE;
    rank_feedback(&list);
    expect(sibling->score == 8 && sibling->reasons.count == 1);
    expect(!judged->below_line && judged->score == 8);
    findings_free(&list);
}

// Saved, judged, loaded: the same each time, whatever was shown before; and what was found stays what it was.
static void load_and_move(const char *path, Buffer *out) {
    FindingList list;
    findings_begin(&list);
    Store *store = store_open(path, STORE_READ);
    expect(findings_load(&list, store));
    verdicts_load(&list, store);
    store_close(store);
    rank_feedback(&list);
    as_text(&list, out);
    findings_free(&list);
}

static void test_loaded_anew(void) {
    char path[300];
    FindingList list;
    Buffer first = {0}, second = {0}, before = {0}, after = {0};
    snprintf(path, sizeof path, "%s/feedback.db", getenv("TMP") ? getenv("TMP") : "/tmp");
    unlink(path);
    findings_begin(&list);
    fill_many(&list, 400);
    rank_by(&list, "feedback=2");
    Store *store = store_open(path, STORE_WRITE);
    findings_save(&list, store);
    store_close(store);
    load_and_move(path, &before);
    store = store_open(path, STORE_WRITE);
    for (u32 i = 0; i < 40; i++)
        verdict_add(store, list.items.items[i * 7], i % 3 ? VERDICT_FALSE : VERDICT_CONFIRMED, "", "");
    store_close(store);
    load_and_move(path, &first);
    load_and_move(path, &second);
    expect(first.size == second.size && !memcmp(first.bytes, second.bytes, first.size));
    expect(first.size != before.size);
    store = store_open(path, STORE_WRITE);
    for (u32 i = 0; i < 40; i++)
        verdict_add(store, list.items.items[i * 7], VERDICT_NONE, "", "");
    store_close(store);
    load_and_move(path, &after);
    expect(after.size == before.size && !memcmp(after.bytes, before.bytes, after.size));
    buffer_free(&first);
    buffer_free(&second);
    buffer_free(&before);
    buffer_free(&after);
    findings_free(&list);
}

// What is found under a lock that everything is under has little in common.
static void test_crowds(void) {
    char object[40], function[40];
    double moves[2];
    for (u32 c = 0; c < 2; c++) {
        FindingList list;
        findings_begin(&list);
        for (u32 i = 0; i < (c ? 2000 : 8); i++) {
            snprintf(object, sizeof object, "object%u", i);
            snprintf(function, sizeof function, "f%u", i);
            add(&list, KIND_RACE, object, "l", function);
        }
        settle(&list, NULL);
        Finding *sibling = list.items.items[0];
        for (u32 i = 1; i < 5; i++)
            list.items.items[i]->verdict = VERDICT_FALSE;
        rank_feedback(&list);
        moves[c] = moved(sibling);
        findings_free(&list);
    }
    expect(moves[0] < -1.5 && fabs(moves[1]) <= 0.1);
}

// The order in which findings stand does not show; ids do not change.
static void test_order(void) {
    FindingList list;
    Buffer first = {0}, second = {0};
    findings_begin(&list);
    fill_many(&list, 500);
    settle(&list, NULL);
    for (u32 i = 0; i < 60; i++)
        list.items.items[i * 8]->verdict = i % 2 ? VERDICT_FALSE : VERDICT_CONFIRMED;
    rank_feedback(&list);
    as_text(&list, &first);
    for (u32 i = 0; i < list.items.count; i++) {
        Finding *finding = list.items.items[i];
        finding->reasons.count = 1;
        finding->score = 8;
        finding->below_line = false;
    }
    for (u32 i = 0; i < list.items.count / 2; i++) {
        Finding *other = list.items.items[i];
        list.items.items[i] = list.items.items[list.items.count - 1 - i];
        list.items.items[list.items.count - 1 - i] = other;
    }
    rank_feedback(&list);
    as_text(&list, &second);
    expect(first.size == second.size && !memcmp(first.bytes, second.bytes, first.size));
    buffer_free(&first);
    buffer_free(&second);
    findings_free(&list);
}

static void test_many(void) {
    FindingList list;
    findings_begin(&list);
    rank_by(&list, NULL); // an empty list has the settings, and nothing to score
    fill_many(&list, 100000);
    findings_sort(&list);
    for (u32 i = 0; i < list.items.count; i += 3)
        list.items.items[i]->verdict = i % 2 ? VERDICT_FALSE : VERDICT_CONFIRMED;
    double began = clock_seconds();
    rank_feedback(&list);
    double took = clock_seconds() - began;
    printf("feedback on 100,000 findings: %.2f s\n", took);
    expect(took < 20); // a step for each pair would take minutes
    findings_free(&list);
}

int main(void) {
    test_races();
    test_other_kinds();
    test_numbers();
    test_vaguer_is_told_too();
    test_line();
    test_nothing_said();
    test_switched_off();
    test_loaded_anew();
    test_crowds();
    test_order();
    test_many();
    return failures > 0;
}
