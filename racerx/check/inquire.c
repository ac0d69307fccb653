// inquire.c: what the analysis saw at one line: who leads there, what the line does, what stands in its way.
// In: an analysis with walk and samples done, a question. Out: answers, and the last hurdle that the line came to.
//
// Nothing is decided here: the same facts and the same tests are read that the checks read, and put into sentences.
#include "racerx/check/inquire.h"

enum { ROOTS_NAMED = 6, CALLERS_NAMED = 5, TARGETS_NAMED = 4, ORDERS_NAMED = 8 };

const char *inquiry_function(const Inquiry *self, FunctionId function) {
    return program_text(self->analysis->program, self->analysis->program->functions.items[function].name);
}

const char *inquiry_root(Inquiry *self, FunctionId root) {
    const ProgramFunction *function = &self->analysis->program->functions.items[root];
    Buffer words = {0};
    for (u32 bit = CONTEXT_THREAD; bit <= CONTEXT_CALL; bit++)
        if (function->contexts >> bit & 1)
            buffer_format(&words, "%s%s", words.size ? ", " : "", context_word((Context)bit));
    if (!words.size && function->marks & MARK_THREAD_ONCE)
        buffer_text(&words, "one thread");
    if (!words.size)
        buffer_text(&words, function->marks & MARK_ROOT ? "nobody in sight calls it" : "no root");
    buffer_byte(&words, 0);
    const char *text = answers_text(self->out, "%s (%s)", inquiry_function(self, root), (const char *)words.bytes);
    buffer_free(&words);
    return text;
}

// the way there ---------------------------------------------------------------------

typedef struct {
    u32 nodes, ways; // ways in which the function was entered; ways that lead there
    u32 narrow;      // ways without a call that has many targets
    u32 nearest;     // a way of the fewest calls, narrow ones first, + 1; 0: none
    FunctionId roots[64];
    u32 root_count;
} AskedReach;

static void reach_add(const Analysis *self, AskedReach *out, u32 way) {
    const WayContext *context = &self->way_contexts.items[way];
    const WayContext *best = out->nearest ? &self->way_contexts.items[out->nearest - 1] : NULL;
    FunctionId root = way_root(self, way);
    bool known = out->root_count >= 64;
    out->ways++;
    out->narrow += !context->wide;
    if (!best || !context->wide > !best->wide || (!context->wide == !best->wide && context->depth < best->depth))
        out->nearest = way + 1;
    for (u32 i = 0; i < out->root_count && !known; i++)
        known = out->roots[i] == root;
    if (!known)
        out->roots[out->root_count++] = root;
}

static AskedReach reach_of(const Analysis *self, FunctionId function) {
    AskedReach out = {0};
    for (u32 n = 0; n < self->way_nodes; n++) {
        if (self->nodes.items[n].function != function)
            continue;
        out.nodes++;
        for (u32 w = self->context_first.items[n]; w; w = self->way_contexts.items[w - 1].next)
            reach_add(self, &out, w - 1);
    }
    return out;
}

static const char *chain_text(Inquiry *self, u32 way) {
    const Analysis *analysis = self->analysis;
    U32Array chain = {0};
    Buffer text = {0};
    for (u32 w = way + 1; w; w = analysis->way_contexts.items[w - 1].from)
        array_push(&chain, w - 1);
    for (u32 i = chain.count; i-- > 0;)
        if (i + 4 >= chain.count || i < 4)
            buffer_format(&text, "%s%s", text.size ? " > " : "",
                          inquiry_function(
                              self, analysis->nodes.items[analysis->way_contexts.items[chain.items[i]].node].function));
        else if (i + 5 == chain.count)
            buffer_format(&text, " > … %u more", chain.count - 8);
    const char *kept = answers_text(self->out, "%.*s", (int)text.size, (const char *)text.bytes);
    buffer_free(&text);
    array_free(&chain);
    return kept;
}

