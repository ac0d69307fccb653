// order.c: cycles of the lock order, and which of them can be deadlocks.
// In: order edges with their witnesses. Out: findings of kind deadlock, best witnesses first.
// No finding where a gate lock is held on all edges, where only readers meet, where nothing can run
// in parallel. Fewer threads, global locks, shallow chains and few conditionals come first.
#include "racerx/analysis.h"

#define CYCLES_MOST 5000

// contexts ----------------------------------------------------------------------

void fill_contexts(Analysis *self) {
    const Program *program = self->program;
    self->node_contexts = must_zero(sizeof(u32) * (self->nodes.count + 1));
    self->contexts = must_zero(sizeof(u32) * (program->functions.count + 1));
    u32 *first = must_zero(sizeof(u32) * (self->nodes.count + 2)), pairs = self->edge_pairs.count / 2;
    for (u32 i = 0; i < pairs; i++)
        first[self->edge_pairs.items[2 * i] + 1]++;
    for (u32 n = 0; n < self->nodes.count; n++)
        first[n + 1] += first[n];
    u32 *callees = must_alloc(sizeof(u32) * (pairs + 1)), *fill = must_alloc(sizeof(u32) * (self->nodes.count + 1));
    memcpy(fill, first, sizeof(u32) * self->nodes.count);
    for (u32 i = 0; i < pairs; i++)
        callees[fill[self->edge_pairs.items[2 * i]]++] = self->edge_pairs.items[2 * i + 1];
    U32Array work = {0};
    for (u32 n = 0; n < self->nodes.count; n++)
        if (self->nodes.items[n].parent == NO_ID || self->nodes.items[n].is_root) {
            u32 contexts = program->functions.items[self->nodes.items[n].function].contexts & ~(1u << CONTEXT_NONE);
            self->node_contexts[n] = contexts ? contexts : CONTEXT_OTHER;
            array_push(&work, n);
        }
    while (work.count) {
        u32 node = work.items[--work.count];
        for (u32 i = first[node]; i < first[node + 1]; i++) {
            u32 callee = callees[i], merged = self->node_contexts[callee] | self->node_contexts[node];
            if (merged == self->node_contexts[callee])
                continue;
            self->node_contexts[callee] = merged;
            array_push(&work, callee);
        }
    }
    for (u32 n = 0; n < self->nodes.count; n++)
        self->contexts[self->nodes.items[n].function] |= self->node_contexts[n];
    array_free(&work);
    free(first);
    free(callees);
    free(fill);
}

u32 lock_site(const Analysis *self, u32 node, const Held *held) {
    for (; held->site == NO_ID && node != NO_ID; node = NO_ID) {
        u32 count;
        const Node *info = &self->nodes.items[node];
        if (info->parent == NO_ID)
            return NO_ID;
        const Held *entry = lockset_held(&self->locksets, info->entry, &count);
        for (u32 i = 0; i < count; i++)
            if (entry[i].class == held->class && entry[i].path == held->path)
                return self->entry_sites.items[info->entry_site + i];
        return NO_ID;
    }
    return held->site;
}

// words -------------------------------------------------------------------------

const char *class_text(const Analysis *self, ClassId class) { return program_text(self->program, self->classes.items[class].name); }

static const char *function_text(const Analysis *self, FunctionId function) {
    return program_text(self->program, self->program->functions.items[function].name);
}

static const char *file_text(const Analysis *self, FunctionId function) {
    return function_path(self->program, function);
}

void site_put_chain(Analysis *self, FindingList *list, Site *site, u32 node) {
    u32 chain[64], count = 0;
    for (u32 n = node; n != NO_ID && count < 64; n = self->nodes.items[n].parent)
        chain[count++] = n;
    for (u32 i = count; i-- > 0;) {
        FunctionId function = self->nodes.items[chain[i]].function;
        bool last = i == 0;
        site_add_call(list, site, function_text(self, function), last ? "" : file_text(self, function),
                      last ? 0 : self->nodes.items[chain[i - 1]].call.line);
    }
}

void site_put_way(Analysis *self, FindingList *list, Site *site, u32 way) {
    u32 chain[64], count = 0;
    for (u32 w = way + 1; w && count < 64; w = self->way_contexts.items[w - 1].from)
        chain[count++] = w - 1;
    for (u32 i = count; i-- > 0;) {
        FunctionId function = self->nodes.items[self->way_contexts.items[chain[i]].node].function;
        site_add_call(list, site, function_text(self, function), i ? file_text(self, function) : "",
                      i ? self->way_contexts.items[chain[i - 1]].call.line : 0);
    }
}

