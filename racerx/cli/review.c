// review.c: `racerx review`: the findings in a browser, where verdicts are given.
// In: the database. Out: the page and what it asks for (reports/serve.c carries it); verdicts, in the database.
//
// The list is kept in memory, brought up to date whenever the database is another: verdicts of other reviewers, of
// `racerx mark`, a new `racerx run`. It is asked before every answer. For writing it is open only while one verdict is
// added, so reviewers and runs take turns; what has to wait too long is refused, and the page sends it again.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "rank/rank.h"
#include "reports/reports.h"

#include <errno.h>
#include <unistd.h>

enum { LEFTOVER_BYTES = 64 << 20 }; // of memory, before everything is loaded anew

typedef struct {
    const char *db, *port;
} ReviewArguments;

typedef struct { // a finding before anything was said of it
    Finding *finding;
    double score;
    double share;
    bool below_line;
    u32 reasons; // how many it had
} Unjudged;

typedef struct {
    const char *db;
    char token[SERVE_TOKEN];
    FindingList *findings; // with verdicts, in the order they are shown
    Array(Unjudged) unjudged;
    u64 loaded_bytes; // of the list's arena when it was loaded
    Sources *sources;
    LoggedVerdictArray log; // its texts are the list's
    StoreState state;       // of the database when these were loaded
    u32 generation;         // counts how often the findings were others
    bool stale;             // the database could not be asked just now
    bool lost;              // it is not to be read any more, and the user was told
} Review;

// the list ------------------------------------------------------------------------

static void review_free(Review *self) {
    if (self->findings)
        release_findings(self->findings, self->sources);
    array_free(&self->unjudged);
    array_free(&self->log);
}

static void remember_unjudged(Review *self) {
    for (u32 i = 0; i < self->findings->items.count; i++) {
        Finding *finding = self->findings->items.items[i];
        array_push(&self->unjudged,
                   ((Unjudged){finding, finding->score, finding->share, finding->below_line, finding->reasons.count}));
    }
}

static void forget_verdicts(Review *self) {
    for (u32 i = 0; i < self->unjudged.count; i++) {
        const Unjudged *unjudged = &self->unjudged.items[i];
        unjudged->finding->score = unjudged->score;
        unjudged->finding->share = unjudged->share;
        unjudged->finding->below_line = unjudged->below_line;
        unjudged->finding->reasons.count = unjudged->reasons;
        unjudged->finding->verdict = VERDICT_NONE;
        unjudged->finding->note = unjudged->finding->reviewer = "";
        unjudged->finding->judged = 0;
    }
}

static void review_load(Review *self) {
    review_free(self);
    self->findings = must_zero(sizeof *self->findings);
    findings_begin(self->findings);
    Store *store = store_open(self->db, STORE_READ);
    if (!findings_load(self->findings, store))
        fatal("the database has no findings yet (init and extract only read), or those of another version: `racerx "
              "run PATH` finds some (verdicts stay)");
    remember_unjudged(self);
    self->loaded_bytes = self->findings->arena.allocated;
    self->sources = complete_findings(store, self->findings);
    verdict_log(store, self->findings, &self->log);
    store_close(store);
}

// Only verdicts are new: the findings, which take a second to load when they are ten thousand, stay. What was said
// before of them stays in the arena, so that now and then everything is loaded after all.
static void review_judge_again(Review *self) {
    if (self->findings->arena.allocated - self->loaded_bytes > LEFTOVER_BYTES) {
        review_load(self);
        return;
    }
    Store *store = store_open(self->db, STORE_READ);
    forget_verdicts(self);
    self->log.count = 0;
    verdicts_load(self->findings, store);
    verdict_log(store, self->findings, &self->log);
    store_close(store);
    rank_feedback(self->findings);
}

// A writer who is busy, or a file that is gone, leaves us what we have.
static void review_refresh(void *context) {
    Review *self = context;
    StoreState now;
    WatchResult watched = findings_watch(self->db, &now);
    if (watched == WATCH_LOST && !self->lost) {
        char *shown = quote_path(self->db ? self->db : store_default());
        note("%s cannot be read any more: showing what was there", shown);
        free(shown);
    }
    self->stale = watched != WATCH_KNOWN;
    self->lost = watched == WATCH_LOST;
    if (self->stale)
        return;
    bool others = now.file != self->state.file || now.findings != self->state.findings;
    if (!others && now.sequence == self->state.sequence)
        return;
    if (others)
        review_load(self);
    else
        review_judge_again(self);
    self->generation += others;
    self->state = now;
}

