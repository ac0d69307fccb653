// state.c: facts about conditions, interned; what a node is bound to.
#include "racerx/walk/walk.h"

static FactsId facts_intern(Walk *self, const u32 *items, u32 count) {
    if (!self->facts.count) {
        array_push(&self->facts, (FactSet){0});
        array_push(&self->fact_next, 0);
    }
    if (!count)
        return 0;
    u64 hash = hash_bytes(items, sizeof(u32) * count, 7);
    u32 *head = map_put(&self->fact_index, hash, NULL);
    for (u32 id = *head; id; id = self->fact_next.items[id])
        if (self->facts.items[id].count == count &&
            !memcmp(self->fact_items.items + self->facts.items[id].first, items, sizeof(u32) * count))
            return id;
    FactSet facts = {self->fact_items.count, count};
    for (u32 i = 0; i < count; i++)
        array_push(&self->fact_items, items[i]);
    array_push(&self->facts, facts);
    array_push(&self->fact_next, *head);
    *head = self->facts.count - 1;
    return *head;
}

u8 facts_get(const Walk *self, FactsId facts, ExprId expr) {
    if (!facts)
        return VALUE_ANY;
    const FactSet *list = &self->facts.items[facts];
    for (u32 i = 0; i < list->count; i++) {
        u32 item = self->fact_items.items[list->first + i];
        if (item >> 3 == expr)
            return item & 7;
    }
    return VALUE_ANY;
}

FactsId facts_set(Walk *self, FactsId facts, ExprId expr, u8 mask) {
    u32 items[FACTS_MOST + 1], count = 0;
    u32 old = facts ? self->facts.items[facts].count : 0;
    bool placed = mask == VALUE_ANY;
    for (u32 i = 0; i < old; i++) {
        u32 item = self->fact_items.items[self->facts.items[facts].first + i];
        if (!placed && item >> 3 >= expr) {
            items[count++] = expr << 3 | mask;
            placed = true;
        }
        if (item >> 3 != expr && count <= FACTS_MOST)
            items[count++] = item;
    }
    if (!placed && count <= FACTS_MOST)
        items[count++] = expr << 3 | mask;
    if (count > FACTS_MOST)
        limit_reached(LIMIT_FACTS_MOST);
    return facts_intern(self, items, count > FACTS_MOST ? FACTS_MOST : count);
}

FactsId facts_follow(Walk *self, FactsId facts, ExprId pointer) {
    u8 known = facts_get(self, facts, pointer), left = known & (u8)~VALUE_ZERO;
    bool room = known != VALUE_ANY || !facts || self->facts.items[facts].count < FACTS_MOST;
    return left && left != known && room ? facts_set(self, facts, pointer, left) : facts;
}

// An expression both know something of may have the values of either; others are forgotten.
FactsId facts_join(Walk *self, FactsId a, FactsId b) {
    if (a == b || !a || !b)
        return a == b ? a : 0;
    u32 items[FACTS_MOST + 1], count = 0;
    FactSet left = self->facts.items[a], right = self->facts.items[b];
    for (u32 i = 0, k = 0; i < left.count && k < right.count;) {
        u32 x = self->fact_items.items[left.first + i], y = self->fact_items.items[right.first + k];
        if (x >> 3 == y >> 3 && ((x | y) & 7) != VALUE_ANY)
            items[count++] = x | y;
        i += x >> 3 <= y >> 3;
        k += y >> 3 <= x >> 3;
    }
    return facts_intern(self, items, count);
}

u32 node_binding(const Analysis *self, const Node *node, u32 kind, u32 param) {
    if (!node->binding)
        return 0;
    const u32 *run = self->bindings.items + node->binding;
    for (u32 i = 0; i < run[0]; i++)
        if (run[1 + 2 * i] == (kind << 8 | param))
            return run[2 + 2 * i];
    return 0;
}

// What a parameter's class is in this node.
ClassId bound_class(const Analysis *self, const Node *node, ClassId class) {
    const LockClass *info = &self->classes.items[class];
    ClassId bound = info->parameter ? node_binding(self, node, BIND_CLASS, info->param) : 0;
    return bound ? bound : class;
}
