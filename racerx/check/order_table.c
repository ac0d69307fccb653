// order_table.c: the lock order for people with questions: which lock is taken while another is held, and where.
// In: order edges with their witnesses. Out: FindingList.orders, sorted by the locks' names; each name is kept once.
#include "racerx/facts/analysis.h"

typedef struct {
    Analysis *analysis;
    FindingList *list;
    u32 *classes, *functions; // places in the list's names; 0: not there yet
    u32 *rank;                // by class: its place in the order of names
    Intern paths;             // of files, and
    U32Array files;           // by id there: places in the list's names
} Orders;

static u32 name_of(Orders *self, u32 *place, const char *text) {
    if (!*place && *text)
        *place = findings_add_name(self->list, text);
    return *place;
}

static u32 class_name(Orders *self, ClassId class) {
    return name_of(self, &self->classes[class], class_text(self->analysis, class));
}

static u32 function_name(Orders *self, FunctionId id) {
    const Program *program = self->analysis->program;
    return name_of(self, &self->functions[id], program_text(program, program->functions.items[id].name));
}

static u32 file_name(Orders *self, FunctionId id) {
    const char *path = function_path(self->analysis->program, id);
    u32 known = intern_add(&self->paths, path, (u32)strlen(path));
    while (self->files.count <= known)
        array_push(&self->files, 0);
    return name_of(self, &self->files.items[known], path);
}

// Of the other locks that are held, the first by name; NO_ID: none.
static ClassId find_gate(const Orders *self, const OrderEdge *edge, const Witness *witness) {
    u32 count;
    ClassId gate = NO_ID;
    const Held *held = lockset_held(&self->analysis->locksets, witness->held, &count);
    for (u32 i = 0; i < count; i++) {
        const LockClass *class = &self->analysis->classes.items[held[i].class];
        if (held[i].class < CLASS_FIRST || held[i].class == edge->from || held[i].class == edge->to || class->thread ||
            (held[i].flags & HELD_SHARED))
            continue;
        if (gate == NO_ID || self->rank[held[i].class] < self->rank[gate])
            gate = held[i].class;
    }
    return gate;
}

static void add_order(Orders *self, const OrderEdge *edge) {
    const Witness *witness = &self->analysis->witnesses.items[best_witness(self->analysis, edge)];
    const LockSite *site = &self->analysis->sites.items[witness->site];
    const LockSite *held = witness->held_site == NO_ID ? NULL : &self->analysis->sites.items[witness->held_site];
    ClassId gate = find_gate(self, edge, witness);
    OrderRow row = {.before = class_name(self, edge->from),
                    .after = class_name(self, edge->to),
                    .function = function_name(self, site->function),
                    .file = file_name(self, site->function),
                    .line = site->place.line,
                    .held_file = held ? file_name(self, held->function) : 0,
                    .held_line = held ? held->place.line : 0,
                    .places = edge->count,
                    .gate = gate == NO_ID ? 0 : class_name(self, gate),
                    .tried = (witness->held_flags & HELD_TRY) != 0};
    findings_add_order(self->list, &row);
}

// sorting ---------------------------------------------------------------------------

typedef struct {
    u64 key;   // ranks of the two locks
    u32 index; // what is sorted
} Keyed;
typedef struct {
    const char *name;
    ClassId class;
} OrderedClass;

static int compare_named(const void *left, const void *right) {
    const OrderedClass *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->class < b->class ? -1 : a->class > b->class;
}

static int compare_keyed(const void *left, const void *right) {
    const Keyed *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

static void rank_classes(Orders *self) {
    u32 count = self->analysis->classes.count;
    OrderedClass *sorted = must_alloc(sizeof *sorted * (count + 1));
    for (u32 i = 0; i < count; i++)
        sorted[i] = (OrderedClass){class_text(self->analysis, i), i};
    qsort(sorted, count, sizeof *sorted, compare_named);
    for (u32 i = 0; i < count; i++)
        self->rank[sorted[i].class] = i;
    for (u32 i = 0; i < count; i++) // two of one name have one place
        if (i && !strcmp(sorted[i].name, sorted[i - 1].name))
            self->rank[sorted[i].class] = self->rank[sorted[i - 1].class];
    free(sorted);
}

// The edges that count, by the names of their locks; of two with the same names the first.
static u32 sort_edges(const Orders *self, Keyed *sorted) {
    u32 count = 0, kept = 0;
    for (u32 i = 0; i < self->analysis->edges.count; i++) {
        const OrderEdge *edge = &self->analysis->edges.items[i];
        if (edge_is_usable(self->analysis, edge) && edge->witness != NO_ID)
            sorted[count++] = (Keyed){(u64)self->rank[edge->from] << 32 | self->rank[edge->to], i};
    }
    qsort(sorted, count, sizeof *sorted, compare_keyed);
    for (u32 i = 0; i < count; i++)
        if (!i || sorted[i].key != sorted[i - 1].key)
            sorted[kept++] = sorted[i];
    return kept;
}

void list_orders(Analysis *analysis, FindingList *out) {
    u32 edges = analysis->edges.count;
    Orders self = {.analysis = analysis,
                   .list = out,
                   .classes = must_zero(sizeof(u32) * (analysis->classes.count + 1)),
                   .functions = must_zero(sizeof(u32) * (analysis->program->functions.count + 1)),
                   .rank = must_zero(sizeof(u32) * (analysis->classes.count + 1))};
    Keyed *sorted = must_alloc(sizeof *sorted * (edges + 1));
    rank_classes(&self);
    for (u32 i = 0, count = sort_edges(&self, sorted); i < count; i++)
        add_order(&self, &analysis->edges.items[sorted[i].index]);
    out->has_orders = true;
    free(sorted);
    free(self.classes);
    free(self.functions);
    intern_free(&self.paths);
    array_free(&self.files);
    free(self.rank);
}
