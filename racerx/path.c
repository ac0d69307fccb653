// path.c: places in memory as a function sees them, and sets of locks held; both interned.
// Invariant: a PathId names the same place for as long as its root does not change; assigning to
// the root is the walk's business.
#include "racerx/analysis.h"

#define DEEPEST_PATH 10 // longer places are not told apart from unknown ones

static PathId path_intern(PathTable *self, PathId parent, u32 step, u8 root, u8 depth) {
    if (!self->paths.count)
        array_push(&self->paths, (Path){0});
    bool fresh;
    u32 *id = map_put(&self->index, hash_mix((u64)parent << 32 | step, root + 1u), &fresh);
    if (fresh) {
        array_push(&self->paths, ((Path){parent, step, root, depth}));
        *id = self->paths.count - 1;
    }
    return *id;
}

PathId path_root(PathTable *self, RootKind root, u32 id) { return root == ROOT_UNKNOWN ? 0 : path_intern(self, 0, id, (u8)root, 0); }

PathId path_step(PathTable *self, PathId parent, NameId member, bool pointer) {
    if (!parent || self->paths.items[parent].depth >= DEEPEST_PATH)
        return 0;
    const Path *path = &self->paths.items[parent];
    return path_intern(self, parent, member << 1 | pointer, path->root, (u8)(path->depth + 1));
}

PathId path_first(const PathTable *self, PathId path) {
    while (path && self->paths.items[path].depth)
        path = self->paths.items[path].parent;
    return path;
}

bool path_goes_through_pointer(const PathTable *self, PathId path) {
    for (; path && self->paths.items[path].depth; path = self->paths.items[path].parent)
        if (self->paths.items[path].step & 1)
            return true;
    return false;
}

// `path` with `from` at its start replaced by `to`. With `address`, `from` holds the address of `to`:
// the first step goes through that pointer, and away.
PathId path_rebase(PathTable *self, PathId path, PathId from, PathId to, bool address) {
    u32 steps[DEEPEST_PATH + 1], count = 0;
    while (path && path != from && self->paths.items[path].depth) {
        steps[count++] = self->paths.items[path].step;
        path = self->paths.items[path].parent;
    }
    if (!path || path != from)
        return 0;
    if (address && !count)
        return 0; // the pointer itself, not what it points to
    for (u32 i = count; i-- > 0 && to;) {
        NameId member = steps[i] >> 1;
        bool pointer = steps[i] & 1;
        if (address && i + 1 == count) {
            if (!pointer)
                return 0;
            if (member)
                to = path_step(self, to, member, false);
        } else {
            to = path_step(self, to, member, pointer);
        }
    }
    return to;
}

// `path`, seen from where `from` (or with `address`, its address) is the value of `to`; 0: not reached.
PathId path_unbase(PathTable *self, PathId path, PathId from, bool address, PathId to) {
    u32 steps[DEEPEST_PATH + 1], count = 0;
    while (path && path != from && self->paths.items[path].depth) {
        steps[count++] = self->paths.items[path].step;
        path = self->paths.items[path].parent;
    }
    if (!path || path != from)
        return 0;
    if (address && !count)
        return path_step(self, to, 0, true);
    if (!address && (!count || !(steps[count - 1] & 1)))
        return 0; // the variable itself is not handed on
    for (u32 i = count; i-- > 0 && to;)
        to = path_step(self, to, steps[i] >> 1, (address && i + 1 == count) || (steps[i] & 1));
    return to;
}

// locksets ----------------------------------------------------------------------

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
        if (a[i].class != b[i].class || a[i].path != b[i].path || a[i].flags != b[i].flags || a[i].count != b[i].count ||
            a[i].site != b[i].site)
            return false;
    return true;
}

LocksetId lockset_intern(LocksetTable *self, Held *held, u32 count) {
    if (!self->sets.count) {
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
    u64 hash = held_hash(held, count);
    u32 *head = map_put(&self->index, hash, NULL);
    for (u32 id = *head; id; id = self->next.items[id])
        if (self->sets.items[id].count == count && held_equal(self->held.items + self->sets.items[id].first, held, count))
            return id;
    Lockset set = {self->held.count, count, hash};
    for (u32 i = 0; i < count; i++)
        array_push(&self->held, held[i]);
    array_push(&self->sets, set);
    array_push(&self->next, *head);
    *head = self->sets.count - 1;
    return *head;
}
