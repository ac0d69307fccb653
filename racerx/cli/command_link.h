// command_link.h: what the commands that show the linked program have in common.
#ifndef RACERX_COMMAND_LINK_H
#define RACERX_COMMAND_LINK_H

#include "racerx/cli/command.h"
#include "racerx/link/program.h"

typedef struct {
    const char *db;
    u32 jobs;
    Format format;
    TextArray annotators;
    bool stats, no_config;
    bool registrations; // roots: the functions that register, instead
} LinkArguments;
extern const Option link_options[]; // the options that fill them

typedef struct {
    Declarations *declarations;
    Program *program;
} Linked;
// Links what the database holds; fatal() when it holds no finished run. Statistics go to standard error when wanted.
Linked link_database(const LinkArguments *arguments);
void linked_free(Linked *self);
void print_link_stats(const LinkStats *stats, FILE *out);
struct AnalysisStats;
void print_graph(const Program *program, FILE *out); // run.c: the call graph, by which calls are followed
void print_summary_stats(const LinkStats *link, const struct AnalysisStats *stats, FILE *out); // run.c
// "thread", "unknown"; NULL: this bit is none.
const char *context_bit_word(u32 contexts, u32 bit);

// types.c: a file's dump with the names of objects and called functions behind its events.
void print_typed_dump(const Program *program, const char *path, const char *function, const char *text, size_t size);

// locks.c: which functions register others, who said so, and what looks wrong.
void print_registrations(const LinkArguments *arguments);

#endif
