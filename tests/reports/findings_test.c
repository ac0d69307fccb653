// findings_test.c: findings filled by hand: sorted, named, kept in a database, printed as text and as JSON lines;
// also with names that were made to do harm.
#include "extract/store.h"
#include "racerx/findings/findings.h"
#include "reports/reports.h"

#include <math.h>
#include <unistd.h>

// filling ---------------------------------------------------------------------

static void add_deadlock(FindingList *list, u32 moved) { // `moved`: how many lines everything went down
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    finding->message =
        findings_text(list, "%s → %s here, %s → %s there", "rtc_lock", "rtc_task_lock", "rtc_task_lock", "rtc_lock");
    finding->object = findings_text(list, "rtc_task_lock");
    finding->lock = findings_text(list, "rtc_lock");
    finding->score = 12;
    finding_add_object(list, finding, "rtc_lock");
    finding_add_object(list, finding, "rtc_task_lock");
    finding_add_object(list, finding, "rtc_lock");
    Site *site = finding_add_site(list, finding, ROLE_ACQUIRE, "rtc_register", "drivers/char/rtc.c", 812 + moved, 2);
    site->object = findings_text(list, "rtc_task_lock");
    site_add_lock(list, site, "rtc_lock", "drivers/char/rtc.c", 806 + moved);
    site_add_lock(list, site, "interrupts", "", 0);
    site_add_call(list, site, "rtc_register", "", 0);
    site = finding_add_site(list, finding, ROLE_ACQUIRE, "rtc_task_clear", "drivers/char/rtc.c", 841 + moved, 2);
    site->object = findings_text(list, "rtc_lock");
    site->conditionals = 1;
    site_add_lock(list, site, "rtc_task_lock", "drivers/char/rtc.c", 850 + moved);
    site_add_call(list, site, "sys_ioctl", "fs/ioctl.c", 99);
    site_add_call(list, site, "rtc_unregister", "drivers/char/rtc.c", 855 + moved);
    site_add_call(list, site, "rtc_task_clear", "", 0);
    finding_add_number(list, finding, "threads", 3);
    finding_add_number(list, finding, "z", 1.0 / 3);
    finding_add_text(list, finding, "derived", "this function alone");
    finding_add_number(list, finding, "threads", 2);
    finding_add_reason(list, finding, 4, "two threads");
    finding_add_reason(list, finding, -0.5, "one condition on the way");
}

static void add_leak(FindingList *list, const char *function, const char *file, u32 line, double score) {
    Finding *finding = findings_add(list, KIND_LOCK_LEAK);
    finding->object = findings_text(list, "struct node.mtx");
    finding->lock = finding->object;
    finding->message = findings_text(list, "returns with %s held on one of 3 ways out", finding->object);
    finding->score = score;
    finding->below_line = score < 0;
    Site *site = finding_add_site(list, finding, ROLE_ACQUIRE, function, file, line - 5, 1);
    site->object = finding->object;
    site = finding_add_site(list, finding, ROLE_RETURN, function, file, line, 1);
    site->side = 0;
    site->object = finding->object;
    site->note = findings_text(list, "an error path");
    site_add_lock(list, site, finding->object, file, line - 5);
    site = finding_add_evidence(list, finding, ROLE_RELEASE, function, file, line + 4, 1);
    site->object = finding->object;
}

