// sides.c: who makes the edges of a circle of locks, and whether they can all do it at the same time.
// In: witnesses of the edges, the ways that lead to them (context.c). Out: for a circle its sides, cheapest first.
//
// A side is a witness on one way: the thread it runs in, and all the locks held there, those of callers far above, too.
// Two sides cannot meet when they hold a lock in common (a gate; or a lock of the circle: then the second one waits
// with the first one's lock held, which is not an order of two threads), when both are one thread that exists once, or
// when one is over before the other begins. In a circle of any length every two must be able to meet.
#include "racerx/check/circles.h"

void sides_begin(Sides *self, Analysis *analysis) {
    *self = (Sides){.analysis = analysis};
    stretches_begin(&self->search, analysis);
    self->ranges = must_zero(sizeof(SideRange) * (analysis->edges.count + 1));
    self->known = must_zero(analysis->edges.count + 1);
    self->words = must_zero(sizeof(u32) * (analysis->classes.count + 1));
    for (ClassId id = CLASS_FIRST; id < analysis->classes.count; id++)
        self->words[analysis->classes.items[id].base]++;
    self->words[CLASS_NONE] = 0;
}

void sides_end(Sides *self) {
    stretches_end(&self->search);
    array_free(&self->stretches);
    array_free(&self->all);
    free(self->ranges);
    free(self->known);
    free(self->words);
    array_free(&self->rivals);
    map_free(&self->meetings);
}

// sides -------------------------------------------------------------------------

// How far the witness is, the way to it left out.
static double witness_cost(const Analysis *self, const Witness *witness) {
    const Node *node = &self->nodes.items[witness->node];
    const LockSite *held = witness->held_site == NO_ID ? NULL : &self->sites.items[witness->held_site];
    double cost = 0;
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
    const Program *program = self->program;
    int order = strcmp(program_text(program, program->functions.items[x->function].name),
                       program_text(program, program->functions.items[y->function].name));
    order = order ? order : strcmp(function_path(program, x->function), function_path(program, y->function));
    if (order || x->place.line == y->place.line)
        return order;
    return x->place.line < y->place.line ? -1 : 1;
}

static int compare_witnesses(const Analysis *self, u32 a, u32 b) {
    int order = compare_lock_sites(self, self->witnesses.items[a].site, self->witnesses.items[b].site);
    return order ? order
                 : compare_lock_sites(self, self->witnesses.items[a].held_site, self->witnesses.items[b].held_site);
}

u32 best_witness(const Analysis *self, const OrderEdge *edge) {
    u32 best = NO_ID;
    double least = 0;
    for (u32 w = edge->witness; w != NO_ID; w = self->witnesses.items[w].next) {
        const Witness *witness = &self->witnesses.items[w];
        double cost = witness_cost(self, witness) + self->nodes.items[witness->node].depth;
        if (best != NO_ID && (cost > least || (cost == least && compare_witnesses(self, w, best) >= 0)))
            continue;
        best = w;
        least = cost;
    }
    return best;
}

// A function on the way of a side; false: it is not built with another on it.
static bool add_rival(Sides *self, u32 run, u32 node) {
    const Program *program = self->analysis->program;
    FileId file = program->functions.items[self->analysis->nodes.items[node].function].file;
    if (!bitset_has(&program->rival_files, file))
        return true;
    for (u32 i = run + 1; i < self->rivals.count; i++) {
        if (files_are_rivals(program, self->rivals.items[i], file))
            return false;
        if (self->rivals.items[i] == file)
            return true;
    }
    array_push(&self->rivals, file);
    self->rivals.items[run]++;
    return true;
}

// fills: rivals of the side. False: no program has all of its way.
static bool fill_rivals(Sides *self, Side *side) {
    const Analysis *analysis = self->analysis;
    const Stretch *stretch = &self->stretches.items[side->stretch];
    side->rivals = self->rivals.count;
    array_push(&self->rivals, 0);
    bool one = add_rival(self, side->rivals, analysis->witnesses.items[side->witness].node);
    for (u32 i = 0; i < stretch->count && one; i++)
        one = add_rival(self, side->rivals, analysis->edge_pairs.items[2 * stretch->calls[i]]);
    for (u32 w = side->way; w && one; w = analysis->way_contexts.items[w - 1].from)
        one = add_rival(self, side->rivals, analysis->way_contexts.items[w - 1].node);
    return one;
}

