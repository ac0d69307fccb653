// awaited.c: waiting for a signal with a lock held that whoever gives the signal must take first.
// In: notes of waits (completions, semaphores that signal, barriers, condition variables) with the locks held,
// skeletons, who takes what. Out: findings of kind deadlock. The idea: a signal that can be given without the lock may
// come; one that every giver takes the lock for cannot while it is held. So every place in sight that gives it is asked
// whether the lock is taken on every way there: from where its thread begins, and from the place round a loop to itself
// (what was taken long ago is taken no more). One place that cannot be told, or that nothing reaches, says that nothing
// is known.
#include "racerx/check/waits.h"

#define TAKEN_DEEP 4 // calls below a way in which the lock is looked for
#define GIVEN_UP 12  // calls above a signal

typedef struct {
    u32 node, step; // Skeleton.steps
    u32 function;
} Giver;

typedef struct {
    Waits *waits;
    Analysis *analysis;
    Map first_giver;     // class: first of `givers`, plus 1
    Array(Giver) givers; // by node
    U32Array next_giver; // likewise: the next of the same class, plus 1
    Map unknown;         // class: it is given where no node is
    u32 took_node, took; // the acquisition that was met last
} Awaited;

// One word for a lock or signal that has several: by the type that it is in.
static ClassId plain_class(const Analysis *self, ClassId class) {
    while (self->classes.items[class].base)
        class = self->classes.items[class].base;
    return class;
}

// givers ----------------------------------------------------------------------------

static void giver_put(Awaited *self, ClassId class, Giver giver) {
    array_push(&self->givers, giver);
    u32 *first = map_put(&self->first_giver, class, NULL);
    array_push(&self->next_giver, *first);
    *first = self->givers.count;
}

// What a step gives, as the function has it; 0: nothing.
static ClassId given_by(const Analysis *self, const SkeletonStep *step, u32 effect) {
    if (step->kind == STEP_SIGNAL)
        return step->mask == SIGNAL_WAIT || step->mask == SIGNAL_SLEEP ? 0 : step->effect;
    const LockOperation *operation = &self->operations.items[step->effect + effect];
    bool posts = operation->effect->kind == EFFECT_RELEASE && lock_has(operation->effect->lock, TRAIT_SIGNALS);
    return posts ? operation->class : 0;
}

static void gather_giver(Awaited *self, FunctionId function, u32 step, ClassId class) {
    const Analysis *analysis = self->analysis;
    u32 node = self->waits->first_node[function];
    if (class < CLASS_FIRST)
        return;
    if (!node)
        *map_put(&self->unknown, plain_class(analysis, class), NULL) = 1;
    for (; node; node = self->waits->next_node[node - 1])
        giver_put(self, plain_class(analysis, bound_class(analysis, &analysis->nodes.items[node - 1], class)),
                  (Giver){node - 1, step, function});
}

static void gather_givers(Awaited *self) {
    const Analysis *analysis = self->analysis;
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        for (u32 s = 0; s < analysis->skeletons[f].step_count; s++) {
            const SkeletonStep *step = &analysis->skeletons[f].steps[s];
            u32 count = step->kind == STEP_SIGNAL ? 1 : step->kind == STEP_LOCK ? step->effect_count : 0;
            for (u32 i = 0; i < count; i++)
                gather_giver(self, f, s, given_by(analysis, step, i));
        }
}

// is it taken on every way? ------------------------------------------------------------

static bool same_place(Place a, Place b) { return a.line == b.line && a.column == b.column; }

static bool always_takes(Awaited *self, u32 node, ClassId class, u32 depth);

// Is the lock surely taken in this step of a node?
static bool step_takes(Awaited *self, u32 node, const SkeletonStep *step, ClassId class, u32 depth) {
    const Analysis *analysis = self->analysis;
    const U32Array *taken = &self->waits->taken[node], *callees = &self->waits->callees[node];
    for (u32 i = 0; step->kind == STEP_LOCK && i < taken->count; i++) {
        const Acquisition *one = &analysis->acquisitions.items[taken->items[i]];
        if (plain_class(analysis, one->class) != plain_class(analysis, class) || one->flags & HELD_TRY ||
            !same_place(analysis->sites.items[one->site].place, step->place))
            continue;
        self->took = taken->items[i];
        self->took_node = node;
        return true;
    }
    bool all = false;
    for (u32 i = 0; step->kind == STEP_CALL && depth < TAKEN_DEEP && i < callees->count; i++) {
        if (!same_place(analysis->edge_places.items[callees->items[i]], step->place))
            continue;
        all = always_takes(self, analysis->edge_pairs.items[2 * callees->items[i] + 1], class, depth + 1);
        if (!all)
            return false;
    }
    return all;
}

