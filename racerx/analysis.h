// analysis.h: inside racerx/, from the linked program to facts about locks. Sections in pipeline
// order: places (paths), lock classes, locksets, skeletons, releases, the walk, what it records.
// docs/locksets.md says what holds.
#ifndef RACERX_ANALYSIS_H
#define RACERX_ANALYSIS_H

#include "racerx/findings.h"
#include "racerx/program.h"

// path.c ------------------------------------------------------------------------
// A place in memory as the current function sees it: a root and the members on the way.
// Interned: equal places have equal ids. PathId 0 is "not known".
typedef u32 PathId;
typedef enum {
    ROOT_UNKNOWN,
    ROOT_GLOBAL, // id: GlobalId
    ROOT_PARAM,  // id: index of the parameter
    ROOT_LOCAL,  // id: index of the var
    ROOT_RESULT, // id: ExprId of the call; UINT32_MAX: what this function returns
    ROOT_OUTER,  // id: nth place of the callers that no parameter reaches
    ROOT_STACK,  // id: Analysis.stack: a local of some function, seen from another
} RootKind;
typedef struct {
    PathId parent; // 0: a root
    u32 step;      // member's NameId << 1 | through a pointer; of a root: its id
    u8 root;       // RootKind of the root it starts from
    u8 depth;      // number of steps
} Path;
typedef struct {
    Array(Path) paths; // [0]: unknown
    Map index;         // (parent, step, root) -> PathId
} PathTable;
#define STEP_ELEMENT 1u // name 0 is *, this one [i] for any i
#define STEP_OWN 0x3fffffffu // an element of an array of which every thread is given another
PathId path_root(PathTable *self, RootKind root, u32 id);
PathId path_step(PathTable *self, PathId parent, NameId member, bool pointer);
PathId path_rebase(PathTable *self, PathId path, PathId from, PathId to, bool address); // 0: does not start with `from`
PathId path_unbase(PathTable *self, PathId path, PathId from, bool address, PathId to);  // the other way
PathId path_first(const PathTable *self, PathId path);                                  // its root
bool path_goes_through_pointer(const PathTable *self, PathId path);

// A pointer's value: what is stored at a path, or the path's address.
typedef struct {
    PathId path;
    bool address;
} PathValue;

// An argument of a call: where its value comes from, and what lock it points to, if it does.
typedef struct {
    PathId path;
    bool address;
    u8 fresh;   // FRESH_…: can others see what it points to?
    u8 mask;    // VALUE_… of a constant
    u32 object; // ObjectId of a scalar that it points to; 0: not known
    u32 class;  // ClassId
} ArgumentValue;

// access.c ----------------------------------------------------------------------
// What is shared: a global, a member of a type, a local whose address is taken, what one call allocated.
typedef u32 ObjectId; // 0: none
enum {
    SHARED_LOCK = 1,        // is itself a lock
    SHARED_OWN = 2,         // one per processor or thread
    SHARED_ATOMIC = 4,      // of an atomic type
    SHARED_CONST = 8,
    SHARED_BITFIELD = 16,
    SHARED_WIDE = 32,       // not written in one piece
    SHARED_AGGREGATE = 64,  // a whole record or array
    SHARED_POINTER = 128,
    SHARED_GLOBAL = 256,    // one object
    SHARED_ELEMENT = 512,   // some element of an array
};
#define OBJECT_CALL 5 // in SharedObject.kind: calls of a function (id: its NameId) with an argument of a type (var: 1 + RecordId)
#define HEAP_VAR 0x80000000u // in SharedObject.var: the ExprId of an allocation
typedef struct {
    u8 kind;       // ObjectKind
    u32 id;        // GlobalId, RecordId, FunctionId
    NameId member; // "a.b"; 0: the whole
    u32 var;       // OBJECT_LOCAL: which; see HEAP_VAR
    NameId local;  // OBJECT_LOCAL: its name, or the allocator's
    u32 flags;     // SHARED_…
} SharedObject;
enum {
    ACCESSED_READ = 1,
    ACCESSED_WRITE = 2,
    ACCESSED_UPDATE = 4,  // x++: read and written
    ACCESSED_ATOMIC = 8,  // by a declared atomic operation
    ACCESSED_ONCE = 16,   // by an accessor like READ_ONCE
    ACCESSED_CHOSEN = 32, // an element whose index the caller gave
    ACCESSED_CALL = 64,   // a call: the pair of function and argument
    ACCESSED_UNSHARED = 128, // through a pointer that was just taken off a shared place
};
enum { FRESH_NO, FRESH_YES, FRESH_PARAM }; // FRESH_PARAM + n: as long as what parameter n points to is nobody else's
typedef struct {
    FunctionId function;
    Place place;
    ObjectId object; // 0: whatever the parameter points to
    PathId path;     // of what is accessed
    u16 flags;       // ACCESSED_…
    u8 param;        // 1 + the parameter the path starts from; 0: none
    u8 fresh;        // FRESH_…: nobody else can see the object yet
} Access;