// Every text is hostile: it would clear the screen, end the string, begin a line, be cut inside a character.
static void add_hostile(FindingList *list) {
    static const char evil[] = "a\"\\\n\r\033[2J\x9b\xff\xc3(\xe2\x80\xae\xf4\x90\x80\x80\xed\xa0\x80 %s%n\x7f";
    Finding *finding = findings_add(list, KIND_RACE);
    finding->message = finding->object = finding->lock = findings_text(list, "%s", evil);
    finding_add_object(list, finding, evil);
    Site *site = finding_add_site(list, finding, ROLE_UNPROTECTED_WRITE, evil, evil, UINT32_MAX, UINT32_MAX);
    site->object = site->note = finding->object;
    site_add_lock(list, site, evil, evil, 1);
    for (u32 i = 0; i < 200; i++)
        site_add_call(list, site, evil, evil, i);
    char *huge = must_alloc(100001);
    memset(huge, 'x', 100000);
    huge[100000] = 0;
    site = finding_add_evidence(list, finding, ROLE_PROTECTED_READ, huge, huge, 0, 0);
    site->note = findings_text(list, "%s", huge);
    free(huge);
    finding_add_text(list, finding, evil, evil);
    finding_add_number(list, finding, "none", NAN);
    finding_add_number(list, finding, "endless", -INFINITY);
    finding_add_reason(list, finding, NAN, evil);
    finding->score = NAN;
}

static void fill(FindingList *list, u32 order) { // the same findings, added in two orders
    findings_begin(list);
    for (u32 i = 0; i < 5; i++)
        switch (order ? 4 - i : i) {
        case 0: add_deadlock(list, 0); break;
        case 1: add_leak(list, "node_get", "lib/node.c", 40, 3); break;
        case 2: add_leak(list, "node_get", "lib/node.c", 90, 3); break; // the same names
        case 3: add_leak(list, "node_put", "lib/node.c", 140, -1); break;
        case 4: add_hostile(list); break;
        }
    findings_sort(list);
}

static const char *text_of(Buffer *out) {
    buffer_byte(out, 0);
    return (const char *)out->bytes;
}

static void expect(const char *what, const char *got, const char *wanted) {
    if (!strcmp(got, wanted))
        return;
    printf("not ok %s\n---- got\n%s\n---- wanted\n%s\n", what, got, wanted);
    exit(1);
}

static void print(const FindingList *list, bool jsonl, bool all, Buffer *out) {
    ReportOptions options = {.all = all};
    (jsonl ? report_jsonl : report_text)(list, &options, out);
}

// a reader of JSON --------------------------------------------------------------
// Only says whether it is JSON, and ends at the first byte after the value; NULL: it is not.

static const char *json_value(const char *at, u32 depth);

static const char *json_string(const char *at) {
    for (at++; *at != '"'; at++) {
        if ((u8)*at < 32 || *at == 127)
            return NULL;
        if (*at == '\\' && !strchr("\"\\/bfnrtu", *++at))
            return NULL;
    }
    return at + 1;
}

static const char *json_group(const char *at, u32 depth, char end) {
    for (at++; *at != end;) {
        if (end == '}' && (*at != '"' || !(at = json_string(at)) || *at++ != ':'))
            return NULL;
        if (!(at = json_value(at, depth + 1)))
            return NULL;
        if (*at == ',' && at[1] != end)
            at++;
        else if (*at != end)
            return NULL;
    }
    return at + 1;
}

static const char *json_value(const char *at, u32 depth) {
    check(depth < 20);
    if (*at == '"')
        return json_string(at);
    if (*at == '{' || *at == '[')
        return json_group(at, depth, *at == '{' ? '}' : ']');
    static const char *const words[] = {"null", "true", "false"};
    for (u32 i = 0; i < 3; i++)
        if (!strncmp(at, words[i], strlen(words[i])))
            return at + strlen(words[i]);
    char *end;
    double number = strtod(at, &end);
    return end > at && isfinite(number) ? end : NULL;
}

// tests -----------------------------------------------------------------------

