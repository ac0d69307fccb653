// skeleton.h: inside racerx/, what the files that build skeletons share: skeleton.c (blocks, calls), operations.c
// (locks), conditions.c and tested.c, access.c (data).
#ifndef RACERX_SKELETON_H
#define RACERX_SKELETON_H

#include "racerx/facts/analysis.h"

// lists.c: a pointer to a node that was stored.
typedef struct {
    u32 keeper;  // 1 + Analysis.keepers
    PathId list; // that it is stored in; 0: a node that is in none, as far as is known
    PathId from; // list that it was found in; 0: none, or not known
    PathId node; // the pointer, if it is a variable or a result
    PathId into; // likewise the node it is stored in
    bool stray;  // it may be anything
} StoredNode;

// chosen.c: a lock in whatever another local points to.
typedef struct {
    u32 owner; // 1 + that local; 0: none
    NameId member;
} Chosen;

typedef struct {
    Analysis *analysis;
    FunctionId function;
    const ProgramFunction *info;
    Body *body;
    BodyScope scope;
    ExprId *alias;      // by var: the one value it ever has, or 0
    u8 *written;        // by var: writes seen, at most 2
    ExprId *means;      // by var: the condition whose answer it keeps, or 0
    ExprId *condition;  // by block: what stands for its condition, or 0
    u8 *negated;        // by block: that is the opposite of it
    Chosen *chosen;     // by var: the lock it points to is in what another one points to
    u8 *tracked;        // by expr: 1: in one place, or handed over; 2
    u8 *compared;       // by expr: with something else than equality
    u8 *tested_often;   // by expr: conditions, at most 2
    ExprId *same_call;  // by expr: an earlier call of the same with the same arguments
    ExprId *versus;     // by expr: a comparison of two variables: the one that stands for all that compare the two
    ExprId *ended;      // by expr: a comparison of a counter with a constant: the one that stands for all of the two
    u8 *counts;         // by expr: of `versus`: REL_LT: it counts up to the other, and ends there; REL_GT: down
    u8 *rooted;         // by var: some place starts from it
    u8 *allocation;     // by expr: a call that gives fresh memory
    AccessMemo *memo;   // by expr: the object it names
    U32Array pointed;   // objects of accesses through pointers, in runs
    U32Array grown;     // paths of pointers to memory that was made larger
    const Block *block; // being built
    u32 block_step;     // its first step
    Array(SkeletonStep) steps;
    Array(SkeletonBlock) blocks;
    Array(ArgumentValue) args;
    U32Array successors;
    Array(Mention) mentions;
    Array(Masked) masked;
    Array(ChoiceValue) choices;
    Array(TestedPlace) places;
    U32Array tested; // pairs: parameter, the VAR that branches test
    Array(StoredNode) stored;
    U32Array made; // PathIds of locks that are set by an assignment
    u32 call;      // next call site
    u32 bound;     // parameters that point to locks
    bool direct;
    bool masks;      // it has operations of locks, if only on the state of this thread
    bool concurrent; // an atomic operation was met
} Build;

static inline const Expr *build_expr(const Build *self, ExprId id) { return &self->body->exprs.items[id]; }

// lock_class.c
PathValue build_value(Build *self, ExprId id, u32 depth);     // where a value comes from
PathId build_place(Build *self, ExprId id, u32 depth);        // the place an lvalue names
PathId build_behind(Build *self, PathValue pointer);          // what a pointer points to
ClassId build_got(Build *self, ExprId pointer, PathId *path); // of a lock whose address a call gave; 0: none did
PathId build_lock(Build *self, ExprId pointer);               // the lock that an argument is, or points to
NameId build_name(const Build *self, StrId id);
bool pointer_place(const Build *self, ExprId *pointer); // is it kept in a member or a global? Then that
ClassId class_named(Build *self, const char *text, u32 length, bool global);
ClassId class_of(Build *self, ExprId pointer,
                 const char *member); // of the lock behind a pointer, or of that member of it
ClassId class_of_named(Build *self, ExprId lock, const char *member,
                       PathId *path); // of one that is no pointer; 0: it is
ClassId class_of_member(Build *self, ExprId pointer, const char *member, RecordId owner);

// numbers.c: a number that only one thread has, as a step of a path (STEP_OWNED); 0: it is none
u32 build_number(Build *self, ExprId index);
bool build_is_given_another(const Build *self); // each thread that begins here, as far as is known
// lock_class.c: what a thread was given at its start, or keeps in thread-local storage
bool build_is_own_number(Build *self, ExprId id);

