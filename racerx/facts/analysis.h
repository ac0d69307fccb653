// analysis.h: inside racerx/, from the linked program to facts about locks. Sections in pipeline
// order: accesses, lock classes, skeletons, releases, the walk, what it records.
// docs/locksets.md says what holds.
#ifndef RACERX_ANALYSIS_H
#define RACERX_ANALYSIS_H

#include "racerx/facts/lockset.h"
#include "racerx/facts/path.h"
#include "racerx/facts/value.h"
#include "racerx/findings/findings.h"
#include "racerx/link/program.h"

// An argument of a call: where its value comes from, and what lock it points to, if it does.
typedef struct {
    PathId path;
    bool address;
    u8 fresh;      // FRESH_…: can others see what it points to?
    u32 object;    // ObjectId of a scalar that it points to; 0: not known
    u32 class;     // ClassId
    ValueId value; // what is known of it whoever calls
    ExprId source; // the expression whose value it is; 0: none that facts are kept of
    u32 hops;      // Analysis.hops: keepers on the way from the root to what it points to; NO_ID: not known
} ArgumentValue;

// access.c ----------------------------------------------------------------------
// What is shared: a global, a member of a type, a local whose address is taken, what one call allocated.
typedef u32 ObjectId; // 0: none
enum {
    SHARED_LOCK = 1,   // is itself a lock
    SHARED_OWN = 2,    // one per processor or thread
    SHARED_ATOMIC = 4, // of an atomic type
    SHARED_CONST = 8,
    SHARED_BITFIELD = 16,
    SHARED_WIDE = 32,      // not written in one piece
    SHARED_AGGREGATE = 64, // a whole record or array
    SHARED_POINTER = 128,
    SHARED_GLOBAL = 256,  // one object
    SHARED_ELEMENT = 512, // some element of an array
};
#define OBJECT_CALL                                                                                                    \
    5 // in SharedObject.kind: calls of a function (id: its NameId) with an argument of a type (var: 1 + RecordId)
#define OBJECT_STATE                                                                                                   \
    6 // likewise: what functions outside the tree keep for themselves (id: NameId of what it is called)
#define OBJECT_BEHIND                                                                                                  \
    7 // likewise: what a pointer kept in a global points to, when it was allocated (id: points_region())
#define HEAP_VAR 0x80000000u // in SharedObject.var: the ExprId of an allocation
typedef struct {
    u8 kind;       // ObjectKind
    u32 id;        // GlobalId, RecordId, FunctionId
    NameId member; // "a.b"; 0: the whole
    u32 var;       // OBJECT_LOCAL: which; see HEAP_VAR
    NameId local; // OBJECT_LOCAL: its name, or the allocator's; OBJECT_BEHIND: 1 + RecordId of what it is, 0: not known
    u32 flags;    // SHARED_…
} SharedObject;
enum {
    ACCESSED_READ = 1,
    ACCESSED_WRITE = 2,
    ACCESSED_UPDATE = 4,     // x++: read and written
    ACCESSED_ATOMIC = 8,     // by a declared atomic operation
    ACCESSED_ONCE = 16,      // by an accessor like READ_ONCE
    ACCESSED_CHOSEN = 32,    // an element whose index the caller gave
    ACCESSED_CALL = 64,      // a call: the pair of function and argument
    ACCESSED_UNSHARED = 128, // through a pointer that was just taken off a shared place
    ACCESSED_LOWERS = 256,   // stores the constant 0
    ACCESSED_RAISES = 512,   // stores another constant
    ACCESSED_ONE = 131072,   // with ACCESSED_RAISES: the constant 1
    ACCESSED_HANDED = 1024,  // by a helper that is given its address; neither read nor written: by none
    ACCESSED_FREED = 2048,   // ends its life, or may move it
    ACCESSED_KEPT = 4096,    // through a pointer that was read before a lock was let go
    ACCESSED_GROWN = 8192,   // of what was added to it just before
    ACCESSED_WALKED = 16384, // by the head of a loop over it, a macro that was kept as a call
    ACCESSED_MADE = 32768,   // of an object that this function overwrites as a whole, or whose lock it sets
    ACCESSED_TESTED = 65536, // in a condition
};
// FRESH_TAKEN: it was taken off where others found it. FRESH_PARAM + n: as long as what parameter n points to is
// nobody else's
enum { FRESH_NO, FRESH_YES, FRESH_TAKEN, FRESH_PARAM };
typedef struct {
    FunctionId function;
    Place place;
    ObjectId object; // 0: whatever the parameter points to
    PathId path;     // of what is accessed
    u32 flags;       // ACCESSED_…
    u8 param;        // 1 + the parameter the path starts from; 0: none
    u8 fresh;        // FRESH_…: nobody else can see the object yet
    u32 hops;        // Analysis.hops: keepers on the way from the root to the object; NO_ID: not known
    NameId bit;      // of a word of bit-fields: the one; 0: no such word
} Access;

// keepers.c: a place that pointers are kept in: a member of a type, a global, an array.
enum {
    KEEPS_OTHERS = 1, // something that was not made for it
    KEEPS_GIVEN = 2,  // what threads were given
    KEEPS_ANY = 4,    // something was ever stored there
    KEEPS_MIXED = 8,  // something that may be in another list as well
};
typedef struct {
    u8 flags;        // KEEPS_…
    bool many;       // an array, or behind a pointer to many
    RecordId record; // it is a member of this; NO_ID: of none
    RecordId holds;  // what it points to; NO_ID: no record
    u32 global;      // 1 + GlobalId; 0: none
} Keeper;
// Keepers on the way to an object, the last one first.
typedef struct {
    u32 keeper; // 1 + Analysis.keepers
    u32 next;   // Analysis.hops; 0: from the root
} Hop;
// lists.c: where a pointer starts from that then only goes along links.
typedef struct {
    PathId path;
    u32 hops;
} Beginning;
// Something is stored in a keeper that callers give.
typedef struct {
    u32 keeper; // 1 + Analysis.keepers
    FunctionId function;
    u32 param;
} KeptParameter;

