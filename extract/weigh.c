// weigh.c: what a macro is like, with everything it would expand to: how large, and does it lock or jump?
// In: a name. Out: its size in tokens and INFO_ bits, from the first definitions of that name in the tree.
// Macros that name each other in a circle are found as such (Tarjan's components) and weigh the same:
// a function of the harvest alone, so that it does not matter which file asks first.
#include "extract/preprocess.h"

#define DEFINITIONS 6 // of one name that are looked at

static u32 add_size(u32 a, u32 b) {
    u32 sum = a + b;
    return sum > INFO_SIZE / 2 ? INFO_SIZE / 2 : sum;
}

// Is this harvested macro a definition of that name, in force?
static bool is_definition(Worker *self, u32 name, u32 macro) {
    const Macro *found = &self->harvest->macros.items[macro];
    const InternEntry *text = &self->names.intern.entries.items[name];
    return found->active && found->name_length == text->length && !memcmp(found->name, text->text, text->length);
}

static bool starts_loosely(const Token *token) {
    if (token->kind == TOKEN_PUNCT)
        return token->code != '(' && token->code != '!' && token->code != '-' && token->code != '~' &&
               token->code != '*' && token->code != '&';
    if (token->kind != TOKEN_NAME)
        return token->kind == TOKEN_STRING;
    switch (token->code) {
    case KW_NONE:
    case KW_DO:
    case KW_SIZEOF:
    case KW_EXTENSION:
    case KW_GENERIC: return false;
    default: return true;
    }
}

// What a body shows by itself: does it stand alone as an expression or a statement?
static u32 body_looseness(const MacroBody *body, const Token *tokens) {
    i64 parens = 0, braces = 0;
    bool loose = body->bad || (body->count && starts_loosely(&tokens[0]));
    for (u32 i = 0; i < body->count; i++) {
        if (tokens[i].kind != TOKEN_PUNCT)
            continue;
        parens += tokens[i].code == '(' ? 1 : tokens[i].code == ')' ? -1 : 0;
        braces += tokens[i].code == '{' ? 1 : tokens[i].code == '}' ? -1 : 0;
        loose |= (tokens[i].code == ';' && !braces) || (tokens[i].code == ',' && !braces && !parens);
    }
    return loose || parens || braces ? INFO_LOOSE : 0;
}

// components ------------------------------------------------------------------

// Goes to the next definition in force, or to none.
static void weighing_define(Worker *self, Weighing *at, u32 macro) {
    while (macro != NO_MACRO && !is_definition(self, at->name, macro))
        macro = self->harvest->macros.items[macro].next;
    at->macro = at->seen < DEFINITIONS ? macro : NO_MACRO;
    at->token = at->size = at->braces = at->parens = at->loop = 0;
    at->loop_next = false;
    if (at->macro == NO_MACRO)
        return;
    at->seen++;
    const Token *tokens;
    const MacroBody *body = worker_body(self, macro, &tokens);
    at->bits |= body_looseness(body, tokens);
}

static void weighing_push(Worker *self, u32 name) {
    name_said(self, name); // fills first_macro
    Name *entry = &self->names.names.items[name];
    Weighing made = {.name = name, .order = self->members.count, .low = self->members.count};
    entry->weighed = WEIGHING;
    entry->macro_info = made.order;
    array_push(&self->members, ((Weighed){name, 0}));
    weighing_define(self, &made, entry->first_macro);
    array_push(&self->weighings, made);
}

// A name among the tokens of a macro; true when it must be weighed first.
static bool weigh_name(Worker *self, Weighing *at, u32 name) {
    u32 said = name_said(self, name);
    const Name *entry = &self->names.names.items[name];
    if (said & SAID_LOCK)
        at->bits |= INFO_LOCK;
    if ((said &
         (SAID_LOCK | SAID_KEEP | SAID_CONTAINER | SAID_LIKELY | SAID_CONDITION | SAID_ATTRIBUTE | SAID_ITERATOR)) ||
        entry->first_macro == NO_MACRO) {
        at->size = add_size(at->size, 1);
    } else if (entry->weighed == WEIGHED) {
        at->size = add_size(at->size, entry->macro_info & INFO_SIZE);
        at->bits |= entry->macro_info & (INFO_LOCK | INFO_JUMP | INFO_WRITE | (at->loop ? 0 : INFO_BREAK) |
                                         (at->braces || at->parens ? 0 : INFO_LOOSE));
    } else if (entry->weighed == WEIGHING) { // of the same circle
        at->size = add_size(at->size, 1);
        at->low = entry->macro_info < at->low ? entry->macro_info : at->low;
    } else {
        return true;
    }
    return false;
}

static void weigh_punct(Weighing *at, u8 code) {
    at->parens += code == '(' ? 1 : code == ')' && at->parens ? -1 : 0;
    if (code == ';' && !at->loop)
        at->loop_next = false;
    if (code == '{' && ++at->braces && at->loop_next && !at->loop)
        at->loop = at->braces;
    if (code == '}' && at->braces) {
        at->loop = at->loop == at->braces ? 0 : at->loop;
        at->braces--;
    }
}

