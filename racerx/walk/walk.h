// walk.h: inside racerx/, what the files of the walk share.
#ifndef RACERX_WALK_H
#define RACERX_WALK_H

#include "racerx/facts/analysis.h"

// Facts known on a path: sorted, expression << 32 | ValueId.
typedef u32 FactsId; // 0: none
typedef struct {
    u32 first, count;
} KnownFacts;

typedef struct {
    LocksetId set;
    FactsId facts;
} State;

// A lockset that reaches a block, with what all the ways that bring it agree on.
typedef struct {
    State state;
    u32 conditionals; // passed on the shortest way seen
    u32 next;         // the next lockset of the same block, plus 1
    bool dirty;       // new, or fewer facts than when it was last run
} BlockState;

// A STEP_ACCESS met with a lockset.
typedef struct {
    u32 block, step;
    LocksetId set;
} FrameAccess;

// What was met at a lock operation, and the next such event of the same block, plus 1.
typedef struct {
    LockEvent event;
    u32 next;
} FrameEvent;

// One function being walked with one entry lockset. Frames are kept and used again at the same depth.
typedef struct {
    struct Walk *walk;
    u32 node;
    FunctionId function;
    const Skeleton *skeleton;
    U32Array first; // by block: its first BlockState, plus 1
    Array(BlockState) states;
    Array(u64) dirty; // bit per block: some state of it is dirty
    u32 lowest;       // no word of `dirty` below this is set
    Array(Outcome) outcomes;
    Array(FrameAccess) accesses;
    Array(FrameEvent) events; // each once, in the order they were first met
    U32Array event_first;     // by block: its last one in `events`, plus 1
    u32 block, step;          // where the walk is
    u32 conditionals;
} Frame;
static inline NodePoint frame_point(const Frame *self) { return (NodePoint){self->node, self->block, self->step}; }

typedef struct Walk {
    Analysis *analysis;
    Array(KnownFacts) facts;
    Array(u64) fact_items;
    Map fact_index;
    U32Array fact_next;
    u32 depth;             // of calls being walked
    Array(Frame *) frames; // by depth
    U32Array pending;      // nodes met too deep: walked when the walk is back at the top
    Map doubted;           // (node, class): what a call that was cut did with it is not known
} Walk;

// state.c
#define SHARED_FACT 0x10000000u // from here on keys are of globals, by number, and no expressions: reach.c
#define COPY_FACT 0x40000000u   // | a variable: it has the value that is at some place: copies.c
FactsId facts_set(Walk *self, FactsId facts, ExprId expr, ValueId value); // VALUE_ANY forgets
FactsId facts_follow(Walk *self, FactsId facts, ExprId pointer); // it is not null; told only while there is room
ValueId facts_get(const Walk *self, FactsId facts, ExprId expr);
ValueId value_of(const Frame *self, FactsId facts, ExprId expr); // likewise, of what is masked, too
ValueId value_compared(ValueId value, u8 signs, u8 compares);    // of `it == 0`, `it != 0`
FactsId forget_var(Frame *self, FactsId facts, u32 var);
FactsId forget_name(Frame *self, FactsId facts, NameId name);
FactsId forget_writes(Frame *self, FactsId facts, FunctionId callee);
FactsId forget_arguments(Frame *self, FactsId facts, const SkeletonStep *step); // locals whose address is given
bool stay_apart(const Frame *self, State a, State b); // by a constant that decides what callees do
FactsId facts_join(Walk *self, FactsId a, FactsId b); // what both agree on
ClassId bound_class(const Analysis *self, const Node *node, ClassId class);

// copies.c: variables that lead to one lock
State copies_set(Frame *self, const SkeletonStep *step, State state);       // a variable gets another value
PathId copies_name(Frame *self, State state, ClassId class, PathId path);   // by which name such a lock is held
LocksetId copies_all(Frame *self, State state);                             // the locks by all names that they have
LocksetId copies_given(Frame *self, const SkeletonStep *step, State state); // by the names that a call uses