// class.c -----------------------------------------------------------------------
// Locks are told apart by class: a global, or a member of a type.
typedef u32 ClassId; // 0: none
enum { CLASS_NONE, CLASS_INTERRUPTS, CLASS_SOFTIRQS, CLASS_PREEMPTION, CLASS_FIRST };
typedef struct {
    NameId name;      // as users read it
    u8 kind;          // LockKind, of the first operation seen
    bool global;      // one object, not one per instance of a type
    bool local;       // on some function's stack
    bool parameter;   // whatever a parameter points to: bound at the call
    bool recursive;   // may be taken again by its holder
    bool vague;       // whatever some pointer to a lock points to
    bool scheduling;  // a semaphore that signals: makes no dependency
    bool lets_go;     // released while its holder sleeps
    bool sleepless;   // its holder must not sleep, although it does not spin
    bool thread;      // no lock: a thread that may run
    u8 param;         // of `parameter` classes: which one
    RecordId record;  // of a member: the type it is in; NO_ID: none
    RecordId inner;   // the innermost type the lock is a member of; NO_ID: none
    NameId inner_member; // its name there
    ClassId base;     // of a global's member that was reached through a pointer: the class by its type; 0: none
    u32 acquires, releases; // operations seen in the text
    u32 downs, paired, spurious; // sites that take it; that let it go held; that let it go not held
    double z;               // of a semaphore: how far from a lock it behaves
} LockClass;

