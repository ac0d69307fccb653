// text.c: findings for people: what, where, both sides with their call chains, and why it ranks there.
// In: a sorted FindingList. Out: lines of at most the terminal's width (a path is never broken, so that it can
// be clicked), in colour only when told so. Names of the analysed tree cannot move the cursor or end a line:
// everything that is not printable is shown as an escape.
#include "reports/reports.h"

enum {
    LONGEST_NAME = 240, // columns of one word; what is longer ends in …
    CHAIN_NEAREST = 3,  // callers shown of a long chain, besides the root
    CHAIN_WHOLE = 6,    // a chain of no more callers is shown whole
    EVIDENCE_SHOWN = 3,
};

typedef enum { STYLE_PLAIN, STYLE_STRONG, STYLE_ALARM, STYLE_PLACE, STYLE_FAINT } Style;
static const char *const style_codes[] = {"", "\033[1m", "\033[1;31m", "\033[36m", "\033[2m"};

// Fills lines word by word. Spaces of the text are where it may break.
typedef struct {
    Buffer *out;
    Buffer word;    // not yet on the line, with its colours
    u32 word_width; // in columns, without them
    u32 column;     // of the line so far
    u32 indent;     // of the lines after a break
    u32 width;      // columns there are
    bool colour;
    bool fresh; // nothing but the indentation is on the line
} Writer;

// writing ---------------------------------------------------------------------

static void writer_break(Writer *self) {
    buffer_format(self->out, "\n%*s", (int)self->indent, "");
    self->column = self->indent;
    self->fresh = true;
}

static void writer_flush(Writer *self) { // the word goes to the line, or to the next one
    if (!self->word.size)
        return;
    if (!self->fresh && self->column + 1 + self->word_width > self->width)
        writer_break(self);
    if (!self->fresh) {
        buffer_byte(self->out, ' ');
        self->column++;
    }
    buffer_put(self->out, self->word.bytes, self->word.size);
    self->column += self->word_width;
    self->word.size = self->word_width = 0;
    self->fresh = false;
}

static void put_character(Writer *self, const u8 *at, const u8 *end, u32 character) {
    if (is_printable(character)) {
        buffer_put(&self->word, at, (size_t)(end - at));
        self->word_width++;
        return;
    }
    for (; at < end; at++) {
        buffer_format(&self->word, "\\x%02x", *at);
        self->word_width += 4;
    }
}

// A run without spaces, joined to the word before it when no space was in between.
static const u8 *put_run(Writer *self, Style style, const u8 *at) {
    bool styled = self->colour && style != STYLE_PLAIN, cut = false;
    u32 start = self->word_width;
    if (styled)
        buffer_text(&self->word, style_codes[style]);
    while (*at && *at != ' ') {
        const u8 *from = at;
        u32 character = next_character(&at);
        if (!cut && self->word_width - start >= LONGEST_NAME) {
            buffer_text(&self->word, "…");
            self->word_width++;
            cut = true;
        }
        if (!cut)
            put_character(self, from, at, character);
    }
    if (styled)
        buffer_text(&self->word, "\033[0m");
    return at;
}

static void writer_text(Writer *self, Style style, const char *text) {
    for (const u8 *at = (const u8 *)text; *at;) {
        if (*at != ' ')
            at = put_run(self, style, at);
        else {
            writer_flush(self);
            at++;
        }
    }
}

