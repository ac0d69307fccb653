// guarded.h: inside racerx/summary/, guarded accesses being put together: guarded.c merges, summarise.c feeds.
#ifndef RACERX_GUARDED_H
#define RACERX_GUARDED_H

#include "racerx/summary/summary.h"

// One list that is being made. Merged by object, place, kind and protection; nearest first when it is cut.
typedef struct {
    Array(GuardedAccess) accesses;
    Array(SummaryPlace) places; // by access, when `placed`
    Array(Protection) protections;
    Array(SummaryLock) locks;
    u32 *slots;  // open addressing: 1 + access
    u32 *stamps; // by slot: the list it was filled for
    u64 *hashes; // by access
    u32 slot_count, hash_room, stamp;
    bool placed; // they start from formals
} GuardedList;
void guarded_begin(GuardedList *self); // empties it
void guarded_add(GuardedList *self, const GuardedAccess *access, const SummaryPlace *place);
// A protection by the runs of a state; its relations are filled.
u32 guarded_protection(GuardedList *self, const RelativeState *state);
// What is kept, in memory of the arena; `most` by the limit.
void guarded_end(GuardedList *self, u32 most, LimitId limit, Arena *arena, GuardedSet *out);
void guarded_free(GuardedList *self);

#endif
