// guarded.c: lists of guarded accesses, merged by object, place, kind and protection, and bounded.
// In: accesses in the order of the text, callees' at their calls. Out: GuardedSet, nearest first, of at most so many.
// Invariant: equal accesses are one, the nearest (then the first) stands for all; what is over the bound is counted.
#include "racerx/summary/guarded.h"

void guarded_begin(GuardedList *self) {
    self->accesses.count = self->places.count = self->protections.count = self->locks.count = 0;
    array_push(&self->protections, ((Protection){.first = 0})); // [0]: none
    self->stamp++;
}

void guarded_free(GuardedList *self) {
    array_free(&self->accesses);
    array_free(&self->places);
    array_free(&self->protections);
    array_free(&self->locks);
    free(self->slots);
    free(self->stamps);
    free(self->hashes);
}

// protections -----------------------------------------------------------------------

static bool is_protection(const GuardedList *self, const Protection *protection, const RelativeState *state) {
    const SummaryLock *lock = self->locks.items + protection->first;
    for (u32 run = 0; run < RUNS; run++) {
        if (run == RUN_MAYBE)
            continue;
        if (protection->count[run] != state->count[run])
            return false;
        for (u32 i = 0; i < state->count[run]; i++, lock++) {
            const SummaryLock *other = &state->locks[run][i];
            if (lock->class != other->class || lock->relation != other->relation || lock->flags != other->flags ||
                !place_equal(&lock->place, &other->place))
                return false;
        }
    }
    return true;
}

u32 guarded_protection(GuardedList *self, const RelativeState *state) {
    for (u32 i = 0; i < self->protections.count; i++)
        if (is_protection(self, &self->protections.items[i], state))
            return i;
    if (self->protections.count > UINT16_MAX) // as if nothing were known: its accesses are unsure
        return 0;
    Protection made = {.first = self->locks.count};
    for (u32 run = 0; run < RUNS; run++) {
        made.count[run] = run == RUN_MAYBE ? 0 : state->count[run];
        for (u32 i = 0; i < made.count[run]; i++)
            array_push(&self->locks, state->locks[run][i]);
    }
    array_push(&self->protections, made);
    return self->protections.count - 1;
}

// accesses --------------------------------------------------------------------------

static u64 hash_access(const GuardedAccess *access, const SummaryPlace *place) {
    u64 hash = hash_mix((u64)access->object << 32 | access->protection, (u64)access->flags << 8 | access->fresh);
    if (!place)
        return hash;
    hash = hash_mix(hash, (u64)place->id << 8 | place->count);
    for (u32 i = 0; i < place->count; i++)
        hash = hash_mix(hash, place->steps[i]);
    return access->object ? hash : hash_mix(hash, 1);
}

static void make_slots(GuardedList *self) {
    u32 wanted = self->slot_count ? 2 * self->slot_count : 256;
    self->slots = must_realloc(self->slots, sizeof(u32) * wanted);
    self->stamps = must_realloc(self->stamps, sizeof(u32) * wanted);
    memset(self->stamps, 0, sizeof(u32) * wanted);
    self->slot_count = wanted;
    self->stamp = 1;
    for (u32 i = 0; i < self->accesses.count; i++) {
        u32 at = (u32)self->hashes[i] & (wanted - 1);
        while (self->stamps[at] == self->stamp)
            at = (at + 1) & (wanted - 1);
        self->stamps[at] = self->stamp;
        self->slots[at] = i;
    }
}

static bool is_nearer(const GuardedAccess *a, const GuardedAccess *b) { return a->depth < b->depth; }

