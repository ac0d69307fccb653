// propose.h: from what the text of a tree says (racerx/init/discover.h) to declarations that somebody would have to
// write by hand. The words and the decisions are data: racerx/init/*.lua. docs/init.md explains both.
#ifndef RACERX_PROPOSE_H
#define RACERX_PROPOSE_H

#include "annotators/declare.h"
#include "extract/store.h"

// A declaration found.
typedef struct {
    const char *name;   // of the function, a C name
    const char *effect; // "acquire", "release", "try", "wait", "registers" …
    const char *kind;   // of the lock ("spin"), or the context ("thread")
    const char *reason; // why it was found, or why it is doubtful
    u32 calls;          // in the tree
    i32 argument;       // the lock or handler; 0: none
    bool sure;          // written as a declaration, not as a comment
} ProposedName;

typedef struct {
    Arena arena;               // of all texts
    Array(ProposedName) names; // in the order of the file
    const char *text;          // racerx.lua, whole
    u32 length;                // of text
    const char *summary;       // for the terminal, lines
    u32 rows;                  // declarations in it that are active
    u32 doubtful;              // and those that are not
    u32 unread;                // files not read
    u32 deep, cut;             // functions looked at in part: nested too deeply, too many lock operations
    double seconds;
    struct Discovery *discovery; // what it was made from: asked by the functions below
} Proposal;

typedef struct {
    Store *store;                     // with the files
    const Declarations *declarations; // what is known already; NULL: nothing
    const char *presets;              // their names, ", " between them; NULL: none
    const char *directory;            // as the file's first line has it
    u32 jobs;
    const char *mentioned; // the file of somebody who decided about every name in it; NULL: none
    bool addition;         // only what is not known, to be put after something else
} ProposeOptions;
void propose(Proposal *self, const ProposeOptions *options);
void proposal_free(Proposal *self);

// How often a name is called in the text of the tree; and every name that is, in the order of spelling: NULL after
// the last.
u32 proposal_calls(const Proposal *self, const char *name);
const char *proposal_called(const Proposal *self, u32 *next);

#endif
