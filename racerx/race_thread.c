// race_thread.c: races are looked for on a thread of their own, beside deadlocks.
// Both read the same facts, events and ways, and intern what they make of them: the thread has forks of the words, and
// reads the nodes as they were when it began. Objects and samples are the thread's alone until it is waited for.
#include "racerx/facts/analysis.h"

#include <pthread.h>

struct RaceThread {
    Analysis analysis; // shares everything that does not grow
    FindingList list;
    double seconds;
    pthread_t thread;
};

static void *run_races(void *context) {
    RaceThread *self = context;
    double start = clock_seconds();
    fill_samples(&self->analysis);
    if (checks_wanted())
        samples_check(&self->analysis);
    array_free(&self->analysis.node_accesses);
    find_races(&self->analysis, &self->list);
    if (checks_wanted())
        findings_check(&self->list);
    double stale = clock_seconds();
    find_stale(&self->analysis, &self->list);
    if (checks_wanted())
        findings_check(&self->list);
    self->analysis.stats.seconds_stale = clock_seconds() - stale;
    self->seconds = clock_seconds() - start;
    return NULL;
}

RaceThread *races_begin(Analysis *analysis) {
    RaceThread *self = must_zero(sizeof *self);
    self->analysis = *analysis;
    words_fork(&analysis->words, &self->analysis.words);
    node_table_lend(&analysis->graph, &self->analysis.graph);
    memset(&analysis->node_accesses, 0, sizeof analysis->node_accesses); // the thread's alone: it frees them
    findings_begin(&self->list);
    if (pthread_create(&self->thread, NULL, run_races, self))
        fatal("no thread can be started: out of memory, or too many threads; try again later");
    return self;
}

void races_end(RaceThread *self, Analysis *analysis, FindingList *out) {
    pthread_join(self->thread, NULL);
    for (u32 i = 0; i < self->list.items.count; i++)
        array_push(&out->items, self->list.items.items[i]);
    memcpy(&out->guards, &self->list.guards, sizeof out->guards);
    arena_adopt(&out->arena, &self->list.arena);
    array_free(&self->list.items);
    findings_forget_texts(&self->list);
    words_free_second(&self->analysis.words);
    node_table_return(&analysis->graph, &self->analysis.graph);
    analysis->shared = self->analysis.shared;
    analysis->sampled = self->analysis.sampled;
    analysis->stats.samples = self->analysis.stats.samples;
    analysis->stats.objects = self->analysis.stats.objects;
    memcpy(analysis->stats.stories, self->analysis.stats.stories, sizeof analysis->stats.stories);
    analysis->stats.seconds_races = self->seconds;
    analysis->stats.seconds_stale = self->analysis.stats.seconds_stale;
    free(self);
}
