// guards.c: `racerx guards`: which lock guards what, as the last check saw it.
#include "racerx/cli/command_link.h"

#include "annotators/host.h"
#include "racerx/findings/findings.h"
#include "reports/reports.h"

typedef struct {
    const char *db, *observed, *format;
    u32 top;
} GuardsArguments;

typedef enum { GUARDS_TEXT, GUARDS_JSONL, GUARDS_MD, GUARDS_CLANG, GUARDS_KERNEL } GuardsFormat;

static GuardsFormat read_format(const char *word) {
    static const char *const words[] = {"text", "jsonl", "md", "clang", "kernel", NULL};
    for (u32 i = 0; word && words[i]; i++)
        if (!strcmp(words[i], word))
            return (GuardsFormat)i;
    if (word)
        fatal("--format: there is no format '%s': text, jsonl, md, clang and kernel are known", quote_path(word));
    return GUARDS_TEXT;
}

typedef struct {
    const char *name; // of the object; NULL: any that the pattern is found in
    Pattern *pattern; // NULL: any
} WantedGuards;

static bool is_wanted(void *context, const char *object) {
    const WantedGuards *self = context;
    if (self->name)
        return !strcmp(self->name, object);
    return !self->pattern || pattern_matches(self->pattern, object, (u32)strlen(object));
}

// By name; when nothing is called so, as a pattern.
static WantedGuards read_wanted(Store *store, const char *word) {
    char reason[256];
    WantedGuards self = {0};
    if (word && findings_guard_is_named(store, word))
        self.name = word;
    else if (word && !(self.pattern = pattern_new(word, reason)))
        fatal("guards: no object is called '%s', and it is no pattern: %s", quote_path(word), reason);
    return self;
}

static void load(FindingList *findings, const GuardsArguments *arguments, const char *word) {
    Store *store = store_open(arguments->db, STORE_READ);
    WantedGuards wanted = read_wanted(store, word);
    GuardFilter filter = {is_wanted, &wanted, arguments->top};
    findings_begin(findings);
    if (!findings_load_guards(findings, store, &filter))
        fatal("%s holds no findings of this version: make them with `racerx run DIR` or `racerx check`",
              arguments->db ? arguments->db : store_default());
    pattern_free(wanted.pattern);
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
    GuardsFormat format = read_format(arguments.format);
    if (arguments.observed) {
        if (format > GUARDS_JSONL)
            fatal("guards --observed prints text or jsonl, not %s", arguments.format);
        print_observed_guards(arguments.db, arguments.observed, rest.count ? rest.items[0] : NULL,
                              format == GUARDS_JSONL ? FORMAT_JSONL : FORMAT_TEXT);
        array_free(&rest);
        return 0;
    }
    load(&findings, &arguments, rest.count ? rest.items[0] : NULL);
    if (!findings.guards.count) {
        char *shown = quote_path(rest.count ? rest.items[0] : "anything");
        note("no lock is known to guard %s", shown);
        free(shown);
    }
    ReportOptions options = {.colour = colour_wanted(stdout), .most = arguments.top};
    if (format == GUARDS_MD)
        report_guards_md(&findings, &options, &out);
    else if (format >= GUARDS_CLANG)
        guards_patch(&findings, arguments.db, format == GUARDS_KERNEL, &out);
    else
        report_guards(&findings, &options, format == GUARDS_JSONL, &out);
    page_output(&out);
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
    {OPTION_TEXT, 0, "format", "FORMAT", AT(format),
     "text (default); jsonl: one JSON object per guarded object and line; md: the locking rules as a page; clang, "
     "kernel: a patch that says what is sure as attributes"},
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
        "  racerx guards --format md >locking.md the rules as a page\n"
        "  racerx guards --format clang | patch -p1    say what is sure in the source\n"
        "\n"
        "What is sure (two places or more hold the lock, and three times as many as do not) becomes GUARDED_BY of "
        "globals,\n"
        "which clang -Wthread-safety checks; of members, which C does not let name each other, a comment, or with\n"
        "`kernel` an attribute as kernels spell it: __guarded_by(&lock). The patch is for the analysed directory.\n"
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
