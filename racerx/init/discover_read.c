// discover_read.c: one file's text to bodies, tables of functions and typed names, without expanding anything.
// In: bytes. Out: FileFound. Of every conditional the first arm is read (of `#if 0` the second); the macros of all
// arms are. A brace that closes in the first column closes the function it is in, whatever was left open.
#include "racerx/init/discover_read.h"

static bool punct_is(const DiscoverReader *self, u32 index, u8 code) {
    return index < self->tokens.count && self->tokens.items[index].kind == TOKEN_PUNCT &&
           self->tokens.items[index].code == code;
}
static bool name_is(const DiscoverReader *self, u32 index) {
    return index < self->tokens.count && self->tokens.items[index].kind == TOKEN_NAME &&
           self->tokens.items[index].code == KW_NONE;
}
static bool keyword_is(const DiscoverReader *self, u32 index, u8 code) {
    return index < self->tokens.count && self->tokens.items[index].kind == TOKEN_NAME &&
           self->tokens.items[index].code == code;
}
static u32 partner_of(const DiscoverReader *self, u32 index) {
    return index < self->partners.count ? self->partners.items[index] : NO_TOKEN;
}
static u32 next_of(const DiscoverReader *self, u32 index, u32 end) {
    u32 close = partner_of(self, index);
    return close == NO_TOKEN || close <= index || close >= end ? index + 1 : close + 1;
}

// arms ------------------------------------------------------------------------

typedef struct {
    bool outer; // what is around it is read
    bool live;  // this arm is read
    bool taken; // an arm was
} HeaderArm;

static bool is_never(const Directive *directive) {
    const char *at = directive->text, *end = at + directive->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return directive->kind == DIRECTIVE_IF && at < end && *at == '0' && (at + 1 == end || at[1] <= ' ' || at[1] == '/');
}

static void step_arm(const Directive *directive, HeaderArm *arms, u32 *depth, u32 most) {
    HeaderArm *arm = *depth ? &arms[*depth - 1] : NULL;
    switch (directive->kind) {
    case DIRECTIVE_IF:
    case DIRECTIVE_IFDEF:
    case DIRECTIVE_IFNDEF:
        if (*depth < most) {
            bool outer = !arm || arm->live;
            bool first = !is_never(directive);
            arms[(*depth)++] = (HeaderArm){outer, outer && first, first};
        }
        break;
    case DIRECTIVE_ELIF:
    case DIRECTIVE_ELSE:
        if (arm) {
            arm->live = arm->outer && !arm->taken;
            arm->taken = true;
        }
        break;
    case DIRECTIVE_ENDIF: *depth -= *depth > 0; break;
    }
}

static void choose_arms(DiscoverReader *self) {
    HeaderArm arms[256];
    u32 depth = 0;
    self->tokens.count = 0;
    array_reserve(&self->tokens, self->lexed.tokens.count);
    for (u32 i = 0; i < self->lexed.tokens.count; i++) {
        const Token *token = &self->lexed.tokens.items[i];
        if (token->kind == TOKEN_DIRECTIVE)
            step_arm(&self->lexed.directives.items[token->name], arms, &depth, 256);
        else if (!depth || arms[depth - 1].live)
            array_push(&self->tokens, *token);
    }
}

// brackets --------------------------------------------------------------------

static void join(DiscoverReader *self, u32 open, u32 close) {
    self->partners.items[open] = close;
    self->partners.items[close] = open;
}

static void close_brace(DiscoverReader *self, u32 at) {
    bool column = self->tokens.items[at].column == 1 && self->tokens.items[at].flags & TOKEN_FRESH;
    u32 found = NO_TOKEN, keep = self->open.count;
    for (u32 i = self->open.count; i-- > 0;)
        if (punct_is(self, self->open.items[i], '{')) {
            found = self->open.items[i];
            keep = i;
            if (!column)
                break;
        }
    self->open.count = keep;
    if (found != NO_TOKEN)
        join(self, found, at);
}

