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

// Has the database what an earlier command read from this very directory?
static bool has_tree(const char *db, const char *directory) {
    struct stat info;
    if (stat(db ? db : STORE_DEFAULT_PATH, &info))
        return false;
    Store *store = store_open(db, STORE_READ);
    PathArray paths = {0};
    SourceFileArray files = {0};
    char *wanted = realpath(directory, NULL);
    bool found = false;
    remembered_paths(store, &paths);
    for (u32 i = 0; i < paths.count && wanted && paths.count == 1; i++) {
        char *full = realpath(paths.items[i], NULL);
        found |= full && !strcmp(full, wanted);
        free(full);
    }
    store_load_files(store, &files);
    found &= files.count > 0;
    source_files_free(&files);
    paths_free(&paths);
    free(wanted);
    store_close(store);
    return found;
}

static int init_run(const Command *self, int count, char **words) {
    InitArguments arguments = {0};
    TextArray paths = {0};
    ExtractStats stats = {0};
    arguments_read(self, count, words, &arguments, &paths);
    if (paths.count != 1)
        fatal("init takes one DIR (see `racerx init --help`)");
    if (!has_tree(arguments.extract.db, paths.items[0]))
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