FunctionId way_root(const Analysis *self, u32 way) {
    while (self->way_contexts.items[way].from)
        way = self->way_contexts.items[way].from - 1;
    return self->nodes.items[self->way_contexts.items[way].node].function;
}

// A finding in a function that an annotator wants nothing of.
static void put_ignored(FindingList *list, Finding *finding) {
    for (u32 i = 0; i < finding->features.count; i++)
        if (!strcmp(finding->features.items[i].name, "marks"))
            return;
    finding_add_text(list, finding, "marks", "ignore");
}

Site *finding_put_site(Analysis *self, FindingList *list, Finding *finding, SiteRole role, u32 node, u32 place_site, LocksetId held) {
    const LockSite *where = &self->sites.items[place_site];
    Site *site = finding_add_site(list, finding, role, function_text(self, where->function), file_text(self, where->function),
                                  where->place.line, where->place.column);
    site->object = findings_text(list, "%s", where->class ? class_text(self, where->class) : "");
    u32 count;
    const Held *locks = lockset_held(&self->locksets, held, &count);
    for (u32 i = 0; i < count; i++) {
        u32 place = lock_site(self, node, &locks[i]);
        const LockSite *taken = place == NO_ID ? NULL : &self->sites.items[place];
        site_add_lock(list, site, class_text(self, locks[i].class), taken ? file_text(self, taken->function) : "",
                      taken ? taken->place.line : 0);
    }
    if (node != NO_ID) {
        site->conditionals = self->nodes.items[node].conditionals;
        site_put_chain(self, list, site, node);
    }
    if (self->program->functions.items[where->function].marks & MARK_IGNORED)
        put_ignored(list, finding);
    return site;
}

// cycles ------------------------------------------------------------------------

typedef struct {
    u32 edges[4];
    u32 witness[4];
    u32 length;
    double cost;
} Cycle;

// Held by the witness itself, or by every caller of its function.
static bool holds_class(const Analysis *self, const Witness *witness, ClassId class) {
    const LocksetId sets[2] = {witness->held, self->node_must[witness->node]};
    for (u32 s = 0; s < 2; s++) {
        u32 count;
        const Held *held = lockset_held(&self->locksets, sets[s] == NO_ID ? 0 : sets[s], &count);
        for (u32 i = 0; i < count; i++)
            if (held[i].class == class && !(held[i].flags & HELD_SHARED))
                return true;
    }
    return false;
}

static bool is_gate(const Analysis *self, const Cycle *cycle, ClassId gate) {
    if (gate < CLASS_FIRST)
        return false;
    for (u32 e = 0; e < cycle->length; e++) {
        const OrderEdge *edge = &self->edges.items[cycle->edges[e]];
        if (edge->from == gate || edge->to == gate || !holds_class(self, &self->witnesses.items[cycle->witness[e]], gate))
            return false;
    }
    return true;
}

static bool holds_gate(const Analysis *self, const Cycle *cycle) {
    const Witness *witness = &self->witnesses.items[cycle->witness[0]];
    const LocksetId sets[2] = {witness->held, self->node_must[witness->node]};
    for (u32 s = 0; s < 2; s++) {
        u32 count;
        const Held *held = lockset_held(&self->locksets, sets[s] == NO_ID ? 0 : sets[s], &count);
        for (u32 i = 0; i < count; i++)
            if (!(held[i].flags & HELD_SHARED) && is_gate(self, cycle, held[i].class))
                return true;
    }
    return false;
}

// At every lock of the cycle somebody must be kept out: not reader against reader.
static bool readers_meet(const Analysis *self, const Cycle *cycle) {
    for (u32 e = 0; e < cycle->length; e++) {
        const Witness *taker = &self->witnesses.items[cycle->witness[e]];
        const Witness *holder = &self->witnesses.items[cycle->witness[(e + 1) % cycle->length]];
        if ((taker->flags & HELD_SHARED) && (holder->held_flags & HELD_SHARED))
            return true;
    }
    return false;
}

