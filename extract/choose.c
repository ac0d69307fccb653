// choose.c: one arm of every conditional, so that the text stays balanced C.
// In: directives and tokens. Out: the tokens of the chosen arms.
// The rule: names are on unless somebody said otherwise (the user, an annotator, this file), so
// an undecided name is defined, non-zero and larger than what it is compared with. A name
// compared for equality is that value from then on in this file: arms that belong together
// are chosen together, and braces that are opened in one are closed in the other.
#include "extract/preprocess.h"

#define DEEPEST 200 // nested macros and parentheses in one condition

// Is it defined in this file, or in what it includes? Somewhere else in the tree is not here.
static bool is_defined_here(Worker *self, u32 name) {
    u32 macro = unit_macro(self, name);
    return macro != NO_MACRO && ((macro & LOCAL_MACRO) || unit_includes(self, self->harvest->macros.items[macro].file));
}

bool name_is_on(Worker *self, u32 name) {
    UnitName *unit = unit_name(self, name);
    if (unit->state)
        return unit->state == NAME_DEFINED;
    u32 said = name_said(self, name);
    if (said & (SAID_UNDEFINED | SAID_DEFINED))
        return !(said & SAID_UNDEFINED);
    return !harvest_is_absent(self->harvest, self->names.names.items[name].hash) || is_defined_here(self, name);
}

// expressions -----------------------------------------------------------------

typedef struct {
    Worker *worker;
    const Token *at, *end;
    u32 depth;
} Eval;

static ConditionValue eval_choice(Eval *self);

static ConditionValue known(i64 value) { return (ConditionValue){.value = value, .known = true}; }
static ConditionValue undecided(u32 name) { return (ConditionValue){.value = 1, .name = name}; }
static bool truth(ConditionValue value) { return !value.known || value.value; }

static bool eval_is(Eval *self, u8 code) {
    return self->at < self->end && self->at->kind == TOKEN_PUNCT && self->at->code == code;
}

static bool eval_take(Eval *self, u8 code) {
    if (!eval_is(self, code))
        return false;
    self->at++;
    return true;
}

static void eval_skip_group(Eval *self) { // past ( … )
    u32 depth = 0;
    for (; self->at < self->end; self->at++) {
        if (eval_is(self, '('))
            depth++;
        else if (eval_is(self, ')') && !--depth) {
            self->at++;
            return;
        }
    }
}

static ConditionValue eval_tokens(Worker *worker, const Token *tokens, u32 count, u32 depth) {
    if (depth > DEEPEST || !count)
        return undecided(0);
    Eval inner = {worker, tokens, tokens + count, depth};
    ConditionValue value = eval_choice(&inner);
    return inner.at == inner.end ? value : undecided(0);
}

static ConditionValue eval_defined(Eval *self) {
    bool paren = eval_take(self, '(');
    ConditionValue value = known(0);
    if (self->at < self->end && self->at->kind == TOKEN_NAME) {
        value = known(name_is_on(self->worker, self->at->name));
        self->at++;
    }
    if (paren)
        eval_take(self, ')');
    return value;
}

// NAME(args): configured-in questions ask about their argument, macros are expanded.
static ConditionValue eval_call(Eval *self, const Token *name) {
    Worker *worker = self->worker;
    const Token *open = self->at;
    if (!(name_said(worker, name->name) & SAID_CONDITION)) {
        eval_skip_group(self);
        u32 macro = unit_macro(worker, name->name);
        if (macro == NO_MACRO || !worker_macro(worker, macro)->function_like || self->depth > 20)
            return undecided(0);
        TokenArray expanded = {0};
        expand(worker, name, (u32)(self->at - name), &expanded);
        bool same = expanded.count && expanded.items[0].kind == TOKEN_NAME && expanded.items[0].name == name->name;
        ConditionValue value =
            same ? undecided(0) : eval_tokens(worker, expanded.items, expanded.count, self->depth + 20);
        array_free(&expanded);
        return value;
    }
    eval_skip_group(self);
    const InternEntry *text = &worker->names.intern.entries.items[name->name];
    const char *answer = declarations_look(worker->declarations, text->text, text->length).value;
    if (answer)
        return known(strtoll(answer, NULL, 0));
    if (open + 1 < self->end && open[1].kind == TOKEN_NAME)
        return known(name_is_on(worker, open[1].name));
    return undecided(0);
}

