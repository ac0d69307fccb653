// couples.h: inside racerx/, two locks of one type, of two objects, one taken under the other: what the text says of
// how the two objects belong together, and what follows from that.
#ifndef RACERX_COUPLES_H
#define RACERX_COUPLES_H

#include "racerx/check/circles.h"

// derived.c ------------------------------------------------------------------------
// What a value was made from: variables by index, globals by NameId | KEY_GLOBAL.
#define KEY_GLOBAL (1ull << 32)
typedef struct {
    u64 items[KEYS_OF_VALUE];
    u32 count;
    bool around; // a remainder was taken of something and one more: the last is followed by the first
    bool cut;    // there are more
    bool chosen; // one of several, by a comparison that says which comes first
} KeySet;
// The text of one function, for questions about its variables.
typedef struct {
    Analysis *analysis;
    FunctionId function;
    bool helper;  // it was looked into for another one's sake
    ExprId until; // comparisons from here on come too late to say who is first; 0: all are asked
    Body body;
    U32Array written; // pairs: variable, ExprId of what is stored
} FunctionText;
// By which members a value is reached from others.
typedef struct {
    NameId members[LINKS_OF_COUPLE];
    u32 count;
    bool called; // some function was asked on the way
    bool around; // see KeySet
} LinkWay;
bool text_begin(FunctionText *self, Analysis *analysis, FunctionId function); // false: it has no text
void text_end(FunctionText *self);
void text_keys(const FunctionText *self, ExprId value, KeySet *out); // what stands in the expression
void text_origins(const FunctionText *self, KeySet *keys);           // and what that was made from
// Is what these keys name reached from those? By which members.
bool text_way(const FunctionText *self, const KeySet *to, const KeySet *from, LinkWay *out);
bool text_way_to_value(const FunctionText *self, ExprId value, const KeySet *from, LinkWay *out);
// Does the function ask which of two values comes first?
bool text_orders(const FunctionText *self, const KeySet *one, const KeySet *other);
bool text_tells_apart(const FunctionText *self, const KeySet *one, const KeySet *other); // whether they are the same?
bool text_makes(const FunctionText *self, const KeySet *keys); // is it nothing but what was allocated here?

// links.c --------------------------------------------------------------------------
// What is stored in members that lead from an object to others of its kind.
typedef struct {
    Analysis *analysis;
    Map asked;    // NameIds of such members
    Map opposite; // (member, member): one leads back where the other came from; with itself: there and back
    Map around;   // NameIds of those that lead round in a ring
    Map swapped;  // (member, member): what one thing has in the one, another has in the other
    bool filled;
} LinkTable;
void links_begin(LinkTable *self, Analysis *analysis);
void links_end(LinkTable *self);
void links_ask(LinkTable *self, NameId member);
void links_fill(LinkTable *self);
bool links_lead_back(const LinkTable *self, NameId one, NameId other);
bool links_go_round(const LinkTable *self, NameId member);
bool links_are_mixed(const LinkTable *self, NameId one, NameId other);

#endif
