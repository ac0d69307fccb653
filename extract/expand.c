// expand.c: macros to their text.
// In: tokens of chosen arms. Out: tokens without macros, each with the place it has in the
// source: arguments keep their own, what a macro wrote gets the place of its use.
// The C algorithm (arguments first, #, ##, rescanning, no recursion), with four departures,
// all to keep what later stages know by name and what the grammar can read:
//   - names in the lock table, and those declared kept, are never expanded;
//   - iterators stay NAME(args) and are marked as loop heads;
//   - a function-like macro whose whole expansion is large and has no lock, no jump and no
//     loose end stays a call (unless the second try forces it);
//   - a constant is folded to one number.
// Bounds: expansion depth, tokens per unit. Hitting one is recorded, never silent.
#include "extract/preprocess.h"

#define DEEPEST 200       // macros within macros within arguments
#define FEEDS 4000        // expansions waiting to be read at once
#define LONGEST 8000      // bytes of a name or string that # and ## make
#define LARGE 90          // tokens: above this a harmless macro stays a call

// reading ---------------------------------------------------------------------

static void feed_push(Worker *self, const Token *tokens, u32 count, u32 name) {
    if (name)
        unit_name(self, name)->disabled++;
    array_push(&self->feeds, ((Feed){tokens, 0, count, name}));
}

static void feed_drop_spent(Worker *self, u32 base) {
    while (self->feeds.count > base) {
        Feed *top = &self->feeds.items[self->feeds.count - 1];
        if (top->at < top->count)
            return;
        if (top->name)
            unit_name(self, top->name)->disabled--;
        self->feeds.count--;
    }
}

static const Token *feed_peek(Worker *self, u32 base) {
    feed_drop_spent(self, base);
    if (self->feeds.count == base)
        return NULL;
    Feed *top = &self->feeds.items[self->feeds.count - 1];
    return &top->tokens[top->at];
}

static const Token *feed_next(Worker *self, u32 base) {
    const Token *token = feed_peek(self, base);
    if (token)
        self->feeds.items[self->feeds.count - 1].at++;
    return token;
}

static bool is_punct(const Token *token, u8 code) { return token && token->kind == TOKEN_PUNCT && token->code == code; }

// arguments -------------------------------------------------------------------

typedef struct {
    u32 first, count; // tokens as written
    u32 done_first, done_count;
    bool done; // expanded: at done_first
} Argument;

typedef struct {
    TokenArray tokens;   // as written, all arguments
    TokenArray expanded; // likewise, expanded when needed
    Argument *list;
    u32 count;
} Arguments;

static void arguments_free(Arguments *self) {
    array_free(&self->tokens);
    array_free(&self->expanded);
    free(self->list);
}

// Past the ) that ends the call; false at the end of input. The ( has been read.
static bool arguments_read(Worker *self, u32 base, u32 most, bool variadic, Arguments *out) {
    u32 depth = 1, at = 0;
    *out = (Arguments){.list = must_zero(sizeof(Argument) * (most + 1)), .count = 1};
    for (;;) {
        const Token *token = feed_next(self, base);
        if (!token)
            return false;
        bool separates = depth == 1 && is_punct(token, ',') && (!variadic || out->count < most);
        if (is_punct(token, '('))
            depth++;
        else if (is_punct(token, ')') && !--depth)
            break;
        if (separates) {
            if (out->count <= most)
                out->list[at].count = out->tokens.count - out->list[at].first;
            if (out->count < most)
                out->list[++at].first = out->tokens.count;
            out->count++;
            continue;
        }
        array_push(&out->tokens, *token);
    }
    self->budget -= (i64)out->tokens.count * 2; // calls within calls read theirs again and again
    if (out->count <= most || !most)
        out->list[at].count = out->tokens.count - out->list[at].first;
    if (!most && !out->tokens.count)
        out->count = 0;
    return true;
}

static void expand_feed(Worker *self, u32 base, TokenArray *out);

