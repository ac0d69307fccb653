// order.c: in which order functions are summarised: components of calls that count, callees first, in levels.
// In: call sites. Out: SummaryOrder; and the table of how large components are by which calls are followed.
// Invariant: what a component calls, other than itself, is at a lower level; so the components of one level can be
// summarised at the same time.
#include "racerx/summary/summary.h"

// Is a call followed?
static bool is_kept(const CallSite *site, GraphKind kind) {
    switch (kind) {
    case GRAPH_NAMED: return !site->indirect;
    case GRAPH_NARROW: return call_is_narrow(site);
    case GRAPH_SURE: return !site->indirect || !site->guessed;
    default: return true;
    }
}

const char *const graph_words[GRAPHS] = {
    [GRAPH_NAMED] = "calls by name only",
    [GRAPH_NARROW] = "with at most four targets",
    [GRAPH_SURE] = "without guesses",
    [GRAPH_ALL] = "all",
};

// The graph in rows; a callee may stand there several times. The caller frees both.
static void build_graph(const Program *program, GraphKind kind, u32 **first, u32 **edges) {
    u32 count = program->functions.count, next = 0;
    u64 most = 0;
    for (u32 i = 0; i < program->calls.count; i++)
        most += is_kept(&program->calls.items[i], kind) ? program->calls.items[i].target_count : 0;
    check(most < UINT32_MAX);
    *first = must_zero(sizeof(u32) * (count + 2u));
    *edges = must_alloc(sizeof(u32) * (most + 1));
    for (u32 f = 0; f < count; f++) {
        const ProgramFunction *function = &program->functions.items[f];
        (*first)[f] = next;
        for (u32 c = 0; c < function->call_count; c++) {
            const CallSite *site = &program->calls.items[function->call + c];
            for (u32 t = 0; is_kept(site, kind) && t < site->target_count; t++)
                (*edges)[next++] = program->targets.items[site->target + t];
        }
    }
    (*first)[count] = next;
}

// order ---------------------------------------------------------------------------

static void fill_members(SummaryOrder *self, u32 functions) {
    self->first = must_zero(sizeof(u32) * (self->count + 2u));
    self->members = must_alloc(sizeof(u32) * (functions + 1u));
    for (u32 f = 0; f < functions; f++)
        self->first[self->component[f] + 2]++;
    for (u32 c = 2; c < self->count + 2; c++)
        self->first[c] += self->first[c - 1];
    for (u32 f = 0; f < functions; f++)
        self->members[self->first[self->component[f] + 1]++] = f;
}

// The level of a component is one more than the highest that it calls; callees have lower numbers.
static u32 *find_levels(SummaryOrder *self, const u32 *first, const u32 *edges) {
    u32 *level = must_zero(sizeof(u32) * (self->count + 1u));
    self->circle = must_zero(sizeof(bool) * (self->count + 1u));
    for (u32 c = 0; c < self->count; c++)
        for (u32 m = self->first[c]; m < self->first[c + 1]; m++)
            for (u32 e = first[self->members[m]]; e < first[self->members[m] + 1]; e++) {
                u32 below = self->component[edges[e]];
                check(below <= c);
                self->circle[c] |= below == c;
                if (below != c && level[below] + 1 > level[c])
                    level[c] = level[below] + 1;
            }
    return level;
}

static void fill_levels(SummaryOrder *self, const u32 *level) {
    for (u32 c = 0; c < self->count; c++)
        self->level_count = level[c] + 1 > self->level_count ? level[c] + 1 : self->level_count;
    self->level_first = must_zero(sizeof(u32) * (self->level_count + 2u));
    self->by_level = must_alloc(sizeof(u32) * (self->count + 1u));
    for (u32 c = 0; c < self->count; c++)
        self->level_first[level[c] + 2]++;
    for (u32 l = 2; l < self->level_count + 2; l++)
        self->level_first[l] += self->level_first[l - 1];
    for (u32 c = 0; c < self->count; c++)
        self->by_level[self->level_first[level[c] + 1]++] = c;
}

void fill_summary_order(SummaryOrder *self, const Program *program) {
    u32 *first, *edges, functions = program->functions.count;
    *self = (SummaryOrder){.component = must_alloc(sizeof(u32) * (functions + 1u))};
    build_graph(program, GRAPH_NARROW, &first, &edges);
    self->count = fill_components(functions, first, edges, self->component);
    fill_members(self, functions);
    u32 *level = find_levels(self, first, edges);
    fill_levels(self, level);
    free(level);
    free(first);
    free(edges);
}

void summary_order_free(SummaryOrder *self) {
    free(self->component);
    free(self->first);
    free(self->members);
    free(self->circle);
    free(self->level_first);
    free(self->by_level);
    *self = (SummaryOrder){0};
}

// the table -----------------------------------------------------------------------

static void count_targets(const Program *program, GraphKind kind, GraphRow *row) {
    u64 targets = 0;
    for (u32 i = 0; i < program->calls.count; i++) {
        const CallSite *site = &program->calls.items[i];
        if (!site->indirect || !site->target_count || !is_kept(site, kind))
            continue;
        row->kept++;
        targets += site->target_count;
        row->most = site->target_count > row->most ? site->target_count : row->most;
    }
    row->mean = row->kept ? (double)targets / (double)row->kept : 0;
}

static void count_components(const Program *program, GraphKind kind, GraphRow *row) {
    u32 *first, *edges, functions = program->functions.count, inside = 0;
    u32 *component = must_alloc(sizeof(u32) * (functions + 1u));
    build_graph(program, kind, &first, &edges);
    row->components = fill_components(functions, first, edges, component);
    u32 *size = must_zero(sizeof(u32) * (row->components + 1u));
    for (u32 f = 0; f < functions; f++)
        size[component[f]]++;
    for (u32 c = 0; c < row->components; c++) {
        row->largest = size[c] > row->largest ? size[c] : row->largest;
        row->circles += size[c] > 1;
        inside += size[c] > 1 ? size[c] : 0;
    }
    row->circle_mean = row->circles ? (double)inside / row->circles : 0;
    free(size);
    free(component);
    free(first);
    free(edges);
}

void fill_graph_rows(const Program *program, GraphRow rows[GRAPHS]) {
    for (u32 k = 0; k < GRAPHS; k++) {
        rows[k] = (GraphRow){0};
        count_targets(program, k, &rows[k]);
        count_components(program, k, &rows[k]);
    }
}
