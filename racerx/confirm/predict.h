// predict.h: inside racerx/confirm/: traces of runs, who comes before whom in them, and probabilistic lockset analysis
// (PLA, Ryan et al., S&P 2023, sections 3 to 5) on what they hold.
//
// An *access-lockset* is an instruction, a place, reading or writing, and the locks held; a *seed* is a command line of
// the user's; a *sample* is what one run of a seed did. Of each access-lockset the share of a seed's samples that have
// it is its probability. Code, places and locks have numbers here that mean the same in all samples, whatever addresses
// a run gave them.
#ifndef RACERX_PREDICT_H
#define RACERX_PREDICT_H

#include "racerx/confirm/steer.h"

#include <limits.h>

// trace_read.c: what the runtime wrote down (runtime/1trace.c) -----------------------------------
typedef enum {
    EVENT_READ = 1,
    EVENT_WRITE,
    EVENT_ATOMIC_READ,
    EVENT_ATOMIC_WRITE,
    EVENT_FREE,
    EVENT_ALLOCATE,
    EVENT_LOCK,
    EVENT_UNLOCK,
    EVENT_GIVE,
    EVENT_TAKE,
    EVENT_CREATE,
    EVENT_JOIN,
    EVENT_HOLE,
    EVENT_CALL,
} TracedKind;
typedef struct {
    u64 pc;      // behind the call; the kind is in the highest byte
    u64 address; //
    u32 size;    // of an access; of a lock its kind: m r w p
    u32 stamp;   // of what orders threads: when, counted over all of them
} TraceEvent;
static inline TracedKind event_kind(const TraceEvent *event) { return (TracedKind)(event->pc >> 56); }
static inline u64 event_pc(const TraceEvent *event) { return event->pc & 0x00ffffffffffffffull; }
typedef struct {
    u32 number;         // in the order of creation
    u32 count, lost;    // events; those that had no room
    u64 start;          // the thread's function
    u64 low, high;      // its stack
    TraceEvent *events; //
} TraceThread;
typedef struct {
    u32 process;                // its number in the system
    u64 begun;                  // tells programs apart that one process became
    Array(TraceThread) threads; // by number
} TraceProcess;
typedef struct {
    Array(TraceProcess) processes; // by process, then `begun`
    Records records;               // where modules were
    u64 events, lost, bytes;       // in all
} Trace;
void trace_read(Trace *self, const char *directory);
void trace_free(Trace *self);

// places.c: numbers that mean the same in every sample -------------------------------------------
typedef enum { PLACE_STATIC, PLACE_HEAP, PLACE_STACK, PLACE_RAW } PlaceKind;
typedef struct {
    PlaceKind kind;
    u64 base;   // PLACE_STATIC: module and address; PLACE_HEAP: code that allocated; PLACE_STACK: the thread's function
    u64 offset; // into it; of a stack 0; of a raw place the address itself
} TracedPlace;
typedef struct {
    Array(char *) modules;     // paths
    Map place_map;             // by hash
    Array(TracedPlace) places; //
    Map set_map;               // locksets, by hash
    Array(u32) set_starts;     // into the next one
    Array(u32) set_locks;      // sorted: place, times two, plus one for a lock that is shared with readers
    Arena arena;
} Names;
void names_begin(Names *self); // lockset 0 is the empty one
void names_free(Names *self);
u32 names_place(Names *self, TracedPlace place);
u32 names_lockset(Names *self, u32 *locks, u32 count); // sorts them
bool locksets_meet(const Names *self, u32 a, u32 b);   // some lock of both keeps the two apart
// Module and address as linked, of code or data in a process; 0: in none.
u64 names_linked(Names *self, const Records *records, u32 process, u64 address);

