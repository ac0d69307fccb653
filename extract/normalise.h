// normalise.h: what the files of normalising share: the state of one item, what is read of it and what is written.
#ifndef NORMALISE_H
#define NORMALISE_H

#include "extract/preprocess.h"

#include <ctype.h>

#define DEEPEST 150 // ranges within ranges: below this, calls are copied as they are

typedef enum {
    OPEN_PAREN,   // ( of an expression or a declarator
    OPEN_CALL,    // ( after a name, in an expression: arguments may be types
    OPEN_CONTROL, // ( after if, for, while, switch
    OPEN_BLOCK,   // { of statements
    OPEN_LIST,    // { of an initialiser
    OPEN_RECORD,  // { of a struct, union or enum
    OPEN_INDEX,   // [
} OpenKind;

typedef struct {
    u8 kind;       // OpenKind
    u8 is_enum;    // OPEN_RECORD
    u32 units;     // OPEN_RECORD: names and types seen in this member so far
    u32 questions; // ? without its : yet
    bool element;  // OPEN_INDEX: starts an element of an initialiser
} Open;

// PUSH(f, x): what is called where it is closed.
typedef struct {
    u32 handler, handler_end;   // tokens of f
    u32 argument, argument_end; // of x
    const char *closed_by;      // the name that closes it
} Pushed;

typedef struct {
    Worker *worker;
    const Token *tokens;
    const u32 *partners;
    u32 end;
    OutTokens *out;
    Array(Open) stack;
    Array(Pushed) pushed; // not closed yet
    bool statement;       // a statement may start here
    bool in_case;         // between case and its colon
    bool values;          // expressions are possible here: a body, or after =
    bool record_next;     // struct, union or enum was seen: the next { is its body
    bool enum_next;
    bool hoisted; // attributes of the header were written in front of it
    u32 depth;    // of nested ranges
    u32 floor;    // brackets open where this range began: it closes none of them
} Norm;

// output ----------------------------------------------------------------------

static inline void put(Norm *self, const Token *token) {
    OutToken out = {token->text, token->length, token->offset, token->line, token->column, token->kind, token->code};
    array_push(self->out, out);
}

static inline void put_text(Norm *self, const char *text, const Token *place) {
    OutToken out = {text, (u32)strlen(text), place->offset, place->line, place->column, TOKEN_OTHER, 0};
    if (!text[1]) {
        out.kind = TOKEN_PUNCT;
        out.code = (u8)text[0];
    } else if (isalpha((u8)text[0]) || text[0] == '_') {
        out.kind = TOKEN_NAME;
        out.code = !strcmp(text, "for")     ? KW_FOR
                   : !strcmp(text, "while") ? KW_WHILE
                   : !strcmp(text, "if")    ? KW_IF
                                            : KW_NONE;
    }
    array_push(self->out, out);
}

static inline const OutToken *last_put(const Norm *self) {
    return self->out->count ? &self->out->items[self->out->count - 1] : NULL;
}

// input -----------------------------------------------------------------------

static inline bool at_is(const Norm *self, u32 at, u8 code) {
    return at < self->end && self->tokens[at].kind == TOKEN_PUNCT && self->tokens[at].code == code;
}

static inline bool at_name(const Norm *self, u32 at) {
    return at < self->end && self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code == KW_NONE;
}

static inline bool at_keyword(const Norm *self, u32 at, u8 code) {
    return at < self->end && self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code == code;
}

static inline u32 close_of(const Norm *self, u32 open) {
    u32 close = self->partners[open];
    return close == NO_TOKEN || close >= self->end ? self->end - 1 : close;
}

// Past ( … ) when there is one at `at`.
static inline u32 past_group(const Norm *self, u32 at) { return at_is(self, at, '(') ? close_of(self, at) + 1 : at; }

static inline Open *top(Norm *self) { return self->stack.count ? &self->stack.items[self->stack.count - 1] : NULL; }
static inline bool in(const Norm *self, u8 kind) {
    return self->stack.count && self->stack.items[self->stack.count - 1].kind == kind;
}

// The end of the argument that starts at `at`: its comma or the closing parenthesis.
static inline u32 argument_end(const Norm *self, u32 at, u32 close) {
    while (at < close && !at_is(self, at, ',')) {
        if (at_is(self, at, '(') || at_is(self, at, '[') || at_is(self, at, '{'))
            at = close_of(self, at);
        at++;
    }
    return at < close ? at : close;
}

// Where the type ends if [at, end) is a type, or a declaration of a name, and not a value; else `at`.
static inline u32 type_end(const Norm *self, u32 at, u32 end) {
    if (at >= end || self->tokens[at].kind != TOKEN_NAME)
        return at;
    bool starred =
        at_is(self, end - 1, '*') || (at_keyword(self, end - 1, KW_CONST) && end > at + 1 && at_is(self, end - 2, '*'));
    if (self->tokens[at].code == KW_NONE) {
        if (end == at + 2 && at_name(self, at + 1))
            return at + 1; // `u32 x`
        return end > at + 1 && starred ? end : at;
    }
    if (!is_type_keyword(self->tokens[at].code))
        return at;
    bool tag = end > at + 1 && (at_keyword(self, end - 2, KW_STRUCT) || at_keyword(self, end - 2, KW_UNION) ||
                                at_keyword(self, end - 2, KW_ENUM));
    bool named = end > at + 1 && at_name(self, end - 1) && !tag &&
                 (at_is(self, end - 2, '*') || self->tokens[end - 2].kind == TOKEN_NAME);
    return named ? end - 1 : end;
}

// normalise.c: ranges of tokens -------------------------------------------------
void norm_range(Norm *self, u32 first, u32 end);
// normalise_forms.c: attributes and special forms ---------------------------------
u32 norm_attribute(Norm *self, u32 at);
u32 norm_keyword(Norm *self, u32 at);
void norm_attribute_words(Norm *self, u32 open, u32 close);
// normalise_calls.c: calls, iterators, statement macros -----------------------------
u32 norm_name(Norm *self, u32 at);
u32 norm_string(Norm *self, u32 at);
void put_number(Norm *self, const Token *token);

#endif
