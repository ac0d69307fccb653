// parse.c: an item's text through the grammar, mended where the grammar stumbles.
// In: OutTokens of one item. Out: its tree, lowered.
// A function with an error is taken apart into simple statements and conditions; each is
// parsed alone, and only the ones that fail are replaced by __rx_lost(bytes) before the whole is
// parsed again. Records lose members, initialisers lose elements. What is lost is counted.
#include "extract/preprocess.h"

#define DEEPEST 800          // brackets within brackets: deeper items are not given to the grammar
#define ASTRAY 500           // tokens that may be read in error recovery before an item is given up
#define ITEM_MOST (1u << 19) // tokens of one item: longer ones are not given to the grammar

struct Parsing {
    Pool *pool;      // the parser's memory
    Buffer text;     // of what is being parsed
    U32Array starts; // of each token in text
    Array(Place) places;
    OutTokens mended;  // the item with its bad parts replaced
    OutTokens again;   // second round
    U32Array partners; // of brackets in the item
    Buffer probe;      // text of one part on trial
    Arena arena;       // texts of numbers in __rx_lost(N)
    i64 trials;        // tokens that may still be tried in this item
    i64 blocks;        // likewise, of whole blocks: they nest, and are tried at each level
};

void parsing_begin(Worker *self) {
    if (!self->parser) {
        self->parsing = must_zero(sizeof(struct Parsing));
        self->parsing->pool = pool_new();
        pool_use(self->parsing->pool);
        self->parser = watched_parser();
        self->lowering = lowering_new();
    }
    pool_use(self->parsing->pool);
    arena_reset(&self->parsing->arena);
}

void parsing_free(Worker *self) {
    struct Parsing *scratch = self->parsing;
    if (!scratch)
        return;
    pool_use(scratch->pool);
    ts_parser_delete(self->parser);
    pool_use(NULL);
    pool_free(scratch->pool);
    lowering_free(self->lowering);
    tree_free(&self->tree);
    buffer_free(&scratch->text);
    buffer_free(&scratch->probe);
    array_free(&scratch->starts);
    array_free(&scratch->places);
    array_free(&scratch->mended);
    array_free(&scratch->again);
    array_free(&scratch->partners);
    arena_free(&scratch->arena);
    free(scratch);
}

// text ------------------------------------------------------------------------

static bool is(const OutToken *token, u8 code) { return token->kind == TOKEN_PUNCT && token->code == code; }

static void put_token(Buffer *text, const OutToken *token) {
    buffer_put(text, token->text, token->length);
    buffer_byte(text, ' ');
}

static void fill_text(struct Parsing *self, const OutToken *tokens, u32 count) {
    self->text.size = self->starts.count = self->places.count = 0;
    for (u32 i = 0; i < count; i++) {
        array_push(&self->starts, (u32)self->text.size);
        array_push(&self->places, ((Place){tokens[i].line, tokens[i].column}));
        put_token(&self->text, &tokens[i]);
    }
    buffer_byte(&self->text, '\n');
}

static u32 source_bytes(const OutToken *first, const OutToken *last) {
    u32 end = last->offset + last->length;
    return end > first->offset ? end - first->offset : 1;
}

// Fills partners; returns how deep brackets nest.
static u32 fill_partners(struct Parsing *self, const OutToken *tokens, u32 count) {
    U32Array stack = {0};
    u32 deepest = 0;
    self->partners.count = 0;
    for (u32 i = 0; i < count; i++) {
        array_push(&self->partners, NO_TOKEN);
        if (tokens[i].kind != TOKEN_PUNCT)
            continue;
        u8 code = tokens[i].code;
        if (code == '(' || code == '[' || code == '{') {
            array_push(&stack, i);
            if (stack.count > deepest)
                deepest = stack.count;
        } else if ((code == ')' || code == ']' || code == '}') && stack.count) {
            self->partners.items[stack.items[--stack.count]] = i;
        }
    }
    array_free(&stack);
    return deepest;
}

// trials ----------------------------------------------------------------------

static bool text_parses(Worker *self, const Buffer *text) {
    TSTree *tree = watched_parse(self->parser, (const char *)text->bytes, (u32)text->size, 0);
    if (!tree)
        return false;
    bool clean = !ts_node_has_error(ts_tree_root_node(tree));
    ts_tree_delete(tree);
    return clean;
}

