// tree.h: the boundary between extract/ and racerx/: what one source file says, as
// declarations and control-flow graphs of events. docs/trees.md is the specification;
// this is its C face. A tree knows no other file: names are resolved by linking.
//
// All ids are indices into the tree's own arrays; 0 means "none" for StrId (the empty
// string), TypeId (unknown) and ExprId (none).
#ifndef EXTRACT_TREE_H
#define EXTRACT_TREE_H

#include "base/base.h"

#define TREE_VERSION 6

typedef u32 StrId;
typedef u32 TypeId;
typedef u32 ExprId;

typedef struct {
    u32 line, column; // 1-based, in the source the user sees; 0 = unknown
} Place;

// types -----------------------------------------------------------------------
typedef enum {
    TYPE_UNKNOWN,
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT,      // bits; QUAL_UNSIGNED
    TYPE_FLOAT,    // bits
    TYPE_NAMED,    // a typedef's name, resolved by linking
    TYPE_STRUCT,   // name is the tag (or the invented one of an anonymous record)
    TYPE_UNION,    // likewise
    TYPE_ENUM,     // likewise
    TYPE_POINTER,  // inner
    TYPE_ARRAY,    // inner; count, 0 when unknown or flexible
    TYPE_FUNCTION, // inner is what it returns; list is the parameters' TypeIds
    TYPE_TYPEOF,   // list[0] is an ExprId of the owning function (of the file when outside)
} TypeKind;
enum {
    QUAL_CONST = 1,
    QUAL_VOLATILE = 2,
    QUAL_ATOMIC = 4,
    QUAL_UNSIGNED = 8,
    QUAL_VARIADIC = 16,     // functions
    QUAL_NO_PROTOTYPE = 32, // functions: `f()`, parameters unknown
};
typedef struct {
    u8 kind;      // TypeKind
    u8 quals;     // QUAL_…
    u16 bits;     // width of TYPE_INT and TYPE_FLOAT; 0 = unknown
    StrId name;   // of named types and tags
    TypeId inner; // pointee, element, result
    u32 count;    // array length, number of parameters
    u32 list;     // first of `count` entries in Tree.lists (functions, typeof)
} Type;

// expressions -----------------------------------------------------------------
// One flat table per function body and one for the file (initialisers, file-scope
// calls). Children come before their parent. An *lvalue* expression is VAR, NAME,
// MEMBER, DEREF, INDEX, or a CAST, CALL, CONTAINER … below one of those.
// `p->f` is MEMBER(DEREF(VAR p), f); `a[i]` is INDEX(VAR a, VAR i) for arrays and pointers alike.
typedef enum {
    EXPR_NONE,
    EXPR_INT,       // value in a (low), b (high): see expr_int()
    EXPR_FLOAT,     // value not kept
    EXPR_STRING,    // a = StrId (contents, at most 256 bytes)
    EXPR_VAR,       // a = index into the function's vars
    EXPR_NAME,      // a = StrId: a global, a function or an enum constant
    EXPR_MEMBER,    // a = base lvalue, b = StrId of the field
    EXPR_DEREF,     // a = pointer
    EXPR_INDEX,     // a = array or pointer, b = index
    EXPR_ADDRESS,   // a = lvalue
    EXPR_CALL,      // a = callee, b = first argument in Tree/Body lists, c = number of arguments
    EXPR_UNARY,     // op, a        (- + ~ !)
    EXPR_BINARY,    // op, a, b     (arithmetic, comparison, && and ||)
    EXPR_ASSIGN,    // op (OP_NONE for plain =), a = lvalue, b = value
    EXPR_STEP,      // ++ and --: op, a = lvalue, b = 1 when prefix
    EXPR_CAST,      // a = operand, b = TypeId
    EXPR_CHOICE,    // a ? b : c; b is 0 for `a ?: c`
    EXPR_BLOCK,     // a statement expression's value: a = its last expression or 0
    EXPR_SIZEOF,    // a = operand or 0, b = TypeId; also a type given as an argument
    EXPR_CONTAINER, // container_of: a = pointer to the member, b = TypeId, c = StrId "member.path"
    EXPR_LIST,      // compound literal, initialiser list: a = TypeId, b = first InitEntry, c = count
    EXPR_LABEL,     // &&label: a = StrId
    EXPR_ASM,       // inline assembly: b = first operand in lists, c = count (ADDRESS = output)
    EXPR_UNKNOWN,   // something we read past
} ExprKind;
typedef enum {
    OP_NONE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_SHL,
    OP_SHR,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_LOGAND,
    OP_LOGOR,
    OP_NOT,
    OP_COMPL,
    OP_NEG,
    OP_PLUS,
} Op;
typedef struct {
    u8 kind; // ExprKind
    u8 op;   // Op
    u16 pad;
    u32 a, b, c;
} Expr;
static inline i64 expr_int(const Expr *self) { return (i64)((u64)self->a | (u64)self->b << 32); }

