// walked.h: what the walk met, and what is made of it: nodes, outcomes, notes, edges, ways, samples. Types only.
#ifndef RACERX_FACTS_WALKED_H
#define RACERX_FACTS_WALKED_H

#include "racerx/facts/bodies.h"

// the walk ----------------------------------------------------------------------
// What a caller knows of a parameter. Values: a ClassId; a FunctionId; the PathId of a global (or what stands for one);
// FRESH_YES or FRESH_TAKEN; a ValueId; an ObjectId. BIND_RUNS: what the first function of a thread was told to call, a
// FunctionId. BIND_PLACE: instead of the parameter, which of Skeleton.places: a ValueId. BIND_OWN: what it points to
// only this thread was given, or owns: 1 + Analysis.spawns; OWN_LOCAL: by thread-local storage. BIND_EACH: it is
// another object each time, to be given to a thread.
enum {
    BIND_CLASS,
    BIND_CODE,
    BIND_DATA,
    BIND_FRESH,
    BIND_VALUE,
    BIND_OBJECT,
    BIND_RUNS,
    BIND_PLACE,
    BIND_OWN,
    BIND_EACH
};
#define OWN_LOCAL UINT32_MAX
#define OWN_GIVEN (UINT32_MAX - 1) // it keeps there what it was given
// Accesses of a node that were made with these locks: a STEP_ACCESS.
typedef struct {
    u32 node;
    u32 access, count; // Analysis.accesses
    LocksetId held;    // surely
    bool unsure;       // some lock was dropped by the unlockset correction
} NodeAccess;
// A local, or an allocation, that threads are given: the same for all who see it.
typedef struct {
    FunctionId function;
    u32 var;    // see HEAP_VAR
    bool given; // some thread was given its address
} StackObject;

typedef struct {
    LocksetId out; // what the caller goes on with
    LocksetId raw; // what was held
    u8 mask;       // signs of the return value
    ValueId value; // the return value
    u32 facts;     // FactsId: what was known at the end, where that tells one outcome from another
    bool told;     // the caller can tell it by that from all that end with other locks
    u32 exits;     // how many exits agree
    u32 block;     // the exit it was first seen at
} Outcome;
typedef struct {
    FunctionId function;
    LocksetId entry;
    u32 binding;    // Analysis.bindings: classes of the parameters that point to locks; 0: none
    u32 entry_site; // Analysis.entry_sites: where the locks of `entry` were taken when it was first called
    u32 parent;     // node that first called it; NO_ID: a root
    Place call;     // where
    u32 outcome, outcome_count;
    u8 state;         // 0 new, 1 on the stack, 2 done
    u8 call_cost;     // of that call: see call_cost(); 0: a root
    bool is_root;     // control starts here
    bool is_astray;   // likewise, for want of a caller that comes to it: what is held there is not known
    bool is_slot;     // calls through a slot enter here (Analysis.slots)
    u16 depth;        // of the chain of first calls
    u32 conditionals; // passed on the way to the call
} Node;

// A function that calls with many targets reach: entered once, with what all of them bring along.
typedef struct {
    FunctionId function;
    LocksetId entry; // what goes along at every call
    u32 binding;     // what every call says of the parameters
    u32 edge;        // the first of the calls
    u32 calls;       // further ones
    u32 node;        // it is entered in; NO_ID: none, past the limit
    LocksetId set;   // what callers hold besides at every call, in the function's words; NO_ID: no call counts
    u32 contexts;    // 1 << CONTEXT_… of the roots that callers are reached from, none of them CONTEXT_NONE
} SlotEntry;

typedef struct {
    FunctionId function;
    Place place;
    ClassId class;
    u32 conditionals; // passed on the shortest way seen
    u8 try_only;      // never waits
    u8 uses;          // SITE_…
    u32 next;         // the next site of the same class; UINT32_MAX: none
} LockSite;

enum { SITE_TAKES = 1, SITE_PAIRED = 2, SITE_SPURIOUS = 4 }; // takes it; lets it go while held; while not held

// a -> b: b was taken while a was held.
typedef struct {
    u32 node;
    u32 held_site, site;  // LockSite of a and of b
    LocksetId held;       // all that was held
    u8 held_flags, flags; // HELD_… of a; of b
    u32 next;             // the next witness of the same edge
} Witness;
typedef struct {
    ClassId from, to;
    u32 witness; // best first
    u32 count;
} OrderEdge;

// Two locks of one class, one taken while the other is held, that are not known to be of two named objects.
typedef struct {
    Witness witness;
    ClassId class;
    PathId held, taken; // in the words of the witness's node
} Couple;

// A call through a pointer that nothing in the tree is stored in: out to whoever uses the tree.
typedef struct {
    u32 node;
    u32 call; // Program.calls
    Place place;
    LocksetId held; // surely, in the node
} Outcall;

// A call that makes a lock, or an attribute that locks are made with.
typedef struct {
    FunctionId function;
    ClassId class, like; // of the lock; of the attribute it is made like (0: of none)
    PathId path, like_path;
    bool recursive; // the call itself says so
    u8 count;       // VALUE_… of a semaphore's count
    i32 tokens;     // that count, of all elements if it is an array's; NO_TOKENS: not known
} LockInit;

