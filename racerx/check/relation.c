// relation.c: is a lock that is held the lock of the object that is accessed?
// In: a held lock with its place, an object with the path by which it is reached. Out: RELATION_…: there is one lock
// for all, it is in the same object (or the element of the same number), it is another's, or that is not known. The
// idea: places are compared up to the last pointer or index; what only a constant or a number tells apart is told apart
// by it.
#include "racerx/check/relation.h"

// The part of a path up to the last pointer or index: the object that a member is in.
static PathId owner_of(const PathTable *paths, PathId path) {
    while (path && paths->paths.items[path].depth) {
        const Path *one = &paths->paths.items[path];
        bool index = step_is_index_or_up(one->step);
        if (step_is_pointer(one->step)) // behind this pointer: its value is what tells objects apart
            return one->parent;
        if (index)
            return path;
        path = one->parent;
    }
    return path;
}

// The place up to the element that its index chooses; requires: it has one.
static PathId array_of(const PathTable *paths, PathId path) {
    while (!step_is_index_or_up(paths->paths.items[path].step))
        path = paths->paths.items[path].parent;
    return paths->paths.items[path].parent;
}

// The index of the data, of several the one into the array that the lock's index is into: `rows[i].cells[n]` is i's.
static u32 index_beside(const PathTable *paths, PathId lock, PathId data) {
    PathId array = path_index(paths, lock) ? array_of(paths, lock) : 0;
    for (PathId at = data; array && at && paths->paths.items[at].depth; at = paths->paths.items[at].parent) {
        u32 step = paths->paths.items[at].step;
        if (step_is_up(step) || step_is_pointer(step))
            break;
        if (step_is_index_or_up(step) && paths->paths.items[at].parent == array)
            return step;
    }
    return path_index(paths, data);
}

// Are two indices surely two numbers?
static bool are_two_numbers(u32 a, u32 b) {
    if (a == b || step_is_number(a) != step_is_number(b) || step_is_term(a) != step_is_term(b))
        return false;
    return step_is_number(a) ||
           (!step_is_owned(step_name(a)) && !step_is_owned(step_name(b)) && !(((a ^ b) >> 1) & STEP_TERM_REST));
}

// The first remainder that a number comes from, going back to what it is known by: of which division, of what; 0: none.
static u32 remainder_of(const Analysis *self, u32 term, u32 *whole) {
    for (u32 depth = 0; depth < 6; depth++) {
        const u32 *by = map_get(&self->remainders, term), *next = map_get(&self->follows, term);
        if (by || !next) {
            *whole = next ? *next : 0;
            return by ? *by : 0;
        }
        term = *next;
    }
    return 0;
}

// Is the index of a lock known when that of the data is, so that one element never has two locks? The same, or worked
// out from it: `locks[h % 8]` for `data[h]`, or for `data[h % 64]`.
static bool is_index_for(const Analysis *self, u32 lock, u32 data) {
    if (lock == data)
        return true;
    if (!step_is_term(lock) || !step_is_term(data))
        return false;
    u32 first, second, many = remainder_of(self, step_name(data), &first),
                       few = remainder_of(self, step_name(lock), &second);
    if (many && few && many % few == 0 && first == second)
        return true;
    const u32 *next;
    u32 at = step_name(lock);
    for (u32 depth = 0; depth < 6 && (next = map_get(&self->follows, at)); depth++)
        if ((at = *next) == step_name(data))
            return true;
    return false;
}

// The place that the last pointer on the way was read from; of a node of a list, where the list begins.
PathId path_read_from(const Analysis *self, FunctionId function, PathId path) {
    const PathTable *paths = &self->paths;
    PathId at = path;
    while (at && paths->paths.items[at].depth && !step_is_pointer(paths->paths.items[at].step))
        at = paths->paths.items[at].parent;
    if (!at || !paths->paths.items[at].depth)
        return 0;
    at = paths->paths.items[at].parent;
    const Path *from = &paths->paths.items[at];
    const u32 *begin =
        from->root == ROOT_LOCAL && !from->depth ? map_get(&self->beginnings, (u64)function << 32 | from->step) : NULL;
    return begin ? self->begun.items[*begin].path : at;
}

// A lock of an array for what an element of another leads to: the same index says that it is meant, another that it is
// not. Arrays beside each other in one object, too.
static u32 relation_by_index(const Analysis *self, const Held *held, PathId path, PathId from) {
    const PathTable *paths = &self->paths;
    u32 lock_index = path_index(paths, held->path), data_index = path_index(paths, path);
    if (!lock_index)
        return RELATION_UNKNOWN;
    if (!data_index)
        data_index = path_index(paths, path = from);
    if (!data_index)
        return RELATION_UNKNOWN;
    PathId lock = held->path, data = path;
    while (paths->paths.items[lock].step != lock_index)
        lock = paths->paths.items[lock].parent;
    while (paths->paths.items[data].step != data_index)
        data = paths->paths.items[data].parent;
    lock = owner_of(paths, paths->paths.items[lock].parent);
    data = owner_of(paths, paths->paths.items[data].parent);
    bool globals = paths->paths.items[lock].root == ROOT_GLOBAL && paths->paths.items[data].root == ROOT_GLOBAL;
    if (lock != data && !globals)
        return RELATION_UNKNOWN;
    return is_index_for(self, lock_index, data_index) ? RELATION_SAME
           : are_two_numbers(lock_index, data_index)  ? RELATION_OTHER
                                                      : RELATION_UNKNOWN;
}

