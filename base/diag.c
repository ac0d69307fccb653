// diag.c: the three kinds of failure, and what was skipped.
// In: messages. Out: one line each on standard error; exit status 2 (user) or 3 (us).
// Skips are collected from any thread and printed sorted, so no thread order shows.
#include "base/base.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

typedef struct {
    char *path;
    char *reason;
} Skip;

static pthread_mutex_t skips_lock = PTHREAD_MUTEX_INITIALIZER;
static Array(Skip) skips;
static bool be_quiet;

void diag_set_quiet(bool quiet) { be_quiet = quiet; }

extern void __gcov_dump(void) __attribute__((weak)); // in a build that counts what was run: _exit() would lose it

// RACERX_ABORT makes a failure one that debuggers and fuzzers see.
static _Noreturn void leave(int status) {
    fflush(stderr);
    if (__gcov_dump)
        __gcov_dump();
    if (getenv("RACERX_ABORT"))
        abort();
    _exit(status);
}

_Noreturn void die_at(const char *file, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "racerx: internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fprintf(stderr,
            "\nracerx: this is a bug in racerx; please report it with the command line and the file it was on\n");
    va_end(args);
    leave(3);
}

void (*fatal_hook)(void);

_Noreturn void fatal(const char *format, ...) {
    va_list args;
    if (fatal_hook)
        fatal_hook();
    va_start(args, format);
    fflush(stdout);
    fprintf(stderr, "racerx: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    leave(2);
}

void note(const char *format, ...) {
    if (be_quiet)
        return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "racerx: ");
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

char *quote_path(const char *path) {
    Buffer out = {0};
    for (const u8 *at = (const u8 *)path; *at;) {
        const u8 *from = at;
        bool printable = character_is_printable(text_character(&at));
        if (*from == '\n')
            buffer_text(&out, "\\n");
        else if (*from == '\t')
            buffer_text(&out, "\\t");
        else if (*from == '\\')
            buffer_text(&out, "\\\\");
        else if (printable)
            buffer_put(&out, from, (size_t)(at - from));
        else
            for (; from < at; from++)
                buffer_format(&out, "\\x%02x", *from);
    }
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

void skip(const char *path, const char *format, ...) {
    char reason[512];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    Skip entry = {quote_path(path), must_strdup(reason)};
    pthread_mutex_lock(&skips_lock);
    array_push(&skips, entry);
    pthread_mutex_unlock(&skips_lock);
}

u32 skip_count(void) { return skips.count; }

static int compare_skips(const void *left, const void *right) {
    const Skip *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order ? order : strcmp(a->reason, b->reason);
}

void skip_report(FILE *out, u32 most) {
    if (!skips.count)
        return;
    qsort(skips.items, skips.count, sizeof(Skip), compare_skips);
    for (u32 i = 0; i < skips.count && i < most; i++)
        fprintf(out, "racerx: skipped %s: %s\n", skips.items[i].path, skips.items[i].reason);
    if (skips.count > most)
        fprintf(out, "racerx: skipped %u more (--stats lists them all)\n", skips.count - most);
}

void skip_reset(void) {
    for (u32 i = 0; i < skips.count; i++) {
        free(skips.items[i].path);
        free(skips.items[i].reason);
    }
    array_free(&skips);
}

bool fault_point(const char *name) {
    static const char *kill_at, *full_at;
    static int ready;
    static u32 passed;
    if (!ready) {
        kill_at = getenv("RACERX_FAULT");
        full_at = getenv("RACERX_FAULT_FULL");
        ready = 1;
    }
    if (full_at && !strcmp(full_at, name))
        return true;
    if (!kill_at)
        return false;
    size_t length = strlen(name);
    if (strncmp(kill_at, name, length) || (kill_at[length] && kill_at[length] != ':'))
        return false;
    u32 nth = kill_at[length] == ':' ? (u32)strtoul(kill_at + length + 1, NULL, 10) : 1;
    if (++passed >= nth)
        kill(getpid(), SIGKILL);
    return false;
}

bool checks_wanted(void) {
#ifdef RACERX_CHECKS
    return true;
#else
    return getenv("RACERX_CHECKS") != NULL;
#endif
}

const char *quoted_path(const char *path) {
    enum { KEPT = 8 };
    static _Thread_local char *kept[KEPT];
    static _Thread_local u32 next;
    char **one = &kept[next++ % KEPT];
    free(*one);
    return *one = quote_path(path);
}
