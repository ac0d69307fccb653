// link.h: inside the link stage: what its passes hand to each other. In pipeline order: load, resolve, types,
// bodies, pointers, callgraph, roots. program.h is what the others see.
#ifndef RACERX_LINK_H
#define RACERX_LINK_H

#include "racerx/link/program.h"

// resolve.c -----------------------------------------------------------------------
// Which declaration a name means from a file. The declarations of one name are sorted by class,
// then by file; files are sorted by path, so the closest ones are neighbours.
typedef struct {
    NameId name;
    FileId file;
    u32 id;
    u32 class; // smaller: rather this one; each kind of declaration has its own
} NameEntry;
typedef struct {
    u32 *first; // by NameId: into entries; one more at the end
    NameEntry *entries;
    u32 count;
} LinkNames;

typedef struct {
    RecordId owner; // the record that declares it: the outer one, or an anonymous one inside
    u32 index;      // nth member of that
} MemberEntry;

struct LinkTables {
    LinkNames functions, globals, records, typedefs;
    Map members;                // (record, NameId) to an index into `entries`: large records, and anonymous members
    Array(MemberEntry) entries; // where a member is
    Bitset code_fields;         // NameIds under which some record has a pointer to a function
    Bitset data_fields;         // NameIds under which some record has a pointer to data that is followed
    Bitset noreturn;            // NameIds that some prototype says do not return
    u32 *main_above;            // by file: bit n: the nth directory of its path, from 1, has a `main` in it
    u32 *said;                  // by file: different names in it that declarations call locks or threads
    Map declared;               // NameId to 1 + TypeId in the file of declared types, which comes after the last
};
void resolve_index(Program *self);           // fills globals, records, typedefs and the tables of names
void resolve_said(Program *self);            // fills what decides between definitions that are equally near
void resolve_links(Program *self, u32 jobs); // fills ProgramFile.links
void resolve_free(Program *self);
void find_rivals(Program *self); // rivals.c: requires functions by name, callers. fills: rivals, rival_files
void mark_rivals(Program *self); // requires rivals, globals. fills: ProgramGlobal.rival
static inline NameId file_name(const Program *self, FileId file, StrId id) { return self->files.items[file].names[id]; }

// types.c, members.c ----------------------------------------------------------------
void declared_types(Program *self, u32 jobs); // fills said, tables->declared, the file of declared types
void index_members(Program *self);            // fills tables->members, entries, code_fields, data_fields

// bodies.c --------------------------------------------------------------------------
// A slot is a place that holds pointers to functions, or a function itself. Its key:
typedef enum {
    SLOT_NONE,
    SLOT_FUNCTION, // high: FunctionId
    SLOT_FIELD,    // high: RecordId (or SLOT_NO_RECORD), low: NameId of the member
    SLOT_GLOBAL,   // high: GlobalId, low: 0, or the member of that very object
    SLOT_VAR,      // high: FunctionId, low: var (parameters are the first)
    SLOT_RESULT,   // high: FunctionId: what it returns
    SLOT_MIXED,    // a field or global that is no pointer to a function (void *), for functions of one type: a hash
    // Of pointers to data only (DataCell.base):
    SLOT_HEAP, // high: FunctionId, low: ExprId of the call that allocates
    SLOT_TEMP, // high: FunctionId, low: ExprId: the value of an expression
    SLOT_TYPE, // high: RecordId: some object of that type, reached by a pointer of which nothing else is known
    SLOT_ALL,  // likewise: all objects of that type together; stored to, never read by the solver
} SlotKind;
typedef u64 SlotKey; // kind << 60 | high << 32 | low
#define SLOT_NO_RECORD 0xfffffffu
static inline SlotKey slot_key(SlotKind kind, u32 high, u32 low) {
    return (u64)kind << 60 | (u64)(high & SLOT_NO_RECORD) << 32 | low;
}
static inline SlotKind slot_kind(SlotKey key) { return (SlotKind)(key >> 60); }
static inline u32 slot_high(SlotKey key) { return (u32)(key >> 32) & SLOT_NO_RECORD; }
static inline u32 slot_low(SlotKey key) { return (u32)key; }

typedef struct {
    SlotKey from, to; // what `from` holds, `to` may hold
} PointerFlow;

// A call through a pointer. Calls are numbered in the chunk, then in the program.
typedef struct {
    u32 call;
    SlotKey slot;  // what is called; SLOT_NONE: only `signature` is known
    SlotKey other; // asked when that holds nothing; SLOT_NONE: nothing to ask
    u64 signature; // of the called type; 0: not known
} IndirectCall;

