// discover.h: what the text of a tree says about functions nobody described: who is called with what, in which
// order, on which paths. The boundary between the lexical pass (extract/discover*.c) and those who propose
// declarations from it (racerx/init/propose.c). docs/init.md has the idea and the invariants.
//
// Nothing is expanded and nothing is parsed by a grammar: macros are seen as they are written, which is the point.
// Names are ids in order of their spelling, so that no order of files or threads shows.
#ifndef EXTRACT_DISCOVER_H
#define EXTRACT_DISCOVER_H

#include "extract/store.h"

typedef enum {
    TEXT_CALL,
    TEXT_IF,        // args[0]: where its else arm starts (or its end); args[1]: its end
    TEXT_LOOP,      // args[0]: its end
    TEXT_SWITCH,    // args[0]: its end
    TEXT_CASE,      // a label of the switch around it; FLAG_DEFAULT
    TEXT_RETURN,    // leaves the function
    TEXT_GOTO,      // to the label `name`
    TEXT_LABEL,     // the label `name`
    TEXT_BREAK,     // leaves the loop or switch around it
    TEXT_CONTINUE,  // leaves this turn of the loop around it
    TEXT_CONDITION, // belongs to the IF or LOOP after it: args[0]: the call it asks about; FLAG_ZERO: true when that
                    // gave 0
} TextStepKind;

enum {
    FLAG_TESTED = 1,   // of a call: a condition asks for its result
    FLAG_ASSIGNED = 2, // its result is kept
    FLAG_ENDS = 4,     // nothing follows it in its block
    FLAG_RETURNED = 8, // its result is returned
    FLAG_ZERO = 16,    // of a condition, see above
    FLAG_DEFAULT = 32, // of a case
    FLAG_ENDLESS = 64, // of a loop: no condition ends it
    FLAG_NULL = 128,   // of a call: its result is tested for being zero, and that arm leaves
};

#define TEXT_ARGS 4
typedef struct {
    u32 name;            // what is called; the label
    u32 args[TEXT_ARGS]; // hashes of the arguments' text, 0: none; of control steps: see TextStepKind
    u32 tails[3];        // last names in the first arguments (`lock` of &device->lock), 0: none
    u32 result;          // hash of what the result is assigned to, 0: nothing
    u32 line;            // in the file
    u8 kind;             // TextStepKind
    u8 arg_count;
    u8 flags;     // FLAG_…
    u8 scalars;   // bit i: argument i + 1 is a local variable that is no pointer
    u8 constants; // bit i: argument i + 1 is a number or a name without small letters
    u8 addresses; // bit i: argument i + 1 begins with & or goes through a pointer
    u8 strings;   // bit i: argument i + 1 begins with a string
} TextStep;

enum {
    BODY_MACRO = 1,   // of a macro
    BODY_STATIC = 2,  // static
    BODY_POINTER = 4, // its first parameter is a void pointer
};
typedef struct {
    u32 name;              // of the function or macro; 0: not understood
    u32 file;              // index into Discovery.paths
    u32 line;              // of its name
    u32 first;             // step
    u32 count;             // steps
    u32 params[TEXT_ARGS]; // hashes of the parameters' names
    u8 param_count;
    u8 flags; // BODY_…
} TextBody;

// A function handed to another by name.
typedef struct {
    u32 body;    // where
    u32 step;    // the call
    u32 handler; // the name
    u8 argument; // 1-based
} HandedName;

// A function in the initialiser of a variable at file scope.
typedef struct {
    u32 type;     // name of its struct, 0: none is named
    u32 variable; // its name
    u32 member;   // what `.member =` said, or 0
    u32 handler;
    bool array;
} Stored;

// A variable or member declared with a type that is a single name.
typedef struct {
    u32 type; // its name
    u32 name;
    u32 count;   // how often
    bool tagged; // struct or union TYPE
} Typed;

typedef struct {
    u32 calls;     // steps that call it, in bodies
    u32 uses;      // of it in bodies as a variable or member
    u32 handed_on; // of these, as the last name of a whole argument
    u32 functions; // bodies of functions with this name
    u32 macros;    // bodies of macros with this name
    u32 hollow;    // macros of this name that do nothing at all
    u32 body;      // one of them, the first in the order of files; NO_BODY
    bool noreturn; // declared with a word that says so
} NameFacts;
#define NO_BODY UINT32_MAX

