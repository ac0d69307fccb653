// run.c: `racerx run`: every stage in order: extract, link, walk, rank, report.
#include "racerx/cli/command_link.h"

#include "racerx/summary/summary.h"
#include "racerx/findings/suppress.h"
#include "rank/rank.h"
#include "reports/reports.h"

#include <unistd.h>

#define SUPPRESSION_FILE "racerx.suppress"

// The presets extraction picked, as words; "c" is always there.
static void preset_words(const char *presets, TextArray *words, Arena *arena) {
    char *text = arena_copy(arena, presets ? presets : "", presets ? strlen(presets) : 0);
    for (char *word = strtok(text, ", "); word; word = strtok(NULL, ", "))
        if (strcmp(word, "c"))
            array_push(words, word);
}

static Declarations *load_declarations(const ExtractArguments *arguments, const TextArray *paths,
                                       const ExtractStats *stats) {
    static const char *const none[] = {NULL};
    PathArray scripts = {0};
    TextArray presets = {0};
    Arena arena = {0};
    gather_scripts(arguments, paths, &scripts);
    preset_words(stats->presets, &presets, &arena);
    DeclareOptions options = {.presets = presets.count ? presets.items : none,
                              .preset_count = presets.count,
                              .scripts = (const char *const *)scripts.items,
                              .script_count = scripts.count};
    Declarations *declarations = declarations_load(&options);
    paths_free(&scripts);
    array_free(&presets);
    arena_free(&arena);
    return declarations;
}

static double gibibytes(u64 bytes) { return (double)bytes / (1u << 30); }

static void print_limits(FILE *out) {
    u32 hit = 0;
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        hit += limit_hits(i) != 0;
    fprintf(out, "  limits: %u of %u hit\n", hit, (u32)LIMIT_COUNT);
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        if (limit_hits(i))
            fprintf(out, "    %s (%u): %llu times\n", limit_meaning(i), limit_number(i),
                    (unsigned long long)limit_hits(i));
}

// How large components are, by which calls are followed: the dissertation's Figures 4.3 to 4.6.
void print_graph(const Program *program, FILE *out) {
    GraphRow rows[GRAPHS];
    fill_graph_rows(program, rows);
    fprintf(out, "  %-26s %9s %8s %6s %10s %8s %8s %8s\n", "calls through pointers", "followed", "targets", "most",
            "components", "largest", "circles", "mean");
    for (u32 i = 0; i < GRAPHS; i++)
        fprintf(out, "  %-26s %9llu %8.1f %6u %10u %8u %8u %8.1f\n", graph_words[i], (unsigned long long)rows[i].kept,
                rows[i].mean, rows[i].most, rows[i].components, rows[i].largest, rows[i].circles, rows[i].circle_mean);
}

void print_summary_stats(const LinkStats *link, const AnalysisStats *stats, FILE *out) {
    double functions = link->functions ? (double)link->functions : 1;
    if (!stats->summary_bytes)
        return;
    fprintf(out, "  summaries: %llu accesses, %.0f bytes and %.1f accesses a function, %.1f s\n",
            (unsigned long long)stats->summary_accesses, (double)stats->summary_bytes / functions,
            (double)stats->summary_accesses / functions, stats->seconds_summaries);
}

