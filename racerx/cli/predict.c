// predict.c: `racerx predict`: races that no run has shown yet, from traces of runs; and, handed to `confirm`, shown.
#include "racerx/cli/command.h"

#include "racerx/confirm/confirm.h"
#include "racerx/findings/findings.h"
#include "reports/reports.h"

typedef struct {
    const char *seeds, *run_time, *settle, *time, *beta, *db, *by;
    u32 samples, events, seed, top, runs;
    bool output, confirm, pairs;
    Format format;
} PredictArguments;

static double read_beta(const char *text) {
    char *end;
    double value = text ? strtod(text, &end) : 0.5;
    if (text && (end == text || *end || !(value > 0) || value > 1))
        fatal("--beta: '%s' is no share: write a number above 0, 1 at most", quote_path(text));
    return value;
}

static PredictBy read_by(const char *word) {
    static const char *const words[] = {"order", "locks", "places", NULL};
    for (u32 i = 0; word && words[i]; i++)
        if (!strcmp(word, words[i]))
            return (PredictBy)i;
    if (word)
        fatal("--by: it is order, locks or places, not '%s'", quote_path(word));
    return BY_ORDER;
}

// text --------------------------------------------------------------------------------

static const char *does(const PredictedSide *side) {
    return side->frees                    ? "frees"
           : side->atomic && side->writes ? "writes atomically"
           : side->atomic                 ? "reads atomically"
           : side->writes                 ? "writes"
                                          : "reads";
}

static void put_side(Buffer *out, const PredictedSide *side, bool many) {
    buffer_format(out, "    %s:%u %s() %s, p %.2f, ", quoted_path(side->file), side->line, quoted_path(side->function),
                  does(side), side->probability);
    for (u32 i = 0; i < side->locks.count; i++)
        buffer_format(out, "%s%s", i ? ", " : "under ", quoted_path(side->locks.items[i]));
    buffer_text(out, side->locks.count ? "" : "no lock");
    if (many)
        buffer_format(out, " [%s]", quoted_path(side->seed));
    buffer_text(out, "\n");
}

static void put_race(Buffer *out, u32 number, const PredictedRace *race) {
    bool many = strcmp(race->sides[0].seed, race->sides[1].seed);
    buffer_format(out, "%u. %s: probability %.2f", number, quoted_path(race->place), race->probability);
    if (race->together)
        buffer_format(out, " (%u of %u runs did both, in %u without order)", race->together, race->samples,
                      race->apart);
    else
        buffer_text(out, " (of two seeds: the product)");
    buffer_format(out, "; false with at most %.2f\n", race->at_most);
    put_side(out, &race->sides[0], many);
    put_side(out, &race->sides[1], many);
    buffer_format(out, "    schedule: one thread up to %s:%u, where it stands; then another up to %s:%u\n",
                  quoted_path(race->sides[0].file), race->sides[0].line, quoted_path(race->sides[1].file),
                  race->sides[1].line);
}

static void put_columns(Buffer *out, const Predictions *found, double beta, bool kernel) {
    char numbers[6][32];
    buffer_format(out, "%u sample%s: %s access-locksets, %s stable (beta %.2f) on %s places, %s after the linear pass ",
                  found->samples, found->samples == 1 ? "" : "s", grouped(found->accesses, numbers[0]),
                  grouped(found->stable, numbers[1]), beta, grouped(found->places, numbers[2]),
                  grouped(found->linear, numbers[3]));
    buffer_format(out, "on %s, %s pairs of instructions\n", grouped(found->violating, numbers[4]),
                  grouped(found->pairs, numbers[5]));
    if (found->lost || found->cut)
        buffer_format(out, "%llu events had no room, %llu comparisons were not made\n", (unsigned long long)found->lost,
                      (unsigned long long)found->cut);
    if (!kernel)
        buffer_format(out, "%u pair%s of lines that no order keeps apart; %llu were always in order\n",
                      found->races.count, found->races.count == 1 ? "" : "s", (unsigned long long)found->ordered);
}

// JSON lines ----------------------------------------------------------------------------

