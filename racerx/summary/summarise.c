// summarise.c: guarded accesses of every function, bottom-up, level by level, components of a level in parallel.
// In: Program, Facts. Out: Summaries.
// The idea (RELAY §3.3): a function's accesses are its own, and those of its callees in its own words, under its own
// locks as well. What starts from a formal is the function's; all else is kept once per component. Invariant: a worker
// writes the summaries of the component it was given, in its own arena, and reads only lower levels.
#include "racerx/summary/guarded.h"

typedef struct {
    Relative relative;
    GuardedList formal, free;
    Arena *arena;
    bool inner_locked; // a call inside the component is made with a lock held
    bool frees;        // free accesses are wanted in this pass
    u32 component;
    Summaries *summaries;
} SummaryWorker;

typedef struct {
    const Analysis *analysis;
    Summaries *summaries;
    SummaryWorker *workers;
    u32 first; // of the level, in SummaryOrder.by_level
} Level;

static const Analysis *analysis_of(const SummaryWorker *self) { return self->relative.analysis; }

// accesses of its own ---------------------------------------------------------------

static bool is_counted(const SummaryWorker *self, const Access *access) {
    const Analysis *analysis = analysis_of(self);
    const SharedObject *object = &analysis->objects.items[access->object];
    bool handed = (access->flags & ACCESSED_HANDED) && !(access->flags & ACCESSED_WALKED);
    if (handed || (access->flags & ACCESSED_CALL) || !(access->flags & (ACCESSED_READ | ACCESSED_WRITE)))
        return false; // what helpers touch comes with their summaries
    if (!access->object)
        return access->param != 0;
    if (object->flags & (SHARED_ATOMIC | SHARED_CONST | SHARED_OWN | SHARED_LOCK))
        return false;
    if (object->kind == OBJECT_LOCAL) // nobody else can name it
        return false;
    return bitset_has(&self->summaries->written, access->object);
}

static u8 state_flags(const RelativeState *state) {
    u8 flags = state->flags & STATE_UNSURE ? GUARDED_UNSURE : 0;
    for (u32 i = 0; i < state->count[RUN_MAYBE]; i++)
        if (state->locks[RUN_MAYBE][i].class >= CLASS_FIRST)
            flags |= GUARDED_CONDITIONAL;
    return flags;
}

static void relate_locks(const SummaryWorker *self, RelativeState *state, ObjectId object, const SummaryPlace *place) {
    for (u32 i = 0; i < state->count[RUN_PLUS]; i++) {
        SummaryLock *lock = &state->locks[RUN_PLUS][i];
        lock->relation = (u8)place_relation(analysis_of(self), lock->class, &lock->place, object, place);
    }
}

// A local means nothing to callers: what it points to is known by its type.
static void forget_local(SummaryPlace *place) {
    if (place->root == PLACE_LOCAL)
        *place = (SummaryPlace){.root = PLACE_NONE};
}

static void forget_locals(RelativeState *state) {
    for (u32 run = 0; run < RUNS; run++)
        for (u32 i = 0; i < state->count[run]; i++)
            forget_local(&state->locks[run][i].place);
}

static void put(SummaryWorker *self, GuardedAccess *access, const SummaryPlace *place, RelativeState *state) {
    bool formal = place->root == PLACE_FORMAL;
    if ((!formal && !access->object) || (!formal && !self->frees))
        return;
    GuardedList *list = formal ? &self->formal : &self->free;
    forget_locals(state);
    access->protection = (u16)guarded_protection(list, state);
    guarded_add(list, access, place);
}

static void put_own(SummaryWorker *self, u32 index, const RelativeState *given) {
    const Analysis *analysis = analysis_of(self);
    const Access *access = &analysis->accesses.items[index];
    if (!is_counted(self, access))
        return;
    GuardedAccess made = {.object = access->object, .origin = index, .via = NO_ID};
    SummaryPlace place = place_of_path(&analysis->paths, access->path);
    if (place.root == PLACE_FORMAL && !place.count)
        return;
    made.flags = (u8)(state_flags(given) | (access->flags & ACCESSED_READ ? GUARDED_READ : 0) |
                      (access->flags & ACCESSED_WRITE ? GUARDED_WRITE : 0));
    made.flags |= access->fresh == FRESH_YES ? GUARDED_FRESH : 0;
    made.flags |= access->fresh == FRESH_TAKEN || (access->flags & ACCESSED_UNSHARED) ? GUARDED_TAKEN : 0;
    made.fresh = access->fresh >= FRESH_PARAM ? access->fresh : 0;
    RelativeState state = *given;
    relate_locks(self, &state, made.object, &place);
    put(self, &made, &place, &state);
}

