// circles.c: circles in the order of locks.
// In: order edges with their witnesses. Out: findings of kind deadlock, one for each circle that threads can make.
//
// Two locks in both orders first. Their edges leave the graph: a longer circle over them would say the same once more.
// What is left falls into strongly connected parts; there, shortest circles first, through each edge the shortest one
// that holds no other circle and whose sides can meet (sides.c). Of a circle the rarest edge is the suspect: it is
// looked for from there, over edges at least as common. A circle that cannot be hides no longer one.
// Invariant: the order of what is found depends on the names of locks only; what a limit cuts is counted.
#include "racerx/check/circles.h"

#define FAR 255 // no way

// An edge as seen from where it leads to.
typedef struct {
    ClassId from;
    u32 count;
} Inward;

typedef struct {
    Analysis *analysis;
    FindingList *list;
    Sides sides;
    u32 class_count;
    ClassId *order;   // classes by name
    u32 *rank;        // by class: its place there
    u32 *first, *out; // by class: edges that leave it
    u32 *back;        // by class: edges that lead to it
    Inward *in;
    u32 *part;           // by class: its strongly connected part
    u8 *reach;           // by part: edges that a search goes back
    bool *gone;          // by edge: in a circle of two
    bool *covered;       // by edge: in some circle
    u8 *length;          // by edge: of the shortest circle through it
    u8 *distance;        // by class: edges to the class that is searched from
    U32Array touched;    // classes that have a distance
    Map pairs;           // locks that make a circle of two
    Array(Circle) all;   // that were found
    Array(Circle) found; // of them: of three and more
    U32Array *of_class;  // by class: those that begin with it
    u32 count;
    // the search through one edge
    Circle trial;
    u32 tries, steps;
} Circles;

// the graph ---------------------------------------------------------------------

typedef struct {
    const char *name;
    ClassId class;
} NamedClass;

static int compare_named(const void *left, const void *right) {
    const NamedClass *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->class < b->class ? -1 : a->class > b->class;
}

static void fill_ranks(Circles *self) {
    NamedClass *sorted = must_alloc(sizeof *sorted * (self->class_count + 1));
    for (u32 i = 0; i < self->class_count; i++)
        sorted[i] = (NamedClass){class_text(self->analysis, i), i};
    qsort(sorted, self->class_count, sizeof *sorted, compare_named);
    for (u32 i = 0; i < self->class_count; i++) {
        self->order[i] = sorted[i].class;
        self->rank[sorted[i].class] = i;
    }
    free(sorted);
}

static bool is_in(const Circles *self, u32 edge) {
    return edge_is_usable(self->analysis, &self->analysis->edges.items[edge]) && !self->gone[edge];
}

// Rows of edges, by the class at one end; in a row by the rank of the other.
static void fill_rows(Circles *self, u32 *first, u32 *row, bool out) {
    const Analysis *analysis = self->analysis;
    u32 edges = analysis->edges.count, *of = must_alloc(sizeof(u32) * (edges + 1)),
        *by = must_zero(sizeof(u32) * (self->class_count + 2));
    memset(first, 0, sizeof(u32) * (self->class_count + 2));
    for (u32 e = 0; e < edges; e++) {
        const OrderEdge *edge = &analysis->edges.items[e];
        by[self->rank[out ? edge->to : edge->from] + 1]++;
        if (is_in(self, e))
            first[(out ? edge->from : edge->to) + 2]++;
    }
    for (u32 c = 0; c < self->class_count; c++) {
        by[c + 1] += by[c];
        first[c + 2] += first[c + 1];
    }
    for (u32 e = 0; e < edges; e++)
        of[by[self->rank[out ? analysis->edges.items[e].to : analysis->edges.items[e].from]]++] = e;
    for (u32 i = 0; i < edges; i++)
        if (is_in(self, of[i]))
            row[first[(out ? analysis->edges.items[of[i]].from : analysis->edges.items[of[i]].to) + 1]++] = of[i];
    free(of);
    free(by);
}

// requires: parts. fills: in, back: those edges that stay in one part.
static void fill_inward(Circles *self) {
    const OrderEdge *edges = self->analysis->edges.items;
    u32 *row = must_alloc(sizeof(u32) * (self->analysis->edges.count + 1)), kept = 0;
    fill_rows(self, self->back, row, false);
    for (u32 c = 0, i = 0; c < self->class_count; c++) {
        for (; i < self->back[c + 1]; i++)
            if (self->part[edges[row[i]].from] == self->part[c])
                self->in[kept++] = (Inward){edges[row[i]].from, edges[row[i]].count};
        self->back[c + 1] = kept;
    }
    free(row);
}

