// inquire_object.c: why what a line accesses is, or is not, raced on.
// In: samples. Out: for every object of the line: what keeps it out of races, what is believed of it and what is the
// runner-up, with which locks the line was met, and what came of every other access that it could collide with.
#include "racerx/check/inquire.h"

enum { OBJECTS_MOST = 12, SAMPLES_SHOWN = 6, PAIRS_MOST = 4000 };

typedef struct {
    Inquiry *inquiry;
    ObjectId object;
    const char *name;
    Belief belief; // its samples: count 0: none
    u32 here;      // of them: samples of this line
} AnswerSubject;

static const Access *access_of(const AnswerSubject *self, const Sample *sample) {
    return &self->inquiry->analysis->accesses.items[sample->access];
}

static bool access_is_here(const Inquiry *self, const Access *access) {
    return access->function == self->function && access->place.line == self->question->line;
}

static const char *object_text(Inquiry *self, ObjectId object) {
    Buffer name = {0};
    if (!object)
        return "what a parameter points to";
    shared_object_name(self->analysis, object, &name);
    const char *text = answers_text(self->out, "%.*s", (int)name.size, (const char *)name.bytes);
    buffer_free(&name);
    return text;
}

// what keeps it out -----------------------------------------------------------------

static const char *exempt(u32 flags) {
    return flags & SHARED_LOCK     ? "it is a lock itself"
           : flags & SHARED_OWN    ? "every thread or processor has its own"
           : flags & SHARED_ATOMIC ? "it is of an atomic type"
           : flags & SHARED_CONST  ? "it is constant"
                                   : NULL;
}

static void say_access(Inquiry *self, const Access *access, const char *name) {
    static const struct {
        u32 flag;
        const char *text;
    } words[] = {{ACCESSED_ATOMIC, ", by an atomic operation"},
                 {ACCESSED_ONCE, ", by an accessor that is made for sharing"},
                 {ACCESSED_UNSHARED, ", which was just taken off what is shared"}};
    const char *verb = access->flags & ACCESSED_CALL     ? "calls"
                       : access->flags & ACCESSED_UPDATE ? "reads and writes"
                       : access->flags & ACCESSED_WRITE  ? "writes"
                                                         : "reads";
    const char *how = "";
    for (u32 i = 0; i < 3; i++)
        if (access->flags & words[i].flag)
            how = words[i].text;
    const char *fresh = access->fresh == FRESH_YES ? ", which nobody else can see yet" : "";
    answers_add(self->out, ANSWER_OBJECT, "%s %s%s%s", verb, name, how, fresh);
    answer_text(self->out, "object", name);
    answer_number(self->out, "write", (access->flags & ACCESSED_WRITE) != 0);
    answer_number(self->out, "fresh", access->fresh == FRESH_YES);
    answer_number(self->out, "atomic", (access->flags & ACCESSED_ATOMIC) != 0);
}

// Every access of the line to this object; true when all of them are to what nobody else can see yet.
static bool say_accesses(AnswerSubject *self) {
    Inquiry *inquiry = self->inquiry;
    const Analysis *analysis = inquiry->analysis;
    bool fresh = true, any = false;
    for (u32 i = 0; i < analysis->accesses.count; i++) {
        const Access *access = &analysis->accesses.items[i];
        if (!access_is_here(inquiry, access) || access->object != self->object)
            continue;
        say_access(inquiry, access, self->name);
        fresh &= access->fresh == FRESH_YES;
        any = true;
    }
    if (!any) { // by what a caller handed over
        answers_add(inquiry->out, ANSWER_OBJECT, "accesses %s, by what callers hand over", self->name);
        answer_text(inquiry->out, "object", self->name);
    }
    return any && fresh;
}

static bool is_written(const AnswerSubject *self) {
    const Analysis *analysis = self->inquiry->analysis;
    for (u32 i = 0; i < analysis->accesses.count; i++)
        if (analysis->accesses.items[i].object == self->object &&
            (analysis->accesses.items[i].flags & ACCESSED_WRITE) && analysis->accesses.items[i].fresh != FRESH_YES)
            return true;
    return false;
}

static void stop_without_samples(AnswerSubject *self, bool fresh) {
    AnswerList *out = self->inquiry->out;
    if (fresh)
        answers_stop(out, HURDLE_SAMPLE, "nobody else can see %s yet", self->name);
    else if (!self->object)
        answers_stop(out, HURDLE_SAMPLE, "it is not known what the parameter points to");
    else if (!is_written(self))
        answers_stop(out, HURDLE_WRITTEN, "nobody writes %s once others can see it", self->name);
    else
        answers_stop(
            out, HURDLE_SAMPLE,
            "no access of %s says anything: no lock is ever held around one, and no handler or thread makes one",
            self->name);
}

// belief ----------------------------------------------------------------------------