static void argument_expand(Worker *self, Arguments *arguments, Argument *argument) {
    if (argument->done)
        return;
    argument->done = true;
    argument->done_first = arguments->expanded.count;
    if (argument->count && self->depth < DEEPEST) {
        u32 base = self->feeds.count;
        self->depth++;
        feed_push(self, arguments->tokens.items + argument->first, argument->count, 0);
        expand_feed(self, base, &arguments->expanded);
        self->depth--;
    } else if (argument->count) {
        for (u32 i = 0; i < argument->count; i++)
            array_push(&arguments->expanded, arguments->tokens.items[argument->first + i]);
    }
    argument->done_count = arguments->expanded.count - argument->done_first;
}

// substitution ----------------------------------------------------------------

void limit_hit(Worker *self, const char *what) {
    if (!self->limit)
        self->limit = what;
    self->limits++;
}

static Token string_token(Worker *self, const Token *tokens, u32 count, const Token *place) {
    Buffer text = {0};
    buffer_byte(&text, '"');
    for (u32 i = 0; i < count && text.size < 200; i++) {
        if (i && (tokens[i].flags & TOKEN_SPACE))
            buffer_byte(&text, ' ');
        for (u32 k = 0; k < tokens[i].length && text.size < LONGEST; k++) {
            char c = tokens[i].text[k];
            if (c == '"' || c == '\\')
                buffer_byte(&text, '\\');
            buffer_byte(&text, c == '\n' ? ' ' : (u8)c);
        }
    }
    buffer_byte(&text, '"');
    Token token = *place;
    token.kind = TOKEN_STRING;
    token.code = 0;
    token.text = arena_copy(&self->arena, text.bytes, text.size);
    token.length = (u32)text.size;
    buffer_free(&text);
    return token;
}

// The one token two make when written together; with more, the first is taken for all.
static Token paste(Worker *self, const Token *left, const Token *right) {
    if (left->length > LONGEST || right->length > LONGEST) {
        limit_hit(self, "a pasted name too long");
        return *left;
    }
    u32 length = left->length + right->length;
    char *text = arena_zero(&self->arena, length + 16);
    memcpy(text, left->text, left->length);
    memcpy(text + left->length, right->text, right->length);
    TokenArray made = {0};
    lex_line(&made, &self->names, text, length, left->line);
    Token token = *left;
    if (made.count) {
        Token fresh = made.items[0];
        fresh.line = left->line, fresh.column = left->column, fresh.offset = left->offset;
        fresh.flags = left->flags & (TOKEN_SPACE | TOKEN_FRESH | TOKEN_EXPANDED);
        token = fresh;
    }
    array_free(&made);
    return token;
}

static void put_at(TokenArray *out, Token token, const Token *place) {
    token.line = place->line, token.column = place->column, token.offset = place->offset;
    token.flags = (u8)((token.flags & ~TOKEN_FRESH) | TOKEN_EXPANDED);
    array_push(out, token);
}

typedef struct {
    Worker *worker;
    const Token *body;
    u32 count;
    const MacroBody *macro;
    Arguments *arguments;
    const Token *place;
    TokenArray *out;
    bool pasting; // the next token joins the last one of out
    i64 cost;     // of the arguments put in so far
} Substitution;

// What tokens take from the budget: long ones more, so that it bounds the text as well.
static i64 tokens_cost(const Token *tokens, u32 count) {
    i64 cost = count;
    for (u32 i = 0; i < count; i++)
        cost += tokens[i].length / 64;
    return cost;
}

static void substitute_put(Substitution *self, Token token, bool own_place) {
    if (self->pasting && self->out->count) {
        Token *last = &self->out->items[self->out->count - 1];
        if (!(last->flags & TOKEN_PLACEMARK))
            *last = paste(self->worker, last, &token);
        else
            *last = token;
        last->flags |= TOKEN_EXPANDED;
        self->pasting = false;
        return;
    }
    self->pasting = false;
    if (own_place)
        array_push(self->out, token);
    else
        put_at(self->out, token, self->place);
}

