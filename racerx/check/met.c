// met.c: what follows from what the walk met at lock operations.
// In: Events.met, the locks held each time. Out: acquisitions that order after what callers hold, order edges with
// their witnesses, notes that the checks judge (a lock taken twice, sleeping where nobody may, what is let go unheld,
// waits), and what each site is used for. A lock that nobody lets go later was not really held: the unlockset
// correction leaves it out.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    const LockEvent *event;
    HeldSet held;
    Map acquired; // (node, site): Analysis.acquisitions has it
    Map good;     // (node, site, class): it was taken by somebody who did not hold it
} MetReader;

static bool is_cpu(ClassId class) { return class && class < CLASS_FIRST; }

static bool is_sure(const MetReader *self, const Held *held) {
    return is_let_go_later(self->analysis, self->event->at, held);
}

// CPU state that was changed on taking a lock goes with it.
static bool goes_with(const Analysis *analysis, const Held *state, ClassId lock) {
    return is_cpu(state->class) && state->site != NO_ID && state->count == 1 &&
           analysis->sites.items[state->site].class == lock;
}

static LocksetId sure_locks(const MetReader *self) {
    const Held *held = self->held.items;
    HeldSet kept, unsure;
    held_begin(&kept);
    held_begin(&unsure);
    for (u32 i = 0; i < self->held.count; i++) {
        bool sure = is_sure(self, &held[i]);
        held_push(sure || is_cpu(held[i].class) ? &kept : &unsure, held[i]);
        if (!sure && is_cpu(held[i].class))
            kept.items[kept.count - 1].flags |= HELD_VAGUE;
    }
    for (u32 i = 0; i < unsure.count; i++)
        for (u32 k = kept.count; k-- > 0;)
            if (goes_with(self->analysis, &kept.items[k], unsure.items[i].class))
                held_remove(&kept, k);
    held_end(&unsure);
    return held_intern(&kept, &self->analysis->locksets);
}

static void put_acquisition(MetReader *self, LocksetId held) {
    const LockEvent *event = self->event;
    bool fresh;
    map_put(&self->acquired, (u64)event->at.node << 32 | event->site, &fresh);
    if (fresh)
        array_push(&self->analysis->acquisitions,
                   ((Acquisition){event->at.node, event->site, event->class, held, event->flags, event->sleeps}));
}

// notes -------------------------------------------------------------------------

static u64 note_key(const LockEvent *event, u8 kind, ClassId class) {
    return hash_mix((u64)event->at.node << 8 | kind, (u64)event->site << 32 | class);
}

static Note *put_note(MetReader *self, u8 kind, ClassId class) {
    Analysis *analysis = self->analysis;
    const LockEvent *event = self->event;
    bool fresh;
    u32 *index = map_put(&analysis->note_index, note_key(event, kind, class), &fresh);
    if (fresh) {
        Note note = {.kind = kind,
                     .node = event->at.node,
                     .holder = event->at.node,
                     .site = event->site,
                     .other_site = NO_ID,
                     .class = class,
                     .fact = event->first};
        array_push(&analysis->notes, note);
        *index = analysis->notes.count;
    }
    Note *note = &analysis->notes.items[*index - 1];
    note->place = analysis->sites.items[event->site].place;
    return note;
}

static void note_sleep(MetReader *self) {
    LocksetId sure = sure_locks(self);
    Held held;
    if (!innermost_atomic(self->analysis, self->event->at.node, sure, &held))
        return;
    u32 taken = lock_site(self->analysis, self->event->at.node, &held);
    Note *note = put_note(self, NOTE_SLEEP, held.class);
    note->held = sure;
    note->other_site = taken;
}

// order -------------------------------------------------------------------------

static bool has_held(const Analysis *self, LocksetId set, ClassId class) {
    u32 count;
    const Held *held = lockset_held(&self->locksets, set, &count);
    for (u32 i = 0; i < count; i++)
        if (held[i].class == class)
            return true;
    return false;
}

