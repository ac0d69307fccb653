// html_overview.c: the first page: what was analysed and how well, what was found, which lock guards what.
#include "reports/html.h"

#include <math.h>

#define GUARDS_SHOWN 50  // as text
#define GUARDS_MOST 3000 // packed; beyond that `racerx guards` has them
#define EXCEPTIONS_MOST 5

// what was found ------------------------------------------------------------------

static void put_kinds(Page *self) {
    u32 counts[KIND_COUNT] = {0}, under[KIND_COUNT] = {0}, most = 1;
    for (u32 i = 0; i < self->findings->items.count; i++) {
        const Finding *finding = self->findings->items.items[i];
        ++*(finding->below_line || *finding->suppressed ? &under[finding->kind] : &counts[finding->kind]);
        most = counts[finding->kind] > most ? counts[finding->kind] : most;
    }
    buffer_text(self->out, "<table class=\"kinds\"><thead><tr><th>kind</th><th>found</th><th "
                           "class=\"wide\"></th><th>under the line</th></tr></thead><tbody>");
    for (u32 i = 0; i < KIND_COUNT; i++) {
        buffer_format(self->out, "<tr%s><th><span title=\"%s\">%s</span></th><td>",
                      counts[i] + under[i] ? "" : " class=\"zero\"", kind_text((FindingKind)i),
                      kind_word((FindingKind)i));
        html_count(self->out, counts[i]);
        buffer_text(self->out, "</td><td class=\"wide\">");
        if (counts[i])
            buffer_format(self->out,
                          "<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                          "aria-hidden=\"true\"><rect class=\"amount\" width=\"%.2f\" height=\"8\"/></svg>",
                          fmax(100.0 * counts[i] / most, 0.8));
        buffer_text(self->out, "</td><td class=\"faint\">");
        html_count(self->out, under[i]);
        buffer_text(self->out, "</td></tr>");
    }
    buffer_text(self->out, "</tbody></table>");
}

// what was analysed -----------------------------------------------------------------

