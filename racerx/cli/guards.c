// guards.c: `racerx guards`: which lock guards what, as the last check saw it.
#include "racerx/cli/command_link.h"

#include "annotators/host.h"
#include "racerx/findings/findings.h"
#include "reports/reports.h"

typedef struct {
    const char *db, *observed;
    Format format;
    u32 top;
} GuardsArguments;

// Keeps the rows whose object is called so; how many they are.
static u32 keep_named(FindingList *findings, const char *name) {
    u32 kept = 0;
    for (u32 i = 0; i < findings->guards.count; i++)
        kept += !strcmp(findings->guards.items[i].object, name);
    for (u32 i = 0, to = 0; kept && i < findings->guards.count; i++)
        if (!strcmp(findings->guards.items[i].object, name))
            findings->guards.items[to++] = findings->guards.items[i];
    findings->guards.count = kept ? kept : findings->guards.count;
    return kept;
}

static void keep_matching(FindingList *findings, const char *text) {
    char reason[256];
    u32 kept = 0;
    Pattern *pattern = pattern_new(text, reason);
    if (!pattern)
        fatal("guards: no object is called '%s', and it is no pattern: %s", quote_path(text), reason);
    for (u32 i = 0; i < findings->guards.count; i++) {
        const char *object = findings->guards.items[i].object;
        if (pattern_matches(pattern, object, (u32)strlen(object)))
            findings->guards.items[kept++] = findings->guards.items[i];
    }
    findings->guards.count = kept;
    pattern_free(pattern);
}

static void load(FindingList *findings, const char *db) {
    Store *store = store_open(db, STORE_READ);
    findings_begin(findings);
    if (!findings_load_guards(findings, store))
        fatal("%s holds no findings of this version: make them with `racerx run DIR` or `racerx check`",
              db ? db : store_default());
    store_close(store);
}

static int guards_run(const Command *self, int count, char **words) {
    GuardsArguments arguments = {0};
    TextArray rest = {0};
    FindingList findings;
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count > 1)
        fatal("guards takes one OBJECT; '%s' is one too many (names like 'struct node.next' need quotes)",
              quote_path(rest.items[1]));
    if (arguments.observed) {
        print_observed_guards(arguments.db, arguments.observed, rest.count ? rest.items[0] : NULL, arguments.format);
        array_free(&rest);
        return 0;
    }
    load(&findings, arguments.db);
    if (rest.count && !keep_named(&findings, rest.items[0]))
        keep_matching(&findings, rest.items[0]);
    if (!findings.guards.count) {
        char *shown = quote_path(rest.count ? rest.items[0] : "anything");
        note("no lock is known to guard %s", shown);
        free(shown);
    }
    ReportOptions options = {.colour = colour_wanted(stdout), .most = arguments.top};
    report_guards(&findings, &options, arguments.format == FORMAT_JSONL, &out);
    write_output(&out);
    buffer_free(&out);
    array_free(&rest);
    findings_free(&findings);
    return 0;
}

#define AT(field) offsetof(GuardsArguments, field)
static const Option guards_options[] = {
    {OPTION_COUNT, 0, "top", "N", AT(top), "print only the first N objects"},
    {OPTION_TEXT, 0, "observed", "DIR", AT(observed), "beside what runs did: the samples of `racerx trace`"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format),
     "text (default), or jsonl: one JSON object per guarded object and line"},
    {0},
};

const Command command_guards = {
    .name = "guards",
    .arguments = "[OBJECT]",
    .summary = "list which lock guards what, and who goes without it",
    .details =
        "Prints, as the last `racerx run` or `racerx check` saw them, the objects that are accessed under a lock,\n"
        "surest first: the lock that most places hold; S and F, the places that hold it and that do not; z, how sure\n"
        "that makes it; same, how many of S hold it of the very object they access (p->lock for p->count); S, F and z\n"
        "for any lock; in how many critical sections the object is the only, the first and the last one; and up to\n"
        "five of the lines that go without the lock.\n"
        "An object is there when one place holds the lock and there is at least one more place; a local only when a\n"
        "thread was given it. Start-up does not count, and neither do places that may or may not hold the lock.\n"
        "\n"
        "OBJECT is a whole name (`rtc_irq_data`, `esp.c:ports`, 'struct node.next'); when no object is called so, a\n"
        "PCRE2 pattern that is searched for in the names, so that a part of a name will do.\n"
        "\n"
        "  racerx guards --top 20                the surest beliefs\n"
        "  racerx guards 'struct node.next'      one object\n"
        "  racerx guards '^struct node[.]'       all of a type\n"
        "\n"
        "--observed analyses the tree again and sets beside each object what traced runs did on the same lines: how\n"
        "many of its lines ran, of these how many always under a lock, and where text and runs disagree: lines that\n"
        "the text says go without a lock and that held one in every run (a caller's, say), and the other way round.\n"
        "\n"
        "  racerx trace --runs 4 -- ./prog && racerx guards --observed .racerx/traces\n"
        "\n"
        "JSON lines: "
        "{\"object\",\"lock\",\"s\",\"f\",\"z\",\"s_any\",\"f_any\",\"z_any\",\"same_object\",\"only\",\"first\","
        "\"last\",\n"
        "\"exceptions\":[{\"file\",\"line\",\"function\",\"role\"}],\"more\"}; more: lines without the lock beyond "
        "those.\n",
    .options = guards_options,
    .run = guards_run,
};