// handed.c: an access that the helpers of a call make through one of their parameters.
typedef struct {
    u32 access;   // Analysis.accesses
    u32 call;     // Program.calls; it has no target: a macro that heads a loop
    u32 argument; // from 0
} Handed;
#define HANDED_MEMBERS 4 // a record with more is no link: its members are touched one by one
#define HANDED_DEPTH 3   // records in records

// class.c -----------------------------------------------------------------------
// Locks are told apart by class: a global, or a member of a type.
enum { CLASS_NONE, CLASS_INTERRUPTS, CLASS_SOFTIRQS, CLASS_PREEMPTION, CLASS_FIRST };
// The bit of LockEffect.disables that a class of the CPU's state stands for.
static inline u32 cpu_bit(ClassId class) {
    static const u32 bits[CLASS_FIRST] = {0, DISABLES_INTERRUPTS, DISABLES_SOFTIRQS, DISABLES_PREEMPTION};
    return class < CLASS_FIRST ? bits[class] : 0;
}
#define CLASS_BASES 3 // words for one lock: a global's, by the whole's type, by the type it is in
typedef struct {
    NameId name;            // as users read it
    u8 kind;                // LockKind, of the first operation seen; LOCK_KINDS: none yet
    bool global;            // one object, not one per instance of a type
    bool local;             // on some function's stack
    bool parameter;         // whatever a parameter points to: bound at the call
    bool recursive;         // may be taken again by its holder
    bool vague;             // whatever some pointer to a lock points to
    bool scheduling;        // a semaphore that signals: makes no dependency
    bool lets_go;           // released while its holder sleeps
    bool sleepless;         // its holder must not sleep, although it does not spin
    bool thread;            // no lock: a thread that may run
    ClassId left_by;        // of a thread: no thread itself, but what this one had started when it ended; 0: itself
    ClassId leaves;         // of a thread: that class, if it starts any; 0: it does not
    u8 param;               // of `parameter` classes: which one
    RecordId record;        // of a member: the type it is in; NO_ID: none
    RecordId inner;         // the innermost type the lock is a member of; NO_ID: none
    NameId inner_member;    // its name there
    ClassId base;           // the same lock by the type it is in, not by what that is a member of, or global; 0: none
    u32 acquires, releases; // operations seen in the text
    u32 downs, paired, spurious; // sites that take it; that let it go held; that let it go not held
    double z;                    // of a semaphore: how far from a lock it behaves
} LockClass;

// lock_alias.c: a member that holds a pointer to one and the same lock, wherever it is stored.
#define ALIAS_STEPS 4 // on the way from what has the member to the lock; a longer one is not followed
typedef struct {
    ClassId class;          // of the lock; 0: not known
    bool several;           // stores disagree on the way
    u8 count;               // steps of the way; 0: not known
    u32 steps[ALIAS_STEPS]; // as in Path.step
} LockAlias;