typedef struct {
    ClassId lock;
    u32 with, without;
} ObjectCandidate;

static void count_candidate(const AnswerSubject *self, ObjectCandidate *candidate) {
    const Analysis *analysis = self->inquiry->analysis;
    const Belief *belief = &self->belief;
    for (u32 i = 0; i < belief->count;) {
        u32 access = belief->samples[i].access;
        bool with = false, without = false;
        for (; i < belief->count && belief->samples[i].access == access; i++) {
            const Sample *sample = &belief->samples[i];
            if (sample_is_alone(analysis, sample))
                continue;
            bool holds = sample_holds(analysis, sample, candidate->lock);
            with |= holds;
            without |= !holds && !sample->unsure;
        }
        candidate->with += with;
        candidate->without += without;
    }
}

// The lock, other than the believed one, that most places hold.
static ObjectCandidate runner_up(const AnswerSubject *self) {
    const Analysis *analysis = self->inquiry->analysis;
    ObjectCandidate best = {0};
    ClassId seen[LOCKS_MOST] = {self->belief.lock};
    u32 seen_count = 1;
    for (u32 i = 0; i < self->belief.count; i++) {
        u32 count;
        const Held *held = lockset_held(&analysis->protections, self->belief.samples[i].protection, &count);
        for (u32 k = 0; k < count && seen_count < LOCKS_MOST; k++) {
            bool known = false;
            for (u32 s = 0; s < seen_count && !known; s++)
                known = seen[s] == held[k].class;
            if (known)
                continue;
            ObjectCandidate one = {.lock = seen[seen_count++] = held[k].class};
            count_candidate(self, &one);
            if (one.with > best.with || (one.with == best.with && best.lock &&
                                         strcmp(class_text(analysis, one.lock), class_text(analysis, best.lock)) < 0))
                best = one;
        }
    }
    return best;
}

static void say_counts(AnswerSubject *self, const char *what, ClassId lock, u32 with, u32 without) {
    const Analysis *analysis = self->inquiry->analysis;
    AnswerList *out = self->inquiry->out;
    double z = z_test(with, with + without, analysis->options.p0);
    answers_add(out, ANSWER_BELIEF, "%s%s is held in %u place%s of %u (S %u, F %u, z %.1f)", what,
                class_text(analysis, lock), with, with == 1 ? "" : "s", with + without, with, without, z);
    answer_text(out, "object", self->name);
    answer_text(out, "lock", class_text(analysis, lock));
    answer_number(out, "s", with);
    answer_number(out, "f", without);
    answer_number(out, "z", z);
}

static void say_belief(AnswerSubject *self) {
    const Belief *belief = &self->belief;
    AnswerList *out = self->inquiry->out;
    if (!belief->lock) {
        answers_add(out, ANSWER_BELIEF, "no lock is ever held around %s", self->name);
        return;
    }
    say_counts(self, "", belief->lock, belief->protected_lock, belief->others);
    ObjectCandidate second = runner_up(self);
    if (second.lock && second.with)
        say_counts(self, "runner-up: ", second.lock, second.with, second.without);
    answers_add(out, ANSWER_BELIEF, "some lock is held in %u place%s, none in %u; %u write%s, from %u root%s",
                belief->protected_any, belief->protected_any == 1 ? "" : "s", belief->bare, belief->writes,
                belief->writes == 1 ? "s" : "", belief->writing_roots, belief->writing_roots == 1 ? "" : "s");
    answer_number(out, "s_any", belief->protected_any);
    answer_number(out, "f_any", belief->bare);
    answer_number(out, "writes", belief->writes);
}

// samples ---------------------------------------------------------------------------

static const char *locks_text(AnswerSubject *self, const Sample *sample) {
    static const char *const relations[] = {[RELATION_UNKNOWN] = " of some object",
                                            [RELATION_ONE] = "",
                                            [RELATION_SAME] = "",
                                            [RELATION_OTHER] = " of another object"};
    const Analysis *analysis = self->inquiry->analysis;
    Buffer text = {0};
    u32 count;
    const Held *held = lockset_held(&analysis->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++) {
        bool again = false; // elements of one array of locks
        for (u32 k = 0; k < i; k++)
            again |= held[k].class == held[i].class && held[k].path == held[i].path;
        const char *relation = relations[held[i].path <= RELATION_OTHER ? held[i].path : RELATION_UNKNOWN];
        if (!again)
            buffer_format(&text, "%s%s%s%s", i ? ", " : "", class_text(analysis, held[i].class), relation,
                          held[i].flags & HELD_SHARED ? " as a reader" : "");
    }
    if (!count)
        buffer_text(&text, "no lock");
    const char *kept = answers_text(self->inquiry->out, "%.*s", (int)text.size, (const char *)text.bytes);
    buffer_free(&text);
    return kept;
}