// lockset.c ---------------------------------------------------------------------
enum {
    HELD_SHARED = 1,   // as a reader
    HELD_TRY = 2,      // got without waiting
    HELD_ASSURED = 4,  // a caller lets it go after this call
    HELD_OUTER = 8,    // held since before this function
    HELD_ASSERTED = 16, // only an assertion says so
    HELD_SPINS = 32,
    HELD_CORRECTED = 64, // of a witness: the unlockset correction dropped some other lock there
    HELD_YIELDS = 128,   // of the CPU's state: as it was before while the holder sleeps
    HELD_EVERYWHERE = 256, // of interrupts: off on every CPU, no handler runs meanwhile
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
#define LOCKSET_MOST 16
LocksetId lockset_intern(LocksetTable *self, Held *held, u32 count); // sorts
static inline const Held *lockset_held(const LocksetTable *self, LocksetId id, u32 *count) {
    *count = self->sets.items[id].count;
    return self->held.items + self->sets.items[id].first;
}

// skeleton.c --------------------------------------------------------------------
// A function with only what concerns locks left in: lock operations, calls, what branches test.
typedef enum {
    STEP_LOCK,  // call of a declared lock function: effects
    STEP_CALL,  // a call; effect: 1 + RecordId its first argument points to; source: 1 + Analysis.accesses when it counts as data
    STEP_SET,   // a tracked variable changes
    STEP_BLOCK, // call of a declared function that may block
    STEP_JOIN,  // call of a declared function that waits for something to end
    STEP_ACCESS, // effect, effect_count: Analysis.accesses
    STEP_ALLOC, // call that gives fresh memory
    STEP_PUBLISH, // source: a pointer (args[arg]) is stored where others can find it
    STEP_SPAWN, // call that starts something: effect: Analysis.spawns
    STEP_ENDED, // threads have ended: effect, effect_count: Analysis.ended
} SkeletonStepKind;
typedef struct {
    u8 kind;    // SkeletonStepKind
    u8 mask;    // STEP_SET: VALUE_… it may have; 0: that of `source`
    u8 discard; // the call's result is not used; STEP_SET: COMPARES_… of `source` with zero
    u8 cleanup;
    u32 call;   // Program.calls, or NO_ID
    ExprId expr; // the call; STEP_SET: the variable
    ExprId source; // STEP_SET: expression whose value it takes, or 0
    u32 arg, arg_count; // Skeleton.args
    u32 effect, effect_count; // STEP_LOCK: Analysis.operations; STEP_JOIN: the object's class; others: see their kind
    u32 result; // var the result is stored to next, or NO_ID
    Place place;
} SkeletonStep;
enum { COMPARES_NOT, COMPARES_EQUAL, COMPARES_UNEQUAL };
enum { VALUE_NEGATIVE = 1, VALUE_ZERO = 2, VALUE_POSITIVE = 4, VALUE_ANY = 7 };
typedef struct {
    u32 step, step_count;
    u8 term;      // TermKind
    u8 true_mask; // branch: values of the subject that take the first successor
    u8 false_mask; // branch: values that take the second
    ExprId subject;      // tracked expression, or 0
    ExprId same_call;    // an earlier call with the same arguments, whose answer is this one's; 0: none
    ExprId condition;    // the condition itself, when it is tested more than once; its value is 0 or positive
    u8 return_mask;      // TERM_RETURN: what is known of the value
    ExprId return_source; // TERM_RETURN: tracked expression that is returned
    PathValue returned;   // TERM_RETURN: the place the value is
    u32 successor, successor_count; // in Skeleton.successors
    Place place;
} SkeletonBlock;
typedef struct {
    u32 from, to;  // blocks: leaving a loop with joins in it
    u32 step;      // the STEP_ENDED
} LoopExit;
typedef struct {
    bool relevant;   // locks, blocks or joins, itself or below
    bool direct;     // itself
    bool concurrent; // does something that only makes sense with several threads
    u32 bound;       // bit n: parameter n points to a lock whose class the caller knows
    u32 block_count;
    u32 step_count;
    SkeletonBlock *blocks;
    SkeletonStep *steps;
    ArgumentValue *args;
    u32 *successors;
    u32 *mentions;   // pairs: tracked expression, a var in it
    u32 mention_count;
    u32 *tested;     // pairs: parameter, the expression that branches test
    u32 tested_count;
    PathId returns_place; // it returns the address of this global; 0: it does not
    u32 code;        // bit n: parameter n is called, or handed on
    u32 data;        // bit n: what parameter n points to is accessed, or handed on
    u32 publishes;   // bit n: what parameter n points to may be found by others afterwards
    bool returns_fresh; // what it returns nobody else has seen
    LoopExit *exits;
    u32 exit_count;
} Skeleton;
typedef struct {
    Body body; // decoded into again and again
} SkeletonBuilder;

typedef struct {
    const LockEffect *effect;
    ClassId class;  // 0: none; a `parameter` class is bound on entry
    PathId path;
} LockOperation;

typedef struct {
    bool known;      // filled
    u8 param;        // as Access.param
    ObjectId object; // as Access.object
    PathId path;
} AccessMemo;

// threads.c ---------------------------------------------------------------------
// A call that starts a handler. A thread that may run is kept in the lockset like a lock, from its start to its join:
// what is done without it in the set is done before it started, or after it ended.
typedef struct {
    FunctionId function;
    ExprId call;
    const CallFact *fact;
    u64 handle;    // what it is joined by: a hash of the place, 0 when not known
    NameId member; // likewise, the last member on the way; 0: a variable
    ClassId class; // of a thread: "thread f"; 0: not a thread, or not followed
} Spawn;

// the walk ----------------------------------------------------------------------
// What a caller knows of a parameter. Values: a ClassId; a FunctionId; the PathId of a global (or what stands for one); 1; a mask of signs; an ObjectId.
enum { BIND_CLASS, BIND_CODE, BIND_DATA, BIND_FRESH, BIND_VALUE, BIND_OBJECT };
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
    u8 mask;   // of the return value
    u32 exits; // how many exits agree
    u32 block; // the exit it was first seen at
} Outcome;
typedef struct {
    FunctionId function;
    LocksetId entry;
    u32 binding;     // Analysis.bindings: classes of the parameters that point to locks; 0: none
    u32 entry_site;  // Analysis.entry_sites: where the locks of `entry` were taken when it was first called
    u32 parent;      // node that first called it; NO_ID: a root
    Place call;      // where
    u32 outcome, outcome_count;
    u8 state;        // 0 new, 1 on the stack, 2 done
    bool is_root;    // control starts here
    u16 depth;       // of the chain of first calls
    u32 conditionals; // passed on the way to the call
} Node;

