// sarif_result.c: a finding as a SARIF result.
// In: a finding. Out: a `result`: where, the way of each thread to its part in it, what else to look at, what reviewers
// said.
//
// A thread flow is the story of one side: the calls from the root down, each lock where it is taken, at last the access
// or the operation. executionOrder lets the last steps of all sides happen together, after everything else. Of a long
// way only the calls at both ends are steps, and those in whose function a lock is taken: the others are counted in the
// step before them. Lines of the source stand where they are read: at the place itself, and at what is essential.
#include "reports/sarif.h"

#include <math.h>

#define SHARE_ERROR 0.5 // from here on a finding is an error: it is rather true than not
#define SCORE_ERROR 10  // likewise, where the ranking says no share

const char *finding_level(const Finding *finding) {
    if (finding->below_line)
        return "note";
    bool sure = finding->share >= 0 ? finding->share >= SHARE_ERROR : finding->score >= SCORE_ERROR;
    return sure ? "error" : "warning";
}

// Between 0 and 100, and always in the order of the scores.
static double result_rank(double score) { return 50 * (1 + score / (10 + fabs(score))); }

// sentences -----------------------------------------------------------------------

static void put_held(Buffer *out, const Site *site) {
    for (u32 i = 0; i < site->lockset.count; i++)
        buffer_format(out, "%s%s", i ? ", " : " holding ", site->lockset.items[i].name);
}

// "writes rtc_status holding rtc_lock, …"
static void site_sentence(Buffer *out, const Site *site) {
    out->size = 0;
    buffer_text(out, role_verb(site->role));
    if (*site->object)
        buffer_format(out, " %s", site->object);
    put_held(out, site);
    if (*site->note)
        buffer_format(out, ", %s", site->note);
    buffer_byte(out, 0);
}

// flows ---------------------------------------------------------------------------

typedef struct {
    SarifPlace place;
    u32 level;         // of nesting: calls above it
    const char *kinds; // the words of SARIF for it, separated by a space
    bool essential;
} FlowStep;
typedef struct {
    Array(FlowStep) steps;
    Arena arena; // of their messages
} CodeFlow;

static const char *role_kinds(SiteRole role) {
    switch (role) {
    case ROLE_ACQUIRE: return "acquire lock";
    case ROLE_RELEASE: return "release lock";
    case ROLE_CALL:
    case ROLE_WAIT:
    case ROLE_BLOCK: return "call function";
    case ROLE_RETURN: return "return function";
    default: return "memory";
    }
}

static void add_step(CodeFlow *self, SarifPlace place, u32 level, const char *kinds, bool essential) {
    array_push(&self->steps, ((FlowStep){place, level, kinds, essential}));
}

static const char *flow_text(CodeFlow *self, const char *before, const char *name) {
    size_t size = strlen(before) + strlen(name);
    char *text = arena_alloc(&self->arena, size + 1);
    sprintf(text, "%s%s", before, name);
    return text;
}

static void add_site(CodeFlow *self, const Site *site, u32 level, bool essential) {
    Buffer text = {0};
    site_sentence(&text, site);
    SarifPlace place = {
        site->file, site->line, site->column, site->function, flow_text(self, "", (const char *)text.bytes),
        0,          0,          !essential};
    add_step(self, place, level, role_kinds(site->role), essential);
    buffer_free(&text);
}

// The side's own operation: the one that control was followed to. What else the side has came before it.
static const Site *main_site(const Finding *finding, u32 side) {
    const Site *found = NULL;
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        if (site->side == side && (!found || (site->callchain.count && !found->callchain.count)))
            found = site;
    }
    return found;
}

static bool is_same_place(const Site *site, const HeldLock *held) {
    return site->line == held->line && !strcmp(site->file, held->file);
}

// Which function of the chain took a lock that only its line is known of? The one that goes on from the nearest line
// below.
static u32 level_of_line(const Site *main, const HeldLock *held) {
    u32 last = main->callchain.count ? main->callchain.count - 1 : 0, level = last, nearest = UINT32_MAX;
    for (u32 i = 0; i <= last; i++) {
        const char *file = i == last ? main->file : main->callchain.items[i].file;
        u32 line = i == last ? main->line : main->callchain.items[i].line;
        if (strcmp(file, held->file) || line < held->line || line - held->line >= nearest)
            continue;
        nearest = line - held->line;
        level = i;
    }
    return level;
}