// Do these tokens parse between `before` and `after`?
static bool parses(Worker *self, const char *before, const OutToken *tokens, u32 count, const char *after) {
    Buffer *probe = &self->parsing->probe;
    if ((self->parsing->trials -= count) < 0) {
        if (!self->limit)
            self->limit = "too much to mend in one item";
        return false;
    }
    probe->size = 0;
    buffer_text(probe, before);
    for (u32 i = 0; i < count; i++)
        put_token(probe, &tokens[i]);
    buffer_text(probe, after);
    return text_parses(self, probe);
}

static void put_word(Worker *self, OutTokens *out, const char *word, const OutToken *place) {
    OutToken token = {word,
                      (u32)strlen(word),
                      place->offset,
                      place->line,
                      place->column,
                      word[1] ? TOKEN_OTHER : TOKEN_PUNCT,
                      word[1] ? 0 : (u8)word[0]};
    (void)self;
    array_push(out, token);
}

static void put_lost(Worker *self, OutTokens *out, const OutToken *first, const OutToken *last) {
    char number[24];
    int length = snprintf(number, sizeof number, "%u", source_bytes(first, last));
    put_word(self, out, "__rx_lost", first);
    put_word(self, out, "(", first);
    array_push(out, ((OutToken){arena_copy(&self->parsing->arena, number, (size_t)length), (u32)length, first->offset,
                                first->line, first->column, TOKEN_NUMBER, 0}));
    put_word(self, out, ")", first);
    if (self->lost_why)
        return;
    Buffer why = {0};
    buffer_format(&why, "line %u: ", first->line);
    for (const OutToken *token = first; token <= last && why.size < 120; token++)
        put_token(&why, token);
    self->lost_why = arena_copy(&self->arena, why.bytes, why.size > 120 ? 120 : why.size);
    buffer_free(&why);
}

// mending ---------------------------------------------------------------------

typedef struct {
    Worker *worker;
    const OutToken *tokens;
    const u32 *partners;
    u32 count;
    OutTokens *out;
} Mend;

static void copy(Mend *self, u32 first, u32 end) {
    for (u32 i = first; i < end; i++)
        array_push(self->out, self->tokens[i]);
}

static u32 partner(const Mend *self, u32 at) {
    return self->partners[at] == NO_TOKEN ? self->count - 1 : self->partners[at];
}

// The ; that ends the simple statement at `at`, or the } before which it stops.
static u32 statement_end(const Mend *self, u32 at) {
    while (at < self->count && !is(&self->tokens[at], ';') && !is(&self->tokens[at], '}')) {
        if (is(&self->tokens[at], '(') || is(&self->tokens[at], '[') || is(&self->tokens[at], '{'))
            at = partner(self, at);
        at++;
    }
    return at;
}

// Arguments of a call that do not parse become lost values; the call stays.
static bool mend_call(Mend *self, u32 first, u32 end) {
    u32 open = first;
    while (open < end && !is(&self->tokens[open], '('))
        open++;
    if (open == first || open >= end || self->tokens[open - 1].kind != TOKEN_NAME || partner(self, open) >= end)
        return false;
    u32 close = partner(self, open), mark = self->out->count;
    copy(self, first, open + 1);
    for (u32 at = open + 1; at < close;) {
        u32 stop = at;
        while (stop < close && !is(&self->tokens[stop], ','))
            stop = is(&self->tokens[stop], '(') || is(&self->tokens[stop], '{') || is(&self->tokens[stop], '[')
                       ? partner(self, stop) + 1
                       : stop + 1;
        if (stop > close)
            stop = close;
        if (stop > at && !parses(self->worker, "void f(void){ f(", self->tokens + at, stop - at, "); }"))
            put_lost(self->worker, self->out, &self->tokens[at], &self->tokens[stop - 1]);
        else
            copy(self, at, stop);
        if (stop < close)
            copy(self, stop, stop + 1);
        at = stop + 1;
    }
    copy(self, close, end);
    if (parses(self->worker, "void f(void){ ", self->out->items + mark, self->out->count - mark, " }"))
        return true;
    self->out->count = mark;
    return false;
}

