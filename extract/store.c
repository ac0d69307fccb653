// store.c: the SQLite file that holds the trees.
// In: trees, the names they looked up, the list of files. Out: the same, in a later run or stage.
//
// Trees come in any order and from any thread; they are appended and committed in batches. The list
// of files is written last, in one transaction with the removal of trees that nobody names any more.
// So a run that is killed at any moment leaves the list of the run before it, whole, beside some trees
// that the next run finds done.
// Invariant: every tree that `files` names is in `trees`; a key stands for the same bytes for ever.
//
// Every page has a checksum (checked.c): what the disk has changed is told from what was written, and made anew.
// A rollback journal guards the file against a kill, and SQLite's syncs against a power failure (tests/faults): without
// these an old page beside new ones has a good checksum, and could hide findings. RACERX_UNSYNCED=1 goes without, for
// tests that make many small databases. Writers take turns with a lock file; readers see one transaction.
#include "extract/store.h"
#include "extract/store_place.h"
#include "extract/checked.h"
#include "extract/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char schema_sql[];

enum {
    OLDEST_VERSION = 1000,  // no racerx ever wrote a lower one
    BATCH_BYTES = 64 << 20, // a commit after so many,
    BATCH_SECONDS = 5,      // or after so long
    READER_PATIENCE = 60,   // seconds a reader waits for a commit
};

typedef enum {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_GET_META,
    SQL_SET_META,
    SQL_LOAD_FILES,
    SQL_CLEAR_FILES,
    SQL_FIND_FILE,
    SQL_CLEAR_DERIVED,
    SQL_ADD_FILE,
    SQL_DROP_BODIES,
    SQL_DROP_TREES,
    SQL_DROP_NAMES,
    SQL_FIND_TREE,
    SQL_ADD_TREE,
    SQL_ADD_BODIES,
    SQL_GET_HEAD,
    SQL_GET_BODIES,
    SQL_SET_NAMES,
    SQL_GET_NAMES,
    SQL_COUNT,
} Sql;
#define NOT_IN_FILES "NOT IN (SELECT tree FROM files)"
static const char *const sql_texts[SQL_COUNT] = {
    [SQL_BEGIN] = "BEGIN", // the first write makes it a writing one; the lock file sees to it that no other is
    [SQL_COMMIT] = "COMMIT",
    [SQL_GET_META] = "SELECT value FROM meta WHERE name = ?1",
    [SQL_SET_META] = "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [SQL_LOAD_FILES] = "SELECT path, full, kind, size, mtime, content, environment, tree FROM files ORDER BY path",
    [SQL_CLEAR_FILES] = "DELETE FROM files",
    [SQL_FIND_FILE] = "SELECT path, full, kind, size, mtime, content, environment, tree FROM files WHERE path = ?1",
    [SQL_CLEAR_DERIVED] = "DELETE FROM meta WHERE name GLOB '" STORE_DERIVED "*'",
    [SQL_ADD_FILE] = "INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    // By id: the inner query reads only the index, not the page of every tree.
    [SQL_DROP_BODIES] = "DELETE FROM bodies WHERE id IN (SELECT id FROM trees WHERE key " NOT_IN_FILES ")",
    [SQL_DROP_TREES] = "DELETE FROM trees WHERE id IN (SELECT id FROM trees WHERE key " NOT_IN_FILES ")",
    [SQL_DROP_NAMES] = "DELETE FROM names WHERE id IN (SELECT id FROM names WHERE key " NOT_IN_FILES ")",
    [SQL_FIND_TREE] = "SELECT id FROM trees WHERE key = ?1",
    [SQL_ADD_TREE] = "INSERT OR IGNORE INTO trees (key, head) VALUES (?1, ?2)",
    [SQL_ADD_BODIES] = "INSERT INTO bodies VALUES (?1, ?2)",
    [SQL_GET_HEAD] = "SELECT head FROM trees WHERE key = ?1",
    [SQL_GET_BODIES] = "SELECT bytes FROM bodies WHERE id = (SELECT id FROM trees WHERE key = ?1)",
    [SQL_SET_NAMES] = ("INSERT INTO names (key, hashes) VALUES (?1, ?2) ON CONFLICT (key)"
                       " DO UPDATE SET hashes = excluded.hashes WHERE hashes <> excluded.hashes"),
    [SQL_GET_NAMES] = "SELECT hashes FROM names WHERE key = ?1",
};

