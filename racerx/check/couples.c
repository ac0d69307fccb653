// couples.c: two locks of one type, of two objects, one taken under the other.
// In: couples (met.c), the calls between nodes, the texts of functions. Out: findings of kind deadlock, where two
// threads can take two objects the other way round.
//
// Two locks of one type have one name, so the order of names says nothing of them; the text says how the two objects
// belong together. Either the one is reached from the other by a link (a child, a neighbour, the next one of a list):
// then they have an order, unless elsewhere the same link is gone the other way, another link leads back, or the links
// go round. Or both come from outside, found or handed over one apart from the other: then any two may be meant, in any
// order, unless somebody on the way asks which comes first. Which two a caller gives, his text says.
// Invariant: what the text does not tell is in order; a comparison of the two, a second lock that is declared to be
// nested, an object that was just made are an order.
#include "racerx/check/couples.h"

// The two objects of a couple, in the words of one function.
typedef struct {
    FunctionId function;
    PathId held, taken;
    ExprId held_index, taken_index; // of the last element of an array on the way, in that function; 0: none
    ExprId at;                      // where the second one is taken, or the call below which it is; 0: not known
} Meeting;

// How the two belong together.
enum {
    TIE_ORDERED, // or nothing is known: not looked at any more
    TIE_DOWN,    // the second one is reached from the first
    TIE_UP,      // the first one from the second
    TIE_ROLES,   // two members of something
    TIE_FIXED,   // two that are known: an order, unless somebody gives them the other way round
    TIE_AROUND,  // the second comes after the first, round a ring
    TIE_ANY,     // any two
};
typedef struct {
    u8 kind; // TIE_…
    bool told_apart;
    bool mixed;  // somebody gives them the other way round
    LinkWay way; // TIE_DOWN, TIE_UP; TIE_ROLES: the first two members
} Tie;

// All couples of two places.
typedef struct {
    ClassId class;
    u32 site, held_site;
    u32 edge;            // Analysis.edges: their witnesses
    Array(Tie) ties;     // each once
    Array(Meeting) ends; // where any two are meant
    bool told;           // a finding says what it does alone
} CoupleGroup;

typedef struct {
    Analysis *analysis;
    FindingList *list;
    Sides sides;
    LinkTable links;
    Array(CoupleGroup) groups;
    Map group_at; // (class, site, site of the held one) -> groups, + 1
} Couples;

// places ----------------------------------------------------------------------------

typedef struct {
    PathId root;
    u32 steps[DEEPEST_PATH + 1];
    u32 count;
} Steps;

static Steps steps_of(const PathTable *paths, PathId path) {
    Steps out = {0};
    for (; paths->paths.items[path].depth; path = paths->paths.items[path].parent)
        out.steps[out.count++] = paths->paths.items[path].step;
    for (u32 i = 0; i < out.count / 2; i++) {
        u32 step = out.steps[i];
        out.steps[i] = out.steps[out.count - 1 - i];
        out.steps[out.count - 1 - i] = step;
    }
    out.root = path;
    return out;
}

static bool is_index(u32 step) { return !step_is_up(step) && step >> 1 >= STEP_INDEXED; }

// What the end of both is: the lock in the objects, whether through a pointer or not.
static void strip_lock(Steps *a, Steps *b) {
    while (a->count && b->count && a->steps[a->count - 1] >> 1 == b->steps[b->count - 1] >> 1 &&
           !is_index(a->steps[a->count - 1])) {
        a->count--;
        b->count--;
    }
}

// The expression of a term on the way (see lock_class.c); 0: none, or a constant.
static ExprId index_of(const Analysis *self, FunctionId function, PathId path) {
    const Path *paths = self->paths.paths.items;
    for (; paths[path].depth; path = paths[path].parent) {
        u32 step = paths[path].step >> 1;
        if (!is_index(paths[path].step) || step < STEP_TERM)
            continue;
        Body body = {0};
        ExprId id = ((step & STEP_TERM_REST) - function * 0x9e3779b1u) & STEP_TERM_REST;
        bool known = step != STEP_OWN && program_body(self->program, function, &body) && id < body.exprs.count;
        body_free(&body);
        return known ? id : 0;
    }
    return 0;
}

