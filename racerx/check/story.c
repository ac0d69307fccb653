// story.c: does a race's own story allow it?
// In: the two sides of a race that is going to be shown. Out: why it cannot be, in words, or that nothing speaks
// against it.
// The idea: what the statistics of an object do not see is looked up in the few functions that the story names: was
// the object made ready before its handler was registered, was the handler waited for before, did it say that it was
// done? Of several counterparts one that survives is shown; if none does, the finding says why.
#include "racerx/check/history.h"

// before it was registered ----------------------------------------------------------

typedef struct {
    Analysis *analysis;
    const Skeleton *skeleton;
    const Access *access;
    FunctionId handler; // found
} Registering;

// Does the call hand the object that is accessed to a handler?
static bool registers_object(void *context, const SkeletonStep *step) {
    Registering *self = context;
    Analysis *analysis = self->analysis;
    if (step->kind != STEP_SPAWN)
        return false;
    const Spawn *spawn = &analysis->spawns.items[step->effect];
    u32 data = spawn->fact->said == SAID_REGISTERS && spawn->fact->data > 0 ? (u32)spawn->fact->data : 0;
    if (!data || data > step->arg_count)
        return false;
    const ArgumentValue *argument = &self->skeleton->args[step->arg + data - 1];
    PathId any = path_root(&analysis->paths, ROOT_PARAM, 0);
    if (!argument->path || !path_unbase(&analysis->paths, self->access->path, argument->path, argument->address, any))
        return false;
    for (u32 r = 0; r < analysis->program->registrations.count; r++) {
        const Registration *one = &analysis->program->registrations.items[r];
        if (one->from == spawn->function && one->call == spawn->call)
            self->handler = one->handler;
    }
    return self->handler != NO_ID;
}

// Is the object handed to a handler by the function that accesses it, and always later?
static const char *before_registered(Analysis *self, FindingList *list, const Sample *sample) {
    const Access *access = &self->accesses.items[sample->access];
    Registering registering = {self, &self->skeletons[access->function], access, NO_ID};
    Spot spot;
    if (!access->path || self->follows_threads || !sample_writes(self, sample) ||
        !spot_of_access(self, sample->access, &spot))
        return NULL;
    bool later = false;
    for (u32 s = 0; s < registering.skeleton->step_count && !later; s++)
        later = registers_object(&registering, &registering.skeleton->steps[s]);
    if (!later || ever_after(registering.skeleton, spot, registers_object, &registering))
        return NULL;
    const Program *program = self->program;
    return findings_text(list, "%s sets the object up before it registers %s for it",
                         program_text(program, program->functions.items[access->function].name),
                         program_text(program, program->functions.items[registering.handler].name));
}

// after it was waited for -----------------------------------------------------------

typedef struct {
    const Analysis *analysis;
    u32 contexts; // of the handler
} StoryEnd;

static bool waits_for_end(void *context, const SkeletonStep *step) {
    const StoryEnd *self = context;
    if (step->kind != STEP_JOIN || step->call == NO_ID)
        return false;
    const char *name = program_text(self->analysis->program, self->analysis->program->calls.items[step->call].name);
    const CallFact *facts;
    u32 count = declarations_facts(self->analysis->declarations, name, (u32)strlen(name), SAID_JOINS, &facts);
    return count && facts->context != CONTEXT_NONE && (self->contexts >> facts->context & 1);
}

// Handlers of a context that functions of a file register.
static u32 handlers_of_file(const Analysis *self, u32 file, u32 contexts) {
    u32 count = 0;
    FunctionId last = NO_ID;
    for (u32 r = 0; r < self->program->registrations.count; r++) {
        const Registration *one = &self->program->registrations.items[r];
        if (one->file != file || !(contexts >> one->fact->context & 1) || one->handler == last)
            continue;
        last = one->handler;
        count++;
    }
    return count;
}

// Has the function waited for the only handler of its kind in the file, which is the other side, on every way?
static const char *after_end(Analysis *self, FindingList *list, const Sample *sample, const Sample *other) {
    const Program *program = self->program;
    FunctionId function = self->accesses.items[sample->access].function, handler = way_root(self, other->way);
    u32 contexts = program->functions.items[handler].contexts;
    u32 file = program->functions.items[function].file;
    StoryEnd ending = {self, contexts};
    Spot spot;
    if (!contexts || program->functions.items[handler].file != file || handlers_of_file(self, file, contexts) != 1 ||
        !spot_of_access(self, sample->access, &spot) ||
        !always_after(&self->skeletons[function], spot, waits_for_end, &ending))
        return NULL;
    return findings_text(list, "%s has waited for the end of %s",
                         program_text(program, program->functions.items[function].name),
                         program_text(program, program->functions.items[handler].name));
}

// after it was signalled ------------------------------------------------------------

// Has this thread waited for a signal that is a member of the object, and let nobody go on since?
static const char *after_signal(Histories *histories, FindingList *list, const Sample *sample) {
    const Analysis *self = histories->analysis;
    const SharedObject *object = &self->objects.items[sample->object];
    if (object->kind != OBJECT_FIELD || self->follows_threads)
        return NULL;
    const History *history = history_of(histories, sample);
    for (u32 i = 0; i < history->count; i++) {
        const Signal *signal = &histories->signals.items[history->items[i].signal];
        if (signal->kind == SIGNAL_COMPLETION && history->items[i].fresh &&
            self->classes.items[signal->key].record == object->id)
            return findings_text(
                list, "%s has waited for %s, which says that the others are done",
                program_text(self->program,
                             self->program->functions.items[self->accesses.items[sample->access].function].name),
                class_text(self, signal->key));
    }
    return NULL;
}

// never come to ---------------------------------------------------------------------

const char *barred_text(const Analysis *self, FindingList *list, const Sample *sample) {
    const Program *program = self->program;
    FunctionId root = self->roots.items[sample->root].function;
    if (!is_barred(self, sample))
        return NULL;
    return findings_text(list, "no way from %s leads to this place in %s: what is asked on it contradicts itself",
                         program_text(program, program->functions.items[root].name),
                         program_text(program, sample_function(self, sample)->name));
}

const char *story_refuted(Histories *histories, Analysis *self, FindingList *list, const Sample *a, const Sample *b) {
    const char *why = barred_text(self, list, a);
    why = why ? why : barred_text(self, list, b);
    why = why ? why : before_registered(self, list, a);
    why = why ? why : before_registered(self, list, b);
    why = why ? why : hooked_text(histories, list, a, b);
    why = why ? why : hooked_text(histories, list, b, a);
    why = why ? why : after_end(self, list, a, b);
    why = why ? why : after_end(self, list, b, a);
    why = why ? why : after_signal(histories, list, a);
    return why ? why : after_signal(histories, list, b);
}
