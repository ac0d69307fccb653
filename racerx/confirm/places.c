// places.c: numbers for code, places and locksets that mean the same in every sample. In: addresses of one process.
// Out: the number of a static object's byte, of a byte of a block that some code allocates, of a thread's stack.
#include "racerx/confirm/predict.h"

#define MODULE_SHIFT 48

void names_begin(Names *self) {
    *self = (Names){0};
    array_push(&self->modules, must_strdup("")); // 0 is none
    names_lockset(self, NULL, 0);
}

void names_free(Names *self) {
    for (u32 i = 0; i < self->modules.count; i++)
        free(self->modules.items[i]);
    array_free(&self->modules);
    array_free(&self->places);
    array_free(&self->set_starts);
    array_free(&self->set_locks);
    map_free(&self->place_map);
    map_free(&self->set_map);
    arena_free(&self->arena);
}

static u64 module_number(Names *self, const char *path) {
    for (u32 i = 1; i < self->modules.count; i++)
        if (!strcmp(self->modules.items[i], path))
            return i;
    array_push(&self->modules, must_strdup(path));
    return self->modules.count - 1;
}

u64 names_linked(Names *self, const Records *records, u32 process, u64 address) {
    for (u32 i = records->modules.count; i-- > 0;) { // the last first: a process may have become another program
        const RecordModule *module = &records->modules.items[i];
        if (module->process == process && address >= module->low && address < module->high)
            return module_number(self, module->path) << MODULE_SHIFT | (address - module->base);
    }
    return 0;
}

u32 names_place(Names *self, TracedPlace place) {
    bool fresh;
    u32 *at = map_put(&self->place_map, hash_mix(hash_mix(place.base, place.offset), place.kind), &fresh);
    if (fresh) {
        *at = self->places.count;
        array_push(&self->places, place);
    }
    return *at;
}

static int number_order(const void *a, const void *b) {
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return x < y ? -1 : x > y;
}

u32 names_lockset(Names *self, u32 *locks, u32 count) {
    bool fresh;
    if (count)
        qsort(locks, count, sizeof *locks, number_order);
    u32 *at = map_put(&self->set_map, hash_bytes(locks ? locks : (u32[]){0}, sizeof *locks * count, count), &fresh);
    if (fresh) {
        *at = self->set_starts.count;
        array_push(&self->set_starts, self->set_locks.count);
        for (u32 i = 0; i < count; i++)
            array_push(&self->set_locks, locks[i]);
    }
    return *at;
}

bool locksets_meet(const Names *self, u32 a, u32 b) {
    u32 x = self->set_starts.items[a], y = self->set_starts.items[b];
    u32 x_end = a + 1 < self->set_starts.count ? self->set_starts.items[a + 1] : self->set_locks.count;
    u32 y_end = b + 1 < self->set_starts.count ? self->set_starts.items[b + 1] : self->set_locks.count;
    while (x < x_end && y < y_end) {
        u32 p = self->set_locks.items[x], q = self->set_locks.items[y];
        if (p >> 1 == q >> 1 && !(p & q & 1))
            return true;
        x += p >> 1 <= q >> 1;
        y += q >> 1 <= p >> 1;
    }
    return false;
}