// skeleton.c --------------------------------------------------------------------
// A function with only what concerns locks left in: lock operations, calls, what branches test.
typedef enum {
    STEP_LOCK,     // call of a declared lock function: effects
    STEP_CALL,     // a call; effect: 1 + RecordId its first argument points to; source: 1 + Analysis.accesses when it
                   // counts as data
    STEP_SET,      // a tracked variable changes; effect: the ValueId it has; with COMPARES_CHOICE: Skeleton.choices
    STEP_STORE,    // something else that is tested changes: expr; result: the NameId of the member or global; effect,
                   // source: as above
    STEP_BLOCK,    // call of a declared function that may block
    STEP_JOIN,     // call of a declared function that waits for something to end
    STEP_ACCESS,   // effect, effect_count: Analysis.accesses
    STEP_ALLOC,    // call that gives fresh memory
    STEP_PUBLISH,  // a pointer (args[arg]) is stored where others can find it; mask: in a member of a local, where they
                   // can not; effect: the keeper, plus 1; source: lists.c judges it
    STEP_SPAWN,    // call that starts something: effect: Analysis.spawns
    STEP_SIGNAL,   // order by signals: mask: SIGNAL_…; effect: ClassId; discard: VALUE_… of the result when it was
                   // signalled
    STEP_FOLLOWED, // a tracked pointer was followed: expr: it is not null
    STEP_ENDED,    // threads have ended: effect, effect_count: Analysis.ended
} SkeletonStepKind;
typedef struct {
    u8 kind;    // SkeletonStepKind
    u8 mask;    // STEP_CALL: CALL_…
    u8 discard; // the call's result is not used; STEP_SET: COMPARES_… of `source` with zero
    u8 cleanup;
    u32 call;                 // Program.calls, or NO_ID
    ExprId expr;              // the call; STEP_SET: the variable
    ExprId source;            // STEP_SET: expression whose value it takes, or 0
    u32 arg, arg_count;       // Skeleton.args
    u32 effect, effect_count; // STEP_LOCK: Analysis.operations; STEP_JOIN: the object's class; others: see their kind
    u32 result;               // var the result is stored to next, or NO_ID
    Place place;
} SkeletonStep;
enum { SIGNAL_POST, SIGNAL_WAIT, SIGNAL_MEET };
enum { CALL_PLAIN, CALL_DECLARED };                // whether the callee may sleep is declared, and this call does not
enum { RAISED_SUCCESSOR = 3, RAISED_OR_ZERO = 4 }; // on the other successor the flag is zero, and nothing else
enum { COMPARES_NOT, COMPARES_EQUAL, COMPARES_UNEQUAL, COMPARES_CHOICE };
typedef struct {
    u32 step, step_count;
    u8 term;            // TermKind
    u8 raised;          // branch: 1 + the successor on which the flag is not zero; RAISED_OR_ZERO
    u8 return_compares; // TERM_RETURN: COMPARES_… of what is returned
    bool once;          // its subject is a place that is tested here only: worth keeping when it decides about locks
    u32 loop;       // branch: ClassId << 2 | LOOP_…: each round of the loop it heads takes, or lets go of, that class
    ValueId yes;    // branch: values of the subject that take the first successor
    ValueId no;     // branch: values that take the second
    ExprId subject; // tracked expression, or 0; of a switch: behind its successors are the ValueIds that take them
    ExprId same_call;     // an earlier call with the same arguments, whose answer is this one's; 0: none
    ExprId condition;     // the condition itself, when it is tested more than once; its value is 0 or positive
    ObjectId flag;        // branch: shared data that it tests; 0: none, or not against zero
    ObjectId counted;     // branch: likewise, or that it tests a copy of, or what is left after counting down
    ValueId return_value; // TERM_RETURN: what is known of the value
    ExprId return_source; // TERM_RETURN: tracked expression that is returned
    PathValue returned;   // TERM_RETURN: the place the value is
    u32 successor, successor_count; // in Skeleton.successors
    Place place;
} SkeletonBlock;
enum { LOOP_SECOND = 1, LOOP_TAKES = 2 }; // the loop is the second successor; it takes
typedef struct {
    u32 from, to; // blocks: leaving a loop with joins in it
    u32 step;     // the STEP_ENDED
} LoopExit;
// A variable, member or global in a tracked expression: writing it makes what was known forgotten.
typedef struct {
    ExprId expr;     // tracked
    u32 kind;        // MENTIONS_…
    u32 id;          // the var, or the NameId of a member or global
    ObjectId object; // what that is; 0: not known
} Mention;
enum { MENTIONS_VAR, MENTIONS_NAME, MENTIONS_ANY }; // any: there were too many
// `of & bits`, tracked itself.
typedef struct {
    ExprId expr, of;
    i64 bits;
} Masked;
// `condition ? CONSTANT : CONSTANT`: values of what is tested, and what is chosen then.
typedef struct {
    ValueId yes, no, first, second;
} ChoiceValue;
// A tracked expression that callers or callees can name, too (deciding.c).
typedef struct {
    ExprId expr;     // VIRTUAL_EXPR and on: it is only handed on
    PathId path;     // of a parameter: whose value it is
    ObjectId object; // 0: not known
    u8 flags;        // PLACE_…
} TestedPlace;
enum {
    PLACE_WANTED = 1,   // what callers know of it decides what is done with locks
    PLACE_TOLD = 2,     // what it is at the end tells callers what was done
    PLACE_VALUE = 4,    // a parameter that is never written
    PLACE_ASKED = 8,    // a callee wants it, or tells
    PLACE_POINTER = 16, // a parameter that is a pointer: worth telling only that there is none
};
#define VIRTUAL_EXPR 0x8000000u
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
    Mention *mentions;
    u32 mention_count;
    Masked *masked;
    u32 masked_count;
    ChoiceValue *choices;
    TestedPlace *places;
    u32 place_count;
    ExprId
        split[2]; // locals with constants in them that decide what callees do: states that differ stay apart; 0: none
    u32 *tested;  // pairs: parameter, the expression that branches test
    u32 tested_count;
    PathId returns_place; // it returns the address of this global; 0: it does not
    u32 fixed;            // bit n: parameter n is never written
    u32 code;             // bit n: parameter n is called, or handed on
    u32 data;             // bit n: what parameter n points to is accessed, or handed on
    u32 publishes;        // bit n: what parameter n points to may be found by others afterwards
    u32 gives;            // bit n: stores a pointer where parameter n points to
    u32 gives_shared;     // likewise, and it may be one that others have
    bool returns_fresh;   // what it returns nobody else has seen, or finds any more
    bool returns_taken;   // the latter
    LoopExit *exits;
    u32 exit_count;
} Skeleton;
typedef struct {
    Body body; // decoded into again and again
} SkeletonBuilder;

typedef struct {
    const LockEffect *effect;
    ClassId class; // 0: none; a `parameter` class is bound on entry
    PathId path;
} LockOperation;

// wrappers.c: a function that does nothing but one lock operation. Its effects are those of a declared lock function.
typedef struct {
    const LockEffect *effects;
    u32 count;
    RecordId owner; // of LockEffect.member: the type it is a member of; NO_ID: that of what is handed over
    RecordId seen;  // likewise, as the wrapper sees it: for callers who do not know what they hand over
    ClassId class;  // of an effect without an argument: the lock, a global; 0: as the effect says
    PathId path;
} LockWrapper;

typedef struct {
    bool known;      // filled
    u8 param;        // as Access.param
    ObjectId object; // as Access.object
    PathId path;
    u32 pointed, pointed_count; // Build.pointed: the objects, when they are known by the pointer only
    ObjectId life;              // the allocated memory that it is a member of, when that is ever freed; 0: none
    u32 hops;                   // as Access.hops
} AccessMemo;