// initialisers ----------------------------------------------------------------
typedef enum {
    STEP_FIELD, // .name: value = StrId
    STEP_INDEX, // [n]: value = n
    STEP_RANGE, // [lo ... hi]: value = lo (hi is the next step, STEP_RANGE_END)
    STEP_RANGE_END,
    STEP_POSITION, // the nth element without a designator: value = n, counted from 0
    STEP_UNKNOWN,  // an index that is no literal: value = ExprId of it
    STEP_AFTER,    // `.f = x, y`: the nth element after the field named by the step before, from 1
} StepKind;
typedef struct {
    u32 kind; // StepKind
    u32 value;
} Step;
typedef struct {
    u32 step, step_count; // where in the object: Tree.steps
    ExprId value;         // what is stored there
    Place place;
} InitEntry;
typedef Array(Expr) ExprArray;
typedef Array(Step) StepArray;
typedef Array(InitEntry) InitArray;

// control flow ----------------------------------------------------------------
typedef enum {
    EVENT_READ,  // expr = lvalue
    EVENT_WRITE, // expr = lvalue, value = what is stored (0 unknown)
    EVENT_CALL,  // expr = EXPR_CALL
    EVENT_ASM,   // expr = EXPR_ASM; its reads and writes are events of their own
    EVENT_DECL,  // expr = EXPR_VAR: a local comes into scope (a new object each time round a loop)
    EVENT_LOST,  // a statement we could not read: value = its bytes
} EventKind;
enum {
    EVENT_RMW = 1,      // write: part of `x += 1`, `x++`: the same expression was read just before
    EVENT_INIT = 2,     // write: a declaration's initialiser
    EVENT_CLEANUP = 4,  // call: made at scope exit by a cleanup attribute
    EVENT_ADDRESS = 8,  // read: only the address is taken; nothing is loaded
    EVENT_DISCARD = 16, // call: its result is not used
};
typedef struct {
    u8 kind;  // EventKind
    u8 flags; // EVENT_…
    u16 pad;
    ExprId expr;
    u32 value; // ExprId (bytes for EVENT_LOST)
    Place place;
} Event;

typedef enum {
    TERM_JUMP,        // one successor
    TERM_BRANCH,      // two: taken when the condition is non-zero, and when it is zero
    TERM_SWITCH,      // one per case, in order; Successor.lo/hi
    TERM_RETURN,      // none; value = ExprId
    TERM_COMPUTED,    // goto *p: every label whose address is taken
    TERM_UNREACHABLE, // none: control does not come here
} TermKind;
// How a branch reads, with `!`, likely() and parentheses taken off: the true successor
// is taken when `subject relation constant` holds. `(r = f()) < 0`: subject is the ASSIGN.
typedef enum {
    REL_OPAQUE,
    REL_EQ,
    REL_NE,
    REL_LT,
    REL_LE,
    REL_GT,
    REL_GE,
} Relation;
typedef struct {
    u32 block;
    bool is_default; // switch: the default arm (or the implicit way past)
    i64 lo, hi;      // switch: the case's range
    bool known;      // switch: lo and hi are literals; otherwise `value` is
    ExprId value;    // the case's expression (an enum constant's name, say)
} Successor;
typedef struct {
    u32 event, event_count;         // Body.events
    u8 term;                        // TermKind
    u8 relation;                    // Relation, of a branch
    ExprId value;                   // condition, switch value, returned value
    ExprId subject;                 // of a branch
    i64 constant;                   // of a branch
    u32 successor, successor_count; // Body.successors
    Place place;                    // of the terminator
} Block;

// declarations ----------------------------------------------------------------
enum {
    DECL_STATIC = 1,
    DECL_EXTERN = 2,
    DECL_INLINE = 4,
    DECL_THREAD_LOCAL = 8,
    DECL_REGISTER = 16,
    DECL_PARAM = 32,     // vars
    DECL_ADDRESSED = 64, // vars: & is taken somewhere in the function
    DECL_NORETURN = 128,
    DECL_WEAK = 256,
    DECL_CONSTRUCTOR = 512,
    DECL_ALTERNATIVE = 1024, // functions: from a conditional arm that was not chosen
    DECL_FROM_MACRO = 2048,  // functions: the header was written by a macro
    DECL_ANONYMOUS = 4096,   // records: the tag is ours
    DECL_INITIALISED = 8192, // globals
    DECL_DESTRUCTOR = 16384,
    DECL_INCOMPLETE = 32768, // functions: some of the body was lost
    DECL_ZERO = 65536,       // globals: the initialiser is the number 0
};
typedef struct {
    StrId name; // "" for anonymous members
    TypeId type;
    u32 bits; // bit-field width, with BITS_ANEW; 0 = none
    Place place;
} Field;
#define BITS_ANEW 0x10000u // behind one without width: it begins a word of its own
typedef struct {
    StrId name;
    i64 value;
    bool known; // value could be computed here
    Place place;
} Enumerator;
typedef struct {
    u8 kind; // TYPE_STRUCT, TYPE_UNION, TYPE_ENUM
    u32 flags;
    StrId tag;
    StrId file;               // when not this tree's own file (.i)
    u32 member, member_count; // Tree.fields, or Tree.enumerators
    Place place;
} Record;
typedef struct {
    StrId name, file;
    TypeId type;
    Place place;
} Typedef;
typedef struct { // a global variable, or a prototype when its type is a function
    StrId name, file;
    StrId mark;  // comma-separated words an annotator attached ("percpu"), or ""
    StrId alias; // __attribute__((alias("x")))
    TypeId type;
    u32 flags;
    u32 init, init_count; // Tree.inits: only entries that are not plain numbers
    Place place;
} Global;
typedef struct { // `module_init(foo);` at file scope
    StrId name, file;
    ExprId call; // EXPR_CALL in the file's expressions
    Place place;
} FileCall;

