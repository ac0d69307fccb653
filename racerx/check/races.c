// races.c: accesses that go against what is believed of their object, each with the access it conflicts with.
// In: samples, beliefs. Out: findings of kind race, and the rows of guards.c.
// Where threads are followed, two accesses of two threads that run together and share no lock are a race whatever
// anybody believes. Elsewhere an access is suspect when its object is mostly protected, and this place is not (or by
// the wrong lock). What one function does without the lock is one finding, with all its objects.
#include "racerx/check/history.h"

#define PROTECTED_LEAST 2 // places that make a belief

// How many samples of an object are compared.
static u32 compared(const Belief *belief, u32 most, LimitId limit) {
    if (belief->count <= most)
        return belief->count;
    limit_reached(limit);
    return most;
}

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

// pairs -------------------------------------------------------------------------------

static bool is_unshared(const Analysis *self, const Sample *sample) {
    return (access_of(self, sample)->flags & ACCESSED_UNSHARED) && is_bare(self, sample);
}

// Was it taken off before this access, so that the other cannot reach it? Who kept a pointer to it can, when it is
// freed.
static bool is_out_of_reach(const Analysis *self, const Sample *sample, const Sample *other) {
    bool freed = access_of(self, sample)->flags & ACCESSED_FREED, kept = access_of(self, other)->flags & ACCESSED_KEPT;
    return is_unshared(self, sample) && !(freed && kept);
}

// What is freed after it was taken off is out of reach whatever anybody believes.
static bool is_freed_alone(const Analysis *self, const Sample *sample, const Sample *other) {
    return (access_of(self, sample)->flags & ACCESSED_FREED) && is_out_of_reach(self, sample, other);
}

bool races_with(Races *self, const Sample *a, const Sample *b, bool *proven) {
    const Analysis *analysis = self->analysis;
    if (is_freed_alone(analysis, a, b) || is_freed_alone(analysis, b, a))
        return false;
    return conflict(analysis, a, b) && !have_common_lock(analysis, a, b) && may_run_together(analysis, a, b, proven) &&
           !are_ordered(self->histories, a, b) &&
           !(analysis->follows_threads && (is_last_user(analysis, a) || is_last_user(analysis, b)));
}

static bool is_ignored(const Analysis *self, const Sample *sample) {
    return marks_of(self, sample) & MARK_SINGLE_THREADED;
}

// Fewer locks, a write, a shallow chain, from no test: more telling.
static double sample_cost(const Analysis *self, const Sample *sample) {
    u32 count;
    lockset_held(&self->protections, sample->protection, &count);
    u32 depth = self->way_contexts.items[sample->way].depth;
    return 4.0 * (count != 0) + 2.0 * !sample_writes(self, sample) + 0.1 * (depth > 20 ? 20 : depth) +
           2.0 * sample->unsure + 3.0 * is_from_test(self, sample);
}

// Of the other side of a race against a belief: rather one under the believed lock, a write, and in plain sight.
static double partner_cost(const Analysis *self, const Belief *belief, const Sample *other) {
    u32 depth = self->way_contexts.items[other->way].depth;
    return 8.0 * !(belief->lock && sample_holds(self, other, belief->lock)) + 2.0 * !sample_writes(self, other) +
           0.1 * (depth > 20 ? 20 : depth) + 1.0 * other->unsure;
}

static double handed_cost(const Analysis *self, const Sample *other) {
    return 2.5 * ((access_of(self, other)->flags & ACCESSED_HANDED) != 0);
}

typedef struct {
    double cost;
    u32 index;
} CostedSample;

static int compare_costed(const void *x, const void *y) {
    const CostedSample *a = x, *b = y;
    return a->cost != b->cost ? (a->cost < b->cost ? -1 : 1) : (a->index > b->index) - (a->index < b->index);
}

static int compare_u32(const void *x, const void *y) {
    u32 a = *(const u32 *)x, b = *(const u32 *)y;
    return (a > b) - (a < b);
}

