// points.c: what every pointer to data may point to, when everything has flowed.
// In: flows between cells (data.c), the targets of calls. Out: a set of cells for each cell; a cell that is pointed to
// stands for the object or member it names.
// The idea: inclusion with members told apart, worked off from a queue. Cells that copy each other are one, known by
// the lowest. A set that grows past POINTS_MOST becomes the unknown, which takes everything in and says nothing: behind
// it there is any object of the pointer's type.
// Invariant: cells are numbered in the order of files, so neither threads nor the order of the work show.
#include "racerx/link/points.h"

// cells -----------------------------------------------------------------------

u32 points_find(const Points *self, DataCell cell) {
    const u32 *known = map_get(&self->index, hash_mix(cell.base, cell.member));
    return known ? *known : NO_ID;
}

static u32 cell_of(Points *self, DataCell cell) {
    bool fresh;
    u32 *id = map_put(&self->index, hash_mix(cell.base, cell.member), &fresh);
    if (fresh) {
        *id = self->cells.count;
        PointsCell one = {.cell = cell, .edge = NO_ID, .use = NO_ID, .same = *id};
        array_push(&self->cells, one);
    }
    return *id;
}

// The cell that holds what this one holds: without the mark of an element, which says only that there are many of it.
static u32 content_of(Points *self, DataCell cell) {
    u32 id = cell_of(self, (DataCell){cell.base, cell.member & ~DATA_ELEMENT});
    self->cells.items[id].many |= (cell.member & DATA_ELEMENT) != 0;
    return self->cells.items[id].same;
}

// sets ------------------------------------------------------------------------

static void enqueue(Points *self, u32 cell) {
    if (self->cells.items[cell].queued)
        return;
    self->cells.items[cell].queued = true;
    array_push(&self->queue, cell);
}

static void add_target(Points *self, u32 cell, u32 target) {
    PointsCell *one = &self->cells.items[cell];
    u32 at = 0;
    while (at < one->count && one->targets[at] < target)
        at++;
    if (one->top || (at < one->count && one->targets[at] == target))
        return;
    if (limit_cuts(LIMIT_POINTS_MOST, one->count == POINTS_MOST)) {
        one->top = true;
        one->count = 1;
        one->targets[0] = 0;
    } else {
        memmove(one->targets + at + 1, one->targets + at, sizeof(u32) * (one->count - at));
        one->targets[at] = target;
        one->count++;
    }
    enqueue(self, cell);
}

static void add_all(Points *self, u32 to, u32 from) {
    if (to == from)
        return;
    for (u32 i = 0; i < self->cells.items[from].count; i++)
        add_target(self, to, self->cells.items[from].targets[i]);
}

static void add_edge(Points *self, u32 from, u32 to) {
    bool fresh;
    if (from == to)
        return;
    map_put(&self->seen, (u64)from << 32 | to, &fresh);
    if (!fresh)
        return;
    array_push(&self->edges, ((PointsEdge){to, self->cells.items[from].edge}));
    self->cells.items[from].edge = self->edges.count - 1;
    add_all(self, to, from);
}

// flows -----------------------------------------------------------------------

static bool is_typed(const Points *self, u32 target) {
    return !target || slot_kind(self->cells.items[target].cell.base) == SLOT_TYPE;
}

// `member` of what `target` names, with the marks of elements.
static DataCell member_of(const Points *self, u32 target, NameId member, RecordId record) {
    DataCell at = self->cells.items[target].cell;
    u32 element = (at.member | member) & DATA_ELEMENT;
    NameId name = member & ~DATA_ELEMENT;
    if (is_typed(self, target) && name)
        return record == NO_ID ? (DataCell){0} : (DataCell){slot_key(SLOT_TYPE, record, 0), name | element};
    return (DataCell){at.base, (name ? name : at.member) | element};
}

// The cell that is read there: in some object of a type, any that has the member. No base: not known.
static DataCell read_from(const Points *self, u32 target, NameId member, RecordId record) {
    DataCell cell = member_of(self, target, member, record);
    if (slot_kind(cell.base) == SLOT_TYPE)
        cell.base = slot_key(SLOT_ALL, slot_high(cell.base), 0);
    return (DataCell){cell.base, cell.member & ~DATA_ELEMENT};
}

