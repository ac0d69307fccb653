// html_pack.c: details that wait until they are asked for.
// A list of ten thousand findings with its excerpts is more than a browser should lay out, and more than a mail
// should carry: what is past the first findings is kept as zlib in base64, which browsers unpack by themselves.
#include "reports/html.h"

#include <zlib.h>

void html_pack(Buffer *out, const char *name, u32 number, const Buffer *text) {
    uLongf size = compressBound((uLong)text->size);
    u8 *packed = must_alloc(size);
    if (compress2(packed, &size, text->bytes, (uLong)text->size, 6) != Z_OK)
        die("zlib cannot pack %zu bytes", text->size);
    buffer_format(out, "<script type=\"text/plain\" id=\"%s%u\">", name, number);
    base64(out, packed, size);
    buffer_text(out, "</script>\n");
    free(packed);
}
