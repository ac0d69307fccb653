// told.c: locks behind pointers that are kept in what the caller gave: `pthread_mutex_lock(pair->outer)` in a thread
// that was given `&down`. In: a lock operation of a node, what the node's parameters are bound to, what pointers may
// point to. Out: the class and path of the lock, when the pointer in that very object only ever points to one.
#include "racerx/walk/walk.h"

// What a pointer kept in a place points to; false: the place is no object that has a name.
static bool points_from(const Analysis *self, PathId place, PointsSet *out) {
    const PathTable *paths = &self->paths;
    NameId member = 0;
    PathId at = place;
    for (; paths->paths.items[at].depth; at = paths->paths.items[at].parent) {
        u32 step = paths->paths.items[at].step;
        if (step_is_pointer(step) || step_is_index_or_up(step))
            return false; // another pointer on the way, or some element
        member = member ? member : step_name(step);
    }
    const Path *root = &paths->paths.items[at];
    if (root->root == ROOT_GLOBAL) {
        global_points(self->program, root->step, member, out);
        return true;
    }
    if (root->root != ROOT_STACK)
        return false;
    const StackObject *object = &self->stack.items[root->step];
    if (object->var & HEAP_VAR)
        heap_points(self->program, object->function, object->var & ~HEAP_VAR, member, out);
    else
        local_points(self->program, object->function, object->var, member, out);
    return true;
}

ClassId told_class(Analysis *analysis, u32 node_id, const LockOperation *operation, PathId *path) {
    PathTable *paths = &analysis->paths;
    const Node *node = &analysis->nodes.items[node_id];
    if (!node->binding || !operation->path || paths->paths.items[operation->path].step != 1 ||
        !paths->paths.items[operation->path].depth)
        return 0;
    PathId place = paths->paths.items[operation->path].parent, root = path_first(paths, place);
    Path first = paths->paths.items[root];
    PathId bound = first.root == ROOT_PARAM && place != root ? node_binding(analysis, node, BIND_DATA, first.step) : 0;
    PathId real = bound ? path_rebase(paths, place, root, bound, true) : 0;
    PointsSet set;
    if (!real || !points_from(analysis, real, &set) || !set.complete || set.count != 1 ||
        set.items[0].kind != POINTS_GLOBAL || set.items[0].element)
        return 0;
    ClassId class = class_of_global(analysis, set.items[0].id, set.items[0].member);
    LockClass *info = &analysis->classes.items[class];
    info->kind = info->kind == LOCK_KINDS ? operation->effect->lock : info->kind;
    *path = path_root(paths, ROOT_GLOBAL, set.items[0].id);
    if (set.items[0].member)
        *path = path_step(paths, *path, set.items[0].member, false);
    return class;
}

bool told_releases(Analysis *analysis, NodePoint at, ClassId class) {
    FunctionId function = analysis->nodes.items[at.node].function;
    const Skeleton *skeleton = &analysis->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
            LockOperation operation = analysis->operations.items[step->effect + i];
            PathId path;
            if (operation.effect->kind == EFFECT_RELEASE && told_class(analysis, at.node, &operation, &path) == class &&
                releases_later(analysis, function, at.block, at.step + 1, operation.class))
                return true;
        }
    }
    return false;
}
