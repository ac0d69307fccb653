// gcc.c: findings as a compiler's warnings, which every editor and log reader knows how to jump to.
// In: a sorted FindingList. Out: `file:line:col: warning: message [kind]` for each, and a `note:` for every other place
// of its story. Paths are from the current directory when the file is below it; columns count bytes, as gcc does.
// A name of the analysed tree cannot end a line.
#include "reports/reports.h"
#include "reports/sarif.h"

// Line breaks and whatever else is not printable become escapes, or spaces in a message.
static void put_line(Buffer *out, const char *text, bool message) {
    Buffer flat = {0};
    u32 columns;
    for (const char *at = text; *at; at++)
        if (*at == '\n')
            buffer_text(&flat, message ? "; " : "\\x0a");
        else
            buffer_byte(&flat, (u8)*at);
    buffer_byte(&flat, 0);
    char *shown = printable_text((const char *)flat.bytes, &columns);
    buffer_text(out, shown);
    free(shown);
    buffer_free(&flat);
}

typedef struct {
    Buffer *out;
    Sources *sources;
    const char *here; // paths are from there
} Warnings;

static void put_place(Warnings *self, const char *file, u32 line, u32 column, const char *level) {
    if (*file)
        put_line(self->out, sources_from(self->sources, self->here, file), false);
    else
        buffer_text(self->out, "racerx");
    if (line)
        buffer_format(self->out, ":%u", line);
    if (line && column)
        buffer_format(self->out, ":%u", column);
    buffer_format(self->out, ": %s: ", level);
}

static void put_note(Warnings *self, const Site *site) {
    Buffer text = {0};
    put_place(self, site->file, site->line, site->column, "note");
    buffer_format(&text, "%s %s %s", site->function, role_verb(site->role), site->object);
    for (u32 i = 0; i < site->lockset.count; i++)
        buffer_format(&text, "%s%s", i ? ", " : " holding ", site->lockset.items[i].name);
    buffer_byte(&text, 0);
    put_line(self->out, (const char *)text.bytes, true);
    buffer_byte(self->out, '\n');
    buffer_free(&text);
}

static bool is_at(const Finding *finding, const Site *site) {
    return site->line == finding->line && !strcmp(site->file, finding->file);
}

static void put_warning(Warnings *self, const Finding *finding) {
    u32 first = 0;
    while (first < finding->sites.count && !is_at(finding, &finding->sites.items[first]))
        first++;
    u32 column = first < finding->sites.count ? finding->sites.items[first].column : 0;
    bool sure = !strcmp(finding_level(finding), "error"); // a note would belong to the warning before it
    put_place(self, finding->file, finding->line, column, sure ? "error" : "warning");
    put_line(self->out, *finding->message ? finding->message : kind_text(finding->kind), true);
    buffer_format(self->out, " [%s]\n", kind_word(finding->kind));
    for (u32 i = 0; i < finding->sites.count; i++)
        if (i != first)
            put_note(self, &finding->sites.items[i]);
}

void report_gcc(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    char *here = realpath(".", NULL);
    Warnings warnings = {out, options->sources, here ? here : ""};
    for (u32 i = 0, shown = 0; i < findings->items.count && (!options->most || shown < options->most); i++)
        if (finding_shown(findings->items.items[i], options)) {
            put_warning(&warnings, findings->items.items[i]);
            shown++;
        }
    free(here);
}
