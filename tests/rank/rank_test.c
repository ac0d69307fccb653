// rank_test.c: findings filled by hand, scored by the default script and by scripts written here: points and reasons of
// each feature, order across kinds, the line, veto, replacement, what a script sees of a finding, a large list.
#include "rank/rank.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

static u32 failures;

static void expect_at(u32 line, bool good, const char *what) {
    if (good)
        return;
    printf("not ok line %u: %s\n", line, what);
    failures++;
}
#define expect(condition) expect_at(__LINE__, (condition), #condition)

// scripts and lists -------------------------------------------------------------

static char *script_path(u32 number) {
    Buffer path = {0};
    buffer_format(&path, "%s/script%u.lua", getenv("TMP") ? getenv("TMP") : "/tmp", number);
    buffer_byte(&path, 0);
    return (char *)path.bytes;
}

// A ranking by these texts after the default; NULL ends them.
static Ranking *load(const char *const *assignments, u32 assignment_count, const char *first, const char *second) {
    char *paths[2] = {script_path(1), script_path(2)};
    const char *texts[2] = {first, second};
    u32 count = 0;
    for (; count < 2 && texts[count]; count++) {
        FILE *out = fopen(paths[count], "w");
        check(out && fputs(texts[count], out) >= 0 && !fclose(out));
    }
    RankOptions options = {(const char *const *)paths, count, assignments, assignment_count};
    Ranking *ranking = rank_load(&options);
    free(paths[0]);
    free(paths[1]);
    return ranking;
}

static void rank_by(FindingList *list, const char *first, const char *second) {
    Ranking *ranking = load(NULL, 0, first, second);
    rank_findings(ranking, list);
    rank_free(ranking);
}

static Finding *add(FindingList *list, FindingKind kind, const char *file, u32 line) {
    Finding *finding = findings_add(list, kind);
    finding->message = findings_text(list, "message");
    finding->object = findings_text(list, "object");
    finding->lock = findings_text(list, "the_lock");
    finding_add_object(list, finding, "object");
    finding_add_object(list, finding, "second");
    Site *site = finding_add_site(list, finding, ROLE_UNPROTECTED_WRITE, "worker", file, line, 3);
    site->object = finding->object;
    site->conditionals = 2;
    site_add_lock(list, site, "held", file, 7);
    site_add_call(list, site, "main", file, 9);
    site_add_call(list, site, "worker", "", 0);
    finding_add_site(list, finding, ROLE_PROTECTED_READ, "reader", file, line + 10, 3);
    finding_add_evidence(list, finding, ROLE_PROTECTED_READ, "usual", file, line + 20, 3);
    return finding;
}

typedef struct {
    const char *name;
    double value;
} Given;

// A weight of the default script: what is measured may change, what is added up may not.
static double weight(const char *name) {
    Ranking *ranking = load(NULL, 0, NULL, NULL);
    double value = rank_setting(ranking, name);
    rank_free(ranking);
    return value;
}

// What these features add to a race that is found without any; `as_said`: each for itself, however many there are.
static double race_score(const Given *given, u32 count, bool as_said) {
    static const char *const plain[] = {"blunt_race=0"};
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_RACE, "a.c", 1);
    finding_add_number(&list, finding, "has_locked", 1);
    for (u32 i = 0; i < count; i++)
        finding_add_number(&list, finding, given[i].name, given[i].value);
    Ranking *ranking = load(plain, as_said, NULL, NULL);
    rank_findings(ranking, &list);
    rank_free(ranking);
    double score = finding->score, sum = 0;
    expect(finding->share > 0 && fabs(finding->share - 1 / (1 + exp(-score))) < 1e-9);
    for (u32 i = 0; i < finding->reasons.count; i++)
        sum += finding->reasons.items[i].points;
    expect(fabs(sum - score) < 1e-6);
    findings_free(&list);
    return score - weight("race");
}
#define RACE_GIVEN(as_said, ...)                                                                                       \
    race_score((const Given[]){__VA_ARGS__}, sizeof((const Given[]){__VA_ARGS__}) / sizeof(Given), as_said)
#define RACE(...) RACE_GIVEN(true, __VA_ARGS__)

static bool near(double a, double b) { return fabs(a - b) < 2e-6; } // scores are rounded

