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
    HELD_NESTED = 4096,    // of an event: as the second of its class, which is meant
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
} Lockset;
typedef struct LocksetTable {
    Array(Lockset) sets;
    Array(Held) held;
    Map index;                       // hash -> id (chained by `next`)
    U32Array next;                   // by set: LocksetId
    const struct LocksetTable *base; // the sets before those here: shared by two tables, nobody changes it; NULL: none
    u32 base_count;                  // how many there are
} LocksetTable;
LocksetId lockset_intern(LocksetTable *self, Held *held, u32 count); // sorts
// A second table that goes on alone from the sets so far; it is freed before the first.
void lockset_fork(LocksetTable *self, LocksetTable *second);
void lockset_free(LocksetTable *self);
void lockset_free_second(LocksetTable *self);
static inline u32 lockset_count(const LocksetTable *self) { return self->base_count + self->sets.count; }
static inline const Held *lockset_held(const LocksetTable *self, LocksetId id, u32 *count) {
    promised(id < lockset_count(self));
    const LocksetTable *table = id < self->base_count ? self->base : self;
    const Lockset *set = &table->sets.items[id - (id < self->base_count ? 0 : self->base_count)];
    *count = set->count;
    return table->held.items + set->first;
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
