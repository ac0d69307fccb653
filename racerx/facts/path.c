// path.c: places in memory as a function sees them, and sets of locks held; both interned.
// Invariant: a PathId names the same place for as long as its root does not change; assigning to
// the root is the walk's business.
#include "racerx/facts/path.h"

static PathId path_intern(PathTable *self, PathId parent, u32 step, u8 root, u8 depth) {
    if (!self->paths.count)
        array_push(&self->paths, (Path){0});
    bool fresh;
    u32 *id = map_put(&self->index, hash_mix((u64)parent << 32 | step, root + 1u), &fresh);
    if (fresh) {
        array_push(&self->paths, ((Path){parent, step, root, depth}));
        *id = self->paths.count - 1;
    }
    const Path *path = &self->paths.items[*id];
    promised(path->parent == parent && path->step == step && path->root == root); // one id, one place
    promised(parent < *id && (parent ? path->depth == self->paths.items[parent].depth + 1 : !path->depth));
    return *id;
}

PathId path_root(PathTable *self, RootKind root, u32 id) {
    return root == ROOT_UNKNOWN ? 0 : path_intern(self, 0, id, (u8)root, 0);
}

PathId path_step(PathTable *self, PathId parent, NameId member, bool pointer) {
    if (parent && self->paths.items[parent].depth >= DEEPEST_PATH)
        limit_reached(LIMIT_DEEPEST_PATH);
    if (!parent || self->paths.items[parent].depth >= DEEPEST_PATH)
        return 0;
    const Path *path = &self->paths.items[parent];
    if (path->depth && (member & STEP_UP) && path->step >> 1 == (member & ~STEP_UP)) // of the member itself
        return path->step & 1 ? path_step(self, path->parent, 0, true) : path->parent;
    if (path->depth && path->step == 1 && member && !pointer && member < STEP_INDEXED) // (*p).m is p->m
        return path_step(self, path->parent, member, true);
    return path_intern(self, parent, member << 1 | pointer, path->root, (u8)(path->depth + 1));
}

PathId path_first(const PathTable *self, PathId path) {
    while (path && self->paths.items[path].depth)
        path = self->paths.items[path].parent;
    return path;
}

PathId path_kept_in(const PathTable *self, PathId path) {
    const Path *last = &self->paths.items[path];
    return last->depth && (last->step & 1) && !(last->step >> 1) ? last->parent : path;
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

// Likewise with an address; `from[i]` is an element of `to`, if that is no element itself.
PathId path_rebase_data(PathTable *self, PathId path, PathId from, PathId to) {
    PathId first = path;
    while (first && self->paths.items[first].depth && self->paths.items[first].parent != from)
        first = self->paths.items[first].parent;
    u32 step = first && self->paths.items[first].depth ? self->paths.items[first].step : 1;
    if (step_is_pointer(step) || !(step_is_term(step) || step_is_number(step)))
        return path_rebase(self, path, from, to, true);
    const Path *last = &self->paths.items[to];
    bool element =
        last->depth && !step_is_pointer(last->step) && (step_is_term(last->step) || step_is_number(last->step));
    return element ? 0 : path_rebase(self, path, from, to, false);
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

void path_free(PathTable *self) {
    array_free(&self->paths);
    map_free(&self->index);
}

u32 path_index(const PathTable *self, PathId path) {
    for (; path && self->paths.items[path].depth; path = self->paths.items[path].parent) {
        u32 step = self->paths.items[path].step;
        if (step_is_up(step) || step_is_pointer(step))
            return 0;
        if (step_is_index_or_up(step))
            return step;
    }
    return 0;
}