// A witness for each two places; and one more where only some come with the second lock held already: these wait for
// nobody by it, those do.
void edge_put(Analysis *analysis, ClassId from, ClassId to, Witness witness) {
    bool fresh;
    u32 *index = map_put(&analysis->edge_index, (u64)from << 32 | to, &fresh);
    if (fresh) {
        array_push(&analysis->edges, ((OrderEdge){from, to, NO_ID, 0}));
        *index = analysis->edges.count;
    }
    OrderEdge *edge = &analysis->edges.items[*index - 1];
    promised(edge->from == from && edge->to == to && from < analysis->classes.count && to < analysis->classes.count);
    u32 seen = 0;
    bool has = has_held(analysis, witness.held, to), known = false;
    for (u32 w = edge->witness; w != NO_ID; w = analysis->witnesses.items[w].next, seen++) {
        const Witness *one = &analysis->witnesses.items[w];
        if (one->site != witness.site || one->held_site != witness.held_site)
            continue;
        known = true;
        if (has || !has_held(analysis, one->held, to))
            return;
    }
    edge->count += !known;
    if (seen >= WITNESSES_MOST) {
        limit_reached(LIMIT_WITNESSES_MOST);
        return;
    }
    witness.next = edge->witness;
    array_push(&analysis->witnesses, witness);
    edge->witness = analysis->witnesses.count - 1;
}

static Witness witness_of(const MetReader *self, const Held *held, LocksetId sure, u16 flags) {
    u32 node = self->event->at.node;
    return (Witness){node, lock_site(self->analysis, node, held), self->event->site, sure, (u8)held->flags, (u8)flags,
                     NO_ID};
}

#define ELEMENT_STEPS 8 // on the way to a lock in an element of a global array

// `accounts[0].lock`, `locks[LOCK_LIST]`: a lock in an element of a global array whose indices are constants; 0: it is
// none.
static ClassId class_of_element(Analysis *analysis, ClassId class, PathId path) {
    const Path *paths = analysis->paths.paths.items;
    u32 steps[ELEMENT_STEPS], count = 0;
    bool element = false;
    for (; paths[path].depth && count < ELEMENT_STEPS; path = paths[path].parent) {
        u32 step = paths[path].step, member = step_name(step);
        bool number = !step_is_up(step) && step_is_number(step);
        if (step_is_up(step) ||
            (!number && (member >= STEP_INDEXED || member <= STEP_ELEMENT || step_is_pointer(step))))
            return 0;
        element |= number;
        steps[count++] = step;
    }
    if (paths[path].depth || paths[path].root != ROOT_GLOBAL || !element)
        return 0;
    Buffer text = {0};
    Object global = {.kind = OBJECT_GLOBAL, .global = paths[path].step};
    object_name(analysis->program, &global, &text);
    while (count) {
        u32 member = steps[--count] >> 1;
        if ((member & STEP_NAMED) == STEP_NAMED)
            buffer_format(&text, "[%s]", program_text(analysis->program, member & STEP_VALUE));
        else if (member >= STEP_INDEXED)
            buffer_format(&text, "[%u]", member & ~STEP_INDEXED);
        else
            buffer_format(&text, ".%s", program_text(analysis->program, member));
    }
    ClassId told = class_intern(analysis, program_intern(analysis->program, (char *)text.bytes, (u32)text.size), true);
    buffer_free(&text);
    analysis->classes.items[told].kind = analysis->classes.items[class].kind;
    return told;
}

// `shop->lock`: a lock in what a global pointer points to, which is taken for another object than what another one
// points to; 0: it is none.
static ClassId class_behind(Analysis *analysis, ClassId class, PathId path) {
    const Path *paths = analysis->paths.paths.items;
    u32 steps[ELEMENT_STEPS], count = 0, pointers = 0;
    for (; paths[path].depth && count < ELEMENT_STEPS; path = paths[path].parent) {
        u32 step = paths[path].step;
        if (step_is_up(step) || step >> 1 >= STEP_INDEXED || step >> 1 == STEP_ELEMENT)
            return 0;
        pointers += step & 1;
        steps[count++] = step;
    }
    if (paths[path].depth || paths[path].root != ROOT_GLOBAL || !pointers)
        return 0;
    Buffer text = {0};
    Object global = {.kind = OBJECT_GLOBAL, .global = paths[path].step};
    object_name(analysis->program, &global, &text);
    while (count--)
        if (steps[count] >> 1)
            buffer_format(&text, "%s%s", steps[count] & 1 ? "->" : ".",
                          program_text(analysis->program, steps[count] >> 1));
    ClassId behind =
        class_intern(analysis, program_intern(analysis->program, (char *)text.bytes, (u32)text.size), false);
    buffer_free(&text);
    analysis->classes.items[behind].kind = analysis->classes.items[class].kind;
    return behind;
}

