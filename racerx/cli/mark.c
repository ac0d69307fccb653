// mark.c: `racerx mark`: what a reviewer says of a finding, kept in the database.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "reports/reports.h"

typedef struct {
    U32Array indices; // of the findings meant
    Verdict verdict;
    char *note; // the words after the verdict
    const char *reviewer;
} Marking;

static bool is_verdict(const char *word, Verdict *out) {
    if (!strcmp(word, "none")) {
        *out = VERDICT_NONE;
        return true;
    }
    return *word && verdict_by_word(word, out);
}

static char *join_words(const TextArray *words, u32 from) {
    Buffer text = {0};
    for (u32 i = from; i < words->count; i++)
        buffer_format(&text, "%s%s", i > from ? " " : "", words->items[i]);
    buffer_byte(&text, 0);
    return (char *)text.bytes;
}

// Where the verdict stands among the words; all before it say which findings.
static u32 verdict_at(const TextArray *words, Verdict *out) {
    static const char *const known[] = {"confirmed", "unconfirmed", "minor", "false", "none", NULL};
    for (u32 i = 0; i < words->count; i++)
        if (is_verdict(words->items[i], out))
            return i;
    for (u32 i = 1; i < words->count; i++) {
        const char *near = nearest_word(words->items[i], known);
        if (near)
            fatal("'%s' is no verdict: did you mean '%s'?", quote_path(words->items[i]), near);
    }
    for (u32 i = 1; i < words->count; i++)
        if (words->items[i][strspn(words->items[i], "0123456789abcdef,-")]) // names no finding
            fatal("'%s' is no verdict: confirmed, unconfirmed, minor, false, or none to take one back",
                  quote_path(words->items[i]));
    fatal("mark needs a verdict after the finding: confirmed, unconfirmed, minor, false, or none to take it back");
}

static void say_marked(const Finding *finding, Verdict verdict, Buffer *out) {
    const char *before = finding->verdict ? verdict_word(finding->verdict) : "not reviewed";
    char *file = quote_path(finding->file), *function = quote_path(finding->function);
    buffer_format(out, "%u %.8s %s %s:%u %s: %s", finding->rank, finding->id, kind_word(finding->kind), file,
                  finding->line, function, verdict ? verdict_word(verdict) : "verdict taken back");
    if (finding->verdict != verdict)
        buffer_format(out, " (was %s)", before);
    buffer_byte(out, '\n');
    free(file);
    free(function);
}

static void mark_findings(Store *store, const FindingList *findings, const Marking *marking, Buffer *out) {
    for (u32 i = 0; i < marking->indices.count; i++) {
        const Finding *finding = findings->items.items[marking->indices.items[i]];
        verdict_add(store, finding, marking->verdict, marking->note, marking->reviewer);
        say_marked(finding, marking->verdict, out);
    }
}

static void add_once(U32Array *indices, u32 index) {
    for (u32 i = 0; i < indices->count; i++)
        if (indices->items[i] == index)
            return;
    array_push(indices, index);
}

static void add_meant(Marking *marking, const FindingList *findings, u32 index, bool whole_group) {
    add_once(&marking->indices, index);
    for (u32 i = 0; whole_group && i < findings->items.count; i++)
        if (findings->items.items[i]->rank == findings->items.items[index]->rank)
            add_once(&marking->indices, i);
}

// A verdict moves the siblings of what it is about: whoever works by ranks must know.
static void say_moved(const char *db, const FindingList *before) {
    Store *store = store_open(db, STORE_READ);
    FindingList *now = load_heads(store);
    store_close(store);
    bool moved = now->items.count != before->items.count;
    for (u32 i = 0; !moved && i < now->items.count; i++)
        moved = strcmp(now->items.items[i]->id, before->items.items[i]->id) != 0;
    if (moved)
        note("ranks have moved with this verdict: `racerx list` shows them anew; ids stay");
    release_findings(now, NULL);
}

