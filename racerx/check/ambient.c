// ambient.c: locks that callers hold and callees never look at.
// In: the nodes of the walk, the calls between them, the locks each call was made under. Out: order edges for what is
// taken anywhere below such a call. (Who sleeps there: sleeps.c.)
// Idea: a function behaves alike under all locks that nothing near below it touches, so it is walked once without
// them. For the order of two locks it is enough to know one held lock and one taken below it: a search from
// the calls made under a lock finds every acquisition below, by the shortest chain.
#include "racerx/facts/analysis.h"

// searching ---------------------------------------------------------------------

// A node met in a search, and how. Nodes are looked at in the order of their cost.
typedef struct {
    u32 node, from, source;
    u32 call; // Analysis.edge_…; NO_ID: the source's own call
    u32 cost;
} AmbientReach;

#define NARROW 2 // nodes: a search this wide costs little

typedef struct {
    Analysis *analysis;
    u32 node_count;   // before clones are added
    u32 *first;       // by node: its calls in `calls`
    u32 *calls;       // Analysis.edge_…
    u32 *first_taken; // by node: its acquisitions in `taken`
    u32 *taken;
    u32 *stamp;  // by node: search that met it
    u32 *done;   // by node: search that looked at it
    u8 *best;    // by node: the least cost it was met with
    u32 *came;   // by node: node before it; NO_ID: the call itself
    u32 *source; // by node: Ambient it is below
    u32 *call;   // by node: as in AmbientReach
    u32 *clone;  // by node: its clone in this search
    u32 *clone_stamp;
    U32Array queues[COST_MOST + 1]; // by cost: nodes to look at
    u32 reached;                    // nodes looked at
    AmbientReach beyond[NARROW];    // calls that would cost too much
    u32 beyond_count;               // how many there were
    U32Array chain;                 // scratch of clone_of
} AmbientSearch;

static void search_begin(AmbientSearch *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count, pairs = analysis->edge_pairs.count / 2;
    *self = (AmbientSearch){.analysis = analysis, .node_count = nodes};
    self->first = must_zero(sizeof(u32) * (nodes + 2));
    self->first_taken = must_zero(sizeof(u32) * (nodes + 2));
    self->calls = must_alloc(sizeof(u32) * (pairs + 1));
    self->taken = must_alloc(sizeof(u32) * (analysis->acquisitions.count + 1));
    self->stamp = must_zero(sizeof(u32) * (nodes + 1));
    self->done = must_zero(sizeof(u32) * (nodes + 1));
    self->best = must_zero(nodes + 1);
    self->came = must_zero(sizeof(u32) * (nodes + 1));
    self->source = must_zero(sizeof(u32) * (nodes + 1));
    self->call = must_zero(sizeof(u32) * (nodes + 1));
    self->clone = must_zero(sizeof(u32) * (nodes + 1));
    self->clone_stamp = must_zero(sizeof(u32) * (nodes + 1));
    for (u32 i = 0; i < pairs; i++)
        self->first[analysis->edge_pairs.items[2 * i] + 2]++;
    for (u32 i = 0; i < analysis->acquisitions.count; i++)
        self->first_taken[analysis->acquisitions.items[i].node + 2 <= nodes + 1
                              ? analysis->acquisitions.items[i].node + 2
                              : nodes + 1]++;
    for (u32 n = 2; n < nodes + 2; n++) {
        self->first[n] += self->first[n - 1];
        self->first_taken[n] += self->first_taken[n - 1];
    }
    for (u32 i = 0; i < pairs; i++)
        self->calls[self->first[analysis->edge_pairs.items[2 * i] + 1]++] = i;
    for (u32 i = 0; i < analysis->acquisitions.count; i++)
        self->taken[self->first_taken[analysis->acquisitions.items[i].node + 1]++] = i;
}

static void search_end(AmbientSearch *self) {
    free(self->first);
    free(self->first_taken);
    free(self->calls);
    free(self->taken);
    free(self->stamp);
    free(self->done);
    free(self->best);
    free(self->came);
    free(self->source);
    free(self->call);
    free(self->clone);
    free(self->clone_stamp);
    for (u32 i = 0; i <= COST_MOST; i++)
        array_free(&self->queues[i]);
    array_free(&self->chain);
}

