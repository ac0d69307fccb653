// html_excerpt.c: lines of source, lightly coloured, with what matters marked.
// In: a file and points in it. Out: the lines around them. A file is looked through once, for the lines that begin
// inside a comment; after that any line can be coloured alone. Bytes are classed first and written in runs, so a mark
// may begin and end anywhere.
#include "reports/html.h"

#include <ctype.h>

#define BEFORE 3     // lines shown above a point
#define AFTER 2      // and below
#define WIDEST 200   // bytes of a line; longer ones are shown around their mark
#define FARTHEST 400 // lines between a lock's being taken and the point, to be shown together
#define POINTS_MOST 16

enum { PLAIN, COMMENT, STRING, KEYWORD, CLASSES = 3, MARK_ACCESS = 4, MARK_LOCK = 8 };

// colouring -------------------------------------------------------------------

static bool is_word(char c) { return isalnum((u8)c) || c == '_' || (u8)c >= 0x80; }

static bool is_keyword(const char *at, u32 length) {
    static const char words[] =
        " auto break case char const continue default do double else enum extern float for goto if inline int long "
        "register return short signed sizeof static struct switch typedef union unsigned void volatile while "
        "define include ifdef ifndef elif endif undef pragma error bool _Bool _Atomic ";
    char spaced[16];
    if (length > 12)
        return false;
    snprintf(spaced, sizeof spaced, " %.*s ", (int)length, at);
    return strstr(words, spaced);
}

// The byte after the quoted text that begins at `at`.
static u32 end_of_string(const char *text, u32 at, u32 length) {
    char quote = text[at++];
    while (at < length && text[at] != quote)
        at += text[at] == '\\' ? 2 : 1;
    return at < length ? at + 1 : length;
}

static u32 end_of_comment(const char *text, u32 at, u32 length, bool *inside) {
    for (; at + 1 < length; at++)
        if (text[at] == '*' && text[at + 1] == '/') {
            *inside = false;
            return at + 2;
        }
    *inside = true;
    return length;
}

// Classes the bytes of a line; `classes` may be NULL. Says whether the next line begins inside a comment.
static bool class_line(const char *text, u32 length, bool inside, u8 *classes) {
    for (u32 at = 0, end; at < length; at = end) {
        u8 class = PLAIN;
        end = at + 1;
        if (inside) {
            class = COMMENT;
            end = end_of_comment(text, at, length, &inside);
        } else if (text[at] == '/' && at + 1 < length && text[at + 1] == '*') {
            class = COMMENT;
            end = end_of_comment(text, at + 2, length, &inside);
        } else if (text[at] == '/' && at + 1 < length && text[at + 1] == '/') {
            class = COMMENT;
            end = length;
        } else if (text[at] == '"' || text[at] == '\'') {
            class = STRING;
            end = end_of_string(text, at, length);
        } else if (is_word(text[at])) {
            while (end < length && is_word(text[end]))
                end++;
            class = is_keyword(text + at, end - at) ? KEYWORD : PLAIN;
        }
        if (classes)
            memset(classes + at, class, end - at);
    }
    return inside;
}

static u32 count_lines(Sources *sources, const char *file) {
    u32 length, low = 0, high = 1;
    while (high < 1u << 30 && sources_line(sources, file, high, &length))
        low = high, high *= 2;
    while (low + 1 < high) {
        u32 middle = low + (high - low) / 2;
        *(sources_line(sources, file, middle, &length) ? &low : &high) = middle;
    }
    return low;
}

static const Bitset *lex_file(Page *self, const char *file) {
    u32 id = intern_add(&self->paths, file, (u32)strlen(file)), length;
    while (self->lexed.count <= id)
        array_push(&self->lexed, (Bitset){0});
    Bitset *result = &self->lexed.items[id];
    if (result->bits)
        return result;
    u32 lines = count_lines(self->options->sources, file);
    bool inside = false;
    bitset_resize(result, lines + 2);
    for (u32 line = 1; line <= lines; line++) {
        if (inside)
            bitset_set(result, line);
        const char *text = sources_line(self->options->sources, file, line, &length);
        inside = class_line(text, length, inside, NULL);
    }
    return result;
}

