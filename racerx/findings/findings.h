// findings.h: the boundary between racerx/ and the stages after it: what was found, as rows.
// The checks fill a FindingList, rank/ sets scores and reasons, reports/ formats; in between
// it is kept in the database (racerx/findings/findings.sql).
//
// A list owns everything it points to: text given to it is copied into its arena. Text is bytes
// without NUL and is never NULL; names and paths come from the analysed tree and may be hostile.
#ifndef RACERX_FINDINGS_H
#define RACERX_FINDINGS_H

#include "base/base.h"

struct Store;

#define FINDINGS_VERSION 1    // of the JSON lines
#define FINGERPRINT_VERSION 2 // of ids: another one whenever finding_fingerprint() makes others
#define FINDINGS_TABLES 8     // of the tables

typedef enum {
#define KIND(name, word, shape, text) KIND_##name,
#include "racerx/findings/kinds.def"
#undef KIND
    KIND_COUNT,
} FindingKind;
enum {                 // the shape of a kind
    SHAPE_SIDES = 1,   // sides that use one object: the first two are the story, the others further places
    SHAPE_CIRCLE = 2,  // every site takes a lock of the circle, which may be told from any of them
    SHAPE_HELD = 4,    // something happens with a lock held; where it was taken is the other place
    SHAPE_PICTURE = 8, // locks and who holds them can be drawn
    SHAPE_OBJECT = 16, // findings of one object are siblings
};

typedef enum {
#define ROLE(name, word, verb) ROLE_##name,
#include "racerx/findings/roles.def"
#undef ROLE
    ROLE_COUNT,
} SiteRole;

typedef enum {
    VERDICT_NONE, // nobody said anything yet
#define VERDICT(name, word, text) VERDICT_##name,
#include "racerx/findings/verdicts.def"
#undef VERDICT
    VERDICT_COUNT,
} Verdict;

typedef enum {
    OUTCOME_NONE, // it was never tried
#define OUTCOME(name, word, text) OUTCOME_##name,
#include "racerx/findings/outcomes.def"
#undef OUTCOME
    OUTCOME_COUNT,
} RunOutcome;

// Arrays that grow in the list's arena: read them like an Array(T), grow them by the functions below.
#define Rows(T)                                                                                                        \
    struct {                                                                                                           \
        T *items;                                                                                                      \
        u32 count, capacity;                                                                                           \
    }

typedef struct {
    const char *name; // of the lock, as users read it
    const char *file; // where this thread took it; "": not known
    u32 line;         // likewise; 0: not known
} HeldLock;

typedef struct {
    const char *function; // root first, the site's own function last
    const char *file;     // where it calls the next one; of the last "", the site says it
    u32 line;             // likewise
} ChainLink;

typedef struct {
    SiteRole role;
    u32 side;             // which party it belongs to (0: A, 1: B …); sites of one side stand together
    const char *file;     // path as shown
    u32 line, column;     // from 1; 0: not known
    const char *function; // that contains it
    const char *object;   // what is taken, let go, waited for, called or accessed here; "": nothing to name
    const char *note;     // said after it in reports; "": nothing
    u32 conditionals;     // branches passed between the root and here
    Rows(HeldLock) lockset;
    Rows(ChainLink) callchain;
} Site;

typedef struct {
    double points;
    const char *text;
} Reason;

typedef struct {
    const char *name;
    const char *text; // NULL: the number counts
    double number;
} Feature;