typedef struct Discovery {
    Intern names;          // ids in order of spelling; 0 is no name
    NameFacts *facts;      // by id
    Array(TextStep) steps; // of all bodies, in the order of files
    Array(TextBody) bodies;
    Array(HandedName) handed;
    Array(Stored) stored;
    Array(Typed) typed; // sorted by type and name
    PathArray paths;    // shown paths of the files
    u64 bytes;          // of text read
    u32 unread;         // files that could not be read
    u32 deep;           // bodies nested too deeply: cut short there
    u32 cut;            // bodies with too many calls of locks: the first of them are looked at
} Discovery;

// Words of the analysed systems' authors, in small letters.
typedef struct {
    const char *const *noreturn; // parts of names of attributes
    const char *const *likely;   // names of macros whose value is their argument's
    const char *const *zero;     // last words of constants that are 0
} DiscoverWords;

// discover.c --------------------------------------------------------------------
// requires: a store with files. fills: everything above.
void discover(Discovery *self, Store *store, const DiscoverWords *words, u32 jobs);
void discovery_free(Discovery *self);
u32 discovery_name(const Discovery *self, const char *text); // 0: nobody says it
static inline const char *discovery_text(const Discovery *self, u32 name) { return intern_text(&self->names, name); }

// discover_paths.c ----------------------------------------------------------------
typedef enum { CONVENTION_ALWAYS, CONVENTION_NONZERO, CONVENTION_ZERO, CONVENTION_COUNT } Convention;
// A function that may take something, and one that may let it go.
typedef struct {
    u32 acquire, release;
    u32 family; // a name: what any release of a family lets go, any acquire of it took; 0: the release's
    // filled by discover_pairs():
    u32 meet;         // functions that call both
    u32 both;         // of these: on the same object
    u32 balanced;     // of `both`: on every path, first one and then the other
    u32 mixed;        // of `both`: some exits may be left in either state, as where the same condition is asked twice
    u32 inverted;     // of `both`: on every path first the release, then the acquire
    u32 acquire_only; // functions with it on an object that nothing of its family lets go there
    u32 release_only; // functions that let go an object that nothing of its family takes there
    u32 same[TEXT_ARGS];        // functions with both where argument i + 1 has the same text in both
    u32 constant[TEXT_ARGS];    // of `same`: and it is a constant
    u32 result[TEXT_ARGS];      // functions where argument i + 1 of the release is what the acquire returned
    u32 decided;                // of `both`: a branch asks for what the acquire returned
    u32 good[CONVENTION_COUNT]; // of `decided`: balanced when it takes the lock only with this result
    u8 argument;                // the object, 1-based; 0: it has none
} Pair;
typedef Array(Pair) PairArray;
int pair_compare(const void *left, const void *right); // of two Pairs: by family, release, acquire
// requires: acquire, release and family of each; a release has one family. fills: the rest; sorts by family, release,
// acquire.
void discover_pairs(const Discovery *self, PairArray *pairs, u32 jobs);

// What a function does that takes or lets go without doing both: by body, a pair's index; NO_BODY: neither.
// requires: discover_pairs().
typedef struct {
    u32 *acquires; // by body; malloc'd
    u32 *releases;
    u8 *passes; // whether it hands its own parameter on, at the same place (or there is none)
} Wrappers;
void discover_wrappers(Discovery *self, const PairArray *pairs, Wrappers *out);

// discover_objects.c ----------------------------------------------------------------
// What else is done with the objects of locks. requires: discover_pairs().
typedef struct {
    u32 name;     // a function that is none of theirs
    u32 argument; // 1-based
    u32 release;  // of the lock whose object this argument is
    u32 beside;   // calls of it inside functions that take or let go that same object
    u32 by_name;  // calls of it with an object whose last name is such a lock's, nearly always
} Companion;
typedef Array(Companion) CompanionArray;
void discover_companions(const Discovery *self, const PairArray *pairs, CompanionArray *out); // sorted

// Names that are the last of objects given to one of these functions.
typedef struct {
    u32 function; // whose
    u32 tail;     // last name
    u32 count;    // calls
    u8 argument;  // 1-based, at most 3
} Tail;
typedef Array(Tail) TailArray;
// requires: function and argument of each of `asked`. Sorted by function, argument, count from most, tail.
void discover_tails(const Discovery *self, const TailArray *asked, TailArray *out);

// Pairs by behaviour alone: the next call on the same object is nearly always the other one's.
typedef struct {
    u32 first, second;
    u32 next;   // calls of `first` with an object whose next call with it is `second`
    u32 alone;  // calls of `first` with an object that no call of `second` with it follows
    u32 orphan; // calls of `second` with an object that no call of `first` with it comes before
} Neighbours;
typedef Array(Neighbours) NeighboursArray;
void discover_neighbours(const Discovery *self, u32 least, NeighboursArray *out); // sorted

#endif
