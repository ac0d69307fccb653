// writer.c: text for terminals: lines filled word by word, cells of columns, and only what is printable.
// In: text of our own, and names of the analysed tree, which may be hostile. Out: bytes that cannot move the cursor or
// end a line: everything that is not printable is shown as an escape. In colour only when told so.
#include "reports/writer.h"

enum {
    LONGEST_NAME = 240, // columns of one word; what is longer ends in …
    TAB_COLUMNS = 8,
};

static const char *const style_codes[] = {"", "\033[1m", "\033[1;31m", "\033[36m", "\033[2m", "\033[32m", "\033[33m"};

// printable text --------------------------------------------------------------

// Columns a terminal gives it: letters of East Asian scripts and pictures take two.
static u32 character_columns(u32 character) {
    static const struct {
        u32 first, last;
    } wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    for (u32 i = 0; i < sizeof wide / sizeof *wide; i++)
        if (character >= wide[i].first && character <= wide[i].last)
            return 2;
    return 1;
}

// One character at *at, which moves past it, as it is shown; the columns that takes.
static u32 put_shown(Buffer *out, const u8 **at) {
    const u8 *from = *at;
    u32 character = text_character(at);
    if (character_is_printable(character)) {
        buffer_put(out, from, (size_t)(*at - from));
        return character_columns(character);
    }
    for (const u8 *byte = from; byte < *at; byte++)
        buffer_format(out, "\\x%02x", *byte);
    return 4 * (u32)(*at - from);
}

u32 put_printable(Buffer *out, const char *bytes, size_t length, u32 column) {
    const u8 *at = (const u8 *)bytes, *end = at + length;
    while (at < end) {
        if (*at != '\t') {
            column += put_shown(out, &at);
            continue;
        }
        do
            buffer_byte(out, ' ');
        while (++column % TAB_COLUMNS);
        at++;
    }
    return column;
}

u32 text_columns(const char *text) {
    Buffer scratch = {0};
    u32 columns = 0;
    for (const u8 *at = (const u8 *)text; *at;)
        columns += put_shown(&scratch, &at);
    buffer_free(&scratch);
    return columns;
}

u32 line_columns(const char *line, size_t length) {
    Buffer scratch = {0};
    u32 columns = 0;
    for (const u8 *at = (const u8 *)line, *end = at + length; at < end;) {
        if (*at == '\033') // a colour of our own: nothing else lets this byte through
            while (at < end && *at++ != 'm')
                ;
        else
            columns += put_shown(&scratch, &at);
    }
    buffer_free(&scratch);
    return columns;
}

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

// A run without spaces, joined to the word before it when no space was in between.
static const u8 *put_run(Writer *self, Style style, const u8 *at) {
    bool styled = self->colour && style != STYLE_PLAIN, cut = false;
    u32 start = self->word_width;
    if (styled)
        buffer_text(&self->word, style_codes[style]);
    while (*at && *at != ' ') {
        if (!cut && self->word_width - start >= LONGEST_NAME) {
            buffer_text(&self->word, "…");
            self->word_width++;
            cut = true;
        }
        if (cut)
            text_character(&at);
        else
            self->word_width += put_shown(&self->word, &at);
    }
    if (styled)
        buffer_text(&self->word, "\033[0m");
    return at;
}

void writer_text(Writer *self, Style style, const char *text) {
    for (const u8 *at = (const u8 *)text; *at;) {
        if (*at != ' ')
            at = put_run(self, style, at);
        else {
            writer_flush(self);
            at++;
        }
    }
}

void writer_format(Writer *self, Style style, const char *format, ...) {
    char text[128]; // for numbers and words of our own
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    writer_text(self, style, text);
}

// A name may hold spaces ("struct node.mtx"); they are no place to break a line.
void writer_name(Writer *self, Style style, const char *text) {
    for (const u8 *at = (const u8 *)text; *at;) {
        at = put_run(self, style, at);
        for (; *at == ' '; at++) {
            buffer_byte(&self->word, ' ');
            self->word_width++;
        }
    }
}

