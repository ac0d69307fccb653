// lower_record.c: structs, unions, enums, and the types that are words.
// In: type specifier nodes. Out: TypeIds; Records with their fields and enumerators in the tree.
// Invariant: the fields of one record lie together, though records are defined inside records: they
// are gathered on a stack and moved when the record is complete.
#include "extract/lower.h"

TableMark table_mark(const Lowering *self) {
    return (TableMark){self->exprs->count, self->lists->count, self->inits->count, self->steps->count,
                       self->tree->types.count};
}

void table_rewind(Lowering *self, TableMark mark) {
    if (self->tree->types.count != mark.types) // a typeof may refer to the expressions
        return;
    self->exprs->count = mark.exprs;
    self->inits->count = mark.inits;
    self->steps->count = mark.steps;
    self->lists->count = mark.lists;
}

#define MAX_TAG 256

bool lower_constant(Lowering *self, u32 node, i64 *out) {
    TableMark mark = table_mark(self);
    self->constants++;
    ExprId id = lower_muted(self, node);
    Expr value = self->exprs->items[id];
    self->constants--;
    table_rewind(self, mark);
    *out = expr_int(&value);
    return value.kind == EXPR_INT;
}

// words -----------------------------------------------------------------------

static const struct {
    const char *name;
    u8 kind, quals;
    u16 bits;
} primitives[] = {
    {"int", TYPE_INT, 0, 32},
    {"char", TYPE_INT, 0, 8},
    {"void", TYPE_VOID, 0, 0},
    {"bool", TYPE_BOOL, 0, 8},
    {"_Bool", TYPE_BOOL, 0, 8},
    {"size_t", TYPE_INT, QUAL_UNSIGNED, 64},
    {"ssize_t", TYPE_INT, 0, 64},
    {"float", TYPE_FLOAT, 0, 32},
    {"double", TYPE_FLOAT, 0, 64},
    {"ptrdiff_t", TYPE_INT, 0, 64},
    {"intptr_t", TYPE_INT, 0, 64},
    {"uintptr_t", TYPE_INT, QUAL_UNSIGNED, 64},
    {"int8_t", TYPE_INT, 0, 8},
    {"int16_t", TYPE_INT, 0, 16},
    {"int32_t", TYPE_INT, 0, 32},
    {"int64_t", TYPE_INT, 0, 64},
    {"uint8_t", TYPE_INT, QUAL_UNSIGNED, 8},
    {"uint16_t", TYPE_INT, QUAL_UNSIGNED, 16},
    {"uint32_t", TYPE_INT, QUAL_UNSIGNED, 32},
    {"uint64_t", TYPE_INT, QUAL_UNSIGNED, 64},
    {"char8_t", TYPE_INT, QUAL_UNSIGNED, 8},
    {"char16_t", TYPE_INT, QUAL_UNSIGNED, 16},
    {"char32_t", TYPE_INT, QUAL_UNSIGNED, 32},
    {"__int128", TYPE_INT, 0, 128},
    {"__int128_t", TYPE_INT, 0, 128},
    {"__uint128_t", TYPE_INT, QUAL_UNSIGNED, 128},
};

