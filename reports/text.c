// text.c: findings for people: what, where, both sides with their call chains, and why it ranks there.
// In: a sorted FindingList. Out: lines of at most the terminal's width (a path is never broken, so that it can
// be clicked), in colour only when told so (writer.c).
#include "reports/writer.h"

enum {
    CHAIN_NEAREST = 3, // callers shown of a long chain, besides the root
    CHAIN_WHOLE = 6,   // a chain of no more callers is shown whole
    EVIDENCE_SHOWN = 3,
    LINES_SHOWN = 5, // of further places that do the same
};

// findings --------------------------------------------------------------------

static void put_lockset(Writer *self, const Site *site) {
    for (u32 i = 0; i < site->lockset.count; i++) {
        const HeldLock *held = &site->lockset.items[i];
        writer_text(self, STYLE_PLAIN, i ? ", " : " holding ");
        writer_name(self, STYLE_STRONG, held->name);
        if (!held->line)
            continue;
        writer_text(self, STYLE_PLAIN, " (taken at ");
        writer_place(self, strcmp(held->file, site->file) ? held->file : "", held->line);
        writer_text(self, STYLE_PLAIN, ")");
    }
}

void writer_operation(Writer *self, const Site *site) {
    writer_name(self, STYLE_STRONG, site->function);
    writer_text(self, STYLE_PLAIN, " ");
    writer_place(self, site->file, site->line);
    writer_format(self, STYLE_PLAIN, " %s ", role_verb(site->role));
    if (site->role != ROLE_RETURN || !site->lockset.count) // what a return takes along is what it holds
        writer_name(self, STYLE_STRONG, site->object);
    put_lockset(self, site);
    if (*site->note) {
        writer_text(self, STYLE_PLAIN, ", ");
        writer_text(self, STYLE_PLAIN, site->note);
    }
}

static void put_caller(Writer *self, const Site *site, u32 index, const char *before) {
    const ChainLink *link = &site->callchain.items[index];
    writer_text(self, STYLE_PLAIN, before);
    writer_name(self, STYLE_PLAIN, link->function);
    if (!link->line)
        return;
    writer_text(self, STYLE_PLAIN, " ");
    writer_place(self, strcmp(link->file, site->file) ? link->file : "", link->line);
}

// The nearest caller first: that is how it is read from the site upwards.
static void put_chain(Writer *self, const Site *site) {
    u32 callers = site->callchain.count ? site->callchain.count - 1 : 0;
    for (u32 i = 0; i < callers; i++) {
        if (callers > CHAIN_WHOLE && i == CHAIN_NEAREST) {
            writer_format(self, STYLE_FAINT, ", … %u more …", callers - CHAIN_NEAREST - 1);
            i = callers - 1;
        }
        put_caller(self, site, callers - 1 - i, i ? ", from " : "called from ");
    }
    if (site->conditionals)
        writer_format(self, STYLE_FAINT, "%s%u condition%s on the way", callers ? "; " : "", site->conditionals,
                      site->conditionals == 1 ? "" : "s");
}

// The same by the same function on the same way with the same locks, some lines further on.
static bool same_but_line(const Site *a, const Site *b) {
    bool same = a->role == b->role && a->callchain.count == b->callchain.count &&
                a->lockset.count == b->lockset.count && !strcmp(a->function, b->function) &&
                !strcmp(a->file, b->file) && !strcmp(a->object, b->object) && !strcmp(a->note, b->note);
    for (u32 i = 0; same && i < a->lockset.count; i++)
        same = !strcmp(a->lockset.items[i].name, b->lockset.items[i].name);
    for (u32 i = 0; same && i < a->callchain.count; i++)
        same = a->callchain.items[i].line == b->callchain.items[i].line &&
               !strcmp(a->callchain.items[i].function, b->callchain.items[i].function);
    return same;
}

// Which of the sides says what this one says; itself when it is the first. The suspect and its counterpart always speak
// for themselves.
static u32 spoken_by(const Finding *finding, u32 index) {
    for (u32 i = 1; index > 1 && i < index; i++)
        if (same_but_line(&finding->sites.items[i], &finding->sites.items[index]))
            return i;
    return index;
}

