// deciding.c: which conditions decide what is done with locks, and who is asked about them.
// In: skeletons, what functions let go and leave held. Out: places (Skeleton.places) whose value callers hand in
// (PLACE_WANTED) and are told afterwards (PLACE_TOLD); locals that states are kept apart by (Skeleton.split); the
// objects that calls may change (Facts.writes).
// The idea: a branch decides when one of its arms does more to locks than another. Only of what such branches test do
// facts travel, bottom-up through calls that are sure: `if (!locked) lock();` makes callers say what `locked` is.
// Everything else is kept apart nowhere, and costs nothing.
#include "racerx/facts/analysis.h"

// constants -----------------------------------------------------------------------

void fill_constants(Analysis *self) {
    for (u32 f = 0; f < self->program->files.count; f++) {
        const ProgramFile *file = &self->program->files.items[f];
        for (u32 i = 0; i < file->tree.enumerators.count; i++) {
            const Enumerator *one = &file->tree.enumerators.items[i];
            bool fresh;
            u32 *index = map_put(&self->constants, file->names[one->name], &fresh);
            if (fresh) {
                array_push(&self->constant_values, ((ConstantValue){one->value, !one->known}));
                *index = self->constant_values.count;
            } else {
                ConstantValue *known = &self->constant_values.items[*index - 1];
                known->vague |= !one->known || one->value != known->value;
            }
        }
    }
}

bool constant_named(const Analysis *self, FileId file, NameId name, i64 *out) {
    const u32 *index = map_get((Map *)&self->constants, name);
    if (!index || self->constant_values.items[*index - 1].vague || program_global(self->program, file, name) != NO_ID)
        return false;
    *out = self->constant_values.items[*index - 1].value;
    return true;
}

// places ----------------------------------------------------------------------------

const TestedPlace *place_by_path(const Skeleton *skeleton, PathId path) {
    for (u32 i = 0; path && i < skeleton->place_count; i++)
        if (skeleton->places[i].path == path)
            return &skeleton->places[i];
    return NULL;
}

const TestedPlace *place_by_expr(const Skeleton *skeleton, ExprId expr) {
    for (u32 i = 0; expr && i < skeleton->place_count; i++)
        if (skeleton->places[i].expr == expr)
            return &skeleton->places[i];
    return NULL;
}

PathId path_of_caller(Analysis *self, const Skeleton *caller, const SkeletonStep *call, PathId path) {
    PathTable *paths = &self->paths;
    PathId root = path_first(paths, path);
    const Path *first = &paths->paths.items[root];
    if (!path || first->root == ROOT_GLOBAL)
        return path;
    if (first->root != ROOT_PARAM || first->step >= call->arg_count || path == root)
        return 0;
    const ArgumentValue *argument = &caller->args[call->arg + first->step];
    if (argument->address && path == path_step(paths, root, 0, true))
        return argument->path; // *p of &x
    return argument->path ? path_rebase(paths, path, root, argument->path, argument->address) : 0;
}

typedef struct {
    Analysis *analysis;
    FunctionId function;
    Skeleton *skeleton;
    Array(TestedPlace) places; // of the function, as they grow
    u32 wanted;                // how many callers are asked about
    U32Array work;
    u8 *seen; // by block
    u32 room;
    U32Array taken[2], freed[2]; // classes that an arm takes, lets go
    u64 *tested;                 // by object: some function has a place of it
    u32 *known;                  // by function: places that its callers were asked about before; NULL: none
} Deciding;

static void place_flag(Deciding *self, TestedPlace *place, u8 flag) {
    if (!flag || (place->flags & flag))
        return;
    const Path *root = &self->analysis->paths.paths.items[path_first(&self->analysis->paths, place->path)];
    if (root->root != ROOT_PARAM && root->root != ROOT_GLOBAL)
        return;
    if (limit_cuts(LIMIT_WANTED_MOST, self->wanted >= WANTED_MOST))
        return;
    self->wanted++;
    place->flags |= flag;
}

static TestedPlace *find_place(Deciding *self, PathId path) {
    for (u32 i = 0; path && i < self->places.count; i++)
        if (self->places.items[i].path == path)
            return &self->places.items[i];
    return NULL;
}