static bool has_reason(const Finding *finding, double points, const char *words) {
    for (u32 i = 0; i < finding->reasons.count; i++)
        if (near(finding->reasons.items[i].points, points) && strstr(finding->reasons.items[i].text, words))
            return true;
    return false;
}

// the default script ------------------------------------------------------------

// What speaks for a race says the same thing more than once: the more there is of it, the less it adds. Doubts stand.
static void test_blunt(void) {
    double much = RACE({"proven_parallel", 1}, {"nvars", 3}, {"interrupt", 1}, {"interrupt_write", 1}),
           doubt = weight("race_initialisation"), blunt = weight("blunt_race"), from = weight("blunt_from"),
           left = from + (much - from) / (1 + blunt * (much - from));
    expect(much > from && blunt > 0);
    expect(near(RACE_GIVEN(false, {"modified", 1}, {"write", 1}), RACE({"modified", 1}, {"write", 1})));
    expect(
        near(RACE_GIVEN(false, {"proven_parallel", 1}, {"nvars", 3}, {"interrupt", 1}, {"interrupt_write", 1}), left));
    expect(near(RACE_GIVEN(false, {"proven_parallel", 1}, {"nvars", 3}, {"interrupt", 1}, {"interrupt_write", 1},
                           {"initialisation", 1}),
                left + doubt));
}

static void test_race_points(void) {
    double z = weight("race_z") / 4;
    expect(near(RACE({"only", 2}), weight("race_only_often")));
    expect(near(RACE({"only", 1}), weight("race_only_once")));
    expect(near(RACE({"first", 1}), weight("race_edge")) && near(RACE({"last", 5}), weight("race_edge")));
    expect(near(RACE({"first", 5}, {"last", 5}), weight("race_edge")));
    expect(near(RACE({"z_lock", 2.5}), 2.5 * z + weight("race_z_high")));
    expect(
        near(RACE({"z_lock", -5}, {"z_any", 2.5}), 2.5 * z + weight("race_z_high"))); // the better of the two beliefs
    expect(near(RACE({"z_any", 2}), 2 * z));
    expect(near(RACE({"z_any", -3}, {"z_lock", -4}, {"global", 1}), -3 * z + weight("race_global")));
    expect(near(RACE({"s_lock", 9}, {"f_lock", 1}), RACE({"s_lock", 1}, {"f_lock", 9}, {"s_any", 9}, {"f_any", 1})));
    expect(RACE({"s_lock", 9}, {"f_lock", 1}) > RACE({"s_lock", 5}, {"f_lock", 5}));
    expect(near(RACE({"s_lock", 8}, {"f_lock", 1}) - RACE({"s_lock", 6}, {"f_lock", 3}),
                weight("race_mostly") + weight("race_ratio") * (log(9. / 3) - log(7. / 5))));
    expect(near(RACE({"s_lock", 2}), weight("race_accesses") * log(3))); // two are no habit
    expect(near(RACE({"nvars", 3}), weight("race_many")) && near(RACE({"nvars", 2}), weight("race_two")));
    expect(near(RACE({"nvars", 1}), 0));
    expect(near(RACE({"nonatomic", 1}), weight("race_nonatomic")));
    expect(near(RACE({"interrupt_write", 1}, {"modified", 1}, {"write", 1}), weight("race_interrupt_write")));
    expect(near(RACE({"modified", 1}, {"write", 1}), weight("race_modified")));
    expect(near(RACE({"modifying_roots", 3}), weight("race_roots")) && near(RACE({"modifying_roots", 2}), 0));
    expect(near(RACE({"proven_parallel", 1}), weight("race_proven")) && weight("race_proven") > 0);
    expect(near(RACE({"has_locked", 0}), weight("race_no_concurrency")) && weight("race_no_concurrency") < 0);
    expect(near(RACE({"has_locked", 0}, {"proven_parallel", 1}), weight("race_proven")));
    expect(near(RACE({"depth", 1}), weight("race_depth") * log(2)) && weight("race_depth") <= 0);
    expect(near(RACE({"siblings", 1}), 0) && near(RACE({"siblings", 9}), weight("race_siblings") * log(9)));
    expect(weight("race_siblings") < 0 && weight("deadlock_siblings") < 0 && weight("held_siblings") < 0);
    expect(near(RACE({"same_file", 1}, {"same_directory", 1}), weight("race_same_file")));
}