static bool add_root(const FunctionText *text, PathId root, KeySet *out) {
    const Analysis *self = text->analysis;
    const Path *path = &self->paths.paths.items[root];
    if (path->root == ROOT_PARAM || (path->root == ROOT_LOCAL && path->step < 0x100000u)) {
        if (path->step >= text->body.vars.count)
            return false;
        out->items[out->count++] = path->step;
        return true;
    }
    ExprId id = path->root == ROOT_LOCAL ? path->step - 0x100000u : path->root == ROOT_RESULT ? path->step : 0;
    if (path->root == ROOT_GLOBAL)
        out->items[out->count++] = KEY_GLOBAL | self->program->globals.items[path->step].name;
    else if (id && id < text->body.exprs.count)
        text_keys(text, id, out);
    return out->count > 0;
}

// ties ------------------------------------------------------------------------------

static void add_link(LinkWay *way, u32 step) {
    NameId name = step >> 1;
    if (step_is_up(step) || is_index(step) || name <= STEP_ELEMENT || way->count >= LINKS_OF_COUPLE)
        return;
    for (u32 i = 0; i < way->count; i++)
        if (way->members[i] == name)
            return;
    way->members[way->count++] = name;
}

static Tie tie_by_way(u8 kind, const LinkWay *way) {
    Tie tie = {.kind = kind, .way = *way};
    if (way->called)
        tie.kind = TIE_ORDERED;
    if (way->around && !way->count)
        tie.kind = TIE_AROUND;
    return tie;
}

static bool is_variable(const FunctionText *text, ExprId id) {
    while (text->body.exprs.items[id].kind == EXPR_CAST)
        id = text->body.exprs.items[id].a;
    return text->body.exprs.items[id].kind == EXPR_VAR;
}

// Elements of one array.
static Tie tie_elements(const FunctionText *text, const Meeting *meeting, KeySet *one, KeySet *other) {
    LinkWay way = {0};
    KeySet first = {0}, second = {0};
    if (!meeting->held_index || !meeting->taken_index)
        return (Tie){0};
    text_keys(text, meeting->held_index, &first);
    text_keys(text, meeting->taken_index, &second);
    *one = first, *other = second;
    if (!first.count || !second.count)
        return (Tie){0};
    if (is_variable(text, meeting->held_index) && text_way_to_value(text, meeting->taken_index, &first, &way))
        return tie_by_way(TIE_DOWN, &way);
    way = (LinkWay){0};
    if (is_variable(text, meeting->taken_index) && text_way_to_value(text, meeting->held_index, &second, &way))
        return tie_by_way(TIE_UP, &way);
    text_origins(text, &first);
    text_origins(text, &second);
    return (Tie){.kind = first.around != second.around ? TIE_AROUND : TIE_ANY};
}

// What is added to a term; see STEP_TERM.
static i32 added_to(u32 step) {
    u32 offset = step >> 24 & 15;
    return offset > 7 ? 7 - (i32)offset : (i32)offset;
}

#define NAME_OF_ELEMENT 1 // "[]": the link from one element to the next

static Tie tie_indices(const FunctionText *text, const Meeting *meeting, u32 held, u32 taken, KeySet *one,
                       KeySet *other) {
    if (held < STEP_TERM && taken < STEP_TERM) // two constants
        return (Tie){.kind = TIE_FIXED};
    if (held < STEP_TERM || taken < STEP_TERM || held == STEP_OWN || taken == STEP_OWN)
        return (Tie){0};
    if ((held & STEP_TERM_REST) == (taken & STEP_TERM_REST))
        return (Tie){.kind = added_to(held) < added_to(taken) ? TIE_DOWN : TIE_UP,
                     .way = {.members = {NAME_OF_ELEMENT}, .count = 1}};
    return tie_elements(text, meeting, one, other);
}

