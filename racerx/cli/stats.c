// stats.c: what an extraction did, for people: a short summary, or everything (--stats).
// Findings never pass here; this is about the reading of the source.
#include "racerx/cli/command.h"

static double percent(u64 part, u64 whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

const char *lock_tables(const ExtractStats *stats) {
    return stats->presets && *stats->presets ? stats->presets : "none";
}

static void print_line(FILE *out, const char *name, u64 value, const char *remark) {
    char number[32];
    fprintf(out, "  %-34s %16s  %s\n", name, grouped(value, number), remark);
}

static void print_pass(FILE *out, const char *name, double seconds, u64 memory) {
    char bytes[32];
    fprintf(out, "  %-34s %14.2f s  %s\n", name, seconds, memory ? human_bytes(memory, bytes) : "");
}

void print_summary(const ExtractStats *stats, const char *db, FILE *out) {
    char a[32], b[32], c[32], d[32];
    char *shown = quote_path(db ? db : STORE_DEFAULT_PATH);
    fprintf(out, "racerx: %s files (%s sources, %s headers), %s functions\n", grouped(stats->files, a),
            grouped(stats->sources, b), grouped(stats->headers, c), grouped(stats->functions, d));
    fprintf(out, "racerx: %s parsed, %s unchanged; %.2f %% of the bytes of function bodies not understood\n",
            grouped(stats->parsed, a), grouped(stats->reused, b), percent(stats->lost_bytes, stats->body_bytes));
    fprintf(out, "racerx: lock tables: %s; trees are in %s\n", lock_tables(stats), shown);
    free(shown);
}

static void print_worst(const ExtractStats *stats, FILE *out) {
    if (!stats->worst_count)
        return;
    fprintf(out, "least understood files (bytes of function bodies, and the first of them)\n");
    for (u32 i = 0; i < stats->worst_count; i++) {
        const WorstFile *worst = &stats->worst[i];
        char number[32], *file = quote_path(worst->file), *why = quote_path(worst->why ? worst->why : "");
        fprintf(out, "  %10s  %s: %s\n", grouped(worst->bytes, number), file, why);
        free(file);
        free(why);
    }
}

void print_stats(const ExtractStats *stats, FILE *out) {
    char remark[64];
    fprintf(out, "what was read\n");
    print_line(out, "files", stats->files, "");
    print_line(out, "  sources", stats->sources, "");
    print_line(out, "  headers", stats->headers, "");
    print_line(out, "  parsed now", stats->parsed, "");
    print_line(out, "  unchanged, not parsed again", stats->reused, "");
    print_line(out, "skipped", stats->skipped, "");
    print_line(out, "bytes of source", stats->bytes, "");
    print_line(out, "functions with a body", stats->functions, "");
    print_line(out, "macros defined", stats->macros_known, "");
    print_line(out, "macros expanded", stats->macros_expanded, "");
    print_line(out, "expansions cut short", stats->limits, "");
    fprintf(out, "  %-34s  %s\n", "lock tables", lock_tables(stats));
    fprintf(out, "what was not understood\n");
    print_line(out, "bytes of function bodies", stats->body_bytes, "");
    snprintf(remark, sizeof remark, "%.3f %%", percent(stats->lost_bytes, stats->body_bytes));
    print_line(out, "  of these lost", stats->lost_bytes, remark);
    print_line(out, "statements lost", stats->lost_statements, "");
    print_line(out, "declarations lost", stats->lost_items, "");
    print_worst(stats, out);
    fprintf(out, "time, and most memory so far\n");
    print_pass(out, "scan", stats->seconds_scan, 0);
    print_pass(out, "harvest", stats->seconds_harvest, stats->memory_harvest);
    print_pass(out, "trees", stats->seconds_trees, stats->memory_trees);
    print_pass(out, "store", stats->seconds_store, memory_peak_bytes());
}
