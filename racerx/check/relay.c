// relay.c: RELAY's warnings: accesses of two entries without a common lock, and the reasons against each.
// In: summaries, the entries that the walk knows. Out: races without a belief (--engine summaries), the table of
// reasons (`racerx filters`), and what the summaries say of a race of the walk.
// The idea (RELAY §3.4, §4.2): the guarded accesses of all entries are put together by object; a pair of which one
// writes, and whose L+ have nothing in common, is a warning. Reasons are asked in RELAY's order; a warning lasts as
// long as one of its pairs does. Invariant: what a limit cut, or recursion left open, is never without a reason.
#include "racerx/check/history.h"
#include "racerx/summary/summary.h"

const char *const relay_words[RELAY_REASONS] = {
    [RELAY_INITIALISATION] = "initialisation",
    [RELAY_ALIASING] = "unlikely aliasing",
    [RELAY_UNSHARING] = "unsharing",
    [RELAY_REENTRANT] = "re-entrant locks, start-up",
    [RELAY_NON_PARALLEL] = "non-parallel",
    [RELAY_CONDITIONAL] = "conditional locking",
    [RELAY_UNSURE] = "unsure",
    [RELAY_LEFT] = "left",
};

typedef struct {
    Races *races;
    Analysis *analysis;
    Array(Sample) samples; // of all entries, sorted by object
    Array(u8) flags;       // by sample: GUARDED_…
    Map ways;              // (function, entry) -> 1 + the first way; what none leads to is left out
    RelayTable *table;     // NULL: nobody asks
} Relay;

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

static u32 contexts_of(const Analysis *self, u32 way) {
    return self->roots.items[self->way_contexts.items[way].root].contexts;
}

// samples ---------------------------------------------------------------------------

// Does a lock keep nobody out, as far as samples go?
bool protects_nobody(const Analysis *self, ClassId class, u32 contexts) {
    const u32 late = 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    const LockClass *info = &self->classes.items[class];
    bool anyway = class < CLASS_FIRST &&
                  ((contexts & 1u << CONTEXT_INTERRUPT) || ((contexts & late) && class != CLASS_INTERRUPTS));
    return anyway || is_of_thread(class) || info->thread || info->scheduling || info->vague ||
           (info->parameter && class >= CLASS_FIRST) || lock_has(info->kind, TRAIT_READS);
}

// The locks of an entry's access, as samples have them, with those that all who enter there hold.
static LocksetId protect(Analysis *self, const GuardedSet *set, const Protection *protection, u32 way, u8 *flags) {
    const SummaryLock *lock = set->locks + protection->first;
    u32 contexts = contexts_of(self, way), outer;
    HeldSet kept;
    held_begin(&kept);
    for (u32 i = 0; i < protection->count[RUN_PLUS]; i++) {
        const LockClass *info = &self->classes.items[lock[i].class];
        if (info->vague || (info->parameter && lock[i].class >= CLASS_FIRST))
            *flags |= GUARDED_UNSURE; // some lock is held, nobody knows which
        if (!protects_nobody(self, lock[i].class, contexts))
            held_push(&kept, (Held){lock[i].class, lock[i].relation, lock[i].flags & HELD_SHARED, 1, 0});
    }
    const Held *held = lockset_held(&self->locksets, self->way_contexts.items[way].set, &outer);
    for (u32 i = 0; i < outer; i++)
        if (!protects_nobody(self, held[i].class, contexts)) {
            bool one = held[i].class < CLASS_FIRST || self->classes.items[held[i].class].global;
            held_push(&kept, (Held){held[i].class, one ? RELATION_ONE : RELATION_UNKNOWN,
                                    held[i].flags & (HELD_SHARED | HELD_EVERYWHERE), 1, 0});
        }
    return held_intern(&kept, &self->protections);
}

static LocksetId threads_of(Analysis *self, const GuardedSet *set, const Protection *protection) {
    const SummaryLock *lock =
        set->locks + protection->first + protection->count[RUN_PLUS] + protection->count[RUN_MINUS];
    HeldSet alive;
    held_begin(&alive);
    for (u32 i = 0; i < protection->count[RUN_ALIVE]; i++)
        held_push(&alive, (Held){lock[i].class, 0, HELD_ASSURED, 1, NO_ID});
    return held_intern(&alive, &self->locksets);
}

// An entry's access as a sample; its flags, GUARDED_…
static Sample sample_of(Analysis *self, const GuardedSet *set, const GuardedAccess *access, u32 way, u8 *flags) {
    const Protection *protection = &set->protections[access->protection];
    *flags = access->flags;
    Sample sample = {.object = access->object, .access = access->origin, .way = way};
    sample.root = (u16)self->way_contexts.items[way].root;
    sample.protection = protect(self, set, protection, way, flags);
    sample.alive = threads_of(self, set, protection);
    sample.unsure = (*flags & GUARDED_UNSURE) != 0;
    return sample;
}

