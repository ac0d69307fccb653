// rename.c: the caller's locks in the callee's words, and back.
// In: what is held at a call. Out: what the callee is entered with, what stays with the caller, and what is held after
// it. A lock is known in the callee by the parameter that reaches it, by a number when none does, by itself when it is
// a global's: so one walk of the callee serves every caller that holds the same.
#include "racerx/walk/walk.h"

void renaming_begin(Renaming *self) {
    held_begin(&self->outer);
    held_begin(&self->stayed);
    held_begin(&self->ambient);
    held_begin(&self->entered);
    held_begin(&self->from);
}

void renaming_end(Renaming *self) {
    held_end(&self->outer);
    held_end(&self->stayed);
    held_end(&self->ambient);
    held_end(&self->entered);
    held_end(&self->from);
}

// indices -------------------------------------------------------------------------

// What the callee calls the number that it is given, where it is an index; of a parameter that it never writes.
static u32 term_in_callee(const Analysis *self, FunctionId callee, u32 param) {
    const u32 *known = map_get((Map *)&self->index_terms, (u64)callee << 32 | param);
    if (param >= 32 || !(self->skeletons[callee].fixed >> param & 1))
        return 0;
    return known ? *known : STEP_TERM | ((u32)hash_mix(callee, param) & STEP_TERM_REST);
}

// The step with the number that is handed over by its other name.
static u32 step_renamed(const Analysis *self, const Skeleton *caller, const SkeletonStep *call, FunctionId callee,
                        u32 step, bool into) {
    u32 name = step_name(step);
    if (!step_is_term(step) || (name & ~0x0fffffffu) != STEP_TERM || step_is_owned(name))
        return name;
    for (u32 i = 0; i < call->arg_count; i++) {
        u32 given = caller->args[call->arg + i].term, known = given ? term_in_callee(self, callee, i) : 0;
        if (known && ((into ? given : known) & STEP_TERM_REST) == (name & STEP_TERM_REST))
            return (name & ~STEP_TERM_REST) | ((into ? known : given) & STEP_TERM_REST);
    }
    return name;
}

// `locks[b]` is `locks[n]` to a callee that is given b as its n; and back.
static PathId rename_indices(Analysis *self, const Skeleton *caller, const SkeletonStep *call, FunctionId callee,
                             PathId path, bool into) {
    PathTable *paths = &self->paths;
    u32 steps[DEEPEST_PATH + 1], count = 0;
    bool changes = false;
    PathId at = path;
    for (; at && paths->paths.items[at].depth && count <= DEEPEST_PATH; at = paths->paths.items[at].parent) {
        u32 step = paths->paths.items[at].step;
        steps[count] = step_renamed(self, caller, call, callee, step, into) << 1 | step_is_pointer(step);
        changes |= steps[count++] != step;
    }
    for (u32 i = count; changes && at && i-- > 0;)
        at = path_step(paths, at, step_name(steps[i]), step_is_pointer(steps[i]));
    return changes ? at : path;
}

// places --------------------------------------------------------------------------

// The place in the callee's words; 0: not known there.
static PathId rename_in(Frame *self, const SkeletonStep *step, PathId path, Renaming *renaming) {
    PathTable *paths = &self->walk->analysis->paths;
    if (!path || paths->paths.items[path].root == ROOT_GLOBAL)
        return path;
    PathId best = 0;
    u32 best_depth = 0;
    for (u32 i = 0; i < step->arg_count; i++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        if (!argument->path)
            continue;
        u32 depth = paths->paths.items[argument->path].depth + 1u;
        PathId renamed = path_unbase(paths, path, argument->path, argument->address, path_root(paths, ROOT_PARAM, i));
        if (renamed && depth > best_depth)
            best = renamed, best_depth = depth;
    }
    if (best)
        return best;
    for (u32 i = 0; i < renaming->outer.count; i++)
        if (renaming->outer.items[i].path == path)
            return path_root(paths, ROOT_OUTER, i);
    held_push(&renaming->outer, (Held){.path = path});
    return path_root(paths, ROOT_OUTER, renaming->outer.count - 1);
}

