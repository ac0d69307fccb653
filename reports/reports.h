// reports.h: findings for people and for programs. A report appends to a buffer and changes nothing;
// the rank it gives a finding is its place in the sorted list, whatever else is shown.
#ifndef REPORTS_REPORTS_H
#define REPORTS_REPORTS_H

#include "base/base.h"
#include "racerx/findings/findings.h"

struct Sources;

typedef struct ReportOptions {
    bool all;                 // also the findings under the ranking's line
    bool colour;              // text: the reader is a terminal
    u32 width;                // text: columns; 0: 80
    u32 most;                 // at most so many findings (for people: entries); 0: as many as there are
    bool unfolded;            // for people: every finding is an entry of its own
    struct Sources *sources;  // for excerpts; NULL: none can be had
    bool no_flows;            // sarif: places only, not the ways there
    const FindingList *known; // sarif: of a baseline, to say which are new; NULL: none
    bool served;              // html: the page of `racerx review`: verdicts can be given
    const char *token;        // html: the secret that giving them needs; NULL unless served
} ReportOptions;

// Whether the report lists it: not left out by a filter, and above the line and not suppressed unless all is wanted.
// The first `most` of those are shown; ranks count all findings.
bool finding_shown(const Finding *finding, const ReportOptions *options);

// entries.c: what people read: findings of one cause are one entry ----------------
typedef struct {
    const Finding *finding; // the best of those that are shown
    u32 place;              // of it in the list
    u32 siblings;           // others that are shown, too, and folded
} Entry;
typedef Array(Entry) EntryArray;
void entries_make(const FindingList *findings, const ReportOptions *options, EntryArray *out); // the first `most`
// What the finding and its siblings have in common, in `word` how to say it ("below", "in", "under"); "": nothing that
// has a name.
const char *entry_common(const FindingList *findings, const Entry *entry, const char **word);
void share_text(double share, char out[16]); // "7 in 10"; "": not known

// filter.c: which findings a report is about -----------------------------------------
typedef struct {
    const char *const *kinds; // words of kinds.def; none: all
    u32 kind_count;
    const char *const *files; // globs: a site is in such a file, by its path or its last name; none: all
    u32 file_count;
    const char *const *verdicts; // words of verdicts.def, or "none"; none: all
    u32 verdict_count;
    const char *object;       // PCRE2, searched for in the names of its objects; NULL: all
    const char *group;        // only findings of this group; NULL: all
    const FindingList *known; // leave out what is in there, by id; NULL: nothing
} FilterOptions;
void filter_findings(FindingList *findings,
                     const FilterOptions *options); // sets left_out; fatal() when an option makes no sense

typedef struct {
    u32 listed;            // what finding_shown() says yes to, whatever `most` is; and of those:
    u32 entries;           // by group
    u32 kinds[KIND_COUNT]; // by kind
    u32 verdicts[VERDICT_COUNT];
    u32 reviewed;          // with a verdict
    u32 left_out;          // by filters
    u32 below, suppressed; // hidden for that, not by a filter; both: suppressed
} FindingCounts;
FindingCounts count_findings(const FindingList *findings, const ReportOptions *options);

// diff.c: findings of two runs, by id --------------------------------------------
typedef enum {
    CHANGE_NEW,   // not found before
    CHANGE_RISEN, // found before, and not shown then: below the line, or suppressed
    CHANGE_FIXED, // found before, and no more
    CHANGE_SUNK,  // shown before, and found, and not shown any more
    CHANGE_SAME,
    CHANGE_COUNT,
} Change;
typedef struct {
    Change change;
    const Finding *finding; // of the newer list where it is there
    const Finding *before;  // of the older list; NULL: not there
    u32 place;              // of `finding`, in its list
} Difference;
typedef Array(Difference) DifferenceArray;
// Adds one for every finding that either run shows (with `all`: that either has), in the order of Change, then of rank.
void compare_runs(const FindingList *before, const FindingList *after, bool all, DifferenceArray *out);
void report_diff(const DifferenceArray *differences, const ReportOptions *options, bool jsonl, Buffer *out);
// Makes the list one of what a baseline did not have: the rest is left out. Verdicts of the baseline count where the
// list has none, and what somebody called false or minor is left out, too. Returns how many are left that are shown.
u32 subtract_baseline(FindingList *findings, const FindingList *baseline, const ReportOptions *options);