// entries ---------------------------------------------------------------------------

// Is it known how control comes there? What nobody in sight calls may be called by anybody, or by nobody.
static bool is_entry(const Analysis *self, u32 way) {
    const WayContext *one = &self->way_contexts.items[way];
    if (one->from)
        return false;
    u32 marks = self->program->functions.items[self->nodes.items[one->node].function].marks;
    return (self->roots.items[one->root].contexts & ~CONTEXT_OTHER) || (marks & MARKS_PARALLEL);
}

static void fill_entry_ways(Relay *self) {
    const Analysis *analysis = self->analysis;
    for (u32 w = 0; w < analysis->way_contexts.count; w++) {
        FunctionId function = analysis->nodes.items[analysis->way_contexts.items[w].node].function;
        bool fresh;
        u32 *first = map_put(&self->ways, (u64)function << 32 | way_root(analysis, w), &fresh);
        if (fresh)
            *first = w + 1;
    }
}

static void put_set(Relay *self, const GuardedSet *set, FunctionId entry, u32 way) {
    Analysis *analysis = self->analysis;
    for (u32 i = 0; i < set->access_count; i++) {
        u8 flags;
        const GuardedAccess *access = &set->accesses[i];
        FunctionId function = analysis->accesses.items[access->origin].function;
        const u32 *known = map_get(&self->ways, (u64)function << 32 | entry); // the calls that lead there
        if (!access->object || !is_shared_data(analysis, access->object) || !known)
            continue;
        Sample sample = sample_of(analysis, set, access, way, &flags);
        if (analysis->way_contexts.items[*known - 1].root != sample.root)
            continue;
        sample.way = *known - 1;
        array_push(&self->samples, sample);
        array_push(&self->flags, flags);
    }
}

static u32 put_entries(Relay *self) {
    const Analysis *analysis = self->analysis;
    const Summaries *summaries = analysis->summaries;
    Map seen = {0};
    u32 entries = 0;
    for (u32 w = 0; w < analysis->way_contexts.count; w++) {
        const WayContext *way = &analysis->way_contexts.items[w];
        FunctionId entry = analysis->nodes.items[way->node].function;
        bool fresh = false;
        if (is_entry(analysis, w))
            map_put(&seen, (u64)entry << 32 | way->root, &fresh);
        if (!fresh)
            continue;
        entries++;
        put_set(self, &summaries->functions[entry].formal, entry, w);
        put_set(self, &summaries->free[summaries->order.component[entry]], entry, w);
    }
    map_free(&seen);
    return entries;
}

// Both arrays by object, then by place, then as they came.
static int compare_samples(const void *left, const void *right, void *context) {
    const Sample *all = context, *a = &all[*(const u32 *)left], *b = &all[*(const u32 *)right];
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->access != b->access)
        return a->access < b->access ? -1 : 1;
    return *(const u32 *)left < *(const u32 *)right ? -1 : *(const u32 *)left > *(const u32 *)right;
}

static void sort_samples(Relay *self) {
    u32 count = self->samples.count;
    u32 *order = must_alloc(sizeof(u32) * (count + 1u));
    Sample *samples = must_alloc(sizeof(Sample) * (count + 1u));
    u8 *flags = must_alloc(count + 1u);
    for (u32 i = 0; i < count; i++)
        order[i] = i;
    if (count)
        qsort_r(order, count, sizeof *order, compare_samples, self->samples.items);
    for (u32 i = 0; i < count; i++) {
        samples[i] = self->samples.items[order[i]];
        flags[i] = self->flags.items[order[i]];
    }
    memcpy(self->samples.items, samples, sizeof(Sample) * count);
    memcpy(self->flags.items, flags, count);
    free(order);
    free(samples);
    free(flags);
}

// reasons ---------------------------------------------------------------------------

static bool holds_recursive(const Analysis *self, const Sample *sample) {
    u32 count;
    const Held *held = lockset_held(&self->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class >= CLASS_FIRST && self->classes.items[held[i].class].recursive)
            return true;
    return false;
}

static bool is_being_made(const Analysis *self, const Sample *sample, u8 flags) {
    return (flags & GUARDED_FRESH) || makes_object(self, sample, 0) || is_own_allocation(self, access_of(self, sample));
}