// A call of a function that makes a lock inside what it is given: `mutex_init(&node->lock)` makes `struct node.lock.m`.
typedef struct {
    FunctionId callee;
    u32 param;
    NameId given; // what it is given: "struct node.lock"
} LockMaker;

// Something that was started (timer, thread, work) is known by the object it was started with.
typedef struct {
    FunctionId function;
    ExprId call;
    u32 handle; // Analysis.handle_sets
} Started;
// queues.c: a call that makes a queue of work; one that hands it an item. By Analysis.handle_sets.
typedef struct {
    u32 queue;
    bool ordered; // it runs one item at a time
} QueueMade;
typedef struct {
    u32 item;
    u32 queue; // 0: not known
} Queued;
// A name of a set that stands for what callers give.
typedef struct {
    FunctionId function;
    u32 parameter; // from 0
    u32 given;     // Analysis.handle_sets: what callers give; NO_ID: not looked at yet
} HandleParameter;

// A lock that a call was made under and that nothing near below the callee touches: the callee is walked without it,
// and what is taken below is ordered after it (ambient.c).
typedef struct {
    ClassId class;
    u32 caller, callee; // nodes
    u32 site;           // where it was taken
    LocksetId held;     // all that the caller held and that did not go along
    u16 flags;          // HELD_… of it
    Place place;        // of the call
    u8 cost;            // how unsure the call is
} Ambient;
// Where the walk was in a node: at this step of this block.
typedef struct {
    u32 node, block, step;
} NodePoint;

// What the walk met at a lock operation, a call that may sleep, a wait. Once for each place and each set of locks; what
// follows from it is read afterwards (check/met.c).
typedef enum {
    MET_TAKE,   // a lock is taken
    MET_AGAIN,  // by its holder
    MET_RETAKE, // by a wait that let it go
    MET_NAMED,  // by a callee, and only its caller can say which one
    MET_LET_GO,
    MET_UNHELD, // let go, and not held
    MET_WAIT,   // it was let go to wait
    MET_BLOCK,  // a call that may sleep
    MET_JOIN,   // a call that waits for what was started
    MET_OUT,    // a call through a pointer that nothing in the tree is stored in; class: Program.calls
    MET_AWAIT,  // a wait for a signal, or a barrier
    MET_COUNT
} MetKind;
typedef struct {
    NodePoint at;
    u32 site;          // LockSite: where, and of which lock
    ClassId class;     // MET_JOIN: Analysis.handle_sets
    PathId path;       // MET_TAKE, MET_RETAKE: of the lock
    LocksetId held;    // at that moment, without it
    u32 other;         // MET_AGAIN: where it was taken
    u32 first, fewest; // conditionals passed in the function on the way first seen, on the shortest one
    u16 flags;         // HELD_… it is taken with
    u8 kind;           // MetKind
    bool sleeps : 1;   // taking it may sleep
    bool here : 1;     // MET_AGAIN: both in one function, with nothing let go between
} LockEvent;

// Something that orders after what callers hold: a lock taken, or a call that may sleep (class 0).
typedef struct {
    u32 node, site;
    ClassId class;
    LocksetId held; // for sure, in the node
    u16 flags;      // HELD_…
    bool sleeps;
} Acquisition;

typedef enum {
    NOTE_DOUBLE,
    NOTE_SLEEP,
    NOTE_UNHELD,
    NOTE_LEAK,
    NOTE_JOIN,
    NOTE_ACQUIRE,
    NOTE_AWAIT,
    NOTE_COUNT
} NoteKind;
typedef struct {
    u8 kind;    // NoteKind
    u8 flags;   // NOTE_DOUBLE: 1: taken twice in one function, with nothing let go between
    bool reads; // NOTE_DOUBLE: as a reader both times
    u32 node;
    u32 holder; // node in which the lock was held, at or above `node`
    u32 site, other_site;
    ClassId class; // NOTE_JOIN: Analysis.handle_sets
    LocksetId held;
    u32 fact; // conditionals passed in the function
    Place place;
    bool good; // an error-free path reaches it, too
} Note;

enum { RACES_PRECISE, RACES_STATISTICAL, RACES_SIMPLE };
enum { ENGINE_BOTH, ENGINE_WALK, ENGINE_SUMMARIES }; // which one races are from
typedef struct {
#define SWITCH(field, option, help) bool field;
#include "racerx/facts/options.def"
#undef SWITCH
    bool no_selection;        // take a call's targets whatever it is given
    u32 lockset_limit;        // entries per function; 0: 100
    u32 wide;                 // members of more bits are not written in one piece
    double p0;                // share of protected accesses that makes no belief
    u32 race_mode;            // RACES_…
    u32 engine;               // ENGINE_…
    u32 jobs;                 // threads; 0: one
    struct RelayTable *relay; // with ENGINE_SUMMARIES: filled with every warning and the reason against it; NULL: not
} AnalysisOptions;
#define ANALYSIS_P0 0.9 // as rank/default.lua has them: of who asks without a ranking
#define ANALYSIS_WIDE 32