static void close_bracket(DiscoverReader *self, u32 at, u8 open) {
    u32 top = self->open.count ? self->open.items[self->open.count - 1] : NO_TOKEN;
    if (top == NO_TOKEN || !punct_is(self, top, open))
        return;
    self->open.count--;
    join(self, top, at);
}

static void fill_partners(DiscoverReader *self) {
    self->partners.count = self->open.count = 0;
    for (u32 i = 0; i < self->tokens.count; i++)
        array_push(&self->partners, NO_TOKEN);
    for (u32 i = 0; i < self->tokens.count; i++) {
        const Token *token = &self->tokens.items[i];
        if (token->kind != TOKEN_PUNCT)
            continue;
        bool language = token->code == '{' && i && self->tokens.items[i - 1].kind == TOKEN_STRING; // extern "C" {
        if ((token->code == '{' && !language) || token->code == '(' || token->code == '[')
            array_push(&self->open, i);
        else if (token->code == '}')
            close_brace(self, i);
        else if (token->code == ')' || token->code == ']')
            close_bracket(self, i, token->code == ')' ? '(' : '[');
        else if (token->code == ';' && self->open.count &&
                 !punct_is(self, self->open.items[self->open.count - 1], '{') && i + 1 < self->tokens.count &&
                 token[1].flags & TOKEN_FRESH && token[1].column == 1)
            self->open.count = 0; // a statement that never closed its brackets
    }
}

// items -----------------------------------------------------------------------

// The name before the first brackets that are no attribute's; NO_TOKEN: none.
static u32 function_name(const DiscoverReader *self, u32 first, u32 end) {
    for (u32 i = first; i < end; i = next_of(self, i, end)) {
        if (punct_is(self, i, '=') || punct_is(self, i, '{'))
            return NO_TOKEN;
        if (name_is(self, i) && punct_is(self, i + 1, '('))
            return i;
        if (keyword_is(self, i, KW_ATTRIBUTE) || keyword_is(self, i, KW_DECLSPEC) || keyword_is(self, i, KW_ALIGNAS))
            i = next_of(self, i + 1, end) - 1;
    }
    return NO_TOKEN;
}

static void read_parameters(DiscoverReader *self, TextBody *body, u32 open) {
    u32 close = partner_of(self, open), count = 0;
    if (close == NO_TOKEN || close == open + 1)
        return;
    body->flags |= keyword_is(self, open + 1, KW_VOID) && punct_is(self, open + 2, '*') ? BODY_POINTER : 0;
    for (u32 i = open + 1; i <= close; i = i < close ? next_of(self, i, close) : i + 1) {
        if (i < close && !punct_is(self, i, ','))
            continue;
        u32 name = i - 1;
        while (name > open && !name_is(self, name) && !punct_is(self, name, ','))
            name--;
        if (count < TEXT_ARGS && name_is(self, name))
            body->params[count] = discover_hash(self, name, name + 1);
        count++;
    }
    if (count == 1 && keyword_is(self, open + 1, KW_VOID) && open + 2 == close)
        count = 0;
    body->param_count = (u8)(count < 255 ? count : 255);
}

static bool item_has(const DiscoverReader *self, u32 first, u32 end, u8 keyword) {
    for (u32 i = first; i < end; i = next_of(self, i, end))
        if (keyword_is(self, i, keyword))
            return true;
    return false;
}

static void read_function(DiscoverReader *self, u32 name, u32 first, u32 brace, u32 close) {
    TextBody body = {.first = self->out->steps.count};
    if (name != NO_TOKEN) {
        body.name = self->tokens.items[name].name;
        body.line = self->tokens.items[name].line;
        body.flags = item_has(self, first, brace, KW_STATIC) ? BODY_STATIC : 0;
        read_parameters(self, &body, name + 1);
    }
    array_push(&self->out->bodies, body);
    discover_body(self, brace + 1, close);
}

static bool word_inside(const char *text, u32 length, const char *word) {
    size_t size = strlen(word);
    for (u32 i = 0; i + size <= length; i++) {
        size_t k = 0;
        while (k < size && (text[i + k] | 32) == (word[k] | 32))
            k++;
        if (k == size)
            return true;
    }
    return false;
}

