// race_finding.c: a race as it is told: its words, its places, its features.
// In: races that were found (races.c). Out: findings of kind race.
#include "racerx/check/history.h"

// words ---------------------------------------------------------------------------

const char *race_object_text(const Analysis *self, FindingList *list, ObjectId object) {
    Buffer text = {0};
    shared_object_name(self, object, &text);
    const char *name = findings_text(list, "%.*s", (int)text.size, text.bytes ? (char *)text.bytes : "");
    buffer_free(&text);
    return name;
}

static const Access *access_of(const Analysis *self, const Sample *sample) {
    return &self->accesses.items[sample->access];
}

const ProgramFunction *sample_function(const Analysis *self, const Sample *sample) {
    return &self->program->functions.items[access_of(self, sample)->function];
}

// Of equally good examples always the same is shown, wherever in the text it has moved: by names first.
int compare_sample_names(const Analysis *self, const Sample *a, const Sample *b) {
    const Access *x = access_of(self, a), *y = access_of(self, b);
    const Program *program = self->program;
    if (x->function != y->function) {
        int order = strcmp(program_text(program, program->functions.items[x->function].name),
                           program_text(program, program->functions.items[y->function].name));
        return order ? order : strcmp(function_path(program, x->function), function_path(program, y->function));
    }
    if (x->place.line != y->place.line)
        return x->place.line < y->place.line ? -1 : 1;
    return x->place.column < y->place.column ? -1 : x->place.column > y->place.column;
}

SiteRole role_of(const Analysis *self, const Sample *sample, ClassId lock) {
    bool write = sample_writes(self, sample);
    u32 count;
    lockset_held(&self->protections, sample->protection, &count);
    if (access_of(self, sample)->flags & ACCESSED_CALL)
        return ROLE_CALL;
    if (!count)
        return write ? ROLE_UNPROTECTED_WRITE : ROLE_UNPROTECTED_READ;
    if (lock && !sample_holds(self, sample, lock))
        return write ? ROLE_WRONG_LOCK_WRITE : ROLE_WRONG_LOCK_READ;
    return write ? ROLE_PROTECTED_WRITE : ROLE_PROTECTED_READ;
}

static void fill_site(Races *self, Site *site, const Sample *sample) {
    const Analysis *analysis = self->analysis;
    u32 count;
    const Held *held = lockset_held(&analysis->protections, sample->protection, &count);
    site->object = race_object_text(analysis, self->list, sample->object);
    for (u32 i = 0; i < count; i++) {
        bool again = false; // elements of one array of locks, taken one after another
        for (u32 k = 0; k < i; k++)
            again |= held[k].class == held[i].class;
        if (again)
            continue;
        Taken taken = where_taken(analysis, sample, held[i].class);
        bool known = taken.function != NO_ID;
        site_add_lock(self->list, site, class_text(analysis, held[i].class),
                      known ? function_path(analysis->program, taken.function) : "", taken.place.line);
    }
    site->conditionals = way_conditionals(analysis, sample->way);
    site_put_way(self->analysis, self->list, site, sample->way);
}

static bool has_site(const Finding *finding, const char *file, Place place) {
    for (u32 i = 0; i < finding->sites.count; i++)
        if (finding->sites.items[i].line == place.line && finding->sites.items[i].column == place.column &&
            !strcmp(finding->sites.items[i].file, file))
            return true;
    return false;
}

// The helper that makes an access for its caller.
static const char *helper_text(const Races *self, const Sample *sample) {
    const Analysis *analysis = self->analysis;
    u32 low = 0, high = analysis->handed.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (analysis->handed.items[middle].access < sample->access)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == analysis->handed.count || analysis->handed.items[low].access != sample->access)
        return "";
    const CallSite *site = &analysis->program->calls.items[analysis->handed.items[low].call];
    if (!site->target_count)
        return findings_text(self->list, "over all of it, by %s", program_text(analysis->program, site->name));
    FunctionId helper = analysis->program->targets.items[site->target];
    return findings_text(self->list, "through %s",
                         program_text(analysis->program, analysis->program->functions.items[helper].name));
}

