// report.c: `racerx report`: what the database holds, in any format; and how every command gets at it.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "rank/rank.h"
#include "reports/reports.h"

// loading -----------------------------------------------------------------------

Sources *load_sources(Store *store) {
    SourceFileArray files = {0};
    Sources *sources = sources_make();
    store_load_files(store, &files);
    for (u32 i = 0; i < files.count; i++)
        sources_add(sources, files.items[i].path, files.items[i].full, files.items[i].content);
    source_files_free(&files);
    return sources;
}

static void add_source(Store *store, Sources *sources, const char *path) {
    SourceFileArray files = {0};
    if (!*path || sources_known(sources, path))
        return;
    store_load_file(store, path, &files);
    for (u32 i = 0; i < files.count; i++)
        sources_add(sources, files.items[i].path, files.items[i].full, files.items[i].content);
    source_files_free(&files);
}

static void add_site_sources(Store *store, Sources *sources, const Site *site) {
    add_source(store, sources, site->file);
    for (u32 i = 0; i < site->lockset.count; i++)
        add_source(store, sources, site->lockset.items[i].file);
    for (u32 i = 0; i < site->callchain.count; i++)
        add_source(store, sources, site->callchain.items[i].file);
}

void load_sources_of(Store *store, Sources *sources, const Finding *finding) {
    add_source(store, sources, finding->file);
    for (u32 i = 0; i < finding->sites.count; i++)
        add_site_sources(store, sources, &finding->sites.items[i]);
    for (u32 i = 0; i < finding->evidence.count; i++)
        add_site_sources(store, sources, &finding->evidence.items[i]);
}

Sources *complete_findings(Store *store, FindingList *findings) {
    Sources *sources = load_sources(store);
    verdicts_load(findings, store);
    witnesses_load(findings, store);
    rank_feedback(findings);
    return sources;
}

static FindingList *load_with(Store *store, bool (*load)(FindingList *, Store *)) {
    FindingList *findings = must_zero(sizeof *findings);
    findings_begin(findings);
    if (!load(findings, store))
        fatal("the database has no findings yet (init and extract only read), or those of another version: `racerx "
              "run PATH` finds some (verdicts stay)");
    return findings;
}

FindingList *load_findings(const char *db, Sources **sources) {
    Store *store = store_open(db, STORE_READ);
    FindingList *findings = load_with(store, findings_load);
    *sources = complete_findings(store, findings);
    store_close(store);
    return findings;
}

FindingList *load_heads(Store *store) {
    FindingList *findings = load_with(store, findings_load_heads);
    verdicts_load(findings, store);
    witnesses_load(findings, store);
    rank_feedback(findings);
    return findings;
}

void release_findings(FindingList *findings, Sources *sources) {
    findings_free(findings);
    free(findings);
    sources_free(sources);
}

// writing -----------------------------------------------------------------------

static void format_report(Format format, const FindingList *findings, const ReportOptions *options, Buffer *out) {
    static void (*const reports[FORMAT_COUNT])(const FindingList *, const ReportOptions *, Buffer *) = {
#define FORMAT(name, word, report, type, file) report,
#include "reports/formats.def"
#undef FORMAT
    };
    reports[format](findings, options, out);
}

static void write_file(const char *path, const Buffer *out) {
    fflush(stdout);
    const char *why = file_write(path, out->bytes, out->size);
    if (why)
        fatal("cannot write %s: %s", quote_path(path), why);
}

void write_report(Format format, const FindingList *findings, const ReportOptions *options, const char *path) {
    Buffer out = {0};
    format_report(format, findings, options, &out);
    if (path && strcmp(path, "-"))
        write_file(path, &out);
    else
        write_output(&out);
    buffer_free(&out);
}

// the command ---------------------------------------------------------------------

static int report_run(const Command *self, int count, char **words) {
    ViewArguments arguments = {0};
    TextArray rest = {0};
    Sources *sources;
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("report takes no PATH: it reads the database that `racerx run PATH` made (see `racerx report --help`)");
    FindingList *findings = load_view(&arguments, &sources);
    FindingList *known = arguments.compared ? load_baseline(arguments.compared, false) : NULL;
    bool to_terminal = !arguments.output || !strcmp(arguments.output, "-");
    ReportOptions options = {.all = arguments.all,
                             .colour = to_terminal && colour_wanted(stdout),
                             .width = to_terminal ? output_width(stdout) : 0,
                             .most = arguments.top,
                             .unfolded = arguments.group != NULL,
                             .no_flows = arguments.no_flows,
                             .known = known,
                             .sources = sources};
    write_report(arguments.format, findings, &options, arguments.output);
    release_findings(findings, sources);
    if (known)
        release_findings(known, NULL);
    view_arguments_free(&arguments);
    return 0;
}

#define AT(field) offsetof(ViewArguments, field)
static const Option report_options[] = {
    {OPTION_REPORT, 0, "format", "FORMAT", AT(format), "how it is printed"},
    {OPTION_FLAG, 0, "no-flows", NULL, AT(no_flows), "of sarif: only the places, not the ways there"},
    {OPTION_TEXT, 0, "baseline", "OLD.db", AT(compared),
     "of sarif: say of each finding whether this database has it (baselineState)"},
    {OPTION_TEXT, 'o', "output", "FILE", AT(output), "write there instead of to standard output"},
    {0},
};

const Command command_report = {
    .name = "report",
    .arguments = "",
    .summary = "print what was found, for people or for programs",
    .details =
        "Writes the findings in the database, with their verdicts, in the format asked for. Nothing is analysed.\n"
        "\n"
        "  racerx report --format html -o report.html   a page to read, print and send\n"
        "  racerx report --format sarif -o out.sarif    for viewers and code hosts\n"
        "  racerx report --format csv --all             for a spreadsheet\n",
    .options = report_options,
    .shared = view_options,
    .run = report_run,
};
