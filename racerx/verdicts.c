// verdicts.c: what reviewers said of findings, in the database.
// In: verdicts, one at a time, from any number of reviewers. Out: the last one of each finding, and the history.
//
// Rows are only ever added (verdicts.sql), each in a transaction of its own: of two reviewers who judge the same finding
// neither loses anything, the later one counts. Ids are made of names, so verdicts outlive moved lines and new runs.
#include "extract/store.h"
#include "racerx/findings.h"

#include <sqlite3.h>
#include <time.h>

extern const char verdicts_sql[];

static void must(Store *store, int code) {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
        store_fail(store, sqlite3_extended_errcode(store_handle(store)));
}

static bool has_verdicts(Store *store) {
    sqlite3_stmt *statement;
    must(store, sqlite3_prepare_v2(store_handle(store), "SELECT 1 FROM sqlite_schema WHERE name = 'verdicts_given'", -1,
                                   &statement, NULL));
    int code = sqlite3_step(statement);
    must(store, code);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW;
}

void verdicts_make(Store *store) { must(store, sqlite3_exec(store_handle(store), verdicts_sql, NULL, NULL, NULL)); }

static const char *column_text(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

// By id: a list may be long, and so may be what was said of it.
typedef struct {
    const char *id;
    Finding *finding;
} ById;

static int compare_ids(const void *a, const void *b) { return strcmp(((const ById *)a)->id, ((const ById *)b)->id); }

static void load_one(FindingList *self, const ById *sorted, sqlite3_stmt *statement) {
    ById wanted = {.id = column_text(statement, 0)};
    const ById *at = bsearch(&wanted, sorted, self->items.count, sizeof *sorted, compare_ids);
    Verdict verdict;
    if (!at || !verdict_by_word(column_text(statement, 1), &verdict)) // a word of a later version: as if not reviewed
        return;
    at->finding->verdict = verdict;
    at->finding->note = findings_text(self, "%s", column_text(statement, 2));
}

void verdicts_load(FindingList *self, Store *store) {
    sqlite3_stmt *statement;
    int code;
    if (!self->items.count || !has_verdicts(store))
        return;
    ById *sorted = must_alloc(sizeof *sorted * self->items.count);
    for (u32 i = 0; i < self->items.count; i++)
        sorted[i] = (ById){self->items.items[i]->id, self->items.items[i]};
    qsort(sorted, self->items.count, sizeof *sorted, compare_ids);
    must(store, sqlite3_prepare_v2(store_handle(store), "SELECT id, verdict, note FROM verdicts", -1, &statement, NULL));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        load_one(self, sorted, statement);
    must(store, code);
    sqlite3_finalize(statement);
    free(sorted);
}

i64 verdict_add(Store *store, const Finding *finding, Verdict verdict, const char *note, const char *reviewer) {
    const char *texts[] = {finding->id, verdict_word(verdict), note, reviewer, kind_word(finding->kind), finding->object,
                           finding->lock, finding->file, finding->function};
    sqlite3_stmt *statement;
    if (sqlite3_get_autocommit(store_handle(store))) // a run can be repeated, a verdict not: not even a power failure may take it
        must(store, sqlite3_exec(store_handle(store), "PRAGMA synchronous = FULL", NULL, NULL, NULL));
    verdicts_make(store);
    must(store, sqlite3_prepare_v2(store_handle(store),
                                   "INSERT INTO verdicts_given (id, verdict, note, reviewer, kind, object, lock, file,"
                                   " function, time) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                                   -1, &statement, NULL));
    for (int i = 0; i < 9; i++)
        must(store, sqlite3_bind_text64(statement, i + 1, texts[i], strlen(texts[i]), SQLITE_STATIC, SQLITE_UTF8));
    must(store, sqlite3_bind_int64(statement, 10, (i64)time(NULL)));
    must(store, sqlite3_step(statement));
    sqlite3_finalize(statement);
    return sqlite3_last_insert_rowid(store_handle(store));
}

void verdict_history(Store *store, FindingList *texts, const char *id, GivenVerdictArray *out) {
    sqlite3_stmt *statement;
    int code;
    if (!has_verdicts(store))
        return;
    must(store, sqlite3_prepare_v2(store_handle(store),
                                   "SELECT sequence, verdict, note, reviewer, time FROM verdicts_given WHERE id = ?1"
                                   " ORDER BY sequence",
                                   -1, &statement, NULL));
    must(store, sqlite3_bind_text64(statement, 1, id, strlen(id), SQLITE_STATIC, SQLITE_UTF8));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        GivenVerdict given = {.sequence = sqlite3_column_int64(statement, 0),
                              .note = findings_text(texts, "%s", column_text(statement, 2)),
                              .reviewer = findings_text(texts, "%s", column_text(statement, 3)),
                              .time = sqlite3_column_int64(statement, 4)};
        if (verdict_by_word(column_text(statement, 1), &given.verdict))
            array_push(out, given);
    }
    must(store, code);
    sqlite3_finalize(statement);
}

void verdict_log(Store *store, FindingList *texts, LoggedVerdictArray *out) {
    sqlite3_stmt *statement;
    int code;
    if (!has_verdicts(store))
        return;
    must(store, sqlite3_prepare_v2(store_handle(store),
                                   "SELECT id, sequence, reviewer FROM verdicts_given ORDER BY id, sequence", -1, &statement,
                                   NULL));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        LoggedVerdict logged = {.id = findings_text(texts, "%s", column_text(statement, 0)),
                                .sequence = sqlite3_column_int64(statement, 1),
                                .reviewer = findings_text(texts, "%s", column_text(statement, 2))};
        array_push(out, logged);
    }
    must(store, code);
    sqlite3_finalize(statement);
}