struct Store {
    sqlite3 *db;
    char *path;      // absolute
    char *shown;     // printable, as the user wrote it
    char *lock_path; // of the writers' lock
    int lock;        // its descriptor, or -1
    StoreMode mode;
    bool makes;                          // a damaged one is set aside and made anew
    bool waits_said;                     // the user was told that we wait for a reader
    bool in_batch;                       // a writer's transaction is open
    bool written;                        // something was written at all
    u64 batch_bytes;                     // written in this batch
    double batch_began;                  // when the first of them was; 0: not yet
    pthread_mutex_t mutex;               // over all of this and the database
    sqlite3_stmt *statements[SQL_COUNT]; // prepared at first use
};

// failure ---------------------------------------------------------------------

static void store_unlock(Store *self) {
    if (self->lock < 0)
        return;
    unlink(self->lock_path); // while still held: nobody can have locked this name in between
    close(self->lock);
    self->lock = -1;
}

_Noreturn void store_fail(Store *self, int code) {
    int system = self->db ? sqlite3_system_errno(self->db) : 0;
    char why[256];
    bool told = self->db && (sqlite3_errcode(self->db) & 0xff) == (code & 0xff);
    snprintf(why, sizeof why, "%s", told ? sqlite3_errmsg(self->db) : sqlite3_errstr(code));
    for (char *at = why; *at; at++) // a damaged schema is quoted in the message
        if ((u8)*at < ' ' || (u8)*at > '~')
            *at = ' ';
    if (self->db && !sqlite3_get_autocommit(self->db))
        sqlite3_exec(self->db, "ROLLBACK", NULL, NULL, NULL);
    store_unlock(self);
    int kind = code & 0xff;
    bool full = kind == SQLITE_FULL || (kind == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT));
    progress_end();
    if (full)
        fatal("the disk is full: cannot write %s; nothing was lost: free some space and run again", self->shown);
    if (code_is_damage(code))
        fatal("%s is damaged (%s): `racerx run PATH` makes it anew; verdicts are in a file beside it, and stay",
              self->shown, code == SQLITE_IOERR_DATA ? "a page is not what was written" : why);
    if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED)
        fatal("%s is in use by another program: try again later", self->shown);
    if (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY || kind == SQLITE_PERM)
        fatal("cannot use %s: %s%s%s; name another place with --db", self->shown, why, system ? ": " : "",
              system ? strerror(system) : "");
    if (kind == SQLITE_NOMEM)
        out_of_memory(0);
    die("%s: %s", self->shown, why);
}

static void store_exec(Store *self, const char *sql) {
    int code = sqlite3_exec(self->db, sql, NULL, NULL, NULL);
    if (code)
        store_fail(self, sqlite3_extended_errcode(self->db));
}

static i64 store_pragma(Store *self, const char *sql) { // an integer it answers
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL))
        store_fail(self, sqlite3_extended_errcode(self->db));
    if (sqlite3_step(statement) != SQLITE_ROW)
        store_fail(self, sqlite3_extended_errcode(self->db));
    i64 value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

// statements ------------------------------------------------------------------

static sqlite3_stmt *store_sql(Store *self, Sql sql) {
    sqlite3_stmt **statement = &self->statements[sql];
    if (!*statement && sqlite3_prepare_v3(self->db, sql_texts[sql], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL))
        store_fail(self, sqlite3_extended_errcode(self->db));
    return *statement;
}

// True when there is a row. Whoever got one resets the statement.
static bool store_step(Store *self, sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        store_fail(self, sqlite3_extended_errcode(self->db));
    sqlite3_reset(statement);
    return false;
}

static void store_run(Store *self, sqlite3_stmt *statement) {
    if (store_step(self, statement))
        sqlite3_reset(statement);
}

