// context.c: the ways that lead to a node: from which root, with which locks of callers held that did not go along.
// In: nodes, calls between them with the locks left out at each. Out: Analysis.roots, and for every node its
// ways, nearest roots first.
// The idea: the walk enters a function once for all locks that it does not touch; here they are put back, set by set. A
// way from another root is another way where threads are followed one by one; in a kernel roots of one context are one.
#include "racerx/analysis.h"

#define WAYS_FOLLOWED 48 // ways kept for a node where threads are followed, in a small program,
#define WAYS_FEWEST 6    // in a large one
#define WAYS_BUDGET 600000 // nodes times ways, in between
#define WAYS_OTHERWISE 4

typedef struct {
    Analysis *analysis;
    u32 *first;     // by node: its calls in `calls`
    u32 *calls;     // indices of edge_…
    u32 *count;     // by node: ways
    U32Array queue; // ways to go on from
    U32Array wide;  // pairs: way, call with many targets: later
    Map seen;       // (node, set, root)
    u32 most;
} Ways;

// roots -------------------------------------------------------------------------

// Contexts that are roots of their own where roots are not told apart.
static u32 category_of(u32 contexts) {
    static const u8 order[] = {CONTEXT_INTERRUPT, CONTEXT_SOFTIRQ, CONTEXT_TIMER, CONTEXT_SIGNAL, CONTEXT_THREAD, CONTEXT_WORK,
                               CONTEXT_SYSCALL, CONTEXT_ONCE, CONTEXT_INIT, CONTEXT_EXIT};
    for (u32 i = 0; i < sizeof order; i++)
        if (contexts & 1u << order[i])
            return order[i];
    return CONTEXT_NONE;
}

static u32 root_of_function(Analysis *self, FunctionId function) {
    const ProgramFunction *info = &self->program->functions.items[function];
    u32 contexts = info->contexts & ~(1u << CONTEXT_NONE);
    if ((info->marks & MARK_SINGLE_THREADED) || (self->lone && self->lone[function]))
        contexts = 1u << CONTEXT_INIT;
    if (!self->follows_threads) {
        u32 category = category_of(contexts);
        Root *root = &self->roots.items[category];
        root->contexts |= category == CONTEXT_NONE ? CONTEXT_OTHER : 1u << category;
        return category;
    }
    if (!contexts && !(info->marks & (MARK_MULTITHREADED | MARK_THREAD_ONCE))) {
        self->roots.items[CONTEXT_NONE].contexts = CONTEXT_OTHER; // what nobody calls is one root: who knows who does
        return CONTEXT_NONE;
    }
    if (!self->root_of.items[function]) {
        bool once = (info->marks & MARK_THREAD_ONCE) && !(info->marks & MARK_MULTITHREADED);
        array_push(&self->roots, ((Root){function, contexts ? contexts : CONTEXT_OTHER, once, 0, false, NO_ID, 0, 0, 0, 0}));
        self->root_of.items[function] = self->roots.count;
    }
    return self->root_of.items[function] - 1;
}

static void begin_roots(Analysis *self) {
    array_reserve(&self->root_of, self->program->functions.count + 1);
    memset(self->root_of.items, 0, sizeof(u32) * (self->program->functions.count + 1));
    for (u32 i = 0; i < 16; i++)
        array_push(&self->roots, ((Root){NO_ID, i == CONTEXT_ONCE ? 1u << CONTEXT_ONCE : 0, false, 0, false, NO_ID, 0, 0, 0, 0}));
}

static void fill_ruled(Analysis *self) {
    const Program *program = self->program;
    if (!program->never_parallel_lists.count)
        return;
    self->ruled = must_zero(program->functions.count + 1u);
    for (u32 i = 0; i < program->never_parallel_lists.count; i++)
        self->ruled[program->never_parallel_lists.items[i].function] = 1;
}

