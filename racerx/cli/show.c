// show.c: `racerx show`: one finding as a story.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "reports/reports.h"

static void show_line(FindingList *findings, u32 index, Buffer *out) { // as JSON
    ReportOptions options = {.all = true};
    for (u32 i = 0; i < findings->items.count; i++)
        findings->items.items[i]->left_out = i != index;
    report_jsonl(findings, &options, out);
}

static void show_story(FindingList *findings, u32 index, Store *store, Sources *sources, Buffer *out) {
    GivenVerdictArray history = {0};
    verdict_history(store, findings, findings->items.items[index]->id, &history);
    ReportOptions options = {.colour = colour_wanted(stdout), .width = output_width(stdout), .sources = sources};
    report_show(findings, index, &history, &options, out);
    array_free(&history);
}

static int show_run(const Command *self, int count, char **words) {
    ViewArguments arguments = {0};
    TextArray rest = {0};
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (!rest.count)
        fatal("show needs a RANK or an ID: `racerx list` shows them");
    Store *store = store_open(arguments.db, STORE_READ);
    FindingList *findings = load_heads(store);
    Sources *sources = sources_make();
    U32Array indices = {0};
    for (u32 i = 0; i < rest.count; i++)
        array_push(&indices, find_finding(findings, rest.items[i]));
    for (u32 i = 0; i < indices.count; i++) {
        findings_load_rest(findings, findings->items.items[indices.items[i]], store);
        load_sources_of(store, sources, findings->items.items[indices.items[i]]);
        buffer_text(&out, i && arguments.format == FORMAT_TEXT ? "\n" : "");
        if (arguments.format == FORMAT_JSONL)
            show_line(findings, indices.items[i], &out);
        else
            show_story(findings, indices.items[i], store, sources, &out);
    }
    store_close(store);
    page_output(&out);
    buffer_free(&out);
    array_free(&indices);
    array_free(&rest);
    release_findings(findings, sources);
    return 0;
}

#define AT(field) offsetof(ViewArguments, field)
static const Option show_options[] = {
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format), "text (default), or jsonl: the finding as a JSON object"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {0},
};

const Command command_show = {
    .name = "show",
    .arguments = "RANK|ID…",
    .summary = "tell one finding as a story, with the sources",
    .details =
        "Prints all there is to know of a finding: what is wrong; both sides, with the lines of source, the locks "
        "held\n"
        "and where each was taken, and the calls that lead there; the belief it goes against, with the best examples;\n"
        "why it ranks there; what would silence it. Sides stand beside each other from 100 columns on.\n"
        "\n"
        "RANK is the number that `racerx list` shows; ID is the finding's own, or as much of its beginning as is "
        "unique.\n"
        "A source that changed since it was analysed is not shown: `racerx run` again.\n"
        "\n"
        "  racerx show 1\n"
        "  racerx show 3fe81c\n",
    .options = show_options,
    .run = show_run,
};
