// html.c: one page for a browser.
#include "reports/reports.h"

void report_html(const FindingList *findings, const ReportOptions *options, Buffer *out) { (void)findings, (void)options, (void)out; }

void report_html_policy(bool served, Buffer *out) { buffer_text(out, served ? "default-src 'none'; connect-src 'self'" : "default-src 'none'"); }