static void fill_graph(Circles *self) {
    fill_rows(self, self->first, self->out, true);
    u32 *targets = must_alloc(sizeof(u32) * (self->analysis->edges.count + 1));
    for (u32 i = 0; i < self->first[self->class_count]; i++)
        targets[i] = self->analysis->edges.items[self->out[i]].to;
    fill_components(self->class_count, self->first, targets, self->part);
    free(targets);
    fill_inward(self);
}

// requires: parts. fills: reach. In a part so large that most of it is guesswork, only short circles are worth a
// search.
static void fill_reach(Circles *self) {
    u64 *classes = must_zero(sizeof(u64) * (self->class_count + 1)),
        *edges = must_zero(sizeof(u64) * (self->class_count + 1));
    for (u32 c = 0; c < self->class_count; c++) {
        classes[self->part[c]]++;
        for (u32 i = self->first[c]; i < self->first[c + 1]; i++)
            edges[self->part[c]] += self->part[self->analysis->edges.items[self->out[i]].to] == self->part[c];
    }
    for (u32 p = 0; p < self->class_count; p++) {
        bool large = classes[p] * edges[p] > CIRCLE_WORK;
        self->reach[p] = large ? 2 : CIRCLE_MOST - 2;
        if (large)
            limit_reached(LIMIT_CIRCLE_WORK);
    }
    free(classes);
    free(edges);
}

// circles of two ----------------------------------------------------------------

static u64 pair_key(ClassId a, ClassId b) { return a < b ? (u64)a << 32 | b : (u64)b << 32 | a; }

static bool circle_put(Circles *self, Circle *circle) {
    if (self->count >= CIRCLES_MOST) {
        limit_reached(LIMIT_CIRCLES_MOST);
        return false;
    }
    if (!choose_sides(&self->sides, circle))
        return false;
    self->count++;
    array_push(&self->all, *circle);
    return true;
}

static void find_pairs(Circles *self, ClassId from) {
    Analysis *analysis = self->analysis;
    for (u32 i = self->first[from]; i < self->first[from + 1]; i++) {
        ClassId to = analysis->edges.items[self->out[i]].to;
        const u32 *back =
            self->rank[from] < self->rank[to] ? map_get(&analysis->edge_index, (u64)to << 32 | from) : NULL;
        if (!back || !is_in(self, *back - 1))
            continue;
        Circle circle = {.sides = {{.edge = self->out[i]}, {.edge = *back - 1}}, .length = 2};
        if (circle_put(self, &circle))
            *map_put(&self->pairs, pair_key(from, to), NULL) = 1;
    }
}

static void remove_pairs(Circles *self) {
    const Analysis *analysis = self->analysis;
    for (u32 e = 0; e < analysis->edges.count; e++)
        self->gone[e] = map_get(&self->pairs, pair_key(analysis->edges.items[e].from, analysis->edges.items[e].to));
}

// longer ones -------------------------------------------------------------------

// How common an edge is, roughly: times two.
static u32 commonness(const OrderEdge *edge) {
    u32 least = 1;
    while (least * 2 <= edge->count)
        least *= 2;
    return least;
}

// fills: distance, of the classes that lead to this one over edges at least as common as `least`.
static void fill_distances(Circles *self, ClassId to, u32 least) {
    u8 reach = self->reach[self->part[to]];
    for (u32 i = 0; i < self->touched.count; i++)
        self->distance[self->touched.items[i]] = FAR;
    self->touched.count = 0;
    self->distance[to] = 0;
    array_push(&self->touched, to);
    for (u32 q = 0; q < self->touched.count; q++) {
        ClassId class = self->touched.items[q];
        if (self->distance[class] >= reach) // so are those that follow
            break;
        for (u32 i = self->back[class]; i < self->back[class + 1]; i++) {
            const Inward *edge = &self->in[i];
            if (edge->count < least || self->distance[edge->from] != FAR)
                continue;
            self->distance[edge->from] = (u8)(self->distance[class] + 1);
            array_push(&self->touched, edge->from);
        }
    }
}

static ClassId lock_of(const Circles *self, const Circle *circle, u32 index) {
    return self->analysis->edges.items[circle->sides[index].edge].from;
}

static bool has_lock(const Circles *self, const Circle *circle, ClassId class) {
    for (u32 i = 0; i < circle->length; i++)
        if (lock_of(self, circle, i) == class)
            return true;
    return false;
}

