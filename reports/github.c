// github.c: workflow commands: a line each, which the log of a GitHub workflow turns into a note beside the source
// line. In: a sorted FindingList. Out: `::error file=…,line=…,col=…,title=…::message`. Paths are from the current
// directory, where the workflow has its checkout, when the file is below it. What could end a line, or a property, is
// encoded: whatever a file is called, a finding is one command.
#include "reports/reports.h"
#include "reports/sarif.h"

// `property`: also what ends a property.
static void put_escaped(Buffer *out, const char *text, bool property) {
    u32 columns;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char *copy = must_strdup(line);
        copy[strcspn(copy, "\n")] = 0;
        char *shown = printable_text(copy, &columns);
        buffer_text(out, line == text ? "" : "%0A");
        for (const char *at = shown; *at; at++)
            if (*at == '%')
                buffer_text(out, "%25");
            else if (property && (*at == ':' || *at == ','))
                buffer_text(out, *at == ':' ? "%3A" : "%2C");
            else
                buffer_byte(out, (u8)*at);
        free(shown);
        free(copy);
    }
}

static void put_file(Buffer *out, const char *path) { // a line break in its name is no line break of the text
    Buffer shown = {0};
    for (const char *at = path; *at; at++)
        if (*at == '\n')
            buffer_text(&shown, "\\x0a");
        else
            buffer_byte(&shown, (u8)*at);
    buffer_byte(&shown, 0);
    put_escaped(out, (const char *)shown.bytes, true);
    buffer_free(&shown);
}

static void put_side(Buffer *text, const Site *site) {
    buffer_format(text, "\n%s %s:%u %s %s", site->function, site->file, site->line, role_verb(site->role),
                  site->object);
    for (u32 i = 0; i < site->lockset.count; i++)
        buffer_format(text, "%s%s", i ? ", " : " holding ", site->lockset.items[i].name);
}

static void put_message(Buffer *out, const Finding *finding) {
    Buffer text = {0};
    buffer_text(&text, *finding->message ? finding->message : kind_text(finding->kind));
    for (u32 i = 0; i < finding->sites.count && i < 8; i++)
        put_side(&text, &finding->sites.items[i]);
    buffer_format(&text, "\nscore %.6g, id %s", finding->score, finding->id);
    buffer_byte(&text, 0);
    put_escaped(out, (const char *)text.bytes, false);
    buffer_free(&text);
}

static void put_finding(Buffer *out, const Finding *finding, const char *here, Sources *sources) {
    const char *level = finding_level(finding);
    u32 length, column = finding->sites.count ? finding->sites.items[0].column : 0;
    const char *line = sources_line(sources, finding->file, finding->line, &length);
    column = line ? sarif_column(line, length, column) : 0;
    buffer_format(out, "::%s file=", strcmp(level, "note") ? level : "notice");
    put_file(out, sources_from(sources, here, finding->file));
    if (finding->line)
        buffer_format(out, ",line=%u", finding->line);
    if (column)
        buffer_format(out, ",col=%u", column);
    buffer_text(out, ",title=");
    put_escaped(out, kind_word(finding->kind), true);
    buffer_text(out, " in ");
    put_file(out, finding->function);
    buffer_text(out, "::");
    put_message(out, finding);
    buffer_byte(out, '\n');
}

void report_github(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    char *here = realpath(".", NULL);
    for (u32 i = 0, shown = 0; i < findings->items.count && (!options->most || shown < options->most); i++)
        if (finding_shown(findings->items.items[i], options)) {
            put_finding(out, findings->items.items[i], here ? here : "", options->sources);
            shown++;
        }
    free(here);
}