static void put_other_lines(Writer *self, const Finding *finding, u32 index) {
    u32 count = 0;
    for (u32 i = index + 1; i < finding->sites.count; i++) {
        if (spoken_by(finding, i) != index)
            continue;
        if (count++ < LINES_SHOWN) {
            writer_text(self, STYLE_PLAIN, count == 1 ? "; also at " : ", ");
            writer_place(self, "", finding->sites.items[i].line);
        }
    }
    if (count > LINES_SHOWN)
        writer_format(self, STYLE_FAINT, " and %u more", count - LINES_SHOWN);
}

static void put_side(Writer *self, const Finding *finding, u32 index, u32 indent, bool lettered) {
    const Site *site = &finding->sites.items[index];
    char margin[4] = "";
    if (lettered && (!index || site[-1].side != site->side))
        snprintf(margin, sizeof margin, "%c  ", site->side < 26 ? 'A' + (int)site->side : '+');
    indent += lettered ? 3 : 0;
    writer_line(self, indent, margin, STYLE_STRONG);
    writer_operation(self, site);
    if (lettered && kind_has(finding->kind, SHAPE_SIDES))
        put_other_lines(self, finding, index);
    writer_end(self);
    if (site->callchain.count < 2 && !site->conditionals)
        return;
    writer_line(self, indent + 2, "", STYLE_PLAIN);
    put_chain(self, site);
    writer_end(self);
}

static void put_evidence(Writer *self, const Finding *finding, u32 indent) {
    u32 count = finding->evidence.count;
    if (!count)
        return;
    writer_line(self, indent, "", STYLE_PLAIN);
    writer_text(self, STYLE_FAINT, "elsewhere: ");
    for (u32 i = 0; i < count && i < EVIDENCE_SHOWN; i++) {
        writer_text(self, STYLE_PLAIN, i ? "; " : "");
        writer_operation(self, &finding->evidence.items[i]);
    }
    if (count > EVIDENCE_SHOWN)
        writer_format(self, STYLE_FAINT, "; and %u more", count - EVIDENCE_SHOWN);
    writer_end(self);
}

static void put_reasons(Writer *self, const Finding *finding, u32 indent) {
    if (!finding->reasons.count)
        return;
    writer_line(self, indent, "", STYLE_PLAIN);
    writer_text(self, STYLE_FAINT, "why: ");
    for (u32 i = 0; i < finding->reasons.count; i++) {
        writer_format(self, STYLE_FAINT, "%s%+.2f ", i ? "; " : "", finding->reasons.items[i].points);
        writer_text(self, STYLE_FAINT, finding->reasons.items[i].text);
    }
    writer_end(self);
}

// What reviewers and the source itself said of it.
static void put_said(Writer *self, const Finding *finding, u32 indent) {
    const char *const said[] = {"note: ", finding->note, "suppressed: ", finding->suppressed};
    for (u32 i = 0; i < 4; i += 2)
        if (*said[i + 1]) {
            writer_line(self, indent, "", STYLE_PLAIN);
            writer_text(self, STYLE_FAINT, said[i]);
            writer_text(self, STYLE_PLAIN, said[i + 1]);
            writer_end(self);
        }
}

static void put_siblings(Writer *self, const FindingList *findings, const Entry *entry, u32 indent) {
    if (!entry->siblings)
        return;
    const char *word, *common = entry_common(findings, entry, &word);
    writer_line(self, indent, "", STYLE_PLAIN);
    writer_format(self, STYLE_STRONG, "and %u more like it", entry->siblings);
    if (*common) {
        writer_format(self, STYLE_PLAIN, " %s ", word);
        writer_name(self, STYLE_STRONG, common);
    }
    writer_format(self, STYLE_FAINT, ": racerx list --group %u", entry->finding->rank);
    writer_end(self);
}