// The samples of an object that are compared: all, or, of too many, those that tell most, wherever they are; as
// indices, in their order. `counterparts`: rather those with the believed lock. The caller frees them.
static u32 *choose_samples(const Analysis *self, const Belief *belief, bool counterparts, u32 *count) {
    u32 *chosen = must_alloc(sizeof(u32) * (belief->count + 1u));
    *count = compared(belief, SAMPLES_MOST, LIMIT_SAMPLES_MOST);
    CostedSample *costed = *count < belief->count ? must_alloc(sizeof *costed * belief->count) : NULL;
    for (u32 i = 0; i < belief->count && costed; i++) {
        const Sample *sample = &belief->samples[i];
        costed[i] = (CostedSample){counterparts ? partner_cost(self, belief, sample) + handed_cost(self, sample)
                                                : sample_cost(self, sample),
                                   i};
    }
    if (costed)
        qsort(costed, belief->count, sizeof *costed, compare_costed);
    for (u32 i = 0; i < *count; i++)
        chosen[i] = costed ? costed[i].index : i;
    if (costed)
        qsort(chosen, *count, sizeof *chosen, compare_u32);
    free(costed);
    return chosen;
}

// By sample; the caller frees them.
static double *sample_costs(const Analysis *self, const Sample *samples, u32 count) {
    double *costs = must_alloc(sizeof(double) * (count + 1u));
    for (u32 i = 0; i < count; i++)
        costs[i] = sample_cost(self, &samples[i]);
    return costs;
}

// Is a pair better than the best one so far? By its cost, then by names.
static bool is_better(const Analysis *self, const Race *best, double best_cost, const Race *pair, double cost) {
    if (cost != best_cost || !best->suspect)
        return cost < best_cost;
    int order = compare_sample_names(self, pair->suspect, best->suspect);
    return (order ? order : compare_sample_names(self, pair->counterpart, best->counterpart)) < 0;
}

// Of two the suspect is the more telling one.
static bool is_suspect(const Analysis *self, const Sample *a, double x, const Sample *b, double y) {
    return x < y || (x == y && compare_sample_names(self, a, b) <= 0);
}

// Is the suspect one of those that the mode asks for?
static bool is_wanted(const Analysis *self, const Sample *suspect) {
    if (self->options.race_mode == RACES_PRECISE)
        return true;
    bool global = self->objects.items[suspect->object].flags & SHARED_GLOBAL;
    return is_bare(self, suspect) && (self->options.race_mode == RACES_STATISTICAL || global);
}

bool is_shared_data(const Analysis *self, ObjectId object) {
    return !(self->objects.items[object].flags & (SHARED_ATOMIC | SHARED_CONST | SHARED_OWN | SHARED_LOCK));
}

enum { RACING = 1, RACING_BARRED = 2 }; // with another; only with one of two that is never come to