static void apply_use(Points *self, const PointsUse *use, u32 target) {
    DataCell member;
    switch (use->kind) {
    case DATA_LOAD:
        member = read_from(self, target, use->member, use->record);
        if (!member.base)
            add_target(self, use->other, 0);
        else
            add_edge(self, content_of(self, member), use->other);
        return;
    case DATA_STORE:
        member = member_of(self, target, use->member, use->record);
        if (member.base)
            add_edge(self, use->other, content_of(self, member));
        return;
    case DATA_PART:
        add_target(self, use->other, cell_of(self, member_of(self, target, use->member, use->record)));
        return;
    case DATA_UP: {
        DataCell at = self->cells.items[target].cell;
        bool fits = !is_typed(self, target) && (at.member & ~DATA_ELEMENT) == use->member;
        DataCell whole = fits                   ? (DataCell){at.base, at.member & DATA_ELEMENT}
                         : use->record == NO_ID ? (DataCell){0}
                                                : (DataCell){slot_key(SLOT_TYPE, use->record, 0), 0};
        add_target(self, use->other, cell_of(self, whole));
        return;
    }
    }
}

static void put_use(Points *self, u32 pointer, u32 other, const DataFlow *flow) {
    array_push(&self->uses,
               ((PointsUse){other, flow->member, flow->record, self->cells.items[pointer].use, (u8)flow->kind}));
    self->cells.items[pointer].use = self->uses.count - 1;
    if (flow->kind == DATA_LOAD && flow->record != NO_ID && flow->member) // what was stored by who knows which pointer
        add_edge(self, content_of(self, (DataCell){slot_key(SLOT_TYPE, flow->record, 0), flow->member}), other);
}

bool points_wraps(const Points *self, FunctionId function) { return bitset_has(&self->wrappers, function); }

static void put_result(Points *self, const DataFlow *flow) {
    const Program *program = self->program;
    const CallSite *site = program_call(program, flow->record, flow->member);
    u32 to = content_of(self, flow->to);
    if (slot_kind(flow->from.base) == SLOT_RESULT && points_wraps(self, slot_high(flow->from.base))) {
        add_target(self, to, cell_of(self, (DataCell){slot_key(SLOT_HEAP, flow->record, flow->member), 0}));
        return;
    }
    if (slot_kind(flow->from.base) == SLOT_RESULT) {
        add_edge(self, content_of(self, flow->from), to);
        return;
    }
    if (!site || !site->target_count || site->target_count > FAN_OUT_WALKED || site->guessed || site->cut) {
        add_target(self, to, 0);
        return;
    }
    for (u32 t = 0; t < site->target_count; t++) {
        SlotKey result = slot_key(SLOT_RESULT, program->targets.items[site->target + t], 0);
        add_edge(self, content_of(self, (DataCell){result, 0}), to);
    }
}

static void put_flow(Points *self, const DataFlow *flow) {
    switch (flow->kind) {
    case DATA_COPY: add_edge(self, content_of(self, flow->from), content_of(self, flow->to)); return;
    case DATA_ADDRESS:
        add_target(self, content_of(self, flow->to), flow->from.base ? cell_of(self, flow->from) : 0);
        return;
    case DATA_RESULT: put_result(self, flow); return;
    case DATA_STORE: put_use(self, content_of(self, flow->to), content_of(self, flow->from), flow); return;
    default: put_use(self, content_of(self, flow->from), content_of(self, flow->to), flow); return;
    }
}

// cycles ----------------------------------------------------------------------

// fills: PointsCell.same: of cells that copy each other the lowest.
static void collapse(Points *self, const BodyScan *scan) {
    U32Array pairs = {0};
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].data.count; i++) {
            const DataFlow *flow = &scan->chunks[c].data.items[i];
            bool copies =
                flow->kind == DATA_COPY || (flow->kind == DATA_RESULT && slot_kind(flow->from.base) == SLOT_RESULT &&
                                            !points_wraps(self, slot_high(flow->from.base)));
            if (!copies)
                continue;
            array_push(&pairs, content_of(self, flow->from));
            array_push(&pairs, content_of(self, flow->to));
        }
    u32 count = self->cells.count;
    u32 *first = must_zero(sizeof(u32) * ((size_t)count + 2)),
        *edges = must_alloc(sizeof(u32) * (pairs.count / 2 + 1u));
    u32 *component = must_alloc(sizeof(u32) * ((size_t)count + 1)),
        *lowest = must_alloc(sizeof(u32) * ((size_t)count + 1));
    for (u32 i = 0; i < pairs.count; i += 2)
        first[pairs.items[i] + 2]++;
    for (u32 i = 0; i < count; i++)
        first[i + 2] += first[i + 1];
    for (u32 i = 0; i < pairs.count; i += 2)
        edges[first[pairs.items[i] + 1]++] = pairs.items[i + 1];
    u32 components = fill_components(count, first, edges, component);
    for (u32 i = 0; i < components; i++)
        lowest[i] = NO_ID;
    for (u32 i = count; i-- > 0;)
        lowest[component[i]] = i;
    for (u32 i = 0; i < count; i++)
        self->cells.items[i].same = lowest[component[i]];
    free(first);
    free(edges);
    free(component);
    free(lowest);
    array_free(&pairs);
}

