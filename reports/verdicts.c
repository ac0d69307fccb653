// verdicts.c: what reviewers said, as JSON lines: the format of the file beside the database and of `racerx mark
// --from`. In: a list with verdicts. Out: a line for each finding that has one, the last that was given.
#include "reports/reports.h"

void report_verdicts(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    for (u32 i = 0, shown = 0; i < findings->items.count && (!options->most || shown < options->most); i++) {
        const Finding *finding = findings->items.items[i];
        if (!finding->verdict || finding->left_out)
            continue;
        VerdictLine line =
            verdict_line_of(finding, finding->verdict, finding->note, finding->reviewer, finding->judged);
        verdict_line_put(out, &line);
        shown++;
    }
}
