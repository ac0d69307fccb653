// filters.c: `racerx filters`: RELAY's warnings, what each reason against them leaves, and a sample for reading.
// In: the database; the tree is linked and walked again. Out: a table, as in RELAY's Figure 12.
#include "racerx/cli/command_link.h"
#include "racerx/facts/analysis.h"

typedef struct {
    LinkArguments link;
    u32 sample;
} FiltersArguments;

static u64 left_after(const u64 *counts, u32 stage) {
    u64 left = 0;
    for (u32 r = stage + 1; r < RELAY_REASONS; r++)
        left += counts[r];
    return left;
}

static void count_rows(const RelayTable *table, u64 *counts) {
    for (u32 i = 0; i < table->rows.count; i++)
        counts[table->rows.items[i].reason]++;
}

static void put_table(const RelayTable *table, Buffer *out) {
    u64 rows[RELAY_REASONS] = {0}, all_pairs = left_after(table->pairs, UINT32_MAX);
    char number[4][32];
    count_rows(table, rows);
    u64 all_rows = left_after(rows, UINT32_MAX);
    buffer_format(out, "%-30s %14s %10s %14s %10s\n", "", "warnings left", "taken", "pairs left", "taken");
    buffer_format(out, "%-30s %14s %10s %14s %10s\n", "all", grouped(all_rows, number[0]), "",
                  grouped(all_pairs, number[1]), "");
    for (u32 r = 0; r < RELAY_LEFT; r++)
        buffer_format(out, "%-30s %14s %10s %14s %10s\n", relay_words[r], grouped(left_after(rows, r), number[0]),
                      grouped(rows[r], number[1]), grouped(left_after(table->pairs, r), number[2]),
                      grouped(table->pairs[r], number[3]));
}

static void put_lines(const RelayTable *table, Buffer *out) {
    u64 rows[RELAY_REASONS] = {0};
    count_rows(table, rows);
    buffer_format(out, "{\"reason\":null,\"warnings_left\":%llu,\"pairs_left\":%llu,\"entries\":%u}\n",
                  (unsigned long long)left_after(rows, UINT32_MAX),
                  (unsigned long long)left_after(table->pairs, UINT32_MAX), table->entries);
    for (u32 r = 0; r < RELAY_LEFT; r++)
        buffer_format(
            out, "{\"reason\":\"%s\",\"warnings_left\":%llu,\"warnings\":%llu,\"pairs_left\":%llu,\"pairs\":%llu}\n",
            relay_words[r], (unsigned long long)left_after(rows, r), (unsigned long long)rows[r],
            (unsigned long long)left_after(table->pairs, r), (unsigned long long)table->pairs[r]);
}

// a sample --------------------------------------------------------------------------

// By a hash of what the warning is about: the same ones are drawn whatever else the tree has.
static u64 lot_of(const RelayRow *row) {
    u64 lot = hash_bytes(row->object, strlen(row->object), row->reason);
    for (u32 s = 0; s < 2; s++)
        lot = hash_bytes(row->sides[s].function, strlen(row->sides[s].function), lot);
    return lot;
}

static int compare_lots(const void *left, const void *right, void *context) {
    const RelayRow *rows = context, *a = &rows[*(const u32 *)left], *b = &rows[*(const u32 *)right];
    if (a->reason != b->reason) // what is left comes first
        return a->reason > b->reason ? -1 : 1;
    u64 x = lot_of(a), y = lot_of(b);
    return x != y ? (x < y ? -1 : 1) : strcmp(a->object, b->object);
}

static void put_row(const RelayRow *row, bool lines, Buffer *out) {
    if (!lines) {
        buffer_format(out, "%s: %s\n", relay_words[row->reason], row->object);
        for (u32 s = 0; s < 2; s++)
            buffer_format(out, "    %s %s:%u %s, from %s\n", row->sides[s].write ? "written" : "read   ",
                          row->sides[s].file, row->sides[s].line, row->sides[s].function, row->sides[s].entry);
        return;
    }
    buffer_format(out, "{\"warning\":\"%s\",\"object\":", relay_words[row->reason]);
    buffer_json(out, row->object, strlen(row->object));
    buffer_format(out, ",\"pairs\":%u,\"sites\":[", row->pairs);
    for (u32 s = 0; s < 2; s++) {
        const RelaySide *side = &row->sides[s];
        buffer_format(out, "%s{\"file\":", s ? "," : "");
        buffer_json(out, side->file, strlen(side->file));
        buffer_format(out, ",\"line\":%u,\"function\":", side->line);
        buffer_json(out, side->function, strlen(side->function));
        buffer_format(out, ",\"role\":\"%s\",\"entry\":", side->write ? "write" : "read");
        buffer_json(out, side->entry, strlen(side->entry));
        buffer_text(out, "}");
    }
    buffer_text(out, "]}\n");
}

