// steer.c: runs the program until each finding has shown itself, or the budget is used up. In: findings, a command.
// Out: a RunWitness for each.
//
// First a run in which nothing is stalled: which lines run at all, which modules there are. Then runs in which all
// findings are steered at once, one for each way (plan.c), which costs as much as one finding alone. What is left after
// that is steered one by one. What a run shows is read while it runs, so it ends when there is no more to see.
#include "racerx/confirm/steer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    TOGETHER = 4,   // runs in which all findings are steered at once
    SHORT = 1,      // seconds of a run: what never ran in longer ones is not waited for
    SCOUTS_MOST = 3 // runs without steering: one more whenever new modules were seen
};

typedef struct {
    bool open;         // not witnessed yet
    bool wanted;       // of the present run
    bool seen;         // witnessed in the present run: it can stop when all are
    u32 runs;          // in which it was steered
    const char *near;  // what else a line of it met; NULL: nothing
    RunWitness *crash; // likewise, when it was steered alone
} SteerProgress;

typedef struct {
    const ConfirmOptions *options;
    Finding *const *chosen;
    u32 count;
    RunWitness *out;
    BuiltProgram program;
    TargetArray targets;
    SteerProgress *progress; // by finding
    bool *wanted;            // likewise, for the plan
    TargetHits *hits;        // mapped
    char *directory;         // ours alone
    char *plan, *counts, *logs;
    double end; // when time is over
    u64 seed;   // of the present run
    bool steered;
    u32 launched;       // runs so far
    double run_seconds; // of the longest run without steering
    bool crashes;       // by itself
} Steering;

static char *path_in(const char *directory, const char *name) {
    Buffer path = {0};
    buffer_format(&path, "%s/%s", directory, name);
    buffer_byte(&path, 0);
    return (char *)path.bytes;
}

// places --------------------------------------------------------------------------

