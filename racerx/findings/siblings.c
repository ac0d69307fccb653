// siblings.c: which findings have something in common, and how near to each other their places are.
// In: all findings of the checks, before they are ranked. Out: the features siblings…, same_…, between_calls;
// Finding.group.
//
// Real mistakes come alone; one misunderstanding (a lock that is a catch-all, a call through a pointer that goes
// everywhere, a wrapper not understood) makes hundreds of findings that share an acquisition, a lock, a belief, a way
// or an event. So how many share the most shared of these is evidence, and what shares its cause is one group: one
// entry of a report, one verdict for all. A group is named by functions and locks, not by lines: it is the same
// tomorrow. Invariant: nothing here depends on the order of the list.
#include "racerx/findings/findings.h"

#include <math.h>

// What can be shared. The first is the cause, which makes groups.
typedef enum {
    SHARED_CAUSE,  // the same acquisition and the same call from there; the same function without the same lock;
                   // the same call without it
    SHARED_LOCK,   // the lock held, believed in, or taken
    SHARED_OBJECT, // the object of a belief, or what is waited for
    SHARED_SITE,   // where a lock was taken
    SHARED_EVENT,  // where it happens
    SHARED_WAY,    // the first half of a long way from the root
    SHARED_CALL,   // of an interrupted side: a call on its way that leads to several functions; counts these
    SHARED_COUNT,
} Shared;

static const char *const feature_names[SHARED_COUNT] = {"siblings_cause", "siblings_lock",  "siblings_object",
                                                        "siblings_site",  "siblings_event", "siblings_way",
                                                        "siblings_call"};

typedef struct {
    Shared shared;
    u64 hash; // of the kind and the names
    u64 of;   // SHARED_CALL: of these and what is called: counted once; 0: every finding counts
} SharedKey;
typedef Array(SharedKey) SharedKeyArray;

#define LONG_WAY 8 // calls: a shorter way has no first half worth comparing

static u64 mix_text(u64 hash, const char *text) { return hash_bytes(text, strlen(text) + 1, hash); }

static u64 mix_function(u64 hash, const Site *site) { return mix_text(mix_text(hash, site->function), site->file); }

static u64 mix_place(u64 hash, const Site *site) { return hash_mix(mix_function(hash, site), site->line); }

static void push_key(SharedKeyArray *keys, Shared shared, u64 hash) { // once each
    for (u32 i = 0; i < keys->count; i++)
        if (keys->items[i].shared == shared && keys->items[i].hash == hash)
            return;
    array_push(keys, ((SharedKey){shared, hash, 0}));
}

// places ----------------------------------------------------------------------

// Where this side took what it holds: the site before or after its event that says so.
static const Site *acquisition_of(const Finding *finding, u32 side, const Site *event) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        if (site != event && site->side == side && site->role == ROLE_ACQUIRE)
            return site;
    }
    return NULL;
}

// Calls between the function that took the lock and the event; -1: it took it by a call, so it is not on the way.
static int calls_between(const Site *taken, const Site *event) {
    for (u32 i = event->callchain.count; i--;)
        if (!strcmp(event->callchain.items[i].function, taken->function))
            return (int)(event->callchain.count - 1 - i);
    return strcmp(taken->function, event->function) ? -1 : 0;
}

static const char *called_from(const Site *taken, const Site *event) { // what the taker calls on the way to the event
    int between = calls_between(taken, event);
    return between < 1 ? "" : event->callchain.items[event->callchain.count - (u32)between].function;
}

static size_t directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

static bool same_directory(const Site *a, const Site *b) {
    size_t length = directory_length(a->file);
    return length == directory_length(b->file) && !memcmp(a->file, b->file, length);
}

static const Feature *feature_of(const Finding *finding, const char *name) {
    for (u32 i = 0; i < finding->features.count; i++)
        if (!strcmp(finding->features.items[i].name, name))
            return &finding->features.items[i];
    return NULL;
}

