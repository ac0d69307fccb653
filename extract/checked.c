// checked.c: a checksum at the end of every page of the database.
// In: pages, from SQLite. Out: the same pages; or SQLITE_IOERR_DATA for one that is not what was written there.
// SQLite reads whatever the disk gives it: a flipped bit in a tree or a finding is another tree, another finding. This
// file system (a shim over the one that SQLite has) writes a hash of each page and of its place into the page's last
// bytes, which SQLite leaves alone when they are reserved, and compares it when the page is read.
// Invariant: a database whose header reserves CHECK_BYTES has a checksum on every page that was ever written.
#include "extract/checked.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <unistd.h>

typedef struct {
    sqlite3_file base;  // what SQLite sees
    sqlite3_file *real; // the file below, in the memory after this
    bool checked;       // its pages have checksums
    bool trusting;      // and they are not compared
} CheckedFile;

static sqlite3_vfs *below;
static pthread_once_t below_once = PTHREAD_ONCE_INIT;

static sqlite3_file *real_of(sqlite3_file *file) { return ((CheckedFile *)file)->real; }

// pages -----------------------------------------------------------------------

static bool is_page(i64 offset, int size) {
    return size >= 512 && size <= 65536 && !(size & (size - 1)) && offset % size == 0;
}

static u64 page_sum(const u8 *page, int size, i64 offset) {
    return hash_bytes(page, (size_t)size - CHECK_BYTES, (u64)(offset / size) + 1);
}

static bool page_is_sound(const u8 *page, int size, i64 offset) {
    u64 kept;
    memcpy(&kept, page + size - CHECK_BYTES, CHECK_BYTES);
    return kept == page_sum(page, size, offset);
}

static u32 big_endian(const u8 *at) { return (u32)at[0] << 24 | (u32)at[1] << 16 | (u32)at[2] << 8 | at[3]; }

// Ours, and of a version that has checksums. The header of a database is the beginning of its first page.
static bool header_is_ours(const u8 *header) {
    u32 version = big_endian(header + 60);
    return big_endian(header + 68) == APPLICATION_ID && version >= CHECKED_SINCE && version <= STORE_VERSION;
}

static bool header_is_checked(const u8 *header) { return header_is_ours(header) && header[20] == CHECK_BYTES; }

static u32 header_page_size(const u8 *header) {
    u32 size = (u32)header[16] << 8 | header[17];
    return size == 1 ? 65536 : size;
}

static int checked_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
    CheckedFile *self = (CheckedFile *)file;
    int code = self->real->pMethods->xRead(self->real, bytes, size, offset);
    if (code)
        return code;
    if (!offset && size >= 100)
        self->checked = header_is_checked(bytes);
    if (!self->checked || self->trusting || !is_page(offset, size) || page_is_sound(bytes, size, offset))
        return SQLITE_OK;
    return SQLITE_IOERR_DATA;
}

// The end of a page in SQLite's cache is nobody's but ours: it may be filled in place.
static int checked_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
    CheckedFile *self = (CheckedFile *)file;
    if (!offset && size >= 100)
        self->checked = header_is_checked(bytes);
    if (self->checked && is_page(offset, size)) {
        u64 sum = page_sum(bytes, size, offset);
        memcpy((u8 *)bytes + size - CHECK_BYTES, &sum, CHECK_BYTES);
    }
    return self->real->pMethods->xWrite(self->real, bytes, size, offset);
}

// the rest of a file ------------------------------------------------------------

static int checked_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }
static int checked_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}
static int checked_sync(sqlite3_file *file, int flags) { return real_of(file)->pMethods->xSync(real_of(file), flags); }
static int checked_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
static int checked_lock(sqlite3_file *file, int level) { return real_of(file)->pMethods->xLock(real_of(file), level); }
static int checked_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
static int checked_reserved(sqlite3_file *file, int *out) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}
static int checked_control(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}
static int checked_sector(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
static int checked_device(sqlite3_file *file) {
    int flags = real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
    return flags & ~0x00008000; // SQLITE_IOCAP_SUBPAGE_READ of later versions: a part of a page cannot be checked
}

// No shared memory and no mapping: what is mapped is not read through here.
static const sqlite3_io_methods methods = {1,
                                           checked_close,
                                           checked_read,
                                           checked_write,
                                           checked_truncate,
                                           checked_sync,
                                           checked_size,
                                           checked_lock,
                                           checked_unlock,
                                           checked_reserved,
                                           checked_control,
                                           checked_sector,
                                           checked_device,
                                           NULL,
                                           NULL,
                                           NULL,
                                           NULL,
                                           NULL,
                                           NULL};

static int checked_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) // journals have checksums of their own
        return below->xOpen(below, name, file, flags, out);
    CheckedFile *self = (CheckedFile *)file;
    *self = (CheckedFile){.real = (sqlite3_file *)(self + 1), .trusting = getenv("RACERX_UNCHECKED") != NULL};
    memset(self->real, 0, (size_t)below->szOsFile);
    int code = below->xOpen(below, name, self->real, flags, out);
    self->base.pMethods = self->real->pMethods ? &methods : NULL;
    return code;
}

