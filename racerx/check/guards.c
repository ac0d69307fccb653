// guards.c: which lock guards what, as a table: the beliefs that the races are judged by.
// In: the belief of an object. Out: a GuardRow of the findings, with the places that go without the lock.
// Places are counted as the belief counts them: start-up is left out, and so is a place whose lock is not sure. A row
// is worth keeping when one place holds the lock and there is another to compare it with.
#include "racerx/check/races.h"

#define EXCEPTIONS_SHOWN 5 // of one belief; its row says how many there are

#define PLACES_LEAST 2 // with and without the lock

typedef Array(GuardException) ExceptionArray;

static bool holds_same(const Analysis *self, const Sample *sample, ClassId lock) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == lock && held[i].path == RELATION_SAME)
            return true;
    return false;
}

// Places that hold the lock of the very object they access.
static u32 count_same(const Analysis *self, const Belief *belief) {
    u32 total = 0;
    for (u32 i = 0; i < belief->count;) {
        u32 access = belief->samples[i].access;
        bool same = false;
        for (; i < belief->count && belief->samples[i].access == access; i++)
            same |= !sample_is_alone(self, &belief->samples[i]) &&
                    sample_holds(self, &belief->samples[i], belief->lock) &&
                    holds_same(self, &belief->samples[i], belief->lock);
        total += same;
    }
    return total;
}

static GuardException exception_at(const Analysis *self, const Sample *sample, ClassId lock) {
    const Access *access = &self->accesses.items[sample->access];
    return (GuardException){.role = role_of(self, sample, lock),
                            .file = function_path(self->program, access->function),
                            .line = access->place.line,
                            .function =
                                program_text(self->program, self->program->functions.items[access->function].name)};
}

static int compare_exceptions(const void *left, const void *right) {
    const GuardException *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    order = order ? order : a->line < b->line ? -1 : a->line > b->line;
    order = order ? order : strcmp(a->function, b->function);
    return order ? order : a->role < b->role ? -1 : a->role > b->role;
}

static bool is_same_line(const GuardException *a, const GuardException *b) {
    return a->line == b->line && !strcmp(a->file, b->file) && !strcmp(a->function, b->function);
}

static bool is_write(SiteRole role) { return role == ROLE_UNPROTECTED_WRITE || role == ROLE_WRONG_LOCK_WRITE; }

// Every line without the lock, once; one that writes is said to write.
static void gather(const Analysis *self, const Belief *belief, ExceptionArray *out) {
    u32 kept = 0;
    for (u32 i = 0; i < belief->count; i++) {
        const Sample *sample = &belief->samples[i];
        if (!sample->unsure && !sample_is_alone(self, sample) && !sample_holds(self, sample, belief->lock))
            array_push(out, exception_at(self, sample, belief->lock));
    }
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_exceptions);
    for (u32 i = 0; i < out->count; i++)
        if (!kept || !is_same_line(&out->items[kept - 1], &out->items[i]))
            out->items[kept++] = out->items[i];
        else if (is_write(out->items[i].role) && !is_write(out->items[kept - 1].role))
            out->items[kept - 1].role = out->items[i].role;
    out->count = kept;
}

static void put_exceptions(const Analysis *self, FindingList *list, GuardRow *row, const Belief *belief) {
    ExceptionArray exceptions = {0};
    gather(self, belief, &exceptions);
    row->lines = exceptions.count;
    for (u32 i = 0; i < exceptions.count && i < EXCEPTIONS_SHOWN; i++)
        guard_add_exception(list, row, &exceptions.items[i]);
    array_free(&exceptions);
}

// A local, or one call's allocation, is worth a row where a thread that is seen to be started uses it.
static bool is_told(const Analysis *self, const Belief *belief) {
    if (self->objects.items[belief->object].kind != OBJECT_LOCAL)
        return true;
    for (u32 i = 0; i < belief->count; i++)
        if (self->roots.items[belief->samples[i].root].spawned)
            return true;
    return false;
}

// requires: belief_fill. fills: FindingList.guards
void put_guard(const Analysis *self, FindingList *list, const Belief *belief) {
    if (!belief->lock || !belief->protected_lock || belief->protected_lock + belief->others < PLACES_LEAST)
        return;
    if (!is_told(self, belief))
        return;
    Buffer name = {0};
    u32 object = belief->object < self->critical_only.count ? belief->object : 0;
    shared_object_name(self, belief->object, &name);
    buffer_byte(&name, 0);
    GuardRow row = {.object = (char *)name.bytes,
                    .lock = class_text(self, belief->lock),
                    .with = belief->protected_lock,
                    .without = belief->others,
                    .same = count_same(self, belief),
                    .z = belief->z_lock,
                    .with_any = belief->protected_any,
                    .without_any = belief->bare,
                    .z_any = belief->z_any,
                    .only = object ? self->critical_only.items[object] : 0,
                    .first = object ? self->critical_first.items[object] : 0,
                    .last = object ? self->critical_last.items[object] : 0};
    GuardRow *kept = findings_add_guard(list, &row);
    if (belief->others)
        put_exceptions(self, list, kept, belief);
    buffer_free(&name);
}

static int compare_counts(u32 a, u32 b) { return a > b ? -1 : a < b; }

// Two types of one name in two files may have rows that differ in nothing but their counts.
static int compare_guards(const void *left, const void *right) {
    const GuardRow *a = left, *b = right;
    if (a->z != b->z)
        return a->z > b->z ? -1 : 1;
    int order = strcmp(a->object, b->object);
    order = order ? order : strcmp(a->lock, b->lock);
    order = order ? order : compare_counts(a->with, b->with);
    order = order ? order : compare_counts(a->without, b->without);
    order = order ? order : compare_counts(a->with_any, b->with_any);
    order = order ? order : compare_counts(a->without_any, b->without_any);
    order = order ? order : compare_counts(a->same, b->same);
    order = order ? order : compare_counts(a->only, b->only);
    order = order ? order : compare_counts(a->first, b->first);
    order = order ? order : compare_counts(a->last, b->last);
    order = order ? order : compare_counts(a->lines, b->lines);
    for (u32 i = 0; !order && i < a->exceptions.count; i++)
        order = compare_exceptions(&a->exceptions.items[i], &b->exceptions.items[i]);
    return order;
}

void sort_guards(FindingList *list) {
    if (list->guards.count)
        qsort(list->guards.items, list->guards.count, sizeof(GuardRow), compare_guards);
}
