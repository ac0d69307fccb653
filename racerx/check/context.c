// context.c: the ways that lead to a node: from which root, with which locks of callers held that did not go along.
// In: nodes, calls between them with the locks left out at each. Out: Analysis.roots, and for every node its
// ways, nearest roots first.
// The idea: the walk enters a function once for all locks that it does not touch; here they are put back, set by set. A
// way from another root is another way where threads are followed one by one; in a kernel roots of one context are one.
// What calls through a table of operations reach starts at its slot entry, after what roots reach surely. What makes an
// object (mark attach) comes last: what only such ways reach, in the same directory, is part of making it.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    u32 *first;             // by node: its calls in `calls`
    u32 *calls;             // indices of edge_…
    u32 *count;             // by node: ways, and ways from roots that rules speak of
    U32Array queue;         // ways to go on from
    U32Array wide;          // pairs: way, call with many targets: later
    Map seen;               // (node, set, root, rules about where it begins)
    Map once;               // (object, root that calls) -> root
    u32 most;               // ways kept for one node
    LimitId limit;          // which limit that is
    Map begins;             // (root, node): 1, 2: which of its threads; (root, NO_ID): how many there are
    Array(WayContext) late; // ways into what makes an object
    bool is_late;           // these are being followed
} WaySearch;

// roots -------------------------------------------------------------------------

// Contexts that are roots of their own where roots are not told apart.
static u32 category_of(u32 contexts) {
    static const u8 order[] = {CONTEXT_INTERRUPT, CONTEXT_SOFTIRQ, CONTEXT_TIMER, CONTEXT_SIGNAL, CONTEXT_THREAD,
                               CONTEXT_WORK,      CONTEXT_SYSCALL, CONTEXT_ONCE,  CONTEXT_INIT,   CONTEXT_EXIT};
    for (u32 i = 0; i < sizeof order; i++)
        if (contexts & 1u << order[i])
            return order[i];
    return CONTEXT_NONE;
}

static u32 contexts_of(const Analysis *self, FunctionId function) {
    const ProgramFunction *info = &self->program->functions.items[function];
    if ((info->marks & MARK_SINGLE_THREADED) || (self->lone && self->lone[function]))
        return 1u << CONTEXT_INIT;
    return info->contexts & ~(1u << CONTEXT_NONE);
}

u32 root_category(const Analysis *self, FunctionId function) { return category_of(contexts_of(self, function)); }

static u32 root_of_category(Analysis *self, u32 category) {
    self->roots.items[category].contexts |= category == CONTEXT_NONE ? CONTEXT_OTHER : 1u << category;
    return category;
}

static u32 root_of_function(Analysis *self, FunctionId function) {
    const ProgramFunction *info = &self->program->functions.items[function];
    u32 contexts = contexts_of(self, function);
    if (!self->follows_threads)
        return root_of_category(self, category_of(contexts));
    if (!contexts && !(info->marks & (MARK_MULTITHREADED | MARK_THREAD_ONCE))) {
        self->roots.items[CONTEXT_NONE].contexts = CONTEXT_OTHER; // what nobody calls is one root: who knows who does
        return CONTEXT_NONE;
    }
    if (!self->root_of.items[function]) {
        bool once = (info->marks & MARK_THREAD_ONCE) && !(info->marks & MARK_MULTITHREADED);
        array_push(&self->roots, ((Root){.function = function,
                                         .begins = function,
                                         .contexts = contexts ? contexts : CONTEXT_OTHER,
                                         .once = once,
                                         .spawner = NO_ID}));
        self->root_of.items[function] = self->roots.count;
    }
    return self->root_of.items[function] - 1;
}

// A thread that was told what to run is a root by that.
static u32 root_of_told(Analysis *self, FunctionId begins, FunctionId runs) {
    bool fresh;
    u32 *known = map_put(&self->runs, (u64)begins << 32 | runs, &fresh);
    if (fresh) {
        *known = self->roots.count;
        array_push(&self->roots,
                   ((Root){.function = runs, .begins = begins, .contexts = 1u << CONTEXT_THREAD, .spawner = NO_ID}));
    }
    return *known;
}

