// printable.c: text of the analysed tree where a terminal, a log or a browser reads it.
// In: bytes, hostile ones too. Out: characters, and which of them may be shown as they are.
#include "reports/reports.h"

char *printable_text(const char *text, u32 *columns) {
    Buffer out = {0};
    *columns = 0;
    for (const u8 *at = (const u8 *)text, *from = at; *at; from = at) {
        bool shown = character_is_printable(text_character(&at));
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
        if (text_character(&at) == UINT32_MAX)
            buffer_text(out, "\xef\xbf\xbd");
        else
            buffer_put(out, from, (size_t)(at - from));
}
