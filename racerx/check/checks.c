// checks.c: what else the walk's notes say: a lock taken twice, sleeping where nobody may.
// One finding per place (of sleeping: per acquisition and call in the function that made it), with the nearest way
// between what was held and what happened.
#include "racerx/facts/analysis.h"

// distances -----------------------------------------------------------------------

// From where the lock was taken to what happened with it held.
typedef struct {
    u32 holder;       // node of the function that took it
    Place call;       // where, in that function, the way leads on
    u32 calls;        // between the two; 0: all in one function
    u32 wide;         // how unsure they are, beyond one target each
    u32 conditionals; // passed between the two
} Distance;

static bool enters_with(const Analysis *self, u32 node, ClassId class) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, self->nodes.items[node].entry, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class || class_covers(self, held[i].class, class))
            return true;
    return false;
}

static Distance note_distance(const Analysis *self, const Note *note) {
    Distance out = {.holder = note->node, .call = self->sites.items[note->site].place};
    bool above = note->holder != note->node; // not yet where it was held
    while (self->nodes.items[out.holder].parent != NO_ID && (above || enters_with(self, out.holder, note->class))) {
        const Node *node = &self->nodes.items[out.holder];
        out.calls++;
        out.wide += node->call_cost > 1 ? node->call_cost - 1u : 0;
        out.call = node->call;
        out.holder = node->parent;
        above &= out.holder != note->holder;
    }
    u32 passed = self->nodes.items[note->node].conditionals + note->fact,
        before = self->nodes.items[out.holder].conditionals;
    const LockSite *taken = note->other_site == NO_ID ? NULL : &self->sites.items[note->other_site];
    before += taken && taken->function == self->nodes.items[out.holder].function ? taken->conditionals : 0;
    out.conditionals = passed > before ? passed - before : 0;
    return out;
}

static int compare_distances(const Analysis *self, const Distance *a, const Distance *b) {
    u32 x = a->calls + a->wide, y = b->calls + b->wide;
    if (x != y)
        return x < y ? -1 : 1;
    if (a->conditionals != b->conditionals)
        return a->conditionals < b->conditionals ? -1 : 1;
    x = node_depth(self, a->holder), y = node_depth(self, b->holder); // as it is shown
    return x < y ? -1 : x > y;
}

static bool is_nearer(const Analysis *self, const Note *a, const Note *b) {
    Distance x = note_distance(self, a), y = note_distance(self, b);
    int order = compare_distances(self, &x, &y);
    return order ? order < 0 : strcmp(class_text(self, a->class), class_text(self, b->class)) < 0;
}

void finding_put_distance(Analysis *self, FindingList *list, Finding *finding, const Note *note) {
    const Node *node = &self->nodes.items[note->node];
    Distance distance = note_distance(self, note);
    finding_add_number(list, finding, "depth", node_depth(self, note->node));
    finding_add_number(list, finding, "conditionals", node->conditionals);
    finding_add_number(list, finding, "global_locks", note->class ? self->classes.items[note->class].global : 0);
    finding_add_number(list, finding, "distance_calls", distance.calls);
    finding_add_number(list, finding, "distance_wide", distance.wide);
    finding_add_number(list, finding, "distance_conditionals", distance.conditionals);
    finding_add_number(list, finding, "watched", self->watched);
    FunctionId holder = self->nodes.items[distance.holder].function;
    bool below = note->other_site != NO_ID && self->sites.items[note->other_site].function != holder;
    finding_add_number(list, finding, "taken_below", below); // by a function that came back with it
}

// findings --------------------------------------------------------------------------

static void put_double(Analysis *self, FindingList *list, const Note *note) {
    Finding *finding = findings_add(list, KIND_DOUBLE_LOCK);
    const char *lock = class_text(self, note->class);
    finding->message = findings_text(
        list,
        note->reads
            ? "%s is taken again as a reader by one who is it already, and waits for a writer that came in between"
            : "%s is taken again by its holder, which then waits for itself",
        lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, note->node, note->site, note->held);
    if (note->other_site != NO_ID)
        finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, note->other_site, 0)->side = 0;
    finding_put_distance(self, list, finding, note);
    finding_add_number(list, finding, "other_way_free", note->good); // some way comes here without it
    finding_add_number(list, finding, "reads", note->reads);
    finding_add_number(list, finding, "semaphore",
                       lock_has(self->classes.items[note->class].kind, TRAIT_SIGNALS)); // somebody else may let it go
    ClassUses uses = class_uses(self, note->class);
    finding_add_number(list, finding, "released_paired", uses.paired);
    finding_add_number(list, finding, "released_bare", uses.bare);
}

// The lock, when the CPU's state was changed on taking one.
static ClassId blamed(const Analysis *self, const Note *note) {
    ClassId taken = note->other_site == NO_ID ? 0 : self->sites.items[note->other_site].class;
    return note->class < CLASS_FIRST && taken >= CLASS_FIRST ? taken : note->class;
}

