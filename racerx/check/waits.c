// waits.c: waiting for something to end while holding a lock that it takes.
// In: notes of joins with the locks held, what was started with which object, who takes what. Out: findings of kind
// deadlock: one thread waits for the other to end, the other for the lock. What was started and what is waited for are
// the same when they have a name in common (handles.c). Locks that did not go along into a callee (ambient.c) are found
// on the way up from the wait.
#include "racerx/check/waits.h"

#include "racerx/check/asked.h"

#define OF_GLOBAL 0x80000000u // of the name of a member: it was started in a global of that type
#define ITSELF_COST 2         // of each of them: those with many targets lead anywhere

static int compare_started(const void *left, const void *right) {
    const StartedName *a = left, *b = right;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return a->registration < b->registration ? -1 : a->registration > b->registration;
}

// Is a handle of this name (`struct shop.clerk`, `file.c:clerk`) a member like the launch's, or like it no member?
static bool is_named_alike(const Analysis *self, ClassId name, const Launch *launch) {
    const char *text = class_text(self, name), *colon = strrchr(text, ':');
    const char *dot = strrchr(colon ? colon : text, '.');
    return launch->member ? dot && !strcmp(dot + 1, program_text(self->program, launch->member)) : !dot;
}

// A helper that starts what it is told is given every caller's handle: is this one a handle of what the handler is told
// to run by? Where no call of the helper is known to give that handler, any may be.
static bool may_be_handle(const Analysis *self, const Registration *one, ClassId name) {
    bool launched = false;
    for (u32 i = 0; i < self->launches.count; i++) {
        const Launch *launch = &self->launches.items[i];
        const Spawn *spawn = &self->spawns.items[launch->spawn];
        if (launch->runs != one->handler || spawn->function != one->from || spawn->call != one->call || !spawn->told)
            continue;
        if (is_named_alike(self, name, launch))
            return true;
        launched = true;
    }
    return !launched;
}

// fills: started.
static void gather_started(Waits *self) {
    Analysis *analysis = self->analysis;
    Map handles = {0}; // (function, call) -> set of names
    u32 names[NAMES_MOST];
    for (u32 i = 0; i < analysis->started.count; i++) {
        const Started *started = &analysis->started.items[i];
        *map_put(&handles, (u64)started->function << 32 | started->call, NULL) = started->handle;
    }
    for (u32 r = 0; r < analysis->program->registrations.count; r++) {
        const Registration *one = &analysis->program->registrations.items[r];
        u32 *handle = one->from == NO_ID ? NULL : map_get(&handles, (u64)one->from << 32 | one->call);
        u32 count = handle ? handle_names(analysis, *handle, names, NAMES_MOST) : 0;
        for (u32 i = 0; i < count; i++) {
            const u32 *type = map_get(&analysis->handle_types, names[i]);
            if (!may_be_handle(analysis, one, names[i]))
                continue;
            array_push(&self->started, ((StartedName){names[i], r}));
            if (type)
                array_push(&self->started, ((StartedName){*type | OF_GLOBAL, r}));
        }
    }
    map_free(&handles);
    if (self->started.count)
        qsort(self->started.items, self->started.count, sizeof(StartedName), compare_started);
}

static void gather_nodes(Waits *self) {
    const Analysis *analysis = self->analysis;
    for (u32 n = analysis->nodes.count; n-- > 0;) {
        u32 function = analysis->nodes.items[n].function;
        self->next_node[n] = self->first_node[function];
        self->first_node[function] = n + 1;
    }
    for (u32 i = 0; 2 * i < analysis->edge_pairs.count; i++) {
        u32 caller = analysis->edge_pairs.items[2 * i], callee = analysis->edge_pairs.items[2 * i + 1];
        array_push(&self->callees[caller], i);
        array_push(&self->callers[callee], i);
    }
    for (u32 i = 0; i < analysis->acquisitions.count; i++)
        array_push(&self->taken[analysis->acquisitions.items[i].node], i);
    for (u32 i = analysis->ambient.count; i-- > 0;) {
        u32 callee = analysis->ambient.items[i].callee;
        self->next_ambient[i] = self->first_ambient[callee];
        self->first_ambient[callee] = i + 1;
    }
}

