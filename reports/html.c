// html.c: one page for a browser, complete in itself: docs/html.md.
// In: a sorted list, and the sources for excerpts. Out: HTML with its style, its script, and everything it shows;
// nothing is fetched from anywhere. Readable without the script: all rows, and the first findings in full; the details
// of the others are packed (html_pack.c) and unpacked when they are opened. A browser with the script takes <noscript>
// as one text, which costs it nothing: ten thousand rows open as fast as three hundred.
#include "reports/html.h"

#define ROWS                                                                                                           \
    300 // findings whose rows the browser makes at once; more are in <noscript>, and the script makes them when needed
#define WHOLE 150              // of these, findings whose details are in the page as text,
#define WHOLE_BYTES (3u << 20) // unless they are so many bytes before that
#define SERVED_WHOLE 20        // the same of a page that can ask for the others

static bool is_listed(const Page *self, const Finding *finding) { return finding_shown(finding, self->options); }

static u32 count_shown(const Page *self) {
    u32 count = 0;
    for (u32 i = 0; i < self->findings->items.count; i++)
        count += is_listed(self, self->findings->items.items[i]);
    return self->options->most && self->options->most < count ? self->options->most : count;
}

// the head -----------------------------------------------------------------------

// The last name of what was analysed.
static const char *subject(const Page *self) {
    const char *analysed = findings_fact(self->findings, "analysed"), *slash = strrchr(analysed, '/');
    if (!*analysed)
        return "findings";
    return slash && slash[1] && !strchr(analysed, ',') ? slash + 1 : analysed;
}