void lexed_free(Page *self) {
    for (u32 i = 0; i < self->lexed.count; i++)
        bitset_free(&self->lexed.items[i]);
    array_free(&self->lexed);
    intern_free(&self->paths);
}

// marks -----------------------------------------------------------------------

static u32 end_of_group(const char *text, u32 at, u32 length) { // ( … ) or [ … ]
    u32 depth = 0;
    for (; at < length; at++) {
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        if (!depth)
            return at + 1;
    }
    return length;
}

static u32 end_of_word(const char *text, u32 at, u32 length) {
    while (at < length && is_word(text[at]))
        at++;
    return at;
}

static u32 skip_spaces(const char *text, u32 at, u32 length) {
    while (at < length && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

// Names, members and indices from `at` on; with `call` also one list of arguments.
static u32 end_of_expression(const char *text, u32 at, u32 length, bool call) {
    while (at < length && strchr("*&!~ ", text[at]))
        at++;
    u32 from = at;
    at = at < length && text[at] == '(' ? end_of_group(text, at, length) : end_of_word(text, at, length);
    while (at < length && at > from) {
        u32 after = at + (text[at] == '.' ? 1 : at + 1 < length && text[at] == '-' && text[at + 1] == '>' ? 2 : 0);
        if (after > at)
            at = end_of_word(text, after, length);
        else if (text[at] == '[')
            at = end_of_group(text, at, length);
        else
            break;
    }
    u32 list = skip_spaces(text, at, length);
    return call && list < length && text[list] == '(' ? end_of_group(text, list, length) : at;
}

// The first call on the line: a lock was taken there.
static u32 first_call(const char *text, u32 length, const u8 *classes) {
    for (u32 at = 0, end; at < length; at = end) {
        end = at + 1;
        if (!is_word(text[at]) || classes[at] != PLAIN)
            continue;
        end = end_of_word(text, at, length);
        u32 list = skip_spaces(text, end, length);
        if (list < length && text[list] == '(')
            return at;
    }
    return length;
}

static void mark_point(const char *text, u32 length, u8 *classes, const Point *point) {
    u32 at = point->kind == POINT_TAKEN ? first_call(text, length, classes) : point->column - 1;
    if ((point->kind != POINT_TAKEN && !point->column) || at >= length)
        return;
    bool call = point->kind != POINT_ACCESS && point->kind != POINT_RETURN;
    u32 end = end_of_expression(text, at, length, call);
    u8 mark = point->kind == POINT_LOCK || point->kind == POINT_TAKEN ? MARK_LOCK : MARK_ACCESS;
    for (; at < end; at++)
        classes[at] |= mark;
}

// writing ---------------------------------------------------------------------

static void put_run(Buffer *out, const char *text, u32 from, u32 to, u8 class) {
    static const char *const names[] = {[COMMENT] = "c", [STRING] = "s", [KEYWORD] = "k"};
    const char *name = names[class & CLASSES];
    if (name)
        buffer_format(out, "<span class=\"%s\">", name);
    html_bytes(out, text + from, to - from);
    buffer_text(out, name ? "</span>" : "");
}

static void put_runs(Buffer *out, const char *text, u32 from, u32 to, const u8 *classes) {
    for (u32 end; from < to; from = end) {
        u8 mark = classes[from] & (MARK_ACCESS | MARK_LOCK);
        for (end = from; end < to && (classes[end] & (MARK_ACCESS | MARK_LOCK)) == mark; end++)
            ;
        if (mark)
            buffer_text(out, mark & MARK_ACCESS ? "<mark>" : "<mark class=\"lock\">");
        for (u32 at = from, stop; at < end; at = stop) {
            for (stop = at; stop < end && classes[stop] == classes[at]; stop++)
                ;
            put_run(out, text, at, stop, classes[at]);
        }
        buffer_text(out, mark ? "</mark>" : "");
    }
}

// The part of a long line that has its first mark.
static void choose_window(const char *text, u32 length, const u8 *classes, u32 *from, u32 *to) {
    u32 mark = 0;
    while (mark < length && classes[mark] < MARK_ACCESS)
        mark++;
    *from = length <= WIDEST || mark == length || mark < WIDEST / 2 ? 0 : mark - WIDEST / 2;
    *to = length - *from > WIDEST ? *from + WIDEST : length;
    while (*from < *to && ((u8)text[*from] & 0xc0) == 0x80)
        ++*from;
    while (*to<length && * to> * from && ((u8)text[*to] & 0xc0) == 0x80)
        --*to;
}

static void put_line(Page *self, const char *file, u32 line, const Point *points, u32 count) {
    const Bitset *inside = lex_file(self, file);
    u32 length, from, to;
    const char *text = sources_line(self->options->sources, file, line, &length);
    u8 *classes = must_zero((size_t)length + 1);
    class_line(text, length, bitset_has(inside, line), classes);
    for (u32 i = 0; i < count; i++)
        if (points[i].line == line)
            mark_point(text, length, classes, &points[i]);
    choose_window(text, length, classes, &from, &to);
    buffer_text(self->out, from ? "…" : "");
    put_runs(self->out, text, from, to, classes);
    buffer_text(self->out, to < length ? "…" : "");
    free(classes);
}

static bool is_near(const Point *points, u32 count, u32 line) {
    for (u32 i = 0; i < count; i++) {
        u32 before = points[i].kind == POINT_TAKEN ? 0 : BEFORE, after = points[i].kind == POINT_TAKEN ? 0 : AFTER;
        if (line + before >= points[i].line && line <= points[i].line + after)
            return true;
    }
    return false;
}

static bool is_point(const Point *points, u32 count, u32 line) {
    for (u32 i = 0; i < count; i++)
        if (points[i].line == line)
            return true;
    return false;
}

static void put_lines(Page *self, const char *file, const Point *points, u32 count, u32 first, u32 last) {
    u32 length, before = 0;
    for (u32 line = first > BEFORE ? first - BEFORE : 1; line <= last + AFTER; line++) {
        bool joins = before && before + 1 == line && is_near(points, count, line + 1); // a gap of one line is no gap
        if (!is_near(points, count, line) && !joins)
            continue;
        if (!sources_line(self->options->sources, file, line, &length))
            break;
        if (before && before + 1 < line)
            buffer_text(self->out, "<span class=\"gap\">⋯</span>");
        buffer_format(self->out, "<span class=\"l%s\" data-n=\"%u\">", is_point(points, count, line) ? " at" : "",
                      line);
        put_line(self, file, line, points, count);
        buffer_text(self->out, "\n</span>");
        before = line;
    }
}

void html_excerpt(Page *self, const char *file, const Point *points, u32 count) {
    SourceState state = sources_state(self->options->sources, file);
    Point kept[POINTS_MOST];
    u32 kept_count = 0, first = UINT32_MAX, last = 0, length;
    for (u32 i = 0; i < count && kept_count < POINTS_MOST; i++) {
        u32 apart = points[i].line > points[0].line ? points[i].line - points[0].line : points[0].line - points[i].line;
        if (!points[i].line || apart > FARTHEST)
            continue;
        kept[kept_count++] = points[i];
        first = points[i].line < first ? points[i].line : first;
        last = points[i].line > last ? points[i].line : last;
    }
    if (state != SOURCE_READ || !kept_count || !sources_line(self->options->sources, file, first, &length)) {
        const char *why = state != SOURCE_READ ? source_state_text(state) : "the line is not known";
        buffer_format(self->out, "<p class=\"none\">No excerpt: %s.</p>", why);
        return;
    }
    buffer_text(self->out, "<pre tabindex=\"0\">");
    put_lines(self, file, kept, kept_count, first, last);
    buffer_text(self->out, "</pre>");
}

void html_source_line(Page *self, const char *file, Point point) {
    u32 length;
    const char *text = sources_line(self->options->sources, file, point.line, &length);
    if (!text)
        return;
    buffer_text(self->out, "<code class=\"line\">");
    put_line(self, file, point.line, &point, 1);
    buffer_text(self->out, "</code>");
}
