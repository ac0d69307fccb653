// lockset.c: sets of held locks, interned: equal sets have equal ids; and a set that is being made.
// Invariant: an interned set is sorted; a set has as many locks as there are, no roof.
#include "racerx/facts/lockset.h"

void held_begin(HeldSet *self) {
    self->items = self->inside;
    self->count = 0;
    self->capacity = HELD_INSIDE;
}

void held_end(HeldSet *self) {
    if (self->items != self->inside)
        free(self->items);
    held_begin(self);
}

void held_reserve(HeldSet *self, u32 room) {
    if (room <= self->capacity)
        return;
    u32 capacity = room < 2 * self->capacity ? 2 * self->capacity : room;
    Held *inside = self->items == self->inside ? self->inside : NULL;
    self->items = must_realloc(inside ? NULL : self->items, sizeof(Held) * capacity);
    if (inside)
        memcpy(self->items, inside, sizeof(Held) * self->count);
    self->capacity = capacity;
}

void held_load(HeldSet *self, const LocksetTable *table, LocksetId id) {
    u32 count;
    held_begin(self);
    const Held *from = lockset_held(table, id, &count);
    held_reserve(self, count);
    if (count)
        memcpy(self->items, from, sizeof(Held) * count);
    self->count = count;
}

LocksetId held_intern(HeldSet *self, LocksetTable *table) {
    LocksetId id = lockset_intern(table, self->items, self->count);
    held_end(self);
    return id;
}

void lockset_fork(LocksetTable *self, LocksetTable *second) {
    check(!self->base); // one level is enough
    LocksetTable *base = must_alloc(sizeof *base);
    *base = *self;
    *self = *second = (LocksetTable){.base = base, .base_count = base->sets.count};
}

void lockset_free_second(LocksetTable *self) {
    array_free(&self->sets);
    array_free(&self->held);
    array_free(&self->next);
    map_free(&self->index);
}

void lockset_free(LocksetTable *self) {
    lockset_free_second(self);
    if (self->base) {
        lockset_free_second((LocksetTable *)self->base);
        free((LocksetTable *)self->base);
    }
}

static int compare_held(const Held *a, const Held *b) {
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->path != b->path)
        return a->path < b->path ? -1 : 1;
    if (a->flags != b->flags)
        return (int)a->flags - (int)b->flags;
    return a->site < b->site ? -1 : a->site > b->site;
}

static u64 held_hash(const Held *held, u32 count) {
    u64 hash = count;
    for (u32 i = 0; i < count; i++)
        hash = hash_mix(hash ^ ((u64)held[i].class << 32 | held[i].path),
                        (u64)held[i].site << 32 | (u32)held[i].flags << 16 | held[i].count);
    return hash;
}

static bool held_equal(const Held *a, const Held *b, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (a[i].class != b[i].class || a[i].path != b[i].path || a[i].flags != b[i].flags ||
            a[i].count != b[i].count || a[i].site != b[i].site)
            return false;
    return true;
}

// 0: there is no such set.
static LocksetId find_set(const LocksetTable *self, LocksetId first, u32 before, const Held *held, u32 count) {
    for (u32 id = first; id; id = self->next.items[id - before])
        if (self->sets.items[id - before].count == count &&
            held_equal(self->held.items + self->sets.items[id - before].first, held, count))
            return id;
    return 0;
}

LocksetId lockset_intern(LocksetTable *self, Held *held, u32 count) {
    if (!self->sets.count && !self->base_count) {
        array_push(&self->sets, (Lockset){0});
        array_push(&self->next, 0);
    }
    if (!count)
        return 0;
    for (u32 i = 1; i < count; i++) { // sets are small, and mostly sorted
        Held lock = held[i];
        u32 k = i;
        for (; k > 0 && compare_held(&held[k - 1], &lock) > 0; k--)
            held[k] = held[k - 1];
        held[k] = lock;
    }
    for (u32 i = 0; i < count; i++)
        promised(held[i].class && held[i].count && (!i || compare_held(&held[i - 1], &held[i]) <= 0));
    u64 hash = held_hash(held, count);
    const u32 *shared = self->base ? map_get(&self->base->index, hash) : NULL;
    LocksetId known = shared ? find_set(self->base, *shared, 0, held, count) : 0;
    if (known)
        return known;
    u32 *head = map_put(&self->index, hash, NULL);
    known = find_set(self, *head, self->base_count, held, count);
    if (known)
        return known;
    Lockset set = {self->held.count, count};
    for (u32 i = 0; i < count; i++)
        array_push(&self->held, held[i]);
    array_push(&self->sets, set);
    array_push(&self->next, *head);
    *head = self->base_count + self->sets.count - 1;
    return *head;
}