// The place with what the caller told of the parameter that it begins at.
static PathId told_path(const MetReader *self, PathId path) {
    Analysis *analysis = self->analysis;
    PathId root = path_first(&analysis->paths, path);
    const Path *first = &analysis->paths.paths.items[root];
    const Node *node = &analysis->nodes.items[self->event->at.node];
    PathId bound = path && first->root == ROOT_PARAM ? node_binding(analysis, node, BIND_DATA, first->step) : 0;
    return bound ? path_rebase(&analysis->paths, path, root, bound, true) : path;
}

// The class of one lock that the caller told the function of; 0: it is any of its type.
static ClassId class_told(const MetReader *self, ClassId class, PathId path) {
    Analysis *analysis = self->analysis;
    Held held = {.class = class, .path = told_path(self, path)};
    ClassId element = held.path ? class_of_element(analysis, class, held.path) : 0;
    element = element || !held.path ? element : class_behind(analysis, class, held.path);
    if (element)
        return element;
    if (held.path)
        name_by_path(analysis, &held);
    return held.class != class && analysis->classes.items[held.class].global ? held.class : 0;
}

// The variable that an expression starts from; NO_ID: none. The first ones are parameters.
static u32 parameter_at(const Body *body, ExprId id) {
    for (u32 depth = 0; depth < 16; depth++) {
        const Expr *expr = &body->exprs.items[id];
        if (expr->kind == EXPR_VAR)
            return expr->a;
        if (expr->kind != EXPR_MEMBER && expr->kind != EXPR_DEREF && expr->kind != EXPR_ADDRESS &&
            expr->kind != EXPR_CAST && expr->kind != EXPR_INDEX)
            return NO_ID;
        id = expr->a;
    }
    return NO_ID;
}

static u32 parameter_of_path(const Analysis *self, PathId path) {
    const Path *root = &self->paths.paths.items[path_first(&self->paths, path)];
    return path && root->root == ROOT_PARAM ? root->step : NO_ID;
}

// Does the function ask which of the two things that it is given comes first, by address, number or name? Then it takes
// their locks in that order, whoever is called which.
static bool orders_its_own(const MetReader *self, const Held *held) {
    const Analysis *analysis = self->analysis;
    u32 one = parameter_of_path(analysis, held->path), other = parameter_of_path(analysis, self->event->path);
    Body body = {0};
    bool found = false;
    if (one == NO_ID || other == NO_ID ||
        !program_body(analysis->program, analysis->nodes.items[self->event->at.node].function, &body))
        return false;
    for (u32 i = 1; i < body.exprs.count && !found; i++) {
        const Expr *expr = &body.exprs.items[i];
        if (expr->kind != EXPR_BINARY || expr->op < OP_LT || expr->op > OP_GE)
            continue;
        u32 left = parameter_at(&body, expr->a), right = parameter_at(&body, expr->b);
        found = (left == one && right == other) || (left == other && right == one);
    }
    body_free(&body);
    return found;
}

// Can it stand first in an order? CPU state, what has no name of its own and what keeps nobody waiting cannot.
static bool is_ordered(const Analysis *self, const Held *held, ClassId to) {
    const LockClass *class = &self->classes.items[held->class];
    return held->class >= CLASS_FIRST && held->class != to && !class->parameter && !class->local && !class->thread &&
           !lock_has(class->kind, TRAIT_READS) && !(held->flags & HELD_LOOKS);
}

#define OF_ONE_CLASS 2 // held: of more, as a recursion over a tree has them, the first few say it all