static void print_analysis(const Program *program, const AnalysisStats *stats, FILE *out) {
    const LinkStats *link = &program->stats;
    fprintf(out, "what was linked\n");
    fprintf(out, "  calls %llu, through pointers %llu (resolved %llu), unresolved %llu\n",
            (unsigned long long)link->calls, (unsigned long long)link->indirect,
            (unsigned long long)link->indirect_resolved, (unsigned long long)link->unresolved);
    fprintf(out, "  fan-out of calls through pointers: mean %.1f, most %u, cut %u\n", link->fan_out_mean,
            link->fan_out_most, link->fan_out_cut);
    fprintf(out, "  components %u, the largest has %u functions; roots %u\n", link->components, link->largest_component,
            link->roots);
    print_graph(program, out);
    fprintf(out, "what was walked\n");
    fprintf(out, "  functions %llu, with a lockset %llu, states %llu\n", (unsigned long long)stats->functions_walked,
            (unsigned long long)stats->nodes, (unsigned long long)stats->states);
    fprintf(out, "  accesses %llu places in %llu samples\n", (unsigned long long)stats->objects,
            (unsigned long long)stats->samples);
    fprintf(out, "  stories of races: survived %llu, refuted %llu, unchecked %llu\n",
            (unsigned long long)stats->stories[STORY_SURVIVED], (unsigned long long)stats->stories[STORY_REFUTED],
            (unsigned long long)stats->stories[STORY_UNCHECKED]);
    fprintf(out, "  unique lock-order constraints %llu\n", (unsigned long long)stats->constraints);
    print_summary_stats(link, stats, out);
    print_limits(out);
    fprintf(out,
            "  time: link %.1f s, skeletons %.1f s, walk %.1f s, findings %.1f s, races %.1f s (of which stale facts "
            "%.1f s)\n",
            link->seconds, stats->seconds_skeleton, stats->seconds_walk, stats->seconds_findings, stats->seconds_races,
            stats->seconds_stale);
    fprintf(out, "  most memory after: link %.2f GiB, skeletons %.2f GiB, walk %.2f GiB, findings %.2f GiB\n",
            gibibytes(link->memory), gibibytes(stats->memory_skeleton), gibibytes(stats->memory_walk),
            gibibytes(stats->memory_findings));
}

static ReportOptions report_options(const ExtractArguments *arguments, Sources *sources) {
    return (ReportOptions){.all = arguments->all,
                           .colour = colour_wanted(stdout),
                           .width = output_width(stdout),
                           .most = arguments->top,
                           .no_flows = arguments->no_flows,
                           .sources = sources};
}

#define SHOWN_FIRST 10 // findings on a terminal, unless somebody asks for more

// A page is read, megabytes are not: the first ones, a line each, and where the rest is.
static void report_first(const FindingList *findings, ReportOptions *options, Buffer *out) {
    options->most = SHOWN_FIRST;
    report_list(findings, options, out);
    if (count_findings(findings, options).listed)
        buffer_text(out, "`racerx show 1` tells a finding with its sources, `racerx list` lists them all,\n"
                         "`racerx review` shows them in a browser, `--full` prints everything here.\n");
}

static const char *plural(const char *number) { return strcmp(number, "1") ? "s" : ""; }

void print_findings(const ExtractArguments *arguments, const ExtractStats *stats, const FindingList *findings,
                    const FindingList *known, Sources *sources) {
    Buffer out = {0};
    ReportOptions options = report_options(arguments, sources);
    options.known = known;
    if (arguments->format != FORMAT_TEXT) {
        write_report(arguments->format, findings, &options, NULL);
    } else if (isatty(STDOUT_FILENO) && !arguments->full && !arguments->top) {
        report_first(findings, &options, &out);
    } else {
        report_text(findings, &options, &out);
        if (stats)
            buffer_format(&out, "%s file%s and %s function%s read; lock tables: %s\n", findings_fact(findings, "files"),
                          plural(findings_fact(findings, "files")), findings_fact(findings, "functions"),
                          plural(findings_fact(findings, "functions")), lock_tables(stats));
    }
    page_output(&out);
    buffer_free(&out);
}

static u32 race_mode(const char *word) {
    static const char *const words[] = {
        [RACES_PRECISE] = "precise", [RACES_STATISTICAL] = "statistical", [RACES_SIMPLE] = "simple"};
    for (u32 i = 0; word && i < 3; i++)
        if (!strcmp(word, words[i]))
            return i;
    if (word)
        fatal("--race-mode %s: it is simple, statistical or precise", word);
    return RACES_PRECISE;
}

static u32 race_engine(const char *word) {
    static const char *const words[] = {
        [ENGINE_BOTH] = "both", [ENGINE_WALK] = "walk", [ENGINE_SUMMARIES] = "summaries"};
    for (u32 i = 0; word && i < 3; i++)
        if (!strcmp(word, words[i]))
            return i;
    if (word)
        fatal("--engine %s: it is walk, summaries or both", word);
    return ENGINE_BOTH;
}