// A function value that is an argument of a call through a pointer: it flows into whatever is called.
typedef struct {
    u32 call;
    u32 argument;
    SlotKey value;
} IndirectArgument;

// A call of a function that is declared to start what it is given.
typedef struct {
    u32 call;        // NO_ID: at file scope
    FunctionId from; // NO_ID: likewise
    FileId file;
    ExprId expr;
    SlotKey handler;
    const CallFact *fact;
} RegisterCall;

typedef struct {
    FunctionId function;
    NameId name;
    u32 var;
    u32 flags;
    TypeId type;
} StaticLocal;

typedef struct {
    FunctionId function;
    u32 call, call_count; // in the chunk
} ScannedFunction;

typedef Array(PointerFlow) FlowArray;

// Pointers to data. A cell is a place that may hold one: an object (SLOT_GLOBAL, SLOT_VAR, SLOT_HEAP …) and the last
// member on the way, whatever is before it. No base: nobody knows.
typedef struct {
    SlotKey base;
    NameId member; // 0: the object itself; | DATA_ELEMENT: of some element of an array
} DataCell;
#define DATA_ELEMENT 0x80000000u
typedef enum {
    DATA_COPY,    // to holds what `from` holds
    DATA_ADDRESS, // to points to `from`
    DATA_LOAD,    // to holds what is in `member` of what `from` points to
    DATA_STORE,   // `member` of what `to` points to holds what `from` holds
    DATA_PART,    // to points to `member` of what `from` points to
    DATA_UP,      // to points to what the `member` that `from` points to is in
    DATA_RESULT,  // to holds what the call `member` in the function `record` returns, a call of from.base
} DataKind;
typedef struct {
    DataCell to, from;
    NameId member;   // | DATA_ELEMENT
    RecordId record; // that has the member, by the type of the pointer; NO_ID: not known
    u32 kind;        // DataKind
} DataFlow;
typedef Array(DataFlow) DataFlowArray;

// A call through a table of functions whose holder is an object that is known: `disk.driver->stop()`.
typedef struct {
    u32 call;
    bool pointer;    // the holder is what `holder` points to
    DataCell holder; // that has the table, or a pointer to it
    NameId kept;     // the holder's member that points to the table; behind a pointer only
    RecordId record; // that has this member; NO_ID: not known
    NameId member;   // of the table: what is called
} TableCall;

// A pointer that a call through a pointer hands over.
typedef struct {
    u32 call;
    u32 argument;
    DataCell cell;
} DataPassed;

// What a contiguous range of files says.
typedef struct {
    u32 first, end; // files
    Array(ScannedFunction) functions;
    Array(CallSite) calls; // target: the FunctionId itself when target_count is 1
    Array(Binding) bindings;
    FlowArray flows;
    Array(IndirectCall) indirect;
    Array(IndirectArgument) arguments;
    Array(RegisterCall) registers;
    Array(StaticLocal) locals;
    U32Array taken; // pairs: a file, a function whose address it uses
    DataFlowArray data;
    Array(DataPassed) passed;
    Array(DataCell) freed; // pointers that are given to somebody who frees what they point to
    LockStoreArray lock_stores;
    Array(TableCall) tables;
    Array(RecordId) made; // of which there may be objects besides globals and members
    u32 bodies_bad;
} ScanChunk;
typedef struct {
    ScanChunk *chunks;
    u32 count;
} BodyScan;
void scan_bodies(Program *self, u32 jobs, BodyScan *out);
void body_scan_free(BodyScan *self);

// What a body, or a file outside its functions, is scanned with. values.c answers for expressions.
typedef struct {
    Program *program;
    ScanChunk *chunk;
    BodyScope scope;
    Body body;
    FunctionId *memo; // by StrId of the file: 2 + function, 1: none, 0: not asked yet
    u32 memo_capacity;
    Bitset code_vars; // of the body: pointers to functions
    Bitset data_vars; // of the body: pointers to data that are followed
    Map followed;     // (file, type) to 1: a pointer to it is followed only where all are, 2: a table, 3: a lock
    Bitset calls;     // expressions of the body whose call was met
    Bitset repeated;  // those of them that are in a loop
    U32Array lines;   // by expression: where its call was met first
    U32Array graph;   // scratch: control flow in rows
    Bitset used;      // expressions of the body whose value some other one, or an event, uses
    Map made;         // RecordIds that are in some chunk's `made`
} Scanner;
typedef struct {
    SlotKey keys[SOURCES_MOST];
    u32 count;
    u32 budget; // expressions that may still be looked at
} PointerSources;
const Expr *scanner_expr(const Scanner *self, ExprId id);
FunctionId scanner_function(Scanner *self, StrId name); // NO_ID: no function of the tree
// Where a value may come from: functions and slots. `wanted`: the signature of the type it is used as, WANT_ANY when it
// is a function of unknown type; 0: only what is typed as a pointer to a function by itself.
#define WANT_ANY 1
void value_sources(Scanner *self, ExprId value, u64 wanted, PointerSources *out);
// The slots that are written when `lvalue` is; the first is the more general one. `signature`: of what is stored.
void lvalue_slots(Scanner *self, ExprId lvalue, u64 signature, PointerSources *out);
u64 source_signature(Scanner *self, SlotKey source, ExprId value); // of a value that comes from there
// Functions in the entries of an initialiser list of a type. `global`: the object that is initialised, or NO_ID.
// `object`: it is in, for pointers to data; no base: none that has a name.
void scan_entries(Scanner *self, TypeRef type, GlobalId global, SlotKey whole, SlotKey object, u32 first, u32 count,
                  u32 depth);
