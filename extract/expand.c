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
#include "extract/expand.h"

// expansion -------------------------------------------------------------------

// An object-like macro that is a constant expression becomes one number.
static bool fold(Worker *self, const Token *tokens, u32 count, const Token *place, TokenArray *out) {
    if (count < 2 || count > 64)
        return false;
    for (u32 i = 0; i < count; i++)
        if (tokens[i].kind != TOKEN_NUMBER && tokens[i].kind != TOKEN_PUNCT && tokens[i].kind != TOKEN_CHAR)
            return false;
    ConditionValue value = condition_value(self, tokens, count);
    if (!value.known ||
        (value.natural && (value.value < 0 || value.value > UINT32_MAX))) // how wide it is, is not ours to say
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
    return token->kind != TOKEN_PUNCT || (token->code < 128 && strchr("(!~-+*&{[", token->code)) ||
           token->code == P_INCREMENT || token->code == P_DECREMENT || token->code == P_ANDAND;
}

static bool ends_argument(const Token *token) {
    return token->kind != TOKEN_PUNCT || (token->code < 128 && strchr(")]}*", token->code)) ||
           token->code == P_INCREMENT || token->code == P_DECREMENT;
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
            look.plain &= at > first && token->code != ';' && starts_argument(&feed->tokens[first]) &&
                          ends_argument(&feed->tokens[at - 1]);
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

static bool name_locks(Worker *self, u32 name, u32 depth) {
    u32 macro = unit_macro(self, name), count;
    const Token *tokens;
    if (name_said(self, name) & SAID_LOCK)
        return true;
    if (macro == NO_MACRO || !(macro & LOCAL_MACRO))
        return macro != NO_MACRO && (macro_info(self, name) & INFO_LOCK);
    count = worker_body(self, macro, &tokens)->count; // a source's own are not weighed
    for (u32 i = 0; i < count && depth < 2; i++)
        if (tokens[i].kind == TOKEN_NAME && tokens[i].code == KW_NONE && name_locks(self, tokens[i].name, depth + 1))
            return true;
    return false;
}

// Is it given what to do with a lock: `WAIT_FOR(x, spin_lock(&l), spin_unlock(&l))`? What becomes of it, the text says.
static bool gives_locking(Worker *self, u32 base) {
    if (!is_punct(feed_peek(self, base), '('))
        return false;
    const Feed *feed = &self->feeds.items[self->feeds.count - 1];
    u32 depth = 0;
    for (u32 at = feed->at; at + 1 < feed->count && at < feed->at + 4000; at++) {
        const Token *token = &feed->tokens[at];
        depth += is_punct(token, '(');
        if (is_punct(token, ')') && !--depth)
            return false;
        if (token->kind == TOKEN_NAME && token->code == KW_NONE && is_punct(token + 1, '(') &&
            name_locks(self, token->name, 0))
            return true;
    }
    return false;
}

// Is what the lock function does chosen by one of its arguments?
static bool is_chosen(const Worker *self, const Token *name) {
    const LockEffect *effects;
    u32 count = declarations_effects(self->declarations, name->text, name->length, &effects);
    for (u32 i = 0; i < count; i++)
        if (effects[i].choice.argument)
            return true;
    return false;
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
    CallArguments arguments;
    call_arguments_read(self, base, 1, true, &arguments);
    call_arguments_free(&arguments);
}

static void state(Worker *self, const Token *place, const char *text) {
    TokenArray made = {0};
    size_t length = strlen(text);
    char *copy = arena_zero(&self->arena, length + 16);
    memcpy(copy, text, length);
    lex_line(&made, &self->names, copy, (u32)length, place->line);
    for (u32 i = 0; i < made.count; i++)
        put_at(&self->stated, made.items[i], place);
    array_free(&made);
}

// `int f(struct box *box) HOLDS(&box->lock) {`: the body begins with a call for each argument. One that is a single
// word names no lock but an idea ("RCU").
static bool state_arguments(Worker *self, u32 base, const Token *attribute) {
    const char *function = declarations_look(self->declarations, attribute->text, attribute->length).states;
    Token place = *attribute;
    if (!function || self->braces || self->depth || !is_punct(feed_peek(self, base), '('))
        return false;
    feed_next(self, base);
    CallArguments arguments;
    call_arguments_read(self, base, 8, false, &arguments);
    for (u32 i = 0; i < arguments.count && i < 8; i++) {
        const CallArgument *one = &arguments.list[i];
        if (one->count < 2)
            continue;
        state(self, &place, function);
        state(self, &place, "(");
        for (u32 t = 0; t < one->count; t++)
            array_push(&self->stated, arguments.tokens.items[one->first + t]);
        state(self, &place, ");");
    }
    call_arguments_free(&arguments);
    return true;
}

// The body begins: what was stated stands before it. A declaration ends: it was stated of nothing that is here.
static void put_stated(Worker *self, u8 code) {
    if (self->depth || self->braces > 1 || !self->stated.count || (code != '{' && code != ';'))
        return;
    if (code == '{') {
        Token *tokens = arena_array(&self->arena, Token, self->stated.count + 1);
        memcpy(tokens, self->stated.items, sizeof(Token) * self->stated.count);
        feed_push(self, tokens, self->stated.count, 0);
    }
    self->stated.count = 0;
}

// `#define f M(f)` with an M that is nowhere: the name is still f.
static bool is_wrapped_self(Worker *self, const Token *tokens, u32 count, u32 name) {
    return count == 4 && tokens[0].kind == TOKEN_NAME && is_punct(&tokens[1], '(') && tokens[2].kind == TOKEN_NAME &&
           tokens[2].name == name && unit_macro(self, tokens[0].name) == NO_MACRO;
}

static void expand_object(Worker *self, const Token *token, u32 macro, TokenArray *out) {
    Token place = *token;
    CallArguments none = {0};
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
    if (constant && self->lock_parens && self->lock_chooses) { // lock tables speak of constants by name
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
    CallArguments arguments;
    if (!call_arguments_read(self, base, body.param_count, body.variadic, &arguments)) {
        // The call never ends: give back what was read, unexpanded.
        place.flags |= TOKEN_PAINTED;
        array_push(out, place);
        Token paren = place;
        paren.kind = TOKEN_PUNCT, paren.code = '(', paren.text = "(", paren.length = 1;
        array_push(out, paren);
        for (u32 i = 0; i < arguments.tokens.count; i++)
            array_push(out, arguments.tokens.items[i]);
        call_arguments_free(&arguments);
        return;
    }
    u32 count;
    const Token *made = substituted(self, macro, &arguments, &place, &count);
    call_arguments_free(&arguments);
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

// Is the lock of `guard(kind…` one that was spoken of, or any?
static bool guard_is_known(Worker *self, u32 base, const Token *guard) {
    if (!is_punct(feed_peek(self, base), '('))
        return false;
    const Feed *top = &self->feeds.items[self->feeds.count - 1];
    const Token *kind = top->at + 1 < top->count ? &top->tokens[top->at + 1] : NULL;
    const LockEffect *effects;
    u32 count = declarations_effects(self->declarations, guard->text, guard->length, &effects);
    for (u32 i = 0; i < count; i++)
        if (!effects[i].choice.argument)
            return true;
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
        if (!state_arguments(self, base, &copy))
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
            self->lock_chooses = is_chosen(self, &copy);
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
    case KW_NONE:
    case KW_VOID:
    case KW_INT:
    case KW_LONG:
    case KW_CHAR:
    case KW_UNSIGNED:
    case KW_SHORT:
    case KW_BOOL:
    case KW_DOUBLE:
    case KW_FLOAT: return true;
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
        if (tokens[i].kind != TOKEN_NAME && !is_punct(&tokens[i], '*') && !is_punct(&tokens[i], ',') &&
            !is_punct(&tokens[i], ';'))
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
    static const char *const strings[] = {
        "__FILE__", "__BASE_FILE__", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "__DATE__", "__TIME__"};
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
    bool guessed =
        follows_member(out) && !(macro & LOCAL_MACRO) && !unit_includes(self, worker_macro(self, macro)->file);
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
    bool keep = (iterator && body->count > 24) ||
                (self->braces > 0 && look.plain && stays_a_call(self, copy.name, macro) && !gives_locking(self, base));
    if (keep && !self->force) {
        copy.flags |= (u8)(TOKEN_PAINTED | (iterator ? TOKEN_ITERATOR : 0));
        copy.extra = iterator;
        array_push(out, copy);
        return;
    }
    expand_function(self, base, &copy, macro, out);
}

void expand_feed(Worker *self, u32 base, TokenArray *out) {
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
        if (token->kind == TOKEN_PUNCT)
            put_stated(self, token->code);
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
