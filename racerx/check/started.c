// started.c: who starts which threads, and which of them may run at the same time.
// In: threads that nodes start, the ways to those nodes. Out: of each root that is a thread: who starts it, who is
// above it, whether two of it may run; which threads run while another is started. The idea: a thread is alive from its
// start to its join. What it has started itself and not waited for lives on when it has ended: the one who joins it
// goes on with what it left (LockClass.left_by).
#include "racerx/facts/analysis.h"

// what threads leave ----------------------------------------------------------------

typedef void (*ThreadFn)(void *context, ClassId class);

// Every thread that may still run when those of this class have ended.
static void visit_left(const Analysis *self, ClassId ended, u32 depth, ThreadFn visit, void *context) {
    if (limit_cuts(LIMIT_SPAWN_DEPTH, depth > SPAWN_DEPTH))
        return;
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        const Node *node = &self->nodes.items[started->node];
        for (u32 o = 0; started->class == ended && o < node->outcome_count; o++) {
            u32 count;
            const Held *held = lockset_held(&self->locksets, self->outcomes.items[node->outcome + o].raw, &count);
            for (u32 k = 0; k < count; k++) {
                const LockClass *class = &self->classes.items[held[k].class];
                if (class->thread && class->left_by)
                    visit_left(self, class->left_by, depth + 1, visit, context);
                else if (class->thread)
                    visit(context, held[k].class);
            }
        }
    }
}

// Does the class stand for the root?
static bool is_root_class(const Analysis *self, ClassId class, u32 root) {
    if (self->roots.items[root].thread)
        return class == self->roots.items[root].thread;
    for (u32 i = 0; i < self->spawn_roots.count; i++) // several places start it
        if (self->spawn_roots.items[i].class == class && self->spawn_roots.items[i].root == root)
            return true;
    return false;
}

typedef struct {
    const Analysis *analysis;
    u32 root;
    bool found;
} Looking;

static void look_for(void *context, ClassId class) {
    Looking *self = context;
    self->found |= is_root_class(self->analysis, class, self->root);
}

bool is_alive(const Analysis *self, LocksetId alive, u32 root) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, alive, &count);
    Looking looking = {self, root, false};
    for (u32 i = 0; i < count && !looking.found; i++) {
        ClassId left_by = self->classes.items[held[i].class].left_by;
        if (left_by)
            visit_left(self, left_by, 0, look_for, &looking);
        else
            look_for(&looking, held[i].class);
    }
    return looking.found;
}

// who starts whom ---------------------------------------------------------------------

// Who starts which thread, and by what it is known in locksets.
static void fill_spawned_roots(Analysis *self) {
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        SpawnRoot *started = &self->spawn_roots.items[i];
        started->root = root_of_node(self, started->node);
        Root *root = &self->roots.items[started->root];
        root->thread = !root->spawned || root->thread == started->class ? started->class : 0;
        for (u32 w = self->context_first.items[started->from]; w; w = self->way_contexts.items[w - 1].next) {
            u32 by = self->way_contexts.items[w - 1].root;
            root->spawner = !root->spawned || root->spawner == by ? by : NO_ID;
            root->spawned = true;
        }
        root->spawned = true;
    }
}

typedef struct {
    Analysis *analysis;
    ClassId started;
} Coalive;

static void put_left(void *context, ClassId class) {
    const Coalive *self = context;
    map_put(&self->analysis->coalive_index, (u64) class << 32 | self->started, NULL);
}

static void put_coalive(Analysis *self, ClassId running, ClassId started) {
    Coalive coalive = {self, started};
    if (self->classes.items[running].left_by)
        visit_left(self, self->classes.items[running].left_by, 0, put_left, &coalive);
    else
        put_left(&coalive, running);
}

// Threads that run while a callee starts another, and that it does not touch: they did not go along on the way there.
// fills: coalive.
static void fill_coalive(Analysis *self) {
    for (u32 i = 0; i + 1 < self->coalive.count; i += 2)
        put_coalive(self, self->coalive.items[i], self->coalive.items[i + 1]);
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        for (u32 w = self->context_first.items[started->from]; w; w = self->way_contexts.items[w - 1].next) {
            u32 count;
            const Held *held = lockset_held(&self->locksets, self->way_contexts.items[w - 1].set, &count);
            for (u32 k = 0; k < count; k++)
                if (self->classes.items[held[k].class].thread)
                    put_coalive(self, held[k].class, started->class);
        }
    }
}

