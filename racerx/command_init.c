// command_init.c: `racerx init`: a racerx.lua for a tree that nobody described.
// In: a directory. Out: DIR/racerx.lua (or -o FILE), and a summary with what to do next. What somebody wrote there is
// never lost: docs/init.md says when the file is written.
#include "racerx/command.h"

#include "racerx/propose.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    ExtractArguments extract;
    const char *output;
    bool no_presets, add, print;
} InitArguments;

static int init_run(const Command *self, int count, char **words) {
    InitArguments arguments = {0};
    TextArray paths = {0};
    ExtractStats stats;
    arguments_read(self, count, words, &arguments, &paths);
    if (paths.count != 1)
        fatal("init takes one DIR (see `racerx init --help`)");
    extract_paths(&arguments.extract, &paths, &stats);
    Store *store = store_open(arguments.extract.db, STORE_READ);
    Proposal proposal;
    ProposeOptions options = {.store = store, .directory = paths.items[0], .jobs = arguments.extract.jobs ? arguments.extract.jobs : cpu_count()};
    propose(&proposal, &options);
    store_close(store);
    printf("%s", proposal.text);
    fprintf(stderr, "%u rows, %.1f s\n", proposal.rows, proposal.seconds);
    proposal_free(&proposal);
    extract_stats_free(&stats);
    extract_arguments_free(&arguments.extract);
    array_free(&paths);
    return 0;
}

#define AT(field) offsetof(InitArguments, field)
static const Option init_options[] = {
    {OPTION_TEXT, 'o', "output", "FILE", AT(output), "write there instead of DIR/racerx.lua"},
    {OPTION_FLAG, 0, "no-presets", NULL, AT(no_presets), "use no preset: propose everything from the tree alone"},
    {OPTION_FLAG, 0, "add", NULL, AT(add), "append what is new to a file that somebody changed"},
    {0},
};

const Command command_init = {
    .name = "init",
    .arguments = "DIR",
    .summary = "propose a racerx.lua for a tree nobody described",
    .details = "x\n",
    .options = init_options,
    .shared = extract_options,
    .run = init_run,
};