static ConditionValue eval_name(Eval *self) {
    const Token *token = self->at++;
    Worker *worker = self->worker;
    if (token->code == KW_DEFINED)
        return eval_defined(self);
    if (eval_is(self, '('))
        return eval_call(self, token);
    UnitName *unit = unit_name(worker, token->name);
    if (unit->bound)
        return known(unit->value);
    if (!name_is_on(worker, token->name))
        return known(0);
    u32 macro = unit_macro(worker, token->name);
    if (macro == NO_MACRO || worker_macro(worker, macro)->function_like || unit->disabled)
        return undecided(token->name);
    const Token *tokens;
    const MacroBody *body = worker_body(worker, macro, &tokens);
    u32 count = body->count;
    if (!count)
        return undecided(0);
    if ((worker->budget -= count) <= 0) {
        limit_hit(worker, "macros of a condition too large");
        return undecided(0);
    }
    Token *copy = must_alloc(sizeof(Token) * count);
    memcpy(copy, tokens, sizeof(Token) * count);
    unit_name(worker, token->name)->disabled++;
    ConditionValue value = eval_tokens(worker, copy, count, self->depth + 1);
    unit_name(worker, token->name)->disabled--;
    free(copy);
    return value;
}

static i64 number_value(const Token *token) {
    char text[64];
    u32 length = token->length < sizeof text - 1 ? token->length : (u32)sizeof text - 1, used = 0;
    for (u32 i = 0; i < length; i++)
        if (token->text[i] != '\'')
            text[used++] = token->text[i];
    text[used] = 0;
    if (used > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
        return (i64)strtoull(text + 2, NULL, 2);
    return (i64)strtoull(text, NULL, 0);
}

static i64 char_value(const Token *token) {
    if (token->length < 3)
        return 0;
    if (token->text[1] != '\\')
        return (u8)token->text[1];
    switch (token->text[2]) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'x': return (i64)strtoul(token->text + 3, NULL, 16);
    default:
        return token->text[2] >= '0' && token->text[2] <= '7' ? (i64)strtoul(token->text + 2, NULL, 8) : token->text[2];
    }
}

static ConditionValue eval_primary(Eval *self) {
    if (self->at >= self->end || ++self->depth > DEEPEST) {
        self->at = self->end;
        return undecided(0);
    }
    ConditionValue value = undecided(0);
    if (eval_take(self, '(')) {
        value = eval_choice(self);
        eval_take(self, ')');
    } else if (self->at->kind == TOKEN_NAME) {
        value = eval_name(self);
    } else if (self->at->kind == TOKEN_NUMBER) {
        value = known(number_value(self->at));
        value.natural = value.value < 0 || memchr(self->at->text, 'u', self->at->length) ||
                        memchr(self->at->text, 'U', self->at->length);
        self->at++;
    } else if (self->at->kind == TOKEN_CHAR) {
        value = known(char_value(self->at++));
    } else {
        self->at++;
    }
    self->depth--;
    return value;
}

static ConditionValue eval_unary(Eval *self) {
    u8 code = self->at < self->end && self->at->kind == TOKEN_PUNCT ? self->at->code : 0;
    if (code != '!' && code != '-' && code != '+' && code != '~')
        return eval_primary(self);
    self->at++;
    if (++self->depth > DEEPEST) {
        self->at = self->end;
        return undecided(0);
    }
    ConditionValue value = eval_unary(self);
    self->depth--;
    if (code == '!')
        return known(!truth(value));
    if (!value.known)
        return undecided(0);
    value.value = code == '-' ? (i64)(0 - (u64)value.value) : code == '~' ? ~value.value : value.value;
    return value;
}

static u32 precedence(u8 code) {
    switch (code) {
    case '*':
    case '/':
    case '%': return 10;
    case '+':
    case '-': return 9;
    case P_SHL:
    case P_SHR: return 8;
    case '<':
    case '>':
    case P_LE:
    case P_GE: return 7;
    case P_EQ:
    case P_NE: return 6;
    case '&': return 5;
    case '^': return 4;
    case '|': return 3;
    case P_ANDAND: return 2;
    case P_OROR: return 1;
    default: return 0;
    }
}

