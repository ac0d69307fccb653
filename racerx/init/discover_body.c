// discover_body.c: the statements of a function, or of a macro, to steps.
// In: tokens of the chosen arms, with the partners of their brackets. Out: calls with what they are given, and the
// control flow around them: what discover_paths.c follows.
// Idea: structure is enough. `NAME(…) {` heads a loop, everything else that is no keyword is an expression; what is
// not understood is passed over to the next `;`. Nothing is recursive but statements, and these to a depth.
#include "racerx/init/discover_read.h"
#include "racerx/limits.h"

// tokens ----------------------------------------------------------------------

static const Token *token_at(const DiscoverReader *self, u32 index) {
    static const Token none = {.kind = TOKEN_END};
    return index < self->tokens.count ? &self->tokens.items[index] : &none;
}
static bool is_punct(const DiscoverReader *self, u32 index, u8 code) {
    const Token *token = token_at(self, index);
    return token->kind == TOKEN_PUNCT && token->code == code;
}
static bool is_plain_name(const Token *token) { return token->kind == TOKEN_NAME && token->code == KW_NONE; }
static u32 partner(const DiscoverReader *self, u32 index, u32 end) {
    u32 found = index < self->partners.count ? self->partners.items[index] : NO_TOKEN;
    return found != NO_TOKEN && found > index && found < end ? found : NO_TOKEN;
}
// The token after this one, groups in brackets counting as one.
static u32 after(const DiscoverReader *self, u32 index, u32 end) {
    u32 close = partner(self, index, end);
    return close == NO_TOKEN ? index + 1 : close + 1;
}

void discover_grow(U32Array *array, u32 name) {
    while (array->count <= name)
        array_push(array, 0);
}

u32 discover_hash(const DiscoverReader *self, u32 first, u32 end) {
    u64 hash = 7;
    limit_cuts(LIMIT_HASHED_MOST, end > first + HASHED_MOST);
    for (u32 i = first; i < end && i < first + HASHED_MOST; i++) {
        const Token *token = &self->tokens.items[i];
        hash = token->kind == TOKEN_NAME ? hash_mix(hash, self->names.names.items[token->name].hash)
                                         : hash_bytes(token->text, token->length, hash);
    }
    u32 folded = (u32)(hash ^ hash >> 32);
    return folded ? folded : 1;
}

static TextStep *push_step(DiscoverReader *self, u8 kind, u32 line) {
    array_push(&self->out->steps, ((TextStep){.kind = kind, .line = line}));
    return &self->out->steps.items[self->out->steps.count - 1];
}
static u32 step_count(const DiscoverReader *self) { return self->out->steps.count - self->first; }
static TextStep *step_at(DiscoverReader *self, u32 index) { return &self->out->steps.items[self->first + index]; }

// arguments -------------------------------------------------------------------

// The last name of `&a->b[i].c`, or 0 when this is something else.
static u32 path_tail(const DiscoverReader *self, u32 first, u32 end) {
    u32 tail = 0;
    for (u32 i = first; i < end; i = after(self, i, end)) {
        const Token *token = &self->tokens.items[i];
        if (is_plain_name(token)) {
            if (tail && !is_punct(self, i - 1, P_ARROW) && !is_punct(self, i - 1, '.'))
                return 0;
            tail = token->name;
        } else if (token->kind != TOKEN_PUNCT || !(token->code == '&' || token->code == '*' || token->code == '.' ||
                                                   token->code == P_ARROW || token->code == '[')) {
            return 0;
        }
    }
    return tail;
}

static bool has_address(const DiscoverReader *self, u32 first, u32 end) {
    if (is_punct(self, first, '&'))
        return true;
    for (u32 i = first; i < end; i = after(self, i, end))
        if (is_punct(self, i, P_ARROW))
            return true;
    return false;
}

static bool is_scalar(const DiscoverReader *self, u32 name) {
    for (u32 i = 0; i < self->scalars.count; i++)
        if (self->scalars.items[i] == name)
            return true;
    return false;
}

static bool is_constant(const DiscoverReader *self, const Token *token) {
    if (token->kind == TOKEN_NUMBER)
        return true;
    return is_plain_name(token) && token->length > 1 && self->names.names.items[token->name].upper;
}