static void substitute_argument(Substitution *self, u32 param, bool raw) {
    Argument *argument = &self->arguments->list[param];
    const Token *tokens = self->arguments->tokens.items + argument->first;
    u32 count = argument->count;
    if (!raw) {
        argument_expand(self->worker, self->arguments, argument);
        tokens = self->arguments->expanded.items + argument->done_first;
        count = argument->done_count;
    }
    if ((self->cost += tokens_cost(tokens, count)) > self->worker->budget) {
        limit_hit(self->worker, "macro expansion too large");
        return;
    }
    for (u32 i = 0; i < count; i++) {
        Token token = tokens[i];
        token.flags |= TOKEN_ARGUMENT;
        substitute_put(self, token, true);
    }
    if (!count && raw && !self->pasting) {
        Token empty = *self->place;
        empty.kind = TOKEN_OTHER, empty.length = 0, empty.flags |= TOKEN_PLACEMARK;
        array_push(self->out, empty);
    }
    if (!count)
        self->pasting = false;
}

// GNU: `, ## __VA_ARGS__` with nothing to add takes the comma away.
static bool drops_comma(Substitution *self, u32 i) {
    const Token *body = self->body;
    return i + 2 < self->count && is_punct(&body[i], ',') && is_punct(&body[i + 1], P_PASTE) &&
           body[i + 2].kind == TOKEN_PARAM && self->macro->variadic && body[i + 2].name == self->macro->param_count - 1;
}

// The ) of `__VA_OPT__(…)` at `at`, or `at`.
static u32 optional_end(const Substitution *self, u32 at) {
    u32 depth = 0;
    if (self->body[at].kind != TOKEN_NAME || self->body[at].code != KW_VA_OPT || !self->macro->variadic)
        return at;
    for (u32 i = at + 1; i < self->count; i++) {
        depth += is_punct(&self->body[i], '(');
        if (!depth)
            return at;
        if (is_punct(&self->body[i], ')') && !--depth)
            return i;
    }
    return at;
}

static void substitute(Substitution *self) {
    const Token *body = self->body;
    u32 optional = UINT32_MAX; // the ) of a __VA_OPT__ that is there
    for (u32 i = 0; i < self->count; i++) {
        u32 end = optional_end(self, i);
        if (end > i && self->arguments->list[self->macro->param_count - 1].count) {
            optional = end;
            i++;
            continue;
        }
        if (end > i || i == optional) {
            i = end;
            continue;
        }
        bool joined = i + 1 < self->count && is_punct(&body[i + 1], P_PASTE);
        if (drops_comma(self, i)) {
            if (self->arguments->list[body[i + 2].name].count)
                substitute_put(self, body[i], false);
            substitute_argument(self, body[i + 2].name, false);
            i += 2;
            continue;
        }
        if (is_punct(&body[i], '#') && self->macro->function_like && i + 1 < self->count && body[i + 1].kind == TOKEN_PARAM) {
            const Argument *argument = &self->arguments->list[body[i + 1].name];
            substitute_put(self, string_token(self->worker, self->arguments->tokens.items + argument->first,
                                              argument->count, self->place), false);
            i++;
        } else if (is_punct(&body[i], P_PASTE) && self->out->count) {
            self->pasting = true;
        } else if (body[i].kind == TOKEN_PARAM) {
            substitute_argument(self, body[i].name, joined || self->pasting);
        } else {
            substitute_put(self, body[i], false);
        }
    }
}

// One macro's text with its arguments in place, in the unit's arena.
static const Token *substituted(Worker *self, u32 macro, Arguments *arguments, const Token *place, u32 *count) {
    const Token *tokens;
    MacroBody body = *worker_body(self, macro, &tokens);
    Token *copy = arena_array(&self->arena, Token, body.count + 1);
    if (body.count)
        memcpy(copy, tokens, sizeof(Token) * body.count);
    TokenArray out = {0};
    Substitution work = {self, copy, body.count, &body, arguments, place, &out, false, 0};
    substitute(&work);
    u32 kept = 0;
    for (u32 i = 0; i < out.count; i++)
        if (!(out.items[i].flags & TOKEN_PLACEMARK))
            out.items[kept++] = out.items[i];
    Token *result = arena_array(&self->arena, Token, kept + 1);
    if (kept)
        memcpy(result, out.items, sizeof(Token) * kept);
    *count = kept;
    array_free(&out);
    self->budget -= tokens_cost(result, kept);
    return result;
}

// templates -------------------------------------------------------------------