// The place of a tracked expression, or of what a local is a copy of.
static TestedPlace *place_of(Deciding *self, ExprId expr) {
    const Skeleton *skeleton = self->skeleton;
    for (u32 i = 0; i < self->places.count; i++)
        if (self->places.items[i].expr == expr)
            return &self->places.items[i];
    for (u32 i = 0; i < skeleton->masked_count; i++)
        if (skeleton->masked[i].expr == expr && skeleton->masked[i].of != expr)
            return place_of(self, skeleton->masked[i].of);
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const SkeletonStep *step = &skeleton->steps[s];
        if (step->kind == STEP_SET && step->expr == expr && step->source && step->source != expr &&
            step->discard != COMPARES_CHOICE)
            for (u32 i = 0; i < self->places.count; i++)
                if (self->places.items[i].expr == step->source)
                    return &self->places.items[i];
    }
    return NULL;
}

// arms --------------------------------------------------------------------------------

static void put_class(U32Array *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i] == class)
            return;
    if (class)
        array_push(set, class);
}

// What a step takes or lets go.
static void step_classes(const Deciding *self, const SkeletonStep *step, U32Array *taken, U32Array *freed) {
    const Analysis *analysis = self->analysis;
    for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
        const LockOperation *operation = &analysis->operations.items[step->effect + i];
        u8 kind = operation->effect->kind;
        if (operation->class >= CLASS_FIRST && (kind == EFFECT_ACQUIRE || kind == EFFECT_RELEASE))
            put_class(kind == EFFECT_ACQUIRE ? taken : freed, operation->class);
    }
    if (step->kind != STEP_CALL || !call_is_narrow(&analysis->program->calls.items[step->call]))
        return;
    const CallSite *site = &analysis->program->calls.items[step->call];
    for (u32 t = 0; t < site->target_count; t++) {
        FunctionId target = analysis->program->targets.items[site->target + t];
        for (u32 i = 0; i < analysis->leaves[target].count; i++)
            if (analysis->leaves[target].items[i] >= CLASS_FIRST)
                put_class(taken, caller_class(analysis, self->skeleton, step, analysis->leaves[target].items[i]));
        for (u32 i = 0; i < analysis->releases[target].count; i++)
            if (analysis->releases[target].items[i] >= CLASS_FIRST)
                put_class(freed, caller_class(analysis, self->skeleton, step, analysis->releases[target].items[i]));
    }
}

// Blocks that can be come to from here.
static void mark_from(Deciding *self, u32 from, u8 bit) {
    const Skeleton *skeleton = self->skeleton;
    self->work.count = 0;
    array_push(&self->work, from);
    self->seen[from] |= bit;
    while (self->work.count) {
        const SkeletonBlock *block = &skeleton->blocks[self->work.items[--self->work.count]];
        for (u32 s = 0; s < block->successor_count; s++) {
            u32 next = skeleton->successors[block->successor + s];
            if (!(self->seen[next] & bit)) {
                self->seen[next] |= bit;
                array_push(&self->work, next);
            }
        }
    }
}

// What an arm of a branch takes and lets go. What other arms come to, too, is not counted.
static void arm_classes(Deciding *self, u8 mine, u8 others, U32Array *taken, U32Array *freed) {
    const Skeleton *skeleton = self->skeleton;
    taken->count = freed->count = 0;
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; (self->seen[b] & mine) && !(self->seen[b] & others) && s < skeleton->blocks[b].step_count; s++)
            step_classes(self, &skeleton->steps[skeleton->blocks[b].step + s], taken, freed);
}

static bool has_class(const U32Array *set, ClassId class) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i] == class)
            return true;
    return false;
}

// Is some lock taken, or let go, in the one arm and not in the other? Both in one arm: nothing, when `net`.
static bool differs(const U32Array *taken, const U32Array *freed, const U32Array *other_taken,
                    const U32Array *other_freed, bool net) {
    for (u32 i = 0; i < taken->count; i++) {
        bool mine = !net || !has_class(freed, taken->items[i]),
             other = has_class(other_taken, taken->items[i]) && (!net || !has_class(other_freed, taken->items[i]));
        if (mine != other)
            return true;
    }
    return false;
}