typedef struct {
    StrId name;
    TypeId type;
    StrId cleanup; // function called on &var at scope exit, or ""
    u32 flags;
    u32 init, init_count; // static locals: Body.inits
    Place place;
} Var;
typedef struct {
    StrId name, file;
    StrId mark;
    TypeId type; // TYPE_FUNCTION
    u32 flags;
    u32 param_count; // the first vars are the parameters
    u32 end_line;
    u32 lost_count, lost_bytes; // statements not understood
    u64 body_offset, body_size; // where its body is in the encoded bodies
    Place place;
} Function;

// A comment that begins with `racerx:`, and what it stands at.
typedef struct {
    StrId text;     // after that word, white space as single spaces; at most 1000 bytes
    StrId file;     // as of a function
    StrId function; // it stands at, or right above, the head of this one; "": of none
    u32 line;       // where it begins
    u32 next; // line of the code that comes next; 0: it does not speak of that (code stands before it on its line), or
              // there is none
} Remark;

// A function's body, decoded on its own.
typedef struct {
    Array(Var) vars;
    ExprArray exprs; // [0] is EXPR_NONE
    U32Array lists;  // call arguments
    InitArray inits; // of EXPR_LIST and static locals
    StepArray steps;
    Array(Event) events;
    Array(Block) blocks; // [0] is the entry
    Array(Successor) successors;
    u32 string_limit, type_limit; // body_read: one more than the largest StrId and TypeId met
} Body;

typedef struct {
    Intern strings;
    Array(Type) types; // [0] is TYPE_UNKNOWN; equal types have equal ids
    U32Array lists;    // parameters of function types; arguments of file-scope calls
    Array(Field) fields;
    Array(Enumerator) enumerators;
    Array(Record) records;
    Array(Typedef) typedefs;
    Array(Global) globals;
    Array(FileCall) calls;
    Array(Function) functions;
    Array(Remark) remarks; // in the order of the text
    ExprArray exprs;       // of the file: [0] is EXPR_NONE
    InitArray inits;
    StepArray steps;
    u32 lost_items; // file-scope declarations not understood
    u32 lost_bytes;
    Buffer bodies;      // the functions' bodies, encoded one after another
    Map type_index;     // tree_type: hash of a type to its id
    Map typedef_names;  // StrId to 1 + index of the last typedef of that name
    Map constant_names; // StrId to 1 + index of the enumerator
} Tree;

// tree.c ----------------------------------------------------------------------
void tree_reset(Tree *self);
void tree_free(Tree *self);
void body_reset(Body *self);
void body_free(Body *self);
void body_write(const Body *self, Buffer *out);
bool body_read(Body *self, const u8 *bytes, size_t size); // false: not a body
// A body read from outside may name strings and types its tree has not: ask before using them.
static inline bool body_fits(const Body *self, const Tree *tree) {
    return self->string_limit <= tree->strings.entries.count && self->type_limit <= tree->types.count;
}
// Reads the body of functions[function] out of tree->bodies; false: malformed.
bool tree_body(const Tree *self, u32 function, Body *out);
void tree_write_head(const Tree *self, Buffer *out); // all but the bodies
bool tree_read_head(Tree *self, const u8 *bytes, size_t size);
static inline const char *tree_text(const Tree *self, StrId id) { return intern_text(&self->strings, id); }
TypeId tree_type(Tree *self, Type type, const u32 *list); // interns; list has type.count entries

// tree_check.c: what is promised of a finished tree; dies where it is not kept. Between passes, where checks_wanted().
void tree_check(const Tree *self);

// dump.c ----------------------------------------------------------------------
// Readable, stable text; what tests compare. `function` NULL: the whole tree.
void tree_dump(const Tree *self, const char *path, const char *function, FILE *out);

#endif
