// split.c: a file's tokens to its top-level items.
// In: expanded tokens. Out: one span per function, declaration and file-scope macro call, in
// order. Each is parsed on its own, so that no mistake reaches past the item it is in.
// Braces that do not match are mended once, by the habit of closing a function with a } in
// the first column.
#include "extract/preprocess.h"

bool is_type_keyword(u8 code) {
    switch (code) {
    case KW_STRUCT:
    case KW_UNION:
    case KW_ENUM:
    case KW_CONST:
    case KW_VOLATILE:
    case KW_SIGNED:
    case KW_UNSIGNED:
    case KW_CHAR:
    case KW_SHORT:
    case KW_INT:
    case KW_LONG:
    case KW_FLOAT:
    case KW_DOUBLE:
    case KW_VOID:
    case KW_BOOL:
    case KW_TYPEOF:
    case KW_ATOMIC:
    case KW_COMPLEX: return true;
    default: return false;
    }
}

static bool is_storage(u8 code) {
    return code == KW_STATIC || code == KW_EXTERN || code == KW_INLINE || code == KW_REGISTER || code == KW_AUTO ||
           code == KW_NORETURN || code == KW_THREAD || code == KW_EXTENSION || code == KW_TYPEDEF;
}

static bool is(const Token *tokens, u32 at, u32 count, u8 code) {
    return at < count && tokens[at].kind == TOKEN_PUNCT && tokens[at].code == code;
}

static bool is_plain_name(const Token *token) { return token->kind == TOKEN_NAME && token->code == KW_NONE; }

// brackets --------------------------------------------------------------------

static u8 closer_of(u8 code) { return code == '(' ? ')' : code == '[' ? ']' : '}'; }

typedef struct {
    U32Array stack;      // open brackets, outermost first
    u32 parens, indexes; // ( and [ among them since the last {
    U32Array before;     // for every open {: parens and indexes outside it
    u32 lowest;          // in stack: the outermost {, when there is one
} Brackets;

static void brackets_push(Brackets *self, u32 at, u8 code) {
    if (code == '{') {
        if (!self->before.count)
            self->lowest = self->stack.count;
        array_push(&self->before, self->parens);
        array_push(&self->before, self->indexes);
        self->parens = self->indexes = 0;
    }
    self->parens += code == '(';
    self->indexes += code == '[';
    array_push(&self->stack, at);
}

static u32 brackets_pop(Brackets *self, const Token *tokens) {
    u32 at = self->stack.items[--self->stack.count];
    self->parens -= tokens[at].code == '(';
    self->indexes -= tokens[at].code == '[';
    if (tokens[at].code == '{') {
        self->indexes = self->before.items[--self->before.count];
        self->parens = self->before.items[--self->before.count];
    }
    return at;
}

// A closer takes its nearest fitting opener, unless that would cross a brace.
static bool close_bracket(const Token *tokens, Brackets *self, u32 *partners, u32 at) {
    u8 code = tokens[at].code;
    u32 fitting = code == ')' ? self->parens : code == ']' ? self->indexes : self->before.count;
    while (fitting) { // there is one: what lies above it is left without a partner
        u32 open = brackets_pop(self, tokens);
        if (closer_of(tokens[open].code) == code) {
            partners[open] = at;
            return true;
        }
    }
    return false;
}

// True when every bracket found its partner.
static bool fill_partners(const Token *tokens, u32 count, bool by_column, u32 *partners) {
    Brackets open = {0};
    bool clean = true;
    for (u32 i = 0; i < count; i++) {
        partners[i] = NO_TOKEN;
        if (tokens[i].kind != TOKEN_PUNCT)
            continue;
        u8 code = tokens[i].code;
        if (code == '(' || code == '[' || code == '{') {
            brackets_push(&open, i, code);
        } else if (code == ')' || code == ']' || code == '}') {
            bool outermost = by_column && code == '}' && tokens[i].column == 1 && !(tokens[i].flags & TOKEN_EXPANDED);
            while (outermost && open.before.count && open.stack.count > open.lowest + 1)
                brackets_pop(&open, tokens);
            clean &= close_bracket(tokens, &open, partners, i);
        }
    }
    clean &= !open.stack.count;
    array_free(&open.stack);
    array_free(&open.before);
    return clean;
}

// items -----------------------------------------------------------------------

typedef struct {
    const Token *tokens;
    const u32 *partners;
    u32 count;
    SpanArray *out;
    bool mended; // brackets were matched by column
} Split;

static u32 partner(const Split *self, u32 at) {
    return self->partners[at] == NO_TOKEN ? self->count - 1 : self->partners[at];
}

// Only names and commas between the parentheses.
static bool only_names(const Split *self, u32 open, u32 close) {
    for (u32 i = open + 1; i < close; i++)
        if (!is_plain_name(&self->tokens[i]) && !is(self->tokens, i, self->count, ','))
            return false;
    return close > open + 1;
}

