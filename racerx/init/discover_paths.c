// discover_paths.c: how pairs of functions behave: on the same object, in order, on every path?
// In: steps and candidate pairs. Out: counts for each pair. The state of one object along a body is a set: may be
// free, may be held; branches join, what a label gets comes from the gotos before it, a loop is gone through once.
// Idea ("Bugs as deviant behavior"): most code is right, so what most functions do is what the pair is for.
#include "racerx/init/discover.h"
#include "racerx/limits.h"

enum { FREE = 1, HELD = 2 }; // states, as a set; 0: nobody gets here
enum { ROLE_ACQUIRE = 1, ROLE_RELEASE = 2 };
#define CHUNK 512 // bodies handed out at once

typedef struct {
    u32 name;
    u8 state;
} PathLabel;

typedef struct {
    const TextStep *steps; // of the body
    const u8 *roles;       // by step
    u8 convention;         // Convention
    u8 state;
    u8 breaks, continues; // states at these, of the loop or switch around
    u8 entered;           // state at the switch around
    bool has_default;     // so has it
    i32 asked;            // the next branch decides a pending acquire: -1 no, else whether it asks for zero
    u32 bad;              // releases of what is free, acquires of what is held
    u32 exits[4];         // by state
    PathLabel labels[LABELS_MOST];
    u32 label_count;
} PathWalk;

static void walk(PathWalk *self, u32 first, u32 end);

// walking ---------------------------------------------------------------------

static void walk_call(PathWalk *self, u32 index) {
    u8 role = self->roles[index];
    if (!role || !self->state)
        return;
    if (role == ROLE_RELEASE) {
        self->bad += self->state == FREE;
        self->state = FREE;
    } else if (self->convention == CONVENTION_ALWAYS || !(self->steps[index].flags & FLAG_TESTED)) {
        self->bad += self->state == HELD;
        self->state = HELD;
    }
}

static void walk_condition(PathWalk *self, const TextStep *step) {
    if (self->convention != CONVENTION_ALWAYS && self->roles[step->args[0]] == ROLE_ACQUIRE)
        self->asked = (step->flags & FLAG_ZERO) != 0;
}

// The states on the arms of a branch.
static void split_state(PathWalk *self, u8 *yes, u8 *no) {
    *yes = *no = self->state;
    if (self->asked >= 0 && self->state) {
        bool taken = (self->convention == CONVENTION_ZERO) == (self->asked != 0);
        *(taken ? yes : no) = HELD;
    }
    self->asked = -1;
}

static u8 label_state(PathWalk *self, u32 name, u8 add) {
    for (u32 i = 0; i < self->label_count; i++)
        if (self->labels[i].name == name)
            return self->labels[i].state |= add;
    if (add && !limit_cuts(LIMIT_LABELS_MOST, self->label_count >= LABELS_MOST))
        self->labels[self->label_count++] = (PathLabel){name, add};
    return add;
}

static void walk_if(PathWalk *self, u32 index) {
    const TextStep *step = &self->steps[index];
    u8 yes, no;
    split_state(self, &yes, &no);
    self->state = yes;
    walk(self, index + 1, step->args[0]);
    yes = self->state;
    self->state = no;
    walk(self, step->args[0], step->args[1]);
    self->state |= yes;
}

static void walk_loop(PathWalk *self, u32 index) {
    const TextStep *step = &self->steps[index];
    u8 breaks = self->breaks, continues = self->continues, yes, no;
    bool asked = self->asked >= 0, first = step->flags & FLAG_DEFAULT, endless = step->flags & FLAG_ENDLESS;
    split_state(self, &yes, &no);
    self->breaks = self->continues = 0;
    self->state = yes;
    walk(self, index + 1, step->args[0]);
    u8 out = self->state | self->continues;
    self->state = self->breaks | (first ? out : endless ? 0 : asked ? no : (u8)(no | out));
    self->breaks = breaks;
    self->continues = continues;
}

static void walk_switch(PathWalk *self, u32 index) {
    u8 breaks = self->breaks, entered = self->entered;
    bool has_default = self->has_default;
    self->entered = self->state;
    self->has_default = false;
    self->breaks = self->state = 0;
    walk(self, index + 1, self->steps[index].args[0]);
    self->state |= self->breaks | (self->has_default ? 0 : self->entered);
    self->breaks = breaks;
    self->entered = entered;
    self->has_default = has_default;
}

static void walk_leave(PathWalk *self, const TextStep *step) {
    switch (step->kind) {
    case TEXT_RETURN: self->exits[self->state]++; break;
    case TEXT_GOTO: label_state(self, step->name, self->state); break;
    case TEXT_BREAK: self->breaks |= self->state; break;
    case TEXT_CONTINUE: self->continues |= self->state; break;
    }
    self->state = 0;
    self->asked = -1;
}

