// observe.c: what runs say about the text. In: samples (trace.c). Out: lines that accessed what threads share, with and
// without a lock; calls that happened.
#include "racerx/confirm/predict.h"

bool same_source(const char *analysed, const char *compiled) {
    size_t length = strlen(compiled), end = strlen(analysed);
    return length >= end && end && !strcmp(compiled + length - end, analysed) &&
           (length == end || compiled[length - end - 1] == '/');
}

static int line_order(const void *a, const void *b) {
    const ObservedLine *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order || x->line != y->line)
        return order ? order : x->line < y->line ? -1 : 1;
    return x->writes != y->writes ? (x->writes < y->writes ? -1 : 1) : strcmp(x->lock, y->lock);
}

static const char *first_lock(Describer *self, u32 lockset) {
    const Names *names = &self->prediction->names;
    return lockset ? describe_place(self, names->set_locks.items[names->set_starts.items[lockset]] >> 1) : "";
}

static void add_lines(Describer *self, Observations *out) {
    const Prediction *from = self->prediction;
    u32 kept = 0;
    for (u32 i = 0; i < from->accesses.count; i++) {
        const AccessLockset *access = &from->accesses.items[i];
        WitnessFrame frame = describe_code(self, access->code);
        if (!bitset_has(&from->used, access->place) || !*frame.file || access->flags & TOUCH_ATOMIC)
            continue;
        array_push(&out->lines,
                   ((ObservedLine){frame.function, frame.file, frame.line, access->flags & TOUCH_WRITES,
                                   access->lockset != 0, access->lockset == 0, first_lock(self, access->lockset)}));
    }
    if (out->lines.count)
        qsort(out->lines.items, out->lines.count, sizeof *out->lines.items, line_order);
    for (u32 i = 0; i < out->lines.count; i++) {
        ObservedLine *line = &out->lines.items[i], *last = kept ? &out->lines.items[kept - 1] : NULL;
        if (last && last->line == line->line && last->writes == line->writes && !strcmp(last->file, line->file)) {
            last->with += line->with;
            last->without += line->without;
            last->lock = *line->lock ? line->lock : last->lock;
        } else
            out->lines.items[kept++] = *line;
    }
    out->lines.count = kept;
}

static int call_order(const void *a, const void *b) {
    const ObservedCall *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order || x->line != y->line)
        return order ? order : x->line < y->line ? -1 : 1;
    order = strcmp(x->callee, y->callee);
    return order ? order : strcmp(x->callee_file, y->callee_file);
}

static void add_calls(Describer *self, Observations *out) {
    const Prediction *from = self->prediction;
    for (u32 i = 0; i < from->calls.count; i++) {
        WitnessFrame caller = describe_code(self, from->calls.items[i].from);
        WitnessFrame callee = describe_code(self, from->calls.items[i].to);
        if (*caller.file && *callee.file)
            array_push(&out->calls,
                       ((ObservedCall){caller.function, caller.file, caller.line, callee.function, callee.file}));
    }
    if (out->calls.count)
        qsort(out->calls.items, out->calls.count, sizeof *out->calls.items, call_order);
}

void observe_traces(const char *directory, FindingList *texts, Observations *out) {
    Prediction self;
    Predictions counts = {0};
    Describer describer;
    *out = (Observations){0};
    prediction_begin(&self, 0);
    prediction_samples(&self, directory, &counts);
    out->samples = counts.samples;
    describer_begin(&describer, &self, texts);
    add_lines(&describer, out);
    add_calls(&describer, out);
    describer_free(&describer);
    prediction_free(&self);
}

void observations_free(Observations *self) {
    array_free(&self->lines);
    array_free(&self->calls);
}