PathId path_into_callee(Analysis *self, const Skeleton *caller, const SkeletonStep *call, FunctionId callee,
                        PathId path) {
    PathTable *paths = &self->paths;
    PathId best = 0;
    u32 best_depth = 0;
    bool global = path && paths->paths.items[path].root == ROOT_GLOBAL;
    if (!path || (global && !path_goes_through_pointer(paths, path)) || paths->paths.items[path].root == ROOT_STACK)
        return path && global ? rename_indices(self, caller, call, callee, path, true) : path;
    for (u32 i = 0; i < call->arg_count; i++) { // what a global points to may be handed over, too
        const ArgumentValue *argument = &caller->args[call->arg + i];
        u32 depth = paths->paths.items[argument->path].depth + 1u;
        PathId renamed = argument->path ? path_unbase(paths, path, argument->path, argument->address,
                                                      path_root(paths, ROOT_PARAM, i))
                                        : 0;
        if (renamed && depth > best_depth)
            best = renamed, best_depth = depth;
    }
    return rename_indices(self, caller, call, callee, best || !global ? best : path, true);
}

// The same for a place of a global, too: as a parameter reaches it; 0: none does.
static PathId path_into_arguments(Frame *self, const SkeletonStep *step, PathId path) {
    PathTable *paths = &self->walk->analysis->paths;
    for (u32 i = 0; i < step->arg_count; i++) {
        const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        PathId renamed = argument->path ? path_unbase(paths, path, argument->path, argument->address,
                                                      path_root(paths, ROOT_PARAM, i))
                                        : 0;
        if (renamed)
            return renamed;
    }
    return 0;
}

static PathId rename_out(Frame *self, const SkeletonStep *step, PathId path, const Renaming *renaming) {
    PathTable *paths = &self->walk->analysis->paths;
    PathId root = path_first(paths, path);
    const Path *first = &paths->paths.items[root];
    u32 id = first->step;
    switch (path ? first->root : ROOT_UNKNOWN) {
    case ROOT_GLOBAL: return path;
    case ROOT_PARAM: {
        if (id >= step->arg_count)
            return 0;
        const ArgumentValue *argument = &self->skeleton->args[step->arg + id];
        return argument->path ? path_rebase(paths, path, root, argument->path, argument->address) : 0;
    }
    case ROOT_OUTER:
        return id < renaming->outer.count ? path_rebase(paths, path, root, renaming->outer.items[id].path, false) : 0;
    case ROOT_RESULT:
        return id == UINT32_MAX ? path_rebase(paths, path, root, path_root(paths, ROOT_RESULT, step->expr), false) : 0;
    default: return 0;
    }
}

// Does the CPU's state go along? Interrupts do; the others where the callee puts them back. When nobody will put them
// back, or below a call that is guessed or has many targets, or whose sleeping is declared, it says nothing of
// sleeping.
static bool state_goes_along(Frame *self, const SkeletonStep *step, FunctionId callee, Held *state) {
    Analysis *analysis = self->walk->analysis;
    bool along = state->class == CLASS_INTERRUPTS;
    for (u32 i = 0; i < analysis->releases[callee].count && !along; i++)
        along = analysis->releases[callee].items[i] == state->class;
    if (!along)
        return false;
    bool sure = call_cost(&analysis->program->calls.items[step->call]) <= CALL_SURE && step->mask != CALL_DECLARED &&
                is_assured(analysis, frame_point(self), state);
    state->flags = (u16)((state->flags & (HELD_YIELDS | HELD_EVERYWHERE | HELD_VAGUE | HELD_DOUBTED)) | HELD_OUTER |
                         HELD_ASSURED | (sure ? 0 : HELD_VAGUE));
    state->count = 1;
    return true;
}

// Is the callee given the lock itself, to do something with it?
static bool is_handed(Frame *self, const SkeletonStep *step, FunctionId callee, ClassId class) {
    Analysis *analysis = self->walk->analysis;
    const Skeleton *below = &analysis->skeletons[callee];
    for (u32 p = 0; p < step->arg_count && p < 32; p++)
        if ((below->bound >> p & 1) && self->skeleton->args[step->arg + p].class &&
            bound_class(analysis, &analysis->nodes.items[self->node], self->skeleton->args[step->arg + p].class) ==
                class)
            return true;
    return false;
}

// A lock that the callee reaches by its parameter it knows by the type of that, not by what that is a member of.
static ClassId class_in_callee(const Analysis *self, FunctionId callee, ClassId class) {
    ClassId known = touched_as(self, callee, class);
    return known && known != class             ? known
           : self->classes.items[class].global ? self->classes.items[class].base
                                               : class;
}