// One arm does more to locks than another: for good, or for a while where both go on together. (Who asks first whether
// there is anything to do, and goes away, does not decide.)
static bool branch_decides(Deciding *self, const SkeletonBlock *block) {
    const u32 *to = self->skeleton->successors + block->successor;
    u32 arms = block->successor_count < 7 ? block->successor_count : 7;
    if (arms < 2)
        return false;
    memset(self->seen, 0, self->skeleton->block_count);
    for (u32 i = 0; i < arms; i++)
        mark_from(self, to[i], (u8)(1u << i));
    bool together = false;
    for (u32 b = 0; b < self->skeleton->block_count && !together; b++)
        together = self->seen[b] == (1u << arms) - 1;
    for (u32 i = 0; i < arms; i++) {
        u8 mine = (u8)(1u << i), others = (u8)~mine;
        for (u32 k = 0; k < arms; k++)
            others &= to[k] == to[i] ? (u8) ~(1u << k) : 0xff;
        U32Array *taken = self->taken, *freed = self->freed;
        arm_classes(self, mine, others, &taken[i > 0], &freed[i > 0]);
        for (u32 net = !together; i && net < 2; net++)
            if (differs(&taken[0], &freed[0], &taken[1], &freed[1], net) ||
                differs(&taken[1], &freed[1], &taken[0], &freed[0], net) ||
                differs(&freed[0], &taken[0], &freed[1], &taken[1], net) ||
                differs(&freed[1], &taken[1], &freed[0], &taken[0], net))
                return true;
    }
    return false;
}

// loops -------------------------------------------------------------------------------

static bool block_does(const Deciding *self, u32 block, ClassId class, u32 effect) {
    const SkeletonBlock *at = &self->skeleton->blocks[block];
    for (u32 s = 0; s < at->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[at->step + s];
        // What a callee may leave held it may as well not: a round that need not do it would never be the last.
        if (step->kind == STEP_LOCK && step_effect(self->analysis, self->skeleton, step, class) == effect)
            return true;
    }
    return false;
}

// Does every way round the loop do it?
static bool each_round_does(Deciding *self, u32 head, u32 body, ClassId class, u32 effect) {
    memset(self->seen, 0, self->skeleton->block_count);
    self->work.count = 0;
    array_push(&self->work, body);
    while (self->work.count) {
        u32 at = self->work.items[--self->work.count];
        if (at == head)
            return false;
        if (self->seen[at]++ || block_does(self, at, class, effect))
            continue;
        for (u32 s = 0; s < self->skeleton->blocks[at].successor_count; s++) {
            u32 next = self->skeleton->successors[self->skeleton->blocks[at].successor + s];
            if (!self->seen[next])
                array_push(&self->work, next);
        }
    }
    return true;
}

// Is the loop come to there, from outside of it? What asks further inside, and goes away, is no head: `if (x) break;`.
// Of `while (a && b)` each part is: they are in one line. requires: `seen` of the loop's arms.
static bool is_entered(const Deciding *self, u32 head, u8 around) {
    const Skeleton *skeleton = self->skeleton;
    bool entered = !head;
    for (u32 b = 0; b < skeleton->block_count && !entered; b++)
        for (u32 s = 0; s < skeleton->blocks[b].successor_count && !entered; s++)
            entered =
                skeleton->successors[skeleton->blocks[b].successor + s] == head &&
                (!(self->seen[b] & around) || (skeleton->blocks[b].term == TERM_BRANCH && b < head &&
                                               skeleton->blocks[b].place.line == skeleton->blocks[head].place.line));
    return entered;
}

// What the loop takes, by the number that counts its rounds, are the locks of all elements.
static void put_all_taken(Deciding *self, const u32 *to, u8 around) {
    Analysis *analysis = self->analysis;
    const Skeleton *skeleton = self->skeleton;
    memset(self->seen, 0, skeleton->block_count);
    mark_from(self, to[0], 1);
    mark_from(self, to[1], 2);
    for (u32 b = 0; b < skeleton->block_count; b++)
        for (u32 s = 0; self->seen[b] == around && s < skeleton->blocks[b].step_count; s++) {
            const SkeletonStep *step = &skeleton->steps[skeleton->blocks[b].step + s];
            for (u32 i = 0; step->kind == STEP_LOCK && i < step->effect_count; i++) {
                u32 index = path_index(&analysis->paths, analysis->operations.items[step->effect + i].path);
                if (step_is_term(index) && !step_is_owned(step_name(index)) &&
                    map_get(&analysis->in_turn, step_name(index)))
                    map_put(&analysis->all_taken, step_name(index), NULL);
            }
        }
}