// threads.c ---------------------------------------------------------------------
// A call that starts a handler. A thread that may run is kept in the lockset like a lock, from its start to its join:
// what is done without it in the set is done before it started, or after it ended.
typedef struct {
    FunctionId function;
    ExprId call;
    const CallFact *fact;
    u64 handle;                 // what it is joined by: a hash of the place, 0 when not known
    PathId place;               // that place
    NameId member;              // likewise, the last member on the way; 0: a variable
    ClassId class;              // of a thread: "thread f"; 0: not a thread, or not followed
    u32 variant, variant_count; // Analysis.variants: what it may run, where the function around it is told
    u32 told;                   // 1 + the parameter that tells it; 0: any that is given such a function
} Spawn;
// What a call that starts threads for others was told to run: a thread of its own.
typedef struct {
    FunctionId runs;
    ClassId class;
} SpawnVariant;
// A call that has a helper start a thread.
typedef struct {
    u32 spawn;       // Analysis.spawns
    FunctionId runs; // what it is told to run
    u64 handle;      // what the caller knows it by
    NameId member;   // likewise
} Launch;
// A thread that some node starts.
typedef struct {
    u32 spawn;      // Analysis.spawns
    u32 node;       // that it begins in
    u32 from;       // node that starts it
    ClassId class;  // what it is called in locksets
    LocksetId held; // locks of which there is one each, that its starter surely holds then
    u32 root;       // Analysis.roots; filled by started.c
} SpawnRoot;

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

// A call that makes a lock, or an attribute that locks are made with.
typedef struct {
    FunctionId function;
    ClassId class, like; // of the lock; of the attribute it is made like (0: of none)
    PathId path, like_path;
    bool recursive; // the call itself says so
    u8 count;       // VALUE_… of a semaphore's count
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
    u8 kind;  // NoteKind
    u8 flags; // NOTE_DOUBLE: 1: taken twice in one function, with nothing let go between
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
    bool no_races, no_unlockset, no_correlation, no_release_on_block, no_semaphores, no_return_classes, no_gates,
        no_selection;
    u32 lockset_limit;        // entries per function; 0: 100
    u32 wide;                 // members of more bits are not written in one piece
    double p0;                // share of protected accesses that makes no belief
    u32 race_mode;            // RACES_…
    u32 engine;               // ENGINE_…
    u32 jobs;                 // threads; 0: one
    struct RelayTable *relay; // with ENGINE_SUMMARIES: filled with every warning and the reason against it; NULL: not
} AnalysisOptions;

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
    u32 slot;   // the way starts at a slot entry: 1 + the example of a call (edge_…); 0: at a root
    u32 marked; // the nearest on the way, itself included, of which a rule speaks, or whose file has rivals; plus 1
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
typedef struct {
    ObjectId object;
    u32 access;           // Analysis.accesses
    LocksetId protection; // in Analysis.protections
    u32 way;              // Analysis.way_contexts: the first it was met on
    u16 root;
    u8 unsure;       // a lock was dropped by the unlockset correction
    u8 bound;        // BOUND_…: what is known of the object from who called
    LocksetId alive; // threads that may run; in Analysis.locksets
    PathId list;     // the list that the object was found in; 0: not known
} Sample;

// products ------------------------------------------------------------------------
// What each room makes, in the order it is made: one pass, or a few, fill a product, all later ones only read it (but
// for words, objects and copies of nodes, which grow). A product is freed by one function of its own; those that two
// threads let grow at the same time can be forked. In the Analysis a product has a name, and its fields are at hand.

// words.c: what things are called, made as passes meet them: grows until the end.
typedef struct Words {
    PathTable paths;
    Array(LockClass) classes;
    Map class_by_name;
    Map class_by_path;           // PathId of a lock in a global -> its class
    ClassId parameter_class[32]; // by parameter: the class of what it points to; 0: none yet
    LocksetTable locksets;
    ValueTable values;
} Words;

// access.c: what is accessed; the race checks add to it.
typedef struct ObjectTable {
    Array(SharedObject) objects;
    Map object_index;
    Map local_names; // (function, var) -> NameId, of objects that are locals
} ObjectTable;

// An enumerator, whatever file has it.
typedef struct {
    i64 value;
    bool vague; // others of this name have other values
} ConstantValue;