// A value that is not bound would be looked for, or kept, as nothing.
static void bound(int code) {
    if (code == SQLITE_NOMEM || code == SQLITE_TOOBIG)
        out_of_memory(0);
    check(!code);
}

static void bind_key(sqlite3_stmt *statement, int index, Key key) {
    u8 bytes[16];
    for (u32 i = 0; i < 8; i++) {
        bytes[i] = (u8)(key.a >> (56 - 8 * i));
        bytes[8 + i] = (u8)(key.b >> (56 - 8 * i));
    }
    bound(sqlite3_bind_blob(statement, index, bytes, sizeof bytes, SQLITE_TRANSIENT));
}

static Key column_key(sqlite3_stmt *statement, int index) {
    Key key = {0, 0};
    const u8 *bytes = sqlite3_column_blob(statement, index);
    if (!bytes || sqlite3_column_bytes(statement, index) != 16)
        return key;
    for (u32 i = 0; i < 8; i++) {
        key.a = key.a << 8 | bytes[i];
        key.b = key.b << 8 | bytes[8 + i];
    }
    return key;
}

static void bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t size) {
    const void *some = size ? bytes : ""; // a NULL pointer would bind NULL
    bound(sqlite3_bind_blob64(statement, index, some, size, SQLITE_STATIC));
}

static void append_column(sqlite3_stmt *statement, int index, Buffer *out) {
    const void *bytes = sqlite3_column_blob(statement, index);
    buffer_put(out, bytes, (size_t)sqlite3_column_bytes(statement, index));
}

// opening ---------------------------------------------------------------------

// A run that ended in the middle: SQLite puts back what it overwrote before anything is read.
static bool has_journal(const Store *self) {
    char *journal = store_join(self->path, "-journal");
    bool there = !access(journal, F_OK);
    free(journal);
    return there;
}