// A loop whose body takes locks, or lets them go, is for all of them: it is not left before its first round.
static void fill_loop(Deciding *self, u32 head) {
    SkeletonBlock *block = &self->skeleton->blocks[head];
    const u32 *to = self->skeleton->successors + block->successor;
    if (block->term != TERM_BRANCH || block->successor_count != 2 || to[0] == to[1])
        return;
    for (u32 s = 0; s < block->step_count; s++) // who asks somebody each time does not go over all there is
        if (self->skeleton->steps[block->step + s].kind == STEP_CALL)
            return;
    memset(self->seen, 0, self->skeleton->block_count);
    mark_from(self, to[0], 1);
    mark_from(self, to[1], 2);
    u8 around = self->seen[head];
    if ((around != 1 && around != 2) || !is_entered(self, head, around))
        return;
    arm_classes(self, around, (u8)~around, &self->taken[0], &self->freed[0]);
    bool takes = self->taken[0].count == 1 && !self->freed[0].count,
         frees = self->freed[0].count == 1 && !self->taken[0].count;
    ClassId class = takes ? self->taken[0].items[0] : frees ? self->freed[0].items[0] : 0;
    if (!class || !each_round_does(self, head, to[around - 1], class, takes ? 2 : 1))
        return;
    block->loop = class << 2 | (takes ? LOOP_TAKES : 0) | (around == 2 ? LOOP_SECOND : 0);
    if (takes)
        put_all_taken(self, to, around);
}

static bool has_lock_steps(const Deciding *self) {
    U32Array taken = {0}, freed = {0};
    bool found = false;
    for (u32 s = 0; s < self->skeleton->step_count && !found; s++) {
        step_classes(self, &self->skeleton->steps[s], &taken, &freed);
        found = taken.count || freed.count;
    }
    array_free(&taken);
    array_free(&freed);
    return found;
}

// Own branches.
static void ask_for_branches(Deciding *self) {
    Skeleton *skeleton = self->skeleton;
    bool locks = has_lock_steps(self);
    if (locks)
        limit_cuts(LIMIT_DECIDING_BLOCKS, skeleton->block_count > DECIDING_BLOCKS);
    for (u32 b = 0; locks && skeleton->block_count <= DECIDING_BLOCKS && b < skeleton->block_count; b++)
        fill_loop(self, b);
    for (u32 b = 0; b < skeleton->block_count; b++) {
        SkeletonBlock *block = &skeleton->blocks[b];
        if (!block->subject)
            continue;
        TestedPlace *place = locks && skeleton->block_count <= DECIDING_BLOCKS ? place_of(self, block->subject) : NULL;
        bool decides = place && branch_decides(self, block);
        if (decides) {
            place_flag(self, place, PLACE_WANTED);
            place->flags |= PLACE_ASKED;
        }
    }
    bool keeps = self->analysis->leaves[self->function].count || self->analysis->releases[self->function].count;
    for (u32 s = 0; keeps && s < skeleton->step_count; s++)
        if (skeleton->steps[s].kind == STEP_STORE) {
            TestedPlace *place = place_of(self, skeleton->steps[s].expr);
            if (place && place->expr == skeleton->steps[s].expr)
                place_flag(self, place, PLACE_TOLD);
        }
}

// What is tested in one place only, and decides nothing, is not followed.
static void drop_idle_tests(Deciding *self) {
    for (u32 b = 0; b < self->skeleton->block_count; b++) {
        SkeletonBlock *block = &self->skeleton->blocks[b];
        const TestedPlace *place = block->once ? place_of(self, block->subject) : NULL;
        if (block->once && !(place && (place->flags & PLACE_ASKED)))
            block->idle = true;
    }
}

// calls --------------------------------------------------------------------------------

static void split_by(Skeleton *skeleton, ExprId local) {
    for (u32 i = 0; i < 2; i++)
        if (!skeleton->split[i] || skeleton->split[i] == local) {
            skeleton->split[i] = local;
            return;
        }
}

// A value that the callee asks for, handed over by its argument.
static void ask_for_argument(Deciding *self, const ArgumentValue *argument, u8 flags) {
    const Path *path = &self->analysis->paths.paths.items[argument->path];
    TestedPlace *place = argument->source ? place_of(self, argument->source) : NULL;
    bool handed_on = argument->source && argument->path && !argument->address && path->root == ROOT_PARAM &&
                     !path->depth && path->step < 32 && (self->skeleton->fixed >> path->step & 1);
    if (!place && handed_on && self->wanted < WANTED_MOST) {
        array_push(&self->places,
                   ((TestedPlace){argument->source, argument->path, 0, PLACE_VALUE | (flags & PLACE_POINTER)}));
        place = &self->places.items[self->places.count - 1];
    }
    if (place) {
        place_flag(self, place, flags & PLACE_WANTED);
        place->flags |= PLACE_ASKED;
    }
    if (argument->source && !(place && (place->flags & PLACE_VALUE)))
        split_by(self->skeleton, argument->source);
}

