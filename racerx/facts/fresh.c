// fresh.c: objects that nobody else can see yet.
// In: skeletons. Out: for every access and argument whether the object is still this function's own (just allocated, or
// a local), or its caller's own as far as this function goes; for every function which parameters it makes known to
// others, and whether it returns a fresh object.
// The idea is RELAY's initialisation: forward over the blocks, a bit for every object the function could own, lost
// where a pointer to it is stored, handed to somebody who stores it, or given to a thread. What only some ways lost is
// lost.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    FunctionId function;
    Skeleton *skeleton;
    PathId roots[OWNED_MOST]; // objects the function could own
    u8 owner[OWNED_MOST];     // 1 + the object that a pointer to it was stored in
    u32 count;
    u64 params;              // bits of parameters
    u64 taken;               // bits of what is taken off a place that others see: the root is that place
    u64 off;                 // these, and what callees took off
    u64 lent;                // bits of locals whose address is handed over: a pointer among them may come back as any
    u64 aims;                // bits of what a local points to whose address is handed over: the root is `*local`
    u64 lost;                // bits that were lost somewhere
    u64 kept;                // these, but for what was only given to threads
    u64 given;               // bits of what was stored where a parameter points to
    u32 gives, gives_shared; // by parameter: as in Skeleton
    u64 *in;                 // by block
    Array(u64) room;
    bool marks; // fill the accesses and arguments, too
    bool fresh_return, taken_return, other_return;
    bool cut; // the function has more objects than are followed: a local one that is not is nobody else's, for all we
              // know
} Fresh;

static u32 root_index(const Fresh *self, PathId root) {
    for (u32 i = 0; i < self->count; i++)
        if (self->roots[i] == root)
            return i;
    return NO_ID;
}

static void root_add(Fresh *self, PathId root) {
    if (!root || root_index(self, root) != NO_ID)
        return;
    if (self->count == OWNED_MOST) {
        limit_reached(LIMIT_OWNED_MOST);
        self->cut = true;
        return;
    }
    self->owner[self->count] = 0;
    self->roots[self->count++] = root;
}

// What a local points to that callees are told the address of, apart from the local itself; else the local.
static u32 aimed_root(const Fresh *self, u32 root) {
    PathTable *paths = &self->analysis->paths;
    if (root == NO_ID || !self->aims || !(self->lent >> root & 1))
        return root;
    u32 aim = root_index(self, path_step(paths, self->roots[root], 0, true));
    return aim != NO_ID && (self->aims >> aim & 1) ? aim : root;
}

// Does the path begin with `local->`?
static bool follows_root(const PathTable *paths, PathId path) {
    while (path && paths->paths.items[path].depth > 1)
        path = paths->paths.items[path].parent;
    return path && paths->paths.items[path].depth == 1 && step_is_pointer(paths->paths.items[path].step);
}

// `p->…` and `p[i]`.
static bool goes_by_pointer(const Path *path) {
    return step_is_pointer(path->step) ||
           (path->depth == 1 && (step_is_term(path->step) || step_is_number(path->step)));
}

static bool gives_fresh(const Fresh *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    if (step->kind == STEP_ALLOC)
        return true;
    if (step->kind != STEP_CALL)
        return false;
    const CallSite *site = &program->calls.items[step->call];
    return site->target_count == 1 && self->analysis->skeletons[program->targets.items[site->target]].returns_fresh;
}

// Something that a callee took off where others find it?
static bool gives_taken(const Fresh *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    if (step->kind != STEP_CALL)
        return false;
    const CallSite *site = &program->calls.items[step->call];
    return site->target_count == 1 && self->analysis->skeletons[program->targets.items[site->target]].returns_taken;
}

static void note_off(Fresh *self, PathId path, bool off) {
    u32 root = off ? root_index(self, path) : NO_ID;
    self->off |= root == NO_ID ? 0 : 1ull << root;
}

// What was taken off a place and is at, or in what is at, the end of a path; NO_ID: nothing.
static u32 taken_root(const Fresh *self, PathId path) {
    const PathTable *paths = &self->analysis->paths;
    while (path && self->taken && paths->paths.items[path].depth && !step_is_pointer(paths->paths.items[path].step))
        path = paths->paths.items[path].parent;
    if (!path || !self->taken || !paths->paths.items[path].depth)
        return NO_ID;
    u32 root = root_index(self, paths->paths.items[path].parent);
    return root != NO_ID && (self->taken >> root & 1) ? root : NO_ID;
}

