// table.h: inside annotators/, the table that scripts fill (script.c), that keeps facts apart by
// who said them (table.c) and answers questions when it is finished (declare.c).
#ifndef ANNOTATORS_TABLE_H
#define ANNOTATORS_TABLE_H

#include "annotators/declare.h"
#include "annotators/host.h"

// How the name itself is read. One script says at most one of the roles of a name.
#define SAID_ROLES                                                                                                     \
    (SAID_ITERATOR | SAID_ATTRIBUTE | SAID_LIKELY | SAID_CONTAINER | SAID_CONDITION | SAID_DEFINITION |                \
     SAID_UNDEFINED | SAID_DEFINED | SAID_MACRO | SAID_CONSTANT)
#define SAID_READING (SAID_ROLES | SAID_LOCK | SAID_KEEP | SAID_GUARD)
// What calls of it do: each kind is decided apart, and a call that does any of it is kept.
#define SAID_CALLS                                                                                                     \
    (SAID_NORETURN | SAID_BLOCKS | SAID_ALLOCATES | SAID_REGISTERS | SAID_ATOMIC | SAID_ACCESSOR | SAID_PERCPU |       \
     SAID_FREES | SAID_JOINS | SAID_ASSERTS | SAID_ACCESSES | SAID_OPAQUE | SAID_SIGNALS | SAID_AWAITS | SAID_MEETS |  \
     SAID_QUEUES | SAID_ORDERED | SAID_WAKES)

// A name or a pattern as one script has it, with all that the script says of it.
typedef struct {
    const char *text;
    u32 length;
    u32 layer;                 // the script: index into Declarations.layers
    Pattern *pattern;          // NULL for a name
    bool forgotten;            // forget{…}: nothing below this counts
    Declared declared;         // the readings
    Origin read_at;            // where the first of them was said
    u32 calls;                 // SAID_CALLS bits of facts
    Array(LockEffect) effects; // in the order they were said
    Array(CallFact) facts;     // likewise
} Source;

// A script that was run.
typedef struct {
    const char *name; // as errors have it
    u32 rank;         // higher overrules lower; the user's scripts above all presets
    bool user;        // no preset
} Layer;

// world{…}: how a preset is picked.
typedef struct {
    bool said;           // the script has one
    bool always;         // picked without looking
    PathArray detect;    // names that give it away; malloc'd
    u32 least;           // how many of them must occur
    const char *headers; // separated by blanks: a source that includes one of them gives it away, too; or NULL
    const char *hides;   // other worlds, separated by blanks, that have names of this one with another meaning; or NULL
    const char *unless;  // where one of these worlds is called, too, this one is not picked; or NULL
    const char *beside;  // worlds that programs mix with it: it does not put them in the shade; or NULL
    u32 seen;            // how many do
    u64 calls;           // how often in all
} World;

// All that is said of one name by anybody.
typedef struct {
    Declared declared;
    const Source **sources; // those that apply, most decisive first
    u32 source_count;
} Exact;

// The patterns that can match a name with a certain first letter.
typedef struct {
    Pattern *all;           // in one; NULL when that would be too large
    const Source **sources; // most decisive first
    u32 count;
} Sieve;

typedef struct {
    const char *key; // "struct timer.function", or "struct operations." for all members
    u32 layer;
    CallFact fact;
} FieldFact;

typedef struct {
    char *name; // "linux"
    char *text; // malloc'd unless built in
    u32 length;
    bool builtin;
    bool loaded; // or being loaded
    World world;
} Preset;

struct Declarations {
    Arena arena; // the table's lifetime is the run
    Array(Preset) presets;
    Array(const char *) in_force; // presets loaded, in order
    Array(Layer) layers;
    Array(LaterScript) later; // sorted by rank
    Array(Source *) sources;
    Intern source_ids; // layer, kind and text of a source -> index into sources, plus 1
    Array(FieldFact) fields;
    Intern field_ids; // key of fields -> index into fields, plus 1
    // filled by table_finish:
    Intern names;                   // exact names
    Array(Exact) exact;             // by their ids
    Array(const Source *) patterns; // most decisive first
    Sieve sieves[128];              // by the first letter
    Key key;
};

// A name or pattern in a script.
typedef struct {
    const char *text; // in the table's arena, or static
    u32 length;
    bool pattern;
} Subject;
typedef Array(Subject) SubjectArray;

// One script being run.
typedef struct {
    Declarations *table;
    u32 layer;
    bool probing;          // only world{…} is wanted; it must come first
    World *world;          // filled by world{…}
    SubjectArray subjects; // the names in the declaration being read
    u32 later;             // LATER_…: what it said for later stages
} Loader;

// table.c ---------------------------------------------------------------------
// They return NULL, or why not: text for an error message, in the table's arena.
const char *table_source(Declarations *self, u32 layer, Subject subject, Source **source);
const char *table_say(Declarations *self, Source *source, Declared declared, Origin origin);
const char *table_effect(Declarations *self, Source *source, const LockEffect *effect);
const char *table_fact(Declarations *self, Source *source, const CallFact *fact);
const char *table_field(Declarations *self, u32 layer, const char *key, const CallFact *fact);
void table_finish(Declarations *self); // requires: all scripts ran. fills: what lookups need
const char *table_lacks_release(const Declarations *self, Origin *origin); // a lock nothing releases
u32 table_matching(const Declarations *self, const char *name, u32 length, const Source **out);
Declared table_resolve(const Source *const *sources, u32 count);
#define MOST_PATTERNS 2000 // of all scripts together
#define MOST_FACTS 64      // and effects, of one script about one name

// script.c --------------------------------------------------------------------
// Gives the script's host the declarations; they fill loader->table.
void script_open(Host *host, Loader *loader);
// declare.c, for preset "name": NULL, or the names there are when it is none of them.
const char *declarations_load_preset(Declarations *self, const char *name);

#endif
