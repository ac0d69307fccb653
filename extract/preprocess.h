// preprocess.h: inside extract/, from bytes to items. Sections in pipeline order.
//
// Lifetimes: the Harvest is made once and then read-only. A Unit is one file being
// turned into items; it lives in a worker's scratch memory until the next file.
#ifndef EXTRACT_PREPROCESS_H
#define EXTRACT_PREPROCESS_H

#include "annotators/declare.h"
#include "base/base.h"
#include "extract/item.h"
#include "extract/store.h"

// lex.c -----------------------------------------------------------------------
typedef enum {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_CHAR,
    TOKEN_PUNCT,     // code is the punctuator
    TOKEN_DIRECTIVE, // a # line; name is the index into Lexed.directives
    TOKEN_OTHER,     // a byte C has no use for
    TOKEN_PARAM,     // in a macro's body: name is the parameter's index
} TokenKind;

// Punctuators of one byte are their own code; longer ones start here.
enum {
    P_ARROW = 128,
    P_INCREMENT,
    P_DECREMENT,
    P_SHL,
    P_SHR,
    P_LE,
    P_GE,
    P_EQ,
    P_NE,
    P_ANDAND,
    P_OROR,
    P_ELLIPSIS,
    P_PASTE,
    P_ASSIGN_FIRST, // the compound assignments
    P_ADD_ASSIGN = P_ASSIGN_FIRST,
    P_SUB_ASSIGN,
    P_MUL_ASSIGN,
    P_DIV_ASSIGN,
    P_MOD_ASSIGN,
    P_SHL_ASSIGN,
    P_SHR_ASSIGN,
    P_AND_ASSIGN,
    P_OR_ASSIGN,
    P_XOR_ASSIGN,
    P_ASSIGN_LAST = P_XOR_ASSIGN,
};

typedef enum {
    KW_NONE,
    KW_IF,
    KW_ELSE,
    KW_FOR,
    KW_WHILE,
    KW_DO,
    KW_SWITCH,
    KW_CASE,
    KW_DEFAULT,
    KW_RETURN,
    KW_GOTO,
    KW_BREAK,
    KW_CONTINUE,
    KW_STRUCT,
    KW_UNION,
    KW_ENUM,
    KW_TYPEDEF,
    KW_STATIC,
    KW_EXTERN,
    KW_REGISTER,
    KW_AUTO,
    KW_INLINE,
    KW_CONST,
    KW_VOLATILE,
    KW_RESTRICT,
    KW_ATOMIC,
    KW_NORETURN,
    KW_SIGNED,
    KW_UNSIGNED,
    KW_CHAR,
    KW_SHORT,
    KW_INT,
    KW_LONG,
    KW_FLOAT,
    KW_DOUBLE,
    KW_VOID,
    KW_BOOL,
    KW_COMPLEX,
    KW_THREAD,
    KW_SIZEOF,
    KW_ALIGNOF,
    KW_ALIGNAS,
    KW_TYPEOF,
    KW_ASM,
    KW_ATTRIBUTE,
    KW_DECLSPEC,
    KW_EXTENSION,
    KW_LABEL,
    KW_GENERIC,
    KW_STATIC_ASSERT,
    KW_OFFSETOF,
    KW_TYPES_COMPATIBLE,
    KW_DEFINED,
    KW_VA_ARGS,
    KW_VA_OPT,
    KW_AUTO_TYPE,
} Keyword;

enum {
    TOKEN_SPACE = 1,      // white space before it
    TOKEN_FRESH = 2,      // first on its line
    TOKEN_PAINTED = 4,    // a macro's own name inside its expansion: never expanded again
    TOKEN_EXPANDED = 8,   // came out of a macro
    TOKEN_ITERATOR = 16,  // heads a loop; the loop variable's argument is in `length` of the marker: see expand.c
    TOKEN_PLACEMARK = 32, // an empty argument next to ##
    TOKEN_ARGUMENT = 64,  // went through a macro as its argument
};

typedef struct {
    const char *text;
    u32 length;
    u32 name;   // NameId of a TOKEN_NAME; index of a TOKEN_DIRECTIVE
    u32 offset; // in the source file
    u32 line, column;
    u8 kind;  // TokenKind
    u8 code;  // punctuator, or Keyword of a name
    u8 flags; // TOKEN_…
    u8 extra; // TOKEN_ITERATOR: 1-based argument that is the loop variable
} Token;
typedef Array(Token) TokenArray;