static void put_access(Races *self, Finding *finding, const Sample *sample, ClassId lock, u32 side) {
    const Analysis *analysis = self->analysis;
    const Access *access = access_of(analysis, sample);
    Site *site =
        finding_add_site(self->list, finding, role_of(analysis, sample, lock),
                         program_text(analysis->program, analysis->program->functions.items[access->function].name),
                         function_path(analysis->program, access->function), access->place.line, access->place.column);
    site->side = side;
    if (access->flags & ACCESSED_HANDED)
        site->note = helper_text(self, sample);
    fill_site(self, site, sample);
}

// A place is shown once.
void race_put_site(Races *self, Finding *finding, const Sample *sample, ClassId lock, u32 side) {
    const Access *access = access_of(self->analysis, sample);
    if (!has_site(finding, function_path(self->analysis->program, access->function), access->place))
        put_access(self, finding, sample, lock, side);
}

// Both sides, even if they are one place: two threads come there by different ways. What one thread of many does alone
// has one side.
void race_put_sides(Races *self, Finding *finding, const Race *race) {
    const Sample *a = race->suspect, *b = race->counterpart;
    put_access(self, finding, a, race->belief.lock, 0);
    if (a->access != b->access || a->root != b->root || a->protection != b->protection)
        put_access(self, finding, b, race->belief.lock, 1);
}

#define EVIDENCE_SHOWN 3 // protected places, as examples; s_lock says how many there are

void race_put_evidence(Races *self, Finding *finding, const Belief *belief) {
    const Analysis *analysis = self->analysis;
    u32 put = 0;
    for (u32 i = 0; i < belief->count && put < EVIDENCE_SHOWN && belief->lock; i++) {
        const Sample *sample = &belief->samples[i];
        const Access *access = access_of(analysis, sample);
        if (!sample_holds(analysis, sample, belief->lock) || (put && belief->samples[i - 1].access == sample->access))
            continue;
        Site *site = finding_add_evidence(
            self->list, finding, role_of(analysis, sample, belief->lock),
            program_text(analysis->program, analysis->program->functions.items[access->function].name),
            function_path(analysis->program, access->function), access->place.line, access->place.column);
        fill_site(self, site, sample);
        put++;
    }
}

// The source a sample belongs to: of a function in a header, that of the nearest caller that is in none.
static const ProgramFile *file_of(const Analysis *self, const Sample *sample) {
    const ProgramFile *file = NULL;
    for (u32 w = sample->way + 1; w; w = self->way_contexts.items[w - 1].from) {
        FunctionId function = self->nodes.items[self->way_contexts.items[w - 1].node].function;
        file = &self->program->files.items[self->program->functions.items[function].file];
        if (file->kind != FILE_HEADER)
            break;
    }
    return file;
}

// Could both sides mean the same object? Types of a whole system have instances in every part of it: two parts hardly
// share one. Headers may.
bool are_kin(const Analysis *self, const Sample *a, const Sample *b) {
    const ProgramFile *x = file_of(self, a), *y = file_of(self, b);
    const char *p = strrchr(x->path, '/'), *q = strrchr(y->path, '/');
    size_t m = p ? (size_t)(p - x->path) : 0, n = q ? (size_t)(q - y->path) : 0;
    if (x->kind == FILE_HEADER || y->kind == FILE_HEADER || !m || !n)
        return true;
    return m == n && !strncmp(x->path, y->path, m);
}

// features --------------------------------------------------------------------------

static void add_belief(Races *self, Finding *finding, const Belief *belief) {
    const Analysis *analysis = self->analysis;
    FindingList *list = self->list;
    u32 object = belief->object < analysis->critical_only.count ? belief->object : 0;
    u32 flags = analysis->objects.items[belief->object].flags;
    finding_add_number(list, finding, "s_any", belief->protected_any);
    finding_add_number(list, finding, "f_any", belief->bare);
    finding_add_number(list, finding, "z_any", belief->z_any);
    finding_add_number(list, finding, "s_lock", belief->protected_lock);
    finding_add_number(list, finding, "f_lock", belief->others);
    finding_add_number(list, finding, "z_lock", belief->z_lock);
    finding_add_number(list, finding, "only", object ? analysis->critical_only.items[object] : 0);
    finding_add_number(list, finding, "first", object ? analysis->critical_first.items[object] : 0);
    finding_add_number(list, finding, "last", object ? analysis->critical_last.items[object] : 0);
    finding_add_number(list, finding, "global", (flags & SHARED_GLOBAL) != 0);
    finding_add_number(list, finding, "modifying_roots", belief->writing_roots);
}