static Tie tie_same_root(const FunctionText *text, const Meeting *meeting, const Steps *held, const Steps *taken,
                         KeySet *one, KeySet *other) {
    Tie tie = {0};
    u32 common = 0;
    while (common < held->count && common < taken->count && held->steps[common] == taken->steps[common])
        common++;
    const Steps *longer = held->count > common ? held : taken;
    if (held->count == common || taken->count == common) { // the one leads to the other
        tie.kind = held->count == taken->count ? TIE_ORDERED : longer == taken ? TIE_DOWN : TIE_UP;
        for (u32 i = common; i < longer->count; i++)
            add_link(&tie.way, longer->steps[i]);
        return tie;
    }
    if (is_index(held->steps[common]) && is_index(taken->steps[common]))
        return tie_indices(text, meeting, held->steps[common] >> 1, taken->steps[common] >> 1, one, other);
    if (held->count != common + 1 || taken->count != common + 1 || is_index(held->steps[common]) ||
        is_index(taken->steps[common]))
        return tie;
    tie.kind = TIE_ROLES;
    add_link(&tie.way, held->steps[common]);
    add_link(&tie.way, taken->steps[common]);
    tie.kind = tie.way.count == 2 ? TIE_ROLES : TIE_ORDERED;
    return tie;
}

static bool is_one_object(const PathTable *paths, PathId path) {
    bool element = false;
    for (PathId at = path; paths->paths.items[at].depth; at = paths->paths.items[at].parent)
        element |= is_index(paths->paths.items[at].step) && paths->paths.items[at].step >> 1 >= STEP_TERM;
    return paths->paths.items[path].root == ROOT_GLOBAL && !path_goes_through_pointer(paths, path) && !element;
}

static Tie tie_apart(const FunctionText *text, const Meeting *meeting, const Steps *held, const Steps *taken,
                     const KeySet *one, const KeySet *other) {
    const PathTable *paths = &text->analysis->paths;
    LinkWay down = {0}, up = {0}, itself = {0};
    bool below = text_way(text, other, one, &down), above = text_way(text, one, other, &up);
    below |= meeting->taken_index && text_way_to_value(text, meeting->taken_index, one, &down);
    above |= meeting->held_index && text_way_to_value(text, meeting->held_index, other, &up);
    for (u32 i = 0; i < taken->count; i++)
        add_link(&down, taken->steps[i]);
    for (u32 i = 0; i < held->count; i++)
        add_link(&up, held->steps[i]);
    if (below && !held->count)
        return tie_by_way(TIE_DOWN, &down);
    if (above && !taken->count && up.count)
        return tie_by_way(TIE_UP, &up);
    if (above && !taken->count && text_way(text, other, other, &itself) && itself.count) // hand over hand
        return tie_by_way(TIE_DOWN, &itself);
    if (is_one_object(paths, meeting->held) && is_one_object(paths, meeting->taken))
        return (Tie){.kind = TIE_FIXED};
    if (below || above || held->count || taken->count || is_one_object(paths, meeting->held) ||
        is_one_object(paths, meeting->taken))
        return (Tie){0};
    return (Tie){.kind = TIE_ANY};
}

// Are two members of one thing compared?
static bool compares_members(const FunctionText *text, const KeySet *of) {
    KeySet none = {0};
    for (u32 i = 1; i < text->body.exprs.count; i++) {
        const Expr *expr = &text->body.exprs.items[i];
        KeySet left = none, right = none;
        if (expr->kind != EXPR_BINARY || expr->op < OP_LT || expr->op > OP_GE)
            continue;
        text_keys(text, expr->a, &left);
        text_keys(text, expr->b, &right);
        text_origins(text, &left);
        text_origins(text, &right);
        bool one = false, other = false;
        for (u32 k = 0; k < of->count; k++) {
            for (u32 n = 0; n < left.count; n++)
                one |= left.items[n] == of->items[k];
            for (u32 n = 0; n < right.count; n++)
                other |= right.items[n] == of->items[k];
        }
        if (one && other)
            return true;
    }
    return false;
}

