// html_policy.c: what the page allows itself: its own style, its own script, known by their SHA-256 (FIPS 180-4), and
// nothing from anywhere. Markup that came in from a source could not run even if it got through the escaping.
#include "reports/html.h"

static u32 rotate(u32 word, u32 by) { return word >> by | word << (32 - by); }

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const u32 constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static void fill_schedule(u32 words[64], const u8 block[64]) {
    for (u32 i = 0; i < 16; i++)
        words[i] =
            (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 | (u32)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (u32 i = 16; i < 64; i++) {
        u32 a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void digest_block(u32 state[8], const u8 block[64]) {
    u32 words[64], v[8];
    fill_schedule(words, block);
    memcpy(v, state, sizeof v);
    for (u32 i = 0; i < 64; i++) {
        u32 choice = (v[4] & v[5]) ^ (~v[4] & v[6]), majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        u32 one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice + constants[i] + words[i];
        u32 two = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (u32 i = 0; i < 8; i++)
        state[i] += v[i];
}

void sha256(const void *bytes, size_t size, u8 digest[32]) {
    u32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    u8 last[128] = {0};
    size_t whole = size / 64 * 64, left = size - whole, end = left < 56 ? 64 : 128;
    for (size_t i = 0; i < whole; i += 64)
        digest_block(state, (const u8 *)bytes + i);
    if (left)
        memcpy(last, (const u8 *)bytes + whole, left);
    last[left] = 0x80;
    for (u32 i = 0; i < 8; i++)
        last[end - 1 - i] = (u8)((u64)size * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += 64)
        digest_block(state, last + i);
    for (u32 i = 0; i < 32; i++)
        digest[i] = (u8)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void base64(Buffer *out, const u8 *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    buffer_reserve(out, (size + 2) / 3 * 4);
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        u32 group = (u32)bytes[i] << 16 | (left > 1 ? (u32)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        buffer_byte(out, (u8)digits[group >> 18]);
        buffer_byte(out, (u8)digits[group >> 12 & 63]);
        buffer_byte(out, left > 1 ? (u8)digits[group >> 6 & 63] : '=');
        buffer_byte(out, left > 2 ? (u8)digits[group & 63] : '=');
    }
}

static void put_source(Buffer *out, const char *what, const char *text) {
    u8 digest[32];
    sha256(text, strlen(text), digest);
    buffer_format(out, "; %s-src 'sha256-", what);
    base64(out, digest, sizeof digest);
    buffer_byte(out, '\'');
}

void report_html_policy(bool served, Buffer *out) {
    buffer_text(out, "default-src 'none'");
    put_source(out, "script", page_js);
    put_source(out, "style", page_css);
    buffer_format(out, "; img-src data:; base-uri 'none'; form-action 'none'%s", served ? "; connect-src 'self'" : "");
}