// Every access of an object that races for sure with another: one finding.
static bool find_proven(Races *self, const Belief *belief) {
    const Analysis *analysis = self->analysis;
    u32 count, *chosen = choose_samples(analysis, belief, false, &count);
    u8 *racing = must_zero(count + 1u), *set_up = must_zero(count + 1u); // racing: RACING_…
    for (u32 i = 0; i < count; i++)
        set_up[i] = i && belief->samples[chosen[i]].access == belief->samples[chosen[i - 1]].access
                        ? set_up[i - 1]
                        : is_set_up(analysis, &belief->samples[chosen[i]]);
    Race race = {.belief = *belief, .proven = true};
    double best = 1e9;
    for (u32 i = 0; i < count; i++)
        for (u32 k = i; k < count; k++) {
            bool proven;
            const Sample *a = &belief->samples[chosen[i]], *b = &belief->samples[chosen[k]];
            if (is_out_of_reach(analysis, a, b) || is_out_of_reach(analysis, b, a) ||
                !races_with(self, a, b, &proven) || !proven || is_ignored(analysis, a) || is_ignored(analysis, b))
                continue;
            bool barred = is_barred(analysis, a) || is_barred(analysis, b) ||
                          hooked_later(self->histories, a, b) != NO_ID || hooked_later(self->histories, b, a) != NO_ID;
            racing[i] |= barred ? RACING_BARRED : RACING;
            racing[k] |= barred ? RACING_BARRED : RACING;
            double x = sample_cost(analysis, a), y = sample_cost(analysis, b);
            double doubt = a->unsure || b->unsure ? 100 : 0; // only where there is nothing surer
            doubt += (set_up[i] || set_up[k] ? 50 : 0) + (barred ? 200 : 0);
            bool first = is_suspect(analysis, a, x, b, y);
            Race pair = {.suspect = first ? a : b, .counterpart = first ? b : a};
            if (is_better(analysis, &race, best, &pair, x + y + doubt)) {
                best = x + y + doubt;
                race.suspect = pair.suspect;
                race.counterpart = pair.counterpart;
            }
        }
    bool signal = race.suspect && is_signal(analysis, race.suspect) != is_signal(analysis, race.counterpart);
    race.proven = best < 100 && !signal; // when a signal comes, and to whom, nobody can say
    race.proven &= !race.suspect || !is_type_only(analysis, &race);
    race.likely = !race.proven;
    if (race.suspect && best >= 200)
        race.refuted = story_refuted(self->histories, self->analysis, self->list, race.suspect, race.counterpart);
    if (race.suspect && is_wanted(analysis, race.suspect)) {
        Finding *finding = findings_add(self->list, KIND_RACE);
        const char *object = race_object_text(analysis, self->list, belief->object);
        finding->object = object;
        finding_add_object(self->list, finding, object);
        finding->lock = findings_text(self->list, "%s", belief->lock ? class_text(analysis, belief->lock) : "");
        finding->message =
            findings_text(self->list, "%s is %s here while another thread %s it, and no lock keeps them apart", object,
                          sample_writes(analysis, race.suspect) ? "written" : "read",
                          sample_writes(analysis, race.counterpart) ? "writes" : "reads");
        race_put_sides(self, finding, &race);
        put_callers(self->analysis, self->list, finding, &race);
        for (u32 i = 0; i < count; i++)
            if ((racing[i] & (race.refuted ? RACING_BARRED : RACING)) &&
                !limit_cuts(LIMIT_SITES_MOST, finding->sites.count >= 4 * SITES_MOST))
                race_put_site(self, finding, &belief->samples[chosen[i]], belief->lock, finding->sites.count);
        race_put_evidence(self, finding, belief);
        race_put_features(self, finding, &race, 1, belief->writes > 0);
    }
    free(chosen);
    free(racing);
    free(set_up);
    return race.suspect != NULL;
}

// statistics --------------------------------------------------------------------------

#define CALLERS_SHARE 3 // callers with the lock to one without it, from which those without are thought to be wrong

// Is one place come to with the lock by most callers, and without it by few? Then it conflicts with itself.
static bool is_other_caller(Races *self, const Belief *belief, const Sample *suspect, const Sample *other) {
    const Analysis *analysis = self->analysis;
    if (!belief->lock || !sample_holds(analysis, other, belief->lock))
        return false;
    CallerCount callers = count_callers(self->analysis, access_of(analysis, suspect)->function, belief->lock);
    return callers.without && callers.with >= CALLERS_SHARE * callers.without;
}

// The access a suspect conflicts with: rather one under the believed lock, rather a write, rather itself.
static const Sample *find_counterpart(Races *races, const Belief *belief, const u32 *chosen, u32 count,
                                      const Sample *suspect, const char **refuted) {
    const Analysis *self = races->analysis;
    const Sample *best = NULL;
    double best_cost = 1e9;
    for (u32 i = 0; i < count; i++) {
        const Sample *other = &belief->samples[chosen[i]];
        bool proven;
        if ((other->access == suspect->access && !is_other_caller(races, belief, suspect, other)) ||
            !conflict(self, suspect, other))
            continue;
        double cost = partner_cost(self, belief, other) + 10.0 * !are_kin(self, suspect, other) +
                      handed_cost(self, other) + // rather one in plain sight
                      4.0 * is_set_up(self, other) + 5.0 * (way_root(self, suspect->way) == way_root(self, other->way));
        bool better =
            cost < best_cost || *refuted || (best && cost == best_cost && compare_sample_names(self, other, best) < 0);
        if (!better || sample_is_alone(self, other) || !races_with(races, suspect, other, &proven))
            continue;
        const char *why = story_refuted(races->histories, races->analysis, races->list, suspect, other);
        if (best && why && (!*refuted || cost >= best_cost))
            continue; // rather one whose story survives
        best = other, best_cost = cost, *refuted = why;
    }
    return best;
}

