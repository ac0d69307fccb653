// interrupts.c: a lock that a handler takes, and that is taken where the handler can interrupt.
// In: acquisitions by node, calls between nodes. Out: findings of kind irq-deadlock, with a chain for both sides.
// Idea: a context travels down the calls with a price, which wide and guessed calls raise. A handler's side must be
// reached from a handler by sure calls, through functions that do not sleep themselves, nor keep bottom halves away
// from an interrupt: those were not written for such handlers. The other side is excused only where handlers come to
// the function cheaper than others do. How others take the lock, with handlers away or not, says what the programmers
// believed.
#include "racerx/facts/analysis.h"

#define PRICE_WIDE 4 // for each doubling of a call's targets
#define SURE_COST 2  // of a call that is followed from a handler: two targets, not guessed

// The cheapest way from some roots to every node.
typedef struct {
    u8 *price;  // by node; PRICE_MOST + 1: none
    u32 *calls; // by node: the call that came there, as an index of edge_…; NO_ID: a root
} HandlerWays;

typedef struct {
    u32 contexts;                     // of handlers that interrupt
    u32 roots;                        // contexts of roots that are no better than those handlers
    ClassId off[2];                   // states of the CPU that keep them away
    const char *taken;                // with what on it is taken, in words
    HandlerWays handlers, may, plain; // by sure calls from handlers; by any; from others, with the handlers let in
    u8 *may_come;                     // by function: the least price of `may` in any of its nodes
} Interruption;

// Functions that are no handlers, by how they take a lock: with handlers away, and let in.
typedef struct {
    u32 away, let_in;
} Believers;

typedef struct {
    Analysis *analysis;
    u32 nodes;            // before anything adds copies
    u32 *first, *edges;   // by node: its calls
    u32 *by_class, *next; // by class: its first acquisition; by acquisition: the next one
    u8 *sleeps;           // by node: it may sleep itself
    u8 *softens;          // by function: takes a lock and keeps bottom halves away, which an interrupt has no use for
    u32 *counted[2];      // by function: 1 + the class it was last counted for, as taking it with handlers away, let in
    U32Array queues[PRICE_MOST + 1];
} HandlerSearch;

static bool holds_any(const Analysis *self, LocksetId set, const ClassId *classes) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set == NO_ID ? 0 : set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == classes[0] || held[i].class == classes[1])
            return true;
    return false;
}

// ways ------------------------------------------------------------------------------

typedef enum { FROM_HANDLERS, FROM_HANDLERS_PERHAPS, FROM_OTHERS } From;

static bool is_origin(const HandlerSearch *self, u32 node, const Interruption *how, From origin) {
    const Node *info = &self->analysis->nodes.items[node];
    u32 contexts = self->analysis->program->functions.items[info->function].contexts & ~(1u << CONTEXT_NONE);
    if (!info->is_root && info->parent != NO_ID)
        return false;
    if (origin != FROM_OTHERS)
        return (contexts & (origin == FROM_HANDLERS ? how->contexts : how->roots)) != 0;
    return contexts != 1u << CONTEXT_INIT && (!contexts || (contexts & ~how->roots)) &&
           !holds_any(self->analysis, info->entry, how->off);
}

static bool is_followed(const HandlerSearch *self, u32 edge, const Interruption *how, From origin) {
    const Analysis *analysis = self->analysis;
    if (origin == FROM_HANDLERS)
        return analysis->edge_costs.items[edge] <= SURE_COST;
    return origin == FROM_HANDLERS_PERHAPS ||
           (!holds_any(analysis, analysis->edge_ambient.items[edge], how->off) &&
            !holds_any(analysis, analysis->nodes.items[analysis->edge_pairs.items[2 * edge + 1]].entry, how->off));
}

static bool is_for_handlers(const HandlerSearch *self, u32 node, const Interruption *how) {
    bool hard = how->off[1] == CLASS_INTERRUPTS;
    return !self->sleeps[node] && !(hard && self->softens[self->analysis->nodes.items[node].function]);
}

static void put_way(HandlerSearch *self, HandlerWays *ways, u32 node, u32 price, u32 edge, const Interruption *how,
                    From origin) {
    if (ways->price[node] <= price || (origin == FROM_HANDLERS && !is_for_handlers(self, node, how)) ||
        limit_cuts(LIMIT_PRICE_MOST, price > PRICE_MOST))
        return;
    ways->price[node] = (u8)price;
    ways->calls[node] = edge;
    array_push(&self->queues[price], node);
}

