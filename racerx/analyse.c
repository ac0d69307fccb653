// analyse.c: the driver of stage two: skeletons, what matters, what is released, the walk, the findings.
#include "racerx/analysis.h"

#include <pthread.h>

#define FOLLOWED_MOST 60000 // functions of a program whose threads and data are followed one by one

static void build_skeletons(Analysis *self) {
    SkeletonBuilder scratch = {0};
    double start = clock_seconds();
    self->binds_data = self->program->functions.count <= FOLLOWED_MOST;
    self->skeletons = must_zero(sizeof(Skeleton) * (self->program->functions.count + 1));
    self->lock_parameters = must_zero(sizeof(u32) * (self->program->functions.count + 1));
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
    map_free(&self->class_by_path);
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
    free(self->ruled);
    free(self->programs);
    free(self->lone);
    array_free(&self->spawners);
    array_free(&self->above);
    free(self->lock_parameters);
    map_free(&self->lock_types);
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

// races beside deadlocks ------------------------------------------------------------

// Both go by what the walk left, and intern what they make of it: each in tables of its own.
typedef struct {
    Analysis analysis; // shares everything that does not grow
    FindingList list;
    double seconds;
    pthread_t thread;
} RaceJob;

static void *copied(const void *items, size_t used, size_t room) {
    void *copy = must_alloc(room);
    return used ? memcpy(copy, items, used) : copy;
}
#define COPY_ARRAY(array)                                                                                              \
    ((array).items = copied((array).items, sizeof *(array).items * (array).count, sizeof *(array).items * ((array).capacity + 1u)))

static void copy_map(Map *self) {
    if (!self->capacity)
        return;
    size_t keys = sizeof *self->keys * self->capacity, values = sizeof *self->values * self->capacity;
    self->keys = copied(self->keys, keys, keys);
    self->values = copied(self->values, values, values);
    self->used = copied(self->used, self->capacity, self->capacity);
}

static void fork_tables(Analysis *self) {
    COPY_ARRAY(self->locksets.sets);
    COPY_ARRAY(self->locksets.held);
    COPY_ARRAY(self->locksets.next);
    copy_map(&self->locksets.index);
    COPY_ARRAY(self->paths.paths);
    copy_map(&self->paths.index);
    COPY_ARRAY(self->classes);
    copy_map(&self->class_by_name);
    COPY_ARRAY(self->nodes);
}

static void free_tables(Analysis *self) {
    array_free(&self->locksets.sets);
    array_free(&self->locksets.held);
    array_free(&self->locksets.next);
    map_free(&self->locksets.index);
    array_free(&self->paths.paths);
    map_free(&self->paths.index);
    array_free(&self->classes);
    map_free(&self->class_by_name);
    array_free(&self->nodes);
}

static void *run_races(void *context) {
    RaceJob *self = context;
    double start = clock_seconds();
    fill_samples(&self->analysis);
    find_races(&self->analysis, &self->list);
    self->seconds = clock_seconds() - start;
    return NULL;
}

static void races_begin(RaceJob *self, const Analysis *analysis) {
    self->analysis = *analysis;
    fork_tables(&self->analysis);
    findings_begin(&self->list);
    if (pthread_create(&self->thread, NULL, run_races, self))
        die("no thread to look for races on");
}

static void races_end(RaceJob *self, Analysis *analysis, FindingList *out) {
    pthread_join(self->thread, NULL);
    for (u32 i = 0; i < self->list.items.count; i++)
        array_push(&out->items, self->list.items.items[i]);
    memcpy(&out->guards, &self->list.guards, sizeof out->guards);
    arena_adopt(&out->arena, &self->list.arena);
    array_free(&self->list.items);
    free_tables(&self->analysis);
    Analysis *done = &self->analysis; // what only races fill
    analysis->objects.items = done->objects.items;
    analysis->object_index = done->object_index;
    analysis->local_names = done->local_names;
    memcpy(&analysis->samples, &done->samples, sizeof done->samples);
    analysis->protections = done->protections;
    analysis->stats.samples = done->stats.samples;
    analysis->stats.samples_cut = done->stats.samples_cut;
    analysis->stats.objects = done->stats.objects;
    analysis->stats.seconds_races = self->seconds;
}

void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    RaceJob races;
    build_skeletons(&self);
    double start = clock_seconds();
    walk(&self);
    self.stats.seconds_walk = clock_seconds() - start;
    self.stats.memory_walk = memory_peak_bytes();
    start = clock_seconds();
    classify_semaphores(&self, out);
    if (!options->no_races) {
        if (self.follows_threads)
            fill_programs(&self);
        fill_ways(&self);
        races_begin(&races, &self);
    }
    order_ambient(&self);
    fill_must(&self);
    self.stats.constraints = self.edges.count;
    fill_contexts(&self);
    find_deadlocks(&self, out);
    list_orders(&self, out);
    find_others(&self, out);
    find_waits(&self, out);
    self.stats.seconds_findings = clock_seconds() - start;
    if (!options->no_races)
        races_end(&races, &self, out);
    self.stats.memory_findings = memory_peak_bytes();
    *stats = self.stats;
    analysis_free(&self);
}