#define CALLS_PROTECTED 6
#define WRITES_LEAST 3 // places that write under the lock, for it to be meant for writes
#define WRITES_SHARE 3 // and so many times those that do not
#define CALLS_ALONE 4  // when critical sections were made for it

// The function whose calls are an object; NO_ID: it is outside the tree.
static FunctionId callee_of(const Analysis *self, const Belief *belief) {
    const Program *program = self->program;
    return program_function(program, program->functions.items[access_of(self, belief->samples)->function].file,
                            self->objects.items[belief->object].id);
}

// Functions that lock for themselves need no lock; what those in sight touch counts itself.
static bool is_call_believed(const Analysis *self, const Belief *belief, bool alone) {
    FunctionId callee = callee_of(self, belief);
    u32 least = alone && callee == NO_ID ? CALLS_ALONE : CALLS_PROTECTED;
    return belief->protected_lock >= least && belief->protected_lock >= 4 * belief->others &&
           !(callee != NO_ID && self->skeletons[callee].direct);
}

// Readers often do without a lock that every writer takes: then it is for writes.
static bool is_believed_of_writes(const Analysis *self, const Belief *belief) {
    return self->objects.items[belief->object].kind != OBJECT_CALL && belief->written_with >= WRITES_LEAST &&
           belief->written_with >= WRITES_SHARE * belief->written_without;
}

static bool is_believed(const Analysis *self, const Belief *belief) {
    bool some = belief->protected_lock && 2 * belief->protected_lock >= belief->others;
    if (self->binds_data && some && self->objects.items[belief->object].kind != OBJECT_CALL)
        return true; // a small program: the ranking sorts out what is weak
    u32 object = belief->object < self->critical_only.count ? belief->object : 0;
    bool meant =
        self->critical_only.items[object] || self->critical_first.items[object] || self->critical_last.items[object];
    if (self->objects.items[belief->object].kind == OBJECT_CALL)
        return is_call_believed(self, belief, self->critical_only.items[object]);
    return belief->protected_lock >= PROTECTED_LEAST && (meant ? 2 : 1) * belief->protected_lock >= belief->others;
}

// What sleeps, and only its holder lets go.
static bool is_mutex(const Analysis *self, ClassId lock) {
    u8 kind = self->classes.items[lock].kind;
    return lock_has(kind, TRAIT_SLEEPS) && !lock_has(kind, TRAIT_SIGNALS);
}

static bool is_handler(const Analysis *self, const Sample *sample) {
    return self->roots.items[sample->root].contexts &
           (1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER);
}

// What helpers touch is often somebody's own node: a lock of the same object, or one for all, is meant for it, another
// only when the belief is strong; and only near by.
static bool is_meant(const Analysis *self, const Belief *belief, const Sample *suspect, const Sample *other) {
    if (!((access_of(self, suspect)->flags | access_of(self, other)->flags) & ACCESSED_HANDED))
        return true;
    bool one = belief->lock >= CLASS_FIRST && self->classes.items[belief->lock].global;
    return are_kin(self, suspect, other) && (one || is_same_object(self, other, belief->lock));
}

// Does it say more than what was found in its function before? Who looks without the lock and then writes without it
// writes: `if (!p->first) p->first = q`.
static bool says_more(const Races *self, const Sample *sample, FunctionId done) {
    if (access_of(self->analysis, sample)->function != done)
        return true;
    const Sample *before = self->races.items[self->races.count - 1].suspect;
    return sample_writes(self->analysis, sample) && !sample_writes(self->analysis, before) &&
           !is_set_up(self->analysis, sample);
}

