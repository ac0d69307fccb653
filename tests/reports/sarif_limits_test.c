// sarif_limits_test.c: a log that code hosts take, however much was found. GitHub's published limits: 10 MB of gzip,
// 25,000 results, 1,000 locations and 10,000 steps of flows for a result, 20 tags for a rule.
#include "racerx/findings/findings.h"
#include "reports/reports.h"

#include <jansson.h>
#include <zlib.h>

enum { FINDINGS = 25500, CHAIN = 12, SITES = 2 };

static u64 state = 7;
static u32 random_number(u32 below) { // the same on every machine
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(state >> 33) % below;
}

// As a kernel's: words of a few thousand, put together.
static const char *name(FindingList *list, const char *after) {
    return findings_text(list, "w%u_w%u%s", random_number(3000), random_number(3000), after);
}

static void fill(FindingList *list) {
    findings_begin(list);
    for (u32 i = 0; i < FINDINGS; i++) {
        Finding *finding = findings_add(list, i % 3 ? KIND_RACE : KIND_DEADLOCK);
        finding->message = findings_text(list, "%s is written here", name(list, ""));
        finding->object = name(list, ".member");
        finding->score = i % 11 - 5.0;
        finding->share = 0.6;
        for (u32 s = 0; s < SITES; s++) {
            Site *site = finding_add_site(list, finding, ROLE_UNPROTECTED_WRITE, name(list, ""), name(list, ".c"),
                                          random_number(5000) + 1, 5);
            for (u32 c = 0; c < CHAIN; c++)
                site_add_call(list, site, name(list, ""), name(list, ".c"), random_number(5000) + 1);
            site_add_lock(list, site, name(list, ".lock"), name(list, ".c"), 3);
        }
    }
    findings_sort(list);
}

static size_t packed_size(const Buffer *out) {
    uLongf size = compressBound((uLong)out->size);
    u8 *packed = must_alloc(size);
    check(compress2(packed, &size, out->bytes, (uLong)out->size, 6) == Z_OK);
    free(packed);
    return size;
}

static json_t *get(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    check(value);
    return value;
}

static void check_result(json_t *result, bool flows) {
    json_t *flow, *related = json_object_get(result, "relatedLocations");
    size_t i, steps = 0;
    check(json_array_size(get(result, "locations")) <= 1000 && json_array_size(related) <= 1000);
    check(json_object_get(get(result, "partialFingerprints"), "primaryLocationLineHash"));
    check(flows || !json_object_get(result, "codeFlows"));
    if (!json_object_get(result, "codeFlows"))
        return;
    json_array_foreach(get(json_array_get(get(result, "codeFlows"), 0), "threadFlows"), i, flow) {
        steps += json_array_size(get(flow, "locations"));
        check(json_array_size(get(flow, "locations")) <= 2 + 3 + 2 + 1); // of a dozen calls
    }
    check(steps <= 10000);
}

static void check_log(const FindingList *list, const ReportOptions *options, u32 wanted) {
    Buffer out = {0};
    size_t i;
    json_t *rule, *result;
    report_sarif(list, options, &out);
    printf("%zu bytes, %zu packed\n", out.size, packed_size(&out));
    check(packed_size(&out) <= 10000000);
    json_t *log = json_loadb((const char *)out.bytes, out.size, JSON_REJECT_DUPLICATES, NULL);
    check(log && json_array_size(get(log, "runs")) == 1);
    json_t *run = json_array_get(get(log, "runs"), 0), *results = get(run, "results");
    check(json_array_size(results) <= 25000 && (!wanted || json_array_size(results) == wanted));
    json_array_foreach(results, i, result) check_result(result, !options->no_flows);
    json_array_foreach(get(get(get(run, "tool"), "driver"), "rules"), i, rule) {
        check(json_array_size(get(get(rule, "properties"), "tags")) <= 10);
        check(!strncmp(json_string_value(get(rule, "helpUri")), "https://", 8));
        check(get(get(rule, "properties"), "precision"));
    }
    // What was left out is said.
    char *said = json_dumps(get(run, "invocations"), 0);
    check(wanted || strstr(said, "results left out: "));
    // So is every limit of the analysis, by its own words.
    check(strstr(said, "cut: members on the way to a place, more than 10: 7. "));
    check(strstr(said, "circles of locks not looked at: 3. "));
    free(said);
    json_decref(log);
    buffer_free(&out);
}

int main(void) {
    FindingList list;
    fill(&list);
    findings_add_fact(&list, "cut: members on the way to a place, more than 10", "7");
    findings_add_fact(&list, "circles of locks not looked at", "3");
    check_log(&list, &(ReportOptions){.all = true}, 0);
    check_log(&list, &(ReportOptions){.all = true, .no_flows = true}, 0);
    check_log(&list, &(ReportOptions){.all = true, .most = 40}, 40);
    findings_free(&list);
    return 0;
}
