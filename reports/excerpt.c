// excerpt.c: lines of the analysed sources, with what matters in them pointed at.
// In: places, and the sources as they were analysed. Out: numbered lines, carets below what is meant. A file that
// changed since is not shown: its lines would be the wrong ones.
#include "reports/writer.h"

#include <ctype.h>

enum {
    LINES_BEFORE = 2, // around what is pointed at
    LINES_AFTER = 1,
    LINES_JOINED = 2, // excerpts so near to each other are one
    GUTTER = 8,       // columns of the line number and the bar after it
};

// what is pointed at ------------------------------------------------------------

static bool is_word_byte(char c) { return isalnum((u8)c) || c == '_'; }

static u32 closing(const char *line, u32 length, u32 at) { // past what closes the bracket at `at`
    u32 depth = 0;
    for (; at < length; at++) {
        depth += line[at] == '(' || line[at] == '[';
        if ((line[at] == ')' || line[at] == ']') && !--depth)
            return at + 1;
    }
    return length;
}

static u32 past_spaces(const char *line, u32 length, u32 at) {
    while (at < length && line[at] == ' ')
        at++;
    return at;
}

// Past the expression that starts at `at`: `self->list[i].count`, or a call with its arguments.
static u32 expression_end(const char *line, u32 length, u32 at, bool call) {
    u32 start = at;
    while (at < length && (line[at] == '*' || line[at] == '&' || line[at] == '!'))
        at++;
    if (at < length && line[at] == '(')
        at = closing(line, length, at);
    while (at < length) {
        if (is_word_byte(line[at]) || (line[at] == '.' && at + 1 < length && is_word_byte(line[at + 1])))
            at++;
        else if (line[at] == '-' && at + 1 < length && line[at + 1] == '>')
            at += 2;
        else if (line[at] == '[')
            at = closing(line, length, at);
        else if (call && past_spaces(line, length, at) < length && line[past_spaces(line, length, at)] == '(')
            at = closing(line, length, at);
        else
            break;
    }
    return at > start ? at : start + 1;
}

// Where the last part of a name ("mutex" of "struct counter.mutex") stands as a word; `length` when it does not.
static u32 find_name(const char *line, u32 length, const char *name) {
    const char *last = name + strlen(name);
    while (last > name && is_word_byte(last[-1]))
        last--;
    u32 size = (u32)strlen(last);
    for (u32 i = 0; size && i + size <= length; i++)
        if (!memcmp(line + i, last, size) && (!i || !is_word_byte(line[i - 1])) &&
            (i + size == length || !is_word_byte(line[i + size])))
            return i;
    return length;
}

static bool is_keyword(const char *word, u32 length) {
    static const char *const keywords[] = {"if", "while", "for", "switch", "return", "sizeof", "do", "else"};
    for (u32 i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i]) == length && !memcmp(keywords[i], word, length))
            return true;
    return false;
}

// The first call on a line: a word before a (; `otherwise` when there is none.
static u32 first_call(const char *line, u32 length, u32 otherwise) {
    for (u32 i = 0; i < length; i++) {
        u32 start = i;
        while (i < length && is_word_byte(line[i]))
            i++;
        u32 next = past_spaces(line, length, i);
        if (i > start && next < length && line[next] == '(' && !is_keyword(line + start, i - start))
            return start;
    }
    return otherwise;
}

// Of a call whose column is not known: the start of the one that has the name among its arguments, else the
// first one, else the line's text.
static u32 call_start(const char *line, u32 length, const char *name) {
    u32 at = find_name(line, length, name), depth = 0, first = 0;
    while (first < length && isspace((u8)line[first]))
        first++;
    for (u32 i = at < length ? at : 0; i-- > 0;) {
        if (line[i] == ')')
            depth++;
        if (line[i] != '(' || depth-- > 0)
            continue;
        while (i > 0 && line[i - 1] == ' ')
            i--;
        u32 end = i;
        while (i > 0 && is_word_byte(line[i - 1]))
            i--;
        if (i < end && !is_keyword(line + i, end - i))
            return i;
        depth = 0;
    }
    return first_call(line, length, first);
}

// lines -------------------------------------------------------------------------