FunctionId told_to_run(const Analysis *self, u32 node) {
    const Node *one = &self->nodes.items[node];
    const u32 *run = self->bindings.items + one->binding;
    for (u32 i = 0; one->binding && i < run[0]; i++)
        if (run[1 + 2 * i] >> 8 == BIND_RUNS)
            return run[2 + 2 * i] - 1;
    return NO_ID;
}

u32 root_of_node(Analysis *self, u32 node) {
    FunctionId runs = told_to_run(self, node), function = self->nodes.items[node].function;
    return runs == NO_ID ? root_of_function(self, function) : root_of_told(self, function, runs);
}

static void begin_roots(Analysis *self) {
    array_reserve(&self->root_of, self->program->functions.count + 1);
    memset(self->root_of.items, 0, sizeof(u32) * (self->program->functions.count + 1));
    for (u32 i = 0; i < 16; i++)
        array_push(
            &self->roots,
            ((Root){.function = NO_ID, .contexts = i == CONTEXT_ONCE ? 1u << CONTEXT_ONCE : 0, .spawner = NO_ID}));
}

static void fill_ruled(Analysis *self) {
    const Program *program = self->program;
    if (!program->never_parallel_lists.count)
        return;
    self->ruled = must_zero(program->functions.count + 1u);
    self->ruled_roots = must_zero(sizeof(u32) * (program->functions.count + 1u));
    for (u32 i = 0; i < program->never_parallel_lists.count; i++) {
        const NeverParallelMember *member = &program->never_parallel_lists.items[i];
        u32 *roots = &self->ruled_roots[member->function];
        bool of_roots = program->never_parallel.items[member->rule].roots;
        if (!of_roots)
            self->ruled[member->function] = 1;
        else if (member->lists & 1) // what all others may be told from
            *roots = (u32)hash_mix(*roots, member->rule) | 1;
    }
}

// ways --------------------------------------------------------------------------

// Which of the threads of one root is it that begins here, told apart by what it was given? Of many, two are enough.
static u32 told_apart(WaySearch *self, WayContext way) {
    const Analysis *analysis = self->analysis;
    if (!analysis->follows_threads)
        return 0;
    while (way.from)
        way = analysis->way_contexts.items[way.from - 1];
    bool fresh;
    u64 key = (u64)way.root << 32, begins = key | way.node;
    map_put(&self->begins, begins, &fresh);
    if (fresh) {
        u32 *count = map_put(&self->begins, key | NO_ID, NULL);
        u32 which = *count += *count < 2;
        *map_get(&self->begins, begins) = which;
    }
    return *map_get(&self->begins, begins);
}

static bool are_beside(const Analysis *self, FunctionId a, FunctionId b) {
    const char *x = function_path(self->program, a), *y = function_path(self->program, b);
    const char *end = strrchr(x, '/');
    size_t length = end ? (size_t)(end - x) + 1 : 0;
    return !strncmp(x, y, length) && !strchr(y + length, '/');
}

// Does the way go on making an object, or begin to?
static bool attaches(const Analysis *self, const WayContext *way) {
    FunctionId function = self->nodes.items[way->node].function;
    if (self->program->functions.items[function].marks & MARK_ATTACH)
        return true;
    const WayContext *from = way->from ? &self->way_contexts.items[way->from - 1] : NULL;
    return from && from->attaches && are_beside(self, self->nodes.items[from->node].function, function);
}

// The rules whose first list has the root that the way comes from, as a number.
static u32 begins_by(const Analysis *self, const WayContext *way) {
    if (way->from)
        return self->way_contexts.items[way->from - 1].begins_by;
    return self->ruled_roots ? self->ruled_roots[self->nodes.items[way->node].function] : 0;
}

