// parallel.c: can two accesses be made at the same time?
// In: two samples: the roots they come from, the threads that may run then. Out: yes or no, and whether it is proven:
// two threads that the program starts and that run together.
// The idea: a thread is in the lockset of whoever started it from its start to its join; what is done without it there
// is done before or after. Handlers of one context do not interrupt themselves; start-up and shutdown are alone.
#include "racerx/facts/analysis.h"

#define ALONE (1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE)

// Is one started while the other may run? Each may be started in several places.
static bool started_together(const Analysis *self, u32 a, u32 b) {
    for (u32 i = 0; i < self->spawn_roots.count; i++)
        for (u32 k = 0; self->spawn_roots.items[i].root == a && k < self->spawn_roots.count; k++) {
            u64 x = self->spawn_roots.items[i].class, y = self->spawn_roots.items[k].class;
            if (self->spawn_roots.items[k].root == b &&
                (map_get(&self->coalive_index, x << 32 | y) || map_get(&self->coalive_index, y << 32 | x)))
                return true;
        }
    return false;
}

static bool is_definite(const Root *root) {
    return root->spawned || root->once || (root->contexts & (1u << CONTEXT_SIGNAL | 1u << CONTEXT_INTERRUPT));
}

static bool has_program(const Analysis *self, FunctionId function) {
    bool known;
    share_program(self, function, function, &known);
    return known;
}

// Is there a program that does both? What no main reaches may be anybody's, but an interrupt handler among it is a
// kernel's.
static bool may_share_program(const Analysis *self, const Root *a, const Root *b) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ;
    bool known;
    if (a->function == NO_ID || b->function == NO_ID)
        return true;
    if (share_program(self, a->function, b->function, &known))
        return true;
    const Root *lost = has_program(self, a->function) ? b : a; // no main reaches it: but a main reaches the other?
    bool elsewhere = (lost->contexts & handlers) && is_registered(self->program, lost->function);
    return !known && !(elsewhere && has_program(self, a->function) != has_program(self, b->function));
}

// Does `above` start the thread, or somebody who does?
static bool is_above(const Analysis *self, u32 above, u32 thread) {
    const Root *root = &self->roots.items[thread], *main = &self->roots.items[above];
    bool known;
    if (main->once && !main->spawned && root->spawned && above != thread)
        return share_program(self, main->function, root->function, &known);
    u32 low = root->above, high = root->above + root->above_count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->above.items[middle] < above)
            low = middle + 1;
        else
            high = middle;
    }
    return low < root->above + root->above_count && self->above.items[low] == above;
}

// Threads that were asked about for one question: who may have been started by somebody who may have been started by …
typedef struct {
    u32 threads[THREADS_ASKED];
    u32 count;
} Asked;

static bool was_asked(const Asked *asked, u32 thread) {
    for (u32 i = 0; i < asked->count; i++)
        if (asked->threads[i] == thread)
            return true;
    return false;
}

// Is the thread started by that one only? Then he knows what runs when it begins, and while it does.
static bool is_started_by(const Analysis *self, u32 thread, u32 starter) {
    const Root *root = &self->roots.items[thread];
    for (u32 i = 0; i < root->spawner_count; i++)
        if (self->spawners.items[root->spawners + i] != starter)
            return false;
    return root->spawner_count;
}

// Is the thread of `a` sure to be there already, or somebody else's, when `by` starts the thread? If that is not known,
// `by` has to be asked about, too.
static bool starts_beside(const Analysis *self, const Sample *a, u32 thread, u32 by, Asked *asked) {
    const Root *starter = &self->roots.items[by];
    if (by == a->root || was_asked(asked, by) || starter->function == NO_ID ||
        !may_share_program(self, starter, &self->roots.items[a->root]))
        return false;
    if (is_started_by(self, a->root, by)) // one who starts both, each at its time
        return started_together(self, a->root, thread);
    if (!is_above(self, a->root, by))
        return true;
    if (!limit_cuts(LIMIT_THREADS_ASKED, asked->count == THREADS_ASKED))
        asked->threads[asked->count++] = by;
    return false;
}

static bool is_beside(const Analysis *self, const Sample *a, u32 thread) {
    Asked asked = {.threads = {thread}, .count = 1};
    for (u32 at = 0; at < asked.count; at++) {
        const Root *root = &self->roots.items[asked.threads[at]];
        if (is_alive(self, a->alive, asked.threads[at]))
            return true;
        for (u32 i = 0; i < root->spawner_count; i++) {
            if (limit_cuts(LIMIT_SPAWNERS_ASKED, i >= SPAWNERS_ASKED))
                break;
            if (starts_beside(self, a, asked.threads[at], self->spawners.items[root->spawners + i], &asked))
                return true;
        }
    }
    return false;
}

