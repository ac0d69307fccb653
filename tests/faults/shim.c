// shim.c: makes one call of the system, of the allocator or of SQLite fail. For tests/faults/faults, by LD_PRELOAD.
// In: RACERX_SHIM, and what the program calls. Out: the same calls, of which one fails; or the power.
//
//   count:FILE  nothing fails; FILE gets a line `SORT N` for every call whose nearest callers are new, and at the
//               end `total SORT N`: faults that differ in nothing but how often they were passed need no second run
//   SORT:N      the N-th call of that sort fails, once
//   SORT:N+     it fails, and so do all after it: a disk stays full, memory stays gone
//   power:N     the N-th change of a file is the last thing that happens: of what was written and not synced nothing
//   power:N~S   is on the disk, or only some of it, chosen by S. Names are kept as they were at that moment.
//
// RACERX_SHIM_TRACE=FILE: who called what failed.
//
// The errors are the ones that real systems give, in turn, by N. What the C library does inside (stdio's own reads and
// writes) is not seen here; fflush and fclose stand for it.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum { ALLOC, MAP, OPEN, LOOK, READ, WRITE, SYNC, NAME, THREAD, SQLITE, POWER, SORTS } Sort;
static const char *const sorts[SORTS] = {"alloc", "map",  "open",   "look",   "read", "write",
                                         "sync",  "name", "thread", "sqlite", "power"};
enum { NEAREST = 5, SEEN_MOST = 1 << 18 };

static atomic_ulong passed[SORTS];
static int failing = -1;       // the sort of what fails
static unsigned long fails_at; // its number
static bool stays, counting;
static int report = -1; // where counts go
static unsigned long seed;
static _Thread_local bool inside;
static uint64_t seen[SEEN_MOST]; // hashes of callers
static pthread_mutex_t seen_lock = PTHREAD_MUTEX_INITIALIZER;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

#define REAL(type, name, ...)                                                                                          \
    static type (*real)(__VA_ARGS__);                                                                                  \
    if (!real) {                                                                                                       \
        inside = true;                                                                                                 \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                     \
        inside = false;                                                                                                \
    }

// set-up ------------------------------------------------------------------------------------