// The object an argument is a pointer to (or into), when the function could own it.
static u32 argument_root(const Fresh *self, const ArgumentValue *argument) {
    const PathTable *paths = &self->analysis->paths;
    if (!argument->path)
        return NO_ID;
    const Path *path = &paths->paths.items[argument->path];
    u32 taken = argument->address ? taken_root(self, argument->path)
                : self->taken     ? root_index(self, argument->path)
                                  : NO_ID;
    if (taken != NO_ID && (self->taken >> taken & 1))
        return taken;
    if (!argument->address && path->depth)
        return NO_ID;
    u32 pointers = 0;
    PathId at = argument->path;
    for (; paths->paths.items[at].depth; at = paths->paths.items[at].parent)
        pointers += goes_by_pointer(&paths->paths.items[at]);
    if (pointers > 1 || (argument->address && !pointers && path->root != ROOT_LOCAL))
        return NO_ID;
    u32 root = root_index(self, at);
    return argument->address && !follows_root(paths, argument->path) ? root : aimed_root(self, root);
}

// Members of a record, pointers to its like, that the function touches.
static u32 links_touched(const Fresh *self, RecordId record) {
    const Analysis *analysis = self->analysis;
    ObjectId seen[8];
    u32 count = 0;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count && count < 8; i++) {
            ObjectId object = analysis->accesses.items[step->effect + i].object;
            bool link = analysis->objects.items[object].kind == OBJECT_FIELD &&
                        analysis->objects.items[object].id == record &&
                        (analysis->objects.items[object].flags & SHARED_POINTER);
            for (u32 k = 0; k < count; k++)
                link &= seen[k] != object;
            if (link)
                seen[count++] = object;
        }
    }
    return count;
}

// Places that the function takes something off which is kept nowhere else.
static void fill_taken(Fresh *self) {
    Analysis *analysis = self->analysis;
    const PathTable *paths = &analysis->paths;
    self->taken = 0;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
            const Access *access = &analysis->accesses.items[step->effect + i];
            PathId at = access->path;
            if (!(access->flags & ACCESSED_UNSHARED) || !access->hops || access->hops == NO_ID)
                continue;
            while (at && paths->paths.items[at].depth && !step_is_pointer(paths->paths.items[at].step))
                at = paths->paths.items[at].parent;
            at = at && paths->paths.items[at].depth ? paths->paths.items[at].parent : 0;
            u32 keeper = analysis->hops.items[access->hops].keeper;
            if (!at || root_index(self, at) != NO_ID ||
                !keeper_lets_go(analysis, keeper, links_touched(self, analysis->keepers.items[keeper - 1].holds)))
                continue;
            root_add(self, at);
            u32 root = root_index(self, at);
            self->taken |= root == NO_ID ? 0 : 1ull << root;
            self->off |= self->taken;
        }
    }
}

static void add_aim(Fresh *self, PathId local) {
    u32 root = local ? root_index(self, local) : NO_ID;
    if (root == NO_ID || !(self->lent >> root & 1))
        return;
    PathId aim = path_step(&self->analysis->paths, local, 0, true);
    root_add(self, aim);
    u32 added = root_index(self, aim);
    self->aims |= added == NO_ID ? 0 : 1ull << added;
    self->lent |= self->aims;
}

// Locals that are lent and are pointers: they are followed, or handed on by their value.
static void fill_aims(Fresh *self) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 s = 0; self->lent && s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++) {
            PathId path = self->analysis->accesses.items[step->effect + i].path;
            if (follows_root(paths, path))
                add_aim(self, path_first(paths, path));
        }
        for (u32 i = 0; i < step->arg_count && step->kind != STEP_ACCESS; i++) {
            const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
            if (argument->path && (follows_root(paths, argument->path) ||
                                   (!argument->address && !paths->paths.items[argument->path].depth)))
                add_aim(self, path_first(paths, argument->path));
        }
    }
}