static void writer_format(Writer *self, Style style, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void writer_format(Writer *self, Style style, const char *format, ...) {
    char text[128]; // for numbers and words of our own
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    writer_text(self, style, text);
}

// A name may hold spaces ("struct node.mtx"); they are no place to break a line.
static void writer_name(Writer *self, Style style, const char *text) {
    for (const u8 *at = (const u8 *)text; *at;) {
        at = put_run(self, style, at);
        for (; *at == ' '; at++) {
            buffer_byte(&self->word, ' ');
            self->word_width++;
        }
    }
}

static void writer_place(Writer *self, const char *file, u32 line) {
    writer_name(self, STYLE_PLACE, file);
    if (line)
        writer_format(self, STYLE_PLACE, ":%u", line);
}

// A new line; `margin` is what stands before its text, which begins in column `indent`.
static void writer_line(Writer *self, u32 indent, const char *margin, Style style) {
    buffer_format(self->out, "%*s", (int)(indent - (u32)strlen(margin)), "");
    buffer_format(self->out, "%s%s%s", self->colour ? style_codes[style] : "", margin,
                  self->colour && style != STYLE_PLAIN ? "\033[0m" : "");
    self->indent = self->column = indent;
    self->fresh = true;
}

static void writer_end(Writer *self) {
    writer_flush(self);
    buffer_byte(self->out, '\n');
}

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

static void put_operation(Writer *self, const Site *site) {
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

static void put_side(Writer *self, const Finding *finding, u32 index, u32 indent, bool lettered) {
    const Site *site = &finding->sites.items[index];
    char margin[4] = "";
    if (lettered && (!index || site[-1].side != site->side))
        snprintf(margin, sizeof margin, "%c  ", site->side < 26 ? 'A' + (int)site->side : '+');
    indent += lettered ? 3 : 0;
    writer_line(self, indent, margin, STYLE_STRONG);
    put_operation(self, site);
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
        put_operation(self, &finding->evidence.items[i]);
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
        writer_format(self, STYLE_FAINT, "%s%+g ", i ? "; " : "", finding->reasons.items[i].points);
        writer_text(self, STYLE_FAINT, finding->reasons.items[i].text);
    }
    writer_end(self);
}

static void put_finding(Writer *self, const Finding *finding, u32 rank, u32 indent) {
    char margin[16];
    bool lettered = false;
    for (u32 i = 1; i < finding->sites.count; i++)
        lettered |= finding->sites.items[i].side != finding->sites.items[0].side;
    snprintf(margin, sizeof margin, "%u. ", rank);
    writer_line(self, indent, margin, STYLE_STRONG);
    writer_text(self, STYLE_ALARM, kind_word(finding->kind));
    writer_format(self, STYLE_PLAIN, " score %.6g ", finding->score);
    writer_place(self, finding->file, finding->line);
    writer_text(self, STYLE_PLAIN, " ");
    writer_name(self, STYLE_STRONG, finding->function);
    writer_text(self, STYLE_FAINT, finding->below_line ? " (below the line)" : "");
    writer_end(self);
    writer_line(self, indent, "", STYLE_PLAIN);
    writer_text(self, STYLE_PLAIN, *finding->message ? finding->message : kind_text(finding->kind));
    writer_end(self);
    for (u32 i = 0; i < finding->sites.count; i++)
        put_side(self, finding, i, indent, lettered);
    put_evidence(self, finding, indent);
    put_reasons(self, finding, indent);
    buffer_byte(self->out, '\n');
}

// the list --------------------------------------------------------------------

static u32 rank_width(const FindingList *findings) { // of the largest number, its dot and a space
    char text[16];
    u32 digits = (u32)snprintf(text, sizeof text, "%u", findings->items.count);
    return (digits < 2 ? 2 : digits) + 2;
}

static void put_totals(Writer *self, const FindingList *findings, u32 shown, u32 below) {
    u32 counts[KIND_COUNT] = {0};
    const char *comma = ": ";
    for (u32 i = 0; i < findings->items.count; i++)
        counts[findings->items.items[i]->kind] += !findings->items.items[i]->below_line || !below;
    writer_line(self, 0, "", STYLE_PLAIN);
    u32 total = findings->items.count - below;
    if (total)
        writer_format(self, STYLE_STRONG, "%u finding%s", total, total == 1 ? "" : "s");
    else
        writer_text(self, STYLE_STRONG, "no findings");
    for (u32 i = 0; total && i < KIND_COUNT; i++)
        if (counts[i]) {
            writer_format(self, STYLE_PLAIN, "%s%u %s", comma, counts[i], kind_word((FindingKind)i));
            comma = ", ";
        }
    if (shown < total)
        writer_format(self, STYLE_PLAIN, "; the first %u are shown", shown);
    if (below)
        writer_format(self, STYLE_PLAIN, "; %u more below the line (--all shows them)", below);
    writer_end(self);
}

void report_text(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    u32 indent = rank_width(findings), shown = 0, below = 0;
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        bool hidden = !finding_shown(finding, options);
        below += hidden;
        if (hidden || (options->most && shown >= options->most))
            continue;
        put_finding(&writer, finding, i + 1, indent);
        shown++;
    }
    put_totals(&writer, findings, shown, below);
    buffer_free(&writer.word);
}