static void waits_begin(Waits *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count;
    *self = (Waits){.analysis = analysis, .node_count = nodes};
    self->first_node = must_zero(sizeof(u32) * (analysis->program->functions.count + 1));
    self->next_node = must_zero(sizeof(u32) * (nodes + 1));
    self->callees = must_zero(sizeof(U32Array) * (nodes + 1));
    self->callers = must_zero(sizeof(U32Array) * (nodes + 1));
    self->taken = must_zero(sizeof(U32Array) * (nodes + 1));
    self->stamp = must_zero(sizeof(u32) * (nodes + 1));
    self->came = must_zero(sizeof(u32) * (nodes + 1));
    self->first_ambient = must_zero(sizeof(u32) * (nodes + 1));
    self->next_ambient = must_zero(sizeof(u32) * (analysis->ambient.count + 1));
    gather_nodes(self);
    gather_started(self);
}

static void waits_end(Waits *self) {
    for (u32 n = 0; n < self->node_count; n++) {
        array_free(&self->callees[n]);
        array_free(&self->callers[n]);
        array_free(&self->taken[n]);
    }
    free(self->callees);
    free(self->callers);
    free(self->taken);
    free(self->first_node);
    free(self->next_node);
    free(self->stamp);
    free(self->came);
    array_free(&self->queue);
    free(self->first_ambient);
    free(self->next_ambient);
    array_free(&self->started);
}

// searching -----------------------------------------------------------------------

static void search_meet(Waits *self, u32 node, u32 call) {
    if (self->stamp[node] == self->search)
        return;
    self->stamp[node] = self->search;
    self->came[node] = call;
    array_push(&self->queue, node);
}

static void search_begin(Waits *self) {
    self->search++;
    self->queue.count = 0;
}

// A node like this one that says it was called by `parent`: reports show chains of parents.
static u32 chain_add(Analysis *analysis, u32 node, u32 parent, Place call) {
    Node copy = analysis->nodes.items[node];
    copy.parent = parent;
    copy.call = call;
    copy.depth = parent == NO_ID ? 0 : (u16)(analysis->nodes.items[parent].depth + 1);
    copy.outcome_count = 0;
    node_table_put(&analysis->graph, copy);
    return analysis->nodes.count - 1;
}

static void add_ambient(const Ambient *ambient, HeldSet *all) {
    bool there = ambient->class < CLASS_FIRST;
    for (u32 i = 0; i < all->count; i++)
        there |= all->items[i].class == ambient->class;
    if (!there)
        held_push(all, (Held){ambient->class, 0, ambient->flags, 1, ambient->site});
}

// Was the search left with something to go on from? Counts what ended it.
static void note_cut(const Waits *self, u32 from, const U32Array *next, LimitId levels) {
    bool more = false;
    for (u32 q = from; q < self->queue.count && !more; q++)
        more = next[self->queue.items[q]].count;
    limit_cuts(from >= WAITS_REACH ? LIMIT_WAITS_REACH : levels, more);
}

// The nodes some calls above this one, nearest first.
static void search_up(Waits *self, u32 node) {
    u32 level_end = 1, q = 0;
    search_begin(self);
    search_meet(self, node, NO_ID);
    for (u32 level = 1; q < self->queue.count && q < WAITS_REACH && level < CALLERS_UP; q++) {
        const U32Array *callers = &self->callers[self->queue.items[q]];
        for (u32 i = 0; i < callers->count; i++)
            search_meet(self, self->analysis->edge_pairs.items[2 * callers->items[i]], callers->items[i]);
        if (q + 1 == level_end)
            level++, level_end = self->queue.count;
    }
    note_cut(self, q, self->callers, LIMIT_CALLERS_UP);
}

LocksetId held_at(Waits *self, u32 node, LocksetId held) {
    Analysis *analysis = self->analysis;
    HeldSet all;
    held_load(&all, &analysis->locksets, held);
    search_up(self, node);
    for (u32 q = 0; q < self->queue.count; q++)
        for (u32 a = self->first_ambient[self->queue.items[q]]; a; a = self->next_ambient[a - 1])
            add_ambient(&analysis->ambient.items[a - 1], &all);
    return held_intern(&all, &analysis->locksets);
}

