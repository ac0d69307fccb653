// kept.c: allocated memory that is kept in one place.
// In: the solved sets (points.c). Out: regions: what `histogram` points to, when only globals (and what they lead to)
// ever keep what was allocated for it. Allocations that one global keeps, one after another, are one region.
// The idea: a call that allocates stands for all objects it ever made. Where such an object is kept in a member of some
// type, of some element, there are many at a time, and two threads may well have one each; where a global has it, all
// that can find it find the same.
// Invariant: the lowest allocation stands for its region; regions are numbered in the order of cells.
#include "racerx/link/points.h"

typedef struct {
    Points *points;
    Map number;      // SlotKey of an allocation -> its number
    U32Array cells;  // by number: the allocation's cell
    U32Array parent; // by number: towards the one that stands for it
    U32Array keeper; // by number: 1 + the cell that keeps it; 0: none yet
    U32Array many;   // by number: there are many of it at a time
} Keeping;

static u32 number_of(Keeping *self, u32 cell) {
    SlotKey base = self->points->cells.items[cell].cell.base;
    bool fresh;
    u32 *number = map_put(&self->number, base, &fresh);
    if (fresh) {
        *number = self->cells.count;
        array_push(&self->cells, cell);
        array_push(&self->parent, *number);
        array_push(&self->keeper, 0);
        array_push(&self->many, 0);
    }
    return *number;
}

static u32 lead_of(const Keeping *self, u32 number) {
    while (self->parent.items[number] != number)
        number = self->parent.items[number];
    return number;
}

// Which of two keepers (cells, plus 1; 0: none) names the region: a global rather than a member, then the lower.
static u32 better(const Keeping *self, u32 a, u32 b) {
    if (!a || !b)
        return a ? a : b;
    bool x = slot_kind(self->points->cells.items[a - 1].cell.base) == SLOT_GLOBAL,
         y = slot_kind(self->points->cells.items[b - 1].cell.base) == SLOT_GLOBAL;
    if (x != y)
        return x ? a : b;
    return a < b ? a : b;
}

static bool join(Keeping *self, u32 a, u32 b) {
    a = lead_of(self, a);
    b = lead_of(self, b);
    u32 low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return false;
    self->parent.items[high] = low;
    self->many.items[low] |= self->many.items[high];
    self->keeper.items[low] = better(self, self->keeper.items[low], self->keeper.items[high]);
    return true;
}

// Is a global one pointer, and the same for all?
static bool is_one(const Program *program, GlobalId id) {
    const ProgramGlobal *global = &program->globals.items[id];
    TypeRef type = type_strip(program, global_type(program, id));
    return !(global->flags & DECL_THREAD_LOCAL) && !(type_known(type) && type_kind(program, type) == TYPE_ARRAY) &&
           !(program_said(program, global->name) & SAID_PERCPU);
}

// Is a cell a keeper of one object at a time, of many, or none? A local is none: what it has somebody else gave it, or
// will have it. What a member of an allocation keeps is as single as that.
enum { KEEPS_NOT, KEEPS_ONE, KEEPS_MANY, KEEPS_AS_OWNER };
static u32 keeps(const Keeping *self, const PointsCell *one) {
    bool single = !one->many && !(one->cell.member & DATA_ELEMENT);
    switch (one->count ? slot_kind(one->cell.base) : SLOT_NONE) {
    case SLOT_GLOBAL:
        return single && is_one(self->points->program, slot_high(one->cell.base)) ? KEEPS_ONE : KEEPS_MANY;
    case SLOT_TYPE: return KEEPS_MANY;
    case SLOT_VAR: return one->cell.member ? KEEPS_MANY : KEEPS_NOT;
    case SLOT_HEAP: return single ? KEEPS_AS_OWNER : KEEPS_MANY;
    default: return KEEPS_NOT;
    }
}

// The allocation that a cell is a member of.
static u32 owner_of(const Keeping *self, const PointsCell *one) {
    return lead_of(self, *map_get(&self->number, one->cell.base));
}

// Everything that one cell keeps is one region.
static bool keep_one(Keeping *self, u32 cell) {
    const Points *points = self->points;
    const PointsCell *one = &points->cells.items[points->cells.items[cell].same];
    bool changed = false;
    u32 first = NO_ID;
    for (u32 i = 0; i < one->count; i++) {
        if (slot_kind(points->cells.items[one->targets[i]].cell.base) != SLOT_HEAP)
            continue;
        u32 number = number_of(self, one->targets[i]);
        u32 *keeper = &self->keeper.items[lead_of(self, number)];
        changed |= !*keeper;
        *keeper = better(self, *keeper, cell + 1);
        changed |= first != NO_ID && join(self, first, number);
        first = number;
    }
    return changed;
}

static bool keep_many(Keeping *self, u32 cell) {
    const Points *points = self->points;
    const PointsCell *one = &points->cells.items[points->cells.items[cell].same];
    bool changed = false;
    for (u32 i = 0; i < one->count; i++) {
        if (slot_kind(points->cells.items[one->targets[i]].cell.base) != SLOT_HEAP)
            continue;
        u32 lead = lead_of(self, number_of(self, one->targets[i]));
        changed |= !self->many.items[lead];
        self->many.items[lead] = 1;
    }
    return changed;
}