static void hand_on(DiscoverReader *self, u32 name, u32 argument, u32 step) {
    HandedName handed = {self->body, step, name, (u8)argument};
    array_push(&self->out->handed, handed);
}

static void read_argument(DiscoverReader *self, u32 step, u32 index, u32 first, u32 end) {
    while (end > first + 2 && is_punct(self, first, '(') && partner(self, first, end) == end - 1)
        first++, end--;
    if (first >= end)
        return;
    const Token *only = end == first + 1 ? &self->tokens.items[first] : NULL;
    if (index < 16 && ((only && is_plain_name(only)) || (end == first + 2 && is_punct(self, first, '&'))))
        hand_on(self, self->tokens.items[end - 1].name, index + 1, step);
    u32 tail = path_tail(self, first, end);
    if (tail) {
        discover_grow(&self->handed_on, tail);
        self->handed_on.items[tail]++;
    }
    TextStep *call = step_at(self, step);
    if (index < 3)
        call->tails[index] = tail;
    if (index >= 8)
        return;
    u8 bit = (u8)(1u << index);
    call->scalars |= only && is_plain_name(only) && is_scalar(self, only->name) ? bit : 0;
    call->constants |= only && is_constant(self, only) ? bit : 0;
    call->strings |= self->tokens.items[first].kind == TOKEN_STRING ? bit : 0;
    call->addresses |= has_address(self, first, end) ? bit : 0;
    if (index < TEXT_ARGS)
        call->args[index] = discover_hash(self, first, end);
}

static void read_arguments(DiscoverReader *self, u32 step, u32 open, u32 close) {
    u32 index = 0, first = open + 1;
    if (open + 1 == close)
        return;
    for (u32 i = open + 1; i <= close; i = i < close ? after(self, i, close) : i + 1) {
        if (i < close && !is_punct(self, i, ','))
            continue;
        read_argument(self, step, index++, first, i);
        first = i + 1;
    }
    step_at(self, step)->arg_count = (u8)(index < 255 ? index : 255);
}

// Where the left side of the assignment begins whose `=` is at `assign`.
static u32 target_start(const DiscoverReader *self, u32 assign, u32 floor) {
    u32 i = assign;
    while (i > floor) {
        const Token *token = &self->tokens.items[i - 1];
        bool name = is_plain_name(token);
        if (is_punct(self, i - 1, ']') && self->partners.items[i - 1] != NO_TOKEN &&
            self->partners.items[i - 1] >= floor) {
            i = self->partners.items[i - 1];
            continue;
        }
        if (!name)
            break;
        i--;
        if (i > floor && (is_punct(self, i - 1, P_ARROW) || is_punct(self, i - 1, '.')))
            i--;
        else
            break;
    }
    return i;
}

static void read_target(DiscoverReader *self, u32 step, u32 call, u32 floor) {
    u32 before = call;
    if (before > floor && is_punct(self, before - 1, ')') && self->partners.items[before - 1] != NO_TOKEN)
        before = self->partners.items[before - 1]; // a cast
    if (before <= floor)
        return;
    const Token *token = &self->tokens.items[before - 1];
    if (token->kind == TOKEN_NAME && token->code == KW_RETURN)
        step_at(self, step)->flags |= FLAG_RETURNED;
    if (!is_punct(self, before - 1, '='))
        return;
    u32 start = target_start(self, before - 1, floor);
    if (start == before - 1)
        return;
    Assigned assigned = {discover_hash(self, start, before - 1), step};
    step_at(self, step)->result = assigned.hash;
    step_at(self, step)->flags |= FLAG_ASSIGNED;
    array_push(&self->assigned, assigned);
}

static bool starts_call(const DiscoverReader *self, u32 index, u32 floor) {
    if (!is_plain_name(&self->tokens.items[index]) || !is_punct(self, index + 1, '('))
        return false;
    if (index <= floor)
        return true;
    const Token *before = &self->tokens.items[index - 1];
    if (before->kind == TOKEN_NAME)
        return before->code == KW_RETURN || before->code == KW_ELSE || before->code == KW_DO || before->code == KW_CASE;
    return !is_punct(self, index - 1, P_ARROW) && !is_punct(self, index - 1, '.');
}