// facts.c: bodies reduced to what concerns locks and accesses. requires: Program. Filled before the walk.
typedef struct Facts {
    Array(LockOperation) operations;
    u32 watched; // assertions that a lock is held, or not, for a thousand acquisitions: its users look for mistakes
    Array(Access) accesses;
    Array(Handed) handed;
    Array(Keeper) keepers;
    Map keeper_index;
    Array(Hop) hops; // [0]: the root itself
    Map hop_index;
    Array(KeptParameter) kept_parameters;
    Array(KeptParameter) out_parameters; // likewise what is stored through one; keeper: all places of a type
    Array(Spawn) spawns;
    Array(SpawnVariant) variants;
    Array(Launch) launches;
    Map chosen_locks; // (function, var): it points to one of several objects, chosen together with their locks
    Array(Beginning) begun;
    Map beginnings;  // (function, var) -> Analysis.begun
    U32Array ended;  // runs of ClassIds
    Map spawned;     // (function, call) -> first registration + 1
    Map made;        // (function, var or HEAP_VAR | call) -> 1 + RecordId: what a local, or an allocation, is
    Map lock_types;  // (file, type) -> 1: no lock, 2: a lock
    u32 *wrapper_of; // by function: 0 not asked yet, 1 no wrapper, else Facts.wrappers, plus 2
    Array(LockWrapper *) wrappers;
    u32 *lock_parameters; // by function: bit n: parameter n is a lock; the highest: the others were worked out
    u8 *passes;           // by function: 0 not asked yet, 1 nothing, else the parameter that it gives back, plus 2
    u64 *programs;        // by function: a bit for each main that reaches it, in program_words words
    u32 program_words;
    u8 *lone;             // by function: a main, one of several, that starts nothing beside itself; NULL: none
    u8 *started_as;       // by function: some call that is followed starts it as a thread
    bool binds_data;      // small enough to tell callers apart by what they hand over
    bool follows_threads; // a program with a main: threads have a beginning and an end
    Skeleton *skeletons;  // by function
    Arena arena;
    U32Array critical_only, critical_first, critical_last; // by object: times it was so in a critical section
    U32Array
        *touched; // by function: classes that it or what is near below it operates on; NO_ID: any, they are too many
    Array(Started) started;
    Array(QueueMade) queues;
    Array(Queued) queued;
    u32 *queue_of;        // by handler of work: name of the ordered queue that all of it goes to, as a class; 0: none
    U32Array handle_sets; // a set is the index of its count; its names, as classes, follow
    Array(HandleParameter) handle_parameters;
    Map handle_index; // ClassId of such a name -> handle_parameters, + 1
    Array(LockInit) inits;
    Array(LockMaker) makers;
    Map held_blocks; // likewise: where it is held on every way
    Array(LockAlias) aliases;
    Map alias_index;       // (record, member) -> aliases, + 1
    U32Array alias_makers; // pairs: function, class of a lock that it stores a pointer to
    U32Array *releases;    // by function: classes held on entry that it may let go
    U32Array *leaves;      // by function: classes that it takes and may leave held
    Map release_blocks;    // (function, class) -> bits per block, + 1
    Array(u64 *) release_bits;
    Map caller_releases; // (function, class) -> 1 no, 2 yes
    Map constants;       // NameId of an enumerator -> constant_values, + 1
    Array(ConstantValue) constant_values;
    U32Array *writes; // by function: objects that some function tests and this one, or what is near below it, writes
} Facts;

// walk.c: functions as they were entered, and the calls between them. Copies with chains for reports are added.
typedef struct NodeTable {
    Array(Node) nodes;
    u32 walked_nodes;         // of them: made by the walk; the others are copies with chains for reports
    U32Array edge_pairs;      // caller, callee
    Array(Place) edge_places; // of the calls
    Array(u8) edge_costs;     // how unsure they are: 1, and more for calls with several targets
    U32Array edge_ambient; // by call between nodes: LocksetId of the locks that did not go along, in the callee's words
    Array(const SkeletonStep *) edge_steps; // the call; NULL: a copy made for a report
} NodeTable;

// walk.c: what was met in them: acquisitions, releases, accesses, sleeps, waits, exits. requires: Facts.
typedef struct Events {
    Map node_index;
    U32Array bindings; // runs: count, then (BIND_… << 8 | parameter, value)…
    Map binding_index;
    u16 *entries;   // by function: locksets it was entered with
    Map node_edges; // (caller node, callee node) seen
    U32Array entry_sites;
    Array(NodeAccess) node_accesses; // by node, in the order they were walked
    Array(StackObject) stack;
    Map stack_index;
    Array(SpawnRoot) spawn_roots;
    Map spawn_root_index;
    U32Array coalive; // pairs: class of a thread that may run, class of one that is started then
    Map coalive_index;
    Map single_nodes; // nodes of threads: never two at a time that are given the same
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
} Events;

// context.c: where control came from, on each way to a node. requires: Events.
typedef struct WayTable {
    U32Array spawners;      // roots that start a thread, in runs by Root
    U32Array above;         // all roots above a thread, in runs by Root
    u8 *ruled;              // by function: never_parallel speaks of it; NULL: of none
    u32 ways_most;          // ways kept for a node
    Array(SlotEntry) slots; // in the order they were met
    U32Array slot_of;       // by function: its slot entry, plus 1; empty: threads are followed
    U32Array context_first; // by node: its first WayContext, plus 1
    u32 way_nodes;          // so many nodes: those made later are copies
    Array(WayContext) way_contexts;
    Array(Root) roots;
    U32Array root_of; // by function: root, plus 1
    Map runs;         // (function a thread begins in, function it was told to run) -> root
} WayTable;

// sample.c: accesses with what protected them. requires: Events, WayTable.
typedef struct SampleTable {
    Array(Sample) samples; // sorted by object, then by place
    LocksetTable protections;
    Map usual; // (file, class) -> functions of the file that hold it somewhere; class 0: all that have samples
    Map *asked_counts, *asked_last; // seen.c: answers that were given before
    Map makes;                      // (function, class): it makes the lock
    U32Array caller_first;          // by function: its calls in caller_calls
    U32Array caller_calls;          // indices of edge_…
    Map called;                     // (function, class) -> callers with it << 16 | without
} SampleTable;

// order.c, ambient.c: what every way holds, what kinds of root reach what. requires: Events.
typedef struct ContextTable {
    LocksetId *node_must; // by node: ambient locks that every way to it holds; NO_ID: no way yet
    u32 *contexts;        // by function: 1 << CONTEXT_… of the roots that reach it
    u32 *node_contexts;   // by node, likewise; bit 31: some root of unknown context
} ContextTable;