FunctionId node_root(const Analysis *self, u32 node) {
    while (self->nodes.items[node].parent != NO_ID)
        node = self->nodes.items[node].parent;
    return self->nodes.items[node].function;
}

static bool runs_alone(const Analysis *self, const Cycle *cycle) {
    bool init = false, one_thread = true; // code that only runs at start-up is gone when others begin
    FunctionId root = node_root(self, self->witnesses.items[cycle->witness[0]].node);
    for (u32 e = 0; e < cycle->length; e++) {
        u32 node = self->witnesses.items[cycle->witness[e]].node;
        init |= !(self->node_contexts[node] & ~(1u << CONTEXT_INIT | 1u << CONTEXT_EXIT));
        one_thread &= node_root(self, node) == root;
    }
    return init || (one_thread && (self->program->functions.items[root].marks & MARK_THREAD_ONCE));
}

// threads ---------------------------------------------------------------------------

static bool is_started_as(const Analysis *self, ClassId class, FunctionId thread) {
    for (u32 i = 0; 3 * i < self->spawn_roots.count; i++)
        if (self->spawns.items[self->spawn_roots.items[3 * i]].class == class &&
            self->nodes.items[self->spawn_roots.items[3 * i + 1]].function == thread)
            return true;
    return false;
}

// May the thread run while the witness is made? It is in the set from its start to its join.
static bool runs_beside(const Analysis *self, const Witness *witness, FunctionId thread) {
    const LocksetId sets[2] = {witness->held, self->node_must[witness->node]};
    for (u32 s = 0; s < 2; s++) {
        u32 count;
        const Held *held = lockset_held(&self->locksets, sets[s] == NO_ID ? 0 : sets[s], &count);
        for (u32 i = 0; i < count; i++)
            if (self->classes.items[held[i].class].thread && is_started_as(self, held[i].class, thread))
                return true;
    }
    return false;
}

// Is it started by `by` alone?
static bool is_started_by(const Analysis *self, FunctionId thread, FunctionId by) {
    bool found = false;
    for (u32 i = 0; 3 * i < self->spawn_roots.count; i++) {
        if (self->nodes.items[self->spawn_roots.items[3 * i + 1]].function != thread)
            continue;
        if (node_root(self, self->spawn_roots.items[3 * i + 2]) != by)
            return false;
        found = true;
    }
    return found;
}

static bool are_started_together(const Analysis *self, FunctionId a, FunctionId b) {
    for (u32 i = 0; i + 1 < self->coalive.count; i += 2) {
        ClassId x = self->coalive.items[i], y = self->coalive.items[i + 1];
        if ((is_started_as(self, x, a) && is_started_as(self, y, b)) || (is_started_as(self, x, b) && is_started_as(self, y, a)))
            return true;
    }
    return false;
}

// Is one side over before the other begins?
static bool are_apart(const Analysis *self, const Witness *a, const Witness *b) {
    FunctionId x = node_root(self, a->node), y = node_root(self, b->node);
    if (x == y)
        return false;
    if (is_started_by(self, y, x))
        return !runs_beside(self, a, y);
    if (is_started_by(self, x, y))
        return !runs_beside(self, b, x);
    FunctionId by = NO_ID; // both by the same thread, which exists once
    for (u32 i = 0; 3 * i < self->spawn_roots.count && by == NO_ID; i++)
        if (self->nodes.items[self->spawn_roots.items[3 * i + 1]].function == x)
            by = node_root(self, self->spawn_roots.items[3 * i + 2]);
    if (by == NO_ID || !(self->program->functions.items[by].marks & MARK_THREAD_ONCE))
        return false;
    return is_started_by(self, x, by) && is_started_by(self, y, by) && !are_started_together(self, x, y);
}

static bool never_meet(const Analysis *self, const Cycle *cycle) {
    for (u32 i = 0; self->follows_threads && i < cycle->length; i++)
        for (u32 k = i + 1; k < cycle->length; k++)
            if (are_apart(self, &self->witnesses.items[cycle->witness[i]], &self->witnesses.items[cycle->witness[k]]))
                return true;
    return false;
}

static double witness_cost(const Analysis *self, u32 index) {
    const Witness *witness = &self->witnesses.items[index];
    const Node *node = &self->nodes.items[witness->node];
    const LockSite *held = witness->held_site == NO_ID ? NULL : &self->sites.items[witness->held_site];
    double cost = node->depth + 0.2 * (node->conditionals > 30 ? 30 : node->conditionals);
    if (held && held->function != node->function)
        cost += 1;
    if (witness->held_flags & HELD_ASSERTED)
        cost += 2;
    if (witness->held_flags & HELD_TRY)
        cost += 1;
    return cost;
}