static RelayReason reason_of(Relay *self, u32 i, u32 k) {
    const Analysis *analysis = self->analysis;
    const Sample *a = &self->samples.items[i], *b = &self->samples.items[k];
    u8 either = self->flags.items[i] | self->flags.items[k];
    bool proven;
    if (is_being_made(analysis, a, self->flags.items[i]) || is_being_made(analysis, b, self->flags.items[k]))
        return RELAY_INITIALISATION;
    if (!(analysis->objects.items[a->object].flags & SHARED_GLOBAL) && !are_kin(analysis, a, b))
        return RELAY_ALIASING;
    if (either & GUARDED_TAKEN)
        return RELAY_UNSHARING;
    if (sample_is_alone(analysis, a) || sample_is_alone(analysis, b) || holds_recursive(analysis, a) ||
        holds_recursive(analysis, b))
        return RELAY_REENTRANT;
    if (!races_with(self->races, a, b, &proven))
        return RELAY_NON_PARALLEL;
    if (either & GUARDED_CONDITIONAL)
        return RELAY_CONDITIONAL;
    return either & GUARDED_UNSURE ? RELAY_UNSURE : RELAY_LEFT;
}

// pairs -----------------------------------------------------------------------------

// The pair of an object that lasts longest; of equal ones that of two writes, then the first.
typedef struct {
    u32 first, second; // samples
    RelayReason reason;
    u32 cost;
    u32 pairs;
} Warning;

static void compare_pair(Relay *self, u32 i, u32 k, Warning *warning) {
    const Analysis *analysis = self->analysis;
    const Sample *a = &self->samples.items[i], *b = &self->samples.items[k];
    if (!conflict(analysis, a, b) || have_common_lock(analysis, a, b))
        return;
    RelayReason reason = reason_of(self, i, k);
    u32 cost = 2u * !sample_writes(analysis, a) + 2u * !sample_writes(analysis, b) + (a->access == b->access);
    if (self->table)
        self->table->pairs[reason]++;
    if (!warning->pairs++ || reason > warning->reason || (reason == warning->reason && cost < warning->cost)) {
        bool turned = sample_writes(analysis, b) && !sample_writes(analysis, a);
        warning->first = turned ? k : i;
        warning->second = turned ? i : k;
        warning->reason = reason;
        warning->cost = cost;
    }
}

static RelaySide side_of(Relay *self, const Sample *sample) {
    const Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    const Access *access = access_of(analysis, sample);
    FunctionId entry = way_root(analysis, sample->way);
    return (RelaySide){.entry = program_text(program, program->functions.items[entry].name),
                       .function = program_text(program, program->functions.items[access->function].name),
                       .file = function_path(program, access->function),
                       .line = access->place.line,
                       .write = sample_writes(analysis, sample)};
}

static void put_row(Relay *self, const Warning *warning) {
    Buffer name = {0};
    const Sample *first = &self->samples.items[warning->first], *second = &self->samples.items[warning->second];
    shared_object_name(self->analysis, first->object, &name);
    RelayRow row = {.reason = (u8)warning->reason, .pairs = warning->pairs};
    row.object = arena_copy(&self->table->arena, name.bytes, name.size);
    row.sides[0] = side_of(self, first);
    row.sides[1] = side_of(self, second);
    array_push(&self->table->rows, row);
    buffer_free(&name);
}

static void put_race(Relay *self, const Warning *warning, u32 first, u32 end) {
    Belief belief = {
        .object = self->samples.items[first].object, .samples = &self->samples.items[first], .count = end - first};
    belief_fill(self->analysis, &belief);
    Race race = {.suspect = &self->samples.items[warning->first],
                 .counterpart = &self->samples.items[warning->second],
                 .belief = belief,
                 .evidence = "entries"};
    race.refuted =
        story_refuted(self->races->histories, self->analysis, self->races->list, race.suspect, race.counterpart);
    array_push(&self->races->races, race);
}

static void compare_object(Relay *self, u32 first, u32 end) {
    Warning warning = {.pairs = 0};
    u32 last = limit_cuts(LIMIT_SAMPLES_MOST, end - first > SAMPLES_MOST) ? first + SAMPLES_MOST : end;
    for (u32 i = first; i < last; i++)
        for (u32 k = i; k < last; k++)
            compare_pair(self, i, k, &warning);
    if (!warning.pairs)
        return;
    if (self->table)
        put_row(self, &warning);
    if (warning.reason == RELAY_LEFT)
        put_race(self, &warning, first, end);
}

void find_relay(Races *races) {
    // The races point to the samples: these live as long as the analysis.
    Relay *self = arena_new(&races->list->arena, Relay);
    self->races = races;
    self->analysis = races->analysis;
    self->table = races->analysis->options.relay;
    fill_entry_ways(self);
    u32 entries = put_entries(self);
    if (self->table)
        self->table->entries = entries;
    sort_samples(self);
    for (u32 i = 0; i < self->samples.count;) {
        u32 end = i + 1;
        while (end < self->samples.count && self->samples.items[end].object == self->samples.items[i].object)
            end++;
        compare_object(self, i, end);
        i = end;
    }
    map_free(&self->ways);
    array_free(&self->flags);
    races->entry_samples = self->samples.items;
}
