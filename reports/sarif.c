// sarif.c: SARIF 2.1.0.
#include "reports/reports.h"

void report_sarif(const FindingList *findings, const ReportOptions *options, Buffer *out) { (void)findings, (void)options, (void)out; }