// May the thread run at the time of `a`, whose root is above it? Not before it was started: by a's own root it would be
// in the lockset; by another thread, that one must run. Who nobody knows, and what belongs to another program, does not
// count. Only the root of `a` and the threads it has beside it decide.
static bool runs_beside(const Analysis *self, const Sample *a, u32 thread) {
    if (!self->asked_beside || thread >= 1u << 16)
        return is_beside(self, a, thread);
    u32 *known = map_put(self->asked_beside, (u64)a->alive << 32 | a->root << 16 | thread, NULL);
    if (!*known)
        *known = is_beside(self, a, thread) ? 2 : 1;
    return *known == 2;
}

// The main that everything a root belongs to starts from; NO_ID: not known.
static u32 main_of(const Analysis *self, u32 root) {
    for (u32 depth = 0; depth < 8; depth++) {
        const Root *one = &self->roots.items[root];
        if (!one->spawned)
            return one->once ? root : NO_ID;
        if (one->spawner == NO_ID)
            return NO_ID;
        root = one->spawner;
    }
    return NO_ID;
}

// Are both made by one thread, told from its like by what it was given?
static bool are_one_thread(const Analysis *self, const Sample *a, const Sample *b) {
    u32 node = way_first_node(self, a->way);
    return node == way_first_node(self, b->way) && map_get(&self->single_nodes, node);
}

// Is a made by a main before it has started its threads, or after their end, or by one that starts none where another
// program of the tree does? Whoever calls what nobody in sight calls is one of them, or main itself.
static bool is_alone_yet(const Analysis *self, const Sample *a, const Root *other) {
    const Root *main = &self->roots.items[a->root];
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_SIGNAL | 1u << CONTEXT_THREAD;
    bool alone = main->starts ? !a->alive : self->main_starts;
    return main->once && !main->spawned && alone && (other->contexts & CONTEXT_OTHER) && !(other->contexts & handlers);
}

// Is a made in a child process, in which the thread of b does not run? The child has its own memory.
static bool is_in_other_process(const Analysis *self, const Sample *a, const Sample *b) {
    const Root *other = &self->roots.items[b->root];
    if (!(a->state & MADE_IN_CHILD) || !(other->spawned || other->once))
        return false;
    return a->root == b->root || !runs_beside(self, a, b->root);
}

static bool threads_together(const Analysis *self, const Sample *a, const Sample *b) {
    const Root *x = &self->roots.items[a->root], *y = &self->roots.items[b->root];
    if (!may_share_program(self, x, y) || is_in_other_process(self, a, b) || is_in_other_process(self, b, a))
        return false;
    if (a->root == b->root) {
        if (x->contexts & (1u << CONTEXT_SIGNAL | 1u << CONTEXT_INTERRUPT))
            return false;
        return !x->single && !are_one_thread(self, a, b);
    }
    if (is_alone_yet(self, a, y) || is_alone_yet(self, b, x))
        return false;
    u32 first = main_of(self, a->root), second = main_of(self, b->root);
    if (first != second && first != NO_ID && second != NO_ID)
        return false; // two programs of one tree
    if (is_above(self, a->root, b->root))
        return runs_beside(self, a, b->root);
    if (is_above(self, b->root, a->root))
        return runs_beside(self, b, a->root);
    if (x->spawned && y->spawned && x->spawner == y->spawner && x->spawner != NO_ID &&
        self->roots.items[x->spawner].once)
        return started_together(self, a->root, b->root);
    return true;
}

static bool handlers_together(const Analysis *self, const Sample *a, const Sample *b) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER | 1u << CONTEXT_WORK |
                         1u << CONTEXT_THREAD;
    u32 contexts = self->roots.items[a->root].contexts;
    u32 queue = self->queue_of[way_root(self, a->way)];
    if (queue && queue == self->queue_of[way_root(self, b->way)])
        return false; // one item after the other
    if (a->root != b->root || !(contexts & handlers))
        return true;
    FunctionId root = way_root(self, a->way); // one that several threads may run at once meets itself
    return root != way_root(self, b->way) || (self->program->functions.items[root].marks & MARK_MULTITHREADED);
}