static void make_places(Steering *self) {
    const char *base = getenv("TMPDIR");
    self->directory = path_in(base && *base == '/' ? base : "/tmp", "racerx-confirm-XXXXXX");
    if (!mkdtemp(self->directory))
        fatal("cannot make a directory for the runs in %s: %s", quote_path(self->directory), strerror(errno));
    self->plan = path_in(self->directory, "plan");
    self->counts = path_in(self->directory, "counts");
    self->logs = path_in(self->directory, "logs");
    size_t size = sizeof *self->hits * PLAN_TARGETS_MOST;
    int file = open(self->counts, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    self->hits =
        file < 0 || ftruncate(file, (off_t)size) ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (self->hits == MAP_FAILED || mkdir(self->logs, 0700))
        fatal("cannot write in %s: %s", quote_path(self->directory), strerror(errno));
    close(file);
}

static void empty_logs(const Steering *self) {
    Records records = {0};
    records_read(&records, self->logs);
    for (u32 i = 0; i < records.modules.count; i++) { // each log begins with the modules of its process
        char name[32];
        snprintf(name, sizeof name, "log.%u", records.modules.items[i].process);
        char *path = path_in(self->logs, name);
        unlink(path);
        free(path);
    }
    records_free(&records);
}

static void remove_places(Steering *self) {
    empty_logs(self);
    munmap(self->hits, sizeof *self->hits * PLAN_TARGETS_MOST);
    unlink(self->plan);
    unlink(self->counts);
    rmdir(self->logs);
    rmdir(self->directory);
    free(self->plan);
    free(self->counts);
    free(self->logs);
    free(self->directory);
}

// what was seen -------------------------------------------------------------------

static bool is_deadlock(const SteerRecord *record) {
    return record->kind == RECORD_DEADLOCK || record->kind == RECORD_STANDSTILL;
}

// How many sides of a record are at lines of a finding.
static u32 sides_of(const Steering *self, const SteerRecord *record, u32 finding) {
    u32 count = 0;
    for (u32 i = 0; i < record->sides.count; i++) {
        i32 target = record->sides.items[i].target;
        count += target >= 0 && (u32)target < self->targets.count && self->targets.items[target].finding == finding;
    }
    return count;
}

// Is it this finding, line for line?
static bool shows(const Steering *self, const SteerRecord *record, u32 finding) {
    if (record->kind == RECORD_RACE)
        return record->exact && record->finding == finding;
    u32 sides = is_deadlock(record) ? sides_of(self, record, finding) : 0;
    return sides && (record->kind == RECORD_STANDSTILL || sides == record->sides.count ||
                     (sides == 1 && record->sides.count == 2 && record->sides.items[0].wants_kind == 'j') ||
                     (sides == 1 && record->sides.count == 2 && record->sides.items[1].wants_kind == 'j'));
}

static bool concerns(const Steering *self, const SteerRecord *record, u32 finding) {
    if (record->kind == RECORD_RACE)
        return record->finding == finding;
    return is_deadlock(record) && sides_of(self, record, finding);
}

// Asked while the program runs.
static bool seen_enough(void *context) {
    Steering *self = context;
    Records records = {0};
    bool stands = false, all = self->steered;
    records_read(&records, self->logs);
    for (u32 i = 0; i < records.items.count; i++) {
        stands |= is_deadlock(&records.items.items[i]);
        for (u32 k = 0; k < self->count; k++)
            self->progress[k].seen |= shows(self, &records.items.items[i], k);
    }
    for (u32 k = 0; k < self->count; k++)
        all &= !self->progress[k].wanted || self->progress[k].seen;
    records_free(&records);
    return stands || all;
}

static const char *said_of(Steering *self, const SteerRecord *record) {
    FindingList *texts = self->program.texts;
    if (record->kind == RECORD_CRASH)
        return findings_text(texts, "the program crashed under steering (signal %d), and did not in a run without",
                             record->signal);
    if (record->kind == RECORD_RACE && self->chosen[record->finding]->kind != KIND_RACE)
        return "it was written by another thread before it was relied on";
    if (record->kind == RECORD_RACE)
        return record->in_handler ? "a signal handler came between"
                                  : "one thread stood before its access when another did its own";
    if (record->kind == RECORD_STANDSTILL)
        return "all threads waited, and none could go on";
    return record->sides.count == 1 ? "the thread waits for itself"
                                    : findings_text(texts, "%u threads wait for each other", record->sides.count);
}

static const char *value_of(Steering *self, const char *word) {
    return *word && *word != '-' ? findings_text(self->program.texts, "0x%s", word) : "";
}

static void make_witness(Steering *self, const Records *records, const SteerRecord *record, RunWitness *out) {
    *out = (RunWitness){.outcome = record->kind == RECORD_CRASH ? OUTCOME_CRASHED : OUTCOME_WITNESSED,
                        .note = said_of(self, record),
                        .before = value_of(self, record->before),
                        .after = value_of(self, record->after),
                        .seed = self->seed};
    describe_sides(&self->program, records, record, out);
}

static RunWitness *new_witness(Steering *self, const Records *records, const SteerRecord *record) {
    RunWitness *witness = arena_new(&self->program.texts->arena, RunWitness);
    make_witness(self, records, record, witness);
    return witness;
}

// A line of the finding met one that it does not name: perhaps over something else, so it is only said.
static const char *near_text(Steering *self, const Records *records, const SteerRecord *record) {
    const RunWitness *witness = new_witness(self, records, record);
    for (u32 i = 0; i < witness->sides.count; i++) {
        const WitnessSide *side = &witness->sides.items[i];
        if (record->sides.items[i].target < 0 && side->stack.count)
            return findings_text(self->program.texts, "its lines ran, never together; but one met %s:%u, over %s",
                                 side->stack.items[0].file, side->stack.items[0].line, side->object);
    }
    return NULL;
}

static void judge(Steering *self, const Records *records, const SteerRecord *record, bool alone) {
    for (u32 i = 0; i < self->count; i++) {
        SteerProgress *progress = &self->progress[i];
        if (!progress->open || !progress->wanted)
            continue;
        if (shows(self, record, i)) {
            make_witness(self, records, record, &self->out[i]);
            progress->open = false;
        } else if (!progress->near && concerns(self, record, i))
            progress->near = near_text(self, records, record);
        else if (record->kind == RECORD_CRASH && alone && !self->crashes && !progress->crash)
            progress->crash = new_witness(self, records, record);
    }
}

// runs ----------------------------------------------------------------------------

static void take_counts(Steering *self) {
    for (u32 i = 0; i < self->targets.count; i++) {
        self->targets.items[i].hits = self->hits[i].hits;
        self->targets.items[i].fitting = self->hits[i].fitting;
        self->targets.items[i].threads = self->hits[i].threads;
    }
}

static void write_plan(Steering *self) {
    Buffer text = {0};
    for (u32 i = 0; i < self->count; i++)
        self->wanted[i] = self->progress[i].wanted;
    PlanOptions options = {self->logs, self->counts, self->seed, self->steered, self->launched, self->wanted};
    plan_write(&text, &self->targets, &self->program.modules, &self->program.paths, &options);
    const char *why = file_write(self->plan, text.bytes, text.size);
    if (why)
        fatal("cannot write %s: %s", quote_path(self->plan), why);
    buffer_free(&text);
}

// Modules that a run showed; true: there was a new one that can be steered.
static bool take_modules(Steering *self, const Records *records) {
    u32 before = self->program.paths.count;
    for (u32 i = 0; i < records->modules.count; i++)
        built_add(&self->program, records->modules.items[i].path);
    return self->program.paths.count > before;
}

static bool time_is_over(const Steering *self) { return clock_seconds() >= self->end; }

// One run, with those that are wanted; true when it showed new modules.
static bool run_once(Steering *self, u64 seed, bool steered) {
    Records records = {0};
    u32 wanted = 0;
    double left = self->end - clock_seconds();
    self->seed = seed;
    self->steered = steered;
    empty_logs(self);
    write_plan(self);
    for (u32 i = 0; i < self->count; i++) {
        self->progress[i].seen = false;
        self->progress[i].runs += steered && self->progress[i].wanted;
        wanted += self->progress[i].wanted;
    }
    left = left < self->options->run_seconds ? left : self->options->run_seconds;
    StartedRun end = launch(&(LaunchOptions){.command = self->options->command,
                                             .plan = self->plan,
                                             .seconds = left,
                                             .settle = self->options->settle,
                                             .output = self->options->output,
                                             .lines = self->options->lines,
                                             .line_count = self->options->line_count,
                                             .enough = seen_enough,
                                             .context = self});
    if (!end.started && self->options->command)
        fatal(strchr(*self->options->command, '/') ? "cannot run %s: is it there, and a program?"
                                                   : "cannot run %s: write the program's path, as in ./NAME",
              quote_path(*self->options->command));
    self->launched++;
    if (!steered && end.seconds > self->run_seconds)
        self->run_seconds = end.seconds;
    records_read(&records, self->logs);
    bool fresh = take_modules(self, &records);
    take_counts(self);
    for (u32 i = 0; i < self->targets.count; i++)
        built_root(&self->program, self->targets.items[i].file);
    for (u32 i = 0; i < records.items.count; i++) {
        self->crashes |= !steered && records.items.items[i].kind == RECORD_CRASH;
        judge(self, &records, &records.items.items[i], wanted == 1);
    }
    records_free(&records);
    return fresh;
}

// which are worth it ----------------------------------------------------------------

// Sides of a finding of which a line ran.
static u32 sides_run(const Steering *self, u32 finding) {
    u64 sides = 0;
    for (u32 i = 0; i < self->targets.count; i++)
        if (self->targets.items[i].finding == finding && self->targets.items[i].hits)
            sides |= 1ull << (self->targets.items[i].side & 63);
    return (u32)__builtin_popcountll(sides);
}

static u32 sides_needed(const Steering *self, u32 finding) {
    u64 sides = 0;
    for (u32 i = 0; i < self->targets.count; i++)
        if (self->targets.items[i].finding == finding)
            sides |= 1ull << (self->targets.items[i].side & 63);
    u32 all = (u32)__builtin_popcountll(sides);
    return self->chosen[finding]->kind == KIND_RACE && all > 2 ? 2 : all;
}

static bool could_meet(const Steering *self, u32 finding) {
    return self->progress[finding].open && sides_run(self, finding) >= sides_needed(self, finding);
}

static u32 want_open(Steering *self) {
    u32 count = 0;
    for (u32 i = 0; i < self->count; i++)
        count += self->progress[i].wanted = self->progress[i].open;
    return count;
}

static void want_only(Steering *self, u32 finding) {
    for (u32 i = 0; i < self->count; i++)
        self->progress[i].wanted = i == finding;
}

// the driver ------------------------------------------------------------------------

// Programs that are one file are known before they run; others show themselves.
static void add_command(Steering *self) {
    char real[PATH_MAX];
    if (self->options->command && strchr(*self->options->command, '/') && realpath(*self->options->command, real))
        built_add(&self->program, real);
}

static void scout(Steering *self) {
    add_command(self);
    bool known = self->program.paths.count > 0;
    for (u32 i = 0; i < SCOUTS_MOST && want_open(self) && !time_is_over(self); i++)
        if (!run_once(self, self->options->seed, false) && (known || i))
            break;
    if (!self->program.paths.count)
        fatal("nothing that %s runs was built with `racerx cc`: build it anew, with make CC=\"racerx cc\" say",
              quote_path(self->options->command ? *self->options->command : *self->options->lines));
}

static void steer_all(Steering *self) {
    u64 seed = self->options->seed;
    for (u32 step = 0; step < self->options->runs; step++) {
        if (step < TOGETHER) {
            // What did not run may yet, when threads come in another order.
            if (!want_open(self) || time_is_over(self))
                return;
            run_once(self, seed + step, true);
            continue;
        }
        for (u32 i = 0; i < self->count && !time_is_over(self); i++)
            if (could_meet(self, i) || (self->progress[i].open && self->run_seconds < SHORT)) {
                want_only(self, i);
                run_once(self, seed + step, true);
            }
    }
}

static const char *command_text(FindingList *texts, const ConfirmOptions *options) {
    Buffer text = {0};
    for (u32 i = 0; options->command && options->command[i]; i++)
        buffer_format(&text, "%s%s", i ? " " : "", options->command[i]);
    for (u32 i = 0; i < options->line_count; i++)
        buffer_format(&text, "%s%s", text.size ? " & " : "", options->lines[i]);
    buffer_byte(&text, 0);
    const char *kept = findings_text(texts, "%s", (const char *)text.bytes);
    buffer_free(&text);
    return kept;
}

static const char *missing_text(Steering *self, u32 finding) {
    for (u32 i = 0; i < self->targets.count; i++) {
        const SteerTarget *target = &self->targets.items[i];
        if (target->finding == finding && !target->hits)
            return findings_text(self->program.texts, "%s:%u never ran", target->file, target->line);
    }
    return "a line of it never ran";
}

static void conclude(Steering *self, u32 finding) {
    SteerProgress *progress = &self->progress[finding];
    RunWitness *out = &self->out[finding];
    if (progress->open && progress->crash)
        *out = *progress->crash;
    else if (progress->open && sides_run(self, finding) < sides_needed(self, finding))
        *out = (RunWitness){.outcome = OUTCOME_NOT_RUN, .note = missing_text(self, finding)};
    else if (progress->open)
        *out = (RunWitness){.outcome = OUTCOME_TRIED,
                            .note = progress->near ? progress->near : "both lines ran, never together"};
    for (u32 i = 0; i < self->targets.count; i++)
        if (self->targets.items[i].finding == finding)
            witness_add_line(
                self->program.texts, out,
                (WitnessLine){self->targets.items[i].file, self->targets.items[i].line, self->targets.items[i].hits});
    out->before = out->before ? out->before : "";
    out->after = out->after ? out->after : "";
    out->runs = progress->runs;
    out->command = command_text(self->program.texts, self->options);
    out->time = time(NULL);
}

void confirm_findings(FindingList *findings, Finding *const *chosen, u32 count, const ConfirmOptions *options,
                      RunWitness *out) {
    Steering self = {.options = options,
                     .chosen = chosen,
                     .count = count,
                     .out = out,
                     .program = {.texts = findings},
                     .progress = must_zero(sizeof(SteerProgress) * count),
                     .wanted = must_zero(sizeof(bool) * count),
                     .end = clock_seconds() + options->seconds};
    u32 open = 0;
    for (u32 i = 0; i < count; i++)
        open += self.progress[i].open = targets_add(&self.targets, chosen[i], i);
    make_places(&self);
    if (open) {
        scout(&self);
        steer_all(&self);
    }
    for (u32 i = 0; i < count; i++) {
        if (sides_needed(&self, i))
            conclude(&self, i);
        else
            out[i] = (RunWitness){
                .note = "it is of a kind that cannot be steered", .before = "", .after = "", .command = ""};
    }
    remove_places(&self);
    built_free(&self.program);
    array_free(&self.targets);
    free(self.progress);
    free(self.wanted);
}