// A parameter's name says nothing about what is called.
static bool calls_parameter(const DiscoverReader *self, u32 index) {
    const TextBody *body = &self->out->bodies.items[self->body];
    u32 hash = body->param_count ? discover_hash(self, index, index + 1) : 0;
    for (u32 i = 0; hash && i < TEXT_ARGS; i++)
        if (body->params[i] == hash)
            return true;
    return false;
}

static void read_call(DiscoverReader *self, u32 index, u32 floor, u32 end) {
    u32 close = partner(self, index + 1, end), step = step_count(self);
    if (close == NO_TOKEN || calls_parameter(self, index))
        return;
    TextStep *call = push_step(self, TEXT_CALL, self->tokens.items[index].line);
    call->name = self->tokens.items[index].name;
    if (is_punct(self, close + 1, ';') && is_punct(self, close + 2, '}'))
        call->flags |= FLAG_ENDS;
    array_push(&self->called, ((Assigned){index, step}));
    read_arguments(self, step, index + 1, close);
    read_target(self, step, index, floor);
}

// Every call between two tokens, in the order of the text.
static void read_expression(DiscoverReader *self, u32 first, u32 end) {
    for (u32 i = first; i < end; i++) {
        const Token *token = &self->tokens.items[i];
        if (token->kind != TOKEN_NAME)
            continue;
        if (token->code == KW_SIZEOF || token->code == KW_TYPEOF || token->code == KW_ALIGNOF ||
            token->code == KW_OFFSETOF) {
            u32 close = partner(self, i + 1, end);
            i = close == NO_TOKEN ? i : close;
        } else if (starts_call(self, i, first)) {
            read_call(self, i, first, end);
        } else if (token->code == KW_NONE) {
            discover_grow(&self->uses, token->name);
            self->uses.items[token->name]++;
        }
    }
}

// conditions ------------------------------------------------------------------

typedef struct {
    u32 first, end; // tokens
    bool zero;      // it holds when the value is 0
} BodyQuestion;

static bool is_likely(const DiscoverReader *self, u32 name) {
    for (u32 i = 0; i < self->likely.count; i++)
        if (self->likely.items[i] == name)
            return true;
    return false;
}

// Takes ! and brackets and likely() away.
static void strip(const DiscoverReader *self, BodyQuestion *ask) {
    for (;;) {
        if (is_punct(self, ask->first, '!')) {
            ask->zero = !ask->zero;
            ask->first++;
        } else if (is_punct(self, ask->first, '(') && partner(self, ask->first, ask->end) == ask->end - 1) {
            ask->first++;
            ask->end--;
        } else if (ask->first + 1 < ask->end && is_plain_name(&self->tokens.items[ask->first]) &&
                   is_likely(self, self->tokens.items[ask->first].name) &&
                   partner(self, ask->first + 1, ask->end) == ask->end - 1) {
            ask->first += 2;
            ask->end--;
        } else {
            return;
        }
        if (ask->first >= ask->end)
            return;
    }
}

static bool ends_in_word(const char *text, u32 length, const char *word) {
    size_t size = strlen(word);
    if (length < size)
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text[length - size + i];
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != word[i])
            return false;
    }
    return true;
}

// 1: a constant that is 0; 0: one that is not; -1: no constant.
static int constant_zero(const DiscoverReader *self, u32 first, u32 end) {
    if (first + 2 == end && is_punct(self, first, '-'))
        return 0;
    if (first + 1 != end)
        return -1;
    const Token *token = &self->tokens.items[first];
    if (token->kind == TOKEN_NUMBER)
        return token->length == 1 && *token->text == '0';
    for (u32 i = 0; token->kind == TOKEN_NAME && self->words->zero[i]; i++)
        if (ends_in_word(token->text, token->length, self->words->zero[i]))
            return 1;
    return is_constant(self, token) ? 0 : -1;
}

// Where a comparison stands between the two, or `end`.
static u32 find_comparison(const DiscoverReader *self, u32 first, u32 end) {
    for (u32 i = first; i < end; i = after(self, i, end)) {
        const Token *token = &self->tokens.items[i];
        if (token->kind == TOKEN_PUNCT && (token->code == P_EQ || token->code == P_NE || token->code == '<' ||
                                           token->code == '>' || token->code == P_LE || token->code == P_GE))
            return i;
    }
    return end;
}

