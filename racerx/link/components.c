// components.c: strongly connected components of a graph, by Tarjan's algorithm with a stack of its own.
// In: a graph in rows. Out: a number for each node; what a component leads to has lower numbers.
// The idea: a call chain may be 50,000 functions long, so nothing here recurses.
#include "racerx/link/link.h"

typedef struct {
    const u32 *first, *edges;
    u32 *component; // out
    u32 *order;     // 1 + when a node was met, 0: not yet
    u32 *low;       // the earliest node it leads back to
    u32 *next;      // the next edge to follow
    u32 *path;      // nodes being followed
    u32 *open;      // nodes met that have no component yet
    u32 path_count, open_count, clock, components;
} Tarjan;

static void enter(Tarjan *self, u32 node) {
    self->order[node] = self->low[node] = ++self->clock;
    self->next[node] = self->first[node];
    self->path[self->path_count++] = node;
    self->open[self->open_count++] = node;
}

static void leave(Tarjan *self, u32 node) {
    self->path_count--;
    if (self->low[node] == self->order[node]) {
        u32 member;
        do {
            member = self->open[--self->open_count];
            self->component[member] = self->components;
        } while (member != node);
        self->components++;
    }
    if (self->path_count) {
        u32 parent = self->path[self->path_count - 1];
        self->low[parent] = self->low[node] < self->low[parent] ? self->low[node] : self->low[parent];
    }
}

static void follow(Tarjan *self, u32 start) {
    enter(self, start);
    while (self->path_count) {
        u32 node = self->path[self->path_count - 1];
        if (self->next[node] == self->first[node + 1]) {
            leave(self, node);
            continue;
        }
        u32 to = self->edges[self->next[node]++];
        if (!self->order[to])
            enter(self, to);
        else if (self->component[to] == NO_ID && self->order[to] < self->low[node])
            self->low[node] = self->order[to];
    }
}

u32 fill_components(u32 count, const u32 *first, const u32 *edges, u32 *component) {
    u32 *memory = must_zero(sizeof(u32) * 5 * ((size_t)count + 1));
    Tarjan tarjan = {.first = first,
                     .edges = edges,
                     .component = component,
                     .order = memory,
                     .low = memory + count,
                     .next = memory + (size_t)2 * count,
                     .path = memory + (size_t)3 * count,
                     .open = memory + (size_t)4 * count};
    for (u32 i = 0; i < count; i++)
        component[i] = NO_ID;
    for (u32 i = 0; i < count; i++)
        if (!tarjan.order[i])
            follow(&tarjan, i);
    free(memory);
    return tarjan.components;
}
