// waits.c: waiting for something to end while holding a lock that it takes.
// In: notes of joins with the locks held, what was started with which object, who takes what. Out: findings of kind
// deadlock: one thread waits for the other to end, the other for the lock. What was started and what is waited for are
// the same when they have a name in common (handles.c). Locks that did not go along into a callee (ambient.c) are found
// on the way up from the wait.
#include "racerx/analysis.h"

#define REACH_MOST 4000 // nodes searched below a handler, or above a wait
#define NAMES_MOST 16   // of one thing

typedef struct {
    ClassId name;
    u32 registration;
} StartedName;

typedef struct {
    Analysis *analysis;
    Array(StartedName) started; // sorted
    u32 *first_node;     // by function: first node + 1
    u32 *next_node;      // by node: the next of the same function + 1
    U32Array *callees;   // by node
    U32Array *callers;   // by node
    u32 *first_ambient;  // by node: first Ambient it was called under + 1
    u32 *next_ambient;   // by Ambient: the next of the same callee + 1
    U32Array *taken;     // by node: acquisitions
    u32 *stamp;
    u32 search;
} Waits;

static int compare_started(const void *left, const void *right) {
    const StartedName *a = left, *b = right;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return a->registration < b->registration ? -1 : a->registration > b->registration;
}

// fills: started.
static void gather_started(Waits *self) {
    Analysis *analysis = self->analysis;
    Map handles = {0}; // (function, call) -> set of names
    u32 names[NAMES_MOST];
    for (u32 i = 0; i < analysis->started.count; i++) {
        const Started *started = &analysis->started.items[i];
        *map_put(&handles, (u64)started->function << 32 | started->call, NULL) = started->handle;
    }
    for (u32 r = 0; r < analysis->program->registrations.count; r++) {
        const Registration *one = &analysis->program->registrations.items[r];
        u32 *handle = one->from == NO_ID ? NULL : map_get(&handles, (u64)one->from << 32 | one->call);
        u32 count = handle ? handle_names(analysis, *handle, names, NAMES_MOST) : 0;
        for (u32 i = 0; i < count; i++)
            array_push(&self->started, ((StartedName){names[i], r}));
    }
    map_free(&handles);
    if (self->started.count)
        qsort(self->started.items, self->started.count, sizeof(StartedName), compare_started);
}

static void gather_nodes(Waits *self) {
    const Analysis *analysis = self->analysis;
    for (u32 n = analysis->nodes.count; n-- > 0;) {
        u32 function = analysis->nodes.items[n].function;
        self->next_node[n] = self->first_node[function];
        self->first_node[function] = n + 1;
    }
    for (u32 i = 0; 2 * i < analysis->edge_pairs.count; i++) {
        u32 caller = analysis->edge_pairs.items[2 * i], callee = analysis->edge_pairs.items[2 * i + 1];
        array_push(&self->callees[caller], callee);
        array_push(&self->callers[callee], caller);
    }
    for (u32 i = 0; i < analysis->acquisitions.count; i++)
        array_push(&self->taken[analysis->acquisitions.items[i].node], i);
    for (u32 i = analysis->ambient.count; i-- > 0;) {
        u32 callee = analysis->ambient.items[i].callee;
        self->next_ambient[i] = self->first_ambient[callee];
        self->first_ambient[callee] = i + 1;
    }
}

static void waits_begin(Waits *self, Analysis *analysis) {
    u32 nodes = analysis->nodes.count;
    *self = (Waits){.analysis = analysis};
    self->first_node = must_zero(sizeof(u32) * (analysis->program->functions.count + 1));
    self->next_node = must_zero(sizeof(u32) * (nodes + 1));
    self->callees = must_zero(sizeof(U32Array) * (nodes + 1));
    self->callers = must_zero(sizeof(U32Array) * (nodes + 1));
    self->taken = must_zero(sizeof(U32Array) * (nodes + 1));
    self->stamp = must_zero(sizeof(u32) * (nodes + 1));
    self->first_ambient = must_zero(sizeof(u32) * (nodes + 1));
    self->next_ambient = must_zero(sizeof(u32) * (analysis->ambient.count + 1));
    gather_nodes(self);
    gather_started(self);
}

