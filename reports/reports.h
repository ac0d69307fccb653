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

#endif
