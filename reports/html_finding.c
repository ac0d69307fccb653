// html_finding.c: a finding on the page: its row in the list, and what opens under it.
// The details read as a story: what is wrong, what is believed, both sides beside each other, what is done elsewhere,
// why it ranks where it does, how to silence it. The page's script adds what a reviewer does to it.
#include "reports/html.h"

#include <math.h>

#define SIDES_MOST 2 // shown beside each other; a deadlock shows all of its parties
#define PARTIES_MOST 6
#define EVIDENCE_MOST 5
#define CHAIN_MOST 24  // functions of a call chain
#define LOCKS_MOST 12  // held ones that are named
#define PLACES_MOST 40 // further places of a finding
#define POINTS_MOST 16 // in one excerpt

// the row -----------------------------------------------------------------------

static bool feature(const Finding *finding, const char *name, double *number) {
    for (u32 i = 0; i < finding->features.count; i++)
        if (!strcmp(finding->features.items[i].name, name) && !finding->features.items[i].text &&
            isfinite(finding->features.items[i].number)) {
            *number = finding->features.items[i].number;
            return true;
        }
    return false;
}

// How many places hold the lock that should be held.
static void put_hint(Buffer *out, const Finding *finding) {
    double with, without;
    if (!kind_has(finding->kind, SHAPE_SIDES) || !*finding->lock || !feature(finding, "s_lock", &with) ||
        !feature(finding, "f_lock", &without) || with < 1 || without < 0 || with + without > UINT32_MAX)
        return;
    buffer_format(out, " <span class=\"hint\">%u of %u under ", (u32)with, (u32)(with + without));
    html_text(out, finding->lock);
    buffer_text(out, "</span>");
}

static void put_what(Buffer *out, const Finding *finding) {
    bool order = kind_has(finding->kind, SHAPE_CIRCLE) && *finding->lock;
    if (order) {
        html_name(out, finding->lock);
        buffer_text(out, " <span class=\"to\">→</span> ");
    }
    if (*finding->object)
        html_name(out, finding->object);
    else
        html_text(out, *finding->message ? finding->message : kind_text(finding->kind));
    if (!order && finding->objects.count > 1)
        buffer_format(out, " <span class=\"faint\">and %u more</span>", finding->objects.count - 1);
    put_hint(out, finding);
}

void html_row(Page *self, const Finding *finding, bool whole) {
    Buffer *out = self->out;
    char share[16];
    buffer_format(out, "<details class=\"f%s%s%s%s\" id=\"f-", whole ? "" : " later",
                  finding->is_sibling ? " sibling" : "", finding->below_line || *finding->suppressed ? " under" : "",
                  *finding->suppressed ? " silenced" : "");
    html_text(out, finding->id);
    buffer_format(out, "\" data-kind=\"%s\" data-score=\"%.10g\"", kind_word(finding->kind),
                  isfinite(finding->score) ? finding->score : 0);
    if (*finding->group) {
        buffer_text(out, " data-group=\"");
        html_text(out, finding->group);
        buffer_byte(out, '"');
    }
    if (finding->verdict)
        buffer_format(out, " data-verdict=\"%s\"", verdict_word(finding->verdict));
    if (*finding->note) {
        buffer_text(out, " data-note=\"");
        html_bytes(out, finding->note, strlen(finding->note));
        buffer_byte(out, '"');
    }
    buffer_format(out, "><summary><span class=\"rank\">%u</span><span class=\"score\"", finding->rank);
    share_text(finding->share, share);
    if (*share)
        buffer_format(out, " data-share=\"%s\"", share);
    buffer_byte(out, '>');
    html_number(out, finding->score, false);
    buffer_format(out, "</span><span class=\"kind\">%s</span><span class=\"what\">", kind_word(finding->kind));
    put_what(out, finding);
    buffer_text(out, "</span><span class=\"where\">");
    html_place(out, finding->file, finding->line);
    buffer_text(out, " <span class=\"in\">");
    html_text(out, finding->function);
    buffer_format(out, "</span></span><span class=\"verdict\">%s</span></summary>", verdict_word(finding->verdict));
}

// what a side does --------------------------------------------------------------

static PointKind point_kind(SiteRole role) {
    switch (role) {
    case ROLE_ACQUIRE:
    case ROLE_RELEASE:
    case ROLE_WAIT: return POINT_LOCK;
    case ROLE_CALL:
    case ROLE_BLOCK: return POINT_CALL;
    case ROLE_RETURN: return POINT_RETURN;
    default: return POINT_ACCESS;
    }
}

