// sarif_place.c: where something is, in the words of SARIF: artifact, region, function, excerpt.
// In: a path as shown, a line, a column in bytes. Out: `location` objects. A column, and the text of a region, is only
// given when the source can be read and is what was analysed: both are counted in characters of it.
#include "reports/sarif.h"

#define EXCERPT_MOST 1000 // bytes of a line that is shown

// references ----------------------------------------------------------------------

static bool is_unreserved(u8 byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           strchr("-._~/", byte);
}

void sarif_uri(Buffer *out, const char *path) {
    if (*path == '/') // a file outside of what was analysed, which a preprocessed one speaks of
        buffer_text(out, "file://");
    for (const u8 *at = (const u8 *)path; *at; at++)
        if (is_unreserved(*at))
            buffer_byte(out, *at);
        else
            buffer_format(out, "%%%02X", *at);
}

static void put_artifact(Sarif *self, const char *path) {
    Buffer uri = {0};
    sarif_uri(&uri, path);
    json_open(&self->json, "artifactLocation", '{');
    json_bytes(&self->json, "uri", (const char *)uri.bytes, uri.size);
    if (*path != '/')
        json_text(&self->json, "uriBaseId", "SRCROOT");
    json_number(&self->json, "index", intern_add(&self->files, path, (u32)strlen(path)) - 1.0);
    json_close(&self->json, '}');
    buffer_free(&uri);
}

// "[a](b)" is a link in a message, and names may look like one.
void sarif_message(Sarif *self, const char *key, const char *text) {
    Buffer safe = {0};
    for (const char *at = text; *at; at++) {
        buffer_byte(&safe, (u8)*at);
        if (at[0] == ']' && at[1] == '(')
            buffer_byte(&safe, ' ');
    }
    json_open(&self->json, key, '{');
    json_bytes(&self->json, "text", safe.bytes ? (const char *)safe.bytes : "", safe.size);
    json_close(&self->json, '}');
    buffer_free(&safe);
}

// regions -------------------------------------------------------------------------

static u32 byte_order_mark(const char *line, u32 length) { // its bytes: no column of any editor
    return length >= 3 && !memcmp(line, "\xef\xbb\xbf", 3) ? 3 : 0;
}

u32 sarif_column(const char *line, u32 length, u32 column) {
    if (!column || column - 1 > length)
        return 0;
    char *text = must_alloc(column);
    memcpy(text, line, column - 1);
    text[column - 1] = 0;
    u32 units = 1;
    for (const u8 *at = (const u8 *)text + byte_order_mark(text, column - 1), *end = (const u8 *)text + column - 1;
         at < end;) {
        u32 character = text_character(&at);
        units += character != UINT32_MAX && character >= 0x10000 ? 2 : 1;
    }
    free(text);
    return units;
}

static bool is_name(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

static u32 bracket_end(const char *line, u32 length,
                       u32 at) { // past the `]` of the `[` at `at`; `at`: it is not on the line
    u32 depth = 0;
    for (u32 i = at; i < length; i++) {
        depth += line[i] == '[';
        depth -= line[i] == ']';
        if (!depth)
            return i + 1;
    }
    return at;
}

u32 expression_length(const char *line, u32 length, u32 from) {
    u32 at = from;
    while (at < length && is_name(line[at]))
        at++;
    for (u32 before = UINT32_MAX; at > from && at != before;) {
        before = at;
        if (at < length && line[at] == '[')
            at = bracket_end(line, length, at);
        u32 step = at + 1 < length && line[at] == '.'                          ? 1
                   : at + 2 < length && line[at] == '-' && line[at + 1] == '>' ? 2
                                                                               : 0;
        if (step && is_name(line[at + step]))
            for (at += step; at < length && is_name(line[at]); at++)
                ;
    }
    return at - from;
}

static void put_snippet(Sarif *self, const char *text, size_t size) {
    json_open(&self->json, "snippet", '{');
    json_bytes(&self->json, "text", text, size);
    json_close(&self->json, '}');
}

static void put_region(Sarif *self, const SarifPlace *place) {
    u32 length;
    const char *line = sources_line(self->sources, place->file, place->line, &length);
    u32 column = line ? sarif_column(line, length, place->column) : 0;
    json_open(&self->json, "region", '{');
    json_number(&self->json, "startLine", place->line);
    if (column) {
        u32 size = expression_length(line, length, place->column - 1);
        json_number(&self->json, "startColumn", column);
        if (size) {
            json_number(&self->json, "endColumn", sarif_column(line, length, place->column + size));
            put_snippet(self, line + place->column - 1, size);
        }
    }
    json_close(&self->json, '}');
}

// Whole lines, as far as they are there and not made by a machine.
static void put_context(Sarif *self, const SarifPlace *place) {
    u32 length, first = place->line > place->around ? place->line - place->around : 1, last = place->line;
    Buffer text = {0};
    for (u32 line = first; line <= place->line + place->around; line++) {
        const char *bytes = sources_line(self->sources, place->file, line, &length);
        if (!bytes || length > EXCERPT_MOST) {
            if (line > place->line)
                break;
            text.size = 0; // the ones before it would not be next to it
            first = line + 1;
            continue;
        }
        u32 mark = line == 1 ? byte_order_mark(bytes, length) : 0;
        if (line > first)
            buffer_byte(&text, '\n');
        buffer_put(&text, bytes + mark, length - mark);
        last = line;
    }
    if (first <= place->line) {
        json_open(&self->json, "contextRegion", '{');
        json_number(&self->json, "startLine", first);
        json_number(&self->json, "endLine", last);
        put_snippet(self, text.bytes ? (const char *)text.bytes : "", text.size);
        json_close(&self->json, '}');
    }
    buffer_free(&text);
}

// locations -----------------------------------------------------------------------

static void put_function(Sarif *self, const char *function) {
    json_open(&self->json, "logicalLocations", '[');
    json_open(&self->json, NULL, '{');
    json_text(&self->json, "name", function);
    json_text(&self->json, "kind", "function");
    json_close(&self->json, '}');
    json_close(&self->json, ']');
}

void sarif_place(Sarif *self, const char *key, const SarifPlace *place) {
    json_open(&self->json, key, '{');
    if (place->id)
        json_number(&self->json, "id", place->id);
    if (*place->file) {
        json_open(&self->json, "physicalLocation", '{');
        put_artifact(self, place->file);
        if (place->line) {
            put_region(self, place);
            if (!place->bare)
                put_context(self, place);
        }
        json_close(&self->json, '}');
    }
    if (*place->function)
        put_function(self, place->function);
    if (*place->message)
        sarif_message(self, "message", place->message);
    json_close(&self->json, '}');
}