u32 wait_node(Waits *self, u32 node, LocksetId own, ClassId class) {
    Analysis *analysis = self->analysis;
    u32 count;
    const Held *held = lockset_held(&analysis->locksets, own, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class)
            return node;
    search_up(self, node);
    for (u32 q = 0; q < self->queue.count; q++)
        for (u32 a = self->first_ambient[self->queue.items[q]]; a; a = self->next_ambient[a - 1]) {
            Ambient ambient = analysis->ambient.items[a - 1];
            if (ambient.class != class)
                continue;
            u32 at = self->queue.items[q], chain = chain_add(analysis, at, ambient.caller, ambient.place);
            for (; self->came[at] != NO_ID; at = analysis->edge_pairs.items[2 * self->came[at] + 1])
                chain = chain_add(analysis, analysis->edge_pairs.items[2 * self->came[at] + 1], chain,
                                  analysis->edge_places.items[self->came[at]]);
            return chain;
        }
    return node;
}

bool is_telling_lock(const Analysis *self, ClassId class) {
    const LockClass *info = &self->classes.items[class];
    return class >= CLASS_FIRST && !lock_has(info->kind, TRAIT_READS) && !info->scheduling && !info->lets_go &&
           (info->global || strchr(class_text(self, class), '.'));
}

static bool is_held(const Analysis *self, LocksetId set, const Acquisition *taken) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == taken->class && !(held[i].flags & taken->flags & HELD_SHARED) &&
            is_telling_lock(self, taken->class))
            return true;
    return false;
}

// What is taken below a handler.
typedef struct {
    u32 acquisition; // NO_ID: nothing
    u32 node;        // with the chain of calls from the handler
    u32 levels;      // calls between
} TakenFor;

static u32 taken_in(const Waits *self, u32 node, LocksetId held) {
    for (u32 i = 0; i < self->taken[node].count; i++) {
        const Acquisition *taken = &self->analysis->acquisitions.items[self->taken[node].items[i]];
        if (!(taken->flags & HELD_TRY) && is_held(self->analysis, held, taken))
            return self->taken[node].items[i];
    }
    return NO_ID;
}

static TakenFor taken_by(Waits *self, u32 acquisition, u32 node, u32 levels) {
    Analysis *analysis = self->analysis;
    U32Array calls = {0};
    u32 at = node;
    for (; self->came[at] != NO_ID; at = analysis->edge_pairs.items[2 * self->came[at]])
        array_push(&calls, self->came[at]);
    u32 chain = chain_add(analysis, at, NO_ID, (Place){0});
    while (calls.count) {
        u32 call = calls.items[--calls.count];
        chain = chain_add(analysis, analysis->edge_pairs.items[2 * call + 1], chain, analysis->edge_places.items[call]);
    }
    array_free(&calls);
    return (TakenFor){acquisition, chain, levels};
}

// The nearest acquisition below the handler of a lock in the set.
static TakenFor handler_takes(Waits *self, FunctionId handler, LocksetId held) {
    search_begin(self);
    for (u32 n = self->first_node[handler]; n; n = self->next_node[n - 1])
        search_meet(self, n - 1, NO_ID);
    u32 level_end = self->queue.count, q = 0;
    for (u32 level = 0; q < self->queue.count && q < WAITS_REACH; q++) {
        u32 node = self->queue.items[q], found = taken_in(self, node, held);
        if (found != NO_ID)
            return taken_by(self, found, node, level);
        bool cut = self->callees[node].count && limit_cuts(LIMIT_CALLEES_DOWN, level >= CALLEES_DOWN);
        for (u32 i = 0; !cut && i < self->callees[node].count; i++)
            search_meet(self, self->analysis->edge_pairs.items[2 * self->callees[node].items[i] + 1],
                        self->callees[node].items[i]);
        if (q + 1 == level_end)
            level++, level_end = self->queue.count;
    }
    limit_cuts(LIMIT_WAITS_REACH, q >= WAITS_REACH && q < self->queue.count);
    return (TakenFor){.acquisition = NO_ID};
}