// wrappers --------------------------------------------------------------------

// A wrapper of an allocator: a function whose result is fresh memory that it keeps nowhere. Its calls are allocations.
enum { WRAP_FRESH = 1, WRAP_OTHER = 2 };

static bool own_var(SlotKey key, FunctionId function) {
    return slot_kind(key) == SLOT_VAR && slot_high(key) == function;
}

static bool is_fresh_source(const Points *self, const DataFlow *flow) {
    if (flow->kind == DATA_ADDRESS)
        return slot_kind(flow->from.base) == SLOT_HEAP;
    return flow->kind == DATA_RESULT && slot_kind(flow->from.base) == SLOT_RESULT &&
           points_wraps(self, slot_high(flow->from.base));
}

// One round over all flows. A variable is bad when something else flows in, when it is stored somewhere, or when
// pointers are stored behind it; so is a function whose result is.
static bool wrap_round(Points *self, const BodyScan *scan, Map *vars, Map *results) {
    bool grew = false;
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].data.count; i++) {
            const DataFlow *flow = &scan->chunks[c].data.items[i];
            SlotKey to = flow->to.base, from = flow->from.base;
            if (slot_kind(to) == SLOT_VAR && flow->kind != DATA_STORE && !flow->to.member)
                *map_put(vars, to, NULL) |= is_fresh_source(self, flow) ? WRAP_FRESH : WRAP_OTHER;
            if (flow->kind == DATA_STORE)
                *map_put(vars, to, NULL) |= WRAP_OTHER;
            bool stays = slot_kind(to) == SLOT_VAR || slot_kind(to) == SLOT_RESULT || slot_kind(to) == SLOT_TEMP;
            if (slot_kind(from) == SLOT_VAR && (flow->kind == DATA_STORE || !stays))
                *map_put(vars, from, NULL) |= WRAP_OTHER;
        }
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].data.count; i++) {
            const DataFlow *flow = &scan->chunks[c].data.items[i];
            if (slot_kind(flow->to.base) != SLOT_RESULT)
                continue;
            bool moves = flow->kind == DATA_COPY || (flow->kind == DATA_PART && flow->member == DATA_ELEMENT);
            const u32 *var = moves ? map_get(vars, flow->from.base) : NULL;
            bool fresh = is_fresh_source(self, flow) ||
                         (own_var(flow->from.base, slot_high(flow->to.base)) && var && *var == WRAP_FRESH);
            *map_put(results, slot_high(flow->to.base), NULL) |= fresh ? WRAP_FRESH : WRAP_OTHER;
        }
    for (u32 f = 0; f < self->program->functions.count; f++) {
        const u32 *result = map_get(results, f);
        if (result && *result == WRAP_FRESH && !points_wraps(self, f)) {
            bitset_set(&self->wrappers, f);
            grew = true;
        }
    }
    return grew;
}

static void find_wrappers(Points *self, const BodyScan *scan) {
    bitset_resize(&self->wrappers, self->program->functions.count + 1);
    bool grew = data_is_whole(self->program);
    for (u32 round = 0; grew && round < WRAPPER_ROUNDS; round++) {
        Map vars = {0}, results = {0};
        grew = wrap_round(self, scan, &vars, &results);
        map_free(&vars);
        map_free(&results);
    }
}

// calls -----------------------------------------------------------------------

// The object that a pointer of which only its type is known points to.
static u32 unknown_of(Points *self, TypeRef type) {
    const Program *program = self->program;
    TypeRef plain = type_strip(program, type);
    TypeRef target = type_known(plain) && type_kind(program, plain) == TYPE_POINTER
                         ? type_strip(program, type_target(program, plain))
                         : NO_TYPE;
    RecordId record = type_known(target) ? type_record(program, target) : NO_ID;
    return record == NO_ID ? 0 : cell_of(self, (DataCell){slot_key(SLOT_TYPE, record, 0), 0});
}

