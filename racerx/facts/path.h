// path.h: places in memory, in one function's words; interned.
#ifndef RACERX_PATH_H
#define RACERX_PATH_H

#include "racerx/link/program.h"

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
void path_free(PathTable *self);
#define STEP_INDEXED 0x20000000u // from here on no names of members
#define STEP_ELEMENT 1u          // name 0 is *, this one [i] for any i
#define STEP_NAMED 0x20800000u   // [NAME]: a constant by its NameId; without the bit 0x800000: by its value
#define STEP_VALUE 0x7fffffu     // of both: the bits with the value, or the name
#define STEP_TERM 0x30000000u    // [term]: | what is added to it << 24 (1 to 7; 8 to 14: taken away) | the rest
#define STEP_TERM_REST 0x00ffffffu
#define STEP_UP 0x40000000u // | NameId: from a member to what it is in (container_of)
// An element of an array that only one thread has: | by which number (facts/numbers.c).
#define STEP_OWNED 0x3f000000u
#define STEP_OWNED_REST 0x00ffffffu
#define STEP_OWN 0x3fffffffu    // by the number that the thread was given
#define STEP_TICKET 0x00800000u // in the rest: by a number that was drawn; | the counter's ObjectId
static inline bool step_is_owned(u32 name) { return (name & ~STEP_OWNED_REST) == STEP_OWNED; }
// Of a Path.step that is no root's: it is kept shifted, with the pointer's bit under the name.
static inline NameId step_name(u32 step) { return step >> 1; } // of a member; 0: `*`; else one of STEP_…
static inline bool step_is_pointer(u32 step) { return step & 1; }
static inline bool step_is_up(u32 step) { return step >> 31; }
static inline bool step_is_named_member(u32 step) { return !(step >> 30) && step >> 1 > STEP_ELEMENT; }
static inline bool step_is_index_or_up(u32 step) { return step >> 30; } // no member, and not `*` or [any]
static inline bool step_is_number(u32 step) { return step >> 29 == 2; } // [2], [NAME]
static inline bool step_is_term(u32 step) { return step >> 29 == 3; }   // [i], [i + 1], STEP_OWN
// Roots that are locals: a variable, or what an expression gave that no other word is known for.
#define ROOT_OPAQUE 0x100000u
static inline bool path_is_variable(const Path *root) { return root->root == ROOT_LOCAL && root->step < ROOT_OPAQUE; }
PathId path_root(PathTable *self, RootKind root, u32 id);
PathId path_step(PathTable *self, PathId parent, NameId member, bool pointer);
PathId path_rebase_data(PathTable *self, PathId path, PathId from, PathId to);
PathId path_rebase(PathTable *self, PathId path, PathId from, PathId to, bool address); // 0: does not start with `from`
PathId path_unbase(PathTable *self, PathId path, PathId from, bool address, PathId to); // the other way
PathId path_first(const PathTable *self, PathId path);                                  // its root
PathId path_kept_in(const PathTable *self, PathId path); // of `*place`: the place; else the path itself
bool path_goes_through_pointer(const PathTable *self, PathId path);
u32 path_index(const PathTable *self, PathId path); // the index of an element on the way, 0 when there is none

// A pointer's value: what is stored at a path, or the path's address.
typedef struct {
    PathId path;
    bool address;
} PathValue;

#endif
