// analyse.c: the driver of stage two: the list of its passes, in order. What each requires and fills is written at its
// declaration in facts/analysis.h, the products they fill likewise.
#include "racerx/summary/summary.h"

// Are products verified between passes? In sanitizer and hostile builds, and in tests (RACERX_CHECKS).
static bool checks_wanted(void) {
#ifdef RACERX_CHECKS
    return true;
#else
    return getenv("RACERX_CHECKS") != NULL;
#endif
}

static void build_skeletons(Analysis *self) {
    SkeletonBuilder scratch = {0};
    double start = clock_seconds();
    self->binds_data = self->program->functions.count <= FOLLOWED_MOST;
    if (!self->binds_data)
        limit_reached(LIMIT_FOLLOWED_MOST);
    self->skeletons = must_zero(sizeof(Skeleton) * (self->program->functions.count + 1));
    self->wrapper_of = must_zero(sizeof(u32) * (self->program->functions.count + 1));
    self->lock_parameters = must_zero(sizeof(u32) * (self->program->functions.count + 1));
    self->passes = must_zero(self->program->functions.count + 1);
    class_intern(self, 0, true);
    path_root(&self->paths, ROOT_PARAM, 0);
    lockset_intern(&self->locksets, NULL, 0);
    fill_constants(self);
    fill_lock_records(self);
    fill_lock_aliases(self);
    for (u32 f = 0; f < self->program->functions.count; f++)
        skeleton_build(self, &scratch, f);
    body_free(&scratch.body);
    fill_bases(self);
    fill_threads(self);
    fill_handed(self);
    fill_fresh(self);
    fill_keepers(self);
    fill_recursive(self);
    fill_relevance(self);
    fill_releases(self);
    fill_deciding(self);
    fill_kept(self);
    fill_touched(self);
    fill_critical(self);
    fill_queues(self);
    fill_watched(self);
    self->stats.seconds_skeleton = clock_seconds() - start;
    self->stats.memory_skeleton = memory_peak_bytes();
}

static void analysis_free(Analysis *self) {
    context_table_free(&self->judged);
    sample_table_free(&self->sampled);
    way_table_free(&self->ways);
    events_free(&self->events);
    node_table_free(&self->graph);
    facts_free(&self->facts, self->program->functions.count);
    object_table_free(&self->shared);
    words_free(&self->words);
}

// RELAY's engine: it needs the facts only.
static Summaries *summarise(Analysis *self) {
    double start = clock_seconds();
    Summaries *summaries = fill_summaries(self, self->options.jobs);
    self->summaries = summaries;
    self->stats.seconds_summaries = clock_seconds() - start;
    self->stats.summary_bytes = summaries->bytes;
    self->stats.summary_accesses = summaries->accesses;
    if (checks_wanted())
        summaries_check(summaries, self);
    return summaries;
}

// Up to the ways that lead to every node, for findings and for questions alike; returns when the walk was done.
static double walk_ways(Analysis *self, FindingList *out) {
    build_skeletons(self);
    double start = clock_seconds();
    walk(self);
    self->stats.seconds_walk = clock_seconds() - start;
    self->stats.memory_walk = memory_peak_bytes();
    start = clock_seconds();
    classify_semaphores(self, out);
    if (self->follows_threads)
        fill_programs(self);
    self->walked_nodes = self->nodes.count;
    fill_slots(self);
    fill_ways(self);
    return start;
}

void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    double start = walk_ways(&self, out);
    Summaries *summaries = options->no_races || options->engine == ENGINE_WALK ? NULL : summarise(&self);
    RaceThread *races = options->no_races ? NULL : races_begin(&self);
    order_ambient(&self);
    order_holders(&self);
    note_sleeps(&self);
    fill_must(&self);
    self.stats.constraints = self.edges.count;
    fill_contexts(&self);
    find_deadlocks(&self, out);
    list_orders(&self, out);
    find_others(&self, out);
    find_waits(&self, out);
    self.stats.seconds_findings = clock_seconds() - start;
    if (races)
        races_end(races, &self, out);
    if (checks_wanted())
        findings_check(out);
    self.stats.memory_findings = memory_peak_bytes();
    *stats = self.stats;
    summaries_free(summaries);
    analysis_free(&self);
}

void inquire(Program *program, const AnalysisOptions *options, const Question *question, struct AnswerList *out,
             AnalysisStats *stats) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    FindingList ignored;
    findings_begin(&ignored);
    walk_ways(&self, &ignored);
    fill_samples(&self);
    order_ambient(&self);
    order_holders(&self);
    answer_question(&self, question, out);
    *stats = self.stats;
    findings_free(&ignored);
    analysis_free(&self);
}

void visit_samples(Program *program, const AnalysisOptions *options, SampleVisit *visit, void *context) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    FindingList ignored;
    findings_begin(&ignored);
    walk_ways(&self, &ignored);
    fill_samples(&self);
    each_sample(&self, visit, context);
    findings_free(&ignored);
    analysis_free(&self);
}

void dump_products(Program *program, const AnalysisOptions *options, FunctionId function, u32 wanted, Buffer *out) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    FindingList ignored;
    findings_begin(&ignored);
    walk_ways(&self, &ignored);
    fill_samples(&self);
    if (wanted & DUMP_SKELETON)
        skeleton_text(&self, function, out);
    if (wanted & DUMP_EVENTS)
        events_text(&self, function, out);
    if (wanted & DUMP_SAMPLES)
        samples_text(&self, function, out);
    findings_free(&ignored);
    analysis_free(&self);
}

void dump_summaries(Program *program, const AnalysisOptions *options, const U32Array *functions, Buffer *out,
                    AnalysisStats *stats) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    build_skeletons(&self);
    Summaries *summaries = summarise(&self);
    for (u32 i = 0; i < functions->count; i++)
        summary_text(summaries, &self, functions->items[i], out);
    *stats = self.stats;
    summaries_free(summaries);
    analysis_free(&self);
}