typedef struct {
    FunctionId function;
    Place place;
    ClassId class;
    u32 conditionals; // passed on the shortest way seen
    u8 irqs;          // 1: seen with interrupts on, 2: off; 4: with bottom halves on, 8: off
    u8 try_only;      // never waits
    u8 uses;          // SITE_…
    u32 node_on;      // a node in which it was met with interrupts on
    u32 node_bh;      // a node in which it was met with bottom halves on
    u32 next;         // the next site of the same class; UINT32_MAX: none
} LockSite;

enum { SITE_TAKES = 1, SITE_PAIRED = 2, SITE_SPURIOUS = 4 }; // takes it; lets it go while held; while not held

// a -> b: b was taken while a was held.
typedef struct {
    u32 node;
    u32 held_site, site; // LockSite of a and of b
    LocksetId held;      // all that was held
    u8 held_flags, flags; // HELD_… of a; of b
    u32 next;            // the next witness of the same edge
} Witness;
typedef struct {
    ClassId from, to;
    u32 witness; // best first
    u32 count;
} OrderEdge;

// A call that makes a lock, or an attribute that locks are made with.
typedef struct {
    FunctionId function;
    ClassId class, like; // of the lock; of the attribute it is made like (0: of none)
    PathId path, like_path;
    bool recursive;      // the call itself says so
} LockInit;

// Something that was started (timer, thread, work) is known by the object it was started with.
typedef struct {
    FunctionId function;
    ExprId call;
    u32 handle; // Analysis.handle_sets
} Started;
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
    LocksetId held;     // all that the caller held for sure
    u16 flags;          // HELD_… of it
    Place place;        // of the call
    u8 cost;            // how unsure the call is
} Ambient;
// Something that orders after what callers hold: a lock taken, or a call that may sleep (class 0).
typedef struct {
    u32 node, site;
    ClassId class;
    LocksetId held; // for sure, in the node
    u16 flags;      // HELD_…
    bool sleeps;
} Acquisition;

typedef enum { NOTE_DOUBLE, NOTE_SLEEP, NOTE_UNHELD, NOTE_LEAK, NOTE_JOIN, NOTE_ACQUIRE } NoteKind;
typedef struct {
    u8 kind; // NoteKind
    u8 flags;
    u32 node;
    u32 site, other_site;
    ClassId class;  // NOTE_JOIN: Analysis.handle_sets
    LocksetId held;
    u32 fact;
    Place place;
    bool good; // an error-free path reaches it, too
} Note;

enum { RACES_PRECISE, RACES_STATISTICAL, RACES_SIMPLE };
typedef struct {
    bool no_races, no_unlockset, no_correlation, no_release_on_block, no_semaphores, no_return_classes, no_gates, no_selection;
    u32 lockset_limit; // entries per function; 0: 100
    u32 wide;          // members of more bits are not written in one piece
    double p0;         // share of protected accesses that makes no belief
    u32 race_mode;     // RACES_…
} AnalysisOptions;

