// lsp.c: findings for an editor, as values of the Language Server Protocol. What `racerx lsp` says of a file.
// In: whole findings, the sources. Out: JSON: diagnostics with related locations, actions on them, what guards a name.
//
// A finding is one diagnostic in a file: at its own place, or where another of its sides is, as information. Positions
// are from 0, in UTF-16 units.
#include "reports/lsp.h"
#include "reports/sarif.h"

static void put_position(Json *json, const char *key, u32 line, u32 column) {
    json_open(json, key, '{');
    json_number(json, "line", line ? line - 1 : 0);
    json_number(json, "character", column ? column - 1 : 0);
    json_close(json, '}');
}

// Of the name there; where no column is known, the line from its first character that is no space.
static void put_range(Json *json, Sources *sources, const char *file, u32 line, u32 column) {
    u32 length = 0, first = 1, end = 1;
    const char *text = sources_line(sources, file, line, &length);
    if (text && column && sarif_column(text, length, column)) {
        u32 size = expression_length(text, length, column - 1);
        first = sarif_column(text, length, column);
        end = size ? sarif_column(text, length, column + size) : first + 1;
    } else if (text) {
        u32 blank = 0;
        while (blank < length && (text[blank] == ' ' || text[blank] == '\t'))
            blank++;
        first = sarif_column(text, length, blank + 1);
        end = sarif_column(text, length, length + 1);
    }
    json_open(json, "range", '{');
    put_position(json, "start", line, first ? first : 1);
    put_position(json, "end", line, end > first ? end : first + 1);
    json_close(json, '}');
}

static void put_location(Json *json, Sources *sources, const Site *site) {
    Buffer uri = {0};
    const char *full = sources_full(sources, site->file);
    sarif_uri(&uri, full ? full : site->file); // an absolute one becomes file://…
    json_open(json, "location", '{');
    json_bytes(json, "uri", (const char *)uri.bytes, uri.size);
    put_range(json, sources, site->file, site->line, site->column);
    json_close(json, '}');
    buffer_free(&uri);
}

static void put_site_text(Json *json, const Site *site) {
    Buffer text = {0};
    buffer_format(&text, "%s %s%s%s", site->function, role_verb(site->role), *site->object ? " " : "", site->object);
    for (u32 i = 0; i < site->lockset.count; i++)
        buffer_format(&text, "%s%s", i ? ", " : " holding ", site->lockset.items[i].name);
    json_bytes(json, "message", (const char *)text.bytes, text.size);
    buffer_free(&text);
}

// Where each lock was taken is a place to look at, too.
static void put_related(Json *json, Sources *sources, const Finding *finding, u32 at) {
    json_open(json, "relatedInformation", '[');
    for (u32 i = 0; i < finding->sites.count; i++) {
        if (i == at)
            continue;
        json_open(json, NULL, '{');
        put_location(json, sources, &finding->sites.items[i]);
        put_site_text(json, &finding->sites.items[i]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_message(Json *json, const Finding *finding, u32 at, bool changed) {
    Buffer text = {0};
    char share[16];
    share_text(finding->share, share);
    buffer_text(&text, at ? "another side of: " : "");
    buffer_text(&text, *finding->message ? finding->message : kind_text(finding->kind));
    if (*share)
        buffer_format(&text, " (%s such findings are true)", share);
    if (changed)
        buffer_text(&text, "; the file has changed since it was analysed");
    json_bytes(json, "message", (const char *)text.bytes, text.size);
    buffer_free(&text);
}

static void put_diagnostic(Json *json, Sources *sources, const Finding *finding, u32 at) {
    const Site *site = &finding->sites.items[at];
    const char *level = finding_level(finding);
    json_open(json, NULL, '{');
    put_range(json, sources, site->file, site->line, site->column);
    json_number(json, "severity", at ? 3 : !strcmp(level, "error") ? 1 : !strcmp(level, "warning") ? 2 : 4);
    json_text(json, "code", kind_word(finding->kind));
    json_text(json, "source", "racerx");
    put_message(json, finding, at, sources_state(sources, site->file) == SOURCE_CHANGED);
    put_related(json, sources, finding, at);
    json_open(json, "data", '{');
    json_text(json, "id", finding->id);
    json_close(json, '}');
    json_close(json, '}');
}

void lsp_diagnostics(const FindingList *findings, Sources *sources, const char *path, Buffer *out) {
    static const ReportOptions shown = {0};
    Json json = {.out = out};
    json_open(&json, NULL, '[');
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        bool settled = finding->verdict == VERDICT_FALSE || finding->verdict == VERDICT_MINOR;
        for (u32 s = 0; s < finding->sites.count && !settled && finding_shown(finding, &shown); s++)
            if (!strcmp(finding->sites.items[s].file, path)) {
                put_diagnostic(&json, sources, finding, s);
                break;
            }
    }
    json_close(&json, ']');
}

// actions -------------------------------------------------------------------------

static void put_verdict_action(Json *json, const char *id, Verdict verdict) {
    char title[96];
    snprintf(title, sizeof title, "racerx: %s (%s)", verdict_word(verdict), verdict_text(verdict));
    json_open(json, NULL, '{');
    json_text(json, "title", title);
    json_text(json, "kind", "quickfix");
    json_open(json, "command", '{');
    json_text(json, "title", title);
    json_text(json, "command", "racerx.verdict");
    json_open(json, "arguments", '[');
    json_text(json, NULL, id);
    json_text(json, NULL, verdict_word(verdict));
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, '}');
}

static void put_comment_action(Json *json, const char *uri, const char *kind, u32 line) {
    char text[128], title[128];
    snprintf(title, sizeof title, "racerx: silence this %s with a comment", kind);
    snprintf(text, sizeof text, "/* racerx: ignore %s REASON */\n", kind);
    json_open(json, NULL, '{');
    json_text(json, "title", title);
    json_text(json, "kind", "quickfix");
    json_open(json, "edit", '{');
    json_open(json, "changes", '{');
    json_open(json, uri, '[');
    json_open(json, NULL, '{');
    json_open(json, "range", '{');
    put_position(json, "start", line + 1, 1);
    put_position(json, "end", line + 1, 1);
    json_close(json, '}');
    json_text(json, "newText", text);
    json_close(json, '}');
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, '}');
    json_close(json, '}');
}

void lsp_actions(Json *json, const char *uri, const char *id, const char *kind, u32 line) {
    for (u32 verdict = VERDICT_NONE + 1; verdict < VERDICT_COUNT; verdict++)
        put_verdict_action(json, id, (Verdict)verdict);
    put_comment_action(json, uri, kind, line);
}

// hover ---------------------------------------------------------------------------

void lsp_hover(const FindingList *guards, Buffer *markdown) {
    for (u32 i = 0; i < guards->guards.count; i++) {
        const GuardRow *row = &guards->guards.items[i];
        buffer_format(markdown, "%s`%s` is guarded by `%s`: held in %u of %u places%s", i ? "\n\n" : "", row->object,
                      row->lock, row->with, row->with + row->without, guard_is_sure(row) ? "" : " (not sure)");
        for (u32 k = 0; k < row->exceptions.count; k++)
            buffer_format(markdown, "%s`%s` %s:%u", k ? ", " : "; not in ", row->exceptions.items[k].function,
                          row->exceptions.items[k].file, row->exceptions.items[k].line);
    }
}