// Parameters of functions that nobody in sight calls get what nobody knows.
static void seed_parameters(Points *self) {
    const Program *program = self->program;
    u8 *called = must_zero(program->functions.count + 1u);
    for (u32 i = 0; i < program->calls.count; i++)
        for (u32 t = 0; t < program->calls.items[i].target_count; t++)
            called[program->targets.items[program->calls.items[i].target + t]] = 1;
    for (u32 f = 0; f < program->functions.count; f++) {
        TypeRef type = function_type(program, f);
        const Tree *tree = &program->files.items[type.file].tree;
        const Type *one = &tree->types.items[type.type];
        for (u32 p = 0; !called[f] && p < program_header(program, f)->param_count && p < one->count; p++) {
            u32 cell = points_find(self, (DataCell){slot_key(SLOT_VAR, f, p), 0});
            if (cell != NO_ID)
                add_target(self, self->cells.items[cell].same,
                           unknown_of(self, (TypeRef){type.file, tree->lists.items[one->list + p], 0, 0}));
        }
    }
    free(called);
}

static void pass_arguments(Points *self, const BodyScan *scan) {
    const Program *program = self->program;
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].passed.count; i++) {
            const DataPassed *passed = &scan->chunks[c].passed.items[i];
            const CallSite *site = &program->calls.items[passed->call];
            bool narrow = site->target_count <= FAN_OUT_WALKED && !site->guessed && !site->cut;
            for (u32 t = 0; t < site->target_count; t++) {
                FunctionId target = program->targets.items[site->target + t];
                u32 cell = passed->argument < program_header(program, target)->param_count
                               ? points_find(self, (DataCell){slot_key(SLOT_VAR, target, passed->argument), 0})
                               : NO_ID;
                if (cell != NO_ID && narrow)
                    add_edge(self, content_of(self, passed->cell), self->cells.items[cell].same);
                else if (cell != NO_ID)
                    add_target(self, self->cells.items[cell].same, 0);
            }
        }
}

// solving ---------------------------------------------------------------------

static void work_off(Points *self) {
    for (u32 at = 0; at < self->queue.count; at++) {
        u32 cell = self->queue.items[at];
        self->cells.items[cell].queued = false;
        for (u32 e = self->cells.items[cell].edge; e != NO_ID; e = self->edges.items[e].next)
            add_all(self, self->edges.items[e].to, cell);
        for (u32 u = self->cells.items[cell].use; u != NO_ID; u = self->uses.items[u].next) {
            PointsUse use = self->uses.items[u];
            for (u32 i = 0; i < self->cells.items[cell].count; i++)
                apply_use(self, &use, self->cells.items[cell].targets[i]);
        }
        if (at == 1u << 20) { // what was worked off is forgotten
            memmove(self->queue.items, self->queue.items + at + 1, sizeof(u32) * (self->queue.count - at - 1));
            self->queue.count -= at + 1;
            at = UINT32_MAX;
        }
    }
}

void points_solve(Program *program, const BodyScan *scan) {
    Points *self = must_zero(sizeof *self);
    program->points = self;
    self->program = program;
    cell_of(self, (DataCell){0});
    find_wrappers(self, scan);
    collapse(self, scan);
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].data.count; i++)
            put_flow(self, &scan->chunks[c].data.items[i]);
    seed_parameters(self);
    pass_arguments(self, scan);
    work_off(self);
    find_kept(self, scan);
    array_free(&self->edges);
    array_free(&self->uses);
    array_free(&self->queue);
    map_free(&self->seen);
}

void points_free(Program *program) {
    Points *self = program->points;
    if (!self)
        return;
    array_free(&self->cells);
    map_free(&self->index);
    bitset_free(&self->wrappers);
    array_free(&self->regions);
    map_free(&self->region_of);
    free(self);
    program->points = NULL;
}

// questions -------------------------------------------------------------------

static PointsTarget target_of(const Points *self, u32 cell) {
    DataCell at = self->cells.items[cell].cell;
    PointsTarget out = {.id = slot_high(at.base),
                        .var = slot_low(at.base),
                        .member = at.member & ~DATA_ELEMENT,
                        .element = at.member & DATA_ELEMENT};
    switch (slot_kind(at.base)) {
    case SLOT_GLOBAL: out.kind = POINTS_GLOBAL; break;
    case SLOT_VAR: out.kind = POINTS_LOCAL; break;
    case SLOT_HEAP: out.kind = POINTS_HEAP; break;
    case SLOT_TYPE: out.kind = POINTS_TYPE; break;
    default: out.kind = POINTS_UNKNOWN;
    }
    return out;
}