static void say_sample(AnswerSubject *self, const Sample *sample) {
    const Analysis *analysis = self->inquiry->analysis;
    AnswerList *out = self->inquiry->out;
    const WayContext *way = &analysis->way_contexts.items[sample->way];
    bool alone = sample_is_alone(analysis, sample);
    const char *locks = locks_text(self, sample);
    const char *root = inquiry_root(self->inquiry, way_root(analysis, sample->way));
    const char *doubt = !sample->unsure ? ""
                        : way->wide     ? answers_text(out, "; not sure: a call on the way has %u targets", way->wide)
                                        : "; not sure: a lock has no name, or is dropped since nobody lets it go";
    answers_add(out, ANSWER_SAMPLE, "with %s, from %s%s%s", locks, root,
                alone ? "; start-up or shutdown, when nobody else runs" : "", doubt);
    answer_text(out, "object", self->name);
    answer_text(out, "locks", locks);
    answer_text(out, "root", inquiry_function(self->inquiry, way_root(analysis, sample->way)));
    answer_number(out, "alone", alone);
    answer_number(out, "unsure", sample->unsure);
    answer_number(out, "targets", way->wide);
}

// Is the answer that was added last the same as one before it, of this object?
static bool is_repeated_answer(const AnswerList *out, u32 from) {
    for (u32 i = from; i + 1 < out->items.count; i++)
        if (!strcmp(out->items.items[i].text, out->items.items[out->items.count - 1].text))
            return true;
    return false;
}

static void say_samples(AnswerSubject *self) {
    AnswerList *out = self->inquiry->out;
    u32 from = out->items.count, more = 0;
    for (u32 i = 0; i < self->belief.count; i++) {
        const Sample *sample = &self->belief.samples[i];
        if (!access_is_here(self->inquiry, access_of(self, sample)))
            continue;
        self->here++;
        say_sample(self, sample);
        bool repeated = is_repeated_answer(out, from), full = out->items.count - from > SAMPLES_SHOWN;
        more += full && !repeated;
        out->items.count -= repeated || full;
    }
    if (more)
        answers_add(out, ANSWER_SAMPLE, "and in %u more ways", more);
}

// pairs -----------------------------------------------------------------------------

typedef struct {
    u32 all, reads, locked, apart, left; // other samples; neither writes; a common lock; never at once; may collide
} Pairs;

static Pairs count_pairs(const AnswerSubject *self, const Sample *mine) {
    const Analysis *analysis = self->inquiry->analysis;
    Pairs out = {0};
    for (u32 i = 0; i < self->belief.count && i < PAIRS_MOST; i++) {
        const Sample *other = &self->belief.samples[i];
        bool proven;
        out.all++;
        if (!conflict(analysis, mine, other))
            out.reads++;
        else if (have_common_lock(analysis, mine, other))
            out.locked++;
        else if (sample_is_alone(analysis, other) || !may_run_together(analysis, mine, other, &proven))
            out.apart++;
        else
            out.left++;
    }
    return out;
}

static void stop_at_pairs(AnswerSubject *self, const Pairs *pairs) {
    AnswerList *out = self->inquiry->out;
    if (pairs->left)
        answers_stop(out, HURDLE_BELIEF,
                     "%u other access%s may collide with it, but nothing says that %s should be protected: too few "
                     "places hold a lock",
                     pairs->left, pairs->left == 1 ? "" : "es", self->name);
    else if (pairs->apart >= pairs->locked && pairs->apart)
        answers_stop(out, HURDLE_PARTNER, "no other access of %s runs at the same time", self->name);
    else
        answers_stop(out, HURDLE_PARTNER, "every other access of %s that could collide with it %s", self->name,
                     pairs->locked ? "holds a common lock" : "only reads, as it does");
}

static void say_pairs(AnswerSubject *self, const Sample *mine, bool excused) {
    AnswerList *out = self->inquiry->out;
    Pairs pairs = count_pairs(self, mine);
    answers_add(out, ANSWER_PAIRS,
                "of %u ways in which %s is accessed %u are harmless (neither writes, or both are atomic), %u "
                "hold a common lock, %u never run at the same time, %u may collide",
                pairs.all, self->name, pairs.reads, pairs.locked, pairs.apart, pairs.left);
    answer_text(out, "object", self->name);
    answer_number(out, "all", pairs.all);
    answer_number(out, "harmless", pairs.reads);
    answer_number(out, "common_lock", pairs.locked);
    answer_number(out, "never_together", pairs.apart);
    answer_number(out, "left", pairs.left);
    if (!excused)
        stop_at_pairs(self, &pairs);
}