static void waits_end(Waits *self) {
    for (u32 n = 0; n < self->analysis->nodes.count; n++) {
        array_free(&self->callees[n]);
        array_free(&self->callers[n]);
        array_free(&self->taken[n]);
    }
    free(self->callees);
    free(self->callers);
    free(self->taken);
    free(self->first_node);
    free(self->next_node);
    free(self->stamp);
    free(self->first_ambient);
    free(self->next_ambient);
    array_free(&self->started);
}

// All that is held at a wait: also what callers hold and did not bring along.
static LocksetId held_at(Waits *self, u32 node, LocksetId held) {
    Analysis *analysis = self->analysis;
    Held all[LOCKSET_MOST + 4];
    u32 count = 0, known;
    const Held *own = lockset_held(&analysis->locksets, held, &known);
    for (; count < known; count++)
        all[count] = own[count];
    U32Array queue = {0};
    self->search++;
    self->stamp[node] = self->search;
    array_push(&queue, node);
    for (u32 q = 0; q < queue.count && q < REACH_MOST; q++) {
        for (u32 a = self->first_ambient[queue.items[q]]; a && count < LOCKSET_MOST; a = self->next_ambient[a - 1]) {
            const Ambient *ambient = &analysis->ambient.items[a - 1];
            bool there = ambient->class < CLASS_FIRST;
            for (u32 i = 0; i < count; i++)
                there |= all[i].class == ambient->class;
            if (!there)
                all[count++] = (Held){ambient->class, 0, ambient->flags, 1, ambient->site};
        }
        const U32Array *callers = &self->callers[queue.items[q]];
        for (u32 i = 0; i < callers->count; i++)
            if (self->stamp[callers->items[i]] != self->search) {
                self->stamp[callers->items[i]] = self->search;
                array_push(&queue, callers->items[i]);
            }
    }
    array_free(&queue);
    return lockset_intern(&analysis->locksets, all, count);
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
    finding_add_reason(list, finding, 11, "waits for what needs the lock");
    if (self->classes.items[taken.class].global)
        finding_add_reason(list, finding, 2, "the lock is global");
    if (node->depth)
        finding_add_reason(list, finding, -0.5 * (node->depth > 10 ? 10 : node->depth), "call chain");
}

static bool is_near(const Program *program, FileId a, FileId b) {
    const char *x = program->files.items[a].path, *y = program->files.items[b].path;
    const char *end = strrchr(x, '/');
    size_t length = end ? (size_t)(end - x) : 0;
    return a == b || (!strncmp(x, y, length) && !strchr(y + length + (length > 0), '/'));
}

// requires: names sorted. The first with this name.
static u32 first_started(const Waits *self, ClassId name) {
    u32 low = 0, high = self->started.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (self->started.items[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_started(const Waits *self, const u32 *names, u32 count) {
    for (u32 n = 0; n < count; n++) {
        u32 i = first_started(self, names[n]);
        if (i < self->started.count && self->started.items[i].name == names[n])
            return true;
    }
    return false;
}

static void find_wait(Waits *self, const Note *note, ClassId name, Map *seen, FindingList *out) {
    const Program *program = self->analysis->program;
    FileId file = program->functions.items[self->analysis->sites.items[note->site].function].file;
    for (u32 i = first_started(self, name); i < self->started.count && self->started.items[i].name == name; i++) {
        const Registration *started = &program->registrations.items[self->started.items[i].registration];
        if (!is_near(program, started->file, file))
            continue; // another driver's object of the same type
        u32 taken = handler_takes(self, started->handler, note->held);
        bool fresh = false;
        if (taken != NO_ID)
            map_put(seen, (u64)note->site << 32 | started->handler, &fresh);
        if (fresh)
            put_wait(self->analysis, out, note, taken, started->handler);
    }
}

void find_waits(Analysis *analysis, FindingList *out) {
    Waits self;
    Map seen = {0};
    u32 names[NAMES_MOST];
    waits_begin(&self, analysis);
    for (u32 i = 0; i < analysis->notes.count; i++) {
        Note note = analysis->notes.items[i];
        if (note.kind != NOTE_JOIN || !note.class)
            continue;
        u32 count = handle_names(analysis, note.class, names, NAMES_MOST);
        if (!is_started(&self, names, count))
            continue;
        note.held = held_at(&self, note.node, note.held);
        for (u32 n = 0; n < count && note.held; n++)
            find_wait(&self, &note, names[n], &seen, out);
    }
    waits_end(&self);
    map_free(&seen);
}
