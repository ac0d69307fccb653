// program.h: inside racerx/, the linked program: every tree in memory, names and types resolved,
// who calls whom, and where threads of control start. docs/link.md is the specification.
//
// Everything is a u32 id into an array of the Program. Filled once by program_load(), then
// read-only and safe from any thread. Ids do not depend on the number of threads, but for paths made
// later by program_join(): compare those, never sort by them.
#ifndef RACERX_PROGRAM_H
#define RACERX_PROGRAM_H

#include "annotators/declare.h"
#include "base/base.h"
#include "extract/store.h"
#include "extract/tree.h"
#include "racerx/limits.h"

typedef u32 FileId;
typedef u32 FunctionId;
typedef u32 GlobalId; // variables, prototypes of functions without a body, static locals
typedef u32 RecordId;
typedef u32 NameId; // in Program.names; 0 = "", 1 = "[]"
#define NO_ID UINT32_MAX

// A type as some tree wrote it; resolved further on demand. file NO_ID: unknown.
typedef struct {
    FileId file;
    TypeId type;
    u32 owner;    // 1 + FunctionId whose body the typeof expressions in it belong to; 0: the file
    u32 pointers; // levels of pointer around it that no tree wrote: the type of &x
} TypeRef;
#define NO_TYPE ((TypeRef){NO_ID, 0, 0, 0})

typedef struct {
    char *path;     // as shown
    u8 kind;        // FileKind
    Tree tree;      // head only; tree.strings is emptied once names are global
    NameId *names;  // by StrId of the tree
    u32 name_count; // how many
    u32 *links;     // by TypeId: TypedefId of a named type, RecordId of a struct, union or enum; else NO_ID
    u8 *bodies;     // the encoded bodies of its functions
    u64 bodies_size;
    FunctionId function; // its functions are consecutive
    u32 depth;           // directories in the path
} ProgramFile;

typedef struct {
    NameId name;
    FileId file;
    u32 index; // into the tree's functions
    u32 flags; // DECL_…
    Place place;
    u32 end_line;
    u32 call, call_count;        // Program.calls: its call sites, sorted by expr; program_call() finds one
    GlobalId local, local_count; // Program.globals: its static locals, in order of their vars
    u32 caller, caller_count;    // Program.callers: functions that may call it (each once, sorted)
    u32 component;               // of the call graph: callees have lower or equal numbers
    u32 contexts;                // 1 << CONTEXT_…: how it is started when it is a root (0: not a root)
    u32 marks;                   // MARK_…
} ProgramFunction;

#define MARK(name, bit, word, uses, excludes, context, meaning) MARK_##name = (bit),
enum { // marks.def
#include "racerx/link/marks.def"
};
#undef MARK
enum {
    MARKS_SAID = 1,          // scripts may say it
    MARKS_SHOWN = 2,         // `racerx functions` shows its word
    MARKS_TOLD = 4,          // every finding in such a function says so to ranking
    MARKS_TOLD_BY_RACES = 8, // races do
    MARKS_PARALLEL = MARK_MULTITHREADED | MARK_INTERRUPT_HANDLER,
    MARKS_ALONE = MARK_SINGLE_THREADED | MARK_INIT,
};
typedef struct {
    u32 mark;         // MARK_…
    const char *word; // NULL: none
    u32 uses;         // MARKS_…
    u32 excludes;     // the marks that contradict it: they go when it comes
    u32 context;      // CONTEXT_… that goes with it; CONTEXT_NONE: none
} MarkRow;
extern const MarkRow mark_rows[]; // the last one has no mark

// A function handed over as an argument, at one call site. In the callee, a call site with
// `parameter` n + 1 calls what the site through which control came in binds to n: the walk keeps, for
// the function it is in, the functions bound to its parameters (a binding whose function is NO_ID
// hands on what the caller's own parameter is bound to). Where nothing is bound, `targets` of the inner
// site are what all sites together pass.
typedef struct {
    u32 argument;        // of the callee, from 0
    FunctionId function; // NO_ID: the caller's own parameter `parameter`
    u32 parameter;       // likewise
} Binding;

// A place that functions are stored in: a member of a type (in whatever object), or a global or array of its own.
typedef struct {
    RecordId record;  // NO_ID: a global
    GlobalId global;  // NO_ID: a member
    NameId member;    // of record
    u32 first, count; // Program.stored: FunctionIds, sorted
} StoredField;

// A function that a member of this very global may hold.
typedef struct {
    GlobalId global;
    FunctionId function;
} GlobalHolds;

