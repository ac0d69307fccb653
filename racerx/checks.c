// checks.c: what else the walk's notes say: a lock taken twice, sleeping where nobody may, interrupts that
// come at the wrong moment, locks left behind. One finding per place, with the shallowest way there.
#include "racerx/analysis.h"

static double note_cost(const Analysis *self, const Note *note) {
    return self->nodes.items[note->node].depth + 0.1 * self->nodes.items[note->node].conditionals;
}

static bool is_nearer(const Analysis *self, const Note *a, const Note *b) {
    double x = note_cost(self, a), y = note_cost(self, b);
    return x < y || (x == y && strcmp(class_text(self, a->class), class_text(self, b->class)) < 0);
}

static void put_common(Analysis *self, FindingList *list, Finding *finding, const Note *note) {
    const Node *node = &self->nodes.items[note->node];
    finding_add_number(list, finding, "depth", node->depth);
    finding_add_number(list, finding, "conditionals", node->conditionals);
    finding_add_number(list, finding, "global_locks", note->class ? self->classes.items[note->class].global : 0);
}

static void put_double(Analysis *self, FindingList *list, const Note *note) {
    Finding *finding = findings_add(list, KIND_DOUBLE_LOCK);
    const char *lock = class_text(self, note->class);
    finding->message = findings_text(list, "%s is taken again by its holder, which then waits for itself", lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, note->node, note->site, note->held);
    if (note->other_site != NO_ID)
        finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, note->other_site, 0)->side = 0;
    put_common(self, list, finding, note);
}

static void put_sleep(Analysis *self, FindingList *list, const Note *note) {
    Finding *finding = findings_add(list, KIND_SLEEP_IN_ATOMIC);
    const LockSite *site = &self->sites.items[note->site];
    const char *lock = class_text(self, note->class);
    if (site->class)
        finding->message = findings_text(list, "waits for %s, which may sleep, with %s%s", class_text(self, site->class), lock,
                                         note->class < CLASS_FIRST ? "" : " held");
    else
        finding->message = findings_text(list, "may sleep here with %s%s", lock, note->class < CLASS_FIRST ? "" : " held");
    finding->object = findings_text(list, "%s", site->class ? class_text(self, site->class) : "");
    finding->lock = findings_text(list, "%s", lock);
    finding_put_site(self, list, finding, ROLE_BLOCK, note->node, note->site, note->held);
    if (note->other_site != NO_ID)
        finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, note->other_site, 0)->side = 0;
    put_common(self, list, finding, note);
}

