// store.c: findings in the database, and back.
// In: a FindingList. Out: the rows of findings.sql, and from them the same list.
//
// Saving drops the tables and makes them again, in one transaction: no layout of an older version stays behind, and a
// run that is killed leaves the findings of the run before it. Loading trusts nothing: the file may be damaged.
#include "extract/store.h"
#include "racerx/findings/findings.h"

#include <math.h>
#include <sqlite3.h>

extern const char findings_sql[];

// Of an older version, or of this one, `findings` may be a table or a view: both are dropped by what they are.
static const char drop_sql[] = "DROP TABLE IF EXISTS finding_rows; DROP TABLE IF EXISTS finding_objects;"
                               "DROP TABLE IF EXISTS features; DROP TABLE IF EXISTS reasons;"
                               "DROP TABLE IF EXISTS site_rows; DROP TABLE IF EXISTS site_locks;"
                               "DROP TABLE IF EXISTS site_calls; DROP TABLE IF EXISTS semaphores;"
                               "DROP TABLE IF EXISTS semaphore_baseline; DROP TABLE IF EXISTS guards;"
                               "DROP TABLE IF EXISTS guard_exceptions; DROP TABLE IF EXISTS facts;"
                               "DROP TABLE IF EXISTS settings; DROP TABLE IF EXISTS suppressions";

typedef struct {
    Store *store;
    sqlite3 *db;
    sqlite3_stmt *statement; // the one in use
    int column;              // bound or read last in it
    Finding *only;           // loading: only what belongs to this one; NULL: everything
} Session;

static void session_check(Session *self, int code) {
    if (code != SQLITE_OK)
        store_fail(self->store, sqlite3_extended_errcode(self->db));
}

static void session_exec(Session *self, const char *sql) {
    session_check(self, sqlite3_exec(self->db, sql, NULL, NULL, NULL));
}

static void session_prepare(Session *self, const char *sql) {
    session_check(self, sqlite3_prepare_v2(self->db, sql, -1, &self->statement, NULL));
    self->column = 0;
}

static void session_end(Session *self) {
    sqlite3_finalize(self->statement);
    self->statement = NULL;
}

// True when there is a row.
static bool session_step(Session *self) {
    int code = sqlite3_step(self->statement);
    self->column = 0;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        store_fail(self->store, sqlite3_extended_errcode(self->db));
    return code == SQLITE_ROW;
}

// Names that were tables once, and are views now.
static void drop_names(Session *self) {
    static const char *const names[] = {"findings", "sites", "lock_order"};
    for (u32 i = 0; i < sizeof names / sizeof *names; i++) {
        char sql[96];
        snprintf(sql, sizeof sql, "SELECT type = 'view' FROM sqlite_schema WHERE name = '%s'", names[i]);
        session_prepare(self, sql);
        bool there = session_step(self);
        bool is_view = there && sqlite3_column_int(self->statement, 0);
        session_end(self);
        snprintf(sql, sizeof sql, "DROP %s %s", is_view ? "VIEW" : "TABLE", names[i]);
        if (there)
            session_exec(self, sql);
    }
}

// saving ----------------------------------------------------------------------

static void put_number(Session *self, i64 value) {
    session_check(self, sqlite3_bind_int64(self->statement, ++self->column, value));
}

static void put_real(Session *self, double value) {
    session_check(self, sqlite3_bind_double(self->statement, ++self->column, value));
}

static void put_nothing(Session *self) { session_check(self, sqlite3_bind_null(self->statement, ++self->column)); }

static void put_text(Session *self, const char *text) {
    session_check(self,
                  sqlite3_bind_text64(self->statement, ++self->column, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8));
}

static void put_row(Session *self) {
    session_step(self);
    sqlite3_reset(self->statement);
}

