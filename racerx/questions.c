// questions.c: an analysis begins and ends; what is asked of its products beside findings: what is known of a line,
// every sample, and each product of one function as text. The passes are those of analyse.c, as many as the answer
// needs.
#include "racerx/analyse.h"

Analysis analysis_begin(Program *program, const AnalysisOptions *options) {
    Analysis self = {.program = program, .declarations = program->declarations, .options = *options};
    u32 functions = program->functions.count + 1;
    self.binds_data = !limit_cuts(LIMIT_FOLLOWED_MOST, program->functions.count > FOLLOWED_MOST);
    self.skeletons = must_zero(sizeof(Skeleton) * functions);
    self.wrapper_of = must_zero(sizeof(u32) * functions);
    self.lock_parameters = must_zero(sizeof(u32) * functions);
    self.passes = must_zero(functions);
    class_intern(&self, 0, true);
    path_root(&self.paths, ROOT_PARAM, 0);
    lockset_intern(&self.locksets, NULL, 0);
    return self;
}

void analysis_free(Analysis *self) {
    context_table_free(&self->judged);
    sample_table_free(&self->sampled);
    way_table_free(&self->ways);
    readings_free(&self->read);
    company_free(&self->company);
    events_free(&self->events);
    node_table_free(&self->graph);
    facts_free(&self->facts, self->program->functions.count);
    object_table_free(&self->shared);
    words_free(&self->words);
}

void inquire(Program *program, const AnalysisOptions *options, const Question *question, struct AnswerList *out,
             AnalysisStats *stats) {
    Analysis self = analysis_begin(program, options);
    FindingList ignored;
    findings_begin(&ignored);
    make_ways(&self, &ignored);
    fill_samples(&self);
    order_ambient(&self);
    order_holders(&self);
    answer_question(&self, question, out);
    *stats = self.stats;
    findings_free(&ignored);
    analysis_free(&self);
}

void visit_samples(Program *program, const AnalysisOptions *options, SampleVisit *visit, void *context) {
    Analysis self = analysis_begin(program, options);
    FindingList ignored;
    findings_begin(&ignored);
    make_ways(&self, &ignored);
    fill_samples(&self);
    each_sample(&self, visit, context);
    findings_free(&ignored);
    analysis_free(&self);
}

void dump_products(Program *program, const AnalysisOptions *options, FunctionId function, u32 wanted, Buffer *out) {
    Analysis self = analysis_begin(program, options);
    FindingList ignored;
    findings_begin(&ignored);
    make_ways(&self, &ignored);
    fill_samples(&self);
    if (wanted & DUMP_SKELETON)
        skeleton_text(&self, function, out);
    if (wanted & DUMP_EVENTS)
        events_text(&self, function, out);
    if (wanted & DUMP_WAYS)
        ways_text(&self, function, out);
    if (wanted & DUMP_SAMPLES)
        samples_text(&self, function, out);
    if (wanted & DUMP_FACTS)
        facts_text(&self, function, out);
    findings_free(&ignored);
    analysis_free(&self);
}

void measure_surviving(Program *program, const AnalysisOptions *options, Survival *out) {
    Analysis self = analysis_begin(program, options);
    FindingList ignored;
    findings_begin(&ignored);
    make_ways(&self, &ignored);
    fill_samples(&self);
    count_surviving(&self, out);
    findings_free(&ignored);
    analysis_free(&self);
}

void dump_summaries(Program *program, const AnalysisOptions *options, const U32Array *functions, Buffer *out,
                    AnalysisStats *stats) {
    Analysis self = analysis_begin(program, options);
    make_facts(&self);
    Summaries *summaries = make_summaries(&self);
    for (u32 i = 0; i < functions->count; i++)
        summary_text(summaries, &self, functions->items[i], out);
    *stats = self.stats;
    summaries_free(summaries);
    analysis_free(&self);
}