static void put_unheld(Analysis *self, FindingList *list, const Note *note) {
    Finding *finding = findings_add(list, KIND_UNLOCK_UNHELD);
    const char *lock = class_text(self, note->class);
    finding->message = findings_text(list, "%s is let go here, but no path that comes here holds it", lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_put_site(self, list, finding, ROLE_RELEASE, note->node, note->site, 0);
    put_common(self, list, finding, note);
}

// A function that lets go what it also takes, but never has it here.
static bool takes_itself(const Analysis *self, const Note *note) {
    FunctionId function = self->sites.items[note->site].function;
    for (u32 s = note->class < self->class_site.count ? self->class_site.items[note->class] : NO_ID; s != NO_ID; s = self->sites.items[s].next)
        if (self->sites.items[s].function == function && (self->sites.items[s].uses & SITE_TAKES))
            return true;
    return false;
}

static bool is_reported(const Analysis *self, const Note *note) {
    const LockClass *class = &self->classes.items[note->class];
    u32 contexts = self->node_contexts[note->node];
    switch (note->kind) {
    case NOTE_DOUBLE: return !note->good && !class->parameter && !class->scheduling;
    case NOTE_SLEEP: return contexts != 1u << CONTEXT_INIT && !class->parameter;
    case NOTE_UNHELD:
        return !note->good && !(self->sites.items[note->site].uses & SITE_PAIRED) && takes_itself(self, note) &&
               !class->parameter && class->kind != LOCK_SEMAPHORE;
    default: return false;
    }
}

static void find_noted(Analysis *self, FindingList *out) {
    Map best = {0}; // (kind, site, class) -> note + 1
    for (u32 i = 0; i < self->notes.count; i++) {
        const Note *note = &self->notes.items[i];
        if (!is_reported(self, note))
            continue;
        u32 *known = map_put(&best, hash_mix((u64)note->kind << 32 | note->site, note->kind == NOTE_SLEEP ? 0 : note->class), NULL);
        if (!*known || is_nearer(self, note, &self->notes.items[*known - 1]))
            *known = i + 1;
    }
    for (u32 i = 0; i < self->notes.count; i++) {
        const Note *note = &self->notes.items[i];
        if (!is_reported(self, note))
            continue;
        u32 *known = map_get(&best, hash_mix((u64)note->kind << 32 | note->site, note->kind == NOTE_SLEEP ? 0 : note->class));
        if (!known || *known != i + 1)
            continue;
        if (note->kind == NOTE_DOUBLE)
            put_double(self, out, note);
        else if (note->kind == NOTE_SLEEP)
            put_sleep(self, out, note);
        else
            put_unheld(self, out, note);
    }
    map_free(&best);
}

// interrupts --------------------------------------------------------------------

static void put_irq(Analysis *self, FindingList *list, ClassId class, u32 plain, u32 node, u32 handler) {
    Finding *finding = findings_add(list, KIND_IRQ_DEADLOCK);
    const char *lock = class_text(self, class);
    finding->message = findings_text(list, "%s is taken with interrupts on, and by a handler that can interrupt there and then spins on it for ever", lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, node, plain, 0);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, handler, 0);
    finding_add_number(list, finding, "depth", self->nodes.items[node].depth);
    finding_add_number(list, finding, "global_locks", self->classes.items[class].global);
}

// Are bottom halves off on every way to this node?
static bool softirqs_off(const Analysis *self, u32 node) {
    u32 count;
    LocksetId must = self->node_must[node];
    const Held *held = lockset_held(&self->locksets, must == NO_ID ? 0 : must, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == CLASS_SOFTIRQS)
            return true;
    return false;
}

typedef struct {
    u32 contexts; // of handlers that interrupt
    u32 on, off;  // SITE bits of LockSite.irqs
} Interruption;

static u32 plain_node(const LockSite *site, const Interruption *how) { return how->on == 4 ? site->node_bh : site->node_on; }

static bool is_interruptible(const Analysis *self, const LockSite *site, const Interruption *how) {
    u32 node = plain_node(site, how);
    const u32 never = 1u << CONTEXT_INTERRUPT | 1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER;
    if (!(site->irqs & how->on) || node == NO_ID || (self->node_contexts[node] & (how->on == 4 ? never : how->contexts)))
        return false;
    return self->node_contexts[node] != 1u << CONTEXT_INIT && !(how->on == 4 && softirqs_off(self, node));
}

static bool is_plainer(const Analysis *self, const LockSite *a, const LockSite *b, const Interruption *how) {
    u32 x = self->nodes.items[plain_node(a, how)].depth, y = self->nodes.items[plain_node(b, how)].depth;
    const Program *program = self->program;
    return x < y || (x == y && strcmp(program_text(program, program->functions.items[a->function].name),
                                      program_text(program, program->functions.items[b->function].name)) < 0);
}

static bool find_interruption(Analysis *self, FindingList *out, ClassId class, const Interruption *how) {
    u32 handler = NO_ID, plain = NO_ID;
    for (u32 s = self->class_site.items[class]; s != NO_ID; s = self->sites.items[s].next) {
        const LockSite *site = &self->sites.items[s];
        if (!(site->uses & SITE_TAKES) || site->try_only)
            continue;
        if (self->contexts[site->function] & how->contexts)
            handler = s;
        if (is_interruptible(self, site, how) && (plain == NO_ID || is_plainer(self, site, &self->sites.items[plain], how)))
            plain = s;
    }
    if (handler == NO_ID || plain == NO_ID || handler == plain)
        return false;
    put_irq(self, out, class, plain, plain_node(&self->sites.items[plain], how), handler);
    return true;
}

