// normalise.c: what the grammar cannot read, into something equal that it can.
// In: one item's tokens. Out: the item's text as OutTokens, in the words item.h lists.
// One walk over the tokens; a stack of open brackets tells statements from expressions,
// initialisers from blocks, and calls from declarations.
#include "extract/normalise.h"

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
        open.element =
            in(self, OPEN_LIST) && before->kind == TOKEN_PUNCT && (before->code == '{' || before->code == ',');
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
    case '(':
    case '{': return norm_open(self, at);
    case '[':
        if (at_is(self, at + 1, '[')) { // [[attribute]]
            u32 close = close_of(self, at);
            if (!self->hoisted)
                norm_attribute_words(self, at + 2, close);
            return close + 1;
        }
        return norm_open(self, at);
    case ')':
    case ']':
    case '}': return norm_close(self, at);
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
        bool prefix = before && ((before->kind == TOKEN_PUNCT && before->code != ')' && before->code != ']' &&
                                  before->code != '}' && before->code != P_INCREMENT && before->code != P_DECREMENT) ||
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
    case '#':
    case P_PASTE: return at + 1;
    case '=':
        self->values = true;
        self->record_next = false;
        break;
    case '*':
    case ',': self->record_next = false; break;
    }
    self->statement = false;
    put(self, token);
    return at + 1;
}

void norm_range(Norm *self, u32 first, u32 end) {
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
        case TOKEN_NUMBER:
            self->statement = false;
            put_number(self, token);
            at++;
            break;
        case TOKEN_CHAR:
            self->statement = false;
            put(self, token);
            at++;
            break;
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
    *from_macro =
        (tokens[span->name].flags & (TOKEN_EXPANDED | TOKEN_ARGUMENT)) || (tokens[span->params].flags & TOKEN_EXPANDED);
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
        if (at_name(self, at) &&
            (header_has_type(self->tokens, first, at) || header_has_type(self->tokens, past, end))) {
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
    for (u32 i = close + 1; !span->old_style && i + 1 < end; i++) // marks behind the parameters
        if (at_is(self, i, '[') && at_is(self, i + 1, '[')) {
            norm_attribute_words(self, i + 2, close_of(self, i));
            i = close_of(self, i);
        }
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
    array_free(&norm.pushed);
}