// The { after K&R parameter declarations that start at `at`, or NO_TOKEN.
static u32 old_style_body(const Split *self, u32 at) {
    const Token *tokens = self->tokens;
    u32 limit = at + 400 < self->count ? at + 400 : self->count;
    if (at >= limit || tokens[at].kind != TOKEN_NAME || is_storage(tokens[at].code) != false)
        if (at >= limit || tokens[at].code != KW_REGISTER)
            return NO_TOKEN;
    for (u32 i = at; i < limit; i++) {
        if (is(tokens, i, limit, '{'))
            return i > at && is(tokens, i - 1, limit, ';') ? i : NO_TOKEN;
        if (is(tokens, i, limit, '(') || is(tokens, i, limit, '['))
            i = partner(self, i);
        else if (tokens[i].kind == TOKEN_PUNCT && !strchr("*,;", tokens[i].code))
            return NO_TOKEN;
        else if (tokens[i].kind != TOKEN_NAME && tokens[i].kind != TOKEN_PUNCT)
            return NO_TOKEN;
        else if (tokens[i].code == KW_STATIC || tokens[i].code == KW_EXTERN || tokens[i].code == KW_TYPEDEF)
            return NO_TOKEN;
    }
    return NO_TOKEN;
}

// The first token that is no storage class: before a function's name, its type.
static u32 past_storage(const Split *self, u32 first, u32 end) {
    while (first < end && self->tokens[first].kind == TOKEN_NAME && is_storage(self->tokens[first].code))
        first++;
    return first;
}

// The name inside `(*name(args))(more)`.
static u32 nested_name(const Split *self, u32 open, u32 close) {
    for (u32 i = open + 1; i + 1 < close; i++)
        if (is_plain_name(&self->tokens[i]) && is(self->tokens, i + 1, close, '('))
            return i;
    return NO_TOKEN;
}

// Like parameters, or like what an attribute is given?
static bool looks_like_parameters(const Split *self, u32 open, u32 close) {
    if (close == open + 1)
        return true;
    for (u32 i = open + 1; i < close; i++) {
        const Token *token = &self->tokens[i];
        if (token->kind != TOKEN_NAME)
            continue;
        if (is_type_keyword(token->code) || (is_plain_name(token) && is_plain_name(&self->tokens[i + 1])))
            return true;
    }
    return false;
}

static bool is_shouted(const Token *name) {
    for (u32 i = 0; i < name->length; i++)
        if (name->text[i] >= 'a' && name->text[i] <= 'z')
            return false;
    return true;
}

// Finds name and parameters of the function whose body opens at `brace`: of several NAME(…) the one that
// is least like an attribute, and of equals the first.
static bool function_header(const Split *self, u32 first, u32 brace, Span *span) {
    u32 fallback = NO_TOKEN, nested = NO_TOKEN, best = 0, type = past_storage(self, first, brace);
    for (u32 i = first; i < brace; i++) {
        if (is(self->tokens, i, brace, '[')) { // [[attribute]]
            i = partner(self, i);
            continue;
        }
        if (!is(self->tokens, i, brace, '('))
            continue;
        u32 close = partner(self, i);
        if (close >= brace)
            return false;
        if (i > first && self->tokens[i - 1].kind == TOKEN_NAME &&
            (self->tokens[i - 1].code == KW_ATTRIBUTE || self->tokens[i - 1].code == KW_DECLSPEC ||
             self->tokens[i - 1].code == KW_ALIGNAS)) {
            i = close;
            continue;
        }
        if (i > first && is_plain_name(&self->tokens[i - 1])) {
            u32 fit = 1 + 2 * looks_like_parameters(self, i, close) + !is_shouted(&self->tokens[i - 1]);
            if (type < i - 1 && fit > best)
                span->name = i - 1, best = fit;
            if (fallback == NO_TOKEN)
                fallback = i - 1;
        } else if (nested == NO_TOKEN && fallback == NO_TOKEN) {
            nested = nested_name(self, i, close);
            if (nested == NO_TOKEN && close == i + 2 && is_plain_name(&self->tokens[i + 1]) &&
                is(self->tokens, close + 1, brace, '('))
                nested = i + 1; // (name)(args)
        }
        i = close;
    }
    if (span->name == NO_TOKEN)
        span->name = nested != NO_TOKEN ? nested : fallback;
    if (span->name == NO_TOKEN)
        return false;
    span->params = span->name + 1;
    if (!is(self->tokens, span->params, brace, '('))
        span->params = span->name + 2;
    return is(self->tokens, span->params, brace, '(');
}

static u32 put_function(Split *self, u32 first, u32 brace, bool old_style) {
    Span span = {.first = first,
                 .body = brace,
                 .name = NO_TOKEN,
                 .params = NO_TOKEN,
                 .kind = ITEM_FUNCTION,
                 .old_style = old_style};
    u32 close = partner(self, brace);
    span.unclosed = self->partners[brace] == NO_TOKEN;
    span.count = close + 1 - first;
    if (function_header(self, first, brace, &span))
        array_push(self->out, span);
    return close + 1;
}