static void add_side(Sides *self, Side side) {
    const Analysis *analysis = self->analysis;
    if (!fill_rivals(self, &side))
        return;
    side.root =
        side.way ? way_root(analysis, side.way - 1) : node_root(analysis, analysis->witnesses.items[side.witness].node);
    for (u32 i = self->all.count; i-- > 0 && self->all.items[i].edge == side.edge;) {
        const Side *old = &self->all.items[i];
        if (old->witness != side.witness || old->locks != side.locks)
            continue;
        if (side.way && old->way &&
            analysis->way_contexts.items[side.way - 1].root == analysis->way_contexts.items[old->way - 1].root &&
            (analysis->follows_threads
                 ? way_first_node(analysis, side.way - 1) == way_first_node(analysis, old->way - 1)
                 : side.root == old->root))
            return;
    }
    array_push(&self->all, side);
}

static bool runs_at_start(u32 contexts) {
    return !(contexts & ~(1u << CONTEXT_INIT | 1u << CONTEXT_EXIT | 1u << CONTEXT_ONCE));
}

// What is held at the end of a stretch, however it was come to: also by functions on it, and by every caller.
static LocksetId held_on(Analysis *self, const Witness *witness, const Stretch *stretch) {
    LocksetId must = self->node_must[witness->node];
    LocksetId held = must == NO_ID ? witness->held : lockset_join(self, witness->held, must);
    for (u32 i = 0; i < stretch->count; i++)
        held = lockset_join(self, held, self->edge_ambient.items[stretch->calls[i]]);
    return held;
}

#define STRETCH_WEIGHT 10 // how much farther a call between the two locks is than one before them

// One side for each way to the witness. Where ways were cut, and where none is known, one more that knows only what all
// of them hold.
static void add_witness(Sides *self, u32 edge, u32 index) {
    Analysis *analysis = self->analysis;
    const Witness witness = analysis->witnesses.items[index];
    Stretch stretch;
    stretch_of(&self->search, &analysis->edges.items[edge], &witness, &stretch);
    LocksetId held = held_on(analysis, &witness, &stretch);
    u32 ways[SIDE_WAYS], count = 0, which = self->stretches.count;
    array_push(&self->stretches, stretch);
    double cost = witness_cost(analysis, &witness) + STRETCH_WEIGHT * (stretch.cost + 8.0 * stretch.cut);
    for (u32 w = stretch.cut ? 0 : analysis->context_first.items[stretch.top];
         w && !limit_cuts(LIMIT_SIDE_WAYS, count >= SIDE_WAYS); w = analysis->way_contexts.items[w - 1].next)
        ways[count++] = w;
    for (u32 i = count; i-- > 0;) { // nearest first
        WayContext way = analysis->way_contexts.items[ways[i] - 1];
        if (!runs_at_start(analysis->roots.items[way.root].contexts))
            add_side(self, (Side){edge, index, which, ways[i], NO_ID, lockset_join(analysis, held, way.set), 0,
                                  cost + way.depth + stretch.lead_cost + (way.wide > 2 ? 2 : 0)});
    }
    if ((!count || count >= analysis->ways_most) && !runs_at_start(analysis->node_contexts[witness.node]))
        add_side(self, (Side){edge, index, which, 0, NO_ID, held, 0, cost + 20});
}

static bool is_dearer(const Analysis *self, const Side *a, const Side *b) {
    return a->cost > b->cost || (a->cost == b->cost && compare_witnesses(self, a->witness, b->witness) > 0);
}