// What a run under steering showed: `racerx confirm` makes them (racerx/confirm/), witness_lines.c keeps them.
typedef struct {
    const char *function; // "": not known
    const char *file;     // likewise
    u32 line;             // likewise 0
} WitnessFrame;
typedef struct {
    const char *name;  // of the variable, or its address
    WitnessFrame from; // where this thread took it
} WitnessLock;
typedef struct {
    u32 thread;               // in the order of creation, from 1
    const char *name;         // of the thread
    const char *start;        // the function it runs; "": not known
    const char *does;         // "writes", "reads", "waits for" …
    const char *object;       // what; a variable's name, or an address
    Rows(WitnessFrame) stack; // the innermost first
    Rows(WitnessLock) locks;  // held, the oldest first
} WitnessSide;
typedef struct {
    const char *file; // of a site of the finding
    u32 line;         // likewise
    u64 ran;          // times
} WitnessLine;
typedef struct {
    RunOutcome outcome;
    const char *note;           // one sentence
    const char *before, *after; // the value there, when the two met and a moment later; "": not known
    u64 seed;                   // of the run that showed it; `--seed` repeats it
    u32 runs;                   // until then
    const char *command;        // that was run
    i64 time;                   // seconds since 1970
    Rows(WitnessSide) sides;    // none: it was not witnessed
    Rows(WitnessLine) lines;    // how often its lines ran
} RunWitness;

typedef struct Finding {
    FindingKind kind;
    char id[20];          // the fingerprint; "" until findings_sort()
    double score;         // the ranking's; finite once sorted
    double share;         // the ranking's: of findings like it, as many are true, 0 to 1; below 0: it does not say
    bool below_line;      // the ranking's: shown only when everything is wanted
    const char *group;    // findings of one cause have the same, one entry for people: relate(); "": it is alone
    u32 rank;             // of its entry, from 1: a group counts once, at its best; filled by findings_order()
    bool is_sibling;      // a better one of its group is in the list; likewise
    const char *message;  // one sentence
    const char *object;   // what is raced on, or the lock taken second
    const char *lock;     // believed to protect, or held first; "": none
    const char *file;     // of the first site
    u32 line;             // likewise
    const char *function; // likewise
    Verdict verdict;      // a reviewer's, of the database: verdicts_load()
    const char *note;     // the reviewer's; "": none
    const char *reviewer; // who judged it last; "": not known
    i64 judged;           // when, in seconds since 1970
    const char
        *suppressed; // where and why it was silenced (a comment in the source, a suppression file); "": it was not
    const RunWitness *witness; // the best that runs showed: witnesses_load(); NULL: none
    bool left_out;             // of this report, by its filters; never saved
    u32 row;                   // of a loaded one: its rank in the database; 0: it is not from there
    Rows(const char *) objects;
    Rows(Site) sites;       // the accesses or operations of the finding itself
    Rows(Site) evidence;    // examples of what is usually done
    Rows(Feature) features; // in the order they were added; each name once
    Rows(Reason) reasons;   // why it has its score
} Finding;

// A semaphore's behaviour, in places of the text, and what follows from it.
typedef struct {
    const char *name;
    u32 downs, paired, spurious; // places that take it; that let it go held; that let it go not held
    double z;                    // how improbable that is for a lock: the lower of its two
    bool scheduling;             // it signals: no lock
} SemaphoreRow;
// What they are compared with.
typedef struct {
    u32 downs;               // places that take a spin lock; too few: the shares are not measured
    double paired, spurious; // pairs, and spurious ups, to downs
} SemaphoreBaseline;

// A line that accesses an object without the lock that guards it.
typedef struct {
    SiteRole role;
    const char *file;     // path as shown
    u32 line;             // from 1
    const char *function; // that contains it
} GuardException;
// What is believed of an object: which lock guards it, and how surely. Counted are places of the text.
typedef struct {
    const char *object, *lock;       // the lock that most of its places hold
    u32 with, without;               // S and F: places that hold it; that do not
    u32 same;                        // of `with`: places that hold it of the very object they access
    double z;                        // of S and F
    u32 with_any, without_any;       // places that hold some lock; that hold none
    double z_any;                    // of these
    u32 only, first, last;           // critical sections it is the only, the first, the last object of
    u32 lines;                       // lines without the lock
    Rows(GuardException) exceptions; // the first of them, by file and line
} GuardRow;