static u32 level_of_function(const Site *main, const char *function) {
    for (u32 i = 0; i < main->callchain.count; i++)
        if (!strcmp(main->callchain.items[i].function, function))
            return i;
    return main->callchain.count ? main->callchain.count - 1 : 0;
}

// What this side took in the function at this level of the chain.
static void add_taken(CodeFlow *self, const Finding *finding, const Site *main, u32 level) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        if (site != main && site->side == main->side && level_of_function(main, site->function) == level)
            add_site(self, site, level, true);
    }
    for (u32 k = 0; k < main->lockset.count; k++) {
        const HeldLock *held = &main->lockset.items[k];
        bool known = !held->line || level_of_line(main, held) != level;
        for (u32 i = 0; !known && i < finding->sites.count; i++)
            known = finding->sites.items[i].side == main->side && is_same_place(&finding->sites.items[i], held);
        for (u32 i = 0; !known && i < k; i++) // one call may take two
            known = main->lockset.items[i].line == held->line && !strcmp(main->lockset.items[i].file, held->file);
        if (!known)
            add_step(self,
                     (SarifPlace){held->file, held->line, 0, "", flow_text(self, "takes ", held->name), 0, 0, false},
                     level, "acquire lock", true);
    }
}

#define FLOW_FIRST 2 // calls of a long way that are steps, at its beginning
#define FLOW_LAST 3  // and at its end

// "calls f", or "calls f, and 4 calls on g".
static const char *call_text(CodeFlow *self, const ChainLink *link, u32 folded) {
    char between[48];
    if (!folded)
        return flow_text(self, "calls ", link[1].function);
    snprintf(between, sizeof between, ", and %u call%s on ", folded, folded == 1 ? "" : "s");
    return flow_text(self, flow_text(self, flow_text(self, "calls ", link[1].function), between),
                     link[1 + folded].function);
}

static void fill_flow(CodeFlow *self, const Finding *finding, const Site *main) {
    u32 last = main->callchain.count ? main->callchain.count - 1 : 0;
    for (u32 i = 0, next; i < last; i = next) {
        const ChainLink *link = &main->callchain.items[i];
        add_taken(self, finding, main, i);
        u32 at = self->steps.count;
        add_step(self, (SarifPlace){link->file, link->line, 0, link->function, "", 0, 0, true}, i, "call function",
                 false);
        for (next = i + 1; i + 1 >= FLOW_FIRST && next + FLOW_LAST < last; next++) {
            u32 before = self->steps.count;
            add_taken(self, finding, main, next);
            if (self->steps.count != before) {
                self->steps.count = before; // it is a step of its own: the round for it adds them
                break;
            }
        }
        self->steps.items[at].place.message = call_text(self, link, next - i - 1);
    }
    add_taken(self, finding, main, last);
    add_site(self, main, last, true);
}

static void put_words(Sarif *self, const char *key, const char *words) {
    json_open(&self->json, key, '[');
    for (size_t size; *words; words += size + (words[size] == ' ')) {
        size = strcspn(words, " ");
        json_bytes(&self->json, NULL, words, size);
    }
    json_close(&self->json, ']');
}

static void put_flow(Sarif *self, const CodeFlow *flow, u32 side, u32 longest) {
    char name[16];
    if (side < 26)
        snprintf(name, sizeof name, "%c", 'A' + (int)side);
    else
        snprintf(name, sizeof name, "%u", side);
    json_open(&self->json, NULL, '{');
    json_text(&self->json, "id", name);
    json_open(&self->json, "locations", '[');
    for (u32 i = 0; i < flow->steps.count; i++) {
        const FlowStep *step = &flow->steps.items[i];
        bool last = i + 1 == flow->steps.count;
        json_open(&self->json, NULL, '{');
        sarif_place(self, "location", &step->place);
        put_words(self, "kinds", step->kinds);
        json_number(&self->json, "nestingLevel", step->level);
        json_number(&self->json, "executionOrder", last ? longest : i + 1);
        json_text(&self->json, "importance", step->essential ? "essential" : "important");
        json_close(&self->json, '}');
    }
    json_close(&self->json, ']');
    json_close(&self->json, '}');
}