// A few cells that an expression's value goes through, on top of what was solved.
#define EVALUATED_MOST 24
typedef struct {
    const Points *points;
    struct {
        SlotKey base;
        u32 targets[POINTS_MOST + 1];
        u32 count;
    } temps[EVALUATED_MOST];
    u32 count;
    bool cut;
} Evaluation;

static u32 temp_of(Evaluation *self, SlotKey base) {
    for (u32 i = 0; i < self->count; i++)
        if (self->temps[i].base == base)
            return i;
    if (self->count == EVALUATED_MOST) {
        self->cut = true;
        return EVALUATED_MOST - 1;
    }
    self->temps[self->count].base = base;
    self->temps[self->count].count = 0;
    return self->count++;
}

static void evaluate_add(Evaluation *self, u32 temp, u32 target) {
    for (u32 i = 0; i < self->temps[temp].count; i++)
        if (self->temps[temp].targets[i] == target)
            return;
    if (limit_cuts(LIMIT_POINTS_MOST, self->temps[temp].count >= POINTS_MOST))
        self->cut = true;
    else
        self->temps[temp].targets[self->temps[temp].count++] = target;
}

// What a cell holds: a temporary's, or what was solved.
static u32 held_in(Evaluation *self, DataCell cell, const u32 **targets) {
    if (slot_kind(cell.base) == SLOT_TEMP) {
        u32 temp = temp_of(self, cell.base);
        *targets = self->temps[temp].targets;
        return self->temps[temp].count;
    }
    u32 id = points_find(self->points, (DataCell){cell.base, cell.member & ~DATA_ELEMENT});
    if (id == NO_ID)
        return 0;
    const PointsCell *one = &self->points->cells.items[self->points->cells.items[id].same];
    *targets = one->targets;
    return one->count;
}

static void evaluate_copy(Evaluation *self, u32 temp, DataCell from) {
    const u32 *targets = NULL;
    u32 count = held_in(self, from, &targets), copy[POINTS_MOST + 1];
    memcpy(copy, targets ? targets : copy, sizeof(u32) * count);
    for (u32 i = 0; i < count; i++)
        evaluate_add(self, temp, copy[i]);
}

static void evaluate_use(Evaluation *self, u32 temp, const DataFlow *flow, u32 target) {
    const Points *points = self->points;
    DataCell member = flow->kind == DATA_LOAD ? read_from(points, target, flow->member, flow->record)
                                              : member_of(points, target, flow->member, flow->record);
    if (flow->kind == DATA_LOAD) {
        if (member.base)
            evaluate_copy(self, temp, member);
        else
            evaluate_add(self, temp, 0);
        return;
    }
    if (flow->kind == DATA_UP) {
        DataCell at = points->cells.items[target].cell;
        bool fits = !is_typed(points, target) && (at.member & ~DATA_ELEMENT) == flow->member;
        member = fits ? (DataCell){at.base, at.member & DATA_ELEMENT} : (DataCell){0};
    }
    u32 id = member.base ? points_find(points, member) : 0;
    evaluate_add(self, temp, id == NO_ID ? 0 : id);
}

static void evaluate_result(Evaluation *self, u32 temp, const DataFlow *flow) {
    const Points *points = self->points;
    bool direct = slot_kind(flow->from.base) == SLOT_RESULT;
    if (direct && points_wraps(points, slot_high(flow->from.base))) {
        u32 id = points_find(points, (DataCell){slot_key(SLOT_HEAP, flow->record, flow->member), 0});
        evaluate_add(self, temp, id == NO_ID ? 0 : id);
    } else if (direct) {
        evaluate_copy(self, temp, flow->from);
    } else {
        evaluate_add(self, temp, 0);
    }
}

static void evaluate(Evaluation *self, const DataFlow *flow) {
    const Points *points = self->points;
    const u32 *targets = NULL;
    u32 temp = temp_of(self, flow->to.base), copy[POINTS_MOST + 1], count, id;
    switch (flow->kind) {
    case DATA_COPY: evaluate_copy(self, temp, flow->from); return;
    case DATA_ADDRESS:
        id = flow->from.base ? points_find(points, flow->from) : 0;
        evaluate_add(self, temp, id == NO_ID ? 0 : id);
        return;
    case DATA_RESULT: evaluate_result(self, temp, flow); return;
    default:
        count = held_in(self, flow->from, &targets);
        memcpy(copy, targets ? targets : copy, sizeof(u32) * count);
        for (u32 i = 0; i < count; i++)
            evaluate_use(self, temp, flow, copy[i]);
        if (flow->kind == DATA_LOAD && flow->record != NO_ID && flow->member)
            evaluate_copy(self, temp, (DataCell){slot_key(SLOT_TYPE, flow->record, 0), flow->member});
    }
}