// accesses of callees ---------------------------------------------------------------

typedef struct {
    SummaryWorker *worker;
    const SkeletonStep *step;
    const RelativeState *state; // at the call
    FunctionId target;
    const GuardedSet *set;
    // By protection of the callee, when its locks mean the same whatever is accessed: mine, plus 1.
    u32 known[256];
    bool plain; // no lock of the caller is one of many
} Instance;

static const ArgumentValue *argument_at(const Instance *self, u32 index) {
    const Skeleton *skeleton = self->worker->relative.skeleton;
    return index < self->step->arg_count ? &skeleton->args[self->step->arg + index] : NULL;
}

// The callee's runs in the caller's words, on top of the caller's state; false: a lock of L+ has no name here.
static bool compose(const Instance *self, const Protection *protection, RelativeState *out) {
    const SummaryWorker *worker = self->worker;
    const Analysis *analysis = analysis_of(worker);
    const SummaryLock *lock = self->set->locks + protection->first;
    SummaryLock plus[SUMMARY_LOCKS];
    u32 plus_count = 0;
    bool sure = true;
    *out = *self->state;
    out->count[RUN_MAYBE] = 0;
    for (u32 run = 0; run < RUNS; run++)
        for (u32 i = 0; i < protection->count[run]; i++, lock++) {
            SummaryLock mine = *lock;
            const ArgumentValue *argument = lock->place.root == PLACE_FORMAL ? argument_at(self, lock->place.id) : NULL;
            mine.class = caller_class(analysis, worker->relative.skeleton, self->step, lock->class);
            mine.place = place_rebind(&analysis->paths, &lock->place, argument);
            if (!mine.class) {
                sure &= run != RUN_PLUS;
                continue;
            }
            if (run == RUN_PLUS)
                plus[plus_count++] = mine;
            else if (run == RUN_MINUS)
                state_release(analysis, out, &mine);
            else
                state_thread(out, run, &mine);
        }
    // The caller's own come first: they are related to the object by the caller's words, the others are already.
    for (u32 i = 0; i < plus_count; i++)
        state_acquire(analysis, out, plus[i]);
    return sure && !(out->flags & STATE_UNSURE);
}

static bool is_plain(const Analysis *analysis, const RelativeState *state) {
    for (u32 i = 0; i < state->count[RUN_PLUS]; i++)
        if (state->locks[RUN_PLUS][i].class >= CLASS_FIRST &&
            !analysis->classes.items[state->locks[RUN_PLUS][i].class].global)
            return false;
    return true;
}

static bool is_empty(const RelativeState *state) {
    for (u32 run = 0; run < RUNS; run++)
        if (state->count[run] && run != RUN_MAYBE)
            return false;
    return true;
}

static void put_composed(Instance *self, GuardedAccess *access, const SummaryPlace *place,
                         const Protection *protection) {
    SummaryWorker *worker = self->worker;
    u32 index = access->protection; // of the callee
    bool formal = place->root == PLACE_FORMAL;
    GuardedList *list = formal ? &worker->formal : &worker->free;
    bool known = self->plain && !formal && index < 256;
    if (known && self->known[index]) {
        access->protection = (u16)((self->known[index] >> 1) - 1);
        access->flags |= self->known[index] & 1 ? GUARDED_UNSURE : 0;
        guarded_add(list, access, place);
        return;
    }
    RelativeState state;
    bool sure = compose(self, protection, &state);
    for (u32 i = 0; i < state.count[RUN_PLUS]; i++) { // those that the caller has are not related yet
        SummaryLock *lock = &state.locks[RUN_PLUS][i];
        for (u32 k = 0; k < self->state->count[RUN_PLUS]; k++)
            if (lock->class == self->state->locks[RUN_PLUS][k].class &&
                place_equal(&lock->place, &self->state->locks[RUN_PLUS][k].place))
                lock->relation =
                    (u8)place_relation(analysis_of(worker), lock->class, &lock->place, access->object, place);
    }
    access->flags |= sure ? 0 : GUARDED_UNSURE;
    forget_locals(&state);
    access->protection = (u16)guarded_protection(list, &state);
    if (known)
        self->known[index] = (u32)(access->protection + 1) << 1 | !sure;
    guarded_add(list, access, place);
}