// Words in front that are no type: attributes of a macro nobody knows.
static bool mend_words(Mend *self, u32 first, u32 end) {
    for (u32 drop = 1; drop <= 2 && first + drop + 1 < end; drop++) {
        if (self->tokens[first + drop - 1].kind != TOKEN_NAME)
            return false;
        if (parses(self->worker, "void f(void){ ", self->tokens + first + drop, end - first - drop, " }")) {
            copy(self, first + drop, end);
            return true;
        }
    }
    return false;
}

static u32 mend_simple(Mend *self, u32 first) {
    u32 end = statement_end(self, first);
    bool closed = end < self->count && is(&self->tokens[end], ';');
    u32 past = closed ? end + 1 : end;
    if (past == first)
        return first + 1;
    bool good = closed && parses(self->worker, "void f(void){ ", self->tokens + first, past - first, " }");
    if (good) {
        copy(self, first, past);
    } else if (!closed || (!mend_call(self, first, past) && !mend_words(self, first, past))) {
        put_lost(self->worker, self->out, &self->tokens[first], &self->tokens[past - 1]);
        put_word(self->worker, self->out, ";", &self->tokens[past - 1]);
    }
    return past;
}

// The parentheses of if, while, switch and for.
static u32 mend_control(Mend *self, u32 at) {
    u32 open = at + 1, close = partner(self, open);
    bool loop = self->tokens[at].code == KW_FOR;
    copy(self, at, open);
    const char *before = loop ? "void f(void){ for " : "void f(void){ if ";
    if (parses(self->worker, before, self->tokens + open, close + 1 - open, " ; }")) {
        copy(self, open, close + 1);
        return close + 1;
    }
    put_word(self->worker, self->out, "(", &self->tokens[open]);
    if (loop)
        put_word(self->worker, self->out, ";", &self->tokens[open]);
    put_lost(self->worker, self->out, &self->tokens[open], &self->tokens[close]);
    if (loop)
        put_word(self->worker, self->out, ";", &self->tokens[open]);
    put_word(self->worker, self->out, ")", &self->tokens[close]);
    return close + 1;
}

static u32 mend_case(Mend *self, u32 at) {
    u32 colon = at, questions = 0;
    while (colon < self->count && !(is(&self->tokens[colon], ':') && !questions) && !is(&self->tokens[colon], ';') &&
           !is(&self->tokens[colon], '{')) {
        questions += is(&self->tokens[colon], '?');
        questions -= is(&self->tokens[colon], ':');
        colon = is(&self->tokens[colon], '(') ? partner(self, colon) + 1 : colon + 1;
    }
    if (colon >= self->count || !is(&self->tokens[colon], ':'))
        return mend_simple(self, at);
    if (parses(self->worker, "void f(void){ switch (0) { ", self->tokens + at, colon + 1 - at, " ; } }")) {
        copy(self, at, colon + 1);
    } else {
        copy(self, at, at + 1);
        put_lost(self->worker, self->out, &self->tokens[at], &self->tokens[colon]);
        put_word(self->worker, self->out, ":", &self->tokens[colon]);
    }
    return colon + 1;
}

static u32 mend_statement(Mend *self, u32 at) {
    const OutToken *token = &self->tokens[at];
    bool more = at + 1 < self->count;
    if (is(token, '{')) {
        u32 close = partner(self, at);
        self->worker->parsing->blocks -= close - at;
        if (close - at > 6 && self->worker->parsing->blocks >= 0 &&
            parses(self->worker, "void f(void)", self->tokens + at, close + 1 - at, "")) {
            copy(self, at, close + 1);
            return close + 1;
        }
    }
    if (is(token, '{') || is(token, '}') || is(token, ';')) {
        copy(self, at, at + 1);
        return at + 1;
    }
    if (token->kind == TOKEN_NAME) {
        bool paren = more && is(&self->tokens[at + 1], '(');
        switch (token->code) {
        case KW_IF:
        case KW_WHILE:
        case KW_SWITCH:
        case KW_FOR: return paren ? mend_control(self, at) : mend_simple(self, at);
        case KW_ELSE:
        case KW_DO: copy(self, at, at + 1); return at + 1;
        case KW_CASE:
        case KW_DEFAULT: return mend_case(self, at);
        }
        if (more && is(&self->tokens[at + 1], ':') && token->code == KW_NONE) {
            copy(self, at, at + 2);
            return at + 2;
        }
    }
    return mend_simple(self, at);
}

