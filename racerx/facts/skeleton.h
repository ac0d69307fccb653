// skeleton.h: inside racerx/, what the files that build skeletons share: skeleton.c (locks, calls, conditions) and
// access.c (data).
#ifndef RACERX_SKELETON_H
#define RACERX_SKELETON_H

#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    FunctionId function;
    const ProgramFunction *info;
    Body *body;
    BodyScope scope;
    ExprId *alias;     // by var: the one value it ever has, or 0
    u8 *written;       // by var: writes seen, at most 2
    u8 *tracked;       // by expr
    u8 *tested_often;  // by expr: conditions, at most 2
    ExprId *same_call; // by expr: an earlier call of the same with the same arguments
    u8 *rooted;        // by var: some place starts from it
    u8 *allocation;    // by expr: a call that gives fresh memory
    AccessMemo *memo;  // by expr: the object it names
    u32 block_step;    // first step of the block being built
    Array(SkeletonStep) steps;
    Array(SkeletonBlock) blocks;
    Array(ArgumentValue) args;
    U32Array successors;
    U32Array mentions;
    U32Array tested; // pairs: parameter, the VAR that branches test
    u32 call;        // next call site
    u32 bound;       // parameters that point to locks
    bool direct;
    bool concurrent; // an atomic operation was met
} Build;

static inline const Expr *build_expr(const Build *self, ExprId id) { return &self->body->exprs.items[id]; }

// lock_class.c
PathValue build_value(Build *self, ExprId id, u32 depth); // where a value comes from
PathId build_place(Build *self, ExprId id, u32 depth);    // the place an lvalue names
PathId build_behind(Build *self, PathValue pointer);      // what a pointer points to
NameId build_name(const Build *self, StrId id);
ClassId class_named(Build *self, const char *text, u32 length, bool global);
ClassId class_of(Build *self, ExprId pointer,
                 const char *member); // of the lock behind a pointer, or of that member of it
ClassId class_of_named(Build *self, ExprId lock, const char *member,
                       PathId *path); // of one that is no pointer; 0: it is
ClassId class_of_member(Build *self, ExprId pointer, const char *member, RecordId owner);

// skeleton.c
void build_begin(Build *self, Analysis *analysis, FunctionId function,
                 Body *body); // for naming places only: aliases and writes of locals, nothing else
void build_end(Build *self);
void build_publish(Build *self, ExprId lvalue, ExprId value, Place place); // a pointer is stored
bool type_is_lock(Analysis *analysis, TypeRef type);

// conditions.c
u8 build_mask(Build *self, ExprId id, ExprId *source); // signs a value can have, or the expression it has the value of
u8 build_comparison(const Build *self, ExprId *value); // COMPARES_… with zero, and of what
u8 relation_mask(u8 relation, i64 constant,
                 u8 *exact); // signs of the subject that make a branch true; only those: exact
void build_branch(const Build *self, const Block *block, ExprId subject, SkeletonBlock *out); // fills subject and masks
void build_flag(const Build *self, const Block *block, ExprId subject, SkeletonBlock *out);   // fills flag, raised
u8 returns_values(u8 returns);                      // RETURNS_… to VALUE_…
ExprId build_subject(const Build *self, ExprId id); // what a branch is about, behind assignments and casts
ExprId build_condition(const Build *self,
                       const Block *block); // the expression that stands for the condition; 0: its subject says it all
void fill_tracked(Build *self);             // fills: tracked, tested_often, same_call, mentions

// access.c
void build_access(Build *self, const Event *event);
ObjectId build_scalar(Build *self, ExprId argument);          // the scalar whose address this is; 0: none
void build_handed(Build *self, const Event *event, u32 call); // what a call hands over by its address
void mark_unshared(Build *self, u32 first);
bool build_declared_access(Build *self, const Event *event, const char *name, u32 said);

#endif