// Which object of the caller's a helper touches by a formal; false: none that counts.
static bool name_object(const Instance *self, u32 formal, const SummaryPlace *place, GuardedAccess *access) {
    const SummaryWorker *worker = self->worker;
    const Analysis *analysis = analysis_of(worker);
    const u32 *handed = formal < 32 ? map_get(&worker->summaries->handed, (u64)self->step->call << 5 | formal) : NULL;
    bool atomic = analysis->accesses.items[access->origin].flags & ACCESSED_ATOMIC;
    if (handed && !atomic) {
        access->origin = analysis->handed.items[*handed - 1].access;
        access->object = analysis->accesses.items[access->origin].object;
        return bitset_has(&worker->summaries->written, access->object);
    }
    const ArgumentValue *argument = argument_at(self, formal);
    if (!access->object && argument && argument->object) {
        access->object = argument->object;
        const SharedObject *object = &analysis->objects.items[access->object];
        return !(object->flags & (SHARED_ATOMIC | SHARED_CONST | SHARED_OWN | SHARED_LOCK)) &&
               bitset_has(&worker->summaries->written, access->object);
    }
    return access->object || place->root == PLACE_FORMAL;
}

// Is it in a local of this function? Nobody else can name that.
static bool is_local(const SummaryPlace *place) {
    for (u32 i = 0; i < place->count; i++)
        if (place->steps[i] & 1)
            return false;
    return place->root == PLACE_LOCAL;
}

static void name_fresh(const Instance *self, const GuardedAccess *below, GuardedAccess *access) {
    access->fresh = 0;
    const ArgumentValue *argument = below->fresh ? argument_at(self, below->fresh - FRESH_PARAM) : NULL;
    if (!argument)
        return;
    access->flags |= argument->fresh == FRESH_YES ? GUARDED_FRESH : argument->fresh == FRESH_TAKEN ? GUARDED_TAKEN : 0;
    access->fresh = argument->fresh >= FRESH_PARAM ? argument->fresh : 0;
}

static void instantiate(Instance *self, const GuardedSet *set) {
    SummaryWorker *worker = self->worker;
    u8 flags = state_flags(self->state);
    self->set = set;
    memset(self->known, 0, sizeof(u32) * (set->protection_count < 256 ? set->protection_count : 256));
    for (u32 i = 0; i < set->access_count; i++) {
        const GuardedAccess *below = &set->accesses[i];
        GuardedAccess access = *below;
        access.via = self->target;
        access.depth = below->depth < UINT8_MAX ? (u8)(below->depth + 1) : UINT8_MAX;
        access.flags |= flags;
        name_fresh(self, below, &access);
        SummaryPlace place = {.root = PLACE_NONE};
        if (set->places) {
            const SummaryPlace *its = &set->places[i];
            place = place_rebind(&analysis_of(worker)->paths, its, argument_at(self, its->id));
            if (!name_object(self, its->id, &place, &access) || (is_local(&place) && access.object == below->object))
                continue;
        }
        if (place.root == PLACE_FORMAL || (worker->frees && access.object))
            put_composed(self, &access, &place, &set->protections[below->protection]);
    }
}

static void visit_call(SummaryWorker *self, const SkeletonStep *step, const RelativeState *state) {
    const Analysis *analysis = analysis_of(self);
    const Program *program = analysis->program;
    const SummaryOrder *order = &self->summaries->order;
    const CallSite *site = step->call == NO_ID ? NULL : &program->calls.items[step->call];
    if (!site || !call_is_narrow(site))
        return;
    for (u32 t = 0; t < site->target_count; t++) {
        Instance instance = {.worker = self, .step = step, .state = state};
        instance.target = program->targets.items[site->target + t];
        instance.plain = is_plain(analysis, state);
        u32 component = order->component[instance.target];
        instantiate(&instance, &self->summaries->functions[instance.target].formal);
        if (component == self->component)
            self->inner_locked |= !is_empty(state);
        else if (self->frees)
            instantiate(&instance, &self->summaries->free[component]);
    }
}

static void visit(void *context, const SkeletonStep *step, const RelativeState *state) {
    SummaryWorker *self = context;
    if (step->kind == STEP_CALL)
        visit_call(self, step, state);
    for (u32 i = 0; step->kind == STEP_ACCESS && i < step->effect_count; i++)
        put_own(self, step->effect + i, state);
}

// components ------------------------------------------------------------------------