static void ask_for_path(Deciding *self, PathId path, const TestedPlace *below) {
    TestedPlace *place = find_place(self, path);
    const Path *root = &self->analysis->paths.paths.items[path_first(&self->analysis->paths, path)];
    if (!place && path && (root->root == ROOT_PARAM || root->root == ROOT_GLOBAL) && self->wanted < WANTED_MOST) {
        array_push(&self->places, ((TestedPlace){VIRTUAL_EXPR + self->places.count, path, below->object, 0}));
        place = &self->places.items[self->places.count - 1];
    }
    if (!place)
        return;
    place_flag(self, place, below->flags & PLACE_WANTED);
    place_flag(self, place, below->flags & PLACE_TOLD);
    place->flags |= PLACE_ASKED;
}

static void ask_for_place(Deciding *self, const SkeletonStep *step, const TestedPlace *below) {
    ask_for_path(self, path_of_caller(self->analysis, self->skeleton, step, below->path), below);
}

static void ask_for_calls(Deciding *self) {
    const Analysis *analysis = self->analysis;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        const CallSite *site = step->kind == STEP_CALL ? &analysis->program->calls.items[step->call] : NULL;
        if (!site || site->target_count != 1 || !call_is_narrow(site))
            continue;
        FunctionId target = analysis->program->targets.items[site->target];
        const Skeleton *below = &analysis->skeletons[target];
        u32 first = self->known ? self->known[target] : 0;
        for (u32 i = first; target != self->function && i < below->place_count; i++) {
            const TestedPlace *place = &below->places[i];
            const Path *path = &analysis->paths.paths.items[place->path];
            if (!(place->flags & (PLACE_WANTED | PLACE_TOLD)))
                continue;
            if (!(place->flags & PLACE_VALUE))
                ask_for_place(self, step, place);
            else if (path->step < step->arg_count)
                ask_for_argument(self, &self->skeleton->args[step->arg + path->step], place->flags);
        }
    }
}

// Globals that a thread asks for: what they are where it is started.
static void ask_for_threads(Deciding *self) {
    const Analysis *analysis = self->analysis;
    const Program *program = analysis->program;
    for (u32 s = 0; s < self->skeleton->step_count; s++) {
        const SkeletonStep *step = &self->skeleton->steps[s];
        const Spawn *spawn = step->kind == STEP_SPAWN ? &analysis->spawns.items[step->effect] : NULL;
        const u32 *first =
            spawn && spawn->class ? map_get(&analysis->spawned, (u64)spawn->function << 32 | spawn->call) : NULL;
        for (u32 r = first ? *first - 1 : NO_ID; r < program->registrations.count; r++) {
            const Registration *one = &program->registrations.items[r];
            const Skeleton *below = &analysis->skeletons[one->handler];
            if (one->from != spawn->function || one->call != spawn->call)
                continue;
            for (u32 i = 0; i < below->place_count; i++) {
                const Path *root = &analysis->paths.paths.items[path_first(&analysis->paths, below->places[i].path)];
                if ((below->places[i].flags & PLACE_WANTED) && root->root == ROOT_GLOBAL)
                    ask_for_path(self, below->places[i].path, &below->places[i]);
            }
        }
    }
}

static void take_places(Deciding *self, FunctionId function) {
    self->function = function;
    self->skeleton = &self->analysis->skeletons[function];
    self->wanted = 0;
    self->places.count = 0;
    for (u32 i = 0; i < self->skeleton->place_count; i++)
        array_push(&self->places, self->skeleton->places[i]);
}

static void put_places(Deciding *self) {
    if (self->places.count > self->skeleton->place_count)
        self->skeleton->places = arena_alloc(&self->analysis->arena, sizeof(TestedPlace) * self->places.count);
    if (self->places.count)
        memcpy(self->skeleton->places, self->places.items, sizeof(TestedPlace) * self->places.count);
    self->skeleton->place_count = self->places.count;
}

static void decide(Deciding *self, FunctionId function) {
    take_places(self, function);
    if (self->skeleton->block_count > self->room) {
        self->room = self->skeleton->block_count * 2;
        self->seen = must_realloc(self->seen, self->room);
    }
    ask_for_branches(self);
    ask_for_calls(self);
    drop_idle_tests(self);
    put_places(self);
}

// writes -------------------------------------------------------------------------------