static void template_argument(Buffer *text, const Arguments *arguments, u32 index) {
    if (index >= arguments->count)
        return;
    const Argument *argument = &arguments->list[index];
    for (u32 i = 0; i < argument->count; i++) {
        const Token *token = &arguments->tokens.items[argument->first + i];
        if (i)
            buffer_byte(text, ' ');
        buffer_put(text, token->text, token->length);
    }
}

// $1 … $9, $0 the macro's name, $* all, $(n*) from the nth on, $pairs(n) "type, name" pairs as parameters.
static void template_fill(const char *template, const Token *name, const Arguments *arguments, Buffer *text) {
    for (const char *at = template; *at; at++) {
        if (*at != '$') {
            buffer_byte(text, (u8)*at);
        } else if (at[1] == '$') {
            buffer_byte(text, '$');
            at++;
        } else if (at[1] == '0') {
            buffer_put(text, name->text, name->length);
            at++;
        } else if (at[1] >= '1' && at[1] <= '9') {
            template_argument(text, arguments, (u32)(at[1] - '1'));
            at++;
        } else if (!strncmp(at, "$pairs(", 7)) {
            u32 from = (u32)strtoul(at + 7, NULL, 10) - 1;
            if (from >= arguments->count)
                buffer_text(text, "void");
            for (u32 i = from; i + 1 < arguments->count; i += 2) {
                if (i > from)
                    buffer_text(text, ", ");
                template_argument(text, arguments, i);
                buffer_byte(text, ' ');
                template_argument(text, arguments, i + 1);
            }
            at = strchr(at, ')');
        } else {
            u32 from = at[1] == '(' ? (u32)strtoul(at + 2, NULL, 10) - 1 : 0;
            const char *close = at[1] == '(' ? strchr(at, ')') : NULL;
            u32 end = close && close[-1] != '*' ? from + 1 : arguments->count;
            for (u32 i = from; i < end && i < arguments->count; i++) {
                if (i > from)
                    buffer_text(text, ", ");
                template_argument(text, arguments, i);
            }
            at = at[1] == '(' ? close : at + 1;
        }
        if (!at)
            return;
    }
}

static bool expand_definition(Worker *self, u32 base, const Token *name) {
    const InternEntry *entry = &self->names.intern.entries.items[name->name];
    Declared declared = declarations_look(self->declarations, entry->text, entry->length);
    if (!declared.definition || !is_punct(feed_peek(self, base), '('))
        return false;
    if (self->budget <= 0) {
        limit_hit(self, "macro expansion too large");
        return false;
    }
    Token place = *name;
    feed_next(self, base);
    Arguments arguments;
    arguments_read(self, base, 64, false, &arguments);
    Buffer text = {0};
    template_fill(declared.definition, &place, &arguments, &text);
    arguments_free(&arguments);
    char *copy = arena_zero(&self->arena, text.size + 16);
    memcpy(copy, text.bytes ? text.bytes : (u8 *)"", text.size);
    TokenArray made = {0}, placed = {0};
    lex_line(&made, &self->names, copy, (u32)text.size, place.line);
    for (u32 i = 0; i < made.count; i++)
        put_at(&placed, made.items[i], &place);
    Token *tokens = arena_array(&self->arena, Token, placed.count + 1);
    if (placed.count)
        memcpy(tokens, placed.items, sizeof(Token) * placed.count);
    self->budget -= tokens_cost(tokens, placed.count);
    feed_push(self, tokens, placed.count, place.name);
    array_free(&made);
    array_free(&placed);
    buffer_free(&text);
    return true;
}

// expansion -------------------------------------------------------------------

