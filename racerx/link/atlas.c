// atlas.c: the linked program in tables, and back, function by function.
// In: a Program. Out: rows of atlas.sql. Later, in another process: one function, its calls, its callers.
//
// A call is: its line; bits; the name of what is called when it is not in the tree; how many targets and functions it
// is given; their ids, as differences. More than INLINE_TARGETS are kept once for all calls that share them, by where
// they stand in Program.targets. Reading trusts nothing: the file may be damaged.
#include "racerx/link/atlas.h"

#include <sqlite3.h>

extern const char atlas_sql[];

enum {
    INLINE_TARGETS = 8,
    CALL_INDIRECT = 1,
    CALL_CUT = 2,
    CALL_GUESSED = 4,
    CALL_HANDED = 8,
};

typedef struct {
    sqlite3 *db;
    Store *store; // that it belongs to; NULL: it is in memory
} Database;

static _Noreturn void database_fail(const Database *self, int code) {
    if (self->store)
        store_fail(self->store, code);
    die("the program's tables: %s", sqlite3_errstr(code));
}

static void expect(const Database *self, bool fine) {
    if (!fine)
        database_fail(self, sqlite3_extended_errcode(self->db));
}

static void expect_sound(const Database *self, bool sound) { // what was read
    if (!sound)
        database_fail(self, SQLITE_CORRUPT);
}

// saving ----------------------------------------------------------------------

typedef struct {
    const Program *program;
    Database base;
    sqlite3_stmt *paths, *functions, *calls, *targets;
    Buffer called, callers, ids;
    u32 path_count; // saved so far
} Saving;

static sqlite3_stmt *prepare(const Database *self, const char *sql) {
    sqlite3_stmt *statement = NULL;
    expect(self, sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL) == SQLITE_OK);
    return statement;
}

