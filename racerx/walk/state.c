// state.c: facts about conditions, interned; what a node is bound to.
#include "racerx/walk/walk.h"

static FactsId facts_intern(Walk *self, const u64 *items, u32 count) {
    if (!self->facts.count) {
        array_push(&self->facts, (KnownFacts){0});
        array_push(&self->fact_next, 0);
    }
    if (!count)
        return 0;
    u64 hash = hash_bytes(items, sizeof(u64) * count, 7);
    u32 *head = map_put(&self->fact_index, hash, NULL);
    for (u32 id = *head; id; id = self->fact_next.items[id])
        if (self->facts.items[id].count == count &&
            !memcmp(self->fact_items.items + self->facts.items[id].first, items, sizeof(u64) * count))
            return id;
    KnownFacts facts = {self->fact_items.count, count};
    for (u32 i = 0; i < count; i++)
        array_push(&self->fact_items, items[i]);
    array_push(&self->facts, facts);
    array_push(&self->fact_next, *head);
    *head = self->facts.count - 1;
    return *head;
}

ValueId facts_get(const Walk *self, FactsId facts, ExprId expr) {
    if (!facts)
        return VALUE_ANY;
    const KnownFacts *list = &self->facts.items[facts];
    for (u32 i = 0; i < list->count; i++) {
        u64 item = self->fact_items.items[list->first + i];
        if (item >> 32 == expr)
            return (ValueId)item;
    }
    return VALUE_ANY;
}

FactsId facts_set(Walk *self, FactsId facts, ExprId expr, ValueId value) {
    u64 items[FACTS_MOST + 1];
    u32 count = 0, old = facts ? self->facts.items[facts].count : 0;
    if (facts_get(self, facts, expr) == value) // mostly something is forgotten that nobody knew
        return facts;
    bool placed = value == VALUE_ANY;
    for (u32 i = 0; i < old; i++) {
        u64 item = self->fact_items.items[self->facts.items[facts].first + i];
        if (!placed && item >> 32 >= expr) {
            items[count++] = (u64)expr << 32 | value;
            placed = true;
        }
        if (item >> 32 != expr && count <= FACTS_MOST)
            items[count++] = item;
    }
    if (!placed && count <= FACTS_MOST)
        items[count++] = (u64)expr << 32 | value;
    bool cut = limit_cuts(LIMIT_FACTS_MOST, count > FACTS_MOST);
    u64 last = cut ? items[count - 1] >> 32 : 0;
    bool first = last >= SHARED_FACT && last < COPY_FACT; // what one function asked, not what all ask
    return facts_intern(self, items + first, count - cut);
}

// A pointer that was followed is neither null nor an error, which counts as negative.
FactsId facts_follow(Walk *self, FactsId facts, ExprId pointer) {
    ValueId known = facts_get(self, facts, pointer);
    bool room = known != VALUE_ANY || !facts || self->facts.items[facts].count < FACTS_MOST;
    bool open = known == VALUE_ANY || known == (VALUE_NEGATIVE | VALUE_POSITIVE);
    return room && open ? facts_set(self, facts, pointer, VALUE_POSITIVE) : facts;
}

// An expression both know something of may have the values of either; others are forgotten.
FactsId facts_join(Walk *self, FactsId a, FactsId b) {
    if (a == b || !a || !b)
        return a == b ? a : 0;
    u64 items[FACTS_MOST + 1];
    u32 count = 0;
    KnownFacts left = self->facts.items[a], right = self->facts.items[b];
    for (u32 i = 0, k = 0; i < left.count && k < right.count;) {
        u64 x = self->fact_items.items[left.first + i], y = self->fact_items.items[right.first + k];
        if (x >> 32 == y >> 32) {
            bool copy = x >> 32 >= COPY_FACT;
            ValueId joined = !copy              ? value_join(&self->analysis->values, (ValueId)x, (ValueId)y)
                             : (u32)x == (u32)y ? (ValueId)x
                                                : VALUE_ANY;
            if (joined != VALUE_ANY)
                items[count++] = (x >> 32) << 32 | joined;
        }
        i += x >> 32 <= y >> 32;
        k += y >> 32 <= x >> 32;
    }
    return facts_intern(self, items, count);
}

ValueId value_compared(ValueId value, u8 signs, u8 compares) {
    bool zero = signs & VALUE_ZERO, other = signs & ~VALUE_ZERO & VALUE_ANY;
    if (compares == COMPARES_EQUAL)
        return (zero ? VALUE_POSITIVE : 0) | (other ? VALUE_ZERO : 0);
    if (compares == COMPARES_UNEQUAL)
        return (zero ? VALUE_ZERO : 0) | (other ? VALUE_POSITIVE : 0);
    return value;
}