// An object-like macro that is a constant expression becomes one number.
static bool fold(Worker *self, const Token *tokens, u32 count, const Token *place, TokenArray *out) {
    if (count < 2 || count > 64)
        return false;
    for (u32 i = 0; i < count; i++)
        if (tokens[i].kind != TOKEN_NUMBER && tokens[i].kind != TOKEN_PUNCT && tokens[i].kind != TOKEN_CHAR)
            return false;
    Value value = condition_value(self, tokens, count);
    if (!value.known || (value.natural && (value.value < 0 || value.value > UINT32_MAX))) // how wide it is, is not ours to say
        return false;
    for (u32 i = 0; i < count; i++)
        if (tokens[i].kind == TOKEN_PUNCT && tokens[i].code == '~' && value.natural)
            return false;
    char text[32];
    int length = snprintf(text, sizeof text, "%lld", (long long)value.value);
    Token token = *place;
    token.kind = TOKEN_NUMBER;
    token.code = 0;
    if (text[0] == '-') {
        Token minus = *place;
        minus.kind = TOKEN_PUNCT, minus.code = '-', minus.text = "-", minus.length = 1;
        put_at(out, minus, place);
        token.text = arena_copy(&self->arena, text + 1, (size_t)length - 1);
        token.length = (u32)length - 1;
    } else {
        token.text = arena_copy(&self->arena, text, (size_t)length);
        token.length = (u32)length;
    }
    put_at(out, token, place);
    return true;
}

// What a call's arguments are like, seen without reading them.
typedef struct {
    u32 count;
    bool plain; // each looks like an expression or a type
    bool whole; // the ) is in sight
} ArgumentsLook;

static bool starts_argument(const Token *token) {
    if (token->kind == TOKEN_NAME)
        return token->code < KW_IF || token->code > KW_CONTINUE;
    return token->kind != TOKEN_PUNCT || (token->code < 128 && strchr("(!~-+*&{[", token->code)) || token->code == P_INCREMENT ||
           token->code == P_DECREMENT || token->code == P_ANDAND;
}

static bool ends_argument(const Token *token) {
    return token->kind != TOKEN_PUNCT || (token->code < 128 && strchr(")]}*", token->code)) || token->code == P_INCREMENT ||
           token->code == P_DECREMENT;
}

// Judges the arguments of the ( that comes next.
static ArgumentsLook look_at_arguments(Worker *self, u32 base) {
    ArgumentsLook look = {0, true, false};
    if (!is_punct(feed_peek(self, base), '('))
        return look;
    const Feed *feed = &self->feeds.items[self->feeds.count - 1];
    u32 depth = 0, first = feed->at + 1;
    for (u32 at = feed->at; at < feed->count && at < feed->at + 4000; at++) {
        const Token *token = &feed->tokens[at];
        if (token->kind != TOKEN_PUNCT)
            continue;
        bool closes = token->code == ')' && !--depth;
        if (closes || (depth == 1 && (token->code == ',' || token->code == ';'))) {
            look.plain &= at > first && token->code != ';' && starts_argument(&feed->tokens[first]) && ends_argument(&feed->tokens[at - 1]);
            look.count += token->code != ';';
            first = at + 1;
        }
        look.whole |= closes;
        if (closes)
            break;
        depth += token->code == '(';
    }
    return look;
}

static bool stays_a_call(Worker *self, u32 name, u32 macro) {
    if (self->force || self->choosing || (macro & LOCAL_MACRO))
        return false;
    u32 info = macro_info(self, name);
    return (info & INFO_SIZE) > LARGE && !(info & (INFO_LOCK | INFO_JUMP | INFO_BREAK | INFO_LOOSE | INFO_WRITE));
}

// Skips the ( … ) after an attribute-like name.
static void skip_attribute_arguments(Worker *self, u32 base, u32 macro) {
    if (!is_punct(feed_peek(self, base), '('))
        return;
    if (macro != NO_MACRO && !worker_macro(self, macro)->function_like)
        return;
    feed_next(self, base);
    Arguments arguments;
    arguments_read(self, base, 1, true, &arguments);
    arguments_free(&arguments);
}

// `#define f M(f)` with an M that is nowhere: the name is still f.
static bool is_wrapped_self(Worker *self, const Token *tokens, u32 count, u32 name) {
    return count == 4 && tokens[0].kind == TOKEN_NAME && is_punct(&tokens[1], '(') && tokens[2].kind == TOKEN_NAME &&
           tokens[2].name == name && unit_macro(self, tokens[0].name) == NO_MACRO;
}

