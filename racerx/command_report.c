// command_report.c: `racerx report`: what the database holds, in any format; and how every command gets at it.
#include "racerx/command.h"

#include "racerx/findings.h"
#include "rank/rank.h"
#include "reports/reports.h"

#include <errno.h>

// loading -----------------------------------------------------------------------

Sources *complete_findings(Store *store, FindingList *findings) {
    SourceFileArray files = {0};
    Sources *sources = sources_make();
    store_load_files(store, &files);
    for (u32 i = 0; i < files.count; i++)
        sources_add(sources, files.items[i].path, files.items[i].full, files.items[i].content);
    source_files_free(&files);
    verdicts_load(findings, store);
    rank_feedback(findings);
    return sources;
}

FindingList *load_findings(const char *db, Sources **sources) {
    FindingList *findings = must_zero(sizeof *findings);
    Store *store = store_open(db, STORE_READ);
    findings_begin(findings);
    if (!findings_load(findings, store))
        fatal("the database has no findings yet: `racerx run PATH` or `racerx check` finds some");
    *sources = complete_findings(store, findings);
    store_close(store);
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
        report_text, report_jsonl, report_html, report_sarif, report_csv, report_github,
    };
    reports[format](findings, options, out);
}

// Under another name first: a report that was there stays until the new one is whole.
static void write_file(const char *path, const Buffer *out) {
    char *shown = quote_path(path), *partial = must_alloc(strlen(path) + 9);
    sprintf(partial, "%s.partial", path);
    FILE *file = fopen(partial, "wb");
    if (!file)
        fatal("cannot write %s: %s", shown, strerror(errno));
    bool written = fwrite(out->bytes, 1, out->size, file) == out->size;
    if (fclose(file) || !written || rename(partial, path)) {
        int why = errno;
        remove(partial);
        fatal("cannot write %s: %s", shown, strerror(why));
    }
    free(partial);
    free(shown);
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
    bool to_terminal = !arguments.output || !strcmp(arguments.output, "-");
    ReportOptions options = {.all = arguments.all, .colour = to_terminal && colour_wanted(stdout), .width = to_terminal ? output_width(stdout) : 0, .most = arguments.top, .sources = sources};
    write_report(arguments.format, findings, &options, arguments.output);
    release_findings(findings, sources);
    view_arguments_free(&arguments);
    return 0;
}

#define AT(field) offsetof(ViewArguments, field)
static const Option report_options[] = {
    {OPTION_REPORT, 0, "format", "FORMAT", AT(format), "text (default), html, sarif, jsonl, csv or github"},
    {OPTION_TEXT, 'o', "output", "FILE", AT(output), "write there instead of to standard output"},
    {0},
};

const Command command_report = {
    .name = "report",
    .arguments = "",
    .summary = "print what was found, for people or for programs",
    .details = "Writes the findings in the database, with their verdicts, in the format asked for. Nothing is analysed.\n"
               "\n"
               "  racerx report --format html -o report.html   a page to read, print and send\n"
               "  racerx report --format sarif -o out.sarif    for viewers and code hosts\n"
               "  racerx report --format csv --all             for a spreadsheet\n",
    .options = report_options,
    .shared = view_options,
    .run = report_run,
};
