// printable.c: text of the analysed tree where a terminal, a log or a browser reads it.
// In: bytes, hostile ones too. Out: characters, and which of them may be shown as they are.
#include "reports/reports.h"

// Sequences that are too long, surrogates and what is past the last character are no UTF-8.
static u32 decode(const u8 *bytes, u32 length) {
    u32 value = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (u32 i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) // also at the NUL
            return UINT32_MAX;
        value = value << 6 | (bytes[i] & 0x3fu);
    }
    bool bad = (length == 3 && value < 0x800) || (length == 4 && (value < 0x10000 || value > 0x10ffff)) ||
               (value >= 0xd800 && value < 0xe000);
    return bad ? UINT32_MAX : value;
}

u32 next_character(const u8 **at) {
    const u8 *bytes = *at;
    u32 length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : bytes[0] < 0xf5 ? 4 : 0;
    u32 value = length ? decode(bytes, length) : UINT32_MAX;
    *at += value == UINT32_MAX ? 1 : length;
    return value;
}

bool is_printable(u32 character) {
    return character != UINT32_MAX && character >= 32 && !(character >= 0x7f && character < 0xa0) &&
           !(character >= 0x200b && character <= 0x200f) && !(character >= 0x2028 && character <= 0x202e) &&
           !(character >= 0x2060 && character <= 0x206f) && character != 0xfeff && character < 0xe0000;
}

char *printable_text(const char *text, u32 *columns) {
    Buffer out = {0};
    *columns = 0;
    for (const u8 *at = (const u8 *)text, *from = at; *at; from = at) {
        bool shown = is_printable(next_character(&at));
        if (shown)
            buffer_put(&out, from, (size_t)(at - from));
        for (; !shown && from < at; from++, *columns += 4)
            buffer_format(&out, "\\x%02x", *from);
        *columns += shown;
    }
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

void buffer_utf8(Buffer *out, const char *text) {
    for (const u8 *at = (const u8 *)text, *from = at; *at; from = at)
        if (next_character(&at) == UINT32_MAX)
            buffer_text(out, "\xef\xbf\xbd");
        else
            buffer_put(out, from, (size_t)(at - from));
}
