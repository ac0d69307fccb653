// writer.h: inside reports/, what the reports for terminals share: printable text, lines, columns.
#ifndef REPORTS_WRITER_H
#define REPORTS_WRITER_H

#include "reports/reports.h"

typedef enum { STYLE_PLAIN, STYLE_STRONG, STYLE_ALARM, STYLE_PLACE, STYLE_FAINT, STYLE_GOOD, STYLE_WARN } Style;

// Fills lines word by word. Spaces of the text are where it may break.
typedef struct {
    Buffer *out;
    Buffer word;    // not yet on the line, with its colours
    u32 word_width; // in columns, without them
    u32 column;     // of the line so far
    u32 indent;     // of the lines after a break
    u32 width;      // columns there are
    bool colour;
    bool fresh; // nothing but the indentation is on the line
} Writer;

// Lines: begin one, put text, end it.
// A new line; `margin` is what stands before its text, which begins in column `indent`.
void writer_line(Writer *self, u32 indent, const char *margin, Style style);
void writer_text(Writer *self, Style style, const char *text);
void writer_format(Writer *self, Style style, const char *format, ...) // of numbers and words of our own: 127 bytes
    __attribute__((format(printf, 3, 4)));
void writer_name(Writer *self, Style style, const char *text); // its spaces are no place to break a line
void writer_place(Writer *self, const char *file, u32 line);   // line 0: none
void writer_end(Writer *self);
void writer_free(Writer *self);

// Columns: text in exactly `width` of them, cut with … where it is longer; nothing is broken.
typedef enum { CUT_END, CUT_START } Cut;
void writer_cell(Writer *self, Style style, const char *text, u32 width, Cut cut);
// The part of a line of source that stands in these columns, from 0; … where more would follow.
void writer_window(Writer *self, Style style, const char *bytes, size_t length, u32 from, u32 columns);
u32 text_columns(const char *text);                // it takes as a cell, with its escapes
u32 line_columns(const char *line, size_t length); // of what a writer wrote: colours take none
// The printable form of bytes, tabs as spaces; `columns` is where they begin. Appends to `out`; returns the column
// after them.
u32 put_printable(Buffer *out, const char *bytes, size_t length, u32 column);

// excerpt.c: lines of the sources, with what matters in them pointed at
typedef struct {
    const char *file;
    u32 line, column;  // from 1; column 0: not known, `name` is looked for
    const char *name;  // of the object or lock there
    const char *label; // said after the carets
    bool call;         // point at the whole call
} Pointer;
typedef Array(Pointer) PointerArray;
// Puts the lines around the pointers, file by file in the order they come, and a line of carets below each that is
// pointed at; or says why there is no excerpt. Every line begins in column `indent`.
void writer_excerpt(Writer *self, Sources *sources, PointerArray *pointers, u32 indent);

// text.c: what a site does, with which locks; part of a line
void writer_operation(Writer *self, const Site *site);
// How many there are, of which kinds, reviewed, suppressed, below the line: one line.
void writer_totals(Writer *self, const FindingList *findings, const ReportOptions *options);
// list.c: lines of a list. First all findings are added, then the columns are fitted, then rows are put.
typedef struct {
    u32 rank, kind, score, verdict, place; // columns of each; verdict 0: nobody said anything
    u32 share, siblings;                   // likewise; 0: no finding has any
    u32 id, what;                          // likewise, once fitted; id 0: no room
} ListColumns;
void list_columns_add(ListColumns *self, const Entry *entry);
void list_columns_fit(ListColumns *self, u32 width);
void list_row(Writer *self, const ListColumns *columns, const Entry *entry);
Style verdict_style(Verdict verdict);

// witness.c: what runs showed, under a heading or a line of its own
void writer_witness(Writer *self, const Finding *finding, const RunWitness *witness);

#endif
