// csv.c: a line for each finding, for spreadsheets: RFC 4180, with a heading, in UTF-8.
// Texts are always quoted. One that a spreadsheet would take for a formula gets a quote mark before it: names come from
// the analysed tree, and `=cmd()` is a name a file can have.
#include "reports/reports.h"

static bool is_formula(const char *text) {
    return (*text && strchr("=+-@\t\r\n", *text)) || !strncmp(text, "\xef\xbc\x9d", 3) ||
           !strncmp(text, "\xef\xbc\x8b", 3) || !strncmp(text, "\xef\xbc\x8d", 3) ||
           !strncmp(text, "\xef\xbc\xa0", 3); // the wide forms of = + - @
}

static void put_text(Buffer *out, const char *text) {
    Buffer valid = {0};
    buffer_utf8(&valid, text);
    buffer_text(out, is_formula(text) ? ",\"'" : ",\"");
    for (size_t i = 0; i < valid.size; i++) {
        if (valid.bytes[i] == '"')
            buffer_byte(out, '"');
        buffer_byte(out, valid.bytes[i]);
    }
    buffer_byte(out, '"');
    buffer_free(&valid);
}

static void put_place(Buffer *out, const char *file, u32 line, const char *function) {
    put_text(out, file);
    if (line)
        buffer_format(out, ",%u", line);
    else
        buffer_byte(out, ',');
    put_text(out, function);
}

// The first site of another party.
static const Site *other_side(const Finding *finding) {
    for (u32 i = 1; i < finding->sites.count; i++)
        if (finding->sites.items[i].side != finding->sites.items[0].side)
            return &finding->sites.items[i];
    return NULL;
}

static void put_finding(Buffer *out, const Finding *finding) {
    const Site *other = other_side(finding);
    buffer_format(out, "%u", finding->rank);
    put_text(out, finding->id);
    put_text(out, kind_word(finding->kind));
    buffer_byte(out, ',');
    buffer_number(out, finding->score);
    buffer_format(out, ",%d", finding->below_line);
    put_text(out, verdict_word(finding->verdict));
    put_text(out, finding->note);
    put_text(out, finding->suppressed);
    put_place(out, finding->file, finding->line, finding->function);
    put_text(out, finding->object);
    put_text(out, finding->lock);
    put_place(out, other ? other->file : "", other ? other->line : 0, other ? other->function : "");
    put_text(out, *finding->message ? finding->message : kind_text(finding->kind));
    put_text(out, finding->group);
    buffer_byte(out, ',');
    if (finding->share >= 0)
        buffer_number(out, finding->share);
    buffer_text(out, "\r\n");
}

void report_csv(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    buffer_text(out, "rank,id,kind,score,below_line,verdict,note,suppressed,file,line,function,object,lock,"
                     "other_file,other_line,other_function,message,group,share\r\n");
    for (u32 i = 0, shown = 0; i < findings->items.count && (!options->most || shown < options->most); i++)
        if (finding_shown(findings->items.items[i], options)) {
            put_finding(out, findings->items.items[i]);
            shown++;
        }
}
