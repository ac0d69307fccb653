// sarif.h: what the files of the SARIF report share. docs/formats.md says what is written where.
#ifndef REPORTS_SARIF_H
#define REPORTS_SARIF_H

#include "reports/reports.h"

typedef struct {
    Json json;
    Sources *sources; // NULL: none can be had
    Intern files;     // of the results written so far: their ids less one are the indices of run.artifacts
    Map known;        // ids of a baseline, hashed
    bool compared;    // there is a baseline
    bool no_flows;    // from here on results have no code flows
} Sarif;

// A place, and what happens there.
typedef struct {
    const char *file;     // "": not known
    u32 line, column;     // from 1; 0: not known
    const char *function; // that contains it; "": not known
    const char *message;  // "": none
    u32 id;               // of a related location; 0: none
    u32 around;           // lines of the source to show before and after it
    bool bare;            // no lines of the source at all
} SarifPlace;

// sarif_place.c
void sarif_uri(Buffer *out, const char *path); // percent-encoded: any bytes become a valid reference
void sarif_message(Sarif *self, const char *key, const char *text); // {"text": …}, in which nothing is taken for a link
void sarif_place(Sarif *self, const char *key, const SarifPlace *place); // a `location`
// Columns in UTF-16 units, which is what editors count; bytes that are no UTF-8 are one each. 0: not on the line.
u32 sarif_column(const char *line, u32 length, u32 column);
u32 expression_length(const char *line, u32 length,
                      u32 from); // bytes of the name or path, like `p->list[i].next`, at `from`

// sarif_result.c
void sarif_result(Sarif *self, const Finding *finding);
const char *finding_level(const Finding *finding); // "error", "warning" or "note"

#endif