static SideRange sides_of(Sides *self, u32 edge) {
    if (self->known[edge])
        return self->ranges[edge];
    u32 first = self->all.count;
    for (u32 w = self->analysis->edges.items[edge].witness; w != NO_ID; w = self->analysis->witnesses.items[w].next)
        add_witness(self, edge, w);
    Side *sides = self->all.items + first;
    u32 count = self->all.count - first;
    for (u32 i = 1; i < count; i++) {
        Side side = sides[i];
        u32 k = i;
        for (; k > 0 && is_dearer(self->analysis, &sides[k - 1], &side); k--)
            sides[k] = sides[k - 1];
        sides[k] = side;
    }
    if (count > SIDES_MOST)
        limit_reached(LIMIT_SIDES_MOST);
    count = count > SIDES_MOST ? SIDES_MOST : count;
    self->all.count = first + count;
    self->known[edge] = true;
    return self->ranges[edge] = (SideRange){first, count};
}

// meeting -----------------------------------------------------------------------

// A lock that both hold keeps one of them out, unless both only read.
static bool have_gate(const Sides *sides, const Side *a, const Side *b) {
    const Analysis *self = sides->analysis;
    u32 lefts, rights;
    const Held *left = lockset_held(&self->locksets, a->locks, &lefts),
               *right = lockset_held(&self->locksets, b->locks, &rights);
    for (u32 i = 0; i < lefts; i++)
        for (u32 k = 0; k < rights; k++) {
            const LockClass *class = &self->classes.items[left[i].class];
            if (left[i].class == right[k].class && left[i].class >= CLASS_FIRST && left[i].class != sides->within &&
                !class->thread && !class->scheduling && !(left[i].flags & right[k].flags & HELD_SHARED))
                return true;
        }
    return false;
}

static bool threads_meet(const Analysis *self, const Side *a, const Side *b) {
    if (a->root == b->root && (self->program->functions.items[a->root].marks & MARK_THREAD_ONCE))
        return false;
    if (!self->follows_threads || !a->way || !b->way)
        return true;
    const Sample left = {.way = a->way - 1, .root = (u16)self->way_contexts.items[a->way - 1].root, .alive = a->locks},
                 right = {.way = b->way - 1, .root = (u16)self->way_contexts.items[b->way - 1].root, .alive = b->locks};
    return may_threads_meet(self, &left, &right);
}

// Reader against reader: nobody is kept out.
static bool readers_meet(const Analysis *self, const Side *taker, const Side *holder) {
    return (self->witnesses.items[taker->witness].flags & HELD_SHARED) &&
           (self->witnesses.items[holder->witness].held_flags & HELD_SHARED);
}

// Is there a program with both?
static bool are_built_together(const Sides *self, const Side *a, const Side *b) {
    const u32 *left = &self->rivals.items[a->rivals], *right = &self->rivals.items[b->rivals];
    for (u32 i = 1; i <= left[0]; i++)
        for (u32 k = 1; k <= right[0]; k++)
            if (files_are_rivals(self->analysis->program, left[i], right[k]))
                return false;
    return true;
}

static bool can_meet(Sides *self, const Side *a, const Side *b) {
    self->checks++;
    return are_built_together(self, a, b) && (self->analysis->options.no_gates || !have_gate(self, a, b)) &&
           threads_meet(self->analysis, a, b);
}

// Is there a side of each with which it can? Remembered: circles share their edges.
bool edges_can_meet(Sides *self, u32 a, u32 b) {
    u32 *known = map_put(&self->meetings, a < b ? (u64)a << 32 | b : (u64)b << 32 | a, NULL);
    if (*known)
        return *known == 2;
    SideRange left = sides_of(self, a), right = sides_of(self, b);
    bool found = false;
    for (u32 i = 0; i < left.count && !found; i++)
        for (u32 k = 0; k < right.count && !found; k++)
            found = can_meet(self, &self->all.items[left.first + i], &self->all.items[right.first + k]);
    *map_put(&self->meetings, a < b ? (u64)a << 32 | b : (u64)b << 32 | a, NULL) = found ? 2 : 1;
    return found;
}

// choosing ----------------------------------------------------------------------