static Tie tie_of(Analysis *analysis, const Meeting *meeting) {
    FunctionText text;
    Tie tie = {0};
    KeySet one = {0}, other = {0};
    Steps held = steps_of(&analysis->paths, meeting->held), taken = steps_of(&analysis->paths, meeting->taken);
    strip_lock(&held, &taken);
    if (text_begin(&text, analysis, meeting->function) && add_root(&text, held.root, &one) &&
        add_root(&text, taken.root, &other)) {
        text.until = meeting->at;
        if (held.root == taken.root)
            tie = tie_same_root(&text, meeting, &held, &taken, &one, &other);
        else
            tie = tie_apart(&text, meeting, &held, &taken, &one, &other);
        bool ordered = tie.kind == TIE_ROLES ? compares_members(&text, &one) : text_orders(&text, &one, &other);
        if (tie.kind >= TIE_ROLES && (ordered || text_makes(&text, &one) || text_makes(&text, &other)))
            tie.kind = TIE_ORDERED;
        tie.told_apart = text_tells_apart(&text, &one, &other);
    }
    text_end(&text);
    return tie;
}

// callers ---------------------------------------------------------------------------

// The index in the caller's words, when it is what the callee was given.
static ExprId index_of_caller(const Analysis *self, FunctionId callee, FunctionId caller, const SkeletonStep *call,
                              ExprId index) {
    Body below = {0}, above = {0};
    ExprId found = 0;
    if (index && call && program_body(self->program, callee, &below) && program_body(self->program, caller, &above)) {
        const Expr *expr = &below.exprs.items[index], *at = &above.exprs.items[call->expr];
        while (expr->kind == EXPR_CAST)
            expr = &below.exprs.items[expr->a];
        bool given = expr->kind == EXPR_VAR && below.vars.items[expr->a].flags & DECL_PARAM && at->kind == EXPR_CALL;
        found = given && expr->a < at->c ? above.lists.items[at->b + expr->a] : 0;
    }
    body_free(&below);
    body_free(&above);
    return found;
}

static ExprId index_above(const Analysis *self, FunctionId callee, const Meeting *above, const SkeletonStep *call,
                          ExprId index, PathId path) {
    ExprId given = index_of_caller(self, callee, above->function, call, index);
    return given ? given : index_of(self, above->function, path);
}

// What the function does where it takes the second one.
static ExprId expr_of_step(const SkeletonStep *step) { return step && step->kind == STEP_CALL ? step->expr : 0; }

static PathId taken_above(Couples *self, u32 edge, PathId path, FunctionId *caller) {
    Analysis *analysis = self->analysis;
    const SkeletonStep *step = analysis->edge_steps.items[edge];
    *caller = analysis->nodes.items[analysis->edge_pairs.items[2 * edge]].function;
    return step ? path_of_caller(analysis, &analysis->skeletons[*caller], step, path) : 0;
}

static bool is_written(const FunctionText *text, u32 var) {
    for (u32 w = 0; w < text->written.count; w += 2)
        if (text->written.items[w] == var)
            return true;
    return false;
}

// The parameter that an object comes from: what leads to it, or its number in an array; NO_ID: none.
static u32 given_by(const FunctionText *text, PathId path, ExprId index) {
    const PathTable *paths = &text->analysis->paths;
    const Path *root = &paths->paths.items[path_first(paths, path)];
    const Expr *number = &text->body.exprs.items[index];
    while (number->kind == EXPR_CAST)
        number = &text->body.exprs.items[number->a];
    u32 var = root->root == ROOT_PARAM                                ? root->step
              : root->root == ROOT_GLOBAL && number->kind == EXPR_VAR ? number->a
                                                                      : NO_ID;
    return var < text->body.vars.count && text->body.vars.items[var].flags & DECL_PARAM && !is_written(text, var)
               ? var
               : NO_ID;
}

// Do both come from parameters that the function leaves as they are?
static bool are_given(Analysis *analysis, const Meeting *meeting) {
    FunctionText text;
    bool given = false;
    if (text_begin(&text, analysis, meeting->function)) {
        u32 held = given_by(&text, meeting->held, meeting->held_index),
            taken = given_by(&text, meeting->taken, meeting->taken_index);
        given = held != NO_ID && taken != NO_ID && held != taken;
    }
    text_end(&text);
    return given;
}

static bool same_way(const LinkWay *a, const LinkWay *b) {
    return a->count == b->count && !memcmp(a->members, b->members, sizeof a->members[0] * a->count);
}

