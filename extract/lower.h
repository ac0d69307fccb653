// lower.h: inside extract/, the lowering of one item: a grammar tree in, declarations and a CFG of
// events out. Sections in pipeline order. See docs/trees.md for what the result must satisfy.
#ifndef EXTRACT_LOWER_H
#define EXTRACT_LOWER_H

#include "annotators/declare.h"
#include "extract/cursor.h"
#include "extract/item.h"
#include "extract/tree.h"

// ast.c -----------------------------------------------------------------------
// The grammar's tree as an array of our own nodes, in source order. Comments and tokens are gone.
typedef enum {
    NODE_NONE,
    NODE_ERROR,
    NODE_OTHER,
#define NODE(kind, name) NODE_##kind,
#include "extract/nodes.def"
#undef NODE
    NODE_KINDS
} NodeKind;
enum {
    AST_BAD = 1,       // an error, a missing token, or too deep to follow
    AST_HOLDS_BAD = 2, // itself or something below it is AST_BAD (and not inside a block or list of its own)
    AST_PREFIX = 4,    // the operator came before the first child
    AST_DEEP = 8,      // too deep: its children were not looked at
};
typedef enum { FIELD_NONE, FIELD_INITIALISER, FIELD_CONDITION, FIELD_UPDATE, FIELD_BODY } ForField;
typedef struct {
    u8 kind;         // NodeKind
    u8 op;           // Op of its operator token, or OP_ARROW, OP_ASSIGN_PLAIN
    u8 flags;        // AST_…
    u8 field;        // ForField, below a for statement
    u32 start, end;  // bytes in the item's text
    u32 first, next; // child, sibling; 0 = none
} AstNode;
enum { OP_ARROW = 64, OP_ASSIGN_PLAIN = 65 }; // operators that are no Op: `->`, `=`
typedef struct {
    u32 node, last; // node being filled; its last child so far
    u32 depth;      // effective: chains that lowering walks in a loop do not count
} AstOpen;
typedef struct {
    Array(AstNode) nodes;       // [0] is no node; [1] is the root
    const TSLanguage *language; // the tables below are of
    u8 *kinds;                  // NodeKind by grammar symbol; NODE_NONE: dropped
    u8 *operators;              // 1 + op by grammar symbol; 0: no operator
    u8 *fields;                 // ForField by grammar field
    u32 symbol_count;
    Array(AstOpen) open; // from the root to where the walk is
    NodeCursor cursor;
} Ast;
void ast_build(Ast *self, TSNode root);
void ast_free(Ast *self);

// lower.c ---------------------------------------------------------------------
#define BLOCK_NONE UINT32_MAX

// A block while the function is being built: successors are ids of such blocks.
typedef struct {
    u32 event, event_count;         // Lowering.events
    u8 term, relation;              // TermKind, Relation
    bool started;                   // has its place in the order
    u32 to[2];                      // successors of jumps and branches
    u32 successor, successor_count; // Lowering.successors, of switches
    ExprId value, subject;          // as in Block
    i64 constant;
    Place place;
} RawBlock;
typedef struct {
    StrId name;
    u32 block;
    u32 cleanup;    // Lowering.cleanups that are in force at the label
    bool defined;   // its statement was met
    bool addressed; // &&label
} Label;
typedef struct {
    u32 block;   // that only runs the cleanups, then goes on to the label
    u32 label;   // Lowering.labels
    u32 cleanup; // in force at the goto
    Place place;
} PendingGoto;
typedef struct {
    u32 var;      // whose cleanup function is due
    ExprId guard; // or the call that is repeated; 0: none
    u32 parent;   // the one declared before it in the same or an outer scope; 0 = none
    u32 depth;    // 1 + that of the parent
} Cleanup;
typedef struct {
    StrId name;
    u32 old; // what it was bound to
} Undo;
typedef struct {
    u32 undo;    // Lowering.undo when the scope was opened
    u32 cleanup; // likewise
} Scope;
typedef struct {
    u32 block;   // BLOCK_NONE: there is nothing to leave
    u32 cleanup; // in force there
} Target;

typedef struct {
    ExprId id;
    u32 stamp; // of the item it is valid for
    u32 hash;  // of the expression
} SharedSlot;

// What a name is bound to in the innermost scope; vars are BOUND_VAR + index.
enum { BOUND_NONE, BOUND_GLOBAL, BOUND_TYPE, BOUND_VAR };