static u32 put_declaration(Split *self, u32 first, u32 end) {
    const Token *tokens = self->tokens;
    bool call =
        is_plain_name(&tokens[first]) && is(tokens, first + 1, end, '(') &&
        (partner(self, first + 1) + 1 == end || (partner(self, first + 1) + 2 == end && is(tokens, end - 1, end, ';')));
    Span span = {.first = first,
                 .count = end - first,
                 .body = NO_TOKEN,
                 .name = call ? first : NO_TOKEN,
                 .params = call ? first + 1 : NO_TOKEN,
                 .kind = call ? ITEM_CALL : ITEM_DECLARATION};
    if (end > first)
        array_push(self->out, span);
    return end;
}

// `struct name {`: a record's body, not a function's.
static bool opens_record(const Split *self, u32 first, u32 brace) {
    for (u32 i = brace; i-- > first;) {
        const Token *token = &self->tokens[i];
        if (token->kind == TOKEN_NAME &&
            (token->code == KW_STRUCT || token->code == KW_UNION || token->code == KW_ENUM))
            return true;
        if (is(self->tokens, i, brace, ')')) { // struct __attribute__((x)) name {
            u32 close = i;
            while (i > first && !(is(self->tokens, i, brace, '(') && self->partners[i] == close))
                i--;
            if (i == first || self->tokens[--i].kind != TOKEN_NAME || self->tokens[i].code != KW_ATTRIBUTE)
                return false;
            continue;
        }
        if (token->kind != TOKEN_NAME && !is(self->tokens, i, brace, ':'))
            return false;
    }
    return false;
}

// NAME(args) on lines of its own, with no semicolon, before another item.
static bool ends_bare_call(const Split *self, u32 first, u32 next) {
    const Token *tokens = self->tokens;
    if (!is_plain_name(&tokens[first]) || !is(tokens, first + 1, self->count, '(') ||
        partner(self, first + 1) + 1 != next)
        return false;
    if (next >= self->count)
        return true;
    if (tokens[next].kind != TOKEN_NAME || !(tokens[next].flags & TOKEN_FRESH) || tokens[next].code == KW_ATTRIBUTE ||
        tokens[next].code == KW_ASM)
        return false;
    return !(only_names(self, first + 1, next - 1) && old_style_body(self, next) != NO_TOKEN);
}

static u32 split_brace(Split *self, u32 first, u32 brace, bool assigned, bool grouped, bool *stop) {
    *stop = false;
    if (assigned || opens_record(self, first, brace))
        return partner(self, brace);
    *stop = true;
    if (grouped)
        return put_function(self, first, brace, false);
    if (brace > first && self->tokens[brace - 1].kind == TOKEN_STRING && self->tokens[first].code == KW_EXTERN)
        return brace + 1; // extern "C" {
    return partner(self, brace) + 1;
}

// One item from `first`; returns where the next one starts.
static u32 split_item(Split *self, u32 first) {
    const Token *tokens = self->tokens;
    bool assigned = false, grouped = false;
    for (u32 i = first; i < self->count; i++) {
        if (grouped && ends_bare_call(self, first, i))
            return put_declaration(self, first, i);
        if (tokens[i].kind != TOKEN_PUNCT)
            continue;
        switch (tokens[i].code) {
        case '(': {
            if (self->partners[i] == NO_TOKEN)
                break;
            u32 close = partner(self, i);
            if (!assigned && i > first && is_plain_name(&tokens[i - 1]) && only_names(self, i, close)) {
                u32 body = old_style_body(self, close + 1);
                if (body != NO_TOKEN)
                    return put_function(self, first, body, true);
            }
            grouped = true;
            i = close;
            break;
        }
        case '[': i = self->partners[i] == NO_TOKEN ? i : partner(self, i); break;
        case '=': assigned = true; break;
        case ';': return put_declaration(self, first, i + 1);
        case '}': return i + 1 > first + 1 ? put_declaration(self, first, i) + 1 : i + 1;
        case '{': {
            bool stop;
            u32 next = split_brace(self, first, i, assigned, grouped, &stop);
            if (stop)
                return next;
            i = next;
            if (assigned && i + 1 < self->count && tokens[i + 1].kind == TOKEN_NAME && tokens[i + 1].column == 1 &&
                (tokens[i + 1].flags & TOKEN_FRESH)) // its semicolon was lost
                return put_declaration(self, first, i + 1);
            break;
        }
        }
    }
    return put_declaration(self, first, self->count);
}

void split(const Token *tokens, u32 count, U32Array *partners, SpanArray *out) {
    out->count = 0;
    array_reserve(partners, count + 1);
    partners->count = count;
    Split self = {tokens, partners->items, count, out, false};
    if (!fill_partners(tokens, count, false, partners->items)) {
        fill_partners(tokens, count, true, partners->items);
        self.mended = true;
    }
    for (u32 at = 0; at < count;) {
        if (is(tokens, at, count, ';') || is(tokens, at, count, '}'))
            at++;
        else
            at = split_item(&self, at);
    }
}