static void say_callers(Inquiry *self) {
    const Program *program = self->analysis->program;
    const ProgramFunction *function = &program->functions.items[self->function];
    Buffer names = {0};
    for (u32 i = 0; i < function->caller_count && i < CALLERS_NAMED; i++)
        buffer_format(&names, "%s%s", i ? ", " : "",
                      inquiry_function(self, program->callers.items[function->caller + i]));
    buffer_byte(&names, 0);
    if (function->caller_count)
        answers_add(self->out, ANSWER_REACHED, "it may be called by %u function%s: %s%s", function->caller_count,
                    function->caller_count == 1 ? "" : "s", (const char *)names.bytes,
                    function->caller_count > CALLERS_NAMED ? " …" : "");
    else
        answers_add(self->out, ANSWER_REACHED, "nobody in sight calls it%s",
                    function->marks & MARK_ADDRESS_TAKEN ? "; its address is taken" : "");
    answer_number(self->out, "callers", function->caller_count);
    buffer_free(&names);
}

static void say_roots(Inquiry *self, const AskedReach *reach) {
    Buffer names = {0};
    const WayContext *nearest = &self->analysis->way_contexts.items[reach->nearest - 1];
    for (u32 i = 0; i < reach->root_count && i < ROOTS_NAMED; i++)
        buffer_format(&names, "%s%s", i ? ", " : "", inquiry_root(self, reach->roots[i]));
    buffer_byte(&names, 0);
    answers_add(self->out, ANSWER_REACHED, "from %u%s root%s: %s%s", reach->root_count,
                reach->root_count == 64 ? " or more" : "", reach->root_count == 1 ? "" : "s", (const char *)names.bytes,
                reach->root_count > ROOTS_NAMED ? " …" : "");
    answer_number(self->out, "roots", reach->root_count);
    answer_number(self->out, "ways", reach->ways);
    answer_number(self->out, "ways_narrow", reach->narrow);
    answer_text(self->out, "root", inquiry_function(self, reach->roots[0]));
    if (nearest->depth)
        answers_add(self->out, ANSWER_REACHED, "nearest: %s", chain_text(self, reach->nearest - 1));
    if (!reach->narrow)
        answers_add(self->out, ANSWER_REACHED,
                    "only through calls with many possible targets (%u at the best): what is seen there is not sure",
                    nearest->wide);
    buffer_free(&names);
}

static bool inquire_reach(Inquiry *self) {
    const Analysis *analysis = self->analysis;
    const ProgramFunction *function = &analysis->program->functions.items[self->function];
    const char *name = inquiry_function(self, self->function);
    AskedReach reach = reach_of(analysis, self->function);
    u32 limit = analysis->options.lockset_limit ? analysis->options.lockset_limit : 100;
    if (function->flags & DECL_ALTERNATIVE)
        answers_add(self->out, ANSWER_FUNCTION,
                    "it is of a conditional arm that was not chosen: its data is not looked at");
    if (reach.nearest && (function->marks & MARK_ROOT || way_root(analysis, reach.nearest - 1) != self->function))
        say_roots(self, &reach);
    else if (reach.nodes)
        answers_add(self->out, ANSWER_REACHED,
                    "no root leads there: it was walked from its own beginning, with no locks");
    if (!(function->marks & MARK_ROOT))
        say_callers(self);
    if (reach.nodes >= limit) {
        answers_add(self->out, ANSWER_LIMIT,
                    "it was entered with %u different locksets, and no more are tried (--lockset-limit)", limit);
        answer_number(self->out, "entries", reach.nodes);
    }
    if (reach.nodes)
        return true;
    answers_add(self->out, ANSWER_REACHED, "it was never walked: %s",
                analysis->skeletons[self->function].block_count ? "all ways to it were cut"
                                                                : "its body could not be read");
    answers_stop(self->out, HURDLE_WALKED, "%s was never walked", name);
    return false;
}

// the line --------------------------------------------------------------------------

static void say_call(Inquiry *self, const SkeletonStep *step) {
    const Program *program = self->analysis->program;
    const CallSite *site = step->call != NO_ID ? &program->calls.items[step->call] : NULL;
    Buffer names = {0};
    if (!site)
        return;
    for (u32 i = 0; i < site->target_count && i < TARGETS_NAMED; i++)
        buffer_format(&names, "%s%s", i ? ", " : "", inquiry_function(self, program->targets.items[site->target + i]));
    buffer_byte(&names, 0);
    const char *through = site->indirect ? " through a pointer" : "";
    if (site->target_count)
        answers_add(self->out, ANSWER_STEP, "calls %s%s%s%s%s", (const char *)names.bytes,
                    site->target_count > TARGETS_NAMED
                        ? answers_text(self->out, " and %u more", site->target_count - TARGETS_NAMED)
                        : "",
                    through, site->guessed ? ", guessed by type" : "", site->cut ? ", and others that were cut" : "");
    else
        answers_add(self->out, ANSWER_STEP, "calls %s%s, which is not in the tree",
                    site->name ? program_text(program, site->name) : "something", through);
    answer_number(self->out, "targets", site->target_count);
    answer_number(self->out, "guessed", site->guessed);
    if (site->indirect && !call_is_narrow(site))
        answers_add(self->out, ANSWER_STEP,
                    "a call of so many targets takes no locks along: what is done below it is ordered by its nearest "
                    "caller only");
    buffer_free(&names);
}

