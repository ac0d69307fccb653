// functions of the C library that access memory of the program ---------------------------------

// Allocation. What looks functions up may itself allocate: until ours are known it is given of a place of its own.
static char boot[BOOT] __attribute__((aligned(16)));
static size_t booted;
static void *boot_take(size_t size) {
    size_t at = __atomic_fetch_add(&booted, (size + 31) & ~(size_t)15, __ATOMIC_SEQ_CST);
    return at + size + 16 > sizeof boot ? NULL : boot + at + 16;
}
static int is_booted(const void *memory) { return (char *)memory >= boot && (char *)memory < boot + sizeof boot; }
// The function of that name; NULL while it is looked for.
#define ALLOCATOR(name)                                                                                                \
    ({                                                                                                                 \
        static void *found;                                                                                            \
        static int looking;                                                                                            \
        if (!__atomic_load_n(&found, __ATOMIC_ACQUIRE) && !looking) {                                                  \
            looking = 1;                                                                                               \
            __atomic_store_n(&found, next_symbol(#name), __ATOMIC_RELEASE);                                            \
        }                                                                                                              \
        (__typeof__(&name))__atomic_load_n(&found, __ATOMIC_ACQUIRE);                                                  \
    })
static void *allocated(Caller caller, void *memory, size_t size) {
    if (plan.trace && memory)
        trace_here(EVENT_ALLOCATE, caller.pc, memory, size);
    return memory;
}
void *malloc(size_t size) {
    void *(*real)(size_t) = ALLOCATOR(malloc);
    return real ? allocated(CALLER, real(size), size) : boot_take(size);
}
void *calloc(size_t count, size_t size) {
    void *(*real)(size_t, size_t) = ALLOCATOR(calloc);
    return real ? allocated(CALLER, real(count, size), count * size) : boot_take(count * size);
}
int posix_memalign(void **to, size_t step, size_t size) {
    int result = REAL(posix_memalign)(to, step, size);
    if (!result)
        allocated(CALLER, *to, size);
    return result;
}
void *aligned_alloc(size_t step, size_t size) { return allocated(CALLER, REAL(aligned_alloc)(step, size), size); }

// What frees writes, and what was freed is gone for whoever stands before it.
static void freed(Caller caller, void *memory) {
    size_t size = malloc_usable_size(memory);
    if (!plan.trace)
        access_at(caller, memory, size, WRITE | FREE);
    else
        trace_here(EVENT_FREE, caller.pc, memory, size);
}
void free(void *memory) {
    void (*real)(void *) = ALLOCATOR(free);
    if (!memory || !real || is_booted(memory)) // before there is one nothing of weight is freed
        return;
    if (plan.active)
        freed(CALLER, memory);
    real(memory);
}
void *realloc(void *memory, size_t size) {
    if (is_booted(memory)) {
        void *fresh = malloc(size);
        size_t left = (size_t)(boot + sizeof boot - (char *)memory);
        for (size_t i = 0; fresh && i < size && i < left; i++)
            ((char *)fresh)[i] = ((char *)memory)[i];
        return fresh;
    }
    if (memory && plan.active)
        freed(CALLER, memory);
    return allocated(CALLER, REAL(realloc)(memory, size), size);
}

#define READS_OF(memory, size) access_at(CALLER, memory, size, READ)
#define WRITES_OF(memory, size) access_at(CALLER, memory, size, WRITE)
// A function in terms of itself: what it accesses, then the real one.
#define PASS(type, name, parameters, arguments, ...)                                                                   \
    type name parameters {                                                                                             \
        if (plan.active) {                                                                                             \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
        return REAL(name) arguments;                                                                                   \
    }
#define TEXT(text) REAL(strlen)(text) + 1
PASS(void *, memcpy, (void *restrict to, const void *restrict from, size_t size), (to, from, size),
     if (size) READS_OF(from, size);
     if (size) WRITES_OF(to, size))
PASS(void *, memmove, (void *to, const void *from, size_t size), (to, from, size), if (size) READS_OF(from, size);
     if (size) WRITES_OF(to, size))
PASS(void *, memset, (void *to, int byte, size_t size), (to, byte, size), if (size) WRITES_OF(to, size))
PASS(int, memcmp, (const void *a, const void *b, size_t size), (a, b, size), if (size) READS_OF(a, size);
     if (size) READS_OF(b, size))
PASS(char *, strcpy, (char *restrict to, const char *restrict from), (to, from), READS_OF(from, TEXT(from));
     WRITES_OF(to, TEXT(from)))
PASS(char *, strncpy, (char *restrict to, const char *restrict from, size_t size), (to, from, size),
     READS_OF(from, strnlen(from, size));
     if (size) WRITES_OF(to, size))
PASS(char *, strcat, (char *restrict to, const char *restrict from), (to, from), READS_OF(from, TEXT(from));
     WRITES_OF(to, TEXT(to) + TEXT(from)))
PASS(char *, strdup, (const char *text), (text), READS_OF(text, TEXT(text)))
PASS(size_t, strlen, (const char *text), (text), READS_OF(text, TEXT(text)))
PASS(int, strcmp, (const char *a, const char *b), (a, b), READS_OF(a, TEXT(a)); READS_OF(b, TEXT(b)))
PASS(int, strncmp, (const char *a, const char *b, size_t size), (a, b, size), READS_OF(a, strnlen(a, size));
     READS_OF(b, strnlen(b, size)))
PASS(int, strcasecmp, (const char *a, const char *b), (a, b), READS_OF(a, TEXT(a)); READS_OF(b, TEXT(b)))
PASS(char *, strchr, (const char *text, int byte), (text, byte), READS_OF(text, TEXT(text)))
PASS(char *, strrchr, (const char *text, int byte), (text, byte), READS_OF(text, TEXT(text)))
PASS(char *, strstr, (const char *text, const char *part), (text, part), READS_OF(text, TEXT(text)))

// in and out
PASS(ssize_t, read, (int file, void *to, size_t size), (file, to, size), WRITES_OF(to, size))
PASS(ssize_t, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at), WRITES_OF(to, size))
PASS(ssize_t, recv, (int file, void *to, size_t size, int flags), (file, to, size, flags), WRITES_OF(to, size))
PASS(ssize_t, write, (int file, const void *from, size_t size), (file, from, size), READS_OF(from, size))
PASS(ssize_t, send, (int file, const void *from, size_t size, int flags), (file, from, size, flags),
     READS_OF(from, size))
PASS(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict file), (to, size, count, file),
     WRITES_OF(to, size *count))
PASS(size_t, fwrite, (const void *restrict from, size_t size, size_t count, FILE *restrict file),
     (from, size, count, file), READS_OF(from, size *count))
PASS(char *, fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file), WRITES_OF(to, (Word)size))
PASS(int, puts, (const char *text), (text), READS_OF(text, TEXT(text)))
PASS(int, fputs, (const char *restrict text, FILE *restrict file), (text, file), READS_OF(text, TEXT(text)))
PASS(int, vsnprintf, (char *restrict to, size_t size, const char *restrict format, va_list list),
     (to, size, format, list), if (size) WRITES_OF(to, size))