// A list that is a value: `ops = &(struct ops){ .run = f }`. `whole`: the slot of an array of functions. False: no
// list.
bool scan_list(Scanner *self, ExprId id, SlotKey whole, SlotKey object, u32 depth);
u64 type_signature(const Program *self, TypeRef type); // of a function type, or a pointer to one; 0: not known

// data.c ----------------------------------------------------------------------------
// What is said of pointers to data. Not every pointer is worth following: in trees of over FOLLOWED_MOST functions only
// those to locks and to tables of functions are.
typedef struct {
    const Program *program;
    BodyScope scope;
    Map *followed;      // as Scanner.followed
    DataFlowArray *out; // what was said
} DataScan;
bool data_is_whole(const Program *self); // is every pointer followed?
bool data_type_followed(DataScan *self, TypeRef type);
bool data_is_lock_pointer(DataScan *self, TypeRef type);
void data_value(DataScan *self, ExprId value, DataCell to); // `value` flows to a cell
DataCell data_pointer(DataScan *self, ExprId pointer);      // the cell that holds the value
void data_write(DataScan *self, ExprId lvalue, ExprId value);
void data_member(DataScan *self, RecordId owner, DataCell to, ExprId value); // a member that is initialised

// points.c --------------------------------------------------------------------------
bool data_table(DataScan *self, ExprId callee, TableCall *out); // data.c: all but the call; false: it is no such call
void points_solve(Program *self, const BodyScan *scan);         // requires targets of calls. fills: Program.points
void points_free(Program *self);
// The tables that a call may go through, as GlobalIds; 0: not known. `out` has room for POINTS_MOST.
u32 points_tables(const Program *self, const TableCall *call, GlobalId *out);
typedef struct Points Points;

// pointers.c ------------------------------------------------------------------------
// What every slot may hold, when everything has flowed.
typedef struct {
    Map index; // SlotKey to slot
    Array(SlotKey) keys;
    u32 *component; // by slot
    u32 component_count;
    u32 *first;  // by component: into functions
    u32 *counts; // by component
    U32Array functions;
    Bitset cut; // components that hold more than FAN_OUT_MOST
} SlotTable;
void slots_solve(SlotTable *self, const FlowArray *flows, LinkStats *stats);
const u32 *slot_functions(const SlotTable *self, SlotKey key, u32 *count, bool *cut);
void slots_free(SlotTable *self);

// stored.c --------------------------------------------------------------------------
void fill_stored(Program *self, const SlotTable *slots, const FlowArray *flows); // fills: fields, stored

// only.c ----------------------------------------------------------------------------
void scan_made(Scanner *self); // fills: ScanChunk.made, for the body at hand
void find_only(Program *self, const BodyScan *scan);

// callgraph.c, roots.c --------------------------------------------------------------
void link_calls(Program *self, u32 jobs);
void arguments_check(const Program *self); // arguments.c: fatal() when a script speaks of an argument that is not there
const CallFact *field_fact(const Program *self, SlotKey key); // roots.c: how what is stored there is said to run
// noreturn.c: requires the call graph, marks of definitions. fills: MARK_NORETURN of what never comes back
void find_noreturn(Program *self);
bool declared_noreturn(const Program *self, NameId name); // does no call of it come back, whatever it is given?
// dead.c: requires contexts. fills: MARK_DEAD
void find_dead(Program *self, const BodyScan *scan, const SlotTable *slots, const FlowArray *flows);
void find_roots(Program *self, const BodyScan *scan, const SlotTable *slots, const FlowArray *flows);

#endif