// The sample of the line that is likeliest to be wrong: without the lock, sure, not alone.
static const Sample *worst_sample(const AnswerSubject *self) {
    const Analysis *analysis = self->inquiry->analysis;
    const Sample *worst = NULL;
    u32 best = 0;
    for (u32 i = 0; i < self->belief.count; i++) {
        const Sample *sample = &self->belief.samples[i];
        if (!access_is_here(self->inquiry, access_of(self, sample)))
            continue;
        bool bare = !self->belief.lock || !sample_holds(analysis, sample, self->belief.lock);
        u32 badness = 1u + 4u * !sample_is_alone(analysis, sample) + 2u * bare + !sample->unsure;
        if (badness > best)
            worst = sample, best = badness;
    }
    return worst;
}

// Why this sample alone is no suspect; false: it is one.
static bool is_excused(AnswerSubject *self, const Sample *sample) {
    const Analysis *analysis = self->inquiry->analysis;
    AnswerList *out = self->inquiry->out;
    bool holds = self->belief.lock && sample_holds(analysis, sample, self->belief.lock);
    if (!self->belief.writes)
        answers_stop(out, HURDLE_WRITTEN, "nobody writes %s but at start-up or shutdown", self->name);
    else if (sample_is_alone(analysis, sample))
        answers_stop(out, HURDLE_PROTECTED, "it runs at start-up or shutdown only, when nobody else does");
    else if (holds)
        answers_stop(out, HURDLE_PROTECTED, "%s is held whenever %s is accessed here",
                     class_text(analysis, self->belief.lock), self->name);
    else if (sample->unsure)
        answers_stop(out, HURDLE_PROTECTED, "it is not sure which locks are held here");
    return !self->belief.writes || sample_is_alone(analysis, sample) || holds || sample->unsure;
}

static void stop_at_samples(AnswerSubject *self) {
    const Sample *sample = worst_sample(self);
    bool excused = is_excused(self, sample);
    if (!sample_is_alone(self->inquiry->analysis, sample))
        say_pairs(self, sample, excused);
}

// objects ---------------------------------------------------------------------------

static void find_samples(AnswerSubject *self) {
    const Analysis *analysis = self->inquiry->analysis;
    u32 first = 0, end;
    while (first < analysis->samples.count && analysis->samples.items[first].object != self->object)
        first++;
    for (end = first; end < analysis->samples.count && analysis->samples.items[end].object == self->object;)
        end++;
    self->belief = (Belief){.object = self->object, .samples = analysis->samples.items + first, .count = end - first};
}

static void inquire_object(Inquiry *inquiry, ObjectId object) {
    AnswerSubject self = {.inquiry = inquiry, .object = object, .name = object_text(inquiry, object)};
    const char *why = object ? exempt(inquiry->analysis->objects.items[object].flags) : NULL;
    bool fresh = say_accesses(&self);
    if (why) {
        answers_add(inquiry->out, ANSWER_OBJECT, "%s is left out: %s", self.name, why);
        answers_stop(inquiry->out, HURDLE_OBJECT, "%s is no shared data: %s", self.name, why);
        return;
    }
    if (object)
        find_samples(&self);
    if (self.belief.count) {
        belief_fill(inquiry->analysis, &self.belief);
        say_belief(&self);
        say_samples(&self);
    }
    if (self.here)
        stop_at_samples(&self);
    else
        stop_without_samples(&self, fresh);
}

static bool is_asked(const Inquiry *self, ObjectId object) {
    const char *wanted = self->question->object;
    return !wanted || strstr(object_text((Inquiry *)self, object), wanted);
}

static void gather(const Inquiry *self, ObjectId object, ObjectId *objects, u32 *count) {
    for (u32 i = 0; i < *count; i++)
        if (objects[i] == object)
            return;
    if (*count < OBJECTS_MOST && is_asked(self, object))
        objects[(*count)++] = object;
}

bool inquire_objects(Inquiry *self) {
    const Analysis *analysis = self->analysis;
    ObjectId objects[OBJECTS_MOST];
    u32 count = 0;
    bool parameter = false;
    for (u32 i = 0; i < analysis->accesses.count; i++)
        if (access_is_here(self, &analysis->accesses.items[i])) {
            parameter |= !analysis->accesses.items[i].object;
            if (analysis->accesses.items[i].object)
                gather(self, analysis->accesses.items[i].object, objects, &count);
        }
    for (u32 i = 0; i < analysis->samples.count; i++)
        if (access_is_here(self, &analysis->accesses.items[analysis->samples.items[i].access]))
            gather(self, analysis->samples.items[i].object, objects, &count);
    if (parameter && !count)
        gather(self, 0, objects, &count);
    for (u32 i = 0; i < count; i++)
        inquire_object(self, objects[i]);
    if (!count && self->question->object)
        answers_add(self->out, ANSWER_OBJECT, "nothing whose name has '%s' in it is accessed here",
                    self->question->object);
    return count > 0;
}