// Somewhere a lock is taken while another is held. There may be hundreds of thousands: names are places in
// FindingList.names.
typedef struct {
    u32 before, after;        // the lock that is held; the one that is taken
    u32 function, file, line; // where it is taken, in the best example
    u32 held_file, held_line; // where the other was taken; 0: not known
    u32 places;               // pairs of places that do so
    u32 gate;                 // another lock that the example holds around both; 0: none
    bool tried;               // the example took the one it holds by a try
} OrderRow;
// Something that silences findings: a comment in the source, or a line of a suppression file.
typedef struct {
    const char *file;    // where it stands, as shown
    u32 line;            // likewise
    const char *text;    // as it was written
    const char *trouble; // why it silences nothing; "": it is well formed
    u32 used;            // findings it silenced
} SuppressionRow;

// Something about the run that every report should say: what was read, with which tables, what was cut short.
// Nothing that differs between two runs on the same tree (no times, no memory).
typedef struct {
    const char *name;  // "files", "functions", "lock tables" … (racerx/cli/run.c fills them)
    const char *value; // as shown
} Fact;

typedef struct {
    const char *name; // of rank/default.lua
    double value;     // in force when the list was ranked
} SettingRow;

typedef struct FindingList {
    Arena arena;
    Map texts;                     // hash -> kept, + 1: a list says the same few names again and again
    Array(const char *) kept;      // texts in the arena
    Array(Finding *) items;        // an item stays where it is while others are added
    Rows(SemaphoreRow) semaphores; // sorted: the least lock-like first
    SemaphoreBaseline baseline;
    Rows(GuardRow) guards;             // sorted: the surest first
    Rows(Fact) facts;                  // in the order they are shown; each name once
    bool has_orders;                   // the next two are filled: by the analysis, not by findings_load()
    Rows(const char *) names;          // of the next one: the first is ""
    Rows(OrderRow) orders;             // sorted: by the locks' names
    Rows(SettingRow) settings;         // of the ranking; each name once
    Rows(SuppressionRow) suppressions; // files' first, then comments by file and line
} FindingList;

const char *kind_word(FindingKind kind);     // "double-lock"
const char *kind_text(FindingKind kind);     // what it is, in a few words
bool kind_has(FindingKind kind, u32 shapes); // any of these SHAPE_…
const char *role_word(SiteRole role);        // "unprotected-write"
const char *role_verb(SiteRole role);        // "writes"

const char *outcome_word(RunOutcome outcome); // "witnessed"; "" for OUTCOME_NONE
const char *outcome_text(RunOutcome outcome); // what it says, in a few words
const char *verdict_word(Verdict verdict);    // "confirmed"; "" for VERDICT_NONE
const char *verdict_text(Verdict verdict);    // what it says, in a few words
bool verdict_by_word(const char *word, Verdict *out);

// features.c: the rows of features.def.
bool feature_fits(const char *name,
                  FindingKind kind);          // is there such a feature, and may findings of this kind have it?
void findings_check(const FindingList *self); // dies where a finding breaks what is promised of one

