// order_table_test.c: the lock order in the database: as many constraints as a whole kernel has, ranked again without
// losing them, and what the view makes of them.
#include "extract/store.h"
#include "racerx/findings/findings.h"

#include <sqlite3.h>
#include <unistd.h>

enum { MANY = 366590, LOCKS = 20000, FUNCTIONS = 60000 };

static void fill(FindingList *list) {
    char name[64];
    findings_begin(list);
    for (u32 i = 0; i < LOCKS + FUNCTIONS; i++) {
        snprintf(name, sizeof name, i < LOCKS ? "struct device_state_%u.lock" : "some_subsystem_function_%u", i);
        check(findings_add_name(list, name) == i + 1);
    }
    u32 file = findings_add_name(list, "drivers/some/where/file.c");
    for (u32 i = 0; i < MANY; i++) {
        OrderRow row = {.before = 1 + i / 20,
                        .after = 1 + (i * 7919u) % LOCKS,
                        .function = 1 + LOCKS + i % FUNCTIONS,
                        .file = file,
                        .line = i + 1,
                        .held_file = i % 2 ? file : 0,
                        .held_line = i % 2 ? i : 0,
                        .places = 1 + i % 5,
                        .gate = i % 3 ? 0 : 1,
                        .tried = i % 7 == 0};
        findings_add_order(list, &row);
    }
    list->has_orders = true;
}

static i64 ask(Store *store, const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(store_handle(store), sql, -1, &statement, NULL) == SQLITE_OK);
    check(sqlite3_step(statement) == SQLITE_ROW);
    i64 value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

int main(void) {
    const char *directory = getenv("TMP");
    char path[4096];
    snprintf(path, sizeof path, "%s/order_table_test.%d.db", directory ? directory : "/tmp", (int)getpid());
    FindingList list, none;
    fill(&list);
    findings_begin(&none);
    Store *store = store_open(path, STORE_WRITE);
    findings_save(&none, store); // ranked before anything was walked: an empty table
    check(ask(store, "SELECT count(*) FROM lock_order") == 0);
    double start = clock_seconds();
    findings_save(&list, store);
    printf("%u constraints saved in %.2f s\n", MANY, clock_seconds() - start);
    check(clock_seconds() - start < 20); // about a second
    check(ask(store, "SELECT count(*) FROM lock_order") == MANY);
    check(ask(store,
              "SELECT line FROM lock_order WHERE before = 'struct device_state_2.lock' AND held_line <> 0 LIMIT 1") ==
          42);
    check(ask(store, "SELECT count(*) FROM lock_order WHERE gate <> ''") == (MANY + 2) / 3);
    check(ask(store, "SELECT count(*) FROM lock_order WHERE findings <> ''") == 0);
    findings_save(&none, store); // ranked again: they stay
    check(ask(store, "SELECT count(*) FROM lock_order") == MANY);
    none.has_orders = true; // walked again, and there are none
    findings_save(&none, store);
    check(ask(store, "SELECT count(*) FROM lock_order") == 0);
    store_close(store);
    unlink(path);
    findings_free(&list);
    findings_free(&none);
    return 0;
}
