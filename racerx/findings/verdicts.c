// verdicts.c: what reviewers said of findings, in the file beside the database and in a table of it.
// In: verdicts, one at a time, from any number of reviewers. Out: the last one of each finding, and the history.
//
// The file is the truth (verdict_lines.c). The table is what SQL and the history read: a verdict goes into both, and
// what only the file has comes into the table when findings are saved. Before there were files there were only tables:
// the first verdict writes what such a table has into the file. Rows are only ever added (verdicts.sql), each in a
// transaction of its own: of two reviewers who judge the same finding neither loses anything, the later one counts. Ids
// are made of names, so verdicts outlive moved lines and new runs.
#include "extract/store.h"
#include "racerx/findings/findings.h"

#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

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

// lines and rows --------------------------------------------------------------------

enum { TABLE_FINGERPRINT = 1 }; // of ids before there were files

static const char row_columns[] = "id, verdict, note, reviewer, kind, object, lock, file, function, time";

static void read_rows(Store *store, FindingList *texts, VerdictLineArray *out) {
    sqlite3_stmt *statement;
    char sql[160];
    int code;
    if (!has_verdicts(store))
        return;
    snprintf(sql, sizeof sql, "SELECT %s FROM verdicts_given ORDER BY sequence", row_columns);
    must(store, sqlite3_prepare_v2(store_handle(store), sql, -1, &statement, NULL));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        VerdictLine line = {.fingerprint = TABLE_FINGERPRINT, .time = sqlite3_column_int64(statement, 9)};
        const char **const into[] = {&line.id,     NULL,       &line.note, &line.reviewer, &line.kind,
                                     &line.object, &line.lock, &line.file, &line.function};
        for (u32 i = 0; i < 9; i++)
            if (into[i])
                *into[i] = findings_text(texts, "%s", column_text(statement, (int)i));
        if (verdict_by_word(column_text(statement, 1), &line.verdict)) // a word of a later version: as if not reviewed
            array_push(out, line);
    }
    must(store, code);
    sqlite3_finalize(statement);
}

static i64 add_row(Store *store, const VerdictLine *line) {
    const char *texts[] = {line->id,      verdict_word(line->verdict),
                           line->note,    line->reviewer,
                           line->kind,    line->object,
                           line->lock,    line->file,
                           line->function};
    sqlite3_stmt *statement;
    char sql[200];
    snprintf(sql, sizeof sql, "INSERT INTO verdicts_given (%s) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
             row_columns);
    must(store, sqlite3_prepare_v2(store_handle(store), sql, -1, &statement, NULL));
    for (int i = 0; i < 9; i++)
        must(store, sqlite3_bind_text64(statement, i + 1, texts[i], strlen(texts[i]), SQLITE_STATIC, SQLITE_UTF8));
    must(store, sqlite3_bind_int64(statement, 10, line->time));
    must(store, sqlite3_step(statement));
    sqlite3_finalize(statement);
    return sqlite3_last_insert_rowid(store_handle(store));
}

static u64 line_key(const VerdictLine *line) {
    u64 key = hash_mix((u64)line->time, (u64)line->verdict);
    const char *const texts[] = {line->id, line->note, line->reviewer};
    for (u32 i = 0; i < 3; i++)
        key = hash_bytes(texts[i], strlen(texts[i]) + 1, key);
    return key;
}

void verdicts_mirror(Store *store) {
    FindingList texts;
    VerdictLineArray lines = {0}, rows = {0};
    Map known = {0};
    char *path = verdicts_path(store);
    findings_begin(&texts);
    if (verdict_lines_read(path, &texts, &lines))
        read_rows(store, &texts, &rows);
    for (u32 i = 0; i < rows.count; i++)
        map_put(&known, line_key(&rows.items[i]), NULL);
    for (u32 i = 0; i < lines.count; i++)
        if (*lines.items[i].id && !map_get(&known, line_key(&lines.items[i])))
            add_row(store, &lines.items[i]);
    map_free(&known);
    array_free(&lines);
    array_free(&rows);
    findings_free(&texts);
    free(path);
}

// loading ---------------------------------------------------------------------------

// By id: a list may be long, and so may be what was said of it.
typedef struct {
    const char *id;
    Finding *finding;
} ById;

static int compare_ids(const void *a, const void *b) { return strcmp(((const ById *)a)->id, ((const ById *)b)->id); }