// What a worker knows of a name, for good: pure functions of its spelling.
typedef struct {
    u32 hash;        // of the spelling: what names are called in environments
    u32 first_macro; // in the harvest's chains; UINT32_MAX: none
    u32 said;        // SAID_…
    u32 macro_info;  // INFO_…, when it was weighed; its place among the members while it is
    u8 keyword;      // Keyword
    u8 asked;        // said and first_macro are filled
    u8 upper;        // spelled without lower-case letters
    u8 weighed;      // WEIGHING, WEIGHED or 0
} Name;
typedef struct {
    Intern intern;
    Array(Name) names;
} NameTable;
u32 name_add(NameTable *self, const char *text, u32 length);

typedef enum {
    DIRECTIVE_OTHER,
    DIRECTIVE_IF,
    DIRECTIVE_IFDEF,
    DIRECTIVE_IFNDEF,
    DIRECTIVE_ELIF,
    DIRECTIVE_ELSE,
    DIRECTIVE_ENDIF,
    DIRECTIVE_DEFINE,
    DIRECTIVE_UNDEF,
    DIRECTIVE_INCLUDE,
    DIRECTIVE_LINE,
} DirectiveKind;
typedef struct {
    const char *text; // after the directive's word, to the end of the logical line
    u32 length;
    u32 line;
    u32 offset;
    u32 token; // index of its token
    u8 kind;   // DirectiveKind
} Directive;
typedef Array(Directive) DirectiveArray;

typedef struct {
    u32 offset; // from here on
    u32 file;   // index into names given by line markers; UINT32_MAX: the file itself
    i64 shift;  // what to add to the physical line
} LineMark;

typedef struct {      // a comment that begins with `racerx:`
    const char *text; // after that word
    u32 length;
    u32 offset;
    u32 line;   // where it begins
    u32 next;   // line of the token after it; 0: none
    bool alone; // no token ends on its line before it
} LexedRemark;
typedef Array(LexedRemark) RemarkArray;

typedef struct {
    TokenArray tokens;
    DirectiveArray directives;
    RemarkArray remarks;
    Array(LineMark) marks; // of # 12 "f.c" lines
    Array(char *) mark_files;
    const char *trouble; // unterminated comment or string: said once per file
} Lexed;

void lex(Lexed *self, NameTable *names, const char *text, size_t size, Arena *arena);
// Tokens of one directive's text or macro body, appended to `out`.
void lex_line(TokenArray *out, NameTable *names, const char *text, u32 length, u32 line);
// Only what harvesting needs: the directives of a header.
void lex_directives(DirectiveArray *out, const char *text, size_t size);
// Names followed by ( with how often, for picking presets.
typedef struct {
    Intern intern;
    U32Array counts; // by id
} NameCounts;
void lex_count_calls(NameCounts *self, const char *text, size_t size);
// Hashes of names that look like a macro's and are declared as something else: functions, enumerators, members.
void lex_declared(U32Array *out, const char *text, size_t size);
bool spelled_like_macro(const char *text, u32 length);

// harvest.c -------------------------------------------------------------------
typedef struct {
    const char *name;
    const char *text; // right after the name: "(a, b) body" or " body"
    u32 name_length;
    u32 length; // of text
    u32 hash;   // of the name
    u32 file;   // index into the scan's files
    u32 line;
    u32 next;         // the next macro of the same name, in file order; UINT32_MAX: none
    u8 function_like; // ( follows the name at once
    u8 active;        // in a chosen arm
} Macro;
typedef Array(Macro) MacroArray;

typedef struct {
    const char *spec; // between the quotes or angles
    u32 length;
    u32 line;
    u32 fixed;    // the only file it can mean, or NO_FILE
    u32 spelling; // SpellingId: same spelling, same candidates
    u8 quoted;
    u8 active; // in a chosen arm
} Include;
#define NO_FILE UINT32_MAX

typedef struct {
    char *text; // kept for the macros' sake; NULL for sources that nobody includes
    size_t size;
    u32 include, include_count; // in Harvest.includes
    u32 macro, macro_count;     // in Harvest.macros
    u32 directory;              // DirectoryId
    DirectiveArray directives;  // until macros are chosen
    U32Array declared;          // of a header, until they are indexed: see lex_declared()
} HarvestedFile;