// Anything that is not a database is left as it is. An empty file may become one; so may one whose first page was not
// on the disk yet when the power went.
static void check_is_database(Store *self) {
    struct stat info;
    u8 header[100] = {0};
    if (stat(self->path, &info)) {
        if (self->mode == STORE_READ)
            fatal("there is no database %s: make it with `racerx extract DIR`, or name one with --db FILE",
                  self->shown);
        return;
    }
    if (!S_ISREG(info.st_mode))
        fatal("%s is not a file: name a database with --db FILE", self->shown);
    int file = open(self->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        fatal("cannot read the database %s: %s", self->shown, strerror(errno));
    ssize_t size = read(file, header, sizeof header);
    int why = errno;
    close(file);
    if (size < 0)
        fatal("cannot read the database %s: %s", self->shown, strerror(why));
    static const u8 nothing[sizeof header];
    bool undone = has_journal(self);
    if (undone && !memcmp(header, nothing, sizeof header))
        return;
    if (size && (size < 16 || memcmp(header, "SQLite format 3", 16)))
        fatal("%s is not a database: it was left as it is; name another file with --db", self->shown);
    if (header_is_damaged(header) && !self->makes && !undone)
        store_fail(self, SQLITE_IOERR_DATA);
}

static u32 lock_holder(int lock) { // its process id, 0 when unknown
    char text[16] = "";
    ssize_t size = pread(lock, text, sizeof text - 1, 0);
    return size > 0 ? (u32)strtoul(text, NULL, 10) : 0;
}

static void wait_for_lock(Store *self) {
    if (!flock(self->lock, LOCK_EX | LOCK_NB))
        return;
    if (errno != EWOULDBLOCK)
        fatal("cannot lock %s: %s", self->lock_path, strerror(errno));
    u32 pid = lock_holder(self->lock);
    char who[32] = "";
    if (pid)
        snprintf(who, sizeof who, " (pid %u)", pid);
    if (self->mode == STORE_WRITE_NOW)
        fatal("another racerx%s is writing %s: wait for it, or leave out --no-wait", who, self->shown);
    note("waiting for another racerx on %s%s", self->shown, who);
    while (flock(self->lock, LOCK_EX))
        if (errno != EINTR)
            fatal("cannot lock %s: %s", self->lock_path, strerror(errno));
}

// The holder removes the lock's name when it is done: then what we waited for is not the lock any more.
static void store_lock(Store *self) {
    for (;;) {
        struct stat ours, named;
        self->lock = open(self->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (self->lock < 0 && (errno == ENOSPC || errno == EDQUOT))
            fatal("the disk is full: cannot write %s; nothing was lost: free some space and run again", self->shown);
        if (self->lock < 0)
            fatal("cannot write %s: %s; name another place with --db", self->lock_path, strerror(errno));
        wait_for_lock(self);
        if (!fstat(self->lock, &ours) && !stat(self->lock_path, &named) && ours.st_ino == named.st_ino &&
            ours.st_dev == named.st_dev)
            break;
        close(self->lock);
    }
    char text[16];
    int length = snprintf(text, sizeof text, "%u\n", (u32)getpid());
    if (ftruncate(self->lock, 0) || pwrite(self->lock, text, (size_t)length, 0) != length)
        return; // only the pid in another's message suffers
}

// Called 20 times a second. A writer waits for readers; readers, and whoever asked not to wait, have only so much
// patience.
static int wait_for_other(void *context, int times) {
    Store *self = context;
    int patience = self->mode == STORE_READ ? READER_PATIENCE * 20 : self->mode == STORE_WRITE_NOW ? 100 : INT_MAX;
    if (times > patience)
        return 0;
    if (times > 40 && !self->waits_said) {
        note("waiting for another program that uses %s", self->shown);
        self->waits_said = true;
    }
    usleep(50000);
    return 1;
}

static void create_schema(Store *self) {
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID, STORE_VERSION);
    store_exec(self, "PRAGMA page_size = 16384");
    check(!checked_reserve(self->db));
    store_exec(self, "BEGIN EXCLUSIVE");
    store_exec(self, schema_sql);
    store_exec(self, sql);
    if (fault_point("store-schema"))
        store_fail(self, SQLITE_FULL);
    store_exec(self, "COMMIT");
}

// Everything goes but what reviewers said, which no run can bring back. One transaction: a kill leaves the old one.
static void store_renew(Store *self) {
    char sql[128];
    note("%s was made by an older racerx: everything is read again; verdicts are kept", self->shown);
    store_exec(self, "PRAGMA foreign_keys = OFF; BEGIN EXCLUSIVE");
    Array(char *) drops = {0};
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(
            self->db,
            "SELECT 'DROP ' || type || ' IF EXISTS \"' || replace(name, '\"', '\"\"') || '\"' FROM sqlite_master"
            " WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'verdicts*'"
            " ORDER BY type DESC, name",
            -1, &statement, NULL))
        store_fail(self, sqlite3_extended_errcode(self->db));
    while (store_step(self, statement))
        array_push(&drops, must_strdup((const char *)sqlite3_column_text(statement, 0)));
    sqlite3_finalize(statement);
    for (u32 i = 0; i < drops.count; i++) {
        store_exec(self, drops.items[i]);
        free(drops.items[i]);
    }
    array_free(&drops);
    store_exec(self, schema_sql);
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", STORE_VERSION);
    store_exec(self, sql);
    if (fault_point("store-renew"))
        store_fail(self, SQLITE_FULL);
    store_exec(self, "COMMIT");
    if (!checked_reserve(self->db)) // what is left is little; older ones had no checksums
        store_exec(self, "VACUUM");
}

static void check_version(Store *self) {
    i64 application = store_pragma(self, "PRAGMA application_id"), version = store_pragma(self, "PRAGMA user_version");
    bool empty = !store_pragma(self, "SELECT count(*) FROM sqlite_master");
    if (empty && self->mode == STORE_READ)
        fatal("%s is empty: fill it with `racerx run DIR`", self->shown);
    if (empty && !application)
        create_schema(self);
    else if (application != APPLICATION_ID)
        fatal("%s is a database of another program: it was left as it is; name another file with --db", self->shown);
    else if (version >= OLDEST_VERSION && version < STORE_VERSION && self->mode != STORE_READ)
        store_renew(self);
    else if (version >= OLDEST_VERSION && version < STORE_VERSION)
        fatal("%s was made by an older racerx: `racerx run PATH` reads everything again, and keeps the verdicts in it",
              self->shown);
    else if (version != STORE_VERSION)
        fatal("%s was made by another version of racerx (format %lld, this one has %d): remove it or use --db FILE",
              self->shown, (long long)version, STORE_VERSION);
}