static void put_targets(const Points *self, const u32 *targets, u32 count, PointsSet *out) {
    out->count = 0;
    out->complete = count > 0;
    for (u32 i = 0; i < count && i < POINTS_MOST; i++) {
        if (!targets[i])
            out->complete = false;
        else
            out->items[out->count++] = target_of(self, targets[i]);
    }
}

void expr_points(const BodyScope *scope, ExprId pointer, PointsSet *out) {
    const Points *points = scope->program->points;
    DataFlowArray flows = {0};
    Map followed = {0};
    DataScan scan = {scope->program, *scope, &followed, &flows};
    DataCell to = data_pointer(&scan, pointer);
    Evaluation evaluation = {.points = points};
    const u32 *targets = NULL;
    for (u32 i = 0; i < flows.count; i++)
        evaluate(&evaluation, &flows.items[i]);
    u32 count = held_in(&evaluation, to, &targets);
    put_targets(points, targets, count, out);
    out->complete &= !evaluation.cut;
    array_free(&flows);
    map_free(&followed);
}

static void cell_points(const Program *program, DataCell cell, PointsSet *out) {
    const Points *self = program->points;
    u32 id = points_find(self, cell);
    const PointsCell *one = id == NO_ID ? NULL : &self->cells.items[self->cells.items[id].same];
    put_targets(self, one ? one->targets : NULL, one ? one->count : 0, out);
}

void global_points(const Program *self, GlobalId global, NameId member, PointsSet *out) {
    cell_points(self, (DataCell){slot_key(SLOT_GLOBAL, global, 0), member}, out);
}

void local_points(const Program *self, FunctionId function, u32 var, NameId member, PointsSet *out) {
    cell_points(self, (DataCell){slot_key(SLOT_VAR, function, var), member}, out);
}

void heap_points(const Program *self, FunctionId function, ExprId call, NameId member, PointsSet *out) {
    cell_points(self, (DataCell){slot_key(SLOT_HEAP, function, call), member}, out);
}

void record_points(const Program *self, RecordId record, NameId member, PointsSet *out) {
    cell_points(self, (DataCell){slot_key(SLOT_ALL, record, 0), member}, out);
}

// tables ----------------------------------------------------------------------

// Adds what a cell holds, if that is tables and nothing else; false: it is not.
static bool add_tables(const Points *self, DataCell cell, bool required, GlobalId *out, u32 *count) {
    const Program *program = self->program;
    u32 id = points_find(self, cell);
    const PointsCell *one = id == NO_ID ? NULL : &self->cells.items[self->cells.items[id].same];
    if (!one || !one->count)
        return !required;
    for (u32 i = 0; i < one->count; i++) {
        PointsTarget target = target_of(self, one->targets[i]);
        bool known = false, constant = false;
        if (target.kind == POINTS_GLOBAL && !target.member) {
            TypeRef type = global_type(program, target.id);
            constant = program->files.items[type.file].tree.types.items[type.type].quals & QUAL_CONST;
        }
        for (u32 k = 0; k < *count; k++)
            known |= out[k] == target.id;
        if (!constant || (*count == POINTS_MOST && !known))
            return false; // one that may be filled in later says nothing
        if (!known)
            out[(*count)++] = target.id;
    }
    return true;
}

u32 points_tables(const Program *program, const TableCall *call, GlobalId *out) {
    const Points *self = program->points;
    u32 count = 0, id = points_find(self, call->holder);
    if (!call->pointer && !add_tables(self, call->holder, true, out, &count))
        return 0;
    const PointsCell *holder = call->pointer && id != NO_ID ? &self->cells.items[self->cells.items[id].same] : NULL;
    if (call->pointer && (!holder || !holder->count))
        return 0;
    for (u32 i = 0; holder && i < holder->count; i++) {
        u32 target = holder->targets[i];
        DataCell kept = {self->cells.items[target].cell.base, call->kept};
        if (is_typed(self, target) || !add_tables(self, kept, true, out, &count))
            return 0;
    }
    bool anywhere = call->record == NO_ID || // what was stored by a pointer that nobody knows
                    add_tables(self, (DataCell){slot_key(SLOT_TYPE, call->record, 0), call->kept}, false, out, &count);
    return anywhere ? count : 0;
}
