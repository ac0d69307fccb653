// base.h: the leaf library. Nothing here knows about C source, locks or findings.
// In pipeline order of how often they are met: types, failure, arenas, arrays,
// strings, hashing, interning, maps, byte buffers, bit sets, files, threads, progress.
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

// diag.c ----------------------------------------------------------------------
// Three kinds of failure. die(): our bug, exit 3. fatal(): the user's mistake, one
// line that says what to do, exit 2. skip(): input we cannot handle, counted and
// shown at the end, and we go on.
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void die_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern void (*fatal_hook)(void); // for fuzzers: is called instead of leaving, and does not return
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));                   // to stderr, unless quiet
void skip(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3))); // thread-safe
u32 skip_count(void);
void skip_report(FILE *out, u32 most); // sorted; at most `most` lines, then how many more
void skip_reset(void);
void diag_set_quiet(bool quiet);
// Are products verified between passes (x_check())? In sanitizer and hostile builds, and where RACERX_CHECKS is set.
bool checks_wanted(void);
char *quote_path(const char *path);        // printable on one line: what is not printable is escaped; malloc'd
const char *quoted_path(const char *path); // likewise, for one message: kept until this thread asked for a few more
#define check(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            die("%s", #condition);                                                                                     \
    } while (0)
// The same where it is asked too often to be asked always: in sanitizer, hostile and fuzzing builds.
#ifdef RACERX_CHECKS
#define promised(condition) check(condition)
#else
#define promised(condition) ((void)sizeof(!(condition)))
#endif

// arena.c ---------------------------------------------------------------------
// Bump allocation with one reset point. Two lifetimes in this program: the run, and
// the unit (a file, later a root).
typedef struct ArenaChunk ArenaChunk;
typedef struct {
    ArenaChunk *first;   // chunks in order of allocation
    ArenaChunk *current; // the one being filled
    u64 allocated;       // bytes handed out since the last reset
    u64 peak;            // most bytes ever handed out between resets
} Arena;
void *arena_alloc(Arena *self, size_t size); // 8-byte aligned, not cleared
void arena_adopt(Arena *self, Arena *other); // what `other` holds lives on here; it is empty afterwards
void *arena_zero(Arena *self, size_t size);
char *arena_copy(Arena *self, const void *bytes, size_t size); // with a NUL after it
void arena_reset(Arena *self);                                 // keeps the chunks
void arena_free(Arena *self);
#define arena_new(arena, T) ((T *)arena_zero((arena), sizeof(T)))
#define arena_array(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

_Noreturn void out_of_memory(size_t size); // of bytes that were asked for; 0: nobody knows
void *must_alloc(size_t size);             // malloc or say so and end
void *must_zero(size_t size);
void *must_realloc(void *old, size_t size);
char *must_strdup(const char *text);
void *memory_copy(const void *bytes, size_t used, size_t room); // of `used` bytes, in a block with room for more

// array -----------------------------------------------------------------------
// Array(T) is a growable array on the heap; zero-initialise to start.
#define Array(T)                                                                                                       \
    struct {                                                                                                           \
        T *items;                                                                                                      \
        u32 count, capacity;                                                                                           \
    }
void array_grow(void **items, u32 *capacity, u32 need, size_t size);
#define array_reserve(self, need)                                                                                      \
    do {                                                                                                               \
        if ((self)->capacity < (need))                                                                                 \
            array_grow((void **)&(self)->items, &(self)->capacity, (need), sizeof *(self)->items);                     \
    } while (0)
#define array_push(self, value)                                                                                        \
    do {                                                                                                               \
        if ((self)->count == (self)->capacity)                                                                         \
            array_grow((void **)&(self)->items, &(self)->capacity, (self)->count + 1, sizeof *(self)->items);          \
        (self)->items[(self)->count++] = (value);                                                                      \
    } while (0)
// The items become a copy: of two structs that shared them, this one may go on alone.
#define array_fork(self)                                                                                               \
    ((self)->items = memory_copy((self)->items, sizeof *(self)->items * (self)->count,                                 \
                                 sizeof *(self)->items * ((self)->capacity + 1u)))
#define array_free(self)                                                                                               \
    do {                                                                                                               \
        free((self)->items);                                                                                           \
        (self)->items = NULL;                                                                                          \
        (self)->count = (self)->capacity = 0;                                                                          \
    } while (0)
typedef Array(u32) U32Array;
typedef Array(char *) PathArray;

// hash.c ----------------------------------------------------------------------
u64 hash_bytes(const void *bytes, size_t size, u64 seed);
static inline u64 hash_mix(u64 a, u64 b) { // folds two words into one
    __uint128_t product = (__uint128_t)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xd6e8feb86659fd93ull);
    return (u64)product ^ (u64)(product >> 64);
}
typedef struct {
    u64 a, b; // 128 bits: content keys; collisions are not expected in a lifetime
} Key;
Key key_bytes(const void *bytes, size_t size);
static inline bool key_equal(Key x, Key y) { return x.a == y.a && x.b == y.b; }

// intern.c --------------------------------------------------------------------
// Strings to dense u32 ids; id 0 is the empty string. Not shared between threads
// while it grows; lookups of a finished table are safe from anywhere.
typedef struct {
    const char *text; // NUL-terminated, in the interner's arena
    u32 length;
    u32 hash;
} InternEntry;
typedef struct {
    Array(InternEntry) entries; // by id
    u32 *slots;                 // open addressing: id + 1, or 0
    u32 slot_count;             // a power of two
    Arena arena;
} Intern;
u32 intern_add(Intern *self, const char *text, u32 length);
u32 intern_find(const Intern *self, const char *text, u32 length); // UINT32_MAX when absent
static inline const char *intern_text(const Intern *self, u32 id) {
    return id < self->entries.count ? self->entries.items[id].text : "";
}
void intern_reset(Intern *self); // forgets the strings, keeps the memory
void intern_free(Intern *self);

