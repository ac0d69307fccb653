// lex.c: bytes to tokens, in one pass.
// In: a file's text, NUL-terminated past its end. Out: tokens with their places, and the
// directives, which stay text until somebody needs them.
// Invariant: every token's text lies inside the file's text (or a macro's), so a token is
// never copied. Bad input is never fatal: an unterminated literal ends with its line.
#include "extract/preprocess.h"

enum { C_OTHER, C_SPACE, C_NEWLINE, C_NAME, C_DIGIT, C_PUNCT, C_QUOTE };
static u8 class_of[256];

__attribute__((constructor)) static void fill_classes(void) {
    for (int c = 0; c < 256; c++) {
        if (c == '\n')
            class_of[c] = C_NEWLINE;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
            class_of[c] = C_SPACE;
        else if (c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 128)
            class_of[c] = C_NAME;
        else if (c >= '0' && c <= '9')
            class_of[c] = C_DIGIT;
        else if (c == '"' || c == '\'')
            class_of[c] = C_QUOTE;
        else if (c && strchr("!#%&()*+,-./:;<=>?[]^{|}~\\", c))
            class_of[c] = C_PUNCT;
    }
}

static inline bool is_name_byte(u8 c) { return class_of[c] == C_NAME || class_of[c] == C_DIGIT; }

u32 name_add(NameTable *self, const char *text, u32 length) {
    static const struct {
        u8 code;
        const char *spelling;
    } keywords[] = {
#define KEYWORD(code, spelling) {code, spelling},
#include "extract/keywords.def"
#undef KEYWORD
    };
    if (!self->names.count) {
        array_push(&self->names, ((Name){.first_macro = NO_MACRO}));
        intern_add(&self->intern, "", 0);
        for (u32 i = 0; i < sizeof keywords / sizeof *keywords; i++) {
            u32 id = name_add(self, keywords[i].spelling, (u32)strlen(keywords[i].spelling));
            self->names.items[id].keyword = keywords[i].code;
        }
    }
    u32 id = intern_add(&self->intern, text, length);
    if (id == self->names.count) {
        Name name = {.hash = self->intern.entries.items[id].hash, .first_macro = NO_MACRO, .upper = 1};
        for (u32 i = 0; i < length; i++)
            if (text[i] >= 'a' && text[i] <= 'z')
                name.upper = 0;
        array_push(&self->names, name);
    }
    return id;
}

// Where the lexer stands in the text.
typedef struct {
    const char *at, *end, *begin;
    const char *line_start; // of the physical line, for columns
    u32 line;
    u8 pending;           // TOKEN_SPACE and TOKEN_FRESH for the next token
    RemarkArray *remarks; // comments that speak to us go there; NULL: they are passed over
} Cursor;

static void cursor_newline(Cursor *self) { // at points past the newline
    self->line++;
    self->line_start = self->at;
}

// A comment that begins at `at`: kept when it speaks to us.
static void keep_remark(Cursor *self, const char *at, const char *end) {
    static const char word[] = "racerx:";
    const char *start = at;
    for (at += 2; at < end && (class_of[(u8)*at] == C_SPACE || *at == '*' || *at == '\n');)
        at++;
    if ((size_t)(end - at) < sizeof word - 1 || memcmp(at, word, sizeof word - 1))
        return;
    at += sizeof word - 1;
    array_push(self->remarks,
               ((LexedRemark){
                   .text = at, .length = (u32)(end - at), .offset = (u32)(start - self->begin), .line = self->line}));
}

static bool pass_block_comment(Cursor *self);
static void pass_line_comment(Cursor *self);

// Past the end of a /* comment; false when there is none.
static bool skip_block_comment(Cursor *self) {
    const char *start = self->at;
    u32 line = self->line;
    bool ended = pass_block_comment(self);
    if (!self->remarks || !ended)
        return ended;
    u32 after = self->line;
    self->line = line;
    keep_remark(self, start, self->at - 2);
    self->line = after;
    return true;
}

static void skip_line_comment(Cursor *self) {
    const char *start = self->at;
    pass_line_comment(self);
    if (self->remarks)
        keep_remark(self, start, self->at);
}