// `x == 0`: asks for x. False when it compares with something else.
static bool compare(const DiscoverReader *self, BodyQuestion *ask) {
    u32 sign = find_comparison(self, ask->first, ask->end);
    if (sign == ask->end)
        return true;
    int zero = constant_zero(self, sign + 1, ask->end);
    u8 code = self->tokens.items[sign].code;
    if (zero < 0) {
        zero = constant_zero(self, ask->first, sign);
        if (zero < 0)
            return false;
        ask->first = sign + 1;
    } else {
        ask->end = sign;
    }
    bool when_zero = code == P_EQ ? zero : code == P_NE ? !zero : code == P_GE || code == P_LE;
    ask->zero = ask->zero != when_zero;
    BodyQuestion inner = *ask;
    inner.zero = false;
    strip(self, &inner);
    ask->zero = ask->zero != inner.zero;
    ask->first = inner.first;
    ask->end = inner.end;
    return true;
}

// The call a question is about: itself, or the last one whose result is in the variable.
static u32 question_call(const DiscoverReader *self, const BodyQuestion *ask) {
    u32 first = ask->first;
    for (u32 i = first; i < ask->end; i = after(self, i, ask->end))
        if (is_punct(self, i, '='))
            first = i + 1; // (x = f())
    if (first + 1 < ask->end && is_plain_name(&self->tokens.items[first]) &&
        partner(self, first + 1, ask->end) == ask->end - 1) {
        for (u32 i = self->called.count; i-- > 0;)
            if (self->called.items[i].hash == first)
                return self->called.items[i].step;
        return NO_TOKEN;
    }
    if (first != ask->first || !path_tail(self, first, ask->end))
        return NO_TOKEN;
    u32 hash = discover_hash(self, first, ask->end);
    bool cut = limit_cuts(LIMIT_BEHIND_MOST, self->assigned.count > BEHIND_MOST);
    u32 floor = cut ? self->assigned.count - BEHIND_MOST : 0;
    for (u32 i = self->assigned.count; i-- > floor;)
        if (self->assigned.items[i].hash == hash)
            return self->assigned.items[i].step;
    return NO_TOKEN;
}

static void read_question(DiscoverReader *self, u32 first, u32 end) {
    BodyQuestion ask = {first, end, false};
    strip(self, &ask);
    if (ask.first >= ask.end || !compare(self, &ask) || ask.first >= ask.end)
        return;
    u32 call = question_call(self, &ask);
    if (call == NO_TOKEN)
        return;
    TextStep *step = push_step(self, TEXT_CONDITION, self->tokens.items[first].line);
    step->args[0] = call;
    step->flags = ask.zero ? FLAG_ZERO : 0;
    TextStep *asked = step_at(self, call);
    asked->flags |= FLAG_TESTED | (ask.zero ? FLAG_NULL : 0);
}

static void read_condition(DiscoverReader *self, u32 first, u32 end) {
    BodyQuestion whole = {first, end, false};
    self->called.count = 0;
    read_expression(self, first, end);
    while (is_punct(self, whole.first, '(') && partner(self, whole.first, whole.end) == whole.end - 1)
        whole.first++, whole.end--;
    u32 part = whole.first;
    for (u32 i = whole.first; i < whole.end; i = after(self, i, whole.end))
        if (is_punct(self, i, P_ANDAND) || is_punct(self, i, P_OROR)) {
            read_question(self, part, i);
            part = i + 1;
        }
    read_question(self, part, whole.end);
}

// statements ------------------------------------------------------------------

static void read_statement(DiscoverReader *self);

// The bracket that closes the one at `at`, or the end.
static u32 group_end(const DiscoverReader *self, u32 at) {
    u32 close = is_punct(self, at, '(') ? partner(self, at, self->end) : NO_TOKEN;
    return close == NO_TOKEN ? at : close;
}

static void read_block(DiscoverReader *self) {
    u32 close = partner(self, self->at, self->end);
    u32 end = close == NO_TOKEN ? self->end : close, outer = self->end;
    self->at++;
    self->end = end;
    while (self->at < end)
        read_statement(self);
    self->end = outer;
    self->at = close == NO_TOKEN ? end : end + 1;
}