static void weigh_token(Weighing *at, const Token *token) {
    at->size = add_size(at->size, 1);
    if (token->kind == TOKEN_PUNCT)
        weigh_punct(at, token->code);
    if (token->kind != TOKEN_NAME)
        return;
    switch (token->code) {
    case KW_RETURN:
    case KW_GOTO: at->bits |= INFO_JUMP; break;
    case KW_BREAK:
    case KW_CONTINUE:
    case KW_CASE:
    case KW_DEFAULT: at->bits |= at->loop ? 0 : INFO_BREAK; break;
    case KW_DO:
    case KW_FOR:
    case KW_WHILE:
    case KW_SWITCH: at->loop_next = true; break;
    }
}

// `(head)->first =`: the assignment at `at` goes to a member of a parameter.
static bool writes_member(const Token *tokens, u32 at) {
    bool member = false;
    for (u32 i = at, steps = 0; i-- > 0 && steps < 16; steps++) {
        const Token *token = &tokens[i];
        if (token->kind == TOKEN_PARAM && member)
            return true;
        if (token->kind != TOKEN_PUNCT)
            continue;
        member |= token->code == P_ARROW || token->code == '.';
        if (token->code == ';' || token->code == '{' || token->code == '}' || token->code == ',' || token->code == '=')
            return false;
    }
    return false;
}

static bool is_bracket(const Token *token) {
    return token->kind == TOKEN_PUNCT && (token->code == '(' || token->code == ')');
}

// `(to) = (from)`: what the caller calls by one name afterwards is what he calls by the other.
static bool passes_parameter(const Token *tokens, u32 count, u32 at) {
    u32 left = at, right = at + 1;
    while (left && is_bracket(&tokens[left - 1]))
        left--;
    while (right < count && is_bracket(&tokens[right]))
        right++;
    bool both = left && tokens[left - 1].kind == TOKEN_PARAM && right < count && tokens[right].kind == TOKEN_PARAM;
    for (right++; right < count && is_bracket(&tokens[right]);)
        right++;
    return both && right < count && tokens[right].kind == TOKEN_PUNCT && tokens[right].code == ';';
}

// The last one is done: its circle is, when nothing below it was met.
static void weighing_pop(Worker *self) {
    Weighing done = self->weighings.items[--self->weighings.count];
    self->members.items[done.order].info = done.best | done.bits;
    if (self->weighings.count && done.low < done.order) {
        Weighing *parent = &self->weighings.items[self->weighings.count - 1];
        parent->low = done.low < parent->low ? done.low : parent->low;
    }
    if (done.low < done.order)
        return;
    u32 size = 0, bits = 0;
    for (u32 i = done.order; i < self->members.count; i++) {
        size = add_size(size, self->members.items[i].info & INFO_SIZE);
        bits |= self->members.items[i].info & (INFO_LOCK | INFO_JUMP | INFO_BREAK | INFO_WRITE);
    }
    for (u32 i = done.order; i < self->members.count; i++) {
        Name *entry = &self->names.names.items[self->members.items[i].name];
        entry->weighed = WEIGHED;
        entry->macro_info = (size ? size : 1) | bits | (self->members.items[i].info & INFO_LOOSE);
    }
    self->members.count = done.order;
}

static void weighing_step(Worker *self) {
    Weighing *at = &self->weighings.items[self->weighings.count - 1];
    const Token *tokens;
    const MacroBody *body = worker_body(self, at->macro, &tokens);
    if (at->token == body->count) {
        at->best = at->size > at->best ? at->size : at->best;
        weighing_define(self, at, self->harvest->macros.items[at->macro].next);
        return;
    }
    Token token = tokens[at->token];
    bool assigns =
        token.kind == TOKEN_PUNCT && (token.code == '=' || token.code == P_INCREMENT || token.code == P_DECREMENT ||
                                      (token.code >= P_ASSIGN_FIRST && token.code <= P_ASSIGN_LAST));
    if ((assigns && writes_member(tokens, at->token)) ||
        (assigns && token.code == '=' && passes_parameter(tokens, body->count, at->token)))
        at->bits |= INFO_WRITE;
    if (token.kind != TOKEN_NAME || token.code != KW_NONE)
        weigh_token(at, &token);
    else if (weigh_name(self, at, token.name)) {
        weighing_push(self, token.name);
        return;
    }
    at->token++;
}

u32 macro_info(Worker *self, u32 name) {
    if (self->names.names.items[name].weighed != WEIGHED) {
        weighing_push(self, name);
        while (self->weighings.count) {
            if (self->weighings.items[self->weighings.count - 1].macro == NO_MACRO)
                weighing_pop(self);
            else
                weighing_step(self);
        }
    }
    return self->names.names.items[name].macro_info;
}
