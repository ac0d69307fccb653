// command_run.c: `racerx run`: every stage in order.
#include "racerx/command.h"

static void print_result(const ExtractStats *stats, FILE *out) {
    char a[32], b[32];
    fprintf(out, "%s files and %s functions read; lock tables: %s\n", grouped(stats->files, a),
            grouped(stats->functions, b), lock_tables(stats));
    fprintf(out, "no findings: this version reads the source and does not check it yet\n");
}

static int run_run(const Command *self, int count, char **words) {
    ExtractArguments arguments = {0};
    TextArray paths = {0};
    ExtractStats stats;
    arguments_read(self, count, words, &arguments, &paths);
    if (!paths.count)
        fatal("run needs a PATH: a directory or a C file (see `racerx run --help`)");
    extract_paths(&arguments, &paths, &stats);
    if (arguments.format == FORMAT_TEXT)
        print_result(&stats, stdout);
    extract_stats_free(&stats);
    extract_arguments_free(&arguments);
    array_free(&paths);
    return 0;
}

static const Option run_options[] = {
    {OPTION_FORMAT, 0, "format", "FORMAT", offsetof(ExtractArguments, format),
     "text (default), or jsonl: one JSON object per finding and line, and nothing else on standard output"},
    {0},
};

const Command command_run = {
    .name = "run",
    .arguments = "PATH…",
    .summary = "do everything: read C source and print what was found",
    .details = "Reads the C files under every PATH, a directory or a single file, and prints the findings.\n"
               "It takes the options of `racerx extract`, which is its first step.\n"
               "\n"
               "  racerx run ~/src/kernel\n"
               "  racerx run --format jsonl server.c\n"
               "\n"
               "In this version reading is all there is: there are no checks and so no findings yet.\n",
    .options = run_options,
    .shared = extract_options,
    .run = run_run,
};
