// discover_objects.c: what is done with the objects that functions are given.
// In: steps and pairs that are locks. Out: who else is given a lock (initialises it, waits with it, asserts it), what
// locks are called, and pairs of functions that go together although their names do not say so.
#include "racerx/init/discover.h"
#include "racerx/limits.h"

static int compare_u32s(const u32 *a, const u32 *b, u32 count) {
    for (u32 i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// the functions of locks --------------------------------------------------------

// By name: what it does, as the pair that says so plus 1.
typedef struct {
    u32 *pair;      // 0: no function of a lock
    u8 *argument;   // the lock's
    u32 *tail_lock; // by name: the release of the lock that objects called so are, nearly always; 0: none
} Locks;

static void fill_locks(Locks *self, const Discovery *discovery, const PairArray *pairs) {
    u32 names = discovery->names.entries.count + 1;
    self->pair = must_zero(sizeof(u32) * names);
    self->argument = must_zero(names);
    self->tail_lock = must_zero(sizeof(u32) * names);
    Map most = {0};
    for (u32 i = 0; i < pairs->count; i++) {
        const Pair *pair = &pairs->items[i];
        const u32 both[] = {pair->acquire, pair->release};
        for (u32 k = 0; k < 2; k++) {
            u32 *meet = map_put(&most, both[k], NULL);
            if (self->pair[both[k]] && *meet >= pair->meet)
                continue;
            *meet = pair->meet;
            self->pair[both[k]] = i + 1;
            self->argument[both[k]] = pair->argument;
        }
    }
    map_free(&most);
}

// A name is a lock's when most of what is handed on under it goes to one family.
static void fill_tail_locks(Locks *self, const Discovery *discovery, const PairArray *pairs) {
    Map counts = {0}; // tail, release -> calls
    for (u32 i = 0; i < discovery->steps.count; i++) {
        const TextStep *step = &discovery->steps.items[i];
        u32 argument = step->kind == TEXT_CALL && self->pair[step->name] ? self->argument[step->name] : 0;
        if (argument && argument <= 3 && step->tails[argument - 1])
            ++*map_put(&counts, (u64)step->tails[argument - 1] << 32 | pairs->items[self->pair[step->name] - 1].release,
                       NULL);
    }
    u64 key;
    for (u32 i = 0, value; i <= counts.capacity; i++) {
        if (!map_entry(&counts, i, &key, &value))
            continue;
        u32 tail = (u32)(key >> 32);
        if ((u64)value * 2 > discovery->facts[tail].uses) // more than half: only one can have it
            self->tail_lock[tail] = (u32)key;
    }
    map_free(&counts);
}

static void locks_free(Locks *self) {
    free(self->pair);
    free(self->argument);
    free(self->tail_lock);
}

// companions --------------------------------------------------------------------

typedef struct {
    u32 key, release;
} HeldKey;

typedef struct {
    Map index; // (name, argument), release -> item + 1
    CompanionArray *out;
} CompanionTable;

static Companion *companion(CompanionTable *self, u32 name, u32 argument, u32 release) {
    u32 *at = map_put(&self->index, hash_mix((u64)name << 8 | argument, release), NULL);
    if (!*at) {
        array_push(self->out, ((Companion){name, argument, release, 0, 0}));
        *at = self->out->count;
    }
    return &self->out->items[*at - 1];
}

static void companions_of(CompanionTable *self, const Discovery *discovery, const Locks *locks, const PairArray *pairs,
                          const TextBody *body) {
    HeldKey keys[KEYS_MOST];
    u32 count = 0;
    const TextStep *steps = discovery->steps.items + body->first;
    for (u32 i = 0; i < body->count && !limit_cuts(LIMIT_KEYS_MOST, count >= KEYS_MOST); i++) {
        u32 argument = steps[i].kind == TEXT_CALL && locks->pair[steps[i].name] ? locks->argument[steps[i].name] : 0;
        if (argument && steps[i].args[argument - 1])
            keys[count++] =
                (HeldKey){steps[i].args[argument - 1], pairs->items[locks->pair[steps[i].name] - 1].release};
    }
    for (u32 i = 0; i < body->count; i++) {
        if (steps[i].kind != TEXT_CALL || locks->pair[steps[i].name])
            continue;
        for (u32 a = 0; a < TEXT_ARGS; a++) {
            u32 k = 0;
            while (k < count && keys[k].key != steps[i].args[a])
                k++;
            if (steps[i].args[a] && k < count)
                companion(self, steps[i].name, a + 1, keys[k].release)->beside++;
            u32 lock = a < 3 && steps[i].tails[a] ? locks->tail_lock[steps[i].tails[a]] : 0;
            if (lock)
                companion(self, steps[i].name, a + 1, lock)->by_name++;
        }
    }
}

static int compare_companions(const void *left, const void *right) { return compare_u32s(left, right, 3); }

void discover_companions(const Discovery *self, const PairArray *pairs, CompanionArray *out) {
    Locks locks;
    CompanionTable table = {.out = out};
    fill_locks(&locks, self, pairs);
    fill_tail_locks(&locks, self, pairs);
    for (u32 b = 0; b < self->bodies.count; b++)
        companions_of(&table, self, &locks, pairs, &self->bodies.items[b]);
    if (out->count)
        qsort(out->items, out->count, sizeof(Companion), compare_companions);
    map_free(&table.index);
    locks_free(&locks);
}

// tails -------------------------------------------------------------------------

static int compare_tails(const void *left, const void *right) {
    const Tail *a = left, *b = right;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->argument != b->argument)
        return a->argument < b->argument ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->tail < b->tail ? -1 : a->tail > b->tail;
}

void discover_tails(const Discovery *self, const TailArray *asked, TailArray *out) {
    u8 *arguments = must_zero(self->names.entries.count + 1); // by name: a bit for each that is asked
    Map index = {0};
    for (u32 i = 0; i < asked->count; i++)
        if (asked->items[i].argument && asked->items[i].argument <= 3)
            arguments[asked->items[i].function] |= (u8)(1u << (asked->items[i].argument - 1));
    for (u32 i = 0; i < self->steps.count; i++) {
        const TextStep *step = &self->steps.items[i];
        for (u32 a = 0; step->kind == TEXT_CALL && arguments[step->name] >> a; a++) {
            if (!(arguments[step->name] >> a & 1) || !step->tails[a])
                continue;
            u32 *at = map_put(&index, hash_mix((u64)step->name << 2 | a, step->tails[a]), NULL);
            if (!*at) {
                array_push(out, ((Tail){step->name, step->tails[a], 0, (u8)(a + 1)}));
                *at = out->count;
            }
            out->items[*at - 1].count++;
        }
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(Tail), compare_tails);
    map_free(&index);
    free(arguments);
}

// neighbours --------------------------------------------------------------------

typedef struct {
    u32 key, step, name;
} KnownArgument;
typedef Array(KnownArgument) GivenArray;

static int compare_given(const void *left, const void *right) { return compare_u32s(left, right, 2); }

// Calls of a body whose first argument is an object, by object.
static void gather_given(const Discovery *self, const TextBody *body, GivenArray *out) {
    const TextStep *steps = self->steps.items + body->first;
    out->count = 0;
    for (u32 i = 0; i < body->count; i++)
        if (steps[i].kind == TEXT_CALL && steps[i].tails[0] && steps[i].addresses & 1 && !(steps[i].constants & 1)) {
            KnownArgument given = {steps[i].args[0], i, steps[i].name};
            array_push(out, given);
        }
    if (out->count)
        qsort(out->items, out->count, sizeof(KnownArgument), compare_given);
}

static void count_next(const GivenArray *given, Map *next, u32 *with_object) {
    for (u32 i = 0; i < given->count; i++) {
        const KnownArgument *item = &given->items[i];
        with_object[item->name]++;
        if (i + 1 < given->count && item[1].key == item->key && item[1].name != item->name)
            ++*map_put(next, (u64)item->name << 32 | item[1].name, NULL);
    }
}

// For the pairs that are left: calls that have no other side.
static void count_alone(const GivenArray *given, NeighboursArray *out) {
    for (u32 i = 0; i < out->count; i++) {
        Neighbours *pair = &out->items[i];
        for (u32 k = 0; k < given->count; k++) {
            const KnownArgument *item = &given->items[k];
            bool found = false;
            if (item->name == pair->first) {
                for (u32 n = k + 1; n < given->count && given->items[n].key == item->key && !found; n++)
                    found = given->items[n].name == pair->second;
                pair->alone += !found;
            } else if (item->name == pair->second) {
                for (u32 n = k; n-- > 0 && given->items[n].key == item->key && !found;)
                    found = given->items[n].name == pair->first;
                pair->orphan += !found;
            }
        }
    }
}

static int compare_neighbours(const void *left, const void *right) {
    const Neighbours *a = left, *b = right;
    if (a->next != b->next)
        return a->next > b->next ? -1 : 1;
    return compare_u32s(left, right, 2);
}

static void keep_neighbours(const Map *next, const u32 *with_object, u32 least, NeighboursArray *out) {
    u64 key;
    for (u32 i = 0, value; i <= next->capacity; i++) {
        if (!map_entry(next, i, &key, &value) || value < least)
            continue;
        u32 first = (u32)(key >> 32), second = (u32)key;
        if ((u64)value * 10 >= (u64)with_object[first] * 7)
            array_push(out, ((Neighbours){first, second, value, 0, 0}));
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(Neighbours), compare_neighbours);
    if (limit_cuts(LIMIT_NEIGHBOURS_MOST, out->count > NEIGHBOURS_MOST))
        out->count = NEIGHBOURS_MOST;
}

void discover_neighbours(const Discovery *self, u32 least, NeighboursArray *out) {
    Map next = {0};
    GivenArray given = {0};
    u32 *with_object = must_zero(sizeof(u32) * (self->names.entries.count + 1));
    for (u32 b = 0; b < self->bodies.count; b++) {
        if (self->bodies.items[b].flags & BODY_MACRO)
            continue;
        gather_given(self, &self->bodies.items[b], &given);
        count_next(&given, &next, with_object);
    }
    keep_neighbours(&next, with_object, least, out);
    u8 *interesting = must_zero(self->names.entries.count + 1);
    for (u32 i = 0; i < out->count; i++)
        interesting[out->items[i].first] = interesting[out->items[i].second] = 1;
    for (u32 b = 0; b < self->bodies.count && out->count; b++) {
        const TextBody *body = &self->bodies.items[b];
        bool any = false;
        for (u32 i = 0; i < body->count && !any && !(body->flags & BODY_MACRO); i++)
            any = self->steps.items[body->first + i].kind == TEXT_CALL &&
                  interesting[self->steps.items[body->first + i].name];
        if (!any)
            continue;
        gather_given(self, body, &given);
        count_alone(&given, out);
    }
    free(interesting);
    free(with_object);
    array_free(&given);
    map_free(&next);
}
