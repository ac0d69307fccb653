// html_text.c: text of the analysed tree as HTML.
// In: bytes that somebody else wrote. Out: characters that stand for themselves, in an element or an attribute.
#include "reports/html.h"

#include <math.h>

#define LONGEST 600 // bytes of a name or a sentence

// Hides itself, or changes how its neighbours are shown or ordered.
static bool is_deceptive(u32 point) {
    static const u32 ranges[][2] = {{0, 8},           {10, 31},         {0x7f, 0x9f},     {0xad, 0xad},
                                    {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},
                                    {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (u32 i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    return false;
}

static u32 decode(const u8 *at, size_t length) {
    u32 point = length == 1 ? at[0] : at[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (at[i] & 0x3f);
    return point;
}

static void put_character(Buffer *out, const u8 *at, size_t length) {
    u32 point = decode(at, length);
    if (is_deceptive(point))
        buffer_format(out, "\u27e8U+%04X\u27e9", point);
    else if (point == '<')
        buffer_text(out, "&lt;");
    else if (point == '>')
        buffer_text(out, "&gt;");
    else if (point == '&')
        buffer_text(out, "&amp;");
    else if (point == '"')
        buffer_text(out, "&quot;");
    else if (point == '\'')
        buffer_text(out, "&#39;");
    else
        buffer_put(out, at, length);
}

void html_bytes(Buffer *out, const char *bytes, size_t size) {
    const u8 *at = (const u8 *)bytes, *end = at + size;
    while (at < end) {
        size_t length = utf8_length(at, (size_t)(end - at));
        if (length)
            put_character(out, at, length);
        else
            buffer_text(out, "\ufffd");
        at += length ? length : 1;
    }
}

// The end of the last whole character within `most` bytes.
static size_t cut(const char *text, size_t size, size_t most) {
    if (size <= most)
        return size;
    while (most && ((u8)text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

void html_text(Buffer *out, const char *text) {
    size_t size = strlen(text), kept = cut(text, size, LONGEST);
    html_bytes(out, text, kept);
    if (kept < size)
        buffer_text(out, "…");
}

void html_name(Buffer *out, const char *name) {
    buffer_text(out, "<code>");
    html_text(out, name);
    buffer_text(out, "</code>");
}

void html_short(Buffer *out, const char *name, u32 most) {
    size_t size = strlen(name), head = cut(name, size, most / 3), tail = size - (most - most / 3 - 1);
    if (size <= most) {
        html_bytes(out, name, size);
        return;
    }
    while (tail < size && ((u8)name[tail] & 0xc0) == 0x80)
        tail++;
    html_bytes(out, name, head);
    buffer_text(out, "…");
    html_bytes(out, name + tail, size - tail);
}

void html_place(Buffer *out, const char *file, u32 line) {
    buffer_text(out, "<span class=\"place\">");
    html_text(out, file);
    if (line)
        buffer_format(out, *file ? ":%u" : "line %u", line);
    buffer_text(out, "</span>");
}

void html_number(Buffer *out, double number, bool sign) {
    char text[40];
    if (!isfinite(number)) {
        buffer_text(out, "–");
        return;
    }
    snprintf(text, sizeof text, "%.5g", fabs(number) < 0.005 ? 0 : fabs(number));
    buffer_format(out, "%s%s", !strcmp(text, "0") ? "" : number < 0 ? "−" : sign ? "+" : "", text);
}

void html_count(Buffer *out, u64 count) {
    if (count >= 1000) {
        html_count(out, count / 1000);
        buffer_format(out, ",%03u", (u32)(count % 1000));
    } else
        buffer_format(out, "%u", (u32)count);
}

void html_fixed(Buffer *out, double number, int decimals) {
    char text[48];
    if (!isfinite(number) || fabs(number) > 1e12) {
        html_number(out, number, false);
        return;
    }
    snprintf(text, sizeof text, "%.*f", decimals, fabs(number));
    buffer_format(out, "%s%s", number < 0 && strpbrk(text, "123456789") ? "−" : "", text);
}