static void save_heads(Session *self, const FindingList *list) {
    session_prepare(
        self, "INSERT INTO finding_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)");
    for (u32 i = 0; i < list->items.count; i++) {
        const Finding *finding = list->items.items[i];
        put_number(self, i + 1);
        put_text(self, finding->id);
        put_text(self, kind_word(finding->kind));
        put_real(self, isfinite(finding->score) ? finding->score : 0);
        put_number(self, finding->below_line);
        put_text(self, finding->message);
        put_text(self, finding->object);
        put_text(self, finding->lock);
        put_text(self, finding->file);
        put_number(self, finding->line);
        put_text(self, finding->function);
        put_text(self, finding->suppressed);
        put_number(self, finding->rank);
        put_text(self, finding->group);
        if (finding->share < 0)
            put_nothing(self);
        else
            put_real(self, finding->share);
        put_row(self);
    }
    session_end(self);
}

// Four statements rather than one at a time for each finding: they are prepared once.
static void save_objects(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO finding_objects VALUES (?1, ?2, ?3)");
    for (u32 i = 0; i < list->items.count; i++)
        for (u32 k = 0; k < list->items.items[i]->objects.count; k++) {
            put_number(self, i + 1);
            put_number(self, k);
            put_text(self, list->items.items[i]->objects.items[k]);
            put_row(self);
        }
    session_end(self);
}

static void save_features(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO features VALUES (?1, ?2, ?3, ?4)");
    for (u32 i = 0; i < list->items.count; i++)
        for (u32 k = 0; k < list->items.items[i]->features.count; k++) {
            const Feature *feature = &list->items.items[i]->features.items[k];
            put_number(self, i + 1);
            put_number(self, k);
            put_text(self, feature->name);
            if (feature->text)
                put_text(self, feature->text);
            else
                put_real(self, feature->number);
            put_row(self);
        }
    session_end(self);
}

static void save_reasons(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO reasons VALUES (?1, ?2, ?3, ?4)");
    for (u32 i = 0; i < list->items.count; i++)
        for (u32 k = 0; k < list->items.items[i]->reasons.count; k++) {
            const Reason *reason = &list->items.items[i]->reasons.items[k];
            put_number(self, i + 1);
            put_number(self, k);
            put_real(self, reason->points);
            put_text(self, reason->text);
            put_row(self);
        }
    session_end(self);
}

typedef void (*SiteFn)(Session *self, const Site *site, i64 id, u32 rank, bool evidence);

// All sites, in the order of their ids.
static void each_site(Session *self, const FindingList *list, const char *sql, SiteFn save) {
    i64 id = 0;
    session_prepare(self, sql);
    for (u32 i = 0; i < list->items.count; i++) {
        const Finding *finding = list->items.items[i];
        for (u32 k = 0; k < finding->sites.count; k++)
            save(self, &finding->sites.items[k], ++id, i + 1, false);
        for (u32 k = 0; k < finding->evidence.count; k++)
            save(self, &finding->evidence.items[k], ++id, i + 1, true);
    }
    session_end(self);
}

static void save_site(Session *self, const Site *site, i64 id, u32 rank, bool evidence) {
    put_number(self, id);
    put_number(self, rank);
    put_number(self, evidence);
    put_number(self, site->side);
    put_text(self, role_word(site->role));
    put_text(self, site->file);
    put_number(self, site->line);
    put_number(self, site->column);
    put_text(self, site->function);
    put_text(self, site->object);
    put_text(self, site->note);
    put_number(self, site->conditionals);
    put_row(self);
}

static void save_locks(Session *self, const Site *site, i64 id, u32 rank, bool evidence) {
    (void)rank, (void)evidence;
    for (u32 i = 0; i < site->lockset.count; i++) {
        put_number(self, id);
        put_number(self, i);
        put_text(self, site->lockset.items[i].name);
        put_text(self, site->lockset.items[i].file);
        put_number(self, site->lockset.items[i].line);
        put_row(self);
    }
}

static void save_calls(Session *self, const Site *site, i64 id, u32 rank, bool evidence) {
    (void)rank, (void)evidence;
    for (u32 i = 0; i < site->callchain.count; i++) {
        put_number(self, id);
        put_number(self, i);
        put_text(self, site->callchain.items[i].function);
        put_text(self, site->callchain.items[i].file);
        put_number(self, site->callchain.items[i].line);
        put_row(self);
    }
}

