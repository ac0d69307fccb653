// facts_text.c: what is known at each point of one function, as text: `racerx facts`.
// In: facts, samples. Out: for every block what holds where it begins, and every use of something that a fact is about,
// with what was let go since and, when somebody may write it meanwhile, who.
#include "racerx/stale/stale.h"

typedef struct {
    Analysis *analysis;
    Buffer *out;
    Judge judge;
    u32 block; // the last one that was told; NO_ID: none
} FactsText;

static void locks_text(const Flow *flow, u32 mask, Buffer *out) {
    const char *separator = "";
    for (u32 i = 0; i < flow->locks.count; i++)
        if (mask & 1u << i) {
            buffer_format(out, "%s%s", separator, class_text(flow->analysis, flow->locks.items[i].class));
            separator = ", ";
        }
}

static const char *var_text(const Flow *flow, u32 var) {
    return var >= flow->body.vars.count
               ? "the result"
               : program_text(flow->analysis->program, build_name(&flow->build, flow->body.vars.items[var].name));
}

// A place whose root is a local by the local's name; path_text() knows only its number.
static void place_text(const Flow *flow, PathId place, Buffer *out) {
    const PathTable *paths = &flow->analysis->paths;
    const Path *root = &paths->paths.items[path_first(paths, place)];
    size_t from = out->size;
    path_text(flow->analysis, place, out);
    if (!path_is_variable(root) || root->step >= flow->body.vars.count)
        return;
    char number[32], *rest;
    int length = snprintf(number, sizeof number, "local %u", root->step);
    if (out->size < from + (size_t)length || memcmp(out->bytes + from, number, (size_t)length))
        return;
    buffer_byte(out, 0);
    rest = must_strdup((const char *)out->bytes + from + length);
    out->size = from;
    buffer_format(out, "%s%s", var_text(flow, root->step), rest);
    free(rest);
}

static void known_text(const Flow *flow, const KnownFact *fact, Buffer *out) {
    static const char *const how[] = {[BY_TEST] = "tested",
                                      [BY_STORE] = "stored",
                                      [BY_USE] = "dereferenced",
                                      [BY_LOAD] = "loaded",
                                      [BY_CALL] = "returned"};
    if (fact->kind != FACT_FOUND)
        place_text(flow, fact->place, out);
    if (fact->kind == FACT_FOUND)
        buffer_format(out, "%s was found", var_text(flow, fact->var));
    else if (fact->kind == FACT_COPY)
        buffer_format(out, " is in %s", var_text(flow, fact->var));
    else if (fact->kind == FACT_NONNULL)
        buffer_text(out, " is not null");
    else
        buffer_text(out, fact->flags & FACT_CHOSEN ? " is in bounds" : " decided");
    buffer_format(out, ", %s at %u:%u", how[fact->source], fact->at.line, fact->at.column);
}

static void fact_text(const Flow *flow, const KnownFact *fact, Buffer *out) {
    known_text(flow, fact, out);
    if (fact->held) {
        buffer_text(out, " under ");
        locks_text(flow, fact->held, out);
    }
    if (fact->broken) {
        buffer_format(out, "; let go at %u:%u: ", fact->released.line, fact->released.column);
        locks_text(flow, fact->broken, out);
    }
    if (fact->entered) {
        buffer_format(out, "; taken since at %u:%u: ", fact->taken.line, fact->taken.column);
        locks_text(flow, fact->entered, out);
    }
    if (fact->flags & FACT_SEEN)
        buffer_text(out, "; read again");
    if (fact->kind == FACT_COPY && fact->flags & FACT_PINNED)
        buffer_text(out, "; handed on");
    if (fact->flags & FACT_CLAIMED)
        buffer_text(out, "; overwritten");
    buffer_byte(out, '\n');
}

static void tell_block(FactsText *self, const Flow *flow) {
    const FactSet *known = &flow->in[flow->block];
    const Block *block = &flow->body.blocks.items[flow->block];
    self->block = flow->block;
    u32 line = block->event_count ? flow->body.events.items[block->event].place.line : block->place.line;
    buffer_format(self->out, "block %u, line %u, holding {", flow->block, line);
    locks_text(flow, known->held, self->out);
    buffer_text(self->out, "}\n");
    for (u32 i = 0; i < known->facts.count; i++) {
        buffer_text(self->out, "  ");
        fact_text(flow, &known->facts.items[i], self->out);
    }
}

static void tell_use(void *context, const Flow *flow, const Reliance *reliance) {
    static const char *const words[] = {[RELY_DEREFERENCE] = "dereferenced",
                                        [RELY_INDEX] = "an index",
                                        [RELY_WRITE] = "written",
                                        [RELY_UPDATE] = "written with what was made of it",
                                        [RELY_ELEMENT] = "an element's",
                                        [RELY_OBJECT] = "its object used"};
    FactsText *self = context;
    if (!reliance || !reliance->fact) {
        if (!reliance)
            tell_block(self, flow);
        return;
    }
    buffer_format(self->out, "  %u:%u %s: ", reliance->place.line, reliance->place.column, words[reliance->kind]);
    fact_text(flow, reliance->fact, self->out);
    if (!reliance->fact->broken && !reliance->fact->entered)
        return;
    const Sample *writer = judge_writer(&self->judge, flow, reliance->fact, true);
    if (!writer)
        return;
    const Access *access = &self->analysis->accesses.items[writer->access];
    buffer_format(
        self->out, "    may be written meanwhile by %s at %s:%u\n",
        program_text(self->analysis->program, self->analysis->program->functions.items[access->function].name),
        function_path(self->analysis->program, access->function), access->place.line);
}

void facts_text(Analysis *analysis, FunctionId function, Buffer *out) {
    FactsText self = {.analysis = analysis, .out = out};
    Effects effects;
    effects_begin(&effects, analysis);
    judge_begin(&self.judge, analysis, NULL);
    Getters getters;
    getters_fill(&getters, &effects);
    Flow flow = {.analysis = analysis, .effects = &effects, .told = true, .getters = &getters};
    buffer_format(out, "facts of %s\n",
                  program_text(analysis->program, analysis->program->functions.items[function].name));
    if (!flow_run(&flow, function, tell_use, &self))
        buffer_text(out, "  none: it has no body, or is too large\n");
    flow_free(&flow);
    getters_free(&getters);
    judge_end(&self.judge);
    effects_end(&effects);
}