static void test_race_doubts(void) {
    static const char *const doubts[] = {"initialisation", "unlikely_aliasing", "unsharing",
                                         "reentrant_lock", "non_parallel",      "conditional_locking",
                                         "no_lock_either", "published",         "wrong_lock"};
    for (u32 i = 0; i < sizeof doubts / sizeof *doubts; i++)
        expect(RACE({doubts[i], 1}) < 0);
    expect(near(RACE({"no_lock_either", 1}, {"proven_parallel", 1}), weight("race_proven"))); // the more so
}

static void test_race_words(void) {
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_RACE, "a.c", 1);
    Given given[] = {{"has_locked", 1}, {"s_lock", 38}, {"f_lock", 1}, {"z_lock", 2.3},
                     {"only", 4},       {"first", 11},  {"last", 17}};
    for (u32 i = 0; i < sizeof given / sizeof *given; i++)
        finding_add_number(&list, finding, given[i].name, given[i].value);
    rank_by(&list, NULL, NULL);
    expect(has_reason(finding, weight("race_z") * 2.3 / 4, "38 of 39 accesses are under the_lock, z = 2.3"));
    expect(has_reason(finding, weight("race_only_often"), "the only object of 4 critical sections of the_lock"));
    expect(has_reason(finding, weight("race_edge"), "the first object of 11 critical sections, the last of 17"));
    findings_free(&list);
}

static Finding *add_deadlock(FindingList *list, u32 line, double threads, double globals, double depth) {
    Finding *finding = add(list, KIND_DEADLOCK, "d.c", line);
    finding_add_text(list, finding, "cause", "order");
    finding_add_number(list, finding, "threads", threads);
    finding_add_number(list, finding, "global_locks", globals);
    finding_add_number(list, finding, "depth", depth);
    finding_add_number(list, finding, "most_common_order", 3);
    finding_add_number(list, finding, "least_common_order", 1);
    return finding;
}

static void test_deadlocks(void) {
    FindingList list;
    findings_begin(&list);
    Finding *three = add_deadlock(&list, 1, 3, 0, 0), *local = add_deadlock(&list, 2, 2, 0, 0);
    Finding *deep = add_deadlock(&list, 3, 2, 2, 8), *some = add_deadlock(&list, 4, 2, 1, 0);
    Finding *global = add_deadlock(&list, 5, 2, 2, 0), *rare = add_deadlock(&list, 6, 2, 2, 0);
    finding_add_number(&list, rare, "most_common_order", 4);
    Finding *asserted = add_deadlock(&list, 7, 2, 0, 0), *wait = add(&list, KIND_DEADLOCK, "d.c", 8);
    finding_add_number(&list, asserted, "asserted", 1);
    finding_add_text(&list, wait, "cause", "wait");
    finding_add_number(&list, wait, "wait_depth", 2);
    rank_by(&list, NULL, NULL);
    double base = weight("deadlock") + weight("deadlock_elsewhere");
    expect(near(local->score, base) && near(global->score, base + weight("deadlock_all_global")));
    expect(near(rare->score, global->score + weight("deadlock_rare")) &&
           near(some->score, base + weight("deadlock_some_global")));
    expect(near(three->score, base + weight("deadlock_thread")) &&
           near(asserted->score, base + weight("deadlock_asserted")));
    expect(near(deep->score, global->score + weight("deadlock_depth") * log(9)));
    expect(near(wait->score, weight("deadlock_wait") + weight("deadlock_elsewhere")));
    expect(global->score > local->score && some->score > local->score && local->score > three->score);
    findings_free(&list);
}