static i64 apply_natural(u8 code, u64 a, u64 b) {
    switch (code) {
    case '/': return b ? (i64)(a / b) : 0;
    case '%': return b ? (i64)(a % b) : 0;
    case '<': return a < b;
    case '>': return a > b;
    case P_LE: return a <= b;
    case P_GE: return a >= b;
    default: return (i64)(a >> (b & 63));
    }
}

static i64 apply_known(u8 code, i64 a, i64 b) {
    switch (code) {
    case '*': return (i64)((u64)a * (u64)b);
    case '/': return b && b != -1 ? a / b : b ? (i64)(0 - (u64)a) : 0;
    case '%': return b && b != -1 ? a % b : 0;
    case '+': return (i64)((u64)a + (u64)b);
    case '-': return (i64)((u64)a - (u64)b);
    case P_SHL: return (i64)((u64)a << (b & 63));
    case P_SHR: return a >> (b & 63);
    case '<': return a < b;
    case '>': return a > b;
    case P_LE: return a <= b;
    case P_GE: return a >= b;
    case P_EQ: return a == b;
    case P_NE: return a != b;
    case '&': return a & b;
    case '^': return a ^ b;
    case '|': return a | b;
    default: return 0;
    }
}

// An undecided side: larger than what it is compared with, equal to what it is asked to equal.
static ConditionValue apply_undecided(Eval *self, u8 code, ConditionValue a, ConditionValue b) {
    ConditionValue other = a.known ? a : b, open = a.known ? b : a;
    switch (code) {
    case '>':
    case P_GE: return known(!a.known);
    case '<':
    case P_LE: return known(a.known);
    case P_EQ:
        if (other.known && !other.value)
            return known(0);
        if (other.known && open.name) {
            UnitName *unit = unit_name(self->worker, open.name);
            unit->bound = 1;
            unit->value = other.value;
        }
        return known(1);
    case P_NE: return known(1);
    default: return undecided(0);
    }
}

static ConditionValue apply(Eval *self, u8 code, ConditionValue a, ConditionValue b) {
    if (code == P_ANDAND)
        return known(truth(a) && truth(b));
    if (code == P_OROR)
        return known(truth(a) || truth(b));
    if (a.known && b.known) {
        bool natural = code == P_SHR ? a.natural : a.natural || b.natural;
        bool matters =
            code == '/' || code == '%' || code == '<' || code == '>' || code == P_LE || code == P_GE || code == P_SHR;
        ConditionValue value = known(natural && matters ? apply_natural(code, (u64)a.value, (u64)b.value)
                                                        : apply_known(code, a.value, b.value));
        value.natural = natural && precedence(code) != 7 && precedence(code) != 6;
        return value;
    }
    return apply_undecided(self, code, a, b);
}

static ConditionValue eval_binary(Eval *self, u32 least) {
    ConditionValue left = eval_unary(self);
    for (;;) {
        u8 code = self->at < self->end && self->at->kind == TOKEN_PUNCT ? self->at->code : 0;
        u32 level = precedence(code);
        if (!level || level < least)
            return left;
        self->at++;
        left = apply(self, code, left, eval_binary(self, level + 1));
    }
}

static ConditionValue eval_choice(Eval *self) {
    ConditionValue value = eval_binary(self, 1);
    if (!eval_take(self, '?'))
        return value;
    if (++self->depth > DEEPEST) {
        self->at = self->end;
        return undecided(0);
    }
    ConditionValue yes = eval_choice(self);
    eval_take(self, ':');
    ConditionValue no = eval_choice(self);
    self->depth--;
    return truth(value) ? yes : no;
}

ConditionValue condition_value(Worker *self, const Token *tokens, u32 count) {
    return eval_tokens(self, tokens, count, 0);
}

// directives ------------------------------------------------------------------

static u32 directive_name(Worker *self, const Directive *directive) {
    Macro macro;
    return define_read(directive, &macro) ? name_add(&self->names, macro.name, macro.name_length) : 0;
}