static void put_tie(CoupleGroup *group, Tie tie) {
    if (tie.kind == TIE_ORDERED)
        return;
    for (u32 i = 0; i < group->ties.count; i++) {
        Tie *known = &group->ties.items[i];
        if (known->kind != tie.kind || !same_way(&known->way, &tie.way))
            continue;
        known->told_apart |= tie.told_apart;
        return;
    }
    array_push(&group->ties, tie);
}

// Two that are known, or any two: did somebody else give them the other way round?
static void put_end(CoupleGroup *group, const Meeting *meeting, Tie tie) {
    bool fixed = tie.kind == TIE_FIXED;
    for (u32 i = 0; i < group->ends.count; i++) {
        const Meeting *known = &group->ends.items[i];
        tie.mixed |= known->held == meeting->taken && known->taken == meeting->held;
    }
    for (u32 t = 0; tie.mixed && t < group->ties.count; t++)
        group->ties.items[t].mixed = true;
    array_push(&group->ends, *meeting);
    tie.kind = fixed && tie.mixed ? TIE_ANY : tie.kind;
    if (tie.kind != TIE_FIXED)
        put_tie(group, tie);
}

static void look_up(Couples *self, CoupleGroup *group, u32 node, const Meeting *meeting, bool told_apart, u32 depth);

static u32 look_at_callers(Couples *self, CoupleGroup *group, u32 node, const Meeting *meeting, bool told_apart,
                           u32 depth) {
    Analysis *analysis = self->analysis;
    const Stretches *search = &self->sides.search;
    u32 asked = 0;
    if (node >= analysis->walked_nodes || limit_cuts(LIMIT_COUPLE_DEPTH, depth >= COUPLE_DEPTH))
        return 0;
    for (u32 i = search->first[node]; i < search->first[node + 1]; i++) {
        if (limit_cuts(LIMIT_COUPLE_CALLERS, asked >= COUPLE_CALLERS))
            break;
        u32 edge = search->callers[i];
        Meeting above = {0};
        above.held = taken_above(self, edge, meeting->held, &above.function);
        above.taken = taken_above(self, edge, meeting->taken, &above.function);
        asked++;
        if (!above.held || !above.taken)
            continue;
        const SkeletonStep *call = analysis->edge_steps.items[edge];
        above.held_index = index_above(analysis, meeting->function, &above, call, meeting->held_index, above.held);
        above.taken_index = index_above(analysis, meeting->function, &above, call, meeting->taken_index, above.taken);
        above.at = expr_of_step(call);
        look_up(self, group, analysis->edge_pairs.items[2 * edge], &above, told_apart, depth + 1);
    }
    return asked;
}

// What is said in this function, and in those that give it both.
static void look_up(Couples *self, CoupleGroup *group, u32 node, const Meeting *meeting, bool told_apart, u32 depth) {
    Tie tie = tie_of(self->analysis, meeting);
    tie.told_apart |= told_apart;
    if (tie.kind == TIE_ANY && are_given(self->analysis, meeting) &&
        look_at_callers(self, group, node, meeting, tie.told_apart, depth))
        return;
    if (tie.kind == TIE_ANY || tie.kind == TIE_FIXED)
        put_end(group, meeting, tie);
    else
        put_tie(group, tie);
}

// couples ---------------------------------------------------------------------------

// The lock that is taken at a place of a function, in its words.
static PathId taken_at(const Analysis *self, u32 site, ExprId *at) {
    const LockSite *where = &self->sites.items[site];
    const Skeleton *skeleton = &self->skeletons[where->function];
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind != STEP_LOCK || step->place.line != where->place.line ||
            step->place.column != where->place.column)
            continue;
        for (u32 i = 0; i < step->effect_count; i++)
            if (self->operations.items[step->effect + i].effect->kind == EFFECT_ACQUIRE) {
                *at = step->expr;
                return self->operations.items[step->effect + i].path;
            }
    }
    return 0;
}