// passes.c: the argument that a call gives back; 0: it gives something else
ExprId build_passed(const Build *self, ExprId call);
// passes.c: the lock whose address a call gives, in words of the callee, and the argument that it is in; NULL: none
const Getter *build_getter(const Build *self, ExprId call, ExprId *argument);
bool is_quiet(const Program *program, FunctionId function); // it does nothing to locks itself, and does not wait

// scoped.c: the call that made the guard which this call ends; 0: it ends none
ExprId build_guard(const Build *self, const Expr *call, NameId name);
bool build_only_ended(const Build *self, u32 var); // a pointer whose address only its cleanup function gets

u32 build_index_term(const Build *self, ExprId id); // STEP_TERM of a number kept in a variable; 0: it is something else

// wrappers.c: can the call be read as the operation of such a wrapper?
bool build_wrapper_fits(const Build *self, const LockWrapper *wrapper, const Expr *call);

// makers.c: a call of a function that makes locks: fills makers; a declared one: inits
void build_init(Build *self, const LockEffect *effect, const Expr *call);
void build_made(Build *self, const CallSite *site, const Expr *call);

// spun.c: the effects of a claim that is tried until it is had; of all others as they are
const LockEffect *build_spun(Build *self, ExprId call, const LockEffect *effects, u32 *count);

bool build_comes_back(Build *self, u32 from, u32 to); // with nothing done but waiting
u8 build_spun_kind(void);                             // LOCK_… of what is waited for so

// turns.c: a call, or a write, that takes or lets go a lock with numbers: fills the step; false: it is none
bool build_turn(Build *self, SkeletonStep *step, ExprId call);
bool build_turn_ends(Build *self, SkeletonStep *step, const Event *event);

// lock_records.c: the handle that a pointer to the lock of a record which is nothing but a lock comes by; else the
// pointer
ExprId build_handle(const Build *self, ExprId pointer);
bool is_lock_member(const Build *build, ExprId id); // something that such a record keeps for itself

// lock_alias.c: what has the member that an expression names; NO_ID: not known
RecordId build_member_owner(const Build *self, const Expr *member);
// lock_alias.c: the lock that a pointer kept in a member or a global points to, when it is only ever one; 0: it is not
ClassId alias_class(Build *self, ExprId pointer, PathId *path);

// skeleton.c
void build_begin(Build *self, Analysis *analysis, FunctionId function,
                 Body *body); // for naming places only: aliases and writes of locals, nothing else
void build_end(Build *self);
void build_publish(Build *self, ExprId lvalue, ExprId value, Place place); // a pointer is stored
bool type_is_lock(Analysis *analysis, TypeRef type);

// operations.c
// Is a call one that an effect is for? `decided`: whoever calls, for the argument is a constant.
bool build_choice(Build *self, const Choice *choice, const Expr *call, bool *decided);
bool choice_fits(Build *self, const Choice *choice, const Expr *call);  // as far as is known
const LockEffect *effect_at_end(Build *self, const LockEffect *effect); // of a guard, at the end of its scope
// Are some of its effects for this call, and is one of them a wait, which lets go of what it is given?
enum { FITS_NOT, FITS, FITS_WAITING };
u8 effects_fit(Build *self, const LockEffect *effects, u32 count, const Expr *call);
// What the effects do to which locks: fills the step's kind and its operations. `wrapper`: of which they are, or NULL.
void build_operations(Build *self, SkeletonStep *step, const LockEffect *effects, u32 count, const LockWrapper *wrapper,
                      const Expr *call);

// keepers.c
u32 build_hops(Build *self, ExprId value, u32 depth);         // keepers on the way to what a pointer points to
u32 build_object_hops(Build *self, ExprId lvalue, u32 depth); // to the object that an lvalue is in
u32 build_keep(Build *self, ExprId lvalue, ExprId stored, bool may_be_fresh); // a pointer is stored: its keeper
void build_keepers_addressed(Build *self);

// lists.c
void build_stored(Build *self, ExprId lvalue, ExprId stored, u32 keeper); // a pointer is stored in a keeper
void settle_stores(Build *self);

void fill_chosen(Build *self); // chosen.c: requires aliases. fills: chosen