static bool are_few(const MetReader *self, ClassId class) {
    u32 count = 0;
    for (u32 i = 0; i < self->held.count; i++)
        count += self->held.items[i].class == class;
    return count <= OF_ONE_CLASS;
}

// Two objects of one type: which, and in which order, is asked later (couples.c).
static void put_couple(MetReader *self, const Held *held, Witness witness) {
    Analysis *analysis = self->analysis;
    const LockEvent *event = self->event;
    ClassId class = event->class;
    bool meant = (event->flags & HELD_NESTED) || analysis->classes.items[class].recursive ||
                 analysis->classes.items[class].vague;
    if (meant || !held->path || !event->path || witness.held_site == NO_ID || !is_ordered(analysis, held, 0) ||
        !are_few(self, class) || !is_sure(self, held))
        return;
    u64 key = hash_mix(class, (u64)witness.held_site << 32 | witness.site);
    u32 *known = map_put(&analysis->couple_index, key, NULL);
    if (!limit_cuts(LIMIT_COUPLES_MOST, *known >= COUPLES_MOST)) {
        ++*known;
        array_push(&analysis->couples, ((Couple){witness, class, held->path, self->event->path}));
    }
}

// Is the lock behind a pointer that is a member of a global: `window.priv->lock`? It may be another global's own.
static bool is_behind_member(const MetReader *self, PathId path) {
    const PathTable *paths = &self->analysis->paths;
    path = told_path(self, path);
    if (!path_goes_through_pointer(paths, path))
        return false;
    while (paths->paths.items[path].depth > 1)
        path = paths->paths.items[path].parent;
    return !step_is_pointer(paths->paths.items[path].step);
}

// Two locks of one class, by the objects that the caller gave: left before right.
static void put_edge_within(MetReader *self, const Held *held, Witness witness) {
    ClassId first = class_told(self, held->class, held->path),
            second = class_told(self, self->event->class, self->event->path);
    bool alike = is_behind_member(self, held->path) == is_behind_member(self, self->event->path);
    if (!first || !second || first == second || !alike) {
        put_couple(self, held, witness);
        return;
    }
    if (!is_sure(self, held) || orders_its_own(self, held))
        return;
    HeldSet told; // what is held by the same names: the other's lock is no gate
    held_load(&told, &self->analysis->locksets, witness.held);
    for (u32 i = 0; i < told.count; i++) {
        ClassId class = is_cpu(told.items[i].class) ? 0 : class_told(self, told.items[i].class, told.items[i].path);
        told.items[i].class = class ? class : told.items[i].class;
    }
    witness.held = held_intern(&told, &self->analysis->locksets);
    edge_put(self->analysis, first, second, witness);
}

// A lock that is let go while its holder sleeps.
static bool gives_way(const Analysis *self, const Held *held, const LockEvent *event) {
    return self->classes.items[held->class].lets_go && !self->options.no_release_on_block &&
           (event->sleeps || lock_has(self->classes.items[event->class].kind, TRAIT_PARKS));
}

static void put_edges(MetReader *self) {
    Analysis *analysis = self->analysis;
    const LockEvent *event = self->event;
    ClassId to = event->class;
    if ((event->flags & HELD_TRY) || analysis->classes.items[to].parameter || analysis->classes.items[to].local)
        return;
    LocksetId sure = sure_locks(self);
    u32 left;
    lockset_held(&analysis->locksets, sure, &left);
    put_acquisition(self, sure);
    u16 flags = (u16)(event->flags | (left < self->held.count ? HELD_CORRECTED : 0));
    for (u32 i = 0; i < self->held.count; i++) {
        const Held *held = &self->held.items[i];
        if (held->class == to)
            put_edge_within(self, held, witness_of(self, held, sure, flags));
        else if (is_ordered(analysis, held, to) && !gives_way(analysis, held, event) && is_sure(self, held))
            edge_put(analysis, held->class, to, witness_of(self, held, sure, flags));
    }
}

