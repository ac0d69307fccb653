// observed.c: the text beside what traced runs did: `guards --observed`, `callees --observed`.
// In: a database, samples of `racerx trace`. Out: for each object how its lines were run, with a lock or without, and
// where text and runs disagree; for calls through pointers how many ran, and which targets the text does not know.
#include "racerx/cli/command_link.h"

#include "annotators/host.h"
#include "racerx/confirm/confirm.h"
#include "racerx/facts/analysis.h"

// guards --------------------------------------------------------------------------

typedef struct {
    char *object, *file, *function;
    u32 line;
    bool writes;
    u32 locked, bare; // samples of the text: under some lock; under none
} TextLine;
typedef struct {
    const char *object; // wanted; NULL: all
    Pattern *pattern;   // likewise
    Array(TextLine) lines;
} Gathered;

static bool wanted(const Gathered *self, const char *object) {
    return !self->object || !strcmp(self->object, object) ||
           (self->pattern && pattern_matches(self->pattern, object, (u32)strlen(object)));
}

static void gather_line(void *context, const SampleRow *row) {
    Gathered *self = context;
    TextLine *last = self->lines.count ? &self->lines.items[self->lines.count - 1] : NULL;
    if (!wanted(self, row->object))
        return;
    if (!last || last->line != row->line || last->writes != row->writes || strcmp(last->object, row->object) ||
        strcmp(last->file, row->file)) {
        array_push(&self->lines, ((TextLine){.object = must_strdup(row->object),
                                             .file = must_strdup(row->file),
                                             .function = must_strdup(row->function),
                                             .line = row->line,
                                             .writes = row->writes}));
        last = &self->lines.items[self->lines.count - 1];
    }
    last->locked += row->locked;
    last->bare += !row->locked;
}

// Lines are looked for by number: those of one file stand together.
static const ObservedLine *observed_at(const Observations *seen, const TextLine *line) {
    for (u32 i = 0; i < seen->lines.count; i++) {
        const ObservedLine *one = &seen->lines.items[i];
        if (one->line == line->line && one->writes == line->writes && same_source(line->file, one->file))
            return one;
    }
    return NULL;
}

typedef struct {
    u32 locked, bare, ran, always, never, disagree; // lines
} ObjectCounts;

// The text says one thing of all ways to the line, and runs another.
static const char *disagreement(const TextLine *line, const ObservedLine *seen) {
    if (line->bare && !line->locked && !seen->without)
        return "without a lock in the text, always with one in runs";
    if (line->locked && !line->bare && seen->without)
        return "under a lock in the text, without one in runs";
    return NULL;
}

static void put_line(Buffer *out, const TextLine *line, const ObservedLine *seen, Format format) {
    const char *why = disagreement(line, seen);
    if (format == FORMAT_JSONL) {
        buffer_text(out, "{\"object\":");
        buffer_json(out, line->object, strlen(line->object));
        buffer_text(out, ",\"file\":");
        buffer_json(out, line->file, strlen(line->file));
        buffer_format(out, ",\"line\":%u,\"function\":", line->line);
        buffer_json(out, line->function, strlen(line->function));
        buffer_format(
            out, ",\"writes\":%s,\"text_locked\":%u,\"text_bare\":%u,\"runs_locked\":%u,\"runs_bare\":%u,\"lock\":",
            line->writes ? "true" : "false", line->locked, line->bare, seen->with, seen->without);
        buffer_json(out, seen->lock, strlen(seen->lock));
        buffer_format(out, ",\"disagree\":%s}\n", why ? "true" : "false");
    } else if (why)
        buffer_format(out, "    %s:%u %s() %s: %s%s%s\n", quoted_path(line->file), line->line,
                      quoted_path(line->function), line->writes ? "writes" : "reads", why, *seen->lock ? ": " : "",
                      quoted_path(seen->lock));
}

static u32 put_object(Buffer *out, const Gathered *self, u32 from, u32 to, const Observations *seen, Format format) {
    ObjectCounts counts = {0};
    Buffer lines = {0};
    for (u32 i = from; i < to; i++) {
        const TextLine *line = &self->lines.items[i];
        const ObservedLine *one = observed_at(seen, line);
        counts.locked += line->locked && !line->bare;
        counts.bare += line->bare > 0;
        if (!one)
            continue;
        counts.ran++;
        counts.always += !one->without;
        counts.never += !one->with;
        counts.disagree += disagreement(line, one) != NULL;
        put_line(&lines, line, one, format);
    }
    if (counts.ran && format != FORMAT_JSONL)
        buffer_format(out, "%s: text S %u F %u; runs: %u line%s, %u always under a lock, %u never%s\n",
                      quoted_path(self->lines.items[from].object), counts.locked, counts.bare, counts.ran,
                      counts.ran == 1 ? "" : "s", counts.always, counts.never,
                      counts.disagree ? "; they disagree" : "");
    buffer_put(out, lines.bytes, lines.size);
    buffer_free(&lines);
    return counts.disagree;
}

static void gathered_free(Gathered *self) {
    for (u32 i = 0; i < self->lines.count; i++) {
        free(self->lines.items[i].object);
        free(self->lines.items[i].file);
        free(self->lines.items[i].function);
    }
    array_free(&self->lines);
    if (self->pattern)
        pattern_free(self->pattern);
}