typedef struct AnalysisStats {
    u64 nodes, states, edges, constraints, limit_hits, functions_walked, depth_hits, reach_hits, crowded, wide, ways_cut, samples, samples_cut, objects;
    double seconds_skeleton, seconds_walk, seconds_findings, seconds_races; // the last two at the same time
    u64 memory_skeleton, memory_walk, memory_findings; // the most so far, when each was done
} AnalysisStats;

// context.c -----------------------------------------------------------------------
// Where control came from, and what callers held, on some way to a node.
typedef struct {
    LocksetId set; // in the node's words; what did not go along on the way
    u32 root;      // Analysis.roots
    u32 next;      // the next one of the same node, plus 1
    u32 node;
    u32 from;      // the way of the caller, plus 1; 0: the node is a root
    Place call;    // where the caller calls
    u16 depth;     // calls since the root
    u16 wide;      // targets of the widest call on the way that has many; 0: none has
} WayContext;
typedef struct {
    FunctionId function; // NO_ID: one root stands for all of its contexts
    u32 contexts;        // 1 << CONTEXT_…; CONTEXT_OTHER: not known
    bool once;           // one thread, which exists once
    ClassId thread;      // the thread in locksets, when one place starts it; 0: none, or several
    bool spawned;        // some place in sight starts it
    u32 spawner;         // root that starts it; NO_ID: several, or not known
    u32 spawners, spawner_count; // in Analysis.spawners: all that are known
    u32 above, above_count;      // in Analysis.above: those, and who starts them, and so on; sorted
} Root;

// sample.c ------------------------------------------------------------------------
// One access with one protection, on some way. Protections are locksets whose paths are RELATION_…
enum { RELATION_UNKNOWN, RELATION_ONE, RELATION_SAME, RELATION_OTHER }; // the lock: is one object; is of the same object; of another
typedef struct {
    ObjectId object;
    u32 access;           // Analysis.accesses
    LocksetId protection; // in Analysis.protections
    u32 way;              // Analysis.way_contexts: the first it was met on
    u16 root;
    u8 unsure;            // a lock was dropped by the unlockset correction
    u8 bound;             // the object is known from who called; 2: and is an element that only this thread was given
    LocksetId alive;      // threads that may run; in Analysis.locksets
} Sample;

