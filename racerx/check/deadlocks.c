// deadlocks.c: a circle of locks as a finding: every acquisition with its chain of calls, and the features for ranking.
// In: a circle with its sides. Out: a finding of kind deadlock.
// Fewer threads, global locks, acquisitions near each other, short chains and few conditionals come first.
#include "racerx/check/circles.h"
#include "racerx/check/races.h"

// Conditions between the two acquisitions, as far as functions that take a lock know them.
static u32 conditionals_between(const Analysis *self, const Side *side, const Stretch *stretch) {
    const LockSite *taken = &self->sites.items[self->witnesses.items[side->witness].site];
    const LockSite *held = stretch->held_site == NO_ID ? NULL : &self->sites.items[stretch->held_site];
    if (!held || held->function != taken->function)
        return taken->conditionals;
    return taken->conditionals > held->conditionals ? taken->conditionals - held->conditionals : 0;
}

// Where the second lock is taken, with all that is held there on the way that is shown.
static Site *put_side(Analysis *self, FindingList *list, Finding *finding, const Side *side, const Stretch *stretch) {
    const Witness witness = self->witnesses.items[side->witness];
    Site *site = finding_put_site(self, list, finding, ROLE_ACQUIRE, witness.node, witness.site, side->locks);
    if (side->way) {
        site->callchain.count = 0;
        site->conditionals = way_conditionals(self, side->way - 1) + conditionals_between(self, side, stretch);
        site_put_way_on(self, list, site, side->way - 1, stretch->calls, stretch->count);
    }
    return site;
}

// Where else the locks of the circle's rarest order are taken in that order.
static void put_rarest(Analysis *self, FindingList *list, Finding *finding, const Circle *circle) {
    const Side *rarest = &circle->sides[0];
    for (u32 e = 1; e < circle->length; e++)
        if (self->edges.items[circle->sides[e].edge].count < self->edges.items[rarest->edge].count)
            rarest = &circle->sides[e];
    const OrderEdge *edge = &self->edges.items[rarest->edge];
    for (u32 w = edge->witness; w != NO_ID; w = self->witnesses.items[w].next) {
        const LockSite *site = &self->sites.items[self->witnesses.items[w].site];
        bool known = self->witnesses.items[w].site == self->witnesses.items[rarest->witness].site;
        for (u32 before = edge->witness; before != w && !known; before = self->witnesses.items[before].next)
            known = self->witnesses.items[before].site == self->witnesses.items[w].site;
        if (known)
            continue;
        Site *one =
            finding_add_evidence(list, finding, ROLE_ACQUIRE,
                                 program_text(self->program, self->program->functions.items[site->function].name),
                                 function_path(self->program, site->function), site->place.line, site->place.column);
        one->object = findings_text(list, "%s", class_text(self, edge->to));
        site_add_lock(list, one, class_text(self, edge->from), "", 0);
    }
}

// How near the acquisitions of each edge are to each other, and how sure the calls between them.
static void put_distances(FindingList *list, Finding *finding, const Sides *sides, const Circle *circle) {
    u32 calls = 0, wide = 1, guessed = 0, cost = 0, conditionals = 0;
    for (u32 e = 0; e < circle->length; e++) {
        const Stretch *stretch = &sides->stretches.items[circle->sides[e].stretch];
        u32 count = stretch->cut ? STRETCH_MOST + 1 : stretch->count - stretch->lead;
        calls = count > calls ? count : calls;
        cost = stretch->cost > cost ? stretch->cost : cost;
        wide = stretch->wide > wide ? stretch->wide : wide;
        guessed += stretch->guessed;
        conditionals += conditionals_between(sides->analysis, &circle->sides[e], stretch);
    }
    finding_add_number(list, finding, "between_calls", calls);
    finding_add_number(list, finding, "between_cost", cost);
    finding_add_number(list, finding, "between_wide", wide);
    finding_add_number(list, finding, "between_guessed", guessed);
    finding_add_number(list, finding, "between_conditionals", conditionals);
}

