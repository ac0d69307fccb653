// stale.c: what was true under a lock and is relied on after it, as findings.
// In: bodies, skeletons, samples. Out: findings stale-check, stale-copy, escaped-object, check-then-act, each with its
// story: established here, under a lock; let go here; written by somebody else; relied on here.
#include "racerx/stale/stale.h"

typedef struct {
    Analysis *analysis;
    FindingList *list;
    CandidateArray candidates;
    Map seen; // (kind, function, object or place, lock): told already
    Map uses; // (object, function) -> 1: found objects are used under the lock only, 2: also after
} Stale;

static void put_locks(const Flow *flow, u32 mask, u32 *out) {
    u32 count = 0;
    for (u32 i = 0; i < flow->locks.count && count < 4; i++)
        if (mask & 1u << i)
            out[count++] = flow->locks.items[i].class;
}

static void put_candidate(Stale *self, const Flow *flow, FindingKind kind, const Reliance *reliance, u32 mask) {
    Candidate candidate = {
        .kind = (u8)kind, .rely = reliance->kind, .function = flow->function, .fact = *reliance->fact};
    candidate.relocked = (reliance->held & mask) != 0;
    candidate.constant = reliance->constant;
    candidate.lowers = reliance->lowers;
    candidate.access = reliance->access;
    candidate.used = reliance->place;
    candidate.update = reliance->update;
    candidate.record = NO_ID;
    if (kind == KIND_ESCAPED_OBJECT)
        candidate.record = flow_pointee(flow, reliance->fact->var);
    put_locks(flow, mask, candidate.locks);
    bool fresh;
    u64 what = (u64)kind << 56 | (u64)flow->function << 24;
    map_put(&self->seen, hash_mix(what, (u64)reliance->fact->place << 32 | candidate.locks[0]), &fresh);
    if (fresh)
        array_push(&self->candidates, candidate);
}

// A pointer that was tested, or set, and is loaded again.
static bool is_stale_pointer(const Reliance *reliance) {
    const KnownFact *fact = reliance->fact;
    return reliance->kind == RELY_DEREFERENCE && fact && fact->broken && fact->source != BY_USE;
}

// How functions use it is counted by the place it is loaded from, or by its type.
static u64 use_key(ObjectId object, RecordId record) { return object ? object : 1u << 31 | record; }

// A pointer that was found under a lock: used there, or after it. What was handed on, written to or overwritten before
// may have been kept by that; and readers of RCU keep it.
static void relied_on_object(Stale *self, const Flow *flow, const Reliance *reliance) {
    const KnownFact *fact = reliance->fact;
    RecordId record = flow_pointee(flow, fact->var);
    u32 *uses = map_put(&self->uses, use_key(fact_object(flow, fact), record) << 32 | flow->function, NULL);
    bool after = fact->broken != 0;
    if ((fact->source != BY_LOAD && fact->source != BY_STORE) || !fact->held)
        return;
    if (!after && !fact->broken && !*uses)
        *uses = 1;
    if (!after || (fact->flags & (FACT_PINNED | FACT_CLAIMED)) || (reliance->held & ~flow->keeping))
        return;
    *uses = 2;
    put_candidate(self, flow, KIND_ESCAPED_OBJECT, reliance, fact->broken);
}

// Is it something that was decided by the test? Other bits, or a time that has passed, are not.
static bool is_decided(const Reliance *reliance) {
    if (reliance->bits)
        return false;
    return !(reliance->fact->flags & FACT_CHOSEN) || reliance->update;
}

