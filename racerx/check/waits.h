// waits.h: inside racerx/check/, waiting with a lock held: for the end of something (waits.c), for a signal
// (awaited.c).
#ifndef RACERX_WAITS_H
#define RACERX_WAITS_H

#include "racerx/facts/analysis.h"

typedef struct {
    ClassId name;
    u32 registration;
} StartedName;

typedef struct {
    Analysis *analysis;
    u32 node_count;             // before chains were added
    Array(StartedName) started; // sorted
    u32 *first_node;            // by function: first node + 1
    u32 *next_node;             // by node: the next of the same function + 1
    U32Array *callees;          // by node: calls, as indices of Analysis.edge_places
    U32Array *callers;          // by node: likewise
    u32 *first_ambient;         // by node: first Ambient it was called under + 1
    u32 *next_ambient;          // by Ambient: the next of the same callee + 1
    U32Array *taken;            // by node: acquisitions
    u32 *stamp;                 // by node: the search that met it
    u32 *came;                  // by node: the call by which it did; NO_ID: it began there
    U32Array queue;             // of the search
    u32 search;
} Waits;

// All that is held at a wait: also what callers hold and did not bring along.
LocksetId held_at(Waits *self, u32 node, LocksetId held);
// The wait with the chain of calls from where the lock is held.
u32 wait_node(Waits *self, u32 node, LocksetId own, ClassId class);
// What is held at the wait itself, and the lock that is in question.
LocksetId shown_held(Analysis *self, LocksetId own, LocksetId all, ClassId class);
// Could two locks of this class be one object? A class that is a whole type says only that both are of it.
bool is_telling_lock(const Analysis *self, ClassId class);

void find_awaited(Waits *self, FindingList *out); // awaited.c

#endif
