// fact_set.c: what is known at one point: facts sorted by kind, place and local, and the locks surely held.
// Invariant: at most one fact for each kind, place and local. Meeting keeps what both sides know; of what was let go
// since, either side's counts: such a fact may be stale.
#include "racerx/stale/stale.h"

static int compare(const KnownFact *a, u8 kind, PathId place, u32 var) {
    if (a->kind != kind)
        return a->kind < kind ? -1 : 1;
    if (a->place != place)
        return a->place < place ? -1 : 1;
    return a->var < var ? -1 : a->var > var;
}

static u32 position(const FactSet *self, u8 kind, PathId place, u32 var) {
    u32 low = 0, high = self->facts.count;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (compare(&self->facts.items[middle], kind, place, var) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

KnownFact *fact_find(FactSet *self, u8 kind, PathId place, u32 var) {
    u32 at = position(self, kind, place, var);
    bool found = at < self->facts.count && !compare(&self->facts.items[at], kind, place, var);
    return found ? &self->facts.items[at] : NULL;
}

void fact_put(FactSet *self, const KnownFact *fact) {
    u32 at = position(self, fact->kind, fact->place, fact->var);
    if (at < self->facts.count && !compare(&self->facts.items[at], fact->kind, fact->place, fact->var)) {
        self->facts.items[at] = *fact;
        return;
    }
    if (self->facts.count >= STALE_FACTS_MOST) {
        limit_reached(LIMIT_STALE_FACTS_MOST);
        self->cut = true;
        return;
    }
    array_push(&self->facts, *fact);
    memmove(self->facts.items + at + 1, self->facts.items + at, sizeof(KnownFact) * (self->facts.count - 1 - at));
    self->facts.items[at] = *fact;
}

void fact_drop(FactSet *self, u32 index) {
    memmove(self->facts.items + index, self->facts.items + index + 1,
            sizeof(KnownFact) * (self->facts.count - index - 1));
    self->facts.count--;
}

void fact_set_copy(FactSet *to, const FactSet *from) {
    to->facts.count = 0;
    array_reserve(&to->facts, from->facts.count);
    if (from->facts.count)
        memcpy(to->facts.items, from->facts.items, sizeof(KnownFact) * from->facts.count);
    to->facts.count = from->facts.count;
    to->held = from->held;
    to->reached = from->reached;
    to->cut = from->cut;
}

static bool is_before(Place a, Place b) { return a.line < b.line || (a.line == b.line && a.column < b.column); }

// What is null on one way, and was found on the other, was found.
static bool meet_found(KnownFact *self, const KnownFact *other) {
    if (other->flags & FACT_EMPTY)
        return true;
    if (self->flags & FACT_EMPTY)
        *self = *other;
    return false;
}

// The two sides of one fact: established by whichever comes first in the text, stale if either is.
static bool meet_fact(KnownFact *self, const KnownFact *other) {
    if (self->kind == FACT_FOUND && (self->flags | other->flags) & FACT_EMPTY) {
        bool was_empty = self->flags & FACT_EMPTY;
        return !meet_found(self, other) && was_empty;
    }
    u8 flags = (u8)((self->flags | other->flags) & ~(self->flags & other->flags & FACT_PROVEN ? 0 : FACT_PROVEN));
    u32 held = self->held & other->held, broken = self->broken | other->broken,
        entered = self->entered & other->entered;
    bool changed = flags != self->flags || held != self->held || broken != self->broken || entered != self->entered;
    if (is_before(other->at, self->at)) {
        self->at = other->at;
        self->access = other->access;
        self->source = other->source;
        changed = true;
    }
    if (other->released.line && (!self->released.line || is_before(other->released, self->released))) {
        self->released = other->released;
        changed = true;
    }
    if (self->mask != other->mask && self->mask) {
        self->mask = 0;
        changed = true;
    }
    self->flags = flags;
    self->held = held;
    self->broken = broken;
    self->entered = entered;
    return changed;
}

bool fact_set_meet(FactSet *self, const FactSet *other) {
    if (!self->reached) {
        fact_set_copy(self, other);
        self->reached = true;
        return true;
    }
    bool changed = self->held != (self->held & other->held) || (other->cut && !self->cut);
    self->cut |= other->cut;
    u32 kept = 0, k = 0;
    self->held &= other->held;
    for (u32 i = 0; i < self->facts.count; i++) {
        KnownFact *fact = &self->facts.items[i];
        while (k < other->facts.count && compare(&other->facts.items[k], fact->kind, fact->place, fact->var) < 0)
            k++;
        if (k == other->facts.count || compare(&other->facts.items[k], fact->kind, fact->place, fact->var) ||
            other->facts.items[k].side != fact->side)
            continue; // a branch that went either way decides nothing any more
        changed |= meet_fact(fact, &other->facts.items[k]);
        self->facts.items[kept++] = *fact;
    }
    changed |= kept != self->facts.count;
    self->facts.count = kept;
    return changed;
}

void fact_set_check(const FactSet *self) {
    check(self->facts.count <= STALE_FACTS_MOST && (self->reached || !self->facts.count));
    for (u32 i = 0; i < self->facts.count; i++) {
        const KnownFact *fact = &self->facts.items[i];
        check(!i || compare(fact - 1, fact->kind, fact->place, fact->var) < 0);
        check(fact->place || fact->var != NO_ID); // it is about something
        check(fact->at.line);
    }
}

void fact_set_free(FactSet *self) {
    array_free(&self->facts);
    *self = (FactSet){0};
}
