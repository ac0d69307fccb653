// summary.h: what functions do, in terms of their formals and of globals, relative to their entry (RELAY).
// docs/summaries.md is the specification. In pipeline order: order.c (components and levels), place.c (places),
// relative.c (locksets of one function), summarise.c (guarded accesses, the driver), summary_text.c.
#ifndef RACERX_SUMMARY_H
#define RACERX_SUMMARY_H

#include "racerx/facts/analysis.h"

// order.c -------------------------------------------------------------------------
// Components of calls that count, callees before callers.
typedef struct {
    u32 count;      // of components
    u32 *component; // by function
    u32 *first;     // by component: its members; one more at the end
    u32 *members;   // FunctionIds, in order
    bool *circle;   // by component: it calls itself
    u32 level_count;
    u32 *level_first; // by level: its components; one more at the end
    u32 *by_level;    // components; those of a level call only what is below
} SummaryOrder;
void fill_summary_order(SummaryOrder *self, const Program *program);
void summary_order_free(SummaryOrder *self);
// The call graph by which calls through pointers are followed (dissertation, Figures 4.3 to 4.6).
typedef enum { GRAPH_NAMED, GRAPH_NARROW, GRAPH_SURE, GRAPH_ALL, GRAPHS } GraphKind;
typedef struct {
    u64 kept;           // calls through pointers that are followed
    double mean;        // their targets
    u32 most;           // likewise
    u32 components;     // of the graph
    u32 largest;        // functions of the largest
    u32 circles;        // components of several functions
    double circle_mean; // their functions
} GraphRow;
void fill_graph_rows(const Program *program, GraphRow rows[GRAPHS]);
extern const char *const graph_words[GRAPHS];

// place.c -------------------------------------------------------------------------
#define SUMMARY_STEPS 3 // members on the way to a place
typedef enum {
    PLACE_NONE,   // not known, or nothing that a caller can name
    PLACE_GLOBAL, // id: GlobalId
    PLACE_FORMAL, // id: index of the parameter
    PLACE_LOCAL,  // id: PathId of the root; of this function only
} PlaceRoot;
typedef struct {
    u8 root;  // PlaceRoot
    u8 count; // of steps
    u32 id;
    u32 steps[SUMMARY_STEPS]; // as Path.step
} SummaryPlace;
SummaryPlace place_of_path(const PathTable *paths, PathId path);
// A callee's place in the words of the caller, `argument` being given for its formal.
SummaryPlace place_rebind(const PathTable *paths, const SummaryPlace *place, const ArgumentValue *argument);
bool place_equal(const SummaryPlace *a, const SummaryPlace *b);
// How a lock at one place is related to the object at another: RELATION_…
u32 place_relation(const Analysis *analysis, ClassId class, const SummaryPlace *lock, ObjectId object,
                   const SummaryPlace *place);

// relative.c ----------------------------------------------------------------------
typedef struct {
    ClassId class;
    u8 relation; // of a protection: RELATION_… to the object
    u8 flags;    // HELD_SHARED
    u8 times;    // it was taken
    SummaryPlace place;
} SummaryLock;
typedef enum {
    RUN_PLUS,  // L+: surely held, taken since the entry
    RUN_MINUS, // L−: may have been let go since
    RUN_MAYBE, // held on some ways only
    RUN_ALIVE, // T+: threads that may have been started since, and may run
    RUN_ENDED, // T−: threads surely joined since
    RUNS
} StateRun;
enum {
    STATE_UNSURE = 1, // a limit was hit, or a callee in recursion is not known
    STATE_NEVER = 2,  // no way comes here: L+ is everything
    STATE_ANY = 4,    // L− had no more room: it is everything
};
// Locks and threads since the entry.
typedef struct {
    u8 flags; // STATE_…
    u8 count[RUNS];
    SummaryLock locks[RUNS][SUMMARY_LOCKS];
} RelativeState;