// never_parallel(f, g): no function of the first list runs while one of the second does; with arguments: while
// those two are the same object; of roots: where control starts with both of them.
typedef struct {
    i32 f_argument, g_argument; // from 1; 0: whatever they are given
    bool roots;                 // said of them as roots only
} NeverParallel;
typedef struct {
    FunctionId function;
    u32 rule;  // Program.never_parallel
    u32 lists; // bit 0: it is one of the f, bit 1: of the g
} NeverParallelMember;

typedef struct {
    u32 expr;                   // EXPR_CALL in the body of the caller
    u32 line;                   // of its first event
    u32 target, target_count;   // Program.targets: FunctionIds, sorted; none: unknown or outside the tree
    u32 binding, binding_count; // Program.bindings, by argument
    NameId name;                // callee's name of a direct call; 0 for calls through pointers
    u32 parameter;              // 1 + index of the caller's parameter that is called; 0: none
    u8 indirect;
    u8 cut;     // fan-out limit hit: targets are not all
    u8 guessed; // targets are functions of the right type, nothing more is known
    u8 repeats; // in a loop of the caller's control flow
    u8 handed;  // the callee is outside the tree and declared to call the functions it is given: they are the targets
} CallSite;

// A function given to somebody who will start it: one per (call, handler).
typedef struct {
    FunctionId from; // the function with the call; NO_ID: at file scope, or a field (fact says which)
    FileId file;     // of the call
    ExprId call;     // EXPR_CALL in its body (in the file's expressions at file scope); 0: stored in a field
    FunctionId handler;
    const CallFact *fact; // context, data, object
} Registration;

// A pointer to a lock is stored in a member behind a pointer.
typedef struct {
    FunctionId function;
    ExprId lvalue, value; // in its body
} LockStore;
typedef Array(LockStore) LockStoreArray;

typedef struct {
    NameId name;
    FileId file;         // of the definition (or the first declaration)
    u32 index;           // into that tree's globals; of a static local: its var
    FunctionId function; // of a static local; else NO_ID
    TypeId type;         // in that tree
    u32 flags;           // DECL_…
    bool is_static;      // per file
    bool is_function;    // a prototype: no body in sight
    bool rival;          // another file, never built together with this one, has one of the same name
} ProgramGlobal;

typedef struct {
    NameId tag;
    FileId file;
    u32 index;    // into the tree's records; NO_ID: no definition in sight
    u8 kind;      // TYPE_STRUCT, TYPE_UNION, TYPE_ENUM; TYPE_NAMED: a typedef that nobody defines
    bool indexed; // its members are in the table of members
} ProgramRecord;

typedef struct {
    NameId name;
    FileId file;
    u32 index; // into the tree's typedefs
} ProgramTypedef;

typedef struct {
    u64 calls, indirect, indirect_resolved, unresolved;
    u32 fan_out_most;    // targets of one call
    double fan_out_mean; // of resolved indirect calls
    u32 fan_out_cut;     // calls whose targets were cut
    u32 components, largest_component;
    u32 roots;
    u32 files, functions, globals, records; // in the program
    u64 names;                              // different strings
    u64 slots, flows;                       // places that hold functions; copies between them
    u32 bodies_bad;                         // bodies that could not be decoded
    u64 memory;                             // peak of the process after linking
    double seconds_load, seconds_index, seconds_scan, seconds_flow;
    double seconds; // all of it
} LinkStats;

typedef struct {
    Intern names;
    Array(ProgramFile) files;
    Array(ProgramFunction) functions;
    Array(CallSite) calls;
    U32Array targets;
    Array(Binding) bindings;
    U32Array callers;
    U32Array taken; // pairs: a file, a function whose address it uses
    Array(ProgramGlobal) globals;
    Array(ProgramRecord) records;
    Array(ProgramTypedef) typedefs;
    Array(Registration) registrations;   // sorted by handler, then by file, from and call
    Array(StoredField) fields;           // sorted by record and member, then by global
    Map rivals;                          // pairs of files that are never part of one program
    Bitset rival_files;                  // those that have some
    U32Array stored;                     // functions of the fields, in runs; fields that hold the same may share one
    Array(GlobalHolds) global_holds;     // by global, then function
    Array(NeverParallel) never_parallel; // in the order they were said
    Array(NeverParallelMember) never_parallel_lists; // sorted by function and rule
    GlobalId *only;                                  // by RecordId: the only object of that type; NO_ID: none
    u32 *said;                                       // by NameId below Program.name_limit: SAID_… of the name
    u32 name_limit;
    const Declarations *declarations;
    LinkStats stats;
    struct LinkTables *tables;  // name → functions, globals, records, typedefs
    LockStoreArray lock_stores; // in the order of files
    struct Points *points;      // what pointers to data may point to
    struct ProgramMemory *memory;
} Program;

