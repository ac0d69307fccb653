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

// filter.c: which findings a report is about -----------------------------------------
typedef struct {
    const char *const *kinds; // words of kinds.def; none: all
    u32 kind_count;
    const char *const *files; // globs: a site is in such a file, by its path or its last name; none: all
    u32 file_count;
    const char *const *verdicts; // words of verdicts.def, or "none"; none: all
    u32 verdict_count;
    const char *object;       // PCRE2, searched for in the names of its objects; NULL: all
    const FindingList *known; // leave out what is in there, by id; NULL: nothing
} FilterOptions;
void filter_findings(FindingList *findings, const FilterOptions *options); // sets left_out; fatal() when an option makes no sense

typedef struct {
    u32 listed;                // what finding_shown() says yes to, whatever `most` is; and of those:
    u32 kinds[KIND_COUNT];     // by kind
    u32 verdicts[VERDICT_COUNT];
    u32 reviewed;              // with a verdict
    u32 left_out;              // by filters
    u32 below, suppressed;     // hidden for that, not by a filter; both: suppressed
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
    u32 rank;               // of `finding`, in its list
} Difference;
typedef Array(Difference) DifferenceArray;
// Adds one for every finding that either run shows (with `all`: that either has), in the order of Change, then of rank.
void compare_runs(const FindingList *before, const FindingList *after, bool all, DifferenceArray *out);
void report_diff(const DifferenceArray *differences, const ReportOptions *options, bool jsonl, Buffer *out);
// Makes the list one of what a baseline did not have: the rest is left out. Verdicts of the baseline count where the list
// has none, and what somebody called false or minor is left out, too. Returns how many are left that are shown.
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
SourceState sources_state(Sources *self, const char *path); // reads it at the first question
// A line, from 1, without its end; NULL when there is none. Bytes of the analysed tree: not always UTF-8, may be long.
const char *sources_line(Sources *self, const char *path, u32 line, u32 *length);
const char *source_state_text(SourceState state); // why there is no excerpt, in a few words

// text.c: a screen for each finding ------------------------------------------------
void report_text(const FindingList *findings, const ReportOptions *options, Buffer *out);
// list.c: a line for each finding ------------------------------------------------
void report_list(const FindingList *findings, const ReportOptions *options, Buffer *out);
// show.c: one finding as a story: items[index] of the list -------------------------------
void report_show(const FindingList *findings, u32 index, const GivenVerdictArray *history, const ReportOptions *options, Buffer *out);
// jsonl.c: a JSON object on a line for each finding: docs/findings/README.md ------------
void report_jsonl(const FindingList *findings, const ReportOptions *options, Buffer *out);
void jsonl_finding(Buffer *out, const Finding *finding, u32 rank, const char *more); // `more`: keys before the others, or ""
// html.c: one page for a browser, complete in itself: docs/review.md ------------
void report_html(const FindingList *findings, const ReportOptions *options, Buffer *out);
// sarif.c: SARIF 2.1.0 ------------
void report_sarif(const FindingList *findings, const ReportOptions *options, Buffer *out);
// csv.c: a line for each finding, for spreadsheets ------------
void report_csv(const FindingList *findings, const ReportOptions *options, Buffer *out);
// github.c: workflow commands that put a finding beside its line ------------
void report_github(const FindingList *findings, const ReportOptions *options, Buffer *out);
// semaphores.c: a line for each semaphore: how often it is taken and let go, and what that makes it ------------
void report_semaphores(const FindingList *findings, bool jsonl, Buffer *out);
// suppressions.c: what was meant to silence findings and silences none, a line each ------------
void report_unused(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out);
// guards.c: which lock guards what, and who goes without it; by the options only `colour` and `most` ------------
void report_guards(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out);

#endif
