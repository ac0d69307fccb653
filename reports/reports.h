// reports.h: findings for people and for programs. A report appends to a buffer and changes nothing;
// the rank it gives a finding is its place in the sorted list, whatever else is shown.
#ifndef REPORTS_REPORTS_H
#define REPORTS_REPORTS_H

#include "base/base.h"
#include "racerx/findings.h"

typedef struct {
    bool all;    // also the findings under the ranking's line
    bool colour; // text: the reader is a terminal
    u32 width;   // text: columns; 0: 80
    u32 most;    // at most so many findings; 0: as many as there are
} ReportOptions;

// text.c: a screen for each finding ------------------------------------------------
void report_text(const FindingList *findings, const ReportOptions *options, Buffer *out);
// jsonl.c: a JSON object on a line for each finding: docs/findings/README.md ------------
void report_jsonl(const FindingList *findings, const ReportOptions *options, Buffer *out);
// semaphores.c: a line for each semaphore: how often it is taken and let go, and what that makes it ------------
void report_semaphores(const FindingList *findings, bool jsonl, Buffer *out);
// guards.c: which lock guards what, and who goes without it; by the options only `colour` and `most` ------------
void report_guards(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out);

#endif
