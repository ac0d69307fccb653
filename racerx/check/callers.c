// callers.c: of a function that some call with a lock held and others without, who does which.
// In: calls between nodes, the ways that lead to the callers. Out: counts of call sites, and those without the lock.
// The idea: a helper that does not lock is one place, but not one opinion. Each of its callers decides whether to hold
// the lock, and they are the ones who can be right or wrong. A call whose function neither takes the lock nor is always
// entered without it decides nothing: those who called are asked. What is held from far above is one opinion at most.
// Invariant: a helper with more callers than are asked has none: it stays one place that is both.
#include "racerx/check/races.h"

#define ASKED_DEEP 3  // callers of callers
#define CALL_NARROW 2 // what a call costs at most that is sure enough to be somebody's decision

typedef struct {
    FunctionId function; // that calls
    Place place;
    u32 way;  // of the function, without the lock: Analysis.way_contexts, plus 1; 0: none
    u32 edge; // by which it then calls
    bool with, without;
    bool takes; // the lock is not held yet where its function begins
} Caller;

typedef struct {
    const Analysis *analysis;
    ClassId lock;
    CallerCount count;
    U32Array *without; // pairs: a call (edge_…) without the lock, its function's way; NULL: not asked for
    FunctionId asked[CALLERS_ASKED]; // each is asked once
    u32 asked_count;
    u32 depth;
    bool cut;
    bool far; // somebody farther above holds it
} Asking;

// requires: the walk. fills: caller_first, caller_calls.
void fill_callers(Analysis *self) {
    u32 functions = self->program->functions.count, edges = self->edge_steps.count;
    array_reserve(&self->caller_first, functions + 2);
    array_reserve(&self->caller_calls, edges + 1);
    u32 *first = self->caller_first.items;
    memset(first, 0, sizeof(u32) * (functions + 2u));
    for (u32 e = 0; e < edges; e++)
        first[self->nodes.items[self->edge_pairs.items[2 * e + 1]].function + 2]++;
    for (u32 f = 2; f < functions + 2; f++)
        first[f] += first[f - 1];
    for (u32 e = 0; e < edges; e++)
        self->caller_calls.items[first[self->nodes.items[self->edge_pairs.items[2 * e + 1]].function + 1]++] = e;
}

static bool holds(const Analysis *self, LocksetId set, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (is_same_lock(self, held[i].class, lock) || class_covers(self, held[i].class, lock))
            return true;
    return false;
}

// Does the caller say that what it hands over is still nobody else's?
static bool hands_fresh(const Analysis *self, const Node *callee) {
    const u32 *run = self->bindings.items + callee->binding;
    for (u32 i = 0; callee->binding && i < run[0]; i++)
        if (run[1 + 2 * i] >> 8 == BIND_FRESH)
            return true;
    return false;
}

// Is it somebody's decision to make this call with or without locks?
static bool decides(const Analysis *self, u32 edge) {
    const Node *caller = &self->nodes.items[self->edge_pairs.items[2 * edge]],
               *callee = &self->nodes.items[self->edge_pairs.items[2 * edge + 1]];
    const u32 aside = MARK_INIT | MARK_EXIT | MARK_SINGLE_THREADED | MARK_TEST | MARK_IGNORED;
    return self->edge_steps.items[edge] && self->edge_costs.items[edge] <= CALL_NARROW &&
           caller->function != callee->function && !hands_fresh(self, callee) &&
           !(self->program->functions.items[caller->function].marks & aside);
}

// Do two functions call it, neither of them start-up or a test?
bool has_two_callers(const Analysis *self, FunctionId callee) {
    FunctionId first = NO_ID;
    for (u32 c = self->caller_first.items[callee]; c < self->caller_first.items[callee + 1]; c++) {
        u32 edge = self->caller_calls.items[c];
        FunctionId caller = self->nodes.items[self->edge_pairs.items[2 * edge]].function;
        if (decides(self, edge) && first != NO_ID && first != caller)
            return true;
        if (decides(self, edge))
            first = caller;
    }
    return false;
}

static bool is_alone(const Analysis *self, const WayContext *way) {
    return !(self->roots.items[way->root].contexts & ~(1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE));
}

static void look(const Asking *self, Caller *site, u32 edge) {
    const Analysis *analysis = self->analysis;
    u32 caller = analysis->edge_pairs.items[2 * edge], callee = analysis->edge_pairs.items[2 * edge + 1];
    bool here = holds(analysis, analysis->edge_ambient.items[edge], self->lock) ||
                holds(analysis, analysis->nodes.items[callee].entry, self->lock);
    for (u32 w = analysis->context_first.items[caller]; w; w = analysis->way_contexts.items[w - 1].next) {
        const WayContext *way = &analysis->way_contexts.items[w - 1];
        if (is_alone(analysis, way))
            continue;
        bool above = holds(analysis, way->set, self->lock), with = here || above;
        site->with |= with;
        site->takes |= here && !above && !holds(analysis, analysis->nodes.items[caller].entry, self->lock);
        if (!with && !way->wide && !site->without)
            site->way = w, site->edge = edge;
        site->without |= !with && !way->wide;
    }
}

