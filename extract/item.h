// item.h: inside extract/, the edge between preprocessing and lowering: one top-level
// item as text that the grammar can read, with the place every token came from.
//
// The text is C after conditionals and macros, normalised. What C has no word for is
// said with reserved names that lowering knows:
//   __rx_lost(N);                a statement of N source bytes that could not be read
//   __rx_asm(op, ...);           inline assembly; outputs are &lvalue, inputs are values
//                                (an input that is an address stands in parentheses)
//   __rx_goto(e);                goto *e
//   __rx_label(name)             &&name
//   struct { int __rx_typeof[e]; }     typeof(e), e an expression (or a plain name)
//   struct { T __rx_typeof; }          typeof(T), T a type
//   f(sizeof(T), x)              a type T given as an argument
//   case __rx_range(lo, hi):     case lo ... hi  (the raw form is mended too, at a price)
//   T __rx_pad : n               a bit-field without a name
//   __rx_atomic(T)               _Atomic(T), where a type stands
//   [[cleanup(f)]] [[noreturn]] [[weak]] [[constructor]] [[destructor]] [[alias("x")]]
//                                the attributes that matter, where attributes may stand
//   [[rx::mark("percpu")]]       a word an annotator attached to a definition
//   for (v = ITER(args); ITER(); ) body
//                                an iterator macro, kept under its own name; its loop variable first
#ifndef EXTRACT_ITEM_H
#define EXTRACT_ITEM_H

#include "base/base.h"
#include "extract/tree.h"

#include <tree_sitter/api.h>

typedef enum {
    ITEM_FUNCTION,    // a function definition
    ITEM_DECLARATION, // anything else that ends in ;
    ITEM_CALL,        // a macro call at file scope: `module_init(foo);`
} ItemKind;

typedef struct {
    u8 kind;          // ItemKind
    u32 flags;        // DECL_ALTERNATIVE, DECL_FROM_MACRO
    const char *name; // of a function: what to call it, whatever the grammar makes of its header
    const char *file; // .i: the file named by the line markers; NULL: the file itself
    const char *text;
    u32 length;
    u32 token_count;
    const u32 *starts;   // byte offset in text of each token, ascending
    const Place *places; // its place in the source
    Place first, last;   // of the whole item in the source
} Item;

// The place of the token at or before `offset`.
Place item_place(const Item *self, u32 offset);

// lower.c ---------------------------------------------------------------------
// requires: `root` is the tree of item->text. fills: tree. One Lowering per thread;
// it keeps its scratch memory between items.
typedef struct Lowering Lowering;
struct Declarations;
Lowering *lowering_new(void);
void lowering_free(Lowering *self);
void lower_item(Lowering *self, const struct Declarations *declarations, const Item *item, TSNode root, Tree *tree);

#endif