static int compare_pointers(const void *left, const void *right) {
    const Pointer *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

static u32 indentation(const char *line, u32 length) { // in columns; UINT32_MAX of a blank line
    u32 blank = 0;
    Buffer scratch = {0};
    while (blank < length && isspace((u8)line[blank]))
        blank++;
    u32 columns = blank < length ? put_printable(&scratch, line, blank, 0) : UINT32_MAX;
    buffer_free(&scratch);
    return columns;
}

static u32 column_at(const char *line, u32 offset) {
    Buffer scratch = {0};
    u32 column = put_printable(&scratch, line, offset, 0);
    buffer_free(&scratch);
    return column;
}

typedef struct {
    Writer *writer;
    Sources *sources;
    const char *file;
    u32 indent;  // of every line
    u32 dedent;  // columns that all lines of this excerpt are indented by
    u32 columns; // for the text
} Excerpt;

static void put_gutter(Excerpt *self, u32 line, bool meant) {
    char text[16];
    snprintf(text, sizeof text, line ? "%5u" : "     ", line);
    buffer_format(self->writer->out, "%*s", (int)self->indent, "");
    writer_cell(self->writer, meant ? STYLE_STRONG : STYLE_FAINT, text, 5, CUT_START);
    writer_cell(self->writer, STYLE_FAINT, " | ", 3, CUT_END);
}

// Columns of what the pointer means; `from` is where the window on its line begins.
static void pointer_span(const Excerpt *self, const Pointer *pointer, u32 *start, u32 *end) {
    u32 length;
    const char *line = sources_line(self->sources, self->file, pointer->line, &length);
    u32 first = pointer->column ? pointer->column - 1 : call_start(line, length, pointer->name);
    first = first < length ? first : 0;
    *start = column_at(line, first);
    *end = column_at(line, expression_end(line, length, first, pointer->call || !pointer->column));
}

static u32 window_start(const Excerpt *self, const Pointer *pointer) {
    u32 start, end;
    if (!pointer)
        return self->dedent;
    pointer_span(self, pointer, &start, &end);
    if (end <= self->dedent + self->columns)
        return self->dedent;
    return start > self->columns / 4 ? start - self->columns / 4 : start;
}

static void put_carets(Excerpt *self, const Pointer *pointer, u32 from) {
    u32 start, end;
    pointer_span(self, pointer, &start, &end);
    start = start > from ? start - from : 0;
    end = end > from + start ? end - from : start + 1;
    if (end > self->columns)
        end = self->columns > start ? self->columns : start + 1;
    Buffer carets = {0};
    for (u32 i = start; i < end; i++)
        buffer_byte(&carets, i == start ? '^' : '~');
    buffer_byte(&carets, 0);
    u32 label = text_columns(pointer->label);
    bool below = end + 1 + label > self->columns; // no room beside them
    put_gutter(self, 0, false);
    buffer_format(self->writer->out, "%*s", (int)start, "");
    writer_cell(self->writer, STYLE_ALARM, (const char *)carets.bytes, end - start, CUT_END);
    if (below) {
        buffer_byte(self->writer->out, '\n');
        put_gutter(self, 0, false);
        u32 room = self->columns > label ? self->columns - label : 0;
        buffer_format(self->writer->out, "%*s", (int)(start < room ? start : room), "");
    } else {
        buffer_byte(self->writer->out, ' ');
    }
    writer_cell(self->writer, STYLE_ALARM, pointer->label, label < self->columns ? label : self->columns, CUT_END);
    buffer_byte(self->writer->out, '\n');
    buffer_free(&carets);
}

static void put_source_line(Excerpt *self, u32 number, const Pointer *pointers, u32 count) {
    u32 length;
    const char *line = sources_line(self->sources, self->file, number, &length);
    if (!line)
        return;
    u32 from = window_start(self, count ? pointers : NULL);
    put_gutter(self, number, count > 0);
    writer_window(self->writer, count ? STYLE_PLAIN : STYLE_FAINT, line, length, from, self->columns);
    buffer_byte(self->writer->out, '\n');
    for (u32 i = 0; i < count; i++)
        put_carets(self, &pointers[i], from);
}

// Lines first to last, with the pointers that are in them.
static void put_block(Excerpt *self, u32 first, u32 last, const Pointer *pointers, u32 count) {
    self->dedent = UINT32_MAX;
    for (u32 n = first; n <= last; n++) {
        u32 length, columns;
        const char *line = sources_line(self->sources, self->file, n, &length);
        columns = line ? indentation(line, length) : UINT32_MAX;
        self->dedent = columns < self->dedent ? columns : self->dedent;
    }
    self->dedent = self->dedent == UINT32_MAX ? 0 : self->dedent;
    for (u32 n = first, at = 0; n <= last; n++) {
        u32 here = 0;
        while (at + here < count && pointers[at + here].line == n)
            here++;
        put_source_line(self, n, pointers + at, here);
        at += here;
    }
}

static void put_heading(Excerpt *self, const char *why) {
    writer_line(self->writer, self->indent, "", STYLE_PLAIN);
    writer_name(self->writer, STYLE_PLACE, self->file);
    if (*why) {
        writer_text(self->writer, STYLE_WARN, ": ");
        writer_text(self->writer, STYLE_WARN, why);
    }
    writer_end(self->writer);
}

static void put_file(Excerpt *self, Pointer *pointers, u32 count) {
    qsort(pointers, count, sizeof *pointers, compare_pointers);
    SourceState state = sources_state(self->sources, self->file);
    u32 length;
    bool there = state == SOURCE_READ && sources_line(self->sources, self->file, pointers[count - 1].line, &length);
    put_heading(self, state != SOURCE_READ ? source_state_text(state) : there ? "" : "it has no such line");
    for (u32 i = 0; i < count && there;) {
        u32 first = pointers[i].line > LINES_BEFORE ? pointers[i].line - LINES_BEFORE : 1, n = 1;
        while (i + n < count &&
               pointers[i + n].line <= pointers[i + n - 1].line + LINES_AFTER + LINES_BEFORE + LINES_JOINED)
            n++;
        if (i)
            writer_line(self->writer, self->indent + 5, "⋮", STYLE_FAINT), buffer_byte(self->writer->out, '\n');
        put_block(self, first, pointers[i + n - 1].line + LINES_AFTER, pointers + i, n);
        i += n;
    }
}

void writer_excerpt(Writer *self, Sources *sources, PointerArray *pointers, u32 indent) {
    Excerpt excerpt = {.writer = self, .sources = sources, .indent = indent};
    excerpt.columns = self->width > indent + GUTTER + 16 ? self->width - indent - GUTTER : 16;
    for (u32 i = 0; i < pointers->count;) { // what is in one file comes together
        u32 n = 1;
        for (u32 k = i + 1; k < pointers->count; k++)
            if (!strcmp(pointers->items[k].file, pointers->items[i].file)) {
                Pointer moved = pointers->items[k];
                memmove(&pointers->items[i + n + 1], &pointers->items[i + n], sizeof moved * (k - i - n));
                pointers->items[i + n++] = moved;
            }
        excerpt.file = pointers->items[i].file;
        put_file(&excerpt, pointers->items + i, n);
        i += n;
    }
}
