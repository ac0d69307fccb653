// locksets.c: probabilistic lockset analysis. In: access-locksets with the samples that have them. Out: which are
// stable (Algorithm 2), which places no lock guards (the linear pass of Algorithm 3), how many pairs of instructions
// violate (its pairwise pass).
#include "racerx/confirm/predict.h"

enum { LOCKSETS_MOST = 1000 }; // of one place, as in the paper's section 4

#define NEARLY 1e-9

void prediction_begin(Prediction *self, double beta) {
    *self = (Prediction){.beta = beta};
    names_begin(&self->names);
}

void prediction_free(Prediction *self) {
    for (u32 i = 0; i < self->seeds.count; i++)
        free(self->seeds.items[i].text);
    array_free(&self->seeds);
    array_free(&self->accesses);
    array_free(&self->pairs);
    map_free(&self->access_map);
    map_free(&self->pair_map);
    map_free(&self->call_map);
    array_free(&self->calls);
    bitset_free(&self->used);
    names_free(&self->names);
}

u32 prediction_seed(Prediction *self, const char *text) {
    for (u32 i = 0; i < self->seeds.count; i++)
        if (!strcmp(self->seeds.items[i].text, text))
            return i;
    array_push(&self->seeds, ((Seed){must_strdup(text), 0}));
    return self->seeds.count - 1;
}

u32 prediction_access(Prediction *self, u32 seed, u64 code, u32 place, u32 lockset, u8 flags) {
    bool fresh;
    u64 key = hash_mix(hash_mix(code, (u64)place << 32 | lockset), (u64)seed << 8 | flags);
    u32 *at = map_put(&self->access_map, key, &fresh);
    if (fresh) {
        *at = self->accesses.count;
        array_push(
            &self->accesses,
            ((AccessLockset){
                .code = code, .seed = seed, .place = place, .lockset = lockset, .flags = flags, .last = UINT32_MAX}));
    }
    AccessLockset *access = &self->accesses.items[*at];
    access->samples += access->last != self->samples;
    access->last = self->samples;
    return *at;
}

double access_probability(const Prediction *self, const AccessLockset *access) {
    u32 samples = self->seeds.items[access->seed].samples;
    return samples ? (double)access->samples / samples : 0;
}

// places --------------------------------------------------------------------------

typedef Array(u32) Numbers;

static const Prediction *sorted; // for qsort
static int by_place(const void *a, const void *b) {
    const AccessLockset *x = &sorted->accesses.items[*(const u32 *)a], *y = &sorted->accesses.items[*(const u32 *)b];
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->lockset != y->lockset ? (x->lockset < y->lockset ? -1 : 1) : x->code < y->code ? -1 : x->code > y->code;
}

// One pass over all locksets of a place: is there a lock in all of them?
static bool is_guarded(const Prediction *self, const u32 *items, u32 count) {
    const Names *names = &self->names;
    u32 first = self->accesses.items[items[0]].lockset, start = names->set_starts.items[first];
    u32 end = first + 1 < names->set_starts.count ? names->set_starts.items[first + 1] : names->set_locks.count;
    for (u32 lock = start; lock < end; lock++) {
        bool everywhere = true;
        for (u32 i = 1; everywhere && i < count; i++) {
            u32 set = self->accesses.items[items[i]].lockset, at = names->set_starts.items[set];
            u32 stop = set + 1 < names->set_starts.count ? names->set_starts.items[set + 1] : names->set_locks.count;
            everywhere = false;
            for (; at < stop && !everywhere; at++)
                everywhere = names->set_locks.items[at] >> 1 == names->set_locks.items[lock] >> 1;
        }
        if (everywhere)
            return true;
    }
    return false;
}

static bool has_write(const Prediction *self, const u32 *items, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (self->accesses.items[items[i]].flags & TOUCH_WRITES)
            return true;
    return false;
}

// The end of the accesses with the lockset of the first.
static u32 same_lockset(const Prediction *self, const u32 *items, u32 from, u32 count) {
    u32 to = from;
    while (to < count && self->accesses.items[items[to]].lockset == self->accesses.items[items[from]].lockset)
        to++;
    return to;
}

static u32 add_pairs(const Prediction *self, const u32 *a, u32 a_count, const u32 *b, u32 b_count, Map *seen) {
    u32 count = 0;
    for (u32 i = 0; i < a_count; i++)
        for (u32 k = 0; k < b_count; k++) {
            const AccessLockset *x = &self->accesses.items[a[i]], *y = &self->accesses.items[b[k]];
            bool fresh, atomic = x->flags & y->flags & TOUCH_ATOMIC;
            u64 low = x->code < y->code ? x->code : y->code, high = x->code < y->code ? y->code : x->code;
            if (!((x->flags | y->flags) & TOUCH_WRITES) || atomic)
                continue;
            map_put(seen, hash_mix(low, high), &fresh);
            count += fresh;
        }
    return count;
}

static void count_place(Prediction *self, const u32 *items, u32 count, LocksetCounts *out, Map *seen) {
    u32 locksets = 0;
    out->places++;
    for (u32 i = 0; i < count; i = same_lockset(self, items, i, count))
        locksets++;
    out->most_locksets = locksets > out->most_locksets ? locksets : out->most_locksets;
    if (is_guarded(self, items, count) || !has_write(self, items, count))
        return;
    out->violating++;
    out->linear += count;
    for (u32 i = 0, sets = 0, end; i < count && sets < LOCKSETS_MOST; i = end, sets++) {
        end = same_lockset(self, items, i, count);
        u32 own = self->accesses.items[items[i]].lockset;
        if (!locksets_meet(&self->names, own, own))
            out->pairs += add_pairs(self, items + i, end - i, items + i, end - i, seen);
        for (u32 k = end, others = sets, stop; k < count && others < LOCKSETS_MOST; k = stop, others++) {
            stop = same_lockset(self, items, k, count);
            if (!locksets_meet(&self->names, own, self->accesses.items[items[k]].lockset))
                out->pairs += add_pairs(self, items + i, end - i, items + k, stop - k, seen);
        }
    }
}

LocksetCounts prediction_count(Prediction *self) {
    LocksetCounts out = {.accesses = self->accesses.count};
    Numbers stable = {0};
    Map seen = {0};
    for (u32 i = 0; i < self->accesses.count; i++) {
        AccessLockset *access = &self->accesses.items[i];
        access->stable = access_probability(self, access) >= self->beta - NEARLY;
        if (access->stable)
            array_push(&stable, i);
    }
    out.stable = stable.count;
    sorted = self;
    if (stable.count)
        qsort(stable.items, stable.count, sizeof *stable.items, by_place);
    for (u32 i = 0, end; i < stable.count; i = end) {
        end = i;
        while (end < stable.count &&
               self->accesses.items[stable.items[end]].place == self->accesses.items[stable.items[i]].place)
            end++;
        count_place(self, stable.items + i, end - i, &out, &seen);
    }
    map_free(&seen);
    array_free(&stable);
    return out;
}
