// bodies.h: what a body is reduced to: its accesses, lock operations and steps, and the threads it starts. Types only;
// analysis.h has who makes and who reads them.
#ifndef RACERX_FACTS_BODIES_H
#define RACERX_FACTS_BODIES_H

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
    u32 term;      // of a variable that may be an index: its STEP_TERM; 0: it is something else
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

// numbers.c: what the threads that begin in a function are given.
enum { NUMBER_UNKNOWN, NUMBER_OTHER, NUMBER_SAME };
typedef struct {
    u8 number;    // NUMBER_…: is it another number each time?
    bool each;    // it points to another object each time
    u64 key;      // of what is stored there; 0: not known
    u64 constant; // the number, if it is a constant
} GivenNumber;
// Numbers that are stored in a place: of one round, of the next, of the one after it.
typedef struct {
    u64 at[3];
    bool vague; // there are others
} StoredNumber;

// A number that a helper is handed.
typedef struct {
    u32 step; // STEP_OWNED, of an element by it; 0: none
    bool good, own, vague;
    ObjectId ticket;
    u64 at[3];
} PassedNumber;

#define NO_TOKENS (-1) // of LockInit.tokens

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
enum { CLASS_NONE, CLASS_INTERRUPTS, CLASS_SOFTIRQS, CLASS_PREEMPTION, CLASS_SIGNALS, CLASS_CHILD, CLASS_FIRST };
// The bit of LockEffect.disables that a class of the CPU's state stands for.
static inline u32 cpu_bit(ClassId class) {
    static const u32 bits[CLASS_FIRST] = {
        0, DISABLES_INTERRUPTS, DISABLES_SOFTIRQS, DISABLES_PREEMPTION, DISABLES_SIGNALS, DISABLES_PARENT};
    return class < CLASS_FIRST ? bits[class] : 0;
}
// Is it a state that keeps no other thread out?
static inline bool is_of_thread(ClassId class) {
    return class == CLASS_PREEMPTION || class == CLASS_SIGNALS || class == CLASS_CHILD;
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
    bool by_term;           // in an array: somebody takes the element that a variable chooses
    bool thread;            // no lock: a thread that may run
    ClassId left_by;        // of a thread: no thread itself, but what this one had started when it ended; 0: itself
    ClassId leaves;         // of a thread: that class, if it starts any; 0: it does not
    u8 param;               // of `parameter` classes: which one
    RecordId record;        // of a member: the type it is in; NO_ID: none
    RecordId inner;         // the innermost type the lock is a member of; NO_ID: none
    NameId inner_member;    // its name there
    ClassId base;           // the same lock by the type it is in, not by what that is a member of, or global; 0: none
    ClassId told;           // of one object, known by who calls: what the function itself calls it; 0: nothing else
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

// lock_records.c: a record that is nothing but a lock, known by where its handle is kept.
typedef struct {
    RecordId record; // of the handle
    RecordId inner;  // what is behind it, with the real lock; NO_ID: that is in the handle
    NameId inside;   // the member of the handle that leads there; 0: none
    NameId lock;     // the member that is the real lock
    bool dropped;    // it has a life of its own: none
} LockRecord;

// skeleton.c --------------------------------------------------------------------
// A function with only what concerns locks left in: lock operations, calls, what branches test.
typedef enum {
    STEP_LOCK,    // call of a declared lock function: effects
    STEP_CALL,    // a call; effect: 1 + RecordId its first argument points to; source: 1 + Analysis.accesses when it
                  // counts as data
    STEP_SET,     // a tracked variable changes; effect: the ValueId it has; with COMPARES_CHOICE: Skeleton.choices
    STEP_STORE,   // something else that is tested changes: expr; result: the NameId of the member or global; effect,
                  // source: as above
    STEP_BLOCK,   // call of a declared function that may block
    STEP_JOIN,    // call of a declared function that waits for something to end
    STEP_ACCESS,  // effect, effect_count: Analysis.accesses
    STEP_ALLOC,   // call that gives fresh memory
    STEP_PUBLISH, // a pointer (args[arg]) is stored where others can find it; mask: in a member of a local, where they
                  // can not; effect: the keeper, plus 1; source: lists.c judges it; with `discard`, VALUE_…, only where
                  // the call `result` returns so
    STEP_SPAWN,    // call that starts something: effect: Analysis.spawns
    STEP_SIGNAL,   // order by signals: mask: SIGNAL_…; effect: ClassId; discard: VALUE_… of the result when it was
                   // signalled
    STEP_FOLLOWED, // a tracked pointer was followed: expr: it is not null
    STEP_ENDED,    // threads have ended: effect, effect_count: Analysis.ended
    STEP_FILL,     // call of a declared function that writes what its arguments (args) point to
} SkeletonStepKind;
typedef struct {
    u8 kind; // SkeletonStepKind
    u8 mask; // STEP_CALL: CALL_…; STEP_SET: the variable has no other value ever, and places that start from it are
             // named by that
    u8 discard; // the call's result is not used; STEP_SET: COMPARES_… of `source` with zero
    u8 cleanup;
    u32 call;                 // Program.calls, or NO_ID
    ExprId expr;              // the call; STEP_SET: the variable
    ExprId source;            // STEP_SET: expression whose value it takes, or 0
    u32 arg, arg_count;       // Skeleton.args; STEP_SET: the PathId of the place whose value it takes, or 0; none
    u32 effect, effect_count; // STEP_LOCK: Analysis.operations; STEP_JOIN: the object's class; others: see their kind
    u32 result;               // var the result is stored to next, or NO_ID
    Place place;
} SkeletonStep;
enum { SIGNAL_POST, SIGNAL_WAIT, SIGNAL_MEET, SIGNAL_WAKE, SIGNAL_SLEEP }; // the last two: a condition variable
enum { CALL_PLAIN, CALL_DECLARED };                // whether the callee may sleep is declared, and this call does not
enum { RAISED_SUCCESSOR = 3, RAISED_OR_ZERO = 4 }; // on the other successor the flag is zero, and nothing else
enum { COMPARES_NOT, COMPARES_EQUAL, COMPARES_UNEQUAL, COMPARES_CHOICE, COMPARES_COUNTED }; // COUNTED: it goes up
typedef struct {
    u32 step, step_count;
    u8 term;            // TermKind
    u8 raised;          // branch: 1 + the successor on which the flag is not zero; RAISED_OR_ZERO
    u8 return_compares; // TERM_RETURN: COMPARES_… of what is returned
    bool negated;       // `condition` is the opposite of its condition
    bool once;          // its subject is a place that is tested here only: worth keeping when it decides about locks
    bool idle;          // likewise, and it does not: the walk passes by its subject
    u32 loop;       // branch: ClassId << 2 | LOOP_…: each round of the loop it heads takes, or lets go of, that class
    ValueId yes;    // branch: values of the subject that take the first successor
    ValueId no;     // branch: values that take the second
    ExprId subject; // tracked expression, or 0; of a switch: behind its successors are the ValueIds that take them
    ExprId same_call;     // an earlier call with the same arguments, whose answer is this one's; 0: none
    ExprId condition;     // the condition itself, when it is tested more than once; its value is 0 or positive
    ObjectId flag;        // branch: shared data that it tests; 0: none, or not against zero
    PathId asked;         // branch: where the value is from that it tests against zero, by `raised`; 0: not known
    ObjectId state;       // branch: shared data, or a copy of it, that it compares with a constant; 0: none
    i32 state_value;      // that constant
    u8 state_on;          // 1 + the successor that says so
    bool state_least;     // it is at least that; else it is that
    ObjectId emptied;     // branch: shared data that was counted down to zero; 0: none
    bool counts_down;     // and it does so itself
    u8 emptied_on;        // 1 + the successor on which it is
    ObjectId counted;     // branch: likewise, or that it tests a copy of, or what is left after counting down
    ValueId return_value; // TERM_RETURN: what is known of the value
    ExprId return_source; // TERM_RETURN: tracked expression that is returned
    PathValue returned;   // TERM_RETURN: the place the value is
    u32 successor, successor_count; // in Skeleton.successors
    Place place;
} SkeletonBlock;
enum { LOOP_SECOND = 1, LOOP_TAKES = 2 }; // the loop is the second successor; it takes
typedef struct {
    u32 from, to; // blocks: leaving a loop with joins in it, or going around a join where no thread runs
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

// passes.c: a function that gives the address of a lock in what it is given: `return &w->priv->lock`.
typedef struct {
    PathId path; // from a parameter, as the function sees it
    ClassId class;
} Getter;

// wrappers.c: a function that does nothing but one lock operation. Its effects are those of a declared lock function.
typedef struct {
    const LockEffect *effects;
    u32 count;
    RecordId owner; // of LockEffect.member: the type it is a member of; NO_ID: that of what is handed over
    RecordId seen;  // likewise, as the wrapper sees it: for callers who do not know what they hand over
    ClassId class;  // of an effect without an argument: the lock, a global; 0: as the effect says
    PathId path;
    bool through; // the argument is the address of where the lock's own address is kept
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

#endif