__attribute__((constructor)) static void start(void) {
    const char *said = getenv("RACERX_SHIM");
    if (!said)
        return;
    inside = true;
    void *frames[NEAREST];
    backtrace(frames, NEAREST); // loads what it needs
    if (!strncmp(said, "count:", 6)) {
        counting = true;
        report = open(said + 6, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (!counting && getenv("RACERX_SHIM_TRACE"))
        report = open(getenv("RACERX_SHIM_TRACE"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    for (int i = 0; i < SORTS; i++) {
        size_t length = strlen(sorts[i]);
        char *end = NULL;
        if (strncmp(said, sorts[i], length) || said[length] != ':')
            continue;
        failing = i;
        fails_at = strtoul(said + length + 1, &end, 10);
        stays = *end == '+';
        seed = *end == '~' ? strtoul(end + 1, NULL, 10) : 0;
    }
    unsetenv("RACERX_SHIM"); // not for the children
    inside = false;
}

static void say(const char *what, const char *sort, unsigned long number) {
    char line[80];
    int size = snprintf(line, sizeof line, "%s%s %lu\n", what, sort, number);
    syscall(SYS_write, report, line, (size_t)size);
}

__attribute__((destructor)) static void finish(void) {
    for (int i = 0; counting && i < SORTS; i++)
        say("total ", sorts[i], passed[i]);
}

// counting ----------------------------------------------------------------------------------

static bool is_new(Sort sort) {
    void *frames[NEAREST + 3] = {0};
    int count = backtrace(frames, NEAREST + 3);
    uint64_t hash = 1469598103934665603u + (uint64_t)sort;
    for (int i = 3; i < count; i++) // past this function and the two that called it
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
    hash |= 1;
    pthread_mutex_lock(&seen_lock);
    uint32_t at = (uint32_t)(hash >> 20) % SEEN_MOST, tries = 0;
    while (seen[at] && seen[at] != hash && ++tries < SEEN_MOST)
        at = (at + 1) % SEEN_MOST;
    bool fresh = !seen[at];
    seen[at] = hash;
    pthread_mutex_unlock(&seen_lock);
    return fresh;
}

// Is this the call that fails?
static __attribute__((noinline)) bool fails(Sort sort) {
    if (inside || (!counting && failing != (int)sort))
        return false;
    unsigned long number = ++passed[sort];
    if (counting) {
        inside = true;
        if (sort == POWER || is_new(sort))
            say("", sorts[sort], number);
        inside = false;
        return false;
    }
    bool now = number == fails_at || (stays && number > fails_at);
    if (now && report >= 0 && number == fails_at) { // who it was, for addr2line
        void *frames[40];
        inside = true;
        backtrace_symbols_fd(frames, backtrace(frames, 40), report);
        inside = false;
    }
    return now;
}

static int fail(const int *errors, int count) {
    errno = errors[fails_at % (unsigned)count];
    return -1;
}
#define FAIL(...) fail((const int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))

// memory, threads ---------------------------------------------------------------------------

void *malloc(size_t size) { return fails(ALLOC) ? (errno = ENOMEM, NULL) : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(ALLOC) ? (errno = ENOMEM, NULL) : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(ALLOC) ? (errno = ENOMEM, NULL) : __libc_realloc(old, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    return fails(ALLOC) || !(*out = __libc_memalign(alignment, size)) ? ENOMEM : 0;
}

static void *map(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails(MAP))
        return errno = ENOMEM, MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    return map(at, size, protection, flags, file, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
    return map(at, size, protection, flags, file, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    return fails(THREAD) ? EAGAIN : real(thread, attributes, run, argument);
}

// the power -----------------------------------------------------------------------------------

// What was done to a file and not synced yet.
typedef struct Change {
    struct Change *before; // the change before it, of any file
    dev_t device;          // the file
    ino_t node;
    int file;           // a descriptor of our own
    off_t offset, size; // where something was written; how long the file was
    size_t count, had;  // bytes written, of which so many were there
    unsigned char *now; // what was written, then what was there
} Change;
static Change *changes;
static pthread_mutex_t changes_lock = PTHREAD_MUTEX_INITIALIZER;

static void write_all(int file, const void *bytes, size_t count, off_t at) {
    for (const char *from = bytes; count;) {
        long wrote = syscall(SYS_pwrite64, file, from, count, at);
        if (wrote <= 0)
            return;
        from += wrote, at += wrote, count -= (size_t)wrote;
    }
}

static void lose_power(void) {
    Change *first = NULL;
    for (Change *it = changes, *before; it; it = before) { // back to what was synced,
        before = it->before;
        write_all(it->file, it->now + it->count, it->had, it->offset);
        syscall(SYS_ftruncate, it->file, it->size);
        it->before = first;
        first = it;
    }
    unsigned long state = seed;
    for (; seed && first; first = first->before) { // and some of what was not, in its order
        state = state * 6364136223846793005u + 1442695040888963407u;
        if (state >> 62)
            write_all(first->file, first->now, first->count, first->offset);
    }
    syscall(SYS_exit_group, 137);
}

static void note_change(int file, const void *bytes, size_t count, off_t offset) {
    struct stat info;
    if (failing != POWER || fstat(file, &info) || !S_ISREG(info.st_mode))
        return;
    inside = true;
    Change *made = __libc_malloc(sizeof *made);
    *made = (Change){changes, info.st_dev, info.st_ino, dup(file), offset, info.st_size, count, 0, NULL};
    int readable = -1;
    char name[40];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    made->now = __libc_malloc(count * 2 + 1);
    if (count)
        memcpy(made->now, bytes, count);
    readable = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC);
    long had = syscall(SYS_pread64, readable, made->now + count, count, offset);
    made->had = had > 0 ? (size_t)had : 0;
    close(made->file);
    made->file = readable;
    changes = made;
    inside = false;
}

static void forget_changes(int file) {
    struct stat info;
    if (failing != POWER || fstat(file, &info))
        return;
    for (Change **at = &changes; *at;)
        if ((*at)->device == info.st_dev && (*at)->node == info.st_ino)
            *at = (*at)->before;
        else
            at = &(*at)->before;
}

// Of a file: the power may go in front of it.
static void change(int file, const void *bytes, size_t count, off_t offset) {
    struct stat info;
    if (inside || (!counting && failing != POWER) || fstat(file, &info) || !S_ISREG(info.st_mode))
        return;
    pthread_mutex_lock(&changes_lock);
    if (offset < 0)
        offset = fcntl(file, F_GETFL) & O_APPEND ? info.st_size : (off_t)syscall(SYS_lseek, file, 0, SEEK_CUR);
    if (fails(POWER))
        lose_power();
    note_change(file, bytes, count, offset);
    pthread_mutex_unlock(&changes_lock);
}

// files ---------------------------------------------------------------------------------------

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    return fails(OPEN) ? FAIL(EACCES, EMFILE, EIO, ENOMEM) : (int)syscall(SYS_openat, directory, path, flags, mode);
}
int open(const char *path, int flags, ...) {
    __builtin_va_list rest;
    __builtin_va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? __builtin_va_arg(rest, mode_t) : 0;
    __builtin_va_end(rest);
    return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    __builtin_va_list rest;
    __builtin_va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? __builtin_va_arg(rest, mode_t) : 0;
    __builtin_va_end(rest);
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
FILE *fopen(const char *path, const char *mode) {
    REAL(FILE *, fopen, const char *, const char *)
    return fails(OPEN) ? (FAIL(EACCES, EMFILE, EIO, ENOMEM), NULL) : real(path, mode);
}
DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *)
    return fails(OPEN) ? (FAIL(EACCES, EMFILE, EIO, ENOMEM), NULL) : real(path);
}
DIR *fdopendir(int file) {
    REAL(DIR *, fdopendir, int)
    return fails(OPEN) ? (FAIL(ENOMEM, EIO), NULL) : real(file);
}

int stat(const char *path, struct stat *out) {
    REAL(int, stat, const char *, struct stat *)
    return fails(LOOK) ? FAIL(EIO, EACCES, ENOMEM) : real(path, out);
}
int lstat(const char *path, struct stat *out) {
    REAL(int, lstat, const char *, struct stat *)
    return fails(LOOK) ? FAIL(EIO, EACCES, ENOMEM) : real(path, out);
}
int fstat(int file, struct stat *out) {
    REAL(int, fstat, int, struct stat *)
    return fails(LOOK) ? FAIL(EIO, ENOMEM) : real(file, out);
}
int fstatat(int directory, const char *path, struct stat *out, int flags) {
    REAL(int, fstatat, int, const char *, struct stat *, int)
    return fails(LOOK) ? FAIL(EIO, EACCES, ENOMEM) : real(directory, path, out, flags);
}
int access(const char *path, int how) {
    REAL(int, access, const char *, int)
    return fails(LOOK) ? FAIL(EIO, EACCES) : real(path, how);
}
struct dirent *readdir(DIR *directory) {
    REAL(struct dirent *, readdir, DIR *)
    return fails(READ) ? (FAIL(EIO, ENOMEM), NULL) : real(directory);
}

ssize_t read(int file, void *out, size_t count) {
    return fails(READ) ? FAIL(EIO, EISDIR, ENOMEM) : syscall(SYS_read, file, out, count);
}
ssize_t pread(int file, void *out, size_t count, off_t at) {
    return fails(READ) ? FAIL(EIO, ENOMEM) : syscall(SYS_pread64, file, out, count, at);
}
ssize_t pread64(int file, void *out, size_t count, off64_t at) {
    return fails(READ) ? FAIL(EIO, ENOMEM) : syscall(SYS_pread64, file, out, count, at);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (file > 2) // messages are not for failing
        change(file, bytes, count, -1);
    return file > 2 && fails(WRITE) ? FAIL(ENOSPC, EIO, EDQUOT) : syscall(SYS_write, file, bytes, count);
}
static ssize_t write_at(int file, const void *bytes, size_t count, off_t at) {
    change(file, bytes, count, at);
    return fails(WRITE) ? FAIL(ENOSPC, EIO, EDQUOT) : syscall(SYS_pwrite64, file, bytes, count, at);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return write_at(file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return write_at(file, bytes, count, at); }
int fflush(FILE *file) {
    REAL(int, fflush, FILE *)
    int result = real(file);
    return file && file != stderr && fails(WRITE) ? FAIL(ENOSPC, EIO) : result;
}
int fclose(FILE *file) {
    REAL(int, fclose, FILE *)
    int result = real(file);
    return fails(WRITE) ? FAIL(ENOSPC, EIO) : result;
}

static int sync_file(int file) {
    if (!inside && (counting || failing == POWER)) {
        pthread_mutex_lock(&changes_lock);
        if (fails(POWER))
            lose_power();
        forget_changes(file);
        pthread_mutex_unlock(&changes_lock);
    }
    return fails(SYNC) ? FAIL(EIO, ENOSPC) : 0; // nobody takes the real power away: no need to wait for the disk
}
int fsync(int file) { return sync_file(file); }
int fdatasync(int file) { return sync_file(file); }

// Names: the power may go in front of each, and what was done to names is kept.
static bool name_fails(void) {
    if (fails(POWER))
        lose_power();
    return fails(NAME);
}
int rename(const char *from, const char *to) {
    return name_fails() ? FAIL(EIO, ENOSPC, EACCES) : (int)syscall(SYS_rename, from, to);
}
int unlink(const char *path) { return name_fails() ? FAIL(EIO, EACCES) : (int)syscall(SYS_unlink, path); }
int mkdir(const char *path, mode_t mode) {
    return name_fails() ? FAIL(ENOSPC, EACCES, EIO) : (int)syscall(SYS_mkdir, path, mode);
}
int ftruncate(int file, off_t size) {
    change(file, NULL, 0, 0);
    return fails(NAME) ? FAIL(EIO, ENOSPC) : (int)syscall(SYS_ftruncate, file, size);
}
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int fchmod(int file, mode_t mode) { return fails(NAME) ? FAIL(EACCES, EIO) : (int)syscall(SYS_fchmod, file, mode); }

// SQLite: what it says fails, and goes on saying so until it is asked for something else ------------------------------

static uintptr_t sqlite_from, sqlite_to; // where its library lies: calls out of it are its own affair

static int find_sqlite(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int i = 0; strstr(info->dlpi_name, "libsqlite3") && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            sqlite_from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            sqlite_to = sqlite_from + info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

static bool is_own_call(const void *caller) {
    if (!sqlite_to && !inside) {
        inside = true;
        dl_iterate_phdr(find_sqlite, NULL);
        inside = false;
    }
    return (uintptr_t)caller - sqlite_from < sqlite_to - sqlite_from;
}

static _Thread_local int said_code;
static int sqlite_fails(int other) {
    static const int codes[] = {SQLITE_IOERR, SQLITE_FULL, SQLITE_NOMEM, SQLITE_CORRUPT, SQLITE_BUSY};
    if (!fails(SQLITE)) {
        said_code = inside ? said_code : 0;
        return 0;
    }
    return said_code = other ? other : codes[fails_at % (sizeof codes / sizeof *codes)];
}

#define SQLITE_CALL(name, other, parameters, arguments)                                                                \
    int name parameters {                                                                                              \
        static int(*real) parameters;                                                                                  \
        if (!real) {                                                                                                   \
            inside = true;                                                                                             \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                 \
            inside = false;                                                                                            \
        }                                                                                                              \
        int code = is_own_call(__builtin_return_address(0)) ? 0 : sqlite_fails(other);                                 \
        if (code)                                                                                                      \
            return code;                                                                                               \
        return real arguments;                                                                                         \
    }

SQLITE_CALL(sqlite3_step, 0, (sqlite3_stmt * statement), (statement))
SQLITE_CALL(sqlite3_exec, 0,
            (sqlite3 * db, const char *sql, int (*call)(void *, int, char **, char **), void *context, char **error),
            (db, sql, call, context, error))
SQLITE_CALL(sqlite3_prepare_v2, 0, (sqlite3 * db, const char *sql, int size, sqlite3_stmt **out, const char **rest),
            (db, sql, size, out, rest))
SQLITE_CALL(sqlite3_prepare_v3, 0,
            (sqlite3 * db, const char *sql, int size, unsigned flags, sqlite3_stmt **out, const char **rest),
            (db, sql, size, flags, out, rest))
SQLITE_CALL(sqlite3_blob_open, 0,
            (sqlite3 * db, const char *base, const char *table, const char *column, sqlite3_int64 row, int flags,
             sqlite3_blob **out),
            (db, base, table, column, row, flags, out))
SQLITE_CALL(sqlite3_blob_read, 0, (sqlite3_blob * blob, void *out, int size, int at), (blob, out, size, at))
SQLITE_CALL(sqlite3_bind_text, SQLITE_NOMEM,
            (sqlite3_stmt * statement, int index, const char *text, int size, void (*release)(void *)),
            (statement, index, text, size, release))
SQLITE_CALL(sqlite3_bind_blob, SQLITE_NOMEM,
            (sqlite3_stmt * statement, int index, const void *bytes, int size, void (*release)(void *)),
            (statement, index, bytes, size, release))
SQLITE_CALL(sqlite3_bind_blob64, SQLITE_NOMEM,
            (sqlite3_stmt * statement, int index, const void *bytes, sqlite3_uint64 size, void (*release)(void *)),
            (statement, index, bytes, size, release))
int sqlite3_open_v2(const char *path, sqlite3 **out, int flags, const char *vfs) {
    REAL(int, sqlite3_open_v2, const char *, sqlite3 **, int, const char *)
    int code = sqlite_fails(fails_at & 1 ? SQLITE_NOMEM : SQLITE_CANTOPEN);
    if (code)
        *out = NULL;
    return code ? code : real(path, out, flags, vfs);
}

#define SQLITE_SAYS(type, name, said)                                                                                  \
    type name(sqlite3 *db) {                                                                                           \
        REAL(type, name, sqlite3 *)                                                                                    \
        return said_code ? said : real(db);                                                                            \
    }
SQLITE_SAYS(int, sqlite3_errcode, said_code & 0xff)
SQLITE_SAYS(int, sqlite3_extended_errcode, said_code)
SQLITE_SAYS(const char *, sqlite3_errmsg, sqlite3_errstr(said_code))