static void walk(PathWalk *self, u32 first, u32 end) {
    for (u32 i = first; i < end;) {
        const TextStep *step = &self->steps[i];
        switch (step->kind) {
        case TEXT_CALL: walk_call(self, i++); break;
        case TEXT_CONDITION:
            walk_condition(self, step);
            i++;
            break;
        case TEXT_IF:
            walk_if(self, i);
            i = step->args[1];
            break;
        case TEXT_LOOP:
            walk_loop(self, i);
            i = step->args[0];
            break;
        case TEXT_SWITCH:
            walk_switch(self, i);
            i = step->args[0];
            break;
        case TEXT_LABEL:
            self->state |= label_state(self, step->name, 0);
            i++;
            break;
        case TEXT_CASE:
            self->state |= self->entered;
            self->has_default |= (step->flags & FLAG_DEFAULT) != 0;
            i++;
            break;
        default: walk_leave(self, step); i++;
        }
    }
}

static void walk_body(PathWalk *out, const TextStep *steps, const TextBody *body, const u8 *roles, u8 convention,
                      u8 state) {
    *out =
        (PathWalk){.steps = steps + body->first, .roles = roles, .convention = convention, .state = state, .asked = -1};
    walk(out, 0, body->count);
    out->exits[out->state]++;
}

static bool is_balanced(const PathWalk *self) { return !self->bad && !self->exits[HELD] && !self->exits[FREE | HELD]; }
static bool is_mixed(const PathWalk *self) { return !self->bad && !self->exits[HELD] && self->exits[FREE | HELD]; }
static bool is_inverted(const PathWalk *self) { return !self->bad && !self->exits[FREE] && !self->exits[FREE | HELD]; }

// pairs -----------------------------------------------------------------------

typedef struct {
    const Discovery *discovery;
    Pair *pairs;
    u32 pair_count;
    u32 *acquire_of;                // by name: where its pairs begin in by_acquire
    u32 *by_acquire;                // indices of pairs, by acquire
    u32 *family_of;                 // by name of a release: the first pair of its family, plus 1
    u32 *family_first, *family_end; // by pair: where its family begins and ends
    Pair **counts;                  // by worker: what it counted
    bool objects;                   // second round: `argument` is known
} PairJob;

int pair_compare(const void *left, const void *right) {
    const Pair *a = left, *b = right;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    if (a->release != b->release)
        return a->release < b->release ? -1 : 1;
    return a->acquire < b->acquire ? -1 : a->acquire > b->acquire;
}

static void index_pairs(PairJob *job) {
    u32 names = job->discovery->names.entries.count;
    job->acquire_of = must_zero(sizeof(u32) * (names + 2));
    job->family_of = must_zero(sizeof(u32) * (names + 1));
    job->by_acquire = must_zero(sizeof(u32) * (job->pair_count + 1));
    job->family_end = must_zero(sizeof(u32) * (job->pair_count + 1));
    job->family_first = must_zero(sizeof(u32) * (job->pair_count + 1));
    for (u32 i = 0; i < job->pair_count; i++)
        job->acquire_of[job->pairs[i].acquire + 1]++;
    for (u32 i = 0; i <= names; i++)
        job->acquire_of[i + 1] += job->acquire_of[i];
    u32 *at = must_alloc(sizeof(u32) * (names + 2));
    memcpy(at, job->acquire_of, sizeof(u32) * (names + 2));
    for (u32 i = 0; i < job->pair_count; i++)
        job->by_acquire[at[job->pairs[i].acquire]++] = i;
    free(at);
    for (u32 i = job->pair_count; i-- > 0;) {
        bool last = i + 1 == job->pair_count || job->pairs[i + 1].family != job->pairs[i].family;
        job->family_end[i] = last ? i + 1 : job->family_end[i + 1];
    }
    for (u32 i = 0; i < job->pair_count; i++) {
        bool first = !i || job->pairs[i - 1].family != job->pairs[i].family;
        job->family_first[i] = first ? i : job->family_first[i - 1];
        job->family_of[job->pairs[i].release] = job->family_first[i] + 1;
    }
}

static void index_free(PairJob *job) {
    free(job->acquire_of);
    free(job->family_of);
    free(job->by_acquire);
    free(job->family_end);
    free(job->family_first);
}

// One thing done to one object of one family.
typedef struct {
    u32 family; // its first pair
    u32 key;    // the object
    u32 pair;   // of an acquire
    u32 step;   // of the body
    u8 role;
} Operation;