static void expand_object(Worker *self, const Token *token, u32 macro, TokenArray *out) {
    Token place = *token;
    Arguments none = {0};
    u32 count;
    const Token *tokens = substituted(self, macro, &none, &place, &count);
    self->macros_expanded++;
    if (is_wrapped_self(self, tokens, count, place.name)) {
        place.flags |= TOKEN_PAINTED;
        array_push(out, place);
        return;
    }
    u32 before = out->count;
    bool constant = count == 1 && tokens[0].kind == TOKEN_NUMBER;
    if (constant)
        put_at(out, tokens[0], &place);
    else
        constant = fold(self, tokens, count, &place, out);
    if (constant && self->lock_parens) { // lock tables speak of constants by name
        out->count = before;
        place.flags |= TOKEN_PAINTED;
        array_push(out, place);
    }
    if (constant)
        return;
    feed_push(self, tokens, count, place.name);
}

static void expand_function(Worker *self, u32 base, const Token *token, u32 macro, TokenArray *out) {
    Token place = *token;
    const Token *tokens;
    MacroBody body = *worker_body(self, macro, &tokens);
    feed_next(self, base); // (
    Arguments arguments;
    if (!arguments_read(self, base, body.param_count, body.variadic, &arguments)) {
        // The call never ends: give back what was read, unexpanded.
        place.flags |= TOKEN_PAINTED;
        array_push(out, place);
        Token paren = place;
        paren.kind = TOKEN_PUNCT, paren.code = '(', paren.text = "(", paren.length = 1;
        array_push(out, paren);
        for (u32 i = 0; i < arguments.tokens.count; i++)
            array_push(out, arguments.tokens.items[i]);
        arguments_free(&arguments);
        return;
    }
    u32 count;
    const Token *made = substituted(self, macro, &arguments, &place, &count);
    arguments_free(&arguments);
    self->macros_expanded++;
    feed_push(self, made, count, place.name);
}

// A member's name, or a label's after goto.
static bool follows_member(const TokenArray *out) {
    const Token *before = out->count ? &out->items[out->count - 1] : NULL;
    return is_punct(before, '.') || is_punct(before, P_ARROW) ||
           (before && before->kind == TOKEN_NAME && before->code == KW_GOTO);
}

// An attribute that an annotator gave a mark is written as one; only what is defined at file scope can have it.
static void put_mark(Worker *self, const Token *place, TokenArray *out) {
    const char *mark = self->braces ? NULL : declarations_look(self->declarations, place->text, place->length).mark;
    if (!mark)
        return;
    size_t room = strlen(mark) + 48;
    char *text = arena_zero(&self->arena, room);
    int length = snprintf(text, room - 16, "[[rx::mark(\"%s\")]]", mark);
    TokenArray made = {0};
    lex_line(&made, &self->names, text, (u32)length, place->line);
    for (u32 i = 0; i < made.count; i++)
        put_at(out, made.items[i], place);
    array_free(&made);
}

// Is the lock of `guard(kind…` one that was spoken of?
static bool guard_is_known(Worker *self, u32 base, const Token *guard) {
    if (!is_punct(feed_peek(self, base), '('))
        return false;
    const Feed *top = &self->feeds.items[self->feeds.count - 1];
    const Token *kind = top->at + 1 < top->count ? &top->tokens[top->at + 1] : NULL;
    const LockEffect *effects;
    u32 count = declarations_effects(self->declarations, guard->text, guard->length, &effects);
    char text[256];
    const char *term = text;
    if (!kind || kind->kind != TOKEN_NAME || kind->length >= sizeof text)
        return false;
    memcpy(text, kind->text, kind->length);
    text[kind->length] = 0;
    for (u32 i = 0; i < count; i++)
        if (effects[i].choice.argument <= 1 && choice_holds(&effects[i].choice, &term, 1))
            return true;
    return false;
}

