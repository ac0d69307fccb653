// judged.c: what becomes of the products of check/ at their end.
#include "racerx/facts/analysis.h"

void way_table_free(WayTable *self) {
    array_free(&self->spawners);
    map_free(&self->runs);
    array_free(&self->above);
    free(self->ruled);
    array_free(&self->slots);
    array_free(&self->slot_of);
    array_free(&self->context_first);
    array_free(&self->way_contexts);
    array_free(&self->roots);
    array_free(&self->root_of);
}

void sample_table_free(SampleTable *self) {
    array_free(&self->samples);
    lockset_free(&self->protections);
    map_free(&self->usual);
    if (self->asked_counts)
        map_free(self->asked_counts), map_free(self->asked_last);
    free(self->asked_counts);
    free(self->asked_last);
    array_free(&self->caller_first);
    array_free(&self->caller_calls);
    map_free(&self->called);
    map_free(&self->makes);
}

void context_table_free(ContextTable *self) {
    free(self->node_must);
    free(self->contexts);
    free(self->node_contexts);
}