static bool says_noreturn(const DiscoverReader *self, u32 first, u32 end) {
    for (u32 i = first; i < end && i < first + 100; i++) {
        const Token *token = &self->tokens.items[i];
        if (token->kind == TOKEN_NAME && token->code == KW_NORETURN)
            return true;
        for (u32 w = 0; token->kind == TOKEN_NAME && self->words->noreturn[w]; w++)
            if (word_inside(token->text, token->length, self->words->noreturn[w]))
                return true;
    }
    return false;
}

static void note_noreturn(DiscoverReader *self, u32 first, u32 end) {
    u32 name = function_name(self, first, end);
    if (name == NO_TOKEN || !says_noreturn(self, first, end))
        return;
    while (self->noreturn.count <= self->tokens.items[name].name)
        array_push(&self->noreturn, 0);
    self->noreturn.items[self->tokens.items[name].name] = 1;
}

// `type name;`, `struct type name, …`: only what is a plain object, no pointer.
static void read_typed(DiscoverReader *self, u32 first, u32 end) {
    u32 i = first;
    bool tagged = false;
    for (; i < end && self->tokens.items[i].kind == TOKEN_NAME && self->tokens.items[i].code != KW_NONE; i++) {
        if (keyword_is(self, i, KW_TYPEDEF) || keyword_is(self, i, KW_ENUM))
            return;
        tagged |= keyword_is(self, i, KW_STRUCT) || keyword_is(self, i, KW_UNION);
    }
    if (!name_is(self, i))
        return;
    u32 type = i, name = i + 1;
    while (name_is(self, name) && name_is(self, name + 1)) // attributes before the name
        name++;
    if (!name_is(self, name) || name >= end || punct_is(self, name + 1, '('))
        return;
    Typed typed = {self->tokens.items[type].name, self->tokens.items[name].name, 1, tagged};
    array_push(&self->out->typed, typed);
}

static void read_members(DiscoverReader *self, u32 first, u32 end) {
    u32 start = first;
    for (u32 i = first; i < end; i++) {
        if (punct_is(self, i, '{') || punct_is(self, i, '}'))
            start = i + 1;
        if (!punct_is(self, i, ';'))
            continue;
        read_typed(self, start, i);
        start = i + 1;
    }
}

// Functions in `struct operations x = { .open = f }` and `void (*table[])(void) = { f, g }`.
static void read_initialiser(DiscoverReader *self, u32 first, u32 open, u32 close) {
    Stored stored = {0};
    u32 assign = open;
    for (u32 i = first; i < open; i++) {
        if ((keyword_is(self, i, KW_STRUCT) || keyword_is(self, i, KW_UNION)) && name_is(self, i + 1) && !stored.type)
            stored.type = self->tokens.items[i + 1].name;
        stored.array |= punct_is(self, i, '[');
        if (punct_is(self, i, '=') && assign == open)
            assign = i;
    }
    if (!stored.type && name_is(self, first) && name_is(self, first + 1))
        stored.type = self->tokens.items[first].name;
    for (u32 i = assign; i-- > first && !stored.variable;)
        if (name_is(self, i) &&
            (punct_is(self, i + 1, '[') || punct_is(self, i + 1, '=') || punct_is(self, i + 1, ')')))
            stored.variable = self->tokens.items[i].name;
    for (u32 i = open + 1; i < close; i++) {
        if (punct_is(self, i, '.') && name_is(self, i + 1) && punct_is(self, i + 2, '=')) {
            stored.member = self->tokens.items[i + 1].name;
            i += 2;
        } else if (name_is(self, i) && (punct_is(self, i + 1, ',') || punct_is(self, i + 1, '}'))) {
            stored.handler = self->tokens.items[i].name;
            array_push(&self->out->stored, stored);
            stored.member = 0;
        }
    }
}

static bool has_assign(const DiscoverReader *self, u32 first, u32 end) {
    for (u32 i = first; i < end; i = next_of(self, i, end))
        if (punct_is(self, i, '='))
            return true;
    return false;
}