static bool is_access(SiteRole role) { return role <= ROLE_WRONG_LOCK_WRITE; }

// Said before, of the same place: the text of two locks of one name is no news.
static bool is_repeated(const Site *site, u32 index) {
    const HeldLock *held = &site->lockset.items[index];
    for (u32 i = 0; i < index; i++)
        if (!strcmp(site->lockset.items[i].name, held->name) && site->lockset.items[i].line == held->line &&
            !strcmp(site->lockset.items[i].file, held->file))
            return true;
    return false;
}

static void put_lock(Buffer *out, const Site *site, const HeldLock *held) {
    html_name(out, held->name);
    if (!held->line)
        return;
    buffer_text(out, " <span class=\"faint\">taken at ");
    html_place(out, strcmp(held->file, site->file) ? held->file : "", held->line);
    buffer_text(out, "</span>");
}

static void put_held(Buffer *out, const Site *site) {
    u32 said = 0, left = 0;
    if (!site->lockset.count)
        buffer_text(out, is_access(site->role) ? ", <em class=\"bare\">no lock held</em>" : "");
    for (u32 i = 0; i < site->lockset.count; i++) {
        if (is_repeated(site, i))
            continue;
        if (said == LOCKS_MOST) {
            left++;
            continue;
        }
        buffer_text(out, said++ ? ", " : ", holding ");
        put_lock(out, site, &site->lockset.items[i]);
    }
    if (left)
        buffer_format(out, " and %u more", left);
}

static void put_operation(Buffer *out, const Site *site) {
    bool alone = site->role == ROLE_BLOCK && !*site->object; // the verb wants something after it
    buffer_text(out, alone ? "may sleep here" : role_verb(site->role));
    if (*site->object && (site->role != ROLE_RETURN || !site->lockset.count)) {
        buffer_byte(out, ' ');
        html_name(out, site->object);
    }
    put_held(out, site);
    if (*site->note) {
        buffer_text(out, ", ");
        html_text(out, site->note);
    }
}

static void put_link(Buffer *out, const Site *site, u32 index) {
    const ChainLink *link = &site->callchain.items[index];
    html_name(out, link->function);
    if (!link->line)
        return;
    buffer_byte(out, ' ');
    html_place(out, strcmp(link->file, site->file) ? link->file : "", link->line);
}

// From the root down to the site's function.
static void put_chain(Buffer *out, const Site *site) {
    u32 count = site->callchain.count, cut = count > CHAIN_MOST ? count - CHAIN_MOST : 0;
    if (count < 2 && !site->conditionals)
        return;
    buffer_text(out, "<p class=\"chain\">");
    for (u32 i = 0; count > 1 && i < count; i++) {
        buffer_text(out, i ? " <span class=\"to\">›</span> " : "");
        if (cut && i == CHAIN_MOST / 2) {
            buffer_format(out, "<em>%u more</em> <span class=\"to\">›</span> ", cut);
            i += cut;
        }
        put_link(out, site, i);
    }
    if (site->conditionals)
        buffer_format(out, "<span class=\"faint\">%s%u condition%s on the way</span>", count > 1 ? "; " : "",
                      site->conditionals, site->conditionals == 1 ? "" : "s");
    buffer_text(out, "</p>");
}

static u32 add_points(const Site *site, const char *file, Point *points, u32 count) {
    if (count < POINTS_MOST && !strcmp(site->file, file))
        points[count++] = (Point){site->line, site->column, point_kind(site->role)};
    for (u32 i = 0; i < site->lockset.count && count < POINTS_MOST; i++)
        if (site->lockset.items[i].line && !strcmp(site->lockset.items[i].file, file))
            points[count++] = (Point){site->lockset.items[i].line, 0, POINT_TAKEN};
    return count;
}

// Operations of one party: said one by one, those in one file with one excerpt.
static void put_sites(Page *self, const Site *sites, u32 count) {
    Point points[POINTS_MOST];
    for (u32 i = 0; i < count;) {
        u32 gathered = 0;
        const char *file = sites[i].file;
        do {
            buffer_text(self->out, "<p class=\"op\"><b>");
            html_text(self->out, sites[i].function);
            buffer_text(self->out, "</b> ");
            html_place(self->out, sites[i].file, sites[i].line);
            buffer_text(self->out, " ");
            put_operation(self->out, &sites[i]);
            buffer_text(self->out, "</p>");
            put_chain(self->out, &sites[i]);
            gathered = add_points(&sites[i], file, points, gathered);
        } while (++i < count && !strcmp(sites[i].file, file));
        html_excerpt(self, file, points, gathered);
    }
}