// A callee took what only its caller can name: it is ordered there.
static void put_named(MetReader *self) {
    Analysis *analysis = self->analysis;
    const LockEvent *event = self->event;
    LockSite *site = &analysis->sites.items[event->site];
    site->uses |= SITE_TAKES;
    site->try_only = 0;
    put_acquisition(self, event->held);
    for (u32 i = 0; i < self->held.count; i++) {
        const Held *held = &self->held.items[i];
        if (is_ordered(analysis, held, event->class) && is_assured(analysis, event->at, held))
            edge_put(analysis, held->class, event->class, witness_of(self, held, event->held, event->flags));
    }
}

// Out of the tree: who is called there may come back.
static void put_outcall(MetReader *self) {
    const LockEvent *event = self->event;
    array_push(
        &self->analysis->outcalls,
        ((Outcall){event->at.node, event->class, self->analysis->sites.items[event->site].place, sure_locks(self)}));
}

// each kind of event ----------------------------------------------------------------

static void use_site(const MetReader *self) {
    LockSite *site = &self->analysis->sites.items[self->event->site];
    u32 fewest = self->event->fewest;
    site->conditionals = site->uses & SITE_TAKES && site->conditionals < fewest ? site->conditionals : fewest;
    site->uses |= SITE_TAKES;
    site->try_only &= (self->event->flags & HELD_TRY) != 0;
}

static void read_take(MetReader *self) {
    const LockEvent *event = self->event;
    u64 key = note_key(event, NOTE_DOUBLE, event->class);
    u32 *bad = map_get(&self->analysis->note_index, key);
    if (bad)
        self->analysis->notes.items[*bad - 1].good = true;
    map_put(&self->good, key, NULL); // in case an error comes later
    if (event->sleeps && !(event->flags & HELD_TRY))
        note_sleep(self);
    use_site(self);
    put_edges(self);
}

static void read_again(MetReader *self) {
    const LockEvent *event = self->event;
    Note *note = put_note(self, NOTE_DOUBLE, event->class);
    note->good |= map_get(&self->good, note_key(event, NOTE_DOUBLE, event->class)) != NULL;
    note->flags |= event->here;
    note->reads = (event->flags & HELD_SHARED) != 0;
    note->other_site = event->other;
    note->held = event->held;
}

static void read_let_go(MetReader *self) {
    const LockEvent *event = self->event;
    u32 *bad = map_get(&self->analysis->note_index, note_key(event, NOTE_UNHELD, event->class));
    if (bad)
        self->analysis->notes.items[*bad - 1].good = true;
    self->analysis->sites.items[event->site].uses |= SITE_PAIRED;
}

static void read_block(MetReader *self) {
    put_acquisition(self, self->held.count ? sure_locks(self) : 0);
    if (self->held.count)
        note_sleep(self);
}

static void read_event(MetReader *self) {
    const LockEvent *event = self->event;
    switch ((MetKind)event->kind) {
    case MET_TAKE: read_take(self); break;
    case MET_AGAIN: read_again(self); break;
    case MET_RETAKE: put_edges(self); break;
    case MET_NAMED: put_named(self); break;
    case MET_LET_GO: read_let_go(self); break;
    case MET_UNHELD:
        put_note(self, NOTE_UNHELD, event->class);
        self->analysis->sites.items[event->site].uses |= SITE_SPURIOUS;
        break;
    case MET_WAIT: note_sleep(self); break;
    case MET_BLOCK: read_block(self); break;
    case MET_AWAIT: put_note(self, NOTE_AWAIT, event->class)->held = sure_locks(self); break;
    case MET_OUT: put_outcall(self); break;
    case MET_COUNT: break;
    case MET_JOIN: put_note(self, NOTE_JOIN, event->class)->held = sure_locks(self); break;
    }
}

void read_met(Analysis *analysis) {
    MetReader self = {.analysis = analysis};
    for (u32 i = 0; i < analysis->flat_outcalls.count; i++)
        array_push(&analysis->outcalls, analysis->flat_outcalls.items[i]);
    for (u32 i = 0; i < analysis->met.count; i++) {
        self.event = &analysis->met.items[i];
        held_load(&self.held, &analysis->locksets, self.event->held);
        read_event(&self);
        held_end(&self.held);
    }
    map_free(&self.acquired);
    map_free(&self.good);
}
