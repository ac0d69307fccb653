// list.c: a line for each finding: rank, kind, score, verdict, place, what.
// In: a sorted FindingList. Out: lines that fit the terminal: a path loses its beginning, what is said of it its end.
#include "reports/writer.h"

enum {
    NARROWEST = 40,   // columns a list is made for at least
    WITH_SCORE = 100, // columns from which on the score is shown beside the share
    WITH_ID = 110,    // columns from which on ids are shown
    ID_SHOWN = 8,     // of their letters
    GAP = 2,          // between columns
};

Style verdict_style(Verdict verdict) {
    static const Style styles[VERDICT_COUNT] = {[VERDICT_CONFIRMED] = STYLE_ALARM,
                                                [VERDICT_UNCONFIRMED] = STYLE_WARN,
                                                [VERDICT_MINOR] = STYLE_FAINT,
                                                [VERDICT_FALSE] = STYLE_FAINT};
    return styles[verdict];
}

// The verdict; where there is none, what runs showed, or why it is hidden as a rule.
static const char *state_text(const Finding *finding) {
    if (finding->verdict)
        return verdict_word(finding->verdict);
    if (finding->witness)
        return outcome_word(finding->witness->outcome);
    return *finding->suppressed ? "suppressed" : finding->below_line ? "below" : "";
}

static Style state_style(const Finding *finding) {
    if (finding->verdict)
        return verdict_style(finding->verdict);
    return finding->witness && finding->witness->outcome == OUTCOME_WITNESSED ? STYLE_ALARM : STYLE_FAINT;
}

// columns ---------------------------------------------------------------------

static const char *score_text(const Finding *finding, char text[32]) {
    snprintf(text, 32, "%.2f", finding->score);
    return text;
}

static const char *siblings_text(const Entry *entry, char text[32]) {
    *text = 0;
    if (entry->siblings)
        snprintf(text, 32, "+%u", entry->siblings);
    return text;
}

static const char *place_text(const Finding *finding, Buffer *out) {
    out->size = 0;
    buffer_text(out, finding->file);
    if (finding->line)
        buffer_format(out, ":%u", finding->line);
    buffer_byte(out, 0);
    return (const char *)out->bytes;
}

// A static's name begins with its file, which is the place's mostly.
static const char *without_file(const Finding *finding, const char *name) {
    const char *slash = strrchr(finding->file, '/'), *last = slash ? slash + 1 : finding->file;
    size_t length = strlen(last);
    return length && !strncmp(name, last, length) && name[length] == ':' ? name + length + 1 : name;
}

// In as few words as tell it from its neighbours.
static void put_what(const Finding *finding, Buffer *out) {
    const char *object = without_file(finding, *finding->object ? finding->object : finding->lock);
    if (kind_has(finding->kind, SHAPE_CIRCLE) && *finding->lock)
        buffer_format(out, "%s → ", without_file(finding, finding->lock));
    buffer_text(out, object);
    if (kind_has(finding->kind, SHAPE_SIDES) && finding->objects.count > 1)
        buffer_format(out, " +%u", finding->objects.count - 1);
    if (*finding->function)
        buffer_format(out, "%s%s", out->size ? " in " : "", finding->function);
    if (!out->size)
        buffer_text(out, finding->message);
    buffer_byte(out, 0);
}

static void widen(u32 *column, const char *text) {
    u32 width = text_columns(text);
    if (width > *column)
        *column = width;
}

void list_columns_add(ListColumns *self, const Entry *entry) {
    const Finding *finding = entry->finding;
    char text[32];
    Buffer place = {0};
    snprintf(text, sizeof text, "%u", finding->rank);
    widen(&self->rank, text);
    widen(&self->kind, kind_word(finding->kind));
    widen(&self->siblings, siblings_text(entry, text));
    widen(&self->score, score_text(finding, text));
    share_text(finding->share, text);
    widen(&self->share, text);
    widen(&self->verdict, state_text(finding));
    widen(&self->place, place_text(finding, &place));
    place.size = 0;
    put_what(finding, &place);
    widen(&self->what, (const char *)place.bytes);
    buffer_free(&place);
}

// Where both do not fit, what is said gets three fifths, and the place the rest.
void list_columns_fit(ListColumns *self, u32 width) {
    width = width < NARROWEST ? NARROWEST : width;
    self->id = width >= WITH_ID ? ID_SHOWN : 0;
    if (self->share && width < WITH_SCORE)
        self->score = 0; // the share says the same in words
    u32 used = self->rank + GAP + self->kind + GAP;
    used += self->siblings ? self->siblings + GAP : 0;
    used += self->score ? self->score + GAP : 0;
    used += self->share ? self->share + GAP : 0;
    used += self->verdict ? self->verdict + GAP : 0;
    used += self->id ? self->id + GAP : 0;
    u32 left = width > used + NARROWEST / 2 ? width - used - GAP : NARROWEST / 2;
    u32 most = self->what < left * 3 / 5 ? left - self->what : left * 2 / 5;
    if (self->place > most)
        self->place = most;
    self->what = left - self->place;
}

