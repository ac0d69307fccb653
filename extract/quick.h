// quick.h: the commonest tokens without the grammar's lexer. quick.c sees the library's insides, whose names are also
// ours: so this includes nothing of ours.
#ifndef EXTRACT_QUICK_H
#define EXTRACT_QUICK_H

#include <stdbool.h>
#include <tree_sitter/api.h> // first: parser.h has parts of it, too

#include <tree_sitter/parser.h>

typedef struct Quick Quick;
const Quick *quick_learn(const TSLanguage *grammar);                  // for good
bool quick_token(const Quick *self, TSLexer *lexer, TSStateId state); // false: nothing was done
bool quick_no_keyword(const Quick *self, const TSLexer *lexer);       // the word here begins as no keyword does

#endif
