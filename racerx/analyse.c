// analyse.c: the driver of stage two: the list of its passes, in order. What each requires and fills is written at its
// declaration in facts/analysis.h, the products they fill likewise. Questions beside findings: questions.c.
#include "racerx/analyse.h"

void make_facts(Analysis *self) {
    SkeletonBuilder scratch = {0};
    double start = clock_seconds();
    fill_constants(self);
    fill_lock_records(self);
    fill_lock_aliases(self);
    fill_turns(self);
    fill_numbers(self);
    for (u32 f = 0; f < self->program->functions.count; f++)
        skeleton_build(self, &scratch, f);
    body_free(&scratch.body);
    fill_bases(self);
    fill_threads(self);
    fill_handed(self);
    fill_fresh(self);
    fill_unstarted(self);
    fill_keepers(self);
    fill_recursive(self);
    fill_relevance(self);
    fill_releases(self);
    fill_deciding(self);
    fill_settled(self);
    fill_kept(self);
    fill_touched(self);
    fill_critical(self);
    fill_queues(self);
    fill_watched(self);
    if (checks_wanted()) {
        program_check(self->program);
        facts_check(self);
    }
    self->stats.seconds_skeleton = clock_seconds() - start;
    self->stats.memory_skeleton = memory_peak_bytes();
}

// RELAY's engine: it needs the facts only.
Summaries *make_summaries(Analysis *self) {
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
double make_ways(Analysis *self, FindingList *out) {
    make_facts(self);
    double start = clock_seconds();
    walk(self);
    read_met(self);
    if (checks_wanted()) {
        events_check(self);
        readings_check(self);
    }
    array_free(&self->met); // all that is made of it is made
    self->stats.seconds_walk = clock_seconds() - start;
    self->stats.memory_walk = memory_peak_bytes();
    start = clock_seconds();
    classify_semaphores(self, out);
    if (self->follows_threads)
        fill_programs(self);
    self->walked_nodes = self->nodes.count;
    fill_slots(self);
    fill_ways(self);
    fill_barred(self);
    if (checks_wanted())
        ways_check(self);
    return start;
}

void analyse(Program *program, const AnalysisOptions *options, FindingList *out, AnalysisStats *stats) {
    Analysis self = analysis_begin(program, options);
    double start = make_ways(&self, out);
    fill_raises(&self);
    Summaries *summaries = options->no_races || options->engine == ENGINE_WALK ? NULL : make_summaries(&self);
    RaceThread *races = options->no_races ? NULL : races_begin(&self);
    order_ambient(&self);
    order_holders(&self);
    note_sleeps(&self);
    fill_must(&self);
    self.stats.constraints = self.edges.count;
    fill_contexts(&self);
    if (checks_wanted()) {
        readings_check(&self);
        contexts_check(&self);
    }
    find_deadlocks(&self, out);
    list_orders(&self, out);
    find_couples(&self, out);
    find_callbacks(&self, out);
    find_others(&self, out);
    find_waits(&self, out);
    self.stats.seconds_findings = clock_seconds() - start;
    if (races)
        races_end(races, &self, out);
    if (checks_wanted()) {
        words_check(&self.words);
        findings_check(out);
    }
    self.stats.memory_findings = memory_peak_bytes();
    *stats = self.stats;
    summaries_free(summaries);
    analysis_free(&self);
}