// sides -------------------------------------------------------------------------

static u32 end_of_side(const Finding *finding, u32 from) {
    u32 end = from + 1;
    while (end < finding->sites.count && finding->sites.items[end].side == finding->sites.items[from].side)
        end++;
    return end;
}

static void put_letter(Buffer *out, u32 side) {
    buffer_format(out, "<span class=\"letter\">%c</span> ", side < 26 ? 'A' + (int)side : '+');
}

static void put_further(Page *self, const Finding *finding, u32 from) {
    u32 count = finding->sites.count - from, most = count < PLACES_MOST ? count : PLACES_MOST;
    if (!count)
        return;
    buffer_format(self->out, "<details class=\"more\"><summary>%u more place%s</summary><ul>", count,
                  count == 1 ? "" : "s");
    for (u32 i = from; i < from + most; i++) {
        const Site *site = &finding->sites.items[i];
        buffer_text(self->out, "<li>");
        put_letter(self->out, site->side);
        html_name(self->out, site->function);
        buffer_byte(self->out, ' ');
        html_place(self->out, site->file, site->line);
        buffer_byte(self->out, ' ');
        put_operation(self->out, site);
        html_source_line(self, site->file, (Point){site->line, site->column, point_kind(site->role)});
        put_chain(self->out, site);
        buffer_text(self->out, "</li>");
    }
    if (most < count)
        buffer_format(self->out, "<li class=\"faint\">and %u that are not listed here</li>", count - most);
    buffer_text(self->out, "</ul></details>");
}

static void put_sides(Page *self, const Finding *finding) {
    bool cycle = kind_has(finding->kind, SHAPE_PICTURE);
    u32 at = 0, most = cycle ? PARTIES_MOST : SIDES_MOST;
    bool lettered = finding->sites.count && end_of_side(finding, 0) < finding->sites.count;
    buffer_text(self->out, "<div class=\"sides\">");
    for (u32 side = 0; side < most && at < finding->sites.count; side++) {
        u32 end = end_of_side(finding, at);
        buffer_text(self->out, "<section>");
        if (lettered)
            put_letter(self->out, finding->sites.items[at].side);
        put_sites(self, &finding->sites.items[at], end - at);
        buffer_text(self->out, "</section>");
        at = end;
    }
    buffer_text(self->out, "</div>");
    put_further(self, finding, at);
}

// the belief -----------------------------------------------------------------------

static void put_share(Buffer *out, const Finding *finding, const char *keys[3], const char *lock) {
    double with, without, z;
    if (!feature(finding, keys[0], &with) || !feature(finding, keys[1], &without) || with + without < 2 || with < 0 ||
        without < 0 || with + without > UINT32_MAX)
        return;
    buffer_text(out, "<div class=\"belief\">");
    html_share(out, (u32)with, (u32)without);
    buffer_format(out, "<span><b>%u of %u</b> places hold ", (u32)with, (u32)(with + without));
    if (lock)
        html_name(out, lock);
    else
        buffer_text(out, "some lock");
    if (feature(finding, keys[2], &z)) {
        buffer_text(out, " <span class=\"faint\">z = ");
        html_fixed(out, z, 1);
        buffer_text(out, "</span>");
    }
    buffer_text(out, "</span></div>");
}

static void put_belief(Buffer *out, const Finding *finding) {
    if (!kind_has(finding->kind, SHAPE_SIDES))
        return;
    double with = -1, without = -1, any = -1, none = -1;
    if (*finding->lock)
        put_share(out, finding, (const char *[]){"s_lock", "f_lock", "z_lock"}, finding->lock);
    bool told = *finding->lock && feature(finding, "s_lock", &with) && feature(finding, "f_lock", &without) &&
                feature(finding, "s_any", &any) && feature(finding, "f_any", &none) && with == any && without == none;
    if (told) // it would be the same bar again
        return;
    put_share(out, finding, (const char *[]){"s_any", "f_any", "z_any"}, NULL);
}

static void put_evidence(Page *self, const Finding *finding) {
    u32 count = finding->evidence.count;
    if (!count)
        return;
    buffer_text(self->out, "<section><h3>Elsewhere</h3><ul class=\"evidence\">");
    for (u32 i = 0; i < count && i < EVIDENCE_MOST; i++) {
        const Site *site = &finding->evidence.items[i];
        buffer_text(self->out, "<li>");
        html_name(self->out, site->function);
        buffer_byte(self->out, ' ');
        html_place(self->out, site->file, site->line);
        buffer_byte(self->out, ' ');
        put_operation(self->out, site);
        html_source_line(self, site->file, (Point){site->line, site->column, point_kind(site->role)});
        buffer_text(self->out, "</li>");
    }
    if (count > EVIDENCE_MOST)
        buffer_format(self->out, "<li class=\"faint\">and %u more</li>", count - EVIDENCE_MOST);
    buffer_text(self->out, "</ul></section>");
}

