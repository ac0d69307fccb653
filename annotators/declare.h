// declare.h: what Lua said before extraction: lock tables and the words that shape
// how C is read. The boundary between annotators/ and the stages that use it.
// Filled once, then read-only and safe to ask from any thread.
//
// Scripts are layers: c, then the other presets, then the user's scripts in order. For each
// kind of fact the highest layer that says something of a name decides, and inside a layer
// an exact name decides before a pattern, and patterns decide in the order they were written.
#ifndef ANNOTATORS_DECLARE_H
#define ANNOTATORS_DECLARE_H

#include "base/base.h"

// What a name is declared to be; a name can be several.
enum {
    SAID_LOCK = 1 << 0,       // in the lock table (acquire, release, trylock, assert, wait …): never expanded
    SAID_KEEP = 1 << 1,       // a macro that is never expanded, and reads as an ordinary call or name
    SAID_ITERATOR = 1 << 2,   // heads a loop: NAME(args) statement
    SAID_ATTRIBUTE = 1 << 3,  // vanishes, with its parenthesised arguments if there are any; see Declared.mark
    SAID_LIKELY = 1 << 4,     // NAME(x, ...) has the value and truth of x
    SAID_CONTAINER = 1 << 5,  // NAME(ptr, type, member): the object around a member
    SAID_CONDITION = 1 << 6,  // NAME(CONFIG_X) in #if and in code: is X configured in (value: a fixed answer)
    SAID_DEFINITION = 1 << 7, // NAME(args) [;] or NAME(args) { body } defines something: see Definition
    SAID_UNDEFINED = 1 << 8,  // a preprocessor name taken as not defined although names are on by default
    SAID_DEFINED = 1 << 9,    // a preprocessor name with a value
    SAID_NORETURN = 1 << 10,  // a call that does not come back
    SAID_BLOCKS = 1 << 11,    // may sleep; CallFact.choice says when
    SAID_ALLOCATES = 1 << 12, // gives fresh memory: its result, or *argument
    SAID_REGISTERS = 1 << 13, // thread creation, timers, interrupt handlers …
    SAID_ATOMIC = 1 << 14,    // atomic operations and READ_ONCE-like accessors
    SAID_ACCESSOR = 1 << 15,  // with SAID_ATOMIC: the argument is the object itself, not a pointer to it
    SAID_PERCPU = 1 << 16,    // reaches one CPU's or one thread's own copy of its argument (or is such an object)
    SAID_FREES = 1 << 17,     // ends the life of what its argument points to
    SAID_JOINS = 1 << 18,     // waits for the end of something that was registered
    SAID_ASSERTS = 1 << 19,   // comes back only if its argument is true (CallFact.is_false: false)
    SAID_GUARD = 1 << 20, // takes a lock until the end of the scope; a kind of it that no effect speaks of is expanded
    SAID_LOCK_TYPE = 1 << 21, // the name of a type ("spinlock_t", "struct mutex") whose objects are locks
    SAID_OPAQUE = 1 << 25,    // is not looked into: nothing it does to locks and data is followed
    SAID_ACCESSES = 1 << 24,  // reads or writes what its argument points to, and does nothing else
    SAID_SIGNALS = 1 << 26,   // lets go on whoever waits for its argument (a completion, a semaphore that is no lock)
    SAID_AWAITS = 1 << 27,    // waits for such a call
    SAID_MEETS = 1 << 28,     // waits at its argument until all others are there (a barrier)
    SAID_QUEUES = 1 << 29,    // hands an item (argument) to a queue (object), which calls its handler
    SAID_ORDERED = 1u << 30,  // makes a queue that runs one item at a time (CallFact.is_false: several)
    SAID_MACRO = 1 << 22,     // a function-like macro: parameters and value; for names the tree does not define
    SAID_CONSTANT = 1 << 23,  // a name with a number for its value, where the file does not define it
};
// Wakes whoever sleeps on its argument, a condition variable (CallFact.is_false: sleeps there); orders nothing by
// itself.
#define SAID_WAKES (1u << 31)

// Text with $1 … $9 and $(10) … for the arguments, $* for all, $0 for the macro's own name,
// $(2*) for arguments from the second on; $pairs(2) for "type, name, type, name" from the
// second on turned into parameters ("void" when there are none); $$ for a dollar. Text next to
// an argument is pasted to it. No `;` at the end unless the macro is used without one: what follows the macro
// call (`;`, `= value;`, a body) follows the text, what stands before it (`static`) stays before it.
typedef struct {
    const char *text; // e.g. "long sys_$1($pairs(2))" before a body, or "struct mutex $1"
} Definition;