// What is asked for before anything is read, so that a mistake in it costs no time.
typedef struct {
    Ranking *ranking;
    FindingList *baseline; // NULL: none
    Suppressions *suppressions;
} Preparation;

// racerx.suppress at the top of every directory that is analysed, then the user's files.
static Suppressions *load_suppressions(const ExtractArguments *arguments, const TextArray *paths) {
    Suppressions *suppressions = suppressions_make();
    for (u32 i = 0; i < arguments->suppressions.count; i++)
        suppressions_read(suppressions, arguments->suppressions.items[i], arguments->suppressions.items[i]);
    for (u32 i = 0; !arguments->no_config && i < paths->count; i++) {
        Buffer path = {0};
        if (tree_file(arguments, paths->items[i], SUPPRESSION_FILE, &path))
            suppressions_read(suppressions, (char *)path.bytes,
                              paths->count > 1 ? (char *)path.bytes : SUPPRESSION_FILE);
        buffer_free(&path);
    }
    return suppressions;
}

static void prepare(Preparation *self, const ExtractArguments *arguments, const TextArray *paths) {
    if (arguments->fail_on_new && !arguments->baseline && !arguments->changed_since)
        fatal("--fail-on-new needs --baseline OLD.db, new is what that database does not have; or --changed-since REV");
    self->ranking = load_ranking(arguments, paths);
    self->baseline = arguments->baseline ? load_baseline(arguments->baseline, false) : NULL;
    self->suppressions = load_suppressions(arguments, paths);
}

static void preparation_free(Preparation *self) {
    rank_free(self->ranking);
    if (self->baseline)
        release_findings(self->baseline, NULL);
    suppressions_free(self->suppressions);
}

#define UNUSED_NAMED 3

// A suppression nobody needs any more hides the next bug at its place.
static void note_unused(const FindingList *findings) {
    Buffer places = {0};
    u32 unused = 0;
    for (u32 i = 0; i < findings->suppressions.count; i++) {
        const SuppressionRow *row = &findings->suppressions.items[i];
        if (row->used || unused++ >= UNUSED_NAMED)
            continue;
        char *file = quote_path(row->file);
        buffer_format(&places, "%s%s:%u%s%s%s", unused > 1 ? ", " : "", file, row->line, *row->trouble ? " (" : "",
                      row->trouble, *row->trouble ? ")" : "");
        free(file);
    }
    if (unused)
        note("%u suppression%s nothing: %.*s%s; `racerx list --unused-suppressions` tells of %s", unused,
             unused == 1 ? " silences" : "s silence", (int)places.size, (char *)places.bytes,
             unused > UNUSED_NAMED ? " …" : "", unused == 1 ? "it" : "them");
    buffer_free(&places);
}

// Verdicts that the baseline's reviewers gave, also of what it has not now. One's own count first.
static void add_baseline_verdicts(FindingList *findings, const char *path) {
    Verdict *own = must_zero(sizeof *own * (findings->items.count + 1));
    const char **notes = must_zero(sizeof *notes * (findings->items.count + 1));
    for (u32 i = 0; i < findings->items.count; i++) {
        own[i] = findings->items.items[i]->verdict;
        notes[i] = findings->items.items[i]->note;
    }
    Store *store = store_open(path, STORE_READ);
    verdicts_load(findings, store);
    store_close(store);
    for (u32 i = 0; i < findings->items.count; i++)
        if (own[i]) {
            findings->items.items[i]->verdict = own[i];
            findings->items.items[i]->note = notes[i];
        }
    free(own);
    free(notes);
}

// Is anything shown that nobody called false or minor?
static bool is_unjudged_shown(const FindingList *findings, const ReportOptions *options) {
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        if (finding_shown(finding, options) && finding->verdict != VERDICT_FALSE && finding->verdict != VERDICT_MINOR)
            return true;
    }
    return false;
}