// Verdicts of a file, in its order: each becomes one of ours where its finding is here and does not have it already.
static int mark_from(const ViewArguments *arguments) {
    Sources *sources;
    VerdictLineArray lines = {0};
    FindingList *findings = load_findings(arguments->db, &sources);
    u32 given = 0, known = 0;
    if (!verdict_lines_read(arguments->from, findings, &lines))
        fatal("--from: cannot read %s", quote_path(arguments->from));
    Store *store = store_open(arguments->db, arguments->no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    for (u32 i = 0; i < lines.count; i++) {
        const VerdictLine *line = &lines.items[i];
        Finding *finding = verdict_line_fits(findings, line);
        bool same = finding && finding->verdict == line->verdict && !strcmp(finding->note, line->note);
        known += same;
        if (!finding || same)
            continue;
        verdict_add(store, finding, line->verdict, line->note, line->reviewer);
        finding->verdict = line->verdict;
        finding->note = line->note;
        given++;
    }
    store_close(store);
    printf("%u verdict%s taken over, %u known already, %u of findings that are not here\n", given,
           given == 1 ? "" : "s", known, lines.count - given - known);
    array_free(&lines);
    release_findings(findings, sources);
    return 0;
}

static int mark_run(const Command *self, int count, char **words) {
    ViewArguments arguments = {0};
    TextArray rest = {0};
    Marking marking = {0};
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (arguments.from && rest.count)
        fatal("mark --from FILE takes its verdicts from there, and no '%s' beside", quote_path(rest.items[0]));
    if (arguments.from)
        return mark_from(&arguments);
    if (!rest.count)
        fatal("mark needs a finding and a verdict: racerx mark RANK|ID… confirmed|unconfirmed|minor|false|none [NOTE]");
    u32 at = verdict_at(&rest, &marking.verdict);
    if (!at)
        fatal("mark needs a RANK or an ID before '%s': `racerx list` shows them", rest.items[0]);
    marking.note = join_words(&rest, at + 1);
    marking.reviewer = arguments.reviewer ? arguments.reviewer : getenv("USER") ? getenv("USER") : "";
    Store *store = store_open(arguments.db, STORE_READ);
    FindingList *findings = load_heads(store);
    store_close(store);
    for (u32 i = 0; i < at; i++)
        add_meant(&marking, findings, find_finding(findings, rest.items[i]), arguments.whole_group);
    store = store_open(arguments.db, arguments.no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    mark_findings(store, findings, &marking, &out);
    store_close(store);
    write_output(&out);
    say_moved(arguments.db, findings);
    buffer_free(&out);
    free(marking.note);
    array_free(&marking.indices);
    array_free(&rest);
    release_findings(findings, NULL);
    return 0;
}

#define AT(field) offsetof(ViewArguments, field)
static const Option mark_options[] = {
    {OPTION_FLAG, 0, "group", NULL, AT(whole_group), "the verdict is for its siblings, too"},
    {OPTION_TEXT, 0, "from", "FILE", AT(from),
     "take over the verdicts of this file of JSON lines, and do nothing else"},
    {OPTION_TEXT, 0, "reviewer", "NAME", AT(reviewer), "who says so (default: $USER)"},
    {OPTION_FLAG, 0, "no-wait", NULL, AT(no_wait), "do not wait for another racerx on the database"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {0},
};

const Command command_mark = {
    .name = "mark",
    .arguments = "RANK|ID… VERDICT [NOTE…]",
    .summary = "keep a verdict on a finding: confirmed, false …",
    .details =
        "Keeps what a reviewer says of one or more findings. VERDICT is\n"
        "\n"
        "  confirmed     it is a bug\n"
        "  unconfirmed   it looks like a bug, nobody is sure yet\n"
        "  minor         true, but harmless or not worth mending\n"
        "  false         it cannot happen\n"
        "  none          takes it back\n"
        "\n"
        "The words after it are a note. Verdicts are kept under the finding's id, which is made of names: they outlive "
        "moved\n"
        "lines and new runs, and every report shows them. Nothing is overwritten: `racerx show` prints all that was "
        "ever\n"
        "said. They stand in a file of JSON lines beside the database, racerx.verdicts.jsonl, which can be kept under\n"
        "version control and outlives the database; `racerx report --format verdicts` prints such lines, and\n"
        "--from FILE takes them over. A verdict on a finding whose id was made by other rules is taken over by kind,\n"
        "place and object.\n"
        "\n"
        "With --group one verdict serves all findings that have the same cause and are folded into one entry.\n"
        "\n"
        "  racerx mark 3 confirmed\n"
        "  racerx mark 5 false --group 'all of them are start-up'\n"
        "  racerx mark 3fe81c 9 false 'the caller holds the big lock'\n",
    .options = mark_options,
    .run = mark_run,
};