// A copy of a node that was called there, and the call.
static u32 copy_node(Analysis *self, u32 node, u32 parent, const Ambient *source, u32 call) {
    Node copy = self->nodes.items[node];
    u16 depth = self->nodes.items[parent].depth;
    copy.parent = parent;
    copy.call = call == NO_ID ? source->place : self->edge_places.items[call];
    copy.depth = depth < 60000 ? (u16)(depth + 1) : depth;
    copy.conditionals = self->nodes.items[parent].conditionals;
    copy.outcome_count = 0;
    copy.is_root = copy.is_slot = false;
    node_table_put(&self->graph, copy);
    node_table_put_call(&self->graph, parent, copy.call, call == NO_ID ? source->cost : self->edge_costs.items[call],
                        call == NO_ID ? NULL : self->edge_steps.items[call],
                        call == NO_ID ? 0 : self->edge_ambient.items[call]);
    return self->nodes.count - 1;
}

// A node that says how this search came here: reports show chains of parents. Chains can be long: no recursion.
static u32 clone_of(AmbientSearch *self, u32 node, u32 search) {
    Analysis *analysis = self->analysis;
    self->chain.count = 0;
    u32 at = node;
    for (; at != NO_ID && self->clone_stamp[at] != search; at = self->came[at])
        array_push(&self->chain, at);
    while (self->chain.count) {
        u32 next = self->chain.items[--self->chain.count];
        const Ambient *source = &analysis->ambient.items[self->source[next]];
        u32 parent = self->came[next] == NO_ID ? source->caller : self->clone[self->came[next]];
        self->clone[next] = copy_node(analysis, next, parent, source, self->call[next]);
        self->clone_stamp[next] = search;
    }
    return self->clone[node];
}

static void order_node(AmbientSearch *self, u32 node, u32 search) {
    Analysis *analysis = self->analysis;
    Ambient source = analysis->ambient.items[self->source[node]];
    LockClass class = analysis->classes.items[source.class];
    for (u32 i = self->first_taken[node]; i < self->first_taken[node + 1]; i++) {
        Acquisition taken = analysis->acquisitions.items[self->taken[i]];
        bool blocks = taken.sleeps || (taken.class && lock_has(analysis->classes.items[taken.class].kind, TRAIT_PARKS));
        if (!taken.class || taken.class == source.class ||
            (class.lets_go && blocks && !analysis->options.no_release_on_block))
            continue;
        u32 *known = map_get(&analysis->edge_index, (u64)source.class << 32 | taken.class);
        if (known && analysis->edges.items[*known - 1].count >= 4)
            continue;
        edge_put(analysis, source.class, taken.class,
                 (Witness){clone_of(self, node, search), source.site, taken.site,
                           lockset_join(analysis, source.held, taken.held), (u8)source.flags, (u8)taken.flags, NO_ID});
    }
}

static void search_reach(AmbientSearch *self, AmbientReach to, u32 search) {
    if (to.node >= self->node_count)
        return;
    if (to.cost > COST_MOST) {
        limit_reached(LIMIT_COST_MOST);
        if (self->stamp[to.node] != search && self->beyond_count++ < NARROW)
            self->beyond[self->beyond_count - 1] = to;
        return;
    }
    if (self->stamp[to.node] == search && self->best[to.node] <= to.cost)
        return;
    self->stamp[to.node] = search;
    self->best[to.node] = (u8)to.cost;
    self->came[to.node] = to.from;
    self->source[to.node] = to.source;
    self->call[to.node] = to.call;
    array_push(&self->queues[to.cost], to.node);
}

static void search_node(AmbientSearch *self, u32 node, u32 cost, u32 search) {
    order_node(self, node, search);
    self->reached++;
    for (u32 k = self->first[node]; k < self->first[node + 1]; k++)
        search_reach(self,
                     (AmbientReach){self->analysis->edge_pairs.items[2 * self->calls[k] + 1], node, self->source[node],
                                    self->calls[k], cost + self->analysis->edge_costs.items[self->calls[k]]},
                     search);
}

static void search_costs(AmbientSearch *self, u32 search) {
    for (u32 cost = 0; cost <= COST_MOST; cost++)
        for (u32 q = 0; q < self->queues[cost].count; q++) {
            u32 node = self->queues[cost].items[q];
            if (self->best[node] != cost || self->done[node] == search)
                continue;
            if (self->reached >= AMBIENT_REACH) {
                limit_reached(LIMIT_AMBIENT_REACH);
                return;
            }
            self->done[node] = search;
            search_node(self, node, cost, search);
        }
}