typedef struct {
    const Skeleton *skeleton;
    u32 node, depth;
    ClassId class;
    u32 target; // a step; NO_ID: where the function returns
} SignalSearch;

// From a step of a block on, is the target met before the lock is taken? `open`: the block's end is come to.
static bool meets_target(Awaited *self, const SignalSearch *search, u32 block, u32 from, bool *open) {
    const SkeletonBlock *one = &search->skeleton->blocks[block];
    *open = false;
    for (u32 s = from; s < one->step + one->step_count; s++) {
        if (s == search->target)
            return true;
        if (step_takes(self, search->node, &search->skeleton->steps[s], search->class, search->depth))
            return false;
    }
    *open = true;
    return search->target == NO_ID && one->term == TERM_RETURN;
}

// Is there a way from this step to the target on which the lock is not taken?
static bool comes_without(Awaited *self, const SignalSearch *search, u32 block, u32 from) {
    const Skeleton *skeleton = search->skeleton;
    u8 *seen = must_zero(skeleton->block_count + 1u);
    U32Array work = {0};
    bool open, found = meets_target(self, search, block, from, &open);
    for (u32 i = 0; open && i < skeleton->blocks[block].successor_count; i++)
        array_push(&work, skeleton->successors[skeleton->blocks[block].successor + i]);
    while (!found && work.count) {
        u32 next = work.items[--work.count];
        if (seen[next])
            continue;
        seen[next] = 1;
        found = meets_target(self, search, next, skeleton->blocks[next].step, &open);
        for (u32 i = 0; open && i < skeleton->blocks[next].successor_count; i++)
            array_push(&work, skeleton->successors[skeleton->blocks[next].successor + i]);
    }
    array_free(&work);
    free(seen);
    return found;
}

static bool always_takes(Awaited *self, u32 node, ClassId class, u32 depth) {
    const Skeleton *skeleton = &self->analysis->skeletons[self->analysis->nodes.items[node].function];
    SignalSearch search = {skeleton, node, depth, class, NO_ID};
    return skeleton->block_count && !comes_without(self, &search, 0, skeleton->blocks[0].step);
}

static u32 block_of(const Skeleton *skeleton, u32 step) {
    for (u32 b = 0; b < skeleton->block_count; b++)
        if (step >= skeleton->blocks[b].step && step < skeleton->blocks[b].step + skeleton->blocks[b].step_count)
            return b;
    return NO_ID;
}

static u32 step_at(const Skeleton *skeleton, Place place) {
    for (u32 s = 0; s < skeleton->step_count; s++)
        if (skeleton->steps[s].kind == STEP_CALL && same_place(skeleton->steps[s].place, place))
            return s;
    return NO_ID;
}

// Must the lock be taken each time that this step is come to?
static bool is_needed(Awaited *self, u32 node, u32 step, ClassId class, u32 above) {
    const Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[analysis->nodes.items[node].function];
    SignalSearch search = {skeleton, node, 0, class, step};
    u32 block = step == NO_ID ? NO_ID : block_of(skeleton, step);
    if (block == NO_ID || above > GIVEN_UP || comes_without(self, &search, block, step + 1))
        return false;
    if (!comes_without(self, &search, 0, skeleton->blocks[0].step))
        return true;
    const U32Array *callers = &self->waits->callers[node];
    if (!callers->count || analysis->nodes.items[node].is_root)
        return false;
    for (u32 i = 0; i < callers->count; i++) {
        u32 caller = analysis->edge_pairs.items[2 * callers->items[i]];
        const Skeleton *calling = &analysis->skeletons[analysis->nodes.items[caller].function];
        u32 at = step_at(calling, analysis->edge_places.items[callers->items[i]]);
        if (caller == node || !is_needed(self, caller, at, class, above + 1))
            return false;
    }
    return true;
}

// findings ---------------------------------------------------------------------------