static void find_irq(Analysis *self, FindingList *out) {
    static const Interruption hard = {1u << CONTEXT_INTERRUPT, 1, 2};
    static const Interruption soft = {1u << CONTEXT_SOFTIRQ | 1u << CONTEXT_TIMER, 4, 8};
    for (ClassId class = CLASS_FIRST; class < self->class_site.count; class++)
        if (self->classes.items[class].kind == LOCK_SPIN && !self->classes.items[class].parameter &&
            !find_interruption(self, out, class, &hard))
            find_interruption(self, out, class, &soft);
}

// leaks -------------------------------------------------------------------------

static bool holds(const Analysis *self, LocksetId set, ClassId class, u32 *site) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class && !(held[i].flags & (HELD_OUTER | HELD_ASSERTED))) {
            *site = held[i].site;
            return true;
        }
    return false;
}

static void put_leak(Analysis *self, FindingList *list, u32 node, const Outcome *outcome, ClassId class, u32 site) {
    Finding *finding = findings_add(list, KIND_LOCK_LEAK);
    const char *lock = class_text(self, class);
    FunctionId function = self->nodes.items[node].function;
    Place place = self->skeletons[function].blocks[outcome->block].place;
    finding->message = findings_text(list, "%s is still held on this return, and not on others", lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    u32 end = site_make(self, function, place);
    finding_put_site(self, list, finding, ROLE_RETURN, node, end, outcome->raw);
    finding_put_site(self, list, finding, ROLE_ACQUIRE, NO_ID, site, 0)->side = 0;
    Note note = {.node = node, .class = class};
    put_common(self, list, finding, &note);
}

// Does the function's own text let it go somewhere?
static bool releases_itself(const Analysis *self, FunctionId function, ClassId class) {
    const Skeleton *skeleton = &self->skeletons[function];
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; s < skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++)
                if (self->operations.items[step->effect + i].class == class &&
                    self->operations.items[step->effect + i].effect->kind == EFFECT_RELEASE)
                    return true;
        }
    return false;
}

// Exits with and without the lock, in a function that lets it go itself or says the same to its caller on both,
// and no caller that lets it go.
static void leaks_of(Analysis *self, FindingList *list, u32 node, Map *seen) {
    const Node *info = &self->nodes.items[node];
    for (u32 i = 0; i < info->outcome_count; i++) {
        Outcome outcome = self->outcomes.items[info->outcome + i];
        u32 count;
        lockset_held(&self->locksets, outcome.raw, &count);
        for (u32 k = 0; k < count; k++) {
            Held held = lockset_held(&self->locksets, outcome.raw, &count)[k];
            u32 site;
            if (held.class < CLASS_FIRST || !holds(self, outcome.raw, held.class, &site) || site == NO_ID)
                continue;
            const LockClass *class = &self->classes.items[held.class];
            bool own = releases_itself(self, info->function, held.class), here = self->sites.items[site].function == info->function;
            if (class->parameter || class->local || class->kind == LOCK_SEMAPHORE || (!own && !here))
                continue;
            bool other = false;
            u32 unused;
            for (u32 j = 0; j < info->outcome_count && !other; j++) {
                const Outcome *second = &self->outcomes.items[info->outcome + j];
                other = (own || (second->mask & outcome.mask)) && !holds(self, second->raw, held.class, &unused);
            }
            bool fresh = false;
            if (other && !releases_in_callers(self, info->function, held.class))
                map_put(seen, (u64)info->function << 32 | held.class, &fresh);
            if (fresh)
                put_leak(self, list, node, &outcome, held.class, site);
        }
    }
}

void find_others(Analysis *self, FindingList *out) {
    find_noted(self, out);
    find_irq(self, out);
    Map seen = {0};
    for (u32 n = 0; n < self->nodes.count; n++)
        leaks_of(self, out, n, &seen);
    map_free(&seen);
}