static bool pass_block_comment(Cursor *self) {
    const char *at = self->at + 2;
    for (;;) {
        const char *star = memchr(at, '*', (size_t)(self->end - at));
        const char *stop = star && star[1] == '/' ? star + 2 : star ? star + 1 : self->end;
        for (const char *line; (line = memchr(at, '\n', (size_t)(stop - at)));) {
            self->at = at = line + 1;
            cursor_newline(self);
        }
        at = stop;
        if (!star || (star[1] == '/')) {
            self->at = at;
            return star != NULL;
        }
    }
}

static void pass_line_comment(Cursor *self) {
    const char *at = self->at;
    for (;;) {
        const char *line = memchr(at, '\n', (size_t)(self->end - at));
        if (!line) {
            self->at = self->end;
            return;
        }
        bool spliced = line > self->begin &&
                       (line[-1] == '\\' || (line[-1] == '\r' && line - 1 > self->begin && line[-2] == '\\'));
        if (!spliced) {
            self->at = line;
            return;
        }
        self->at = at = line + 1;
        cursor_newline(self);
    }
}

// Past a \ at the end of a line, if there is one here.
static bool skip_splice(Cursor *self) {
    const char *at = self->at + 1;
    if (at < self->end && *at == '\r')
        at++;
    if (at >= self->end || *at != '\n')
        return false;
    self->at = at + 1;
    cursor_newline(self);
    return true;
}

// White space and comments; leaves flags for the next token.
static const char *skip_blank(Cursor *self, bool one_line) {
    while (self->at < self->end) {
        u8 c = (u8)*self->at;
        if (class_of[c] == C_SPACE) {
            self->at++;
        } else if (c == '\n') {
            if (one_line)
                return NULL;
            self->at++;
            cursor_newline(self);
            self->pending |= TOKEN_FRESH;
        } else if (c == '/' && self->at[1] == '*') {
            if (!skip_block_comment(self))
                return "unterminated comment";
        } else if (c == '/' && self->at[1] == '/') {
            skip_line_comment(self);
        } else if (c != '\\' || !skip_splice(self)) {
            return NULL;
        }
        self->pending |= TOKEN_SPACE;
    }
    return NULL;
}

// Past a literal's closing quote, or to the end of its line.
static bool skip_literal(Cursor *self, char quote) {
    self->at++;
    while (self->at < self->end && *self->at != quote) {
        if (*self->at == '\n')
            return false;
        if (*self->at == '\\' && self->at + 1 < self->end) {
            if (skip_splice(self))
                continue;
            self->at++;
        }
        self->at++;
    }
    if (self->at >= self->end) {
        self->at = self->end;
        return false;
    }
    self->at++;
    return true;
}

// Old GNU C: a string may go on over lines. It is taken so when it plainly ends: at a quote before ) , ; or
// another string. The cursor stands at the end of the first line.
static bool skip_long_string(Cursor *self) {
    const char *at = self->at, *quote = NULL;
    for (u32 lines = 0; at < self->end && lines < 1000; at++) {
        lines += *at == '\n';
        if (*at == '\\')
            at++;
        else if (*at == '"') {
            quote = at;
            break;
        }
    }
    if (!quote)
        return false;
    for (at = quote + 1; at < self->end && (class_of[(u8)*at] == C_SPACE || *at == '\n');)
        at++;
    if (at >= self->end || !strchr("),;\":", *at))
        return false;
    while (self->at < quote)
        if (*self->at++ == '\n')
            cursor_newline(self);
    self->at = quote + 1;
    return true;
}

