// normalise.c: what the grammar cannot read, into something equal that it can.
// In: one item's tokens. Out: the item's text as OutTokens, in the words item.h lists.
// One walk over the tokens; a stack of open brackets tells statements from expressions,
// initialisers from blocks, and calls from declarations.
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
    u8 kind;          // OpenKind
    u8 is_enum;       // OPEN_RECORD
    u32 units;        // OPEN_RECORD: names and types seen in this member so far
    u32 questions;    // ? without its : yet
    bool element;     // OPEN_INDEX: starts an element of an initialiser
} Open;

typedef struct {
    Worker *worker;
    const Token *tokens;
    const u32 *partners;
    u32 end;
    OutTokens *out;
    Array(Open) stack;
    bool statement;   // a statement may start here
    bool in_case;     // between case and its colon
    bool values;      // expressions are possible here: a body, or after =
    bool record_next; // struct, union or enum was seen: the next { is its body
    bool enum_next;
    bool hoisted;     // attributes of the header were written in front of it
    u32 depth;        // of nested ranges
    u32 floor;        // brackets open where this range began: it closes none of them
} Norm;

static void norm_range(Norm *self, u32 first, u32 end);

// output ----------------------------------------------------------------------

static void put(Norm *self, const Token *token) {
    OutToken out = {token->text, token->length, token->offset, token->line, token->column, token->kind, token->code};
    array_push(self->out, out);
}

static void put_text(Norm *self, const char *text, const Token *place) {
    OutToken out = {text, (u32)strlen(text), place->offset, place->line, place->column, TOKEN_OTHER, 0};
    if (!text[1]) {
        out.kind = TOKEN_PUNCT;
        out.code = (u8)text[0];
    } else if (isalpha((u8)text[0]) || text[0] == '_') {
        out.kind = TOKEN_NAME;
        out.code = !strcmp(text, "for") ? KW_FOR : !strcmp(text, "while") ? KW_WHILE : !strcmp(text, "if") ? KW_IF : KW_NONE;
    }
    array_push(self->out, out);
}

static const OutToken *last_put(const Norm *self) {
    return self->out->count ? &self->out->items[self->out->count - 1] : NULL;
}

// input -----------------------------------------------------------------------

static bool at_is(const Norm *self, u32 at, u8 code) {
    return at < self->end && self->tokens[at].kind == TOKEN_PUNCT && self->tokens[at].code == code;
}

static bool at_name(const Norm *self, u32 at) {
    return at < self->end && self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code == KW_NONE;
}

static bool at_keyword(const Norm *self, u32 at, u8 code) {
    return at < self->end && self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code == code;
}

static u32 close_of(const Norm *self, u32 open) {
    u32 close = self->partners[open];
    return close == NO_TOKEN || close >= self->end ? self->end - 1 : close;
}

// Past ( … ) when there is one at `at`.
static u32 past_group(const Norm *self, u32 at) { return at_is(self, at, '(') ? close_of(self, at) + 1 : at; }

static Open *top(Norm *self) { return self->stack.count ? &self->stack.items[self->stack.count - 1] : NULL; }
static bool in(const Norm *self, u8 kind) {
    return self->stack.count && self->stack.items[self->stack.count - 1].kind == kind;
}

// The end of the argument that starts at `at`: its comma or the closing parenthesis.
static u32 argument_end(const Norm *self, u32 at, u32 close) {
    while (at < close && !at_is(self, at, ',')) {
        if (at_is(self, at, '(') || at_is(self, at, '[') || at_is(self, at, '{'))
            at = close_of(self, at);
        at++;
    }
    return at < close ? at : close;
}