// A search that has become narrow costs little: it goes on as far as the chain does.
static void search_run(AmbientSearch *self, u32 search) {
    search_costs(self, search);
    while (self->beyond_count && self->beyond_count <= NARROW && self->reached < AMBIENT_REACH) {
        u32 count = self->beyond_count;
        AmbientReach next[NARROW];
        memcpy(next, self->beyond, sizeof next);
        self->beyond_count = 0;
        self->queues[COST_MOST].count = 0;
        self->reached -= self->reached ? 1 : 0;
        for (u32 i = 0; i < count; i++) {
            next[i].cost = COST_MOST;
            search_reach(self, next[i], search);
        }
        search_costs(self, search);
    }
}

// Does holding it put what is taken meanwhile in an order?
static bool class_orders(const Analysis *self, ClassId id) {
    const LockClass *class = &self->classes.items[id];
    return id >= CLASS_FIRST && !class->parameter && !class->local && !lock_has(class->kind, TRAIT_READS);
}

void order_ambient(Analysis *analysis) {
    AmbientSearch self;
    search_begin(&self, analysis);
    u32 search = 0;
    for (u32 i = 0; i < analysis->ambient.count;) {
        ClassId class = analysis->ambient.items[i].class;
        search++;
        self.reached = self.beyond_count = 0;
        for (u32 cost = 0; cost <= COST_MOST; cost++)
            self.queues[cost].count = 0;
        for (; i < analysis->ambient.count && analysis->ambient.items[i].class == class; i++) {
            const Ambient *from = &analysis->ambient.items[i];
            search_reach(&self, (AmbientReach){from->callee, NO_ID, i, NO_ID, from->cost}, search);
        }
        if (class_orders(analysis, class))
            search_run(&self, search);
    }
    search_end(&self);
}

// other holders -------------------------------------------------------------------

// Back from where a lock is taken to all who call with another one held. The search from the calls under a lock knows
// of each acquisition only the nearest holder: enough to find a circle, but every holder is a place to be mended.
typedef struct {
    Analysis *analysis;
    u32 node_count;
    u32 *first;        // by node: calls of it in `calls`
    u32 *calls;        // Analysis.edge_…
    u32 *stamp;        // by node: search that met it
    u8 *cost;          // by node: of the cheapest way from it to the acquisition
    u32 *call;         // by node: the next call on that way; NO_ID: it takes the lock itself
    u32 *taken;        // by node: Analysis.acquisitions at its end
    u32 *of_class;     // by class: its acquisitions in `acquisitions`
    u32 *acquisitions; // Analysis.acquisitions
    u32 *first_taken;  // by node: its acquisitions in `of_node`
    u32 *of_node;      // Analysis.acquisitions
    U32Array met;      // nodes of the search
    U32Array queues[COST_MOST + 1];
} Back;

// Acquisitions by a number below `most` that each has.
static void back_index(const Analysis *self, bool by_class, u32 most, u32 **first, u32 **items) {
    u32 count = self->acquisitions.count;
    *first = must_zero(sizeof(u32) * (most + 3));
    *items = must_alloc(sizeof(u32) * (count + 1));
    for (u32 i = 0; i < count; i++)
        (*first)[(by_class ? self->acquisitions.items[i].class : self->acquisitions.items[i].node) + 2]++;
    for (u32 c = 1; c < most + 3; c++)
        (*first)[c] += (*first)[c - 1];
    for (u32 i = 0; i < count; i++)
        (*items)[(*first)[(by_class ? self->acquisitions.items[i].class : self->acquisitions.items[i].node) + 1]++] = i;
}