static void save_semaphores(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO semaphores VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (u32 i = 0; i < list->semaphores.count; i++) {
        const SemaphoreRow *row = &list->semaphores.items[i];
        put_number(self, i + 1);
        put_text(self, row->name);
        put_number(self, row->downs);
        put_number(self, row->paired);
        put_number(self, row->spurious);
        put_real(self, row->z);
        put_number(self, row->scheduling);
        put_row(self);
    }
    session_end(self);
    session_prepare(self, "INSERT INTO semaphore_baseline VALUES (?1, ?2, ?3)");
    put_number(self, list->baseline.downs);
    put_real(self, list->baseline.paired);
    put_real(self, list->baseline.spurious);
    put_row(self);
    session_end(self);
}

static void save_guards(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO guards VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
    for (u32 i = 0; i < list->guards.count; i++) {
        const GuardRow *row = &list->guards.items[i];
        put_number(self, i + 1);
        put_text(self, row->object);
        put_text(self, row->lock);
        put_number(self, row->with);
        put_number(self, row->without);
        put_real(self, row->z);
        put_number(self, row->with_any);
        put_number(self, row->without_any);
        put_real(self, row->z_any);
        put_number(self, row->same);
        put_number(self, row->only);
        put_number(self, row->first);
        put_number(self, row->last);
        put_number(self, row->lines);
        put_row(self);
    }
    session_end(self);
}

static void save_exceptions(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO guard_exceptions VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (u32 i = 0; i < list->guards.count; i++)
        for (u32 k = 0; k < list->guards.items[i].exceptions.count; k++) {
            const GuardException *exception = &list->guards.items[i].exceptions.items[k];
            put_number(self, i + 1);
            put_number(self, k);
            put_text(self, role_word(exception->role));
            put_text(self, exception->file);
            put_number(self, exception->line);
            put_text(self, exception->function);
            put_row(self);
        }
    session_end(self);
}

static void save_facts(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO facts VALUES (?1, ?2, ?3)");
    for (u32 i = 0; i < list->facts.count; i++) {
        put_number(self, i + 1);
        put_text(self, list->facts.items[i].name);
        put_text(self, list->facts.items[i].value);
        put_row(self);
    }
    session_end(self);
}

static void save_names(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO order_names VALUES (?1, ?2)");
    for (u32 i = 0; i < list->names.count || !i; i++) {
        put_number(self, i);
        put_text(self, list->names.count ? list->names.items[i] : "");
        put_row(self);
    }
    session_end(self);
}

static void save_orders(Session *self, const FindingList *list) {
    save_names(self, list);
    session_prepare(self, "INSERT INTO order_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    for (u32 i = 0; i < list->orders.count; i++) {
        const OrderRow *row = &list->orders.items[i];
        const u32 columns[] = {i + 1,          row->before,    row->after,  row->function, row->file, row->line,
                               row->held_file, row->held_line, row->places, row->tried,    row->gate};
        for (u32 k = 0; k < sizeof columns / sizeof *columns; k++)
            put_number(self, columns[k]);
        put_row(self);
    }
    session_end(self);
}

static void save_settings(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO settings VALUES (?1, ?2)");
    for (u32 i = 0; i < list->settings.count; i++) {
        put_text(self, list->settings.items[i].name);
        put_real(self, list->settings.items[i].value);
        put_row(self);
    }
    session_end(self);
}

static void save_suppressions(Session *self, const FindingList *list) {
    session_prepare(self, "INSERT INTO suppressions VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (u32 i = 0; i < list->suppressions.count; i++) {
        const SuppressionRow *row = &list->suppressions.items[i];
        put_number(self, i + 1);
        put_text(self, row->file);
        put_number(self, row->line);
        put_text(self, row->text);
        put_text(self, row->trouble);
        put_number(self, row->used);
        put_row(self);
    }
    session_end(self);
}

static void save_version(Session *self) {
    session_prepare(self, "INSERT OR REPLACE INTO meta VALUES ('findings', ?1)");
    put_number(self, FINDINGS_TABLES);
    put_row(self);
    session_end(self);
}