static void fill_one(HandlerSearch *self, HandlerWays *ways, const Interruption *how, From origin) {
    const Analysis *analysis = self->analysis;
    ways->price = must_alloc(self->nodes + 1);
    ways->calls = must_alloc(sizeof(u32) * (self->nodes + 1));
    memset(ways->price, PRICE_MOST + 1, self->nodes + 1);
    for (u32 p = 0; p <= PRICE_MOST; p++)
        self->queues[p].count = 0;
    for (u32 n = 0; n < self->nodes; n++)
        if (is_origin(self, n, how, origin))
            put_way(self, ways, n, 0, NO_ID, how, origin);
    for (u32 p = 0; p <= PRICE_MOST; p++)
        for (u32 q = 0; q < self->queues[p].count; q++) {
            u32 node = self->queues[p].items[q];
            for (u32 i = self->first[node]; ways->price[node] == p && i < self->first[node + 1]; i++) {
                u32 edge = self->edges[i], cost = analysis->edge_costs.items[edge];
                if (is_followed(self, edge, how, origin))
                    put_way(self, ways, analysis->edge_pairs.items[2 * edge + 1], p + 1 + PRICE_WIDE * (cost - 1), edge,
                            how, origin);
            }
        }
}

static void ways_free(HandlerWays *self) {
    free(self->price);
    free(self->calls);
}

static bool softens(const Analysis *self, FunctionId function) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            const LockEffect *effect = self->operations.items[skeleton->steps[s].effect + i].effect;
            if (effect->kind == EFFECT_ACQUIRE && effect->disables == DISABLES_SOFTIRQS)
                return true;
        }
    return false;
}

static void search_begin(HandlerSearch *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count, edges = analysis->edge_steps.count, classes = analysis->classes.count;
    *self = (HandlerSearch){.analysis = analysis, .nodes = nodes};
    self->first = must_zero(sizeof(u32) * (nodes + 2u));
    self->edges = must_alloc(sizeof(u32) * (edges + 1u));
    for (u32 e = 0; e < edges; e++)
        self->first[analysis->edge_pairs.items[2 * e] + 2]++;
    for (u32 n = 2; n < nodes + 2; n++)
        self->first[n] += self->first[n - 1];
    for (u32 e = 0; e < edges; e++)
        self->edges[self->first[analysis->edge_pairs.items[2 * e] + 1]++] = e;
    self->by_class = must_alloc(sizeof(u32) * (classes + 1u));
    self->next = must_alloc(sizeof(u32) * (analysis->acquisitions.count + 1u));
    memset(self->by_class, 0xff, sizeof(u32) * (classes + 1u));
    self->sleeps = must_zero(nodes + 1u);
    self->softens = must_zero(analysis->program->functions.count + 1u);
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        self->softens[f] = softens(analysis, f);
    self->counted[0] = must_zero(sizeof(u32) * 2 * (analysis->program->functions.count + 1u));
    self->counted[1] = self->counted[0] + analysis->program->functions.count + 1;
    for (u32 i = analysis->acquisitions.count; i-- > 0;) {
        const Acquisition *taken = &analysis->acquisitions.items[i];
        ClassId class = taken->class;
        if (taken->sleeps && taken->node < nodes && !(taken->flags & HELD_TRY))
            self->sleeps[taken->node] = 1;
        self->next[i] = self->by_class[class];
        self->by_class[class] = i;
    }
}

static void search_end(HandlerSearch *self) {
    free(self->first);
    free(self->edges);
    free(self->by_class);
    free(self->next);
    free(self->sleeps);
    free(self->softens);
    free(self->counted[0]);
    for (u32 p = 0; p <= PRICE_MOST; p++)
        array_free(&self->queues[p]);
}

// findings --------------------------------------------------------------------------

