// judged.c: what is promised of the products of check/, verified in test builds, and what becomes of them at their end.
#include "racerx/facts/analysis.h"

void company_free(Company *self) {
    array_free(&self->spawn_roots);
    array_free(&self->coalive);
    map_free(&self->coalive_index);
    map_free(&self->single_nodes);
}

void readings_free(Readings *self) {
    array_free(&self->acquisitions);
    array_free(&self->edges);
    map_free(&self->edge_index);
    array_free(&self->witnesses);
    array_free(&self->couples);
    array_free(&self->outcalls);
    map_free(&self->couple_index);
    array_free(&self->notes);
    map_free(&self->note_index);
    array_free(&self->node_raises);
}

void way_table_free(WayTable *self) {
    array_free(&self->spawners);
    map_free(&self->runs);
    array_free(&self->above);
    free(self->ruled);
    free(self->ruled_roots);
    array_free(&self->slots);
    array_free(&self->slot_of);
    array_free(&self->context_first);
    array_free(&self->way_contexts);
    for (u32 i = 0; i < self->reached.count; i++)
        bitset_free(&self->reached.items[i]);
    array_free(&self->reached);
    array_free(&self->roots);
    array_free(&self->root_of);
}

void sample_table_free(SampleTable *self) {
    array_free(&self->samples);
    lockset_free(&self->protections);
    map_free(&self->usual);
    if (self->asked_counts)
        map_free(self->asked_counts), map_free(self->asked_last), map_free(self->asked_beside),
            map_free(self->asked_set_up);
    free(self->asked_counts);
    free(self->asked_last);
    free(self->asked_beside);
    free(self->asked_set_up);
    array_free(&self->caller_first);
    array_free(&self->caller_calls);
    map_free(&self->tickets);
    map_free(&self->called);
    map_free(&self->makes);
}

void context_table_free(ContextTable *self) {
    free(self->node_must);
    free(self->contexts);
    free(self->node_contexts);
}

static void check_note(const Analysis *self, const Note *note) {
    check(note->kind < NOTE_COUNT && note->node < self->nodes.count && note->holder < self->nodes.count);
    check(note->site < self->sites.count && (note->other_site == NO_ID || note->other_site < self->sites.count));
    check(note->held < lockset_count(&self->locksets));
    check(note->kind == NOTE_JOIN || note->class < self->classes.count); // of a join it is a set of handles
}

void readings_check(const Analysis *self) {
    for (u32 i = 0; i < self->acquisitions.count; i++) {
        const Acquisition *one = &self->acquisitions.items[i];
        check(one->node < self->nodes.count && one->site < self->sites.count && one->class < self->classes.count);
        check(one->held < lockset_count(&self->locksets) && (one->class || one->sleeps));
    }
    for (u32 i = 0; i < self->notes.count; i++)
        check_note(self, &self->notes.items[i]);
    for (u32 i = 0; i < self->edges.count; i++) {
        const OrderEdge *edge = &self->edges.items[i];
        u32 seen = 0;
        check(edge->from >= CLASS_FIRST && edge->to >= CLASS_FIRST && edge->from != edge->to);
        check(edge->from < self->classes.count && edge->to < self->classes.count);
        for (u32 w = edge->witness; w != NO_ID; w = self->witnesses.items[w].next, seen++) {
            check(w < self->witnesses.count && self->witnesses.items[w].node < self->nodes.count);
            check(self->witnesses.items[w].site < self->sites.count);
            check(self->witnesses.items[w].next == NO_ID || self->witnesses.items[w].next < w); // the newest first
        }
        check(seen && seen <= 2 * edge->count); // two for a pair of places: see edge_put()
    }
}

void contexts_check(const Analysis *self) {
    for (u32 n = 0; n < self->walked_nodes; n++) {
        check(self->node_must[n] == NO_ID || self->node_must[n] < lockset_count(&self->locksets));
        u32 here = self->node_contexts[n], all = self->contexts[self->nodes.items[n].function];
        check(!(here & ~(all | CONTEXT_OTHER))); // a node's contexts are among its function's
    }
}

static void check_way(const Analysis *self, u32 id) {
    const WayContext *way = &self->way_contexts.items[id];
    check(way->set < lockset_count(&self->locksets) && way->root < self->roots.count && way->node < self->nodes.count);
    check(way->next <= id && way->from <= id); // made after the way of its caller, and before those it comes before
    check(!way->from || way->depth == self->way_contexts.items[way->from - 1].depth + 1);
    check(way->from ? way->start < id : way->start <= self->edge_steps.count);
    check(way->marked <= self->way_contexts.count);
}

void ways_check(const Analysis *self) {
    check(self->way_nodes <= self->nodes.count);
    for (u32 i = 0; i < self->way_contexts.count; i++)
        check_way(self, i);
    for (u32 n = 0; n < self->way_nodes; n++)
        for (u32 way = self->context_first.items[n]; way; way = self->way_contexts.items[way - 1].next)
            check(way <= self->way_contexts.count && self->way_contexts.items[way - 1].node == n);
    for (u32 r = 0; r < self->roots.count; r++) {
        const Root *root = &self->roots.items[r];
        check(root->spawners + (u64)root->spawner_count <= self->spawners.count);
        check(root->above + (u64)root->above_count <= self->above.count);
        check(root->begun_under < lockset_count(&self->locksets) && root->kept_under < lockset_count(&self->locksets));
    }
}

void samples_check(const Analysis *self) {
    for (u32 i = 0; i < self->samples.count; i++) {
        const Sample *sample = &self->samples.items[i];
        check(sample->object && sample->object < self->objects.count && sample->access < self->accesses.count);
        check(sample->protection < self->protections.sets.count || !sample->protection);
        check(sample->way < self->way_contexts.count && sample->root < self->roots.count);
        check(sample->root == self->way_contexts.items[sample->way].root);
        check(sample->bound <= BOUND_TAKEN && sample->alive < lockset_count(&self->locksets));
        check(!i || self->samples.items[i - 1].object <= sample->object);
    }
}