static bool is_within(const Circles *self, const Circle *inner, const Circle *outer) {
    for (u32 i = 0; i < inner->length; i++)
        if (!has_lock(self, outer, lock_of(self, inner, i)))
            return false;
    return true;
}

// Are all locks of some circle that was found among these?
static bool holds_circle(const Circles *self, const Circle *circle) {
    for (u32 i = 0; i < circle->length; i++) {
        const U32Array *found = &self->of_class[lock_of(self, circle, i)];
        for (u32 k = i + 1; k < circle->length; k++)
            if (map_get(&self->pairs, pair_key(lock_of(self, circle, i), lock_of(self, circle, k))))
                return true;
        for (u32 f = 0; f < found->count; f++)
            if (is_within(self, &self->found.items[found->items[f]], circle))
                return true;
    }
    return false;
}

static bool try_circle(Circles *self) {
    Circle circle = self->trial;
    if (holds_circle(self, &circle))
        return false;
    if (self->tries++ >= CIRCLE_TRIES || !circle_put(self, &circle))
        return false;
    for (u32 i = 0; i < circle.length; i++)
        self->covered[circle.sides[i].edge] = true;
    array_push(&self->of_class[lock_of(self, &circle, 0)], self->found.count);
    array_push(&self->found, circle);
    return true;
}

static bool fits_trial(Circles *self, u32 edge) {
    for (u32 i = 0; i < self->trial.length; i++)
        if (!edges_can_meet(&self->sides, self->trial.sides[i].edge, edge))
            return false;
    return true;
}

// On from the last edge of the trial to where it began, in `left` edges exactly.
static bool go_on(Circles *self, u32 left, u32 least) {
    const OrderEdge *edges = self->analysis->edges.items;
    ClassId start = edges[self->trial.sides[0].edge].from,
            at = edges[self->trial.sides[self->trial.length - 1].edge].to;
    if (!left)
        return at == start && try_circle(self);
    for (u32 i = self->first[at]; i < self->first[at + 1] && self->tries < CIRCLE_TRIES; i++) {
        const OrderEdge *edge = &edges[self->out[i]];
        if (self->distance[edge->to] > left - 1 || edge->count < least || (left > 1) != (edge->to != start) ||
            has_lock(self, &self->trial, edge->to) != (left == 1))
            continue;
        if (self->steps++ >= CIRCLE_STEPS)
            return false;
        if (!fits_trial(self, self->out[i]))
            continue;
        self->trial.sides[self->trial.length++].edge = self->out[i];
        bool found = go_on(self, left - 1, least);
        self->trial.length--;
        if (found)
            return true;
    }
    return false;
}

#define SLACK 2 // edges more than the shortest circle has, when that one cannot be

static void circles_through(Circles *self, u32 index) {
    OrderEdge edge = self->analysis->edges.items[index];
    u32 shortest = self->distance[edge.to];
    self->tries = self->steps = 0;
    for (u32 left = shortest < 2 ? 2 : shortest; left <= shortest + SLACK; left++) {
        if (limit_cuts(LIMIT_CIRCLE_MOST, left >= CIRCLE_MOST))
            break;
        self->trial = (Circle){.sides = {{.edge = index}}, .length = 1};
        if (go_on(self, left, commonness(&edge)))
            return;
    }
    if (self->tries >= CIRCLE_TRIES || self->steps >= CIRCLE_STEPS)
        limit_reached(self->tries >= CIRCLE_TRIES ? LIMIT_CIRCLE_TRIES : LIMIT_CIRCLE_STEPS);
}

static bool is_seed(const Circles *self, u32 edge) {
    const OrderEdge *one = &self->analysis->edges.items[edge];
    return !self->covered[edge] && self->part[one->from] == self->part[one->to];
}

// fills: length, of the edges that leave a class. Edges alike common are searched for together.
static void fill_lengths(Circles *self, ClassId from) {
    const OrderEdge *edges = self->analysis->edges.items;
    for (u32 i = self->first[from]; i < self->first[from + 1]; i++)
        self->length[self->out[i]] = FAR;
    for (u32 i = self->first[from]; i < self->first[from + 1]; i++) {
        if (!is_seed(self, self->out[i]) || self->length[self->out[i]] != FAR)
            continue;
        u32 count = commonness(&edges[self->out[i]]);
        fill_distances(self, from, count);
        for (u32 k = i; k < self->first[from + 1]; k++)
            if (commonness(&edges[self->out[k]]) == count && self->distance[edges[self->out[k]].to] != FAR)
                self->length[self->out[k]] = (u8)(self->distance[edges[self->out[k]].to] + 1);
    }
}