static void test_text(void) {
    FindingList list;
    Buffer out = {0};
    findings_begin(&list);
    add_deadlock(&list, 0);
    add_leak(&list, "node_get", "lib/node.c", 40, 3);
    add_leak(&list, "node_put", "lib/node.c", 140, -1);
    findings_sort(&list);
    print(&list, false, false, &out);
    expect("text", text_of(&out),
           " 1. deadlock score 12.00 drivers/char/rtc.c:812 rtc_register\n"
           "    rtc_lock → rtc_task_lock here, rtc_task_lock → rtc_lock there\n"
           "    A  rtc_register drivers/char/rtc.c:812 takes rtc_task_lock holding rtc_lock\n"
           "       (taken at :806), interrupts\n"
           "    B  rtc_task_clear drivers/char/rtc.c:841 takes rtc_lock holding\n"
           "       rtc_task_lock (taken at :850)\n"
           "         called from rtc_unregister :855, from sys_ioctl fs/ioctl.c:99; 1\n"
           "         condition on the way\n"
           "    why: +4.00 two threads; -0.50 one condition on the way\n"
           "\n"
           " 2. lock-leak score 3.00 lib/node.c:35 node_get\n"
           "    returns with struct node.mtx held on one of 3 ways out\n"
           "    node_get lib/node.c:35 takes struct node.mtx\n"
           "    node_get lib/node.c:40 returns holding struct node.mtx (taken at :35), an\n"
           "    error path\n"
           "    elsewhere: node_get lib/node.c:44 lets go of struct node.mtx\n"
           "\n"
           "2 findings: 1 deadlock, 1 lock-leak; 1 more below the line (--all shows them)\n");
    buffer_free(&out);
    findings_free(&list);
    findings_begin(&list);
    findings_sort(&list);
    print(&list, false, false, &out);
    expect("nothing", text_of(&out), "no findings\n");
    buffer_free(&out);
    print(&list, true, false, &out);
    check(!out.size);
    findings_free(&list);
}

static void test_jsonl(void) {
    FindingList list;
    Buffer out = {0}, wanted = {0};
    findings_begin(&list);
    add_deadlock(&list, 0);
    findings_sort(&list);
    print(&list, true, false, &out);
    buffer_format(&wanted, "{\"rank\":1,\"id\":\"%s\"", list.items.items[0]->id);
    buffer_text(&wanted,
                ",\"kind\":\"deadlock\",\"score\":12,"
                "\"message\":\"rtc_lock → rtc_task_lock here, rtc_task_lock → rtc_lock there\","
                "\"object\":\"rtc_task_lock\",\"objects\":[\"rtc_lock\",\"rtc_task_lock\"],\"lock\":\"rtc_lock\","
                "\"file\":\"drivers/char/rtc.c\",\"line\":812,\"function\":\"rtc_register\","
                "\"sites\":[{\"file\":\"drivers/char/rtc.c\",\"line\":812,\"function\":\"rtc_register\","
                "\"role\":\"acquire\",\"lockset\":[\"rtc_lock\",\"interrupts\"],\"callchain\":[\"rtc_register\"],"
                "\"column\":2,\"side\":0,\"conditionals\":0,\"object\":\"rtc_task_lock\",\"note\":\"\","
                "\"held\":[{\"lock\":\"rtc_lock\",\"file\":\"drivers/char/rtc.c\",\"line\":806},"
                "{\"lock\":\"interrupts\",\"file\":\"\",\"line\":0}],\"calls\":[]},"
                "{\"file\":\"drivers/char/rtc.c\",\"line\":841,\"function\":\"rtc_task_clear\",\"role\":\"acquire\","
                "\"lockset\":[\"rtc_task_lock\"],\"callchain\":[\"sys_ioctl\",\"rtc_unregister\",\"rtc_task_clear\"],"
                "\"column\":2,\"side\":1,\"conditionals\":1,\"object\":\"rtc_lock\",\"note\":\"\","
                "\"held\":[{\"lock\":\"rtc_task_lock\",\"file\":\"drivers/char/rtc.c\",\"line\":850}],"
                "\"calls\":[{\"file\":\"fs/ioctl.c\",\"line\":99},{\"file\":\"drivers/char/rtc.c\",\"line\":855}]}],"
                "\"features\":{\"threads\":2,\"z\":0.3333333333333333,\"derived\":\"this function alone\"},"
                "\"reasons\":[{\"points\":4,\"text\":\"two threads\"},"
                "{\"points\":-0.5,\"text\":\"one condition on the way\"}],"
                "\"verdict\":null,\"below_line\":false,\"evidence\":[],\"schema\":1,\"note\":\"\",\"suppressed\":\"\","
                "\"group\":\"\",\"share\":null,\"witness\":null}\n");
    expect("jsonl", text_of(&out), text_of(&wanted));
    buffer_free(&out);
    buffer_free(&wanted);
    findings_free(&list);
}