void findings_save(const FindingList *list, Store *store) {
    Session self = {.store = store, .db = store_handle(store)};
    session_exec(&self, "BEGIN");
    drop_names(&self);
    session_exec(&self, drop_sql);
    if (list->has_orders)
        session_exec(&self, "DROP TABLE IF EXISTS order_rows; DROP TABLE IF EXISTS order_names");
    verdicts_make(store);
    verdicts_mirror(store);
    session_exec(&self, findings_sql);
    save_heads(&self, list);
    save_objects(&self, list);
    save_features(&self, list);
    save_reasons(&self, list);
    each_site(&self, list, "INSERT INTO site_rows VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
              save_site);
    each_site(&self, list, "INSERT INTO site_locks VALUES (?1, ?2, ?3, ?4, ?5)", save_locks);
    each_site(&self, list, "INSERT INTO site_calls VALUES (?1, ?2, ?3, ?4, ?5)", save_calls);
    save_semaphores(&self, list);
    save_guards(&self, list);
    save_exceptions(&self, list);
    save_facts(&self, list);
    if (list->has_orders)
        save_orders(&self, list);
    save_settings(&self, list);
    save_suppressions(&self, list);
    save_version(&self);
    session_exec(&self, "DELETE FROM meta WHERE name = '" FINDINGS_META "'");
    if (fault_point("findings-saved"))
        store_fail(store, SQLITE_FULL);
    session_exec(&self, "COMMIT");
}

// loading ---------------------------------------------------------------------

static _Noreturn void damaged(Session *self) { store_fail(self->store, SQLITE_CORRUPT); }

static u32 get_number(Session *self) {
    i64 value = sqlite3_column_int64(self->statement, self->column++);
    if (value < 0 || value > UINT32_MAX)
        damaged(self);
    return (u32)value;
}

static double get_real(Session *self) { return sqlite3_column_double(self->statement, self->column++); }

static const char *get_text(Session *self) { // good until the next step
    const char *text = (const char *)sqlite3_column_text(self->statement, self->column++);
    return text ? text : "";
}

static u32 get_word(Session *self, const char *(*word)(u32), u32 count) {
    const char *text = get_text(self);
    for (u32 i = 0; i < count; i++)
        if (!strcmp(word(i), text))
            return i;
    damaged(self);
}

static const char *kind_by_number(u32 kind) { return kind_word((FindingKind)kind); }
static const char *role_by_number(u32 role) { return role_word((SiteRole)role); }

static Finding *get_finding(Session *self, FindingList *list) { // by its rank
    u32 rank = get_number(self);
    if (!rank || rank > list->items.count)
        damaged(self);
    return self->only ? self->only : list->items.items[rank - 1];
}

// Rows of every finding, or with `where` those of one.
static void session_select(Session *self, const char *select, const char *where, const char *order) {
    Buffer sql = {0};
    buffer_format(&sql, "%s%s%s%s%c", select, self->only ? " WHERE " : "", self->only ? where : "", order, 0);
    session_prepare(self, (const char *)sql.bytes);
    if (self->only)
        put_number(self, self->only->row);
    buffer_free(&sql);
}

static void load_heads(Session *self, FindingList *list) {
    session_prepare(self,
                    "SELECT rank, kind, id, score, below_line, message, object, lock, file, line, function, suppressed,"
                    " entry, group_id, coalesce(share, -1) FROM finding_rows ORDER BY rank");
    while (session_step(self)) {
        u32 row = get_number(self);
        if (row != list->items.count + 1)
            damaged(self);
        Finding *finding = findings_add(list, (FindingKind)get_word(self, kind_by_number, KIND_COUNT));
        finding->row = row;
        snprintf(finding->id, sizeof finding->id, "%s", get_text(self));
        finding->score = get_real(self);
        finding->below_line = get_number(self) != 0;
        finding->message = findings_text(list, "%s", get_text(self));
        finding->object = findings_text(list, "%s", get_text(self));
        finding->lock = findings_text(list, "%s", get_text(self));
        finding->file = findings_text(list, "%s", get_text(self));
        finding->line = get_number(self);
        finding->function = findings_text(list, "%s", get_text(self));
        finding->suppressed = findings_text(list, "%s", get_text(self));
        finding->rank = get_number(self);
        finding->group = findings_text(list, "%s", get_text(self));
        finding->share = get_real(self);
    }
    session_end(self);
}