static void relied(void *context, const Flow *flow, const Reliance *reliance) {
    Stale *self = context;
    const KnownFact *fact = reliance->fact;
    if (fact && reliance->kind == RELY_OBJECT && (fact->kind == FACT_FOUND || fact_object(flow, fact)))
        relied_on_object(self, flow, reliance);
    if (!fact || !fact_object(flow, fact) || fact->kind == FACT_FOUND)
        return;
    if (is_own_place(flow, fact->place) && !(fact->kind == FACT_NONNULL && fact->flags & FACT_DERIVED))
        return;
    if (reliance->kind == RELY_WRITE && !is_decided(reliance))
        return;
    u32 back = fact->broken & reliance->held, entered = fact->entered & reliance->held;
    bool seen = fact->flags & FACT_SEEN, claimed = fact->flags & FACT_CLAIMED;
    bool tested = fact->kind == FACT_NONNULL && fact->source == BY_TEST && reliance->kind == RELY_DEREFERENCE;
    if (claimed && fact->broken && reliance->kind != RELY_OBJECT)
        return;
    if (is_stale_pointer(reliance))
        put_candidate(self, flow, KIND_STALE_CHECK, reliance, fact->broken);
    else if (reliance->kind == RELY_INDEX && fact->broken)
        put_candidate(self, flow, KIND_STALE_CHECK, reliance, fact->broken);
    else if (reliance->kind == RELY_WRITE && back && !seen)
        put_candidate(self, flow, KIND_STALE_CHECK, reliance, back);
    else if (!fact->broken && entered && (tested || (reliance->kind == RELY_WRITE && !seen)))
        put_candidate(self, flow, KIND_CHECK_THEN_ACT, reliance, entered);
    else if ((reliance->kind == RELY_UPDATE || reliance->kind == RELY_ELEMENT) && back && !seen && !claimed)
        put_candidate(self, flow, KIND_STALE_COPY, reliance, back);
}

// findings ----------------------------------------------------------------------

static const char *object_text(Stale *self, ObjectId object) {
    Buffer text = {0};
    shared_object_name(self->analysis, object, &text);
    const char *name = findings_text(self->list, "%.*s", (int)text.size, text.bytes ? (char *)text.bytes : "");
    buffer_free(&text);
    return name;
}

static const char *record_text(Stale *self, RecordId record) {
    const Program *program = self->analysis->program;
    return findings_text(self->list, "struct %s", program_text(program, program->records.items[record].tag));
}

static Site *put_place(Stale *self, Finding *finding, SiteRole role, FunctionId function, Place place) {
    const Program *program = self->analysis->program;
    return finding_add_site(self->list, finding, role, program_text(program, program->functions.items[function].name),
                            function_path(program, function), place.line, place.column);
}

static void put_held(Stale *self, Site *site, const Sample *sample) {
    const Analysis *analysis = self->analysis;
    u32 count;
    const Held *held = lockset_held(&analysis->protections, sample->protection, &count);
    for (u32 i = 0; i < count; i++) {
        if (i && held[i].class == held[i - 1].class)
            continue;
        Taken taken = where_taken(analysis, sample, held[i].class);
        bool known = taken.function != NO_ID;
        site_add_lock(self->list, site, class_text(analysis, held[i].class),
                      known ? function_path(analysis->program, taken.function) : "", taken.place.line);
    }
    site->conditionals = way_conditionals(analysis, sample->way);
    site_put_way(self->analysis, self->list, site, sample->way);
}

static const char *established_note(const Candidate *candidate) {
    switch (candidate->fact.source) {
    case BY_STORE: return "what is relied on later";
    case BY_LOAD: return "what is used later";
    default: return "what is decided by it later";
    }
}

// The story, in its order: established, let go, relied on; and on the other side who may write in between.
static void put_story(Stale *self, Finding *finding, const Candidate *candidate, const char *object) {
    const Analysis *analysis = self->analysis;
    const KnownFact *fact = &candidate->fact;
    const Access *write = &analysis->accesses.items[candidate->writer->access];
    const char *lock = class_text(analysis, candidate->lock);
    SiteRole role = fact->source == BY_LOAD ? ROLE_COPY : fact->source == BY_STORE ? ROLE_STORE : ROLE_CHECK;
    Site *site = put_place(self, finding, role, candidate->function, fact->at);
    site->object = object;
    site->note = findings_text(self->list, "%s", established_note(candidate));
    put_held(self, site, candidate->here);
    bool act = candidate->kind == KIND_CHECK_THEN_ACT;
    Place between = act ? fact->taken : fact->released;
    site = put_place(self, finding,
                     act                        ? ROLE_ACQUIRE
                     : fact->flags & FACT_BELOW ? ROLE_CALL
                                                : ROLE_RELEASE,
                     candidate->function, between);
    site->side = 0;
    site->object = findings_text(self->list, "%s", lock);
    site->note = act                        ? "only now: what was checked may have changed before"
                 : fact->flags & FACT_BELOW ? "which lets go of it: from here on others may write"
                                            : "from here on others may write";
    site = put_place(self, finding, ROLE_USE, candidate->function, candidate->used);
    site->side = 0;
    site->object = object;
    site = put_place(self, finding, write->flags & ACCESSED_WRITE ? ROLE_PROTECTED_WRITE : ROLE_PROTECTED_READ,
                     write->function, write->place);
    if (fact->kind == FACT_FOUND)
        site->note = "frees such objects, which it finds under the lock";
    site->side = 1;
    site->object = object;
    put_held(self, site, candidate->writer);
}

