// buffer.c: growable bytes, varints, JSON strings; bit sets.
#include "base/base.h"

void buffer_reserve(Buffer *self, size_t extra) {
    if (self->capacity - self->size >= extra)
        return;
    size_t wanted = self->capacity ? self->capacity * 2 : 256;
    if (wanted < self->size + extra)
        wanted = self->size + extra;
    self->bytes = must_realloc(self->bytes, wanted);
    self->capacity = wanted;
}

void buffer_put(Buffer *self, const void *bytes, size_t size) {
    if (!size)
        return;
    buffer_reserve(self, size);
    memcpy(self->bytes + self->size, bytes, size);
    self->size += size;
}

void buffer_text(Buffer *self, const char *text) { buffer_put(self, text, strlen(text)); }

void buffer_format(Buffer *self, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    buffer_reserve(self, (size_t)length + 1);
    vsnprintf((char *)self->bytes + self->size, (size_t)length + 1, format, again);
    va_end(again);
    self->size += (size_t)length;
}

void buffer_free(Buffer *self) {
    free(self->bytes);
    *self = (Buffer){0};
}

void buffer_u64(Buffer *self, u64 value) {
    buffer_reserve(self, 10);
    while (value >= 128) {
        self->bytes[self->size++] = (u8)(value | 128);
        value >>= 7;
    }
    self->bytes[self->size++] = (u8)value;
}

u64 reader_u64(Reader *self) {
    u64 value = 0;
    for (u32 shift = 0; shift < 64; shift += 7) {
        if (self->at >= self->end)
            break;
        u8 byte = *self->at++;
        value |= (u64)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
    self->bad = true;
    self->at = self->end;
    return 0;
}

const u8 *reader_bytes(Reader *self, size_t size) {
    if ((size_t)(self->end - self->at) < size) {
        self->bad = true;
        self->at = self->end;
        return NULL;
    }
    const u8 *bytes = self->at;
    self->at += size;
    return bytes;
}

size_t utf8_length(const u8 *at, size_t left) {
    if (at[0] < 0x80)
        return 1;
    size_t need = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4 || need > left)
        return 0;
    for (size_t i = 1; i < need; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf0 && at[1] < 0x90) ||
        (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return need;
}

void buffer_json(Buffer *self, const char *text, size_t size) {
    const u8 *at = (const u8 *)text;
    buffer_byte(self, '"');
    for (size_t i = 0; i < size;) {
        size_t length = utf8_length(at + i, size - i);
        if (!length) {
            buffer_text(self, "\\ufffd");
            i++;
            continue;
        }
        u8 byte = at[i];
        if (byte == '"' || byte == '\\')
            buffer_format(self, "\\%c", byte);
        else if (byte == '\n')
            buffer_text(self, "\\n");
        else if (byte == '\t')
            buffer_text(self, "\\t");
        else if (byte < 32 || byte == 127)
            buffer_format(self, "\\u%04x", byte);
        else
            buffer_put(self, at + i, length);
        i += length;
    }
    buffer_byte(self, '"');
}

void bitset_resize(Bitset *self, u32 bits) {
    size_t words = ((size_t)bits + 63) / 64;
    self->words = must_realloc(self->words, words * 8);
    memset(self->words, 0, words * 8);
    self->bits = bits;
}

void bitset_free(Bitset *self) {
    free(self->words);
    *self = (Bitset){0};
}