static const Finding *finding_of_id(const Review *self, const char *id) {
    for (u32 i = 0; i < self->findings->items.count; i++)
        if (!strcmp(self->findings->items.items[i]->id, id))
            return self->findings->items.items[i];
    return NULL;
}

// answers -------------------------------------------------------------------------

static void set_type(Answer *out, const char *type) { snprintf(out->type, sizeof out->type, "%s", type); }

// Everything: verdicts may lift what is under the line now.
static void answer_page(void *context, const Request *request, Answer *out) {
    Review *self = context;
    Buffer policy = {0};
    (void)request;
    ReportOptions options = {.all = true, .sources = self->sources, .served = true, .token = self->token};
    report_html(self->findings, &options, &out->body);
    report_html_policy(true, &policy);
    buffer_byte(&policy, 0);
    check(policy.size <= sizeof out->policy);
    memcpy(out->policy, policy.bytes, policy.size);
    buffer_free(&policy);
    set_type(out, "text/html; charset=utf-8");
}

// What the page does not carry: the rows past its first, the details of what is opened.
static void answer_rows(void *context, const Request *request, Answer *out) {
    Review *self = context;
    (void)request;
    ReportOptions options = {.all = true, .sources = self->sources, .served = true};
    report_html_rows(self->findings, &options, &out->body);
    set_type(out, "text/plain; charset=utf-8");
}

static void answer_details(void *context, const Request *request, Answer *out) {
    Review *self = context;
    const char *id = request_argument(request, "id");
    const Finding *finding = id ? finding_of_id(self, id) : NULL;
    if (!finding) {
        answer_error(out, 404, "no finding has this id");
        return;
    }
    ReportOptions options = {.all = true, .sources = self->sources, .served = true};
    report_html_details(self->findings, finding, &options, &out->body);
    set_type(out, "text/plain; charset=utf-8");
}

// Whole numbers only; what is none is as if nothing was said.
static i64 number_argument(const Request *request, const char *name) {
    const char *text = request_argument(request, name);
    char *end;
    if (!text || *text < '0' || *text > '9')
        return -1;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    return *end || errno ? -1 : value;
}

static void answer_state(void *context, const Request *request, Answer *out) {
    Review *self = context;
    i64 since = number_argument(request, "since"), generation = number_argument(request, "generation");
    bool same = since == self->state.sequence || (self->stale && since > self->state.sequence);
    if (same && (generation < 0 || generation == self->generation)) {
        out->status = 204;
        return;
    }
    set_type(out, "application/json");
    report_state(self->findings, &self->log, self->generation, &out->body);
}

static void answer_history(void *context, const Request *request, Answer *out) {
    Review *self = context;
    GivenVerdictArray history = {0};
    const char *id = request_argument(request, "id");
    if (!id || !finding_of_id(self, id)) {
        answer_error(out, 404, "no finding has this id");
        return;
    }
    Store *store = store_open(self->db, STORE_READ);
    verdict_history(store, self->findings, id, &history);
    store_close(store);
    set_type(out, "application/json");
    report_history(&history, &out->body);
    array_free(&history);
}

static void answer_export(void *context, const Request *request, Answer *out) {
    static const struct {
        const char *format, *type, *file_name;
        void (*report)(const FindingList *, const ReportOptions *, Buffer *);
    } exports[] = {
#define FORMAT(name, word, report, type, file) {word, type, file, report},
#include "reports/formats.def"
#undef FORMAT
    };
    Review *self = context;
    const char *format = request_argument(request, "format");
    ReportOptions options = {.all = true, .sources = self->sources};
    for (u32 i = 0; format && i < sizeof exports / sizeof *exports; i++)
        if (!strcmp(exports[i].format, format)) {
            exports[i].report(self->findings, &options, &out->body);
            set_type(out, exports[i].type);
            snprintf(out->file_name, sizeof out->file_name, "%s", exports[i].file_name);
            return;
        }
    answer_error(out, 404, "there is no such format: reports are jsonl, csv, sarif, html, verdicts, text, github");
}