// The X of `#ifndef X` and `#if !defined(X)`, or 0.
static u32 absent_name(Worker *self, const Directive *directive) {
    if (directive->kind == DIRECTIVE_IFNDEF)
        return directive_name(self, directive);
    if (directive->kind != DIRECTIVE_IF || directive->length > 200)
        return 0;
    TokenArray tokens = {0};
    lex_line(&tokens, &self->names, directive->text, directive->length, directive->line);
    const Token *t = tokens.items;
    u32 name = 0;
    if (tokens.count >= 3 && t[0].code == '!' && t[1].kind == TOKEN_NAME && t[1].code == KW_DEFINED) {
        if (tokens.count == 3 && t[2].kind == TOKEN_NAME)
            name = t[2].name;
        if (tokens.count == 5 && t[3].kind == TOKEN_NAME)
            name = t[3].name;
    }
    array_free(&tokens);
    return name;
}

// An include guard or a default: the arm defines the very name it finds missing.
static bool is_default_definition(Worker *self, const Directive *all, u32 count, u32 at, u32 name) {
    u32 depth = 0;
    for (u32 i = at + 1; i < count && i < at + 24; i++) {
        u8 kind = all[i].kind;
        if (kind == DIRECTIVE_IF || kind == DIRECTIVE_IFDEF || kind == DIRECTIVE_IFNDEF)
            depth++;
        else if (kind == DIRECTIVE_ENDIF && !depth--)
            return false;
        else if ((kind == DIRECTIVE_ELSE || kind == DIRECTIVE_ELIF) && !depth)
            return false;
        else if (kind == DIRECTIVE_DEFINE && directive_name(self, &all[i]) == name)
            return true;
    }
    return false;
}

static bool condition_holds(Worker *self, const Directive *all, u32 count, u32 at, bool *never) {
    const Directive *directive = &all[at];
    *never = false;
    if (directive->kind == DIRECTIVE_IFDEF) {
        u32 name = directive_name(self, directive);
        return name && name_is_on(self, name);
    }
    u32 absent = absent_name(self, directive);
    if (absent) {
        if (unit_name(self, absent)->state != NAME_DEFINED && is_default_definition(self, all, count, at, absent))
            return true;
        return !name_is_on(self, absent);
    }
    TokenArray tokens = {0};
    lex_line(&tokens, &self->names, directive->text, directive->length, directive->line);
    ConditionValue value = condition_value(self, tokens.items, tokens.count);
    *never = tokens.count == 1 && tokens.items[0].kind == TOKEN_NUMBER && !truth(value);
    array_free(&tokens);
    return truth(value);
}

// The X of `#ifdef X`, `#if defined(X)` and `#if X`, or 0.
static u32 present_name(Worker *self, const Directive *directive) {
    if (directive->kind == DIRECTIVE_IFDEF)
        return directive_name(self, directive);
    if (directive->kind != DIRECTIVE_IF || directive->length > 200)
        return 0;
    TokenArray tokens = {0};
    lex_line(&tokens, &self->names, directive->text, directive->length, directive->line);
    const Token *t = tokens.items;
    u32 name = 0;
    if (tokens.count == 1 || (tokens.count == 2 && t[0].code == KW_DEFINED))
        name = t[tokens.count - 1].kind == TOKEN_NAME ? t[tokens.count - 1].name : 0;
    else if (tokens.count == 4 && t[0].kind == TOKEN_NAME && t[2].kind == TOKEN_NAME && t[1].code == '(')
        name = t[0].code == KW_DEFINED || name_said(self, t[0].name) & SAID_CONDITION ? t[2].name : 0;
    array_free(&tokens);
    return name;
}

static void condition_open(Worker *self, ConditionStack *stack, const Directive *all, u32 count, u32 at, bool parent) {
    Condition condition = {.parent = parent};
    if (parent) {
        condition.live = condition.taken = condition_holds(self, all, count, at, &condition.never);
        condition.name = present_name(self, &all[at]);
        condition.yes = condition.name != 0;
        if (!condition.name)
            condition.name = absent_name(self, &all[at]);
    }
    array_push(stack, condition);
}

