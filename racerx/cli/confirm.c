// confirm.c: `racerx confirm`: findings are made to happen in runs of the program.
#include "racerx/cli/command.h"

#include "racerx/confirm/confirm.h"
#include "racerx/findings/findings.h"
#include "reports/reports.h"

typedef struct {
    const char *db, *time, *run_time, *runtime;
    u32 top, runs, seed;
    bool output, all;
    Format format;
} ConfirmArguments;

typedef Array(Finding *) FindingArray;

double read_time(const char *name, const char *text, double otherwise) {
    char *end;
    if (!text)
        return otherwise;
    double value = strtod(text, &end);
    double unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : 1;
    end += *end == 's' || *end == 'm' || *end == 'h';
    if (end == text || *end || !(value > 0) || value * unit > 1e7)
        fatal("--%s: '%s' is no time: write 90s, 10m or 2h", name, quote_path(text));
    return value * unit;
}

static void choose(FindingList *findings, Store *store, const ConfirmArguments *arguments, const TextArray *words,
                   FindingArray *out) {
    for (u32 i = 0; i < words->count; i++)
        array_push(out, findings->items.items[find_finding(findings, words->items[i])]);
    u32 most = arguments->top ? arguments->top : words->count ? 0 : 10;
    for (u32 i = 0; i < findings->items.count && out->count < most; i++) {
        Finding *finding = findings->items.items[i];
        if (!*finding->suppressed && (arguments->all || !finding->below_line))
            array_push(out, finding);
    }
    for (u32 i = 0; i < out->count; i++)
        findings_load_rest(findings, out->items[i], store);
}

static void print_results(const FindingArray *chosen, const RunWitness *witnesses, const ConfirmArguments *arguments) {
    ReportOptions options = {.colour = colour_wanted(stdout), .width = output_width(stdout)};
    u32 counts[OUTCOME_COUNT] = {0};
    Buffer out = {0};
    for (u32 i = 0; i < chosen->count; i++) {
        counts[witnesses[i].outcome]++;
        if (arguments->format == FORMAT_JSONL)
            witness_line_put(&out, chosen->items[i], &witnesses[i]);
        else
            report_witness(chosen->items[i], &witnesses[i], &options, &out);
    }
    if (arguments->format != FORMAT_JSONL) {
        buffer_format(&out, "%u finding%s:", chosen->count, chosen->count == 1 ? "" : "s");
        for (u32 i = 1; i < OUTCOME_COUNT; i++)
            buffer_format(&out, " %u %s%s", counts[i], outcome_word((RunOutcome)i), i + 1 < OUTCOME_COUNT ? "," : "");
        buffer_text(&out, "\n");
    }
    write_output(&out);
    buffer_free(&out);
}

static void keep_results(Store *store, const FindingArray *chosen, const RunWitness *witnesses) {
    Buffer lines = {0};
    for (u32 i = 0; i < chosen->count; i++)
        if (witnesses[i].outcome)
            witness_line_put(&lines, chosen->items[i], &witnesses[i]);
    if (lines.size)
        witnesses_append(store, &lines);
    buffer_free(&lines);
}

static int confirm_chosen(const ConfirmArguments *arguments, const TextArray *words, char **command) {
    Store *store = store_open(arguments->db, STORE_READ);
    FindingList *findings = load_heads(store);
    FindingArray chosen = {0};
    ConfirmOptions options = {.command = command,
                              .runs = arguments->runs ? arguments->runs : 10,
                              .seed = arguments->seed ? arguments->seed : 1,
                              .seconds = read_time("time", arguments->time, 600),
                              .run_seconds = read_time("run-time", arguments->run_time, 60),
                              .output = arguments->output};
    choose(findings, store, arguments, words, &chosen);
    if (!chosen.count)
        fatal("there is no finding to confirm: `racerx list` shows what there is (--all: also what is below the line)");
    RunWitness *witnesses = must_zero(sizeof *witnesses * chosen.count);
    confirm_findings(findings, chosen.items, chosen.count, &options, witnesses);
    keep_results(store, &chosen, witnesses);
    print_results(&chosen, witnesses, arguments);
    store_close(store);
    free(witnesses);
    array_free(&chosen);
    release_findings(findings, NULL);
    return 0;
}

