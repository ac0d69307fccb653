// guards_test.c: guards filled by hand: kept in a database, printed as text and as JSON lines; names made to do harm;
// as many as a whole kernel has.
#include "extract/store.h"
#include "racerx/findings/findings.h"
#include "reports/reports.h"

#include <math.h>
#include <unistd.h>

static const char evil[] = "a\"\\\n\r\033[2J\x9b\xff %s%n\x7f";

static void expect(const char *what, const char *got, const char *wanted) {
    if (!strcmp(got, wanted))
        return;
    printf("not ok %s\n---- got\n%s\n---- wanted\n%s\n", what, got, wanted);
    exit(1);
}

static const char *print(const FindingList *list, bool jsonl, u32 most, Buffer *out) {
    ReportOptions options = {.most = most};
    out->size = 0;
    report_guards(list, &options, jsonl, out);
    buffer_byte(out, 0);
    return (const char *)out->bytes;
}

static void fill(FindingList *list) {
    findings_begin(list);
    GuardRow sure = {.object = "jiffies_64",
                     .lock = "xtime_lock",
                     .with = 12,
                     .z = 1.1547,
                     .with_any = 12,
                     .z_any = 1.1547,
                     .only = 3,
                     .first = 2,
                     .last = 4};
    findings_add_guard(list, &sure);
    GuardRow weak = {.object = "struct node.count",
                     .lock = "struct node.mtx",
                     .with = 9,
                     .without = 8,
                     .same = 9,
                     .z = -0.001,
                     .with_any = 10,
                     .without_any = 7,
                     .z_any = NAN,
                     .lines = 7};
    GuardRow *row = findings_add_guard(list, &weak);
    guard_add_exception(list, row, &(GuardException){ROLE_UNPROTECTED_WRITE, "fs/node.c", 12, "node_reset"});
    guard_add_exception(list, row, &(GuardException){ROLE_WRONG_LOCK_READ, "fs/node.c", 40, "node_peek"});
}

static void test_print(void) {
    FindingList list;
    Buffer out = {0};
    fill(&list);
    expect("text", print(&list, false, 0, &out),
           "         S      F       z   same   S any  F any   z any   only first  last\n"
           "jiffies_64 under xtime_lock\n"
           "        12      0    1.15      0      12      0    1.15      3     2     4\n"
           "struct node.count under struct node.mtx\n"
           "         9      8    0.00      9      10      7    0.00      0     0     0\n"
           "    not in node_reset fs/node.c:12 (writes)\n"
           "    not in node_peek fs/node.c:40 (reads, wrong lock)\n"
           "    and 5 more lines\n");
    expect(
        "jsonl", print(&list, true, 0, &out),
        "{\"object\":\"jiffies_64\",\"lock\":\"xtime_lock\",\"s\":12,\"f\":0,\"z\":1.15,\"s_any\":12,\"f_any\":0,\"z_"
        "any\":1.15,"
        "\"same_object\":0,\"only\":3,\"first\":2,\"last\":4,\"exceptions\":[],\"more\":0}\n"
        "{\"object\":\"struct node.count\",\"lock\":\"struct "
        "node.mtx\",\"s\":9,\"f\":8,\"z\":0.00,\"s_any\":10,\"f_any\":7,\"z_any\":0.00,"
        "\"same_object\":9,\"only\":0,\"first\":0,\"last\":0,\"exceptions\":["
        "{\"file\":\"fs/node.c\",\"line\":12,\"function\":\"node_reset\",\"role\":\"unprotected-write\"},"
        "{\"file\":\"fs/node.c\",\"line\":40,\"function\":\"node_peek\",\"role\":\"wrong-lock-read\"}],\"more\":5}\n");
    expect("top", print(&list, false, 1, &out),
           "         S      F       z   same   S any  F any   z any   only first  last\n"
           "jiffies_64 under xtime_lock\n"
           "        12      0    1.15      0      12      0    1.15      3     2     4\n"
           "1 of 2 objects\n");
    buffer_free(&out);
    findings_free(&list);
}

// With names that fit on a line, no line passes the margin; a terminal is told nothing but text.
static void test_width(void) {
    FindingList list;
    Buffer out = {0};
    char name[64];
    memset(name, 'n', 60);
    findings_begin(&list);
    for (u32 length = 1; length <= 60; length++) {
        name[length] = 0;
        GuardRow row = {.object = name,
                        .lock = name,
                        .with = UINT32_MAX / 10000,
                        .without = 999999,
                        .same = 1,
                        .z = -999.99,
                        .lines = 1};
        guard_add_exception(
            &list, findings_add_guard(&list, &row),
            &(GuardException){ROLE_WRONG_LOCK_WRITE, name + (length > 45 ? length - 45 : 0), 123456, "function"});
        name[length] = 'n';
    }
    for (const char *line = print(&list, false, 0, &out), *end; (end = strchr(line, '\n')); line = end + 1)
        if (end - line > 80) {
            printf("not ok width: %.*s\n", (int)(end - line), line);
            exit(1);
        }
    GuardRow row = {.object = evil, .lock = evil, .with = 1, .without = 1, .lines = 1};
    guard_add_exception(&list, findings_add_guard(&list, &row), &(GuardException){ROLE_CALL, evil, UINT32_MAX, evil});
    for (const char *at = print(&list, false, 0, &out); *at; at++)
        check((u8)*at >= ' ' ? (u8)*at < 127 : *at == '\n'); // none of its bytes is UTF-8 either
    findings_add_semaphore(&list, &(SemaphoreRow){.name = evil});
    out.size = 0;
    report_semaphores(&list, false, &out);
    for (size_t i = 0; i < out.size; i++)
        check(out.bytes[i] >= ' ' ? out.bytes[i] < 127 : out.bytes[i] == '\n');
    buffer_free(&out);
    findings_free(&list);
}

static void test_store(void) {
    enum { MANY = 100000 };
    const char *directory = getenv("TMP");
    char path[4096], name[64];
    snprintf(path, sizeof path, "%s/guards_test.%d.db", directory ? directory : "/tmp", (int)getpid());
    FindingList list, loaded, only;
    Buffer out = {0}, again = {0};
    fill(&list);
    GuardRow row = {.object = evil, .lock = evil, .z = -INFINITY};
    guard_add_exception(&list, findings_add_guard(&list, &row), &(GuardException){ROLE_CALL, evil, UINT32_MAX, evil});
    for (u32 i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "struct s%u.field", i);
        findings_add_guard(&list, &(GuardRow){.object = name, .lock = "struct s.lock", .with = i});
    }
    Store *store = store_open(path, STORE_WRITE);
    findings_begin(&only);
    check(!findings_load_guards(&only, store, NULL));
    double start = clock_seconds();
    findings_save(&list, store);
    findings_save(&list, store); // replaces
    store_close(store);
    store = store_open(path, STORE_READ);
    findings_begin(&loaded);
    check(findings_load(&loaded, store) && findings_load_guards(&only, store, NULL));
    store_close(store);
    check(clock_seconds() - start < 20); // a second or two
    check(only.guards.count == MANY + 3 && isfinite(only.guards.items[2].z));
    expect("loaded", print(&loaded, true, 0, &again), print(&list, true, 0, &out));
    expect("only-guards", print(&only, true, 0, &again), print(&list, true, 0, &out));
    unlink(path);
    buffer_free(&out);
    buffer_free(&again);
    findings_free(&list);
    findings_free(&loaded);
    findings_free(&only);
}

int main(void) {
    test_print();
    test_width();
    test_store();
    return 0;
}