static bool exit_equal(const FunctionSummary *summary, const RelativeState *state) {
    const SummaryLock *lock = summary->exit;
    if (summary->flags != state->flags)
        return false;
    for (u32 run = 0; run < RUNS; run++) {
        if (summary->count[run] != state->count[run])
            return false;
        for (u32 i = 0; i < state->count[run]; i++, lock++)
            if (lock->class != state->locks[run][i].class || lock->times != state->locks[run][i].times ||
                !place_equal(&lock->place, &state->locks[run][i].place))
                return false;
    }
    return true;
}

// Fills the exit; false: it is what it was.
static bool put_exit(SummaryWorker *self, FunctionSummary *summary, RelativeState *state) {
    forget_locals(state);
    if (exit_equal(summary, state))
        return false;
    u32 count = 0;
    for (u32 run = 0; run < RUNS; run++)
        count += state->count[run];
    summary->flags = state->flags;
    memcpy(summary->count, state->count, sizeof summary->count);
    summary->exit = count ? arena_array(self->arena, SummaryLock, count) : NULL;
    count = 0;
    for (u32 run = 0; run < RUNS; run++)
        for (u32 i = 0; i < state->count[run]; i++)
            summary->exit[count++] = state->locks[run][i];
    return true;
}

static bool summarise_function(SummaryWorker *self, FunctionId function) {
    FunctionSummary *summary = &self->summaries->functions[function];
    relative_run(&self->relative, function);
    guarded_begin(&self->formal);
    relative_visit(&self->relative, visit, self);
    u32 before = summary->formal.access_count;
    guarded_end(&self->formal, SUMMARY_FORMAL_MOST, LIMIT_SUMMARY_FORMAL_MOST, self->arena, &summary->formal);
    RelativeState exit = self->relative.exit;
    return put_exit(self, summary, &exit) || summary->formal.access_count != before;
}

// What still changes after some rounds is not known.
static void give_up(SummaryWorker *self, FunctionId function) {
    RelativeState unknown = {.flags = STATE_UNSURE};
    put_exit(self, &self->summaries->functions[function], &unknown);
}

static void settle_circle(SummaryWorker *self, const u32 *members, u32 count) {
    self->frees = false;
    for (u32 i = 0; i < count; i++)
        self->summaries->functions[members[i]].flags = STATE_NEVER;
    for (u32 round = 0;; round++) {
        bool again = false;
        bool last = limit_cuts(LIMIT_SUMMARY_ROUNDS, round == SUMMARY_ROUNDS);
        for (u32 i = 0; i < count; i++)
            if (summarise_function(self, members[i])) {
                again = true;
                if (last)
                    give_up(self, members[i]);
            }
        if (!again || last)
            return;
    }
}

static void summarise_component(void *context, u32 worker, u32 index) {
    const Level *level = context;
    SummaryWorker *self = &level->workers[worker];
    const SummaryOrder *order = &self->summaries->order;
    u32 component = order->by_level[level->first + index];
    const u32 *members = order->members + order->first[component];
    u32 count = order->first[component + 1] - order->first[component];
    self->component = component;
    self->inner_locked = false;
    if (order->circle[component])
        settle_circle(self, members, count);
    self->frees = true;
    guarded_begin(&self->free);
    for (u32 i = 0; i < count; i++)
        summarise_function(self, members[i]);
    for (u32 i = 0; self->inner_locked && i < self->free.accesses.count; i++)
        self->free.accesses.items[i].flags |= GUARDED_UNSURE;
    guarded_end(&self->free, self->summaries->free_most, self->summaries->free_limit, self->arena,
                &self->summaries->free[component]);
}

// the driver ------------------------------------------------------------------------

static void fill_handed_index(Summaries *self, const Analysis *analysis) {
    for (u32 i = 0; i < analysis->handed.count; i++) {
        const Handed *handed = &analysis->handed.items[i];
        const CallSite *site = &analysis->program->calls.items[handed->call];
        if (site->target_count)
            *map_put(&self->handed, (u64)handed->call << 5 | handed->argument, NULL) = i + 1;
    }
}

static void fill_written(Summaries *self, const Analysis *analysis) {
    bitset_resize(&self->written, analysis->objects.count + 1);
    for (u32 i = 0; i < analysis->accesses.count; i++)
        if (analysis->accesses.items[i].flags & ACCESSED_WRITE)
            bitset_set(&self->written, analysis->accesses.items[i].object);
    for (u32 i = 0; i < analysis->accesses.count; i++) // who may write it by a pointer is seen later
        if (analysis->accesses.items[i].flags & ACCESSED_HANDED)
            bitset_set(&self->written, analysis->accesses.items[i].object);
    for (FunctionId f = 0; f < analysis->program->functions.count; f++)
        for (u32 s = 0; s < analysis->skeletons[f].step_count; s++) {
            const SkeletonStep *step = &analysis->skeletons[f].steps[s];
            for (u32 i = 0; step->kind == STEP_CALL && i < step->arg_count; i++)
                bitset_set(&self->written, analysis->skeletons[f].args[step->arg + i].object);
        }
}