int own_words(int count, char **words) {
    int own = 0;
    while (own < count && strcmp(words[own], "--"))
        own++;
    return own;
}

static int confirm_run(const Command *self, int count, char **words) {
    ConfirmArguments arguments = {0};
    TextArray rest = {0};
    int own = own_words(count, words);
    arguments_read(self, own, words, &arguments, &rest);
    if (arguments.runtime) {
        runtime_write(arguments.runtime);
        printf("the runtime is in %s: RACERX_RUNTIME=%s makes `racerx cc` link it\n", quoted_path(arguments.runtime),
               quoted_path(arguments.runtime));
        return 0;
    }
    if (own + 1 >= count)
        fatal("confirm needs a program to run, built with `racerx cc`: racerx confirm 3 -- ./prog ARGUMENTS");
    Array(char *) command = {0};
    for (int i = own + 1; i < count; i++)
        array_push(&command, words[i]);
    array_push(&command, NULL);
    int status = confirm_chosen(&arguments, &rest, command.items);
    array_free(&command);
    array_free(&rest);
    return status;
}

#define AT(field) offsetof(ConfirmArguments, field)
static const Option confirm_options[] = {
    {OPTION_COUNT, 0, "top", "N", AT(top), "the first N of the list, besides those named (default: 10, if none is)"},
    {OPTION_FLAG, 0, "all", NULL, AT(all), "of --top: also what is below the ranking's line"},
    {OPTION_COUNT, 0, "runs", "N", AT(runs), "steered runs for each finding, at most (default: 10)"},
    {OPTION_TEXT, 0, "time", "TIME", AT(time), "for all of it: 90s, 10m, 2h (default: 10m)"},
    {OPTION_TEXT, 0, "run-time", "TIME", AT(run_time), "for one run, which is ended then (default: 60s)"},
    {OPTION_COUNT, 0, "seed", "N", AT(seed), "of the first run: says whom to stall, and how long (default: 1)"},
    {OPTION_FLAG, 0, "output", NULL, AT(output), "show what the program prints"},
    {OPTION_TEXT, 0, "runtime", "DIR", AT(runtime), "write the runtime there, and do nothing else"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format), "text (default), or jsonl: what is kept beside the database"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {0},
};

const Command command_confirm = {
    .name = "confirm",
    .arguments = "[RANK|ID…] -- PROGRAM [ARGUMENTS…]",
    .summary = "make a finding happen in runs of the program",
    .details = "Runs a program that was built with `racerx cc`, stalls its threads at the\n"
               "lines of the findings, and watches: a race is witnessed when one thread\n"
               "stands before its access while another does one that conflicts with it; a\n"
               "deadlock when threads wait for each other in a circle. Of each finding it\n"
               "says\n"
               "\n"
               "  witnessed   it happened: both stacks, the locks held, the values, the seed\n"
               "  crashed     the program crashed under steering, and did not in a run without\n"
               "  tried       its lines ran, never together\n"
               "  not-run     which line never ran: what test is missing\n"
               "\n"
               "PROGRAM is run as you say it, many times: it must end by itself, or at\n"
               "--run-time. A script will do, if what it starts was built with `racerx cc`.\n"
               "What the runs showed is kept beside the database, in\n"
               "racerx.witnesses.jsonl, and `racerx show` prints it. Nothing but the\n"
               "program is touched. docs/confirm.md says more.\n"
               "\n"
               "  make CC=\"racerx cc\"\n"
               "  racerx confirm 3 -- ./prog --test\n"
               "  racerx confirm --top 50 --time 10m -- ./run-tests.sh\n",
    .options = confirm_options,
    .run = confirm_run,
};