static void fill_roots(Fresh *self) {
    PathTable *paths = &self->analysis->paths;
    self->count = 0;
    self->cut = false;
    self->off = self->lent = self->aims = 0;
    for (u32 p = 0; p < 32 && self->skeleton->data >> p; p++)
        if (self->skeleton->data >> p & 1)
            root_add(self, path_root(paths, ROOT_PARAM, p));
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        PathId stored = step->kind == STEP_PUBLISH && step->effect ? self->skeleton->args[step->arg].path : 0;
        if (stored && paths->paths.items[stored].root == ROOT_PARAM && !paths->paths.items[stored].depth &&
            paths->paths.items[stored].step < 32)
            root_add(self, stored);
    }
    self->params = self->count == 64 ? UINT64_MAX : (1ull << self->count) - 1;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        if (gives_fresh(self, step)) {
            root_add(self, path_root(paths, ROOT_RESULT, step->expr));
            note_off(self, path_root(paths, ROOT_RESULT, step->expr), gives_taken(self, step));
        } else if (step->kind == STEP_SET && step->source) {
            u32 source = root_index(self, path_root(paths, ROOT_RESULT, step->source));
            if (source != NO_ID) {
                root_add(self, path_root(paths, ROOT_LOCAL, step->result));
                note_off(self, path_root(paths, ROOT_LOCAL, step->result), self->off >> source & 1);
            }
        }
        for (u32 i = 0; i < step->arg_count && step->kind != STEP_ACCESS; i++) {
            const ArgumentValue *argument = &self->skeleton->args[step->arg + i];
            PathId local = path_first(paths, argument->path); // a local itself, not what it points to
            if (argument->address && local && path_is_variable(&paths->paths.items[local]) &&
                !path_goes_through_pointer(paths, argument->path)) {
                root_add(self, local);
                u32 lent = root_index(self, local);
                self->lent |= lent == NO_ID ? 0 : 1ull << lent;
            }
        }
    }
    fill_aims(self);
    fill_taken(self);
}

static u64 lose(Fresh *self, u64 state, u32 root) {
    u64 gone = 1ull << root;
    for (u32 i = 0; i < self->count; i++) // what is stored in it is found through it
        if (self->owner[i] && (gone >> (self->owner[i] - 1) & 1) && !(gone >> i & 1)) {
            gone |= 1ull << i;
            i = UINT32_MAX;
        }
    self->lost |= gone;
    self->kept |= gone;
    return state & ~gone;
}

// An object of the function's own that is not followed: nothing is known of it.
static bool is_beyond(const Fresh *self, PathId root) {
    u8 kind = self->analysis->paths.paths.items[root].root;
    return self->cut && root && (kind == ROOT_LOCAL || kind == ROOT_RESULT) && root_index(self, root) == NO_ID;
}

// Made outside a loop that makes what it is stored in: the same for all of these.
static bool is_made_once(const Fresh *self, PathId stored, PathId into) {
    const Program *program = self->analysis->program;
    const Path *a = &self->analysis->paths.paths.items[stored], *b = &self->analysis->paths.paths.items[into];
    const CallSite *x = a->root == ROOT_RESULT ? program_call(program, self->function, a->step) : NULL,
                   *y = into && b->root == ROOT_RESULT ? program_call(program, self->function, b->step) : NULL;
    return y && y->repeats && !(x && x->repeats);
}

// Is what a keeper gets fresh, or a parameter? What is not followed counts as fresh.
static void tell_keeper(Fresh *self, const SkeletonStep *step, u32 root, u64 state) {
    const ArgumentValue *args = &self->skeleton->args[step->arg];
    const Path *path = &self->analysis->paths.paths.items[args[0].path];
    bool whole = !args[0].address && !path->depth;
    bool param = whole && root != NO_ID && (self->params >> root & 1);
    bool fresh = whole && root != NO_ID && ((state & ~self->lent) >> root & 1) &&
                 !is_made_once(self, args[0].path, args[1].path);
    fresh |= self->cut && root == NO_ID;
    if (!self->marks || !step->effect)
        return;
    keeper_stores(self->analysis, step->effect, self->function, param && fresh ? path->step : NO_ID, fresh,
                  step->source);
}