static u32 put_side(HandlerSearch *self, FindingList *list, Finding *finding, const Acquisition *taken,
                    const HandlerWays *ways) {
    Analysis *analysis = self->analysis;
    u32 chain[CHAIN_MOST], count = 0;
    Site *site = finding_put_site(analysis, list, finding, ROLE_ACQUIRE, NO_ID, taken->site, taken->held);
    u32 node = taken->node;
    for (; ways->calls[node] != NO_ID && !limit_cuts(LIMIT_CHAIN_MOST, count >= CHAIN_MOST);
         node = analysis->edge_pairs.items[2 * ways->calls[node]])
        chain[count++] = ways->calls[node];
    const Program *program = analysis->program;
    for (u32 i = count; i-- > 0;) {
        FunctionId caller = analysis->nodes.items[analysis->edge_pairs.items[2 * chain[i]]].function;
        site_add_call(list, site, program_text(program, program->functions.items[caller].name),
                      function_path(program, caller), analysis->edge_places.items[chain[i]].line);
    }
    FunctionId last = analysis->nodes.items[taken->node].function;
    site_add_call(list, site, program_text(program, program->functions.items[last].name), "", 0);
    return count;
}

// Is it known how control comes to the root of the way: was it registered somewhere, or is it called through a table?
static bool is_known_root(const HandlerSearch *self, const HandlerWays *ways, u32 node) {
    const Analysis *analysis = self->analysis;
    while (ways->calls[node] != NO_ID)
        node = analysis->edge_pairs.items[2 * ways->calls[node]];
    const Node *root = &analysis->nodes.items[node];
    return root->is_slot || (analysis->program->functions.items[root->function].contexts & ~(1u << CONTEXT_NONE));
}

static void put_irq(HandlerSearch *self, FindingList *list, const Interruption *how, ClassId class, u32 plain,
                    u32 handler, Believers believers) {
    Analysis *analysis = self->analysis;
    const Acquisition *a = &analysis->acquisitions.items[plain], *b = &analysis->acquisitions.items[handler];
    Finding *finding = findings_add(list, KIND_IRQ_DEADLOCK);
    const char *lock = class_text(analysis, class);
    finding->message = findings_text(
        list, "%s is taken with %s on, and by a handler that can interrupt there and then spins on it for ever", lock,
        how->taken);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    u32 calls = put_side(self, list, finding, a, &how->plain), more = put_side(self, list, finding, b, &how->handlers);
    finding_add_number(list, finding, "depth", calls);
    finding_add_number(list, finding, "handler_calls", more);
    finding_add_number(list, finding, "plain_price", how->plain.price[a->node]);
    finding_add_number(list, finding, "handler_price", how->handlers.price[b->node]);
    finding_add_number(list, finding, "known_root", is_known_root(self, &how->plain, a->node));
    finding_add_number(list, finding, "same_place", a->site == b->site);
    finding_add_number(list, finding, "taken_away", believers.away);
    finding_add_number(list, finding, "taken_let_in", believers.let_in);
    finding_add_number(list, finding, "global_locks", analysis->classes.items[class].global);
    finding_add_number(list, finding, "same_file",
                       analysis->program->functions.items[analysis->nodes.items[a->node].function].file ==
                           analysis->program->functions.items[analysis->nodes.items[b->node].function].file);
}

static bool is_cheaper(const HandlerSearch *self, const HandlerWays *ways, u32 a, u32 b) {
    const Acquisition *x = &self->analysis->acquisitions.items[a], *y = &self->analysis->acquisitions.items[b];
    if (ways->price[x->node] != ways->price[y->node])
        return ways->price[x->node] < ways->price[y->node];
    const Program *program = self->analysis->program;
    FunctionId f = self->analysis->nodes.items[x->node].function, g = self->analysis->nodes.items[y->node].function;
    int order = strcmp(program_text(program, program->functions.items[f].name),
                       program_text(program, program->functions.items[g].name));
    if (order)
        return order < 0;
    return self->analysis->sites.items[x->site].place.line < self->analysis->sites.items[y->site].place.line;
}

// Is it taken where the handler can come, by somebody who is no handler himself?
static bool is_interruptible(const HandlerSearch *self, const Acquisition *taken, const Interruption *how) {
    const Analysis *analysis = self->analysis;
    return how->plain.price[taken->node] <= PRICE_MOST && !holds_any(analysis, taken->held, how->off) &&
           how->plain.price[taken->node] <= how->may_come[analysis->nodes.items[taken->node].function] &&
           !holds_any(analysis, analysis->node_must[taken->node], how->off);
}