// sources.c: the lines of the analysed files, for excerpts ---------------------------
// The text is the file's as it is now, and only if it is still what was analysed: anything else would point at
// the wrong lines, and a database from elsewhere could show files it never read.
typedef struct Sources Sources;
typedef enum {
    SOURCE_READ,    // here it is
    SOURCE_CHANGED, // the file is another since it was analysed
    SOURCE_MISSING, // it cannot be read any more
    SOURCE_UNKNOWN, // no file of this name was analysed
} SourceState;
Sources *sources_make(void);
void sources_free(Sources *self);
// A file that was analysed: its path as shown, as opened, and the key of its bytes.
void sources_add(Sources *self, const char *path, const char *full, Key content);
bool sources_known(Sources *self, const char *path);        // was it added?
SourceState sources_state(Sources *self, const char *path); // reads it at the first question
// A line, from 1, without its end; NULL when there is none. Bytes of the analysed tree: not always UTF-8, may be long.
const char *sources_line(Sources *self, const char *path, u32 line, u32 *length);
const char *source_state_text(SourceState state);          // why there is no excerpt, in a few words
const char *sources_full(Sources *self, const char *path); // as it was opened, absolute; NULL: not known
// As seen from the directory `here`; as it is shown elsewhere when it is not below that.
const char *sources_from(Sources *self, const char *here, const char *path);

// owners.c: whose code a file is, by CODEOWNERS ---------------------------------------
typedef struct Owners Owners;
Owners *owners_read(const char *text);
void owners_free(Owners *self);
const char *owners_of(const Owners *self, const char *path);               // with single spaces; "": nobody
bool owners_has(const Owners *self, const char *path, const char *wanted); // a glob, with or without @; "none": nobody

// printable.c: text of the analysed tree, for whoever reads it ------------------------
char *printable_text(const char *text, u32 *columns); // what is not printable as \xNN; malloc'd; how wide it is
void buffer_utf8(Buffer *out, const char *text);      // U+FFFD for every byte that is no UTF-8

// json.c: writing JSON ------------------------------------------------------------------
typedef struct {
    Buffer *out;
    u32 lines;        // members of values down to this depth have a line of their own
    u32 depth;        // values open
    bool has_members; // the innermost of them has some
    bool after_key;   // its value comes next
} Json;
// `key`: of the member of an object; NULL in an array.
void json_open(Json *self, const char *key, char bracket); // '{' or '['
void json_close(Json *self, char bracket);
void json_key(Json *self, const char *key);
void json_text(Json *self, const char *key, const char *text);
void json_bytes(Json *self, const char *key, const char *text, size_t size);
void json_number(Json *self, const char *key, double number);
void json_bool(Json *self, const char *key, bool value);
void buffer_number(Buffer *out, double number); // as short as reads back the same; infinity is the largest number

// The formats of formats.def: what --format takes. Each appends to `out` what is shown of the list.
typedef enum {
#define FORMAT(name, word, report, type, file) FORMAT_##name,
#include "reports/formats.def"
#undef FORMAT
    FORMAT_COUNT,
} Format;
#define FORMAT_ROWS (FORMAT_JSONL + 1) // the first so many are every command's
#define FORMAT(name, word, report, type, file)                                                                         \
    void report(const FindingList *findings, const ReportOptions *options, Buffer *out);
#include "reports/formats.def"
#undef FORMAT

// list.c: a line for each finding ------------------------------------------------
void report_list(const FindingList *findings, const ReportOptions *options, Buffer *out);
// show.c: one finding as a story: items[index] of the list -------------------------------
void report_show(const FindingList *findings, u32 index, const GivenVerdictArray *history, const ReportOptions *options,
                 Buffer *out);
// witness.c: what runs showed of a finding, for a terminal
void report_witness(const Finding *finding, const RunWitness *witness, const ReportOptions *options, Buffer *out);
// jsonl.c: a JSON object on a line for each finding: docs/findings/README.md ------------
void jsonl_finding(Buffer *out, const Finding *finding, const char *more); // `more`: keys before the others, or ""
// html*.c: one page for a browser, complete in itself: docs/html.md ------------
// The Content-Security-Policy the page asks for itself: what a server must allow it, and no more.
void report_html_policy(bool served, Buffer *out);
// Of the served page: the rows it does not have yet, one on a line; the details of a finding.
void report_html_rows(const FindingList *findings, const ReportOptions *options, Buffer *out);
void report_html_details(const FindingList *findings, const Finding *finding, const ReportOptions *options,
                         Buffer *out);
