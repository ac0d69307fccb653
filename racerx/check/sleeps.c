// sleeps.c: who must not sleep and does, below a call.
// In: the calls made under a lock that forbids sleeping (ambient.c gathered them), the places that sleep. Out: notes,
// one for each acquisition and each call in the function that made it, with the nearest place below that sleeps. Idea:
// how far it is to the nearest sleep is a property of a node, found once for all by a search backwards from the places
// that sleep; who holds something only looks it up. The CPU's state (interrupts, bottom halves, preemption, RCU) is
// believed below sure calls only. Where another spinning lock is taken on the way, that one is to blame.
#include "racerx/facts/analysis.h"

#define SURE_COST_MOST 2 // of a call that the CPU's state goes along with: two targets, not guessed
#define SLEEPS_NEVER 255

// Which calls are followed, and what must hold where it sleeps.
typedef enum { BELOW_LOCKS, BELOW_STATE, BELOW_INTERRUPTS, BELOW_KINDS } Below;

typedef struct {
    Analysis *analysis;
    u32 node_count, edge_count; // before notes add copies
    u32 *first, *callers;       // by node: the calls that lead to it, as indices of edge_…
    u8 *cost[BELOW_KINDS];      // by node: to the nearest sleep, at or below it; SLEEPS_NEVER
    u32 *next[BELOW_KINDS];     // by node: the call that leads there; NO_ID: it sleeps itself
    u32 *taken[BELOW_KINDS];    // by node that sleeps itself: Analysis.acquisitions
    U32Array queues[SLEEP_COST_MOST + 1];
} Sleeps;

// what forbids sleeping -----------------------------------------------------------

enum { FORBIDS_NOT, FORBIDS_STATE, FORBIDS_READING, FORBIDS_LOCK }; // the CPU's state, RCU, a spinning lock

static u32 forbids(const Analysis *self, const Held *held) {
    if (held->class == CLASS_SIGNALS || held->class == CLASS_CHILD)
        return FORBIDS_NOT;
    if (held->class < CLASS_FIRST)
        return held->class && !(held->flags & (HELD_YIELDS | HELD_VAGUE)) ? FORBIDS_STATE : FORBIDS_NOT;
    if (lock_has(self->classes.items[held->class].kind, TRAIT_PINS))
        return held->flags & HELD_VAGUE ? FORBIDS_NOT : FORBIDS_READING;
    return held->flags & HELD_SPINS ? FORBIDS_LOCK : FORBIDS_NOT;
}

static bool is_inner(const Analysis *self, u32 node, const Held *a, const Held *b) {
    u32 x = forbids(self, a), y = forbids(self, b);
    if (x != y)
        return x > y;
    if ((a->site == NO_ID) != (b->site == NO_ID)) // held since before this function
        return b->site == NO_ID;
    u32 left = lock_site(self, node, a), right = lock_site(self, node, b);
    if (left == NO_ID || right == NO_ID || left == right)
        return false;
    Place p = self->sites.items[left].place, q = self->sites.items[right].place;
    return p.line != q.line ? p.line > q.line : p.column > q.column;
}

bool innermost_atomic(const Analysis *self, u32 node, LocksetId set, Held *out) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    bool found = false;
    for (u32 i = 0; i < count; i++)
        if (forbids(self, &held[i]) && (!found || is_inner(self, node, &held[i], out))) {
            *out = held[i];
            found = true;
        }
    return found;
}

static bool has_spinning(const Analysis *self, LocksetId set) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class >= CLASS_FIRST &&
            ((held[i].flags & HELD_SPINS) || lock_has(self->classes.items[held[i].class].kind, TRAIT_SPINS)))
            return true;
    return false;
}

static bool has_interrupts_off(const Analysis *self, LocksetId set) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == CLASS_INTERRUPTS && held[i].site == NO_ID && forbids(self, &held[i]))
            return true;
    return false;
}

// the nearest sleep -----------------------------------------------------------------

static bool sleeps_here(const Analysis *self, const Acquisition *taken, Below below) {
    if (!taken->sleeps || (taken->flags & HELD_TRY) || has_spinning(self, taken->held))
        return false;
    return below != BELOW_INTERRUPTS || has_interrupts_off(self, taken->held);
}