typedef struct {
    u32 said;               // SAID_…
    u32 iterator_variable;  // 1-based argument that is the loop variable; 0 = none
    const char *definition; // template, for SAID_DEFINITION
    const char *value; // for SAID_DEFINED, SAID_MACRO and SAID_CONSTANT; for SAID_CONDITION its fixed answer, or NULL
    const char *parameters; // for SAID_MACRO: "a, b, c"
    const char *type;       // of a kept name or of a kept call's result: "struct task *", or NULL when not said
    const char
        *states; // of an attribute behind a function's header: this call, with its arguments, begins the body; or NULL
    const char *closed_by; // of a kept name: NAME(f, x) has f(x) called where this one closes it; or NULL
    const char *mark;      // of an attribute: it stands for [[rx::mark("…")]] rather than for nothing; or NULL
} Declared;

typedef struct Declarations Declarations;

// Everything said of a name; {0} for nothing.
Declared declarations_look(const Declarations *self, const char *name, u32 length);
// The value of a name declared to be a constant; false when it is none.
bool declarations_constant(const Declarations *self, const char *name, u32 length, i64 *value);
// A key of everything that can change how files are read: part of every tree's environment.
// Scripts that differ in comments, or in facts that only later stages read, have the same key.
Key declarations_key(const Declarations *self);

// Where something was said, for messages of later stages.
typedef struct {
    const char *script; // preset's name or script's path
    u32 line;
} Origin;

// A fact that holds for calls with certain constants: `lockmgr(l, LK_SHARED)`. The argument is
// split at `|`; every word must be one of its terms (or none of them, when absent).
// Words that are names are SAID_KEEP, so that they are still there after expansion.
typedef struct {
    const char *text; // a name, a decimal number, or a pattern
    bool absent;      // written "!NAME"
    const void *code; // the compiled pattern, or NULL
} ChoiceWord;
typedef struct Choice {
    u32 argument;              // 1-based; 0: every call
    u32 word_count;            // at least 1 when there is an argument
    const ChoiceWord *words;   // all must agree
    const struct Choice *also; // of another argument, of effects of locks only; NULL: nothing
} Choice;
// Does a call with these terms of the chosen argument make the fact hold, as far as that argument goes? Terms are
// names, and numbers in decimal. An argument whose terms are not constants: ask with count 0.
bool choice_holds(const Choice *self, const char *const *terms, u32 count);