#define PRODUCT(type, name)                                                                                            \
    union {                                                                                                            \
        type name;                                                                                                     \
        struct type;                                                                                                   \
    }
typedef struct Analysis {
    Program *program;
    const Declarations *declarations;
    AnalysisOptions options;
    PRODUCT(Words, words);
    PRODUCT(ObjectTable, shared);
    PRODUCT(Facts, facts);
    PRODUCT(NodeTable, graph);
    PRODUCT(Events, events);
    PRODUCT(WayTable, ways);
    PRODUCT(SampleTable, sampled);
    PRODUCT(ContextTable, judged);
    const struct Summaries *summaries; // summary/: NULL: none were wanted
    AnalysisStats stats;
} Analysis;
#define CONTEXT_OTHER (1u << 31)
void words_fork(Words *self); // words.c: tables of its own from here on
void words_free(Words *self);
void object_table_free(ObjectTable *self);
void facts_free(Facts *self, u32 function_count);
void node_table_fork(NodeTable *self); // events.c
void node_table_free(NodeTable *self);
void events_free(Events *self);
void way_table_free(WayTable *self); // judged.c
void sample_table_free(SampleTable *self);
void context_table_free(ContextTable *self);

// Do two words for a lock mean the same one, as far as types go?
static inline bool class_covers(const Analysis *self, ClassId by_type, ClassId class) {
    for (u32 depth = 0; by_type && class && depth < CLASS_BASES; depth++, class = self->classes.items[class].base)
        if (by_type == class)
            return true;
    return false;
}
bool global_is_own(const Analysis *self, GlobalId id); // access.c: has every thread or processor a copy?
ObjectId object_intern(Analysis *self, SharedObject object);
void shared_object_name(const Analysis *self, ObjectId id, Buffer *out);
ClassId class_intern(Analysis *self, NameId name, bool global);
ClassId class_of_global(Analysis *self, GlobalId global, NameId member); // lock_class.c: of a lock that is one object
void skeleton_build(Analysis *self, SkeletonBuilder *scratch, FunctionId function);
void fill_bases(Analysis *self);        // lock_class.c: fills: LockClass.base of all classes so far
void fill_lock_aliases(Analysis *self); // lock_alias.c: requires Program.points, lock_stores. fills: aliases
void fill_recursive(Analysis *self);    // recursive.c; requires: skeletons. fills: LockClass.recursive of locks made so
// wait_names.c: the set of names (0: none) of what a call's argument, or result, is; all names of a set, callers' too.
u32 handle_of(Analysis *self, const BodyScope *scope, const ExprId *alias, ExprId call, i32 argument);
u32 handle_names(Analysis *self, u32 set, u32 *out, u32 most);
void fill_constants(Analysis *self); // deciding.c: fills: constants
bool constant_named(const Analysis *self, FileId file, NameId name, i64 *out);
// deciding.c: requires skeletons, releases. fills: which conditions decide about locks (places, split), writes
void fill_deciding(Analysis *self);
const TestedPlace *place_by_path(const Skeleton *skeleton, PathId path); // NULL: none
const TestedPlace *place_by_expr(const Skeleton *skeleton, ExprId expr); // NULL: none
// A callee's path in the words of the caller; 0: none. A parameter's value has none.
PathId path_of_caller(Analysis *self, const Skeleton *caller, const SkeletonStep *call, PathId path);
void fill_relevance(Analysis *self);
// launches.c: what a handle is known by, wherever it is written: root and members, without indices.
u64 thread_handle(const PathTable *paths, FunctionId function, PathId path, NameId *member);
void fill_variants(Analysis *self, Spawn *spawn, u32 first); // `first`: its first registration
void fill_launches(Analysis *self);
void fill_watched(Analysis *self); // watched.c: requires skeletons. fills: watched
void fill_queues(Analysis *self);  // queues.c: requires skeletons. fills: queue_of
void fill_threads(Analysis *self); // threads.c: requires skeletons. fills: classes of spawns, what ends, loop exits
// keepers.c: requires fresh.c. fills: keepers
void fill_keepers(Analysis *self);
// A pointer was stored in a keeper: what a parameter is (NO_ID: none), fresh or not; listed: lists.c judges it.
void keeper_stores(Analysis *self, u32 keeper, FunctionId function, u32 param, bool fresh, bool listed);
// lists.c: the head that a pointer at this place was reached from, and the list that a head belongs to; 0: not known.
PathId head_of(const Analysis *self, FunctionId function, PathId place, u32 hops, RecordId record);
PathId list_at(const PathTable *paths, PathId head);
bool is_in_one_list(const Analysis *self, RecordId record); // keepers.c: is every object of the type?
// Is what is taken off this keeper nobody else's? `links`: members of it, pointers to its like, that the function
// touches.
bool keeper_lets_go(const Analysis *self, u32 keeper, u32 links);
bool hops_are_clean(const Analysis *self, u32 hops); // do they keep only what was made for them?
u32 hops_from_own(const Analysis *self, PathId root,
                  u32 hops); // likewise, from thread-local storage: OWN_…; 0: no
bool argument_is_each(const Analysis *self, FunctionId function, u32 call,
                      const ArgumentValue *argument); // another object each time
void fill_fresh(
    Analysis *self); // fresh.c: requires skeletons. fills: publishes, returns_fresh, fresh of accesses and arguments
