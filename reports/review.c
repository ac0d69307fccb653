// review.c: what `racerx review` says to its page, and what it hears from it, as JSON.
// In: a ranked list with verdicts, the log of verdicts; bytes from the network. Out: JSON; a verdict that can be
// trusted to be one.
//
// What is heard is read by a library and then taken key by key: whatever is unknown, doubled, too long, of another
// type, not UTF-8 or not printable is refused, so that no report has to cope with it later.
#include "reports/reports.h"

#include <jansson.h>
#include <math.h>

// saying --------------------------------------------------------------------------

static void put_string(Buffer *out, const char *key, const char *text) {
    buffer_text(out, key);
    buffer_json(out, text, strlen(text));
}

Progress progress_count(const FindingList *findings) {
    static const ReportOptions shown = {0};
    Progress out = {0};
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        out.reviewed += finding->verdict != VERDICT_NONE;
        out.of += finding->verdict != VERDICT_NONE || finding_shown(finding, &shown);
        out.real += finding->verdict == VERDICT_CONFIRMED || finding->verdict == VERDICT_MINOR;
        out.mistaken += finding->verdict == VERDICT_FALSE;
    }
    return out;
}

double progress_precision(const Progress *self) {
    u32 decided = self->real + self->mistaken;
    return decided ? (double)self->real / decided : NAN;
}

static void put_progress(Buffer *out, const FindingList *findings) {
    Progress progress = progress_count(findings);
    double precision = progress_precision(&progress);
    buffer_format(out,
                  "\"progress\":{\"reviewed\":%u,\"of\":%u,\"real\":%u,\"false\":%u,\"precision\":", progress.reviewed,
                  progress.of, progress.real, progress.mistaken);
    if (isnan(precision))
        buffer_text(out, "null}");
    else
        buffer_format(out, "%.4g}", precision);
}

static int compare_logged(const void *a, const void *b) {
    return strcmp(((const LoggedVerdict *)a)->id, ((const LoggedVerdict *)b)->id);
}