// conditions.c
typedef struct {
    u8 relation; // REL_OPAQUE: not known
    ExprId subject;
    i64 constant;
} Test;
bool build_constant(const Build *self, ExprId id, i64 *out, u32 depth);
ExprId build_masked(const Build *self, ExprId id, i64 *bits); // x of `x & CONSTANT`; 0: it is none
bool expr_is_place(const Expr *expr);
ValueId build_known(Build *self, ExprId id, ExprId *source); // what is known, or the expression it has the value of
u8 build_signs(Build *self, ExprId id);                      // likewise, of its sign
Test build_comparison_test(const Build *self, ExprId id);
Test build_test(const Build *self, const Block *block);
// kept_answers.c
void fill_means(Build *self);      // requires: written. fills: means
void fill_conditions(Build *self); // requires: means, versus. fills: condition, negated, tested_often
Block build_seen_through(const Build *self, const Block *block,
                         bool *negated); // a branch on a kept answer as one on its condition, or the opposite of it
bool build_is_versus(const Build *self, ExprId subject); // a comparison of two that are not constants
NameId build_stored_name(const Build *self, ExprId id);  // skeleton.c: the member or global that is written
void test_values(const Build *self, const Test *test, ValueId *yes, ValueId *no);
u8 build_comparison(const Build *self, ExprId *value); // COMPARES_… with zero, and of what
void build_flag(Build *self, const Block *block, ExprId subject, SkeletonBlock *out); // fills flag, asked, raised
void build_state(const Build *self, const Block *block, SkeletonBlock *out);          // fills state, emptied
u8 returns_values(u8 returns);                                                        // RETURNS_… to VALUE_…
ExprId build_subject(const Build *self, ExprId id);           // what a branch is about, behind assignments and casts
ExprId build_condition(const Build *self, const Block *block, // the expression that stands for the condition, or for
                       bool *opposite);                       // its opposite; 0: its subject says it all
void fill_tracked(Build *self);                               // fills: tracked, tested_often, same_call, mentions

// tested.c
void build_branch(Build *self, const Block *block, SkeletonBlock *out); // fills: subject, yes, no, flag
void build_cases(Build *self, const Block *block, SkeletonBlock *out);  // of a switch; behind its successors: values
void drop_idle(Build *self);                                            // assignments that nobody asks about
void fill_places(Build *self);                                          // fills: tested, places, masked
// pointed.c: what is behind a pointer, as far as it is known what that points to; how many objects, 0: not known
u32 build_pointed(Build *self, ExprId pointer, u32 flags, bool one, ObjectId *out);

// The global that a static local of a function is; NO_ID: it is none.
GlobalId static_local(const Program *program, FunctionId function, u32 var);
// The allocated memory, ever freed, that a pointer points to, whatever of it; 0: none, or not known.
ObjectId build_life(Build *self, ExprId pointer);
// An access of the allocated memory that an argument points to; false: it is not known to.
bool build_region_access(Build *self, ExprId pointer, PathId path, Place place, u32 flags);
void build_freed(Build *self, const Event *event, const char *name); // a call that ends the life of its argument
bool build_grows(const Build *self, ExprId value); // is it what a call gives that makes memory larger?

// followed.c
void build_beginnings(Build *self);                   // requires: aliases. fills: beginnings
void build_followed(Build *self, const Event *event); // tells once a block that a tested pointer is not null

// access.c
void put_access(Build *self, Access access);
void build_access(Build *self, const Event *event);
ObjectId build_object(Build *self, ExprId lvalue);            // what it names; 0: nothing shared that has a name
ObjectId build_scalar(Build *self, ExprId argument);          // the scalar whose address this is; 0: none
void build_handed(Build *self, const Event *event, u32 call); // what a call hands over by its address
u32 global_flags(const Analysis *analysis, GlobalId id);      // SHARED_… of every place in it
void build_walked(Build *self, const Event *event, u32 call); // what a call that heads a loop walks over
void mark_unshared(Build *self, u32 first);
void mark_made(Build *self, u32 first);                       // fills: ACCESSED_MADE
void build_prepared(Build *build);                            // rounds.c; fills: Analysis.prepared
void build_elected(Build *build);                             // elected.c; fills: Analysis.elected
void mark_claimed(Build *self, u32 first);                    // fills: ACCESSED_ATOMIC of words waited for
void mark_tested(Build *self, u32 first, const Block *block); // fills: ACCESSED_TESTED
bool build_declared_access(Build *self, const Event *event, const char *name, u32 said);

#endif
