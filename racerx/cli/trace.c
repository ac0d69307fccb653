// trace.c: `racerx trace`: runs of a program write down what they do, for `racerx predict`.
#include "racerx/cli/command.h"

#include "racerx/confirm/confirm.h"

typedef struct {
    const char *into, *seeds, *run_time, *settle;
    u32 runs, events, seed;
    bool output, add;
    Format format;
} TraceArguments;

static void print_stats_text(const TraceStats *stats, const TraceOptions *options) {
    char numbers[3][32];
    printf("%u run%s, %s threads: %s events in %s, in %s\n", stats->samples, stats->samples == 1 ? "" : "s",
           grouped(stats->threads, numbers[0]), grouped(stats->events, numbers[1]),
           human_bytes(stats->bytes, numbers[2]), quoted_path(options->into));
    if (stats->lost)
        printf("%s events had no room (--events): what is not known makes no prediction\n",
               grouped(stats->lost, numbers[0]));
    printf("a traced run took %.3f s, one that was not %.3f s: %.1f times\n", stats->seconds, stats->plain,
           stats->plain > 0 ? stats->seconds / stats->plain : 0);
}

static void print_stats_json(const TraceStats *stats, const TraceOptions *options) {
    Buffer out = {0};
    buffer_text(&out, "{\"into\":");
    buffer_json(&out, options->into, strlen(options->into));
    buffer_format(&out, ",\"samples\":%u,\"threads\":%llu,\"events\":%llu,\"lost\":%llu,\"bytes\":%llu", stats->samples,
                  (unsigned long long)stats->threads, (unsigned long long)stats->events,
                  (unsigned long long)stats->lost, (unsigned long long)stats->bytes);
    buffer_format(&out, ",\"seconds\":%.6f,\"plain\":%.6f}\n", stats->seconds, stats->plain);
    write_output(&out);
    buffer_free(&out);
}

static int trace_run(const Command *self, int count, char **words) {
    TraceArguments arguments = {0};
    TextArray rest = {0};
    TraceStats stats;
    int own = own_words(count, words);
    arguments_read(self, own, words, &arguments, &rest);
    if (rest.count)
        fatal("trace takes options, then -- and the program: '%s' is neither", quote_path(rest.items[0]));
    if (own + 1 >= count && !arguments.seeds)
        fatal("trace needs a program to run, built with `racerx cc`: racerx trace -- ./prog ARGUMENTS");
    Array(char *) command = {0};
    for (int i = own + 1; i < count; i++)
        array_push(&command, words[i]);
    array_push(&command, NULL);
    TraceOptions options = {.command = own + 1 < count ? command.items : NULL,
                            .into = arguments.into ? arguments.into : TRACES_DEFAULT,
                            .runs = arguments.runs ? arguments.runs : 1,
                            .events = arguments.events ? arguments.events : 500000,
                            .seed = arguments.seed ? arguments.seed : 1,
                            .run_seconds = read_time("run-time", arguments.run_time, 60),
                            .settle = read_time("settle", arguments.settle, 0.5),
                            .output = arguments.output,
                            .keep = arguments.add};
    if (arguments.seeds)
        seeds_read(&options.seeds, arguments.seeds);
    trace_runs(&options, NULL, NULL, &stats);
    if (arguments.format == FORMAT_JSONL)
        print_stats_json(&stats, &options);
    else
        print_stats_text(&stats, &options);
    paths_free(&options.seeds);
    array_free(&command);
    array_free(&rest);
    return 0;
}

#define AT(field) offsetof(TraceArguments, field)
static const Option trace_options[] = {
    {OPTION_TEXT, 0, "into", "DIR", AT(into), "the directory of the samples (default: " TRACES_DEFAULT ")"},
    {OPTION_FLAG, 0, "add", NULL, AT(add), "keep the samples that are there"},
    {OPTION_COUNT, 0, "runs", "N", AT(runs), "of the program, or of each seed (default: 1)"},
    {OPTION_TEXT, 0, "seeds", "FILE", AT(seeds), "command lines to run beside the program, two at a time"},
    {OPTION_TEXT, 0, "settle", "TIME", AT(settle), "from the program's start to that of the seeds (default: 0.5s)"},
    {OPTION_COUNT, 0, "events", "N", AT(events), "of each thread, at most (default: 500000, 12 MB)"},
    {OPTION_TEXT, 0, "run-time", "TIME", AT(run_time), "for one run, which is ended then (default: 60s)"},
    {OPTION_COUNT, 0, "seed", "N", AT(seed), "of the first run: how threads are delayed; 1: not at all"},
    {OPTION_FLAG, 0, "output", NULL, AT(output), "show what the program prints"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format), "text (default), or jsonl: the numbers as an object"},
    {0},
};

const Command command_trace = {
    .name = "trace",
    .arguments = "-- PROGRAM [ARGUMENTS…]",
    .summary = "write down what runs of the program do, for `predict`",
    .details = "Runs a program that was built with `racerx cc` and keeps what its threads\n"
               "did: accesses with the locks held, locks, waits, thread starts and joins,\n"
               "memory given out and freed, who called whom. Each thread writes to a file\n"
               "of its own that is bounded (--events), without a lock; from half of it on\n"
               "accesses are thinned out, which never makes a prediction. Says what it cost:\n"
               "the time of a run beside that of one that was not traced.\n"
               "\n"
               "With --seeds the lines of FILE are run by the shell, two at a time, each\n"
               "once as the first and once as the second: clients of a server, say, which is\n"
               "PROGRAM and is ended with them; or without PROGRAM, programs themselves.\n"
               "\n"
               "  racerx trace --runs 4 -- ./prog --selftest\n"
               "  racerx trace --seeds clients.txt --runs 4 -- ./server -p 4000\n"
               "  racerx predict\n",
    .options = trace_options,
    .run = trace_run,
};
