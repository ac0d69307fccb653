// history.h: inside racerx/check, what a thread has waited for and signalled before it comes to a place.
#ifndef RACERX_HISTORY_H
#define RACERX_HISTORY_H

#include "racerx/check/races.h"

enum {
    SIGNAL_SEMAPHORE,
    SIGNAL_COMPLETION,
    SIGNAL_FLAG,
    SIGNAL_BARRIER,
    SIGNAL_STATE, // a flag has some value
    SIGNAL_COUNT, // a number is counted down to zero
};                // the first two and barriers: key is a ClassId

// What a thread did with one signal so far.
typedef struct {
    u32 signal;     // Histories.signals
    u8 waited;      // it surely waited for it
    u8 fresh;       // and has posted nothing since
    u8 last_one;    // of a count: it was this thread that counted the last one
    u8 posted;      // it may have posted it
    u8 let_go;      // and may have let go of a lock since
    u8 outstanding; // and may not have waited for an answer since
    u8 least, most; // barriers passed; most: UINT8_MAX: any number
    u8 last; // where it may have passed the barrier last: bits, by Signal.sites; LAST_NOWHERE: not yet; 0: that only
} Past;
typedef struct {
    bool reached;  // some way leads here
    bool full;     // there were more signals: any of those left out may have been posted
    bool released; // a lock may have been let go
    u32 count;
    Past items[HISTORY_MOST];
} History;

#define BARRIER_SITES 7 // calls of one barrier that are told apart
#define LAST_NOWHERE 0x80
#define FLAG_MEMBER 0x80000000u
#define SEMAPHORES_ROUND 8 // that hand tokens to each other
typedef struct {
    u8 kind;    // SIGNAL_…
    u32 key;    // ClassId; of a flag or a count: GlobalId, or FLAG_MEMBER | the member's NameId; of a state: a hash
    u32 flag;   // SIGNAL_STATE: of which flag, by that key
    i32 value;  // SIGNAL_STATE: which value
    bool least; // or a higher one
    u32 next;   // SIGNAL_STATE: another one of the flag, plus 1
    u32 posts;  // ways that post it
    u32 poster; // the root that does; NO_ID: several
    bool zero;  // begins with nothing posted
    const SkeletonStep *sites[BARRIER_SITES]; // that meet there
    u8 site_count;
    FunctionId met_in; // with the sites, plus 1; NO_ID: several
    i32 tokens;        // of a semaphore: its count at the beginning; NO_TOKENS: not known
    bool repeated;     // may be posted again before it was answered
    bool locked;       // of a flag, a state, a count: seen and posted under a lock only
    History answers;   // at every place that posts it
} Signal;

typedef struct Hooks Hooks; // hooked.c
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
    Map posters; // (signal, root): posts there
    Map meeters; // (signal, root): meets there
    Map samples; // (way, access) -> made
    Array(History) made;
    Map states;      // key of a flag -> 1: all that is stored there is known, and in order; 2: not
    Map counts;      // likewise of numbers that are counted down
    Map state_first; // key of a flag -> its first state, plus 1
    Map pairs;       // (flag's signal) -> 1: its accesses are ordered themselves, 2: they race
    Hooks *hooks;    // NULL: nobody has asked yet
} Histories;

// history.c
void histories_begin(Histories *self, const Analysis *analysis); // requires: ways
void histories_end(Histories *self);
const History *history_of(Histories *self, const Sample *sample);
Past history_get(const History *self, u32 signal);
u8 last_met(const Past *self); // Past.last, with LAST_NOWHERE
u32 flag_key(const Analysis *analysis, ObjectId object);

// history_begin.c
void fill_begun(Histories *self); // requires: signals, samples. fills: Signal.zero, tokens, locked

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

// story.c: why an access is never come to from where its thread begins; NULL: nothing says so
const char *barred_text(const Analysis *self, FindingList *list, const Sample *sample);
// Why two accesses cannot meet after all, in words; NULL: nothing speaks against it
const char *story_refuted(Histories *histories, Analysis *self, FindingList *list, const Sample *a, const Sample *b);

// hooked.c: the callback the other is in, when nobody calls it before it was handed over after this; NO_ID: none. In
// words: why; NULL: nothing says so
FunctionId hooked_later(Histories *histories, const Sample *sample, const Sample *other);
const char *hooked_text(Histories *histories, FindingList *list, const Sample *sample, const Sample *other);
void hooks_free(Hooks *self);

#endif