typedef struct {
    Operation items[OPERATIONS_MOST];
    u32 count;
} Operations;

static int compare_operations(const void *left, const void *right) {
    const Operation *a = left, *b = right;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->step < b->step ? -1 : a->step > b->step;
}

static u32 object_key(const PairJob *job, const Pair *pair, const TextStep *step) {
    if (!job->objects || !pair->argument)
        return 1;
    return step->args[pair->argument - 1];
}

// The pair whose argument says where the object of a family's release is: the one met most.
static const Pair *family_pair(const PairJob *job, u32 family) {
    const Pair *most = &job->pairs[family];
    for (u32 i = family; i < job->family_end[family]; i++)
        if (job->pairs[i].meet > most->meet)
            most = &job->pairs[i];
    return most;
}

static void add_operation(Operations *out, Operation operation) {
    if (!limit_cuts(LIMIT_OPERATIONS_MOST, out->count >= OPERATIONS_MOST))
        out->items[out->count++] = operation;
}

static void gather(const PairJob *job, const TextBody *body, Operations *out) {
    const TextStep *steps = job->discovery->steps.items + body->first;
    out->count = 0;
    for (u32 i = 0; i < body->count; i++) {
        if (steps[i].kind != TEXT_CALL)
            continue;
        u32 name = steps[i].name, family = job->family_of[name];
        for (u32 k = job->acquire_of[name]; k < job->acquire_of[name + 1]; k++) {
            const Pair *pair = &job->pairs[job->by_acquire[k]];
            add_operation(out, (Operation){job->family_first[job->by_acquire[k]], object_key(job, pair, &steps[i]),
                                           job->by_acquire[k], i, ROLE_ACQUIRE});
        }
        if (family)
            add_operation(out, (Operation){family - 1, object_key(job, family_pair(job, family - 1), &steps[i]), 0, i,
                                           ROLE_RELEASE});
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(Operation), compare_operations);
}

// First round: which arguments have the same text in both.
static void count_same(const TextStep *steps, const Operation *items, u32 count, u32 pair, u32 release, Pair *out) {
    bool same[TEXT_ARGS] = {0}, constant[TEXT_ARGS] = {0}, result[TEXT_ARGS] = {0}, meets = false;
    for (u32 i = 0; i < count; i++)
        for (u32 j = 0; items[i].role == ROLE_ACQUIRE && items[i].pair == pair && j < count; j++) {
            if (items[j].role != ROLE_RELEASE || steps[items[j].step].name != release)
                continue;
            const TextStep *a = &steps[items[i].step], *r = &steps[items[j].step];
            meets = true;
            for (u32 k = 0; k < TEXT_ARGS; k++) {
                same[k] |= a->args[k] && a->args[k] == r->args[k];
                constant[k] |= a->args[k] && a->args[k] == r->args[k] && a->constants >> k & 1;
                result[k] |= a->result && a->result == r->args[k];
            }
        }
    out->meet += meets;
    for (u32 k = 0; k < TEXT_ARGS; k++) {
        out->same[k] += same[k];
        out->constant[k] += constant[k];
        out->result[k] += result[k];
    }
}

// Calls `visit` for every pair with an acquire among these operations, once.
typedef void (*PairFn)(void *context, u32 pair);
static void each_pair(const Operation *items, u32 count, PairFn visit, void *context) {
    for (u32 i = 0; i < count; i++) {
        bool seen = items[i].role != ROLE_ACQUIRE;
        for (u32 j = 0; j < i && !seen; j++)
            seen = items[j].role == ROLE_ACQUIRE && items[j].pair == items[i].pair;
        if (!seen)
            visit(context, items[i].pair);
    }
}

typedef struct {
    Pair *counts;
    const Pair *pairs;
    const TextStep *steps;
    const Operation *items;
    u32 count;
    bool balanced, mixed, inverted, decided;
    bool good[CONVENTION_COUNT];
    bool released; // something of the family is let go there
} PathOutcome;

static void visit_same(void *context, u32 pair) {
    PathOutcome *self = context;
    count_same(self->steps, self->items, self->count, pair, self->pairs[pair].release, &self->counts[pair]);
}