// summarise.c -----------------------------------------------------------------------
enum {
    GUARDED_FRESH = 1,       // nobody else can see the object yet
    GUARDED_CONDITIONAL = 2, // some lock is held on a condition that was not followed
    GUARDED_UNSURE = 4,      // STATE_UNSURE
    GUARDED_TAKEN = 8,       // it was taken off where others find it
    GUARDED_READ = 16,       // as ACCESSED_READ
    GUARDED_WRITE = 32,      // as ACCESSED_WRITE
};
// A protection: RUN_PLUS, RUN_MINUS, RUN_ALIVE, RUN_ENDED, one after the other in GuardedSet.locks.
typedef struct {
    u32 first;
    u8 count[RUNS]; // RUN_MAYBE: none
} Protection;
typedef struct {
    ObjectId object; // 0: whatever the formal points to
    u32 origin;      // Analysis.accesses
    FunctionId via;  // the callee it came by; NO_ID: the function's own
    u8 flags;        // GUARDED_…
    u8 fresh;        // FRESH_PARAM + n: as long as what that formal points to is nobody else's; else 0
    u8 depth;        // calls between
    u16 protection;
} GuardedAccess;
typedef struct {
    GuardedAccess *accesses;
    SummaryPlace *places; // by access, each starts from a formal; NULL: they start from nothing a caller gives
    Protection *protections;
    SummaryLock *locks;
    u32 access_count, protection_count, lock_count;
} GuardedSet;
typedef struct {
    GuardedSet formal; // accesses that start from a formal
    SummaryLock *exit; // the runs of the state at the exit, one after the other
    u8 count[RUNS];
    u8 flags; // STATE_… at the exit; STATE_NEVER: it does not come back
} FunctionSummary;

// The product: const for whoever comes after.
typedef struct Summaries {
    SummaryOrder order;
    FunctionSummary *functions; // by function
    GuardedSet *free;           // by component: accesses that start from nothing a caller gives
    Map handed;                 // call << 5 | argument -> 1 + Analysis.handed
    Bitset written;             // by object: somebody writes it; others make no accesses
    u32 free_most;              // accesses of a component that are kept
    LimitId free_limit;         // which limit that is
    Arena *arenas;              // by worker
    u32 arena_count;
    u64 bytes; // of all summaries
    u64 accesses;
} Summaries;
// requires: Facts. fills: a summary for every function. Reads the analysis, and changes nothing of it.
Summaries *fill_summaries(const Analysis *analysis, u32 jobs);
void summaries_free(Summaries *self);
void summaries_check(const Summaries *self, const Analysis *analysis); // dies when the promises are not kept
void summary_text(const Summaries *self, const Analysis *analysis, FunctionId function, Buffer *out);

// Inside the room: one function, on the way to its summary.
typedef struct {
    const Analysis *analysis;
    const Summaries *summaries;
    FunctionId function;
    const Skeleton *skeleton;
    RelativeState *in; // by block: at its start
    u32 room;          // blocks that `in` has room for
    U32Array work;     // blocks to run
    u8 *waiting;       // by block: it is in `work`
    RelativeState now;
    RelativeState exit;
    bool flat; // no locks, no threads: every state is empty
} Relative;
// A state at a step, before it is taken.
typedef void (*RelativeFn)(void *context, const SkeletonStep *step, const RelativeState *state);
void relative_run(Relative *self, FunctionId function);               // fills: in, exit
void relative_visit(Relative *self, RelativeFn visit, void *context); // requires: relative_run
// The call at a place of a function, and the state there; NULL: no way comes to it.
const SkeletonStep *relative_at(Relative *self, FunctionId function, Place call, RelativeState *out);
void relative_free(Relative *self);
bool state_join(RelativeState *self, const RelativeState *other); // did it change?
void state_acquire(const Analysis *analysis, RelativeState *self, SummaryLock lock);
void state_release(const Analysis *analysis, RelativeState *self, const SummaryLock *lock);
void state_thread(RelativeState *self, StateRun run, const SummaryLock *thread); // RUN_ALIVE: it was started; RUN_ENDED

#endif
