// watch.c: whether the database still is what was loaded, for a program that shows it for hours.
// In: its path. Out: numbers that change when its findings or its verdicts do.
//
// Nobody is kept waiting and nothing is fatal here: another racerx may be writing for minutes, the file may have been
// moved away. The connection is closed again at once, so that no lock outlives the question.
#include "extract/store.h"
#include "racerx/findings/findings.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { PATIENCE = 200 }; // milliseconds that a commit may take

// SQLite's code; SQLITE_ROW when there is an answer.
static int ask(sqlite3 *db, const char *sql, i64 *out) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    *out = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return code;
}

// The tables are dropped and made anew with the findings, and SQLite counts that: schema_version.
static int ask_all(sqlite3 *db, StoreState *out) {
    static const char *const questions[] = {"SELECT value FROM meta WHERE name = 'findings'", "PRAGMA schema_version",
                                            "SELECT count(*) FROM sqlite_schema WHERE name = 'verdicts_given'",
                                            "SELECT coalesce(max(sequence), 0) FROM verdicts_given"};
    i64 answers[4] = {0};
    int code = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL); // all of one state
    for (u32 i = 0; i < 4 && (code == SQLITE_OK || code == SQLITE_ROW) && (i < 3 || answers[2]); i++)
        code = ask(db, questions[i], &answers[i]);
    out->findings = answers[1];
    out->sequence = answers[3];
    return code == SQLITE_ROW && answers[0] != FINDINGS_TABLES ? SQLITE_ERROR : code;
}

WatchResult findings_watch(const char *path, StoreState *out) {
    sqlite3 *db = NULL;
    struct stat info;
    path = path ? path : store_default();
    if (stat(path, &info) || !S_ISREG(info.st_mode))
        return WATCH_LOST;
    out->file = hash_mix((u64)info.st_dev, (u64)info.st_ino);
    // For writing, as the store does: a killed run's journal must be undone.
    int code = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_busy_timeout(db, PATIENCE);
    if (code == SQLITE_OK)
        code = ask_all(db, out);
    sqlite3_close(db);
    return code == SQLITE_ROW ? WATCH_KNOWN : code == SQLITE_BUSY || code == SQLITE_LOCKED ? WATCH_BUSY : WATCH_LOST;
}
