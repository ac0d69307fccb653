// github.c: workflow commands.
#include "reports/reports.h"

void report_github(const FindingList *findings, const ReportOptions *options, Buffer *out) { (void)findings, (void)options, (void)out; }
