// jsonl.c: findings as JSON lines; docs/findings/README.md says what the keys mean.
// In: a sorted FindingList. Out: one line each, always valid UTF-8 and JSON whatever the names are. Tools build
// on it: keys are added at the end, none changes its meaning without a new "schema".
#include "reports/reports.h"

static void put_string(Buffer *out, const char *key, const char *text) {
    buffer_text(out, key);
    buffer_json(out, text, strlen(text));
}

static void put_lockset(Buffer *out, const Site *site) {
    buffer_text(out, ",\"lockset\":[");
    for (u32 i = 0; i < site->lockset.count; i++)
        put_string(out, i ? "," : "", site->lockset.items[i].name);
    buffer_text(out, "],\"callchain\":[");
    for (u32 i = 0; i < site->callchain.count; i++)
        put_string(out, i ? "," : "", site->callchain.items[i].function);
    if (!site->callchain.count)
        put_string(out, "", site->function);
    buffer_byte(out, ']');
}

// Where the held locks were taken, and where each function of the chain calls the next.
static void put_places(Buffer *out, const Site *site) {
    buffer_text(out, ",\"held\":[");
    for (u32 i = 0; i < site->lockset.count; i++) {
        const HeldLock *held = &site->lockset.items[i];
        put_string(out, i ? ",{\"lock\":" : "{\"lock\":", held->name);
        put_string(out, ",\"file\":", held->file);
        buffer_format(out, ",\"line\":%u}", held->line);
    }
    buffer_text(out, "],\"calls\":[");
    for (u32 i = 0; i + 1 < site->callchain.count; i++) {
        const ChainLink *link = &site->callchain.items[i];
        put_string(out, i ? ",{\"file\":" : "{\"file\":", link->file);
        buffer_format(out, ",\"line\":%u}", link->line);
    }
    buffer_byte(out, ']');
}

static void put_sites(Buffer *out, const char *key, const Site *sites, u32 count) {
    buffer_text(out, key);
    buffer_byte(out, '[');
    for (u32 i = 0; i < count; i++) {
        const Site *site = &sites[i];
        put_string(out, i ? ",{\"file\":" : "{\"file\":", site->file);
        buffer_format(out, ",\"line\":%u", site->line);
        put_string(out, ",\"function\":", site->function);
        put_string(out, ",\"role\":", role_word(site->role));
        put_lockset(out, site);
        buffer_format(out, ",\"column\":%u,\"side\":%u,\"conditionals\":%u", site->column, site->side,
                      site->conditionals);
        put_string(out, ",\"object\":", site->object);
        put_string(out, ",\"note\":", site->note);
        put_places(out, site);
        buffer_byte(out, '}');
    }
    buffer_byte(out, ']');
}

static void put_features(Buffer *out, const Finding *finding) {
    buffer_text(out, ",\"features\":{");
    for (u32 i = 0; i < finding->features.count; i++) {
        const Feature *feature = &finding->features.items[i];
        put_string(out, i ? "," : "", feature->name);
        if (feature->text)
            put_string(out, ":", feature->text);
        else {
            buffer_byte(out, ':');
            buffer_number(out, feature->number);
        }
    }
    buffer_text(out, "},\"reasons\":[");
    for (u32 i = 0; i < finding->reasons.count; i++) {
        buffer_text(out, i ? ",{\"points\":" : "{\"points\":");
        buffer_number(out, finding->reasons.items[i].points);
        put_string(out, ",\"text\":", finding->reasons.items[i].text);
        buffer_byte(out, '}');
    }
    buffer_byte(out, ']');
}

static void put_share(Buffer *out, const Finding *finding) {
    put_string(out, ",\"group\":", finding->group);
    buffer_text(out, ",\"share\":");
    if (finding->share < 0)
        buffer_text(out, "null");
    else
        buffer_number(out, finding->share);
}

void jsonl_finding(Buffer *out, const Finding *finding, const char *more) {
    buffer_format(out, "{%s\"rank\":%u", more, finding->rank);
    put_string(out, ",\"id\":", finding->id);
    put_string(out, ",\"kind\":", kind_word(finding->kind));
    buffer_text(out, ",\"score\":");
    buffer_number(out, finding->score);
    put_string(out, ",\"message\":", finding->message);
    put_string(out, ",\"object\":", finding->object);
    buffer_text(out, ",\"objects\":[");
    for (u32 i = 0; i < finding->objects.count; i++)
        put_string(out, i ? "," : "", finding->objects.items[i]);
    put_string(out, "],\"lock\":", finding->lock);
    put_string(out, ",\"file\":", finding->file);
    buffer_format(out, ",\"line\":%u", finding->line);
    put_string(out, ",\"function\":", finding->function);
    put_sites(out, ",\"sites\":", finding->sites.items, finding->sites.count);
    put_features(out, finding);
    buffer_text(out, ",\"verdict\":");
    if (finding->verdict)
        put_string(out, "", verdict_word(finding->verdict));
    else
        buffer_text(out, "null");
    buffer_format(out, ",\"below_line\":%s", finding->below_line ? "true" : "false");
    put_sites(out, ",\"evidence\":", finding->evidence.items, finding->evidence.count);
    buffer_format(out, ",\"schema\":%d", FINDINGS_VERSION);
    put_string(out, ",\"note\":", finding->note);
    put_string(out, ",\"suppressed\":", finding->suppressed);
    put_share(out, finding);
    buffer_text(out, ",\"witness\":");
    if (finding->witness)
        witness_put(out, finding->witness);
    else
        buffer_text(out, "null");
    buffer_text(out, "}\n");
}

void report_jsonl(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    for (u32 i = 0, shown = 0; i < findings->items.count && (!options->most || shown < options->most); i++)
        if (finding_shown(findings->items.items[i], options)) {
            jsonl_finding(out, findings->items.items[i], "");
            shown++;
        }
}
