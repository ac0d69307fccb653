// copies.c: one lock, and several variables that lead to it: `lock(&cur->lk); … prev = cur;`.
// In: assignments of pointers (SkeletonStep.arg: the place whose value is taken), the locks held there. Out: a held
// lock keeps a name when the variable that it was named by goes on to something else; what is done by another name for
// it, is done to it. That two names mean the same is a fact of the path: COPY_FACT | the variable, and the PathId.
// Invariant: a copy is known only while both its sides keep their values; nothing is said of what is stored in memory.
#include "racerx/walk/walk.h"

#define FACT_PLACE (VALUE_ANY + 1u) // a place as a fact's value: no ValueId that forgets

typedef struct {
    u32 count;
    PathId variable[COPIES_MOST], place[COPIES_MOST];
} Copies;

// `path` with the value of `from` at its start as the value of `to`; 0: it does not start with it, or is it.
static PathId renamed(PathTable *paths, PathId path, PathId from, PathId to) {
    PathId at = path, below = 0;
    while (at && at != from && paths->paths.items[at].depth)
        below = at, at = paths->paths.items[at].parent;
    bool behind = at && at == from && below && step_is_pointer(paths->paths.items[below].step);
    return behind ? path_rebase(paths, path, from, to, false) : 0;
}

static bool starts_from(const PathTable *paths, PathId path, u32 var) {
    const Path *first = &paths->paths.items[path_first(paths, path)];
    return path && (first->root == ROOT_LOCAL || first->root == ROOT_PARAM) && first->step == var;
}

static PathId variable(const Frame *self, u32 var) {
    Analysis *analysis = self->walk->analysis;
    bool param = var < program_header(analysis->program, self->function)->param_count;
    return path_root(&analysis->paths, param ? ROOT_PARAM : ROOT_LOCAL, var);
}

static Copies copies_of(const Frame *self, FactsId facts) {
    Copies out = {0};
    const Walk *walk = self->walk;
    const KnownFacts *list = facts ? &walk->facts.items[facts] : NULL;
    for (u32 i = list ? list->count : 0; i-- > 0;) {
        u64 item = walk->fact_items.items[list->first + i];
        if (item >> 32 < COPY_FACT || limit_cuts(LIMIT_COPIES_MOST, out.count == COPIES_MOST))
            break;
        u32 var = (u32)(item >> 32) & ~COPY_FACT;
        out.variable[out.count] = variable(self, var);
        out.place[out.count++] = (PathId)item - FACT_PLACE;
    }
    return out;
}

// Another name for what a variable leads to.
static PathId other_name(PathTable *paths, const Copies *copies, PathId path, u32 var) {
    for (u32 i = 0; i < copies->count; i++) {
        PathId name = renamed(paths, path, copies->place[i], copies->variable[i]);
        name = name ? name : renamed(paths, path, copies->variable[i], copies->place[i]);
        if (name && !starts_from(paths, name, var))
            return name;
    }
    return 0;
}

// What is known of copies, when a variable gets another value.
static FactsId forget_copies(Frame *self, FactsId facts, const Copies *copies, u32 var) {
    const PathTable *paths = &self->walk->analysis->paths;
    for (u32 i = 0; i < copies->count; i++) {
        u32 copied = paths->paths.items[copies->variable[i]].step;
        if (copied == var || starts_from(paths, copies->place[i], var))
            facts = facts_set(self->walk, facts, COPY_FACT | copied, VALUE_ANY);
    }
    return facts;
}

