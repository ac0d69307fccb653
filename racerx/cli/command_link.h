// command_link.h: what the commands that show the linked program have in common.
#ifndef RACERX_COMMAND_LINK_H
#define RACERX_COMMAND_LINK_H

#include "racerx/cli/command.h"
#include "racerx/link/atlas.h"
#include "racerx/link/program.h"

typedef struct {
    const char *db;
    u32 jobs;
    Format format;
    TextArray annotators;
    bool stats, no_config;
    bool registrations;   // roots: the functions that register, instead
    const char *observed; // callees: samples of runs, instead
} LinkArguments;
extern const Option link_options[]; // the options that fill them

typedef struct {
    Declarations *declarations;
    Program *program;
} Linked;
// Links what the database holds; fatal() when it holds no finished run. Statistics go to standard error when wanted.
Linked link_database(const LinkArguments *arguments);
void linked_free(Linked *self);
// summary.c: the functions that a word means: [FILE:]FUNCTION; fatal() when there are none.
void wanted_functions(const Program *program, const char *word, U32Array *out);

// lookup.c: the tables of the program that the last `run` or `check` kept; where they do not fit the scripts in force,
// the program is linked, and tables of it are made in memory.
typedef struct {
    Store *store;           // open; NULL: the tables are in memory
    struct sqlite3 *memory; // likewise the other way round
    Atlas *atlas;
} Lookup;
Lookup lookup_open(const LinkArguments *arguments);
void lookup_close(Lookup *self);
// Keeps the tables with the database, unless it has them of this program already.
void keep_atlas(const Program *program, const ExtractArguments *arguments, const TextArray *paths);
// The same for an answer that takes long to work out: `kind` is a word, `asked` what was asked. NULL: it is not kept.
char *kept_answer(Store *store, const char *kind, u64 asked, size_t *size);
void keep_answer(const char *db, const char *kind, u64 asked, const Buffer *answer); // not while another is writing
// A number for the scripts in force: their texts, the presets' that the database names, and this version of racerx.
u64 scripts_stamp(Store *store, const PathArray *scripts);
bool has_stamp(Store *store, const char *name, u64 stamp); // does meta have this number under the name?
// callers.c: the racerx.lua of the analysed directories, and the scripts named now.
void find_scripts(Store *store, const LinkArguments *arguments, PathArray *scripts);
void print_link_stats(const LinkStats *stats, FILE *out);
struct AnalysisStats;
void print_graph(const Program *program, FILE *out); // run.c: the call graph, by which calls are followed
void print_summary_stats(const LinkStats *link, const struct AnalysisStats *stats, FILE *out); // run.c
// "thread", "unknown"; NULL: this bit is none.
const char *context_bit_word(u32 contexts, u32 bit);

// types.c: a file's dump with the names of objects and called functions behind its events.
void print_typed_dump(const Program *program, const char *path, const char *function, const char *text, size_t size);

// guards_patch.c: the guards that are sure as attributes, a patch of where things are declared; as clang or as the
// kernel spells them.
struct FindingList;
void guards_patch(const struct FindingList *findings, const char *db, bool kernel, Buffer *out);

// locks.c: which functions register others, who said so, and what looks wrong.
void print_registrations(const LinkArguments *arguments);

// observed.c: the text beside what traced runs did.
void print_observed_guards(const char *db, const char *directory, const char *object, Format format);
void print_observed_calls(const LinkArguments *arguments);

#endif