static void judge(Finding *finding, const VerdictLine *line) {
    bool taken_back = line->verdict == VERDICT_NONE;
    finding->verdict = line->verdict;
    finding->note = taken_back ? "" : line->note;
    finding->reviewer = taken_back ? "" : line->reviewer;
    finding->judged = taken_back ? 0 : line->time;
}

// What is known by its id counts; a verdict on an id of other rules serves where nothing else does.
static void apply_lines(FindingList *self, const ById *sorted, const VerdictLineArray *lines) {
    VerdictLineArray strangers = {0};
    Map decided = {0}; // findings that a later one was about
    for (u32 i = 0; i < lines->count; i++) {
        ById wanted = {.id = lines->items[i].id};
        const ById *at = bsearch(&wanted, sorted, self->items.count, sizeof *sorted, compare_ids);
        if (at)
            judge(at->finding, &lines->items[i]);
        else if (lines->items[i].fingerprint != FINGERPRINT_VERSION)
            array_push(&strangers, lines->items[i]);
    }
    for (u32 i = strangers.count; i-- > 0;) { // the last one first
        Finding *finding = verdict_line_fits(self, &strangers.items[i]);
        bool is_new = false;
        if (finding)
            map_put(&decided, (u64)(uintptr_t)finding, &is_new);
        if (is_new && !finding->verdict)
            judge(finding, &strangers.items[i]);
    }
    map_free(&decided);
    array_free(&strangers);
}

void verdicts_load(FindingList *self, Store *store) {
    VerdictLineArray lines = {0};
    char *path = verdicts_path(store);
    if (!self->items.count) {
        free(path);
        return;
    }
    if (!verdict_lines_read(path, self, &lines))
        read_rows(store, self, &lines);
    ById *sorted = must_alloc(sizeof *sorted * self->items.count);
    for (u32 i = 0; i < self->items.count; i++)
        sorted[i] = (ById){self->items.items[i]->id, self->items.items[i]};
    qsort(sorted, self->items.count, sizeof *sorted, compare_ids);
    apply_lines(self, sorted, &lines);
    free(sorted);
    free(path);
    array_free(&lines);
}

// giving ----------------------------------------------------------------------------

// What was said before there was a file.
static void write_rows(Store *store, const char *path) {
    FindingList texts;
    VerdictLineArray rows = {0};
    Buffer out = {0};
    findings_begin(&texts);
    read_rows(store, &texts, &rows);
    for (u32 i = 0; i < rows.count; i++)
        verdict_line_put(&out, &rows.items[i]);
    if (rows.count)
        verdict_lines_append(path, &out);
    buffer_free(&out);
    array_free(&rows);
    findings_free(&texts);
}

void verdict_lines_load(Store *store, FindingList *texts, VerdictLineArray *out) {
    char *path = verdicts_path(store);
    if (!verdict_lines_read(path, texts, out))
        read_rows(store, texts, out);
    free(path);
}

i64 verdict_add(Store *store, const Finding *finding, Verdict verdict, const char *note, const char *reviewer) {
    VerdictLine line = verdict_line_of(finding, verdict, note, reviewer, (i64)time(NULL));
    return verdict_add_line(store, &line);
}

i64 verdict_add_line(Store *store, const VerdictLine *line) {
    char *path = verdicts_path(store);
    Buffer text = {0};
    if (sqlite3_get_autocommit(
            store_handle(store))) // a run can be repeated, a verdict not: not even a power failure may take it
        must(store, sqlite3_exec(store_handle(store), "PRAGMA synchronous = FULL", NULL, NULL, NULL));
    verdicts_make(store);
    verdict_line_put(&text, line);
    if (path && access(path, F_OK))
        write_rows(store, path);
    if (path)
        verdict_lines_append(path, &text);
    i64 sequence = add_row(store, line);
    buffer_free(&text);
    free(path);
    return sequence;
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
                                   "SELECT id, sequence, reviewer FROM verdicts_given ORDER BY id, sequence", -1,
                                   &statement, NULL));
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        LoggedVerdict logged = {.id = findings_text(texts, "%s", column_text(statement, 0)),
                                .sequence = sqlite3_column_int64(statement, 1),
                                .reviewer = findings_text(texts, "%s", column_text(statement, 2))};
        array_push(out, logged);
    }
    must(store, code);
    sqlite3_finalize(statement);
}
