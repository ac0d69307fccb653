// lockset.h: sets of held locks: one that is being made (HeldSet), and interned ones (LocksetId).
#ifndef RACERX_LOCKSET_H
#define RACERX_LOCKSET_H

#include "racerx/facts/path.h"

typedef u32 ClassId; // Analysis.classes; 0: none
enum {
    HELD_SHARED = 1,    // as a reader
    HELD_TRY = 2,       // got without waiting
    HELD_ASSURED = 4,   // a caller lets it go after this call
    HELD_OUTER = 8,     // held since before this function
    HELD_ASSERTED = 16, // only an assertion says so
    HELD_SPINS = 32,
    HELD_CORRECTED = 64,   // of a witness: the unlockset correction dropped some other lock there
    HELD_YIELDS = 128,     // of the CPU's state: as it was before while the holder sleeps
    HELD_EVERYWHERE = 256, // of interrupts: off on every CPU, no handler runs meanwhile
    HELD_VAGUE = 512,      // of interrupts: off in some caller of a call that was guessed or has many targets
    HELD_LOOKS = 1024,     // as a reader of a sequence: waits for writers, but keeps nobody out
    HELD_DOUBTED = 2048,   // of the CPU's state: one of many targets of a call may have changed it
};
typedef struct {
    ClassId class;
    PathId path;
    u16 flags; // HELD_…
    u16 count; // recursive locks
    u32 site;  // where it was taken; NO_ID for what was held on entry: see lock_site()
} Held;

typedef u32 LocksetId; // 0: empty
typedef struct {
    u32 first, count; // in LocksetTable.held
    u64 hash;
} Lockset;
typedef struct {
    Array(Lockset) sets;
    Array(Held) held;
    Map index; // hash -> id + 1 (chained by `next`)
    U32Array next;
} LocksetTable;
LocksetId lockset_intern(LocksetTable *self, Held *held, u32 count); // sorts
void lockset_fork(LocksetTable *self);                               // tables of its own from here on
void lockset_free(LocksetTable *self);
static inline const Held *lockset_held(const LocksetTable *self, LocksetId id, u32 *count) {
    *count = self->sets.items[id].count;
    return self->held.items + self->sets.items[id].first;
}

// A set that is being made. It begins with held_begin() or held_load(), and ends with held_intern() or held_end(). Few
// locks cost no allocation. It may point into itself: pass its address, never copy it.
#define HELD_INSIDE 16
typedef struct {
    Held *items; // `inside`, or memory of its own
    u32 count, capacity;
    Held inside[HELD_INSIDE];
} HeldSet;
void held_begin(HeldSet *self);
void held_load(HeldSet *self, const LocksetTable *table, LocksetId id);
void held_end(HeldSet *self);
LocksetId held_intern(HeldSet *self, LocksetTable *table); // and ends it
void held_reserve(HeldSet *self, u32 room);
static inline void held_push(HeldSet *self, Held held) {
    if (self->count == self->capacity)
        held_reserve(self, self->count + 1);
    self->items[self->count++] = held;
}
static inline void held_remove(HeldSet *self, u32 index) { self->items[index] = self->items[--self->count]; }

#endif