// told.c: the lock that a pointer kept in what the caller gave points to, and its path; 0: not known
ClassId told_class(Analysis *self, u32 node, const LockOperation *operation, PathId *path);
// Can the function still let go of a lock that it knows by such a pointer, from after this place?
bool told_releases(Analysis *self, NodePoint at, ClassId class);

// sure.c
bool is_held_for_good(Analysis *self, NodePoint at, const Held *held); // a thread may end with its locks

// effects.c: a lock call on a state; out has room for 2; returns how many states go on
u32 apply_lock(Frame *self, const SkeletonStep *step, State state, State *out);
void meet_block(Frame *self, const SkeletonStep *step, State state);
void meet_join(Frame *self, const SkeletonStep *step, State state);
void meet_signal(Frame *self, const SkeletonStep *step, State state); // a wait for one, or a barrier

// What became of the caller's locks at a call.
typedef struct {
    HeldSet outer;   // caller's places (the path counts) that no parameter reaches, in order
    HeldSet stayed;  // locks that did not go along
    HeldSet ambient; // those of them that nothing near below touches; the others nobody will let go
    HeldSet entered; // what went along, in the callee's words, with its site
    HeldSet from;    // likewise, in the caller's
} Renaming;

// rename.c
void renaming_begin(Renaming *self);
void renaming_end(Renaming *self);
LocksetId enter(Frame *self, const SkeletonStep *step, LocksetId set, FunctionId callee, Renaming *renaming);
LocksetId enter_without(Frame *self, LocksetId set, bool relevant, Renaming *renaming);
LocksetId leave(Frame *self, const SkeletonStep *step, FunctionId callee, LocksetId before, LocksetId entry,
                LocksetId out, const Renaming *renaming);
u32 put_entry_sites(Analysis *analysis, LocksetId entry, const Renaming *renaming);

// bind.c
u32 binding_of(Frame *self, const SkeletonStep *step, FunctionId callee, FactsId facts);
FactsId store_settled(Frame *self, const SkeletonStep *step, FactsId facts);
void spawn_root(Frame *self, const SkeletonStep *step, State state);
ClassId spawn_class(Frame *self, const Spawn *spawn,
                    const SkeletonStep *step); // of the thread that this node starts there

// call.c
// What is known of a callee's parameters: count, then (BIND_… << 8 | parameter, value)…
typedef struct {
    u32 run[1 + 2 * BINDINGS_MOST];
    u32 count;
} Binder;
void binder_put(Binder *self, u32 kind, u32 param, u32 value);
u32 binder_intern(Analysis *analysis, Binder *self); // 0: nothing is known
void put_call_edge(Analysis *analysis, u32 caller, u32 callee, const SkeletonStep *step, LocksetId ambient);
#define CALL_SURE 2                 // what a call costs at most that the CPU's state is believed below
u8 call_cost(const CallSite *site); // 1, and 1 more for each doubling of its targets; guessed ones 2 more
void reach_flat_call(Frame *self, const SkeletonStep *step);
u32 apply_call(Frame *self, const SkeletonStep *step, State state, State *out); // out has room for WAYS_MOST

void apply_spawn(Frame *self, const SkeletonStep *step, State *state);
void apply_ended(Frame *self, const SkeletonStep *step, State *state);

// record.c: what is met with which locks
void meet_out(Frame *self, const SkeletonStep *step, LocksetId held);
void event_put(Frame *self, LockEvent event); // once for each place and set of locks
void frame_keep_events(Frame *self);
void frame_put_access(Frame *self, LocksetId set);
void frame_keep_accesses(Frame *self);
void walk_flat(Walk *self, u32 node); // a function without locks below it: no states

// slots.c
void walk_slots(Walk *self);

// walk.c
void walk_from(Walk *self, u32 node); // a node at the top, and what was met too deep below it
u32 walk_node(Walk *self, u32 node);  // its outcomes are in the analysis
u32 node_get(Analysis *self, FunctionId function, LocksetId entry, u32 binding, bool *limited);
u32 site_get(Analysis *self, FunctionId function, Place place, ClassId class);

#endif