// why, and how to silence ---------------------------------------------------------------

static void put_reasons(Buffer *out, const Finding *finding) {
    buffer_text(out, "<section><h3>Why it ranks here</h3><table class=\"reasons\"><tbody>");
    for (u32 i = 0; i < finding->reasons.count; i++) {
        buffer_text(out, "<tr><td>");
        html_number(out, finding->reasons.items[i].points, true);
        buffer_text(out, "</td><td>");
        html_text(out, finding->reasons.items[i].text);
        buffer_text(out, "</td></tr>");
    }
    buffer_text(out, "</tbody><tfoot><tr><td>");
    html_number(out, finding->score, false);
    char share[16];
    share_text(finding->share, share);
    buffer_format(out, "</td><td>score%s%s%s</td></tr></tfoot></table></section>", *share ? ": " : "", share,
                  finding->below_line ? ", under the ranking’s line" : "");
}

static void put_silence(Buffer *out, const Finding *finding) {
    buffer_text(out, "<section class=\"silence\"><h3>What would silence it</h3>");
    if (*finding->suppressed) {
        buffer_text(out, "<p>It is suppressed: ");
        html_text(out, finding->suppressed);
        buffer_text(out, "</p>");
    }
    buffer_text(out, "<p>In the database:<code class=\"line\">racerx mark ");
    html_text(out, finding->id);
    buffer_text(out, " false &#39;REASON&#39;</code></p><p>In the source, at the end of ");
    html_place(out, finding->file, finding->line);
    buffer_format(out, " or on a line above it:<code class=\"line\">/* racerx: ignore %s REASON */</code></p>",
                  kind_word(finding->kind));
    buffer_format(out,
                  "<p>In racerx.suppress at the top of the tree:<code class=\"line\">%s id=", kind_word(finding->kind));
    html_text(out, finding->id);
    buffer_text(out, "  # REASON</code></p></section>");
}

static void put_objects(Buffer *out, const Finding *finding) {
    if (finding->objects.count < 2 || kind_has(finding->kind, SHAPE_CIRCLE))
        return;
    buffer_text(out, "<p class=\"objects\">In the same section: ");
    for (u32 i = 0; i < finding->objects.count && i < PLACES_MOST; i++) {
        buffer_text(out, i ? ", " : "");
        html_name(out, finding->objects.items[i]);
    }
    if (finding->objects.count > PLACES_MOST)
        buffer_format(out, " and %u more", finding->objects.count - PLACES_MOST);
    buffer_text(out, "</p>");
}

// As in a terminal: it is a log, and made of short lines.
static void put_witness(Buffer *out, const Finding *finding) {
    Buffer lines = {0};
    ReportOptions options = {.width = 100};
    if (!finding->witness)
        return;
    report_witness(finding, finding->witness, &options, &lines);
    buffer_byte(&lines, 0);
    buffer_text(out, "<section class=\"witness\"><h3>Seen in a run</h3><pre>");
    for (char *line = (char *)lines.bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        html_text(out, line);
        buffer_byte(out, '\n');
    }
    buffer_text(out, "</pre></section>");
    buffer_free(&lines);
}

void html_details(Page *self, const Finding *finding) {
    Buffer *out = self->out;
    buffer_text(out, "<div class=\"body\"><p class=\"message\">");
    html_text(out, *finding->message ? finding->message : kind_text(finding->kind));
    buffer_text(out, ".</p>");
    if (finding->verdict) {
        buffer_format(out, "<p class=\"given\">Verdict: <b>%s</b>, %s", verdict_word(finding->verdict),
                      verdict_text(finding->verdict));
        buffer_text(out, *finding->note ? ". " : "");
        html_text(out, finding->note);
        buffer_text(out, "</p>");
    }
    put_objects(out, finding);
    put_belief(out, finding);
    html_cycle(out, finding);
    put_sides(self, finding);
    put_witness(out, finding);
    buffer_text(out, "<div class=\"columns\">");
    put_reasons(out, finding);
    put_evidence(self, finding);
    put_silence(out, finding);
    buffer_text(out, "</div></div>");
}