// So many of each reason, and of what is left.
static void put_sample(const RelayTable *table, u32 most, bool lines, Buffer *out) {
    u32 *order = must_alloc(sizeof(u32) * (table->rows.count + 1u)), drawn = 0;
    for (u32 i = 0; i < table->rows.count; i++)
        order[i] = i;
    if (table->rows.count)
        qsort_r(order, table->rows.count, sizeof *order, compare_lots, table->rows.items);
    if (!lines)
        buffer_text(out, "\n");
    for (u32 i = 0; i < table->rows.count; i++) {
        const RelayRow *row = &table->rows.items[order[i]];
        bool next = i && table->rows.items[order[i - 1]].reason != row->reason;
        drawn = next ? 0 : drawn;
        if (drawn++ < most)
            put_row(row, lines, out);
    }
    free(order);
}

static void print_reading(const Program *program, const AnalysisStats *stats) {
    print_graph(program, stderr);
    print_summary_stats(&program->stats, stats, stderr);
}

static int filters_run(const Command *self, int count, char **words) {
    FiltersArguments arguments = {0};
    TextArray rest = {0};
    RelayTable table = {0};
    Buffer out = {0};
    FindingList findings;
    AnalysisStats stats;
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("filters takes no PATH: it reads the database that `racerx extract PATH` made (see `racerx filters "
              "--help`)");
    Linked linked = link_database(&arguments.link);
    AnalysisOptions options = {.p0 = ANALYSIS_P0,
                               .wide = ANALYSIS_WIDE,
                               .engine = ENGINE_SUMMARIES,
                               .jobs = arguments.link.jobs ? arguments.link.jobs : cpu_count(),
                               .relay = &table};
    findings_begin(&findings);
    analyse(linked.program, &options, &findings, &stats);
    bool lines = arguments.link.format == FORMAT_JSONL;
    if (lines)
        put_lines(&table, &out);
    else
        put_table(&table, &out);
    if (arguments.sample)
        put_sample(&table, arguments.sample, lines, &out);
    if (arguments.link.stats)
        print_reading(linked.program, &stats);
    write_output(&out);
    findings_free(&findings);
    arena_free(&table.arena);
    array_free(&table.rows);
    buffer_free(&out);
    array_free(&rest);
    linked_free(&linked);
    return 0;
}

static const Option filters_options[] = {
    {OPTION_COUNT, 0, "sample", "N", offsetof(FiltersArguments, sample),
     "also draw N warnings of each reason, and N of those that are left, always the same ones"},
    {0},
};

const Command command_filters = {
    .name = "filters",
    .arguments = "",
    .summary = "count warnings of pairs of entries, and what each reason leaves",
    .details =
        "RELAY's experiment (Figure 12 of its paper) on any tree: a warning is an object that two entries (threads,\n"
        "handlers, system calls) access, one of them writing, with no lock in common, whatever anybody believes. The\n"
        "table says how many warnings, and pairs of places, there are, and how many are left when those are taken\n"
        "away that are probably false: because the object is still being made, because two directories hardly mean\n"
        "the same object, because it was taken off where others find it, because the lock nests or a side is\n"
        "start-up, because the entries never run together, because the lock was taken on a condition, because\n"
        "recursion or a limit left something open. A warning lasts as long as one of its pairs does.\n"
        "\n"
        "The database holds findings only, so the tree is linked and walked once more: it takes as long as `racerx\n"
        "check`.\n"
        "\n"
        "  racerx filters --sample 30 > review.txt\n",
    .options = filters_options,
    .shared = link_options,
    .run = filters_run,
};