static u64 apply_publish(Fresh *self, const SkeletonStep *step, u64 state) {
    const ArgumentValue *args = &self->skeleton->args[step->arg];
    u32 root = argument_root(self, &args[0]), into = args[1].path ? root_index(self, args[1].path) : NO_ID;
    into = step->mask ? into : aimed_root(self, into);
    tell_keeper(self, step, root, state);
    if (root == NO_ID || step->mask)
        return state;
    if (into != NO_ID && into != root && (state >> into & 1)) {
        self->owner[root] = (u8)(into + 1);
        return state;
    }
    return into == root ? state : lose(self, state, root);
}

static bool call_publishes(const Fresh *self, const SkeletonStep *step, u32 argument) {
    const Program *program = self->analysis->program;
    if (step->kind == STEP_SPAWN)
        return true;
    const CallSite *site = &program->calls.items[step->call];
    if (!call_is_narrow(site))
        return true;
    for (u32 t = 0; t < site->target_count; t++)
        if (argument < 32 &&
            (self->analysis->skeletons[program->targets.items[site->target + t]].publishes >> argument & 1))
            return true;
    return false;
}

// Callees store argument i in what argument k points to: it is as private as that is.
static u64 store_into(Fresh *self, const SkeletonStep *step, u32 i, u32 k, u64 state) {
    const PathTable *paths = &self->analysis->paths;
    const ArgumentValue *args = &self->skeleton->args[step->arg];
    u32 root = argument_root(self, &args[i]);
    u32 into = k < step->arg_count ? root_index(self, path_first(paths, args[k].path)) : NO_ID;
    if (into == root)
        return state;
    if (into != NO_ID && (state >> into & 1)) {
        self->owner[root] = (u8)(into + 1);
        return state;
    }
    return lose(self, lose(self, state, root), aimed_root(self, root));
}

// By bits: the parameters that callees store this argument in.
static u32 call_stores(const Fresh *self, const SkeletonStep *step, u32 argument) {
    const Program *program = self->analysis->program;
    u32 out = 0;
    if (step->kind != STEP_CALL || argument >= 32)
        return 0;
    const CallSite *site = &program->calls.items[step->call];
    for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
        u64 key = (u64)program->targets.items[site->target + t] << 32 | argument;
        const u32 *stored = map_get(&self->analysis->stored_in, key);
        out |= stored ? *stored : 0;
    }
    return out;
}

// What is the function's own, or stored where only the caller's own leads: as long as that is nobody else's.
static u8 freshness(const Fresh *self, u32 root) {
    for (u32 depth = 0; depth < OWNED_MOST && self->owner[root] && !(self->params >> root & 1); depth++)
        root = self->owner[root] - 1u;
    bool param = self->params >> root & 1;
    if (param)
        return (u8)(FRESH_PARAM + self->analysis->paths.paths.items[self->roots[root]].step);
    return self->off >> root & 1 ? FRESH_TAKEN : FRESH_YES;
}

// What callees store where an argument points to: 1: something, 2: something that others may have.
static u32 call_gives(const Fresh *self, const SkeletonStep *step, u32 argument) {
    const Program *program = self->analysis->program;
    u32 given = 0;
    if (step->kind != STEP_CALL || argument >= 32)
        return 0;
    const CallSite *site = &program->calls.items[step->call];
    for (u32 t = 0; call_is_narrow(site) && t < site->target_count; t++) {
        const Skeleton *callee = &self->analysis->skeletons[program->targets.items[site->target + t]];
        given |= (callee->gives >> argument & 1) | (callee->gives_shared >> argument & 1) << 1;
    }
    return given;
}

// f(&local): what the local points to afterwards.
static u64 apply_given(Fresh *self, const SkeletonStep *step, u32 argument, u32 aim, u64 state) {
    u32 given = call_gives(self, step, argument);
    if (!given || !(self->aims >> aim & 1))
        return state;
    return given & 2 ? state & ~(1ull << aim) : state | 1ull << aim;
}

// f(out), with a parameter: what the callee stores there, this function does.
static void hand_on(Fresh *self, const SkeletonStep *step, u32 argument) {
    const ArgumentValue *value = &self->skeleton->args[step->arg + argument];
    const Path *path = &self->analysis->paths.paths.items[value->path];
    if (path->root != ROOT_PARAM || path->depth || value->address || path->step >= 32)
        return;
    u32 given = call_gives(self, step, argument);
    self->gives |= (given & 1) << path->step;
    self->gives_shared |= (given >> 1) << path->step;
}