// Does whoever waits also give it, in the same function: a semaphore that is a lock?
static bool is_own(const Awaited *self, ClassId class, FunctionId waiting, bool meets) {
    const u32 *first = map_get(&self->first_giver, class);
    for (u32 g = first ? *first : 0; g && !meets; g = self->next_giver.items[g - 1])
        if (self->givers.items[g - 1].function == waiting)
            return true;
    return false;
}

static bool all_need(Awaited *self, ClassId signal, ClassId class) {
    u32 count = 0;
    for (u32 g = *map_put(&self->first_giver, signal, NULL); g; g = self->next_giver.items[g - 1], count++)
        if (!is_needed(self, self->givers.items[g - 1].node, self->givers.items[g - 1].step, class, 0))
            return false;
    return count && !map_get(&self->unknown, signal);
}

static bool is_meeting(const Analysis *self, const Note *note) {
    const Skeleton *skeleton = &self->skeletons[self->nodes.items[note->node].function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        if (skeleton->steps[s].kind == STEP_SIGNAL && skeleton->steps[s].mask == SIGNAL_MEET &&
            same_place(skeleton->steps[s].place, note->place))
            return true;
    return false;
}

static void put_awaited(Awaited *self, FindingList *list, const Note *note, LocksetId held, ClassId class) {
    Analysis *analysis = self->analysis;
    Finding *finding = findings_add(list, KIND_DEADLOCK);
    Acquisition taken = analysis->acquisitions.items[self->took];
    const char *lock = class_text(analysis, class), *signal = class_text(analysis, note->class);
    finding->message =
        findings_text(list, "waits for a signal of %s with %s held, which whoever gives it takes first", signal, lock);
    finding->object = finding->lock = findings_text(list, "%s", lock);
    finding_add_object(list, finding, lock);
    u32 waiting = wait_node(self->waits, note->node, note->held, class);
    Site *wait = finding_put_site(analysis, list, finding, ROLE_WAIT, waiting, note->site,
                                  shown_held(analysis, note->held, held, class));
    wait->object = findings_text(list, "%s", signal);
    finding_put_site(analysis, list, finding, ROLE_ACQUIRE, self->took_node, taken.site, taken.held);
    u32 depth = node_depth(analysis, waiting), levels = node_depth(analysis, self->took_node);
    finding_add_number(list, finding, "threads", 2);
    finding_add_number(list, finding, "depth", depth + levels);
    finding_add_number(list, finding, "wait_depth", depth);
    finding_add_number(list, finding, "between_calls", levels);
    finding_add_number(list, finding, "global_locks", analysis->classes.items[class].global);
    finding_add_number(list, finding, "take_depth", levels);
    finding_add_text(list, finding, "cause", "wait");
}

// One finding for each wait and lock, of the nearest way.
void find_awaited(Waits *waits, FindingList *out) {
    Awaited self = {.waits = waits, .analysis = waits->analysis};
    Map seen = {0};
    gather_givers(&self);
    for (u32 i = 0; i < waits->analysis->notes.count; i++) {
        Note note = waits->analysis->notes.items[i];
        ClassId signal = note.kind == NOTE_AWAIT ? plain_class(waits->analysis, note.class) : 0;
        if (!signal || note.node >= waits->node_count || !map_get(&self.first_giver, signal))
            continue;
        LocksetId all = held_at(waits, note.node, note.held);
        bool meets = is_meeting(waits->analysis, &note);
        HeldSet held;
        held_load(&held, &waits->analysis->locksets, all);
        for (u32 k = 0; k < held.count; k++) {
            ClassId class = held.items[k].class;
            u64 pair = (u64)note.site << 32 | class;
            bool slept = (held.items[k].flags & HELD_SPINS) && !waits->analysis->follows_threads; // told as that
            if (slept || plain_class(waits->analysis, class) == signal ||
                held.items[k].flags & (HELD_SHARED | HELD_ASSERTED) || !is_telling_lock(waits->analysis, class) ||
                map_get(&seen, pair) ||
                is_own(&self, signal, waits->analysis->nodes.items[note.node].function, meets) ||
                !all_need(&self, signal, class))
                continue;
            *map_put(&seen, pair, NULL) = 1;
            put_awaited(&self, out, &note, all, class);
        }
        held_end(&held);
    }
    map_free(&seen);
    map_free(&self.first_giver);
    map_free(&self.unknown);
    array_free(&self.givers);
    array_free(&self.next_giver);
}
