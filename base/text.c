// text.c: characters of text that may be anything: which are there, and which may be shown.
#include "base/base.h"

// The code point at *at, which moves past it; UINT32_MAX, and one byte past, for what is no UTF-8.
u32 text_character(const u8 **at) {
    const u8 *bytes = *at;
    u32 length = bytes[0] < 0x80   ? 1
                 : bytes[0] < 0xc2 ? 0
                 : bytes[0] < 0xe0 ? 2
                 : bytes[0] < 0xf0 ? 3
                 : bytes[0] < 0xf5 ? 4
                                   : 0;
    u32 value = length == 1 ? bytes[0] : length == 4 ? bytes[0] & 7u : bytes[0] & (0x7fu >> length);
    for (u32 i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) // also at the NUL
            length = 0;
        value = value << 6 | (bytes[i] & 0x3f);
    }
    bool bad = !length || (length == 3 && value < 0x800) || (length == 4 && (value < 0x10000 || value > 0x10ffff)) ||
               (value >= 0xd800 && value < 0xe000);
    *at += bad ? 1 : length;
    return bad ? UINT32_MAX : value;
}

// Not a control, and nothing that changes the direction or place of what follows.
bool character_is_printable(u32 character) {
    return character != UINT32_MAX && character >= 32 && !(character >= 0x7f && character < 0xa0) &&
           !(character >= 0x200b && character <= 0x200f) && !(character >= 0x2028 && character <= 0x202e) &&
           !(character >= 0x2060 && character <= 0x206f) && character != 0xfeff && character < 0xe0000;
}