// `&parts[i]` for a thread, of memory of which others were given elements before, and nobody else has any?
static bool is_next_element(const Fresh *self, const SkeletonStep *step, u32 argument, u32 root) {
    const PathTable *paths = &self->analysis->paths;
    const ArgumentValue *value = &self->skeleton->args[step->arg + argument];
    return step->kind == STEP_SPAWN && value->address && !path_goes_through_pointer(paths, value->path) &&
           paths->paths.items[self->roots[root]].root == ROOT_RESULT && !(self->kept >> root & 1);
}

static u64 apply_arguments(Fresh *self, const SkeletonStep *step, u64 state) {
    u64 after = state;
    for (u32 i = 0; i < step->arg_count; i++) {
        ArgumentValue *argument = &self->skeleton->args[step->arg + i];
        u32 root = argument_root(self, argument);
        if (self->marks && is_beyond(self, path_first(&self->analysis->paths, argument->path)))
            argument->fresh = FRESH_YES;
        if (root == NO_ID)
            continue;
        u64 kept = self->kept;
        if (self->marks)
            argument->fresh = state >> root & 1                      ? freshness(self, root)
                              : is_next_element(self, step, i, root) ? FRESH_YES
                                                                     : FRESH_NO;
        if (call_publishes(self, step, i))
            after = lose(self, lose(self, after, root), aimed_root(self, root));
        else if (argument->address && !self->analysis->paths.paths.items[argument->path].depth)
            after = apply_given(self, step, i, aimed_root(self, root), after);
        u32 stored = call_stores(self, step, i);
        for (u32 k = 0; stored; k++, stored >>= 1)
            after = stored & 1 ? store_into(self, step, i, k, after) : after;
        self->kept = step->kind == STEP_SPAWN ? kept : self->kept;
        hand_on(self, step, i);
    }
    return after;
}

// `*out = x`: is x nobody else's? What is stored is in the step behind the access.
static void note_given(Fresh *self, const SkeletonStep *step, const Access *access, u64 state) {
    const PathTable *paths = &self->analysis->paths;
    const Path *path = &paths->paths.items[access->path];
    if (path->root != ROOT_PARAM || path->depth != 1 || path->step != 1 || !(access->flags & ACCESSED_WRITE) ||
        paths->paths.items[path->parent].step >= 32)
        return;
    u32 bit = 1u << paths->paths.items[path->parent].step, root = NO_ID;
    const SkeletonStep *next = step + 1;
    self->gives |= bit;
    if (access->flags & ACCESSED_LOWERS)
        return;
    if (next < self->skeleton->steps + self->skeleton->step_count && next->kind == STEP_PUBLISH)
        root = argument_root(self, &self->skeleton->args[next->arg]);
    if (root == NO_ID || !(state >> root & 1) || (self->params >> root & 1))
        self->gives_shared |= bit;
    else
        self->given |= 1ull << root;
}

static u64 apply_accesses(Fresh *self, const SkeletonStep *step, u64 state) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 i = 0; i < step->effect_count; i++) {
        Access *access = &self->analysis->accesses.items[step->effect + i];
        u32 off = self->taken ? root_index(self, access->path) : NO_ID, off_root = taken_root(self, access->path);
        if (off != NO_ID && (self->taken >> off & 1) && (access->flags & ACCESSED_WRITE))
            state |= 1ull << off;
        note_given(self, step, access, state);
        if (!self->marks)
            continue;
        u32 pointers = 0;
        PathId at = access->path;
        for (; at && paths->paths.items[at].depth; at = paths->paths.items[at].parent)
            pointers += goes_by_pointer(&paths->paths.items[at]);
        u32 root = at && pointers <= 1 ? root_index(self, at) : NO_ID;
        root = follows_root(paths, access->path) ? aimed_root(self, root) : root;
        bool beyond = is_beyond(self, at) || (self->cut && (access->flags & ACCESSED_UNSHARED));
        access->fresh = beyond ? FRESH_YES : FRESH_NO;
        root = off_root != NO_ID ? off_root : root;
        if (root != NO_ID && (state >> root & 1))
            access->fresh = freshness(self, root);
    }
    return state;
}