static bool is_open(const Sleeps *self, u32 edge, Below below) {
    const Analysis *analysis = self->analysis;
    const Node *callee = &analysis->nodes.items[analysis->edge_pairs.items[2 * edge + 1]];
    const SkeletonStep *step = analysis->edge_steps.items[edge];
    if ((step && step->kind == STEP_CALL && step->mask == CALL_DECLARED) || has_spinning(analysis, callee->entry) ||
        has_spinning(analysis, analysis->edge_ambient.items[edge]))
        return false;
    if (below != BELOW_LOCKS && analysis->edge_costs.items[edge] > SURE_COST_MOST)
        return false;
    return below != BELOW_INTERRUPTS || has_interrupts_off(analysis, callee->entry);
}

static void begin_nearest(Sleeps *self, Below below) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; i < analysis->acquisitions.count; i++) {
        const Acquisition *taken = &analysis->acquisitions.items[i];
        if (taken->node >= self->node_count || !sleeps_here(analysis, taken, below))
            continue;
        u32 *known = &self->taken[below][taken->node];
        if (*known != NO_ID && analysis->sites.items[analysis->acquisitions.items[*known].site].place.line <=
                                   analysis->sites.items[taken->site].place.line)
            continue;
        if (*known == NO_ID)
            array_push(&self->queues[0], taken->node);
        *known = i;
        self->cost[below][taken->node] = 0;
    }
}

static void look_back(Sleeps *self, u32 node, u32 cost, Below below) {
    const Analysis *analysis = self->analysis;
    for (u32 i = self->first[node]; i < self->first[node + 1]; i++) {
        u32 edge = self->callers[i], caller = analysis->edge_pairs.items[2 * edge];
        u32 total = cost + analysis->edge_costs.items[edge];
        if (self->cost[below][caller] <= total || !is_open(self, edge, below) ||
            limit_cuts(LIMIT_SLEEP_COST_MOST, total > SLEEP_COST_MOST))
            continue;
        self->cost[below][caller] = (u8)total;
        self->next[below][caller] = edge;
        array_push(&self->queues[total], caller);
    }
}

static void fill_nearest(Sleeps *self, Below below) {
    self->cost[below] = must_alloc(self->node_count + 1);
    self->next[below] = must_alloc(sizeof(u32) * (self->node_count + 1));
    self->taken[below] = must_alloc(sizeof(u32) * (self->node_count + 1));
    memset(self->cost[below], SLEEPS_NEVER, self->node_count + 1);
    memset(self->next[below], 0xff, sizeof(u32) * (self->node_count + 1));
    memset(self->taken[below], 0xff, sizeof(u32) * (self->node_count + 1));
    for (u32 cost = 0; cost <= SLEEP_COST_MOST; cost++)
        self->queues[cost].count = 0;
    begin_nearest(self, below);
    for (u32 cost = 0; cost <= SLEEP_COST_MOST; cost++)
        for (u32 q = 0; q < self->queues[cost].count; q++)
            if (self->cost[below][self->queues[cost].items[q]] == cost)
                look_back(self, self->queues[cost].items[q], cost, below);
}

