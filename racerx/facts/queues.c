// queues.c: work that one queue does one after the other.
// In: where queues are made and items are queued, what handler each item has. Out: Analysis.queue_of: by handler, the
// ordered queue that all its items go to. Two handlers of one such queue never run at the same time.
// Items and queues are known by the names of the places they are kept in (wait_names.c).
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    Map ordered; // name of a queue -> 1: made so that it runs one item at a time, 2: also made in another way
    Map items;   // name of an item -> the queue it goes to, as a class; NO_ID: several, or one that is not ordered
    Map handles; // (function, call) -> set of names of what is started there
} Queues;

static void name_queues(Queues *self) {
    u32 names[NAMES_MOST];
    for (u32 i = 0; i < self->analysis->queues.count; i++) {
        const QueueMade *queue = &self->analysis->queues.items[i];
        u32 count = handle_names(self->analysis, queue->queue, names, NAMES_MOST);
        for (u32 n = 0; n < count; n++)
            *map_put(&self->ordered, names[n], NULL) |= queue->ordered ? 1 : 2;
    }
}

// The ordered queue among some names; NO_ID: none.
static u32 ordered_queue(Queues *self, u32 set) {
    u32 names[NAMES_MOST], count = set ? handle_names(self->analysis, set, names, NAMES_MOST) : 0;
    for (u32 n = 0; n < count; n++) {
        const u32 *made = map_get(&self->ordered, names[n]);
        if (made && *made == 1)
            return names[n];
    }
    return NO_ID;
}

static void name_items(Queues *self) {
    u32 names[NAMES_MOST];
    for (u32 i = 0; i < self->analysis->queued.count; i++) {
        const Queued *queued = &self->analysis->queued.items[i];
        u32 queue = ordered_queue(self, queued->queue);
        u32 count = handle_names(self->analysis, queued->item, names, NAMES_MOST);
        for (u32 n = 0; n < count; n++) {
            bool fresh;
            u32 *known = map_put(&self->items, names[n], &fresh);
            *known = fresh || *known == queue ? queue : NO_ID;
        }
    }
}

// The queue that everything registered by a call goes to; 0: none, NO_ID: several.
static u32 queue_of_registration(Queues *self, const Registration *one) {
    u32 names[NAMES_MOST], queue = 0;
    const u32 *set = one->from == NO_ID ? NULL : map_get(&self->handles, (u64)one->from << 32 | one->call);
    u32 count = set ? handle_names(self->analysis, *set, names, NAMES_MOST) : 0;
    for (u32 n = 0; n < count; n++) {
        const u32 *item = map_get(&self->items, names[n]);
        if (item)
            queue = !queue || queue == *item ? *item : NO_ID;
    }
    return queue;
}

static void fill_handlers(Queues *self) {
    Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    for (u32 r = 0; r < program->registrations.count; r++) {
        const Registration *one = &program->registrations.items[r];
        u32 queue = queue_of_registration(self, one), *known = &analysis->queue_of[one->handler];
        if (one->from == NO_ID && *known) // the same, by the member it is stored in
            continue;
        *known = !queue || (*known && *known != queue) ? NO_ID : queue;
    }
    for (u32 f = 0; f < program->functions.count; f++)
        if (analysis->queue_of[f] == NO_ID || program->functions.items[f].contexts != 1u << CONTEXT_WORK ||
            program->functions.items[f].caller_count)
            analysis->queue_of[f] = 0;
}

void fill_queues(Analysis *analysis) {
    Queues self = {.analysis = analysis};
    bool any = false;
    for (u32 i = 0; i < analysis->queues.count; i++)
        any |= analysis->queues.items[i].ordered;
    analysis->queue_of = must_zero(sizeof(u32) * (analysis->program->functions.count + 1u));
    if (!any)
        return;
    for (u32 i = 0; i < analysis->started.count; i++) {
        const Started *started = &analysis->started.items[i];
        *map_put(&self.handles, (u64)started->function << 32 | started->call, NULL) = started->handle;
    }
    name_queues(&self);
    name_items(&self);
    fill_handlers(&self);
    map_free(&self.ordered);
    map_free(&self.items);
    map_free(&self.handles);
}