static u64 apply_set(Fresh *self, const SkeletonStep *step, u64 state) {
    PathTable *paths = &self->analysis->paths;
    u32 var = root_index(self, path_root(paths, ROOT_LOCAL, step->result));
    u32 param = root_index(self, path_root(paths, ROOT_PARAM, step->result));
    if (param != NO_ID && (self->params >> param & 1))
        state &= ~(1ull << param); // another object from here on
    if (var == NO_ID)
        return state;
    if (aimed_root(self, var) != var && !step->source && step->effect == VALUE_ZERO)
        return state | 1ull << aimed_root(self, var); // it points to nothing
    var = aimed_root(self, var);
    PathId result = step->source ? path_root(paths, ROOT_RESULT, step->source) : 0;
    u32 source = result ? root_index(self, result) : NO_ID;
    if ((source != NO_ID && (state >> source & 1)) || is_beyond(self, result))
        return state | 1ull << var;
    return state & ~(1ull << var);
}

// Is it what a call through a pointer gave? Beside a return of fresh memory, that is an allocator with a hook.
static bool is_hook(const Fresh *self, PathId path) {
    const Path *root = &self->analysis->paths.paths.items[path];
    if (root->depth || root->root != ROOT_RESULT || root->step == UINT32_MAX)
        return false;
    const CallSite *site = program_call(self->analysis->program, self->function, root->step);
    return site && site->indirect;
}

// Was it not stored after all, as the way that the branch takes says? A compare-and-swap that failed.
static bool has_failed(const Fresh *self, const SkeletonBlock *block, const SkeletonStep *step, u32 successor) {
    if (step->kind != STEP_PUBLISH || !step->discard || successor == NO_ID || block->term != TERM_BRANCH ||
        !block->subject || block->subject != step->result)
        return false;
    return !(value_signs(&self->analysis->values, successor ? block->no : block->yes) & step->discard & VALUE_ANY);
}

static bool swaps(const Fresh *self, const SkeletonBlock *block) {
    for (u32 s = 0; s < block->step_count; s++)
        for (u32 i = 0; i < block->successor_count; i++)
            if (has_failed(self, block, &self->skeleton->steps[block->step + s], i))
                return true;
    return false;
}

// Up to a successor; NO_ID: whichever it is.
static u64 run_block(Fresh *self, const SkeletonBlock *block, u64 state, u32 successor) {
    for (u32 s = 0; s < block->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[block->step + s];
        if (has_failed(self, block, step, successor))
            continue;
        switch (step->kind) {
        case STEP_PUBLISH: state = apply_publish(self, step, state); break;
        case STEP_SET: state = apply_set(self, step, state); break;
        case STEP_CALL:
        case STEP_SPAWN: state = apply_arguments(self, step, state); break;
        case STEP_ACCESS: state = apply_accesses(self, step, state); break;
        }
        if (gives_fresh(self, step)) {
            u32 root = root_index(self, path_root(&self->analysis->paths, ROOT_RESULT, step->expr));
            state |= root == NO_ID ? 0 : 1ull << root;
        }
    }
    if (block->term == TERM_RETURN && block->returned.path && block->return_value != VALUE_ZERO) {
        u32 root = block->returned.address ? NO_ID : aimed_root(self, root_index(self, block->returned.path));
        bool fresh = root != NO_ID && ((state | self->taken) >> root & 1) && !(self->params >> root & 1);
        self->fresh_return |= fresh;
        self->taken_return |= fresh && (self->off >> root & 1);
        bool beyond = is_beyond(self, path_first(&self->analysis->paths, block->returned.path));
        self->fresh_return |= beyond;
        self->other_return |= !fresh && !beyond && (block->returned.address || !is_hook(self, block->returned.path));
    }
    return state;
}