static void test_other_kinds(void) {
    static const char *const names[KIND_COUNT] = {[KIND_DOUBLE_LOCK] = "double_lock",
                                                  [KIND_IRQ_DEADLOCK] = "irq_deadlock",
                                                  [KIND_SLEEP_IN_ATOMIC] = "sleep_in_atomic",
                                                  [KIND_LOCK_LEAK] = "lock_leak",
                                                  [KIND_UNLOCK_UNHELD] = "unlock_unheld"};
    for (FindingKind kind = 0; kind < KIND_COUNT; kind++) {
        FindingList list;
        if (!names[kind])
            continue;
        findings_begin(&list);
        Finding *far = add(&list, kind, "a.c", 1), *here = add(&list, kind, "b.c", 1);
        Finding *one_of_many = add(&list, kind, "c.c", 1);
        finding_add_number(&list, far, "between_calls", 2);
        finding_add_number(&list, here, "between_calls", 0);
        finding_add_number(&list, one_of_many, "between_calls", 0);
        finding_add_number(&list, one_of_many, "siblings", 400);
        rank_by(&list, NULL, NULL);
        // Of a handler's: nothing is known of the other side, of who shares the object, of how others take it.
        double doubts = kind == KIND_IRQ_DEADLOCK ? weight("irq_root") + weight("irq_apart") + weight("irq_nobody") : 0;
        expect(near(here->score, weight(names[kind]) + doubts));
        expect(near(far->score, here->score + weight("held_between") * log(3)));
        expect(near(one_of_many->score, here->score + weight("held_siblings") * log(400)));
        expect(list.items.items[0] == here);
        findings_free(&list);
    }
}

// One list for all kinds: what is proven and what is clear before what is weak.
static void test_mixed(void) {
    FindingList list;
    findings_begin(&list);
    for (u32 i = 0; i < 300; i++) {
        Finding *weak = add(&list, KIND_RACE, "weak.c", i + 1);
        finding_add_number(&list, weak, "has_locked", 1);
        finding_add_number(&list, weak, "modified", 1);
        finding_add_number(&list, weak, "s_lock", 1);
        finding_add_number(&list, weak, "f_lock", 1 + i % 3);
        finding_add_number(&list, weak, "first", i % 2);
    }
    Finding *planted = add(&list, KIND_RACE, "planted.c", 1), *leak = add(&list, KIND_LOCK_LEAK, "leak.c", 1);
    Finding *proven = add(&list, KIND_RACE, "proven.c", 1), *circle = add_deadlock(&list, 1, 2, 0, 0);
    Given given[] = {{"has_locked", 1}, {"s_lock", 40}, {"f_lock", 1}, {"z_lock", 2.3}, {"only", 3}, {"modified", 1}};
    for (u32 i = 0; i < sizeof given / sizeof *given; i++)
        finding_add_number(&list, planted, given[i].name, given[i].value);
    Given sure[] = {
        {"proven_parallel", 1}, {"write", 1}, {"modified", 1}, {"no_lock_either", 1}, {"modifying_roots", 3}};
    for (u32 i = 0; i < sizeof sure / sizeof *sure; i++)
        finding_add_number(&list, proven, sure[i].name, sure[i].value);
    rank_by(&list, NULL, NULL);
    (void)circle;
    for (u32 i = 0; i < list.items.count; i++) {
        const Finding *finding = list.items.items[i];
        expect(finding->below_line == (finding->score < weight("line")));
        if (!strcmp(finding->file, "weak.c"))
            expect(finding->score < planted->score && finding->score < proven->score && finding->score < leak->score);
    }
    findings_free(&list);
}

static void test_marks(void) {
    FindingList list;
    findings_begin(&list);
    Finding *marked = add(&list, KIND_RACE, "a.c", 1), *single = add(&list, KIND_RACE, "b.c", 1);
    Finding *ignored = add_deadlock(&list, 1, 2, 2, 0);
    finding_add_number(&list, marked, "has_locked", 1);
    finding_add_text(&list, marked, "marks", "syscall, multithreaded");
    finding_add_number(&list, single, "proven_parallel", 1);
    finding_add_text(&list, single, "marks", "single-threaded");
    finding_add_text(&list, ignored, "marks", "ignore");
    rank_by(&list, NULL, NULL);
    expect(near(marked->score, weight("race") + weight("race_marked")));
    expect(single->below_line && single->score > weight("line") && has_reason(single, 0, "single-threaded"));
    expect(ignored->below_line && has_reason(ignored, 0, "marked ignore"));
    findings_free(&list);
}

