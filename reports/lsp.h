// lsp.h: findings as values of the Language Server Protocol, for `racerx lsp`.
#ifndef REPORTS_LSP_H
#define REPORTS_LSP_H

#include "reports/reports.h"

// An array of diagnostics of the file with this shown path. The findings are whole where they have a site there.
void lsp_diagnostics(const FindingList *findings, Sources *sources, const char *path, Buffer *out);
// Adds the actions on a diagnostic to the array that is open; `line` from 0.
void lsp_actions(Json *json, const char *uri, const char *id, const char *kind, u32 line);
void lsp_hover(const FindingList *guards, Buffer *markdown); // what guards these; nothing: nobody knows

#endif