static const char *effect_verb(u8 kind) {
    switch (kind) {
    case EFFECT_ACQUIRE: return "takes";
    case EFFECT_RELEASE: return "lets go of";
    case EFFECT_WAIT: return "waits, having let go of";
    case EFFECT_ASSERT: return "asserts that it holds";
    case EFFECT_INIT: return "makes";
    case EFFECT_DESTROY: return "destroys";
    default: return "asks about or changes";
    }
}

static void say_lock(Inquiry *self, const SkeletonStep *step) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; i < step->effect_count; i++) {
        const LockOperation *operation = &analysis->operations.items[step->effect + i];
        const LockClass *class = &analysis->classes.items[operation->class];
        answers_add(self->out, ANSWER_STEP, "%s %s%s%s%s", effect_verb(operation->effect->kind),
                    operation->class ? class_text(analysis, operation->class) : "a lock that has no name",
                    class->parameter && operation->class >= CLASS_FIRST ? ": whatever its parameter points to" : "",
                    class->vague ? ", which may be any of several" : "",
                    class->scheduling ? ", a semaphore that signals and is no lock" : "");
        answer_text(self->out, "lock", operation->class ? class_text(analysis, operation->class) : "");
        if (operation->effect->kind == EFFECT_ACQUIRE && operation->class >= CLASS_FIRST) // orders say more, if any
            answers_stop(self->out, HURDLE_STEP, "no other lock is held when %s is taken here",
                         class_text(analysis, operation->class));
    }
}

static const char *step_sentence(u8 kind) {
    switch (kind) {
    case STEP_BLOCK: return "calls a function that may sleep";
    case STEP_JOIN: return "waits for something to end";
    case STEP_ALLOC: return "allocates: what it gives nobody else has seen";
    case STEP_SPAWN: return "starts a thread or a handler";
    case STEP_ENDED: return "threads have ended here";
    default: return NULL;
    }
}

// False: nothing on the line concerns locks, calls or threads.
static bool inquire_steps(Inquiry *self) {
    const Skeleton *skeleton = &self->analysis->skeletons[self->function];
    u32 before = self->out->items.count;
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->place.line != self->question->line)
            continue;
        if (step->kind == STEP_LOCK)
            say_lock(self, step);
        else if (step->kind == STEP_CALL)
            say_call(self, step);
        else if (step_sentence(step->kind))
            answers_add(self->out, ANSWER_STEP, "%s", step_sentence(step->kind));
    }
    return self->out->items.count > before;
}

// lock order ------------------------------------------------------------------------

static bool is_on_line(const Inquiry *self, u32 site) {
    const LockSite *where = site == NO_ID ? NULL : &self->analysis->sites.items[site];
    return where && where->function == self->function && where->place.line == self->question->line;
}

static u32 edge_count(const Analysis *self, ClassId from, ClassId to) {
    for (u32 i = 0; i < self->edges.count; i++)
        if (self->edges.items[i].from == from && self->edges.items[i].to == to)
            return self->edges.items[i].count;
    return 0;
}

static void say_order(Inquiry *self, const OrderEdge *edge) {
    const Analysis *analysis = self->analysis;
    u32 reverse = edge_count(analysis, edge->to, edge->from);
    const char *from = class_text(analysis, edge->from), *to = class_text(analysis, edge->to);
    answers_add(self->out, ANSWER_ORDER, "%s is taken here under %s, in %u place%s; the other way round in %s", to,
                from, edge->count, edge->count == 1 ? "" : "s",
                reverse ? answers_text(self->out, "%u", reverse) : "none");
    answer_text(self->out, "before", from);
    answer_text(self->out, "after", to);
    answer_number(self->out, "places", edge->count);
    answer_number(self->out, "reverse", reverse);
    if (reverse)
        answers_stop(self->out, HURDLE_BELIEF,
                     "both orders of %s and %s occur, but no two threads can wait for each other by them (a gate lock, "
                     "a try, one thread alone, or a semaphore that signals)",
                     from, to);
    else
        answers_stop(self->out, HURDLE_ORDER, "nobody takes %s and %s in the other order", from, to);
}