// A lock that is known by its type only may be any of those that are members of something, or global.
static u32 most_stood_for(const Sides *sides, const Circle *circle) {
    u32 most = 0;
    for (u32 e = 0; e < circle->length; e++) {
        u32 words = sides->words[sides->analysis->edges.items[circle->sides[e].edge].from];
        most = words > most ? words : most;
    }
    return most;
}

Finding *put_deadlock(Analysis *self, FindingList *list, const Sides *sides, const Circle *circle, u32 sharing) {
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    const OrderEdge *first = &self->edges.items[circle->sides[0].edge];
    u32 globals = 0, depth = 0, conditionals = 0, asserted = 0, twice = 0, limited = 0, corrected = 0;
    for (u32 e = 0; e < circle->length; e++) {
        const OrderEdge *edge = &self->edges.items[circle->sides[e].edge];
        Witness witness = self->witnesses.items[circle->sides[e].witness];
        globals += self->classes.items[edge->from].global;
        const Side *side = &circle->sides[e];
        const Stretch *stretch = &sides->stretches.items[side->stretch];
        depth +=
            side->way ? self->way_contexts.items[side->way - 1].depth + stretch->count : node_depth(self, witness.node);
        conditionals +=
            side->way ? way_conditionals(self, side->way - 1) : self->nodes.items[witness.node].conditionals;
        asserted += (witness.held_flags & HELD_ASSERTED) != 0;
        corrected += (witness.flags & HELD_CORRECTED) != 0;
        FunctionId function = self->nodes.items[witness.node].function;
        twice += stretch->held_site != NO_ID &&
                 self->sites.items[stretch->held_site].function == function; // the function alone sees it, too
        limited |= self->entries[function] >= (self->options.lockset_limit ? self->options.lockset_limit : 100);
        finding_add_object(list, finding, class_text(self, edge->from));
        if (stretch->held_site != NO_ID)
            finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, stretch->held_site, 0)->side = e;
        put_side(self, list, finding, side, stretch)->side = e;
    }
    finding->lock = findings_text(list, "%s", class_text(self, first->from));
    finding->object = findings_text(list, "%s", class_text(self, first->to));
    Buffer ring = {0};
    for (u32 e = 0; e <= circle->length; e++)
        buffer_format(&ring, "%s%s", e ? " → " : "",
                      class_text(self, self->edges.items[circle->sides[e % circle->length].edge].from));
    finding->message = findings_text(list, "%u threads can wait for each other: locks are taken in the order %.*s",
                                     circle->length, (int)ring.size, ring.bytes);
    buffer_free(&ring);
    finding_add_number(list, finding, "threads", circle->length);
    finding_add_number(list, finding, "global_locks", globals);
    finding_add_number(list, finding, "depth", depth);
    finding_add_number(list, finding, "conditionals", conditionals);
    finding_add_number(list, finding, "asserted", asserted);
    finding_add_number(list, finding, "watched", self->watched);
    u32 most = 0, least = UINT32_MAX;
    for (u32 e = 0; e < circle->length; e++) {
        u32 count = self->edges.items[circle->sides[e].edge].count;
        most = count > most ? count : most;
        least = count < least ? count : least;
    }
    finding_add_number(list, finding, "most_common_order", most);
    finding_add_number(list, finding, "least_common_order", least);
    finding_add_number(list, finding, "derived_twice", twice);
    finding_add_number(list, finding, "limit_hit", limited);
    finding_add_number(list, finding, "corrections", corrected);
    finding_add_number(list, finding, "siblings_edge", sharing);
    finding_add_number(list, finding, "stands_for", most_stood_for(sides, circle));
    put_distances(list, finding, sides, circle);
    put_rarest(self, list, finding, circle);
    finding_add_text(list, finding, "cause", "order");
    return finding;
}