// What a start-up function calls runs at start-up, whoever called that: nobody does later. What makes an object may be
// called at any time.
static bool starts_up(const Analysis *self, FunctionId function) {
    u32 marks = self->program->functions.items[function].marks;
    return !self->follows_threads && (marks & MARK_INIT) && !(marks & MARK_ATTACH);
}

static void add_way(WaySearch *self, WayContext way) {
    Analysis *analysis = self->analysis;
    bool fresh;
    if (starts_up(analysis, analysis->nodes.items[way.node].function))
        way.root = root_of_category(analysis, CONTEXT_INIT);
    way.attaches = attaches(analysis, &way);
    if (way.attaches && !self->is_late) {
        array_push(&self->late, way);
        return;
    }
    way.begins_by = begins_by(analysis, &way);
    u32 *count = &self->count[2 * way.node + (way.begins_by != 0)];
    if (*count >= self->most) {
        limit_reached(self->limit);
        return;
    }
    map_put(
        &self->seen,
        hash_mix(hash_mix((u64)way.node << 32 | way.set, way.begins_by), (u64)told_apart(self, way) << 32 | way.root),
        &fresh);
    if (!fresh)
        return;
    ++*count;
    way.next = analysis->context_first.items[way.node];
    FunctionId function = analysis->nodes.items[way.node].function;
    bool marked = (analysis->ruled && analysis->ruled[function]) ||
                  bitset_has(&analysis->program->rival_files, analysis->program->functions.items[function].file);
    way.marked = marked     ? analysis->way_contexts.count + 1
                 : way.from ? analysis->way_contexts.items[way.from - 1].marked
                            : 0;
    array_push(&analysis->way_contexts, way);
    analysis->context_first.items[way.node] = analysis->way_contexts.count;
    array_push(&self->queue, analysis->way_contexts.count - 1);
}

// The caller's way in the callee's words, with what did not go along at this call.
LocksetId way_into(Analysis *self, u32 edge, LocksetId set) {
    const SkeletonStep *step = self->edge_steps.items[edge];
    if (!set)
        return self->edge_ambient.items[edge];
    HeldSet held;
    held_load(&held, &self->locksets, set);
    const Skeleton *caller = &self->skeletons[self->nodes.items[self->edge_pairs.items[2 * edge]].function];
    FunctionId callee = self->nodes.items[self->edge_pairs.items[2 * edge + 1]].function;
    u32 count = held.count, more;
    for (u32 i = 0; i < count; i++)
        held.items[i].path = path_into_callee(self, caller, step, callee, held.items[i].path);
    const Held *ambient = lockset_held(&self->locksets, self->edge_ambient.items[edge], &more);
    for (u32 i = 0; i < more; i++) {
        bool there = false;
        for (u32 k = 0; k < count; k++)
            there |= held.items[k].class == ambient[i].class &&
                     (held.items[k].path == ambient[i].path || ambient[i].class < CLASS_FIRST);
        if (!there)
            held_push(&held, ambient[i]);
    }
    return held_intern(&held, &self->locksets);
}

// Does the call run its callee once, with everybody else waiting? NULL: no.
static const CallFact *runs_once(const Analysis *self, const SkeletonStep *step) {
    const CallSite *site = step ? &self->program->calls.items[step->call] : NULL;
    if (!site || !site->handed || !site->name)
        return NULL;
    const char *name = program_text(self->program, site->name);
    const CallFact *facts;
    u32 count = declarations_facts(self->declarations, name, (u32)strlen(name), SAID_REGISTERS, &facts);
    for (u32 i = 0; i < count; i++)
        if (facts[i].context == CONTEXT_ONCE)
            return &facts[i];
    return NULL;
}

