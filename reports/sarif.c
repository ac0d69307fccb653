// sarif.c: SARIF 2.1.0: the log, the run, the rules and what they have to do with known weaknesses.
// In: a sorted FindingList. Out: one JSON document, valid by the schema and in UTF-8 whatever the names are. The rules'
// help is the page of each kind in docs/findings/, built in. docs/formats.md says what a reader finds where.
#include "reports/sarif.h"

#include <zlib.h>

extern const char *const finding_pages[]; // by kind: docs/findings/WORD.md, of the build

// rules ---------------------------------------------------------------------------

static const struct {
    u32 number;
    const char *name;
} weaknesses[] = {
#define WEAKNESS(number, name) {number, name},
#include "reports/cwe.def"
};
static const struct {
    FindingKind kind;
    u32 number;
    const char *relation;
} rule_weaknesses[] = {
#define RULE_WEAKNESS(kind, number, relation) {KIND_##kind, number, relation},
#include "reports/cwe.def"
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static u32 weakness_index(u32 number) {
    for (u32 i = 0; i < COUNT(weaknesses); i++)
        if (weaknesses[i].number == number)
            return i;
    die("no weakness %u", number);
}

static void put_text(Json *json, const char *key, const char *text, size_t size) {
    json_open(json, key, '{');
    json_bytes(json, "text", text, size);
    json_close(json, '}');
}

static void put_taxonomy_reference(Json *json, const char *key) {
    json_open(json, key, '{');
    json_text(json, "name", "CWE");
    json_number(json, "index", 0);
    json_close(json, '}');
}

static void put_relationships(Json *json, FindingKind kind) {
    char number[16];
    json_open(json, "relationships", '[');
    for (u32 i = 0; i < COUNT(rule_weaknesses); i++) {
        if (rule_weaknesses[i].kind != kind)
            continue;
        snprintf(number, sizeof number, "%u", rule_weaknesses[i].number);
        json_open(json, NULL, '{');
        json_open(json, "target", '{');
        json_text(json, "id", number);
        json_number(json, "index", weakness_index(rule_weaknesses[i].number));
        put_taxonomy_reference(json, "toolComponent");
        json_close(json, '}');
        json_open(json, "kinds", '[');
        json_text(json, NULL, rule_weaknesses[i].relation);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

// How many such findings are true, by what the ranking says of those that are in the log.
static const char *precision(const FindingList *findings, FindingKind kind) {
    double sum = 0;
    u32 count = 0;
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        if (finding->kind != kind || finding->below_line || finding->share < 0)
            continue;
        sum += finding->share;
        count++;
    }
    double mean = count ? sum / count : 0.25;
    return mean >= 0.5 ? "high" : mean >= 0.25 ? "medium" : "low";
}

static void put_tags(Json *json, const FindingList *findings, FindingKind kind) {
    char tag[40];
    json_open(json, "properties", '{');
    json_text(json, "precision", precision(findings, kind));
    json_text(json, "problem.severity", "warning");
    json_open(json, "tags", '[');
    json_text(json, NULL, "concurrency");
    json_text(json, NULL, "correctness");
    for (u32 i = 0; i < COUNT(rule_weaknesses); i++)
        if (rule_weaknesses[i].kind == kind) {
            snprintf(tag, sizeof tag, "external/cwe/cwe-%u", rule_weaknesses[i].number);
            json_text(json, NULL, tag);
        }
    json_close(json, ']');
    json_close(json, '}');
}

// "sleep-in-atomic" as SleepInAtomic.
static void put_name(Json *json, FindingKind kind) {
    char name[40];
    u32 length = 0;
    bool first = true;
    for (const char *at = kind_word(kind); *at && length + 1 < sizeof name; at++) {
        if (*at != '-')
            name[length++] = (char)(first ? *at - 'a' + 'A' : *at);
        first = *at == '-';
    }
    json_bytes(json, "name", name, length);
}

// As plain text: without the marks of headings and emphasis, and the fences around code.
static void plain_line(Buffer *out, const char *line, size_t size) {
    if (!strncmp(line, "```", 3))
        return;
    size_t at = strspn(line, "#");
    for (at += at && line[at] == ' '; at < size; at++)
        if (line[at] != '`' && strncmp(line + at, "**", 2))
            buffer_byte(out, (u8)line[at]);
        else
            at += line[at] == '*';
    buffer_byte(out, '\n');
}

static void put_help(Json *json, const char *page) {
    Buffer plain = {0};
    for (const char *line = page, *end; (end = strchr(line, '\n')); line = end + 1)
        plain_line(&plain, line, (size_t)(end - line));
    json_open(json, "help", '{');
    json_bytes(json, "text", (const char *)plain.bytes, plain.size);
    json_text(json, "markdown", page);
    json_close(json, '}');
    buffer_free(&plain);
}

// The paragraph under the title, as one line.
static void put_full_description(Json *json, const char *page) {
    Buffer text = {0};
    const char *at = strchr(page, '\n');
    for (at += strspn(at, "\n"); *at && strncmp(at, "\n\n", 2); at++)
        buffer_byte(&text, *at == '\n' ? ' ' : (u8)*at);
    put_text(json, "fullDescription", (const char *)text.bytes, text.size);
    buffer_free(&text);
}

// The page of the closest weakness.
static void put_help_uri(Json *json, FindingKind kind) {
    char text[80];
    for (u32 i = 0; i < COUNT(rule_weaknesses); i++)
        if (rule_weaknesses[i].kind == kind) {
            snprintf(text, sizeof text, "https://cwe.mitre.org/data/definitions/%u.html", rule_weaknesses[i].number);
            json_text(json, "helpUri", text);
            return;
        }
}

static void put_rules(Json *json, const FindingList *findings) {
    json_open(json, "rules", '[');
    for (u32 kind = 0; kind < KIND_COUNT; kind++) {
        const char *text = kind_text((FindingKind)kind);
        json_open(json, NULL, '{');
        json_text(json, "id", kind_word((FindingKind)kind));
        put_name(json, (FindingKind)kind);
        put_text(json, "shortDescription", text, strlen(text));
        put_full_description(json, finding_pages[kind]);
        put_help(json, finding_pages[kind]);
        put_help_uri(json, (FindingKind)kind);
        json_open(json, "defaultConfiguration", '{');
        json_text(json, "level", "warning");
        json_close(json, '}');
        put_relationships(json, (FindingKind)kind);
        put_tags(json, findings, (FindingKind)kind);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_taxonomies(Json *json) {
    static const char about[] = "The Common Weakness Enumeration";
    char text[80];
    json_open(json, "taxonomies", '[');
    json_open(json, NULL, '{');
    json_text(json, "name", "CWE");
    json_text(json, "organization", "MITRE");
    put_text(json, "shortDescription", about, strlen(about));
    json_text(json, "informationUri", "https://cwe.mitre.org/");
    json_bool(json, "isComprehensive", false);
    json_open(json, "taxa", '[');
    for (u32 i = 0; i < COUNT(weaknesses); i++) {
        json_open(json, NULL, '{');
        snprintf(text, sizeof text, "%u", weaknesses[i].number);
        json_text(json, "id", text);
        put_text(json, "shortDescription", weaknesses[i].name, strlen(weaknesses[i].name));
        snprintf(text, sizeof text, "https://cwe.mitre.org/data/definitions/%u.html", weaknesses[i].number);
        json_text(json, "helpUri", text);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

// what was cut short ----------------------------------------------------------------

static const char results_left[] = "results left out", flows_left[] = "results without flows";

// Facts that count something not done; reported when they are not "0".
static const struct {
    const char *fact, *id, *text;
} limits[] = {
    {"files skipped", "files-skipped", "Files that could not be read as C were left out"},
    {"statements lost", "statements-lost", "Statements were not understood"},
    {"expansions cut short", "expansions-cut", "Macros expanded to more than is followed"},
    {"entries past the lockset limit", "lockset-limit",
     "A function was not entered again, having been entered with as many locksets as allowed"},
    {"locksets dropped at crowded blocks", "locksets-dropped", "More locksets met at a place than are told apart"},
    {"searches cut", "searches-cut", "A search through calls ended before it had seen everything"},
    {"call chains cut", "call-chains-cut", "Calls were not followed any deeper"},
    {"calls with too many targets", "calls-too-wide", "A call through a pointer has more targets than are followed"},
    {"circles of locks not looked at", "circles-cut", "More circles of locks than are looked at"},
    {"choices of witnesses cut", "witnesses-cut", "More ways to one circle of locks than are tried"},
    {results_left, "results-left-out",
     "Code hosts take 25,000 results and 10 MB; the report has the rest in other formats"},
    {flows_left, "flows-left-out", "Code hosts take 10 MB"},
    {NULL, "limit", "A limit of the analysis was hit: something may be missing"}, // any fact "cut: ..."
};

static void put_notification_rules(Json *json) {
    json_open(json, "notifications", '[');
    for (u32 i = 0; i < COUNT(limits); i++) {
        json_open(json, NULL, '{');
        json_text(json, "id", limits[i].id);
        put_text(json, "shortDescription", limits[i].text, strlen(limits[i].text));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_notification(Json *json, u32 limit, const char *fact, const char *value) {
    char text[300];
    int length = snprintf(text, sizeof text, "%s: %s. %s.", fact, value, limits[limit].text);
    json_open(json, NULL, '{');
    json_open(json, "descriptor", '{');
    json_text(json, "id", limits[limit].id);
    json_number(json, "index", limit);
    json_close(json, '}');
    json_text(json, "level", limit ? "note" : "warning");
    put_text(json, "message", text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    json_close(json, '}');
}

typedef struct {
    u32 left_out;      // results
    u32 without_flows; // results that have none for their number
} Left;

static void put_invocation(Json *json, const FindingList *findings, const Left *left) {
    char number[16];
    json_open(json, "invocations", '[');
    json_open(json, NULL, '{');
    json_bool(json, "executionSuccessful", true);
    json_open(json, "toolExecutionNotifications", '[');
    for (u32 i = 0; limits[i].fact; i++) {
        const char *value = findings_fact(findings, limits[i].fact);
        u32 counted = limits[i].fact == results_left ? left->left_out
                      : limits[i].fact == flows_left ? left->without_flows
                                                     : 0;
        if (counted) {
            snprintf(number, sizeof number, "%u", counted);
            value = number;
        }
        if (*value && strcmp(value, "0"))
            put_notification(json, i, limits[i].fact, value);
    }
    for (u32 i = 0; i < findings->facts.count; i++)
        if (!strncmp(findings->facts.items[i].name, "cut: ", 5))
            put_notification(json, COUNT(limits) - 1, findings->facts.items[i].name, findings->facts.items[i].value);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

// the run -------------------------------------------------------------------------

static void put_tool(Json *json, const FindingList *findings) {
    static const char about[] = "A static finder of data races and deadlocks in C";
    json_open(json, "tool", '{');
    json_open(json, "driver", '{');
    json_text(json, "name", "racerx");
    json_text(json, "version", RACERX_VERSION);
    json_text(json, "semanticVersion", RACERX_VERSION);
    put_text(json, "shortDescription", about, strlen(about));
    json_text(json, "language", "en");
    put_rules(json, findings);
    put_notification_rules(json);
    json_open(json, "supportedTaxonomies", '[');
    put_taxonomy_reference(json, NULL);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, '}');
}

// What code hosts take is 25,000 results and 10 MB of gzip: past so many packed bytes flows are left out, past so many
// more results are. They are packed quickly here, which makes them a little more than they will be.
#define RESULTS_MOST 25000
#define FLOWS_BYTES 8000000u
#define RESULTS_BYTES 9300000u

typedef struct {
    z_stream stream;
    size_t read; // of the log
} Packing;

static size_t packed_bytes(Packing *self, const Buffer *log) { // so far
    u8 packed[1 << 14];
    self->stream.next_in = log->bytes + self->read;
    self->stream.avail_in = (uInt)(log->size - self->read);
    self->read = log->size;
    do {
        self->stream.next_out = packed;
        self->stream.avail_out = sizeof packed;
        if (deflate(&self->stream, Z_NO_FLUSH) == Z_STREAM_ERROR)
            die("zlib cannot pack");
    } while (!self->stream.avail_out);
    return self->stream.total_out;
}

static Left put_results(Sarif *self, const FindingList *findings, const ReportOptions *options) {
    Left left = {0};
    Packing packing = {.read = self->json.out->size};
    check(deflateInit(&packing.stream, 4) == Z_OK);
    json_open(&self->json, "results", '[');
    for (u32 i = 0, shown = 0; i < findings->items.count && (!options->most || shown < options->most); i++) {
        if (!finding_shown(findings->items.items[i], options))
            continue;
        size_t bytes = packed_bytes(&packing, self->json.out);
        shown++;
        if (shown > RESULTS_MOST || bytes > RESULTS_BYTES) {
            left.left_out++;
            continue;
        }
        left.without_flows += !options->no_flows && bytes > FLOWS_BYTES;
        self->no_flows = options->no_flows || bytes > FLOWS_BYTES;
        sarif_result(self, findings->items.items[i]);
    }
    deflateEnd(&packing.stream);
    json_close(&self->json, ']');
    return left;
}

// Every file that a result speaks of. Their names begin at id 1.
static void put_artifacts(Sarif *self) {
    Buffer uri = {0};
    json_open(&self->json, "artifacts", '[');
    for (u32 i = 1; i < self->files.entries.count; i++) {
        const char *path = intern_text(&self->files, i);
        uri.size = 0;
        sarif_uri(&uri, path);
        json_open(&self->json, NULL, '{');
        json_open(&self->json, "location", '{');
        json_bytes(&self->json, "uri", (const char *)uri.bytes, uri.size);
        if (*path != '/')
            json_text(&self->json, "uriBaseId", "SRCROOT");
        json_close(&self->json, '}');
        json_text(&self->json, "sourceLanguage", "c");
        json_close(&self->json, '}');
    }
    json_close(&self->json, ']');
    buffer_free(&uri);
}

static void put_facts(Json *json, const FindingList *findings) {
    json_open(json, "properties", '{');
    for (u32 i = 0; i < findings->facts.count; i++)
        json_text(json, findings->facts.items[i].name, findings->facts.items[i].value);
    json_close(json, '}');
}

// One category of alerts for each tree: another upload of the same tree replaces the one before.
static void put_automation(Json *json, const FindingList *findings) {
    const char *analysed = findings_fact(findings, "analysed"), *slash = strrchr(analysed, '/');
    Buffer id = {0};
    buffer_text(&id, "racerx/");
    sarif_uri(&id, slash && slash[1] ? slash + 1 : analysed);
    buffer_text(&id, "/");
    json_open(json, "automationDetails", '{');
    json_bytes(json, "id", (const char *)id.bytes, id.size);
    json_close(json, '}');
    buffer_free(&id);
}

static void put_run(Sarif *self, const FindingList *findings, const ReportOptions *options) {
    static const char root[] =
        "The directory that was analysed; of several, the parent of each; of a single file, where it is";
    Json *json = &self->json;
    put_tool(json, findings);
    put_taxonomies(json);
    put_automation(json, findings);
    json_open(json, "originalUriBaseIds", '{');
    json_open(json, "SRCROOT", '{');
    put_text(json, "description", root, strlen(root));
    json_close(json, '}');
    json_close(json, '}');
    json_text(json, "columnKind", "utf16CodeUnits");
    json_text(json, "defaultSourceLanguage", "c");
    Left left = put_results(self, findings, options);
    put_invocation(json, findings, &left);
    put_artifacts(self);
    put_facts(json, findings);
}

void report_sarif(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Sarif self = {.json = {.out = out, .lines = 5}, .sources = options->sources};
    intern_add(&self.files, "", 0);
    self.compared = options->known != NULL;
    for (u32 i = 0; options->known && i < options->known->items.count; i++) {
        const char *id = options->known->items.items[i]->id;
        map_put(&self.known, hash_bytes(id, strlen(id), 0), NULL);
    }
    json_open(&self.json, NULL, '{');
    json_text(&self.json, "$schema",
              "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
    json_text(&self.json, "version", "2.1.0");
    json_open(&self.json, "runs", '[');
    json_open(&self.json, NULL, '{');
    put_run(&self, findings, options);
    json_close(&self.json, '}');
    json_close(&self.json, ']');
    json_close(&self.json, '}');
    buffer_byte(out, '\n');
    intern_free(&self.files);
    map_free(&self.known);
}