static void condition_next(Worker *self, Condition *top, const Directive *all, u32 count, u32 at) {
    bool never = false;
    top->live = false;
    if (top->parent && !top->taken && (all[at].kind == DIRECTIVE_ELSE || condition_holds(self, all, count, at, &never)))
        top->live = top->taken = true;
    top->never = never;
}

bool condition_step(Worker *self, ConditionStack *stack, const Directive *all, u32 count, u32 at) {
    Condition *top = stack->count ? &stack->items[stack->count - 1] : NULL;
    bool live = !top || top->live;
    switch (all[at].kind) {
    case DIRECTIVE_IF:
    case DIRECTIVE_IFDEF:
    case DIRECTIVE_IFNDEF: condition_open(self, stack, all, count, at, live); break;
    case DIRECTIVE_ELIF:
    case DIRECTIVE_ELSE:
        if (top)
            condition_next(self, top, all, count, at);
        break;
    case DIRECTIVE_ENDIF:
        if (top)
            stack->count--;
        break;
    }
    return !stack->count || stack->items[stack->count - 1].live;
}

// units -----------------------------------------------------------------------

// Expands what has been gathered, before a definition changes what it means. Not in the
// middle of a macro's arguments: those are read under the later definition.
static void flush(Worker *self, TokenArray *out, u32 parens, bool force) {
    if (!self->active.count || (parens && !force))
        return;
    expand(self, self->active.items, self->active.count, out);
    self->active.count = 0;
}

static void choose_directive(Worker *self, const Directive *directive, TokenArray *out, u32 parens) {
    if (directive->kind == DIRECTIVE_DEFINE) {
        flush(self, out, parens, false);
        unit_define(self, directive);
    } else if (directive->kind == DIRECTIVE_UNDEF) {
        flush(self, out, parens, false);
        unit_undefine(self, directive);
    }
}

// At file scope an arm that was not chosen starts after token `at`.
static TokenRange dropped_arm(const Condition *top, u8 kind, u32 at) {
    bool first = kind == DIRECTIVE_IF || kind == DIRECTIVE_IFDEF || kind == DIRECTIVE_IFNDEF;
    bool simple = first || kind == DIRECTIVE_ELSE;
    return (TokenRange){.first = at + 1, .name = simple ? top->name : 0, .on = first == top->yes};
}

void choose(Worker *self, u32 first, u32 count, TokenArray *out, RangeArray *dropped) {
    ConditionStack stack = {0};
    const Token *tokens = self->lexed.tokens.items;
    bool live = true;
    i64 braces = 0, parens = 0;
    TokenRange open = {0}; // the dropped arm being passed, when open_level is not 0
    u32 open_level = 0;
    self->active.count = 0;
    for (u32 i = first; i < first + count; i++) {
        const Token *token = &tokens[i];
        if (token->kind != TOKEN_DIRECTIVE) {
            if (!live)
                continue;
            array_push(&self->active, *token);
            if (token->kind == TOKEN_PUNCT) {
                braces += token->code == '{' ? 1 : token->code == '}' ? -1 : 0;
                parens += token->code == '(' ? 1 : token->code == ')' ? -1 : 0;
                if (token->code == ';' || token->code == '{')
                    parens = 0;
            }
            continue;
        }
        const Directive *directive = &self->lexed.directives.items[token->name];
        bool now =
            condition_step(self, &stack, self->lexed.directives.items, self->lexed.directives.count, token->name);
        bool next_arm = directive->kind == DIRECTIVE_ELSE || directive->kind == DIRECTIVE_ELIF;
        if (open_level && stack.count < open_level + next_arm) {
            open.count = i - open.first;
            array_push(dropped, open);
            open_level = 0;
        }
        const Condition *top = stack.count ? &stack.items[stack.count - 1] : NULL;
        if (dropped && !open_level && braces == 0 && top && top->parent && !top->live && !top->never) {
            open = dropped_arm(top, directive->kind, i);
            open_level = stack.count;
        }
        live = now;
        if (live)
            choose_directive(self, directive, out, parens > 0 ? (u32)parens : 0);
    }
    flush(self, out, 0, true);
    array_free(&stack);
}
