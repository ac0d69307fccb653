// order.c: what all checks of locks say in the same words: contexts of nodes, sites with their locks and chains.
// In: nodes, lock sites, order edges. Out: by node the contexts it is reached from; sites of findings.
#include "racerx/facts/analysis.h"

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

// words -------------------------------------------------------------------------

static const char *function_text(const Analysis *self, FunctionId function) {
    return program_text(self->program, self->program->functions.items[function].name);
}

static const char *file_text(const Analysis *self, FunctionId function) {
    return function_path(self->program, function);
}

// A function of a chain, and the line where it calls the next one; 0: it is the last.
static void put_link(Analysis *self, FindingList *list, Site *site, FunctionId function, u32 line) {
    site_add_call(list, site, function_text(self, function), line ? file_text(self, function) : "", line);
}

// The first way that was found to a node, from the nearest root, plus 1; to a function behind a table, from there.
static u32 first_way(const Analysis *self, u32 node) {
    u32 slot = self->slots.count ? self->slot_of.items[self->nodes.items[node].function] : 0;
    u32 way = node < self->context_first.count ? self->context_first.items[node] : 0;
    if (!way && slot && self->slots.items[slot - 1].node != NO_ID)
        way = self->context_first.items[self->slots.items[slot - 1].node];
    while (way && self->way_contexts.items[way - 1].next)
        way = self->way_contexts.items[way - 1].next;
    return way;
}

// The nearest node up the chain of first calls that a way leads to, and that brings no locks along: these were taken on
// the chain of calls. NO_ID: none.
static u32 reached_node(const Analysis *self, u32 node) {
    while (node != NO_ID && (node >= self->walked_nodes || self->nodes.items[node].entry || !first_way(self, node)))
        node = self->nodes.items[node].parent;
    return node;
}

u32 node_depth(const Analysis *self, u32 node) {
    u32 top = reached_node(self, node), below = 0;
    if (top == NO_ID)
        return self->nodes.items[node].depth;
    for (; node != top; node = self->nodes.items[node].parent)
        below++;
    return self->way_contexts.items[first_way(self, top) - 1].depth + below;
}

// The calls of a way; `line`: where its last function calls on, 0: it does not; `more` calls are put after them.
static void put_way(Analysis *self, FindingList *list, Site *site, u32 way, u32 line, u32 more) {
    u32 chain[CHAIN_MOST], count = 0;
    for (u32 w = way + 1; w && !limit_cuts(LIMIT_CHAIN_MOST, count >= CHAIN_MOST);
         w = self->way_contexts.items[w - 1].from)
        chain[count++] = w - 1;
    const WayContext *start = count ? &self->way_contexts.items[chain[count - 1]] : NULL;
    u32 edge = start && !start->from ? start->start : 0;
    site_expect_calls(list, site, count + more + (edge != 0));
    if (edge) // an example of who calls through the slot
        put_link(self, list, site, self->nodes.items[self->edge_pairs.items[2 * (edge - 1)]].function,
                 self->edge_places.items[edge - 1].line);
    for (u32 i = count; i-- > 0;)
        put_link(self, list, site, self->nodes.items[self->way_contexts.items[chain[i]].node].function,
                 i ? self->way_contexts.items[chain[i - 1]].call.line : line);
}

void site_put_way(Analysis *self, FindingList *list, Site *site, u32 way) { put_way(self, list, site, way, 0, 0); }

void site_put_way_on(Analysis *self, FindingList *list, Site *site, u32 way, const u32 *calls, u32 count) {
    put_way(self, list, site, way, count ? self->edge_places.items[calls[0]].line : 0, count);
    for (u32 i = 0; i < count; i++)
        put_link(self, list, site, self->nodes.items[self->edge_pairs.items[2 * calls[i] + 1]].function,
                 i + 1 < count ? self->edge_places.items[calls[i + 1]].line : 0);
}

void site_put_chain(Analysis *self, FindingList *list, Site *site, u32 node) {
    u32 chain[CHAIN_MOST], count = 0, top = reached_node(self, node);
    for (; node != top && !limit_cuts(LIMIT_CHAIN_MOST, count >= CHAIN_MOST); node = self->nodes.items[node].parent)
        chain[count++] = node;
    if (top != NO_ID)
        put_way(self, list, site, first_way(self, top) - 1, count ? self->nodes.items[chain[count - 1]].call.line : 0,
                count);
    else
        site_expect_calls(list, site, count);
    for (u32 i = count; i-- > 0;)
        put_link(self, list, site, self->nodes.items[chain[i]].function,
                 i ? self->nodes.items[chain[i - 1]].call.line : 0);
}

FunctionId way_root(const Analysis *self, u32 way) { return self->nodes.items[way_first_node(self, way)].function; }

static void put_word(FindingList *list, Finding *finding, const char *word) {
    for (u32 i = 0; i < finding->features.count; i++) {
        Feature *feature = &finding->features.items[i];
        if (strcmp(feature->name, "marks"))
            continue;
        if (!strstr(feature->text, word))
            feature->text = findings_text(list, "%s %s", feature->text, word);
        return;
    }
    finding_add_text(list, finding, "marks", word);
}

void finding_put_marks(FindingList *list, Finding *finding, u32 marks, u32 uses) {
    for (const MarkRow *row = mark_rows; row->mark; row++)
        if (marks & row->mark && row->uses & uses)
            put_word(list, finding, row->word);
}

Site *finding_put_site(Analysis *self, FindingList *list, Finding *finding, SiteRole role, u32 node, u32 place_site,
                       LocksetId held) {
    const LockSite *where = &self->sites.items[place_site];
    Site *site = finding_add_site(list, finding, role, function_text(self, where->function),
                                  file_text(self, where->function), where->place.line, where->place.column);
    site->object = findings_text(list, "%s", where->class ? class_text(self, where->class) : "");
    u32 count;
    const Held *locks = lockset_held(&self->locksets, held, &count);
    for (u32 i = 0; i < count; i++) {
        if (self->classes.items[locks[i].class].thread)
            continue;
        u32 place = lock_site(self, node, &locks[i]);
        const LockSite *taken = place == NO_ID ? NULL : &self->sites.items[place];
        site_add_lock(list, site, class_text(self, locks[i].class), taken ? file_text(self, taken->function) : "",
                      taken ? taken->place.line : 0);
    }
    if (node != NO_ID) {
        site->conditionals = self->nodes.items[node].conditionals;
        site_put_chain(self, list, site, node);
    }
    finding_put_marks(list, finding, self->program->functions.items[where->function].marks, MARKS_TOLD);
    return site;
}

FunctionId node_root(const Analysis *self, u32 node) {
    while (self->nodes.items[node].parent != NO_ID)
        node = self->nodes.items[node].parent;
    return self->nodes.items[node].function;
}

bool edge_is_usable(const Analysis *self, const OrderEdge *edge) {
    const LockClass *from = &self->classes.items[edge->from], *to = &self->classes.items[edge->to];
    return self->options.no_semaphores || (!from->scheduling && !to->scheduling);
}