static void find_longer(Circles *self, ClassId from, u32 length) {
    const OrderEdge *edges = self->analysis->edges.items;
    u32 filled = 0; // the count that distances are for
    for (u32 i = self->first[from]; i < self->first[from + 1]; i++) {
        u32 edge = self->out[i], shortest = self->length[edge] < 3 ? 3 : self->length[edge];
        if (shortest != length || !is_seed(self, edge))
            continue;
        if (filled != commonness(&edges[edge]))
            fill_distances(self, from, commonness(&edges[edge]));
        filled = commonness(&edges[edge]);
        circles_through(self, edge);
    }
}

// all ---------------------------------------------------------------------------

// Everybody who takes two locks so has something to mend.
static void put_others(Circles *self, const Circle *circle, u32 sharing) {
    Circle others[HOLDERS_SHOWN];
    for (u32 at = 0; at < 2 && circle->length == 2; at++) {
        u32 count = other_circles(&self->sides, circle, at, others, HOLDERS_SHOWN);
        for (u32 i = 0; i < count; i++) {
            Finding *finding = put_deadlock(self->analysis, self->list, &self->sides, &others[i], sharing);
            finding_add_number(self->list, finding, "another_holder", 1);
        }
    }
}

// Circles that share an edge have one cause: how many share the most shared one is told with each.
static void put_circles(Circles *self) {
    u32 *uses = must_zero(sizeof(u32) * (self->analysis->edges.count + 1));
    for (u32 c = 0; c < self->all.count; c++)
        for (u32 i = 0; i < self->all.items[c].length; i++)
            uses[self->all.items[c].sides[i].edge]++;
    for (u32 c = 0; c < self->all.count; c++) {
        u32 most = 0;
        for (u32 i = 0; i < self->all.items[c].length; i++)
            most = uses[self->all.items[c].sides[i].edge] > most ? uses[self->all.items[c].sides[i].edge] : most;
        put_deadlock(self->analysis, self->list, &self->sides, &self->all.items[c], most);
        put_others(self, &self->all.items[c], most);
    }
    free(uses);
}

static void circles_begin(Circles *self, Analysis *analysis, FindingList *list) {
    u32 classes = analysis->classes.count, edges = analysis->edges.count;
    *self = (Circles){.analysis = analysis, .list = list, .class_count = classes};
    sides_begin(&self->sides, analysis);
    self->order = must_zero(sizeof(ClassId) * (classes + 1));
    self->rank = must_zero(sizeof(u32) * (classes + 1));
    self->first = must_zero(sizeof(u32) * (classes + 2));
    self->back = must_zero(sizeof(u32) * (classes + 2));
    self->out = must_zero(sizeof(u32) * (edges + 1));
    self->in = must_zero(sizeof(Inward) * (edges + 1));
    self->part = must_zero(sizeof(u32) * (classes + 1));
    self->reach = must_zero(classes + 1);
    self->gone = must_zero(edges + 1);
    self->covered = must_zero(edges + 1);
    self->of_class = must_zero(sizeof(U32Array) * (classes + 1));
    self->length = must_alloc(edges + 1);
    self->distance = must_alloc(classes + 1);
    memset(self->length, FAR, edges + 1);
    memset(self->distance, FAR, classes + 1);
}

static void circles_end(Circles *self) {
    sides_end(&self->sides);
    free(self->order);
    free(self->rank);
    free(self->first);
    free(self->back);
    free(self->out);
    free(self->in);
    free(self->part);
    free(self->reach);
    free(self->gone);
    free(self->covered);
    free(self->length);
    free(self->distance);
    for (u32 c = 0; c < self->class_count; c++)
        array_free(&self->of_class[c]);
    free(self->of_class);
    array_free(&self->touched);
    array_free(&self->found);
    array_free(&self->all);
    map_free(&self->pairs);
}

void find_deadlocks(Analysis *analysis, FindingList *out) {
    Circles self;
    circles_begin(&self, analysis, out);
    fill_ranks(&self);
    fill_graph(&self);
    for (u32 i = 0; i < self.class_count; i++)
        find_pairs(&self, self.order[i]);
    remove_pairs(&self);
    fill_graph(&self);
    fill_reach(&self);
    for (u32 i = 0; i < self.class_count; i++)
        fill_lengths(&self, self.order[i]);
    for (u32 length = 3; length <= CIRCLE_MOST; length++)
        for (u32 i = 0; i < self.class_count; i++)
            find_longer(&self, self.order[i], length);
    put_circles(&self);
    circles_end(&self);
}
