// record.c: what is met with which locks, node by node.
// In: lock operations and STEP_ACCESS steps as the walk meets them. Out: when all ways through a node are walked,
// Analysis.met and node_accesses, each thing once for a place and a set of locks. Of accesses: a lock that nobody will
// let go was not really held: the unlockset correction leaves it out, and the record says so.
#include "racerx/walk/walk.h"

// The chain is short: the sets that reach one block are few.
void event_put(Frame *self, LockEvent event) {
    event.at = frame_point(self);
    event.first = event.fewest = self->conditionals;
    for (u32 i = self->event_first.items[self->block]; i; i = self->events.items[i - 1].next) {
        LockEvent *known = &self->events.items[i - 1].event;
        if (known->at.step != event.at.step || known->kind != event.kind || known->held != event.held ||
            known->site != event.site || known->class != event.class || known->path != event.path ||
            known->other != event.other || known->flags != event.flags)
            continue;
        known->fewest = event.fewest < known->fewest ? event.fewest : known->fewest;
        return;
    }
    array_push(&self->events, ((FrameEvent){event, self->event_first.items[self->block]}));
    self->event_first.items[self->block] = self->events.count;
}

void frame_keep_events(Frame *self) {
    for (u32 i = 0; i < self->events.count; i++)
        array_push(&self->walk->analysis->met, self->events.items[i].event);
}

void frame_put_access(Frame *self, LocksetId set) {
    array_push(&self->accesses, ((FrameAccess){self->block, self->step, set}));
}

static int compare_accesses(const void *left, const void *right) {
    const FrameAccess *a = left, *b = right;
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->set < b->set ? -1 : a->set > b->set;
}

static LocksetId surely_held(Frame *self, LocksetId set, bool *unsure) {
    Analysis *analysis = self->walk->analysis;
    HeldSet held;
    held_load(&held, &analysis->locksets, set);
    u32 kept = 0, doubted = 0, count = held.count;
    for (u32 i = 0; i < held.count; i++)
        if (held.items[i].flags & HELD_DOUBTED)
            doubted++;
        else if (held.items[i].class < CLASS_FIRST || is_let_go_later(analysis, frame_point(self), &held.items[i]))
            held.items[kept++] = held.items[i];
    *unsure = kept + doubted < count;
    held.count = kept;
    if (kept < count)
        set = held_intern(&held, &analysis->locksets);
    else
        held_end(&held);
    return set;
}

void frame_keep_accesses(Frame *self) {
    Analysis *analysis = self->walk->analysis;
    if (self->accesses.count > 1)
        qsort(self->accesses.items, self->accesses.count, sizeof(FrameAccess), compare_accesses);
    for (u32 i = 0; i < self->accesses.count; i++) {
        const FrameAccess *one = &self->accesses.items[i];
        if (i && !compare_accesses(one, one - 1))
            continue;
        const SkeletonStep *step = &self->skeleton->steps[self->skeleton->blocks[one->block].step + one->step];
        bool call = step->kind == STEP_CALL;
        NodeAccess record = {self->node, call ? step->source - 1 : step->effect, call ? 1 : step->effect_count,
                             one->set, false};
        self->block = one->block;
        self->step = one->step;
        if (one->set)
            record.held = surely_held(self, one->set, &record.unsure);
        array_push(&analysis->node_accesses, record);
    }
}

// Nothing below takes, or lets go of, anything: every step is met once, with nothing held.
void walk_flat(Walk *self, u32 node) {
    Analysis *analysis = self->analysis;
    Frame frame = {.walk = self, .node = node, .function = analysis->nodes.items[node].function};
    frame.skeleton = &analysis->skeletons[frame.function];
    analysis->nodes.items[node].state = 1;
    self->depth++;
    for (u32 s = 0; s < frame.skeleton->step_count; s++) {
        const SkeletonStep *step = &frame.skeleton->steps[s];
        if (step->kind == STEP_ACCESS)
            array_push(&analysis->node_accesses, ((NodeAccess){node, step->effect, step->effect_count, 0, false}));
        if (step->kind == STEP_CALL && step->source)
            array_push(&analysis->node_accesses, ((NodeAccess){node, step->source - 1, 1, 0, false}));
        if (step->kind == STEP_CALL)
            reach_flat_call(&frame, step);
    }
    self->depth--;
    analysis->nodes.items[node].outcome = analysis->outcomes.count;
    analysis->nodes.items[node].state = 2;
}