// What an annotator said of a name decides before any macro does. True: dealt with.
static bool expand_said(Worker *self, u32 base, const Token *token, u32 said, TokenArray *out) {
    Token copy = *token;
    bool label = (said & SAID_ATTRIBUTE) && self->braces > 0 && is_punct(feed_peek(self, base), ':');
    if (label || follows_member(out)) { // a member of that name is nothing that was spoken of
        copy.flags |= TOKEN_PAINTED;
        array_push(out, copy);
        return true;
    }
    if (said & SAID_DEFINITION && !unit_name(self, token->name)->disabled && expand_definition(self, base, token))
        return true;
    if (said & SAID_ATTRIBUTE) {
        skip_attribute_arguments(self, base, unit_macro(self, copy.name));
        put_mark(self, &copy, out);
        return true;
    }
    if (said & SAID_GUARD) { // any other is what its macro says
        if (guard_is_known(self, base, token))
            said |= SAID_KEEP;
        else if (unit_macro(self, copy.name) != NO_MACRO)
            return false;
    }
    if (said & SAID_ITERATOR) {
        Declared declared = declarations_look(self->declarations, copy.text, copy.length);
        copy.flags |= TOKEN_PAINTED | TOKEN_ITERATOR;
        copy.extra = declared.iterator_variable ? (u8)declared.iterator_variable : ITERATOR_PLAIN;
    }
    if (said & (SAID_LOCK | SAID_KEEP | SAID_LIKELY | SAID_CONTAINER | SAID_CONDITION | SAID_ITERATOR | SAID_ATOMIC)) {
        copy.flags |= TOKEN_PAINTED;
        array_push(out, copy);
        if ((said & SAID_LOCK) && !self->lock_parens && is_punct(feed_peek(self, base), '(')) {
            array_push(out, *feed_next(self, base));
            self->lock_parens = 1;
        }
        return true;
    }
    return false;
}

static bool ends_a_type(const Token *token) {
    if (is_punct(token, '*'))
        return true;
    if (token->kind != TOKEN_NAME)
        return false;
    switch (token->code) {
    case KW_NONE: case KW_VOID: case KW_INT: case KW_LONG: case KW_CHAR: case KW_UNSIGNED: case KW_SHORT: case KW_BOOL:
    case KW_DOUBLE: case KW_FLOAT: return true;
    default: return false;
    }
}

// From the ( at `at`: `(a, b) int a; char *b; {`?
static bool is_old_style(const Token *tokens, u32 at, u32 close, u32 end) {
    for (u32 i = at + 1; i < close; i++)
        if (!is_punct(&tokens[i], ',') && !(tokens[i].kind == TOKEN_NAME && tokens[i].code == KW_NONE))
            return false;
    for (u32 i = close + 1; i < end && i < close + 200; i++) {
        if (is_punct(&tokens[i], '{'))
            return is_punct(&tokens[i - 1], ';');
        if (tokens[i].kind != TOKEN_NAME && !is_punct(&tokens[i], '*') && !is_punct(&tokens[i], ',') && !is_punct(&tokens[i], ';'))
            return false;
    }
    return false;
}

// `int name(int a) {` and `int name(int a);` at file scope declare name, macro or not.
static bool is_declared_here(Worker *self, u32 base, const TokenArray *out) {
    if (self->braces || self->feeds.count != base + 1 || !out->count)
        return false;
    const Token *before = &out->items[out->count - 1];
    if (before->kind == TOKEN_NAME && before->code == KW_INLINE && out->count > 1)
        before--;
    const Feed *feed = &self->feeds.items[base];
    if (!ends_a_type(before) || feed->at >= feed->count || !is_punct(&feed->tokens[feed->at], '('))
        return false;
    u32 depth = 0, at = feed->at;
    for (; at < feed->count && at < feed->at + 400; at++) {
        if (is_punct(&feed->tokens[at], '('))
            depth++;
        else if (is_punct(&feed->tokens[at], ')') && !--depth)
            break;
    }
    if (at + 1 >= feed->count)
        return false;
    return is_punct(&feed->tokens[at + 1], '{') || is_punct(&feed->tokens[at + 1], ';') ||
           is_old_style(feed->tokens, feed->at, at, feed->count);
}

static void put_made(Worker *self, const Token *place, u8 kind, const char *text, TokenArray *out) {
    Token made = *place;
    made.kind = kind;
    made.code = 0;
    made.length = (u32)strlen(text);
    made.text = arena_copy(&self->arena, text, made.length);
    put_at(out, made, place);
}

