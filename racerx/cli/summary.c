// summary.c: `racerx summary FUNCTION`: what a function does relative to its entry, as the summaries have it.
#include "racerx/cli/command_link.h"
#include "racerx/facts/analysis.h"

// Is it the function of that name, in a file whose path is, or ends in, that?
static bool is_wanted(const Program *program, FunctionId function, const char *name, const char *file, size_t length) {
    const ProgramFunction *one = &program->functions.items[function];
    if (strcmp(program_text(program, one->name), name))
        return false;
    const char *path = program->files.items[one->file].path;
    size_t total = strlen(path);
    return !file || (total >= length && !memcmp(path + total - length, file, length) &&
                     (total == length || path[total - length - 1] == '/'));
}

static _Noreturn void say_missing(const Program *program, const char *word, const char *name) {
    Array(const char *) names = {0};
    for (FunctionId f = 0; f < program->functions.count; f++)
        array_push(&names, program_text(program, program->functions.items[f].name));
    array_push(&names, NULL);
    const char *near = nearest_word(name, names.items);
    char *shown = quote_path(word);
    if (near && strcmp(near, name))
        fatal("there is no function '%s': did you mean '%s'?", shown, near);
    fatal("there is no function '%s': `racerx functions` lists what there is", shown);
}

void wanted_functions(const Program *program, const char *word, U32Array *out) {
    const char *colon = strrchr(word, ':'), *name = colon ? colon + 1 : word;
    for (FunctionId f = 0; f < program->functions.count; f++)
        if (is_wanted(program, f, name, colon ? word : NULL, colon ? (size_t)(colon - word) : 0))
            array_push(out, f);
    if (!out->count)
        say_missing(program, word, name);
}

static int summary_run(const Command *self, int count, char **words) {
    LinkArguments arguments = {0};
    TextArray rest = {0};
    U32Array functions = {0};
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count != 1)
        fatal("summary takes one FUNCTION or FILE:FUNCTION (see `racerx summary --help`)");
    Linked linked = link_database(&arguments);
    wanted_functions(linked.program, rest.items[0], &functions);
    AnalysisOptions options = {
        .p0 = ANALYSIS_P0, .wide = ANALYSIS_WIDE, .jobs = arguments.jobs ? arguments.jobs : cpu_count()};
    AnalysisStats stats;
    dump_summaries(linked.program, &options, &functions, &out, &stats);
    if (arguments.stats) {
        print_graph(linked.program, stderr);
        print_summary_stats(&linked.program->stats, &stats, stderr);
    }
    write_output(&out);
    buffer_free(&out);
    array_free(&functions);
    array_free(&rest);
    linked_free(&linked);
    return 0;
}

const Command command_summary = {
    .name = "summary",
    .arguments = "[FILE:]FUNCTION",
    .summary = "print what a function does to locks and data, relative to its entry",
    .details =
        "Prints the summary of a function as callers use it: the locks that it surely holds at its exit and did not\n"
        "hold when it was entered (L+), those that it may have let go (L-); and what it reads and writes, itself or\n"
        "by what it calls, in terms of its formals and of globals, each with the locks taken (L+) and let go (L-)\n"
        "since the entry, the line, and the callee it comes from. \"of it\": the lock is in the object that is\n"
        "accessed. What no caller can name is told by its type, and once for functions that call each other.\n"
        "\n"
        "FILE tells functions of one name apart: a path as `racerx functions` shows it, or the end of one.\n"
        "\n"
        "  racerx summary list_add_tail\n"
        "  racerx summary drivers/net/airo.c:airo_read_stats\n",
    .shared = link_options,
    .run = summary_run,
};