// One round over all cells. First who keeps what, then what there are many of: a keeper that is many makes many of what
// it keeps.
static bool keep_round(Keeping *self, bool many) {
    const Points *points = self->points;
    bool changed = false;
    for (u32 c = 1; c < points->cells.count; c++) {
        PointsCell one = points->cells.items[c];
        one.count = points->cells.items[one.same].count;
        u32 sort = keeps(self, &one), owner = sort == KEEPS_AS_OWNER ? owner_of(self, &one) : 0;
        bool kept = sort == KEEPS_ONE || (sort == KEEPS_AS_OWNER && self->keeper.items[owner]);
        bool several =
            sort == KEEPS_MANY || (sort == KEEPS_AS_OWNER && (self->many.items[owner] || !self->keeper.items[owner]));
        if (many ? several : kept)
            changed |= many ? keep_many(self, c) : keep_one(self, c);
    }
    return changed;
}

// A list leads to itself: what keeps an object is among what the object keeps.
static void find_lists(Keeping *self) {
    const Points *points = self->points;
    for (u32 c = 1; c < points->cells.count; c++) {
        const PointsCell *one = &points->cells.items[points->cells.items[c].same];
        if (slot_kind(points->cells.items[c].cell.base) != SLOT_HEAP)
            continue;
        u32 owner = lead_of(self, *map_get(&self->number, points->cells.items[c].cell.base));
        for (u32 i = 0; i < one->count; i++)
            if (slot_kind(points->cells.items[one->targets[i]].cell.base) == SLOT_HEAP &&
                lead_of(self, number_of(self, one->targets[i])) == owner)
                self->many.items[owner] = 1;
    }
}

static void find_keepers(Keeping *self) {
    const Points *points = self->points;
    bool changed = true;
    for (u32 c = 1; c < points->cells.count; c++)
        if (slot_kind(points->cells.items[c].cell.base) == SLOT_HEAP)
            number_of(self, c);
    for (u32 round = 0; changed && round < KEPT_ROUNDS; round++)
        changed = keep_round(self, false);
    find_lists(self);
    changed = true;
    for (u32 round = 0; changed && !limit_cuts(LIMIT_KEPT_ROUNDS, round >= KEPT_ROUNDS); round++)
        changed = keep_round(self, true);
    for (u32 n = 0; changed && n < self->cells.count; n++) // not known: none of them is one
        self->many.items[lead_of(self, n)] = 1;
}

// fills: regions, region_of.
static void put_regions(Keeping *self) {
    Points *points = self->points;
    array_push(&points->regions, (PointsRegion){0});
    u32 *region = must_zero(sizeof(u32) * (self->cells.count + 1u));
    for (u32 n = 0; n < self->cells.count; n++) {
        u32 lead = lead_of(self, n);
        if (self->many.items[lead] || !self->keeper.items[lead])
            continue;
        if (!region[lead]) {
            region[lead] = points->regions.count;
            DataCell keeper = points->cells.items[self->keeper.items[lead] - 1].cell;
            array_push(&points->regions, ((PointsRegion){.keeper = keeper}));
        }
        SlotKey base = points->cells.items[self->cells.items[n]].cell.base;
        *map_put(&points->region_of, base, NULL) = region[lead];
    }
    for (u32 r = 1; r < points->regions.count; r++) {
        PointsRegion *one = &points->regions.items[r];
        bool inside = slot_kind(one->keeper.base) == SLOT_HEAP;
        const u32 *outer = inside ? map_get(&points->region_of, one->keeper.base) : NULL;
        one->outer = outer ? *outer : 0;
        if (inside && (!outer || *outer == r))
            die("allocated memory is kept in what is no region");
    }
    free(region);
}

static void find_freed(Points *self, const BodyScan *scan) {
    for (u32 c = 0; c < scan->count; c++)
        for (u32 i = 0; i < scan->chunks[c].freed.count; i++) {
            u32 id = points_find(self, scan->chunks[c].freed.items[i]);
            const PointsCell *one = id == NO_ID ? NULL : &self->cells.items[self->cells.items[id].same];
            for (u32 t = 0; one && t < one->count; t++) {
                const u32 *region = map_get(&self->region_of, self->cells.items[one->targets[t]].cell.base);
                if (region)
                    self->regions.items[*region].freed = true;
            }
        }
}

void find_kept(Points *points, const BodyScan *scan) {
    Keeping self = {.points = points};
    if (data_is_whole(points->program))
        find_keepers(&self);
    put_regions(&self);
    find_freed(points, scan);
    map_free(&self.number);
    array_free(&self.cells);
    array_free(&self.parent);
    array_free(&self.keeper);
    array_free(&self.many);
}

// questions -------------------------------------------------------------------

u32 points_region(const Program *program, const PointsTarget *target) {
    const u32 *region = target->kind == POINTS_HEAP
                            ? map_get(&program->points->region_of, slot_key(SLOT_HEAP, target->id, target->var))
                            : NULL;
    return region ? *region : 0;
}

bool points_region_freed(const Program *program, u32 region) { return program->points->regions.items[region].freed; }

void points_region_name(const Program *program, u32 region, Buffer *out) {
    const Points *self = program->points;
    const PointsRegion *one = &self->regions.items[region];
    NameId members[LIST_DEPTH];
    u32 count = 0;
    while (one->outer && count < LIST_DEPTH) {
        members[count++] = one->keeper.member;
        one = &self->regions.items[one->outer];
    }
    Object object = {.kind = OBJECT_GLOBAL, .global = slot_high(one->keeper.base), .member = one->keeper.member};
    buffer_text(out, "*");
    object_name(program, &object, out);
    while (count)
        buffer_format(out, "->%s", program_text(program, members[--count]));
}