static void load_objects(Session *self, FindingList *list) {
    session_prepare(self, "SELECT rank, name FROM finding_objects ORDER BY rank, position");
    while (session_step(self)) {
        Finding *finding = get_finding(self, list);
        finding_add_object(list, finding, get_text(self));
    }
    session_end(self);
}

static void load_rows(Session *self, FindingList *list) {
    session_select(self, "SELECT rank, typeof(value) = 'text', name, value FROM features", "rank = ?1",
                   " ORDER BY rank, position");
    while (session_step(self)) {
        Finding *finding = get_finding(self, list);
        bool is_text = get_number(self) != 0;
        const char *name = get_text(self);
        if (is_text)
            finding_add_text(list, finding, name, get_text(self));
        else
            finding_add_number(list, finding, name, get_real(self));
    }
    session_end(self);
    session_select(self, "SELECT rank, points, text FROM reasons", "rank = ?1", " ORDER BY rank, position");
    while (session_step(self)) {
        Finding *finding = get_finding(self, list);
        double points = get_real(self);
        finding_add_reason(list, finding, points, get_text(self));
    }
    session_end(self);
}

// Where a site went: an array of them moves while it grows.
typedef struct {
    Finding *finding;
    u32 index;
    bool evidence;
} SitePlace;
typedef Array(SitePlace) SitePlaceArray;

static void load_site(Session *self, FindingList *list, SitePlaceArray *places) {
    Finding *finding = get_finding(self, list);
    bool evidence = get_number(self) != 0;
    u32 side = get_number(self);
    SiteRole role = (SiteRole)get_word(self, role_by_number, ROLE_COUNT);
    const char *file = get_text(self);
    u32 line = get_number(self), column = get_number(self);
    const char *function = get_text(self);
    SitePlace place = {finding, evidence ? finding->evidence.count : finding->sites.count, evidence};
    Site *site =
        (evidence ? finding_add_evidence : finding_add_site)(list, finding, role, function, file, line, column);
    site->side = side;
    site->object = findings_text(list, "%s", get_text(self));
    site->note = findings_text(list, "%s", get_text(self));
    site->conditionals = get_number(self);
    array_push(places, place);
}

static Site *get_site(Session *self, const SitePlaceArray *places, u32 before) {
    u32 id = get_number(self);
    if (id <= before || id - before > places->count)
        damaged(self);
    const SitePlace *place = &places->items[id - before - 1];
    return place->evidence ? &place->finding->evidence.items[place->index] : &place->finding->sites.items[place->index];
}

static void load_sites(Session *self, FindingList *list) {
    static const char *const of_one = "site IN (SELECT id FROM site_rows WHERE rank = ?1)";
    SitePlaceArray places = {0};
    u32 before = 0; // the first id less one: they ascend by rank
    session_select(self,
                   "SELECT id, rank, evidence, side, role, file, line, column, function, object, note, conditionals"
                   " FROM site_rows",
                   "rank = ?1", " ORDER BY id");
    while (session_step(self)) {
        u32 id = get_number(self);
        before = self->only && !places.count && id ? id - 1 : before;
        if (id != before + places.count + 1)
            damaged(self);
        load_site(self, list, &places);
    }
    session_end(self);
    session_select(self, "SELECT site, line, name, file FROM site_locks", of_one, " ORDER BY site, position");
    while (session_step(self)) {
        Site *site = get_site(self, &places, before);
        u32 line = get_number(self);
        const char *name = get_text(self);
        site_add_lock(list, site, name, get_text(self), line);
    }
    session_end(self);
    session_select(self, "SELECT site, line, function, file FROM site_calls", of_one, " ORDER BY site, position");
    while (session_step(self)) {
        Site *site = get_site(self, &places, before);
        u32 line = get_number(self);
        const char *function = get_text(self);
        site_add_call(list, site, function, get_text(self), line);
    }
    session_end(self);
    array_free(&places);
}