static void store_connect(Store *self) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX; // readers too: a killed run's journal must be undone
    if (self->mode != STORE_READ)
        flags |= SQLITE_OPEN_CREATE;
    int code = checked_connect(self->path, &self->db, flags);
    if (code)
        store_fail(self, code);
    sqlite3_extended_result_codes(self->db, 1);
    sqlite3_busy_handler(self->db, wait_for_other, self);
    store_exec(self, "PRAGMA temp_store = MEMORY");
    store_exec(self, getenv("RACERX_UNSYNCED") ? "PRAGMA synchronous = OFF" : "PRAGMA synchronous = NORMAL");
    check_version(self);
    store_exec(self, "PRAGMA cache_size = -131072"); // in KiB; it is counted in pages of the size known now
    if (self->mode == STORE_READ)
        store_exec(self, "PRAGMA query_only = ON; BEGIN");
    else
        store_exec(self, "PRAGMA journal_mode = DELETE");
}

// A damaged one is kept under another name: whoever knows better may look into it.
static void set_aside(Store *self) {
    int code = database_look(self->path, wait_for_other, self);
    if (code && !code_is_damage(code))
        store_fail(self, code);
    if (!code)
        return;
    char *aside = store_join(self->path, ".damaged"), *journal = store_join(self->path, "-journal");
    if (rename(self->path, aside))
        fatal("%s is damaged, and cannot be set aside as %s: %s; remove it", self->shown, aside, strerror(errno));
    unlink(journal);
    note("%s is damaged: it was set aside as %s.damaged, and everything is read again; verdicts are in a file beside "
         "it, "
         "and stay",
         self->shown, self->shown);
    free(aside);
    free(journal);
}

static Store *store_begin(const char *path, StoreMode mode, bool makes) {
    Store *self = must_zero(sizeof *self);
    self->makes = makes;
    pthread_mutex_init(&self->mutex, NULL);
    self->mode = mode;
    self->lock = -1;
    if (!path)
        path = store_place(mode);
    self->shown = quote_path(path);
    bool there = mode != STORE_READ || !access(path, F_OK);
    if (!there && errno != ENOENT && errno != ENOTDIR)
        fatal("cannot look at the database %s: %s", self->shown, strerror(errno));
    if (!there)
        fatal("there is no database %s: make it with `racerx run DIR`, or name one with --db FILE", self->shown);
    self->path = store_resolve(path, self->shown);
    self->lock_path = store_join(self->path, ".lock");
    check_is_database(self);
    if (mode != STORE_READ)
        store_lock(self);
    if (makes)
        set_aside(self);
    store_connect(self);
    return self;
}

Store *store_open(const char *path, StoreMode mode) { return store_begin(path, mode, false); }
Store *store_make(const char *path, StoreMode mode) { return store_begin(path, mode, true); }

void store_close(Store *self) {
    if (!self)
        return;
    store_commit(self);
    for (u32 i = 0; i < SQL_COUNT; i++)
        sqlite3_finalize(self->statements[i]);
    check(sqlite3_close(self->db) == SQLITE_OK);
    store_unlock(self);
    pthread_mutex_destroy(&self->mutex);
    free(self->path);
    free(self->shown);
    free(self->lock_path);
    free(self);
}

// batches ---------------------------------------------------------------------
// All of these are called with the mutex held. A writer reads inside its batch, too: a transaction for
// each question would cost ten system calls.

static void batch_point(Store *self, const char *name) {
    if (fault_point(name))
        store_fail(self, SQLITE_FULL);
}

static void batch_begin(Store *self) {
    if (self->in_batch || self->mode == STORE_READ)
        return;
    store_run(self, store_sql(self, SQL_BEGIN));
    self->in_batch = true;
    self->batch_bytes = 0;
    self->batch_began = 0;
}

