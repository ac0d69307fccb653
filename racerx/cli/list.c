// list.c: `racerx list`: a line for each finding of the database; and what commands that show findings share.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "rank/rank.h"
#include "reports/reports.h"

#include <strings.h>
#include <unistd.h>

// which findings ----------------------------------------------------------------

FindingList *load_baseline(const char *path, bool whole) {
    FindingList *findings = must_zero(sizeof *findings);
    char *shown = quote_path(path);
    if (access(path, F_OK))
        fatal("there is no %s to compare with: keep a copy of an earlier run's database (%s) for that", shown,
              STORE_DEFAULT_PATH);
    Store *store = store_open(path, STORE_READ);
    findings_begin(findings);
    if (!(whole ? findings_load : findings_load_heads)(findings, store)) {
        fatal("%s has no findings to compare with: make them with `racerx run --db %s PATH`", shown, shown);
    }
    verdicts_load(findings, store);
    rank_feedback(findings); // as load_findings(): ranks are those that `list` shows
    store_close(store);
    free(shown);
    return findings;
}

// The group that a rank, an id, or the group's own name means.
static const char *group_of(const FindingList *findings, const char *word) {
    for (u32 i = 0; i < findings->items.count; i++)
        if (*word && !strcmp(findings->items.items[i]->group, word))
            return word;
    const Finding *finding = findings->items.items[find_finding(findings, word)];
    if (!*finding->group)
        fatal("--group %s: finding %u is alone, it has no siblings", quote_path(word), finding->rank);
    return finding->group;
}

// Lines are made of heads, unless a filter asks for more.
static FindingList *load_lines(const ViewArguments *arguments, Sources **sources) {
    if (arguments->format != FORMAT_TEXT || arguments->files.count || arguments->changed_since)
        return load_findings(arguments->db, sources);
    Store *store = store_open(arguments->db, STORE_READ);
    FindingList *findings = load_heads(store);
    *sources = NULL;
    store_close(store);
    return findings;
}

// The CODEOWNERS of the analysed directories, where code hosts look for it.
static Owners *load_owners(const char *db) {
    static const char *const places[] = {"CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS"};
    PathArray analysed = {0};
    Buffer path = {0};
    char *text = NULL;
    size_t size;
    Store *store = store_open(db, STORE_READ);
    remembered_paths(store, &analysed);
    store_close(store);
    for (u32 i = 0; i < analysed.count && !text; i++)
        for (u32 k = 0; k < sizeof places / sizeof *places && !text; k++) {
            path.size = 0;
            buffer_format(&path, "%s/%s%c", analysed.items[i], places[k], 0);
            text = file_read((char *)path.bytes, &size);
        }
    if (!text)
        fatal("--owner: the analysed directory has no CODEOWNERS, nor .github/CODEOWNERS, .gitlab/CODEOWNERS or "
              "docs/CODEOWNERS");
    Owners *owners = owners_read(text);
    free(text);
    buffer_free(&path);
    paths_free(&analysed);
    return owners;
}

static void keep_owned(FindingList *findings, const ViewArguments *arguments) {
    Owners *owners = load_owners(arguments->db);
    for (u32 i = 0; i < findings->items.count; i++) {
        Finding *finding = findings->items.items[i];
        finding->left_out |= !owners_has(owners, finding->file, arguments->owner);
    }
    owners_free(owners);
}

FindingList *load_view(const ViewArguments *arguments, Sources **sources) {
    FindingList *findings = arguments->lines ? load_lines(arguments, sources) : load_findings(arguments->db, sources);
    FindingList *known = arguments->baseline ? load_baseline(arguments->baseline, false) : NULL;
    FilterOptions filter = {.kinds = arguments->kinds.items,
                            .kind_count = arguments->kinds.count,
                            .files = arguments->files.items,
                            .file_count = arguments->files.count,
                            .verdicts = arguments->verdicts.items,
                            .verdict_count = arguments->verdicts.count,
                            .object = arguments->object,
                            .known = known};
    if (arguments->group)
        filter.group = group_of(findings, arguments->group);
    filter_findings(findings, &filter);
    if (arguments->owner)
        keep_owned(findings, arguments);
    if (arguments->changed_since)
        keep_changed(findings, arguments->db, &(TextArray){0}, false, arguments->changed_since);
    if (known)
        release_findings(known, NULL);
    return findings;
}

void view_arguments_free(ViewArguments *arguments) {
    array_free(&arguments->kinds);
    array_free(&arguments->files);
    array_free(&arguments->verdicts);
}

// one finding -------------------------------------------------------------------

static bool is_number(const char *word) { return *word && !word[strspn(word, "0123456789")]; }

static _Noreturn void say_ambiguous(const FindingList *findings, const char *word, const u32 *found, u32 count) {
    Buffer text = {0};
    for (u32 i = 0; i < count && i < 4; i++)
        buffer_format(&text, "%s%s (%u)", i ? ", " : "", findings->items.items[found[i]]->id,
                      findings->items.items[found[i]]->rank);
    buffer_text(&text, count > 4 ? " …" : "");
    buffer_byte(&text, 0);
    fatal("'%s' is the beginning of %u ids: %s; write more of it", word, count, (char *)text.bytes);
}