// Who starts which thread, and by what it is known in locksets.
static void fill_spawned_roots(Analysis *self) {
    for (u32 i = 0; 3 * i < self->spawn_roots.count; i++) {
        const Spawn *spawn = &self->spawns.items[self->spawn_roots.items[3 * i]];
        FunctionId handler = self->nodes.items[self->spawn_roots.items[3 * i + 1]].function;
        u32 id = root_of_function(self, handler);
        Root *root = &self->roots.items[id];
        root->thread = !root->spawned || root->thread == spawn->class ? spawn->class : 0;
        for (u32 w = self->context_first.items[self->spawn_roots.items[3 * i + 2]]; w; w = self->way_contexts.items[w - 1].next) {
            u32 by = self->way_contexts.items[w - 1].root;
            root->spawner = !root->spawned || root->spawner == by ? by : NO_ID;
            root->spawned = true;
        }
        root->spawned = true;
    }
}

// (root, root that starts it), as often as it does.
typedef Array(u64) PairArray;

static void gather_spawners(Analysis *self, PairArray *pairs) {
    for (u32 i = 0; 3 * i < self->spawn_roots.count; i++) {
        u32 id = root_of_function(self, self->nodes.items[self->spawn_roots.items[3 * i + 1]].function);
        for (u32 w = self->context_first.items[self->spawn_roots.items[3 * i + 2]]; w; w = self->way_contexts.items[w - 1].next)
            array_push(pairs, (u64)id << 32 | self->way_contexts.items[w - 1].root);
    }
}

