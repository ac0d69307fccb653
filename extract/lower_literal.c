// lower_literal.c: numbers, characters and strings as the text spells them, and arithmetic on them.
// In: literal nodes. Out: EXPR_INT, EXPR_FLOAT, EXPR_STRING. Values are kept in 64 bits: the width and
// sign of a literal's own type are not followed.
#include "extract/lower.h"

#define MAX_STRING 256

static int digit_value(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

static bool is_float(const char *text, u32 length, bool hex) {
    for (u32 i = 0; i < length; i++) {
        char c = text[i] | 32;
        if (text[i] == '.' || c == 'p' || (!hex && c == 'e') || (!hex && c == 'f'))
            return true;
    }
    return false;
}

ExprId lower_number(Lowering *self, u32 node) {
    const char *text = node_text(self, node), *end = text + node_length(self, node);
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    int base = 10;
    if (end - text > 1 && text[0] == '0') {
        base = (text[1] | 32) == 'x' ? 16 : (text[1] | 32) == 'b' ? 2 : 8;
        text += base == 8 ? 1 : 2;
    }
    if (is_float(text, (u32)(end - text), base == 16))
        return expr_add(self, (Expr){.kind = EXPR_FLOAT});
    u64 value = 0;
    for (; text < end; text++) {
        if (*text == '\'')
            continue;
        int digit = digit_value(*text);
        if (digit >= base)
            break;
        value = value * (u64)base + (u64)digit;
    }
    return expr_int_add(self, (i64)(negative ? 0 - value : value));
}

static u64 escape_value(const char **at, const char *end) {
    static const char names[] = "ntrabfv0", values[] = "\n\t\r\a\b\f\v";
    const char *text = *at;
    u64 value = 0;
    if (*text == 'x') {
        for (text++; text < end && digit_value(*text) < 16; text++)
            value = value * 16 + (u64)digit_value(*text);
    } else if (*text >= '0' && *text <= '7') {
        for (u32 i = 0; i < 3 && text < end && *text >= '0' && *text <= '7'; i++, text++)
            value = value * 8 + (u64)(*text - '0');
    } else {
        const char *found = strchr(names, *text);
        value = found && *found ? (u8)values[found - names] : *text == 'e' ? 27 : (u8)*text;
        text++;
    }
    *at = text;
    return value;
}

ExprId lower_char(Lowering *self, u32 node) {
    const char *text = node_text(self, node), *end = text + node_length(self, node);
    while (text < end && *text != '\'')
        text++;
    u64 value = 0;
    for (text++; text < end && *text != '\'';) {
        u64 one = (u8)*text++;
        if (one == '\\' && text < end)
            one = escape_value(&text, end);
        value = value << 8 | one;
    }
    return expr_int_add(self, (i64)value);
}

static void string_append(Lowering *self, u32 node) {
    const char *text = node_text(self, node), *end = text + node_length(self, node);
    while (text < end && *text != '"')
        text++;
    text++, end--;
    if (text < end && self->text.size < MAX_STRING) {
        size_t room = MAX_STRING - self->text.size, size = (size_t)(end - text);
        buffer_put(&self->text, text, size < room ? size : room);
    }
}

ExprId lower_string(Lowering *self, u32 node) {
    self->text.size = 0;
    if (node_kind(self, node) == NODE_STRING)
        string_append(self, node);
    for (u32 part = ast_at(self, node)->first; part; part = ast_at(self, part)->next)
        if (node_kind(self, part) == NODE_STRING)
            string_append(self, part);
    const char *bytes = self->text.size ? (const char *)self->text.bytes : "";
    return expr_add(self,
                    (Expr){.kind = EXPR_STRING, .a = intern_add(&self->tree->strings, bytes, (u32)self->text.size)});
}

bool expr_fold(u8 op, i64 a, i64 b, i64 *out) {
    u64 x = (u64)a, y = (u64)b;
    switch (op) {
    case OP_ADD: *out = (i64)(x + y); return true;
    case OP_SUB: *out = (i64)(x - y); return true;
    case OP_MUL: *out = (i64)(x * y); return true;
    case OP_DIV: *out = b && !(b == -1) ? a / b : (i64)(0 - x); return b != 0;
    case OP_MOD: *out = b && !(b == -1) ? a % b : 0; return b != 0;
    case OP_SHL: *out = (i64)(x << (y & 63)); return y < 64;
    case OP_SHR: *out = a >> (y & 63); return y < 64;
    case OP_AND: *out = a & b; return true;
    case OP_OR: *out = a | b; return true;
    case OP_XOR: *out = a ^ b; return true;
    case OP_EQ: *out = a == b; return true;
    case OP_NE: *out = a != b; return true;
    case OP_LT: *out = a < b; return true;
    case OP_LE: *out = a <= b; return true;
    case OP_GT: *out = a > b; return true;
    case OP_GE: *out = a >= b; return true;
    case OP_LOGAND: *out = a && b; return true;
    case OP_LOGOR: *out = a || b; return true;
    default: return false;
    }
}