void print_observed_guards(const char *db, const char *directory, const char *object, Format format) {
    char reason[256];
    LinkArguments link = {.db = db};
    Gathered gathered = {.object = object, .pattern = object ? pattern_new(object, reason) : NULL};
    AnalysisOptions options = {.p0 = ANALYSIS_P0, .wide = ANALYSIS_WIDE};
    Observations seen;
    FindingList texts;
    Buffer out = {0};
    u32 disagree = 0;
    findings_begin(&texts);
    observe_traces(directory, &texts, &seen);
    Linked linked = link_database(&link);
    visit_samples(linked.program, &options, gather_line, &gathered);
    for (u32 i = 0, end; i < gathered.lines.count; i = end) {
        for (end = i + 1;
             end < gathered.lines.count && !strcmp(gathered.lines.items[end].object, gathered.lines.items[i].object);)
            end++;
        disagree += put_object(&out, &gathered, i, end, &seen, format);
    }
    if (format != FORMAT_JSONL)
        buffer_format(&out, "%u line%s on which text and runs disagree, in %u sample%s\n", disagree,
                      disagree == 1 ? "" : "s", seen.samples, seen.samples == 1 ? "" : "s");
    write_output(&out);
    buffer_free(&out);
    gathered_free(&gathered);
    observations_free(&seen);
    linked_free(&linked);
    findings_free(&texts);
}

// calls -----------------------------------------------------------------------------

static FunctionId function_at(const Program *program, const char *name, const char *file) {
    NameId id = intern_find(&program->names, name, (u32)strlen(name));
    FunctionId function;
    for (u32 n = 0; id != UINT32_MAX && (function = program_named(program, id, n)) != NO_ID; n++)
        if (same_source(function_path(program, function), file))
            return function;
    return NO_ID;
}

static bool calls_indirectly(const Program *program, FunctionId id) {
    const ProgramFunction *function = &program->functions.items[id];
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        if (program->calls.items[c].indirect)
            return true;
    return false;
}

static bool is_direct(const Program *program, FunctionId from, FunctionId to) {
    const ProgramFunction *function = &program->functions.items[from];
    for (u32 c = function->call; c < function->call + function->call_count; c++)
        if (!program->calls.items[c].indirect && program->calls.items[c].name == program->functions.items[to].name)
            return true;
    return false;
}

// Among the targets of a call of it, or bound to a parameter that it calls.
static bool is_known(const Program *program, FunctionId from, FunctionId to) {
    const ProgramFunction *function = &program->functions.items[from];
    bool parameter = false;
    for (u32 c = function->call; c < function->call + function->call_count; c++) {
        const CallSite *site = &program->calls.items[c];
        parameter |= site->parameter > 0;
        for (u32 t = 0; t < site->target_count; t++)
            if (program->targets.items[site->target + t] == to)
                return true;
    }
    for (u32 i = 0; parameter && i < program->bindings.count; i++)
        if (program->bindings.items[i].function == to)
            return true;
    return false;
}

typedef struct {
    u32 functions, visited; // with calls through pointers; that ran one
    u32 observed, known;    // calls through pointers: pairs of functions; those the text has
} CallCounts;

static void count_call(const Program *program, const ObservedCall *call, Map *seen, CallCounts *counts, Buffer *out,
                       Format format) {
    FunctionId from = function_at(program, call->function, call->file);
    FunctionId to = function_at(program, call->callee, call->callee_file);
    bool fresh;
    if (from == NO_ID || to == NO_ID || !calls_indirectly(program, from) || is_direct(program, from, to))
        return;
    map_put(seen, (u64)from << 32 | to, &fresh);
    if (!fresh)
        return;
    map_put(seen, (u64)UINT32_MAX << 32 | from, &fresh);
    counts->visited += fresh;
    counts->observed++;
    bool known = is_known(program, from, to);
    counts->known += known;
    if (format == FORMAT_JSONL) {
        buffer_text(out, "{\"function\":");
        buffer_json(out, call->function, strlen(call->function));
        buffer_text(out, ",\"file\":");
        buffer_json(out, function_path(program, from), strlen(function_path(program, from)));
        buffer_format(out, ",\"line\":%u,\"callee\":", call->line);
        buffer_json(out, call->callee, strlen(call->callee));
        buffer_format(out, ",\"known\":%s}\n", known ? "true" : "false");
    } else if (!known)
        buffer_format(out, "%s:%u  %s calls %s, which the text does not know\n",
                      quoted_path(function_path(program, from)), call->line, quoted_path(call->function),
                      quoted_path(call->callee));
}

void print_observed_calls(const LinkArguments *arguments) {
    Observations seen;
    FindingList texts;
    CallCounts counts = {0};
    Map known = {0};
    Buffer out = {0};
    findings_begin(&texts);
    observe_traces(arguments->observed, &texts, &seen);
    Linked linked = link_database(arguments);
    for (FunctionId id = 0; id < linked.program->functions.count; id++)
        counts.functions += calls_indirectly(linked.program, id);
    for (u32 i = 0; i < seen.calls.count; i++)
        count_call(linked.program, &seen.calls.items[i], &known, &counts, &out, arguments->format);
    if (arguments->format != FORMAT_JSONL)
        buffer_format(
            &out,
            "%u functions call through pointers, %u of them did in runs (%.2f); %u calls observed, %u known to "
            "the text\n",
            counts.functions, counts.visited, counts.functions ? (double)counts.visited / counts.functions : 0,
            counts.observed, counts.known);
    write_output(&out);
    buffer_free(&out);
    map_free(&known);
    observations_free(&seen);
    linked_free(&linked);
    findings_free(&texts);
}