typedef struct {
    Scan *scan;
    HarvestedFile *files; // by index of scan->files
    Array(Include) includes;
    MacroArray macros;
    u32 *slots; // hash -> first macro + 1
    u32 slot_count;
    u64 *filter;                // one bit per hash: most names are no macros
    u32 filter_mask;            // the bits of a hash that it looks at
    Intern spellings;           // of includes
    Array(U32Array) candidates; // by SpellingId: files whose path ends in it
    Intern paths;               // shown paths; id - 1 is the file
    Intern fulls;               // opened paths, likewise
    Map basenames;              // hash of the last component -> first file + 1
    u32 *next_basename;         // chain of files with the same hash; file + 1
    Intern directories;
    U32Array directory_size; // files at or below each directory
    Bitset open;             // headers that somebody includes with <>
    u64 *declared;           // hash << 32 | header that declares such a name, which is a macro elsewhere; sorted
    u32 declared_count;
    Map polarity;     // hash of a name in conditionals -> how often it is asked for << 16 | how often for its absence
    NameCounts calls; // how often sources call a name
    NameCounts header_calls; // how often headers do, or stand for it by a macro's name
    double seconds;
} Harvest;

// The options that reach into preprocessing.
typedef struct {
    const char *const *defines;
    u32 define_count;
    const char *const *undefines;
    u32 undefine_count;
} DefineOptions;

typedef struct Worker Worker;
void harvest_scan(Harvest *self, Scan *scan, u32 jobs);         // pass 1a: directives, includes, macros, calls
void harvest_index(Harvest *self);                              // includes to files, macros by name
void harvest_choose(Harvest *self, Worker **workers, u32 jobs); // pass 1b: which macros are in chosen arms
void harvest_free(Harvest *self);
u32 names_count(const NameCounts *self, const char *name, u32 length);     // 0: never
bool harvest_declares(const Harvest *self, u32 hash, const Bitset *files); // does one of the files?
// polarity.c: requires directives of the file. fills: Harvest.polarity
void polarity_count(Harvest *self, const DirectiveArray *all);
void polarity_comments(Harvest *self);                 // requires all files' directives and text
bool harvest_is_absent(const Harvest *self, u32 hash); // is the name asked for nearly always to be absent?
// alternatives.c: requires directives and text of headers. fills: Harvest.polarity of names whose arm is not the one
void alternatives_choose(Harvest *self, const Declarations *declarations);
u32 harvest_find(const Harvest *self, u32 hash); // first macro whose name has this hash, or NO_MACRO
// Files whose path ends in the include's spelling, in file order.
void harvest_candidates(const Harvest *self, const char *spec, u32 length, U32Array *out);
// The file a quoted include names relative to the one including it, or NO_FILE.
u32 harvest_beside(const Harvest *self, u32 from, const char *spec, u32 length);
bool include_read(const Directive *directive, Include *out);
bool define_read(const Directive *directive, Macro *out);

// unit.c ----------------------------------------------------------------------
// A worker: one thread's scratch memory and name table, reused from file to file.
// Per-name state of the current unit; valid when stamp matches.
typedef struct {
    u32 stamp;
    u32 macro;    // what it means here: index into harvest macros, LOCAL_MACRO + local, or NO_MACRO
    u8 resolved;  // macro is filled
    u8 state;     // NAME_DEFINED, NAME_UNDEFINED by this file or the user, or 0
    u8 bound;     // value is what an #if comparison settled
    u16 disabled; // feeds that expand it now
    i64 value;
} UnitName;

enum { NAME_DEFINED = 1, NAME_UNDEFINED = 2 };
#define NO_MACRO UINT32_MAX
#define LOCAL_MACRO 0x80000000u

typedef struct {
    u32 first, count; // tokens in MacroTable.tokens
    u32 param_count;
    bool function_like, variadic;
    bool pastes; // has # or ##
    u8 iterator; // heads a loop: 1-based parameter that is its variable, or ITERATOR_PLAIN
    bool bad;    // the parameter list makes no sense
} MacroBody;
#define ITERATOR_PLAIN 255
u8 loop_head(const Token *tokens, u32 count); // loop_head.c: MacroBody.iterator of a replacement list

// How far the weighing of a macro has come: see weigh.c.
typedef struct {
    u32 name;
    u32 macro;                // the definition being read; NO_MACRO: all were
    u32 seen;                 // definitions so far
    u32 token;                // the next of the definition
    u32 order;                // its place among the members
    u32 low;                  // the lowest member that it leads back to
    u32 size;                 // of the definition so far
    u32 best;                 // of the largest definition
    u32 bits;                 // INFO_… of them all
    u32 braces, parens, loop; // open here, and the brace that a loop or switch opened; 0: none
    bool loop_next;           // the next { opens one
} Weighing;
typedef struct {
    u32 name;
    u32 info;
} Weighed;
enum { WEIGHING = 1, WEIGHED = 2 };