struct Lowering {
    Ast ast;
    const Declarations *declarations;
    const Item *item;
    Tree *tree;
    StrId file;     // item->file in the tree
    u32 place_hint; // token last looked up
    Map said;       // hash of a called name to 1 + the SAID_… that matter here
    // where expressions go: the body's tables or the file's
    ExprArray *exprs;
    U32Array *lists;
    InitArray *inits;
    StepArray *steps;
    u32 mute;                      // > 0: expressions without events or control flow (file scope, sizeof, typeof)
    u32 constants;                 // > 0: known enum constants are literals (values of enumerators)
    bool word_ended;               // the bit-fields before had one without width behind them
    u32 in_record;                 // > 0: inside a record or typedef, where typeof cannot refer to an expression
    SharedSlot *shared;            // open addressing: expressions without side effects
    u32 shared_size, shared_count; // slots, a power of two; those of this stamp
    u32 stamp;                     // of the item: slots of another are free
    U32Array stack;                // arguments and operands being gathered
    InitArray entry_stack;         // entries of lists being gathered
    Array(Field) field_stack;      // fields of records being gathered
    StepArray path;                // steps from the object to where we are in its initialiser
    u32 path_base;                 // where the innermost list's steps start in it
    Buffer text;                   // strings being put together
    // the function
    bool in_function;
    Body body;
    Function function;
    U32Array bindings; // by StrId: BOUND_…
    Array(Undo) undo;
    Array(Cleanup) cleanups; // [0] is none
    u32 cleanup;             // innermost in force
    Array(RawBlock) blocks;
    U32Array order;              // blocks in the order they were started
    Array(Event) events;         // in the order of `order`
    Array(Successor) successors; // of switches
    Array(Successor) cases;      // of the switches that are open, innermost last
    Array(Label) labels;
    U32Array label_of; // by StrId: 1 + index of the label
    Array(PendingGoto) pending;
    u32 current;   // block being filled, or BLOCK_NONE: this code is not reached
    u32 case_base; // first of the innermost switch's cases
    bool in_switch;
    Target break_to, continue_to;
    U32Array forward, fresh, preds; // scratch of block_finish
};

static inline const AstNode *ast_at(const Lowering *self, u32 node) { return &self->ast.nodes.items[node]; }
static inline u8 node_kind(const Lowering *self, u32 node) { return self->ast.nodes.items[node].kind; }
static inline bool node_holds_bad(const Lowering *self, u32 node) {
    return self->ast.nodes.items[node].flags & AST_HOLDS_BAD;
}
static inline const char *node_text(const Lowering *self, u32 node) {
    return self->item->text + self->ast.nodes.items[node].start;
}
static inline u32 node_length(const Lowering *self, u32 node) {
    return self->ast.nodes.items[node].end - self->ast.nodes.items[node].start;
}
static inline char node_first(const Lowering *self, u32 node) { // its first byte
    return node_length(self, node) ? *node_text(self, node) : 0;
}
bool node_is(const Lowering *self, u32 node, const char *text);
u32 node_child(const Lowering *self, u32 node, u32 index); // errors are not counted; 0 = none
u32 node_strip(const Lowering *self, u32 node);            // parentheses off
Place node_place(Lowering *self, u32 node);
Place offset_place(Lowering *self, u32 offset);
StrId node_string(Lowering *self, u32 node);
void lower_lost(Lowering *self, u32 node);  // counts it, in the function or in the file
void lose_errors(Lowering *self, u32 node); // errors right below a node
void lower_lost_bytes(Lowering *self, u32 bytes, Place place);
void lower_function(Lowering *self, u32 node);
void use_body_tables(Lowering *self);
void use_file_tables(Lowering *self);

// lower_scope.c ---------------------------------------------------------------
Scope scope_open(Lowering *self);
void scope_close(Lowering *self, Scope scope, Place place); // runs the cleanups
void scope_bind(Lowering *self, StrId name, u32 bound);
u32 scope_lookup(const Lowering *self, StrId name);
u32 var_add(Lowering *self, Var var);
bool is_type_name(const Lowering *self, u32 node);        // a plain name that must be a type
void guard_add(Lowering *self, ExprId call, Place place); // to be repeated at the end of the scope
void cleanups_run(Lowering *self, u32 from, u32 to, Place place);
u32 label_add(Lowering *self, StrId name); // index; made at its first mention

// lower_type.c ----------------------------------------------------------------
typedef struct {
    TypeId type;
    u32 flags;                  // DECL_…
    StrId cleanup, mark, alias; // of attributes
    bool is_auto;               // the initialiser's type
} Specifiers;
typedef struct {
    TypeId type;
    u32 name;       // node, or 0
    u32 parameters; // parameter_list of the function it declares, or 0
} Declarator;
bool kind_is_specifier(u8 kind);
bool kind_is_declarator(u8 kind);
Specifiers lower_specifiers(Lowering *self, u32 node, StrId hint);
Declarator lower_declarator(Lowering *self, u32 node, TypeId base, Specifiers *specifiers);
TypeId lower_type_descriptor(Lowering *self, u32 node);
TypeId lower_parameter_type(Lowering *self, u32 node, u32 *name);
TypeId type_pointer(Lowering *self, TypeId inner, u8 quals);
TypeId type_qualify(Lowering *self, TypeId type, u8 quals);
u32 lower_function_type(Lowering *self, u32 parameters, TypeId result);
void global_add(Lowering *self, const Specifiers *specifiers, const Declarator *declarator, u32 init_node);
void lower_globals(Lowering *self, u32 node);
void lower_typedef(Lowering *self, u32 node);
void lower_attributes(Lowering *self, u32 node, Specifiers *out);