// program.c: load heads and bodies, make names global, index --------------------
// callgraph.c: direct calls, calls through pointers, components ------------------
// stored.c: the places functions are stored in -----------------------------------
// May a member of the global hold the function?
bool global_may_hold(const Program *self, GlobalId global, FunctionId function);
// roots.c: where control starts, and in which context ---------------------------
Program *program_load(Store *store, const Declarations *declarations, u32 jobs);
void program_free(Program *self);
void program_check(const Program *self); // program_check.c: dies where what is promised of it is not kept
// annotate.c: runs the annotate(function) of the scripts in force and settles what they mark. fatal() names script,
// line and what to do. requires: nobody else uses the program yet. fills: marks, contexts, never_parallel.
void annotate(Program *self);
const char *program_text(const Program *self, NameId id);
// "parent.member"; either may be 0. Safe from any thread.
NameId program_join(const Program *self, NameId parent, NameId member);
// Names made after loading; names.entries itself does not grow any more. Safe from any thread.
NameId program_intern(const Program *self, const char *text, u32 length);
// All functions of this name, the widest visible first, then in the order of files: `n` counts from 0; NO_ID: no more.
FunctionId program_named(const Program *self, NameId name, u32 n);
static inline u32 program_said(const Program *self, NameId id) { return id < self->name_limit ? self->said[id] : 0; }
static inline const Function *program_header(const Program *self, FunctionId id) {
    const ProgramFunction *function = &self->functions.items[id];
    return &self->files.items[function->file].tree.functions.items[function->index];
}
bool program_body(const Program *self, FunctionId id, Body *out);              // decodes; false when it has none
const CallSite *program_call(const Program *self, FunctionId id, ExprId call); // NULL: no event makes this call
// The function a direct call from `from` to `name` means: static in the file, static inline in a
// header, then the closest by include and directory. NO_ID: outside the tree.
FunctionId program_function(const Program *self, FileId from, NameId name);
GlobalId program_global(const Program *self, FileId from, NameId name);
RecordId program_record(const Program *self, FileId from, NameId tag, u8 kind);

// rivals.c: do two files define the same external function? Then no program has both.
bool files_are_rivals(const Program *self, FileId a, FileId b);

// marks.c -----------------------------------------------------------------------
// The nth word, from 0, of what is known of a function: flags are DECL_…; NULL after the last.
const char *mark_word_at(u32 flags, u32 contexts, u32 marks, u32 n);
// May f and g never run at once? Then, in *f_argument and *g_argument, the arguments that must be the same object
// (from 1; both 0: whatever they are given). A rule without arguments comes before one with.
bool program_never_parallel(const Program *self, FunctionId f, FunctionId g, i32 *f_argument, i32 *g_argument);
// Does a rule say that no two ways meet that begin with these two?
bool program_roots_apart(const Program *self, FunctionId f, FunctionId g);

// types.c -----------------------------------------------------------------------
// Types of expressions, through typedefs, across files.
typedef struct {
    const Program *program;
    FunctionId function;
    FileId file;
    const Body *body; // NULL: the file's own expressions
} BodyScope;
TypeRef type_unname(const Program *self, TypeRef type);    // what a typedef stands for, one step; else the type itself
TypeRef type_strip(const Program *self, TypeRef type);     // through typedefs (and a file's typeof) to what it is
TypeRef scope_strip(const BodyScope *scope, TypeRef type); // also through the typeof of this body
u8 type_kind(const Program *self, TypeRef type);           // TypeKind of a stripped type
static inline bool type_known(TypeRef type) { return type.file != NO_ID; }
RecordId type_record(const Program *self, TypeRef type); // of a struct or union (or undefined) type, else NO_ID
TypeRef type_target(const Program *self, TypeRef type);  // pointee or element
// The member `name` of a record, also inside anonymous members: the record that declares it.
bool record_member(const Program *self, RecordId record, NameId name, RecordId *owner, const Field **field,
                   TypeRef *type);