TypeId lower_primitive(Lowering *self, u32 node, u8 quals) {
    for (u32 i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (node_is(self, node, primitives[i].name))
            return tree_type(
                self->tree,
                (Type){.kind = primitives[i].kind, .quals = primitives[i].quals | quals, .bits = primitives[i].bits},
                NULL);
    if (node_is(self, node, "charptr_t") || node_is(self, node, "nullptr_t"))
        return type_pointer(self, tree_type(self->tree, (Type){.kind = TYPE_VOID}, NULL), quals);
    return tree_type(self->tree, (Type){.kind = TYPE_NAMED, .quals = quals, .name = node_string(self, node)}, NULL);
}

static bool next_word(const char **at, const char *end, const char **word, u32 *length) {
    while (*at < end && (u8) * *at <= ' ')
        (*at)++;
    *word = *at;
    while (*at < end && (u8) * *at > ' ')
        (*at)++;
    *length = (u32)(*at - *word);
    return *length;
}

static bool word_is(const char *word, u32 length, const char *text) {
    return length == strlen(text) && !memcmp(word, text, length);
}

TypeId lower_sized(Lowering *self, u32 node, u8 quals) {
    const char *at = node_text(self, node), *end = at + node_length(self, node), *word;
    u32 length, longs = 0;
    Type type = {.kind = TYPE_INT, .quals = quals, .bits = 32};
    bool is_short = false, is_double = false;
    while (next_word(&at, end, &word, &length)) {
        longs += word_is(word, length, "long");
        is_short |= word_is(word, length, "short");
        is_double |= word_is(word, length, "double");
        if (word_is(word, length, "unsigned"))
            type.quals |= QUAL_UNSIGNED;
        else if (word_is(word, length, "char"))
            type.bits = 8;
        else if (word_is(word, length, "const"))
            type.quals |= QUAL_CONST;
        else if (word_is(word, length, "volatile"))
            type.quals |= QUAL_VOLATILE;
        else if (word_is(word, length, "__int128"))
            type.bits = 128;
    }
    if (is_double)
        type = (Type){.kind = TYPE_FLOAT, .quals = quals, .bits = longs ? 128 : 64};
    else if (type.bits == 32)
        type.bits = longs ? 64 : is_short ? 16 : 32;
    return tree_type(self->tree, type, NULL);
}

// records ---------------------------------------------------------------------

static u32 first_of_kind(const Lowering *self, u32 node, u8 kind) {
    u32 child = ast_at(self, node)->first;
    while (child && node_kind(self, child) != kind)
        child = ast_at(self, child)->next;
    return child;
}

static StrId string_format(Lowering *self, const char *outer, const char *name, u32 length) {
    self->text.size = 0;
    buffer_text(&self->text, outer);
    buffer_put(&self->text, name, length);
    return intern_add(&self->tree->strings, (const char *)self->text.bytes, (u32)self->text.size);
}

static StrId invented_tag(Lowering *self, u32 node) {
    char name[32];
    Place place = node_place(self, node);
    int length = snprintf(name, sizeof name, "@%u:%u", place.line, place.column);
    return intern_add(&self->tree->strings, name, (u32)length);
}

static u32 declared_name(const Lowering *self, u32 node) { // the name inside a declarator
    while (node && node_kind(self, node) != NODE_FIELD_NAME && node_kind(self, node) != NODE_NAME) {
        u32 child = ast_at(self, node)->first;
        while (child && !kind_is_declarator(node_kind(self, child)))
            child = ast_at(self, child)->next;
        node = child;
    }
    return node;
}

static u32 first_declarator(const Lowering *self, u32 node) {
    u32 child = ast_at(self, node)->first;
    while (child && !kind_is_declarator(node_kind(self, child)))
        child = ast_at(self, child)->next;
    return child;
}

// The tag of an anonymous record that is the type of a field.
static StrId field_hint(Lowering *self, u32 node, StrId outer, u32 *anonymous) {
    u32 name = declared_name(self, first_declarator(self, node));
    char number[16];
    const char *text = name ? node_text(self, name) : number;
    u32 length = name ? node_length(self, name) : (u32)snprintf(number, sizeof number, "@%u", (*anonymous)++);
    StrId prefix = string_format(self, tree_text(self->tree, outer), "::", 2);
    return string_format(self, tree_text(self->tree, prefix), text, length);
}

// A tag grows with each level: far inside, the place has to do.
static bool tag_is_long(const Lowering *self, StrId tag) {
    return self->tree->strings.entries.items[tag].length > MAX_TAG;
}

static bool type_needs_hint(const Lowering *self, u32 node) {
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind == NODE_T_STRUCT || kind == NODE_T_UNION || kind == NODE_T_ENUM)
            return !first_of_kind(self, child, NODE_T_NAME);
    }
    return false;
}

// The width of a bit-field; NULL: one without a name, which ends the word when it has none.
static void lower_width(Lowering *self, u32 node, Field *field) {
    i64 width = 1;
    u32 value = ast_at(self, node)->first;
    bool known = value && lower_constant(self, value, &width);
    if (field) {
        field->bits = known && width > 0 && width <= 1024 ? (u32)width : 1;
        field->bits |= self->word_ended ? BITS_ANEW : 0;
        self->word_ended = false;
    } else if (known && !width) {
        self->word_ended = true;
    }
}

static void lower_field(Lowering *self, u32 node, StrId outer, u32 *anonymous) {
    bool hinted = type_needs_hint(self, node) && !tag_is_long(self, outer);
    StrId hint = hinted ? field_hint(self, node, outer, anonymous) : 0;
    Specifiers specifiers = lower_specifiers(self, node, hint);
    u32 before = self->field_stack.count;
    bool padding = false, after_padding = false;
    for (u32 child = ast_at(self, node)->first; child; child = ast_at(self, child)->next) {
        u8 kind = node_kind(self, child);
        if (kind == NODE_BITFIELD)
            lower_width(self, child,
                        after_padding || self->field_stack.count == before
                            ? NULL
                            : &self->field_stack.items[self->field_stack.count - 1]);
        if (!kind_is_declarator(kind))
            continue;
        Declarator declarator = lower_declarator(self, child, specifiers.type, &specifiers);
        after_padding = declarator.name && node_is(self, declarator.name, "__rx_pad");
        padding |= after_padding;
        Field field = {.type = declarator.type};
        field.name = declarator.name ? node_string(self, declarator.name) : 0;
        field.place = node_place(self, declarator.name ? declarator.name : child);
        if (!after_padding)
            array_push(&self->field_stack, field);
    }
    if (self->field_stack.count == before && !padding)
        array_push(&self->field_stack, ((Field){.type = specifiers.type, .place = node_place(self, node)}));
}

