// history.h: inside racerx/check, what a thread has waited for and signalled before it comes to a place.
#ifndef RACERX_HISTORY_H
#define RACERX_HISTORY_H

#include "racerx/check/races.h"

enum {
    SIGNAL_SEMAPHORE,
    SIGNAL_COMPLETION,
    SIGNAL_FLAG,
    SIGNAL_BARRIER
}; // the first two and barriers: key is a ClassId

// What a thread did with one signal so far.
typedef struct {
    u32 signal;     // Histories.signals
    u8 waited;      // it surely waited for it
    u8 fresh;       // and has posted nothing since
    u8 posted;      // it may have posted it
    u8 outstanding; // and may not have waited for an answer since
    u8 least, most; // barriers passed; most: UINT8_MAX: any number
} Past;
typedef struct {
    bool reached; // some way leads here
    bool full;    // there were more signals: any of those left out may have been posted
    u32 count;
    Past items[HISTORY_MOST];
} History;

typedef struct {
    u8 kind;         // SIGNAL_…
    u32 key;         // ClassId; of a flag: GlobalId, or 0x80000000 | the member's NameId
    u32 posts;       // ways that post it
    u32 poster;      // the root that does; NO_ID: several
    bool zero;       // begins with nothing posted
    bool repeated;   // may be posted again before it was answered
    History answers; // at every place that posts it
} Signal;

typedef struct Histories {
    const Analysis *analysis;
    Array(Signal) signals;
    Map index;        // kind << 32 | key -> signal
    u8 *busy;         // by function: it or what it calls orders threads
    u8 *asked;        // by function: being worked out
    u32 depth;        // of functions being worked out
    History **blocks; // by function: at the beginning of each block, then at its end; NULL: not yet
    u32 *node_first;  // by function: its nodes in `nodes`
    u32 *nodes;
    Map meeters; // (signal, root): meets there
    Map samples; // (way, access) -> made
    Array(History) made;
    Map pairs; // (flag's signal) -> 1: its accesses are ordered themselves, 2: they race
} Histories;

// history.c
void histories_begin(Histories *self, const Analysis *analysis); // requires: ways
void histories_end(Histories *self);
const History *history_of(Histories *self, const Sample *sample);
Past history_get(const History *self, u32 signal);

// ordered.c
bool are_ordered(Histories *self, const Sample *a, const Sample *b); // in every schedule, by signals

// spots.c: a place in a function: a block, and a step of it.
typedef struct {
    u32 block, step;
} Spot;
typedef bool (*StepFn)(void *context, const SkeletonStep *step);
bool spot_of_access(const Analysis *self, u32 access, Spot *spot); // in its function
bool spot_of_call(const Analysis *self, FunctionId function, Place place, Spot *spot);
// Of a way's function: of the access itself (below: NO_ID), or of the call that leads to the way `below`.
bool spot_of_way(const Analysis *self, const Sample *sample, u32 way, u32 below, Spot *spot);
// Does every way to the spot pass such a step? Does some way lead from one to it?
bool always_after(const Skeleton *skeleton, Spot spot, StepFn wanted, void *context);
bool ever_after(const Skeleton *skeleton, Spot spot, StepFn wanted, void *context);

// story.c: why two accesses cannot meet after all, in words; NULL: nothing speaks against it
const char *story_refuted(Histories *histories, Analysis *self, FindingList *list, const Sample *a, const Sample *b);

#endif
