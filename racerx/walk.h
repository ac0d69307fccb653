// walk.h: inside racerx/, what the files of the walk share.
#ifndef RACERX_WALK_H
#define RACERX_WALK_H

#include "racerx/analysis.h"

// Facts known on a path: sorted, expression << 3 | mask of values it may have.
typedef u32 FactsId; // 0: none
typedef struct {
    u32 first, count;
} Facts;
#define FACTS_MOST 10

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
#define LOCKSETS_MOST 8 // different locksets at one block of one function entry

// A STEP_ACCESS met with a lockset.
typedef struct {
    u32 block, step;
    LocksetId set;
} FrameAccess;

// One function being walked with one entry lockset. Frames are kept and used again at the same depth.
typedef struct {
    struct Walk *walk;
    u32 node;
    FunctionId function;
    const Skeleton *skeleton;
    U32Array first;           // by block: its first BlockState, plus 1
    Array(BlockState) states;
    Array(u64) dirty;         // bit per block: some state of it is dirty
    u32 lowest;               // no word of `dirty` below this is set
    Array(Outcome) outcomes;
    Array(FrameAccess) accesses;
    u32 block, step;          // where the walk is
    u32 conditionals;
} Frame;

typedef struct Walk {
    Analysis *analysis;
    Array(Facts) facts;
    U32Array fact_items;
    Map fact_index;
    U32Array fact_next;
    u32 depth; // of calls being walked
    Array(Frame *) frames; // by depth
    U32Array pending; // nodes met too deep: walked when the walk is back at the top
    Map bad_index; // (node, site) -> note + 1
} Walk;

// state.c
FactsId facts_set(Walk *self, FactsId facts, ExprId expr, u8 mask); // VALUE_ANY forgets
u8 facts_get(const Walk *self, FactsId facts, ExprId expr);
FactsId facts_join(Walk *self, FactsId a, FactsId b); // what both agree on
u32 set_copy(const Analysis *self, LocksetId set, Held *held);
u32 node_binding(const Analysis *self, const Node *node, u32 kind, u32 param); // 0: nothing bound
ClassId bound_class(const Analysis *self, const Node *node, ClassId class);

// effects.c: a lock call on a state; out has room for 2; returns how many states go on
u32 apply_lock(Frame *self, const SkeletonStep *step, State state, State *out);
bool is_surely_held(Frame *self, const Held *held); // at frame->block, frame->step
void note_block(Frame *self, const SkeletonStep *step, State state);
void note_join(Frame *self, const SkeletonStep *step, State state);

// call.c
#define WAYS_MOST 24 // states a call may end in, before some are chosen
void spawn_root(Frame *self, const SkeletonStep *step);
void reach_flat_call(Frame *self, const SkeletonStep *step);
u32 apply_call(Frame *self, const SkeletonStep *step, State state, State *out, u32 most);

void apply_spawn(Frame *self, const SkeletonStep *step, State *state);
void apply_ended(Frame *self, const SkeletonStep *step, State *state);

// record.c: what is accessed with which locks
void frame_put_access(Frame *self, LocksetId set);
void frame_keep_accesses(Frame *self);
void walk_flat(Walk *self, u32 node); // a function without locks below it: no states

// walk.c
u32 walk_node(Walk *self, u32 node); // its outcomes are in the analysis
u32 node_get(Analysis *self, FunctionId function, LocksetId entry, u32 binding, bool *limited);
u32 site_get(Analysis *self, FunctionId function, Place place, ClassId class);

#endif