static void batch_write(Store *self) { // before something is written
    check(self->mode != STORE_READ);
    batch_begin(self);
    if (!self->written)
        batch_point(self, "store-first-write");
    self->written = true;
    if (self->batch_began == 0)
        self->batch_began = clock_seconds();
}

static void batch_commit(Store *self) {
    if (!self->in_batch)
        return;
    if (self->batch_began > 0)
        batch_point(self, "store-commit");
    store_run(self, store_sql(self, SQL_COMMIT));
    self->in_batch = false;
    if (self->batch_began > 0)
        batch_point(self, "store-committed");
}

static void batch_wrote(Store *self, u64 bytes) {
    batch_point(self, "store-put");
    self->batch_bytes += bytes;
    if (self->batch_bytes >= BATCH_BYTES || clock_seconds() - self->batch_began >= BATCH_SECONDS)
        batch_commit(self);
}

void store_commit(Store *self) {
    pthread_mutex_lock(&self->mutex);
    batch_commit(self);
    pthread_mutex_unlock(&self->mutex);
}

struct sqlite3 *store_handle(Store *self) {
    store_commit(self);
    return self->db;
}

// meta ------------------------------------------------------------------------

char *store_get_meta(Store *self, const char *name, size_t *size) {
    Buffer out = {0};
    bool found = false;
    pthread_mutex_lock(&self->mutex);
    batch_begin(self);
    sqlite3_stmt *statement = store_sql(self, SQL_GET_META);
    bound(sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC));
    if ((found = store_step(self, statement))) {
        append_column(statement, 0, &out);
        sqlite3_reset(statement);
    }
    sqlite3_clear_bindings(statement);
    pthread_mutex_unlock(&self->mutex);
    if (!found)
        return NULL;
    if (size)
        *size = out.size;
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

void store_set_meta(Store *self, const char *name, const void *bytes, size_t size) {
    pthread_mutex_lock(&self->mutex);
    batch_write(self);
    sqlite3_stmt *statement = store_sql(self, SQL_SET_META);
    bound(sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC));
    bind_bytes(statement, 2, bytes, size);
    store_run(self, statement);
    sqlite3_clear_bindings(statement);
    batch_wrote(self, size);
    pthread_mutex_unlock(&self->mutex);
}

// files -----------------------------------------------------------------------