// locks -----------------------------------------------------------------------
typedef enum {
    EFFECT_ACQUIRE,     // held afterwards
    EFFECT_RELEASE,     // not held afterwards
    EFFECT_WAIT,        // let go while the call blocks; LOCK_RETAKES: taken back before it returns
    EFFECT_DOWNGRADE,   // exclusive becomes shared
    EFFECT_UPGRADE,     // shared becomes exclusive
    EFFECT_ASSERT,      // held here: a fact and a belief
    EFFECT_ASSERT_FREE, // not held here
    EFFECT_TEST,        // the result says whether it is held
    EFFECT_INIT,        // the object becomes a lock nobody holds (or counts `count_argument`)
    EFFECT_DESTROY,     // and ceases to be one
    EFFECT_SAVE,        // CPU state is saved in flags_argument, nothing changes
} EffectKind;
enum {
    DISABLES_INTERRUPTS = 1,
    DISABLES_SOFTIRQS = 2,
    DISABLES_PREEMPTION = 4,
    DISABLES_SIGNALS = 8, // of this thread
    DISABLES_PARENT = 16, // it is left: memory and threads are a process's own from now on
};
// What the analysis asks of a kind of lock (lock_kinds.def).
enum {
    TRAIT_SPINS = 1,     // its holder must not sleep, and a handler that waits for it waits for ever
    TRAIT_AWAKE = 2,     // who waits for it does not sleep
    TRAIT_SLEEPS = 4,    // who waits for it sleeps
    TRAIT_PARKS = 8,     // who waits for it is set aside, which is no sleep but lets go what sleeping lets go
    TRAIT_SIGNALS = 16,  // others than its holder may let it go: it may stand for an event
    TRAIT_READS = 32,    // keeps nobody out, and nobody waits for it: no order, no protection
    TRAIT_PINS = 64,     // its holder must not sleep, although nobody waits for it
    TRAIT_RETRIES = 128, // a reader only looks again when it was disturbed, and may go away without asking
    TRAIT_STORED = 512,  // what lets it go may as well set it up: letting it go unheld is no mistake
    TRAIT_LASTS = 1024,  // its holder never comes back from it, and nobody lets it go
    TRAIT_CLAIMS = 256,  // nobody says that it is a lock: what is left held, or let go unheld, is no mistake
};
#define LOCK_KIND(name, word, traits, disables, state, meaning) LOCK_##name,
typedef enum {
#include "annotators/lock_kinds.def"
    LOCK_KINDS // in LockClass.kind: not known yet
} LockKind;
#undef LOCK_KIND
typedef enum { MODE_ANY, MODE_EXCLUSIVE, MODE_SHARED } LockMode;
// A result that nobody looks at is taken as the one that makes the effect happen, unless LOCK_TRY.
typedef enum {
    RETURNS_ANY, // whatever the call returns
    RETURNS_ZERO,
    RETURNS_NONZERO,
    RETURNS_NULL,
    RETURNS_NONNULL,
    RETURNS_NEGATIVE,
    RETURNS_NONNEGATIVE,
} Returns;
enum {
    LOCK_TRY = 1,              // never waits: makes no dependency
    LOCK_TIMED = 2,            // waits a bounded time
    LOCK_RECURSIVE = 4,        // the holder may take it again (readers of a reader/writer lock, say)
    LOCK_RELEASE_ON_BLOCK = 8, // let go while the holder sleeps (CPU state: put back), taken back when it wakes
    LOCK_SCOPED = 16,          // released at the end of the scope of the call (EVENT_CLEANUP repeats the call)
    LOCK_RETAKES = 32,         // of EFFECT_WAIT
    LOCK_EVERYWHERE = 64,      // of interrupts: off on every CPU, so that no handler runs meanwhile
    LOCK_SLEEPLESS = 128,      // the holder must not sleep, although it does not spin
    LOCK_SURE = 256,           // only a broken program sees it fail: it always returns what success returns
};
enum {
    ARGUMENT_NONE = 0,
    ARGUMENT_RESULT = -1, // what the call returns
};
typedef struct {
    u8 kind;             // EffectKind
    u8 lock;             // LockKind
    u8 mode;             // LockMode
    u8 returns;          // Returns: the effect happens when the call returns this
    u8 fails;            // Returns: what it returns otherwise; RETURNS_ANY: anything else
    u32 flags;           // LOCK_…
    u32 disables;        // DISABLES_…: on acquiring; put back on releasing
    i32 argument;        // the lock, 1-based; ARGUMENT_RESULT; ARGUMENT_NONE: `global`. f(a)(b) counts on: b is 2
    const char *global;  // name of a lock that is no argument; for CPU state its LockKind's word
    const char *member;  // the lock is this member of what the argument points to, or NULL
    i32 flags_argument;  // CPU state is saved there on acquiring and restored from there on releasing
    i32 nested_argument; // a subclass: taking a second lock of the class is meant
    i32 count_argument;  // EFFECT_INIT: the semaphore's count
    i32 like_argument;   // EFFECT_INIT: it becomes recursive if the object this argument points to was made so; 0: none
    Choice choice;       // only for calls with these constants
    Origin origin;
} LockEffect;
// The effects of a call, in the order they were declared: 0 when the name is no lock function.
u32 declarations_effects(const Declarations *self, const char *name, u32 length, const LockEffect **effects);