static void put_name(Mend *self, const char *name) {
    array_push(self->out, ((OutToken){name, (u32)strlen(name), self->tokens[0].offset, self->tokens[0].line,
                                      self->tokens[0].column, TOKEN_NAME, 0}));
}

// Words in front of a function that are no type vanish; then its type does, then its parameters.
static void mend_header(Mend *self, u32 body, const char *name) {
    for (u32 drop = 0; drop < 4 && drop < body && (!drop || self->tokens[drop - 1].kind == TOKEN_NAME); drop++)
        if (parses(self->worker, "", self->tokens + drop, body - drop, "{ }")) {
            copy(self, drop, body);
            return;
        }
    put_word(self->worker, self->out, "int", &self->tokens[0]);
    put_name(self, name);
    for (u32 at = 0; at + 1 < body; at++) {
        bool here =
            self->tokens[at].length == strlen(name) && !memcmp(self->tokens[at].text, name, self->tokens[at].length);
        if (!here || !is(&self->tokens[at + 1], '('))
            continue;
        u32 close = partner(self, at + 1);
        if (close < body && parses(self->worker, "int f ", self->tokens + at + 1, close - at, "{ }")) {
            copy(self, at + 1, close + 1);
            return;
        }
    }
    put_word(self->worker, self->out, "(", &self->tokens[0]);
    put_word(self->worker, self->out, ")", &self->tokens[0]);
}

static void mend_function(Mend *self, u32 body, const char *name) {
    mend_header(self, body, name);
    if (body >= self->count)
        return;
    copy(self, body, body + 1);
    for (u32 at = body + 1; at < self->count;)
        at = mend_statement(self, at);
}

// Members of a record, elements of an initialiser: the ones that fail are left out.
static u32 mend_parts(Mend *self, u32 open, const char *before, const char *after, u8 separator, u32 *lost) {
    u32 close = partner(self, open);
    copy(self, open, open + 1);
    for (u32 at = open + 1; at < close;) {
        u32 stop = at;
        while (stop < close && !is(&self->tokens[stop], separator))
            stop = is(&self->tokens[stop], '(') || is(&self->tokens[stop], '{') || is(&self->tokens[stop], '[')
                       ? partner(self, stop) + 1
                       : stop + 1;
        u32 end = stop < close ? stop + 1 : close;
        if (parses(self->worker, before, self->tokens + at, end - at, after))
            copy(self, at, end);
        else
            *lost += source_bytes(&self->tokens[at], &self->tokens[end - 1]);
        at = end;
    }
    copy(self, close, close + 1);
    return close + 1;
}

static u32 mend_declaration(Mend *self) {
    u32 lost = 0;
    bool assigned = false;
    for (u32 at = 0; at < self->count;) {
        assigned |= is(&self->tokens[at], '=');
        if (!is(&self->tokens[at], '{')) {
            copy(self, at, at + 1);
            at++;
        } else if (assigned) {
            at = mend_parts(self, at, "int x[] = { ", " };", ',', &lost);
        } else {
            bool is_enum = false;
            for (u32 back = at; back-- > 0 && back + 4 > at;)
                is_enum |= self->tokens[back].kind == TOKEN_NAME && self->tokens[back].code == KW_ENUM;
            at = is_enum ? mend_parts(self, at, "enum x { ", " };", ',', &lost)
                         : mend_parts(self, at, "struct x { ", " };", ';', &lost);
        }
    }
    return lost;
}

// items -----------------------------------------------------------------------

// False when the text is too far from C.
static bool lower_text(Worker *self, const OutToken *tokens, u32 count, Item *item, TSTree *parsed) {
    struct Parsing *scratch = self->parsing;
    TSTree *tree = parsed;
    if (!tree) {
        fill_text(scratch, tokens, count);
        tree = watched_parse(self->parser, (const char *)scratch->text.bytes, (u32)scratch->text.size, ASTRAY);
    }
    if (!tree)
        return false;
    item->text = (const char *)scratch->text.bytes;
    item->length = (u32)scratch->text.size;
    item->starts = scratch->starts.items;
    item->places = scratch->places.items;
    item->token_count = count;
    lower_item(self->lowering, self->declarations, item, ts_tree_root_node(tree), &self->tree);
    ts_tree_delete(tree);
    return true;
}