// The best finding of the entry with this rank; their number: there is none.
static u32 find_rank(const FindingList *findings, unsigned long rank) {
    u32 i = 0;
    while (i < findings->items.count &&
           (findings->items.items[i]->is_sibling || findings->items.items[i]->rank != rank))
        i++;
    return i;
}

u32 find_finding(const FindingList *findings, const char *word) {
    char *shown = quote_path(word);
    U32Array found = {0};
    unsigned long rank = is_number(word) ? strtoul(word, NULL, 10) : 0;
    if (find_rank(findings, rank) < findings->items.count) {
        free(shown);
        return find_rank(findings, rank);
    }
    for (u32 i = 0; i < findings->items.count && *word; i++)
        if (!strncasecmp(findings->items.items[i]->id, word, strlen(word)))
            array_push(&found, i);
    if (!findings->items.count)
        fatal("there is no finding %s: nothing was found", shown);
    if (!found.count && is_number(word) && strlen(word) < 8)
        fatal("there is no finding %s: ranks go from 1 to %u (`racerx list --all` shows them)", shown,
              findings_entries(findings));
    if (!found.count)
        fatal("no finding has an id that begins with '%s': `racerx list --all` shows what there is", shown);
    if (found.count > 1)
        say_ambiguous(findings, shown, found.items, found.count);
    u32 index = found.items[0];
    array_free(&found);
    free(shown);
    return index;
}

// the command -------------------------------------------------------------------

static int list_run(const Command *self, int count, char **words) {
    ViewArguments arguments = {0};
    TextArray rest = {0};
    Sources *sources;
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("list takes no '%s': it reads the database that `racerx run PATH` made (see `racerx list --help`)",
              quote_path(rest.items[0]));
    arguments.lines = true;
    FindingList *findings = load_view(&arguments, &sources);
    ReportOptions options = {.all = arguments.all,
                             .colour = colour_wanted(stdout),
                             .width = list_width(stdout),
                             .most = arguments.top,
                             .unfolded = arguments.group != NULL,
                             .sources = sources};
    if (arguments.unused)
        report_unused(findings, &options, arguments.format == FORMAT_JSONL, &out);
    else if (arguments.format == FORMAT_JSONL)
        report_jsonl(findings, &options, &out);
    else
        report_list(findings, &options, &out);
    page_output(&out);
    buffer_free(&out);
    release_findings(findings, sources);
    view_arguments_free(&arguments);
    return 0;
}

#define AT(field) offsetof(ViewArguments, field)
const Option view_options[] = {
    {OPTION_COUNT, 0, "top", "N", AT(top), "only the first N findings"},
    {OPTION_LIST, 0, "kind", "KIND", AT(kinds), "only findings of this kind, such as race or lock-leak; repeatable"},
    {OPTION_LIST, 0, "file", "GLOB", AT(files),
     "only findings with a site in such a file, by path or name; repeatable"},
    {OPTION_TEXT, 0, "object", "PATTERN", AT(object),
     "only findings about an object in whose name this PCRE2 pattern is found"},
    {OPTION_LIST, 0, "verdict", "VERDICT", AT(verdicts),
     "only findings judged so: none, confirmed, unconfirmed, minor or false; repeatable"},
    {OPTION_TEXT, 0, "group", "RANK|ID", AT(group), "only this finding and its siblings, one by one"},
    {OPTION_TEXT, 0, "new", "BASELINE", AT(baseline), "only findings that this database does not have"},
    {OPTION_TEXT, 0, "changed-since", "REV", AT(changed_since),
     "only findings in functions that changed since this git revision, or in their callers"},
    {OPTION_TEXT, 0, "owner", "OWNER", AT(owner),
     "only findings in files that CODEOWNERS gives to this owner, a glob; none: to nobody"},
    {OPTION_FLAG, 0, "all", NULL, AT(all), "also the findings under the ranking's line, and suppressed ones"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {0},
};

static const Option list_options[] = {
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format),
     "text (default), or jsonl: one JSON object per finding and line"},
    {OPTION_FLAG, 0, "unused-suppressions", NULL, AT(unused), "list the suppressions that silence nothing instead"},
    {0},
};

const Command command_list = {
    .name = "list",
    .arguments = "",
    .summary = "list what was found, one line each",
    .details =
        "Prints the findings in the database, surest first: rank, kind, score, verdict, place, and what it is about. "
        "Nothing\n"
        "is analysed. A line fits the terminal (or COLUMNS; in a pipe it is whole); `racerx show RANK` tells the "
        "rest.\n"
        "Findings of one cause are one entry, at the place of the best: +12 says that there are twelve more, and\n"
        "--group lists them.\n"
        "The last lines say how many there are, how many were reviewed, suppressed, and are below the ranking's line.\n"
        "\n"
        "  racerx list --top 50 --verdict none         what to read next\n"
        "  racerx list --kind deadlock --kind double-lock\n"
        "  racerx list --object '^struct rtc_device[.]' --file 'drivers/*'\n"
        "  racerx list --group 3                       the siblings of the third\n"
        "  racerx list --new yesterday.db              what yesterday's run did not find\n",
    .options = list_options,
    .shared = view_options,
    .run = list_run,
};