// Leaves out what the baseline has; the exit status.
static int compare_baseline(const ExtractArguments *arguments, FindingList *findings, const FindingList *baseline) {
    ReportOptions options = report_options(arguments, NULL);
    if (!baseline)
        return arguments->fail_on_new && is_unjudged_shown(findings, &options) ? 1 : 0;
    add_baseline_verdicts(findings, arguments->baseline);
    u32 fresh = subtract_baseline(findings, baseline, &options);
    char *shown = quote_path(arguments->baseline);
    note("%u finding%s not in %s", fresh, fresh == 1 ? " is" : "s are", shown);
    free(shown);
    return fresh && arguments->fail_on_new ? 1 : 0;
}

// Prints what is asked for; the exit status.
static int show_findings(const ExtractArguments *arguments, const ExtractStats *stats, const Preparation *preparation,
                         FindingList *findings, Sources *sources) {
    if (arguments->changed_since)
        keep_changed(findings, arguments->db, &arguments->annotators, arguments->no_config, arguments->changed_since);
    int status = compare_baseline(arguments, findings, preparation->baseline);
    print_findings(arguments, stats, findings, preparation->baseline, sources);
    return status;
}

// A number for all that findings depend on besides what was read: this program, scripts, settings, suppressions,
// options.
static u64 findings_stamp(const ExtractArguments *arguments, const TextArray *paths, Store *store) {
    PathArray files = {0};
    gather_scripts(arguments, paths, &files);
    for (u32 i = 0; i < arguments->ranks.count; i++)
        array_push(&files, must_strdup(arguments->ranks.items[i]));
    for (u32 i = 0; i < arguments->suppressions.count; i++)
        array_push(&files, must_strdup(arguments->suppressions.items[i]));
    for (u32 i = 0; !arguments->no_config && i < paths->count; i++) {
        Buffer path = {0};
        if (tree_file(arguments, paths->items[i], SUPPRESSION_FILE, &path))
            array_push(&files, must_strdup((char *)path.bytes));
        buffer_free(&path);
    }
    u64 stamp = scripts_stamp(store, &files);
    for (u32 i = 0; i < files.count; i++)
        stamp = hash_bytes(files.items[i], strlen(files.items[i]) + 1, stamp);
    for (u32 i = 0; i < arguments->settings.count; i++)
        stamp = hash_bytes(arguments->settings.items[i], strlen(arguments->settings.items[i]) + 1, stamp);
    const u32 options[] = {
#define SWITCH(field, option, help) arguments->field,
#include "racerx/facts/options.def"
#undef SWITCH
        arguments->lockset_limit, race_mode(arguments->race_mode), race_engine(arguments->engine),
        arguments->jobs // it changes nothing: whoever says another wants to see that
    };
    const char *shuffled = getenv("RACERX_SHUFFLE"), *checks = getenv("RACERX_CHECKS"); // likewise
    stamp = hash_bytes(shuffled ? shuffled : "", shuffled ? strlen(shuffled) : 0, stamp + (checks != NULL));
    paths_free(&files);
    return hash_bytes(options, sizeof options, stamp);
}

// Nothing changed since the last run: what it found is shown. False: something did.
static bool show_kept(const ExtractArguments *arguments, const TextArray *paths, const ExtractStats *stats,
                      const Preparation *preparation, int *status) {
    Store *store = store_open(arguments->db, STORE_READ);
    bool kept = !arguments->stats && has_stamp(store, FINDINGS_META, findings_stamp(arguments, paths, store));
    store_close(store);
    if (!kept)
        return false;
    Sources *sources;
    FindingList *findings = load_findings(arguments->db, &sources);
    note_unused(findings);
    *status = show_findings(arguments, stats, preparation, findings, sources);
    release_findings(findings, sources);
    return true;
}