static void read_if(DiscoverReader *self) {
    u32 open = self->at + 1, close = group_end(self, open), line = self->tokens.items[self->at].line;
    read_condition(self, open + 1, close);
    u32 step = step_count(self);
    push_step(self, TEXT_IF, line);
    self->at = close + 1;
    read_statement(self);
    step_at(self, step)->args[0] = step_count(self);
    const Token *next = token_at(self, self->at);
    if (self->at < self->end && next->kind == TOKEN_NAME && next->code == KW_ELSE) {
        self->at++;
        read_statement(self);
    }
    step_at(self, step)->args[1] = step_count(self);
}

// `for (;;)` and `while (1)` end by break only.
static bool is_endless(const DiscoverReader *self, u8 keyword, u32 open, u32 close) {
    if (keyword == KW_FOR)
        return open + 3 == close;
    const Token *token = token_at(self, open + 1);
    return open + 2 == close && (token->kind == TOKEN_NUMBER ? *token->text != '0' : is_constant(self, token));
}

static void read_loop(DiscoverReader *self, u8 keyword) {
    u32 open = self->at + 1, close = group_end(self, open), line = self->tokens.items[self->at].line;
    if (keyword == KW_WHILE)
        read_condition(self, open + 1, close);
    else
        read_expression(self, open + 1, close);
    u32 step = step_count(self);
    push_step(self, TEXT_LOOP, line)->flags = is_endless(self, keyword, open, close) ? FLAG_ENDLESS : 0;
    self->at = close + 1;
    read_statement(self);
    step_at(self, step)->args[0] = step_count(self);
}

// The body is run once at least: it stands where it is, as a loop for its breaks.
static void read_do(DiscoverReader *self) {
    u32 step = step_count(self);
    push_step(self, TEXT_LOOP, self->tokens.items[self->at].line)->flags = FLAG_ENDLESS | FLAG_DEFAULT;
    self->at++;
    read_statement(self);
    step_at(self, step)->args[0] = step_count(self);
    const Token *next = token_at(self, self->at);
    if (next->kind == TOKEN_NAME && next->code == KW_WHILE && self->at < self->end) {
        u32 close = group_end(self, self->at + 1);
        read_expression(self, self->at + 2, close);
        self->at = close + 1;
        self->at += is_punct(self, self->at, ';');
    }
}

static void read_switch(DiscoverReader *self) {
    u32 open = self->at + 1, close = group_end(self, open);
    read_expression(self, open + 1, close);
    u32 step = step_count(self);
    push_step(self, TEXT_SWITCH, self->tokens.items[self->at].line);
    self->at = close + 1;
    read_statement(self);
    step_at(self, step)->args[0] = step_count(self);
}

static void read_case(DiscoverReader *self, u8 keyword) {
    u32 i = self->at + 1;
    while (i < self->end && !is_punct(self, i, ':') && !is_punct(self, i, ';') && !is_punct(self, i, '{'))
        i = after(self, i, self->end);
    push_step(self, TEXT_CASE, self->tokens.items[self->at].line)->flags = keyword == KW_DEFAULT ? FLAG_DEFAULT : 0;
    self->at = i + is_punct(self, i, ':');
}

// The `;` (or `}`, or the `{` of a block) that ends the expression at `first`.
static u32 expression_end(const DiscoverReader *self, u32 first) {
    for (u32 i = first; i < self->end; i = after(self, i, self->end)) {
        if (is_punct(self, i, ';') || is_punct(self, i, '}'))
            return i;
        if (is_punct(self, i, '{') && !(i > first && is_punct(self, i - 1, '=')))
            return i;
    }
    return self->end;
}

static bool starts_declaration(const DiscoverReader *self, u32 first) {
    const Token *a = token_at(self, first), *b = token_at(self, first + 1);
    if (a->kind != TOKEN_NAME)
        return false;
    if (a->code == KW_NONE)
        return is_plain_name(b);
    return a->code != KW_STRUCT && a->code != KW_UNION && a->code != KW_RETURN && a->code != KW_GOTO &&
           b->kind == TOKEN_NAME;
}