static void choose_bound(Summaries *self, const Analysis *analysis) {
    u32 afforded = SUMMARY_FREE_BUDGET / (analysis->program->functions.count + 1);
    self->free_most = afforded > SUMMARY_FREE_MOST     ? SUMMARY_FREE_MOST
                      : afforded < SUMMARY_FREE_SYSTEM ? SUMMARY_FREE_SYSTEM
                                                       : afforded;
    self->free_limit = self->free_most == SUMMARY_FREE_MOST     ? LIMIT_SUMMARY_FREE_MOST
                       : self->free_most == SUMMARY_FREE_SYSTEM ? LIMIT_SUMMARY_FREE_SYSTEM
                                                                : LIMIT_SUMMARY_FREE_BUDGET;
}

#define LEVEL_SHARED 64 // components of a level that are worth a thread

static void run_levels(Summaries *self, const Analysis *analysis, u32 jobs) {
    const SummaryOrder *order = &self->order;
    SummaryWorker *workers = must_zero(sizeof(SummaryWorker) * jobs);
    for (u32 w = 0; w < jobs; w++) {
        workers[w].relative.analysis = analysis;
        workers[w].relative.summaries = workers[w].summaries = self;
        workers[w].arena = &self->arenas[w];
        workers[w].formal.placed = true;
    }
    for (u32 l = 0; l < order->level_count; l++) {
        Level level = {analysis, self, workers, order->level_first[l]};
        u32 count = order->level_first[l + 1] - order->level_first[l];
        parallel_for(count < LEVEL_SHARED ? 1 : jobs, count, summarise_component, &level);
    }
    for (u32 w = 0; w < jobs; w++) {
        relative_free(&workers[w].relative);
        guarded_free(&workers[w].formal);
        guarded_free(&workers[w].free);
    }
    free(workers);
}

Summaries *fill_summaries(const Analysis *analysis, u32 jobs) {
    Summaries *self = must_zero(sizeof *self);
    u32 functions = analysis->program->functions.count;
    jobs = jobs ? jobs : 1;
    fill_summary_order(&self->order, analysis->program);
    self->functions = must_zero(sizeof(FunctionSummary) * (functions + 1u));
    self->free = must_zero(sizeof(GuardedSet) * (self->order.count + 1u));
    self->arenas = must_zero(sizeof(Arena) * jobs);
    self->arena_count = jobs;
    fill_handed_index(self, analysis);
    fill_written(self, analysis);
    choose_bound(self, analysis);
    run_levels(self, analysis, jobs);
    for (u32 c = 0; c < self->order.count; c++)
        self->accesses += self->free[c].access_count;
    for (u32 f = 0; f < functions; f++)
        self->accesses += self->functions[f].formal.access_count;
    self->bytes = sizeof(FunctionSummary) * (u64)functions + sizeof(GuardedSet) * (u64)self->order.count;
    for (u32 w = 0; w < jobs; w++)
        self->bytes += self->arenas[w].allocated;
    return self;
}

void summaries_free(Summaries *self) {
    if (!self)
        return;
    for (u32 w = 0; w < self->arena_count; w++)
        arena_free(&self->arenas[w]);
    free(self->arenas);
    free(self->functions);
    free(self->free);
    map_free(&self->handed);
    bitset_free(&self->written);
    summary_order_free(&self->order);
    free(self);
}

static void check_set(const GuardedSet *set, bool formal) {
    for (u32 i = 0; i < set->access_count; i++) {
        const GuardedAccess *access = &set->accesses[i];
        check(access->protection < set->protection_count);
        check(access->object || formal);
        check(!formal || (set->places[i].root == PLACE_FORMAL && set->places[i].count <= SUMMARY_STEPS));
        check(!i || set->accesses[i - 1].depth <= access->depth);
    }
}

void summaries_check(const Summaries *self, const Analysis *analysis) {
    for (u32 f = 0; f < analysis->program->functions.count; f++)
        check_set(&self->functions[f].formal, true);
    for (u32 c = 0; c < self->order.count; c++)
        check_set(&self->free[c], false);
}