// lower_record.c --------------------------------------------------------------
TypeId lower_record(Lowering *self, u32 node, StrId hint, u8 quals);
typedef struct {
    u32 exprs, lists, inits, steps, types; // how many there were
} TableMark;
TableMark table_mark(const Lowering *self);
void table_rewind(Lowering *self, TableMark mark);       // forgets expressions that turned out not to be needed
bool lower_constant(Lowering *self, u32 node, i64 *out); // leaves no expression behind
TypeId lower_primitive(Lowering *self, u32 node, u8 quals);
TypeId lower_sized(Lowering *self, u32 node, u8 quals);

// lower_init.c ----------------------------------------------------------------
ExprId lower_list(Lowering *self, u32 node, TypeId type);                 // EXPR_LIST
void lower_initialiser(Lowering *self, u32 node, u32 *first, u32 *count); // of a static object

// lower_expr.c ----------------------------------------------------------------
ExprId expr_add(Lowering *self, Expr expr); // shared when it has no side effects; folds literals
ExprId expr_int_add(Lowering *self, i64 value);
ExprId expr_name(Lowering *self, u32 node); // VAR, or NAME
ExprId expr_deref(Lowering *self, ExprId pointer);
ExprId expr_list(Lowering *self, Expr expr, u32 base); // takes stack[base..] as its children
TypeId lowered_type(Lowering *self, ExprId expr);      // as far as this function knows; 0 = unknown
bool expr_is_lvalue(const Lowering *self, ExprId expr);
void event_add(Lowering *self, EventKind kind, u8 flags, ExprId expr, u32 value, Place place);
void expr_mark_addressed(Lowering *self, ExprId lvalue);
ExprId lower_value(Lowering *self, u32 node);
ExprId lower_lvalue(Lowering *self, u32 node);
ExprId lower_muted(Lowering *self, u32 node); // a value without events
void lower_discard(Lowering *self, u32 node);
void lower_store(Lowering *self, ExprId target, ExprId value, u8 flags, Place place);

// lower_literal.c -------------------------------------------------------------
ExprId lower_number(Lowering *self, u32 node);
ExprId lower_char(Lowering *self, u32 node);
ExprId lower_string(Lowering *self, u32 node);
bool expr_fold(u8 op, i64 a, i64 b, i64 *out); // a binary operator on literals

// lower_call.c ----------------------------------------------------------------
ExprId lower_call(Lowering *self, u32 node, bool discard);
ExprId lower_asm(Lowering *self, u32 node);
u32 call_likely(Lowering *self, u32 node); // its first argument when the callee is likely()-like
ExprId lower_guard(Lowering *self, u32 node,
                   bool discard);             // such a call that is a statement, or a variable's first value
bool call_is_guard(Lowering *self, u32 node); // one of a declared guard, as in guard(kind)(lock)
u32 call_named(Lowering *self, u32 node, const char *name); // its argument list when the callee is `name`
ExprId call_make(Lowering *self, ExprId callee, const u32 *arguments, u32 count);

// lower_cond.c ----------------------------------------------------------------
ExprId lower_condition(Lowering *self, u32 node, u32 yes, u32 no); // ends the block with a branch
ExprId lower_logical(Lowering *self, u32 node, bool discard);      // && and || as values
ExprId lower_choice(Lowering *self, u32 node, bool discard);       // ?: as a value
bool choice_asks(Lowering *self, u32 node);                        // is it `c ? f() : 0`?
ExprId lower_choice_to(Lowering *self, u32 node, ExprId target, Place place);
void block_branch(Lowering *self, ExprId value, u32 yes, u32 no, Place place);

// lower_flow.c ----------------------------------------------------------------
void lower_statement(Lowering *self, u32 node);
void lower_statements(Lowering *self, u32 first);                     // a node and its siblings
void lower_pieces(Lowering *self, u32 first);                         // likewise; what is no statement is lost
ExprId lower_block_value(Lowering *self, u32 compound, bool discard); // a statement expression
void lower_local(Lowering *self, u32 node);                           // a declaration

// lower_block.c ---------------------------------------------------------------
u32 block_new(Lowering *self);
void block_start(Lowering *self, u32 block);
RawBlock *block_end(Lowering *self, TermKind term, Place place); // NULL when not reached
void block_jump(Lowering *self, u32 to, Place place);
void block_finish(Lowering *self, Place end); // raw blocks to Body.blocks
void block_reset(Lowering *self);

#endif
