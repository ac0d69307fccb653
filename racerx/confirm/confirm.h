// confirm.h: what a finding says is made to happen. In: findings, a program that was built with `racerx cc`, a command
// that runs it. Out: what its runs showed, finding by finding (RunWitness of racerx/findings/findings.h). And traces of
// runs, and what they predict.
//
// The program runs with runtime/ in it, which stalls threads where the plan says and writes down what it sees;
// the other files make plans and read what was seen. docs/confirm.md tells how it is used.
#ifndef RACERX_CONFIRM_H
#define RACERX_CONFIRM_H

#include "racerx/findings/findings.h"

// runtime_text.c: the runtime, built in as text -------------------------------------------------
#define RUNTIME_LIBRARY "libracerx_runtime.so"
void runtime_write(const char *directory);     // its source, and what the compiler makes of it; fatal() if not
char *runtime_directory(const char *compiler); // where it is, made when it is not there yet; malloc'd

// compile.c: `racerx cc` ------------------------------------------------------------------------
// Runs the compiler with what steering needs. Does not return but when it cannot be started.
int compile_steered(const char *compiler, int count, char **words);

// steer.c ---------------------------------------------------------------------------------------
typedef struct {
    char **command;     // NULL-terminated: what is run; NULL: only the lines
    char *const *lines; // for the shell, run beside it: two at most
    u32 line_count;     //
    double settle;      // seconds until they start
    u32 runs;           // at most, of one finding
    u64 seed;           // of the first run; each next one has the next
    double seconds;     // for all of it
    double run_seconds; // for one run
    bool output;        // the program's output is shown
} ConfirmOptions;
// One for each finding, in their order, with texts in the arena of the list. A finding that cannot be steered (its kind
// is none that happens in a program's threads) has outcome OUTCOME_NONE, and a note.
void confirm_findings(FindingList *findings, Finding *const *chosen, u32 count, const ConfirmOptions *options,
                      RunWitness *out);

// trace.c: traced runs, kept in a directory, a folder each --------------------------------------
#define TRACES_DEFAULT ".racerx/traces"
typedef struct {
    char **command;     // NULL-terminated; NULL: the seeds are all there is
    PathArray seeds;    // command lines for the shell; none: the command is the seed
    const char *into;   // the directory
    u32 runs;           // of each seed
    u32 events;         // of a thread, at most
    u64 seed;           // of the first run: how threads are delayed
    double run_seconds; // for one run
    double settle;      // seconds from the command's start to that of the seeds
    bool output;        // the program's output is shown
    bool keep;          // the samples that are there already
    bool alone;         // each seed by itself
} TraceOptions;
typedef struct {
    u32 samples;
    u64 threads, events, lost, bytes;
    double seconds, plain; // of a run, traced; of one that was not; the shortest of each
} TraceStats;
// What seeds should run together: for seed `a` of `count` and a number by chance, another seed. NULL: any.
typedef u32 SeedChooser(void *context, u32 a, u32 count, u64 chance);
void trace_runs(const TraceOptions *options, SeedChooser *chooser, void *context, TraceStats *out);
void seeds_read(PathArray *out, const char *path); // one command line each; empty ones and those with # left out

// pairs.c: seeds of which one runs one line of a finding and the other the other ----------------------
typedef struct SeedPairs SeedPairs;
// By samples in which each seed ran alone; `findings` with their sites.
SeedPairs *seed_pairs_make(const char *directory, const PathArray *seeds, const FindingList *findings);
u32 seed_pairs_choose(void *self, u32 seed, u32 count, u64 chance); // as SeedChooser
void seed_pairs_free(SeedPairs *self);

// predict.c: races that no run has shown yet ---------------------------------------------------------
typedef struct {
    const char *function, *file; // "": not known
    u32 line;                    //
    bool writes, frees, atomic;  //
    Rows(const char *) locks;    //
    double probability;          // of the access with these locks
    const char *seed;            // whose it is
} PredictedSide;
typedef struct {
    PredictedSide sides[2]; // the first is the one that stands and waits: it writes
    const char *place;
    double probability; // that a run does both
    double at_most;     // such a prediction is false with this probability, at 95 % (Theorem 1)
    u32 together, apart, samples;
} PredictedRace;
// What keeps two accesses apart. All but the first are there to be compared with.
typedef enum { BY_ORDER, BY_LOCKS, BY_PLACES } PredictBy; // locks and order; locks; nothing, they only conflict
typedef struct {
    u64 accesses, stable, linear, pairs; // the paper's columns
    u64 places, violating;
    u64 ordered; // pairs of lines that every run kept in order
    u32 samples; //
    u64 events, lost, cut;
    double seconds;             // the analysis took
    Array(PredictedRace) races; // the most probable first; texts in the arena of the list that was given
} Predictions;
// Of the samples in a directory; of lines of text that kernels' tracers wrote, when it holds such.
void predict_traces(const char *directory, double beta, PredictBy by, FindingList *texts, Predictions *out);
bool is_kernel_trace(const char *directory);
void predict_kernel(const char *directory, double beta, Predictions *out);
void predictions_free(Predictions *self);
// observe.c: what runs say about the text -------------------------------------------------------------
typedef struct {
    const char *function, *file; // as the compiler knew it
    u32 line;
    bool writes;
    u32 with, without; // access-locksets, of places that threads share: under some lock; under none
    const char *lock;  // one that was held; "": none ever
} ObservedLine;
typedef struct {
    const char *function, *file; // that calls
    u32 line;
    const char *callee, *callee_file;
} ObservedCall;
typedef struct {
    Array(ObservedLine) lines; // by file and line; texts in the arena of the list that was given
    Array(ObservedCall) calls; //
    u32 samples;
} Observations;
void observe_traces(const char *directory, FindingList *texts, Observations *out);
void observations_free(Observations *self);
// Is it the same file? The analysis' path is an end of the compiler's.
bool same_source(const char *analysed, const char *compiled);

Finding *prediction_finding(FindingList *findings, const PredictedRace *race); // as `confirm` takes it

#endif