// Does this place start the thread, given the same (node NO_ID: whatever it is given)?
static bool starts(const Analysis *self, u32 spawn, u32 root, u32 node) {
    const SpawnRoot *started = &self->spawn_roots.items[spawn];
    return started->root == root && (node == NO_ID || node == started->node);
}

// Is it started by one thread that exists once, in every program that starts it?
static bool has_one_starter(const Analysis *self, const Root *root) {
    bool known;
    for (u32 i = 0; i < root->spawner_count; i++) {
        const Root *one = &self->roots.items[self->spawners.items[root->spawners + i]];
        if (!one->once || one->function == NO_ID)
            return false;
        for (u32 k = 0; k < i; k++)
            if (share_program(self, one->function, self->roots.items[self->spawners.items[root->spawners + k]].function,
                              &known))
                return false;
    }
    return root->spawner_count > 0;
}

// Is there never more than one of it, although it is started again? One thread that exists once starts it, by calls
// that are followed, and never while one may still run.
static bool is_single(const Analysis *self, u32 id, u32 node) {
    const Root *root = &self->roots.items[id];
    if (!root->spawned || !has_one_starter(self, root))
        return false;
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        if (!starts(self, i, id, node))
            continue;
        for (u32 w = self->context_first.items[started->from]; w; w = self->way_contexts.items[w - 1].next)
            if (self->way_contexts.items[w - 1].wide)
                return false;
        for (u32 k = 0; k < self->spawn_roots.count; k++)
            if (starts(self, k, id, node) &&
                map_get(&self->coalive_index, (u64)started->class << 32 | self->spawn_roots.items[k].class))
                return false;
    }
    return true;
}

// requires: spawned roots, coalive. fills: Root.single, single_nodes: of threads told apart by what they are given.
static void fill_single(Analysis *self) {
    for (u32 r = 0; r < self->roots.count; r++)
        self->roots.items[r].single = self->roots.items[r].once || is_single(self, r, NO_ID);
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        if (self->nodes.items[started->node].binding && is_single(self, started->root, started->node))
            map_put(&self->single_nodes, started->node, NULL);
    }
}

// (root, root that starts it), as often as it does.
typedef Array(u64) PairArray;

static void gather_spawners(Analysis *self, PairArray *pairs) {
    for (u32 i = 0; i < self->spawn_roots.count; i++) {
        const SpawnRoot *started = &self->spawn_roots.items[i];
        for (u32 w = self->context_first.items[started->from]; w; w = self->way_contexts.items[w - 1].next)
            array_push(pairs, (u64)started->root << 32 | self->way_contexts.items[w - 1].root);
    }
}

static int compare_pairs(const void *a, const void *b) {
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

// requires: roots, ways. fills: spawners.
static void fill_spawners(Analysis *self) {
    PairArray pairs = {0};
    gather_spawners(self, &pairs);
    if (pairs.count)
        qsort(pairs.items, pairs.count, sizeof(u64), compare_pairs);
    for (u32 i = 0; i < pairs.count; i++) {
        Root *root = &self->roots.items[pairs.items[i] >> 32];
        if (i && pairs.items[i] == pairs.items[i - 1])
            continue;
        if (!root->spawner_count++)
            root->spawners = self->spawners.count;
        Root *starter = &self->roots.items[(u32)pairs.items[i]];
        starter->starts = true;
        self->main_starts |= starter->once && !starter->spawned;
        array_push(&self->spawners, (u32)pairs.items[i]);
    }
    array_free(&pairs);
}

static int compare_numbers(const void *a, const void *b) {
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return x < y ? -1 : x > y;
}

// requires: spawners. fills: above.
static void fill_above(Analysis *self) {
    u32 *seen = must_zero(sizeof(u32) * (self->roots.count + 1u));
    for (u32 r = 0; r < self->roots.count; r++) {
        Root *root = &self->roots.items[r];
        root->above = self->above.count;
        for (u32 at = r, next = root->above; root->spawner_count;) {
            const Root *one = &self->roots.items[at];
            for (u32 i = 0; i < one->spawner_count; i++) {
                u32 by = self->spawners.items[one->spawners + i];
                if (seen[by] != r + 1)
                    array_push(&self->above, by);
                seen[by] = r + 1;
            }
            if (next >= self->above.count)
                break;
            at = self->above.items[next++];
        }
        root->above_count = self->above.count - root->above;
        if (root->above_count)
            qsort(self->above.items + root->above, root->above_count, sizeof(u32), compare_numbers);
    }
    free(seen);
}

void fill_started(Analysis *self) {
    fill_spawned_roots(self);
    fill_coalive(self);
    fill_spawners(self);
    fill_single(self);
    fill_above(self);
    fill_created(self);
}