static void put_sleep(Analysis *self, FindingList *list, const Note *note) {
    Finding *finding = findings_add(list, KIND_SLEEP_IN_ATOMIC);
    const LockSite *site = &self->sites.items[note->site];
    ClassId class = blamed(self, note);
    const char *lock = class_text(self, class), *held = class < CLASS_FIRST ? "" : " held";
    if (site->class)
        finding->message =
            findings_text(list, "waits for %s, which may sleep, with %s%s", class_text(self, site->class), lock, held);
    else
        finding->message = findings_text(list, "may sleep here with %s%s", lock, held);
    finding->object = findings_text(list, "%s", site->class ? class_text(self, site->class) : "");
    finding->lock = findings_text(list, "%s", lock);
    finding_put_site(self, list, finding, ROLE_BLOCK, note->node, note->site, note->held);
    if (note->other_site != NO_ID)
        finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, note->other_site, 0)->side = 0;
    finding_put_distance(self, list, finding, note);
    bool state = class < CLASS_FIRST || lock_has(self->classes.items[class].kind, TRAIT_PINS);
    finding_add_number(list, finding, "cpu_state", state);
    finding_add_number(list, finding, "program", self->follows_threads);
    finding_add_number(list, finding, "handler", note->other_site == NO_ID);
}

// Does anybody wait for it as a writer?
static bool has_writer(const Analysis *self, ClassId class) {
    for (u32 i = 0; i < self->acquisitions.count; i++) {
        const Acquisition *one = &self->acquisitions.items[i];
        bool same = class_covers(self, one->class, class) || class_covers(self, class, one->class);
        if (one->class >= CLASS_FIRST && same && !(one->flags & (HELD_SHARED | HELD_TRY)) &&
            self->node_contexts[one->node] != 1u << CONTEXT_INIT)
            return true;
    }
    return false;
}

// Does some exit of the function keep what is taken again by coming round? Then it was forgotten: a leak.
static bool is_kept_at_exit(const Analysis *self, const Note *note) {
    const Node *node = &self->nodes.items[note->node];
    for (u32 i = 0; i < node->outcome_count; i++) {
        u32 count;
        const Held *held = lockset_held(&self->locksets, self->outcomes.items[node->outcome + i].raw, &count);
        for (u32 k = 0; k < count; k++)
            if (held[k].class == note->class && held[k].site == note->site)
                return true;
    }
    return false;
}

static bool is_reported(const Analysis *self, const Note *note) {
    const LockClass *class = &self->classes.items[note->class];
    u32 contexts = self->node_contexts[note->node];
    switch (note->kind) {
    case NOTE_DOUBLE:
        return (!note->good || (note->flags && (note->site != note->other_site || !is_kept_at_exit(self, note)))) &&
               !class->parameter && !class->scheduling && (!note->reads || has_writer(self, note->class));
    case NOTE_SLEEP: return contexts != 1u << CONTEXT_INIT && !class->parameter;
    default: return false;
    }
}

// What makes two notes one finding. Sleeping: the acquisition, and the call in the function that made it.
static u64 note_key(const Analysis *self, const Note *note) {
    if (note->kind != NOTE_SLEEP)
        return hash_mix((u64)note->kind << 32 | note->site, note->class);
    Distance distance = note_distance(self, note);
    u64 where = (u64)self->nodes.items[distance.holder].function << 32 | note->other_site;
    return hash_mix(hash_mix(where, (u64)distance.call.line << 32 | distance.call.column), NOTE_SLEEP);
}

static void put_noted(Analysis *self, FindingList *out, const Note *note) {
    if (note->kind == NOTE_DOUBLE)
        put_double(self, out, note);
    else
        put_sleep(self, out, note);
}

static void find_noted(Analysis *self, FindingList *out) {
    Map best = {0}; // note_key() -> note + 1
    for (u32 i = 0; i < self->notes.count; i++) {
        const Note *note = &self->notes.items[i];
        if (!is_reported(self, note))
            continue;
        u32 *known = map_put(&best, note_key(self, note), NULL);
        if (!*known || is_nearer(self, note, &self->notes.items[*known - 1]))
            *known = i + 1;
    }
    for (u32 i = 0; i < self->notes.count; i++) {
        Note note = self->notes.items[i];
        u32 *known = is_reported(self, &note) ? map_get(&best, note_key(self, &note)) : NULL;
        if (known && *known == i + 1)
            put_noted(self, out, &note);
    }
    map_free(&best);
}

void find_others(Analysis *self, FindingList *out) {
    find_noted(self, out);
    find_unheld(self, out);
    find_interruptions(self, out);
    find_leaks(self, out);
}
