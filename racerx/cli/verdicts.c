// verdicts.c: `racerx verdicts`: what reviewers said, as a text file that a team keeps beside its code.
// In: the verdicts of a database, or such a file. Out: the file; or the database's verdicts, with those of the file.
//
// The file has one line for each finding that was judged, sorted by where it is: two people who judge different
// findings change different lines. Every line keeps its time, and of two about one finding the later counts, wherever
// it was said.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"

typedef struct {
    const char *db, *output;
    bool no_wait;
} VerdictsArguments;

static int compare_lines(const void *left, const void *right) {
    const VerdictLine *a = left, *b = right;
    const char *const pairs[][2] = {
        {a->file, b->file}, {a->function, b->function}, {a->kind, b->kind}, {a->object, b->object}, {a->id, b->id}};
    for (u32 i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int order = strcmp(pairs[i][0], pairs[i][1]);
        if (order)
            return order;
    }
    return a->time < b->time ? -1 : a->time > b->time;
}

static u64 line_id(const VerdictLine *line) {
    if (*line->id)
        return hash_bytes(line->id, strlen(line->id), 0);
    const char *const texts[] = {line->kind, line->file, line->function, line->object};
    u64 key = 1;
    for (u32 i = 0; i < 4; i++)
        key = hash_bytes(texts[i], strlen(texts[i]) + 1, key);
    return key;
}

// Of every finding the last that was said: of the same second, the one that was said later.
static void keep_last(VerdictLineArray *lines, Map *last) {
    for (u32 i = 0; i < lines->count; i++) {
        bool is_new = false;
        u32 *at = map_put(last, line_id(&lines->items[i]), &is_new);
        if (is_new || lines->items[*at].time <= lines->items[i].time)
            *at = i;
    }
}

static void export_verdicts(const VerdictsArguments *arguments) {
    FindingList texts;
    VerdictLineArray lines = {0}, kept = {0};
    Map last = {0};
    Buffer out = {0};
    Store *store = store_open(arguments->db, STORE_READ);
    findings_begin(&texts);
    verdict_lines_load(store, &texts, &lines);
    store_close(store);
    keep_last(&lines, &last);
    for (u32 i = 0; i < lines.count; i++)
        if (*map_get(&last, line_id(&lines.items[i])) == i)
            array_push(&kept, lines.items[i]);
    if (kept.count)
        qsort(kept.items, kept.count, sizeof *kept.items, compare_lines);
    for (u32 i = 0; i < kept.count; i++)
        verdict_line_put(&out, &kept.items[i]);
    const char *why = arguments->output && strcmp(arguments->output, "-")
                          ? file_write(arguments->output, out.bytes ? out.bytes : (const u8 *)"", out.size)
                          : NULL;
    if (why)
        fatal("cannot write %s: %s", quote_path(arguments->output), why);
    if (!arguments->output || !strcmp(arguments->output, "-"))
        write_output(&out);
    buffer_free(&out);
    map_free(&last);
    array_free(&lines);
    array_free(&kept);
    findings_free(&texts);
}

static void import_verdicts(const VerdictsArguments *arguments, const char *path) {
    FindingList texts;
    VerdictLineArray ours = {0}, theirs = {0};
    Map last = {0}, best = {0};
    u32 taken = 0, known = 0;
    findings_begin(&texts);
    if (!verdict_lines_read(path, &texts, &theirs))
        fatal("cannot read %s", quote_path(path));
    Store *store = store_open(arguments->db, arguments->no_wait ? STORE_WRITE_NOW : STORE_WRITE);
    verdict_lines_load(store, &texts, &ours);
    keep_last(&ours, &last);
    keep_last(&theirs, &best);
    for (u32 i = 0; i < theirs.count; i++) {
        const VerdictLine *line = &theirs.items[i];
        const u32 *at = map_get(&last, line_id(line));
        if (*map_get(&best, line_id(line)) != i || (at && ours.items[*at].time >= line->time)) {
            known++;
            continue;
        }
        verdict_add_line(store, line);
        taken++;
    }
    store_close(store);
    printf("%u verdict%s taken over, %u older or known already\n", taken, taken == 1 ? "" : "s", known);
    map_free(&last);
    map_free(&best);
    array_free(&ours);
    array_free(&theirs);
    findings_free(&texts);
}

static int verdicts_run(const Command *self, int count, char **words) {
    static const char *const known[] = {"export", "import", NULL};
    VerdictsArguments arguments = {0};
    TextArray rest = {0};
    arguments_read(self, count, words, &arguments, &rest);
    const char *what = rest.count ? rest.items[0] : "";
    if (!strcmp(what, "export") && rest.count <= 2) {
        arguments.output = rest.count == 2 ? rest.items[1] : arguments.output;
        export_verdicts(&arguments);
    } else if (!strcmp(what, "import") && rest.count == 2) {
        import_verdicts(&arguments, rest.items[1]);
    } else if (rest.count && strcmp(what, "export") && strcmp(what, "import")) {
        const char *near = nearest_word(what, known);
        fatal("verdicts: there is no '%s'%s%s%s", quote_path(what),
              near ? ": did you mean '" : ": it is export or import", near ? near : "", near ? "'?" : "");
    } else {
        fatal("verdicts needs what to do: `racerx verdicts export [FILE]` or `racerx verdicts import FILE`");
    }
    array_free(&rest);
    return 0;
}

#define AT(field) offsetof(VerdictsArguments, field)
static const Option verdicts_options[] = {
    {OPTION_TEXT, 'o', "output", "FILE", AT(output), "export: write there instead of to standard output"},
    {OPTION_FLAG, 0, "no-wait", NULL, AT(no_wait), "import: do not wait for another racerx on the database"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {0},
};

const Command command_verdicts = {
    .name = "verdicts",
    .arguments = "export [FILE] | import FILE",
    .summary = "keep what reviewers said in a text file, and take it over from one",
    .details =
        "`export` writes one line for each finding that was ever judged, the last that was said of it, sorted by\n"
        "place: a file to keep beside the code, that merges like code. `import` takes over what such a file says, "
        "where\n"
        "it is newer than what the database has; also of findings that are not there now. Both keep who said it and\n"
        "when, so that importing twice, or what one has exported oneself, changes nothing.\n"
        "\n"
        "  racerx verdicts export racerx.verdicts\n"
        "  git pull && racerx verdicts import racerx.verdicts\n",
    .options = verdicts_options,
    .run = verdicts_run,
};
