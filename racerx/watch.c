// watch.c: whether the database still is what was loaded, for a program that shows it for hours.
// In: its path. Out: numbers that change when its findings or its verdicts do.
//
// Nobody is kept waiting and nothing is fatal here: another racerx may be writing for minutes, the file may have been
// moved away. The connection is closed again at once, so that no lock outlives the question.
#include "extract/store.h"
#include "racerx/findings.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { PATIENCE = 200 }; // milliseconds that a commit may take

static bool ask(sqlite3 *db, const char *sql, i64 *out) {
    sqlite3_stmt *statement = NULL;
    bool known = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
    *out = known ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return known;
}

// The tables are dropped and made anew with the findings, and SQLite counts that: schema_version.
static bool ask_all(sqlite3 *db, StoreState *out) {
    i64 version;
    sqlite3_busy_timeout(db, PATIENCE);
    if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) || !ask(db, "SELECT value FROM meta WHERE name = 'findings'", &version) ||
        version != FINDINGS_TABLES || !ask(db, "PRAGMA schema_version", &out->findings))
        return false;
    if (!ask(db, "SELECT coalesce(max(sequence), 0) FROM verdicts_given", &out->sequence))
        return ask(db, "SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'verdicts_given')", &out->sequence);
    return true;
}

bool findings_watch(const char *path, StoreState *out) {
    sqlite3 *db = NULL;
    struct stat info;
    path = path ? path : STORE_DEFAULT_PATH;
    if (stat(path, &info) || !S_ISREG(info.st_mode))
        return false;
    out->file = hash_mix((u64)info.st_dev, (u64)info.st_ino);
    // For writing, as the store does: a killed run's journal must be undone.
    bool known = !sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) && ask_all(db, out);
    sqlite3_close(db);
    return known;
}