static void answer_verdict(void *context, const Request *request, Answer *out) {
    Review *self = context;
    VerdictRequest given;
    GivenVerdictArray history = {0};
    char why[160];
    if (!read_verdict(request->body, request->size, &given, why)) {
        answer_error(out, 400, "%s", why);
        return;
    }
    const Finding *finding = finding_of_id(self, given.id);
    if (!finding) {
        answer_error(out, 404, "no finding has this id: the findings may be others now, load the page again");
        return;
    }
    if (access(self->db ? self->db : store_default(), F_OK)) // opening it for writing would make a new one
        fatal("not saved: the database is gone");
    Store *store = store_open(self->db, STORE_WRITE);
    for (u32 i = 0; given.group && i < self->findings->items.count; i++)
        if (self->findings->items.items[i]->rank == finding->rank && self->findings->items.items[i] != finding)
            verdict_add(store, self->findings->items.items[i], given.verdict, given.note, given.reviewer);
    i64 sequence = verdict_add(store, finding, given.verdict, given.note, given.reviewer);
    verdict_history(store, self->findings, given.id, &history);
    store_close(store);
    set_type(out, "application/json");
    report_given(&history, sequence, given.seen, &out->body);
    array_free(&history);
}

// the command ---------------------------------------------------------------------

static void say_ready(void *context, const char *url) {
    const Review *self = context;
    char *shown = quote_path(self->db ? self->db : store_default());
    printf("%s\nOpen this in a browser on this machine; Ctrl-C ends the review.\nVerdicts are kept in %s as they are "
           "given.\n",
           url, shown);
    free(shown);
    finish_output();
}

static u32 port_number(const char *text) {
    char *end;
    unsigned long port = text ? strtoul(text, &end, 10) : 0;
    if (text && (*text < '0' || *text > '9' || *end || port < 1 || port > 65535))
        fatal("--port %s: it is a number from 1 to 65535", text);
    return (u32)port;
}

static int review_run(const Command *self, int count, char **words) {
    static const Route routes[] = {
        {"", false, 120, "the page took longer than two minutes to make", answer_page},
        {"api/rows", false, 60, "the list took longer than a minute to make", answer_rows},
        {"api/details", false, 20, "the finding took too long to tell", answer_details},
        {"api/state", false, 60, "the list took longer than a minute to make", answer_state},
        {"api/history", false, 10, "the database is busy: another racerx is writing it; try again", answer_history},
        {"api/export", false, 120, "the report took longer than two minutes to make", answer_export},
        {"api/verdict", true, 5, "not saved yet: another racerx is using the database; try again", answer_verdict},
        {0},
    };
    ReviewArguments arguments = {0};
    TextArray rest = {0};
    Review review = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("review takes no PATH: it shows the database that `racerx run PATH` made (see `racerx review --help`)");
    review.db = arguments.db;
    Service service = {.port = port_number(arguments.port),
                       .token = review.token,
                       .routes = routes,
                       .context = &review,
                       .before = review_refresh,
                       .ready = say_ready};
    serve_token(review.token);
    findings_watch(review.db, &review.state); // when it is busy, the first request loads it again
    review_load(&review);
    review.generation = 1;
    serve(&service);
    review_free(&review);
    return 0;
}

#define AT(field) offsetof(ReviewArguments, field)
static const Option review_options[] = {
    {OPTION_TEXT, 0, "port", "PORT", AT(port), "listen on this port (default: 7973, or another when that is taken)"},
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {0},
};

const Command command_review = {
    .name = "review",
    .arguments = "",
    .summary = "read the findings in a browser, and say which are real",
    .details =
        "Serves the page of `racerx report --format html` to browsers on this machine, until Ctrl-C. Verdicts and "
        "notes\n"
        "that are given there are saved at once, and the list is sorted anew by them. Any number of reviewers can do "
        "so\n"
        "at a time. Its address has a random token: whoever has it can give verdicts, nobody else sees anything.\n"
        "\n"
        "  racerx run ~/src/kernel && racerx review\n"
        "\n"
        "docs/review.md tells how to spend an hour on a list.\n",
    .options = review_options,
    .run = review_run,
};