// Of a race the pair; the other accesses are related locations.
static bool has_flow(const Finding *finding, const Site *site) {
    return !kind_has(finding->kind, SHAPE_SIDES) || site->side < 2;
}

static void put_flows(Sarif *self, const Finding *finding) {
    Array(CodeFlow) flows = {0};
    u32 longest = 0;
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        if (!has_flow(finding, site) || main_site(finding, site->side) != site)
            continue;
        array_push(&flows, (CodeFlow){0});
        fill_flow(&flows.items[flows.count - 1], finding, site);
        u32 count = flows.items[flows.count - 1].steps.count;
        longest = count > longest ? count : longest;
    }
    if (flows.count) {
        json_open(&self->json, "codeFlows", '[');
        json_open(&self->json, NULL, '{');
        json_open(&self->json, "threadFlows", '[');
        for (u32 i = 0; i < flows.count; i++)
            put_flow(self, &flows.items[i], i, longest);
        json_close(&self->json, ']');
        json_close(&self->json, '}');
        json_close(&self->json, ']');
    }
    for (u32 i = 0; i < flows.count; i++) {
        array_free(&flows.items[i].steps);
        arena_free(&flows.items[i].arena);
    }
    array_free(&flows);
}

// places --------------------------------------------------------------------------

static void put_location(Sarif *self, const Finding *finding) {
    SarifPlace place = {finding->file, finding->line, 0, finding->function, "", 0, 2, false};
    if (finding->sites.count)
        place.column = finding->sites.items[0].column;
    json_open(&self->json, "locations", '[');
    sarif_place(self, NULL, &place);
    json_close(&self->json, ']');
}

static void put_related_site(Sarif *self, const Site *site, const char *before, u32 id) {
    Buffer text = {0}, whole = {0};
    site_sentence(&text, site);
    buffer_format(&whole, "%s%s %s", before, site->function, (const char *)text.bytes);
    buffer_byte(&whole, 0);
    SarifPlace place = {site->file, site->line, site->column, site->function, (const char *)whole.bytes, id, 0, true};
    sarif_place(self, NULL, &place);
    buffer_free(&text);
    buffer_free(&whole);
}

static bool is_site(const Finding *finding, const Site *evidence) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        if (site->line == evidence->line && site->column == evidence->column && !strcmp(site->file, evidence->file))
            return true;
    }
    return false;
}

static void put_related(Sarif *self, const Finding *finding) {
    u32 id = 0;
    if (finding->sites.count < 2 && !finding->evidence.count)
        return;
    json_open(&self->json, "relatedLocations", '[');
    for (u32 i = 1; i < finding->sites.count; i++)
        put_related_site(self, &finding->sites.items[i], "", ++id);
    for (u32 i = 0; i < finding->evidence.count; i++)
        if (!is_site(finding, &finding->evidence.items[i]))
            put_related_site(self, &finding->evidence.items[i], "elsewhere: ", ++id);
    json_close(&self->json, ']');
}

// verdicts ------------------------------------------------------------------------

static void put_suppression(Sarif *self, const char *kind, const char *why) {
    json_open(&self->json, NULL, '{');
    json_text(&self->json, "kind", kind);
    json_text(&self->json, "status", "accepted");
    json_text(&self->json, "justification", why);
    json_close(&self->json, '}');
}

// It begins with its place: a comment is in a file of the finding, a line of a suppression file is not.
static bool is_in_source(const Finding *finding) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        size_t length = strlen(finding->sites.items[i].file);
        if (length && !strncmp(finding->suppressed, finding->sites.items[i].file, length) &&
            finding->suppressed[length] == ':')
            return true;
    }
    return false;
}

