// loop_head.c: which macros head a loop, and stay a call; which only open a scope, and are expanded.
// In: a macro's replacement list. A `for (…)` with nothing after it heads a loop. One that goes round once is a scope:
// what it does before the first round and after it (a lock is taken, and let go) belongs to whoever uses it.
#include "extract/preprocess.h"

static bool is_code(const Token *token, u32 code) { return token->kind == TOKEN_PUNCT && token->code == code; }

static u32 deeper(const Token *token, u32 depth) {
    return depth + (is_code(token, '(') ? 1 : is_code(token, ')') ? -1u : 0);
}

// `for (TYPE(x) name = …`: what it declares has more to it than its type, such as what ends it. From the parenthesis
// on.
static bool declares_more(const Token *tokens, u32 count) {
    u32 depth = 0, at = 0;
    do
        depth = deeper(&tokens[at], depth);
    while (++at < count && depth);
    return at < count && (tokens[at].kind == TOKEN_NAME || tokens[at].kind == TOKEN_PARAM);
}

// A piece of the list.
typedef struct {
    const Token *at;
    u32 count;
} HeadPart;

// The next piece of a list of tokens, up to the separator outside of parentheses; takes it off the list.
static HeadPart piece_next(HeadPart *list, u32 separator) {
    HeadPart out = {list->at, 0};
    u32 depth = 0;
    while (out.count < list->count && (depth || !is_code(&out.at[out.count], separator)))
        depth = deeper(&out.at[out.count++], depth);
    u32 used = out.count < list->count ? out.count + 1 : out.count;
    *list = (HeadPart){list->at + used, list->count - used};
    return out;
}

static bool same_token(const Token *a, const Token *b) {
    return a->kind == b->kind && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

// Where one piece is found in another, plus 1; 0: it is not there.
static u32 piece_find(HeadPart in, HeadPart what) {
    for (u32 i = 0; what.count && i + what.count <= in.count; i++) {
        u32 same = 0;
        while (same < what.count && same_token(&in.at[i + same], &what.at[same]))
            same++;
        if (same == what.count)
            return i + 1;
    }
    return 0;
}

static bool is_within_parentheses(HeadPart piece) {
    u32 depth = 0;
    for (u32 i = 0; i + 1 < piece.count; i++)
        if (!(depth = deeper(&piece.at[i], depth)))
            return false;
    return piece.count > 2 && is_code(&piece.at[piece.count - 1], ')');
}

// `0`, `NULL`, `(void *)1`, `(unlock(&lock), 0)`.
static bool is_constant(HeadPart piece) {
    while (is_within_parentheses(piece)) { // what a list of expressions is worth is the last of them
        HeadPart list = {piece.at + 1, piece.count - 2};
        while (list.count)
            piece = piece_next(&list, ',');
    }
    if (piece.count > 1 && is_code(piece.at, '(')) { // a cast
        u32 at = 0, depth = 0;
        do
            depth = deeper(&piece.at[at], depth);
        while (++at < piece.count && depth);
        piece = (HeadPart){piece.at + at, piece.count - at};
    }
    static const char *const words[] = {"NULL", "true", "false", "TRUE", "FALSE", "nullptr"};
    for (u32 i = 0; piece.count == 1 && piece.at->kind == TOKEN_NAME && i < sizeof words / sizeof *words; i++)
        if (piece.at->length == strlen(words[i]) && !memcmp(piece.at->text, words[i], piece.at->length))
            return true;
    return piece.count == 1 && piece.at->kind == TOKEN_NUMBER;
}

static bool is_digit(HeadPart piece, char digit) {
    return piece.count == 1 && piece.at->kind == TOKEN_NUMBER && piece.at->length == 1 && *piece.at->text == digit;
}

// Is it counted once until the condition is false: `i < 1`, `!i`, `i == 0`, `i != 1`?
static bool is_asked_once(HeadPart condition, HeadPart name) {
    u32 at = piece_find(condition, name);
    if (at == 2 && condition.count == name.count + 1)
        return is_code(condition.at, '!');
    if (at != 1 || condition.count != name.count + 2)
        return false;
    const Token *sign = &condition.at[name.count];
    HeadPart last = {sign + 1, 1};
    return (is_code(sign, '<') && is_digit(last, '1')) || (is_code(sign, P_EQ) && is_digit(last, '0')) ||
           (is_code(sign, P_NE) && is_digit(last, '1'));
}

// Does what is done after a round make the condition false?
static bool ends_it(HeadPart part, HeadPart condition) {
    HeadPart value = part, name = piece_next(&value, '=');
    if (value.count) {
        bool not = name.count + 1 == value.count && is_code(value.at, '!') && piece_find(value, name) == 2;
        return piece_find(condition, name) && (not || is_constant(value));
    }
    bool before = part.count > 1 && is_code(part.at, P_INCREMENT);
    bool after = part.count > 1 && is_code(&part.at[part.count - 1], P_INCREMENT);
    if (!before && !after)
        return false;
    return is_asked_once(condition, (HeadPart){part.at + before, part.count - 1});
}

// `for (…; !done; done = (void *)1)`, `for (int once = (lock(&x), 1); once; once = (unlock(&x), 0))`: what sets what it
// asks for to a constant goes round once. It heads no loop, but opens a scope, and what it declares lives in it. What
// begins as a list is not followed: nobody would know that it does go round.
static bool goes_round_once(const Token *tokens, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (is_code(&tokens[i], '{'))
            return false;
    HeadPart all = {tokens + 1, count - 1};
    if (!is_within_parentheses(all))
        return false;
    all = (HeadPart){all.at + 1, all.count - 2};
    piece_next(&all, ';');
    HeadPart condition = piece_next(&all, ';');
    while (all.count)
        if (ends_it(piece_next(&all, ','), condition))
            return true;
    return false;
}

u8 loop_head(const Token *tokens, u32 count) {
    if (count < 6 || tokens[0].kind != TOKEN_NAME || tokens[0].code != KW_FOR)
        return 0;
    const Token *last = &tokens[count - 1];
    if ((last->kind == TOKEN_PUNCT && (last->code == ';' || last->code == '}')) || goes_round_once(tokens, count))
        return 0;
    u32 at = 2;
    while (at < count && tokens[at].kind == TOKEN_NAME) // `for (int i = …)`
        at++;
    if (at < count && tokens[at].kind == TOKEN_PUNCT && tokens[at].code == '(') {
        if (at > 2 && declares_more(tokens + at, count - at))
            return 0;
        at++;
    }
    if (at < count && tokens[at].kind == TOKEN_PARAM && tokens[at].name < 200)
        return (u8)(tokens[at].name + 1);
    return ITERATOR_PLAIN;
}
