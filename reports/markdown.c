// markdown.c: a table of the findings, for a comment on a change or the summary of a CI job.
// In: a sorted FindingList. Out: GitHub's Markdown: how many of which kind, then a row for each entry. Names of the
// analysed tree stand in code, where only a backtick or a bar could end something: they become others; in sentences
// every sign that means something to Markdown is escaped, so that no name becomes a link, a heading, an image or
// somebody's mention.
#include "reports/reports.h"

// Not printable: as \xNN; a line break, too.
static char *flat_text(const char *text) {
    Buffer flat = {0};
    u32 columns;
    for (const char *at = text; *at; at++)
        if (*at == '\n')
            buffer_text(&flat, "\\x0a");
        else
            buffer_byte(&flat, (u8)*at);
    buffer_byte(&flat, 0);
    char *shown = printable_text((const char *)flat.bytes, &columns);
    buffer_free(&flat);
    return shown;
}

static void put_sentence(Buffer *out, const char *text) {
    char *shown = flat_text(text);
    for (const char *at = shown; *at; at++)
        if (*at == '@')
            buffer_text(out, "@<!-- -->"); // mentions nobody
        else if (*at == '<' || *at == '&')
            buffer_text(out, *at == '<' ? "&lt;" : "&amp;");
        else if (strchr("\\`*_{}[]()#+!|~>", *at))
            buffer_format(out, "\\%c", *at);
        else
            buffer_byte(out, (u8)*at);
    free(shown);
}

static void put_code(Buffer *out, const char *text, u32 line) {
    char *shown = flat_text(text);
    buffer_byte(out, '`');
    for (const char *at = shown; *at; at++)
        if (*at == '|')
            buffer_text(out, "¦"); // a bar ends the cell, in code, too
        else
            buffer_byte(out, *at == '`' ? '\'' : (u8)*at);
    if (line)
        buffer_format(out, ":%u", line);
    buffer_byte(out, '`');
    free(shown);
}

static void put_row(Buffer *out, const Entry *entry) {
    const Finding *finding = entry->finding;
    char share[16];
    share_text(finding->share, share);
    buffer_format(out, "| %u | %s | ", finding->rank, kind_word(finding->kind));
    if (*finding->file)
        put_code(out, finding->file, finding->line);
    buffer_text(out, " | ");
    if (*finding->function) {
        put_code(out, finding->function, 0);
        buffer_text(out, ": ");
    }
    put_sentence(out, *finding->message ? finding->message : kind_text(finding->kind));
    if (entry->siblings)
        buffer_format(out, " (and %u like it)", entry->siblings);
    buffer_format(out, " | %s |\n", share);
}

static void put_counts(Buffer *out, const FindingList *findings, const ReportOptions *options) {
    u32 kinds[KIND_COUNT] = {0}, all = 0;
    for (u32 i = 0; i < findings->items.count; i++)
        if (finding_shown(findings->items.items[i], options)) {
            kinds[findings->items.items[i]->kind]++;
            all++;
        }
    buffer_format(out, "**racerx: %u finding%s**", all, all == 1 ? "" : "s");
    const char *before = ": ";
    for (u32 k = 0; k < KIND_COUNT; k++)
        if (kinds[k]) {
            buffer_format(out, "%s%u %s", before, kinds[k], kind_word((FindingKind)k));
            before = ", ";
        }
    buffer_byte(out, '\n');
}

void report_markdown(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    EntryArray entries = {0};
    entries_make(findings, options, &entries);
    put_counts(out, findings, options);
    if (entries.count)
        buffer_text(out, "\n| | kind | where | what | true |\n|--:|---|---|---|---|\n");
    for (u32 i = 0; i < entries.count; i++)
        put_row(out, &entries.items[i]);
    array_free(&entries);
}