static void find_suspects(Races *self, const Belief *belief, bool writes) {
    const Analysis *analysis = self->analysis;
    FunctionId done = NO_ID; // the last race is in this function
    u32 count, *chosen = choose_samples(analysis, belief, true, &count);
    for (u32 i = 0; i < belief->count; i++) {
        const Sample *sample = &belief->samples[i];
        FunctionId function = access_of(analysis, sample)->function;
        if (!says_more(self, sample, done) || sample->unsure || (writes && !sample_writes(analysis, sample)) ||
            (access_of(analysis, sample)->flags & (ACCESSED_ATOMIC | ACCESSED_ONCE)) ||
            sample_is_alone(analysis, sample) || is_ignored(analysis, sample) ||
            makes_object(analysis, sample, belief->lock))
            continue;
        if ((belief->lock && sample_holds(analysis, sample, belief->lock)) || !is_wanted(analysis, sample))
            continue;
        bool interrupt = analysis->roots.items[sample->root].contexts & 1u << CONTEXT_INTERRUPT;
        if ((is_handler(analysis, sample) && is_mutex(analysis, belief->lock)) ||
            (interrupt && belief->lock == CLASS_INTERRUPTS))
            continue; // what sleeps is not meant for handlers, and who turns interrupts off keeps them out
        const char *refuted = NULL;
        const Sample *other = find_counterpart(self, belief, chosen, count, sample, &refuted);
        if (!other || !is_meant(analysis, belief, sample, other) || (function == done && refuted))
            continue;
        Race race = {.suspect = sample, .counterpart = other, .belief = *belief, .refuted = refuted};
        if (function == done)
            race.before = self->races.items[--self->races.count].suspect;
        array_push(&self->races, race);
        done = function;
    }
    free(chosen);
}

// Is there one for all, or is it a slot of a table in something that any thread may be told to use?
static bool is_for_all(const Analysis *self, const Sample *sample) {
    u32 flags = self->objects.items[sample->object].flags;
    bool any = (self->roots.items[sample->root].contexts & 1u << CONTEXT_SYSCALL) ||
               (self->program->functions.items[way_root(self, sample->way)].marks & MARK_MULTITHREADED);
    return (flags & SHARED_GLOBAL) || ((flags & SHARED_ELEMENT) && any);
}

// Does the sample take what it found to be free, where others may be about?
static bool is_claim(const Analysis *self, const Belief *belief, const Sample *sample) {
    bool aside = sample_function(self, sample)->marks & (MARK_TEST | MARK_IGNORED);
    return !sample->unsure && is_for_all(self, sample) && !aside && !is_ignored(self, sample) &&
           !sample_is_alone(self, sample) && claims(self, belief, sample);
}

#define COST_SAME_ROOT 10.0 // of two who take what they found free, rather such that do not begin alike

// A place that takes what it found to be free, and another that writes it, or the same again.
static void find_claimed(Races *self, const Belief *belief, Race *race) {
    const Analysis *analysis = self->analysis;
    u32 count = compared(belief, EVIDENT_MOST, LIMIT_EVIDENT_MOST);
    double best = 1e9;
    for (u32 i = 0; i < count; i++) {
        const Sample *a = &belief->samples[i];
        if (!is_claim(analysis, belief, a))
            continue;
        for (u32 k = 0; k < count; k++) {
            const Sample *b = &belief->samples[k];
            bool proven, again = way_root(analysis, a->way) == way_root(analysis, b->way);
            double cost = sample_cost(analysis, a) + sample_cost(analysis, b) + COST_SAME_ROOT * again;
            Race pair = {.suspect = a, .counterpart = b, .evidence = "claim", .belief = *belief};
            if (b->unsure || is_ignored(analysis, b) || !sample_writes(analysis, b) ||
                !is_better(analysis, race, best, &pair, cost) || !races_with(self, a, b, &proven))
                continue;
            best = cost;
            *race = pair;
        }
    }
}

