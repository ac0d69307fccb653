// events.c: what becomes of the products of the walk at their end.
#include "racerx/facts/analysis.h"

u32 site_make(Analysis *self, FunctionId function, Place place) {
    array_push(&self->sites, ((LockSite){.function = function, .place = place, .next = NO_ID}));
    return self->sites.count - 1;
}

void node_table_fork(NodeTable *self) {
    array_fork(&self->nodes);
    array_fork(&self->edge_pairs);
    array_fork(&self->edge_places);
    array_fork(&self->edge_costs);
    array_fork(&self->edge_steps);
    array_fork(&self->edge_ambient);
}

void node_table_free(NodeTable *self) {
    array_free(&self->nodes);
    array_free(&self->edge_pairs);
    array_free(&self->edge_places);
    array_free(&self->edge_costs);
    array_free(&self->edge_ambient);
    array_free(&self->edge_steps);
}

void events_free(Events *self) {
    map_free(&self->node_index);
    array_free(&self->bindings);
    map_free(&self->binding_index);
    free(self->entries);
    map_free(&self->node_edges);
    array_free(&self->entry_sites);
    array_free(&self->node_accesses);
    array_free(&self->stack);
    map_free(&self->stack_index);
    array_free(&self->spawn_roots);
    map_free(&self->spawn_root_index);
    array_free(&self->coalive);
    map_free(&self->coalive_index);
    map_free(&self->single_nodes);
    array_free(&self->ambient);
    map_free(&self->ambient_index);
    array_free(&self->acquisitions);
    map_free(&self->acquisition_index);
    array_free(&self->class_site);
    array_free(&self->outcomes);
    array_free(&self->sites);
    map_free(&self->site_index);
    array_free(&self->edges);
    map_free(&self->edge_index);
    array_free(&self->witnesses);
    array_free(&self->notes);
    map_free(&self->note_index);
}