// Links and walks what the database holds, ranks the findings, saves and prints them; the exit status. A script that
// fails does so before anything is saved.
static int check_database(const ExtractArguments *arguments, const TextArray *paths, const ExtractStats *stats,
                          const Preparation *preparation) {
    Ranking *ranking = preparation->ranking;
    AnalysisStats walked;
    FindingList findings;
    Declarations *declarations = load_declarations(arguments, paths, stats);
    Store *store = store_open(arguments->db, STORE_READ);
    Program *program = program_load(store, declarations, arguments->jobs ? arguments->jobs : cpu_count());
    store_close(store);
    annotate(program);
    keep_atlas(program, arguments, paths);
    AnalysisOptions options = {
#define SWITCH(field, option, help) .field = arguments->field,
#include "racerx/facts/options.def"
#undef SWITCH
        .lockset_limit = arguments->lockset_limit,
        .wide = (u32)rank_setting(ranking, "wide"),
        .p0 = rank_setting(ranking, "p0"),
        .race_mode = race_mode(arguments->race_mode),
        .engine = race_engine(arguments->engine),
        .jobs = arguments->jobs ? arguments->jobs : cpu_count(),
    };
    findings_begin(&findings);
    analyse(program, &options, &findings, &walked);
    if (arguments->stats)
        print_analysis(program, &walked, stderr);
    else if (limit_hits(LIMIT_LOCKSET_ENTRIES) && !arguments->quiet)
        note("%llu times a function was not entered again, having been entered with %u locksets (--lockset-limit)",
             (unsigned long long)limit_hits(LIMIT_LOCKSET_ENTRIES),
             arguments->lockset_limit ? arguments->lockset_limit : LOCKSET_ENTRIES);
    suppressions_gather(preparation->suppressions, program);
    program_free(program);
    relate(&findings);
    rank_findings(ranking, &findings);
    suppress(preparation->suppressions, &findings);
    note_unused(&findings);
    store = store_open(arguments->db, arguments->no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    recall_facts(store, &findings);
    add_analysis_facts(&findings, &walked, arguments);
    findings_save(&findings, store);
    u64 stamp = findings_stamp(arguments, paths, store);
    store_set_meta(store, FINDINGS_META, &stamp, sizeof stamp);
    Sources *sources = complete_findings(store, &findings);
    store_close(store);
    int status = show_findings(arguments, stats, preparation, &findings, sources);
    sources_free(sources);
    findings_free(&findings);
    declarations_free(declarations);
    return status;
}

static int run_run(const Command *self, int count, char **words) {
    ExtractArguments arguments = {0};
    TextArray paths = {0};
    ExtractStats stats;
    arguments_read(self, count, words, &arguments, &paths);
    if (!paths.count)
        fatal("run needs a PATH: a directory or a C file (see `racerx run --help`)");
    Preparation preparation;
    prepare(&preparation, &arguments, &paths);
    extract_paths(&arguments, &paths, &stats);
    int exit_status = 0;
    if (!show_kept(&arguments, &paths, &stats, &preparation, &exit_status))
        exit_status = check_database(&arguments, &paths, &stats, &preparation);
    preparation_free(&preparation);
    extract_stats_free(&stats);
    extract_arguments_free(&arguments);
    array_free(&paths);
    return exit_status;
}

static int check_run(const Command *self, int count, char **words) {
    ExtractArguments arguments = {0};
    TextArray paths = {0};
    PathArray analysed = {0};
    ExtractStats stats = {0};
    arguments_read(self, count, words, &arguments, &paths);
    if (paths.count)
        fatal("check takes no PATH: it reads the database that `racerx extract PATH` made (see `racerx check --help`)");
    diag_set_quiet(arguments.quiet);
    Preparation preparation;
    Store *store = store_open(arguments.db, STORE_READ);
    size_t size;
    SourceFileArray files = {0};
    stats.presets = store_get_meta(store, "presets", &size);
    store_load_files(store, &files);
    stats.files = files.count;
    source_files_free(&files);
    if (!stats.files)
        fatal("%s holds no finished run: complete it with `racerx run DIR`",
              quote_path(arguments.db ? arguments.db : store_default()));
    remembered_paths(store, &analysed);
    for (u32 i = 0; i < analysed.count; i++)
        array_push(&paths, analysed.items[i]);
    store_close(store);
    prepare(&preparation, &arguments, &paths);
    int exit_status = check_database(&arguments, &paths, &stats, &preparation);
    preparation_free(&preparation);
    extract_stats_free(&stats);
    extract_arguments_free(&arguments);
    array_free(&paths);
    paths_free(&analysed);
    return exit_status;
}

#define AT(field) offsetof(ExtractArguments, field)
static const Option run_options[] = {
    {OPTION_REPORT, 0, "format", "FORMAT", AT(format), "how it is printed, with nothing else on standard output"},
    {OPTION_FLAG, 0, "all", NULL, AT(all), "also show the findings under the ranking's line"},
    {OPTION_COUNT, 0, "top", "N", AT(top), "show only the first N findings"},
    {OPTION_FLAG, 0, "no-flows", NULL, AT(no_flows), "of sarif: only the places, not the ways there"},
    {OPTION_FLAG, 0, "full", NULL, AT(full),
     "on a terminal, too, print every finding in full; without it, a line each of the first ten"},
    {OPTION_LIST, 0, "rank", "FILE", AT(ranks), "also rank by this Lua script; repeatable"},
    {OPTION_LIST, 0, "set", "NAME=VALUE", AT(settings), "change a setting of the ranking; repeatable"},
    {OPTION_TEXT, 0, "baseline", "OLD.db", AT(baseline), "print only the findings that this database does not have"},
    {OPTION_TEXT, 0, "changed-since", "REV", AT(changed_since),
     "print only findings in functions that changed since this git revision, or in their callers"},
    {OPTION_FLAG, 0, "fail-on-new", NULL, AT(fail_on_new),
     "with --baseline or --changed-since: exit status 1 when there are any; what is suppressed, or was called false or "
     "minor, does not "
     "count"},
    {OPTION_LIST, 0, "suppressions", "FILE", AT(suppressions), "also silence what this file names; repeatable"},
    {OPTION_NUMBER, 0, "lockset-limit", "N", AT(lockset_limit),
     "enter a function with at most N locksets (default: 100)"},
    {OPTION_TEXT, 0, "race-mode", "MODE", AT(race_mode),
     "simple: globals without any lock; statistical: also what is mostly locked; precise (default): also wrong locks"},
    {OPTION_TEXT, 0, "engine", "ENGINE", AT(engine),
     "walk: races as found top-down; summaries: RELAY's pairs of entries; both (default): the walk's, with what the "
     "summaries say of them"},
#define SWITCH(field, option, help) {OPTION_FLAG, 0, option, NULL, AT(field), help},
#include "racerx/facts/options.def"
#undef SWITCH
    {0},
};

const Command command_run = {
    .name = "run",
    .arguments = "PATH…",
    .summary = "do everything: read C source and print what was found",
    .details = "Reads the C files under every PATH, a directory or a single file, links them, follows the locks along\n"
               "every path, and prints the findings, surest first. They are kept in the database, too.\n"
               "It takes the options of `racerx extract`, which is its first step.\n"
               "\n"
               "  racerx run ~/src/kernel\n"
               "  racerx run --format jsonl server.c\n"
               "  racerx run --baseline main.db --fail-on-new .     for CI: only what is new\n"
               "\n"
               "The --no-… options switch one correction off, to see what it does.\n",
    .options = run_options,
    .shared = extract_options,
    .run = run_run,
};

static const Option check_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_NUMBER, 'j', "jobs", "N", AT(jobs), "threads (default: one per processor)"},
    {OPTION_LIST, 0, "annotator", "FILE", AT(annotators), "also run this Lua script; repeatable"},
    {OPTION_FLAG, 0, "no-config", NULL, AT(no_config), "do not run the racerx.lua of the analysed directories"},
    {OPTION_FLAG, 0, "no-wait", NULL, AT(no_wait), "do not wait for another racerx on the database"},
    {OPTION_FLAG, 0, "stats", NULL, AT(stats), "say on standard error what was linked and walked"},
    {OPTION_FLAG, 'q', "quiet", NULL, AT(quiet), "only errors on standard error"},
    {0},
};

const Command command_check = {
    .name = "check",
    .arguments = "",
    .summary = "link and walk what was extracted, and print what was found",
    .details = "The second half of `racerx run`: works on the database that `racerx extract` made.\n"
               "The racerx.lua of the analysed directories is run again; scripts named with --annotator must be named\n"
               "again.\n",
    .options = run_options,
    .shared = check_options,
    .run = check_run,
};
