// stale.h: inside racerx/stale/: what is known of places at each point of a function, since when, and under which
// locks. docs/stale.md says what holds. In pipeline order: effects.c (what callees do), flow.c (one function,
// forwards), judge.c (who may write meanwhile), freers.c (who may free), stale.c (findings), survive.c (how much of
// what is proven survives threads), facts_text.c (all that is known, as text).
#ifndef RACERX_STALE_H
#define RACERX_STALE_H

#include "racerx/check/races.h"
#include "racerx/facts/skeleton.h"

typedef enum {
    FACT_NONNULL, // what is stored at the place is not zero
    FACT_TESTED,  // a branch on the way here depends on what is stored at the place
    FACT_COPY,    // a local has what was stored at the place
    FACT_FOUND,   // a local points to something that others can find, too; about no place
} FactKind;
typedef enum {
    BY_TEST,  // a branch, an assertion
    BY_STORE, // it was written
    BY_USE,   // it was dereferenced: believed, not checked
    BY_LOAD,  // it was copied
    BY_CALL,  // a call gave it
} FactSource;
enum {
    FACT_PROVEN = 1,   // no belief: tested, the address of something, a constant
    FACT_PINNED = 2,   // of a copy: handed to somebody, or written through, before the lock was let go
    FACT_SEEN = 4,     // the place was read again after the lock was let go
    FACT_BELOW = 8,    // a callee let the lock go
    FACT_CLAIMED = 16, // of a copy: the place was overwritten since; else: a flag was tested and set beside it
    FACT_CHOSEN = 32, // tested for more or less, or against something else than a constant: a bound. Of a copy: counted
    FACT_DERIVED = 64, // of a copy: something was made of it; FACT_NONNULL: of the place that the local was loaded from
    FACT_EMPTY = 128,  // FACT_FOUND: null, so far
};

typedef struct {
    ClassId class;
    PathId path; // in the words of the skeleton; 0: not known
} LocalLock;

// Sets of locks are bits of Flow.locks.
typedef struct {
    u8 kind;        // FactKind
    u8 source;      // FactSource
    u8 flags;       // FACT_…
    u8 side;        // FACT_TESTED: 1 + the way the branch went; 0: whatever it was
    u32 var;        // FACT_COPY: the local; else NO_ID
    ExprId mask;    // FACT_TESTED: only these bits were; 0: all
    PathId place;   // what the fact is about
    u32 access;     // 1 + Analysis.accesses of the access that established it; 0: no shared place
    u32 held;       // locks held then
    u32 broken;     // of these: let go since
    u32 entered;    // others: taken since
    Place at;       // where it was established
    Place released; // where the first of `broken` was let go
    Place taken;    // where the first of `entered` was taken
} KnownFact;

typedef struct {
    Array(KnownFact) facts; // sorted by kind, place, var
    u32 held;               // locks surely held
    bool reached;
    bool cut; // more was known than is kept: perhaps that a fact was looked at again, so nothing is said of any
} FactSet;

typedef enum {
    RELY_DEREFERENCE, // of a pointer that is loaded again
    RELY_INDEX,       // an index that is loaded again
    RELY_WRITE,       // the place is written because of what was tested
    RELY_UPDATE,      // the place is written with what was made of a copy
    RELY_ELEMENT,     // a copy is the index of an element of the same object
    RELY_OBJECT,      // a copied pointer is dereferenced
} RelianceKind;
typedef struct {
    u8 kind;               // RelianceKind
    bool constant;         // RELY_WRITE: a constant is written
    bool bits;             // RELY_WRITE: some bits are set or cleared, others than those that were tested
    bool update;           // RELY_WRITE: counted up or down
    bool lowers;           // RELY_WRITE: zero is
    const KnownFact *fact; // NULL: RELY_DEREFERENCE of what nothing is known of
    PathId pointer;        // RELY_DEREFERENCE: what is dereferenced
    Place place;
    u32 access; // 1 + of the access that relies on it; 0: none
    u32 held;   // locks held here
} Reliance;

