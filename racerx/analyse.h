// analyse.h: inside racerx/, what the drivers share: analyse.c makes products one after the other, questions.c asks
// what some of them say.
#ifndef RACERX_ANALYSE_H
#define RACERX_ANALYSE_H

#include "racerx/summary/summary.h"

Analysis analysis_begin(Program *program, const AnalysisOptions *options); // questions.c: every product empty
void analysis_free(Analysis *self);

// analyse.c
void make_facts(Analysis *self);                    // fills: Facts
Summaries *make_summaries(Analysis *self);          // requires: Facts. summaries_free() ends them
double make_ways(Analysis *self, FindingList *out); // fills: Facts, Events, WayTable; when the walk was done

#endif