ValueId value_of(const Frame *self, FactsId facts, ExprId expr) {
    ValueId value = facts_get(self->walk, facts, expr);
    ValueTable *values = &self->walk->analysis->values;
    for (u32 i = 0; i < self->skeleton->masked_count; i++) {
        const Masked *masked = &self->skeleton->masked[i];
        if (masked->expr != expr)
            continue;
        ValueId both =
            value_meet(values, value, value_bits(values, facts_get(self->walk, facts, masked->of), masked->bits));
        value = both ? both : value;
    }
    return value;
}

// forgetting ------------------------------------------------------------------------

FactsId forget_var(Frame *self, FactsId facts, u32 var) {
    for (u32 m = 0; facts && m < self->skeleton->mention_count; m++) {
        const Mention *mention = &self->skeleton->mentions[m];
        if (mention->kind == MENTIONS_ANY || (mention->kind == MENTIONS_VAR && mention->id == var))
            facts = facts_set(self->walk, facts, mention->expr, VALUE_ANY);
    }
    return facts;
}

FactsId forget_name(Frame *self, FactsId facts, NameId name) {
    for (u32 m = 0; facts && m < self->skeleton->mention_count; m++) {
        const Mention *mention = &self->skeleton->mentions[m];
        if (mention->kind == MENTIONS_ANY || (mention->kind == MENTIONS_NAME && mention->id == name))
            facts = facts_set(self->walk, facts, mention->expr, VALUE_ANY);
    }
    return facts;
}

FactsId forget_writes(Frame *self, FactsId facts, FunctionId callee) {
    const U32Array *writes = &self->walk->analysis->writes[callee];
    const Skeleton *skeleton = self->skeleton;
    for (u32 i = 0; facts && i < writes->count; i++) {
        for (u32 m = 0; m < skeleton->mention_count; m++)
            if (skeleton->mentions[m].object == writes->items[i])
                facts = facts_set(self->walk, facts, skeleton->mentions[m].expr, VALUE_ANY);
        for (u32 p = 0; p < skeleton->place_count; p++)
            if (skeleton->places[p].object == writes->items[i])
                facts = facts_set(self->walk, facts, skeleton->places[p].expr, VALUE_ANY);
    }
    return facts;
}

// What a pointer to a scalar, or an array, leads to.
static FactsId forget_behind(Frame *self, FactsId facts, PathId pointer) {
    const Path *paths = self->walk->analysis->paths.paths.items;
    for (u32 p = 0; facts && p < self->skeleton->place_count; p++) {
        const TestedPlace *place = &self->skeleton->places[p];
        const Path *path = &paths[place->path];
        u32 name = step_name(path->step);
        bool plain = name <= STEP_ELEMENT || (name >= STEP_INDEXED && !step_is_up(path->step));
        if (path->depth && path->parent == pointer && plain)
            facts = facts_set(self->walk, facts, place->expr, VALUE_ANY);
    }
    return facts;
}

// What a function in no sight is given the address of may be anything afterwards.
FactsId forget_arguments(Frame *self, FactsId facts, const SkeletonStep *step) {
    for (u32 i = 0; facts && i < step->arg_count; i++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        const Path *path = &self->walk->analysis->paths.paths.items[argument->path];
        if (argument->path && !argument->address)
            facts = forget_behind(self, facts, argument->path);
        if (!argument->address || !argument->path)
            continue;
        const TestedPlace *place = place_by_path(self->skeleton, argument->path);
        if (place)
            facts = facts_set(self->walk, facts, place->expr, VALUE_ANY);
        if (!path->depth && (path->root == ROOT_LOCAL || path->root == ROOT_PARAM))
            facts = forget_var(self, facts, path->step);
    }
    return facts;
}

bool stay_apart(const Frame *self, State a, State b) {
    for (u32 i = 0; i < 2 && self->skeleton->split[i] && a.facts != b.facts; i++) {
        ValueId x = facts_get(self->walk, a.facts, self->skeleton->split[i]),
                y = facts_get(self->walk, b.facts, self->skeleton->split[i]);
        const ValueTable *values = &self->walk->analysis->values;
        if (x != y && value_is_single(values, x) && value_is_single(values, y))
            return true;
    }
    return false;
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
