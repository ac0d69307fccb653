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
const char *sources_full(Sources *self, const char *path); // as it was opened, absolute; NULL: not known

// printable.c: text of the analysed tree, for whoever reads it ------------------------
// The code point at *at, which moves past it; UINT32_MAX, and one byte past, for what is no UTF-8.
u32 next_character(const u8 **at);
// Not a control, and nothing that changes the direction or place of what follows.
bool is_printable(u32 character);
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

// text.c: a screen for each finding ------------------------------------------------
void report_text(const FindingList *findings, const ReportOptions *options, Buffer *out);
// jsonl.c: a JSON object on a line for each finding: docs/findings/README.md ------------
void report_jsonl(const FindingList *findings, const ReportOptions *options, Buffer *out);
// html.c: one page for a browser, complete in itself: docs/review.md ------------
void report_html(const FindingList *findings, const ReportOptions *options, Buffer *out);
// sarif.c, sarif_result.c, sarif_place.c: SARIF 2.1.0: docs/formats.md ------------
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
