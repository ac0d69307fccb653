// analyse.c: the driver of stage two: the list of its passes, in order. What each requires and fills is written at its
// declaration in facts/analysis.h, the products they fill likewise. In test builds the product is verified after every
// pass (checks_wanted()). Questions beside findings: questions.c.
#include "racerx/analyse.h"

typedef void Pass(Analysis *);
typedef void FindingPass(Analysis *, FindingList *);

static void fill_skeletons(Analysis *self) {
    SkeletonBuilder scratch = {0};
    for (u32 f = 0; f < self->program->functions.count; f++)
        skeleton_build(self, &scratch, f);
    body_free(&scratch.body);
}

static Pass *const fact_passes[] = {
    fill_constants, fill_lock_records, fill_lock_aliases, fill_turns,    fill_numbers,   fill_skeletons,
    fill_bases,     fill_threads,      fill_handed,       fill_fresh,    fill_unstarted, fill_keepers,
    fill_recursive, fill_relevance,    fill_releases,     fill_deciding, fill_settled,   fill_kept,
    fill_touched,   fill_critical,     fill_queues,       fill_watched,
};
static Pass *const reading_passes[] = {order_ambient, order_holders, note_sleeps, fill_must};
static FindingPass *const finding_passes[] = {find_deadlocks, list_orders, find_couples,
                                              find_callbacks, find_others, find_waits};

void make_facts(Analysis *self) {
    double start = clock_seconds();
    if (checks_wanted())
        program_check(self->program);
    for (u32 i = 0; i < sizeof fact_passes / sizeof *fact_passes; i++) {
        fact_passes[i](self);
        if (checks_wanted())
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
        fill_mains(self);
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
    for (u32 i = 0; i < sizeof reading_passes / sizeof *reading_passes; i++) {
        reading_passes[i](&self);
        if (checks_wanted())
            readings_check(&self);
    }
    self.stats.constraints = self.edges.count;
    fill_contexts(&self);
    if (checks_wanted())
        contexts_check(&self);
    for (u32 i = 0; i < sizeof finding_passes / sizeof *finding_passes; i++) {
        finding_passes[i](&self, out);
        if (checks_wanted())
            findings_check(out);
    }
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
