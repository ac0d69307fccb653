// points.h: inside the link stage, what the files that solve pointers to data share: points.c (the sets), kept.c (what
// allocated memory is kept where).
#ifndef RACERX_POINTS_H
#define RACERX_POINTS_H

#include "racerx/link/link.h"

#define WRAPPER_ROUNDS 4 // wrappers of wrappers of allocators

typedef struct {
    u32 to;
    u32 next; // of the same cell; NO_ID: none
} PointsEdge;
typedef struct {
    u32 other;       // the cell that is loaded into, or stored from
    NameId member;   // as in DataFlow
    RecordId record; // likewise
    u32 next;        // of the same pointer; NO_ID: none
    u8 kind;         // DataKind
} PointsUse;
typedef struct {
    DataCell cell;
    u32 same;      // the cell that stands for this one: itself, or the lowest that it copies and is copied to
    u32 edge, use; // the first of each; NO_ID: none
    u32 targets[POINTS_MOST]; // cells, sorted; 0: nobody knows
    u8 count;
    bool top;    // past the limit: nobody knows, and nothing more is taken in
    bool many;   // a member of some element of an array: there are many of it
    bool queued; // in the queue
} PointsCell;
// What is allocated, as far as it is kept in one global.
typedef struct {
    DataCell keeper; // the global's cell, or a member of another region's (base: the lowest allocation there)
    u32 outer;       // that region, plus 1; 0: kept in a global
    bool freed;
} PointsRegion;

struct Points {
    Program *program;
    Map index;               // hash of a DataCell -> cell
    Array(PointsCell) cells; // [0]: the unknown
    Array(PointsEdge) edges;
    Array(PointsUse) uses;
    U32Array queue;
    Map seen;        // edges
    Bitset wrappers; // functions that only give fresh memory
    Array(PointsRegion) regions;
    Map region_of; // SlotKey of an allocation -> region + 1
};
u32 points_find(const Points *self, DataCell cell); // NO_ID: nothing was said of it
bool points_wraps(const Points *self, FunctionId function);
void find_kept(Points *self, const BodyScan *scan); // kept.c: requires sets. fills: regions, region_of

#endif