// What the compiler itself knows.
static bool expand_builtin(Worker *self, const Token *token, TokenArray *out) {
    static const char *const strings[] = {"__FILE__", "__BASE_FILE__", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__DATE__", "__TIME__"};
    char text[24];
    if (token->length < 8 || token->text[0] != '_' || token->text[1] != '_')
        return false;
    for (u32 i = 0; i < sizeof strings / sizeof *strings; i++)
        if (strlen(strings[i]) == token->length && !memcmp(strings[i], token->text, token->length)) {
            put_made(self, token, TOKEN_STRING, "\"\"", out);
            return true;
        }
    bool line = token->length == 8 && !memcmp(token->text, "__LINE__", 8);
    if (!line && !(token->length == 11 && !memcmp(token->text, "__COUNTER__", 11)))
        return false;
    snprintf(text, sizeof text, "%u", line ? token->line : self->counter++);
    put_made(self, token, TOKEN_NUMBER, text, out);
    return true;
}

static void expand_name(Worker *self, u32 base, const Token *token, TokenArray *out) {
    u32 said = name_said(self, token->name);
    if (said && expand_said(self, base, token, said, out))
        return;
    u32 macro = unit_macro(self, token->name);
    Token copy = *token;
    if (macro == NO_MACRO) {
        if (!expand_builtin(self, &copy, out))
            array_push(out, copy);
        return;
    }
    bool guessed = follows_member(out) && !(macro & LOCAL_MACRO) && !unit_includes(self, worker_macro(self, macro)->file);
    if (unit_name(self, copy.name)->disabled || guessed) {
        copy.flags |= TOKEN_PAINTED;
        array_push(out, copy);
        return;
    }
    if (self->budget <= 0 || self->feeds.count > FEEDS) {
        limit_hit(self, "macro expansion too large");
        array_push(out, copy);
        return;
    }
    const Token *tokens;
    const MacroBody *body = worker_body(self, macro, &tokens);
    if (body->function_like && (!is_punct(feed_peek(self, base), '(') || body->bad)) {
        array_push(out, copy);
        return;
    }
    // The other arm may have defined the name away.
    bool declarable = body->function_like || (self->alternative && (macro & LOCAL_MACRO));
    if (declarable && is_declared_here(self, base, out)) {
        copy.flags |= TOKEN_PAINTED;
        array_push(out, copy);
        return;
    }
    if (!body->function_like) {
        expand_object(self, &copy, macro, out);
        return;
    }
    ArgumentsLook look = look_at_arguments(self, base);
    if (look.whole && !body->variadic && look.count != body->param_count && look.count > 1) {
        macro = unit_macro_of(self, copy.name, macro, look.count);
        body = worker_body(self, macro, &tokens);
    }
    u8 iterator = body->iterator;
    bool keep = (iterator && body->count > 24) || (self->braces > 0 && look.plain && stays_a_call(self, copy.name, macro));
    if (keep && !self->force) {
        copy.flags |= (u8)(TOKEN_PAINTED | (iterator ? TOKEN_ITERATOR : 0));
        copy.extra = iterator;
        array_push(out, copy);
        return;
    }
    expand_function(self, base, &copy, macro, out);
}

static void expand_feed(Worker *self, u32 base, TokenArray *out) {
    for (const Token *token; (token = feed_next(self, base));) {
        if (token->kind == TOKEN_NAME && token->code == KW_NONE && !(token->flags & TOKEN_PAINTED)) {
            expand_name(self, base, token, out);
            continue;
        }
        if (token->kind == TOKEN_PUNCT) {
            if (self->lock_parens)
                self->lock_parens += token->code == '(' ? 1 : token->code == ')' ? -1 : 0;
            if (!self->depth)
                self->braces += token->code == '{' ? 1 : token->code == '}' ? -1 : 0;
        }
        array_push(out, *token);
    }
}

void expand(Worker *self, const Token *in, u32 count, TokenArray *out) {
    if (self->preprocessed) {
        for (u32 i = 0; i < count; i++)
            array_push(out, in[i]);
        return;
    }
    u32 base = self->feeds.count;
    feed_push(self, in, count, 0);
    expand_feed(self, base, out);
    feed_drop_spent(self, base);
}
