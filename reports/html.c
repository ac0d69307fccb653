// html.c: one page for a browser.
#include "reports/reports.h"

void report_html(const FindingList *findings, const ReportOptions *options, Buffer *out) { (void)findings, (void)options, (void)out; }
