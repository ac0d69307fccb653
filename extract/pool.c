// pool.c: memory for the parser. It asks for and gives back millions of small pieces; each thread keeps
// its own lists of them by size, so that no lock and no search is met.
// Invariant: the 16 bytes before a piece say which list it belongs to (0: too large, from malloc).
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

static _Thread_local struct {
    Piece *free[LISTS];
    char *at; // rest of the current chunk
    u32 left;
} pool;

static void *pool_malloc(size_t size) {
    size_t list = (size + STEP - 1) / STEP;
    if (!list)
        list = 1;
    if (list >= LISTS) {
        Piece *piece = must_alloc(sizeof(Piece) + size);
        piece->list = 0;
        piece->u.size = size;
        return piece + 1;
    }
    Piece *piece = pool.free[list];
    if (piece) {
        pool.free[list] = piece->u.next;
        return piece + 1;
    }
    u32 need = (u32)(sizeof(Piece) + list * STEP);
    if (pool.left < need) {
        pool.at = must_alloc(CHUNK); // kept for the rest of the run
        pool.left = CHUNK;
    }
    piece = (Piece *)pool.at;
    pool.at += need;
    pool.left -= need;
    piece->list = list;
    return piece + 1;
}

static void *pool_calloc(size_t count, size_t size) { return memset(pool_malloc(count * size), 0, count * size); }

static void pool_free(void *memory) {
    if (!memory)
        return;
    Piece *piece = (Piece *)memory - 1;
    if (!piece->list) {
        free(piece);
        return;
    }
    piece->u.next = pool.free[piece->list];
    pool.free[piece->list] = piece;
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
    pool_free(memory);
    return fresh;
}

void pool_install(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(FUZZING)
    ts_set_allocator(pool_malloc, pool_calloc, pool_realloc, pool_free);
#else
    (void)pool_calloc, (void)pool_realloc;
#endif
}