// At the `{` of an item that began at `first`; past its end.
static u32 read_braces(DiscoverReader *self, u32 first, u32 brace, u32 old_style) {
    u32 close = partner_of(self, brace), end = close == NO_TOKEN || close < brace ? self->tokens.count : close;
    u32 name = function_name(self, first, brace);
    if (has_assign(self, first, brace))
        read_initialiser(self, first, brace, end);
    else if (name != NO_TOKEN)
        read_function(self, name, first, brace, end);
    else if (first == brace)
        read_function(self, old_style, first, brace, end);
    else
        read_members(self, brace + 1, end);
    return end;
}

static bool is_function_item(const DiscoverReader *self, u32 first, u32 brace) {
    return first == brace || (function_name(self, first, brace) != NO_TOKEN && !has_assign(self, first, brace));
}

static void read_items(DiscoverReader *self) {
    u32 first = 0, old_style = NO_TOKEN;
    for (u32 i = 0; i < self->tokens.count; i++) {
        if (punct_is(self, i, ';')) {
            u32 name = function_name(self, first, i);
            if (name != NO_TOKEN)
                old_style = name; // int f(a) int a; {
            note_noreturn(self, first, i);
            read_typed(self, first, i);
            first = i + 1;
        } else if (punct_is(self, i, '{') && i && self->tokens.items[i - 1].kind == TOKEN_STRING) {
            first = i + 1;
        } else if (punct_is(self, i, '{')) {
            bool function = is_function_item(self, first, i);
            if (function)
                note_noreturn(self, first, i);
            i = read_braces(self, first, i, old_style);
            if (function) {
                first = i + 1;
                old_style = NO_TOKEN;
            }
        } else if (punct_is(self, i, '}')) {
            first = i + 1;
        } else if (punct_is(self, i, '(')) {
            u32 close = partner_of(self, i);
            i = close == NO_TOKEN || close < i ? i : close;
        }
    }
}

// macros ----------------------------------------------------------------------

// A macro's body without calls, assignments or assembly.
static bool does_nothing(const DiscoverReader *self, u32 first) {
    for (u32 i = first; i < self->tokens.count; i++) {
        const Token *token = &self->tokens.items[i];
        if (keyword_is(self, i, KW_ASM) || punct_is(self, i, '=') || punct_is(self, i, P_INCREMENT) ||
            punct_is(self, i, P_DECREMENT))
            return false;
        if (token->kind == TOKEN_PUNCT && token->code >= P_ASSIGN_FIRST && token->code <= P_ASSIGN_LAST)
            return false;
        if (name_is(self, i) &&
            (punct_is(self, i + 1, '(') || i + 1 == self->tokens.count || punct_is(self, i + 1, ';')))
            return false; // another macro's name, or a call through a pointer
    }
    return true;
}

static void read_macro(DiscoverReader *self, const Directive *directive) {
    Macro macro;
    if (!define_read(directive, &macro) || !macro.function_like)
        return;
    self->tokens.count = 0;
    lex_line(&self->tokens, &self->names, macro.text, macro.length, directive->line);
    fill_partners(self);
    u32 close = partner_of(self, 0);
    if (close == NO_TOKEN)
        return;
    TextBody body = {.name = name_add(&self->names, macro.name, macro.name_length),
                     .line = directive->line,
                     .first = self->out->steps.count,
                     .flags = BODY_MACRO};
    read_parameters(self, &body, 0);
    array_push(&self->out->bodies, body);
    discover_body(self, close + 1, self->tokens.count);
    if (self->out->bodies.items[self->out->bodies.count - 1].count)
        return;
    self->out->bodies.count--; // calls nothing
    if (does_nothing(self, close + 1)) {
        discover_grow(&self->hollow, body.name);
        self->hollow.items[body.name]++;
    }
}

void discover_read(DiscoverReader *self, const char *text, size_t size) {
    arena_reset(&self->arena);
    lex(&self->lexed, &self->names, text, size, &self->arena);
    choose_arms(self);
    fill_partners(self);
    read_items(self);
    for (u32 i = 0; i < self->lexed.directives.count; i++)
        if (self->lexed.directives.items[i].kind == DIRECTIVE_DEFINE)
            read_macro(self, &self->lexed.directives.items[i]);
}