PASS(int, vsprintf, (char *restrict to, const char *restrict format, va_list list), (to, format, list),
     WRITES_OF(to, 1))
PASS(struct tm *, localtime_r, (const time_t *restrict from, struct tm *restrict to), (from, to),
     READS_OF(from, sizeof *from);
     WRITES_OF(to, sizeof *to))
PASS(struct tm *, gmtime_r, (const time_t *restrict from, struct tm *restrict to), (from, to),
     READS_OF(from, sizeof *from);
     WRITES_OF(to, sizeof *to))
PASS(time_t, time, (time_t * to), (to), if (to) WRITES_OF(to, sizeof *to))
PASS(int, clock_gettime, (clockid_t clock, struct timespec *to), (clock, to), WRITES_OF(to, sizeof *to))

// What a format makes printf read, or scanf write. One that is not understood is followed no further.
static void format_access(Caller caller, const char *format, va_list *list, int scans) {
    for (const char *at = format; (at = REAL(strchr)(at, '%')); at++) {
        int size = 4, width = 0, kept = 1;
        for (at++; *at && REAL(strchr)("0123456789.-+ #'*hlLqjzt", *at); at++) {
            size = *at == 'l' || *at == 'q' || *at == 'j' || *at == 'z' || *at == 't' ? 8
                   : *at == 'h'                                                       ? size / 2
                                                                                      : size;
            width |= *at == 'L' ? 16 : 0;
            if (*at == '*' && scans)
                kept = 0;
            else if (*at == '*')
                (void)va_arg(*list, int);
        }
        if (*at == '%')
            continue;
        if (!*at || !REAL(strchr)(scans ? "diouxXeEfgGscpn" : "diouxXeEfFgGaAscp", *at) || width)
            return;
        int real = REAL(strchr)("eEfFgGaA", *at) != NULL;
        if (scans && kept)
            access_at(caller, va_arg(*list, void *), *at == 's' || *at == 'c' ? 1 : (Word)size, WRITE);
        else if (scans)
            continue;
        else if (*at == 's') {
            const char *text = va_arg(*list, const char *);
            if (text && size == 4)
                access_at(caller, text, 1, READ);
        } else if (real)
            (void)va_arg(*list, double);
        else if (size == 8 || *at == 'p')
            (void)va_arg(*list, long);
        else
            (void)va_arg(*list, int);
    }
}