static void keep_cheaper(const HandlerSearch *self, const HandlerWays *ways, u32 *best, u32 taken) {
    if (*best == NO_ID || is_cheaper(self, ways, taken, *best))
        *best = taken;
}

// Counts the function once for each way of taking it.
static void count_believer(HandlerSearch *self, const Interruption *how, u32 i, Believers *out) {
    const Analysis *analysis = self->analysis;
    const Acquisition *taken = &analysis->acquisitions.items[i];
    FunctionId function = analysis->nodes.items[taken->node].function;
    bool let_in = is_interruptible(self, taken, how);
    if (!let_in && (how->handlers.price[taken->node] <= PRICE_MOST || !holds_any(analysis, taken->held, how->off)))
        return;
    if (self->counted[let_in][function] == taken->class + 1)
        return;
    self->counted[let_in][function] = taken->class + 1;
    *(let_in ? &out->let_in : &out->away) += 1;
}

// Readers do not wait for each other: one side takes it as a writer. [1]: of those that write.
static bool find_interruption(HandlerSearch *self, FindingList *out, ClassId class, const Interruption *how) {
    u32 handler[2] = {NO_ID, NO_ID}, plain[2] = {NO_ID, NO_ID};
    Believers believers = {0};
    for (u32 i = self->by_class[class]; i != NO_ID; i = self->next[i]) {
        const Acquisition *taken = &self->analysis->acquisitions.items[i];
        bool writes = !(taken->flags & HELD_SHARED);
        if (taken->node >= self->nodes || (taken->flags & HELD_TRY))
            continue;
        count_believer(self, how, i, &believers);
        for (u32 w = 0; w <= writes && how->handlers.price[taken->node] <= PRICE_MOST; w++)
            keep_cheaper(self, &how->handlers, &handler[w], i);
        for (u32 w = 0; w <= writes && !(taken->flags & HELD_LOOKS) && is_interruptible(self, taken, how); w++)
            keep_cheaper(self, &how->plain, &plain[w], i);
    }
    bool read = plain[0] != NO_ID && handler[1] != NO_ID, write = plain[1] != NO_ID && handler[0] != NO_ID;
    if (write)
        put_irq(self, out, how, class, plain[1], handler[0], believers);
    else if (read)
        put_irq(self, out, how, class, plain[0], handler[1], believers);
    return write || read;
}

static void interruption_fill(HandlerSearch *self, Interruption *how) {
    fill_one(self, &how->handlers, how, FROM_HANDLERS);
    fill_one(self, &how->may, how, FROM_HANDLERS_PERHAPS);
    fill_one(self, &how->plain, how, FROM_OTHERS);
    const Analysis *analysis = self->analysis;
    how->may_come = must_alloc(analysis->program->functions.count + 1u);
    memset(how->may_come, PRICE_MOST + 1, analysis->program->functions.count + 1u);
    for (u32 n = 0; n < self->nodes; n++) {
        u8 *least = &how->may_come[analysis->nodes.items[n].function];
        *least = how->may.price[n] < *least ? how->may.price[n] : *least;
    }
}

static void interruption_free(Interruption *how) {
    ways_free(&how->handlers);
    ways_free(&how->may);
    ways_free(&how->plain);
    free(how->may_come);
}

// requires: the walk, node_must.
void find_interruptions(Analysis *analysis, FindingList *out) {
    const u32 interrupt = 1u << CONTEXT_INTERRUPT, later = 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    Interruption hard = {interrupt, interrupt, {CLASS_INTERRUPTS, CLASS_INTERRUPTS}, "interrupts", {0}, {0}, {0}, NULL};
    Interruption soft = {later, interrupt | later, {CLASS_INTERRUPTS, CLASS_SOFTIRQS}, "bottom halves", {0}, {0}, {0},
                         NULL};
    HandlerSearch self;
    search_begin(&self, analysis);
    interruption_fill(&self, &hard);
    interruption_fill(&self, &soft);
    for (ClassId class = CLASS_FIRST; class < analysis->classes.count; class ++)
        if (lock_has(analysis->classes.items[class].kind, TRAIT_SPINS) && !analysis->classes.items[class].parameter &&
            !analysis->classes.items[class].vague && !find_interruption(&self, out, class, &hard))
            find_interruption(&self, out, class, &soft);
    interruption_free(&hard);
    interruption_free(&soft);
    search_end(&self);
}