static void put_wait(Analysis *self, FindingList *list, const Note *note, u32 waiting, TakenFor below,
                     FunctionId handler) {
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    Acquisition taken = self->acquisitions.items[below.acquisition];
    const char *lock = class_text(self, taken.class),
               *name = program_text(self->program, self->program->functions.items[handler].name);
    finding->message = findings_text(list, "waits for %s to end with %s held, which it takes", name, lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_add_object(list, finding, lock);
    Site *wait = finding_put_site(self, list, finding, ROLE_WAIT, waiting, note->site, note->held);
    wait->object = findings_text(list, "%s", name);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, below.node, taken.site, taken.held);
    u32 depth = node_depth(self, waiting);
    finding_add_number(list, finding, "threads", 2);
    finding_add_number(list, finding, "depth", depth + below.levels);
    finding_add_number(list, finding, "wait_depth", depth);
    finding_add_number(list, finding, "between_calls", below.levels);
    finding_add_number(list, finding, "global_locks", self->classes.items[taken.class].global);
    finding_add_number(list, finding, "take_depth", below.levels);
    finding_add_text(list, finding, "cause", "wait");
}

static bool is_near(const Program *program, FileId a, FileId b) {
    const char *x = program->files.items[a].path, *y = program->files.items[b].path;
    const char *end = strrchr(x, '/');
    size_t length = end ? (size_t)(end - x) : 0;
    return a == b || (!strncmp(x, y, length) && !strchr(y + length + (length > 0), '/'));
}

// A member of a type that the whole system shares (its header is elsewhere) tells drivers of one directory not apart.
static bool is_common(const Analysis *self, ClassId name, FileId file) {
    const char *text = class_text(self, name), *dot = strchr(text, '.');
    if (strncmp(text, "struct ", 7) || !dot)
        return false;
    NameId tag = program_intern(self->program, text + 7, (u32)(dot - text - 7));
    RecordId record = program_record(self->program, file, tag, TYPE_STRUCT);
    return record != NO_ID && !is_near(self->program, self->program->records.items[record].file, file);
}

