// command.h: the command line. One Command per subcommand; a table of options drives the
// parsing, the help and the guesses at what a misspelt word meant.
#ifndef RACERX_COMMAND_H
#define RACERX_COMMAND_H

#include "base/base.h"
#include "extract/extract.h"
#include "reports/reports.h"

#ifndef RACERX_VERSION // the Makefile knows it
#define RACERX_VERSION "unknown"
#endif

typedef Array(const char *) TextArray;

typedef enum {
    OPTION_END,    // the last of a table
    OPTION_FLAG,   // bool: --name
    OPTION_TEXT,   // const char *: --name VALUE; the last one counts
    OPTION_LIST,   // TextArray: --name VALUE, as often as you like
    OPTION_NUMBER, // u32, 1 to 256
    OPTION_COUNT,  // u32, from 1: of things that may be many
    OPTION_SIZE,   // u64: bytes, with K, M or G after it
    OPTION_FORMAT, // Format: text or jsonl; reports/formats.def
    OPTION_REPORT, // Format: any
} OptionKind;

typedef struct {
    OptionKind kind;
    char letter;          // short form, 0 = none
    const char *name;     // without the dashes
    const char *argument; // what help calls the value
    size_t offset;        // of the value in the command's own struct
    const char *help;
} Option;

typedef struct Command Command;
struct Command {
    const char *name;
    const char *arguments; // after the options, for the usage line
    const char *summary;   // one line
    const char *details;   // paragraphs for --help
    const Option *options; // its own, or NULL
    const Option *shared;  // more of them, a table it has in common with another command; or NULL
    int (*run)(const Command *self, int count, char **words); // words after the command; the exit status
};

// main.c ----------------------------------------------------------------------
extern const Command *const commands[]; // NULL-terminated, in the order of the pipeline

// options.c -------------------------------------------------------------------
// Fills *values by the command's table and *rest with what is no option. --help prints and exits 0;
// a mistake is fatal() and names the nearest spelling.
void arguments_read(const Command *command, int count, char **words, void *values, TextArray *rest);
const Option *command_option(const Command *command, u32 n); // the nth: its own, then the shared ones; NULL: no more
void print_help(const Command *command, FILE *out);
bool is_macro_name(const char *text, size_t length);

// output.c --------------------------------------------------------------------
void finish_output(void);             // flushes standard output; fatal() when it could not be written
void write_output(const Buffer *out); // the same, for a buffer
void page_output(
    const Buffer *out);    // the same through $RACERX_PAGER, $PAGER or less, if it is more than a terminal's page
u32 list_width(FILE *out); // as output_width(), but for a pipe lines are whole
bool colour_wanted(FILE *out);
u32 output_width(FILE *out);                     // columns: COLUMNS, else the terminal's, else 80
const char *grouped(u64 value, char buffer[32]); // 1234567 as 1,234,567
const char *human_bytes(u64 value, char buffer[32]);

// extract.c -----------------------------------------------------------
// What `extract` and `run` take alike.
typedef struct {
    const char *db;
    u32 jobs;
    TextArray defines, undefines, excludes, presets, annotators;
    u64 max_file_size;
    const char *compile_commands;
    const char *shard; // extract: I/N
    bool only_compiled, follow_links, no_config, no_wait, stats, quiet;
    Format format;                              // run
    bool all;                                   // run: also what is under the ranking's line
    bool no_flows;                              // run: of SARIF
    const char *changed_since;                  // run: a git revision
    bool full;                                  // run: on a terminal, too, every finding in full
#define SWITCH(field, option, help) bool field; // run
#include "racerx/facts/options.def"
#undef SWITCH
    const char *race_mode;     // --race-mode
    const char *engine;        // --engine
    u32 lockset_limit;         // run
    u32 top;                   // run: findings shown as text
    TextArray ranks, settings; // run: files of --rank, NAME=VALUE of --set
    const char *baseline;      // run: a database; only what it does not have is printed
    bool fail_on_new;          // run: and then the exit status is 1
    TextArray suppressions;    // run: files of --suppressions
} ExtractArguments;
extern const Option extract_options[]; // the options that fill all but `format`
// Reads PATH… into the database as the arguments say; the summary goes to standard error.
void extract_paths(const ExtractArguments *arguments, const TextArray *paths, ExtractStats *stats);
// The racerx.lua of these directories, then the scripts that were named.
void gather_scripts(const ExtractArguments *arguments, const TextArray *paths, PathArray *scripts);
// A file that a tree may have at its top; false when it has none, or when it is a link out of the tree (which is said).
bool tree_file(const ExtractArguments *arguments, const char *directory, const char *name, Buffer *path);
// What the last `extract` on this database was given: absolute; none when it was told not to run their racerx.lua.
void remembered_paths(Store *store, PathArray *paths);
void paths_free(PathArray *paths);
void extract_arguments_free(ExtractArguments *arguments);
void extract_stats_free(ExtractStats *stats);