static void visit_outcome(void *context, u32 pair) {
    PathOutcome *self = context;
    Pair *out = &self->counts[pair];
    bool decided = false, here = false;
    if (!self->released)
        out->acquire_only++;
    for (u32 i = 0; i < self->count; i++)
        here |=
            self->items[i].role == ROLE_RELEASE && self->steps[self->items[i].step].name == self->pairs[pair].release;
    if (!here) // let go by another of the family
        return;
    for (u32 i = 0; i < self->count; i++)
        decided |= self->items[i].role == ROLE_ACQUIRE && self->items[i].pair == pair &&
                   self->steps[self->items[i].step].flags & FLAG_TESTED;
    out->both++;
    out->balanced += self->balanced;
    out->mixed += self->mixed;
    out->inverted += self->inverted;
    out->decided += decided;
    for (u32 c = 0; c < CONVENTION_COUNT && decided; c++)
        out->good[c] += self->good[c];
}

static void try_conventions(PathOutcome *self, const Discovery *discovery, const TextBody *body, const u8 *roles) {
    PathWalk state;
    for (u32 c = 0; c < (self->decided ? CONVENTION_COUNT : 1u); c++) {
        walk_body(&state, discovery->steps.items, body, roles, (u8)c, FREE);
        self->good[c] = is_balanced(&state);
        self->balanced |= self->good[c];
        self->mixed |= is_mixed(&state);
    }
    self->mixed &= !self->balanced;
    if (!self->balanced && !self->mixed) {
        walk_body(&state, discovery->steps.items, body, roles, CONVENTION_ALWAYS, HELD);
        self->inverted = is_inverted(&state);
    }
}

// Operations on one object.
static void judge(const PairJob *job, const TextBody *body, const Operation *items, u32 count, u8 *roles,
                  Pair *counts) {
    PathOutcome out = {.counts = counts,
                       .pairs = job->pairs,
                       .steps = job->discovery->steps.items + body->first,
                       .items = items,
                       .count = count};
    bool acquired = false;
    for (u32 i = 0; i < count; i++) {
        acquired |= items[i].role == ROLE_ACQUIRE;
        out.released |= items[i].role == ROLE_RELEASE;
        out.decided |= items[i].role == ROLE_ACQUIRE && out.steps[items[i].step].flags & FLAG_TESTED;
    }
    if (!acquired) {
        counts[items[0].family].release_only++;
        return;
    }
    if (!job->objects) {
        each_pair(items, count, visit_same, &out);
        return;
    }
    if (out.released) {
        for (u32 i = 0; i < count; i++)
            roles[items[i].step] = items[i].role;
        try_conventions(&out, job->discovery, body, roles);
        for (u32 i = 0; i < count; i++)
            roles[items[i].step] = 0;
    }
    each_pair(items, count, visit_outcome, &out);
}

static u32 group_end(const Operations *all, u32 first) {
    u32 end = first + 1;
    while (end < all->count && all->items[end].family == all->items[first].family &&
           all->items[end].key == all->items[first].key)
        end++;
    return end;
}

static void count_chunk(void *context, u32 worker, u32 index) {
    PairJob *job = context;
    Operations all;
    u8 *roles = NULL;
    u32 capacity = 0, end = (index + 1) * CHUNK;
    for (u32 b = index * CHUNK; b < end && b < job->discovery->bodies.count; b++) {
        const TextBody *body = &job->discovery->bodies.items[b];
        if (body->flags & BODY_MACRO)
            continue;
        gather(job, body, &all);
        if (!all.count)
            continue;
        if (capacity < body->count) {
            capacity = body->count + 64;
            free(roles);
            roles = must_zero(capacity);
        }
        for (u32 first = 0; first < all.count; first = group_end(&all, first))
            judge(job, body, all.items + first, group_end(&all, first) - first, roles, job->counts[worker]);
    }
    free(roles);
}

static void add_counts(Pair *to, const Pair *from) {
    to->meet += from->meet;
    to->both += from->both;
    to->balanced += from->balanced;
    to->mixed += from->mixed;
    to->inverted += from->inverted;
    to->acquire_only += from->acquire_only;
    to->release_only += from->release_only;
    to->decided += from->decided;
    for (u32 i = 0; i < TEXT_ARGS; i++) {
        to->same[i] += from->same[i];
        to->constant[i] += from->constant[i];
        to->result[i] += from->result[i];
    }
    for (u32 i = 0; i < CONVENTION_COUNT; i++)
        to->good[i] += from->good[i];
}

static void count_round(PairJob *job, u32 jobs, bool objects) {
    job->objects = objects;
    job->counts = must_zero(sizeof(Pair *) * jobs);
    for (u32 w = 0; w < jobs; w++)
        job->counts[w] = must_zero(sizeof(Pair) * (job->pair_count + 1));
    parallel_for(jobs, job->discovery->bodies.count / CHUNK + 1, count_chunk, job);
    for (u32 w = 0; w < jobs; w++) {
        for (u32 i = 0; i < job->pair_count; i++) {
            if (!objects)
                job->counts[w][i].release_only = 0;
            add_counts(&job->pairs[i], &job->counts[w][i]);
        }
        free(job->counts[w]);
    }
    free(job->counts);
}

