// substitute.c: the arguments of a macro, and its text with them put in.
// In: a macro, the tokens behind its name. Out: what it stands for, each token with its place in the source; likewise
// for the templates of annotators' definitions.
#include "extract/expand.h"

void call_arguments_free(CallArguments *self) {
    array_free(&self->tokens);
    array_free(&self->expanded);
    free(self->list);
}

// Past the ) that ends the call; false at the end of input. The ( has been read.
bool call_arguments_read(Worker *self, u32 base, u32 most, bool variadic, CallArguments *out) {
    u32 depth = 1, at = 0;
    *out = (CallArguments){.list = must_zero(sizeof(CallArgument) * (most + 1)), .count = 1};
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

static void argument_expand(Worker *self, CallArguments *arguments, CallArgument *argument) {
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

void put_at(TokenArray *out, Token token, const Token *place) {
    token.line = place->line, token.column = place->column, token.offset = place->offset;
    token.flags = (u8)((token.flags & ~TOKEN_FRESH) | TOKEN_EXPANDED);
    array_push(out, token);
}

typedef struct {
    Worker *worker;
    const Token *body;
    u32 count;
    const MacroBody *macro;
    CallArguments *arguments;
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
    CallArgument *argument = &self->arguments->list[param];
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
        if (is_punct(&body[i], '#') && self->macro->function_like && i + 1 < self->count &&
            body[i + 1].kind == TOKEN_PARAM) {
            const CallArgument *argument = &self->arguments->list[body[i + 1].name];
            substitute_put(self,
                           string_token(self->worker, self->arguments->tokens.items + argument->first, argument->count,
                                        self->place),
                           false);
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
const Token *substituted(Worker *self, u32 macro, CallArguments *arguments, const Token *place, u32 *count) {
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

static void template_argument(Buffer *text, const CallArguments *arguments, u32 index) {
    if (index >= arguments->count)
        return;
    const CallArgument *argument = &arguments->list[index];
    for (u32 i = 0; i < argument->count; i++) {
        const Token *token = &arguments->tokens.items[argument->first + i];
        if (i)
            buffer_byte(text, ' ');
        buffer_put(text, token->text, token->length);
    }
}

// $1 … $9, $0 the macro's name, $* all, $(n*) from the nth on, $pairs(n) "type, name" pairs as parameters.
static void template_fill(const char *template, const Token *name, const CallArguments *arguments, Buffer *text) {
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

bool expand_definition(Worker *self, u32 base, const Token *name) {
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
    CallArguments arguments;
    call_arguments_read(self, base, 64, false, &arguments);
    Buffer text = {0};
    template_fill(declared.definition, &place, &arguments, &text);
    call_arguments_free(&arguments);
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