// Where the type ends if [at, end) is a type, or a declaration of a name, and not a value; else `at`.
static u32 type_end(const Norm *self, u32 at, u32 end) {
    if (at >= end || self->tokens[at].kind != TOKEN_NAME)
        return at;
    bool starred = at_is(self, end - 1, '*') || (at_keyword(self, end - 1, KW_CONST) && end > at + 1 && at_is(self, end - 2, '*'));
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

// attributes ------------------------------------------------------------------

static bool spelled(const Token *token, const char *word) { // with or without __ around it
    const char *text = token->text;
    u32 length = token->length, size = (u32)strlen(word);
    if (length == size + 4 && text[0] == '_' && text[1] == '_' && text[length - 1] == '_')
        text += 2, length -= 4;
    return length == size && !memcmp(text, word, size);
}

static void put_attribute(Norm *self, const char *word, const Token *place, u32 argument, u32 argument_close) {
    put_text(self, "[[", place);
    put_text(self, word, place);
    if (argument) {
        put_text(self, "(", place);
        for (u32 i = argument; i < argument_close; i++)
            put(self, &self->tokens[i]);
        put_text(self, ")", place);
    }
    put_text(self, "]]", place);
}

// Attributes that say something of flow or of lifetime are kept, the others vanish.
static void norm_attribute_words(Norm *self, u32 open, u32 close) {
    static const char *const plain[] = {"noreturn", "weak", "constructor", "destructor"};
    for (u32 i = open; i < close; i++) {
        if (self->tokens[i].kind != TOKEN_NAME)
            continue;
        const Token *token = &self->tokens[i];
        for (u32 w = 0; w < 4; w++)
            if (spelled(token, plain[w]))
                put_attribute(self, plain[w], token, 0, 0);
        if (at_is(self, i + 1, '(')) {
            u32 end = close_of(self, i + 1);
            if (spelled(token, "cleanup") || spelled(token, "alias"))
                put_attribute(self, spelled(token, "cleanup") ? "cleanup" : "alias", token, i + 2, end);
            else if (spelled(token, "mark") && at_is(self, i - 1, ':'))
                put_attribute(self, "rx::mark", token, i + 2, end);
            i = end;
        }
    }
}

static u32 norm_attribute(Norm *self, u32 at) {
    if (!at_is(self, at + 1, '('))
        return at + 1;
    u32 close = close_of(self, at + 1);
    if (!self->hoisted)
        norm_attribute_words(self, at + 2, close);
    return close + 1;
}

// special forms ---------------------------------------------------------------

// typeof(e) → a struct that carries e, in every place a type may stand.
static u32 norm_typeof(Norm *self, u32 at) {
    const Token *place = &self->tokens[at];
    if (!at_is(self, at + 1, '(') || self->depth > 30) {
        put_text(self, "int", place);
        return past_group(self, at + 1);
    }
    u32 close = close_of(self, at + 1);
    bool type = type_end(self, at + 2, close) == close && close > at + 2;
    put_text(self, "struct", place);
    put_text(self, "{", place);
    if (!type) {
        put_text(self, "int", place);
        put_text(self, "__rx_typeof", place);
        put_text(self, "[", place);
    }
    bool values = self->values;
    self->values = !type;
    norm_range(self, at + 2, close);
    self->values = values;
    if (type)
        put_text(self, "__rx_typeof", place);
    else
        put_text(self, "]", place);
    put_text(self, ";", place);
    put_text(self, "}", place);
    return close + 1;
}

// The : separated parts of an asm statement's parentheses.
static u32 asm_part_end(const Norm *self, u32 at, u32 close) {
    while (at < close && !at_is(self, at, ':')) {
        if (at_is(self, at, '(') || at_is(self, at, '['))
            at = close_of(self, at);
        at++;
    }
    return at < close ? at : close;
}

static void norm_asm_operands(Norm *self, u32 at, u32 end, bool output, bool *any) {
    for (; at < end; at++) {
        if (!at_is(self, at, '('))
            continue;
        u32 close = close_of(self, at);
        const Token *place = &self->tokens[at];
        if (close > at + 1) {
            if (*any)
                put_text(self, ",", place);
            if (output)
                put_text(self, "&", place);
            put_text(self, "(", place);
            norm_range(self, at + 1, close);
            put_text(self, ")", place);
            *any = true;
        }
        at = close;
    }
}

static void norm_asm_labels(Norm *self, u32 at, u32 end) {
    for (; at < end; at++) {
        const Token *place = &self->tokens[at];
        if (place->kind != TOKEN_NAME)
            continue;
        static const char *const words[] = {"if", "(", "__rx_asm", "(", ")", ")", "goto"};
        for (u32 i = 0; i < 7; i++)
            put_text(self, words[i], place);
        put(self, place);
        put_text(self, ";", place);
    }
}

// asm statements become a call with their operands; names for symbols vanish.
static u32 norm_asm(Norm *self, u32 at) {
    const Token *place = &self->tokens[at];
    u32 open = at + 1;
    bool jumps = false;
    while (at_keyword(self, open, KW_GOTO) || at_keyword(self, open, KW_VOLATILE) || at_keyword(self, open, KW_INLINE)) {
        jumps |= self->tokens[open].code == KW_GOTO;
        open++;
    }
    if (at_is(self, open, '{')) { // another language
        put_text(self, "__rx_asm", place);
        put_text(self, "(", place);
        put_text(self, ")", place);
        put_text(self, ";", place);
        self->statement = true;
        return close_of(self, open) + 1;
    }
    if (!at_is(self, open, '('))
        return open;
    u32 close = close_of(self, open);
    bool statement = self->statement && in(self, OPEN_BLOCK);
    if (!statement) // `int f(void) asm("g");`, or at file scope
        return close + 1;
    u32 part = asm_part_end(self, open + 1, close), index = 0;
    bool any = false;
    if (jumps)
        put_text(self, "{", place);
    put_text(self, "__rx_asm", place);
    put_text(self, "(", place);
    u32 labels = close;
    while (part < close) {
        u32 end = asm_part_end(self, part + 1, close);
        if (index < 2)
            norm_asm_operands(self, part + 1, end, index == 0, &any);
        if (index == 3)
            labels = part + 1;
        part = end;
        index++;
    }
    put_text(self, ")", place);
    put_text(self, ";", place);
    if (jumps) {
        norm_asm_labels(self, labels, close);
        put_text(self, "}", place);
    }
    self->statement = true;
    return at_is(self, close + 1, ';') ? close + 2 : close + 1;
}

// _Generic(x, A: a, default: d): the default, or the first.
static u32 norm_generic(Norm *self, u32 at) {
    if (!at_is(self, at + 1, '('))
        return at + 1;
    u32 close = close_of(self, at + 1), best = 0, best_end = 0;
    for (u32 arm = argument_end(self, at + 2, close); arm < close;) {
        u32 end = argument_end(self, arm + 1, close), colon = asm_part_end(self, arm + 1, end);
        if (colon < end && (!best || at_keyword(self, arm + 1, KW_DEFAULT)))
            best = colon + 1, best_end = end;
        arm = end;
    }
    put_text(self, "(", &self->tokens[at]);
    if (best && self->depth < 30)
        norm_range(self, best, best_end);
    else
        put_text(self, "0", &self->tokens[at]);
    put_text(self, ")", &self->tokens[at]);
    return close + 1;
}

// A value nobody knows: the size of a type.
static u32 norm_unknown_size(Norm *self, u32 at, bool with_type) {
    const Token *place = &self->tokens[at];
    u32 close = at_is(self, at + 1, '(') ? close_of(self, at + 1) : at;
    put_text(self, "sizeof", place);
    put_text(self, "(", place);
    u32 end = close > at ? argument_end(self, at + 2, close) : at;
    bool values = self->values;
    self->values = false;
    if (with_type && close > at && self->depth < 30 && end > at + 2)
        norm_range(self, at + 2, end);
    else
        put_text(self, "int", place);
    self->values = values;
    put_text(self, ")", place);
    return close + 1;
}

static u32 norm_goto(Norm *self, u32 at) {
    const Token *place = &self->tokens[at];
    if (!at_is(self, at + 1, '*')) {
        put(self, place);
        return at + 1;
    }
    u32 end = at + 2;
    while (end < self->end && !at_is(self, end, ';'))
        end = at_is(self, end, '(') || at_is(self, end, '[') ? close_of(self, end) + 1 : end + 1;
    put_text(self, "__rx_goto", place);
    put_text(self, "(", place);
    norm_range(self, at + 2, end < self->end ? end : self->end);
    put_text(self, ")", place);
    return end;
}

// case lo ... hi:
static u32 norm_case(Norm *self, u32 at) {
    u32 colon = at + 1, dots = 0, questions = 0;
    for (; colon < self->end && !(at_is(self, colon, ':') && !questions); colon++) {
        if (at_is(self, colon, '(') || at_is(self, colon, '['))
            colon = close_of(self, colon);
        else if (at_is(self, colon, P_ELLIPSIS))
            dots = colon;
        else if (at_is(self, colon, '?'))
            questions++;
        else if (at_is(self, colon, ':'))
            questions--;
        else if (at_is(self, colon, ';') || at_is(self, colon, '{') || at_keyword(self, colon, KW_CASE))
            break;
    }
    put(self, &self->tokens[at]);
    self->statement = false;
    if (!dots || !at_is(self, colon, ':')) {
        self->in_case = true;
        return at + 1;
    }
    const Token *place = &self->tokens[dots];
    put_text(self, "__rx_range", place);
    put_text(self, "(", place);
    norm_range(self, at + 1, dots);
    put_text(self, ",", place);
    norm_range(self, dots + 1, colon);
    put_text(self, ")", place);
    put_text(self, ":", place);
    self->statement = true;
    return colon + 1;
}

// _Atomic(T) is T with a qualifier.
static u32 norm_atomic(Norm *self, u32 at) {
    put(self, &self->tokens[at]);
    if (!at_is(self, at + 1, '('))
        return at + 1;
    u32 close = close_of(self, at + 1);
    norm_range(self, at + 2, close);
    return close + 1;
}

// for (MACRO(x)) with a macro nobody knows: a condition is the mildest it can be.
static u32 norm_for(Norm *self, u32 open) {
    u32 close = close_of(self, open);
    for (u32 at = open + 1; at < close; at++) {
        if (at_is(self, at, ';'))
            return open;
        if (at_is(self, at, '(') || at_is(self, at, '{'))
            at = close_of(self, at);
    }
    const Token *place = &self->tokens[open];
    put(self, place);
    put_text(self, ";", place);
    self->statement = false;
    norm_range(self, open + 1, close);
    put_text(self, ";", place);
    put(self, &self->tokens[close]);
    self->statement = true;
    return close + 1;
}

static u32 norm_keyword(Norm *self, u32 at) {
    const Token *token = &self->tokens[at];
    bool was_statement = self->statement;
    if (token->code != KW_ASM && token->code != KW_ATTRIBUTE && token->code != KW_EXTENSION)
        self->statement = false;
    if (in(self, OPEN_RECORD) && is_type_keyword(token->code) && token->code != KW_CONST && token->code != KW_VOLATILE)
        top(self)->units++;
    switch (token->code) {
    case KW_ATTRIBUTE: case KW_DECLSPEC: return norm_attribute(self, at);
    case KW_EXTENSION: case KW_RESTRICT: case KW_COMPLEX: return at + 1;
    case KW_INLINE: put_text(self, "inline", token); return at + 1;
    case KW_CONST: put_text(self, "const", token); return at + 1;
    case KW_VOLATILE: put_text(self, "volatile", token); return at + 1;
    case KW_SIGNED: put_text(self, "signed", token); return at + 1;
    case KW_THREAD: put_text(self, "__thread", token); return at + 1;
    case KW_BOOL: put_text(self, "bool", token); return at + 1;
    case KW_LONG: put_text(self, "long", token); return at + 1;
    case KW_ALIGNAS: return past_group(self, at + 1);
    case KW_ALIGNOF: put_text(self, "sizeof", token); return at + 1;
    case KW_ATOMIC: return norm_atomic(self, at);
    case KW_TYPEOF: return norm_typeof(self, at);
    case KW_ASM: return norm_asm(self, at);
    case KW_GENERIC: return norm_generic(self, at);
    case KW_OFFSETOF: return norm_unknown_size(self, at, true);
    case KW_TYPES_COMPATIBLE: return norm_unknown_size(self, at, false);
    case KW_STATIC_ASSERT: {
        u32 after = past_group(self, at + 1);
        self->statement = was_statement;
        return at_is(self, after, ';') ? after + 1 : after;
    }
    case KW_LABEL:
        while (at < self->end && !at_is(self, at, ';'))
            at++;
        self->statement = true;
        return at + 1;
    case KW_GOTO: return norm_goto(self, at);
    case KW_CASE: return norm_case(self, at);
    case KW_DEFAULT: self->in_case = at_is(self, at + 1, ':'); put(self, token); return at + 1;
    case KW_ELSE: case KW_DO: self->statement = true; put(self, token); return at + 1;
    case KW_STRUCT: case KW_UNION: case KW_ENUM:
        self->record_next = true;
        self->enum_next = token->code == KW_ENUM;
        put(self, token);
        return at + 1;
    case KW_FOR:
        self->statement = was_statement;
        put(self, token);
        return at_is(self, at + 1, '(') ? norm_for(self, at + 1) : at + 1;
    case KW_IF: case KW_WHILE: case KW_SWITCH: self->statement = was_statement; put(self, token); return at + 1;
    default: put(self, token); return at + 1;
    }
}

// calls, iterators, statement macros -------------------------------------------

// Is the argument in [at, end) a statement, or several?
static bool is_statement_argument(const Norm *self, u32 at, u32 end) {
    if (at >= end || !self->values)
        return false;
    if (self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code >= KW_IF && self->tokens[at].code <= KW_CONTINUE)
        return true;
    for (; at < end; at++) {
        if (at_is(self, at, ';'))
            return true;
        if (at_is(self, at, '(') || at_is(self, at, '{'))
            at = close_of(self, at);
    }
    return false;
}

// As ({ if (…) { … } }): what it does may be done about here.
static void norm_statement_argument(Norm *self, u32 at, u32 end) {
    static const char *const before[] = {"(", "{", "if", "(", "__rx_asm", "(", ")", ")", "{"};
    const Token *place = &self->tokens[at], *last = &self->tokens[end - 1];
    for (u32 i = 0; i < sizeof before / sizeof *before; i++)
        put_text(self, before[i], place);
    array_push(&self->stack, ((Open){.kind = OPEN_BLOCK}));
    self->statement = true;
    norm_range(self, at, end);
    self->stack.count--;
    self->statement = false;
    put_text(self, ";", last);
    put_text(self, "}", last);
    put_text(self, "}", last);
    put_text(self, ")", last);
}

static void norm_arguments(Norm *self, u32 open) {
    u32 close = close_of(self, open);
    array_push(&self->stack, ((Open){.kind = OPEN_CALL}));
    put(self, &self->tokens[open]);
    for (u32 at = open + 1; at < close;) {
        u32 end = argument_end(self, at, close);
        if (is_statement_argument(self, at, end)) {
            norm_statement_argument(self, at, end);
            if (end < close)
                put(self, &self->tokens[end]);
            at = end + 1;
            continue;
        }
        if (at == end) // only a macro takes nothing for an argument
            put_text(self, "0", &self->tokens[at]);
        u32 stop = type_end(self, at, end);
        bool type = stop > at;
        if (type) {
            put_text(self, "sizeof", &self->tokens[at]);
            put_text(self, "(", &self->tokens[at]);
        }
        bool values = self->values;
        self->values = values && !type;
        norm_range(self, at, type ? stop : end);
        self->values = values;
        if (type)
            put_text(self, ")", &self->tokens[end - 1]);
        if (end < close)
            put(self, &self->tokens[end]);
        at = end + 1;
    }
    put_text(self, ")", &self->tokens[close]);
    self->stack.count--;
}

// for (v = ITER(args); ITER(); ) …
static u32 norm_iterator(Norm *self, u32 at) {
    const Token *name = &self->tokens[at];
    u32 open = at + 1, close = close_of(self, open), variable = name->extra;
    put_text(self, "for", name);
    put_text(self, "(", name);
    if (variable && variable != ITERATOR_PLAIN) {
        u32 first = open + 1;
        for (u32 i = 1; i < variable && first < close; i++)
            first = argument_end(self, first, close) + 1;
        u32 end = argument_end(self, first < close ? first : close, close);
        if (end > first) {
            norm_range(self, first, end);
            put_text(self, "=", name);
        }
    } else {
        put_text(self, ";", name);
    }
    put(self, name);
    norm_arguments(self, open);
    put_text(self, ";", name);
    if (variable && variable != ITERATOR_PLAIN) {
        put(self, name);
        put_text(self, "(", name);
        put_text(self, ")", name);
        put_text(self, ";", name);
    }
    put_text(self, ")", name);
    self->statement = true;
    return close + 1;
}

static bool names_a_loop(const Token *name) {
    for (u32 i = 0; i + 4 <= name->length; i++)
        if (!strncasecmp(name->text + i, "each", 4))
            return true;
    return name->length >= 4 && !strncasecmp(name->text, "for_", 4);
}

// NAME(args) where a statement may start. Is it one by itself, a loop head, or part of an expression?
static u32 norm_statement_call(Norm *self, u32 at) {
    const Token *name = &self->tokens[at];
    u32 open = at + 1, next = close_of(self, open) + 1;
    bool loop = (name->flags & TOKEN_ITERATOR) != 0;
    bool block = at_is(self, next, '{');
    bool word = next < self->end && self->tokens[next].kind == TOKEN_NAME;
    if (loop && !at_is(self, next, ';'))
        return norm_iterator(self, at);
    self->statement = false;
    if (block || (word && self->tokens[next].code != KW_ELSE && self->tokens[next].code != KW_WHILE &&
                  (names_a_loop(name) || (!(self->tokens[next].flags & TOKEN_FRESH) && !is_type_keyword(self->tokens[next].code))))) {
        put_text(self, "while", name);
        put_text(self, "(", name);
        put(self, name);
        norm_arguments(self, open);
        put_text(self, ")", name);
        self->statement = true;
        return next;
    }
    put(self, name);
    norm_arguments(self, open);
    if (word || at_is(self, next, '}')) {
        put_text(self, ";", name);
        self->statement = true;
    }
    return next;
}

// A lone name where a statement may start: a macro nobody knows, written like one.
static bool is_bare_statement(const Norm *self, u32 at) {
    if (at + 1 >= self->end)
        return false;
    const Token *next = &self->tokens[at + 1];
    if (at_is(self, at + 1, '}'))
        return true;
    if (!(next->flags & TOKEN_FRESH) || next->kind != TOKEN_NAME)
        return false;
    return self->worker->names.names.items[self->tokens[at].name].upper || (next->code >= KW_IF && next->code <= KW_CONTINUE);
}

// May the name before a ( be called? Not when a type stands before it.
static bool is_call(const Norm *self) {
    if (!self->values)
        return false;
    const OutToken *before = last_put(self);
    if (!before)
        return true;
    if (before->kind == TOKEN_NAME)
        return before->code >= KW_IF && before->code <= KW_CONTINUE;
    return true;
}

static bool is_base_type(const Norm *self, u32 at) {
    return at < self->end && self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code >= KW_SIGNED && self->tokens[at].code <= KW_BOOL;
}

// Spelled like the attributes that macros make: FAR, __unused, _far.
static bool spelled_like_attribute(const Norm *self, u32 at) {
    return self->tokens[at].text[0] == '_' || self->worker->names.names.items[self->tokens[at].name].upper;
}

// `int x __word = 1` and `int x[2] WORD(1);`: the attribute of a macro nobody knows. Where it ends, or `at`.
static u32 past_trailing_word(const Norm *self, u32 at) {
    if (at < 2 || !spelled_like_attribute(self, at))
        return at;
    bool call = at_is(self, at + 1, '(') && !at_is(self, at + 2, '('), index = at_is(self, at - 1, ']');
    bool typed = at_name(self, at - 1) && (at_is(self, at - 2, '*') || at_name(self, at - 2) || is_base_type(self, at - 2));
    if (!(index && call) && !(typed && (call || self->tokens[at].text[0] == '_')))
        return at;
    u32 next = past_group(self, at + 1);
    return at_is(self, next, '=') || at_is(self, next, ';') || at_is(self, next, ',') || (!call && at_is(self, next, ')')) ? next : at;
}

// `struct x WORD *`, `char WORD *`, `x const WORD *`: likewise.
static bool is_middle_word(const Norm *self, u32 at) {
    if (at < 2 || !at_is(self, at + 1, '*') || !spelled_like_attribute(self, at))
        return false;
    bool tag = at_name(self, at - 1) && (at_keyword(self, at - 2, KW_STRUCT) || at_keyword(self, at - 2, KW_UNION) ||
                                         at_keyword(self, at - 2, KW_ENUM));
    bool qualified = (at_keyword(self, at - 1, KW_CONST) || at_keyword(self, at - 1, KW_VOLATILE)) &&
                     (at_name(self, at - 2) || is_base_type(self, at - 2));
    return tag || qualified || is_base_type(self, at - 1);
}

// `"a" NAME "b"`, `N_("a") N_("b")`: strings that macros nobody knows make; the last one will do.
static bool is_string_part(const Norm *self, u32 next) {
    if (next >= self->end || !self->values)
        return false;
    return self->tokens[next].kind == TOKEN_STRING ||
           ((in(self, OPEN_LIST) || in(self, OPEN_CALL)) && at_is(self, next - 1, ')') && at_name(self, next) && at_is(self, next + 1, '('));
}

static u32 norm_name(Norm *self, u32 at) {
    const Token *token = &self->tokens[at];
    u32 past = past_trailing_word(self, at);
    if (past > at || is_middle_word(self, at))
        return past > at ? past : at + 1;
    bool statement = self->statement && in(self, OPEN_BLOCK);
    bool shallow = self->depth < DEEPEST;
    if (statement && shallow && at_is(self, at + 1, '('))
        return norm_statement_call(self, at);
    if (statement && at_is(self, at + 1, ':')) {
        put(self, token);
        put(self, &self->tokens[at + 1]);
        if (at_is(self, at + 2, '}'))
            put_text(self, ";", token);
        return at + 2;
    }
    if (statement && at_is(self, at + 1, '{') && !self->record_next) {
        static const char *const words[] = {"while", "("};
        put_text(self, words[0], token);
        put_text(self, words[1], token);
        put(self, token);
        put_text(self, ")", token);
        return at + 1;
    }
    if (statement && is_bare_statement(self, at)) {
        put(self, token);
        put_text(self, ";", token);
        return at + 1;
    }
    self->statement = false;
    u32 next = at_is(self, at + 1, '(') ? close_of(self, at + 1) + 1 : at + 1;
    if (is_string_part(self, next))
        return next;
    if (in(self, OPEN_RECORD))
        top(self)->units++;
    bool call = shallow && at_is(self, at + 1, '(') && is_call(self);
    put(self, token);
    if (call) {
        norm_arguments(self, at + 1);
        return next;
    }
    return at + 1;
}

static u32 norm_string(Norm *self, u32 at) {
    const OutToken *before = last_put(self);
    if (before && before->kind == TOKEN_NAME && before->code == KW_EXTERN)
        return at + 1;
    if (memchr(self->tokens[at].text, '\n', self->tokens[at].length)) // the grammar knows of none that goes on
        put_text(self, "\"\"", &self->tokens[at++]);
    else
        put(self, &self->tokens[at++]);
    self->statement = false;
    while (at < self->end && (self->tokens[at].kind == TOKEN_STRING || at_name(self, at)))
        at = past_group(self, at + 1);
    return at;
}

// Number suffixes the grammar does not know (1i64, 2.0df128) are cut.
static void put_number(Norm *self, const Token *token) {
    const char *text = token->text;
    u32 length = token->length, digits = 0;
    bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    for (digits = hex ? 2 : 0; digits < length; digits++) {
        char c = text[digits];
        bool exponent = digits && (c == '+' || c == '-') && strchr("eEpP", text[digits - 1]);
        if (!(isdigit((u8)c) || c == '.' || c == '\'' || exponent || (hex ? isxdigit((u8)c) || c == 'p' || c == 'P' : c == 'e' || c == 'E')))
            break;
    }
    Token cut = *token;
    if (!(length > 1 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')))
        for (u32 i = digits; i < length; i++)
            if (!strchr("uUlLfFwWdD", text[i]))
                cut.length = digits ? digits : 1;
    put(self, &cut);
}

// brackets --------------------------------------------------------------------

// Only numbers, strings and `.field =` inside: nothing an initialiser would be asked for.
static bool is_plain_list(const Norm *self, u32 open, u32 close) {
    for (u32 i = open + 1; i < close; i++)
        if (self->tokens[i].kind == TOKEN_NAME && !at_is(self, i - 1, '.') && !at_is(self, i + 1, ':'))
            return false;
    return close > open + 1;
}

static u8 brace_kind(Norm *self) {
    const OutToken *before = last_put(self);
    if (self->record_next)
        return OPEN_RECORD;
    if (self->statement && (in(self, OPEN_BLOCK) || !self->stack.count))
        return OPEN_BLOCK;
    if (before && before->kind == TOKEN_PUNCT && before->code == '(')
        return OPEN_BLOCK; // ({
    if (before && before->kind == TOKEN_PUNCT && before->code == ',' && in(self, OPEN_CALL))
        return OPEN_BLOCK;
    return OPEN_LIST;
}

static u32 norm_open(Norm *self, u32 at) {
    const Token *token = &self->tokens[at];
    Open open = {.kind = OPEN_PAREN};
    if (token->code == '{') {
        open.kind = brace_kind(self);
        open.is_enum = self->enum_next;
        self->record_next = false;
        u32 close = close_of(self, at);
        if (open.kind == OPEN_LIST && close - at > 4 && self->stack.count < 64 && is_plain_list(self, at, close)) {
            put(self, token);
            put_text(self, "0", token);
            put(self, &self->tokens[close]);
            return close + 1;
        }
        self->statement = open.kind == OPEN_BLOCK;
    } else if (token->code == '[') {
        const OutToken *before = last_put(self);
        open.kind = OPEN_INDEX;
        open.element = in(self, OPEN_LIST) && before->kind == TOKEN_PUNCT && (before->code == '{' || before->code == ',');
        self->statement = false;
    } else {
        const OutToken *before = last_put(self);
        if (before && before->kind == TOKEN_NAME &&
            (before->code == KW_IF || before->code == KW_FOR || before->code == KW_WHILE || before->code == KW_SWITCH))
            open.kind = OPEN_CONTROL;
        self->statement = false;
    }
    put(self, token);
    array_push(&self->stack, open);
    return at + 1;
}

static u32 norm_close(Norm *self, u32 at) {
    u8 kind = self->stack.count > self->floor ? top(self)->kind : OPEN_PAREN;
    bool element = self->stack.count > self->floor && top(self)->element;
    if (self->stack.count > self->floor)
        self->stack.count--;
    put(self, &self->tokens[at]);
    if (element && !at_is(self, at + 1, '=') && !at_is(self, at + 1, '[') && !at_is(self, at + 1, '.'))
        put_text(self, "=", &self->tokens[at]); // old GNU: [1] "one"
    self->statement = kind == OPEN_CONTROL || kind == OPEN_BLOCK;
    self->record_next = false;
    if (kind == OPEN_CONTROL && at_is(self, at + 1, ';') && self->out->count) // do … while (x);
        self->statement = true;
    return at + 1;
}

static u32 norm_colon(Norm *self, u32 at) {
    const Token *token = &self->tokens[at];
    Open *open = top(self);
    if (open && open->kind == OPEN_RECORD && !open->is_enum) {
        const OutToken *before = last_put(self);
        bool nameless = open->units <= 1 || (before && before->kind == TOKEN_PUNCT && before->code == ',');
        if (nameless)
            put_text(self, "__rx_pad", token);
    }
    put(self, token);
    if (open && open->questions) {
        open->questions--;
    } else if (self->in_case) {
        self->in_case = false;
        self->statement = true;
    }
    return at + 1;
}

static u32 norm_punct(Norm *self, u32 at) {
    const Token *token = &self->tokens[at];
    const OutToken *before = last_put(self);
    switch (token->code) {
    case '(': case '{': return norm_open(self, at);
    case '[':
        if (at_is(self, at + 1, '[')) { // [[attribute]]
            u32 close = close_of(self, at);
            if (!self->hoisted)
                norm_attribute_words(self, at + 2, close);
            return close + 1;
        }
        return norm_open(self, at);
    case ')': case ']': case '}': return norm_close(self, at);
    case ':': return norm_colon(self, at);
    case '?':
        if (self->stack.count)
            top(self)->questions++;
        break;
    case ';':
        put(self, token);
        self->statement = in(self, OPEN_BLOCK) || !self->stack.count;
        self->record_next = self->in_case = false;
        if (in(self, OPEN_RECORD))
            top(self)->units = 0;
        return at + 1;
    case P_ANDAND: {
        bool prefix = before && ((before->kind == TOKEN_PUNCT && before->code != ')' && before->code != ']' && before->code != '}' &&
                                  before->code != P_INCREMENT && before->code != P_DECREMENT) ||
                                 (before->kind == TOKEN_NAME && before->code == KW_RETURN));
        if (prefix && at_name(self, at + 1)) {
            put_text(self, "__rx_label", token);
            put_text(self, "(", token);
            put(self, &self->tokens[at + 1]);
            put_text(self, ")", token);
            return at + 2;
        }
        break;
    }
    case '#': case P_PASTE: return at + 1;
    case '=': self->values = true; self->record_next = false; break;
    case '*': case ',': self->record_next = false; break;
    }
    self->statement = false;
    put(self, token);
    return at + 1;
}

static void norm_range(Norm *self, u32 first, u32 end) {
    u32 whole = self->end;
    if (self->depth > 2 * DEEPEST) { // too deep for anything real
        for (u32 at = first; at < end; at++)
            put(self, &self->tokens[at]);
        return;
    }
    u32 floor = self->floor, level = self->stack.count;
    self->floor = level;
    self->end = end;
    self->depth++;
    for (u32 at = first; at < end;) {
        const Token *token = &self->tokens[at];
        switch (token->kind) {
        case TOKEN_NAME: at = token->code ? norm_keyword(self, at) : norm_name(self, at); break;
        case TOKEN_STRING: at = norm_string(self, at); break;
        case TOKEN_PUNCT: at = norm_punct(self, at); break;
        case TOKEN_NUMBER: self->statement = false; put_number(self, token); at++; break;
        case TOKEN_CHAR: self->statement = false; put(self, token); at++; break;
        default: at++;
        }
    }
    self->depth--;
    self->end = whole;
    self->stack.count = level;
    self->floor = floor;
}

// items -----------------------------------------------------------------------

// Some type is named before the function's name.
static bool header_has_type(const Token *tokens, u32 first, u32 name) {
    for (u32 i = first; i < name; i++)
        if (tokens[i].kind == TOKEN_NAME && (tokens[i].code == KW_NONE || is_type_keyword(tokens[i].code)) &&
            tokens[i].code != KW_CONST && tokens[i].code != KW_VOLATILE)
            return true;
    return false;
}

// NAME(args) { … } at file scope with no type: a macro nobody knows, unless it looks like old C.
static bool header_is_macro(Worker *worker, const Token *tokens, const u32 *partners, const Span *span) {
    if (span->old_style || span->kind != ITEM_FUNCTION || header_has_type(tokens, span->first, span->name))
        return false;
    u32 close = partners[span->params];
    if (close == NO_TOKEN || close + 1 != span->body)
        return false;
    return worker->names.names.items[tokens[span->name].name].upper && close > span->params + 1;
}

const char *span_name(Worker *self, const Token *tokens, const u32 *partners, const Span *span, bool *from_macro) {
    *from_macro = (tokens[span->name].flags & (TOKEN_EXPANDED | TOKEN_ARGUMENT)) || (tokens[span->params].flags & TOKEN_EXPANDED);
    if (!header_is_macro(self, tokens, partners, span))
        return arena_copy(&self->arena, tokens[span->name].text, tokens[span->name].length);
    *from_macro = true;
    Buffer name = {0};
    for (u32 i = span->params + 1; i < partners[span->params]; i++)
        if (tokens[i].kind == TOKEN_NAME && tokens[i].code == KW_NONE) {
            if (name.size)
                buffer_byte(&name, '_');
            buffer_put(&name, tokens[i].text, tokens[i].length);
        }
    const char *copy = name.size ? arena_copy(&self->arena, name.bytes, name.size)
                                 : arena_copy(&self->arena, tokens[span->name].text, tokens[span->name].length);
    buffer_free(&name);
    return copy;
}

// In front of a definition attributes can stand in any number; between type and name the grammar wants none.
static void hoist_attributes(Norm *self, u32 first, u32 name) {
    for (u32 i = first; i + 1 < name; i++) {
        bool gnu = at_keyword(self, i, KW_ATTRIBUTE) && at_is(self, i + 1, '(');
        if (!gnu && !(at_is(self, i, '[') && at_is(self, i + 1, '[')))
            continue;
        u32 close = close_of(self, gnu ? i + 1 : i);
        norm_attribute_words(self, i + 2, close);
        i = close;
    }
}

// What stands before a function's name. `int WORD(1) name(…)`: WORD is an attribute, when there is a type besides.
static void norm_result(Norm *self, u32 first, u32 end) {
    u32 from = first;
    for (u32 at = first; at < end; at++) {
        if (at_is(self, at, '[') && at_is(self, at + 1, '[')) { // hoisted already
            norm_range(self, from, at);
            at = close_of(self, at);
            from = at + 1;
            continue;
        }
        u32 past = past_group(self, at + 1);
        if (past == at + 1 || past > end)
            continue;
        if (at_name(self, at) && (header_has_type(self->tokens, first, at) || header_has_type(self->tokens, past, end))) {
            norm_range(self, from, at);
            from = past;
        }
        at = past - 1;
    }
    norm_range(self, from, end);
}

static void norm_header(Norm *self, const Span *span) {
    const Token *tokens = self->tokens;
    if (header_is_macro(self->worker, tokens, self->partners, span)) {
        bool from_macro;
        const char *name = span_name(self->worker, tokens, self->partners, span, &from_macro);
        static const char *const words[] = {"(", "void", ")"};
        put_text(self, "int", &tokens[span->name]);
        put_text(self, name, &tokens[span->name]);
        for (u32 i = 0; i < 3; i++)
            put_text(self, words[i], &tokens[span->name]);
        return;
    }
    u32 close = self->partners[span->params];
    u32 end = span->body;
    self->statement = false;
    bool typed = header_has_type(tokens, span->first, span->name);
    u32 nested = span->name;
    while (nested > span->first && (at_is(self, nested - 1, '*') || at_is(self, nested - 1, '(')))
        nested--; // `*name`, `(*name`
    hoist_attributes(self, span->first, span->name);
    self->hoisted = true;
    norm_result(self, span->first, nested);
    if (!typed)
        put_text(self, "int", &tokens[span->name]);
    if (nested == span->name)
        self->hoisted = false;
    if (span->old_style || nested != span->name) {
        norm_range(self, nested, end);
        return;
    }
    norm_range(self, nested, close + 1);
    for (u32 i = close + 1; i < end; i++) // attributes that are not C's own vanish
        if (tokens[i].kind == TOKEN_NAME && tokens[i].code == KW_ATTRIBUTE)
            i = norm_attribute(self, i) - 1;
}

// `__asm void f(void) { … }`: the body is another language.
static bool is_asm_function(const Norm *self, const Span *span) {
    for (u32 i = span->first; i < span->name; i++)
        if (at_keyword(self, i, KW_ASM) && !at_is(self, i + 1, '('))
            return true;
    return false;
}

static void norm_asm_body(Norm *self, u32 body) {
    static const char *const words[] = {"{", "__rx_asm", "(", ")", ";"};
    for (u32 i = 0; i < 5; i++)
        put_text(self, words[i], &self->tokens[body]);
    put(self, &self->tokens[close_of(self, body)]);
}

void normalise(Worker *self, const Token *tokens, const u32 *partners, const Span *span, OutTokens *out) {
    Norm norm = {.worker = self, .tokens = tokens, .partners = partners, .end = span->first + span->count, .out = out};
    out->count = 0;
    if (span->kind == ITEM_FUNCTION) {
        norm_header(&norm, span);
        self->out_body = out->count;
        norm.stack.count = 0;
        norm.hoisted = false;
        norm.values = norm.statement = true;
        norm.record_next = false;
        if (is_asm_function(&norm, span))
            norm_asm_body(&norm, span->body);
        else
            norm_range(&norm, span->body, norm.end);
    } else {
        norm.values = span->kind == ITEM_CALL;
        if (span->kind == ITEM_DECLARATION && tokens[span->first].code != KW_TYPEDEF) {
            u32 until = span->first;
            while (until < norm.end && !at_is(&norm, until, '=') && !at_is(&norm, until, '{'))
                until++;
            hoist_attributes(&norm, span->first, until);
            norm.hoisted = true;
        }
        norm_range(&norm, span->first, norm.end);
        if (out->count && !(out->items[out->count - 1].kind == TOKEN_PUNCT && out->items[out->count - 1].code == ';'))
            put_text(&norm, ";", &tokens[norm.end - 1]);
    }
    array_free(&norm.stack);
}
