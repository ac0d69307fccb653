// quick.c: the commonest tokens without the grammar's lexer.
// The text that is parsed is put together from tokens with a space before and after each (parse.c). So a word ends at
// the space, and a single mark before a space is that mark; the grammar's lexer finds the same, but looks each
// character up in lists of ranges, and is told of the next one by two calls. What a lexer makes of `q `, `; ` and so on
// in each of its states is learnt by asking it once; everything else is left to it.
// Invariant: after quick_token() the lexer stands where the grammar's own would have left it: the token, how far it
// looked, its column.
#include "extract/quick.h"

#include <runtime/src/lexer.h>

void *must_zero(size_t size);

#define BYTES 128 // only ASCII is quick

struct Quick {
    uint32_t states;                   // rows of tokens
    bool word[256];                    // bytes of words
    bool keyword_starts[BYTES][BYTES]; // a keyword's first two
    TSSymbol tokens[][BYTES];          // by state and first byte: 1 + what it is alone between spaces; 0: not known
};

// A lexer over a few bytes.
typedef struct {
    TSLexer data;
    const char *text;
    uint32_t at, start, end;
} Probe;

static void probe_advance(TSLexer *lexer, bool skip) {
    Probe *self = (Probe *)lexer;
    self->at += self->text[self->at] != 0;
    self->start = skip ? self->at : self->start;
    lexer->lookahead = (unsigned char)self->text[self->at];
}

static void probe_mark_end(TSLexer *lexer) { ((Probe *)lexer)->end = ((Probe *)lexer)->at; }

static bool probe_eof(const TSLexer *lexer) {
    const Probe *self = (const Probe *)lexer;
    return !self->text[self->at];
}

static uint32_t probe_column(TSLexer *lexer) { return ((Probe *)lexer)->at; }

static Probe probe(const char *text) {
    return (Probe){.data = {.lookahead = text[0],
                            .advance = probe_advance,
                            .mark_end = probe_mark_end,
                            .get_column = probe_column,
                            .eof = probe_eof},
                   .text = text};
}

static void learn_tokens(Quick *self, const TSLanguage *grammar, TSStateId state) {
    for (int byte = '!'; byte < BYTES - 1; byte++) {
        char text[] = {' ', (char)byte, ' ', ' ', 0};
        Probe lexer = probe(text);
        if (grammar->lex_fn(&lexer.data, state) && lexer.start == 1 && lexer.end == 2 && lexer.at == 2)
            self->tokens[state][byte] = lexer.data.result_symbol + 1;
    }
}

static void learn_keywords(Quick *self, const TSLanguage *grammar) {
    for (int first = 0; first < BYTES; first++)
        for (int second = 0; self->word[first] && second < BYTES; second++) {
            char text[] = {(char)first, self->word[second] ? (char)second : ' ', 1, 0};
            Probe lexer = probe(text);
            self->keyword_starts[first][second] = grammar->keyword_lex_fn(&lexer.data, 0) || lexer.at > 1;
        }
}

const Quick *quick_learn(const TSLanguage *grammar) {
    const TSLexMode *modes = (const void *)grammar->lex_modes;
    uint32_t states = 0;
    for (uint32_t i = 0; i < grammar->state_count; i++)
        states = modes[i].lex_state < UINT16_MAX && modes[i].lex_state >= states ? modes[i].lex_state + 1u : states;
    Quick *self = must_zero(sizeof(Quick) + sizeof(TSSymbol) * BYTES * states);
    self->states = states;
    for (int byte = 0; byte < BYTES; byte++)
        self->word[byte] = byte == '_' || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
    for (uint32_t i = 0; i < grammar->state_count; i++) {
        bool known = modes[i].lex_state == UINT16_MAX;
        for (int byte = 0; byte < BYTES && !known; byte++)
            known = self->tokens[modes[i].lex_state][byte] != 0;
        if (!known)
            learn_tokens(self, grammar, modes[i].lex_state);
    }
    learn_keywords(self, grammar);
    return self;
}

bool quick_token(const Quick *self, TSLexer *lexer, TSStateId state) {
    Lexer *at = (Lexer *)lexer;
    if (lexer->lookahead != ' ' || !at->chunk || state >= self->states)
        return false;
    uint32_t skipped = at->current_position.bytes - at->chunk_start, left = at->chunk_size - skipped, length = 1;
    const unsigned char *text = (const unsigned char *)at->chunk + skipped + 1; // past the space
    if (left < 3 || text[0] >= BYTES || !self->tokens[state][text[0]])
        return false;
    if (self->word[text[0]] && text[0] > '9')
        while (length + 1 < left && self->word[text[length]])
            length++;
    if (length + 1 >= left || text[length] != ' ')
        return false;
    at->token_start_position = at->current_position;
    at->token_start_position.bytes++;
    at->token_start_position.extent.column++;
    at->token_end_position = at->token_start_position;
    at->token_end_position.bytes += length;
    at->token_end_position.extent.column += length;
    at->current_position = at->token_end_position;
    at->column_data.value += at->column_data.valid ? length + 1 : 0;
    at->lookahead_size = 1;
    lexer->result_symbol = self->tokens[state][text[0]] - 1;
    return true;
}

bool quick_no_keyword(const Quick *self, const TSLexer *lexer) {
    const Lexer *at = (const Lexer *)lexer;
    uint32_t skipped = at->current_position.bytes - at->chunk_start;
    if (!at->chunk || at->chunk_size - skipped < 2)
        return false;
    const unsigned char *text = (const unsigned char *)at->chunk + skipped;
    return text[0] < BYTES && text[1] < BYTES && self->word[text[0]] && !self->keyword_starts[text[0]][text[1]];
}
