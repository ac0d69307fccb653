// semaphores.c: the table of semaphores, as text or as JSON lines.
// In: FindingList.semaphores. Out: a line each, in their order; as text, a heading before and what they were compared
// with after them.
#include "reports/reports.h"

static const char *verdict(const SemaphoreRow *row) { return row->scheduling ? "scheduling" : "lock"; }

static void put_json(Buffer *out, const SemaphoreRow *row) {
    buffer_text(out, "{\"semaphore\":");
    buffer_json(out, row->name, strlen(row->name));
    buffer_format(out, ",\"downs\":%u,\"paired\":%u,\"spurious\":%u,\"z\":%.2f,\"verdict\":\"%s\"}\n", row->downs,
                  row->paired, row->spurious, row->z, verdict(row));
}

static void put_row(Buffer *out, const SemaphoreRow *row, u32 width) {
    u32 wide;
    char *name = printable_text(row->name, &wide);
    buffer_format(out, "%s%*s  %6u  %6u  %8u  %8.2f  %s\n", name, (int)(width - wide), "", row->downs, row->paired,
                  row->spurious, row->z, verdict(row));
    free(name);
}

static void put_text(Buffer *out, const FindingList *findings) {
    u32 width = 9, wide;
    for (u32 i = 0; i < findings->semaphores.count; i++) {
        free(printable_text(findings->semaphores.items[i].name, &wide));
        width = wide > width ? wide : width;
    }
    buffer_format(out, "%-*s  %6s  %6s  %8s  %8s  %s\n", (int)width, "semaphore", "downs", "paired", "spurious", "z",
                  "verdict");
    for (u32 i = 0; i < findings->semaphores.count; i++)
        put_row(out, &findings->semaphores.items[i], width);
    const SemaphoreBaseline *baseline = &findings->baseline;
    buffer_format(out, "compared with %.0f %% pairs and %.0f %% spurious ups, from %u places that take spin locks%s\n",
                  100 * baseline->paired, 100 * baseline->spurious, baseline->downs,
                  baseline->downs < 20 ? ": too few, so these are the usual ones" : "");
}

void report_semaphores(const FindingList *findings, bool jsonl, Buffer *out) {
    if (!jsonl) {
        put_text(out, findings);
        return;
    }
    for (u32 i = 0; i < findings->semaphores.count; i++)
        put_json(out, &findings->semaphores.items[i]);
}