static void sleeps_begin(Sleeps *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count, edges = analysis->edge_steps.count;
    *self = (Sleeps){.analysis = analysis, .node_count = nodes, .edge_count = edges};
    self->first = must_zero(sizeof(u32) * (nodes + 2u));
    self->callers = must_alloc(sizeof(u32) * (edges + 1u));
    for (u32 e = 0; e < edges; e++)
        self->first[analysis->edge_pairs.items[2 * e + 1] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (u32 e = 0; e < edges; e++)
        self->callers[self->first[analysis->edge_pairs.items[2 * e + 1] + 1]++] = e;
    for (u32 below = 0; below < BELOW_KINDS; below++)
        fill_nearest(self, below);
}

static void sleeps_end(Sleeps *self) {
    for (u32 below = 0; below < BELOW_KINDS; below++) {
        free(self->cost[below]);
        free(self->next[below]);
        free(self->taken[below]);
    }
    for (u32 cost = 0; cost <= SLEEP_COST_MOST; cost++)
        array_free(&self->queues[cost]);
    free(self->first);
    free(self->callers);
}

// notes -----------------------------------------------------------------------------

static Below below_of(const Analysis *self, const Ambient *source) {
    if (source->class == CLASS_INTERRUPTS)
        return BELOW_INTERRUPTS;
    return source->class < CLASS_FIRST || lock_has(self->classes.items[source->class].kind, TRAIT_PINS) ? BELOW_STATE
                                                                                                        : BELOW_LOCKS;
}

// What it costs from the call to the sleep; 0: there is none, or another lock is to blame.
static u32 sleep_cost(const Sleeps *self, const Ambient *source) {
    const Analysis *analysis = self->analysis;
    Held held = {.class = source->class, .flags = source->flags}, inner;
    Below below = below_of(analysis, source);
    if (!forbids(analysis, &held) || source->callee >= self->node_count ||
        self->cost[below][source->callee] == SLEEPS_NEVER || (below != BELOW_LOCKS && source->cost > SURE_COST_MOST) ||
        has_spinning(analysis, analysis->nodes.items[source->callee].entry))
        return 0;
    if (innermost_atomic(analysis, source->caller, source->held, &inner) &&
        (inner.class != source->class || lock_site(analysis, source->caller, &inner) != source->site))
        return 0;
    u32 total = source->cost + self->cost[below][source->callee];
    return limit_cuts(LIMIT_SLEEP_COST_MOST, total > SLEEP_COST_MOST) ? 0 : total;
}

// A copy of a node that says how this search came there: reports show chains of parents.
static u32 node_copy(Analysis *self, u32 node, u32 parent, Place call, u8 cost) {
    Node copy = self->nodes.items[node];
    u16 depth = self->nodes.items[parent].depth;
    copy.parent = parent;
    copy.call = call;
    copy.call_cost = cost;
    copy.depth = depth < 60000 ? (u16)(depth + 1) : depth;
    copy.conditionals = self->nodes.items[parent].conditionals;
    copy.outcome_count = 0;
    copy.is_root = false;
    node_table_put(&self->graph, copy);
    node_table_put_call(&self->graph, parent, call, cost, NULL, 0);
    return self->nodes.count - 1;
}

static void note_sleep_below(Sleeps *self, const Ambient *source) {
    Analysis *analysis = self->analysis;
    Below below = below_of(analysis, source);
    u32 node = source->callee;
    u32 copy = node_copy(analysis, node, source->caller, source->place, source->cost);
    for (u32 edge = self->next[below][node]; edge != NO_ID; edge = self->next[below][node]) {
        node = analysis->edge_pairs.items[2 * edge + 1];
        copy = node_copy(analysis, node, copy, analysis->edge_places.items[edge], analysis->edge_costs.items[edge]);
    }
    const Acquisition *taken = &analysis->acquisitions.items[self->taken[below][node]];
    Note note = {.kind = NOTE_SLEEP,
                 .node = copy,
                 .holder = source->caller,
                 .site = taken->site,
                 .other_site = source->site,
                 .class = source->class,
                 .held = source->held,
                 .place = analysis->sites.items[taken->site].place};
    array_push(&analysis->notes, note);
}

void note_sleeps(Analysis *analysis) {
    Sleeps self;
    Map best = {0}; // (acquisition, function and place of the call) -> Ambient + 1
    sleeps_begin(&self, analysis);
    U32Array chosen = {0};
    for (u32 i = 0; i < analysis->ambient.count; i++) {
        const Ambient *source = &analysis->ambient.items[i];
        u32 cost = sleep_cost(&self, source);
        if (!cost)
            continue;
        bool fresh;
        u64 where = (u64)source->place.line << 32 | source->place.column;
        u64 who = (u64)analysis->nodes.items[source->caller].function << 32 | source->site;
        u32 *known = map_put(&best, hash_mix(where, who), &fresh);
        if (fresh) {
            array_push(&chosen, i);
            *known = chosen.count;
        } else {
            u32 *other = &chosen.items[*known - 1];
            const Ambient *before = &analysis->ambient.items[*other];
            u32 least = sleep_cost(&self, before);
            if (cost < least || (cost == least && analysis->nodes.items[source->caller].depth <
                                                      analysis->nodes.items[before->caller].depth))
                *other = i;
        }
    }
    for (u32 i = 0; i < chosen.count; i++)
        note_sleep_below(&self, &analysis->ambient.items[chosen.items[i]]);
    array_free(&chosen);
    map_free(&best);
    sleeps_end(&self);
}