static void put_head(Page *self) {
    const ReportOptions *options = self->options;
    const char *analysed = findings_fact(self->findings, "analysed");
    buffer_text(self->out, "<!DOCTYPE html>\n<html lang=\"en\"");
    if (options->served) {
        buffer_format(self->out, " data-served=\"1\" data-rows=\"%u\" data-token=\"", self->shown);
        html_text(self->out, options->token ? options->token : "");
        buffer_byte(self->out, '"');
    }
    buffer_format(self->out,
                  " data-subject=\"%016llx\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                  "http-equiv=\"Content-Security-Policy\" content=\"",
                  (unsigned long long)hash_bytes(analysed, strlen(analysed), 5));
    report_html_policy(options->served, self->out);
    buffer_text(self->out,
                "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
                "name=\"color-scheme\" content=\"light dark\">\n"
                "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_text(self->out, subject(self));
    buffer_format(self->out, ": %u finding%s</title>\n<style>%s</style>\n</head>\n<body>\n", self->shown,
                  self->shown == 1 ? "" : "s", page_css);
}

static bool is_under(const Finding *finding) { return finding->below_line || *finding->suppressed; }

static void put_amount(Buffer *out, const char *before, u32 count, const char *after) {
    buffer_text(out, before);
    html_count(out, count);
    buffer_text(out, after);
}

static void put_counts(Page *self) {
    u32 all = self->findings->items.count, listed = 0, under = 0, out = 0;
    for (u32 i = 0; i < all; i++) {
        const Finding *finding = self->findings->items.items[i];
        bool here = is_listed(self, finding) && listed < self->shown;
        listed += here;
        under += here && is_under(finding);
        out += !here;
    }
    buffer_text(self->out, "<b>");
    if (self->shown)
        html_count(self->out, self->shown - under);
    buffer_format(self->out, "%s finding%s</b>", self->shown ? "" : "No", self->shown - under == 1 ? "" : "s");
    if (under)
        put_amount(self->out, ", and ", under, " under the ranking’s line or suppressed");
    if (out)
        put_amount(self->out, "; ", out,
                   " more are left out: under the ranking’s line, suppressed, filtered or past <code>--top</code>");
}

static void put_title(Page *self) {
    const char *version = findings_fact(self->findings, "version");
    buffer_text(self->out, "<header class=\"top\"><div><h1>");
    html_text(self->out, subject(self));
    buffer_text(self->out, "</h1><p>");
    put_counts(self);
    buffer_text(self->out, ".</p></div><nav aria-label=\"Parts\"><a href=\"#findings\">Findings</a> <a "
                           "href=\"#guards\">Guards</a></nav><p class=\"by\">racerx ");
    html_text(self->out, version);
    buffer_text(self->out, "<br>data races and deadlocks</p></header>\n");
}

// the list -------------------------------------------------------------------------

static void put_kind_choices(Page *self) {
    u32 counts[KIND_COUNT] = {0};
    for (u32 i = 0; i < self->findings->items.count; i++)
        counts[self->findings->items.items[i]->kind] += is_listed(self, self->findings->items.items[i]);
    buffer_text(self->out, "<option value=\"\">any kind</option>");
    for (u32 i = 0; i < KIND_COUNT; i++)
        if (counts[i])
            buffer_format(self->out, "<option value=\"%s\">%s (%u)</option>", kind_word((FindingKind)i),
                          kind_word((FindingKind)i), counts[i]);
}

static void put_verdict_choices(Page *self) {
    buffer_text(self->out, "<option value=\"\">any verdict</option><option value=\"none\">not judged</option><option "
                           "value=\"some\">judged</option>");
    for (u32 i = VERDICT_NONE + 1; i < VERDICT_COUNT; i++)
        buffer_format(self->out, "<option value=\"%s\">%s</option>", verdict_word((Verdict)i),
                      verdict_word((Verdict)i));
}

static void put_toolbar(Page *self) {
    buffer_text(self->out, "<div class=\"toolbar script\" role=\"search\" aria-label=\"Filter and sort\">"
                           "<input type=\"search\" id=\"search\" placeholder=\"Search\" aria-label=\"Search in names, "
                           "places and messages\" autocomplete=\"off\" spellcheck=\"false\">"
                           "<select id=\"kind\" aria-label=\"Kind\">");
    put_kind_choices(self);
    buffer_text(self->out, "</select><select id=\"judged\" aria-label=\"Verdict\">");
    put_verdict_choices(self);
    buffer_text(self->out,
                "</select><input type=\"text\" id=\"file\" placeholder=\"File, e.g. src/*.c\" aria-label=\"File: part "
                "of the path, or a pattern with *\" autocomplete=\"off\" spellcheck=\"false\">"
                "<select id=\"sort\" aria-label=\"Sort by\"><option value=\"rank\">by rank</option><option "
                "value=\"file\">by file</option>"
                "<option value=\"object\">by object</option><option value=\"kind\">by kind</option><option "
                "value=\"verdict\">by verdict</option></select>"
                "<label id=\"line\" hidden><input type=\"checkbox\" id=\"under\"> <span></span></label>"
                "<button type=\"button\" id=\"export\">Export</button><button type=\"button\" id=\"help\" "
                "aria-label=\"Keys\">?</button>"
                "<p id=\"status\" role=\"status\"></p></div>\n");
}

static void put_note(Page *self) {
    if (self->options->served)
        buffer_text(self->out, "<p class=\"script note\">Verdicts are saved in the database at once. <label>Your name: "
                               "<input id=\"reviewer\" autocomplete=\"off\" size=\"14\" maxlength=\"80\"></label> "
                               "<span id=\"link\"></span></p>\n");
    else if (self->shown)
        buffer_text(
            self->out,
            "<p class=\"script note\">Verdicts given here stay in this browser; they are <b>not in the database</b>. "
            "Export gives them as <code>racerx mark</code> commands, <code>racerx review</code> saves them as you go. "
            "<span id=\"link\"></span></p>\n");
    if (self->whole < self->shown)
        buffer_format(self->out,
                      "<p class=\"plain note\">Without JavaScript the first %u findings can be opened, and the others "
                      "are one line each.</p>\n",
                      self->whole);
}

static void put_list(Page *self) {
    u32 listed = 0;
    size_t begin = self->out->size;
    buffer_text(self->out,
                "<div class=\"row head\" aria-hidden=\"true\"><span class=\"rank\">#</span><span "
                "class=\"score\">score</span><span class=\"kind\">kind</span><span class=\"what\">what</span><span "
                "class=\"where\">where</span><span class=\"verdict\">verdict</span></div>\n<div id=\"list\">\n");
    for (u32 i = 0; i < self->findings->items.count && listed < self->shown; i++) {
        const Finding *finding = self->findings->items.items[i];
        if (!is_listed(self, finding))
            continue;
        bool whole = listed < self->whole;
        if (self->options->served && listed >= ROWS)
            break; // the page asks for them
        buffer_text(self->out, listed == ROWS ? "<noscript id=\"rows\">\n" : "");
        html_row(self, finding, whole);
        if (whole)
            html_details(self, finding);
        buffer_text(self->out, "</details>\n");
        listed++;
        if (whole && self->out->size - begin > WHOLE_BYTES)
            self->whole = listed;
    }
    buffer_text(self->out, listed > ROWS && !self->options->served ? "</noscript>\n" : "");
    buffer_text(self->out, "</div>\n<p class=\"script\"><button type=\"button\" id=\"more\" hidden></button></p>\n");
}

static void put_findings(Page *self) {
    buffer_text(self->out, "<section class=\"findings\" id=\"findings\"><h2>Findings</h2>\n");
    if (!self->shown) {
        buffer_text(self->out, "<p class=\"empty\">Nothing to review. What was analysed, and what could not be seen, "
                               "is said above.</p></section>\n");
        return;
    }
    put_toolbar(self);
    Buffer *out = self->out, list = {0};
    self->out = &list; // how many are whole is known afterwards
    put_list(self);
    self->out = out;
    put_note(self);
    buffer_put(out, list.bytes, list.size);
    buffer_free(&list);
    buffer_text(out, "</section>\n");
}

// The details of what comes after the whole ones, in packs of PACK_PARTS.
static void put_packs(Page *self) {
    Buffer *out = self->out, parts = {0};
    u32 listed = 0, number = 0;
    for (u32 i = 0; i < self->findings->items.count && listed < self->shown; i++) {
        const Finding *finding = self->findings->items.items[i];
        if (!is_listed(self, finding) || listed++ < self->whole)
            continue;
        self->out = &parts;
        html_details(self, finding);
        buffer_byte(&parts, PACK_SEPARATOR);
        self->out = out;
        if ((listed - self->whole) % PACK_PARTS && listed < self->shown)
            continue;
        html_pack(out, "pack-", number++, &parts);
        parts.size = 0;
    }
    buffer_free(&parts);
}

void report_html(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Page page = {.findings = findings, .options = options, .out = out};
    page.shown = count_shown(&page);
    u32 whole = options->served ? SERVED_WHOLE : WHOLE;
    page.whole = page.shown < whole ? page.shown : whole;
    put_head(&page);
    put_title(&page);
    buffer_text(out, "<main>\n");
    html_overview(&page);
    html_guards(&page);
    put_findings(&page);
    buffer_text(out, "</main>\n");
    if (!options->served)
        put_packs(&page);
    buffer_format(out, "<script>%s</script>\n</body>\n</html>\n", page_js);
    lexed_free(&page);
}

void report_html_rows(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Page page = {.findings = findings, .options = options, .out = out};
    page.shown = count_shown(&page);
    for (u32 i = 0, listed = 0; i < findings->items.count && listed < page.shown; i++) {
        if (!is_listed(&page, findings->items.items[i]) || listed++ < ROWS)
            continue;
        html_row(&page, findings->items.items[i], false);
        buffer_text(out, "</details>\n");
    }
    lexed_free(&page);
}

void report_html_details(const FindingList *findings, const Finding *finding, const ReportOptions *options,
                         Buffer *out) {
    Page page = {.findings = findings, .options = options, .out = out};
    html_details(&page, finding);
    lexed_free(&page);
}