static u32 punct3(const char *at, u8 *code) {
    static const struct {
        char text[4];
        u8 code;
    } table[] = {{"<<=", P_SHL_ASSIGN}, {">>=", P_SHR_ASSIGN}, {"...", P_ELLIPSIS},  {"->", P_ARROW},
                 {"++", P_INCREMENT},   {"--", P_DECREMENT},   {"<<", P_SHL},        {">>", P_SHR},
                 {"<=", P_LE},          {">=", P_GE},          {"==", P_EQ},         {"!=", P_NE},
                 {"&&", P_ANDAND},      {"||", P_OROR},        {"##", P_PASTE},      {"+=", P_ADD_ASSIGN},
                 {"-=", P_SUB_ASSIGN},  {"*=", P_MUL_ASSIGN},  {"/=", P_DIV_ASSIGN}, {"%=", P_MOD_ASSIGN},
                 {"&=", P_AND_ASSIGN},  {"|=", P_OR_ASSIGN},   {"^=", P_XOR_ASSIGN}};
    for (u32 i = 0; i < sizeof table / sizeof *table; i++) {
        u32 length = table[i].text[2] ? 3 : 2;
        if (at[0] == table[i].text[0] && !strncmp(at, table[i].text, length)) {
            *code = table[i].code;
            return length;
        }
    }
    *code = (u8)*at;
    return 1;
}

static u32 lex_punct(const char *at, u8 *code) {
    switch (*at) {
    case '(':
    case ')':
    case '{':
    case '}':
    case '[':
    case ']':
    case ';':
    case ',':
    case '?':
    case ':':
    case '~': *code = (u8)*at; return 1;
    }
    return punct3(at, code);
}

// A number like 0xe+1 is one preprocessing token in C; nobody writes it meaning that.
static void lex_pp_number(Cursor *self) {
    const char *first = self->at;
    bool hex = first[0] == '0' && (first[1] == 'x' || first[1] == 'X');
    while (self->at < self->end) {
        u8 c = (u8)*self->at;
        char before = self->at > first ? self->at[-1] : 0;
        if ((c == '+' || c == '-') && (hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E'))
            self->at++;
        else if (is_name_byte(c) || c == '.')
            self->at++;
        else
            break;
    }
}

static const char *lex_one(Cursor *self, NameTable *names, Token *out) {
    u8 c = (u8)*self->at;
    const char *first = self->at, *trouble = NULL;
    *out = (Token){.text = first,
                   .offset = (u32)(first - self->begin),
                   .line = self->line,
                   .column = (u32)(first - self->line_start) + 1,
                   .flags = self->pending};
    self->pending = 0;
    switch (class_of[c]) {
    case C_NAME:
        while (self->at < self->end && is_name_byte((u8)*self->at))
            self->at++;
        if (self->at < self->end && class_of[(u8)*self->at] == C_QUOTE && self->at - first <= 2 &&
            (c == 'L' || c == 'u' || c == 'U')) {
            char quote = *self->at;
            trouble = skip_literal(self, quote) ? NULL : "unterminated literal";
            out->kind = quote == '"' ? TOKEN_STRING : TOKEN_CHAR;
            break;
        }
        out->kind = TOKEN_NAME;
        out->name = name_add(names, first, (u32)(self->at - first));
        out->code = names->names.items[out->name].keyword;
        break;
    case C_DIGIT:
        lex_pp_number(self);
        out->kind = TOKEN_NUMBER;
        break;
    case C_QUOTE:
        trouble = skip_literal(self, (char)c) || (c == '"' && skip_long_string(self)) ? NULL : "unterminated literal";
        out->kind = trouble ? TOKEN_OTHER : c == '"' ? TOKEN_STRING : TOKEN_CHAR;
        break;
    case C_PUNCT:
        if (c == '.' && class_of[(u8)self->at[1]] == C_DIGIT) {
            self->at++;
            lex_pp_number(self);
            out->kind = TOKEN_NUMBER;
            break;
        }
        self->at += lex_punct(self->at, &out->code);
        out->kind = c == '\\' ? TOKEN_OTHER : TOKEN_PUNCT;
        break;
    default: self->at++; out->kind = TOKEN_OTHER;
    }
    if (self->at > self->end)
        self->at = self->end;
    out->length = (u32)(self->at - first);
    return trouble;
}

void lex_line(TokenArray *out, NameTable *names, const char *text, u32 length, u32 line) {
    Cursor cursor = {text, text + length, text, text, line, 0, NULL};
    for (;;) {
        skip_blank(&cursor, false);
        if (cursor.at >= cursor.end)
            return;
        Token token;
        lex_one(&cursor, names, &token);
        token.flags &= (u8)~TOKEN_FRESH;
        array_push(out, token);
    }
}

// directives ------------------------------------------------------------------

// To the newline that ends the logical line (splices and comments go on).
static void skip_logical_line(Cursor *self) {
    while (self->at < self->end) {
        u8 c = (u8)*self->at;
        if (c == '\n')
            return;
        if (c == '\\') {
            if (!skip_splice(self))
                self->at++;
        } else if (c == '/' && self->at[1] == '*') {
            skip_block_comment(self);
        } else if (c == '/' && self->at[1] == '/') {
            skip_line_comment(self);
        } else if (c == '"') {
            skip_literal(self, '"');
        } else {
            self->at++;
        }
    }
}

static u8 directive_kind(const char *word, size_t length) {
    static const struct {
        const char *word;
        u8 kind;
    } table[] = {{"define", DIRECTIVE_DEFINE},
                 {"include", DIRECTIVE_INCLUDE},
                 {"ifdef", DIRECTIVE_IFDEF},
                 {"endif", DIRECTIVE_ENDIF},
                 {"if", DIRECTIVE_IF},
                 {"ifndef", DIRECTIVE_IFNDEF},
                 {"else", DIRECTIVE_ELSE},
                 {"elif", DIRECTIVE_ELIF},
                 {"undef", DIRECTIVE_UNDEF},
                 {"import", DIRECTIVE_INCLUDE},
                 {"include_next", DIRECTIVE_INCLUDE}};
    for (u32 i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].word) == length && !memcmp(word, table[i].word, length))
            return table[i].kind;
    if (length && class_of[(u8)*word] == C_DIGIT)
        return DIRECTIVE_LINE;
    return DIRECTIVE_OTHER;
}