void writer_place(Writer *self, const char *file, u32 line) {
    writer_name(self, STYLE_PLACE, file);
    if (line)
        writer_format(self, STYLE_PLACE, ":%u", line);
}

// A new line; `margin` is what stands before its text, which begins in column `indent`.
void writer_line(Writer *self, u32 indent, const char *margin, Style style) {
    buffer_format(self->out, "%*s", (int)(indent - (u32)strlen(margin)), "");
    buffer_format(self->out, "%s%s%s", self->colour ? style_codes[style] : "", margin,
                  self->colour && style != STYLE_PLAIN ? "\033[0m" : "");
    self->indent = self->column = indent;
    self->fresh = true;
}

void writer_end(Writer *self) {
    writer_flush(self);
    buffer_byte(self->out, '\n');
}

void writer_free(Writer *self) { buffer_free(&self->word); }

// columns ---------------------------------------------------------------------

// Characters as they are shown, so that a cut never falls into an escape.
typedef Array(u32) Starts;

static u32 shown_characters(Buffer *shown, Starts *starts, Starts *columns, const char *text) {
    u32 total = 0;
    for (const u8 *at = (const u8 *)text; *at;) {
        array_push(starts, (u32)shown->size);
        u32 width = put_shown(shown, &at);
        array_push(columns, width);
        total += width;
    }
    array_push(starts, (u32)shown->size);
    return total;
}

// The part of it that fits: *first to *last; returns its columns.
static u32 cut_characters(const Starts *columns, u32 total, u32 width, Cut cut, u32 *first, u32 *last) {
    *first = 0;
    *last = columns->count;
    while (total > width && *first < *last)
        total -= cut == CUT_START ? columns->items[(*first)++] : columns->items[--*last];
    return total;
}

void writer_cell(Writer *self, Style style, const char *text, u32 width, Cut cut) {
    Buffer shown = {0};
    Starts starts = {0}, columns = {0};
    u32 total = shown_characters(&shown, &starts, &columns, text), first, last;
    bool shortened = total > width && width > 1;
    total = cut_characters(&columns, total, width - shortened, cut, &first, &last);
    bool styled = self->colour && style != STYLE_PLAIN && (last > first || shortened);
    buffer_text(self->out, styled ? style_codes[style] : "");
    buffer_text(self->out, shortened && cut == CUT_START ? "…" : "");
    buffer_put(self->out, shown.bytes ? shown.bytes + starts.items[first] : NULL,
               starts.items[last] - starts.items[first]);
    buffer_text(self->out, shortened && cut == CUT_END ? "…" : "");
    buffer_text(self->out, styled ? "\033[0m" : "");
    buffer_format(self->out, "%*s", (int)(width - total - shortened), "");
    buffer_free(&shown);
    array_free(&starts);
    array_free(&columns);
}

void writer_window(Writer *self, Style style, const char *bytes, size_t length, u32 from, u32 columns) {
    const u8 *at = (const u8 *)bytes, *end = at + length;
    Buffer shown = {0};
    u32 column = 0, last = from;
    buffer_text(self->out, self->colour ? style_codes[style] : "");
    while (at < end) {
        u32 start = column;
        shown.size = 0;
        column = *at == '\t' ? put_printable(&shown, (const char *)at++, 1, column) : column + put_shown(&shown, &at);
        if (start < from)
            continue;
        bool more = at < end || column > from + columns;
        if (column > from + columns - (more ? 1 : 0)) {
            buffer_text(self->out, "…");
            break;
        }
        buffer_format(self->out, "%*s", (int)(start - last), ""); // of what began before the window
        buffer_put(self->out, shown.bytes, shown.size);
        last = column;
    }
    buffer_text(self->out, self->colour && style != STYLE_PLAIN ? "\033[0m" : "");
    buffer_free(&shown);
}
