// normalise_calls.c: names that are called: iterators, macros that are statements, arguments that are types or
// statements. In: a name or an opening parenthesis. Out: what it stands for, and the token after it.
#include "extract/normalise.h"

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

// PUSH(f, x) … POP(n): f(x) is called at POP, if n is not 0 ---------------------------

// Past a cast.
static u32 past_cast(const Norm *self, u32 at, u32 end) {
    u32 past = past_group(self, at);
    return past > at && past < end ? past : at;
}

// Remembers what PUSH(f, x) says; nothing when it has other arguments.
static void note_pushed(Norm *self, u32 open, const char *closer) {
    u32 close = close_of(self, open), comma = argument_end(self, open + 1, close);
    u32 handler = past_cast(self, open + 1, comma);
    if (comma < close && handler < comma)
        array_push(&self->pushed, ((Pushed){handler, comma, comma + 1, argument_end(self, comma + 1, close), closer}));
}

// POP(n) as `if (n) f(x)`, all of it at the place of POP.
static void norm_pop(Norm *self, u32 at) {
    Pushed pushed = self->pushed.items[--self->pushed.count];
    u32 open = at + 1, close = close_of(self, open), first = self->out->count;
    const Token *name = &self->tokens[at], *value = &self->tokens[open + 1];
    bool number = close == open + 2 && value->kind == TOKEN_NUMBER;
    if (number && value->length == 1 && value->text[0] == '0')
        return;
    if (!number) {
        put_text(self, "if", name);
        put_text(self, "(", name);
        norm_range(self, open + 1, close);
        put_text(self, ")", name);
    }
    norm_range(self, pushed.handler, pushed.handler_end);
    put_text(self, "(", name);
    array_push(&self->stack, ((Open){.kind = OPEN_CALL}));
    norm_range(self, pushed.argument, pushed.argument_end);
    self->stack.count--;
    put_text(self, ")", name);
    for (u32 i = first; i < self->out->count; i++) {
        self->out->items[i].offset = name->offset;
        self->out->items[i].line = name->line;
        self->out->items[i].column = name->column;
    }
}

// Is the call at `at` such a POP? A PUSH is noted and stays a call.
static bool closes_pushed(Norm *self, u32 at) {
    const Token *name = &self->tokens[at];
    if (!(name_said(self->worker, name->name) & SAID_KEEP))
        return false;
    const char *closer = declarations_look(self->worker->declarations, name->text, name->length).closed_by;
    if (closer)
        note_pushed(self, at + 1, closer);
    const Pushed *last = self->pushed.count ? &self->pushed.items[self->pushed.count - 1] : NULL;
    return !closer && last && strlen(last->closed_by) == name->length &&
           !memcmp(last->closed_by, name->text, name->length);
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
    if (closes_pushed(self, at)) {
        norm_pop(self, at);
        return next;
    }
    if (block || (word && self->tokens[next].code != KW_ELSE && self->tokens[next].code != KW_WHILE &&
                  (names_a_loop(name) ||
                   (!(self->tokens[next].flags & TOKEN_FRESH) && !is_type_keyword(self->tokens[next].code))))) {
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
    return self->worker->names.names.items[self->tokens[at].name].upper ||
           (next->code >= KW_IF && next->code <= KW_CONTINUE);
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
    return at < self->end && self->tokens[at].kind == TOKEN_NAME && self->tokens[at].code >= KW_SIGNED &&
           self->tokens[at].code <= KW_BOOL;
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
    bool typed =
        at_name(self, at - 1) && (at_is(self, at - 2, '*') || at_name(self, at - 2) || is_base_type(self, at - 2));
    if (!(index && call) && !(typed && (call || self->tokens[at].text[0] == '_')))
        return at;
    u32 next = past_group(self, at + 1);
    return at_is(self, next, '=') || at_is(self, next, ';') || at_is(self, next, ',') ||
                   (!call && at_is(self, next, ')'))
               ? next
               : at;
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
           ((in(self, OPEN_LIST) || in(self, OPEN_CALL)) && at_is(self, next - 1, ')') && at_name(self, next) &&
            at_is(self, next + 1, '('));
}

u32 norm_name(Norm *self, u32 at) {
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

u32 norm_string(Norm *self, u32 at) {
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
void put_number(Norm *self, const Token *token) {
    const char *text = token->text;
    u32 length = token->length, digits = 0;
    bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    for (digits = hex ? 2 : 0; digits < length; digits++) {
        char c = text[digits];
        bool exponent = digits && (c == '+' || c == '-') && strchr("eEpP", text[digits - 1]);
        if (!(isdigit((u8)c) || c == '.' || c == '\'' || exponent ||
              (hex ? isxdigit((u8)c) || c == 'p' || c == 'P' : c == 'e' || c == 'E')))
            break;
    }
    Token cut = *token;
    if (!(length > 1 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')))
        for (u32 i = digits; i < length; i++)
            if (!strchr("uUlLfFwWdD", text[i]))
                cut.length = digits ? digits : 1;
    put(self, &cut);
}