// map.c -----------------------------------------------------------------------
// u64 -> u32, open addressing. Key and value lie side by side: a look-up is one miss of the cache.
typedef struct {
    u32 key[2]; // low, high; both 0: free
    u32 value;
} MapSlot;
typedef struct {
    MapSlot *slots;
    u32 count, capacity; // capacity is a power of two, or 0; what key 0 has is not in `slots`
    u32 zero_value;      // of key 0
    bool has_zero;
} Map;
u32 *map_put(Map *self, u64 key, bool *is_new); // the value's place; 0 when new
u32 *map_get(const Map *self, u64 key);         // NULL when absent
void map_clear(Map *self);
void map_fork(Map *self); // its tables become copies
void map_free(Map *self);
// The entries, in an order that depends on the keys and their number only: `at` counts from 0 to capacity, both
// included; false: there is none.
bool map_entry(const Map *self, u32 at, u64 *key, u32 *value);

// buffer.c --------------------------------------------------------------------
// Growable bytes; the varint side is what trees are written with.
typedef struct {
    u8 *bytes;
    size_t size, capacity;
} Buffer;
void buffer_reserve(Buffer *self, size_t extra);
void buffer_put(Buffer *self, const void *bytes, size_t size);
void buffer_text(Buffer *self, const char *text);
void buffer_format(Buffer *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_json(Buffer *self, const char *text, size_t size); // a quoted JSON string, always valid UTF-8
size_t utf8_length(const u8 *at, size_t left); // bytes of the valid UTF-8 sequence that begins there, or 0; left > 0
void buffer_free(Buffer *self);
static inline void buffer_byte(Buffer *self, u8 byte) {
    if (self->size == self->capacity)
        buffer_reserve(self, 1);
    self->bytes[self->size++] = byte;
}
void buffer_u64(Buffer *self, u64 value);                // LEB128
static inline void buffer_i64(Buffer *self, i64 value) { // zigzag
    buffer_u64(self, ((u64)value << 1) ^ (u64)(value >> 63));
}
typedef struct {
    const u8 *at, *end;
    bool bad; // ran past the end or met a malformed number: what was read is worthless
} Reader;
u64 reader_u64(Reader *self);
static inline u32 reader_u32(Reader *self) { return (u32)reader_u64(self); }
static inline i64 reader_i64(Reader *self) {
    u64 value = reader_u64(self);
    return (i64)(value >> 1) ^ -(i64)(value & 1);
}
const u8 *reader_bytes(Reader *self, size_t size); // NULL when there are not so many

// bitset ----------------------------------------------------------------------
typedef struct {
    u64 *words;
    u32 bits;
} Bitset;
void bitset_resize(Bitset *self, u32 bits); // clears
void bitset_free(Bitset *self);
static inline bool bitset_has(const Bitset *self, u32 bit) {
    return bit < self->bits && (self->words[bit >> 6] >> (bit & 63) & 1);
}
static inline void bitset_set(Bitset *self, u32 bit) { self->words[bit >> 6] |= 1ull << (bit & 63); }

// text.c ----------------------------------------------------------------------
// The code point at *at, in text that ends in NUL; *at moves past it. UINT32_MAX, and one byte past, for what is no
// UTF-8.
u32 text_character(const u8 **at);
bool character_is_printable(
    u32 character); // no control, and nothing that changes the direction or place of what follows

// words.c ---------------------------------------------------------------------
// Of the NULL-terminated candidates the one that `word` was probably meant to be, or NULL.
const char *nearest_word(const char *word, const char *const *candidates);

// file.c ----------------------------------------------------------------------
// Whole files; NUL-terminated past the end. On failure NULL and errno.
char *file_read(const char *path, size_t *size);
double clock_seconds(void);  // monotonic
u64 memory_peak_bytes(void); // VmHWM of this process
u64 memory_current_bytes(void);

// write.c ---------------------------------------------------------------------
// Replaces a regular file as a whole, or writes to a device or a pipe; NULL, or why not (static text). Links are
// refused.
const char *file_write(const char *path, const void *bytes, size_t size);
bool descriptor_write(int file, const void *bytes, size_t size); // all of it; false and errno

// thread.c --------------------------------------------------------------------
// Runs work(context, worker, index) for every index in [0, count) on `jobs` threads.
// Indices are handed out one by one; results must go to places owned by the index or
// the worker, so that no order of threads shows in the output.
typedef void (*WorkFn)(void *context, u32 worker, u32 index);
void parallel_for(u32 jobs, u32 count, WorkFn work, void *context);
u32 cpu_count(void);

// progress.c ------------------------------------------------------------------
// One line on a terminal, nothing in a pipe. Steps may come from any thread.
void progress_begin(const char *what, u64 total);
void progress_step(u64 amount);
void progress_end(void);

// A place where a test can make us die or fail: RACERX_FAULT=name[:n] kills the process with
// SIGKILL the nth time `name` is passed; RACERX_FAULT_FULL=name makes the call return true
// (the disk is full, say). In release builds it costs one branch.
bool fault_point(const char *name);

#endif