static void put_missing(FindingList *list, Finding *finding, const char *name, double number) {
    if (!feature_of(finding, name))
        finding_add_number(list, finding, name, number);
}

// How near the places of a finding are to each other, where its check did not say so.
static void fill_nearness(FindingList *list, Finding *finding) {
    const Site *first = finding->sites.items;
    u32 functions = 1, files = 1, directories = 1;
    for (u32 i = 1; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        files &= !strcmp(site->file, first->file);
        functions &= files && !strcmp(site->function, first->function);
        directories &= same_directory(site, first);
    }
    put_missing(list, finding, "same_function", functions);
    put_missing(list, finding, "same_file", files);
    put_missing(list, finding, "same_directory", directories);
    const Site *taken = acquisition_of(finding, first->side, first);
    if (!taken || !kind_has(finding->kind, SHAPE_HELD))
        return;
    int between = calls_between(taken, first);
    if (between >= 0)
        put_missing(list, finding, "between_calls", between);
}

// keys ------------------------------------------------------------------------

static void push_deadlock_causes(const Finding *finding, u64 seed, SharedKeyArray *keys) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *event = &finding->sites.items[i], *taken = acquisition_of(finding, event->side, event);
        if (!event->callchain.count)
            continue;
        u64 hash = mix_text(mix_function(seed, event), event->object);
        if (taken && taken != event)
            hash = mix_text(mix_function(hash, taken), taken->object);
        push_key(keys, SHARED_CAUSE, hash);
    }
}

static void push_causes(const Finding *finding, u64 seed, SharedKeyArray *keys) {
    const Site *event = finding->sites.items, *taken = acquisition_of(finding, event->side, event);
    if (kind_has(finding->kind, SHAPE_CIRCLE))
        push_deadlock_causes(finding, seed, keys);
    else if (event->role == ROLE_CALL) // one belief: this function is called under this lock
        push_key(keys, SHARED_CAUSE, mix_text(mix_text(seed, finding->object), finding->lock));
    else if (kind_has(finding->kind, SHAPE_SIDES) || !taken)
        push_key(keys, SHARED_CAUSE, mix_text(mix_function(seed, event), finding->lock));
    else
        push_key(keys, SHARED_CAUSE,
                 mix_text(mix_text(mix_function(seed, taken), finding->lock), called_from(taken, event)));
    if (!keys->count)
        push_key(keys, SHARED_CAUSE, mix_text(mix_function(seed, event), finding->lock));
}

static void push_ways(const Finding *finding, u64 seed, SharedKeyArray *keys) {
    for (u32 i = 0; i < finding->sites.count; i++) {
        const Site *site = &finding->sites.items[i];
        u64 hash = seed;
        if (site->callchain.count < LONG_WAY)
            continue;
        for (u32 k = 0; k < site->callchain.count / 2; k++)
            hash = mix_text(hash, site->callchain.items[k].function);
        push_key(keys, SHARED_WAY, hash);
    }
}

// Whether handlers may come is up to who calls: when a call through a pointer brings many functions there, it is one
// misunderstanding of that call.
static void push_calls(const Finding *finding, u64 seed, SharedKeyArray *keys) {
    const Site *plain = finding->sites.items;
    for (u32 k = 0; finding->kind == KIND_IRQ_DEADLOCK && k + 1 < plain->callchain.count; k++) {
        const ChainLink *link = &plain->callchain.items[k];
        u64 place = hash_mix(mix_text(mix_text(seed, link->function), link->file), link->line);
        array_push(keys, ((SharedKey){SHARED_CALL, place, mix_text(place, link[1].function)}));
    }
}

static void push_locks(const Finding *finding, u64 seed, SharedKeyArray *keys) {
    if (*finding->lock)
        push_key(keys, SHARED_LOCK, mix_text(seed, finding->lock));
    for (u32 i = 0; kind_has(finding->kind, SHAPE_CIRCLE) && i < finding->objects.count; i++)
        push_key(keys, SHARED_LOCK, mix_text(seed, finding->objects.items[i]));
    if (kind_has(finding->kind, SHAPE_OBJECT) && *finding->object)
        push_key(keys, SHARED_OBJECT, mix_text(seed, finding->object));
}

