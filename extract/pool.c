// pool.c: memory for the parser. It asks for and gives back millions of small pieces; each thread keeps
// its own lists of them by size, so that no lock and no search is met. A worker's pool goes with its parser.
// Invariant: the 16 bytes before a piece say which list it belongs to (0: from malloc); a piece is given back while
// the pool that it came from is in use.
#include "extract/preprocess.h"

#define STEP 32u  // sizes are multiples of it
#define LISTS 33u // pieces of up to 1024 bytes
#define CHUNK (1u << 18)

typedef struct Piece {
    u64 list; // index, 0 for large ones
    union {
        struct Piece *next; // while free
        u64 size;           // of large ones
    } u;
} Piece;

typedef struct Chunk {
    struct Chunk *next; // made before
    u64 unused;         // pieces are aligned to 16
} Chunk;

struct Pool {
    Piece *free[LISTS];
    Chunk *chunks;
    char *at; // rest of the current chunk
    u32 left;
};

static _Thread_local Pool *pool; // in use; NULL: everything comes from malloc

static void *large_malloc(size_t size) {
    Piece *piece = must_alloc(sizeof(Piece) + size);
    piece->list = 0;
    piece->u.size = size;
    return piece + 1;
}

static void next_chunk(Pool *self) {
    Chunk *chunk = must_alloc(sizeof(Chunk) + CHUNK);
    chunk->next = self->chunks;
    self->chunks = chunk;
    self->at = (char *)(chunk + 1);
    self->left = CHUNK;
}

static void *pool_malloc(size_t size) {
    size_t list = (size + STEP - 1) / STEP;
    if (!list)
        list = 1;
    if (list >= LISTS || !pool)
        return large_malloc(size);
    Piece *piece = pool->free[list];
    if (piece) {
        pool->free[list] = piece->u.next;
        return piece + 1;
    }
    u32 need = (u32)(sizeof(Piece) + list * STEP);
    if (pool->left < need)
        next_chunk(pool);
    piece = (Piece *)pool->at;
    pool->at += need;
    pool->left -= need;
    piece->list = list;
    return piece + 1;
}

static void *pool_calloc(size_t count, size_t size) { return memset(pool_malloc(count * size), 0, count * size); }

static void pool_give_back(void *memory) {
    if (!memory)
        return;
    Piece *piece = (Piece *)memory - 1;
    if (!piece->list) {
        free(piece);
    } else if (pool) {
        piece->u.next = pool->free[piece->list];
        pool->free[piece->list] = piece;
    }
}

static void *pool_realloc(void *memory, size_t size) {
    if (!memory)
        return pool_malloc(size);
    Piece *piece = (Piece *)memory - 1;
    size_t old = piece->list ? piece->list * STEP : piece->u.size;
    if (piece->list && size <= old)
        return memory;
    if (!piece->list && size > LISTS * STEP) {
        piece = must_realloc(piece, sizeof(Piece) + size);
        piece->u.size = size;
        return piece + 1;
    }
    void *fresh = pool_malloc(size);
    memcpy(fresh, memory, old < size ? old : size);
    pool_give_back(memory);
    return fresh;
}

Pool *pool_new(void) { return must_zero(sizeof(Pool)); }

void pool_use(Pool *self) { pool = self; }

void pool_free(Pool *self) {
    for (Chunk *chunk = self->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(self);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EVERY_PIECE_WATCHED true
#elif defined(__has_feature)
#define EVERY_PIECE_WATCHED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define EVERY_PIECE_WATCHED false
#endif

static void *cleared(size_t count, size_t size) { return must_zero(count * size); }

// The library's own allocator aborts when memory is out.
void pool_install(void) {
    if (EVERY_PIECE_WATCHED)
        ts_set_allocator(must_alloc, cleared, must_realloc, free);
    else
        ts_set_allocator(pool_malloc, pool_calloc, pool_realloc, pool_give_back);
}
