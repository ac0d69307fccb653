// csv.c: spreadsheets.
#include "reports/reports.h"

void report_csv(const FindingList *findings, const ReportOptions *options, Buffer *out) { (void)findings, (void)options, (void)out; }
