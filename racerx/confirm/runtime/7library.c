// functions of the C library that access memory of the program ---------------------------------

// What frees writes, and what was freed is gone for whoever stands before it.
void free(void *memory) {
    static void (*real)(void *);
    static int looking;
    if (!real && !looking) {
        looking = 1;
        real = (void (*)(void *))next_symbol("free");
    }
    if (!memory || !real) // before there is one nothing of weight is freed
        return;
    if (plan.active)
        access_at(CALLER, memory, malloc_usable_size(memory), WRITE | FREE);
    real(memory);
}
void *realloc(void *memory, size_t size) {
    if (memory && plan.active)
        access_at(CALLER, memory, malloc_usable_size(memory), WRITE | FREE);
    return REAL(realloc)(memory, size);
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

// What is said to be read by a format is no concern of ours, only where it goes.
int snprintf(char *restrict to, size_t size, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    if (size && plan.active)
        WRITES_OF(to, size);
    int result = REAL(vsnprintf)(to, size, format, list);
    va_end(list);
    return result;
}
int sprintf(char *restrict to, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    if (plan.active)
        WRITES_OF(to, 1);
    int result = REAL(vsprintf)(to, format, list);
    va_end(list);
    return result;
}

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
