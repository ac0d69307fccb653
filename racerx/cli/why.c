// why.c: `racerx why FILE:LINE [OBJECT]`: why so much, so little or nothing is said of a place.
// In: the database. Out: answers, of what was read, of what the analysis saw there, of what was found.
//
// The analysis keeps no more in the database than its findings, so that it is done once more, up to the samples; what
// was found, its rank and its reasons are those of the last run.
#include "racerx/cli/command_link.h"

#include "racerx/facts/analysis.h"
#include "racerx/findings/answers.h"
#include "reports/reports.h"

typedef struct {
    LinkArguments link;
    Question question;
    FindingList *findings; // of the last run; NULL: there are none
    Sources *sources;
    AnswerList answers;
    bool read; // the file was
    u32 found; // findings at the place
} Why;

// what was read ---------------------------------------------------------------------

static void say_unread(Why *self, const SourceFileArray *files, const char *wanted) {
    TextArray names = {0};
    for (u32 i = 0; i < files->count; i++)
        array_push(&names, files->items[i].path);
    array_push(&names, NULL);
    const char *near = nearest_word(wanted, names.items);
    answers_add(&self->answers, ANSWER_FILE,
                "no file of this name was read%s%s: it is not below the analysed paths, was excluded, or is no C",
                near ? "; there is " : "", near ? near : "");
    answers_stop(&self->answers, HURDLE_READ, "the file was not read");
    array_free(&names);
}

static void say_read(Why *self, const SourceFile *file) {
    static const char *const kinds[] = {
        [FILE_SOURCE] = "a source", [FILE_HEADER] = "a header", [FILE_PREPROCESSED] = "preprocessed"};
    SourceState state = self->sources ? sources_state(self->sources, file->path) : SOURCE_UNKNOWN;
    answers_add(&self->answers, ANSWER_FILE, "%s, %s%s", file->path, kinds[file->kind],
                state == SOURCE_CHANGED ? "; it has changed since, so that lines may be others: `racerx run` again"
                                        : "");
    if (!file->tree.a && !file->tree.b) {
        answers_add(&self->answers, ANSWER_FILE, "it was skipped: it could not be read, or is too large");
        answers_stop(&self->answers, HURDLE_READ, "the file was skipped");
        return;
    }
    self->read = true;
}

