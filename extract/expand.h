// expand.h: what the files of expansion share: tokens that wait to be read, the arguments of a call.
#ifndef EXPAND_H
#define EXPAND_H

#include "extract/preprocess.h"

#define DEEPEST 200  // macros within macros within arguments
#define FEEDS 4000   // expansions waiting to be read at once
#define LONGEST 8000 // bytes of a name or string that # and ## make
#define LARGE 90     // tokens: above this a harmless macro stays a call

// reading ---------------------------------------------------------------------

static inline void feed_push(Worker *self, const Token *tokens, u32 count, u32 name) {
    if (name)
        unit_name(self, name)->disabled++;
    array_push(&self->feeds, ((Feed){tokens, 0, count, name}));
}

static inline void feed_drop_spent(Worker *self, u32 base) {
    while (self->feeds.count > base) {
        Feed *top = &self->feeds.items[self->feeds.count - 1];
        if (top->at < top->count)
            return;
        if (top->name)
            unit_name(self, top->name)->disabled--;
        self->feeds.count--;
    }
}

static inline const Token *feed_peek(Worker *self, u32 base) {
    feed_drop_spent(self, base);
    if (self->feeds.count == base)
        return NULL;
    Feed *top = &self->feeds.items[self->feeds.count - 1];
    return &top->tokens[top->at];
}

static inline const Token *feed_next(Worker *self, u32 base) {
    const Token *token = feed_peek(self, base);
    if (token)
        self->feeds.items[self->feeds.count - 1].at++;
    return token;
}

static inline bool is_punct(const Token *token, u8 code) {
    return token && token->kind == TOKEN_PUNCT && token->code == code;
}

typedef struct {
    u32 first, count; // tokens as written
    u32 done_first, done_count;
    bool done; // expanded: at done_first
} CallArgument;

typedef struct {
    TokenArray tokens;   // as written, all arguments
    TokenArray expanded; // likewise, expanded when needed
    CallArgument *list;
    u32 count;
} CallArguments;

// substitute.c: arguments, and macros with theirs put in ----------------------------
void call_arguments_free(CallArguments *self);
bool call_arguments_read(Worker *self, u32 base, u32 most, bool variadic, CallArguments *out);
bool expand_definition(Worker *self, u32 base, const Token *name);
void put_at(TokenArray *out, Token token, const Token *place);
const Token *substituted(Worker *self, u32 macro, CallArguments *arguments, const Token *place, u32 *count);
// expand.c: macros to their text ---------------------------------------------------
void expand_feed(Worker *self, u32 base, TokenArray *out);

#endif