static void put_json_side(Buffer *out, const PredictedSide *side) {
    buffer_text(out, "{\"file\":");
    buffer_json(out, side->file, strlen(side->file));
    buffer_format(out, ",\"line\":%u,\"function\":", side->line);
    buffer_json(out, side->function, strlen(side->function));
    buffer_format(out, ",\"does\":\"%s\",\"probability\":%.4f,\"seed\":", does(side), side->probability);
    buffer_json(out, side->seed, strlen(side->seed));
    buffer_text(out, ",\"locks\":[");
    for (u32 i = 0; i < side->locks.count; i++) {
        buffer_text(out, i ? "," : "");
        buffer_json(out, side->locks.items[i], strlen(side->locks.items[i]));
    }
    buffer_text(out, "]}");
}

static void put_json_race(Buffer *out, const PredictedRace *race, const RunWitness *witness) {
    buffer_text(out, "{\"place\":");
    buffer_json(out, race->place, strlen(race->place));
    buffer_format(
        out, ",\"probability\":%.4f,\"false_at_most\":%.4f,\"together\":%u,\"apart\":%u,\"samples\":%u,\"sides\":[",
        race->probability, race->at_most, race->together, race->apart, race->samples);
    put_json_side(out, &race->sides[0]);
    buffer_text(out, ",");
    put_json_side(out, &race->sides[1]);
    buffer_text(out, "]");
    if (witness && witness->outcome) {
        buffer_text(out, ",\"witness\":");
        witness_put(out, witness);
    }
    buffer_text(out, "}\n");
}

static void put_json_columns(Buffer *out, const Predictions *found, double beta) {
    buffer_format(out, "{\"samples\":%u,\"beta\":%.4f,\"access_locksets\":%llu,\"stable\":%llu,\"linear\":%llu",
                  found->samples, beta, (unsigned long long)found->accesses, (unsigned long long)found->stable,
                  (unsigned long long)found->linear);
    buffer_format(out,
                  ",\"pairs\":%llu,\"places\":%llu,\"violating\":%llu,\"ordered\":%llu,\"predictions\":%u,\"lost\":%"
                  "llu,\"cut\":%llu,\"seconds\":%.3f}\n",
                  (unsigned long long)found->pairs, (unsigned long long)found->places,
                  (unsigned long long)found->violating, (unsigned long long)found->ordered, found->races.count,
                  (unsigned long long)found->lost, (unsigned long long)found->cut, found->seconds);
}

// what it does --------------------------------------------------------------------------

// Seeds of one prediction run beside the program as they did; predictions of the same seeds are steered together.
static void confirm_some(FindingList *list, const Predictions *found, Finding **findings, u32 from, u32 to,
                         ConfirmOptions options, RunWitness *out) {
    char *lines[2] = {(char *)(uintptr_t)found->races.items[from].sides[0].seed,
                      (char *)(uintptr_t)found->races.items[from].sides[1].seed};
    if (options.line_count) {
        options.lines = lines;
        options.line_count = 2;
    }
    confirm_findings(list, findings + from, to - from, &options, out + from);
}

static bool same_seeds(const PredictedRace *a, const PredictedRace *b) {
    return !strcmp(a->sides[0].seed, b->sides[0].seed) && !strcmp(a->sides[1].seed, b->sides[1].seed);
}

static RunWitness *confirm_all(FindingList *list, const Predictions *found, u32 most, const ConfirmOptions *options) {
    RunWitness *out = must_zero(sizeof *out * (found->races.count + 1));
    Finding **findings = must_zero(sizeof *findings * (found->races.count + 1));
    for (u32 i = 0; i < most; i++)
        findings[i] = prediction_finding(list, &found->races.items[i]);
    for (u32 i = 0, end; i < most; i = end) {
        for (end = i + 1;
             end < most && (!options->line_count || same_seeds(&found->races.items[i], &found->races.items[end]));)
            end++;
        confirm_some(list, found, findings, i, end, *options, out);
    }
    free(findings);
    return out;
}

static void put_outcomes(Buffer *out, const RunWitness *witnesses, u32 count) {
    u32 counts[OUTCOME_COUNT] = {0};
    for (u32 i = 0; i < count; i++)
        counts[witnesses[i].outcome]++;
    buffer_format(out, "%u prediction%s steered:", count, count == 1 ? "" : "s");
    for (u32 i = 1; i < OUTCOME_COUNT; i++)
        buffer_format(out, " %u %s%s", counts[i], outcome_word((RunOutcome)i), i + 1 < OUTCOME_COUNT ? "," : "");
    buffer_text(out, "\n");
}

