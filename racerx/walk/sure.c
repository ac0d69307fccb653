// sure.c: is a lock that is in the set at a place of a node really held there?
// In: a node, a place in its function, what is held. Out: yes when somebody will let it go (the unlockset correction),
// when a caller does, or when a thread ends with it. What the text of the function says is asked of unlockset.c.
#include "racerx/walk/walk.h"

bool is_held_for_good(Analysis *self, NodePoint at, const Held *held) {
    const LockClass *class = &self->classes.items[held->class];
    const Node *node = &self->nodes.items[at.node];
    return self->follows_threads && node->is_root && !(held->flags & (HELD_OUTER | HELD_TRY)) && !class->parameter &&
           !lock_has(class->kind, TRAIT_SIGNALS) && held_anyway(self, node->function, at.block, at.step, held->class);
}

// From this step on; in the function's own words it may be a parameter's.
static bool releases_parameter(Analysis *self, NodePoint at, u32 step, ClassId class) {
    const Node *node = &self->nodes.items[at.node];
    for (u32 p = 0; node->binding && p < 32; p++)
        if (self->parameter_class[p] && node_binding(self, node, BIND_CLASS, p) == class &&
            releases_later(self, node->function, at.block, step, self->parameter_class[p]))
            return true;
    return false;
}

bool is_let_go_later(Analysis *self, NodePoint at, const Held *held) {
    FunctionId function = self->nodes.items[at.node].function;
    if (self->options.no_unlockset || (held->flags & HELD_ASSURED))
        return true;
    return releases_later(self, function, at.block, at.step + 1, held->class) ||
           releases_parameter(self, at, at.step + 1, held->class) ||
           (self->nodes.items[at.node].binding && told_releases(self, at, held->class)) ||
           (!(held->flags & HELD_OUTER) && releases_in_callers(self, function, held->class)) ||
           is_held_for_good(self, at, held);
}

// Does the caller let it go after the call that is here?
bool is_assured(Analysis *self, NodePoint at, const Held *held) {
    FunctionId function = self->nodes.items[at.node].function;
    if (self->options.no_unlockset || (held->flags & HELD_ASSURED))
        return true;
    return releases_later(self, function, at.block, at.step, held->class) || // by the callee, too
           releases_parameter(self, at, at.step, held->class) ||
           (!(held->flags & HELD_OUTER) && releases_in_callers(self, function, held->class)) ||
           is_held_for_good(self, at, held);
}