TypeRef record_field_type(const Program *self, RecordId record, u32 index); // of its nth member
bool type_is_code(const Program *self, TypeRef type); // a function, a pointer to one, an array of those
TypeRef function_type(const Program *self, FunctionId id);
TypeRef global_type(const Program *self, GlobalId id);
TypeRef expr_type(const BodyScope *scope, ExprId expr);
// The nth argument of a call, from 1; those of f(a)(b) count on. 0: it has fewer.
ExprId call_argument(const BodyScope *scope, ExprId call, i32 n);
// Does a declared fact's choice hold for this call?
bool call_choice(const BodyScope *scope, ExprId call, const Choice *choice);

// points.c: what pointers to data may point to, when everything has flowed (docs/places.md).
typedef enum {
    POINTS_UNKNOWN, // nobody knows
    POINTS_GLOBAL,  // id: GlobalId
    POINTS_LOCAL,   // id: FunctionId, var
    POINTS_HEAP,    // id: FunctionId, var: ExprId of the call that allocates
    POINTS_TYPE,    // id: RecordId: some object of the type
} PointsKind;
typedef struct {
    u8 kind;       // PointsKind
    bool element;  // of some element of an array
    u32 id, var;   // see PointsKind
    NameId member; // the last member on the way; 0: the whole
} PointsTarget;
typedef struct {
    PointsTarget items[POINTS_MOST + 1]; // sorted by when they were first met in the text
    u32 count;                           // 0: nothing is said of it
    bool complete;                       // these are all, as far as the text goes
} PointsSet;
void expr_points(const BodyScope *scope, ExprId pointer, PointsSet *out); // of the value of an expression
void global_points(const Program *self, GlobalId global, NameId member, PointsSet *out); // of a pointer kept there
void local_points(const Program *self, FunctionId function, u32 var, NameId member, PointsSet *out);
void heap_points(const Program *self, FunctionId function, ExprId call, NameId member, PointsSet *out);
void record_points(const Program *self, RecordId record, NameId member, PointsSet *out); // in whatever object
// What is allocated and kept in one global, for as long as anybody can find it: the region, named by that; 0: none.
u32 points_region(const Program *self, const PointsTarget *target);
bool points_region_freed(const Program *self, u32 region); // is it ever freed, or made larger?
void points_region_name(const Program *self, u32 region, Buffer *out);
bool type_stands_for_lock(const Program *self, TypeRef type); // data.c: declared so, by any of its names

// What an lvalue names, as users read it. Fields are named by the type they are in.
typedef enum {
    OBJECT_UNKNOWN,
    OBJECT_GLOBAL, // global, and `path` of members below it
    OBJECT_FIELD,  // member of a record reached through a pointer
    OBJECT_LOCAL,  // a local or parameter itself (or a member of it)
} ObjectKind;
typedef struct {
    u8 kind;      // ObjectKind
    bool element; // some index on the way (behind the last pointer)
    GlobalId global;
    RecordId record;     // OBJECT_FIELD: the outermost record behind the last pointer; NO_ID: not known
    NameId member;       // "lock", or "a.b" when nested by value; 0: the whole
    ExprId base;         // OBJECT_FIELD: the pointer expression; OBJECT_LOCAL: the VAR
    FunctionId function; // OBJECT_LOCAL: where it lives
    NameId local;        // OBJECT_LOCAL: its name
} Object;
Object expr_object(const BodyScope *scope, ExprId lvalue);   // lvalue, or a pointer: use expr_pointee
Object object_only(const Program *self, Object object);      // of a type with one object: that; else what it was
Object expr_pointee(const BodyScope *scope, ExprId pointer); // what a pointer value points to: &x is x, p is *p
// "rtc_lock", "esp.c:IRQ_ports", "struct node.mtx"; appended to `out`.
void object_name(const Program *self, const Object *object, Buffer *out);
void record_name(const Program *self, RecordId record, Buffer *out); // "struct node", "rtc_t"

const char *function_path(const Program *self, FunctionId id); // of its file; in a .i file, as the markers say
void field_name(const Program *self, const StoredField *field, Buffer *out); // "struct file_operations.open", "table"
void type_text(const Program *self, TypeRef type, Buffer *out); // as C has it: "struct file *", "int (*)(int)"

// components.c ----------------------------------------------------------------------
// Strongly connected components of a graph in rows: edges[first[n]] … edges[first[n + 1]] are n's. Numbered so
// that what a component leads to has lower numbers. Returns how many; without recursion.
u32 fill_components(u32 count, const u32 *first, const u32 *edges, u32 *component);

#endif