static void find_evident(Races *self, const Belief *belief) {
    const Analysis *analysis = self->analysis;
    u32 count = compared(belief, EVIDENT_MOST, LIMIT_EVIDENT_MOST);
    Race race = {.belief = *belief};
    double best = 1e9, *costs = sample_costs(analysis, belief->samples, count);
    for (u32 i = 0; i < count; i++)
        for (u32 k = i + 1; k < count; k++) {
            bool proven;
            const Sample *a = &belief->samples[i], *b = &belief->samples[k];
            double x = costs[i], y = costs[k];
            bool atomic = access_of(analysis, a)->flags & ACCESSED_ATOMIC,
                 others = access_of(analysis, b)->flags & ACCESSED_ATOMIC;
            bool first = atomic != others ? others : is_suspect(analysis, a, x, b, y); // the plain one is the mistake
            Race pair = {.suspect = first ? a : b, .counterpart = first ? b : a};
            bool better = is_better(analysis, &race, best, &pair, x + y);
            const char *why = better && conflict(analysis, a, b) ? evidence_of(analysis, belief, a, b) : NULL;
            if (!why || a->unsure || b->unsure || is_ignored(analysis, a) || is_ignored(analysis, b) ||
                sample_is_alone(analysis, a) || sample_is_alone(analysis, b) || !races_with(self, a, b, &proven))
                continue;
            best = x + y;
            race.suspect = pair.suspect;
            race.counterpart = pair.counterpart;
            race.evidence = why;
        }
    free(costs);
    for (u32 i = 0; i < count && !race.suspect; i++)
        if (is_instance_only(analysis, &belief->samples[i])) {
            race.suspect = race.counterpart = &belief->samples[i];
            race.evidence = "instance";
        }
    if (!race.suspect)
        find_claimed(self, belief, &race);
    if (race.suspect && is_wanted(analysis, race.suspect)) {
        race.refuted = story_refuted(self->histories, self->analysis, self->list, race.suspect, race.counterpart);
        array_push(&self->races, race);
    }
}

static int compare_objects(const Analysis *self, ObjectId a,
                           ObjectId b) { // by name, which no order of the text changes
    Buffer left = {0}, right = {0};
    shared_object_name(self, a, &left);
    shared_object_name(self, b, &right);
    buffer_byte(&left, 0);
    buffer_byte(&right, 0);
    int order = strcmp((const char *)left.bytes, (const char *)right.bytes);
    buffer_free(&left);
    buffer_free(&right);
    return order ? order : a < b ? -1 : a > b;
}

static int compare_races(const void *left, const void *right, void *context) {
    const Analysis *analysis = context;
    const Race *a = left, *b = right;
    FunctionId x = access_of(analysis, a->suspect)->function, y = access_of(analysis, b->suspect)->function;
    if (x != y)
        return x < y ? -1 : 1;
    if (!a->evidence != !b->evidence)
        return a->evidence ? 1 : -1;
    if (a->belief.z_lock != b->belief.z_lock)
        return a->belief.z_lock > b->belief.z_lock ? -1 : 1;
    return a->belief.object == b->belief.object ? 0 : compare_objects(analysis, a->belief.object, b->belief.object);
}

// The other accesses of an object that meet the counterpart, or the suspect, without a lock.
static void put_others(Races *self, Finding *finding, const Race *race) {
    const Belief *belief = &race->belief;
    u32 count = compared(belief, EVIDENT_MOST, LIMIT_EVIDENT_MOST);
    for (u32 i = 0; race->evidence && i < count; i++) {
        bool proven;
        const Sample *sample = &belief->samples[i];
        if (sample->unsure || sample_is_alone(self->analysis, sample) ||
            (!races_with(self, sample, race->counterpart, &proven) &&
             !races_with(self, sample, race->suspect, &proven)))
            continue;
        if (!evidence_of(self->analysis, &race->belief, sample, race->counterpart) &&
            !evidence_of(self->analysis, &race->belief, sample, race->suspect))
            continue;
        if (limit_cuts(LIMIT_SITES_MOST, finding->sites.count >= SITES_MOST))
            return;
        race_put_site(self, finding, sample, belief->lock, finding->sites.count);
    }
}