static void put_finding(Writer *self, const FindingList *findings, const Entry *entry, u32 indent) {
    const Finding *finding = entry->finding;
    char margin[16];
    bool lettered = false;
    for (u32 i = 1; i < finding->sites.count; i++)
        lettered |= finding->sites.items[i].side != finding->sites.items[0].side;
    snprintf(margin, sizeof margin, "%u. ", finding->rank);
    writer_line(self, indent, margin, STYLE_STRONG);
    writer_text(self, STYLE_ALARM, kind_word(finding->kind));
    writer_format(self, STYLE_PLAIN, " score %.2f ", finding->score);
    share_text(finding->share, margin);
    if (*margin)
        writer_format(self, STYLE_PLAIN, "(%s) ", margin);
    writer_place(self, finding->file, finding->line);
    writer_text(self, STYLE_PLAIN, " ");
    writer_name(self, STYLE_STRONG, finding->function);
    writer_text(self, STYLE_FAINT, finding->below_line ? " (below the line)" : "");
    if (finding->verdict)
        writer_format(self, verdict_style(finding->verdict), " [%s]", verdict_word(finding->verdict));
    writer_end(self);
    put_said(self, finding, indent);
    writer_line(self, indent, "", STYLE_PLAIN);
    writer_text(self, STYLE_PLAIN, *finding->message ? finding->message : kind_text(finding->kind));
    writer_end(self);
    bool fold = lettered && kind_has(finding->kind, SHAPE_SIDES);
    for (u32 i = 0; i < finding->sites.count; i++)
        if (!fold || spoken_by(finding, i) == i)
            put_side(self, finding, i, indent, lettered);
    put_evidence(self, finding, indent);
    put_reasons(self, finding, indent);
    put_siblings(self, findings, entry, indent);
    buffer_byte(self->out, '\n');
}

// the list --------------------------------------------------------------------

static u32 rank_width(const FindingList *findings) { // of the largest number, its dot and a space
    char text[16];
    u32 digits = (u32)snprintf(text, sizeof text, "%u", findings->items.count);
    return (digits < 2 ? 2 : digits) + 2;
}

void writer_totals(Writer *self, const FindingList *findings, const ReportOptions *options) {
    FindingCounts counts = count_findings(findings, options);
    const char *comma = ": ";
    writer_line(self, 0, "", STYLE_PLAIN);
    if (counts.listed)
        writer_format(self, STYLE_STRONG, "%u finding%s", counts.listed, counts.listed == 1 ? "" : "s");
    else
        writer_text(self, STYLE_STRONG, "no findings");
    if (counts.entries < counts.listed)
        writer_format(self, STYLE_PLAIN, " in %u entr%s", counts.entries, counts.entries == 1 ? "y" : "ies");
    for (u32 i = 0; i < KIND_COUNT; i++)
        if (counts.kinds[i]) {
            writer_format(self, STYLE_PLAIN, "%s%u %s", comma, counts.kinds[i], kind_word((FindingKind)i));
            comma = ", ";
        }
    if (options->most && options->most < counts.entries)
        writer_format(self, STYLE_PLAIN, options->most == 1 ? "; the first is shown" : "; the first %u are shown",
                      options->most);
    if (counts.reviewed)
        writer_format(self, STYLE_PLAIN, "; %u reviewed", counts.reviewed);
    for (u32 i = 1, before = 0; i < VERDICT_COUNT; i++)
        if (counts.verdicts[i])
            writer_format(self, STYLE_PLAIN, "%s%u %s", before++ ? ", " : " (", counts.verdicts[i],
                          verdict_word((Verdict)i));
    writer_text(self, STYLE_PLAIN, counts.reviewed ? ")" : "");
    if (counts.left_out)
        writer_format(self, STYLE_PLAIN, "; %u left out by the options", counts.left_out);
    if (counts.suppressed)
        writer_format(self, STYLE_PLAIN, "; %u suppressed", counts.suppressed);
    if (counts.below)
        writer_format(self, STYLE_PLAIN, "; %u more below the line", counts.below);
    writer_text(self, STYLE_PLAIN, counts.below + counts.suppressed ? " (--all shows them)" : "");
    writer_end(self);
}

void report_text(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    u32 indent = rank_width(findings);
    EntryArray entries = {0};
    entries_make(findings, options, &entries);
    for (u32 i = 0; i < entries.count; i++)
        put_finding(&writer, findings, &entries.items[i], indent);
    array_free(&entries);
    writer_totals(&writer, findings, options);
    writer_free(&writer);
}
