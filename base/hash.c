// hash.c: hashing, interning, maps. Everything is deterministic: no per-run seeds.
#include "base/base.h"

static u64 load64(const u8 *at) {
    u64 value;
    memcpy(&value, at, 8);
    return value;
}

static u64 load_tail(const u8 *at, size_t size) { // the last 0..7 bytes
    u64 value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (u64)at[i] << (8 * i);
    return value;
}

u64 hash_bytes(const void *bytes, size_t size, u64 seed) {
    const u8 *at = bytes;
    u64 a = seed ^ 0x2545f4914f6cdd1dull, b = a + size;
    size_t left = size;
    for (; left >= 16; left -= 16, at += 16) {
        a = hash_mix(a ^ load64(at), 0xa0761d6478bd642full);
        b = hash_mix(b ^ load64(at + 8), 0xe7037ed1a0b428dbull);
    }
    if (left >= 8) {
        a = hash_mix(a ^ load64(at), 0x8ebc6af09c88c6e3ull);
        at += 8, left -= 8;
    }
    b = hash_mix(b ^ load_tail(at, left), size + 0x589965cc75374cc3ull);
    return hash_mix(a, b);
}

Key key_bytes(const void *bytes, size_t size) {
    return (Key){hash_bytes(bytes, size, 0x7261636572780001ull), hash_bytes(bytes, size, 0x7261636572780002ull)};
}

// intern ----------------------------------------------------------------------

static u32 *intern_slot(const Intern *self, const char *text, u32 length, u32 hash) {
    for (u32 i = hash & (self->slot_count - 1);; i = (i + 1) & (self->slot_count - 1)) {
        u32 *slot = &self->slots[i];
        if (!*slot)
            return slot;
        const InternEntry *entry = &self->entries.items[*slot - 1];
        if (entry->hash == hash && entry->length == length && !memcmp(entry->text, text, length))
            return slot;
    }
}

static void intern_rehash(Intern *self, u32 slot_count) {
    free(self->slots);
    self->slot_count = slot_count;
    self->slots = must_zero(sizeof(u32) * slot_count);
    for (u32 id = 0; id < self->entries.count; id++) {
        const InternEntry *entry = &self->entries.items[id];
        *intern_slot(self, entry->text, entry->length, entry->hash) = id + 1;
    }
}

static u32 intern_insert(Intern *self, const char *text, u32 length, u32 hash) {
    if ((self->entries.count + 1) * 2 > self->slot_count)
        intern_rehash(self, self->slot_count ? self->slot_count * 2 : 256);
    u32 *slot = intern_slot(self, text, length, hash);
    if (*slot)
        return *slot - 1;
    InternEntry entry = {arena_copy(&self->arena, text, length), length, hash};
    array_push(&self->entries, entry);
    *slot = self->entries.count;
    return self->entries.count - 1;
}

u32 intern_add(Intern *self, const char *text, u32 length) {
    if (!self->entries.count)
        intern_insert(self, "", 0, (u32)hash_bytes("", 0, 0));
    return intern_insert(self, text, length, (u32)hash_bytes(text, length, 0));
}

u32 intern_find(const Intern *self, const char *text, u32 length) {
    if (!self->slot_count)
        return UINT32_MAX;
    u32 found = *intern_slot(self, text, length, (u32)hash_bytes(text, length, 0));
    return found ? found - 1 : UINT32_MAX;
}

void intern_reset(Intern *self) {
    if (self->slots)
        memset(self->slots, 0, sizeof(u32) * self->slot_count);
    self->entries.count = 0;
    arena_reset(&self->arena);
}

void intern_free(Intern *self) {
    array_free(&self->entries);
    free(self->slots);
    arena_free(&self->arena);
    *self = (Intern){0};
}

// map -------------------------------------------------------------------------

static u64 slot_key(const MapSlot *slot) { return slot->key[0] | (u64)slot->key[1] << 32; }

// Where a key other than 0 is, or would be.
static MapSlot *map_slot(const Map *self, u64 key) {
    u32 mask = self->capacity - 1;
    u32 i = (u32)hash_mix(key, 0x94d049bb133111ebull) & mask;
    for (;; i = (i + 1) & mask) {
        u64 there = slot_key(&self->slots[i]);
        if (there == key || !there)
            return &self->slots[i];
    }
}

static void map_resize(Map *self, u32 capacity) {
    Map old = *self;
    self->slots = must_zero(sizeof(MapSlot) * capacity);
    self->capacity = capacity;
    for (u32 i = 0; i < old.capacity; i++) {
        u64 key = slot_key(&old.slots[i]);
        if (key)
            *map_slot(self, key) = old.slots[i];
    }
    free(old.slots);
}

u32 *map_put(Map *self, u64 key, bool *is_new) {
    if ((u64)(self->count + 1) * 4 > (u64)self->capacity * 3)
        map_resize(self, self->capacity ? self->capacity * 2 : 64);
    promised(!(self->capacity & (self->capacity - 1)) && self->count < self->capacity);
    MapSlot *slot = key ? map_slot(self, key) : NULL;
    bool fresh = slot ? !slot_key(slot) : !self->has_zero;
    if (is_new)
        *is_new = fresh;
    if (fresh)
        self->count++;
    if (!slot) {
        self->has_zero = true;
        return &self->zero_value;
    }
    if (fresh)
        *slot = (MapSlot){{(u32)key, (u32)(key >> 32)}, 0};
    return &slot->value;
}

u32 *map_get(const Map *self, u64 key) {
    if (!key)
        return self->has_zero ? (u32 *)&self->zero_value : NULL;
    if (!self->capacity)
        return NULL;
    MapSlot *slot = map_slot(self, key);
    return slot_key(slot) ? &slot->value : NULL;
}

bool map_entry(const Map *self, u32 at, u64 *key, u32 *value) {
    *key = at < self->capacity ? slot_key(&self->slots[at]) : 0;
    *value = at < self->capacity ? self->slots[at].value : self->zero_value;
    return at < self->capacity ? *key != 0 : at == self->capacity && self->has_zero;
}

void map_clear(Map *self) {
    if (self->capacity > 256 && self->count < self->capacity / 8) { // to clear it would cost more than to fill it did
        map_free(self);
        return;
    }
    if (self->capacity)
        memset(self->slots, 0, sizeof(MapSlot) * self->capacity);
    self->count = self->zero_value = 0;
    self->has_zero = false;
}

void map_fork(Map *self) {
    size_t size = sizeof(MapSlot) * self->capacity;
    if (self->capacity)
        self->slots = memory_copy(self->slots, size, size);
}

void map_free(Map *self) {
    free(self->slots);
    *self = (Map){0};
}