// What the callee is entered with. A lock that nobody will let go was not really held (unlockset
// correction), and stays behind.
LocksetId enter(Frame *self, const SkeletonStep *step, LocksetId set, FunctionId callee, Renaming *renaming) {
    if (!set)
        return 0;
    Analysis *analysis = self->walk->analysis;
    HeldSet held;
    held_load(&held, &analysis->locksets, set);
    u32 kept = 0;
    for (u32 i = 0; i < held.count; i++) {
        Held lock = held.items[i], went;
        if (lock.class != CLASS_INTERRUPTS && lock.class != CLASS_CHILD &&
            !is_assured(analysis, frame_point(self), &lock)) {
            held_push(&renaming->stayed, lock);
            continue;
        }
        if (lock.class < CLASS_FIRST && state_goes_along(self, step, callee, &lock)) {
            ; // in the same words everywhere
        } else if (lock.class < CLASS_FIRST ||
                   (!touches(analysis, callee, lock.class) && !is_handed(self, step, callee, lock.class))) {
            held_push(&renaming->stayed, lock);
            if (!(lock.flags & HELD_DOUBTED))
                held_push(&renaming->ambient, lock);
            continue;
        } else {
            PathId handed = analysis->classes.items[lock.class].base ? path_into_arguments(self, step, lock.path) : 0;
            if (handed)
                lock.class = class_in_callee(analysis, callee, lock.class);
            lock.path = handed ? handed : rename_in(self, step, lock.path, renaming);
            lock.path = rename_indices(analysis, self->skeleton, step, callee, lock.path, true);
            u16 spins = step->mask == CALL_DECLARED ? 0 : HELD_SPINS;
            lock.flags =
                (u16)((lock.flags & (HELD_SHARED | HELD_LOOKS | spins | HELD_YIELDS)) | HELD_OUTER | HELD_ASSURED);
        }
        went = lock;
        went.site = lock_site(analysis, self->node, &held.items[i]);
        held_push(&renaming->entered, went);
        held_push(&renaming->from, held.items[i]);
        lock.site = NO_ID;
        held.items[kept++] = lock;
    }
    held.count = kept;
    return held_intern(&held, &analysis->locksets);
}

// A new node remembers where its first caller took the locks it is entered with.
u32 put_entry_sites(Analysis *analysis, LocksetId entry, const Renaming *renaming) {
    u32 count, first = analysis->entry_sites.count;
    const Held *held = lockset_held(&analysis->locksets, entry, &count);
    for (u32 i = 0; i < count; i++) {
        u32 site = NO_ID;
        for (u32 k = 0; k < renaming->entered.count && site == NO_ID; k++)
            if (renaming->entered.items[k].class == held[i].class && renaming->entered.items[k].path == held[i].path)
                site = renaming->entered.items[k].site;
        array_push(&analysis->entry_sites, site);
    }
    return first;
}

// A wrapper took a lock that only its caller can name: it is met here.
static void meet_named(Frame *self, const SkeletonStep *step, Held *lock, LocksetId held) {
    if ((lock->flags & HELD_TRY) || lock->site == NO_ID)
        return;
    Analysis *analysis = self->walk->analysis;
    lock->site = site_get(analysis, self->function, step->place, lock->class); // in the caller, who says which one
    event_put(self, (LockEvent){.kind = MET_NAMED,
                                .site = lock->site,
                                .class = lock->class,
                                .held = held,
                                .flags = lock->flags,
                                .sleeps = !lock_has(analysis->classes.items[lock->class].kind, TRAIT_AWAKE)});
}

// Is a lock that is held after the call the caller's own? It keeps the caller's words.
static bool is_mine(const HeldSet *before, Held *lock) {
    bool cpu = lock->class < CLASS_FIRST;
    for (u32 k = 0; k < before->count; k++) {
        const Held *mine = &before->items[k];
        if (mine->class != lock->class || (mine->path != lock->path && !cpu) || (!(lock->flags & HELD_OUTER) && !cpu))
            continue;
        u16 shared = lock->flags & HELD_SHARED;
        u16 times = cpu ? (u16)(mine->count + lock->count - 1) : lock->count;
        *lock = *mine;
        lock->flags |= shared;
        lock->count = times;
        return true;
    }
    return false;
}

// What stayed with the caller is still held. CPU state that the callee turned off as well is off once.
static void add_stayed(HeldSet *after, const HeldSet *stayed) {
    for (u32 k = 0; k < stayed->count; k++) {
        bool there = false;
        for (u32 i = 0; i < after->count; i++)
            there |= stayed->items[k].class < CLASS_FIRST && after->items[i].class == stayed->items[k].class;
        if (!there)
            held_push(after, stayed->items[k]);
    }
}