// At the # of a directive: reads it to the end of its line.
static Directive lex_directive(Cursor *self) {
    Directive out = {.line = self->line, .offset = (u32)(self->at - self->begin)};
    self->at++;
    skip_blank(self, true);
    const char *word = self->at;
    while (self->at < self->end && is_name_byte((u8)*self->at))
        self->at++;
    out.kind = directive_kind(word, (size_t)(self->at - word));
    out.text = out.kind == DIRECTIVE_LINE ? word : self->at;
    skip_logical_line(self);
    out.length = (u32)(self->at - out.text);
    return out;
}

void lex_directives(DirectiveArray *out, const char *text, size_t size) {
    Cursor cursor = {text, text + size, text, text, 1, TOKEN_FRESH, NULL};
    while (cursor.at < cursor.end) {
        skip_blank(&cursor, false);
        if (cursor.at >= cursor.end)
            return;
        if (*cursor.at == '#' && (cursor.pending & TOKEN_FRESH)) {
            Directive directive = lex_directive(&cursor);
            array_push(out, directive);
            continue;
        }
        cursor.pending = 0;
        while (cursor.at < cursor.end && *cursor.at != '\n') {
            if (*cursor.at == '"' || *cursor.at == '\'')
                skip_literal(&cursor, *cursor.at);
            else if (*cursor.at == '/' && (cursor.at[1] == '*' || cursor.at[1] == '/'))
                break;
            else if (*cursor.at == '\\' && skip_splice(&cursor))
                continue;
            else
                cursor.at++;
        }
    }
}

// `# 12 "f.c"`: what follows is line 12 of f.c.
static void lex_line_mark(Lexed *self, const Directive *directive, u32 next_line, Arena *arena) {
    const char *end = directive->text + directive->length;
    char *after;
    u64 line = strtoull(directive->text, &after, 10);
    LineMark mark = {directive->offset, UINT32_MAX, (i64)line - (i64)next_line};
    const char *quote = memchr(after, '"', after < end ? (size_t)(end - after) : 0);
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    if (close) {
        size_t length = (size_t)(close - quote - 1);
        for (u32 i = self->mark_files.count; i-- > 0 && mark.file == UINT32_MAX && i + 64 > self->mark_files.count;)
            if (strlen(self->mark_files.items[i]) == length && !memcmp(self->mark_files.items[i], quote + 1, length))
                mark.file = i;
        if (mark.file == UINT32_MAX) {
            mark.file = self->mark_files.count;
            array_push(&self->mark_files, arena_copy(arena, quote + 1, length));
        }
    } else if (self->marks.count) {
        mark.file = self->marks.items[self->marks.count - 1].file;
    }
    array_push(&self->marks, mark);
}