static void lose_item(Worker *self, const OutToken *first, const OutToken *last) {
    self->tree.lost_items++;
    self->tree.lost_bytes += source_bytes(first, last);
}

static void lose_body(Mend *self, u32 body, const char *name) {
    const OutToken *first = &self->tokens[body < self->count ? body : 0], *last = &self->tokens[self->count - 1];
    u32 header = body;
    for (u32 i = 0, depth = 0; i < body; i++) {
        depth += is(&self->tokens[i], '(');
        if (depth > DEEPEST)
            header = 0;
    }
    if (header) {
        mend_header(self, header, name);
    } else {
        put_word(self->worker, self->out, "int", first);
        put_name(self, name);
        put_word(self->worker, self->out, "(", first);
        put_word(self->worker, self->out, ")", first);
    }
    put_word(self->worker, self->out, "{", first);
    put_lost(self->worker, self->out, first, last);
    put_word(self->worker, self->out, ";", last);
    put_word(self->worker, self->out, "}", last);
}

// Too deep to be read, or too far from C: the function is known, its body is not.
static void lower_lost(Mend *mend, Item *item) {
    Worker *self = mend->worker;
    mend->out->count = 0;
    if (item->kind == ITEM_FUNCTION) {
        lose_body(mend, self->out_body, item->name);
        if (lower_text(self, mend->out->items, mend->out->count, item, NULL))
            return;
    }
    lose_item(self, &mend->tokens[0], &mend->tokens[mend->count - 1]);
}

static void parse_whole(Worker *self, const OutTokens *tokens, u8 kind, const char *name, u32 flags, const char *file) {
    struct Parsing *scratch = self->parsing;
    const OutToken *first = &tokens->items[0], *last = &tokens->items[tokens->count - 1];
    Item item = {.kind = kind,
                 .flags = flags,
                 .name = name,
                 .file = file,
                 .first = {first->line, first->column},
                 .last = {last->line, last->column}};
    u32 depth = fill_partners(scratch, tokens->items, tokens->count);
    scratch->mended.count = 0;
    scratch->trials = (i64)tokens->count * 64 + 10000;
    scratch->blocks = (i64)tokens->count * 16 + 10000;
    Mend mend = {self, tokens->items, scratch->partners.items, tokens->count, &scratch->mended};
    if (tokens->count > ITEM_MOST)
        limit_hit(self, "a declaration or function of more than 524288 tokens");
    if (depth > DEEPEST || tokens->count > ITEM_MOST) {
        lower_lost(&mend, &item);
        return;
    }
    fill_text(scratch, tokens->items, tokens->count);
    TSTree *tree = watched_parse(self->parser, (const char *)scratch->text.bytes, (u32)scratch->text.size, 0);
    if (tree && !ts_node_has_error(ts_tree_root_node(tree))) {
        lower_text(self, tokens->items, tokens->count, &item, tree);
        return;
    }
    if (tree)
        ts_tree_delete(tree);
    if (kind == ITEM_FUNCTION) {
        mend_function(&mend, self->out_body, name);
    } else if (kind == ITEM_CALL) {
        lose_item(self, first, last);
        return;
    } else {
        u32 lost = mend_declaration(&mend);
        self->tree.lost_bytes += lost;
        self->tree.lost_items += lost > 0;
    }
    if (!lower_text(self, scratch->mended.items, scratch->mended.count, &item, NULL))
        lower_lost(&mend, &item);
}

void parse_item(Worker *self, const OutTokens *tokens, u8 kind, const char *name, u32 flags, const char *file) {
    if (!tokens->count)
        return;
    u32 before = self->tree.functions.count, bytes = 0;
    if (kind == ITEM_FUNCTION && self->out_body < tokens->count)
        bytes = source_bytes(&tokens->items[self->out_body], &tokens->items[tokens->count - 1]);
    self->body_bytes += bytes;
    parse_whole(self, tokens, kind, name, flags, file);
    // Lowering counts bytes of the text it was given, which is longer than the source.
    for (u32 i = before; i < self->tree.functions.count; i++)
        if (self->tree.functions.items[i].lost_bytes > bytes)
            self->tree.functions.items[i].lost_bytes = bytes;
}
