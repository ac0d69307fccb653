// race_thread.c: races are looked for on a thread of their own, beside deadlocks.
// Both read the same facts, events and ways, and intern what they make of them: the thread has forks of the words and
// of the nodes. Objects and samples are the thread's alone until it is waited for.
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
    find_races(&self->analysis, &self->list);
    find_stale(&self->analysis, &self->list);
    self->seconds = clock_seconds() - start;
    return NULL;
}

RaceThread *races_begin(const Analysis *analysis) {
    RaceThread *self = must_zero(sizeof *self);
    self->analysis = *analysis;
    words_fork(&self->analysis.words);
    node_table_fork(&self->analysis.graph);
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
    words_free(&self->analysis.words);
    node_table_free(&self->analysis.graph);
    analysis->shared = self->analysis.shared;
    analysis->sampled = self->analysis.sampled;
    analysis->stats.samples = self->analysis.stats.samples;
    analysis->stats.objects = self->analysis.stats.objects;
    memcpy(analysis->stats.stories, self->analysis.stats.stories, sizeof analysis->stats.stories);
    analysis->stats.seconds_races = self->seconds;
    free(self);
}