typedef struct Analysis {
    Program *program;
    const Declarations *declarations;
    AnalysisOptions options;
    PathTable paths;
    Array(LockClass) classes;
    Map class_by_name;
    Map class_by_path; // PathId of a lock in a global -> its class
    ClassId parameter_class[32]; // by parameter: the class of what it points to; 0: none yet
    LocksetTable locksets;
    Array(LockOperation) operations;
    Array(SharedObject) objects;
    Map object_index;
    Map local_names;       // (function, var) -> NameId, of objects that are locals
    Array(Access) accesses;
    Array(Spawn) spawns;
    U32Array ended;        // runs of ClassIds
    Map spawned;           // (function, call) -> first registration + 1
    U32Array spawners;     // roots that start a thread, in runs by Root
    U32Array above;        // all roots above a thread, in runs by Root
    Map lock_types;        // (file, type) -> 1: no lock, 2: a lock
    u32 *lock_parameters;  // by function: bit n: parameter n is a lock; the highest: the others were worked out
    u64 *programs;         // by function: a bit for each main that reaches it, in program_words words
    u32 program_words;
    u8 *lone;              // by function: a main, one of several, that starts nothing beside itself; NULL: none
    u8 *ruled;             // by function: never_parallel speaks of it; NULL: of none
    u8 *started_as;        // by function: some call that is followed starts it as a thread
    bool binds_data;       // small enough to tell callers apart by what they hand over
    bool follows_threads;  // a program with a main: threads have a beginning and an end
    Skeleton *skeletons; // by function
    Arena arena;
    Array(Node) nodes;
    Map node_index;
    U32Array bindings;   // runs: count, then (BIND_… << 8 | parameter, value)…
    Map binding_index;
    u16 *entries;        // by function: locksets it was entered with
    Map node_edges;      // (caller node, callee node) seen
    U32Array edge_pairs; // caller, callee
    Array(Place) edge_places; // of the calls
    Array(u8) edge_costs;     // how unsure they are: 1, and more for calls with several targets
    U32Array entry_sites;
    U32Array edge_ambient; // by call between nodes: LocksetId of the locks that did not go along, in the callee's words
    Array(const SkeletonStep *) edge_steps; // the call; NULL: a copy made for a report
    Array(NodeAccess) node_accesses;        // by node, in the order they were walked
    Array(StackObject) stack;
    Map stack_index;
    U32Array context_first;      // by node: its first WayContext, plus 1
    Array(WayContext) way_contexts;
    Array(Root) roots;
    U32Array root_of;            // by function: root, plus 1
    Array(Sample) samples;       // sorted by object, then by place
    LocksetTable protections;
    U32Array critical_only, critical_first, critical_last; // by object: times it was so in a critical section
    U32Array spawn_roots; // triples: Analysis.spawns, the node it starts, the node that starts it
    Map spawn_root_index;
    U32Array coalive;     // pairs: class of a thread that may run, class of one that is started then
    Map coalive_index;
    LocksetId *node_must;  // by node: ambient locks that every way to it holds; NO_ID: no way yet
    U32Array *touched;   // by function: classes that it or what is near below it operates on
    Array(Started) started;
    U32Array handle_sets; // a set is the index of its count; its names, as classes, follow
    Array(HandleParameter) handle_parameters;
    Map handle_index;     // ClassId of such a name -> handle_parameters, + 1
    Array(LockInit) inits;
    Array(Ambient) ambient;
    Map ambient_index;
    Array(Acquisition) acquisitions;
    Map acquisition_index;
    U32Array class_site; // by class: first LockSite
    Array(Outcome) outcomes;
    Array(LockSite) sites;
    Map site_index;
    Array(OrderEdge) edges;
    Map edge_index;
    Array(Witness) witnesses;
    Array(Note) notes;
    Map note_index;
    U32Array *releases;  // by function: classes held on entry that it may let go
    U32Array *leaves;    // by function: classes that it takes and may leave held
    Map release_blocks;  // (function, class) -> bits per block, + 1
    Array(u64 *) release_bits;
    Map caller_releases; // (function, class) -> 1 no, 2 yes
    u32 *contexts; // by function: 1 << CONTEXT_… of the roots that reach it
    u32 *node_contexts; // by node, likewise; bit 31: some root of unknown context
    AnalysisStats stats;
} Analysis;
#define CONTEXT_OTHER (1u << 31)