// Of the ways of a chain, each plus 1, only those matter here that are marked: chains are long, and asked for often.
static u32 way_marked(const Analysis *self, u32 way) { return way ? self->way_contexts.items[way - 1].marked : 0; }
static u32 way_above(const Analysis *self, u32 way) { return way_marked(self, self->way_contexts.items[way - 1].from); }

// Functions of a chain of calls, nearest first, that some rule speaks of; NO_ID: there are too many.
static u32 ruled_of(const Analysis *self, u32 way, FunctionId *out) {
    u32 count = 0;
    for (u32 w = self->ruled ? way_marked(self, way + 1) : 0; w; w = way_above(self, w)) {
        FunctionId function = self->nodes.items[self->way_contexts.items[w - 1].node].function;
        if (!self->ruled[function])
            continue;
        if (limit_cuts(LIMIT_RULED_MOST, count >= RULED_MOST))
            return NO_ID;
        out[count++] = function;
    }
    return count;
}

// Rules about functions of the two chains of calls; one about arguments speaks of what is reached through them.
static bool is_never_parallel(const Analysis *self, const Sample *a, const Sample *b) {
    const Program *program = self->program;
    FunctionId left[RULED_MOST], right[RULED_MOST];
    if ((self->way_contexts.items[a->way].begins_by || self->way_contexts.items[b->way].begins_by) &&
        program_roots_apart(program, way_root(self, a->way), way_root(self, b->way)))
        return true;
    u32 lefts = ruled_of(self, a->way, left), rights = lefts ? ruled_of(self, b->way, right) : 0;
    if (lefts == NO_ID || rights == NO_ID)
        return true; // not known
    for (u32 i = 0; i < lefts; i++)
        for (u32 k = 0; k < rights; k++) {
            i32 first, second;
            FunctionId f = left[i], g = right[k];
            if (!program_never_parallel(program, f, g, &first, &second))
                continue;
            const Access *p = &self->accesses.items[a->access], *q = &self->accesses.items[b->access];
            if (!first && !second)
                return true;
            if (p->function == f && q->function == g && p->param == first && q->param == second)
                return true;
        }
    return false;
}

// Did `a` take the object off where the others find it? Who finds it there under a lock does so before; who took one
// off, too, took another. Only who goes on with it after he has let go of the lock may still have it.
static bool is_taken_from(const Analysis *self, const Sample *a, const Sample *b) {
    u32 count;
    lockset_held(&self->protections, b->protection, &count);
    return a->bound == BOUND_TAKEN && (b->bound == BOUND_TAKEN || count);
}

static bool passes(const Analysis *self, u32 way, FunctionId function) {
    for (;; way = self->way_contexts.items[way].from - 1) {
        if (self->nodes.items[self->way_contexts.items[way].node].function == function)
            return true;
        if (!self->way_contexts.items[way].from)
            return false;
    }
}

// Does the step stand for an element that only one thread has? With `drawn`: one that nobody else has at all.
static bool is_owned(const Analysis *self, u32 step, bool drawn) {
    u32 name = step >> 1;
    bool ticket = name != STEP_OWN && (name & STEP_TICKET);
    if (step_is_up(step) || !step_is_owned(name) || (drawn && !ticket))
        return false;
    return !ticket || map_get(&self->tickets, name & (STEP_TICKET - 1));
}

static bool is_begun_alike(const Analysis *self, PathId path, PathId other) {
    for (; other && self->paths.paths.items[other].depth; other = self->paths.paths.items[other].parent)
        if (path == other)
            return true;
    return false;
}

// Where the place begins is not known here: a parameter, a result.
static bool is_from_elsewhere(const Analysis *self, PathId path) {
    u8 root = self->paths.paths.items[path_first(&self->paths, path)].root;
    return root != ROOT_GLOBAL && root != ROOT_STACK;
}

// Are both in elements of one array, each in that of its own thread, by numbers of one sort? Where it is not known
// which array, by the number that the thread was given.
static bool have_elements(const Analysis *self, const Sample *a, const Sample *b, bool drawn) {
    bool elsewhere = is_from_elsewhere(self, a->place) || is_from_elsewhere(self, b->place), given = false;
    if (!a->place || !b->place)
        return false;
    for (PathId at = a->place; at && self->paths.paths.items[at].depth; at = self->paths.paths.items[at].parent) {
        u32 step = self->paths.paths.items[at].step;
        if (is_owned(self, step, drawn) && is_begun_alike(self, at, b->place))
            return true;
        given |= step >> 1 == STEP_OWN;
    }
    for (PathId at = b->place; elsewhere && given && !drawn && at && self->paths.paths.items[at].depth;
         at = self->paths.paths.items[at].parent)
        if (self->paths.paths.items[at].step >> 1 == STEP_OWN)
            return true;
    return false;
}