#define TYPE_SHARE 3 // places under one lock to one without it, from which a member of a type is thought to be shared

// Does the function itself take a lock that is a member of such an object? Then it knows that others see it.
static bool takes_own_lock(const Analysis *self, const Sample *sample) {
    const Skeleton *skeleton = &self->skeletons[access_of(self, sample)->function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_LOCK && i < skeleton->steps[s].effect_count; i++) {
            ClassId class = self->operations.items[skeleton->steps[s].effect + i].class;
            if (class >= CLASS_FIRST && self->classes.items[class].record == self->objects.items[sample->object].id)
                return true;
        }
    return false;
}

// Are the two sides only known to use the same member of the same type, and is it hardly ever locked? A type has many
// objects, and most of them belong to one thread.
bool is_type_only(const Analysis *self, const Race *race) {
    const SharedObject *object = &self->objects.items[race->belief.object];
    if (!(race->proven || race->likely) || object->kind != OBJECT_FIELD)
        return false;
    if (is_placed(self, race->suspect) || is_placed(self, race->counterpart) ||
        is_same_object(self, race->counterpart, race->belief.lock) || takes_own_lock(self, race->suspect) ||
        takes_own_lock(self, race->counterpart))
        return false;
    return race->belief.protected_lock < TYPE_SHARE * race->belief.others || !is_locked_near(self, &race->belief);
}

// A story with calls that many functions may be meant by cannot be told again.
static void add_story(Races *self, Finding *finding, const Race *race) {
    AnalysisStats *stats = &self->analysis->stats;
    bool unchecked = targets_of(self->analysis, race->suspect, race->counterpart) > 1;
    finding_add_text(self->list, finding, "story", race->refuted ? "refuted" : unchecked ? "unchecked" : "survived");
    if (race->refuted)
        finding_add_text(self->list, finding, "refuted", race->refuted);
    stats->stories[race->refuted ? STORY_REFUTED : unchecked ? STORY_UNCHECKED : STORY_SURVIVED]++;
}