// What a function returns: what it loaded and let a lock go since, or a pointer to what it found.
typedef struct {
    FunctionId function;
    u8 kind;          // FACT_COPY, FACT_FOUND
    u8 flags;         // FACT_DERIVED
    bool after;       // a lock was let go since
    PathId place;     // in its words
    ClassId lock;     // that was let go
    PathId lock_path; // likewise
    u32 access;       // 1 + of the one that loaded it
    Place released;   // where the lock was let go
} ReturnedFact;
typedef struct {
    Array(ReturnedFact) items;
    Map first; // function -> 1 + the first of its items
} Getters;

struct Flow;
typedef void (*RelyFn)(void *context, const struct Flow *flow, const Reliance *reliance);

// effects.c: what callees write.
typedef struct {
    u32 *first; // by key: where its items begin; one more at the end
    u32 *items;
} Runs;
typedef struct {
    Analysis *analysis;
    u32 *first_access; // by function: its first access; one more at the end
    Map memo;          // (function, object) -> 1: does not write it, 2: may
    U32Array work;
    Map seen;     // functions of one question
    Map wide;     // functions with more below them than can be asked
    Runs writers; // by object: functions; filled when first asked
    Runs callers; // by function: functions
    Map asked;    // objects whose writers' callers are known -> are these all?
    Map above;    // (function, object): it writes the object, or is above one that does
} Effects;
void effects_begin(Effects *self, Analysis *analysis);
void effects_end(Effects *self);
bool effects_write(Effects *self, FunctionId function, ObjectId object); // itself or below

// flow.c
typedef struct Flow {
    Analysis *analysis;
    Effects *effects;
    FunctionId function;
    Body body;
    Build build;   // names places; a local that was loaded from memory stands for itself
    ExprId *alias; // what the skeleton takes locals for
    const Skeleton *skeleton;
    Array(LocalLock) locks;
    u32 keeping;         // of them: those that keep others out; the rest only keep objects alive
    u32 *event_accesses; // by event: 1 + its access; 0: none
    u32 *accesses;       // by expr (one for all equal ones): 1 + the access that it was last met with; 0: none
    FactSet *in;         // by block: what is known at its start
    FactSet now;
    u32 block;              // the one `now` is in
    u32 step;               // the next step of its skeleton
    bool has_skeleton;      // its blocks are those of the body
    RelyFn relied;          // NULL while facts are still being found
    bool told;              // `relied` is called for every block, too, with no reliance
    void *context;          // for `relied`
    const Getters *getters; // what callees return; NULL: not asked
    Getters *returned;      // filled with what this function returns; NULL: nobody wants to know
} Flow;
bool flow_run(Flow *self, FunctionId function, RelyFn relied, void *context); // false: it has no body, or is too large
void flow_free(Flow *self);
void flow_rely(Flow *self, Reliance reliance);
ObjectId fact_object(const Flow *self, const KnownFact *fact); // 0: it is about no shared place
bool is_own_place(const Flow *self, PathId place);             // a local or parameter that nobody else can name

void flow_put_copies(Flow *self, u32 var, u32 from, u8 flags); // whatever is known of the one's value
#define CALL_VAR 0x40000000u // in the place of a local: what the call of this expression returned

// flow_found.c: pointers to what others can find, too.
void flow_found(Flow *self, u32 var, const Event *event); // a local is written
void flow_walked(Flow *self, const Event *event);         // a loop's head that was kept as a call
void flow_use_found(Flow *self, u32 var, const Event *event);

// flow_bits.c: bits that functions ask for and set.
PathId flow_declared(Flow *self, const Event *event);           // a call; the place that it writes; 0: none
ExprId flow_bit(const Flow *self, const Expr *call, ExprId of); // the bit of a map that it asks for; 0: not known

// flow_returns.c: getters and lookups.
void getters_fill(Getters *out, Effects *effects); // requires: effects
void getters_free(Getters *self);
void flow_return(Flow *self, const Block *block);                      // fills: returned
void flow_returned(Flow *self, const SkeletonStep *step, ExprId call); // what a call gives