static int compare_lock_sites(const Analysis *self, u32 a, u32 b) { // by names, which no order of the text changes
    if (a == b || a == NO_ID || b == NO_ID)
        return a == b ? 0 : a == NO_ID ? -1 : 1;
    const LockSite *x = &self->sites.items[a], *y = &self->sites.items[b];
    int order = strcmp(function_text(self, x->function), function_text(self, y->function));
    order = order ? order : strcmp(file_text(self, x->function), file_text(self, y->function));
    if (order || x->place.line == y->place.line)
        return order;
    return x->place.line < y->place.line ? -1 : 1;
}

static int compare_witnesses(const Analysis *self, u32 a, u32 b) {
    int order = compare_lock_sites(self, self->witnesses.items[a].site, self->witnesses.items[b].site);
    return order ? order : compare_lock_sites(self, self->witnesses.items[a].held_site, self->witnesses.items[b].held_site);
}

u32 best_witness(const Analysis *self, const OrderEdge *edge) {
    u32 best = edge->witness;
    double least = witness_cost(self, best);
    for (u32 w = self->witnesses.items[best].next; w != NO_ID; w = self->witnesses.items[w].next) {
        double cost = witness_cost(self, w);
        if (cost > least || (cost == least && compare_witnesses(self, w, best) >= 0))
            continue;
        best = w;
        least = cost;
    }
    return best;
}

static bool is_cheaper(const Analysis *self, const Cycle *a, const Cycle *b) {
    int order = 0;
    for (u32 e = 0; a->cost == b->cost && !order && e < a->length; e++)
        order = compare_witnesses(self, a->witness[e], b->witness[e]);
    return a->cost < b->cost || order < 0;
}

// The cheapest choice of witnesses that passes every test.
static bool choose_witnesses(const Analysis *self, Cycle *cycle, u32 at) {
    static const u32 tries = 400;
    Cycle best = {.cost = 1e9};
    Cycle trial = *cycle;
    (void)at;
    for (u32 e = 0; e < cycle->length; e++)
        trial.witness[e] = self->edges.items[cycle->edges[e]].witness;
    for (u32 n = 0; n < tries; n++) {
        trial.cost = 0;
        for (u32 e = 0; e < cycle->length; e++)
            trial.cost += witness_cost(self, trial.witness[e]);
        if (is_cheaper(self, &trial, &best) && !readers_meet(self, &trial) && !runs_alone(self, &trial) && !never_meet(self, &trial) &&
            (self->options.no_gates || !holds_gate(self, &trial)))
            best = trial;
        u32 e = 0;
        for (; e < cycle->length; e++) { // the next combination
            trial.witness[e] = self->witnesses.items[trial.witness[e]].next;
            if (trial.witness[e] != NO_ID)
                break;
            trial.witness[e] = self->edges.items[cycle->edges[e]].witness;
        }
        if (e == cycle->length)
            break;
    }
    if (best.cost >= 1e9)
        return false;
    *cycle = best;
    return true;
}

bool edge_is_usable(const Analysis *self, const OrderEdge *edge) {
    const LockClass *from = &self->classes.items[edge->from], *to = &self->classes.items[edge->to];
    return self->options.no_semaphores || (!from->scheduling && !to->scheduling);
}

