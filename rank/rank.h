// rank.h: the ranking: features in, scores with their reasons and one order out.
// Loading is apart from scoring, so that a mistake in a script stops the run before the analysis, and so that the
// analysis can read settings (p0, wide). Mistakes are fatal(): one line with script and line, status 2.
#ifndef RANK_RANK_H
#define RANK_RANK_H

#include "base/base.h"
#include "racerx/findings/findings.h"

typedef struct Ranking Ranking;

typedef struct {
    const char *const
        *scripts; // racerx.lua of the tree, then --annotator, then --rank; a path that comes twice runs once
    u32 script_count;
    const char *const *assignments; // NAME=VALUE of --set; they overrule the scripts
    u32 assignment_count;
} RankOptions;

// Runs the scripts' text: rank/default.lua, which is built in, and the user's after it.
Ranking *rank_load(const RankOptions *options);
void rank_free(Ranking *self);
// The value in force. A name that rank/default.lua does not have is our bug.
double rank_setting(const Ranking *self, const char *name);
// requires: objects, sites and features; scores and reasons that are there already are dropped.
// fills: score, share, reasons, below_line, settings; sorts the list and fills the ids.
void rank_findings(Ranking *self, FindingList *list);

double share_of(double score); // of findings with this score, as many are true: the score is the log-odds

// feedback.c -------------------------------------------------------------------
// requires: a ranked list with verdicts, and the settings it was ranked by. Moves the findings that nobody reviewed by
// what was said of their siblings, adds the reason, and sorts again; ids stay. Never saved: it is worked out whenever
// findings are shown.
void rank_feedback(FindingList *list);

#endif