// order.c: who comes before whom ------------------------------------------------------------------
typedef struct {
    u64 address; //
    u32 size;    //
    u32 thread;  // index
    u32 clock;   // of it, at the access
    u32 before;  // what the thread had seen of the others: index for order_before()
    u32 lockset; // of this process: order_disjoint()
    u32 access;  // number of the access-lockset
    u8 flags;    // below
} TracedTouch;
enum { TOUCH_WRITES = 1, TOUCH_ATOMIC = 2, TOUCH_FREES = 4 };
typedef struct Order Order;
typedef Array(TracedTouch) TouchArray;
typedef struct {
    void *context;
    // Names an access: `locks` are addresses, times two, plus one for a shared one. Its number; UINT32_MAX: leave it.
    u32 (*name)(void *context, const Order *order, u32 thread, const TraceEvent *event, const u64 *locks, u32 count);
} OrderNamer;
// Replays a process. Order is: creation and joins, what was signalled, posted or stored and then waited for or loaded,
// memory that was freed and given out again, and what was written under a lock and then read under it. That one thread
// had a lock before another is chance, and no order.
Order *order_make(const TraceProcess *process, const OrderNamer *namer, TouchArray *out);
void order_free(Order *self);
bool order_before(const Order *self, const TracedTouch *a, const TracedTouch *b);
bool order_disjoint(const Order *self, u32 a, u32 b);
typedef struct {
    u64 base, size;
    u64 pc;    // that allocated it
    u32 stamp; //
} TraceBlock;
const TraceBlock *order_block(const Order *self, u64 address); // the last there was so far; NULL: none

// locksets.c: the analysis -----------------------------------------------------------------------
typedef struct {
    u64 code;     // where: names_linked(), or an address of a kernel
    u32 seed;     //
    u32 place;    //
    u32 lockset;  //
    u8 flags;     // TOUCH_…
    bool stable;  //
    u32 samples;  // that have it
    u32 last;     // of them, for counting
    u32 violates; // it is on a place that the linear pass leaves
} AccessLockset;
typedef struct {
    u32 a, b;             // numbers of access-locksets, the lower first
    u32 together;         // samples in which two threads did both on the same bytes, with no lock in common
    u32 apart;            // of them: neither came before the other
    u32 last, last_apart; // samples, for counting
} AccessPair;
typedef struct {
    char *text;  // the command line
    u32 samples; // runs of it
} Seed;
typedef struct {
    u64 accesses, stable, linear, pairs; // the paper's columns; pairs of instructions
    u64 places, violating;               // of stable accesses; left by the linear pass
    u32 most_locksets;                   // of one place
} LocksetCounts;
typedef struct {
    u64 from, to; // code: behind a call; in the function that was called
} CallCode;
typedef struct {
    Names names;
    Array(Seed) seeds;
    Map access_map; // by hash
    Array(AccessLockset) accesses;
    Map pair_map; // by both numbers
    Array(AccessPair) pairs;
    Bitset used;  // places that two threads used, under one lock or neither before the other
    u32 samples;  // so far
    Map call_map; // by hash of both
    Array(CallCode) calls;
    PredictBy by; // what keeps two accesses apart
    double beta;  // stable is what at least this share of samples has
    u64 cut;      // comparisons that were not made
} Prediction;
void prediction_begin(Prediction *self, double beta);
void prediction_free(Prediction *self);
u32 prediction_seed(Prediction *self, const char *text); // its number
// An access-lockset in the present sample (`samples`) of this seed; its number.
u32 prediction_access(Prediction *self, u32 seed, u64 code, u32 place, u32 lockset, u8 flags);
LocksetCounts prediction_count(Prediction *self); // fills `stable`; the linear and the pairwise pass
double access_probability(const Prediction *self, const AccessLockset *access);

// meet.c: accesses of one process that no order keeps apart
void meet(Prediction *self, Order *order, TouchArray *touches);

// predict.c: adds all samples of a directory; fatal() when there is none
void prediction_samples(Prediction *self, const char *directory, Predictions *out);

// predict_names.c: numbers in names
typedef struct {
    const Prediction *prediction;
    FindingList *texts;
    ModuleArray modules; // by number; NULL: it has no lines
    Map frames;          // code -> index of the next one
    Array(WitnessFrame) frame;
    char here[PATH_MAX]; // paths below it are shown without it
} Describer;
void describer_begin(Describer *self, const Prediction *prediction, FindingList *texts);
void describer_free(Describer *self);
WitnessFrame describe_code(Describer *self, u64 linked); // texts in the arena of the list
const char *describe_place(Describer *self, u32 place);  // likewise

// ftrace.c: traces of kernels, as text
bool ftrace_read(Prediction *self, const char *path); // one file; false: it is none

#endif