static void test_order(void) {
    FindingList list, again;
    Buffer out = {0}, other = {0};
    fill(&list, 0);
    fill(&again, 1);
    print(&list, true, true, &out);
    print(&again, true, true, &other);
    expect("order", text_of(&other), text_of(&out));
    static const FindingKind kinds[] = {KIND_DEADLOCK, KIND_LOCK_LEAK, KIND_LOCK_LEAK, KIND_RACE, KIND_LOCK_LEAK};
    for (u32 i = 0; i < 5; i++) {
        check(list.items.items[i]->kind == kinds[i] && strlen(list.items.items[i]->id) == 16);
        for (u32 k = 0; k < i; k++)
            check(strcmp(list.items.items[i]->id, list.items.items[k]->id));
    }
    check(list.items.items[1]->line < list.items.items[2]->line);
    buffer_free(&out);
    buffer_free(&other);
    findings_free(&list);
    findings_free(&again);
}

static void test_fingerprint(void) {
    FindingList list;
    findings_begin(&list);
    add_deadlock(&list, 0);
    add_deadlock(&list, 77);
    add_leak(&list, "f", "a/x.c", 10, 0);
    add_leak(&list, "f", "b/x.c", 20, 5);
    add_leak(&list, "f", "a/y.c", 10, 0);
    add_leak(&list, "g", "a/x.c", 10, 0);
    Key keys[6];
    for (u32 i = 0; i < 6; i++)
        keys[i] = finding_fingerprint(list.items.items[i]);
    check(key_equal(keys[0], keys[1])); // lines moved
    check(key_equal(keys[2], keys[3])); // the directory was renamed
    check(!key_equal(keys[2], keys[4]) && !key_equal(keys[2], keys[5]) && !key_equal(keys[0], keys[2]));
    Finding *turned = findings_add(&list, KIND_DEADLOCK); // the same cycle, begun at the other lock
    turned->object = findings_text(&list, "rtc_lock");
    turned->lock = findings_text(&list, "rtc_task_lock");
    finding_add_object(&list, turned, "rtc_task_lock");
    finding_add_object(&list, turned, "rtc_lock");
    finding_add_site(&list, turned, ROLE_ACQUIRE, "rtc_task_clear", "drivers/char/rtc.c", 1, 1);
    finding_add_site(&list, turned, ROLE_ACQUIRE, "rtc_register", "drivers/char/rtc.c", 2, 1);
    check(key_equal(finding_fingerprint(turned), keys[0]));
    findings_free(&list);
}

static void test_hostile(void) {
    FindingList list;
    Buffer out = {0};
    fill(&list, 0);
    print(&list, false, true, &out);
    const char *text = text_of(&out);
    for (const u8 *at = (const u8 *)text; *at; at++)
        check((*at >= 32 || *at == '\n') && *at != 127);
    check(!strstr(text, "\xe2\x80\xae") && !strstr(text, "\xff") && strstr(text, "\\x1b[2J\\x9b\\xff\\xc3("));
    check(strlen(text) < 20000);
    buffer_free(&out);
    print(&list, true, true, &out);
    u32 lines = 0;
    for (const char *at = text_of(&out); *at; at++, lines++) {
        at = json_value(at, 0);
        check(at && *at == '\n');
    }
    check(lines == 5);
    buffer_free(&out);
    findings_free(&list);
}