// Do two words for a lock mean the same one, as far as types go?
static inline bool class_covers(const Analysis *self, ClassId by_type, ClassId class) {
    return by_type == class || (by_type && self->classes.items[class].base == by_type);
}
ObjectId object_intern(Analysis *self, SharedObject object);
void shared_object_name(const Analysis *self, ObjectId id, Buffer *out);
ClassId class_intern(Analysis *self, NameId name, bool global);
void skeleton_build(Analysis *self, SkeletonBuilder *scratch, FunctionId function);
void fill_recursive(Analysis *self); // recursive.c; requires: skeletons. fills: LockClass.recursive of locks made so
// waited.c: the set of names (0: none) of what a call's argument, or result, is; all names of a set, callers' too.
u32 handle_of(Analysis *self, const BodyScope *scope, const ExprId *alias, ExprId call, i32 argument);
u32 handle_names(Analysis *self, u32 set, u32 *out, u32 most);
void fill_relevance(Analysis *self);
void fill_threads(Analysis *self); // threads.c: requires skeletons. fills: classes of spawns, what ends, loop exits
void fill_fresh(Analysis *self);   // fresh.c: requires skeletons. fills: publishes, returns_fresh, fresh of accesses and arguments
void fill_releases(Analysis *self); // unlockset.c
// Can a release of `class` still be reached from after this step?
bool releases_later(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class);
bool releases_in_callers(Analysis *self, FunctionId function, ClassId class);
#define FAN_OUT_NARROW 4
void fill_touched(Analysis *self); // ambient.c
// Is it near certain whom it calls? What far targets of wide calls do to a caller's locks is not believed.
static inline bool call_is_narrow(const CallSite *site) {
    return !site->indirect || (site->target_count <= FAN_OUT_NARROW && !site->guessed && !site->cut);
}
bool touches(const Analysis *self, FunctionId function, ClassId class);
void ambient_put(Analysis *self, const Held *held, u32 caller, u32 callee, LocksetId sure, Place place, u8 cost);
void acquisition_put(Analysis *self, u32 node, u32 site, ClassId class, LocksetId held, u16 flags, bool sleeps);
void order_ambient(Analysis *self); // fills: edges and notes for ambient locks
void fill_must(Analysis *self);     // fills: node_must
void edge_put(Analysis *self, ClassId from, ClassId to, Witness witness);
void walk(Analysis *self);
PathId path_into_callee(Analysis *self, const Skeleton *caller, const SkeletonStep *call, PathId path); // 0: no parameter reaches it
bool has_lock_parameters(Analysis *self, FunctionId function); // lock_parameters.c
bool is_lock_argument(Analysis *self, const CallSite *site, u32 argument); // lock_parameters.c; from 0
bool is_kernel(const Program *program); // programs.c
bool is_registered(const Program *program, FunctionId handler);
void fill_programs(Analysis *self); // programs.c: fills: programs
bool share_program(const Analysis *self, FunctionId f, FunctionId g, bool *known);
void fill_ways(Analysis *self);     // context.c: requires the walk. fills: roots, way_contexts
void fill_samples(Analysis *self);  // sample.c: requires ways. fills: samples
void fill_critical(Analysis *self); // critical.c: requires skeletons. fills: critical_…
bool may_run_together(const Analysis *self, const Sample *a, const Sample *b, bool *proven); // parallel.c
void find_races(Analysis *self, FindingList *out); // races.c
void classify_semaphores(Analysis *self, FindingList *out); // semaphore.c
// How improbable these counts are for a lock, given what spin locks do: the lower of the two z.
double semaphore_z(u32 downs, u32 paired, u32 spurious, const SemaphoreBaseline *baseline);
SemaphoreBaseline semaphore_baseline(u64 downs, u64 paired, u64 spurious); // from the counts of all spin locks
#define SEMAPHORE_IMPROBABLE (-3.0) // under it a semaphore signals
u32 lock_site(const Analysis *self, u32 node, const Held *held); // where a lock held in a node was taken; NO_ID: not known
void fill_contexts(Analysis *self); // order.c
bool edge_is_usable(const Analysis *self, const OrderEdge *edge); // not of a semaphore that signals
u32 best_witness(const Analysis *self, const OrderEdge *edge);    // the shallowest; equals by name
void list_orders(Analysis *self, FindingList *out); // orders.c: requires edges. fills: FindingList.orders
// Adds the chain of first calls that led to a node, and a site with what was held.
Site *finding_put_site(Analysis *self, FindingList *list, Finding *finding, SiteRole role, u32 node, u32 lock_site, LocksetId held);
const char *class_text(const Analysis *self, ClassId class);
void site_put_chain(Analysis *self, FindingList *list, Site *site, u32 node); // the chain of first calls to a node
void site_put_way(Analysis *self, FindingList *list, Site *site, u32 way);    // the calls of a way
FunctionId way_root(const Analysis *self, u32 way);                           // where it starts
FunctionId node_root(const Analysis *self, u32 node); // where the chain of first calls starts
void find_deadlocks(Analysis *self, FindingList *out);
void find_others(Analysis *self, FindingList *out);
void find_waits(Analysis *self, FindingList *out); // waits.c

u32 site_make(Analysis *self, FunctionId function, Place place); // a place that is no lock operation
double z_test(double good, double all, double share);

// analyse.c: the driver
void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats);

#endif