// The first row of this id, or the end.
static const LoggedVerdict *first_of(const LoggedVerdictArray *log, const char *id) {
    u32 low = 0, high = log->count;
    LoggedVerdict wanted = {.id = id};
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (compare_logged(&log->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return log->items + low;
}

static bool named_before(const LoggedVerdict *first, const LoggedVerdict *at) {
    for (; first < at; first++)
        if (!strcmp(first->reviewer, at->reviewer))
            return true;
    return false;
}

// Everybody who said something of it and gave a name, once each.
static void put_reviewers(Buffer *out, const LoggedVerdictArray *log, const char *id) {
    const LoggedVerdict *first = first_of(log, id), *end = log->items + log->count;
    const char *comma = "";
    buffer_text(out, ",\"reviewers\":[");
    for (const LoggedVerdict *at = first; at < end && !strcmp(at->id, id); at++)
        if (*at->reviewer && !named_before(first, at)) {
            put_string(out, comma, at->reviewer);
            comma = ",";
        }
    buffer_byte(out, ']');
}

static void put_finding(Buffer *out, const Finding *finding, const LoggedVerdictArray *log) {
    char share[16];
    put_string(out, "{\"id\":", finding->id);
    buffer_format(out, ",\"rank\":%u,\"score\":%.15g,\"below_line\":%s", finding->rank, finding->score,
                  finding->below_line ? "true" : "false");
    if (finding->verdict)
        put_string(out, ",\"verdict\":", verdict_word(finding->verdict));
    else
        buffer_text(out, ",\"verdict\":null");
    put_string(out, ",\"note\":", finding->note);
    put_reviewers(out, log, finding->id);
    buffer_text(out, ",\"reasons\":[");
    for (u32 i = 0; i < finding->reasons.count; i++) {
        buffer_format(out, "%s{\"points\":%.15g", i ? "," : "", finding->reasons.items[i].points);
        put_string(out, ",\"text\":", finding->reasons.items[i].text);
        buffer_byte(out, '}');
    }
    share_text(finding->share, share);
    put_string(out, "],\"share\":", share);
    buffer_byte(out, '}');
}

void report_state(const FindingList *findings, const LoggedVerdictArray *log, u32 generation, Buffer *out) {
    i64 sequence = 0;
    for (u32 i = 0; i < log->count; i++)
        sequence = log->items[i].sequence > sequence ? log->items[i].sequence : sequence;
    buffer_format(out, "{\"sequence\":%lld,\"generation\":%u,\"findings\":[", (long long)sequence, generation);
    for (u32 i = 0; i < findings->items.count; i++) {
        buffer_text(out, i ? ",\n" : "\n");
        put_finding(out, findings->items.items[i], log);
    }
    buffer_text(out, "],\n");
    put_progress(out, findings);
    buffer_text(out, "}\n");
}

static void put_history(const GivenVerdictArray *history, Buffer *out) {
    buffer_text(out, "\"history\":[");
    for (u32 i = 0; i < history->count; i++) {
        const GivenVerdict *given = &history->items[i];
        buffer_format(out, "%s{\"sequence\":%lld", i ? "," : "", (long long)given->sequence);
        put_string(out, ",\"verdict\":", verdict_word(given->verdict));
        put_string(out, ",\"note\":", given->note);
        put_string(out, ",\"reviewer\":", given->reviewer);
        buffer_format(out, ",\"time\":%lld}", (long long)given->time);
    }
    buffer_byte(out, ']');
}

void report_history(const GivenVerdictArray *history, Buffer *out) {
    buffer_byte(out, '{');
    put_history(history, out);
    buffer_text(out, "}\n");
}

static const GivenVerdict *find_given(const GivenVerdictArray *history, i64 sequence) {
    for (u32 i = 0; i < history->count; i++)
        if (history->items[i].sequence == sequence)
            return &history->items[i];
    return NULL;
}

// Nameless reviewers may be anybody, so they are somebody else.
static bool others_judged(const GivenVerdictArray *history, const GivenVerdict *mine, i64 seen) {
    for (u32 i = 0; seen >= 0 && i < history->count; i++) {
        const GivenVerdict *given = &history->items[i];
        if (given != mine && given->sequence > seen && (!*given->reviewer || strcmp(given->reviewer, mine->reviewer)))
            return true;
    }
    return false;
}

void report_given(const GivenVerdictArray *history, i64 sequence, i64 seen, Buffer *out) {
    const GivenVerdict *mine = find_given(history, sequence);
    buffer_format(out, "{\"sequence\":%lld,", (long long)sequence);
    put_history(history, out);
    buffer_format(out, ",\"others\":%s}\n", mine && others_judged(history, mine, seen) ? "true" : "false");
}

// hearing -------------------------------------------------------------------------

// What a terminal or an editor would obey instead of showing: control characters, of ASCII and of Latin 1. It is UTF-8.
static bool has_controls(const char *text, bool lines) {
    for (const u8 *at = (const u8 *)text; *at; at++) {
        bool is_line = lines && (*at == '\n' || *at == '\t');
        if ((*at < 32 && !is_line) || *at == 127 || (*at == 0xc2 && at[1] < 0xa0))
            return true;
    }
    return false;
}

typedef struct {
    const char *name;
    char *to;    // where it goes
    size_t most; // bytes of it
    bool must;   // it may not be missing
    bool lines;  // it may have more than one
} TextKey;

static bool read_text(const json_t *object, const TextKey *key, char why[160]) {
    const json_t *value = json_object_get(object, key->name);
    *key->to = 0;
    if (!value && !key->must)
        return true;
    if (!json_is_string(value))
        snprintf(why, 160, "\"%s\" must be a string", key->name);
    else if (json_string_length(value) > key->most)
        snprintf(why, 160, "\"%s\" is longer than %zu bytes", key->name, key->most);
    else if (has_controls(json_string_value(value), key->lines))
        snprintf(why, 160, "\"%s\" has control characters", key->name);
    else {
        memcpy(key->to, json_string_value(value), json_string_length(value) + 1);
        return true;
    }
    return false;
}

static bool read_seen(const json_t *object, VerdictRequest *out, char why[160]) {
    const json_t *value = json_object_get(object, "seen");
    out->seen = -1;
    if (value && (!json_is_integer(value) || json_integer_value(value) < 0)) {
        snprintf(why, 160, "\"seen\" must be a number of api/state");
        return false;
    }
    if (value)
        out->seen = json_integer_value(value);
    return true;
}

static bool read_object(json_t *object, VerdictRequest *out, char why[160]) {
    char word[16];
    const TextKey keys[] = {{"id", out->id, sizeof out->id - 1, true, false},
                            {"verdict", word, sizeof word - 1, true, false},
                            {"note", out->note, NOTE_BYTES, false, true},
                            {"reviewer", out->reviewer, REVIEWER_BYTES, false, false}};
    const json_t *group = json_object_get(object, "group");
    size_t known = (json_object_get(object, "seen") != NULL) + (group != NULL);
    if (group && !json_is_boolean(group)) {
        snprintf(why, 160, "\"group\" must be true or false");
        return false;
    }
    out->group = json_is_true(group);
    if (!read_seen(object, out, why))
        return false;
    for (u32 i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!read_text(object, &keys[i], why))
            return false;
        known += json_object_get(object, keys[i].name) != NULL;
    }
    if (known != json_object_size(object)) {
        snprintf(why, 160, "it takes id, verdict, note, reviewer, seen and group, nothing else");
        return false;
    }
    if (verdict_by_word(word, &out->verdict))
        return true;
    snprintf(why, 160, "there is no such verdict: it is confirmed, unconfirmed, minor, false, or \"\" to take it back");
    return false;
}

bool read_verdict(const u8 *json, size_t size, VerdictRequest *out, char why[160]) {
    json_error_t error;
    json_t *object = json_loadb((const char *)json, size, JSON_REJECT_DUPLICATES, &error);
    bool good = json_is_object(object);
    if (!object)
        snprintf(why, 160, "this is no JSON: %.100s", error.text);
    else if (!good)
        snprintf(why, 160, "a JSON object is wanted");
    good = good && read_object(object, out, why);
    json_decref(object);
    return good;
}