static void print_all(FindingList *list, const Predictions *found, const RunWitness *witnesses, u32 most,
                      const PredictArguments *arguments, double beta, bool kernel) {
    Buffer out = {0};
    (void)list;
    if (arguments->format == FORMAT_JSONL)
        put_json_columns(&out, found, beta);
    else
        put_columns(&out, found, beta, kernel);
    for (u32 i = 0; i < most; i++) {
        if (arguments->format == FORMAT_JSONL) {
            put_json_race(&out, &found->races.items[i], witnesses ? &witnesses[i] : NULL);
            continue;
        }
        put_race(&out, i + 1, &found->races.items[i]);
        if (witnesses)
            buffer_format(&out, "    %s: %s\n", outcome_word(witnesses[i].outcome), witnesses[i].note);
    }
    if (witnesses && arguments->format != FORMAT_JSONL)
        put_outcomes(&out, witnesses, most);
    else if (arguments->format != FORMAT_JSONL && most < found->races.count)
        buffer_format(&out, "%u of %u\n", most, found->races.count);
    write_output(&out);
    buffer_free(&out);
}

// Each seed alone, once: which lines of the findings are whose.
static SeedPairs *make_pairs(const PredictArguments *arguments, TraceOptions options) {
    TraceStats stats;
    struct Sources *sources;
    FindingList *findings = load_findings(arguments->db, &sources);
    options.alone = true;
    options.runs = 1;
    trace_runs(&options, NULL, NULL, &stats);
    SeedPairs *pairs = seed_pairs_make(options.into, &options.seeds, findings);
    release_findings(findings, sources);
    return pairs;
}

static void sample(const PredictArguments *arguments, char **command, const PathArray *seeds, const char *directory) {
    TraceStats stats;
    TraceOptions options = {.command = command,
                            .seeds = *seeds,
                            .into = directory,
                            .runs = arguments->samples ? arguments->samples : 4,
                            .events = arguments->events ? arguments->events : 500000,
                            .seed = arguments->seed ? arguments->seed : 1,
                            .run_seconds = read_time("run-time", arguments->run_time, 60),
                            .settle = read_time("settle", arguments->settle, 0.5),
                            .output = arguments->output};
    SeedPairs *pairs = arguments->pairs ? make_pairs(arguments, options) : NULL;
    trace_runs(&options, pairs ? seed_pairs_choose : NULL, pairs, &stats);
    if (pairs)
        seed_pairs_free(pairs);
    note("%u runs, each %.1f times as long as one that is not traced", stats.samples,
         stats.plain > 0 ? stats.seconds / stats.plain : 0);
}

static int predict_run(const Command *self, int count, char **words) {
    PredictArguments arguments = {0};
    TextArray rest = {0};
    Predictions found;
    FindingList list;
    PathArray seeds = {0};
    int own = own_words(count, words);
    arguments_read(self, own, words, &arguments, &rest);
    if (rest.count > 1)
        fatal("predict takes one DIR of samples; '%s' is one too many", quote_path(rest.items[1]));
    const char *directory = rest.count ? rest.items[0] : TRACES_DEFAULT;
    double beta = read_beta(arguments.beta);
    bool program = own + 1 < count, kernel = !program && !arguments.seeds && is_kernel_trace(directory);
    if (arguments.pairs && !arguments.seeds)
        fatal("--pairs chooses among --seeds: name a file of them");
    if (arguments.confirm && !program && !arguments.seeds)
        fatal("--confirm needs a program to run: racerx predict --confirm -- ./prog ARGUMENTS");
    Array(char *) command = {0};
    for (int i = own + 1; i < count; i++)
        array_push(&command, words[i]);
    array_push(&command, NULL);
    if (arguments.seeds)
        seeds_read(&seeds, arguments.seeds);
    if ((program || arguments.seeds) && !rest.count)
        sample(&arguments, program ? command.items : NULL, &seeds, directory);
    findings_begin(&list);
    if (kernel)
        predict_kernel(directory, beta, &found);
    else
        predict_traces(directory, beta, read_by(arguments.by), &list, &found);
    u32 most = arguments.top && arguments.top < found.races.count ? arguments.top : found.races.count;
    ConfirmOptions options = {.command = program ? command.items : NULL,
                              .line_count = seeds.count ? 2 : 0,
                              .settle = read_time("settle", arguments.settle, 0.5),
                              .runs = arguments.runs ? arguments.runs : 10,
                              .seed = arguments.seed ? arguments.seed : 1,
                              .seconds = read_time("time", arguments.time, 600),
                              .run_seconds = read_time("run-time", arguments.run_time, 60),
                              .output = arguments.output};
    RunWitness *witnesses = arguments.confirm && most ? confirm_all(&list, &found, most, &options) : NULL;
    print_all(&list, &found, witnesses, most, &arguments, beta, kernel);
    free(witnesses);
    predictions_free(&found);
    findings_free(&list);
    paths_free(&seeds);
    array_free(&command);
    array_free(&rest);
    return 0;
}