static void find_place(Why *self, const char *word) {
    const char *colon = strrchr(word, ':');
    SourceFileArray files = {0};
    if (!colon || colon == word || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
        fatal("why needs a place, FILE:LINE, as in `racerx why drivers/char/rtc.c:812`");
    self->question.line = (u32)strtoul(colon + 1, NULL, 10);
    Store *store = store_open(self->link.db, STORE_READ);
    store_load_files(store, &files);
    store_close(store);
    const SourceFile *file = find_file(&files, word, (size_t)(colon - word));
    const char *wanted = answers_text(&self->answers, "%.*s", (int)(colon - word), word);
    self->question.file = file ? answers_text(&self->answers, "%s", file->path) : wanted;
    if (file)
        say_read(self, file);
    else
        say_unread(self, &files, wanted);
    source_files_free(&files);
}

// what the analysis saw ---------------------------------------------------------------

static void say_limits(Why *self) {
    Buffer text = {0};
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        if (limit_hits(i))
            buffer_format(&text, "%s%s (more than %u: %llu times)", text.size ? ", " : "", limit_meaning(i),
                          limit_number(i), (unsigned long long)limit_hits(i));
    buffer_byte(&text, 0);
    if (text.size > 1)
        answers_add(&self->answers, ANSWER_LIMIT, "hit somewhere in the tree, not necessarily here: %s",
                    (const char *)text.bytes);
    buffer_free(&text);
}

static void analyse_again(Why *self) {
    AnalysisStats stats;
    double p0 = self->findings ? findings_setting(self->findings, "p0", ANALYSIS_P0) : ANALYSIS_P0;
    double wide = self->findings ? findings_setting(self->findings, "wide", ANALYSIS_WIDE) : ANALYSIS_WIDE;
    AnalysisOptions options = {.p0 = p0, .wide = (u32)wide};
    Linked linked = link_database(&self->link);
    inquire(linked.program, &options, &self->question, &self->answers, &stats);
    say_limits(self);
    linked_free(&linked);
}

// what was found ----------------------------------------------------------------------

static bool is_about(const Finding *finding, const char *object) {
    bool named = !object || strstr(finding->object, object) || strstr(finding->lock, object);
    for (u32 i = 0; i < finding->objects.count && !named; i++)
        named = strstr(finding->objects.items[i], object);
    return named;
}

static bool has_site(const Finding *finding, const Question *question) {
    for (u32 i = 0; i < finding->sites.count; i++)
        if (finding->sites.items[i].line == question->line && !strcmp(finding->sites.items[i].file, question->file))
            return true;
    return false;
}

// "-2 neither side holds a lock, -1 …": what keeps it down.
static const char *lowering(Why *self, const Finding *finding) {
    Buffer text = {0};
    for (u32 i = 0; i < finding->reasons.count; i++)
        if (finding->reasons.items[i].points <= 0)
            buffer_format(&text, "%s%+g %s", text.size ? "; " : "", finding->reasons.items[i].points,
                          finding->reasons.items[i].text);
    const char *kept = answers_text(&self->answers, "%.*s", (int)text.size, text.bytes ? (const char *)text.bytes : "");
    buffer_free(&text);
    return kept;
}

static void say_finding(Why *self, const Finding *finding) {
    AnswerList *answers = &self->answers;
    double line = findings_setting(self->findings, "line", 0);
    const char *lowered = finding->below_line ? lowering(self, finding) : "";
    const char *state = finding->below_line
                            ? answers_text(answers, ", below the line (%.4g)%s%s", line, *lowered ? ": " : "", lowered)
                            : "";
    const char *silenced = *finding->suppressed ? answers_text(answers, "; suppressed: %s", finding->suppressed) : "";
    const char *verdict =
        finding->verdict ? answers_text(answers, "; a reviewer said: %s", verdict_word(finding->verdict)) : "";
    const char *group = finding->is_sibling ? ", folded with its siblings" : "";
    answers_add(answers, ANSWER_FINDING, "rank %u%s, %s, score %.4g%s%s%s: %s (racerx show %.8s)", finding->rank, group,
                kind_word(finding->kind), finding->score, state, silenced, verdict, finding->message, finding->id);
    answer_text(answers, "id", finding->id);
    answer_text(answers, "kind", kind_word(finding->kind));
    answer_number(answers, "rank", finding->rank);
    answer_number(answers, "score", finding->score);
    answer_number(answers, "below_line", finding->below_line);
    answer_text(answers, "suppressed", finding->suppressed);
    answer_text(answers, "verdict", verdict_word(finding->verdict));
    answer_text(answers, "group", finding->group);
}

// The best finding of the place; NULL: none.
static const Finding *say_findings(Why *self) {
    const Finding *best = NULL;
    for (u32 i = 0; self->findings && i < self->findings->items.count; i++) {
        const Finding *finding = self->findings->items.items[i];
        if (!has_site(finding, &self->question) || !is_about(finding, self->question.object))
            continue;
        say_finding(self, finding);
        best = best ? best : finding;
        self->found++;
    }
    if (!self->findings)
        answers_add(&self->answers, ANSWER_FINDING, "nothing was looked for yet: `racerx check` does");
    else if (!self->found)
        answers_add(&self->answers, ANSWER_FINDING, "none has this line among its places");
    return best;
}

static void say_short(Why *self, const Finding *best) {
    AnswerList *answers = &self->answers;
    const char *more = self->found > 1 ? answers_text(answers, ", and %u more", self->found - 1) : "";
    if (!best)
        answers_add(answers, ANSWER_SHORT, "nothing is said of it: %s",
                    *answers->cause ? answers->cause : "nothing speaks against it");
    else if (*best->suppressed)
        answers_add(answers, ANSWER_SHORT, "a %s was found, and is suppressed: %s%s", kind_word(best->kind),
                    best->suppressed, more);
    else if (best->below_line)
        answers_add(answers, ANSWER_SHORT, "a %s was found, and is below the ranking's line (rank %u, score %.4g)%s",
                    kind_word(best->kind), best->rank, best->score, more);
    else
        answers_add(answers, ANSWER_SHORT, "it is finding %u, a %s%s", best->rank, kind_word(best->kind), more);
    answer_text(answers, "cause", best ? "found" : answers->cause);
}

// the command -------------------------------------------------------------------------

static void load_found(Why *self) {
    FindingList *findings = must_zero(sizeof *findings);
    Store *store = store_open(self->link.db, STORE_READ);
    findings_begin(findings);
    bool there = findings_load(findings, store);
    self->sources = complete_findings(store, findings);
    store_close(store);
    if (there)
        self->findings = findings;
    else
        release_findings(findings, NULL);
}

static int why_run(const Command *self, int count, char **words) {
    Why why = {0};
    TextArray rest = {0};
    Buffer out = {0};
    arguments_read(self, count, words, &why.link, &rest);
    if (rest.count < 1 || rest.count > 2)
        fatal("why needs a place, FILE:LINE, and takes an OBJECT after it (see `racerx why --help`)");
    why.question.object = rest.count > 1 ? rest.items[1] : NULL;
    answers_begin(&why.answers);
    load_found(&why);
    find_place(&why, rest.items[0]);
    if (why.read)
        analyse_again(&why);
    say_short(&why, say_findings(&why));
    if (why.read)
        answers_add(&why.answers, ANSWER_DONE,
                    "the tree was linked and walked again for this; findings are those of the last run");
    ReportOptions options = {.colour = colour_wanted(stdout), .width = output_width(stdout)};
    report_why(&why.answers, why.question.file, why.question.line, &options, why.link.format == FORMAT_JSONL, &out);
    write_output(&out);
    buffer_free(&out);
    answers_free(&why.answers);
    if (why.findings)
        release_findings(why.findings, NULL);
    sources_free(why.sources);
    array_free(&rest);
    return 0;
}

const Command command_why = {
    .name = "why",
    .arguments = "FILE:LINE [OBJECT]",
    .summary = "say why so much, so little or nothing was found at a place",
    .details =
        "Answers for one line: was it read; which roots lead to its function, or why none does; what the line does; "
        "of\n"
        "everything it accesses, which lock is believed to protect it (S places hold it, F do not) and which is the\n"
        "runner-up, with which locks and from which roots the line was met, and how many other accesses hold a common\n"
        "lock, never run at the same time, or may collide; which lock orders it is part of; which limits were hit; "
        "which\n"
        "findings have it among their places, and what keeps them below the line. The first line is the short answer.\n"
        "OBJECT is a part of the name of what you ask about, when the line accesses several things.\n"
        "\n"
        "The database holds findings only, so the tree is linked and walked once more: it takes as long as `racerx "
        "check`.\n"
        "\n"
        "  racerx why drivers/char/rtc.c:812\n"
        "  racerx why server.c:44 total.done\n",
    .shared = link_options,
    .run = why_run,
};