// The couple in the words of the function that took the first lock; false: it cannot be said in them.
static bool meeting_of(Couples *self, const Couple *couple, u32 *node, Meeting *out) {
    Analysis *analysis = self->analysis;
    const OrderEdge edge = {couple->class, couple->class, NO_ID, 0};
    Stretch stretch;
    stretch_of(&self->sides.search, &edge, &couple->witness, &stretch);
    *node = couple->witness.node;
    *out = (Meeting){.function = analysis->nodes.items[*node].function, .held = couple->held, .taken = couple->taken};
    out->taken_index = index_of(analysis, out->function, out->taken);
    if (stretch.cut)
        return false;
    if (analysis->sites.items[couple->witness.site].function == out->function)
        taken_at(analysis, couple->witness.site, &out->at);
    for (u32 i = stretch.count; i-- > stretch.lead;) {
        FunctionId caller, callee = out->function;
        out->held = taken_above(self, stretch.calls[i], out->held, &caller);
        out->taken = taken_above(self, stretch.calls[i], out->taken, &caller);
        const SkeletonStep *step = analysis->edge_steps.items[stretch.calls[i]];
        out->function = caller;
        out->taken_index = index_above(analysis, callee, out, step, out->taken_index, out->taken);
        *node = analysis->edge_pairs.items[2 * stretch.calls[i]];
        out->at = expr_of_step(step);
    }
    ExprId first;
    if (stretch.count > stretch.lead && stretch.held_site != NO_ID &&
        analysis->sites.items[stretch.held_site].function == out->function)
        out->held = taken_at(analysis, stretch.held_site, &first);
    out->held_index = index_of(analysis, out->function, out->held);
    return out->held && out->taken;
}

static CoupleGroup *group_of(Couples *self, const Couple *couple) {
    Analysis *analysis = self->analysis;
    u64 key = hash_mix(couple->class, (u64)couple->witness.held_site << 32 | couple->witness.site);
    u32 *at = map_put(&self->group_at, key, NULL);
    if (!*at) {
        CoupleGroup group = {
            couple->class, couple->witness.site, couple->witness.held_site, analysis->edges.count, {0}, {0}, false};
        array_push(&analysis->edges, ((OrderEdge){couple->class, couple->class, NO_ID, 0}));
        array_push(&self->groups, group);
        *at = self->groups.count;
    }
    return &self->groups.items[*at - 1];
}

static void read_couples(Couples *self) {
    Analysis *analysis = self->analysis;
    for (u32 i = 0; i < analysis->couples.count; i++) {
        const Couple couple = analysis->couples.items[i];
        u32 which = group_of(self, &couple)->edge; // may be new
        OrderEdge *edge = &analysis->edges.items[which];
        Witness witness = couple.witness;
        witness.next = edge->witness;
        array_push(&analysis->witnesses, witness);
        edge->witness = analysis->witnesses.count - 1;
        edge->count++;
    }
}

static void judge_couples(Couples *self) {
    Analysis *analysis = self->analysis;
    for (u32 i = 0; i < analysis->couples.count; i++) {
        const Couple *couple = &analysis->couples.items[i];
        CoupleGroup *group = group_of(self, couple);
        Meeting meeting;
        u32 node;
        if (meeting_of(self, couple, &node, &meeting))
            look_up(self, group, node, &meeting, false, 0);
    }
    for (u32 g = 0; g < self->groups.count; g++)
        for (u32 t = 0; t < self->groups.items[g].ties.count; t++)
            for (u32 m = 0; m < self->groups.items[g].ties.items[t].way.count; m++)
                links_ask(&self->links, self->groups.items[g].ties.items[t].way.members[m]);
    links_fill(&self->links);
}

// findings --------------------------------------------------------------------------

static bool put_pair(Couples *self, const CoupleGroup *one, const CoupleGroup *other, bool both_ways, bool told_apart) {
    Analysis *analysis = self->analysis;
    Circle circle = {.sides = {{.edge = one->edge}, {.edge = other->edge}}, .length = 2};
    self->sides.within = one->class;
    if (!choose_sides(&self->sides, &circle))
        return false;
    Finding *finding = put_deadlock(analysis, self->list, &self->sides, &circle, 1);
    finding->message = findings_text(
        self->list, "2 threads can wait for each other: each holds %s of one object and takes that of the other's",
        class_text(analysis, one->class));
    finding_add_number(self->list, finding, "within_type", 1);
    finding_add_number(self->list, finding, "both_ways", both_ways);
    finding_add_number(self->list, finding, "told_apart", told_apart);
    return true;
}