// Old databases, later analyses: features may be missing, of another type, or endless.
static void test_odd_features(void) {
    FindingList list;
    findings_begin(&list);
    for (FindingKind kind = 0; kind < KIND_COUNT; kind++) {
        findings_add(&list, kind);
        Finding *odd = add(&list, kind, "a.c", 1);
        static const char *const names[] = {"depth", "conditionals", "only",  "s_lock",
                                            "z_any", "z_lock",       "nvars", "threads"};
        for (u32 i = 0; i < sizeof names / sizeof *names; i++)
            finding_add_number(&list, odd, names[i], i % 2 ? INFINITY : -INFINITY);
        odd->score = NAN;
        finding_add_reason(&list, odd, 99, "of an earlier ranking");
    }
    rank_by(&list, "rank { replace = true, function(f) add(f.features.depth and 2 or 1, 'x') end }", NULL);
    for (u32 i = 0; i < list.items.count; i++)
        expect(list.items.items[i]->reasons.count == 1 && list.items.items[i]->score == (i < KIND_COUNT ? 2 : 1));
    rank_by(&list, NULL, NULL);
    for (u32 i = 0; i < list.items.count; i++) {
        expect(isfinite(list.items.items[i]->score));
        finding_add_text(&list, list.items.items[i], "depth", "deep");
        finding_add_text(&list, list.items.items[i], "z_any", "high");
        finding_add_text(&list, list.items.items[i], "threads", "many");
    }
    rank_by(&list, NULL, NULL);
    findings_free(&list);
}

// scripts -----------------------------------------------------------------------

static void test_extend(void) {
    FindingList list;
    findings_begin(&list);
    Finding *lifted = add(&list, KIND_LOCK_LEAK, "net/a.c", 1), *vetoed = add(&list, KIND_LOCK_LEAK, "test/b.c", 1);
    Finding *hidden = add(&list, KIND_LOCK_LEAK, "c.c", 1), *plain = add(&list, KIND_LOCK_LEAK, "d.c", 1);
    Finding *own = add(&list, KIND_LOCK_LEAK, "e.c", 1);
    rank_by(
        &list,
        "rank(function(f)\n"
        "  if match(f.file, '^net/') then add(30, 'network code') end\n"
        "  if match(f.file, '^test/') then veto('a test') end\n"
        "  if f.file == 'c.c' then below('known') end\n"
        "  if f.file == 'e.c' then reset() add(-2.1, 'mine') end\n"
        "end)\n",
        "rank(function(f) if f.file == 'net/a.c' then add(0.25, 'saw ' .. string.format('%.2f', f.score)) end end)");
    double leak = weight("lock_leak") + weight("held_elsewhere");
    char saw[40];
    snprintf(saw, sizeof saw, "saw %.2f", leak + 30);
    expect(near(lifted->score, leak + 30.25) && has_reason(lifted, 30, "network code") &&
           has_reason(lifted, 0.25, saw));
    expect(near(vetoed->score, -10) && vetoed->below_line && has_reason(vetoed, -10 - leak, "a test"));
    expect(near(hidden->score, leak) && hidden->below_line && has_reason(hidden, 0, "known"));
    expect(near(plain->score, leak) && !plain->below_line && plain->reasons.count == 2);
    expect(near(own->score, -2.1) && own->reasons.count == 1);
    expect(list.items.items[0] == lifted && list.items.items[1] == plain && list.items.items[2] == own);
    expect(list.items.items[3] == hidden && list.items.items[4] == vetoed); // what is not shown comes after what is
    findings_free(&list);
}

static void test_replace(void) {
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_LOCK_LEAK, "a.c", 1);
    rank_by(&list, "rank(function(f) add(50, 'gone') end)\nrank { replace = true, function(f) add(5, 'mine') end }",
            "rank { replace = false, function(f) add(1, 'and this') end }");
    expect(near(finding->score, 6) && finding->reasons.count == 2);
    rank_by(&list, "rank(function(f) add(50, 'gone') end)", "rank { replace = true, function(f) end }");
    expect(near(finding->score, 0) && finding->reasons.count == 0 && !finding->below_line); // nobody knows: one in two
    rank_by(&list, NULL, NULL);                                                             // and again from the start
    expect(near(finding->score, weight("lock_leak") + weight("held_elsewhere")));
    findings_free(&list);
}