static void put_deadlock(Analysis *self, FindingList *list, const Cycle *cycle) {
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    const OrderEdge *first = &self->edges.items[cycle->edges[0]];
    u32 globals = 0, depth = 0, conditionals = 0, asserted = 0, twice = 0, limited = 0, corrected = 0;
    for (u32 e = 0; e < cycle->length; e++) {
        const OrderEdge *edge = &self->edges.items[cycle->edges[e]];
        Witness witness = self->witnesses.items[cycle->witness[e]];
        globals += self->classes.items[edge->from].global;
        depth += self->nodes.items[witness.node].depth;
        conditionals += self->nodes.items[witness.node].conditionals;
        asserted += (witness.held_flags & HELD_ASSERTED) != 0;
        corrected += (witness.flags & HELD_CORRECTED) != 0;
        FunctionId function = self->nodes.items[witness.node].function;
        twice += witness.held_site != NO_ID && self->sites.items[witness.held_site].function == function; // the function alone sees it, too
        limited |= self->entries[function] >= (self->options.lockset_limit ? self->options.lockset_limit : 100);
        finding_add_object(list, finding, class_text(self, edge->from));
        if (witness.held_site != NO_ID)
            finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, witness.held_site, 0)->side = e;
        finding_put_site(self, list, finding, ROLE_ACQUIRE, witness.node, witness.site, witness.held)->side = e;
    }
    finding->lock = findings_text(list, "%s", class_text(self, first->from));
    finding->object = findings_text(list, "%s", class_text(self, first->to));
    Buffer ring = {0};
    for (u32 e = 0; e <= cycle->length; e++)
        buffer_format(&ring, "%s%s", e ? " → " : "", class_text(self, self->edges.items[cycle->edges[e % cycle->length]].from));
    finding->message = findings_text(list, "%u threads can wait for each other: locks are taken in the order %.*s", cycle->length,
                                     (int)ring.size, ring.bytes);
    buffer_free(&ring);
    finding_add_number(list, finding, "threads", cycle->length);
    finding_add_number(list, finding, "global_locks", globals);
    finding_add_number(list, finding, "depth", depth);
    finding_add_number(list, finding, "conditionals", conditionals);
    finding_add_number(list, finding, "asserted", asserted);
    u32 most = 0, least = UINT32_MAX;
    for (u32 e = 0; e < cycle->length; e++) {
        u32 count = self->edges.items[cycle->edges[e]].count;
        most = count > most ? count : most;
        least = count < least ? count : least;
    }
    finding_add_number(list, finding, "most_common_order", most);
    finding_add_number(list, finding, "least_common_order", least);
    finding_add_number(list, finding, "derived_twice", twice);
    finding_add_number(list, finding, "limit_hit", limited);
    finding_add_number(list, finding, "corrections", corrected);
    finding_add_text(list, finding, "cause", "order");
}

typedef struct {
    Analysis *analysis;
    FindingList *list;
    U32Array *from; // by class: edges
    u32 found;
} Cycles;

static u32 edge_of(const Analysis *self, ClassId from, ClassId to) {
    u32 *found = map_get(&self->edge_index, (u64)from << 32 | to);
    return found && edge_is_usable(self, &self->edges.items[*found - 1]) ? *found - 1 : NO_ID;
}

static void try_cycle(Cycles *self, Cycle cycle) {
    if (self->found >= CYCLES_MOST || !choose_witnesses(self->analysis, &cycle, 0))
        return;
    self->found++;
    put_deadlock(self->analysis, self->list, &cycle);
}

static void cycles_from(Cycles *self, u32 index) {
    const Analysis *analysis = self->analysis;
    OrderEdge edge = analysis->edges.items[index];
    u32 back = edge_of(analysis, edge.to, edge.from);
    if (back != NO_ID) {
        if (edge.from < edge.to)
            try_cycle(self, (Cycle){.edges = {index, back}, .length = 2});
        return;
    }
    for (u32 i = 0; i < self->from[edge.to].count; i++) {
        u32 middle = self->from[edge.to].items[i];
        ClassId third = analysis->edges.items[middle].to;
        u32 last = edge_of(analysis, third, edge.from);
        bool shorter = edge_of(analysis, third, edge.to) != NO_ID || edge_of(analysis, edge.from, third) != NO_ID;
        if (last != NO_ID && !shorter && edge.from < edge.to && edge.from < third)
            try_cycle(self, (Cycle){.edges = {index, middle, last}, .length = 3});
    }
}

void find_deadlocks(Analysis *self, FindingList *out) {
    Cycles cycles = {self, out, must_zero(sizeof(U32Array) * (self->classes.count + 1)), 0};
    for (u32 e = 0; e < self->edges.count; e++)
        if (edge_is_usable(self, &self->edges.items[e]))
            array_push(&cycles.from[self->edges.items[e].from], e);
    for (u32 e = 0; e < self->edges.count; e++)
        if (edge_is_usable(self, &self->edges.items[e]))
            cycles_from(&cycles, e);
    for (u32 c = 0; c < self->classes.count; c++)
        array_free(&cycles.from[c]);
    free(cycles.from);
}