// The element that the thread was given, and not some other that it chose?
static bool has_given_element(const Analysis *self, const Sample *sample) {
    bool given = false;
    for (PathId at = sample->place; at && self->paths.paths.items[at].depth; at = self->paths.paths.items[at].parent)
        given |= self->paths.paths.items[at].step >> 1 == STEP_OWN;
    return sample->bound == BOUND_ELEMENT && given;
}

// Whoever starts the others calls their function itself at last, with a number that is left.
static bool joins_in(const Analysis *self, const Sample *a, const Sample *b) {
    return have_elements(self, a, b, false) && (passes(self, a->way, self->roots.items[b->root].begins) ||
                                                passes(self, b->way, self->roots.items[a->root].begins));
}

// Does `a` prepare the element that the thread of `b` is given, before it starts that thread? Those it has started have
// others.
static bool prepares(const Analysis *self, const Sample *a, const Sample *b) {
    u32 node = way_first_node(self, b->way);
    bool given = has_given_element(self, b);
    for (u32 i = 0; given && i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        if (started->root == b->root && started->node == node &&
            !map_get(&self->prepared, (u64)a->access << 32 | started->spawn))
            return false;
    }
    return given && b->root != a->root;
}

// Does only the thread with a certain number come to either of them, in the same function?
static bool are_elected(const Analysis *self, const Sample *a, const Sample *b) {
    const u32 *x = map_get(&self->elected, a->access), *y = map_get(&self->elected, b->access);
    return x && y && *x == *y && a->root == b->root &&
           self->accesses.items[a->access].function == self->accesses.items[b->access].function;
}

// Objects of which every thread has its own: a local, an allocation of whoever starts it, the element it was told.
static bool has_its_own(const Analysis *self, const Sample *a, const Sample *b) {
    const SharedObject *object = &self->objects.items[a->object];
    const u32 *stack =
        object->kind == OBJECT_LOCAL ? map_get(&self->stack_index, (u64)object->id << 32 | object->var) : NULL;
    if (object->kind == OBJECT_LOCAL && (!stack || !self->stack.items[*stack - 1].given))
        return true; // no thread was given its address
    if (a->bound == BOUND_LOCAL && b->bound == BOUND_LOCAL)
        return true;
    if (is_taken_from(self, a, b) || is_taken_from(self, b, a) || have_elements(self, a, b, true))
        return true;
    if (a->root != b->root && (prepares(self, a, b) || prepares(self, b, a)))
        return true;
    if (a->root != b->root)
        return (object->kind == OBJECT_LOCAL && !a->bound && !b->bound) || joins_in(self, a, b);
    if (a->bound >= BOUND_OWN && b->bound >= BOUND_OWN && a->bound != BOUND_TAKEN && b->bound != BOUND_TAKEN)
        return a->bound != b->bound || way_first_node(self, a->way) == way_first_node(self, b->way);
    const Access *x = &self->accesses.items[a->access], *y = &self->accesses.items[b->access];
    FunctionId thread = self->roots.items[a->root].begins;
    bool apart = have_elements(self, a, b, false), known = a->place && b->place;
    if (apart || ((x->flags & y->flags & ACCESSED_CHOSEN) && !known && x->function == thread && y->function == thread))
        return true;
    if (object->kind != OBJECT_LOCAL)
        return false;
    if (!a->bound || !b->bound)
        return true;
    bool heap = object->var & HEAP_VAR;
    u32 places = 0, last = NO_ID;
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        const Spawn *spawn = &self->spawns.items[started->spawn];
        if (spawn->function != object->id || started->root != a->root || started->spawn == last)
            continue;
        last = started->spawn; // the same place, come to with other threads running
        const CallSite *site = program_call(self->program, spawn->function, spawn->call);
        const CallSite *made = heap ? program_call(self->program, spawn->function, object->var & ~HEAP_VAR) : NULL;
        places += site && site->repeats && !(made && made->repeats) ? 2 : 1;
    }
    return places < 2;
}

// The constant index on the way to a member of an array that is no pointer's, plus 1; 0: none, or not constant.
static u32 constant_index(const PathTable *paths, PathId path) {
    for (; path && paths->paths.items[path].depth; path = paths->paths.items[path].parent) {
        u32 step = paths->paths.items[path].step;
        if (step_is_index_or_up(step))
            return step_is_number(step) ? step : 0;
        if (step_is_pointer(step))
            return 0;
    }
    return 0;
}