void fill_handed(Analysis *self);   // handed.c: requires skeletons. fills: flags of what calls hand over
void fill_releases(Analysis *self); // unlockset.c
void fill_kept(Analysis *self);     // kept_pointers.c: requires releases. fills: ACCESSED_KEPT
// What one step, by itself or by a callee, may do to a class: 1 lets it go, 2 takes it, 0 neither.
u32 step_effect(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class);
// A callee's word for a lock in the caller's; 0: nothing the caller can name.
ClassId caller_class(const Analysis *self, const Skeleton *skeleton, const SkeletonStep *step, ClassId class);
// Can a release of `class` still be reached from after this step?
bool releases_later(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class);
// Has every way from the function's beginning to here taken the class, and not let it go?
bool held_anyway(Analysis *self, FunctionId function, u32 block, u32 step, ClassId class);
bool releases_in_callers(Analysis *self, FunctionId function, ClassId class);
bool releases_inside(const Analysis *self, FunctionId function, ClassId class); // somewhere, itself or by a callee
// Does a caller, or one above it, let go what the function came back with, and did not take it itself?
bool released_by_callers(Analysis *self, FunctionId function, ClassId class);
#define FAN_OUT_NARROW 4
void fill_touched(Analysis *self); // ambient.c
// Is it near certain whom it calls? What far targets of wide calls do to a caller's locks is not believed.
static inline bool call_is_narrow(const CallSite *site) {
    return !site->indirect || (site->target_count <= FAN_OUT_NARROW && !site->guessed && !site->cut);
}
bool touches(const Analysis *self, FunctionId function, ClassId class);
ClassId touched_as(const Analysis *self, FunctionId function, ClassId class); // by which word for it; 0: it is not
void ambient_put(Analysis *self, const Held *held, u32 caller, u32 callee, LocksetId sure, Place place, u8 cost);
void acquisition_put(Analysis *self, u32 node, u32 site, ClassId class, LocksetId held, u16 flags, bool sleeps);
void order_ambient(Analysis *self); // fills: edges for ambient locks
void order_holders(
    Analysis *self); // ambient.c: requires order_ambient. fills: more witnesses of orders that contradict each other
void note_sleeps(Analysis *self); // sleeps.c: requires the walk. fills: notes of sleeping below a call
// The lock to blame for sleeping with these held: spinning ones before the CPU's state, the last one taken.
bool innermost_atomic(const Analysis *self, u32 node, LocksetId set, Held *out);
void fill_must(Analysis *self);                                   // fills: node_must
LocksetId lockset_join(Analysis *self, LocksetId a, LocksetId b); // the locks of both
void edge_put(Analysis *self, ClassId from, ClassId to, Witness witness);
void walk(Analysis *self);
PathId path_into_callee(Analysis *self, const Skeleton *caller, const SkeletonStep *call,
                        PathId path);                                      // 0: no parameter reaches it
bool has_lock_parameters(Analysis *self, FunctionId function);             // lock_parameters.c
bool is_lock_argument(Analysis *self, const CallSite *site, u32 argument); // lock_parameters.c; from 0
const LockWrapper *lock_wrapper(Analysis *self, const CallSite *site);     // wrappers.c; NULL: none
bool call_only_looks(Analysis *self, const CallSite *site); // passes.c: nothing that others could see happens there
bool is_lock_wrapper(const Analysis *self, FunctionId function); // some call of it was read as an operation
bool is_kernel(const Program *program);                          // mains.c
bool is_registered(const Program *program, FunctionId handler);
void fill_programs(Analysis *self); // mains.c: fills: programs
bool share_program(const Analysis *self, FunctionId f, FunctionId g, bool *known);
bool is_slot_call(const Analysis *self, u32 edge); // walk/slots.c: through a table, by somebody who counts
void fill_slots(Analysis *self); // check/slots.c: requires the walk. fills: sets and contexts of slots
LocksetId way_into(Analysis *self, u32 edge, LocksetId set); // context.c: the caller's way in the callee's words
u32 root_category(const Analysis *self,
                  FunctionId function); // context.c: CONTEXT_… it counts as where roots are not told apart
FunctionId told_to_run(const Analysis *self,
                       u32 node);           // context.c: what a thread that begins there was told; NO_ID: nothing
u32 root_of_node(Analysis *self, u32 node); // context.c
void fill_started(Analysis *self); // started.c: requires ways. fills: who starts which threads, beside which others
bool is_alive(const Analysis *self, LocksetId alive, u32 root); // started.c: may the thread run, with these in the set?
void fill_ways(Analysis *self);    // context.c: requires the walk. fills: roots, way_contexts
void fill_samples(Analysis *self); // sample.c: requires ways. fills: samples
// talks.c: what a function does beside what it computes: nothing, one register of a device is written, or more.
typedef enum { TALK_LOOKS = 1, TALK_POKES, TALK_ACTS } Talk;
Talk talk_of_call(const Analysis *self, const SkeletonStep *step, Map *known); // `known`: by function, so far
void fill_critical(Analysis *self); // critical.c: requires skeletons. fills: critical_…
bool may_run_together(const Analysis *self, const Sample *a, const Sample *b, bool *proven); // parallel.c
void fill_created(Analysis *self); // creation.c: requires started threads. fills: Root.begun_under, kept_under
// creation.c: does a lock that a thread was started under keep two accesses apart?
bool creation_keeps_apart(const Analysis *self, const Sample *a, const Sample *b);
// seen.c: does the way of a sample go on only because it has seen under a lock that nobody uses the object any more?
bool is_last_user(const Analysis *self, const Sample *sample);
bool has_said_done(const Analysis *self, const Note *note, FunctionId handler, ClassId lock); // needs it no more
bool may_threads_meet(const Analysis *self, const Sample *a,
                      const Sample *b);                     // parallel.c: only root, way and alive count
