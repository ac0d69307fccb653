// survive.c: how much of what one thread alone proves survives the others: Radar's Figure 5.4.
// In: facts, samples. Out: of all dereferences of a program, how many are of a pointer that is proven not null, if it
// may be written by whoever could reach it, by whoever runs at the same time, by whoever does so without the same lock,
// by nobody else. Each count is a part of the next.
#include "racerx/stale/stale.h"

typedef struct {
    Judge judge;
    Survival *out;
} Surviving;

static void count_use(void *context, const Flow *flow, const Reliance *reliance) {
    Surviving *self = context;
    if (!reliance || reliance->kind != RELY_DEREFERENCE)
        return;
    const KnownFact *fact = reliance->fact;
    self->out->dereferences++;
    if (!fact || !(fact->flags & FACT_PROVEN))
        return;
    self->out->alone++;
    bool own = is_own_place(flow, fact->place);
    bool apart = own || !fact_object(flow, fact) || !judge_writer(&self->judge, flow, fact, false);
    self->out->reached += own;
    self->out->unlocked += apart;
    self->out->locked += apart || !judge_writer(&self->judge, flow, fact, true);
}

void count_surviving(Analysis *analysis, Survival *out) {
    Surviving self = {.out = out};
    Effects effects;
    *out = (Survival){0};
    effects_begin(&effects, analysis);
    judge_begin(&self.judge, analysis, NULL);
    Flow flow = {.analysis = analysis, .effects = &effects};
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        flow_run(&flow, f, count_use, &self);
    flow_free(&flow);
    judge_end(&self.judge);
    effects_end(&effects);
}
