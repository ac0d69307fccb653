// suppressions.c: comments and lines of suppression files that silence nothing.
// In: FindingList.suppressions. Out: a line each: where, what it says, why it is of no use.
#include "reports/writer.h"

static void put_json(Buffer *out, const SuppressionRow *row) {
    buffer_text(out, "{\"file\":");
    buffer_json(out, row->file, strlen(row->file));
    buffer_format(out, ",\"line\":%u,\"text\":", row->line);
    buffer_json(out, row->text, strlen(row->text));
    buffer_text(out, ",\"trouble\":");
    buffer_json(out, row->trouble, strlen(row->trouble));
    buffer_format(out, ",\"used\":%u}\n", row->used);
}

void report_unused(const FindingList *findings, const ReportOptions *options, bool jsonl, Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    u32 unused = 0;
    for (u32 i = 0; i < findings->suppressions.count; i++) {
        const SuppressionRow *row = &findings->suppressions.items[i];
        if (row->used)
            continue;
        unused++;
        if (jsonl) {
            put_json(out, row);
            continue;
        }
        writer_line(&writer, 4, "", STYLE_PLAIN);
        out->size -= 4; // only the lines after the first are indented
        writer.column = 0;
        writer_place(&writer, row->file, row->line);
        writer_text(&writer, STYLE_PLAIN, ": ");
        writer_text(&writer, STYLE_PLAIN, row->text);
        writer_text(&writer, STYLE_WARN, *row->trouble ? ": " : ": no finding is silenced by it");
        writer_text(&writer, STYLE_WARN, row->trouble);
        writer_end(&writer);
    }
    if (!jsonl)
        buffer_format(out, "%u suppression%s, %u of them silence%s nothing\n", findings->suppressions.count,
                      findings->suppressions.count == 1 ? "" : "s", unused, unused == 1 ? "s" : "");
    writer_free(&writer);
}