// findings.c: filling a list ----------------------------------------------------
void findings_begin(FindingList *self); // empty; findings_free() ends it
void findings_free(FindingList *self);
void findings_forget_texts(FindingList *self); // its arena goes to another list
// Message, object and lock are set with findings_text(); file, line and function by the first site.
Finding *findings_add(FindingList *self, FindingKind kind);
const char *findings_text(FindingList *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_add_object(FindingList *self, Finding *finding, const char *name); // once each, in order
// The new site is a side of its own; a caller that means the same party as before sets `side` back. The
// pointer is good until the next site of this finding.
Site *finding_add_site(FindingList *self, Finding *finding, SiteRole role, const char *function, const char *file,
                       u32 line, u32 column);
Site *finding_add_evidence(FindingList *self, Finding *finding, SiteRole role, const char *function, const char *file,
                           u32 line, u32 column);
void site_add_lock(FindingList *self, Site *site, const char *name, const char *file, u32 line); // unknown: "", 0
void site_expect_calls(FindingList *self, Site *site, u32 count); // so many more will be added
void site_add_call(FindingList *self, Site *site, const char *function, const char *file, u32 line); // root first
// A feature that is there already is replaced.
void finding_add_number(FindingList *self, Finding *finding, const char *name, double number);
void finding_add_text(FindingList *self, Finding *finding, const char *name, const char *text);
void finding_add_reason(FindingList *self, Finding *finding, double points, const char *text);

void findings_add_semaphore(FindingList *self, const SemaphoreRow *row); // its name is copied
// Its names are copied, its exceptions are added after it. The pointer is good until the next guard.
GuardRow *findings_add_guard(FindingList *self, const GuardRow *row);
void guard_add_exception(FindingList *self, GuardRow *row, const GuardException *exception);

u32 findings_add_name(FindingList *self,
                      const char *name); // its place; not looked for: the caller knows whether it is new
void findings_add_order(FindingList *self, const OrderRow *row);

void findings_add_suppression(FindingList *self, const SuppressionRow *row);    // its texts are copied
void findings_add_fact(FindingList *self, const char *name, const char *value); // replaces one of that name
const char *findings_fact(const FindingList *self, const char *name);           // "" when there is none

void findings_add_setting(FindingList *self, const char *name, double value);         // replaces one of that name
double findings_setting(const FindingList *self, const char *name, double otherwise); // when there is none

// What the finding is, whatever lines it is on: its kind, what it is about (of a deadlock all its locks, in no order),
// and the function of the suspect (of a deadlock of every site), with its file's last name. Two findings may have the
// same.
Key finding_fingerprint(const Finding *finding);
// Fills the ids: fingerprints, and the directory or a number more where several have the same. Then sorts: what is
// below the line last; of each part first the entries (those that are alone, and the best of each group), then their
// siblings; score descending, kind, file, line, id. The order in which findings were added does not show.
void findings_sort(FindingList *self);
u32 findings_entries(const FindingList *self); // findings that are alone, and groups: the last rank
void findings_order(FindingList *self);        // only sorts and fills ranks: ids are there already, and stay

// siblings.c: requires: all findings of the analysis, with their sites. fills: Finding.group and the features that tell
// how many share something with it, and how near its places are to each other.
void relate(FindingList *self);

// store.c: keeping it ----------------------------------------------------
// Replaces what the database holds by this list, in its order, in one transaction; the lock order only if the list has
// it. No other thread may use the store meanwhile.
void findings_save(const FindingList *self, struct Store *store);
#define FINDINGS_META "derived-findings" // of meta: what they were made of, as `run` says; goes with every other saving
// Adds what was saved to an empty list; false when nothing ever was, or by another version.
bool findings_load(FindingList *self, struct Store *store);
// The same without sites, features, reasons, semaphores and guards: what a list of lines needs, in a tenth of the time.
bool findings_load_heads(FindingList *self, struct Store *store);
void findings_load_rest(FindingList *self, Finding *finding,
                        struct Store *store); // of one, while the store is the same
void findings_rows_in_file(struct Store *store, const char *file,
                           U32Array *out); // Finding.row of those with a site there
// Only guards, of which there may be many: those that are wanted. `filter` NULL: all.
typedef struct {
    bool (*wanted)(void *context, const char *object);
    void *context;
    u32 most; // exceptions are loaded for the first so many; 0: for all
} GuardFilter;
bool findings_load_guards(FindingList *self, struct Store *store, const GuardFilter *filter);
bool findings_guard_is_named(struct Store *store, const char *object); // is there one of exactly this object?
bool findings_load_semaphores(FindingList *self, struct Store *store); // only these, and their baseline

// verdict_lines.c: verdicts as JSON lines, beside the database and elsewhere -------------
#define VERDICTS_SUFFIX ".verdicts.jsonl" // in place of .db
typedef struct {
    const char *id;                                     // of the finding; "": it is only described
    Verdict verdict;                                    // VERDICT_NONE: taken back
    const char *note, *reviewer;                        // why; who
    const char *kind, *object, *lock, *file, *function; // what the finding was about
    u32 line;                                           // likewise; 0: not known
    u32 fingerprint;                                    // FINGERPRINT_VERSION of the id; 0: not known
    i64 time;                                           // seconds since 1970
} VerdictLine;
typedef Array(VerdictLine) VerdictLineArray;
char *beside_path(struct Store *store,
                  const char *suffix);    // of a file beside the database; malloc'd; NULL: it is in no file
char *verdicts_path(struct Store *store); // likewise
bool verdict_lines_read(const char *path, FindingList *texts, VerdictLineArray *out); // false: there is no such file
void verdict_line_put(Buffer *out, const VerdictLine *line);
VerdictLine verdict_line_of(const Finding *finding, Verdict verdict, const char *note, const char *reviewer, i64 time);
void verdict_lines_append(const char *path, const Buffer *lines);           // fatal() when it cannot be done
void lines_append(const char *path, const Buffer *lines, const char *what); // likewise; `what` was not saved
// The finding it is about: by id; where ids were made by other rules, by kind, place and object, the nearest. NULL:
// none.
Finding *verdict_line_fits(const FindingList *findings, const VerdictLine *line);

// verdicts.c: what reviewers said, kept under the finding's id -------------
// Every verdict ever given is kept, in order; the last one of an id counts. Analysing again loses none, nor does
// deleting the database: the file beside it is the truth, and the table in it a copy for SQL.
typedef struct {
    i64 sequence;         // ascending in the order they were given; 0: none was
    Verdict verdict;      // VERDICT_NONE: taken back
    const char *note;     // never NULL
    const char *reviewer; // a name they gave, or ""
    i64 time;             // seconds since 1970
} GivenVerdict;
void verdicts_make(struct Store *store);                    // the table, when it is not there yet
void verdicts_mirror(struct Store *store);                  // puts into it what only the file has
void verdicts_load(FindingList *self, struct Store *store); // fills verdict and note of every finding that has one
// The store must be open for writing. What the finding was about is kept beside it, for when it is found no more.
i64 verdict_add(struct Store *store, const Finding *finding, Verdict verdict, const char *note, const char *reviewer);
i64 verdict_add_line(struct Store *store, const VerdictLine *line); // the same with everything it says, its time too
// All that were ever given, the oldest first: of the file beside the database, or of its table when there is none.
void verdict_lines_load(struct Store *store, FindingList *texts, VerdictLineArray *out);
// All verdicts of one id, the oldest first, in the arena of the list.
typedef Array(GivenVerdict) GivenVerdictArray;
void verdict_history(struct Store *store, FindingList *texts, const char *id, GivenVerdictArray *out);
// Who said something of which finding, ever; by id, the oldest first, in the arena of the list.
typedef struct {
    const char *id;       // of the finding
    i64 sequence;         // as in GivenVerdict
    const char *reviewer; // likewise
} LoggedVerdict;
typedef Array(LoggedVerdict) LoggedVerdictArray;
void verdict_log(struct Store *store, FindingList *texts, LoggedVerdictArray *out);

// witness_lines.c: what runs showed, as JSON lines beside the database -------------
#define WITNESSES_SUFFIX ".witnesses.jsonl" // in place of .db
// Its rows grow in the arena of the list.
WitnessSide *witness_add_side(FindingList *texts, RunWitness *self); // the pointer is good until the next one
void witness_add_frame(FindingList *texts, WitnessSide *side, WitnessFrame frame);
void witness_add_lock(FindingList *texts, WitnessSide *side, const char *name, WitnessFrame from);
void witness_add_line(FindingList *texts, RunWitness *self, WitnessLine line);
void witness_put(Buffer *out, const RunWitness *witness);                              // as a JSON object
void witness_line_put(Buffer *out, const Finding *finding, const RunWitness *witness); // as a line of the file
void witnesses_append(struct Store *store, const Buffer *lines);                       // fatal() when it cannot be done
void witnesses_load(FindingList *self, struct Store *store); // fills the witness of every finding that has one

// watch.c: whether the database still is what was loaded -------------
typedef struct {
    u64 file;     // which file has the name
    i64 findings; // another number after every findings_save()
    i64 sequence; // of the last verdict; 0: none was given
} StoreState;
typedef enum {
    WATCH_KNOWN, // *out is filled
    WATCH_BUSY,  // somebody is writing: it cannot be told now
    WATCH_LOST,  // there is no database of ours any more
} WatchResult;
WatchResult findings_watch(const char *path, StoreState *out); // neither waits for a writer nor fails

#endif