// requires: names sorted. The first with this name.
static u32 first_started(const Waits *self, ClassId name) {
    u32 low = 0, high = self->started.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->started.items[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_started(const Waits *self, const u32 *names, u32 count) {
    for (u32 n = 0; n < count; n++) {
        u32 i = first_started(self, names[n]);
        if (i < self->started.count && self->started.items[i].name == names[n])
            return true;
    }
    return false;
}

LocksetId shown_held(Analysis *self, LocksetId own, LocksetId all, ClassId class) {
    HeldSet held;
    held_load(&held, &self->locksets, own);
    bool there = false;
    for (u32 i = 0; i < held.count; i++)
        there |= held.items[i].class == class;
    u32 known;
    const Held *locks = lockset_held(&self->locksets, all, &known);
    for (u32 i = 0; i < known && !there; i++)
        if (locks[i].class == class) {
            held_push(&held, locks[i]);
            there = true;
        }
    return held_intern(&held, &self->locksets);
}

// A wait for a handler on one of the ways to it.
typedef struct {
    u64 pair;    // site of the wait, handler
    double cost; // the ranking's: short chains, a global lock
    Note note;   // with what is held there
    u32 waiting; // node, with the chain of calls to it
    TakenFor taken;
    u32 order; // in which it was found
} FoundWait;
typedef Array(FoundWait) FoundWaitArray;

static double wait_cost(const Analysis *self, const TakenFor *taken, u32 waiting) {
    bool global = self->classes.items[self->acquisitions.items[taken->acquisition].class].global;
    return 0.25 * (node_depth(self, waiting) + taken->levels) - global;
}

static int compare_found(const void *left, const void *right) {
    const FoundWait *a = left, *b = right;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

// Of the ways to one wait, the most telling.
static void put_best(Analysis *self, FindingList *list, FoundWaitArray *found) {
    if (found->count)
        qsort(found->items, found->count, sizeof(FoundWait), compare_found);
    for (u32 i = 0; i < found->count; i++)
        if (!i || found->items[i].pair != found->items[i - 1].pair)
            put_wait(self, list, &found->items[i].note, found->items[i].waiting, found->items[i].taken,
                     (FunctionId)found->items[i].pair);
}

// itself ----------------------------------------------------------------------------

// The wait with the chain of calls from the handler it waits for; NO_ID: the handler does not come there.
static u32 wait_below(Waits *self, u32 node, FunctionId handler) {
    Analysis *analysis = self->analysis;
    u32 level_end = 1, at = NO_ID, q = 0;
    search_begin(self);
    search_meet(self, node, NO_ID);
    for (u32 level = 0; q < self->queue.count && q < WAITS_REACH && level <= ITSELF_UP; q++) {
        at = self->queue.items[q];
        if (analysis->nodes.items[at].function == handler)
            break;
        for (u32 i = 0; i < self->callers[at].count; i++)
            if (analysis->edge_costs.items[self->callers[at].items[i]] <= ITSELF_COST)
                search_meet(self, analysis->edge_pairs.items[2 * self->callers[at].items[i]],
                            self->callers[at].items[i]);
        if (q + 1 == level_end)
            level++, level_end = self->queue.count;
    }
    note_cut(self, q, self->callers, LIMIT_ITSELF_UP);
    if (at == NO_ID || analysis->nodes.items[at].function != handler || told_to_run(analysis, at) != NO_ID)
        return NO_ID; // where all threads begin is no sign that it is the same
    u32 chain = chain_add(analysis, at, NO_ID, (Place){0});
    for (; self->came[at] != NO_ID; at = analysis->edge_pairs.items[2 * self->came[at] + 1])
        chain = chain_add(analysis, analysis->edge_pairs.items[2 * self->came[at] + 1], chain,
                          analysis->edge_places.items[self->came[at]]);
    return chain;
}

static void put_itself(Analysis *self, FindingList *list, const Note *note, u32 waiting, FunctionId handler) {
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    const char *name = program_text(self->program, self->program->functions.items[handler].name);
    finding->message = findings_text(list, "waits for %s to end, and is called by it: it waits for itself", name);
    finding->object = findings_text(list, "%s", name);
    finding_add_object(list, finding, name);
    Site *wait = finding_put_site(self, list, finding, ROLE_WAIT, waiting, note->site, note->held);
    wait->object = finding->object;
    finding_add_number(list, finding, "threads", 1);
    finding_add_number(list, finding, "depth", self->nodes.items[waiting].depth);
    finding_add_number(list, finding, "wait_depth", self->nodes.items[waiting].depth);
    finding_add_number(list, finding, "between_calls", self->nodes.items[waiting].depth);
    finding_add_number(list, finding, "global_locks", 0);
    finding_add_number(list, finding, "take_depth", 0);
    finding_add_number(list, finding, "itself", 1);
    finding_add_text(list, finding, "cause", "wait");
}

// A handler that waits for its own end does so without any lock. Who waits for a thread that it has started itself
// waits for another one, although both run the same.
static void find_itself(Waits *self, FindingList *list, const Note *note, ClassId name, Map *seen) {
    const Program *program = self->analysis->program;
    FunctionId function = self->analysis->sites.items[note->site].function;
    FileId file = program->functions.items[function].file;
    for (u32 i = first_started(self, name); i < self->started.count && self->started.items[i].name == name; i++) {
        const Registration *started = &program->registrations.items[self->started.items[i].registration];
        u64 pair = (u64)note->site << 32 | started->handler;
        if (!is_near(program, started->file, file) || map_get(seen, pair) ||
            (started->from == function && started->fact->context == CONTEXT_THREAD) ||
            (started->file != file && is_common(self->analysis, name, file)))
            continue;
        u32 waiting = wait_below(self, note->node, started->handler);
        if (waiting == NO_ID || asks_who_runs(self->analysis, function, self->analysis->sites.items[note->site].place))
            continue;
        *map_put(seen, pair, NULL) = 1;
        put_itself(self->analysis, list, note, waiting, started->handler);
    }
}

// all ---------------------------------------------------------------------------

// One that may be waited for: does it need what is held?
static void try_wait(Waits *self, const Note *note, LocksetId held, FunctionId handler, Map *seen,
                     FoundWaitArray *out) {
    u64 pair = (u64)note->site << 32 | handler;
    const u32 *tries = map_get(seen, pair);
    if (tries && *tries >= WAIT_TRIES) {
        limit_reached(LIMIT_WAIT_TRIES);
        return;
    }
    TakenFor taken = handler_takes(self, handler, held);
    if (taken.acquisition == NO_ID)
        return;
    ClassId class = self->analysis->acquisitions.items[taken.acquisition].class;
    if (has_said_done(self->analysis, note, handler, class))
        return;
    u32 waiting = wait_node(self, note->node, note->held, class);
    Note all = *note;
    all.held = shown_held(self->analysis, note->held, held, class);
    ++*map_put(seen, pair, NULL);
    array_push(out, ((FoundWait){pair, wait_cost(self->analysis, &taken, waiting), all, waiting, taken, out->count}));
}

static void find_wait(Waits *self, const Note *note, LocksetId held, ClassId name, Map *seen, FoundWaitArray *out) {
    const Program *program = self->analysis->program;
    FileId file = program->functions.items[self->analysis->sites.items[note->site].function].file;
    for (u32 i = first_started(self, name); i < self->started.count && self->started.items[i].name == name; i++) {
        const Registration *started = &program->registrations.items[self->started.items[i].registration];
        if (is_near(program, started->file, file) &&
            (started->file == file || !is_common(self->analysis, name, file))) // else another driver's of the same type
            try_wait(self, note, held, started->handler, seen, out);
    }
}

// The step that says which threads have ended with this wait; NULL: none that is known.
static const SkeletonStep *ended_at(const Analysis *self, const Note *note) {
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[note->node].function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind == STEP_ENDED && step->place.line == note->place.line &&
            step->place.column == note->place.column)
            return step;
    }
    return NULL;
}

// A thread that a helper was told to start: it is known by what it runs, not by the call deep in the helper.
static void find_launched(Waits *self, const Note *note, LocksetId held, Map *seen, FoundWaitArray *out) {
    const Analysis *analysis = self->analysis;
    const ProgramFunction *functions = analysis->program->functions.items;
    const SkeletonStep *ended = ended_at(analysis, note);
    for (u32 i = 0; ended && i < ended->effect_count; i++)
        for (u32 v = 0; v < analysis->variants.count; v++) {
            const SpawnVariant *variant = &analysis->variants.items[v];
            if (variant->class == analysis->ended.items[ended->effect + i] &&
                is_near(analysis->program, functions[variant->runs].file,
                        functions[analysis->nodes.items[note->node].function].file))
                try_wait(self, note, held, variant->runs, seen, out);
        }
}

// What is waited for by a pointer may have been started in a global, and the other way round; one global is no other.
static u32 add_other_names(Analysis *self, u32 *names, u32 count) {
    u32 all = count;
    for (u32 i = 0; i < count; i++) {
        const u32 *type = map_get(&self->handle_types, names[i]);
        names[all++] = type ? *type : names[i] | OF_GLOBAL;
    }
    return all;
}

void find_waits(Analysis *analysis, FindingList *out) {
    Waits self;
    Map seen = {0}, itself = {0};
    FoundWaitArray found = {0};
    u32 names[2 * NAMES_MOST];
    waits_begin(&self, analysis);
    for (u32 i = 0; i < analysis->notes.count; i++) {
        Note note = analysis->notes.items[i];
        if (note.kind != NOTE_JOIN || !note.class)
            continue;
        u32 count = add_other_names(analysis, names, handle_names(analysis, note.class, names, NAMES_MOST));
        if (!is_started(&self, names, count))
            count = 0;
        if (!count && !ended_at(analysis, &note))
            continue;
        for (u32 n = 0; n < count; n++)
            find_itself(&self, out, &note, names[n], &itself);
        LocksetId held = held_at(&self, note.node, note.held);
        for (u32 n = 0; n < count && held; n++)
            find_wait(&self, &note, held, names[n], &seen, &found);
        if (held)
            find_launched(&self, &note, held, &seen, &found);
    }
    put_best(analysis, out, &found);
    find_awaited(&self, out);
    array_free(&found);
    waits_end(&self);
    map_free(&seen);
    map_free(&itself);
}
