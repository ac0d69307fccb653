// diff.c: `racerx diff`: what a newer run found that an older one did not, and the other way round.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "reports/reports.h"

void carry_verdicts(FindingList *to, const FindingList *from) {
    Map ids = {0};
    for (u32 i = 0; i < from->items.count; i++)
        *map_put(&ids, strtoull(from->items.items[i]->id, NULL, 16), NULL) = i + 1;
    for (u32 i = 0; i < to->items.count; i++) {
        Finding *finding = to->items.items[i];
        const u32 *known = map_get(&ids, strtoull(finding->id, NULL, 16));
        if (!known || finding->verdict)
            continue;
        finding->verdict = from->items.items[*known - 1]->verdict;
        finding->note = findings_text(to, "%s", from->items.items[*known - 1]->note);
    }
    map_free(&ids);
}

static int diff_run(const Command *self, int count, char **words) {
    ViewArguments arguments = {0};
    TextArray rest = {0};
    DifferenceArray differences = {0};
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count != 2)
        fatal("diff needs two databases: racerx diff OLD.db NEW.db");
    FindingList *before = load_baseline(rest.items[0], true), *after = load_baseline(rest.items[1], true);
    carry_verdicts(after, before);
    carry_verdicts(before, after);
    compare_runs(before, after, arguments.all, &differences);
    ReportOptions options = {
        .all = arguments.all, .colour = colour_wanted(stdout), .width = output_width(stdout), .most = arguments.top};
    report_diff(&differences, &options, arguments.format == FORMAT_JSONL, &out);
    write_output(&out);
    buffer_free(&out);
    array_free(&differences);
    array_free(&rest);
    release_findings(before, NULL);
    release_findings(after, NULL);
    return 0;
}

#define AT(field) offsetof(ViewArguments, field)
static const Option diff_options[] = {
    {OPTION_COUNT, 0, "top", "N", AT(top), "print only the first N of each sort"},
    {OPTION_FLAG, 0, "all", NULL, AT(all), "also what is the same; below the line and suppressed as any other"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format),
     "text (default), or jsonl: one JSON object per finding and line, with a key \"change\""},
    {0},
};

const Command command_diff = {
    .name = "diff",
    .arguments = "OLD.db NEW.db",
    .summary = "compare the findings of two databases: new, fixed, same",
    .details =
        "Compares the findings of two runs by their ids, which are made of names: moved lines change nothing. Prints "
        "what\n"
        "is new, what is fixed (or not found any more), and what was or is below the line or suppressed in one of "
        "them;\n"
        "the last line counts. With jsonl, \"change\" is new, risen, fixed, sunk or same; of what is fixed, the rest\n"
        "of the object is the old one. The exit status is 0: for CI there is `racerx run --baseline OLD.db "
        "--fail-on-new`.\n"
        "\n"
        "  racerx diff yesterday.db .racerx/racerx.db\n",
    .options = diff_options,
    .run = diff_run,
};
