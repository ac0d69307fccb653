// confirm.h: what a finding says is made to happen. In: findings, a program that was built with `racerx cc`, a command
// that runs it. Out: what its runs showed, finding by finding (RunWitness of racerx/findings/findings.h).
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
    char **command;     // NULL-terminated: what is run
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

#endif
