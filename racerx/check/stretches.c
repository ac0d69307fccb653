// stretches.c: from where a lock is taken to where the next one is.
// In: witnesses of order edges, the calls between nodes. Out: by witness the shortest chain of calls from the function
// that took the first lock, and how sure these calls are.
//
// The walk and the search below ambient locks come to a place once for all callers that hold the same, by whatever way
// was first. What makes an order believable is how near the two acquisitions are, so the nearest caller that takes the
// lock itself is looked for, calls with many targets being far. Which way leads there is another question (sides.c).
#include "racerx/check/circles.h"

void stretches_begin(Stretches *self, Analysis *analysis) {
    u32 nodes = analysis->walked_nodes, edges = analysis->edge_steps.count;
    *self = (Stretches){.analysis = analysis};
    self->first = must_zero(sizeof(u32) * (nodes + 2));
    self->callers = must_alloc(sizeof(u32) * (edges + 1));
    self->stamp = must_zero(sizeof(u32) * (nodes + 1));
    self->best = must_zero(nodes + 1);
    self->came = must_zero(sizeof(u32) * (nodes + 1));
    for (u32 e = 0; e < edges && analysis->edge_pairs.items[2 * e + 1] < nodes; e++)
        self->first[analysis->edge_pairs.items[2 * e + 1] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (self->walked_edges = 0; self->walked_edges < edges; self->walked_edges++) {
        u32 callee = analysis->edge_pairs.items[2 * self->walked_edges + 1];
        if (callee >= nodes)
            break; // from here on: calls of copies, one for each
        self->callers[self->first[callee + 1]++] = self->walked_edges;
    }
}

void stretches_end(Stretches *self) {
    free(self->first);
    free(self->callers);
    free(self->stamp);
    free(self->best);
    free(self->came);
    array_free(&self->calls);
    for (u32 i = 0; i <= STRETCH_COST; i++)
        array_free(&self->queues[i]);
    map_free(&self->above);
}

static bool enters_with(const Analysis *self, u32 node, ClassId class) {
    u32 count;
    const Held *entry = lockset_held(&self->locksets, self->nodes.items[node].entry, &count);
    for (u32 i = 0; i < count; i++)
        if (class_covers(self, entry[i].class, class) || class_covers(self, class, entry[i].class))
            return true;
    return false;
}

static void meet_node(Stretches *self, u32 node, u32 cost, u32 edge) {
    if ((self->stamp[node] == self->search && self->best[node] <= cost) ||
        limit_cuts(LIMIT_STRETCH_COST, cost > STRETCH_COST))
        return;
    self->stamp[node] = self->search;
    self->best[node] = (u8)cost;
    self->came[node] = edge;
    array_push(&self->queues[cost], node);
}

// Is this what is looked for: a node that is not entered with the lock, or (no lock) one that ways lead to?
static bool is_found(const Analysis *self, u32 node, ClassId class) {
    return class ? !enters_with(self, node, class) : self->context_first.items[node] != 0;
}

// The nearest such node above; NO_ID: none is near. came: the calls down from it.
static u32 find_above(Stretches *self, u32 node, ClassId class) {
    const Analysis *analysis = self->analysis;
    u32 looked = 0;
    self->search++;
    for (u32 cost = 0; cost <= STRETCH_COST; cost++)
        self->queues[cost].count = 0;
    meet_node(self, node, 0, NO_ID);
    for (u32 cost = 0; cost <= STRETCH_COST; cost++)
        for (u32 q = 0; q < self->queues[cost].count; q++) {
            u32 at = self->queues[cost].items[q];
            if (self->best[at] != cost)
                continue;
            if (is_found(analysis, at, class))
                return at;
            if (limit_cuts(LIMIT_STRETCH_CALLERS, looked++ >= STRETCH_CALLERS))
                return NO_ID;
            for (u32 i = self->first[at]; i < self->first[at + 1]; i++)
                meet_node(self, analysis->edge_pairs.items[2 * self->callers[i]],
                          cost + analysis->edge_costs.items[self->callers[i]], self->callers[i]);
        }
    return NO_ID;
}

// The calls from there down to a node, as a run of Stretches.calls: their number, then the calls; remembered.
static u32 calls_above(Stretches *self, u32 node, ClassId class) {
    const Analysis *analysis = self->analysis;
    u32 *known = map_put(&self->above, (u64)node << 32 | class, NULL);
    if (*known)
        return *known - 1;
    u32 run = self->calls.count, at = find_above(self, node, class);
    *known = run + 1;
    array_push(&self->calls, 0);
    for (; at != NO_ID && at != node; at = analysis->edge_pairs.items[2 * self->came[at] + 1]) {
        array_push(&self->calls, self->came[at]);
        self->calls.items[run]++;
    }
    return run;
}

static void add_call(const Analysis *self, Stretch *stretch, u32 edge) {
    const SkeletonStep *step = self->edge_steps.items[edge];
    const CallSite *site = step && step->call != NO_ID ? &self->program->calls.items[step->call] : NULL;
    u32 targets = site && site->indirect ? site->target_count : 1;
    stretch->wide = targets > stretch->wide ? targets : stretch->wide;
    stretch->guessed |= site && site->guessed;
    stretch->cost += self->edge_costs.items[edge];
    if (limit_cuts(LIMIT_STRETCH_MOST, stretch->count >= STRETCH_MOST))
        stretch->cut = true;
    else
        stretch->calls[stretch->count++] = edge;
}

// Where the lock is taken in a function, last before the call; `otherwise` when no place is known there.
static u32 site_in(const Analysis *self, ClassId class, FunctionId function, u32 line, u32 otherwise) {
    u32 found = NO_ID;
    if (otherwise != NO_ID && self->sites.items[otherwise].function == function)
        return otherwise;
    for (u32 s = class < self->class_site.count ? self->class_site.items[class] : NO_ID; s != NO_ID;
         s = self->sites.items[s].next) {
        const LockSite *site = &self->sites.items[s];
        if (site->function != function || !(site->uses & SITE_TAKES))
            continue;
        bool before = site->place.line <= line, was = found != NO_ID && self->sites.items[found].place.line <= line;
        if (found == NO_ID || (before && !was) || (before && site->place.line > self->sites.items[found].place.line))
            found = s;
    }
    return found == NO_ID ? otherwise : found;
}

static void add_above(Stretches *self, Stretch *stretch, u32 node, ClassId class) {
    u32 run = is_found(self->analysis, node, class) ? NO_ID : calls_above(self, node, class);
    for (u32 i = 0; run != NO_ID && i < self->calls.items[run]; i++)
        add_call(self->analysis, stretch, self->calls.items[run + 1 + i]);
}

void stretch_of(Stretches *self, const OrderEdge *edge, const Witness *witness, Stretch *out) {
    const Analysis *analysis = self->analysis;
    Stretch between = {.held_site = witness->held_site}, lead = {0};
    u32 copies[STRETCH_MOST], count = 0, node = witness->node;
    for (; node >= analysis->walked_nodes; node = analysis->nodes.items[node].parent)
        if (limit_cuts(LIMIT_STRETCH_MOST, count >= STRETCH_MOST))
            between.cut = true;
        else
            copies[count++] = self->walked_edges + (node - analysis->walked_nodes);
    add_above(self, &between, node, edge->from);
    u32 top = between.count ? analysis->edge_pairs.items[2 * between.calls[0]] : node;
    if (between.count)
        between.held_site = site_in(analysis, edge->from, analysis->nodes.items[top].function,
                                    analysis->edge_places.items[between.calls[0]].line, witness->held_site);
    while (count)
        add_call(analysis, &between, copies[--count]);
    add_above(self, &lead, top, 0);
    *out = between;
    out->top = lead.count ? analysis->edge_pairs.items[2 * lead.calls[0]] : top;
    out->lead = lead.count;
    if (limit_cuts(LIMIT_STRETCH_MOST, lead.count + between.count > STRETCH_MOST))
        out->cut = true;
    else
        memmove(out->calls + lead.count, between.calls, sizeof(u32) * between.count);
    memcpy(out->calls, lead.calls, sizeof(u32) * (out->cut ? 0 : lead.count));
    out->count = out->cut ? between.count : lead.count + between.count;
    out->lead = out->cut ? 0 : lead.count;
    out->lead_cost = lead.cost;
}