void find_races(Analysis *self, FindingList *out);          // races.c
void classify_semaphores(Analysis *self, FindingList *out); // semaphore.c
// How improbable these counts are for a lock, given what spin locks do: the lower of the two z.
double semaphore_z(u32 downs, u32 paired, u32 spurious, const SemaphoreBaseline *baseline);
SemaphoreBaseline semaphore_baseline(u64 downs, u64 paired, u64 spurious); // from the counts of all spin locks
#define SEMAPHORE_IMPROBABLE (-3.0)                                        // under it a semaphore signals
u32 lock_site(const Analysis *self, u32 node,
              const Held *held);    // where a lock held in a node was taken; NO_ID: not known
void fill_contexts(Analysis *self); // order.c
bool edge_is_usable(const Analysis *self, const OrderEdge *edge); // not of a semaphore that signals
u32 best_witness(const Analysis *self, const OrderEdge *edge);    // the shallowest; equals by name
void list_orders(Analysis *self, FindingList *out); // order_table.c: requires edges. fills: FindingList.orders
// Adds the chain of first calls that led to a node, and a site with what was held.
Site *finding_put_site(Analysis *self, FindingList *list, Finding *finding, SiteRole role, u32 node, u32 lock_site,
                       LocksetId held);
void finding_put_marks(FindingList *list, Finding *finding, u32 marks, u32 uses); // words of MARK_… with these MARKS_…
const char *class_text(const Analysis *self, ClassId class);
void site_put_chain(Analysis *self, FindingList *list, Site *site, u32 node); // the chain of first calls to a node
void site_put_way(Analysis *self, FindingList *list, Site *site, u32 way);    // the calls of a way
// The calls of a way, and on from there those given (edge_…).
void site_put_way_on(Analysis *self, FindingList *list, Site *site, u32 way, const u32 *calls, u32 count);
u32 node_depth(const Analysis *self, u32 node);       // calls since the nearest root
FunctionId way_root(const Analysis *self, u32 way);   // where it starts
FunctionId node_root(const Analysis *self, u32 node); // where the chain of first calls starts
void find_deadlocks(Analysis *self, FindingList *out);
void find_others(Analysis *self, FindingList *out); // checks.c
// How far it is from where the lock of a note was taken to what happened.
void finding_put_distance(Analysis *self, FindingList *list, Finding *finding, const Note *note);
void find_unheld(Analysis *self, FindingList *out);        // unheld.c
void find_leaks(Analysis *self, FindingList *out);         // leaks.c
void find_interruptions(Analysis *self, FindingList *out); // interrupts.c
void find_waits(Analysis *self, FindingList *out);         // waits.c

u32 site_make(Analysis *self, FunctionId function, Place place); // a place that is no lock operation
double z_test(double good, double all, double share);

// What is at a boundary, as lines of text, of one function.
void path_text(const Analysis *self, PathId path, Buffer *out); // facts_text.c
void step_text(const Analysis *self, u32 step, Buffer *out);    // one member on the way
void lockset_text(const Analysis *self, LocksetId set, Buffer *out);
void access_text(const Analysis *self, const Access *access, Buffer *out);
void skeleton_text(const Analysis *self, FunctionId function, Buffer *out);
void events_text(const Analysis *self, FunctionId function, Buffer *out);  // walk/events_text.c
void samples_text(const Analysis *self, FunctionId function, Buffer *out); // check/samples_text.c

// inquire.c: what the analysis knows of one line; requires samples.
typedef struct {
    const char *file;   // as shown
    u32 line;           // from 1
    const char *object; // only what has this in its name; NULL: everything
} Question;
struct AnswerList;
void answer_question(Analysis *self, const Question *question, struct AnswerList *out);

// stale/: requires samples. fills: findings of facts that were true under a lock and are relied on after it.
void find_stale(Analysis *self, FindingList *out);

// race_thread.c: races are looked for beside deadlocks; both go by what the walk left.
typedef struct RaceThread RaceThread;
RaceThread *races_begin(const Analysis *analysis);
void races_end(RaceThread *self, Analysis *analysis, FindingList *out); // waits for it

// check/samples_text.c: each access of shared data that beliefs count, as they see it
typedef struct {
    const char *object, *file, *function;
    u32 line;
    bool writes, locked; // under some lock, which may be the wrong one
} SampleRow;
typedef void SampleVisit(void *context, const SampleRow *row); // sorted by object, then by place
void each_sample(const Analysis *self, SampleVisit *visit, void *context);

// analyse.c: the driver
void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats);
// Up to the samples only, and no findings: what is known of one line.
void inquire(Program *program, const AnalysisOptions *options, const Question *question, struct AnswerList *out,
             AnalysisStats *stats);
// Up to the samples likewise: what each room made of one function, as text.
enum { DUMP_SKELETON = 1, DUMP_EVENTS = 2, DUMP_SAMPLES = 4 };
void visit_samples(Program *program, const AnalysisOptions *options, SampleVisit *visit, void *context);
void dump_products(Program *program, const AnalysisOptions *options, FunctionId function, u32 wanted, Buffer *out);
// The facts and the summaries only: those of the given functions, as text.
void dump_summaries(Program *program, const AnalysisOptions *options, const U32Array *functions, Buffer *out,
                    AnalysisStats *stats);

#endif