static void mark_tested(Deciding *self, const Skeleton *skeleton) {
    for (u32 m = 0; m < skeleton->mention_count; m++)
        self->tested[skeleton->mentions[m].object / 64] |= 1ull << (skeleton->mentions[m].object % 64);
    for (u32 i = 0; i < skeleton->place_count; i++)
        self->tested[skeleton->places[i].object / 64] |= 1ull << (skeleton->places[i].object % 64);
}

static bool put_write(U32Array *set, ObjectId object) {
    for (u32 i = 0; i < set->count; i++)
        if (set->items[i] == object)
            return true;
    if (limit_cuts(LIMIT_WRITES_MOST, set->count >= WRITES_MOST))
        return false;
    array_push(set, object);
    return true;
}

// What the function writes itself comes first, then what is below it.
static void fill_writes(Deciding *self, FunctionId function) {
    const Analysis *analysis = self->analysis;
    const Skeleton *skeleton = &analysis->skeletons[function];
    U32Array *out = &analysis->writes[function];
    for (u32 s = 0; s < skeleton->step_count; s++)
        for (u32 i = 0; skeleton->steps[s].kind == STEP_ACCESS && i < skeleton->steps[s].effect_count; i++) {
            const Access *access = &analysis->accesses.items[skeleton->steps[s].effect + i];
            if ((access->flags & (ACCESSED_WRITE | ACCESSED_UPDATE)) && access->object &&
                (self->tested[access->object / 64] >> (access->object % 64) & 1) && !put_write(out, access->object))
                return;
        }
    for (u32 s = 0; s < skeleton->step_count; s++) {
        const CallSite *site =
            skeleton->steps[s].kind == STEP_CALL ? &analysis->program->calls.items[skeleton->steps[s].call] : NULL;
        for (u32 t = 0; site && call_is_narrow(site) && t < site->target_count; t++) {
            FunctionId target = analysis->program->targets.items[site->target + t];
            const U32Array *below = &analysis->writes[target];
            for (u32 i = 0; target != function && i < below->count; i++)
                if (!put_write(out, below->items[i]))
                    return;
        }
    }
}

static u32 *bottom_up(const Program *program) {
    u32 count = program->functions.count, components = program->stats.components;
    u32 *first = must_zero(sizeof(u32) * ((size_t)components + 2)), *order = must_alloc(sizeof(u32) * (count + 1u));
    for (u32 f = 0; f < count; f++)
        first[program->functions.items[f].component + 1]++;
    for (u32 c = 0; c < components; c++)
        first[c + 1] += first[c];
    for (u32 f = 0; f < count; f++)
        order[first[program->functions.items[f].component]++] = f;
    free(first);
    return order;
}

// A thread's function may come after who starts it: what it asks, and nothing else, goes up once more.
static void decide_for_threads(Deciding *self, const u32 *order) {
    const Analysis *analysis = self->analysis;
    u32 count = analysis->program->functions.count;
    self->known = must_zero(sizeof(u32) * (count + 1u));
    for (u32 f = 0; f < count; f++)
        self->known[f] = analysis->skeletons[f].place_count;
    for (u32 i = 0; i < count; i++)
        if (analysis->skeletons[order[i]].relevant) {
            take_places(self, order[i]);
            ask_for_threads(self);
            ask_for_calls(self);
            put_places(self);
        }
    free(self->known);
    self->known = NULL;
}

void fill_deciding(Analysis *analysis) {
    Deciding self = {.analysis = analysis};
    u32 count = analysis->program->functions.count, *order = bottom_up(analysis->program);
    analysis->writes = must_zero(sizeof(U32Array) * (count + 1));
    self.tested = must_zero(sizeof(u64) * (analysis->objects.count / 64 + 1));
    for (u32 i = 0; i < count; i++)
        if (analysis->skeletons[order[i]].relevant)
            decide(&self, order[i]);
    if (analysis->follows_threads)
        decide_for_threads(&self, order);
    for (u32 i = 0; i < count; i++)
        if (analysis->skeletons[order[i]].relevant)
            mark_tested(&self, &analysis->skeletons[order[i]]);
    self.tested[0] &= ~1ull;
    for (u32 i = 0; i < count; i++)
        fill_writes(&self, order[i]);
    free(order);
    free(self.tested);
    free(self.seen);
    array_free(&self.work);
    array_free(&self.places);
    for (u32 i = 0; i < 2; i++) {
        array_free(&self.taken[i]);
        array_free(&self.freed[i]);
    }
}