static void inquire_orders(Inquiry *self) {
    const Analysis *analysis = self->analysis;
    u32 said = 0, all = 0;
    for (u32 i = 0; i < analysis->edges.count; i++) {
        const OrderEdge *edge = &analysis->edges.items[i];
        bool here = false;
        for (u32 w = edge->witness; w != NO_ID && w < analysis->witnesses.count && !here;
             w = analysis->witnesses.items[w].next)
            here = is_on_line(self, analysis->witnesses.items[w].site);
        all += here;
        if (here && said++ < ORDERS_NAMED)
            say_order(self, edge);
    }
    if (all > ORDERS_NAMED)
        answers_add(self->out, ANSWER_ORDER, "and under %u more locks", all - ORDERS_NAMED);
}

static void inquire_notes(Inquiry *self) {
    static const char *const words[] = {[NOTE_DOUBLE] = "taking a lock that is held already",
                                        [NOTE_SLEEP] = "sleeping where that is forbidden",
                                        [NOTE_UNHELD] = "letting go of what is not held",
                                        [NOTE_LEAK] = "leaving a lock held",
                                        [NOTE_JOIN] = "waiting under a lock",
                                        [NOTE_ACQUIRE] = NULL,
                                        [NOTE_AWAIT] = "waiting for a signal under a lock"};
    const Analysis *analysis = self->analysis;
    u32 counts[NOTE_COUNT] = {0};
    for (u32 i = 0; i < analysis->notes.count; i++) {
        const Note *note = &analysis->notes.items[i];
        if (note->place.line == self->question->line && analysis->nodes.items[note->node].function == self->function)
            counts[note->kind]++;
    }
    for (u32 i = 0; i < NOTE_COUNT; i++)
        if (counts[i] && words[i]) {
            answers_add(self->out, ANSWER_STEP, "the walk noted %s here, %u time%s", words[i], counts[i],
                        counts[i] == 1 ? "" : "s");
            answers_stop(self->out, HURDLE_BELIEF, "the walk noted %s here, and the check found an excuse for it",
                         words[i]);
        }
}

// the place -------------------------------------------------------------------------

static void inquire_function(Inquiry *self) {
    const ProgramFunction *function = &self->analysis->program->functions.items[self->function];
    const char *name = inquiry_function(self, self->function);
    answers_add(self->out, ANSWER_FUNCTION, "%s, lines %u to %u", name, function->place.line, function->end_line);
    answer_text(self->out, "function", name);
    if (!inquire_reach(self))
        return;
    bool steps = inquire_steps(self), objects = inquire_objects(self);
    inquire_orders(self);
    inquire_notes(self);
    if (!steps && !objects)
        answers_add(self->out, ANSWER_STEP, "accesses nothing that others can see, and neither locks nor calls");
    if (!objects)
        answers_stop(self->out, HURDLE_STEP,
                     steps ? "nothing on the line accesses what others can see"
                           : "nothing on the line concerns locks or what others can see");
}

void answer_question(Analysis *analysis, const Question *question, AnswerList *out) {
    Inquiry self = {.analysis = analysis, .question = question, .out = out};
    const Program *program = analysis->program;
    bool found = false;
    fill_usual(analysis);
    fill_callers(analysis);
    for (FunctionId f = 0; f < program->functions.count; f++) {
        const ProgramFunction *function = &program->functions.items[f];
        if (function->place.line > question->line || function->end_line < question->line ||
            strcmp(function_path(program, f), question->file))
            continue;
        self.function = f;
        found = true;
        inquire_function(&self);
    }
    if (found)
        return;
    answers_add(out, ANSWER_FUNCTION, "line %u is in no function that could be read", question->line);
    answers_stop(out, HURDLE_FUNCTION, "the line is in no function");
}