static void run_function(Fresh *self) {
    Skeleton *skeleton = self->skeleton;
    u64 locals = self->params;
    for (u32 i = 0; i < self->count; i++)
        if (self->analysis->paths.paths.items[self->roots[i]].root == ROOT_LOCAL)
            locals |= 1ull << i;
    array_reserve(&self->room, skeleton->block_count);
    self->in = self->room.items;
    for (u32 b = 0; b < skeleton->block_count; b++)
        self->in[b] = UINT64_MAX;
    self->in[0] = locals;
    self->lost = self->kept = self->given = 0;
    self->gives = self->gives_shared = 0;
    bool marks = self->marks;
    self->marks = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 b = 0; b < skeleton->block_count; b++) {
            if (self->in[b] == UINT64_MAX && b)
                continue; // not reached yet
            u64 all = run_block(self, &skeleton->blocks[b], self->in[b], NO_ID);
            for (u32 s = 0; s < skeleton->blocks[b].successor_count; s++) {
                u32 next = skeleton->successors[skeleton->blocks[b].successor + s];
                u64 out =
                    swaps(self, &skeleton->blocks[b]) ? run_block(self, &skeleton->blocks[b], self->in[b], s) : all;
                u64 met = self->in[next] & out;
                changed |= met != self->in[next] && next <= b;
                self->in[next] = met;
            }
        }
    }
    self->marks = marks;
    self->fresh_return = self->taken_return = self->other_return = false;
    memset(self->owner, 0, self->count); // before it is stored somewhere it is its own
    for (u32 b = 0; b < skeleton->block_count; b++)
        run_block(self, &skeleton->blocks[b], self->in[b], NO_ID);
}

// The global whose address every return gives.
static void fill_returned(Fresh *self) {
    const PathTable *paths = &self->analysis->paths;
    PathId place = 0;
    for (u32 b = 0; b < self->skeleton->block_count; b++) {
        const SkeletonBlock *block = &self->skeleton->blocks[b];
        if (block->term != TERM_RETURN || !block->returned.path)
            continue;
        bool global = block->returned.address && paths->paths.items[block->returned.path].root == ROOT_GLOBAL &&
                      !path_goes_through_pointer(paths, block->returned.path);
        if (!global || (place && place != block->returned.path))
            return;
        place = block->returned.path;
    }
    self->skeleton->returns_place = place;
}

// Parameters that are stored in what another points to.
static void fill_stored(Fresh *self) {
    const PathTable *paths = &self->analysis->paths;
    for (u32 i = 0; i < self->count; i++) {
        u32 into = i;
        for (u32 depth = 0; depth < OWNED_MOST && self->owner[into]; depth++)
            into = self->owner[into] - 1u;
        const Path *stored = &paths->paths.items[self->roots[i]], *place = &paths->paths.items[self->roots[into]];
        if (into != i && (self->params >> i & 1) && (self->params >> into & 1) && place->step < 32)
            *map_put(&self->analysis->stored_in, (u64)self->function << 32 | stored->step, NULL) |= 1u << place->step;
    }
}

static void fresh_function(Fresh *self, FunctionId function) {
    Analysis *analysis = self->analysis;
    self->function = function;
    self->skeleton = &analysis->skeletons[function];
    if (!self->skeleton->block_count)
        return;
    fill_returned(self);
    fill_roots(self);
    if (!self->count)
        return;
    run_function(self);
    for (u32 i = 0; i < self->count; i++)
        if ((self->lost & self->params) >> i & 1)
            self->skeleton->publishes |= 1u << analysis->paths.paths.items[self->roots[i]].step;
    fill_stored(self);
    self->skeleton->gives = self->gives;
    self->skeleton->gives_shared = self->given & self->lost ? self->gives : self->gives_shared;
    self->skeleton->returns_fresh = self->fresh_return && !self->other_return;
    self->skeleton->returns_taken = self->taken_return;
}

// Functions by their component, callees first.
static u32 *bottom_up(const Program *program) {
    u32 count = program->functions.count, components = program->stats.components;
    u32 *first = must_zero(sizeof(u32) * ((size_t)components + 2)), *order = must_alloc(sizeof(u32) * (count + 1u));
    for (u32 f = 0; f < count; f++)
        first[program->functions.items[f].component + 1]++;
    for (u32 c = 0; c < components; c++)
        first[c + 1] += first[c];
    for (u32 f = 0; f < count; f++)
        order[first[program->functions.items[f].component]++] = f;
    free(first);
    return order;
}

void fill_fresh(Analysis *analysis) {
    Fresh self = {.analysis = analysis};
    u32 *order = bottom_up(analysis->program);
    for (u32 round = 0; round < 2; round++) {
        self.marks = round == 1;
        for (u32 i = 0; i < analysis->program->functions.count; i++)
            fresh_function(&self, order[i]);
    }
    free(order);
    array_free(&self.room);
}