// An empty list says that nobody suppressed it; none at all would say that nobody knows.
static void put_suppressions(Sarif *self, const Finding *finding) {
    json_open(&self->json, "suppressions", '[');
    if (*finding->suppressed)
        put_suppression(self, is_in_source(finding) ? "inSource" : "external", finding->suppressed);
    if (finding->verdict == VERDICT_FALSE || finding->verdict == VERDICT_MINOR) {
        Buffer why = {0};
        buffer_format(&why, "%s: %s%s%s", verdict_word(finding->verdict), verdict_text(finding->verdict),
                      *finding->note ? ". " : "", finding->note);
        buffer_byte(&why, 0);
        put_suppression(self, "external", (const char *)why.bytes);
        buffer_free(&why);
    }
    json_close(&self->json, ']');
}

// what the ranking goes by ----------------------------------------------------------

static void put_features(Sarif *self, const Finding *finding) {
    json_open(&self->json, "features", '{');
    for (u32 i = 0; i < finding->features.count; i++) {
        const Feature *feature = &finding->features.items[i];
        if (feature->text)
            json_text(&self->json, feature->name, feature->text);
        else
            json_number(&self->json, feature->name, feature->number);
    }
    json_close(&self->json, '}');
    json_open(&self->json, "reasons", '[');
    for (u32 i = 0; i < finding->reasons.count; i++) {
        json_open(&self->json, NULL, '{');
        json_number(&self->json, "points", finding->reasons.items[i].points);
        json_text(&self->json, "text", finding->reasons.items[i].text);
        json_close(&self->json, '}');
    }
    json_close(&self->json, ']');
}

static void put_properties(Sarif *self, const Finding *finding) {
    json_open(&self->json, "properties", '{');
    json_number(&self->json, "place", finding->rank);
    json_number(&self->json, "score", finding->score);
    json_bool(&self->json, "belowLine", finding->below_line);
    json_text(&self->json, "object", finding->object);
    json_open(&self->json, "objects", '[');
    for (u32 i = 0; i < finding->objects.count; i++)
        json_text(&self->json, NULL, finding->objects.items[i]);
    json_close(&self->json, ']');
    json_text(&self->json, "lock", finding->lock);
    json_text(&self->json, "group", finding->group);
    if (finding->share >= 0)
        json_number(&self->json, "share", finding->share);
    if (finding->verdict) {
        json_text(&self->json, "verdict", verdict_word(finding->verdict));
        json_text(&self->json, "note", finding->note);
    }
    if (finding->witness) {
        json_text(&self->json, "witness", outcome_word(finding->witness->outcome));
        json_text(&self->json, "witnessed", finding->witness->note);
    }
    put_features(self, finding);
    json_close(&self->json, '}');
}

static bool sarif_is_known(const Sarif *self, const Finding *finding) {
    return map_get(&self->known, hash_bytes(finding->id, strlen(finding->id), 0)) != NULL;
}

void sarif_result(Sarif *self, const Finding *finding) {
    json_open(&self->json, NULL, '{');
    json_text(&self->json, "ruleId", kind_word(finding->kind));
    json_number(&self->json, "ruleIndex", finding->kind);
    json_text(&self->json, "kind", "fail");
    json_text(&self->json, "level", finding_level(finding));
    sarif_message(self, "message", *finding->message ? finding->message : kind_text(finding->kind));
    put_location(self, finding);
    json_open(&self->json, "partialFingerprints", '{');
    char version[32];
    snprintf(version, sizeof version, "racerxFingerprint/v%d", FINGERPRINT_VERSION);
    json_text(&self->json, version, finding->id);
    // Code hosts follow an alert by this one alone: our ids outlive moved lines, a hash of the line would not.
    snprintf(version, sizeof version, "%s:1", finding->id);
    json_text(&self->json, "primaryLocationLineHash", version);
    json_close(&self->json, '}');
    if (self->compared)
        json_text(&self->json, "baselineState", sarif_is_known(self, finding) ? "unchanged" : "new");
    json_number(&self->json, "rank", result_rank(finding->score));
    if (!self->no_flows)
        put_flows(self, finding);
    put_related(self, finding);
    put_suppressions(self, finding);
    put_properties(self, finding);
    json_close(&self->json, '}');
}