// Can two places with different words still be the same object? Results of calls and what is not followed may be.
static bool is_plain(const PathTable *paths, PathId path) {
    const Path *root = &paths->paths.items[path_first(paths, path)];
    return root->root == ROOT_GLOBAL || root->root == ROOT_PARAM || path_is_variable(root);
}

// What a global points to may be what a parameter points to.
static bool may_be_handed(const PathTable *paths, PathId a, PathId b) {
    u8 first = paths->paths.items[path_first(paths, a)].root, second = paths->paths.items[path_first(paths, b)].root;
    return (first == ROOT_GLOBAL && second == ROOT_PARAM) || (first == ROOT_PARAM && second == ROOT_GLOBAL);
}

// The member that an element is of, when it is an array by value: `p->ring[i]` is in whatever `p->ring` is in.
static PathId without_elements(const PathTable *paths, PathId path) {
    while (paths->paths.items[path].depth && step_is_index_or_up(paths->paths.items[path].step) &&
           !step_is_up(paths->paths.items[path].step) && !step_is_pointer(paths->paths.items[path].step))
        path = paths->paths.items[path].parent;
    return path;
}

// Were the locks of all elements taken, one in each round of a loop?
static bool are_all_held(const Analysis *self, const Held *held, ObjectId object, PathId path) {
    u32 lock = path_index(&self->paths, held->path), data = index_beside(&self->paths, held->path, path);
    if (!lock || !data || !step_is_term(lock) || !map_get(&self->all_taken, step_name(lock)))
        return false;
    bool beside = self->classes.items[held->class].record == NO_ID && self->objects.items[object].kind == OBJECT_GLOBAL;
    PathId array = array_of(&self->paths, held->path);
    for (PathId at = path; !beside && at && self->paths.paths.items[at].depth; at = self->paths.paths.items[at].parent)
        beside = self->paths.paths.items[at].step == data && self->paths.paths.items[at].parent == array;
    return beside;
}

bool lock_may_be_of(const Analysis *self, const Held *held, PathId path) {
    u32 lock = path_index(&self->paths, held->path), data = index_beside(&self->paths, held->path, path);
    return step_is_term(lock) && step_is_term(data) &&
           map_get(&self->either, (u64)step_name(lock) << 32 | step_name(data));
}

// Are the locks of the array for as many things: who takes one says by a constant which, whatever else counts the data?
static bool is_one_of_few(const LockClass *class, u32 lock, u32 data) {
    bool named = (step_name(lock) & STEP_NAMED) == STEP_NAMED, by_name = (step_name(data) & STEP_NAMED) == STEP_NAMED;
    return step_is_number(lock) && !class->by_term && (!step_is_number(data) || named != by_name);
}

u32 lock_relation(const Analysis *self, const Held *held, ObjectId object, PathId path, PathId from) {
    const LockClass *class = &self->classes.items[held->class];
    const SharedObject *data = &self->objects.items[object];
    if (held->class < CLASS_FIRST || class->global)
        return RELATION_ONE;
    if (!held->path || !path)
        return RELATION_UNKNOWN;
    if (are_all_held(self, held, object, path))
        return RELATION_SAME;
    u32 lock_index = path_index(&self->paths, held->path), data_index = index_beside(&self->paths, held->path, path);
    bool both = step_is_number(lock_index) && step_is_number(data_index); // two numbers
    if (data->kind == OBJECT_BEHIND && lock_index) // an array of locks beside memory that is kept elsewhere
        return is_index_for(self, lock_index, data_index) ? RELATION_SAME : both ? RELATION_OTHER : RELATION_UNKNOWN;
    if (class->record == NO_ID && data->kind == OBJECT_GLOBAL && lock_index) { // an array of locks
        if (is_one_of_few(class, lock_index, data_index))
            return RELATION_ONE;
        if (data_index)
            return is_index_for(self, lock_index, data_index) ? RELATION_SAME : RELATION_OTHER;
        return step_is_number(lock_index) ? RELATION_ONE : RELATION_OTHER; // locks[0] is one lock
    }
    if (step_is_term(lock_index) && !data_index && data->kind == OBJECT_GLOBAL &&
        self->paths.paths.items[held->path].root == ROOT_GLOBAL)
        return RELATION_OTHER; // some element's lock, and what is no element
    u32 by_index = relation_by_index(self, held, path, from);
    if (by_index != RELATION_UNKNOWN)
        return by_index;
    PathId place = held->path; // of a lock behind a pointer: where the pointer is
    while (self->paths.paths.items[place].step == 1 && self->paths.paths.items[place].depth)
        place = self->paths.paths.items[place].parent;
    bool member = data->kind == OBJECT_FIELD && data->member && class->record == data->id;
    PathId owner = owner_of(&self->paths, place),
           around = owner_of(&self->paths, member ? without_elements(&self->paths, path) : path);
    if (owner == around)
        return RELATION_SAME;
    if (may_be_handed(&self->paths, owner, around))
        return RELATION_UNKNOWN;
    bool of_type = data->kind == OBJECT_FIELD && class->record == data->id;
    return of_type && is_plain(&self->paths, owner) && is_plain(&self->paths, around) ? RELATION_OTHER
                                                                                      : RELATION_UNKNOWN;
}
