// value.c: what is known of a number or a pointer, interned: equal knowledge has equal ids.
// In: constants, relations. Out: the values that satisfy both (meet), either (join). Constants are told apart as long
// as they are few; beyond that signs are left, which is less, and never wrong.
// Invariant: ids up to VALUE_ANY are masks of signs; no constant of a value has a sign that the value has not.
#include "racerx/facts/value.h"

static u8 sign_mask(i64 value) { return value < 0 ? VALUE_NEGATIVE : value ? VALUE_POSITIVE : VALUE_ZERO; }

u8 relation_opposite(u8 relation) {
    static const u8 pairs[][2] = {{REL_EQ, REL_NE}, {REL_LT, REL_GE}, {REL_LE, REL_GT}};
    for (u32 i = 0; i < 3; i++)
        if (relation == pairs[i][0] || relation == pairs[i][1])
            return relation == pairs[i][0] ? pairs[i][1] : pairs[i][0];
    return relation;
}

u8 relation_mask(u8 relation, i64 constant, u8 *exact) {
    *exact = constant == 0;
    switch (relation) {
    case REL_EQ: return sign_mask(constant);
    case REL_NE: return constant ? VALUE_ANY : VALUE_NEGATIVE | VALUE_POSITIVE;
    case REL_LT:
        *exact |= constant == 1;
        return constant == 1 ? VALUE_NEGATIVE | VALUE_ZERO : constant <= 0 ? VALUE_NEGATIVE : VALUE_ANY;
    case REL_LE:
        *exact |= constant == -1;
        return constant < 0 ? VALUE_NEGATIVE : constant ? VALUE_ANY : VALUE_NEGATIVE | VALUE_ZERO;
    case REL_GT:
        *exact |= constant == -1;
        return constant == -1 ? VALUE_ZERO | VALUE_POSITIVE : constant >= 0 ? VALUE_POSITIVE : VALUE_ANY;
    case REL_GE:
        *exact |= constant == 1;
        return constant > 0 ? VALUE_POSITIVE : constant ? VALUE_ANY : VALUE_ZERO | VALUE_POSITIVE;
    default: *exact = 0; return VALUE_ANY;
    }
}

static bool relation_holds(u8 relation, i64 left, i64 right) {
    switch (relation) {
    case REL_EQ: return left == right;
    case REL_NE: return left != right;
    case REL_LT: return left < right;
    case REL_LE: return left <= right;
    case REL_GT: return left > right;
    case REL_GE: return left >= right;
    default: return true;
    }
}

static Value value_get(const ValueTable *self, ValueId id) {
    if (id <= VALUE_ANY)
        return (Value){.signs = (u8)id};
    promised(id - VALUE_ANY - 1 < self->values.count);
    return self->values.items[id - VALUE_ANY - 1];
}

u8 value_signs(const ValueTable *self, ValueId id) {
    return id <= VALUE_ANY ? (u8)id : self->values.items[id - VALUE_ANY - 1].signs;
}

bool value_is_single(const ValueTable *self, ValueId id) {
    if (id <= VALUE_ANY)
        return id == VALUE_ZERO;
    const Value *value = &self->values.items[id - VALUE_ANY - 1];
    return value->kind == VALUE_IN && value->count == 1 && !(value->signs & VALUE_ZERO);
}

// Constants are sorted, and none of them has a sign that the value has not.
static bool is_in_order(const Value *self) {
    for (u32 i = 0; i < self->count; i++)
        if ((i && self->items[i - 1] >= self->items[i]) ||
            (self->kind == VALUE_IN && !(sign_mask(self->items[i]) & self->signs)))
            return false;
    return self->count <= CONSTANTS_MOST && self->signs <= VALUE_ANY;
}

static ValueId value_intern(ValueTable *self, Value value) {
    if (value.kind == VALUE_SIGNS || !value.signs)
        return value.signs;
    promised(is_in_order(&value));
    u64 hash = hash_mix((u64)value.signs << 32 | (u32)value.kind << 16 | value.count, value.relation + 1u);
    for (u32 i = 0; i < value.count; i++)
        hash = hash_mix(hash, (u64)value.items[i]);
    u32 *head = map_put(&self->index, hash, NULL);
    for (u32 at = *head; at; at = self->next.items[at - 1]) {
        const Value *known = &self->values.items[at - 1];
        if (known->signs == value.signs && known->kind == value.kind && known->count == value.count &&
            known->relation == value.relation && !memcmp(known->items, value.items, sizeof(i64) * value.count))
            return VALUE_ANY + at;
    }
    array_push(&self->values, value);
    array_push(&self->next, *head);
    *head = self->values.count;
    return VALUE_ANY + self->values.count;
}

static bool value_has(const Value *self, i64 constant) {
    for (u32 i = 0; i < self->count; i++)
        if (self->items[i] == constant)
            return true;
    return false;
}

// Adds a constant in its place; false: there are too many.
static bool value_add(Value *self, i64 constant) {
    if (value_has(self, constant))
        return true;
    if (limit_cuts(LIMIT_CONSTANTS_MOST, self->count >= CONSTANTS_MOST))
        return false;
    u32 at = self->count++;
    for (; at && self->items[at - 1] > constant; at--)
        self->items[at] = self->items[at - 1];
    self->items[at] = constant;
    return true;
}