// the file system -----------------------------------------------------------------

static int below_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs;
    return below->xDelete(below, name, sync);
}
static int below_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    (void)vfs;
    return below->xAccess(below, name, flags, out);
}
static int below_full(sqlite3_vfs *vfs, const char *name, int room, char *out) {
    (void)vfs;
    return below->xFullPathname(below, name, room, out);
}
static int below_random(sqlite3_vfs *vfs, int size, char *out) {
    (void)vfs;
    return below->xRandomness(below, size, out);
}
static int below_sleep(sqlite3_vfs *vfs, int micros) {
    (void)vfs;
    return below->xSleep(below, micros);
}
static int below_time(sqlite3_vfs *vfs, double *out) {
    (void)vfs;
    return below->xCurrentTime(below, out);
}
static int below_error(sqlite3_vfs *vfs, int size, char *out) {
    (void)vfs;
    return below->xGetLastError ? below->xGetLastError(below, size, out) : 0;
}

static void register_checked(void) {
    static sqlite3_vfs checked;
    below = sqlite3_vfs_find(NULL);
    if (!below)
        out_of_memory(0);
    checked = (sqlite3_vfs){.iVersion = 1,
                            .szOsFile = (int)sizeof(CheckedFile) + below->szOsFile,
                            .mxPathname = below->mxPathname,
                            .zName = CHECKED_VFS,
                            .xOpen = checked_open,
                            .xDelete = below_delete,
                            .xAccess = below_access,
                            .xFullPathname = below_full,
                            .xRandomness = below_random,
                            .xSleep = below_sleep,
                            .xCurrentTime = below_time,
                            .xGetLastError = below_error};
    if (sqlite3_vfs_register(&checked, 0))
        out_of_memory(0);
}

int checked_connect(const char *path, struct sqlite3 **db, int flags) {
    pthread_once(&below_once, register_checked);
    return sqlite3_open_v2(path, db, flags, CHECKED_VFS);
}

int checked_reserve(struct sqlite3 *db) {
    int bytes = CHECK_BYTES;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

// whole files -----------------------------------------------------------------------

// Pages that were never written are zeros: SQLite leaves out what it does not need. Whether it needs one, it knows.
static bool is_zero(const u8 *page, u32 size) { return !page[0] && !memcmp(page, page + 1, size - 1); }

static bool pages_are_sound(int file, bool *zeros) {
    u8 header[100];
    if (pread(file, header, sizeof header, 0) != sizeof header)
        return false;
    u32 size = header_page_size(header), room = 1u << 20;
    if (!header_is_checked(header) || size < 512 || size & (size - 1))
        return false;
    u8 *pages = must_alloc(room);
    bool sound = true;
    ssize_t got = 0;
    for (i64 offset = 0; sound && (got = pread(file, pages, room, offset)) > 0; offset += got)
        for (u32 at = 0; sound && at < (u64)got; at += size)
            if (at + size > (u64)got || !page_is_sound(pages + at, (int)size, offset + at)) {
                sound = at + size <= (u64)got && is_zero(pages + at, size);
                *zeros = true;
            }
    free(pages);
    return sound && !got;
}

bool code_is_damage(int code) {
    int kind = code & 0xff;
    return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || code == SQLITE_IOERR_DATA ||
           code == SQLITE_IOERR_SHORT_READ;
}

bool header_is_damaged(const u8 *header) { return header_is_ours(header) && !header_is_checked(header); }

static int ask(sqlite3 *db, const char *sql) { // also: is the answer that all is well?
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (!code && sqlite3_step(statement) == SQLITE_ROW) {
        const char *answer = (const char *)sqlite3_column_text(statement, 0);
        code = answer && !strcmp(answer, "ok") ? SQLITE_OK : SQLITE_CORRUPT;
    } else if (!code) {
        code = sqlite3_extended_errcode(db);
    }
    sqlite3_finalize(statement);
    return code;
}

// What a killed run left is undone by the first question.
static int look_inside(sqlite3 *db, int file, const u8 *header) {
    bool zeros = false;
    int code = sqlite3_exec(db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    if (code || !header_is_ours(header) || getenv("RACERX_UNCHECKED"))
        return code;
    if (!pages_are_sound(file, &zeros))
        return SQLITE_IOERR_DATA;
    return zeros ? ask(db, "PRAGMA quick_check(1)") : SQLITE_OK;
}

int database_look(const char *path, int (*busy)(void *, int), void *context) {
    u8 header[100];
    int file = open(path, O_RDONLY | O_CLOEXEC), code = SQLITE_OK;
    if (file >= 0 && pread(file, header, sizeof header, 0) == sizeof header &&
        big_endian(header + 68) == APPLICATION_ID) {
        sqlite3 *db = NULL;
        code = checked_connect(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
        if (!code) {
            sqlite3_extended_result_codes(db, 1);
            sqlite3_busy_handler(db, busy, context);
            code = look_inside(db, file, header);
        }
        sqlite3_close(db);
    }
    if (file >= 0)
        close(file);
    return code;
}
