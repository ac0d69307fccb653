// analyse.c: the driver of stage two: skeletons, what matters, what is released, the walk, the findings.
#include "racerx/analysis.h"

#define FOLLOWED_MOST 200000 // functions of a program whose threads and data are followed one by one

static void build_skeletons(Analysis *self) {
    SkeletonBuilder scratch = {0};
    double start = clock_seconds();
    self->binds_data = self->program->functions.count <= FOLLOWED_MOST;
    self->skeletons = must_zero(sizeof(Skeleton) * (self->program->functions.count + 1));
    class_intern(self, 0, true);
    path_root(&self->paths, ROOT_PARAM, 0);
    lockset_intern(&self->locksets, NULL, 0);
    for (u32 f = 0; f < self->program->functions.count; f++)
        skeleton_build(self, &scratch, f);
    body_free(&scratch.body);
    fill_threads(self);
    fill_fresh(self);
    fill_recursive(self);
    fill_relevance(self);
    fill_releases(self);
    fill_touched(self);
    fill_critical(self);
    self->stats.seconds_skeleton = clock_seconds() - start;
    self->stats.memory_skeleton = memory_peak_bytes();
}

u32 site_make(Analysis *self, FunctionId function, Place place) {
    array_push(&self->sites, ((LockSite){.function = function, .place = place, .node_on = NO_ID, .node_bh = NO_ID, .next = NO_ID}));
    return self->sites.count - 1;
}

static void analysis_free(Analysis *self) {
    for (u32 f = 0; f < self->program->functions.count; f++) {
        array_free(&self->releases[f]);
        array_free(&self->leaves[f]);
        array_free(&self->touched[f]);
    }
    free(self->releases);
    free(self->leaves);
    free(self->touched);
    array_free(&self->edge_places);
    array_free(&self->edge_costs);
    array_free(&self->entry_sites);
    array_free(&self->edge_ambient);
    array_free(&self->edge_steps);
    array_free(&self->node_accesses);
    array_free(&self->stack);
    map_free(&self->stack_index);
    array_free(&self->spawn_roots);
    array_free(&self->context_first);
    array_free(&self->way_contexts);
    array_free(&self->roots);
    array_free(&self->root_of);
    array_free(&self->samples);
    array_free(&self->protections.sets);
    array_free(&self->protections.held);
    array_free(&self->protections.next);
    map_free(&self->protections.index);
    array_free(&self->critical_only);
    array_free(&self->critical_first);
    array_free(&self->critical_last);
    map_free(&self->spawn_root_index);
    array_free(&self->coalive);
    map_free(&self->coalive_index);
    free(self->node_must);
    array_free(&self->ambient);
    array_free(&self->started);
    array_free(&self->inits);
    array_free(&self->handle_sets);
    array_free(&self->handle_parameters);
    map_free(&self->handle_index);
    map_free(&self->ambient_index);
    array_free(&self->acquisitions);
    map_free(&self->acquisition_index);
    free(self->skeletons);
    free(self->entries);
    free(self->contexts);
    free(self->node_contexts);
    array_free(&self->paths.paths);
    map_free(&self->paths.index);
    array_free(&self->classes);
    map_free(&self->class_by_name);
    array_free(&self->locksets.sets);
    array_free(&self->locksets.held);
    array_free(&self->locksets.next);
    map_free(&self->locksets.index);
    array_free(&self->operations);
    array_free(&self->objects);
    map_free(&self->object_index);
    map_free(&self->local_names);
    array_free(&self->accesses);
    array_free(&self->spawns);
    array_free(&self->ended);
    map_free(&self->spawned);
    free(self->started_as);
    arena_free(&self->arena);
    array_free(&self->nodes);
    map_free(&self->node_index);
    array_free(&self->bindings);
    map_free(&self->binding_index);
    map_free(&self->node_edges);
    array_free(&self->edge_pairs);
    array_free(&self->class_site);
    array_free(&self->outcomes);
    array_free(&self->sites);
    map_free(&self->site_index);
    array_free(&self->edges);
    map_free(&self->edge_index);
    array_free(&self->witnesses);
    array_free(&self->notes);
    map_free(&self->note_index);
    map_free(&self->release_blocks);
    array_free(&self->release_bits);
    map_free(&self->caller_releases);
}

void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    build_skeletons(&self);
    double start = clock_seconds();
    walk(&self);
    self.stats.seconds_walk = clock_seconds() - start;
    self.stats.memory_walk = memory_peak_bytes();
    start = clock_seconds();
    fill_ways(&self);
    fill_samples(&self);
    order_ambient(&self);
    fill_must(&self);
    self.stats.constraints = self.edges.count;
    fill_contexts(&self);
    classify_semaphores(&self, out);
    find_deadlocks(&self, out);
    find_others(&self, out);
    find_waits(&self, out);
    find_races(&self, out);
    self.stats.seconds_findings = clock_seconds() - start;
    self.stats.memory_findings = memory_peak_bytes();
    *stats = self.stats;
    analysis_free(&self);
}