static void load_semaphores(Session *self, FindingList *list) {
    session_prepare(self, "SELECT downs, paired, spurious, z, scheduling, name FROM semaphores ORDER BY position");
    while (session_step(self)) {
        SemaphoreRow row = {.downs = get_number(self)};
        row.paired = get_number(self);
        row.spurious = get_number(self);
        row.z = get_real(self);
        row.scheduling = get_number(self) != 0;
        row.name = get_text(self);
        findings_add_semaphore(list, &row);
    }
    session_end(self);
    session_prepare(self, "SELECT downs, paired, spurious FROM semaphore_baseline");
    if (session_step(self)) {
        list->baseline.downs = get_number(self);
        list->baseline.paired = get_real(self);
        list->baseline.spurious = get_real(self);
    }
    session_end(self);
}

static GuardRow get_guard(Session *self) { // its texts are good until the next step
    GuardRow row = {.with = get_number(self)};
    row.without = get_number(self);
    row.z = get_real(self);
    row.with_any = get_number(self);
    row.without_any = get_number(self);
    row.z_any = get_real(self);
    row.same = get_number(self);
    row.only = get_number(self);
    row.first = get_number(self);
    row.last = get_number(self);
    row.lines = get_number(self);
    row.object = get_text(self);
    row.lock = get_text(self);
    return row;
}

// Adds to `positions` where each that is wanted stands in the table.
static void load_guards(Session *self, FindingList *list, const GuardFilter *filter, U32Array *positions) {
    u32 before = 0;
    session_prepare(self,
                    "SELECT position, s, f, z, s_any, f_any, z_any, same_object, only, first, last, lines, object, lock"
                    " FROM guards ORDER BY position");
    while (session_step(self)) {
        u32 position = get_number(self);
        if (position != before + 1)
            damaged(self);
        before = position;
        GuardRow row = get_guard(self);
        if (!filter->wanted(filter->context, row.object))
            continue;
        findings_add_guard(list, &row);
        array_push(positions, position);
    }
    session_end(self);
}

static void load_exceptions_of(Session *self, FindingList *list, u32 guard) {
    while (session_step(self)) {
        GuardException exception = {.role = (SiteRole)get_word(self, role_by_number, ROLE_COUNT)};
        exception.line = get_number(self);
        exception.file = get_text(self);
        exception.function = get_text(self);
        guard_add_exception(list, &list->guards.items[guard], &exception);
    }
}

static void load_exceptions(Session *self, FindingList *list, const GuardFilter *filter, const U32Array *positions) {
    session_prepare(self, "SELECT role, line, file, function FROM guard_exceptions WHERE guard = ?1 ORDER BY position");
    for (u32 i = 0; i < positions->count && (!filter->most || i < filter->most); i++) {
        sqlite3_reset(self->statement);
        self->column = 0;
        put_number(self, positions->items[i]);
        load_exceptions_of(self, list, i);
    }
    session_end(self);
}

static bool any_object(void *context, const char *object) {
    (void)context;
    (void)object;
    return true;
}

static void load_guard_rows(Session *self, FindingList *list, const GuardFilter *filter) {
    static const GuardFilter all = {.wanted = any_object};
    U32Array positions = {0};
    filter = filter ? filter : &all;
    load_guards(self, list, filter, &positions);
    load_exceptions(self, list, filter, &positions);
    array_free(&positions);
}

static void load_facts(Session *self, FindingList *list) {
    session_prepare(self, "SELECT name, value FROM facts ORDER BY position");
    while (session_step(self)) {
        const char *name = get_text(self);
        findings_add_fact(list, name, get_text(self));
    }
    session_end(self);
}

static void load_settings(Session *self, FindingList *list) {
    session_prepare(self, "SELECT name, value FROM settings ORDER BY name");
    while (session_step(self)) {
        const char *name = get_text(self);
        findings_add_setting(list, name, get_real(self));
    }
    session_end(self);
}

static void load_suppressions(Session *self, FindingList *list) {
    session_prepare(self, "SELECT line, used, file, text, trouble FROM suppressions ORDER BY position");
    while (session_step(self)) {
        SuppressionRow row = {.line = get_number(self)};
        row.used = get_number(self);
        row.file = get_text(self);
        row.text = get_text(self);
        row.trouble = get_text(self);
        findings_add_suppression(list, &row);
    }
    session_end(self);
}