static void test_settings(void) {
    static const char *const given[] = {"line=7", "lock_leak=6.5", "line=6.25"};
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_LOCK_LEAK, "a.c", 1);
    Ranking *ranking = load(given, 3,
                            "settings { line = 1, wide = 16, lock_leak = 2 }\n"
                            "rank(function(f) add(settings.wide, 'wide') end)",
                            "settings { wide = 64 }");
    expect(near(rank_setting(ranking, "line"), 6.25) && near(rank_setting(ranking, "wide"), 64));
    expect(near(rank_setting(ranking, "p0"), 0.9));
    rank_findings(ranking, &list);
    expect(near(finding->score, 70.5 + weight("held_elsewhere")));
    rank_free(ranking);
    findings_free(&list);
}

// What the README promises of `f`, checked by Lua's own assert.
static const char sees_text[] =
    "lock { acquire = 'a', nonsense = true } keep 'x' annotate(function() end) preset 'none such'\n"
    "rank(function(f)\n"
    "  assert(f.kind == 'race' and f.message == 'message' and f.object == 'object' and f.lock == 'the_lock')\n"
    "  assert(f.file == 'a.c' and f.line == 5 and f['function'] == 'worker' and f.function_name == 'worker')\n"
    "  assert(#f.id == 16 and f.below == false and type(f.score) == 'number')\n"
    "  assert(#f.objects == 2 and f.objects[2] == 'second' and table.concat(f.objects, ' ') == 'object second')\n"
    "  assert(#f.sites == 2 and #f.evidence == 1 and f.evidence[1].function_name == 'usual')\n"
    "  local s = f.sites[1]\n"
    "  assert(s.file == 'a.c' and s.line == 5 and s.column == 3 and s['function'] == 'worker' and s.side == 0)\n"
    "  assert(s.role == 'unprotected-write' and s.object == 'object' and s.note == '' and s.conditionals == 2)\n"
    "  assert(s.lockset[1] == 'held' and #s.lockset == 1 and s.callchain[1] == 'main' and #s.callchain == 2)\n"
    "  assert(f.sites[2].side == 1 and f.sites[3] == nil)\n"
    "  assert(f.features.depth == 3 and math.type(f.features.depth) == 'integer' and f.features.z_any == 1.5)\n"
    "  assert(f.features.mode == 'precise' and f.features.none == nil)\n"
    "  assert(f.marks[1] == 'init' and f.marks[2] == 'interrupt' and f.marks.interrupt and not f.marks.ignore)\n"
    "  local names = {}\n"
    "  for name, value in pairs(f.features) do names[#names + 1] = name .. '=' .. value end\n"
    "  assert(table.concat(names, ' ') == 'depth=3 marks=init interrupt mode=precise z_any=1.5')\n"
    "  local count = 0\n"
    "  for i, site in ipairs(f.sites) do count = count + i end\n"
    "  assert(count == 3 and f.sites == f.sites)\n"
    "  add(1, 'seen')\n"
    "end)\n";

static void test_view(void) {
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_RACE, "a.c", 5);
    finding_add_number(&list, finding, "depth", 3);
    finding_add_number(&list, finding, "z_any", 1.5);
    finding_add_text(&list, finding, "mode", "precise");
    finding_add_text(&list, finding, "marks", "init interrupt");
    rank_by(&list, sees_text, NULL);
    expect(has_reason(finding, 1, "seen"));
    findings_free(&list);
}

static void test_long_reason(void) {
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_LOCK_LEAK, "a.c", 1);
    rank_by(&list, "rank(function(f) add(1, 'x' .. string.rep('é', 100000)) end)", NULL);
    const char *text = finding->reasons.items[finding->reasons.count - 1].text;
    expect(strlen(text) < 420 && !strcmp(text + strlen(text) - 5, "é…"));
    findings_free(&list);
}

// A script that counts gets the same answer whatever order findings were added in.
static void test_order(void) {
    static const char counts[] = "local n = 0\nrank(function(f) n = n + 1 add(n / 1000, 'number ' .. n) end)";
    char *seen[2];
    for (u32 turn = 0; turn < 2; turn++) {
        FindingList list;
        Buffer out = {0};
        findings_begin(&list);
        for (u32 i = 0; i < 50; i++) {
            u32 at = turn ? 49 - i : i;
            Finding *finding = add(&list, at % 2 ? KIND_LOCK_LEAK : KIND_UNLOCK_UNHELD, "a.c", 1 + at / 4);
            finding->object = findings_text(&list, "object %u", at);
        }
        rank_by(&list, counts, NULL);
        for (u32 i = 0; i < 50; i++)
            buffer_format(&out, "%s %.9g; ", list.items.items[i]->object, list.items.items[i]->score);
        buffer_byte(&out, 0);
        seen[turn] = (char *)out.bytes;
        findings_free(&list);
    }
    expect(!strcmp(seen[0], seen[1]));
    free(seen[0]);
    free(seen[1]);
}