// CPU state that the caller changed twice, and that the callee put back once, is left once less.
static void add_deeper(HeldSet *after, const HeldSet *before, const HeldSet *entered) {
    for (u32 k = 0; k < before->count; k++) {
        Held state = before->items[k];
        bool given = false, there = false;
        for (u32 i = 0; i < entered->count; i++)
            given |= entered->items[i].class == state.class;
        for (u32 i = 0; i < after->count; i++)
            there |= after->items[i].class == state.class;
        if (state.class >= CLASS_FIRST || state.count < 2 || !given || there)
            continue;
        state.count--;
        held_push(after, state);
    }
}

static bool has_state(const HeldSet *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i].class == class)
            return true;
    return false;
}

// Who comes back as a child process has left the threads there were before.
static void leave_parent(const Analysis *analysis, HeldSet *after, const HeldSet *before) {
    if (!has_state(after, CLASS_CHILD) || has_state(before, CLASS_CHILD))
        return;
    for (u32 i = after->count; i-- > 0;)
        if (analysis->classes.items[after->items[i].class].thread && has_state(before, after->items[i].class))
            held_remove(after, i);
}

// What the callee was given has its name back.
static void name_as_given(const Renaming *renaming, Held *lock) {
    for (u32 k = 0; k < renaming->entered.count; k++)
        if (renaming->entered.items[k].class == lock->class && renaming->entered.items[k].path == lock->path) {
            lock->class = renaming->from.items[k].class;
            return;
        }
}

// The caller's set after the call: its own locks keep their flags.
LocksetId leave(Frame *self, const SkeletonStep *step, FunctionId callee, LocksetId before, LocksetId entry,
                LocksetId out, const Renaming *renaming) {
    Analysis *analysis = self->walk->analysis;
    if (out == entry)
        return before;
    HeldSet mine, held;
    held_load(&mine, &analysis->locksets, before);
    held_load(&held, &analysis->locksets, out);
    for (u32 i = 0; i < held.count; i++) {
        Held *lock = &held.items[i];
        if (lock->class >= CLASS_FIRST) {
            name_as_given(renaming, lock);
            lock->path = rename_indices(analysis, self->skeleton, step, callee, lock->path, false);
            lock->path = rename_out(self, step, lock->path, renaming);
            ClassId before_naming = lock->class;
            name_by_path(analysis, lock);
            if (lock->class != before_naming && !(lock->flags & HELD_OUTER))
                meet_named(self, step, lock, before);
        }
        bool was_mine = is_mine(&mine, lock);
        if (!was_mine)
            lock->flags &= (u16) ~(HELD_OUTER | (analysis->classes.items[lock->class].thread ? 0 : HELD_ASSURED));
        bool twice = false; // taken again below what we hold: one is enough to know
        for (u32 k = 0; k < renaming->stayed.count && !was_mine; k++)
            twice |= renaming->stayed.items[k].class == lock->class && renaming->stayed.items[k].path == lock->path;
        if ((lock->flags & HELD_ASSERTED && !was_mine) || twice)
            held_remove(&held, i--); // an assertion in the callee is the callee's business
    }
    add_stayed(&held, &renaming->stayed);
    add_deeper(&held, &mine, &renaming->entered);
    leave_parent(analysis, &held, &mine);
    held_end(&mine);
    return held_intern(&held, &analysis->locksets);
}

// All locks stay behind; interrupts that are off are off in the callee, too.
LocksetId enter_without(Frame *self, LocksetId set, bool relevant, Renaming *renaming) {
    Analysis *analysis = self->walk->analysis;
    HeldSet locks, kept;
    held_load(&locks, &analysis->locksets, set);
    held_begin(&kept);
    for (u32 i = 0; i < locks.count; i++) {
        const Held *held = &locks.items[i];
        if (held->class == CLASS_INTERRUPTS && relevant)
            held_push(&kept, (Held){CLASS_INTERRUPTS, 0,
                                    (held->flags & (HELD_YIELDS | HELD_EVERYWHERE | HELD_DOUBTED)) | HELD_VAGUE |
                                        HELD_OUTER | HELD_ASSURED,
                                    1, NO_ID});
        else if (!(held->flags & HELD_DOUBTED) &&
                 (held->class < CLASS_FIRST || is_assured(analysis, frame_point(self), held)))
            held_push(&renaming->ambient, *held);
    }
    held_end(&locks);
    return held_intern(&kept, &analysis->locksets);
}