// What is called once by one object is alone with all that is called by the same, in this program of threads.
static u32 once_root(WaySearch *self, u32 caller, const SkeletonStep *step, const CallFact *fact, u32 under) {
    Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[analysis->nodes.items[caller].function];
    bool given = fact->object > 0 && (u32)fact->object <= step->arg_count;
    PathId path = given ? skeleton->args[step->arg + (u32)fact->object - 1].path : 0;
    if (!path || !analysis->follows_threads || analysis->paths.paths.items[path].root != ROOT_GLOBAL ||
        analysis->roots.items[under].function == NO_ID)
        return CONTEXT_ONCE;
    bool fresh;
    u32 *known = map_put(&self->once, (u64)path << 32 | under, &fresh);
    if (fresh) {
        array_push(&analysis->roots, ((Root){.function = analysis->roots.items[under].function,
                                             .contexts = 1u << CONTEXT_ONCE,
                                             .spawner = NO_ID,
                                             .once_object = path,
                                             .under = under}));
        *known = analysis->roots.count - 1;
    }
    return *known;
}

static void fill_calls(WaySearch *self) {
    const Analysis *analysis = self->analysis;
    u32 nodes = analysis->nodes.count, edges = analysis->edge_steps.count;
    self->first = must_zero(sizeof(u32) * (nodes + 2u));
    self->calls = must_alloc(sizeof(u32) * (edges + 1u));
    for (u32 e = 0; e < edges; e++)
        self->first[analysis->edge_pairs.items[2 * e] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (u32 e = 0; e < edges; e++)
        self->calls[self->first[analysis->edge_pairs.items[2 * e] + 1]++] = e;
}

#define WIDE_COST 3 // of a call with more targets than two, or a guessed one

static void follow_call(WaySearch *self, u32 from, u32 edge, bool wide) {
    Analysis *analysis = self->analysis;
    WayContext way = analysis->way_contexts.items[from];
    u32 callee = analysis->edge_pairs.items[2 * edge + 1];
    if (self->count[2 * callee + (way.begins_by != 0)] >= self->most) {
        limit_reached(self->limit);
        return;
    }
    const CallFact *once = runs_once(analysis, analysis->edge_steps.items[edge]);
    u32 root = once ? once_root(self, way.node, analysis->edge_steps.items[edge], once, way.root) : way.root;
    u16 depth = way.depth < 60000 ? (u16)(way.depth + 1) : way.depth;
    u32 targets = wide && analysis->edge_steps.items[edge]
                      ? analysis->program->calls.items[analysis->edge_steps.items[edge]->call].target_count
                      : 0;
    bool dispatches =
        !way.depth && analysis->follows_threads && (analysis->roots.items[way.root].contexts & 1u << CONTEXT_THREAD);
    if (dispatches) // the thread's own function runs whatever it is given: all of that does run in threads
        targets = 1;
    u16 widest = wide ? (u16)(targets > 1000 ? 1000 : targets > 1 ? targets : 1) : 0;
    add_way(self, (WayContext){.set = way_into(analysis, edge, way.set),
                               .root = root,
                               .node = callee,
                               .from = from + 1,
                               .start = way_start(analysis, from),
                               .call = analysis->edge_places.items[edge],
                               .depth = depth,
                               .wide = way.wide > widest ? way.wide : widest});
}

// From the queue on, nearest first; calls with many targets wait.
static void go_on(WaySearch *self, u32 at) {
    Analysis *analysis = self->analysis;
    for (; at < self->queue.count; at++) {
        u32 from = self->queue.items[at], node = analysis->way_contexts.items[from].node;
        for (u32 i = self->first[node]; i < self->first[node + 1]; i++) {
            u32 edge = self->calls[i];
            if (analysis->edge_costs.items[edge] < WIDE_COST) {
                follow_call(self, from, edge, false);
            } else {
                array_push(&self->wide, from);
                array_push(&self->wide, edge);
            }
        }
    }
}

// What calls through a slot come from: handlers, or start-up and shutdown, if nothing else; else anybody.
static u32 root_of_slot(Analysis *self, const SlotEntry *slot) {
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    const u32 alone = 1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE;
    bool only = !(slot->contexts & ~handlers) || !(slot->contexts & ~alone);
    return root_of_category(self, only ? category_of(slot->contexts) : CONTEXT_NONE);
}

// requires: ways from roots by sure calls. fills: ways from slot entries.
static void enter_slots(WaySearch *self) {
    Analysis *analysis = self->analysis;
    u32 first = self->queue.count;
    for (u32 i = 0; i < analysis->slots.count; i++) {
        const SlotEntry *slot = &analysis->slots.items[i];
        if (slot->node != NO_ID && slot->set != NO_ID)
            add_way(self, (WayContext){.set = slot->set,
                                       .root = root_of_slot(analysis, slot),
                                       .node = slot->node,
                                       .start = slot->edge + 1});
    }
    go_on(self, first);
}

// Does a slot entry stand for this call?
static bool is_entered(const Analysis *self, u32 edge) {
    FunctionId callee = self->nodes.items[self->edge_pairs.items[2 * edge + 1]].function;
    u32 slot = self->slots.count ? self->slot_of.items[callee] : 0;
    return slot && self->slots.items[slot - 1].node != NO_ID && self->slots.items[slot - 1].set != NO_ID &&
           is_slot_call(self, edge);
}

// Calls with many targets, from the nth on: what sure calls reach is known by now.
static u32 follow_wide(WaySearch *self, u32 at) {
    for (; at < self->wide.count; at += 2) {
        u32 first = self->queue.count;
        if (is_entered(self->analysis, self->wide.items[at + 1]))
            continue;
        follow_call(self, self->wide.items[at], self->wide.items[at + 1], true);
        go_on(self, first);
    }
    return at;
}

void fill_ways(Analysis *analysis) {
    WaySearch self = {.analysis = analysis};
    u32 nodes = analysis->nodes.count;
    u32 afforded = WAYS_BUDGET / (nodes + 1);
    afforded = afforded > WAYS_FOLLOWED ? WAYS_FOLLOWED : afforded < WAYS_FEWEST ? WAYS_FEWEST : afforded;
    self.most = analysis->follows_threads ? afforded : WAYS_OTHERWISE;
    analysis->ways_most = self.most;
    self.limit = !analysis->follows_threads  ? LIMIT_WAYS_OTHERWISE
                 : afforded == WAYS_FOLLOWED ? LIMIT_WAYS_FOLLOWED
                 : afforded == WAYS_FEWEST   ? LIMIT_WAYS_FEWEST
                                             : LIMIT_WAYS_BUDGET;
    self.count = must_zero(sizeof(u32) * 2 * (nodes + 1u));
    array_reserve(&analysis->context_first, nodes + 1);
    analysis->way_nodes = nodes;
    memset(analysis->context_first.items, 0, sizeof(u32) * (nodes + 1u));
    analysis->context_first.count = nodes + 1;
    begin_roots(analysis);
    fill_ruled(analysis);
    fill_calls(&self);
    for (u32 n = 0; n < nodes; n++)
        if (analysis->nodes.items[n].is_root)
            add_way(
                &self,
                (WayContext){.root = root_of_node(analysis, n), .node = n, .wide = analysis->nodes.items[n].is_astray});
    go_on(&self, 0);
    enter_slots(&self);
    u32 wide = follow_wide(&self, 0);
    self.is_late = true;
    for (u32 i = 0; i < self.late.count; i++) {
        u32 first = self.queue.count;
        add_way(&self, self.late.items[i]);
        go_on(&self, first);
    }
    follow_wide(&self, wide);
    fill_started(analysis);
    free(self.first);
    free(self.calls);
    free(self.count);
    array_free(&self.queue);
    array_free(&self.wide);
    array_free(&self.late);
    map_free(&self.seen);
    map_free(&self.begins);
    map_free(&self.once);
}