// semaphores.c: a line for each semaphore: how often it is taken and let go, and what that makes it ------------
void report_semaphores(const FindingList *findings, bool jsonl, Buffer *out);
// suppressions.c: what was meant to silence findings and silences none, a line each ------------
void report_unused(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out);
// guards.c: which lock guards what, and who goes without it; by the options only `colour` and `most` ------------
void report_guards(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out);
// guards_md.c: the same as a page in Markdown, by what they belong to
void report_guards_md(const FindingList *findings, const ReportOptions *options, Buffer *out);
bool guard_is_sure(const GuardRow *row); // enough places hold the lock, and few do not

// why.c: what is known of one place of the text ------------
struct AnswerList;
void report_why(const struct AnswerList *answers, const char *file, u32 line, const ReportOptions *options, bool jsonl,
                Buffer *out);

// review.c: what `racerx review` says to its page, and what it hears, as JSON ------------
typedef struct {
    u32 reviewed;       // findings with a verdict
    u32 of;             // these, and the others that are shown: above the line and not suppressed
    u32 real, mistaken; // confirmed or minor: it is true; false. Unconfirmed ones are neither yet
} Progress;
Progress progress_count(const FindingList *findings);
double progress_precision(const Progress *self); // the share of what is decided that is real; NaN: nothing is
// The list as it stands: `log` is verdict_log()'s, `generation` another number whenever the findings are others.
void report_state(const FindingList *findings, const LoggedVerdictArray *log, u32 generation, Buffer *out);
void report_history(const GivenVerdictArray *history, Buffer *out); // {"history":[…]}
// The same after a verdict was added; `seen`: the sequence its reviewer knew of, or -1.
void report_given(const GivenVerdictArray *history, i64 sequence, i64 seen, Buffer *out);
enum { NOTE_BYTES = 4096, REVIEWER_BYTES = 100 }; // the longest that are taken
typedef struct {
    char id[20];
    Verdict verdict;
    char note[NOTE_BYTES + 1];
    char reviewer[REVIEWER_BYTES + 1];
    bool group; // its siblings are judged so, too
    i64 seen;   // the last sequence the reviewer's page knew of; -1: it did not say
} VerdictRequest;
// Strictly: false, and why, for anything that is not exactly such a request.
bool read_verdict(const u8 *json, size_t size, VerdictRequest *out, char why[160]);

// serve.c: HTTP on loopback, for the holder of a token ------------
enum { SERVE_PORT = 7973, SERVE_TOKEN = 33, SERVE_BODY = 64 << 10 };
typedef struct {
    const char *path;       // below the token: "", "api/state"
    const u8 *body;         // of a POST, at most SERVE_BODY
    size_t size;            // of it
    const void *connection; // for request_argument()
} Request;
const char *request_argument(const Request *self, const char *name); // of ?name=value; NULL: it has none
typedef struct {
    u32 status;         // of HTTP
    char type[48];      // Content-Type
    char file_name[48]; // to be saved under; "": to be shown
    char policy[480];   // Content-Security-Policy; "": nothing at all is allowed
    bool packed;        // the body is gzip
    Buffer body;
} Answer;
void answer_error(Answer *self, u32 status, const char *format, ...) __attribute__((format(printf, 3, 4)));
// An answer is worked out in a process of its own: it may wait and it may fail, the server goes on.
typedef struct {
    const char *path; // below the token
    bool posts;       // POST; otherwise GET and HEAD
    u32 patience;     // seconds it may take
    const char *late; // what is said when it took longer, and when it failed: nothing was done, try again
    void (*answer)(void *context, const Request *request, Answer *out);
} Route;
typedef struct {
    u32 port;                                      // 0: SERVE_PORT, or any other when that is taken
    const char *token;                             // of serve_token()
    const Route *routes;                           // the last has no path
    void *context;                                 // given to these:
    void (*before)(void *context);                 // in the server itself, before each answer
    void (*ready)(void *context, const char *url); // once, when it listens
} Service;
void serve_token(char out[SERVE_TOKEN]); // 128 random bits
void serve(const Service *service);      // until SIGINT or SIGTERM; what is under way then is finished

#endif