static const char *message_of(Stale *self, const Candidate *candidate, const char *object, const char *lock) {
    FindingList *list = self->list;
    switch (candidate->rely) {
    case RELY_DEREFERENCE:
        if (candidate->kind == KIND_CHECK_THEN_ACT)
            return findings_text(list, "%s is checked without %s, and dereferenced under it without a second look",
                                 object, lock);
        return findings_text(list,
                             "%s was %s under %s, which was let go since: it may be null where it is dereferenced",
                             object, candidate->fact.source == BY_STORE ? "set" : "checked", lock);
    case RELY_INDEX:
        return findings_text(list, "%s was checked under %s, which was let go since: it may be too large as an index",
                             object, lock);
    case RELY_UPDATE:
        return findings_text(
            list, "%s is written with a value read before %s was let go: what others wrote meanwhile is lost", object,
            lock);
    case RELY_ELEMENT:
        return findings_text(list,
                             "%s was copied before %s was let go, and is used as an index after: it may be out of date",
                             object, lock);
    case RELY_OBJECT:
        if (candidate->fact.kind == FACT_FOUND)
            return findings_text(list,
                                 "a %s that was found under %s is used after that was let go: it may have been freed",
                                 object, lock);
        return findings_text(
            list, "what %s points to was found under %s, which was let go since: it may have been freed", object, lock);
    default:
        if (candidate->kind == KIND_CHECK_THEN_ACT)
            return findings_text(list, "%s is checked without %s, and written under it without a second look", object,
                                 lock);
        return findings_text(list,
                             "%s was checked under %s, which was let go since, and is written without a second look",
                             object, lock);
    }
}

static void add_features(Stale *self, Finding *finding, const Candidate *candidate) {
    const Analysis *analysis = self->analysis;
    FindingList *list = self->list;
    const Access *write = &analysis->accesses.items[candidate->writer->access];
    u32 flags = analysis->objects.items[candidate->here->object].flags;
    u32 from = candidate->kind == KIND_CHECK_THEN_ACT ? candidate->fact.at.line : candidate->fact.released.line;
    bool index = candidate->rely == RELY_INDEX || candidate->rely == RELY_ELEMENT;
    finding_add_text(list, finding, "relied",
                     candidate->rely == RELY_DEREFERENCE ? "dereference"
                     : index                             ? "index"
                     : candidate->rely == RELY_UPDATE    ? "update"
                     : candidate->rely == RELY_OBJECT    ? "object"
                                                         : "write");
    finding_add_number(list, finding, "set_here", candidate->fact.source == BY_STORE);
    finding_add_number(list, finding, "pointer", (flags & SHARED_POINTER) != 0);
    finding_add_number(list, finding, "index", index);
    finding_add_number(list, finding, "global", (flags & SHARED_GLOBAL) != 0);
    finding_add_number(list, finding, "constant", candidate->constant);
    finding_add_number(list, finding, "lowers", candidate->lowers);
    finding_add_number(list, finding, "counted", candidate->update);
    if (candidate->kind == KIND_ESCAPED_OBJECT) {
        finding_add_number(list, finding, "inside", candidate->inside);
        finding_add_number(list, finding, "outside", candidate->outside);
    }
    finding_add_number(list, finding, "relocked", candidate->relocked);
    finding_add_number(list, finding, "released_below", (candidate->fact.flags & FACT_BELOW) != 0);
    finding_add_number(list, finding, "writers", candidate->writers);
    finding_add_number(list, finding, "writers_lowering", candidate->lowering);
    finding_add_number(list, finding, "writers_bare", candidate->bare);
    finding_add_number(list, finding, "other_writer", write->function != candidate->function);
    finding_add_number(list, finding, "same_object", is_same_object(analysis, candidate->writer, candidate->lock));
    finding_add_number(list, finding, "proven_parallel", candidate->proven);
    finding_add_number(list, finding, "distance_lines", candidate->used.line > from ? candidate->used.line - from : 0);
    finding_add_number(list, finding, "depth", analysis->way_contexts.items[candidate->here->way].depth);
    u32 marks = marks_of(analysis, candidate->here);
    const char *words =
        findings_text(list, "%s%s", marks & MARK_TEST ? "test " : "", marks & MARK_IGNORED ? "ignore" : "");
    if (*words)
        finding_add_text(list, finding, "marks", words);
}

