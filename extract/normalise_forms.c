// normalise_forms.c: attributes, and the words that the grammar reads badly or not at all.
// In: the token where such a form begins. Out: what it stands for, and the token after it.
#include "extract/normalise.h"

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
void norm_attribute_words(Norm *self, u32 open, u32 close) {
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

u32 norm_attribute(Norm *self, u32 at) {
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
    while (at_keyword(self, open, KW_GOTO) || at_keyword(self, open, KW_VOLATILE) ||
           at_keyword(self, open, KW_INLINE)) {
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

u32 norm_keyword(Norm *self, u32 at) {
    const Token *token = &self->tokens[at];
    bool was_statement = self->statement;
    if (token->code != KW_ASM && token->code != KW_ATTRIBUTE && token->code != KW_EXTENSION)
        self->statement = false;
    if (in(self, OPEN_RECORD) && is_type_keyword(token->code) && token->code != KW_CONST && token->code != KW_VOLATILE)
        top(self)->units++;
    switch (token->code) {
    case KW_ATTRIBUTE:
    case KW_DECLSPEC: return norm_attribute(self, at);
    case KW_EXTENSION:
    case KW_RESTRICT:
    case KW_COMPLEX: return at + 1;
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
    case KW_DEFAULT:
        self->in_case = at_is(self, at + 1, ':');
        put(self, token);
        return at + 1;
    case KW_ELSE:
    case KW_DO:
        self->statement = true;
        put(self, token);
        return at + 1;
    case KW_STRUCT:
    case KW_UNION:
    case KW_ENUM:
        self->record_next = true;
        self->enum_next = token->code == KW_ENUM;
        put(self, token);
        return at + 1;
    case KW_FOR:
        self->statement = was_statement;
        put(self, token);
        return at_is(self, at + 1, '(') ? norm_for(self, at + 1) : at + 1;
    case KW_IF:
    case KW_WHILE:
    case KW_SWITCH:
        self->statement = was_statement;
        put(self, token);
        return at + 1;
    default: put(self, token); return at + 1;
    }
}
