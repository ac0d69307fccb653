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

typedef struct {
    u32 block, step;
    State state;
    u32 conditionals;
} Item_;

// One function being walked with one entry lockset.
typedef struct {
    struct Walk *walk;
    u32 node;
    FunctionId function;
    const Skeleton *skeleton;
    Array(Item_) work;
    Map seen;           // states already met
    Map crowded;        // (block, lockset) -> number of facts met with it
    Array(Outcome) outcomes;
    u32 block, step;    // where the walk is
    u32 conditionals;
} Frame;

typedef struct Walk {
    Analysis *analysis;
    Array(Facts) facts;
    U32Array fact_items;
    Map fact_index;
    U32Array fact_next;
    u32 depth; // of calls being walked
    U32Array pending; // nodes met too deep: walked when the walk is back at the top
    Map bad_index; // (node, site) -> note + 1
} Walk;

// state.c
FactsId facts_set(Walk *self, FactsId facts, ExprId expr, u8 mask); // VALUE_ANY forgets
u8 facts_get(const Walk *self, FactsId facts, ExprId expr);
u32 set_copy(const Analysis *self, LocksetId set, Held *held);
ClassId bound_class(const Analysis *self, const Node *node, ClassId class);

// effects.c: a lock call on a state; out has room for 2; returns how many states go on
u32 apply_lock(Frame *self, const SkeletonStep *step, State state, State *out);
void note_block(Frame *self, const SkeletonStep *step, State state);
void note_join(Frame *self, const SkeletonStep *step, State state);

// call.c
u32 apply_call(Frame *self, const SkeletonStep *step, State state, State *out, u32 most);

// walk.c
u32 walk_node(Walk *self, u32 node); // its outcomes are in the analysis
u32 node_get(Analysis *self, FunctionId function, LocksetId entry, u32 binding, bool *limited);
u32 site_get(Analysis *self, FunctionId function, Place place, ClassId class);

#endif
