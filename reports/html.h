// html.h: inside the HTML report. report_html() (html.c) goes through the page from top to bottom; each part has a
// file. Everything that comes from the analysed tree goes through html_text() or html_bytes(): docs/html.md.
#ifndef REPORTS_HTML_H
#define REPORTS_HTML_H

#include "reports/reports.h"

extern const char page_css[], page_js[]; // reports/page/, embedded

typedef struct {
    const FindingList *findings;
    const ReportOptions *options;
    Buffer *out;
    Intern paths;        // of files met so far
    Array(Bitset) lexed; // by path: lines, from 1, that begin inside a comment
    u32 shown;           // findings listed
    u32 whole;           // of these the first ones whose details are in the page as text
} Page;

// html_text.c: text that means nothing to the browser ---------------------------
// Safe in an element and between double quotes. Invalid UTF-8 becomes U+FFFD; controls, and characters that hide or
// turn text around, are spelled out. Longer than some hundred characters is cut with an ellipsis.
void html_text(Buffer *out, const char *text);
void html_bytes(Buffer *out, const char *bytes, size_t size); // the same of some bytes, uncut; tabs stay
void html_name(Buffer *out, const char *name);                // of an object, a lock, a function: <code>
void html_short(Buffer *out, const char *name, u32 most);     // its end and its beginning in at most so many characters
void html_place(Buffer *out, const char *file, u32 line);     // file:line; only the line without a file
void html_number(Buffer *out, double number, bool sign);      // with a true minus; not finite: a dash
void html_count(Buffer *out, u64 count);                      // 1,234
void html_fixed(Buffer *out, double number, int decimals);    // the same with so many decimals

// html_policy.c: what the page may do ------------------------------------------
void sha256(const void *bytes, size_t size, u8 digest[32]);
void base64(Buffer *out, const u8 *bytes, size_t size);

// html_excerpt.c: lines of source ----------------------------------------------
typedef enum {
    POINT_ACCESS, // an expression
    POINT_LOCK,   // a call that takes or lets go a lock
    POINT_CALL,   // another call
    POINT_RETURN, // a way out
    POINT_TAKEN,  // a line on which a lock was taken: shown alone
} PointKind;
typedef struct {
    u32 line, column; // from 1; column 0: not known
    PointKind kind;
} Point;
// The lines around the points, in their order, each once; or why there are none.
void html_excerpt(Page *self, const char *file, const Point *points, u32 count);
void html_source_line(Page *self, const char *file, Point point); // one line; nothing when there is none
void lexed_free(Page *self);

// html_picture.c: drawings -------------------------------------------------------
void html_share(Buffer *out, u32 with, u32 without);  // a bar: how many of all
void html_cycle(Buffer *out, const Finding *finding); // who waits for whom; nothing when there is no cycle
void html_scores(Page *self);                         // how many findings have which score

// html_finding.c: the row and the details of a finding ---------------------------
void html_row(Page *self, const Finding *finding, bool whole);
void html_details(Page *self, const Finding *finding);

// html_overview.c: what was analysed, what was found, what guards what -------------
void html_overview(Page *self);
void html_guards(Page *self);

// html_pack.c: details that wait until they are asked for ------------------------
// <script type="text/plain" id="NAME">: base64 of zlib of `text`. The page's script unpacks it.
void html_pack(Buffer *out, const char *name, u32 number, const Buffer *text);
#define PACK_SEPARATOR '\x1e' // between the parts of a pack: html_text() lets none through
#define PACK_PARTS 50         // findings in one

#endif