static char *column_path(sqlite3_stmt *statement, int index) {
    Buffer out = {0};
    append_column(statement, index, &out);
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

static void load_file_rows(Store *self, sqlite3_stmt *statement, SourceFileArray *out) {
    while (store_step(self, statement)) {
        SourceFile file = {.path = column_path(statement, 0), .full = column_path(statement, 1), .command = -1};
        file.kind = (u8)sqlite3_column_int(statement, 2);
        file.size = (u64)sqlite3_column_int64(statement, 3);
        file.mtime = sqlite3_column_int64(statement, 4);
        file.content = column_key(statement, 5);
        file.environment = column_key(statement, 6);
        file.tree = column_key(statement, 7);
        array_push(out, file);
    }
}

void store_load_files(Store *self, SourceFileArray *out) {
    pthread_mutex_lock(&self->mutex);
    batch_begin(self);
    load_file_rows(self, store_sql(self, SQL_LOAD_FILES), out);
    pthread_mutex_unlock(&self->mutex);
}

void store_load_file(Store *self, const char *path, SourceFileArray *out) {
    pthread_mutex_lock(&self->mutex);
    batch_begin(self);
    sqlite3_stmt *statement = store_sql(self, SQL_FIND_FILE);
    bind_bytes(statement, 1, path, strlen(path));
    load_file_rows(self, statement, out);
    pthread_mutex_unlock(&self->mutex);
}

void source_files_free(SourceFileArray *files) {
    for (u32 i = 0; i < files->count; i++) {
        free(files->items[i].path);
        free(files->items[i].full);
    }
    array_free(files);
}

static void add_file_row(Store *self, const SourceFile *file) {
    sqlite3_stmt *statement = store_sql(self, SQL_ADD_FILE);
    bind_bytes(statement, 1, file->path, strlen(file->path));
    bind_bytes(statement, 2, file->full, strlen(file->full));
    sqlite3_bind_int(statement, 3, file->kind);
    sqlite3_bind_int64(statement, 4, (i64)file->size);
    sqlite3_bind_int64(statement, 5, file->mtime);
    bind_key(statement, 6, file->content);
    bind_key(statement, 7, file->environment);
    bind_key(statement, 8, file->tree);
    store_run(self, statement);
}

void store_save_files(Store *self, const SourceFile *files, u32 count) {
    pthread_mutex_lock(&self->mutex);
    batch_commit(self); // what was parsed is kept even when this fails
    batch_point(self, "store-files");
    batch_write(self);
    store_run(self, store_sql(self, SQL_CLEAR_FILES));
    store_run(self, store_sql(self, SQL_CLEAR_DERIVED));
    for (u32 i = 0; i < count; i++)
        add_file_row(self, &files[i]);
    batch_point(self, "store-files-listed");
    store_run(self, store_sql(self, SQL_DROP_BODIES));
    store_run(self, store_sql(self, SQL_DROP_TREES));
    store_run(self, store_sql(self, SQL_DROP_NAMES));
    batch_commit(self);
    batch_point(self, "store-files-done");
    pthread_mutex_unlock(&self->mutex);
}

// parts -----------------------------------------------------------------------

static void take_rows(Store *self, Store *part, const char *select, const char *insert) {
    sqlite3_stmt *from = NULL, *to = NULL;
    int code = sqlite3_prepare_v2(part->db, select, -1, &from, NULL);
    if (code)
        store_fail(part, sqlite3_extended_errcode(part->db));
    if (sqlite3_prepare_v2(self->db, insert, -1, &to, NULL))
        store_fail(self, sqlite3_extended_errcode(self->db));
    while ((code = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(from); i++)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        store_run(self, to);
    }
    if (code != SQLITE_DONE)
        store_fail(part, sqlite3_extended_errcode(part->db));
    sqlite3_finalize(from);
    sqlite3_finalize(to);
}

u64 store_take_trees(Store *self, Store *part) {
    const u64 unfinished = 2;
    pthread_mutex_lock(&self->mutex);
    batch_write(self);
    i64 before = store_pragma(self, "SELECT count(*) FROM trees");
    take_rows(self, part, "SELECT key, head FROM trees ORDER BY id",
              "INSERT OR IGNORE INTO trees (key, head) VALUES (?1, ?2)");
    take_rows(self, part, "SELECT t.key, b.bytes FROM trees t JOIN bodies b ON b.id = t.id ORDER BY t.id",
              "INSERT OR IGNORE INTO bodies SELECT id, ?2 FROM trees WHERE key = ?1");
    take_rows(self, part, "SELECT key, hashes FROM names ORDER BY id",
              "INSERT OR IGNORE INTO names (key, hashes) VALUES (?1, ?2)");
    i64 after = store_pragma(self, "SELECT count(*) FROM trees");
    pthread_mutex_unlock(&self->mutex);
    store_set_meta(self, "input", &unfinished, 8);
    store_commit(self);
    return (u64)(after - before);
}

// names -----------------------------------------------------------------------

void store_put_names(Store *self, Key tree, const u32 *names, u32 count) {
    Buffer bytes = {0};
    buffer_u64(&bytes, count);
    for (u32 i = 0, before = 0; i < count; before = names[i++])
        buffer_u64(&bytes, (u32)(names[i] - before));
    pthread_mutex_lock(&self->mutex);
    batch_write(self);
    sqlite3_stmt *statement = store_sql(self, SQL_SET_NAMES);
    bind_key(statement, 1, tree);
    bind_bytes(statement, 2, bytes.bytes, bytes.size);
    store_run(self, statement);
    sqlite3_clear_bindings(statement);
    batch_wrote(self, bytes.size);
    pthread_mutex_unlock(&self->mutex);
    buffer_free(&bytes);
}

static u32 *read_names(const Buffer *bytes, u32 *count) {
    Reader reader = {bytes->bytes, bytes->bytes + bytes->size, false};
    u64 total = reader_u64(&reader);
    if (reader.bad || total > bytes->size)
        return NULL;
    u32 *names = must_alloc(sizeof(u32) * (total + 1));
    for (u64 i = 0, value = 0; i < total; i++)
        names[i] = (u32)(value += reader_u64(&reader));
    *count = (u32)total;
    if (!reader.bad)
        return names;
    free(names);
    return NULL;
}

// trees -----------------------------------------------------------------------

// Appends the first column of `sql` asked for `tree`; false when there is no row.
static bool get_blob(Store *self, Sql sql, Key tree, Buffer *out) {
    pthread_mutex_lock(&self->mutex);
    batch_begin(self);
    sqlite3_stmt *statement = store_sql(self, sql);
    bind_key(statement, 1, tree);
    bool found = store_step(self, statement);
    if (found) {
        append_column(statement, 0, out);
        sqlite3_reset(statement);
    }
    pthread_mutex_unlock(&self->mutex);
    return found;
}

u32 *store_get_names(Store *self, Key tree, u32 *count) {
    Buffer bytes = {0};
    u32 *names = get_blob(self, SQL_GET_NAMES, tree, &bytes) ? read_names(&bytes, count) : NULL;
    buffer_free(&bytes);
    return names;
}

static i64 find_tree(Store *self, Key tree) { // its row, or 0
    batch_begin(self);
    sqlite3_stmt *statement = store_sql(self, SQL_FIND_TREE);
    bind_key(statement, 1, tree);
    if (!store_step(self, statement))
        return 0;
    i64 row = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return row;
}

bool store_has_tree(Store *self, Key tree) {
    pthread_mutex_lock(&self->mutex);
    bool found = find_tree(self, tree) != 0;
    pthread_mutex_unlock(&self->mutex);
    return found;
}

void store_put_tree(Store *self, Key tree, const Buffer *head, const Buffer *bodies) {
    pthread_mutex_lock(&self->mutex);
    batch_write(self);
    sqlite3_stmt *statement = store_sql(self, SQL_ADD_TREE);
    bind_key(statement, 1, tree);
    bind_bytes(statement, 2, head->bytes, head->size);
    store_run(self, statement);
    sqlite3_clear_bindings(statement);
    if (sqlite3_changes(self->db)) { // otherwise another file of the same bytes put it
        statement = store_sql(self, SQL_ADD_BODIES);
        sqlite3_bind_int64(statement, 1, sqlite3_last_insert_rowid(self->db));
        bind_bytes(statement, 2, bodies->bytes, bodies->size);
        store_run(self, statement);
        sqlite3_clear_bindings(statement);
        batch_wrote(self, head->size + bodies->size);
    }
    pthread_mutex_unlock(&self->mutex);
}

bool store_get_head(Store *self, Key tree, Buffer *head) { return get_blob(self, SQL_GET_HEAD, tree, head); }
bool store_get_bodies(Store *self, Key tree, Buffer *bodies) { return get_blob(self, SQL_GET_BODIES, tree, bodies); }

static bool read_slice(Store *self, i64 row, u64 offset, u64 size, Buffer *out) {
    sqlite3_blob *blob;
    int code = sqlite3_blob_open(self->db, "main", "bodies", "bytes", row, 0, &blob);
    if (code == SQLITE_ERROR) // no such row
        return false;
    if (code)
        store_fail(self, sqlite3_extended_errcode(self->db));
    u64 total = (u64)sqlite3_blob_bytes(blob);
    bool inside = offset <= total && size <= total - offset;
    if (inside && size) {
        buffer_reserve(out, size);
        if (sqlite3_blob_read(blob, out->bytes + out->size, (int)size, (int)offset))
            store_fail(self, sqlite3_extended_errcode(self->db));
        out->size += size;
    }
    sqlite3_blob_close(blob);
    return inside;
}

bool store_get_body(Store *self, Key tree, u64 offset, u64 size, Buffer *body) {
    pthread_mutex_lock(&self->mutex);
    i64 row = find_tree(self, tree);
    bool found = row && read_slice(self, row, offset, size, body);
    pthread_mutex_unlock(&self->mutex);
    return found;
}