// Can one place alone take them both ways?
static bool stands_alone(const Couples *self, const Tie *tie, bool *both_ways) {
    *both_ways = tie->mixed || tie->kind == TIE_AROUND;
    if (tie->kind == TIE_ANY || tie->kind == TIE_AROUND)
        return true;
    if (tie->kind == TIE_ROLES)
        return *both_ways = links_are_mixed(&self->links, tie->way.members[0], tie->way.members[1]) ||
                            links_go_round(&self->links, tie->way.members[0]) !=
                                links_go_round(&self->links, tie->way.members[1]);
    if (tie->way.count != 1)
        return false;
    NameId member = tie->way.members[0];
    return *both_ways = links_go_round(&self->links, member) || links_lead_back(&self->links, member, member);
}

// Do two places take them in opposite orders?
static bool contradict(const Couples *self, const Tie *a, const Tie *b) {
    if (a->kind == TIE_ROLES && b->kind == TIE_ROLES)
        return a->way.members[0] == b->way.members[1] && a->way.members[1] == b->way.members[0];
    if ((a->kind != TIE_DOWN && a->kind != TIE_UP) || (b->kind != TIE_DOWN && b->kind != TIE_UP) || !a->way.count ||
        !b->way.count)
        return false;
    if (a->kind != b->kind)
        return same_way(&a->way, &b->way);
    for (u32 i = 0; i < a->way.count; i++)
        for (u32 k = 0; k < b->way.count; k++)
            if (a->way.members[i] != b->way.members[k] &&
                links_lead_back(&self->links, a->way.members[i], b->way.members[k]))
                return true;
    return false;
}

// Are any two taken in both places? Each alone may be the work of one thread only.
static bool are_any(const CoupleGroup *a, const CoupleGroup *b) {
    bool one = false, other = false;
    for (u32 i = 0; i < a->ties.count; i++)
        one |= a->ties.items[i].kind == TIE_ANY;
    for (u32 i = 0; i < b->ties.count; i++)
        other |= b->ties.items[i].kind == TIE_ANY;
    return one && other && !(a->told && b->told) && a->class == b->class;
}

static bool groups_contradict(const Couples *self, const CoupleGroup *a, const CoupleGroup *b) {
    for (u32 i = 0; a->class == b->class && i < a->ties.count; i++)
        for (u32 k = 0; k < b->ties.count; k++)
            if (contradict(self, &a->ties.items[i], &b->ties.items[k]))
                return true;
    return false;
}

static void put_alone(Couples *self, CoupleGroup *group) {
    bool found = false, both_ways = false, told_apart = false, both;
    for (u32 t = 0; t < group->ties.count; t++) {
        if (!stands_alone(self, &group->ties.items[t], &both))
            continue;
        found = true;
        both_ways |= both;
        told_apart |= group->ties.items[t].told_apart;
    }
    group->told = found && put_pair(self, group, group, both_ways, told_apart);
}

static void put_couples(Couples *self) {
    for (u32 g = 0; g < self->groups.count; g++)
        put_alone(self, &self->groups.items[g]);
    for (u32 g = 0; g < self->groups.count; g++)
        for (u32 h = 0; h < g && !limit_cuts(LIMIT_COUPLE_PAIRS, h >= COUPLE_PAIRS); h++)
            if (groups_contradict(self, &self->groups.items[g], &self->groups.items[h]))
                put_pair(self, &self->groups.items[h], &self->groups.items[g], true, false);
            else if (are_any(&self->groups.items[g], &self->groups.items[h]))
                put_pair(self, &self->groups.items[h], &self->groups.items[g], false, false);
}

void find_couples(Analysis *analysis, FindingList *out) {
    Couples self = {.analysis = analysis, .list = out};
    if (!analysis->couples.count)
        return;
    links_begin(&self.links, analysis);
    read_couples(&self);
    sides_begin(&self.sides, analysis);
    judge_couples(&self);
    put_couples(&self);
    sides_end(&self.sides);
    links_end(&self.links);
    for (u32 g = 0; g < self.groups.count; g++) {
        array_free(&self.groups.items[g].ties);
        array_free(&self.groups.items[g].ends);
    }
    array_free(&self.groups);
    map_free(&self.group_at);
}