State copies_set(Frame *self, const SkeletonStep *step, State state) {
    Analysis *analysis = self->walk->analysis;
    PathTable *paths = &analysis->paths;
    Copies copies = copies_of(self, state.facts);
    u32 var = step->result;
    PathId taken = step->arg, root = 0;
    bool changed = false, leads = false;
    HeldSet set;
    if (!state.set) {
        state.facts = forget_copies(self, state.facts, &copies, var);
        return state;
    }
    held_load(&set, &analysis->locksets, state.set);
    if (taken)
        root = variable(self, var);
    for (u32 i = 0; i < set.count; i++) {
        Held *held = &set.items[i];
        leads |= taken && renamed(paths, held->path, taken, root);
        if (!starts_from(paths, held->path, var))
            continue;
        PathId along = taken && starts_from(paths, taken, var) ? renamed(paths, held->path, taken, root) : 0;
        held->path = along ? along : other_name(paths, &copies, held->path, var);
        changed = true;
    }
    state.facts = forget_copies(self, state.facts, &copies, var);
    for (u32 i = 0; taken && !leads && i < copies.count; i++) { // held by the name of what this is a copy of
        PathId place = taken == copies.variable[i] ? copies.place[i] : 0;
        for (u32 k = 0; place && !leads && k < set.count; k++)
            if (renamed(paths, set.items[k].path, place, root))
                leads = true, taken = place;
    }
    bool room = !state.facts || self->walk->facts.items[state.facts].count < FACTS_MOST;
    if (leads && room && !starts_from(paths, taken, var))
        state.facts = facts_set(self->walk, state.facts, COPY_FACT | var, FACT_PLACE + taken);
    if (changed)
        state.set = held_intern(&set, &analysis->locksets);
    else
        held_end(&set);
    return state;
}

PathId copies_name(Frame *self, State state, ClassId class, PathId path) {
    PathTable *paths = &self->walk->analysis->paths;
    Copies copies = path ? copies_of(self, state.facts) : (Copies){0};
    u32 count;
    const Held *held = lockset_held(&self->walk->analysis->locksets, state.set, &count);
    for (u32 i = 0; copies.count && i < count; i++)
        if (held[i].class == class && held[i].path == path)
            return path;
    for (u32 k = 0; k < copies.count; k++)
        for (u32 way = 0; way < 2; way++) {
            PathId name = way ? renamed(paths, path, copies.place[k], copies.variable[k])
                              : renamed(paths, path, copies.variable[k], copies.place[k]);
            for (u32 i = 0; name && i < count; i++)
                if (held[i].class == class && held[i].path == name)
                    return name;
        }
    return path;
}

LocksetId copies_all(Frame *self, State state) {
    Analysis *analysis = self->walk->analysis;
    Copies copies = copies_of(self, state.facts);
    if (!copies.count)
        return state.set;
    HeldSet set;
    held_load(&set, &analysis->locksets, state.set);
    u32 count = set.count;
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < copies.count; k++)
            for (u32 way = 0; way < 2; way++) {
                Held other = set.items[i];
                other.path = way ? renamed(&analysis->paths, other.path, copies.place[k], copies.variable[k])
                                 : renamed(&analysis->paths, other.path, copies.variable[k], copies.place[k]);
                if (other.path)
                    held_push(&set, other);
            }
    return held_intern(&set, &analysis->locksets);
}

LocksetId copies_given(Frame *self, const SkeletonStep *step, State state) {
    Analysis *analysis = self->walk->analysis;
    PathTable *paths = &analysis->paths;
    Copies copies = state.set ? copies_of(self, state.facts) : (Copies){0};
    if (!copies.count)
        return state.set;
    HeldSet set;
    bool changed = false;
    held_load(&set, &analysis->locksets, state.set);
    for (u32 k = 0; k < copies.count; k++) {
        bool by_variable = false, by_place = false;
        for (u32 i = 0; i < step->arg_count; i++) {
            PathId given = self->skeleton->args[step->arg + i].path;
            by_variable |= given && path_first(paths, given) == copies.variable[k];
            by_place |=
                given && (given == copies.place[k] || renamed(paths, given, copies.place[k], copies.variable[k]));
        }
        for (u32 i = 0; by_variable != by_place && i < set.count; i++) {
            PathId name = by_variable ? renamed(paths, set.items[i].path, copies.place[k], copies.variable[k])
                                      : renamed(paths, set.items[i].path, copies.variable[k], copies.place[k]);
            set.items[i].path = name ? name : set.items[i].path;
            changed |= name != 0;
        }
    }
    if (changed)
        return held_intern(&set, &analysis->locksets);
    held_end(&set);
    return state.set;
}