static bool fits(Sides *self, const Circle *circle, u32 at, const Side *side) {
    const Analysis *analysis = self->analysis;
    if (at && readers_meet(analysis, &circle->sides[at - 1], side))
        return false;
    if (at + 1 == circle->length && readers_meet(analysis, side, &circle->sides[0]))
        return false;
    for (u32 i = 0; i < at; i++)
        if (!can_meet(self, &circle->sides[i], side))
            return false;
    return true;
}

// Tries the sides of an edge, cheapest first, and goes on with the next edge. *best is the cheapest whole circle yet.
static void choose_from(Sides *self, Circle *trial, u32 at, Circle *best) {
    if (at == trial->length) {
        if (trial->cost < best->cost)
            *best = *trial;
        return;
    }
    SideRange range = self->ranges[trial->sides[at].edge];
    Circle saved = *trial;
    double rest = 0; // what the other edges cost at least
    for (u32 i = at + 1; i < trial->length; i++)
        rest += self->all.items[self->ranges[trial->sides[i].edge].first].cost;
    for (u32 i = 0; i < range.count && self->checks < CHECKS_MOST; i++) {
        const Side side = self->all.items[range.first + i];
        if (saved.cost + side.cost + rest >= best->cost)
            break;
        if (!fits(self, &saved, at, &side))
            continue;
        trial->sides[at] = side;
        trial->cost = saved.cost + side.cost;
        choose_from(self, trial, at + 1, best);
    }
    *trial = saved;
}

bool choose_sides(Sides *self, Circle *circle) {
    Circle trial = *circle, best = {.cost = 1e9};
    for (u32 i = 0; i < circle->length; i++) {
        if (!sides_of(self, circle->sides[i].edge).count)
            return false;
        for (u32 k = 0; k < i; k++)
            if (!edges_can_meet(self, circle->sides[k].edge, circle->sides[i].edge))
                return false;
    }
    trial.cost = 0;
    self->checks = 0;
    choose_from(self, &trial, 0, &best);
    if (self->checks >= CHECKS_MOST)
        limit_reached(LIMIT_CHECKS_MOST);
    if (best.cost >= 1e9)
        return false;
    *circle = best;
    return true;
}

// others ------------------------------------------------------------------------

static FunctionId holder_of(const Sides *self, const Side *side) {
    u32 site = self->stretches.items[side->stretch].held_site;
    return site == NO_ID ? NO_ID : self->analysis->sites.items[site].function;
}

static bool can_replace(Sides *self, const Circle *circle, u32 at, const Side *side) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; i < circle->length; i++)
        if (i != at && (!can_meet(self, &circle->sides[i], side) || readers_meet(analysis, &circle->sides[i], side) ||
                        readers_meet(analysis, side, &circle->sides[i])))
            return false;
    return true;
}

#define FARTHER 2 // calls: those who are much farther from the second lock than the nearest one are no better examples

u32 other_circles(Sides *self, const Circle *circle, u32 at, Circle *out, u32 most) {
    const OrderEdge *edges = self->analysis->edges.items;
    SideRange range = sides_of(self, circle->sides[at].edge);
    u32 count = 0, near = self->stretches.items[circle->sides[at].stretch].cost + FARTHER;
    if (edges[circle->sides[at].edge].count > edges[circle->sides[!at].edge].count) // the rarer order is the mistake
        return 0;
    for (u32 i = 0; i < range.count; i++) {
        const Side side = self->all.items[range.first + i];
        FunctionId holder = holder_of(self, &side);
        bool known = holder == NO_ID || holder == holder_of(self, &circle->sides[at]) ||
                     self->stretches.items[side.stretch].cost > near || self->stretches.items[side.stretch].cut;
        for (u32 k = 0; k < count; k++)
            known |= holder == holder_of(self, &out[k].sides[at]);
        if (known || !can_replace(self, circle, at, &side))
            continue;
        if (limit_cuts(LIMIT_HOLDERS_SHOWN, count >= most))
            break;
        out[count] = *circle;
        out[count++].sides[at] = side;
    }
    return count;
}