static void test_width(void) { // with names of ordinary length nothing passes the margin, in colour neither
    for (u32 width = 60; width < 130; width += 7) {
        FindingList list;
        Buffer out = {0};
        findings_begin(&list);
        for (u32 i = 0; i < 120; i++)
            add_deadlock(&list, i);
        add_leak(&list, "node_get", "lib/node.c", 40, 3);
        findings_sort(&list);
        ReportOptions options = {.all = true, .colour = width % 2, .width = width};
        report_text(&list, &options, &out);
        u32 column = 0;
        for (const char *at = text_of(&out); *at; at++) {
            if (*at == '\033')
                at = strchr(at, 'm');
            else if (((u8)*at & 0xc0) != 0x80)
                column = *at == '\n' ? 0 : column + 1;
            check(column <= width);
        }
        check(!!strstr((char *)out.bytes, "\033[") == options.colour);
        buffer_free(&out);
        findings_free(&list);
    }
}

static void test_store(void) {
    const char *directory = getenv("TMP");
    char path[4096];
    snprintf(path, sizeof path, "%s/findings_test.%d.db", directory ? directory : "/tmp", (int)getpid());
    FindingList list, loaded, heads;
    Buffer out = {0}, again = {0};
    fill(&list, 0);
    Store *store = store_open(path, STORE_WRITE);
    findings_begin(&loaded);
    check(!findings_load(&loaded, store));
    store_set_meta(store, "before", "x", 1); // an open batch must not be in the way
    findings_save(&list, store);
    findings_save(&list, store); // replaces
    store_set_meta(store, "after", "x", 1);
    store_close(store);
    store = store_open(path, STORE_READ);
    check(findings_load(&loaded, store));
    findings_begin(&heads);
    check(findings_load_heads(&heads, store)); // and the rest of each, the last one first
    for (u32 i = heads.items.count; i--;)
        findings_load_rest(&heads, heads.items.items[i], store);
    store_close(store);
    print(&list, true, true, &out);
    print(&heads, true, true, &again);
    expect("loaded-by-parts", text_of(&again), text_of(&out));
    findings_free(&heads);
    again.size = 0;
    print(&loaded, true, true, &again);
    expect("loaded", text_of(&again), text_of(&out));
    findings_sort(&loaded); // the ids come out as they were
    again.size = 0;
    print(&loaded, true, true, &again);
    expect("sorted-again", text_of(&again), text_of(&out));
    unlink(path);
    buffer_free(&out);
    buffer_free(&again);
    findings_free(&list);
    findings_free(&loaded);
}

// Siblings are one entry at the place of the best: ranks count entries, and what is folded comes after them.
static void test_siblings(void) {
    static const char *const groups[] = {"", "a", "b", "a", "a"};
    static const double scores[] = {5, 9, 7, 8, -1}, sorted[] = {9, 7, 5, 8, -1};
    static const u32 ranks[] = {1, 2, 3, 1, 1};
    FindingList list;
    findings_begin(&list);
    for (u32 i = 0; i < 5; i++) {
        char function[8];
        snprintf(function, sizeof function, "f%u", i);
        add_leak(&list, function, "a.c", 10 * (i + 1), scores[i]);
        list.items.items[i]->group = groups[i];
    }
    findings_sort(&list);
    for (u32 i = 0; i < 5; i++) {
        check(list.items.items[i]->score == sorted[i] && list.items.items[i]->rank == ranks[i]);
        check(list.items.items[i]->is_sibling == (i > 2));
    }
    check(findings_entries(&list) == 3);
    findings_free(&list);
}

static void test_share(void) {
    static const struct {
        double share;
        const char *text;
    } cases[] = {{-1, ""},          {0.5, "5 in 10"},   {0.7, "7 in 10"}, {0.731, "7 in 10"},    {0.1, "1 in 10"},
                 {0.04, "1 in 25"}, {0.95, "19 in 20"}, {0.9, "9 in 10"}, {0.0001, "1 in 1000"}, {0.002, "1 in 500"}};
    for (u32 i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[16];
        share_text(cases[i].share, text);
        if (strcmp(text, cases[i].text))
            die("share %g is said as '%s', not '%s'", cases[i].share, text, cases[i].text);
    }
}

int main(void) {
    test_share();
    test_siblings();
    test_text();
    test_jsonl();
    test_order();
    test_fingerprint();
    test_hostile();
    test_width();
    test_store();
    return 0;
}