// `accesses` is said before; the function that takes a list does it.
#define FORMATTED(name, scans, parameters, accesses, call)                                                             \
    int name parameters {                                                                                              \
        va_list list;                                                                                                  \
        if (plan.active) {                                                                                             \
            va_start(list, format);                                                                                    \
            accesses;                                                                                                  \
            format_access(CALLER, format, &list, scans);                                                               \
            va_end(list);                                                                                              \
        }                                                                                                              \
        va_start(list, format);                                                                                        \
        int result = call;                                                                                             \
        va_end(list);                                                                                                  \
        return result;                                                                                                 \
    }
FORMATTED(printf, 0, (const char *restrict format, ...), (void)0, REAL(vprintf)(format, list))
FORMATTED(fprintf, 0, (FILE *restrict file, const char *restrict format, ...), (void)0,
          REAL(vfprintf)(file, format, list))
FORMATTED(snprintf, 0, (char *restrict to, size_t size, const char *restrict format, ...),
          if (size) WRITES_OF(to, size), REAL(vsnprintf)(to, size, format, list))
FORMATTED(sprintf, 0, (char *restrict to, const char *restrict format, ...), WRITES_OF(to, 1),
          REAL(vsprintf)(to, format, list))
// The header gives these two the names that programs of today use: __isoc99_sscanf.
int __isoc99_vsscanf(const char *restrict from, const char *restrict format, va_list list);
int __isoc99_vfscanf(FILE *restrict file, const char *restrict format, va_list list);
FORMATTED(sscanf, 1, (const char *restrict from, const char *restrict format, ...), READS_OF(from, TEXT(from)),
          REAL(__isoc99_vsscanf)(from, format, list))
FORMATTED(fscanf, 1, (FILE *restrict file, const char *restrict format, ...), (void)0,
          REAL(__isoc99_vfscanf)(file, format, list))

// Functions that keep something between calls, which POSIX allows to be one for all threads. Each group has a place
// here in its stead.
static char tokens, times, errors, environment, randoms, places48;
PASS(char *, strtok, (char *restrict text, const char *restrict ends), (text, ends), WRITES_OF(&tokens, 1))
PASS(struct tm *, localtime, (const time_t *from), (from), READS_OF(from, sizeof *from); WRITES_OF(&times, 1))
PASS(struct tm *, gmtime, (const time_t *from), (from), READS_OF(from, sizeof *from); WRITES_OF(&times, 1))
PASS(char *, ctime, (const time_t *from), (from), READS_OF(from, sizeof *from); WRITES_OF(&times, 1))
PASS(char *, asctime, (const struct tm *from), (from), READS_OF(from, sizeof *from); WRITES_OF(&times, 1))
PASS(char *, strerror, (int number), (number), WRITES_OF(&errors, 1))
PASS(char *, getenv, (const char *name), (name), READS_OF(&environment, 1))
PASS(int, setenv, (const char *name, const char *value, int over), (name, value, over), WRITES_OF(&environment, 1))
PASS(int, unsetenv, (const char *name), (name), WRITES_OF(&environment, 1))
PASS(int, putenv, (char *text), (text), WRITES_OF(&environment, 1))
PASS(int, rand, (void), (), WRITES_OF(&randoms, 1))
PASS(void, srand, (unsigned seed), (seed), WRITES_OF(&randoms, 1))
PASS(double, drand48, (void), (), WRITES_OF(&places48, 1))
PASS(long, lrand48, (void), (), WRITES_OF(&places48, 1))
