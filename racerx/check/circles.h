// circles.h: inside racerx/, from the order of locks to deadlocks: circles, who makes each of their edges, what is
// said.
#ifndef RACERX_CIRCLES_H
#define RACERX_CIRCLES_H

#include "racerx/facts/analysis.h"

// stretches.c: from where the first lock of a witness is taken to where the second is.
typedef struct {
    u32 top;                 // node that ways lead to; `lead` calls further down the first lock is taken
    u32 held_site;           // where; NO_ID: not known
    u32 calls[STRETCH_MOST]; // down from there: Analysis.edge_…
    u32 count, lead;         // calls; of them before the first lock is taken
    u32 cost, lead_cost;     // of the others; of these
    u32 wide;                // targets of the widest of them
    bool guessed;            // the targets of some call were guessed
    bool cut;                // there are more calls than fit: not known
} Stretch;
typedef struct {
    Analysis *analysis;
    u32 walked_edges;                  // calls between nodes of the walk; after them, one for each copy
    u32 *first;                        // by node: its callers in `callers`
    u32 *callers;                      // Analysis.edge_…
    u32 *stamp;                        // by node: the search that met it
    u8 *best;                          // by node: the least cost it was met with
    u32 *came;                         // by node: the call by which it was
    U32Array queues[STRETCH_COST + 1]; // by cost: nodes
    u32 search;
    Map above;      // (node, class): run of `calls`, + 1
    U32Array calls; // runs: a count, then Analysis.edge_… downwards
} Stretches;
void stretches_begin(Stretches *self, Analysis *analysis);
void stretches_end(Stretches *self);
void stretch_of(Stretches *self, const OrderEdge *edge, const Witness *witness, Stretch *out);

// One edge of a circle: who takes the second lock with the first one held, and on which way it comes there.
typedef struct {
    u32 edge;        // Analysis.edges
    u32 witness;     // Analysis.witnesses
    u32 stretch;     // Sides.stretches
    u32 way;         // Analysis.way_contexts, plus 1; 0: of no way is more known than Node.parent says
    FunctionId root; // where the way starts
    LocksetId locks; // all that is held there on this way
    u32 rivals;      // Sides.rivals: files on the way that are not built with all others: a count, then they
    double cost;     // how far it is
} Side;
typedef struct {
    Side sides[CIRCLE_MOST];
    u32 length;
    double cost;
} Circle;

// sides.c: by edge the sides that it may have, cheapest first, worked out once.
typedef struct {
    u32 first, count; // in Sides.all
} SideRange;
typedef struct {
    Analysis *analysis;
    Stretches search;
    Array(Stretch) stretches;
    Array(Side) all;
    SideRange *ranges; // by edge
    bool *known;       // by edge: the range is filled
    u32 *words;        // by class: other classes that are this one to whom is handed what they are in, or global
    U32Array rivals;   // runs
    Map meetings;      // pairs of edges: 1: no side of the one can meet one of the other, 2: it can
    ClassId within; // both locks of the present circle are of this class: it keeps its sides not apart; 0: of several
    u32 checks;     // pairs of sides compared for the present circle
} Sides;
void sides_begin(Sides *self, Analysis *analysis);
void sides_end(Sides *self);
bool edges_can_meet(Sides *self, u32 a, u32 b); // at all
// Fills the sides of a circle of which the edges are given: the cheapest that can all be met at the same time. False:
// there are none.
bool choose_sides(Sides *self, Circle *circle);

// Of two locks: the same circle by others who take the first lock of one order in another function; how many. None of
// an order that is the common one.
u32 other_circles(Sides *self, const Circle *circle, u32 at, Circle *out, u32 most);

// deadlocks.c
// `sharing`: circles that share its most shared edge, itself counted.
Finding *put_deadlock(Analysis *self, FindingList *list, const Sides *sides, const Circle *circle, u32 sharing);

#endif