static void back_begin(Back *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count, pairs = analysis->edge_pairs.count / 2;
    *self = (Back){.analysis = analysis, .node_count = nodes};
    self->first = must_zero(sizeof(u32) * (nodes + 2));
    self->calls = must_alloc(sizeof(u32) * (pairs + 1));
    self->stamp = must_zero(sizeof(u32) * (nodes + 1));
    self->cost = must_zero(nodes + 1);
    self->call = must_zero(sizeof(u32) * (nodes + 1));
    self->taken = must_zero(sizeof(u32) * (nodes + 1));
    for (u32 i = 0; i < pairs; i++)
        self->first[analysis->edge_pairs.items[2 * i + 1] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (u32 i = 0; i < pairs; i++)
        self->calls[self->first[analysis->edge_pairs.items[2 * i + 1] + 1]++] = i;
    back_index(analysis, true, analysis->classes.count, &self->of_class, &self->acquisitions);
    back_index(analysis, false, nodes, &self->first_taken, &self->of_node);
}

static void back_end(Back *self) {
    free(self->first);
    free(self->calls);
    free(self->stamp);
    free(self->cost);
    free(self->call);
    free(self->taken);
    free(self->of_class);
    free(self->acquisitions);
    free(self->first_taken);
    free(self->of_node);
    array_free(&self->met);
    for (u32 i = 0; i <= COST_MOST; i++)
        array_free(&self->queues[i]);
}

static void back_meet(Back *self, u32 node, u32 cost, u32 call, u32 taken, u32 search) {
    if (cost > COST_MOST || (self->stamp[node] == search && self->cost[node] <= cost))
        return;
    if (self->stamp[node] != search)
        array_push(&self->met, node);
    self->stamp[node] = search;
    self->cost[node] = (u8)cost;
    self->call[node] = call;
    self->taken[node] = taken;
    array_push(&self->queues[cost], node);
}

static void back_search(Back *self, ClassId to, u32 search) {
    const Analysis *analysis = self->analysis;
    u32 reached = 0;
    self->met.count = 0;
    for (u32 cost = 0; cost <= COST_MOST; cost++)
        self->queues[cost].count = 0;
    for (u32 i = self->of_class[to]; i < self->of_class[to + 1]; i++) {
        const Acquisition *one = &analysis->acquisitions.items[self->acquisitions[i]];
        if (!(one->flags & HELD_TRY) && one->node < self->node_count)
            back_meet(self, one->node, 0, NO_ID, self->acquisitions[i], search);
    }
    for (u32 cost = 0; cost <= COST_MOST; cost++)
        for (u32 q = 0; q < self->queues[cost].count && !limit_cuts(LIMIT_AMBIENT_REACH, reached >= AMBIENT_REACH);
             q++) {
            u32 node = self->queues[cost].items[q];
            if (self->cost[node] != cost)
                continue;
            reached++;
            for (u32 k = self->first[node]; k < self->first[node + 1]; k++)
                back_meet(self, analysis->edge_pairs.items[2 * self->calls[k]],
                          cost + analysis->edge_costs.items[self->calls[k]], self->calls[k], self->taken[node], search);
        }
}

// The lock that a call is made under, with where it was taken; `site` NO_ID: it is not, or that is not known.
static Held held_at(const Back *self, u32 call, ClassId class) {
    const Analysis *analysis = self->analysis;
    u32 count, caller = analysis->edge_pairs.items[2 * call];
    const Node *node = &analysis->nodes.items[caller];
    const Held *held = lockset_held(&analysis->locksets, analysis->edge_ambient.items[call], &count);
    Held found = {.site = NO_ID};
    for (u32 i = 0; i < count && !found.class; i++)
        if (held[i].class == class)
            found = held[i];
    if (!found.class)
        return found;
    for (u32 i = self->first_taken[caller]; i < self->first_taken[caller + 1]; i++) {
        const Acquisition *taken = &analysis->acquisitions.items[self->of_node[i]];
        bool before = analysis->sites.items[taken->site].place.line <= analysis->edge_places.items[call].line;
        if (taken->class == class && (found.site == NO_ID || before)) {
            found.site = taken->site;
            found.flags = taken->flags;
        }
    }
    held = lockset_held(&analysis->locksets, node->entry, &count);
    for (u32 i = 0; found.site == NO_ID && node->parent != NO_ID && i < count; i++)
        if (held[i].class == class)
            found.site = analysis->entry_sites.items[node->entry_site + i];
    return found;
}

// A witness with the chain from a holder's call down to where the other lock is taken.
static void put_holder(Back *self, const Ambient *source) {
    Analysis *analysis = self->analysis;
    u32 node = source->callee, at = copy_node(analysis, node, source->caller, source, NO_ID);
    Acquisition taken = analysis->acquisitions.items[self->taken[node]];
    for (u32 call = self->call[node]; call != NO_ID; call = self->call[node]) {
        node = analysis->edge_pairs.items[2 * call + 1];
        at = copy_node(analysis, node, at, source, call);
    }
    edge_put(analysis, source->class, taken.class,
             (Witness){at, source->site, taken.site, lockset_join(analysis, source->held, taken.held),
                       (u8)source->flags, (u8)taken.flags, NO_ID});
}

// Is there an example in which this function takes the first lock?
static bool has_holder(const Analysis *self, const OrderEdge *edge, u32 site) {
    for (u32 w = edge->witness; w != NO_ID; w = self->witnesses.items[w].next) {
        u32 held = self->witnesses.items[w].held_site;
        if (held == site || (held != NO_ID && self->sites.items[held].function == self->sites.items[site].function))
            return true;
    }
    return false;
}

// One call under the first lock to what takes the second; false: enough of them.
static bool find_holder(Back *self, u32 edge, u32 call, u32 *found) {
    Analysis *analysis = self->analysis;
    ClassId from = analysis->edges.items[edge].from;
    Held held = held_at(self, call, from);
    if (held.site == NO_ID || has_holder(analysis, &analysis->edges.items[edge], held.site))
        return true;
    if (limit_cuts(LIMIT_HOLDERS_MOST, (*found)++ >= HOLDERS_MOST))
        return false;
    Ambient source = {from,
                      analysis->edge_pairs.items[2 * call],
                      analysis->edge_pairs.items[2 * call + 1],
                      held.site,
                      analysis->edge_ambient.items[call],
                      held.flags,
                      analysis->edge_places.items[call],
                      (u8)analysis->edge_costs.items[call]};
    put_holder(self, &source);
    return true;
}

// A call that leads to the acquisition, made under the first lock of some order.
typedef struct {
    u32 call;
    u32 next; // of the same first lock, + 1; the nearest ones first
} HolderCall;
typedef struct {
    u32 *first, *last; // by class: its calls, + 1; 0: none
    Array(HolderCall) calls;
    U32Array classes; // those that have some
    u32 *wanted;      // by class: search in which it is the first lock of an order
} HolderCalls;

static void holder_put(HolderCalls *self, ClassId class, u32 call) {
    array_push(&self->calls, ((HolderCall){.call = call}));
    if (self->first[class]) {
        self->calls.items[self->last[class] - 1].next = self->calls.count;
    } else {
        self->first[class] = self->calls.count;
        array_push(&self->classes, class);
    }
    self->last[class] = self->calls.count;
}

static void holder_calls_clear(HolderCalls *self) {
    for (u32 i = 0; i < self->classes.count; i++)
        self->first[self->classes.items[i]] = 0;
    self->classes.count = self->calls.count = 0;
}

// By lock the calls under it, nearest to the acquisition first.
static void fill_holder_calls(const Back *self, u32 search, HolderCalls *out) {
    const Analysis *analysis = self->analysis;
    U32Array near[COST_MOST + 1] = {0};
    holder_calls_clear(out);
    for (u32 i = 0; i < self->met.count; i++) {
        u32 node = self->met.items[i];
        for (u32 k = self->first[node]; k < self->first[node + 1]; k++) {
            u32 cost = self->cost[node] + analysis->edge_costs.items[self->calls[k]];
            if (cost <= COST_MOST && analysis->edge_ambient.items[self->calls[k]])
                array_push(&near[cost], self->calls[k]);
        }
    }
    for (u32 cost = 0; cost <= COST_MOST; cost++) {
        for (u32 i = 0; i < near[cost].count; i++) {
            u32 count, call = near[cost].items[i];
            const Held *held = lockset_held(&analysis->locksets, analysis->edge_ambient.items[call], &count);
            for (u32 h = 0; h < count; h++)
                if (out->wanted[held[h].class] == search && (!h || held[h - 1].class != held[h].class))
                    holder_put(out, held[h].class, call);
        }
        array_free(&near[cost]);
    }
}

static void find_holders(Back *self, const HolderCalls *calls, u32 edge) {
    u32 found = 0;
    for (u32 at = calls->first[self->analysis->edges.items[edge].from]; at; at = calls->calls.items[at - 1].next)
        if (!find_holder(self, edge, calls->calls.items[at - 1].call, &found))
            return;
}

typedef struct {
    ClassId to;
    u32 edge;
} TargetEdge;

static int compare_targets(const void *left, const void *right) {
    const TargetEdge *a = left, *b = right;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static void sort_by_target(const Analysis *self, U32Array *edges) {
    TargetEdge *sorted = must_alloc(sizeof(TargetEdge) * (edges->count + 1));
    for (u32 i = 0; i < edges->count; i++)
        sorted[i] = (TargetEdge){self->edges.items[edges->items[i]].to, edges->items[i]};
    if (edges->count)
        qsort(sorted, edges->count, sizeof(TargetEdge), compare_targets);
    for (u32 i = 0; i < edges->count; i++)
        edges->items[i] = sorted[i].edge;
    free(sorted);
}

// Of two locks that are taken in both orders: everybody who does so, not only the nearest.
void order_holders(Analysis *analysis) {
    Back self;
    U32Array both = {0};
    for (u32 e = 0; e < analysis->edges.count; e++) {
        const OrderEdge *edge = &analysis->edges.items[e];
        if (edge->from != edge->to && class_orders(analysis, edge->from) && class_orders(analysis, edge->to) &&
            map_get(&analysis->edge_index, (u64)edge->to << 32 | edge->from))
            array_push(&both, e);
    }
    sort_by_target(analysis, &both);
    back_begin(&self, analysis);
    u32 classes = analysis->classes.count;
    HolderCalls calls = {.first = must_zero(sizeof(u32) * (classes + 1)),
                         .last = must_zero(sizeof(u32) * (classes + 1)),
                         .wanted = must_zero(sizeof(u32) * (classes + 1))};
    for (u32 i = 0, end; i < both.count; i = end) { // one search for all orders that end in one lock
        ClassId to = analysis->edges.items[both.items[i]].to;
        for (end = i; end < both.count && analysis->edges.items[both.items[end]].to == to; end++)
            calls.wanted[analysis->edges.items[both.items[end]].from] = to;
        back_search(&self, to, to);
        fill_holder_calls(&self, to, &calls);
        for (u32 k = i; k < end; k++)
            find_holders(&self, &calls, both.items[k]);
    }
    free(calls.first);
    free(calls.last);
    free(calls.wanted);
    array_free(&calls.calls);
    array_free(&calls.classes);
    back_end(&self);
    array_free(&both);
}

// must ----------------------------------------------------------------------------

static LocksetId meet(Analysis *self, LocksetId a, LocksetId b) {
    if (a == NO_ID || a == b)
        return b;
    HeldSet kept;
    held_begin(&kept);
    u32 count, others;
    const Held *left = lockset_held(&self->locksets, a, &count), *right = lockset_held(&self->locksets, b, &others);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < others; k++)
            if (left[i].class == right[k].class) {
                held_push(&kept, left[i]);
                break;
            }
    return held_intern(&kept, &self->locksets);
}

// A gate lock may be held by callers far above: what every way to a node holds. Shrinks until nothing changes.
void fill_must(Analysis *self) {
    u32 nodes = self->nodes.count, pairs = self->edge_pairs.count / 2;
    self->node_must = must_alloc(sizeof(LocksetId) * (nodes + 1));
    u32 *first = must_zero(sizeof(u32) * (nodes + 2)), *order = must_alloc(sizeof(u32) * (pairs + 1));
    for (u32 i = 0; i < pairs; i++)
        first[self->edge_pairs.items[2 * i] + 1]++;
    for (u32 n = 0; n < nodes; n++)
        first[n + 1] += first[n];
    u32 *fill = must_alloc(sizeof(u32) * (nodes + 1));
    memcpy(fill, first, sizeof(u32) * nodes);
    for (u32 i = 0; i < pairs; i++)
        order[fill[self->edge_pairs.items[2 * i]]++] = i;
    U32Array work = {0};
    for (u32 n = 0; n < nodes; n++) {
        self->node_must[n] = NO_ID;
        bool is_slot = self->nodes.items[n].is_slot; // its calls are known by what they have in common
        LocksetId common = is_slot ? self->slots.items[self->slot_of.items[self->nodes.items[n].function] - 1].set : 0;
        if (self->nodes.items[n].parent == NO_ID || self->nodes.items[n].is_root || is_slot) {
            self->node_must[n] = common == NO_ID ? 0 : common;
            array_push(&work, n);
        }
    }
    while (work.count) {
        u32 node = work.items[--work.count];
        for (u32 i = first[node]; i < first[node + 1]; i++) {
            u32 callee = self->edge_pairs.items[2 * order[i] + 1];
            if (!self->node_must[callee]) // it will not become more
                continue;
            LocksetId way = lockset_join(self, self->node_must[node], self->edge_ambient.items[order[i]]);
            LocksetId met = meet(self, self->node_must[callee], way);
            if (met == self->node_must[callee] || self->nodes.items[callee].parent == NO_ID ||
                self->nodes.items[callee].is_root)
                continue;
            self->node_must[callee] = met;
            array_push(&work, callee);
        }
    }
    array_free(&work);
    free(first);
    free(fill);
    free(order);
}
