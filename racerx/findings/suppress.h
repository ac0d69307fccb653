// suppress.h: inside racerx/, silencing findings by comments in the source and by suppression files. docs/review.md
// says how both are written.
#ifndef RACERX_SUPPRESS_H
#define RACERX_SUPPRESS_H

#include "racerx/findings/findings.h"
#include "racerx/link/program.h"

typedef struct Suppressions Suppressions;
Suppressions *suppressions_make(void);
void suppressions_free(Suppressions *self);
void suppressions_read(Suppressions *self, const char *path,
                       const char *shown); // a file; fatal() at what it cannot read, with the line
void suppressions_gather(Suppressions *self, const Program *program); // the comments of the analysed files
// requires: ids. fills: Finding.suppressed, FindingList.suppressions.
void suppress(Suppressions *self, FindingList *findings);

#endif