// The object is the first argument that both have in common nearly as often as any; a constant only where nothing
// else is.
static u8 choose_argument(const Pair *pair) {
    u32 most = 0;
    for (u32 i = 0; i < TEXT_ARGS; i++)
        most = pair->same[i] > most ? pair->same[i] : most;
    if (!most || (u64)most * 4 < pair->meet)
        return 0;
    for (u8 i = 0; i < TEXT_ARGS; i++)
        if ((u64)(pair->same[i] - pair->constant[i]) * 10 >= (u64)most * 7)
            return (u8)(i + 1);
    for (u8 i = 0; i < TEXT_ARGS; i++)
        if ((u64)pair->same[i] * 10 >= (u64)most * 7)
            return (u8)(i + 1);
    return 0;
}

void discover_pairs(const Discovery *self, PairArray *pairs, u32 jobs) {
    for (u32 i = 0; i < pairs->count; i++)
        pairs->items[i].family = pairs->items[i].family ? pairs->items[i].family : pairs->items[i].release;
    if (pairs->count)
        qsort(pairs->items, pairs->count, sizeof(Pair), pair_compare);
    PairJob job = {.discovery = self, .pairs = pairs->items, .pair_count = pairs->count};
    index_pairs(&job);
    count_round(&job, jobs, false);
    for (u32 i = 0; i < pairs->count; i++)
        pairs->items[i].argument = choose_argument(&pairs->items[i]);
    count_round(&job, jobs, true);
    for (u32 i = 0; i < pairs->count; i++) // it is the family's
        pairs->items[i].release_only = pairs->items[job.family_first[i]].release_only;
    index_free(&job);
}

// wrappers --------------------------------------------------------------------

static void wrap_group(const PairJob *job, u32 index, const Operation *items, u32 count, u8 *roles, Wrappers *out) {
    const TextBody *body = &job->discovery->bodies.items[index];
    bool acquired = false, released = false;
    u32 pair = items[0].family;
    for (u32 i = 0; i < count; i++) {
        acquired |= items[i].role == ROLE_ACQUIRE;
        released |= items[i].role == ROLE_RELEASE;
        pair = items[i].role == ROLE_ACQUIRE ? items[i].pair : pair;
        roles[items[i].step] = items[i].role;
    }
    PathWalk state;
    walk_body(&state, job->discovery->steps.items, body, roles, CONVENTION_ALWAYS, acquired ? FREE : HELD);
    for (u32 i = 0; i < count; i++)
        roles[items[i].step] = 0;
    u8 argument = job->pairs[pair].argument;
    bool passes = argument ? items[0].key == body->params[argument - 1] : !body->param_count;
    bool leaves = state.exits[HELD] || (!released && (state.exits[FREE | HELD] || body->flags & BODY_MACRO));
    if (acquired && leaves && (!released || !state.exits[FREE]) && out->acquires[index] == NO_BODY)
        out->acquires[index] = pair, out->passes[index] = passes;
    if (!acquired && released && (state.exits[FREE] || state.exits[FREE | HELD]) && out->releases[index] == NO_BODY)
        out->releases[index] = pair, out->passes[index] = passes;
}

void discover_wrappers(Discovery *self, const PairArray *pairs, Wrappers *out) {
    PairJob job = {.discovery = self, .pairs = pairs->items, .pair_count = pairs->count, .objects = true};
    u32 most = 0, cut = 0;
    index_pairs(&job);
    out->acquires = must_alloc(sizeof(u32) * (self->bodies.count + 1));
    out->releases = must_alloc(sizeof(u32) * (self->bodies.count + 1));
    out->passes = must_zero(self->bodies.count + 1);
    for (u32 b = 0; b < self->bodies.count; b++)
        most = self->bodies.items[b].count > most ? self->bodies.items[b].count : most;
    u8 *roles = must_zero(most + 1);
    for (u32 b = 0; b < self->bodies.count; b++) {
        Operations all;
        out->acquires[b] = out->releases[b] = NO_BODY;
        gather(&job, &self->bodies.items[b], &all);
        cut += all.count == OPERATIONS_MOST;
        for (u32 first = 0; first < all.count; first = group_end(&all, first))
            wrap_group(&job, b, all.items + first, group_end(&all, first) - first, roles, out);
    }
    self->cut = cut;
    free(roles);
    index_free(&job);
}