static int compare_pairs(const void *a, const void *b) {
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

// requires: roots, ways. fills: spawners.
static void fill_spawners(Analysis *self) {
    PairArray pairs = {0};
    gather_spawners(self, &pairs);
    if (pairs.count)
        qsort(pairs.items, pairs.count, sizeof(u64), compare_pairs);
    for (u32 i = 0; i < pairs.count; i++) {
        Root *root = &self->roots.items[pairs.items[i] >> 32];
        if (i && pairs.items[i] == pairs.items[i - 1])
            continue;
        if (!root->spawner_count++)
            root->spawners = self->spawners.count;
        array_push(&self->spawners, (u32)pairs.items[i]);
    }
    array_free(&pairs);
}

static int compare_numbers(const void *a, const void *b) {
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return x < y ? -1 : x > y;
}

// requires: spawners. fills: above.
static void fill_above(Analysis *self) {
    u32 *seen = must_zero(sizeof(u32) * (self->roots.count + 1u));
    for (u32 r = 0; r < self->roots.count; r++) {
        Root *root = &self->roots.items[r];
        root->above = self->above.count;
        for (u32 at = r, next = root->above; root->spawner_count;) {
            const Root *one = &self->roots.items[at];
            for (u32 i = 0; i < one->spawner_count; i++) {
                u32 by = self->spawners.items[one->spawners + i];
                if (seen[by] != r + 1)
                    array_push(&self->above, by);
                seen[by] = r + 1;
            }
            if (next >= self->above.count)
                break;
            at = self->above.items[next++];
        }
        root->above_count = self->above.count - root->above;
        if (root->above_count)
            qsort(self->above.items + root->above, root->above_count, sizeof(u32), compare_numbers);
    }
    free(seen);
}

// ways --------------------------------------------------------------------------

static void add_way(Ways *self, WayContext way) {
    Analysis *analysis = self->analysis;
    bool fresh;
    if (self->count[way.node] >= self->most) {
        analysis->stats.ways_cut++;
        return;
    }
    map_put(&self->seen, hash_mix((u64)way.node << 32 | way.set, way.root), &fresh);
    if (!fresh)
        return;
    self->count[way.node]++;
    way.next = analysis->context_first.items[way.node];
    array_push(&analysis->way_contexts, way);
    analysis->context_first.items[way.node] = analysis->way_contexts.count;
    array_push(&self->queue, analysis->way_contexts.count - 1);
}

// The caller's way in the callee's words, with what did not go along at this call.
static LocksetId way_into(Analysis *self, u32 edge, LocksetId set) {
    const SkeletonStep *step = self->edge_steps.items[edge];
    if (!set)
        return self->edge_ambient.items[edge];
    Held held[2 * LOCKSET_MOST + 4];
    u32 count, more, kept = 0;
    const Held *from = lockset_held(&self->locksets, set, &count);
    memcpy(held, from, sizeof(Held) * count);
    const Skeleton *caller = &self->skeletons[self->nodes.items[self->edge_pairs.items[2 * edge]].function];
    for (u32 i = 0; i < count; i++) {
        held[i].path = path_into_callee(self, caller, step, held[i].path);
        kept++;
    }
    const Held *ambient = lockset_held(&self->locksets, self->edge_ambient.items[edge], &more);
    for (u32 i = 0; i < more && kept < LOCKSET_MOST; i++) {
        bool there = false;
        for (u32 k = 0; k < count; k++)
            there |= held[k].class == ambient[i].class && (held[k].path == ambient[i].path || ambient[i].class < CLASS_FIRST);
        if (!there)
            held[kept++] = ambient[i];
    }
    return lockset_intern(&self->locksets, held, kept);
}

// Does the call run its callee once, with everybody else waiting?
static bool runs_once(const Analysis *self, const SkeletonStep *step) {
    const CallSite *site = step ? &self->program->calls.items[step->call] : NULL;
    if (!site || !site->handed || !site->name)
        return false;
    const char *name = program_text(self->program, site->name);
    const CallFact *facts;
    u32 count = declarations_facts(self->declarations, name, (u32)strlen(name), SAID_REGISTERS, &facts);
    for (u32 i = 0; i < count; i++)
        if (facts[i].context == CONTEXT_ONCE)
            return true;
    return false;
}

static void fill_calls(Ways *self) {
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

static void follow_call(Ways *self, u32 from, u32 edge, bool wide) {
    Analysis *analysis = self->analysis;
    WayContext way = analysis->way_contexts.items[from];
    u32 callee = analysis->edge_pairs.items[2 * edge + 1];
    if (self->count[callee] >= self->most) {
        analysis->stats.ways_cut++;
        return;
    }
    u32 root = runs_once(analysis, analysis->edge_steps.items[edge]) ? CONTEXT_ONCE : way.root;
    u16 depth = way.depth < 60000 ? (u16)(way.depth + 1) : way.depth;
    u32 targets = wide && analysis->edge_steps.items[edge] ? analysis->program->calls.items[analysis->edge_steps.items[edge]->call].target_count : 0;
    bool dispatches = !way.depth && analysis->follows_threads && (analysis->roots.items[way.root].contexts & 1u << CONTEXT_THREAD);
    if (dispatches) // the thread's own function runs whatever it is given: all of that does run in threads
        targets = 1;
    u16 widest = wide ? (u16)(targets > 1000 ? 1000 : targets > 1 ? targets : 1) : 0;
    add_way(self, (WayContext){.set = way_into(analysis, edge, way.set), .root = root, .node = callee, .from = from + 1,
                               .call = analysis->edge_places.items[edge], .depth = depth, .wide = way.wide > widest ? way.wide : widest});
}

// From the queue on, nearest first; calls with many targets wait.
static void go_on(Ways *self, u32 at) {
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

void fill_ways(Analysis *analysis) {
    Ways self = {.analysis = analysis};
    u32 nodes = analysis->nodes.count;
    u32 afforded = WAYS_BUDGET / (nodes + 1);
    afforded = afforded > WAYS_FOLLOWED ? WAYS_FOLLOWED : afforded < WAYS_FEWEST ? WAYS_FEWEST : afforded;
    self.most = analysis->follows_threads ? afforded : WAYS_OTHERWISE;
    self.count = must_zero(sizeof(u32) * (nodes + 1u));
    array_reserve(&analysis->context_first, nodes + 1);
    memset(analysis->context_first.items, 0, sizeof(u32) * (nodes + 1u));
    begin_roots(analysis);
    fill_ruled(analysis);
    fill_calls(&self);
    for (u32 n = 0; n < nodes; n++)
        if (analysis->nodes.items[n].is_root)
            add_way(&self, (WayContext){.root = root_of_function(analysis, analysis->nodes.items[n].function), .node = n});
    go_on(&self, 0);
    for (u32 i = 0; i < self.wide.count; i += 2) { // what sure calls reach is known by now
        u32 first = self.queue.count;
        follow_call(&self, self.wide.items[i], self.wide.items[i + 1], true);
        go_on(&self, first);
    }
    fill_spawned_roots(analysis);
    fill_spawners(analysis);
    fill_above(analysis);
    free(self.first);
    free(self.calls);
    free(self.count);
    array_free(&self.queue);
    array_free(&self.wide);
    map_free(&self.seen);
}
