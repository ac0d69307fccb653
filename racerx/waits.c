// waits.c: waiting for something to end while holding a lock that it takes.
// In: notes of joins with the locks held, what was started with which object, who takes what. Out: findings of kind
// deadlock: one thread waits for the other to end, the other for the lock.
#include "racerx/analysis.h"

#define REACH_MOST 4000 // nodes searched below a handler

typedef struct {
    Analysis *analysis;
    Map objects;         // (function, call) -> class it was started with
    u32 *first_started;  // by class: registration + 1
    u32 *next_started;   // by registration: the next of the same object + 1
    u32 *first_node;     // by function: first node + 1
    u32 *next_node;      // by node: the next of the same function + 1
    U32Array *callees;   // by node
    U32Array *taken;     // by node: acquisitions
    u32 *stamp;
    u32 search;
} Waits;

static void waits_begin(Waits *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count;
    *self = (Waits){.analysis = analysis};
    self->first_node = must_zero(sizeof(u32) * (analysis->program->functions.count + 1));
    self->next_node = must_zero(sizeof(u32) * (nodes + 1));
    self->callees = must_zero(sizeof(U32Array) * (nodes + 1));
    self->taken = must_zero(sizeof(U32Array) * (nodes + 1));
    self->stamp = must_zero(sizeof(u32) * (nodes + 1));
    for (u32 n = nodes; n-- > 0;) {
        u32 function = analysis->nodes.items[n].function;
        self->next_node[n] = self->first_node[function];
        self->first_node[function] = n + 1;
    }
    for (u32 i = 0; 2 * i < analysis->edge_pairs.count; i++)
        array_push(&self->callees[analysis->edge_pairs.items[2 * i]], analysis->edge_pairs.items[2 * i + 1]);
    for (u32 i = 0; i < analysis->acquisitions.count; i++)
        array_push(&self->taken[analysis->acquisitions.items[i].node], i);
    for (u32 i = 0; i < analysis->started.count; i++) {
        const Started *started = &analysis->started.items[i];
        *map_put(&self->objects, (u64)started->function << 32 | started->call, NULL) = started->class;
    }
    self->first_started = must_zero(sizeof(u32) * (analysis->classes.count + 1));
    self->next_started = must_zero(sizeof(u32) * (analysis->program->registrations.count + 1));
    for (u32 r = analysis->program->registrations.count; r-- > 0;) {
        const Registration *started = &analysis->program->registrations.items[r];
        u32 *object = started->from == NO_ID ? NULL : map_get(&self->objects, (u64)started->from << 32 | started->call);
        if (!object)
            continue;
        self->next_started[r] = self->first_started[*object];
        self->first_started[*object] = r + 1;
    }
}

static void waits_end(Waits *self) {
    for (u32 n = 0; n < self->analysis->nodes.count; n++) {
        array_free(&self->callees[n]);
        array_free(&self->taken[n]);
    }
    free(self->callees);
    free(self->taken);
    free(self->first_node);
    free(self->next_node);
    free(self->stamp);
    free(self->first_started);
    free(self->next_started);
    map_free(&self->objects);
}

static bool is_held(const Analysis *self, LocksetId set, ClassId class) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (class >= CLASS_FIRST && held[i].class == class)
            return true;
    return false;
}

// An acquisition below the handler of a lock in the set, or NO_ID.
static u32 handler_takes(Waits *self, FunctionId handler, LocksetId held) {
    const Analysis *analysis = self->analysis;
    U32Array queue = {0};
    u32 found = NO_ID;
    self->search++;
    for (u32 n = self->first_node[handler]; n; n = self->next_node[n - 1])
        if (self->stamp[n - 1] != self->search) {
            self->stamp[n - 1] = self->search;
            array_push(&queue, n - 1);
        }
    for (u32 q = 0; q < queue.count && q < REACH_MOST && found == NO_ID; q++) {
        u32 node = queue.items[q];
        for (u32 i = 0; i < self->taken[node].count && found == NO_ID; i++) {
            const Acquisition *taken = &analysis->acquisitions.items[self->taken[node].items[i]];
            if (!(taken->flags & HELD_TRY) && is_held(analysis, held, taken->class))
                found = self->taken[node].items[i];
        }
        for (u32 i = 0; i < self->callees[node].count; i++) {
            u32 callee = self->callees[node].items[i];
            if (self->stamp[callee] != self->search) {
                self->stamp[callee] = self->search;
                array_push(&queue, callee);
            }
        }
    }
    array_free(&queue);
    return found;
}

static void put_wait(Analysis *self, FindingList *list, const Note *note, u32 acquisition, FunctionId handler) {
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    Acquisition taken = self->acquisitions.items[acquisition];
    const char *lock = class_text(self, taken.class), *name = program_text(self->program, self->program->functions.items[handler].name);
    finding->message = findings_text(list, "waits for %s to end with %s held, which it takes", name, lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_add_object(list, finding, lock);
    Site *wait = finding_put_site(self, list, finding, ROLE_WAIT, note->node, note->site, note->held);
    wait->object = findings_text(list, "%s", name);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, taken.node, taken.site, taken.held);
    const Node *node = &self->nodes.items[note->node];
    finding_add_number(list, finding, "threads", 2);
    finding_add_number(list, finding, "depth", node->depth + self->nodes.items[taken.node].depth);
    finding_add_number(list, finding, "wait_depth", node->depth);
    finding_add_number(list, finding, "global_locks", self->classes.items[taken.class].global);
    finding_add_text(list, finding, "cause", "wait");
}

static bool is_near(const Program *program, FileId a, FileId b) {
    const char *x = program->files.items[a].path, *y = program->files.items[b].path;
    const char *end = strrchr(x, '/');
    size_t length = end ? (size_t)(end - x) : 0;
    return a == b || (!strncmp(x, y, length) && !strchr(y + length + (length > 0), '/'));
}

void find_waits(Analysis *analysis, FindingList *out) {
    Waits self;
    Map seen = {0};
    waits_begin(&self, analysis);
    for (u32 i = 0; i < analysis->notes.count; i++) {
        Note note = analysis->notes.items[i];
        if (note.kind != NOTE_JOIN || !note.class)
            continue;
        for (u32 r = self.first_started[note.class]; r; r = self.next_started[r - 1]) {
            const Registration *started = &analysis->program->registrations.items[r - 1];
            if (!is_near(analysis->program, started->file, analysis->program->functions.items[analysis->sites.items[note.site].function].file))
                continue; // another driver's object of the same type
            u32 taken = handler_takes(&self, started->handler, note.held);
            bool fresh = false;
            if (taken != NO_ID)
                map_put(&seen, (u64)note.site << 32 | started->handler, &fresh);
            if (fresh)
                put_wait(analysis, out, &note, taken, started->handler);
        }
    }
    waits_end(&self);
    map_free(&seen);
}