static void gather_keys(const Finding *finding, SharedKeyArray *keys) {
    u64 seed = hash_mix(0x7369626c, finding->kind);
    keys->count = 0;
    push_causes(finding, seed, keys);
    push_locks(finding, seed, keys);
    push_ways(finding, seed, keys);
    push_calls(finding, seed, keys);
    for (u32 i = 0; !kind_has(finding->kind, SHAPE_SIDES) && i < finding->sites.count; i++)
        if (finding->sites.items[i].role == ROLE_ACQUIRE)
            push_key(keys, SHARED_SITE, mix_place(seed, &finding->sites.items[i]));
    push_key(keys, SHARED_EVENT,
             kind_has(finding->kind, SHAPE_SIDES) ? mix_function(seed, finding->sites.items)
                                                  : mix_place(seed, finding->sites.items));
}

// counting --------------------------------------------------------------------

static u64 counted_as(const SharedKey *key) { return hash_mix(key->hash, key->shared); }

// The most shared cause makes the group; of equals the smallest name. 0: nobody shares any.
static u64 group_of(const SharedKeyArray *keys, const Map *counts) {
    u64 best = 0;
    u32 most = 1;
    for (u32 i = 0; i < keys->count; i++) {
        const SharedKey *key = &keys->items[i];
        u32 count = *map_get(counts, counted_as(key));
        if (key->shared != SHARED_CAUSE || count < most || count == 1 || (count == most && key->hash > best))
            continue;
        most = count;
        best = key->hash;
    }
    return best;
}

// The same by somebody else: it belongs to the group, and says nothing against it.
static bool is_another(const Finding *finding) { return feature_of(finding, "another_holder") != NULL; }

static void fill_counts(FindingList *list, Finding *finding, const SharedKeyArray *keys, const Map *counts,
                        const Map *others) {
    u32 most[SHARED_COUNT] = {0}, all = 1;
    for (u32 i = 0; i < keys->count; i++) {
        const u32 *other = map_get(others, counted_as(&keys->items[i]));
        u32 count = *map_get(counts, counted_as(&keys->items[i])) - (other ? *other : 0);
        u32 *place = &most[keys->items[i].shared];
        *place = count > *place ? count : *place;
        all = count > all ? count : all;
    }
    finding_add_number(list, finding, "siblings", all);
    for (u32 i = 0; i < SHARED_COUNT; i++)
        if (most[i] > 1)
            finding_add_number(list, finding, feature_names[i], most[i]);
    u64 group = group_of(keys, counts);
    finding->group = group ? findings_text(list, "%016llx", (unsigned long long)group) : "";
}

void relate(FindingList *self) {
    Map counts = {0}, others = {0}; // of those that are another's
    Map called = {0};               // SharedKey.of
    SharedKeyArray keys = {0};
    bool fresh;
    for (u32 i = 0; i < self->items.count; i++) {
        if (!self->items.items[i]->sites.count)
            continue;
        fill_nearness(self, self->items.items[i]);
        gather_keys(self->items.items[i], &keys);
        for (u32 k = 0; k < keys.count; k++) {
            *map_put(&called, keys.items[k].of, &fresh) = 1;
            *map_put(&counts, counted_as(&keys.items[k]), NULL) += fresh || !keys.items[k].of;
        }
        for (u32 k = 0; k < keys.count && is_another(self->items.items[i]); k++)
            ++*map_put(&others, counted_as(&keys.items[k]), &fresh);
    }
    for (u32 i = 0; i < self->items.count; i++) {
        if (!self->items.items[i]->sites.count)
            continue;
        gather_keys(self->items.items[i], &keys);
        fill_counts(self, self->items.items[i], &keys, &counts, &others);
    }
    array_free(&keys);
    map_free(&counts);
    map_free(&others);
    map_free(&called);
}