// Facts that say how much was not seen.
static bool is_limit(const char *name) {
    static const char *const names[] = {"files skipped",
                                        "not understood",
                                        "statements lost",
                                        "expansions cut short",
                                        "entries past the lockset limit",
                                        "locksets dropped at crowded blocks",
                                        "searches cut",
                                        "call chains cut",
                                        "calls with too many targets",
                                        "circles of locks not looked at",
                                        "choices of witnesses cut"};
    for (u32 i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return !strncmp(name, "cut: ", 5);
}

static bool is_zero(const char *value) { return strspn(value, "0., %") == strlen(value); }

static const char *title(const char *name) {
    return !strcmp(name, "not understood") ? "of function bodies not understood" : name;
}

static void put_facts(Page *self, bool limits) {
    u32 hit = 0, listed = 0;
    buffer_text(self->out, "<dl>");
    for (u32 i = 0; i < self->findings->facts.count; i++) {
        const Fact *fact = &self->findings->facts.items[i];
        if (is_limit(fact->name) != limits)
            continue;
        bool zero = limits && is_zero(fact->value);
        hit += !zero;
        listed++;
        buffer_format(self->out, "<div%s><dt>", zero ? " class=\"zero\"" : limits ? " class=\"hit\"" : "");
        html_text(self->out, title(fact->name));
        buffer_text(self->out, "</dt><dd>");
        html_text(self->out, fact->value);
        buffer_text(self->out, "</dd></div>");
    }
    buffer_text(self->out, "</dl>");
    if (limits && listed && !hit)
        buffer_text(self->out, "<p class=\"faint\">Everything was read and no limit was hit.</p>");
    if (!listed)
        buffer_text(self->out, "<p class=\"faint\">The database does not say: it was made by an earlier version.</p>");
}

void html_overview(Page *self) {
    buffer_text(self->out, "<section class=\"overview\" aria-label=\"Overview\"><section><h2>Found</h2>");
    put_kinds(self);
    buffer_text(self->out, "</section><section><h2>Scores</h2>");
    if (self->findings->items.count) {
        html_scores(self);
        buffer_text(self->out, "<p class=\"faint\">Findings by score; the pale ones are under the ranking’s line.</p>");
    } else
        buffer_text(self->out, "<p class=\"faint\">There is nothing to plot.</p>");
    buffer_text(self->out, "</section><section class=\"facts\"><h2>Analysed</h2>");
    put_facts(self, false);
    buffer_text(self->out, "</section><section class=\"facts limits\"><h2>Not seen</h2>");
    put_facts(self, true);
    buffer_text(self->out, "</section></section>\n");
}

// guards -----------------------------------------------------------------------------

static void put_exceptions(Buffer *out, const GuardRow *row) {
    u32 most = row->exceptions.count < EXCEPTIONS_MOST ? row->exceptions.count : EXCEPTIONS_MOST;
    if (!row->without) {
        buffer_text(out, "<td class=\"faint\">none</td>");
        return;
    }
    buffer_text(out, "<td>");
    if (most)
        buffer_text(out, "<details class=\"more\"><summary>");
    buffer_format(out, "%u line%s", row->lines, row->lines == 1 ? "" : "s");
    buffer_text(out, most ? "</summary><ul>" : "");
    for (u32 i = 0; i < most; i++) {
        const GuardException *one = &row->exceptions.items[i];
        buffer_text(out, "<li>");
        html_name(out, one->function);
        buffer_format(out, " %s at ", role_verb(one->role));
        html_place(out, one->file, one->line);
        buffer_format(out, "%s</li>",
                      one->role == ROLE_WRONG_LOCK_READ || one->role == ROLE_WRONG_LOCK_WRITE ? ", under another lock"
                                                                                              : "");
    }
    if (most && row->lines > most)
        buffer_format(out, "<li class=\"faint\">and %u more</li>", row->lines - most);
    buffer_text(out, most ? "</ul></details></td>" : "</td>");
}

static void put_guard(Buffer *out, const GuardRow *row) {
    buffer_text(out, "<tr><td>");
    html_name(out, row->object);
    buffer_text(out, "</td><td>");
    html_name(out, row->lock);
    buffer_text(out, "</td><td class=\"wide\">");
    html_share(out, row->with, row->without);
    buffer_format(out, "</td><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">", row->with, row->without);
    html_fixed(out, row->z, 2);
    buffer_text(out, "</td>");
    put_exceptions(out, row);
    buffer_text(out, "</tr>\n");
}

static const char guards_head[] = "<thead><tr><th>object</th><th>guarded by</th><th class=\"wide\"></th><th "
                                  "class=\"n\"><abbr title=\"places that hold the lock\">S</abbr></th>"
                                  "<th class=\"n\"><abbr title=\"places that do not\">F</abbr></th><th "
                                  "class=\"n\"><abbr title=\"how sure the belief is\">z</abbr></th>"
                                  "<th>without it</th></tr></thead>";

static void put_packed_guards(Page *self, u32 from, u32 to) {
    Buffer rows = {0};
    for (u32 i = from; i < to; i++)
        put_guard(&rows, &self->findings->guards.items[i]);
    buffer_format(self->out,
                  "<p class=\"script\"><button type=\"button\" id=\"more-guards\">Show %u more</button></p>\n",
                  to - from);
    html_pack(self->out, "guards-", 0, &rows);
    buffer_free(&rows);
}

void html_guards(Page *self) {
    u32 count = self->findings->guards.count, shown = count < GUARDS_SHOWN ? count : GUARDS_SHOWN;
    u32 most = count < GUARDS_MOST ? count : GUARDS_MOST;
    buffer_text(
        self->out,
        "<details class=\"guards\" id=\"guards\"><summary><h2>Which lock guards what</h2> <span class=\"faint\">");
    html_count(self->out, count);
    buffer_format(self->out, " object%s</span></summary>", count == 1 ? "" : "s");
    if (!count)
        buffer_text(self->out, "<p class=\"faint\">No object is accessed under a lock in one place and accessed again "
                               "in another: no belief could be inferred.</p>");
    else
        buffer_format(self->out,
                      "<p class=\"faint\">Inferred from the places of the text that access an object: S hold the lock, "
                      "F do not, z says how sure the belief is. "
                      "The surest first.</p><table>%s<tbody id=\"guard-rows\">\n",
                      guards_head);
    for (u32 i = 0; i < shown; i++)
        put_guard(self->out, &self->findings->guards.items[i]);
    buffer_text(self->out, count ? "</tbody></table>\n" : "");
    if (most > shown)
        put_packed_guards(self, shown, most);
    if (count > shown)
        buffer_format(self->out, "<p class=\"faint%s\">%u more: <code>racerx guards</code> lists all.</p>",
                      count > most ? "" : " plain", count - (count > most ? most : shown));
    buffer_text(self->out, "</details>\n");
}
