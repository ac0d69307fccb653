// reports.h: findings for people and for programs. A report appends to a buffer and changes nothing;
// the rank it gives a finding is its place in the sorted list, whatever else is shown.
#ifndef REPORTS_REPORTS_H
#define REPORTS_REPORTS_H

#include "base/base.h"
#include "racerx/findings.h"

struct Sources;

typedef struct ReportOptions {
    bool all;    // also the findings under the ranking's line
    bool colour; // text: the reader is a terminal
    u32 width;   // text: columns; 0: 80
    u32 most;    // at most so many findings; 0: as many as there are
    struct Sources *sources; // for excerpts; NULL: none can be had
    bool served;             // html: the page of `racerx review`: verdicts can be given
    const char *token;       // html: the secret that giving them needs; NULL unless served
} ReportOptions;

// Whether the report lists it: not left out by a filter, and above the line and not suppressed unless all is wanted.
// The first `most` of those are shown; ranks count all findings.
bool finding_shown(const Finding *finding, const ReportOptions *options);

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
SourceState sources_state(Sources *self, const char *path); // reads it at the first question
// A line, from 1, without its end; NULL when there is none. Bytes of the analysed tree: not always UTF-8, may be long.
const char *sources_line(Sources *self, const char *path, u32 line, u32 *length);
const char *source_state_text(SourceState state); // why there is no excerpt, in a few words

// text.c: a screen for each finding ------------------------------------------------
void report_text(const FindingList *findings, const ReportOptions *options, Buffer *out);
// jsonl.c: a JSON object on a line for each finding: docs/findings/README.md ------------
void report_jsonl(const FindingList *findings, const ReportOptions *options, Buffer *out);
// html*.c: one page for a browser, complete in itself: docs/html.md ------------
void report_html(const FindingList *findings, const ReportOptions *options, Buffer *out);
// The Content-Security-Policy the page asks for itself: what a server must allow it, and no more.
void report_html_policy(bool served, Buffer *out);
// sarif.c: SARIF 2.1.0 ------------
void report_sarif(const FindingList *findings, const ReportOptions *options, Buffer *out);
// csv.c: a line for each finding, for spreadsheets ------------
void report_csv(const FindingList *findings, const ReportOptions *options, Buffer *out);
// github.c: workflow commands that put a finding beside its line ------------
void report_github(const FindingList *findings, const ReportOptions *options, Buffer *out);
// semaphores.c: a line for each semaphore: how often it is taken and let go, and what that makes it ------------
void report_semaphores(const FindingList *findings, bool jsonl, Buffer *out);
// guards.c: which lock guards what, and who goes without it; by the options only `colour` and `most` ------------
void report_guards(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out);

// review.c: what `racerx review` says to its page, and what it hears, as JSON ------------
typedef struct {
    u32 reviewed;     // findings with a verdict
    u32 of;           // these, and the others that are shown: above the line and not suppressed
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
    i64 seen; // the last sequence the reviewer's page knew of; -1: it did not say
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
    Buffer body;
} Answer;
void answer_error(Answer *self, u32 status, const char *format, ...) __attribute__((format(printf, 3, 4)));
// An answer is worked out in a process of its own: it may wait and it may fail, the server goes on.
typedef struct {
    const char *path;  // below the token
    bool posts;        // POST; otherwise GET and HEAD
    u32 patience;      // seconds it may take
    const char *late;  // what is said when it took longer, and when it failed: nothing was done, try again
    void (*answer)(void *context, const Request *request, Answer *out);
} Route;
typedef struct {
    u32 port;            // 0: SERVE_PORT, or any other when that is taken
    const char *token;   // of serve_token()
    const Route *routes; // the last has no path
    void *context;       // given to these:
    void (*before)(void *context);                 // in the server itself, before each answer
    void (*ready)(void *context, const char *url); // once, when it listens
} Service;
void serve_token(char out[SERVE_TOKEN]); // 128 random bits
void serve(const Service *service);      // until SIGINT or SIGTERM; what is under way then is finished

#endif