void guarded_add(GuardedList *self, const GuardedAccess *access, const SummaryPlace *place) {
    if (2 * (self->accesses.count + 1) > self->slot_count)
        make_slots(self);
    u64 hash = hash_access(access, self->placed ? place : NULL);
    u32 at = (u32)hash & (self->slot_count - 1);
    for (; self->stamps[at] == self->stamp; at = (at + 1) & (self->slot_count - 1))
        if (self->hashes[self->slots[at]] == hash) {
            GuardedAccess *known = &self->accesses.items[self->slots[at]];
            if (is_nearer(access, known))
                *known = *access;
            return;
        }
    self->stamps[at] = self->stamp;
    self->slots[at] = self->accesses.count;
    if (self->hash_room <= self->accesses.count) {
        self->hash_room = 2 * self->accesses.count + 64;
        self->hashes = must_realloc(self->hashes, sizeof(u64) * self->hash_room);
    }
    self->hashes[self->accesses.count] = hash;
    array_push(&self->accesses, *access);
    if (self->placed)
        array_push(&self->places, *place);
}

// Nearest first, in the order they were met; of one object, place and kind at most so many protections.
static int compare_depth(const void *left, const void *right, void *context) {
    const GuardedAccess *all = context, *a = &all[*(const u32 *)left], *b = &all[*(const u32 *)right];
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return *(const u32 *)left < *(const u32 *)right ? -1 : *(const u32 *)left > *(const u32 *)right;
}

static u64 hash_place(const GuardedAccess *access, const SummaryPlace *place) {
    GuardedAccess plain = *access;
    plain.protection = 0;
    plain.fresh = 0;
    plain.flags &= GUARDED_READ | GUARDED_WRITE;
    return hash_access(&plain, place);
}

// Copies what is kept, with the protections that it uses.
static void copy_kept(const GuardedList *self, const u32 *kept, u32 count, Arena *arena, GuardedSet *out) {
    u32 *renamed = must_zero(sizeof(u32) * self->protections.count), protections = 0, locks = 0;
    for (u32 i = 0; i < count; i++) {
        u32 *name = &renamed[self->accesses.items[kept[i]].protection];
        const Protection *one = &self->protections.items[self->accesses.items[kept[i]].protection];
        if (!*name) {
            *name = ++protections;
            for (u32 run = 0; run < RUNS; run++)
                locks += one->count[run];
        }
    }
    *out = (GuardedSet){.accesses = arena_array(arena, GuardedAccess, count),
                        .places = self->placed ? arena_array(arena, SummaryPlace, count) : NULL,
                        .protections = arena_array(arena, Protection, protections),
                        .locks = arena_array(arena, SummaryLock, locks),
                        .access_count = count,
                        .protection_count = protections};
    for (u32 i = 0; i < count; i++) {
        GuardedAccess *access = &out->accesses[i];
        *access = self->accesses.items[kept[i]];
        if (self->placed)
            out->places[i] = self->places.items[kept[i]];
        const Protection *from = &self->protections.items[access->protection];
        access->protection = (u16)(renamed[access->protection] - 1);
        Protection *to = &out->protections[access->protection];
        *to = *from;
    }
    u32 next = 0;
    for (u32 p = 0; p < protections; p++) {
        Protection *one = &out->protections[p];
        u32 size = 0;
        for (u32 run = 0; run < RUNS; run++)
            size += one->count[run];
        if (size)
            memcpy(out->locks + next, self->locks.items + one->first, sizeof(SummaryLock) * size);
        one->first = next;
        next += size;
    }
    out->lock_count = locks;
    free(renamed);
}

void guarded_end(GuardedList *self, u32 most, LimitId limit, Arena *arena, GuardedSet *out) {
    u32 count = self->accesses.count, kept = 0;
    *out = (GuardedSet){0};
    if (!count)
        return;
    u32 *order = must_alloc(sizeof(u32) * count);
    Map places = {0};
    for (u32 i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, compare_depth, self->accesses.items);
    for (u32 i = 0; i < count; i++) {
        if (limit_cuts(limit, kept == most))
            break;
        u32 *used = map_put(
            &places, hash_place(&self->accesses.items[order[i]], self->placed ? &self->places.items[order[i]] : NULL),
            NULL);
        if (limit_cuts(LIMIT_SUMMARY_PROTECTIONS, *used >= SUMMARY_PROTECTIONS))
            continue;
        ++*used;
        order[kept++] = order[i];
    }
    copy_kept(self, order, kept, arena, out);
    map_free(&places);
    free(order);
}