// rows ------------------------------------------------------------------------

static void put_gap(Writer *self) { buffer_format(self->out, "%*s", GAP, ""); }

static void put_right(Writer *self, Style style, const char *text, u32 width) {
    u32 length = (u32)strlen(text);
    buffer_format(self->out, "%*s", length < width ? (int)(width - length) : 0, "");
    writer_cell(self, style, text, length < width ? length : width, CUT_END);
}

static void put_last(Writer *self, Style style, const char *text, u32 width) { // no spaces after it
    u32 length = text_columns(text);
    writer_cell(self, style, text, length < width ? length : width, CUT_END);
}

static void put_numbers(Writer *self, const ListColumns *columns, const Finding *finding, Style style) {
    char text[32];
    if (columns->score) {
        put_right(self, style, score_text(finding, text), columns->score);
        put_gap(self);
    }
    if (columns->share) {
        share_text(finding->share, text);
        put_right(self, style, text, columns->share);
        put_gap(self);
    }
}

void list_row(Writer *self, const ListColumns *columns, const Entry *entry) {
    const Finding *finding = entry->finding;
    char text[32];
    Buffer words = {0};
    bool hidden = finding->below_line || *finding->suppressed;
    Style plain = hidden ? STYLE_FAINT : STYLE_PLAIN;
    snprintf(text, sizeof text, "%u", finding->rank);
    put_right(self, hidden ? STYLE_FAINT : STYLE_STRONG, text, columns->rank);
    put_gap(self);
    writer_cell(self, hidden ? STYLE_FAINT : STYLE_ALARM, kind_word(finding->kind), columns->kind, CUT_END);
    put_gap(self);
    put_numbers(self, columns, finding, plain);
    if (columns->siblings) {
        put_right(self, STYLE_STRONG, siblings_text(entry, text), columns->siblings);
        put_gap(self);
    }
    if (columns->id) {
        snprintf(text, sizeof text, "%.*s", ID_SHOWN, finding->id); // as much as `show` needs, mostly
        writer_cell(self, STYLE_FAINT, text, columns->id, CUT_END);
        put_gap(self);
    }
    if (columns->verdict) {
        writer_cell(self, state_style(finding), state_text(finding), columns->verdict, CUT_END);
        put_gap(self);
    }
    writer_cell(self, STYLE_PLACE, place_text(finding, &words), columns->place, CUT_START);
    put_gap(self);
    words.size = 0;
    put_what(finding, &words);
    put_last(self, plain, (const char *)words.bytes, columns->what);
    buffer_byte(self->out, '\n');
    buffer_free(&words);
}

// What was analysed, so that an empty list says what it is empty of.
static void put_analysed(Writer *self, const FindingList *findings) {
    static const char *const names[][3] = {{"files", " files", " file"},
                                           {"functions", " functions", " function"},
                                           {"files skipped", " files skipped", " file skipped"}};
    const char *where = findings_fact(findings, "analysed");
    const char *comma = "";
    writer_line(self, 0, "", STYLE_PLAIN);
    writer_text(self, STYLE_FAINT, "analysed ");
    writer_name(self, STYLE_FAINT, where);
    writer_text(self, STYLE_FAINT, *where ? ": " : "");
    for (u32 i = 0; i < 3; i++) {
        const char *value = findings_fact(findings, names[i][0]);
        if (!*value || (i == 2 && !strcmp(value, "0")))
            continue;
        writer_text(self, STYLE_FAINT, comma);
        writer_text(self, STYLE_FAINT, value);
        writer_text(self, STYLE_FAINT, names[i][strcmp(value, "1") ? 1 : 2]);
        comma = ", ";
    }
    writer_text(self, STYLE_FAINT, "; lock tables: ");
    writer_text(self, STYLE_FAINT, findings_fact(findings, "lock tables"));
    writer_end(self);
}

void report_list(const FindingList *findings, const ReportOptions *options, Buffer *out) {
    Writer writer = {.out = out, .width = options->width ? options->width : 80, .colour = options->colour};
    ListColumns columns = {0};
    EntryArray entries = {0};
    entries_make(findings, options, &entries);
    for (u32 i = 0; i < entries.count; i++)
        list_columns_add(&columns, &entries.items[i]);
    list_columns_fit(&columns, writer.width);
    for (u32 i = 0; i < entries.count; i++)
        list_row(&writer, &columns, &entries.items[i]);
    array_free(&entries);
    writer_totals(&writer, findings, options);
    if (*findings_fact(findings, "files"))
        put_analysed(&writer, findings);
    writer_free(&writer);
}
