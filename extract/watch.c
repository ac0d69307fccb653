// watch.c: the grammar, stopped where it would only grope.
// In: text. Out: its tree, or NULL when it went astray too often.
// Error recovery costs time in the square of what it skips, and mostly we only ask whether a text is C.
// The parser lexes in the state of errors only after no reading was left; so a lexer in between sees the
// first error when it happens, and raises the flag that makes the parser give up. No clock is involved:
// the same text always stops at the same place.
#include "extract/preprocess.h"
#include "extract/quick.h"

#include <pthread.h>
#include <tree_sitter/parser.h>

#define ERROR_LEX_STATE 0xfffe // what the lexer is told in the parser's error state; no other state has it

static TSLanguage watched;   // the grammar, with our lexer in front of its own
static TSLexMode *lex_modes; // its modes, with the error state's made recognisable
static const Quick *quick;
static pthread_once_t watched_once = PTHREAD_ONCE_INIT;

static _Thread_local struct {
    u32 allowed; // tokens that may be read in the error state
    bool failed; // the last token was not found: what follows is a second try, not an error yet
    size_t stop; // the parser's cancellation flag
} watch;

static bool watched_lex(TSLexer *lexer, TSStateId state) {
    if (state != ERROR_LEX_STATE) {
        bool found = quick_token(quick, lexer, state) || tree_sitter_c()->lex_fn(lexer, state);
        watch.failed = !found;
        return found;
    }
    if (!watch.failed && !watch.allowed)
        watch.stop = 1;
    else if (!watch.failed)
        watch.allowed--;
    watch.failed = false;
    return tree_sitter_c()->lex_fn(lexer, ((const TSLexMode *)tree_sitter_c()->lex_modes)[0].lex_state);
}

static bool watched_keyword(TSLexer *lexer, TSStateId state) {
    return !quick_no_keyword(quick, lexer) && tree_sitter_c()->keyword_lex_fn(lexer, state);
}

// The states' actions by symbol. The grammar has most of them as lists, which the parser searches once a token and once
// a reduction; as rows of one table they are a single look.
static const uint16_t *action_table(const TSLanguage *grammar) {
    uint16_t *table = must_zero(sizeof *table * grammar->state_count * grammar->symbol_count);
    u32 large = grammar->large_state_count;
    memcpy(table, grammar->parse_table, sizeof *table * large * grammar->symbol_count);
    for (u32 state = large; state < grammar->state_count; state++) {
        uint16_t *row = table + (size_t)state * grammar->symbol_count;
        const uint16_t *at = grammar->small_parse_table + grammar->small_parse_table_map[state - large];
        for (u32 groups = *at++; groups > 0; groups--) {
            uint16_t value = *at++;
            for (u32 symbols = *at++; symbols > 0; symbols--)
                row[*at++] = value;
        }
    }
    return table;
}

// For good: threads may end in any order.
static void fill_watched(void) {
    watched = *tree_sitter_c();
    size_t size = sizeof(TSLexMode) * watched.state_count;
    lex_modes = must_alloc(size);
    memcpy(lex_modes, watched.lex_modes, size);
    lex_modes[0].lex_state = ERROR_LEX_STATE;
    watched.lex_modes = (const void *)lex_modes; // ABI 15 has another type for them; extract/grammar.sh pins 14
    quick = quick_learn(tree_sitter_c());
    watched.lex_fn = watched_lex;
    watched.keyword_lex_fn = watched_keyword;
    watched.parse_table = action_table(tree_sitter_c());
    watched.large_state_count = watched.state_count;
    pool_install();
}

TSParser *watched_parser(void) {
    const TSLanguage *language = tree_sitter_c();
    u32 version = ts_language_abi_version(language);
    pthread_once(&watched_once, fill_watched);
    TSParser *parser = ts_parser_new();
    if (!parser || version < TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION || version > TREE_SITTER_LANGUAGE_VERSION)
        fatal("the C grammar was built for another tree-sitter (its ABI is %u, this library reads %u to %u): "
              "run 'make clean all'",
              version, TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION, TREE_SITTER_LANGUAGE_VERSION);
    check(version < 15);
    check(ts_parser_set_language(parser, &watched));
    return parser;
}

TSTree *watched_parse(TSParser *parser, const char *text, u32 size, u32 allowed) {
    watch.allowed = allowed;
    watch.failed = false;
    watch.stop = 0;
    ts_parser_set_cancellation_flag(parser, &watch.stop);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text, size);
    if (!tree && !watch.stop)
        die("the parser gave no tree");
    if (!watch.stop)
        return tree;
    if (tree) // it was done before it saw the flag
        ts_tree_delete(tree);
    else
        ts_parser_reset(parser);
    return NULL;
}