static void lower_fields(Lowering *self, u32 body, Record *record) {
    u32 base = self->field_stack.count, anonymous = 0;
    bool around = self->word_ended;
    self->word_ended = false;
    self->in_record++;
    for (u32 child = ast_at(self, body)->first; child; child = ast_at(self, child)->next) {
        if (node_kind(self, child) == NODE_FIELD && !node_holds_bad(self, child))
            lower_field(self, child, record->tag, &anonymous);
        else
            lower_lost(self, child);
    }
    self->in_record--;
    self->word_ended = around;
    record->member = self->tree->fields.count;
    promised(base <= self->field_stack.count); // records inside took theirs away
    record->member_count = self->field_stack.count - base;
    for (u32 i = base; i < self->field_stack.count; i++)
        array_push(&self->tree->fields, self->field_stack.items[i]);
    self->field_stack.count = base;
}

static void lower_enumerators(Lowering *self, u32 body, Record *record) {
    i64 next = 0;
    bool known = true;
    record->member = self->tree->enumerators.count;
    for (u32 child = ast_at(self, body)->first; child; child = ast_at(self, child)->next) {
        if (node_kind(self, child) != NODE_ENUMERATOR || node_holds_bad(self, child)) {
            lower_lost(self, child);
            known = false;
            continue;
        }
        u32 name = node_child(self, child, 0), value = node_child(self, child, 1);
        if (value)
            known = lower_constant(self, value, &next);
        Enumerator one = {.name = node_string(self, name),
                          .value = known ? next : 0,
                          .known = known,
                          .place = node_place(self, name)};
        array_push(&self->tree->enumerators, one);
        *map_put(&self->tree->constant_names, one.name, NULL) = self->tree->enumerators.count;
        next = (i64)((u64)next + 1);
    }
    record->member_count = self->tree->enumerators.count - record->member;
}

// struct { int __rx_typeof[e]; } and struct { T __rx_typeof; }: the field, or 0.
static u32 typeof_field(const Lowering *self, u32 body) {
    u32 field = ast_at(self, body)->first;
    if (!field || ast_at(self, field)->next || node_kind(self, field) != NODE_FIELD)
        return 0;
    u32 name = declared_name(self, first_declarator(self, field));
    return name && node_is(self, name, "__rx_typeof") ? field : 0;
}

static TypeId lower_typeof_value(Lowering *self, u32 node, u8 quals) {
    u32 inner = node_strip(self, node);
    if (node_kind(self, inner) == NODE_NAME && is_type_name(self, inner))
        return tree_type(self->tree, (Type){.kind = TYPE_NAMED, .quals = quals, .name = node_string(self, inner)},
                         NULL);
    ExprId expr = lower_muted(self, node);
    TypeId known = lowered_type(self, expr);
    if (known || (self->in_record && self->in_function))
        return type_qualify(self, known, quals);
    return tree_type(self->tree, (Type){.kind = TYPE_TYPEOF, .quals = quals, .count = 1}, &expr);
}

static TypeId lower_typeof(Lowering *self, u32 field, u8 quals) {
    u32 declarator = first_declarator(self, field);
    u32 size = node_kind(self, declarator) == NODE_D_ARRAY ? node_child(self, declarator, 1) : 0;
    if (size && node_kind(self, node_child(self, declarator, 0)) == NODE_FIELD_NAME)
        return lower_typeof_value(self, size, quals);
    Specifiers specifiers = lower_specifiers(self, field, 0);
    return lower_declarator(self, declarator, specifiers.type, &specifiers).type;
}

static void define_record(Lowering *self, u32 node, Record record, u32 body) {
    record.file = self->file;
    record.place = node_place(self, node);
    if (record.kind == TYPE_ENUM)
        lower_enumerators(self, body, &record);
    else
        lower_fields(self, body, &record);
    array_push(&self->tree->records, record);
}

TypeId lower_record(Lowering *self, u32 node, StrId hint, u8 quals) {
    u8 kind = node_kind(self, node);
    Record record = {.kind = kind == NODE_T_ENUM ? TYPE_ENUM : kind == NODE_T_UNION ? TYPE_UNION : TYPE_STRUCT};
    u32 name = first_of_kind(self, node, NODE_T_NAME);
    u32 body = first_of_kind(self, node, kind == NODE_T_ENUM ? NODE_ENUMERATORS : NODE_FIELDS);
    u32 trick = body && !name ? typeof_field(self, body) : 0;
    if (trick)
        return lower_typeof(self, trick, quals);
    record.tag = name ? node_string(self, name) : hint ? hint : invented_tag(self, node);
    record.flags = name ? 0 : DECL_ANONYMOUS;
    if (body)
        define_record(self, node, record, body);
    return tree_type(self->tree, (Type){.kind = record.kind, .quals = quals, .name = record.tag}, NULL);
}