// Tokens waiting to be read: an expansion, with the macro that must not recur in it.
typedef struct {
    const Token *tokens;
    u32 at, count;
    u32 name; // disabled until this is used up; 0: none
} Feed;

struct Worker {
    const Harvest *harvest;
    const Declarations *declarations; // NULL while macros are chosen
    const DefineOptions *defines;
    bool choosing; // pass 1b: which macros are active is not known yet
    NameTable names;
    Array(UnitName) unit_names; // by name id
    U32Array used;              // name ids looked up in this unit
    u32 stamp;                  // of the current unit
    // the unit
    u32 file;                      // index into the scan
    const CompileCommand *command; // or NULL
    bool preprocessed;             // .i: nothing is expanded
    bool closure_ready;
    bool declared_ready;
    bool alternative; // this is an arm that was not chosen
    Lexed lexed;
    Arena arena;      // texts that live as long as the unit
    Bitset closure;   // headers that this file includes, directly or not
    U32Array pending; // closure work list
    U32Array reached; // what closure has, to clear it
    const char *text; // of the file being turned into a tree
    size_t size;
    U32Array declared;           // sorted hashes: see lex_declared()
    MacroArray locals;           // macros this file defines itself
    Array(Include) own_includes; // of a source: headers' are in the harvest
    // macro bodies
    TokenArray body_tokens; // for good
    Array(MacroBody) bodies;
    Map body_of;                   // harvest macro -> body + 1
    TokenArray local_tokens;       // bodies of this unit's own macros
    Array(MacroBody) local_bodies; // by local macro
    Map choices;                   // (viewpoint, spelling) -> file + 1
    U32Array candidates;           // scratch
    Array(Weighing) weighings;     // macros being weighed, innermost last
    Array(Weighed) members;        // those whose circle is not closed yet
    // expansion
    TokenArray active; // tokens of the chosen arms
    TokenArray expanded;
    Array(Feed) feeds; // tokens waiting, innermost last
    u64 macros_expanded, limits;
    i64 allowance;     // tokens that any unit may produce by expansion, whatever its size
    i64 budget;        // tokens this unit may still produce
    u32 depth;         // of nested expansions
    i64 braces;        // open in what has been expanded: 0 is file scope
    u32 counter;       // __COUNTER__
    i32 lock_parens;   // inside the arguments of a lock function
    bool lock_chooses; // of which it is said that a constant among them chooses what it does
    TokenArray stated; // what attributes of the function's header state: its body begins with it
    const char *limit; // what was cut short in this unit, or NULL
    bool force;        // second try: no macro is kept as a call for its size
    // parsing
    TSParser *parser;
    Lowering *lowering;
    Tree tree;
    struct Parsing *parsing; // scratch of parse.c
    u32 out_body;            // index of the body's { in what normalise() wrote
    u64 body_bytes;          // of function bodies in this unit
    const char *lost_why;    // the first thing lost in this unit
};
Worker *worker_new(const Harvest *harvest, const DefineOptions *defines);
void worker_free(Worker *self);
void unit_begin(Worker *self, u32 file);
// The macro a name means in this unit: in the file so far, in what it includes, in the tree.
u32 unit_macro(Worker *self, u32 name);
u32 unit_macro_of(Worker *self, u32 name, u32 macro, u32 arguments); // the same with that many arguments
bool unit_includes(Worker *self, u32 file);                          // directly or not
const Macro *worker_macro(const Worker *self, u32 macro);
const MacroBody *worker_body(Worker *self, u32 macro, const Token **tokens); // valid until the next call
UnitName *unit_name(Worker *self, u32 name);
u32 name_said(Worker *self, u32 name);
void unit_define(Worker *self, const Directive *directive);
void unit_undefine(Worker *self, const Directive *directive);
// The key of everything outside the file that shaped its tree; `hashes` sorted.
Key unit_environment(Worker *self, const u32 *hashes, u32 count);
void unit_closure(Worker *self); // fills closure, when it is not there yet
void unit_define_text(Worker *self, const char *name, u32 length, const char *text, u32 text_length,
                      bool function_like);

// choose.c --------------------------------------------------------------------
typedef struct {
    i64 value;
    bool known;
    bool natural; // unsigned
    u32 name;     // the single undecided name it is, or 0: for comparisons that settle it
} ConditionValue;
ConditionValue condition_value(Worker *self, const Token *tokens, u32 count);
bool name_is_on(Worker *self, u32 name);