// run.c ---------------------------------------------------------------
struct FindingList;
struct Sources;
// `stats`: of what was read, for the last line; NULL: no such line. `known`: of a baseline, or NULL.
void print_findings(const ExtractArguments *arguments, const ExtractStats *stats, const struct FindingList *findings,
                    const struct FindingList *known, struct Sources *sources);

// report.c ------------------------------------------------------------
// What the database holds, as every command that shows findings wants it: verdicts, their effect on the order, and
// where the sources are. fatal() when there are no findings yet.
struct FindingList *load_findings(const char *db, struct Sources **sources);
void release_findings(struct FindingList *findings, struct Sources *sources);
// The same without what only a whole finding needs: findings_load_rest() adds it, one by one.
struct FindingList *load_heads(Store *store);
struct Sources *load_sources(Store *store);
struct Finding;
// Only of the files that a whole finding names.
void load_sources_of(Store *store, struct Sources *sources, const struct Finding *finding);
// The same for findings that were just saved there: `findings` has neither verdicts nor feedback yet.
struct Sources *complete_findings(Store *store, struct FindingList *findings);
struct ReportOptions;
// To standard output, or to the file `path`.
void write_report(Format format, const struct FindingList *findings, const struct ReportOptions *options,
                  const char *path);

// list.c --------------------------------------------------------------
// What every command that shows findings takes alike: which database, and which of its findings.
typedef struct {
    const char *db, *output;
    Format format;
    bool all, unused, no_wait;
    bool no_flows;             // report: of SARIF
    const char *changed_since; // a git revision: only what a change since has to do with
    const char *owner;         // only findings in files of this owner
    const char *compared;      // report: a database, to say what is new since
    bool lines;                // list: what a line shows is enough
    bool whole_group;          // mark: the siblings, too
    u32 top;
    TextArray kinds, files, verdicts;
    const char *object, *baseline, *reviewer, *group, *from;
} ViewArguments;
extern const Option view_options[]; // that say which findings
// Those of the database that the options ask for; the rest are left out. `sources` as load_findings().
struct FindingList *load_view(const ViewArguments *arguments, struct Sources **sources);
void view_arguments_free(ViewArguments *arguments);
// The findings of a baseline, with its verdicts; fatal() when there are none. release_findings() ends it.
struct FindingList *load_baseline(const char *path, bool whole);
// A verdict outlives the run it was given on: findings without one get that of the other list (diff.c).
void carry_verdicts(struct FindingList *to, const struct FindingList *from);
// The index of the finding that a rank, an id or the beginning of one means; fatal() when it means none, or several.
u32 find_finding(const struct FindingList *findings, const char *word);

// confirm.c -----------------------------------------------------------
double read_time(const char *name, const char *text, double otherwise); // "90", "90s", "10m", "2h", in seconds
int own_words(int count, char **words); // those before "--": the program's own come after it, and are none of ours

// dump.c --------------------------------------------------------------
// By shown path, by an end of one that is unique, or by the file's real place. NULL when there is none.
const SourceFile *find_file(const SourceFileArray *files, const char *wanted, size_t length);

// facts.c -------------------------------------------------------------
// What was read, kept in the database for every later report; nothing that differs between two runs on one tree.
void remember_facts(Store *store, const ExtractStats *stats, const TextArray *paths);
void recall_facts(Store *store, struct FindingList *findings); // adds them to the list
struct AnalysisStats;
void add_analysis_facts(struct FindingList *findings, const struct AnalysisStats *stats,
                        const ExtractArguments *arguments);

// changed.c -----------------------------------------------------------
// Leaves out every finding without a site in a function that changed since a revision, or that calls such a one.
void keep_changed(struct FindingList *findings, const char *db, const TextArray *annotators, bool no_config,
                  const char *revision);

// rank.c --------------------------------------------------------------
// The ranking scripts of the arguments: racerx.lua of the paths, --annotator, --rank.
struct Ranking *load_ranking(const ExtractArguments *arguments, const TextArray *paths);

// stats.c ---------------------------------------------------------------------
const char *lock_tables(const ExtractStats *stats);                       // their names, or "none"
void print_summary(const ExtractStats *stats, const char *db, FILE *out); // three or four lines
void print_stats(const ExtractStats *stats, FILE *out);                   // everything

extern const Command command_extract, command_init, command_run, command_check, command_rank, command_report,
    command_review, command_list, command_show, command_mark, command_diff, command_functions, command_callers,
    command_callees, command_roots, command_locks, command_semaphores, command_guards, command_dump, command_why,
    command_help, command_version, command_confirm, command_cc, command_verdicts, command_lsp, command_completion,
    command_link, command_trace, command_predict, command_summary, command_filters, command_known;

#endif