// Two elements of one array, by their numbers?
static bool are_two_elements(const Analysis *self, const Sample *a, const Sample *b) {
    const SharedObject *object = &self->objects.items[a->object];
    PathId p = self->accesses.items[a->access].path, q = self->accesses.items[b->access].path;
    if ((object->kind != OBJECT_GLOBAL && object->kind != OBJECT_BEHIND) ||
        self->paths.paths.items[p].root != ROOT_GLOBAL || self->paths.paths.items[q].root != ROOT_GLOBAL)
        return false;
    u32 x = constant_index(&self->paths, p), y = constant_index(&self->paths, q);
    return x && y && x != y;
}

// Nodes of two lists, each found under a lock?
static bool are_in_two_lists(const Analysis *self, const Sample *a, const Sample *b) {
    u32 count, others;
    lockset_held(&self->protections, a->protection, &count);
    lockset_held(&self->protections, b->protection, &others);
    if (!a->list || !b->list || a->list == b->list || !count || !others)
        return false;
    const Path *x = &self->paths.paths.items[a->list], *y = &self->paths.paths.items[b->list];
    return x->root == ROOT_OUTER || y->root == ROOT_OUTER ? x->root == y->root && x->depth == y->depth : true;
}

// Reached from a main, or there from the start, as a handler whose name is in a table of vectors.
static bool is_placed_in_program(const Analysis *self, const Root *root) {
    return root->function != NO_ID &&
           (has_program(self, root->function) || !is_registered(self->program, root->function));
}

// What two objects have called once may meet where those who call it do.
static bool once_together(const Analysis *self, const Sample *a, const Sample *b, bool *proven) {
    const Root *x = &self->roots.items[a->root], *y = &self->roots.items[b->root];
    Sample p = *a, q = *b;
    if (!x->once_object || !y->once_object || x->once_object == y->once_object)
        return false;
    p.root = (u16)x->under;
    q.root = (u16)y->under;
    return may_run_together(self, &p, &q, proven);
}

// Files on a chain of calls, nearest first, that are not built with all others.
static u32 rivals_of(const Analysis *self, u32 way, FileId *out) {
    u32 count = 0;
    for (u32 w = way_marked(self, way + 1); w; w = way_above(self, w)) {
        FunctionId function = self->nodes.items[self->way_contexts.items[w - 1].node].function;
        FileId file = self->program->functions.items[function].file;
        bool there = false;
        for (u32 i = 0; i < count; i++)
            there |= out[i] == file;
        if (there || !bitset_has(&self->program->rival_files, file))
            continue;
        if (limit_cuts(LIMIT_RULED_MOST, count >= RULED_MOST))
            return NO_ID;
        out[count++] = file;
    }
    return count;
}

// Do the two ways go through files of which no program has both?
static bool are_rivals(const Analysis *self, const Sample *a, const Sample *b) {
    FileId left[RULED_MOST], right[RULED_MOST];
    u32 lefts = rivals_of(self, a->way, left), rights = lefts ? rivals_of(self, b->way, right) : 0;
    if (lefts == NO_ID || rights == NO_ID)
        return true; // not known
    for (u32 i = 0; i < lefts; i++)
        for (u32 k = 0; k < rights; k++)
            if (files_are_rivals(self->program, left[i], right[k]))
                return true;
    return false;
}

bool may_run_together(const Analysis *self, const Sample *a, const Sample *b, bool *proven) {
    const Root *x = &self->roots.items[a->root], *y = &self->roots.items[b->root];
    *proven = false;
    if (!(x->contexts & ~ALONE) || !(y->contexts & ~ALONE))
        return once_together(self, a, b, proven);
    if (has_its_own(self, a, b) || are_two_elements(self, a, b) || are_in_two_lists(self, a, b))
        return false;
    if (!self->follows_threads)
        return handlers_together(self, a, b) && !is_never_parallel(self, a, b) && !are_rivals(self, a, b);
    if (!threads_together(self, a, b) || are_elected(self, a, b) || creation_keeps_apart(self, a, b) ||
        is_never_parallel(self, a, b) || are_rivals(self, a, b))
        return false;
    *proven = is_definite(x) && is_definite(y) && is_placed_in_program(self, x) && is_placed_in_program(self, y);
    return true;
}

bool may_threads_meet(const Analysis *self, const Sample *a, const Sample *b) { return threads_together(self, a, b); }