// flow_value.c: what expressions say.
typedef struct {
    ExprId items[16]; // lvalues that are loaded
    u32 count;
} Leaves;
ExprId flow_strip(const Flow *self, ExprId id);             // without casts and the like
ExprId flow_pointer(const Flow *self, ExprId lvalue);       // the pointer it is reached through at last; 0: none
PathId flow_place(Flow *self, ExprId id);                   // the place whose value it is; 0: none
void flow_leaves(const Flow *self, ExprId id, Leaves *out); // what its value depends on
u32 flow_var(const Flow *self, ExprId id);                  // the local, or call, that it is, or NO_ID
RecordId flow_pointee(const Flow *self, u32 var);           // what a local points to; NO_ID: no record
u32 flow_base(const Flow *self, ExprId id); // the local that a pointer or an address starts from, or NO_ID
ExprId flow_mask(const Flow *self, ExprId value, ExprId of);  // the bits of it that an expression is about; 0: all
bool flow_is_in(const Flow *self, ExprId part, ExprId whole); // one of the operands of |, or all
bool flow_is_pointer(const Flow *self, ExprId id);
void flow_words(Flow *self);    // fills: build.alias of locals that stand for addresses
void flow_accesses(Flow *self); // fills: event_accesses

// flow_lock.c: what steps do to locks, and with them to facts.
void flow_entry(Flow *self, FactSet *out);                    // fills: locks held on entry
void flow_lock_step(Flow *self, const SkeletonStep *step);    // a call of a lock function
void flow_call_step(Flow *self, const SkeletonStep *step);    // a call: what is let go, what is written
u32 flow_lock(Flow *self, ClassId class, PathId path);        // its bit; 0: there are too many
bool flow_lets_go(const Analysis *self, FunctionId function); // does it, or a callee, let a lock go?

// judge.c: may others write the place after the lock was let go?
typedef struct {
    u8 kind;             // FindingKind
    u8 rely;             // RelianceKind
    bool relocked;       // the lock is held again where the fact is relied on
    bool constant;       // what is written is a constant
    bool lowers;         // it is zero
    bool update;         // it is counted up or down
    RecordId record;     // escaped-object: what the pointer points to
    FunctionId function; // all but the writer are in it
    KnownFact fact;
    u32 access;          // 1 + of the access that relies on it; 0: none
    Place used;          // where
    u32 locks[4];        // ClassIds: what was let go (of check-then-act: what was taken), nearest first; 0: no more
    FunctionId found_by; // of what a call gave: the callee; NO_ID: none
    // filled by judging:
    ClassId lock;          // the one that the others hold
    const Sample *here;    // the fact's access, on some way
    const Sample *writer;  // who may write
    bool proven;           // two threads of the program run both
    u32 writers, lowering; // places that write it under the lock; that store zero there
    u32 bare;              // places that write it without
    u32 inside, outside;   // escaped-object: functions that use it only under the lock; that do after
} Candidate;
typedef Array(Candidate) CandidateArray;
// A function that frees objects of a type, itself or by a function it gives them to.
typedef struct {
    RecordId record;
    FunctionId function;
} Freer;
typedef struct {
    Analysis *analysis;
    Map first_sample;        // access -> 1 + its first sample
    const u32 *first_access; // see Effects
    Map freers;              // record -> 1 + the first of its freers
    Array(Freer) freer_items;
} Judge;
void judge_begin(Judge *self, Analysis *analysis, const CandidateArray *candidates); // NULL: any access may be asked
void judge_end(Judge *self);
void judge_freers(Judge *self, const CandidateArray *candidates); // freers.c: fills: freers, of all that was found
bool judge_found(const Judge *self, Candidate *candidate);        // likewise: who takes it off, and frees it?
bool judge_keeps_apart(const Analysis *self, const Candidate *candidate, const Sample *here, const Sample *writer);
ClassId judge_lock(const Analysis *self, const Candidate *candidate, const Sample *writer); // that it holds; 0: none
bool judge(const Judge *self, Candidate *candidate); // fills the second half; false: nobody writes it then
// Who may write what is known, as locks are or as if there were none; NULL: nobody.
const Sample *judge_writer(const Judge *self, const Flow *flow, const KnownFact *fact, bool with_locks);

// fact_set.c
void fact_set_copy(FactSet *to, const FactSet *from);
bool fact_set_meet(FactSet *self, const FactSet *other); // what both say; false: nothing changed
KnownFact *fact_find(FactSet *self, u8 kind, PathId place, u32 var);
void fact_put(FactSet *self, const KnownFact *fact); // replaces one of the same kind, place and var
void fact_drop(FactSet *self, u32 index);
void fact_set_check(const FactSet *self); // in test builds: sorted, each once, no more than are kept
void fact_set_free(FactSet *self);

#endif