static Caller *site_of(Caller *sites, u32 *count, FunctionId function, Place place) {
    for (u32 i = 0; i < *count; i++)
        if (sites[i].function == function && sites[i].place.line == place.line && sites[i].place.column == place.column)
            return &sites[i];
    if (limit_cuts(LIMIT_CALLERS_ASKED, *count >= CALLERS_ASKED))
        return NULL;
    sites[*count] = (Caller){.function = function, .place = place};
    return &sites[(*count)++];
}

static bool was_asked(Asking *self, FunctionId function) {
    for (u32 i = 0; i < self->asked_count; i++)
        if (self->asked[i] == function)
            return true;
    self->cut |= limit_cuts(LIMIT_CALLERS_ASKED, self->asked_count >= CALLERS_ASKED);
    return self->cut;
}

static void ask(Asking *self, FunctionId callee) {
    const Analysis *analysis = self->analysis;
    Caller sites[CALLERS_ASKED];
    u32 count = 0;
    self->asked[self->asked_count++] = callee;
    self->depth++;
    for (u32 i = analysis->caller_first.items[callee]; i < analysis->caller_first.items[callee + 1]; i++) {
        u32 edge = analysis->caller_calls.items[i];
        if (!decides(analysis, edge))
            continue;
        FunctionId caller = analysis->nodes.items[analysis->edge_pairs.items[2 * edge]].function;
        Caller *site = site_of(sites, &count, caller, analysis->edge_places.items[edge]);
        self->cut |= !site;
        if (self->cut)
            break;
        look(self, site, edge);
    }
    for (u32 i = 0; i < count && !self->cut; i++) {
        if (sites[i].with && !sites[i].takes) {
            self->far |= self->depth == ASKED_DEEP;
            if (self->depth < ASKED_DEEP && !was_asked(self, sites[i].function))
                ask(self, sites[i].function);
            continue;
        }
        self->count.with += sites[i].with;
        self->count.without += sites[i].without && !sites[i].with;
        if (sites[i].without && !sites[i].with && self->without) {
            array_push(self->without, sites[i].edge);
            array_push(self->without, sites[i].way - 1);
        }
    }
    self->depth--;
}

CallerCount count_callers(Analysis *self, FunctionId callee, ClassId lock) {
    bool fresh;
    u32 *known = map_put(&self->called, (u64)callee << 32 | lock, &fresh);
    if (fresh) {
        Asking asking = {.analysis = self, .lock = lock};
        ask(&asking, callee);
        u32 with = asking.count.with < 0xffff ? asking.count.with : 0xffff,
            without = asking.count.without < 0xffff ? asking.count.without : 0xffff;
        with += asking.far && with < 0xffff;
        *known = asking.cut ? 0 : with << 16 | without;
    }
    return (CallerCount){*known >> 16, *known & 0xffff};
}

void callers_without(const Analysis *self, FunctionId callee, ClassId lock, U32Array *out) {
    Asking asking = {.analysis = self, .lock = lock, .without = out};
    ask(&asking, callee);
    if (asking.cut)
        out->count = 0;
}

#define CALLERS_SHOWN 4 // of a helper, that do not hold the lock

// The calls of a helper without the lock that others call it with: there the mistake is made, if it is one.
void put_callers(Analysis *analysis, FindingList *list, Finding *finding, const Race *race) {
    ClassId lock = race->belief.lock;
    FunctionId helper = analysis->accesses.items[race->suspect->access].function;
    CallerCount callers = count_callers(analysis, helper, lock);
    if (race->evidence || !lock || !callers.with || !is_also_held(analysis, &race->belief, race->suspect))
        return;
    U32Array calls = {0};
    callers_without(analysis, helper, lock, &calls);
    for (u32 i = 0; i < calls.count && i < 2 * CALLERS_SHOWN; i += 2) {
        u32 edge = calls.items[i], node = analysis->edge_pairs.items[2 * edge],
            callee = analysis->nodes.items[analysis->edge_pairs.items[2 * edge + 1]].function;
        FunctionId caller = analysis->nodes.items[node].function;
        Place place = analysis->edge_places.items[edge];
        Site *site = finding_add_site(list, finding, ROLE_CALL,
                                      program_text(analysis->program, analysis->program->functions.items[caller].name),
                                      function_path(analysis->program, caller), place.line, place.column);
        site->object =
            findings_text(list, "%s", program_text(analysis->program, analysis->program->functions.items[callee].name));
        site->note = findings_text(list, "without %s, which %u of %u callers hold", class_text(analysis, lock),
                                   callers.with, callers.with + callers.without);
        site_put_way(analysis, list, site, calls.items[i + 1]);
    }
    array_free(&calls);
}