static bool version_is_ours(Session *self) {
    session_prepare(self, "SELECT value FROM meta WHERE name = 'findings'");
    bool ours = session_step(self) && sqlite3_column_int64(self->statement, 0) == FINDINGS_TABLES;
    session_end(self);
    return ours;
}

// What feedback goes by where it is not in the head: the parties of a deadlock, what is called or let go.
static void load_parties(Session *self, FindingList *list) {
    session_prepare(self,
                    "SELECT s.rank, s.role, s.function, s.object FROM site_rows s JOIN finding_rows f USING (rank)"
                    " WHERE NOT s.evidence AND (f.kind = 'deadlock' OR f.object = '') ORDER BY s.id");
    while (session_step(self)) {
        Finding *finding = get_finding(self, list);
        SiteRole role = (SiteRole)get_word(self, role_by_number, ROLE_COUNT);
        const char *file = finding->file, *function = finding->function;
        u32 line = finding->line;
        Site *site = finding_add_site(list, finding, role, get_text(self), "", 0, 0);
        site->object = findings_text(list, "%s", get_text(self));
        finding->file = file; // the first site would tell
        finding->function = function;
        finding->line = line;
    }
    session_end(self);
}

bool findings_load_heads(FindingList *list, Store *store) {
    Session self = {.store = store, .db = store_handle(store)};
    check(!list->items.count);
    if (!version_is_ours(&self))
        return false;
    load_heads(&self, list);
    load_objects(&self, list);
    load_parties(&self, list);
    load_facts(&self, list);
    load_settings(&self, list);
    load_suppressions(&self, list);
    findings_order(list);
    return true;
}

void findings_load_rest(FindingList *list, Finding *finding, Store *store) {
    Session self = {.store = store, .db = store_handle(store), .only = finding};
    Finding bare = *finding;
    finding->sites.count = finding->features.count = finding->reasons.count = 0;
    memset(&finding->reasons, 0, sizeof finding->reasons);
    load_rows(&self, list);
    load_sites(&self, list);
    for (u32 i = 0; i < bare.reasons.count; i++) // what feedback has said comes last
        finding_add_reason(list, finding, bare.reasons.items[i].points, bare.reasons.items[i].text);
}

bool findings_load(FindingList *list, Store *store) {
    Session self = {.store = store, .db = store_handle(store)};
    check(!list->items.count);
    if (!version_is_ours(&self))
        return false;
    load_heads(&self, list);
    load_objects(&self, list);
    load_rows(&self, list);
    load_sites(&self, list);
    load_semaphores(&self, list);
    load_guard_rows(&self, list, NULL);
    load_facts(&self, list);
    load_settings(&self, list);
    load_suppressions(&self, list);
    findings_order(list);
    return true;
}

bool findings_load_guards(FindingList *list, Store *store, const GuardFilter *filter) {
    Session self = {.store = store, .db = store_handle(store)};
    check(!list->guards.count);
    if (!version_is_ours(&self))
        return false;
    load_guard_rows(&self, list, filter);
    return true;
}

bool findings_guard_is_named(Store *store, const char *object) {
    Session self = {.store = store, .db = store_handle(store)};
    if (!version_is_ours(&self))
        return false;
    session_prepare(&self, "SELECT 1 FROM guards WHERE object = ?1");
    put_text(&self, object);
    bool found = session_step(&self);
    session_end(&self);
    return found;
}

bool findings_load_semaphores(FindingList *list, Store *store) {
    Session self = {.store = store, .db = store_handle(store)};
    if (!version_is_ours(&self))
        return false;
    load_semaphores(&self, list);
    return true;
}

void findings_rows_in_file(Store *store, const char *file, U32Array *out) {
    Session self = {.store = store, .db = store_handle(store)};
    session_prepare(&self, "SELECT DISTINCT rank FROM site_rows WHERE file = ?1 AND NOT evidence ORDER BY rank");
    put_text(&self, file);
    while (session_step(&self))
        array_push(out, get_number(&self));
    session_end(&self);
}
