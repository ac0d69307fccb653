// facts.c: what every report says of the run: what was read, with which lock tables, what was cut short.
// Extraction's part waits in the database (meta 'facts': NAME tab VALUE lines) until the findings are saved with it.
#include "racerx/cli/command.h"

#include "racerx/facts/analysis.h"

static void put_fact(Buffer *out, const char *name, const char *value) {
    buffer_format(out, "%s\t", name);
    for (; *value; value++)
        buffer_byte(out, *value == '\t' || *value == '\n' ? ' ' : *value);
    buffer_byte(out, '\n');
}

static void put_count(Buffer *out, const char *name, u64 value) {
    char text[32];
    put_fact(out, name, grouped(value, text));
}

static void put_paths(Buffer *out, const TextArray *paths) {
    Buffer shown = {0};
    for (u32 i = 0; i < paths->count; i++)
        buffer_format(&shown, "%s%s", i ? ", " : "", paths->items[i]);
    buffer_byte(&shown, 0);
    put_fact(out, "analysed", (const char *)shown.bytes);
    buffer_free(&shown);
}

void remember_facts(Store *store, const ExtractStats *stats, const TextArray *paths) {
    Buffer out = {0};
    char percent[32];
    put_paths(&out, paths);
    put_count(&out, "files", stats->files);
    put_count(&out, "sources", stats->sources);
    put_count(&out, "headers", stats->headers);
    put_count(&out, "files skipped", stats->skipped);
    put_count(&out, "functions", stats->functions);
    put_count(&out, "bytes of source", stats->bytes);
    snprintf(percent, sizeof percent, "%.3f %%",
             stats->body_bytes ? 100.0 * (double)stats->lost_bytes / (double)stats->body_bytes : 0);
    put_fact(&out, "not understood", percent);
    put_count(&out, "statements lost", stats->lost_statements);
    put_fact(&out, "lock tables", lock_tables(stats));
    store_set_meta(store, "facts", out.bytes, out.size);
    buffer_free(&out);
}

void recall_facts(Store *store, FindingList *findings) {
    size_t size;
    char *text = store_get_meta(store, "facts", &size), *rest = NULL;
    char *lines = must_alloc(size + 1);
    memcpy(lines, text ? text : "", text ? size : 0);
    lines[text ? size : 0] = 0;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *tab = strchr(line, '\t');
        if (!tab)
            continue;
        *tab = 0;
        findings_add_fact(findings, line, tab + 1);
    }
    free(lines);
    free(text);
}

static void add_count(FindingList *findings, const char *name, u64 value) {
    char text[32];
    findings_add_fact(findings, name, grouped(value, text));
}

// Those that cut most are always told; the others when they were hit.
static void add_limits(FindingList *findings) {
    static const LimitId told[] = {LIMIT_LOCKSET_ENTRIES, LIMIT_LOCKSETS_MOST, LIMIT_AMBIENT_REACH, LIMIT_DEEPEST,
                                   LIMIT_FAN_OUT_WALKED,  LIMIT_CIRCLES_MOST,  LIMIT_CHECKS_MOST};
    bool done[LIMIT_COUNT] = {0};
    for (u32 i = 0; i < sizeof told / sizeof *told; i++) {
        add_count(findings, limit_meaning(told[i]), limit_hits(told[i]));
        done[told[i]] = true;
    }
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        if (!done[i] && limit_hits(i)) {
            char name[120];
            snprintf(name, sizeof name, "cut: %s, more than %u", limit_meaning(i), limit_number(i));
            add_count(findings, name, limit_hits(i));
        }
}

void add_analysis_facts(FindingList *findings, const AnalysisStats *stats, const ExtractArguments *arguments) {
    add_count(findings, "functions walked", stats->functions_walked);
    add_count(findings, "accesses", stats->samples);
    add_count(findings, "lock-order constraints", stats->constraints);
    add_limits(findings);
    findings_add_fact(findings, "races",
                      arguments->no_races    ? "not looked for"
                      : arguments->race_mode ? arguments->race_mode
                                             : "precise");
    findings_add_fact(findings, "version", RACERX_VERSION);
}