// `#pragma asm` … `#pragma endasm`, and the same without the pragma: another language in between.
static bool starts_asm(const Directive *directive, bool now) {
    const char *at = directive->text, *end = at + directive->length;
    const char *word = at;
    while (is_name_byte((u8)word[-1])) // a # comes before it
        word--;
    if (directive->kind != DIRECTIVE_OTHER)
        return now;
    if (at - word == 6 && !memcmp(word, "pragma", 6)) {
        while (at < end && class_of[(u8)*at] == C_SPACE)
            at++;
        for (word = at; at < end && is_name_byte((u8)*at);)
            at++;
    }
    if (at - word == 3 && !memcmp(word, "asm", 3))
        return true;
    return now && !(at - word == 6 && !memcmp(word, "endasm", 6));
}

void lex(Lexed *self, NameTable *names, const char *text, size_t size, Arena *arena) {
    self->tokens.count = self->directives.count = self->marks.count = self->mark_files.count = self->remarks.count = 0;
    self->trouble = NULL;
    u32 placed = 0, answered = 0,
        code_line = 0; // remarks whose line is known; that are followed by a token; line of the last token
    Cursor cursor = {text, text + size, text, text, 1, TOKEN_FRESH, &self->remarks};
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        cursor.at += 3;
    i64 shift = 0;
    bool in_asm = false;
    for (;;) {
        const char *trouble = skip_blank(&cursor, false);
        if (trouble && !self->trouble)
            self->trouble = trouble;
        for (; placed < self->remarks.count; placed++) {
            LexedRemark *remark = &self->remarks.items[placed];
            remark->alone = remark->line != code_line;
            remark->line = (u32)((i64)remark->line + shift);
        }
        if (cursor.at >= cursor.end)
            return;
        Token token;
        if (*cursor.at == '#' && (cursor.pending & TOKEN_FRESH)) {
            Directive directive = lex_directive(&cursor);
            in_asm = starts_asm(&directive, in_asm);
            directive.token = self->tokens.count;
            token = (Token){.kind = TOKEN_DIRECTIVE,
                            .name = self->directives.count,
                            .offset = directive.offset,
                            .line = directive.line,
                            .column = 1,
                            .flags = TOKEN_FRESH};
            if (directive.kind == DIRECTIVE_LINE) {
                lex_line_mark(self, &directive, cursor.line + 1, arena);
                shift = self->marks.items[self->marks.count - 1].shift;
                continue;
            }
            array_push(&self->directives, directive);
            array_push(&self->tokens, token);
            continue;
        }
        trouble = lex_one(&cursor, names, &token);
        if (trouble && !self->trouble)
            self->trouble = trouble;
        token.line = (u32)((i64)token.line + shift);
        for (; answered < placed; answered++)
            self->remarks.items[answered].next = token.line;
        code_line = cursor.line;
        if (!in_asm)
            array_push(&self->tokens, token);
    }
}

// counting --------------------------------------------------------------------

void lex_count_calls(NameCounts *self, const char *text, size_t size) {
    Cursor cursor = {text, text + size, text, text, 1, 0, NULL};
    while (cursor.at < cursor.end) {
        u8 c = (u8)*cursor.at;
        if (class_of[c] == C_NAME) {
            const char *first = cursor.at;
            while (cursor.at < cursor.end && is_name_byte((u8)*cursor.at))
                cursor.at++;
            u32 length = (u32)(cursor.at - first);
            while (cursor.at < cursor.end && (*cursor.at == ' ' || *cursor.at == '\t')) // as GNU writes it
                cursor.at++;
            if (cursor.at >= cursor.end || *cursor.at != '(')
                continue;
            u32 id = intern_add(&self->intern, first, length);
            while (self->counts.count <= id)
                array_push(&self->counts, 0);
            self->counts.items[id]++;
        } else if (class_of[c] == C_QUOTE) {
            skip_literal(&cursor, (char)c);
        } else if (c == '/' && cursor.at[1] == '*') {
            skip_block_comment(&cursor);
        } else if (c == '/' && cursor.at[1] == '/') {
            skip_line_comment(&cursor);
        } else if (class_of[c] == C_DIGIT) {
            lex_pp_number(&cursor);
        } else {
            cursor.at++;
        }
    }
}