// Nested conditionals while walking the directives in order.
typedef struct {
    bool parent; // what is around it is live
    bool taken;  // some arm was chosen
    bool live;   // this arm is
    bool never;  // this arm is dead code (#if 0), not a variant
    bool yes;    // the first arm holds when `name` is on, else when it is off
    u32 name;    // the only thing the first arm asks, or 0
} Condition;
typedef Array(Condition) ConditionStack;
// Takes directive `at` of `all` into account; true when what follows is live.
bool condition_step(Worker *self, ConditionStack *stack, const Directive *all, u32 count, u32 at);

// requires: worker->lexed. fills: worker->active with the tokens of [first, first + count) in
// chosen arms, applying #define and #undef on the way into `expanded`; and `dropped`, when not
// NULL: arms that were not chosen and stand at file scope.
typedef struct {
    u32 first, count; // in worker->lexed.tokens
    u32 name;         // the arm stands for this name being on or off; 0: for something else
    bool on;
} TokenRange;
typedef Array(TokenRange) RangeArray;
void choose(Worker *self, u32 first, u32 count, TokenArray *out, RangeArray *dropped);

// weigh.c ---------------------------------------------------------------------
enum {
    INFO_SIZE = 0xffff,   // tokens of the whole expansion, about
    INFO_LOCK = 1 << 16,  // mentions a name of the lock table
    INFO_JUMP = 1 << 17,  // return, goto
    INFO_WRITE = 1 << 20, // writes to members of what it is given
    INFO_BREAK = 1 << 19, // break, continue, case, with nothing in the macro that they belong to
    INFO_LOOSE = 1 << 18, // brackets that do not match, or text that is no expression or statement
};
u32 macro_info(Worker *self, u32 name);

// expand.c --------------------------------------------------------------------
// Appends to `out` the tokens after macro expansion. Conditionals inside `in` have been chosen.
void expand(Worker *self, const Token *in, u32 count, TokenArray *out);
void limit_hit(Worker *self, const char *what); // said once per file

// split.c ---------------------------------------------------------------------
typedef struct {
    u32 first, count; // tokens, in the array given to split()
    u32 body;         // of a function: the { of its body; else NO_TOKEN
    u32 name;         // of a function or call: its name; else NO_TOKEN
    u32 params;       // the ( after it
    u8 kind;          // ItemKind
    bool old_style;   // K&R parameters
    bool unclosed;    // braces did not match: ended by guess
} Span;
#define NO_TOKEN UINT32_MAX
typedef Array(Span) SpanArray;
// fills: spans, and for every opening bracket the index of its partner (NO_TOKEN: none).
void split(const Token *tokens, u32 count, U32Array *partners, SpanArray *out);
bool is_type_keyword(u8 code); // may start a type or a declaration

// normalise.c -----------------------------------------------------------------
// One token of the text for the grammar.
typedef struct {
    const char *text;
    u32 length;
    u32 offset; // in the source: for counting lost bytes
    u32 line, column;
    u8 kind, code; // as in Token
} OutToken;
typedef Array(OutToken) OutTokens;
void normalise(Worker *self, const Token *tokens, const u32 *partners, const Span *span, OutTokens *out);
// The name of the function a span defines.
const char *span_name(Worker *self, const Token *tokens, const u32 *partners, const Span *span, bool *from_macro);

// pool.c ----------------------------------------------------------------------
// The parser's memory.
typedef struct Pool Pool;
void pool_install(void); // before the first parser is made
Pool *pool_new(void);
void pool_use(Pool *self); // by this thread, from here on; NULL: none
void pool_free(Pool *self);

// watch.c ---------------------------------------------------------------------
// A parser of C whose parses end early: NULL when more than `allowed` tokens were read in error recovery.
TSParser *watched_parser(void);
TSTree *watched_parse(TSParser *parser, const char *text, u32 size, u32 allowed);

// parse.c ---------------------------------------------------------------------
// Parses one item, mends what the grammar cannot read, lowers it into worker->tree.
void parse_item(Worker *self, const OutTokens *tokens, u8 kind, const char *name, u32 flags, const char *file);
void parsing_begin(Worker *self);
void parsing_free(Worker *self);
const TSLanguage *tree_sitter_c(void);

// extract.c -------------------------------------------------------------------
// requires: unit_begin(). fills: worker->tree with everything the text says.
void unit_trees(Worker *worker, const char *text, size_t size);

#endif