static void test_large(void) {
    enum { MANY = 100000 };
    FindingList list;
    double start = clock_seconds();
    findings_begin(&list);
    for (u32 i = 0; i < MANY; i++) {
        Finding *finding = add(&list, KIND_RACE, "a.c", i + 1);
        static const char *const names[] = {"only",  "first",      "last",      "z_any",  "z_lock", "s_any",
                                            "f_any", "s_lock",     "f_lock",    "global", "nvars",  "modified",
                                            "write", "has_locked", "nonatomic", "depth"};
        for (u32 k = 0; k < sizeof names / sizeof *names; k++)
            finding_add_number(&list, finding, names[k], (i * 7 + k) % 11);
    }
    rank_by(&list,
            "local seen = {}\nrank(function(f)\n  for _, s in ipairs(f.sites) do seen[s.line % 1000] = s.file end\n"
            "  for i = 1, 100 do local x = i * 2 end\nend)",
            NULL);
    expect(list.items.items[0]->score > list.items.items[MANY - 1]->score);
    for (u32 i = 1; i < MANY; i++)
        if (list.items.items[i - 1]->below_line == list.items.items[i]->below_line)
            expect(list.items.items[i - 1]->score >= list.items.items[i]->score);
    printf("%u findings in %.1f s\n", (u32)MANY, clock_seconds() - start);
    findings_free(&list);
}

// A finding with thousands of sites is no reason to stop.
static void test_many_sites(void) {
    FindingList list;
    findings_begin(&list);
    Finding *finding = add(&list, KIND_RACE, "a.c", 1);
    for (u32 i = 0; i < 10000; i++) {
        Site *site = finding_add_site(&list, finding, ROLE_UNPROTECTED_READ, "reader", "b.c", i, 1);
        for (u32 k = 0; k < 20; k++)
            site_add_call(&list, site, "caller", "b.c", k);
    }
    rank_by(&list, "rank(function(f) add(#f.sites[10002].callchain, 'deep') end)", NULL);
    expect(has_reason(finding, 20, "deep"));
    findings_free(&list);
}

// mistakes ------------------------------------------------------------------------