ValueId value_constant(ValueTable *self, i64 constant) {
    if (!constant)
        return VALUE_ZERO;
    return value_intern(self, (Value){sign_mask(constant), VALUE_IN, 1, 0, {constant}});
}

ValueId value_but(ValueTable *self, const i64 *constants, u32 count) {
    Value value = {.signs = VALUE_ANY, .kind = VALUE_OUT};
    for (u32 i = 0; i < count; i++)
        if (!constants[i])
            value.signs &= (u8)~VALUE_ZERO;
        else if (!value_add(&value, constants[i]))
            break;
    value.kind = value.count ? VALUE_OUT : VALUE_SIGNS;
    return value_intern(self, value);
}

ValueId value_related(ValueTable *self, u8 relation, i64 constant) {
    u8 exact, signs = relation_mask(relation, constant, &exact);
    if (relation == REL_EQ)
        return value_constant(self, constant);
    if (exact || relation == REL_OPAQUE)
        return signs;
    if (relation == REL_NE)
        return value_but(self, &constant, 1);
    return value_intern(self, (Value){signs, VALUE_RELATED, 1, relation, {constant}});
}

// Is a constant among the values?
static bool admits(const Value *self, i64 constant) {
    if (!(self->signs & sign_mask(constant)))
        return false;
    if (!constant && self->kind != VALUE_RELATED) // zero is a sign, and no constant
        return true;
    switch (self->kind) {
    case VALUE_IN: return value_has(self, constant);
    case VALUE_OUT: return !value_has(self, constant);
    case VALUE_RELATED: return relation_holds(self->relation, constant, self->items[0]);
    default: return true;
    }
}

ValueId value_meet(ValueTable *self, ValueId a, ValueId b) {
    if (a <= VALUE_ANY && b <= VALUE_ANY)
        return a & b;
    Value x = value_get(self, a), y = value_get(self, b);
    if (x.kind != VALUE_IN && y.kind == VALUE_IN) {
        Value swap = x;
        x = y;
        y = swap;
    }
    Value out = {.kind = x.kind};
    if (x.kind == VALUE_IN) {
        for (u32 i = 0; i < x.count; i++)
            if (admits(&y, x.items[i])) {
                value_add(&out, x.items[i]);
                out.signs |= sign_mask(x.items[i]);
            }
        if ((x.signs & VALUE_ZERO) && admits(&y, 0))
            out.signs |= VALUE_ZERO;
        out.kind = out.count ? VALUE_IN : VALUE_SIGNS;
        return value_intern(self, out);
    }
    out.signs = x.signs & y.signs;
    for (u32 k = 0; k < 2; k++) {
        const Value *from = k ? &y : &x;
        for (u32 i = 0; from->kind == VALUE_OUT && i < from->count; i++)
            if (out.signs & sign_mask(from->items[i]))
                value_add(&out, from->items[i]);
    }
    out.kind = out.count ? VALUE_OUT : VALUE_SIGNS;
    return value_intern(self, out);
}

ValueId value_join(ValueTable *self, ValueId a, ValueId b) {
    if (a == b || (a <= VALUE_ANY && b <= VALUE_ANY))
        return a | b;
    Value x = value_get(self, a), y = value_get(self, b), out = {.signs = x.signs | y.signs};
    bool x_in = x.kind == VALUE_IN || (x.kind == VALUE_SIGNS && !(x.signs & ~VALUE_ZERO)),
         y_in = y.kind == VALUE_IN || (y.kind == VALUE_SIGNS && !(y.signs & ~VALUE_ZERO));
    if (x_in && y_in) {
        out = x;
        out.kind = VALUE_IN;
        out.signs |= y.signs;
        for (u32 i = 0; i < y.count; i++)
            if (!value_add(&out, y.items[i]))
                return out.signs;
        return value_intern(self, out);
    }
    const Value *outs[2] = {&x, &y};
    for (u32 k = 0; k < 2; k++) // what neither can be
        for (u32 i = 0; outs[k]->kind == VALUE_OUT && i < outs[k]->count; i++)
            if (!admits(outs[!k], outs[k]->items[i]))
                value_add(&out, outs[k]->items[i]);
    out.kind = out.count ? VALUE_OUT : VALUE_SIGNS;
    return value_intern(self, out);
}

ValueId value_bits(ValueTable *self, ValueId a, i64 bits) {
    Value x = value_get(self, a), out = {.kind = VALUE_IN};
    if (x.kind != VALUE_IN)
        return !(x.signs & ~VALUE_ZERO) ? x.signs : bits >= 0 ? VALUE_ZERO | VALUE_POSITIVE : VALUE_ANY;
    out.signs = x.signs & VALUE_ZERO;
    for (u32 i = 0; i < x.count; i++) {
        i64 kept = x.items[i] & bits;
        out.signs |= sign_mask(kept);
        if (kept)
            value_add(&out, kept);
    }
    out.kind = out.count ? VALUE_IN : VALUE_SIGNS;
    return value_intern(self, out);
}

void value_free(ValueTable *self) {
    array_free(&self->values);
    array_free(&self->next);
    map_free(&self->index);
}
