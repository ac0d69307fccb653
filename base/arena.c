// arena.c: bump allocation with one reset point, and malloc that cannot fail quietly.
// Invariant: chunks before `current` are full or skipped, chunks after it are empty.
#include "base/base.h"

struct ArenaChunk {
    ArenaChunk *next; // allocated later
    size_t size;      // usable bytes
    size_t used;      // handed out
};

#define FIRST_BYTES ((size_t)16 << 10)  // of the first chunk; the next ones are twice as large each
#define CHUNK_BYTES ((size_t)256 << 10) // up to this

_Noreturn void out_of_memory(size_t size) {
    if (size)
        fatal("out of memory (asked for %zu bytes); try fewer threads with -j, or a smaller tree", size);
    fatal("out of memory; try fewer threads with -j, or a smaller tree");
}

void *must_alloc(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *must_zero(size_t size) { return memset(must_alloc(size), 0, size); }

void *must_realloc(void *old, size_t size) {
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *memory_copy(const void *bytes, size_t used, size_t room) {
    void *copy = must_alloc(room);
    return used ? memcpy(copy, bytes, used) : copy;
}

char *must_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(must_alloc(size), text, size);
}

static void arena_next(Arena *self, size_t size) {
    ArenaChunk *next = self->current ? self->current->next : self->first;
    if (next && next->size >= size) {
        next->used = 0;
        self->current = next;
        return;
    }
    size_t bytes = self->current ? self->current->size * 2 : FIRST_BYTES;
    bytes = bytes > CHUNK_BYTES ? CHUNK_BYTES : bytes;
    bytes = bytes > size ? bytes : size;
    ArenaChunk *fresh = must_alloc(sizeof *fresh + bytes);
    *fresh = (ArenaChunk){next, bytes, 0};
    if (self->current)
        self->current->next = fresh;
    else
        self->first = fresh;
    self->current = fresh;
}

void arena_adopt(Arena *self, Arena *other) {
    check(self != other);
    if (other->first) { // full chunks stand before the one being filled
        ArenaChunk *last = other->first;
        while (last->next)
            last = last->next;
        last->next = self->first;
        self->first = other->first;
        if (!self->current)
            self->current = last;
    }
    self->allocated += other->allocated;
    *other = (Arena){0};
}

void *arena_alloc(Arena *self, size_t size) {
    size = (size + 7) & ~(size_t)7;
    if (!self->current || self->current->size - self->current->used < size)
        arena_next(self, size);
    char *memory = (char *)(self->current + 1) + self->current->used;
    self->current->used += size;
    self->allocated += size;
    if (self->allocated > self->peak)
        self->peak = self->allocated;
    return memory;
}

void *arena_zero(Arena *self, size_t size) { return memset(arena_alloc(self, size), 0, size); }

char *arena_copy(Arena *self, const void *bytes, size_t size) {
    char *copy = arena_alloc(self, size + 1);
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = 0;
    return copy;
}

void arena_reset(Arena *self) {
    self->current = NULL;
    self->allocated = 0;
    // One huge unit must not keep its memory for the rest of the run.
    for (ArenaChunk **link = &self->first; *link;) {
        ArenaChunk *chunk = *link;
        if (chunk->size > 16 * CHUNK_BYTES) {
            *link = chunk->next;
            free(chunk);
        } else {
            link = &chunk->next;
        }
    }
}

void arena_free(Arena *self) {
    for (ArenaChunk *chunk = self->first, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *self = (Arena){0};
}

void array_grow(void **items, u32 *capacity, u32 need, size_t size) {
    u64 wanted = *capacity ? (u64)*capacity * 2 : 8;
    if (wanted < need)
        wanted = need;
    if (wanted > UINT32_MAX)
        fatal("a table would need more than %u entries; split the tree into several runs", UINT32_MAX);
    *items = must_realloc(*items, (size_t)wanted * size);
    *capacity = (u32)wanted;
}
