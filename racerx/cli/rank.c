// rank.c: `racerx rank`: scores what the database holds anew, by other settings or scripts.
#include "racerx/cli/command.h"

#include "extract/store.h"
#include "racerx/findings/findings.h"
#include "rank/rank.h"
#include "reports/reports.h"

Ranking *load_ranking(const ExtractArguments *arguments, const TextArray *paths) {
    PathArray scripts = {0};
    diag_set_quiet(arguments->quiet);
    gather_scripts(arguments, paths, &scripts);
    for (u32 i = 0; i < arguments->ranks.count; i++)
        array_push(&scripts, must_strdup(arguments->ranks.items[i]));
    RankOptions options = {.scripts = (const char *const *)scripts.items,
                           .script_count = scripts.count,
                           .assignments = arguments->settings.items,
                           .assignment_count = arguments->settings.count};
    Ranking *ranking = rank_load(&options);
    for (u32 i = 0; i < scripts.count; i++)
        free(scripts.items[i]);
    array_free(&scripts);
    return ranking;
}

static void rank_database(const ExtractArguments *arguments, Ranking *ranking) {
    FindingList findings;
    findings_begin(&findings);
    Store *store = store_open(arguments->db, STORE_READ);
    if (!findings_load(&findings, store))
        fatal("the database has no findings yet (init and extract only read), or those of another version: `racerx "
              "run PATH` finds some (verdicts stay)");
    store_close(store);
    rank_findings(ranking, &findings);
    store = store_open(arguments->db, arguments->no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    findings_save(&findings, store);
    Sources *sources = complete_findings(store, &findings);
    store_close(store);
    print_findings(arguments, NULL, &findings, NULL, sources);
    sources_free(sources);
    findings_free(&findings);
}

static int rank_run(const Command *self, int count, char **words) {
    ExtractArguments arguments = {0};
    TextArray paths = {0};
    arguments_read(self, count, words, &arguments, &paths);
    if (paths.count)
        fatal("rank takes no PATH: it reads the database that `racerx run PATH` made (see `racerx rank --help`)");
    Ranking *ranking = load_ranking(&arguments, &paths);
    rank_database(&arguments, ranking);
    rank_free(ranking);
    extract_arguments_free(&arguments);
    return 0;
}

#define AT(field) offsetof(ExtractArguments, field)
static const Option rank_options[] = {
    {OPTION_REPORT, 0, "format", "FORMAT", AT(format), "how it is printed"},
    {OPTION_FLAG, 0, "all", NULL, AT(all), "also show the findings under the ranking's line"},
    {OPTION_COUNT, 0, "top", "N", AT(top), "show only the first N findings"},
    {OPTION_FLAG, 0, "full", NULL, AT(full), "on a terminal, too, print every finding in full"},
    {OPTION_LIST, 0, "rank", "FILE", AT(ranks), "also rank by this Lua script; repeatable"},
    {OPTION_LIST, 0, "set", "NAME=VALUE", AT(settings), "change a setting of the ranking; repeatable"},
    {OPTION_LIST, 0, "annotator", "FILE", AT(annotators), "a script that `run` was given; repeatable"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_FLAG, 0, "no-wait", NULL, AT(no_wait), "do not wait for another racerx on the database"},
    {OPTION_FLAG, 'q', "quiet", NULL, AT(quiet), "only errors on standard error"},
    {0},
};

const Command command_rank = {
    .name = "rank",
    .arguments = "",
    .summary = "score what was found anew, and print it",
    .details =
        "Scores the findings in the database again, by the settings and scripts given, saves their new order and\n"
        "prints them. Nothing is read or analysed again, so it takes a moment.\n"
        "A racerx.lua of the analysed tree is not looked for: name it with --rank.\n"
        "\n"
        "  racerx rank --set line=6               a shorter list\n"
        "  racerx rank --rank mine.lua --top 50   try a script\n"
        "\n"
        "rank/README.md tells of scripts and settings.\n",
    .options = rank_options,
    .run = rank_run,
};