// check/relay.c: why a warning of two entries is probably false, in RELAY's order, and ours after them.
typedef enum {
    RELAY_INITIALISATION,
    RELAY_ALIASING,
    RELAY_UNSHARING,
    RELAY_REENTRANT,
    RELAY_NON_PARALLEL,
    RELAY_CONDITIONAL,
    RELAY_UNSURE,
    RELAY_LEFT, // nothing speaks against it
    RELAY_REASONS
} RelayReason;
extern const char *const relay_words[RELAY_REASONS];
typedef struct {
    const char *entry, *function, *file; // where control starts; the access
    u32 line;
    bool write;
} RelaySide;
// An object that two entries access without a common lock.
typedef struct {
    u8 reason; // the first against the pair that lasts longest
    const char *object;
    RelaySide sides[2]; // that pair
    u32 pairs;          // of places
} RelayRow;
typedef struct RelayTable {
    Array(RelayRow) rows;     // sorted by object
    u64 pairs[RELAY_REASONS]; // by their first reason
    u32 entries;              // that were compared
    Arena arena;
} RelayTable;

enum { STORY_SURVIVED, STORY_REFUTED, STORY_UNCHECKED, STORIES };
typedef struct AnalysisStats {
    u64 stories[STORIES]; // of races
    u64 nodes, states, edges, constraints, functions_walked, samples, objects;
    double seconds_skeleton, seconds_walk, seconds_findings, seconds_races; // the last two at the same time
    double seconds_stale;                                                   // of those for races
    double seconds_summaries;
    u64 memory_skeleton, memory_walk, memory_findings; // the most so far, when each was done
    u64 summary_bytes, summary_accesses;
} AnalysisStats;

// context.c -----------------------------------------------------------------------
// Where control came from, and what callers held, on some way to a node.
typedef struct {
    LocksetId set; // in the node's words; what did not go along on the way
    u32 root;      // Analysis.roots
    u32 next;      // the next one of the same node, plus 1
    u32 node;
    u32 from;   // the way of the caller, plus 1; 0: the node is a root
    Place call; // where the caller calls
    u16 depth;  // calls since the root
    u16 wide;   // targets of the widest call on the way that has many; 0: none has
    u32 start;  // where it starts, see way_start(); of that one: 1 + the example of a call (edge_…) of a slot; 0: a
                // root
    u32 marked; // the nearest on the way, itself included, of which a rule speaks, or whose file has rivals; plus 1
    u32 begins_by; // the rules whose first list has where it begins, as a number; 0: none
    bool attaches; // it is part of making an object: by a function marked so, and on from there in its directory
} WayContext;
typedef struct {
    FunctionId function;         // NO_ID: one root stands for all of its contexts; of a thread: what it runs
    FunctionId begins;           // of a thread: where it begins, before it calls what it was told to run
    u32 contexts;                // 1 << CONTEXT_…; CONTEXT_OTHER: not known
    bool once;                   // one thread, which exists once
    bool single;                 // never two of it at a time
    bool starts;                 // it starts threads
    PathId once_object;          // what is called once goes by this global; 0: not known, or no such root
    u32 under;                   // of such a root: the root that calls it
    LocksetId begun_under;       // of a thread: locks that whoever starts it holds then
    LocksetId kept_under;        // those of them that he holds until it has ended
    ClassId thread;              // the thread in locksets, when one place starts it; 0: none, or several
    bool spawned;                // some place in sight starts it
    u32 spawner;                 // root that starts it; NO_ID: several, or not known
    u32 spawners, spawner_count; // in Analysis.spawners: all that are known
    u32 above, above_count;      // in Analysis.above: those, and who starts them, and so on; sorted
    u32 reach;                   // Analysis.reached, plus 1; 0: not known
} Root;

// sample.c ------------------------------------------------------------------------
// One access with one protection, on some way. Protections are locksets whose paths are RELATION_…
enum {
    RELATION_UNKNOWN,
    RELATION_ONE,
    RELATION_SAME,
    RELATION_OTHER
}; // the lock: is one object; is of the same object; of another
enum {
    BOUND_NOT,
    BOUND_PLACE,   // which one it is
    BOUND_ELEMENT, // and it is an element that only this thread was given
    BOUND_OWN,     // only this thread was given it, or what leads to it
    BOUND_LOCAL,   // only the thread's own storage leads to it
    BOUND_TAKEN,   // it was taken off where others find it
};
enum { MADE_IN_CHILD = 1, MADE_MASKED = 2 }; // in a child process, after fork; with signals blocked
typedef struct {
    ObjectId object;
    u32 access;           // Analysis.accesses
    LocksetId protection; // in Analysis.protections
    u32 way;              // Analysis.way_contexts: the first it was met on
    u16 root;
    u8 unsure;       // a lock was dropped by the unlockset correction
    u8 bound;        // BOUND_…: what is known of the object from who called
    u8 state;        // MADE_…: of the thread, or the process
    LocksetId alive; // threads that may run; in Analysis.locksets
    PathId place;    // of an element that only this thread has, as far as indices say; 0: of none
    PathId list;     // the list that the object was found in; 0: not known
} Sample;

#endif