static void put_row(Saving *self, sqlite3_stmt *statement) {
    expect(&self->base, sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_reset(statement);
}

static void put_blob(sqlite3_stmt *statement, int column, const Buffer *blob) {
    sqlite3_bind_blob64(statement, column, blob->size ? (const void *)blob->bytes : "", blob->size, SQLITE_STATIC);
}

static void put_ids(Buffer *out, const u32 *ids, u32 count) { // sorted
    for (u32 i = 0, before = 0; i < count; before = ids[i++])
        buffer_u64(out, ids[i] - before);
}

static u64 run_key(const CallSite *site) { return (u64)site->target << 20 | site->target_count; }

static void put_targets(Saving *self, const CallSite *site) {
    const u32 *ids = &self->program->targets.items[site->target];
    if (site->target_count <= INLINE_TARGETS) {
        put_ids(&self->called, ids, site->target_count);
        return;
    }
    buffer_u64(&self->called, run_key(site));
    self->ids.size = 0;
    put_ids(&self->ids, ids, site->target_count);
    sqlite3_bind_int64(self->targets, 1, (i64)run_key(site));
    put_blob(self->targets, 2, &self->ids);
    put_row(self, self->targets);
}

static void put_given(Saving *self, const CallSite *site) {
    u32 count = 0;
    for (u32 i = 0; i < site->binding_count; i++)
        count += self->program->bindings.items[site->binding + i].function != NO_ID;
    buffer_u64(&self->called, count);
    for (u32 i = 0; i < site->binding_count; i++)
        if (self->program->bindings.items[site->binding + i].function != NO_ID)
            buffer_u64(&self->called, self->program->bindings.items[site->binding + i].function);
}

static void put_call(Saving *self, const CallSite *site) {
    bool named = site->name && (!site->target_count || site->handed);
    const char *name = named ? program_text(self->program, site->name) : "";
    buffer_u64(&self->called, site->line);
    buffer_u64(&self->called, (site->indirect ? CALL_INDIRECT : 0u) | (site->cut ? CALL_CUT : 0u) |
                                  (site->guessed ? CALL_GUESSED : 0u) | (site->handed ? CALL_HANDED : 0u));
    buffer_u64(&self->called, strlen(name));
    buffer_text(&self->called, name);
    buffer_u64(&self->called, site->target_count);
    put_targets(self, site);
    put_given(self, site);
}

static void save_calls(Saving *self, FunctionId id) {
    const ProgramFunction *function = &self->program->functions.items[id];
    self->called.size = self->callers.size = 0;
    for (u32 c = 0; c < function->call_count; c++)
        put_call(self, &self->program->calls.items[function->call + c]);
    put_ids(&self->callers, &self->program->callers.items[function->caller], function->caller_count);
    if (!self->called.size && !self->callers.size)
        return;
    sqlite3_bind_int64(self->calls, 1, id);
    put_blob(self->calls, 2, &self->called);
    put_blob(self->calls, 3, &self->callers);
    put_row(self, self->calls);
}

static void save_path(Saving *self, const char *path) {
    sqlite3_bind_int64(self->paths, 1, ++self->path_count);
    sqlite3_bind_text(self->paths, 2, path, -1, SQLITE_STATIC);
    put_row(self, self->paths);
}

static void save_function(Saving *self, FunctionId id) {
    const ProgramFunction *function = &self->program->functions.items[id];
    const Function *header = program_header(self->program, id);
    const i64 numbers[] = {self->path_count,
                           function->place.line,
                           header->end_line,
                           header->lost_bytes,
                           header->flags,
                           function->contexts,
                           function->marks,
                           function->caller_count != 0,
                           (function->marks & MARK_ROOT) != 0};
    sqlite3_bind_int64(self->functions, 1, id);
    sqlite3_bind_text(self->functions, 2, program_text(self->program, function->name), -1, SQLITE_STATIC);
    for (u32 i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sqlite3_bind_int64(self->functions, (int)i + 3, numbers[i]);
    put_row(self, self->functions);
}

static void save_functions(Saving *self) {
    const char *path = NULL;
    for (FunctionId id = 0; id < self->program->functions.count; id++) {
        const char *own = function_path(self->program, id);
        if (!path || strcmp(own, path))
            save_path(self, own);
        path = own;
        save_function(self, id);
        save_calls(self, id);
    }
}

void atlas_save(const Program *program, sqlite3 *db, Store *store) {
    Saving self = {.program = program, .base = {db, store}};
    const Database *base = &self.base;
    expect(base, sqlite3_exec(db, atlas_sql, NULL, NULL, NULL) == SQLITE_OK);
    self.paths = prepare(base, "INSERT INTO atlas_paths VALUES (?1, ?2)");
    self.functions = prepare(base, "INSERT INTO atlas_functions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    self.calls = prepare(base, "INSERT INTO atlas_calls VALUES (?1, ?2, ?3)");
    self.targets = prepare(base, "INSERT OR IGNORE INTO atlas_targets VALUES (?1, ?2)");
    save_functions(&self);
    sqlite3_finalize(self.paths);
    sqlite3_finalize(self.functions);
    sqlite3_finalize(self.calls);
    sqlite3_finalize(self.targets);
    expect(base, sqlite3_exec(db,
                              "CREATE INDEX atlas_functions_name ON atlas_functions (name);"
                              "CREATE INDEX atlas_functions_root ON atlas_functions (id) WHERE root",
                              NULL, NULL, NULL) == SQLITE_OK);
    buffer_free(&self.called);
    buffer_free(&self.callers);
    buffer_free(&self.ids);
}

// asking ----------------------------------------------------------------------

#define FUNCTION_COLUMNS                                                                                               \
    "SELECT f.id, f.name, p.path, f.line, f.end_line, f.lost_bytes, f.flags, f.contexts, f.marks, f.called"            \
    " FROM atlas_functions f JOIN atlas_paths p ON p.id = f.path"

struct Atlas {
    Database base;
    sqlite3_stmt *one, *named, *calls, *callers, *targets;
    Arena texts;
};

Atlas *atlas_open(sqlite3 *db, Store *store) {
    Atlas *self = must_zero(sizeof *self);
    const Database *base = &self->base;
    self->base = (Database){db, store};
    self->one = prepare(base, FUNCTION_COLUMNS " WHERE f.id = ?1");
    self->named = prepare(base, "SELECT id FROM atlas_functions WHERE name = ?1 ORDER BY id");
    self->calls = prepare(base, "SELECT calls FROM atlas_calls WHERE id = ?1");
    self->callers = prepare(base, "SELECT callers FROM atlas_calls WHERE id = ?1");
    self->targets = prepare(base, "SELECT targets FROM atlas_targets WHERE id = ?1");
    return self;
}

void atlas_close(Atlas *self) {
    sqlite3_finalize(self->one);
    sqlite3_finalize(self->named);
    sqlite3_finalize(self->calls);
    sqlite3_finalize(self->callers);
    sqlite3_finalize(self->targets);
    arena_free(&self->texts);
    free(self);
}

static bool step(Atlas *self, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    expect(&self->base, code == SQLITE_ROW || code == SQLITE_DONE);
    return code == SQLITE_ROW;
}

static bool ask(Atlas *self, sqlite3_stmt *statement, u64 id) {
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, (i64)id);
    return step(self, statement);
}

static AtlasFunction read_function(sqlite3_stmt *statement) { // its texts are good until the next step
    return (AtlasFunction){.id = (u32)sqlite3_column_int64(statement, 0),
                           .name = (const char *)sqlite3_column_text(statement, 1),
                           .path = (const char *)sqlite3_column_text(statement, 2),
                           .line = (u32)sqlite3_column_int64(statement, 3),
                           .end_line = (u32)sqlite3_column_int64(statement, 4),
                           .lost_bytes = (u32)sqlite3_column_int64(statement, 5),
                           .flags = (u32)sqlite3_column_int64(statement, 6),
                           .contexts = (u32)sqlite3_column_int64(statement, 7),
                           .marks = (u32)sqlite3_column_int64(statement, 8),
                           .called = sqlite3_column_int(statement, 9) != 0};
}

bool atlas_function(Atlas *self, u32 id, AtlasFunction *out) {
    if (!ask(self, self->one, id))
        return false;
    *out = read_function(self->one);
    expect_sound(&self->base, out->name && out->path);
    out->name = arena_copy(&self->texts, out->name, strlen(out->name));
    out->path = arena_copy(&self->texts, out->path, strlen(out->path));
    return true;
}

void atlas_named(Atlas *self, const char *name, U32Array *out) {
    sqlite3_reset(self->named);
    sqlite3_bind_text(self->named, 1, name, -1, SQLITE_TRANSIENT);
    while (step(self, self->named))
        array_push(out, (u32)sqlite3_column_int64(self->named, 0));
}

static Reader blob_of(sqlite3_stmt *statement) {
    const u8 *bytes = sqlite3_column_blob(statement, 0);
    return (Reader){bytes, bytes ? bytes + sqlite3_column_bytes(statement, 0) : NULL, false};
}

static void read_ids(Reader *reader, u32 count, U32Array *out) {
    for (u32 i = 0, id = 0; i < count && !reader->bad; i++)
        array_push(out, id += reader_u32(reader));
}

static void read_run(Atlas *self, u64 key, u32 count, U32Array *out) {
    expect_sound(&self->base, ask(self, self->targets, key));
    Reader reader = blob_of(self->targets);
    read_ids(&reader, count, out);
    expect_sound(&self->base, !reader.bad);
}

static AtlasCall read_call(Atlas *self, Reader *reader, U32Array *ids) {
    AtlasCall call = {.line = reader_u32(reader)};
    u32 bits = reader_u32(reader);
    call.indirect = bits & CALL_INDIRECT;
    call.cut = bits & CALL_CUT;
    call.guessed = bits & CALL_GUESSED;
    call.handed = bits & CALL_HANDED;
    u32 length = reader_u32(reader);
    const u8 *name = length ? reader_bytes(reader, length) : NULL;
    call.name = name ? arena_copy(&self->texts, name, length) : "";
    call.target = ids->count;
    u32 targets = reader_u32(reader);
    if (targets > INLINE_TARGETS)
        read_run(self, reader_u64(reader), targets, ids);
    else
        read_ids(reader, targets, ids);
    call.target_count = ids->count - call.target;
    call.given = ids->count;
    for (u32 left = reader_u32(reader); left && !reader->bad; left--)
        array_push(ids, reader_u32(reader));
    call.given_count = ids->count - call.given;
    return call;
}

void atlas_calls(Atlas *self, u32 id, AtlasCalls *out) {
    out->items.count = out->ids.count = 0;
    if (!ask(self, self->calls, id))
        return;
    Reader reader = blob_of(self->calls);
    while (reader.at < reader.end && !reader.bad) {
        AtlasCall call = read_call(self, &reader, &out->ids);
        array_push(&out->items, call);
    }
    expect_sound(&self->base, !reader.bad);
}

void atlas_calls_free(AtlasCalls *self) {
    array_free(&self->items);
    array_free(&self->ids);
}

void atlas_callers(Atlas *self, u32 id, U32Array *out) {
    if (!ask(self, self->callers, id))
        return;
    Reader reader = blob_of(self->callers);
    for (u32 caller = 0; reader.at < reader.end && !reader.bad;)
        array_push(out, caller += reader_u32(&reader));
}

bool atlas_call_reaches(const AtlasCalls *calls, const AtlasCall *call, u32 id) {
    u32 low = call->target, end = call->target + call->target_count, high = end;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (calls->ids.items[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && calls->ids.items[low] == id;
}

void atlas_each(Atlas *self, bool roots, AtlasVisit visit, void *context) {
    sqlite3_stmt *all = prepare(&self->base, roots ? FUNCTION_COLUMNS " WHERE f.root ORDER BY f.id"
                                                   : FUNCTION_COLUMNS " ORDER BY f.id");
    while (step(self, all)) {
        AtlasFunction function = read_function(all);
        expect_sound(&self->base, function.name && function.path);
        visit(context, &function);
    }
    sqlite3_finalize(all);
}