// declared names ----------------------------------------------------------------

bool spelled_like_macro(const char *text, u32 length) {
    if (length > 3 && text[0] == '_' && text[1] == '_')
        return true;
    for (u32 i = 0; i < length; i++)
        if (text[i] >= 'a' && text[i] <= 'z')
            return false;
    return length > 2;
}

// Where a walk for declared names stands.
typedef struct {
    Cursor cursor;
    const char *word; // the last token, when it was a name that may be a type; else NULL
    u32 word_length;
    char last;      // its last byte otherwise
    bool enum_next; // the next { lists enumerators
    bool in_enum;
} DeclaredWalk;

static bool is_word(const DeclaredWalk *self, const char *text) {
    return self->word_length == strlen(text) && !memcmp(self->word, text, self->word_length);
}

static char next_byte(const Cursor *cursor) {
    const char *at = cursor->at;
    while (at < cursor->end && (class_of[(u8)*at] == C_SPACE || *at == '\n'))
        at++;
    return at < cursor->end ? *at : 0;
}

// A name after a type and before what follows a declarator, an enumerator, or a member.
static bool declares(const DeclaredWalk *self, char next) {
    if (self->in_enum)
        return self->last == '{' || self->last == ',';
    if (!self->word)
        return self->last == '.' || self->last == '>';
    if (is_word(self, "return") || is_word(self, "case") || is_word(self, "else") || is_word(self, "do"))
        return false;
    return is_word(self, "goto") || (next && strchr("(;,=[:)", next));
}

static void declared_name(DeclaredWalk *self, U32Array *out) {
    Cursor *cursor = &self->cursor;
    const char *first = cursor->at;
    while (cursor->at < cursor->end && is_name_byte((u8)*cursor->at))
        cursor->at++;
    u32 length = (u32)(cursor->at - first);
    if (spelled_like_macro(first, length) && declares(self, next_byte(cursor)))
        array_push(out, (u32)hash_bytes(first, length, 0));
    self->word = first;
    self->word_length = length;
    self->last = 0;
    self->enum_next |= is_word(self, "enum");
}

static void declared_byte(DeclaredWalk *self, char c) {
    bool arrow = c == '>' && self->last == '-';
    if (c == '{')
        self->in_enum = self->enum_next;
    else if (c == '}')
        self->in_enum = false;
    if (c == '{' || c == ';' || c == '(' || c == ')')
        self->enum_next = false;
    self->word = NULL;
    self->last = c == '>' && !arrow ? 0 : c;
    self->cursor.at++;
}

void lex_declared(U32Array *out, const char *text, size_t size) {
    DeclaredWalk self = {.cursor = {text, text + size, text, text, 1, TOKEN_FRESH, NULL}};
    Cursor *cursor = &self.cursor;
    for (;;) {
        skip_blank(cursor, false);
        if (cursor->at >= cursor->end)
            return;
        char c = *cursor->at;
        if (c == '#' && (cursor->pending & TOKEN_FRESH)) {
            skip_logical_line(cursor);
            continue;
        }
        cursor->pending = 0;
        switch (class_of[(u8)c]) {
        case C_NAME: declared_name(&self, out); break;
        case C_DIGIT:
            lex_pp_number(cursor);
            self.word = NULL;
            self.last = '0';
            break;
        case C_QUOTE:
            skip_literal(cursor, c);
            self.word = NULL;
            self.last = '"';
            break;
        default: declared_byte(&self, c);
        }
    }
}