static void put_cluster(Races *self, const Race *races, u32 count) {
    const Analysis *analysis = self->analysis;
    FindingList *list = self->list;
    const Race *race = &races[0];
    Finding *finding = findings_add(list, KIND_RACE);
    const char *object = race_object_text(analysis, list, race->belief.object);
    const char *lock = race->belief.lock ? class_text(analysis, race->belief.lock) : "";
    bool modified = false;
    finding->object = object;
    finding->lock = findings_text(list, "%s", lock);
    for (u32 i = 0; i < count; i++) {
        finding_add_object(list, finding, race_object_text(analysis, list, races[i].belief.object));
        modified |= sample_writes(analysis, races[i].suspect);
    }
    bool call = access_of(analysis, race->suspect)->flags & ACCESSED_CALL;
    const char *does = call ? "called" : sample_writes(analysis, race->suspect) ? "written" : "read";
    if (race->evidence && !strcmp(race->evidence, "claim"))
        finding->message = findings_text(
            list, "%s is tested and then set here without a lock: two at the same time both find it free", object);
    else if (race->evidence)
        finding->message =
            findings_text(list, "%s is %s here and %s elsewhere at the same time, and no lock keeps them apart", object,
                          does, sample_writes(analysis, race->counterpart) ? "written" : "read");
    else
        finding->message = findings_text(list, "%s is %s here without %s, which protects it in %u of %u places", object,
                                         does, *lock ? lock : "a lock", race->belief.protected_lock,
                                         race->belief.protected_lock + race->belief.others);
    if (race->evidence)
        finding_add_text(list, finding, "evidence", race->evidence);
    race_put_sides(self, finding, race);
    put_callers(self->analysis, self->list, finding, race);
    for (u32 i = 1; i < count && !limit_cuts(LIMIT_SITES_MOST, finding->sites.count >= SITES_MOST); i++) {
        race_put_site(self, finding, races[i].suspect, races[i].belief.lock, finding->sites.count);
        if (races[i].evidence) // neither side has a belief to rest on: both are suspect
            race_put_site(self, finding, races[i].counterpart, races[i].belief.lock, finding->sites.count);
    }
    for (u32 i = 0; i < count && !limit_cuts(LIMIT_SITES_MOST, finding->sites.count >= SITES_MOST); i++)
        if (races[i].before)
            race_put_site(self, finding, races[i].before, races[i].belief.lock, finding->sites.count);
    put_others(self, finding, race);
    race_put_evidence(self, finding, &race->belief);
    race_put_features(self, finding, race, count, modified);
}

static void put_clusters(Races *self) {
    if (self->races.count)
        qsort_r(self->races.items, self->races.count, sizeof(Race), compare_races, self->analysis);
    for (u32 i = 0; i < self->races.count;) {
        u32 end = i + 1;
        FunctionId function = access_of(self->analysis, self->races.items[i].suspect)->function;
        while (end < self->races.count &&
               access_of(self->analysis, self->races.items[end].suspect)->function == function)
            end++;
        put_cluster(self, &self->races.items[i], end - i);
        i = end;
    }
}

void find_races(Analysis *analysis, FindingList *out) {
    Histories histories;
    Races self = {.analysis = analysis, .list = out, .histories = &histories};
    self.agreement = agreement_begin(analysis);
    bool walks = analysis->options.engine != ENGINE_SUMMARIES;
    fill_tickets(analysis);
    histories_begin(&histories, analysis);
    fill_usual(analysis);
    fill_callers(analysis);
    for (u32 i = 0; i < analysis->samples.count;) {
        u32 end = i + 1;
        while (end < analysis->samples.count &&
               analysis->samples.items[end].object == analysis->samples.items[i].object)
            end++;
        Belief belief = {
            .object = analysis->samples.items[i].object, .samples = &analysis->samples.items[i], .count = end - i};
        i = end;
        if (!is_shared_data(analysis, belief.object) || belief.count < 1)
            continue;
        analysis->stats.objects++;
        belief_fill(analysis, &belief);
        put_guard(analysis, out, &belief);
        bool call = analysis->objects.items[belief.object].kind == OBJECT_CALL;
        if (!walks)
            continue;
        if (analysis->follows_threads && !call && find_proven(&self, &belief))
            continue;
        if (!belief.writes)
            continue;
        u32 before = self.races.count;
        if (is_believed(analysis, &belief))
            find_suspects(&self, &belief, false);
        else if (is_believed_of_writes(analysis, &belief))
            find_suspects(&self, &belief, true);
        if (self.races.count == before && !call)
            find_evident(&self, &belief);
    }
    if (!walks)
        find_relay(&self);
    put_clusters(&self);
    sort_guards(out);
    array_free(&self.races);
    free(self.entry_samples);
    agreement_end(self.agreement);
    histories_end(&histories);
    map_free(&analysis->usual);
}