// What the script's mistake makes rank_load() or rank_findings() say; they end the process with status 2.
static char *complaint(const char *assignment, const char *script) {
    int ends[2], status;
    Buffer out = {0};
    char bytes[4096];
    check(!pipe(ends));
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 2);
        close(ends[0]);
        FindingList list;
        findings_begin(&list);
        add(&list, KIND_LOCK_LEAK, "a.c", 1);
        add(&list, KIND_LOCK_LEAK, "b.c", 1);
        Ranking *ranking = load(&assignment, assignment != NULL, script, NULL);
        fputs("loaded; ", stderr);
        rank_findings(ranking, &list);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
        buffer_put(&out, bytes, (size_t)got);
    close(ends[0]);
    check(waitpid(child, &status, 0) == child);
    buffer_format(&out, " status %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

static void expect_complaint(u32 line, const char *assignment, const char *script, bool early, const char *words) {
    char *said = complaint(assignment, script);
    bool good = strstr(said, words) && strstr(said, " status 2") && early == !strstr(said, "loaded; ");
    if (script && !assignment)
        good = good && strstr(said, "script1.lua:");
    if (!good)
        printf("not ok line %u: wanted '%s', got: %s\n", line, words, said);
    failures += !good;
    free(said);
}
#define early(script, words) expect_complaint(__LINE__, NULL, script, true, words)
#define late(script, words) expect_complaint(__LINE__, NULL, "rank(function(f)\n" script "\nend)", false, words)
#define unset(assignment, words) expect_complaint(__LINE__, assignment, NULL, true, words)

static void test_early_mistakes(void) {
    early("rank(function(f) add(1 'x') end)", ".lua:1: ");
    early("\nrnk(function(f) end)", ".lua:2: 'rnk' is neither");
    early("rank(3)", "rank: takes a function");
    early("rank()", "rank: takes a function");
    early("rank { replace = true }", "rank: takes a function");
    early("rank { replace = 1, function(f) end }", "replace is true or false");
    early("rank { repalce = true, function(f) end }", "takes replace = true and one function");
    early("rank { function(f) end, function(f) end }", "takes replace = true and one function");
    early("while true do end", "too many steps");
    early("local t = {} for i = 1, 1e9 do t[i] = 'x' .. i end", ".lua:1: the script");
    early("add(1, 'x')", "add: only in a function given to rank");
    early("veto 'x'", "veto: only in a function given to rank");
    early("error({})", "error without text");
    early("settings { lin = 3 }", "no setting 'lin'; did you mean 'line'?");
    early("settings { xyzzy = 3 }", "no setting 'xyzzy'; rank/README.md lists them");
    early("settings { line = '3' }", "line is a string; a setting is a number");
    early("settings { line = 0 / 0 }", "line: a setting is a finite number");
    early("settings { race_proven = math.huge }", "race_proven: a setting is a finite number");
    early("settings { p0 = 1 }", "p0: it must be from 0.001 to 0.999");
    early("settings { 3 }", "a value has no name");
    early("settings(3)", "takes one table");
    early("settings.line = 3", "settings { name = value }");
    early("local x = settings.lien", "did you mean 'line'?");
    early("local f = io.open('/etc/passwd')", "'io' is neither");
    unset("line", "write --set NAME=VALUE");
    unset("=3", "write --set NAME=VALUE");
    unset("lien=3", "did you mean 'line'?");
    unset("line=", "the value is no number");
    unset("line=3x", "the value is no number");
    unset("line=nan", "finite");
    unset("line=1e999", "finite");
    unset("wide=0", "from 1 to 1024");
}

static void test_late_mistakes(void) {
    late("add('3', 'x')", ".lua:2: add: points must be a number, not a string");
    late("add(nil, 'x')", "not a nil");
    late("add(0 / 0, 'x')", ".lua:2: add: ");
    late("add(math.huge, 'x')", "from -1000000 to 1000000");
    late("add(1e300, 'x')", "from -1000000 to 1000000");
    late("add(1)", "needs a reason in words");
    late("add(1, '')", "needs a reason in words");
    late("below()", "below: needs a reason");
    late("veto(3)", "veto: needs a reason");
    late("return 5", ".lua:1: the ranking function returns a number");
    late("return false", "the ranking function returns a boolean");
    late("while true do end", ".lua:2: the script takes too many steps");
    late("for i = 1, 1000 do add(1, 'x') end", "100 reasons at most");
    late("local s = 'x' while true do s = s .. s end", ".lua:2: the script uses more than");
    late("f.score = 3", "add(points, reason) changes its score");
    late("f.features.depth = 3", "can be read, but not changed");
    late("f.sites[1] = nil", "can be read, but not changed");
    late("f.sites[1].line = 3", "can be read, but not changed");
    late("add(f.features.nothing, 'x')", "not a nil");
    late("if f.fle == 'x' then end", "a finding has no 'fle'; did you mean 'file'?");
    late("if f.depth then end", "its features are in features");
    late("local x = f.features.depth > 1", ".lua:2: attempt to compare");
    late("error('so', 0)", ".lua:2: so");
    late("rank(function() end)", "rank: only at the top");
    late("settings { line = 3 }", "at the top of a script");
    late("if kept then local x = kept.kind end kept = f", "'kept' is neither");
    late("local function g() return g() + 1 end g()", "stack overflow");
    late("error(f.kind, 0)", "scoring the lock-leak at a.c:1;");
    expect_complaint(__LINE__, NULL,
                     "kept = false\nrank(function(f) if kept then local x = kept.kind end\nkept = f end)", false,
                     ".lua:2: a finding can be read only while it is scored");
}

int main(void) {
    test_race_points();
    test_blunt();
    test_race_doubts();
    test_race_words();
    test_deadlocks();
    test_other_kinds();
    test_mixed();
    test_marks();
    test_odd_features();
    test_extend();
    test_replace();
    test_settings();
    test_view();
    test_long_reason();
    test_order();
    test_large();
    test_many_sites();
    test_early_mistakes();
    test_late_mistakes();
    return failures > 0;
}