void race_put_features(Races *self, Finding *finding, const Race *race, u32 variables, bool modified) {
    const Analysis *analysis = self->analysis;
    FindingList *list = self->list;
    const Sample *suspect = race->suspect, *other = race->counterpart;
    u32 depth = analysis->way_contexts.items[suspect->way].depth;
    const Access *access = access_of(analysis, suspect);
    u32 flags = analysis->objects.items[race->belief.object].flags;
    bool wrong = !is_bare(analysis, suspect);
    add_belief(self, finding, &race->belief);
    if (sample_writes(analysis, suspect) && !race->proven && !race->likely && !race->evidence) {
        finding_add_number(list, finding, "s_write", race->belief.written_with);
        finding_add_number(list, finding, "f_write", race->belief.written_without);
        finding_add_number(list, finding, "z_write", race->belief.z_write);
    }
    finding_add_text(list, finding, "mode", wrong ? "precise" : flags & SHARED_GLOBAL ? "simple" : "statistical");
    finding_add_number(list, finding, "wrong_lock", wrong);
    finding_add_number(list, finding, "update",
                       sample_writes(analysis, suspect) && sample_writes(analysis, other) &&
                           ((access->flags | access_of(analysis, other)->flags) & ACCESSED_UPDATE));
    finding_add_number(list, finding, "reentrant_lock",
                       is_reentrant(analysis, &race->belief, suspect, race->proven || race->likely));
    finding_add_number(list, finding, "conditional_locking", is_conditional(analysis, &race->belief, suspect));
    finding_add_number(list, finding, "unsharing", (access->flags & ACCESSED_UNSHARED) != 0);
    const u32 handlers = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    bool here = analysis->roots.items[suspect->root].contexts & handlers,
         there = analysis->roots.items[other->root].contexts & handlers;
    finding_add_number(list, finding, "interrupt", here != there);
    finding_add_number(list, finding, "interrupt_write",
                       (here && sample_writes(analysis, suspect)) || (there && sample_writes(analysis, other)));
    bool unknown =
        (analysis->roots.items[suspect->root].contexts & CONTEXT_OTHER) != 0; // is it run by several threads at all?
    bool twice = race->evidence && !strcmp(race->evidence, "claim") && has_two_callers(analysis, access->function);
    finding_add_number(list, finding, "non_parallel",
                       unknown && !twice && !race->proven &&
                           way_root(analysis, suspect->way) == way_root(analysis, other->way));
    finding_add_number(list, finding, "unlikely_aliasing",
                       !(flags & SHARED_GLOBAL) && !are_kin(analysis, suspect, other));
    finding_add_number(
        list, finding, "initialisation",
        makes_object(analysis, suspect, race->belief.lock) ||
            (is_own_allocation(analysis, access) && !takes_lock(analysis, access->function, race->belief.lock)));
    finding_add_number(list, finding, "nvars", variables);
    finding_add_number(list, finding, "modified", modified);
    finding_add_number(list, finding, "write", sample_writes(analysis, suspect));
    if (access->flags & ACCESSED_TESTED)
        finding_add_number(list, finding, "decides", 1);
    if (flags & SHARED_POINTER)
        finding_add_number(list, finding, "pointer", 1);
    bool handler =
        race->evidence && (!strcmp(race->evidence, "handler") || // who registers one knows that it interrupts
                           !strcmp(race->evidence, "thread"));
    finding_add_number(list, finding, "has_locked",
                       handler || has_locked(analysis, suspect->way) || peer_locks(analysis, suspect, other));
    if (race->belief.second)
        finding_add_text(list, finding, "runner_up", class_text(analysis, race->belief.second));
    if (takes_lock(analysis, access->function, race->belief.lock) && is_same_object(analysis, other, race->belief.lock))
        finding_add_number(list, finding, "locks_here", 1);
    if (slot_of_way(analysis, suspect->way))
        finding_add_number(list, finding, "slot", 1);
    u32 takers = count_takers(self->analysis, &race->belief);
    if (takers)
        finding_add_number(list, finding, "takers", takers);
    if (!analysis->follows_threads && prepares(analysis, &race->belief, suspect, other))
        finding_add_number(list, finding, "prepares", 1);
    finding_add_number(list, finding, "nonatomic", is_nonatomic(analysis, suspect) || is_nonatomic(analysis, other));
    finding_add_number(list, finding, "depth", depth);
    finding_add_number(list, finding, "same_object", is_same_object(analysis, other, race->belief.lock));
    finding_add_number(list, finding, "proven_parallel", race->proven);
    finding_add_number(list, finding, "likely_parallel", race->likely);
    finding_add_number(list, finding, "targets", targets_of(analysis, suspect, other));
    finding_add_number(list, finding, "type_only", is_type_only(analysis, race));
    finding_add_number(list, finding, "signal", is_signal(analysis, suspect) != is_signal(analysis, other));
    finding_add_number(list, finding, "no_lock_either", is_bare(analysis, suspect) && is_bare(analysis, other));
    bool once = (access->flags | access_of(analysis, other)->flags) & ACCESSED_ONCE;
    finding_add_number(list, finding, "published",
                       once && !(access->flags & access_of(analysis, other)->flags & ACCESSED_WRITE));
    finding_add_number(list, finding, "counter", analysis->follows_threads && is_counter(analysis, &race->belief));
    finding_add_number(list, finding, "monotonic", analysis->follows_threads && is_monotonic(analysis, &race->belief));
    if (claims(analysis, &race->belief, suspect) || claims(analysis, &race->belief, other))
        finding_add_number(list, finding, "claims", flags & SHARED_ELEMENT ? 2 : 1);
    finding_add_number(list, finding, "rechecked", is_rechecked(analysis, &race->belief, suspect));
    if (is_set_up(analysis, suspect) || is_set_up(analysis, other))
        finding_add_number(list, finding, "sets_up", 1);
    int agree = self->agreement ? engines_agree(self->agreement, suspect, other) : -1;
    if (agree >= 0)
        finding_add_number(list, finding, "engines_agree", agree);
    if (is_torn_down(analysis, suspect))
        finding_add_number(list, finding, "tears_down", 1);
    add_story(self, finding, race);
    if (is_from_test(analysis, suspect))
        finding_add_number(list, finding, "test_root", 1);
    finding_put_marks(self->list, finding, marks_of(self->analysis, suspect), MARKS_TOLD_BY_RACES);
}
