// program.h: inside racerx/, the linked program: every tree in memory, names and types resolved,
// who calls whom, and where threads of control start. docs/link.md is the specification.
//
// Everything is a u32 id into an array of the Program. Filled once by program_load(), then
// read-only and safe from any thread (lookups that memoise do so in a ProgramView).
#ifndef RACERX_PROGRAM_H
#define RACERX_PROGRAM_H

#include "annotators/declare.h"
#include "base/base.h"
#include "extract/store.h"
#include "extract/tree.h"

typedef u32 FileId;
typedef u32 FunctionId;
typedef u32 GlobalId; // variables and function prototypes are merged: one per (name, linkage)
typedef u32 RecordId;
typedef u32 NameId;   // in Program.names; 0 = ""
#define NO_ID UINT32_MAX

// A type as some tree wrote it; resolved further on demand. file NO_ID: unknown.
typedef struct {
    FileId file;
    TypeId type;
} TypeRef;

typedef struct {
    char *path;        // as shown
    u8 kind;           // FileKind
    Tree tree;         // head only; tree.strings is emptied once names are global
    NameId *names;     // by StrId of the tree
    const u8 *bodies;  // the encoded bodies of its functions
    u64 bodies_size;
    FunctionId function; // its functions are consecutive
} ProgramFile;

typedef struct {
    NameId name;
    FileId file;
    u32 index;        // into the tree's functions
    u32 flags;        // DECL_…
    Place place;
    u32 end_line;
    FunctionId next;  // the next function of the same name; NO_ID: none
    u32 call, call_count; // Program.calls: its call sites, in body order
    u32 caller, caller_count; // Program.callers: functions that may call it (each once, sorted)
    u32 component;    // of the call graph: callees have lower or equal numbers
    u32 contexts;     // 1 << CONTEXT_…: how it is started when it is a root (0: not a root)
    u32 marks;        // MARK_…
} ProgramFunction;

enum {
    MARK_ROOT = 1,          // walks start here
    MARK_ADDRESS_TAKEN = 2, // stored or passed somewhere
    MARK_UNCALLED = 4,      // nobody in sight calls it
    MARK_NORETURN = 8,      // by attribute or declaration
    MARK_THREAD_ONCE = 16,  // runs in a thread that exists once (main, or created outside loops)
};

typedef struct {
    u32 expr;   // EXPR_CALL in the body of the caller
    u32 target, target_count; // Program.targets: FunctionIds, sorted; none: unknown or outside the tree
    NameId name; // callee's name of a direct call; 0 for calls through pointers
    u8 indirect;
    u8 cut;      // fan-out limit hit: targets are not all
} CallSite;

typedef struct {
    NameId name;
    FileId file;      // of the definition (or the first declaration)
    u32 index;        // into that tree's globals
    u32 flags;        // DECL_…
    bool is_static;   // per file
    GlobalId next;    // of the same name
} ProgramGlobal;

typedef struct {
    NameId tag;
    FileId file;
    u32 index;     // into the tree's records
    u8 kind;       // TYPE_STRUCT, TYPE_UNION, TYPE_ENUM
    RecordId next; // of the same tag
} ProgramRecord;

typedef struct {
    u64 calls, indirect, indirect_resolved, unresolved;
    u32 fan_out_most;       // targets of one call
    double fan_out_mean;    // of resolved indirect calls
    u32 fan_out_cut;        // calls whose targets were cut
    u32 components, largest_component;
    u32 roots;
    double seconds;
} LinkStats;

typedef struct {
    Intern names;
    Array(ProgramFile) files;
    Array(ProgramFunction) functions;
    Array(CallSite) calls;
    U32Array targets;
    U32Array callers;
    Array(ProgramGlobal) globals;
    Array(ProgramRecord) records;
    const Declarations *declarations;
    LinkStats stats;
    struct LinkTables *tables; // name → functions, globals, records, typedefs
    struct ProgramMemory *memory;
} Program;

// program.c: load heads and bodies, make names global, index --------------------
// callgraph.c: direct calls, calls through pointers, components ------------------
// roots.c: where control starts, and in which context ---------------------------
Program *program_load(Store *store, const Declarations *declarations, u32 jobs);
void program_free(Program *self);
static inline const char *program_text(const Program *self, NameId id) { return intern_text(&self->names, id); }
static inline const Function *program_header(const Program *self, FunctionId id) {
    const ProgramFunction *function = &self->functions.items[id];
    return &self->files.items[function->file].tree.functions.items[function->index];
}
bool program_body(const Program *self, FunctionId id, Body *out); // decodes; false when it has none
// The function a direct call from `from` to `name` means: static in the file, static inline in a
// header, then the closest by include and directory. NO_ID: outside the tree.
FunctionId program_function(const Program *self, FileId from, NameId name);
GlobalId program_global(const Program *self, FileId from, NameId name);
RecordId program_record(const Program *self, FileId from, NameId tag, u8 kind);

// types.c -----------------------------------------------------------------------
// Types of expressions, through typedefs, across files.
typedef struct {
    const Program *program;
    FunctionId function;
    FileId file;
    const Body *body;
} BodyScope;
TypeRef type_strip(const Program *self, TypeRef type);           // through typedefs (and typeof) to what it is
RecordId type_record(const Program *self, TypeRef type);         // of a struct or union type, else NO_ID
TypeRef type_target(const Program *self, TypeRef type);          // pointee or element
// The member `name` of a record, also inside anonymous members: the record that declares it.
bool record_member(const Program *self, RecordId record, NameId name, RecordId *owner, const Field **field, TypeRef *type);
TypeRef expr_type(const BodyScope *scope, ExprId expr);

// What an lvalue names, as users read it. Fields are named by the type they are in.
typedef enum {
    OBJECT_UNKNOWN,
    OBJECT_GLOBAL, // global, and `path` of members below it
    OBJECT_FIELD,  // member of a record reached through a pointer
    OBJECT_LOCAL,  // a local or parameter itself (or a member of it)
} ObjectKind;
typedef struct {
    u8 kind;        // ObjectKind
    bool element;   // some index on the way
    GlobalId global;
    RecordId record; // OBJECT_FIELD: the outermost record behind the last pointer
    NameId member;   // "lock", or "a.b" when nested by value; 0: the whole
    ExprId base;     // OBJECT_FIELD: the pointer expression; OBJECT_LOCAL: the VAR
    FunctionId function; // OBJECT_LOCAL: where it lives
} Object;
Object expr_object(const BodyScope *scope, ExprId lvalue); // lvalue, or a pointer: use expr_pointee
Object expr_pointee(const BodyScope *scope, ExprId pointer); // what a pointer value points to: &x is x, p is *p
// "rtc_lock", "esp.c:IRQ_ports", "struct node.mtx"; appended to `out`.
void object_name(const Program *self, const Object *object, Buffer *out);

#endif