// other functions ---------------------------------------------------------------
typedef enum {
    CONTEXT_NONE,
    CONTEXT_THREAD,
    CONTEXT_INTERRUPT,
    CONTEXT_SOFTIRQ,
    CONTEXT_TIMER,
    CONTEXT_WORK,
    CONTEXT_SYSCALL,
    CONTEXT_INIT,   // before there are threads, or once with nobody else about
    CONTEXT_EXIT,   // when everything else has ended
    CONTEXT_SIGNAL, // a signal handler of some thread
    CONTEXT_ONCE,   // called at most once, by whoever comes first; the others wait
    CONTEXT_CALL,   // called by this very call, before it returns
} Context;
enum { ACCESS_READ = 1, ACCESS_WRITE = 2 };
enum { COUNTS_NOT, COUNTS_UP, COUNTS_DOWN, COUNTS_UP_TO, COUNTS_DOWN_TO };
typedef struct {
    u32 said;      // the one SAID_… bit this fact is about
    i32 argument;  // registers: the handler; frees, joins, asserts, atomic, accesses, percpu: the object; allocates:
                   // where to
    i32 data;      // registers: the argument handed on to the handler, atomic: the one that is stored; 0 = none
    i32 parameter; // registers: which of the handler's parameters gets it
    i32 object;    // registers: what `joins` waits for (timer, work item, interrupt number)
    const char *global; // accesses: what the function keeps for itself between calls, by this name; NULL: nothing
    u8 context;         // Context, of registers and joins (CONTEXT_NONE in joins: whatever the object is)
    u8 access;          // ACCESS_…, of atomic and accesses
    u8 counts; // COUNTS_…, of atomic: adds its second argument, or takes it away, and gives the number before; …_TO:
               // after
    u8 returns;    // RETURNS_…, of awaits: what the call returns when it was signalled
    bool is_false; // asserts: comes back only if the argument is false
    bool device;   // accesses: a register of a device, or nothing at all; no object
    bool other;    // percpu: possibly another CPU's copy
    Choice choice; // only for calls with these constants
    Origin origin;
} CallFact;
// The facts of one kind (SAID_BLOCKS, …) about a function.
u32 declarations_facts(const Declarations *self, const char *name, u32 length, u32 said, const CallFact **facts);
// Functions stored in this member of this type ("struct timer_list", "function") run in a
// context of their own; NULL when nothing was said of the member, nor of the whole type.
const CallFact *declarations_field(const Declarations *self, const char *type, const char *member);

const char *lock_kind_word(LockKind kind); // as scripts write it: "spin", "mutex" …
typedef struct {
    u32 traits;        // TRAIT_…
    u32 disables;      // DISABLES_… that it stands for; 0: a lock
    const char *state; // that state of the CPU, for people; NULL: a lock
} LockKindRow;
extern const LockKindRow lock_kinds[];
// Has a kind any of these traits? One that nothing is known of has none.
static inline bool lock_has(u32 kind, u32 traits) { return kind < LOCK_KINDS && (lock_kinds[kind].traits & traits); }
const char *context_word(Context context);

// Every number of an argument that the user's scripts (no presets) give for a function they name: `name` has an
// argument `argument`, says `origin`.
typedef void (*ArgumentFn)(void *context, const char *name, i32 argument, const Origin *origin);
void declarations_arguments(const Declarations *self, ArgumentFn found, void *context);

// Every name or pattern that the user's scripts (no presets) speak of, with what they say of it.
typedef struct {
    const char *text; // the name, or the pattern
    const void *code; // the compiled pattern (host.h), or NULL
    u32 said;         // SAID_…
    Origin origin;    // where something was first said of it
} UserSubject;
typedef void (*SubjectFn)(void *context, const UserSubject *subject);
void declarations_subjects(const Declarations *self, SubjectFn found, void *context);

// declare.c -------------------------------------------------------------------
// How often a name is called in the tree: what presets are picked by.
typedef u32 (*NameCountFn)(void *context, const char *name);
typedef struct {
    const char *directory;      // of the presets; NULL: the ones built in
    const char *const *presets; // wanted by name ("linux", …); NULL: pick by what was counted
    u32 preset_count;
    const char *const *scripts; // racerx.lua, --annotator FILE
    u32 script_count;
    NameCountFn count; // NULL: only c is picked
    void *context;
} DeclareOptions;
Declarations *declarations_load(const DeclareOptions *options); // fatal() names script, line and what to do
void declarations_free(Declarations *self);
// script.c: for a stage that runs the same scripts for another purpose: declarations are accepted and mean nothing.
struct Host;
void declarations_ignore(struct Host *host);
// Names of the presets in force, in order, "c" first; for the line that says which were picked.
const char *const *declarations_presets(const Declarations *self, u32 *count);
// Scripts that have something to say at a later stage, which runs them again (see script_open_later).
enum {
    LATER_ANNOTATE = 1, // annotate(function)
    LATER_RANK = 2,     // rank(function)
};
typedef struct {
    const char *name; // as errors have it
    const char *text; // the script
    u32 length;       // bytes of it
    u32 later;        // LATER_…
    u32 rank;         // higher overrules lower
    bool user;        // no preset
} LaterScript;
// The one that overrules the others comes last.
const LaterScript *declarations_later(const Declarations *self, u32 *count);

#endif