#define AT(field) offsetof(PredictArguments, field)
static const Option predict_options[] = {
    {OPTION_COUNT, 0, "samples", "N", AT(samples), "runs of the program, or of each seed (default: 4)"},
    {OPTION_TEXT, 0, "beta", "SHARE", AT(beta), "an access counts that so many of the samples have (default: 0.5)"},
    {OPTION_TEXT, 0, "by", "WHAT", AT(by), "what keeps two apart: order (default), locks alone, or nothing: places"},
    {OPTION_TEXT, 0, "seeds", "FILE", AT(seeds), "command lines to run beside the program, two at a time"},
    {OPTION_FLAG, 0, "pairs", NULL, AT(pairs), "of --seeds: together those that run both lines of a finding (--db)"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "of --pairs: the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_TEXT, 0, "settle", "TIME", AT(settle), "from the program's start to that of the seeds (default: 0.5s)"},
    {OPTION_COUNT, 0, "top", "N", AT(top), "only the N most probable"},
    {OPTION_FLAG, 0, "confirm", NULL, AT(confirm), "steer the program to where each prediction says"},
    {OPTION_COUNT, 0, "runs", "N", AT(runs), "of --confirm: runs for each, at most (default: 10)"},
    {OPTION_TEXT, 0, "time", "TIME", AT(time), "of --confirm: for all of it (default: 10m)"},
    {OPTION_TEXT, 0, "run-time", "TIME", AT(run_time), "for one run, which is ended then (default: 60s)"},
    {OPTION_COUNT, 0, "events", "N", AT(events), "of each thread, at most (default: 500000)"},
    {OPTION_COUNT, 0, "seed", "N", AT(seed), "of the first run (default: 1)"},
    {OPTION_FLAG, 0, "output", NULL, AT(output), "show what the program prints"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format), "text (default), or jsonl: the numbers, then one on a line"},
    {0},
};

const Command command_predict = {
    .name = "predict",
    .arguments = "[DIR] [-- PROGRAM [ARGUMENTS…]]",
    .summary = "predict races from what runs of the program did",
    .details = "Probabilistic lockset analysis (PLA): of every access with the locks held,\n"
               "the share of runs that do it; of those that most runs do, pairs that conflict\n"
               "with no lock in common and that no run kept in order; the most probable\n"
               "first, each with a schedule that would show it. PROGRAM, built with `racerx\n"
               "cc`, is run --samples times, its threads delayed differently; without it the\n"
               "samples of DIR count (default: " TRACES_DEFAULT "; `racerx trace` makes them).\n"
               "With --confirm every prediction is steered as `racerx confirm` does.\n"
               "\n"
               "DIR may also hold traces of a kernel as PLA's public tools write them\n"
               "(INPUT_OTHER.N.tK, as text): then the paper's columns are printed.\n"
               "\n"
               "  racerx predict -- ./prog --selftest\n"
               "  racerx predict --confirm --seeds clients.txt -- ./server -p 4000\n"
               "  racerx trace --runs 8 -- ./prog && racerx predict --beta 0.9\n"
               "\n"
               "docs/predict.md says more.\n",
    .options = predict_options,
    .run = predict_run,
};