static void read_locals(DiscoverReader *self, u32 first, u32 end) {
    bool value = false;
    for (u32 i = first + 1; i <= end && i < self->tokens.count && self->scalars.count < 1000;
         i = after(self, i, end + 1)) {
        bool stop = i == end || is_punct(self, i, ',') || is_punct(self, i, '=');
        if (stop && !value && is_plain_name(&self->tokens.items[i - 1]) && !is_punct(self, i - 2, '*'))
            array_push(&self->scalars, self->tokens.items[i - 1].name);
        value = is_punct(self, i, '=') || (value && !is_punct(self, i, ','));
    }
}

static void read_plain(DiscoverReader *self) {
    u32 first = self->at, end = expression_end(self, first);
    if (starts_declaration(self, first))
        read_locals(self, first, end);
    read_expression(self, first, end);
    bool heads = is_punct(self, end, '{') && end < self->end && end > first && is_punct(self, end - 1, ')');
    if (!heads) {
        self->at = end + is_punct(self, end, ';');
        if (self->at == first)
            self->at++;
        return;
    }
    u32 step = step_count(self);
    push_step(self, TEXT_LOOP, self->tokens.items[end].line);
    self->at = end;
    read_statement(self);
    step_at(self, step)->args[0] = step_count(self);
}

static void read_jump(DiscoverReader *self, u8 keyword) {
    u32 first = self->at, end = expression_end(self, first);
    static const u8 kinds[] = {
        [KW_RETURN] = TEXT_RETURN, [KW_GOTO] = TEXT_GOTO, [KW_BREAK] = TEXT_BREAK, [KW_CONTINUE] = TEXT_CONTINUE};
    read_expression(self, first, end);
    TextStep *step = push_step(self, kinds[keyword], self->tokens.items[first].line);
    if (keyword == KW_GOTO && is_plain_name(token_at(self, first + 1)))
        step->name = self->tokens.items[first + 1].name;
    self->at = end + is_punct(self, end, ';');
}

static void read_label(DiscoverReader *self) {
    push_step(self, TEXT_LABEL, self->tokens.items[self->at].line)->name = self->tokens.items[self->at].name;
    self->at += 2;
}

static void read_statement_inside(DiscoverReader *self) {
    const Token *token = &self->tokens.items[self->at];
    u8 code = token->kind == TOKEN_NAME ? token->code : KW_NONE;
    if (is_punct(self, self->at, '{'))
        read_block(self);
    else if (is_punct(self, self->at, ';') || is_punct(self, self->at, '}'))
        self->at++;
    else if (code == KW_IF)
        read_if(self);
    else if (code == KW_WHILE || code == KW_FOR)
        read_loop(self, code);
    else if (code == KW_DO)
        read_do(self);
    else if (code == KW_SWITCH)
        read_switch(self);
    else if (code == KW_CASE || (code == KW_DEFAULT && is_punct(self, self->at + 1, ':')))
        read_case(self, code);
    else if (code == KW_RETURN || code == KW_GOTO || code == KW_BREAK || code == KW_CONTINUE)
        read_jump(self, code);
    else if (is_plain_name(token) && is_punct(self, self->at + 1, ':'))
        read_label(self);
    else
        read_plain(self);
}

static void read_statement(DiscoverReader *self) {
    if (self->at >= self->end)
        return;
    u32 before = self->at;
    if (limit_cuts(LIMIT_STATEMENTS_DEEPEST, self->depth >= STATEMENTS_DEEPEST)) {
        self->out->deep++;
        self->at = self->end;
        return;
    }
    self->depth++;
    read_statement_inside(self);
    self->depth--;
    if (self->at <= before)
        self->at = before + 1;
}

void discover_body(DiscoverReader *self, u32 first, u32 end) {
    self->at = first;
    self->end = end;
    self->first = self->out->steps.count;
    self->body = self->out->bodies.count - 1;
    self->depth = 0;
    self->scalars.count = self->assigned.count = self->called.count = 0;
    while (self->at < end) {
        self->end = end;
        self->called.count = 0;
        read_statement(self);
    }
    self->out->bodies.items[self->body].count = step_count(self);
}