static void put_finding(Stale *self, const Candidate *candidate) {
    Finding *finding = findings_add(self->list, (FindingKind)candidate->kind);
    const char *object = candidate->fact.kind == FACT_FOUND ? record_text(self, candidate->record)
                                                            : object_text(self, candidate->here->object);
    const char *lock = class_text(self->analysis, candidate->lock);
    finding->message = message_of(self, candidate, object, lock);
    finding->object = object;
    finding->lock = findings_text(self->list, "%s", lock);
    put_story(self, finding, candidate, object);
    add_features(self, finding, candidate);
}

// Neighbouring bits are one object: who writes it may mean another one.
static bool is_packed(const Stale *self, const Candidate *candidate) {
    if (!candidate->fact.access)
        return false;
    const Access *access = &self->analysis->accesses.items[candidate->fact.access - 1];
    return self->analysis->objects.items[access->object].flags & SHARED_BITFIELD;
}

// How do other functions use what is found there? requires: all uses. fills: inside, outside.
static void count_uses(Stale *self) {
    Map inside = {0}, outside = {0}; // by object: functions
    u64 key;
    for (u32 i = 0, value; i <= self->uses.capacity; i++)
        if (map_entry(&self->uses, i, &key, &value) && value)
            (*map_put(value == 1 ? &inside : &outside, key >> 32, NULL))++;
    for (u32 i = 0; i < self->candidates.count; i++) {
        Candidate *candidate = &self->candidates.items[i];
        ObjectId object =
            candidate->fact.access ? self->analysis->accesses.items[candidate->fact.access - 1].object : 0;
        u64 used = use_key(object, candidate->record);
        u32 *in = map_get(&inside, used), *out = map_get(&outside, used);
        candidate->inside = in ? *in : 0;
        candidate->outside = out ? *out : 0;
    }
    map_free(&inside);
    map_free(&outside);
}

void find_stale(Analysis *analysis, FindingList *out) {
    Stale self = {.analysis = analysis, .list = out};
    Effects effects;
    Judge judged;
    Getters getters;
    effects_begin(&effects, analysis);
    getters_fill(&getters, &effects);
    Flow flow = {.analysis = analysis, .effects = &effects, .getters = &getters};
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        if (flow_lets_go(analysis, f))
            flow_run(&flow, f, relied, &self);
    flow_free(&flow);
    getters_free(&getters);
    count_uses(&self);
    judge_begin(&judged, analysis, &self.candidates);
    judged.first_access = effects.first_access;
    if (self.candidates.count)
        judge_freers(&judged, &self.candidates);
    for (u32 i = 0; i < self.candidates.count; i++)
        if (!is_packed(&self, &self.candidates.items[i]) && judge(&judged, &self.candidates.items[i]))
            put_finding(&self, &self.candidates.items[i]);
    judge_end(&judged);
    effects_end(&effects);
    array_free(&self.candidates);
    map_free(&self.seen);
    map_free(&self.uses);
}
